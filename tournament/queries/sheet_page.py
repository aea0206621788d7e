"""Everything the table's page shows of a sheet: score, deals, fields of the next deal, signatures."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable

from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ledger.actors import Actor
from scoring.engine.shapes import ContractJson
from scoring.texts import SEPARATOR
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
from tournament.queries.deals import (
    bell_can_be_undone,
    counted_deals,
    next_dealer,
    result_of,
    series_deals,
    to_replay,
)
from tournament.queries.disputes import dispute_reasons
from tournament.queries.double_entry import phoneless, side_of_device
from tournament.queries.entry_form import entry_context, trick_rows
from tournament.queries.matches import decision_of
from tournament.queries.outcomes import TableOutcome, outcome_at
from tournament.queries.phone_rules import phone_match, phone_rules
from tournament.queries.rulings import rulings_at
from tournament.queries.side_labels import players_of, side_label
from tournament.queries.table_clock import TableClock, as_clock, clock_of
from tournament.queries.table_people import frame_of, seat_names
from tournament.tables.entry import Posted, depths_of, entry_fields
from tournament.tables.rules import (
    by_player,
    counts,
    game_of,
    marks_by_deal,
    reason_shown,
    sides_of,
    spoken,
)

SUIT_SIGNS = {"S": "♠\ufe0e", "H": "♥\ufe0e", "D": "♦\ufe0e", "C": "♣\ufe0e"}


def deal_rows(
    sheet: Sheet,
    language: str,
    names: dict[str, str],
    series: str = Series.OFFICIAL,
    link: str = "",
) -> list[dict[str, object]]:
    """The sheet's rows: each deal with what was entered, marks, running totals and the sentence."""
    sides = sides_of(sheet)
    running = dict.fromkeys(sides, 0)
    deals = series_deals(sheet, series)
    counted = (
        counted_deals(sheet)
        if series == Series.OFFICIAL
        else [deal for deal in deals if counts(deal)]
    )
    worth = {
        deal.number: marks
        for deal, marks in zip(counted, marks_by_deal(sheet, counted), strict=False)
    }
    rows = []
    named = names if by_player(sheet) else None
    for deal in deals:
        in_match = deal.number in worth
        cells = []
        for side in sides:
            marks = worth.get(deal.number, deal.marks).get(side, 0)
            running[side] += marks if in_match else 0
            cells.append({"marks": marks or None, "total": running[side]})
        contract = deal.entry.get("contract") or {}
        sentences = [spoken(line, language, named) for line in deal.lines]
        if deal.annulled and deal.reason:
            sentences = [_("void: %(why)s") % {"why": reason_shown(deal.reason)}, *sentences]
        elif deal.annulled:
            sentences = [_("passed by all: the next player deals")]
        elif not in_match and counts(deal):
            sentences.append(_("after the end: does not count"))
        rows.append(
            {
                "number": deal.number,
                "dealer": names.get(deal.entry.get("dealer", ""), ""),
                "contract": " ".join(
                    part
                    for part in (
                        side_label(contract["declarer"], language, names)
                        if contract.get("declarer")
                        else "",
                        _level(contract),
                    )
                    if part
                ),
                "suit": contract.get("trump", ""),
                "factor": f"×{2 ** contract['doubling']}" if contract.get("doubling") else "",
                "points": _points(deal, language, names),
                "cells": cells,
                "worth": SEPARATOR.render(language).join(sentences),
                "ruled": bool(deal.infractions),
                "flagged": len(deal.flagged),
                "superseded": False,
                "corrected": deal.version > 1,
                "url": link and link.replace("/0/", f"/{deal.number}/"),
            }
        )
    return rows


def _unbroken(name: str) -> SafeString:
    """A name that a narrow heading does not break at its hyphen."""
    return (
        format_html('<span class="nowrap">{}</span>', name)
        if len(name) < 6
        else format_html("{}", name)
    )


def _level(contract: ContractJson) -> str:
    level = contract.get("level")
    if level == "generale":
        return _("générale")
    if level == "all":
        return _("all the tricks")
    return "" if level is None else str(level)


def _points(deal: DealVersion, language: str, names: dict[str, str]) -> str:
    points = deal.entry.get("points") or {}
    return " · ".join(f"{side_label(s, language, names)} {p}" for s, p in points.items())


