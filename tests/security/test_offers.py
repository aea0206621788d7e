"""No page offers its reader a forbidden action: every link and button works for the readers who see it.

Each reader starts at their first pages and goes wherever pages lead. Links are followed; every button of every form is
pressed as in a browser with the form unchanged, and undone. A refusal of the form's content (400, 409, 422) is an
answer; "not allowed", "not there" and a fault are failures.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from copy import copy
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import parse_qsl, urldefrag, urlencode, urljoin, urlsplit

import pytest
from django.conf import settings
from django.core.cache import cache
from django.test import Client, override_settings
from django.urls import Resolver404, resolve, reverse

from accounts import api_tokens
from accounts.models import Role
from accounts.roles import may
from adjudication.services import confirmations, incidents, rulings
from ledger.actors import Actor
from ledger.jobs import work_on
from tests.accounts.test_second_step import set_up
from tests.adjudication.build import REFEREE, incident_at, revoked_deal, sheet_at, stating
from tests.offers import Offers
from tests.security.hall import Hall
from tests.security.state import Trial
from tests.tournament.build import SYSTEM, chance, make_event, make_user, varied
from tools.permissions_page import routes
from tournament.demo.simulation import advance, draw_and_publish, play_round
from tournament.models import Draw, Event, MailConsent, Registration, StandingsState
from tournament.queries.next_step import next_step
from tournament.services import (
    consents,
    draws,
    entrants,
    members,
    publication,
    registrations,
    sheets,
    standings,
)
from tournament.services.entrants import check_in
from tournament.services.event_life import finish_event
from tournament.services.events import championship_plan, update_event
from tournament.tables.links import make_token

pytestmark = [pytest.mark.django_db, pytest.mark.long]
NOT_WALKED: Final = ("/static/", "/logout/", "/e/own/live/")
"""Files, signing out, and the endless stream."""
ALIKE: Final = ("/help/", "/rules/")
"""Pages that are the same for all readers: one reader walks them."""

SAMPLES: Final = 2
"""Number of pages of one route that are walked for one set of query parameters."""

REFUSED: Final = (403, 404, 405)


@dataclass
class Walk:
    """One reader's way through the service, with every refusal and the page that offered it."""

    client: Client
    trial: Trial
    skipped: tuple[str, ...] = NOT_WALKED + ALIKE
    seen: dict[str, int] = field(default_factory=dict)
    pressed: set[tuple[str, tuple[tuple[str, str], ...]]] = field(default_factory=set)
    wrong: list[str] = field(default_factory=list)
    routes: set[str] = field(default_factory=set)
    pages: int = 0
    buttons: int = 0

    def shape(self, where: str) -> str:
        """Return the address without its ids; of similar pages only a few are walked."""
        parts = urlsplit(where)
        path = re.sub(r"[0-9a-f]{8}-[0-9a-f-]{27}", "#", parts.path)
        path = re.sub(r"/\d+(?=[/.]|$)", "/#", path)
        asked = sorted({name for name, _value in parse_qsl(parts.query)})
        return f"{path}?{','.join(asked)}"

    def may_go(self, where: str) -> bool:
        """Return whether the address is the service's own and has not been walked often enough."""
        parts = urlsplit(where)
        if parts.scheme not in ("", "http") or parts.netloc not in ("", "testserver"):
            return False
        if parts.path.startswith(self.skipped):
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
            if status in (301, 302) and self.is_sent_away(answer):
                self.wrong.append(f"{where} asks to sign in again, a link of {on}")
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
        """Return the page at an address; its writes are rolled back."""
        self.note(where)
        cache.clear()
        with self.trial.undone():
            return self.client.get(where)

    def is_sent_away(self, answer: Any) -> bool:
        """Return whether a signed-in account is redirected to the sign-in page."""
        away: str = answer.headers.get("Location", "")
        return settings.SESSION_COOKIE_NAME in self.client.cookies and away.startswith("/login/")

    def note(self, where: str) -> None:
        """Record the route of an address."""
        with suppress(Resolver404):
            self.routes.add(resolve(urlsplit(where).path).route)

    def press(self, where: str, fields: list[tuple[str, str]], on: str) -> None:
        """Press a button, undo its effect, and record a refusal."""
        if urlsplit(where).path.startswith(self.skipped):
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
        self.note(where)
        cookies = copy(self.client.cookies)
        cache.clear()
        with self.trial.undone():
            answer = self.client.post(where, sent)
            after = answer.headers.get("Location", "")
            if answer.status_code in (302, 303) and not after.startswith(("/login/", "http")):
                after = urljoin(where, after)
                self.note(after)
                answer = self.client.get(after)
        if answer.status_code in REFUSED or answer.status_code >= 500 or self.is_sent_away(answer):
            self.wrong.append(f"{answer.status_code} POST {where} {sent}, a button of {on}")
        self.client.cookies = cookies


