"""The form of one deal as templates show it: choices named as people say them, what was typed."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.html import format_html
from django.utils.translation import gettext as _

from scoring.engine.rulebook_edition import Sides
from scoring.engine.speech import card_name
from tournament.models.tables import DealVersion, Sheet
from tournament.queries.side_labels import players_of, side_label
from tournament.tables.entry import EntryFields, Posted, entry_fields, name_of_side, typed_of
from tournament.tables.rules import game_of


@dataclass(frozen=True, slots=True)
class Choice:
    """One choice of a field: its value, its name, who stands behind it, the side it belongs to."""

    code: str
    name: str
    players: str = ""
    nr: int = 1
    letter: str = ""


def counted_sides(sheet: Sheet, names: dict[str, str], language: str, dealer: str) -> list[Choice]:
    """Whose points may be counted."""
    game = game_of(sheet)
    if game.book.sides is Sides.PAIRS:
        return [
            Choice(side, side_label(side, language, names), players_of(side, names), nr)
            for nr, side in enumerate(game.sides, start=1)
        ]
    if game.book.sides is Sides.DEALER_ALONE:
        others = "".join(seat for seat in game.seats if seat != dealer)
        return [
            Choice("declarer", names.get(dealer, dealer), _("the dealer")),
            Choice("others", players_of(others, names), _("the two others"), 2),
        ]
    return [Choice("declarer", _("the declarer")), Choice("others", _("the others"), nr=2)]


def entry_context(
    sheet: Sheet,
    fields: EntryFields,
    names: dict[str, str],
    language: str,
    dealer: str,
    typed: Posted,
) -> dict[str, object]:
    """Choices of the entry form, named as people say them; ``entered``: the side counted in ``typed``, else the first."""
    game = game_of(sheet)
    pairs = game.book.sides is Sides.PAIRS
    declaring: str = ""
    if pairs and not fields.declarers and not fields.turn_up:
        side = next(side for side in game.sides if dealer in side)
        declaring = format_html("<span data-declaring>{}</span>", side_label(side, language, names))
    counted = counted_sides(sheet, names, language, dealer)
    entered = next((side for side in counted if side.code == typed.get("side")), counted[0])
    return {
        "counted": counted,
        "entered": entered,
        "uncounted": next(side for side in counted if side is not entered),
        "declaring": declaring,
        "chosen_by": [
            Choice(
                code,
                side_label(code, language, names),
                players_of(code, names) if len(code) > 1 else "",
                game.sides.index(code) + 1 if pairs else 1,
            )
            for code in fields.declarers
        ],
        "dealers": [
            Choice(seat, names.get(seat, seat), letter=name_of_side(seat, language))
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


def trick_rows(fields: EntryFields, typed: Posted) -> list[dict[str, object]]:
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
    sheet: Sheet, deal: DealVersion, names: dict[str, str], language: str, posted: Posted
) -> dict[str, object]:
    """The form that corrects a deal: its fields at the depth at which it was entered.

    ``posted``: what was typed, where it was refused.
    """
    typed = typed_of(deal.entry)
    dealer = str(deal.entry.get("dealer") or sheet.first_dealer)
    fields = entry_fields(sheet, language, typed["depth"])
    game = game_of(sheet)
    if game.book.sides is not Sides.PAIRS:
        one = dealer if game.book.sides is Sides.DEALER_ALONE else typed.get("declarer")
        for name in [key for key in typed if key == "side" or key.endswith("_side")]:
            typed[name] = "declarer" if typed[name] == one else "others"
    return {
        "typed": posted or typed,
        "fields": fields,
        "dealer": dealer,
        "dealer_name": names.get(dealer, dealer),
        "trick_rows": trick_rows(fields, posted or typed),
        **entry_context(sheet, fields, names, language, dealer, posted or typed),
    }
