"""The rules of an event's game at the desk: valid choices, every switch, matches by the rulebook."""

from __future__ import annotations

from html import unescape
from typing import Any

import pytest
from django.test import Client

from accounts.models import Role
from scoring.engine.rulebook import RULEBOOKS, resolve
from tests.tournament.build import grant, make_event, make_user
from tests.tournament.test_stages import event_of, publish_next
from tournament.models import Event
from tournament.models.tables import Sheet
from tournament.queries.switches import WORDS, switches_shown, value_in_words
from tournament.services.events import new_stage

pytestmark = pytest.mark.django_db
PAIR_FORMATS = ["pairs_swiss", "pairs_mitchell", "round_robin", "pools_ko", "ko"]
ALONE = ["auction-1", "auction-2", "auction-3", "three-player"]


def staff(client: Client, event: Event | None = None) -> None:
    user = make_user("director", event, Role.DIRECTOR)
    if event is None:
        grant(user, Role.ADMIN)
    client.force_login(user)
    client.cookies["django_language"] = "en"


def opening(**more: Any) -> dict[str, Any]:
    return {
        "name": "Friday",
        "day": "2026-11-27",
        "language": "nl",
        "rulebook": "belgian",
        "shape": "pairs_swiss",
        "rounds": 3,
        "deals": 4,
        "minutes": 30,
        "cut": 0,
        "protocol": "confirm",
        "bell_rule": "finish",
        **more,
    }


def options_as_posted(event: Event, **more: Any) -> dict[str, Any]:
    """Return the rules form as posted without changes."""
    game = resolve(event.rulebook, event.options)
    posted = {}
    for switch in RULEBOOKS[event.rulebook].switches:
        value = game.options[switch.name]
        posted[switch.name] = " ".join(map(str, value)) if isinstance(value, list) else value
        if value is None or value == "GAME":
            posted[switch.name] = ""
    return {**posted, **more}


@pytest.mark.guide("formats#table-of-formats")
def test_a_format_that_the_game_does_not_fit_is_refused_in_the_readers_language(
    client: Client,
) -> None:
    staff(client)
    client.cookies["django_language"] = "fr"
    for rulebook in ALONE:
        for shape in (*PAIR_FORMATS, "rainbow", "whist"):
            posted = opening(rulebook=rulebook, shape=shape, stakes="1 2 3 4 5")
            said = client.post("/desk/new/", posted).content.decode()
            assert not Event.objects.exists(), shape
            assert "chacun joue contre tous" in said, shape


@pytest.mark.guide("formats#table-of-formats")
def test_the_form_of_a_stage_offers_only_what_the_game_fits(client: Client) -> None:
    event = event_of(6, "random", rulebook="three-player")
    staff(client, event)
    page = client.get(f"/desk/{event.slug}/stages/1/").content.decode()
    for format_ in PAIR_FORMATS:
        assert f'value="{format_}"' not in page
    assert 'value="individual_draw"' in page
    assert "each plays against all" in page
    pairs = make_event(8, name="Pairs")
    staff_page = client.get(f"/desk/{pairs.slug}/stages/1/")
    assert staff_page.status_code == 403


def test_a_rulebook_that_a_stage_does_not_fit_cannot_be_chosen_afterwards(client: Client) -> None:
    event = event_of(6, "pairs_swiss")
    staff(client, event)
    page = client.get(f"/desk/{event.slug}/settings/").content.decode()
    assert "three-player" in page
    form = {
        "name": event.name,
        "day": "2026-11-21",
        "language": "nl",
        "hide_last_rounds": 0,
        "rulebook": "three-player",
        "protocol": "confirm",
        "bell_rule": "finish",
        "depth": "points",
        "minutes_1": 90,
        "publish_play": "final",
    }
    answer = client.post(f"/desk/{event.slug}/settings/", form)
    assert answer.status_code == 422
    assert "each plays against all" in answer.content.decode()
    event.refresh_from_db()
    assert event.rulebook == "belgian"


