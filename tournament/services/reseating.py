"""Changes of people after the draw: a replacement, an exchange at published tables, a late table.

The way out of "deals were entered already": single players move, as long as their own tables have no
entry, or with a reason, where players sat at the wrong table; everything else stays as it is.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, TypedDict

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from ledger import audit
from ledger.actors import Actor
from ledger.errors import Conflict, Refused
from ledger.models import AuditEntry
from ledger.official import digest
from ledger.verbs import Says, verb
from tournament.drawing.brackets import traded_in_brackets
from tournament.drawing.locked import replaced_in_plan
from tournament.lists.words import plain, unaccented
from tournament.models import (
    Bye,
    Draw,
    DrawState,
    Entrant,
    EntrantState,
    Event,
    Round,
    RoundState,
    Seat,
    Stage,
    StageEntrant,
    Standings,
    StandingsState,
    Table,
)
from tournament.models.stages import TOOK_OVER
from tournament.models.tables import SheetState
from tournament.pairing.manual import replace_contestant
from tournament.pairing.model import Contestant, Drawn, DrawRefused
from tournament.queries.falls import (
    Act,
    fallen,
    of_entrant,
    of_exchange,
    standing_adjustments,
    standing_records,
    what_falls,
)
from tournament.queries.fields import entrants_of, numbers_of
from tournament.queries.forfeits import gone_from, gone_in_round
from tournament.queries.matches import (
    is_beaten,
    official_results,
    overtaken_matches,
    won_by_play,
)
from tournament.services.banned import Admits

from .draws import certificate_json, drawn_of, fill
from .edits import (
    Edit,
    note,
    refused,
    replaced_in_request,
    request_of,
    weigh,
)
from .entrants import (
    check_in,
    check_out,
    enter_player,
    take_back,
    unknown_number,
    withdraw,
)
from .laying import credit_filling, lay_tables
from .notices import tell_result
from .untouched import lock_sheets, written_at

audit.name_verbs("entrant", replaced=_("Player replaced"))
audit.name_verbs(
    "match",
    decided=_("Match decided by the director"),
    undecided=_("Decision on a match taken back"),
)
audit.name_verbs("round", reseated=_("Seats changed after publication"))


class Held(TypedDict):
    """State of a newcomer before they took a place: their state, and by stage the origin and seed
    there.

    ``drawn``: they had a seat or a bye in an open round.
    """

    state: str
    places: dict[str, list[Any]]
    drawn: bool


def _published(round_id: uuid.UUID) -> tuple[Round, Draw]:
    """Return a round in play and its draw, with the sheets locked against entries."""
    lock_sheets(round_id)
    round_ = Round.objects.select_for_update(no_key=True).get(pk=round_id)
    if round_.state not in (RoundState.PUBLISHED, RoundState.PLAYING):
        raise Conflict("not_published", _("This round is not in play."))
    drawn = Draw.objects.select_related("round__stage__event").get(
        round=round_, state=DrawState.PUBLISHED
    )
    return round_, drawn


def _entrants(drawn: Draw, numbers: Sequence[int]) -> list[int]:
    at = entrants_of(drawn.round.stage.event)
    for number in numbers:
        if number not in at:
            raise unknown_number(number)
    return [at[number] for number in numbers]


def _trade(drawn: Draw, trade: Mapping[int, int]) -> None:
    """Exchange entrants (by id) in seats, byes, sheets and the draw of a published round.

    Refused where one of the tables has an entry.
    """
    entered = written_tables(drawn, trade)
    if entered:
        raise Conflict(
            "entries_exist",
            _(
                "Deals have been recorded at table %(table)d: its players can no longer change in this round."
            ),
            params={"table": min(entered)},
        )
    trade_seats(drawn, trade)


def trade_seats(drawn: Draw, trade: Mapping[int, int]) -> None:
    """Exchange entrants (by id) in a published round, whatever was entered; the caller saves."""
    round_ = drawn.round
    seats = list(Seat.objects.select_related("table").filter(round=round_, entrant__in=trade))
    byes = list(Bye.objects.filter(round=round_, entrant__in=trade))
    Seat.objects.filter(pk__in=[seat.pk for seat in seats]).delete()
    Bye.objects.filter(pk__in=[bye.pk for bye in byes]).delete()
    Seat.objects.bulk_create(
        Seat(
            round=round_,
            table=seat.table,
            position=seat.position,
            entrant_id=trade[seat.entrant_id],
            scorekeeper=seat.scorekeeper,
        )
        for seat in seats
    )
    Bye.objects.bulk_create(
        Bye(round=round_, entrant_id=trade[bye.entrant_id], kind=bye.kind) for bye in byes
    )

    def who(key: int | None) -> int | None:
        return key if key is None else trade.get(key, key)

    drawn.tables = [
        {
            **table,
            "players": [trade.get(p, p) for p in table["players"]],
            "scorekeeper": who(table["scorekeeper"]),
            "dealer": who(table["dealer"]),
        }
        for table in drawn.tables
    ]
    drawn.byes = [trade.get(b, b) for b in drawn.byes]
    drawn.held = [trade.get(h, h) for h in drawn.held]


@verb("rounds_exchange", Round, "rounds.manage", shows_row=True)
def exchange(*, round_id: uuid.UUID, one: int, two: int, actor: Actor, reason: str = "") -> Draw:
    """Exchange two start numbers of a published round; one of them may have a bye.

    Where deals were entered this is refused without a ``reason``. With one it says who really sat
    there: marks, order of dealers and signatures belong to seats, and follow to who sits in them
    now. The same exchange once more takes it back.

    Raises :class:`Conflict` also where points were adjusted for one of the two in this round, their match
    is decided, or standings of the stage are frozen or final.
    """
    _part, drawn = _published(round_id)
    change = weigh(drawn, Edit("swap", one=one, two=two))
    first, second = _entrants(drawn, (one, two))
    falls = fallen(what_falls(of_exchange(drawn.round, (first, second))))
    note(drawn, {"verb": "swap", "one": one, "two": two, "published": True}, change.delta, actor)
    trade = {first: second, second: first}
    _require_movable(drawn, trade)
    _trade_in_brackets(drawn, one, two)
    written = written_tables(drawn, trade)
    if written and reason.strip():
        _require_soft(drawn)
        trade_seats(drawn, trade)
    else:
        _trade(drawn, trade)
    drawn.certificate = {
        **drawn.certificate,
        "lines": certificate_json(change.after.certificate),
    }
    drawn.save()
    record: dict[str, object] = {"one": one, "two": two, **({"falls": falls} if falls else {})}
    if written:
        record |= {"written": written, "reason": digest(reason.strip())}
    _tell(drawn, actor, record)
    return drawn


def _trade_in_brackets(drawn: Draw, one: int, two: int) -> None:
    """Exchange two in the bracket, too, by which the next round is drawn; those of later rounds know it as well."""
    if "knockout_from" not in drawn.plan:
        return
    drawn.plan = traded_in_brackets(drawn.plan, one, two)
    stage, number = drawn.round.stage_id, drawn.round.number
    for later in Draw.objects.filter(
        round__stage=stage, round__number__gt=number, state=DrawState.PUBLISHED
    ):
        later.plan = traded_in_brackets(later.plan, one, two)
        later.save(update_fields=["plan"])


def written_tables(drawn: Draw, entrants: Iterable[int]) -> list[int]:
    """Return the tables of these entrants (by id) in a draw's round with any record."""
    tables = Seat.objects.filter(round=drawn.round_id, entrant__in=list(entrants))
    return written_at(drawn.round_id, tables.values_list("table_id", flat=True))


