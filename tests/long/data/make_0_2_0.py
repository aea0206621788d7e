"""Write the small events of release 0.2.0 that later releases are upgraded from.

Run in a checkout of that release, once for each database, with DATABASE_URL and MANILLE_VAR naming
an empty installation: ``python make_0_2_0.py FOLDER``. Each event holds something that a later
release counts or judges differently; beside the database, each is packed as an archive in FOLDER.
An administrator's role was written as the demo of that release did, without an entry in a journal, and
release 1.0.0 then migrated the database (``release-0.2.0-by-1.0.0``).
"""

from __future__ import annotations

import json
import os
import random
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, os.getcwd())
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")


def stage_of(players: int, slug: str, **plan: Any) -> Any:
    """Create an event of one stage with all players checked in."""
    from tests.tournament.build import make_event
    from tournament.services.events import StagePlan

    drawing = plan.pop("drawing", {})
    rulebook, options = plan.pop("rulebook", "belgian"), plan.pop("options", {})
    stages = [StagePlan("Stage", games_per_round=1, deals_per_game=2, **plan)]
    event = make_event(
        players, plan=stages, rulebook=rulebook, options=options, name=slug, slug=slug
    )
    event.stages.update(drawing=drawing)
    return event


def in_play(slug: str, rulebook: str, **options: Any) -> tuple[Any, Any]:
    """Create an event of eight players whose first round is published and in play."""
    from tests.adjudication.build import event_in_play

    return event_in_play(rulebook, deals=3, name=slug, slug=slug, options=options)


def publish(event: Any) -> Any:
    """Draw and publish the next round of an event."""
    from tests.tournament.build import SYSTEM
    from tournament.demo.simulation import draw_and_publish
    from tournament.models import Round

    part = Round.objects.filter(stage__event=event, published_at=None)
    first = part.order_by("stage__order", "number").first()
    return None if first is None else draw_and_publish(first, SYSTEM)


def play(part: Any, *, level: tuple[int, ...] = ()) -> None:
    """Play a round of pairs: the lower number wins, except at the tables ``level``, which end level."""
    from tests.adjudication.build import enter, sign
    from tests.tournament.build import SYSTEM
    from tournament.services import rounds

    for table in part.tables.order_by("number"):
        seats = {seat.position: seat.entrant.number for seat in table.seats.all()}
        for game in table.games.order_by("number"):
            points = 30 if table.number in level else 30 + 60 // (7 + seats["NS"] + seats["EW"])
            if seats["NS"] > seats["EW"]:
                points = 60 - points
            sign(enter(game.sheet, points, points))
    rounds.close_round(round_id=part.pk, actor=SYSTEM)


def knock_out(slug: str) -> Any:
    """Play a knock-out of four pairs; the director decides a level semi-final for the higher number."""
    from tests.tournament.build import SYSTEM
    from tournament.services import reseating

    event = stage_of(4, slug, format="ko", rounds=2, drawing={"seeds": 4})
    part = publish(event)
    play(part, level=(1,))
    seats = part.tables.get(number=1).seats.order_by("-entrant__number")
    reseating.decide_match(
        round_id=part.pk,
        table=1,
        winner=seats[0].entrant.number,
        reason="one more deal",
        actor=SYSTEM,
    )
    play(publish(event))
    return event


def pools(slug: str, *, bracket: bool) -> Any:
    """Play two pools of four with level pairs; with ``bracket``, play to the final."""
    event = stage_of(8, slug, format="pools_ko", rounds=3, drawing={"pool_size": 4})
    for _round in range(3):
        play(publish(event), level=(1, 2, 3))
    part = publish(event)
    while bracket and part is not None:
        play(part)
        part = publish(event)
    return event


def state(event: Any, name: str) -> None:
    """Freeze the standings of an event's first stage, or make them final."""
    from tests.tournament.build import SYSTEM
    from tournament.services import standings

    standings.set_state(stage_id=event.stages.get(order=1).pk, state=name, actor=SYSTEM)


