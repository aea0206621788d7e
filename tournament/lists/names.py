"""Names as people write them: a letter, no address, one person or two, surname or given name first."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import SequenceMatcher
from typing import Final

from .given_names import GIVEN_NAMES
from .words import plain, unaccented

NAMES: Final = frozenset({"name", "turned", "first", "last"})
"""Meanings of columns that make up a name."""
NEAR: Final = 0.86
"""Least likeness of two names, from 0 to 1, that may be spellings of one."""
NEAR_PART: Final = 0.65
"""Least likeness of what two spellings of one name do not share."""
_PICTURES: Final = re.compile("[\u2190-\u2bff\ufe0e\ufe0f\U0001f000-\U0001faff]")
"""Arrows, marks and pictures, and signs that choose how they look."""
_DATED: Final = re.compile(r"(?:\d\D*){4}")
"""More digits than a name has: a date, a telephone."""
_COUNTED: Final = re.compile(r"\s(?:·|\d+)\s")
"""A number or a dot among words: a sentence, or the buttons below a comment."""
_AND: Final = re.compile(r"\w\s*(?:[&+]|\s(?:en|et|and)\s)\s*\w", re.IGNORECASE)
"""Separators between two people who share a line."""
_TITLE: Final = re.compile(
    r"(?:(?:m(?:r|me|lle|evr|evrouw|rs|s|adame|ademoiselle|onsieur|iss|ister)|dhr|de heer|meneer)\b\.?"
    r"|m\.(?=\s*[^\W\d_]{2,}\s+\S))\s*(?=\S)",
    re.IGNORECASE,
)
"""A form of address before a name; “M.” only before two names, since it may be an initial."""
_BETWEEN: Final = re.compile(
    r"\s*[\r\n]+\s*|\s*[&+]\s*|\s+[/–—-]\s+|\s*/\s*|\s+(?:en|et|and)\s+", re.IGNORECASE
)
"""Separators between the two of a pair in one cell."""
_LOOSE: Final = re.compile(r"\s*[&+/]\s*$")
"""A separator behind which no second person stands."""
_PARTED: Final = re.compile(r"\S\s*[\r\n]+\s*\S|\w\s*/\s*\w|\w\s+[–—-]\s+\w")
"""Signs of two people in one cell: lines of it, a stroke, a dash between spaces."""
_ADDRESS: Final = re.compile(r"[<(\[]?(?:mailto:)?([^\s<>()\[\],;:]+@[^\s<>()\[\],;:]+)[>)\]]?")
"""An e-mail address inside a name, as mail programs copy it."""
_TELEPHONE: Final = re.compile(
    r"[(\[]?(?:\b(?:t[eé]l|gsm|mobile|portable|telefoon)\w*[.: ]*)?"
    r"((?:\+|\b00?)[1-9](?:[\s./()-]*\d){7,13})[)\]]?",
    re.IGNORECASE,
)
"""A telephone number inside a name: it begins with a nought or a plus."""
_LEFT_OVER: Final = re.compile(r"\s+[-–—/|:]+$")
"""A sign that parted a name from its telephone."""
BEFORE_SURNAMES: Final = frozenset(
    [
        "d",
        "d'",
        "da",
        "de",
        "del",
        "della",
        "den",
        "der",
        "des",
        "di",
        "du",
        "el",
        "la",
        "le",
        "les",
        "op",
        "t",
        "'t",
        "ten",
        "ter",
        "van",
        "vande",
        "vanden",
        "vander",
        "von",
    ]
)


_ASKING: Final = frozenset(
    [
        *("wie", "wat", "waar", "wanneer", "hoe", "hoeveel", "welke", "is", "kan", "komt", "mag"),
        *("qui", "que", "quoi", "quand", "comment", "combien", "quel", "quelle", "est", "peut"),
        *("who", "what", "where", "when", "how", "which", "can", "does", "merci", "bedankt"),
        *("dank", "bonne", "bon", "veel", "tot", "a", "good", "thank", "thanks", "voici", "hier"),
    ]
)
"""First words of a question or a wish."""


def is_name(text: str) -> bool:
    """Whether a text can be a name: it has a letter, and no ``@``.

    >>> is_name("Ó"), is_name("12345"), is_name("\\u3164"), is_name("Jan <jan@example.org>")
    (True, False, False, False)
    """
    return any(sign.isalpha() for sign in plain(text)) and "@" not in text


def without_pictures(text: str) -> str:
    """Remove a message's pictures from a name: ✅, 👍."""
    return plain(_PICTURES.sub("", text))


