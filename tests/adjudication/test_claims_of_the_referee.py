"""Claims of the referee's guide, each tried on the pages as a member of staff would."""

from __future__ import annotations

import copy
import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from adjudication.models import Incident, Ruling
from adjudication.queries.codes import numbered
from adjudication.services import appeals, incidents, rulings
from ledger.errors import Conflict
from tests.adjudication.build import (
    REFEREE,
    SYSTEM,
    committee,
    enter,
    event_in_play,
    incident_at,
    ruled_revoke,
    sheet_at,
    sign,
    stating,
)
from tests.markup import markup
from tests.tournament.build import make_user
from tests.tournament.desk import agree
from tournament.models import Event, Round
from tournament.services import rounds
from tournament.services.standings import set_state
from tournament.tables.links import table_token
from tournament.tables.score_sheet import ScoreSheet

pytestmark = pytest.mark.django_db
FACTS = {"offender": "N", "trick": 3, "noticed": "after_deal"}
REVOKE = {"f-offender": "N", "f-noticed": "after_deal", "f-claimed": "in_time"}
INSULT = {"article": "T-UNSP", "f-offender": "N", "f-measure": "disqualified"}


@pytest.fixture(scope="module")
def built(module_database: None) -> tuple[Event, Round]:
    """Create three games at each table; the first of table 1 is signed, the second has two deals."""
    event, round_ = event_in_play(deals=2)
    sign(enter(sheet_at(round_), 40, 36))
    enter(sheet_at(round_, game=2), 40)
    return event, round_


@pytest.fixture
def hall(built: tuple[Event, Round]) -> tuple[Event, Round]:
    numbered.cache_clear()  # of a code that an earlier test gave this event
    return copy.deepcopy(built)


def signed_in(event: Event, role: str, name: str = "") -> Client:
    client = Client(headers={"accept-language": "en"})
    client.force_login(make_user(name or role, event, role))
    return client


def hidden(page: str) -> dict[str, str]:
    """Return the hidden fields of the form that issues the ruling."""
    form = page[page.index('id="issue"') :].partition("</form>")[0]
    return dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form))


def decide(client: Client, address: str, reason: str, **stated: str) -> Any:
    """Preview the ruling for these facts, then press the button below it."""
    looked = client.get(address, {**stated, "preview": "1"}).content.decode()
    return client.post(address, {**hidden(looked), "reason": reason}, follow=True)


def selected(page: str) -> str:
    """Return the game selected in the form that asks for the deal."""
    games = page[page.index('id="id_place_game"') :].partition("</select>")[0]
    return (
        re.sub(r"\s+", " ", games).partition(" selected>")[0].rpartition('value="')[2].strip('" ')
    )


@pytest.mark.guide("referee#take-a-call")
@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ({}, (2, 2)),
        ({"deal": "1"}, (2, 1)),
        ({"game": "2"}, (2, 2)),
        ({"game": "1"}, (1, None)),
        ({"game": "1", "deal": "2"}, (1, 2)),
    ],
)
def test_what_is_not_said_of_the_place_is_taken_from_what_the_table_plays(
    hall: tuple[Event, Round], typed: dict[str, str], expected: tuple[int, int | None]
) -> None:
    open_at(hall[0], "page", **typed)
    assert place() == expected


def open_at(event: Event, by: str, **typed: str) -> str:
    """Open an incident at the first table as a referee, by page or by API. Return the answer."""
    client = signed_in(event, "referee", f"referee-{len(typed)}")
    if by == "page":
        form = {"fault": "revoke", "table": "1", **typed}
        return client.post(reverse("referee-new", args=[event.slug]), form).content.decode()
    body = {"table": 1, "told": "revoke", **{name: int(n) for name, n in typed.items()}}
    address = reverse("api-event-incidents", args=[event.slug])
    return client.post(address, body, content_type="application/json").content.decode()


def place() -> tuple[int, int | None]:
    """Return the game and the deal of the only incident."""
    incident = Incident.objects.get()
    assert incident.sheet is not None
    return incident.sheet.order, incident.deal


def test_a_program_that_names_no_game_means_the_one_in_play(hall: tuple[Event, Round]) -> None:
    open_at(hall[0], "program", deal="2")
    assert place() == (2, 2)


