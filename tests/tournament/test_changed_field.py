"""A change of qualifiers while the next stage runs: shown on the director's desk until it is settled."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import Role
from ledger.errors import Conflict, Refused
from tests.adjudication.build import enter, sheet_at, sign
from tests.tournament.build import SYSTEM, make_event, make_user
from tournament.demo.simulation import draw_and_publish
from tournament.models import Event, Stage
from tournament.queries import standings
from tournament.queries.changed_field import changed_field
from tournament.services import adjustments, entrants, reseating, rounds, stages
from tournament.services.adjustments import Amount
from tournament.services.events import new_stage
from tournament.services.standings import set_state

pytestmark = pytest.mark.django_db


def opened() -> tuple[Event, Stage, Stage]:
    """Play a round of twelve; four qualified for the final."""
    plan = [
        new_stage("Rounds", rounds=1, deals_per_game=1, cut={"top": 4, "tie": "lots"}),
        new_stage("Final", rounds=1, deals_per_game=1),
    ]
    event = make_event(12, plan=plan, rulebook="parlee")
    round_ = draw_and_publish(event.stages.get(order=1).rounds.get(), SYSTEM)
    for table in (1, 2, 3):
        for game in (1, 2, 3):
            sign(enter(sheet_at(round_, table, game), 34 + 3 * table + game))
    rounds.close_round(round_id=round_.pk, actor=SYSTEM)
    first, final = event.stages.order_by("order")
    stages.draw_lots(stage_id=first.pk, actor=SYSTEM)
    stages.open_next_stage(stage_id=first.pk, actor=SYSTEM)
    event.refresh_from_db()
    return event, first, final


def punished(event: Event, first: Stage, final: Stage) -> int:
    """Take all games from the best of the finalists. Return their start number."""
    place = final.field.select_related("entrant").order_by("seed").first()
    assert place is not None
    adjustments.adjust(
        stage_id=first.pk,
        source="ruling:1",
        reason="T-INT",
        actor=SYSTEM,
        amounts=[Amount(place.entrant_id, marks=-500, games_won=-3)],
    )
    event.refresh_from_db()
    return place.entrant.number


def desk(client: Client, event: Event) -> str:
    return client.get(reverse("desk-event", args=[event.slug])).content.decode()


@pytest.mark.guide("director#from-stage-to-stage")
def test_the_desk_shows_it_until_the_director_lets_the_field_stand(client: Client) -> None:
    event, first, final = opened()
    client.force_login(make_user("director", event, Role.DIRECTOR))
    assert changed_field(event) is None
    assert "changed-field" not in desk(client, event)
    cut = client.get(reverse("desk-cut", args=[event.slug, 1])).content.decode()
    assert f"They are in {final.title}." in cut
    assert 'value="open"' not in cut
    number = punished(event, first, final)
    found = changed_field(event)
    assert found is not None
    assert (found.loses, len(found.gains), found.begun) == ((number,), 1, False)
    client.cookies["django_language"] = "fr"
    page = desk(client, event)
    assert "Le classement a changé" in page
    assert reverse("desk-cut", args=[event.slug, 1]) in page
    client.cookies["django_language"] = "en"
    stand = reverse("desk-stage-next", args=[event.slug, 1])
    client.post(stand, {"verb": "stand", "reason": " "})
    assert "changed-field" in desk(client, event), "it wants a reason"
    answer = client.post(stand, {"verb": "stand", "reason": "the final is half played"})
    assert answer["Location"] == reverse("desk-event", args=[event.slug])
    assert "changed-field" not in desk(client, event)
    # Another change raises another question.
    adjustments.annul(source="ruling:1", actor=SYSTEM, reason="was not them")
    event.refresh_from_db()
    assert changed_field(event) is None
    second = final.field.select_related("entrant").order_by("seed")[1].entrant
    adjustments.adjust(
        stage_id=first.pk,
        source="ruling:2",
        reason="T-INT",
        actor=SYSTEM,
        amounts=[Amount(second.pk, marks=-500, games_won=-3)],
    )
    event.refresh_from_db()
    assert "changed-field" in desk(client, event)


@pytest.mark.guide("director#from-stage-to-stage")
def test_taking_the_field_anew_settles_it() -> None:
    event, first, final = opened()
    number = punished(event, first, final)
    stages.open_next_stage(stage_id=first.pk, actor=SYSTEM)
    event.refresh_from_db()
    assert changed_field(event) is None
    assert not final.field.filter(entrant__number=number).exists()
    with pytest.raises(Conflict) as refusal:
        stages.let_field_stand(stage_id=first.pk, reason="why not", actor=SYSTEM)
    assert refusal.value.code == "field_same"


@pytest.mark.guide("director#from-stage-to-stage")
def test_exchanging_the_players_settles_it_once_the_stage_has_begun() -> None:
    event, first, final = opened()
    draw_and_publish(final.rounds.get(), SYSTEM)
    number = punished(event, first, final)
    found = changed_field(event)
    assert found is not None
    assert found.begun
    with pytest.raises(Refused):
        stages.let_field_stand(stage_id=first.pk, reason="", actor=SYSTEM)
    reseating.replace_player(event_id=event.pk, old=number, new=found.gains[0], actor=SYSTEM)
    event.refresh_from_db()
    assert changed_field(event) is None


def test_a_finalist_who_leaves_is_no_change_of_the_ranking() -> None:
    event, _first, final = opened()
    place = final.field.order_by("seed").first()
    assert place is not None
    entrants.withdraw(entrant_id=place.entrant_id, actor=SYSTEM)
    event.refresh_from_db()
    assert changed_field(event) is None


def test_a_final_is_asked_about_until_its_standings_are_final() -> None:
    event, first, final = opened()
    round_ = draw_and_publish(final.rounds.get(), SYSTEM)
    number = punished(event, first, final)
    # The standings of the final were viewed: they are stored, but not final.
    assert standings.fresh(final).state == "provisional"
    found = changed_field(event)
    assert found is not None
    assert (found.loses, found.numbers["loses"], found.in_pools) == ((number,), [number], False)
    for game in (1, 2, 3):
        sign(enter(sheet_at(round_, 1, game), 34 + game))
    rounds.close_round(round_id=round_.pk, actor=SYSTEM)
    assert changed_field(event) is not None
    set_state(stage_id=final.pk, state="final", actor=SYSTEM)
    assert changed_field(event) is None
