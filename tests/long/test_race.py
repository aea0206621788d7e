"""Two processes confirm different results of the same match at a barrier: one wins, the other is refused.

The starter releases both rivals together, match by match. In the first race both copy another paper sheet; in the
second race one rival signs the current result while the other corrects and confirms it. Run on SQLite and on PostgreSQL
(``RACE_DATABASE_URL``, else a database of the local server).
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser.serving import Server
from tests.long.barrier import race

pytestmark = pytest.mark.long
MATCHES = 100

MAKE = """
import json, uuid
from tests.tables.build import SYSTEM as me, a_sheet, a_table
from tournament.services import sheets, signatures
entry = {{"dealer": "N", "contract": {{"declarer": "NS", "trump": "H"}}, "points": {{"NS": 42}}}}
made = []
for n in range({count}):
    sheet = a_sheet(table=a_table(uuid.uuid4(), str(n)), options={{"target": {{"deals": 1}}}})
    if {written}:
        sheets.enter_deal(sheet_id=sheet.pk, entry=entry, actor=me)
        signatures.sign(sheet_id=sheet.pk, side="NS", version=1, actor=me)
    made.append(str(sheet.pk))
print(json.dumps(made))
"""
READ = """
import json
from tournament.models.tables import Sheet
found = []
for pk in {ids!r}:
    sheet = Sheet.objects.get(pk=pk)
    found.append([sheet.state, list(sheet.results.filter(current=True).values_list("result", flat=True)),
                  sheet.deals.filter(current=True, series="official").count(),
                  sheet.signatures.filter(standing=True).count()])
print(json.dumps(found))
"""


def test_two_processes_confirm_different_results(ground: Server, tmp_path: Path) -> None:
    ids = ground.python(MAKE.format(count=MATCHES, written=False))
    answers = race(ground, ids, tmp_path, "racer.py", [["paper", "44"], ["paper", "25"]])
    marks = {44: {"NS": 14, "EW": 0}, 25: {"NS": 0, "EW": 5}}
    for answer, (state, results, deals, _signed) in zip(
        answers, ground.python(READ.format(ids=ids)), strict=True
    ):
        assert sorted(answer, key="won".__eq__) in (
            ["sheet_changed", "won"],
            ["sheet_signed", "won"],
        )
        winner = 44 if answer[0] == "won" else 25
        assert (state, deals) == ("official", 1)
        assert [result["marks"] for result in results] == [marks[winner]]


def test_one_signs_while_the_other_corrects(ground: Server, tmp_path: Path) -> None:
    ids = ground.python(MAKE.format(count=MATCHES, written=True))
    answers = race(ground, ids, tmp_path, "racer.py", [["sign", "42"], ["correct", "25"]])
    for answer, (state, results, deals, _signed) in zip(
        answers, ground.python(READ.format(ids=ids)), strict=True
    ):
        assert answer.count("won") == 1, answer
        assert answer[0 if answer[1] == "won" else 1] in ("sheet_changed", "sheet_signed")
        assert (state, deals, len(results)) == ("official", 1, 1)
        expected = {"NS": 12, "EW": 0} if answer[0] == "won" else {"NS": 0, "EW": 5}
        assert results[0]["marks"] == expected
