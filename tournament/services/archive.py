"""A whole event as one file: versioned, checksummed, taken up elsewhere to byte-equal standings.

The file is gzipped JSON: ``{"kind": "manille-event", "format": 2, "sha256": of the content's
canonical JSON, "signature": of the installation (:mod:`ledger.signing`) on these three, "content":
{...}}``. It holds every row of the event, signed sheets with all versions of their deals included, its
journal, and each standing with its hash and all that it was counted from, so that an outsider can
check it (``manille_check.py``). Importing it creates the event again
in one transaction, computes its standings from the records, and refuses the whole when a hash is
not the same. Rows keep their ids where these are unguessable ones; start numbers, not database
keys, tie standings to players, so that the bytes agree on any machine.

An event that is here already is taken up as a copy: the same rows under keys of their own.

Rooms above the tournament add their own part (:mod:`tournament.signals`). Links of tables and players
are made from the installation's own secret: badges and slips are printed again there.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
import uuid
import zlib
from collections.abc import Iterable
from datetime import datetime
from typing import Any, Final

from django.core.exceptions import ObjectDoesNotExist, ValidationError
from django.core.serializers.json import DjangoJSONEncoder
from django.core.validators import validate_email
from django.db import DatabaseError, models
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.models import Role, RoleGrant
from ledger import audit, signing
from ledger.actors import Actor
from ledger.canonical import JsonObject
from ledger.change import change
from ledger.depth import values_in
from ledger.errors import Conflict, Refused
from ledger.models import AuditEntry
from ledger.verbs import verb
from scoring.engine.errors import EngineError
from scoring.engine.rulebook import resolve
from tournament.models import (
    COUNTING_EDITION,
    Adjustment,
    Ban,
    Bye,
    Club,
    Draw,
    Entrant,
    Event,
    EventLogo,
    Lot,
    Person,
    Round,
    Seat,
    Stage,
    StageEntrant,
    Standings,
    StandingsState,
    Table,
)
from tournament.models.columns import To, erased, left_out
from tournament.models.entrants import new_salt
from tournament.models.tables import DealVersion, OfficialResult, Sheet, Signature
from tournament.queries.rulebooks import book_of
from tournament.queries.standings import compute, counted_from, fresh, rows_hold, rows_json
from tournament.ranking.canonical import standing_bytes, state_hash
from tournament.signals import answers, event_packed, event_unpacked
from tournament.tables.links import entrant_token, table_token, token_hash

from .events import free_slug, locked_event
from .logos import require_kept

audit.name_verbs("event", taken_up=_("Event imported from an archive"))

FORMAT: Final = 2
MOST: Final = 200_000_000
"""Bytes of content at most, unpacked."""
MOST_VALUES: Final = 6_000_000
"""Values at most, which take 90 bytes each: two rounds and a half of 544 players hold 1.1 million."""
_GZIP: Final = b"\x1f\x8b"
_UUID: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_NO_ARCHIVE: Final = ("not_an_archive", _("This file is not an archive of an event."))
_NOT_WHOLE: Final = (
    "archive_damaged",
    _("This archive is damaged or incomplete: download it again from where it was made."),
)
Rows = list[JsonObject]
Keys = dict[str, dict[Any, Any]]
"""Model label → key in the archive → key here."""


def _tables(event: Event) -> list[tuple[type[models.Model], Iterable[models.Model]]]:
    """Yield every kind of row of an event, each after the rows it refers to."""
    rounds = Round.objects.filter(stage__event=event)
    sheets = Sheet.objects.filter(scope=event.pk)
    persons = Person.objects.filter(
        models.Q(entries__event=event) | models.Q(partner_entries__event=event)
    )
    return [
        (Person, persons.distinct().order_by("pk")),
        (EventLogo, EventLogo.objects.filter(event=event)),
        (Club, Club.objects.filter(event=event).order_by("pk")),
        (Entrant, Entrant.objects.filter(event=event).order_by("pk")),
        (Stage, Stage.objects.filter(event=event).order_by("pk")),
        (Ban, Ban.objects.filter(event=event).order_by("pk")),
        (StageEntrant, StageEntrant.objects.filter(stage__event=event).order_by("pk")),
        (Round, rounds.order_by("pk")),
        (Draw, Draw.objects.filter(round__in=rounds).order_by("pk")),
        (Table, Table.objects.filter(scope=event.pk).order_by("pk")),
        (Seat, Seat.objects.filter(round__in=rounds).order_by("pk")),
        (Bye, Bye.objects.filter(round__in=rounds).order_by("pk")),
        (Sheet, sheets.order_by("pk")),
        (DealVersion, DealVersion.objects.filter(sheet__in=sheets).order_by("pk")),
        (Signature, Signature.objects.filter(sheet__in=sheets).order_by("pk")),
        (OfficialResult, OfficialResult.objects.filter(sheet__in=sheets).order_by("pk")),
        (Adjustment, Adjustment.objects.filter(event=event).order_by("pk")),
        (Lot, Lot.objects.filter(stage__event=event).order_by("pk")),
    ]


_SECRETS: Final = {"token_hash", "writer", "writer_since"}
"""Columns of a table that do not leave: its key, and which phone writes."""
_ACTORS: Final = {"entered_by", "made_by", "signed_by"}
"""The columns that say who did it."""


def row_of(instance: models.Model) -> JsonObject:
    """Return the columns of a row for an archive, without those excluded from it."""
    return {
        field.attname: getattr(instance, field.attname)
        for field in instance._meta.concrete_fields
        if field.attname not in _SECRETS and field.name not in left_out(type(instance), To.ARCHIVE)
    }


class _Exact(DjangoJSONEncoder):
    """Moments to the microsecond, which the parent cuts to the millisecond; bytes as base64."""

    def default(self, o: object) -> object:
        if isinstance(o, bytes | memoryview):
            return base64.b64encode(o).decode("ascii")
        return o.isoformat() if isinstance(o, datetime) else super().default(o)


def _plain(value: Any) -> Any:
    """Return the value after a round trip through JSON, so that the checksum is that of the later reader."""
    return json.loads(json.dumps(value, cls=_Exact))


def checksum(content: object) -> str:
    """SHA-256 of the canonical JSON of an archive's content."""
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def pack(event_id: uuid.UUID) -> bytes:
    """Return the event as one file; one consistent picture of it."""
    file = sealed(_plain(_picture(event_id)))
    # No time and no name in the gzip header: the same event gives the same file.
    return gzip.compress(json.dumps(file, ensure_ascii=False).encode(), mtime=0)


