"""Chance that anybody can repeat, in any language: numbers from SHA-256 of a public seed.

The stream of a ``seed`` and a ``label`` is the concatenation, for ``i = 0, 1, 2 …``, of
``SHA-256(utf8(seed + "|" + label + "|" + decimal(i)))``, read as big-endian 32-bit words.

* ``below(n)``: take the next word ``w``; when ``w >= n * (2**32 // n)`` skip it and take the next
  (so that no value is favoured); the answer is ``w mod n``.
* ``shuffle``: Fisher–Yates from the end: for ``i = len − 1`` down to ``1``, swap item ``i`` with item
  ``below(i + 1)``.

No library generator is used: their shuffles are not promised to stay the same between versions.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from struct import unpack
from typing import TypeVar

T = TypeVar("T")


class Chance:
    """A repeatable stream of numbers.

    >>> Chance("Oostende 2017", "demo").shuffled(range(8))
    [4, 7, 5, 0, 3, 2, 6, 1]
    """

    __slots__ = ("_block", "_head", "_words")

    def __init__(self, seed: str, label: str) -> None:
        self._head = f"{seed}|{label}|"
        self._block = 0
        self._words: list[int] = []

    def word(self) -> int:
        """Return the next 32-bit word."""
        if not self._words:
            digest = sha256(f"{self._head}{self._block}".encode()).digest()
            self._block += 1
            self._words = list(unpack(">8I", digest))
            self._words.reverse()
        return self._words.pop()

    def below(self, n: int) -> int:
        """Return a whole number from 0 to ``n − 1``, each equally likely; ``n`` up to 2**32."""
        if n < 1:
            raise ValueError("below() needs a positive bound")
        limit = (1 << 32) // n * n
        while True:
            word = self.word()
            if word < limit:
                return word % n

    def shuffled(self, items: Iterable[T]) -> list[T]:
        """Return a new list with the items in drawn order."""
        out = list(items)
        for i in range(len(out) - 1, 0, -1):
            j = self.below(i + 1)
            out[i], out[j] = out[j], out[i]
        return out
