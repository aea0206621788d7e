"""Sitting out in turn where a timetable has more players than places.

No player sits out a second time before all have once (rules specification D.2, "Byes"): a player
left over who has sat out more often than a seated one takes that seat for this round.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from tournament.pairing.chance import Chance
from tournament.pairing.costs import apart, banned
from tournament.pairing.model import Table, pair

from .spec import Spec


def in_turn(
    spec: Spec,
    tables: Sequence[Table],
    waiting: Sequence[int],
    later: Collection[int],
    *,
    keep_first: bool,
) -> tuple[list[Table], list[int]]:
    """Seat the players of ``waiting`` in turn; return the tables and the players who sit out instead.

    The newcomer takes the seat with the fewest repeated meetings, then the fewest players of their club,
    then by lot. Players with a bye ``later`` in the timetable give up a seat only as a last resort. Players
    with a fixed table or seat never do, nor with ``keep_first`` the first of every table (North). A ban is
    never broken.
    """
    request = spec.request()
    people = {who.id: who for who in spec.contestants}
    had, met = request.history.byes, request.history.meetings
    chance = Chance(spec.seed, f"round {spec.round_no}|turns")
    now = list(tables)
    out: list[int] = []
    for who in sorted(waiting, key=lambda p: (-had.get(p, 0), p)):
        options: list[tuple[bool, int, int, int, int]] = []
        for at, table in enumerate(now):
            for place, sits in enumerate(table.players):
                person = people[sits]
                if had.get(sits, 0) >= had.get(who, 0) or (keep_first and place == 0):
                    continue
                if person.fixed_table or person.fixed_seat:
                    continue
                beside = [people[p] for p in table.players if p != sits]
                if any(banned(people[who], other, request) for other in beside):
                    continue
                again = sum(met.get(pair(who, other.id), 0) for other in beside)
                clash = sum(apart(people[who], other, request) for other in beside)
                options.append((sits in later, again, clash, at, place))
        if not options:
            out.append(who)
            continue
        least = min(options)[:3]
        equal = [option for option in options if option[:3] == least]
        *_, at, place = equal[chance.below(len(equal))]
        players = list(now[at].players)
        out.append(players[place])
        players[place] = who
        now[at] = replace(now[at], players=tuple(players))
    return now, out
