"""One game agrees everywhere: engine, official result, standings, public pages, exports, paper."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.test import Client

from scoring.engine.calls import answer
from tests.sampled import one_in
from tests.tournament.build import SYSTEM
from tests.tournament.documents.reading import whole_text
from tests.tournament.test_papers import event_of, printed
from tournament import exports
from tournament.models import Event
from tournament.models.tables import OfficialResult, Sheet
from tournament.queries.names import directory
from tournament.queries.results import gather
from tournament.queries.standings import compute
from tournament.services import sheets, signatures
from tournament.services.ruled import rule_deal
from tournament.tables.links import table_token
from tournament.tables.score_sheet import ScoreSheet

pytestmark = pytest.mark.django_db


def bid(level: int | str, trump: str, declarer: str, **result: Any) -> dict[str, Any]:
    """Return a deal of the chaloupée."""
    return {"contract": {"declarer": declarer, "level": level, "trump": trump}, **result}


def trump(suit: str, points: int, **more: Any) -> dict[str, Any]:
    """Return a deal in which N-S chose trump and took ``points``."""
    return {"contract": {"declarer": "NS", "trump": suit, **more}, "points": {"NS": points}}


FOURTEEN = bid(34, "S", "EW", points={"EW": 48})
MADE = bid("generale", "H", "NS", tricks={"NS": 8})
FAILED = bid("generale", "H", "NS", tricks={"NS": 7})


@dataclass(frozen=True)
class Game:
    """A complete game: its end, its deals, the result of each side, and the winner."""

    rulebook: str
    target: Any
    deals: tuple[dict[str, Any], ...]
    marks: tuple[int, int]
    winner: str
    infractions: list[dict[str, Any]] = field(default_factory=list)
    """Infractions of the last deal."""


GAMES = {
    # 002: a générale "vaut pour une manche complète": 150, whatever was written before
    "made": Game("chaloupee", 150, (FOURTEEN, MADE), (150, 14), "NS"),
    "failed": Game("chaloupee", 150, (FOURTEEN, FAILED), (0, 150), "EW"),
    "made by deals": Game("chaloupee", {"deals": 2}, (FOURTEEN, MADE), (150, 14), "NS"),
    "failed by deals": Game("chaloupee", {"deals": 2}, (FOURTEEN, FAILED), (0, 164), "EW"),
    "made for the second game": Game(
        "chaloupee",
        {"games": 2, "of": 44},
        (bid(54, "NT", "NS", points={"NS": 60}), FOURTEEN, MADE),
        (92, 14),
        "NS",
    ),
    "kept beside a penalty": Game(
        "chaloupee",
        150,
        (FOURTEEN, MADE),
        (150, 14),
        "NS",
        [{"article": "002-P1", "side": "EW"}],
    ),
    "a number of marks": Game("chaloupee", {"deals": 2}, (FOURTEEN, MADE), (100, 14), "NS"),
    "parlée": Game(
        "parlee",
        {"deals": 2},
        (trump("H", 42), {**trump("H", 20), "dealer": "N", "turn_up": "KH"}),
        (11, 14),
        "EW",
    ),
    "Boussac": Game("boussac", {"games": 2, "of": 34}, (trump("H", 68),) * 2, (68, 0), "NS"),
    "coinchée": Game(
        "coinchee", {"deals": 2}, (trump("NT", 42, doubling=1), trump("H", 24)), (32, 10), "NS"
    ),
    "muette": Game(
        "muette",
        101,
        (trump("NT", 50, doubling=1), trump("NT", 42)),
        (104, 0),
        "NS",
    ),
    "a doubled deal kept": Game(
        "muette",
        {"deals": 1},
        (trump("NT", 50, doubling=1),),
        (80, 0),
        "NS",
        [{"article": "004-V1", "side": "EW"}],
    ),
    # 003 and 002: a null call takes its factor out (C.5): 16, not 32
    "a null contre": Game(
        "coinchee",
        {"deals": 1},
        (trump("NT", 42, doubling=1),),
        (16, 0),
        "NS",
        [{"article": "003-C1", "side": "EW"}],
    ),
    "a null cogné": Game(
        "chaloupee",
        {"deals": 1},
        (
            {
                "contract": {"declarer": "NS", "level": 34, "trump": "S", "doubling": 1},
                "points": {"NS": 50},
            },
        ),
        (16, 0),
        "NS",
        [{"article": "002-A1", "side": "EW"}],
    ),
    # C.8: without the floor the winners of a tapped deal keep 30 of their 80
    "a doubled deal lost": Game(
        "muette",
        {"deals": 1},
        (trump("NT", 50, doubling=1),),
        (30, 0),
        "NS",
        [{"article": "004-V1", "side": "EW"}],
    ),
    # 004: blind trump "automatically doubled … quadrupled for no trump"
    "blind trump": Game("muette", {"deals": 1}, (trump("NT", 36, blind=True),), (24, 0), "NS"),
    "parlée limited": Game("parlee-limited", {"deals": 1}, (trump("H", 36),), (6, 0), "NS"),
    # 000: the bonus "s'inscrit immédiatement" and stays where "le coup est nul"
    "a tied deal with its turn-up": Game(
        "parlee",
        {"deals": 2},
        ({**trump("H", 34), "dealer": "N", "turn_up": "KH"}, trump("H", 42)),
        (11, 0),
        "NS",
    ),
    "two manches of 44": Game(
        "parlee", {"games": 2, "of": 44, "decider": 54}, (trump("H", 68),) * 4, (136, 0), "NS"
    ),
    # Q-GEN-9: a penalty for conduct is added to that for play
    "conduct beside a revoke": Game(
        "parlee",
        {"deals": 1},
        (trump("H", 30),),
        (68, 0),
        "NS",
        [
            {"article": "000-P1", "side": "EW"},
            {"article": "T-COMM", "side": "EW", "repeated": True},
        ],
    ),
    "Belgian": Game("belgian", {"deals": 2}, (trump("H", 36), trump("NT", 20)), (6, 20), "EW"),
}
OPTIONS: dict[str, dict[str, Any]] = {
    "a number of marks": {"generale_value": 100},
    "a doubled deal lost": {"penalty_floor": False},
}


def sat_down(name: str) -> tuple[Event, Sheet]:
    """Start a round of pairs by the rules of a game. Return the event and the sheet of its first table."""
    game = GAMES[name]
    deals = (
        game.target["deals"] if isinstance(game.target, dict) and "deals" in game.target else None
    )
    plan = {"deals_per_game": deals, "target": None if deals else game.target}
    event = event_of(
        "pairs_swiss", 4, rulebook=game.rulebook, options=OPTIONS.get(name, {}), plan=plan
    )
    laid = Sheet.objects.get(table__number=1, order=1)
    return event, laid


def played_to_the_end(name: str) -> tuple[Event, Sheet, list[dict[str, Any]]]:
    """Enter the game, rule on it and sign it. Return it with the deals as entered."""
    game = GAMES[name]
    event, sheet = sat_down(name)
    entries = []
    for entry in game.deals:
        dealer = ScoreSheet(sheet).next_dealer()
        entries.append({"dealer": dealer, **entry})
        sheets.enter_deal(sheet_id=sheet.pk, entry=entries[-1], actor=SYSTEM)
        sheet.refresh_from_db()
    if game.infractions:
        rule_deal(
            sheet_id=sheet.pk,
            number=len(entries),
            entry=entries[-1],
            infractions=game.infractions,
            actor=SYSTEM,
            reason="seen",
        )
        sheet.refresh_from_db()
    for side in ("NS", "EW"):
        sheet = signatures.sign(sheet_id=sheet.pk, side=side, version=sheet.version, actor=SYSTEM)
    return event, sheet, entries


def by_the_engine(name: str, sheet: Sheet, entries: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the match by the engine's two public calls."""
    asked = {"rulebook": sheet.rulebook, "options": sheet.options}
    deals = [answer("score", {**asked, **entry}) for entry in entries[:-1]]
    last = {**asked, **entries[-1], "infractions": GAMES[name].infractions}
    deals.append(answer("score", last))
    return answer("match", {**asked, "deals": [deal["match"] for deal in deals]})


