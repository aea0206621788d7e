"""Slips copied from paper: the winner is credited, by name, at every kind of table."""

from __future__ import annotations

import gzip
import json
import re
from datetime import date
from html import unescape
from itertools import product
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

import manille_check
from accounts.models import Role
from operations.replay import replay
from scoring.engine.rulebook import resolve
from tests.markup import without_marks
from tests.sampled import one_in
from tests.tournament.build import SYSTEM, make_event, make_user
from tests.tournament.test_stages import publish_next
from tournament.demo.simulation import draw_and_publish, next_round
from tournament.models import Event, Round, Table
from tournament.models.tables import Sheet
from tournament.queries import pages, paper_form
from tournament.queries.names import shown_name
from tournament.queries.table_people import seat_names
from tournament.services import archive, clock, entrants, rounds, sheets, signatures
from tournament.services.events import create_event, new_stage
from tournament.services.standings import set_state
from tournament.tables.score_sheet import ScoreSheet

pytestmark = pytest.mark.django_db

NAMES = ("Anna", "Bert", "Carla", "Dirk", "Els", "Frans", "Greta")
STAKES = {"stakes": [50, 40, 30, 20, 10]}


def in_play(
    players: int, deals: int, *, rulebook: str = "belgian", games: int = 1, **more: Any
) -> Event:
    """Create an event with its first round in play; without ``deals`` its games are to a ``target``."""
    own = {name: more.pop(name) for name in ("target", "ranking") if name in more}
    plan = new_stage(
        "Ronden",
        format=more.pop("format", "individual_draw"),
        rounds=1,
        games_per_round=games,
        deals_per_game=deals or None,
        **own,
        drawing={"table_size": players} if rulebook.startswith("auction") else {},
    )
    event = create_event(
        actor=SYSTEM,
        name="Beker",
        day=date(2026, 3, 1),
        public_seed=more.pop("code", "seed"),
        plan=[plan],
        rulebook=rulebook,
        **more,
    )
    for number in range(players):
        name = f"{NAMES[number % 7]} {'Zaal' * (number // 7)}".strip()
        entrants.enter_player(event_id=event.pk, name=name, present=True, actor=SYSTEM)
    draw_and_publish(next_round(event), SYSTEM)
    clock.start_round(round_id=Round.objects.get(stage__event=event).pk, actor=SYSTEM)
    event.refresh_from_db()
    return event


def director(client: Client, event: Event) -> None:
    client.force_login(make_user("director", event, Role.DIRECTOR))
    client.cookies["django_language"] = "en"


def deals_of(client: Client, page: str) -> str:
    """Return the page with the form for every deal instead of each game's points."""
    return without_marks(client.get(page, {"way": "deals"}).content.decode())


def choices(text: str, field: str) -> dict[str, str]:
    """Return the options of a select: the value to send by the label shown."""
    box = re.search(rf'<select[^>]* name="{field}".*?</select>', text, re.DOTALL)
    assert box, field
    found = re.findall(r'<option value="([^"]*)"[^>]*>(.*?)</option>', box[0], re.DOTALL)
    return {unescape(said).strip(): value for value, said in found}


def chosen(text: str, field: str) -> str:
    """Return the selected label of a select."""
    box = re.search(rf'<select[^>]* name="{field}".*?</select>', text, re.DOTALL)
    assert box, field
    found = re.search(r"<option[^>]* selected>(.*?)</option>", box[0], re.DOTALL)
    assert found, field
    return unescape(found[1]).strip()


def of(name: str, offered: dict[str, str]) -> str:
    """Return the value of the option that names exactly this person."""
    (value,) = [
        value
        for said, value in offered.items()
        if name in said and not any(other in said for other in NAMES if other != name)
    ]
    return value


def official(sheet: Sheet) -> dict[str, int]:
    """Return the official marks by name."""
    names = seat_names(sheet)
    marks = sheet.results.get(current=True).result["marks"]
    return {names[seat]: number for seat, number in marks.items()}


def ranked(event: Event) -> list[str]:
    """Close the round. Return the names in the order of the standings."""
    rounds.close_round(round_id=Round.objects.get(stage__event=event).pk, actor=SYSTEM)
    return [row.name for row in pages.standings_of(event.stages.get(), language="en").rows]


DEALS_FIRST = {"1": "d", "2": "c", "3": "a"}
"""Draw codes by which a seat of three deals first."""


@pytest.mark.parametrize("first", DEALS_FIRST)
@pytest.mark.parametrize("by_others", [False, True])
def test_three_players_are_credited_by_name_whoever_deals_first(
    client: Client, first: str, by_others: bool
) -> None:
    # The dealer plays alone: 40 of 60 is 10 for the dealer, 18 is 12 for each of the two others,
    # 35 is 5 for the dealer. So: first dealer 10 + 12, second none, third 12 + 5.
    event = in_play(3, 3, rulebook="three-player", code=DEALS_FIRST[first])
    sheet = Sheet.objects.get()
    assert sheet.first_dealer == first
    names, seats = seat_names(sheet), "123"
    order = [seats[(seats.index(first) + n) % 3] for n in range(3)]
    director(client, event)
    page = reverse("staff-paper", args=[sheet.pk])
    text = deals_of(client, page)
    posted = {"g1-version": "0", "reason": "slip"}
    for n, (seat, points) in enumerate(zip(order, (40, 18, 35), strict=True), start=1):
        dealer = chosen(text, f"g1-d{n}-dealer")
        assert names[seat] in dealer
        alone = of(names[seat], choices(text, f"g1-d{n}-side"))
        (others,) = set(choices(text, f"g1-d{n}-side").values()) - {alone}
        posted |= {
            f"g1-d{n}-dealer": of(names[seat], choices(text, f"g1-d{n}-dealer")),
            f"g1-d{n}-trump": "H",
            f"g1-d{n}-doubling": "0",
            f"g1-d{n}-side": others if by_others else alone,
            f"g1-d{n}-points": str(60 - points if by_others else points),
        }
    assert client.post(page, posted).status_code == 302
    won = {names[order[0]]: 22, names[order[1]]: 0, names[order[2]]: 17}
    assert official(sheet) == won
    assert ranked(event) == [names[order[0]], names[order[2]], names[order[1]]]


