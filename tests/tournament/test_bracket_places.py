"""The places of a knock-out come from its bracket: standings, prizes and diplomas name its winner."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.utils import translation

from ledger.errors import Conflict
from tests.markup import without_marks
from tests.offers import Offers
from tests.tournament.build import SYSTEM, make_user
from tests.tournament.desk import agree, text_of
from tests.tournament.documents.reading import page_texts, plain, whole_text
from tests.tournament.results import copy_slip, make_level
from tests.tournament.test_stages import draw_next, event_of, publish_next, seated
from tournament.models import Draw, Event, Stage
from tournament.models.tables import Sheet
from tournament.pairing.chance import Chance
from tournament.queries import standings
from tournament.queries.brackets import brackets_shown
from tournament.queries.changed_field import changed_field
from tournament.queries.rounds import unsigned_tables
from tournament.services import entrants, publication, reseating, rounds, stages
from tournament.services.adjustments import Amount, adjust, annul
from tournament.services.documents import BUILDERS
from tournament.services.events import update_event
from tournament.services.standings import set_state

pytestmark = pytest.mark.django_db


def settle(drawn: Draw, wins: Callable[[int], int], margin: Callable[[int], int]) -> None:
    """Make a round official: at each table the lower ``wins`` wins, by the winner's ``margin``."""
    at = dict(drawn.round.stage.event.entrants.values_list("pk", "number"))
    for sheet in Sheet.objects.filter(table__round=drawn.round).select_related("table"):
        seats = {seat.position: at[seat.entrant_id] for seat in sheet.table.seats.all()}
        winner = min(seats, key=lambda seat: wins(seats[seat]))
        marks = {seat: margin(number) if seat == winner else 0 for seat, number in seats.items()}
        copy_slip(sheet, marks)
    rounds.close_round(round_id=drawn.round_id, actor=SYSTEM)


def knock_out(pairs: int, **drawing: Any) -> Event:
    """Play a knock-out in which the lower number always wins, by small margins."""
    event = event_of(pairs, "ko", rounds=1, drawing={"seeds": pairs, **drawing})
    while event.stages.get().rounds.filter(published_at__isnull=True).exists():
        settle(publish_next(event), wins=int, margin=lambda number: number)
    event.refresh_from_db()
    return event


def ranks(event: Event) -> dict[int, int | None]:
    rows = standings.recompute(stage_id=event.stages.get().pk, force=True).rows
    return {row["number"]: row["rank"] for row in rows}


@pytest.mark.guide("ranking#the-criteria")
def test_a_knock_out_ranks_by_the_bracket_and_the_beaten_of_a_round_share_their_places() -> None:
    event = knock_out(8)
    by_bracket = {1: 1, 2: 2, 3: 3, 4: 3, 5: 5, 6: 5, 7: 5, 8: 5}
    assert ranks(event) == by_bracket


def test_the_match_for_the_third_place_separates_its_two() -> None:
    assert ranks(knock_out(6, third_place=True)) == {1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 5}


def test_the_page_of_a_beaten_pair_says_that_it_is_out(client: Client) -> None:
    event = event_of(6, "ko", rounds=1, drawing={"seeds": 6})
    settle(publish_next(event), wins=int, margin=lambda number: number)
    publish_next(event)  # 5 and 6 are beaten, 1 and 2 had a bye
    page = f"/e/{event.slug}/players"
    now = {n: text_of(client, f"{page}/{n}/?part=now") for n in range(1, 7)}
    assert [n for n in now if "Out of the knock-out" in now[n]] == [5, 6]
    assert [n for n in now if "Table" in now[n]] == [1, 2, 3, 4]


def test_places_not_played_for_yet_are_shared_by_those_still_in() -> None:
    event = event_of(6, "ko", rounds=1, drawing={"seeds": 6})
    settle(publish_next(event), wins=int, margin=lambda number: number)
    assert ranks(event) == {1: 1, 2: 1, 3: 1, 4: 1, 5: 5, 6: 5}


def pools_and_knock_out() -> Event:
    """Two pools of four. The pair that wins its pool by far loses its first match of the bracket."""
    event = event_of(8, "pools_ko", rounds=3, drawing={"seeds": 2})
    for _round in range(3):
        # Pair 1 wins every match of its pool by 60, the others win theirs by one.
        settle(publish_next(event), wins=int, margin=lambda number: 60 if number == 1 else 1)
    while event.stages.get().rounds.filter(published_at__isnull=True).exists():
        # From the bracket on, pair 1 loses every match.
        settle(
            publish_next(event),
            wins=lambda number: 99 if number == 1 else number,
            margin=lambda number: 1,
        )
    event.refresh_from_db()
    return event


