"""Every page under the Nu HTML checker, the reference for valid HTML."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from scoring.engine.rulebook import RULEBOOKS
from tests.conftest import missing
from tests.programs import ROOT
from tests.tables.build import SYSTEM, a_sheet, a_table, seat_players, simple, token
from tests.test_languages import addresses, built_house, house
from tournament.models.tables import Depth
from tournament.services import sheets, signatures
from tournament.services.tables import contest_result
from tournament.tables.links import entrant_token

__all__ = ["built_house", "house"]

pytestmark = [pytest.mark.long, pytest.mark.django_db]

JAR = ROOT / "tests/browser/tools/node_modules/vnu-jar/build/dist/vnu.jar"


def judge(folder: Path) -> list[str]:
    """Return the errors of the pages in a folder, each with its file."""
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
    """Check public pages, tables, desk and referee, with the three languages in rotation."""
    names: dict[str, str] = {}
    for at, where in enumerate(addresses(house)):
        answer = client.get(where, headers={"accept-language": ("fr", "nl", "en")[at % 3]})
        # A part of a page is not a document, and an address for forms only has no page.
        if not answer.streaming and b"<!DOCTYPE html>" in answer.content[:200]:
            name = f"{at:03}"
            (tmp_path / f"{name}.html").write_bytes(answer.content)
            names[name] = where
    assert len(names) > 60
    faults = [f"{names[fault[:3]]}{fault[3:]}" for fault in judge(tmp_path)]
    assert not faults, "\n".join(faults)


def tables() -> Iterator[str]:
    """Yield a table's page in every rulebook at every depth, and in every state of its sheet."""
    for number, key in enumerate(sorted(RULEBOOKS)):
        options = {"stakes": [8, 6, 4, 2, 1]} if key == "auction-1" else {}
        made = a_sheet(key, options=options, table=a_table(label=f"1/{number + 1}"))
        for depth in Depth.values:
            yield f"/t/{token(made)}/?game=1&depth={depth}"
    blind = a_sheet(protocol="double", table=a_table(label="1/50"))
    yield f"/t/{token(blind)}/"
    played = a_sheet(options={"target": {"deals": 1}}, table=a_table(label="1/51"))
    badge = entrant_token(seat_players(played, "Ann", "Bea", "Cis", "Dirk")[0])
    sheets.enter_deal(sheet_id=played.pk, entry=simple(42), actor=SYSTEM)
    for state in ("to be signed", "signed", "said to be wrong"):
        played.refresh_from_db()
        if state == "signed":
            signatures.confirm(sheet_id=played.pk, version=played.version, actor=SYSTEM)
        elif state == "said to be wrong":
            contest_result(sheet_id=played.pk, actor=SYSTEM, reason="41, not 14")
        yield from (f"/t/{token(played)}/", f"/sign/{badge}/", f"/p/{badge}/")


def test_every_page_of_a_table_is_html(client: Client, tmp_path: Path) -> None:
    names: dict[str, str] = {}
    for at, where in enumerate(tables()):
        answer = client.get(where, headers={"accept-language": ("fr", "nl", "en")[at % 3]})
        assert answer.status_code == 200, where
        (tmp_path / f"{at:03}.html").write_bytes(answer.content)
        names[f"{at:03}"] = where
    faults = [f"{names[fault[:3]]}{fault[3:]}" for fault in judge(tmp_path)]
    assert not faults, "\n".join(faults)


def test_the_checker_sees_faults(tmp_path: Path) -> None:
    page = "<!DOCTYPE html><html lang=en><title>x</title><p id=a>a<p id=a>b"
    (tmp_path / "000.html").write_text(page, encoding="utf-8")
    assert any("Duplicate ID" in fault for fault in judge(tmp_path))
