"""Standings are derived: computed when asked for and out of date, kept, thrown away at will.

The event's version says when they are out of date. However many ask at once, one computes: the
row of the stage's standings is locked while it is brought up to date.
"""

from __future__ import annotations

import hashlib
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from ledger import audit
from ledger.actors import Actor
from ledger.audit import canonical_json
from ledger.errors import Conflict
from scoring.models import Sheet
from scoring.services.sheets import on_result
from tournament.models import Event, RoundState, Stage, Standings, StandingsState, TableGame
from tournament.selectors.results import Field, gather
from tournament.standings.model import Rule, Standing
from tournament.standings.presets import PRESETS
from tournament.standings.ranking import rank

from .events import bump


@on_result
def results_changed(sheet: Sheet) -> None:
    """A result came or went: the event's standings and public pages are out of date."""
    bump(sheet.scope)


def rule_of(stage: Stage) -> Rule:
    """The ranking rule of a stage."""
    return PRESETS[stage.ranking].rule


def compute(stage: Stage, field: Field | None = None) -> Standing:
    """The standing of a stage from its signed sheets and adjustments; writes nothing."""
    field = field or gather(stage)
    return rank(field.entrants, field.results, field.adjustments, rule_of(stage), field.lots)


def value_json(value: Any) -> Any:
    """A criterion's value in JSON without floats: fractions as ``"n/d"``."""
    if value is None or isinstance(value, int):
        return value
    if isinstance(value, tuple):
        return [value_json(part) for part in value]
    return str(value)


def rows_json(standing: Standing) -> list[dict[str, Any]]:
    """The rows as kept and exported."""
    return [
        {
            "position": row.position, "rank": row.rank, "tied": row.tied,
            "number": row.entrant.number, "values": [value_json(value) for value in row.values],
            "games": row.games, "won": row.won, "drawn": row.drawn, "lost": row.lost,
            "credited": row.credited, "adjusted": row.adjusted,
            "withdrawn": row.entrant.withdrawn, "excluded": row.entrant.excluded,
        }
        for row in standing.rows
    ]  # fmt: skip


def state_hash(rows: list[dict[str, Any]], codes: tuple[str, ...]) -> str:
    """The hash that a document carries: SHA-256 of the canonical JSON of criteria and rows."""
    return hashlib.sha256(canonical_json([list(codes), rows]).encode()).hexdigest()


def fresh(stage: Stage) -> Standings:
    """The stage's standings, brought up to date first where they are not."""
    version = Event.objects.values_list("version", flat=True).get(pk=stage.event_id)
    kept = Standings.objects.filter(stage=stage).first()
    if kept is not None and (kept.version == version or kept.state != StandingsState.PROVISIONAL):
        return kept
    return recompute(stage_id=stage.pk)


@transaction.atomic
def recompute(*, stage_id: int, force: bool = False) -> Standings:
    """Compute the standings of a stage anew, once, however many call."""
    Standings.objects.get_or_create(stage_id=stage_id)
    kept = (
        Standings.objects.select_for_update(of=("self",))
        .select_related("stage__event")
        .get(stage_id=stage_id)
    )
    stage = kept.stage
    version = Event.objects.values_list("version", flat=True).get(pk=stage.event_id)
    if (
        not force
        and kept.hash
        and (kept.version == version or kept.state != StandingsState.PROVISIONAL)
    ):
        return kept
    field = gather(stage)
    standing = compute(stage, field)
    kept.rows = rows_json(standing)
    kept.hash = state_hash(kept.rows, standing.codes)
    kept.after_round = field.rounds_closed
    kept.version = version
    kept.computed_at = timezone.now()
    kept.save()
    return kept


@transaction.atomic
def set_state(*, stage_id: int, state: str, actor: Actor) -> Standings:
    """Freeze, finalise or release the standings of a stage.

    Final needs every published round of the stage closed; a final standing is released only with
    the audit log knowing of it.
    """
    kept = recompute(stage_id=stage_id, force=True)
    stage = kept.stage
    if state == StandingsState.FINAL:
        open_rounds = stage.rounds.filter(
            state__in=[RoundState.PUBLISHED, RoundState.PLAYING]
        ).count()
        if open_rounds or not kept.after_round:
            raise Conflict("round_in_play", _("A round is still in play: close it first."))
    before = kept.state
    kept.state = state
    kept.save(update_fields=["state"])
    if before != state:
        audit.append(
            scope=stage.event_id, actor=actor, verb="standings.state", subject=kept,
            before={"state": before}, after={"state": state, "hash": kept.hash},
        )  # fmt: skip
        bump(stage.event_id)
    return kept


def stage_of_sheet(sheet: Sheet) -> Stage | None:
    """The stage a sheet counts for."""
    game = TableGame.objects.select_related("table__round__stage").filter(sheet=sheet).first()
    return game.table.round.stage if game else None