def clock_context(clock: TableClock | None) -> dict[str, object] | None:
    """The clock as ``parts/clock.html`` wants it."""
    if clock is None:
        return None
    rules = {
        BellRule.FINISH: _("At the bell: finish the deal in play."),
        BellRule.FIRST_TRICK: _("At the bell: finish the deal if its first trick is complete."),
        BellRule.CANCEL: _("At the bell: the deal in play is cancelled."),
    }
    left = clock.left
    return {
        "label": clock.label,
        "state": clock.state,
        "ends_at": clock.ends_at,
        "seconds": clock.seconds,
        "note": rules.get(BellRule(clock.bell_rule), ""),
        "left": "" if left is None else as_clock(int(left.total_seconds())),
        "rung": clock.rung,
        "rule": clock.bell_rule,
        "extra": clock.extra_minutes,
    }


def signature_rows(sheet: Sheet, language: str, names: dict[str, str]) -> list[dict[str, object]]:
    """Each side with its signature, and the players who may sign for it."""
    standing = {s.side: s for s in sheet.signatures.filter(standing=True)}
    rows = []
    for side in sides_of(sheet):
        signature = standing.get(side)
        players: dict[str, str] = {}
        for seat, entrant in sheet.seats.items():
            if seat in side:
                players[str(entrant)] = names.get(seat, seat)
        signer = ""
        if signature is not None:
            kind, _colon, identity = signature.signed_by.partition(":")
            signer = players.get(identity, "") if kind == "player" else ""
        rows.append(
            {
                "code": side,
                "side": side_label(side, language, names),
                "players": [{"id": i, "name": name} for i, name in players.items()],
                "signed": signature is not None,
                "name": signer or players_of(side, names),
                "when": signature.signed_at if signature else None,
            }
        )
    return rows


