"""Standings are derived: computed on demand when out of date, stored, and always disposable.

The event's version decides whether they are out of date. Of many simultaneous requests one
computes: the row of the stage's standings is locked while it is brought up to date.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

import structlog
from django.conf import settings
from django.db import OperationalError, connection, transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import get_language

from ledger.canonical import JsonObject
from ledger.change import open_change
from ledger.single_flight import single_flight, snapshot
from tournament.cache import lookup, store
from tournament.models import (
    COUNTING_EDITION,
    Adjustment,
    Event,
    Seat,
    Stage,
    Standings,
    StandingsState,
)
from tournament.public.marks import count_rendered
from tournament.queries.matches import (
    places_in_bracket,
    with_beaten,
)
from tournament.queries.results import Gathered, gather
from tournament.queries.stage_rule import bye_of
from tournament.queries.stage_rule import rule_of as rule_of
from tournament.queries.stage_rule import wants_points as wants_points
from tournament.ranking.canonical import input_bytes, state_hash
from tournament.ranking.clubs import ClubBy, ClubRule
from tournament.ranking.criteria import build
from tournament.ranking.model import Entrant, Row, Standing, Value
from tournament.ranking.ranking import deciders, rank
from tournament.ranking.rule_words import bye_in_words, passing_in_words
from tournament.ranking.rulejson import club_rule_from_json

from .history import history

log = structlog.get_logger(__name__)


def worth_of_bye(stage: Stage) -> str:
    """Describe the value of a bye, in the reader's words; no query."""
    rule = rule_of(stage)
    words = (
        passing_in_words()
        if stage.played_as.bracket and not stage.played_as.pools
        else bye_in_words(bye_of(stage, rule))
    )
    return words.render(get_language() or "en")


def club_rule_of(stage: Stage) -> ClubRule:
    """Return the ranking rule for clubs; by percentage where no criterion can be added up."""
    rule = club_rule_from_json(stage.club_rule)
    if rule.by is not ClubBy.PERCENTAGE and not any(
        build(used).additive for used in rule_of(stage).criteria
    ):
        return replace(rule, by=ClubBy.PERCENTAGE)
    return rule


def compute(
    stage: Stage, field: Gathered | None = None, edition: int = COUNTING_EDITION
) -> Standing:
    """Compute the standing of a stage from its signed sheets and adjustments; write nothing.

    ``edition``: an earlier edition of counting, to compare a stored standing with its records.
    """
    rule = rule_of(stage)
    field = field or gather(stage, points=wants_points(rule), edition=edition)
    places: dict[str, tuple[int, ...]] = {}
    if stage.played_as.bracket:
        field = with_beaten(stage, field, edition)
        places = places_in_bracket(stage, field, rule, edition)
    return rank(
        field.entrants,
        field.results,
        field.adjustments,
        rule,
        field.lots,
        places=places,
        carried=field.carried,
        idle_last=edition > 5,
        to_field=edition > 6,
    )


def counted_from(stage: Stage) -> dict[str, object]:
    """Return all inputs of :func:`compute` for a stage, as JSON values."""
    rule = rule_of(stage)
    field = gather(stage, points=wants_points(rule))
    places: dict[str, tuple[int, ...]] = {}
    if stage.played_as.bracket:
        field = with_beaten(stage, field)
        places = places_in_bracket(stage, field, rule)
    read = input_bytes(
        field.entrants,
        field.results,
        field.adjustments,
        field.lots,
        field.carried,
    )
    return {**json.loads(read), "places": {who: list(place) for who, place in places.items()}}


def with_all_values(current: Standings) -> Standings:
    """Complete rows stored before the bracket was a criterion with an empty value; others are unchanged."""
    if not current.stage.played_as.bracket:
        return current
    wanted = len(rule_of(current.stage).criteria)
    if current.rows and len(current.rows[0]["values"]) < wanted:
        current.rows = [
            {
                **row,
                "values": [*[None] * (wanted - len(row["values"])), *row["values"]],
                "by": None if row["by"] is None else row["by"] + wanted - len(row["values"]),
            }
            for row in current.rows
        ]
    return current


def value_json(value: Value) -> object:
    """Write a criterion's value in JSON without floats: fractions as ``"n/d"``."""
    if value is None or isinstance(value, int):
        return value
    if isinstance(value, tuple):
        return [value_json(part) for part in value]
    return str(value)


def parse_value(value: Any) -> Value:
    """Read a criterion's value from its JSON."""
    if isinstance(value, list):
        return tuple(Fraction(part) if isinstance(part, str) else part for part in value)
    return Fraction(value) if isinstance(value, str) else value


