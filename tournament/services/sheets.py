"""The verbs of a score sheet: enter and correct a deal, the bell, enter from paper. Each locks first.

A caller states the ``version`` of the sheet that they saw; a sheet that moved on refuses them
(:class:`Conflict` ``sheet_changed``) instead of overwriting. What the table sends (page, offline
queue, API) comes through :func:`hand_in`: written once, checked for probable mistakes, held to the
bell. What the verbs share is in :mod:`.record`, signatures in :mod:`.signatures`.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.roles import may
from ledger import audit
from ledger.actors import Actor, ActorKind
from ledger.canonical import JsonObject
from ledger.change import change
from ledger.errors import Conflict, NotAllowed, Refused
from ledger.idempotency import KeyReused, once
from scoring.engine.shapes import EntryJson
from tournament.models import Standings, StandingsState
from tournament.models.tables import BellRule, DealVersion, Protocol, Series, Sheet, SheetState
from tournament.queries import paper_form
from tournament.queries.alarms import Doubt, doubts, written_already
from tournament.queries.deals import (
    bell_can_be_undone,
    counted_deals,
    current_deals,
    leaders,
    next_number,
    series_deals,
    tie_is_played_on,
    to_replay,
)
from tournament.queries.double_entry import may_still_write, side_of_device
from tournament.queries.table_clock import clock_of
from tournament.services.notices import tell_result
from tournament.services.record import (
    check_version,
    locked_sheet,
    make_official,
    require_not_locked,
    require_open,
    require_undecided,
    settle_double_entry,
    touch,
    write_deal,
)
from tournament.services.tables import require_writer
from tournament.signals import result_changed
from tournament.tables.rules import Scored, by_player, game_of, score_entry, sides_of, totals

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
        """What to send back to say yes to every question."""
        return ",".join(each.code for each in self.doubts)

    def members(self) -> dict[str, object]:
        """``doubts``: every question with its code, field and values; ``sure``: what says yes."""
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


@dataclass(frozen=True, slots=True)
class HandedIn:
    """What came of it: the deal's number, whether it had been written before (a repetition), and the sheet's version."""

    number: int
    version: int
    repeated: bool
    sheet_version: int


def series_for(sheet: Sheet, actor: Actor) -> str:
    """Which series a caller writes: their side's in blind double entry, else the official one."""
    if sheet.protocol == Protocol.DOUBLE and actor.kind == "device":
        side = side_of_device(sheet.table, uuid.UUID(actor.id))
        if not side:
            raise Conflict(
                "choose_a_side", _("Both sides record here: choose the side you are recording for.")
            )
        return side
    return Series.OFFICIAL.value


def _held_to_the_bell(sheet: Sheet, actor: Actor, played: str, typed_at: datetime | None) -> bool:
    """Whether this deal ends the match: it was in play when the bell rang (event's bell rule)."""
    if actor.kind != "device" or sheet.ended_by == "bell" or to_replay(sheet):
        return False
    clock = clock_of(sheet.table)
    if clock is None or not clock.rung or clock.ends_at is None:
        return False
    if played == "before":
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


ReadEntry = Callable[[Sheet, int | None], EntryJson]
"""The entry as it reads at a number of the locked sheet (the next one for ``None``)."""


def hand_in(
    *,
    sheet: Sheet,
    read: ReadEntry,
    request: object,
    actor: Actor,
    key: str = "",
    number: int | None = None,
    typed_number: int | None = None,
    version: int | None = None,
    sure: str = "",
    played: str = "",
    typed_at: datetime | None = None,
    further: tuple[Doubt, ...] = (),
) -> HandedIn:
    """Write the next deal, at most once for ``key``.

    A deal that another phone has written as ``number``, and that is the same, is not written again;
    ``typed_number`` is the number under which the entry was first typed, where a decision about an
    earlier deal has moved this one.
    ``sure`` holds the codes of the doubts answered with yes, ``further`` those that the sender's form
    raises beside the sheet's; ``played`` is ``before`` or ``in_play`` after the bell, and stands before
    ``typed_at``, when the deal was typed by the server's clock. ``request`` is what the sender sent: a
    repetition must be the same.
    Raises :class:`DoubtfulEntry`, :class:`Conflict` and the engine's errors.
    """
    with change():
        # The lock first: of two senders of one key the second then finds the first's answer.
        sheet = locked_sheet(sheet.pk)
        series = series_for(sheet, actor)

        def effect() -> dict[str, int]:
            entry = read(sheet, number)
            places = [(number, entry)]
            if typed_number is not None:
                places.append((typed_number, read(sheet, typed_number)))
            for place in places:
                known = _same_deal(sheet, series, *place)
                if known is not None:
                    return {"number": known.number, "version": known.version, "same": True}
            following = require_next(sheet, actor, series=series, number=number, version=version)
            last = _held_to_the_bell(sheet, actor, played, typed_at)
            raised = list(further)
            scored = score_entry(sheet, entry)
            if series == Series.OFFICIAL:
                raised += doubts(sheet, entry, scored, following)
                raised += written_already(sheet, entry) if typed_number is not None else []
            answered = {code for code in sure.split(",") if code}
            if {each.code for each in raised} - answered:
                raise DoubtfulEntry(raised)
            deal = write_next(
                sheet,
                number=following,
                entry=entry,
                actor=actor,
                series=series,
                doubts=[each.code for each in raised],
                scored=scored,
            )
            if last:
                end_by_bell(sheet_id=sheet.pk, actor=actor, in_play="finished")
            return {"number": deal.number, "version": deal.version}

        answer, repeated = give_once(sheet, key, ["deal", str(sheet.pk), series, request], effect)
        return HandedIn(
            answer["number"], answer["version"], repeated or "same" in answer, sheet.version
        )