def without_title(name: str) -> str:
    """Remove the form of address before a name.

    >>> without_title("Mme Claire Dubois"), without_title("M. Marcel Leroy"), without_title("M. Leroy")
    ('Claire Dubois', 'Marcel Leroy', 'M. Leroy')
    """
    return name[title.end() :] if (title := _TITLE.match(name)) else name


def without_contact(name: str) -> tuple[str, str, str]:
    """Return a name without the address and telephone that programs add to it, and these two.

    >>> without_contact('"Jan Maes" <jan@example.org>')
    ('Jan Maes', 'jan@example.org', '')
    """
    address = _ADDRESS.search(name) if "@" in name else None
    rest = _ADDRESS.sub(" ", name) if address else name
    phone = _TELEPHONE.search(rest)
    if not address and not phone:
        return name, "", ""
    bare = plain(_TELEPHONE.sub(" ", rest).replace('"', " ")).strip(" ,;")
    bare = _LEFT_OVER.sub("", bare)
    return bare, address[1] if address else "", plain(phone[1]) if phone else ""


def _bare(typed: str) -> str:
    bare = _TELEPHONE.sub(" ", _ADDRESS.sub(" ", typed) if "@" in typed else typed)
    return typed.strip() if bare == typed else _LEFT_OVER.sub("", bare.strip())


def two_in(typed: str) -> tuple[str, str]:
    """Split the names of two people in one cell; of a single person the second is empty.

    >>> two_in("Jan Maes + Els Claes"), two_in("Els en Bart Janssens"), two_in("Jan Maes")
    (('Jan Maes', 'Els Claes'), ('Els Janssens', 'Bart Janssens'), ('Jan Maes', ''))
    """
    typed = _LOOSE.sub("", typed)
    both = [part for part in map(plain, _BETWEEN.split(_bare(typed))) if part]
    if len(both) == 1 and is_several(both[0]):
        both = [part.strip() for part in both[0].split(",") if part.strip()]
    if len(both) == 2:
        both = _with_surname(both)
    if len(both) == 2 and all(any(sign.isalpha() for sign in part) for part in both):
        return both[0], both[1]
    return typed, ""


def split(typed: str) -> list[str]:
    """Return the people in one cell, a common surname with each of them.

    >>> split("Els en Bart Janssens"), split("Jan Maes / Tom Baert"), split("Jan Maes")
    (['Els Janssens', 'Bart Janssens'], ['Jan Maes', 'Tom Baert'], ['Jan Maes'])
    """
    people = [part for part in map(plain, _BETWEEN.split(_bare(typed))) if part]
    people = [
        part.strip()
        for each in people
        for part in (each.split(",") if is_several(each) else [each])
        if part.strip()
    ]
    return _with_surname(people)


def _with_surname(people: list[str]) -> list[str]:
    """Add the last person's surname to the names without one: “Els en Bart Janssens”."""
    surname = people[-1].partition(" ")[2] if people else ""
    return [f"{each} {surname}" if surname and " " not in each else each for each in people]


def of_halves(first: str, last: str) -> str:
    """Return the people whose given names and surnames stand in two cells, parted in either; else nothing.

    >>> of_halves("Anneke / Luc", "Peeters / Maes"), of_halves("Els en Bart", "Maes"), of_halves("Els", "Maes")
    ('Anneke Peeters / Luc Maes', 'Els Maes / Bart Maes', '')
    """
    given, surnames = (
        [part for part in map(plain, _BETWEEN.split(half)) if part] for half in (first, last)
    )
    if len(given) < 2 and len(surnames) < 2:
        return ""
    if len(surnames) == 1:
        surnames *= len(given)
    if len(given) != len(surnames):
        return f"{plain(first)} {plain(last)}".strip()
    return " / ".join(f"{one} {other}" for one, other in zip(given, surnames, strict=True))


def is_several(name: str) -> bool:
    """Whether a name seems to be of several people: “Els Janssens, Bart Janssens”, “Els en Bart”."""
    if _AND.search(name):
        return True
    parts = [part.split() for part in name.split(",")]
    whole = [len(part) > 1 and part[0].casefold() not in BEFORE_SURNAMES for part in parts]
    return len(parts) > 1 and all(whole)


