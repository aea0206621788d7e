"""Fields of a deal's entry, in the order of a line of the score sheet.

The phone's form, the row copied from paper, the printed sheet and the parsing of all three follow from
:func:`entry_fields`. A field exists if the rulebook in force, with its switches, can fill it: a turn-up
where the last card is turned (000, 001), bids where there is a ladder (002) or a number (004), calls where
doubling is allowed. A new rulebook needs no change here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from scoring.texts import Message, pgettext_lazy
from scoring.texts import gettext_lazy as _

from .cards import SUITS, VALUES, parse_card
from .rulebook import Game
from .rulebook_edition import Bids, Sides, TrumpChoice
from .score_contract import ALL_TRICKS, GENERALE

MOST_TAPS: Final = 6
"""Calls that a form offers where there is no limit (Q-004-3)."""
TURN_UPS: Final = ("10", "A", "K", "Q", "J")
"""Ranks whose turn-up is worth a bonus; the others are one choice, :data:`NO_BONUS`."""
NO_BONUS: Final = "-"
NOT_PLAYED: Final = ("dealer", "passed", "side")
"""Fields that say nothing of a deal that was played."""


class FieldKind(StrEnum):
    """Kind of input of a field."""

    CHOICE = "choice"
    """One of its choices."""
    NUMBER = "number"
    """A whole number; its choices, if any, name some."""
    YES = "yes"
    """Ticked or not."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One choice of a field. Without ``title`` it is a seat, a side, a suit, a rank or a number.

    ``worth``: marks of a card turned up; ``doublings``: how often it doubles the marks.
    """

    code: str
    title: Message | None = None
    short: Message | None = None
    worth: int = 0
    doublings: int = 0


@dataclass(frozen=True, slots=True)
class EntryField:
    """One thing that is written of a deal.

    ``name`` is that of forms; ``part`` the key of the contract, or of the entry, that it fills with the
    ``value`` of what was typed. ``label`` names it (``heading`` where it stands alone), ``question`` asks for it,
    ``missing`` refuses a form without it and without ``default``. ``low`` and ``high`` bound a number.
    ``beside``: the field in whose place it may be filled.
    """

    name: str
    kind: FieldKind
    label: Message
    question: Message | None = None
    missing: Message | None = None
    part: str = ""
    choices: tuple[Choice, ...] = ()
    low: int = 0
    high: int = 999
    default: str = ""
    heading: Message | None = None
    beside: str = ""
    value: Callable[[str], object] = str

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes of the choices."""
        return tuple(choice.code for choice in self.choices)

    def typed(self, value: object) -> str:
        """Return the text to type for ``value``; empty for a value that this field cannot yield."""
        if self.kind is FieldKind.NUMBER:
            return str(value) if isinstance(value, int) else ""
        return next((code for code in self.codes if self.value(code) == value), "")


def entry_fields(game: Game, depth: str = "points") -> tuple[EntryField, ...]:
    """Return the fields of one deal of ``game``, entered at ``depth`` (points, tricks, list or cards)."""
    book = game.book
    fields = [
        EntryField(
            "dealer",
            FieldKind.CHOICE,
            _("Dealer"),
            _("Who dealt?"),
            _("Choose who dealt."),
            choices=_plain(game.seats),
        )
    ]
    if book.trump_choice is TrumpChoice.AUCTION or book.sides is Sides.DECLARER_ALONE:
        fields.append(EntryField("passed", FieldKind.YES, _("All passed")))
    fields += [
        *_declarer(game),
        *_bids(game),
        *_trump(game),
        *_doubling(game),
        *_exchange(game),
    ]
    if depth in ("points", "tricks"):
        fields += _counts(game, depth)
    return tuple(fields)


def _plain(codes: tuple[str, ...]) -> tuple[Choice, ...]:
    return tuple(Choice(code) for code in codes)


def _declarer(game: Game) -> list[EntryField]:
    book = game.book
    by_auction = book.bids is Bids.POINTS or book.stakes
    if book.sides is Sides.DECLARER_ALONE:
        choices = _plain(game.seats)
    elif book.sides is Sides.PAIRS and book.trump_choice in (
        TrumpChoice.AUCTION,
        TrumpChoice.DECLARER,
    ):
        choices = _plain(game.sides)
    else:
        return []
    return [
        EntryField(
            "declarer",
            FieldKind.CHOICE,
            _("Declarer"),
            _("Who is declarer?") if by_auction else _("Who chose trump?"),
            _("Choose the declarer.") if book.bids is Bids.POINTS else _("Choose who named trump."),
            "declarer",
            choices,
            heading=None if by_auction else pgettext_lazy("trump", "Chosen by"),
        )
    ]


