"""The image's notices name every third-party package in it."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from django.conf import settings

from tests.programs import ROOT
from tools import third_party


@pytest.fixture(scope="module")
def papers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("papers")
    assert third_party.main([str(ROOT / "requirements.txt"), str(folder)]) == 0
    return folder


@pytest.mark.guide("operator#roles-of-processes", "security#security")
def test_the_bill_of_materials_lists_what_is_required(papers: Path) -> None:
    bill = json.loads((papers / third_party.BILL).read_text())
    listed = {each["name"]: each for each in bill["components"]}
    for line in (ROOT / "requirements.txt").read_text().splitlines():
        pinned = re.match(r"^([A-Za-z0-9._-]+)==(\S+)(?: ; (.*?))?(?: \\)?$", line)
        if pinned is None or pinned[3]:
            # Some packages are for other systems only.
            continue
        assert listed[pinned[1]]["version"] == pinned[2]
    assert listed["django"]["licenses"] == [{"license": {"name": "BSD-3-Clause"}}]
    assert listed["django"]["purl"].startswith("pkg:pypi/django@5.2")
    (source,) = listed["django"]["externalReferences"]
    assert len(source["hashes"]) >= 1
    assert bill["metadata"]["component"]["version"] == settings.VERSION
    # Packages for the tests are not listed.
    assert not {"pytest", "mypy", "schemathesis"} & set(listed)


def test_it_is_one_by_the_schema_of_cyclonedx(papers: Path) -> None:
    text = (papers / third_party.BILL).read_text()
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(text) is None


def test_every_licence_is_there_in_full(papers: Path) -> None:
    text = (papers / third_party.NOTICES).read_text()
    for words in (
        "Copyright (c) Django Software Foundation",
        "GNU LESSER GENERAL PUBLIC LICENSE",
        "SIL OPEN FONT LICENSE",
        "Bitstream",
    ):
        assert words in text, words
    bill = json.loads((papers / third_party.BILL).read_text())
    for each in bill["components"]:
        assert f"{each['name']} {each['version']}: " in text


def test_another_version_than_the_one_required_is_refused(tmp_path: Path) -> None:
    wrong = tmp_path / "requirements.txt"
    wrong.write_text("django==1.0\n")
    with pytest.raises(ValueError, match=r"is installed, 1\.0 is required"):
        third_party.write(wrong, tmp_path)


def test_it_needs_nothing_but_python() -> None:
    """The image is built with it before the service can start."""
    source = (ROOT / "tools" / "third_party.py").read_text()
    imported = re.findall(r"^(?:from|import) (\w+)", source, re.MULTILINE)
    assert set(imported) <= {*sys.stdlib_module_names, "__future__"}
