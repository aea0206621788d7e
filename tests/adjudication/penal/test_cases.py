"""Rulings by table: the published infraction cases and every row of the catalogue, with citation.

Each row states facts and what must follow: article, verdict, marks of the two sides, fate of the
deal, fate of the turn-up bonus, measure.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from adjudication.penal import (
    DealOutcome,
    Measure,
    Policy,
    Previous,
    Verdict,
    code_for,
    decide,
    game_for,
)

PLAYED = {"noticed": "after_deal"}
MISDEAL = {"dealer": "S", "peeked": False, "ill_served": "W", "ill_served_played": False}


@dataclass(frozen=True)
class Row:
    id: str
    rulebook: str
    article: str
    facts: dict
    outcome: DealOutcome
    marks: tuple[int, int] = (0, 0)
    verdict: Verdict = Verdict.ESTABLISHED
    governs: str = ""
    bonus: str = "none"
    measure: Measure | None = None
    choices: tuple[str, ...] = ()
    again: bool = False
    context: dict = field(default_factory=dict)
    options: dict = field(default_factory=dict)
    policy: Policy = Policy.STRICT
    history: tuple[Previous, ...] = ()


def penalty(rulebook, article, facts, amount=None, outcome=DealOutcome.REPLACED, **more):
    """Return a row in which W (side EW) pays NS the penalty in place of the deal (Q-GEN-4)."""
    amount = amount or (34 if rulebook in ("parlee", "boussac", "chaloupee", "coinchee") else 30)
    return Row(
        f"{rulebook} {article}",
        rulebook,
        article,
        {"offender": "W", **facts},
        outcome,
        (amount, 0),
        measure=Measure.PENALTY,
        **more,
    )


def earlier(article, times=1, deal=None, side="EW", offender="anna", measure=Measure.WARNING):
    return tuple(Previous(f"r{n}", article, offender, deal, side, measure) for n in range(times))


ANNA = {"offender": "anna"}

E3 = [
    # I01: misdeal before the turn-up, dealer had not peeked: no points, deal passes (001 r.6).
    Row("I01", "boussac", "001-R6a", {**MISDEAL, "turned_up": False}, DealOutcome.VOID_PASSED),
    # I03: seen after the turn-up (a king): 34 to opponents, turn-up 3 cancelled (Q-GEN-5).
    Row(
        "I03",
        "boussac",
        "001-R6b",
        {**MISDEAL, "turned_up": True},
        DealOutcome.VOID_PASSED,
        (0, 34),
        bonus="cancelled",
        context={"dealer": "S", "turn_up": "KH"},
    ),
    # I05: a player with nine cards has played: their own side pays (r.7), not the dealer's.
    Row(
        "I05",
        "boussac",
        "001-R7",
        {**MISDEAL, "turned_up": True, "ill_served_played": True},
        DealOutcome.VOID_PASSED,
        (34, 0),
    ),
    # I07: gathers three cards and leads: 34 (r.11).
    penalty("boussac", "001-R11", {"played_after": True}),
    # I09: the leader announces pique but plays a heart, and the next opponent plays: the card stands (r.3).
    Row(
        "I09",
        "boussac",
        "001-R3",
        {"offender": "W", "next_played": True},
        DealOutcome.STANDS,
        verdict=Verdict.NO_OFFENCE,
    ),
    # I11: dealer exposes an opponent's card: opponents choose (r.2).
    Row(
        "I11",
        "boussac",
        "001-R2b",
        {"dealer": "S", "whose": "opponents"},
        DealOutcome.PENDING,
        choices=("redeal", "stand"),
    ),
]

SOURCE_000 = [
    penalty("parlee", "000-E1", {"proved": True}),
    Row(
        "E1 unproved",
        "parlee",
        "000-E1",
        {"offender": "W", "proved": False},
        DealOutcome.STANDS,
        verdict=Verdict.NO_OFFENCE,
    ),
    Row(
        "E2 first: warning, play continues",
        "parlee",
        "000-E2",
        {"offender": "W", "what": "asked_without_word"},
        DealOutcome.STANDS,
        measure=Measure.WARNING,
    ),
    Row(
        "E2 second: 34",
        "parlee",
        "000-E2",
        {"offender": "W", "what": "disobeyed"},
        DealOutcome.STANDS,
        (34, 0),
        measure=Measure.PENALTY,
        context=ANNA,
        history=earlier("000-E2"),
    ),
    *(penalty("parlee", f"000-P{n}", PLAYED) for n in (1, 2, 3, 4)),
    Row(
        "bonus inscribed stays (Q-GEN-4)",
        "parlee",
        "000-P1",
        {"offender": "W", **PLAYED},
        DealOutcome.REPLACED,
        (34, 0),
        bonus="kept",
        context={"dealer": "E", "turn_up": "10S"},
    ),
]

SOURCE_001 = [
    Row("R1 same dealer", "boussac", "001-R1", {"dealer": "S"}, DealOutcome.REDEALT, again=True),
    Row(
        "R1 cancels the bonus",
        "boussac",
        "001-R1",
        {"dealer": "S"},
        DealOutcome.REDEALT,
        again=True,
        bonus="cancelled",
        context={"dealer": "S", "turn_up": "JD"},
    ),
    Row(
        "R1 bonus kept by switch",
        "boussac",
        "001-R1",
        {"dealer": "S"},
        DealOutcome.REDEALT,
        again=True,
        bonus="kept",
        context={"dealer": "S", "turn_up": "JD"},
        options={"bonus_survives_redeal": True},
    ),
    Row("R2a", "boussac", "001-R2a", {"dealer": "S", "whose": "own"}, DealOutcome.STANDS),
    Row(
        "R2a picked, opponents' cards",
        "boussac",
        "001-R2a",
        {"dealer": "S", "whose": "opponents"},
        DealOutcome.PENDING,
        governs="001-R2b",
        choices=("redeal", "stand"),
    ),
    Row(
        "R2b redeal, same dealer",
        "boussac",
        "001-R2b",
        {"dealer": "S", "whose": "opponents", "opponents_choice": "redeal"},
        DealOutcome.REDEALT,
        again=True,
    ),
    Row(
        "R2b stand",
        "boussac",
        "001-R2b",
        {"dealer": "S", "whose": "opponents", "opponents_choice": "stand"},
        DealOutcome.STANDS,
    ),
    Row(
        "R3 open",
        "boussac",
        "001-R3",
        {"offender": "W", "next_played": False},
        DealOutcome.PENDING,
        choices=("retract", "cover"),
    ),
    Row("R4", "boussac", "001-R4", {"offender": "W"}, DealOutcome.STANDS),
    Row(
        "R5 opponents choose",
        "boussac",
        "001-R5",
        {"offender": "W"},
        DealOutcome.PENDING,
        choices=("lower", "upper"),
    ),
    Row(
        "R5 lower by switch",
        "boussac",
        "001-R5",
        {"offender": "W"},
        DealOutcome.STANDS,
        options={"two_cards": "LOWER"},
    ),
    Row(
        "R5 only one legal",
        "boussac",
        "001-R5",
        {"offender": "W", "lower_legal": False, "upper_legal": True},
        DealOutcome.STANDS,
    ),
    Row(
        "R7 picked before play, after turn-up: R6b",
        "boussac",
        "001-R7",
        {**MISDEAL, "turned_up": True},
        DealOutcome.VOID_PASSED,
        (0, 34),
        governs="001-R6b",
    ),
    Row(
        "R8 even when dealer's partner is ill served",
        "boussac",
        "001-R8",
        {**MISDEAL, "ill_served": "N", "turned_up": True, "noticed_by_ill_served": True},
        DealOutcome.VOID_PASSED,
        (0, 34),
    ),
    Row(
        "R17 before the turn-up overrides R6a",
        "boussac",
        "001-R6a",
        {**MISDEAL, "peeked": True, "turned_up": False},
        DealOutcome.VOID_PASSED,
        (0, 34),
        governs="001-R17",
    ),
    Row(
        "R17 before R7",
        "boussac",
        "001-R7",
        {**MISDEAL, "peeked": True, "turned_up": True, "ill_served_played": True},
        DealOutcome.VOID_PASSED,
        (0, 34),
        governs="001-R17",
    ),
    Row(
        "R7 both sides: Q-GEN-9",
        "boussac",
        "001-R7",
        {**MISDEAL, "turned_up": True, "ill_served_played": True, "both_sides_played": True},
        DealOutcome.REDEALT,
        again=True,
    ),
    *(penalty("boussac", f"001-R9{limb}", PLAYED) for limb in "abcd"),
    penalty("boussac", "001-R10", {"trick": 3}),
    Row(
        "R11 recognised in time",
        "boussac",
        "001-R11",
        {"offender": "W", "played_after": False},
        DealOutcome.STANDS,
        verdict=Verdict.NO_OFFENCE,
    ),
    penalty("boussac", "001-R12", {}),
    penalty("boussac", "001-R13", {"by_referee": False}),
    Row(
        "R13 arbiter's check",
        "boussac",
        "001-R13",
        {"offender": "W", "by_referee": True},
        DealOutcome.STANDS,
        verdict=Verdict.NO_OFFENCE,
    ),
    Row("R14", "boussac", "001-R14", {"offender": "W"}, DealOutcome.STANDS),
    Row("R15", "boussac", "001-R15", {"offender": "W"}, DealOutcome.STANDS),
    penalty("boussac", "001-R16", {"proved": True}),
]

SOURCES_002_003_004 = [
    *(penalty("chaloupee", f"002-P{n}", PLAYED) for n in (1, 2, 3, 4)),
    penalty("chaloupee", "002-A2", PLAYED),
    Row(
        "A1 first",
        "chaloupee",
        "002-A1",
        {"offender": "W", "what": "doubled_partner"},
        DealOutcome.STANDS,
        measure=Measure.CALL_VOID,
    ),
    Row(
        "A1 repeated in the deal, by the partner: the side is barred",
        "chaloupee",
        "002-A1",
        {"offender": "E", "what": "too_low"},
        DealOutcome.STANDS,
        measure=Measure.BARRED_FROM_BIDDING,
        context={"deal": "d1"},
        history=earlier("002-A1", deal="d1"),
    ),
    Row(
        "A1 in another deal counts anew",
        "chaloupee",
        "002-A1",
        {"offender": "W", "what": "too_low"},
        DealOutcome.STANDS,
        measure=Measure.CALL_VOID,
        context={"deal": "d2", **ANNA},
        history=earlier("002-A1", deal="d1"),
    ),
    Row("A3", "chaloupee", "002-A3", {"dealer": "S"}, DealOutcome.REDEALT, again=True),
    *(penalty("coinchee", f"003-P{n}", PLAYED) for n in (1, 2, 3, 4)),
    Row(
        "C1",
        "coinchee",
        "003-C1",
        {"offender": "W", "what": "too_late"},
        DealOutcome.STANDS,
        measure=Measure.CALL_VOID,
    ),
    penalty("muette", "004-V1", PLAYED),  # S25: the other pair 30
    Row(
        "004-E1 first",
        "muette",
        "004-E1",
        {"offender": "W"},
        DealOutcome.STANDS,
        measure=Measure.WARNING,
    ),
    penalty("muette", "004-E1", {}, context=ANNA, history=earlier("004-E1")),
    penalty("parlee-limited", "004-E2", {"what": "gesture"}),
    penalty("parlee-limited", "004-E3", {"what": "untrue"}),
    penalty("parlee-limited", "004-E3", {"what": "instruction", "possible": True}),
    Row(
        "004-E3 impossible instruction",
        "parlee-limited",
        "004-E3",
        {"offender": "W", "what": "instruction", "possible": False},
        DealOutcome.STANDS,
        verdict=Verdict.NO_OFFENCE,
    ),
    Row(
        "004-B1 open",
        "muette",
        "004-B1",
        {"dealer": "S"},
        DealOutcome.PENDING,
        choices=("stand", "redeal"),
    ),
    Row(
        "004-B1 stands, doubling cancelled",
        "muette",
        "004-B1",
        {"dealer": "S", "opponents_choice": "stand"},
        DealOutcome.STANDS,
        measure=Measure.CALL_VOID,
    ),
    Row(
        "004-B2 accident",
        "blind",
        "004-B2",
        {"offender": "W", "deliberate": False},
        DealOutcome.REDEALT,
        verdict=Verdict.NO_OFFENCE,
        again=True,
    ),
    Row(
        "004-B2 deliberate: redeal and 30",
        "blind",
        "004-B2",
        {"offender": "W", "deliberate": True},
        DealOutcome.REDEALT,
        (30, 0),
        again=True,
    ),
    Row(
        "004-A1",
        "auction-2",
        "004-A1",
        {"offender": "2", "what": "bid_after_passing"},
        DealOutcome.STANDS,
        measure=Measure.CALL_VOID,
    ),
    *(penalty("belgian", f"BE-P{n}", PLAYED) for n in (1, 2, 3, 4, 5)),
]

TOURNAMENT = [
    Row(
        "LATE 5",
        "muette",
        "T-LATE",
        {"offender": "W", "minutes": 5},
        DealOutcome.STANDS,
        measure=Measure.WARNING,
    ),
    Row(
        "LATE 6: one deal at half value",
        "muette",
        "T-LATE",
        {"offender": "W", "minutes": 6},
        DealOutcome.STANDS,
        (15, 0),
        measure=Measure.DEALS_CONCEDED,
    ),
    Row(
        "LATE 14: two deals",
        "parlee",
        "T-LATE",
        {"offender": "W", "minutes": 14},
        DealOutcome.STANDS,
        (34, 0),
        measure=Measure.DEALS_CONCEDED,
    ),
    Row(
        "LATE 15",
        "muette",
        "T-LATE",
        {"offender": "W", "minutes": 15},
        DealOutcome.STANDS,
        measure=Measure.ROUND_FORFEITED,
    ),
    Row(
        "ABS",
        "muette",
        "T-ABS",
        {"offender": "W", "what": "no_show"},
        DealOutcome.STANDS,
        measure=Measure.ROUND_FORFEITED,
    ),
    Row(
        "ABS league",
        "muette",
        "T-ABS",
        {"offender": "W", "what": "league_withdrawal"},
        DealOutcome.STANDS,
        measure=Measure.RESULTS_DELETED,
    ),
    Row(
        "COMM 1", "muette", "T-COMM", {"offender": "W"}, DealOutcome.STANDS, measure=Measure.WARNING
    ),
    penalty(
        "muette", "T-COMM", {}, outcome=DealOutcome.STANDS, context=ANNA, history=earlier("T-COMM")
    ),
    Row(
        "COMM 3",
        "muette",
        "T-COMM",
        {"offender": "W"},
        DealOutcome.STANDS,
        measure=Measure.DISQUALIFIED,
        context=ANNA,
        history=earlier("T-COMM", 2),
    ),
    Row("PEEK", "coinchee", "T-PEEK", {"offender": "W"}, DealOutcome.VOID_PASSED),
    Row(
        "MISD 1",
        "muette",
        "T-MISD",
        {"dealer": "W", "deliberate": False},
        DealOutcome.REDEALT,
        again=True,
        measure=Measure.REDEAL,
    ),
    Row(
        "MISD 2 passes",
        "muette",
        "T-MISD",
        {"dealer": "W", "deliberate": False},
        DealOutcome.VOID_PASSED,
        measure=Measure.DEAL_PASSES,
        context={"deal": "d1"},
        history=earlier("T-MISD", deal="d1"),
    ),
    Row(
        "MISD 2 deliberate: 30",
        "muette",
        "T-MISD",
        {"dealer": "W", "deliberate": True},
        DealOutcome.VOID_PASSED,
        (30, 0),
        measure=Measure.PENALTY,
        context={"deal": "d1"},
        history=earlier("T-MISD", deal="d1"),
    ),
    Row(
        "SLOW",
        "muette",
        "T-SLOW",
        {"offender": "W", "what": "slow"},
        DealOutcome.STANDS,
        measure=Measure.WARNING,
    ),
    Row(
        "SLOW 2, half the penalty",
        "muette",
        "T-SLOW",
        {"offender": "W", "what": "slow"},
        DealOutcome.STANDS,
        (15, 0),
        measure=Measure.PENALTY,
        context={**ANNA, "deal": "d1"},
        history=earlier("T-SLOW"),
    ),
    Row(
        "SLOW 3, the penalty",
        "muette",
        "T-SLOW",
        {"offender": "W", "what": "slow"},
        DealOutcome.STANDS,
        (30, 0),
        measure=Measure.PENALTY,
        context={**ANNA, "deal": "d1"},
        history=earlier("T-SLOW", 2),
    ),
    Row(
        "SLOW after a deal at the bell",
        "muette",
        "T-SLOW",
        {"offender": "W", "what": "slow"},
        DealOutcome.STANDS,
        measure=Measure.WARNING,
        context=ANNA,
        history=earlier("T-SLOW", measure=Measure.NONE),
    ),
    Row(
        "SLOW bell, trick 1 done",
        "muette",
        "T-SLOW",
        {"offender": "W", "what": "bell_first_trick"},
        DealOutcome.STANDS,
        measure=Measure.NONE,
    ),
    Row(
        "SLOW bell before",
        "muette",
        "T-SLOW",
        {"offender": "W", "what": "bell_before"},
        DealOutcome.CANCELLED,
        measure=Measure.NONE,
    ),
    Row(
        "PHONE 1",
        "muette",
        "T-PHONE",
        {"offender": "W"},
        DealOutcome.STANDS,
        measure=Measure.WARNING,
    ),
    penalty(
        "muette",
        "T-PHONE",
        {},
        outcome=DealOutcome.STANDS,
        context=ANNA,
        history=earlier("T-PHONE"),
    ),
    Row(
        "PHONE 3",
        "muette",
        "T-PHONE",
        {"offender": "W"},
        DealOutcome.STANDS,
        measure=Measure.EXCLUDED_FROM_ROUND,
        context=ANNA,
        history=earlier("T-PHONE", 2),
    ),
    penalty("muette", "T-INT", {"proved": True, "measure": "penalty"}, 60, context={"deal": "d1"}),
    Row(
        "INT round",
        "muette",
        "T-INT",
        {"offender": "W", "proved": True, "measure": "round_forfeited"},
        DealOutcome.STANDS,
        measure=Measure.ROUND_FORFEITED,
    ),
    Row(
        "INT repeated",
        "muette",
        "T-INT",
        {"offender": "W", "proved": True, "measure": "penalty"},
        DealOutcome.STANDS,
        measure=Measure.DISQUALIFIED,
        context=ANNA,
        history=earlier("T-INT"),
    ),
    Row(
        "UNSP",
        "muette",
        "T-UNSP",
        {"offender": "W", "measure": "disqualified"},
        DealOutcome.STANDS,
        measure=Measure.DISQUALIFIED,
    ),
    Row("SPEC", "muette", "T-SPEC", {}, DealOutcome.STANDS, measure=Measure.REMOVED),
    Row("SELF", "muette", "T-SELF", {}, DealOutcome.STANDS, measure=Measure.CLAIM_REFUSED),
    Row("SLIP 15", "muette", "T-SLIP", {"minutes": 15}, DealOutcome.STANDS, measure=Measure.NONE),
    Row(
        "SLIP 16",
        "muette",
        "T-SLIP",
        {"minutes": 16},
        DealOutcome.STANDS,
        measure=Measure.CLAIM_REFUSED,
    ),
    penalty("muette", "T-CLAIM", {"opponents_can_win": True}),
    Row(
        "CLAIM good",
        "muette",
        "T-CLAIM",
        {"offender": "W", "opponents_can_win": False},
        DealOutcome.STANDS,
        verdict=Verdict.NO_OFFENCE,
    ),
]

MATCH = {"match": "table 1, round 1"}


def before(article, times=1, side="EW", match=MATCH["match"], measure=Measure.PUT_RIGHT):
    """Return earlier rulings of the same match against the side."""
    return tuple(
        Previous(f"g{n}", article, f"p{n}", f"d{n}", side, measure, match) for n in range(times)
    )


def first_time(rulebook, article, facts, measure=Measure.PUT_RIGHT, choices=(), **more):
    """Return a row in which W commits a general fault for the first time: no marks, the deal stands."""
    outcome = DealOutcome.PENDING if choices else DealOutcome.STANDS
    return Row(
        f"{rulebook} {article} first {more.get('history') and 'again'} {sorted(facts.items())}",
        rulebook,
        article,
        {"offender": "W", **facts},
        outcome,
        measure=None if choices else measure,
        choices=choices,
        **{"context": MATCH, **more},
    )


def again(rulebook, article, facts, **more):
    """Return a row in which the same side offends again in the same match: the penalty (C.8)."""
    return penalty(
        rulebook, article, facts, **{"context": MATCH, "history": before(article), **more}
    )


NOT_YET = {"right_player_played": False}
NINE = {"ill_served": "W", "ill_served_played": True}
GENERAL = [
    # C.8: "card back in the hand if the right player had not yet played, else it stands"; the
    # other side may "accept the card as played"; again by the same side in the same match: P.
    first_time("belgian", "GEN-TURN", NOT_YET, choices=("retract", "accept")),
    first_time("belgian", "GEN-TURN", {**NOT_YET, "opponents_choice": "retract"}),
    first_time("belgian", "GEN-TURN", {**NOT_YET, "opponents_choice": "accept"}, Measure.NONE),
    first_time("belgian", "GEN-TURN", {"right_player_played": True}),
    again("belgian", "GEN-TURN", NOT_YET),
    again("belgian", "GEN-TURN", {"right_player_played": True}),
    # The other side accepts the card: no penalty.
    first_time(
        "belgian",
        "GEN-TURN",
        {**NOT_YET, "opponents_choice": "accept"},
        Measure.NONE,
        history=before("GEN-TURN"),
    ),
    # In another match, by the other side, or after an accepted card, it is the first time.
    first_time(
        "belgian",
        "GEN-TURN",
        {**NOT_YET, "opponents_choice": "retract"},
        history=(
            *before("GEN-TURN", match="table 1, round 2"),
            *before("GEN-TURN", side="NS"),
            *before("GEN-TURN", measure=Measure.NONE),
        ),
    ),
    # "stays face up, played at the first legal chance | P"
    first_time("belgian", "GEN-SHOW", {}),
    first_time("boussac", "GEN-SHOW", {}),
    again("belgian", "GEN-SHOW", {}),
    # "as two_cards | P | choice"
    first_time("muette", "GEN-TWO", {}, choices=("lower", "upper")),
    first_time("muette", "GEN-TWO", {}, options={"two_cards": "LOWER"}),
    first_time("muette", "GEN-TWO", {"lower_legal": False, "upper_legal": True}),
    again("muette", "GEN-TWO", {}),
    # "before the ill-served player has played: redeal, same dealer. After they played: P against the
    # side that played on, deal void; both sides: void, no P"
    Row(
        "COUNT not played",
        "belgian",
        "GEN-COUNT",
        {**NINE, "ill_served_played": False},
        DealOutcome.REDEALT,
        verdict=Verdict.NO_OFFENCE,
        again=True,
        context={"dealer": "S"},
    ),
    Row(
        "COUNT played",
        "belgian",
        "GEN-COUNT",
        NINE,
        DealOutcome.VOID_PASSED,
        (30, 0),
        measure=Measure.PENALTY,
    ),
    Row(
        "COUNT both",
        "belgian",
        "GEN-COUNT",
        {**NINE, "both_sides_played": True},
        DealOutcome.REDEALT,
        again=True,
        context={"dealer": "S"},
    ),
    # "call null, its factor taken out | P | let it stand"
    first_time("belgian", "GEN-CALL", {"what": "too_late"}, choices=("void", "stand")),
    first_time(
        "belgian",
        "GEN-CALL",
        {"what": "too_late", "opponents_choice": "void"},
        Measure.CALL_VOID,
    ),
    first_time(
        "belgian", "GEN-CALL", {"what": "wrong_side", "opponents_choice": "stand"}, Measure.NONE
    ),
    again(
        "belgian",
        "GEN-CALL",
        {"what": "not_enabled"},
        history=before("GEN-CALL", measure=Measure.CALL_VOID),
    ),
    # "null; the right player names | P | let it stand"
    first_time("belgian", "GEN-NAME", {"what": "wrong_player"}, choices=("again", "stand")),
    first_time("coinchee", "GEN-NAME", {"what": "changed", "opponents_choice": "again"}),
    again("coinchee", "GEN-NAME", {"what": "changed"}),
    # "shown again | warning, then P" (000, 001)
    first_time("parlee", "GEN-UP", {}),
    first_time("boussac", "GEN-UP", {}, Measure.WARNING, history=before("GEN-UP")),
    again("parlee", "GEN-UP", {}, history=before("GEN-UP", 2)),
    # "put right | P"
    first_time("belgian", "GEN-TRICK", {"what": "looked"}),
    again("belgian", "GEN-TRICK", {"what": "mixed"}),
    Row(
        "TRICK checked",
        "belgian",
        "GEN-TRICK",
        {"offender": "W", "what": "looked", "by_referee": True},
        DealOutcome.STANDS,
        verdict=Verdict.NO_OFFENCE,
    ),
    # "tricks that any legal play could lose go to the other side | P | play on"
    first_time("belgian", "GEN-CLAIM", {"opponents_can_win": True}, choices=("tricks", "play_on")),
    first_time("belgian", "GEN-CLAIM", {"opponents_can_win": True, "opponents_choice": "tricks"}),
    again("belgian", "GEN-CLAIM", {"opponents_can_win": True}),
    # "corrected … while the round is open, afterwards by the director until the standings are final"
    *(
        Row(
            f"SCORE {when}",
            "belgian",
            "GEN-SCORE",
            {"when": when},
            DealOutcome.STANDS,
            measure=measure,
        )
        for when, measure in (
            ("round_open", Measure.PUT_RIGHT),
            ("round_closed", Measure.PUT_RIGHT),
            ("standings_final", Measure.CLAIM_REFUSED),
        )
    ),
    # "at the referee's discretion, reason compulsory: none, warning, marks up to P, redeal"
    Row(
        "DISC none",
        "belgian",
        "GEN-DISC",
        {"measure": "none"},
        DealOutcome.STANDS,
        measure=Measure.NONE,
    ),
    Row(
        "DISC warning",
        "belgian",
        "GEN-DISC",
        {"offender": "W", "measure": "warning"},
        DealOutcome.STANDS,
        measure=Measure.WARNING,
    ),
    Row(
        "DISC 12",
        "belgian",
        "GEN-DISC",
        {"offender": "W", "measure": "penalty", "points": 12},
        DealOutcome.STANDS,
        (12, 0),
        measure=Measure.PENALTY,
        context={"deal": "d1"},
    ),
    Row(
        "DISC P",
        "parlee",
        "GEN-DISC",
        {"offender": "W", "measure": "penalty"},
        DealOutcome.STANDS,
        (34, 0),
        measure=Measure.PENALTY,
        context={"deal": "d1"},
    ),
    Row(
        "DISC redeal",
        "belgian",
        "GEN-DISC",
        {"measure": "redeal"},
        DealOutcome.REDEALT,
        measure=Measure.REDEAL,
        again=True,
        context={"dealer": "S"},
    ),
]

ROWS = [*E3, *SOURCE_000, *SOURCE_001, *SOURCES_002_003_004, *TOURNAMENT, *GENERAL]


def ruled(row):
    return decide(
        code_for(row.rulebook),
        row.article,
        row.facts,
        row.policy,
        game_for(row.rulebook, row.options, **row.context),
        row.history,
    )


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_ruling(row):
    proposal = ruled(row)
    assert proposal.article == (row.governs or row.article)
    assert proposal.verdict is row.verdict
    assert (proposal.marks.get("NS", 0), proposal.marks.get("EW", 0)) == row.marks
    assert proposal.deal.outcome is row.outcome
    assert str(proposal.deal.bonus) == row.bonus
    if row.measure is not None:
        assert proposal.measure is row.measure
    assert tuple(o for c in proposal.choices for o, _ in c.options) == row.choices
    assert (str(proposal.deal.next_dealer) == "same") is row.again
    assert any(proposal.article in reason.cites for reason in proposal.rationale)


def test_every_article_of_every_rulebook_has_a_row():
    ruled_on = {ruled(row).article for row in ROWS} | {"004-T1"}
    from adjudication.penal import all_articles

    assert ruled_on == set(all_articles())


@pytest.mark.parametrize("what", ["looked", "exchanged"])
def test_the_dealer_of_three_pays_each_opponent(what):
    """004-T1: 30 to each opponent."""
    proposal = decide(
        code_for("three-player"),
        "004-T1",
        {"offender": "3", "what": what},
        Policy.STRICT,
        game_for("three-player"),
    )
    assert proposal.marks == {"3": 0, "12": 30}
    assert proposal.beneficiaries == ("12",)


def test_one_of_the_two_against_the_dealer_pays_him():
    """004-V1 in the three-player game: the dealer marks 30."""
    facts = {"offender": "1", **PLAYED}
    game = game_for("three-player")
    proposal = decide(code_for("three-player"), "004-V1", facts, Policy.STRICT, game)
    assert proposal.marks == {"12": 0, "3": 30}


def test_an_auction_offender_pays_as_if_he_had_failed():
    """B.3: the hand is void and the offender pays; in auction 1 to each opponent."""
    facts = {"offender": "2", **PLAYED}
    one = decide(
        code_for("auction-1"), "BE-P1", facts, Policy.STRICT, game_for("auction-1", stake=5)
    )
    assert one.marks == {"1": 5, "2": -15, "3": 5, "4": 5}
    game = game_for("auction-1", stake=5, declarer="3")
    defending = decide(code_for("auction-1"), "BE-P1", facts, Policy.STRICT, game)
    assert defending.marks == {"1": 0, "2": -15, "3": 15, "4": 0}
    assert defending.beneficiaries == ("3",)
    before = decide(code_for("auction-1", "2026.4"), "BE-P1", facts, Policy.STRICT, game)
    assert before.marks == one.marks
    two = decide(
        code_for("auction-2"), "BE-P1", facts, Policy.STRICT, game_for("auction-2", stake=40)
    )
    assert two.marks == {"2": -40}
    unknown = decide(code_for("auction-2"), "BE-P1", facts, Policy.STRICT, game_for("auction-2"))
    assert unknown.marks == {}
    assert [i.article for i in unknown.deal.infractions] == ["BE-P1"]
