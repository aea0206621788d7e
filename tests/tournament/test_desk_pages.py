"""The desk in a large hall: search finds every player, typed values survive a refusal, each bound is explained."""

from __future__ import annotations

import re

import pytest
from django.forms import ChoiceField
from django.test import Client

from accounts.limits import TOKENS_BY_ADDRESS
from accounts.models import Role, User
from ledger.change import change
from ledger.jobs import work_on
from ledger.models import Job
from tests.adjudication.build import enter, sheet_at, sign
from tests.markup import markup
from tests.offers import Offers
from tests.tournament.build import PASSWORD, SYSTEM, chance, grant, make_event, make_user
from tournament.demo.simulation import draw_and_publish, play_sheet
from tournament.drawing.formats import FORMATS
from tournament.models import Draw, Event, Round, Seat
from tournament.models.tables import Sheet
from tournament.queries.certificates import lines_of
from tournament.queries.pages import standings_of
from tournament.services import bans_and_wishes, draws, entrants, event_life, publication, rounds
from tournament.services.events import new_stage
from tournament.services.standings import set_state
from tournament.tables.links import table_token
from tournament.views.draw_tables import A_PAGE
from tournament.views.stage_forms import StageForm

pytestmark = pytest.mark.django_db
CARD = re.compile(r'<li class="table-card')


def candidate_of(event: Event) -> Draw:
    round_ = Round.objects.get(stage__event=event, stage__order=1, number=1)
    job = draws.request_draw(round_id=round_.pk, actor=SYSTEM)
    work_on(str(job.pk))
    job.refresh_from_db()
    return Draw.objects.select_related("round__stage__event").get(pk=job.result["draw"])


def director(client: Client, event: Event, language: str = "en") -> Client:
    client.force_login(make_user("director", event, Role.DIRECTOR))
    client.cookies["django_language"] = language
    return client


def admin(client: Client) -> Client:
    user = make_user("admin")
    grant(user, Role.ADMIN)
    client.force_login(user)
    client.cookies["django_language"] = "en"
    return client


def shown(client: Client, address: str, **asked: object) -> str:
    answer = client.get(address, asked)
    assert answer.status_code == 200
    return markup(answer)


@pytest.mark.guide("director#a-round")
def test_a_large_draw_is_listed_by_pages_and_searched(client: Client) -> None:
    event = make_event(4 * (A_PAGE + 3))
    candidate = candidate_of(event)
    page = f"/desk/{event.slug}/draws/{candidate.pk}/"
    director(client, event)
    first = shown(client, page)
    assert len(CARD.findall(first)) == A_PAGE
    assert 'href="?page=2#tables"' in first
    assert len(CARD.findall(shown(client, page, page=2))) == 3
    assert len(CARD.findall(shown(client, page, page="x"))) == A_PAGE
    at = dict(event.entrants.values_list("pk", "number"))
    last = candidate.tables[-1]
    number = at[last["players"][2]]
    found = shown(client, page, find=number)
    # A number is a table's or a player's: at most two cards, the player's among them.
    assert 1 <= len(CARD.findall(found)) <= 2
    assert f'data-entrant="{number}"' in found
    name = event.entrants.get(number=number).person.name
    assert f'data-entrant="{number}"' in shown(client, page, find=name.upper())
    club = event.entrants.get(number=number).club.name
    assert f'data-entrant="{number}"' in shown(client, page, find=club)
    assert len(CARD.findall(shown(client, page, find="nobody of this name"))) == 0


def test_a_change_shows_only_the_tables_in_question(client: Client) -> None:
    event = make_event(40)
    candidate = candidate_of(event)
    page = f"/desk/{event.slug}/draws/{candidate.pk}/"
    director(client, event)
    at = dict(event.entrants.values_list("pk", "number"))
    one, two = (at[candidate.tables[n]["players"][0]] for n in (3, 7))

    def concerned(text: str) -> list[str]:
        part = text.split('id="concerned"', 1)[1].split("</form>", 1)[0]
        part = part.split("<form", 1)[0] if "<form" in part else part
        return re.findall(r"</small>(\d+)", part)

    assert concerned(shown(client, page, verb="swap", one=one, two=two)) == ["4", "8"]
    assert concerned(shown(client, page, verb="move", table=2, to=9)) == ["2", "9"]
    assert concerned(shown(client, page, why=5))[:1] == ["5"]


