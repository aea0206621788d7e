"""A game copied from paper by points alone: the rulings that a referee can make on it."""

from __future__ import annotations

import io

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import strip_tags
from django.utils.translation import override
from pypdf import PdfReader

from adjudication.models import Incident, Ruling
from adjudication.queries.papers import slip_pdf
from adjudication.queries.shown import show
from adjudication.services import incidents, rulings
from ledger.errors import Refused
from tests.adjudication.build import (
    REFEREE,
    REVOKE,
    SYSTEM,
    event_in_play,
    incident_at,
    sheet_at,
    stating,
)
from tests.tournament.build import make_user
from tournament.models import Adjustment, Event, Round
from tournament.models.tables import SheetState
from tournament.queries.standings import compute
from tournament.services import sheets

pytestmark = pytest.mark.django_db
TEN = {"offender": "N", "measure": "penalty", "points": 10}


def copy_points(round_: Round, game: int = 1) -> None:
    sheet = sheet_at(round_, game=game)
    sheets.enter_from_paper(
        sheet_id=sheet.pk,
        version=sheet.version,
        entries=[],
        totals={"NS": 60, "EW": 40},
        actor=SYSTEM,
        reason="paper",
    )


def marks(event: Event) -> dict[int, object]:
    """Return the marks counted in the first stage's standings, by start number."""
    stage = event.stages.select_related("event").get(order=1)
    return {row.entrant.number: tuple(row.values) for row in compute(stage).rows}


def changed(round_: Round, game: int = 1) -> dict[str, int]:
    """Return the marks added by rulings in force, by seat in a game of the first table."""
    seats = {entrant: seat for seat, entrant in sheet_at(round_, game=game).seats.items()}
    rows = Adjustment.objects.filter(annulled_at=None).values_list("entrant", "marks")
    return {seats[entrant]: n for entrant, n in rows}


@pytest.mark.guide("referee#take-a-call")
def test_a_penalty_in_points_counts_beside_the_copied_points_and_is_given_back() -> None:
    event, round_ = event_in_play(deals=3)
    for game in (1, 2, 3):
        copy_points(round_, game)
    before = marks(event)
    client = Client(headers={"accept-language": "en"})
    client.force_login(make_user("referee", event, "referee"))
    client.post(
        reverse("referee-new", args=[event.slug]), {"table": "1", "game": "3", "told": "rude"}
    )
    incident = Incident.objects.get()
    assert incident.deal is None
    stated = {f"f-{name}": str(value) for name, value in TEN.items()}
    address = reverse("referee-incident", args=[event.slug, incident.number])
    page = client.post(address, {"article": "GEN-DISC", "reason": "rude", **stated}, follow=True)
    assert page.status_code == 200
    ruling = Ruling.objects.get()
    assert changed(round_, 3) == {"N": -10, "E": 10, "S": 10, "W": 10}
    sheet = sheet_at(round_, game=3)
    assert (sheet.state, sheet.score["marks"]) == (SheetState.OFFICIAL, {"NS": 60, "EW": 40})
    assert marks(event) != before
    rulings.annul(ruling_id=ruling.pk, actor=REFEREE, reason="Not proved.")
    assert (changed(round_, 3), marks(event)) == ({}, before)


def test_a_call_at_the_first_deal_is_ruled_on_after_the_points_came_on_paper() -> None:
    event, round_ = event_in_play(deals=3)
    incident = incident_at(event, round_)
    copy_points(round_)
    stating(
        rulings.issue,
        incident_id=incident.pk,
        article="GEN-DISC",
        facts=TEN,
        actor=REFEREE,
        reason="rude",
    )
    assert changed(round_) == {"N": -10, "E": 10, "S": 10, "W": 10}


