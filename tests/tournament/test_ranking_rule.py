"""The ranking rule of a stage by page and API: chosen, ordered, computed, fixed, and shown to players."""

from __future__ import annotations

from dataclasses import fields
from fractions import Fraction
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import Role, User
from ledger.errors import Conflict, Refused
from tests.markup import markup
from tests.offers import Offers
from tests.tournament.build import SYSTEM, chance, make_event, make_user
from tournament.demo.simulation import advance, draw_and_publish
from tournament.models import Event, Round
from tournament.models.tables import Sheet
from tournament.queries.pages import standings_of
from tournament.queries.stage_rule import bye_of
from tournament.queries.standings import rule_of
from tournament.ranking.criteria import CRITERIA
from tournament.ranking.examples import GAMES, example_event, example_of
from tournament.ranking.model import (
    AVERAGE,
    Cap,
    CapOn,
    Credit,
    CreditBy,
    LineKind,
    Outcome,
    Rule,
    Withdrawal,
    use,
)
from tournament.ranking.presets import PRESETS
from tournament.ranking.rule_words import in_words
from tournament.services import ranking_rules, sheets, stage_plans
from tournament.services.event_copy import copy_event
from tournament.services.events import new_stage, update_event

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def built(module_database: None) -> tuple[Event, User]:
    event = make_event(8, slug="hall", deals=1)
    return event, make_user("director", event, Role.DIRECTOR)


@pytest.fixture
def event(built: tuple[Event, User]) -> Event:
    """Return 8 players before their first round."""
    return Event.objects.get(pk=built[0].pk)


@pytest.fixture
def director(built: tuple[Event, User], client: Client) -> Client:
    client.force_login(User.objects.get(pk=built[1].pk))
    return client


WHERE = "/desk/hall/stages/1/ranking/"
FIVE = "/desk/five/stages/1/ranking/"
API = "/api/v1/events/hall/stages/1/ranking/"


def as_shown(client: Client, where: str = WHERE) -> dict[str, Any]:
    """Return the fields that the rule's form posts unchanged."""
    page = client.get(where)
    forms = Offers(where, page.content.decode()).forms.values()
    form = next(form for form in forms if any(name == "win" for name, _value in form.fields))
    return dict(form.fields)


def test_the_form_shows_the_rule_in_force_and_saves_it_unchanged(
    event: Event, director: Client
) -> None:
    for code, preset in PRESETS.items():
        director.post(WHERE, {"verb": "preset", "preset": code})
        stage = event.stages.get(order=1)
        assert (stage.ranking, stage.ranking_rule) == (code, {})
        answer = director.post(WHERE, {**as_shown(director), "verb": "rule"})
        assert answer.status_code == 302, code
        saved = rule_of(event.stages.get(order=1))
        assert saved == Rule(**{**_fields(preset.rule), "code": ""}), code


def _fields(rule: Rule) -> dict[str, Any]:
    return {name: getattr(rule, name) for name in Rule.__dataclass_fields__}


