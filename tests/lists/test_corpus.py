"""Every list of the corpus says who plays: invented people in the shapes of real programs (``make.py``)."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from tournament.lists.files import sheets_of
from tournament.lists.pasted import as_table
from tournament.lists.reading import People, Wanted, rated, read
from tournament.lists.sheets import Unreadable
from tournament.models.players import headings

CASES = sorted(Path(__file__).parent.glob("cases/*.toml"))


def people_of(content: bytes, right: dict[str, Any]) -> People:
    layout = None
    if right.get("pasted"):
        content, layout = as_table(content.decode(), headings())
    sheets = sheets_of(
        content,
        most_rows=5_000,
        most_bytes=10_000_000,
        rate=lambda rows: rated(rows, headings()),
    )
    return read(sheets, Wanted(headings=headings(), layout=layout, pairs=right.get("pairs", False)))


def test_the_corpus_is_large_enough() -> None:
    assert len(CASES) >= 120


@pytest.mark.guide("director#players-from-a-list")
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name.removesuffix(".toml"))
def test_a_list_is_read_as_its_answer_says(case: Path) -> None:
    right = tomllib.loads(case.read_text())
    content = case.with_suffix("").read_bytes()
    if "refused" in right:
        with pytest.raises(Unreadable) as refusal:
            people_of(content, right)
        assert refusal.value.code == right["refused"]
        return
    found = people_of(content, right)
    people = found.people
    assert [row.name for row in people] == right["people"]
    assert [row.name for row in found.aside] == right.get("aside", [])
    assert [row.name for row in people if row.doubts] == right.get("look", [])
    assert [row.unclear for row in people if row.unclear] == right.get("asked", [])
    assert sum(bool(row.faults) for row in people) == right.get("wrong", 0)
    for key, column in (
        ("clubs", "club"),
        ("emails", "email"),
        ("phones", "phone"),
        ("partners", "partner"),
    ):
        if key in right:
            assert [row.values.get(column, "") for row in people] == right[key]
    if "paid" in right:
        assert [row.paid for row in people] == right["paid"]
    if "numbers" in right:
        assert [int(row.values["number"].strip(".)")) for row in people] == right["numbers"]
    assert found.sheet == right.get("sheet", found.sheet)
    assert found.lists == right.get("lists", [])
