"""Fixtures of the tests that send many inputs to one hall."""

from __future__ import annotations

import copy
import logging
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.db import transaction

from tests.security.hall import Hall, an_event_in_play, with_staff


@pytest.fixture(scope="module")
def undone_hall(django_db_setup: Any, django_db_blocker: Any) -> Iterator[Hall]:
    """Yield one hall for a whole module, rolled back at its end; logging is off meanwhile."""
    logging.disable(logging.CRITICAL)
    with django_db_blocker.unblock(), transaction.atomic():
        yield with_staff(an_event_in_play("Own"))
        transaction.set_rollback(True)
    logging.disable(logging.NOTSET)


@pytest.fixture(scope="module")
def hall_in_play(module_database: None) -> Hall:
    """Create one hall for all tests of a module."""
    return with_staff(an_event_in_play("Own"))


@pytest.fixture
def hall(hall_in_play: Hall, db: None) -> Hall:
    """Return a copy of the built hall for one test."""
    return copy.deepcopy(hall_in_play)


@pytest.fixture
def told(capsys: pytest.CaptureFixture[str]) -> Callable[[str], None]:
    """Return a function that writes a line to the terminal, captured or not."""

    def say(line: str) -> None:
        with capsys.disabled():
            sys.stdout.write(f"\n{line}")

    return say
