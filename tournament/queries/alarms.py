"""Probable mistakes in an entry: questions, never corrections.

Each doubt is a question that the table answers with yes or with a correction; an entry confirmed in
spite of a doubt is stored with its code, so that a referee can see the question. *Impossible*
entries are refused by the engine, not by this module.

The thresholds (R, project decision) are chosen so that an ordinary deal is not questioned: with
random legal play a side with *t* tricks holds about ``total × t / tricks`` points, and differs from
it by more than :data:`FAR` of the total in fewer than one deal in forty.
"""

from __future__ import annotations

import dataclasses
from fractions import Fraction

from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from scoring.engine.rulebook import Game
from scoring.engine.shapes import EntryJson
from tournament.models.tables import DealVersion, Sheet
from tournament.queries.brackets import heading_of
from tournament.tables.score_sheet import Scored, ScoreSheet, counts, likeness

FAR = Fraction(1, 4)
"""Points this far (in parts of the total) from what the tricks let expect are doubted."""
NEAR = Fraction(1, 8)
"""The reading that is offered instead lies at least this near."""
HEAVY = Fraction(1, 4)
"""Declarers who end up with less than this part of the total lost heavily."""


@dataclasses.dataclass(frozen=True, slots=True)
class Doubt:
    """A question about an entry; ``field`` is where the answer would be changed.

    ``params`` are the values that the question names, for programs.
    """

    code: str
    question: str
    field: str
    params: dict[str, object] = dataclasses.field(default_factory=dict)


def doubts(sheet: ScoreSheet, entry: EntryJson, scored: Scored, number: int) -> list[Doubt]:
    """Return every question about the entry of deal ``number``, most telling first."""
    game = sheet.game
    if entry.get("annulled") or "record" in entry or "trick_list" in entry:
        return _same_sheet(sheet, entry, scored, number)
    doubts_found = of_numbers(game, entry)
    expected = sheet.next_dealer()
    if entry.get("dealer") not in ("", None, expected):
        doubts_found.append(Doubt("dealer", _dealer_text(), "dealer", {"expected": expected}))
    doubts_found += _same_sheet(sheet, entry, scored, number)
    return doubts_found


def of_numbers(game: Game, entry: EntryJson) -> list[Doubt]:
    """Return the questions about the typed points: by the tricks, else by the contract.

    ``static/js/table-score.js`` asks them on the phone, from :func:`limits` and :func:`phone_texts`.
    """
    typed = next(iter((entry.get("points") or {}).items()), None)
    if typed is None or not game.in_pairs:
        return []
    side, points = typed
    tricks = (entry.get("tricks") or {}).get(side)
    if tricks is not None:
        return _by_tricks(game, points, tricks)
    return _by_contract(game, entry, side, points)


def limits(game: Game) -> dict[str, object]:
    """Return the thresholds of the doubts, as JSON."""
    shares = {"far": FAR, "near": NEAR, "heavy": HEAVY}
    return {
        **{name: [share.numerator, share.denominator] for name, share in shares.items()},
        "doubling": game.max_doubling != 0,
    }


def phone_texts(game: Game) -> dict[str, list[str]]:
    """Return the questions that a phone asks, for one and for many, their numbers not filled in."""
    return {
        "transposed": [_digits_text(1), _digits_text(2)],
        "sides_swapped": [_sides_text(1), _sides_text(2)],
        "forgotten_double": [_double_text(game)] * 2,
        "dealer": [_dealer_text()] * 2,
    }


def _transposed(points: int) -> int | None:
    """Return the number with its two digits swapped, if that is another number."""
    if points < 10:
        return None
    swapped = points % 10 * 10 + points // 10
    # Only two digits can be swapped: 4 is never written as "04".
    return swapped if swapped != points and swapped >= 10 else None


def _distance(game: Game, points: int, tricks: int) -> Fraction:
    """Return the distance from the points expected for the tricks, as a share of the total."""
    return abs(Fraction(points, game.total) - Fraction(tricks, game.tricks))


def _by_tricks(game: Game, points: int, tricks: int) -> list[Doubt]:
    if _distance(game, points, tricks) <= FAR:
        return []
    swapped = _transposed(points)
    if swapped is not None and swapped <= game.total and _distance(game, swapped, tricks) <= NEAR:
        return [_digits(points, swapped)]
    if _distance(game, game.total - points, tricks) <= NEAR:
        return [_sides(points)]
    return []


