"""Destinations of a model's columns: everywhere, except those named here with a reason.

A column is defined on its model (type, bounds, label, help). Forms, shapes of the API, copies,
files, mergers and archives run over :func:`columns`; :data:`LEFT_OUT` lists the exceptions.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Any, Final, TypeAlias

from django.db import models

from .entrants import Entrant, Member, Person
from .events import Event
from .stages import Stage

Column: TypeAlias = "models.Field[Any, Any]"


class To(StrEnum):
    """Destination of a column's value."""

    FORM = "form"
    """A form of the desk asks for it."""
    API = "api"
    """A program gives it."""
    COPY = "copy"
    """A copied event has it."""
    FILE = "file"
    """The file of players carries it, out and in."""
    MERGE = "merge"
    """An entry takes it from one that is merged into it."""
    ARCHIVE = "archive"
    """The archive of an event holds it."""
    LOG = "log"
    """The record of official rows holds it."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Columns that stay where they are, and why."""

    names: str
    to: frozenset[To]
    why: str


def _not(names: str, why: str, *to: To) -> LeftOut:
    return LeftOut(names, frozenset(to or To), why)


_ASKED: Final = (To.FORM, To.API)
_ENTRY: Final = (To.COPY, To.FILE, To.MERGE)

LEFT_OUT: Final[dict[type[models.Model], tuple[LeftOut, ...]]] = {
    Person: (
        _not("*", "Erasable: the chain names nobody.", To.LOG),
        _not("id", "The row's own.", *_ASKED, *_ENTRY),
        _not("erased_at", "Set once, when the rest is emptied.", *_ASKED, *_ENTRY),
        _not("salt", "Of one name in one event; made anew.", *_ASKED, *_ENTRY),
        _not("member", "Ticked in the register, which is this installation's.", *_ASKED),
        _not("member", "The register is this installation's.", To.FILE, To.ARCHIVE),
    ),
    Entrant: (
        _not("id created_at", "The row's own.", *_ASKED, *_ENTRY),
        _not("event", "Follows from the address or the file.", *_ASKED, *_ENTRY),
        _not("person", "Its columns go there themselves.", *_ASKED, *_ENTRY),
        _not("partner", "Its columns go there themselves.", To.COPY),
        _not("club", "Another event has clubs of its own, found by name.", To.COPY),
        _not("link_hash link_epoch", "Made anew: a badge opens one page.", *_ASKED, *_ENTRY),
        _not("link_hash", "A secret.", To.ARCHIVE, To.LOG),
        _not("link_epoch", "A counter of badges.", To.LOG),
        _not("number", "Each keeps their own.", To.MERGE),
        _not("state from_round withdrawn_after paid", "Of the event that was.", To.COPY),
        _not("from_round withdrawn_after", "Follow from when they came and left.", *_ASKED),
        _not("from_round withdrawn_after", "Of the event it is imported into.", To.FILE),
        _not("state paid", "Changed by what players do: arrive, leave, return, pay.", *_ASKED),
    ),
    Member: (
        _not("*", "The register is no part of an event.", *_ENTRY, To.ARCHIVE, To.LOG),
        _not("id", "The row's own.", *_ASKED),
    ),
    Event: (
        _not("*", "Of an event, not of a player.", To.FILE, To.MERGE),
        _not("id slug created_at", "The row's own.", *_ASKED, To.COPY),
        _not("name day", "Given anew.", To.COPY),
        _not("public_seed", "Drawn anew: nobody knows it before.", *_ASKED, To.COPY),
        _not("edition", "The newest of the rulebook.", *_ASKED, To.COPY),
        _not("options", "Switches are asked on the page of the rules.", To.FORM),
        _not("house_rules", "Chosen with the rulebook.", To.FORM),
        _not("logo", "Sent as a picture, copied with it.", *_ASKED, To.COPY),
        _not("state", "Changed by finishing and reopening.", *_ASKED, To.COPY),
        _not("hidden", "Changed by hiding and showing.", *_ASKED, To.COPY),
        _not("registration registration_until", "Opened by the director, until a time.", To.COPY),
        _not("version frame_version", "Counters of pages.", *_ASKED, To.COPY, To.LOG),
        _not("sponsors", "May name a person.", To.LOG),
    ),
    Stage: (
        _not("*", "Of an event, not of a player.", To.FILE, To.MERGE),
        _not("id event order", "The row's own.", *_ASKED, To.COPY),
        _not("target cut drawing", "Asked by their parts.", To.FORM),
        _not("ranking_rule club_rule", "Set by the ranking's own page and operation.", *_ASKED),
        _not("ranking_edition", "The newest for a new stage.", *_ASKED, To.COPY),
    ),
}
"""Model → columns excluded from a destination; ``*``: every column."""


@cache
def left_out(model: type[models.Model], to: To) -> dict[str, str]:
    """Return the excluded columns of a model for a destination, each with its reason."""
    every = [column.name for column in model._meta.concrete_fields]
    return {
        name: each.why
        for each in LEFT_OUT.get(model, ())
        if to in each.to
        for name in (every if each.names == "*" else each.names.split())
    }


def columns(model: type[models.Model], to: To) -> Iterator[Column]:
    """Return the columns of a model for a destination, in their order."""
    stay = left_out(model, to)
    return (column for column in model._meta.concrete_fields if column.name not in stay)


def names(model: type[models.Model], to: To) -> tuple[str, ...]:
    """Return the names of the columns for a destination."""
    return tuple(column.name for column in columns(model, to))


def values_of(row: models.Model, to: To) -> dict[str, Any]:
    """Return the columns of a row for a destination, by attribute."""
    return {each.attname: getattr(row, each.attname) for each in columns(type(row), to)}


def erased() -> dict[str, Any]:
    """Return the columns of a person whose data was erased, by attribute."""
    own = ("id", "erased_at")
    return {
        each.attname: each.get_default()
        for each in Person._meta.concrete_fields
        if each.name not in own
    } | {"salt": ""}


FREE_TEXT: Final = ("family", "category")
"""Columns of an entry in which a name may stand: the record holds a digest, erasing empties them."""
