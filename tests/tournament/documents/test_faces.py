"""Choice of the typeface for each glyph, and texts fitted to their space."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.documents.faces import (
    BOLD,
    ELLIPSIS,
    FALLBACK,
    FONTS,
    MISSING,
    NARROW,
    TEXT,
    fit,
    fit_lines,
    printable,
    runs,
    width,
    wrap,
)

# Latin-1 Supplement and Latin Extended-A hold every letter of the languages written in Latin in
# the European Union and around (Unicode Standard, chapter 7.1); Extended-B adds the Romanian commas.
EUROPEAN = [chr(code) for code in range(0xA1, 0x180) if code != 0xAD] + list("ȘșȚțẞ€")


@pytest.mark.parametrize("face", [TEXT, BOLD, NARROW])
def test_every_european_latin_letter_is_in_the_typeface_itself(face):
    lent = {char for char in EUROPEAN if runs(char, face)[0][0] != face}
    # ŉ is deprecated and never in a name; the other glyphs from DejaVu are not letters.
    assert {char for char in lent if char.isalpha()} <= {"ŉ", "ſ"}
    assert all(runs(char, face)[0][1] != MISSING for char in EUROPEAN)


def test_suits_come_from_the_second_typeface():
    assert [run for suit in "♠♥♦♣" for run in runs(suit, BOLD)] == [
        (FALLBACK, suit) for suit in "♠♥♦♣"
    ]


def test_figures_are_tabular():
    for face in (TEXT, BOLD, NARROW):
        assert len({width(figure, face, 10) for figure in "0123456789"}) == 1


def test_a_letter_in_two_parts_is_composed():
    assert printable("Zoe\u0308") == "Zoë"


@pytest.mark.parametrize(
    ("given_text", "shown"),
    [
        ("محمد", MISSING * 4),
        ("דוד", MISSING * 3),
        ("Li 李", "Li " + MISSING),
        ("a\tb\nc", "a b c"),
        ("Jan\u200bPiet\u202e", "JanPiet"),
        ("Иван Ωmega", "Иван Ωmega"),
        ("", ""),
    ],
)
def test_what_no_face_can_set_is_replaced(given_text, shown):
    assert printable(given_text) == shown


def test_the_licences_lie_beside_the_fonts():
    assert "SIL Open Font License" in (FONTS / "plex" / "LICENSE.txt").read_text("utf-8")
    assert "Bitstream" in (FONTS / "dejavu" / "LICENSE.txt").read_text("utf-8")
    assert sum(file.stat().st_size for file in FONTS.rglob("*.ttf")) < 2_000_000


def test_the_order_of_giving_way():
    name = "Vandenbroucke Marie"
    full = width(name, TEXT, 10)
    assert fit(name, full, TEXT, 10, 7).size == 10
    assert fit(name, full - 1, TEXT, 10, 7) == fit(name, full - 1, TEXT, 10, 7)
    condensed = fit(name, full - 1, TEXT, 10, 7)
    assert (condensed.face, condensed.size, condensed.whole) == (NARROW, 10, True)
    smaller = fit(name, full * 0.7, TEXT, 10, 7)
    assert smaller.whole
    assert smaller.size < 10
    cut = fit(name, full * 0.3, TEXT, 10, 7)
    assert not cut.whole
    assert cut.text.endswith(ELLIPSIS)
    assert name.startswith(cut.text[:-1].rstrip())


@given(st.text(max_size=80), st.floats(12, 300), st.sampled_from([TEXT, BOLD]), st.floats(6, 30))
def test_nothing_is_ever_wider_than_its_room(text, room, face, size):
    made = fit(text, room, face, size, size * 0.5)
    if room >= width(ELLIPSIS, NARROW, size):
        assert width(made.text, made.face, made.size) <= room
    for line in fit_lines(text, room, face, size, size * 0.5, 2):
        if room >= width("W" + ELLIPSIS, BOLD, size):
            assert width(line.text, line.face, line.size) <= room + 1e-6


@given(st.text(max_size=120), st.floats(60, 300))
def test_wrapping_loses_no_letter(text, room):
    lines = wrap(text, room, TEXT, 10)
    kept = "".join("".join(lines).split())
    assert kept == "".join(printable(" ".join(text.splitlines())).split())
    for line in lines:
        assert width(line, TEXT, 10) <= room or len(line) == 1
