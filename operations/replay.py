"""The official state of an event, rebuilt from its append-only record alone, and compared.

Two independent records are replayed from first to last entry. The record of rows is rebuilt as
tables in an empty database (:mod:`operations.rebuild`); every row must equal, byte for byte as
canonical JSON, the served row. In the rebuilt database the engine then scores every deal again,
every result is added up and every standing ranked again; these must equal the served standings.
The audit entries record deals, results, adjustments and entrants in their own form, and these must
equal the tables as well. An event that was imported from an archive has records from elsewhere,
which are missing from the audit entries; these are only counted.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from typing import Any

from django.core.exceptions import ValidationError
from django.db import IntegrityError

from ledger.audit import breaks
from ledger.canonical import JsonObject, canonical_json
from ledger.models import AuditEntry
from ledger.rows import beside_faults
from operations.rebuild import empty_database, rebuild, tables, tables_served
from operations.routing import reading
from tournament.models import Adjustment, Entrant, Event, Stage, Standings, StandingsState
from tournament.models.tables import DealVersion, OfficialResult
from tournament.queries.standings import compute, fresh, rows_json
from tournament.ranking.canonical import state_hash
from tournament.ranking.model import Standing
from tournament.tables.score_sheet import ScoreSheet

Key = tuple[Any, ...]
AMOUNTS = ("marks", "games_won", "match_points", "penalties", "disqualified", "forfeited")


@dataclass(slots=True)
class State:
    """Official state by kind and key; values are JSON."""

    deals: dict[Key, object] = field(default_factory=dict)
    results: dict[Key, object] = field(default_factory=dict)
    adjustments: dict[Key, object] = field(default_factory=dict)
    entrants: dict[Key, Any] = field(default_factory=dict)

    def kinds(self) -> dict[str, dict[Key, object]]:
        """Return the contents of the state by kind."""
        return {
            "deal": self.deals,
            "result": self.results,
            "adjustment": self.adjustments,
            "entrant": self.entrants,
        }


@dataclass(slots=True)
class ReplayReport:
    """Findings of a replay: the numbers of compared items, and every difference as a sentence."""

    entries: int = 0
    compared: dict[str, int] = field(default_factory=dict)
    brought: int = 0
    rows_read: int = 0
    rebuilt: int = 0
    state: str = ""
    differences: list[str] = field(default_factory=list)
    standings: dict[str, str] = field(default_factory=dict)


def recorded_state(event: Event) -> tuple[State, int, bool]:
    """Return the state recorded in the chain, its number of entries, and whether an archive began it."""
    state, count, archive = State(), 0, False
    for entry in AuditEntry.objects.filter(scope=event.pk).order_by("sequence").iterator(2000):
        count += 1
        archive = archive or entry.verb == "event.taken_up"
        _follow(state, entry)
    return state, count, archive


def _follow(state: State, entry: AuditEntry) -> None:
    after: JsonObject = entry.after or {}
    match entry.verb:
        case "deal.entered" | "deal.corrected":
            key = (after["sheet"], after["series"], after["number"])
            state.deals[key] = {
                name: after[name] for name in ("version", "entry", "infractions", "marks")
            }
        case "sheet.official":
            state.results[(entry.object_id,)] = {
                "number": after["number"],
                "version": after["version"],
                "result": after["result"],
            }
        case "sheet.reopened" | "sheet.replayed":
            state.results.pop((entry.object_id,), None)
        case "standing.adjusted":
            for key in [key for key in state.adjustments if key[0] == after["source"]]:
                del state.adjustments[key]
            for amount in after["amounts"]:
                key = (after["source"], amount["entrant"], entry.object_id)
                state.adjustments[key] = {
                    # Entries of earlier releases know no forfeited rounds.
                    name: amount.get(name, False) if name == "forfeited" else amount[name]
                    for name in AMOUNTS
                }
        case "adjustment.annulled":
            for key in [key for key in state.adjustments if key[0] == after["source"]]:
                del state.adjustments[key]
        case "entrants.imported":
            for pk, number, _person in after["entrants"]:
                state.entrants[(pk,)] = {"number": number, "state": "registered"}
        case "entrant.entered" | "entrant.unmerged":
            state.entrants[(int(entry.object_id),)] = {
                "number": after["number"],
                "state": after["state"],
            }
        case "entrant.corrected":
            place = (int(entry.object_id),)
            state.entrants[place] = {**state.entrants.get(place, {}), "number": after["number"]}
        case "entrant.removed":
            state.entrants.pop((int(entry.object_id),), None)
        case "entrants.checked_in":
            for pk in after["entrants"]:
                state.entrants[(pk,)] = {**state.entrants.get((pk,), {}), "state": "present"}
        case _:
            if entry.object_type == "entrant" and "state" in after:
                place = (int(entry.object_id),)
                state.entrants[place] = {**state.entrants.get(place, {}), "state": after["state"]}


def held(event: Event) -> State:
    """Return the same state, read from the tables of the database."""
    state = State()
    for deal in DealVersion.objects.filter(sheet__scope=event.pk, current=True).iterator(2000):
        state.deals[(str(deal.sheet_id), deal.series, deal.number)] = {
            "version": deal.version,
            "entry": deal.entry,
            "infractions": deal.infractions,
            "marks": deal.marks,
        }
    for result in OfficialResult.objects.filter(sheet__scope=event.pk, current=True).iterator(2000):
        state.results[(str(result.sheet_id),)] = {
            "number": result.number,
            "version": result.sheet_version,
            "result": result.result,
        }
    for row in Adjustment.objects.filter(event=event, annulled_at__isnull=True):
        key = (row.source, row.entrant_id, str(row.stage_id))
        state.adjustments[key] = {name: getattr(row, name) for name in AMOUNTS}
    for entrant in Entrant.objects.filter(event=event):
        state.entrants[(entrant.pk,)] = {"number": entrant.number, "state": entrant.state}
    return state


def replay(event: Event, database: str = "") -> ReplayReport:
    """Rebuild the event, in an own file or the empty database at ``database``, and compare.

    An outcome without differences is a proof. Raises NotEmpty for a database that holds an event.
    """
    outcome = ReplayReport()
    outcome.differences += [f"chain, entry {at.sequence}: {at.reason}" for at in breaks(event.pk)]
    outcome.differences += beside_faults(event.pk)
    _hear_the_entries(event, outcome)
    for stage in Stage.objects.filter(event=event):
        fresh(stage)
    with empty_database(database) as alias:
        try:
            outcome.rows_read = rebuild(event.pk, alias)
        except (IntegrityError, ValidationError) as error:
            outcome.differences.append(f"the record cannot be rebuilt: {error}")
            return outcome
        _compare_tables(event, alias, outcome)
        with reading(alias):
            _rescore(event, outcome)
            ranked = {stage.pk: compute(stage) for stage in Stage.objects.filter(event=event)}
        _compare_standings(event, ranked, outcome)
    return outcome


def _hear_the_entries(event: Event, outcome: ReplayReport) -> None:
    """Compare the state recorded in the audit entries with the tables."""
    chain, outcome.entries, archive = recorded_state(event)
    tables = held(event)
    for kind, wanted in chain.kinds().items():
        there = tables.kinds()[kind]
        outcome.compared[kind] = len(wanted)
        for key in sorted(set(wanted) | set(there), key=str):
            if key not in wanted and archive:
                outcome.brought += 1
            elif canonical_json(wanted.get(key)) != canonical_json(there.get(key)):
                outcome.differences.append(
                    f"{kind} {' '.join(map(str, key))}: the chain says "
                    f"{canonical_json(wanted.get(key))}, the records {canonical_json(there.get(key))}"
                )


def _compare_tables(event: Event, alias: str, outcome: ReplayReport) -> None:
    """Compare every rebuilt official row with the served row."""
    rebuilt, served = tables(event.pk, alias), tables_served(event.pk)
    outcome.rebuilt = len(rebuilt)
    outcome.state = hashlib.sha256(
        canonical_json([[*key, row] for key, row in sorted(rebuilt.items())]).encode()
    ).hexdigest()
    for label, key in sorted(rebuilt.keys() | served.keys()):
        mine, theirs = rebuilt.get((label, key)), served.get((label, key))
        if mine == theirs:
            continue
        if mine is None or theirs is None:
            fault = "not in the record" if mine is None else "gone from the tables"
            outcome.differences.append(f"{label} {key}: {fault}")
            continue
        one, other = json.loads(mine), json.loads(theirs)
        for name in sorted(one.keys() | other.keys()):
            if one.get(name) != other.get(name):
                outcome.differences.append(
                    f"{label} {key}, {name}: the record says {canonical_json(one.get(name))}, "
                    f"the table holds {canonical_json(other.get(name))}"
                )


def _compare_standings(event: Event, ranked: dict[int, Standing], outcome: ReplayReport) -> None:
    """Compare the standings ranked in the rebuilt database with the served standings."""
    for standings in Standings.objects.filter(stage__event=event).select_related("stage"):
        outcome.standings[standings.stage.name] = standings.hash
        again = ranked.get(standings.stage_id)
        if standings.state != StandingsState.PROVISIONAL or not standings.hash or again is None:
            continue
        computed = state_hash(again)
        if computed != standings.hash or canonical_json(rows_json(again)) != canonical_json(
            standings.rows
        ):
            outcome.differences.append(
                f"standing of {standings.stage.name}: stored {standings.hash}, ranked again {computed}"
            )


def _rescore(event: Event, outcome: ReplayReport) -> None:
    """Score every deal again with the engine, and sum up every official sheet."""
    deals = DealVersion.objects.filter(
        sheet__scope=event.pk, current=True, series="official"
    ).select_related("sheet__table")
    for deal in deals.iterator(500):
        marks = ScoreSheet(deal.sheet).score(deal.entry, deal.infractions).marks
        if canonical_json(deal.marks) != canonical_json(marks):
            outcome.differences.append(
                f"deal {deal.sheet_id} {deal.number}: scored again {marks}, stored {deal.marks}"
            )
    results = OfficialResult.objects.filter(sheet__scope=event.pk, current=True).select_related(
        "sheet__table"
    )
    for result in results.iterator(500):
        again = ScoreSheet(result.sheet).result()
        if canonical_json(result.result) != canonical_json(again):
            outcome.differences.append(
                f"result {result.sheet_id}: added up again {again}, stored {result.result}"
            )
    outcome.compared["scored again"] = deals.count()