def test_a_pair_beaten_in_the_bracket_takes_neither_the_first_rank_nor_the_first_prize(
    client: Client,
) -> None:
    event = pools_and_knock_out()
    last = Draw.objects.filter(round__stage__event=event).order_by("-round__number").first()
    assert last is not None
    main, consolation = ({n for n in last.plan[name] if n} for name in ("main", "consolation"))
    finalists = next(set(table) for table in seated(last) if set(table) <= main)
    champion, beaten = min(finalists), max(finalists)
    found = ranks(event)
    assert (found[champion], found[beaten]) == (1, 2)
    assert found[1] == 3
    assert {found[number] for number in main} == {1, 2, 3}
    # The consolation follows the main draw, its winner first.
    assert min(found[number] or 0 for number in consolation) == 5
    assert found[min(consolation)] == 5
    stage = event.stages.get()
    set_state(stage_id=stage.pk, state="final", actor=SYSTEM)
    names = {who.number: who.person.name for who in event.entrants.select_related("person")}
    with translation.override("fr"):
        prizes = whole_text(BUILDERS["prizes"](event, {"prizes": "1: 250\n2: 100"}, "fr", "a4")[0])
        diploma = plain(page_texts(BUILDERS["certificates"](event, {"top": 1}, "fr", "a4")[0])[0])
        report = whole_text(BUILDERS["event-report"](event, {"prizes": "1: 250"}, "fr", "a4")[0])
    assert prizes.index(names[champion]) < prizes.index("250,00") < prizes.index(names[beaten])
    assert names[1] not in prizes
    assert names[champion] in diploma
    assert names[1] not in diploma
    assert names[champion] in report
    page = without_marks(
        client.get(
            f"/e/{event.slug}/standings/", headers={"accept-language": "fr"}
        ).content.decode()
    )
    assert page.index(names[champion]) < page.index(names[beaten]) < page.index(names[1])
    assert "Place dans le tableau" in page
    assert "3–4" in page


def test_who_leaves_a_bracket_keeps_the_place_reached_and_the_opponent_goes_on() -> None:
    event = event_of(4, "ko", rounds=1, drawing={"seeds": 4})
    settle(publish_next(event), wins=int, margin=lambda number: number)
    entrants.withdraw(entrant_id=event.entrants.get(number=1).pk, actor=SYSTEM)
    assert ranks(event) == {2: 1, 1: 2, 3: 3, 4: 3}
    # Up to the fourth edition a finalist who withdrew had no rank, and both beaten opponents were second.
    before = standings.compute(event.stages.get(), edition=4).rows
    assert {row.entrant.number: row.rank for row in before} == {2: 1, 3: 2, 4: 2, 1: None}


# Matches that the director decides ------------------------------------------------------------------


def level_final() -> tuple[Event, Draw]:
    """Play a knock-out of four whose final ends level; the later number sits South or North."""
    event = event_of(4, "ko", rounds=1, drawing={"seeds": 4})
    settle(publish_next(event), wins=int, margin=lambda number: number)
    final = publish_next(event)
    settle(final, wins=int, margin=lambda number: 1)
    make_level(Sheet.objects.get(table__round=final.round))
    event.refresh_from_db()
    return event, final


@pytest.fixture(scope="module")
def level_built(module_database: None) -> tuple[Event, Draw]:
    return level_final()


@pytest.fixture
def level(level_built: tuple[Event, Draw]) -> tuple[Event, Draw]:
    """Return the knock-out whose final ended level."""
    return copy.deepcopy(level_built)


