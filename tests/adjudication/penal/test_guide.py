"""The five worked rulings of docs/referee.md match the penal code's decisions, amount by amount."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from adjudication.penal import (
    DealOutcome,
    Measure,
    Policy,
    Proposal,
    Verdict,
    code_for,
    decide,
    game_for,
)
from adjudication.penal.evidence import findings
from adjudication.penal.game import Previous
from adjudication.penal.proposal import Bonus, NextDealer
from scoring.engine.calls import answer

ROOT = Path(__file__).resolve().parents[3]
GUIDE = (ROOT / "docs" / "referee.md").read_text()


def told(number: int) -> str:
    """Return the text of a worked ruling in one line."""
    found = re.search(rf"^### {number}\. (.*?)(?=^### |\Z)", GUIDE, re.S | re.M)
    assert found is not None
    return " ".join(found[1].split())


def ruled(
    rulebook: str,
    article: str,
    facts: dict[str, Any],
    policy: Policy = Policy.STRICT,
    history: tuple[Previous, ...] = (),
    **context: Any,
) -> Proposal:
    """Return the proposal of the current edition."""
    game = game_for(rulebook, context.pop("options", None), **context)
    return decide(code_for(rulebook), article, facts, policy, game, history)


class TestTheTrumpThatWasNotOverruffed:
    """Source 000's ending (rules B.4): North discards the ace of spades instead of 10♣."""

    @pytest.mark.guide("referee#1-the-trump-that-was-not-overruffed-parlée-000-p4")
    def test_the_record_shows_it_when_the_ten_falls(self) -> None:
        text = told(1)
        assert "East ruffed with 7♣" in text
        assert "10♣ was the only legal card" in text
        hands = {"W": ["7D", "AC"], "S": ["AD", "JS"], "E": ["7C", "8C"], "N": ["10C", "AS"]}
        replayed = answer(
            "replay",
            {
                "rulebook": "parlee",
                "trump": "C",
                "leader": "W",
                "hands": hands,
                "partial": True,
                "plays": ["7D", "AD", "7C", "AS", "8C", "10C", "AC", "JS"],
            },
        )
        (found,) = findings(replayed["violations"], "parlee")
        assert (found.seat, found.card, found.articles) == ("N", "AS", ("000-P4",))
        violation = replayed["violations"][0]
        assert violation["legal"] == ["10C"]
        assert violation["provable"]["card"] == "10C"

    @pytest.mark.guide(
        "referee#1-the-trump-that-was-not-overruffed-parlée-000-p4", "referee#what-to-keep-in-mind"
    )
    def test_thirty_four_in_place_of_the_result(self) -> None:
        made = ruled(
            "parlee",
            "000-P4",
            {"offender": "N", "noticed": "after_deal"},
            dealer="S",
            turn_up="KC",
        )
        assert "East-West mark 34 in place of the result" in told(1)
        assert (made.verdict, made.marks) == (Verdict.ESTABLISHED, {"NS": 0, "EW": 34})
        assert made.deal.outcome is DealOutcome.REPLACED
        assert made.deal.bonus is Bonus.KEPT
        assert made.deal.next_dealer is NextDealer.NEXT


class TestTheKingOnABadDeal:
    FACTS = {
        "dealer": "S",
        "peeked": False,
        "turned_up": True,
        "ill_served": "W",
        "ill_served_played": False,
    }

    def made(self, **changed: Any) -> Proposal:
        return ruled("boussac", "001-R6b", {**self.FACTS, **changed}, dealer="S", turn_up="KH")

    @pytest.mark.guide("referee#2-the-king-turned-up-on-a-bad-deal-boussac-001-r6b")
    def test_the_misdeal_after_the_turn_up(self) -> None:
        text = told(2)
        assert "The dealer turns K♥, the side writes 3" in text
        assert "East-West mark 34, the bonus of 3 is cancelled" in text
        made = self.made()
        assert (made.article, made.marks) == ("001-R6b", {"NS": 0, "EW": 34})
        assert (made.deal.bonus, made.deal.bonus_marks) == (Bonus.CANCELLED, 3)
        assert made.deal.next_dealer is NextDealer.NEXT

    @pytest.mark.guide("referee#2-the-king-turned-up-on-a-bad-deal-boussac-001-r6b")
    @pytest.mark.parametrize(
        ("changed", "article", "marks"),
        [
            ({"turned_up": False}, "001-R6a", {}),
            ({"ill_served_played": True}, "001-R7", {"EW": 0, "NS": 34}),
            ({"peeked": True, "turned_up": False}, "001-R17", {"NS": 0, "EW": 34}),
        ],
    )
    def test_three_small_changes(
        self, changed: dict[str, bool], article: str, marks: dict[str, int]
    ) -> None:
        assert article in told(2)
        made = self.made(**changed)
        assert (made.article, dict(made.marks)) == (article, marks)


