"""The formats of a stage, each with all that is known of it (rules specification D.2; docs/formats.md).

A new format is one entry in :data:`FORMATS`, and the function that draws its rounds. A draw passes
a state to the next round of its stage (:class:`.spec.Plan`): the slots of the closed form for
individuals, the timetable, the pools and brackets; the Swiss system and lots need only scores and
history.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from scoring.engine.rulebook_edition import Rulebook, Sides
from scoring.texts import Message
from scoring.texts import gettext_lazy as _
from tournament.pairing.championship import check_request
from tournament.pairing.filling import NOTHING_COUNTS, nothing_counts
from tournament.pairing.model import DrawRefused, Kind, Progress

from .apart import require_apart
from .brackets import knock_out, pools_and_knock_out
from .every_round import by_lot, individual, swiss
from .spec import DrawnRound, Spec
from .timetables import mitchell, movement, round_robin

_PAIRS_MEET = _(
    "In this format two pairs meet; with the rulebook “{rulebook}” each plays against all. Choose the individual championship or the draw by lot of players."
)
_PARTNERS = _(
    "A fixed movement assigns partners; with the rulebook “{rulebook}” each plays against all. Choose the "
    "individual championship or the draw by lot of players."
)
_TABLES = _("Individual tables")
_POOLS = _("Pools and knock-out")
_ROUNDS = _("Rounds")


@dataclass(frozen=True, slots=True)
class Format:
    """A format of a stage.

    Attributes:
        key: its name in the database, the API and archives.
        label: its name on pages.
        draw: what draws a round of it.
        heading: the heading of its choices in the form of a stage.
        choices: the :class:`.rules.DrawRules` that it reads.
        shapes: what an event can be opened as in its place, by ``DrawRules.movement``.
        stage_name: what the only stage of an event is called.
        pairs: two entrants, each a pair, meet at a table.
        bracket: it ends in a knock-out; ``pools``: which follows pools.
        timetable: all rounds are laid out before the first.
        by_score: a round is drawn from the scores, whatever the stage chooses.
        lines: North-South and East-West can be ranked apart.
        least: the pairs from which on it seats any number, and who rests gains nothing; 0: it does not.
    """

    key: str
    label: Message
    draw: Callable[[Spec, Progress | None], DrawnRound]
    heading: Message
    choices: tuple[str, ...]
    shapes: tuple[tuple[str, Message], ...] = ()
    stage_name: Message = _ROUNDS
    pairs: bool = False
    bracket: bool = False
    pools: bool = False
    timetable: bool = False
    by_score: bool = False
    lines: bool = False
    least: int = 0

    @property
    def laid_out(self) -> bool:
        """Whether the pairings are made for those who are there at the first round."""
        return self.bracket or self.timetable

    def in_pairs(self, unit: str) -> bool:
        """Whether those who play are pairs, where ``unit`` is drawn (:class:`.rules.DrawRules`)."""
        return self.pairs or ("unit" in self.choices and unit == "pair")

    def misfit(self, book: Rulebook, unit: str = "player") -> Message | None:
        """Why it cannot be played with a rulebook; ``None`` where it can."""
        if book.sides is Sides.PAIRS:
            return None
        if self.in_pairs(unit):
            return _PAIRS_MEET.format(rulebook=book.title)
        return _PARTNERS.format(rulebook=book.title) if self.timetable else None


_ALL = (
    Format(
        "individual_draw",
        _("individual championship (new table every round)"),
        individual,
        _TABLES,
        ("odd", "by_score", "table_size"),
    ),
    Format(
        "individual_movement",
        _("individual, fixed movement"),
        movement,
        _("Fixed movement"),
        ("movement",),
        shapes=(
            ("rainbow", _("individual, Rainbow (North stays)")),
            ("whist", _("individual, Whist movement (partner everyone once)")),
        ),
        timetable=True,
    ),
    Format(
        "pairs_swiss",
        _("pairs, Swiss system"),
        swiss,
        _("Swiss"),
        ("order", "bye_for", "seeds"),
        pairs=True,
        by_score=True,
    ),
    Format(
        "pairs_mitchell",
        _("pairs, Mitchell"),
        mitchell,
        _("Mitchell"),
        ("one_list",),
        pairs=True,
        timetable=True,
        lines=True,
    ),
    Format(
        "round_robin",
        _("pairs, round robin"),
        round_robin,
        _("Round robin"),
        ("twice",),
        pairs=True,
        timetable=True,
        least=2,
    ),
    Format(
        "pools_ko",
        _("pools and knock-out"),
        pools_and_knock_out,
        _POOLS,
        ("seeds", "pool_size", "main", "best_next", "consolation", "third_place"),
        stage_name=_POOLS,
        pairs=True,
        bracket=True,
        pools=True,
        least=3,
    ),
    Format(
        "ko",
        _("knock-out"),
        knock_out,
        _POOLS,
        ("seeds", "third_place"),
        stage_name=_("Knock-out"),
        pairs=True,
        bracket=True,
        least=2,
    ),
    Format(
        "random",
        _("drawn by lot every round"),
        by_lot,
        _TABLES,
        ("odd", "table_size", "unit"),
    ),
)
FORMATS: Final = {each.key: each for each in _ALL}
"""Every format by its key, in the order of pages."""


def _require_game(spec: Spec) -> None:
    """Refuse a round of which no game would count: tables of three alone."""
    by_fours = spec.kind in (Kind.PARTNERS, Kind.ROTATION) and "odd" in FORMATS[spec.format].choices
    wishes, count = spec.wishes, len(spec.contestants)
    if spec.version < 5 or not by_fours or wishes.held or wishes.locked:
        return
    if not spec.rules.threes_count and nothing_counts(count, spec.rules.fill):
        raise DrawRefused("nothing_counts", NOTHING_COUNTS.format(count=count))


def draw(spec: Spec, progress: Progress | None = None) -> DrawnRound:
    """Draw a spec: the same spec gives the same outcome on every machine.

    Raises :class:`DrawRefused` with a reason in three languages when there is none.
    """
    check_request(spec.request())
    _require_game(spec)
    outcome = FORMATS[spec.format].draw(spec, progress)
    require_apart(spec, outcome.drawn.tables)
    return outcome
