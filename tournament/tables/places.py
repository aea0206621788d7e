"""Mapping between the seats of a sheet and the players of the engine.

Two pairs are the same on both sides (``N E S W``, sides ``NS`` and ``EW``). In the games of three
to seven players the engine numbers the players again in every deal, eldest hand first and dealer
last (rules specification A.8), while a sheet keeps its seats ``1`` … ``n`` for the whole match: an
entry names seats, the engine answers about players, and its marks are mapped back to the seats.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from scoring.engine.errors import EngineError, Impossible, Malformed
from scoring.engine.rulebook import Game
from scoring.engine.rulebook_edition import Sides
from scoring.engine.score import DealScore, score_deal
from scoring.engine.score_clauses import ScoreLine
from scoring.engine.shapes import EntryJson, InfractionJson, RecordJson
from scoring.engine.speech_refusals import Defect


@dataclass(frozen=True, slots=True)
class Places:
    """The seats of one deal: ``game`` with its ``dealer``, a seat of the sheet.

    The seats of two pairs need no translation.
    """

    game: Game
    dealer: str

    def player(self, seat: str) -> str:
        """Return the engine's player on ``seat``. Raises :class:`Malformed` for an unknown seat."""
        if self.game.in_pairs:
            return seat
        seats = self.game.seats
        if seat not in seats or self.dealer not in seats:
            raise Malformed("seat", f"{seat!r} is not a seat of this table", "dealer")
        return str((seats.index(seat) - seats.index(self.dealer) - 1) % len(seats) + 1)

    def seat(self, player: str) -> str:
        """Return the seat of the engine's ``player``."""
        if self.game.in_pairs:
            return player
        seats = self.game.seats
        return seats[(seats.index(self.dealer) + int(player)) % len(seats)]

    def side_to_engine(self, side: Any) -> Any:
        """Return the engine's name of a seat or a side (``"2"``, ``"13"``) in this deal."""
        if self.game.in_pairs or not isinstance(side, str) or not side:
            return side
        players = sorted(self.player(seat) for seat in side)
        named = "".join(players)
        if self.game.book.sides is Sides.DEALER_ALONE and named in ("1", "2"):
            return "12"
        return named

    def side_to_seats(self, side: Any) -> Any:
        """Return the engine's side as seats, in the order of the seats."""
        if self.game.in_pairs or not isinstance(side, str):
            return side
        return "".join(sorted(self.seat(player) for player in side))

    def entry_to_engine(self, entry: EntryJson) -> EntryJson:
        """Convert an entry by seats to the input of the engine's ``score``."""
        if self.game.in_pairs:
            return entry
        result = entry.copy()
        result.pop("dealer", None)
        contract = entry.get("contract")
        if isinstance(contract, Mapping) and "declarer" in contract:
            result["contract"] = {**contract, "declarer": self.side_to_engine(contract["declarer"])}
        for key in ("points", "tricks"):
            counts = entry.get(key)
            if isinstance(counts, Mapping):
                result[key] = {self.side_to_engine(side): n for side, n in counts.items()}
        rows = entry.get("trick_list")
        if isinstance(rows, list):
            result["trick_list"] = [
                {**row, "winner": self.side_to_engine(row.get("winner"))}
                if isinstance(row, Mapping)
                else row
                for row in rows
            ]
        return result

    def record_to_engine(self, record: RecordJson) -> RecordJson:
        """Convert a record of play by seats to the input of the engine's ``replay``."""
        if self.game.in_pairs:
            return record
        result = record.copy()
        if isinstance(record.get("leader"), str):
            result["leader"] = self.player(record["leader"])
        if isinstance(record.get("hands"), Mapping):
            result["hands"] = {self.player(s): cards for s, cards in record["hands"].items()}
        return result

    def score(self, entry: EntryJson, infractions: list[InfractionJson]) -> DealScore:
        """Score a deal by seats: the engine's answer, with its players as seats."""
        given = [
            {**each, "side": self.side_to_engine(each["side"])} if "side" in each else each
            for each in infractions
        ]
        with self.refusing():
            score = score_deal(self.game, self.entry_to_engine(entry), given)
        counted = replace(
            score.entry,
            points={self.side_to_seats(side): n for side, n in score.entry.points.items()},
            tricks={self.side_to_seats(side): n for side, n in score.entry.tricks.items()},
        )
        return replace(
            score,
            marks=self.marks_to_seats(score.marks),
            lines=tuple(map(self.line_to_seats, score.lines)),
            game_won=self.side_to_seats(score.game_won),
            entry=counted,
        )

    @contextmanager
    def refusing(self) -> Iterator[None]:
        """Name the seats of the sheet in what the engine refuses meanwhile."""
        try:
            yield
        except EngineError as error:
            raise self.refusal(error) from error

    def refusal(self, error: EngineError) -> EngineError:
        """Return the engine's refusal with the seats of the sheet in place of the players of the deal."""
        defects = error.params.get("defects")
        if self.game.in_pairs or not isinstance(error, Impossible) or not isinstance(defects, list):
            return error
        named = [
            {**each, "side": self.side_to_seats(each["side"])} if "side" in each else each
            for each in defects
        ]
        sentences = [Defect(str(each["code"]), each).render("en") for each in named]
        return Impossible(error.code, sentences, error.field, {**error.params, "defects": named})

    def marks_to_seats(self, marks: Mapping[str, int]) -> dict[str, int]:
        """Convert marks by side or player to seats; a side of several players credits each of them (A.8)."""
        if self.game.in_pairs:
            return dict(marks)
        marks_by_seat = dict.fromkeys(self.game.seats, 0)
        for side, number in marks.items():
            for player in side:
                marks_by_seat[self.seat(player)] += number
        return marks_by_seat

    def line_to_seats(self, line: ScoreLine) -> ScoreLine:
        """Return a score line with its sides as seats of the sheet."""
        if self.game.in_pairs:
            return line
        params = dict(line.params)
        for name in ("player", "offender"):
            if params.get(name):
                params[name] = self.side_to_seats(params[name])
        return replace(line, side=self.side_to_seats(line.side), params=params)
