"""Exact numbers written for people, in the manner of each language. No floats anywhere.

The catalogue shows how: French and Dutch write a decimal comma, English a point; a thousand is parted by a
narrow space (French), a point (Dutch) or a comma (English). Minus is U+2212.
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache
from typing import Final

from scoring.texts import pgettext_lazy
from tournament.ranking.model import Number

_SAMPLE: Final = pgettext_lazy("number: how 1234.5 is written", "1,234.5")
_PERCENTAGE: Final = pgettext_lazy("number", "{n}%")
_EURO: Final = pgettext_lazy("amount", "€{n}")
_PLACE: Final = pgettext_lazy("place in a sentence", "{n}")
_FIRST_PLACE: Final = pgettext_lazy("place in a sentence", "1")
MINUS: Final = "\u2212"


@lru_cache
def _marks(sample: str) -> tuple[str, str]:
    """Return the decimal sign and the thousands separator of a number written like ``sample``."""
    match = re.search(r"1(\D?)234(\D)5", sample)
    return (match[2], match[1]) if match else (".", ",")


def decimal_sign(language: str) -> str:
    """Return the decimal separator of a language.

    >>> decimal_sign("fr"), decimal_sign("en")
    (',', '.')
    """
    return _marks(_SAMPLE.render(language))[0]


def format_number(
    value: Number, language: str, *, signed: bool = False, decimals: int = 2, even: bool = False
) -> str:
    """``value`` with at most ``decimals`` places, halves rounded away from zero, zeros dropped.

    ``even`` preserves trailing zeros: the decimal signs of a column line up.

    >>> format_number(Fraction(5, 2), "fr"), format_number(-1234, "nl"), format_number(3, "en")
    ('2,5', '−1.234', '3')
    >>> format_number(Fraction(1, 3), "en", signed=True), format_number(0, "en", signed=True)
    ('+0.33', '0')
    """
    point, thousands = _marks(_SAMPLE.render(language))
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
    """Write a whole number with a minus sign instead of a hyphen.

    >>> with_minus(-210), with_minus("-1.234"), with_minus(12)
    ('−210', '−1.234', '12')
    """
    return str(number).replace("-", MINUS)


def signed(number: int | Fraction) -> str:
    """Write a whole number with its sign.

    >>> signed(-210), signed(12)
    ('−210', '+12')
    """
    return with_minus(f"{number:+}")


def format_percentage(value: Number, language: str, *, even: bool = False) -> str:
    """Format a share of one as a percentage with up to two places; French sets a space before the sign.

    >>> format_percentage(Fraction(18, 25), "en"), format_percentage(Fraction(13, 24), "nl")
    ('72%', '54,17%')
    >>> format_percentage(Fraction(18, 25), "en", even=True)
    '72.00%'
    """
    text = format_number(value * 100, language, even=even)
    return _PERCENTAGE.format(n=text).render(language)


def format_cents(cents: int, language: str) -> str:
    """Format an amount in euro cents, always with two places.

    >>> format_cents(123450, "nl"), format_cents(5, "en")
    ('€\xa01.234,50', '€0.05')
    """
    point, thousands = _marks(_SAMPLE.render(language))
    whole, rest = divmod(abs(cents), 100)
    text = f"{whole:,}".replace(",", thousands) + f"{point}{rest:02d}"
    sign = MINUS if cents < 0 else ""
    return sign + _EURO.format(n=text).render(language)


def place_in_words(place: int, language: str) -> str:
    """Write a place within a sentence: French writes it as an ordinal.

    >>> place_in_words(1, "fr"), place_in_words(2, "fr"), place_in_words(2, "nl")
    ('1er', '2e', '2')
    """
    return (_FIRST_PLACE if place == 1 else _PLACE.format(n=place)).render(language)