def test_a_level_final_that_the_director_decides_crowns_its_winner_everywhere(
    client: Client, level: tuple[Event, Draw]
) -> None:
    event, final = level
    assert ranks(event) == {1: 1, 2: 1, 3: 3, 4: 3}
    client.force_login(make_user("director", event, "director"))
    path = f"/desk/{event.slug}/draws/{final.pk}/"
    form = without_marks(client.get(path).content.decode())
    names = {who.number: who.person.name for who in event.entrants.select_related("person")}
    assert all(f'value="{n}"' in form and names[n] in form for n in (1, 2))
    asked = {"act": "decide", "table": 1, "winner": 2, "reason": "belle supplémentaire"}
    assert agree(client, path, asked).status_code == 302
    assert ranks(event) == {2: 1, 1: 2, 3: 3, 4: 3}
    rows = {row["number"]: row for row in standings.fresh(event.stages.get()).rows}
    assert (rows[2]["won"], rows[1]["lost"], rows[1]["drawn"]) == (2, 1, 0)
    client.logout()
    for page in (f"/e/{event.slug}/draw/", f"/e/{event.slug}/players/1/"):
        assert "belle supplémentaire" in without_marks(client.get(page).content.decode())
    results = client.get(f"/api/v1/events/{event.slug}/results/?round=2").json()["rows"]
    assert {(row["numbers"], row["outcome"], row["decision"]) for row in results} == {
        ("1", "lost", "belle supplémentaire"),
        ("2", "won", "belle supplémentaire"),
    }
    with translation.override("fr"):
        report = whole_text(BUILDERS["event-report"](event, {}, "fr", "a4")[0])
    assert "belle supplémentaire" in report


def test_a_pool_match_that_nobody_played_is_decided_at_the_desk(client: Client) -> None:
    event = event_of(8, "pools_ko", rounds=3)
    first = publish_next(event)
    client.force_login(make_user("director", event, "director"))
    path = f"/desk/{event.slug}/draws/{first.pk}/"
    number, (here, away) = first.tables[0]["number"], sorted(seated(first)[0])
    assert "Not played, or tied" in without_marks(client.get(path).content.decode())
    asked = {"act": "decide", "table": number, "winner": away, "reason": "absent"}
    assert agree(client, path, asked).status_code == 302
    rows = {row["number"]: row for row in standings.fresh(event.stages.get()).rows}
    assert (rows[away]["won"], rows[here]["lost"]) == (1, 1)
    assert number not in unsigned_tables(first.round)


@pytest.mark.guide("director#after-the-publication")
def test_a_match_that_nobody_played_is_decided_as_a_forfeit_and_the_round_closes() -> None:
    event = event_of(4, "ko", rounds=1, drawing={"seeds": 4})
    first = publish_next(event)
    other = next(
        t["number"] for t, who in zip(first.tables, seated(first), strict=True) if 1 in who
    )
    reseating.decide_match(
        round_id=first.round_id, table=other, winner=4, reason="absents", actor=SYSTEM
    )
    for sheet in Sheet.objects.filter(table__round=first.round).exclude(table__number=other):
        copy_slip(sheet, {"NS": 26, "EW": 10})
    rounds.close_round(round_id=first.round_id, actor=SYSTEM)
    assert ranks(event)[1] == 3
    rows = {row["number"]: row for row in standings.fresh(event.stages.get()).rows}
    assert (rows[4]["won"], rows[1]["lost"], rows[1]["values"][-1]) == (1, 1, 0)
    assert 4 in seated(publish_next(event))[0]


@pytest.mark.guide("director#after-the-publication")
def test_closing_a_round_with_a_level_match_leads_to_the_form(
    client: Client, level: tuple[Event, Draw]
) -> None:
    event, final = level
    rounds.reopen_round(round_id=final.round_id, actor=SYSTEM, reason="test")
    client.force_login(make_user("director", event, "director"))
    answer = client.post(f"/desk/{event.slug}/rounds/{final.round_id}/close/")
    assert answer["Location"] == f"/desk/{event.slug}/draws/{final.pk}/#matches"
    page = without_marks(client.get(f"/desk/{event.slug}/rounds/").content.decode())
    assert f"/desk/{event.slug}/draws/{final.pk}/#matches" in page


def test_a_hidden_round_tells_no_decision(client: Client, level: tuple[Event, Draw]) -> None:
    event, final = level
    update_event(event_id=event.pk, actor=SYSTEM, changes={"hide_last_rounds": 1})
    reseating.decide_match(
        round_id=final.round_id, table=1, winner=2, reason="donne d’appoint", actor=SYSTEM
    )
    for page in ("draw/", "players/1/", "standings/"):
        assert "appoint" not in without_marks(
            client.get(f"/e/{event.slug}/{page}").content.decode()
        )
    assert "appoint" not in without_marks(
        client.get(f"/api/v1/events/{event.slug}/results/").content.decode()
    )


