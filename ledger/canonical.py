"""JSON with one spelling only, for whatever is hashed or compared byte for byte."""

from __future__ import annotations

import json
from typing import Any

JsonObject = dict[str, Any]
"""A JSON object as it is stored: the columns of a row, an archive, an entry of the journal."""


def canonical_json(value: object) -> str:
    """Encode ``value`` as JSON with one spelling only."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, default=str)
