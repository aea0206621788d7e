"""The deal as the table hands it in: sent once, checked for probable mistakes, held to the bell.

Page, offline queue and API all come through :func:`hand_in`, so that a deal has the same fate
however it arrived.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from ledger.actors import Actor
from ledger.errors import Conflict, Refused
from ledger.idempotency import KeyReused, once
from scoring.alarms import Doubt, doubts, written_already
from scoring.clock import clock_of
from scoring.models import BellRule, DealVersion, Protocol, Series, Sheet
from scoring.rules import score_entry

from . import sheets, tables


class Asked(Conflict):
    """The entry may be a mistake: the table is asked, and answers with the doubts' codes."""

    def __init__(self, found: list[Doubt]) -> None:
        super().__init__(
            "please_check",
            _("Please check before it is written: %(questions)s"),
            field=found[0].field,
            params={"questions": " ".join(each.question for each in found)},
        )
        self.doubts = found

    @property
    def sure(self) -> str:
        """What to send back to say yes to every question."""
        return ",".join(each.code for each in self.doubts)

    def members(self) -> dict[str, Any]:
        """``doubts``: every question with its code, field and values; ``sure``: what says yes."""
        return {
            "doubts": [
                {"code": each.code, "field": each.field, "question": each.question,
                 "params": each.params}
                for each in self.doubts
            ],
            "sure": self.sure,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class HandedIn:
    """What came of it: the deal's number, and whether it had been written before (a repetition)."""

    number: int
    version: int
    repeated: bool


def series_for(sheet: Sheet, actor: Actor) -> str:
    """Which series a caller writes: his side's in blind double entry, else the official one."""
    if sheet.protocol == Protocol.DOUBLE and actor.kind == "device":
        side = tables.side_of_device(sheet.table, uuid.UUID(actor.id))
        if not side:
            raise Conflict(
                "choose_a_side", _("Both sides enter here: choose the side you write for.")
            )
        return side
    return Series.OFFICIAL.value


def _held_to_the_bell(sheet: Sheet, actor: Actor, played: str, typed_at: datetime | None) -> bool:
    """Whether this deal ends the match: it was in play when the bell rang (event's bell rule)."""
    if actor.kind != "device" or sheet.ended_by == "bell" or sheets.to_replay(sheet):
        return False
    clock = clock_of(sheet.table)
    if clock is None or not clock.rung or clock.ends_at is None:
        return False
    if played == "before" or (typed_at is not None and typed_at < clock.ends_at):
        return False
    if played == "in_play":
        if clock.bell_rule == BellRule.CANCEL:
            raise Conflict(
                "deal_cancelled",
                _("In this event the deal in play is cancelled at the bell: end the game."),
            )
        return True
    raise Conflict(
        "bell_rang",
        _("The bell has rung. Say whether this deal was finished before the bell."),
        field="played",
    )


def hand_in(
    *,
    sheet: Sheet,
    entry: dict[str, Any],
    actor: Actor,
    key: str = "",
    number: int | None = None,
    version: int | None = None,
    sure: str = "",
    played: str = "",
    typed_at: datetime | None = None,
    told: object = None,
    typed: tuple[int, dict[str, Any]] | None = None,
) -> HandedIn:
    """Write the next deal, at most once for ``key``.

    A deal that another phone has written as ``number``, and that is the same, is not written again;
    ``typed`` is the number and the entry as first typed, where a decision about an earlier deal
    has moved this one.
    ``sure`` holds the codes of the doubts answered with yes; ``played`` is ``before`` or
    ``in_play`` after the bell. ``told`` is what the sender said, where the entry was partly derived
    (the dealer): a repetition must say the same. Raises :class:`Asked`, :class:`Conflict` and the engine's errors.
    """
    series = series_for(sheet, actor)

    def effect() -> dict[str, Any]:
        for place in ((number, entry), *([typed] if typed else [])):
            known = _same_deal(sheet, series, *place)
            if known is not None:
                return {"number": known.number, "version": known.version, "same": True}
        if version is not None:
            sheets.check_version(sheet, version)
        # What will be refused anyway is refused first, and not asked about.
        tables.require_pen(sheet.table, actor, side="" if series == Series.OFFICIAL else series)
        last = _held_to_the_bell(sheet, actor, played, typed_at)
        following = sheets.next_number(sheet, series)
        asked: list[Doubt] = []
        if series == Series.OFFICIAL and number in (None, following) and not sheet.finished:
            asked = doubts(sheet, entry, score_entry(sheet, entry), following)
            asked += written_already(sheet, entry) if typed else []
        answered = {code for code in sure.split(",") if code}
        if {each.code for each in asked} - answered:
            raise Asked(asked)
        deal = sheets.enter_deal(
            sheet_id=sheet.pk, entry=entry, actor=actor, number=number, series=series,
            version=version, doubts=[each.code for each in asked],
        )  # fmt: skip
        if last:
            sheets.end_by_bell(sheet_id=sheet.pk, actor=actor, in_play="finished")
        return {"number": deal.number, "version": deal.version}

    answer, repeated = send_once(
        sheet, key, ["deal", str(sheet.pk), series, told if told is not None else entry], effect
    )
    return HandedIn(answer["number"], answer["version"], repeated or "same" in answer)


def _same_deal(
    sheet: Sheet, series: str, number: int | None, entry: dict[str, Any]
) -> DealVersion | None:
    """The deal ``number`` as another phone wrote it, where it is the same as ``entry``."""
    deal = sheet.deals.filter(series=series, number=number, current=True).first()
    if deal is None or deal.entry == entry:
        return deal
    parts = ("dealer", "contract", "turn_up", "annulled")
    if any(deal.entry.get(part) != entry.get(part) for part in parts) or entry.get("annulled"):
        return None
    # The points of one side say those of the other.
    one, other = score_entry(sheet, deal.entry), score_entry(sheet, entry)
    return deal if (one.points, one.marks) == (other.points, other.marks) else None


def send_once(sheet: Sheet, key: str, request: object, effect: Any) -> tuple[dict[str, Any], bool]:
    """``effect()`` at most once for ``key`` at this table; without a key, just ``effect()``."""
    if not key:
        with transaction.atomic():
            return effect(), False
    stored = f"{sheet.table_id}:{key}"[:80]
    with transaction.atomic():
        # The lock first: of two senders of one key the second then finds the first's answer.
        sheets.locked_sheet(sheet.pk)
        try:
            return once(scope=sheet.scope, key=stored, request=request, effect=effect)
        except KeyReused as error:
            raise Conflict(
                "key_reused", _("This entry was sent before with other content.")
            ) from error


def correct(
    *,
    sheet: Sheet,
    number: int,
    entry: dict[str, Any],
    reason: str,
    actor: Actor,
    key: str = "",
    version: int | None = None,
    official: bool = False,
) -> HandedIn:
    """Supersede a deal, at most once for ``key``; ``official`` also reaches signed sheets."""
    series = series_for(sheet, actor)
    if not reason.strip():
        raise Refused("reason_missing", _("Say why the deal is corrected."), field="reason")

    def effect() -> dict[str, Any]:
        deal = sheets.correct_deal(
            sheet_id=sheet.pk, number=number, entry=entry, reason=reason, actor=actor,
            series=series, version=version, official=official,
        )  # fmt: skip
        return {"number": deal.number, "version": deal.version}

    answer, repeated = send_once(
        sheet, key, ["correct", str(sheet.pk), series, number, entry, reason], effect
    )
    return HandedIn(answer["number"], answer["version"], repeated)