def _same_deal(
    sheet: Sheet, series: str, number: int | None, entry: EntryJson
) -> DealVersion | None:
    """The deal ``number`` as another phone wrote it, where it is the same as ``entry``."""
    deals = (deal for deal in current_deals(sheet, series) if deal.number == number)
    deal = next(deals, None)
    if deal is None or deal.entry == entry:
        return deal
    parts = ("dealer", "contract", "turn_up", "annulled")
    if any(deal.entry.get(part) != entry.get(part) for part in parts):
        return None
    # The points of one side say those of the other.
    one, other = score_entry(sheet, deal.entry), score_entry(sheet, entry)
    return deal if (one.points, one.marks) == (other.points, other.marks) else None


def give_once(
    sheet: Sheet, key: str, request: object, effect: Callable[[], JsonObject]
) -> tuple[JsonObject, bool]:
    """``effect()`` at most once for ``key`` at the table of a locked sheet; always without a key."""
    if not key:
        return effect(), False
    try:
        return once(
            scope=sheet.scope, key=f"{sheet.table_id}:{key}"[:80], request=request, effect=effect
        )
    except KeyReused as error:
        raise Conflict("key_reused", _("This entry was sent before with other content.")) from error


def correct_once(
    *,
    sheet: Sheet,
    number: int,
    entry: EntryJson,
    reason: str,
    actor: Actor,
    key: str = "",
    version: int | None = None,
    official: bool = False,
) -> HandedIn:
    """Supersede a deal, at most once for ``key``; ``official`` also reaches signed"""
    if not reason.strip():
        raise Refused("reason_missing", _("Give a reason for correcting the deal."), field="reason")
    with change():
        sheet = locked_sheet(sheet.pk)
        series = series_for(sheet, actor)

        def effect() -> dict[str, int]:
            deal = correct_deal(
                sheet_id=sheet.pk,
                number=number,
                entry=entry,
                reason=reason,
                actor=actor,
                series=series,
                version=version,
                official=official,
            )
            return {"number": deal.number, "version": deal.version}

        answer, repeated = give_once(
            sheet, key, ["correct", str(sheet.pk), series, number, entry, reason], effect
        )
        return HandedIn(answer["number"], answer["version"], repeated, sheet.version)


@change()
def enter_deal(
    *,
    sheet_id: uuid.UUID,
    entry: EntryJson,
    actor: Actor,
    number: int | None = None,
    series: str = Series.OFFICIAL,
    version: int | None = None,
) -> DealVersion:
    """Enter the next deal of a sheet.

    ``number`` may be stated (it must then be the next one). Raises as :func:`require_next`, and the
    engine's errors for a deal that the rules do not know.
    """
    sheet = locked_sheet(sheet_id)
    following = require_next(sheet, actor, series=series, number=number, version=version)
    return write_next(sheet, number=following, entry=entry, actor=actor, series=series)


def require_next(
    sheet: Sheet,
    actor: Actor,
    *,
    series: str = Series.OFFICIAL,
    number: int | None = None,
    version: int | None = None,
) -> int:
    """The number of the deal that ``actor`` may enter now on a locked sheet.

    Raises :class:`Conflict` for a signed or finished sheet, another phone that writes, a changed sheet, and a
    ``number`` that is not the next one.
    """
    if sheet.protocol == Protocol.DOUBLE and actor.kind == "device" and series == Series.OFFICIAL:
        raise Conflict(
            "choose_a_side", _("Both sides record here: choose the side you are recording for.")
        )
    check_version(sheet, version)
    require_writer(sheet.table, actor, side="" if series == Series.OFFICIAL else series)
    require_open(sheet)
    following = next_number(sheet, series)
    if number is not None and may_still_write(sheet, series, number):
        following = number
    if sheet.finished:
        raise Conflict("match_over", _("The game is over: no more deals can be recorded."))
    if number is not None and number != following:
        raise Conflict(
            "not_the_next_deal",
            _("Deal %(next)d is the next one to record. Look at the sheet again."),
            params={"next": following},
        )
    return following