@pytest.mark.guide("director#set-the-ranking-in-full", "ranking#a-rule-of-ones-own")
def test_every_criterion_and_every_parameter_can_be_set(event: Event, director: Client) -> None:
    sent = as_shown(director)
    places = {name for name in sent if name.endswith("-place")}
    assert {name.removesuffix("-place") for name in places} == set(CRITERIA) - {"bracket"}
    sent |= dict.fromkeys(places, "")
    sent |= {
        "victory_points-place": "1",
        "victory_points-total": "10",
        "victory_points-bounds": "5 15",
        "match_points-place": "2",
        "match_points-per": "match",
        "games_won-place": "3",
        "games_won-draw": "1/2",
        "buchholz_cut-place": "4",
        "buchholz_cut-of": "net_marks",
        "buchholz_cut-worst": "2",
        "buchholz_median-place": "5",
        "buchholz_median-each": "2",
        "lots-place": "9",
        "win": "3",
        "draw": "½",
        "loss": "0,25",
        "cap": "121",
        "cap_on": "marks",
        "bye-outcome": "draw",
        "bye-by": "field_median",
        "withdrawn": "kept",
    }
    before = rule_of(event.stages.get(order=1))
    assert director.post(WHERE, {**sent, "verb": "rule"}).status_code == 302
    # Individuals have one kind of bye: the rule of pairs is as it was.
    assert rule_of(event.stages.get(order=1)) == Rule(
        (
            use("victory_points", total=10, bounds=(5, 15)),
            use("match_points", per="match"),
            use("games_won", draw=Fraction(1, 2)),
            use("buchholz_cut", of="net_marks", worst=2),
            use("buchholz_median", each=2),
            use("lots"),
        ),
        win=3,
        draw=Fraction(1, 2),
        loss=Fraction(1, 4),
        cap=Cap(121, CapOn.MARKS),
        bye=before.bye,
        sat_out=Credit(CreditBy.FIELD_MEDIAN, Outcome.DRAW),
        withdrawn=Withdrawal.KEPT,
    )
    assert as_shown(director)["victory_points-bounds"] == "5, 15"


@pytest.mark.parametrize(
    ("typed", "field"),
    [
        ({"net_marks-place": "1"}, "net_marks-place"),
        ({"games_won-place": "", "net_marks-place": "", "marks-place": ""}, ""),
        ({"win": "much"}, "win"),
        ({"draw": "1/0"}, "draw"),
        ({"cap": "0"}, "cap"),
        ({"victory_points-place": "7", "victory_points-bounds": "9 3"}, ""),
    ],
)
def test_a_rule_that_cannot_be_used_is_refused_at_its_field(
    typed: dict[str, str], field: str, event: Event, director: Client
) -> None:
    answer: Any = director.post(WHERE, {**as_shown(director), **typed, "verb": "rule"})
    assert answer.status_code == 422
    assert list(answer.context["form"].errors) == [field or "__all__"]
    assert event.stages.get(order=1).ranking_rule == {}


@pytest.mark.guide("director#set-the-ranking-in-full")
def test_the_example_is_worked_out_and_nothing_is_kept(event: Event, director: Client) -> None:
    sent = as_shown(director) | {"games_won-place": "", "net_marks-place": "", "marks-place": "1"}
    answer = director.post(WHERE, {**sent, "verb": "example"})
    assert answer.status_code == 200
    shown = markup(answer).partition('id="example"')[2]
    # A 101 + 101 + 80 + 150; C 284, and for the game that it sat out (284 + 1255 / 14) / 4.
    assert '<td class="num">1</td><th scope="row">A</th><td class="num">432</td>' in shown
    assert '<td class="num">2</td><th scope="row">C</th><td class="num">377.41</td>' in shown
    assert event.stages.get(order=1).ranking_rule == {}


@pytest.mark.guide("ranking#a-rule-of-ones-own")
def test_the_examples_can_be_checked_by_hand() -> None:
    # A won two of three; with a tie as half a game B and C have one and a half.
    plain = Rule((use("games_won"),))
    assert example_of(plain, use("games_won"), "en") == "A 2 · B 1 · C 1 · D 1"
    half = use("games_won", draw=Fraction(1, 2))
    assert example_of(plain, half, "nl") == "A 2 · B 1,5 · C 1,5 · D 1"
    # −11 … : A +11 +6 −21; capped at 10 a game: +10 +6 −10.
    assert example_of(plain, use("net_marks"), "en").startswith("A −4 · ")
    capped = Rule((use("net_marks"),), cap=Cap(10))
    assert example_of(capped, use("net_marks"), "en").startswith("A +6 · ")
    assert {game.round_no for game in GAMES} == {1, 2, 3}
    rule = Rule(plain.criteria, sat_out=AVERAGE)
    for bye, worth in ((LineKind.BYE, 2), (LineKind.SAT_OUT, 1 + (1 + Fraction(6, 14)) / 4)):
        rows = {row.entrant.id: row for row in example_event(rule, bye).rows}
        assert rows["E"].rank is None
        assert rows["B"].values == rows["C"].values == (worth,)


