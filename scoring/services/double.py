"""Blind double entry: each side writes its own series, and what agrees becomes official.

After each entry the series are compared deal by deal by the engine. From the first deal on, every
deal on which both sides agree is official; the first that differs puts the sheet in dispute and is
named (deal, trick or line) until one side corrects its entry or a referee decides.

The sides are two pairs, or at any other table the two sides of each deal: the dealer or declarer
alone, and the others. There each phone writes for one player, and a deal has been written by both
sides when the player who stood alone and one of the others have written it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ledger.actors import Actor
from scoring.engine.calls import answer
from scoring.entry import two_sides
from scoring.models import DealVersion, Series, Sheet, SheetState
from scoring.places import Places
from scoring.rules import by_player, game_of, options_of, sides_of

from .record import current_deals, touch, write_deal


@dataclass(frozen=True, slots=True)
class Difference:
    """Where the entries of a deal differ, and what each side wrote."""

    deal: int
    where: str
    side: str
    said: str
    other_side: str
    other_said: str


def _official(sheet: Sheet) -> dict[int, DealVersion]:
    return {deal.number: deal for deal in current_deals(sheet)}


def _written(sheet: Sheet) -> dict[int, dict[str, DealVersion]]:
    """Deal → side → what that side wrote, sides in the order of the sheet."""
    found: dict[int, dict[str, DealVersion]] = {}
    deals = list(sheet.deals.filter(current=True).exclude(series=Series.OFFICIAL))
    for side in sides_of(sheet):
        for deal in deals:
            if deal.series == side:
                found.setdefault(deal.number, {})[side] = deal
    return dict(sorted(found.items()))


def _sides_of_deal(sheet: Sheet, entry: dict[str, Any]) -> list[tuple[str, ...]]:
    """Who has to write a deal: one of each group."""
    if not by_player(sheet):
        return [(side,) for side in sides_of(sheet)]
    declarer = (entry.get("contract") or {}).get("declarer", "")
    one, others = two_sides(game_of(sheet), entry.get("dealer", ""), declarer)
    return [(one,), tuple(others)]


def missing(sheet: Sheet, entries: dict[str, DealVersion]) -> list[tuple[str, ...]]:
    """The sides of a deal none of whose players has written it yet."""
    first = next(iter(entries.values())).entry
    if by_player(sheet) and first.get("annulled"):
        # Nobody took the deal: another player's word is enough.
        rest = tuple(side for side in sides_of(sheet) if side not in entries)
        return [rest] if len(entries) < 2 else []
    return [group for group in _sides_of_deal(sheet, first) if not set(group) & set(entries)]


def awaited(sheet: Sheet, series: str) -> tuple[str, ...]:
    """Who may write the first deal that waits for another side after ``series`` wrote it."""
    if not by_player(sheet):
        other = next(side for side in sides_of(sheet) if side != series)
        return (other,) if _count(sheet, series) > _count(sheet, other) else ()
    official = _official(sheet)
    for number, entries in _written(sheet).items():
        if number not in official and series in entries:
            return next(iter(missing(sheet, entries)), ())
    return ()


def _count(sheet: Sheet, series: str) -> int:
    return len(current_deals(sheet, series))


def may_still_write(sheet: Sheet, series: str, number: int) -> bool:
    """Whether a player may write a deal that others agreed upon while it was being typed."""
    if series == Series.OFFICIAL or not by_player(sheet):
        return False
    written = sheet.deals.filter(series=series, current=True)
    return (
        1 <= number <= _count(sheet, Series.OFFICIAL)
        and not written.filter(number__gte=number).exists()
    )


def _comparable(sheet: Sheet, entry: dict[str, Any]) -> dict[str, Any]:
    """An entry as the engine's ``compare`` reads it: a record of play spread out."""
    plain = Places(game_of(sheet), entry.get("dealer", "")).entry_to_engine(entry)
    record = plain.pop("record", None)
    plain.pop("annulled", None)
    return {**plain, **(record or {})}


def compare_entries(sheet: Sheet, ns: dict[str, Any], ew: dict[str, Any]) -> list[dict[str, str]]:
    """What differs between two entries of a deal: ``where``, ``a`` and ``b``, by the sheet's seats."""
    if bool(ns.get("annulled")) != bool(ew.get("annulled")):
        said = ["–", "annulled"]
        return [{"where": "deal", "a": said[bool(ns.get("annulled"))],
                 "b": said[bool(ew.get("annulled"))]}]  # fmt: skip
    if ns.get("annulled"):
        return []
    if by_player(sheet) and ns.get("dealer") != ew.get("dealer"):
        # The engine numbers the players from the dealer: nothing else compares.
        return [{"where": "dealer", "a": str(ns.get("dealer")), "b": str(ew.get("dealer"))}]
    asked = {"rulebook": sheet.rulebook, "options": options_of(sheet)}
    found = answer("compare", {**asked, "a": _comparable(sheet, ns), "b": _comparable(sheet, ew)})[
        "differences"
    ]
    places = Places(game_of(sheet), ns.get("dealer", ""))
    return [_by_seats(places, each) for each in found] if isinstance(found, list) else []


def _by_seats(places: Places, difference: dict[str, str]) -> dict[str, str]:
    """A difference that the engine found, with the seats of the sheet for its players."""
    if places.pairs:
        return dict(difference)
    kind, _space, rest = difference["where"].partition(" ")
    found = dict(difference)
    if kind in ("points", "tricks") and rest:
        found["where"] = f"{kind} {places.side_to_seats(rest)}"
    elif difference["where"] in ("contract declarer", "leader") or kind == "trick":
        for name in ("a", "b"):
            side, space, more = difference[name].partition(" ")
            if side.isdigit():
                found[name] = f"{places.side_to_seats(side)}{space}{more}"
    return found


def differences(sheet: Sheet) -> list[Difference]:
    """Every difference between entries of a deal by several sides that is not settled."""
    official = _official(sheet)
    found = []
    for number, entries in _written(sheet).items():
        settled = official.get(number)
        if settled is not None and settled.pk > max(each.pk for each in entries.values()):
            continue  # agreed upon, or decided by a referee after the entries
        if settled is not None and by_player(sheet) and len(entries) == 1:
            entries[Series.OFFICIAL] = settled
        (side, first), *others = entries.items()
        found += [
            Difference(number, each["where"], side, each["a"], other_side, each["b"])
            for other_side, other in others
            for each in compare_entries(sheet, first.entry, other.entry)
        ]
    return found


def settle(sheet: Sheet, actor: Actor) -> None:
    """Make official what agrees; put the sheet in dispute at the first deal that differs."""
    disputed = bool(differences(sheet))
    if not disputed:
        written, official = _written(sheet), _official(sheet)
        for again in sorted(official):
            _follow_correction(sheet, written.get(again, {}), official[again], actor)
        number = len(official) + 1
        while number in written and not missing(sheet, written[number]) and not sheet.finished:
            write_deal(
                sheet, series=Series.OFFICIAL, number=number,
                entry=next(iter(written[number].values())).entry, infractions=[], actor=actor,
            )  # fmt: skip
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
            sheet, series=Series.OFFICIAL, number=official.number, entry=first.entry,
            infractions=official.infractions, actor=actor, reason=next(reasons, ""),
        )  # fmt: skip
