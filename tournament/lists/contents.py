"""Meaning of columns that no known heading names: by the words of a longer heading, or by their cells."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Final

from . import names
from .answers import is_paid, speaks_of_money, standing, yes_or_no
from .headed import Headings, meanings
from .sheets import Sheet
from .words import unaccented

NumberedRow = tuple[int, list[str]]
"""A row and its line in the file."""
_PHONE: Final = re.compile(r"\(?(?:\+|0)[\s./()-]*(?:\d[\s./()-]*){8,13}")
"""A telephone number as it is dialled: it begins with a nought or a plus."""
_DIGITS: Final = re.compile(r"\d{8,12}")
"""A telephone number that a spreadsheet took for a number."""
_PHONE_HEADING: Final = re.compile(
    r"tel\b|telef\w*|telep\w*|gsm|mobiel\w*|mobile|portable|phone|cell|bereik\w*|joindre|nummer|numero|num\b"
)
_CODE: Final = re.compile(
    r"\b(?:code|barcode|commande|order|bestelling|rekening|compte|iban|account|licen\w+|urgence|nood\w*|emergency"
    r"|ice|lid\w*|membre|btw|tva|rijksregister\w*|national|fax)\b"
)
"""Words of a heading above numbers that are no telephone of the player."""
_EMAIL: Final = re.compile(r"[^\s@,;<>]+@[^\s@,;<>]+\.[^\s@,;<>]+")
_MONEY: Final = re.compile(
    r"\b(?:payee?s?|paid|payments?|paiement|betaald|betaling|reglee?s?|reglement|voldaan|acquittee?s?"
    r"|ontvangen|gestort|versee?s?|versement|inleg|inschrijvingsgeld|fee)\b"
)
_MONEY_WORDS: Final = (
    *("betaald", "betaling", "ontvangen", "voldaan", "gestort", "overgeschreven"),
    *("payee", "paiement", "paid", "payment", "reglee", "reglement", "versement", "acquittee"),
)
_OTHER_MONEY: Final = re.compile(
    r"\b(?:lidgeld|lidmaatschap\w*|lidkaart|cotisations?|adhesion|membership|abonnement|licen\w+|verzekering|assurance"
    r"|repas|maaltijd\w*|eten|diner|souper|menu|drank\w*|boissons?|meal|food|voorschot|acompte|arrhes|deposit"
    r"|hoe|comment|how|wijze|manier|methode?|method|mode|moyen|type|date|datum|le|op|ref\w*"
    r"|te betalen|a payer|a regler|to pay|due|reste|solde|saldo|openstaand|rembours\w*|terugbetaald|refund\w*)\b"
)
"""Words of a heading about money other than the fee that a player has paid."""
_METHOD: Final = re.compile(
    r"\b(?:(?:moyen|mode|type) (?:de )?(?:paiement|reglement)|betaal(?:wijze|methode|middel)|payment (?:method|type))\b"
)
_BANK: Final = re.compile(r"[A-Z]{2}\d{2}[ ]?(?:[A-Z\d]{4}[ ]?){2,}[A-Z\d]{0,4}")
"""An account number: the rows are payments."""
_AMOUNT: Final = re.compile(r"\b(?:bedrag|montant|amount|credit)\b")
_WHEN: Final = re.compile(
    r".*\d.*|(?:ma|di|wo|do|vr|za|zo|lun|mar|mer|jeu|ven|sam|dim)\b.*|.*(?:dag|di|day)(?:avond)?"
)
"""A day as the heading of a poll's column."""
_BESIDE_THE_POINT: Final = re.compile(
    r"eet|eten|repas|maaltijd|menu|meal|dinn?er|souper|nieuwsbrief|newsletter|gdpr|rgpd|foto|photo|lid|membre|member"
    r"|cotis|utilis|used|gescand|scan|veget|drank|boisson|bus|parking|allerg|akkoord|accord|condition|agree|consent"
    r"|aanwezig|presen|host|organis|vrijwillig|benevole|volunteer|rolstoel|handicap|man|vrouw|homme|femme|sex|taal|langue|nieuw|nouveau"
)
"""Words of a heading above yes and no that say nothing of place or payment."""
_ANSWER: Final = re.compile(
    r"x|v|ok|ja|nee|neen|oui|non|yes|no|o|n|j|y|vrai|faux|waar|onwaar|true|false|[✓✔☑✅✗✘☒❌–—-]"
)
_QUANTITY: Final = re.compile(
    r"quantity|quantite|qty|aantal|nombre|(?:aantal|nombre|number)(?: (?:de|d|of))? ?['’]?(?:places?|plaatsen|personnes|personen|people"
    r"|tickets|billets|spelers|deelnemers|joueurs|participants|players)|places|plaatsen|personnes|personen"
)
"""Heading of a column that counts the people of a row."""
_PARTICLE_HEADING: Final = re.compile(r"tussenv\w*|voorvoegsels?|particule|tv|infix|prefix")


