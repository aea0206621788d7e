"""One ranking of all entrants of an event: the final, then the semi-final, then the rest."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import replace
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone, translation

from accounts.models import Role
from ledger.errors import Conflict, Refused
from ledger.jobs import work_on
from ledger.models import AuditEntry
from tests.tournament.build import SYSTEM, chance, make_event, make_user, varied
from tests.tournament.documents.reading import page_texts, plain, whole_text
from tests.tournament.results import copy_slip
from tests.tournament.test_stages import publish_next
from tournament.demo.simulation import advance, draw_and_publish, play_round
from tournament.models import Draw, Event, StandingsState
from tournament.models.tables import Sheet
from tournament.ranking.model import Entrant as Ranked
from tournament.ranking.model import Row, Standing
from tournament.ranking.overall import overall
from tournament.ranking.presets import PRESETS
from tournament.services import entrants, rounds, stages
from tournament.services.documents import BUILDERS, request_document
from tournament.services.events import create_event, new_stage, update_event
from tournament.services.standings import set_state

pytestmark = pytest.mark.django_db
PLAYERS = 20


def play(drawn: Draw) -> None:
    """Enter every table of a round: the lower start number has more marks, according to its number."""
    at = dict(drawn.round.stage.event.entrants.values_list("pk", "number"))
    for sheet in Sheet.objects.filter(table__round=drawn.round).select_related("table"):
        seats = {seat.position: at[seat.entrant_id] for seat in sheet.table.seats.all()}
        best = {side: min(seats[p] for p in where) for side, where in sheet.sides.items()}
        copy_slip(sheet, {side: 30 - number for side, number in best.items()})
    rounds.close_round(round_id=drawn.round_id, actor=SYSTEM)


def championship() -> Event:
    """Play twenty players, a cut to eight, a final of four, without final standings."""
    event = create_event(
        actor=SYSTEM,
        name="Kampioenschap",
        day=timezone.now().date(),
        public_seed="seed",
        plan=[
            new_stage(
                "Preliminary rounds",
                rounds=1,
                games_per_round=3,
                deals_per_game=2,
                cut={"top": 8, "tie": "lots"},
            ),
            new_stage(
                "Semi-final",
                rounds=1,
                games_per_round=3,
                deals_per_game=2,
                cut={"top": 4, "tie": "lots"},
            ),
            new_stage("Final", rounds=1, games_per_round=3, deals_per_game=2),
        ],
    )
    for number in range(1, PLAYERS + 1):
        entrants.enter_player(
            event_id=event.pk, name=f"Speler{number} Test", present=True, actor=SYSTEM
        )
    for stage in event.stages.order_by("order"):
        play(publish_next(event))
        if stage.cut:
            stages.draw_lots(stage_id=stage.pk, actor=SYSTEM)
            stages.open_next_stage(stage_id=stage.pk, actor=SYSTEM)
    event.refresh_from_db()
    return event


@pytest.fixture(scope="module")
def built(module_database: None) -> Event:
    return championship()


@pytest.fixture
def played(built: Event) -> Event:
    """Return the championship played out, without final standings."""
    return Event.objects.get(pk=built.pk)


@pytest.fixture
def final(played: Event) -> Event:
    """Return the championship with all its standings final."""
    for stage in played.stages.all():
        set_state(stage_id=stage.pk, state="final", actor=SYSTEM)
    return Event.objects.get(pk=played.pk)


def blocks(event: Event) -> list[set[int]]:
    """Return the start numbers of the finalists, the other semi-finalists and the rest, from the stages' fields."""
    first, semi, last = (
        set(stage.field.values_list("entrant__number", flat=True))
        for stage in event.stages.order_by("order")
    )
    return [last, semi - last, first - semi]


def printed(event: Event, kind: str, **parameters: Any) -> bytes:
    with translation.override("fr"):
        return BUILDERS[kind](event, parameters, "fr", "a4")[0]


def numbers_on(page: str) -> list[int]:
    return [int(number) for number in re.findall(r'<tr data-entrant="(\d+)"', page)]


@pytest.mark.guide("players#the-standings", "ranking#the-whole-event")
def test_the_page_the_export_and_the_api_rank_everybody_of_the_event_once(
    client: Client, final: Event
) -> None:
    page = client.get(f"/e/{final.slug}/standings/overall/").content.decode()
    shown = numbers_on(page)
    assert [set(shown[:4]), set(shown[4:8]), set(shown[8:])] == blocks(final)
    assert len(shown) == len(set(shown)) == PLAYERS
    ranks = [int(rank) for rank in re.findall(r'class="rank">(\d+)=?<', page)]
    assert (ranks[0], max(ranks) <= PLAYERS, ranks == sorted(ranks)) == (1, True, True)
    # Final standings: the standings page opens with them.
    assert numbers_on(client.get(f"/e/{final.slug}/standings/").content.decode()) == shown
    client.force_login(make_user("director", final, "director"))
    file = client.get(f"/desk/{final.slug}/export/overall.csv").content.decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(file)))
    assert [(int(row["rank"]), int(row["number"])) for row in rows] == list(
        zip(ranks, shown, strict=True)
    )
    answer = client.get(f"/api/v1/events/{final.slug}/overall/?rank=1").json()
    assert (answer["state"], answer["rows"][0]["number"]) == ("final", shown[0])


