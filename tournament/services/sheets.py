"""The verbs of a score sheet: enter and correct a deal, the bell, enter from paper. Each locks first.

A caller states the ``version`` of the sheet that they saw; a sheet that moved on refuses them
(:class:`Conflict` ``sheet_changed``) instead of overwriting. What the table sends (page, offline
queue, API) comes through :func:`hand_in`: written once, checked for probable mistakes, held to the
bell. What the verbs share is in :mod:`.record`, signatures in :mod:`.signatures`.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Literal, TypeAlias

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.roles import may
from ledger import audit
from ledger.actors import Actor, ActorKind
from ledger.canonical import JsonObject
from ledger.change import change
from ledger.errors import Conflict, NotAllowed, Refused
from ledger.idempotency import once
from ledger.verbs import Between, Inner, Longest, Says, verb
from scoring.engine.shapes import EntryJson
from tournament.models import Standings, StandingsState
from tournament.models.tables import BellRule, DealVersion, Protocol, Series, Sheet, SheetState
from tournament.queries import paper_form
from tournament.queries.alarms import Doubt, doubts, passed_by_all, written_already
from tournament.queries.double_entry import side_of_device
from tournament.queries.falls import Act, fallen, of_sheet, what_falls
from tournament.queries.matches import forfeited_by
from tournament.queries.table_clock import clock_of
from tournament.services.notices import tell_result
from tournament.services.record import (
    locked_sheet,
    make_official,
    require_may_write,
    require_not_locked,
    settle_double_entry,
    touch,
    write_deal,
)
from tournament.signals import result_changed
from tournament.tables.entry import MAY_DIFFER, FormEntry, describes_play, read_entry
from tournament.tables.score_sheet import ScoreSheet

audit.name_verbs(
    "sheet", bell_undone=_("End at the bell undone"), ended_by_bell=_("Game ended at the bell")
)

MOST_POINTS = 999
"""Of one side in one game, as copied from paper."""


class DoubtfulEntry(Conflict):
    """The entry may be a mistake: to send it again, confirm it with the doubts' codes."""

    def __init__(self, doubts: list[Doubt]) -> None:
        super().__init__(
            "please_check",
            _("Please check before saving: %(questions)s"),
            field=doubts[0].field,
            params={"questions": " ".join(each.question for each in doubts)},
        )
        self.doubts = doubts

    @property
    def sure(self) -> str:
        """The value to send back to confirm every question."""
        return ",".join(each.code for each in self.doubts)

    def members(self) -> dict[str, object]:
        """Return ``doubts`` (every question with its code, field and values) and ``sure`` (confirms them)."""
        return {
            "doubts": [
                {
                    "code": each.code,
                    "field": each.field,
                    "question": each.question,
                    "params": each.params,
                }
                for each in self.doubts
            ],
            "sure": self.sure,
        }


def _require_sure(raised: list[Doubt], sure: str) -> None:
    """Ask the questions that ``sure``, codes with commas between them, does not confirm."""
    if {each.code for each in raised} - set(sure.split(",")):
        raise DoubtfulEntry(raised)


Key: TypeAlias = Annotated[str, Longest(40), Says("Idempotency key: the same key records once.")]
Sure: TypeAlias = Annotated[
    str,
    Longest(200),
    Says("Codes of the questions answered with yes, from a `please_check` problem."),
]


@dataclass(frozen=True, slots=True)
class HandedIn:
    """Result of `hand_in`: deal number, sheet version, and whether the deal already existed."""

    number: int
    version: int
    repeated: bool
    sheet_version: int


def series_for(row: Sheet, actor: Actor) -> str:
    """Return the series of a caller: their side's in blind double entry, else the official one."""
    if row.protocol == Protocol.DOUBLE and actor.kind == "device":
        side = side_of_device(row.table, uuid.UUID(actor.id))
        if not side:
            raise Conflict(
                "choose_a_side", _("Both sides record here: choose the side you are recording for.")
            )
        return side
    return Series.OFFICIAL.value


