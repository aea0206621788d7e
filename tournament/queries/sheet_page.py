"""Everything the table's page shows of a sheet: score, deals, fields of the next deal, signatures."""

from __future__ import annotations

import json
import uuid
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import NamedTuple

from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.pages import Page
from ledger.actors import Actor
from scoring.engine.entry_fields import entry_fields
from scoring.texts import SEPARATOR
from tournament.models import RoundState, Seat
from tournament.models.tables import (
    BellRule,
    CallTopic,
    DealVersion,
    Depth,
    Protocol,
    RefereeCall,
    Series,
    Sheet,
    SheetState,
    Table,
)
from tournament.queries import double_entry
from tournament.queries.alarms import Doubt
from tournament.queries.brackets import stage_and_round
from tournament.queries.disputes import dispute_reasons
from tournament.queries.double_entry import Difference, phoneless, side_of_device
from tournament.queries.entry_form import DealForm, deal_form
from tournament.queries.matches import Decision, decision_of, forfeited_by
from tournament.queries.names import seat_name, shown_name
from tournament.queries.outcomes import TableOutcome, outcome_at
from tournament.queries.phone_rules import phone_match
from tournament.queries.rulings import ShownRuling, rulings_at
from tournament.queries.side_labels import players_of, side_label
from tournament.queries.table_clock import ClockShown, TableClock, as_clock, clock_of
from tournament.queries.table_people import TableFrame, frame_of, seat_names
from tournament.tables.entry import Posted
from tournament.tables.rules import game_won, level_name, reason_shown, spoken
from tournament.tables.score_sheet import ScoreSheet, counts

SIGNED = (SheetState.OFFICIAL, SheetState.VOID)
SUIT_SIGNS = {"S": "♠\ufe0e", "H": "♥\ufe0e", "D": "♦\ufe0e", "C": "♣\ufe0e"}


@dataclass(frozen=True, slots=True)
class Cell:
    """Score of a side in a deal; ``marks`` or ``total`` is None where there is none."""

    marks: int | None
    total: int | None = None


@dataclass(frozen=True, slots=True)
class DealRow:
    """A deal as ``parts/sheet/sheet.html`` shows it, wherever its sheet is read.

    ``ended``: the game of a match that the deal ended, with the score in games.
    """

    number: int
    contract: str
    suit: str
    points: str
    cells: list[Cell]
    worth: str
    ruled: bool
    dealer: str = ""
    factor: str = ""
    flagged: int = 0
    corrected: bool = False
    url: str = ""
    counts: bool = True
    """Whether it is one of the deals of the match: neither void nor dealt again without marks."""
    ended: str = ""


@dataclass(frozen=True, slots=True)
class SideShown:
    """A side of a sheet with its score; ``games``: the number it won, in a match by games."""

    name: str
    players: str
    total: int | None
    winner: bool = False
    code: str = ""
    games: int | None = None


def sides_shown(
    sheet: ScoreSheet,
    language: str,
    names: dict[str, str],
    totals: Mapping[str, int],
    winner: str | None = None,
) -> list[SideShown]:
    """Return the sides of a sheet."""
    games = sheet.row.score.get("games", {}) if sheet.by_games else None
    return [
        SideShown(
            side_label(side, language, names),
            players_of(side, names) if len(side) > 1 else "",
            totals.get(side, 0),
            winner == side,
            side,
            None if games is None else games.get(side, 0),
        )
        for side in sheet.sides
    ]


def score_shown(sheet: ScoreSheet) -> Mapping[str, int]:
    """Return the score of a sheet by side: of a match by games that of its game, at its end the games won."""
    score = sheet.row.score
    if not sheet.by_games:
        return score.get("marks", {})
    return score.get("games", {}) if sheet.row.finished else score.get("game_score", {})


def named_as_on_slip(sheet: Sheet, sides: list[SideShown]) -> list[SideShown]:
    """Return the sides by the letters of the slip, then as the deals name them: ``AC (N-S)``."""
    named = []
    for side in sides:
        letters = "".join(dict.fromkeys(sheet.positions.get(seat, "") for seat in side.code))
        on_slip = len(letters) == 2 and set(letters) <= set("ABCD")
        named.append(replace(side, name=f"{letters} ({side.name})") if on_slip else side)
    return named