def _bids(game: Game) -> list[EntryField]:
    if game.book.bids is Bids.LADDER:
        ladder = _plain(tuple(str(level) for level in game.book.levels))
        whole = Choice(GENERALE, _("générale"), pgettext_lazy("short for générale", "gén."))
        return [
            EntryField(
                "level",
                FieldKind.CHOICE,
                _("Contract"),
                _("Contract"),
                _("Choose the contract."),
                "level",
                (*ladder, whole),
                value=lambda code: code if code == GENERALE else int(code),
            )
        ]
    if game.book.bids is Bids.POINTS:
        low, high = game.number("minimum_bid"), game.total
        question = _("Bid ({low} to {high})").format(low=low, high=high)
        missing = _("Enter the bid.")
        return [
            EntryField(
                "bid", FieldKind.NUMBER, _("Bid"), question, missing, "level", (), low, high
            ),
            EntryField(
                "all_tricks",
                FieldKind.YES,
                _("bid every trick"),
                part="level",
                choices=(Choice("1"),),
                beside="bid",
                value=lambda _code: ALL_TRICKS,
            ),
        ]
    return []


def _trump(game: Game) -> list[EntryField]:
    book = game.book
    no_trump = (Choice("NT"),) if book.no_trump else ()
    fields = [
        EntryField(
            "trump",
            FieldKind.CHOICE,
            _("Trump"),
            _("Trump"),
            _("Choose the trump."),
            "trump",
            (*_plain(tuple(SUITS)), *no_trump),
        )
    ]
    if game.flag("blind_trump_allowed"):
        question = _("blind trump (before seeing the cards): the dealer leads")
        ticked = (Choice("1"),)
        fields.append(
            EntryField(
                "blind",
                FieldKind.YES,
                _("Blind trump"),
                question,
                None,
                "blind",
                ticked,
                value=bool,
            )
        )
    if book.turn_up:
        named = tuple(Choice(rank, worth=VALUES[parse_card(f"{rank}S")]) for rank in TURN_UPS)
        label = _("Card turned up")
        missing = _("Choose the card turned up.")
        choices = (*named, Choice(NO_BONUS))
        fields.append(
            EntryField("turn_up", FieldKind.CHOICE, label, label, missing, "turn_up", choices)
        )
    return fields


def _doubling(game: Game) -> list[EntryField]:
    most, calls = game.max_doubling, game.book.calls
    if most == 0:
        return []
    title = calls[0].title
    choices = [Choice("0", _("no {call}").format(call=title))]
    choices += [Choice(str(call.count), call.title, doublings=call.count) for call in calls[:most]]
    if most is None:
        choices += [
            Choice(
                str(count),
                Message("{call} ×{count}").format(call=title, count=count),
                doublings=count,
            )
            for count in range(len(calls) + 1, MOST_TAPS + 1)
        ]
    return [
        EntryField(
            "doubling",
            FieldKind.NUMBER,
            title,
            title,
            None,
            "doubling",
            tuple(choices),
            default="0",
        )
    ]


def _exchange(game: Game) -> list[EntryField]:
    label = _("Cards exchanged")
    if game.book.stakes:
        counts = _plain(tuple(str(count) for count in range(game.widow_size + 1)))
        missing = _("Choose how many cards were exchanged.")
        high = game.widow_size
        return [
            EntryField(
                "exchanged", FieldKind.NUMBER, label, label, missing, "exchanged", counts, high=high
            )
        ]
    if game.flag("double_no_exchange"):
        answers = (Choice("1", _("yes")), Choice("0", _("no")))
        missing = _("Choose whether cards were exchanged.")
        question = _("Were cards exchanged?")
        return [
            EntryField(
                "exchanged",
                FieldKind.CHOICE,
                label,
                question,
                missing,
                "exchanged",
                answers,
                value=lambda code: code == "1",
            )
        ]
    return []


def _counts(game: Game, depth: str) -> list[EntryField]:
    book, fields = game.book, []
    if book.sides is Sides.PAIRS or game.total_is_exact:
        fields.append(
            EntryField(
                "side",
                FieldKind.CHOICE,
                _("Points of"),
                _("Whose cards did you count? (fewer tricks is quicker)"),
                _("Choose whose points you enter."),
            )
        )
    label, missing = _("Card points"), _("Enter the points of one side.")
    question = _("Declarer’s card points")
    fields.append(
        EntryField("points", FieldKind.NUMBER, label, question, missing, "points", high=game.total)
    )
    # A result can depend on the tricks: a sweep bonus, a générale, a bid for all.
    matter = game.options.get("sweep60") == 60 or book.bids is not Bids.NONE
    if depth == "tricks" or matter:
        if depth == "tricks":
            question = _("Tricks of the side you count")
        elif book.levels:
            question = _("Tricks of the side you count (needed for a générale)")
        else:
            question = _("Tricks of the side you count (needed when one side took all)")
        counts = _plain(tuple(str(count) for count in range(game.tricks + 1)))
        missing = _("Enter the tricks of that side.")
        fields.append(
            EntryField(
                "tricks",
                FieldKind.NUMBER,
                _("Tricks"),
                question,
                missing,
                "tricks",
                counts,
                high=game.tricks,
            )
        )
    return fields