def _held_to_the_bell(
    sheet: ScoreSheet, actor: Actor, played: str, typed_at: datetime | None
) -> bool:
    """Whether this deal ends the match: it was in play when the bell rang (event's bell rule)."""
    if actor.kind != "device" or sheet.row.ended_by == "bell":
        return False
    clock = clock_of(sheet.row.table)
    if clock is None or not clock.rung or clock.ends_at is None:
        return False
    if played == "before" or sheet.to_replay():
        return False
    if played == "in_play":
        if clock.bell_rule == BellRule.CANCEL:
            raise Conflict(
                "deal_cancelled",
                _("In this event the deal in play is cancelled at the bell: end the game."),
            )
        return True
    if typed_at is not None and typed_at < clock.ends_at:
        return False
    raise Conflict(
        "bell_rang",
        _("The bell has rung. Was this deal finished before the bell?"),
        field="played",
    )


@verb(
    "deals_append",
    Sheet,
    "sheets.enter",
    at="deals/",
    statuses={Sheet: 201},
    shows_row=True,
    by_link=True,
    done=_("The deal is recorded."),
)
def hand_in(
    *,
    sheet_id: uuid.UUID,
    entry: EntryJson | FormEntry,
    actor: Actor,
    key: Key = "",
    number: Annotated[int | None, Between(1, 999)] = None,
    typed_number: Annotated[int | None, Inner()] = None,
    version: int | None = None,
    sure: Sure = "",
    played: Annotated[Literal["", "before", "in_play"], Says("After the bell.")] = "",
    typed_at: Annotated[datetime | None, Inner()] = None,
) -> HandedIn:
    """Record the next deal; with a ``key`` a repetition records nothing and answers the same.

    Raises :class:`DoubtfulEntry`, :class:`Conflict` and the engine's errors.
    """
    # A deal that another phone has written as ``number``, and that is the same, is not written again.
    # ``typed_number``: under which the entry was first typed, where a decision about an earlier deal has
    # moved this one. ``played`` stands before ``typed_at``, when it was typed by the server's clock.
    # The lock first: of two senders of one key the second then finds the first's answer.
    sheet = locked_sheet(sheet_id)
    row, series = sheet.row, series_for(sheet.row, actor)

    def effect() -> JsonObject:
        own = sheet.current(series)
        deals = own if series == Series.OFFICIAL else sheet.known(series)
        written = {deal.number: deal for deal in own}
        given: list[EntryJson] = []
        for at in [number] if typed_number is None else [number, typed_number]:
            if isinstance(entry, FormEntry):
                before = deals if at is None else deals[: max(at - 1, 0)]
                given.append(read_entry(sheet, entry.posted, sheet.next_dealer(before)))
            else:
                given.append(entry)
            known = written.get(at or 0)
            if known is not None and _is_same(sheet, known, given[-1]):
                return {"number": known.number, "version": known.version, "same": True}
        first = given[0]
        following = require_next(sheet, actor, deals, series=series, number=number, version=version)
        last = _held_to_the_bell(sheet, actor, played, typed_at)
        raised: list[Doubt] = []
        if isinstance(entry, FormEntry) and entry.posted.get("passed"):
            raised += [passed_by_all()] if describes_play(sheet.game, entry.posted) else []
        scored = sheet.score(first)
        if series == Series.OFFICIAL:
            raised += doubts(sheet, first, scored, following)
            raised += written_already(sheet, first) if typed_number is not None else []
        if raised:
            _require_sure(raised, sure)
        deal = write_deal(
            sheet,
            series=series,
            number=following,
            entry=first,
            actor=actor,
            doubts=[each.code for each in raised],
            scored=scored,
        )
        if series == Series.OFFICIAL:
            touch(sheet)
        else:
            settle_double_entry(sheet, actor)
        if last:
            end_by_bell(sheet_id=row.pk, actor=actor, in_play="finished")
        return {"number": deal.number, "version": deal.version}

    sent: object = entry
    if isinstance(entry, FormEntry):
        sent = [[name, entry.posted[name]] for name in sorted({*entry.posted} - MAY_DIFFER)]
    request = ["deal", str(row.pk), series, sent]
    answer, repeated = once(
        scope=row.scope, within=row.table_id, key=key, request=request, effect=effect
    )
    return HandedIn(answer["number"], answer["version"], repeated or "same" in answer, row.version)


