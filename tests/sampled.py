"""Tables of cases: some run every time, all of them in the long run."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def one_in(step: int, cases: Iterable[Any]) -> list[Any]:
    """Return the cases, with all but each ``step``-th marked as long."""
    return [case if at % step == 0 else _long(case) for at, case in enumerate(cases)]


def _long(case: Any) -> Any:
    values = case if isinstance(case, tuple) else (case,)
    return pytest.param(*values, marks=pytest.mark.long)