def _require_movable(drawn: Draw, trade: Mapping[int, int]) -> None:
    """Refuse to move players with a measure or a decision on their seat, which would move too."""
    if standing_adjustments(drawn.round_id, trade).exists():
        raise Conflict(
            "points_adjusted",
            _("Points of one of the two were adjusted in this round: annul that first."),
        )
    decided = decided_tables(drawn.round_id, trade).first()
    if decided is not None:
        raise Conflict(
            "table_decided",
            _("The match of table %(table)d is decided: take the decision back first."),
            params={"table": decided.number},
        )


def decided_tables(round_id: uuid.UUID, entrants: Iterable[int]) -> QuerySet[Table]:
    """Return the tables of these entrants (by id) in a round whose match the director decided."""
    decided = Table.objects.filter(round=round_id, decided_for__isnull=False)
    return decided.filter(seats__entrant__in=list(entrants)).distinct()


def _require_soft(drawn: Draw) -> None:
    """Refuse to move results from which firm standings were made."""
    firm = Standings.objects.filter(stage=drawn.round.stage_id)
    if firm.exclude(state=StandingsState.PROVISIONAL).exists():
        raise Conflict(
            "standings_firm",
            _("The standings of this stage are frozen or final: release them first."),
        )


@verb("rounds_seat", Round, "rounds.manage", shows_row=True)
def seat_late(*, round_id: uuid.UUID, players: Sequence[int], table: int, actor: Actor) -> Draw:
    """Seat together, at a new table of a published round, who was held or has a bye."""
    round_, drawn = _published(round_id)
    change = weigh(drawn, Edit("seat", players=tuple(players), to=table))
    ids = _entrants(drawn, players)
    note(
        drawn,
        {"verb": "seat", "players": list(players), "to": table, "published": True},
        change.delta,
        actor,
    )
    fill(drawn, change.after, entrants_of(drawn.round.stage.event))
    drawn.save()
    Bye.objects.filter(round=round_, entrant__in=ids).delete()
    laid = [each for each in drawn.tables if each["number"] == table]
    lay_tables(drawn, drawn.round.stage, laid)
    credit_filling(drawn, laid)
    _tell(drawn, actor, {"players": list(players), "table": table})
    return drawn


