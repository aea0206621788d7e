"""Writing on a score sheet: enter, correct, the bell, enter from paper. Every verb locks first.

A caller states the ``version`` of the sheet that he saw; a sheet that moved on refuses him
(:class:`Conflict` ``sheet_changed``) instead of overwriting. Shared parts are in
:mod:`~scoring.services.record`, signatures in :mod:`~scoring.services.signing`, blind double entry
in :mod:`~scoring.services.double`; the verbs of signing are offered here too.
"""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from ledger import audit
from ledger.actors import Actor
from ledger.errors import Conflict, Refused
from scoring.clock import clock_of
from scoring.models import DealVersion, Protocol, ScoringTable, Series, Sheet, SheetState
from scoring.rules import counts, game_of, redealt, sides_of, totals

from . import double
from .record import (
    announce,
    check_version,
    counted_deals,
    current_deals,
    leaders,
    locked_sheet,
    make_official,
    on_change,
    on_result,
    require_not_locked,
    require_open,
    result_of,
    series_deals,
    tie_is_played_on,
    to_replay,
    touch,
    write_deal,
)
from .signing import confirm, reopen, sign, withdraw_signatures
from .tables import require_pen

UNDO_BELL = timedelta(minutes=1)
"""How long a table may take back that the bell ended its game."""

__all__ = [
    "bell_can_be_undone",
    "check_version",
    "confirm",
    "correct_deal",
    "current_deals",
    "end_by_bell",
    "enter_deal",
    "enter_from_paper",
    "locked_sheet",
    "next_dealer",
    "next_number",
    "on_change",
    "on_result",
    "open_sheet",
    "reopen",
    "result_of",
    "series_deals",
    "set_infractions",
    "sign",
    "to_replay",
    "undo_bell",
    "withdraw_signatures",
]


def open_sheet(
    *,
    table: ScoringTable,
    order: int,
    rulebook: str,
    edition: str,
    options: dict[str, Any],
    seats: dict[str, int],
    first_dealer: str,
    protocol: str,
    depth: str = "points",
) -> Sheet:
    """Lay an empty sheet on a table; ``seats`` maps each seat to its entrant's id."""
    return Sheet.objects.create(
        scope=table.scope, table=table, order=order, rulebook=rulebook, edition=edition,
        options=options, seats=seats, first_dealer=first_dealer, protocol=protocol, depth=depth,
    )  # fmt: skip


def next_number(sheet: Sheet, series: str = Series.OFFICIAL) -> int:
    """The number of the next deal to enter."""
    return len(series_deals(sheet, series)) + 1


def next_dealer(sheet: Sheet, deals: list[DealVersion]) -> str:
    """Who deals after ``deals``: the next player, or the same one who must deal again.

    On a sheet reopened by a ruling it is who dealt the annulled deal; after that the order goes on
    where it was.
    """
    if not deals:
        return sheet.first_dealer
    game = game_of(sheet)
    if sheet.reopened and deals[-1].number >= sheet.reopened["signed"]:
        again = to_replay(sheet, deals)
        since = [deal for deal in deals if deal.number > sheet.reopened["signed"]]
        if again and redealt(again[0]) == "same_dealer" and all(map(counts, since[-1:])):
            return str(again[0].entry.get("dealer", sheet.first_dealer))
        replayed = [deal for deal in since if counts(deal)]
        if not again and 0 < len(replayed) <= len(sheet.reopened["deals"]):
            signed = [deal for deal in deals if deal.number <= sheet.reopened["signed"]]
            return game.next_player(str(signed[-1].entry.get("dealer", sheet.first_dealer)))
    last = deals[-1].entry.get("dealer")
    if last not in game.seats:
        last = sheet.first_dealer
        for _deal in deals[1:]:
            last = game.next_player(last)
    if redealt(deals[-1]) == "same_dealer":
        return str(last)
    return game.next_player(str(last))