@pytest.mark.guide("director#a-round")
def test_two_large_draws_are_compared_by_search(client: Client) -> None:
    event = make_event(40)
    first, second = candidate_of(event), candidate_of(event)
    director(client, event)
    page = f"/desk/{event.slug}/rounds/{first.round_id}/draws/compare/"
    found = shown(client, page, find=17)
    assert found.count('data-entrant="17"') == 2
    assert 'type="search" name="find" value="17"' in found
    assert second.number == 2


@pytest.mark.guide("director#a-round")
@pytest.mark.parametrize(
    ("language", "proven", "known"),
    [
        ("en", "proven", "best known"),
        ("fr", "prouvé", "meilleur connu"),
        ("nl", "bewezen", "best bekend"),
    ],
)
def test_each_bound_says_whether_it_is_proven(
    client: Client, language: str, proven: str, known: str
) -> None:
    event = make_event(16)
    candidate = candidate_of(event)
    lines = candidate.certificate["lines"]
    lines[0]["proven"], lines[1]["proven"] = True, False
    with change():
        candidate.save()
    director(client, event, language)
    text = shown(client, f"/desk/{event.slug}/draws/{candidate.pk}/")
    kinds = re.findall(r'<span class="soft small">([^<]*)</span></span></td>', text)
    assert len(kinds) == len(lines)
    assert kinds[:2] == [proven, known]
    assert set(kinds) <= {proven, known}
    publication.publish_draw(draw_id=candidate.pk, actor=SYSTEM)
    public = shown(
        Client(headers={"Accept-Language": language}), f"/e/{event.slug}/draw/1/1/proof/"
    )
    assert proven in public
    assert known in public


@pytest.mark.guide("director#a-round", "director#requests-and-players-to-keep-apart")
def test_the_first_dealer_is_shown_and_shared(client: Client) -> None:
    event = make_event(8)
    candidate = candidate_of(event)
    director(client, event)
    text = shown(client, f"/desk/{event.slug}/draws/{candidate.pk}/")
    assert text.count("first dealer</span>") == len(candidate.tables)
    codes = {line.code for line in lines_of(candidate)}
    assert {"dealer_spread", "scorekeeper_spread"} <= codes


def test_an_event_form_with_a_mistake_keeps_everything_typed(client: Client) -> None:
    admin(client)
    form = {
        "name": "Beker van de Schelde",
        "place": "Temse",
        "day": "2026-12-24",
        "language": "fr",
        "rulebook": "belgian",
        "shape": "pairs_mitchell",
        "rounds": "7",
        "deals": "0",
        "minutes": "35",
        "cut": "24",
        "ranking": "recommended",
        "protocol": "referee",
        "bell_rule": "finish",
        "stakes": "100 80",
    }
    text = client.post("/desk/new/", form).content.decode()
    assert not Event.objects.exists()
    for name in ("name", "place", "day", "rounds", "deals", "minutes", "cut", "stakes"):
        (typed,) = re.findall(rf'name="{name}" value="([^"]*)"|$', text)[:1]
        assert typed == form[name], name
    for name in ("language", "rulebook", "shape", "ranking", "protocol", "bell_rule"):
        assert f'value="{form[name]}" selected' in text, name
    assert 'aria-invalid="true"' in text


def test_a_stage_form_with_a_mistake_keeps_everything_typed(client: Client) -> None:
    event = make_event(8, plan=[new_stage("Rounds", format="pairs_swiss", deals_per_game=4)])
    director(client, event)
    form = {
        "name": "Avond",
        "format": "pools_ko",
        "rounds": "3",
        "games_per_round": "1",
        "deals_per_game": "8",
        "minutes": "4",
        "ranking": "recommended",
        "club_rounds": "1",
        "pool_size": "5",
        "main": "3",
        "seeds": "4",
        "top": "6",
        "tie": "lots",
    }
    text = client.post(f"/desk/{event.slug}/stages/new/", form).content.decode()
    assert event.stages.count() == 1
    for name in ("name", "rounds", "minutes", "pool_size", "main", "seeds", "top"):
        assert re.search(rf'name="{name}" value="{form[name]}"', text), name
    for name in ("format", "ranking", "tie"):
        assert f'value="{form[name]}" selected' in text, name
    assert not re.search(r'name="consolation"[^>]*checked', text)


