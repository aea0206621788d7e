"""What an entrant needs for the cut: the gap now, and bounds that are true whatever happens.

Two bounds on what he must still gain on the first criterion of the rule: ``at_least`` (with less he
cannot get in, even if all others do as badly as they can) and ``more_than`` (with more he is in,
whatever the others do). Between them it depends on the others and on the later criteria. The bounds
take each entrant alone: they do not use that two others may meet, so they are safe, not sharp.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from scoring.engine.texts import Texts
from tournament.standings.criteria import build
from tournament.standings.errors import BadRule
from tournament.standings.model import CapOn, Number, Row, Standing


class Chance(StrEnum):
    """Where an entrant stands before the cut."""

    SAFE = "safe"
    OPEN = "open"
    OUT = "out"


@dataclass(frozen=True, slots=True)
class Need:
    """The answer.

    ``inside``: in if it were cut now, no tie left to decide. ``rival``: the best placed entrant on
    the other side of the cut (the last one in, for one who is out; the first one out, for one who
    is in); None when there is none. ``gaps``: for each criterion with numbers, (code, own value
    minus the rival's). ``at_least``: None when out; ``more_than``: None when no gain makes sure.
    """

    inside: bool
    chance: Chance
    rival: str | None
    gaps: tuple[tuple[str, Number], ...]
    games_left: int
    at_least: Number | None
    more_than: Number | None


def gain_per_game(standing: Standing, most_marks: int | None = None) -> tuple[Number, Number]:
    """The least and the most that one more game can add to the first criterion.

    ``most_marks``: the most marks a side can write in a game; needed where marks decide and no cap
    limits them. ``BadRule`` when the first criterion has no such bound.
    """
    rule = standing.rule
    code, params = rule.criteria[0].code, dict(rule.criteria[0].params)
    if code == "games_won":
        return 0, 1
    if code == "match_points" and params.get("per", "game") == "game":
        return min(rule.loss, rule.draw, rule.win), max(rule.loss, rule.draw, rule.win)
    limits = [most_marks] if most_marks else []
    if rule.cap is not None and (code == "net_marks" or rule.cap.on is CapOn.MARKS):
        limits.append(rule.cap.amount)
    if limits and code == "net_marks":
        return -min(limits), min(limits)
    if limits and code == "marks":
        return 0, min(limits)
    raise BadRule("no-bound", f"One game's part of {code} has no known bound.", criterion=code)


def need_for_cut(
    standing: Standing,
    entrant: str,
    places: int,
    games_left: Mapping[str, int],
    gain: tuple[Number, Number],
) -> Need:
    """What ``entrant`` needs to be among the first ``places``.

    ``games_left``: games each entrant still has (0 where absent). ``gain``: the least and the most
    of the first criterion in one game (:func:`gain_per_game`). Those withdrawn or without a rank
    stand in nobody's way. ``KeyError`` for an unknown entrant; ``BadRule`` for no place at all or
    a first criterion that does not grow with play.
    """
    first = build(standing.rule.criteria[0])
    if places < 1 or not first.descending or first.among_tied:
        raise BadRule("cut", "The cut needs a place and a first criterion that grows with play.")
    low, high = gain
    me = standing.row(entrant)
    field = [row for row in standing.ranked if not row.entrant.withdrawn]
    if me not in field:
        return Need(False, Chance.OUT, None, (), 0, None, None)
    left = games_left.get(entrant, 0)
    inside = _inside(field, me, places)
    rival, gaps = _rival(standing, field, me, places, inside)
    others = [row for row in field if row is not me]
    if len(others) < places:
        return Need(inside, Chance.SAFE, rival, gaps, left, low * left, low * left)
    if not any(games_left.get(row.entrant.id, 0) for row in field):
        # Nothing is left to play: the ranks decide, and a tie at the cut stays open.
        tied_in = any(row.rank == me.rank for row in field[:places])
        chance = Chance.SAFE if inside else Chance.OPEN if tied_in else Chance.OUT
        bound = None if chance is Chance.OUT else 0
        return Need(inside, chance, rival, gaps, 0, bound, None if chance is Chance.OPEN else bound)

    def nth(worth: Number) -> Number:
        ends = [_score(row) + worth * games_left.get(row.entrant.id, 0) for row in others]
        return sorted(ends, reverse=True)[places - 1]

    # The best that one of the others who must stay behind can reach, and the least he will have.
    to_beat, to_reach = nth(high) - _score(me), nth(low) - _score(me)
    at_least = max(to_reach, low * left) if to_reach <= high * left else None
    more_than = to_beat if to_beat < high * left else None
    chance = Chance.OPEN
    if to_beat < low * left:
        chance = Chance.SAFE
    elif at_least is None:
        chance = Chance.OUT
    return Need(inside, chance, rival, gaps, left, at_least, more_than)


def _score(row: Row) -> Number:
    value = row.values[0]
    return 0 if value is None or isinstance(value, tuple) else value


def _inside(field: list[Row], me: Row, places: int) -> bool:
    mine = me.rank or 0
    return sum(1 for row in field if row is not me and (row.rank or 0) <= mine) < places


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


def in_words(need: Need, standing: Standing) -> Texts:
    """The need as one sentence in the three languages."""
    if need.chance is Chance.SAFE:
        return Texts(en="Through for certain.", fr="Qualifié à coup sûr.", nl="Zeker geplaatst.")
    if need.chance is Chance.OUT:
        return Texts(
            en="The cut is out of reach.",
            fr="La qualification est hors d'atteinte.",
            nl="De kwalificatie is buiten bereik.",
        )
    first = build(standing.rule.criteria[0])

    def said(language: str, least: str, sure: str, colon: str) -> str:
        parts = []
        if need.at_least is not None and need.at_least > 0:
            parts.append(least.format(first.format(need.at_least, language)))
        if need.more_than is not None:
            parts.append(sure.format(first.format(need.more_than, language)))
        return f"{first.name.to(language)}{colon}" + "; ".join(parts) if parts else ""

    open_ = Texts(
        en="It depends on the others.",
        fr="Tout dépend des autres.",
        nl="Het hangt van de anderen af.",
    )
    return Texts(
        en=said("en", "at least {} more", "more than {} makes sure", ": ") or open_.en,
        fr=said("fr", "encore {} au moins", "plus de {} suffit", " : ") or open_.fr,
        nl=said("nl", "nog minstens {}", "meer dan {} volstaat", ": ") or open_.nl,
    )
