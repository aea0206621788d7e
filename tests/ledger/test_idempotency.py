"""A request that is sent twice has its effect once and gets the same answer."""

from __future__ import annotations

import uuid

import pytest

from accounts.models import User
from ledger.change import change
from ledger.idempotency import KeyReused
from ledger.idempotency import once as once_in_change

SCOPE = uuid.UUID("6c0c4f3e-5f0e-4d27-9a39-2f2f6d6b0003")


once = change()(once_in_change)


def make(name: str) -> dict[str, object]:
    return {"user": User.objects.create(username=name).pk}


@pytest.mark.django_db
def test_the_first_answer_is_given_again() -> None:
    first, repeated = once(scope=SCOPE, key="k1", request={"a": 1}, effect=lambda: make("x"))
    again, repeated_again = once(scope=SCOPE, key="k1", request={"a": 1}, effect=lambda: make("y"))
    assert (repeated, repeated_again) == (False, True)
    assert again == first
    assert not User.objects.filter(username="y").exists()


@pytest.mark.django_db
def test_a_key_is_for_one_request() -> None:
    once(scope=SCOPE, key="k1", request={"a": 1}, effect=lambda: make("x"))
    with pytest.raises(KeyReused):
        once(scope=SCOPE, key="k1", request={"a": 2}, effect=lambda: make("y"))


@pytest.mark.django_db
def test_scopes_have_keys_of_their_own() -> None:
    once(scope=SCOPE, key="k1", request=1, effect=lambda: make("x"))
    _answer, repeated = once(scope=uuid.uuid4(), key="k1", request=1, effect=lambda: make("y"))
    assert not repeated


@pytest.mark.django_db
def test_a_refused_effect_keeps_no_answer() -> None:
    def refuse() -> dict[str, object]:
        raise LookupError

    with pytest.raises(LookupError):
        once(scope=SCOPE, key="k1", request=1, effect=refuse)
    _answer, repeated = once(scope=SCOPE, key="k1", request=1, effect=lambda: make("x"))
    assert not repeated
