"""Dates, times of day and ordinals as each language writes them on paper.

Numbers and amounts are written by ``tournament.ranking.figures``, the same on paper and screen.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Final

from scoring.texts import Message, pgettext_lazy
from scoring.texts import gettext_lazy as _

_MONTHS: Final[tuple[Message, ...]] = (
    pgettext_lazy("month", "January"),
    pgettext_lazy("month", "February"),
    pgettext_lazy("month", "March"),
    pgettext_lazy("month", "April"),
    pgettext_lazy("month", "May"),
    pgettext_lazy("month", "June"),
    pgettext_lazy("month", "July"),
    pgettext_lazy("month", "August"),
    pgettext_lazy("month", "September"),
    pgettext_lazy("month", "October"),
    pgettext_lazy("month", "November"),
    pgettext_lazy("month", "December"),
)
_FIRST_DAY: Final = pgettext_lazy("first day of a month", "1")
_DAY: Final = pgettext_lazy("date", "{day} {month} {year}")
_MOMENT: Final = pgettext_lazy("date and time", "{date}, {hour}:{minute}")
_SHORT: Final = pgettext_lazy("date and time", "{day}/{month} {hour}:{minute}")
_FIRST: Final = pgettext_lazy("place", "1st")
_ORDINALS: Final[dict[int, Message]] = {
    1: pgettext_lazy("place", "{n}st"),
    2: pgettext_lazy("place", "{n}nd"),
    3: pgettext_lazy("place", "{n}rd"),
}
_ORDINAL: Final = pgettext_lazy("place", "{n}th")
_ORDINALS_FROM_20: Final[dict[int, Message]] = {
    1: pgettext_lazy("place", "{n}st"),
    2: pgettext_lazy("place from 20", "{n}nd"),
    3: pgettext_lazy("place from 20", "{n}rd"),
}
_ORDINAL_FROM_20: Final = pgettext_lazy("8th place, and from 20", "{n}th")


def ordinal(rank: int, language: str) -> str:
    """Format a place as an ordinal: 1, 2, 3 and their compounds differ from the others.

    >>> [ordinal(rank, "fr") for rank in (1, 2, 21)]
    ['1re', '2e', '21e']
    >>> [ordinal(rank, "nl") for rank in (1, 2, 3, 8, 11, 13, 19, 20, 22, 100, 102)]
    ['1ste', '2de', '3de', '8ste', '11de', '13de', '19de', '20ste', '22ste', '100ste', '102de']
    >>> [ordinal(rank, "en") for rank in (1, 2, 3, 4, 11, 22, 113)]
    ['1st', '2nd', '3rd', '4th', '11th', '22nd', '113th']
    """
    if rank == 1:
        return _FIRST.render(language)
    last = rank % 100
    if last in {0, 8} or last >= 20:
        text = _ORDINALS_FROM_20.get(last % 10, _ORDINAL_FROM_20)
    else:
        text = _ORDINAL if last in {11, 12, 13} else _ORDINALS.get(last, _ORDINAL)
    return text.format(n=rank).render(language)


def day(value: date, language: str) -> str:
    """Format a date in full.

    >>> day(date(2027, 2, 1), "fr"), day(date(2027, 2, 21), "nl")
    ('1er février 2027', '21 februari 2027')
    """
    first = _FIRST_DAY if value.day == 1 else value.day
    month = _MONTHS[value.month - 1]
    return _DAY.format(day=first, month=month, year=value.year).render(language)


def moment(value: datetime, language: str) -> str:
    """Format a date and time of day: ``21 février 2027 à 14 h 05``, ``21 februari 2027 om 14.05 uur``."""
    minute = f"{value.minute:02d}"
    text = _MOMENT.format(date=day(value, language), hour=value.hour, minute=minute)
    return text.render(language)


def short_moment(value: datetime, language: str) -> str:
    """Format a date and time for a narrow column, without the year.

    >>> noon = datetime(2027, 2, 1, 12, 5)
    >>> [short_moment(noon, language) for language in ("fr", "nl", "en")]
    ['1/2 12\xa0h\xa005', '1/2 12.05', '1/2 12:05']
    """
    return _SHORT.format(
        day=value.day, month=value.month, hour=value.hour, minute=f"{value.minute:02d}"
    ).render(language)


def labelled(label: str, value: str, language: str) -> str:
    """Join a label and its value; French sets a space before the colon.

    >>> labelled("Arbitre", "Luc", "fr"), labelled("Referee", "Luc", "en")
    ('Arbitre\xa0: Luc', 'Referee: Luc')
    """
    return f"{label}{_(':').render(language)} {value}"