@pytest.mark.guide("ranking#a-rule-of-ones-own", "ranking#presets")
def test_a_preset_fills_the_form_and_is_kept_only_when_saved(
    event: Event, director: Client
) -> None:
    sent = as_shown(director, f"{WHERE}?from=botifarra")
    assert (sent["cap"], sent["cap_on"], sent["draw"], sent["withdrawn"]) == (
        "121",
        "marks",
        "1/2",
        "struck",
    )
    assert event.stages.get(order=1).ranking == "world_championship"
    missing = director.post(WHERE, {"verb": "preset", "preset": "nobody"}, follow=True)
    assert "No such ranking rule." in missing.content.decode()
    assert director.post(WHERE, {"verb": "dance"}).status_code == 404


@pytest.mark.guide("director#open-an-event", "ranking#a-rule-of-ones-own")
def test_the_ranking_is_fixed_by_the_first_publication(event: Event, director: Client) -> None:
    sent = as_shown(director)
    advance(event, chance())
    page = director.get(WHERE).content.decode()
    assert "The ranking of a stage is fixed once a round of it is published." in page
    assert 'name="verb"' not in page
    answer = director.post(WHERE, {**sent, "verb": "rule"})
    assert answer.status_code == 422
    for act in (
        lambda: ranking_rules.set_ranking(
            event_id=event.pk, order=1, actor=SYSTEM, preset="recommended"
        ),
        lambda: stage_plans.change_stage(
            event_id=event.pk, actor=SYSTEM, order=1, ranking="recommended"
        ),
        lambda: stage_plans.change_stage(
            event_id=event.pk, actor=SYSTEM, order=1, credit="nothing"
        ),
    ):
        with pytest.raises(Conflict) as refusal:
            act()
        assert (refusal.value.code, refusal.value.field) == ("ranking_fixed", "ranking")
    # A later stage, still unpublished, may be changed.
    ranking_rules.set_ranking(event_id=event.pk, order=2, actor=SYSTEM, preset="recommended")


def test_saving_the_stage_keeps_a_rule_of_its_own(event: Event, director: Client) -> None:
    rule = {"criteria": ["best_deal"], "cap": {"amount": 50}}
    ranking_rules.set_ranking(event_id=event.pk, order=1, actor=SYSTEM, rule=rule)
    where = reverse("desk-stage", args=["hall", 1])
    shown = Offers(where, director.get(where).content.decode()).forms.values()
    form = next(each for each in shown if each.post and "minutes" in dict(each.fields))
    assert director.post(where, dict(form.fields)).status_code == 302
    assert rule_of(event.stages.get(order=1)).criteria == (use("best_deal"),)
    copied = copy_event(
        event_id=event.pk, actor=SYSTEM, name="Again", day=event.day, players=False, staff=False
    )
    assert rule_of(copied.stages.get(order=1)).cap == Cap(50)
    stage_plans.change_stage(event_id=event.pk, actor=SYSTEM, order=1, ranking="recommended")
    assert event.stages.get(order=1).ranking_rule == {}


@pytest.mark.guide("director#set-the-ranking-in-full")
def test_players_read_the_rule_in_words(event: Event, client: Client) -> None:
    rule = {
        "criteria": [
            {"code": "match_points", "params": {"per": "match"}},
            "net_marks",
            {"code": "buchholz_cut", "params": {"of": "net_marks", "worst": 2}},
        ],
        "win": 3,
        "cap": {"amount": 121, "on": "marks"},
        "withdrawn": "struck",
    }
    ranking_rules.set_ranking(event_id=event.pk, order=1, actor=SYSTEM, rule=rule)
    advance(event, chance())
    stage = event.stages.get(order=1)
    said = in_words(rule_of(stage), bye_of(stage, rule_of(stage)))
    assert len(said) == 6
    assert "Buchholz, lowest left out: the score of each opponent is “Point difference”." in [
        words.render("en") for words in said
    ]
    for language in ("en", "fr", "nl"):
        client.cookies["django_language"] = language
        page = client.get("/e/hall/standings/1/").content.decode()
        for words in said:
            assert words.render(language).replace("'", "&#x27;") in page
        assert (language == "en") == (said[0].render("en") in page)


