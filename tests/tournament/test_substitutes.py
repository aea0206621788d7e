"""A place that changes hands: whole or one of a pair, with the points so far or from zero."""

from __future__ import annotations

import gzip
import json
from typing import Any

import pytest
from django.test import Client

import manille_check
from accounts.models import Role
from ledger.errors import Conflict, Refused
from operations.replay import replay
from tests.tournament.build import SYSTEM, make_user
from tests.tournament.desk import agree
from tests.tournament.test_stages import draw_next, event_of, publish_next, settle
from tournament.models import Draw, Entrant, Event, Seat
from tournament.queries import standings
from tournament.queries.book import book_of
from tournament.services import archive, publication, reseating
from tournament.services.adjustments import Amount, adjust
from tournament.services.entrant_edits import correct_entrant
from tournament.services.entrants import enter_player, take_back, withdraw

pytestmark = pytest.mark.django_db

FORMATS: dict[str, dict[str, Any]] = {
    "pairs_swiss": {},
    "round_robin": {},
    "pairs_mitchell": {},
    "random": {"unit": "pair"},
}


def pairs_of(format: str = "pairs_swiss", players: int = 7) -> tuple[Event, Draw]:
    """Play a round of pairs with both names; the lower number of each table has won."""
    event = event_of(players, format, rounds=3, drawing=FORMATS.get(format, {}))
    for entrant in event.entrants.all():
        correct_entrant(
            entrant_id=entrant.pk, changes={"partner": f"Partner {entrant.number}"}, actor=SYSTEM
        )
    first = publish_next(event)
    settle(first)
    return event, first


def rows_of(event: Event) -> dict[int, dict[str, object]]:
    stage = event.stages.get()
    return {row["number"]: row for row in standings.recompute(stage_id=stage.pk, force=True).rows}


def winner(first: Draw) -> Entrant:
    """Return a pair that played and won the first round."""
    table = first.round.tables.order_by("number")[0]
    return min((seat.entrant for seat in table.seats.all()), key=lambda each: each.number)


@pytest.mark.guide("director#when-people-come-and-go")
@pytest.mark.parametrize("format", sorted(FORMATS))
def test_a_substitute_goes_on_with_the_points_and_the_rounds_played_keep_their_names(
    format: str,
) -> None:
    event, first = pairs_of(format)
    pair = winner(first)
    before = rows_of(event)
    new = reseating.substitute(entrant_id=pair.pk, leaves="second", name="Nora Nieuw", actor=SYSTEM)
    after = rows_of(event)
    assert new.person is not None
    assert new.partner is not None
    assert (new.person.name, new.partner.name) == (pair.person.name, "Nora Nieuw")
    assert pair.number not in after
    for column in ("rank", "won", "lost", "values"):
        assert after[new.number][column] == before[pair.number][column]
    others = {number: row["rank"] for number, row in before.items() if number != pair.number}
    assert {number: after[number]["rank"] for number in others} == others
    assert Seat.objects.get(round=first.round, entrant=pair).entrant_id == pair.pk
    (row,) = (each for each in book_of(event.stages.get()).people if each.person.pk == new.pk)
    assert row.cells[0] is not None
    assert row.cells[0].text == "10–4"
    second = publish_next(event)
    seated = {who for table in second.tables for who in table["players"]}
    assert pair.pk not in seated
    assert new.pk in seated | set(second.byes)
    if format == "pairs_swiss":
        # With a winner's points the substitute cannot get the bye.
        assert new.pk in seated
    settle(second)
    event.refresh_from_db()
    assert replay(event).differences == []


def test_an_outsider_finds_the_standings_of_an_archive_right() -> None:
    event, first = pairs_of()
    reseating.substitute(
        entrant_id=winner(first).pk, leaves="second", name="Nora Nieuw", actor=SYSTEM
    )
    settle(publish_next(event))
    whole = json.loads(gzip.decompress(archive.pack(event.pk)))
    assert [line for line in manille_check.check(whole).lines if "WRONG" in line] == []


def test_a_replaced_pair_begins_from_zero_where_it_is_said() -> None:
    event, first = pairs_of()
    pair = winner(first)
    new = reseating.substitute(
        entrant_id=pair.pk, leaves="first", name="Nora Nieuw", actor=SYSTEM, zero=True
    )
    after = rows_of(event)
    assert after[new.number]["won"] == 0
    assert (after[pair.number]["won"], after[pair.number]["withdrawn"]) == (1, True)


