"""What is written on a score sheet: its lock and checks, versions of deals, the official result.

What is official is appended here and nowhere else: one current version of a deal, one current
result of a match, both also held by constraints of the database.
"""

from __future__ import annotations

import uuid
from dataclasses import asdict

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from ledger import audit
from ledger.actors import Actor
from ledger.change import require_change
from ledger.errors import Conflict, NotHere
from scoring.engine.score import line_json
from scoring.engine.shapes import EntryJson, InfractionJson
from tournament.models.tables import DealVersion, OfficialResult, Series, Sheet, SheetState
from tournament.queries.deals import (
    deal_versions,
    deals_of_match,
    extra_deals,
    leaders,
    likeness,
    result_of,
    score_of_totals,
    tie_is_played_on,
    to_replay,
)
from tournament.queries.double_entry import (
    compare_entries,
    differences,
    missing,
    official_deals,
    written_deals,
)
from tournament.signals import deal_written
from tournament.tables.rules import Scored, match_state, score_entry, sides_of


def locked_sheet(sheet_id: uuid.UUID) -> Sheet:
    """The sheet and its table, locked until the end of the change; the same object all that time.

    :class:`NotHere` once it was withdrawn.
    """
    locked = require_change("a sheet").locked
    known: Sheet | None = locked.get(("sheet", sheet_id))
    if known is not None:
        return known
    rows = Sheet.objects.select_for_update(of=("self", "table"), no_key=True).select_related(
        "table__round__stage__event"
    )
    try:
        sheet = rows.get(pk=sheet_id)
    except Sheet.DoesNotExist as error:
        raise NotHere(
            "sheet_withdrawn",
            _("This round was unpublished, and its sheets with it. Nothing was saved."),
        ) from error
    locked["sheet", sheet_id] = sheet
    locked["deals", sheet_id] = list(sheet.deals.order_by("number", "version"))
    return sheet


def check_version(sheet: Sheet, version: int | None) -> None:
    """Refuse a caller whose view of the sheet is out of date."""
    if version is not None and version != sheet.version:
        raise Conflict(
            "sheet_changed",
            _("The sheet was changed in the meantime. Look at it again, then repeat your entry."),
        )


def refusal_once_decided(sheet: Sheet) -> Conflict | None:
    """Return the refusal to write on a sheet whose match the director has decided, or ``None``.

    A score beside the decision would be a second answer to who won.
    """
    if sheet.table.decided_for_id is None:
        return None
    return Conflict(
        "match_decided",
        _(
            "The director has decided this match: nothing more is recorded. If it was played after all, "
            "the director takes the decision back first."
        ),
    )


def require_undecided(sheet: Sheet) -> None:
    """Refuse to write on a sheet whose match the director has decided."""
    if (refusal := refusal_once_decided(sheet)) is not None:
        raise refusal


def require_open(sheet: Sheet) -> None:
    """Refuse to change a signed or void sheet, and one whose match is decided."""
    if sheet.state in (SheetState.OFFICIAL, SheetState.VOID):
        raise Conflict(
            "sheet_signed",
            _("This sheet is signed. Only a referee or the director can change it now."),
        )
    require_undecided(sheet)


def is_locked(sheet: Sheet, number: int) -> bool:
    """Whether a deal stays as it was signed, though a ruling reopened the sheet for another."""
    return bool(sheet.reopened) and number <= sheet.reopened["locked"]


def require_not_locked(sheet: Sheet, number: int) -> None:
    """Refuse a table that would change a deal signed before a ruling reopened the sheet."""
    if is_locked(sheet, number):
        raise Conflict(
            "deal_signed",
            _("This deal is signed. Only a referee or the director can change it now."),
        )


def _over_after_bell(sheet: Sheet, marks: dict[str, int], counted: int) -> bool:
    """A match that the bell ended stays ended, unless its tie or an annulled deal is played on."""
    if not sheet.ended_by or sheet.bell_deals is None:
        return False
    if counted < sheet.bell_deals and to_replay(sheet):
        return False
    if not tie_is_played_on(sheet) or len(leaders(marks, sides_of(sheet))) == 1:
        extra = counted - sheet.bell_deals
        return extra <= 0 or extra % extra_deals(sheet) == 0
    return False


