"""Display of entrants: names come from the erasable table, shortened where the event requires it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.html import escape
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from scoring.engine.speech import side_name
from tournament.cache import cached
from tournament.models import Entrant, EntrantState, Event


class Name(str):
    """The name of people: no browser translates it, and its direction stays its own.

    A page prints the mark around it; for an attribute or a title the filter ``stringformat:"s"`` leaves it out.
    """

    __slots__ = ()

    def __html__(self) -> str:
        return f'<bdi translate="no">{escape(str(self))}</bdi>'

    def __str__(self) -> str:
        return str.__str__(self)


@dataclass(frozen=True, slots=True)
class Shown:
    """An entrant as pages and documents show them."""

    pk: int
    number: int
    name: Name
    club: str
    state: str


def name_parts(name: str) -> tuple[str, str, bool]:
    """First name, surname, and whether the surname stands first: in capitals, as many clubs write it.

    >>> name_parts("Ignace Van den Berghe"), name_parts("VAN DEN BERGHE Ignace")
    (('Ignace', 'Van den Berghe', False), ('Ignace', 'VAN DEN BERGHE', True))
    >>> name_parts("J. Maes"), name_parts("JAN MAES"), name_parts("Jef")
    (('J.', 'Maes', False), ('JAN', 'MAES', False), ('Jef', '', False))
    """
    words = name.split()
    capitals = next((at for at, word in enumerate(words) if not _in_capitals(word)), len(words))
    if 0 < capitals < len(words):
        return " ".join(words[capitals:]), " ".join(words[:capitals]), True
    first, _space, last = name.partition(" ")
    return first, last, False


def _in_capitals(word: str) -> bool:
    return word.isupper() and sum(letter.isalpha() for letter in word) > 1


def name_as_typed(words: str) -> str:
    """Format a name as typed in a search: first name first, with capitals; a number is no name.

    >>> name_as_typed("maes, jan"), name_as_typed("jan d'haene"), name_as_typed("VAN DEN BERGHE Jan")
    ('Jan Maes', "Jan D'Haene", 'VAN DEN BERGHE Jan')
    >>> name_as_typed("27")
    ''
    """
    last, _comma, first = words.partition(",")
    name = "" if any(sign.isdigit() for sign in words) else " ".join(f"{first} {last}".split())
    return name.title() if name.islower() else name


def short(name: str) -> str:
    """Shorten a name for the public where the event requires it: first name and initial.

    >>> short("Anneleen Vandenbroucke"), short("DELVOYE Huguette"), short("Jef")
    ('Anneleen V.', 'Huguette D.', 'Jef')
    """
    first, last, _surname_first = name_parts(name)
    return f"{first} {last[0]}." if last else first


def person_names(entrant: Entrant, *, shorten: bool) -> list[Name]:
    """Return the names of the persons of an entrant, the first-named first; none if one is erased."""
    names = [person.name for person in (entrant.person, entrant.partner) if person is not None]
    return [Name(short(name) if shorten else name) for name in names] if all(names) else []


def shown_name(entrant: Entrant, *, shorten: bool) -> Name:
    """Return the name of a player or pair; an erased person is their number."""
    names = person_names(entrant, shorten=shorten)
    return Name(" / ".join(names) or _("Player %(number)d") % {"number": entrant.number})


def shown(entrant: Entrant, *, shorten: bool) -> Shown:
    """Return all that a page needs of an entrant."""
    return Shown(
        entrant.pk,
        entrant.number,
        shown_name(entrant, shorten=shorten),
        entrant.club.name if entrant.club else "",
        entrant.state,
    )


def directory(event: Event, ids: Iterable[int] | None = None) -> dict[int, Shown]:
    """Entrant id → how they are shown; one query."""
    entrants = event.entrants.select_related("person", "partner", "club")
    if ids is not None:
        entrants = entrants.filter(pk__in=list(ids))
    return {entrant.pk: shown(entrant, shorten=event.short_names) for entrant in entrants}


def everybody(event: Event) -> dict[int, Shown]:
    """:func:`directory` of all entrants, read once for all who ask; not to be changed.

    Names change with the mark of the draw (``Event.frame_version``), under which they are cached.
    """
    return _all(event)[0]


def by_number(event: Event) -> dict[int, Shown]:
    """Map start numbers to displayed entrants; cached like the list of all entrants."""
    return _all(event)[1]


def _all(event: Event) -> tuple[dict[int, Shown], dict[int, Shown]]:
    def read() -> tuple[dict[int, Shown], dict[int, Shown]]:
        people = directory(event)
        return people, {
            shown.number: shown for shown in people.values() if shown.state != EntrantState.MERGED
        }

    key = (event.pk, event.frame_version, event.short_names, get_language())
    return cached(("names", *key), read)


def seat_name(position: str, language: str = "") -> str:
    """Return a seat in the reader's language: west is ``Ouest`` in French, east is ``Oost`` in
    Dutch.

    The seats of individuals have the same letters in all languages. ``language``: the reader's when
    empty.
    """
    return side_name(position, language or (get_language() or "en")[:2])
