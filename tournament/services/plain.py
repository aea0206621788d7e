"""Normalisation of typed names for storage."""

from __future__ import annotations


def plain(text: str) -> str:
    """``text`` in one line, without signs that have no ink: controls, joiners, marks of direction.

    They would turn a line of a list around, or make another name of one that looks the same.
    """
    return " ".join("".join(sign for sign in text if sign.isprintable() or sign.isspace()).split())
