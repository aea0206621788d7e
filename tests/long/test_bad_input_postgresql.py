"""Generated requests, forms and files on PostgreSQL too, with a small part of the requests that SQLite gets."""

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
"""Number of requests for each operation."""


def sent_by(*words: str) -> str:
    """Run tests against a database of their own. Return their report of the requests sent."""
    with fresh_database("postgresql") as url:
        done = subprocess.run(
            [*RUN, *words],
            cwd=ROOT,
            env={**os.environ, "DATABASE_URL": url, "FUZZ_INPUTS": str(INPUTS)},
            capture_output=True,
            text=True,
            timeout=900,
        )
    assert done.returncode == 0, done.stdout[-5000:]
    return done.stdout


@pytest.mark.guide("security#bad-input")
def test_no_request_breaks_it_on_postgresql() -> None:
    said = sent_by("tests/security/test_bad_input_api.py")
    sent = [int(many) for many in re.findall(r"^(?:GET|P\w+|DELETE) \S+: (\d+) ", said, re.M)]
    assert len(sent) > 100
    assert sum(sent) >= INPUTS * len(sent)


@pytest.mark.guide("security#bad-input")
def test_no_file_or_form_breaks_it_on_postgresql() -> None:
    said = sent_by(
        "tests/security/test_bad_input_files.py", "tests/security/test_bad_input_forms.py"
    )
    sent = dict(re.findall(r"^(players' files|archives|posts|questions): (\d+)", said, re.M))
    assert {what: int(many) > 0 for what, many in sent.items()} == dict.fromkeys(
        ("players' files", "archives", "posts", "questions"), True
    )
