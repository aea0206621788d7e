"""The form of a sheet that is copied from paper: names as on the slip, and what each row credits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from scoring.engine.rulebook_edition import Sides
from scoring.entry import EntryFields, name_of_side, two_sides
from scoring.models import DealVersion, Sheet, SheetState
from scoring.people import Slip
from scoring.rules import game_of, sides_of
from scoring.services import sheets

from .labels import players_of

FIELDS = (
    "dealer", "passed", "declarer", "level", "bid", "all_tricks", "trump", "blind", "turn_up",
    "doubling", "exchanged", "side", "points", "tricks",
)  # fmt: skip
"""What a row of the form may hold; its inputs are called ``d<row>-<field>``."""


def posted_rows(posted: Mapping[str, Any], count: int) -> list[dict[str, str]]:
    """What was typed into each of the ``count`` rows."""
    return [
        {name: str(posted.get(f"d{n}-{name}", "")) for name in FIELDS} for n in range(1, count + 1)
    ]


def dealers(sheet: Sheet, typed: list[dict[str, str]]) -> list[str]:
    """Who deals each row: as typed, else the next player after the row before."""
    deals: list[DealVersion] = sheets.current_deals(sheet)
    found = []
    for row in typed:
        dealer = row["dealer"]
        if dealer not in game_of(sheet).seats:
            dealer = sheets.next_dealer(sheet, deals)
        found.append(dealer)
        deals = [*deals, DealVersion(entry={"dealer": dealer}, number=len(deals) + 1)]
    return found


def sides_follow_dealer(sheet: Sheet) -> bool:
    """Whether the dealer of a row decides its sides: the dealer plays alone."""
    return game_of(sheet).book.sides is Sides.DEALER_ALONE


def row_sides(
    sheet: Sheet, dealer: str, names: Mapping[str, str], counted: list[dict[str, Any]]
) -> list[dict[str, Any]]:
    """Whose points a row counts: where the dealer plays alone, players by their seats.

    So a row says who it credits, and credits nobody else when its dealer is changed.
    """
    game = game_of(sheet)
    if not sides_follow_dealer(sheet):
        return counted
    return [
        {"code": side, "name": players_of(side, dict(names))}
        for side in two_sides(game, dealer, "")
    ]


def paper_context(
    sheet: Sheet,
    fields: EntryFields,
    slip: Slip,
    names: Mapping[str, str],
    language: str,
    form: Mapping[str, Any],
) -> dict[str, Any]:
    """Seats, sides and trumps as the slip names them; ``form``: the choices of a deal's form."""

    def letter(seat: str) -> str:
        # Both seats of a pair bear the pair's letters: then the seat's own tells them apart.
        printed = slip.letters.get(seat, seat)
        shared = sum(other == printed for other in slip.letters.values()) > 1
        return name_of_side(seat, language) if shared else printed

    def side(code: str) -> dict[str, str]:
        letters = "".join(dict.fromkeys(slip.letters.get(seat, seat) for seat in code))
        return {"code": code, "letters": letters, "names": players_of(code, dict(names))}

    def choice(code: str) -> dict[str, str]:
        found = side(code)
        return {"code": code, "name": f"{found['letters']} · {found['names']}"}

    pairs = game_of(sheet).book.sides is Sides.PAIRS
    suits = {
        "S": (_("spades"), "♠"), "H": (_("hearts"), "♥"), "D": (_("diamonds"), "♦"),
        "C": (_("clubs"), "♣"), "NT": (_("no trump"), ""),
    }  # fmt: skip
    return {
        "seats": [
            {"code": seat, "letter": letter(seat), "name": names.get(seat, seat)}
            for seat in game_of(sheet).seats
        ],
        "slip_sides": [side(code) for code in sides_of(sheet)],
        "declaring_sides": [choice(code) for code in fields.declarers],
        "counted": [choice(each["code"]) for each in form["counted"]] if pairs else form["counted"],
        "trump_names": [(suit, " ".join(suits[suit]).strip()) for suit in fields.trumps],
    }


def following_sheet(sheet: Sheet, slip: Slip) -> dict[str, Any] | None:
    """The next sheet that still waits, in the order of the slips; after the last the first."""
    order = [pk for pk, _table in slip.round_sheets]
    if sheet.pk not in order:
        return None
    at = order.index(sheet.pk)
    waiting = set(
        Sheet.objects.filter(pk__in=order)
        .exclude(pk=sheet.pk)
        .exclude(state__in=[SheetState.OFFICIAL, SheetState.VOID])
        .values_list("pk", flat=True)
    )
    tables = dict(slip.round_sheets)
    for pk in (*order[at + 1 :], *order[:at]):
        if pk in waiting:
            return {"sheet": pk, "table": tables[pk]}
    return None


def sheet_of_table(slip: Slip, table: str) -> Any:
    """The first sheet of a table of the round that still waits, else its first; ``None``: no table."""
    order = [pk for pk, number in slip.round_sheets if number == table]
    done = set(
        Sheet.objects.filter(
            pk__in=order, state__in=[SheetState.OFFICIAL, SheetState.VOID]
        ).values_list("pk", flat=True)
    )
    return next((pk for pk in order if pk not in done), order[0] if order else None)
