"""Way back from an act that deletes or erases: a sealed copy, whose key is destroyed after a week.

The act runs inside :func:`sealing`, which compares the rows before and after, and stores what is gone: whole rows,
or the changed columns of a row. The copy is encrypted (AES-256-GCM). Half of its key is random and stored in a row
of its own; the other half is the ``SECRET_KEY`` of the service, which no backup holds. :func:`put_back` undoes the
act; :func:`destroy_due` destroys key and copy.

A clock that jumps destroys nothing: a copy ages by the time between two looks of the workers, at most :data:`STEP`
a look.
"""

from __future__ import annotations

import base64
import gzip
import json
import secrets
import uuid
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any, Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.apps import apps
from django.conf import settings
from django.db import IntegrityError, connection, models, transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from .actors import Actor
from .canonical import JsonObject
from .change import require_change
from .errors import Conflict, NotHere
from .models import Sealed, SealKey, Tick

KEPT: Final = timedelta(days=7)
"""Age at which a sealed copy is destroyed."""
STEP: Final = timedelta(days=2)
"""Most time by which a copy ages between two looks."""
LOOK: Final = timedelta(hours=1)
"""Least time between two looks."""
_CHUNK: Final = 500
_NONCE: Final = 12


# Sealing -----------------------------------------------------------------------------------------


def below(
    roots: Iterable[models.Model],
    *,
    depth: int | None = None,
    without: Collection[type[models.Model]] = (),
) -> list[models.Model]:
    """Return rows and all rows that refer to them, parents first.

    ``depth``: how many references to follow; ``None`` follows all. ``without``: models left out.
    """
    reached: dict[tuple[type[models.Model], Any], models.Model] = {}
    new = list(roots)
    level = 0
    while new:
        by_model: dict[type[models.Model], list[Any]] = {}
        for row in new:
            if (type(row), row.pk) not in reached:
                reached[type(row), row.pk] = row
                by_model.setdefault(type(row), []).append(row.pk)
        if depth is not None and level >= depth:
            break
        new = [
            row
            for model, keys in by_model.items()
            for relation in model._meta.related_objects
            if not relation.many_to_many and relation.related_model not in without
            for start in range(0, len(keys), _CHUNK)
            for row in relation.related_model._base_manager.filter(
                **{f"{relation.field.name}__in": keys[start : start + _CHUNK]}
            )
        ]
        level += 1
    return list(reached.values())


@contextmanager
def sealing(
    verb: str,
    subject: models.Model,
    actor: Actor,
    *,
    scope: uuid.UUID,
    rows: Iterable[models.Model],
    label: str = "",
) -> Iterator[None]:
    """Seal what the enclosed act takes from ``rows``, in the change that is open.

    Args:
        verb: the entry of the journal that the act appends, by which the page names it.
        subject: the row that the act is about.
        scope: the event, or the organisation.
        label: what the page shows besides, without names of people.
    """
    require_change(verb)
    key = str(subject.pk)
    before = {(row._meta.label, str(row.pk)): _columns(row) for row in rows}
    yield
    taken = list(_taken(before))
    if not taken:
        return
    copy = Sealed(
        scope=scope,
        verb=verb,
        subject=key,
        label=label[:200],
        made_by=str(actor),
        made_at=timezone.now(),
    )
    half, nonce = secrets.token_bytes(32), secrets.token_bytes(_NONCE)
    text = gzip.compress(json.dumps(taken, ensure_ascii=False).encode())
    copy.content = nonce + _cipher(half).encrypt(nonce, text, copy.pk.bytes)
    copy.save(force_insert=True)
    SealKey.objects.create(sealed=copy, half=half)


def _taken(before: dict[tuple[str, str], JsonObject]) -> Iterator[JsonObject]:
    """Yield the rows that are gone, whole, and of the changed rows the former columns."""
    by_model: dict[str, list[str]] = {}
    for label, key in before:
        by_model.setdefault(label, []).append(key)
    after: dict[tuple[str, str], JsonObject] = {}
    for label, keys in by_model.items():
        manager = apps.get_model(label)._base_manager
        for start in range(0, len(keys), _CHUNK):
            for row in manager.filter(pk__in=keys[start : start + _CHUNK]):
                after[label, str(row.pk)] = _columns(row)
    for (label, key), columns in before.items():
        now = after.get((label, key))
        if now is None:
            yield {"model": label, "key": key, "gone": True, "columns": columns}
        elif changed := {name: value for name, value in columns.items() if now[name] != value}:
            yield {"model": label, "key": key, "gone": False, "columns": changed}


def _columns(row: models.Model) -> JsonObject:
    return {
        field.attname: _plain(getattr(row, field.attname)) for field in row._meta.concrete_fields
    }


def _plain(value: Any) -> Any:
    """Return a value in a form that its field's ``to_python`` reads."""
    if isinstance(value, bytes | memoryview):
        return base64.b64encode(value).decode("ascii")
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    return str(value) if isinstance(value, uuid.UUID | Decimal | timedelta) else value


