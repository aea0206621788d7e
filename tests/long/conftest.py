"""The ground of the races: an installation of its own on each database."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.serving import Server, fresh_database

collect_ignore = ["data"]
# Its programs run in a checkout of the release that they write a database of.


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def ground(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Server]:
    """An empty installation whose database the rivals share."""
    with fresh_database(request.param) as url:
        made = Server(tmp_path, url)
        made.manage("migrate", "--verbosity", "0")
        yield made
        made.log.close()
