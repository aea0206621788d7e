"""Score lines and refusals as sentences in three languages."""

import re
from pathlib import Path

import pytest

from scoring.engine import score as score_module
from scoring.engine.articles import ARTICLES
from scoring.engine.errors import EngineError
from scoring.engine.rulebook import RULEBOOKS
from scoring.engine.score import score_call, score_input
from scoring.engine.speech import card_name, explain, reason, side_name, speak
from scoring.engine.speech_refusals import defect
from scoring.texts import in_every_language

EXAMPLE = {
    "rulebook": "chaloupee",
    "contract": {"declarer": "NS", "level": 44, "trump": "NT"},
    "points": {"NS": 47},
}


def lines(**payload):
    return score_input(payload).lines


def test_the_interfaces_own_sentence():
    assert score_call(EXAMPLE)["lines"][0]["text"] == "47 − 44 = 3, × 2 for 44, × 2 for no trump"


SPOKEN = [
    ("en", "N-S score 12: 47 − 44 = 3, × 2 for 44, × 2 for no trump"),
    ("fr", "N-S marquent 12\u00a0: 47 − 44 = 3, × 2 pour 44, × 2 pour sans atout"),
    ("nl", "N-Z schrijven 12: 47 − 44 = 3, × 2 voor 44, × 2 voor zonder troef"),
    ("de", "N-S score 12: 47 − 44 = 3, × 2 for 44, × 2 for no trump"),
]


@pytest.mark.parametrize(("language", "sentence"), SPOKEN)
def test_a_line_read_aloud(language, sentence):
    assert speak(lines(**EXAMPLE)[0], language) == sentence


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "E-W score 3: K♥ turned up"),
        ("fr", "E-O marquent 3\u00a0: retourne R♥"),
        ("nl", "O-W schrijven 3: keerkaart H♥"),
    ],
)
def test_the_turn_up_read_aloud(language, sentence):
    line = lines(rulebook="parlee", dealer="E", turn_up="KH", points={"NS": 34})[0]
    assert speak(line, language) == sentence


def test_the_local_names_of_calls_sides_and_cards():
    line = lines(rulebook="belgian", contract={"trump": "S", "doubling": 2}, points={"NS": 31})[0]
    assert speak(line, "nl").endswith("× 4 voor tegenkloppen")
    assert [side_name("EW", each) for each in ("en", "fr", "nl")] == ["E-W", "E-O", "O-W"]
    assert [card_name("JC", each) for each in ("en", "fr", "nl")] == ["J♣", "V♣", "B♣"]
    assert card_name("10S", "fr") == "10♠"


def test_a_loss_is_spoken_with_a_minus_and_a_generale_as_a_game():
    line = lines(rulebook="auction-2", contract={"declarer": "2", "level": 40}, points={"2": 39})[0]
    assert speak(line, "en") == "2 scores −40: bid of 40 failed"
    line = lines(
        rulebook="chaloupee",
        contract={"declarer": "NS", "level": "generale", "trump": "S"},
        tricks={"NS": 7},
    )[0]
    assert speak(line, "fr").startswith("E-O gagnent la manche")


DEALS = [
    EXAMPLE,
    {"rulebook": "parlee", "dealer": "N", "turn_up": "AS", "points": {"NS": 34}},
    {
        "rulebook": "parlee",
        "options": {"bonus_survives_tie": False},
        "dealer": "N",
        "turn_up": "AS",
        "points": {"NS": 34},
    },
    {
        "rulebook": "chaloupee",
        "contract": {"declarer": "NS", "level": 44, "trump": "S", "doubling": 2},
        "points": {"NS": 40},
    },
    {
        "rulebook": "chaloupee",
        "contract": {"declarer": "NS", "level": 44, "trump": "S"},
        "points": {"NS": 44},
    },
    {
        "rulebook": "chaloupee",
        "contract": {"declarer": "NS", "level": "generale", "trump": "S"},
        "tricks": {"NS": 8},
    },
    {
        "rulebook": "belgian",
        "options": {"sweep60": 60, "max_factor": 3},
        "contract": {"trump": "NT", "doubling": 1},
        "points": {"NS": 60},
        "tricks": {"NS": 8},
    },
    {
        "rulebook": "muette",
        "options": {"infinite_tap": True},
        "contract": {"trump": "NT", "doubling": 4, "blind": True},
        "points": {"NS": 33},
    },
    {
        "rulebook": "auction-1",
        "options": {"players": 3, "stakes": [1, 2, 3]},
        "contract": {"declarer": "1", "exchanged": 1},
        "points": {"1": 20},
    },
    {
        "rulebook": "auction-1",
        "options": {"players": 3, "stakes": [1, 2, 3]},
        "contract": {"declarer": "1", "exchanged": 1},
        "points": {"1": 30},
    },
    {
        "rulebook": "auction-1",
        "options": {"players": 3, "stakes": [1, 2, 3]},
        "contract": {"declarer": "1", "exchanged": 1},
        "infractions": [{"article": "BE-P1", "side": "1"}],
    },
    {
        "rulebook": "auction-3",
        "options": {"double_all_tricks": True, "double_no_exchange": True},
        "contract": {"declarer": "1", "level": "all", "exchanged": False},
        "tricks": {"1": 7},
    },
    {
        "rulebook": "auction-2",
        "contract": {"declarer": "1", "level": 30},
        "infractions": [{"article": "BE-P1", "side": "2"}],
    },
    {"rulebook": "boussac", "infractions": [{"article": "001-R1"}]},
    {
        "rulebook": "boussac",
        "options": {"penalty_mode": "DEBIT_OFFENDER"},
        "infractions": [{"article": "001-R9a", "side": "NS"}, {"article": "001-R14", "side": "EW"}],
    },
    {
        "rulebook": "boussac",
        "dealer": "N",
        "turn_up": "10D",
        "infractions": [{"article": "001-R9a", "side": "NS"}, {"article": "001-R7", "side": "EW"}],
    },
]