def _cipher(half: bytes) -> AESGCM:
    derive = HKDF(SHA256(), 32, salt=half, info=b"manille: sealed copy")
    return AESGCM(derive.derive(settings.SECRET_KEY.encode()))


# Undoing -----------------------------------------------------------------------------------------


def until(copy: Sealed) -> datetime:
    """Return about when a copy will be destroyed if the workers run until then."""
    return timezone.now() + KEPT - copy.aged


def locked(sealed_id: uuid.UUID) -> Sealed:
    """Lock a sealed copy until the end of the change; :class:`NotHere` once it is destroyed."""
    copy = Sealed.objects.select_for_update(no_key=True).filter(pk=sealed_id).first()
    if copy is None:
        raise NotHere(
            "undo_too_late", _("This can no longer be undone: the week for it has passed.")
        )
    return copy


def opened(copy: Sealed) -> list[JsonObject]:
    """Return what a sealed copy holds: for each row its model, key, whether it is gone, and columns."""
    content = bytes(copy.content)
    try:
        text = _cipher(bytes(copy.key.half)).decrypt(
            content[:_NONCE], content[_NONCE:], copy.pk.bytes
        )
    except (InvalidTag, SealKey.DoesNotExist) as error:
        raise Conflict(
            "seal_not_opened",
            _("This cannot be undone: the secret key of the service has changed since."),
        ) from error
    rows: list[JsonObject] = json.loads(gzip.decompress(text))
    return rows


def put_back(copy: Sealed, rows: Sequence[JsonObject]) -> None:
    """Write the rows of a locked copy back, and destroy its key.

    A reference to a row deleted since is emptied; a row that needs it is left out.

    Raises:
        Conflict: where other rows have taken the place of these.
    """
    there = {(row["model"], row["key"]): True for row in rows if row["gone"]}
    try:
        with transaction.atomic():
            for row in sorted(rows, key=lambda each: not each["gone"]):
                _write(row, there)
    except IntegrityError as error:
        raise Conflict(
            "undo_in_conflict",
            _("This cannot be undone any more: something else has been entered in its place."),
        ) from error
    copy.undone_at = timezone.now()
    _destroy_key(copy)
    copy.content = b""
    copy.save(update_fields=["undone_at", "content"])


def _write(row: JsonObject, there: dict[tuple[str, str], bool]) -> None:
    model = apps.get_model(row["model"])
    fields = {field.attname: field for field in model._meta.concrete_fields}
    values = {}
    for name, value in row["columns"].items():
        field = fields[name]
        if (
            field.is_relation
            and value is not None
            and not _exists(field.related_model, value, there)
        ):
            if not field.null:
                there[row["model"], row["key"]] = False
                return
            value = None
        if not field.is_relation and not isinstance(field, models.JSONField):
            value = field.to_python(value)
        values[name] = value
    if not row["gone"]:
        instance = model._base_manager.filter(pk=row["key"]).first()
        if instance is not None:
            for name, value in values.items():
                setattr(instance, name, value)
            instance.save(update_fields=list(values))
        return
    model(**values).save(force_insert=True)
    stamped = {
        name: values[name]
        for name, field in fields.items()
        if getattr(field, "auto_now", False) or getattr(field, "auto_now_add", False)
    }
    if stamped:
        model._default_manager.filter(pk=row["key"]).update(**stamped)


def _exists(model: type[models.Model], key: object, there: dict[tuple[str, str], bool]) -> bool:
    place = model._meta.label, str(key)
    if place not in there:
        there[place] = model._base_manager.filter(pk=key).exists()
    return there[place]


# Destroying --------------------------------------------------------------------------------------


def destroy_due() -> int:
    """Age all sealed copies, and destroy those of a week (timer); return how many were destroyed."""
    with transaction.atomic():
        now = timezone.now()
        tick, _new = Tick.objects.select_for_update(no_key=True).get_or_create(
            name="sealed", defaults={"at": now}
        )
        if timedelta() < now - tick.at < LOOK:
            return 0
        destroyed = 0
        for copy in Sealed.objects.select_for_update(no_key=True).order_by("pk"):
            since = copy.made_at if tick.at < copy.made_at <= now else tick.at
            copy.aged += min(max(now - since, timedelta()), STEP)
            if copy.aged < KEPT:
                copy.save(update_fields=["aged"])
            else:
                _destroy_key(copy)
                copy.delete()
                destroyed += 1
        tick.at = now
        tick.save(update_fields=["at"])
    return destroyed


def _destroy_key(copy: Sealed) -> None:
    """Overwrite and delete the key; SQLite then also clears the freed bytes of its file."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA secure_delete=ON")
    SealKey.objects.filter(sealed=copy).update(half=bytes(32))
    SealKey.objects.filter(sealed=copy).delete()
