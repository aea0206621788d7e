"""Typefaces of the printed documents: the font of each glyph, and the width of a text.

Owns the embedded fonts (static/fonts, with their licences), the substitution of letters that the
main typeface lacks, and the measuring that decides whether a text fits. IBM Plex Sans has every
letter of the European Latin alphabets and tabular figures, so columns of numbers align; DejaVu Sans
lends the suits and the rest. A letter that neither has, or that would need shaping (Arabic, Hebrew),
prints as a hollow square: a document is never refused for a name.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont

FONTS: Final = Path(__file__).resolve().parents[2] / "static" / "fonts"

TEXT: Final = "Plex"
BOLD: Final = "Plex-Bold"
NARROW: Final = "Plex-Narrow"
NARROW_BOLD: Final = "Plex-Narrow-Bold"
FALLBACK: Final = "DejaVu"

_FILES: Final = {
    TEXT: "plex/IBMPlexSans-Regular.ttf",
    BOLD: "plex/IBMPlexSans-SemiBold.ttf",
    NARROW: "plex/IBMPlexSansCondensed-Regular.ttf",
    NARROW_BOLD: "plex/IBMPlexSansCondensed-SemiBold.ttf",
    FALLBACK: "dejavu/DejaVuSans.ttf",
}
_CONDENSED: Final = {TEXT: NARROW, BOLD: NARROW_BOLD}
MISSING: Final = "□"
ELLIPSIS: Final = "…"
# Height of a capital in parts of the type size (Plex Sans: 698 of 1000).
CAP_HEIGHT: Final = 0.70

for _name, _file in _FILES.items():
    pdfmetrics.registerFont(TTFont(_name, str(FONTS / _file)))

_GLYPHS: Final = {name: frozenset(pdfmetrics.getFont(name).face.charToGlyph) for name in _FILES}
# The advance of each glyph at size 1, read once: measuring is most of the work of a long table.
_ADVANCES: Final = {
    name: {code: width / 1000 for code, width in pdfmetrics.getFont(name).face.charWidths.items()}
    for name in _FILES
}
# Letters whose form does not depend on the next letter, with their advances in each face. Nearly
# all names use only these, so one look-up in the set decides.
_PLAIN: Final = frozenset(
    chr(code)
    for code in (*range(0x20, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x250), 0x2013, 0x2212)
    if all(code in _GLYPHS[name] for name in (TEXT, BOLD, NARROW, NARROW_BOLD))
)
_PLAIN_ADVANCES: Final = {
    name: {char: _ADVANCES[name][ord(char)] for char in _PLAIN} for name in _FILES
}


@lru_cache(maxsize=65536)
def printable(text: str) -> str:
    """``text`` as it can be printed on one line: composed letters, single spaces, no controls.

    Letters of right-to-left scripts and letters that no face has become hollow squares.
    """
    if _PLAIN.issuperset(text):
        return text
    out = []
    for char in unicodedata.normalize("NFC", text):
        category = unicodedata.category(char)
        if category == "Cf":  # joiners and direction marks have no ink
            continue
        if category in {"Cc", "Zl", "Zp", "Zs"}:
            out.append("\u00a0" if char in "\u00a0\u202f\u2009" else " ")
        elif unicodedata.bidirectional(char) in {"R", "AL"}:
            out.append(MISSING)
        elif ord(char) in _GLYPHS[TEXT] or ord(char) in _GLYPHS[FALLBACK]:
            out.append(char)
        elif category not in {"Mn", "Me"}:
            out.append(MISSING)
    return "".join(out)


@lru_cache(maxsize=65536)
def runs(text: str, face: str) -> tuple[tuple[str, str], ...]:
    """``text`` cut into ``(face, piece)``, each piece wholly in its face.

    >>> runs("34 ♠", TEXT)
    (('Plex', '34 '), ('DejaVu', '♠'))
    """
    if _PLAIN.issuperset(text):
        return ((face, text),) if text else ()
    text = printable(text)
    glyphs = _GLYPHS[face]
    pieces: list[tuple[str, str]] = []
    for char in text:
        name = face if ord(char) in glyphs else FALLBACK
        if pieces and pieces[-1][0] == name:
            pieces[-1] = (name, pieces[-1][1] + char)
        else:
            pieces.append((name, char))
    return tuple(pieces)


@lru_cache(maxsize=65536)
def _unit_width(text: str, face: str) -> float:
    try:
        return float(sum(map(_PLAIN_ADVANCES[face].__getitem__, text)))
    except KeyError:
        total = 0.0
    for name, piece in runs(text, face):
        advances = _ADVANCES[name]
        total += sum(advances[ord(char)] for char in piece)
    return total


def width(text: str, face: str, size: float) -> float:
    """Return the width of ``text`` in points when set in ``face`` at ``size`` points."""
    return _unit_width(text, face) * size


@dataclass(frozen=True, slots=True)
class Fitted:
    """A text made to fit: what to print, in which face, at which size in points."""

    text: str
    face: str
    size: float
    whole: bool
    """Whether every letter is there (no ellipsis)."""


@lru_cache(maxsize=65536)
def fit(text: str, room: float, face: str, size: float, least: float) -> Fitted:
    """``text`` in at most ``room`` points of width, by the rule of all documents.

    The face as given, else its condensed companion, else that one smaller (never below ``least``),
    else cut with an ellipsis. Nothing ever runs past its column.
    """
    text = printable(text)
    if width(text, face, size) <= room:
        return Fitted(text, face, size, True)
    narrow = _CONDENSED.get(face, face)
    unit = _unit_width(text, narrow)
    if unit * least <= room:
        # A hair below the exact quotient, so that rounding cannot push it over.
        return Fitted(text, narrow, min(size, room / unit * 0.9999), True)
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if width(text[:middle].rstrip() + ELLIPSIS, narrow, least) <= room:
            low = middle
        else:
            high = middle - 1
    return Fitted(text[:low].rstrip() + ELLIPSIS, narrow, least, False)


_JOINTS: Final = re.compile(r" |(?<=[-‐/])(?=\w)")


def pieces(text: str) -> list[str]:
    """Return the parts between which a line may end: words, and the parts of a word with a hyphen.

    >>> pieces("Vande-Putte Jan")
    ['Vande-', 'Putte', 'Jan']
    """
    return _JOINTS.split(text)


@lru_cache(maxsize=8192)
def wrap(
    text: str, room: float, face: str, size: float, *, hyphens: bool = True
) -> tuple[str, ...]:
    """``text`` broken at spaces and, if ``hyphens``, after hyphens into lines of at most ``room`` points.

    Line breaks are preserved. A word wider than the room is broken inside, since losing its end would be worse.
    """
    lines: list[str] = []
    for paragraph in text.splitlines() or [""]:
        line, at = "", 0
        whole = printable(paragraph)
        for piece in pieces(whole) if hyphens else whole.split(" "):
            start = whole.index(piece, at)
            trial = line + whole[at:start] + piece
            at = start + len(piece)
            if width(trial, face, size) <= room:
                line = trial
                continue
            if line:
                lines.append(line)
            line = piece
            while width(line, face, size) > room and len(line) > 1:
                cut = len(line) - 1
                while cut > 1 and width(line[:cut], face, size) > room:
                    cut -= 1
                lines.append(line[:cut])
                line = line[cut:]
        lines.append(line)
    return tuple(lines)


def _unbroken(text: str, room: float, face: str, size: float, lines: int) -> tuple[str, ...]:
    """``text`` in at most ``lines`` lines that part no word, of about one length; empty if it can't.

    Spaces are tried before hyphens.
    """
    for hyphens in (False, True):
        parts = pieces(text) if hyphens else text.split(" ")
        widest = max(width(part, face, size) for part in parts)
        if widest > room:
            continue
        count = len(wrap(text, room, face, size, hyphens=hyphens))
        if count > lines:
            continue
        for share in (0.4, 0.55, 0.65, 0.75, 0.85, 1.0):
            if widest <= room * share:
                wrapped = wrap(text, room * share, face, size, hyphens=hyphens)
                if len(wrapped) == count:
                    return wrapped
    return ()


@lru_cache(maxsize=8192)
def fit_lines(
    text: str,
    room: float,
    face: str,
    size: float,
    least: float,
    lines: int,
    *,
    alone: float = 0.8,
) -> tuple[Fitted, ...]:
    """``text`` in at most ``lines`` lines: on one unless that makes it small, else broken at
    spaces at the greatest size that allows it, else broken anywhere, and only then cut.

    ``alone`` is the part of ``size`` below which one line is small.
    """
    if lines == 1:
        return (fit(text, room, face, size, least),)
    one = fit(text, room, face, size, max(least, size * alone))
    if one.whole:
        return (one,)
    narrow = _CONDENSED.get(face, face)
    plain = printable(text)
    trial = size
    while trial >= least:
        for candidate in (face, narrow):
            wrapped = _unbroken(plain, room, candidate, trial, lines)
            if wrapped:
                return tuple(Fitted(line, candidate, trial, True) for line in wrapped)
        # The last step is the least size itself.
        trial = trial * 0.94 if trial * 0.94 > least or trial == least else least
    one = fit(text, room, face, size, least)
    if one.whole:
        return (one,)
    broken = wrap(text, room, narrow, least)
    if len(broken) <= lines:
        return tuple(Fitted(line, narrow, least, True) for line in broken)
    first = [Fitted(line, narrow, least, True) for line in broken[: lines - 1]]
    # The rest as it was written: a line may have ended after a hyphen, where no space belongs.
    whole, at = printable(text), 0
    for line in broken[: lines - 1]:
        at = whole.index(line, at) + len(line)
    return (*first, fit(whole[at:].lstrip(" "), room, face, least, least))
