"""Standings in a document: those of a stage, of the current stage, or of the whole event."""

from __future__ import annotations

import pytest
from django.test import Client

from ledger.errors import Refused
from tests.tournament.build import SYSTEM, chance, make_event
from tests.tournament.desk import text_of
from tests.tournament.documents.reading import page_texts
from tests.tournament.results import first_side_wins
from tests.tournament.test_stages import event_of, publish_next
from tournament.demo.simulation import advance
from tournament.models import Event
from tournament.queries import papers
from tournament.queries.overall import has_overall, is_all_final, overall_of
from tournament.queries.pages import standings_of
from tournament.queries.standings import fresh
from tournament.services.events import new_stage
from tournament.services.rounds import close_round, reopen_round

pytestmark = pytest.mark.django_db


def printed(event: Event, parameters: papers.Parameters) -> tuple[str, str]:
    """Return the fingerprint and the state on a document."""
    return papers.standings(event, parameters, "en", "a4")[1:]


def test_a_document_holds_the_standings_that_were_asked_for() -> None:
    plan = [
        new_stage("Rounds", rounds=1, games_per_round=1, deals_per_game=1, cut={"top": 4}),
        new_stage("Final", rounds=1, games_per_round=1, deals_per_game=1),
    ]
    event = make_event(8, plan=plan)
    luck = chance("documents")
    assert not has_overall(event)
    advance(event, luck)
    first, final = event.stages.order_by("order")
    # While one stage gives all places, its own standings are complete.
    assert printed(event, {"stage": 0}) == printed(event, {}) == (fresh(first).hash, "provisional")
    advance(event, luck)
    event.refresh_from_db()
    whole = overall_of(event)
    assert (whole.several, has_overall(event), is_all_final(event)) == (True, True, False)
    assert printed(event, {"stage": 0}) == (whole.hash, "provisional")
    assert printed(event, {"stage": 1})[0] == fresh(first).hash
    assert printed(event, {"stage": 2}) == printed(event, {})
    assert printed(event, {})[0] == fresh(final).hash
    assert len({whole.hash, fresh(first).hash, fresh(final).hash}) == 3
    with pytest.raises(Refused) as refused:
        printed(event, {"stage": 3})
    assert (refused.value.code, refused.value.field) == ("no_such_stage", "stage")


def test_provisional_standings_name_the_round_in_play_that_they_count() -> None:
    event = event_of(8, "pairs_swiss", rounds=2)
    stage = event.stages.get()
    first = publish_next(event)
    reader = Client(headers={"accept-language": "en"})
    address = f"/e/{event.slug}/standings/"
    said = "with the tables signed in the round in play"
    assert said not in text_of(reader, address)
    for table in first.round.tables.order_by("number"):
        first_side_wins(table.sheets.get())
        assert said in text_of(reader, address)
        assert standings_of(stage).in_play
    close_round(round_id=first.round_id, actor=SYSTEM)
    text = text_of(reader, address)
    assert (said in text, "after 1 round" in text) == (False, True)
    reopen_round(round_id=first.round_id, actor=SYSTEM, reason="a wrong result")
    text = text_of(reader, address)
    assert (said in text, "after 1 round" in text) == (True, False)
    sheet = papers.standings(event, {}, "en", "a4")[0]
    assert said in " ".join(page_texts(sheet)[0].split())
