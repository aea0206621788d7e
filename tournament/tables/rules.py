"""The sheet's questions to the engine: what a deal is worth, and where the match stands.

An entry card by card is replayed first. Entries, marks and lines name the seats of the sheet;
:mod:`~tournament.tables.places` translates.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final, Protocol

from scoring.engine.articles import ARTICLES, OF_PERSONS
from scoring.engine.calls import replay_record as replay
from scoring.engine.cardplay import card_play
from scoring.engine.cards import cards_of, format_card
from scoring.engine.errors import Malformed
from scoring.engine.match import MatchScore, match_deal, score_match
from scoring.engine.options import options_of_edition
from scoring.engine.rulebook import Game, resolve
from scoring.engine.rulebook_edition import Sides
from scoring.engine.score import score_deal
from scoring.engine.score_clauses import ScoreLine, marks_by_component
from scoring.engine.shapes import (
    EntryJson,
    InfractionJson,
    LineJson,
    RecordJson,
    ReplayJson,
    ViolationJson,
)
from scoring.engine.speech import speak
from tournament.models.tables import DealVersion, Sheet

from .places import Places

SAME_DEALER = "same_dealer"
"""``annulled`` is true where the deal passes on, this where its dealer deals again."""


@dataclass(frozen=True, slots=True)
class Scored:
    """What an entry is worth by the engine."""

    marks: dict[str, int]
    lines: list[ScoreLine]
    void: bool
    game_won: str | None
    points: dict[str, int] = field(default_factory=dict)
    tricks_won: dict[str, int] = field(default_factory=dict)
    violations: list[ViolationJson] = field(default_factory=list)


class Opened(Protocol):
    """An event or a sheet: what is played there, under the edition it was opened with."""

    edition: str
    options: dict[str, object]


def options_of(opened: Opened) -> dict[str, object]:
    """The switches in force: those set, and the defaults of the edition where they have changed."""
    return options_of_edition(opened.edition, opened.options)


def game_of(sheet: Sheet) -> Game:
    """The sheet's rulebook with its switches."""
    return resolve(sheet.rulebook, options_of(sheet))


def sides_of(sheet: Sheet) -> tuple[str, ...]:
    """Who keeps a score on the sheet: the two pairs, or every seat."""
    game = game_of(sheet)
    return game.sides if game.book.sides is Sides.PAIRS else game.seats


def by_player(sheet: Sheet) -> bool:
    """Whether everybody at the table keeps their own score: it is not two pairs."""
    return game_of(sheet).book.sides is not Sides.PAIRS


def places_of(sheet: Sheet, entry: EntryJson) -> Places:
    """The seats of the deal that ``entry`` describes."""
    game = game_of(sheet)
    dealer = entry.get("dealer", "")
    if game.book.sides is not Sides.PAIRS and dealer not in game.seats:
        raise Malformed("dealer", f"say who dealt: {', '.join(game.seats)}", "dealer")
    return Places(game, dealer)


def replay_record(
    sheet: Sheet, entry: EntryJson, *, partial: bool = False
) -> tuple[ReplayJson, Places]:
    """Replay the cards of an entry: the engine's answer, players named as the engine does."""
    record = entry["record"]
    if not isinstance(record, dict) or set(record) - RecordJson.__optional_keys__:
        raise Malformed(
            "unknown_key", "record has keys that a record of play does not have", "record"
        )
    places = places_of(sheet, entry)
    game = places.game
    given = dict(places.record_to_engine(record))
    contract = entry.get("contract") or {}
    if places.pairs:
        given.setdefault("dealer", entry.get("dealer"))
        given.setdefault("contract", contract)
    if not places.pairs and isinstance(contract, dict) and contract.get("declarer"):
        given["declarer"] = places.side_to_engine(contract["declarer"])
    if game.widow_size and "reserve" not in given and not partial:
        played = set(record.get("plays") or [])
        given["reserve"] = [
            card for card in map(format_card, cards_of(game.deck_mask)) if card not in played
        ]
    with places.refusing():
        play = card_play(game, given.get("declarer"))
        return replay(play, {"rulebook": sheet.rulebook, "partial": partial, **given}), places


def _from_record(sheet: Sheet, entry: EntryJson) -> tuple[EntryJson, list[ViolationJson]]:
    """Replay the cards; the entry with points and tricks taken from them, and the illegal plays."""
    replay, places = replay_record(sheet, entry)
    filled = entry.copy()
    del filled["record"]
    filled["points"] = {places.side_to_seats(s): n for s, n in replay["points"].items()}
    filled["tricks"] = {places.side_to_seats(s): n for s, n in replay["tricks_won"].items()}
    for violation in replay["violations"]:
        violation["seat"] = places.seat(violation["seat"])
    return filled, replay["violations"]


def _infraction(places: Places, infraction: InfractionJson) -> InfractionJson:
    if "side" not in infraction:
        return infraction
    return {**infraction, "side": places.side_to_engine(infraction["side"])}


