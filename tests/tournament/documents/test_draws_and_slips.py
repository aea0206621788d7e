"""The draw on the wall and the slips on the tables."""

import re
from dataclasses import replace
from urllib.parse import urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournament.documents.reading import (
    LANGUAGES,
    NAMES,
    PAPERS,
    assert_framed,
    imprint,
    outline_titles,
    page_texts,
    plain,
    read,
    whole_text,
)
from tournament.documents import (
    PAIRS_GAME,
    ROTATION,
    DocumentError,
    DrawnTable,
    DrawSheet,
    Person,
    Seat,
    SlipSheet,
    TableSlip,
    draw_by_name_pdf,
    draw_by_table_pdf,
    table_slips_pdf,
)


def player(at):
    return Person(f"{NAMES[at % len(NAMES)]} n{at}n", str(at))


def tables(count, labels="ABCD"):
    return tuple(
        DrawnTable(
            str(at + 1),
            tuple(
                Seat(label, player(len(labels) * at + k), k == 0, k == 2)
                for k, label in enumerate(labels)
            ),
        )
        for at in range(count)
    )


def draw(count, language="fr", sitting_out=(), **framing):
    return DrawSheet(imprint(language, **framing), 2, tables(count), sitting_out, "14 h 30")


def slips(count, language="fr", **framing):
    return SlipSheet(
        imprint(language, **framing),
        2,
        tuple(
            TableSlip(
                table, f"https://manille.example/t/long{table.number}", f"m.example/{table.number}"
            )
            for table in tables(count)
        ),
    )


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("paper", PAPERS)
def test_the_frame_in_each_language_and_size(language, paper):
    printed = draw(20, language, paper=paper)
    assert_framed(draw_by_table_pdf(printed), printed.imprint)
    assert_framed(draw_by_name_pdf(printed), printed.imprint)
    printed = slips(3, language, paper=paper)
    assert_framed(table_slips_pdf(printed), printed.imprint)


@pytest.mark.parametrize("make", [draw_by_table_pdf, draw_by_name_pdf])
def test_every_player_of_136_tables_is_on_the_poster_once(make):
    found = re.findall(r"n(\d+)n", "\n".join(page_texts(make(draw(136)))))
    assert sorted(map(int, found)) == list(range(544))


def test_by_name_is_alphabetical_without_accents_and_gives_table_and_seat():
    people = ("Ömer", "Oda", "Œdipe", "Zoë", "Đorđe", "De Bruyne", "Émile", "Elke")
    table = DrawnTable("31", tuple(Seat("A", Person(name)) for name in people))
    text = whole_text(draw_by_name_pdf(DrawSheet(imprint(), 1, (table,))))
    order = sorted(people, key=text.index)
    assert order == ["De Bruyne", "Đorđe", "Elke", "Émile", "Oda", "Œdipe", "Ömer", "Zoë"]
    assert text.count("31") >= len(people)


def test_namesakes_are_told_apart_by_their_numbers():
    table = DrawnTable(
        "9", (Seat("A", Person("Jan Peeters", "811")), Seat("B", Person("Jan Peeters", "822")))
    )
    text = whole_text(draw_by_name_pdf(DrawSheet(imprint(), 1, (table,))))
    assert "811" in text
    assert "822" in text


def test_those_who_sit_out_are_on_both_posters():
    printed = draw(4, "nl", (Person("Rustende Rik", "999"),))
    for make in (draw_by_table_pdf, draw_by_name_pdf):
        assert "Rustende Rik" in whole_text(make(printed))
    assert "Vrij in deze ronde" in whole_text(draw_by_table_pdf(printed))


def test_a_draw_of_nobody_is_a_page():
    empty = DrawSheet(imprint("en"), 1, ())
    assert "Nobody yet." in whole_text(draw_by_name_pdf(empty))
    assert "Nobody yet." in whole_text(draw_by_table_pdf(empty))


def test_duties_are_said_in_the_field_s_words():
    text = whole_text(draw_by_table_pdf(draw(1)))
    assert f"{player(0).name} (donne)" in text
    assert f"{player(2).name} (marque)" in text


@settings(max_examples=15, deadline=None)
@given(sizes=st.lists(st.integers(3, 7), min_size=1, max_size=40), names=st.text(max_size=60))
def test_tables_of_any_size_lose_nobody(sizes, names):
    made, at = [], 0
    for number, size in enumerate(sizes, start=1):
        seats = tuple(
            Seat(label, Person(f"#{at + k}# {names}")) for k, label in enumerate("ABCDEFG"[:size])
        )
        made.append(DrawnTable(str(number), seats))
        at += size
    printed = DrawSheet(imprint(), 1, tuple(made))
    for make in (draw_by_table_pdf, draw_by_name_pdf):
        text = "\n".join(page_texts(make(printed)))
        assert {f"#{each}#" for each in range(at)} <= set(re.findall(r"#\d+#", text))


