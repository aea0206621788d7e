"""A draw's certificate in words, and two draws side by side.

The numbers are counted by :mod:`tournament.pairing.certificate`; here every line gets a name and a
sentence on whether anything better is possible.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from ledger.canonical import JsonObject
from tournament.models import Draw, Event
from tournament.models.draws import TableJson
from tournament.pairing.model import SEATS, Kind
from tournament.queries.names import Name, Shown, directory, seat_name
from tournament.queries.rounds import TableCard
from tournament.queries.sheet_rules import is_filling

LABELS: Final[dict[str, object]] = {
    "repeated_meetings": gettext_lazy("pairs of players meeting again"),
    "repeated_partners": gettext_lazy("partners who were partners before"),
    "repeated_opponents": gettext_lazy("opponents who were opponents before"),
    "meetings_total": gettext_lazy("repeated meetings in the stage so far"),
    "club_clashes": gettext_lazy("pairs of one club at a table"),
    "family_clashes": gettext_lazy("pairs of one family at a table"),
    "bans_broken": gettext_lazy("keep-apart rules broken"),
    "score_differences": gettext_lazy("score gaps within tables"),
    "scorekeeper_spread": gettext_lazy("difference between most and fewest turns as scorekeeper"),
    "dealer_spread": gettext_lazy("difference between most and fewest turns as first dealer"),
    "byes_repeated": gettext_lazy("players with a second bye"),
    "rematches": gettext_lazy("matches played before, squared"),
    "group_differences": gettext_lazy("distance between score groups, squared"),
    "sides_unbalanced": gettext_lazy("pairs with two matches more on one side than on the other"),
    "floats_repeated": gettext_lazy("outside one’s score group again, the same way as last round"),
    "order_deviation": gettext_lazy("distance from the system’s order, squared"),
}

MOVEMENTS: Final[dict[str, object]] = {
    "columns": gettext_lazy("planned in advance: no two players meet twice"),
    "search": gettext_lazy("computed"),
    "look-ahead": gettext_lazy("drawn together with the coming rounds"),
    "every": gettext_lazy("every possible draw weighed, by lot among the best"),
    "locked": gettext_lazy("only locked tables"),
    "whist": gettext_lazy("Whist movement (everyone with everyone)"),
    "rainbow": gettext_lazy("Rainbow"),
    "mitchell": gettext_lazy("Mitchell"),
    "round-robin": gettext_lazy("round robin (Berger)"),
    "pools": gettext_lazy("pools"),
    "knockout": gettext_lazy("knock-out"),
    "lots": gettext_lazy("drawn by lot"),
    "solo": gettext_lazy("tables where each plays alone"),
    "swiss-halves": gettext_lazy("Swiss, top half against bottom half"),
    "swiss-neighbours": gettext_lazy("Swiss, neighbours in the ranking"),
    "swiss-lots": gettext_lazy("Swiss, the first round by lot as nobody is seeded"),
    "swiss-seeds": gettext_lazy("Swiss, the first round by seeds, the others by lot"),
}


@dataclass(frozen=True, slots=True)
class CertificateLine:
    """One line of a certificate as shown."""

    code: str
    label: str
    value: int
    bound: int
    proven: bool
    optimal: bool
    sentence: str
    why: str

    @property
    def kind(self) -> str:
        """Kind of the bound: proven for every draw, or the best known."""
        return _("proven") if self.proven else _("best known")


def movement_name(code: str) -> str:
    """Name the method of a draw in words."""
    return str(MOVEMENTS.get(code, code))


def lines_of(candidate: Draw) -> list[CertificateLine]:
    """Return the lines of a draw's certificate in the reader's language."""
    language = (get_language() or "en")[:2]
    changed = candidate.despite.get("facts", candidate.facts) != candidate.facts
    shown = []
    for line in candidate.certificate.get("lines", []):
        optimal = line["proven"] and line["value"] <= line["bound"] and not changed
        if changed:
            sentence = _("Counted from what has changed since: not examined anew.")
        elif optimal:
            sentence = _("Nothing better is possible.")
        elif line["proven"]:
            sentence = _(
                "At least %(bound)d is proven; whether less than %(value)d is possible is not known."
            ) % {
                "bound": line["bound"],
                "value": line["value"],
            }
        else:
            sentence = _("Best known: %(bound)d.") % {"bound": line["bound"]}
        shown.append(
            CertificateLine(
                line["code"],
                str(LABELS.get(line["code"], line["code"])),
                line["value"],
                line["bound"],
                line["proven"],
                optimal,
                sentence,
                line["why"].get(language, line["why"]["en"]),
            )
        )
    return shown


@dataclass(frozen=True, slots=True)
class Moved:
    """One line of a certificate before and after a change, or in two draws."""

    label: str
    before: int | None
    after: int | None

    @property
    def by(self) -> int:
        """Difference from the first draw to the second; positive when the second is worse."""
        return (self.after or 0) - (self.before or 0)


def side_by_side(one: Sequence[JsonObject], two: Sequence[JsonObject]) -> list[Moved]:
    """Compare the lines of two certificates."""
    first = {line["code"]: line["value"] for line in one}
    second = {line["code"]: line["value"] for line in two}
    return [
        Moved(str(LABELS.get(code, code)), first.get(code), second.get(code))
        for code in dict.fromkeys([*first, *second])
    ]


def _side(kind: str, seat: str) -> int:
    return 1 if kind in (Kind.MATCH, Kind.PARTNERS) and seat in ("N", "S", "NS") else 2


def cards_of(draw: Draw, tables: list[TableJson], people: Mapping[int, Shown]) -> list[TableCard]:
    """Convert stored tables to the shape of the draw cards, with start numbers for the director."""
    return [
        {
            "number": table["number"],
            "note": _("not ranked") if is_filling(draw, table) else "",
            "seats": [
                {
                    "seat": seat_name(seat),
                    "name": Name(f"{people[who].number} {people[who].name}"),
                    "entrant": people[who].number,
                    "side": _side(table["kind"], seat),
                    "scorer": who == table["scorekeeper"],
                    "dealer": who == table["dealer"],
                    "club": people[who].club,
                }
                for seat, who in zip(SEATS[Kind(table["kind"])], table["players"], strict=False)
            ],
        }
        for table in tables
    ]


def changed_tables(one: Draw, two: Draw) -> set[int]:
    """Return the numbers of the tables of ``two`` whose players do not sit together in ``one``."""
    together = {frozenset(table["players"]) for table in one.tables}
    return {table["number"] for table in two.tables if frozenset(table["players"]) not in together}


@dataclass(frozen=True, slots=True)
class ShownEdit:
    """A change by the director, and what it cost."""

    what: str
    cost: list[str]
    at: str


def edits_of(candidate: Draw, event: Event) -> list[ShownEdit]:
    """Return the director's changes, newest first, each with its cost."""
    names = {shown.number: shown for shown in directory(event).values()}

    def who(number: int | None) -> str:
        shown = names.get(number or 0)
        return f"{number} {shown.name}" if shown else str(number)

    edits = []
    for edit in reversed(candidate.edits):
        verb = edit["verb"]
        if verb == "swap":
            what = _("%(one)s and %(two)s swapped places") % {
                "one": who(edit["one"]),
                "two": who(edit["two"]),
            }
        elif verb == "move":
            what = _("table %(one)d became table %(two)d") % {
                "one": edit["table"],
                "two": edit["to"],
            }
        elif verb == "replace":
            what = _("%(two)s in the place of %(one)s") % {
                "one": who(edit["one"]),
                "two": who(edit["two"]),
            }
        else:
            what = _("%(who)s seated at table %(table)d") % {
                "who": ", ".join(who(n) for n in edit.get("players", ())),
                "table": edit["to"],
            }
        cost = [
            f"{LABELS.get(code, code)} " + f"{by:+d}".replace("-", "−")
            for code, by in edit["delta"].items()
        ]
        edits.append(ShownEdit(what, cost, edit["at"][11:16]))
    return edits
