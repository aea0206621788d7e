"""Clean-up of texts that people type into rulings before they are stored."""

from __future__ import annotations


def cleaned(text: str, most: int) -> str:
    """Return ``text`` without control characters and outer space, cut to ``most`` characters."""
    return "".join(c for c in text if c in "\n\t" or c.isprintable()).strip()[:most]