def is_parted(typed: str) -> bool:
    """Whether a cell is written like two people: on two lines, with a stroke or a dash between them."""
    return bool(_PARTED.search(_bare(typed)))


_PLACED: Final = re.compile(r"(.*[^\W\d]\.?)\s*(?:\(([^()\d]+)\)|\s[–—/-]\s([^–—/\d]+))\s*")


def with_club(text: str) -> tuple[str, str]:
    """Return a name and the club or place behind it, in brackets or after a dash; empty where none is.

    >>> with_club("Claire Dubois (Lille)"), with_club("Jan Maes - KC Menen"), with_club("Jan Maes - Els Claes")
    (('Claire Dubois', 'Lille'), ('Jan Maes', 'KC Menen'), ('Jan Maes - Els Claes', ''))
    """
    match = _PLACED.fullmatch(text)
    if match is None or " " not in match[1].strip():
        return text, ""
    club = plain(match[2] or match[3])
    return (text, "") if starts_given(club) or "@" in club else (match[1].strip(), club)


def is_strange(name: str) -> bool:
    """Whether a text is hardly a name: with a date, in brackets, behind a number, with a letter lost.

    >>> is_strange("Met 2 personen"), is_strange("J’aime · Répondre · 2 j"), is_strange("Jan Maes 2")
    (True, True, False)
    """
    return (
        bool(_DATED.search(name) or _COUNTED.search(name))
        or "(" in name
        or "?" in name
        or name[:1].isdigit()
        or speaks(name)
    )


def speaks(text: str) -> bool:
    """Whether a text in small letters behind a capital is a sentence, and no name.

    >>> speaks("Opgemaakt door Frans, secretaris"), speaks("Jan van der meer"), speaks("jan maes de kroon")
    (True, False, False)
    """
    words = [word for word in re.split(r"[\s,]+", text) if word]
    small = [word for word in words[1:] if word.isalpha() and word.islower() and len(word) > 2]
    return (
        bool(words)
        and words[0][:1].isupper()
        and sum(unaccented(word) not in BEFORE_SURNAMES for word in small) > 1
    )


def is_person(text: str) -> bool:
    """Whether a text that ends with a sign of a sentence can be a person all the same.

    >>> is_person("Freddy Maes"), is_person("jan maes"), is_person("Wie komt er"), is_person("Merci Jan et à bientôt")
    (True, True, False, False)
    """
    words = text.replace(",", " ").split()
    if not 2 <= len(words) <= 5 or any(sign in text for sign in ".:;") or not is_name(text):
        return False
    if unaccented(words[0]) in _ASKING:
        return False
    capitals = all(
        word[0].isupper() or unaccented(word) in BEFORE_SURNAMES or not word[0].isalpha()
        for word in words
    )
    return capitals or (len(words) < 4 and (_is_given(words[0]) or _is_given(words[-1])))


def _is_given(word: str) -> bool:
    return any(part in GIVEN_NAMES for part in (unaccented(word), unaccented(word).split("-")[0]))


def starts_given(name: str) -> bool:
    """Whether a text begins with a given name."""
    return bool(name.split()) and _is_given(name.split()[0])


def _capitals(words: list[str]) -> int:
    """Return how many words from the first on are in capitals alone."""
    count = 0
    for word in words:
        letters = [sign for sign in word if sign.isalpha()]
        if len(letters) < 2 or not all(sign.isupper() for sign in letters):
            break
        count += 1
    return count


_COMMA_BEHIND_SURNAME: Final = re.compile(
    r"(?:(?:van|de|den|der|ter|ten|te|le|la|du|von|el) ){0,2}[^\s,]+\s*,\s*[^\W\d][^\s,]*(?: [^\s,]+){0,3}",
    re.IGNORECASE,
)
"""A surname of one word, a comma, a given name."""