@change()
def _picture(event_id: uuid.UUID) -> JsonObject:
    """Read all rows of an archive under the event's lock; they are serialised after its release."""
    event = locked_event(event_id)
    return {
        "event": row_of(event),
        "rows": {
            model._meta.label: [row_of(instance) for instance in rows]
            for model, rows in _tables(event)
        },
        "standings": [
            _standing(stage) for stage in event.stages.select_related("event").order_by("order")
        ],
        "parts": dict(sorted(answers(event_packed, event=event))),
        "journal": audit.as_json(event.pk),
    }


def sealed(content: JsonObject) -> JsonObject:
    """Write a whole archive of ``content``: with its checksum, signed by this installation."""
    head = {"kind": "manille-event", "format": FORMAT, "sha256": checksum(content)}
    return {**head, "signature": signing.signature(head), "content": content}


def _standing(stage: Stage) -> JsonObject:
    """Return the standing by the records, with its inputs.

    A frozen or final one is there with the rows that it was frozen at, too.
    """
    standings = fresh(stage)
    counted = compute(stage)
    entry: JsonObject = {
        "order": stage.order,
        "state": standings.state,
        "after_round": standings.after_round,
        "hash": state_hash(counted),
        "edition": COUNTING_EDITION,
        "standing": json.loads(standing_bytes(counted)),
        "input": counted_from(stage),
    }
    if standings.state != StandingsState.PROVISIONAL:
        # As they are stored: pages read those of an earlier edition with a place for every value.
        standings = Standings.objects.get(stage=stage)
        entry["frozen"] = {
            "hash": standings.hash,
            "rows": standings.rows,
            "history": standings.history,
            "edition": standings.edition,
            "settled_at": standings.settled_at and standings.settled_at.isoformat(),
            "replaced": standings.replaced,
        }
    return entry