def _is_same(sheet: ScoreSheet, deal: DealVersion, entry: EntryJson) -> bool:
    """Whether a deal, as another phone wrote it, is the same as ``entry``."""
    if deal.entry == entry:
        return True
    parts = ("dealer", "contract", "turn_up", "annulled")
    if any(deal.entry.get(part) != entry.get(part) for part in parts):
        return False
    # The points of one side say those of the other.
    one, other = sheet.score(deal.entry), sheet.score(entry)
    return (one.points, one.marks) == (other.points, other.marks)


@change()
def enter_deal(*, sheet_id: uuid.UUID, entry: EntryJson, actor: Actor) -> DealVersion:
    """Enter the next deal of a sheet, asking nothing.

    Raises as :func:`require_next`, and the engine's errors for a deal that the rules do not know.
    """
    sheet = locked_sheet(sheet_id)
    number = require_next(sheet, actor, sheet.current())
    deal = write_deal(sheet, series=Series.OFFICIAL, number=number, entry=entry, actor=actor)
    touch(sheet)
    return deal


def require_next(
    sheet: ScoreSheet,
    actor: Actor,
    deals: Sequence[DealVersion],
    *,
    series: str = Series.OFFICIAL,
    number: int | None = None,
    version: int | None = None,
) -> int:
    """Return the number of the deal that ``actor`` may enter now on a locked sheet, after its ``deals``.

    Raises :class:`Conflict` for a signed or finished sheet, another phone that writes, a changed sheet, a table
    with a forfeited player, and a ``number`` that is not the next one.
    """
    row = sheet.row
    if row.protocol == Protocol.DOUBLE and actor.kind == "device" and series == Series.OFFICIAL:
        raise Conflict(
            "choose_a_side", _("Both sides record here: choose the side you are recording for.")
        )
    if series == Series.OFFICIAL:
        require_may_write(row, actor, version)
    else:
        # Of two sides that write apart each moves the sheet on under the other.
        require_may_write(row, actor, None, side=series)
    following = len(deals) + 1
    if number not in (None, following) and sheet.may_still_write(series, number):
        following = number
    if row.finished:
        raise Conflict(
            "match_over",
            _("The game is over: no more deals can be recorded."),
            params={"next": following},
        )
    if sheet.has_forfeit:
        raise Conflict(
            "table_forfeited",
            _("%(names)s forfeited this round: no more deals are recorded at this table."),
            params={"names": forfeited_by(row.table)},
        )
    if number is not None and number != following:
        raise Conflict(
            "not_the_next_deal",
            _("Deal %(next)d is the next one to record. Look at the sheet again."),
            params={"next": following},
        )
    return following


def refusal_to_correct(row: Sheet, actor: Actor) -> Refused | None:
    """Why a member of staff does not correct a deal of a sheet, or ``None`` where they do.

    A wrong score is corrected "while the round is open, afterwards by the director until the
    standings are final" (rules C.8, GEN-SCORE).
    """
    round_ = row.table.round
    if actor.kind != ActorKind.USER or round_ is None or round_.closed_at is None:
        return None
    if Standings.objects.filter(stage=round_.stage_id, state=StandingsState.FINAL).exists():
        return Conflict("standings_final", _("The standings are final: the score stands."))
    user = User.objects.filter(pk=actor.id).first()
    if user is None or not may(user, "rounds.manage", row.scope):
        return NotAllowed("round_closed", _("The round is over: the director corrects the score."))
    return None