def surnames_first(names: Iterable[str], least: int = 3) -> bool:
    """Whether the names of a list begin with the surname: at least ``least`` show it, and few the contrary.

    >>> surnames_first(["Maes Jan", "De Smet An", "Claes Els", "Baert T."])
    True
    """
    turned = straight = 0
    names = list(names)
    if len(names) > 1 and all(map(_COMMA_BEHIND_SURNAME.fullmatch, names)):
        return True
    for typed in names:
        name = without_contact(typed)[0]
        last, comma, first = name.partition(",")
        words = name.split()
        if comma and first.strip() and not is_several(name):
            turned += _is_given(first.split()[0]) and not _is_given(last)
            continue
        if len(words) < 2:
            continue
        front, end = _capitals(words), _capitals(words[::-1])
        if front != end and max(front, end) < len(words):
            turned += front > end
            straight += end > front
        else:
            turned += _is_given(words[-1]) and not _is_given(words[0])
            straight += _is_given(words[0]) and not _is_given(words[-1])
    return turned >= least and turned > 4 * straight


def turn(name: str) -> str:
    """Put the given name of “Surname Given” or “Surname, Given” first.

    A name that already begins with its given name stays.

    >>> turn("DELVOYE, Huguette"), turn("VAN DEN BOSSCHE Jean"), turn("De Smet Jan Pieter"), turn("Jan Maes")
    ('Huguette DELVOYE', 'Jean VAN DEN BOSSCHE', 'Jan Pieter De Smet', 'Jan Maes')
    """
    last, comma, first = (part.strip() for part in name.partition(","))
    if comma:
        return " ".join(filter(None, (first, last)))
    words = name.split()
    if not words:
        return name
    at = _capitals(words)
    if not 0 < at < len(words):
        if (at == 0 and _capitals(words[::-1])) or (
            _is_given(words[0]) and not _is_given(words[-1])
        ):
            return name
        at = len(words) - 1
        while at > 1 and _is_given(words[at - 1]) and _is_given(words[at]):
            at -= 1
    return " ".join(words[at:] + words[:at]) if at else name


def _words(name: str) -> list[str]:
    bare = unaccented(name).replace("œ", "oe").replace("æ", "ae")
    return re.sub("[-’']", " ", bare).split()


def name_key(name: str) -> str:
    """Return the words of a name in any order, in lower case and without accents."""
    return " ".join(sorted(_words(name)))


def letters_in(name: str) -> int:
    """Return the letters of a name as a set of bits: near names differ in few of them."""
    bits = 0
    for sign in set("".join(_words(name))):
        bits |= 1 << (ord(sign) % 64)
    return bits


def is_near(one: str, other: str) -> bool:
    """Whether two names may be spellings of one: words in any order, joined, or a letter wrong.

    Other initials or figures are other people, and so are other given names with the same surname.

    >>> is_near("Dirk Van Damme", "Vandamme Dirk"), is_near("Nadine Petit", "Nadine Petitt"), is_near("An", "Els")
    (True, True, False)
    >>> is_near("Joueur 12", "Joueur 13"), is_near("Jan M", "Jan B"), is_near("Jan M", "Jan Maes")
    (False, False, False)
    >>> is_near("Jan Van den Berghe", "Julien Van den Berghe"), is_near("Marc Claes", "Mark Claes")
    (False, True)
    """
    first, second = _words(one), _words(other)
    mine = "".join(word for word in first if word not in second)
    theirs = "".join(word for word in second if word not in first)
    if mine and theirs and SequenceMatcher(None, mine, theirs).ratio() < NEAR_PART:
        return False
    initials, others = map(_initials, (first, second))
    if initials and others and initials != others:
        return False
    whole = "".join(second)
    turned = {"".join(first[at:] + first[:at]) for at in range(len(first))}
    return any(_alike(each, whole) for each in turned) or _alike(name_key(one), name_key(other))


def _initials(words: list[str]) -> list[str]:
    return sorted(word for word in words if len(word) == 1 or word.isdigit())


def _alike(one: str, other: str) -> bool:
    match = SequenceMatcher(None, one, other)
    return (
        match.real_quick_ratio() >= NEAR and match.quick_ratio() >= NEAR and match.ratio() >= NEAR
    )


def are_whole(names: list[str]) -> bool:
    """Whether nearly all texts of a column look like names in full, at least three of them."""
    names = [without_contact(name)[0] for name in names]
    good = sum(
        " " in name.strip() and is_name(name) and not any(map(str.isdigit, name)) and len(name) < 60
        for name in names
    )
    return good >= 3 and good * 5 >= len(names) * 4


def are_given(names: list[str]) -> bool:
    """Whether most texts of a column are given names, at least three of them."""
    count = sum(map(starts_given, names))
    return count >= 3 and count * 5 >= len(names) * 3
