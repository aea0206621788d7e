"""A whole event as one file: versioned, checksummed, taken up elsewhere to byte-equal standings.

The file is gzipped JSON: ``{"kind": "manille-event", "format": 1, "sha256": of the content's
canonical JSON, "content": {...}}``. It holds every row of the event, signed sheets with all
versions of their deals included, and the hash of each standing. Taking it up creates the event anew
in one transaction, computes its standings from the records, and refuses the whole when a hash is
not the same. Rows keep their ids where these are unguessable ones; start numbers, not database
keys, tie standings to players, so that the bytes agree on any machine.

Rooms above the tournament add their own part with :func:`archive_part`. Links of tables and players
are made from the installation's own secret: badges and slips are printed anew there.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import uuid
import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.core.exceptions import ObjectDoesNotExist, ValidationError
from django.core.serializers.json import DjangoJSONEncoder
from django.db import DatabaseError, models, transaction
from django.utils.translation import gettext_lazy as _

from ledger import audit
from ledger.actors import Actor
from ledger.errors import Conflict, Refused
from ledger.models import Role, RoleGrant
from scoring.engine.errors import EngineError
from scoring.engine.rulebook import resolve
from scoring.links import token_hash
from scoring.models import DealVersion, OfficialResult, ScoringTable, Sheet, Signature
from scoring.services.tables import table_token
from tournament.models import (
    COUNTING_EDITION,
    Adjustment,
    Ban,
    Bye,
    Club,
    Draw,
    Entrant,
    Event,
    Lot,
    Person,
    Round,
    Seat,
    Stage,
    StageEntrant,
    Standings,
    StandingsState,
    Table,
    TableGame,
)
from tournament.standings.canonical import state_hash

from .entrants import entrant_token
from .events import locked_event
from .standings import compute, fresh, rows_json

FORMAT: Final = 1
MOST: Final = 200_000_000
"""Bytes of content at most, unpacked."""
_GZIP: Final = b"\x1f\x8b"
_NO_ARCHIVE: Final = ("not_an_archive", _("This file is not an archive of an event."))
_NOT_WHOLE: Final = (
    "archive_damaged",
    _("This archive is damaged or not whole: fetch it again from where it was made."),
)
Rows = list[dict[str, Any]]
Keys = dict[str, dict[Any, Any]]
"""Model label → key in the archive → key here."""


@dataclass(frozen=True, slots=True)
class Part:
    """What a room above puts into an archive, and how it takes it up again."""

    save: Callable[[Event], Any]
    load: Callable[[Event, Any, Keys], None]


_parts: dict[str, Part] = {}


def archive_part(
    name: str, save: Callable[[Event], Any], load: Callable[[Event, Any, Keys], None]
) -> None:
    """Register a room's own part; called when the room starts."""
    _parts[name] = Part(save, load)


def _tables(event: Event) -> list[tuple[type[models.Model], Iterable[models.Model]]]:
    """Every kind of row of an event, each after what it refers to."""
    rounds = Round.objects.filter(stage__event=event)
    sheets = Sheet.objects.filter(scope=event.pk)
    persons = Person.objects.filter(
        models.Q(entries__event=event) | models.Q(partner_entries__event=event)
    )
    return [
        (Person, persons.distinct().order_by("pk")),
        (Club, Club.objects.filter(event=event).order_by("pk")),
        (Entrant, Entrant.objects.filter(event=event).order_by("pk")),
        (Stage, Stage.objects.filter(event=event).order_by("pk")),
        (Ban, Ban.objects.filter(event=event).order_by("pk")),
        (StageEntrant, StageEntrant.objects.filter(stage__event=event).order_by("pk")),
        (Round, rounds.order_by("pk")),
        (Draw, Draw.objects.filter(round__in=rounds).order_by("pk")),
        (ScoringTable, ScoringTable.objects.filter(scope=event.pk).order_by("pk")),
        (Table, Table.objects.filter(round__in=rounds).order_by("pk")),
        (Seat, Seat.objects.filter(round__in=rounds).order_by("pk")),
        (Bye, Bye.objects.filter(round__in=rounds).order_by("pk")),
        (Sheet, sheets.order_by("pk")),
        (TableGame, TableGame.objects.filter(table__round__in=rounds).order_by("pk")),
        (DealVersion, DealVersion.objects.filter(sheet__in=sheets).order_by("pk")),
        (Signature, Signature.objects.filter(sheet__in=sheets).order_by("pk")),
        (OfficialResult, OfficialResult.objects.filter(sheet__in=sheets).order_by("pk")),
        (Adjustment, Adjustment.objects.filter(event=event).order_by("pk")),
        (Lot, Lot.objects.filter(stage__event=event).order_by("pk")),
    ]  # fmt: skip


