"""Slips copied from paper: who won is credited, by name, at every kind of table."""

from __future__ import annotations

import re
from datetime import date
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from ledger.models import Role
from scoring.engine.rulebook import resolve
from scoring.models import Sheet
from scoring.people import seat_names
from tests.tournament.build import SYSTEM, make_user
from tournament.demo.simulation import draw_and_publish, next_round
from tournament.models import Event, Round, Table, TableGame
from tournament.selectors import pages
from tournament.selectors.names import shown_name
from tournament.services import entrants, rounds
from tournament.services.events import StagePlan, create_event

pytestmark = pytest.mark.django_db

NAMES = ("Anna", "Bert", "Carla", "Dirk", "Els", "Frans", "Greta")
STAKES = {"stakes": [50, 40, 30, 20, 10]}


def in_play(
    players: int, deals: int, *, rulebook: str = "belgian", games: int = 1, **more: Any
) -> Event:
    """An event with its first round in play."""
    plan = StagePlan(
        "Ronden", format="individual_draw", rounds=1, games_per_round=games, deals_per_game=deals
    )
    event = create_event(
        actor=SYSTEM, name="Beker", day=date(2026, 3, 1), public_seed="seed", plan=[plan],
        rulebook=rulebook, **more,
    )  # fmt: skip
    if rulebook.startswith("auction"):
        event.stages.update(drawing={"table_size": players})
    for number in range(players):
        name = f"{NAMES[number % 7]} {'Zaal' * (number // 7)}".strip()
        entrants.enter_player(event_id=event.pk, name=name, present=True, actor=SYSTEM)
    draw_and_publish(next_round(event), SYSTEM)
    rounds.start_round(round_id=Round.objects.get(stage__event=event).pk, actor=SYSTEM)
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
        value for said, value in offered.items()
        if name in said and not any(other in said for other in NAMES if other != name)
    ]  # fmt: skip
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


@pytest.mark.parametrize("first", ["1", "2", "3"])
@pytest.mark.parametrize("by_others", [False, True])
def test_three_players_are_credited_by_name_whoever_deals_first(
    client: Client, first: str, by_others: bool
) -> None:
    # The dealer plays alone: 40 of 60 is 10 for the dealer, 18 is 12 for each of the two others,
    # 35 is 5 for the dealer. So: first dealer 10 + 12, second none, third 12 + 5.
    event = in_play(3, 3, rulebook="three-player")
    sheet = Sheet.objects.get()
    Sheet.objects.update(first_dealer=first)
    names, seats = seat_names(sheet), "123"
    order = [seats[(seats.index(first) + n) % 3] for n in range(3)]
    director(client, event)
    page = reverse("staff-paper", args=[sheet.pk])
    text = client.get(page).content.decode()
    posted = {"version": "0", "reason": "slip"}
    for n, (seat, points) in enumerate(zip(order, (40, 18, 35), strict=True), start=1):
        dealer = chosen(text, f"d{n}-dealer")
        assert names[seat] in dealer
        alone = of(names[seat], choices(text, f"d{n}-side"))
        (others,) = set(choices(text, f"d{n}-side").values()) - {alone}
        posted |= {
            f"d{n}-dealer": of(names[seat], choices(text, f"d{n}-dealer")), f"d{n}-trump": "H",
            f"d{n}-doubling": "0", f"d{n}-side": others if by_others else alone,
            f"d{n}-points": str(60 - points if by_others else points),
        }  # fmt: skip
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
    alone = of(names[first], choices(client.get(page).content.decode(), "d1-side"))
    posted = {"version": "0", "reason": "slip", "d1-dealer": other, "d1-trump": "H",
              "d1-side": alone, "d1-points": "40", "bell": "1"}  # fmt: skip
    answer = client.post(page, posted)
    assert answer.status_code == 422
    text = answer.content.decode()
    assert 'value="40"' in text
    assert names[other] in chosen(text, "d1-dealer")
    posted["d1-side"] = of(names[other], choices(text, "d1-side"))
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
    posted = {"version": "0", "reason": "slip"}
    won = dict.fromkeys(names.values(), 0)
    seats = list(game.seats)
    for n in range(1, players + 1):
        # Deal n is dealt by the n-th from the first dealer and taken by the player in seat n.
        dealer = seats[(seats.index(sheet.first_dealer) + n - 1) % players]
        assert names[dealer] in chosen(text, f"d{n}-dealer")
        taker = names[seats[n - 1]]
        made = n != 2
        prefix = f"d{n}-"
        posted |= {
            f"{prefix}dealer": dealer, f"{prefix}trump": "S",
            f"{prefix}declarer": of(taker, choices(text, f"{prefix}declarer")),
            f"{prefix}points": str(30 if made else 8),
        }  # fmt: skip
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
    games = [game.sheet for game in table.games.select_related("sheet").order_by("number")]
    for sheet, pairs in zip(games, (("AB", "CD"), ("AC", "BD"), ("AD", "BC")), strict=True):
        text = client.get(reverse("staff-paper", args=[sheet.pk])).content.decode()
        for pair in pairs:
            names = " + ".join(seats[letter] for letter in pair)
            assert f"{pair} · {names}" in choices(text, "d1-side")
        dealt = [chosen(text, f"d{n}-dealer") for n in range(1, 5)]
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
        assert [name for name in wanted if f'name="d1-{name}"' not in text] == []


