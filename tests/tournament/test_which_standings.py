"""Standings in a document: those of a stage, of the current stage, or of the whole event."""

from __future__ import annotations

import pytest

from ledger.errors import Refused
from tests.tournament.build import chance, make_event
from tournament.demo.simulation import advance
from tournament.models import Event
from tournament.queries import papers
from tournament.queries.overall import has_overall, is_all_final, overall_of
from tournament.queries.standings import fresh
from tournament.services.events import new_stage

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