def write_next(
    sheet: Sheet,
    *,
    number: int,
    entry: EntryJson,
    actor: Actor,
    series: str = Series.OFFICIAL,
    doubts: list[str] | None = None,
    scored: Scored | None = None,
) -> DealVersion:
    """Write the deal that :func:`require_next` allowed.

    ``doubts`` are the codes of questions that the table answered with yes. With ``series`` of a side
    (blind double entry) the deal becomes official when the other side's entry agrees.
    """
    deal = write_deal(
        sheet,
        series=series,
        number=number,
        entry=entry,
        infractions=[],
        actor=actor,
        doubts=doubts,
        scored=scored,
    )
    if series == Series.OFFICIAL:
        touch(sheet)
    else:
        settle_double_entry(sheet, actor)
    return deal


def refusal_to_correct(sheet: Sheet, actor: Actor) -> Refused | None:
    """Why a member of staff does not correct a deal of ``sheet``, or ``None`` where they do.

    A wrong score is corrected "while the round is open, afterwards by the director until the
    standings are final" (rules C.8, GEN-SCORE).
    """
    part = sheet.table.round
    if actor.kind != ActorKind.USER or part is None or part.closed_at is None:
        return None
    if Standings.objects.filter(stage=part.stage_id, state=StandingsState.FINAL).exists():
        return Conflict("standings_final", _("The standings are final: the score stands."))
    user = User.objects.filter(pk=actor.id).first()
    if user is None or not may(user, "rounds.manage", sheet.scope):
        return NotAllowed("round_closed", _("The round is over: the director corrects the score."))
    return None


@change()
def correct_deal(
    *,
    sheet_id: uuid.UUID,
    number: int,
    entry: EntryJson,
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
        raise Refused("reason_missing", _("Give a reason for correcting the deal."), field="reason")
    sheet = locked_sheet(sheet_id)
    if sheet.protocol == Protocol.DOUBLE and actor.kind == "device" and series == Series.OFFICIAL:
        raise Conflict(
            "choose_a_side", _("Both sides record here: choose the side you are recording for.")
        )
    require_writer(sheet.table, actor, side="" if series == Series.OFFICIAL else series)
    check_version(sheet, version)
    if not official:
        require_open(sheet)
        require_not_locked(sheet, number)
    elif (refusal := refusal_to_correct(sheet, actor)) is not None:
        raise refusal
    require_undecided(sheet)
    current = next((deal for deal in series_deals(sheet, series) if deal.number == number), None)
    if current is None:
        raise Refused("no_such_deal", _("The sheet has no such deal."), field="number")
    was_official = sheet.state == SheetState.OFFICIAL
    deal = write_deal(
        sheet,
        series=series,
        number=number,
        entry=entry,
        infractions=current.infractions,
        actor=actor,
        reason=reason,
    )
    if series != Series.OFFICIAL:
        settle_double_entry(sheet, actor)
        return deal
    touch(sheet)
    if was_official:
        make_official(sheet, actor=actor, reason=reason)
        result_changed.send(sender=None, sheet=sheet)
        tell_result(sheet)
    return deal


@change()
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
    require_writer(sheet.table, actor)
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
        raise Refused("in_play", _("Choose what became of the deal in play."), field="in_play")
    again = to_replay(sheet)
    if again:
        raise Conflict(
            "deal_to_replay",
            _(
                "Deal %(number)d is to be played again. If there is no time for it, the director "
                "confirms the result as it stands."
            ),
            params={"number": again[0].number},
        )
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
        sheet,
        "sheet.ended_by_bell",
        actor,
        after={
            "deals": len(deals),
            "in_play": in_play,
            "played_on": not sheet.finished,
            "early": sheet.ended_early,
        },
    )
    return sheet


