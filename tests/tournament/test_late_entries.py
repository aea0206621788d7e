"""Late entrants to brackets and timetables: the entry is refused, with the remaining options."""

from __future__ import annotations

import pytest
from django.test import Client

from accounts.models import Role
from ledger.errors import Conflict
from tests.tournament.build import SYSTEM, make_user
from tests.tournament.test_stages import event_of, publish_next, settle
from tournament.models import Entrant, EntrantState, Event
from tournament.queries.standings import recompute
from tournament.services import adjustments, entrants, reseating
from tournament.services.adjustments import Amount

pytestmark = pytest.mark.django_db


def late(event: Event, **more: bool) -> Entrant:
    return entrants.enter_player(
        event_id=event.pk, name="Late Pair", actor=SYSTEM, present=True, **more
    )


@pytest.mark.guide("director#when-people-come-and-go", "formats#wishes")
@pytest.mark.parametrize("format", ["ko", "pools_ko", "round_robin", "pairs_mitchell"])
def test_a_late_pair_without_a_place_is_refused_and_may_wait_as_a_reserve(format: str) -> None:
    event = event_of(8, format, rounds=3)
    settle(publish_next(event))
    with pytest.raises(Conflict) as refusal:
        late(event)
    assert refusal.value.code == "no_place"
    assert "reserve" in str(refusal.value)
    assert event.entrants.count() == 8
    reserve = late(event, reserve=True)
    assert reserve.number not in {
        r["number"] for r in recompute(stage_id=event.stages.get().pk).rows
    }
    reseating.replace_player(event_id=event.pk, old=1, new=reserve.number, actor=SYSTEM)
    following = publish_next(event)
    assert reserve.pk in {p for table in following.tables for p in table["players"]}


@pytest.mark.parametrize("format", ["round_robin", "pairs_mitchell"])
def test_a_late_pair_takes_the_place_of_one_disqualified(format: str) -> None:
    event = event_of(8, format, rounds=3)
    first = publish_next(event)
    settle(first)
    gone = event.entrants.get(number=3)
    adjustments.adjust(
        stage_id=first.round.stage_id,
        source="ruling:3",
        reason="T-UNSP",
        actor=SYSTEM,
        round_id=first.round_id,
        amounts=[Amount(gone.pk, penalties=1, disqualified=True)],
    )
    new = late(event)
    with pytest.raises(Conflict) as refusal:
        late(event)
    assert refusal.value.code == "no_place"
    following = publish_next(event)
    seated = {who for table in following.tables for who in table["players"]}
    assert new.pk in seated
    assert gone.pk not in seated
    assert len(seated) == 8
    # The ruling is annulled on appeal: the place is taken meanwhile, and the draw reports that.
    settle(following)
    adjustments.annul(source="ruling:3", actor=SYSTEM, reason="on appeal")
    with pytest.raises(AssertionError, match="no place for numbers 3"):
        publish_next(event)
    entrants.withdraw(entrant_id=gone.pk, actor=SYSTEM)
    assert len(publish_next(event).tables) == 4


def test_who_was_registered_and_comes_after_the_bracket_was_drawn_is_not_credited_for_it() -> None:
    event = event_of(5, "ko", rounds=3)
    absent = event.entrants.get(number=5)
    entrants.check_out(entrant_id=absent.pk, actor=SYSTEM)
    settle(publish_next(event))
    with pytest.raises(Conflict) as refusal:
        entrants.check_in(entrant_id=absent.pk, actor=SYSTEM)
    assert refusal.value.code == "no_place"
    assert entrants.check_in_all(event_id=event.pk, actor=SYSTEM) == 0
    absent.refresh_from_db()
    assert absent.state == EntrantState.REGISTERED
    rows = {row["number"]: row for row in recompute(stage_id=event.stages.get().pk).rows}
    assert rows[5]["rank"] is None


@pytest.mark.guide("director#after-the-publication")
def test_the_desk_says_it_in_the_director_s_language_and_enters_a_reserve(client: Client) -> None:
    event = event_of(4, "ko", rounds=2)
    publish_next(event)
    client.force_login(make_user("director", event, Role.DIRECTOR))
    client.cookies["django_language"] = "fr"
    address = f"/desk/{event.slug}/players/"
    page = client.post(address, {"name": "Paire tardive"}).content.decode()
    assert "Inscrivez-les comme réserve" in page
    assert 'name="reserve"' in page
    answer = client.post(address, {"name": "Paire tardive", "reserve": "on"}, follow=True)
    assert "comme réserve" in answer.content.decode()
    assert event.entrants.get(number=5).stages.count() == 0


@pytest.mark.guide("director#after-the-publication")
def test_nobody_is_promised_a_round_that_the_stage_does_not_have(client: Client) -> None:
    event = event_of(8, "individual_draw", rounds=2)
    settle(publish_next(event))
    assert late(event).from_round == 2
    settle(publish_next(event))
    with pytest.raises(Conflict) as refusal:
        late(event)
    assert refusal.value.code == "no_round_left"
    assert late(event, reserve=True).number == 10
    client.force_login(make_user("director", event, Role.DIRECTOR))
    address = f"/desk/{event.slug}/players/"
    assert "Plays from round" not in client.get(address).content.decode()
    page = client.post(address, {"name": "Too Late"}).content.decode()
    assert (
        "is drawn. Add a round to it (Stages and formats), or register the player as a reserve"
        in page
    )


def test_everybody_can_be_checked_in_at_once_after_the_first_came(client: Client) -> None:
    event = event_of(8, "individual_draw", rounds=1)
    for name in ("Ada Maes", "Jan Claes"):
        late = entrants.enter_player(event_id=event.pk, name=name, actor=SYSTEM)
        assert late.state == EntrantState.REGISTERED
    client.force_login(make_user("director", event, Role.DIRECTOR))
    page = client.get(f"/desk/{event.slug}/").content.decode()
    assert "2 players are registered and not checked in yet." in page
    client.post(f"/desk/{event.slug}/players/check-in/")
    assert event.entrants.filter(state=EntrantState.PRESENT).count() == 10
    assert "Draw round 1" in client.get(f"/desk/{event.slug}/").content.decode()


def test_who_left_before_the_bracket_was_drawn_cannot_return_into_it() -> None:
    event = event_of(8, "pools_ko", rounds=3, drawing={"pool_size": 4})
    for number in range(3):
        drawn = publish_next(event)
        if number == 1:
            entrants.withdraw(entrant_id=event.entrants.get(number=1).pk, actor=SYSTEM)
        settle(drawn)
    gone = event.entrants.get(number=1)
    # Before the bracket is drawn they may return; afterwards there is no place for them.
    entrants.take_back(entrant_id=gone.pk, actor=SYSTEM)
    entrants.withdraw(entrant_id=gone.pk, actor=SYSTEM)
    publish_next(event)
    with pytest.raises(Conflict) as refusal:
        entrants.take_back(entrant_id=gone.pk, actor=SYSTEM)
    assert refusal.value.code == "drawn_without"
    gone.refresh_from_db()
    assert gone.state == EntrantState.WITHDRAWN
    # An entrant of the bracket who withdrew by mistake is taken back.
    other = event.entrants.get(number=2)
    entrants.withdraw(entrant_id=other.pk, actor=SYSTEM)
    assert entrants.take_back(entrant_id=other.pk, actor=SYSTEM).state == EntrantState.PRESENT
