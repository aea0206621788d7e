"""The ranking of the whole event: final, then semi-final, then the rest, for pages and papers."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass

from ledger.canonical import canonical_json
from tournament.models import Event, Stage, Standings, StandingsState
from tournament.queries.pages import is_hidden
from tournament.queries.standings import fresh, shared, standing_of
from tournament.ranking.model import Standing
from tournament.ranking.overall import Placed, as_standing, overall

_FIRMNESS = (StandingsState.PROVISIONAL, StandingsState.FROZEN, StandingsState.FINAL)


@dataclass(frozen=True, slots=True)
class Overall:
    """Ranking of all entrants of an event; ``stages`` in their order, as ``Placed.stage`` counts.

    ``state``: that of the least firm stage. ``open``: the stages whose standings are not final.
    ``hash``: fingerprint of the underlying standings; that of a single stage is its own.
    ``hidden``: the director hides one of them until the prize-giving.
    """

    rows: tuple[Placed, ...]
    standing: Standing | None
    stages: tuple[Stage, ...]
    state: str
    hash: str
    open: tuple[Stage, ...]
    hidden: bool

    @property
    def ranked(self) -> int:
        """Number of entrants with a rank."""
        return sum(row.rank is not None for row in self.rows)

    @property
    def several(self) -> bool:
        """Whether more than one stage gives places: otherwise the stage's own standing is complete."""
        return len({row.stage for row in self.rows}) > 1


def overall_of(event: Event, *, shared_in_process: bool = False) -> Overall:
    """Return the present ranking of an event.

    ``shared_in_process``: pages take standings as they were read for all who ask; papers and exports
    read for themselves.
    """
    read: Callable[[Stage], tuple[Standings, Standing]] = shared if shared_in_process else _read
    stages = tuple(event.stages.select_related("event").order_by("order"))
    rankings = [read(stage) for stage in stages]
    standings = [standing for _remembered, standing in rankings]
    # A list made final before this distinction counts as it was published.
    carrying = {
        at
        for at, (stage, (current, _there)) in enumerate(zip(stages, rankings, strict=True))
        if stage.carries_over
        and not (current.state == StandingsState.FINAL and current.edition < 5)
    }
    rows = overall(standings, carrying)
    states = [StandingsState(current.state) for current, _standing in rankings]
    hashes = [current.hash for current, _standing in rankings]
    in_it = {row.stage for row in rows}
    alone = len(in_it) == 1
    return Overall(
        rows=rows,
        standing=as_standing(rows, standings) if standings else None,
        stages=stages,
        state=min(states, key=_FIRMNESS.index, default=StandingsState.PROVISIONAL),
        hash=hashes[in_it.pop()] if alone else _fingerprint(hashes),
        open=tuple(
            stage
            for stage, state in zip(stages, states, strict=True)
            if state != StandingsState.FINAL
        ),
        hidden=any(is_hidden(stage, state) for stage, state in zip(stages, states, strict=True)),
    )


def has_overall(event: Event) -> bool:
    """Return whether more than one stage has begun, so that there is an overall ranking to read.

    One query: a page asks this with every change, and ranks no other stage for it.
    """
    began = event.stages.filter(rounds__published_at__isnull=False)
    return began.distinct().count() > 1


def is_all_final(event: Event) -> bool:
    """Return whether the standings of every stage are final; one query, nothing is computed."""
    states = event.stages.values_list("standings__state", flat=True)
    return set(states) == {StandingsState.FINAL}


def _read(stage: Stage) -> tuple[Standings, Standing]:
    current = fresh(stage)
    return current, standing_of(current)


def _fingerprint(hashes: list[str]) -> str:
    return hashlib.sha256(canonical_json(["overall", *hashes]).encode()).hexdigest()
