"""The switches of an event: one entry for each row of rules specification A.7, and their reading.

A switch is known by name, applies to some rulebooks, has a default for each of them and allowed
values. Everything that is not in this table is refused with the list of what is allowed, so that a
misspelt setting can never quietly leave the default in force.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from .errors import Malformed, shown
from .rulebook_edition import KEYS, Rulebook, Sides

Read = Callable[[object], object]
"""Turns a JSON value into its canonical form; raises ``ValueError`` when it is not allowed."""


@dataclass(frozen=True, slots=True)
class Switch:
    """One row of A.7.

    ``default`` gives the JSON default for a rulebook and a number of players; ``allowed`` is the
    list shown to people and programs (values, and descriptions in angle brackets).
    """

    name: str
    rulebooks: tuple[str, ...]
    allowed: tuple[object, ...]
    default: Callable[[Rulebook, int], object]
    read: Read


TURN_UP_BOOKS: Final = ("parlee", "boussac")
CALL_BOOKS: Final = (
    "chaloupee",
    "coinchee",
    "muette",
    "parlee-limited",
    "blind",
    "three-player",
    "belgian",
)
FACTOR_BOOKS: Final = (*CALL_BOOKS, "auction-3")
AUCTIONS: Final = ("auction-1", "auction-2", "auction-3")
DUTY_BOOKS: Final = ("parlee", "boussac", "chaloupee", "coinchee", "belgian")

INTEGER: Final = "<integer>"


def is_integer(value: object) -> bool:
    """Whether a JSON value is a whole number (``true`` is not one)."""
    return isinstance(value, int) and not isinstance(value, bool)


def _one_of(*values: object) -> Read:
    def read(value: object) -> object:
        for allowed in values:
            if value == allowed and type(value) is type(allowed):
                return allowed
        raise ValueError

    return read


def _integer(least: int) -> Read:
    def read(value: object) -> object:
        if is_integer(value) and isinstance(value, int) and value >= least:
            return value
        raise ValueError

    return read


def _either(first: Read, second: Read) -> Read:
    def read(value: object) -> object:
        try:
            return first(value)
        except ValueError:
            return second(value)

    return read


def _read_none(value: object) -> object:
    if value is None or value == "none":
        return None
    raise ValueError


def _read_target(value: object) -> object:
    """A number, ``{"deals"}`` or ``{"games", "of", "decider"?}``, all positive."""
    positive = _integer(1)
    if not isinstance(value, Mapping):
        return positive(value)
    keys = set(value)
    if keys == {"deals"}:
        return {"deals": positive(value["deals"])}
    if keys in ({"games", "of"}, {"games", "of", "decider"}):
        return {key: positive(value[key]) for key in ("games", "of", "decider") if key in keys}
    raise ValueError


def _read_stakes(value: object) -> object:
    whole = _integer(0)
    if isinstance(value, list | tuple) and value:
        return [whole(stake) for stake in value]
    raise ValueError


def _fixed(value: object) -> Callable[[Rulebook, int], object]:
    return lambda _book, _players: value


def _choice(name: str, rulebooks: tuple[str, ...], *values: object) -> Switch:
    """A switch with a closed list of values, the default first."""
    return Switch(name, rulebooks, values, _fixed(values[0]), _one_of(*values))


def _default_target(book: Rulebook, players: int) -> object:
    if book.key in AUCTIONS:
        return {"deals": 4 * players}
    return book.target


def tricks_in_play(book: Rulebook, players: int) -> int:
    """How many tricks a deal has: the size of a hand."""
    return book.dealing[players].hand


_FLAG: Final = (False, True)

SWITCHES: Final[tuple[Switch, ...]] = (
    Switch(
        "direction",
        KEYS,
        ("CCW", "CW"),
        lambda book, _players: book.direction,
        _one_of("CCW", "CW"),
    ),
    Switch(
        "target",
        KEYS,
        (INTEGER, {"deals": INTEGER}, {"games": INTEGER, "of": INTEGER, "decider": INTEGER}),
        _default_target,
        _read_target,
    ),
    _choice("compose", FACTOR_BOOKS, "PRODUCT"),
    Switch(
        "max_factor",
        FACTOR_BOOKS,
        (None, "<integer ≥ 2>"),
        _fixed(None),
        _either(_read_none, _integer(2)),
    ),
    _choice("infinite_tap", ("muette", "parlee-limited", "blind"), *_FLAG),
    _choice("doubling_allowed", CALL_BOOKS, True, False),
    _choice("redoubling_allowed", CALL_BOOKS, True, False),
    _choice("blind_trump_allowed", ("muette", "parlee-limited"), True, False),
    Switch(
        "penalty_value",
        KEYS,
        ("<integer ≥ 0>",),
        lambda book, _players: book.half,
        _integer(0),
    ),
    _choice("penalty_mode", KEYS, "CREDIT_OPPONENTS", "DEBIT_OFFENDER"),
    _choice("penalty_multiplied", KEYS, *_FLAG),
    _choice("penalty_floor", KEYS, True, False),
    _choice("penalty_replaces_deal", KEYS, True, False),
    _choice("bonus_survives_tie", TURN_UP_BOOKS, True, False),
    _choice("bonus_survives_redeal", TURN_UP_BOOKS, *_FLAG),
    _choice("tied_match", KEYS, "DRAW", "EXTRA_DEALS"),
    _choice("two_cards", KEYS, "OPPONENTS_CHOOSE", "LOWER"),
    _choice("failure_multiplied", ("chaloupee",), True, False),
    Switch(
        "generale_value",
        ("chaloupee",),
        ("GAME", "<integer ≥ 0>"),
        _fixed("GAME"),
        _either(_one_of("GAME"), _integer(0)),
    ),
    _choice("must_ruff_over_partner", DUTY_BOOKS, *_FLAG),
    _choice("cut_rule", ("coinchee",), "OPPONENT_MASTER", "LITERAL_003"),
    _choice("nt_beat", ("chaloupee", "coinchee", "belgian"), True, False),
    Switch(
        "under_ruff",
        (*DUTY_BOOKS, "muette", "parlee-limited"),
        ("PERMITTED", "FORBIDDEN"),
        lambda book, _players: "FORBIDDEN" if book.key == "belgian" else "PERMITTED",
        _one_of("PERMITTED", "FORBIDDEN"),
    ),
    _choice(
        "muette_ruff",
        ("muette", "parlee-limited", "three-player"),
        "OPTIONAL",
        "ALWAYS",
        "OPPONENT_MASTER",
    ),
    _choice("sweep60", ("muette", "parlee-limited", "belgian"), 30, 60),
    _choice("players", AUCTIONS, 4, 3, 5, 6, 7),
    Switch(
        "stakes",
        ("auction-1",),
        ("<list of integers ≥ 0, one for each number of cards exchanged>",),
        _fixed(None),
        _read_stakes,
    ),
    Switch(
        "minimum_bid",
        ("auction-2", "auction-3"),
        ("<integer ≥ 1>",),
        lambda _book, players: 15 if players > 4 else 21,
        _integer(1),
    ),
    Switch(
        "all_tricks_value",
        ("auction-2", "auction-3"),
        ("<integer ≥ 1>",),
        lambda book, players: 60 + tricks_in_play(book, players),
        _integer(1),
    ),
    _choice("double_all_tricks", ("auction-3",), *_FLAG),
    _choice("double_no_exchange", ("auction-3",), *_FLAG),
)
"""The table of A.7, in its order."""

BY_NAME: Final = {switch.name: switch for switch in SWITCHES}


EARLIER_DEFAULTS: Final[Mapping[str, Mapping[str, object]]] = {"1": {"penalty_floor": False}}
"""By edition, the switches whose default has changed since, with the value they then had."""


def options_of_edition(edition: str, options: Mapping[str, object]) -> dict[str, object]:
    """The switches ``options`` of a game opened under ``edition``, read as that edition read them.

    >>> options_of_edition("1", {"target": 100})
    {'penalty_floor': False, 'target': 100}
    """
    return {**EARLIER_DEFAULTS.get(edition, {}), **options}


def switches_of(key: str) -> tuple[Switch, ...]:
    """The switches that rulebook ``key`` knows, in the order of A.7."""
    return tuple(switch for switch in SWITCHES if key in switch.rulebooks)


def read_options(book: Rulebook, options: object) -> dict[str, object]:
    """Every switch of ``book`` with its value: those of ``options``, defaults elsewhere.

    Raises :class:`Malformed`: ``options`` (not an object), ``unknown_option``,
    ``option_not_of_rulebook``, ``option_value``; each lists what is allowed.
    """
    if options is None:
        options = {}
    if not isinstance(options, Mapping):
        raise Malformed("options", "options must be an object of switches", "options")
    known = switches_of(book.key)
    given: dict[str, object] = {}
    for name, value in options.items():
        given[str(name)] = _read_switch(book, str(name), value)
    players = given.get("players")
    count = players if isinstance(players, int) else book.usual_players
    values = {
        switch.name: given[switch.name] if switch.name in given else switch.default(book, count)
        for switch in known
    }
    _check_together(book, values, count)
    return values


def _read_switch(book: Rulebook, name: str, value: object) -> object:
    switch = BY_NAME.get(name)
    field = f"options.{name}"
    if switch is None or book.key not in switch.rulebooks:
        allowed = [each.name for each in switches_of(book.key)]
        code = "unknown_option" if switch is None else "option_not_of_rulebook"
        what = "is not a switch" if switch is None else f"is not a switch of {book.key}"
        raise Malformed(
            code,
            f"{name!r} {what}; allowed: {', '.join(allowed)}",
            field,
            {"option": name, "rulebook": book.key, "allowed": allowed},
        )
    try:
        return switch.read(value)
    except ValueError:
        raise Malformed(
            "option_value",
            f"{_given(value)} is not a value of {name}; allowed: {_listed(switch.allowed)}",
            field,
            {"option": name, "value": _given(value), "allowed": list(switch.allowed)},
        ) from None


def _check_together(book: Rulebook, values: Mapping[str, object], players: int) -> None:
    """What one switch asks of another: enough stakes for the widow, whole rounds of deals."""
    stakes = values.get("stakes")
    widow = book.dealing[players].widow
    if isinstance(stakes, list) and len(stakes) < widow + 1:
        raise Malformed(
            "option_value",
            f"stakes needs {widow + 1} amounts, for 0 to {widow} cards exchanged; "
            f"{len(stakes)} given",
            "options.stakes",
            {"option": "stakes", "needed": widow + 1, "given": len(stakes)},
        )
    target = values.get("target")
    if book.sides is not Sides.PAIRS:
        deals = target.get("deals") if isinstance(target, Mapping) else None
        if isinstance(deals, int) and deals % players:
            raise Malformed(
                "option_value",
                f"{deals} deals are not a multiple of the {players} players, who must all deal "
                "equally often",
                "options.target",
                {"option": "target", "deals": deals, "players": players},
            )


def _given(value: object) -> str:
    """A value as the input wrote it, as far as one line can show it."""
    return _shown(value) if value is None or isinstance(value, bool) else shown(value)


def _listed(values: tuple[object, ...]) -> str:
    return ", ".join(_shown(value) for value in values)


def _shown(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {_shown(each)}" for key, each in value.items()) + "}"
    return str(value)