def absent() -> None:
    """Create an event of ten players: two never come, one comes late, one leaves, one forfeits a round."""
    from adjudication.services import incidents, rulings
    from tests.tournament.build import SYSTEM, make_event
    from tournament.demo.simulation import advance
    from tournament.services import entrants

    event = make_event(10, deals=1, cut=4, name="absent", slug="absent", present=False)
    players = list(event.entrants.order_by("number"))
    for player in players[:9]:
        entrants.check_in(entrant_id=player.pk, actor=SYSTEM)
    chance = random.Random("absent")
    part = advance(event, chance)
    state(event, "frozen")
    state(event, "provisional")
    for table, what, article in ((1, "no_show", "T-ABS"), (2, 20, "T-LATE")):
        incident = incidents.open_incident(
            event_id=event.pk,
            table_id=part.tables.get(number=table).pk,
            told="late",
            actor=SYSTEM,
            game=1,
            deal=1,
        )
        name = "what" if article == "T-ABS" else "minutes"
        rulings.issue(
            incident_id=incident.pk,
            article=article,
            facts={"offender": "N", name: what},
            actor=SYSTEM,
            reason="as seen",
            claimed="in_time",
            next_round="stands",
        )
    entrants.enter_player(event_id=event.pk, name="Laat Komer", actor=SYSTEM, present=True)
    entrants.withdraw(entrant_id=players[0].pk, actor=SYSTEM)
    advance(event, chance)


def rule(event: Any, part: Any, article: str, facts: dict[str, Any], **at: Any) -> Any:
    """Rule on a deal of the event."""
    from adjudication.services import rulings
    from tests.adjudication.build import REFEREE, incident_at

    return rulings.issue(
        incident_id=incident_at(event, part, **at).pk,
        article=article,
        facts=facts,
        actor=REFEREE,
        reason="as seen",
        claimed="in_time",
        next_round="stands",
    )


def deal(sheet: Any, points: int | None, **contract: Any) -> None:
    """Enter a deal with its own contract."""
    from scoring.services import sheets
    from tests.adjudication.build import SYSTEM, points_entry

    entry = points_entry(sheet, points or 0, trump=contract.pop("trump", "H"))
    entry["contract"] |= contract
    if points is None:
        entry = {name: value for name, value in entry.items() if name != "points"}
        entry["tricks"] = {"NS": 8, "EW": 0}
    sheets.enter_deal(sheet_id=sheet.pk, entry=entry, actor=SYSTEM)


REVOKE = {"offender": "E", "trick": 3, "noticed": "after_deal"}


def fouls() -> None:
    """Create coinchée rulings: a null contre, conduct besides a revoke on either side, a dear deal, a misdeal."""
    from tests.adjudication.build import sheet_at, sign
    from tests.tournament.build import SYSTEM
    from tournament.services import rounds

    event, part = in_play("fouls", "coinchee")
    for table, game in ((1, 1), (1, 2), (1, 3), (2, 1), (2, 2), (2, 3)):
        sheet = sheet_at(part, table, game)
        for points in (50, 44, 30):
            deal(sheet, points, doubling=1 if points == 50 else 0)
        sheet.refresh_from_db()
        sign(sheet)
    rule(event, part, "003-C1", {"offender": "E", "what": "too_late"}, game=1, deal=1)
    phone = {"offender": "N"}
    for _time in range(2):
        rule(event, part, "T-PHONE", phone, game=2, deal=1)
    rule(event, part, "003-P1", REVOKE, game=2, deal=1)
    rule(event, part, "003-P1", REVOKE, game=3, deal=1)
    for _time in range(2):
        rule(event, part, "T-PHONE", {**phone, "offender": "E"}, game=3, deal=1)
    for game in (1, 2):
        dealer = sheet_at(part, 2, game).first_dealer
        facts = {"dealer": dealer, "deliberate": False}
        rule(event, part, "T-MISD", facts, table=2, game=game, deal=1)
    taken = rule(event, part, "003-P1", REVOKE, table=2, game=3, deal=1)
    from adjudication.services import rulings
    from tests.adjudication.build import SECOND

    rulings.annul(ruling_id=taken.pk, actor=SECOND, reason="no revoke")
    rounds.close_round(round_id=part.pk, actor=SYSTEM)


