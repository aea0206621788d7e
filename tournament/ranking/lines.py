"""A field that is ranked in lines of its own: the two winners of a Mitchell.

North-South pairs have all met East-West pairs and none of their own line, so each line has its ranking.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from tournament.ranking.model import Standing


def split(standing: Standing, lines: Mapping[int, int]) -> tuple[Standing, ...]:
    """Return a standing for each line, with ranks and positions counted in it.

    Args:
        standing: the whole field in its order.
        lines: start number → its line, from 0; who has none is in the last.
    """
    last = max(lines.values(), default=0)
    parts: list[Standing] = []
    for line in range(last + 1):
        rows = [row for row in standing.rows if lines.get(row.entrant.number, last) == line]
        ranks = [row.rank for row in rows if row.rank is not None]
        parts.append(
            replace(
                standing,
                rows=tuple(
                    replace(
                        row,
                        position=position,
                        rank=None if row.rank is None else ranks.index(row.rank) + 1,
                        tied=ranks.count(row.rank or 0) > 1,
                    )
                    for position, row in enumerate(rows, start=1)
                ),
            )
        )
    return tuple(parts)