@verb(
    "rounds_decide",
    Round,
    "rounds.manage",
    shows_row=True,
    done=_("The match is decided."),
)
def decide_match(
    *,
    round_id: uuid.UUID,
    table: int,
    winner: int,
    reason: str,
    actor: Actor,
    seen: Annotated[
        int | None,
        Says("The winner decided so far, 0 for none: where another was decided meanwhile, a 409."),
    ] = None,
) -> Table:
    """Record the winner of a tied or unplayed match, with the reason.

    The score stays as it is. Bracket and standings follow the decision: a level game counts as won
    by the side named, a game that was not played as a forfeit of the other. The reason is public.
    Nothing more is written on the sheets of the table until the decision is taken back
    (``undecide``). A side that alone forfeited the round cannot be named, nor one that has lost by
    its games, unless the next round was drawn with it.
    """
    tables = Table.objects.select_for_update(no_key=True).filter(round=round_id, number=table)
    decided = tables.first()
    _part, drawn = _published_or_closed(round_id)
    if not reason.strip():
        raise Refused("reason_missing", _("Give a reason."), field="reason")
    if decided is None:
        raise Refused(
            "no_such_table",
            _("This draw has no table %(number)d."),
            field="table",
            params={"number": table},
        )
    former = decided.decided_for.number if decided.decided_for else 0
    if seen is not None and seen != former and winner != former:
        raise Conflict(
            "decided_meanwhile",
            _("This match was decided otherwise meanwhile: look at the decision first."),
        )
    seat = decided.seats.filter(entrant__number=winner).first()
    if seat is None:
        raise Refused(
            "not_at_table",
            _("Number %(number)d does not sit at this table."),
            field="winner",
            params={"number": winner},
        )
    sides = [sheet.sides for sheet in decided.sheets.all()]
    if not sides or len(sides[0]) != 2 or any(side != sides[0] for side in sides):
        raise Refused(
            "no_match",
            _("At this table no two sides meet: there is no match to decide."),
            field="table",
        )
    gone = gone_from(decided, gone_in_round(drawn.round.stage))
    if gone == [seat.entrant_id]:
        raise Refused(
            "side_forfeited",
            _("Number %(number)d has forfeited this round: the other side has won."),
            field="winner",
            params={"number": winner},
        )
    if not gone and seat.entrant_id != decided.decided_for_id:
        _require_no_winner_by_play(decided, drawn.round, seat.entrant_id)
    decided.decided_for_id = seat.entrant_id
    decided.decided_reason = reason.strip()[:300]
    decided.decided_at = timezone.now()
    decided.save(update_fields=["decided_for", "decided_reason", "decided_at"])
    audit.append(
        decided,
        "match.decided",
        actor,
        scope=drawn.round.stage.event_id,
        after={"winner": seat.entrant_id, "reason": reason[:300]},
    )
    for sheet in decided.sheets.all()[:1]:
        tell_result(sheet)
    return decided


