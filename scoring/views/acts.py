"""What a table's form asks for, done by the services: one function a verb.

The page without script, the page's own sender and its offline queue all post the same fields.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from django.utils.dateparse import parse_datetime
from django.utils.timezone import is_aware
from django.utils.translation import gettext as _

from ledger.actors import Actor
from ledger.errors import Refused
from ledger.limits import CALLS_BY_TABLE
from scoring.entry import read_entry
from scoring.models import CallTopic, Protocol, ScoringTable, Series, Sheet
from scoring.services import at_table, sheets, tables

Posted = Mapping[str, Any]

RETOLD = frozenset({
    "csrfmiddlewaretoken", "key", "sure", "version", "played", "typed_at", "number", "typed_number",
})  # fmt: skip
"""Fields that may differ when the same entry is sent again."""


def reasons() -> list[dict[str, str]]:
    """Why a referee may be called, in the reader's language."""
    return [{"value": topic.value, "label": str(topic.label)} for topic in CallTopic]


def whole(posted: Posted, name: str) -> int | None:
    """A small whole number of the form; ``None`` when there is none."""
    text = str(posted.get(name, ""))
    return int(text) if text.isascii() and text.isdigit() and len(text) < 9 else None


def moment(posted: Posted, name: str) -> datetime | None:
    """An aware moment of the form; ``None`` when there is none."""
    try:
        found = parse_datetime(str(posted.get(name, "")))
    except ValueError:
        return None
    return found if found is not None and is_aware(found) else None


def _pen(table: ScoringTable, sheet: Sheet, device: uuid.UUID) -> None:
    """The first phone that writes gets the pen without asking; another is refused by the verb."""
    if table.writer is None and sheet.protocol != Protocol.DOUBLE:
        tables.take_writing(table_id=table.pk, device=device)
        sheet.table.refresh_from_db()


def deal(posted: Posted, table: ScoringTable, sheet: Sheet, device: uuid.UUID) -> dict[str, Any]:
    """Write the next deal."""
    _pen(table, sheet, device)
    actor = Actor.device(device)
    series = at_table.series_for(sheet, actor)
    number = whole(posted, "number")
    before = sheets.series_deals(sheet, series)

    def entry(at: int | None) -> dict[str, Any]:
        dealer = sheets.next_dealer(sheet, before if at is None else before[: max(at - 1, 0)])
        return read_entry(sheet, posted, dealer)

    typed = whole(posted, "typed_number")
    done = at_table.hand_in(
        sheet=sheet, entry=entry(number), actor=actor,
        typed=None if typed is None else (typed, entry(typed)),
        key=str(posted.get("key", ""))[:40], number=number,
        told=[[name, posted.get(name)] for name in sorted(posted) if name not in RETOLD],
        version=whole(posted, "version") if series == Series.OFFICIAL else None,
        sure=str(posted.get("sure", "")), played=str(posted.get("played", "")),
        typed_at=moment(posted, "typed_at"),
    )  # fmt: skip
    return {"deal": done.number, "repeated": done.repeated}


def correct(posted: Posted, table: ScoringTable, sheet: Sheet, device: uuid.UUID) -> dict[str, Any]:
    """Supersede a deal with a reason."""
    _pen(table, sheet, device)
    number = whole(posted, "number") or 0
    dealer = str(posted.get("dealer", "")) or sheet.first_dealer
    done = at_table.correct(
        sheet=sheet, number=number, entry=read_entry(sheet, posted, dealer),
        reason=str(posted.get("reason", "")), actor=Actor.device(device),
        key=str(posted.get("key", ""))[:40], version=whole(posted, "version"),
    )  # fmt: skip
    return {"deal": done.number, "repeated": done.repeated}


def sign(posted: Posted, table: ScoringTable, sheet: Sheet, device: uuid.UUID) -> dict[str, Any]:
    """One side signs; ``signer`` is the player who takes the phone."""
    _pen(table, sheet, device)
    signer = str(posted.get("signer", ""))
    sheets.sign(
        sheet_id=sheet.pk, side=str(posted.get("signing", "")),
        version=whole(posted, "version") or 0, actor=Actor.device(device),
        signed_by=f"player:{signer}" if signer else "",
    )  # fmt: skip
    return {}


