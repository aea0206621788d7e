"""The one cache of a process for what pages work out of the records, the same for all readers.

A key begins with a name and contains the mark or version that determines the value, so a cached
value is never out of date; the least recently used is discarded. Values are shared and must not be
changed.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, Final, TypeVar, cast

SIZE: Final = 256
Value = TypeVar("Value")
Key = tuple[Hashable, ...]


class _Slot:
    """A place for one value, and the lock of the thread that computes it."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.is_filled = False
        self.value: Any = None


_slots: OrderedDict[Key, _Slot] = OrderedDict()
_lock = threading.Lock()


def _slot(key: Key) -> _Slot:
    with _lock:
        slot = _slots.setdefault(key, _Slot())
        _slots.move_to_end(key)
        while len(_slots) > SIZE:
            _slots.popitem(last=False)
        return slot


def cached(
    key: Key, compute: Callable[[], Value], *, fits: Callable[[Value], bool] = lambda _value: True
) -> Value:
    """Return the value under a key, computed first where there is none that fits.

    Args:
        key: a name, what it is of, and the mark that it follows from.
        compute: gives the value; others who want the same wait for it meanwhile.
        fits: whether a value that is there may be used.
    """
    slot = _slot(key)
    with slot.lock:
        if not slot.is_filled or not fits(slot.value):
            slot.value = compute()
            slot.is_filled = True
        return cast(Value, slot.value)


def lookup(key: Key) -> Any:
    """Return the value under a key, ``None`` where there is none."""
    with _lock:
        slot = _slots.get(key)
    return slot.value if slot is not None else None


def store(key: Key, value: object) -> None:
    """Put a value under a key."""
    slot = _slot(key)
    slot.value, slot.is_filled = value, True
