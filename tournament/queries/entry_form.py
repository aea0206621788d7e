"""The form of one deal as templates show it: choices named as people say them, what was typed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from django.utils.html import format_html
from django.utils.translation import gettext as _

from scoring.engine.entry_fields import Choice as Written
from scoring.engine.entry_fields import EntryField, FieldKind, entry_fields
from scoring.engine.rulebook import Game
from scoring.engine.rulebook_edition import Sides
from scoring.engine.speech import card_name
from scoring.texts import Message
from tournament.models.tables import DealVersion
from tournament.queries.phone_rules import phone_rules, phone_words
from tournament.queries.side_labels import players_of, side_label
from tournament.tables.entry import Posted, name_of_side, typed_of
from tournament.tables.score_sheet import ScoreSheet


@dataclass(frozen=True, slots=True)
class Choice:
    """One choice of a field: its value, its name, its players, and the letter of a seat."""

    code: str
    name: str
    players: str = ""
    letter: str = ""


@dataclass(frozen=True, slots=True)
class ShownChoice:
    """One choice of a field of the game: ``written`` as the rulebook has it."""

    written: Written
    name: str
    hint: str = ""
    short: str = ""
    picked: bool = False


@dataclass(frozen=True, slots=True)
class ShownField:
    """A field of the game in the reader's language, with its typed value; ``within`` holds nested fields."""

    field: EntryField
    label: str
    heading: str
    question: str
    typed: str
    choices: tuple[ShownChoice, ...]
    within: tuple[ShownField, ...] = ()

    @property
    def path(self) -> str:
        """Name of the field in the engine's refusals."""
        return f"contract.{self.field.part}"

    @property
    def columns(self) -> str:
        """Number of choices in a row; ``words`` where they are as wide as they need."""
        if any(choice.written.doublings for choice in self.choices):
            return "words"
        if any(choice.written.worth for choice in self.choices):
            return "6"
        if self.field.name == "declarer" and len(self.choices) > 2:
            return "4"
        return "2" if len(self.choices) == 2 else "5"


class TrickRow(NamedTuple):
    """A line of the list of tricks, with what was typed."""

    n: int
    side: str
    points: str


@dataclass(frozen=True, slots=True)
class DealForm:
    """The fields of one deal and their choices; ``entered`` is the side counted, else the first.

    ``required``: the choices besides trump without which there is no deal. ``folded``: the other fields besides
    trump and points, each folded behind one line. ``declaring``: the
    side that named trump, where it is not a field. ``rules`` and ``words``: JSON by which the page
    counts the deal and says its score.
    """

    game: Game
    depth: str
    dealer: str
    dealer_name: str
    dealers: list[Choice]
    declaring: str
    fields: dict[str, ShownField]
    required: list[ShownField]
    folded: list[ShownField]
    counted: list[Choice]
    entered: Choice
    uncounted: Choice
    trick_rows: list[TrickRow]
    rules: str
    words: str
    passes: bool
    alone: bool

    @property
    def tricks(self) -> ShownField | None:
        """The number of tricks, where it is asked."""
        return self.fields.get("tricks")


def counted_sides(game: Game, names: Mapping[str, str], language: str, dealer: str) -> list[Choice]:
    """Return the sides whose points may be counted."""
    named = dict(names)
    if game.in_pairs:
        return [
            Choice(side, side_label(side, language, named), players_of(side, named))
            for side in game.sides
        ]
    if game.book.sides is Sides.DEALER_ALONE:
        others = "".join(seat for seat in game.seats if seat != dealer)
        return [
            Choice("declarer", names.get(dealer, dealer), _("the dealer")),
            Choice("others", players_of(others, named), _("the two others")),
        ]
    return [Choice("declarer", _("the declarer")), Choice("others", _("the others"))]


