"""Rows as releases up to 0.2 recorded and archived them, when a table was two rows.

The table of a round and the table of its scorekeeper's phone were rows of two models, and so were a
game of a table and its score sheet. Records are never rewritten: they are read as one model.
"""

from __future__ import annotations

from typing import Final

from ledger.canonical import JsonObject

Rows = dict[str, dict[str, JsonObject]]
"""Model label → key → columns."""

LABELS: Final = {"scoring.ScoringTable": "scoring.Table"}
"""Labels of models that have another name now."""
_KEYS: Final = ("id", "scoring_table_id")


def join_rows(rows: Rows) -> dict[str, str]:
    """Join the two rows of every table and of every game, in place.

    Returns:
        The key of each row of the tournament's former tables → the key of its table.
    """
    tables, sheets = rows.get("scoring.Table", {}), rows.get("scoring.Sheet", {})
    keys: dict[str, str] = {}
    for key, laid in rows.pop("tournament.Table", {}).items():
        table = keys[key] = str(laid["scoring_table_id"])
        if table in tables:
            more = {name: value for name, value in laid.items() if name not in _KEYS}
            tables[table] = {**more, **tables[table]}
    for row in tables.values():
        # A table whose round was withdrawn bears its number in its label alone.
        row.setdefault("number", int(row["label"].rpartition("/")[2]))
    for game in rows.pop("tournament.TableGame", {}).values():
        if sheet := sheets.get(str(game["sheet_id"])):
            sheet.setdefault("sides", game["sides"])
            sheet.setdefault("counts", game["counts"])
    for label in ("tournament.Seat", "adjudication.Incident"):
        for row in rows.get(label, {}).values():
            at = str(row.get("table_id"))
            row["table_id"] = keys.get(at, at if at in tables else None)
    return keys