@pytest.mark.guide("referee#take-a-call")
@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "Reopen the sheet and record the deals, or rule in points by GEN-DISC."),
        ("fr", "Rouvrez la feuille et notez les donnes, ou décidez en points par GEN-DISC."),
        ("nl", "Heropen het blad en noteer de giften, of beslis in punten met GEN-DISC."),
    ],
)
@pytest.mark.parametrize("deal", [None, 1])
def test_a_fault_of_play_has_no_deal_and_the_refusal_names_both_ways(
    client: Client, language: str, words: str, deal: int | None
) -> None:
    event, round_ = event_in_play(deals=3)
    incident = incident_at(event, round_, deal=deal)
    copy_points(round_)
    client.force_login(make_user("referee", event, "referee"))
    facts = {f"f-{name}": str(value) for name, value in REVOKE.items()}
    page = client.get(
        reverse("referee-incident", args=[event.slug, incident.number]),
        {"article": "000-P1", "preview": "1", **facts},
        headers={"accept-language": language},
    )
    assert page.status_code == 422
    assert words in " ".join(page.content.decode().split())
    with pytest.raises(Refused) as refused:
        stating(
            rulings.issue, incident_id=incident.pk, article="000-P1", facts=REVOKE, actor=REFEREE
        )
    assert refused.value.code == "points_alone"


def test_a_new_deal_by_discretion_is_refused_so_too() -> None:
    event, round_ = event_in_play(deals=3)
    copy_points(round_)
    incident = incident_at(event, round_, deal=None)
    with pytest.raises(Refused) as refused:
        stating(
            rulings.issue,
            incident_id=incident.pk,
            article="GEN-DISC",
            facts={"offender": "N", "measure": "redeal"},
            actor=REFEREE,
            reason="mixed up",
        )
    assert refused.value.code == "points_alone"


def test_no_deal_of_it_can_be_named() -> None:
    event, round_ = event_in_play(deals=3)
    copy_points(round_)
    with pytest.raises(Refused, match="leave the deal empty"):
        incident_at(event, round_, deal=1)
    incident = incident_at(event, round_, deal=None)
    with pytest.raises(Refused, match="leave the deal empty"):
        incidents.place_incident(incident_id=incident.pk, actor=REFEREE, game=None, deal=1)


@pytest.mark.guide("referee#take-a-call")
@pytest.mark.parametrize(
    ("language", "decision", "stands"),
    [
        ("en", "penalty in points; N −10, E +10, S +10, W +10", "The deal stands and"),
        ("fr", "Nord −10, Est +10, Sud +10, Ouest +10", "La donne est bonne et"),
        ("nl", "Noord −10, Oost +10, Zuid +10, West +10", "De gift geldt en"),
    ],
)
def test_every_room_says_the_points_in_one_order_and_judges_no_deal(
    language: str, decision: str, stands: str
) -> None:
    """Slip, sheet and preview: the seats in their order, and nothing about a deal that nobody recorded."""
    event, round_ = event_in_play(deals=3)
    copy_points(round_)
    incident = incident_at(event, round_, deal=None)
    client = Client(headers={"accept-language": language})
    client.force_login(make_user("referee", event, "director"))
    address = reverse("referee-incident", args=[event.slug, incident.number])
    asked = {"article": "GEN-DISC", "preview": "1", "f-claimed": "in_time"}
    preview = client.get(address, asked | {f"f-{name}": str(value) for name, value in TEN.items()})
    given = {"article": "GEN-DISC", "facts": TEN, "actor": REFEREE, "reason": "rude"}
    ruling = stating(rulings.issue, incident_id=incident.pk, **given)
    with override(language):
        slip = PdfReader(io.BytesIO(slip_pdf(ruling))).pages[0].extract_text()
        shown = " ".join(show(ruling, whole=True).because)
    told = " ".join(strip_tags(preview.content.decode()).split())
    assert decision in " ".join(told.split())
    assert decision in " ".join(slip.split())
    assert not any(stands in said for said in (slip, shown))
    sheet = client.get(reverse("staff-sheet", args=[sheet_at(round_).pk])).content.decode()
    assert decision.rpartition("; ")[2] in " ".join(strip_tags(sheet).split())