def rows_json(standing: Standing) -> list[JsonObject]:
    """Return the rows for storage and export; ``by``: index of the criterion that separates a row
    from the one above.
    """
    codes = {code: index for index, code in enumerate(standing.codes)}
    decided = [None, *(codes.get(code or "") for code in deciders(standing))]
    return [
        {
            "position": row.position,
            "rank": row.rank,
            "tied": row.tied,
            "number": row.entrant.number,
            "values": [value_json(value) for value in row.values],
            "games": row.games,
            "won": row.won,
            "drawn": row.drawn,
            "lost": row.lost,
            "credited": row.credited,
            "adjusted": row.adjusted,
            "club": row.entrant.club,
            "withdrawn": row.entrant.withdrawn,
            "excluded": row.entrant.excluded,
            "by": by,
            # Only where it is so: rows of earlier releases have no such key.
            **({"unplayed": True} if row.entrant.unplayed else {}),
        }
        for row, by in zip(standing.rows, decided, strict=False)
    ]


def changed_numbers(current: Standings) -> set[int]:
    """Return the numbers whose line shows a change by a ruling or by the director's decision of a match.

    A penalty without an amount does not show: the mark would tell the public who offended.
    """
    stage = current.stage
    numbers: set[int] = set()
    touched = {row["number"] for row in current.rows if row["adjusted"]}
    if touched:
        amounts = Q(disqualified=True) | Q(forfeited=True)
        amounts |= ~Q(marks=0) | ~Q(games_won=0) | ~Q(match_points=0)
        there = Adjustment.objects.filter(amounts, event=stage.event_id, annulled_at__isnull=True)
        numbers |= touched & set(there.values_list("entrant__number", flat=True))
    decided = Seat.objects.filter(round__stage=stage, table__decided_for__isnull=False)
    return numbers | set(decided.values_list("entrant__number", flat=True))


def standing_of(current: Standings) -> Standing:
    """Return the stored standing as the value from which needs, cuts, clubs and prizes are computed."""
    remembered = lookup(("standing", current.stage_id))
    if remembered is not None and remembered[1] is current:
        standing: Standing = remembered[2]
        return standing
    return Standing(
        rule_of(current.stage),
        tuple(
            Row(
                row["position"],
                row["rank"],
                row["tied"],
                Entrant(
                    str(row["number"]),
                    row["number"],
                    row["club"],
                    row["withdrawn"],
                    row["excluded"],
                    row.get("unplayed", False),
                ),
                tuple(parse_value(value) for value in row["values"]),
                row["games"],
                row["won"],
                row["drawn"],
                row["lost"],
                row["credited"],
                row["adjusted"],
            )
            for row in current.rows
        ),
        max((entry["round"] for entry in current.history), default=0),
    )


def rows_hold(current: Standings) -> bool:
    """Return whether the rows of a stored standing match its hash."""
    return state_hash(standing_of(current)) == current.hash


def fresh(stage: Stage) -> Standings:
    """Return the stage's standings, brought up to date first where they are not.

    If they cannot be stored (a reading node, a disk that is full), they are computed for the caller alone.
    """
    version = Event.objects.values_list("version", flat=True).get(pk=stage.event_id)
    rows = Standings.objects.filter(stage=stage)
    known = rows.values_list("version", "edition", "state").first()
    stands = known is not None and (
        known[:2] == (version, COUNTING_EDITION) or known[2] != StandingsState.PROVISIONAL
    )
    if not stands and not settings.READ_ONLY_NODE:
        try:
            return recompute(stage_id=stage.pk)
        except OperationalError as error:
            not_kept(stage, error)
    current = rows.select_related("stage__event").first()
    if current is not None and stands:
        return with_all_values(current)
    return _unsaved(stage, current, version)


def not_kept(stage: Stage, error: OperationalError) -> None:
    """Log that standings could not be stored; re-raise an error that ended the caller's transaction."""
    if connection.in_atomic_block and transaction.get_rollback():
        raise error
    log.warning("standings_not_kept", stage=str(stage.pk), error=str(error))


def _unsaved(stage: Stage, current: Standings | None, version: int) -> Standings:
    """Compute the standings without storing them, where nothing can be stored."""
    rule = rule_of(stage)
    field = gather(stage, points=wants_points(rule))
    standing = compute(stage, field)
    return Standings(
        pk=current.pk if current else None,
        stage=stage,
        rows=rows_json(standing),
        hash=state_hash(standing),
        after_round=field.rounds_closed,
        version=version,
        history=history(field, rule, standing, current.history if current else []),
        computed_at=timezone.now(),
    )