def test_a_row_whose_dealer_is_changed_credits_nobody_else(client: Client) -> None:
    event = in_play(3, 3, rulebook="three-player")
    sheet = Sheet.objects.get()
    names = seat_names(sheet)
    first = sheet.first_dealer
    other = next(seat for seat in "123" if seat != first)
    director(client, event)
    page = reverse("staff-paper", args=[sheet.pk])
    alone = of(names[first], choices(deals_of(client, page), "g1-d1-side"))
    posted = {
        "g1-version": "0",
        "reason": "slip",
        "g1-d1-dealer": other,
        "g1-d1-trump": "H",
        "g1-d1-side": alone,
        "g1-d1-points": "40",
        "g1-bell": "1",
    }
    answer = client.post(page, posted)
    assert answer.status_code == 422
    text = without_marks(answer.content.decode())
    assert 'value="40"' in text
    assert names[other] in chosen(text, "g1-d1-dealer")
    posted["g1-d1-side"] = of(names[other], choices(text, "g1-d1-side"))
    assert client.post(page, posted).status_code == 302
    assert official(sheet) == {name: 10 if seat == other else 0 for seat, name in names.items()}


@pytest.mark.parametrize(
    ("rulebook", "players"),
    one_in(2, product(["auction-1", "auction-2", "auction-3"], [3, 4, 5, 6, 7])),
)
def test_an_auction_credits_who_took_the_deal(client: Client, rulebook: str, players: int) -> None:
    options = STAKES if rulebook == "auction-1" else {}
    event = in_play(players, players, rulebook=rulebook, options=options)
    sheet = Sheet.objects.get()
    names = seat_names(sheet)
    game = resolve(rulebook, {**options, "players": players})
    director(client, event)
    page = reverse("staff-paper", args=[sheet.pk])
    text = deals_of(client, page)
    posted = {"g1-version": "0", "reason": "slip"}
    won = dict.fromkeys(names.values(), 0)
    seats = list(game.seats)
    for n in range(1, players + 1):
        # Deal n is dealt by the n-th from the first dealer and taken by the player in seat n.
        dealer = seats[(seats.index(sheet.first_dealer) + n - 1) % players]
        assert names[dealer] in chosen(text, f"g1-d{n}-dealer")
        taker = names[seats[n - 1]]
        made = n != 2
        prefix = f"g1-d{n}-"
        posted |= {
            f"{prefix}dealer": dealer,
            f"{prefix}trump": "S",
            f"{prefix}declarer": of(taker, choices(text, f"{prefix}declarer")),
            f"{prefix}points": str(30 if made else 8),
        }
        worth = 20 + n
        if rulebook == "auction-1":
            # The stake for n cards exchanged is paid to, or by, each of the others.
            posted[f"{prefix}exchanged"] = str(n % 3)
            worth = STAKES["stakes"][n % 3]
            for name in won:
                if name != taker:
                    won[name] += -worth if made else worth
            worth *= players - 1
        else:
            posted[f"{prefix}bid"] = str(worth)
        if rulebook == "auction-2":
            posted[f"{prefix}side"] = "declarer"
        won[taker] += worth if made else -worth
    assert client.post(page, posted).status_code == 302
    assert official(sheet) == won
    first = ranked(event)[0]
    assert won[first] == max(won.values())


def test_the_paper_page_names_everybody_as_the_slip_does(client: Client) -> None:
    event = in_play(8, 4, games=3)
    director(client, event)
    table = Table.objects.get(round__stage__event=event, number=2)
    seats = {
        seat.position: shown_name(seat.entrant, shorten=False)
        for seat in table.seats.select_related("entrant__person")
    }
    games = list(table.sheets.order_by("order"))
    # The page has every game of the table, whichever link opened it.
    text = deals_of(client, reverse("staff-paper", args=[games[1].pk]))
    for order, pairs in enumerate((("AB", "CD"), ("AC", "BD"), ("AD", "BC")), start=1):
        for pair in pairs:
            names = " + ".join(seats[letter] for letter in pair)
            assert f"{pair} · {names}" in choices(text, f"g{order}-d1-side")
        dealt = [chosen(text, f"g{order}-d{n}-dealer") for n in range(1, 5)]
        assert sorted(dealt) == sorted(f"{letter} · {name}" for letter, name in seats.items())
        assert f"First dealer: {dealt[0]}" in text


def test_seats_that_have_names_are_joined_as_on_the_slip(client: Client) -> None:
    event = in_play(4, 2, format="random")
    director(client, event)
    client.cookies["django_language"] = "fr"
    text = deals_of(client, reverse("staff-paper", args=[Sheet.objects.get().pk]))
    sides = {side.split(" · ")[0] for side in choices(text, "g1-d1-side")}
    assert {"Nord-Sud", "Est-Ouest"} <= sides


