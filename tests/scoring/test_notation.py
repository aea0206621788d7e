"""The text form of a record: lossless in both directions, letters of three languages, its document."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from scoring.engine.calls import answer
from scoring.engine.errors import EngineError
from scoring.engine.letters import letters_of
from scoring.engine.notation import format_record, parse_record

from . import oracle
from .card_games import GAMES, Table, deal

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "notation.md"

json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
keys = st.sampled_from(
    [
        "rulebook",
        "options",
        "dealer",
        "declarer",
        "contract",
        "turn_up",
        "trump",
        "leader",
        "hands",
        "reserve",
        "orders",
        "partial",
        "points",
        "tricks",
        "trick_list",
        "infractions",
        "plays",
        "x",
    ]
)
words = st.sampled_from(
    ["NT", "NS", "KH", "TH", "10H", "1e5", "true", "a b", "", "♠", "null", '"', "]"]
)
nearly = st.one_of(
    json_values,
    words,
    st.lists(words, max_size=5),
    st.dictionaries(words, st.one_of(words, st.integers(), st.none(), st.booleans()), max_size=4),
    st.lists(st.dictionaries(words, words | st.integers(), max_size=3), max_size=3),
    st.dictionaries(words, st.lists(words, max_size=3), max_size=3),
)


def _with_tens_written_out(value):
    """Return the record in the engine's notation of cards, with T as 10."""
    if isinstance(value, dict):
        return {key: _with_tens_written_out(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_with_tens_written_out(each) for each in value]
    if isinstance(value, str) and re.fullmatch("[Tt][SHDCshdc]", value):
        return "10" + value[1].upper()
    return value


@pytest.mark.guide("engine#notation", "notation#tags", "notation#the-text-form-of-a-deal")
@settings(max_examples=50)
@given(st.dictionaries(keys | st.text(), nearly, max_size=6))
@example({"options": {"target": {"games": 2, "of": 44, "decider": 54}}})
@example({"plays": [], "orders": [], "infractions": [], "hands": {}, "trick_list": []})
@example({"contract": {"level": "34", "trump": None, "doubling": True}})
@example({"points": {"NS": 1.5}})
@example({"plays": ["8H", None]})
def test_any_json_object_survives(record):
    back = parse_record(format_record(record))
    assert json.dumps(_with_tens_written_out(back), sort_keys=True) == json.dumps(
        _with_tens_written_out(record), sort_keys=True
    )


@pytest.mark.guide("notation#letters", "notation#tags", "notation#the-text-form-of-a-deal")
@given(st.sampled_from(GAMES), st.randoms(use_true_random=False))
@example(("bruges", {}), random.Random(1))
def test_a_replay_survives_and_is_short(game, rng):
    table = Table(*game, rng)
    record = deal(table, rng)
    orders = [
        {"trick": 2, "seat": table.seats[0], "card": record["plays"][0]},
        {"trick": 3, "seat": table.seats[1], "suit": "H"},
    ]
    whole = {**table.keys(), **record, "orders": orders, "partial": False}
    text = answer("notation", {"record": whole})["text"]
    assert answer("notation", {"text": text}) == {"record": whole}
    assert "[Json" not in text
    assert len(text) < 1_000


SCORE = {
    "rulebook": "chaloupee",
    "options": {"failure_multiplied": False, "target": 150},
    "dealer": "N",
    "contract": {"declarer": "NS", "level": 44, "trump": "NT", "doubling": 1, "blind": False},
    "points": {"NS": 47, "EW": 21},
    "tricks": {"NS": 6, "EW": 2},
    "trick_list": [{"winner": "NS", "points": 9}, {"winner": "EW", "points": 1}],
    "infractions": [{"article": "000-P1", "side": "EW"}, {"article": "000-E2", "side": "NS"}],
}


@pytest.mark.guide("notation#lines", "notation#tags", "notation#the-text-form-of-a-deal")
def test_a_score_entry_survives_and_reads_well():
    text = format_record(SCORE)
    assert text == "\n".join(
        [
            "% manille 1",
            '[Rulebook "chaloupee"]',
            '[Options "failure_multiplied=false target=150"]',
            '[Dealer "N"]',
            '[Contract "declarer=NS level=44 trump=NT doubling=1 blind=false"]',
            '[Points "NS=47 EW=21"]',
            '[Tricks "NS=6 EW=2"]',
            '[TrickList "NS 9, EW 1"]',
            '[Infraction "article=000-P1 side=EW"]',
            '[Infraction "article=000-E2 side=NS"]',
        ]
    )
    assert parse_record(text) == SCORE


LOCAL = {
    "fr": {"K": "R", "Q": "D", "J": "V"},
    "nl": {"K": "H", "Q": "V", "J": "B"},
    "en": {},
}
LOCAL_SUITS = {
    "fr": {"S": "P", "H": "C", "D": "K", "C": "T"},
    "nl": {"S": "P", "H": "H", "D": "R", "C": "K"},
    "en": {"S": "♠", "H": "♥", "D": "♦", "C": "♣"},
}


@pytest.mark.guide("notation#letters")
@pytest.mark.parametrize("locale", ["fr", "nl", "en"])
@pytest.mark.parametrize("local_suits", [False, True])
def test_the_letters_of_three_languages(locale, local_suits):
    suits = LOCAL_SUITS[locale] if local_suits else {}
    pack = list(oracle.PACK)
    random.Random(1).shuffle(pack)
    written = [
        LOCAL[locale].get(card[:-1], card[:-1]) + suits.get(card[-1], card[-1]) for card in pack
    ]
    text = "[Play]\n" + " ".join(written)
    found = answer("notation", {"text": text, "locale": locale})
    assert found == {"record": {"plays": pack}}


@pytest.mark.guide("notation#letters")
def test_every_field_with_cards_is_read_in_the_letters_of_the_text():
    text = "\n".join(
        [
            '[Trump "P"]',
            '[TurnUp "RC"]',
            '[Hand "N: 10T DK"]',
            '[Reserve "7P 8C"]',
            '[Order "trick=1 seat=N card=VC"]',
            '[Order "trick=2 seat=N suit=K"]',
            '[Contract "trump=SA"]',
            "[Play]",
            "AC",
        ]
    )
    assert parse_record(text, "fr-BE") == {
        "trump": "S",
        "turn_up": "KH",
        "hands": {"N": ["10C", "QD"]},
        "reserve": ["7S", "8H"],
        "orders": [
            {"trick": 1, "seat": "N", "card": "JH"},
            {"trick": 2, "seat": "N", "suit": "D"},
        ],
        "contract": {"trump": "NT"},
        "plays": ["AH"],
    }


@pytest.mark.guide("notation#letters")
def test_c_is_clubs_unless_the_text_uses_the_french_suits():
    assert parse_record("[Play]\nRC VC", "fr") == {"plays": ["KC", "JC"]}
    assert parse_record("[Play]\nRC VP", "fr") == {"plays": ["KH", "JS"]}
    assert parse_record('[Trump "T"]\n[Play]\nRC', "fr") == {"trump": "C", "plays": ["KH"]}
    assert parse_record('[Trump "NT"]\n[Play]\nRC', "fr") == {"trump": "NT", "plays": ["KC"]}
    # One row of suits per text: S is not a suit of the French row.
    with pytest.raises(EngineError) as error:
        parse_record("[Play]\nRS VP", "fr")
    assert error.value.code == "unknown_card"


@pytest.mark.guide("notation#errors")
def test_letters_of_an_unknown_language():
    with pytest.raises(EngineError) as error:
        letters_of("de")
    assert error.value.code == "unknown_locale"


@pytest.mark.guide("notation#lines")
def test_remarks_and_blank_lines_are_skipped():
    text = '; a remark\n\n% manille 1\r\n[Rulebook "muette"]\n[Play]\n8H 9H\n; half time\nTH 7H\n'
    assert parse_record(text) == {"rulebook": "muette", "plays": ["8H", "9H", "10H", "7H"]}


@pytest.mark.guide("notation#lines")
def test_tags_come_in_any_order():
    record = {key: value for key, value in SCORE.items() if key != "infractions"}
    tags = format_record(record).splitlines()
    for seed in range(5):
        random.Random(seed).shuffle(tags)
        assert parse_record("\n".join(tags)) == record


@pytest.mark.guide("notation#lines")
def test_cards_are_separated_by_any_space():
    assert parse_record("[Play]\n8H\tKC\n\n 9D   7H\nKS") == {
        "plays": ["8H", "KC", "9D", "7H", "KS"]
    }


@pytest.mark.guide("notation#tags")
def test_a_value_that_reads_as_json_is_that():
    text = '[Contract "level=34 blind=true doubling=null declarer=NS trump=\\"H\\" x=\\"34\\""]'
    assert parse_record(text)["contract"] == {
        "level": 34,
        "blind": True,
        "doubling": None,
        "declarer": "NS",
        "trump": "H",
        "x": "34",
    }


@pytest.mark.guide("notation#letters")
@pytest.mark.parametrize(
    ("locale", "word"), [(None, "NT"), ("fr", "SA"), ("fr", "NT"), ("nl", "ZT"), ("nl", "zt")]
)
def test_the_short_words_for_no_trump(locale, word):
    assert parse_record(f'[Trump "{word}"]', locale) == {"trump": "NT"}


@pytest.mark.guide("notation#letters")
def test_small_letters_are_the_same():
    text = '[Trump "T"]\n[Hand "W: RC 10K"]\n[Play]\nAP VT'
    small = '[Trump "t"]\n[Hand "W: rc 10k"]\n[Play]\nap vt'
    assert parse_record(small, "fr") == parse_record(text, "fr")


@pytest.mark.guide("notation#errors")
def test_what_cannot_have_been_played_is_read_all_the_same():
    text = '[Rulebook "parlee"]\n[Trump "C"]\n[Leader "W"]\n[Partial "true"]\n[Play]\n8H 8H'
    record = parse_record(text)
    assert record["plays"] == ["8H", "8H"]
    with pytest.raises(EngineError) as error:
        answer("replay", record)
    assert error.value.code == "impossible_deal"


@pytest.mark.guide("notation#errors", "notation#lines")
@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("8H", "cards before [Play]"),
        ("[Rulebook]", "a tag is written"),
        ('[Rulebook "a"', "a tag is written"),
        ("[Rulebook muette]", "cannot be read"),
        ("[Rulebook 5]", "cannot be read"),
        ('[Rulebook "a" "b"]', "cannot be read"),
        ('[Rulebook "a"]\n[Rulebook "b"]', "stands twice"),
        ('[Whist "a"]', "is not a tag"),
        ("[Play]\n[Play]", "stands twice"),
        ('[Json "x"]', "cannot be read"),
        ('[Json "x" NaN]', "cannot be read"),
        ('[Json "x" 1]\n[Json "x" 2]', "stands twice"),
        ('[Json "trump" "C"]\n[Trump "C"]', "stands twice"),
        ('[Points "NS"]', "key=value"),
        ('[Points "NS=1 NS=2"]', "stands twice"),
        ('[Hand "8H"]', "a hand is written"),
        ('[Hand "N: 8H"]\n[Hand "N: 9H"]', "stands twice"),
        ('[TrickList "NS"]', "a trick is written"),
        ('[Partial "yes"]', "neither true nor false"),
        ("x" * 100_001, "longer than"),
    ],
)
def test_malformed_texts(text, part):
    with pytest.raises(EngineError) as error:
        parse_record(text)
    assert error.value.code == "malformed_notation"
    assert part in error.value.message


