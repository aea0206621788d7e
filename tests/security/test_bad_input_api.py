"""Every operation of the API under generated requests: never a 5xx, never a partial write.

Schemathesis reads the service's own OpenAPI document and generates requests that fit it and requests that do not. Every
request goes to a hall in play, as one of its callers: each role of the event, the administrator, a director of another
event, the table's link, and an anonymous caller. Checked for each:

* no status of 500 or above, and no exception;

* status, content type and body match the operation's schema;

* a refusal (400 and above) leaves every row of the database as it was.

This module prints the figures of docs/security.md.
"""

from __future__ import annotations

import json
import os
import re
import uuid
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import quote

import pytest
import requests
import schemathesis
from django.core.cache import cache
from django.test import Client
from drf_spectacular.generators import SchemaGenerator
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.core import NOT_SET
from schemathesis.specs.openapi import checks

from accounts.models import Role
from tests.security.bodies import CALLS, NASTY, good, places, spoiled
from tests.security.hall import Hall, an_event_in_play, with_staff
from tests.security.state import Trial

pytestmark = [pytest.mark.long, pytest.mark.django_db]

INPUTS: Final = 10
"""Requests for each operation; on PostgreSQL (``tests/long/test_bad_input_postgresql.py``) there are fewer."""

CALLERS: Final = (*Role.values, "stranger", "table", "nobody")
HELD: Final = (
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_schema_conformance,
)


def described() -> dict[str, Any]:
    """Return the OpenAPI document as a client downloads it."""
    generated: dict[str, Any] = SchemaGenerator().get_schema(public=True)
    whole: dict[str, Any] = json.loads(json.dumps(generated, default=str))
    return whole


SCHEMA: Final = schemathesis.openapi.from_dict(described())
OPERATIONS: Final = [found.ok() for found in SCHEMA.get_all_operations()]


@dataclass
class Fuzzed:
    """The callers' clients, and the answers."""

    hall: Hall
    other: Hall
    clients: dict[str, Client]
    trial: Trial
    answers: Counter[int] = field(default_factory=Counter)

    def headers(self, caller: str) -> dict[str, str]:
        """Return the caller's own headers."""
        if caller != "table":
            return {}
        return {
            "Authorization": f"Table {self.hall.table_token}",
            "X-Device": str(uuid.UUID(int=7)),
        }


@pytest.fixture(scope="module")
def fuzzed(undone_hall: Hall) -> Fuzzed:
    """Create a hall with a client for each kind of caller."""
    other = with_staff(an_event_in_play("Other"), "other-")
    clients = {name: Client(raise_request_exception=True) for name in CALLERS}
    for role in Role.values:
        clients[role].force_login(undone_hall.staff[role])
    clients["stranger"].force_login(other.staff[Role.DIRECTOR])
    return Fuzzed(undone_hall, other, clients, Trial())


def body_of(data: st.DataObject, operation: Any, case: Any, hall: Hall, call: str) -> Any:
    """Return a body: the one generated from the schema, or a good body, intact or spoiled in one place."""
    seeds = [CALLS[call]] if call in CALLS else good(operation.path, hall)
    if not seeds or data.draw(st.integers(0, 3), label="as generated") == 0:
        return {} if case.body is NOT_SET else case.body
    body = data.draw(st.sampled_from(seeds), label="good body")
    if data.draw(st.integers(0, 5), label="as it is") == 0:
        return body
    where = data.draw(st.sampled_from(places(body)), label="place")
    value = data.draw(NASTY, label="value")
    return spoiled(body, where, value, leave_out=bool(where) and data.draw(st.booleans()))


def filled(operation: Any, values: dict[str, str]) -> str:
    """Return the operation's address with these values, escaped for a path."""
    return re.sub(
        r"\{(\w+)\}", lambda found: quote(str(values[found.group(1)]), safe=""), operation.path
    )


def path_values(data: st.DataObject, operation: Any, case: Any, fuzzed: Fuzzed) -> dict[str, Any]:
    """Return path values: mostly ids of the caller's hall, sometimes of the other hall or generated ones."""
    made = dict(case.path_parameters or {})
    whose = data.draw(st.sampled_from("oooooxg"), label="ids")
    if whose != "g":
        known = (fuzzed.hall if whose == "o" else fuzzed.other).values()
        made |= {name: known[name] for name in made if name in known and name != "call"}
    return made


@dataclass
class Said:
    """An answer in the form that the checks of schemathesis read."""

    status: int
    response: schemathesis.Response


def sent(data: st.DataObject, fuzzed: Fuzzed, operation: Any, case: Any) -> Said:
    """Send one request as one of the callers."""
    caller = data.draw(st.sampled_from(CALLERS), label="caller")
    values = path_values(data, operation, case, fuzzed)
    where, body = filled(operation, values), b""
    if "requestBody" in operation.definition.raw:
        made = body_of(data, operation, case, fuzzed.hall, str(values.get("call", "")))
        body = json.dumps(made, default=str).encode(errors="surrogatepass")
    query = {name: str(value) for name, value in (case.query or {}).items()}
    answer = fuzzed.clients[caller].generic(
        operation.method.upper(),
        where,
        body,
        content_type="application/json",
        headers=fuzzed.headers(caller),
        query_params=query,
    )
    return Said(
        answer.status_code,
        schemathesis.Response(
            status_code=answer.status_code,
            content=answer.content,
            elapsed=0.0,
            verify=False,
            headers={name: [value] for name, value in answer.items()},
            request=requests.Request(
                operation.method.upper(), f"http://testserver{where}"
            ).prepare(),
        ),
    )


def requests_of(operation: Any) -> st.SearchStrategy[Any]:
    """Return requests that fit the schema and, unless nothing can be wrong, requests that do not."""
    fitting = operation.as_strategy(generation_mode=GenerationMode.POSITIVE)
    if operation.method.upper() == "GET" and not len(operation.query):
        return fitting
    return st.one_of(fitting, operation.as_strategy(generation_mode=GenerationMode.NEGATIVE))


@pytest.mark.guide("security#bad-input", "security#security")
@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda found: found.label)
def test_no_request_breaks_it_or_leaves_half_of_itself(
    operation: Any, fuzzed: Fuzzed, told: Callable[[str], None]
) -> None:
    @seed(20261121)
    @settings(
        max_examples=int(os.environ.get("FUZZ_INPUTS", INPUTS)),
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
        print_blob=False,
    )
    @given(data=st.data())
    def every(data: st.DataObject) -> None:
        cache.clear()
        case = data.draw(requests_of(operation), label="case")
        with fuzzed.trial.undone():
            said = sent(data, fuzzed, operation, case)
            changed = fuzzed.trial.changed() if said.status >= 400 else []
        fuzzed.answers[said.status] += 1
        assert said.status < 500, said.response.text
        assert changed == []
        case.validate_response(said.response, checks=list(HELD))

    fuzzed.answers.clear()
    every()
    assert fuzzed.answers.total() > 0
    told(f"{operation.label}: {fuzzed.answers.total()} {dict(sorted(fuzzed.answers.items()))}")
