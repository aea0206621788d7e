"""One function for each clause by which a deal is marked; each gives its itemised lines.

The sentence of a line is English here (the interface's own wording) and made again in any language
by :mod:`~scoring.engine.speech` from ``params``. The lines of a side add up to its marks.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from .bounds import tricks_allowing
from .cards import VALUES, format_card
from .errors import Malformed
from .rulebook import Game
from .score_contract import ALL_TRICKS, Contract, Factor, factors, multiplied
from .score_entry import Entry
from .score_infractions import Infraction, amount
from .shapes import LineJson


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """One clause applied: ``marks`` to ``side`` (``None``: to no side), and the figures behind it."""

    clause: str
    side: str | None
    marks: int
    params: Mapping[str, object] = field(default_factory=dict)
    component: str = "deal"
    """Component of the score: ``turn_up``, ``penalty`` or ``deal`` (Q-GEN-6)."""

    @classmethod
    def from_json(cls, raw: LineJson) -> ScoreLine:
        """Return a line as :meth:`~scoring.engine.score.line_json` wrote it."""
        return cls(
            raw["clause"],
            raw["side"],
            raw["marks"],
            raw.get("params", {}),
            raw.get("component", "deal"),
        )


def marks_by_component(lines: Iterable[ScoreLine]) -> dict[str, dict[str, int]]:
    """Return the marks by time of writing, as a match counts them: turn_up, penalty, deal."""
    parts: dict[str, dict[str, int]] = {"turn_up": {}, "penalty": {}, "deal": {}}
    for line in lines:
        if line.side and line.marks:
            part = parts[line.component]
            part[line.side] = part.get(line.side, 0) + line.marks
    return parts


def _factor_params(parts: list[Factor], cap: int | None) -> dict[str, object]:
    params: dict[str, object] = {
        "factors": [{"kind": part.kind, "of": part.of, "value": part.value} for part in parts]
    }
    if cap is not None:
        params["cap"] = cap
    return params


def _worth(game: Game, difference: int, parts: list[Factor]) -> tuple[int, dict[str, object]]:
    """Return the marks of a difference within the most that a deal counts, and how they come about."""
    marks, cap = multiplied(game, difference, parts)
    params = _factor_params(parts, cap)
    most = game.options.get("max_marks")
    if isinstance(most, int) and marks > most:
        return most, {**params, "most": most}
    return marks, params


def turn_up(game: Game, card: int, side: str, *, cancelled: str | None) -> ScoreLine:
    """Mark the value of the card turned up for the dealer's side (000 "prime", 001)."""
    value = VALUES[card]
    params: dict[str, object] = {"card": format_card(card), "value": value}
    if cancelled is None:
        return ScoreLine("turn_up", side, value, params, "turn_up")
    params["why"] = cancelled
    return ScoreLine("turn_up_cancelled", side, 0, params, "turn_up")


def over_half(game: Game, entry: Entry, contract: Contract | None) -> list[ScoreLine]:
    """Mark the excess of the side over half, times the factors (000, 001, 003, 004; A.4)."""
    first, second = entry.sides
    excess = entry.points[first] - game.half
    if excess == 0:
        return [ScoreLine("deal_tied", None, 0, {"points": game.half})]
    winner = first if excess > 0 else second
    parts = factors(game, contract)
    points = entry.points[winner]
    difference = points - game.half
    clause = "deal_won"
    if game.options.get("sweep60") == 60 and points == game.total:
        swept = entry.swept_by(game)
        if not entry.tricks:
            raise Malformed(
                "missing_key",
                "'tricks' is missing: a 60 counts 60 only when no trick at all was lost",
                "tricks",
            )
        if swept == winner:
            difference, clause = 60, "sweep"
    marks, reckoned = _worth(game, difference, parts)
    params = {"points": points, "mark": game.half, "difference": difference, **reckoned}
    return [ScoreLine(clause, winner, marks, params)]


