"""The result of a deal as it was entered, checked: points, tricks, or the list of tricks.

Whatever the depth of the entry, it ends as points and (where known) tricks by side, after every
check that the pack allows (rules specification A.0, A.8). All defects are reported together.
Points that no deal can yield are :class:`Impossible`; a key or type that cannot be read is
:class:`Malformed`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from .bounds import deal_bounds, first_impossible_trick, side_bounds, tricks_allowing
from .errors import EngineError, Malformed
from .reading import Payload, read_list, read_object, wrong
from .rulebook import Game
from .rulebook_edition import Sides
from .speech_refusals import Defect, defect, impossible


@dataclass(frozen=True, slots=True)
class Entry:
    """Points and tricks by side; a side is missing where it was neither entered nor deducible.

    ``sides`` are the two sides of the deal. In the auctions ``points`` may also hold single
    players. ``empty``: nothing was entered at all.
    """

    sides: tuple[str, str]
    points: Mapping[str, int]
    tricks: Mapping[str, int]

    @property
    def empty(self) -> bool:
        """Whether neither points nor tricks are known."""
        return not self.points and not self.tricks

    def swept_by(self, game: Game) -> str | None:
        """Return the side known to have won every trick; ``None`` if there is none."""
        for side in self.sides:
            if self.tricks.get(side) == game.tricks:
                return side
        return None


def read_entry(game: Game, payload: Payload, declarer: str | None) -> Entry:
    """Read and check the entry of ``payload`` (``points``, ``tricks``, ``trick_list``).

    Raises :class:`Malformed` (``malformed_value``, ``unknown_side``) and :class:`Impossible`
    (``impossible_points``, ``impossible_tricks``) with every defect.
    """
    alone = game.book.sides is Sides.DECLARER_ALONE
    if alone and declarer is None:
        if any(payload.get(key) for key in ("points", "tricks", "trick_list")):
            game.sides_of(None)
        return Entry(("", ""), {}, {})
    sides = game.sides_of(declarer)
    points = _read_counts(game, payload.get("points"), "points", sides)
    tricks = _read_counts(game, payload.get("tricks"), "tricks", sides)
    listed = payload.get("trick_list")
    if listed is not None:
        from_list = _read_trick_list(game, listed, sides, declarer)
        _agree(points, from_list.points, "points")
        _agree(tricks, from_list.tricks, "tricks")
        points, tricks = dict(from_list.points), dict(from_list.tricks)
    tricks = _complete_tricks(game, tricks, sides)
    points = _complete_points(game, points, sides)
    _check_bounds(game, points, tricks, sides)
    return Entry(sides, points, tricks)


def _read_counts(game: Game, value: object, field: str, sides: tuple[str, str]) -> dict[str, int]:
    if value is None:
        return {}
    counts: dict[str, int] = {}
    allowed = [*sides, *(seat for seat in game.seats if not game.fixed_sides and seat not in sides)]
    for name, number in read_object(value, field).items():
        if name not in allowed:
            raise Malformed(
                "unknown_side",
                f"{name!r} is not a side of this deal: {', '.join(allowed)}",
                f"{field}.{name}",
                {"side": repr(name), "allowed": allowed},
            )
        if number is None:
            continue
        if isinstance(number, bool) or not isinstance(number, int):
            raise wrong(f"{field}.{name}", "a whole number", number)
        counts[name] = number
    return counts


def _split_singles(
    game: Game, counts: dict[str, int], sides: tuple[str, str]
) -> tuple[dict[str, int], bool]:
    """Add the single opponents of a declarer up; whether all of them were given."""
    if game.fixed_sides:
        return dict(counts), all(side in counts for side in sides)
    singles = [seat for seat in sides[1] if seat in counts]
    result = {side: counts[side] for side in sides if side in counts}
    complete = len(sides[1]) > 1 and len(singles) == len(sides[1])
    if complete and sides[1] not in result:
        result[sides[1]] = sum(counts[seat] for seat in singles)
    return result, all(side in result for side in sides)


def _complete_tricks(game: Game, tricks: dict[str, int], sides: tuple[str, str]) -> dict[str, int]:
    defects = [
        defect("trick_count", side=name, tricks=number, of=game.tricks)
        for name, number in tricks.items()
        if not 0 <= number <= game.tricks
    ]
    known, both = _split_singles(game, tricks, sides)
    if both and sum(known[side] for side in sides) != game.tricks:
        shown = " + ".join(str(known[side]) for side in sides)
        total = sum(known[side] for side in sides)
        defects.append(defect("tricks_sum", shown=shown, total=total, wanted=game.tricks))
    if not game.fixed_sides:
        given = sum(tricks.get(seat, 0) for seat in sides[1])
        most = known.get(sides[1], game.tricks - known.get(sides[0], 0))
        if given > most:
            defects.append(defect("tricks_of_others", total=given, most=most))
    if defects:
        raise impossible("impossible_tricks", defects, "tricks")
    if len(known) == 1:
        side = next(iter(known))
        known[sides[1] if side == sides[0] else sides[0]] = game.tricks - known[side]
    return {**tricks, **known}


def _complete_points(game: Game, points: dict[str, int], sides: tuple[str, str]) -> dict[str, int]:
    bounds = deal_bounds(game)
    defects = [
        defect("points_range", side=name, points=number, most=game.total)
        for name, number in points.items()
        if not 0 <= number <= game.total
    ]
    known, both = _split_singles(game, points, sides)
    if both:
        total = sum(known[side] for side in sides)
        shown = " + ".join(str(known[side]) for side in sides)
        if total not in bounds and game.total_is_exact:
            defects.append(defect("points_sum", shown=shown, total=total, wanted=game.total))
        elif total not in bounds:
            defects.append(
                defect(
                    "points_sum_between",
                    shown=shown,
                    total=total,
                    low=bounds.low,
                    high=bounds.high,
                )
            )
    if not game.fixed_sides:
        singles = sum(points.get(seat, 0) for seat in sides[1])
        if sides[1] in points and singles > points[sides[1]]:
            defects.append(defect("points_of_others", total=singles, most=points[sides[1]]))
        elif not both and singles + points.get(sides[0], 0) > game.total:
            together = singles + points.get(sides[0], 0)
            defects.append(defect("points_of_players", total=together, most=game.total))
    if defects:
        raise impossible("impossible_points", defects, "points")
    if len(known) == 1 and game.total_is_exact:
        side = next(iter(known))
        known[sides[1] if side == sides[0] else sides[0]] = game.total - known[side]
    return {**points, **known}


def _check_bounds(
    game: Game, points: Mapping[str, int], tricks: Mapping[str, int], sides: tuple[str, str]
) -> None:
    """Refuse points that the tricks won cannot hold, saying which points they can (A.0)."""
    defects = []
    for name, number in points.items():
        if name in tricks:
            bounds = side_bounds(game, tricks[name])
            if number not in bounds:
                defects.append(
                    defect(
                        "points_for_tricks",
                        side=name,
                        points=number,
                        tricks=tricks[name],
                        low=bounds.low,
                        high=bounds.high,
                    )
                )
        elif not tricks_allowing(game, number):
            defects.append(defect("points_never", side=name, points=number))
    if defects:
        raise impossible("impossible_points", defects, "points")


def _agree(given: Mapping[str, int], counted: Mapping[str, int], field: str) -> None:
    defects = [
        defect(f"list_{field}", side=name, given=given[name], counted=counted[name])
        for name in given
        if name in counted and given[name] != counted[name]
    ]
    if defects:
        raise impossible(f"impossible_{field}", defects, field)


def _read_trick_list(
    game: Game, value: object, sides: tuple[str, str], declarer: str | None
) -> Entry:
    """Read points and tricks from winners and values, trick by trick; every error names its trick.

    In the three-player game the first trick may hold the reserve's points or leave them out: what
    is missing to the total then goes to its winner.
    """
    rows = read_list(value, "trick_list")
    winners: list[str] = []
    values: list[int] = []
    for at, each in enumerate(rows):
        field = f"trick_list[{at}]"
        row = read_object(each, field)
        winners.append(_winner(game, row.get("winner"), sides, declarer, at))
        number = row.get("points")
        if isinstance(number, bool) or not isinstance(number, int):
            raise wrong(f"{field}.points (trick {at + 1})", "a whole number", number)
        values.append(number)
    defects = _trick_defects(game, values)
    reserve = 0
    if not defects and game.reserve_scores:
        reserve = _reserve_left_out(game, values)
    if not defects:
        defects = _list_defects(game, values, reserve)
    if defects:
        raise impossible("impossible_tricks", defects, "trick_list")
    points = dict.fromkeys(sides, 0)
    tricks = dict.fromkeys(sides, 0)
    for winner, number in zip(winners, values, strict=True):
        points[winner] += number
        tricks[winner] += 1
    points[winners[0]] += reserve
    return Entry(sides, points, tricks)


def _trick_defects(game: Game, values: list[int]) -> list[Defect]:
    """Return defects: a wrong number of tricks, and impossible values of single tricks."""
    defects = []
    if len(values) != game.tricks:
        missing = len(values) < game.tricks
        defects.append(
            defect(
                "list_missing" if missing else "list_extra",
                count=len(values),
                of=game.tricks,
                trick=len(values) + 1 if missing else game.tricks + 1,
            )
        )
    low = 1 if game.trick_point else 0
    for at, number in enumerate(values):
        high = side_bounds(game, 1, first_trick=at == 0 and game.reserve_scores).high
        if not low <= number <= high:
            defects.append(defect("trick_value", trick=at + 1, points=number, low=low, high=high))
    return defects


def _list_defects(game: Game, values: list[int], reserve: int) -> list[Defect]:
    """Return defects: a wrong sum, and tricks that the pack cannot yield together.

    An inner trick whose cards are already gone is named; a wrong sum without one names the last.
    """
    bounds = deal_bounds(game)
    total = sum(values) + reserve
    if not game.reserve_scores:
        at = first_impossible_trick(game, values)
        if at is not None and (at < len(values) - 1 or total in bounds):
            return [defect("trick_cards", trick=at + 1, points=values[at])]
    if total in bounds:
        return []
    wanted = game.total if game.total_is_exact else f"{bounds.low}–{bounds.high}"
    at = _where_the_sum_goes_wrong(game, values)
    return [
        defect(
            "list_sum",
            of=game.tricks,
            total=total,
            wanted=wanted,
            trick=at + 1,
            points=values[at],
        )
    ]


def _where_the_sum_goes_wrong(game: Game, values: list[int]) -> int:
    """Return the first trick (from 0) after which the total can no longer be reached."""
    bounds = deal_bounds(game)
    running = 0
    for at, number in enumerate(values):
        running += number
        rest = side_bounds(game, game.tricks - at - 1)
        if running + rest.low > bounds.high or running + rest.high < bounds.low:
            return at
    return len(values) - 1


def _reserve_left_out(game: Game, values: list[int]) -> int:
    """Return the reserve's points if the first trick was entered without them."""
    missing = game.total - sum(values)
    plain = side_bounds(game, 1, first_trick=False)
    most = side_bounds(game, 1, first_trick=True).high - plain.high
    return missing if 0 < missing <= most + 1 and values[0] <= plain.high else 0


def _winner(
    game: Game, value: object, sides: tuple[str, str], declarer: str | None, at: int
) -> str:
    """Return the side of a trick's winner, named by side or by player."""
    try:
        if isinstance(value, str):
            if value in sides:
                return value
            return game.side_of(value, declarer)
    except EngineError:
        pass  # refused below, with the trick's number
    raise Malformed(
        "unknown_side",
        f"trick {at + 1}: {value!r} is not a side of this deal: {', '.join(sides)}",
        f"trick_list[{at}].winner",
        {"side": repr(value), "allowed": list(sides)},
    )