def score_entry(
    sheet: Sheet,
    entry: EntryJson,
    infractions: list[InfractionJson] | None = None,
    *,
    conduct_weighed: bool = False,
    **switches: object,
) -> Scored:
    """Score one deal of ``sheet``; engine errors say what to change.

    ``conduct_weighed``: as release 0.2.0 judged, for a replay. ``switches`` stand in place of the
    sheet's own: what the deal would be worth under them.
    """
    unknown = set(entry) - EntryJson.__optional_keys__
    if unknown:
        raise Malformed(
            "unknown_key", f"a deal has no {', '.join(sorted(unknown))}", sorted(unknown)[0]
        )
    if entry.get("annulled"):
        return Scored(
            marks=dict.fromkeys(sides_of(sheet), 0),
            lines=_dealt_again(entry),
            void=True,
            game_won=None,
        )
    filled, violations = entry, list[ViolationJson]()
    if "record" in entry:
        filled, violations = _from_record(sheet, entry)
    places = places_of(sheet, entry)
    game = resolve(sheet.rulebook, {**options_of(sheet), **switches}) if switches else places.game
    with places.refusing():
        result = score_deal(
            game,
            places.entry_to_engine(filled),
            [_infraction(places, each) for each in infractions or []],
            conduct_weighed=conduct_weighed,
        )
    return Scored(
        marks=places.marks_to_seats(result.marks),
        lines=[places.line_to_seats(line) for line in result.lines],
        void=result.void,
        game_won=places.side_to_seats(result.game_won),
        points={places.side_to_seats(s): n for s, n in result.entry.points.items()},
        tricks_won={places.side_to_seats(s): n for s, n in result.entry.tricks.items()},
        violations=violations,
    )


def _dealt_again(entry: EntryJson) -> list[ScoreLine]:
    """The sentence of an annulled deal that its own dealer deals again; else it passes on."""
    if entry["annulled"] != SAME_DEALER:
        return []
    return [ScoreLine("redeal", None, 0, {"dealer": SAME_DEALER}, "penalty")]


def spoken(line: LineJson, language: str, names: Mapping[str, str] | None = None) -> str:
    """One stored line of a deal as a sentence (``N-S mark 12: 47 − 44 = 3, × 2 for 44``).

    The sentence of a ruling on conduct says what it marks, not its article or offender: sheets are
    read by the whole table and by the public (C.8). ``names``: of the players by their sides, where
    each plays against all.
    """
    spoken_line = ScoreLine.from_json(line)
    if spoken_line.params.get("article") in OF_PERSONS:
        side = spoken_line.side if spoken_line.marks else None
        spoken_line = replace(spoken_line, clause="ruled", side=side, params={})
    return speak(spoken_line, language, names)


_RULING_CITED: Final = re.compile(r"(\S+) (\(\d+\.\d+\))")


def reason_shown(reason: str) -> str:
    """The reason of a deal's version, as its readers may know it.

    A ruling writes its article, number and version: ``T-SLOW (3.1)``. An article on conduct, or of the
    event's own, is left out (C.8).
    """
    cited = _RULING_CITED.fullmatch(reason)
    if cited is None or (cited[1] in ARTICLES and cited[1] not in OF_PERSONS):
        return reason
    return cited[2]


def redealt(version: DealVersion) -> str:
    """Who deals again after a deal that counts for nothing: ``same_dealer``, ``next_dealer`` or ``""``."""
    for line in version.lines:
        if line["clause"] == "redeal":
            return str(line.get("params", {}).get("dealer", "next_dealer"))
    return ""


def counts(version: DealVersion) -> bool:
    """Whether a deal is one of the match: not annulled, not dealt again without any marks."""
    if version.entry.get("annulled"):
        return False
    return not redealt(version) or any(version.marks.values())


def match_state(sheet: Sheet, versions: list[DealVersion]) -> MatchScore:
    """Where the match stands after these deals, those after its end left out.

    A correction or a ruling may end a match before deals that were already played; those stay
    readable on the sheet and count for nothing.
    """
    game = game_of(sheet)
    deals = (
        match_deal(
            game,
            marks_by_component(map(ScoreLine.from_json, version.lines)),
            version.game_won or None,
        )
        for version in versions
    )
    return score_match(game, deals, to_the_end=True)


def marks_by_deal(sheet: Sheet, versions: list[DealVersion]) -> list[dict[str, int]]:
    """What each of these deals counts in its game, up to the end of the match.

    A générale counts what wanted to the whole game, or 150 in a match by deals (Q-002-2).
    """
    return match_state(sheet, versions).by_deal


def totals(sheet: Sheet, versions: list[DealVersion]) -> dict[str, int]:
    """Marks of each side over these deals, up to the end of the match."""
    return match_state(sheet, versions).marks
