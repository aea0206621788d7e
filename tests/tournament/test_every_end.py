"""Matches in every rulebook, clause and way to end: every part of the product gives the same result.

Random deals, a match by deals, to a target or of several games, ended by play, by a générale, with a penalty, the floor
or a null call, forfeited, or decided by the director. Marks, winner and net are added up here a second time, in plain
sums. The engine, the official result, the standings, the public pages, the exports and the papers must all match them.
"""

from __future__ import annotations

import csv
import io
import random
import re
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import pytest
from django.test import Client
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st
from openpyxl import load_workbook

from scoring.engine.calls import answer
from scoring.engine.rulebook import RULEBOOKS, Game
from scoring.engine.rulebook_edition import Sides, TrumpChoice
from tests.tournament.build import SYSTEM
from tests.tournament.documents.reading import whole_text
from tests.tournament.test_papers import event_of, printed
from tournament import exports
from tournament.demo.play import take_alone
from tournament.models import Event, Round
from tournament.models.tables import OfficialResult, Sheet
from tournament.queries.names import directory
from tournament.queries.standings import compute, recompute
from tournament.services import adjustments, reseating, sheets, signatures
from tournament.services.adjustments import Amount
from tournament.services.ruled import rule_deal
from tournament.tables.links import table_token
from tournament.tables.score_sheet import ScoreSheet

pytestmark = pytest.mark.django_db

PLAY = {
    "parlee": "000-P1",
    "boussac": "001-R9a",
    "chaloupee": "002-P1",
    "coinchee": "003-P1",
    "muette": "004-V1",
    "parlee-limited": "004-V1",
    "blind": "GEN-TURN",
    **dict.fromkeys(("belgian", "bruges", "trumps-only"), "BE-P1"),
}
"""Article of the penalty in each rulebook, a second offence where it has a ladder."""
NULL = {"coinchee": "003-C1", "chaloupee": "002-A1"}
"""Article of a null call; in other rulebooks the general one."""
CLAUSES: dict[str, Any] = {
    "by deals": {"deals": 3},
    "to a target": 60,
    "of games": {"games": 2, "of": 34},
}


@dataclass(frozen=True)
class Way:
    """A rulebook, the clause of its matches, and the end of one."""

    rulebook: str
    clause: str
    end: str


def ways() -> list[Way]:
    """Return every way."""
    found = []
    for key, book in RULEBOOKS.items():
        if book.sides is not Sides.PAIRS:
            found += [Way(key, "by deals", end) for end in ("played", "forfeited")]
            continue
        ends = ["played", "penalty", "forfeited"]
        ends += ["floor", "no floor", "null call"] if book.calls else []
        ends += ["generale"] if book.levels else []
        found += [Way(key, clause, end) for clause in CLAUSES for end in ends]
        found.append(Way(key, "by deals", "decided"))
    return found


WAYS = ways()
GENERALE = Way("chaloupee", "to a target", "generale")


def any_deal(game: Game, dealer: str, chance: random.Random) -> dict[str, Any]:
    """Return a deal as a table enters it, with any contract of the rulebook and any points."""
    book = game.book
    if book.sides is not Sides.PAIRS:
        return take_alone(game, dealer, chance)
    trump = chance.choice([*"SHDC", "NT"] if book.no_trump else [*"SHDC"])
    contract: dict[str, Any] = {"trump": trump}
    entry: dict[str, Any] = {"dealer": dealer, "contract": contract}
    if book.trump_choice is TrumpChoice.TURN_UP:
        entry["turn_up"] = chance.choice(["7", "9", "J", "K", "10"]) + trump
    else:
        contract["declarer"] = chance.choice(["NS", "EW"])
    if book.levels:
        contract["level"] = chance.choice(sorted(book.levels))
    if book.calls and chance.random() < 0.4:
        contract["doubling"] = chance.randint(1, 2)
    if game.options.get("blind_trump_allowed") and chance.random() < 0.3:
        contract["blind"] = True
    entry["points"] = {chance.choice(["NS", "EW"]): chance.randint(1, 2 * book.half - 1)}
    return entry


