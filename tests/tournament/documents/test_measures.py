"""Columns that fit the page: whole numbers, and whole words where possible."""

from hypothesis import given, settings
from hypothesis import strategies as st

from tournament.documents.faces import BOLD, fit_lines, pieces, width
from tournament.documents.looks import BODY_SIZE, RIGHT
from tournament.documents.measures import GridColumn, GridRow, measured

ROOM = 500.0


def table(numbers, names, headings):
    columns = [
        GridColumn("Rang", align=RIGHT),
        GridColumn("Nom", share=3, lines=3),
        *(GridColumn(heading, align=RIGHT, widest=80) for heading in headings),
    ]
    rows = [
        GridRow((str(at), name, *values))
        for at, (name, values) in enumerate(zip(names, numbers, strict=True), start=1)
    ]
    return columns, rows


CRITERIA = st.integers(1, 7).flatmap(
    lambda count: st.tuples(
        st.lists(st.text("abcdefghij -", min_size=1, max_size=30), min_size=count, max_size=count),
        st.lists(
            st.lists(
                st.from_regex(r"[+−]?\d{1,4}(,\d{2})?", fullmatch=True),
                min_size=count,
                max_size=count,
            ),
            min_size=1,
            max_size=12,
        ),
    )
)


@settings(max_examples=25, deadline=None)
@given(CRITERIA, st.text("ABCDE abcdeëœ-", max_size=50))
def test_a_number_is_never_cut_and_the_columns_fill_the_room(criteria, name):
    headings, numbers = criteria
    columns, rows = table(numbers, [name] * len(numbers), headings)
    found = measured(ROOM, columns, rows, BODY_SIZE)
    assert abs(sum(found.wide) - ROOM) < 0.5
    for at, column in enumerate(columns):
        if column.share:
            continue
        for row in rows:
            assert width(row.cells[at], BOLD, found.size) <= found.wide[at] - 2 * found.pad + 0.01


def test_a_short_table_keeps_its_type_size():
    columns, rows = table([["12", "+40"]], ["Lœuillet Anaïs"], ["Points", "Net"])
    assert measured(ROOM, columns, rows, BODY_SIZE).size == BODY_SIZE


def test_more_columns_than_fit_are_set_smaller_before_anything_is_cut():
    numbers = [["+1234,56"] * 9]
    columns, rows = table(numbers, ["Lœuillet Anaïs"], ["Net"] * 9)
    found = measured(ROOM, columns, rows, BODY_SIZE)
    assert found.size < BODY_SIZE


def test_a_double_name_breaks_after_its_hyphen():
    name = "Vandenbroucke-Deschrijvere"
    room = width("Vandenbroucke-", BOLD, 10) + 3
    lines = fit_lines(name, room, BOLD, 10, 8, 2)
    assert [line.text for line in lines] == ["Vandenbroucke-", "Deschrijvere"]


def test_the_cut_rest_of_a_hyphenated_name_gains_no_space():
    lines = fit_lines("Aaaaaaaa-Bbbbbbbb-Cccccccc-Dddddddd", 60, BOLD, 10, 9, 2)
    assert not any("- " in line.text for line in lines)
    assert lines[-1].text.endswith("…")


@given(st.text(max_size=60))
def test_pieces_are_the_text(text):
    assert "".join(pieces(text)) == text.replace(" ", "")
