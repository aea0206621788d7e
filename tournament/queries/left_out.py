"""Players of the event without a seat in a round's draw, with the reason."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.utils.translation import ngettext

from scoring.engine import rulebook as rulebooks
from tournament.models import Draw, EntrantState, Round
from tournament.pairing.byes import table_sizes
from tournament.pairing.model import Kind
from tournament.pairing.whist_plans import has_whist
from tournament.queries.fields import disqualified, kind_of, playing, rules_of
from tournament.queries.names import Shown, directory

ORDER: Final = (
    "disqualified",
    "registered",
    "arrived",
    "out",
    "held",
    "later",
    "reserve",
    "withdrawn",
)


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Some who are not seated, for one reason.

    Attributes:
        reason: a code: ``registered``, ``withdrawn``, ``later``, ``reserve``, ``arrived``, ``out``, ``held``,
            ``disqualified``.
        title: the reason in words, with their number.
        people: the players, by start number.
        state: the filter of the list of players that shows them, where a change of state would seat them.
    """

    reason: str
    title: str
    people: tuple[Shown, ...]
    state: str = ""


def left_out(drawn_round: Round, candidate: Draw | None = None) -> list[LeftOut]:
    """Return all players that the next draw of the round, or this ``candidate``, does not seat.

    In a stage after a cut only its own field is named.
    """
    people = directory(drawn_round.stage.event)
    field = set(drawn_round.stage.field.values_list("entrant_id", flat=True))
    first = not drawn_round.stage.event.stages.filter(order__lt=drawn_round.stage.order).exists()
    ready = set(playing(drawn_round).values_list("entrant_id", flat=True))
    barred = set(disqualified(drawn_round.stage.event_id).values_list("entrant", flat=True))
    seated, byes, held = _seated(candidate) if candidate else (ready, set(), set())
    by_reason: dict[str, list[Shown]] = {}
    for key, shown in people.items():
        if key in seated or shown.state == EntrantState.MERGED or not (first or key in field):
            continue
        if key in byes or key in held:
            reason = "out" if key in byes else "held"
        elif key in barred:
            reason = "disqualified"
        elif shown.state in (EntrantState.REGISTERED, EntrantState.WITHDRAWN):
            reason = str(shown.state)
        elif key not in field:
            reason = "reserve"
        elif key not in ready:
            reason = "later"
        elif drawn_round.stage.played_as.bracket:
            continue  # beaten: the bracket names them
        else:
            reason = "arrived"
        by_reason.setdefault(reason, []).append(shown)
    return [
        LeftOut(
            reason,
            _title(reason, len(by_reason[reason])),
            tuple(sorted(by_reason[reason], key=lambda shown: shown.number)),
            reason
            if reason in ("registered", "withdrawn")
            else "present"
            if reason == "later"
            else "",
        )
        for reason in ORDER
        if reason in by_reason
    ]


def places_over(drawn_round: Round) -> int:
    """Count the present players that the tables of the next draw cannot seat."""
    present: int = playing(drawn_round).count()
    kind, stage = kind_of(drawn_round.stage), drawn_round.stage
    if stage.played_as.bracket:
        return 0
    if kind is Kind.MATCH:
        return present % 2
    if kind is Kind.SOLO:
        game = rulebooks.resolve(stage.event.rulebook, stage.event.options)
        sizes = [size for size in game.book.players if 3 <= size <= 7]
        return present % sizes[0] if len(sizes) == 1 else 0
    rules = rules_of(stage)
    if rules.movement == "whist" and not has_whist(present):
        return 0  # the draw is refused
    return table_sizes(present, rules.fill)[2]


def _seated(candidate: Draw) -> tuple[set[int], set[int], set[int]]:
    seated = {player for table in candidate.tables for player in table["players"]}
    return seated, set(candidate.byes), set(candidate.held)


def _title(reason: str, n: int) -> str:
    titles = {
        "disqualified": ngettext(
            "%(n)d disqualified, no longer drawn", "%(n)d disqualified, no longer drawn", n
        ),
        "registered": ngettext("%(n)d not checked in", "%(n)d not checked in", n),
        "arrived": ngettext(
            "%(n)d checked in after this draw: draw again",
            "%(n)d checked in after this draw: draw again",
            n,
        ),
        "out": ngettext("%(n)d has a bye this round", "%(n)d have a bye this round", n),
        "held": ngettext(
            "%(n)d still playing the previous round", "%(n)d still playing the previous round", n
        ),
        "later": ngettext("%(n)d plays from a later round", "%(n)d play from a later round", n),
        "reserve": ngettext("%(n)d not in this stage", "%(n)d not in this stage", n),
        "withdrawn": ngettext("%(n)d withdrawn", "%(n)d withdrawn", n),
    }
    return titles[reason] % {"n": n}


def will_sit_out(drawn_round: Round) -> str:
    """Describe the number of byes in the next draw; empty for none."""
    n = places_over(drawn_round)
    if not n:
        return ""
    return ngettext(
        "%(n)d of those present will have a bye: the tables cannot seat everyone.",
        "%(n)d of those present will have a bye: the tables cannot seat everyone.",
        n,
    ) % {"n": n}