def shared(stage: Stage) -> tuple[Standings, Standing]:
    """:func:`fresh` and :func:`standing_of` for pages: read once by a process, for all who ask.

    One small query checks whether the last read is still current. Both values are shared and never
    changed; proofs and documents read for themselves.
    """
    known = (
        Standings.objects.filter(stage=stage)
        .values_list("stage__event__version", "version", "state", "hash", "computed_at")
        .first()
    )
    if known is not None and (known[0] == known[1] or known[2] != StandingsState.PROVISIONAL):
        remembered = lookup(("standing", stage.pk))
        if remembered is not None and remembered[0] == known[1:]:
            return remembered[1], remembered[2]
    current = fresh(stage)
    standing = standing_of(current)
    _share(current, standing)
    return current, standing


def _share(current: Standings, standing: Standing) -> None:
    mark = (current.version, current.state, current.hash, current.computed_at)
    store(("standing", current.stage_id), (mark, current, standing))


def recompute(*, stage_id: int, force: bool = False) -> Standings:
    """Compute the standings of a stage, once, however many call.

    Outside a transaction it does not block writes: the field is read from a snapshot, and the
    result is stored unless another process has stored a different one meanwhile.
    """
    opened = open_change()
    if opened is not None and opened.rows:
        force = True  # the version is raised at the end of the change only
    if not Standings.objects.filter(stage_id=stage_id).exists():
        Standings.objects.get_or_create(stage_id=stage_id)
    with single_flight(f"standings {stage_id}"):
        with snapshot():
            current = _locked(stage_id)
            version = current.stage.event.version
            if (
                not force
                and current.hash
                and (
                    # A process of the release before may have stored it under this version too.
                    (current.version, current.edition) == (version, COUNTING_EDITION)
                    or current.state != StandingsState.PROVISIONAL
                )
            ):
                return with_all_values(current)
            rule = rule_of(current.stage)
            # Uncommitted data must not enter the shared cache.
            frame = None if connection.in_atomic_block else current.stage.event.frame_version
            field = gather(current.stage, points=wants_points(rule), frame=frame)
        standing = compute(current.stage, field)
        count_rendered("standings")
        values = {
            "rows": rows_json(standing),
            "hash": state_hash(standing),
            "history": history(field, rule, standing, current.history),
            "after_round": field.rounds_closed,
            "version": version,
            "computed_at": timezone.now(),
            "edition": COUNTING_EDITION,
        }
        same = Standings.objects.filter(pk=current.pk, version=current.version, state=current.state)
        if not same.update(**values):
            return Standings.objects.select_related("stage__event").get(pk=current.pk)
    for name, value in values.items():
        setattr(current, name, value)
    if frame is not None:
        _share(current, standing)
    return current


def _locked(stage_id: int) -> Standings:
    """Return the row of a stage's standings; inside a transaction it is locked until its end."""
    rows = Standings.objects.select_related("stage__event").defer("rows")
    if connection.in_atomic_block:
        rows = rows.select_for_update(of=("self",), no_key=True)
    return rows.get(stage_id=stage_id)


@dataclass(frozen=True, slots=True)
class Checked:
    """Comparison of a stored standing with its records: ``same``, or the first differing row.

    ``corrected``: start numbers of rows of a published standing that a later edition of counting
    would write otherwise; it stays as it was published.
    """

    stage: Stage
    stored: str
    computed: str
    state: str
    differing: list[int] = field(default_factory=list)
    corrected: list[int] = field(default_factory=list)

    @property
    def same(self) -> bool:
        """The bytes are equal."""
        return self.stored == self.computed and not self.differing


def _moved(published: tuple[int | None, tuple[Value, ...]] | None, row: Row) -> bool:
    """Whether a row has another rank or value; a bracket came before the values of the first edition."""
    if published is None:
        return True
    rank_then, values = published
    return rank_then != row.rank or values != row.values[len(row.values) - len(values) :]


def check(stage: Stage) -> Checked | None:
    """Compute a stored, up-to-date standing again and compare; ``None`` where there is none.

    A frozen or final standing is compared as well: it differs when records changed after it was
    frozen, which is what the check is for. It is counted by the edition it was frozen under.
    """
    current = Standings.objects.select_related("stage__event").filter(stage=stage).first()
    if current is None or not current.hash:
        return None
    if current.state == StandingsState.PROVISIONAL:
        current = fresh(stage)
    standing = compute(current.stage, edition=current.edition)
    again = rows_json(standing)
    differing = [
        row["number"] for row, old in zip(again, current.rows, strict=False) if row != old
    ] or ([] if len(again) == len(current.rows) else [-1])
    corrected: list[int] = []
    if current.edition < COUNTING_EDITION:
        as_published = {row.entrant.id: (row.rank, row.values) for row in standing.rows}
        corrected = [
            row.entrant.number
            for row in compute(current.stage).rows
            if _moved(as_published.get(row.entrant.id), row)
        ]
    return Checked(stage, current.hash, state_hash(standing), current.state, differing, corrected)