def doubled(game: Game, dealer: str, chance: random.Random) -> dict[str, Any]:
    """Return a doubled deal with a winner."""
    contract: dict[str, Any] = {"trump": "H", "declarer": "NS", "doubling": 1}
    if game.book.levels:
        contract["level"] = 34
    points = {"NS": game.book.half + chance.choice([-1, 1]) * chance.randint(5, 25)}
    return {"dealer": dealer, "contract": contract, "points": points}


def level(game: Game, dealer: str) -> dict[str, Any]:
    """Return a deal in which both sides mark nothing."""
    contract: dict[str, Any] = {"trump": "H"}
    entry = {"dealer": dealer, "contract": contract, "points": {"NS": game.book.half}}
    if game.book.trump_choice is TrumpChoice.TURN_UP:
        entry["turn_up"] = "7H"
    else:
        contract["declarer"] = "NS"
    if game.book.levels:
        contract["level"] = 34
    return entry


@dataclass
class Played:
    """A complete match: its seats, and its deals in the engine's form."""

    event: Event
    sheet: Sheet
    deals: list[dict[str, Any]] = field(default_factory=list)
    forfeits: str = ""
    """The side that forfeited the round."""
    decided: str = ""
    """The side to which the director gave the match."""


def event_for(way: Way) -> Event:
    book = RULEBOOKS[way.rulebook]
    clause = CLAUSES[way.clause]
    options: dict[str, Any] = {"penalty_floor": False} if way.end == "no floor" else {}
    if way.rulebook == "auction-1":
        options["stakes"] = [10, 8, 6, 4, 2]
    if book.sides is not Sides.PAIRS:
        size = 3 if book.sides is Sides.DEALER_ALONE else 4
        return event_of(
            "individual_draw",
            size,
            rulebook=way.rulebook,
            options=options,
            plan={"deals_per_game": size},
        )
    by_deals = way.clause == "by deals"
    plan: dict[str, Any] = {
        "deals_per_game": clause["deals"] if by_deals else None,
        "target": None if by_deals else clause,
    }
    format = "ko" if way.end == "decided" else "pairs_swiss"
    return event_of(
        format, 4, rulebook=way.rulebook, options=options, plan=plan, drawing={"unit": "pair"}
    )


def fault(way: Way, side: str) -> dict[str, Any]:
    article = PLAY[way.rulebook]
    again = {"repeated": True} if article.startswith("GEN-") else {}
    return {"article": article, "side": side, **again}


def add(found: Played, entry: dict[str, Any], infractions: list[dict[str, Any]]) -> None:
    """Enter a deal, and rule on it where there are infractions."""
    sheets.enter_deal(sheet_id=found.sheet.pk, entry=entry, actor=SYSTEM)
    if infractions:
        rule_deal(
            sheet_id=found.sheet.pk,
            number=len(found.deals) + 1,
            entry=entry,
            infractions=infractions,
            actor=SYSTEM,
            reason="seen",
        )
    found.deals.append({**entry, "infractions": infractions} if infractions else entry)
    found.sheet.refresh_from_db()