@pytest.mark.guide("ranking#the-whole-event")
def test_prizes_below_the_finalists_are_paid_and_the_winner_s_diploma_counts_everybody(
    final: Event,
) -> None:
    finalists, semi, rest = blocks(final)
    text = whole_text(printed(final, "prizes", prizes="1: 250\n5-8: 40\n20: un jambon"))
    for number in semi:
        assert f"Speler{number} Test" in text
    assert text.count("40,00") == 4
    assert any(f"Speler{number} Test" in text for number in rest)
    diploma = plain(page_texts(printed(final, "certificates", top=1))[0])
    assert "1re place" in diploma
    assert "sur 20 au classement" in diploma
    winner = final.stages.get(order=3).standings.rows[0]["number"]
    assert winner in finalists
    assert f"Speler{winner} Test" in diploma
    sheet = whole_text(printed(final, "standings", stage=0))
    assert all(f"Speler{number} Test" in sheet for number in range(1, PLAYERS + 1))


@pytest.mark.guide("ranking#prizes")
def test_a_prize_without_a_recipient_is_told_to_whoever_asks(client: Client, final: Event) -> None:
    with pytest.raises(Refused) as refusal:
        printed(final, "prizes", prizes="1: 250\n19-22: 10")
    assert refusal.value.code == "no_recipient"
    client.force_login(make_user("director", final, "director"))
    with translation.override("fr"):
        job = request_document(
            event_id=final.pk,
            kind="prizes",
            language="fr",
            paper="a4",
            actor=SYSTEM,
            parameters={"prizes": "1: 250\n19-22: 10"},
        )
    work_on(str(job.pk))
    page = client.get(
        f"/desk/{final.slug}/jobs/{job.pk}/", headers={"accept-language": "fr"}
    ).content.decode()
    assert "21, 22" in page
    assert not final.documents.exists()


def test_a_stage_that_is_not_final_holds_prizes_and_diplomas_and_is_named(played: Event) -> None:
    last = played.stages.get(order=3)
    set_state(stage_id=last.pk, state="final", actor=SYSTEM)
    for kind in ("certificates", "prizes"):
        with pytest.raises(Conflict) as refusal:
            printed(played, kind, prizes="1: 250")
        assert "Demi-finale" in whole(refusal.value)
        assert printed(played, kind, prizes="1: 250", stage=3).startswith(b"%PDF")


def test_the_page_of_documents_says_what_waits_for_final_standings(played: Event) -> None:
    client = Client()
    client.force_login(make_user("director", played, Role.DIRECTOR))
    path, english = f"/desk/{played.slug}/documents/", {"Accept-Language": "en"}
    page = client.get(path, headers=english).content.decode()
    # Before final standings neither document nor its prizes field is offered; the page gives the reason.
    assert 'value="prizes"' not in page
    assert 'value="certificates"' not in page
    assert 'name="prizes"' not in page
    assert "are made of final standings" in page
    last = played.stages.get(order=3)
    set_state(stage_id=last.pk, state="final", actor=SYSTEM)
    page = client.get(path, headers=english).content.decode()
    assert 'value="prizes"' in page
    assert 'name="prizes"' in page
    waits = page.split("Not final yet: ")[1].split("<")[0]
    assert "Semi-final" in waits
    assert last.title not in waits
    for stage in played.stages.all():
        set_state(stage_id=stage.pk, state="final", actor=SYSTEM)
    assert "Not final yet" not in client.get(path, headers=english).content.decode()


def whole(refusal: Conflict) -> str:
    with translation.override("fr"):
        return str(refusal)


def test_how_firm_standings_are_is_recorded_when_it_changes(final: Event) -> None:
    stage = final.stages.get(order=1)
    version = Event.objects.get(pk=final.pk).version
    for state in ("frozen", "frozen", "provisional"):
        set_state(stage_id=stage.pk, state=StandingsState(state), actor=SYSTEM)
    entries = AuditEntry.objects.filter(scope=final.pk, verb="standings.state")
    said = [(each.before["state"], each.after["state"]) for each in entries.order_by("sequence")]
    assert said[-1] == ("frozen", "provisional")
    assert [after for _before, after in said].count("frozen") == 1
    assert Event.objects.get(pk=final.pk).version > version


@pytest.mark.guide("ranking#the-whole-event")
def test_a_hidden_final_keeps_the_ranking_of_the_event_back(client: Client, played: Event) -> None:
    update_event(event_id=played.pk, actor=SYSTEM, changes={"hide_last_rounds": 1})
    page = client.get(f"/e/{played.slug}/standings/overall/").content.decode()
    assert numbers_on(page) == []
    assert client.get(f"/api/v1/events/{played.slug}/overall/").json()["rows"] == []


