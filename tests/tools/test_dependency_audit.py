"""Answers of the advisory service: a vulnerability fails the check, and silence does not count as clean."""

from __future__ import annotations

import json
import subprocess
from typing import Any

import pytest

from tools import dependency_audit
from tools.dependency_audit import read

CLEAN = {"name": "django", "version": "5.2.1", "vulns": []}
HOLED = {
    "name": "pillow",
    "version": "9.0.0",
    "vulns": [{"id": "PYSEC-2023-1", "fix_versions": ["9.3.0"], "aliases": [], "description": ""}],
}
SKIPPED = {"name": "vine", "skip_reason": "Dependency not found"}


@pytest.mark.guide("security#security")
@pytest.mark.parametrize(
    ("told", "holes", "said"),
    [
        ([CLEAN], 0, "No known hole in 1 requirements."),
        ([CLEAN, SKIPPED], 0, "No known hole in 1 requirements; not audited: vine."),
        ([CLEAN, HOLED], 1, "pillow 9.0.0: PYSEC-2023-1, mended in 9.3.0"),
        ([SKIPPED], 0, "NOT AUDITED"),
        ([], 0, "NOT AUDITED"),
    ],
)
def test_the_verdict(told: list[dict[str, Any]], holes: int, said: str) -> None:
    verdict = read(json.dumps({"dependencies": told, "fixes": []}))
    assert len(verdict.holes) == holes
    assert said in verdict.sentence


@pytest.mark.guide("security#security")
@pytest.mark.parametrize("told", ["", "ERROR: no connection", "[]", "{}", "null"])
def test_silence_is_not_clean(told: str) -> None:
    assert "NOT AUDITED" in read(told).sentence


@pytest.mark.guide("security#security")
@pytest.mark.parametrize(("dependency", "code"), [(CLEAN, 0), (HOLED, 1), (SKIPPED, 0)])
def test_only_a_hole_fails(
    monkeypatch: pytest.MonkeyPatch, dependency: dict[str, Any], code: int
) -> None:
    told = json.dumps({"dependencies": [dependency]})
    monkeypatch.setattr(
        subprocess,
        "run",
        lambda *_a, **_k: subprocess.CompletedProcess([], 1, told, ""),
    )
    assert dependency_audit.main([]) == code
