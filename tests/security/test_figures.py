"""The figures of docs/security.md are those of the tests."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings

from accounts import limits, second_step
from ledger import depth
from tournament.lists import sheets
from tournament.models.tables import Table
from tournament.services import archive, push, registrations
from tournament.tables.links import table_token

HERE = Path(__file__).parent
TEXT = (HERE.parents[1] / "docs" / "security.md").read_text(encoding="utf-8")


def constant(module: str, name: str) -> str:
    """Return a number of a test module, read without importing it (it loads the whole schema)."""
    source = (HERE / f"{module}.py").read_text(encoding="utf-8")
    (found,) = re.findall(rf"^{name}: Final = (\d+)$", source, re.M)
    return str(found)


@pytest.mark.guide("security#bad-input")
def test_how_many_inputs_are_sent() -> None:
    for figure in (
        f"| {constant('test_bad_input_api', 'INPUTS')} an operation;",
        f"| {constant('test_bad_input_forms', 'POSTS')} posts |",
        f"| {constant('test_bad_input_forms', 'QUERIES')} addresses |",
        f"| {constant('test_bad_input_files', 'FILES')} each |",
        f"| {constant('test_bad_input_files', 'ARCHIVES')} |",
    ):
        assert figure in TEXT


@pytest.mark.guide("security#security")
def test_how_often_one_may_guess() -> None:
    for figure in (
        f"{limits.LOGIN_BY_NAME.most} wrong passwords a name",
        f"{limits.LOGIN_BY_ADDRESS.most} an address",
        f"then one in {limits.LOGIN_ONE_BY_ONE.seconds} seconds a name",
        f"only {limits.LOGIN_OF_NOBODY.most} in 10 minutes in the whole service",
        f"{limits.TOKENS_BY_ADDRESS.most} wrong links or tokens an address",
        f"{limits.CALLS_BY_TABLE.most} referee calls a table",
        f"{limits.CODES_BY_USER.most} wrong codes an account",
        f"at most {limits.CODES_BY_DAY.most} a day from new browsers and {limits.CODES_BY_DAY.most} from",
        f"{limits.SETUP_BY_ADDRESS.most} setup codes an address",
        f"{limits.REGISTRATIONS_BY_ADDRESS.most} registrations an address",
        f"subscribes {limits.DEVICES_BY_PLAYER.most} times in ten minutes at most",
    ):
        assert figure in TEXT
    # Three of a million codes are valid at any moment.
    guesses = 2 * limits.CODES_BY_DAY.most
    assert "guess right on one day in 4,000" in TEXT
    assert 4_000 <= 1_000_000 / (3 * guesses) < 5_000
    assert limits.CODES_BY_DAY.seconds == 24 * 3600
    in_ten_minutes = ("LOGIN_BY_NAME", "LOGIN_BY_ADDRESS", "TOKENS_BY_ADDRESS", "CALLS_BY_TABLE")
    for name in (*in_ten_minutes, "CODES_BY_USER", "SETUP_BY_ADDRESS", "REGISTRATIONS_BY_ADDRESS"):
        assert getattr(limits, name).seconds == 600, name


@pytest.mark.guide("security#security")
def test_how_much_a_file_may_hold() -> None:
    for figure in (
        f"At most {settings.IMPORT_MAX_BYTES // 1_000_000} MB and {settings.IMPORT_MAX_ROWS:,} rows",
        f"of {sheets.MOST_COLUMNS} columns",
        f"of an archive {archive.MOST // 1_000_000} MB",
        f"and {archive.MOST_VALUES // 1_000_000} million values",
        f"of a program's JSON {depth.MOST_VALUES:,} values",
    ):
        assert figure in TEXT


@pytest.mark.guide("security#security")
def test_how_long_keys_and_codes_are() -> None:
    assert "one of ten backup codes" in TEXT
    assert second_step.BACKUP_CODES == 10
    assert push.MOST_DEVICES == 10
    assert registrations.MOST_MAILED == 10
    # Base32 characters of five bits each.
    assert "120 bits" in TEXT
    assert re.fullmatch("[a-z2-7]{24}", table_token(Table()))