@pytest.mark.parametrize("by", ["page", "program"])
def test_a_game_played_to_its_end_is_not_in_play_though_nobody_has_signed_it(by: str) -> None:
    event, round_ = event_in_play(deals=2)
    enter(sheet_at(round_), 40, 36)
    enter(sheet_at(round_, game=2), 40)
    open_at(event, by, deal="1")
    assert place() == (2, 1)


@pytest.mark.guide("referee#take-a-call")
@pytest.mark.parametrize("by", ["page", "program"])
def test_where_all_games_are_over_the_referee_is_asked_for_the_game(by: str) -> None:
    event, round_ = event_in_play(deals=1)
    for game in (1, 2, 3):
        sign(enter(sheet_at(round_, game=game), 40))
    assert "enter the game that it is about" in open_at(event, by)
    assert not Incident.objects.exists()
    open_at(event, by, game="2")
    assert place() == (2, None)


@pytest.mark.guide("referee#take-a-call")
def test_another_deal_is_asked_for_in_the_game_of_the_incident(hall: tuple[Event, Round]) -> None:
    event, round_ = hall
    incident = incident_at(event, round_, game=2, deal=2)
    client = signed_in(event, "referee")
    address = reverse("referee-incident", args=[event.slug, incident.number])
    assert selected(client.get(address).content.decode()) == "2"


@pytest.mark.guide("referee#the-life-of-a-ruling")
def test_the_reason_of_the_committee_goes_along_to_the_page_where_it_changes(
    hall: tuple[Event, Round],
) -> None:
    event, round_ = hall
    ruling = ruled_revoke(event, round_, claimed="in_time")
    appeal = appeals.lodge(ruling_id=ruling.pk, side="NS", grounds="no", actor=SYSTEM)
    client = signed_in(event, "appeals")
    hear = reverse("referee-hear", args=[event.slug, ruling.number, appeal.pk])
    to = client.post(
        hear, {"outcome": "changed", "decision": "It was West.", "members": committee(event)}
    )["Location"]
    asked = {"article": "000-P1", **REVOKE, "f-offender": "W", "preview": "1"}
    page = client.get(to.partition("#")[0], {"appeal": str(appeal.pk), **asked})
    assert "It was West.</textarea>" in page.content.decode()
    # Without the appeal in the address, its decision is not filled in.
    address = reverse("referee-incident", args=[event.slug, ruling.incident.number])
    assert "It was West." not in client.get(address).content.decode()


@pytest.mark.guide("referee#have-a-second-person-confirm")
def test_a_refused_proposal_stands_with_its_reason_on_the_incident(
    hall: tuple[Event, Round],
) -> None:
    event, round_ = hall
    incident = incident_at(event, round_, deal=None)
    address = reverse("referee-incident", args=[event.slug, incident.number])
    chief = signed_in(event, "chief_referee")
    proposed = decide(chief, address, "Insulted an opponent.", **INSULT).redirect_chain[-1][0]
    signed_in(event, "director").post(f"{proposed}refuse/", {"reason": "A warning is enough."})
    page = markup(chief.get(address))
    dropped = page.partition("Decisions that were not confirmed")[2].partition("</section>")[0]
    assert f'href="{proposed}"' in dropped
    assert "refused: A warning is enough." in dropped
    assert "A warning is enough." in chief.get(proposed).content.decode()
    assert not Ruling.objects.exists()


@pytest.mark.guide("referee#have-a-second-person-confirm")
def test_only_what_a_second_person_confirmed_is_said_to_be_confirmed(
    hall: tuple[Event, Round],
) -> None:
    event, round_ = hall
    incident = incident_at(event, round_, deal=None)
    address = reverse("referee-incident", args=[event.slug, incident.number])
    chief = signed_in(event, "chief_referee")
    proposed = decide(chief, address, "Insulted an opponent.", **INSULT).redirect_chain[-1][0]
    signed_in(event, "director", "boss").post(f"{proposed}confirm/")
    page = reverse("referee-ruling", args=[event.slug, 1])
    assert "Confirmed by a second person: boss." in chief.get(page).content.decode()
    milder = {**INSULT, "f-measure": "warning", "ruling": "1"}
    amended = decide(chief, address, "A warning is enough.", **milder).content.decode()
    assert "amended" in amended
    assert "Confirmed by a second person" not in amended


