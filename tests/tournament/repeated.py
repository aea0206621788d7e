"""Stages drawn through the pure rooms with random fields, and their rows as an archive holds them."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from tournament.drawing import formats
from tournament.drawing.rules import read_rules
from tournament.drawing.spec import Before, DrawnRound, Plan, Results, Spec, spec_as_json
from tournament.pairing.model import Contestant, DrawRefused, Kind, Wishes, pair

Json = dict[str, Any]


@dataclass(frozen=True)
class Way:
    """A format with its kind of game, the bounds of its field, and its options."""

    format: str
    kind: Kind
    field: tuple[int, int]
    options: Json

    def __str__(self) -> str:
        return f"{self.format} {self.kind} {self.options}"


WAYS: tuple[Way, ...] = (
    Way("random", Kind.MATCH, (4, 24), {"unit": "pair"}),
    Way("random", Kind.ROTATION, (8, 40), {}),
    Way("random", Kind.PARTNERS, (10, 30), {"odd": "threes"}),
    Way("pools_ko", Kind.MATCH, (6, 24), {"pool_size": 3}),
    Way("pools_ko", Kind.MATCH, (8, 30), {"main": 1, "best_next": 2, "seeds": 2}),
    Way("pools_ko", Kind.MATCH, (8, 30), {"third_place": True, "consolation": False}),
    Way("ko", Kind.MATCH, (3, 40), {}),
    Way("ko", Kind.MATCH, (4, 40), {"seeds": 4, "third_place": True}),
    Way("round_robin", Kind.MATCH, (3, 12), {"twice": True}),
    Way("round_robin", Kind.MATCH, (3, 14), {}),
    Way("pairs_mitchell", Kind.MATCH, (8, 24), {}),
    Way("individual_movement", Kind.PARTNERS, (20, 23), {}),
    Way("individual_movement", Kind.ROTATION, (28, 31), {}),
    Way("individual_movement", Kind.PARTNERS, (16, 19), {}),
    Way("individual_movement", Kind.PARTNERS, (24, 27), {}),
    Way("individual_movement", Kind.ROTATION, (32, 63), {}),
    Way("individual_movement", Kind.PARTNERS, (12, 13), {"movement": "whist"}),
    Way("individual_movement", Kind.ROTATION, (16, 65), {"movement": "whist"}),
    Way("individual_draw", Kind.ROTATION, (5, 60), {}),
    Way("individual_draw", Kind.PARTNERS, (5, 60), {}),
    Way("individual_draw", Kind.PARTNERS, (120, 160), {}),
    Way("individual_draw", Kind.ROTATION, (8, 16), {"odd": "threes"}),
    Way("individual_draw", Kind.PARTNERS, (8, 16), {"by_score": True}),
    Way("individual_draw", Kind.SOLO, (6, 30), {"table_size": 5}),
    Way("pairs_swiss", Kind.MATCH, (4, 30), {}),
    Way("pairs_swiss", Kind.MATCH, (5, 31), {"order": "neighbours", "bye_for": "middle"}),
)


def rows_of(spec: Spec, outcome: DrawnRound) -> tuple[Json, Json]:
    """Return the rows of the field and the row of the draw, as in an archive."""
    drawn = outcome.drawn
    numbers = {str(number): {"number": number} for number in range(1, 1000)}
    draw = {
        "request": spec_as_json(spec),
        "seed": drawn.seed,
        "movement": drawn.movement,
        "tables": [{"number": t.number, "players": list(t.players)} for t in drawn.tables],
        "byes": list(drawn.byes),
        "held": list(drawn.held),
        "certificate": {"slots": list(drawn.slots)},
        "plan": outcome.plan,
        "edits": [],
    }
    stored: Json = json.loads(json.dumps(draw))
    return {"tournament.Entrant": numbers}, stored


def stage(lot: random.Random, way: Way) -> Iterator[tuple[Json, Json]]:
    """Draw and play a stage of random size, with clubs, families, bans, people who leave and come."""
    key, kind, options = way.format, way.kind, way.options
    count = lot.randint(*way.field)
    clubs = lot.choice([0, 0, 3])
    field = tuple(
        Contestant(
            number,
            club=f"club {lot.randrange(clubs)}" if clubs else "",
            family=lot.choice(["", "", "", "a"]) if clubs else "",
            rating=lot.choice([0, lot.randrange(5)]),
        )
        for number in lot.sample(range(1, 2 * count), count)
    )
    ids = [who.id for who in field]
    bans = frozenset(pair(*lot.sample(ids, 2)) for _ in range(lot.choice([0, 0, 1, 2])))
    wishes = Wishes(
        bans=bans,
        clubs_apart_until=lot.choice([0, 2]),
        families_apart_until=lot.choice([0, 60]),
        bye_first=frozenset(lot.sample(ids, 1)) if lot.random() < 0.3 else frozenset(),
    )
    planned = {"individual_movement": 3, "pairs_mitchell": 3}.get(key, 4)
    spec = Spec(
        format=key,
        rules=read_rules(options),
        kind=kind,
        contestants=field,
        round_no=1,
        rounds=planned,
        seed=f"code {lot.random()}",
        wishes=wishes,
        players=(3, 4, 5, 6, 7) if kind is Kind.SOLO else (4,),
        size=options.get("table_size", 4),
    )
    for _number in range(planned):
        try:
            outcome = formats.draw(spec)
        except DrawRefused:
            return
        yield rows_of(spec, outcome)
        spec = _after(lot, spec, outcome)


def _after(lot: random.Random, spec: Spec, outcome: DrawnRound) -> Spec:
    """Return the request of the next round, with random results."""
    drawn = outcome.drawn
    won = frozenset(lot.choice(table.players) for table in drawn.tables) | set(drawn.byes)
    scores = {who.id: who.score for who in spec.contestants}
    for table in drawn.tables:
        for who in table.players:
            scores[who] += lot.randrange(2)
    field = [
        replace(who, score=scores[who.id], rank=0, floated=lot.choice([0, 0, 1, -1]))
        for who in spec.contestants
        if who.id in spec.wishes.held or lot.random() > 0.03
    ]
    if spec.kind is not Kind.MATCH and lot.random() < 0.2:
        field.append(Contestant(2 * len(field) + 50 + spec.round_no))
    plan: Plan = outcome.plan
    pools = tuple(tuple(lot.sample(pool, len(pool))) for pool in plan.get("pools", []))
    results = Results({**spec.results.won, spec.round_no: frozenset(won)}, pools)
    return replace(
        spec,
        contestants=tuple(field),
        round_no=spec.round_no + 1,
        before=(*spec.before, Before(drawn.tables, drawn.byes)),
        slots=drawn.slots,
        plan=json.loads(json.dumps(plan)),
        results=results,
    )
