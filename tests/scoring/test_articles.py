"""The catalogue of the articles that deal scoring uses (rules specification B.3, C)."""

import pytest

from scoring.engine.articles import ARTICLES, Amount, Effect, find_article
from scoring.engine.errors import Malformed
from scoring.engine.legality import Breach
from scoring.engine.rulebook import RULEBOOKS
from scoring.engine.score import score_call

# C.1 to C.7: ids whose penalty column is P, none, or a warning first
PENAL = [
    "000-E1",
    "000-P1",
    "000-P2",
    "000-P3",
    "000-P4",
    "001-R6b",
    "001-R7",
    "001-R8",
    "001-R9a",
    "001-R9b",
    "001-R9c",
    "001-R9d",
    "001-R10",
    "001-R11",
    "001-R12",
    "001-R13",
    "001-R16",
    "001-R17",
    "002-A2",
    "002-P1",
    "002-P2",
    "002-P3",
    "002-P4",
    "003-P1",
    "003-P2",
    "003-P3",
    "003-P4",
    "004-V1",
    "004-E2",
    "004-E3",
    "004-T1",
    "BE-P1",
    "BE-P2",
    "BE-P3",
    "BE-P4",
    "BE-P5",
    "T-CLAIM",
    "GEN-COUNT",
]
FREE = [
    "001-R1",
    "001-R2a",
    "001-R2b",
    "001-R3",
    "001-R4",
    "001-R5",
    "001-R6a",
    "001-R14",
    "001-R15",
    "002-A1",
    "002-A3",
    "003-C1",
    "004-B1",
    "004-A1",
    "T-LATE",
    "T-ABS",
    "T-PEEK",
    "T-UNSP",
    "T-SPEC",
    "T-SELF",
    "T-SLIP",
    "GEN-SCORE",
    "GEN-DISC",
]
# C.8: put right the first time, the penalty when the same side repeats it in the match
GENERAL = [
    "GEN-TURN",
    "GEN-SHOW",
    "GEN-TWO",
    "GEN-CALL",
    "GEN-NAME",
    "GEN-UP",
    "GEN-TRICK",
    "GEN-CLAIM",
]
WARNED = ["000-E2", "004-E1", "T-COMM", "T-SLOW", "T-PHONE", *GENERAL]
DELIBERATE = ["004-B2", "T-MISD"]


def test_every_article_is_in_the_catalogue_and_no_other():
    assert set(ARTICLES) == {*PENAL, *FREE, *WARNED, *DELIBERATE, "T-INT"}


@pytest.mark.parametrize(
    ("ids", "amount"),
    [
        (PENAL, Amount.PENALTY),
        (FREE, Amount.NONE),
        (WARNED, Amount.REPEATED),
        (DELIBERATE, Amount.DELIBERATE),
    ],
)
def test_the_amount_of_each(ids, amount):
    assert {ARTICLES[each].amount for each in ids} == {amount}


def test_which_leave_no_valid_deal():
    assert {each.id for each in ARTICLES.values() if each.cancels_bonus} == {
        "001-R6b",
        "001-R7",
        "001-R8",
        "001-R17",
        "GEN-COUNT",
    }


def test_which_redeal_and_by_whom():
    by_effect = {
        effect: {each.id for each in ARTICLES.values() if each.effect is effect}
        for effect in Effect
    }
    assert by_effect[Effect.REDEAL_NEXT] == {"001-R6a", "T-PEEK"}
    assert by_effect[Effect.REDEAL_SAME] == {"001-R1", "002-A3", "004-B2", "T-MISD"}
    assert by_effect[Effect.BLIND_CANCELLED] == {"004-B1"}


def test_every_article_of_play_costs_the_penalty_or_a_warning():
    for book in RULEBOOKS.values():
        for kind in Breach:
            article = book.play_articles.get(kind)
            if article:
                assert article in {*PENAL, "000-E2"}
                assert book.code in ARTICLES[article].rulebooks


@pytest.mark.parametrize("article", PENAL)
def test_a_penal_article_gives_the_opponents_the_books_penalty(article):
    for rulebook, value in (("parlee", 34), ("muette", 30)):
        found = score_call(
            {"rulebook": rulebook, "infractions": [{"article": article, "side": "EW"}]}
        )
        assert found["marks"] == {"NS": value, "EW": 0}


@pytest.mark.parametrize(
    "article",
    [
        each
        for each in FREE
        if ARTICLES[each].effect is Effect.STANDS and not ARTICLES[each].null_call
    ],
)
def test_an_article_without_marks_leaves_the_deal(article):
    found = score_call(
        {
            "rulebook": "parlee",
            "points": {"NS": 40},
            "infractions": [{"article": article, "side": "EW"}],
        }
    )
    assert found["marks"] == {"NS": 6, "EW": 0}
    assert [line["clause"] for line in found["lines"]] == ["infraction_noted", "deal_won"]


@pytest.mark.parametrize("article", WARNED)
def test_a_warning_first_then_the_penalty(article):
    entry = {"rulebook": "muette", "contract": {"trump": "S"}, "points": {"NS": 30}}
    once = score_call({**entry, "infractions": [{"article": article, "side": "NS"}]})
    again = score_call(
        {**entry, "infractions": [{"article": article, "side": "NS", "repeated": True}]}
    )
    assert once["marks"] == {"NS": 0, "EW": 0}
    assert again["marks"] == {"NS": 0, "EW": 30}


@pytest.mark.parametrize("article", DELIBERATE)
def test_a_redeal_and_marks_only_when_deliberate(article):
    offence = {"article": article, "side": "NS"}
    accident = score_call({"rulebook": "blind", "infractions": [offence]})
    assert (accident["marks"], accident["redeal"]) == ({"NS": 0, "EW": 0}, "same_dealer")
    meant = score_call({"rulebook": "blind", "infractions": [{**offence, "deliberate": True}]})
    assert meant["marks"] == {"NS": 0, "EW": 30}


def test_a_ruling_may_fix_the_amount():
    found = score_call(
        {"rulebook": "muette", "infractions": [{"article": "T-INT", "side": "EW", "value": 45}]}
    )
    assert found["marks"] == {"NS": 45, "EW": 0}


@pytest.mark.parametrize("article", ["", None, "000", "001-r1", 7])
def test_an_unknown_article_lists_the_known_ones(article):
    with pytest.raises(Malformed) as refused:
        find_article(article)
    assert refused.value.code == "unknown_article"
    assert refused.value.params["allowed"] == list(ARTICLES)
