"""The commands of a rehearsal explain why they cannot continue."""

from __future__ import annotations

import pytest
from django.core.management import CommandError, call_command

from tests.programs import free_port
from tests.tournament.build import make_event

pytestmark = pytest.mark.django_db


def test_an_event_where_nobody_is_present_is_not_played_on() -> None:
    event = make_event(8, present=False)
    with pytest.raises(CommandError, match="round 1 could not be drawn: Too few players"):
        call_command("simulate", event.slug)


def test_a_load_against_nobody_says_where_it_looked() -> None:
    url = f"http://127.0.0.1:{free_port()}"
    with pytest.raises(CommandError, match=f"do web and worker run at {url}, on this database"):
        call_command("load", url=url, players=8, rounds=1, phones=1)
