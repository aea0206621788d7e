"""Everything that one draw depends on, as a frozen value and as plain JSON.

Contestants are start numbers: stable, public, and the same wherever an archive of the event is
restored. The JSON is stored with a draw; reading it gives an equal value, hence the same draw.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypedDict

from tournament.pairing.filling import filling_players
from tournament.pairing.model import (
    VERSION,
    Contestant,
    Drawn,
    History,
    Kind,
    Request,
    Table,
    Wishes,
    pair,
)

from .rules import DrawRules, read_rules


class RoundJson(TypedDict):
    """A round of a timetable: its tables in rows, as ``short_table`` writes them, and its byes."""

    tables: list[list[Any]]
    byes: list[int]


class Plan(TypedDict, total=False):
    """State that a movement passes to the stage's next round, in plain JSON values."""

    field: list[int]
    needed: int
    rounds: list[RoundJson]
    stand_in: dict[str, int]
    guest: int
    pools: list[list[int]]
    qualifiers: int
    knockout_from: int
    main: list[int | None]
    consolation: list[int | None]


class WishesJson(TypedDict):
    """Requests for a draw: players to separate, tables still playing, byes asked for; people are
    start numbers.
    """

    bans: list[list[int]]
    clubs_apart_until: int
    families_apart_until: int
    locked: list[list[object]]
    held: list[int]
    bye_first: list[int]


class ResultsJson(TypedDict):
    """Results of matches, by round of the stage, and each pool in order."""

    won: dict[str, list[int]]
    pools: list[list[int]]


class SpecJson(TypedDict):
    """The stored request of a draw: everything needed to repeat it."""

    format: str
    rules: dict[str, object]
    kind: str
    contestants: list[dict[str, object]]
    round: int
    rounds: int
    seed: str
    before: list[RoundJson]
    wishes: WishesJson
    slots: list[int]
    plan: Plan
    results: ResultsJson
    players: list[int]
    size: int
    version: int


@dataclass(frozen=True, slots=True)
class Before:
    """One earlier round of the event: its tables, and who sat out."""

    tables: tuple[Table, ...]
    byes: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Results:
    """Results of matches, for the formats that need them.

    ``won`` maps a round of the stage to the numbers that won their match. ``pools`` holds each
    pool's members, best first, once the pools are played.
    """

    won: Mapping[int, frozenset[int]] = field(default_factory=dict)
    pools: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Spec:
    """One draw to be made. ``format`` is a key of :data:`.formats.FORMATS`.

    ``players``: the permitted numbers of players in the rulebook; ``size`` the number wanted at a
    table where each plays for themselves. ``plan`` is the state from the stage's previous draw.
    ``version`` is that of the algorithm: a stored spec without one was drawn by the first.
    """

    format: str
    rules: DrawRules
    kind: Kind
    contestants: tuple[Contestant, ...]
    round_no: int
    rounds: int
    seed: str
    before: tuple[Before, ...] = ()
    wishes: Wishes = field(default_factory=Wishes)
    slots: tuple[int, ...] = ()
    plan: Plan = field(default_factory=Plan)
    results: Results = field(default_factory=Results)
    players: tuple[int, ...] = (4,)
    size: int = 4
    version: int = VERSION

    def request(self) -> Request:
        """Return the request for the movements of the pairing room."""
        history = History()
        for earlier in self.before:
            filling = filling_players(self.kind, earlier.tables)
            history = history.after(earlier.tables, (*earlier.byes, *filling))
        return Request(
            contestants=self.contestants,
            round_no=self.round_no,
            seed=self.seed,
            rounds=self.rounds,
            kind=self.kind,
            odd=self.rules.fill,
            history=history,
            wishes=self.wishes,
            slots=self.slots,
            by_score=self.rules.by_score,
            version=self.version,
        )


@dataclass(frozen=True, slots=True)
class DrawnRound:
    """A draw, and what the stage's next round needs of it."""

    drawn: Drawn
    plan: Plan = field(default_factory=Plan)


_DEFAULT = Contestant(0)
_FIELDS = (
    "club",
    "family",
    "score",
    "rank",
    "rating",
    "fixed_table",
    "fixed_seat",
    "scorekeeper",
    "floated",
)


def _contestant_json(who: Contestant) -> dict[str, object]:
    more = {
        key: getattr(who, key) for key in _FIELDS if getattr(who, key) != getattr(_DEFAULT, key)
    }
    return {"id": who.id, **more}


def short_table(table: Table) -> list[object]:
    """Write a table as a row: number, kind, players in order of seat, scorekeeper, dealer."""
    return [
        table.number,
        table.kind.value,
        list(table.players),
        table.scorekeeper,
        table.dealer,
    ]


def long_table(row: list[Any]) -> Table:
    """Read a table of :func:`short_table`."""
    number, kind, players, keeper, dealer = row
    return Table(int(number), Kind(kind), tuple(int(player) for player in players), keeper, dealer)


def spec_as_json(spec: Spec) -> SpecJson:
    """Return the spec in plain values."""
    wishes = spec.wishes
    return {
        "format": spec.format,
        "rules": spec.rules.as_json(),
        "kind": spec.kind.value,
        "contestants": [_contestant_json(who) for who in spec.contestants],
        "round": spec.round_no,
        "rounds": spec.rounds,
        "seed": spec.seed,
        "before": [
            {"tables": [short_table(t) for t in earlier.tables], "byes": list(earlier.byes)}
            for earlier in spec.before
        ],
        "wishes": {
            "bans": sorted(map(list, wishes.bans)),
            "clubs_apart_until": wishes.clubs_apart_until,
            "families_apart_until": wishes.families_apart_until,
            "locked": [short_table(t) for t in wishes.locked],
            "held": sorted(wishes.held),
            "bye_first": sorted(wishes.bye_first),
        },
        "slots": list(spec.slots),
        "plan": spec.plan,
        "results": {
            "won": {str(number): sorted(ids) for number, ids in spec.results.won.items()},
            "pools": [list(pool) for pool in spec.results.pools],
        },
        "players": list(spec.players),
        "size": spec.size,
        "version": spec.version,
    }


def spec_from_json(stored: Mapping[str, Any]) -> Spec:
    """Read a spec of :func:`spec_as_json`; KeyError or ValueError for anything else."""
    wishes, results = stored["wishes"], stored["results"]
    return Spec(
        format=stored["format"],
        rules=read_rules(stored["rules"]),
        kind=Kind(stored["kind"]),
        contestants=tuple(Contestant(**who) for who in stored["contestants"]),
        round_no=stored["round"],
        rounds=stored["rounds"],
        seed=stored["seed"],
        before=tuple(
            Before(tuple(long_table(row) for row in earlier["tables"]), tuple(earlier["byes"]))
            for earlier in stored["before"]
        ),
        wishes=Wishes(
            bans=frozenset(pair(*ban) for ban in wishes["bans"]),
            clubs_apart_until=wishes["clubs_apart_until"],
            families_apart_until=wishes["families_apart_until"],
            locked=tuple(long_table(row) for row in wishes["locked"]),
            held=frozenset(wishes["held"]),
            bye_first=frozenset(wishes["bye_first"]),
        ),
        slots=tuple(stored["slots"]),
        plan=stored["plan"].copy(),
        results=Results(
            {int(number): frozenset(ids) for number, ids in results["won"].items()},
            tuple(tuple(pool) for pool in results["pools"]),
        ),
        players=tuple(stored["players"]),
        size=stored["size"],
        version=stored.get("version", 1),
    )