def page_context(
    table: Table,
    sheet: Sheet,
    *,
    device: uuid.UUID,
    token: str,
    language: str,
    depth: str = "",
    typed: Posted,
) -> dict[str, object]:
    """The context of the table's page for one device; ``typed``: an entry that was refused."""
    names = seat_names(sheet)
    sides = sides_of(sheet)
    is_double = sheet.protocol == Protocol.DOUBLE
    own_side = side_of_device(table, device) if is_double else ""
    series = own_side or Series.OFFICIAL.value
    allowed = bool(own_side) if is_double else table.writer in (None, device)
    deals = series_deals(sheet, series)
    number = len(deals) + 1
    dealer = next_dealer(sheet, deals)
    shown_depth = depth if depth in Depth.values else sheet.depth
    fields = entry_fields(sheet, language, shown_depth)
    marks = sheet.score.get("marks", {})
    target = game_of(sheet).options.get("target")
    by_games = isinstance(target, dict) and "games" in target
    score = sheet.score.get("game_score", {}) if by_games else marks
    decision = decision_of(table)
    opened = decision is None and sheet.state in (
        SheetState.OPEN,
        SheetState.CLAIMED,
        SheetState.DISPUTED,
    )
    clock, games = clock_of(table), list(table.sheets.order_by("order"))
    outcome = outcome_at(table) if sheet.finished else TableOutcome({})
    winner = outcome.winner(sheet.sides_by_seat, result_of(sheet)) if sheet.finished else None
    link = reverse("table-deal", args=[token, sheet.order, 0])
    last = deals[-1] if deals else None
    again = to_replay(sheet, deals)
    signatures = signature_rows(sheet, language, names)
    alone = by_player(sheet)
    awaited = double_entry.awaited(sheet, own_side) if own_side else ()
    without_phone = phoneless(table, sheet) if is_double else set()
    for side, row in zip(sides, signatures, strict=True):
        others = [score.get(other, 0) for other in sides if other != side]
        row["total"] = score.get(side, 0)
        row["against"] = others[0] if len(others) == 1 else None
        row["here"] = not is_double or side == own_side or side in without_phone
    return {
        "table": table,
        "token": token,
        "sheet": sheet,
        "frame": frame_of(sheet),
        "double": is_double,
        "by_player": alone,
        "own_side": own_side,
        "own_side_name": side_label(own_side, language, names) if own_side else "",
        "writing": allowed,
        "fields": fields,
        "typed": typed,
        "trick_rows": trick_rows(fields, typed),
        "depth": shown_depth,
        "depths": [
            {"code": code, "label": Depth(code).label, "current": code == shown_depth}
            for code in depths_of(sheet)
        ],
        "sheets": games,
        "sheet_ids": [game.pk for game in games],
        "sides": [
            {
                "code": side,
                "name": side_label(side, language, names),
                "players": players_of(side, names) if len(side) > 1 else "",
                "total": score.get(side, 0),
                "games": sheet.score.get("games", {}).get(side, 0) if by_games else None,
                "winner": sheet.finished and winner == side,
            }
            for side in sides
        ],
        "target_text": target_text(target),
        "deals_left": sheet.score.get("deals_left"),
        "phone_rules": json.dumps(phone_rules(sheet)),
        "phone_match": json.dumps(phone_match(sheet, deals)),
        "following": following_game(table, sheet),
        "winner": _unbroken(side_label(winner, language, names)) if winner else "",
        "by_forfeit": outcome.by_forfeit,
        "deals": deal_rows(sheet, language, names, series, link),
        "number": number,
        "dealer": dealer,
        "dealer_name": names.get(dealer, dealer),
        "names": names,
        "key": uuid.uuid4().hex,
        "signatures": signatures,
        **waiting_call(table),
        "contested": sheet.state == SheetState.OFFICIAL and is_contested(sheet),
        "dispute": dispute_of(sheet),
        "spoken": [spoken(line, language, names if alone else None) for line in last.lines]
        if last
        else [],
        "spoken_number": last.number if last else None,
        "open": opened,
        "decision": decision,
        "mark": mark_of(sheet, games),
        "rulings": rulings_at(sheet, reverse("table", args=[token])),
        "clock": clock_context(clock),
        "rung": bool(clock and clock.rung and sheet.ended_by != "bell" and not again),
        "undo_bell": int(bell_can_be_undone(sheet).total_seconds()) if opened else 0,
        "playing_on": sheet.ended_by == "bell" and not sheet.finished and not again,
        "replay": again[0].number if again else None,
        "differences": difference_rows(sheet, language, names) if is_double and opened else [],
        "waits_for_other": bool(awaited),
        "awaited": " / ".join(names.get(seat, seat) for seat in awaited) if alone else "",
        "hand_over": [
            {"code": side, "name": side_label(side, language, names)}
            for side in sides
            if own_side and side in without_phone
        ],
        **entry_context(sheet, fields, names, language, dealer, typed),
    }


def following_game(table: Table, sheet: Sheet) -> dict[str, object] | None:
    """The game of the table to go on with: its number, its sides, and everybody's partner.

    That is the next one that is not over; from a game that is signed, else the first that is not.
    """
    signed = (SheetState.OFFICIAL, SheetState.VOID)
    games = table.sheets.order_by("order")
    following = games.filter(order__gt=sheet.order, finished=False).first()
    if following is None and sheet.state in signed:
        following = games.exclude(state__in=signed).first()
    if following is None:
        return None
    names = seat_names(following)
    return {
        "order": following.order,
        "sides": [players_of(side, names) for side in sides_of(following)],
        "event": frame_of(following).get("slug", ""),
        "partners": _partners(following, names),
    }


def _partners(sheet: Sheet, names: dict[str, str]) -> list[dict[str, object]]:
    """Number of everybody who has a partner in a game, and the partner's name."""
    at_position = dict(sheet.table.seats.values_list("position", "entrant__number"))
    at = {seat: at_position.get(position) for seat, position in sheet.positions.items()}
    return [
        {"number": at[seat], "partner": players_of(side.replace(seat, ""), names)}
        for side in sides_of(sheet)
        for seat in side
        if len(side) > 1 and len({at[each] for each in side} - {None}) == len(side)
    ]


def open_call(table: Table) -> RefereeCall | None:
    """The call for which a referee is awaited at the table."""
    calls = table.calls.filter(closed_at__isnull=True).exclude(topic=CallTopic.RESULT)
    return calls.order_by("called_at").first()


