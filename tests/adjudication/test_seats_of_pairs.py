"""Who of a pair sat where: a pair takes its seats as it likes, so a referee says it, and pages name the player."""

from __future__ import annotations

import io

import pytest
from django.test import Client
from django.utils import translation
from pypdf import PdfReader

from adjudication.models import Incident, Sanction
from adjudication.queries.papers import report_csv, slip_pdf
from adjudication.services import incidents, rulings
from ledger.errors import Refused
from tests.adjudication.build import REFEREE, SYSTEM, as_chiefs, incident_at, stating
from tests.tournament.build import make_user
from tests.tournament.test_stages import event_of, publish_next
from tournament.models import Entrant, Event
from tournament.services import archive
from tournament.services.entrant_edits import correct_entrant

pytestmark = pytest.mark.django_db


@pytest.fixture
def incident() -> Incident:
    event = event_of(8, "pairs_swiss", rounds=3)
    for pair in event.entrants.all():
        correct_entrant(
            entrant_id=pair.pk, changes={"partner": f"Rita Tweede {pair.number}"}, actor=REFEREE
        )
    round_ = publish_next(event).round
    return incident_at(event, round_, deal=None)


def pair_at(incident: Incident, seat: str) -> Entrant:
    return Entrant.objects.select_related("person", "partner").get(pk=incident.seats[seat])


def names(incident: Incident, seat: str) -> tuple[str, str]:
    """Return the names of the first and the second of the pair at a seat."""
    pair = pair_at(incident, seat)
    assert pair.partner is not None
    return pair.person.name, pair.partner.name


def seat(incident: Incident, at: str, *, second: bool = False) -> Incident:
    return incidents.seat_pair(incident_id=incident.pk, seat=at, second=second, actor=REFEREE)


@pytest.mark.guide("referee#state-the-facts")
def test_the_page_asks_and_names_the_player_from_then_on(
    client: Client, incident: Incident
) -> None:
    event: Event = incident.event
    client.force_login(make_user("referee", event, "referee"))
    address = f"/referee/{event.slug}/incidents/{incident.number}/"
    first, second = names(incident, "W")
    english = {"accept-language": "en"}
    assert f"W · {first} / {second}" in client.get(address, headers=english).context["players"]
    form = f"/desk/{event.slug}/do/incidents_seat/{incident.pk}/"
    client.post(form, {"seat": "W", "second": "1"})
    players = client.get(address, headers=english).context["players"]
    assert {f"W · {second}", f"E · {first}"} <= {*players}
    other = names(incident, "N")
    assert f"N · {other[0]} / {other[1]}" in players, "nobody said who of the other pair"
    client.post(form, {"seat": "W"})
    assert f"W · {first}" in client.get(address, headers=english).context["players"]


@pytest.mark.guide("referee#discipline-register")
def test_papers_and_register_name_who_offended(client: Client, incident: Incident) -> None:
    event = incident.event
    as_chiefs(event, REFEREE)
    first, second = names(incident, "W")
    seat(incident, "W", second=True)
    made = stating(
        rulings.issue,
        incident_id=incident.pk,
        article="T-PHONE",
        facts={"offender": "W"},
        actor=REFEREE,
        reason="rang",
    )
    with translation.override("en"):
        slip = PdfReader(io.BytesIO(slip_pdf(made))).pages[0].extract_text()
        assert f"Offender: W · {second}" in " ".join(slip.split())
        assert f" · {second};" in report_csv(event)
    rulings.finalise(ruling_id=made.pk, actor=REFEREE)
    client.force_login(make_user("chief", event, "chief_referee"))
    page = client.get(f"/referee/{event.slug}/rulings/{made.number}/")
    assert page.context["sanction_form"].fields["partner"].initial == "second"
    # Sat the other way round, as found out later.
    seat(incident, "W")
    with translation.override("en"):
        assert f" · {first};" in report_csv(event)
    form = f"/referee/{event.slug}/rulings/{made.number}/sanction/"
    client.post(form, {"kind": "warning", "reason": "rang", "partner": "first"})
    assert Sanction.objects.get().person_id == pair_at(incident, "W").person_id


def test_only_a_pair_has_two_to_choose_from(incident: Incident) -> None:
    with pytest.raises(Refused, match="No pair") as refused:
        seat(incident, "X")
    assert refused.value.code == "no_pair_there"


def test_the_seats_travel_with_the_archive(incident: Incident) -> None:
    seat(incident, "N", second=True)
    seat(incident, "E")
    copy = archive.take_up(
        file=archive.pack(incident.event.pk), slug="again", copy=True, actor=SYSTEM
    )
    assert Incident.objects.get(event=copy).second_at == "NW"
