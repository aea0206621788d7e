"""Every effect of a ruling on a score sheet: between pairs, at a table of three, in the auctions.

The expected marks are those of the rules specification: C (penalty, fate of the deal), B.3 (the
auctions pay as if the contract had failed), Q-GEN-4, Q-GEN-5 and Q-GEN-9. Annulling gives back the
entry and the marks that the table had written, whatever the effect was.
"""

from __future__ import annotations

import copy
from typing import Any, ClassVar

import pytest

from adjudication.models import PenalCode, Ruling
from adjudication.queries.impact import impact_of
from adjudication.queries.shown import show
from adjudication.services import codes, rulings
from adjudication.services.codes import change_code, fact_field
from ledger.change import change
from ledger.errors import Refused
from tests.adjudication.build import (
    REFEREE,
    SECOND,
    SYSTEM,
    as_chiefs,
    enter,
    event_in_play,
    incident_at,
    points_entry,
    rounds_only,
    sheet_at,
    sign,
    stating,
)
from tournament.models import Adjustment, Event, Round
from tournament.models.tables import Sheet
from tournament.queries.results import gather
from tournament.queries.standings import compute, rows_json
from tournament.services import sheets, signatures
from tournament.tables.score_sheet import ScoreSheet

pytestmark = pytest.mark.django_db

STAKES = [30, 20, 10, 5, 3, 2]


def rule(event: Event, round_: Round, article: str, facts: dict[str, Any], **more: Any) -> Ruling:
    """Rule as the referee on the first deal (or ``deal``) of table 1."""
    incident = incident_at(event, round_, deal=more.pop("deal", 1))
    as_chiefs(event, REFEREE, SECOND)
    return stating(
        rulings.issue,
        incident_id=incident.pk,
        article=article,
        facts=facts,
        actor=REFEREE,
        claimed="in_time",
        reason="as seen",
        second=SECOND,
        **more,
    )


def rule_by(edition: str, event: Event) -> None:
    """Pin an earlier edition of the penal code, as an event has it that began by it."""
    with change():
        PenalCode.objects.filter(pk=codes.pinned(event).pk).update(edition=edition)


def marks(sheet: Sheet, number: int = 1) -> dict[str, int]:
    """Return the marks that each side writes for the deal."""
    found: dict[str, int] = sheet.deals.get(series="official", number=number, current=True).marks
    return found


def next_dealer(sheet: Sheet) -> str:
    """Return the dealer after the last deal of the sheet."""
    return ScoreSheet(sheet).next_dealer()


def written(rulebook: str, entry: dict[str, Any], **more: Any) -> tuple[Event, Round, Sheet]:
    """Create a sheet of ``rulebook`` with its first deal, dealt by ``first_dealer``."""
    event, round_ = event_in_play(rulebook, deals=6, **more)
    sheet = sheet_at(round_)
    sheets.enter_deal(
        sheet_id=sheet.pk, entry={"dealer": sheet.first_dealer, **entry}, actor=SYSTEM
    )
    return event, round_, sheet


def gives_back(ruling: Ruling, sheet: Sheet, entry: dict[str, Any], before: dict[str, int]) -> None:
    """Annul the ruling and check that the deal is as the table wrote it."""
    rulings.annul(ruling_id=ruling.pk, actor=REFEREE, reason="mistaken")
    deal = sheet.deals.get(series="official", number=1, current=True)
    assert (deal.entry, deal.marks, deal.infractions) == (entry, before, [])
    standing = Adjustment.objects.filter(source__contains=str(ruling.pk), annulled_at=None)
    assert not standing.exists()


PAIRS = [
    # rulebook, article, facts, marks, same dealer again, counts
    ("boussac", "001-R9a", {"offender": "N", "noticed": "after_deal"}, (0, 34), False, True),
    ("boussac", "001-R1", {"dealer": ""}, (0, 0), True, False),
    ("boussac", "001-R2a", {"dealer": "N", "whose": "own"}, (6, 0), False, True),
    (
        "boussac",
        "001-R2b",
        {"dealer": "N", "whose": "opponents", "opponents_choice": "redeal"},
        (0, 0),
        True,
        False,
    ),
    (
        "boussac",
        "001-R2b",
        {"dealer": "N", "whose": "opponents", "opponents_choice": "stand"},
        (6, 0),
        False,
        True,
    ),
    ("muette", "004-V1", {"offender": "E", "noticed": "after_deal"}, (30, 0), False, True),
    ("belgian", "BE-P1", {"offender": "N", "noticed": "after_deal"}, (0, 30), False, True),
    ("chaloupee", "002-A3", {"dealer": ""}, (0, 0), True, False),
    ("coinchee", "003-P3", {"offender": "S", "noticed": "after_deal"}, (0, 34), False, True),
]


