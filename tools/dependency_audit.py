"""Check the pinned requirements for known holes: ``python -m tools dependency_audit``.

Asks the advisory service that pip-audit knows about every pinned requirement. A hole that it names
fails. Where it does not answer, or does not know a requirement, that is said plainly: not audited is
not the same as clean.
"""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

REQUIREMENTS: Final = Path(__file__).resolve().parent.parent / "requirements.txt"
_PATIENCE: Final = 600


@dataclass(frozen=True, slots=True)
class Verdict:
    """``holes``: one line each; ``unknown``: requirements without an answer from the service."""

    audited: int
    holes: tuple[str, ...] = ()
    unknown: tuple[str, ...] = field(default=())

    @property
    def sentence(self) -> str:
        """Text to print."""
        if self.holes:
            return "Known holes:\n" + "\n".join(self.holes)
        if not self.audited:
            return (
                "NOT AUDITED: the advisory service did not answer. Run it again with a connection."
            )
        left = f"; not audited: {', '.join(self.unknown)}" if self.unknown else ""
        return f"No known hole in {self.audited} requirements{left}."


def read(report: str) -> Verdict:
    """Parse pip-audit's JSON into a verdict; unreadable output counts as not audited."""
    try:
        listed = json.loads(report)["dependencies"]
    except (ValueError, KeyError, TypeError):
        return Verdict(0)
    holes = tuple(
        f"{one['name']} {one['version']}: {hole['id']}"
        + (f", mended in {', '.join(hole['fix_versions'])}" if hole["fix_versions"] else "")
        for one in listed
        for hole in one.get("vulns", [])
    )
    unknown = tuple(one["name"] for one in listed if "skip_reason" in one)
    return Verdict(len(listed) - len(unknown), holes, unknown)


def main(_words: list[str]) -> int:
    """Ask, print the verdict; 1 where there is a hole."""
    try:
        run = subprocess.run(  # noqa: S603 - our own interpreter and file
            [
                sys.executable,
                "-m",
                "pip_audit",
                "-r",
                str(REQUIREMENTS),
                "--disable-pip",
                "--require-hashes",
                "--progress-spinner",
                "off",
                "--timeout",
                "10",
                "-f",
                "json",
            ],
            capture_output=True,
            text=True,
            timeout=_PATIENCE,
            check=False,
        )
        verdict = read(run.stdout)
    except subprocess.TimeoutExpired:
        verdict = Verdict(0)
    sys.stdout.write(verdict.sentence + "\n")
    return 1 if verdict.holes else 0