@transaction.atomic
def enter_deal(
    *,
    sheet_id: uuid.UUID,
    entry: dict[str, Any],
    actor: Actor,
    number: int | None = None,
    series: str = Series.OFFICIAL,
    version: int | None = None,
    doubts: list[str] | None = None,
) -> DealVersion:
    """Enter the next deal of a sheet.

    ``number`` may be stated (it must then be the next one); ``doubts`` are the codes of questions
    that the table answered with yes. With ``series`` of a side (blind double entry) the deal
    becomes official when the other side's entry agrees. Raises :class:`Conflict` for a signed or
    finished sheet, a lost pen or a changed sheet, and the engine's errors for a deal that the
    rules do not know.
    """
    sheet = locked_sheet(sheet_id)
    if sheet.protocol == Protocol.DOUBLE and actor.kind == "device" and series == Series.OFFICIAL:
        raise Conflict("choose_a_side", _("Both sides enter here: choose the side you write for."))
    require_pen(sheet.table, actor, side="" if series == Series.OFFICIAL else series)
    check_version(sheet, version)
    require_open(sheet)
    following = next_number(sheet, series)
    if number is not None and double.may_still_write(sheet, series, number):
        following = number
    if number is not None and number != following:
        raise Conflict(
            "not_the_next_deal",
            _("Deal %(next)d is the next one to enter. Look at the sheet again."),
            params={"next": following},
        )
    if sheet.finished:
        raise Conflict("match_over", _("The match is over: no more deals can be entered."))
    deal = write_deal(
        sheet, series=series, number=following, entry=entry, infractions=[], actor=actor,
        doubts=doubts,
    )  # fmt: skip
    if series == Series.OFFICIAL:
        touch(sheet)
    else:
        double.settle(sheet, actor)
    announce(sheet, result=False)
    return deal


@transaction.atomic
def correct_deal(
    *,
    sheet_id: uuid.UUID,
    number: int,
    entry: dict[str, Any],
    actor: Actor,
    reason: str,
    series: str = Series.OFFICIAL,
    version: int | None = None,
    official: bool = False,
) -> DealVersion:
    """Supersede a deal, with a reason. ``official`` (referee, director) also reaches signed sheets.

    A corrected signed sheet gets a new official result at once; the old one stays readable.
    """
    if not reason.strip():
        raise Refused("reason_missing", _("Say why the deal is corrected."), field="reason")
    sheet = locked_sheet(sheet_id)
    if sheet.protocol == Protocol.DOUBLE and actor.kind == "device" and series == Series.OFFICIAL:
        raise Conflict("choose_a_side", _("Both sides enter here: choose the side you write for."))
    require_pen(sheet.table, actor, side="" if series == Series.OFFICIAL else series)
    check_version(sheet, version)
    if not official:
        require_open(sheet)
        require_not_locked(sheet, number)
    current = next((deal for deal in series_deals(sheet, series) if deal.number == number), None)
    if current is None:
        raise Refused("no_such_deal", _("The sheet has no such deal."), field="number")
    was_official = sheet.state == SheetState.OFFICIAL
    deal = write_deal(
        sheet, series=series, number=number, entry=entry, infractions=current.infractions,
        actor=actor, reason=reason,
    )  # fmt: skip
    if series != Series.OFFICIAL:
        double.settle(sheet, actor)
        announce(sheet, result=False)
        return deal
    _after_change(sheet, was_official=was_official, actor=actor, reason=reason)
    return deal


@transaction.atomic
def set_infractions(
    *,
    sheet_id: uuid.UUID,
    number: int,
    infractions: list[dict[str, Any]],
    actor: Actor,
    reason: str,
) -> DealVersion:
    """Set the infractions ruled upon in a deal; the deal's marks follow from the engine.

    This is the door by which a ruling reaches a deal, and by which its annulment takes the effect
    back exactly: the entry itself stays as the table made it.
    """
    sheet = locked_sheet(sheet_id)
    current = sheet.deals.filter(series=Series.OFFICIAL, number=number, current=True).first()
    if current is None:
        raise Refused("no_such_deal", _("The sheet has no such deal."), field="number")
    was_official = sheet.state == SheetState.OFFICIAL
    deal = write_deal(
        sheet, series=Series.OFFICIAL, number=number, entry=current.entry,
        infractions=infractions, actor=actor, reason=reason,
    )  # fmt: skip
    _after_change(sheet, was_official=was_official, actor=actor, reason=reason)
    return deal


def _after_change(sheet: Sheet, *, was_official: bool, actor: Actor, reason: str) -> None:
    touch(sheet)
    if was_official:
        make_official(sheet, actor=actor, reason=reason)
    announce(sheet, result=was_official)


