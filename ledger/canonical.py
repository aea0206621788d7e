"""JSON with one spelling only, for whatever is hashed or compared byte for byte."""

from __future__ import annotations

import json


def canonical_json(value: object) -> str:
    """``value`` as JSON with one spelling only."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, default=str)
