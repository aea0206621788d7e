"""The general articles at a table of the world championship's game (rules C.8), by HTTP."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from adjudication.models import PenalCode, Ruling
from adjudication.penal import CURRENT, code_for
from adjudication.penal.search import search
from adjudication.queries.codes import code_of, numbered
from adjudication.queries.desk import warned
from adjudication.services import codes, rulings
from ledger.change import change
from ledger.errors import Refused
from tests.adjudication.build import (
    REFEREE,
    SYSTEM,
    enter,
    event_in_play,
    incident_at,
    points_entry,
    rounds_only,
    sheet_at,
    stating,
)
from tests.tournament.build import make_event, make_user
from tournament.models import Event, Round
from tournament.models.tables import Sheet
from tournament.services import sheets

pytestmark = pytest.mark.django_db
TURN = {"offender": "E", "right_player_played": False, "opponents_choice": "retract"}


@pytest.fixture(scope="module")
def built(module_database: None) -> tuple[Event, Round, Sheet]:
    """Create a Belgian championship of four deals a game, with the first two deals entered."""
    event, round_ = event_in_play("belgian", deals=4)
    return event, round_, enter(sheet_at(round_), 40, 36)


@pytest.fixture
def hall(built: tuple[Event, Round, Sheet]) -> tuple[Event, Round, Sheet]:
    numbered.cache_clear()  # of a code that an earlier test gave this event
    return copy.deepcopy(built)


def marks(sheet: Sheet, number: int) -> dict[str, int]:
    """Return the current marks of a deal of the sheet."""
    found: dict[str, int] = sheet.deals.get(series="official", number=number, current=True).marks
    return found


def rule(
    client: Client, event: Event, round_: Round, *, deal: int, game: int = 1, **body: Any
) -> Any:
    """Rule through the API as the signed-in account."""
    incident = incident_at(event, round_, game=game, deal=deal)
    return client.post(
        reverse("api-incident-rule", args=[event.slug, incident.number]),
        body,
        content_type="application/json",
    )


@pytest.mark.guide("referee#choose-the-article")
def test_a_card_out_of_turn_is_put_right_first_and_costs_thirty_again(
    client: Client, hall: tuple[Event, Round, Sheet]
) -> None:
    """C.8: "card back in the hand … | P"; a repetition is by the same side in the same match."""
    event, round_, sheet = hall
    client.force_login(make_user("ref", event, "referee"))
    first = rule(client, event, round_, deal=1, article="GEN-TURN", facts=TURN)
    assert (first.status_code, first.json()["measure"]) == (201, "put_right")
    assert marks(sheet, 1) == {"NS": 10, "EW": 0}
    # The partner of the player warned before belongs to the same side.
    again = rule(
        client,
        event,
        round_,
        deal=2,
        article="GEN-TURN",
        facts={"offender": "W", "right_player_played": True},
    )
    assert again.json()["measure"] == "penalty"
    assert marks(sheet, 2) == {"NS": 30, "EW": 0}
    other = rule(client, event, round_, deal=2, article="GEN-SHOW", facts={"offender": "N"})
    assert other.json()["measure"] == "put_right"


def test_a_partner_who_follows_at_once_launders_no_card_out_of_turn(
    client: Client, hall: tuple[Event, Round, Sheet]
) -> None:
    """C.8: a card that stands counts as a first offence; an accepted card does not."""
    event, round_, sheet = hall
    client.force_login(make_user("ref", event, "referee"))
    stands = {"right_player_played": True}
    first = rule(
        client, event, round_, deal=1, article="GEN-TURN", facts={"offender": "E", **stands}
    )
    assert first.json()["measure"] == "put_right"
    assert marks(sheet, 1) == {"NS": 10, "EW": 0}
    again = rule(
        client, event, round_, deal=2, article="GEN-TURN", facts={"offender": "W", **stands}
    )
    assert again.json()["measure"] == "penalty"
    accepted = {"right_player_played": False, "opponents_choice": "accept"}
    let = rule(
        client, event, round_, deal=1, article="GEN-TURN", facts={"offender": "N", **accepted}
    )
    assert let.json()["measure"] == "none"
    own = rule(client, event, round_, deal=2, article="GEN-TURN", facts={"offender": "S", **stands})
    assert own.json()["measure"] == "put_right"


def test_partners_who_change_are_another_side(
    client: Client, hall: tuple[Event, Round, Sheet]
) -> None:
    """In the second game the partners change, so only the same person repeats."""
    event, round_, _sheet = hall
    client.force_login(make_user("ref", event, "referee"))
    first = rule(client, event, round_, deal=1, article="GEN-SHOW", facts={"offender": "E"})
    seats = Ruling.objects.get(number=first.json()["number"]).incident.seats
    second = enter(sheet_at(round_, game=2), 40)
    now = second.seats
    assert {now["E"], now["W"]} != {seats["E"], seats["W"]}
    same = next(seat for seat, entrant in now.items() if int(entrant) == int(seats["E"]))
    partner = next(seat for seat, entrant in now.items() if int(entrant) == int(seats["W"]))
    assert partner not in ("EW" if same in "EW" else "NS")
    found = rule(
        client, event, round_, deal=1, game=2, article="GEN-SHOW", facts={"offender": partner}
    )
    assert found.json()["measure"] == "put_right"
    found = rule(
        client, event, round_, deal=1, game=2, article="GEN-SHOW", facts={"offender": same}
    )
    assert found.json()["measure"] == "penalty"


def test_a_wrong_number_of_cards(client: Client, hall: tuple[Event, Round, Sheet]) -> None:
    """C.8: "before the ill-served player has played: redeal … After they played: P … deal void"."""
    event, round_, sheet = hall
    client.force_login(make_user("ref", event, "referee"))
    facts = {"ill_served": "E", "ill_served_played": False}
    asked = rule(client, event, round_, deal=1, article="GEN-COUNT", facts=facts)
    assert asked.json()["code"] == "against_record", "the sheet has its full result"
    held = {"facts": facts, "against_record": ["result"]}
    made = rule(client, event, round_, deal=1, article="GEN-COUNT", **held)
    assert made.json()["side"] == ""
    assert marks(sheet, 1) == {"NS": 0, "EW": 0}
    assert made.json()["versions"][0]["proposal"]["deal"]["next_dealer"] == "same"
    rule(
        client,
        event,
        round_,
        deal=2,
        article="GEN-COUNT",
        facts={**facts, "ill_served_played": True},
    )
    assert marks(sheet, 2) == {"NS": 30, "EW": 0}


def test_discretion_wants_its_reason(client: Client, hall: tuple[Event, Round, Sheet]) -> None:
    """C.8: "at the referee's discretion, reason compulsory"; the points are added to the deal."""
    event, round_, sheet = hall
    client.force_login(make_user("ref", event, "referee"))
    body = {
        "article": "GEN-DISC",
        "facts": {"offender": "E", "measure": "penalty", "points": 12},
    }
    assert rule(client, event, round_, deal=1, **body).json()["code"] == "reason_missing"
    made = rule(client, event, round_, deal=1, reason="the score sheet was torn up", **body)
    assert made.status_code == 201
    assert marks(sheet, 1) == {"NS": 22, "EW": 0}


def test_a_redeal_at_discretion_needs_its_deal(
    client: Client, hall: tuple[Event, Round, Sheet]
) -> None:
    event, round_, _sheet = hall
    incident = incident_at(event, round_, deal=None)
    with pytest.raises(Refused) as refused:
        stating(
            rulings.issue,
            incident_id=incident.pk,
            article="GEN-DISC",
            facts={"measure": "redeal"},
            actor=REFEREE,
            reason="the lights went out",
        )
    assert refused.value.code == "deal_missing"


class TestAnEventOpenedEarlier:
    """An event keeps its pinned edition until the chief referee adopts the new one."""

    @pytest.fixture
    def earlier(self, hall: tuple[Event, Round, Sheet]) -> tuple[Event, Round, Sheet]:
        """Restore the state of release 0.2.0: edition 2026.1 and a ruling on two cards under 001-R5."""
        event, round_, sheet = hall
        row = codes.pinned(event)
        row.edition = "2026.1"
        row.fingerprint = code_for("belgian", "2026.1").fingerprint
        with change():
            row.save()
        stating(
            rulings.issue,
            incident_id=incident_at(event, round_).pk,
            article="001-R5",
            actor=REFEREE,
            facts={"offender": "N", "opponents_choice": "lower"},
        )
        return event, round_, sheet

    @pytest.mark.guide("referee#the-penal-code-of-an-event")
    def test_it_keeps_its_articles(self, earlier: tuple[Event, Round, Sheet]) -> None:
        event, round_, _sheet = earlier
        assert not [a.id for a in code_of(event).articles if a.id.startswith("GEN-")]
        with pytest.raises(Refused) as refused:
            stating(
                rulings.issue,
                incident_id=incident_at(event, round_).pk,
                article="GEN-TURN",
                facts=TURN,
                actor=REFEREE,
            )
        assert refused.value.code == "unknown_article"

    @pytest.mark.guide("referee#the-penal-code-of-an-event")
    def test_the_page_takes_over_the_new_edition(
        self, client: Client, earlier: tuple[Event, Round, Sheet]
    ) -> None:
        event, round_, _sheet = earlier
        client.force_login(make_user("chief", event, "chief_referee"))
        address = reverse("referee-code", args=[event.slug])
        assert CURRENT in client.get(address).content.decode()
        client.post(address, {"verb": "edition", "reason": "a card out of turn"})
        row = codes.pinned(event)
        assert (row.number, row.edition) == (2, CURRENT)
        assert row.fingerprint == code_of(event).fingerprint
        assert {"GEN-TURN", "001-R5"} <= {a.id for a in code_of(event).articles}
        assert 'value="edition"' not in client.get(address).content.decode()
        # The ruling made under number 1 still has its text.
        page = client.get(reverse("referee-ruling", args=[event.slug, 1]))
        assert (
            code_for("belgian", "2026.1").article("001-R5").title.render("en")
            in page.content.decode()
        )
        made = stating(
            rulings.issue,
            incident_id=incident_at(event, round_).pk,
            article="GEN-TURN",
            facts=TURN,
            actor=REFEREE,
        )
        assert made.versions.get().context["edition"] == CURRENT

    def test_a_referee_may_not(self, client: Client, earlier: tuple[Event, Round, Sheet]) -> None:
        event, _part, _sheet = earlier
        client.force_login(make_user("ref", event, "referee"))
        address = reverse("referee-code", args=[event.slug])
        assert client.post(address, {"verb": "edition", "reason": "x"}).status_code == 403
        assert PenalCode.objects.get(event=event).edition == "2026.1"

    def test_an_unknown_edition_is_refused(self, earlier: tuple[Event, Round, Sheet]) -> None:
        with pytest.raises(Refused) as refused:
            codes.change_code(
                event_id=earlier[0].pk, actor=SYSTEM, reason="why not", edition="1896"
            )
        assert refused.value.code == "unknown_edition"


@pytest.mark.parametrize(
    ("rulebook", "options", "article", "says"),
    [
        ("boussac", {}, "001-R10", "pénalité\u00a0: 34 points"),  # "loses 34 points"
        ("muette", {}, "004-V1", "pénalité\u00a0: 30 points"),  # "(30 points)"
        ("muette", {"penalty_value": 60}, "004-V1", "pénalité\u00a0: 60 points"),
        ("auction-2", {}, "BE-P1", "moitié de la donne"),
    ],
)
def test_an_article_says_its_amount_at_the_event(
    client: Client, rulebook: str, options: dict[str, Any], article: str, says: str
) -> None:
    event = make_event(0, rulebook=rulebook, options=options, plan=rounds_only(4))
    client.force_login(make_user("ref", event, "referee"))
    page = client.get(
        reverse("referee-article", args=[event.slug, article]), headers={"accept-language": "fr"}
    )
    assert says in page.content.decode()


def test_the_words_of_the_table_find_the_article_on_the_incident(
    client: Client, hall: tuple[Event, Round, Sheet]
) -> None:
    event, round_, _sheet = hall
    client.force_login(make_user("ref", event, "referee"))
    address = reverse("referee-incident", args=[event.slug, incident_at(event, round_).number])
    for words, article in (("hors tour", "GEN-TURN"), ("te veel kaarten", "GEN-COUNT")):
        page = client.get(address, {"q": words}, headers={"accept-language": "nl"})
        assert article in page.content.decode()


@pytest.mark.parametrize(
    ("words", "article"),
    [
        ("valsspelen", "T-INT"),
        ("ondergekocht", "BE-P5"),
        ("niet bijgekocht", "BE-P3"),
        ("réclamation fausse", "GEN-CLAIM"),
        ("main étalée", "GEN-CLAIM"),
        ("photo", "T-PHONE"),
        ("smaad", "T-UNSP"),
        ("laster", "T-UNSP"),
        ("eerroof", "T-UNSP"),
        ("diffamation", "T-UNSP"),
        ("calomnie", "T-UNSP"),
        ("nulle", "T-MISD"),
        ("annonce nulle", "GEN-CALL"),
    ],
)
def test_what_people_say_finds_the_article(words: str, article: str) -> None:
    code = code_for("belgian")
    for language in ("fr", "nl", "en"):
        assert article in [each.id for each in search(code, words, language)]


@pytest.mark.parametrize(
    ("language", "sentence", "article"),
    [
        ("fr", "mon adversaire a coupé alors qu’il avait du cœur", "BE-P1"),
        ("nl", "hij heeft niet gevolgd en had nog harten", "BE-P1"),
        ("fr", "le joueur est arrivé vingt minutes en retard", "T-LATE"),
        ("nl", "zij legt haar hand open en zegt dat de rest voor haar is", "GEN-CLAIM"),
        ("nl", "de tegenstander heeft een foto gemaakt van zijn kaarten", "T-PHONE"),
    ],
)
def test_a_whole_sentence_finds_the_article_first(
    language: str, sentence: str, article: str
) -> None:
    assert search(code_for("belgian"), sentence, language)[0].id == article


def test_a_turn_up_taken_too_soon_is_found() -> None:
    assert "GEN-UP" in [each.id for each in search(code_for("parlee"), "retourne relevée trop tôt")]


def test_the_desk_counts_what_cost_something(hall: tuple[Event, Round, Sheet]) -> None:
    """A first misdeal is dealt again at no cost; the deliberate third one costs the penalty."""
    event, round_, sheet = hall
    dealer = sheet.first_dealer
    for deliberate in (False, True):
        stating(
            rulings.issue,
            incident_id=incident_at(event, round_).pk,
            article="T-MISD",
            facts={"dealer": dealer, "deliberate": deliberate},
            actor=REFEREE,
            reason="seen",
            against_record=["result", "dealer", "again"],
        )
    (counted,) = warned(event)
    assert (counted.warnings, counted.penalties) == (0, 1)


def test_a_knock_that_was_null_brings_no_factor(
    client: Client, hall: tuple[Event, Round, Sheet]
) -> None:
    """C.8: "call null, its factor taken out | let it stand": 40 of 60 knocked is 20, else 10."""
    event, round_, sheet = hall
    entry = points_entry(sheet, 40)
    entry["contract"]["doubling"] = 1
    sheets.enter_deal(sheet_id=sheet.pk, entry=entry, actor=SYSTEM)
    assert marks(sheet, 3) == {"NS": 20, "EW": 0}
    client.force_login(make_user("ref", event, "referee"))
    facts = {"offender": "E", "what": "too_late", "opponents_choice": "stand"}
    rule(client, event, round_, deal=3, article="GEN-CALL", facts=facts)
    assert marks(sheet, 3) == {"NS": 20, "EW": 0}
    facts["opponents_choice"] = "void"
    made = rule(client, event, round_, deal=3, article="GEN-CALL", facts=facts)
    assert made.json()["measure"] == "call_void"
    assert marks(sheet, 3) == {"NS": 10, "EW": 0}


def test_discretion_is_not_cancelled_by_the_other_sides_fault(
    client: Client, hall: tuple[Event, Round, Sheet]
) -> None:
    """Q-GEN-9: a conduct penalty is added to the 30 points for the other side's revoke."""
    event, round_, sheet = hall
    client.force_login(make_user("ref", event, "referee"))
    facts: dict[str, Any] = {"offender": "E", "measure": "penalty", "points": 12}
    rule(client, event, round_, deal=1, article="GEN-DISC", reason="tore a card", facts=facts)
    facts = {"offender": "N", "noticed": "after_deal"}
    made = rule(client, event, round_, deal=1, article="BE-P1", reason="seen", facts=facts)
    assert made.status_code == 201
    assert marks(sheet, 1) == {"NS": 12, "EW": 30}


@pytest.mark.parametrize(
    ("rulebook", "language", "sentence", "article"),
    [
        ("parlee", "fr", "un spectateur a soufflé", "T-SPEC"),
        ("muette", "fr", "le joueur est ivre", "T-UNSP"),
        ("coinchee", "nl", "hij is dronken", "T-UNSP"),
        ("boussac", "fr", "ils jouent trop lentement", "T-SLOW"),
        ("belgian", "nl", "de score klopt niet", "GEN-SCORE"),
        ("parlee", "fr", "la fiche est fausse", "GEN-SCORE"),
        ("chaloupee", "fr", "il a treize cartes", "GEN-COUNT"),
        ("muette", "nl", "hij is naar huis gegaan", "T-ABS"),
        ("belgian", "nl", "te laat geklopt", "GEN-CALL"),
        ("parlee", "nl", "keerkaart te vroeg opgenomen", "GEN-UP"),
    ],
)
def test_sentences_of_the_table_find_their_article(
    rulebook: str, language: str, sentence: str, article: str
) -> None:
    assert article in [each.id for each in search(code_for(rulebook), sentence, language)][:3]
