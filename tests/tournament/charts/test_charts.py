"""The charts: well-formed, described in words, without inline styles, and true to their numbers."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournament.charts import DealMarks, marks_per_deal, rank_over_rounds, score_distribution
from tournament.charts.svg import ticks

SVG = "{http://www.w3.org/2000/svg}"
ALLOWED = {
    "aria-describedby",
    "aria-labelledby",
    "class",
    "cx",
    "cy",
    "fill",
    "stroke-opacity",
    "font-size",
    "height",
    "id",
    "points",
    "r",
    "role",
    "stroke",
    "stroke-width",
    "text-anchor",
    "viewBox",
    "width",
    "x",
    "x1",
    "x2",
    "y",
    "y1",
    "y2",
}


def read(svg):
    """Parse the picture and check the properties of every chart."""
    root = ET.fromstring(svg)
    assert root.tag == SVG + "svg"
    assert root.get("role") == "img"
    ids = {node.get("id"): node for node in root.iter() if node.get("id")}
    title, desc = ids[root.get("aria-labelledby")], ids[root.get("aria-describedby")]
    assert title.tag == SVG + "title"
    assert title.text
    assert desc.tag == SVG + "desc"
    assert desc.text
    for node in root.iter():
        assert node.tag.removeprefix(SVG) not in {"style", "script", "foreignObject"}
        assert set(node.attrib) <= ALLOWED
        # French has a no-break space there.
        assert not re.search(r" [:;?!]", node.text or "")
        for name in ("fill", "stroke"):
            assert node.get(name, "currentColor") in {"currentColor", "none"}
    return root


def having(root, class_):
    return [node for node in root.iter() if class_ in node.get("class", "").split()]


def said(root):
    return next(root.iter(SVG + "desc")).text


RANKS = [(1, 12), (2, 5), (3, None), (4, 1), (5, 2)]


def test_the_rank_goes_up_when_the_place_gets_better():
    root = read(rank_over_rounds(RANKS, 40, "en", name="Åsa <b>"))
    heights = [float(node.get("cy")) for node in having(root, "dot")]
    assert len(heights) == 4  # round 3 has none
    assert heights[0] > heights[1] > heights[3] > heights[2]
    assert "Åsa <b>" in next(root.iter(SVG + "title")).text


def test_the_line_breaks_where_there_is_no_rank():
    root = read(rank_over_rounds(RANKS, 40, "en"))
    assert [len(node.get("points").split()) for node in having(root, "line")] == [2, 2]


@pytest.mark.parametrize(
    ("language", "words"),
    [
        (
            "en",
            "Round 1: place 12 of 40; Round 2: place 5 of 40; Round 3: no rank; Round 4: place 1",
        ),
        (
            "fr",
            "Tour 1\u00a0: 12e sur 40\u00a0; Tour 2\u00a0: 5e sur 40\u00a0; Tour 3\u00a0: hors classement\u00a0; Tour 4\u00a0: 1er",
        ),
        (
            "nl",
            "Ronde 1: plaats 12 van 40; Ronde 2: plaats 5 van 40; Ronde 3: geen plaats; Ronde 4",
        ),
    ],
)
def test_the_description_says_each_round_in_words(language, words):
    assert said(read(rank_over_rounds(RANKS, 40, language))).startswith(words)


@pytest.mark.guide("players#read-your-page")
def test_the_cut_lies_between_the_last_in_and_the_first_out():
    root = read(rank_over_rounds([(1, 20), (2, 21)], 40, "nl", cut=20))
    inside, outside = (float(node.get("cy")) for node in having(root, "dot"))
    (cut,) = having(root, "cutline")
    assert inside < float(cut.get("y1")) < outside


def test_the_words_of_the_cut_lie_on_no_rank():
    root = read(rank_over_rounds([(1, 20), (2, 21), (3, 19)], 40, "fr", cut=20))
    lowest = max(float(node.get("cy")) for node in having(root, "dot"))
    (words,) = [node for node in root.iter(SVG + "text") if "20 premiers" in (node.text or "")]
    assert float(words.get("y")) > lowest + 12
    assert "\u00a0:" in words.text


def test_a_rank_outside_the_field_is_refused():
    for place in (0, 41):
        with pytest.raises(ValueError, match="is not within"):
            rank_over_rounds([(1, place)], 40, "en")


def test_a_key_that_would_break_the_ids_is_refused():
    for key in ("", 'a"b', "é", "a b"):
        with pytest.raises(ValueError, match="key"):
            rank_over_rounds([], 4, "en", key=key)


def test_empty_charts_say_so():
    for language, words in (
        ("en", ("No round", "No score", "No deal")),
        ("fr", ("Aucun tour", "Pas encore de score", "Pas encore de donne")),
        ("nl", ("Nog geen ronde", "Nog geen score", "Nog geen gift")),
    ):
        for svg, word in zip(
            (
                rank_over_rounds([], 0, language),
                score_distribution([], language, label="MP"),
                marks_per_deal([], language),
            ),
            words,
            strict=True,
        ):
            assert said(read(svg)).startswith(word)


def test_every_entrant_is_in_one_bar():
    scores = [0, 1, 1, 2, 2, 2, 7]
    root = read(score_distribution(scores, "en", label="Games won", cut=2, mine=1))
    titles = [node.find(SVG + "title").text for node in having(root, "bar")]
    assert titles == ["0: 1", "1: 2", "2: 3", "7: 1"]
    heights = [float(node.get("height")) for node in having(root, "bar")]
    assert heights[2] == max(heights)
    assert heights[1] == pytest.approx(2 * heights[0], abs=0.02)
    assert said(root) == "7 participants from 0 to 7. Cut at 2. You: 1."


def test_ones_own_bar_is_marked_and_the_cut_stands_left_of_its_score():
    root = read(score_distribution([-41, -3, 0, 12, 51], "fr", label="Diff.", cut=12, mine=-3))
    (mine,) = having(root, "bar--me")
    (cut,) = having(root, "cutline")
    assert float(mine.get("x")) < float(cut.get("x1"))
    assert (
        said(root) == "5 participants, de \u221241 à 51. Qualification à 12. Vous\u00a0: \u22123."
    )


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.fractions(-500, 500, max_denominator=4), min_size=1, max_size=60),
    st.one_of(st.none(), st.integers(-600, 600)),
)
def test_bars_hold_the_whole_field_and_stay_inside_the_picture(scores, cut):
    root = read(score_distribution(scores, "nl", label="Saldo", cut=cut))
    bars = having(root, "bar")
    assert len(bars) <= 24
    counts = [int(node.find(SVG + "title").text.rsplit(": ", 1)[1]) for node in bars]
    assert sum(counts) == len(scores)
    for node in bars:
        assert 48 <= float(node.get("x")) <= 624
        assert float(node.get("y")) >= 16
        assert float(node.get("y")) + float(node.get("height")) == pytest.approx(236, abs=0.02)


def test_a_distribution_of_one_bar_is_refused():
    with pytest.raises(ValueError, match="two bars"):
        score_distribution([1], "en", label="MP", bars=1)


def test_marks_of_ones_own_side_stand_above_the_line_and_the_others_below():
    deals = [DealMarks(1, 8, 0), DealMarks(2, 0, 16), DealMarks(3, 0, 0)]
    root = read(marks_per_deal(deals, "nl", name="Tafel 7"))
    (us,), (them,) = having(root, "bar--plus"), having(root, "bar--minus")
    line = float(having(root, "axis")[0].get("y1"))
    assert float(us.get("y")) + float(us.get("height")) == pytest.approx(line, abs=0.02)
    assert float(them.get("y")) == pytest.approx(line, abs=0.02)
    assert float(them.get("height")) == pytest.approx(2 * float(us.get("height")), abs=0.02)
    assert said(root) == "Wij 8, Zij 16. Gift 1: 8-0; Gift 2: 0-16; Gift 3: 0-0."


def test_negative_marks_hang_on_the_other_side_of_the_line():
    root = read(marks_per_deal([DealMarks(1, -40, 0), DealMarks(2, Fraction(5, 2), 0)], "fr"))
    line = float(having(root, "axis")[0].get("y1"))
    tops = sorted(float(node.get("y")) for node in having(root, "bar--plus"))
    assert tops[0] < line
    assert tops[1] == pytest.approx(line, abs=0.02)
    assert "Donne 2\u00a0: 2,5 à 0" in said(root)


def test_deals_where_nobody_marked_still_make_a_picture():
    root = read(marks_per_deal([DealMarks(1, 0, 0)], "en"))
    assert having(root, "bar") == []


@given(st.integers(-10_000, 10_000), st.integers(0, 10_000))
def test_ticks_are_few_round_and_inside(low, size):
    found = ticks(low, low + size)
    assert len(found) <= 8
    assert all(low <= tick <= low + size for tick in found)
    steps = {b - a for a, b in pairwise(found)}
    assert len(steps) <= 1
    for step in steps:
        assert str(step).rstrip("0") in {"1", "2", "5"}


PHONE = 22
"""Letter size on a phone, where 640 units are about 330 pixels (static/css/app.css)."""


def crowded(svg):
    """Return pairs of texts that overlap at a phone's letter size."""
    boxes = []
    for node in read(svg).iter(SVG + "text"):
        wide = len(node.text) * PHONE * 0.6
        x, y = float(node.get("x")), float(node.get("y"))
        left = {"middle": x - wide / 2, "end": x - wide, "start": x}[node.get("text-anchor")]
        boxes.append((left, left + wide, y, node.text))
    return [
        (one[3], two[3])
        for index, one in enumerate(boxes)
        for two in boxes[index + 1 :]
        if abs(one[2] - two[2]) < PHONE and one[0] < two[1] and two[0] < one[1]
    ]


@pytest.mark.parametrize("language", ["fr", "nl", "en"])
@pytest.mark.parametrize("rounds", [2, 3, 12, 40])
def test_no_words_lie_on_others_on_a_phone(language, rounds):
    ranks = [(number, 544 - 13 * number) for number in range(1, rounds + 1)]
    assert crowded(rank_over_rounds(ranks, 544, language, cut=128)) == []
    deals = [DealMarks(number, 100 * number, 99) for number in range(1, 3 * rounds + 1)]
    assert crowded(marks_per_deal(deals, language)) == []
    scores = [7 * number for number in range(-rounds, rounds + 1)]
    found = crowded(
        score_distribution(scores, language, label="Différence de points", cut=7, mine=0)
    )
    assert [pair for pair in found if "▼" not in pair] == []