def test_the_paper_page_has_every_field_of_the_phone(client: Client) -> None:
    muette = {"blind_trump_allowed": True, "redoubling_allowed": False}
    for rulebook, options, wanted in (
        ("auction-2", {}, ("passed", "bid", "all_tricks", "tricks", "declarer", "dealer")),
        ("chaloupee", {}, ("passed", "level", "declarer", "dealer")),
        ("muette", muette, ("blind", "dealer", "doubling")),
    ):
        players = 3 if rulebook == "auction-2" else 4
        event = in_play(players, players, rulebook=rulebook, options=options)
        client.force_login(make_user(f"director-{rulebook}", event, Role.DIRECTOR))
        sheet = Sheet.objects.filter(scope=event.pk).first()
        text = deals_of(client, reverse("staff-paper", args=[sheet.pk]))
        assert [name for name in wanted if f'name="g1-d1-{name}"' not in text] == []
    # Nor more deals than the game has.
    unwanted = ("passed", "tricks", "level", "bid")
    assert [name for name in unwanted if f'name="g1-d1-{name}"' in text] == []
    assert set(choices(text, "g1-d1-doubling").values()) == {"0", "1"}


def test_a_deal_that_all_passed_is_copied_and_the_next_player_deals(client: Client) -> None:
    event = in_play(3, 3, rulebook="auction-2")
    sheet = Sheet.objects.get()
    director(client, event)
    posted = {"g1-version": "0", "reason": "slip", "g1-d1-passed": "1"}
    for n, (seat, bid) in enumerate((("1", 21), ("2", 22), ("3", 23)), start=2):
        posted |= {
            f"g1-d{n}-declarer": seat,
            f"g1-d{n}-bid": str(bid),
            f"g1-d{n}-trump": "S",
            f"g1-d{n}-side": "declarer",
            f"g1-d{n}-points": "30",
        }
    assert client.post(reverse("staff-paper", args=[sheet.pk]), posted).status_code == 302
    deals = list(sheet.deals.order_by("number"))
    assert [deal.annulled for deal in deals] == [True, False, False, False]
    order = "123" * 3
    start = order.index(sheet.first_dealer)
    assert "".join(deal.entry["dealer"] for deal in deals) == order[start : start + 4]
    assert sheet.results.get().result["marks"] == {"1": 21, "2": 22, "3": 23}


def slip(table: Table, *, deals: int = 2, reason: str = "box", **more: str) -> dict[str, str]:
    """Return the form of a table's slip: every open game, the first side with 40 in each deal."""
    posted = {"reason": reason, **more}
    for sheet in table.sheets.exclude(state="official"):
        posted[f"g{sheet.order}-version"] = str(sheet.version)
        for n in range(1, deals + 1):
            row = f"g{sheet.order}-d{n}-"
            posted |= {f"{row}trump": "H", f"{row}side": "NS", f"{row}points": "40"}
    return posted


@pytest.mark.guide("director#type-the-slips")
def test_a_pile_of_slips_goes_from_table_to_table_in_any_order(client: Client) -> None:
    event = in_play(16, 2, games=3)
    director(client, event)
    tables = list(Table.objects.order_by("number"))
    first = [reverse("staff-paper", args=[table.sheets.get(order=1).pk]) for table in tables]
    # The next open table, a requested table, the next one again; after the last one the first.
    for at, then, leads_to in ((0, "", 1), (1, "4", 3), (3, "3", 2)):
        text = deals_of(client, first[at])
        # The reason is typed once and prefilled from the second slip on.
        assert ('value="box of the hall"' in text) == (at > 0)
        posted = slip(tables[at], reason="box of the hall", next=then)
        assert client.post(first[at], posted).headers["Location"] == first[leads_to]
        assert f"Table {at + 1}, games 1, 2, 3 are recorded." in unescape(
            without_marks(client.get(first[leads_to]).content.decode())
        )
    # After the round's last slip the hall opens and reports that none is missing.
    answer = client.post(first[2], slip(tables[2]), follow=True)
    assert answer.redirect_chain == [(reverse("desk-room", args=[event.slug]), 302)]
    said = "Table 3, games 1, 2, 3 are recorded. Every table of the round has its results."
    assert said in unescape(without_marks(answer.content.decode()))
    assert not Sheet.objects.exclude(state="official").exists()
    jump = client.get(first[0], {"table": "2"})
    assert jump.headers["Location"] == first[1]


def test_a_slip_of_an_earlier_round_leads_back_to_that_round(client: Client) -> None:
    plan = new_stage("Ronden", "pairs_swiss", 2, games_per_round=1, deals_per_game=2)
    event = make_event(2, plan=[plan])
    publish_next(event)
    director(client, event)
    table = Table.objects.get()
    sheet = table.sheets.get(order=1)
    page = reverse("staff-paper", args=[sheet.pk])
    client.post(page, points_typed(table, {1: (12, 34)}))
    rounds.close_round(round_id=table.round_id, actor=SYSTEM)
    publish_next(event)
    # A game put right, and one of a round that is in play again.
    for verb in (signatures.reopen, rounds.reopen_round):
        at = {"sheet_id": sheet.pk} if verb is signatures.reopen else {"round_id": table.round_id}
        verb(**at, actor=SYSTEM, reason="the wrong way round")
        if verb is rounds.reopen_round:
            signatures.reopen(sheet_id=sheet.pk, actor=SYSTEM, reason="the wrong way round")
        answer = client.post(page, points_typed(table, {1: (34, 12)}))
        hall = reverse("desk-round-room", args=[event.slug, table.round_id])
        assert answer.headers["Location"] == hall
        back = reverse("desk-round-table", args=[event.slug, table.round_id, table.number])
        assert (
            f'<a href="{back}">← '
            in client.get(reverse("staff-sheet", args=[sheet.pk])).content.decode()
        )


