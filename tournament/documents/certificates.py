"""Certificates: name, rank and signatures, on a page to hang up. Issued for final standings only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tournament.documents import words
from tournament.documents.faces import BOLD
from tournament.documents.formats import ordinal
from tournament.documents.imprint import DocumentError, Imprint, NotFinalError, State
from tournament.documents.looks import ACCENT, CENTRE, INK, MM, MUTED
from tournament.documents.press import Press

_SUITS: Final = "♠   ♥   ♦   ♣"


@dataclass(frozen=True, slots=True)
class Certificate:
    """One certificate: ``title`` is a distinction in words, printed above the rank."""

    name: str
    rank: int
    tied: bool = False
    club: str = ""
    title: str = ""


@dataclass(frozen=True, slots=True)
class CertificateSheet:
    """Certificates of one event; ``signers`` are at most three ``(name, function)``: an empty name
    leaves the line to be signed over the function."""

    imprint: Imprint
    certificates: tuple[Certificate, ...]
    classified: int | None = None
    signers: tuple[tuple[str, str], ...] = ()


def certificates_pdf(sheet: CertificateSheet) -> bytes:
    """One landscape page each; equal sheets give equal bytes.

    Raises ``NotFinalError`` unless the imprint says that the standings are final.
    """
    if sheet.imprint.state is not State.FINAL:
        raise NotFinalError("certificates are printed when the standings are final")
    if not sheet.certificates:
        raise DocumentError("there is nobody to print a certificate for")
    if len(sheet.signers) > 3:
        raise DocumentError("a certificate has room for three signatures")
    language = sheet.imprint.language
    press = Press(
        sheet.imprint, words.CERTIFICATES.to(language), head=False, landscape=True, margin=22 * MM
    )
    for at, certificate in enumerate(sheet.certificates):
        if at:
            press.page()
        press.bookmark(certificate.name)
        _certificate(press, sheet, certificate)
    return press.finish()


def _certificate(press: Press, sheet: CertificateSheet, certificate: Certificate) -> None:
    inset, low = 12 * MM, press.bottom - 2 * MM
    wide, high = press.width - 2 * inset, press.height - inset - low
    press.box(inset, low, wide, high, stroke=ACCENT, weight=2.2)
    press.box(inset + 5, low + 5, wide - 10, high - 10, stroke=INK, weight=0.5)
    middle, room = press.width / 2, press.room - 20
    y = press.height - inset - 58
    press.text(middle, y, _SUITS, size=18, ink=INK, align=CENTRE)
    y -= 66
    press.text(
        middle, y, press.say(words.CERTIFICATE), face=BOLD, size=44, ink=ACCENT, align=CENTRE
    )
    y -= 36
    press.fitted(middle, y, sheet.imprint.event, room, face=BOLD, size=18, least=11, align=CENTRE)
    y -= 46
    press.text(middle, y, press.say(words.AWARDED_TO), size=13, ink=MUTED, align=CENTRE)
    y = press.block(
        middle,
        y - 14,
        certificate.name,
        room,
        lines=2,
        size=38,
        least=18,
        align=CENTRE,
        leading=1.15,
    )
    if certificate.club:
        press.fitted(
            middle, y - 14, certificate.club, room, size=14, least=9, ink=MUTED, align=CENTRE
        )
        y -= 18
    said = words.CERTIFICATE_TIED if certificate.tied else words.CERTIFICATE_RANK
    rank = press.say(said).format(rank=ordinal(certificate.rank, press.language, feminine=True))
    if sheet.classified is not None:
        rank += f", {press.say(words.AMONG).format(count=sheet.classified)}"
    if certificate.title:
        press.fitted(
            middle, y - 38, certificate.title, room, face=BOLD, size=20, least=12, align=CENTRE
        )
        y -= 34
    press.fitted(middle, y - 36, rank, room, face=BOLD, size=18, least=11, ink=ACCENT, align=CENTRE)
    if sheet.imprint.place:
        press.fitted(middle, low + 72, sheet.imprint.place, room, size=12, ink=MUTED, align=CENTRE)
    _signatures(press, sheet, low + 36)


def _signatures(press: Press, sheet: CertificateSheet, y: float) -> None:
    if not sheet.signers:
        return
    step = press.room / len(sheet.signers)
    for at, (name, function) in enumerate(sheet.signers):
        middle = press.left + (at + 0.5) * step
        press.rule(middle - 75, y, middle + 75, y, weight=0.6, ink=INK)
        below = y - 11
        if name:
            press.fitted(middle, below, name, step - 12, size=10, align=CENTRE)
            below -= 10
        press.fitted(middle, below, function, step - 12, size=8, ink=MUTED, align=CENTRE)
