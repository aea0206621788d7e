"""The JSON objects of the interface that code reads by their keys: a deal as entered, a replay.

What a caller sends is read by :mod:`~scoring.engine.reading`; these are the shapes it then has, and
those in which answers are stored. An *entry* is what a person typed for one deal: the input of
``score`` without rulebook, options and infractions. Card by card it holds a ``record``.
"""

from __future__ import annotations

from typing import NotRequired, TypedDict


class ContractJson(TypedDict, total=False):
    """Who chose trump, what was bid, how often it was doubled."""

    declarer: str
    trump: str
    level: int | str
    doubling: int
    blind: bool
    exchanged: int | bool


class TrickRow(TypedDict):
    """A trick of an entry trick by trick."""

    winner: str
    points: int


class RecordJson(TypedDict, total=False):
    """The cards of a deal in order of play, and what was known of the hands."""

    trump: str
    leader: str
    plays: list[str]
    hands: dict[str, list[str]]
    orders: list[dict[str, object]]
    reserve: list[str]


class EntryJson(TypedDict, total=False):
    """A deal as it was entered; ``annulled`` is true where it passes on, else says who deals."""

    dealer: str
    contract: ContractJson
    turn_up: str
    points: dict[str, int]
    tricks: dict[str, int]
    trick_list: list[TrickRow]
    record: RecordJson
    annulled: bool | str


class InfractionJson(TypedDict, total=False):
    """An infraction of a deal as ``score`` reads it."""

    article: str
    side: str
    repeated: bool
    deliberate: bool
    choice: str
    value: int
    played: bool


class ShownJson(TypedDict):
    """A card, and the trick to which it was played."""

    trick: int
    card: str


class TrickJson(TypedDict):
    """A trick of a replay; an open one has neither winner nor points."""

    n: int
    leader: str
    plays: list[list[str]]
    winner: str | None
    points: int | None


class ViolationJson(TypedDict):
    """An illegal play that a replay found."""

    trick: int
    seat: str
    card: str
    kind: str
    duty: str
    legal: list[str]
    articles: list[str]
    provable: ShownJson | None
    proved_by: dict[str, str] | None


class ReplayJson(TypedDict):
    """The answer of ``replay``; ``reserve`` where it scores."""

    tricks: list[TrickJson]
    points: dict[str, int]
    tricks_won: dict[str, int]
    violations: list[ViolationJson]
    complete: bool
    reserve: NotRequired[dict[str, object]]


class AgreedTrickJson(TypedDict):
    """A trick that the table agrees on; ``None`` for a card that nobody remembers."""

    n: int
    leader: str
    plays: list[str | None]


class AllegationJson(TypedDict):
    """Who is said to have broken which duty, in which trick."""

    trick: int
    seat: str
    kind: str


class QuestionJson(TypedDict):
    """What ``prove`` is asked, without the rules."""

    trump: str
    tricks: list[AgreedTrickJson]
    allegation: AllegationJson
    hands: NotRequired[dict[str, list[str]]]


class LineJson(TypedDict):
    """A line of a deal's score; older sheets hold lines without the last three."""

    clause: str
    side: str | None
    marks: int
    text: NotRequired[str]
    params: NotRequired[dict[str, object]]
    component: NotRequired[str]