def _require_no_winner_by_play(table: Table, round_: Round, winner: int) -> None:
    """Refuse to name a side that has lost by its games: they count, and wrong ones are corrected."""
    if won_by_play(table, official_results(round_.stage)) in (None, winner):
        return
    overtaken = overtaken_matches(round_.stage, round_.number)
    if not any((each.table.pk, each.plays_on) == (table.pk, winner) for each in overtaken):
        raise Conflict(
            "games_decide",
            _("The games of this match have decided it. Correct the score if it is wrong."),
        )


@verb(
    "rounds_undecide",
    Round,
    "rounds.manage",
    shows_row=True,
    done=_("The decision is taken back: the games of the match count again."),
)
def withdraw_decision(*, round_id: uuid.UUID, table: int, reason: str, actor: Actor) -> Table:
    """Take back the director's decision on a match: its games count again, and may be written."""
    if not reason.strip():
        raise Refused("reason_missing", _("Give a reason."), field="reason")
    tables = Table.objects.select_for_update(no_key=True).filter(round=round_id, number=table)
    decided = tables.first()
    round_, _drawn = _published_or_closed(round_id)
    if decided is None:
        raise Refused(
            "no_such_table",
            _("This draw has no table %(number)d."),
            field="table",
            params={"number": table},
        )
    if decided.decided_for_id is None:
        return decided
    waiting = decided.sheets.exclude(state__in=[SheetState.OFFICIAL, SheetState.VOID])
    if round_.state == RoundState.CLOSED and waiting.exists():
        raise Conflict(
            "closed_by_decision",
            _("The round was closed with this decision: reopen the round first."),
        )
    before = {"winner": decided.decided_for_id, "reason": decided.decided_reason}
    decided.decided_for_id, decided.decided_reason, decided.decided_at = None, "", None
    decided.save(update_fields=["decided_for", "decided_reason", "decided_at"])
    audit.append(
        decided,
        "match.undecided",
        actor,
        scope=round_.stage.event_id,
        before=before,
        after={"reason": reason.strip()[:300]},
    )
    for sheet in decided.sheets.all()[:1]:
        tell_result(sheet)
    return decided


def _published_or_closed(round_id: uuid.UUID) -> tuple[Round, Draw]:
    round_ = Round.objects.select_for_update(no_key=True).get(pk=round_id)
    drawn = (
        Draw.objects.select_related("round__stage__event")
        .filter(round=round_, state=DrawState.PUBLISHED)
        .first()
    )
    if drawn is None:
        raise Conflict("not_published", _("This round is not in play."))
    return round_, drawn


def _tell(drawn: Draw, actor: Actor, change: dict[str, object]) -> None:
    audit.append(drawn, "round.reseated", actor, after=change)