_SECRETS: Final = {"link_hash", "token_hash", "writer", "writer_since"}


def row_of(instance: models.Model) -> dict[str, Any]:
    """The columns of a row as an archive keeps them, without what is secret."""
    return {
        field.attname: getattr(instance, field.attname)
        for field in instance._meta.concrete_fields
        if field.attname not in _SECRETS
    }


class _Exact(DjangoJSONEncoder):
    """Moments to the microsecond, which the parent cuts to the millisecond."""

    def default(self, o: Any) -> Any:
        return o.isoformat() if isinstance(o, datetime) else super().default(o)


def _plain(value: Any) -> Any:
    """The value as JSON gives it back, so that the checksum is of what will be read."""
    return json.loads(json.dumps(value, cls=_Exact))


def checksum(content: Any) -> str:
    """SHA-256 of the canonical JSON of an archive's content."""
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


@transaction.atomic
def pack(event_id: uuid.UUID) -> bytes:
    """The event as one file; one consistent picture of it."""
    event = locked_event(event_id)
    content = _plain(
        {
            "event": row_of(event),
            "rows": {
                model._meta.label: [row_of(instance) for instance in rows]
                for model, rows in _tables(event)
            },
            "standings": [
                _standing(stage)
                for stage in event.stages.select_related("event").order_by("order")
            ],
            "parts": {name: part.save(event) for name, part in sorted(_parts.items())},
        }
    )  # fmt: skip
    file = {
        "kind": "manille-event", "format": FORMAT, "sha256": checksum(content), "content": content,
    }  # fmt: skip
    # No time and no name in the gzip header: the same event gives the same file.
    return gzip.compress(json.dumps(file, ensure_ascii=False).encode(), mtime=0)


def _standing(stage: Stage) -> dict[str, Any]:
    """The hash that the records give; a frozen or final standing with the rows it was frozen at."""
    kept = fresh(stage)
    entry: dict[str, Any] = {
        "order": stage.order, "state": kept.state, "after_round": kept.after_round,
        "hash": state_hash(compute(stage)), "edition": COUNTING_EDITION,
    }  # fmt: skip
    if kept.state != StandingsState.PROVISIONAL:
        # As they are stored: pages read those of an earlier edition with a place for every value.
        kept = Standings.objects.get(stage=stage)
        entry["frozen"] = {
            "hash": kept.hash,
            "rows": kept.rows,
            "history": kept.history,
            "edition": kept.edition,
        }
    return entry


def read(file: bytes) -> dict[str, Any]:
    """The content of an archive; :class:`Refused` when it is none, damaged, or of a later format."""
    try:
        archive = json.loads(_unpacked(file))
    except (ValueError, RecursionError) as error:
        raise Refused(*_NO_ARCHIVE, field="file") from error
    if not isinstance(archive, dict) or archive.get("kind") != "manille-event":
        raise Refused(*_NO_ARCHIVE, field="file")
    made = archive.get("format")
    if isinstance(made, int) and made > FORMAT:
        raise Refused(
            "archive_too_new", _("This archive was made by a later version of the service."),
            field="file",
        )  # fmt: skip
    if made != FORMAT:
        raise Refused(*_NO_ARCHIVE, field="file")
    content = archive.get("content")
    try:
        whole = isinstance(content, dict) and checksum(content) == archive.get("sha256")
    except (ValueError, RecursionError):  # halves of letters, or deeper than can be written
        whole = False
    if not isinstance(content, dict) or not whole:
        raise Refused(
            "archive_damaged", _("This archive is damaged: its checksum does not agree."),
            field="file",
        )  # fmt: skip
    return content


