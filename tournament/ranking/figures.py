"""Exact numbers written for people, in the manner of each language. No floats anywhere.

French and Dutch write a decimal comma, English a point; a thousand is parted by a narrow space
(French), a point (Dutch) or a comma (English). Minus is U+2212.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from tournament.ranking.model import Number

_MARKS: Final = {"en": (".", ","), "fr": (",", "\u202f"), "nl": (",", ".")}
MINUS: Final = "\u2212"


def format_number(
    value: Number, language: str, *, signed: bool = False, decimals: int = 2, even: bool = False
) -> str:
    """``value`` with at most ``decimals`` places, halves rounded away from zero, zeros dropped.

    ``even`` keeps the zeros: a column of figures has its points below each other.

    >>> format_number(Fraction(5, 2), "fr"), format_number(-1234, "nl"), format_number(3, "en")
    ('2,5', '−1.234', '3')
    >>> format_number(Fraction(1, 3), "en", signed=True), format_number(0, "en", signed=True)
    ('+0.33', '0')
    """
    point, thousands = _MARKS.get(language[:2].lower(), _MARKS["en"])
    scale = 10**decimals
    size = abs(value) * scale
    scaled = size if isinstance(size, int) else int(size + Fraction(1, 2))
    whole, rest = divmod(scaled, scale)
    text = f"{whole:,}".replace(",", thousands)
    if even:
        text += point + f"{rest:0{decimals}d}"
    elif rest:
        text += point + f"{rest:0{decimals}d}".rstrip("0")
    if scaled == 0:
        return text
    if value < 0:
        return MINUS + text
    return "+" + text if signed else text


def with_minus(number: int | str) -> str:
    """A whole number as it stands, its minus no hyphen.

    >>> with_minus(-210), with_minus("-1.234"), with_minus(12)
    ('−210', '−1.234', '12')
    """
    return str(number).replace("-", MINUS)


def signed(number: int | Fraction) -> str:
    """A whole number with its sign.

    >>> signed(-210), signed(12)
    ('−210', '+12')
    """
    return with_minus(f"{number:+}")


def format_percentage(value: Number, language: str, *, even: bool = False) -> str:
    """A part of one as a percentage with up to two places; French sets a space before the sign.

    >>> format_percentage(Fraction(18, 25), "en"), format_percentage(Fraction(13, 24), "nl")
    ('72%', '54,17%')
    >>> format_percentage(Fraction(18, 25), "en", even=True)
    '72.00%'
    """
    text = format_number(value * 100, language, even=even)
    return text + ("\u00a0%" if language[:2].lower() == "fr" else "%")


def format_cents(cents: int, language: str) -> str:
    """An amount in euro cents, always with two places.

    >>> format_cents(123450, "nl"), format_cents(5, "en")
    ('€\xa01.234,50', '€0.05')
    """
    head = language[:2].lower()
    point, thousands = _MARKS.get(head, _MARKS["en"])
    whole, rest = divmod(abs(cents), 100)
    text = f"{whole:,}".replace(",", thousands) + f"{point}{rest:02d}"
    sign = MINUS if cents < 0 else ""
    if head == "fr":
        return f"{sign}{text}\u00a0€"
    return f"{sign}€\u00a0{text}" if head == "nl" else f"{sign}€{text}"