@pytest.mark.guide("notation#errors")
@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("[Play]\n1H", "unknown_card"),
        ("[Play]\nH", "unknown_card"),
        ('[Trump "X"]', "unknown_trump"),
    ],
)
def test_unknown_cards_and_trumps(text, code):
    with pytest.raises(EngineError) as error:
        parse_record(text)
    assert error.value.code == code


@pytest.mark.guide("notation#errors")
@pytest.mark.parametrize(
    "payload",
    [
        {},
        {"record": {}, "text": ""},
        {"record": []},
        {"text": 5},
        {"text": "", "locale": 5},
        {"text": "", "locale": "de"},
    ],
)
def test_refused_calls(payload):
    with pytest.raises(EngineError):
        answer("notation", payload)


@given(st.text() | st.text(alphabet='[]"= \nPlayHand:8H♠%'))
def test_no_text_breaks_the_reader(text):
    code = None
    try:
        record = parse_record(text)
    except EngineError as error:
        code = error.code
    else:
        assert parse_record(format_record(record)) == record
    assert code in (None, "malformed_notation", "unknown_card", "unknown_trump")


def _examples():
    blocks = re.findall(
        r"```manille( \w\w)?\n(.*?)```\n\n```json\n(.*?)```", DOCUMENT.read_text("utf-8"), re.DOTALL
    )
    return [(locale.strip() or None, text, json.loads(record)) for locale, text, record in blocks]


@pytest.mark.guide("notation#lines", "notation#tags", "notation#the-text-form-of-a-deal")
def test_the_examples_of_the_document_are_read_as_it_says():
    examples = _examples()
    assert len(examples) >= 3
    for locale, text, record in examples:
        assert parse_record(text, locale) == record
        if locale is None:
            assert format_record(record) == text.strip()


@pytest.mark.guide("notation#tags")
def test_the_document_names_every_tag():
    from scoring.engine.notation import FORMS

    document = DOCUMENT.read_text("utf-8")
    for key, form in FORMS.items():
        assert f"`[{form.tag}" in document, form.tag
        assert f"`{key}`" in document, key
