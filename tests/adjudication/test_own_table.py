"""Staff who play in the event may rule at every table but their own: each verb, by page and by API.

The same member of staff, with every role at once, is refused at table 1, where they sit, and admitted
at table 2.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from adjudication.models import Appeal, Incident, Ruling
from adjudication.services import appeals, rulings
from adjudication.services.access import link_player
from tests.adjudication.build import (
    REFEREE,
    REVOKE,
    SYSTEM,
    committee,
    enter,
    event_in_play,
    incident_at,
    sheet_at,
    stating,
)
from tests.tournament.build import grant, make_user
from tournament.models import Event, Round
from tournament.models.tables import RefereeCall
from tournament.services import tables
from tournament.tables.links import table_token

pytestmark = pytest.mark.django_db

FORM = {"f-offender": "N", "f-trick": "3", "f-noticed": "after_deal", "f-claimed": "in_time"}


class Hall:
    """An event in play with a member of staff who sits at table 1."""

    client: Client

    def __init__(self) -> None:
        self.event: Event
        self.round_: Round
        self.event, self.round_ = event_in_play(deals=4)
        for table in (1, 2):
            enter(sheet_at(self.round_, table), 40)
        user = make_user("speler")
        for role in ("chief_referee", "appeals"):
            grant(user, role, self.event.pk)
        seat = self.round_.seats.filter(table__number=1).first()
        assert seat is not None
        link_player(
            event_id=self.event.pk,
            user=user.pk,
            number=seat.entrant.number,
            actor=SYSTEM,
        )
        self.user = user

    def incident(self, table: int) -> Incident:
        return incident_at(self.event, self.round_, table=table)

    def call(self, table: int) -> RefereeCall:
        at = sheet_at(self.round_, table).table_id
        return tables.call_referee(table_id=at, sheet_id=None, reason="x", actor=SYSTEM)

    def ruling(self, table: int) -> Ruling:
        return stating(
            rulings.issue,
            incident_id=self.incident(table).pk,
            article="000-P1",
            facts=REVOKE,
            actor=REFEREE,
        )

    def appeal(self, table: int) -> Appeal:
        made = self.ruling(table)
        return appeals.lodge(ruling_id=made.pk, side="NS", grounds="no", actor=SYSTEM)

    def post(self, name: Any, *args: object, **body: object) -> Any:
        kind = {"content_type": "application/json"} if name.startswith("api") else {}
        return self.client.post(
            reverse(name, args=[self.event.slug, *args]), body, follow=True, **kind
        )


@pytest.fixture(scope="module")
def built(module_database: None) -> Hall:
    return Hall()


@pytest.fixture
def hall(built: Hall, client: Client) -> Hall:
    """Return a copy of the built hall, which a test may change."""
    own = copy.deepcopy(built)
    own.client = client
    client.force_login(own.user)
    return own


DECISION = {"article": "000-P1", "facts": REVOKE, "claimed": "in_time", "reason": "seen"}
Act = Callable[[Hall, int], tuple[Any, Callable[[], bool]]]
"""One act at a table, returning the answer and whether it took effect."""


def _taken(hall: Hall, table: int, name: str) -> tuple[Any, Callable[[], bool]]:
    call = hall.call(table)
    answer = (
        hall.post("referee-take", call.pk)
        if name == "page"
        else hall.post("api-event-incidents", call=str(call.pk))
    )
    return answer, lambda: bool(RefereeCall.objects.get(pk=call.pk).claimed_by)


def _place(name: str, row: Incident | Ruling) -> tuple[object, ...]:
    """Return the view name and arguments of a page, an API operation or a verb's button."""
    button = "_" in name
    return ("desk-do", name, row.pk) if button else (name, row.number)


def _on_incident(
    hall: Hall, table: int, name: str, check: Callable[[Incident], bool], **body: Any
) -> tuple[Any, Callable[[], bool]]:
    found = hall.incident(table)
    answer = hall.post(*_place(name, found), **body)
    return answer, lambda: check(Incident.objects.get(pk=found.pk))


def _on_ruling(
    hall: Hall, table: int, name: str, check: Callable[[Ruling], bool], **body: Any
) -> tuple[Any, Callable[[], bool]]:
    found = hall.ruling(table)
    answer = hall.post(*_place(name, found), **body)
    return answer, lambda: check(Ruling.objects.get(pk=found.pk))


def _amended(hall: Hall, table: int) -> tuple[Any, Callable[[], bool]]:
    found = hall.ruling(table)
    body = {**FORM, "article": "000-P2", "ruling": found.number, "reason": "other", "preview": "1"}
    answer = hall.post("referee-incident", found.incident.number, **body)
    return answer, lambda: found.versions.count() == 2