@pytest.mark.guide("referee#3-pique-and-a-heart-on-the-table-boussac-001-r3")
def test_pique_and_a_heart_on_the_table() -> None:
    text = told(3)
    assert "it stands and play goes on, no penalty" in text
    covered = ruled("boussac", "001-R3", {"offender": "E", "next_played": True})
    assert (covered.deal.outcome, dict(covered.marks)) == (DealOutcome.STANDS, {})
    assert covered.verdict is Verdict.NO_OFFENCE
    asked = ruled("boussac", "001-R3", {"offender": "E", "next_played": False})
    assert [option[0] for option in asked.choices[0].options] == ["retract", "cover"]
    assert asked.choices[0].by == ("NS",)
    for choice in ("retract", "cover"):
        made = ruled(
            "boussac", "001-R3", {"offender": "E", "next_played": False, "opponents_choice": choice}
        )
        assert (made.choices, made.deal.outcome) == ((), DealOutcome.STANDS)


class TestARuffThatWasNotAllowed:
    @pytest.mark.guide("referee#4-a-ruff-that-was-not-allowed-muette-004-v1")
    def test_thirty_for_the_deal_undoubled(self) -> None:
        assert "the other pair marks 30 for the deal" in told(4)
        for factor in (1, 4):
            made = ruled(
                "muette", "004-V1", {"offender": "E", "noticed": "side_played_next"}, factor=factor
            )
            assert (made.marks, made.deal.outcome) == ({"EW": 0, "NS": 30}, DealOutcome.REPLACED)

    @pytest.mark.guide("referee#4-a-ruff-that-was-not-allowed-muette-004-v1")
    def test_the_event_may_multiply(self) -> None:
        assert "unless the event says so" in told(4)
        made = ruled(
            "muette",
            "004-V1",
            {"offender": "E", "noticed": "after_deal"},
            factor=4,
            options={"penalty_multiplied": True},
        )
        assert made.marks == {"EW": 0, "NS": 120}

    @pytest.mark.guide(
        "referee#4-a-ruff-that-was-not-allowed-muette-004-v1", "referee#what-to-keep-in-mind"
    )
    def test_under_bridge_it_goes_back_in_time(self) -> None:
        assert "Under `BRIDGE`" in told(4)
        for noticed, corrected in (
            ("same_trick", True),
            ("opponent_played_next", True),
            ("side_played_next", False),
        ):
            made = ruled("muette", "004-V1", {"offender": "E", "noticed": noticed}, Policy.BRIDGE)
            assert (made.verdict is Verdict.CORRECTED) == corrected
            assert (dict(made.marks) == {}) == corrected


@pytest.mark.guide("referee#5-a-word-too-many-parlée-000-e2-then-000-e1")
def test_a_word_too_many() -> None:
    text = told(5)
    assert "000-E2 costs 34, and the deal is still played and marked" in text
    facts = {"offender": "N", "what": "asked_without_word"}
    first = ruled("parlee", "000-E2", facts, offender="7")
    assert (first.measure, first.deal.outcome) == (Measure.WARNING, DealOutcome.STANDS)
    before = (Previous("1", "000-E2", offender="7", side="NS", measure=Measure.WARNING),)
    second = ruled("parlee", "000-E2", facts, history=before, offender="7")
    assert (second.measure, second.offence) == (Measure.PENALTY, 2)
    assert (second.marks, second.deal.outcome) == ({"NS": 0, "EW": 34}, DealOutcome.STANDS)
    message = ruled("parlee", "000-E1", {"offender": "N", "proved": True}, offender="7")
    assert "34 at the first offence, in place of the deal" in text
    assert (message.marks, message.deal.outcome) == ({"NS": 0, "EW": 34}, DealOutcome.REPLACED)
