"""Evidence from the engine, equity, and the comparison with similar rulings."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from adjudication.penal import (
    DealOutcome,
    Measure,
    Policy,
    Previous,
    Verdict,
    article_of,
    as_similar,
    code_for,
    decide,
    differs,
    equity,
    findings,
    game_for,
    proven,
    signed,
)
from scoring.engine.calls import answer
from scoring.engine.calls_record import prove_allegation
from scoring.engine.prove import Proved
from scoring.engine.prove import Verdict as EngineVerdict

# The four-card ending of source 000, with East's last two cards assumed (8C 7C).
HANDS = {
    "W": ["8H", "10S", "7D", "AC"],
    "S": ["KC", "KS", "AD", "JS"],
    "E": ["9D", "9S", "8C", "7C"],
    "N": ["7H", "8S", "10C", "AS"],
}
ENDING = ["8H", "KC", "9D", "7H", "KS", "9S", "8S", "10S", "7D", "AD", "7C"]


def replayed(plays, **more):
    return answer(
        "replay",
        {
            "rulebook": "parlee",
            "trump": "C",
            "leader": "W",
            "plays": plays,
            "hands": HANDS,
            "partial": True,
            **more,
        },
    )["violations"]


class TestFindings:
    def test_the_example_of_the_source_holds_no_offence(self):
        assert findings(replayed([*ENDING, "10C", "AS", "AC", "JS", "8C"])) == ()

    @pytest.mark.guide("referee#look-at-the-evidence", "referee#what-to-keep-in-mind")
    def test_a_trump_not_overruffed_is_found_with_its_proof(self):
        """I15: the hand of 000's third trick plays AS instead of 10C: not overruffed, 34."""
        # North discards the ace; East has won the trick and leads their last trump.
        plays = [*ENDING, "AS", "8C", "10C", "AC", "JS"]
        (found,) = findings(replayed(plays))
        assert (found.trick, found.seat, found.card) == (3, "N", "AS")
        assert found.kind == "failed_to_overruff"
        assert found.legal == ("10C",)
        assert found.articles == ("000-P4",)
        assert found.proof == (4, "10C")
        assert "10C" in found.text.render("nl")
        proposal = decide(
            code_for("parlee"),
            found.articles[0],
            {"offender": found.seat, "trick": found.trick, "noticed": "after_deal"},
            Policy.STRICT,
            game_for("parlee"),
        )
        assert proposal.marks == {"NS": 0, "EW": 34}

    @pytest.mark.parametrize(
        ("card", "kind", "article"),
        [
            ("7S", "failed_to_beat", "000-P2"),
            ("9D", "revoke", "000-P1"),
            ("KS", None, None),
        ],
    )
    def test_a_hand_that_must_follow_and_beat(self, card, kind, article):
        """I13: over QS with K 10 7 of spades and a diamond; 7S / 9D / KS."""
        hand = ["KS", "10S", "7S", "9D"]
        played = answer(
            "replay",
            {
                "rulebook": "parlee",
                "trump": "H",
                "leader": "E",
                "plays": ["QS", card],
                "hands": {"N": hand},
                "partial": True,
            },
        )
        found = findings(played["violations"])
        assert [f.kind for f in found] == ([kind] if kind else [])
        assert [a for f in found for a in f.articles] == ([article] if article else [])

    def test_the_article_is_supplied_where_the_answer_has_none(self):
        raw = {"trick": 2, "seat": "S", "card": "7H", "kind": "under_ruff", "legal": ["8D"]}
        (found,) = findings([raw], "belgian")
        assert found.articles == ("BE-P5",)
        assert found.proof is None
        assert "mains" in found.text.render("fr")

    @pytest.mark.parametrize(
        ("rulebook", "kind", "article"),
        [
            # rules specification B.3, table of articles
            ("parlee", "false_ruff", "000-P1"),
            ("boussac", "revoke", "001-R9a"),
            ("boussac", "false_ruff", "001-R9b"),
            ("boussac", "failed_to_beat", "001-R9c"),
            ("boussac", "failed_to_ruff", "001-R9d"),
            ("chaloupee", "failed_to_ruff", "002-P3"),
            ("coinchee", "failed_to_overruff", "003-P4"),
            ("muette", "false_ruff", "004-V1"),
            ("muette", "failed_to_beat", None),
            ("parlee-limited", "disobeyed_order", "004-E3"),
            ("parlee", "disobeyed_order", "000-E2"),
            ("belgian", "under_ruff", "BE-P5"),
            ("auction-2", "revoke", "BE-P1"),
            ("blind", "revoke", None),
        ],
    )
    def test_the_article_of_each_kind(self, rulebook, kind, article):
        assert article_of(rulebook, kind) == article