def dispute_of(sheet: Sheet) -> str:
    """Why a side does not agree with the sheet, as it said; empty where it does or said nothing."""
    if sheet.state != SheetState.DISPUTED:
        return ""
    return dispute_reasons(sheet.scope, [sheet.pk]).get(sheet.pk, "")


def is_contested(sheet: Sheet) -> bool:
    """Whether somebody says that the signed result is wrong, and it is not settled yet."""
    return sheet.calls.filter(topic=CallTopic.RESULT, closed_at__isnull=True).exists()


def mark_of(sheet: Sheet, games: Iterable[Sheet]) -> str:
    """What a table's page shows beside the version of its sheet: signatures, contested result, states of the games.

    A page that is open compares it with the mark that it was made with.
    """
    signatures = sheet.signatures.filter(standing=True).order_by("pk").values_list("pk", flat=True)
    states = ",".join(f"{game.order} {game.state}" for game in games)
    contested = sheet.state == SheetState.OFFICIAL and is_contested(sheet)
    return f"{states};{','.join(map(str, signatures))};{'contested' if contested else ''}"


def contested_at(table: Table) -> set[uuid.UUID]:
    """The sheets of a table whose signed result somebody says is wrong, until it is settled."""
    calls = table.calls.filter(topic=CallTopic.RESULT, closed_at__isnull=True)
    return set(calls.filter(sheet__isnull=False).values_list("sheet_id", flat=True))


def waiting_call(table: Table) -> dict[str, object]:
    """The open call to the referee, if there is one; a contested result calls nobody to the table."""
    call = open_call(table)
    if call is None:
        return {"waiting_call": None, "waiting": None}
    since = timezone.localtime(call.called_at).strftime("%H:%M")
    claimed = _("The referee") if call.claimed_by else ""
    return {"waiting_call": call, "waiting": {"since": since, "claimed_by": claimed}}


def difference_rows(sheet: Sheet, language: str, names: dict[str, str]) -> list[dict[str, object]]:
    """What the two sides wrote differently, in the reader's words."""
    parts = {
        "declarer": _("who chose trump"),
        "level": _("the contract"),
        "trump": _("the trump"),
        "doubling": _("the doubling"),
        "blind": _("blind trump"),
        "exchanged": _("cards exchanged"),
        "turn-up": _("the card turned up"),
        "dealer": _("the dealer"),
        "leader": _("who led"),
        "deal": _("whether it was played"),
        "infractions": _("infractions"),
    }

    def side_words(side: str) -> str:
        if side == Series.OFFICIAL:
            return _("the sheet")
        if all(seat in sheet.positions for seat in side) and by_player(sheet):
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
        if named and all(seat in (sides_of(sheet) if by_player(sheet) else "") for seat in head):
            return f"{side_words(head)} {rest}".strip()
        if head in sides_of(sheet) and not by_player(sheet):
            return f"{side_words(head)} {rest}".strip()
        if where.endswith("trump") and text in SUIT_SIGNS:
            return SUIT_SIGNS[text]
        return {"yes": _("yes"), "no": _("no"), "annulled": _("passed")}.get(text, text)

    return [
        {
            "deal": each.deal,
            "where": words(each.where),
            "side": side_words(each.side),
            "entry": value(each.entry, each.where),
            "other_side": side_words(each.other_side),
            "other_entry": value(each.other_entry, each.where),
        }
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


def history(
    sheet: Sheet, number: int, series: str, language: str, names: dict[str, str]
) -> list[dict[str, object]]:
    """Every version of a deal, newest first, as ``parts/timeline.html`` shows them."""
    items = []
    for deal in sheet.deals.filter(series=series, number=number).order_by("-version"):
        sentence = SEPARATOR.render(language).join(spoken(line, language) for line in deal.lines)
        points = _points(deal, language, names)
        items.append(
            {
                "when": deal.entered_at,
                "what": " · ".join(part for part in (points, sentence) if part)
                or _("passed by all: the next player deals"),
                "who": _("staff") if Actor.parse(deal.entered_by).is_staff else _("table"),
                "why": reason_shown(deal.reason),
                "in_force": deal.current,
                "superseded": not deal.current,
            }
        )
    return items