def test_a_whole_pair_keeps_its_points_unless_said_otherwise(client: Client) -> None:
    event, first = pairs_of()
    pair = winner(first)
    client.force_login(make_user("director", event, Role.DIRECTOR))
    client.cookies["django_language"] = "en"
    new = enter_player(
        event_id=event.pk, name="Een", partner="Twee", actor=SYSTEM, reserve=True, present=True
    )
    page = f"/desk/{event.slug}/wishes/"
    shown = client.get(page, {"old": pair.number, "new": new.number}).content.decode()
    assert "Replace, with the points so far" in shown
    asked = client.post(page, {"verb": "replace", "old": pair.number, "new": new.number})
    assert {line.code for line in asked.context["falls"]} == {"rounds"}
    moved = {each.entrant.number: each.after for each in asked.context["moves"].moved}
    assert moved == {pair.number: None, new.number: 1}
    assert new.number not in rows_of(event)
    agree(client, page, {"verb": "replace", "old": pair.number, "new": new.number})
    assert rows_of(event)[new.number]["won"] == 1
    for address in ("/e/{}/players/{}/", "/desk/{}/players/{}/", "/desk/{}/room/players/{}/"):
        left = client.get(address.format(event.slug, pair.number)).context["substitutions"]
        came = client.get(address.format(event.slug, new.number)).context["substitutions"]
        assert [each.number for each in left.replaced_by] == [new.number]
        assert [each.number for each in came.replaced] == [pair.number]
        assert (left.replaced, came.replaced_by) == ([], [])
        assert (left.with_points, came.with_points) == (True, True)
    # Undone before the newcomer played: as it was.
    agree(client, page, {"verb": "replace", "old": new.number, "new": pair.number})
    assert rows_of(event)[pair.number]["won"] == 1
    agree(client, page, {"verb": "replace", "old": pair.number, "new": new.number, "zero": "1"})
    assert rows_of(event)[new.number]["won"] == 0


@pytest.mark.parametrize("format", ["pools_ko", "round_robin", "pairs_swiss", "ko"])
def test_a_substitute_stands_at_once_where_the_points_place_them(format: str) -> None:
    """Between two rounds, before the next draw: with the points so far in the same place."""
    event, first = pairs_of(format, players=8)
    pair = winner(first)
    before = rows_of(event)[pair.number]["rank"]
    new = reseating.substitute(entrant_id=pair.pk, leaves="second", name="Nora Nieuw", actor=SYSTEM)
    assert rows_of(event)[new.number]["rank"] == before
    following = publish_next(event)
    assert new.pk in {who for table in following.tables for who in table["players"]}
    assert rows_of(event)[new.number]["rank"] == before


def test_who_plays_in_the_stage_takes_no_other_place_in_it() -> None:
    event, first = pairs_of(players=8)
    pair = winner(first)
    before = rows_of(event)
    other = next(
        seat.entrant
        for seat in first.round.tables.order_by("number")[1].seats.select_related("entrant")
    )
    with pytest.raises(Conflict) as refusal:
        reseating.replace_player(event_id=event.pk, old=pair.number, new=other.number, actor=SYSTEM)
    assert (refusal.value.code, refusal.value.field) == ("plays_already", "new")
    assert rows_of(event) == before


@pytest.mark.parametrize("format", ["pools_ko", "ko"])
def test_who_is_still_in_the_pools_or_the_bracket_takes_no_other_place(format: str) -> None:
    event, first = pairs_of(format, players=8)
    tables = first.round.tables.order_by("number")
    places = [min(tables[at].seats.values_list("entrant__number", flat=True)) for at in (0, 1)]
    before = rows_of(event)
    for old, new in (places, reversed(places)):
        with pytest.raises(Conflict) as refusal:
            reseating.replace_player(event_id=event.pk, old=old, new=new, actor=SYSTEM)
        assert refusal.value.code == "plays_already"
    assert rows_of(event) == before
    assert publish_next(event).tables


@pytest.mark.parametrize("name", ["Partner {}", " PÀRTNER  {} "])
def test_a_substitute_has_the_name_of_nobody_who_plays(name: str) -> None:
    event, first = pairs_of()
    pair = winner(first)
    other = event.entrants.exclude(pk=pair.pk).order_by("number")[0]
    with pytest.raises(Conflict) as refusal:
        reseating.substitute(
            entrant_id=pair.pk, leaves="first", name=name.format(other.number), actor=SYSTEM
        )
    assert (refusal.value.code, refusal.value.field) == ("plays_already", "name")
    assert str(other.number) in str(refusal.value)
    # Neither has their own partner; the name of the one who leaves is free, and of a pair that left.
    with pytest.raises(Conflict):
        reseating.substitute(
            entrant_id=pair.pk, leaves="first", name=f"Partner {pair.number}", actor=SYSTEM
        )
    withdraw(entrant_id=other.pk, actor=SYSTEM)
    new = reseating.substitute(
        entrant_id=pair.pk, leaves="first", name=f"Partner {other.number}", actor=SYSTEM
    )
    assert rows_of(event)[new.number]["won"] == 1


