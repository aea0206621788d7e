"""Seats, sides and calls in the reader's language: west is Ouest, east is Oost, with no letter on its own."""

from __future__ import annotations

import pytest
from django.utils import translation

from tournament.models.tables import CallTopic, call_label
from tournament.queries.names import seat_name
from tournament.queries.players import PlayedGame


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


@pytest.mark.parametrize(("language", "said"), [("en", "E-W"), ("fr", "E-O"), ("nl", "O-W")])
def test_a_players_sheet_names_their_side_in_the_readers_language(language: str, said: str) -> None:
    game = PlayedGame(number=1, partners=[], opponents=[], side="EW")
    with translation.override(language):
        assert game.sides[0].players == said


@pytest.mark.parametrize(("language", "colon"), [("en", ": "), ("fr", "\u00a0: "), ("nl", ": ")])
def test_a_call_joins_its_topic_and_its_words_as_the_language_does(
    language: str, colon: str
) -> None:
    with translation.override(language):
        topic = CallTopic.values[0]
        assert call_label(topic, "7") == f"{CallTopic(topic).label}{colon}7"
