"""Writes to a score sheet: its lock and checks, versions of deals, the official result.

Official records are only appended here: one current version of a deal, one current result of a
match, both also enforced by constraints of the database.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from typing import Final

from django.db.models import Exists, OuterRef
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from ledger import audit
from ledger.actors import Actor, ActorKind
from ledger.change import require_change
from ledger.errors import Conflict, NotHere
from scoring.engine.score import line_json
from scoring.engine.shapes import EntryJson, InfractionJson
from tournament.models import Adjustment
from tournament.models.tables import (
    DealVersion,
    OfficialResult,
    Protocol,
    Series,
    Sheet,
    SheetState,
)
from tournament.queries.double_entry import (
    compare_entries,
    differences,
    missing,
    official_deals,
    written_deals,
)
from tournament.services.tables import take_pen
from tournament.signals import deal_written
from tournament.tables.score_sheet import Scored, ScoreSheet

audit.name_verbs("deal", corrected=_("Deal corrected"), entered=_("Deal recorded"))
audit.name_verbs("sheet", official=_("Result official"))


def locked_sheet(sheet_id: uuid.UUID) -> ScoreSheet:
    """Return the sheet, locked with its table until the end of the change; the same object all that time.

    Raises :class:`NotHere` once it was withdrawn.
    """
    locked = require_change("a sheet").locked
    known: ScoreSheet | None = locked.get(("sheet", sheet_id))
    if known is not None:
        return known
    rows = Sheet.objects.select_for_update(of=("self", "table"), no_key=True).select_related(
        "table__round__stage__event"
    )
    forfeits = Adjustment.objects.filter(
        round=OuterRef("table__round"),
        entrant__seats__table=OuterRef("table"),
        forfeited=True,
        annulled_at__isnull=True,
    )
    try:
        row = rows.annotate(has_forfeit=Exists(forfeits)).get(pk=sheet_id)
        sheet = ScoreSheet(row, has_forfeit=row.has_forfeit)
    except Sheet.DoesNotExist as error:
        raise NotHere(
            "sheet_withdrawn",
            _("This round was unpublished, and its sheets with it. Nothing was saved."),
        ) from error
    locked["sheet", sheet_id] = sheet
    return sheet


MATCH_DECIDED: Final = _(
    "The director has decided this match: nothing more is recorded. If it was played after all, "
    "the director takes the decision back first."
)
"""A score beside the decision would be a second answer to who won."""


def require_may_write(
    row: Sheet, actor: Actor, version: int | None, *, side: str = "", signed: bool = False
) -> None:
    """Refuse another phone than the writing one, an outdated view, a closed sheet and a decided match.

    Staff may always write. The first device that writes becomes the one that does (``side``: for that side).
    ``version``: the version that the caller saw. ``signed``: also a signed or void sheet may be written on.
    """
    if actor.kind == ActorKind.DEVICE:
        table = row.table
        if table.writer is None and row.protocol != Protocol.DOUBLE:
            take_pen(table, actor)
        sides = table.side_writers.filter(device=actor.id)
        if side:
            may_write = sides.filter(side=side).exists()
        else:
            # Shared actions (bell, dispute) are open to either writing device of a double entry.
            may_write = str(table.writer) == actor.id or sides.exists()
        if not may_write:
            raise Conflict(
                "pen_taken",
                _(
                    "Another phone is now keeping score at this table. Take over to record here again."
                ),
            )
    if version is not None and version != row.version:
        raise Conflict(
            "sheet_changed",
            _("The sheet was changed in the meantime. Look at it again, then repeat your entry."),
        )
    if not signed and row.state in (SheetState.OFFICIAL, SheetState.VOID):
        raise Conflict(
            "sheet_signed",
            _("The result is official. Only a referee or the director can change it now."),
        )
    if row.table.decided_for_id is not None:
        raise Conflict("match_decided", MATCH_DECIDED)


def is_locked(row: Sheet, number: int) -> bool:
    """Whether a deal stays as it was signed, though a ruling reopened the sheet for another."""
    return bool(row.reopened) and number <= row.reopened["locked"]


def require_not_locked(row: Sheet, number: int) -> None:
    """Refuse a table that would change a deal signed before a ruling reopened the sheet."""
    if is_locked(row, number):
        raise Conflict(
            "deal_signed",
            _("This deal is signed. Only a referee or the director can change it now."),
        )


def touch(sheet: ScoreSheet) -> None:
    """Write a new version of the sheet: count the match again, let old signatures fall."""
    sheet.recount()
    row = sheet.row
    row.version += 1
    if row.state != SheetState.OPEN:
        drop_signatures(row)
    if row.state in (SheetState.CLAIMED, SheetState.DISPUTED):
        row.state = SheetState.OPEN
    row.save()


def drop_signatures(row: Sheet) -> None:
    """Revoke the signatures of an open sheet."""
    row.signatures.filter(standing=True).update(standing=False)


def write_deal(
    sheet: ScoreSheet,
    *,
    series: str,
    number: int,
    entry: EntryJson,
    actor: Actor,
    infractions: Sequence[InfractionJson] = (),
    reason: str = "",
    doubts: Sequence[str] = (),
    scored: Scored | None = None,
) -> DealVersion:
    """Append a version of a deal of a locked sheet and supersede the current one, if any.

    ``scored``: the score of the entry without infractions, where the caller has computed it.
    """
    if scored is None or infractions:
        scored = sheet.score(entry, infractions)
    earlier = [deal for deal in sheet.versions if (deal.series, deal.number) == (series, number)]
    before = next((deal for deal in earlier if deal.current), None)
    if before is not None:
        before.current = False
        before.save(update_fields=["current"])
    deal = DealVersion.objects.create(
        sheet=sheet.row,
        series=series,
        number=number,
        version=max((deal.version for deal in earlier), default=0) + 1,
        entry=entry,
        infractions=list(infractions),
        marks=scored.marks,
        lines=[line_json(line) for line in scored.lines],
        void=scored.void,
        game_won=scored.game_won or "",
        flagged=scored.violations,
        doubts=list(doubts),
        annulled=bool(entry.get("annulled")),
        reason=reason[:300],
        entered_by=str(actor),
        entered_at=timezone.now(),
    )
    sheet.versions.append(deal)
    old, new = (
        {
            "sheet": str(each.sheet_id),
            "series": each.series,
            "number": each.number,
            "version": each.version,
            "entry": each.entry,
            "infractions": each.infractions,
            "marks": each.marks,
            "reason": each.reason,
            "entered_at": each.entered_at.isoformat(),
        }
        if each
        else None
        for each in (before, deal)
    )
    audit.append(deal, "deal.corrected" if before else "deal.entered", actor, before=old, after=new)
    deal_written.send(sender=None, sheet=sheet.row, deal=deal, before=before)
    return deal


def make_official(
    sheet: ScoreSheet,
    *,
    actor: Actor,
    reason: str,
    falls: Mapping[str, list[int] | int] | None = None,
) -> OfficialResult:
    """Supersede the current result, if any; the database admits one current result per sheet.

    ``falls``: what fell with the former result, for the log.

    A match that the director decided gets no first result: whatever way it comes, it would stand beside the decision.
    """
    row = sheet.row
    last = row.results.order_by("-number").first()
    if last is None and row.table.decided_for_id is not None:
        raise Conflict("match_decided", MATCH_DECIDED)
    OfficialResult.objects.filter(sheet=row, current=True).update(current=False)
    # The match is over with the deals that stand, however many the rules foresee: who leads has won.
    row.finished = True
    result = OfficialResult.objects.create(
        sheet=row,
        number=last.number + 1 if last else 1,
        sheet_version=row.version,
        result=sheet.result(),
        reason=reason[:300],
        made_by=str(actor),
        made_at=timezone.now(),
    )
    row.state = SheetState.OFFICIAL
    row.save()
    audit.append(
        row,
        "sheet.official",
        actor,
        after={
            "version": row.version,
            "result": result.result,
            "number": result.number,
            "reason": reason,
            **({"falls": falls} if falls else {}),
        },
    )
    return result


def settle_double_entry(sheet: ScoreSheet, actor: Actor) -> None:
    """Make official what agrees; put the sheet in dispute at the first deal that differs."""
    disputed = bool(differences(sheet))
    if not disputed:
        written, official = written_deals(sheet), official_deals(sheet)
        for again in sorted(official):
            _follow_correction(sheet, written.get(again, {}), official[again], actor)
        number = len(official) + 1
        while number in written and not missing(sheet, written[number]) and not sheet.row.finished:
            write_deal(
                sheet,
                series=Series.OFFICIAL,
                number=number,
                entry=next(iter(written[number].values())).entry,
                actor=actor,
            )
            touch(sheet)
            number += 1
    touch(sheet)
    if disputed:
        sheet.row.state = SheetState.DISPUTED
        sheet.row.save(update_fields=["state", "changed_at"])


def _follow_correction(
    sheet: ScoreSheet, entries: dict[str, DealVersion], official: DealVersion, actor: Actor
) -> None:
    """Update the official version when both sides corrected a deal alike."""
    if not entries or missing(sheet, entries):
        return
    if max(each.pk for each in entries.values()) < official.pk:
        return
    first = next(iter(entries.values()))
    if compare_entries(sheet, official.entry, first.entry):
        reasons = (each.reason for each in entries.values() if each.reason)
        write_deal(
            sheet,
            series=Series.OFFICIAL,
            number=official.number,
            entry=first.entry,
            infractions=official.infractions,
            actor=actor,
            reason=next(reasons, ""),
        )
