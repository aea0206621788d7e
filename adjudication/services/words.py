"""Clean-up of texts that people type into rulings before they are stored."""

from __future__ import annotations


def cleaned(text: str, most: int) -> str:
    """``text`` without control characters (a database refuses some) and outer space, cut to ``most``."""
    return "".join(c for c in text if c in "\n\t" or c.isprintable()).strip()[:most]