def _unpacked(file: bytes) -> bytes:
    """What the gzip holds; a file that begins as one and is not whole is damaged, not foreign."""
    if not file.startswith(_GZIP):
        raise Refused(*_NO_ARCHIVE, field="file")
    unpacking = zlib.decompressobj(wbits=31)
    try:
        unpacked = unpacking.decompress(file, MOST)
    except zlib.error as error:
        raise Refused(*_NOT_WHOLE, field="file") from error
    if unpacking.unconsumed_tail:
        raise Refused("archive_too_large", _("This file is too large."), field="file")
    if not unpacking.eof or unpacking.unused_data:
        raise Refused(*_NOT_WHOLE, field="file")
    return unpacked


_CONTRADICTIONS: Final = (
    ArithmeticError, AttributeError, DatabaseError, EngineError, LookupError, ObjectDoesNotExist,
    TypeError, ValueError, ValidationError,
)  # fmt: skip
"""What a file with a right checksum and wrong content may meet on its way into the records."""


def _laid_down(content: dict[str, Any], slug: str) -> Event:
    """The event with all its rows; raises one of ``_CONTRADICTIONS`` where they make no event."""
    given = content["event"]
    if Event.objects.filter(pk=given["id"]).exists():
        raise Conflict("event_exists", _("This event is on this installation already."))
    slug = slug or given["slug"]
    if Event.objects.filter(slug=slug).exists():
        raise Refused("slug_taken", _("Another event has this address: choose one."), field="slug")
    event = Event(**{**values_of(Event, given, {}), "slug": slug})
    # The engine must know the rulebook and its switches; empty switches are not a blank field.
    resolve(event.rulebook, event.options)
    event.clean_fields(exclude=["options"])
    event.save(force_insert=True)
    keys: Keys = {}
    for model, _rows in _tables(event):
        _load(model, content["rows"].get(model._meta.label, []), keys, event)
    _renew_links(event)
    _standings(event, content["standings"])
    for name, saved in content.get("parts", {}).items():
        if name in _parts:
            _parts[name].load(event, saved, keys)
    return event


@transaction.atomic
def take_up(*, file: bytes, actor: Actor, slug: str = "") -> Event:
    """Create the event of an archive; the caller becomes its director.

    Refused when the event is here already, or when its standings come out differently.
    """
    content = read(file)
    try:
        event = _laid_down(content, slug)
    except _CONTRADICTIONS as error:
        raise Refused(
            "archive_contradicts_itself", _("This archive contradicts itself: %(what)s"),
            field="file", params={"what": str(error)[:200]},
        ) from error  # fmt: skip
    audit.append(
        scope=event.pk, actor=actor, verb="event.taken_up", subject=event,
        after={"sha256": checksum(content), "standings": content["standings"]},
    )  # fmt: skip
    if actor.kind == "user":
        RoleGrant.objects.create(user_id=int(actor.id), scope=event.pk, role=Role.DIRECTOR)
    return event


def values_of(model: type[models.Model], row: dict[str, Any], keys: Keys) -> dict[str, Any]:
    """The columns of a row, keys of other rows replaced by those they have here."""
    values: dict[str, Any] = {}
    for field in model._meta.concrete_fields:
        if field.attname not in row:
            continue
        value = row[field.attname]
        if field.is_relation and value is not None and field.related_model is not None:
            known = keys.get(field.related_model._meta.label)
            value = known[str(value)] if known is not None else value
        elif not field.is_relation and not isinstance(field, models.JSONField):
            value = field.to_python(value)
        values[field.attname] = value
    return values