@verb(
    "deals_correct",
    Sheet,
    "sheets.correct",
    at="deals/<int:number>/",
    method="PUT",
    shows_row=True,
    by_link=True,
    done=_("The deal is corrected."),
)
def correct_deal(
    *,
    sheet_id: uuid.UUID,
    number: int,
    entry: EntryJson | FormEntry,
    actor: Actor,
    reason: Annotated[str, Longest(300)],
    key: Key = "",
    version: int | None = None,
) -> HandedIn:
    """Correct the deal with a reason; staff also on a signed sheet."""
    # The correction of a signed sheet immediately makes a new official result; the old one stays
    # readable.
    if not reason.strip():
        raise Refused("reason_missing", _("Give a reason for correcting the deal."), field="reason")
    sheet = locked_sheet(sheet_id)
    row, series = sheet.row, series_for(sheet.row, actor)
    current = next((deal for deal in sheet.known(series) if deal.number == number), None)
    if isinstance(entry, FormEntry):
        dealer = current.entry.get("dealer") if current is not None else None
        entry = read_entry(sheet, entry.posted, dealer or row.first_dealer)
    corrected: EntryJson = entry

    def effect() -> JsonObject:
        at_table = actor.kind in (ActorKind.DEVICE, ActorKind.PLAYER)
        side = "" if series == Series.OFFICIAL else series
        require_may_write(row, actor, version, side=side, signed=not at_table)
        if at_table:
            require_not_locked(row, number)
        elif (refusal := refusal_to_correct(row, actor)) is not None:
            raise refusal
        if current is None:
            raise Refused("no_such_deal", _("The sheet has no such deal."), field="number")
        was_official = row.state == SheetState.OFFICIAL
        falls = what_falls(of_sheet(row, Act.CORRECT)) if was_official and row.table.round else []
        deal = write_deal(
            sheet,
            series=series,
            number=number,
            entry=corrected,
            infractions=current.infractions,
            actor=actor,
            reason=reason,
        )
        if series != Series.OFFICIAL:
            settle_double_entry(sheet, actor)
        else:
            touch(sheet)
        if was_official and series == Series.OFFICIAL:
            make_official(sheet, actor=actor, reason=reason, falls=fallen(falls))
            result_changed.send(sender=None, sheet=row)
            tell_result(row)
        return {"number": deal.number, "version": deal.version}

    sent = ["correct", str(row.pk), series, number, corrected, reason]
    answer, repeated = once(
        scope=row.scope, within=row.table_id, key=key, request=sent, effect=effect
    )
    return HandedIn(answer["number"], answer["version"], repeated, row.version)


@verb(
    "sheets_bell",
    Sheet,
    "sheets.enter",
    by_link=True,
    done=_("The game is ended with the deals recorded so far."),
)
def end_by_bell(
    *,
    sheet_id: uuid.UUID,
    actor: Actor,
    in_play: Literal["none", "finished", "cancelled"] = "none",
    version: int | None = None,
) -> Sheet:
    """End the match at the bell with the deals recorded so far.

    A table may do so once the bell has rung for it, staff at any time. ``in_play`` says what became of
    the deal in play (``finished``: it was recorded). A tie is a draw, or is played on for two more deals where
    the event says so.
    """
    sheet = locked_sheet(sheet_id)
    row = sheet.row
    require_may_write(row, actor, version)
    if row.finished:
        return row
    clock = clock_of(row.table)
    rung = clock is not None and clock.rung
    if actor.kind == "device" and not rung:
        raise Conflict(
            "bell_not_rung",
            _("The bell has not rung: play on. Only the director can end a game before it."),
        )
    if in_play not in ("none", "finished", "cancelled"):
        raise Refused("in_play", _("Choose what became of the deal in play."), field="in_play")
    again = sheet.to_replay()
    if again:
        raise Conflict(
            "deal_to_replay",
            _(
                "Deal %(number)d is to be played again. If there is no time for it, the director "
                "confirms the result as it stands."
            ),
            params={"number": again[0].number},
        )
    deals = sheet.counted()
    row.ended_by = "bell"
    row.bell_deals = len(deals)
    tied = len(sheet.leaders(sheet.state(deals).marks)) > 1
    row.finished = not (tied and sheet.ties_play_on)
    row.bell_at = timezone.now()
    row.ended_early = clock is not None and clock.ends_at is not None and not rung
    row.version += 1
    row.save(
        update_fields=[
            "finished",
            "ended_by",
            "bell_deals",
            "bell_at",
            "ended_early",
            "version",
            "changed_at",
        ]
    )
    audit.append(
        row,
        "sheet.ended_by_bell",
        actor,
        after={
            "deals": len(deals),
            "in_play": in_play,
            "played_on": not row.finished,
            "early": row.ended_early,
        },
    )
    return row


