"""The JSON objects of the interface that code reads by their keys: a deal as entered, a replay.

What a caller sends is read by :mod:`~scoring.engine.reading`; these are the shapes it then has, and
those in which answers are stored. An *entry* is what a person typed for one deal: the input of
``score`` without rulebook, options and infractions. Card by card it holds a ``record``.
"""

from __future__ import annotations

from typing import NotRequired, TypedDict


class ContractJson(TypedDict, total=False):
    """The contract: declarer, trump, bid and doublings."""

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
    """A deal as it was entered; ``annulled`` is true if the deal passes on, else names the next dealer."""

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
    alone: bool


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
    """A trick that the table agrees on; ``None`` for a forgotten card."""

    n: int
    leader: str
    plays: list[str | None]


class AllegationJson(TypedDict):
    """An alleged breach: trick, seat and kind."""

    trick: int
    seat: str
    kind: str


class QuestionJson(TypedDict):
    """A question to ``prove``, without the rules."""

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


class LegalJson(TypedDict):
    """The answer of ``legal``: the legal cards of the hand in its order, and the duty that binds."""

    legal: list[str]
    duty: str


class ScoreJson(TypedDict):
    """The answer of ``score``: what a deal lets each side write down, clause by clause."""

    marks: dict[str, int]
    void: bool
    game_won: str | None
    lines: list[LineJson]
    points: dict[str, int]
    tricks: dict[str, int]
    redeal: str | None
    match: dict[str, object]


class MatchEventJson(TypedDict):
    """A game or match that a deal won, or a deal without marks."""

    deal: int
    side: str | None
    why: str


class MatchJson(TypedDict):
    """The answer of ``match``: the game in play and what was won before it."""

    score: dict[str, int]
    games: dict[str, int]
    winner: str | None
    finished: bool
    events: list[MatchEventJson]
    deals_played: int
    deals_left: int | None
    marks: dict[str, int]
    by_deal: list[dict[str, int]]


class SolveJson(TypedDict):
    """The answer of ``solve``: the value of a position, or its proven bounds."""

    points: dict[str, int] | None
    best: list[str]
    nodes: int
    exact: bool
    bounds: dict[str, list[int]]


class IllegalCallJson(TypedDict):
    """A call that the rules did not allow."""

    index: int
    article: str
    why: str


class AuctionJson(TypedDict):
    """The answer of ``auction``: who speaks next and with which calls, or the contract."""

    next: str | None
    legal: list[object]
    illegal: list[IllegalCallJson]
    ended: bool
    annulled: bool
    contract: dict[str, object] | None
    standing: dict[str, object] | None
    leader: str | None
    barred: list[str]


class ProofJson(TypedDict):
    """The card that proves a breach; without a trick where the hand alone does."""

    trick: int | None
    card: str


class ProveJson(TypedDict):
    """The answer of ``prove``."""

    verdict: str
    proof: ProofJson | None
    reason: str


class DifferenceJson(TypedDict):
    """A line on which two entries of a deal differ."""

    where: str
    a: str
    b: str


class CompareJson(TypedDict):
    """The answer of ``compare``."""

    same: bool
    differences: list[DifferenceJson]


class NotationJson(TypedDict, total=False):
    """The answer of ``notation``: a text, or the record that a text holds."""

    text: str
    record: dict[str, object]


class SwitchJson(TypedDict):
    """A switch of a rulebook."""

    default: object
    allowed: list[object]
    required: NotRequired[bool]


class RulebookJson(TypedDict):
    """A rulebook as ``rulebooks`` lists it."""

    key: str
    edition: str
    title: str
    titles: dict[str, str]
    source: str
    external: bool
    players: list[int]
    switches: dict[str, SwitchJson]