def test_one_of_a_pair_is_replaced_on_its_page(client: Client) -> None:
    event, first = pairs_of()
    pair = winner(first)
    client.force_login(make_user("director", event, Role.DIRECTOR))
    client.cookies["django_language"] = "en"
    page = f"/desk/{event.slug}/players/{pair.number}/"
    shown = client.get(page).content.decode()
    assert "One of the pair is replaced" in shown
    form = {"verb": "substitute", "leaves": "second"}
    agree(client, page, {**form, "name": " "})
    assert not event.entrants.filter(partner__name="Nora Nieuw").exists()
    done = agree(client, page, {**form, "name": "Nora Nieuw"})
    told = client.get(done["Location"])
    new = event.entrants.get(partner__name="Nora Nieuw")
    assert f"as number {new.number}" in told.content.decode()
    assert rows_of(event)[new.number]["won"] == 1
    for counted in ("rounds", "stages"):
        assert "7 pairs" in client.get(f"/desk/{event.slug}/{counted}/").content.decode()


def test_a_player_alone_has_nobody_to_be_replaced_in_a_pair() -> None:
    event = event_of(8, "individual_draw")
    entrant = event.entrants.get(number=1)
    with pytest.raises(Refused) as refusal:
        reseating.substitute(entrant_id=entrant.pk, leaves="first", name="X", actor=SYSTEM)
    assert refusal.value.code == "no_pair"


def test_who_takes_the_place_of_one_disqualified_is_not_disqualified() -> None:
    event, first = pairs_of()
    pair = winner(first)
    new = reseating.substitute(entrant_id=pair.pk, leaves="second", name="Nora Nieuw", actor=SYSTEM)
    adjust(
        stage_id=first.round.stage_id,
        source="ruling:1",
        reason="T-INT",
        actor=SYSTEM,
        round_id=first.round_id,
        amounts=[Amount(pair.pk, disqualified=True)],
    )
    row = rows_of(event)[new.number]
    assert (row["rank"] is not None, row["won"]) == (True, 1)


def test_who_of_the_pair_leaves_is_said() -> None:
    event, first = pairs_of()
    pair = winner(first)
    with pytest.raises(Refused) as refusal:
        reseating.substitute(entrant_id=pair.pk, leaves="third", name="Nora Nieuw", actor=SYSTEM)
    assert (refusal.value.code, refusal.value.field) == ("unknown_player", "leaves")
    assert event.entrants.count() == len(event.entrants.exclude(state="withdrawn"))


def test_a_draft_is_kept_when_a_place_changes_hands() -> None:
    event, first = pairs_of()
    draft = draw_next(event)
    new = reseating.substitute(
        entrant_id=winner(first).pk, leaves="second", name="Nora Nieuw", actor=SYSTEM
    )
    publication.publish_draw(draw_id=draft.pk, actor=SYSTEM)
    assert Seat.objects.filter(round=draft.round, entrant=new).exists()
    draft.refresh_from_db()
    assert draft.despite == {}


def test_who_left_a_place_with_its_points_does_not_come_back_beside_it() -> None:
    _event, first = pairs_of()
    pair = winner(first)
    reseating.substitute(entrant_id=pair.pk, leaves="second", name="Nora Nieuw", actor=SYSTEM)
    with pytest.raises(Conflict) as refusal:
        take_back(entrant_id=pair.pk, actor=SYSTEM)
    assert refusal.value.code == "place_taken"


def test_one_beaten_in_a_knock_out_is_replaced_beside_the_draft_of_the_next_round() -> None:
    event = event_of(4, "ko", drawing={"seeds": 4})
    settle(publish_next(event))
    final = draw_next(event)
    beaten = event.entrants.exclude(
        pk__in=[who for table in final.tables for who in table["players"]]
    ).order_by("number")[0]
    new = enter_player(event_id=event.pk, name="Nora Nieuw", reserve=True, actor=SYSTEM)
    reseating.replace_player(event_id=event.pk, old=beaten.number, new=new.number, actor=SYSTEM)
    tables = final.tables
    final.refresh_from_db()
    assert final.tables == tables
    publication.publish_draw(draw_id=final.pk, actor=SYSTEM)
    assert new.number in rows_of(event)