class TestProven:
    @pytest.mark.parametrize(
        ("verdict", "proved"),
        [("guilty", True), ("innocent", False), ("undetermined", None)],
    )
    def test_the_verdict_fits_the_fact(self, verdict, proved):
        stated = proven(Proved(EngineVerdict(verdict), "…"))
        assert stated.verdict == verdict
        assert stated.proved is proved
        assert stated.advice.render("fr")

    def test_the_engine_proves_a_revoke_from_the_cards_on_the_table(self):
        proved = prove_allegation(
            {
                "rulebook": "parlee",
                "trump": "S",
                "tricks": [
                    {"n": 1, "leader": "W", "plays": ["8H", "9H", "9D", "AH"]},
                    {"n": 6, "leader": "N", "plays": ["KC", "8C", "7C", "QH"]},
                ],
                "allegation": {"trick": 1, "seat": "E", "kind": "revoke"},
            }
        )
        stated = proven(proved)
        assert stated.verdict == "guilty"
        assert stated.proof == (6, "QH")


class TestEquity:
    def test_the_statement(self):
        """The innocent side marked 2, could have marked 10, and gets 34."""
        stated = equity("EW", 2, 10, 34)
        assert stated.damage == 8
        assert stated.difference == 24
        for language in ("en", "fr", "nl"):
            assert "34" in stated.text.render(language)

    def test_signed(self):
        assert signed({"NS": 0, "EW": 34}, "EW") == 34
        assert signed({"NS": -34, "EW": 0}, "EW") == 34
        assert signed({"EW": Fraction(25, 2)}, "NS") == Fraction(-25, 2)


class TestConsistency:
    def proposal(self, options=None, history=(), article="004-V1", **facts):
        game = game_for("muette", options, offender="anna", deal="d1")
        stated = {"offender": "N", **facts}
        return decide(code_for("muette"), article, stated, Policy.STRICT, game, history)

    def test_alike_cases_alike_rulings(self):
        one = self.proposal(noticed="after_deal")
        assert differs(one, [as_similar("r1", one)]) == ()

    def test_another_amount_is_shown(self):
        past = as_similar("r1", self.proposal({"penalty_value": 60}, noticed="after_deal"))
        (warning,) = differs(self.proposal(noticed="after_deal"), [past])
        assert (warning.ruling, warning.code) == ("r1", "amount")
        assert "60" in warning.text.render("en")
        assert "30" in warning.text.render("nl")

    def test_another_fate_of_the_deal_is_shown(self):
        past = as_similar(
            "r1", self.proposal({"penalty_replaces_deal": False}, noticed="after_deal")
        )
        assert [w.code for w in differs(self.proposal(noticed="after_deal"), [past])] == ["deal"]

    def test_another_measure_is_shown(self):
        now = self.proposal(article="T-UNSP", measure="warning")
        past = as_similar("r9", self.proposal(article="T-UNSP", measure="disqualified"))
        assert [w.code for w in differs(now, [past])] == ["measure"]

    def test_another_policy_is_shown_once(self):
        now = self.proposal(noticed="after_deal")
        past = replace(as_similar("r1", now), policy="BRIDGE", charge=60)
        assert [w.code for w in differs(now, [past])] == ["policy"]

    def test_a_second_offence_is_no_difference(self):
        history = [Previous("r1", "T-COMM", "anna", measure=Measure.WARNING)]
        now = self.proposal(article="T-COMM", history=history)
        past = as_similar("r1", self.proposal(article="T-COMM"))
        assert now.measure is Measure.PENALTY
        assert past.measure is Measure.WARNING
        assert differs(now, [past]) == ()

    def test_other_articles_and_unproven_cases_are_no_yardstick(self):
        now = self.proposal(noticed="after_deal")
        other = replace(as_similar("r1", now), article="T-CLAIM", charge=99)
        innocent = replace(as_similar("r2", now), verdict=Verdict.NO_OFFENCE, charge=0)
        assert differs(now, [other, innocent]) == ()

    def test_an_open_choice_is_no_difference(self):
        game = game_for("muette")
        code = code_for("muette")
        now = decide(code, "004-B1", {"dealer": "N"}, Policy.STRICT, game)
        past = replace(as_similar("r1", now), outcome=DealOutcome.REDEALT)
        assert differs(now, [past]) == ()
