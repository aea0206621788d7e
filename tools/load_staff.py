"""Staff of a simulated day, over HTTP like the players: director, referee, appeals member.

Each signs in on the login page and then works through the REST API with their session, as the desk
does. Accounts are made for the day and closed at its end.
"""

from __future__ import annotations

import json
import random
import secrets
import threading
import time
from typing import Any, Final

from accounts.models import Role, User
from accounts.roles import grant_role
from tools.load_day import ACTOR, Link, Measures
from tournament.models import Event, Round, Standings

PATIENCE: Final = 600.0
"""Seconds that a job may take before the day is given up."""
_pause = threading.Event()


class Unanswered(RuntimeError):
    """A member of staff was refused what the day cannot go on without."""


class Member:
    """One member of staff: a signed-in browser that talks to the API."""

    def __init__(self, url: str, event: Event, role: Role, measures: Measures) -> None:
        password = secrets.token_urlsafe(18)
        self.user = User.objects.create_user(f"load-{secrets.token_hex(6)}", password=password)
        grant_role(user_id=self.user.pk, role=role, scope=event.pk, actor=ACTOR)
        self.event, self.base = event, f"/api/v1/events/{event.slug}/"
        self.link = Link(url, measures)
        self.link.ask("login", "/login/")
        status, _content, _etag = self.link.ask(
            "login",
            "/login/",
            {
                "username": self.user.username,
                "password": password,
                "csrfmiddlewaretoken": self.link.cookies.get("csrftoken", ""),
            },
        )
        if status != 302:
            raise Unanswered(f"{role} could not sign in: {status}")

    def leave(self) -> None:
        """Close the account."""
        User.objects.filter(pk=self.user.pk).update(is_active=False)

    def get(self, what: str, path: str) -> Any:
        """Return a response of the API; raise Unanswered for any status but 200."""
        return self._recorded(path, what)

    def post(self, what: str, path: str, **body: object) -> Any:
        """Call a verb of the API and return its response; raise Unanswered for a refusal."""
        return self._recorded(path, what, body)

    def _recorded(self, path: str, what: str, body: dict[str, object] | None = None) -> object:
        # A round lies between two of their clicks: the server has closed the old connection.
        self.link.connection.close()
        status, content, _etag = self.link.ask(what, path, json=body)
        if not 200 <= status < 300:
            raise Unanswered(f"{path}: {status} {content[:300]!r}")
        return json.loads(content) if content else None


class Director(Member):
    """Director: draws, publishes, starts and closes rounds, and manages the entrants."""

    def begin(self, round_id: object) -> None:
        """Request the draw of a round, wait for the worker, publish the draw and start the clock."""
        part = f"/api/v1/rounds/{round_id}/"
        job = self.post("ask for draw", f"{part}draws/")
        began = time.monotonic()
        while job["state"] not in ("done", "failed"):
            if time.monotonic() - began > PATIENCE:
                raise Unanswered("the draw's job does not end: does a worker run?")
            _pause.wait(0.2)
            job = self.get("job", f"{self.base}jobs/{job['id']}/")
        if job["state"] == "failed":
            raise Unanswered(f"the round could not be drawn: {job['failure']}")
        self.link.measures.note("draw, whole job", (time.monotonic() - began) * 1000, 200)
        drawn = self.get("draws", f"{part}draws/")
        chosen = next(draw["id"] for draw in reversed(drawn) if draw["state"] == "candidate")
        self.post("publish", f"/api/v1/draws/{chosen}/publish/")
        self.post("start round", f"{part}start/")

    def close(self, round_id: object) -> None:
        """Close the round."""
        self.post("close round", f"/api/v1/rounds/{round_id}/close/")

    def withdraw(self, number: int) -> None:
        """Withdraw a player."""
        self.post("withdraw", f"{self.base}entrants/{number}/withdraw/")

    def enter(self, name: str, club: str) -> None:
        """Enter a latecomer."""
        self.post("late player", f"{self.base}entrants/", name=name, club=club, present=True)

    def served_hash(self, order: int) -> str:
        """Return the hash of a stage's standings from the API."""
        answer = self.get("standings, API", f"{self.base}standings/?stage={order}")
        return str(_find(answer, "hash"))


