"""The contract of a deal: who chose trump, how high, how often doubled, checked by rulebook.

Rules specification A.3 (ladders and calls) and A.4 (factors). A contract or a doubling that the
rulebook does not know is :class:`Illegal`; one that cannot be read is :class:`Malformed`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from .cards import SUITS, VALUES
from .errors import Illegal, Malformed
from .reading import Payload, read_object, wrong
from .rulebook import Game, require_trump_allowed
from .rulebook_edition import Bids, Exchange, Sides, TrumpChoice

GENERALE: Final = "generale"
ALL_TRICKS: Final = "all"

MOST_TAPS: Final = 10_000
"""Beyond this a number of taps is a slip of the keyboard, not a call."""

KEYS: Final = ("declarer", "player", "level", "trump", "doubling", "blind", "exchanged", "leader")


@dataclass(frozen=True, slots=True)
class Factor:
    """One multiplier: its kind, what it stands for and its value."""

    kind: str
    """``level``, ``no_trump``, ``blind``, ``doubling``, ``all_tricks`` or ``no_exchange``."""
    of: str
    value: int


@dataclass(frozen=True, slots=True)
class Contract:
    """A checked contract. ``declarer`` is a side, or a player in the auctions."""

    declarer: str | None = None
    level: int | str | None = None
    trump: str | None = None
    doubling: int = 0
    blind: bool = False
    exchanged: int | bool | None = None


def read_contract(
    game: Game, value: object, *, needed: bool, null_calls: Sequence[str] = ()
) -> Contract | None:
    """Read the contract of a deal; ``needed``: the result depends on it (no penalty replaces it).

    ``null_calls``: the sides whose call a ruling makes null. A call that is not allowed here may be
    written where it is one of them (C.5).

    ``None`` where it was left out and nothing needs it. Raises :class:`Malformed`
    (``missing_key``, ``malformed_value``, ``unknown_trump``, ``unknown_side``) and
    :class:`Illegal` (``unknown_contract``, ``unknown_doubling``, ``no_trump``, ``blind``).
    """
    if value is None:
        if needed and game.book.trump_choice is not TrumpChoice.TURN_UP:
            raise Malformed(
                "missing_key", "'contract' is missing: the marks depend on it", "contract"
            )
        return None
    raw = read_object(value, "contract")
    for key in raw:
        if key not in KEYS:
            raise Malformed(
                "unknown_key",
                f"{key!r} is not a part of a contract: {', '.join(KEYS)}",
                f"contract.{key}",
                {"allowed": list(KEYS)},
            )
    contract = Contract(
        declarer=_declarer(game, raw, needed),
        level=_level(game, raw.get("level"), needed),
        trump=_trump(game, raw, needed),
        doubling=_doubling(raw.get("doubling")),
        blind=_blind(game, raw.get("blind")),
        exchanged=_exchanged(game, raw.get("exchanged"), needed),
    )
    in_force = contract
    for side in null_calls:
        in_force = without_call(in_force, side)
    _require_doubling_allowed(game, in_force.doubling)
    return contract


def _declarer(game: Game, raw: Payload, needed: bool) -> str | None:
    value = raw.get("declarer")
    if value is None:
        required = bool(game.book.levels) or game.book.sides is Sides.DECLARER_ALONE
        if required and needed:
            raise Malformed("missing_key", "'contract.declarer' is missing", "contract.declarer")
        return None
    allowed = game.sides if game.fixed_sides else game.seats
    if isinstance(value, str):
        if value in allowed:
            return value
        if game.fixed_sides and value in game.seats:
            return game.side_of(value)
    raise Malformed(
        "unknown_side",
        f"{value!r} cannot be the declarer: {', '.join(allowed)}",
        "contract.declarer",
        {"side": repr(value), "allowed": list(allowed)},
    )


def _unknown_contract(game: Game, value: object, allowed: str) -> Illegal:
    return Illegal(
        "unknown_contract",
        f"{game.key} knows no contract of {value!r}; known: {allowed}",
        "contract.level",
        {"level": repr(value), "rulebook": game.key, "allowed": allowed},
    )


def _level(game: Game, value: object, needed: bool) -> int | str | None:
    ladder = game.book.levels
    bids = game.book.bids is not Bids.NONE
    if value is None:
        if bids and needed:
            raise Malformed("missing_key", "'contract.level' is missing", "contract.level")
        return None
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise wrong("contract.level", "a number or a word", value)
    if not bids:
        raise _unknown_contract(game, value, "none, nobody bids")
    if ladder:
        if value == GENERALE or value in ladder:
            return value
        raise _unknown_contract(game, value, ", ".join([*map(str, ladder), GENERALE]))
    least = game.number("minimum_bid")
    if value == ALL_TRICKS or (isinstance(value, int) and least <= value <= game.total):
        return value
    raise _unknown_contract(game, value, f"{least} to {game.total}, {ALL_TRICKS}")


def _trump(game: Game, raw: Payload, needed: bool) -> str | None:
    value = raw.get("trump")
    if value is None:
        if needed and game.book.no_trump_factor > 1 and raw.get("level") != GENERALE:
            raise Malformed("missing_key", "'contract.trump' is missing", "contract.trump")
        return None
    if value != "NT" and not (isinstance(value, str) and len(value) == 1 and value in SUITS):
        raise Malformed(
            "unknown_trump",
            f"{value!r} is not a trump: S, H, D, C or NT",
            "contract.trump",
            {"trump": repr(value)},
        )
    require_trump_allowed(game, value, "contract.trump")
    return str(value)


def _doubling(value: object) -> int:
    if value is None:
        return 0
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise wrong("contract.doubling", "how many times it was doubled (0, 1, 2, …)", value)
    if value > MOST_TAPS:
        raise wrong("contract.doubling", f"a number up to {MOST_TAPS}", value)
    return value


def _require_doubling_allowed(game: Game, value: int) -> None:
    most = game.max_doubling
    if most is not None and value > most:
        named = ", ".join(f"{call.count} {call.title}" for call in game.book.calls[:most])
        raise Illegal(
            "unknown_doubling",
            f"{game.key} allows a deal to be doubled at most {most} times here"
            f"{f' ({named})' if named else ''}, not {value}",
            "contract.doubling",
            {"doubling": value, "most": most, "rulebook": game.key},
        )


def without_call(contract: Contract, side: str) -> Contract:
    """Return ``contract`` without the last doubling of ``side`` and the doublings after it.

    The opponents call first (contre, cogné, tap), then the sides in turn. A single call of the
    declarers' own was the wrong side's. Where side or declarer is not known, the last call falls.
    """
    called = contract.doubling
    if not called:
        return contract
    last = called
    if side and contract.declarer:
        declarers = side == contract.declarer
        last = called if called % 2 == (0 if declarers else 1) else max(called - 1, 1)
    return replace(contract, doubling=last - 1)


def _blind(game: Game, value: object) -> bool:
    if value is None or value is False:
        return False
    if value is not True:
        raise wrong("contract.blind", "true or false", value)
    if game.options.get("blind_trump_allowed") is not True:
        raise Illegal(
            "blind",
            f"blind trump is not played here in {game.key}",
            "contract.blind",
            {"rulebook": game.key},
        )
    return True


def _exchanged(game: Game, value: object, needed: bool) -> int | bool | None:
    field = "contract.exchanged"
    if game.book.exchange is Exchange.COUNTED:
        if value is None:
            if needed and game.book.stakes:
                raise Malformed("missing_key", f"'{field}' is missing: how many cards", field)
            return None
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            raise wrong(field, "a number of cards", value)
        if value > game.widow_size:
            raise Illegal(
                "unknown_contract",
                f"{value} cards cannot be exchanged: the widow has {game.widow_size}",
                field,
                {"exchanged": value, "most": game.widow_size},
            )
        return value
    if game.book.exchange is Exchange.WHETHER:
        if value is None:
            if needed and game.flag("double_no_exchange"):
                raise Malformed("missing_key", f"'{field}' is missing: true or false", field)
            return None
        if not isinstance(value, bool):
            raise wrong(field, "true or false", value)
        return value
    if value is not None and value is not False:
        raise Illegal(
            "unknown_contract",
            f"no cards are exchanged in {game.key}",
            field,
            {"rulebook": game.key},
        )
    return None


def factors(game: Game, contract: Contract | None) -> list[Factor]:
    """Return the multipliers of a deal, in the order of reading aloud (A.4, Q-GEN-1)."""
    if contract is None:
        return []
    doublings = []
    level = contract.level
    if level == GENERALE:
        return []
    if isinstance(level, int) and level in game.book.levels:
        doublings.append(Factor("level", str(level), game.book.levels[level]))
    if contract.trump == "NT":
        doublings.append(Factor("no_trump", "", game.book.no_trump_factor))
    if contract.blind:
        doublings.append(Factor("blind", "", 2))
    if contract.doubling:
        calls = game.book.calls
        name = calls[min(contract.doubling, len(calls)) - 1].title
        of = name.msgid if contract.doubling <= len(calls) else f"{contract.doubling} taps"
        doublings.append(Factor("doubling", of, 2**contract.doubling))
    if level == ALL_TRICKS and game.flag("double_all_tricks"):
        doublings.append(Factor("all_tricks", "", 2))
    if contract.exchanged is False and game.flag("double_no_exchange"):
        doublings.append(Factor("no_exchange", "", 2))
    return [factor for factor in doublings if factor.value != 1]


def multiplied(game: Game, amount: int, parts: list[Factor]) -> tuple[int, int | None]:
    """Return ``amount`` × the product of ``parts``, and the cap (``max_factor``) if it was applied."""
    product = 1
    for factor in parts:
        product *= factor.value
    cap = game.options.get("max_factor")
    if isinstance(cap, int) and product > cap:
        return amount * cap, cap
    return amount * product, None


def most_marks(game: Game, *, doubled: bool = True) -> int | None:
    """Return the most marks that a deal gives both sides together without a penalty (A.4); ``None``: not bounded here.

    Bounded are pairs that count what is over half: nobody bids, and the times a deal is doubled have an
    end, or it is not ``doubled`` at all.

    >>> from .rulebook import resolve
    >>> most_marks(resolve("belgian")), most_marks(resolve("belgian"), doubled=False)
    (240, 60)
    """
    if not game.fixed_sides or game.book.levels:
        return None
    cap, doublings = game.options.get("max_factor"), game.max_doubling if doubled else 0
    blind = 2 if game.options.get("blind_trump_allowed") is True else 1
    if isinstance(cap, int) and doubled:
        factor = cap
    elif doublings is not None:
        factor = game.book.no_trump_factor * blind * 2**doublings
    else:
        return None
    # 60 may count 60 (Q-003, "sweep60"); the card turned up is worth 5 at most.
    excess = 60 if game.options.get("sweep60") == 60 else game.total - game.half
    marks = excess * factor
    most = game.options.get("max_marks")
    marks = min(marks, most) if isinstance(most, int) else marks
    return marks + (max(VALUES) if game.book.turn_up else 0)
