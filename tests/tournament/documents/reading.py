"""Reads a printed document back with pypdf, an implementation independent of the writer."""

import io
import re
from datetime import datetime, timedelta, timezone
from typing import NamedTuple

from pypdf import PdfReader
from pypdf.generic import ContentStream

from tournament.documents import Imprint, Paper, State

FINGERPRINT = "9f3a1c2d5e6f70811122334455667788" * 2
LANGUAGES = ("fr", "nl", "en")
PAPERS = tuple(Paper)
# Names like those on the entry lists of Flanders, France and their neighbours.
NAMES = (
    "Lœuillet Anaïs",
    "Vandenbroucke-Deschrijvere Marie-Antoinette",
    "Đorđević Ana",
    "Kőszegi Jenő",
    "De Bruyne Noël",
    "Çelik Ömer",
    "Œdipe Zoë",
    "Wałęsa Łukasz",
    "Ó Súilleabháin Ruairí",
    "O'Brien d’Hondt",
)


def imprint(language="fr", *, state=State.PROVISIONAL, paper=Paper.A4, **changes):
    values = {
        "event": "Championnat de manille de Roulers",
        "language": language,
        "printed_at": datetime(2027, 2, 21, 14, 5, tzinfo=timezone(timedelta(hours=1))),
        "fingerprint": FINGERPRINT,
        "state": state,
        "paper": paper,
        "place": "Roeselare, 21.2.2027",
        "organiser": "De Roeland",
    }
    return Imprint(**{**values, **changes})


def read(data):
    return PdfReader(io.BytesIO(data))


def page_texts(data):
    return [page.extract_text() for page in read(data).pages]


def plain(text):
    """Collapse white space in a text: a name may be broken over two lines."""
    return re.sub(r"\s+", " ", text.replace("\u00a0", " ")).strip()


def whole_text(data):
    return plain("\n".join(page_texts(data)))


def outline_titles(data):
    titles = []

    def walk(entries):
        for entry in entries:
            if isinstance(entry, list):
                walk(entry)
            else:
                titles.append(entry.title)

    walk(read(data).outline)
    return titles


PAGE = {"fr": "page {} sur {}", "nl": "pagina {} van {}", "en": "page {} of {}"}
STATE = {
    "fr": {State.PROVISIONAL: "Provisoire", State.FROZEN: "Gelé", State.FINAL: "Définitif"},
    "nl": {State.PROVISIONAL: "Voorlopig", State.FROZEN: "Bevroren", State.FINAL: "Definitief"},
    "en": {State.PROVISIONAL: "Provisional", State.FROZEN: "Frozen", State.FINAL: "Final"},
}


def assert_framed(data, framed, *, diploma=False):
    """Check the frame of every document: size, language, title, hash, state and page numbers.

    A diploma has its hash only in the file's metadata. Returns the text of all pages.
    """
    reader = read(data)
    size = framed.paper.value
    texts = [plain(page.extract_text()) for page in reader.pages]
    for at, (page, text) in enumerate(zip(reader.pages, texts, strict=True), start=1):
        box = sorted((float(page.mediabox.width), float(page.mediabox.height)))
        assert [round(side, 1) for side in box] == [round(side, 1) for side in sorted(size)]
        assert (FINGERPRINT[:16] in text) is not diploma
        assert PAGE[framed.language].format(at, len(texts)) in text
        if framed.state is not None and not diploma:
            assert STATE[framed.language][framed.state] in text
    assert reader.trailer["/Root"]["/Lang"] == framed.language
    assert framed.event in reader.metadata.title
    assert FINGERPRINT in reader.metadata["/Keywords"]
    assert reader.metadata.creation_date == framed.printed_at
    assert reader.outline
    for page in reader.pages:
        for font in page["/Resources"]["/Font"].values():
            described = font.get_object().get("/FontDescriptor")
            assert described is not None, font.get_object()
            assert "/FontFile2" in described.get_object()
    return plain(" ".join(texts))


class Box(NamedTuple):
    """Place of an upright text on its page, in points from the lower left corner."""

    left: float
    bottom: float
    right: float
    top: float
    text: bytes


CAPITAL = 0.66
"""Height of the letters above their base line, as a share of the size."""


def boxes(page):
    """Return the boxes of every text of a page, by the widths of its fonts.

    Slanted text (the state across a provisional page) is meant to lie under the rest and is left out. Text turned
    upside down (a folded card) is included.
    """
    fonts = {name: font.get_object() for name, font in page["/Resources"]["/Font"].items()}
    found, stack = [], []
    at, here = IDENTITY, IDENTITY
    font, size = {}, 0.0
    for operands, operator in ContentStream(page.get_contents(), page.pdf).operations:
        if operator == b"q":
            stack.append(at)
        elif operator == b"Q":
            at = stack.pop()
        elif operator == b"cm":
            at = times([float(n) for n in operands], at)
        elif operator == b"BT":
            here = IDENTITY
        elif operator == b"Tf":
            font, size = fonts[operands[0]], float(operands[1])
        elif operator == b"Tm":
            here = [float(n) for n in operands]
        elif operator == b"Td":
            here = times([1, 0, 0, 1, *(float(n) for n in operands)], here)
        elif operator == b"Tj":
            codes = operands[0].original_bytes
            first, widths = int(font["/FirstChar"]), font["/Widths"]
            wide = sum(float(widths[code - first]) for code in codes) * size / 1000
            placed = times(here, at)
            if placed[1] or placed[2]:
                continue
            x, y = placed[4], placed[5]
            across, up = wide * placed[0], CAPITAL * size * placed[3]
            found.append(
                Box(min(x, x + across), min(y, y + up), max(x, x + across), max(y, y + up), codes)
            )
    return found


IDENTITY = [1.0, 0.0, 0.0, 1.0, 0.0, 0.0]


def times(first, then):
    """Return the product of two transformations in PDF's notation."""
    a, b, c, d, e, f = first
    g, h, i, j, k, m = then
    return [
        a * g + b * i,
        a * h + b * j,
        c * g + d * i,
        c * h + d * j,
        e * g + f * i + k,
        e * h + f * j + m,
    ]


def outside(page, box):
    """Return whether a text leaves its page."""
    wide, high = float(page.mediabox.width), float(page.mediabox.height)
    return box.left < 0 or box.bottom < 0 or box.right > wide or box.top > high


def overlaps(found):
    """Return pairs of texts whose letters overlap; touching is not an overlap."""
    wrong = []
    ordered = sorted((box for box in found if box.text.strip()), key=lambda box: box.bottom)
    for at, one in enumerate(ordered):
        for other in ordered[at + 1 :]:
            if other.bottom >= one.top - SLACK:
                break
            if min(one.right, other.right) - max(one.left, other.left) > SLACK:
                wrong.append((one, other))
    return wrong


SLACK = 0.75
"""Points by which the stated boxes may touch: side bearings and rounding."""