def _cells(rows: list[NumberedRow], at: int) -> list[str]:
    return [row[at].strip() for _number, row in rows if at < len(row) and row[at].strip()]


def _most(cells: list[str], test: Callable[[str], object]) -> bool:
    """Whether a test holds for at least three of five cells."""
    return bool(cells) and sum(bool(test(cell)) for cell in cells) * 5 >= len(cells) * 3


def _shortened(title: str, words: tuple[str, ...]) -> bool:
    """Whether a heading is the beginning of one of the words, with a full stop.

    >>> _shortened("Bet.", ("betaald",)), _shortened("Be.", ("betaald",))
    (True, False)
    """
    bare = unaccented(title).strip(" ?")
    return len(bare) > 3 and bare.endswith(".") and any(w.startswith(bare[:-1]) for w in words)


def by_contents(
    rows: list[NumberedRow], header: list[str], columns: Mapping[str, int]
) -> dict[str, int]:
    """Return the meaning of columns that have none by their heading.

    A column of telephones or addresses shows itself; payments do where all cells speak of them, or where
    the heading does.
    """
    meant: dict[str, int] = {}
    taken = set(columns.values())
    width = max((len(row) for _number, row in rows), default=0)
    free = [at for at in range(width) if at not in taken]
    cells = {at: _cells(rows, at) for at in free}
    titles = {at: unaccented(header[at]) if at < len(header) else "" for at in free}

    def take(kind: str, at: int) -> None:
        if kind not in columns and kind not in meant and at not in meant.values():
            meant[kind] = at

    for at in free:
        title, filled = titles[at], cells[at]
        second = re.search(r"\b(?:2|b|maat|partner|partenaire|ploegmaat)\b", title) is not None
        if not second and _most(filled, _EMAIL.fullmatch):
            take("email", at)
        dialled = _most(filled, _PHONE.fullmatch) and not _CODE.search(title)
        bare = _PHONE_HEADING.search(title) and _most(filled, _DIGITS.fullmatch)
        dialled = dialled or (bool(bare) and not _CODE.search(title))
        if (
            not second
            and dialled
            and (not title or _PHONE_HEADING.search(title) or len(filled) > 2)
        ):
            take("phone", at)
    for at in free:
        title, filled = titles[at], cells[at]
        if _OTHER_MONEY.search(title) or not filled:
            continue
        known = [is_paid(text) for text in filled]
        spoken = sum(map(speaks_of_money, filled))
        short = _shortened(header[at], _MONEY_WORDS) if title else False
        if (
            _MONEY.search(title)
            or (short and None not in known)
            or (spoken * 2 >= len(filled) and None not in known and len(filled) * 4 >= len(rows))
        ):
            take("paid", at)
    _take_payments(rows, titles, cells, take)
    dated = [
        at
        for at in free
        if titles[at]
        and _WHEN.fullmatch(titles[at])
        and _most(cells[at], lambda text: yes_or_no(text) is not None)
        and at not in meant.values()
        and not _MONEY.search(titles[at])
    ]
    if len(dated) == 1 and "off" not in columns:
        take("state", dated[0])
    for at in free:
        if titles[at] and _most(cells[at], lambda text: standing(text) is not None):
            if _shortened(header[at], ("aanwezig", "aanwezigheid", "presence", "presente")):
                take("state", at)
            if _shortened(
                header[at],
                (
                    "afgemeld",
                    "afgezegd",
                    "afwezig",
                    "absent",
                    "absence",
                    "desistement",
                    "annulation",
                    "excuse",
                ),
            ):
                take("off", at)
    return meant


