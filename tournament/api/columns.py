"""Shapes of columns, with the type, bounds, default and help of the model."""

from __future__ import annotations

from typing import Any, TypeVar

from django.db import models
from django.utils.translation import gettext as _
from rest_framework import serializers

from tournament.models.columns import Column, To
from tournament.models.events import require_day
from tournament.models.players import GIVEN, Given
from tournament.services.mail import is_offered

Row = TypeVar("Row", bound=models.Model)
AnyField = serializers.Field[Any, Any, Any, Any]


class AddressField(serializers.EmailField):
    """An e-mail address, taken only where this installation sends e-mail."""

    def to_internal_value(self, data: Any) -> str:
        """The address; without a mail server only an empty one."""
        address: str = super().to_internal_value(data)
        if address and not is_offered():
            raise serializers.ValidationError(_("This installation sends no e-mail."))
        return address


class ColumnsShape(serializers.ModelSerializer[Row]):
    """A shape of columns; how rows agree with each other is checked by the service."""

    usual = False
    """Whether a column left out of a new row has its default; otherwise every column is required."""
    serializer_field_mapping = {
        **serializers.ModelSerializer.serializer_field_mapping,
        models.EmailField: AddressField,
    }

    def build_standard_field(
        self, field_name: str, model_field: Column
    ) -> tuple[type[AnyField], dict[str, Any]]:
        """Build the field from the model, its default included; days are validated by the service."""
        kind, how = super().build_standard_field(field_name, model_field)
        how.pop("label", None)
        if "choices" in how or require_day in how.get("validators", ()):
            how.pop("validators", None)
        if how.pop("required", True) is False and self.usual:
            how["default"] = model_field.get_default()
        return kind, how

    def get_validators(self) -> list[Any]:
        """Return none: the service refuses."""
        return []


class GivenAsk(serializers.Serializer[Any]):
    """Fields of a player (:data:`~tournament.models.players.GIVEN`), followed by those of a shape."""

    leave_out: tuple[str, ...] = ()
    usual = False

    def get_fields(self) -> dict[str, AnyField]:
        """The fields of the shape after those of a player."""
        wanted = (each for each in GIVEN if each.goes(To.API) and each.key not in self.leave_out)
        return {**{each.key: self._field(each) for each in wanted}, **super().get_fields()}

    def _field(self, each: Given) -> AnyField:
        shape = ColumnsShape[Any]()
        shape.usual = self.usual
        kind, how = shape.build_standard_field(each.column.name, each.column)
        if each.part in ("partner", "club"):
            how |= {"allow_blank": True} | ({"default": ""} if self.usual else {})
        if each.key == "number" and self.usual:
            how |= {
                "default": None,
                "allow_null": True,
                "help_text": "Left out: the next free one.",
            }
        return kind(**how)