def _drawn_here(draw: dict[str, Any], entrants: dict[Any, Any]) -> dict[str, Any]:
    """The columns of a draw that hold keys of entrants, each draw before an edit included."""

    def here(key: Any) -> Any:
        return None if key is None else entrants[str(key)]

    def seated(part: dict[str, Any]) -> dict[str, Any]:
        return {
            "tables": [
                {
                    **table, "players": [here(key) for key in table["players"]],
                    "scorekeeper": here(table["scorekeeper"]), "dealer": here(table["dealer"]),
                }
                for table in part["tables"]
            ],
            "byes": [here(key) for key in part["byes"]],
            "held": [here(key) for key in part["held"]],
        }  # fmt: skip

    edits = [
        {**edit, "before": {**edit["before"], **seated(edit["before"])}} for edit in draw["edits"]
    ]
    return {**seated(draw), "edits": edits}


def _load(model: type[models.Model], rows: Rows, keys: Keys, event: Event) -> None:
    auto = isinstance(model._meta.pk, models.AutoField)
    keys.setdefault("tournament.Event", {})[str(event.pk)] = event.pk
    mine = keys.setdefault(model._meta.label, {})
    made = []
    # A person may be here already, from another event: he is not changed, and entered anew.
    here = set(Person.objects.values_list("pk", flat=True)) if model is Person else set()
    for row in rows:
        values = values_of(model, row, keys)
        if values.get("id") in here:
            values["id"] = uuid.uuid4()
        if model is Sheet:
            entrants = keys["tournament.Entrant"]
            values["seats"] = {seat: entrants[str(pk)] for seat, pk in row["seats"].items()}
        if model is Draw:
            values |= _drawn_here(row, keys["tournament.Entrant"])
        if model is Round:
            # Nothing publishes itself here because of a clock that was set elsewhere.
            values |= {"publish_at": None, "publish_draw_id": None}
        if auto:
            values.pop(model._meta.pk.attname, None)
        made.append(model(**values))
    kept_times = {
        field.attname: [getattr(item, field.attname) for item in made]
        for field in model._meta.concrete_fields
        if getattr(field, "auto_now", False) or getattr(field, "auto_now_add", False)
    }
    model._default_manager.bulk_create(made, batch_size=400)
    for name, times in kept_times.items():
        for item, moment in zip(made, times, strict=True):
            setattr(item, name, moment)
        if made:
            # Creation stamps the present moment; the archive knows the true one.
            model._default_manager.bulk_update(made, [name], batch_size=400)
    for row, item in zip(rows, made, strict=True):
        mine[str(row[model._meta.pk.attname])] = item.pk


def _renew_links(event: Event) -> None:
    tables = list(ScoringTable.objects.filter(scope=event.pk))
    for table in tables:
        table.token_hash = token_hash(table_token(table))
    ScoringTable.objects.bulk_update(tables, ["token_hash"], batch_size=400)
    entrants = list(event.entrants.select_related("event"))
    for entrant in entrants:
        entrant.link_hash = token_hash(entrant_token(entrant))
    Entrant.objects.bulk_update(entrants, ["link_hash"], batch_size=400)


def _standings(event: Event, stated: list[dict[str, Any]]) -> None:
    """Compute every standing and hold it to the hash that the archive states.

    It is held to it by the edition of counting that made it; what is provisional is then counted
    by the newest.
    """
    for entry in stated:
        stage = event.stages.select_related("event").get(order=entry["order"])
        if state_hash(compute(stage, edition=entry.get("edition", 1))) != entry["hash"]:
            raise Refused(
                "standings_differ",
                _("The standings of %(stage)s come out differently from its records: nothing was taken up."),
                field="file", params={"stage": stage.title},
            )  # fmt: skip
        kept = entry.get("frozen")
        if kept is None:
            standing = compute(stage)
            kept = {
                "hash": state_hash(standing),
                "rows": rows_json(standing),
                "edition": COUNTING_EDITION,
            }
        Standings.objects.create(
            stage=stage,
            state=entry["state"],
            after_round=entry["after_round"],
            version=event.version,
            **kept,
        )
