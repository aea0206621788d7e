"""Who is looked for by a name: one rule for every search, that of ``static/js/find.js`` too.

Accents, capitals, apostrophes, hyphens and spaces do not count; where nothing has every word, the
nearest spellings do.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import permutations
from typing import TypeVar

from tournament.documents.draws import Person, alphabetical

Key = TypeVar("Key")


def matching(words: str, texts: Iterable[tuple[Key, str]]) -> list[Key]:
    """The keys whose text has every word, or begins two words as it, or, where none does, has nearly all its letters.

    >>> people = [(1, "Koen D'Haene"), (2, "Els Vandenbroucke"), (3, "Noël Dhondt")]
    >>> matching("dhaene", people), matching("vandenbrouke els", people), matching("noel d'hondt", people)
    ([1], [2], [3])
    >>> matching("vanel", people), matching("koendh", people)
    ([2], [1])
    """
    wanted = [word for word in map(_squeezed, words.split()) if word]
    if not wanted:
        return []
    texts = list(texts)
    squeezed = [(key, _squeezed(text)) for key, text in texts]
    whole = [key for key, text in squeezed if all(word in text for word in wanted)]
    if not whole and len(wanted) == 1:
        whole = [key for key, text in texts if _begins_two(wanted[0], text)]
    if whole:
        return whole
    return [key for key, text in squeezed if all(is_near(word, text) for word in wanted)]


def _begins_two(letters: str, text: str) -> bool:
    """Whether two words of the text begin as the letters, cut somewhere."""
    cuts = [(letters[:at], letters[at:]) for at in range(1, len(letters))]
    return any(
        one.startswith(begin) and other.startswith(end)
        for one, other in permutations(map(_squeezed, text.split()), 2)
        for begin, end in cuts
    )


def _squeezed(text: str) -> str:
    """The letters and digits of a text, small and without accents."""
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