def contract_result(game: Game, entry: Entry, contract: Contract) -> list[ScoreLine]:
    """Mark (points − contract) × the level's factor for the side favoured by the difference (002)."""
    declarer, level = contract.declarer, contract.level
    assert declarer is not None  # noqa: S101  read_contract asked for it
    assert isinstance(level, int)  # noqa: S101  read_contract asked for both
    opponents = game.other_side(declarer)
    points = entry.points[declarer]
    difference = points - level
    if difference == 0:
        return [ScoreLine("contract_tied", None, 0, {"points": points, "mark": level})]
    parts = factors(game, contract)
    if difference < 0 and game.options.get("failure_multiplied") is False:
        # Q-002-1 read to the letter: "cette différence" is the bare one; no trump and cogné
        # multiply "les points obtenus" by whichever side.
        parts = [part for part in parts if part.kind != "level"]
    marks, reckoned = _worth(game, abs(difference), parts)
    params = {"points": points, "mark": level, "difference": abs(difference), **reckoned}
    if difference > 0:
        return [ScoreLine("contract_made", declarer, marks, params)]
    return [ScoreLine("contract_failed", opponents, marks, params)]


def generale(game: Game, entry: Entry, contract: Contract) -> list[ScoreLine]:
    """Score all tricks made or failed: "vaut pour une manche complète" (002; Q-002-2)."""
    declarer = contract.declarer
    assert declarer is not None  # noqa: S101  read_contract asked for it
    tricks = entry.tricks.get(declarer)
    if tricks is not None:
        is_made = tricks == game.tricks
    elif declarer in entry.points:
        is_made = entry.points[declarer] == game.total  # 68 cannot be had with seven tricks
    else:
        raise Malformed(
            "missing_key", "'tricks' (or 'points') is missing: was every trick won?", "tricks"
        )
    winner = declarer if is_made else game.other_side(declarer)
    value = game.options.get("generale_value")
    marks = value if isinstance(value, int) else 0
    params: dict[str, object] = {"value": value}
    if tricks is not None:
        params["tricks"] = tricks
    return [ScoreLine("generale_made" if is_made else "generale_failed", winner, marks, params)]


def stake(game: Game, entry: Entry, contract: Contract) -> list[ScoreLine]:
    """Mark the stake for the cards exchanged, from or to each opponent (004 auction (1))."""
    declarer = contract.declarer
    assert declarer is not None  # noqa: S101  read_contract asked for it
    needed = 15 if game.players > 4 else 21
    points = entry.points[declarer]
    return _stake_lines(
        game,
        declarer,
        contract,
        won=points >= needed,
        clauses=("stake_won", "stake_lost"),
        params={"points": points, "mark": needed},
    )


def _stake_lines(
    game: Game,
    payer: str,
    contract: Contract,
    *,
    won: bool,
    clauses: tuple[str, str],
    params: Mapping[str, object],
    component: str = "deal",
) -> list[ScoreLine]:
    exchanged = contract.exchanged
    assert isinstance(exchanged, int)  # noqa: S101  read_contract asked for it
    each = game.stakes[exchanged]
    others = [seat for seat in game.seats if seat != payer]
    sign = 1 if won else -1
    facts = {**params, "exchanged": int(exchanged), "stake": each, "others": len(others)}
    clause = clauses[0] if won else clauses[1]
    lines = [ScoreLine(clause, payer, sign * each * len(others), facts, component)]
    share = "stake_paid" if won else "stake_received"
    lines += [
        ScoreLine(share, seat, -sign * each, {"stake": each, "player": payer}, component)
        for seat in others
    ]
    return lines


def bid_result(game: Game, entry: Entry, contract: Contract) -> list[ScoreLine]:
    """Mark the amount of the bid as gained or lost by the bidder (004 auctions (2) and (3))."""
    declarer = contract.declarer
    assert declarer is not None  # noqa: S101  read_contract asked for it
    params: dict[str, object] = {}
    if contract.level == ALL_TRICKS:
        tricks = all_tricks_known(game, entry, declarer)
        taken = tricks
    else:
        assert isinstance(contract.level, int)  # noqa: S101  the level is a number or "all"
        points = entry.points.get(declarer)
        if points is None:
            raise Malformed(
                "missing_key", "the declarer's points are missing", f"points.{declarer}"
            )
        params["points"] = points
        taken = points >= contract.level
    marks, more = _bid_amount(game, contract)
    params.update(more)
    clause = "bid_made" if taken else "bid_failed"
    return [ScoreLine(clause, declarer, marks if taken else -marks, params)]


def _bid_amount(game: Game, contract: Contract) -> tuple[int, dict[str, object]]:
    level = contract.level
    bid = game.number("all_tricks_value") if level == ALL_TRICKS else level
    assert isinstance(bid, int)  # noqa: S101  a number by read_contract
    parts = factors(game, contract)
    marks, cap = multiplied(game, bid, parts)
    return marks, {"bid": level, "amount": bid, **_factor_params(parts, cap)}


