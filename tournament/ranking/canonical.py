"""The bytes of a standing, and the hash that every document of it carries.

Canonical: UTF-8 JSON, keys sorted, no spaces, integers or ``"n/d"`` strings, never a float; so the
same sheets and rulings give the same bytes on any machine. Nothing that does not follow from the
results is in them: no names, no times, no state (provisional, frozen, final).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Final

from tournament.ranking.book import Book
from tournament.ranking.model import Adjustment, Entrant, Played, Standing, Value
from tournament.ranking.rulejson import number_as_json, rule_as_json

FORMAT: Final = 1
"""Raised whenever the same standing would be written differently."""


def standing_bytes(standing: Standing) -> bytes:
    """Serialise the standing: rule, rounds counted and every row with all its values."""
    return _bytes(
        {
            "format": FORMAT,
            "rule": rule_as_json(standing.rule),
            "through": standing.through,
            "rows": [
                {
                    "position": row.position,
                    "rank": row.rank,
                    "entrant": row.entrant.id,
                    "number": row.entrant.number,
                    "values": [_value(value) for value in row.values],
                    "games": row.games,
                    "won": row.won,
                    "drawn": row.drawn,
                    "lost": row.lost,
                    "credited": row.credited,
                    "adjusted": row.adjusted,
                }
                for row in standing.rows
            ],
        }
    )


def state_hash(standing: Standing) -> str:
    """SHA-256 of :func:`standing_bytes`, 64 hexadecimal digits."""
    return sha256(standing_bytes(standing)).hexdigest()


def input_bytes(
    entrants: Iterable[Entrant],
    results: Iterable[Played],
    adjustments: Iterable[Adjustment],
    lots: Mapping[str, int] | None = None,
    carried: Sequence[Book] = (),
) -> bytes:
    """Serialise all inputs of a standing in canonical order: for archives and checks."""
    return _bytes(
        {
            "format": FORMAT,
            "entrants": sorted(map(_entrant, entrants)),
            "results": [_line(line) for line in _in_order(results)],
            "adjustments": _changes(adjustments),
            "lots": dict(lots or {}),
            **({"carried": [book_as_json(book) for book in carried]} if carried else {}),
        }
    )


def book_as_json(book: Book) -> dict[str, object]:
    """Return a book in plain values, with the SHA-256 of all else in it."""
    plain: dict[str, object] = {
        "entrants": sorted(map(_entrant, book.entrants)),
        "lines": [
            {**_line(line), "net": number_as_json(line.net), "average": line.average}
            for line in _in_order(book.lines)
        ],
        "adjustments": _changes(book.adjustments),
    }
    return {**plain, "hash": sha256(_bytes(plain)).hexdigest()}


def _in_order(lines: Iterable[Played]) -> list[Played]:
    return sorted(lines, key=lambda line: (line.entrant, line.round_no, line.game_no))


def _changes(changes: Iterable[Adjustment]) -> list[dict[str, object]]:
    return sorted(map(_change, changes), key=lambda change: json.dumps(change, sort_keys=True))


def _entrant(one: Entrant) -> list[object]:
    return [
        one.id,
        one.number,
        one.club,
        one.withdrawn,
        one.excluded,
        *["unplayed"] * one.unplayed,
        *["through"] * one.through,
    ]


def _line(line: Played) -> dict[str, object]:
    return {
        "round": line.round_no,
        "table": line.table,
        "game": line.game_no,
        "entrant": line.entrant,
        "partners": sorted(line.partners),
        "opponents": sorted(line.opponents),
        "kind": str(line.kind),
        "outcome": None if line.outcome is None else str(line.outcome),
        "for": number_as_json(line.marks_for),
        "against": number_as_json(line.marks_against),
        "deals": line.deals,
        "best": _value(line.best_deal),
        "points": _value(line.points),
        "max": _value(line.max_points),
        "penalties": line.penalties,
        **({} if line.match is None else {"match": str(line.match)}),
        **({} if line.place is None else {"place": number_as_json(line.place)}),
    }


def _change(change: Adjustment) -> dict[str, object]:
    return {
        "entrant": change.entrant,
        "round": change.round_no,
        "marks": number_as_json(change.marks),
        "match_points": number_as_json(change.match_points),
        "games_won": number_as_json(change.games_won),
        "penalties": change.penalty_count,
        "reason": change.reason,
    }


def _value(value: Value) -> object:
    if value is None:
        return None
    if isinstance(value, tuple):
        return [number_as_json(number) for number in value]
    return number_as_json(value)


def _bytes(value: object) -> bytes:
    return json.dumps(
        value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    ).encode()