@pytest.mark.guide("director#choose-the-rules-of-the-game")
@pytest.mark.parametrize("rulebook", sorted(RULEBOOKS))
def test_every_switch_of_a_rulebook_is_on_the_events_pages_with_its_meaning(
    client: Client, rulebook: str
) -> None:
    options = {"stakes": [1, 2, 3, 4, 5]} if rulebook == "auction-1" else {}
    plan = [new_stage("Rounds", format="random", rounds=1, games_per_round=1)]
    event = make_event(0, rulebook=rulebook, options=options, plan=plan)
    staff(client, event)
    wanted = {switch.name for switch in RULEBOOKS[rulebook].switches} - {"target"}
    assert {shown.name for shown in switches_shown(event)} == wanted
    desk = unescape(client.get(f"/desk/{event.slug}/rules/").content.decode())
    public = unescape(client.get(f"/e/{event.slug}/").content.decode())
    for name in wanted:
        assert str(WORDS[name].label) in public
        assert str(WORDS[name].label) in desk or name == "compose"
    # Posted unchanged, the form sets only the rulebook's own values.
    answer = client.post(f"/desk/{event.slug}/rules/", options_as_posted(event))
    assert answer.status_code == 302, answer.content.decode()[:3000]
    event.refresh_from_db()
    assert event.options == options


@pytest.mark.guide("director#choose-the-rules-of-the-game")
def test_switches_are_kept_by_the_values_that_differ_and_shown_to_everybody(client: Client) -> None:
    event = event_of(4, "pairs_swiss", rulebook="chaloupee")
    staff(client, event)
    posted = options_as_posted(
        event, direction="CW", tied_match="EXTRA_DEALS", generale_value=100, penalty_floor="False"
    )
    assert client.post(f"/desk/{event.slug}/rules/", posted).status_code == 302
    event.refresh_from_db()
    assert event.options == {
        "direction": "CW",
        "tied_match": "EXTRA_DEALS",
        "generale_value": 100,
        "penalty_floor": False,
    }
    page = client.get(f"/e/{event.slug}/").content.decode()
    assert "<strong>clockwise</strong>" in page
    publish_next(event)
    fixed = client.get(f"/desk/{event.slug}/rules/").content.decode()
    assert "fixed once a round" in fixed
    assert "<form" not in fixed.partition("<main")[2].partition("</main>")[0]
    assert Sheet.objects.filter(scope=event.pk).first().options["direction"] == "CW"  # type: ignore[union-attr]


@pytest.mark.guide("director#choose-the-rules-of-the-game")
@pytest.mark.parametrize(
    ("rulebook", "target"),
    [("boussac", {"games": 2, "of": 34}), ("chaloupee", 150), ("parlee", 100), ("belgian", 101)],
)
def test_an_event_opens_with_matches_as_the_rulebook_has_them(
    client: Client, rulebook: str, target: Any
) -> None:
    staff(client)
    answer = client.post("/desk/new/", opening(rulebook=rulebook, end="book"))
    assert answer.status_code == 302, answer.content.decode()[:3000]
    stage = Event.objects.get().stages.get()
    assert (stage.target, stage.deals_per_game) == (target, None)
    assert stage.ranking == "world_championship"


@pytest.mark.parametrize(
    ("rulebook", "target"),
    [
        ("boussac", {"games": 2, "of": 34}),
        ("parlee", {"games": 2, "of": 44, "decider": 54}),
        ("parlee", {"games": 3, "of": 50}),
        ("chaloupee", 150),
    ],
)
def test_a_stage_with_such_a_match_is_saved_again_as_it_was(
    client: Client, rulebook: str, target: Any
) -> None:
    event = event_of(4, "pairs_swiss", rulebook=rulebook, target=target)
    staff(client, event)
    from tournament.views.stage_forms import StageForm

    stage = event.stages.get()
    form = StageForm.of(stage)
    posted = {
        name: value
        for name in form.fields
        if (value := form[name].value()) not in (None, False, "")
    }
    answer = client.post(f"/desk/{event.slug}/stages/1/", posted)
    assert answer.status_code == 302, answer.content.decode()[:3000]
    stage.refresh_from_db()
    assert (stage.target, stage.deals_per_game) == (target, None)


@pytest.mark.parametrize(
    ("rulebook", "ranking"),
    [
        ("auction-2", "auction_total"),
        ("three-player", "table_places"),
        ("muette", "world_championship"),
    ],
)
def test_the_usual_ranking_of_the_game_is_taken_where_none_is_chosen(
    client: Client, rulebook: str, ranking: str
) -> None:
    staff(client)
    client.post("/desk/new/", opening(rulebook=rulebook, shape="random"))
    assert Event.objects.get().stages.get().ranking == ranking


def test_a_switch_without_a_limit_says_none_and_one_with_a_limit_says_it() -> None:
    limit = next(switch for switch in RULEBOOKS["coinchee"].switches if switch.name == "max_factor")
    assert [value_in_words(limit, value) for value in (None, 3)] == ["none", "3"]