class Referee(Member):
    """Referee: opens incidents and rules on them."""

    def rule(self, table: int, chance: random.Random) -> int:
        """Rule on a revoke noticed after the deal in a table's first game; return the ruling's number."""
        opened = self.post(
            "incident", f"{self.base}incidents/", table=table, game=1, deal=1, told="load"
        )
        facts = {"offender": chance.choice("NESW"), "trick": 3, "noticed": "after_deal"}
        ruling = self.post(
            "ruling",
            f"{self.base}incidents/{opened['number']}/rule/",
            article="BE-P1",
            facts=facts,
            reason="load",
        )
        return int(ruling["number"])

    def appeal(self, ruling: int) -> str:
        """Lodge an appeal for a side, through the referee; return its id."""
        appeal = self.post(
            "appeal", f"{self.base}rulings/{ruling}/appeal/", side="NS", grounds="load"
        )
        return str(appeal["appeals"][0]["id"])


class Committee(Member):
    """Member of the appeals committee."""

    def hear(self, appeal: str, outcome: str, other: int) -> None:
        """Decide an appeal, with ``other`` as the second member of the committee."""
        self.post(
            "hearing",
            f"{self.base}appeals/{appeal}/",
            outcome=outcome,
            decision="load",
            members=[other],
        )


def _find(node: object, name: str) -> object:
    """Find the first value under ``name`` in a response."""
    if isinstance(node, dict):
        if name in node:
            return node[name]
        node = list(node.values())
    for part in node if isinstance(node, list) else ():
        value = _find(part, name)
        if value is not None:
            return value
    return None


class Staff:
    """The director, a referee and an appeals member of one day, and what they do between rounds."""

    def __init__(self, url: str, event: Event, measures: Measures, seed: str) -> None:
        self.event, self.chance = event, random.Random(seed)
        self.director = Director(url, event, Role.DIRECTOR, measures)
        self.referee = Referee(url, event, Role.CHIEF_REFEREE, measures)
        self.committee = Committee(url, event, Role.APPEALS, measures)
        self.late = 0

    def begin(self, round_: Round) -> None:
        """Draw, publish and start a round."""
        self.director.begin(round_.pk)

    def between(self, round_: Round, last: bool) -> None:
        """Rule at some tables, hear one appeal, close the round; then withdraw and enter players."""
        numbers = list(round_.tables.order_by("number").values_list("number", flat=True))
        ruled = [
            self.referee.rule(number, self.chance)
            for number in self.chance.sample(numbers, max(1, len(numbers) // 20))
        ]
        appeal = self.referee.appeal(ruled[0])
        outcome = self.chance.choice(["upheld", "overturned"])
        self.committee.hear(appeal, outcome, self.director.user.pk)
        self.director.close(round_.pk)
        if last or round_.stage.order > 1:
            return
        for number in self._leaving():
            self.director.withdraw(number)
        self.late += 1
        self.director.enter(f"Late {self.late}", "Load")

    def _leaving(self) -> list[int]:
        """Return two present players."""
        there = self.event.entrants.filter(state="present").order_by("number")
        return self.chance.sample(list(there.values_list("number", flat=True)), 2)

    def differing(self) -> list[str]:
        """Return the stages whose served standings differ from the stored standings."""
        return [
            f"standings of {standings.stage.name}: served {served}, kept {standings.hash}"
            for standings in Standings.objects.filter(stage__event=self.event).select_related(
                "stage"
            )
            if standings.hash
            and (served := self.director.served_hash(standings.stage.order)) != standings.hash
        ]

    def leave(self) -> None:
        """Close the accounts."""
        for member in (self.director, self.referee, self.committee):
            member.leave()
