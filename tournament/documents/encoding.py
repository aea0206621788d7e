"""Encoding of a document's letters in its embedded fonts.

An embedded font holds the letters that its document uses, numbered as they first appear, in subsets
of 256. A long table writes the same letters thousands of times, so the code of each is read once
from a text object.
"""

from __future__ import annotations

import re
from itertools import groupby
from typing import Final
from unicodedata import combining

from reportlab.pdfgen.canvas import Canvas as PdfCanvas

from tournament.documents.faces import runs, width

Piece = tuple[str, str, float]
"""Font as the document names it, escaped string, advance at size 1 (0 where nothing follows)."""

_SHOWN: Final = re.compile(r"(/\S+) \S+ Tf .*?\((.*)\) Tj", re.DOTALL)


class Encoding:
    """The letters of the document that ``pdf`` writes."""

    def __init__(self, pdf: PdfCanvas) -> None:
        self._pdf = pdf
        self._texts: dict[tuple[str, str], tuple[Piece, ...]] = {}
        self._letters: dict[tuple[str, str], tuple[str, str]] = {}
        self._first: dict[str, tuple[str, dict[str, str]]] = {}

    def encode(self, text: str, face: str) -> tuple[Piece, ...]:
        """Return the pieces of ``text``, each within one subset."""
        encoded = self._texts.get((text, face))
        if encoded is None:
            encoded = self._texts[text, face] = self._pieces(text, face)
        return encoded

    def _pieces(self, text: str, face: str) -> tuple[Piece, ...]:
        if not text:
            return ()
        if face in self._first:
            font, codes = self._first[face]
            try:
                return ((font, "".join(map(codes.__getitem__, text)), 0.0),)
            except KeyError:
                # A letter that is new to this face, or of another subset or face.
                pass
        letters = [
            (self._letter(letter, name), name, letter)
            for name, run in runs(text, face)
            for letter in run
        ]
        pieces = []
        for (font, name), group in groupby(letters, key=lambda each: (each[0][0], each[1])):
            members = list(group)
            string = "".join(code for (_, code), _, _ in members)
            advance = width("".join(letter for _, _, letter in members), name, 1.0)
            pieces.append((font, string, advance))
        return tuple(pieces)

    def _letter(self, letter: str, face: str) -> tuple[str, str]:
        """Return the font and the escaped code that show ``letter``."""
        known = self._letters.get((letter, face))
        if known is not None:
            return known
        text = self._pdf.beginText()
        text.setFont(face, 1)
        text.textOut(letter)
        shown = _SHOWN.search(text.getCode())
        if shown is None:
            raise LookupError(f"ReportLab shows {letter!r} of {face} in an unknown way")
        font, code = self._letters[letter, face] = shown[1], shown[2]
        first, codes = self._first.setdefault(face, (font, {}))
        # A mark may yet join the letter before it.
        if font == first and not combining(letter):
            codes[letter] = code
        return font, code
