"""Thirty rulings checked against the five sources: the phrase that supports each, and its amount.

The phrases are those of the sources, word for word; the amounts are counted by hand from them. Of
001 only an English translation is known. "Rec." marks what a source leaves open (rules C.3–C.5).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from adjudication.penal import DealOutcome, Measure, Policy, Previous, code_for, decide, game_for
from adjudication.penal.article import Origin
from scoring.engine.calls import answer

BAD_DEAL = {"dealer": "S", "peeked": False, "ill_served": "W", "ill_served_played": False}
SEEN = {"noticed": "after_deal"}
GONE = DealOutcome.VOID_PASSED


@dataclass(frozen=True)
class Read:
    """A ruling against W (E-W), or the dealer S (N-S): marks of N-S and E-W, and its source."""

    rulebook: str
    article: str
    source: str
    phrase: str
    facts: dict[str, Any]
    marks: tuple[int, int]
    outcome: DealOutcome = DealOutcome.REPLACED
    again: int = 0
    """Earlier offences of the same person."""
    context: dict[str, Any] = field(default_factory=dict)


READ = [
    # 000, "Une pénalité de 34 points frappe les auteurs de contraventions à l’éthique … ou aux
    # prescriptions régissant le Jeu de la carte".
    Read("parlee", "000-E1", "000", "de façon non conventionnelle", {"proved": True}, (34, 0)),
    Read("parlee", "000-P1", "000", "ne pas fournir de la couleur demandée", SEEN, (34, 0)),
    Read("parlee", "000-P2", "000", "ne pas forcer sur une carte adverse", SEEN, (34, 0)),
    Read("parlee", "000-P3", "000", "ne pas couper quand on le doit", SEEN, (34, 0)),
    Read("parlee", "000-P4", "000", "ne pas surcouper quand on le peut", SEEN, (34, 0)),
    # 001, r.6 to r.17.
    Read(
        "boussac",
        "001-R6a",
        "001",
        "Who blunders",
        {**BAD_DEAL, "turned_up": False},
        (0, 0),
        GONE,
    ),
    Read(
        "boussac",
        "001-R6b",
        "001",
        "after having returned",
        {**BAD_DEAL, "turned_up": True},
        (0, 34),
        GONE,
    ),
    Read(
        "boussac",
        "001-R7",
        "001",
        "plays with cards in addition or less",
        {**BAD_DEAL, "turned_up": True, "ill_served_played": True},
        (34, 0),
        GONE,
    ),
    Read("boussac", "001-R9a", "001", "Who renounces", SEEN, (34, 0)),
    Read("boussac", "001-R9b", "001", "cuts to false", SEEN, (34, 0)),
    Read("boussac", "001-R9c", "001", "sub-torce", SEEN, (34, 0)),
    Read("boussac", "001-R10", "001", "Who plays before", {}, (34, 0)),
    Read("boussac", "001-R11", "001", "made up of only 3 cards", {"played_after": True}, (34, 0)),
    Read("boussac", "001-R12", "001", "leaving two lifting on the carpet", {}, (34, 0)),
    Read("boussac", "001-R13", "001", "looks at a folded lifting", {"by_referee": False}, (34, 0)),
    Read(
        "boussac",
        "001-R17",
        "001",
        "can look at the return",
        {**BAD_DEAL, "peeked": True, "turned_up": False},
        (0, 34),
        GONE,
    ),
    # 002 states duties and no penalty: 34 is rec., by 000 and 001.
    Read("chaloupee", "002-P2", "002", "On monte à la couleur", SEEN, (34, 0)),
    Read("chaloupee", "002-P3", "002", "On ne pisse pas à l’atout", SEEN, (34, 0)),
    Read("chaloupee", "002-P4", "002", "supérieurs à l’atout maître", SEEN, (34, 0)),
    # 003 states duties and no penalty: 34 is rec., half of "les 68 points de jeu".
    Read(
        "coinchee", "003-P1", "003", "obligatoire de fournir de la couleur demandée", SEEN, (34, 0)
    ),
    Read("coinchee", "003-P2", "003", "Si l’adversaire est maître, il faut monter", SEEN, (34, 0)),
    Read("coinchee", "003-P3", "003", "on doit couper", SEEN, (34, 0)),
    Read("coinchee", "003-P4", "003", "doit sur-couper si possible", SEEN, (34, 0)),
    Read(
        "coinchee",
        "003-C1",
        "003",
        "annoncés en début de partie",
        {"what": "too_late"},
        (0, 0),
        DealOutcome.STANDS,
    ),
    # 004, "the other pair gets the maximum points for that deal (30 points)".
    Read("muette", "004-V1", "004", "the other pair gets the maximum points", SEEN, (30, 0)),
    # Talking: a "violation of the rules"; rec. a warning the first time.
    Read(
        "muette",
        "004-E1",
        "004",
        "not allowed to talk about their cards",
        {},
        (0, 0),
        DealOutcome.STANDS,
    ),
    Read("muette", "004-E1", "004", "not allowed to talk about their cards", {}, (30, 0), again=1),
    Read(
        "parlee-limited",
        "004-E2",
        "004",
        "single piece of information",
        {"what": "more_than_one"},
        (30, 0),
    ),
    Read("parlee-limited", "004-E3", "004", "answered truthfully", {"what": "untrue"}, (30, 0)),
    Read(
        "parlee-limited",
        "004-E3",
        "004",
        "answered truthfully",
        {"what": "instruction", "possible": False},
        (0, 0),
        DealOutcome.STANDS,
    ),
    Read(
        "muette",
        "004-B1",
        "004",
        "before seeing",
        {"dealer": "S", "opponents_choice": "redeal"},
        (0, 0),
        DealOutcome.REDEALT,
    ),
    Read(
        "blind",
        "004-B2",
        "004",
        "not the player",
        {"deliberate": True},
        (30, 0),
        DealOutcome.REDEALT,
    ),
]


@pytest.mark.parametrize("read", READ, ids=lambda read: f"{read.article} {read.marks}")
def test_a_ruling_is_what_its_source_says(read: Read) -> None:
    code = code_for(read.rulebook)
    article = code.article(read.article)
    assert article.citation.source.startswith(read.source)
    assert read.phrase in article.citation.quote
    sanctioned = read.source in ("000", "001") or read.article == "004-V1"
    wanted = Origin.SOURCE if sanctioned else Origin.RECOMMENDED
    assert article.origin is wanted, "a sanction that the source does not state says so"
    before = tuple(
        Previous(f"r{n}", read.article, "anna", None, "EW", Measure.WARNING)
        for n in range(read.again)
    )
    game = game_for(read.rulebook, offender="anna", **read.context)
    facts = dict(read.facts) if "dealer" in read.facts else {"offender": "W", **read.facts}
    proposal = decide(code, read.article, facts, Policy.STRICT, game, before)
    assert proposal.article == read.article
    assert (proposal.marks.get("NS", 0), proposal.marks.get("EW", 0)) == read.marks
    assert proposal.deal.outcome is read.outcome


@pytest.mark.parametrize(
    ("rulebook", "contract", "points", "article", "guilty", "marks"),
    [
        # 003: "Le contre permet le doublement", "À sans atout, les points marqués sont doublés":
        # 42 at a suit is 8; contred 16; a contre that is null leaves 8.
        ("coinchee", {"trump": "S", "declarer": "NS", "doubling": 1}, 42, "003-C1", "EW", (8, 0)),
        # 003: 34 for the revoke of E-W (rec.), where N-S had (54 − 34) × 2 × 2 = 80: they keep 80.
        ("coinchee", {"trump": "NT", "declarer": "NS", "doubling": 1}, 54, "003-P1", "EW", (80, 0)),
        ("coinchee", {"trump": "NT", "declarer": "NS", "doubling": 1}, 54, "003-P1", "NS", (0, 34)),
        # 004: no trump "points are doubled", tapped "double the points": (50 − 30) × 4 = 80 (C.8).
        ("muette", {"trump": "NT", "declarer": "NS", "doubling": 1}, 50, "004-V1", "EW", (80, 0)),
        ("muette", {"trump": "NT", "declarer": "NS", "doubling": 1}, 50, "004-V1", "NS", (0, 30)),
    ],
)
def test_the_marks_of_a_deal_with_it(
    rulebook: str,
    contract: dict[str, Any],
    points: int,
    article: str,
    guilty: str,
    marks: tuple[int, int],
) -> None:
    entry = {
        "rulebook": rulebook,
        "contract": contract,
        "points": {"NS": points},
        "infractions": [{"article": article, "side": guilty}],
    }
    scored: Any = answer("score", entry)
    assert (scored["marks"]["NS"], scored["marks"]["EW"]) == marks


@pytest.mark.parametrize(
    ("options", "context", "said"),
    [
        ({}, {}, []),
        ({}, {"played": {"NS": 34}}, []),
        (
            {},
            {"played": {"NS": 35}},
            ["But the deal as played gives NS more: it keeps its 35 points."],
        ),
        ({}, {"played": {"EW": 80}}, []),
        ({}, {"game_won": "EW"}, []),
        ({}, {"game_won": "NS"}, ["But NS won the game by the deal as played and keeps it."]),
        ({"penalty_floor": False}, {"game_won": "NS"}, []),
        # Where a penalty is added to the deal instead of replacing it, no marks are at risk, so nothing is "kept".
        ({"penalty_replaces_deal": False}, {"game_won": "NS"}, []),
        ({"penalty_replaces_deal": False}, {"played": {"NS": 35}}, []),
    ],
)
def test_a_side_that_loses_nothing_by_the_ruling_is_said_to_keep_the_deal(
    options: dict[str, Any], context: dict[str, Any], said: list[str]
) -> None:
    game = game_for("parlee", options, offender="anna", **context)
    facts = {"offender": "W", **SEEN}
    proposal = decide(code_for("parlee"), "000-P1", facts, Policy.STRICT, game)
    sentences = [reason.text.render("en") for reason in proposal.rationale]
    assert [each for each in sentences if "as played" in each] == said
