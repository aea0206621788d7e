"""How the fonts embedded in one document number its letters, asked once of ReportLab and kept.

An embedded font holds the letters that its document uses, numbered as they first appear, in sets of
256. A long table writes the same letters thousands of times.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from unicodedata import combining

from reportlab.pdfbase.pdfmetrics import getFont
from reportlab.pdfgen.canvas import Canvas

from tournament.documents.faces import runs, width

Piece = tuple[str, str, float]
"""Font as the document names it, escaped string, advance at size 1 (0 where nothing follows)."""


class Letters:
    """The letters of the document that ``canvas`` writes."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas
        self._shown: dict[tuple[str, str], tuple[float, tuple[Piece, ...]]] = {}
        self._codes: dict[str, tuple[str, dict[str, str]]] = {}

    def shown(self, text: str, face: str) -> tuple[float, tuple[Piece, ...]]:
        """The width of ``text`` at size 1 and its pieces, each within one set of one font."""
        found = self._shown.get((text, face))
        if found is None:
            found = self._shown[text, face] = width(text, face, 1.0), self._encoded(text, face)
        return found

    def _encoded(self, text: str, face: str) -> tuple[Piece, ...]:
        if not text:
            return ()
        name, codes = self._codes.setdefault(face, ("", {}))
        try:
            return ((name, "".join(map(codes.__getitem__, text)), 0.0),)
        except KeyError:
            # A letter that is new to this face, or of another one.
            return self._numbered(text, face)

    def _numbered(self, text: str, face: str) -> tuple[Piece, ...]:
        canvas = self._canvas
        found = []
        pieces = [
            (getFont(name), name, subset, string, piece)
            for name, piece in runs(text, face)
            for subset, string, piece in _subsets(getFont(name), piece, canvas._doc)
        ]
        for font, name, subset, string, piece in pieces:
            # Only what something follows needs its advance.
            advance = width(piece, name, 1.0) if len(pieces) > 1 else 0.0
            internal = font.getSubsetInternalName(subset, canvas._doc)
            found.append((internal, canvas._escape(string), advance))
            if name == face and not subset:
                # The first 256 letters of a face are looked up the next time; marks that may yet
                # join the letter before them are not.
                codes = self._codes[face][1]
                codes.update(
                    (letter, canvas._escape(bytes([each])))
                    for letter, each in zip(piece, string, strict=True)
                    if not combining(letter)
                )
                self._codes[face] = internal, codes
        return tuple(found)


def _subsets(font: Any, text: str, doc: Any) -> Iterator[tuple[int, bytes, str]]:
    """``text`` as the subsets of an embedded font number it: subset, codes, the letters meant."""
    at = 0
    for subset, string in font.splitString(text, doc):
        yield subset, string, text[at : at + len(string)]
        at += len(string)