def deal_rows(
    sheet: ScoreSheet,
    language: str,
    names: dict[str, str],
    series: str = Series.OFFICIAL,
    link: str = "",
) -> list[DealRow]:
    """Return the sheet's rows: each deal with its entry, marks, running totals and the sentence."""
    sides = sheet.sides
    running = dict.fromkeys(sides, 0)
    deals = sheet.known(series)
    counted = (
        sheet.counted() if series == Series.OFFICIAL else [deal for deal in deals if counts(deal)]
    )
    state = sheet.state(counted)
    worth = {deal.number: marks for deal, marks in zip(counted, state.by_deal, strict=False)}
    won = {
        counted[event.deal - 1].number: event.side
        for event in state.events
        if event.why == "game" and event.side and sheet.by_games
    }
    games = dict.fromkeys(sides, 0)
    rows = []
    named = None if sheet.game.in_pairs else names
    for deal in deals:
        in_match = deal.number in worth
        cells = []
        for side in sides:
            marks = worth.get(deal.number, deal.marks).get(side, 0)
            running[side] += marks if in_match else 0
            cells.append(Cell(marks or None, running[side]))
        contract = deal.entry.get("contract") or {}
        sentences = [spoken(line, language, named) for line in deal.lines]
        if deal.annulled and deal.reason:
            sentences = [_("void: %(why)s") % {"why": reason_shown(deal.reason)}, *sentences]
        elif deal.annulled:
            sentences = [_("passed by all: the next player deals")]
        elif not in_match and counts(deal):
            sentences.append(_("after the end: does not count"))
        ended, winner = "", won.get(deal.number)
        if winner:
            games[winner] += 1
            if in_match and _won_by_turn_up(deal, worth[deal.number], winner):
                sentences.append(
                    _("won by the card turned up: the result of the deal does not count")
                )
            ended = game_won(
                side_label(winner, language, names),
                running[winner],
                "–".join(str(games[side]) for side in sides),
            )
            running = dict.fromkeys(sides, 0)
        rows.append(
            DealRow(
                number=deal.number,
                dealer=names.get(deal.entry.get("dealer", ""), ""),
                contract=" ".join(
                    part
                    for part in (
                        side_label(contract["declarer"], language, names)
                        if contract.get("declarer")
                        else "",
                        level_name(contract.get("level")),
                    )
                    if part
                ),
                suit=contract.get("trump", ""),
                factor=f"×{2 ** contract['doubling']}" if contract.get("doubling") else "",
                points=_points(deal, language, names),
                cells=cells,
                worth=SEPARATOR.render(language).join(sentences),
                ruled=bool(deal.infractions),
                flagged=len(deal.flagged),
                corrected=deal.version > 1,
                url=link and link.replace("/0/", f"/{deal.number}/"),
                ended=ended,
            )
        )
    return rows


def _won_by_turn_up(deal: DealVersion, counted: Mapping[str, int], winner: str) -> bool:
    """Return whether the card turned up ended the game, so that the result of the deal was not counted."""
    turned_up = any(
        line["component"] == "turn_up" and line["side"] == winner and line["marks"]
        for line in deal.lines
    )
    return turned_up and any(counted.get(side, 0) < marks for side, marks in deal.marks.items())


def _unbroken(name: str) -> SafeString:
    """Return a name that a narrow heading does not break at its hyphen."""
    return (
        format_html('<span class="nowrap">{}</span>', name)
        if len(name) < 6
        else format_html("{}", name)
    )


def _points(deal: DealVersion, language: str, names: dict[str, str]) -> str:
    points = deal.entry.get("points") or {}
    return " · ".join(f"{side_label(s, language, names)} {p}" for s, p in points.items())


def clock_context(clock: TableClock | None) -> ClockShown | None:
    """Return the clock for ``parts/clock/clock.html``."""
    if clock is None:
        return None
    rules = {
        BellRule.FINISH: _("At the bell: finish the deal in play."),
        BellRule.FIRST_TRICK: _("At the bell: finish the deal if its first trick is complete."),
        BellRule.CANCEL: _("At the bell: the deal in play is cancelled."),
    }
    left = clock.left
    return ClockShown(
        stage_and_round(clock.round_),
        clock.state,
        "" if left is None else as_clock(int(left.total_seconds())),
        clock.ends_at,
        clock.seconds,
        rules.get(BellRule(clock.bell_rule), ""),
        clock.bell_rule,
    )


