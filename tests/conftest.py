"""Fixtures for every test, and the rule that a skip is a failure where it must not happen."""

from __future__ import annotations

import gc
import os
import re
import zlib
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any, NoReturn

import pytest
from django.conf import settings as django_settings
from django.core.cache import cache
from django.core.management import call_command
from django.db import connection, transaction
from django.test import TransactionTestCase, override_settings
from django.utils import translation
from hypothesis import settings

from ledger.migrating import JOURNALS, RULING_VERSIONS
from ledger.requests import current_request_id
from tournament import cache as derived

from .lock_order import watched

# No test measures its own time, so a busy machine causes no failure.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")

MUST_NOT_SKIP = bool(os.environ.get("TEST_MUST_NOT_SKIP"))


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option --database."""
    parser.addoption("--database", choices=("only",), help="run only the tests that use it")


ALL_LONG = re.compile(r"^pytestmark = .*(?:\bmark\.long\b|\bBY_TURNS\b)", re.MULTILINE)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Ignore modules without tests to run: those without a doctest, and those of only long tests."""
    if collection_path.suffix != ".py":
        return None
    text = collection_path.read_text(encoding="utf-8")
    if not collection_path.name.startswith("test_"):
        return ">>> " not in text or None
    short = config.getoption("markexpr") == "not long"
    return (short and ALL_LONG.search(text) is not None) or None


SHARED = re.compile(
    r"^tests/browser/|test_(?:whole_table|every_end|format_table|every_format|offers|bad_input_api|solve_long)\.py"
    r"|test_(?:draw_races|race_rulings|rewritten_journals)\.py|may_do_next|comes_back_whole"
)
"""Long tests with many similar cases. The long run takes a third of each test's cases, at least one."""
NIGHTLY = re.compile(
    r"at_length\[(?!parlee)|no_file_or_form_breaks_it_on_postgresql|whatever_the_codes\[individual_(?:draw|movement)-1[348]"
    r"|test_(?:attacks_on_accounts|attacks_with_data|crowd)\.py::\w+\[postgresql"
    r"|test_two_countings\.py::\w+_nightly"
    r"|a_hall_loses_and_doubles|killed_at_work\[(?:import|document)|postgresql_crashes_and_comes_back|proved_in_a_second_database"
)
"""Long tests for the nightly run alone: expensive, and close to a test of the long run."""


def nightly(items: list[pytest.Item]) -> Iterator[pytest.Item]:
    """Yield the long tests that wait for the nightly run; the choice depends on names only."""
    cases: dict[str, list[pytest.Item]] = {}
    for item in items:
        if NIGHTLY.search(item.nodeid):
            yield item
        elif SHARED.search(item.nodeid):
            cases.setdefault(item.nodeid.partition("[")[0], []).append(item)
    for alike in cases.values():
        alike.sort(key=lambda item: zlib.crc32(item.nodeid.encode()))
        yield from alike[-(-len(alike) // 3) :]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark the nightly tests. With ``--database``, select only the tests that use it, each once.

    A pass on another database repeats no test that sends it the same statements: in another
    language, by another rulebook or chance.
    """
    for item in nightly([item for item in items if item.get_closest_marker("long")]):
        item.add_marker("nightly")
        item.add_marker(pytest.mark.timeout(0))
    if not config.getoption("--database"):
        return
    asking = {"db", "transactional_db"}
    used = [
        item
        for item in items
        if item.get_closest_marker("django_db") or asking & set(getattr(item, "fixturenames", ()))
    ]
    kept = set({statements_of(item): item for item in reversed(used)}.values())
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = [item for item in items if item in kept]


ALIKE = frozenset({"depth", "language", "rulebook", "seed"})
"""Parameters that do not change the statements sent to the database."""


def statements_of(item: pytest.Item) -> tuple[Any, ...]:
    """Return a key shared by the tests that send the database the same statements."""
    call = getattr(item, "callspec", None)
    if call is None or not ALIKE & set(call.params):
        return (item.nodeid,)
    others = {name: repr(value) for name, value in call.params.items() if name not in ALIKE}
    return (item.nodeid.partition("[")[0], *sorted(others.items()))


def pytest_collection_finish() -> None:
    """Freeze the loaded objects, so that the garbage collector does not scan them again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000)


def missing(what: str, how: str) -> NoReturn:
    """Skip for lack of a server or program; fail where the environment promises them all."""
    message = f"{what} is not here: {how}"
    if MUST_NOT_SKIP:
        pytest.fail(message)
    pytest.skip(message)


def _without_triggers(flush: Any) -> Any:
    """Suspend the log's triggers while the tables are emptied between transactional tests."""

    def teardown(self: TransactionTestCase) -> None:
        tables = (*JOURNALS, RULING_VERSIONS)
        with connection.cursor() as cursor:
            for table in tables:
                for statement in table.allow(connection.vendor):
                    cursor.execute(statement)
        try:
            flush(self)
        finally:
            with connection.cursor() as cursor:
                for table in tables:
                    for statement in table.forbid(connection.vendor):
                        cursor.execute(statement)

    return teardown


TransactionTestCase._fixture_teardown = _without_triggers(  # type: ignore[attr-defined]
    TransactionTestCase._fixture_teardown  # type: ignore[attr-defined]  # unknown to the stubs
)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Generator[None, Any, Any]:
    """Check on PostgreSQL that every verb of a test takes its locks in the fixed order."""
    if connection.vendor != "postgresql":
        return (yield)
    with watched(connection):
        return (yield)


@pytest.fixture(scope="session", autouse=True)
def _quick_passwords() -> None:
    """Use a fast password hash; a test of the real hash sets its own."""
    django_settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture(scope="session", autouse=True)
def _static_files(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Collect the static files first, as at every start, because pages name them by content hash.

    They are in a folder of the worker's own, independent of files collected by a service.
    """
    # Every test client builds the middlewares: a file is looked up on request, not at the start.
    with override_settings(
        STATIC_ROOT=tmp_path_factory.mktemp("static"), WHITENOISE_AUTOREFRESH=True
    ):
        call_command("collectstatic", interactive=False, verbosity=0)
        yield


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix: None) -> None:
    """Set the file of the test database from ``TEST_DATABASE``, so that ``--reuse-db`` finds it migrated.

    Each worker has its own file.
    """
    if file := os.environ.get("TEST_DATABASE"):
        worker = os.environ.get("PYTEST_XDIST_WORKER", "")
        connection.settings_dict["TEST"]["NAME"] = f"{file}{worker and '.'}{worker}"


@pytest.fixture(scope="module")
def module_database(django_db_setup: Any, django_db_blocker: Any) -> Iterator[None]:
    """Open a transaction for the state that a module's fixtures write once for all its tests.

    Each test still ends with its own rollback. A test gets such a state as a copy, since what
    it does to an object in memory is not rolled back.
    """
    with django_db_blocker.unblock(), transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.fixture(autouse=True)
def _clean_surroundings() -> Iterator[None]:
    """Isolate tests from each other's cached counts and languages.

    Values derived from rolled-back records are dropped too, since later records may reach the same version.
    """
    cache.clear()
    derived._slots.clear()
    current_request_id.set("")
    yield
    translation.deactivate()