def _take_payments(
    rows: list[NumberedRow],
    titles: Mapping[int, str],
    cells: Mapping[int, list[str]],
    take: Callable[[str, int], None],
) -> None:
    """Take the amounts of a bank's list, or a shop's means of payment, as payments to be asked about."""
    bank = any(
        _most(_cells(rows, at), _BANK.fullmatch)
        for at in range(max((len(row) for _number, row in rows), default=0))
    )
    for at, title in titles.items():
        open_words = not any(map(is_paid, cells[at]))
        if open_words and ((bank and _AMOUNT.search(title)) or _METHOD.search(title)):
            take("paid", at)


def asked_about(
    rows: list[NumberedRow], header: list[str], columns: Mapping[str, int]
) -> list[int]:
    """Return the columns of yes and no whose heading leaves open whether they mean paid or called off."""
    unclear = []
    for at, title in enumerate(header):
        filled = _cells(rows, at)
        bare = unaccented(title).strip()
        if at in columns.values() or not filled or len(bare.split()) > 3:
            continue
        answers = all(_ANSWER.fullmatch(unaccented(text)) for text in filled)
        if answers and not _BESIDE_THE_POINT.search(bare):
            unclear.append(at)
    return unclear


def counting(header: list[str], columns: Mapping[str, int]) -> list[int]:
    """Return the columns that count the people of each row."""
    return [
        at
        for at, title in enumerate(header)
        if at not in columns.values() and _QUANTITY.fullmatch(unaccented(title).strip(" ?:"))
    ]


def _is_people(text: str) -> bool:
    """Whether a cell names a person or two in full, a given name at either end."""
    parts = names.split(text)
    return 0 < len(parts) < 3 and all(
        names.is_person(part)
        and not any(map(str.isdigit, part))
        and (names.starts_given(part) or names.starts_given(part.split()[-1]))
        for part in parts
    )


def headed_by_cells(
    rows: list[NumberedRow], headings: Headings
) -> tuple[int, dict[str, int]] | None:
    """Return the place of the headings above a column of names that no heading calls so, and the columns."""
    best: tuple[int, int, int] | None = None
    width = max((len(row) for _number, row in rows), default=0)
    for at in range(width):
        people = [at < len(row) and _is_people(row[at]) for _number, row in rows]
        if sum(people) < 2:
            continue
        first = people.index(True)
        below = len(_cells(rows[first:], at))
        if sum(people) * 5 >= below * 3 and (best is None or sum(people) > best[0]):
            best = sum(people), first, at
    if best is None or best[1] == 0:
        return None
    _count, first, at = best
    header = rows[first - 1][1]
    if width < 2 or sum(bool(cell.strip()) for cell in header) < 1:
        return None
    bare = ["" if place == at else text for place, text in enumerate(header)]
    columns = {
        kind: place for kind, place in meanings(bare, headings).items() if kind not in names.NAMES
    }
    return first - 1, {**columns, "name": at}


def with_particles(sheet: Sheet, top: int, columns: Mapping[str, int]) -> Sheet:
    """Put the particles of surnames that stand in a column of their own before these: “van der” “Meer”."""
    last = columns.get("last")
    if last is None:
        return sheet
    header, below = sheet.rows[top], list(enumerate(sheet.rows[top + 1 :]))
    for at, title in enumerate(header):
        filled = _cells(below, at)
        headed = _PARTICLE_HEADING.fullmatch(unaccented(title).strip(" ."))
        if at == last or not filled or not (headed or at not in columns.values()):
            continue
        if headed or all(map(_is_particle, filled)):
            rows = [
                row if index <= top else _before(row, at, last)
                for index, row in enumerate(sheet.rows)
            ]
            rows[top] = ["" if place == at else text for place, text in enumerate(header)]
            return replace(sheet, rows=rows)
    return sheet


def _is_particle(text: str) -> bool:
    words = unaccented(text).replace("’", "'").split()
    return bool(words) and all(word in names.BEFORE_SURNAMES for word in words)


def _before(row: list[str], at: int, last: int) -> list[str]:
    row = row + [""] * (max(at, last) + 1 - len(row))
    if row[at].strip():
        row[last], row[at] = f"{row[at].strip()} {row[last].strip()}".strip(), ""
    return row


