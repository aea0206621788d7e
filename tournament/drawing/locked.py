"""Tables that the director keeps, and people who cannot move, in the formats laid out beforehand.

In a bracket, pools or a timetable of pairs the matches follow from the winners or from the
movement: a locked table must be one of them (its number and sides are then preserved), and any
other is refused by name, never ignored. In a timetable of individuals a locked table stays
unchanged and the others are seated around it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from scoring.texts import gettext_lazy as _
from tournament.pairing.model import DrawRefused, Table

from .spec import Plan, Spec


def keep_matches(spec: Spec, tables: Sequence[Table]) -> list[Table]:
    """Put the locked matches in their places; :class:`DrawRefused` ``locked`` for a match not in the round."""
    out = list(tables)
    for match in spec.wishes.locked:
        same = next((k for k, t in enumerate(out) if set(t.players) == set(match.players)), None)
        if same is None:
            raise _no_such_match(match)
        out = put_at(out, same, match.number)
        out[same] = match
    return out


def put_at(tables: Sequence[Table], at: int, number: int) -> list[Table]:
    """Move the table in place ``at`` to table ``number``; the table there takes its number."""
    trade = {tables[at].number: number, number: tables[at].number}
    return [replace(t, number=trade.get(t.number, t.number)) for t in tables]


def _no_such_match(match: Table) -> DrawRefused:
    who = "–".join(map(str, match.players))
    return DrawRefused(
        "locked",
        _(
            "Table {number} ({players}) cannot be kept: this format has no such match in this round. Draw without keeping it, then change the matches by hand."
        ).format(number=match.number, players=who),
        match.players,
    )


def no_place(ids: Sequence[int]) -> DrawRefused:
    """Build the refusal of late pairs without a place in the timetable; it names when they can enter."""
    listed = ", ".join(map(str, sorted(ids)))
    return DrawRefused(
        "no_place",
        _(
            "The timetable has no place for numbers {listed}. Mark them absent: they can join when a pair "
            "withdraws, or in the next stage."
        ).format(listed=listed),
        tuple(sorted(ids)),
    )


def replaced_in_plan(plan: Plan, old: int, new: int) -> Plan:
    """Return a movement's plan with ``new`` in the place of ``old``, everywhere."""

    def trade(value: Any) -> Any:
        return (
            [trade(each) for each in value]
            if isinstance(value, list)
            else new
            if value == old
            else value
        )

    changed = plan.copy()
    for name in ("main", "consolation", "field", "pools"):
        if name in changed:
            changed[name] = trade(changed[name])
    if "rounds" in changed:
        changed["rounds"] = [
            {
                "tables": [
                    [number, kind, *trade([players, keeper, dealer])]
                    for number, kind, players, keeper, dealer in one["tables"]
                ],
                "byes": trade(one["byes"]),
            }
            for one in changed["rounds"]
        ]
    if "stand_in" in changed:
        changed["stand_in"] = {who: trade(now) for who, now in changed["stand_in"].items()}
    return changed
