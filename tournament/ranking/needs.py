"""Need of an entrant for the cut: the current gap, and bounds that hold for every course of play.

Two bounds on the gain still needed on the first criterion of the rule: with less than ``at_least``
the entrant cannot get in, even if all others do as badly as they can; with more than ``more_than``
they are in, whatever the others do. Between the two the others and the later criteria decide. The
bounds take each entrant alone: they do not use that two others may meet, so they are safe, not
sharp. Where a rule has no bound (marks without a limit, a first criterion that play does not simply
raise), only the gap is given, and the words state the reason.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from math import ceil, floor

from scoring.texts import SEPARATOR, Message, join
from scoring.texts import gettext_lazy as _
from tournament.ranking.criteria import build
from tournament.ranking.errors import BadRule
from tournament.ranking.figures import format_number
from tournament.ranking.model import Number, Row, Standing
from tournament.ranking.reach import Span, in_games, score


class Chance(StrEnum):
    """Prospect of an entrant before the cut."""

    SAFE = "safe"
    OPEN = "open"
    OUT = "out"


@dataclass(frozen=True, slots=True)
class Need:
    """The answer.

    ``inside``: in if it were cut now, no tie left to decide. ``rival``: the best placed entrant on
    the other side of the cut (the last one in, for one who is out; the first one out, for one who
    is in); None when there is none. ``gaps``: for each criterion with numbers, (code, own value
    minus the rival's). ``at_least``: None when out or without bound; ``more_than``: None when no
    gain makes sure.
    """

    inside: bool
    chance: Chance
    rival: str | None
    gaps: tuple[tuple[str, Number], ...]
    games_left: int
    at_least: Number | None
    more_than: Number | None


class Needs:
    """Needs of all entrants to be among the first ``places``, computed once for a standing.

    ``spans`` holds the range of final values of each entrant
    (:func:`tournament.ranking.reach.reach`). ``sure`` is the number of places that are open to rank
    in any case, where others may go to table winners; ``places`` unless given. Entrants withdrawn
    or without a rank do not count as rivals. Raises ``BadRule`` when there is no place at all.
    """

    def __init__(
        self,
        standing: Standing,
        places: int,
        spans: Mapping[str, Span],
        *,
        sure: int | None = None,
    ) -> None:
        if places < 1:
            raise BadRule("cut", _("A cut needs at least one place."))
        self.standing, self.places, self.spans = standing, places, spans
        self.sure = places if sure is None else sure
        self.field = [row for row in standing.ranked if not row.entrant.withdrawn]
        self.grows = _grows(standing)
        ends = [spans[row.entrant.id] for row in self.field]
        self._ids = {row.entrant.id for row in self.field}
        self._ranks = sorted(row.rank or 0 for row in self.field)
        self._ranks_in = {row.rank for row in self.field[:places]}
        self._to_play = sum(1 for span in ends if span.games)
        self._worst = Ends(span.worst for span in ends)
        self._best = Ends(span.best for span in ends)

    def of(self, entrant: str) -> Need:
        """Return the need of one entrant; ``KeyError`` for an unknown entrant."""
        me = self.standing.row(entrant)
        if entrant not in self._ids:
            return Need(False, Chance.OUT, None, (), 0, None, None)
        mine = self.spans[entrant]
        # In if no more than the places are theirs or better, themselves among them.
        inside = bisect_right(self._ranks, me.rank or 0) <= self.places
        rival, gaps = _rival(self.standing, self.field, me, self.places, inside)
        if len(self.field) <= self.sure:
            return Need(inside, Chance.SAFE, rival, gaps, mine.games, None, None)
        if not self._to_play:
            # Nothing is left to play: the ranks decide, and a tie at the cut stays open.
            tied_in = me.rank in self._ranks_in
            chance = Chance.SAFE if inside else Chance.OPEN if tied_in else Chance.OUT
            return Need(inside, chance, rival, gaps, 0, None, None)
        if not self.grows:
            return Need(inside, Chance.OPEN, rival, gaps, mine.games, None, None)
        to_reach = self._worst.nth_without(mine.worst, self.places)
        to_beat = self._best.nth_without(mine.best, self.sure, missing_first=True)
        chance = Chance.OPEN
        if to_beat is not None and mine.worst is not None and to_beat < mine.worst:
            chance = Chance.SAFE
        elif to_reach is not None and mine.best is not None and to_reach > mine.best:
            chance = Chance.OUT
        at_least, more_than = _to_gain(self.standing, me, mine, to_reach, to_beat)
        if chance is Chance.OUT:
            at_least = None
        return Need(inside, chance, rival, gaps, mine.games, at_least, more_than)


class Ends:
    """Possible final values of all entrants, the best first; None (no bound) counts as the lowest
    or the highest.
    """

    def __init__(self, ends: Iterable[Number | None]) -> None:
        every = list(ends)
        self.known = sorted((end for end in every if end is not None), reverse=True)
        self.missing = len(every) - len(self.known)

    def nth_without(
        self, mine: Number | None, place: int, *, missing_first: bool = False
    ) -> Number | None:
        """Return the ``place``-th best of all ends except ``mine``, which is one of them."""
        if missing_first:
            place -= self.missing - (mine is None)
        if place < 1:
            return None
        if mine is not None and place <= len(self.known) and mine >= self.known[place - 1]:
            place += 1  # their own stands among those before it
        return self.known[place - 1] if place <= len(self.known) else None


def _grows(standing: Standing) -> bool:
    first = build(standing.rule.criteria[0])
    return first.descending and not first.among_tied


def _to_gain(
    standing: Standing, me: Row, mine: Span, to_reach: Number | None, to_beat: Number | None
) -> tuple[Number | None, Number | None]:
    """Convert the bounds to the gain still needed: in the first criterion, or in games won."""

    def gain(end: Number) -> Number:
        if in_games(standing):
            return Fraction(end) * (me.games + mine.games) - Fraction(score(me)) * me.games
        return end - score(me)

    at_least = more_than = None
    if to_reach is not None:
        at_least = gain(to_reach if mine.worst is None else max(to_reach, mine.worst))
    if to_beat is not None and (mine.best is None or to_beat < mine.best):
        more_than = gain(to_beat)
    if in_games(standing):
        at_least = at_least if at_least is None else ceil(at_least)
        more_than = more_than if more_than is None else floor(more_than)
    return at_least, more_than


def _rival(
    standing: Standing, field: list[Row], me: Row, places: int, inside: bool
) -> tuple[str | None, tuple[tuple[str, Number], ...]]:
    index = places if inside else places - 1
    if index >= len(field):
        return None, ()
    rival = field[index]
    if rival is me:  # level with the last one in, and listed there
        rival = field[places] if places < len(field) else field[places - 2]
    gaps: list[tuple[str, Number]] = []
    for code, mine, theirs in zip(standing.codes, me.values, rival.values, strict=True):
        if mine is None or theirs is None or isinstance(mine, tuple) or isinstance(theirs, tuple):
            continue
        gaps.append((code, mine - theirs))
    return rival.entrant.id, tuple(gaps)


def in_words(need: Need, standing: Standing) -> Message:
    """Describe the need in the three languages: bounds where there are any, the gap now, or why no bound."""
    if need.chance is Chance.SAFE:
        return _("Certain to qualify.")
    if need.chance is Chance.OUT:
        return _("Can no longer qualify.")
    parts = [_bounds(need, standing), _gap(need, standing)]
    if need.at_least is None and need.more_than is None and need.games_left:
        parts.append(_NO_BOUND if _grows(standing) else _NOT_BY_PLAY)
    sentences = [part for part in parts if part is not None] or [_DEPENDS]
    return join(" ", sentences)


_DEPENDS = _("It depends on the others.")
_NO_BOUND = _("Nothing more is certain: what a game may bring has no limit under this rule.")
_NOT_BY_PLAY = _("Nothing more is certain: this ranking does not simply grow with each game won.")
_GAMES = _("Games won")
_AHEAD = _("{gap} ahead of the first place that does not qualify ({by}).")
_BEHIND = _("{gap} behind the last qualifying place ({by}).")
_LEVEL = _("Tied at the cut.")


def _bounds(need: Need, standing: Standing) -> Message | None:
    first = build(standing.rule.criteria[0])
    games = in_games(standing)
    name = _GAMES if games else first.name

    def number(value: Number) -> Callable[[str], str]:
        return lambda language: (
            format_number(value, language) if games else first.format(value, language)
        )

    bounds = []
    if need.at_least is not None and need.at_least > 0:
        bounds.append(_("at least {number} more needed").format(number=number(need.at_least)))
    if need.more_than is not None:
        bounds.append(
            _("more than {number} is enough for certain").format(number=number(need.more_than))
        )
    if not bounds:
        return None
    parts = [text for bound in bounds for text in (SEPARATOR, bound)][1:]
    return _("{criterion}: {bounds}.").format(criterion=name, bounds=join("", parts))


def _gap(need: Need, standing: Standing) -> Message | None:
    """Describe the gap to the rival across the cut, on the first criterion that separates them."""
    if need.rival is None:
        return None
    first = next(((code, gap) for code, gap in need.gaps if gap), None)
    if first is None:
        return _LEVEL if need.gaps else None
    code, gap = first
    criterion = build(standing.rule.criteria[standing.codes.index(code)])
    ahead = (gap > 0) is criterion.descending
    words = _AHEAD if ahead else _BEHIND
    size = gap if gap > 0 else -gap

    return words.format(
        gap=lambda language: criterion.format(size, language).lstrip("+"), by=criterion.name
    )
