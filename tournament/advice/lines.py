"""One line for each format: its length, the winner's chance, the byes, the uncounted rounds.

All formats take the same number of deals in all, so far as their rounds allow: one with more rounds has shorter ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from scoring.texts import Message, ngettext_lazy
from scoring.texts import gettext_lazy as _
from tournament.drawing.formats import FORMATS
from tournament.pairing.byes import table_sizes
from tournament.pairing.filling import NOTHING_COUNTS, nothing_counts
from tournament.pairing.knockout import draw_knockout
from tournament.pairing.mitchell import longest_mitchell
from tournament.pairing.model import Contestant, DrawRefused, Kind, Odd
from tournament.pairing.pools import main_and_consolation
from tournament.pairing.whist import longest_movement
from tournament.pairing.whist_plans import nearest_whist

from . import laying
from .laying import CODE, LaidRound, longest_wait
from .playing import Events, FloatArray, play_bracket, play_by_score, play_swiss

LEAST: Final = 4
MOST: Final = 600
"""The fewest and the most entrants that an answer is given for."""
GAMES_PLAYED: Final = 500_000
"""Entrants, times rounds, times events that are played for one format."""
EVENTS_MOST: Final = 2500
EVENTS_LEAST: Final = 200


@dataclass(frozen=True, slots=True)
class Question:
    """Plan to compare: entrants, rounds, deals and minutes of a round, and the kind of game.

    ``kind``: ``MATCH`` for pairs; ``SOLO`` where each plays for themselves, at tables of ``size``,
    with ``exactly`` of no other size. ``by_wins``: games won come before net marks.
    """

    entrants: int
    rounds: int
    deals: int
    minutes: int = 0
    kind: Kind = Kind.ROTATION
    size: int = 4
    exactly: bool = False
    by_wins: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """Result of the comparison for one format.

    ``format`` and ``variant`` name it. ``least`` and ``most``: counting deals that an entrant
    plays. ``first`` and ``three``: the chance of the strongest to win, and to be among the first
    three. ``wait``: the longest rest, in rounds. ``uncounted``: the number of entrants in a round
    that does not count. ``refused``: the reason why it cannot be played; the figures are then 0.
    """

    format: str
    variant: Message | None
    rounds: int = 0
    deals: int = 0
    minutes: int = 0
    least: int = 0
    most: int = 0
    first: float = 0.0
    three: float = 0.0
    wait: int = 0
    uncounted: int = 0
    refused: Message | None = None

    @property
    def label(self) -> Message:
        """The format's name."""
        return FORMATS[self.format].label


class Impossible(Exception):
    """A format cannot be played as planned; ``reason`` is for people."""

    def __init__(self, reason: Message) -> None:
        super().__init__(reason.render("en"))
        self.reason = reason


def advise(question: Question) -> tuple[Line, ...]:
    """Return a line for each format that the game allows; the same question has the same answer.

    Raises:
        ValueError: a number is out of bounds.
    """
    if not LEAST <= question.entrants <= MOST or min(question.rounds, question.deals) < 1:
        raise ValueError(f"no advice for {question}")
    lines = []
    for key, variant, play in _ways(question):
        try:
            lines.append(replace(play(question), format=key, variant=variant))
        except (Impossible, DrawRefused) as refusal:
            lines.append(Line(key, variant, refused=refusal.reason))
    return tuple(lines)


Way = tuple[str, Message | None, Callable[[Question], Line]]


def _ways(question: Question) -> list[Way]:
    """Return the formats to compare, in the order of pages."""
    if question.kind is Kind.MATCH:
        return [
            ("pairs_swiss", None, _swiss),
            ("pairs_mitchell", None, _mitchell),
            ("round_robin", None, _round_robin),
            ("pools_ko", None, _pools),
            ("ko", None, _knock_out),
            ("random", None, _by_lot),
        ]
    if question.kind is Kind.SOLO:
        return [("individual_draw", None, _alone), ("random", None, _alone_by_lot)]
    threes: list[Way] = (
        [("individual_draw", _("tables of three instead of byes"), _threes)]
        if question.entrants % 4
        else []
    )
    return [
        ("individual_draw", None, _championship),
        *threes,
        ("individual_draw", _("similar scores together"), _by_score),
        ("individual_draw", _("with a semi-final and a final"), _with_final),
        ("individual_movement", _("Rainbow"), _rainbow),
        ("individual_movement", _("Whist movement"), _whist),
        ("random", None, _by_lot),
    ]