@pytest.mark.parametrize("language", ["en", "fr", "nl"])
@pytest.mark.parametrize("deal", DEALS)
def test_every_clause_can_be_said_in_every_language(deal, language):
    for line in score_input(deal).lines:
        said = speak(line, language)
        assert said
        assert "{" not in said
        assert reason(line, language) in said
        if language != "en" and line.clause not in ("turn_up", "penalty", "penalty_debit"):
            english = speak(line, "en")
            assert said != english or not any(each.isalpha() for each in english)


REFUSALS = [
    ({"rulebook": "whist"}, "règlement"),
    ({"rulebook": "parlee", "options": {"x": 1}}, "réglage"),
    ({"rulebook": "parlee", "options": {"sweep60": 30}}, "réglage"),
    ({"rulebook": "parlee", "points": {"NS": 30, "EW": 30}}, "les points font 30 + 30 = 60"),
    ({"rulebook": "parlee", "points": {"NS": 30}, "tricks": {"NS": 7}}, "entre 47 et 67"),
    ({"rulebook": "parlee", "points": {"X": 30}}, "camp"),
    ({"rulebook": "parlee"}, "il manque «\u00a0points\u00a0»"),
    ({"rulebook": "parlee", "points": {"NS": "30"}}, "ne peut être lu"),
    ({"rulebook": "parlee", "points": {"NS": 30}, "contract": {"trump": "NT"}}, "sans atout"),
    ({"rulebook": "parlee", "infractions": [{"article": "x"}]}, "article"),
    (
        {"rulebook": "coinchee", "contract": {"trump": "S", "doubling": 3}, "points": {"NS": 30}},
        "contre",
    ),
]


@pytest.mark.parametrize(("payload", "french"), REFUSALS)
def test_refusals_are_explained_in_the_readers_language(payload, french):
    with pytest.raises(EngineError) as refused:
        score_input(payload)
    assert explain(refused.value, "en") == refused.value.message
    assert french in explain(refused.value, "fr")
    dutch = explain(refused.value, "nl-be")
    assert dutch
    assert dutch not in (refused.value.message, explain(refused.value, "fr"))
    assert "{" not in dutch


def test_a_refusal_without_a_translation_keeps_its_own_words():
    assert explain(EngineError("never_heard_of", "words", "field"), "fr") == "words"


def test_every_book_and_every_call_has_its_three_titles():
    for book in RULEBOOKS.values():
        for text in (book.title, *(call.title for call in book.calls)):
            assert all(in_every_language(text).values())
    assert ARTICLES


PARAMETERS = [
    "card",
    "trump",
    "rulebook",
    "allowed",
    "option",
    "side",
    "seat",
    "most",
    "doubling",
    "article",
    "needed",
]


def test_every_code_that_scoring_refuses_with_is_translated():
    """The codes are read from the modules, so that a new one cannot be forgotten."""
    folder = Path(score_module.__file__).parent
    codes = set()
    for pattern in ("score*.py", "match.py", "auction*.py", "options.py", "rulebook.py"):
        for path in folder.glob(pattern):
            text = path.read_text(encoding="utf-8")
            codes |= set(re.findall(r'(?:Malformed|Illegal)\(\s*"(\w+)"', text))
    assert len(codes) > 10
    for code in codes:
        error = EngineError(code, "words", "field", dict.fromkeys(PARAMETERS, "…"))
        assert explain(error, "fr") != "words", code
        assert explain(error, "nl") != "words", code


@pytest.mark.parametrize(
    ("language", "one", "two"),
    [
        ("en", "with 1 trick:", "with 2 tricks:"),
        ("fr", "avec 1 levée\u00a0:", "avec 2 levées\u00a0:"),
        ("nl", "met 1 slag:", "met 2 slagen:"),
    ],
)
def test_a_refusal_counts_in_the_singular_and_the_plural(language: str, one: str, two: str) -> None:
    for tricks, said in ((1, one), (2, two)):
        found = defect("points_for_tricks", side="NS", points=60, tricks=tricks, low=0, high=10)
        assert said in found.render(language)
