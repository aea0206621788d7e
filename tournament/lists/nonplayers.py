"""Rows of a list that are no player: totals, sentences, greetings, headings of sections and pages."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from . import names
from .answers import comes
from .sheets import ERRORS, FORMULA
from .words import plain, unaccented

NumberedRow = tuple[int, list[str]]
"""A row and its line in the file."""
_PEOPLE: Final = (
    r"(?:joueu(?:r|se)s?|inscrits?|participants?|spelers?|deelnemers?|players?|personnes|personen|people"
    r"|equipes|ploegen|teams|paires|paren|pairs)"
)
_MANY: Final = (
    r"(?:joueu(?:rs|ses)|inscrits|participants|spelers|deelnemers|players|personnes|personen|people|equipes"
    r"|ploegen|teams|paires|paren|pairs)"
)
_FIGURE: Final = rf"(?:\d+|{FORMULA.casefold()})"
_COUNT: Final = re.compile(rf"{_FIGURE} *{_MANY}|{_MANY} *[:=]? *{_FIGURE}")
"""What a row that counts the players says, in any cell."""
_TOTAL: Final = re.compile(
    r"(?:(?:grand|sous|sub|algemeen|general)[ -]?)?tota(?:l|al|ux|als|len)\b.*"
    r"|(?:aantal|nombre|number|som|somme|sum|count)\b[ :=]*"
    rf"(?:(?:de|van|of|d)?[ ’']*{_PEOPLE}?)"
    r"[ :=]*\d*",
)
"""A row that adds up, by its first words."""
_PAGE: Final = re.compile(
    r"(?:page|pagina|blad|bladzijde|p\.?) ?\d{1,3}(?: ?(?:/|sur|van|of|de) ?\d{1,3})?"
)
"""The number of a page."""
_NO_NAME: Final = (":", "!", "?")
"""Ends of a message's line that is no name."""
_FULL_STOP: Final = re.compile(r"[^\W\d]{3,}\.")
"""The last word of a sentence with its stop: no initial and no abbreviation of a name."""
_DAY: Final = (
    r"(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|demain|bientot|plus|maandag|dinsdag|woensdag"
    r"|donderdag|vrijdag|zaterdag|zondag|morgen|dan|straks|gauw|binnenkort|ziens)"
)
_CLOSING: Final = re.compile(
    r"(?:(?:tres |bien |meilleures? |sincer\w+ )?(?:cordialement|amicalement|sportivement|salutations?.*)"
    r"|cdlt|bien a (?:vous|toi)|bonne (?:soiree|journee)|(?:merci|bedankt|dank)(?: .*)?"
    r"|(?:(?:met )?(?:\w+ ){0,2})?groet(?:en|jes)?(?: van| uit)?.*|mvg|thanks|cheers"
    rf"|(?:kind |best |warm )*regards|(?:a|tot)(?: la)? {_DAY})[ ,.!]*"
)
"""The end of a message: its writer follows."""
_GREETING: Final = re.compile(
    r"(?:bonjour|bonsoir|salut|coucou|merci|hoi|hey|cordialement|amicalement|bien a (?:vous|toi)|bonne soiree"
    r"|bonne journee|chere?s?|hallo|dag|beste|goeie(?:n)?dag|goedenavond|bedankt|groet(?:en|jes)?"
    r"|mvg|hello|hi|dear|thanks|cheers|(?:kind |best )?regards)(?:[,.]?|\b.*,)"
)
"""A greeting: the whole line, or with a name up to a comma."""
_EMPTY: Final = re.compile(r"[\W_]*\d{0,4}[\W_]*")
"""Content of a numbered row without a player: its number, dots or a line to write on."""
_LETTER: Final = re.compile(r"([A-Z])(?: ?[-–/] ?([A-Z]))?")
"""A letter of the alphabet above the names that begin with it, or the range of two."""
_COUNTED: Final = re.compile(
    rf"(?:[(\[](\d{{1,3}})(?: {_PEOPLE})?[)\]]|[:–-] ?(\d{{1,3}})(?: {_PEOPLE})?) ?:?$",
    re.IGNORECASE,
)
"""The number of a club's players behind its name."""
_NUMBER_WITHIN: Final = 40
"""Characters at the end of a row that are searched for the number of a club's players."""
_CLUB: Final = re.compile(
    r"(?:(?:kaart|manille)?club|k\.?c\.?|cercle|soci[ée]t[ée]|vereniging)\s+\S.*", re.IGNORECASE
)
"""The name of a club, by its first word."""
_SIGNATURE: Final = 5
"""Lines below the end of a message that hold its writer: name, office, telephone."""


