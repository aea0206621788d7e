"""Timestamping of the anchors (RFC 3161) as the guide describes it, against an authority of the test's own."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
from django.test import Client

from tests.conftest import missing
from tests.programs import ROOT
from tests.tournament.build import make_event

GUIDE = (ROOT / "docs" / "operator.md").read_text()
COMMANDS = {
    verb: shlex.split(line)
    for line, verb in re.findall(r"^ {4}(openssl ts (-\w+) .*)$", GUIDE, re.MULTILINE)
}
CONFIGURATION = """
[tsa]
default_tsa = own
[own]
serial = serial
signer_digest = sha256
default_policy = 1.2.3.4
digests = sha256
"""


def run(folder: Path, words: list[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, cwd=folder, capture_output=True, text=True)


@pytest.fixture
def authority(tmp_path: Path) -> Path:
    """Create a folder with an authority's key and its published certificate."""
    if shutil.which("openssl") is None:
        missing("openssl", "apt-get install openssl")
    made = run(
        tmp_path,
        shlex.split(
            "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2"
            " -subj /CN=stamps -addext extendedKeyUsage=critical,timeStamping"
            " -keyout key.pem -out authority.pem"
        ),
    )
    assert made.returncode == 0, made.stderr
    (tmp_path / "serial").write_text("01")
    (tmp_path / "tsa.cnf").write_text(CONFIGURATION)
    return tmp_path


@pytest.mark.guide("operator#anchors-and-stamps", "security#security")
@pytest.mark.django_db
def test_the_anchors_are_stamped_and_another_file_is_not_the_one(
    authority: Path, client: Client
) -> None:
    make_event(4)
    anchors = authority / "anchors.json"
    anchors.write_bytes(client.get("/anchors.json").content)
    asked = run(authority, COMMANDS["-query"])
    assert asked.returncode == 0, asked.stderr
    stamp = "openssl ts -reply -config tsa.cnf -queryfile anchors.tsq"
    made = run(
        authority, shlex.split(f"{stamp} -signer authority.pem -inkey key.pem -out anchors.tsr")
    )
    assert made.returncode == 0, made.stderr
    held = run(authority, COMMANDS["-verify"])
    assert (held.returncode, "Verification: OK" in held.stdout) == (0, True), held.stderr
    anchors.write_bytes(anchors.read_bytes() + b" ")
    assert run(authority, COMMANDS["-verify"]).returncode == 1