@pytest.mark.parametrize(
    ("rulebook", "article", "facts", "expected", "again", "counted"),
    PAIRS,
    ids=[f"{case[1]}-{case[2].get('opponents_choice', '')}" for case in PAIRS],
)
def test_between_pairs(
    rulebook: str,
    article: str,
    facts: dict[str, Any],
    expected: tuple[int, int],
    again: bool,
    counted: bool,
) -> None:
    event, round_ = event_in_play(
        rulebook, deals=6, **({"options": {"direction": "CCW"}} if rulebook == "chaloupee" else {})
    )
    sheet = sheet_at(round_)
    total = 60 if rulebook in ("muette", "belgian") else 68
    entry = points_entry(sheet, total // 2 + 6, dealer=sheet.first_dealer)
    if rulebook == "chaloupee":
        entry["contract"]["level"] = 34
    if "dealer" in facts:
        facts = {**facts, "dealer": sheet.first_dealer}
    sheets.enter_deal(sheet_id=sheet.pk, entry=entry, actor=SYSTEM)
    before, following = marks(sheet), next_dealer(sheet)
    seen = ["result"] if article == "001-R1" else []
    ruling = rule(event, round_, article, facts, against_record=seen)
    assert marks(sheet) == dict(zip(("NS", "EW"), expected, strict=True))
    assert next_dealer(sheet) == (sheet.first_dealer if again else following)
    sheet.refresh_from_db()
    assert sheet.score["deals"] == int(counted)
    gives_back(ruling, sheet, entry, before)
    assert next_dealer(sheet) == following


class TestWhoDealsNext:
    """The ruling decides the next dealer, also under articles that the engine does not know."""

    @pytest.fixture(scope="class")
    @classmethod
    def built(cls, module_database: None) -> tuple[Event, Round, Sheet]:
        event, round_ = event_in_play(deals=6)
        article = {
            "id": "H-1",
            "kind": "dealing",
            "who": "player",
            "charge": "none",
            "deal": "redealt",
            "title": {"en": "Light out", "fr": "Panne", "nl": "Licht uit"},
            "text": {"en": "Dealt again.", "fr": "On redonne.", "nl": "Hergeven."},
            "established": {"en": "at once", "fr": "aussitôt", "nl": "meteen"},
            "citation": {"source": "Club meeting", "rule": "1", "quote": ""},
            "facts": [fact_field("offender")],
        }
        text = {"en": "The deal passes.", "fr": "La donne passe.", "nl": "De gift gaat door."}
        passes = {**article, "id": "H-2", "deal": "passes", "text": text}
        change_code(
            event_id=event.pk, actor=SYSTEM, reason="hall", content={"articles": [article, passes]}
        )
        return event, round_, enter(sheet_at(round_), 40)

    @pytest.fixture
    def house(self, built: tuple[Event, Round, Sheet]) -> tuple[Event, Round, Sheet]:
        return copy.deepcopy(built)

    def test_the_same_dealer_deals_again(self, house: tuple[Event, Round, Sheet]) -> None:
        event, round_, sheet = house
        entry = ScoreSheet(sheet).current()[0].entry
        ruling = rule(event, round_, "H-1", {"offender": "N"})
        assert ruling.versions.get().proposal["deal"]["next_dealer"] == "same"
        assert (marks(sheet), next_dealer(sheet)) == ({"NS": 0, "EW": 0}, entry["dealer"])
        enter(sheet, 44)
        assert ScoreSheet(sheet).current()[1].entry["dealer"] == entry["dealer"]
        sheet.refresh_from_db()
        assert (sheet.score["deals"], sheet.score["marks"]) == (1, {"NS": 10, "EW": 0})
        gives_back(ruling, sheet, entry, {"NS": 6, "EW": 0})

    def test_the_deal_passes_on(self, house: tuple[Event, Round, Sheet]) -> None:
        event, round_, sheet = house
        entry = ScoreSheet(sheet).current()[0].entry
        following = next_dealer(sheet)
        ruling = rule(event, round_, "H-2", {"offender": "N"})
        assert ruling.versions.get().proposal["deal"]["next_dealer"] == "next"
        assert (marks(sheet), next_dealer(sheet)) == ({"NS": 0, "EW": 0}, following)
        gives_back(ruling, sheet, entry, {"NS": 6, "EW": 0})

    def test_a_misdeal_is_dealt_again_and_the_second_time_passes(self) -> None:
        """C.7 T-MISD: redeal; the second time the deal passes [E20]."""
        event, round_ = event_in_play(deals=6)
        sheet = enter(sheet_at(round_), 40)
        facts = {"dealer": sheet.first_dealer, "deliberate": False}
        rule(event, round_, "T-MISD", facts, against_record=["result"])
        assert next_dealer(sheet) == sheet.first_dealer
        enter(sheet, 40)
        following = next_dealer(sheet)
        second = rule(event, round_, "T-MISD", facts, deal=2, against_record=["result"])
        assert second.measure == "deal_passes"
        assert (marks(sheet, 2), next_dealer(sheet)) == ({"NS": 0, "EW": 0}, following)

    def test_the_dealers_partner_peeked_and_the_deal_passes(self) -> None:
        """C.7 T-PEEK: cards thrown in, the deal passes on [E13]."""
        event, round_ = event_in_play("belgian", deals=6)
        sheet = enter(sheet_at(round_), 40)
        entry, following = ScoreSheet(sheet).current()[0].entry, next_dealer(sheet)
        partner = dict(zip("NSEW", "SNWE", strict=True))[sheet.first_dealer]
        ruling = rule(event, round_, "T-PEEK", {"offender": partner})
        assert (marks(sheet), next_dealer(sheet)) == ({"NS": 0, "EW": 0}, following)
        gives_back(ruling, sheet, entry, {"NS": 10, "EW": 0})

    def test_a_deal_that_was_never_written_is_still_its_dealers(self) -> None:
        event, round_ = event_in_play(deals=6)
        sheet = sheet_at(round_)
        ruling = rule(event, round_, "000-P1", {"offender": "N", "noticed": "after_deal"})
        assert marks(sheet) == {"NS": 0, "EW": 34}
        rulings.annul(ruling_id=ruling.pk, actor=REFEREE, reason="mistaken")
        assert next_dealer(sheet) == sheet.first_dealer


class TestTableOfThree:
    """Three players, the dealer alone (004): 30 to each of the two, or 60 … 30 to the dealer."""

    ENTRY = {"contract": {"declarer": "3", "trump": "H"}}

    @pytest.fixture(scope="class")
    @classmethod
    def built(cls, module_database: None) -> tuple[Event, Round, Sheet]:
        event, round_ = event_in_play("three-player", players=6, deals=6)
        sheet = sheet_at(round_)
        alone = sheet.first_dealer
        others = "".join(seat for seat in "123" if seat != alone)
        entry = {
            "dealer": alone,
            "contract": {"declarer": alone, "trump": "H"},
            "points": {alone: 36, others: 24},
        }
        sheets.enter_deal(sheet_id=sheet.pk, entry=entry, actor=SYSTEM)
        assert marks(sheet) == {**dict.fromkeys("123", 0), alone: 6}
        return event, round_, sheet

    @pytest.fixture
    def three(self, built: tuple[Event, Round, Sheet]) -> tuple[Event, Round, Sheet]:
        return copy.deepcopy(built)

    def test_a_player_has_one_number_in_all_that_is_said(
        self, three: tuple[Event, Round, Sheet]
    ) -> None:
        """The rules' player 3 deals and may sit anywhere; the texts name the seats of the sheet."""
        event, round_, sheet = three
        what = next(f for f in _article(event, "004-T1").facts if f.name == "what")
        said = show(rule(event, round_, "004-T1", {"offender": "3", "what": what.choices[0][0]}))
        others = [seat for seat in "123" if seat != sheet.first_dealer]
        assert f"{' + '.join(others)}: +30" in said.penalty
        assert "The other side scores 30." in said.because

    def test_the_dealers_offence_pays_each_of_the_two(
        self, three: tuple[Event, Round, Sheet]
    ) -> None:
        """004-T1: 30 to each opponent. The dealer is the rules' player 3 (A.8)."""
        event, round_, sheet = three
        entry, before = ScoreSheet(sheet).current()[0].entry, marks(sheet)
        facts = {"offender": "3", "what": "looked"}
        field = next(f for f in _article(event, "004-T1").facts if f.name == "what")
        facts["what"] = field.choices[0][0]
        ruling = rule(event, round_, "004-T1", facts)
        alone = sheet.first_dealer
        assert marks(sheet) == {seat: 0 if seat == alone else 30 for seat in "123"}
        assert ruling.offender_id == sheet.seats[alone]
        gives_back(ruling, sheet, entry, before)

    @pytest.mark.parametrize("number", [2, 3])
    def test_the_offence_of_each_dealer_is_theirs(
        self, three: tuple[Event, Round, Sheet], number: int
    ) -> None:
        """The rules' player 3 is the dealer (A.8), who sits in another seat every deal."""
        event, round_, sheet = three
        while len(ScoreSheet(sheet).current()) < number:
            alone = next_dealer(sheet)
            entry = {"dealer": alone, "contract": {"trump": "H"}, "points": {alone: 36}}
            sheets.enter_deal(sheet_id=sheet.pk, entry=entry, actor=SYSTEM)
        field = next(f for f in _article(event, "004-T1").facts if f.name == "what")
        facts = {"offender": "3", "what": field.choices[0][0]}
        ruling = rule(event, round_, "004-T1", facts, deal=number)
        assert marks(sheet, number) == {seat: 0 if seat == alone else 30 for seat in "123"}
        assert ruling.offender_id == sheet.seats[alone]

    def test_a_revoke_of_one_of_the_two_pays_the_dealer(
        self, three: tuple[Event, Round, Sheet]
    ) -> None:
        event, round_, sheet = three
        entry, before = ScoreSheet(sheet).current()[0].entry, marks(sheet)
        alone = sheet.first_dealer
        ruling = rule(event, round_, "004-V1", {"offender": "1", "noticed": "after_deal"})
        assert marks(sheet) == {seat: 30 if seat == alone else 0 for seat in "123"}
        eldest = "123"[("123".index(alone) + 1) % 3]
        assert ruling.offender_id == sheet.seats[eldest], "player 1 is eldest hand (A.8)"
        gives_back(ruling, sheet, entry, before)

    def test_both_at_fault_is_dealt_again(self, three: tuple[Event, Round, Sheet]) -> None:
        """Q-GEN-9."""
        event, round_, sheet = three
        entry, before = ScoreSheet(sheet).current()[0].entry, marks(sheet)
        first = rule(event, round_, "004-V1", {"offender": "1", "noticed": "after_deal"})
        second = rule(event, round_, "004-V1", {"offender": "3", "noticed": "after_deal"})
        assert marks(sheet) == dict.fromkeys("123", 0)
        assert next_dealer(sheet) == sheet.first_dealer
        rulings.annul(ruling_id=first.pk, actor=REFEREE, reason="not so")
        assert sum(marks(sheet).values()) == 60
        gives_back(second, sheet, entry, before)

    def test_a_misdeal_is_dealt_again(self, three: tuple[Event, Round, Sheet]) -> None:
        """C.7 T-MISD: a redeal [E20]; 004 names no sanction."""
        event, round_, sheet = three
        entry, before = ScoreSheet(sheet).current()[0].entry, marks(sheet)
        ruling = rule(
            event, round_, "T-MISD", {"dealer": "3", "deliberate": False}, against_record=["result"]
        )
        assert marks(sheet) == dict.fromkeys("123", 0)
        assert next_dealer(sheet) == sheet.first_dealer
        gives_back(ruling, sheet, entry, before)

    def test_a_result_that_was_signed_follows(self, three: tuple[Event, Round, Sheet]) -> None:
        event, round_, sheet = three
        for _deal in range(5):
            alone = next_dealer(sheet)
            others = "".join(seat for seat in "123" if seat != alone)
            sheets.enter_deal(
                sheet_id=sheet.pk,
                actor=SYSTEM,
                entry={
                    "dealer": alone,
                    "contract": {"declarer": alone, "trump": "H"},
                    "points": {alone: 40, others: 20},
                },
            )
        for seat in "123":
            sheet.refresh_from_db()
            signatures.sign(sheet_id=sheet.pk, side=seat, version=sheet.version, actor=SYSTEM)
        signed = sheet.results.get(current=True).result
        ruling = rule(event, round_, "004-V1", {"offender": "3", "noticed": "after_deal"})
        ruled = sheet.results.get(current=True).result
        changed = {seat: ruled["marks"][seat] - signed["marks"][seat] for seat in "123"}
        assert changed == {seat: -6 if seat == sheet.first_dealer else 30 for seat in "123"}
        rulings.annul(ruling_id=ruling.pk, actor=REFEREE, reason="not so")
        assert sheet.results.get(current=True).result == signed


def _article(event: Event, name: str) -> Any:
    from adjudication.queries.codes import code_of

    return code_of(event).article(name)


AUCTIONS = [
    # rulebook, options, contract of the declarer (player 2), points, as the table wrote it
    ("auction-1", {"players": 4, "stakes": STAKES}, {"exchanged": 1, "trump": "H"}, 40),
    ("auction-2", {"players": 4}, {"level": 40, "trump": "H"}, 44),
    ("auction-3", {"players": 5}, {"level": 30, "trump": "H", "exchanged": False}, 33),
]


def test_the_preview_of_an_auction_lists_the_criteria() -> None:
    """Each plays against all: the marks of the sheet do not say what the standings count."""
    rulebook, options, contract, points = AUCTIONS[1]
    event, round_ = event_in_play(rulebook, players=8, plan=rounds_only(1), options=options)
    sheet = sheet_at(round_)
    alone = sorted(sheet.seats)[0]
    entry = {"contract": {**contract, "declarer": alone}, "points": {alone: points}}
    while not sheet.finished:
        dealt = {"dealer": ScoreSheet(sheet).next_dealer(), **entry}
        sheets.enter_deal(sheet_id=sheet.pk, entry=dealt, actor=SYSTEM)
        sheet.refresh_from_db()
    for seat in sheet.sides:
        sheet.refresh_from_db()
        signatures.sign(sheet_id=sheet.pk, side=seat, version=sheet.version, actor=SYSTEM)
    incident = incident_at(event, round_)
    as_chiefs(event, REFEREE)

    def act() -> Ruling:
        return stating(
            rulings.issue,
            incident_id=incident.pk,
            article="BE-P1",
            facts={"offender": "2", "noticed": "after_deal"},
            actor=REFEREE,
            claimed="in_time",
            reason="seen",
        )

    assert impact_of(incident, act).counted


NULL_CALLS = [
    # rulebook, contract, points of N-S, article, facts, as written, without the factor
    ("coinchee", {"trump": "NT", "doubling": 1}, 42, "003-C1", "too_late", 32, 16),
    ("coinchee", {"trump": "NT", "doubling": 1}, 42, "003-C1", "not_enabled", 32, 16),
    (
        "chaloupee",
        {"level": 44, "trump": "NT", "doubling": 1},
        46,
        "002-A1",
        "doubled_partner",
        16,
        8,
    ),
    # C.8, GEN-CALL: "call null, its factor taken out"; 40 − 30 = 10, × 2 for the knock
    ("belgian", {"trump": "H", "doubling": 1}, 40, "GEN-CALL", "too_late", 20, 10),
    # a bid that was too low brought no factor: the cogné of this deal was allowed
    ("chaloupee", {"level": 44, "trump": "NT", "doubling": 1}, 46, "002-A1", "too_low", 16, 16),
]


@pytest.mark.parametrize(
    ("rulebook", "contract", "points", "article", "what", "written_marks", "left"), NULL_CALLS
)
def test_a_null_call_is_taken_out_of_the_score(
    rulebook: str,
    contract: dict[str, Any],
    points: int,
    article: str,
    what: str,
    written_marks: int,
    left: int,
) -> None:
    """C.5, 003-C1 and 002-A1: "not a void remark"."""
    entry = {"contract": {"declarer": "NS", **contract}, "points": {"NS": points}}
    event, round_, sheet = written(rulebook, entry)
    entry, before = ScoreSheet(sheet).current()[0].entry, marks(sheet)
    assert before == {"NS": written_marks, "EW": 0}
    facts = {"offender": "E", "what": what}
    if article == "GEN-CALL":
        facts["opponents_choice"] = "void"
    ruling = rule(event, round_, article, facts)
    assert marks(sheet) == {"NS": left, "EW": 0}
    said = [reason["text"]["en"] for reason in ruling.versions.get().proposal["rationale"]]
    assert any("factor of the void call" in text for text in said) == (left != written_marks)
    gives_back(ruling, sheet, entry, before)


@pytest.mark.guide("referee#state-the-facts")
@pytest.mark.parametrize(
    ("rulebook", "contract", "article", "facts"),
    [
        ("coinchee", {"trump": "NT"}, "003-C1", {"what": "too_late"}),
        ("belgian", {"trump": "H"}, "GEN-CALL", {"what": "too_late", "opponents_choice": "void"}),
    ],
)
def test_a_null_call_that_the_sheet_lacks_is_asked_about(
    rulebook: str, contract: dict[str, Any], article: str, facts: dict[str, Any]
) -> None:
    """C.8: a deal without doubling is doubtful; held to, nothing is removed and nothing claimed."""
    entry = {"contract": {"declarer": "NS", **contract}, "points": {"NS": 44}}
    event, round_, sheet = written(rulebook, entry)
    before = marks(sheet)
    with pytest.raises(Refused) as refused:
        rule(event, round_, article, {"offender": "E", **facts})
    assert (refused.value.code, refused.value.field) == ("against_record", "call")
    held = rule(event, round_, article, {"offender": "E", **facts}, against_record=["call"])
    assert marks(sheet) == before
    said = [reason["text"]["en"] for reason in held.versions.get().proposal["rationale"]]
    assert not any("is removed from the score; the rest stands" in text for text in said)
    facts_shown = {each.label: each.value for each in show(held, whole=True).facts}
    assert facts_shown["Found against the sheet"] == "a call that the sheet lacks"


def test_the_same_null_call_is_asked_about_before_it_is_ruled_twice() -> None:
    """C.8: a second ruling on one call would make it the second offence, which costs the penalty."""
    contract = {"declarer": "NS", "trump": "H", "doubling": 1}
    event, round_, sheet = written("belgian", {"contract": contract, "points": {"NS": 40}})
    void = {"offender": "E", "what": "too_late", "opponents_choice": "void"}
    first = rule(event, round_, "GEN-CALL", void)
    with pytest.raises(Refused, match=f"Ruling {first.number} has already decided") as refused:
        rule(event, round_, "GEN-CALL", void, against_record=[])
    assert (refused.value.code, refused.value.field) == ("against_record", "again")
    assert marks(sheet) == {"NS": 10, "EW": 0}
    other = rule(event, round_, "GEN-CALL", {**void, "offender": "W"})
    rulings.annul(ruling_id=other.pk, actor=REFEREE, reason="the same")
    again = rule(event, round_, "GEN-CALL", void, against_record=["again"])
    assert again.measure == "penalty"
    assert marks(sheet) == {"NS": 30, "EW": 0}


class TestPenaltyFloor:
    """C.8: "the side not at fault marks max(P, its marks of the deal as played)"."""

    TAPPED: ClassVar[dict[str, Any]] = {
        "contract": {"declarer": "NS", "trump": "NT", "doubling": 1},
        "points": {"NS": 50},
    }
    REVOKE: ClassVar[dict[str, Any]] = {"offender": "E", "noticed": "after_deal"}

    @pytest.fixture(scope="class")
    @classmethod
    def built(cls, module_database: None) -> tuple[Event, Round, Sheet]:
        return written("muette", cls.TAPPED)

    @pytest.fixture
    def tapped(self, built: tuple[Event, Round, Sheet]) -> tuple[Event, Round, Sheet]:
        return copy.deepcopy(built)

    def test_the_winners_keep_a_doubled_deal_that_the_losers_spoiled(
        self, tapped: tuple[Event, Round, Sheet]
    ) -> None:
        event, round_, sheet = tapped
        entry, before = ScoreSheet(sheet).current()[0].entry, marks(sheet)
        ruling = rule(event, round_, "004-V1", self.REVOKE)
        assert marks(sheet) == {"NS": 80, "EW": 0}
        proposal = ruling.versions.get().proposal
        assert proposal["marks"] == {"NS": 80, "EW": 0}
        assert proposal["deal"]["charge"] == 30
        said = [reason["text"]["fr"] for reason in proposal["rationale"]]
        assert any("garde ses 80 points" in text for text in said)
        gives_back(ruling, sheet, entry, before)

    def test_the_losers_have_the_penalty_when_the_winners_revoke(
        self, tapped: tuple[Event, Round, Sheet]
    ) -> None:
        event, round_, sheet = tapped
        rule(event, round_, "004-V1", {**self.REVOKE, "offender": "N"})
        assert marks(sheet) == {"NS": 0, "EW": 30}

    def test_an_event_may_give_the_penalty_alone(self) -> None:
        event, round_, sheet = written("muette", self.TAPPED, options={"penalty_floor": False})
        rule(event, round_, "004-V1", self.REVOKE)
        assert marks(sheet) == {"NS": 30, "EW": 0}

    def test_a_sheet_of_the_first_edition_gives_what_it_always_gave(
        self, tapped: tuple[Event, Round, Sheet]
    ) -> None:
        """The event was opened and its rules were fixed before the floor existed."""
        event, round_, sheet = tapped
        with change():
            Sheet.objects.filter(pk=sheet.pk).update(edition="1")
        rule(event, round_, "004-V1", self.REVOKE)
        assert marks(sheet) == {"NS": 30, "EW": 0}

    MISCOUNT: ClassVar = {"ill_served": "E", "ill_served_played": True}

    @pytest.mark.guide("referee#what-to-keep-in-mind")
    def test_whoever_plays_on_with_nine_cards_gains_nothing(
        self, tapped: tuple[Event, Round, Sheet]
    ) -> None:
        """C.8, GEN-COUNT: the deal is void, and the side not at fault keeps its 80."""
        event, round_, sheet = tapped
        made = rule(event, round_, "GEN-COUNT", self.MISCOUNT)
        assert marks(sheet) == {"NS": 80, "EW": 0}
        said = show(Ruling.objects.get(pk=made.pk))
        assert "+80" in said.penalty
        assert any("keeps its 80 points" in reason for reason in said.because)
        rulings.annul(ruling_id=made.pk, actor=REFEREE, reason="not proved")
        assert marks(sheet) == {"NS": 80, "EW": 0}
        assert sheet.deals.get(series="official", number=1, current=True).infractions == []

    def test_an_event_under_the_earlier_edition_gives_the_penalty(
        self, tapped: tuple[Event, Round, Sheet]
    ) -> None:
        event, round_, sheet = tapped
        rule_by("2026.2", event)
        rule(event, round_, "GEN-COUNT", self.MISCOUNT)
        assert marks(sheet) == {"NS": 30, "EW": 0}

    def test_a_void_deal_leaves_nothing_to_keep(self, tapped: tuple[Event, Round, Sheet]) -> None:
        """A ruling that orders a redeal leaves the penalty for the revoke, without the 80 points of the void deal."""
        event, round_, sheet = tapped
        rule(event, round_, "004-V1", self.REVOKE)
        peeked = {
            "offender": "E",
            **{
                field.name: field.choices[0][0]
                for field in _article(event, "T-PEEK").facts
                if field.required and field.choices
            },
        }
        rule(event, round_, "T-PEEK", peeked)
        assert marks(sheet) == {"NS": 30, "EW": 0}


class TestAuctions:
    """B.3: the hand is void and the offender pays as if they had failed; in auction 1 to each."""

    @pytest.fixture(scope="class", params=AUCTIONS, ids=[case[0] for case in AUCTIONS])
    @classmethod
    def built(
        cls, module_database: None, request: pytest.FixtureRequest
    ) -> tuple[Event, Round, Sheet, str]:
        rulebook, options, contract, points = request.param
        count = options["players"]
        event, round_ = event_in_play(
            rulebook, players=2 * count, plan=rounds_only(6), options=options
        )
        sheet = sheet_at(round_)
        seats = sorted(sheet.seats)
        declarer = seats[(seats.index(sheet.first_dealer) + 2) % count]
        entry = {
            "dealer": sheet.first_dealer,
            "contract": {**contract, "declarer": declarer},
            "points": {declarer: points},
        }
        sheets.enter_deal(sheet_id=sheet.pk, entry=entry, actor=SYSTEM)
        return event, round_, sheet, declarer

    @pytest.fixture
    def hall(self, built: tuple[Event, Round, Sheet, str]) -> tuple[Event, Round, Sheet, str]:
        return copy.deepcopy(built)

    @pytest.mark.parametrize("offender", ["2", "1"])
    def test_card_play_pays_as_if_the_bid_had_failed(
        self, hall: tuple[Event, Round, Sheet, str], offender: str
    ) -> None:
        event, round_, sheet, declarer = hall
        first_kind = sheet.rulebook == "auction-1"
        entry, before = ScoreSheet(sheet).current()[0].entry, marks(sheet)
        assert before[declarer] > 0
        ruling = rule(event, round_, "BE-P1", {"offender": offender, "noticed": "after_deal"})
        seats = sorted(sheet.seats)
        place = (seats.index(sheet.first_dealer) + int(offender)) % len(seats)
        guilty = seats[place]
        stake = STAKES[1] if first_kind else entry["contract"]["level"]
        others = stake if first_kind else 0
        expected = dict.fromkeys(seats, others)
        expected[guilty] = -stake * (len(seats) - 1) if first_kind else -stake
        if guilty != declarer:
            # A defender pays the declarer for all the defenders, and the declarer, who made the
            # bid, loses nothing by another's fault (C.8).
            expected = {**dict.fromkeys(seats, 0), guilty: expected[guilty]}
            expected[declarer] = before[declarer]
        assert marks(sheet) == expected
        assert ruling.offender_id == sheet.seats[guilty]
        said = [reason["text"]["en"] for reason in ruling.versions.get().proposal["rationale"]]
        if first_kind and guilty == declarer:
            assert f"The offender pays as if they had failed: {stake} to each." in said
        assert not any(text.startswith(tuple(seats)) for text in said), "seats of the rules"
        gives_back(ruling, sheet, entry, before)

    def test_by_an_earlier_code_the_other_defenders_gain(
        self, hall: tuple[Event, Round, Sheet, str]
    ) -> None:
        """An event keeps the edition of its penal code, and what was ruled by it is scored again alike."""
        event, round_, sheet, declarer = hall
        before, first_kind = marks(sheet), sheet.rulebook == "auction-1"
        rule_by("2026.4", event)
        rule(event, round_, "BE-P1", {"offender": "1", "noticed": "after_deal"})
        found, seats = marks(sheet), sorted(sheet.seats)
        guilty = seats[(seats.index(sheet.first_dealer) + 1) % len(seats)]
        others = [found[seat] for seat in seats if seat not in (guilty, declarer)]
        assert others == [STAKES[1] if first_kind else 0] * len(others)
        assert found[declarer] == before[declarer]
        deal = sheet.deals.get(series="official", number=1, current=True)
        assert ScoreSheet(sheet).score(deal.entry, deal.infractions).marks == found

    def test_a_void_call_leaves_the_deal(self, hall: tuple[Event, Round, Sheet, str]) -> None:
        """004-A1: the call is void or the exchange frozen; the played deal counts."""
        event, round_, sheet, _declarer = hall
        entry, before = ScoreSheet(sheet).current()[0].entry, marks(sheet)
        facts = {"offender": "1"}
        for field in _article(event, "004-A1").facts:
            if field.required and field.choices:
                facts[field.name] = field.choices[0][0]
        ruling = rule(event, round_, "004-A1", facts)
        assert marks(sheet) == before
        gives_back(ruling, sheet, entry, before)

    def test_a_misdeal_is_dealt_again_by_the_same_dealer(
        self, hall: tuple[Event, Round, Sheet, str]
    ) -> None:
        event, round_, sheet, _declarer = hall
        entry, before = ScoreSheet(sheet).current()[0].entry, marks(sheet)
        facts = {"dealer": str(len(sheet.seats)), "deliberate": False}
        ruling = rule(event, round_, "T-MISD", facts, against_record=["result"])
        assert set(marks(sheet).values()) == {0}
        assert next_dealer(sheet) == sheet.first_dealer
        gives_back(ruling, sheet, entry, before)


def records(event: Event) -> Any:
    """Return the input of the first stage's standings, and their rows."""
    stage = event.stages.get(order=1)
    field = gather(stage)
    return (
        sorted(map(repr, field.results)),
        sorted(repr(change) for change in field.adjustments),
        rows_json(compute(stage, field)),
    )


class TestEntrants:
    """Measures against the entrant: conceded deals, forfeits, deletion, disqualification."""

    @pytest.fixture(scope="class")
    @classmethod
    def built(cls, module_database: None) -> tuple[Event, Round]:
        event, round_ = event_in_play(deals=2)
        for table in (1, 2):
            for game in (1, 2, 3):
                sign(enter(sheet_at(round_, table, game), 40 + game, 50 - table))
        return event, round_

    @pytest.fixture
    def played(self, built: tuple[Event, Round]) -> tuple[Event, Round]:
        return copy.deepcopy(built)

    def row(self, event: Event, entrant: int) -> dict[str, Any]:
        number = event.entrants.get(pk=entrant).number
        found: dict[str, Any] = next(r for r in records(event)[2] if r["number"] == number)
        return found

    def test_a_forfeited_round_brings_nothing(self, played: tuple[Event, Round]) -> None:
        """C.7 T-ABS: "forfait … 0 punten" [E10]; the others keep what they have."""
        event, round_ = played
        before = records(event)
        facts = {"offender": "N", "what": "no_show"}
        ruling = rule(event, round_, "T-ABS", facts, against_record=["what"])
        assert ruling.measure == "round_forfeited"
        field = gather(round_.stage)
        assert [a.entrant for a in field.adjustments] == [str(ruling.offender.number)]
        lines = [line for line in field.results if line.entrant == str(ruling.offender.number)]
        assert [(line.outcome, line.marks_for, line.marks_against) for line in lines] == [
            ("loss", 0, 0)
        ] * 3
        others = [line for line in field.results if line not in lines]
        assert sorted(map(repr, others)) == [
            line for line in before[0] if f"entrant='{ruling.offender.number}'" not in line
        ]
        rulings.annul(ruling_id=ruling.pk, actor=REFEREE, reason="they were there")
        assert records(event) == before

    def test_a_league_deletes_the_results_against_who_left(
        self, played: tuple[Event, Round]
    ) -> None:
        """C.7 T-ABS: "league: results against the withdrawn team deleted" [E23], for both sides."""
        event, round_ = played
        before = records(event)
        facts = {"offender": "N", "what": "league_withdrawal"}
        ruling = rule(event, round_, "T-ABS", facts)
        assert ruling.measure == "results_deleted"
        seated = {str(s.entrant.number) for s in round_.seats.filter(table__number=1)}
        left = gather(round_.stage).results
        assert left
        assert not {line.entrant for line in left} & seated
        assert all(line in left for line in _lines(event) if line.entrant not in seated)
        second = rule(event, round_, "T-ABS", {**facts, "offender": "E"})
        rulings.annul(ruling_id=ruling.pk, actor=REFEREE, reason="N came back")
        assert not {line.entrant for line in gather(round_.stage).results} & seated
        rulings.annul(ruling_id=second.pk, actor=REFEREE, reason="E came back")
        assert records(event) == before

    def test_the_disqualified_is_taken_out_of_the_ranking(
        self, played: tuple[Event, Round]
    ) -> None:
        """C.7 T-COMM: warning, penalty, disqualification; counted against the same player."""
        event, round_ = played
        before = records(event)
        facts: dict[str, Any] = {"offender": "N"}
        for field in _article(event, "T-COMM").facts:
            if field.required and field.choices:
                facts[field.name] = field.choices[0][0]
        made = [rule(event, round_, "T-COMM", facts) for _time in range(3)]
        assert [ruling.measure for ruling in made] == ["warning", "penalty", "disqualified"]
        assert self.row(event, made[2].offender_id)["excluded"]
        for ruling in made:
            rulings.annul(ruling_id=ruling.pk, actor=REFEREE, reason="not so")
        assert records(event) == before

    def test_late_concedes_deals_at_half_value(self, played: tuple[Event, Round]) -> None:
        """C.7 T-LATE: each further five minutes one deal at half value: 17 of 34, twice."""
        event, round_ = played
        before = records(event)
        ruling = rule(event, round_, "T-LATE", {"offender": "N", "minutes": 12})
        assert ruling.measure == "deals_conceded"
        gained = {row.entrant_id: row.marks for row in Adjustment.objects.filter(annulled_at=None)}
        seats = sheet_at(round_).seats
        assert {s: gained.get(seats[s], 0) for s in "NESW"} == {"N": -34, "S": 34, "E": 34, "W": 34}
        rulings.annul(ruling_id=ruling.pk, actor=REFEREE, reason="the train")
        assert records(event) == before


def _lines(event: Event) -> list[Any]:
    return list(gather(event.stages.get(order=1)).results)