class Signer(NamedTuple):
    """A player who may sign for their side."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class SignatureRow:
    """A side with its signature, and its score beside that of the other (``against``).

    ``here``: whether this device may sign for it.
    """

    code: str
    side: str
    players: list[Signer]
    signed: bool
    name: str
    when: datetime | None
    total: int
    against: int | None
    here: bool


def signature_rows(
    sheet: ScoreSheet,
    language: str,
    names: dict[str, str],
    score: Mapping[str, int] | None = None,
    elsewhere: Collection[str] = (),
) -> list[SignatureRow]:
    """Return each side with its signature, and the players who may sign for it.

    ``elsewhere``: the sides that sign on another device.
    """
    standing = {s.side: s for s in sheet.row.signatures.filter(standing=True)}
    totals = score or {}
    rows = []
    for side in sheet.sides:
        signature = standing.get(side)
        players = {
            str(entrant): names.get(seat, seat)
            for seat, entrant in sheet.row.seats.items()
            if seat in side
        }
        signer = ""
        if signature is not None:
            kind, _colon, identity = signature.signed_by.partition(":")
            signer = players.get(identity, "") if kind == "player" else ""
        others = [totals.get(other, 0) for other in sheet.sides if other != side]
        rows.append(
            SignatureRow(
                side,
                side_label(side, language, names),
                [Signer(i, name) for i, name in players.items()],
                signature is not None,
                signer or players_of(side, names),
                signature.signed_at if signature else None,
                totals.get(side, 0),
                others[0] if len(others) == 1 else None,
                side not in elsewhere,
            )
        )
    return rows


class Waiting(NamedTuple):
    """The open call to the referee: since when they are awaited, and who comes."""

    pk: uuid.UUID
    since: str
    claimed_by: str


class DepthChoice(NamedTuple):
    """A depth of entry to choose."""

    code: str
    label: str
    current: bool


class FollowingGame(NamedTuple):
    """The next game of the table: its number, its sides, and each player's partner.

    ``whole_match``: it is a match by games, each of which is won.
    """

    order: int
    whole_match: bool
    sides: list[str]
    event: str
    partners: list[Partner]


class NextSeat(NamedTuple):
    """A player's place in the next published round: their number and name, the table and the seat."""

    number: int | None
    name: str
    table: int
    seat: str


class Partner(NamedTuple):
    """Number of a player with a partner in a game, and the partner's name."""

    number: int | None
    partner: str


@dataclass(frozen=True, slots=True)
class Pen:
    """Right to write: whether this device has it, and in double entry for which side and after
    which one.

    ``without_phone``: the sides that this device may be handed to.
    """

    writing: bool
    double: bool = False
    own_side: str = ""
    own_side_name: str = ""
    awaited: str = ""
    waits_for_other: bool = False
    without_phone: Sequence[SideShown] = ()
    differences: Sequence[Difference] = ()


def pen_of(sheet: ScoreSheet, device: uuid.UUID, language: str, names: dict[str, str]) -> Pen:
    """Return the right of a device to write on a sheet."""
    table = sheet.row.table
    if sheet.row.protocol != Protocol.DOUBLE:
        return Pen(table.writer in (None, device))
    own_side = side_of_device(table, device)
    awaited = double_entry.awaited(sheet, own_side) if own_side else ()
    without = phoneless(sheet)
    return Pen(
        bool(own_side),
        True,
        own_side,
        side_label(own_side, language, names) if own_side else "",
        "" if sheet.game.in_pairs else " / ".join(names.get(seat, seat) for seat in awaited),
        bool(awaited),
        [side for side in sides_shown(sheet, language, names, {}) if side.code in without],
        difference_rows(sheet, language, names),
    )


@dataclass(frozen=True, slots=True)
class Refusal:
    """Refusal of an entry: text and field, or questions and the value that confirms them (``sure``)."""

    text: str = ""
    field: str = ""
    doubts: Sequence[Doubt] = ()
    sure: str = ""
    status: int = 200


def depth_choices(current: str) -> list[DepthChoice]:
    """Return the depths of entry."""
    return [DepthChoice(depth.value, str(depth.label), depth == current) for depth in Depth]


class EntryPage(Page):
    """A page with a form of a deal; a refused entry with its field, or questions asked before it counts."""

    typed: Posted
    refused: str = ""
    field: str = ""
    doubts: Sequence[Doubt] = ()
    sure: str = ""


