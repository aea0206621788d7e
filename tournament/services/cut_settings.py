"""A stage's cut as it is kept (a small JSON object), read into the value that standings take."""

from __future__ import annotations

from typing import Any, Final

from django.utils.translation import gettext_lazy as _

from ledger.errors import Refused
from tournament.standings.cuts import Cut, Fill, TieAtCut

CUT_KEYS: Final = frozenset({"top", "winners", "per_table", "fill", "tie", "whole"})


def read_cut(given: dict[str, Any], round_no: int | None = None, *, whole: int = 1) -> Cut:
    """A stage's cut as the standings room takes it.

    ``{"top": n}``: the best n. ``{"winners": true}`` or ``{"per_table": k}``: the best (k) of each table of
    the last round; with ``top`` too, ``fill`` says whether these fill up to n (``up_to``, the default) or
    go through besides (``beside``). ``tie``: ``all_in`` (the default), ``lots`` or ``play_off``.
    ``{"whole": true}``: so many that the tables of the next stage, of ``whole`` players, are full; those
    level draw lots then (the default) or play off, since all of them would not fit.
    """
    unknown = set(given) - CUT_KEYS
    if unknown:
        raise Refused("unknown_cut", _("A cut has no such part."), field=min(unknown))
    full = given.get("whole", False)
    try:
        per_table = int(given.get("per_table") or (1 if given.get("winners") else 0))
        cut = Cut(
            top=int(given.get("top") or 0),
            per_table=per_table,
            round_no=round_no if per_table else None,
            fill=Fill(given.get("fill", Fill.UP_TO)),
            tie=TieAtCut(given.get("tie", TieAtCut.LOTS if full else TieAtCut.ALL_IN)),
            whole=whole if full else 1,
        )
    except (TypeError, ValueError) as error:
        raise Refused("unknown_cut", _("This cut cannot be made."), field="cut") from error
    if full and cut.tie is TieAtCut.ALL_IN:
        raise Refused(
            "whole_and_all_in",
            _("Whole tables have no room for all who are level: choose lots or a play-off."),
            field="tie",
        )
    return cut