@pytest.mark.guide("director#when-people-come-and-go")
@pytest.mark.parametrize(
    ("chosen", "said", "values"),
    [
        (
            {"bye-outcome": "win", "bye-by": "fixed", "bye-marks": "40"},
            "40 points, différence 0",
            ["3", "0", "120"],
        ),
        (
            {"bye-outcome": "", "bye-by": "own_average"},
            "la moyenne de ses propres manches dans chaque critère",
            ["0", "0", "0"],
        ),
    ],
)
def test_what_sitting_out_counts_is_chosen_and_told(
    client: Client, chosen: dict[str, str], said: str, values: list[str]
) -> None:
    event = make_event(5, slug="five", plan=[new_stage("Stage", rounds=2, deals_per_game=1)])
    client.force_login(make_user("other", event, Role.DIRECTOR))
    sent = {**as_shown(client, FIVE), **chosen, "verb": "rule"}
    assert client.post(FIVE, sent).status_code == 302
    advance(event, chance())
    sits = event.entrants.get(byes__isnull=False)
    stage = event.stages.get()
    row = next(r for r in standings_of(stage, language="fr").rows if r.number == sits.number)
    assert row.values == values
    page = client.get("/e/five/standings/", headers={"accept-language": "fr"}).content.decode()
    assert said in page


@pytest.mark.parametrize(
    ("chosen", "french", "dutch"),
    [
        (
            {},
            "En cas de tour exempt, ce tour compte la moyenne des autres manches du joueur, rapprochée de celle de tous.",
            "Voor wie vrij is, telt deze ronde als het gemiddelde van de eigen andere bomen, dichter bij dat van iedereen.",
        ),
        (
            {"bye-by": "none"},
            "En cas de tour exempt, ce tour ne compte pas.",
            "Deze ronde telt niet voor wie vrij is.",
        ),
        (
            {"bye-outcome": "win", "bye-by": "fixed", "bye-marks": "17"},
            "En cas de tour exempt, chaque manche de ce tour compte pour\u00a0: une victoire, 17 points",
            "Voor wie vrij is, telt elke boom van deze ronde als: een overwinning, 17 punten",
        ),
    ],
)
def test_players_read_what_a_bye_is_worth(
    client: Client, chosen: dict[str, str], french: str, dutch: str
) -> None:
    event = make_event(5, slug="five", plan=[new_stage("Stage", rounds=2, deals_per_game=1)])
    client.force_login(make_user("other", event, Role.DIRECTOR))
    if chosen:
        sent = {**as_shown(client, FIVE), **chosen, "verb": "rule"}
        assert client.post(FIVE, sent).status_code == 302
    advance(event, chance())
    sits = event.entrants.get(byes__isnull=False)
    plays = event.entrants.filter(byes__isnull=True).first()
    assert plays is not None
    for language, said in (("fr", french), ("nl", dutch)):
        reader = {"accept-language": language}
        for address in ("draw/", f"players/{sits.number}/"):
            assert said in client.get(f"/e/five/{address}", headers=reader).content.decode()
        other = client.get(f"/e/five/players/{plays.number}/", headers=reader).content.decode()
        assert said not in other


CLUB = {"verb": "clubs", "by": "sum", "best": "2", "least": "1"}


