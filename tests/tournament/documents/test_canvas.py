"""The canvas writes its operators itself; these tests compare it with ``drawString``."""

import io

import pytest
from reportlab.pdfgen.canvas import Canvas

from tests.tournament.documents.reading import NAMES, boxes, imprint, read
from tournament.documents.faces import BOLD, NARROW, TEXT, runs
from tournament.documents.layout import Layout

WORDS = [*NAMES, "(a) \\ b) +121 −41 ♠ 10½", "d’Artagnan – 47,5 %", "x"]


def by_the_public_calls(words, face, size):
    """Draw the same texts with ``drawString``, split by typeface."""
    out = io.BytesIO()
    canvas = Canvas(out, invariant=1, pageCompression=0)
    for row, said in enumerate(words):
        x = 60.0
        for name, piece in runs(said, face):
            canvas.setFont(name, size)
            canvas.drawString(x, 800 - 20 * row, piece)
            x += canvas.stringWidth(piece, name, size)
    canvas.save()
    return out.getvalue()


def by_the_layout(words, face, size):
    layout = Layout(imprint(state=None), "T", head=False)
    layout.bookmark("T")
    for row, said in enumerate(words):
        layout.text(60.0, 800 - 20 * row, said, face=face, size=size)
    return layout.finish()


@pytest.mark.parametrize("face", [TEXT, BOLD, NARROW])
def test_the_layout_writes_what_draw_string_writes(face):
    written, plain = (
        read(make(WORDS, face, 11)).pages[0] for make in (by_the_layout, by_the_public_calls)
    )
    said = [" ".join(line.split()) for line in plain.extract_text().splitlines() if line.strip()]
    read_back = " ".join(written.extract_text().split())
    assert said
    assert [line for line in said if line not in read_back] == []
    ends = {round(box.bottom): round(box.right, 1) for box in boxes(plain)}
    mine = {round(box.bottom): round(box.right, 1) for box in boxes(written)}
    assert {at: mine.get(at) for at in ends} == pytest.approx(ends, abs=0.2)


def test_more_letters_than_one_subset_holds_come_back_each_time_they_are_set():
    """A font of a PDF has 256 letters; a list of players of all Europe has more."""
    letters = [chr(code) for code in range(0xC0, 0x250) if chr(code).isalpha()]
    rows = ["".join(letters[at : at + 20]) for at in range(0, len(letters), 20)]
    assert len(letters) > 256
    layout = Layout(imprint(state=None), "T", head=False)
    layout.bookmark("T")
    # Every row twice, the second time from the cache; then letters of both subsets.
    mixed = "".join(a + b for a, b in zip(letters[:40], letters[-40:], strict=True))
    for row, said in enumerate([*rows, *rows[::-1], mixed, "e\u0301a\u0300 Zoe\u0308"]):
        layout.text(40.0, 800 - 16 * row, said, size=9)
    lines = read(layout.finish()).pages[0].extract_text().replace(" ", "")
    assert [row for row in rows if lines.count(row) != 2] == []
    assert mixed in lines
    assert "éàZoë" in lines