def shown_fields(
    game: Game, depth: str, names: Mapping[str, str], language: str, typed: Posted
) -> dict[str, ShownField]:
    """Return the fields of a deal by name, in the order of a line of the score sheet."""
    fields = entry_fields(game, depth)

    def words(text: Message, *, within: bool) -> str:
        line = text.render(language)
        return line if within else line[:1].upper() + line[1:]

    def show(field: EntryField) -> ShownField:
        value = str(typed.get(field.name) or field.default)
        within = bool(field.beside)
        question = field.question or field.label
        return ShownField(
            field,
            words(field.label, within=within),
            words(field.heading or field.label, within=within),
            words(question, within=within or question is not field.label),
            value,
            tuple(_shown(field, choice, names, language, value) for choice in field.choices),
            tuple(show(other) for other in fields if other.beside == field.name),
        )

    return {field.name: show(field) for field in fields}


def _shown(
    field: EntryField,
    choice: Written,
    names: Mapping[str, str],
    language: str,
    typed: str,
) -> ShownChoice:
    code, name, hint = choice.code, choice.code, ""
    if choice.title is not None:
        name = choice.title.render(language)
    elif field.name == "declarer":
        name = side_label(code, language, dict(names))
        hint = players_of(code, dict(names)) if len(code) > 1 else ""
    elif field.name == "turn_up":
        name = card_name(f"{code}S", language)[:-1] if choice.worth else "9 8 7"
        hint = f"+{choice.worth}" if choice.worth else "0"
    short = choice.short.render(language) if choice.short else ""
    picked = bool(typed) if field.kind is FieldKind.YES else typed == code
    return ShownChoice(choice, name, hint, short, picked)


def deal_form(
    sheet: ScoreSheet,
    names: Mapping[str, str],
    language: str,
    dealer: str,
    depth: str,
    typed: Posted,
) -> DealForm:
    """Return the form of one deal at ``depth``, with what was ``typed`` into it."""
    game = sheet.game
    shown = shown_fields(game, depth, names, language, typed)
    declaring = ""
    if sheet.game.in_pairs and "declarer" not in shown and "turn_up" not in shown:
        side = next(side for side in game.sides if dealer in side)
        label = side_label(side, language, dict(names))
        declaring = format_html("<span data-declaring>{}</span>", label)
    counted = counted_sides(game, names, language, dealer)
    entered = next((side for side in counted if side.code == typed.get("side")), counted[0])
    apart = ("dealer", "passed", "trump", "side", "points", "tricks")
    rest = [each for name, each in shown.items() if name not in apart and not each.field.beside]
    required = [
        each for each in rest if each.choices and each.field.missing and not each.field.default
    ]
    folded = [each for each in rest if each not in required]
    return DealForm(
        game=game,
        depth=depth,
        dealer=dealer,
        dealer_name=names.get(dealer, dealer),
        dealers=[
            Choice(seat, names.get(seat, seat), letter=name_of_side(seat, language))
            for seat in game.seats
        ],
        declaring=declaring,
        fields=shown,
        required=required,
        folded=sorted(folded, key=lambda each: each.field.kind is FieldKind.YES),
        counted=counted,
        entered=entered,
        uncounted=next(side for side in counted if side is not entered),
        trick_rows=[
            TrickRow(
                n,
                str(typed.get(f"trick_{n}_side", "")),
                str(typed.get(f"trick_{n}_points", "")),
            )
            for n in range(1, game.tricks + 1)
        ],
        rules=json.dumps(phone_rules(sheet)),
        words=json.dumps(phone_words(sheet, names, language)),
        passes="passed" in shown,
        alone=not sheet.game.in_pairs and not game.total_is_exact,
    )


class Correction(NamedTuple):
    """Typed values of a deal, and the form that corrects it."""

    typed: Posted
    form: DealForm


def correction_context(
    sheet: ScoreSheet, deal: DealVersion, names: dict[str, str], language: str, posted: Posted
) -> Correction:
    """Return the form that corrects a deal: its fields at the depth of its entry.

    ``posted``: what was typed, where it was refused.
    """
    typed = typed_of(sheet.game, deal.entry)
    dealer = str(deal.entry.get("dealer") or sheet.row.first_dealer)
    if not sheet.game.in_pairs:
        alone = sheet.game.book.sides is Sides.DEALER_ALONE
        one = dealer if alone else typed.get("declarer")
        for name in [key for key in typed if key == "side" or key.endswith("_side")]:
            typed[name] = "declarer" if typed[name] == one else "others"
    shown = posted or typed
    return Correction(shown, deal_form(sheet, names, language, dealer, typed["depth"], shown))
