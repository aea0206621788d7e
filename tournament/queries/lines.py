"""The two lines of a Mitchell, North-South and East-West, each with a winner of its own."""

from __future__ import annotations

from django.utils.translation import gettext as _

from tournament.drawing.rules import read_rules
from tournament.drawing.spec import Plan
from tournament.models import Draw, DrawState, Stage


def line_names() -> tuple[str, str]:
    """Return the names of the lines in the reader's language."""
    return _("North-South"), _("East-West")


def lines_of(stage: Stage) -> dict[int, int]:
    """Start number → 0 for North-South, 1 for East-West; empty where the stage has one list.

    One list has every format but the Mitchell, a Mitchell whose director asked for one, and one with a
    cut, which needs a ranking of all.
    """
    if not stage.played_as.lines or stage.cut or read_rules(stage.drawing).one_list:
        return {}
    drawn = (
        Draw.objects.filter(round__stage=stage, state=DrawState.PUBLISHED)
        .order_by("-round__number")
        .first()
    )
    return _lines(drawn.plan) if drawn is not None else {}


def _lines(plan: Plan) -> dict[int, int]:
    """Return the lines of a timetable, with stand-ins in the lines of their predecessors."""
    lines: dict[int, int] = {}
    for round_ in plan.get("rounds", ()):
        for _number, _kind, players, _keeper, _dealer in round_["tables"]:
            lines |= {players[0]: 0, players[1]: 1}
    for round_ in plan.get("rounds", ()):
        # In a Mitchell of an odd number the pairs that sit out stay at their tables.
        lines |= {who: lines.get(who, 0) for who in round_["byes"]}
    for gone, now in plan.get("stand_in", {}).items():
        lines[now] = lines.get(int(gone), 0)
    if "guest" in plan:
        lines[plan["guest"]] = 1
    return lines
