"""What pages work out of the records once for all who ask: the one memory of a process.

A key begins with a name and holds the mark or version that the value follows from, so nothing in
here is ever out of date; what has not been asked for longest is forgotten. Values belong to
everybody and are never changed.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, Final, TypeVar, cast

ROOM: Final = 256
Value = TypeVar("Value")
Key = tuple[Hashable, ...]


class _Slot:
    """A place for one value, and the lock of anyone who makes it."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.is_made = False
        self.value: Any = None


_slots: OrderedDict[Key, _Slot] = OrderedDict()
_lock = threading.Lock()


def _slot(key: Key) -> _Slot:
    with _lock:
        slot = _slots.setdefault(key, _Slot())
        _slots.move_to_end(key)
        while len(_slots) > ROOM:
            _slots.popitem(last=False)
        return slot


def remember(
    key: Key, make: Callable[[], Value], *, fits: Callable[[Value], bool] = lambda _value: True
) -> Value:
    """Return the value under a key, made first where there is none that fits.

    Args:
        key: a name, what it is of, and the mark that it follows from.
        make: works the value out; while it does, others who ask for the same wait for it.
        fits: whether a value that is there may be used.
    """
    slot = _slot(key)
    with slot.lock:
        if not slot.is_made or not fits(slot.value):
            slot.value = make()
            slot.is_made = True
        return cast(Value, slot.value)


def recall(key: Key) -> Any:
    """Return what is remembered under a key, ``None`` where nothing is."""
    with _lock:
        slot = _slots.get(key)
    return slot.value if slot is not None else None


def keep(key: Key, value: object) -> None:
    """Remember a value that has been worked out."""
    slot = _slot(key)
    slot.value, slot.is_made = value, True
