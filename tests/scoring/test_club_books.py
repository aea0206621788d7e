"""Rulebooks of clubs: one file each without code; facts of rules specification E10 and A.5."""

from __future__ import annotations

from typing import Any

import pytest

from scoring.engine.calls import answer
from scoring.engine.errors import Malformed
from scoring.engine.rulebook import RULEBOOKS, resolve

NS, EW = "NS", "EW"


def scored(rulebook: str, **entry: Any) -> Any:
    return answer("score", {"rulebook": rulebook, **entry})


class TestBruges:
    """E10: 3-2-3, at most 240 a deal, a wilful revoke 60, 60–0 counts 60 only against no trick."""

    @pytest.mark.parametrize(
        ("trump", "doubling", "points", "tricks", "marks"),
        [
            ("H", 0, 36, 5, 6),
            ("NT", 0, 36, 5, 12),
            ("H", 1, 36, 5, 12),
            ("NT", 2, 45, 6, 120),
            ("H", 0, 60, 7, 30),
            ("H", 0, 60, 8, 60),
            ("NT", 2, 60, 7, 240),
            ("NT", 1, 60, 8, 240),
            ("NT", 2, 60, 8, 240),
        ],
    )
    def test_a_deal(self, trump, doubling, points, tricks, marks):
        deal = scored(
            "bruges",
            contract={"declarer": NS, "trump": trump, "doubling": doubling},
            points={NS: points},
            tricks={NS: tricks},
        )
        assert deal["marks"] == {NS: marks, EW: 0}

    def test_sixty_needs_the_tricks(self):
        with pytest.raises(Malformed, match="'tricks' is missing"):
            scored("bruges", contract={"declarer": NS, "trump": "H"}, points={NS: 60})

    @pytest.mark.parametrize(("article", "marks"), [("T-INT", 60), ("BE-P1", 30)])
    def test_a_revoke_on_purpose_costs_twice_as_much(self, article, marks):
        deal = scored("bruges", infractions=[{"article": article, "side": EW}])
        assert deal["marks"] == {NS: marks, EW: 0}

    def test_the_limit_is_said(self):
        (line,) = scored(
            "bruges",
            contract={"declarer": NS, "trump": "NT", "doubling": 2},
            points={NS: 60},
            tricks={NS: 8},
        )["lines"]
        assert line["text"].endswith("limited to 240")

    def test_an_event_may_lift_the_limit(self):
        deal = scored(
            "bruges",
            options={"max_marks": None},
            contract={"declarer": NS, "trump": "NT", "doubling": 2},
            points={NS: 60},
            tricks={NS: 8},
        )
        assert deal["marks"][NS] == 480

    def test_three_two_three_and_the_rest_of_the_belgian_game(self):
        assert RULEBOOKS["bruges"].dealing[4].packets == (3, 2, 3)
        assert resolve("bruges").duties == resolve("belgian").duties
        assert RULEBOOKS["bruges"].calls == RULEBOOKS["belgian"].calls


# Play goes W, N, E, S. Trump clubs; the trick so far, the player, the hand, the legal cards, the duty.
TRUMPS_ONLY = [
    ([["W", "QH"]], "N", "KH 7H 10C", "KH 7H", "follow"),  # a plain card is not beaten
    ([["W", "QC"]], "N", "KC 7C 10H", "KC", "must_beat"),
    ([["W", "8C"], ["N", "QC"]], "E", "KC 7C 10H", "KC", "must_beat"),
    ([["W", "8C"], ["N", "7C"]], "E", "KC 9C 10H", "KC 9C", "must_beat"),  # partner's too
    ([["W", "QC"], ["N", "7C"]], "E", "JC 9C 10H", "JC 9C", "follow"),
    ([["W", "QH"], ["N", "7C"]], "E", "8C JC 9D", "8C JC", "must_overruff"),
    ([["W", "QH"], ["N", "QC"]], "E", "8C JC 9D", "8C JC 9D", "free"),
    ([["N", "9H"], ["E", "QC"], ["S", "8H"]], "W", "KC JC 9D", "KC", "must_overruff"),
    ([["E", "9H"], ["S", "8H"], ["W", "QC"]], "N", "KC JC 9D", "KC", "must_overruff"),
    ([["N", "9H"], ["E", "7H"], ["S", "QC"]], "W", "7S 9D JC", "7S 9D JC", "free"),
    ([["W", "AH"], ["N", "8H"]], "E", "KC JC 9D", "KC JC 9D", "free"),  # a plain card of partner's
    ([["N", "AH"]], "E", "KC JC 9D", "KC JC", "must_ruff"),
]


