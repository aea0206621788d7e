"""A gallery of small events, one of each kind: played to their end, or left in the middle."""

from __future__ import annotations

import io
import random
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Final

from ledger.actors import Actor
from tournament.demo import story
from tournament.demo.simulation import advance
from tournament.models import Event
from tournament.services.entrants import check_in_all
from tournament.services.events import create_event, new_stage
from tournament.services.imports import import_players


@dataclass(frozen=True, slots=True)
class Piece:
    """A small event: its name, field, format and game; ``played`` rounds at most (0: all)."""

    slug: str
    name: str
    entrants: int
    format: str
    rulebook: str
    rounds: int = 3
    pairs: bool = False
    played: int = 0
    options: dict[str, Any] = field(default_factory=dict)
    stage: dict[str, Any] = field(default_factory=dict)


GALLERY: Final = (
    Piece("clubavond", "Clubavond", 12, "individual_draw", "belgian", played=2),
    Piece(
        "whist",
        "Whistschema",
        13,
        "individual_movement",
        "muette",
        4,
        stage={"drawing": {"movement": "whist"}},
    ),
    Piece("swiss", "Suisse par paires", 9, "pairs_swiss", "coinchee", 3, pairs=True),
    Piece("mitchell", "Mitchell", 10, "pairs_mitchell", "parlee", 4, pairs=True),
    Piece(
        "round-robin",
        "Chacun contre chacun",
        5,
        "round_robin",
        "boussac",
        pairs=True,
        stage={"target": {"games": 2, "of": 34}, "deals_per_game": None},
    ),
    Piece(
        "pools",
        "Poules en knock-out",
        9,
        "pools_ko",
        "belgian",
        pairs=True,
        stage={"drawing": {"pool_size": 3, "third_place": True}},
    ),
    Piece(
        "knock-out",
        "Coupe chaloupée",
        6,
        "ko",
        "chaloupee",
        pairs=True,
        stage={"drawing": {"third_place": True}},
    ),
    Piece(
        "enchere",
        "Manille aux enchères",
        9,
        "random",
        "auction-1",
        options={"stakes": [50, 40, 30, 20, 10]},
        stage={"ranking": "auction_per_deal"},
    ),
    Piece(
        "drie",
        "Manillen met drie",
        9,
        "individual_draw",
        "three-player",
        stage={"ranking": "table_places"},
    ),
)
"""The pieces; every format and kind of game is among them."""


def build(piece: Piece, actor: Actor, day: date) -> Event:
    """Open a piece, register its field and play it."""
    plan = {"games_per_round": 1, "deals_per_game": 4, "minutes": 45, **piece.stage}
    event = create_event(
        actor=actor,
        name=piece.name,
        day=day,
        rulebook=piece.rulebook,
        options=piece.options,
        slug=piece.slug,
        public_seed=f"demo-{piece.slug}",
        plan=[new_stage("Rounds", format=piece.format, rounds=piece.rounds, **plan)],
    )
    import_players(event_id=event.pk, content=_file(piece), actor=actor, as_they_stand=True)
    check_in_all(event_id=event.pk, actor=actor)
    chance, played = random.Random(piece.slug), 0
    while (not piece.played or played < piece.played) and advance(event, chance) is not None:
        played += 1
    return event


def _file(piece: Piece) -> bytes:
    """Return the field as a file from a club's secretary."""
    out = io.StringIO()
    people = list(story.names(piece.entrants * (1 + piece.pairs), piece.slug))
    out.write("Nr;Naam;Club;Partner\n" if piece.pairs else "Nr;Naam;Club\n")
    for number in range(1, piece.entrants + 1):
        name, club = people[number - 1]
        partner = f";{people[piece.entrants + number - 1][0]}" if piece.pairs else ""
        out.write(f"{number};{name};{club}{partner}\n")
    return out.getvalue().encode()