@pytest.mark.guide("ranking#clubs")
def test_clubs_are_ranked_as_the_director_chose(event: Event, director: Client) -> None:
    assert director.post(WHERE, CLUB).status_code == 302
    assert event.stages.get(order=1).club_rule == {"by": "sum", "best": 2, "least": 1}
    advance(event, chance())
    page = director.get("/e/hall/standings/1/clubs/").content.decode()
    assert "Members that count, the best ranked first: 2." in page
    assert '<th scope="col" class="num">Won</th>' in markup(
        director.get("/e/hall/standings/1/clubs/")
    )


@pytest.mark.parametrize(
    ("draw", "won", "part"), [({}, "0", "0.00%"), ({"draw": "1/2"}, "1.5", "50.00%")]
)
def test_the_clubs_count_a_draw_as_the_standings_do(
    event: Event, director: Client, draw: dict[str, Any], won: str, part: str
) -> None:
    update_event(event_id=event.pk, actor=SYSTEM, changes={"options": {"tied_match": "DRAW"}})
    rule = {"criteria": [{"code": "games_won", "params": draw}, "net_marks"]}
    ranking_rules.set_ranking(event_id=event.pk, order=1, actor=SYSTEM, rule=rule)
    draw_and_publish(Round.objects.get(stage__event=event, stage__order=1, number=1), SYSTEM)
    # Three games of one deal each: 30 of the 60 points for each side gives neither side a mark.
    for sheet in Sheet.objects.filter(scope=event.pk):
        entry = {
            "dealer": sheet.first_dealer,
            "contract": {"declarer": "NS" if sheet.first_dealer in "NS" else "EW", "trump": "H"},
            "points": {"NS": 30},
        }
        sheets.enter_from_paper(
            sheet_id=sheet.pk, entries=[entry], actor=SYSTEM, reason="slip", version=sheet.version
        )
    rows = standings_of(event.stages.get(order=1), language="en").rows
    assert {row.values[0] for row in rows} == {won}
    page: Any = director.get("/e/hall/standings/1/clubs/")
    for club, won_shown, values in page.context["clubs"]:
        members = [float(row.values[0]) for row in rows if row.club == club.club]
        assert (float(won_shown), club.games) == (sum(members), 3 * len(members))
        assert values == [part]


@pytest.mark.guide("ranking#clubs")
def test_clubs_too_small_have_no_rank(event: Event, director: Client) -> None:
    director.post(WHERE, CLUB | {"by": "percentage", "best": "", "least": "8"})
    advance(event, chance())
    page: Any = director.get("/e/hall/standings/1/clubs/")
    assert {club.row.rank for club in page.context["clubs"]} == {None}
    assert "A club with fewer than 8 members is listed without a rank." in page.content.decode()


def test_clubs_need_a_criterion_that_adds_up(event: Event, director: Client) -> None:
    ranking_rules.set_ranking(
        event_id=event.pk, order=1, actor=SYSTEM, rule={"criteria": ["best_deal"]}
    )
    answer: Any = director.post(WHERE, CLUB)
    assert answer.status_code == 422
    assert "added up over the members" in answer.content.decode()
    with pytest.raises(Refused) as refusal:
        ranking_rules.set_ranking(event_id=event.pk, order=1, actor=SYSTEM, clubs={"by": "sum"})
    assert refusal.value.code == "clubs_need_sums"
    with pytest.raises(Refused) as refusal:
        ranking_rules.set_ranking(event_id=event.pk, order=1, actor=SYSTEM, clubs={"least": 0})
    assert refusal.value.code == "bad_club_rule"


