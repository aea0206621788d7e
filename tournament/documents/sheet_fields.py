"""Fields to fill in after each deal of a score sheet: its entry, its count and its score.

The slip per deal of rules specification D.2. The fields before play are those of
:func:`scoring.engine.entry_fields.entry_fields`; a new rulebook needs nothing here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from scoring.engine.cards import SUITS
from scoring.engine.entry_fields import NO_BONUS, Choice, EntryField, FieldKind, entry_fields
from scoring.engine.letters import RANK_LETTERS
from scoring.engine.rulebook import Game
from scoring.engine.rulebook_edition import Sides, TrumpChoice
from tournament.documents import words

_CIRCLED_PLAYERS: Final = 4
"""Up to so many players are circled; of more the number is written."""


@dataclass(frozen=True, slots=True)
class SheetField:
    """One column: ``key`` names the content, ``choices`` holds the words to circle (empty: written
    by hand).

    ``group`` is the heading over neighbouring columns of one kind; ``share`` the width relative to
    the others. ``running`` columns are carried to the next page.
    """

    key: str
    heading: str
    share: float
    choices: str = ""
    group: str = ""
    running: bool = False


def sheet_fields(
    game: Game, language: str, seats: str = "", pairs: tuple[str, ...] = ()
) -> tuple[SheetField, ...]:
    """Return the columns of the score sheet of ``game``, from the number of the deal to the totals.

    ``seats`` are circled instead of the four directions where a table has letters of its own, and ``pairs`` are what
    its two sides are called instead of N-S and E-W.
    """
    players = tuple(str(number) for number in range(1, game.players + 1))
    pairs = sides(game, language, pairs)
    return (
        SheetField("deal", words.DEAL_NUMBER.render(language), 0.8),
        *_before_play(game, language, seats or circled_players(game, language, players)),
        *_taken(game, language, pairs),
        SheetField("article", words.ARTICLE.render(language), 1.3),
        *_written_down(game, language, pairs, players),
    )


def circled_players(game: Game, language: str, players: tuple[str, ...]) -> str:
    """Return the seats or numbers to circle; empty where there are too many to circle."""
    if game.in_pairs:
        return words.SEATS_TO_CIRCLE.render(language)
    return " ".join(players) if len(players) <= _CIRCLED_PLAYERS else ""


def sides(game: Game, language: str, pairs: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Return the signing sides: the two ``pairs`` (N-S and E-W by default), or every player."""
    if game.in_pairs:
        return pairs or (words.PAIR_NS.render(language), words.PAIR_EW.render(language))
    return tuple(
        words.PLAYER_NUMBER.render(language).format(number=number)
        for number in range(1, game.players + 1)
    )


def _before_play(game: Game, language: str, seats: str) -> list[SheetField]:
    """Return the fields of a deal before it is counted, and the one for the player who named trump."""
    who, fields = 2.0 if seats else 1.0, []
    for field in entry_fields(game, ""):
        if field.name in ("dealer", "declarer"):
            column = SheetField(field.name, field.label.render(language), who, seats)
            fields.append(column)
        elif field.part and not field.beside:
            circled = _circled(game, field, language)
            share = min(0.9 + 0.4 * len(circled), 2.6) if circled else 1.2
            label = field.label.render(language)
            name = label[:1].upper() + label[1:]
            fields.append(SheetField(field.name, name, share, " ".join(circled)))
    if game.book.trump_choice is TrumpChoice.DEALER_OR_PARTNER:
        fields.insert(1, SheetField("chooser", words.CHOOSER.render(language), who, seats))
    return fields


def _circled(game: Game, field: EntryField, language: str) -> list[str]:
    """Return the choices to circle in a field; none for a field written by hand."""
    if field.kind is FieldKind.YES:
        return ["☐"]
    called = [choice for choice in field.choices if choice.doublings]
    if called:
        factors = [f"×{2**choice.doublings}" for choice in called[: len(game.book.calls)]]
        return factors if len(factors) == len(called) else [*factors, "×…"]
    return [_printed(choice, language) for choice in field.choices]


def _printed(choice: Choice, language: str) -> str:
    rank = RANK_LETTERS.get(choice.code) if choice.worth else None
    title = choice.short or choice.title or rank
    if title is not None:
        return title.render(language)
    signs = {"NT": words.NO_TRUMP_SHORT.render(language), NO_BONUS: "–"}
    return {**dict(zip(SUITS, "♠♥♦♣", strict=True)), **signs}.get(choice.code, choice.code)


def _taken(game: Game, language: str, pairs: tuple[str, ...]) -> list[SheetField]:
    points, tricks = words.POINTS.render(language), words.TRICKS.render(language)
    if game.book.sides is Sides.DECLARER_ALONE:
        taken = words.DECLARER.render(language)
        return [
            SheetField("points", points, 1.2, group=taken),
            SheetField("tricks", tricks, 1.0, group=taken),
        ]
    if game.book.sides is Sides.DEALER_ALONE:
        pairs = (words.DEALER_SIDE.render(language), words.OTHERS_SIDE.render(language))
    return [
        *(SheetField("points", side, 1.1, group=points) for side in pairs),
        *(SheetField("tricks", side, 0.9, group=tricks) for side in pairs),
    ]


def _written_down(
    game: Game, language: str, pairs: tuple[str, ...], players: tuple[str, ...]
) -> list[SheetField]:
    marks, totals = words.MARKS.render(language), words.TOTALS.render(language)
    each = pairs if game.in_pairs else players
    share = 1.3 if len(each) < 4 else 1.05
    return [
        *(SheetField("marks", side, share, group=marks) for side in each),
        *(SheetField("total", side, share, group=totals, running=True) for side in each),
    ]
