"""How deeply the JSON of a request may be nested, before anything walks through it."""

from __future__ import annotations

from typing import Any, Final

from django.utils.translation import gettext_lazy as _

DEEPEST: Final = 64
"""Levels of lists and objects; the deepest that the service understands has nine."""

TOO_DEEP: Final = _("The JSON is nested too deeply.")


def is_too_deep(value: Any) -> bool:
    """Return whether lists and objects in ``value`` are nested deeper than :data:`DEEPEST`."""
    level: list[Any] = [value]
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