@pytest.mark.guide("director#type-the-slips")
def test_a_slip_with_one_wrong_game_writes_nothing(client: Client) -> None:
    event = in_play(8, 2, games=3)
    director(client, event)
    table = Table.objects.get(number=1)
    page = reverse("staff-paper", args=[table.sheets.get(order=1).pk])
    posted = slip(table)
    refused = (
        ({"g2-d2-points": "99"}, "Game 2: Deal 2", 422),
        ({"g3-d2-points": ""}, "Game 3: The match is not over yet", 409),
        ({"next": "7"}, "No such table in this round", 404),
        ({"g2-version": "9"}, "Game 2: ", 409),
    )
    for change_of, said, status in refused:
        answer = client.post(page, {**posted, **change_of})
        assert (answer.status_code, said in unescape(without_marks(answer.content.decode()))) == (
            status,
            True,
        )
        assert not table.sheets.filter(deals__isnull=False).exists()
    # Recorded games of a slip stay recorded; the page asks for the open games next.
    only = {name: value for name, value in posted.items() if not name.startswith("g2-d")}
    assert client.post(page, only).headers["Location"] == reverse(
        "staff-paper", args=[table.sheets.get(order=2).pk]
    )
    assert client.post(page, posted).status_code == 409
    assert client.post(page, slip(table)).status_code == 302
    assert not table.sheets.exclude(state="official").exists()


@pytest.mark.guide("director#type-the-slips")
def test_a_refused_row_is_named_and_everything_typed_stays(client: Client) -> None:
    event = in_play(4, 2)
    director(client, event)
    sheet = Sheet.objects.first()
    client.cookies["django_language"] = "fr"
    posted = {"g1-version": "0", "reason": "boîte", "g1-bell": "1"}
    for n, points in ((1, "40"), (2, "99")):
        posted |= {
            f"g1-d{n}-trump": "D",
            f"g1-d{n}-doubling": "1",
            f"g1-d{n}-side": "EW",
            f"g1-d{n}-points": points,
        }
    answer = client.post(reverse("staff-paper", args=[sheet.pk]), posted)
    text = without_marks(answer.content.decode())
    assert answer.status_code == 422
    assert "Donne 2" in text
    assert 'data-wrong="g1-d2-points"' in text
    for field, value in posted.items():
        if field.endswith(("points", "reason")):
            assert re.search(rf'name="{field}"[^>]*value="{value}"', text, re.DOTALL), field
    for n in (1, 2):
        assert chosen(text, f"g1-d{n}-trump").startswith("carreau")
    assert not sheet.deals.exists()


def points_typed(table: Table, won: dict[int, tuple[int, int]], **more: str) -> dict[str, str]:
    """Return the form of a slip with only the total points of each side."""
    posted = {"reason": "box", **more}
    for sheet in table.sheets.all():
        posted[f"g{sheet.order}-version"] = str(sheet.version)
        for side, points in zip(("NS", "EW"), won.get(sheet.order, ("", "")), strict=True):
            posted[f"g{sheet.order}-points-{side}"] = str(points)
    return posted


@pytest.mark.guide("director#type-the-slips")
def test_the_desk_leads_to_the_first_slip_that_waits(client: Client) -> None:
    event = in_play(8, 2, games=3)
    director(client, event)
    tables = list(Table.objects.order_by("number"))
    first = [reverse("staff-paper", args=[table.sheets.get(order=1).pk]) for table in tables]
    desk = reverse("desk-event", args=[event.slug])
    for at, page in enumerate(first):
        assert f'href="{page}"' in without_marks(client.get(desk).content.decode())
        client.post(page, slip(tables[at]))
    assert "/paper/" not in without_marks(client.get(desk).content.decode())


@pytest.mark.parametrize("way", ["points", "deals"])
def test_a_slip_that_is_sent_twice_is_recorded_once_and_leads_on(client: Client, way: str) -> None:
    """Enter held too long, or pressed again while the answer is under way."""
    event = in_play(8, 2, games=3)
    director(client, event)
    tables = list(Table.objects.order_by("number"))
    page, following = (
        reverse("staff-paper", args=[table.sheets.get(order=1).pk]) for table in tables
    )
    if way == "points":
        typed = points_typed(tables[0], dict.fromkeys((1, 2, 3), (12, 3)))
    else:
        typed = slip(tables[0])
    answers = [client.post(page, typed) for _again in range(2)]
    assert [answer.headers.get("Location") for answer in answers] == [following] * 2
    assert [sheet.results.count() for sheet in tables[0].sheets.all()] == [1, 1, 1]
    # Other points for the same games are not a repetition.
    changed = client.post(page, typed | {"g1-points-NS": "13", "g1-points-EW": "2"})
    assert (
        changed.status_code,
        "changed in the meantime" in unescape(without_marks(changed.content.decode())),
    ) == (
        409,
        True,
    )
    # What is recorded stands in the place of the form, which could only be refused again.
    shown = without_marks(changed.content.decode())
    assert "data-paper" not in shown
    points = "12–3" if way == "points" else "20–0"
    assert [game.points for game in changed.context["recorded"]] == [points] * 3


