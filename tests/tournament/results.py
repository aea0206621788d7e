"""Results of tables as the desk copies them from paper slips, deal by deal."""

from __future__ import annotations

from typing import Any

from tests.tournament.build import SYSTEM, chance
from tournament.demo.simulation import play_sheet
from tournament.models.tables import Sheet, SheetState
from tournament.services import sheets
from tournament.tables.score_sheet import ScoreSheet


def copy_slip(sheet: Sheet, marks: dict[str, int]) -> Sheet:
    """Copy a slip as staff, with these marks for two sides; the bell may have ended the game."""
    ours, theirs = sheet.sides
    game = ScoreSheet(sheet).game
    half = int(game.half)
    taken: list[int] = []
    for side, left in marks.items():
        while left > 0:
            more = min(left, half)
            taken.append(half + more if side == ours else half - more)
            left -= more
    if isinstance(sheet.options["target"], dict):
        taken += [half] * (sheet.options["target"]["deals"] - len(taken))
    assert set(marks) == {ours, theirs}
    contract: dict[str, Any] = {"trump": "H"}
    if sheet.rulebook not in ("parlee", "boussac"):
        contract["declarer"] = ours
    sheets.enter_slip(
        games=[
            sheets.PaperGame(
                sheet.pk,
                [
                    {
                        "dealer": ScoreSheet(sheet).dealer_in_turn(number),
                        "contract": contract,
                        "points": {ours: points},
                    }
                    for number, points in enumerate(taken, 1)
                ],
                sheet.version,
                ended_by_bell=True,
            )
        ],
        actor=SYSTEM,
        reason="paper",
    )
    sheet.refresh_from_db()
    assert sheet.state == SheetState.OFFICIAL
    assert sheet.results.get(current=True).result["marks"] == marks
    return sheet


def first_side_wins(sheet: Sheet, marks: int = 9) -> Sheet:
    """Play a game that its first side wins; without two sides, play it at random."""
    if len(sheet.sides) == 2:
        ours, theirs = sheet.sides
        return copy_slip(sheet, {ours: marks, theirs: 0})
    return play_sheet(sheet, chance(str(sheet.order)))


def make_level(sheet: Sheet) -> None:
    """Correct a signed game of two deals as a referee, to 7–7."""
    ours, _theirs = sheet.sides
    for deal, points in zip(ScoreSheet(sheet).current(), (37, 23), strict=True):
        sheets.correct_deal(
            sheet_id=sheet.pk,
            number=deal.number,
            entry={**deal.entry, "points": {ours: points}},
            actor=SYSTEM,
            reason="The slip says otherwise.",
        )