def _by_contract(game: Game, entry: EntryJson, side: str, points: int) -> list[Doubt]:
    """Question a heavy loss of the side that chose trump: swapped digits, or a forgotten double."""
    contract = entry.get("contract") or {}
    declarer = contract.get("declarer")
    if declarer not in game.sides:
        return []
    own = points if side == declarer else game.total - points
    if Fraction(own, game.total) >= HEAVY:
        return []
    swapped = _transposed(points)
    if swapped is not None and swapped <= game.total:
        other = swapped if side == declarer else game.total - swapped
        if other > game.half:
            return [_digits(points, swapped)]
    if Fraction(own, game.total) < HEAVY / 2:
        if game.max_doubling != 0 and not contract.get("doubling"):
            return [Doubt("forgotten_double", _double_text(game), "doubling")]
        return [_sides(points)]
    return []


def _digits_text(points: int) -> str:
    return ngettext("%(typed)d point, or %(swapped)d?", "%(typed)d points, or %(swapped)d?", points)


def _sides_text(points: int) -> str:
    return ngettext(
        "Is the %(points)d point that of the right side?",
        "Are the %(points)d points those of the right side?",
        points,
    )


def _double_text(game: Game) -> str:
    # By the rulebook's own word: a tap, contre, cogné.
    calls = [call.title.render(get_language() or "en") for call in game.book.calls[:1]]
    return _("The side that chose trump lost heavily. Was “%(call)s” forgotten?") % {
        "call": "".join(calls)
    }


def _dealer_text() -> str:
    return _("It was another player’s turn to deal. Is this dealer correct?")


def _digits(points: int, swapped: int) -> Doubt:
    return Doubt(
        "transposed",
        _digits_text(points) % {"typed": points, "swapped": swapped},
        "points",
        {"typed": points, "swapped": swapped},
    )


def _sides(points: int) -> Doubt:
    return Doubt(
        "sides_swapped",
        _sides_text(points) % {"points": points},
        "side",
        {"points": points},
    )


def passed_by_all() -> Doubt:
    """Build the question about a deal marked as passed, though its form describes play."""
    question = _("Something is entered for this deal. Did everybody pass?")
    return Doubt("passed", question, "passed")


def _same_sheet(sheet: ScoreSheet, entry: EntryJson, scored: Scored, number: int) -> list[Doubt]:
    """Question equal deals in the same order at another table: one of the two was copied by mistake."""
    before = [deal for deal in sheet.current() if counts(deal)]
    deals = [*before, DealVersion(entry=entry, marks=scored.marks, number=number)]
    like = likeness(deals)
    if not like:
        return []
    twin = (
        Sheet.objects.filter(scope=sheet.row.scope, likeness=like)
        .exclude(table=sheet.row.table_id)
        .select_related("table")
        .first()
    )
    if twin is None:
        return []
    return [
        Doubt(
            "same_as_another_table",
            _("%(table)s recorded exactly the same deals. Is this really your sheet?")
            % {"table": heading_of(twin.table)},
            "points",
            {"table": twin.table.label},
        )
    ]


def written_already(sheet: ScoreSheet, entry: EntryJson) -> list[Doubt]:
    """Question a deal that was moved to another number, and is recorded under an earlier one."""

    def alike(one: EntryJson) -> tuple[object, ...]:
        contract = {**(one.get("contract") or {}), "declarer": ""}
        points = one.get("points") or one.get("record") or one.get("trick_list")
        return contract, one.get("turn_up"), points

    for deal in sheet.current():
        if not deal.annulled and alike(deal.entry) == alike(entry):
            return [
                Doubt(
                    "written_already",
                    _("Deal %(number)d of the sheet is the same. Is this another deal?")
                    % {"number": deal.number},
                    "number",
                    {"number": deal.number},
                )
            ]
    return []


def doubt_name(code: str) -> str:
    """Name a doubt in a few words, for later readers of the sheet."""
    return {
        "transposed": _("digits swapped"),
        "sides_swapped": _("sides swapped"),
        "forgotten_double": _("double forgotten"),
        "dealer": _("another dealer"),
        "same_as_another_table": _("the same deals as another table"),
        "written_already": _("the same as an earlier deal"),
        "passed": _("something was entered, but everybody passed"),
    }.get(code, code)