def read(file: bytes) -> JsonObject:
    """Return the content of an archive; :class:`Refused` as by :func:`open_archive`."""
    return open_archive(file)[0]


def open_archive(file: bytes) -> tuple[JsonObject, str]:
    """Return the content of an archive and its signing key, empty for an unsigned one.

    Raises:
        Refused: when it is no archive, damaged, of a later format, or not signed by who it says.
    """
    try:
        archive = json.loads(_unpacked(file))
    except (ValueError, RecursionError) as error:
        raise Refused(*_NO_ARCHIVE, field="file") from error
    if not isinstance(archive, dict) or archive.get("kind") != "manille-event":
        raise Refused(*_NO_ARCHIVE, field="file")
    version = archive.get("format")
    if isinstance(version, int) and version > FORMAT:
        raise Refused(
            "archive_too_new",
            _("This archive was made by a later version of the service."),
            field="file",
        )
    if version == 1:
        raise Refused(
            "archive_too_old",
            _(
                "A release before 1.0 made this archive: import it into release 1.0.1 and download it again there."
            ),
            field="file",
        )
    if version != FORMAT:
        raise Refused(*_NO_ARCHIVE, field="file")
    content = archive.get("content")
    try:
        whole = isinstance(content, dict) and checksum(content) == archive.get("sha256")
    except (ValueError, RecursionError):  # halves of letters, or deeper than can be written
        whole = False
    if not isinstance(content, dict) or not whole:
        raise Refused(
            "archive_damaged",
            _("This archive is damaged: its checksum does not agree."),
            field="file",
        )
    try:
        key = signing.signer({name: value for name, value in archive.items() if name != "content"})
    except (signing.WrongSignature, RecursionError) as error:
        raise Refused(
            "archive_signature_wrong",
            _("The signature of this archive does not match its content: nothing was imported."),
            field="file",
        ) from error
    return content, key


def _unpacked(file: bytes) -> bytes:
    """Decompress the gzip; a file that begins as one and is not whole is damaged, not foreign."""
    if not file.startswith(_GZIP):
        raise Refused(*_NO_ARCHIVE, field="file")
    unpacking = zlib.decompressobj(wbits=31)
    try:
        unpacked = unpacking.decompress(file, MOST)
    except zlib.error as error:
        raise Refused(*_NOT_WHOLE, field="file") from error
    if unpacking.unconsumed_tail or values_in(unpacked) > MOST_VALUES:
        raise Refused("archive_too_large", _("This file is too large."), field="file")
    if not unpacking.eof or unpacking.unused_data:
        raise Refused(*_NOT_WHOLE, field="file")
    return unpacked


_CONTRADICTIONS: Final = (
    ArithmeticError,
    AttributeError,
    DatabaseError,
    EngineError,
    LookupError,
    ObjectDoesNotExist,
    TypeError,
    ValueError,
    ValidationError,
)
"""Errors of a file with a right checksum and wrong content on its way into the records."""


def copy_name(name: str) -> str:
    """Propose a name for the copy of an event."""
    return gettext("%(name)s (copy)") % {"name": name[:100]}


def _with_own_keys(content: JsonObject) -> JsonObject:
    """Replace the unguessable key of each row by a new one, in every reference.

    Persons are left out: on creation, a person who exists here gets a new key.
    """
    rows = {**content["rows"], "tournament.Person": []}
    listed = [*rows.values()]
    listed += [rows for part in content.get("parts", {}).values() for rows in part.values()]
    named = [content["event"]["id"], *(row.get("id") for rows in listed for row in rows)]
    keys = {key: str(uuid.uuid4()) for key in named if _UUID.fullmatch(str(key))}
    # The journal is not restored, so it is not searched for keys.
    text = json.dumps({name: part for name, part in content.items() if name != "journal"})
    own: JsonObject = json.loads(_UUID.sub(lambda match: keys.get(match[0], match[0]), text))
    return own


