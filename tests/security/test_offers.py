"""No page offers what its reader may not do: every link and button answers those who are shown it.

Each reader begins where they come in and goes wherever pages lead. Links are followed; every button
of every form is pressed as a browser would with the form untouched, and undone. A refusal for what
the form holds (400, 409, 422) is an answer; "not allowed", "not there" and a fault are not.
"""

from __future__ import annotations

import re
from collections import deque
from dataclasses import dataclass, field, replace
from typing import Any, Final
from urllib.parse import parse_qsl, urldefrag, urlencode, urljoin, urlsplit

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from accounts.models import Role
from ledger.jobs import work_on
from tests.offers import Offers
from tests.security.hall import Hall
from tests.security.state import Trial
from tests.tournament.build import SYSTEM, chance, make_event, make_user
from tournament.demo.simulation import advance, draw_and_publish, play_round
from tournament.models import Draw, Event, StandingsState
from tournament.queries.next_step import next_step
from tournament.services import draws, publication, standings
from tournament.services.entrants import check_in
from tournament.services.event_life import finish_event
from tournament.services.events import championship_plan

pytestmark = [pytest.mark.django_db, pytest.mark.long]
NOT_WALKED: Final = ("/static/", "/logout/", "/help/", "/rules/", "/e/own/live/")
"""Files, the way out, pages that are the same for everybody, and the stream without an end."""

SAMPLES: Final = 2
"""Pages of one route that are walked for one set of questions in the address."""

REFUSED: Final = (403, 404, 405)


@dataclass
class Walk:
    """One reader's way through the service, with what refused them and on which page it stood."""

    client: Client
    user: Any
    trial: Trial
    seen: dict[str, int] = field(default_factory=dict)
    pressed: set[tuple[str, tuple[tuple[str, str], ...]]] = field(default_factory=set)
    wrong: list[str] = field(default_factory=list)
    pages: int = 0
    buttons: int = 0

    def shape(self, where: str) -> str:
        """The address with its ids left out: pages alike are walked a few times, not all."""
        parts = urlsplit(where)
        path = re.sub(r"[0-9a-f]{8}-[0-9a-f-]{27}", "#", parts.path)
        path = re.sub(r"/\d+(?=[/.]|$)", "/#", path)
        asked = sorted({name for name, _value in parse_qsl(parts.query)})
        return f"{path}?{','.join(asked)}"

    def may_go(self, where: str) -> bool:
        """Whether the address is the service's own and not walked often enough."""
        parts = urlsplit(where)
        if parts.scheme not in ("", "http") or parts.netloc not in ("", "testserver"):
            return False
        if parts.path.startswith(NOT_WALKED):
            return False
        shape = self.shape(where)
        self.seen[shape] = self.seen.get(shape, 0) + 1
        return self.seen[shape] <= SAMPLES

    def walk(self, first: list[str], hops: int = 100) -> None:
        """Follow every link and press every button from the first pages on, ``hops`` pages deep."""
        waiting = deque((where, "", 0) for where in first)
        visited: set[str] = set()
        while waiting:
            where, on, deep = waiting.popleft()
            where = urldefrag(where).url
            if where in visited or not self.may_go(where):
                continue
            visited.add(where)
            answer = self.ask(where)
            status = answer.status_code
            if status in REFUSED or status >= 500:
                self.wrong.append(f"{status} {where}, a link of {on}")
                continue
            if status in (301, 302):
                waiting.append((urljoin(where, answer.headers["Location"]), on, deep))
                continue
            if answer.streaming or not answer.headers.get("Content-Type", "").startswith(
                "text/html"
            ):
                continue
            self.pages += 1
            offers = Offers(where, answer.content.decode())
            if deep == hops:
                continue
            waiting.extend((link, where, deep + 1) for link in offers.links)
            for form in offers.forms.values():
                for to, fields in form.presses():
                    if form.post:
                        self.press(to, fields, where)
                    else:
                        asked = f"{to.split('?')[0]}?{urlencode(fields)}"
                        waiting.append((asked, where, deep + 1))

    def ask(self, where: str) -> Any:
        """The page at an address; what looking at it wrote is undone."""
        cache.clear()
        with self.trial.undone():
            return self.client.get(where)

    def press(self, where: str, fields: list[tuple[str, str]], on: str) -> None:
        """Press a button, undo what it did, and note a refusal."""
        if urlsplit(where).path.startswith(NOT_WALKED):
            return
        sent: dict[str, list[str]] = {}
        for name, value in fields:
            sent.setdefault(name, []).append(value)
        verb = tuple(
            (name, value) for name, value in fields if name in ("verb", "action", "act", "do")
        )
        key = (self.shape(where), (*((name, "") for name in sorted(sent)), *verb))
        if key in self.pressed:
            return
        self.pressed.add(key)
        self.buttons += 1
        cache.clear()
        with self.trial.undone():
            answer = self.client.post(where, sent)
            after = answer.headers.get("Location", "")
            if answer.status_code in (302, 303) and not after.startswith(("/login/", "http")):
                answer = self.client.get(urljoin(where, after))
        if answer.status_code in REFUSED or answer.status_code >= 500:
            self.wrong.append(f"{answer.status_code} POST {where} {sent}, a button of {on}")
        if self.user is not None:
            self.client.force_login(self.user)