@pytest.mark.guide("director#paper")
def test_two_slips_to_a_page_each_with_its_outline_entry():
    data = table_slips_pdf(slips(5))
    assert len(read(data).pages) == 3
    assert outline_titles(data) == [f"Table {at}" for at in range(1, 6)]


def test_a_slip_says_who_sits_where_and_the_three_rotations():
    text = whole_text(table_slips_pdf(slips(1)))
    a, b, c, d = (player(at).name for at in range(4))
    for side in ((a, b), (c, d), (a, c), (b, d), (a, d), (b, c)):
        assert " + ".join(side) in text
    assert "m.example/1" in text
    # Each of the four meets each other exactly once as partner.
    partners = sorted(side for game in ROTATION for side in game.sides)
    assert partners == [("A", "B"), ("A", "C"), ("A", "D"), ("B", "C"), ("B", "D"), ("C", "D")]


def test_a_table_of_two_pairs_has_one_game():
    table = tables(1, "NESW")[0]
    slip = TableSlip(table, "https://m.example/t/1", "m.example/1", PAIRS_GAME)
    text = whole_text(table_slips_pdf(SlipSheet(imprint("nl"), 1, (slip,))))
    assert "Boom 1" in text
    assert "Boom 2" not in text
    assert f"{player(0).name} + {player(2).name}" in text


@pytest.mark.guide("director#paper")
@pytest.mark.parametrize(("deals", "boxes"), [(0, 0), (1, 1), (4, 4), (5, 0), (12, 0)])
def test_a_slip_has_a_box_for_each_of_few_deals(deals, boxes):
    games = tuple(replace(game, deals=deals) for game in ROTATION)
    slip = TableSlip(tables(1)[0], "https://m.example/t/1", "m.example/1", games)
    text = whole_text(table_slips_pdf(SlipSheet(imprint("nl"), 1, (slip,))))
    assert re.findall(r"Gift (\d+)", text) == [str(deal + 1) for deal in range(boxes)]
    assert all(player(at).name in text for at in range(4))


def test_a_table_of_seven_without_games_names_all_seven():
    table = tables(1, "1234567")[0]
    slip = TableSlip(table, "https://m.example/t/1", "m.example/1", ())
    text = whole_text(table_slips_pdf(SlipSheet(imprint("en"), 1, (slip,))))
    assert [player(at).name in text for at in range(7)] == [True] * 7
    assert "Game" not in text


def test_the_code_on_the_slip_is_the_link():
    link = "https://manille.example/t/4f7K2mQx9"
    slip = TableSlip(tables(1)[0], link, "manille.example/t")
    data = table_slips_pdf(SlipSheet(imprint(), 1, (slip,)))
    assert decoded(data) == [modules(link)]
    assert urlsplit(link).scheme == "https"


def modules(link):
    import segno

    return [
        [bool(module) for module in row]
        for row in segno.make(link, error="m", micro=False, boost_error=False).matrix
    ]


def decoded(data):
    """Decode the QR codes drawn in the page's content stream, sampled at the middle of each module."""
    codes = []
    for page in read(data).pages:
        content = page.get_contents().get_data().decode("latin-1")
        for path in re.findall(r"0 0 0 rg((?:\s+[-\d. ]+ re)+)\s+f", content):
            boxes = [
                tuple(float(part) for part in each.split())
                for each in re.findall(r"([-\d. ]+) re", path)
            ]
            left = min(x for x, _, _, _ in boxes)
            top = max(y + h for _, y, _, h in boxes)
            unit = min(w for _, _, w, _ in boxes)
            side = round((max(x + w for x, _, w, _ in boxes) - left) / unit)
            grid = [[False] * side for _ in range(side)]
            for row in range(side):
                for column in range(side):
                    px, py = left + (column + 0.5) * unit, top - (row + 0.5) * unit
                    grid[row][column] = any(
                        x <= px <= x + w and y <= py <= y + h for x, y, w, h in boxes
                    )
            codes.append(grid)
    return codes


def test_contradictions_are_refused():
    with pytest.raises(DocumentError, match="no seat E, N, S, W"):
        TableSlip(tables(1)[0], "https://m.example", "m.example", PAIRS_GAME)
    with pytest.raises(DocumentError):
        table_slips_pdf(SlipSheet(imprint(), 1, ()))


def test_long_names_are_fitted_and_not_lost_from_the_slip():
    long = "Vandenbroucke-Deschrijvere Marie-Antoinette Philippine"
    table = DrawnTable("1", tuple(Seat(label, Person(long, "1")) for label in "ABCD"))
    slip = TableSlip(table, "https://m.example/t/1", "m.example/1")
    text = plain(page_texts(table_slips_pdf(SlipSheet(imprint(), 1, (slip,))))[0])
    assert text.count("Vandenbroucke") >= 4