def _laid_down(content: JsonObject, slug: str) -> Event:
    """Create the event with all its rows; raise one of ``_CONTRADICTIONS`` where they make no event."""
    given = content["event"]
    if Event.objects.filter(pk=given["id"]).exists():
        raise Conflict(
            "event_exists",
            _("“%(name)s” is already on this installation: import it as a copy."),
            params={"name": given["name"]},
        )
    slug = slug or given["slug"]
    if Event.objects.filter(slug=slug).exists():
        raise Refused(
            "slug_taken", _("Another event has this address: choose another."), field="slug"
        )
    event = Event(**{**values_of(Event, given, {}), "slug": slug})
    # The engine must know the rulebook and its switches.
    resolve(event.rulebook, event.options)
    event.clean_fields()
    if book_of(event).key != event.rulebook:
        raise ValueError("house_rules")
    event.save(force_insert=True)
    keys: Keys = {}
    for model, _rows in _tables(event):
        _load(model, content["rows"].get(model._meta.label, []), keys, event)
    _require_logo(event)
    _renew_links(event)
    _standings(event, content["standings"])
    event_unpacked.send(sender=None, event=event, parts=content.get("parts", {}), keys=keys)
    return event


@verb("archives_take-up", Event, "event.create", at="", statuses={Event: 201})
def take_up(
    *, file: bytes, actor: Actor, slug: str = "", name: str = "", copy: bool = False
) -> Event:
    """Import the event of an archive; refused when its standings come out differently.

    One that is here already is refused with `event_exists`, unless `copy` is set.
    """
    # The caller becomes its director. A copy has its own keys and a name that marks it as a copy;
    # it is absent from the public lists and closed to registration.
    content, key = open_archive(file)
    try:
        laid = content
        if copy:
            laid = _with_own_keys(content)
            name = name or copy_name(content["event"]["name"])
            laid["event"] |= {"name": name, "hidden": True, "registration": False}
            slug = slug or free_slug(name)
        event = _laid_down(laid, slug)
    except _CONTRADICTIONS as error:
        raise Refused(
            "archive_contradicts_itself",
            _("This archive contradicts itself: %(what)s"),
            field="file",
            params={"what": str(error)[:200]},
        ) from error
    audit.append(
        event,
        "event.taken_up",
        actor,
        after={
            "sha256": checksum(content),
            "signed_by": key,
            **({"copy_of": content["event"]["id"]} if copy else {}),
            "standings": [
                {name: value for name, value in entry.items() if name not in ("standing", "input")}
                for entry in content["standings"]
            ],
        },
    )
    if actor.kind == "user":
        RoleGrant.objects.create(user_id=int(actor.id), scope=event.pk, role=Role.DIRECTOR)
    return event


def signed_by(event: Event) -> str | None:
    """Return the signing key of an imported event: empty for an unsigned archive; None: opened here."""
    entries = AuditEntry.objects.filter(scope=event.pk, verb="event.taken_up")
    opened = entries.order_by("sequence").values_list("after", flat=True).first()
    return None if opened is None else str(opened.get("signed_by", ""))


def values_of(model: type[models.Model], row: JsonObject, keys: Keys) -> JsonObject:
    """Return the columns of a row, with keys of other rows replaced by their new ones."""
    values: JsonObject = {}
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


def _drawn_here(draw: JsonObject, entrants: dict[object, object]) -> JsonObject:
    """Return the columns of a draw that hold keys of entrants, each draw before an edit included."""

    def here(key: object) -> object:
        return None if key is None else entrants[str(key)]

    def seated(part: JsonObject) -> JsonObject:
        return {
            "tables": [
                {
                    **table,
                    "players": [here(key) for key in table["players"]],
                    "scorekeeper": here(table["scorekeeper"]),
                    "dealer": here(table["dealer"]),
                }
                for table in part["tables"]
            ],
            "byes": [here(key) for key in part["byes"]],
            "held": [here(key) for key in part["held"]],
        }

    edits = [
        {**edit, "before": {**edit["before"], **seated(edit["before"])}} for edit in draw["edits"]
    ]
    return {**seated(draw), "edits": edits}