LONG_WALKS: Final = frozenset(Role.values) - {Role.APPEALS, Role.READER}
"""Who may do much has a long way."""

READERS: Final = [
    pytest.param(reader, marks=pytest.mark.long if reader in LONG_WALKS else [], id=reader)
    for reader in ("anonymous", "badge", "table", "no role", *Role.values)
]


@pytest.mark.parametrize("reader", READERS)
def test_every_link_and_button_answers_who_is_shown_it(reader: str, undone_hall: Hall) -> None:
    user: Any = None
    first = ["/", undone_hall.fill("e/<slug:slug>/")]
    if reader == "badge":
        first = [undone_hall.fill("p/<str:token>/")]
    elif reader == "table":
        first = [undone_hall.fill("t/<str:token>/")]
    elif reader != "anonymous":
        user = undone_hall.staff.get(reader) or make_user("nobody")
        first += ["/login/", "/desk/", "/referee/"]
    walk = Walk(Client(raise_request_exception=False), user, Trial())
    if user is not None:
        walk.client.force_login(user)
    walk.walk(first)
    assert walk.wrong == []
    assert walk.pages > 5
    assert walk.buttons > 2


def nobody_yet() -> Event:
    """An event without players."""
    return make_event(0, name="Nobody")


def at_the_door() -> Event:
    """An event of which some players have come."""
    made = make_event(8, name="Door", present=False)
    for entrant in made.entrants.order_by("number")[:4]:
        check_in(entrant_id=entrant.pk, actor=SYSTEM)
    return made


def to_draw() -> Event:
    """An event whose first round can be drawn."""
    return make_event(8, name="Draw")


def to_publish() -> Event:
    """An event with a draw that nobody has published."""
    made = make_event(8, name="Look")
    job = draws.request_draw(
        round_id=made.stages.get(order=1).rounds.get(number=1).pk, actor=SYSTEM
    )
    work_on(str(job.pk))
    return made


def to_start() -> Event:
    """An event whose first round is published."""
    made = to_publish()
    publication.publish_draw(draw_id=Draw.objects.get(round__stage__event=made).pk, actor=SYSTEM)
    return made


def all_signed() -> Event:
    """An event whose round can be closed."""
    made = make_event(8, name="Signed", deals=1)
    play_round(draw_and_publish(made.stages.get(order=1).rounds.get(number=1), SYSTEM), chance())
    return made


def who_goes_on() -> Event:
    """An event whose first stage is played."""
    made, luck = make_event(8, name="Through", deals=1, cut=4), chance()
    for _round in made.stages.get(order=1).rounds.all():
        advance(made, luck)
    return made


def to_declare() -> Event:
    """An event that is played to its end."""
    plan = [replace(championship_plan(deals=1, cut=4)[0], cut={}, rounds=1)]
    made = make_event(8, name="Played", plan=plan)
    advance(made, chance())
    return made


def to_finish() -> Event:
    """An event with final standings."""
    made = to_declare()
    standings.set_state(stage_id=made.stages.get().pk, state=StandingsState.FINAL, actor=SYSTEM)
    return made


def finished() -> Event:
    """An event that is over."""
    made = to_finish()
    return finish_event(event_id=made.pk, actor=SYSTEM)


STATES: Final = {
    "bring": nobody_yet,
    "check_in": at_the_door,
    "draw": to_draw,
    "look": to_publish,
    "start": to_start,
    "close": all_signed,
    "go_on": who_goes_on,
    "final": to_declare,
    "finish": to_finish,
    "over": finished,
}
QUICK_STATES = ("look", "start")
"""The states that are walked each time; the others take as long each."""


@pytest.mark.parametrize(
    "state",
    [
        state if state in QUICK_STATES else pytest.param(state, marks=pytest.mark.long)
        for state in STATES
    ],
)
def test_the_desk_offers_what_the_reader_may_do_next(state: str) -> None:
    event = STATES[state]()
    assert next_step(event).code == state
    wrong, trial = [], Trial()
    for role in sorted(set(Role.values) - {Role.ADMIN}):
        user = make_user(f"{state}-{role}", event, role)
        walk = Walk(Client(raise_request_exception=False), user, trial)
        walk.client.force_login(user)
        desks = ("desk-event", "desk-room", "event-home", "event-standings", "event-draw")
        walk.walk([reverse(name, args=[event.slug]) for name in desks], hops=1)
        wrong += [f"{role}: {what}" for what in walk.wrong]
        assert walk.pages > len(desks)
    assert wrong == []
