"""Slips copied from paper: who won is credited, by name, at every kind of table."""

from __future__ import annotations

import re
from datetime import date
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import Role
from scoring.engine.rulebook import resolve
from tests.tournament.build import SYSTEM, make_user
from tournament.demo.simulation import draw_and_publish, next_round
from tournament.models import Event, Round, Table
from tournament.models.tables import Sheet
from tournament.queries import pages
from tournament.queries.names import shown_name
from tournament.queries.table_people import seat_names
from tournament.services import clock, entrants, rounds
from tournament.services.events import StagePlan, create_event

pytestmark = pytest.mark.django_db

NAMES = ("Anna", "Bert", "Carla", "Dirk", "Els", "Frans", "Greta")
STAKES = {"stakes": [50, 40, 30, 20, 10]}


def in_play(
    players: int, deals: int, *, rulebook: str = "belgian", games: int = 1, **more: Any
) -> Event:
    """An event with its first round in play."""
    plan = StagePlan(
        "Ronden",
        format="individual_draw",
        rounds=1,
        games_per_round=games,
        deals_per_game=deals,
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


def choices(text: str, field: str) -> dict[str, str]:
    """What a list of the form offers: what is read there → what is sent."""
    box = re.search(rf'<select[^>]* name="{field}".*?</select>', text, re.DOTALL)
    assert box, field
    found = re.findall(r'<option value="([^"]*)"[^>]*>(.*?)</option>', box[0], re.DOTALL)
    return {unescape(said).strip(): value for value, said in found}


def chosen(text: str, field: str) -> str:
    """What a list of the form has chosen."""
    box = re.search(rf'<select[^>]* name="{field}".*?</select>', text, re.DOTALL)
    assert box, field
    found = re.search(r"<option[^>]* selected>(.*?)</option>", box[0], re.DOTALL)
    assert found, field
    return unescape(found[1]).strip()


def of(name: str, offered: dict[str, str]) -> str:
    """What is sent for the choice that names exactly this person."""
    (value,) = [
        value
        for said, value in offered.items()
        if name in said and not any(other in said for other in NAMES if other != name)
    ]
    return value


def official(sheet: Sheet) -> dict[str, int]:
    """The official marks by name."""
    names = seat_names(sheet)
    marks = sheet.results.get(current=True).result["marks"]
    return {names[seat]: number for seat, number in marks.items()}


def ranked(event: Event) -> list[str]:
    """Names in the order of the standings after the round."""
    rounds.close_round(round_id=Round.objects.get(stage__event=event).pk, actor=SYSTEM)
    return [row.name for row in pages.standings_of(event.stages.get(), language="en").rows]


DEALS_FIRST = {"1": "d", "2": "c", "3": "a"}
"""Draw codes by whose lots a seat of three deals first."""


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
    text = client.get(page).content.decode()
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
    alone = of(names[first], choices(client.get(page).content.decode(), "g1-d1-side"))
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
    text = answer.content.decode()
    assert 'value="40"' in text
    assert names[other] in chosen(text, "g1-d1-dealer")
    posted["g1-d1-side"] = of(names[other], choices(text, "g1-d1-side"))
    assert client.post(page, posted).status_code == 302
    assert official(sheet) == {name: 10 if seat == other else 0 for seat, name in names.items()}


@pytest.mark.parametrize("rulebook", ["auction-1", "auction-2", "auction-3"])
@pytest.mark.parametrize("players", [3, 4, 5, 6, 7])
def test_an_auction_credits_who_took_the_deal(client: Client, rulebook: str, players: int) -> None:
    options = STAKES if rulebook == "auction-1" else {}
    event = in_play(players, players, rulebook=rulebook, options=options)
    sheet = Sheet.objects.get()
    names = seat_names(sheet)
    game = resolve(rulebook, {**options, "players": players})
    director(client, event)
    page = reverse("staff-paper", args=[sheet.pk])
    text = client.get(page).content.decode()
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
            # The stake for n cards exchanged goes from, or to, each of the others.
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
    # Every game of the table is on the page, wherever one comes from.
    text = client.get(reverse("staff-paper", args=[games[1].pk])).content.decode()
    for order, pairs in enumerate((("AB", "CD"), ("AC", "BD"), ("AD", "BC")), start=1):
        for pair in pairs:
            names = " + ".join(seats[letter] for letter in pair)
            assert f"{pair} · {names}" in choices(text, f"g{order}-d1-side")
        dealt = [chosen(text, f"g{order}-d{n}-dealer") for n in range(1, 5)]
        assert sorted(dealt) == sorted(f"{letter} · {name}" for letter, name in seats.items())
        assert f"First dealer: {dealt[0]}" in text


def test_the_paper_page_has_every_field_of_the_phone(client: Client) -> None:
    for rulebook, options, wanted in (
        ("muette", {"blind_trump_allowed": True}, ("blind", "dealer", "doubling")),
        ("auction-2", {}, ("passed", "bid", "all_tricks", "tricks", "declarer", "dealer")),
        ("chaloupee", {}, ("passed", "level", "declarer", "dealer")),
    ):
        players = 3 if rulebook == "auction-2" else 4
        event = in_play(players, players, rulebook=rulebook, options=options)
        client.force_login(make_user(f"director-{rulebook}", event, Role.DIRECTOR))
        sheet = Sheet.objects.filter(scope=event.pk).first()
        text = client.get(reverse("staff-paper", args=[sheet.pk])).content.decode()
        assert [name for name in wanted if f'name="g1-d1-{name}"' not in text] == []


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
    """What is sent for a table: every game that waits, the first side always with 40."""
    posted = {"reason": reason, **more}
    for sheet in table.sheets.exclude(state="official"):
        posted[f"g{sheet.order}-version"] = str(sheet.version)
        for n in range(1, deals + 1):
            row = f"g{sheet.order}-d{n}-"
            posted |= {f"{row}trump": "H", f"{row}side": "NS", f"{row}points": "40"}
    return posted


def test_a_pile_of_slips_goes_from_table_to_table_in_any_order(client: Client) -> None:
    event = in_play(16, 2, games=3)
    director(client, event)
    tables = list(Table.objects.order_by("number"))
    first = [reverse("staff-paper", args=[table.sheets.get(order=1).pk]) for table in tables]
    # The next that waits, a table asked for, the next again; after the last one the first.
    for at, then, leads_to in ((0, "", 1), (1, "4", 3), (3, "3", 2)):
        text = client.get(first[at]).content.decode()
        # The reason is typed once: it stands there from the second slip on.
        assert ('value="box of the hall"' in text) == (at > 0)
        posted = slip(tables[at], reason="box of the hall", next=then)
        assert client.post(first[at], posted).headers["Location"] == first[leads_to]
        assert f"Table {at + 1}, games 1, 2, 3 are recorded." in unescape(
            client.get(first[leads_to]).content.decode()
        )
    answer = client.post(first[2], slip(tables[2]))
    assert answer.headers["Location"] == reverse(
        "staff-sheet", args=[tables[2].sheets.get(order=3).pk]
    )
    assert not Sheet.objects.exclude(state="official").exists()
    jump = client.get(first[0], {"table": "2"})
    assert jump.headers["Location"] == first[1]


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
        assert (answer.status_code, said in unescape(answer.content.decode())) == (status, True)
        assert not table.sheets.filter(deals__isnull=False).exists()
    # What was written of a slip stays written; the games that wait are asked for next.
    only = {name: value for name, value in posted.items() if not name.startswith("g2-d")}
    assert client.post(page, only).headers["Location"] == reverse(
        "staff-paper", args=[table.sheets.get(order=2).pk]
    )
    assert client.post(page, posted).status_code == 409
    assert client.post(page, slip(table)).status_code == 302
    assert not table.sheets.exclude(state="official").exists()


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
    text = answer.content.decode()
    assert answer.status_code == 422
    assert "Donne 2" in text
    assert 'data-wrong="g1-d2-points"' in text
    for field, value in posted.items():
        if field.endswith(("points", "reason")):
            assert re.search(rf'name="{field}"[^>]*value="{value}"', text, re.DOTALL), field
    for n in (1, 2):
        assert chosen(text, f"g1-d{n}-trump").startswith("carreau")
    assert not sheet.deals.exists()
