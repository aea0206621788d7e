"""Refusals of the members' register, field by field, and its clean-up of values."""

from __future__ import annotations

import pytest

from ledger.errors import Refused
from tests.tournament.build import SYSTEM
from tournament.models import Member
from tournament.services.members import add_member

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("values", "field"),
    [
        ({"name": "", "club": "De Reizigers"}, "name"),
        ({"name": "Ann", "email": "nowhere"}, "email"),
        ({"name": "", "email": "nowhere"}, "email"),
        ({"name": "Ann", "phone": "5" * 200}, "phone"),
        ({"name": "n" * 300}, "name"),
    ],
)
def test_a_member_that_cannot_be_is_refused_by_its_field(
    values: dict[str, str], field: str
) -> None:
    with pytest.raises(Refused) as refusal:
        add_member(actor=SYSTEM, values=values)
    assert (refusal.value.code, refusal.value.field) == ("wrong_value", field)
    assert str(refusal.value)
    assert not Member.objects.exists()