@pytest.mark.parametrize(("language", "of"), [("en", "of"), ("fr", "sur"), ("nl", "van")])
def test_a_search_among_the_players_says_of_how_many(
    client: Client, language: str, of: str
) -> None:
    event = make_event(47)
    director(client, event, language)
    page = f"/desk/{event.slug}/players/"
    head = re.compile(r'class="page-head__line">\s*([^<]*?)\s*</p>')
    assert head.findall(shown(client, page))[0].startswith("47 ")
    assert head.findall(shown(client, page, q="47")) == [f"1 {of} 47"]
    assert head.findall(shown(client, page, state="withdrawn")) == [f"0 {of} 47"]
    # After a server-side search the page has no script search.
    assert "data-find=" in shown(client, page)
    assert "data-find=" not in shown(client, page, q="47")


@pytest.mark.guide("referee#from-call-to-ruling")
def test_who_signs_in_is_led_to_the_one_event_that_they_direct(client: Client) -> None:
    event = make_event(4, slug="tonight", name="Tonight")
    user = make_user("director", event, Role.DIRECTOR)
    sent = {"username": user.username, "password": PASSWORD}
    answer = client.post("/login/", sent, follow=True)
    assert answer.redirect_chain[-1] == ("/desk/tonight/", 302)
    assert 'href="/desk/"' in markup(answer)
    assert "Tonight" in shown(client, "/desk/")
    # The last event is over: tonight's is still the only one to direct.
    over = make_event(4, slug="last-week", name="Last week")
    grant(user, Role.DIRECTOR, over.pk)
    event_life.finish_event(event_id=over.pk, actor=SYSTEM, despite_open=True)
    assert client.get("/desk/?now=1")["Location"] == "/desk/tonight/"
    listed = shown(client, "/desk/")
    assert listed.index("Tonight") < listed.index("Last week")
    # With two events they choose, and a mere scorekeeper has no desk.
    other = make_event(4, slug="next-week", name="Next week")
    grant(user, Role.DIRECTOR, other.pk)
    assert client.get("/desk/?now=1").status_code == 200
    client.force_login(make_user("scorekeeper", event, Role.SCOREKEEPER))
    assert client.get("/desk/?now=1").status_code == 200
    # A referee or an appeals member is led to the queue, also from the list; a director as well is led to the desk.
    for role in (Role.REFEREE, Role.CHIEF_REFEREE, Role.APPEALS):
        member = make_user(role.value, event, role)
        client.force_login(member)
        assert client.get("/desk/?now=1")["Location"] == "/referee/tonight/"
        assert 'href="/referee/tonight/"' in shown(client, "/desk/")
    grant(member, Role.DIRECTOR, event.pk)
    assert client.get("/desk/?now=1")["Location"] == "/desk/tonight/"


def test_who_may_open_events_may_take_one_up(client: Client) -> None:
    event = make_event(4)
    assert "/desk/take-up/" in shown(admin(client), "/desk/")
    other = director(Client(), event)
    assert "/desk/take-up/" not in shown(other, "/desk/")
    assert other.get("/desk/take-up/").status_code == 403


@pytest.mark.guide("director#requests-and-players-to-keep-apart")
def test_wishes_hold_through_the_page_into_the_draw(client: Client) -> None:
    event = make_event(24)
    director(client, event)
    page = f"/desk/{event.slug}/wishes/"
    client.post(page, {"verb": "wish", "number": 3, "family": "Lagae"})
    client.post(page, {"verb": "wish", "number": 4, "family": "Lagae"})
    client.post(page, {"verb": "wish", "number": 9, "no_scorekeeping": "on"})
    client.post(page, {"verb": "wish", "number": 11, "fixed_seat": "on"})
    client.post(page, {"verb": "ban", "one": 5, "two": 6})
    text = shown(client, page)
    for said in ("Lagae", "cannot change tables", "does not keep the score"):
        assert said in text
    candidate = candidate_of(event)
    publication.publish_draw(draw_id=candidate.pk, actor=SYSTEM)
    at = {
        seat.entrant.number: seat
        for seat in Seat.objects.filter(round=candidate.round_id).select_related("entrant")
    }
    assert at[3].table_id != at[4].table_id
    assert at[5].table_id != at[6].table_id
    assert not at[9].scorekeeper
    assert at[11].position == "A"
    bad = client.post(page, {"verb": "wish", "number": 99, "family": "Nobody"}).content.decode()
    assert "no number 99" in bad
    assert 'value="Nobody"' in bad