class TablePage(EntryPage, template="table/sheet.html", further=("table/parts/live.html",)):
    """The table's page for one device.

    ``number`` is the next deal's, ``replay`` that of the deal to be played again. ``entered``: by this device's own
    deals the game is over, though the entries of the two sides may still differ.
    """

    table: Table
    token: str
    sheet: Sheet
    frame: TableFrame
    files: str
    reasons: list[tuple[str, str]]
    pen: Pen
    by_player: bool
    form: DealForm
    depth: str
    depths: list[DepthChoice]
    sheets: list[Sheet]
    sheet_ids: list[uuid.UUID]
    sides: list[SideShown]
    target_text: str
    deals_left: int | None
    phone_match: str
    entered: bool
    following: FollowingGame | None
    onward: list[NextSeat]
    winner: str
    by_forfeit: bool
    deals: list[DealRow]
    number: int
    dealers: list[str]
    dealer_name: str
    key: str
    signatures: list[SignatureRow]
    waiting: Waiting | None
    contested: bool
    dispute: str
    spoken: list[str]
    spoken_number: int | None
    open: bool
    decision: Decision | None
    forfeited: str
    mark: str
    rulings: list[ShownRuling]
    clock: ClockShown | None
    rung: bool
    undo_bell: int
    playing_on: bool
    replay: int | None
    is_replayed: bool


def page_of_table(
    row: Sheet,
    *,
    token: str,
    device: uuid.UUID,
    language: str,
    depth: str,
    typed: Posted,
    refusal: Refusal,
    files: str,
) -> TablePage:
    """Return the table's page for one device; ``typed``: an entry that was refused.

    Long by the number of the page's fields: each stands on its line.
    """
    table, sheet = row.table, ScoreSheet(row)
    names = seat_names(row)
    pen = pen_of(sheet, device, language, names)
    series = pen.own_side or Series.OFFICIAL.value
    deals = sheet.known(series)
    dealers = sheet.dealers_to_come(deals)
    dealer = dealers[0]
    shown_depth = depth if depth in Depth.values else row.depth
    target = sheet.game.options.get("target")
    score = score_shown(sheet)
    match = phone_match(sheet, deals)
    decision = decision_of(table)
    forfeited = forfeited_by(table)
    opened = is_open(row, decision, forfeited)
    clock, games = clock_of(table), list(table.sheets.order_by("order"))
    outcome = outcome_at(table) if row.finished else TableOutcome({})
    winner = outcome.winner(row.sides_by_seat, sheet.result()) if row.finished else None
    again = sheet.to_replay(deals)
    rows = deal_rows(
        sheet, language, names, series, reverse("table-deal", args=[token, row.order, 0])
    )
    here = {pen.own_side, *(side.code for side in pen.without_phone)}
    elsewhere = set(sheet.sides) - here if pen.double else ()
    return TablePage(
        table=table,
        token=token,
        sheet=row,
        frame=frame_of(row),
        files=files,
        refused=refusal.text,
        field=refusal.field,
        doubts=refusal.doubts,
        sure=refusal.sure,
        reasons=[(t.value, str(t.label)) for t in CallTopic if t is not CallTopic.RESULT],
        pen=pen,
        by_player=not sheet.game.in_pairs,
        form=deal_form(sheet, names, language, dealer, shown_depth, typed),
        typed=typed,
        depth=shown_depth,
        depths=depth_choices(shown_depth),
        sheets=games,
        sheet_ids=[game.pk for game in games],
        sides=sides_shown(sheet, language, names, score, winner),
        target_text=target_text(target),
        deals_left=row.score.get("deals_left"),
        phone_match=json.dumps(match),
        entered=pen.double and bool(match and match["finished"]),
        following=following_game(table, row),
        onward=next_seats(table, games),
        winner=_unbroken(side_label(winner, language, names)) if winner else "",
        by_forfeit=outcome.by_forfeit,
        deals=rows,
        number=len(deals) + 1,
        dealers=dealers,
        dealer_name=names.get(dealer, dealer),
        key=uuid.uuid4().hex,
        signatures=signature_rows(sheet, language, names, score, elsewhere),
        waiting=waiting_call(table),
        contested=row.state == SheetState.OFFICIAL and is_contested(row),
        dispute=dispute_of(row),
        spoken=[each for each in (rows[-1].worth, rows[-1].ended) if each] if rows else [],
        spoken_number=rows[-1].number if rows else None,
        open=opened,
        decision=decision,
        forfeited=forfeited,
        mark=mark_of(row, games),
        rulings=rulings_at(row, reverse("table", args=[token])),
        clock=clock_context(clock),
        rung=bool(clock and clock.rung and row.ended_by != "bell" and not again),
        undo_bell=int(sheet.undo_bell_left().total_seconds()) if opened else 0,
        playing_on=row.ended_by == "bell" and not row.finished and not again,
        replay=next(iter(sheet.to_deal_again(deals)), None),
        is_replayed=sheet.begins_anew,
    )


