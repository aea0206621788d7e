"""Context manager that shifts the service's clock, for due dates and past beginnings."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

import pytest
from django.utils import timezone


@contextmanager
def later(**by: float) -> Iterator[None]:
    """Shift the clock by this interval; a negative one sets it back."""
    real = timezone.now
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(timezone, "now", lambda: real() + timedelta(**by))
        yield
