"""The commands of a rehearsal explain why they cannot continue."""

from __future__ import annotations

import pytest
from django.core.management import CommandError, call_command

from tests.programs import free_port
from tests.tournament.build import make_event
from tools.__main__ import main

pytestmark = pytest.mark.django_db


@pytest.mark.guide("operator#rehearsal")
def test_an_event_where_nobody_is_present_is_not_played_on() -> None:
    event = make_event(8, present=False)
    with pytest.raises(CommandError, match="round 1 could not be drawn: Too few players"):
        call_command("simulate", event.slug)


@pytest.mark.guide("operator#rehearsal")
def test_a_load_against_nobody_says_where_it_looked(capsys: pytest.CaptureFixture[str]) -> None:
    url = f"http://127.0.0.1:{free_port()}"
    assert main(["load", "--url", url, "--players", "8", "--rounds", "1", "--phones", "1"]) == 1
    assert f"do web and worker run at {url}, on this database" in capsys.readouterr().err


def test_an_unknown_tool_is_refused_with_the_names_of_all(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["lod"]) == main([]) == 2
    assert "load" in capsys.readouterr().err
