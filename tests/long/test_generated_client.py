"""A client generated from the OpenAPI document runs an evening without hand-written JSON code."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from django.test import Client
from django.utils import timezone

from accounts import api_tokens
from accounts.models import Role
from config.wsgi import application
from ledger.jobs import work_on
from ledger.models import ORGANISATION
from tests.tournament.build import SYSTEM, grant, make_user
from tournament.models import Event
from tournament.tables.links import table_token

pytestmark = [pytest.mark.long, pytest.mark.django_db]
NAME = "manille_client"


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Generate the client package from the service's OpenAPI document."""
    place = tmp_path_factory.mktemp("client")
    document = place / "openapi.json"
    document.write_text(json.dumps(Client().get("/api/v1/openapi.json").json()))
    program = Path(sys.executable).with_name("openapi-python-client")
    command = [program, "generate", "--path", document, "--output-path", place / NAME]
    subprocess.run([*command, "--meta", "none"], check=True, capture_output=True, cwd=place)
    sys.path.insert(0, str(place))
    yield
    sys.path.remove(str(place))


def module(*names: str) -> Any:
    return importlib.import_module(".".join([NAME, *names]))


def shape(kind: str, /, **fields: Any) -> Any:
    """Return a body of a named type, built from plain values."""
    return getattr(module("models"), kind).from_dict(fields)


class Caller:
    """Operations by name, with an account's or a table's token; each returns the type in the document."""

    def __init__(self, *, token: str, prefix: str = "Bearer", **headers: str) -> None:
        self.client = module("client").AuthenticatedClient(
            base_url="http://testserver",
            token=token,
            prefix=prefix,
            headers=headers,
            httpx_args={"transport": httpx.WSGITransport(app=application)},
        )

    def do(self, group: str, operation: str, *place: Any, **more: Any) -> Any:
        act = module("api", group, operation)
        answer = act.sync_detailed(*place, client=self.client, **more)
        assert answer.status_code < 300, answer.content
        return answer.parsed


@pytest.fixture
def staff(generated: None) -> Caller:
    user = make_user("marie")
    grant(user, Role.ADMIN)
    _token, text = api_tokens.issue(
        user_id=user.pk, name="t", scope=ORGANISATION, may_write=True, days=1, actor=SYSTEM
    )
    return Caller(token=text)


@pytest.fixture
def opened(staff: Caller) -> Event:
    """Create an event of four players whose only round is published."""
    stage = {"name": "Evening", "format": "individual_draw", "rounds": 1, "games_per_round": 1}
    new = staff.do(
        "events",
        "events_open",
        body=shape(
            "NewEventAskRequest",
            name="Kaarting",
            day=timezone.localdate().isoformat(),
            rulebook="boussac",
            depth="tricks",
            stages=[{**stage, "deals_per_game": 2, "carries_over": False}],
        ),
    )
    event = Event.objects.get(slug=new.slug)
    for name in ("An", "Bo", "Cas", "Dré"):
        staff.do("events", "entrants_enter", new.slug, body=shape("EnterAskRequest", name=name))
    round_ = event.stages.get().rounds.get()
    job = staff.do("rounds", "rounds_draw", round_.pk, body=shape("DrawAskRequest"))
    work_on(job.id)
    draw = staff.do("rounds", "rounds_draws", round_.pk)[0]
    assert staff.do("draws", "draws_publish", draw.id).state == "published"
    return event


def test_an_evening_by_a_generated_client(staff: Caller, opened: Event) -> None:
    table = opened.stages.get().rounds.get().tables.get()
    at_table = Caller(token=table_token(table), prefix="Table", **{"X-Device": str(uuid.uuid4())})
    sheet = at_table.do("table", "sheets_list")[0]
    read = at_table.do("sheets", "sheets_read", sheet.id)
    for number in (1, 2):
        deal = shape(
            "DealsAppendAskRequest",
            key=str(uuid.uuid4()),
            number=number,
            version=read.version,
            sure="",
            played="in_play",
            entry={
                "dealer": read.next_dealer,
                "contract": {"trump": "H"},
                "turn_up": "KH",
                "points": {"NS": 41, "EW": 27},
                "tricks": {"NS": 5, "EW": 3},
            },
        )
        read = at_table.do("sheets", "deals_append", sheet.id, body=deal)
        assert read.deals[-1].entry.to_dict() == deal.entry.to_dict()
    for side in ("NS", "EW"):
        ask = shape("SheetsSignAskRequest", side=side, version=read.version)
        read = at_table.do("sheets", "sheets_sign", sheet.id, body=ask)
    assert read.state == "official"

    where = {"table": 1, "game": 1, "deal": 1, "told": "a club after all"}
    incident = staff.do(
        "events", "incidents_open", opened.slug, body=shape("IncidentsOpenAskRequest", **where)
    )
    tricks = [
        {"n": 1, "leader": "N", "plays": ["AC", "7D", "7C", "8C"]},
        {"n": 2, "leader": "N", "plays": ["10C", "9C", "JC", "QC"]},
    ]
    second = "W"
    proof = staff.do(
        "events",
        "incidents_prove",
        opened.slug,
        incident.number,
        body=shape(
            "AskProofRequest",
            trump="H",
            tricks=tricks,
            allegation={"trick": 1, "seat": second, "kind": "revoke"},
        ),
    )
    work_on(proof.id)
    proof = staff.do("events", "incidents_proof", opened.slug, incident.number, proof.id)
    assert proof.verdict == "guilty"
    facts = {"offender": second, "trick": 1, "noticed": "after_deal"}
    ruling = staff.do(
        "events",
        "incidents_rule",
        opened.slug,
        incident.number,
        body=shape(
            "IncidentsRuleAskRequest",
            article="001-R9a",
            facts=facts,
            proof=str(proof.id),
            against_record=["offender"],
        ),
    )
    assert ruling.article == "001-R9a"