def test_games_that_another_device_recorded_leave_the_others_as_typed(client: Client) -> None:
    event = in_play(8, 2, games=3)
    director(client, event)
    table = Table.objects.order_by("number")[0]
    page = reverse("staff-paper", args=[table.sheets.get(order=1).pk])
    mine = points_typed(table, {1: (12, 3), 2: (20, 5), 3: (7, 9)})
    client.post(page, points_typed(table, {1: (12, 4)}))
    answer = client.post(page, mine)
    assert answer.status_code == 409
    assert [game.sheet.order for game in answer.context["games"]] == [2, 3]
    rest = {key: value for key, value in mine.items() if not key.startswith("g1-")}
    assert client.post(page, rest).status_code == 302
    assert [sheet.results.count() for sheet in table.sheets.order_by("order")] == [1, 1, 1]


@pytest.mark.guide("director#type-the-slips")
def test_the_points_of_each_game_are_copied_as_they_stand_on_the_slip(client: Client) -> None:
    event = in_play(8, 4, games=3)
    director(client, event)
    tables = list(Table.objects.order_by("number"))
    first = [reverse("staff-paper", args=[table.sheets.get(order=1).pk]) for table in tables]
    seats = {
        seat.position: shown_name(seat.entrant, shorten=False)
        for seat in tables[0].seats.select_related("entrant__person")
    }
    # The slip's boxes: the points of each side of each game, by letters and names.
    text = unescape(without_marks(client.get(first[0]).content.decode()))
    assert "g1-d1-trump" not in text
    for order, pairs in enumerate((("AB", "CD"), ("AC", "BD"), ("AD", "BC")), start=1):
        for pair, side in zip(pairs, ("NS", "EW"), strict=True):
            names = " + ".join(seats[letter] for letter in pair)
            box = rf"<b>{pair}</b> {re.escape(names)}</span>\s*<input[^>]*g{order}-points-{side}\""
            assert re.search(box, text, re.DOTALL)
    won = {1: (34, 12), 2: (7, 40), 3: (20, 20)}
    answer = client.post(first[0], points_typed(tables[0], won))
    assert answer.headers["Location"] == first[1]
    written = {
        sheet.order: sheet.results.get(current=True).result for sheet in tables[0].sheets.all()
    }
    marked = {n: each["marks"] for n, each in written.items()}
    assert {n: (each["NS"], each["EW"]) for n, each in marked.items()} == won
    assert [written[n]["winner"] for n in (1, 2, 3)] == ["NS", "EW", None]
    # Each with each of the others in turn: A has 34 + 7 + 20, B 34 + 40 + 20, C 12 + 7 + 20, D 12 + 40 + 20.
    # The same lead of the first side at the other table leaves its four as they drew.
    client.post(first[1], points_typed(tables[1], dict.fromkeys((1, 2, 3), (10, 10))))
    assert not Sheet.objects.exclude(state="official").exists()
    ranked(event)
    rows = {row.name: row for row in pages.standings_of(event.stages.get(), language="en").rows}
    marks = {name: [str(value) for value in row.values] for name, row in rows.items()}
    for letter, points in (("A", 61), ("B", 94), ("C", 39), ("D", 72)):
        assert any(str(points) in value for value in marks[seats[letter]]), (letter, marks)


def record_next(sheet: Sheet, points: int) -> None:
    """Record the next deal as the table does: hearts, declared by North and South."""
    sheets.enter_deal(
        sheet_id=sheet.pk,
        actor=SYSTEM,
        entry={
            "dealer": ScoreSheet(sheet).next_dealer(),
            "contract": {"declarer": "NS", "trump": "H"},
            "points": {"NS": points},
        },
    )


@pytest.mark.guide("director#type-the-slips")
def test_the_slip_confirms_a_game_whose_deals_the_table_recorded(client: Client) -> None:
    event = in_play(4, 2, games=3)
    director(client, event)
    table = Table.objects.get()
    sheet = table.sheets.get(order=1)
    for points in (40, 37):
        record_next(sheet, points)
    page = reverse("staff-paper", args=[sheet.pk])
    text = deals_of(client, page)
    assert "All deals of this game are recorded" in text
    assert "g1-points-NS" in text
    assert "g1-d1-trump" not in text
    assert "g1-bell" not in text
    assert "g2-d1-trump" in text
    hall = without_marks(client.get(f"/desk/{event.slug}/room/{table.number}/").content.decode())
    assert re.findall(r'<span class="chip[^"]*">(?:<[^>]*>|\s)*([a-z ]+?)\s*<', hall)[-3:] == [
        "unsigned",
        "no deal yet",
        "no deal yet",
    ]
    # Points that differ from the recorded game are refused with all others; equal points confirm it.
    refused = client.post(page, points_typed(table, {1: (7, 10)}))
    assert refused.status_code == 400
    assert "Game 1: The deals that the table recorded give 17 – 0." in without_marks(
        refused.content.decode()
    )
    program = client.post(
        f"/api/v1/sheets/{sheet.pk}/slip/",
        {"version": 2, "reason": "slip", "totals": {"NS": 7, "EW": 10}},
        content_type="application/json",
    )
    assert program.json()["code"] == "points_differ"
    client.post(page, points_typed(table, {1: (17, 0)}))
    sheet.refresh_from_db()
    assert sheet.state == "official"
    assert sheet.results.get(current=True).result["marks"] == {"NS": 17, "EW": 0}
    assert sheet.deals.filter(current=True).count() == 2


