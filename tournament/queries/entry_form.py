"""The form of one deal as templates show it: choices named as people say them, what was typed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.html import format_html
from django.utils.translation import gettext as _

from scoring.engine.rulebook_edition import Sides
from scoring.engine.speech import card_name
from tournament.models.tables import DealVersion, Sheet
from tournament.queries.side_labels import players_of, side_label
from tournament.tables.entry import EntryFields, entry_fields, name_of_side, typed_of
from tournament.tables.rules import game_of


def entry_context(
    sheet: Sheet, fields: EntryFields, names: dict[str, str], language: str, dealer: str
) -> dict[str, Any]:
    """Choices of the entry form, named as people say them."""
    game = game_of(sheet)
    pairs = game.book.sides is Sides.PAIRS
    others = "".join(seat for seat in game.seats if seat != dealer)
    if pairs:
        counted = [
            {
                "code": side,
                "name": side_label(side, language, names),
                "players": players_of(side, names),
                "nr": nr,
            }
            for nr, side in enumerate(game.sides, start=1)
        ]
    elif game.book.sides is Sides.DEALER_ALONE:
        counted = [
            {
                "code": "declarer",
                "name": names.get(dealer, dealer),
                "players": _("the dealer"),
                "nr": 1,
            },
            {
                "code": "others",
                "name": players_of(others, names),
                "players": _("the two others"),
                "nr": 2,
            },
        ]
    else:
        counted = [
            {"code": "declarer", "name": _("the declarer"), "players": "", "nr": 1},
            {"code": "others", "name": _("the others"), "players": "", "nr": 2},
        ]
    declaring: str = ""
    if pairs and not fields.declarers and not fields.turn_up:
        side = next(side for side in game.sides if dealer in side)
        declaring = format_html("<span data-declaring>{}</span>", side_label(side, language, names))
    return {
        "counted": counted,
        "declaring": declaring,
        "chosen_by": [
            {
                "code": code,
                "name": side_label(code, language, names),
                "players": players_of(code, names) if len(code) > 1 else "",
                "nr": game.sides.index(code) + 1 if pairs else 1,
            }
            for code in fields.declarers
        ],
        "dealers": [
            {"code": seat, "letter": name_of_side(seat, language), "name": names.get(seat, seat)}
            for seat in game.seats
        ],
        "turn_ups": [
            ("10", "10", 5),
            ("A", _rank("A", language), 4),
            ("K", _rank("K", language), 3),
            ("Q", _rank("Q", language), 2),
            ("J", _rank("J", language), 1),
        ],
        "trick_numbers": range(fields.trick_count + 1),
        "exchanges": range(fields.exchange + 1),
        "alone": not pairs and not fields.exact,
    }


def trick_rows(fields: EntryFields, typed: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The rows of an entry trick by trick, with what was typed into them."""
    return [
        {
            "n": n,
            "side": typed.get(f"trick_{n}_side", ""),
            "points": typed.get(f"trick_{n}_points", ""),
        }
        for n in range(1, fields.trick_count + 1)
    ]


def _rank(rank: str, language: str) -> str:
    return card_name(f"{rank}S", language)[:-1]


def correction_context(
    sheet: Sheet, deal: DealVersion, names: dict[str, str], language: str
) -> dict[str, Any]:
    """The form that corrects a deal: its fields at the depth at which it was entered."""
    typed = typed_of(deal.entry)
    dealer = str(deal.entry.get("dealer") or sheet.first_dealer)
    fields = entry_fields(sheet, language, typed["depth"])
    game = game_of(sheet)
    if game.book.sides is not Sides.PAIRS:
        one = dealer if game.book.sides is Sides.DEALER_ALONE else typed.get("declarer")
        for name in [key for key in typed if key == "side" or key.endswith("_side")]:
            typed[name] = "declarer" if typed[name] == one else "others"
    return {
        "typed": typed,
        "fields": fields,
        "dealer": dealer,
        "dealer_name": names.get(dealer, dealer),
        **entry_context(sheet, fields, names, language, dealer),
    }
