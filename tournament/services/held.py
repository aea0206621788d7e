"""Validation of a column's values by its model."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

from django.core.exceptions import ValidationError
from django.db.models import Model
from django.utils.translation import gettext_lazy as _

from ledger.errors import Refused
from tournament.lists.words import plain
from tournament.models.players import BY_KEY, GIVEN, Given, Value

_TOO_LONG: Final = {"name": "name_too_long", "partner": "name_too_long"}
_WRONG: Final = {"number": ("number_range", _("Start numbers run from 1 to 99999."))}
"""Refusals with codes of their own."""


def require_valid(row: Model, names: Collection[str]) -> None:
    """Refuse what these columns of a row cannot hold, naming the first of them."""
    others = [column.name for column in row._meta.concrete_fields if column.name not in names]
    try:
        row.clean_fields(exclude=others)
    except ValidationError as error:
        name = min(error.message_dict)
        raise Refused("wrong_value", " ".join(error.message_dict[name]), field=name) from error


def given_of(values: Mapping[str, Value]) -> dict[str, Value]:
    """Validate the values of a player for storage; :class:`Refused` for the first invalid one.

    The name of a club is cut where its column ends.
    """
    if unknown := set(values) - set(BY_KEY):
        raise Refused("unknown_field", _("This cannot be changed."), field=min(unknown))
    return {each.key: _value(each, values[each.key]) for each in GIVEN if each.key in values}


def _value(each: Given, value: Value) -> Value:
    if isinstance(value, str):
        value = plain(value)
    if each.key == "name" and not value:
        raise Refused("name_missing", _("Enter the player’s name."), field="name")
    if value in ("", None):
        return value
    most = each.column.max_length
    if most is not None and len(str(value)) > most:
        if each.key == "club":
            return str(value)[:most]
        raise Refused(
            _TOO_LONG.get(each.key, "too_long"),
            _("At most %(most)d characters."),
            field=each.key,
            params={"most": most},
        )
    try:
        each.column.run_validators(value)
    except ValidationError as error:
        code, text = _WRONG.get(each.key, ("wrong_value", " ".join(error.messages)))
        raise Refused(code, text, field=each.key) from error
    return value