def test_the_slip_confirms_a_match_of_several_games_by_the_games_won(client: Client) -> None:
    event = in_play(4, 0, target={"games": 2, "of": 10, "decider": 15})
    director(client, event)
    table = Table.objects.get()
    sheet = table.sheets.get()
    for points in (42, 45, 41, 43):
        record_next(sheet, points)
        sheet.refresh_from_db()
        if sheet.finished:
            break
    assert sheet.finished
    page = reverse("staff-paper", args=[sheet.pk])
    text = without_marks(client.get(page).content.decode())
    assert "enter the games that each side won" in text
    assert "g1-points-NS" in text
    refused = client.post(page, points_typed(table, {1: (1, 2)}))
    assert refused.status_code == 400
    assert "The deals that the table recorded give 2 – 0." in without_marks(
        refused.content.decode()
    )
    client.post(page, points_typed(table, {1: (2, 0)}))
    sheet.refresh_from_db()
    assert sheet.state == "official"
    assert sheet.results.get(current=True).result["winner"] == "NS"


@pytest.mark.guide("director#type-the-slips")
def test_points_that_cannot_be_are_refused_and_stay_as_typed(client: Client) -> None:
    event = in_play(4, 4, games=3)
    director(client, event)
    table = Table.objects.get()
    page = reverse("staff-paper", args=[table.sheets.get(order=1).pk])
    good = points_typed(table, {1: (34, 12), 2: (7, 40), 3: (20, 20)})
    for change_of, status in (
        ({"g2-points-EW": ""}, 400),
        ({"g2-points-EW": "veel"}, 400),
        ({"g2-points-EW": "-3"}, 400),
        ({"g2-points-EW": "4000"}, 400),
    ):
        answer = client.post(page, {**good, **change_of})
        text = unescape(without_marks(answer.content.decode()))
        assert (answer.status_code, "Game 2: Enter the points of every side" in text) == (
            status,
            True,
        )
        assert re.search(r'name="g1-points-NS"[^>]*value="34"', text, re.DOTALL)
        assert not Sheet.objects.filter(state="official").exists()
    # A game without points stays open; the others are official.
    answer = client.post(page, {**good, "g3-points-NS": "", "g3-points-EW": ""})
    assert answer.headers["Location"] == reverse("staff-paper", args=[table.sheets.get(order=3).pk])
    assert Sheet.objects.filter(state="official").count() == 2


@pytest.mark.parametrize(
    ("deals", "more", "fits", "too_many"),
    [(2, {}, (400, 80), (401, 80)), (0, {"target": 101}, (340, 100), (341, 100))],
)
def test_more_points_than_the_deals_can_give_are_refused_and_stay_as_typed(
    client: Client,
    deals: int,
    more: dict[str, Any],
    fits: tuple[int, int],
    too_many: tuple[int, int],
) -> None:
    """Belgian: 30 over half, no trump and both doublings make at most 240 in a deal."""
    event = in_play(4, deals, **more)
    director(client, event)
    client.cookies["django_language"] = "fr"
    table = Table.objects.get()
    page = reverse("staff-paper", args=[table.sheets.get().pk])
    answer = client.post(page, points_typed(table, {1: too_many}))
    text = unescape(without_marks(answer.content.decode()))
    assert answer.status_code == 400
    assert "Les donnes de cette manche ne peuvent pas donner autant de points" in text
    for side, points in zip(("NS", "EW"), too_many, strict=True):
        assert re.search(rf'name="g1-points-{side}"[^>]*value="{points}"', text, re.DOTALL)
    assert not Sheet.objects.filter(state="official").exists()
    confirmed = {"sure": f"1:{fits[0]}-{fits[1]}"}
    assert client.post(page, points_typed(table, {1: fits}) | confirmed).status_code == 302
    assert Sheet.objects.get().state == "official"


@pytest.mark.guide("director#type-the-slips")
@pytest.mark.parametrize("options", [{}, {"tied_match": "EXTRA_DEALS"}])
def test_points_that_only_doubling_gives_are_asked_about_once(
    client: Client, options: dict[str, str]
) -> None:
    """Belgian: 30 over half without trump give 60 in an undoubled deal."""
    event = in_play(4, 2, games=3, options=options)
    director(client, event)
    table = Table.objects.get()
    page = reverse("staff-paper", args=[table.sheets.get(order=1).pk])
    typed = points_typed(table, {1: (120, 0), 2: (200, 0), 3: (20, 10)})
    answer = client.post(page, typed)
    text = unescape(without_marks(answer.content.decode()))
    assert answer.status_code == 409
    assert (
        "Game 2: Without doubling the deals of this game cannot give so many points: 200, at most 120."
        in text
    )
    assert 'data-wrong="g2-points-NS"' in text
    assert re.search(r'name="g2-points-NS"[^>]*value="200"', text, re.DOTALL)
    assert not Sheet.objects.filter(state="official").exists()
    sure = re.search(r'name="sure" value="([^"]*)"', text)
    assert sure
    # Other points raise the question again, the same ones do not.
    other = client.post(page, typed | {"g2-points-NS": "201", "sure": sure[1]})
    assert other.status_code == 409
    assert client.post(page, typed | {"sure": sure[1]}).status_code == 302
    assert Sheet.objects.filter(state="official").count() == 3