def dispute(posted: Posted, table: ScoringTable, sheet: Sheet, device: uuid.UUID) -> dict[str, Any]:
    """A side does not agree with the sheet."""
    _pen(table, sheet, device)
    sheets.withdraw_signatures(
        sheet_id=sheet.pk, version=whole(posted, "version") or 0, actor=Actor.device(device),
        reason=str(posted.get("reason", "")),
    )  # fmt: skip
    return {}


def bell(posted: Posted, table: ScoringTable, sheet: Sheet, device: uuid.UUID) -> dict[str, Any]:
    """End the match at the bell."""
    _pen(table, sheet, device)
    sheets.end_by_bell(
        sheet_id=sheet.pk, actor=Actor.device(device), version=whole(posted, "version"),
        in_play=str(posted.get("in_play", "none")),
    )  # fmt: skip
    return {}


def unbell(posted: Posted, table: ScoringTable, sheet: Sheet, device: uuid.UUID) -> dict[str, Any]:
    """Take back, for a minute, that the bell ended the match."""
    sheets.undo_bell(
        sheet_id=sheet.pk, actor=Actor.device(device), version=whole(posted, "version")
    )
    return {}


def referee(posted: Posted, table: ScoringTable, sheet: Sheet, device: uuid.UUID) -> dict[str, Any]:
    """Put the table into the referees' queue, at most once for a ``key``."""
    CALLS_BY_TABLE.check(str(table.pk))
    reason = str(posted.get("reason", "")).strip()
    words = str(posted.get("words", "")).strip()
    topic = reason if reason in CallTopic.values else ""
    own = (words,) if topic else (reason, words)

    def effect() -> dict[str, Any]:
        call = tables.call_referee(
            table_id=table.pk, sheet_id=sheet.pk, actor=Actor.device(device),
            deal=sheets.next_number(sheet),
            topic=topic, reason=": ".join(part for part in own if part),
        )  # fmt: skip
        return {"call": str(call.pk)}

    key = str(posted.get("key", ""))[:40]
    _answer, repeated = at_table.send_once(sheet, key, ["referee", reason, words], effect)
    return {"repeated": repeated}


def take(posted: Posted, table: ScoringTable, sheet: Sheet, device: uuid.UUID) -> dict[str, Any]:
    """Take the pen over, knowingly."""
    side = str(posted.get("writing_for", "")) if sheet.protocol == Protocol.DOUBLE else ""
    tables.take_writing(table_id=table.pk, device=device, knowingly=True, side=side)
    return {}


def choose(posted: Posted, table: ScoringTable, sheet: Sheet, device: uuid.UUID) -> dict[str, Any]:
    """Blind double entry: this phone writes for one side."""
    taken = tables.take_writing(
        table_id=table.pk, device=device, side=str(posted.get("writing_for", ""))
    )
    if not taken.allowed:
        raise Refused(
            "side_taken", _("Another phone writes for this side already. Take over if it is gone."),
            field="writing_for",
        )  # fmt: skip
    return {}


VERBS: dict[str, Callable[[Posted, ScoringTable, Sheet, uuid.UUID], dict[str, Any]]] = {
    "deal": deal,
    "correct": correct,
    "sign": sign,
    "dispute": dispute,
    "bell": bell,
    "unbell": unbell,
    "referee": referee,
    "take": take,
    "choose": choose,
}


def act(posted: Posted, table: ScoringTable, sheet: Sheet, device: uuid.UUID) -> dict[str, Any]:
    """Do what the form asks; raises Refused or EngineError with the reason."""
    verb = VERBS.get(str(posted.get("verb", "")))
    if verb is None:
        raise Refused("unknown_verb", _("The page did not say what to do."), field="verb")
    return verb(posted, table, sheet, device)