def standing(*rows: tuple[int, int | None, int]) -> Standing:
    """Return standings from number, rank and games of each line."""
    shared = [rank for _number, rank, _games in rows]
    return Standing(
        PRESETS["world_championship"].rule,
        tuple(
            Row(
                at,
                rank,
                shared.count(rank) > 1,
                Ranked(str(number), number),
                (),
                games,
                0,
                0,
                0,
                0,
                False,
            )
            for at, (number, rank, games) in enumerate(rows, start=1)
        ),
        1,
    )


def test_a_finalist_who_does_not_come_follows_those_who_played_and_a_final_to_come_ranks_nobody() -> (
    None
):
    first = standing((1, 1, 3), (2, 2, 3), (3, 2, 3), (4, 4, 3), (5, 5, 3))
    final = standing((3, 1, 3), (1, 2, 3), (2, None, 0))
    ranked = [
        (row.rank, row.entrant.number, row.stage, row.tied) for row in overall([first, final])
    ]
    assert ranked == [
        (1, 3, 1, False),
        (2, 1, 1, False),
        (3, 2, 0, False),
        (4, 4, 0, False),
        (5, 5, 0, False),
    ]
    to_come = standing((3, 1, 0), (1, 1, 0), (2, 1, 0))
    assert [row.entrant.number for row in overall([first, to_come])] == [1, 2, 3, 4, 5]


def left(ranked: Standing, number: int) -> Standing:
    """Return the standings with one entrant withdrawn without a rank."""
    return replace(
        ranked,
        rows=tuple(
            replace(row, rank=None, entrant=replace(row.entrant, withdrawn=True))
            if row.entrant.number == number
            else row
            for row in ranked.rows
        ),
    )


@pytest.mark.guide("ranking#the-whole-event")
def test_who_leaves_the_final_ranks_behind_the_finalists_and_above_who_did_not_reach_it() -> None:
    first = standing((4, 1, 3), (5, 2, 3), (1, 3, 3), (2, 4, 3), (3, 5, 3))
    final = left(left(standing((3, 1, 2), (2, 2, 2), (1, 3, 1), (4, 4, 0)), 1), 4)
    rows = [(row.rank, row.entrant.number, row.stage, row.there) for row in overall([first, final])]
    assert rows == [(1, 3, 1, 1), (2, 2, 1, 2), (3, 4, 0, 1), (4, 1, 0, 3), (5, 5, 0, 2)]


def test_a_final_that_carries_results_ranks_the_event_from_its_first_game() -> None:
    first = standing((1, 1, 3), (2, 2, 3), (3, 3, 3))
    carried, played = standing((2, 1, 3), (1, 2, 3)), standing((2, 1, 4), (1, 2, 4))
    assert [row.entrant.number for row in overall([first, carried], {1})] == [1, 2, 3]
    assert [row.entrant.number for row in overall([first, played], {1})] == [2, 1, 3]


def test_who_leaves_once_beaten_keeps_the_rank(client: Client, played: Event) -> None:
    gone = min(blocks(played)[1])
    before = numbers_on(client.get(f"/e/{played.slug}/standings/overall/").content.decode())
    entrants.withdraw(entrant_id=played.entrants.get(number=gone).pk, actor=SYSTEM)
    page = client.get(f"/e/{played.slug}/standings/overall/").content.decode()
    assert numbers_on(page) == before
    assert "–" not in re.findall(r'class="rank">(.*?)<', page)


def test_who_withdrew_with_rounds_to_play_is_listed_last_and_without_a_rank(
    client: Client,
) -> None:
    plain = new_stage("Final", rounds=1, games_per_round=1, deals_per_game=1)
    first = varied(plain, name="Rounds", rounds_planned=2, cut={"top": 4, "tie": "lots"})
    event, luck = make_event(8, plan=[first, plain]), chance()
    advance(event, luck)
    entrants.withdraw(entrant_id=event.entrants.get(number=3).pk, actor=SYSTEM)
    while advance(event, luck) is not None:
        pass
    page = client.get(f"/e/{event.slug}/standings/overall/").content.decode()
    assert len(numbers_on(page)) == 8
    assert numbers_on(page)[-1] == 3
    assert re.findall(r'class="rank">(.*?)<', page)[-1] == "–"


def test_an_event_of_one_stage_has_no_ranking_beside_its_standings(client: Client) -> None:
    plan = [new_stage("Rounds", rounds=1, deals_per_game=1)]
    event = make_event(4, plan=plan)
    play_round(draw_and_publish(event.stages.get().rounds.get(), SYSTEM), chance())
    answer = client.get(f"/e/{event.slug}/standings/overall/")
    assert (answer.status_code, answer["Location"]) == (302, f"/e/{event.slug}/standings/")