def _events(question: Question, rounds: int, kind: Kind | None = None) -> Events:
    n = question.entrants
    count = max(EVENTS_LEAST, min(EVENTS_MOST, GAMES_PLAYED // (n * rounds)))
    return Events(count, n, kind or question.kind, by_wins=question.by_wins)


def _length(question: Question, rounds: int) -> Line:
    """Return a line of so many rounds, with deals and minutes shared out over them;
    :class:`Impossible` below a deal.
    """
    deals = question.rounds * question.deals // rounds
    if deals < 1:
        raise Impossible(
            ngettext_lazy(
                "It takes {rounds} round: there are not enough deals for it.",
                "It takes {rounds} rounds: there are not enough deals for them.",
                "rounds",
            ).format(rounds=rounds)
        )
    minutes = round(question.minutes * deals / question.deals)
    return Line("", None, rounds=rounds, deals=deals, minutes=minutes)


def _laid_out(question: Question, laid: Sequence[LaidRound], kind: Kind | None = None) -> Line:
    """Return the line of rounds that are laid out, ranked by all of them."""
    line = _length(question, len(laid))
    events = _events(question, len(laid), kind)
    for round_ in laid:
        events.play_laid(round_, line.deals)
    return _counted(line, laid, question.entrants, events.strongest_wins(events.points()))


def _counted(line: Line, laid: Sequence[LaidRound], n: int, shares: tuple[float, float]) -> Line:
    """Complete the line with the countable figures of its rounds."""
    played = Counter(
        place for round_ in laid for tables in round_.tables for place in tables.ravel().tolist()
    )
    games = [played[place] for place in range(n)]
    return replace(
        line,
        least=min(games) * line.deals,
        most=max(games) * line.deals,
        first=shares[0],
        three=shares[1],
        wait=longest_wait(laid),
        uncounted=max(len(round_.idle) for round_ in laid),
    )


def _championship(question: Question, odd: Odd = Odd.BYES) -> Line:
    n = question.entrants
    return _laid_out(question, laying.championship(n, question.rounds, question.kind, odd))


def _threes(question: Question) -> Line:
    if nothing_counts(question.entrants, Odd.THREES):
        raise Impossible(NOTHING_COUNTS.format(count=question.entrants))
    return _championship(question, Odd.THREES)


def _by_score(question: Question) -> Line:
    n = question.entrants
    laid = laying.by_tables(n, question.rounds, [4] * (n // 4), spread=False)
    line, events = _length(question, question.rounds), _events(question, question.rounds)
    play_by_score(events, laid, line.deals)
    return _counted(line, laid, n, events.strongest_wins(events.points()))


def _with_final(question: Question) -> Line:
    """Play rounds for all, a semi-final of half of them and a final of its table winners, each from zero."""
    n, rounds = question.entrants, question.rounds
    fields = [field for field in (n // 2 // 4 * 4,) if field >= 8]
    winners = (fields[0] if fields else n) // 4
    fields.append(max(4, -(-winners // 4) * 4) if fields else 4)
    before = rounds - len(fields)
    if before < 1 or n < 8:
        raise Impossible(_("It takes at least eight players and a round for each stage."))
    laid = laying.championship(n, before, question.kind, Odd.BYES)
    line, events = _length(question, rounds), _events(question, rounds)
    for round_ in laid:
        events.play_laid(round_, line.deals)
    points = events.points()
    for at, field in enumerate(fields):
        best = np.argsort(-points, axis=1)[:, :field]
        seated = events.lots.permuted(best, axis=1)
        events.forget()
        events.play(seated, 4, line.deals)
        points = _ranked_here(events, seated, at + 1 < len(fields))
    counted = _counted(line, laid, n, events.strongest_wins(points))
    return replace(counted, most=counted.most + len(fields) * line.deals)


def _ranked_here(events: Events, seated: laying.IntArray, with_winners: bool) -> FloatArray:
    """Return the points of this stage alone; winners of a table come first where they qualify."""
    points = events.points()
    if with_winners:
        here = np.take_along_axis(points, seated, 1).reshape(len(points), -1, 4)
        first = np.take_along_axis(seated.reshape(here.shape), here.argmax(2)[..., None], 2)
        ahead = np.take_along_axis(points, first[..., 0], 1) + 1e6
        np.put_along_axis(points, first[..., 0], ahead, 1)
    return points


def _by_lot(question: Question) -> Line:
    n, kind = question.entrants, question.kind
    if kind is Kind.MATCH:
        sizes = [2] * (n // 2)
    else:
        sizes = [4] * table_sizes(n, Odd.BYES)[0]
    return _laid_out(question, laying.by_tables(n, question.rounds, sizes, spread=False))


def _alone(question: Question, *, spread: bool = True) -> Line:
    laid = laying.alone(
        question.entrants,
        question.rounds,
        question.size,
        exactly=question.exactly,
        spread=spread,
    )
    return _laid_out(question, laid)


def _alone_by_lot(question: Question) -> Line:
    return _alone(question, spread=False)


def _require_long(question: Question, longest: int, otherwise: Message | None = None) -> None:
    if longest < 1 and otherwise is not None:
        raise Impossible(otherwise)
    if question.rounds > longest:
        raise Impossible(
            ngettext_lazy(
                "With so many it lasts {most} round at most.",
                "With so many it lasts {most} rounds at most.",
                "most",
            ).format(most=longest)
        )


def _rainbow(question: Question) -> Line:
    n = question.entrants
    _require_long(question, longest_movement("rainbow", n))
    return _laid_out(question, laying.rainbow(n, question.rounds), Kind.PARTNERS)


def _whist(question: Question) -> Line:
    n = question.entrants
    near = ", ".join(map(str, nearest_whist(n)))
    none = _("There is none for so many; the nearest numbers are {numbers}.").format(numbers=near)
    _require_long(question, longest_movement("whist", n), none)
    return _laid_out(question, laying.whist(n, question.rounds), Kind.PARTNERS)


def _mitchell(question: Question) -> Line:
    n = question.entrants
    _require_long(question, longest_mitchell(n))
    return _laid_out(question, laying.mitchell(n, question.rounds))


def _round_robin(question: Question) -> Line:
    n = question.entrants
    _length(question, n - 1 + n % 2)  # before the timetable of a large field is made
    return _laid_out(question, laying.round_robin(range(n)))


def _swiss(question: Question) -> Line:
    n, rounds = question.entrants, question.rounds
    line, events = _length(question, rounds), _events(question, 2 * rounds)
    play_swiss(events, rounds, line.deals)
    first, three = events.strongest_wins(events.points())
    rests = n % 2
    # In turn: no entrant rests twice before all have rested once.
    return replace(
        line,
        least=(rounds - rests * -(-rounds // n)) * line.deals,
        most=(rounds - rests * (rounds // n)) * line.deals,
        first=first,
        three=three,
        wait=rests,
    )


def _knock_out(question: Question) -> Line:
    n = question.entrants
    bracket = draw_knockout([Contestant(place) for place in range(n)], CODE)
    line = _length(question, bracket.rounds)
    events = _events(question, bracket.rounds)
    places = events.everybody([-1 if p is None else p for p in bracket.places])
    first, three = events.strongest_wins(play_bracket(events, places, line.deals))
    return replace(
        line,
        least=line.deals,
        most=line.rounds * line.deals,
        first=first,
        three=three,
        wait=int(bool(bracket.byes())),
    )


def _pools(question: Question) -> Line:
    """Play pools of four; the first two of each go to the main draw, the others to a consolation."""
    n = question.entrants
    members, laid = laying.pools(n, 4)
    slots = [[Contestant(place) for place in pool] for pool in members]
    main, consolation = main_and_consolation(slots, CODE)
    if main is None:
        raise Impossible(_("It takes more pools."))
    line = _length(question, len(laid) + max(main.rounds, consolation.rounds if consolation else 0))
    events = _events(question, line.rounds)
    for round_ in laid:
        events.play_laid(round_, line.deals)
    points = events.points()
    # A slot is a place in its pool; its entrant differs from event to event.
    standing = np.concatenate(
        [
            np.take_along_axis(events.everybody(pool), np.argsort(-points[:, pool], axis=1), 1)
            for pool in members
        ],
        axis=1,
    )
    standing = np.pad(standing, ((0, 0), (0, 1)), constant_values=-1)
    bracket = standing[:, [-1 if p is None else p for p in main.places]]
    first, three = events.strongest_wins(play_bracket(events, bracket, line.deals))
    counted = _counted(line, laid, n, (first, three))
    pool_games = [len(pool) - 1 for pool in members]
    return replace(
        counted,
        least=(min(pool_games) + (consolation is not None)) * line.deals,
        most=(max(pool_games) + main.rounds) * line.deals,
        wait=max(counted.wait, int(bool(main.byes()))),
    )