def all_tricks_known(game: Game, entry: Entry, declarer: str) -> bool:
    """Whether the declarer won every trick, by tricks or, where they decide it, by points."""
    if declarer in entry.tricks:
        return entry.tricks[declarer] == game.tricks
    if declarer in entry.points:
        possible = tricks_allowing(game, entry.points[declarer])
        if possible == [game.tricks]:
            return True
        if game.tricks not in possible:
            return False
    raise Malformed("missing_key", "'tricks' is missing: was every trick won?", "tricks")


def penalty(game: Game, infraction: Infraction, contract: Contract | None) -> list[ScoreLine]:
    """Mark the penalty, for the opponents or against the offenders (Q-GEN-2, Q-GEN-3)."""
    parts = factors(game, contract) if game.flag("penalty_multiplied") else []
    marks, cap = multiplied(game, amount(game, infraction), parts)
    params = {
        "article": infraction.article.id,
        "offender": infraction.side,
        "amount": amount(game, infraction),
        **_factor_params(parts, cap),
    }
    if game.options["penalty_mode"] == "DEBIT_OFFENDER":
        return [ScoreLine("penalty_debit", infraction.side, -marks, params, "penalty")]
    if game.fixed_sides:
        other = game.other_side(infraction.side)
        return [ScoreLine("penalty", other, marks, params, "penalty")]
    declarer = contract.declarer if contract is not None else None
    if infraction.pays_for_all(declarer):
        return [
            ScoreLine("penalty_debit", infraction.side, -marks, params, "penalty"),
            ScoreLine("penalty", declarer, marks, params, "penalty"),
        ]
    return [
        ScoreLine("penalty", seat, marks, params, "penalty")
        for seat in game.seats
        if seat != infraction.side
    ]


def floor(
    game: Game,
    penalties: Mapping[str, Infraction],
    ruled: list[ScoreLine],
    played: list[ScoreLine],
    declarer: str | None = None,
) -> list[ScoreLine]:
    """Raise the side not at fault to its marks of the deal as ``played`` (``penalty_floor``, C.8).

    ``ruled``: the lines of ``penalties``; those of a side that keeps its result fall away. A stake
    of auction (1) that is kept is paid by the offender, as every stake is paid by somebody. Defenders
    keep nothing where one of them pays for all.
    """
    lines = list(ruled)
    fellow_at_fault = any(each.pays_for_all(declarer) for each in penalties.values())
    for line in played:
        side = line.side
        if side is None or side in penalties or (fellow_at_fault and side != declarer):
            continue
        given = sum(each.marks for each in ruled if each.side == side)
        whole_game = line.params.get("value") == "GAME"
        if line.marks <= given and not whole_game:
            continue
        infraction = next(iter(penalties.values()))
        params: dict[str, object] = {
            "article": infraction.article.id,
            "offender": infraction.side,
            "amount": amount(game, infraction),
            "played": {"clause": line.clause, "params": dict(line.params)},
        }
        if whole_game:
            params["value"] = "GAME"
        lines = [each for each in lines if each.side != side]
        lines.append(ScoreLine("penalty_floor", side, line.marks, params, "penalty"))
        if game.book.stakes:
            more = {"player": side, "stake": line.marks - given}
            lines.append(
                ScoreLine("stake_kept", infraction.side, given - line.marks, more, "penalty")
            )
    return lines


def void_hand(game: Game, infraction: Infraction, contract: Contract) -> list[ScoreLine]:
    """Void the hand in an auction: the offender pays as for a failed contract (B.3 (R)).

    C.8: a defender pays it all to the declarer, and the other defenders mark nothing.
    """
    params: dict[str, object] = {"article": infraction.article.id, "offender": infraction.side}
    if game.book.stakes:
        lines = _stake_lines(
            game,
            infraction.side,
            contract,
            won=False,
            clauses=("", "void_hand_stake"),
            params=params,
            component="penalty",
        )
        declarer = contract.declarer
        if not infraction.pays_for_all(declarer):
            return lines
        paid = -lines[0].marks
        to_declarer = {"stake": paid, "player": infraction.side}
        return [
            replace(lines[0], clause="void_hand_alone"),
            ScoreLine("stake_received", declarer, paid, to_declarer, "penalty"),
        ]
    marks, more = _bid_amount(game, contract)
    return [ScoreLine("void_hand", infraction.side, -marks, {**params, **more}, "penalty")]
