"""Names of the rounds and matches of pools and knock-outs."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from scoring.texts import Message
from scoring.texts import gettext_lazy as _
from tournament.drawing.spec import Plan

FINAL: Final = _("Final")
THIRD_PLACE: Final = _("Third place")
CONSOLATION: Final = _("Consolation")
_LAST: Final = (FINAL, _("Semi-final"), _("Quarter-final"))


def pool_letter(index: int) -> str:
    """Return the letter of a pool, the first being A; a number after Z."""
    return chr(ord("A") + index) if index < 26 else str(index + 1)


def pool_name(index: int) -> Message:
    """Return the name of a pool, the first being A."""
    return _("Pool {letter}").format(letter=pool_letter(index))


def knock_out_round(size: int, number: int) -> Message:
    """Return the name of round ``number`` of a bracket with so many places."""
    left = (size - 1).bit_length() - number
    if left < len(_LAST):
        return _LAST[max(left, 0)]
    return _("Round of {size}").format(size=2 ** (left + 1))


def first_of_bracket(plan: Plan) -> int | None:
    """Return the round of the stage in which its knock-out begins; None where it has none."""
    if "knockout_from" in plan:
        return plan["knockout_from"]
    return len(plan["rounds"]) + 1 if "pools" in plan else None


def round_name(plan: Plan, number: int) -> Message | None:
    """Return the name of round ``number`` by the stage's plan; None when it has a number only."""
    first = first_of_bracket(plan)
    if first is None:
        return None
    if number < first:
        return _("Pools, round {number}").format(number=number)
    at = number - first + 1
    main = plan.get("main", ())
    if "main" not in plan:
        rounds = max(plan.get("needed", first) - first + 1, 1)
        upper = max(plan.get("qualifiers", 2**rounds), 2)
        if at <= (upper - 1).bit_length():
            return knock_out_round(upper, at)
        return in_consolation(knock_out_round(2**rounds, at))
    if at <= (len(main) - 1).bit_length():
        return knock_out_round(len(main), at)
    return in_consolation(knock_out_round(len(plan.get("consolation", main)), at))


def in_consolation(name: Message) -> Message:
    """Name a round of the consolation."""
    return _("Consolation: {round}").format(round=name)


def match_name(
    plan: Plan,
    number: int,
    players: Collection[int],
    passed: Collection[int] | None,
) -> Message | None:
    """Return the name of the match of ``players`` in round ``number``; ``passed`` won the round before."""
    first = first_of_bracket(plan)
    if first is None:
        return None
    if number < first:
        for index, pool in enumerate(plan["pools"]):
            if set(players) <= set(pool):
                return pool_name(index)
        return None
    at = number - first + 1
    main = plan.get("main", ())
    if set(players) & set(main):
        last = (len(main) - 1).bit_length()
        if at == last > 1 and passed is not None and not set(players) & set(passed):
            return THIRD_PLACE
        return knock_out_round(len(main), at)
    return in_consolation(knock_out_round(len(plan.get("consolation", main)), at))