def test_programs_too_are_asked_about_points_that_only_doubling_gives(client: Client) -> None:
    director(client, in_play(4, 2))
    sheet = Sheet.objects.get()
    address = f"/api/v1/sheets/{sheet.pk}/slip/"
    sent = {"version": 0, "reason": "slip", "totals": {"NS": 200, "EW": 0}}
    asked = client.post(address, sent, content_type="application/json")
    assert (asked.status_code, asked.json()["code"]) == (409, "please_check")
    (doubt,) = asked.json()["doubts"]
    assert (doubt["code"], doubt["field"], doubt["params"]) == (
        "only_doubled",
        "totals",
        {"given": 200, "limit": 120},
    )
    sheet.refresh_from_db()
    assert sheet.state == "open"
    sure = sent | {"sure": asked.json()["sure"]}
    assert client.post(address, sure, content_type="application/json").status_code == 200
    sheet.refresh_from_db()
    assert sheet.state == "official"


def test_refused_points_are_where_the_keyboard_goes_on(client: Client) -> None:
    """The first empty field would be that of another game."""
    event = in_play(4, 2, games=3)
    director(client, event)
    table = Table.objects.get()
    page = reverse("staff-paper", args=[table.sheets.get(order=1).pk])
    text = without_marks(client.post(page, points_typed(table, {2: (999, 0)})).content.decode())
    assert 'data-wrong="g2-points-NS"' in text


def test_a_slip_that_is_recorded_already_says_so_before_anything_is_typed(client: Client) -> None:
    event = in_play(8, 2, games=3)
    director(client, event)
    client.cookies["django_language"] = "nl"
    table, other = Table.objects.order_by("number")
    pages = [reverse("staff-paper", args=[each.sheets.get(order=1).pk]) for each in (table, other)]
    said = "De uitslagen van deze tafel zijn al genoteerd."
    assert said not in without_marks(client.get(pages[0]).content.decode())
    posted = points_typed(table, {1: (34, 12), 2: (7, 40), 3: (20, 10)})
    assert client.post(pages[0], posted).headers["Location"] == pages[1]
    text = without_marks(client.get(pages[1], {"table": "1"}, follow=True).content.decode())
    assert said in text
    assert "data-paper" not in text
    for sheet in table.sheets.all():
        assert f'href="{reverse("staff-sheet", args=[sheet.pk])}"' in text
    # The page asks for the next slip's table, and links to the next open table.
    assert re.search(r'<input[^>]*name="table"[^>]*autofocus', text)
    assert f'href="{pages[1]}"' in text


@pytest.mark.guide("director#type-the-slips")
def test_a_game_to_a_target_is_over_by_its_points_or_by_the_bell(client: Client) -> None:
    event = in_play(4, 0, target=101)
    director(client, event)
    table = Table.objects.get()
    sheet = table.sheets.get()
    page = reverse("staff-paper", args=[sheet.pk])
    for points in ((100, 60), (101, 101)):
        answer = client.post(page, points_typed(table, {1: points}))
        assert answer.status_code == 409
        assert "These points do not end the game" in unescape(
            without_marks(answer.content.decode())
        )
    assert (
        client.post(page, {**points_typed(table, {1: (100, 60)}), "g1-bell": "1"}).status_code
        == 302
    )
    result = sheet.results.get(current=True).result
    assert (result["marks"], result["winner"]) == ({"NS": 100, "EW": 60}, "NS")
    assert result["deals"] == 0, "how many were played is not known"
    signatures.reopen(sheet_id=sheet.pk, actor=SYSTEM, reason="the bell was not meant")
    assert client.post(page, points_typed(table, {1: (60, 104)})).status_code == 302
    result = sheet.results.get(current=True).result
    assert (result["winner"], result["games"]) == ("EW", {"NS": 0, "EW": 1})


def test_a_final_that_counts_the_deals_of_the_rounds_before_has_them_copied() -> None:
    plan = [
        new_stage("Ronden", rounds=1, deals_per_game=2),
        new_stage("Finale", rounds=1, carries_over=True, ranking="auction_per_deal"),
    ]
    event = create_event(actor=SYSTEM, name="Beker", day=date(2026, 3, 1), plan=plan)
    for name in NAMES[:4]:
        entrants.enter_player(event_id=event.pk, name=name, present=True, actor=SYSTEM)
    draw_and_publish(next_round(event), SYSTEM)
    assert "copy the deals" in paper_form.wants_deals(
        ScoreSheet(Sheet.objects.filter(scope=event.pk)[0])
    )


def test_a_slip_of_points_is_taken_back_and_its_deals_are_copied(client: Client) -> None:
    event = in_play(4, 2)
    director(client, event)
    table = Table.objects.get()
    sheet = table.sheets.get(order=1)
    page = reverse("staff-paper", args=[sheet.pk])
    client.post(page, points_typed(table, {1: (34, 12)}))
    shown = unescape(
        without_marks(client.get(reverse("staff-sheet", args=[sheet.pk])).content.decode())
    )
    assert "34" in shown
    assert "The points of the game were copied from paper, not its deals." in shown
    signatures.reopen(sheet_id=sheet.pk, actor=SYSTEM, reason="wrong slip")
    sheet.refresh_from_db()
    assert (sheet.score["marks"], sheet.finished) == ({"NS": 0, "EW": 0}, False)
    assert client.post(page, slip(table)).status_code == 302
    assert sheet.results.get(current=True).result["marks"] == {"NS": 20, "EW": 0}


@pytest.mark.guide("director#type-the-slips")
def test_a_ranking_of_deals_has_its_deals_copied(client: Client) -> None:
    event = in_play(3, 3, rulebook="auction-2", ranking="auction_per_deal")
    director(client, event)
    table = Table.objects.get()
    page = reverse("staff-paper", args=[table.sheets.get(order=1).pk])
    text = unescape(without_marks(client.get(page).content.decode()))
    assert "The ranking counts what happened in each deal: copy the deals." in text
    assert "g1-points-" not in text
    posted = {"reason": "box", "g1-version": "0", **{f"g1-points-{n}": "5" for n in "123"}}
    assert client.post(page, posted).status_code == 400
    assert not Sheet.objects.filter(state="official").exists()


