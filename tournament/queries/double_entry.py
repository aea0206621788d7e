"""Blind double entry: each side writes its own series, and what agrees becomes official.

After each entry the series are compared deal by deal by the engine. From the first deal on, every
deal on which both sides agree is official; the first that differs puts the sheet in dispute and is
named (deal, trick or line) until one side corrects its entry or a referee decides.

The sides are two pairs, or at any other table the two sides of each deal: the dealer or declarer
alone, and the others. There each phone writes for one player, and a deal has been written by both
sides when the player who stood alone and one of the others have written it.
"""

from __future__ import annotations

import uuid
from dataclasses import asdict, dataclass

from scoring.engine.calls_record import compare_deals
from scoring.engine.shapes import EntryJson
from tournament.models.tables import DealVersion, Series, Table
from tournament.tables.entry import two_sides
from tournament.tables.places import Places
from tournament.tables.score_sheet import ScoreSheet


@dataclass(frozen=True, slots=True)
class Difference:
    """Difference between the entries of a deal: its place, and both values."""

    deal: int
    where: str
    side: str
    entry: str
    other_side: str
    other_entry: str


def official_deals(sheet: ScoreSheet) -> dict[int, DealVersion]:
    return {deal.number: deal for deal in sheet.current()}


def written_deals(sheet: ScoreSheet) -> dict[int, dict[str, DealVersion]]:
    """Deal → side → what that side wrote, sides in the order of the sheet."""
    written: dict[int, dict[str, DealVersion]] = {}
    for side in sheet.sides:
        for deal in sheet.current(side):
            written.setdefault(deal.number, {})[side] = deal
    return dict(sorted(written.items()))


def _sides_of_deal(sheet: ScoreSheet, entry: EntryJson) -> list[tuple[str, ...]]:
    """Return the groups of sides that must write a deal: one side of each group."""
    if sheet.game.in_pairs:
        return [(side,) for side in sheet.sides]
    declarer = (entry.get("contract") or {}).get("declarer", "")
    one, others = two_sides(sheet.game, entry.get("dealer", ""), declarer)
    return [(one,), tuple(others)]


def missing(sheet: ScoreSheet, entries: dict[str, DealVersion]) -> list[tuple[str, ...]]:
    """Return the sides of a deal without an entry by any of their players."""
    first = next(iter(entries.values())).entry
    if not sheet.game.in_pairs and first.get("annulled"):
        # A deal without a taker: a second player's entry is enough.
        rest = tuple(side for side in sheet.sides if side not in entries)
        return [rest] if len(entries) < 2 else []
    return [group for group in _sides_of_deal(sheet, first) if not set(group) & set(entries)]


def awaited(sheet: ScoreSheet, series: str) -> tuple[str, ...]:
    """Return the sides that may write the first deal that ``series`` has written and another side has not."""
    if sheet.game.in_pairs:
        other = next(side for side in sheet.sides if side != series)
        return (other,) if len(sheet.current(series)) > len(sheet.current(other)) else ()
    official = official_deals(sheet)
    for number, entries in written_deals(sheet).items():
        if number not in official and series in entries:
            return next(iter(missing(sheet, entries)), ())
    return ()


def _comparable(sheet: ScoreSheet, entry: EntryJson) -> dict[str, object]:
    """Convert an entry for the engine's ``compare``: a record of play spread out."""
    plain = Places(sheet.game, entry.get("dealer", "")).entry_to_engine(entry)
    return {
        **{k: v for k, v in plain.items() if k not in ("record", "annulled")},
        **(plain.get("record") or {}),
    }


def compare_entries(sheet: ScoreSheet, ns: EntryJson, ew: EntryJson) -> list[dict[str, str]]:
    """Compare two entries of a deal: ``where``, ``a`` and ``b``, by the sheet's seats."""
    if bool(ns.get("annulled")) != bool(ew.get("annulled")):
        states = ["–", "annulled"]
        return [
            {
                "where": "deal",
                "a": states[bool(ns.get("annulled"))],
                "b": states[bool(ew.get("annulled"))],
            }
        ]
    if ns.get("annulled"):
        return []
    if not sheet.game.in_pairs and ns.get("dealer") != ew.get("dealer"):
        # The engine numbers the players from the dealer: nothing else compares.
        return [{"where": "dealer", "a": str(ns.get("dealer")), "b": str(ew.get("dealer"))}]
    game = sheet.game
    compared = compare_deals(game, _comparable(sheet, ns), _comparable(sheet, ew))
    places = Places(game, ns.get("dealer", ""))
    return [_by_seats(places, asdict(each)) for each in compared]


def _by_seats(places: Places, difference: dict[str, str]) -> dict[str, str]:
    """Convert a difference of the engine to the seats of the sheet."""
    if places.game.in_pairs:
        return dict(difference)
    kind, _space, rest = difference["where"].partition(" ")
    seats = dict(difference)
    if kind in ("points", "tricks") and rest:
        seats["where"] = f"{kind} {places.side_to_seats(rest)}"
    elif difference["where"] in ("contract declarer", "leader") or kind == "trick":
        for name in ("a", "b"):
            side, space, more = difference[name].partition(" ")
            if side.isdigit():
                seats[name] = f"{places.side_to_seats(side)}{space}{more}"
    return seats


def differences(sheet: ScoreSheet) -> list[Difference]:
    """Return every unsettled difference between the sides' entries of a deal."""
    official = official_deals(sheet)
    differences_found = []
    for number, entries in written_deals(sheet).items():
        settled = official.get(number)
        if settled is not None and settled.pk > max(each.pk for each in entries.values()):
            continue  # agreed upon, or decided by a referee after the entries
        if settled is not None and not sheet.game.in_pairs and len(entries) == 1:
            entries[Series.OFFICIAL] = settled
        (side, first), *others = entries.items()
        differences_found += [
            Difference(number, each["where"], side, each["a"], other_side, each["b"])
            for other_side, other in others
            for each in compare_entries(sheet, first.entry, other.entry)
        ]
    return differences_found


def side_of_device(table: Table, device: uuid.UUID) -> str:
    """Return the side for which ``device`` writes in blind double entry; empty when there is none."""
    writer = table.side_writers.filter(device=device).order_by("-since").first()
    return writer.side if writer else ""


def phoneless(sheet: ScoreSheet) -> set[str]:
    """Return the players without a writing phone in double entry, at a table that is not two pairs."""
    if sheet.game.in_pairs:
        return set()
    return set(sheet.sides) - set(sheet.row.table.side_writers.values_list("side", flat=True))
