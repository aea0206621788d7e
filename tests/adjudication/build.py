"""An event in play for the tests of rulings: a drawn round, sheets, deals card by card, referees."""

from __future__ import annotations

import random
from typing import Any

from adjudication.models import Incident
from adjudication.services import incidents
from ledger.actors import Actor
from scoring.engine.calls import answer
from scoring.engine.errors import EngineError
from scoring.models import Sheet
from scoring.rules import game_of
from scoring.services import sheets
from tests.tournament.build import make_event
from tournament.demo.play import deal_and_play
from tournament.demo.simulation import draw_and_publish
from tournament.models import Event, Round

SYSTEM = Actor.system("test")
REFEREE = Actor.user(900001)
SECOND = Actor.user(900002)
COMMITTEE = Actor.user(900003)


def event_in_play(
    rulebook: str = "parlee", *, players: int = 8, deals: int = 2, cut: int = 4, **more: Any
) -> tuple[Event, Round]:
    """A championship whose first round is published and in play."""
    event = make_event(players, rulebook=rulebook, deals=deals, cut=cut, **more)
    part = event.stages.get(order=1).rounds.get(number=1)
    return event, draw_and_publish(part, SYSTEM)


def sheet_at(part: Round, table: int = 1, game: int = 1) -> Sheet:
    """The sheet of a game at a table."""
    return part.tables.get(number=table).games.get(number=game).sheet


def points_entry(
    sheet: Sheet, points: int, *, trump: str = "H", dealer: str = ""
) -> dict[str, Any]:
    """A deal in which N-S took ``points``."""
    listed = sheets.current_deals(sheet)
    contract: dict[str, Any] = {"trump": trump}
    if sheet.rulebook not in ("parlee", "boussac"):
        contract["declarer"] = "NS"
    return {
        "dealer": dealer or sheets.next_dealer(sheet, listed), "contract": contract,
        "points": {"NS": points},
    }  # fmt: skip


def enter(sheet: Sheet, *points: int) -> Sheet:
    """Enter deals by the points of N-S."""
    for each in points:
        sheets.enter_deal(sheet_id=sheet.pk, entry=points_entry(sheet, each), actor=SYSTEM)
    sheet.refresh_from_db()
    return sheet


def sign(sheet: Sheet) -> Sheet:
    """Both sides sign."""
    for side in ("NS", "EW"):
        sheet = sheets.sign(sheet_id=sheet.pk, side=side, version=sheet.version, actor=SYSTEM)
    return sheet


def incident_at(
    event: Event, part: Round, *, table: int = 1, game: int = 1, deal: int | None = 1,
    actor: Actor = REFEREE,
) -> Incident:  # fmt: skip
    """An incident that the referee saw himself."""
    return incidents.open_incident(
        event_id=event.pk, table_id=part.tables.get(number=table).pk, told="renonce", actor=actor,
        game=game, deal=deal,
    )  # fmt: skip


def revoked_deal(sheet: Sheet, *, proved_at: int = 6, seed: int = 1) -> tuple[dict[str, Any], dict]:
    """A deal entered card by card that holds one revoke, shown by a later card in ``proved_at``.

    Found by dealing and playing lawfully, then exchanging in one hand a card of the suit led for
    one that the player threw later: the later trick shows the card that he had held. Returns the
    entry and the violation that the engine finds.
    """
    game = game_of(sheet)
    dealer = sheets.next_dealer(sheet, sheets.current_deals(sheet))
    for attempt in range(3000):
        chance = random.Random(f"{seed}-{attempt}")
        entry = deal_and_play(game, dealer, chance)
        plays = entry["record"]["plays"]
        for first in range(1, 20):
            changed = _swap(sheet, entry, plays, first, proved_at)
            if changed is not None:
                return changed
    raise AssertionError("no such deal was found")


def _swap(
    sheet: Sheet, entry: dict[str, Any], plays: list[str], first: int, proved_at: int
) -> tuple[dict[str, Any], dict] | None:
    asked = {"rulebook": sheet.rulebook, "options": sheet.options}
    replayed = answer("replay", {**asked, **entry["record"]})
    trick, place = divmod(first, 4)
    if place == 0:
        return None
    seat = replayed["tricks"][trick]["plays"][place][0]
    led = replayed["tricks"][trick]["plays"][0][1]
    card = plays[first]
    if card[-1] != led[-1]:
        return None
    later = [
        4 * t + p
        for t in range(proved_at - 1, proved_at)
        for p, (who, _card) in enumerate(replayed["tricks"][t]["plays"])
        if who == seat
    ]
    for second in later:
        if plays[second][-1] == led[-1]:
            continue
        swapped = list(plays)
        swapped[first], swapped[second] = swapped[second], swapped[first]
        try:
            again = answer("replay", {**asked, **entry["record"], "plays": swapped})
        except EngineError:  # another player would have won the trick: no deal of cards fits
            continue
        same_order = [t["leader"] for t in again["tricks"]] == [
            t["leader"] for t in replayed["tricks"]
        ]
        (found, *more) = again["violations"] or [None]
        alone = same_order and found and not more and found["kind"] == "revoke"
        if alone and found["provable"] and found["provable"]["trick"] == proved_at:
            return {**entry, "record": {**entry["record"], "plays": swapped}}, found
    return None
