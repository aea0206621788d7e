"""Installations for races and attacks: one on each database."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path

import pytest

from tests.browser.serving import Server, fresh_database

from .installation import FIGURES, SETUP, Installation, Postgres, Redis, servers

collect_ignore = ["data"]
# Its programs run in a checkout of the release whose database they write.


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Server]]:
    """Return a function that migrates one installation per kind of database; the races copy it."""
    with ExitStack() as stack:

        @cache
        def of(kind: str) -> Server:
            made = Server(tmp_path_factory.mktemp(kind), stack.enter_context(fresh_database(kind)))
            stack.callback(made.log.close)
            made.prepare()
            return made

        yield of


@contextmanager
def copied(template: Server, folder: Path) -> Iterator[Server]:
    """Yield an empty installation whose files and database are copies."""
    like = template.env["DATABASE_URL"]
    with fresh_database("postgresql" if like else "sqlite", like=like) as url:
        made = Server(folder, url)
        shutil.copytree(template.env["MANILLE_VAR"], made.env["MANILLE_VAR"])
        yield made
        made.log.close()


@pytest.fixture(
    scope="module", params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)]
)
def ground(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    migrated: Callable[[str], Server],
) -> Iterator[Server]:
    """Yield an installation whose database the rivals of a module share; each race has its own event."""
    with copied(migrated(request.param), tmp_path_factory.mktemp("ground")) as made:
        yield made


@pytest.fixture(scope="module")
def private() -> Iterator[tuple[Path, Postgres, Redis]]:
    """Run PostgreSQL and Redis for a module."""
    with servers() as started:
        yield started


@pytest.fixture(
    scope="module",
    params=[
        "sqlite",
        pytest.param("postgresql", marks=[pytest.mark.postgres, pytest.mark.redis]),
    ],
)
def attacked(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Installation]:
    """Yield an installation without its first account: embedded, or on PostgreSQL and Redis; its web server runs."""
    if request.param == "sqlite":
        made = Installation(tmp_path_factory.mktemp("attacked"))
    else:
        folder, postgres, redis = request.getfixturevalue("private")
        made = Installation(folder, postgres.url("attacked"), redis)
    made.environment |= {"SETUP_CODE": SETUP, "LOG_FORMAT": "json", "TRUST_PROXY": "true"}
    # A mail server is configured, so addresses are accepted; nothing listens at its port.
    made.environment |= {"EMAIL_URL": "smtp://127.0.0.1:9", "EMAIL_FROM": "hall@hall.example"}
    made.environment |= {"PUBLIC_URL": "http://hall.example", "METRICS_TOKEN": FIGURES}
    made.prepare()
    try:
        made.start_web()
        yield made
    finally:
        made.stop()