_BUTTONS: Final = re.compile(
    r"(?=.*[a-z]{4})(?:\d+ ?(?:h|j|d|w|u|min|sem|uur|dagen|dag|jours?|days?)\.?)?(?:[ ·]*(?:j ?['’]aime|repondre|like|reply|vind ik leuk"
    r"|leuk|beantwoorden|reageren|modifie|bewerkt|edited|partager|delen|share|\d{1,3}))+"
)
"""The buttons below a comment: “2 h J’aime Répondre”."""


class Out(StrEnum):
    """Why a row is no player."""

    ABOVE = "above"
    ABOVE_FIRST = "above_first"
    HEADINGS = "headings"
    TOTAL = "total"
    SENTENCE = "sentence"
    NO_NAME = "no_name"
    OFF = "off"
    HIDDEN = "hidden"
    STRUCK = "struck"
    WAITING = "waiting"
    SAID = "said"
    """The reader decided that the row is no player."""
    CLUB = "club"
    """The row names the club of the rows below it, by its count of them or by the reader's decision."""


def why_no_player(row: list[str], named: set[int], read: set[int]) -> Out | None:
    """Return why a row is no player's; ``None`` where it is.

    ``named`` are the columns of the name, ``read`` all columns with a meaning except the number's.
    """
    filled = [cell.strip() for cell in row if cell.strip()]
    first = next(
        (row[at].strip() for at in sorted(named) if at < len(row) and row[at].strip()), filled[0]
    )
    bare = " ".join(unaccented(plain(text)) for text in filled)
    if _TOTAL.fullmatch(plain(filled[0]).casefold()) or _COUNT.fullmatch(bare):
        return Out.TOTAL
    stopped = first.endswith(_NO_NAME) and first not in ERRORS
    words = first.split()
    ended = len(filled) == 1 < len(words) and _FULL_STOP.fullmatch(words[-1]) is not None
    stopped = stopped or ended
    greets = unaccented(first)
    if (
        (stopped and not _are_people(first))
        or (len(filled) == 1 and comes(names.without_pictures(first)) is not None)
        or _GREETING.fullmatch(greets)
        or (len(filled) == 1 and first[0] in "*#" and " " in first)
        or (len(filled) == 1 and (_PAGE.fullmatch(bare) or _CLOSING.fullmatch(greets)))
        or (len(filled) == 1 and (_BUTTONS.fullmatch(greets) or _is_prose(first)))
    ):
        return Out.SENTENCE
    # A list is often numbered in advance: a number alone is not a player.
    cells = {at: row[at].strip() for at in read if at < len(row) and row[at].strip()}
    if cells.keys() <= named:
        nameless = all(map(_EMPTY.fullmatch, cells.values()))
    else:
        nameless = len(filled) == 1 and named.isdisjoint(cells) and any(map(str.isdigit, first))
    return Out.NO_NAME if nameless else None


def _is_prose(text: str) -> bool:
    """Whether a line is a sentence that no given name begins."""
    return names.speaks(text) and not names.starts_given(text) and not any(map(str.isdigit, text))


def _are_people(text: str) -> bool:
    """Whether all parts of a text that ends like a sentence are people."""
    return all(map(names.is_person, names.split(text.rstrip(" ?!."))))


def by_place(
    rows: list[NumberedRow], header: list[str], columns: Mapping[str, int]
) -> dict[int, Out]:
    """Return the lines of rows that are no player by what stands around them."""
    out: dict[int, Out] = {}
    for place, (number, row) in enumerate(rows):
        if header and _repeats(row, header, columns):
            out[number] = Out.HEADINGS
        elif place < 3 and not header and (line := _above(rows, place, columns)) is not None:
            out[line] = Out.ABOVE
    if rows and _counts(rows, columns):
        out[rows[-1][0]] = Out.TOTAL
    out |= dict.fromkeys(_letters(rows, columns), Out.HEADINGS)
    return out | dict.fromkeys(_signature(rows), Out.SENTENCE)


def _repeats(row: list[str], header: list[str], columns: Mapping[str, int]) -> bool:
    """Whether a row is the headings once more, at the top of a further page."""
    places = [at for at in columns.values() if at < len(header) and header[at].strip()]
    return bool(places) and all(
        at < len(row) and unaccented(plain(row[at])) == unaccented(plain(header[at]))
        for at in places
    )