@verb("entrants_replace", Event, "entrants.manage", done=_("The replacement has been made."))
def replace_player(
    *, event_id: uuid.UUID, old: int, new: int, actor: Actor, zero: bool = False
) -> Entrant:
    """Replace a player who leaves by another: in the stage, in draft draws, at their table.

    ``old`` and ``new`` are start numbers. The place keeps the points of the stage so far, with those
    carried over into it, unless the newcomer begins from ``zero`` or has results of their own that
    count in it. The seat stays at a table with recorded deals, with a decision, or with a measure
    against the leaving player; the newcomer is then drawn from the next round on. A replacement by
    mistake is undone by the reverse one, as long as the newcomer has not played.
    """
    leaving = Entrant.objects.select_related("event").filter(event=event_id, number=old).first()
    coming = Entrant.objects.select_related("club").filter(event=event_id, number=new).first()
    if leaving is None or coming is None:
        raise unknown_number(old, "old") if leaving is None else unknown_number(new, "new")
    if leaving.pk == coming.pk:
        raise Refused("same_player", _("Name two different players."), field="new")
    returns = coming.state == EntrantState.WITHDRAWN
    was = _before_replacing(leaving, coming) if returns else None
    if returns and was is None:
        raise Conflict("withdrawn", _("This player has withdrawn: mark them as returned first."))
    rounds_here = _lock_rounds_of(leaving)
    if was is None:
        _require_not_playing(coming, rounds_here)
    falls = fallen(what_falls(of_entrant(Act.REPLACE, leaving)))
    before: Held = {
        "state": coming.state,
        "places": {
            str(place.stage_id): [place.origin, place.seed] for place in coming.stages.all()
        },
        "drawn": Seat.objects.filter(entrant=coming, round__in=rounds_here).exists()
        or Bye.objects.filter(entrant=coming, round__in=rounds_here).exists(),
    }
    if was is None:
        withdraw(entrant_id=leaving.pk, actor=actor, reason=f"replaced by {new}")
        check_in(entrant_id=coming.pk, actor=actor, replacing=True)
    else:
        take_back(entrant_id=coming.pk, actor=actor, replacing=True)
    coming.refresh_from_db()
    for stage_id in {round_.stage_id for round_ in rounds_here}:
        place = StageEntrant.objects.get(stage=stage_id, entrant=leaving)
        if was is None:
            StageEntrant.objects.update_or_create(
                stage_id=stage_id,
                entrant=coming,
                defaults={
                    "seed": place.seed,
                    "origin": f"{TOOK_OVER}{old}",
                    "takes_points": not zero and _may_take_points(place, coming),
                },
            )
        elif str(stage_id) in was["places"]:
            place.origin, place.seed = was["places"][str(stage_id)]
            place.takes_points = False
            place.save(update_fields=["origin", "seed", "takes_points"])
        else:
            place.delete()
    for round_ in rounds_here:
        for candidate in round_.draws.filter(state=DrawState.CANDIDATE):
            _replace_in_candidate(candidate, leaving, coming, actor)
        if round_.state in (RoundState.PUBLISHED, RoundState.PLAYING):
            _replace_at_table(round_, leaving, coming, actor)
    if was is not None and was["state"] == EntrantState.REGISTERED:
        check_out(entrant_id=leaving.pk, actor=actor)
    audit.append(
        leaving, "entrant.replaced", actor, before=before, after={"by": coming.pk, "falls": falls}
    )
    return coming


def _require_not_playing(coming: Entrant, rounds_here: Iterable[Round]) -> None:
    """Refuse a newcomer who plays in the stage already; one who is beaten in a bracket is free."""
    stages = {round_.stage for round_ in rounds_here}
    if coming.state == EntrantState.PRESENT and any(
        played.objects.filter(entrant=coming, round__stage=stage).exists()
        and not is_beaten(stage, coming)
        for stage in stages
        for played in (Seat, Bye)
    ):
        raise Conflict(
            "plays_already",
            _("Number %(number)d already plays in this stage: name somebody who does not.")
            % {"number": coming.number},
            field="new",
        )


