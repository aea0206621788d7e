"""A draw as plain values, and back: what a job keeps, a preview shows and the API answers.

Only strings, numbers, lists and objects, so that it can be stored as JSON; reading back gives an equal
:class:`Drawn`. Missing keys are refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scoring.engine.texts import Texts

from .model import Certificate, Drawn, Kind, Line, Table


def table_as_json(table: Table) -> dict[str, Any]:
    """One table; ``seats`` names them, ``players`` keeps their order."""
    return {
        "number": table.number,
        "kind": table.kind.value,
        "players": list(table.players),
        "seats": table.seats,
        "scorekeeper": table.scorekeeper,
        "dealer": table.dealer,
    }


def table_from_json(value: Mapping[str, Any]) -> Table:
    """The table; :class:`ValueError` or :class:`KeyError` when it cannot be read."""
    return Table(
        int(value["number"]),
        Kind(value["kind"]),
        tuple(int(p) for p in value["players"]),
        value["scorekeeper"],
        value["dealer"],
    )


def drawn_as_json(drawn: Drawn) -> dict[str, Any]:
    """The whole draw with its certificate in three languages."""
    return {
        "round_no": drawn.round_no,
        "movement": drawn.movement,
        "seed": drawn.seed,
        "tables": [table_as_json(t) for t in drawn.tables],
        "byes": list(drawn.byes),
        "held": list(drawn.held),
        "slots": list(drawn.slots),
        "certificate": [
            {
                "code": line.code,
                "value": line.value,
                "bound": line.bound,
                "proven": line.proven,
                "optimal": line.optimal,
                "why": {"en": line.why.en, "fr": line.why.fr, "nl": line.why.nl},
            }
            for line in drawn.certificate.lines
        ],
    }


def drawn_from_json(value: Mapping[str, Any]) -> Drawn:
    """The draw; :class:`ValueError` or :class:`KeyError` when it cannot be read."""
    lines = tuple(
        Line(
            str(line["code"]),
            int(line["value"]),
            int(line["bound"]),
            bool(line["proven"]),
            Texts(en=line["why"]["en"], fr=line["why"]["fr"], nl=line["why"]["nl"]),
        )
        for line in value["certificate"]
    )
    return Drawn(
        int(value["round_no"]),
        str(value["movement"]),
        str(value["seed"]),
        tuple(table_from_json(t) for t in value["tables"]),
        tuple(int(b) for b in value["byes"]),
        Certificate(lines),
        tuple(int(s) for s in value["slots"]),
        tuple(int(h) for h in value["held"]),
    )