READERS: Final = ("anonymous", "badge", "table", "no role", *Role.values)


@pytest.fixture(scope="module")
def busy_hall(undone_hall: Hall) -> Iterator[Hall]:
    """Extend the hall with more that its pages can offer: mail, registrations, members, other rulings."""
    hall, event = undone_hall, undone_hall.event
    with override_settings(
        EMAIL_URL="smtp://localhost",
        EMAIL_FROM="manille@example.org",
        PUBLIC_URL="https://manille.example.org",
    ):
        chief = hall.staff[Role.CHIEF_REFEREE]
        first = hall.round_.tables.get(number=1).seats.order_by("position").first()
        assert first is not None
        consents.want_mail(entrant_id=first.entrant_id, email="one@example.org", language="fr")
        update_event(event_id=event.pk, actor=SYSTEM, changes={"registration": True})
        registrations.register(event_id=event.pk, name="Jef")
        members.add_member(actor=SYSTEM, values={"name": "Mia"})
        entrants.enter_player(event_id=event.pk, name="Late", actor=SYSTEM)
        api_tokens.issue(
            user_id=chief.pk, name="t", scope=event.pk, may_write=False, days=1, actor=SYSTEM
        )
        # Next to the ruling under appeal: an uncontested ruling, one that waits for a second person, two incidents
        # that may be one, and a deal whose cards prove a revoke.
        actor = Actor.user(chief.pk)
        sheet = sheet_at(hall.round_, table=2)
        entry, _found = revoked_deal(sheet)
        sheets.enter_deal(sheet_id=sheet.pk, entry=entry, actor=SYSTEM)
        assert incidents.follow_records() > 0
        plain = incident_at(event, hall.round_, table=1, deal=None)
        stating(
            rulings.issue,
            incident_id=plain.pk,
            actor=REFEREE,
            reason="seen",
            article="T-UNSP",
            facts={"offender": "E", "measure": "warning"},
        )
        grave = incident_at(event, hall.round_, table=1, deal=None)
        stating(
            confirmations.rule,
            incident_id=grave.pk,
            article="T-UNSP",
            facts={"offender": "S", "measure": "disqualified"},
            actor=actor,
            reason="insult",
            claimed="in_time",
        )
        for _twice in range(2):
            incident_at(event, hall.round_, table=2, deal=1)
        yield hall


Walks = Callable[[str], Walk]


@pytest.fixture(scope="module")
def walks(busy_hall: Hall) -> Walks:
    """Return a function that walks the pages as a reader, once for each reader."""
    gone: dict[str, Walk] = {}

    def walk_of(reader: str) -> Walk:
        if reader not in gone:
            gone[reader] = walk_as(reader, busy_hall)
        return gone[reader]

    return walk_of


def walk_as(reader: str, hall: Hall) -> Walk:
    """Walk all pages offered to a reader."""
    client = Client(raise_request_exception=False)
    walk = Walk(client, Trial())
    first = ["/", hall.fill("e/<slug:slug>/")]
    if reader == "anonymous":
        walk.skipped = NOT_WALKED
        # By the door's code, after registering, and by an e-mail.
        first += [
            reverse("door", args=[hall.event.slug, make_token("door", hall.event.pk)]),
            reverse("registered", args=[hall.event.slug, Registration.objects.get().pk]),
            reverse("mail-end", args=[MailConsent.objects.get(entrant__isnull=False).pk]),
        ]
    elif reader == "badge":
        first = [hall.fill("p/<str:token>/")]
    elif reader == "table":
        first = [hall.fill("t/<str:token>/")]
    else:
        user = hall.staff.get(reader) or make_user("nobody")
        if reader == Role.CHIEF_REFEREE:
            set_up(client, user)
        else:
            client.force_login(user)
        first += ["/login/", "/desk/", "/referee/"]
    walk.walk(first)
    return walk