@pytest.mark.parametrize(("trick", "player", "hand", "legal", "duty"), TRUMPS_ONLY)
def test_one_beats_in_trumps_only_and_a_partner_too(trick, player, hand, legal, duty):
    found = answer(
        "legal",
        {
            "rulebook": "trumps-only",
            "trump": "C",
            "trick": trick,
            "player": player,
            "hand": hand.split(),
        },
    )
    assert found == {"legal": legal.split(), "duty": duty}


@pytest.mark.parametrize(
    ("options", "legal", "duty"),
    [
        ({}, "JC 10D", "free"),
        ({"under_ruff": "FORBIDDEN"}, "10D", "may_not_under_ruff"),
        ({"ruff": "ALWAYS"}, "JC", "must_ruff"),
        ({"ruff": "OPTIONAL"}, "JC 10D", "free"),
        ({"ruff": "OPTIONAL", "under_ruff": "FORBIDDEN"}, "10D", "may_not_under_ruff"),
        ({"overruff": False, "under_ruff": "FORBIDDEN"}, "10D", "may_not_under_ruff"),
        ({"beat_partner": False, "must_ruff_over_partner": True}, "JC 10D", "free"),
    ],
)
def test_a_ruff_that_cannot_be_beaten(options, legal, duty):
    found = answer(
        "legal",
        {
            "rulebook": "trumps-only",
            "options": options,
            "trump": "C",
            "trick": [["W", "9H"], ["N", "8H"], ["E", "QC"]],
            "player": "S",
            "hand": ["JC", "10D"],
        },
    )
    # East, an opponent of South, has ruffed with a queen that the jack cannot beat.
    assert found == {"legal": legal.split(), "duty": duty}


PLAYS = {
    1: ["QC", "8C", "JC", "7C"],
    2: ["7S", "8S", "KC", "9S"],
}
"""West leads both tricks; East follows partner's queen of trumps with the jack and holds the king."""


def test_a_partner_not_beaten_is_reported_with_its_article_and_its_proof():
    replayed: Any = answer(
        "replay",
        {
            "rulebook": "trumps-only",
            "trump": "C",
            "leader": "W",
            "plays": [card for trick in PLAYS.values() for card in trick],
            "partial": True,
            "hands": {
                "W": ["QC", "7S", "7H", "8H", "9H", "JH", "QH", "KH"],
                "N": ["8C", "8S", "7D", "8D", "9D", "JD", "QD", "KD"],
                "E": ["JC", "KC", "10H", "AH", "10D", "AD", "10S", "AS"],
                "S": ["7C", "9S", "9C", "AC", "10C", "JS", "QS", "KS"],
            },
        },
    )
    first = replayed["violations"][0]
    assert (first["seat"], first["kind"], first["legal"]) == ("E", "failed_to_beat", ["KC"])
    assert first["articles"] == ["BE-P2"]
    assert first["provable"] == {"trick": 2, "card": "KC"}


@pytest.mark.parametrize(
    ("rulebook", "verdict"), [("trumps-only", "guilty"), ("belgian", "innocent")]
)
def test_whether_a_partner_must_be_beaten_decides_an_allegation(rulebook, verdict):
    proved: Any = answer(
        "prove",
        {
            "rulebook": rulebook,
            "trump": "C",
            "tricks": [{"n": n, "leader": "W", "plays": plays} for n, plays in PLAYS.items()],
            "allegation": {"trick": 1, "seat": "E", "kind": "failed_to_beat"},
        },
    )
    assert proved["verdict"] == verdict


@pytest.mark.parametrize(
    ("under_ruff", "verdict"), [("FORBIDDEN", "guilty"), ("PERMITTED", "innocent")]
)
def test_a_free_ruff_below_an_opponents_is_an_under_ruff_only_where_that_is_forbidden(
    under_ruff, verdict
):
    proved: Any = answer(
        "prove",
        {
            "rulebook": "belgian",
            "options": {"ruff": "OPTIONAL", "under_ruff": under_ruff},
            "trump": "C",
            "tricks": [
                {"n": 1, "leader": "W", "plays": ["9H", "8H", "QC", "JC"]},
                # South, void in spades, discards a diamond.
                {"n": 2, "leader": "E", "plays": ["7S", "10D", "8S", "9S"]},
            ],
            "allegation": {"trick": 1, "seat": "S", "kind": "under_ruff"},
        },
    )
    assert proved["verdict"] == verdict