def _lock_rounds_of(leaving: Entrant) -> list[Round]:
    """Lock the rounds that an entrant still plays, with their sheets and draws, and return them."""
    open_rounds = Round.objects.filter(
        stage__event=leaving.event_id, stage__field__entrant=leaving
    ).exclude(state=RoundState.CLOSED)
    rounds = open_rounds.select_related("stage__event").order_by("stage__order", "number")
    for round_ in rounds:
        lock_sheets(round_.pk)
    locked = list(rounds.select_for_update(of=("self",), no_key=True))
    list(Draw.objects.select_for_update(no_key=True).filter(round__in=locked).order_by("pk"))
    return locked


def _may_take_points(place: StageEntrant, coming: Entrant) -> bool:
    """Return whether a newcomer can continue from a place's results: they have none of their own."""
    stages = Stage.objects.filter(pk=place.stage_id)
    if place.stage.carries_over:
        stages = place.stage.event.stages.filter(order__lte=place.stage.order)
    closed = Round.objects.filter(stage__in=stages, state=RoundState.CLOSED)
    return not any(
        played.objects.filter(entrant=coming, round__in=closed).exists() for played in (Seat, Bye)
    )


@verb(
    "entrants_substitute",
    Entrant,
    "entrants.manage",
    statuses={Entrant: 201},
    done=_(
        "The substitute plays as number %(number)d: in this round if nothing is recorded at the table, otherwise from "
        "the next one on."
    ),
)
def substitute(
    *,
    entrant_id: int,
    leaves: Annotated[str, Says("Who of the pair leaves: first or second.")],
    name: str,
    actor: Actor,
    zero: bool = False,
    despite: Admits = "",
) -> Entrant:
    """Replace one of a pair: another plays on with the partner, under a new number, in the place of the pair.

    The rounds played are still listed under the old names. The new pair has the points so far,
    unless it begins from ``zero``.
    """
    pair = Entrant.objects.select_related("event", "person", "partner", "club").get(pk=entrant_id)
    if pair.partner is None:
        raise Refused("no_pair", _("Number %(number)d is not a pair.") % {"number": pair.number})
    if leaves not in ("first", "second"):
        raise Refused("unknown_player", _("Say who of the pair leaves."), field="leaves")
    if not name.strip():
        raise Refused("name_missing", _("Enter a name."), field="name")
    if pair.state == EntrantState.WITHDRAWN:
        raise Conflict("withdrawn", _("This player has withdrawn: mark them as returned first."))
    # Sheets, rounds and draws are locked before the event, which an entry locks.
    _lock_rounds_of(pair)
    people = {"first": pair.person.name, "second": pair.partner.name}
    stays = people["second" if leaves == "first" else "first"]
    _require_new_name(pair, people[leaves], name)
    names = (name.strip(), stays) if leaves == "first" else (stays, name.strip())
    new = enter_player(
        event_id=pair.event_id,
        actor=actor,
        reserve=True,
        name=names[0],
        partner=names[1],
        club=pair.club.name if pair.club else "",
        despite=despite,
    )
    return replace_player(
        event_id=pair.event_id, old=pair.number, new=new.number, actor=actor, zero=zero
    )


def _require_new_name(pair: Entrant, leaves: str, name: str) -> None:
    """Refuse the name of somebody who plays in the event already, except of the one who ``leaves``."""
    there = pair.event.entrants.exclude(state__in=(EntrantState.WITHDRAWN, EntrantState.MERGED))
    for number, *names in there.values_list("number", "person__name", "partner__name"):
        if number == pair.number:
            names.remove(leaves)
        if unaccented(plain(name)) in map(unaccented, filter(None, names)):
            raise Conflict(
                "plays_already",
                _(
                    "%(name)s already plays, as number %(number)d. If this is somebody else with that name, add "
                    "what tells the two apart."
                )
                % {"name": name.strip(), "number": number},
                field="name",
            )


