"""Seats in the reader's language: west is Ouest, east is Oost, so that no letter stands alone."""

from __future__ import annotations

import pytest
from django.utils import translation

from tournament.queries.names import seat_name


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", ["N", "E", "S", "W", "N-S", "E-W"]),
        ("fr", ["Nord", "Est", "Sud", "Ouest", "N-S", "E-O"]),
        ("nl", ["Noord", "Oost", "Zuid", "West", "N-Z", "O-W"]),
    ],
)
def test_compass_seats_are_said_in_the_readers_language(language: str, said: list[str]) -> None:
    seats = ["N", "E", "S", "W", "NS", "EW"]
    assert [seat_name(seat, language) for seat in seats] == said
    with translation.override(language):
        assert [seat_name(seat) for seat in seats] == said


def test_the_seats_of_individuals_are_lettered_alike_everywhere() -> None:
    assert [seat_name("A", language) for language in ("en", "fr", "nl")] == ["A"] * 3