@pytest.mark.guide("director#requests-and-players-to-keep-apart")
def test_a_request_of_several_players_is_made_at_once_and_takes_nothing_away(
    client: Client,
) -> None:
    event = make_event(8)
    director(client, event)
    page = f"/desk/{event.slug}/wishes/"
    client.post(page, {"verb": "wish", "number": "2, 4-6", "family": "Lagae"})
    client.post(page, {"verb": "wish", "number": "4;8", "no_scorekeeping": "on"})
    assert list(event.entrants.filter(family="Lagae").values_list("number", flat=True)) == [
        2,
        4,
        5,
        6,
    ]
    assert "4 " + event.entrants.get(number=4).person.name in shown(client, page)
    assert "family Lagae, does not keep the score" in shown(client, page)
    for sent, why in (
        ({"number": "3, Jan", "family": "Maes"}, "Write start numbers alone"),
        ({"number": "3"}, "Write a family or tick a request."),
        # An unknown number: the others are not changed either.
        ({"number": "3, 99", "family": "Maes"}, "no number 99"),
    ):
        refused = client.post(page, {"verb": "wish", **sent}).content.decode()
        assert why in refused
        assert f'value="{sent["number"]}"' in refused
    assert not event.entrants.filter(family="Maes").exists()
    client.post(page, {"verb": "unwish", "number": 4})
    fourth = event.entrants.get(number=4)
    assert (fourth.family, fourth.keeps_score) == ("", True)


@pytest.mark.parametrize(
    ("chosen", "options"), [("floor", {}), ("alone", {"penalty_floor": False})]
)
def test_a_new_event_says_what_a_penalty_is_worth(
    client: Client, chosen: str, options: dict[str, object]
) -> None:
    """Rules specification A.7: the switch ``penalty_floor`` of every rulebook."""
    admin(client)
    page = shown(client, "/desk/new/", kind="championship")
    assert "or the deal as played where that is worth more" in page
    typed = {
        "name": "Coupe",
        "day": "2026-11-21",
        "language": "fr",
        "rulebook": "coinchee",
        "shape": "championship",
        "rounds": 3,
        "deals": 4,
        "minutes": 90,
        "cut": 8,
        "ranking": "world_championship",
        "penalty_floor": chosen,
        "protocol": "confirm",
        "bell_rule": "finish",
        "depth": "points",
    }
    assert client.post("/desk/new/", typed).status_code == 302
    assert Event.objects.get().options == options


def test_a_semi_final_is_asked_for_in_a_championship_only(client: Client) -> None:
    admin(client)
    typed = {
        "name": "Coupe",
        "day": "2026-11-21",
        "language": "fr",
        "rulebook": "belgian",
        "shape": "individual_draw",
        "rounds": 4,
        "deals": 4,
        "minutes": 75,
        "cut": 24,
        "penalty_floor": "floor",
        "protocol": "confirm",
        "bell_rule": "finish",
        "depth": "points",
    }
    refused = client.post("/desk/new/", typed)
    assert "Only a championship has a semi-final" in refused.content.decode()
    assert not Event.objects.exists()
    assert client.post("/desk/new/", typed | {"cut": 0}).status_code == 302
    other = typed | {"name": "Coupe 2", "shape": "championship"}
    assert client.post("/desk/new/", other).status_code == 302
    assert [e.stages.count() for e in Event.objects.order_by("name")] == [1, 3]


@pytest.mark.guide("director#requests-and-players-to-keep-apart", "formats#wishes")
def test_the_form_of_a_stage_says_until_when_families_are_apart(client: Client) -> None:
    event = make_event(8)
    for number in (1, 2):
        bans_and_wishes.wish(event_id=event.pk, number=number, actor=SYSTEM, family="Lagae")
    client.force_login(make_user("director", event, Role.DIRECTOR))
    page = f"/desk/{event.slug}/stages/1/"
    rounds = event.stages.get(order=1).rounds_planned
    round_ = event.stages.get(order=1).rounds.get(number=1)
    for said, until in (("60", rounds), ("0", 0), ("1", 1)):
        (form,) = (
            form
            for form in Offers(page, client.get(page).content.decode()).forms.values()
            if "family_rounds" in dict(form.fields)
        )
        assert client.post(page, dict(form.fields) | {"family_rounds": said}).status_code == 302
        work_on(str(draws.request_draw(round_id=round_.pk, actor=SYSTEM).pk))
        draw = round_.draws.order_by("-number").first()
        assert draw is not None
        assert draw.request["wishes"]["families_apart_until"] == until
        draws.discard_draw(draw_id=draw.pk, actor=SYSTEM)
    client.post(page, dict(form.fields) | {"family_rounds": "61"})
    assert event.stages.get(order=1).drawing["family_rounds"] == 1