def _heard(hall: Hall, table: int, name: str) -> tuple[Any, Callable[[], bool]]:
    found = hall.appeal(table)
    body = {"outcome": "upheld", "decision": "heard", "members": committee(found.ruling.event)}
    answer = (
        hall.post("referee-hear", found.ruling.number, found.pk, **body)
        if name == "page"
        else hall.post("api-appeal", found.pk, **body)
    )
    return answer, lambda: Appeal.objects.get(pk=found.pk).state == "upheld"


def _withdrawn(hall: Hall, table: int) -> tuple[Any, Callable[[], bool]]:
    found = hall.appeal(table)
    answer = hall.post("api-appeal-withdraw", found.pk)
    return answer, lambda: Appeal.objects.get(pk=found.pk).state == "withdrawn"


VERBS: dict[str, Act] = {
    "page take": lambda h, t: _taken(h, t, "page"),
    "api take": lambda h, t: _taken(h, t, "api"),
    "page place": lambda h, t: _on_incident(
        h, t, "incidents_place", lambda i: i.deal == 2, game=1, deal=2
    ),
    "api place": lambda h, t: _on_incident(
        h, t, "api-incident-place", lambda i: i.deal == 2, game=1, deal=2
    ),
    "page dismiss": lambda h, t: _on_incident(
        h, t, "referee-dismiss", lambda i: i.state == "dismissed", reason="noise"
    ),
    "api dismiss": lambda h, t: _on_incident(
        h, t, "api-incident-dismiss", lambda i: i.state == "dismissed", reason="noise"
    ),
    "page withdraw": lambda h, t: _on_incident(
        h, t, "referee-withdraw", lambda i: i.state == "withdrawn", reason="a mistake"
    ),
    "api withdraw": lambda h, t: _on_incident(
        h, t, "api-incident-withdraw", lambda i: i.state == "withdrawn", reason="a mistake"
    ),
    "page rule": lambda h, t: _on_incident(
        h,
        t,
        "referee-incident",
        lambda i: i.rulings.exists(),
        article="000-P1",
        preview="1",
        reason="seen",
        **FORM,
    ),
    "api rule": lambda h, t: _on_incident(
        h, t, "api-incident-rule", lambda i: i.rulings.exists(), **DECISION
    ),
    "page amend": _amended,
    "api amend": lambda h, t: _on_ruling(
        h, t, "api-ruling-amend", lambda r: r.versions.count() == 2, **DECISION
    ),
    "page annul": lambda h, t: _on_ruling(
        h, t, "referee-annul", lambda r: r.state == "annulled", reason="no"
    ),
    "api annul": lambda h, t: _on_ruling(
        h, t, "api-ruling-annul", lambda r: r.state == "annulled", reason="no"
    ),
    "page final": lambda h, t: _on_ruling(h, t, "rulings_finalise", lambda r: r.state == "final"),
    "api final": lambda h, t: _on_ruling(h, t, "api-ruling-final", lambda r: r.state == "final"),
    "page hear": lambda h, t: _heard(h, t, "page"),
    "api hear": lambda h, t: _heard(h, t, "api"),
    "api withdraw appeal": _withdrawn,
}


@pytest.mark.guide("referee#issue-the-ruling")
@pytest.mark.parametrize("verb", VERBS)
def test_refused_at_his_own_table_and_admitted_at_another(hall: Hall, verb: str) -> None:
    answer, done = VERBS[verb](hall, 1)
    assert not done(), verb
    if verb.startswith("api"):
        assert answer.status_code == 403
        assert answer.json()["code"] == "own_table"
    else:
        assert "You play at this table" in answer.content.decode()
    answer, done = VERBS[verb](hall, 2)
    assert done(), (verb, answer.content.decode()[-400:])


def test_by_the_link_of_his_table_he_is_a_player_like_the_others(hall: Hall) -> None:
    """The link allows reading the ruling and appealing there; the committee must be of others."""
    made = hall.ruling(1)
    token = table_token(sheet_at(hall.round_).table)
    address = reverse("table-ruling", args=[token, made.pk])
    assert "000-P1" in hall.client.get(address).content.decode()
    hall.client.post(address, {"side": "NS", "grounds": "no heart left"})
    assert Appeal.objects.get().lodged_by.startswith("device:")


def test_the_pages_of_his_table_say_so_and_offer_nothing(hall: Hall) -> None:
    made, elsewhere = hall.ruling(1), hall.ruling(2)
    for ruling, own in ((made, True), (elsewhere, False)):
        pages = [
            reverse("referee-incident", args=[hall.event.slug, ruling.incident.number]),
            reverse("referee-ruling", args=[hall.event.slug, ruling.number]),
        ]
        for page in pages:
            text = hall.client.get(page).content.decode()
            assert ("You play at this table" in text) == own
        assert ("Annul the ruling" in text) == (not own)
        assert ("Make final now" in text) == (not own)