@pytest.mark.guide("referee#have-a-second-person-confirm")
@pytest.mark.parametrize("article", ["T-UNSP", "T-PEEK", "T-CLAIM", "T-PHONE", "GEN-DISC"])
def test_any_tournament_article_is_left_to_the_chief_on_its_page(
    hall: tuple[Event, Round], article: str
) -> None:
    event, round_ = hall
    chief = signed_in(event, "chief_referee")
    code = reverse("referee-code", args=[event.slug])
    editor = reverse("referee-code-article", args=[event.slug, article])
    assert f'href="{editor}"' in chief.get(code).content.decode()
    form = chief.get(editor).context["form"]
    posted = {name: form[name].value() or "" for name in form.fields}
    answer = chief.post(editor, {**posted, "rulers": "chief", "reason": "the committee"})
    assert answer.status_code == 302
    shown = markup(chief.get(reverse("referee-article", args=[event.slug, article])))
    assert "the chief referee or the director" in shown.partition("Who may rule")[2]
    assert chief.get(editor).context["form"]["rulers"].value() == "chief"
    incident = incident_at(event, round_)
    asked = {"article": article, "f-offender": "N", "f-measure": "warning", "preview": "1"}
    address = reverse("referee-incident", args=[event.slug, incident.number])
    if article in ("T-UNSP", "T-PHONE", "GEN-DISC"):
        page = signed_in(event, "referee").get(address, asked).content.decode()
        assert "In this event only the chief referee or the director can rule" in page
        assert 'id="issue"' not in page


@pytest.mark.guide("referee#the-life-of-a-ruling")
def test_a_final_ruling_that_was_annulled_is_not_called_final(hall: tuple[Event, Round]) -> None:
    event, round_ = hall
    made = ruled_revoke(event, round_, claimed="in_time")
    chief = signed_in(event, "chief_referee")
    address = reverse("referee-ruling", args=[event.slug, 1])
    chief.post(reverse("desk-do", args=[event.slug, "rulings_finalise", made.pk]))
    assert "Final since" in chief.get(address).content.decode()
    chief.post(f"{address}annul/", {"reason": "New evidence."})
    page = chief.get(address).content.decode()
    assert "annulled" in page
    assert "New evidence." in page
    assert "Final since" not in page


@pytest.mark.guide("referee#the-life-of-a-ruling", "referee#the-same-by-program")
def test_at_the_deadline_it_is_final_whether_or_not_a_worker_has_noted_it(
    hall: tuple[Event, Round], monkeypatch: pytest.MonkeyPatch
) -> None:
    event, round_ = hall
    ruling = ruled_revoke(event, round_, claimed="in_time")
    address = reverse("referee-ruling", args=[event.slug, 1])
    referee, chief = signed_in(event, "referee"), signed_in(event, "chief_referee")
    assert "Annul the ruling" in referee.get(address).content.decode()
    deadline = ruling.appeal_until
    monkeypatch.setattr(timezone, "now", lambda: deadline)
    page = referee.get(address).content.decode()
    assert "Final since" in page
    assert "an appeal can be lodged until" not in page
    assert "Annul the ruling" not in page
    assert "Amend" not in page
    answer = referee.post(f"{address}annul/", {"reason": "no"})
    assert "This ruling is final" in answer.content.decode()
    with pytest.raises(Conflict) as refused:
        stating(
            rulings.amend,
            ruling_id=ruling.pk,
            article="000-P1",
            facts=FACTS,
            actor=REFEREE,
            reason="no",
        )
    assert refused.value.code == "ruling_final"
    chief.post(f"{address}annul/", {"reason": "New evidence."})
    assert "New evidence." in chief.get(address).content.decode()


@pytest.mark.guide("referee#after-the-ruling")
def test_who_corrects_a_score_that_is_over_is_who_reopens_its_sheet(
    hall: tuple[Event, Round],
) -> None:
    event, round_ = hall
    sheet = sheet_at(round_)
    page = reverse("staff-sheet", args=[sheet.pk])
    again = {"verb": "reopen", "reason": "a deal is missing"}
    referee, director = signed_in(event, "referee"), signed_in(event, "director")
    assert "Reopen the sheet" in referee.get(page).content.decode()
    for order in (1, 2, 3):
        for table in (1, 2):
            one = sheet_at(round_, table, order)
            if not one.finished:
                enter(one, *[40] * (2 - len(ScoreSheet(one).current())))
            if one.state != "official":
                sign(one)
    rounds.close_round(round_id=round_.pk, actor=SYSTEM)
    for who, allowed in ((referee, False), (director, True)):
        assert ("Reopen the sheet" in who.get(page).content.decode()) == allowed
    refused = referee.post(page, again)
    assert (refused.status_code, "the director corrects" in refused.content.decode()) == (403, True)
    set_state(stage_id=round_.stage_id, state="final", actor=SYSTEM)
    assert "Reopen the sheet" not in director.get(page).content.decode()
    refused = director.post(page, again)
    assert "The standings are final: the score stands." in refused.content.decode()
    assert sheet_at(round_).state == "official"
    set_state(stage_id=round_.stage_id, state="provisional", actor=SYSTEM)
    agree(director, page, again)
    assert sheet_at(round_).state == "open"


