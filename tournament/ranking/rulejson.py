"""Ranking rule as plain JSON values, for storage, export and import by an event.

Numbers are JSON integers, or ``"n/d"`` strings where they are not whole; floats are refused. The
keys left out take the defaults of :class:`~tournament.ranking.model.Rule`.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from fractions import Fraction
from typing import TypeVar, cast

from scoring.texts import gettext_lazy as _
from tournament.ranking.clubs import ClubBy, ClubRule
from tournament.ranking.errors import CAP_TOO_SMALL, ONE_OF, BadRule
from tournament.ranking.model import (
    Cap,
    CapOn,
    Credit,
    CreditBy,
    Number,
    Outcome,
    Param,
    Rule,
    Use,
    Withdrawal,
    exact,
)
from tournament.ranking.ranking import read_criteria

_KEYS = ("criteria", "win", "draw", "loss", "cap", "bye", "sat_out", "withdrawn", "code")
Choice = TypeVar("Choice", bound=StrEnum)


def number_as_json(value: Number) -> int | str:
    """Write an integer, or ``"n/d"`` in lowest terms.

    >>> number_as_json(Fraction(4, 8)), number_as_json(Fraction(4, 2))
    ('1/2', 2)
    """
    whole = exact(value)
    return f"{whole.numerator}/{whole.denominator}" if isinstance(whole, Fraction) else whole


def number_from_json(value: object, key: str) -> Number:
    """Read a number; ``BadRule`` unless it is an integer or a string ``"n/d"``."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, str) and len(value) < 40:
        top, _slash, bottom = value.partition("/")
        if top.removeprefix("-").isdecimal() and (bottom or "1").isdecimal() and int(bottom or 1):
            return exact(Fraction(int(top), int(bottom or 1)))
    raise BadRule("not-exact", _("“{key}” must be a whole number or a fraction n/d."), key=key)


def rule_as_json(rule: Rule) -> dict[str, object]:
    """Return every field of the rule, defaults included, as JSON values."""
    return {
        "code": rule.code,
        "criteria": [
            {"code": used.code, "params": {name: _param(value) for name, value in used.params}}
            for used in rule.criteria
        ],
        "win": number_as_json(rule.win),
        "draw": number_as_json(rule.draw),
        "loss": number_as_json(rule.loss),
        "cap": None if rule.cap is None else {"amount": rule.cap.amount, "on": str(rule.cap.on)},
        "bye": _credit_as_json(rule.bye),
        "sat_out": _credit_as_json(rule.sat_out),
        "withdrawn": str(rule.withdrawn),
    }


def rule_from_json(given: Mapping[str, object]) -> Rule:
    """Read a rule; ``BadRule`` for an unknown key, a wrong value or an unusable criterion."""
    for key in given:
        if key not in _KEYS:
            raise BadRule("unknown-key", _("A ranking rule has no “{key}”."), key=key)
    plain = Rule(())
    rule = Rule(
        criteria=tuple(_use(entry) for entry in _list(given.get("criteria"), "criteria")),
        win=number_from_json(given.get("win", plain.win), "win"),
        draw=number_from_json(given.get("draw", plain.draw), "draw"),
        loss=number_from_json(given.get("loss", plain.loss), "loss"),
        cap=_cap(given.get("cap")),
        bye=_credit(given["bye"], "bye") if "bye" in given else plain.bye,
        sat_out=_credit(given["sat_out"], "sat_out") if "sat_out" in given else plain.sat_out,
        withdrawn=_choice(Withdrawal, given.get("withdrawn", plain.withdrawn), "withdrawn"),
        code=_text(given.get("code", ""), "code"),
    )
    read_criteria(rule)
    return rule


def club_rule_as_json(rule: ClubRule) -> dict[str, object]:
    """Return the club rule as plain values."""
    return {"by": str(rule.by), "best": rule.best, "least": rule.least}


def club_rule_from_json(given: Mapping[str, object]) -> ClubRule:
    """Read a club rule; ``BadRule`` for an unknown key, a wrong value or less than one member."""
    for key in given:
        if key not in ("by", "best", "least"):
            raise BadRule("unknown-key", _("A club rule has no “{key}”."), key=key)
    best = given.get("best")
    rule = ClubRule(
        by=_choice(ClubBy, given.get("by", ClubBy.PERCENTAGE), "by"),
        best=None if best is None else _int(best, "best"),
        least=_int(given.get("least", 1), "least"),
    )
    if rule.least < 1 or (rule.best is not None and rule.best < 1):
        raise BadRule("club-members", _("At least one member must count."))
    return rule


def _param(value: Param) -> object:
    if isinstance(value, tuple):
        return list(value)
    return value if isinstance(value, str) else number_as_json(value)


def _use(entry: object) -> Use:
    if isinstance(entry, str):
        return Use(entry)
    table = _table(entry, "criteria")
    if set(table) - {"code", "params"}:
        raise BadRule(
            "unknown-key",
            _("A criterion is a code and its parameters (“params”), nothing else."),
            key="criteria",
        )
    params: dict[str, Param] = {}
    for name, value in _table(table.get("params", {}), "params").items():
        if isinstance(value, list):
            params[name] = tuple(_int(item, name) for item in value)
        elif isinstance(value, str) and not value[:1].lstrip("-").isdecimal():
            params[name] = value
        else:
            params[name] = number_from_json(value, name)
    return Use(_text(table.get("code"), "code"), tuple(sorted(params.items())))


def _cap(entry: object) -> Cap | None:
    if entry is None:
        return None
    table = _table(entry, "cap")
    cap = Cap(_int(table.get("amount"), "cap"), _choice(CapOn, table.get("on", "net"), "cap"))
    if cap.amount < 1:
        raise BadRule("cap", CAP_TOO_SMALL, amount=cap.amount)
    return cap


def _credit(entry: object, key: str) -> Credit:
    table = _table(entry, key)
    outcome = table.get("outcome")
    return Credit(
        by=_choice(CreditBy, table.get("by"), key),
        outcome=None if outcome is None else _choice(Outcome, outcome, key),
        marks=number_from_json(table.get("marks", 0), key),
        net=number_from_json(table.get("net", 0), key),
    )


def _credit_as_json(credit: Credit) -> dict[str, object]:
    return {
        "by": str(credit.by),
        "outcome": None if credit.outcome is None else str(credit.outcome),
        "marks": number_as_json(credit.marks),
        "net": number_as_json(credit.net),
    }


def _table(value: object, key: str) -> Mapping[str, object]:
    if not isinstance(value, Mapping):
        raise BadRule("not-a-table", _("“{key}” must be a table of named values."), key=key)
    return cast("Mapping[str, object]", value)


def _list(value: object, key: str) -> list[object]:
    if not isinstance(value, list):
        raise BadRule("not-a-list", _("“{key}” must be a list."), key=key)
    return cast("list[object]", value)


def _text(value: object, key: str) -> str:
    if not isinstance(value, str):
        raise BadRule("not-a-text", _("“{key}” must be a text."), key=key)
    return value


def _int(value: object, key: str) -> int:
    number = number_from_json(value, key)
    if not isinstance(number, int):
        raise BadRule("not-whole", _("“{key}” must be a whole number."), key=key)
    return number


def _choice(kind: type[Choice], value: object, key: str) -> Choice:
    for member in kind:
        if member == value:
            return member
    options = ", ".join(kind)
    raise BadRule("unknown-choice", ONE_OF, key=key, options=options)