@pytest.mark.parametrize("reader", READERS)
def test_every_link_and_button_answers_who_is_shown_it(reader: str, walks: Walks) -> None:
    walk = walks(reader)
    assert walk.wrong == []
    assert walk.pages > 5
    assert walk.buttons > 2


OF_SCRIPTS: Final = "asked for by a script, a program or a browser itself"
LATER: Final = "offered at another time: the test below walks it"
OWN_RULES: Final = "once a club has rules of its own"
NOBODY_WALKS: Final = {
    "account/browsers/<int:browser>/end/": "signed in with a second browser",
    "account/browsers/end/": "signed in with a second browser",
    "app/worker.js": OF_SCRIPTS,
    "colour/<str:digits>.css": OF_SCRIPTS,
    "desk/deleted/<uuid:sealed_id>/undo/": "once something was deleted",
    "desk/<slug:slug>/players/import/misread/": "beside a list that was read",
    "desk/<slug:slug>/reveal/": LATER,
    "desk/<slug:slug>/room/<int:number>/": "without a round, as it was kept or is typed",
    "desk/<slug:slug>/rounds/<uuid:round_id>/draws/compare/": LATER,
    "desk/<slug:slug>/stages/<int:order>/next/": LATER,
    "desk/<slug:slug>/settings/delete/": "before anything official is recorded",
    "desk/house-rules/<uuid:rules_id>/": OWN_RULES,
    "desk/house-rules/<uuid:rules_id>/card.pdf": OWN_RULES,
    "desk/house-rules/<uuid:rules_id>/compare/": OWN_RULES,
    "desk/house-rules/<uuid:rules_id>/penalties/": OWN_RULES,
    "desk/house-rules/<uuid:rules_id>/penalties/<str:name>/": OWN_RULES,
    "desk/house-rules/<uuid:rules_id>/penalties/new/": OWN_RULES,
    "e/<slug:slug>/live/": OF_SCRIPTS,
    "e/<slug:slug>/standings/overall/": "once a second stage is played",
    "e/<slug:slug>/version/": OF_SCRIPTS,
    "health/live/": OF_SCRIPTS,
    "health/ready/": OF_SCRIPTS,
    "login/code/": "after the password",
    "logo/<slug:slug>/<str:fingerprint>.png": "where a club has one",
    "logout/": "the way out",
    "metrics/": OF_SCRIPTS,
    "referee/<slug:slug>/discipline/<uuid:sanction_id>/": "once somebody is in the register",
    "referee/<slug:slug>/rulings/<int:number>/appeals/<uuid:appeal_id>/minutes.pdf": "once a committee has heard an appeal",
    "referee/<slug:slug>/rulings/<int:number>/sanction/": "once a ruling on conduct is final",
    "referees/discipline/": "for the chief referee of the organisation",
    "robots.txt": OF_SCRIPTS,
    "setup/": "before the first account",
    "system/lines/": "after refused sign-ins",
    "t/<str:token>/send/": OF_SCRIPTS,
    "t/<str:token>/tricks/": OF_SCRIPTS,
    "t/worker.js": OF_SCRIPTS,
}
"""Pages of this hall without a link or button to them, and the reasons."""


def test_every_page_is_walked_by_somebody(walks: Walks) -> None:
    there = {route.pattern for route in routes() if not route.pattern.startswith("api/v1/")}
    walked = {route for reader in READERS for route in walks(reader).routes}
    assert there - walked == set(NOBODY_WALKS)


def nobody_yet() -> Event:
    """Create an event without players."""
    return make_event(0, name="Nobody")


def at_the_door() -> Event:
    """Create an event with half of the players checked in."""
    made = make_event(8, name="Door", present=False)
    for entrant in made.entrants.order_by("number")[:4]:
        check_in(entrant_id=entrant.pk, actor=SYSTEM)
    return made


