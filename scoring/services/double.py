"""Blind double entry: each side writes its own series, and what agrees becomes official.

After each entry the two series are compared deal by deal by the engine. From the first deal on,
every deal on which both agree is official; the first that differs puts the sheet in dispute and is
named (deal, trick or line) until one side corrects its entry or a referee decides.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ledger.actors import Actor
from scoring.engine.calls import answer
from scoring.models import DealVersion, Series, Sheet, SheetState
from scoring.places import Places
from scoring.rules import game_of

from .record import touch, write_deal


@dataclass(frozen=True, slots=True)
class Difference:
    """Where the entries of a deal differ, and what each side wrote."""

    deal: int
    where: str
    ns: str
    ew: str


def _series(sheet: Sheet) -> dict[str, dict[int, DealVersion]]:
    found: dict[str, dict[int, DealVersion]] = {Series.NS: {}, Series.EW: {}, Series.OFFICIAL: {}}
    for deal in sheet.deals.filter(current=True).order_by("number"):
        found[deal.series][deal.number] = deal
    return found


def _comparable(sheet: Sheet, entry: dict[str, Any]) -> dict[str, Any]:
    """An entry as the engine's ``compare`` reads it: a record of play spread out."""
    plain = Places(game_of(sheet), entry.get("dealer", "")).entry_to_engine(entry)
    record = plain.pop("record", None)
    plain.pop("annulled", None)
    return {**plain, **(record or {})}


def compare_entries(sheet: Sheet, ns: dict[str, Any], ew: dict[str, Any]) -> list[dict[str, str]]:
    """What differs between two entries of a deal: ``where``, ``a`` and ``b``."""
    if bool(ns.get("annulled")) != bool(ew.get("annulled")):
        said = ["–", "annulled"]
        return [{"where": "deal", "a": said[bool(ns.get("annulled"))],
                 "b": said[bool(ew.get("annulled"))]}]  # fmt: skip
    if ns.get("annulled"):
        return []
    asked = {"rulebook": sheet.rulebook, "options": sheet.options}
    found = answer("compare", {**asked, "a": _comparable(sheet, ns), "b": _comparable(sheet, ew)})[
        "differences"
    ]
    return [dict(each) for each in found] if isinstance(found, list) else []


def differences(sheet: Sheet) -> list[Difference]:
    """Every difference between deals that both sides have entered and that are not settled."""
    series = _series(sheet)
    found = []
    for number in sorted(set(series[Series.NS]) & set(series[Series.EW])):
        ns, ew = series[Series.NS][number], series[Series.EW][number]
        official = series[Series.OFFICIAL].get(number)
        if official is not None and official.pk > max(ns.pk, ew.pk):
            continue  # agreed upon, or decided by a referee after both entries
        found += [
            Difference(number, each["where"], each["a"], each["b"])
            for each in compare_entries(sheet, ns.entry, ew.entry)
        ]
    return found


def settle(sheet: Sheet, actor: Actor) -> None:
    """Make official what agrees; put the sheet in dispute at the first deal that differs."""
    series = _series(sheet)
    number = len(series[Series.OFFICIAL]) + 1
    disputed = bool(differences(sheet))
    if not disputed:
        for again in sorted(series[Series.OFFICIAL]):
            _follow_correction(sheet, series, again, actor)
        while number in series[Series.NS] and number in series[Series.EW] and not sheet.finished:
            write_deal(
                sheet, series=Series.OFFICIAL, number=number,
                entry=series[Series.NS][number].entry, infractions=[], actor=actor,
            )  # fmt: skip
            touch(sheet)
            number += 1
    touch(sheet)
    if disputed:
        sheet.state = SheetState.DISPUTED
        sheet.save(update_fields=["state", "changed_at"])


def _follow_correction(
    sheet: Sheet, series: dict[str, dict[int, DealVersion]], number: int, actor: Actor
) -> None:
    """Where both sides corrected a deal alike, the official version follows."""
    ns, ew = series[Series.NS].get(number), series[Series.EW].get(number)
    official = series[Series.OFFICIAL][number]
    if ns is None or ew is None or max(ns.pk, ew.pk) < official.pk:
        return
    if compare_entries(sheet, official.entry, ns.entry):
        write_deal(
            sheet, series=Series.OFFICIAL, number=number, entry=ns.entry,
            infractions=official.infractions, actor=actor, reason=ns.reason or ew.reason,
        )  # fmt: skip
