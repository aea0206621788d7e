"""The figures of docs/security.md are those of the tests."""

from __future__ import annotations

import re
from pathlib import Path

from accounts import limits

HERE = Path(__file__).parent
TEXT = (HERE.parents[1] / "docs" / "security.md").read_text(encoding="utf-8")


def constant(module: str, name: str) -> str:
    """A number of a test module, read without loading it (it reads the whole schema)."""
    source = (HERE / f"{module}.py").read_text(encoding="utf-8")
    (found,) = re.findall(rf"^{name}: Final = (\d+)$", source, re.M)
    return str(found)


def test_how_many_inputs_are_sent() -> None:
    for figure in (
        f"| {constant('test_bad_input_api', 'INPUTS')} an operation;",
        f"| {constant('test_bad_input_forms', 'POSTS')} posts |",
        f"| {constant('test_bad_input_forms', 'QUERIES')} addresses |",
        f"| {constant('test_bad_input_files', 'FILES')} each |",
        f"| {constant('test_bad_input_files', 'ARCHIVES')} |",
    ):
        assert figure in TEXT


def test_how_often_one_may_guess() -> None:
    for figure in (
        f"{limits.LOGIN_BY_NAME.most} wrong passwords a name",
        f"{limits.LOGIN_BY_ADDRESS.most} an address",
        f"then one in {limits.LOGIN_ONE_BY_ONE.seconds} seconds a name",
        f"only {limits.LOGIN_OF_NOBODY.most} in 10 minutes in the whole service",
        f"{limits.TOKENS_BY_ADDRESS.most} wrong links or tokens an address",
        f"{limits.CALLS_BY_TABLE.most} referee calls a table",
        f"{limits.CODES_BY_USER.most} wrong codes an account",
    ):
        assert figure in TEXT
