"""Shared parts of the fixed movements: a whole timetable made in advance, without a history.

A timetable is a tuple of :class:`.model.Drawn`, one a round, numbered from 1. ``assemble`` seats
groups of ids and shares scorekeepers and first dealers out over the whole of it.
"""

from __future__ import annotations

from collections.abc import Sequence

from scoring.texts import Message

from .certificate import certify
from .chance import Chance
from .model import Contestant, Drawn, DrawRefused, History, Kind, Odd, Request, Table
from .seating import with_duties

#: One round of a timetable: tables as (number, kind, ids in seat order), and who sits out.
Round = tuple[Sequence[tuple[int, Kind, tuple[int, ...]]], Sequence[int]]


def refuse_number(reason: Message) -> DrawRefused:
    """Build the refusal of a movement that does not exist for this number."""
    return DrawRefused("number", reason)


def by_lot(contestants: Sequence[Contestant], seed: str, label: str) -> list[Contestant]:
    """Return the contestants in drawn order, independent of their given order."""
    return Chance(seed, label).shuffled(sorted(contestants, key=lambda c: c.id))


def assemble(
    contestants: Sequence[Contestant],
    rounds: Sequence[Round],
    seed: str,
    movement: str,
    kind: Kind,
) -> tuple[Drawn, ...]:
    """Return the timetable with duties and a certificate for each round."""
    people = {c.id: c for c in contestants}
    seated = [Table(number, how, seats) for tables, _ in rounds for number, how, seats in tables]
    chance = Chance(seed, f"{movement}|duties")
    shared = iter(with_duties(seated, History(), people, chance))
    history = History()
    out = []
    for number, (tables, byes) in enumerate(rounds, start=1):
        seatings = tuple(next(shared) for _ in tables)
        request = Request(tuple(contestants), number, seed, len(rounds), kind, Odd.BYES, history)
        certificate = certify(request, seatings, tuple(byes))
        out.append(Drawn(number, movement, seed, seatings, tuple(sorted(byes)), certificate))
        history = history.after(seatings, byes)
    return tuple(out)
