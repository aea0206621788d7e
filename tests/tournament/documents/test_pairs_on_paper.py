"""Pairs on paper: both partners find their names, and a label of two letters is printed next to the name."""

import pytest

from tests.tournament.documents.reading import (
    LANGUAGES,
    PAPERS,
    boxes,
    imprint,
    outline_titles,
    outside,
    overlaps,
    page_texts,
    plain,
    read,
    whole_text,
)
from tournament.documents import (
    DrawnTable,
    DrawSheet,
    Person,
    Seat,
    SlipGame,
    SlipSheet,
    TableSlip,
    draw_by_name_pdf,
    draw_by_table_pdf,
    table_slips_pdf,
)

PAIRS = (
    ("Jan Baert", "Zoë Đorđević"),
    ("Marie-Antoinette Vandenbroucke-Deschrijvere", "Œdipe Lœuillet"),
    ("Ömer Çelik", "Aleksandrina Vandenberghe-Schelstraete-Bogaert"),
    ("Luc Maes", "Noël Tack"),
)


def pair(at, number):
    return Person(" / ".join(PAIRS[at]), number, members=PAIRS[at])


def table(number, north, east, labels=("N-S", "E-O")):
    return DrawnTable(
        number,
        (
            Seat(labels[0], pair(north, "12"), first_dealer=True),
            Seat(labels[1], pair(east, "1034"), scorekeeper=True),
        ),
    )


def draw(language="fr", **framing):
    return DrawSheet(
        imprint(language, **framing), 2, (table("1", 0, 1), table("2", 2, 3)), (pair(3, "7"),)
    )


def slips(language="fr", **framing):
    game = SlipGame((("N-S",), ("E-O",)), "N-S")
    return SlipSheet(
        imprint(language, state=None, **framing),
        2,
        tuple(
            TableSlip(each, "https://m.example/t/1", "m.example/t/1", (game,) * 3)
            for each in (table("1", 0, 1), table("2", 2, 3), table("3", 1, 2))
        ),
    )


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "make",
    [
        lambda *frame, **more: draw_by_table_pdf(draw(*frame, **more)),
        lambda *frame, **more: draw_by_name_pdf(draw(*frame, **more)),
        lambda *frame, **more: table_slips_pdf(slips(*frame, **more)),
    ],
)
def test_no_label_lies_on_a_name(make, language, paper):
    for page in read(make(language, paper=paper)).pages:
        found = boxes(page)
        assert [box for box in found if outside(page, box)] == []
        assert overlaps(found) == []


def test_both_partners_are_looked_up_under_their_own_letter():
    data = draw_by_name_pdf(draw())
    text = whole_text(data).replace("- ", "-")
    assert {"J", "Z", "M", "O", "A", "L", "N"} <= set(outline_titles(data))
    for one, other in PAIRS:
        assert f"{one} / {other}" in text
        assert f"{other} / {one}" in text
    assert text.count("exempt") == 2


def test_a_pair_is_a_line_for_each_name_on_the_poster():
    (text,) = page_texts(draw_by_table_pdf(draw()))
    lines = [plain(line) for line in text.splitlines()]
    at = next(number for number, line in enumerate(lines) if "Jan Baert" in line)
    assert "Zoë Đorđević (donne)" in " ".join(lines[at : at + 4])
    assert "Jan Baert / Zoë" not in text


def test_the_slip_of_a_match_has_its_games_with_all_four_names():
    text = plain(page_texts(table_slips_pdf(slips("nl")))[0])
    assert [f"Boom {number}" in text for number in (1, 2, 3, 4)] == [True] * 3 + [False]
    assert "Jan Baert + Zoë Đorđević" in text
    assert "deelt: N-S" in text


def test_each_for_himself_has_a_line_for_every_player():
    people = tuple(Seat(str(at), Person(f"Speler {at}", str(at))) for at in range(1, 8))
    game = SlipGame(tuple((str(at),) for at in range(1, 8)))
    slip = TableSlip(DrawnTable("9", people), "https://m.example/t/9", "m.example/t/9", (game,))
    data = table_slips_pdf(SlipSheet(imprint("nl", state=None), 1, (slip,)))
    (page,) = read(data).pages
    assert overlaps(boxes(page)) == []
    text = whole_text(data)
    assert [text.count(f"Speler {at}") for at in range(1, 8)] == [2] * 7


def test_each_slip_cut_from_its_page_still_says_which_records_it_shows():
    pages = page_texts(table_slips_pdf(slips()))
    mark = imprint().short_fingerprint
    # Two slips on the first page, one on the second: each slip has its own mark, and the page foot repeats it.
    assert [text.count(mark) for text in pages] == [2, 2]