def test_a_deal_that_all_passed_is_copied_and_the_next_player_deals(client: Client) -> None:
    event = in_play(3, 3, rulebook="auction-2")
    sheet = Sheet.objects.get()
    director(client, event)
    posted = {"version": "0", "reason": "slip", "d1-passed": "1"}
    for n, (seat, bid) in enumerate((("1", 21), ("2", 22), ("3", 23)), start=2):
        posted |= {f"d{n}-declarer": seat, f"d{n}-bid": str(bid), f"d{n}-trump": "S",
                   f"d{n}-side": "declarer", f"d{n}-points": "30"}  # fmt: skip
    assert client.post(reverse("staff-paper", args=[sheet.pk]), posted).status_code == 302
    deals = list(sheet.deals.order_by("number"))
    assert [deal.annulled for deal in deals] == [True, False, False, False]
    order = "123" * 3
    start = order.index(sheet.first_dealer)
    assert "".join(deal.entry["dealer"] for deal in deals) == order[start : start + 4]
    assert sheet.results.get().result["marks"] == {"1": 21, "2": 22, "3": 23}


def test_a_pile_of_slips_goes_from_game_to_game_and_table_to_table(client: Client) -> None:
    event = in_play(8, 2, games=3)
    director(client, event)
    sheets = [game.sheet for game in TableGame.objects.order_by("table__number", "number")]
    page = reverse("staff-paper", args=[sheets[0].pk])
    for at, sheet in enumerate(sheets):
        assert page == reverse("staff-paper", args=[sheet.pk])
        text = client.get(page).content.decode()
        # The reason is typed once: it stands there from the second slip on.
        assert ('value="box of the hall"' in text) == (at > 0)
        reason = re.search(r'name="reason"[^>]*value="([^"]+)"', text)
        assert reason
        posted = {"version": "0", "reason": unescape(reason[1]) if at else "box of the hall"}
        for n in range(1, len(re.findall("data-row", text)) + 1):
            posted |= {f"d{n}-trump": "H", f"d{n}-side": "NS", f"d{n}-points": "40"}
        page = client.post(page, posted).headers["Location"]
    assert page == reverse("staff-sheet", args=[sheets[-1].pk])
    assert all(sheet.results.get().reason == "box of the hall" for sheet in sheets)
    jump = client.get(reverse("staff-paper", args=[sheets[0].pk]), {"table": "2"})
    assert jump.headers["Location"] == reverse("staff-paper", args=[sheets[3].pk])


def test_a_refused_row_is_named_and_everything_typed_stays(client: Client) -> None:
    event = in_play(4, 2)
    director(client, event)
    sheet = Sheet.objects.first()
    client.cookies["django_language"] = "fr"
    posted = {"version": "0", "reason": "boîte", "bell": "1"}
    for n, points in ((1, "40"), (2, "99")):
        posted |= {f"d{n}-trump": "D", f"d{n}-doubling": "1", f"d{n}-side": "EW",
                   f"d{n}-points": points}  # fmt: skip
    answer = client.post(reverse("staff-paper", args=[sheet.pk]), posted)
    text = answer.content.decode()
    assert answer.status_code == 422
    assert "Donne 2" in text
    assert 'data-wrong="d2-points"' in text
    for field, value in posted.items():
        if field.endswith(("points", "reason")):
            assert re.search(rf'name="{field}"[^>]*value="{value}"', text, re.DOTALL), field
    for n in (1, 2):
        assert chosen(text, f"d{n}-trump").startswith("carreau")
    assert not sheet.deals.exists()