@change()
def undo_bell(*, sheet_id: uuid.UUID, actor: Actor, version: int | None = None) -> Sheet:
    """Take back that the bell ended the game: the table within a minute, staff until it is signed."""
    sheet = locked_sheet(sheet_id)
    require_writer(sheet.table, actor)
    check_version(sheet, version)
    require_open(sheet)
    if sheet.ended_by != "bell":
        return sheet
    if actor.kind == "device" and not bell_can_be_undone(sheet):
        raise Conflict(
            "bell_stands",
            _("The game was ended more than a minute ago. Ask the director if it must continue."),
        )
    early = sheet.ended_early
    sheet.ended_by, sheet.bell_deals, sheet.bell_at, sheet.ended_early = "", None, None, False
    touch(sheet)
    audit.append(
        sheet, "sheet.bell_undone", actor, before={"early": early}, after={"version": sheet.version}
    )
    return sheet


@dataclass(frozen=True, slots=True)
class PaperGame:
    """One game of a slip: its deals in order, the sheet's version as the caller saw it, the bell.

    ``totals``: the points of each side in place of deals.
    """

    sheet_id: uuid.UUID
    entries: list[EntryJson]
    version: int
    ended_by_bell: bool = False
    totals: dict[str, int] | None = None


class GameRefused(Exception):
    """A game of a slip that cannot be written: which one, and why."""

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
                )
            except Refused as refusal:
                raise GameRefused(game.sheet_id, refusal) from refusal
        return {}

    give_once(locked[0], key, ["slip", key], effect)


@change()
def enter_from_paper(
    *,
    sheet_id: uuid.UUID,
    entries: list[EntryJson],
    actor: Actor,
    reason: str,
    version: int,
    ended_by_bell: bool = False,
    totals: dict[str, int] | None = None,
) -> Sheet:
    """Staff copies a signed paper sheet: every missing deal and the official result at once.

    ``version`` is the sheet's as the caller saw it. ``totals``: the points of each side, where they
    alone are copied (:func:`tournament.queries.paper_form.wants_deals`), or those that the deals recorded
    already must have given (:func:`tournament.queries.paper_form.is_played_out`). Raises :class:`Conflict` where
    somebody was faster or what is copied makes no whole match (``match_not_over``), unless the bell
    ended it.
    """
    if not reason.strip():
        raise Refused("reason_missing", _("Enter where the paper sheet came from."), field="reason")
    sheet = locked_sheet(sheet_id)
    check_version(sheet, version)
    require_open(sheet)
    if totals is not None and paper_form.is_played_out(sheet):
        _require_recorded(sheet, totals)
    elif totals is not None:
        _copy_totals(sheet, totals, ended_by_bell=ended_by_bell)
        entries = []
    for entry in entries:
        if sheet.finished:
            raise Conflict(
                "match_over",
                _("The game is over with deal %(n)d: record nothing after it.")
                % {"n": next_number(sheet) - 1},
            )
        write_deal(
            sheet,
            series=Series.OFFICIAL,
            number=next_number(sheet),
            entry=entry,
            infractions=[],
            actor=actor,
            reason=reason,
        )
        touch(sheet)
    if not sheet.totals and not current_deals(sheet):
        raise Conflict("nothing_entered", _("There is nothing to confirm: no deal was recorded."))
    if not sheet.finished:
        if not ended_by_bell:
            raise Conflict(
                "match_not_over", _("The match is not over yet: record the missing deals.")
            )
        sheet.ended_by, sheet.bell_deals = "bell", len(counted_deals(sheet))
    make_official(sheet, actor=actor, reason=reason)
    result_changed.send(sender=None, sheet=sheet)
    return sheet


def _copy_totals(sheet: Sheet, totals: dict[str, int], *, ended_by_bell: bool) -> None:
    """Take the points of a whole game in place of its deals."""
    if why := paper_form.wants_deals(sheet):
        raise Refused("deals_wanted", why, field="totals")
    sides = sides_of(sheet)
    least = -MOST_POINTS if by_player(sheet) else 0
    if set(totals) != set(sides) or not all(least <= n <= MOST_POINTS for n in totals.values()):
        raise Refused(
            "totals_wrong",
            _("Enter the points of every side: whole numbers up to %(most)d.")
            % {"most": MOST_POINTS},
            field="totals",
        )
    _require_possible(sheet, totals)
    target = game_of(sheet).options["target"]
    first = leaders(totals, sides)
    if isinstance(target, int):
        over = len(first) == 1 and totals[first[0]] >= target
    else:
        over = len(first) == 1 or not tie_is_played_on(sheet)
    if not over and not ended_by_bell:
        raise Conflict("match_not_over", _("These points do not end the game: check them."))
    if ended_by_bell:
        sheet.ended_by = "bell"
    sheet.totals = {side: totals[side] for side in sides}
    touch(sheet)


def _require_recorded(sheet: Sheet, points: dict[str, int]) -> None:
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


def _require_possible(sheet: Sheet, totals: dict[str, int]) -> None:
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
