"""Opening and changing an event: rules are checked on input and fixed once play has begun."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from accounts.models import RoleGrant
from ledger.change import change
from ledger.errors import Conflict, Refused
from ledger.models import AuditEntry
from tests.markup import markup
from tests.tournament.build import SYSTEM, chance, make_event, make_user
from tournament.demo.simulation import draw_and_publish, play_round
from tournament.models import Event, Round, Stage
from tournament.services import rounds, signatures
from tournament.services.event_life import finish_event, open_matters
from tournament.services.events import create_event, new_stage, update_event

pytestmark = pytest.mark.django_db


def test_the_creator_becomes_director_and_the_log_knows() -> None:
    from ledger.actors import Actor

    user = make_user("director")
    event = create_event(
        actor=Actor.user(user.pk), name="Beker", day=make_event(0).day, rulebook="parlee"
    )
    assert RoleGrant.objects.filter(user=user, scope=event.pk, role="director").exists()
    entry = AuditEntry.objects.get(scope=event.pk, verb="event.created")
    assert entry.after["rulebook"] == "parlee"
    assert entry.after["edition"] == event.edition
    assert entry.after["stages"] == [
        {
            "order": stage.order,
            "format": stage.format,
            "rounds": stage.rounds_planned,
            "cut": stage.cut,
        }
        for stage in event.stages.order_by("order")
    ]


@pytest.mark.guide("director#open-an-event")
def test_the_world_championship_plan() -> None:
    # rules specification D.1, E4 and E5: three rounds, 128 to the semi-final, table winners to the final.
    event = make_event(0, cut=128)
    stages = list(event.stages.order_by("order"))
    assert [stage.rounds_planned for stage in stages] == [3, 1, 1]
    assert [stage.cut for stage in stages] == [
        {"top": 128, "whole": True},
        {"winners": True, "whole": True},
        {},
    ]
    assert [stage.rounds.count() for stage in stages] == [3, 1, 1]


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"options": {"no_such_switch": 1}}, "unknown_option"),
        ({"options": {"penalty_mode": "SOMETIMES"}}, "option_value"),
        ({"rulebook": "whist"}, "unknown_rulebook"),
        ({"rulebook": "auction-1"}, "stakes"),
        ({"plan": []}, "no_stage"),
        ({"plan": [new_stage("x", ranking="by-weight")]}, "unknown_ranking"),
    ],
)
def test_rules_that_cannot_be_played_are_refused_at_the_door(
    more: dict[str, object], code: str
) -> None:
    with pytest.raises(Refused) as refusal:
        make_event(0, **more)
    assert refusal.value.code == code
    assert str(refusal.value)
    assert not Event.objects.exists()


@pytest.mark.guide("director#choose-the-rules-of-the-game")
def test_rules_are_fixed_once_a_round_is_published() -> None:
    event = make_event(8)
    update_event(event_id=event.pk, actor=SYSTEM, changes={"options": {"sweep60": 60}})
    draw_and_publish(Round.objects.get(stage__event=event, stage__order=1, number=1), SYSTEM)
    update_event(event_id=event.pk, actor=SYSTEM, changes={"name": "Nieuwe naam"})
    with pytest.raises(Conflict) as refusal:
        update_event(event_id=event.pk, actor=SYSTEM, changes={"options": {}})
    assert (refusal.value.code, refusal.value.field) == ("event_in_play", "options")
    with pytest.raises(Refused):
        update_event(event_id=event.pk, actor=SYSTEM, changes={"slug": "other"})


@pytest.mark.guide("director#finish-the-event")
def test_an_event_in_play_is_not_finished() -> None:
    event = make_event(8)
    draw_and_publish(Round.objects.get(stage__event=event, stage__order=1, number=1), SYSTEM)
    with pytest.raises(Conflict):
        finish_event(event_id=event.pk, actor=SYSTEM)


def test_a_round_that_everybody_signed_waits_to_be_closed() -> None:
    event = make_event(8)
    round_ = draw_and_publish(
        Round.objects.get(stage__event=event, stage__order=1, number=1), SYSTEM
    )
    play_round(round_, chance())
    matters = {matter.code: matter.text for matter in open_matters(event)}
    assert list(matters)[:2] == ["round_open", "round_not_played"], "what prevents the end is first"
    assert matters["round_open"] == "Preliminary rounds, round 1 is still open: close it."


@pytest.mark.guide("director#finish-the-event")
def test_a_sheet_reopened_in_a_closed_round_holds_up_the_desk_and_the_end(client: Client) -> None:
    plan = [new_stage("Rounds", "individual_draw", 2, games_per_round=1, deals_per_game=2)]
    event = make_event(8, plan=plan)
    for number in (1, 2):
        round_ = Round.objects.get(stage__event=event, number=number)
        play_round(draw_and_publish(round_, SYSTEM), chance())
        rounds.close_round(round_id=round_.pk, actor=SYSTEM)
        if number == 1:
            sheet = round_.tables.get(number=1).sheets.get()
            signatures.reopen(sheet_id=sheet.pk, actor=SYSTEM, reason="a slip of another table")
    client.force_login(make_user("director", event, "director"))
    at = reverse("staff-sheet", args=[sheet.pk])
    said = "Round 1, table 1: the score sheet is open"
    for name in ("desk-event", "desk-finish"):
        page = markup(
            client.get(reverse(name, args=[event.slug]), headers={"accept-language": "en"})
        )
        assert f'<a href="{at}"><span>{said}' in page, name
    (matter,) = [each for each in open_matters(event) if each.blocks]
    assert (matter.code, matter.address) == ("sheet_open", at)
    with pytest.raises(Conflict) as refusal:
        finish_event(event_id=event.pk, actor=SYSTEM, despite_open=True)
    assert refusal.value.code == "sheet_open"
    sheet.refresh_from_db()
    signatures.confirm(sheet_id=sheet.pk, version=sheet.version, actor=SYSTEM, reason="their slip")
    assert said not in markup(client.get(reverse("desk-event", args=[event.slug])))
    finish_event(event_id=event.pk, actor=SYSTEM, despite_open=True)


def test_a_reopened_sheet_is_named_beside_the_round_in_play(client: Client) -> None:
    plan = [new_stage("Rounds", "individual_draw", 2, games_per_round=1, deals_per_game=2)]
    event = make_event(8, plan=plan)
    first, second = Round.objects.filter(stage__event=event).order_by("number")
    play_round(draw_and_publish(first, SYSTEM), chance())
    rounds.close_round(round_id=first.pk, actor=SYSTEM)
    draw_and_publish(second, SYSTEM)
    sheet = first.tables.get(number=1).sheets.get()
    signatures.reopen(sheet_id=sheet.pk, actor=SYSTEM, reason="a slip of another table")
    client.force_login(make_user("director", event, "director"))
    desk = markup(
        client.get(reverse("desk-event", args=[event.slug]), headers={"accept-language": "en"})
    )
    assert reverse("staff-sheet", args=[sheet.pk]) in desk
    assert "Tables that have signed: 0 of 2." in desk


def test_the_rules_of_an_auction_are_changed_before_play() -> None:
    plan = [new_stage("Rounds", format="random", rounds=1, games_per_round=1)]
    event = make_event(0, rulebook="auction-1", options={"stakes": [1, 2, 3, 4, 5]}, plan=plan)
    changes = {"options": {"stakes": [2, 4, 6, 8, 10]}}
    changed = update_event(event_id=event.pk, actor=SYSTEM, changes=changes)
    assert changed.options == changes["options"]


def test_two_events_of_one_name_have_two_addresses() -> None:
    assert {make_event(0).slug, make_event(0).slug} == {
        "beker-van-oostende",
        "beker-van-oostende-2",
    }


@pytest.mark.parametrize(
    ("name", "slug"), [("L’Atout Cœur", "atout-coeur"), ("L'été d’Été", "ete-ete"), ("’", "event")]
)
def test_an_address_is_read_as_the_name_is(name: str, slug: str) -> None:
    assert make_event(0, name=name).slug == slug


@pytest.mark.parametrize(
    "wrong",
    [
        {"games_per_round": 2},
        {"deals_per_game": None, "target": None},
    ],
)
def test_the_database_refuses_a_stage_that_cannot_be(wrong: dict[str, object]) -> None:
    event = make_event(0)
    fields = {"games_per_round": 3, "deals_per_game": 4} | wrong
    with pytest.raises(IntegrityError), transaction.atomic(), change():
        Stage.objects.create(event=event, order=9, name="x", format="random", **fields)


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "{'games': 1} is not a value of target; allowed: <integer>"),
        ("fr", "cette valeur n’est pas permise pour «\u00a0options.target\u00a0»"),
        ("nl", "deze waarde mag niet voor “options.target”"),
    ],
)
def test_an_end_of_the_game_that_is_none_is_refused_in_the_readers_language(
    language: str, said: str
) -> None:
    plan = [new_stage("Rounds", rounds=1, deals_per_game=None, target={"games": 1})]
    with override(language), pytest.raises(Refused) as refusal:
        make_event(0, plan=plan)
    assert (refusal.value.field, refusal.value.code) == ("target", "option_value")
    assert str(refusal.value).startswith(said)