def to_draw() -> Event:
    """Create an event whose first round can be drawn."""
    return make_event(8, name="Draw")


def to_publish() -> Event:
    """Create an event with an unpublished draw."""
    made = make_event(8, name="Look")
    job = draws.request_draw(
        round_id=made.stages.get(order=1).rounds.get(number=1).pk, actor=SYSTEM
    )
    work_on(str(job.pk))
    return made


def two_drafts() -> Event:
    """Create an event with two draws to choose from."""
    made = to_publish()
    round_ = made.stages.get(order=1).rounds.get(number=1)
    work_on(str(draws.request_draw(round_id=round_.pk, seed="another", actor=SYSTEM).pk))
    return made


def to_start() -> Event:
    """Create an event whose first round is published."""
    made = to_publish()
    publication.publish_draw(draw_id=Draw.objects.get(round__stage__event=made).pk, actor=SYSTEM)
    return made


def all_signed() -> Event:
    """Create an event whose round can be closed."""
    made = make_event(8, name="Signed", deals=1)
    play_round(draw_and_publish(made.stages.get(order=1).rounds.get(number=1), SYSTEM), chance())
    return made


def who_goes_on() -> Event:
    """Create an event whose first stage is played."""
    made, luck = make_event(8, name="Through", deals=1, cut=4), chance()
    for _round in made.stages.get(order=1).rounds.all():
        advance(made, luck)
    return made


def to_declare() -> Event:
    """Create an event played to its end."""
    plan = [varied(championship_plan(deals=1, cut=4)[0], cut={}, rounds_planned=1)]
    made = make_event(8, name="Played", plan=plan)
    update_event(event_id=made.pk, actor=SYSTEM, changes={"hide_last_rounds": 1})
    advance(made, chance())
    return made


def to_finish() -> Event:
    """Create an event with final standings."""
    made = to_declare()
    standings.set_state(stage_id=made.stages.get().pk, state=StandingsState.FINAL, actor=SYSTEM)
    return made


def finished() -> Event:
    """Create a finished event."""
    made = to_finish()
    return finish_event(event_id=made.pk, actor=SYSTEM)


STATES: Final = {
    "bring": nobody_yet,
    "check_in": at_the_door,
    "draw": to_draw,
    "look": two_drafts,
    "start": to_start,
    "close": all_signed,
    "go_on": who_goes_on,
    "final": to_declare,
    "finish": to_finish,
    "over": finished,
}
OFFERED: Final = {
    "look": "desk/<slug:slug>/rounds/<uuid:round_id>/draws/compare/",
    "go_on": "desk/<slug:slug>/stages/<int:order>/next/",
    "finish": "desk/<slug:slug>/reveal/",
}
"""Offers made only in that state."""


@pytest.mark.parametrize("state", STATES)
def test_the_desk_offers_what_the_reader_may_do_next(state: str) -> None:
    event = STATES[state]()
    assert next_step(event).code == state
    wrong, trial, offered = [], Trial(), set[str]()
    for role in sorted(set(Role.values) - {Role.ADMIN}):
        user = make_user(f"{state}-{role}", event, role)
        walk = Walk(Client(raise_request_exception=False), trial)
        walk.client.force_login(user)
        names = ("desk-event", "desk-room", "event-home", "event-standings", "event-draw")
        desks = [reverse(name, args=[event.slug]) for name in names]
        if may(user, "rounds.manage", event.pk):
            desks.append(reverse("desk-rounds", args=[event.slug]))
        if may(user, "rounds.manage", event.pk) and event.stages.count() > 1:
            desks.append(reverse("desk-cut", args=[event.slug, 1]))
        walk.walk(desks, hops=1)
        wrong += [f"{role}: {what}" for what in walk.wrong]
        offered |= walk.routes
        assert walk.pages >= len(desks)
    assert wrong == []
    assert OFFERED.get(state, "desk/") in {"desk/", *offered}


def test_what_is_offered_later_is_walked_in_its_state() -> None:
    assert set(OFFERED.values()) == {route for route, why in NOBODY_WALKS.items() if why == LATER}