def test_the_next_step_says_before_the_draw_how_many_sit_out(client: Client) -> None:
    event = make_event(11)
    director(client, event)
    said = "3 of those present will have a bye"
    assert said in shown(client, f"/desk/{event.slug}/")
    entrants.enter_player(event_id=event.pk, name="The twelfth", present=True, actor=SYSTEM)
    assert "will have a bye" not in shown(client, f"/desk/{event.slug}/")


def test_the_slip_of_a_round_that_is_over_leads_to_the_next_draw() -> None:
    event = make_event(4, plan=[new_stage("Rounds", rounds=2, deals_per_game=1)], rulebook="parlee")
    round_ = draw_and_publish(event.stages.get().rounds.get(number=1), SYSTEM)
    phone = Client(headers={"Accept-Language": "en"})
    link = f"/t/{table_token(round_.tables.get())}/"
    assert phone.get(link).status_code == 200
    for game in (1, 2, 3):
        sign(enter(sheet_at(round_, 1, game), 40))
    rounds.close_round(round_id=round_.pk, actor=SYSTEM)
    # At an address without guesses left, a link that was valid does not count as a guess.
    while TOKENS_BY_ADDRESS.take("127.0.0.1"):
        pass
    answer = phone.get(link)
    assert answer.status_code == 404
    page = markup(answer)
    assert "The round at table 1 is over" in page
    assert f'href="/e/{event.slug}/draw/"' in page
    assert phone.get(f"/t/{'x' * 24}/").status_code == 429
    TOKENS_BY_ADDRESS.clear("127.0.0.1")
    assert "does not open a table" in markup(phone.get(f"/t/{'x' * 24}/"))


def test_who_asks_for_prizes_finds_them_first_and_no_choice_of_one_stage(client: Client) -> None:
    event = make_event(4, plan=[new_stage("Rounds", rounds=1, deals_per_game=1)], rulebook="parlee")
    round_ = draw_and_publish(event.stages.get().rounds.get(), SYSTEM)
    for game in (1, 2, 3):
        sign(enter(sheet_at(round_, 1, game), 40))
    director(client, event)
    # The hall links to the next step, once nothing is missing.
    closes = "All tables have signed: close the round"
    hall = shown(client, f"/desk/{event.slug}/room/")
    assert closes in hall
    closing = re.findall(r'action="([^"]+/close/)"', hall)
    # The desk offers that first, without a button to pause the clock of finished tables.
    step = shown(client, f"/desk/{event.slug}/").partition('id="next-step"')[2]
    assert re.findall(r'<form[^>]* action="([^"]+)"', step)[:1] == closing
    assert client.post(*closing, {"back": "desk"}).status_code == 302
    round_.refresh_from_db()
    assert round_.state == "closed"
    assert closes not in shown(client, f"/desk/{event.slug}/room/")
    page = f"/desk/{event.slug}/documents/"
    assert "Not final yet" not in shown(client, page)
    set_state(stage_id=event.stages.get().pk, state="final", actor=SYSTEM)
    for kind, asked in (("prizes", "prizes"), ("certificates", "top"), ("receipts", "fee")):
        form = shown(client, page, kind=kind)
        assert form.index(f'name="{asked}"') < form.index('name="paper"'), kind
        assert re.search(r'<input type="hidden" name="stage"', form)
        assert form.index("More choices") < form.index('name="round"'), kind  # of no round
    usual = shown(client, page)
    assert 'value="bracket"' not in usual  # there is none in a draw of individuals
    assert usual.index('name="round"') < usual.index("More choices")
    assert usual.index('name="paper"') < usual.index('name="prizes"')
    # An invalid line of the prizes is refused immediately, and the form keeps all typed values.
    typed = {
        "kind": "prizes",
        "prizes": "1: 50\neerste: 20",
        "everyone": "a pint",
        "paper": "letter",
    }
    for lines, said in (
        (typed["prizes"], "Line 2 of the prizes is not like “1: 250” or “3: a ham”."),
        ("1: 5\n1: 4", "Place 1 has two prizes."),
    ):
        answer = client.post(page, {**typed, "prizes": lines})
        text = markup(answer)
        assert (answer.status_code, said in text) == (400, True)
        assert f"{lines}</textarea>" in answer.content.decode()
        assert 'value="a pint"' in text
        assert re.search(r'value="letter"\s+selected', text)
        assert re.search(r'value="prizes"\s+selected', text)
    assert "Enter the prizes first." in markup(client.post(page, {"kind": "prizes"}))
    # The same holds for an invalid fee and for documents with the links of a closed round.
    answer = client.post(page, {"kind": "receipts", "fee": "twelve", "paper": "letter"})
    text = markup(answer)
    assert (answer.status_code, "Enter the entry fee in euro." in text) == (400, True)
    assert 'value="twelve"' in text
    assert text.index('name="fee"') < text.index("More choices")
    label = re.compile(r"Entry fee in euro \(receipts\)(.*?)</label>", re.DOTALL)
    assert ["optional" in label.findall(each)[0] for each in (text, usual)] == [False, True]
    for kind in ("slips", "round"):
        answer = client.post(page, {"kind": kind})
        assert answer.status_code == 409
        assert "This round is closed: its links no longer work." in markup(answer)
    assert not Job.objects.filter(kind="tournament.document").exists()