def _load(model: type[models.Model], rows: Rows, keys: Keys, event: Event) -> None:
    auto = isinstance(model._meta.pk, models.AutoField)
    keys.setdefault("tournament.Event", {})[str(event.pk)] = event.pk
    mine = keys.setdefault(model._meta.label, {})
    created = []
    # A person may be here already, from another event: they are not changed, and created again.
    here = dict(Person.objects.values_list("pk", "erased_at")) if model is Person else {}
    for row in rows:
        values = values_of(model, row, keys)
        if values.get("id") in here:
            if erased_at := here[values["id"]]:
                # A person erased here since the archive was made stays erased.
                values |= erased() | {"erased_at": erased_at}
            values["id"] = uuid.uuid4()
        if model is Draw:
            values |= _drawn_here(row, keys["tournament.Entrant"])
        if model is Round:
            # Nothing publishes itself here because of a clock that was set elsewhere.
            values |= {"publish_at": None, "publish_draw_id": None}
        if model is Person:
            values["member_id"] = None
            values["salt"] = new_salt() if values.get("name") else ""
            if values.get("email"):
                validate_email(values["email"])
        if "scope" in values:
            # All rows belong to the created event, whatever scope the file names.
            values["scope"] = event.pk
        for name in _ACTORS & set(values):
            if values[name]:
                actor = Actor.parse(values[name]).taken_up(keys["tournament.Entrant"])
                values[name] = str(actor)
        if auto:
            values.pop(model._meta.pk.attname, None)
        created.append(model(**values))
    times_of = {
        field.attname: [getattr(item, field.attname) for item in created]
        for field in model._meta.concrete_fields
        if getattr(field, "auto_now", False) or getattr(field, "auto_now_add", False)
    }
    model._default_manager.bulk_create(created, batch_size=400)
    for name, times in times_of.items():
        for item, moment in zip(created, times, strict=True):
            setattr(item, name, moment)
        if created:
            # Creation stamps the present moment; the archive knows the true one.
            model._default_manager.bulk_update(created, [name], batch_size=400)
    for row, item in zip(rows, created, strict=True):
        mine[str(row[model._meta.pk.attname])] = item.pk


def _require_logo(event: Event) -> None:
    """Raise ValueError unless the event's picture matches its hash and could have been stored here."""
    picture = EventLogo.objects.filter(event=event).first()
    content = bytes(picture.content) if picture is not None else b""
    if event.logo != (hashlib.sha256(content).hexdigest() if content else ""):
        raise ValueError("logo")
    if content:
        require_kept(content)


def _renew_links(event: Event) -> None:
    tables = list(Table.objects.filter(scope=event.pk))
    for table in tables:
        table.token_hash = token_hash(table_token(table))
    Table.objects.bulk_update(tables, ["token_hash"], batch_size=400)
    entrants = list(event.entrants.select_related("event"))
    for entrant in entrants:
        entrant.link_hash = token_hash(entrant_token(entrant))
    Entrant.objects.bulk_update(entrants, ["link_hash"], batch_size=400)


def _standings(event: Event, stated: list[JsonObject]) -> None:
    """Compute every standing and hold it to the hash that the archive states.

    It is held to it by the edition of counting that made it; what is provisional is then counted
    by the newest.
    """
    for entry in stated:
        stage = event.stages.select_related("event").get(order=entry["order"])
        if state_hash(compute(stage, edition=entry.get("edition", 1))) != entry["hash"]:
            raise Refused(
                "standings_differ",
                _(
                    "The standings of %(stage)s computed from its records differ: nothing was imported."
                ),
                field="file",
                params={"stage": stage.title},
            )
        frozen = entry.get("frozen")
        if (frozen is None) is not (entry["state"] == StandingsState.PROVISIONAL):
            raise ValueError(f"standings of stage {stage.order}")
        if frozen is not None and not rows_hold(Standings(stage=stage, **frozen)):
            raise Refused(
                "frozen_standings_differ",
                _(
                    "The frozen standings of %(stage)s do not match their check code: nothing was imported."
                ),
                field="file",
                params={"stage": stage.title},
            )
        if frozen is None:
            standing = compute(stage)
            frozen = {
                "hash": state_hash(standing),
                "rows": rows_json(standing),
                "edition": COUNTING_EDITION,
            }
        Standings.objects.create(
            stage=stage,
            state=entry["state"],
            after_round=entry["after_round"],
            version=event.version,
            **frozen,
        )
