"""What a score sheet asks after each deal, read from the rulebook: its fields and no others.

The slip per deal of rules specification D.2: dealer, chooser, trump, bid and calls, turn-up, raw
totals, tricks, article of an infraction, marks. A field is there because the rulebook in force, with
its switches, can fill it: a turn-up where the last card is turned (000, 001), bids where there is a
ladder (002) or a number (004), calls where doubling is allowed. A new rulebook needs nothing here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from scoring.engine.rulebook import Game
from scoring.engine.rulebook_edition import Call, Sides, TrumpChoice
from tournament.documents import words

SUITS: Final = "♠ ♥ ♦ ♣"
_CIRCLED_PLAYERS: Final = 4
"""Up to so many players are circled; of more the number is written."""


@dataclass(frozen=True, slots=True)
class SheetField:
    """One column: ``key`` names what is written, ``choices`` what is circled (empty: written).

    ``group`` is the heading over neighbouring columns of one kind; ``share`` the width against
    the others. ``running`` columns are carried to the next page.
    """

    key: str
    heading: str
    share: float
    choices: str = ""
    group: str = ""
    running: bool = False


def sheet_fields(game: Game, language: str, seats: str = "") -> tuple[SheetField, ...]:
    """The columns of the score sheet of ``game``, from the number of the deal to the totals.

    ``seats`` are circled instead of the four directions where a table has letters of its own.
    """
    players = tuple(str(number) for number in range(1, game.players + 1))
    return (
        SheetField("deal", words.DEAL_NUMBER.render(language), 0.8),
        *_before_play(game, language, seats or circled_players(game, language, players)),
        *_taken(game, language),
        SheetField("article", words.ARTICLE.render(language), 1.3),
        *_written_down(game, language, players),
    )


def circled_players(game: Game, language: str, players: tuple[str, ...]) -> str:
    """The seats or numbers to circle; empty where there are too many to circle."""
    if game.book.sides is Sides.PAIRS:
        return words.SEATS_TO_CIRCLE.render(language)
    return " ".join(players) if len(players) <= _CIRCLED_PLAYERS else ""


def sides(game: Game, language: str) -> tuple[str, ...]:
    """Who signs: the two pairs, or every player."""
    if game.book.sides is Sides.PAIRS:
        return (words.PAIR_NS.render(language), words.PAIR_EW.render(language))
    return tuple(
        words.PLAYER_NUMBER.render(language).format(number=number)
        for number in range(1, game.players + 1)
    )


def _before_play(game: Game, language: str, seats: str) -> list[SheetField]:
    book = game.book
    who = 2.0 if seats else 1.0
    fields = [SheetField("dealer", words.DEALER.render(language), who, seats)]
    if book.trump_choice in {TrumpChoice.AUCTION, TrumpChoice.DECLARER}:
        fields.append(SheetField("declarer", words.DECLARER.render(language), who, seats))
    if book.trump_choice is TrumpChoice.DEALER_OR_PARTNER:
        fields.append(SheetField("chooser", words.CHOOSER.render(language), who, seats))
    if book.levels:
        bids = " ".join(str(level) for level in sorted(book.levels))
        bids = f"{bids} {words.ALL_TRICKS_SHORT.render(language)}"
        fields.append(SheetField("bid", words.BID.render(language), 2.6, bids))
    elif book.trump_choice is TrumpChoice.AUCTION:
        fields.append(SheetField("bid", words.BID.render(language), 1.1))
    if book.sides is Sides.DECLARER_ALONE and book.dealing[game.players].widow:
        fields.append(SheetField("exchanged", words.EXCHANGED.render(language), 1.2))
    if book.turn_up:
        ranks = words.TURN_UP_RANKS.render(language)
        fields.append(SheetField("turn-up", words.TURN_UP.render(language), 2.4, ranks))
    suits = f"{SUITS} {words.NO_TRUMP_SHORT.render(language)}" if book.no_trump else SUITS
    fields.append(SheetField("trump", words.TRUMP.render(language), 2.4, suits))
    if game.flag("blind_trump_allowed"):
        fields.append(SheetField("blind", words.BLIND.render(language), 0.9, "☐"))
    calls = _calls(game)
    if calls:
        names = " / ".join(call.title.render(language) for call in calls)
        factors = " ".join(f"×{2**call.count}" for call in calls)
        if game.flag("infinite_tap"):
            factors += " ×…"
        fields.append(SheetField("calls", names, 1.6, factors))
    return fields


def _calls(game: Game) -> list[Call]:
    """The doublings that the event allows, the first before the second."""
    allowed = {1: game.flag("doubling_allowed")}
    allowed[2] = allowed[1] and game.flag("redoubling_allowed")
    return [call for call in game.book.calls if allowed.get(call.count, False)]


def _taken(game: Game, language: str) -> list[SheetField]:
    points, tricks = words.POINTS.render(language), words.TRICKS.render(language)
    if game.book.sides is Sides.DECLARER_ALONE:
        taken = words.DECLARER.render(language)
        return [
            SheetField("points", points, 1.2, group=taken),
            SheetField("tricks", tricks, 1.0, group=taken),
        ]
    if game.book.sides is Sides.DEALER_ALONE:
        pair = [words.DEALER_SIDE.render(language), words.OTHERS_SIDE.render(language)]
    else:
        pair = [words.PAIR_NS.render(language), words.PAIR_EW.render(language)]
    return [
        *(SheetField("points", side, 1.1, group=points) for side in pair),
        *(SheetField("tricks", side, 0.9, group=tricks) for side in pair),
    ]


def _written_down(game: Game, language: str, players: tuple[str, ...]) -> list[SheetField]:
    marks, totals = words.MARKS.render(language), words.TOTALS.render(language)
    each: tuple[str, ...]
    if game.book.sides is Sides.PAIRS:
        each = (words.PAIR_NS.render(language), words.PAIR_EW.render(language))
    else:
        each = players
    share = 1.3 if len(each) < 4 else 1.05
    return [
        *(SheetField("marks", side, share, group=marks) for side in each),
        *(SheetField("total", side, share, group=totals, running=True) for side in each),
    ]
