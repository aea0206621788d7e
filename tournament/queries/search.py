"""Search by name: one rule for every search, including ``static/js/find.js``.

Accents, capitals and apostrophes do not count. Beginnings of words come first, then any part of
them, hyphens and spaces left out; when nothing has every word, the nearest spellings are found.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeVar

from tournament.documents.draws import Person, alphabetical

Key = TypeVar("Key")


def matching(words: str, texts: Iterable[tuple[Key, str]]) -> list[Key]:
    """Return the keys whose text fits best: words with the same beginnings, else any part, else
    nearly all letters.

    One typed word may be the beginnings of two words.

    >>> people = [(1, "Koen D'Haene"), (2, "Els Vandenbroucke"), (3, "Noël Dhondt"), (4, "An Koene")]
    >>> matching("dhaene", people), matching("vandenbrouke els", people), matching("noel d'hondt", people)
    ([1], [2], [3])
    >>> matching("an", people), matching("broucke", people)
    ([4], [2])
    >>> matching("vanel", people), matching("koendh", people)
    ([2], [1])
    """
    wanted = [word for word in map(_squeezed, words.split()) if word]
    if not wanted:
        return []
    texts = list(texts)
    begun = [key for key, text in texts if _begins(wanted, text)]
    if begun:
        return begun
    squeezed = [(key, _squeezed(text)) for key, text in texts]
    whole = [key for key, text in squeezed if all(word in text for word in wanted)]
    if whole:
        return whole
    return [key for key, text in squeezed if all(is_near(word, text) for word in wanted)]


def _begins(wanted: Sequence[str], text: str) -> bool:
    """Whether words of the text begin as each of these: one of them, or two of them, cut somewhere."""
    parts = [_squeezed(part) for part in re.split(r"[\s-]+", text)]
    return all(
        any(part.startswith(word) for part in parts)
        or any(
            one.startswith(word[:at])
            and any(other.startswith(word[at:]) for to, other in enumerate(parts) if to != place)
            for place, one in enumerate(parts)
            if one[:1] == word[0]
            for at in range(1, len(word))
        )
        for word in wanted
    )


def _squeezed(text: str) -> str:
    """Return the letters and digits of a text, in lower case and without accents."""
    return alphabetical(Person(text))[0].replace(" ", "")


def is_near(word: str, text: str) -> bool:
    """Whether a part of the text is the word but for a letter, or two of a word of nine and more.

    >>> is_near("vandenbrouke", "elsvandenbroucke"), is_near("maes", "maas"), is_near("peters", "peeters")
    (True, False, True)
    """
    most = 0 if len(word) < 5 else 1 if len(word) < 9 else 2
    row = [0] * (len(text) + 1)
    for at, letter in enumerate(word, 1):
        following = [at]
        for to, other in enumerate(text, 1):
            changed = row[to - 1] + (letter != other)
            following.append(min(changed, row[to] + 1, following[to - 1] + 1))
        row = following
    return min(row) <= most


class Letter(NamedTuple):
    """A letter over a long list, and where its names begin."""

    letter: str
    url: str


def letters_of(names: Iterable[tuple[str, str]]) -> list[Letter]:
    """Return the first letters of names in their order, each with the address of the first name.

    >>> letters_of([("Ann", "#p-2"), ("Alix", "#p-3"), ("Émile", "#p-1")])
    [Letter(letter='A', url='#p-2'), Letter(letter='E', url='#p-1')]
    """
    letters: dict[str, str] = {}
    for name, url in names:
        letters.setdefault(alphabetical(Person(name))[0][:1].upper() or "#", url)
    return [Letter(letter, url) for letter, url in letters.items()]