def with_partners(
    sheet: Sheet, top: int, columns: Mapping[str, int]
) -> tuple[Sheet, dict[str, int]]:
    """Put the second of a pair beside the first where each pair takes two rows: below one number, or between empty rows.

    ``top``: the row of the headings, -1 without them. Returns also the column of the second's telephones.
    """
    name = columns.get("name", columns.get("turned"))
    if name is None or not {"partner", "first", "last"}.isdisjoint(columns):
        return sheet, {}
    lines = [
        index
        for index, row in enumerate(sheet.rows)
        if index > top and name < len(row) and row[name].strip()
    ]
    if top < 0 and len(lines) % 2 and _apart_in_twos(lines[1:]):
        lines = lines[1:]  # below a title
    texts = [sheet.rows[index][name] for index in lines]
    if len(lines) < 4 or len(lines) % 2 or any(names.two_in(text)[1] for text in texts):
        return sheet, {}
    width = max(len(sheet.rows[index]) for index in lines)
    used = (name, columns.get("phone"), columns.get("email"))
    marks = [
        [row[at].strip() if at < len(row := sheet.rows[index]) else "" for index in lines]
        for at in range(width)
        if at not in used
    ]
    if not (any(map(_in_twos, marks)) or _apart_in_twos(lines)):
        return sheet, {}
    rows = [[*row, *[""] * (width + 1 - len(row))] for row in sheet.rows]
    number = columns.get("number")
    for first, second in zip(lines[::2], lines[1::2], strict=True):
        _join(rows[first], rows[second], columns, name, width)
        if number is not None and (match := _LETTERED.fullmatch(rows[first][number].strip())):
            rows[first][number] = match[1]
        rows[second] = []
    phones = (
        {"partner_phone": width} if any(width < len(row) and row[width] for row in rows) else {}
    )
    return replace(sheet, rows=rows), phones


_LETTERED: Final = re.compile(r"(\d{1,4})[ .-]?[aA1]")
"""The number of the first of a pair: 12a."""


def _in_twos(marks: list[str]) -> bool:
    """Whether a column numbers pairs: each mark once for two rows, above the first, beside both, or as 1a and 1b."""
    first, second = marks[::2], marks[1::2]
    if len(set(first)) < len(first) or not all(first):
        return False
    pairs = zip(first, second, strict=True)
    lettered = all(
        (match := _LETTERED.fullmatch(one)) and re.fullmatch(rf"{match[1]}[ .-]?[bB2]", other)
        for one, other in pairs
    )
    return not any(second) or first == second or lettered


def _apart_in_twos(lines: list[int]) -> bool:
    """Whether empty rows stand between the pairs, and only there."""
    gaps = [later - earlier for earlier, later in pairwise(lines)]
    return all(gap == 1 for gap in gaps[::2]) and all(gap > 1 for gap in gaps[1::2])


def _join(
    row: list[str], other: list[str], columns: Mapping[str, int], name: int, width: int
) -> None:
    """Take the second row of a pair into the first; cells that contradict each other stand both."""
    for at in range(width):
        mine, theirs = row[at].strip(), other[at].strip()
        if at == name:
            row[at] = f"{mine} / {theirs}"
        elif not theirs or mine == theirs:
            continue
        elif not mine:
            row[at] = theirs
        elif at == columns.get("phone"):
            row[width] = theirs
        elif at in (columns.get("paid"), columns.get("off"), columns.get("state")):
            row[at] = f"{mine} / {theirs} ?"


def with_debts_as_payments(sheet: Sheet, top: int, columns: Mapping[str, int]) -> Sheet:
    """Read a column of what is still to be paid as one of payments: nought is paid, an amount is not."""
    below = list(enumerate(sheet.rows[top + 1 :]))
    for at, title in enumerate(sheet.rows[top]):
        cells = _cells(below, at)
        if columns.get("paid", at) != at:
            continue
        if _DEBT.fullmatch(unaccented(title).strip(" :?€()")) and all(map(_SUM.fullmatch, cells)):
            rows = [list(row) for row in sheet.rows]
            rows[top][at] = "paid"
            for row in rows[top + 1 :]:
                if at < len(row) and row[at].strip():
                    row[at] = "no" if set(row[at]) & set("123456789") else "yes"
            return replace(sheet, rows=rows)
    return sheet


_DEBT: Final = re.compile(
    r"(?:reste|restant)(?: (?:a payer|du))?|(?:solde|montant) (?:du|a payer)|(?:nog )?te betalen(?: bedrag)?|openstaand(?: bedrag| saldo)?"
    r"|(?:amount|balance) due|due"
)
_SUM: Final = re.compile(r"(?:€|eur)? ?\d+(?:[.,]\d+)? ?(?:€|eur|euros?)?", re.IGNORECASE)