@pytest.mark.parametrize("name", one_in(3, GAMES))
def test_every_room_tells_the_same(client: Client, name: str) -> None:
    game = GAMES[name]
    event, sheet, entries = played_to_the_end(name)
    us, them = marks = game.marks
    match = by_the_engine(name, sheet, entries)
    assert (match["marks"], match["winner"]) == ({"NS": us, "EW": them}, game.winner)
    if "of" not in str(game.target):
        assert match["score"] == {"NS": us, "EW": them}

    result = OfficialResult.objects.get(sheet=sheet, current=True).result
    assert (result["marks"], result["winner"]) == ({"NS": us, "EW": them}, game.winner)

    stage = event.stages.get()
    field_now = gather(stage, points=False)
    standing = compute(stage, field_now)
    numbers = dict(event.entrants.values_list("pk", "number"))
    sides = {numbers[sheet.seats["N"]]: "NS", numbers[sheet.seats["E"]]: "EW"}
    seen = {
        sides[row.entrant.number]: dict(zip(standing.codes, row.values, strict=True))
        for row in standing.rows
        if row.entrant.number in sides
    }
    assert {side: found["net_marks"] for side, found in seen.items()} == {
        "NS": us - them,
        "EW": them - us,
    }
    assert {side: found["marks"] for side, found in seen.items()} == {"NS": us, "EW": them}

    listed = client.get(f"/e/{event.slug}/standings/").content.decode()
    for number, side in sides.items():
        mine, other = marks if side == "NS" else marks[::-1]
        row = listed[listed.index(f'<tr data-entrant="{number}"') :]
        cells = re.findall(r"<td[^>]*>\s*([^<]*?)\s*</td>", row[: row.index("</tr>")])
        assert cells[-2:] == [f"{mine - other:+}".replace("-", "−"), str(mine)]
        page = client.get(f"/e/{event.slug}/players/{number}/").content.decode()
        assert f'<strong class="marks">{mine}–{other}</strong>' in page
        foot = page[page.index("<tfoot>") : page.index("</tfoot>")]
        assert re.findall(r"<span[^>]*>(\d+)</span>", foot) == [str(mine), str(other)]
        assert f"We {mine} · They {other}" in page
    table = client.get(f"/t/{table_token(sheet.table)}/").content.decode()
    rows = table[table.index("<tbody>") : table.index("</tbody>")]
    totals = [int(each) for each in re.findall(r'<span class="total">(\d+)</span>', rows)]
    lines = list(zip(totals[0::2], totals[1::2], strict=True))
    # In a match by games the running totals begin again after the game's target.
    ends = lines[-1:]
    if isinstance(game.target, dict) and "of" in game.target:
        ends = [line for line in lines if max(line) >= game.target["of"]]
    assert [sum(column) for column in zip(*ends, strict=True)] == [us, them]

    exported = exports.results(event, public=True)
    at = {name: place for place, name in enumerate(exported.columns)}
    told = {row[at["side"]]: (row[at["marks"]], row[at["outcome"]]) for row in exported.rows}
    outcome = {side: "won" if side == game.winner else "lost" for side in ("NS", "EW")}
    assert told == {"NS": (us, outcome["NS"]), "EW": (them, outcome["EW"])}

    people = directory(event)
    names = {seat: people[sheet.seats[seat]].name for seat in "NE"}
    line = f"{names['N']} {us} {them} {names['E']}"
    assert line in whole_text(printed(event, "event-report"))