def generale() -> None:
    """Create chaloupée rulings: a générale made, one failed, one besides a revoke, a null cogné."""
    from tests.adjudication.build import sheet_at

    event, part = in_play("generale", "chaloupee", direction="CCW")
    from scoring.services import sheets
    from tests.adjudication.build import SYSTEM

    sheet = sheet_at(part, 1, 1)
    deal(sheet, 40, level=34)
    deal(sheet, None, level="generale")
    deal(sheet, 40, level=34, doubling=1)
    sheet.refresh_from_db()
    for side in ("NS", "EW"):
        sheet = sheets.sign(sheet_id=sheet.pk, side=side, version=sheet.version, actor=SYSTEM)
    rule(event, part, "002-A1", {"offender": "E", "what": "redoubled_nothing"}, deal=3)
    sheet = sheet_at(part, 1, 2)
    deal(sheet, None, level="generale")
    rule(event, part, "002-P1", REVOKE, game=2, deal=1)


def blind() -> None:
    """Create a muette event: blind trump, entered by cards as if the next player led; revoke by the losers."""
    from scoring.rules import game_of
    from scoring.services import sheets
    from tests.adjudication.build import SYSTEM, sheet_at
    from tournament.demo.play import deal_and_play

    event, part = in_play("blind", "muette")
    sheet = sheet_at(part)
    chance = random.Random("blind")
    for _deal in range(3):
        entry = deal_and_play(
            game_of(sheet), sheets.next_dealer(sheet, sheets.current_deals(sheet)), chance
        )
        entry["contract"]["blind"] = True
        sheets.enter_deal(sheet_id=sheet.pk, entry=entry, actor=SYSTEM)
    rule(event, part, "004-V1", REVOKE)


def threes() -> None:
    """Play tables of three, three deals each, signed, with a ruling at one."""
    from scoring.rules import sides_of
    from scoring.services import sheets
    from tests.tournament.build import SYSTEM
    from tournament.services import rounds

    event = stage_of(7, "threes", format="individual_draw", rounds=2, rulebook="three-player")
    part = publish(event)
    for table in part.tables.order_by("number"):
        sheet = table.games.get(number=1).sheet
        for points in (40, 20, 35):
            dealer = sheets.next_dealer(sheet, sheets.current_deals(sheet))
            entry = {
                "dealer": dealer,
                "contract": {"trump": "H", "declarer": dealer},
                "points": {dealer: points},
            }
            sheets.enter_deal(sheet_id=sheet.pk, entry=entry, actor=SYSTEM)
        sheet.refresh_from_db()
        for side in sides_of(sheet):
            if sheet.state != "official":
                sheet = sheets.sign(
                    sheet_id=sheet.pk, side=side, version=sheet.version, actor=SYSTEM
                )
    rule(event, part, "004-V1", {"offender": "1", "trick": 2, "noticed": "after_deal"})
    rounds.close_round(round_id=part.pk, actor=SYSTEM)
    publish(event)


def main(folder: Path) -> None:
    """Play the events from an empty database and print their standings."""
    import django

    django.setup()
    from django.core.management import call_command

    from tournament.models import Event
    from tournament.services import archive
    from tournament.services.standings import recompute

    call_command("migrate", verbosity=0)
    knock_out("knockout")
    state(knock_out("knockout-frozen"), "frozen")
    state(pools("pools", bracket=True), "final")
    pools("pools-open", bracket=True)
    pools("pools-drawn", bracket=False)
    for make in (absent, fouls, generale, blind, threes):
        make()
    said: dict[str, Any] = {}
    for event in Event.objects.order_by("slug"):
        for stage in event.stages.order_by("order"):
            said[f"{event.slug} {stage.order}"] = recompute(stage_id=stage.pk).hash
        (folder / f"{event.slug}.manille").write_bytes(archive.pack(event.pk))
    sys.stdout.write(json.dumps(said, indent=1) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