def _before_replacing(leaving: Entrant, coming: Entrant) -> Held | None:
    """Return the leaving player's state before they took the place of the returning one.

    ``None`` where they took another place, were drawn already, or have played since: the place is
    theirs.
    """
    taken = AuditEntry.objects.filter(
        scope=leaving.event_id,
        verb="entrant.replaced",
        object_type="entrant",
        object_id=str(coming.pk),
    )
    last = taken.order_by("-sequence").first()
    if last is None or not last.before or (last.after or {}).get("by") != leaving.pk:
        return None
    was: Held = last.before
    here = Round.objects.filter(stage__field__entrant=leaving)
    seats = Seat.objects.filter(entrant=leaving, round__in=here).select_related("round")
    closed = Draw.objects.filter(
        round__in=here.filter(state=RoundState.CLOSED), state=DrawState.PUBLISHED
    )
    laid_out = any(
        leaving.number in plan.get("field", ()) for plan in closed.values_list("plan", flat=True)
    )
    played = any(
        seat.round.state == RoundState.CLOSED or written_at(seat.round_id, [seat.table_id])
        for seat in seats
    )
    return None if was["drawn"] or laid_out or played else was


def _as_contestant(candidate: Draw, leaving: Entrant, coming: Entrant) -> Contestant:
    """Return the newcomer for the draw: their own club; the score, rank and table of the place."""
    place = next(w for w in candidate.request["contestants"] if w["id"] == leaving.number)
    standing = {
        key: place[key] for key in ("score", "rank", "rating", "fixed_table") if key in place
    }
    return Contestant(
        coming.number,
        club=coming.club.name if coming.club else "",
        scorekeeper=coming.keeps_score,
        **standing,
    )


def _replace_in_candidate(candidate: Draw, leaving: Entrant, coming: Entrant, actor: Actor) -> None:
    known = {who["id"] for who in candidate.request["contestants"]}
    if leaving.number not in known:
        return
    newcomer = _as_contestant(candidate, leaving, coming)
    numbers = numbers_of(leaving.event)
    drawn = {who for table in candidate.tables for who in table["players"]}
    # Beaten in a knock-out one is in the field, and not drawn.
    is_drawn = leaving.pk in drawn | {*candidate.byes, *candidate.held}
    after: Drawn | None = None
    delta: Mapping[str, int] = {}
    if is_drawn:
        try:
            change = replace_contestant(
                request_of(candidate), drawn_of(candidate, numbers), leaving.number, newcomer
            )
        except DrawRefused as refusal:
            raise refused(refusal) from refusal
        after, delta = change.after, change.delta
    note(candidate, {"verb": "replace", "one": leaving.number, "two": coming.number}, delta, actor)
    candidate.edits[-1]["before"]["request"] = candidate.request
    candidate.request = replaced_in_request(candidate.request, leaving.number, newcomer)
    candidate.plan = replaced_in_plan(candidate.plan, leaving.number, coming.number)
    if after is not None:
        fill(candidate, after, entrants_of(leaving.event))
    candidate.save()


def _replace_at_table(round_: Round, leaving: Entrant, coming: Entrant, actor: Actor) -> None:
    """In a published round: the seat, if nothing was entered there, and the movement's plan."""
    drawn = Draw.objects.select_related("round__stage__event").get(
        round=round_, state=DrawState.PUBLISHED
    )
    seated = Seat.objects.filter(round=round_, entrant=leaving).select_related("table").first()
    busy = Seat.objects.filter(round=round_, entrant=coming).exists()
    entered = seated is not None and (
        standing_records(seated.table_id).exists()
        or seated.table.decided_for_id is not None
        # A measure is of the sitting: it would follow neither of the two.
        or standing_adjustments(round_.pk, [leaving.pk]).exists()
    )
    note(
        drawn,
        {"verb": "replace", "one": leaving.number, "two": coming.number, "published": True},
        {},
        actor,
    )
    drawn.plan = replaced_in_plan(drawn.plan, leaving.number, coming.number)
    if not entered and not busy:
        Bye.objects.filter(round=round_, entrant=coming).delete()
        trade_seats(drawn, {leaving.pk: coming.pk})
    drawn.save()