@verb(
    "sheets_undo_bell",
    Sheet,
    "sheets.enter",
    at="undo-bell/",
    by_link=True,
    done=_("The game is in play again."),
)
def undo_bell(*, sheet_id: uuid.UUID, actor: Actor, version: int | None = None) -> Sheet:
    """Take back that the bell ended the game: the table within a minute, staff until it is signed."""
    sheet = locked_sheet(sheet_id)
    row = sheet.row
    require_may_write(row, actor, version)
    if row.ended_by != "bell":
        return row
    if actor.kind == "device" and not sheet.undo_bell_left():
        raise Conflict(
            "bell_stands",
            _("The game was ended more than a minute ago. Ask the director if it must continue."),
        )
    early = row.ended_early
    row.ended_by, row.bell_deals, row.bell_at, row.ended_early = "", None, None, False
    touch(sheet)
    audit.append(
        row, "sheet.bell_undone", actor, before={"early": early}, after={"version": row.version}
    )
    return row


@dataclass(frozen=True, slots=True)
class PaperGame:
    """One game of a slip: its deals in order, the sheet's version as the caller saw it, the bell.

    ``totals``: the points of each side in place of deals.
    """

    sheet_id: uuid.UUID
    entries: Sequence[EntryJson]
    version: int
    ended_by_bell: bool = False
    totals: dict[str, int] | None = None
    sure: str = ""


class GameRefused(Exception):
    """Refusal of a slip: the game that cannot be stored, and the reason."""

    def __init__(self, sheet_id: uuid.UUID, refusal: Refused) -> None:
        super().__init__(str(refusal))
        self.sheet_id, self.refusal = sheet_id, refusal


@change()
def enter_slip(*, games: list[PaperGame], actor: Actor, reason: str, key: str = "") -> None:
    """Staff copies a table's slip: the games given become official together, or none does.

    Once only for a ``key``: what is sent again is found done. Raises :class:`GameRefused` with the game
    that :func:`enter_from_paper` refuses.
    """
    # All the sheets first: their table is locked with the first of them.
    wanted = Sheet.objects.filter(pk__in=[game.sheet_id for game in games]).order_by("pk")
    locked = list(wanted.select_for_update(of=("self",), no_key=True))

    def effect() -> JsonObject:
        for game in games:
            try:
                enter_from_paper(
                    sheet_id=game.sheet_id,
                    entries=game.entries,
                    actor=actor,
                    reason=reason,
                    version=game.version,
                    ended_by_bell=game.ended_by_bell,
                    totals=game.totals,
                    sure=game.sure,
                )
            except Refused as refusal:
                raise GameRefused(game.sheet_id, refusal) from refusal
        return {}

    at = locked[0]
    once(scope=at.scope, within=at.table_id, key=key, request=["slip", key], effect=effect)


