"""A sheet has exactly the fields that its rulebook can fill.

The features of each game: rules specification A.1 (turn-up, chooser, widow), A.3 (ladder, calls), A.7 (switches), D.2
(the slip per deal).
"""

from itertools import pairwise, product

import pytest

from scoring.engine.rulebook import RULEBOOKS, resolve
from tests.sampled import one_in
from tests.tournament.documents.reading import (
    LANGUAGES,
    PAPERS,
    assert_framed,
    boxes,
    imprint,
    outside,
    overlaps,
    page_texts,
    plain,
    read,
    whole_text,
)
from tournament.documents import ScoreSheetForm, SheetHead, score_sheets_pdf
from tournament.documents.sheet_fields import sheet_fields

STAKES = {"auction-1": {"stakes": [50, 40, 30, 20, 10]}}


def game(key, **options):
    return resolve(key, {**STAKES.get(key, {}), **options})


def keys(found):
    """Return the kinds of field before the article, each once, in order."""
    names = [field.key for field in sheet_fields(found, "en")]
    return list(dict.fromkeys(names[: names.index("article")]))


EVERYWHERE = ["points", "tricks"]


@pytest.mark.parametrize(
    ("key", "before_play"),
    [
        ("parlee", ["deal", "dealer", "trump", "turn_up"]),
        ("boussac", ["deal", "dealer", "trump", "turn_up"]),
        ("chaloupee", ["deal", "dealer", "declarer", "level", "trump", "doubling"]),
        ("coinchee", ["deal", "dealer", "chooser", "trump", "doubling"]),
        ("muette", ["deal", "dealer", "chooser", "trump", "blind", "doubling"]),
        ("parlee-limited", ["deal", "dealer", "chooser", "trump", "blind", "doubling"]),
        ("belgian", ["deal", "dealer", "chooser", "trump", "doubling"]),
        ("auction-1", ["deal", "dealer", "declarer", "trump", "exchanged"]),
        ("auction-2", ["deal", "dealer", "declarer", "bid", "trump"]),
        ("auction-3", ["deal", "dealer", "declarer", "bid", "trump"]),
        ("blind", ["deal", "dealer", "trump", "doubling"]),
        ("three-player", ["deal", "dealer", "trump", "doubling"]),
    ],
)
def test_the_fields_of_each_rulebook(key, before_play):
    assert keys(game(key)) == before_play + EVERYWHERE


def test_pairs_write_for_two_sides_and_single_players_each_for_himself():
    def headings(found, key):
        return [field.heading for field in sheet_fields(found, "en") if field.key == key]

    assert headings(game("parlee"), "marks") == ["N-S", "E-W"]
    assert headings(game("three-player"), "points") == ["Dealer", "Others"]
    assert headings(game("three-player"), "total") == ["1", "2", "3"]
    assert headings(game("auction-2", players=7), "marks") == list("1234567")


def test_no_trump_is_offered_only_where_the_book_has_it():
    def trump(key):
        return next(
            field.choices for field in sheet_fields(game(key), "fr") if field.key == "trump"
        )

    assert trump("parlee") == "♠ ♥ ♦ ♣"
    assert trump("coinchee") == "♠ ♥ ♦ ♣ SA"


def test_the_ladder_of_the_chaloupee_is_printed_whole():
    bid = next(field for field in sheet_fields(game("chaloupee"), "fr") if field.key == "level")
    assert bid.choices == "34 44 50 54 gén."


def test_a_call_that_the_event_does_not_allow_is_not_asked():
    def calls(**options):
        return [
            field.choices
            for field in sheet_fields(game("muette", **options), "en")
            if field.key == "doubling"
        ]

    assert calls() == ["×2 ×4"]
    assert calls(redoubling_allowed=False) == ["×2"]
    assert calls(infinite_tap=True) == ["×2 ×4 ×…"]
    assert calls(doubling_allowed=False, redoubling_allowed=False) == []
    assert "blind" not in keys(game("muette", blind_trump_allowed=False))


@pytest.mark.parametrize(
    ("key", "language", "paper"), one_in(5, product(RULEBOOKS, LANGUAGES, PAPERS))
)
def test_every_rulebook_prints_in_every_language_and_size(key, language, paper):
    found = game(key)
    frame = imprint(language, state=None, paper=paper)
    data = score_sheets_pdf(ScoreSheetForm(frame, found))
    text = assert_framed(data, frame)
    for page in read(data).pages:
        placed = boxes(page)
        assert [box for box in placed if outside(page, box)] == []
        assert overlaps(placed) == []
    assert found.book.title.render(language) in text
    assert len(read(data).pages) == 1
    for field in sheet_fields(found, language):
        # A heading may be broken over lines, also after the slash.
        for word in field.heading.replace("/", " ").split():
            assert word in text


