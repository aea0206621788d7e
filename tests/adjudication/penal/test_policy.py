"""Correction policies, claims, escalation, and properties of every proposal."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudication.penal import (
    Claimed,
    DealEffect,
    DealOutcome,
    FactsError,
    FactType,
    Measure,
    NextDealer,
    Origin,
    PenaltyMode,
    Policy,
    Previous,
    Verdict,
    both_at_fault,
    code_for,
    combine,
    decide,
    default_policy,
    fact_defects,
    game_for,
    reversal,
    signed,
)
from scoring.engine.calls import answer
from scoring.engine.errors import EngineError

PAIR_RULEBOOKS = (
    "parlee",
    "boussac",
    "chaloupee",
    "coinchee",
    "muette",
    "parlee-limited",
    "belgian",
)
MOMENTS = ("same_trick", "opponent_played_next", "side_played_next", "after_deal")
CORRECTED = {
    # C.6: 001 r.4 allows none; botifarra until a card of the next trick; bridge Laws 61-63 until
    # the offender or their partner plays to the next trick.
    Policy.STRICT: set(),
    Policy.NEXT_TRICK: {"same_trick"},
    Policy.BRIDGE: {"same_trick", "opponent_played_next"},
}
CARD_ARTICLES = [
    (rulebook, article.id)
    for rulebook in PAIR_RULEBOOKS
    for article in code_for(rulebook).articles
    if article.correctable
]


@pytest.mark.guide("referee#what-to-keep-in-mind")
@pytest.mark.parametrize("policy", Policy)
@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize(("rulebook", "article"), CARD_ARTICLES)
def test_policy_matrix(policy, moment, rulebook, article):
    game = game_for(rulebook)
    facts = {"offender": "N", "noticed": moment}
    proposal = decide(code_for(rulebook), article, facts, policy, game)
    if moment in CORRECTED[policy]:
        assert proposal.verdict is Verdict.CORRECTED
        assert proposal.deal.outcome is DealOutcome.STANDS
        assert proposal.marks == {}
    else:
        assert proposal.verdict is Verdict.ESTABLISHED
        assert proposal.deal.outcome is DealOutcome.REPLACED
        assert proposal.marks["EW"] == game.penalty
    assert any(f"C.6 {policy}" in reason.cites for reason in proposal.rationale)


def test_policies_do_not_touch_play_out_of_turn():
    """001 r.10 is not an illegal card in the sense of C.6."""
    game = game_for("boussac")
    proposal = decide(code_for("boussac"), "001-R10", {"offender": "N"}, Policy.BRIDGE, game)
    assert proposal.verdict is Verdict.ESTABLISHED


@pytest.mark.guide("referee#what-to-keep-in-mind")
@pytest.mark.parametrize("rulebook", PAIR_RULEBOOKS)
def test_strict_is_the_default(rulebook):
    assert default_policy(rulebook) is Policy.STRICT


class TestClaims:
    """C.6 R: until both sides sign, at the latest the end of the round."""

    @pytest.mark.guide("referee#what-to-keep-in-mind")
    @pytest.mark.parametrize("claimed", [Claimed.AFTER_SIGNATURES, Claimed.AFTER_ROUND])
    @pytest.mark.parametrize(
        ("rulebook", "article", "facts"),
        [
            ("parlee", "000-P1", {"offender": "N", "noticed": "after_deal"}),
            ("boussac", "001-R13", {"offender": "N", "by_referee": False}),
            ("muette", "T-CLAIM", {"offender": "N", "opponents_can_win": True}),
        ],
    )
    def test_a_late_claim_is_refused(self, claimed, rulebook, article, facts):
        game = game_for(rulebook, claimed=claimed)
        proposal = decide(code_for(rulebook), article, facts, Policy.STRICT, game)
        assert proposal.verdict is Verdict.REFUSED
        assert proposal.measure is Measure.CLAIM_REFUSED
        assert proposal.marks == {}
        assert proposal.deal.outcome is DealOutcome.STANDS

    @pytest.mark.guide("referee#what-to-keep-in-mind")
    def test_conduct_of_the_tournament_keeps_its_own_time(self):
        game = game_for("muette", claimed=Claimed.AFTER_ROUND)
        facts = {"offender": "N", "measure": "disqualified"}
        proposal = decide(code_for("muette"), "T-UNSP", facts, Policy.STRICT, game)
        assert proposal.verdict is Verdict.ESTABLISHED
        assert proposal.needs_reason


class TestSwitches:
    FACTS = {"offender": "N", "noticed": "after_deal"}

    def ruled(self, rulebook, article, options, **context):
        game = game_for(rulebook, options, **context)
        return decide(code_for(rulebook), article, self.FACTS, Policy.STRICT, game)

    def test_debit(self):
        """Q-GEN-2, the other reading: the offender loses."""
        proposal = self.ruled("parlee", "000-P1", {"penalty_mode": "DEBIT_OFFENDER"})
        assert proposal.marks == {"NS": -34, "EW": 0}

    def test_value(self):
        """Q-GEN-3: 60 for a revoke, as one event sets it."""
        assert self.ruled("muette", "004-V1", {"penalty_value": 60}).marks == {"NS": 0, "EW": 60}

    @pytest.mark.parametrize(("multiplied", "marks"), [(False, 34), (True, 136)])
    def test_multiplied(self, multiplied, marks):
        """Q-GEN-3: the penalty is multiplied only where the event's rules say so; a contre at no trump is a factor of
        4.
        """
        options = {"penalty_multiplied": multiplied}
        assert self.ruled("coinchee", "003-P1", options, factor=4).marks["EW"] == marks

    def test_added_to_the_result(self):
        """Q-GEN-4, switched off: the deal is scored and the penalty is added."""
        proposal = self.ruled("parlee", "000-P1", {"penalty_replaces_deal": False})
        assert proposal.deal.outcome is DealOutcome.STANDS
        assert proposal.marks == {"NS": 0, "EW": 34}
        assert [i.as_json() for i in proposal.deal.infractions] == [
            {"article": "000-P1", "side": "NS"}
        ]

    def test_a_misdeal_leaves_no_result_to_add_to(self):
        facts = {
            "dealer": "N",
            "peeked": False,
            "turned_up": True,
            "ill_served": "W",
            "ill_served_played": False,
        }
        game = game_for("boussac", {"penalty_replaces_deal": False})
        proposal = decide(code_for("boussac"), "001-R6b", facts, Policy.STRICT, game)
        assert proposal.deal.outcome is DealOutcome.VOID_PASSED

    def test_an_impossible_switch_is_refused(self):
        with pytest.raises(EngineError):
            game_for("parlee", {"penalty_mode": "NOBODY"})
        with pytest.raises(EngineError):
            game_for("whist")


class TestEscalation:
    def offence(self, history, **context):
        game = game_for("muette", **context)
        return decide(code_for("muette"), "T-COMM", {"offender": "N"}, Policy.STRICT, game, history)

    @pytest.mark.guide("referee#what-to-keep-in-mind")
    def test_only_the_same_offender_counts(self):
        history = [
            Previous(f"r{number}", "T-COMM", who, measure=Measure.WARNING)
            for number, who in enumerate(("bert", "carl", "bert", "anna"), 1)
        ]
        assert self.offence(history, offender="bert").offence == 3
        assert self.offence(history, offender="carl").offence == 2
        assert self.offence(history, offender="dora").offence == 1
        # Without a named offender, the records of individual players do not count for the side.
        assert self.offence(history).offence == 1

    def test_where_nobody_is_named_the_side_counts(self):
        history = [
            Previous("r1", "T-COMM", side="NS", measure=Measure.WARNING),
            Previous("r2", "T-COMM", side="EW", measure=Measure.WARNING),
            Previous("r3", "T-COMM", "anna", side="NS", measure=Measure.WARNING),
            Previous("r4", "T-COMM", side="NS", measure=Measure.WARNING),
        ]
        assert self.offence(history).offence == 3
        assert self.offence(history, offender="anna").offence == 2

    def test_only_the_same_article_counts(self):
        assert (
            self.offence(
                [Previous("r1", "T-PHONE", "anna", measure=Measure.WARNING)], offender="anna"
            ).offence
            == 1
        )

    def test_between_deals_the_event_adds_the_marks(self):
        history = [Previous("r1", "T-COMM", "anna", measure=Measure.WARNING)]
        proposal = self.offence(history, offender="anna")
        assert proposal.deal.marks == {}
        assert [a.marks for a in proposal.adjustments] == [{"NS": 0, "EW": 30}]
        inside = self.offence(history, offender="anna", deal="d4")
        assert inside.adjustments == ()
        assert inside.deal.marks == {"NS": 0, "EW": 30}
        assert [i.as_json() for i in inside.deal.infractions] == [
            {"article": "T-COMM", "side": "NS", "repeated": True}
        ]

    def test_a_forfeit_is_worth_no_match_points(self):
        game = game_for("muette")
        facts = {"offender": "N", "minutes": 20}
        proposal = decide(code_for("muette"), "T-LATE", facts, Policy.STRICT, game)
        assert [(a.measure, a.side, a.match_points) for a in proposal.adjustments] == [
            (Measure.ROUND_FORFEITED, "NS", 0)
        ]

    def test_half_of_an_odd_penalty_stays_exact(self):
        game = game_for("muette", {"penalty_value": 25})
        facts = {"offender": "N", "minutes": 9}
        proposal = decide(code_for("muette"), "T-LATE", facts, Policy.STRICT, game)
        assert proposal.marks == {"NS": 0, "EW": Fraction(25, 2)}


class TestOneDeal:
    """C.2: exactly one penalty per deal and side; Q-GEN-9: both sides at fault."""

    def effect(self, seat, article="000-P1", **context):
        facts = {"offender": seat, "noticed": "after_deal"}
        game = game_for("parlee", **context)
        return decide(code_for("parlee"), article, facts, Policy.STRICT, game).deal

    def test_two_offences_of_one_side_cost_once(self):
        game = game_for("parlee")
        effect = combine([self.effect("N"), self.effect("S", "000-P3")], game)
        assert effect.marks == {"NS": 0, "EW": 34}
        assert [i.article for i in effect.infractions] == ["000-P1"]

    @pytest.mark.guide("referee#what-to-keep-in-mind")
    def test_both_at_fault_cancel(self):
        game = game_for("parlee", dealer="W", turn_up="AH")
        effects = [self.effect("N"), self.effect("E")]
        effect = combine(effects, game)
        assert both_at_fault(effects)
        assert effect.outcome is DealOutcome.REDEALT
        assert effect.next_dealer is NextDealer.SAME
        assert effect.marks == {}
        assert effect.infractions == ()
        assert str(effect.bonus) == "cancelled"

    def test_the_reasons_say_so(self):
        history = [Previous("r1", "000-P1", "anna", "d1", "NS", Measure.PENALTY)]
        game = game_for("parlee", deal="d1")
        for seat, cites in (("N", "C.2"), ("E", "Q-GEN-9")):
            facts = {"offender": seat, "noticed": "after_deal"}
            proposal = decide(code_for("parlee"), "000-P3", facts, Policy.STRICT, game, history)
            assert cites in [reason.cites for reason in proposal.rationale]

    def test_a_void_deal_is_stronger_but_keeps_the_penalty(self):
        game = game_for("parlee")
        redeal = decide(
            code_for("boussac"), "001-R1", {"dealer": "N"}, Policy.STRICT, game_for("boussac")
        ).deal
        effect = combine([self.effect("N"), redeal], game)
        assert effect.outcome is DealOutcome.REDEALT
        assert effect.marks == {"NS": 0, "EW": 34}
        assert [i.as_json() for i in effect.infractions] == [
            {"article": "000-P1", "side": "NS"},
            {"article": "001-R1"},
        ]

    def test_a_deal_cancelled_at_the_bell_keeps_the_penalty_outside_the_sheet(self):
        game = game_for("parlee", {"penalty_replaces_deal": False})
        facts = {"offender": "N", "what": "bell_before"}
        bell = decide(code_for("parlee"), "T-SLOW", facts, Policy.STRICT, game).deal
        facts = {"offender": "N", "noticed": "after_deal"}
        revoke = decide(code_for("parlee"), "000-P1", facts, Policy.STRICT, game).deal
        effect = combine([revoke, bell], game)
        assert effect.outcome is DealOutcome.CANCELLED
        assert effect.infractions == ()
        assert effect.extra == {"NS": 0, "EW": 34}

    def test_nothing_in_force_leaves_the_deal_alone(self):
        assert combine([], game_for("parlee")) == DealEffect(DealOutcome.STANDS)


class TestFacts:
    def test_all_defects_are_listed(self):
        game = game_for("boussac")
        with pytest.raises(FactsError) as refused:
            decide(
                code_for("boussac"),
                "001-R11",
                {"offender": "Q", "moon": 1, "trick": 99},
                Policy.STRICT,
                game,
            )
        assert [(d.field, d.code) for d in refused.value.defects] == [
            ("moon", "unknown"),
            ("offender", "wrong"),
            ("played_after", "missing"),
            ("trick", "wrong"),
        ]

    @pytest.mark.parametrize(
        ("article", "facts"),
        [
            ("000-P1", {"offender": "N", "noticed": "yesterday"}),
            ("000-P1", {"offender": "N", "noticed": "same_trick", "card": "11H"}),
            ("000-P1", {"offender": "N", "noticed": "same_trick", "trick": True}),
            ("000-E1", {"offender": "N", "proved": "yes"}),
            ("T-LATE", {"offender": "N", "minutes": -1}),
        ],
    )
    def test_impossible_values(self, article, facts):
        code, game = code_for("parlee"), game_for("parlee")
        assert [d.code for d in fact_defects(code.article(article), facts, game)] == ["wrong"]


def values(field, game):
    """Return a strategy for every kind of value that a field takes."""
    if field.type is FactType.BOOL:
        found = st.booleans()
    elif field.type in (FactType.INT, FactType.TRICK):
        found = st.integers(field.minimum or 0, min(field.maximum or 40, 40))
    elif field.type is FactType.SEAT:
        found = st.sampled_from(sorted(game.sides))
    elif field.type is FactType.CARD:
        found = st.sampled_from(["10H", "7S"])
    else:
        found = st.sampled_from([value for value, _ in field.choices])
    return found if field.required else st.none() | found


@st.composite
def proposals(draw, rulebooks=PAIR_RULEBOOKS, **context):
    rulebook = draw(st.sampled_from(rulebooks))
    options = {
        "penalty_mode": draw(st.sampled_from([str(mode) for mode in PenaltyMode])),
        "penalty_multiplied": draw(st.booleans()),
        "penalty_replaces_deal": draw(st.booleans()),
    }
    game = game_for(
        rulebook,
        options,
        deal="d1",
        match="m1",
        dealer=draw(st.sampled_from("NESW")),
        turn_up=draw(st.sampled_from(["10H", "KD", "7C"]))
        if rulebook in ("parlee", "boussac")
        else None,
        factor=draw(st.sampled_from([1, 2, 4])),
        **context,
    )
    code = code_for(rulebook)
    made = []
    for article in draw(st.lists(st.sampled_from(code.articles), min_size=1, max_size=4)):
        facts = {f.name: draw(values(f, game)) for f in article.facts}
        if facts.get("measure") == "penalty" and not facts["offender"]:
            facts["offender"] = "N"
        policy = draw(st.sampled_from(list(Policy)))
        history = [
            Previous(
                f"r{n}",
                article.id,
                None,
                "d1",
                draw(st.sampled_from(["NS", "EW"])),
                draw(st.sampled_from([Measure.NONE, Measure.PUT_RIGHT])),
                "m1",
            )
            for n in range(draw(st.integers(0, 2)))
        ]
        made.append(decide(code, article.id, facts, policy, game, history))
    return game, code, made


@settings(max_examples=60, deadline=None)
@given(proposals())
def test_what_holds_of_every_proposal(drawn):
    game, code, made = drawn
    for proposal in made:
        effect = proposal.deal
        # A penalty moves the difference between the sides by its amount, credited or debited.
        if effect.offender is not None:
            other = game.opponents(effect.offender)[0]
            assert signed(effect.marks, other) == effect.charge > 0
            assert proposal.beneficiaries == (other,)
        else:
            assert effect.marks == {}
        # Every mark is transferred once: by an infraction of the engine or as an extra.
        assert bool(effect.extra) == (bool(effect.marks) and not effect.infractions)
        assert len(effect.infractions) <= 1
        # A deal stays open exactly when a choice is open.
        assert (effect.outcome is DealOutcome.PENDING) == bool(proposal.choices)
        assert (effect.next_dealer is NextDealer.SAME) == (effect.outcome is DealOutcome.REDEALT)
        # Reasons: the article first or after the one it replaces, all in three languages.
        assert proposal.article in code
        assert any(r.cites.startswith(proposal.article) for r in proposal.rationale[:2])
        for reason in proposal.rationale:
            assert reason.cites
            assert all(reason.text.render(language).strip() for language in ("en", "fr", "nl"))
        origin = code.article(proposal.article).origin
        if origin is not Origin.SOURCE:
            word = {Origin.RECOMMENDED: "recommended", Origin.ADDITION: "addition"}[origin]
            assert any(word in reason.text.render("en") for reason in proposal.rationale)
        # A proposal can be stored and serialised unchanged.
        assert proposal.as_json()["article"] == proposal.article


@pytest.mark.guide("referee#what-to-keep-in-mind")
@settings(max_examples=60, deadline=None)
@given(proposals())
def test_one_penalty_per_deal_and_side(drawn):
    game, _code, made = drawn
    effects = [proposal.deal for proposal in made]
    together = combine(effects, game)
    of_play = [e for e in effects if e.offender is not None and not e.conduct]
    conduct = [e for e in effects if e.offender is not None and e.conduct]
    sides = {e.offender for e in of_play}
    if len(sides) > 1:
        assert together.outcome is DealOutcome.REDEALT
    elif sides:
        assert together.charge == max(e.charge for e in of_play)
    # Conduct penalties are added to the result of play (Q-GEN-9).
    alone = combine([e for e in effects if e not in conduct], game).marks
    assert len(sides) == 1 or alone == {}
    for side in game.all_sides:
        added = sum(e.marks.get(side, 0) for e in conduct)
        assert together.marks.get(side, 0) == alone.get(side, 0) + added


@settings(max_examples=50, deadline=None)
@given(proposals(), st.lists(st.integers(0, 7), max_size=12))
def test_annulling_gives_back_exactly(drawn, story):
    """Issue and annul rulings at random: the running totals always equal the recomputed totals."""
    game, _code, made = drawn
    in_force: list[int] = []
    total = dict.fromkeys(game.all_sides, 0)
    for step in story:
        before = combine([made[n].deal for n in in_force], game).marks
        index = step % len(made)
        if index in in_force:
            in_force.remove(index)
        else:
            in_force.append(index)
        after = combine([made[n].deal for n in in_force], game).marks
        for side in total:
            total[side] += after.get(side, 0) + reversal(before).get(side, 0)
    left = combine([made[n].deal for n in in_force], game).marks
    assert total == {side: left.get(side, 0) for side in game.all_sides}
    if not in_force:
        assert set(total.values()) == {0}


SCORABLE = {
    "parlee": {"contract": {"declarer": "NS", "trump": "H"}, "points": {"NS": 40, "EW": 28}},
    "boussac": {"contract": {"declarer": "NS", "trump": "H"}, "points": {"NS": 40, "EW": 28}},
    "muette": {"contract": {"declarer": "NS", "trump": "H"}, "points": {"NS": 40, "EW": 20}},
    "belgian": {"contract": {"declarer": "NS", "trump": "H"}, "points": {"NS": 40, "EW": 20}},
}


@settings(max_examples=50, deadline=None)
@given(proposals(tuple(SCORABLE)))
def test_the_engine_marks_what_the_rulings_say(drawn):
    """The engine scores the infractions of a proposal to the proposed marks."""
    game, _code, made = drawn
    effect = combine([proposal.deal for proposal in made], game)
    if not effect.infractions or game.penalty_multiplied:
        return
    payload = {
        "rulebook": game.rulebook,
        "options": {
            "penalty_mode": str(game.penalty_mode),
            "penalty_replaces_deal": game.penalty_replaces_deal,
            # These proposals are made before the result of the deal is known.
            "penalty_floor": False,
        },
        "dealer": game.dealer,
        "infractions": [entry.as_json() for entry in effect.infractions],
        **SCORABLE[game.rulebook],
    }
    if game.turn_up:
        payload["turn_up"] = game.turn_up
    expected = dict.fromkeys(game.all_sides, 0)
    for side, marks in effect.marks.items():
        expected[side] += marks - effect.extra.get(side, 0)
    if str(effect.bonus) == "kept":
        expected[effect.bonus_side] += effect.bonus_marks
    if effect.outcome in (DealOutcome.STANDS, DealOutcome.PENDING):
        expected["NS"] += 6 if game.rulebook in ("parlee", "boussac") else 10
    assert answer("score", payload)["marks"] == expected