def ending_deal(
    way: Way, game: Game, dealer: str, chance: random.Random
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Return the deal that the way is about, with its infractions."""
    if way.end == "decided":
        return level(game, dealer), []
    if way.end == "generale":
        contract = {"trump": "H", "declarer": chance.choice(["NS", "EW"]), "level": "generale"}
        tricks = {contract["declarer"]: chance.choice([8, 8, 5])}
        return {"dealer": dealer, "contract": contract, "tricks": tricks}, []
    if way.end in ("floor", "no floor"):
        side = chance.choice(["NS", "EW"])
        return doubled(game, dealer, chance), [fault(way, side)]
    if way.end == "null call":
        article = NULL.get(way.rulebook, "GEN-CALL")
        return doubled(game, dealer, chance), [{"article": article, "side": "EW"}]
    infractions = []
    if way.end == "penalty":
        infractions = [fault(way, chance.choice(["NS", "EW"]))]
    return any_deal(game, dealer, chance), infractions


def played(way: Way, chance: random.Random) -> Played:
    """Play the match of the first table to its end and sign it, then forfeit or decide it."""
    event = event_for(way)
    sheet = Sheet.objects.get(table__round__stage__event=event, table__number=1, order=1)
    found, game = Played(event, sheet), ScoreSheet(sheet).game
    before = 0 if way.end == "decided" else chance.randint(0, 1)
    while not found.sheet.finished:
        assert len(found.deals) < 100
        dealer = ScoreSheet(found.sheet).dealer_in_turn(len(found.deals) + 1)
        if way.end == "decided" or len(found.deals) == before:
            entry, infractions = ending_deal(way, game, dealer, chance)
        else:
            entry, infractions = any_deal(game, dealer, chance), []
        add(found, entry, infractions)
    sides = list(found.sheet.sides)
    for side in sides:
        found.sheet = signatures.sign(
            sheet_id=sheet.pk, side=side, version=found.sheet.version, actor=SYSTEM
        )
    round_ = Round.objects.get(stage__event=event, state="playing")
    if way.end == "forfeited":
        found.forfeits = chance.choice(sides)
        adjustments.adjust(
            stage_id=round_.stage_id,
            source=f"ruling:{event.pk}",
            reason="T-ABS",
            actor=SYSTEM,
            round_id=round_.pk,
            amounts=[Amount(entrants(found)[found.forfeits].pk, penalties=1, forfeited=True)],
        )
    if way.end == "decided":
        found.decided = chance.choice(sides)
        reseating.decide_match(
            round_id=round_.pk,
            table=1,
            winner=entrants(found)[found.decided].number,
            reason="by lot",
            actor=SYSTEM,
        )
    return found


def entrants(found: Played) -> dict[str, Any]:
    """Return the entrant of each side: a pair, or a single player."""
    by_pk = found.event.entrants.in_bulk()
    return {side: by_pk[found.sheet.seats[side[0]]] for side in found.sheet.sides}


# The independent sums ------------------------------------------------------------------------------


def added_up(way: Way, found: Played) -> tuple[dict[str, int], str | None]:
    """Return the marks of each side and the winner of the match, added up from the deals."""
    marks = dict.fromkeys(found.sheet.sides, 0)
    if RULEBOOKS[way.rulebook].sides is not Sides.PAIRS:
        for entered in ScoreSheet(found.sheet).current():
            for side in marks:
                marks[side] += entered.marks.get(side, 0)
        return marks, leader(marks)
    rules = {"rulebook": way.rulebook, "options": found.sheet.options}
    clause = CLAUSES[way.clause]
    goal = clause if isinstance(clause, int) else clause.get("of")
    wanted = clause["games"] if isinstance(clause, dict) and "games" in clause else 1
    here, games = dict.fromkeys(marks, 0), dict.fromkeys(marks, 0)
    for entry in found.deals:
        deal: Any = answer("score", {**rules, **entry})["match"]
        whole = deal.get("game_won")
        won = None
        for component in ("turn_up", "penalty", "deal"):
            for side, value in (deal.get(component) or {}).items():
                here[side] += value
            reached = [side for side in here if goal is not None and here[side] >= goal]
            if reached and won is None:
                won = leader({side: here[side] for side in reached})
                if won is not None:
                    break
        if won is None and whole is not None:
            won = whole if goal is not None else None
            here[whole] = max(here[whole], goal) if goal is not None else here[whole] + 150
        if won is not None:
            games[won] += 1
            marks = {side: marks[side] + here[side] for side in marks}
            here = dict.fromkeys(marks, 0)
            if games[won] == wanted:
                return marks, won
    assert goal is None
    return here, leader(here)


def leader(marks: dict[str, int]) -> str | None:
    best = [side for side, value in marks.items() if value == max(marks.values())]
    return best[0] if len(best) == 1 else None


def amounts_hold(way: Way, found: Played) -> None:
    """Check the effect of the floor and of a null call: the deal's marks against the marks without them."""
    rules = {"rulebook": way.rulebook, "options": found.sheet.options}
    for entry in found.deals:
        infraction = next(iter(entry.get("infractions", [])), None)
        if infraction is None:
            continue
        told: Any = answer("score", {**rules, **entry})
        as_played: Any = answer("score", {**rules, **entry, "infractions": []})
        half, marks = RULEBOOKS[way.rulebook].half, told["marks"]
        innocent = "EW" if infraction["side"] == "NS" else "NS"
        if way.end == "null call":
            plain = {k: v for k, v in entry["contract"].items() if k != "doubling"}
            undoubled: Any = answer(
                "score",
                {**rules, "dealer": entry["dealer"], "contract": plain, "points": entry["points"]},
            )
            assert marks == undoubled["marks"]
        elif way.end == "floor":
            assert marks[innocent] == max(half, as_played["marks"][innocent])
            assert marks[infraction["side"]] == 0
        elif way.end == "no floor":
            assert marks == {innocent: half, infraction["side"]: 0}


# Comparison across the product ----------------------------------------------------------------------


def minus(number: Fraction) -> str:
    return f"{int(number):+}".replace("-", "−") if number else "0"


def holds(way: Way, seed: int) -> None:
    found = played(way, random.Random(seed))
    sheet = found.sheet
    marks, winner = added_up(way, found)
    amounts_hold(way, found)
    pairs = RULEBOOKS[way.rulebook].sides is Sides.PAIRS
    if pairs:
        rules = {"rulebook": way.rulebook, "options": sheet.options}
        deals = [answer("score", {**rules, **entry})["match"] for entry in found.deals]
        match: Any = answer("match", {**rules, "deals": deals})
        assert (match["marks"], match["winner"], match["finished"]) == (marks, winner, True)
    result = OfficialResult.objects.get(sheet=sheet, current=True).result
    assert (result["marks"], result["winner"]) == (marks, winner)

    counted = dict.fromkeys(marks, 0) | marks
    nets = {
        side: own - Fraction(sum(marks.values()) - own, len(marks) - 1)
        for side, own in marks.items()
    }
    has = winner
    if found.decided:
        has = found.decided
    best = max(marks.values())
    outcomes = {
        side: "won" if side == has else "draw" if has is None and own == best else "lost"
        for side, own in marks.items()
    }
    if found.forfeits:
        counted[found.forfeits], nets[found.forfeits] = 0, Fraction(0)
        outcomes[found.forfeits] = "lost"

    client = Client()
    sits = entrants(found)
    in_standings(found, sits, counted, nets, outcomes)
    on_pages(client, found, sits, marks, counted, nets, outcomes, pairs=pairs)
    in_exports(found, sits, counted, nets, outcomes)
    on_paper(found, sits, marks, nets, pairs=pairs)


def in_standings(
    found: Played,
    sits: dict[str, Any],
    counted: dict[str, int],
    nets: dict[str, Fraction],
    outcomes: dict[str, str],
) -> None:
    stage = found.event.stages.get()
    standing = compute(stage)
    stored = {row["number"]: row for row in recompute(stage_id=stage.pk).rows}
    values = {
        row.entrant.number: dict(zip(standing.codes, row.values, strict=True))
        for row in standing.rows
    }
    for side, who in sits.items():
        told, row = values[who.number], stored[who.number]
        assert told.get("marks", counted[side]) == counted[side]
        assert told["net_marks"] == nets[side]
        assert (row["won"], row["drawn"], row["lost"]) == tuple(
            int(outcomes[side] == each) for each in ("won", "draw", "lost")
        )


def on_pages(
    client: Client,
    found: Played,
    sits: dict[str, Any],
    marks: dict[str, int],
    counted: dict[str, int],
    nets: dict[str, Fraction],
    outcomes: dict[str, str],
    *,
    pairs: bool,
) -> None:
    address = f"/e/{found.event.slug}"
    listed = client.get(f"{address}/standings/").content.decode()
    for side, who in sits.items():
        row = listed[listed.index(f'<tr data-entrant="{who.number}"') :]
        cells = re.findall(r"<td[^>]*>\s*([^<]*?)\s*</td>", row[: row.index("</tr>")])
        if nets[side].denominator == 1:
            assert minus(nets[side]) in cells
        page = client.get(f"{address}/players/{who.number}/").content.decode()
        other = sum(marks.values()) - marks[side]
        score = f"{marks[side]}–{other}" if pairs else str(marks[side])
        score = score.replace("-", "−")
        if side == found.forfeits:
            assert f'<s class="marks">{score}</s>' in page
            assert "Every game of this round is lost by a ruling" in page
            assert "✓" not in page[page.index('<s class="marks">') :]
        else:
            assert f'<strong class="marks">{score}</strong>' in page
        if found.decided:
            told = "won" if side == found.decided else "lost"
            assert f"Match {told} by the director’s decision:" in page
        elif pairs and side != found.forfeits:
            assert ("✓ won" in page) == (outcomes[side] == "won")
        foot = page[page.index("<tfoot>") : page.index("</tfoot>")]
        totals = [marks[side], other] if pairs else None
        seen = [
            int(each.replace("−", "-"))
            for each in re.findall(r"<td[^>]*>\s*(?:<span[^>]*>)?([−-]?\d+)<", foot)
        ]
        assert seen == totals if totals else seen[0] == marks[side]
    if pairs:
        table = client.get(f"/t/{table_token(found.sheet.table)}/").content.decode()
        rows = table[table.index("<tbody>") : table.index("</tbody>")]
        # The running totals begin again after the line that ends a game.
        played = [
            re.findall(r'<span class="total">(\d+)</span>', part)
            for part in rows.split('<tr class="game-end">')
        ]
        ends = [[int(total) for total in part[-2:]] for part in played if part]
        assert [sum(side) for side in zip(*ends, strict=True)] == [marks["NS"], marks["EW"]]


def in_exports(
    found: Played,
    sits: dict[str, Any],
    counted: dict[str, int],
    nets: dict[str, Fraction],
    outcomes: dict[str, str],
) -> None:
    exported = exports.results(found.event, public=False)
    text = exports.as_csv(exported).decode("utf-8-sig")
    lines = list(csv.DictReader(io.StringIO(text)))
    book = load_workbook(io.BytesIO(exports.as_xlsx(exported)))
    heading, *rows = book["results"].iter_rows(values_only=True)
    cells = [dict(zip(heading, row, strict=True)) for row in rows]
    for side, who in sits.items():
        for listed in (lines, cells):
            row = next(each for each in listed if (str(each["table"]), each["side"]) == ("1", side))
            assert (int(row["marks"]), row["outcome"]) == (counted[side], outcomes[side])
            against = counted[side] - nets[side]
            assert abs(Fraction(str(row["against"])) - against) < Fraction(1, 10**5)
            assert str(row["numbers"]) == str(who.number)
            assert str(row["forfeited"] or "") == (
                str(who.number) if side == found.forfeits else ""
            )
            assert (row["decision"] or "") == ("by lot" if found.decided else "")


def on_paper(
    found: Played,
    sits: dict[str, Any],
    marks: dict[str, int],
    nets: dict[str, Fraction],
    *,
    pairs: bool,
) -> None:
    # A forfeited score stands in brackets: played, and not counted.
    counted = {
        side: f"({own})" if side == found.forfeits else str(own) for side, own in marks.items()
    }
    report = whole_text(printed(found.event, "event-report"))
    people = directory(found.event)
    names = {side: people[who.pk].name for side, who in sits.items()}
    if pairs:
        assert f"{names['NS']} {counted['NS']} {counted['EW']} {names['EW']}" in report
    else:
        for side, name in names.items():
            assert f"{name} {counted[side]}".replace("-", "−") in report
    if found.forfeits:
        assert f"round forfeited by {names[found.forfeits]}" in report
    if found.decided:
        assert f"decided by the director for {names[found.decided]}: by lot" in report
    sheet = whole_text(printed(found.event, "standings"))
    for side, name in names.items():
        if nets[side].denominator == 1:
            told = sheet[sheet.index(name) + len(name) :][:60]
            assert f" {minus(nets[side])} " in told


_SLOW = [HealthCheck.too_slow, HealthCheck.function_scoped_fixture, HealthCheck.data_too_large]


@settings(suppress_health_check=_SLOW, phases=[Phase.explicit])
@given(way=st.sampled_from(WAYS), seed=st.integers(0, 2**20))
@example(way=GENERALE, seed=1)
@example(way=Way("chaloupee", "by deals", "generale"), seed=2)
@example(way=Way("parlee", "by deals", "forfeited"), seed=3)
@example(way=Way("muette", "by deals", "decided"), seed=4)
@example(way=Way("three-player", "by deals", "forfeited"), seed=5)
def test_every_room_tells_the_same_match(way: Way, seed: int) -> None:
    holds(way, seed)


@pytest.mark.long
@pytest.mark.parametrize("way", WAYS, ids=lambda way: f"{way.rulebook} {way.clause} {way.end}")
@settings(max_examples=1, suppress_health_check=_SLOW, derandomize=True)
@given(seed=st.integers(0, 2**20))
def test_every_room_tells_the_same_match_for_every_way(way: Way, seed: int) -> None:
    holds(way, seed)