@pytest.mark.guide("referee#the-penal-code-of-an-event")
def test_an_article_in_use_that_cannot_be_removed_keeps_its_form(
    hall: tuple[Event, Round],
) -> None:
    event, round_ = hall
    chief = signed_in(event, "chief_referee")
    written = {
        "id": "H-9",
        "title_nl": "Roken",
        "text_nl": "Er wordt niet gerookt.",
        "who": "player",
        "measure": "ladder",
        "step_1": "warning",
        "share": "1",
        "scope": "event",
        "deal": "stands",
        "rulers": "referee",
        "decided": "bestuur",
        "reason": "de zaal",
    }
    assert chief.post(reverse("referee-code-article", args=[event.slug]), written)["Location"]
    stating(
        rulings.issue,
        incident_id=incident_at(event, round_, deal=None).pk,
        article="H-9",
        facts={"offender": "N"},
        actor=REFEREE,
    )
    editor = reverse("referee-code-article", args=[event.slug, "H-9"])
    answer = chief.post(editor, {"verb": "drop", "reason": "no more"})
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "Rulings were made under H-9: these articles cannot be removed." in page
    assert 'value="Roken"' in page
    assert "This field is required" not in page


@pytest.mark.guide("referee#close-an-incident-without-a-ruling", "scorekeeper#the-referee")
def test_the_table_reads_when_a_referee_is_on_the_way_and_when_the_matter_is_closed(
    hall: tuple[Event, Round],
) -> None:
    event, round_ = hall
    table = Client(headers={"accept-language": "en"})
    page = reverse("table", args=[table_token(sheet_at(round_).table)])
    table.post(page, {"verb": "referee", "reason": "play", "words": "trick 5"})
    assert "The referee has been called." in table.get(page).content.decode()
    first, second = signed_in(event, "referee", "ann"), signed_in(event, "referee", "bea")
    desk = reverse("referee-desk", args=[event.slug])
    (take,) = re.findall(r'action="([^"]+/take/)"', second.get(desk).content.decode())
    (incident, _status), *_rest = first.post(take, follow=True).redirect_chain
    assert " is coming." in table.get(page).content.decode()
    late = second.post(take, follow=True).content.decode()
    assert "Another referee is already on the way to this table." in late
    assert take not in late
    assert "ann is dealing with it" in late
    first.post(f"{incident}withdraw/", {"reason": "another table"})
    assert "The referee has been called." in table.get(page).content.decode()
    assert take in second.get(desk).content.decode()
    (incident, _status), *_rest = second.post(take, follow=True).redirect_chain
    second.post(f"{incident}dismiss/", {"reason": "settled by talk"})
    closed = table.get(page).content.decode()
    assert "The referee has been called." not in closed
    assert "Call now" in closed


@pytest.mark.guide(
    "referee#close-an-incident-without-a-ruling", "referee#papers-and-damaged-rulings"
)
def test_every_ruling_and_incident_is_reached_from_the_desk(hall: tuple[Event, Round]) -> None:
    event, round_ = hall
    for number in range(1, 24):
        incident = incident_at(event, round_, deal=None)
        if number > 8:
            incidents.dismiss(incident_id=incident.pk, actor=REFEREE, reason=f"noise {number}")
        else:
            stating(
                rulings.issue, incident_id=incident.pk, article="T-SPEC", facts={}, actor=REFEREE
            )
    client = signed_in(event, "referee")
    desk = client.get(reverse("referee-desk", args=[event.slug])).content.decode()
    first = reverse("referee-ruling", args=[event.slug, 1])
    report = reverse("referee-report", args=[event.slug])
    assert f'href="{first}"' not in desk
    assert f'href="{report}#rulings"' in desk
    page = client.get(report).content.decode()
    for number in range(1, 24):
        name = "referee-incident" if number > 8 else "referee-ruling"
        assert f'href="{reverse(name, args=[event.slug, number])}"' in page
    assert "noise 9" in page