def test_the_api_takes_the_points_of_a_game_or_says_what_is_wrong(client: Client) -> None:
    event = in_play(4, 4, games=3)
    director(client, event)
    first = Sheet.objects.get(order=1)
    address = f"/api/v1/sheets/{first.pk}/slip/"

    def send(**more: Any) -> Any:
        body = {"version": 0, "reason": "slip", **more}
        return client.post(address, body, content_type="application/json")

    for totals in ({"NS": 34}, {"NS": 34, "EW": -1}, {"NS": 1000, "EW": 0}, {"A": 3, "B": 4}):
        assert (send(totals=totals).status_code, send(totals=totals).json()["code"]) == (
            400,
            "totals_wrong",
        )
    assert send(totals={"NS": 34, "EW": 12}).status_code == 200
    first.refresh_from_db()
    assert first.results.get().result["marks"] == {"NS": 34, "EW": 12}
    # A game in progress is copied by deals.
    second = Sheet.objects.get(order=2)
    entry = {
        "dealer": second.first_dealer,
        "contract": {"trump": "H"},
        "points": {"NS": 40, "EW": 20},
    }
    sheets.enter_deal(sheet_id=second.pk, entry=entry, actor=SYSTEM)
    address = f"/api/v1/sheets/{second.pk}/slip/"
    assert send(totals={"NS": 34, "EW": 12}, version=1).json()["code"] == "deals_wanted"


def test_points_copied_from_paper_are_replayed_archived_and_checked(client: Client) -> None:
    event = in_play(8, 4, games=3)
    director(client, event)
    for table in Table.objects.order_by("number"):
        page = reverse("staff-paper", args=[table.sheets.get(order=1).pk])
        client.post(page, points_typed(table, {1: (34, 12), 2: (7, 40), 3: (20, 20)}))
    ranked(event)
    set_state(stage_id=event.stages.get().pk, state="frozen", actor=SYSTEM)
    before = event.stages.get().standings.hash
    assert replay(event).differences == []
    file = archive.pack(event.pk)
    assert manille_check.check(json.loads(gzip.decompress(file))).wrong == 0
    copy = archive.take_up(file=file, actor=SYSTEM, copy=True)
    assert copy.stages.get().standings.hash == before
    assert replay(copy).differences == []


@pytest.mark.parametrize("name", ["staff-sheet", "staff-paper"])
def test_the_pages_of_a_sheet_have_the_navigation_of_the_desk(client: Client, name: str) -> None:
    event = in_play(4, 2)
    director(client, event)
    text = without_marks(client.get(reverse(name, args=[Sheet.objects.get().pk])).content.decode())
    for where in ("desk-event", "desk-players", "desk-rounds", "desk-room", "desk-settings"):
        assert f'href="{reverse(where, args=[event.slug])}"' in text


def test_the_sheet_names_its_sides_as_its_slip_does(client: Client) -> None:
    """Slip, paper page and sheet name the sides by the same letters; partners change, letters stay."""
    event = in_play(4, 2, games=3)
    director(client, event)
    client.cookies["django_language"] = "fr"
    for order, pairs in enumerate((("AB", "CD"), ("AC", "BD"), ("AD", "BC")), start=1):
        page = reverse("staff-sheet", args=[Sheet.objects.get(order=order).pk])
        text = unescape(without_marks(client.get(page).content.decode()))
        named = re.findall(r'<span class="side__name">([^<]*)</span>', text)
        assert named == [f"{pairs[0]} (N-S)", f"{pairs[1]} (E-O)"]


def test_the_hall_names_the_sides_of_a_table_as_its_slip_does(client: Client) -> None:
    event = in_play(4, 2, games=3)
    director(client, event)
    table = Table.objects.get()
    page = reverse("staff-paper", args=[table.sheets.get(order=1).pk])
    client.post(page, points_typed(table, {1: (34, 12), 2: (7, 40), 3: (20, 25)}))
    text = unescape(
        without_marks(client.get(reverse("desk-table", args=[event.slug, 1])).content.decode())
    )
    games = text.partition("<main")[2].split("<tfoot>")
    named = [re.findall(r'"side__name">(\w+)', game) for game in games]
    totals = [
        re.findall(
            r'<td class="side[^>]*>\s*<span[^>]*>(\d+)</span>', game.partition("</tfoot>")[0]
        )
        for game in games[1:]
    ]
    assert named[:3] == [["AB", "CD"], ["AC", "BD"], ["AD", "BC"]]
    assert totals == [["34", "12"], ["7", "40"], ["20", "25"]]


@pytest.mark.parametrize(
    ("rulebook", "name"), [("coinchee", "Contra"), ("belgian", "Kloppen"), ("chaloupee", "Cogné")]
)
def test_doubling_has_the_name_that_the_rulebook_gives_it(
    client: Client, rulebook: str, name: str
) -> None:
    event = in_play(4, 2, rulebook=rulebook)
    director(client, event)
    client.cookies["django_language"] = "nl"
    sheet = Sheet.objects.get()
    assert f'<th scope="col">{name}</th>' in deals_of(
        client, reverse("staff-paper", args=[sheet.pk])
    )
    assert f"<legend>{name}</legend>" in without_marks(
        client.get(reverse("staff-sheet", args=[sheet.pk])).content.decode()
    )
