"""Combined effect of the rulings in force on a deal, and the share of each ruling on the sheet.

The score sheet holds the combined deal: a null call removes its factor from the result as played,
penalties of both sides cancel, one penalty a side counts (C.2, C.8, Q-GEN-9). Amounts are read from the
sheet's lines of the deal, each assigned to its ruling, so that the slips of all rulings on a deal add
up to the sheet.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from adjudication.penal import Claimed, DealEffect, DealOutcome, Infraction, both_at_fault, combine
from adjudication.queries.cases import Case
from scoring.engine.score_clauses import ScoreLine
from scoring.engine.shapes import InfractionJson, LineJson

Amounts = dict[str, int]
"""Marks by the rules' names of the sides."""


@dataclass(frozen=True, slots=True)
class Together:
    """A deal under all its rulings, seen from one ruling: ``effect.marks`` is the share of that ruling.

    ``numbers``: numbers of the other rulings. ``lines``: the sheet's lines on penalties and turn-up.
    """

    effect: DealEffect
    numbers: tuple[int, ...]
    lines: tuple[LineJson, ...] = ()
    by_ruling: Mapping[int, Amounts] = field(default_factory=dict)


def ruled(case: Case, effects: Sequence[DealEffect]) -> tuple[DealEffect, list[Infraction]]:
    """Return the rulings' combined effect on a deal, and its infractions for the sheet."""
    combined = combine(effects, case.game(claimed=Claimed.IN_TIME))
    infractions = list(combined.infractions)
    if both_at_fault(effects):
        known = [e.infractions for e in effects if e.offender is not None and not e.conduct]
        if all(known):
            # The engine cancels them itself and records this in the lines of the deal.
            infractions = [entry for entries in known for entry in entries]
    return combined, infractions


def for_sheet(case: Case, entry: Infraction) -> InfractionJson:
    """Return an infraction as JSON, with the sheet's name of its side."""
    row = entry.as_json()
    if "side" in row:
        row["side"] = case.places.side_to_seats(row["side"])
    return row


def touches(effect: DealEffect) -> bool:
    """Whether a ruling changes anything of a deal."""
    return (
        effect.offender is not None
        or effect.outcome is not DealOutcome.STANDS
        or bool(effect.infractions)
    )


def together(case: Case, effects: Mapping[int, DealEffect], number: int) -> Together:
    """Combine the rulings ``effects`` (by number) on the deal, for showing ruling ``number``."""
    ordered = sorted(effects)
    combined, infractions = ruled(case, [effects[each] for each in ordered])
    written = case.deal.lines if infractions and case.deal is not None else []
    lines = [ScoreLine.from_json(line) for line in written]
    shares = _shares(case, effects, combined, infractions, lines)
    return Together(
        replace(combined, marks=shares.get(number, {})),
        tuple(each for each in ordered if each != number),
        tuple(line for line in written if line.get("component", "deal") != "deal"),
        shares,
    )


def _shares(
    case: Case,
    effects: Mapping[int, DealEffect],
    combined: DealEffect,
    infractions: Sequence[Infraction],
    lines: Sequence[ScoreLine],
) -> dict[int, Amounts]:
    """Return each ruling's share in the marks of the deal: by the sheet's lines, and outside the sheet."""
    shares: dict[int, Amounts] = {number: {} for number in effects}
    seen: Counter[tuple[object, ...]] = Counter()
    bearer: int | None = None
    for line in lines:
        if line.component != "penalty" or line.side is None:
            continue
        key = (line.params.get("article"), line.params.get("offender"), line.side)
        if key[0] is not None:
            bearer = _bearer(case, effects, key, seen[key])
            seen[key] += 1
        if bearer is not None:
            _add(shares[bearer], case.places.side_to_engine(line.side), line.marks)
    rest = {side: int(marks) for side, marks in combined.extra.items()}
    penalty: int | None = None
    for number, effect in sorted(effects.items()):
        if effect.offender is None:
            continue
        if effect.conduct:
            if not effect.infractions or not set(effect.infractions) <= set(infractions):
                for side, marks in effect.marks.items():
                    _add(shares[number], side, int(marks))
                    _add(rest, side, -int(marks))
        elif penalty is None or effect.charge > effects[penalty].charge:
            penalty = number
    if penalty is not None:
        for side, marks in rest.items():
            _add(shares[penalty], side, marks)
    return shares


def _bearer(
    case: Case, effects: Mapping[int, DealEffect], key: tuple[object, ...], nth: int
) -> int | None:
    """Return the ruling behind the ``nth`` line of an article against a side."""
    article, offender, _side = key
    earned = [
        number
        for number, effect in sorted(effects.items())
        if effect.offender is not None
        and any(
            each.article == article and case.places.side_to_seats(each.side) == offender
            for each in effect.infractions
        )
    ]
    if not earned:
        return None
    conduct = [number for number in earned if effects[number].conduct]
    return conduct[nth] if nth < len(conduct) else earned[0]


def _add(amounts: Amounts, side: str, marks: int) -> None:
    if marks:
        amounts[side] = amounts.get(side, 0) + marks