@pytest.mark.guide("director#for-programs", "ranking#a-rule-of-ones-own")
def test_the_rule_by_the_api(event: Event, director: Client) -> None:
    before = director.get(API).json()
    assert (before["preset"], before["own"], before["fixed"]) == (
        "world_championship",
        False,
        False,
    )
    assert [each["code"] for each in before["rule"]["criteria"]] == [
        "games_won",
        "net_marks",
        "marks",
    ]
    asked = {
        "rule": {
            "criteria": [{"code": "games_won", "params": {"draw": "1/2"}}],
            "cap": {"amount": 9},
        },
        "clubs": {"by": "average", "best": 3, "least": 2},
    }
    after = director.put(API, asked, content_type="application/json")
    assert after.status_code == 200, after.content
    told = after.json()
    assert told["own"]
    assert told["clubs"] == asked["clubs"]
    assert told["rule"]["cap"] == {"amount": 9, "on": "net"}
    assert told["words"][0] == "Games won: a tied game counts as 0.5 of a game won."
    preset = director.put(API, {"preset": "harelbeke"}, content_type="application/json").json()
    assert (preset["preset"], preset["own"]) == ("harelbeke", False)


OTHERS: dict[str, Any] = {
    "draw": Fraction(1, 2),
    "per": "match",
    "of": "marks",
    "worst": 3,
    "each": 2,
    "total": 30,
    "bounds": (4, 9),
}
"""A value for each parameter that is not a default."""


def test_every_criterion_with_each_of_its_parameters_is_set_by_the_api(
    event: Event, director: Client
) -> None:
    wanted = [
        use(code, **{entry.name: OTHERS[entry.name] for entry in fields(CRITERIA[code])})
        for code in sorted(set(CRITERIA) - {"bracket"})
    ]
    asked = [
        {
            "code": each.code,
            "params": {
                name: str(value) if isinstance(value, Fraction) else value
                for name, value in each.params
            },
        }
        for each in wanted
    ]
    assert {name for each in wanted for name, _value in each.params} == set(OTHERS)
    answer = director.put(API, {"rule": {"criteria": asked}}, content_type="application/json")
    assert answer.status_code == 200, answer.content
    assert rule_of(event.stages.get(order=1)).criteria == tuple(wanted)


@pytest.mark.parametrize(
    ("rule", "why"),
    [
        ({"criteria": []}, "at least one criterion"),
        ({"criteria": ["bracket"]}, "bracket"),
        ({"criteria": ["charm"]}, "No such criterion"),
        ({"criteria": ["marks"], "win": 0.5}, "whole number or a fraction"),
        ({"criteria": ["marks"], "win": "9" * 5000}, "whole number or a fraction"),
        ({"criteria": ["marks"], "win": 10**6}, "9999"),
        ({"criteria": ["marks"], "colour": "red"}, "colour"),
        ({"criteria": [{"code": "buchholz", "params": {"of": "charm"}}]}, "“of” must be one of"),
    ],
)
def test_the_api_refuses_a_rule_and_says_why(
    rule: dict[str, Any], why: str, event: Event, director: Client
) -> None:
    answer = director.put(API, {"rule": rule}, content_type="application/json")
    assert answer.status_code == 400, answer.content
    assert answer.json()["code"] == "bad_ranking"
    assert why in answer.json()["detail"]
    assert event.stages.get(order=1).ranking_rule == {}


@pytest.mark.parametrize(
    ("language", "rule", "said"),
    [
        ("fr", {"criteria": []}, "demande au moins un critère"),
        ("fr", {"criteria": ["charm"]}, "pas de critère «\u00a0charm\u00a0»"),
        ("fr", {"criteria": ["marks"], "win": 10**6}, "de −9999 à 9999"),
        ("nl", {"criteria": ["marks", "marks"]}, "staat twee keer"),
        ("nl", {"criteria": ["marks"], "colour": "red"}, "heeft geen “colour”"),
        (
            "nl",
            {"criteria": [{"code": "games_won", "params": {"draw": 2}}]},
            "Een gelijkspel telt tussen 0 en 1",
        ),
    ],
)
def test_why_a_rule_cannot_be_used_is_said_in_the_language_of_the_reader(
    language: str, rule: dict[str, Any], said: str, event: Event, director: Client
) -> None:
    answer = director.put(
        API, {"rule": rule}, content_type="application/json", headers={"accept-language": language}
    )
    assert answer.status_code == 400, answer.content
    assert said in answer.json()["detail"]
