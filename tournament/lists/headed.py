"""The row of headings of a list: where it is, what its columns mean, and columns that belong together."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import replace
from itertools import chain, pairwise
from typing import Final

from .sheets import Sheet
from .words import core_of_question, heading, is_aside, unaccented

Headings = Mapping[str, frozenset[str]]
"""Meaning of a column → the headings that it may have, as :func:`~.words.heading` writes them."""
HEADINGS_WITHIN: Final = 15
"""Number of rows that are searched for the headings."""
_TOKEN: Final = re.compile(r"[a-z]+|\d+")
_JOINED: Final = " + "
"""Sign between the headings of two columns that are read as one."""
_PERSON: Final = frozenset(
    [
        "joueur",
        "joueuse",
        "speler",
        "player",
        "participant",
        "participante",
        "deelnemer",
        "lid",
        "membre",
        "member",
    ]
)
_FIRST: Final = frozenset(["1", "eerste", "premier", "premiere", "first", "i"])
_SECOND: Final = frozenset(
    [
        "2",
        "tweede",
        "deuxieme",
        "second",
        "ii",
        "partner",
        "partenaire",
        "maat",
        "ploegmaat",
        "medespeler",
        "coequipier",
        "coequipiere",
        "teammate",
    ]
)
_LETTERS: Final = {"a": 1, "b": 2}
_MANNER: Final = frozenset(
    [
        "value",
        "primary",
        "principal",
        "principale",
        "home",
        "work",
        "prive",
        "thuis",
        "domicile",
        "bureau",
        "personal",
        "personnel",
        "perso",
    ]
)
"""Words that say which of several addresses or telephones a column holds."""
_CORES: Final[Mapping[str, tuple[frozenset[str], frozenset[str]]]] = {
    "email": (
        frozenset(["email", "mail", "courriel", "emailadres", "mailadres", "mailadresse"]),
        frozenset(["e", "adresse", "address", "adres", "electronique"]),
    ),
    "phone": (
        frozenset(
            [
                "tel",
                "telephone",
                "telefoon",
                "gsm",
                "mobile",
                "portable",
                "phone",
                "mobiel",
                "mobiele",
                "contact",
                "telefoonnummer",
                "gsmnummer",
                "cell",
            ]
        ),
        frozenset(
            ["numero", "nummer", "number", "nr", "no", "num", "n", "fixe", "vast", "vaste", "fixed"]
        ),
    ),
    "state": (
        frozenset(["status", "statut", "etat", "rsvp"]),
        frozenset(
            [
                *(
                    "order",
                    "commande",
                    "ticket",
                    "billet",
                    "registration",
                    "inscription",
                    "attendance",
                ),
                *("inschrijving", "bestelling", "deelname", "participation", "response", "reponse"),
            ]
        ),
    ),
}
"""Meaning → words of which a heading has at least one, and words that may stand beside these."""
_CLUB: Final = frozenset(
    [
        "club",
        "clubs",
        "kaartclub",
        "cercle",
        "societe",
        "vereniging",
        "organization",
        "organisation",
    ]
)
_OF_A_CLUB: Final = frozenset(
    [
        *(
            "nr",
            "no",
            "n",
            "num",
            "nummer",
            "numero",
            "number",
            "code",
            "id",
            "adresse",
            "adres",
            "address",
        ),
        *(
            "email",
            "mail",
            "courriel",
            "tel",
            "telephone",
            "telefoon",
            "gsm",
            "phone",
            "contact",
            "since",
        ),
        *(
            "responsable",
            "secretaire",
            "president",
            "voorzitter",
            "secretaris",
            "type",
            "title",
            "depuis",
        ),
    ]
)
"""Words of a heading that asks for something of the club, and not for its name."""
_WITH_WHOM: Final = re.compile(
    r"\b(?:met wie|avec qui|with whom?|speelt? (?:\w+ )?met|joue[rz]? avec|play(?:ing)? with)\b"
)
"""A question for the partner."""
_NAME: Final = frozenset(["nom", "naam", "name"])
_WHOLE: Final = frozenset(["complet", "volledige", "full", "complete", "display", "entier"])
_STREET: Final = frozenset(
    ["straat", "rue", "street", "adres", "adresse", "address", "laan", "straatnaam"]
)
"""Headings before a house number."""
_NUMBERED: Final = re.compile(r"\s*\(?(\d{1,4})\s*[.):/-]+\s*(?=[^\W\d])")
"""The number of a row before its name."""
_TWICE: Final = ("email", "phone")
"""Meanings of which a list may have several columns: the first filled one counts."""


def _person_and_core(text: str) -> tuple[int, str]:
    """Return which player of a pair a heading speaks of, 0 where it names none, and its other words.

    >>> _person_and_core("Nom et prénom du joueur 2"), _person_and_core("E-mail maat")
    ((2, 'nom et prenom'), (2, 'e mail'))
    """
    tokens = _TOKEN.findall(unaccented(text))
    person, core, before = 0, [], ""
    for token in tokens:
        if token in _FIRST and not (tokens[-1] == "name" and token in ("first",)):
            person = person or 1
        elif token in _SECOND:
            person = 2
        elif before in _PERSON and token in _LETTERS:
            person = _LETTERS[token]
        elif token not in _PERSON and not is_aside(token) and token not in _MANNER:
            core.append(token)
        before = token
    return person, " ".join(core)


def _meant(text: str, headings: Headings) -> tuple[int, str]:
    """Return the player of a pair, 0 for an unnamed one, and the meaning of a heading; empty if unknown."""
    parts = text.split(_JOINED)
    if len(parts) == 2:
        first, second = (_meant(part, headings) for part in parts)
        joined = (
            first[0] == second[0] == 2 and first[1] == "first" and second[1] in ("last", "name")
        )
        return (2, "name") if joined else (0, "")
    if _WITH_WHOM.search(unaccented(text)):
        return 2, "name"
    person, core = _person_and_core(text)
    if not core:
        spoken = any(len(token) > 2 for token in _TOKEN.findall(unaccented(text)))
        return (person, "name") if person and spoken else (0, "")
    for kind in ("first", "last", "name"):
        if core in headings.get(kind, ()):
            return person, kind
    words = set(core.split())
    if _is_whole(core, headings) or (words & _NAME and words <= _NAME | _WHOLE):
        return person, "name"
    if words & _CLUB and not words & _OF_A_CLUB:
        return person, "club"
    for kind, (needed, beside) in _CORES.items():
        if words & needed and words <= needed | beside:
            return person, kind
    return person, ""


def _is_whole(core: str, headings: Headings) -> bool:
    """Whether a heading asks for the given name and the surname, in either order."""
    first, last = headings.get("first", frozenset()), headings.get("last", frozenset())
    last = last | {"nom", "naam"}
    words = core.split()
    halves = {
        (" ".join(words[:at]), " ".join(words[end:]))
        for at in range(1, len(words))
        for end in ([at, at + 1] if words[at] in ("et", "en", "and") else [at])
    }
    return any(
        (one in first and two in last) or (one in last and two in first) for one, two in halves
    )


def _people(header: list[str], headings: Headings) -> list[tuple[int, str]]:
    """Return the meaning of each heading of a list that names two players in a row; of any other none."""
    meant = [_meant(text, headings) if text.strip() else (0, "") for text in header]
    named = {person for person, kind in meant if kind in ("name", "last")}
    if named < {1, 2} and not (2 in named and 0 in named):
        return []
    with_first = {person for person, kind in meant if kind == "first"}
    return [
        (person, "last") if kind == "name" and person in with_first else (person, kind)
        for person, kind in meant
    ]


def meanings(header: list[str], headings: Headings) -> dict[str, int]:
    """Map columns by their headings; a name next to a first name is a last name."""
    columns: dict[str, int] = {}
    for index, (person, kind) in enumerate(_people(header, headings)):
        key = _of_partner(kind) if person == 2 else kind
        if person and key and key not in columns:
            columns[key] = index
    for normal in (heading, core_of_question):
        for index, text in enumerate(header):
            if index in columns.values() or not text.strip():
                continue
            words = "number" if text.strip() == "#" else normal(text)
            for column, known in headings.items():
                if words in known and column not in columns:
                    columns[column] = index
                    break
    for index, text in enumerate(header):
        kind = _meant(text, headings)[1] if index not in columns.values() else ""
        if kind in _CORES or kind == "club" or (kind == "name" and "last" not in columns):
            columns.setdefault(kind, index)
    # “Ticket name” names no person: beside the halves only a plain heading names the whole.
    halves = {"first", "last", "name"} <= columns.keys()
    if halves and heading(header[columns["name"]]) not in headings.get("name", ()):
        del columns["name"]
    if "first" in columns and "name" in columns and "last" not in columns:
        columns["last"] = columns.pop("name")
    street = header[columns.get("number", 0) - 1] if columns.get("number") else ""
    if _STREET & set(heading(street).split()):
        del columns["number"]
    return columns


def _of_partner(kind: str) -> str:
    return {"name": "partner", "email": "partner_email", "phone": "partner_phone"}.get(kind, "")


def asks_surname_first(text: str) -> bool:
    """Whether a heading asks for the surname before the given name: “Nom et prénom”.

    >>> asks_surname_first("Nom et prénom du joueur 1"), asks_surname_first("Voornaam en naam")
    (True, False)
    """
    words = unaccented(text)
    return (
        re.search(
            r"\b(?:nom|naam|familienaam|achternaam|surname|last name)\b\W+(?:\w{2,3}\W+)?"
            r"(?:prenom|voornaam|first name|given name)\b",
            words,
        )
        is not None
    )


def find_headings(
    rows: list[tuple[int, list[str]]], headings: Headings
) -> tuple[int, dict[str, int]]:
    """Return the place of the row of headings among ``rows``, and its columns; none without a name.

    A name is not headed by a word with a figure, except where two are: "Speler 01" is a player.
    """
    best: tuple[int, dict[str, int]] = (0, {})
    for place, (_number, row) in enumerate(rows):
        columns = meanings(row, headings)
        name = columns.get("name", columns.get("last"))
        numbered = name is not None and re.search(r"\d", row[name]) and not _people(row, headings)
        if name is not None and not numbered and len(columns) > len(best[1]):
            best = place, columns
    return best


def tidied(sheet: Sheet, headings: Headings, *, pairs: bool, named: Collection[int] = ()) -> Sheet:
    """Return a sheet with one list and one column for each thing.

    Lists side by side become one below the other, the halves of a partner's name one cell, a number before
    each name a column, and a second telephone or address fills the gaps of the first. ``named``: columns that
    the reader has chosen for the name.
    """
    sheet = _unpacked(sheet)
    filled = [row for row in enumerate(sheet.rows) if any(cell.strip() for cell in row[1])]
    place, columns = find_headings(filled[:HEADINGS_WITHIN], headings)
    if not columns:
        return sheet if 0 in named else _without_numbers(sheet, [row for _index, row in filled])
    top = filled[place][0]
    used = _without_empty(sheet, top)
    if find_headings([(top, used.rows[top])], headings)[1]:
        sheet = used
    sheet = _stacked(sheet, top, headings, pairs=pairs)
    header = sheet.rows[top]
    columns = meanings(header, headings)
    sheet = replace(sheet, rows=_with_clubs(sheet.rows, top, columns))
    people = _people(header, headings)
    halves = [people.index((2, kind)) for kind in ("first", "last") if (2, kind) in people]
    doubles = _doubles(header, headings) if not people else []
    if len(halves) < 2 and not doubles:
        return sheet
    return replace(
        sheet,
        rows=[
            row if index < top else _joined(row, halves, doubles, heads=index == top)
            for index, row in enumerate(sheet.rows)
        ],
    )


def _unpacked(sheet: Sheet) -> Sheet:
    """Part rows whose cells all stand in the first, as a program writes that took a whole row for one text."""
    filled = [row for row in sheet.rows if row]
    for sign in (";", "\t"):
        parted = {row[0].count(sign) for row in filled if not any(row[1:])}
        if (
            len(filled) > 1
            and len(parted) == 1
            and parted != {0}
            and not any(map(any, (r[1:] for r in filled)))
        ):
            return replace(sheet, rows=[row[0].split(sign) if row else row for row in sheet.rows])
    return sheet


def _without_empty(sheet: Sheet, top: int) -> Sheet:
    """Remove the headings of columns that are empty, where any row is filled."""
    used = {at for row in sheet.rows[top + 1 :] for at, cell in enumerate(row) if cell.strip()}
    header = [text if at in used or not used else "" for at, text in enumerate(sheet.rows[top])]
    return replace(sheet, rows=[*sheet.rows[:top], header, *sheet.rows[top + 1 :]])


def _with_clubs(rows: list[list[str]], top: int, columns: dict[str, int]) -> list[list[str]]:
    """Give each row the club above it where a column before the names has each club once, as a section."""
    at, name = columns.get("club"), columns.get("name", columns.get("last"))
    if at is None or name is None or at > name:
        return rows
    below = [row for row in rows[top + 1 :] if name < len(row) and row[name].strip()]
    clubs = [row[at].strip() for row in below]
    given = [club for club in clubs if club]
    if not clubs or not clubs[0] or len(set(given)) < len(given) or len(given) * 2 > len(clubs):
        return rows
    filled, club = rows[: top + 1], ""
    for row in rows[top + 1 :]:
        club = (row[at].strip() if at < len(row) else "") or club
        named = name < len(row) and row[name].strip()
        filled.append([*row[:at], club, *row[at + 1 :]] if named else row)
    return filled


def _without_numbers(sheet: Sheet, filled: list[list[str]]) -> Sheet:
    """Part the numbers before the names of a list without headings from these."""
    numbered = sum(bool(_NUMBERED.match(row[0])) for row in filled)
    if numbered < 3 or numbered * 4 < len(filled) * 3:
        return sheet
    parts = [_NUMBERED.match(row[0]) if row else None for row in sheet.rows]
    return replace(
        sheet,
        rows=[
            [match[1], row[0][match.end() :], *row[1:]] if match else ["", *row]
            for match, row in zip(parts, sheet.rows, strict=True)
        ],
        struck={(line, at + 1) for line, at in sheet.struck},
    )


def _doubles(header: list[str], headings: Headings) -> list[list[int]]:
    """Return the places of each meaning that has several columns."""
    kinds = [_meant(text, headings) for text in header]
    places = [
        [at for at, (person, each) in enumerate(kinds) if each == kind and person < 2]
        + [at for at, each in enumerate(kinds) if each == (2, kind)]
        for kind in _TWICE
    ]
    return [each for each in places if len(each) > 1]


def _joined(
    row: list[str], halves: list[int], doubles: list[list[int]], *, heads: bool
) -> list[str]:
    row = row + [""] * (max([*halves, *chain(*doubles)]) + 1 - len(row))
    if len(halves) == 2:
        first, last = halves
        parts = [row[first].strip(), row[last].strip()]
        row[first], row[last] = (_JOINED if heads else " ").join(filter(None, parts)), ""
    if not heads:
        for places in doubles:
            row[places[0]] = next((row[at] for at in places if row[at].strip()), "")
    return row


def _stacked(sheet: Sheet, top: int, headings: Headings, *, pairs: bool) -> Sheet:
    """Put lists that stand side by side one below the other: their headings repeat."""
    header = [heading(text) if text.strip() else "" for text in sheet.rows[top]]
    known = frozenset().union(*(headings.get(kind, ()) for kind in ("name", "last")))
    at = [place for place, text in enumerate(header) if text in known]
    if len(at) < 2 or len({header[place] for place in at}) > 1:
        return sheet
    width = at[1] - at[0]
    starts = [place - (at[0] if width > at[0] else 0) for place in at]
    blocks = [[text for text in header[start : start + width] if text] for start in starts]
    if any(later - earlier != width for earlier, later in pairwise(at)):
        return sheet
    numbered = "number" in meanings(blocks[0], headings)
    if any(block != blocks[0] for block in blocks) or (pairs and not numbered):
        return sheet
    rows = [row if index < top else row[: starts[1]] for index, row in enumerate(sheet.rows)]
    struck, hidden = {each for each in sheet.struck if each[1] < starts[1]}, set(sheet.hidden)
    for start in starts[1:]:
        for index in range(top + 1, len(sheet.rows)):
            block = sheet.rows[index][start : start + width]
            if not any(cell.strip() for cell in block):
                continue
            struck |= {
                (len(rows), place - start + starts[0])
                for line, place in sheet.struck
                if line == index and start <= place < start + width
            }
            hidden |= {len(rows)} if index in sheet.hidden else set()
            rows.append([*[""] * starts[0], *block])
    return replace(sheet, rows=rows, struck=struck, hidden=hidden)
