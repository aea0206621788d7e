"""The switches of an event: one entry for each row of rules specification A.7, and their reading.

A switch has a name, allowed values and a general default; each file of ``scoring/books/`` says which
it knows. Everything else is refused with the list of what is allowed, so that a misspelt setting
can never quietly leave the default in force.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from .duties import Beat, Ruff
from .errors import Malformed, shown
from .rulebook_edition import Rulebook, Sides, Switch

Read = Callable[[object], object]
"""Turns a JSON value into its canonical form; raises ``ValueError`` when it is not allowed."""


Duty = Callable[[object], Mapping[str, object]]
"""The duties of play that a value of a switch sets."""

INTEGER: Final = "<integer>"


def is_integer(value: object) -> bool:
    """Whether a JSON value is a whole number (``true`` is not one)."""
    return isinstance(value, int) and not isinstance(value, bool)


def one_of(*values: object) -> Read:
    """Return the reader of a closed list of values."""

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
    """Read a target: a number, ``{"deals"}`` or ``{"games", "of", "decider"?}``, all positive."""
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


def _choice(name: str, *values: object, duty: Duty | None = None) -> Switch:
    """Return a switch with a closed list of values, the default first."""
    return Switch(name, values, _fixed(values[0]), one_of(*values), duty)


def _default_target(book: Rulebook, players: int) -> object:
    """Return the book's own target; a number of deals is scaled so that all players deal equally often."""
    if isinstance(book.target, dict) and "deals" in book.target:
        return {"deals": book.target["deals"] * players // book.usual_players}
    return book.target


def tricks_in_play(book: Rulebook, players: int) -> int:
    """Return the number of tricks of a deal: the size of a hand."""
    return book.dealing[players].hand


def _muette_ruff(value: object) -> Mapping[str, object]:
    """Return the duties of ``muette_ruff``: without overruffing, under-ruffing is free (Q-001-1)."""
    if value == "OPPONENT_MASTER":
        return {"ruff": Ruff.OPPONENT_MASTER, "overruff": True}
    return {"ruff": Ruff(str(value)), "overruff": False, "under_ruff": True}


_FLAG: Final = (False, True)

SWITCHES: Final[tuple[Switch, ...]] = (
    Switch(
        "direction",
        ("CCW", "CW"),
        lambda book, _players: book.direction,
        one_of("CCW", "CW"),
    ),
    Switch(
        "target",
        (INTEGER, {"deals": INTEGER}, {"games": INTEGER, "of": INTEGER, "decider": INTEGER}),
        _default_target,
        _read_target,
    ),
    _choice("compose", "PRODUCT"),
    Switch(
        "max_factor",
        (None, "<integer ≥ 2>"),
        _fixed(None),
        _either(_read_none, _integer(2)),
    ),
    Switch(
        "max_marks",
        (None, "<integer ≥ 1>"),
        _fixed(None),
        _either(_read_none, _integer(1)),
    ),
    _choice("infinite_tap", *_FLAG),
    _choice("doubling_allowed", True, False),
    _choice("redoubling_allowed", True, False),
    _choice("blind_trump_allowed", True, False),
    Switch(
        "penalty_value",
        ("<integer ≥ 0>",),
        lambda book, _players: book.half,
        _integer(0),
    ),
    _choice("penalty_mode", "CREDIT_OPPONENTS", "DEBIT_OFFENDER"),
    _choice("penalty_multiplied", *_FLAG),
    _choice("penalty_floor", True, False),
    _choice("penalty_replaces_deal", True, False),
    _choice("bonus_survives_tie", True, False),
    _choice("bonus_survives_redeal", *_FLAG),
    _choice("tied_match", "DRAW", "EXTRA_DEALS"),
    _choice("two_cards", "OPPONENTS_CHOOSE", "LOWER"),
    _choice("failure_multiplied", True, False),
    Switch(
        "generale_value",
        ("GAME", "<integer ≥ 0>"),
        _fixed("GAME"),
        _either(one_of("GAME"), _integer(0)),
    ),
    _choice(
        "beat",
        "ALWAYS",
        "TRUMPS_ONLY",
        "NEVER",
        duty=lambda value: {"beat": Beat(str(value))},
    ),
    _choice("beat_partner", *_FLAG, duty=lambda value: {"beat_partner": value}),
    _choice(
        "ruff",
        "OPPONENT_MASTER",
        "ALWAYS",
        "OPTIONAL",
        duty=lambda value: {"ruff": Ruff(str(value))},
    ),
    _choice("overruff", True, False, duty=lambda value: {"overruff": value}),
    _choice("must_ruff_over_partner", *_FLAG, duty=lambda value: {"ruff_over_partner": value}),
    _choice(
        "cut_rule", "OPPONENT_MASTER", "LITERAL_003", duty=lambda value: {"ruff": Ruff(str(value))}
    ),
    _choice("nt_beat", True, False, duty=lambda value: {"beat_at_no_trump": value}),
    _choice(
        "under_ruff",
        "PERMITTED",
        "FORBIDDEN",
        duty=lambda value: {"under_ruff": value == "PERMITTED"},
    ),
    _choice(
        "muette_ruff",
        "OPTIONAL",
        "ALWAYS",
        "OPPONENT_MASTER",
        duty=_muette_ruff,
    ),
    _choice("sweep60", 30, 60),
    _choice("players", 4, 3, 5, 6, 7),
    Switch(
        "stakes",
        ("<list of integers ≥ 0, one for each number of cards exchanged>",),
        _fixed(None),
        _read_stakes,
    ),
    Switch(
        "minimum_bid",
        ("<integer ≥ 1>",),
        lambda _book, players: 15 if players > 4 else 21,
        _integer(1),
    ),
    Switch(
        "all_tricks_value",
        ("<integer ≥ 1>",),
        lambda book, players: 60 + tricks_in_play(book, players),
        _integer(1),
    ),
    _choice("double_all_tricks", *_FLAG),
    _choice("double_no_exchange", *_FLAG),
)
"""The table of A.7, in its order."""

NAMES: Final = frozenset(switch.name for switch in SWITCHES)


EARLIER_DEFAULTS: Final[Mapping[str, Mapping[str, object]]] = {"1": {"penalty_floor": False}}
"""By edition, the switches whose default has changed since, with the value they then had."""


def options_of_edition(edition: str, options: Mapping[str, object]) -> dict[str, object]:
    """Read the switches ``options`` of a game by the rules of the ``edition`` it was opened under.

    >>> options_of_edition("1", {"target": 100})
    {'penalty_floor': False, 'target': 100}
    """
    return {**EARLIER_DEFAULTS.get(edition, {}), **options}


def read_options(book: Rulebook, options: object) -> dict[str, object]:
    """Return every switch of ``book`` with its value from ``options`` or its default.

    Raises :class:`Malformed`: ``options`` (not an object), ``unknown_option``,
    ``option_not_of_rulebook``, ``option_value``; each lists what is allowed.
    """
    if options is None:
        options = {}
    if not isinstance(options, Mapping):
        raise Malformed("options", "options must be an object of switches", "options")
    given: dict[str, object] = {}
    for name, value in options.items():
        given[str(name)] = _read_switch(book, str(name), value)
    players = given.get("players")
    count = players if isinstance(players, int) else book.usual_players
    values = {
        switch.name: given[switch.name] if switch.name in given else switch.default(book, count)
        for switch in book.switches
    }
    _check_together(book, values, count)
    return values


def _read_switch(book: Rulebook, name: str, value: object) -> object:
    switch = next((each for each in book.switches if each.name == name), None)
    field = f"options.{name}"
    if switch is None:
        allowed = [each.name for each in book.switches]
        code = "option_not_of_rulebook" if name in NAMES else "unknown_option"
        what = f"is not a switch of {book.key}" if name in NAMES else "is not a switch"
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
    """Check switches against each other: enough stakes for the widow, whole rounds of deals.

    Raises:
        Malformed: ``option_value``, with the figures needed and given.
    """
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
    """Return a value as written in the input, shortened to one line."""
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
