"""Limits on the depth and size of incoming JSON, checked before parsing."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy as _

DEEPEST: Final = 64
"""Levels of lists and objects; the deepest that the service understands has nine."""

TOO_DEEP: Final = _("The JSON is nested too deeply.")

MOST_VALUES: Final = 100_000
"""Values in the JSON of a request: a byte or three of an empty list take 90 in memory."""

TOO_MANY: Final = _("The JSON holds too many values.")


def values_in(content: bytes) -> int:
    """Return how many lists, objects and values JSON text holds at most, without reading it as JSON."""
    return content.count(b"[") + content.count(b"{") + content.count(b",")


def is_too_deep(value: object) -> bool:
    """Return whether lists and objects in ``value`` are nested deeper than :data:`DEEPEST`."""
    level: list[object] = [value]
    for _depth in range(DEEPEST + 1):
        level = [
            child
            for each in level
            if isinstance(each, dict | list)
            for child in (each.values() if isinstance(each, dict) else each)
        ]
        if not level:
            return False
    return True
