"""Record of a merger, and its reversal into two entrants."""

from __future__ import annotations

from typing import Final

from ledger.actors import Actor
from tournament.drawing.locked import replaced_in_plan
from tournament.models import (
    Ban,
    Club,
    Draw,
    Entrant,
    EntrantState,
    Merger,
    Person,
    Registration,
    StageEntrant,
    Table,
)
from tournament.models.columns import To, columns, erased, names
from tournament.tables.links import entrant_token, token_hash

from .edits import note
from .reseating import trade_seats

_COLUMNS: Final = tuple(
    name for name in names(Entrant, To.MERGE) if name not in ("club", "partner")
)
"""Columns that a merger may change of the number that stays, besides club, partner and the person's data."""
_FORMER: Final = {"email": "address", "phone": "phone"}
"""What a merger of an earlier release says of the person's data, each by a mark of its own."""


def columns_of(entrant: Entrant) -> dict[str, object]:
    """Return the columns that a merger may change; the club by name, since an empty club is deleted."""
    return {
        **{name: getattr(entrant, name) for name in _COLUMNS},
        "club": entrant.club.name if entrant.club else "",
        "partner": str(entrant.partner_id or ""),
    }


def lacking(stays: Person, goes: Person) -> list[str]:
    """Return the data that one person lacks and the other has, by attribute."""
    if stays.erased_at is not None:
        return []
    wanted = [each.attname for each in columns(Person, To.MERGE)]
    return [name for name in wanted if getattr(goes, name) and not getattr(stays, name)]


def keep_merger(stays: Entrant, goes: Entrant, drawn: list[Draw], *, whole: bool) -> Merger:
    """Write down both as they are before they become one; ``whole``: the row of ``goes`` stays."""
    decided = Table.objects.filter(round__draws__in=drawn, decided_for=goes)
    bans = [
        (ban, ban.two_id if ban.one_id == goes.pk else ban.one_id)
        for ban in (*goes.bans_as_one.all(), *goes.bans_as_two.all())
    ]
    mine = {ban.one_id for ban in stays.bans_as_two.all()} | {
        ban.two_id for ban in stays.bans_as_one.all()
    }
    has = set(stays.stages.values_list("stage_id", flat=True))
    return Merger.objects.create(
        event=stays.event,
        into=stays,
        number=goes.number,
        person=goes.person,
        partner=goes.partner,
        before={
            "stays": columns_of(stays),
            "goes": {
                **columns_of(goes),
                "pk": goes.pk,
                "whole": whole,
                "link_epoch": goes.link_epoch,
            },
            "person": lacking(stays.person, goes.person),
            "draws": [str(draw.pk) for draw in drawn],
            "decided": [str(pk) for pk in decided.values_list("pk", flat=True)],
            "stages": [
                {
                    "stage": place.stage_id,
                    "seed": place.seed,
                    "origin": place.origin,
                    "passed": place.stage_id not in has,
                }
                for place in goes.stages.all()
            ],
            "bans": [
                {
                    "with": other,
                    "by": ban.made_by,
                    "passed": other != stays.pk and other not in mine,
                }
                for ban, other in bans
            ],
            "registrations": [str(pk) for pk in goes.registrations.values_list("pk", flat=True)],
        },
    )


def close_merger(merger: Merger, stays: Entrant) -> None:
    """Write down what the number that stays became, so that later changes of it are left alone."""
    merger.before = {**merger.before, "became": columns_of(stays)}
    merger.save(update_fields=["before"])


def part(merger: Merger, stays: Entrant, draws: list[Draw], actor: Actor) -> Entrant:
    """Undo a merger: restore people, places, bans, seats and results, and the number that was merged."""
    before = merger.before
    _give_back(merger, stays)
    goes = _return(merger)
    for draw in draws:
        edit = {"verb": "replace", "one": stays.number, "two": goes.number, "published": True}
        note(draw, edit, {}, actor)
        draw.plan = replaced_in_plan(draw.plan, stays.number, goes.number)
        trade_seats(draw, {stays.pk: goes.pk})
        draw.save()
    Table.objects.filter(pk__in=before["decided"], decided_for=stays).update(decided_for=goes)
    for place in before["stages"]:
        if place["passed"]:
            StageEntrant.objects.filter(stage=place["stage"], entrant=stays).delete()
        StageEntrant.objects.get_or_create(
            stage_id=place["stage"],
            entrant=goes,
            defaults={"seed": place["seed"], "origin": place["origin"]},
        )
    there = set(merger.event.entrants.values_list("pk", flat=True))
    for ban in before["bans"]:
        if ban["with"] not in there:
            continue
        if ban["passed"]:
            one, two = sorted((stays.pk, ban["with"]))
            Ban.objects.filter(one=one, two=two).delete()
        one, two = sorted((goes.pk, ban["with"]))
        Ban.objects.get_or_create(
            event=merger.event, one_id=one, two_id=two, defaults={"made_by": ban["by"]}
        )
    Registration.objects.filter(pk__in=before["registrations"], entrant=None).update(entrant=goes)
    merger.delete()
    return goes


def _give_back(merger: Merger, stays: Entrant) -> None:
    """Take the merged data from the number that stays; later changes remain."""
    was, became, now = merger.before["stays"], merger.before["became"], columns_of(stays)
    same = {name for name in was if now[name] == became[name]}
    for name in same & set(_COLUMNS):
        setattr(stays, name, was[name])
    old = stays.club
    if "club" in same and was["club"] != became["club"]:
        stays.club = _club(merger, was["club"])
    if "partner" in same and was["partner"] != became["partner"]:
        stays.partner = None
    person, before = stays.person, merger.before
    given = before.get("person", [name for name, mark in _FORMER.items() if before.get(mark)])
    taken = [name for name in given if getattr(person, name) == getattr(merger.person, name)]
    for name in taken:
        setattr(person, name, erased()[name])
    person.save(update_fields=taken)
    stays.save()
    if old is not None and not old.entrants.exists() and old.name != merger.before["goes"]["club"]:
        old.delete()


def _return(merger: Merger) -> Entrant:
    """Restore the merged entrant, with the number, the person and the badge they had."""
    was = merger.before["goes"]
    if was["whole"]:
        goes = Entrant.objects.select_related("event", "person").get(pk=was["pk"])
        blank = goes.person
    else:
        goes, blank = Entrant(pk=was["pk"], event=merger.event, number=merger.number), None
    for name in {*_COLUMNS, "link_epoch"} & was.keys():
        setattr(goes, name, was[name])
    goes.person, goes.partner = merger.person, merger.partner
    goes.club = _club(merger, was["club"])
    goes.state = EntrantState(was["state"])
    goes.link_hash = token_hash(entrant_token(goes))
    goes.save()
    if blank is not None and blank.pk != goes.person_id:
        blank.delete()
    return goes


def _club(merger: Merger, name: str) -> Club | None:
    return Club.objects.get_or_create(event=merger.event, name=name)[0] if name else None