def _counts(rows: list[NumberedRow], columns: Mapping[str, int]) -> bool:
    """Whether the last row is a formula below names that are typed."""
    named = [at for column, at in columns.items() if column in names.NAMES]
    formulas = [any(at < len(row) and row[at] == FORMULA for at in named) for _number, row in rows]
    return len(rows) > 1 and formulas[-1] and not any(formulas[:-1])


def _above(rows: list[NumberedRow], place: int, columns: Mapping[str, int]) -> int | None:
    """Return the line of a title: a single cell above number 1, or above a row without a name."""
    at, number = columns.get("name", columns.get("turned", 0)), columns.get("number")
    if place + 1 >= len(rows) or sum(bool(cell.strip()) for cell in rows[place][1]) != 1:
        return None
    below = rows[place + 1][1]
    if number is not None and number < len(below) and below[number].rstrip(".)") == "1":
        return rows[place][0]
    nameless = at < len(below) and not below[at].strip()
    return rows[place][0] if nameless and any(cell.strip() for cell in below) else None


def _letters(rows: list[NumberedRow], columns: Mapping[str, int]) -> list[int]:
    """Return the lines of letters under which the names are sorted."""
    alone = [
        (place, number, match)
        for place, (number, row) in enumerate(rows)
        if len(cells := [plain(cell) for cell in row if cell.strip()]) == 1
        and (match := _LETTER.fullmatch(cells[0]))
    ]
    at = next((columns[each] for each in ("last", "turned", "name") if each in columns), 0)
    fitting = 0
    for place, _number, match in alone:
        below = rows[place + 1][1] if place + 1 < len(rows) else []
        words = unaccented(below[at]).upper().split() if at < len(below) else []
        fitting += any(match[1] <= word[0] <= (match[2] or match[1]) for word in words)
    return [number for _place, number, _match in alone] if fitting > 1 else []


def _signature(rows: list[NumberedRow]) -> list[int]:
    """Return the lines below the end of a message: who wrote it, and a writer's given name alone."""
    for place in range(max(1, len(rows) - _SIGNATURE - 1), len(rows)):
        filled = [cell.strip() for cell in rows[place][1] if cell.strip()]
        below = rows[place + 1 :]
        if len(filled) != 1 or not all(_is_alone(row) for _number, row in below):
            continue
        ends = _CLOSING.fullmatch(unaccented(filled[0])) is not None
        sentence = filled[0].endswith((".", "!")) and why_no_player(filled, {0}, {0}) is not None
        writer = len(below) == 1 and " " not in below[0][1][0].strip()
        if ends or (sentence and writer):
            return [number for number, _row in below]
    return []


def _is_alone(row: list[str]) -> bool:
    """Whether a row is one text, perhaps with the telephone that was parted from it."""
    filled = [cell for cell in row if cell.strip()]
    return len(filled) == 1 or not any(sign.isalpha() for cell in filled[1:] for sign in cell)


def named_clubs(rows: list[NumberedRow]) -> dict[int, str]:
    """Return the rows of a table that hold a club's name alone, over the rows of its players.

    >>> named_clubs([(1, ["Club De Kroon"]), (2, ["Maes", "Jan"]), (3, ["Claes", "Els"])])
    {1: 'Club De Kroon'}
    """
    alone = {
        number: cells[0]
        for number, row in rows
        if len(cells := [plain(cell) for cell in row if cell.strip()]) == 1
        and _CLUB.fullmatch(cells[0])
    }
    wide = sum(sum(bool(cell.strip()) for cell in row) > 1 for _number, row in rows)
    return alone if wide > len(alone) else {}


def counted_clubs(rows: list[NumberedRow]) -> dict[int, str]:
    """Return the rows that name a club with the number of the rows below it, where every number is right.

    The rows of a poll's answer are counted in the same way: “Ja (4)”. Rows above the first count are passed over.

    >>> counted_clubs([(1, ["De Ridders (2)"]), (2, ["Jan Maes"]), (3, ["Els Claes"])])
    {1: 'De Ridders'}
    """
    clubs: dict[int, str] = {}
    left = 0
    for number, row in rows:
        filled = [plain(cell) for cell in row if cell.strip()]
        text = " ".join(filled)
        match = _COUNTED.search(text[-_NUMBER_WITHIN:]) if len(filled) < 3 else None
        club = text[: len(text) - len(match[0])].strip(" :") if match else ""
        if match is not None and left == 0 and any(map(str.isalpha, club)):
            clubs[number], left = club, int(match[1] or match[2])
        elif clubs:
            left -= 1
        if left < 0:
            return {}
    return clubs if left == 0 else {}