def test_a_draw_of_pairs_names_north_and_south_first(
    client: Client, level: tuple[Event, Draw]
) -> None:
    event, final = level
    client.force_login(make_user("director", event, "director"))
    for page, tables in (
        (f"/e/{event.slug}/draw/1/1/", 2),
        (f"/desk/{event.slug}/draws/{final.pk}/", 1),
    ):
        shown = without_marks(client.get(page, headers={"accept-language": "en"}).content.decode())
        sides = re.findall(r'class="seat seat--(\d)">([^<]+)<', shown)
        assert sides == [("1", "N-S"), ("2", "E-W")] * tables, page


# Level in a pool ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def pools_built(module_database: None) -> tuple[Event, list[int]]:
    event = event_of(8, "pools_ko", rounds=3, drawing={"seeds": 2})
    for _round in range(3):
        settle(publish_next(event), wins=int, margin=lambda number: 1)
    pools = Draw.objects.get(round__stage__event=event, round__number=3).plan["pools"]
    event.refresh_from_db()
    return event, sorted(next(pool for pool in pools if 1 in pool))


@pytest.fixture
def pools_played(pools_built: tuple[Event, list[int]]) -> tuple[Event, list[int]]:
    """Return pools of four played out, the lower number winning, and the order of number 1's pool."""
    return copy.deepcopy(pools_built)


@pytest.fixture
def level_pools(pools_played: tuple[Event, list[int]]) -> Event:
    """Return the same two pools with every match level, so that each whole pool is tied."""
    event, _pool = pools_played
    for sheet in Sheet.objects.filter(table__round__stage__event=event):
        make_level(sheet)
    event.refresh_from_db()
    return event


@pytest.mark.guide("ranking#ties-in-a-pool")
def test_those_level_in_a_pool_are_settled_by_public_lots_and_it_is_said(
    client: Client, level_pools: Event
) -> None:
    pools = Draw.objects.get(round__stage=level_pools.stages.get(), round__number=3).plan["pools"]
    # The guide's procedure: the shuffle over the numbers in ascending order, labelled with them.
    cast = [
        Chance(f"{level_pools.public_seed}/1", "pool|" + ",".join(map(str, sorted(pool)))).shuffled(
            sorted(pool)
        )
        for pool in pools
    ]
    assert any(order != sorted(order) for order in cast)
    page = client.get(f"/e/{level_pools.slug}/standings/", headers={"accept-language": "en"})
    names = {who.number: who.person.name for who in level_pools.entrants.select_related("person")}
    for order in cast:
        said = ", ".join(f"{number} {names[number]}" for number in order)
        assert said in " ".join(without_marks(page.content.decode()).split())
    drawn = publish_next(level_pools)
    assert {n for n in drawn.plan["main"] if n} == {n for order in cast for n in order[:2]}


@pytest.mark.guide("ranking#ties-in-a-pool")
def test_a_play_off_of_a_pool_stands_before_the_lots_until_the_knock_out_is_drawn(
    client: Client, level_pools: Event
) -> None:
    stage = level_pools.stages.get()
    pool, other = Draw.objects.get(round__stage=stage, round__number=3).plan["pools"]
    order = sorted(pool, reverse=True)
    client.force_login(make_user("director", level_pools, "director"))
    desk = without_marks(client.get(f"/desk/{level_pools.slug}/").content.decode())
    assert "Pairs are tied in a pool" in desk
    cut, rounds = f"/desk/{level_pools.slug}/stages/1/cut/", f"/desk/{level_pools.slug}/rounds/"
    assert cut in desk
    assert "Pairs are tied in a pool" in without_marks(client.get(rounds).content.decode())
    shown = without_marks(client.get(cut).content.decode())
    assert "everybody qualifies" not in shown
    offered = Offers(cut, shown).forms.values()
    form = next(form for form in offered if any(name == "numbers" for name, _value in form.fields))
    typed = {"verb": "play_off", "numbers": " ".join(map(str, order))}
    assert client.post(form.where, typed).status_code == 302
    names = {who.number: who.person.name for who in level_pools.entrants.select_related("person")}
    page = client.get(f"/e/{level_pools.slug}/standings/", headers={"accept-language": "nl"})
    said = " ".join(without_marks(page.content.decode()).split())
    assert ", ".join(f"{number} {names[number]}" for number in order) in said
    assert "Poule A: gelijk op elk criterium. Volgorde van de barrage:" in said
    drawn = publish_next(level_pools)
    assert set(order[:2]) <= {n for n in drawn.plan["main"] if n}
    assert "Pairs are tied in a pool" not in without_marks(client.get(rounds).content.decode())
    with pytest.raises(Conflict) as refusal:
        stages.settle_play_off(stage_id=stage.pk, numbers=other, actor=SYSTEM)
    assert refusal.value.code == "bracket_drawn"