def touch(sheet: Sheet) -> None:
    """A new version: recompute where the match stands, let old signatures fall."""
    deals = deals_of_match(sheet)
    if sheet.totals:
        sheet.score, sheet.finished = score_of_totals(sheet), True
    else:
        state = match_state(sheet, deals)
        marks, counted = state.marks, state.deals_played
        sheet.score = {
            "marks": marks,
            "game_score": state.score,
            "games": state.games,
            "winner": state.winner,
            "deals": counted,
            "deals_left": state.deals_left,
            "events": [asdict(event) for event in state.events],
        }
        sheet.finished = state.finished or _over_after_bell(sheet, marks, counted)
    sheet.version += 1
    if sheet.state != SheetState.OPEN:
        drop_signatures(sheet)
    if sheet.state in (SheetState.CLAIMED, SheetState.DISPUTED):
        sheet.state = SheetState.OPEN
    sheet.likeness = likeness(deals)
    sheet.save()


def drop_signatures(sheet: Sheet) -> None:
    """Let the signatures fall; none stand on a sheet that is open."""
    sheet.signatures.filter(standing=True).update(standing=False)


def write_deal(
    sheet: Sheet,
    *,
    series: str,
    number: int,
    entry: EntryJson,
    infractions: list[InfractionJson],
    actor: Actor,
    reason: str = "",
    doubts: list[str] | None = None,
    scored: Scored | None = None,
) -> DealVersion:
    """Append a version of a deal of a locked sheet and supersede the current one, if any.

    ``scored``: what the entry is worth without infractions, where the caller knows it already.
    """
    if scored is None or infractions:
        scored = score_entry(sheet, entry, infractions)
    versions = deal_versions(sheet)
    earlier = [deal for deal in versions if (deal.series, deal.number) == (series, number)]
    before = next((deal for deal in earlier if deal.current), None)
    if before is not None:
        before.current = False
        before.save(update_fields=["current"])
    deal = DealVersion.objects.create(
        sheet=sheet,
        series=series,
        number=number,
        version=max((deal.version for deal in earlier), default=0) + 1,
        entry=entry,
        infractions=infractions,
        marks=scored.marks,
        lines=[line_json(line) for line in scored.lines],
        void=scored.void,
        game_won=scored.game_won or "",
        flagged=scored.violations,
        doubts=doubts or [],
        annulled=bool(entry.get("annulled")),
        reason=reason[:300],
        entered_by=str(actor),
        entered_at=timezone.now(),
    )
    versions.append(deal)
    audit.append(
        deal,
        "deal.corrected" if before else "deal.entered",
        actor,
        before=_deal_record(before) if before else None,
        after=_deal_record(deal),
    )
    deal_written.send(sender=None, sheet=sheet, deal=deal, before=before)
    return deal


def _deal_record(deal: DealVersion) -> dict[str, object]:
    return {
        "sheet": str(deal.sheet_id),
        "series": deal.series,
        "number": deal.number,
        "version": deal.version,
        "entry": deal.entry,
        "infractions": deal.infractions,
        "marks": deal.marks,
        "reason": deal.reason,
        "entered_at": deal.entered_at.isoformat(),
    }


def make_official(sheet: Sheet, *, actor: Actor, reason: str) -> OfficialResult:
    """Supersede the current result, if any; the database admits one current result per sheet."""
    OfficialResult.objects.filter(sheet=sheet, current=True).update(current=False)
    # The match is over with the deals that stand, however many the rules foresee: who leads has won.
    sheet.finished = True
    last = sheet.results.order_by("-number").first()
    result = OfficialResult.objects.create(
        sheet=sheet,
        number=last.number + 1 if last else 1,
        sheet_version=sheet.version,
        result=result_of(sheet),
        reason=reason[:300],
        made_by=str(actor),
        made_at=timezone.now(),
    )
    sheet.state = SheetState.OFFICIAL
    sheet.save()
    audit.append(
        sheet,
        "sheet.official",
        actor,
        after={
            "version": sheet.version,
            "result": result.result,
            "number": result.number,
            "reason": reason,
        },
    )
    return result


def settle_double_entry(sheet: Sheet, actor: Actor) -> None:
    """Make official what agrees; put the sheet in dispute at the first deal that differs."""
    disputed = bool(differences(sheet))
    if not disputed:
        written, official = written_deals(sheet), official_deals(sheet)
        for again in sorted(official):
            _follow_correction(sheet, written.get(again, {}), official[again], actor)
        number = len(official) + 1
        while number in written and not missing(sheet, written[number]) and not sheet.finished:
            write_deal(
                sheet,
                series=Series.OFFICIAL,
                number=number,
                entry=next(iter(written[number].values())).entry,
                infractions=[],
                actor=actor,
            )
            touch(sheet)
            number += 1
    touch(sheet)
    if disputed:
        sheet.state = SheetState.DISPUTED
        sheet.save(update_fields=["state", "changed_at"])


def _follow_correction(
    sheet: Sheet, entries: dict[str, DealVersion], official: DealVersion, actor: Actor
) -> None:
    """Where both sides corrected a deal alike, the official version follows."""
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