@pytest.mark.parametrize("players", [3, 4, 5, 6, 7])
def test_every_player_of_an_auction_has_a_line_to_sign(players):
    text = whole_text(
        score_sheets_pdf(ScoreSheetForm(imprint("en"), game("auction-3", players=players)))
    )
    for number in range(1, players + 1):
        assert f"Signature Player {number}" in text
    assert f"Player {players + 1}" not in text


def test_fifty_deals_carry_their_totals_from_page_to_page():
    data = score_sheets_pdf(ScoreSheetForm(imprint("en"), game("muette"), deals=50))
    texts = [plain(text) for text in page_texts(data)]
    assert len(texts) == 5
    assert ["Carried forward" in text for text in texts] == [False, True, True, True, True]


def test_the_known_head_is_printed_and_the_signatures_of_both_sides():
    head = SheetHead("3", "31", "2", ("Lœuillet + Kőszegi", "Đorđević + De Bruyne"))
    text = whole_text(
        score_sheets_pdf(ScoreSheetForm(imprint(), game("parlee"), heads=(head,) * 2))
    )
    for part in (
        *head.names,
        "Signature N-S",
        "Signature E-O",
        "Marqueur",
        "La moitié d’une donne est 34.",
    ):
        assert part in text


def test_a_sheet_for_a_lone_declarer_states_no_half():
    text = whole_text(score_sheets_pdf(ScoreSheetForm(imprint("en"), game("auction-2"))))
    assert "Half of a deal" not in text


@pytest.mark.parametrize(("key", "players"), [("belgian", 2), ("auction-3", 7)])
def test_long_names_stand_whole_over_their_lines(key, players):
    found = game(key, players=players) if players > 2 else game(key)
    long = "Aleksandrina Konstantinovna Vandenberghe-Schelstraete-Bogaert"
    names = tuple(f"{long} {at}" for at in range(players))
    data = score_sheets_pdf(
        ScoreSheetForm(imprint(), found, heads=(SheetHead("1", "2", "3", names),))
    )
    text = whole_text(data).replace("- ", "-")
    assert [name for name in names if name not in text] == []
    (page,) = read(data).pages
    assert overlaps(boxes(page)) == []


def test_a_sheet_has_the_rules_and_the_deals_of_its_own_table():
    heads = (SheetHead(table="1"), SheetHead(table="2", rules=game("three-player"), deals=6))
    data = score_sheets_pdf(ScoreSheetForm(imprint("en"), game("belgian"), 8, heads))
    first, second = (plain(text) for text in page_texts(data))
    assert (first.count("NT"), second.count("NT")) == (8, 6)
    assert "Signature N-S" in first
    assert "Three-player manille" in second
    assert "Signature Player 3" in second


def test_a_ladder_of_bids_states_no_half():
    text = whole_text(score_sheets_pdf(ScoreSheetForm(imprint("en"), game("chaloupee"))))
    assert "Half of a deal" not in text


def heights(page, every):
    """Return the distances between the rows of the sheet, by a text that each row contains once."""
    found = []

    def visit(text, matrix, at, *_font):
        if text.strip() == every:
            found.append(at[5] + matrix[5])

    page.extract_text(visitor_text=visit)
    return [above - below for above, below in pairwise(found)]


@pytest.mark.parametrize(
    ("key", "language", "paper"),
    one_in(5, product(["belgian", "chaloupee"], LANGUAGES, PAPERS)),
)
def test_every_row_of_a_table_s_page_has_room_for_a_pen(key, language, paper):
    frame, found = imprint(language, paper=paper, state=None), game(key)
    for games, deals in ((3, 4), (3, 5), (2, 8), (1, 20), (6, 2), (2, 30)):
        heads = tuple(SheetHead("1", "2", str(at), ("A – B", "C – D")) for at in range(games))
        data = score_sheets_pdf(ScoreSheetForm(frame, found, deals, heads))
        pages = read(data).pages
        rows = [high for page in pages for high in heights(page, "×2")]
        assert len(rows) == games * deals - len(pages)
        assert min(rows) >= 18.4  # 6.5 mm
        for page in pages:
            placed = boxes(page)
            assert [box for box in placed if outside(page, box)] == []
            assert overlaps(placed) == []
