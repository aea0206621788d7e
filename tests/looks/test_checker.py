"""Every page by the Nu HTML checker, which is the judge of what HTML is."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from tests.conftest import missing
from tests.programs import ROOT
from tests.test_languages import addresses, house

__all__ = ["house"]

pytestmark = [pytest.mark.long, pytest.mark.django_db]

JAR = ROOT / "tests/browser/tools/node_modules/vnu-jar/build/dist/vnu.jar"


def judge(folder: Path) -> list[str]:
    """The errors of the pages in a folder, each with its file."""
    java = shutil.which("java")
    if java is None:
        missing("Java", "apt-get install default-jre-headless")
    if not JAR.exists():
        missing("The Nu HTML checker", "npm ci --prefix tests/browser/tools")
    done = subprocess.run(
        [java, "-jar", str(JAR), "--errors-only", "--exit-zero-always", "--format", "json"]
        + [str(page) for page in sorted(folder.glob("*.html"))],
        capture_output=True,
        text=True,
        check=True,
    )
    return [
        f"{Path(each['url']).stem}: {each['message']} {each.get('extract', '')}"
        for each in json.loads(done.stderr)["messages"]
    ]


def test_every_page_is_html(house: dict[str, Any], client: Client, tmp_path: Path) -> None:
    """Public pages, tables, desk and referee; each in one of the languages by turns."""
    names: dict[str, str] = {}
    for at, where in enumerate(addresses(house)):
        answer = client.get(where, headers={"accept-language": ("fr", "nl", "en")[at % 3]})
        # A part that a page fetches is no document, and what only takes a form has no page.
        if not answer.streaming and b"<!DOCTYPE html>" in answer.content[:200]:
            name = f"{at:03}"
            (tmp_path / f"{name}.html").write_bytes(answer.content)
            names[name] = where
    assert len(names) > 60
    faults = [f"{names[fault[:3]]}{fault[3:]}" for fault in judge(tmp_path)]
    assert not faults, "\n".join(faults)


def test_the_checker_sees_faults(tmp_path: Path) -> None:
    page = "<!DOCTYPE html><html lang=en><title>x</title><p id=a>a<p id=a>b"
    (tmp_path / "000.html").write_text(page, encoding="utf-8")
    assert any("Duplicate ID" in fault for fault in judge(tmp_path))