@verb("sheets_slip", Sheet, "sheets.enter")
def enter_from_paper(
    *,
    sheet_id: uuid.UUID,
    actor: Actor,
    reason: Annotated[str, Longest(300), Says("Where the paper came from.")],
    version: int,
    entries: Annotated[Sequence[EntryJson], Says("The missing deals, in order.")] = (),
    ended_by_bell: bool = False,
    totals: Annotated[
        dict[str, int] | None, Says("The points of each side alone, in place of deals.")
    ] = None,
    sure: Sure = "",
) -> Sheet:
    """Copy missing deals or final points from signed paper; the result becomes official.

    Raises :class:`Conflict` when the sheet changed meanwhile, or when the copy is no complete match
    (``match_not_over``), unless the bell ended it.
    """
    # ``totals`` are copied where they may be alone (:func:`paper_form.wants_deals`), or must be what the
    # deals recorded already gave (:func:`paper_form.is_played_out`).
    if not reason.strip():
        raise Refused("reason_missing", _("Enter where the paper sheet came from."), field="reason")
    sheet = locked_sheet(sheet_id)
    row = sheet.row
    require_may_write(row, actor, version)
    if totals is not None and paper_form.is_played_out(sheet):
        _require_recorded(sheet, totals)
    elif totals is not None:
        _require_sure(paper_form.only_doubled(sheet, totals), sure)
        _copy_totals(sheet, totals, ended_by_bell=ended_by_bell)
        entries = []
    for entry in entries:
        if row.finished:
            raise Conflict(
                "match_over",
                _("The game is over with deal %(n)d: record nothing after it.")
                % {"n": sheet.next_number() - 1},
            )
        write_deal(
            sheet,
            series=Series.OFFICIAL,
            number=sheet.next_number(),
            entry=entry,
            actor=actor,
            reason=reason,
        )
        touch(sheet)
    if not row.totals and not sheet.current():
        raise Conflict("nothing_entered", _("There is nothing to confirm: no deal was recorded."))
    if not row.finished:
        if not ended_by_bell:
            raise Conflict(
                "match_not_over", _("The match is not over yet: record the missing deals.")
            )
        row.ended_by, row.bell_deals = "bell", len(sheet.counted())
    make_official(sheet, actor=actor, reason=reason)
    result_changed.send(sender=None, sheet=row)
    return row


def _copy_totals(sheet: ScoreSheet, totals: dict[str, int], *, ended_by_bell: bool) -> None:
    """Take the points of a whole game in place of its deals."""
    if why := paper_form.wants_deals(sheet):
        raise Refused("deals_wanted", why, field="totals")
    sides = sheet.sides
    least = 0 if sheet.game.in_pairs else -MOST_POINTS
    if set(totals) != set(sides) or not all(least <= n <= MOST_POINTS for n in totals.values()):
        raise Refused(
            "totals_wrong",
            _("Enter the points of every side: whole numbers up to %(most)d.")
            % {"most": MOST_POINTS},
            field="totals",
        )
    _require_possible(sheet, totals)
    target = sheet.game.options["target"]
    first = sheet.leaders(totals)
    if isinstance(target, int):
        over = len(first) == 1 and totals[first[0]] >= target
    else:
        over = len(first) == 1 or not sheet.ties_play_on
    if not over and not ended_by_bell:
        raise Conflict("match_not_over", _("These points do not end the game: check them."))
    if ended_by_bell:
        sheet.row.ended_by = "bell"
    sheet.row.totals = {side: totals[side] for side in sides}
    touch(sheet)


def _require_recorded(sheet: ScoreSheet, points: dict[str, int]) -> None:
    """Refuse points of a slip that the deals recorded at the table did not give."""
    recorded = paper_form.recorded(sheet)
    if points != recorded:
        raise Refused(
            "points_differ",
            _(
                "The deals that the table recorded give %(points)s. Compare slip and score sheet, and correct the "
                "deal that is wrong."
            )
            % {"points": " – ".join(map(str, recorded.values()))},
            field="totals",
        )


def _require_possible(sheet: ScoreSheet, totals: dict[str, int]) -> None:
    """Refuse points that the deals of a game cannot give, however they were doubled."""
    bounded = paper_form.above_possible(sheet, totals)
    if bounded is not None:
        given, limit = bounded
        raise Refused(
            "totals_wrong",
            _(
                "The deals of this game cannot give so many points: %(given)d, at most %(limit)d. "
                "Check them; if penalties are among them, copy the deals."
            )
            % {"given": given, "limit": limit},
            field="totals",
        )