def is_open(sheet: Sheet, decision: Decision | None, forfeited: str) -> bool:
    """Whether a game is still played or signed: without a decision or, unless it is over, a forfeit."""
    states = (SheetState.OPEN, SheetState.CLAIMED, SheetState.DISPUTED)
    return decision is None and sheet.state in states and (sheet.finished or not forfeited)


def following_game(table: Table, sheet: Sheet) -> FollowingGame | None:
    """Return the next game of the table: its number, its sides, and each player's partner.

    That is the next one that is not over; after a signed game, the first unsigned one if no later
    one is open.
    """
    games = table.sheets.order_by("order")
    following = games.filter(order__gt=sheet.order, finished=False).first()
    if following is None and sheet.state in SIGNED:
        following = games.exclude(state__in=SIGNED).first()
    if following is None:
        return None
    names = seat_names(following)
    scored = ScoreSheet(following)
    return FollowingGame(
        following.order,
        scored.by_games,
        [players_of(side, names) for side in scored.sides],
        frame_of(following).slug,
        _partners(scored, names),
    )


def next_seats(table: Table, games: Iterable[Sheet]) -> list[NextSeat]:
    """Return the places of a table's players in the next published round, once all its results are signed."""
    if any(game.state not in SIGNED for game in games):
        return []
    round_ = table.round
    if round_ is None:
        return []
    later = Q(round__stage=round_.stage_id, round__number__gt=round_.number) | Q(
        round__stage__event=round_.stage.event_id, round__stage__order__gt=round_.stage.order
    )
    seats = (
        Seat.objects.filter(later, entrant__in=table.seats.values("entrant"))
        .filter(round__state__in=(RoundState.PUBLISHED, RoundState.PLAYING))
        .select_related("table", "entrant__person", "entrant__partner", "entrant__event")
        .order_by("round__stage__order", "round__number", "table__number", "position")
    )
    places: dict[object, NextSeat] = {}
    for seat in seats:
        name = shown_name(seat.entrant, shorten=seat.entrant.event.short_names)
        place = NextSeat(seat.entrant.number, name, seat.table.number, seat_name(seat.position))
        places.setdefault(seat.entrant_id, place)
    return list(places.values())


def _partners(sheet: ScoreSheet, names: dict[str, str]) -> list[Partner]:
    """Return the number of each player with a partner in a game, and the partner's name."""
    at_position = dict(sheet.row.table.seats.values_list("position", "entrant__number"))
    at = {seat: at_position.get(position) for seat, position in sheet.row.positions.items()}
    return [
        Partner(at[seat], players_of(side.replace(seat, ""), names))
        for side in sheet.sides
        for seat in side
        if len(side) > 1 and len({at[each] for each in side} - {None}) == len(side)
    ]


def open_call(table: Table) -> RefereeCall | None:
    """Return the call for which a referee is awaited at the table."""
    calls = table.calls.filter(closed_at__isnull=True).exclude(topic=CallTopic.RESULT)
    return calls.order_by("called_at").first()


def dispute_of(sheet: Sheet) -> str:
    """Return the reason that a side gave for its dispute; empty without a dispute or a reason."""
    if sheet.state != SheetState.DISPUTED:
        return ""
    return dispute_reasons(sheet.scope, [sheet.pk]).get(sheet.pk, "")


def is_contested(sheet: Sheet) -> bool:
    """Return whether the signed result is contested and not settled yet."""
    return sheet.calls.filter(topic=CallTopic.RESULT, closed_at__isnull=True).exists()


def mark_of(sheet: Sheet, games: Sequence[Sheet]) -> str:
    """Return the state of a sheet's page beyond its version: signatures, contested result, states
    of games, places in the next round.

    An open page compares it with the mark under which it was rendered.
    """
    signatures = sheet.signatures.filter(standing=True).order_by("pk").values_list("pk", flat=True)
    states = ",".join(f"{game.order} {game.state}" for game in games)
    contested = sheet.state == SheetState.OFFICIAL and is_contested(sheet)
    onward = ",".join(
        f"{each.number} {each.table}{each.seat}" for each in next_seats(sheet.table, games)
    )
    return f"{states};{','.join(map(str, signatures))};{'contested' if contested else ''};{onward}"


