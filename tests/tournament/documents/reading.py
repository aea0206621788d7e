"""Reads a printed document back with pypdf, an implementation that knows nothing of the press."""

import io
import re
from datetime import datetime, timedelta, timezone

from pypdf import PdfReader

from tournament.documents import Imprint, Paper, State

FINGERPRINT = "9f3a1c2d5e6f70811122334455667788" * 2
LANGUAGES = ("fr", "nl", "en")
PAPERS = tuple(Paper)
# Of the kind that the entry lists of Flanders, France and their neighbours hold.
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
    """Text with runs of white space as one space: a name may be broken over two lines."""
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


def assert_framed(data, framed):
    """What every document owes: size, language, title, hash, state and number on each page.

    Returns the text of all pages.
    """
    reader = read(data)
    size = framed.paper.value
    texts = [plain(page.extract_text()) for page in reader.pages]
    for at, (page, text) in enumerate(zip(reader.pages, texts, strict=True), start=1):
        box = sorted((float(page.mediabox.width), float(page.mediabox.height)))
        assert [round(side, 1) for side in box] == [round(side, 1) for side in sorted(size)]
        assert FINGERPRINT[:16] in text
        assert PAGE[framed.language].format(at, len(texts)) in text
        if framed.state is not None:
            assert STATE[framed.language][framed.state] in text
    assert reader.trailer["/Root"]["/Lang"] == framed.language
    assert framed.event in reader.metadata.title
    assert FINGERPRINT in reader.metadata["/Keywords"]
    assert reader.metadata.creation_date == framed.printed_at
    assert reader.outline
    for page in reader.pages:
        for font in page["/Resources"]["/Font"].values():
            described = font.get_object().get("/FontDescriptor")
            if described is None:
                # The canvas names Helvetica at the top of a page; nothing is ever set in it.
                continue
            assert "/FontFile2" in described.get_object()
    return plain(" ".join(texts))