@transaction.atomic
def end_by_bell(
    *, sheet_id: uuid.UUID, actor: Actor, in_play: str = "none", version: int | None = None
) -> Sheet:
    """Close the match at the bell with the deals that were played.

    A table may do so once the bell has rung for it, staff at any time; ``ended_early`` says if the
    bell had not rung. ``in_play`` tells what became of the deal in play: ``none``, ``finished`` (it was written) or
    ``cancelled``. A tie is a draw, or is played on where the event says so (Q-GEN-8): the match
    then goes on for two more deals.
    """
    sheet = locked_sheet(sheet_id)
    require_pen(sheet.table, actor)
    check_version(sheet, version)
    require_open(sheet)
    if sheet.finished:
        return sheet
    clock = clock_of(sheet.table)
    rung = clock is not None and clock.rung
    if actor.kind == "device" and not rung:
        raise Conflict(
            "bell_not_rung",
            _("The bell has not rung: play on. Only the director can end a game before it."),
        )
    if in_play not in ("none", "finished", "cancelled"):
        raise Refused("in_play", _("Say what became of the deal in play."), field="in_play")
    again = to_replay(sheet)
    if again:
        raise Conflict(
            "deal_to_replay",
            _("Deal %(number)d is to be played again. If there is no time for it, the director "
              "confirms the result as it stands."),
            params={"number": again[0].number},
        )  # fmt: skip
    deals = counted_deals(sheet)
    sheet.ended_by = "bell"
    sheet.bell_deals = len(deals)
    tied = len(leaders(totals(sheet, deals), sides_of(sheet))) > 1
    sheet.finished = not (tied and tie_is_played_on(sheet))
    sheet.bell_at = timezone.now()
    sheet.ended_early = clock is not None and clock.ends_at is not None and not rung
    sheet.version += 1
    sheet.save(
        update_fields=[
            "finished", "ended_by", "bell_deals", "bell_at", "ended_early", "version", "changed_at",
        ]
    )  # fmt: skip
    audit.append(
        scope=sheet.scope, actor=actor, verb="sheet.ended_by_bell", subject=sheet,
        after={"deals": len(deals), "in_play": in_play, "played_on": not sheet.finished,
               "early": sheet.ended_early},
    )  # fmt: skip
    announce(sheet, result=False)
    return sheet


def bell_can_be_undone(sheet: Sheet) -> timedelta:
    """How long the table may still take back that the bell ended its game."""
    if sheet.ended_by != "bell" or sheet.bell_at is None:
        return timedelta(0)
    return max(timedelta(0), sheet.bell_at + UNDO_BELL - timezone.now())


@transaction.atomic
def undo_bell(*, sheet_id: uuid.UUID, actor: Actor, version: int | None = None) -> Sheet:
    """Take back that the bell ended the game: the table within a minute, staff until it is signed."""
    sheet = locked_sheet(sheet_id)
    require_pen(sheet.table, actor)
    check_version(sheet, version)
    require_open(sheet)
    if sheet.ended_by != "bell":
        return sheet
    if actor.kind == "device" and not bell_can_be_undone(sheet):
        raise Conflict(
            "bell_stands",
            _("The game was ended more than a minute ago. Ask the director if it has to go on."),
        )
    early = sheet.ended_early
    sheet.ended_by, sheet.bell_deals, sheet.bell_at, sheet.ended_early = "", None, None, False
    touch(sheet)
    audit.append(
        scope=sheet.scope, actor=actor, verb="sheet.bell_undone", subject=sheet,
        before={"early": early}, after={"version": sheet.version},
    )  # fmt: skip
    announce(sheet, result=False)
    return sheet


@transaction.atomic
def enter_from_paper(
    *,
    sheet_id: uuid.UUID,
    entries: list[dict[str, Any]],
    actor: Actor,
    reason: str,
    version: int,
    ended_by_bell: bool = False,
) -> Sheet:
    """Staff copies a signed paper sheet: every missing deal and the official result at once.

    ``version`` is the sheet's as the caller saw it. Raises :class:`Conflict` where somebody was
    faster or the deals do not make a whole match (``match_not_over``), unless the bell ended it.
    """
    if not reason.strip():
        raise Refused("reason_missing", _("Say where the paper sheet came from."), field="reason")
    sheet = locked_sheet(sheet_id)
    check_version(sheet, version)
    require_open(sheet)
    for entry in entries:
        if sheet.finished:
            raise Conflict("match_over", _("The match is over: no more deals can be entered."))
        write_deal(
            sheet, series=Series.OFFICIAL, number=next_number(sheet), entry=entry,
            infractions=[], actor=actor, reason=reason,
        )  # fmt: skip
        touch(sheet)
    if not current_deals(sheet):
        raise Conflict("nothing_entered", _("There is nothing to confirm: no deal was entered."))
    if not sheet.finished:
        if not ended_by_bell:
            raise Conflict(
                "match_not_over", _("The match is not over yet: enter the missing deals.")
            )
        sheet.ended_by, sheet.bell_deals = "bell", len(counted_deals(sheet))
        sheet.finished = True
    make_official(sheet, actor=actor, reason=reason)
    announce(sheet, result=True)
    return sheet