def test_the_order_that_a_bracket_was_drawn_from_is_not_called_the_lots_of_those_left_level(
    client: Client, level_pools: Event
) -> None:
    stage = level_pools.stages.get()
    order = publish_next(level_pools).request["results"]["pools"][0]

    def lots(numbers: list[int]) -> list[int]:
        label = "pool|" + ",".join(map(str, sorted(numbers)))
        return Chance(f"{level_pools.public_seed}/1", label).shuffled(sorted(numbers))

    left_by = {gone: [number for number in order if number != gone] for gone in order}
    ruled, others = next((gone, left) for gone, left in left_by.items() if lots(left) != left)
    adjust(
        stage_id=stage.pk,
        source="test:1",
        amounts=[Amount(level_pools.entrants.get(number=ruled).pk, marks=-5)],
        reason="a ruling",
        actor=SYSTEM,
        round_id=stage.rounds.get(number=2).pk,
    )
    names = {who.number: who.person.name for who in level_pools.entrants.select_related("person")}
    page = client.get(f"/e/{level_pools.slug}/standings/", headers={"accept-language": "en"})
    left = ", ".join(f"{number} {names[number]}" for number in others)
    said = " ".join(without_marks(page.content.decode()).split())
    assert f"Pool A: tied on every criterion. Order taken for the knock-out: {left}" in said
    assert "Pool B: tied on every criterion. Order by lot" in said


def test_what_a_ruling_takes_counts_in_the_order_of_its_pool(
    client: Client, pools_played: tuple[Event, list[int]]
) -> None:
    event, pool = pools_played
    stage = event.stages.get()
    first, second = pool[:2]

    def order() -> list[int]:
        found = standings.compute(Stage.objects.get(pk=stage.pk)).ranked
        return [row.entrant.number for row in found if row.entrant.number in pool]

    assert order() == pool
    # 3 games won and net +3 become 2 and -2; the second of the pool has 2 and +1.
    adjust(
        stage_id=stage.pk,
        source="test:1",
        amounts=[Amount(event.entrants.get(number=first).pk, marks=-5, games_won=-1)],
        reason="a ruling",
        actor=SYSTEM,
        round_id=stage.rounds.get(number=2).pk,
    )
    assert order() == [second, first, *pool[2:]]
    table = plain(without_marks(client.get(f"/e/{event.slug}/standings/").content.decode()))
    names = {who.number: who.person.name for who in event.entrants.select_related("person")}
    assert table.index(names[second]) < table.index(names[first])
    assert publish_next(event).request["results"]["pools"][0][:2] == [second, first]
    # After the annulment the order is as it was.
    annul(source="test:1", actor=SYSTEM, reason="on appeal")
    assert order() == pool


def rule_against(event: Event, number: int, *, marks: int = -50, games: int = -3) -> None:
    """Rule against an entrant's result in the pool; by default it loses all of it."""
    stage = event.stages.get()
    adjust(
        stage_id=stage.pk,
        source="test:1",
        amounts=[Amount(event.entrants.get(number=number).pk, marks=marks, games_won=games)],
        reason="a ruling",
        actor=SYSTEM,
        round_id=stage.rounds.get(number=2).pk,
    )


