"""Input of a standing, read from the JSON of an archive (:func:`.canonical.input_bytes`).

The independent checker makes random events in this form (``manille_check.py --generate``), so that
its counting and :mod:`.ranking` can be compared.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tournament.ranking.book import Book, write_book
from tournament.ranking.canonical import book_as_json, standing_bytes
from tournament.ranking.model import Adjustment, Entrant, LineKind, Outcome, Played
from tournament.ranking.ranking import rank
from tournament.ranking.rulejson import number_from_json, rule_from_json

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Given:
    """Input of a stage's standing, without the books carried over."""

    entrants: tuple[Entrant, ...]
    results: tuple[Played, ...]
    adjustments: tuple[Adjustment, ...]
    lots: Mapping[str, int]


def read_input(given: Json) -> Given:
    """Read the input of a standing; KeyError, ValueError or ``BadRule`` for anything else."""
    return Given(
        tuple(_entrant(*one) for one in given["entrants"]),
        tuple(map(_line, given["results"])),
        tuple(map(_change, given["adjustments"])),
        given["lots"],
    )


def _entrant(
    key: str, number: int, club: str, withdrawn: bool, excluded: bool, *more: str
) -> Entrant:
    unplayed, through = "unplayed" in more, "through" in more
    return Entrant(key, number, club, withdrawn, excluded, unplayed, through)


def _line(line: Json) -> Played:
    best, points, most, place = (
        None if line.get(key) is None else number_from_json(line[key], key)
        for key in ("best", "points", "max", "place")
    )
    outcome, match = line["outcome"], line.get("match")
    return Played(
        line["round"],
        line["entrant"],
        None if outcome is None else Outcome(outcome),
        number_from_json(line["for"], "for"),
        number_from_json(line["against"], "against"),
        tuple(line["opponents"]),
        tuple(line["partners"]),
        line["table"],
        line["game"],
        line["deals"],
        best,
        points,
        most,
        line["penalties"],
        kind=LineKind(line["kind"]),
        match=None if match is None else Outcome(match),
        place=place,
    )


def _change(change: Json) -> Adjustment:
    marks, match_points, games_won = (
        number_from_json(change[key], key) for key in ("marks", "match_points", "games_won")
    )
    return Adjustment(
        change["entrant"],
        change["round"],
        marks,
        match_points,
        games_won,
        change["penalties"],
        change["reason"],
    )


def differences(example: Json) -> Iterator[str]:
    """Count the stages of a random event; yield those that the checker counted differently."""
    before: list[Book] = []
    for stage in example["stages"]:
        given, rule = read_input(stage["input"]), rule_from_json(stage["rule"])
        carried = before if stage["carries_over"] else []
        for book, theirs in zip(carried, stage["input"].get("carried", []), strict=True):
            if book_as_json(book)["hash"] != theirs["hash"]:
                yield f"the book carried into stage {stage['order']}"
        standing = rank(
            given.entrants, given.results, given.adjustments, rule, given.lots, carried=carried
        )
        if json.loads(standing_bytes(standing)) != stage["standing"]:
            yield f"the standing of stage {stage['order']}"
        own = write_book(given.entrants, given.results, given.adjustments, rule)
        before = [*carried, own]
