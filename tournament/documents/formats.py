"""Dates, times of day and ordinals as each language writes them on paper.

Numbers and amounts are written by ``tournament.ranking.figures``, the same on paper and screen.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Final

_MONTHS: Final = {
    "fr": [
        "janvier",
        "février",
        "mars",
        "avril",
        "mai",
        "juin",
        "juillet",
        "août",
        "septembre",
        "octobre",
        "novembre",
        "décembre",
    ],
    "nl": [
        "januari",
        "februari",
        "maart",
        "april",
        "mei",
        "juni",
        "juli",
        "augustus",
        "september",
        "oktober",
        "november",
        "december",
    ],
    "en": [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ],
}


def _language(language: str) -> str:
    head = language[:2].lower()
    return head if head in _MONTHS else "en"


def ordinal(rank: int, language: str, *, feminine: bool = False) -> str:
    """A rank as an ordinal; ``feminine`` matters in French (``1re place``).

    >>> [ordinal(1, "fr"), ordinal(1, "fr", feminine=True), ordinal(2, "fr"), ordinal(3, "nl")]
    ['1er', '1re', '2e', '3e']
    >>> [ordinal(rank, "en") for rank in (1, 2, 3, 4, 11, 22, 113)]
    ['1st', '2nd', '3rd', '4th', '11th', '22nd', '113th']
    """
    language = _language(language)
    if language == "fr":
        return f"{rank}e" if rank != 1 else "1re" if feminine else "1er"
    if language == "nl":
        return f"{rank}e"
    if rank % 100 in {11, 12, 13}:
        return f"{rank}th"
    return str(rank) + {1: "st", 2: "nd", 3: "rd"}.get(rank % 10, "th")


def day(value: date, language: str) -> str:
    """A date in full.

    >>> day(date(2027, 2, 1), "fr"), day(date(2027, 2, 21), "nl")
    ('1er février 2027', '21 februari 2027')
    """
    language = _language(language)
    first = "1er" if language == "fr" and value.day == 1 else str(value.day)
    return f"{first} {_MONTHS[language][value.month - 1]} {value.year}"


def moment(value: datetime, language: str) -> str:
    """A date and time of day: ``21 février 2027 à 14 h 05``, ``21 februari 2027 om 14.05 uur``."""
    language = _language(language)
    if language == "fr":
        return f"{day(value, language)} à {value.hour}\u00a0h\u00a0{value.minute:02d}"
    if language == "nl":
        return f"{day(value, language)} om {value.hour}.{value.minute:02d}\u00a0uur"
    return f"{day(value, language)}, {value.hour}:{value.minute:02d}"


def short_moment(value: datetime, language: str) -> str:
    """The same for a narrow column, without the year.

    >>> noon = datetime(2027, 2, 1, 12, 5)
    >>> [short_moment(noon, language) for language in ("fr", "nl", "en")]
    ['1/2 12\xa0h\xa005', '1/2 12.05', '1 Feb 12:05']
    """
    language = _language(language)
    if language == "fr":
        return f"{value.day}/{value.month} {value.hour}\u00a0h\u00a0{value.minute:02d}"
    if language == "nl":
        return f"{value.day}/{value.month} {value.hour}.{value.minute:02d}"
    month = _MONTHS[language][value.month - 1][:3]
    return f"{value.day} {month} {value.hour}:{value.minute:02d}"


def labelled(label: str, value: str, language: str) -> str:
    """A label and its value; French sets a space before the colon.

    >>> labelled("Arbitre", "Luc", "fr"), labelled("Referee", "Luc", "en")
    ('Arbitre\\xa0: Luc', 'Referee: Luc')
    """
    return f"{label}\u00a0: {value}" if _language(language) == "fr" else f"{label}: {value}"