@pytest.mark.guide("director#from-stage-to-stage")
def test_a_pool_that_changed_after_the_knock_out_was_drawn_is_said_and_settled(
    client: Client, pools_played: tuple[Event, list[int]]
) -> None:
    event, pool = pools_played
    stage = event.stages.get()
    final = publish_next(event)
    assert set(pool[:2]) < set(final.plan["main"])
    client.force_login(make_user("director", event, "director"))
    desk, said = f"/desk/{event.slug}/", "The ranking has changed: others would qualify"
    english = {"accept-language": "en"}

    def read() -> str:
        return plain(without_marks(client.get(desk, headers=english).content.decode()))

    assert said not in read()
    rule_against(event, pool[0])
    names = {who.number: who.person.name for who in event.entrants.select_related("person")}
    page = read()
    assert said in page
    gains, loses = page.index(names[pool[2]]), page.index(names[pool[0]])
    assert page.index("would now qualify") < gains < page.index("would no longer qualify") < loses
    # The draw stands until the director withdraws it.
    ranked = {row.entrant.number: row.rank for row in standings.compute(stage).rows}
    assert ranked[pool[0]] == 1
    offered = Offers(
        desk, without_marks(client.get(desk, headers=english).content.decode())
    ).forms.values()
    form = next(form for form in offered if ("verb", "stand") in {b[1:] for b in form.buttons})
    typed = {"verb": "stand", "reason": "the knock-out is under way"}
    assert client.post(form.where, typed).status_code == 302
    assert said not in read()
    annul(source="test:1", actor=SYSTEM, reason="on appeal")
    assert said not in read()
    rule_against(event, pool[1])
    assert said in read(), "another change is another question"
    publication.unpublish(round_id=final.round_id, actor=SYSTEM, reason="a pool changed")
    assert said not in read()
    assert {pool[0], pool[2]} < set(publish_next(event).plan["main"])


@pytest.mark.guide("director#from-stage-to-stage")
def test_the_first_two_of_a_pool_who_changed_places_after_the_draw_are_said_and_settled(
    client: Client, pools_played: tuple[Event, list[int]]
) -> None:
    event, pool = pools_played
    final = publish_next(event)
    client.force_login(make_user("director", event, "director"))
    desk, said = f"/desk/{event.slug}/", "The order in a pool has changed"

    def read() -> str:
        return plain(
            without_marks(client.get(desk, headers={"accept-language": "en"}).content.decode())
        )

    assert said not in read()
    # The winner has 3 games won and net +3; with one game less they have 2 and -2, the second 2 and +1.
    rule_against(event, pool[0], marks=-5, games=-1)
    names = {who.number: who.person.name for who in event.entrants.select_related("person")}
    page = read()
    assert said in page
    assert "would no longer qualify" not in page
    moved = page[page.index("would enter the knock-out from another place") :]
    assert all(names[number] in moved for number in pool[:2])
    form = {"verb": "stand", "reason": "the knock-out is under way"}
    assert client.post(f"/desk/{event.slug}/stages/1/next/", form).status_code == 302
    assert said not in read()
    # Another change raises another question; an appeal raises none.
    rule_against(event, pool[1])
    assert "others would qualify" in read()
    annul(source="test:1", actor=SYSTEM, reason="on appeal")
    event.refresh_from_db()
    assert changed_field(event) is None
    assert set(pool[:2]) < set(final.plan["main"])


def test_a_draw_that_took_the_winner_of_a_pool_for_its_second_is_not_published(
    pools_played: tuple[Event, list[int]],
) -> None:
    event, pool = pools_played
    drawn = draw_next(event)
    rule_against(event, pool[0], marks=-5, games=-1)
    with pytest.raises(Conflict) as refusal:
        publication.publish_draw(draw_id=drawn.pk, actor=SYSTEM)
    assert refusal.value.code == "result_before_changed"
    assert draw_next(event).request["results"]["pools"][0][:2] == [pool[1], pool[0]]


def test_a_knock_out_drawn_before_a_ruling_on_its_pools_is_not_published_after_it(
    pools_played: tuple[Event, list[int]],
) -> None:
    event, pool = pools_played
    drawn = draw_next(event)
    rule_against(event, pool[0])
    with pytest.raises(Conflict) as refusal:
        publication.publish_draw(draw_id=drawn.pk, actor=SYSTEM)
    assert refusal.value.code == "result_before_changed"
    assert pool[0] not in draw_next(event).plan["main"]


def test_the_places_of_a_pool_begin_with_the_first(client: Client) -> None:
    event = event_of(6, "pools_ko", rounds=3, drawing={"pool_size": 3})
    for _round in range(3):
        settle(publish_next(event), wins=int, margin=lambda _number: 10)
    page = without_marks(client.get(f"/e/{event.slug}/standings/").content.decode())
    (pools,) = [brackets_shown(stage).pools for stage in event.stages.all()]
    assert [[row[0] for row in pool.rows] for pool in pools] == [["1", "2", "3"]] * 2
    assert all(pool.name in page for pool in pools)
