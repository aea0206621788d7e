"""Incidents, rulings with all versions, appeals and the penal code in the archive of an event.

What a ruling did to sheets and entrants travels with them (deal versions, adjustments, games that
do not count); here travels why. Staff are known by their account, which another installation does
not have: there they are somebody else's staff, told apart from each other and from its own.
"""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError
from django.db import IntegrityError, models
from django.utils.translation import gettext_lazy as _

from adjudication.models import (
    Appeal,
    Confirmation,
    Incident,
    PenalCode,
    RuledDeal,
    Ruling,
    RulingVersion,
)
from adjudication.penal import PenalCodeError
from adjudication.queries.codes import code_of, read
from ledger.actors import Actor
from ledger.canonical import JsonObject
from ledger.errors import Refused
from tournament.models import Event
from tournament.services.archive import Keys, row_of, values_of

_RULING = {
    "made_by",
    "opened_by",
    "taken_by",
    "handed_by",
    "closed_by",
    "referee",
    "second",
    "lodged_by",
    "heard_by",
}
ACTORS = _RULING | {"proposed_by", "decided_by"}
"""The columns that say who did it."""


def _rows(event: Event) -> list[tuple[type[models.Model], Any]]:
    """Return every kind of row, each after the rows it refers to."""
    return [
        (PenalCode, PenalCode.objects.filter(event=event).order_by("number")),
        (Incident, Incident.objects.filter(event=event).order_by("number")),
        (Ruling, Ruling.objects.filter(event=event).order_by("number")),
        (
            RulingVersion,
            RulingVersion.objects.filter(ruling__event=event).order_by("ruling__number", "number"),
        ),
        (Confirmation, Confirmation.objects.filter(event=event).order_by("proposed_at", "pk")),
        (Appeal, Appeal.objects.filter(ruling__event=event).order_by("lodged_at", "pk")),
        (RuledDeal, RuledDeal.objects.filter(sheet__scope=event.pk).order_by("sheet", "number")),
    ]


def save(event: Event) -> dict[str, list[JsonObject]]:
    """Return this room's part of an archive: rows by model label."""
    return {model._meta.label: [row_of(row) for row in rows] for model, rows in _rows(event)}


def load(event: Event, saved: Any, keys: Keys) -> None:
    """Take up what :func:`save` gave. Raises :class:`Refused` when it contradicts itself."""
    try:
        for model, _existing in _rows(event):
            _load(model, saved.get(model._meta.label, []), keys)
        _check_codes(event)
    except (
        AttributeError,
        KeyError,
        TypeError,
        ValueError,
        ValidationError,
        IntegrityError,
        PenalCodeError,
    ) as error:
        raise Refused(
            "archive_contradicts_itself",
            _("This archive contradicts itself: %(what)s"),
            field="file",
            params={"what": str(error)[:200]},
        ) from error


def _check_codes(event: Event) -> None:
    """Check that every number of the penal code, and the club's own rules, can be read unchanged here."""
    code_of(event)
    for row in PenalCode.objects.filter(event=event):
        if read(event, row).fingerprint != row.fingerprint:
            raise Refused(
                "penal_code_differs",
                _(
                    "The penal code in this archive differs from the one here: nothing was imported."
                ),
                field="file",
            )


def _load(model: type[models.Model], rows: list[JsonObject], keys: Keys) -> None:
    entrants = keys["tournament.Entrant"]
    mine = keys.setdefault(model._meta.label, {})
    loaded = []
    for row in rows:
        values = values_of(model, {**row, "call_id": None}, keys)
        for name in ACTORS & set(values):
            values[name] = actor_here(values[name], entrants)
        if "members" in values:
            values["members"] = [actor_here(each, entrants) for each in values["members"]]
        if model is Incident:
            values["seats"] = {seat: entrants[str(pk)] for seat, pk in row["seats"].items()}
        if model in (RulingVersion, Confirmation):
            values["context"] = _context(row["context"], entrants)
        if isinstance(model._meta.pk, models.AutoField):
            values.pop(model._meta.pk.attname, None)
        loaded.append(model(**values))
    model._default_manager.bulk_create(loaded, batch_size=400)
    for row, item in zip(rows, loaded, strict=True):
        mine[str(row[model._meta.pk.attname])] = item.pk


def _context(context: JsonObject, entrants: dict[object, object]) -> JsonObject:
    """Return the context of a ruling's version, with the entrants' keys translated to local keys."""
    game = dict(context["game"])
    if game.get("offender") is not None:
        game["offender"] = str(entrants[str(game["offender"])])
    if "teams" in game:
        game["teams"] = {
            side: " ".join(sorted(str(entrants[each]) for each in team.split()))
            for side, team in game["teams"].items()
        }
    return {**context, "game": game}


def actor_here(text: str, entrants: dict[Any, Any]) -> str:
    """Return the local actor for an actor of the archive."""
    return str(Actor.parse(text).taken_up(entrants)) if text else text
