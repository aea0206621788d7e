"""The API under generated requests as every role, on PostgreSQL too: a small part of what SQLite gets."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest

from tests.browser.serving import fresh_database
from tests.programs import ROOT

pytestmark = [pytest.mark.long, pytest.mark.postgres]
RUN = (sys.executable, "-m", "pytest", "-n0", "-m", "long", "-p", "no:cacheprovider")
INPUTS = 2
"""Requests an operation."""


def test_no_request_breaks_it_on_postgresql() -> None:
    with fresh_database("postgresql") as url:
        done = subprocess.run(
            [*RUN, "tests/security/test_bad_input_api.py"],
            cwd=ROOT,
            env={**os.environ, "DATABASE_URL": url, "FUZZ_INPUTS": str(INPUTS)},
            capture_output=True,
            text=True,
            timeout=900,
        )
    assert done.returncode == 0, done.stdout[-5000:]
    sent = [
        int(many) for many in re.findall(r"^(?:GET|P\w+|DELETE) \S+: (\d+) ", done.stdout, re.M)
    ]
    assert len(sent) > 100
    assert sum(sent) >= INPUTS * len(sent)