def contested_at(table: Table) -> set[uuid.UUID]:
    """Return the sheets of a table with a contested signed result, until it is settled."""
    calls = table.calls.filter(topic=CallTopic.RESULT, closed_at__isnull=True)
    return set(calls.filter(sheet__isnull=False).values_list("sheet_id", flat=True))


def waiting_call(table: Table) -> Waiting | None:
    """Return the open call to the referee, if there is one; a contested result is no call to the table."""
    call = open_call(table)
    if call is None:
        return None
    since = timezone.localtime(call.called_at).strftime("%H:%M")
    return Waiting(call.pk, since, _("The referee") if call.claimed_by else "")


def difference_rows(sheet: ScoreSheet, language: str, names: dict[str, str]) -> list[Difference]:
    """Describe the differences between the two sides' entries, in the reader's words."""
    parts = {
        "declarer": _("who chose trump"),
        "leader": _("who led"),
        "deal": _("whether it was played"),
        "infractions": _("infractions"),
    }

    for field in reversed(entry_fields(sheet.game)):
        label = field.label.render(language)
        parts[(field.part or field.name).replace("_", "-")] = label[:1].lower() + label[1:]

    def side_words(side: str) -> str:
        if side == Series.OFFICIAL:
            return _("the sheet")
        if all(seat in sheet.row.positions for seat in side) and not sheet.game.in_pairs:
            return players_of(side, names)
        return side_label(side, language, names)

    def words(where: str) -> str:
        kind, _space, rest = where.partition(" ")
        if kind == "trick":
            return _("trick %(n)s") % {"n": rest}
        if kind == "points":
            return _("points of %(side)s") % {"side": side_words(rest)}
        if kind == "tricks":
            return _("tricks of %(side)s") % {"side": side_words(rest)}
        return parts.get(rest if kind == "contract" else where, where)

    def value(text: str, where: str) -> str:
        head, _space, rest = text.partition(" ")
        named = where in ("contract declarer", "dealer", "leader") or where.startswith("trick ")
        if named and all(seat in ("" if sheet.game.in_pairs else sheet.sides) for seat in head):
            return f"{side_words(head)} {rest}".strip()
        if head in sheet.sides and sheet.game.in_pairs:
            return f"{side_words(head)} {rest}".strip()
        if where.endswith("trump") and text in SUIT_SIGNS:
            return SUIT_SIGNS[text]
        return {"yes": _("yes"), "no": _("no"), "annulled": _("passed")}.get(text, text)

    return [
        Difference(
            each.deal,
            words(each.where),
            side_words(each.side),
            value(each.entry, each.where),
            side_words(each.other_side),
            value(each.other_entry, each.where),
        )
        for each in double_entry.differences(sheet)
    ]


def target_text(target: object) -> str:
    """When the match ends, in words."""
    if isinstance(target, int):
        return _("first to %(n)d") % {"n": target}
    if isinstance(target, dict) and "deals" in target:
        deals = int(target["deals"])
        return ngettext("%(n)d deal", "%(n)d deals", deals) % {"n": deals}
    if isinstance(target, dict) and "games" in target:
        games = int(target["games"])
        words = ngettext("%(n)d game of %(of)d", "%(n)d games of %(of)d", games) % {
            "n": games,
            "of": target["of"],
        }
        if "decider" in target:
            words += ", " + _("decider of %(n)d") % {"n": target["decider"]}
        return words
    return ""


@dataclass(frozen=True, slots=True)
class Item:
    """A version of a deal or a ruling, as ``parts/list/timeline.html`` shows it."""

    when: datetime | str
    what: str
    who: str
    why: str
    in_force: bool
    superseded: bool


def history(
    sheet: Sheet, number: int, series: str, language: str, names: dict[str, str]
) -> list[Item]:
    """Return every version of a deal, newest first, for ``parts/list/timeline.html``."""
    items = []
    for deal in sheet.deals.filter(series=series, number=number).order_by("-version"):
        sentence = SEPARATOR.render(language).join(spoken(line, language) for line in deal.lines)
        points = _points(deal, language, names)
        items.append(
            Item(
                deal.entered_at,
                " · ".join(part for part in (points, sentence) if part)
                or (_("void") if deal.reason else _("passed by all: the next player deals")),
                _("staff") if Actor.parse(deal.entered_by).is_staff else _("table"),
                reason_shown(deal.reason),
                deal.current,
                not deal.current,
            )
        )
    return items
