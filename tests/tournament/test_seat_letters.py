"""Seats in the reader's language (glossary, rules specification D.3: west is ouest, east is oost)."""

from __future__ import annotations

import pytest
from django.utils import translation

from tournament.selectors.names import seat_letter


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", ["N", "E", "S", "W", "N-S", "E-W"]),
        ("fr", ["N", "E", "S", "O", "N-S", "E-O"]),
        ("nl", ["N", "O", "Z", "W", "N-Z", "O-W"]),
    ],
)
def test_compass_seats_are_said_in_the_readers_language(language: str, said: list[str]) -> None:
    seats = ["N", "E", "S", "W", "NS", "EW"]
    assert [seat_letter(seat, language) for seat in seats] == said
    with translation.override(language):
        assert [seat_letter(seat) for seat in seats] == said


def test_the_seats_of_individuals_are_lettered_alike_everywhere() -> None:
    assert [seat_letter("A", language) for language in ("en", "fr", "nl")] == ["A"] * 3