def test_a_partner_is_asked_for_where_pairs_play(client: Client) -> None:
    event = make_event(4)
    director(client, event)
    assert 'name="partner"' not in shown(client, f"/desk/{event.slug}/players/")
    assert 'name="partner"' not in shown(client, f"/desk/{event.slug}/players/1/")
    pairs = make_event(0, slug="pairs", plan=[new_stage("Pairs", format="pairs_swiss", rounds=2)])
    grant(User.objects.get(username="director"), Role.DIRECTOR, pairs.pk)
    assert 'name="partner"' in shown(client, "/desk/pairs/players/")


def formats_in(form: StageForm) -> list[str]:
    offered = form.fields["format"]
    assert isinstance(offered, ChoiceField)
    return [key for key, _label in offered.choices]


def test_a_new_stage_offers_the_formats_of_those_who_play_in_the_others(client: Client) -> None:
    """Pairs are offered formats of pairs, with the games of the stage before; single players theirs."""
    for format_, pairs in (("pairs_swiss", True), ("individual_draw", False)):
        games = 1 if pairs else 3
        plan = new_stage("Rounds", format=format_, games_per_round=games, deals_per_game=4)
        event = make_event(8, plan=[plan], name=f"Event {format_}")
        form = StageForm(event=event)
        offered = formats_in(form)
        assert offered
        assert all(FORMATS[key].in_pairs("pair" if pairs else "player") == pairs for key in offered)
        assert (form["format"].value(), form["games_per_round"].value()) == (format_, games)
        # The only stage itself may still become anything.
        assert formats_in(StageForm.of(event.stages.get())) == list(FORMATS)
        other = "individual_draw" if pairs else "ko"
        client.force_login(make_user(f"director-{format_}", event, Role.DIRECTOR))
        page = client.post(
            f"/desk/{event.slug}/stages/new/",
            {"name": "Final", "format": other, "rounds": 1, "games_per_round": 1},
        )
        assert page.status_code == 200
        assert event.stages.count() == 1


def test_no_rank_is_shown_before_a_game() -> None:
    """Nobody has a rank before the first result, then those who have played; a bye of a bracket is a place."""
    event = make_event(8, plan=[new_stage("Rounds", rounds=2, games_per_round=3, deals_per_game=2)])
    stage = event.stages.get()
    draw_and_publish(stage.rounds.get(number=1), SYSTEM)
    assert {row.rank for row in standings_of(stage).rows} == {None}
    first = Sheet.objects.filter(table__round__stage=stage).order_by("table__number", "order")[0]
    play_sheet(first, chance())
    shown = {row.number: row.rank for row in standings_of(stage).rows}
    seats = first.table.seats.values_list("entrant__number", flat=True)
    played = set(seats)
    assert {number for number, rank in shown.items() if rank is not None} == played
    for number in shown:
        page = Client().get(f"/e/{event.slug}/players/{number}/").content.decode()
        assert ("<small>/ " in page) == (number in played), number
