"""The public calls about records: ``prove``, ``compare`` and ``notation``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from .cardplay import CardPlay, card_play
from .cards import format_card, mask_of, parse_card
from .compare import Difference, compare
from .completions import AgreedTrick, PartialRecord, read_record
from .errors import Illegal, Malformed
from .legality import Breach
from .notation import format_record, parse_record
from .prove import Allegation, Proved, prove
from .reading import (
    Payload,
    read_cards,
    read_hands,
    read_int,
    read_list,
    read_object,
    read_order_cards,
    read_orders,
    read_trump,
    require,
    wrong,
)
from .replay import replay
from .rulebook import Game
from .seating import first_leader, read_card_play, read_game, total_of
from .shapes import CompareJson, NotationJson, ProveJson


def agreed_record(payload: Payload) -> PartialRecord:
    """Return the record of a call of ``prove``: the tricks that the table agrees on, hands, an allegation."""
    play = read_card_play(payload)
    trump = read_trump(payload)
    tricks = []
    for at, value in enumerate(read_list(payload.get("tricks"), "tricks")):
        field = f"tricks[{at}]"
        trick = read_object(value, field)
        leader = trick.get("leader")
        cards = read_list(trick.get("plays"), f"{field}.plays")
        tricks.append(
            AgreedTrick(
                number=read_int(trick.get("n"), f"{field}.n", 1, 32),
                leader=None if leader is None else play.seat(leader, f"{field}.leader"),
                cards=tuple(
                    None if card is None else parse_card(card, f"{field}.plays[{place}]")
                    for place, card in enumerate(cards)
                ),
            )
        )
    given = read_hands(payload, play) or []
    hands = {seat: hand for seat, hand in enumerate(given) if hand is not None}
    claim = read_object(require(payload, "allegation"), "allegation")
    reserve = read_cards(payload.get("reserve"), "reserve")
    play = _ending(play, hands, reserve, [trick.number for trick in tricks], claim.get("trick"))
    return read_record(play, trump, tricks, hands, reserve)


def prove_allegation(payload: Payload) -> Proved:
    """Judge the alleged breach of ``payload`` from the tricks that the table agrees on."""
    record = agreed_record(payload)
    play = record.play
    claim = read_object(require(payload, "allegation"), "allegation")
    for key in ("trick", "seat", "kind"):
        if claim.get(key) is None:
            raise Malformed("missing_key", f"allegation: {key!r} is missing", f"allegation.{key}")
    number = read_int(claim["trick"], "allegation.trick", 1, play.hand)
    seat = play.seat(claim["seat"], "allegation.seat")
    return prove(record, Allegation(number, seat, _kind(claim["kind"]), _ordered(payload)))


def prove_call(payload: Payload) -> ProveJson:
    """Return a verdict as JSON."""
    proved = prove_allegation(payload)
    return {
        "verdict": proved.verdict.value,
        "proof": None
        if proved.card is None
        else {"trick": proved.trick, "card": format_card(proved.card)},
        "reason": proved.reason,
    }


def _ending(
    play: CardPlay,
    hands: Mapping[int, Sequence[int]],
    reserve: Sequence[int],
    numbers: Sequence[int],
    alleged: object,
) -> CardPlay:
    """Return ``play`` for the last tricks only, if the given hands are those of an ending.

    Source 000 shows "une position à quatre cartes de la fin", its tricks counted from 1. Hands
    that are all short by as much, and hold a card for every trick named, are taken as such. What
    fell before is unknown unless every hand is given.
    """
    sizes = {len(hand) for hand in hands.values()}
    if len(sizes) != 1:
        return play
    (size,) = sizes
    named = [*numbers, alleged if isinstance(alleged, int) else 1]
    if not max(named) <= size < play.hand:
        return play
    deck = play.deck
    if len(hands) == len(play.seats):
        deck &= mask_of(card for hand in hands.values() for card in hand) | mask_of(reserve)
    return replace(play, hand=size, deck=deck)


def _kind(value: object) -> Breach:
    try:
        return Breach(str(value))
    except ValueError:
        raise wrong("allegation.kind", " | ".join(Breach), value) from None


def _ordered(payload: Payload) -> int:
    """Return the ordered cards of an alleged disobedience, stated in it or in ``orders``."""
    play = read_card_play(payload)
    claim = read_object(payload["allegation"], "allegation")
    if claim.get("kind") != Breach.DISOBEYED_ORDER.value:
        return 0
    if not play.orders:
        raise Illegal(
            "no_orders", f"partners may not give orders in {payload.get('rulebook')}", "allegation"
        )
    if claim.get("order") is not None:
        return read_order_cards(read_object(claim["order"], "allegation.order"), "allegation.order")
    orders = read_orders(payload, play)
    seat = play.seat(claim.get("seat"), "allegation.seat")
    ordered = orders.get((read_int(claim.get("trick"), "allegation.trick", 1, play.hand), seat))
    if ordered is None:
        raise Malformed("missing_key", "no order was given for this play", "orders")
    return ordered


def compare_call(payload: Payload) -> CompareJson:
    """Compare two entries of one deal; return the differing tricks or lines."""
    a = _entry(payload, "a")
    b = _entry(payload, "b")
    differences = compare(a, b, _total(a, b))
    return {
        "same": not differences,
        "differences": [{"where": each.where, "a": each.a, "b": each.b} for each in differences],
    }


def _entry(payload: Payload, field: str) -> Payload:
    """Return one entry, with the call's rulebook and options unless it has its own.

    Options are written out in full, so that a default left unsaid is the same as one said. Cards
    become a list of tricks too, so that they compare with an entry by tricks.
    """
    entry: dict[str, object] = dict(read_object(require(payload, field), field))
    for key in ("rulebook", "options"):
        if entry.get(key) is None and payload.get(key) is not None:
            entry[key] = payload[key]
    if entry.get("rulebook") is None:
        return entry
    game = read_game(entry)
    return with_tricks(game, {**entry, "options": dict(game.options)})


def compare_deals(game: Game, a: Payload, b: Payload) -> list[Difference]:
    """Return where two entries of a deal of ``game`` differ."""
    total = game.total if game.fixed_sides else None
    return compare(with_tricks(game, a), with_tricks(game, b), total)


def with_tricks(game: Game, entry: Payload) -> Payload:
    """Return ``entry`` with a list of tricks, where it holds the cards."""
    if entry.get("plays") is None or entry.get("trick_list") is not None:
        return entry
    return {**entry, "trick_list": _tricks_of(card_play(game, entry.get("declarer")), entry)}


def _tricks_of(play: CardPlay, entry: Payload) -> list[object]:
    result = replay(
        play,
        read_trump(entry),
        first_leader(entry, play),
        read_cards(entry["plays"], "plays"),
        partial=True,
    )
    return [
        {"winner": play.sides[play.side_of[trick.winner]], "points": trick.points}
        for trick in result.tricks
        if trick.winner is not None
    ]


def _total(a: Payload, b: Payload) -> int | None:
    """Return the points of a deal if both entries belong to a game with an exact total."""
    totals = [total_of(entry) for entry in (a, b) if entry.get("rulebook") is not None]
    return totals[0] if totals and totals[0] == totals[-1] else None


def notation_call(payload: Payload) -> NotationJson:
    """Convert a record to text, or a text to its record."""
    locale = payload.get("locale")
    if locale is not None and not isinstance(locale, str):
        raise wrong("locale", "en, fr or nl", locale)
    record, text = payload.get("record"), payload.get("text")
    if (record is None) == (text is None):
        raise Malformed("malformed_notation", "give a record or a text, one of them", "record")
    if record is not None:
        return {"text": format_record(read_object(record, "record"))}
    if not isinstance(text, str):
        raise wrong("text", "a text", text)
    return {"record": parse_record(text, locale)}
