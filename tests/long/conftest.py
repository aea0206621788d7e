"""The ground of the races: an installation of its own on each database."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path

import pytest

from tests.browser.serving import Server, fresh_database

collect_ignore = ["data"]
# Its programs run in a checkout of the release that they write a database of.


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Server]]:
    """The installation of a kind of database that is migrated once; the races take copies of it."""
    with ExitStack() as stack:

        @cache
        def of(kind: str) -> Server:
            made = Server(tmp_path_factory.mktemp(kind), stack.enter_context(fresh_database(kind)))
            stack.callback(made.log.close)
            made.manage("migrate", "--verbosity", "0")
            return made

        yield of


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def ground(
    request: pytest.FixtureRequest, tmp_path: Path, migrated: Callable[[str], Server]
) -> Iterator[Server]:
    """An empty installation whose database the rivals share."""
    template = migrated(request.param)
    with fresh_database(request.param, like=template.env["DATABASE_URL"]) as url:
        made = Server(tmp_path, url)
        shutil.copytree(template.env["MANILLE_VAR"], made.env["MANILLE_VAR"])
        yield made
        made.log.close()
