"""Write the small events of release 1.0.0 that later releases are upgraded from.

Run in a checkout of that release, once for each database, with DATABASE_URL and MANILLE_VAR naming
an empty installation: ``python make_1_0_0.py``. Each event holds something that a later release
counts, draws or judges differently, once with final standings and once in play.
"""

from __future__ import annotations

import json
import os
import random
import sys
from typing import Any

sys.path.insert(0, os.getcwd())
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")


def event_of(players: int, slug: str, *stages: dict[str, Any], **more: Any) -> Any:
    """Create an event with these stages and all players checked in."""
    from tests.tournament.build import make_event
    from tournament.services.events import StagePlan

    plan = [
        StagePlan(f"Stage {number}", games_per_round=1, deals_per_game=2, **stage)
        for number, stage in enumerate(stages, start=1)
    ]
    return make_event(players, plan=plan, name=slug, slug=slug, **more)


def play_on(event: Any, rounds: int = 99) -> None:
    """Draw, play and close ``rounds`` rounds."""
    from tournament.demo.simulation import advance

    chance = random.Random(event.slug)
    for _round in range(rounds):
        if advance(event, chance) is None:
            return


def finish(event: Any) -> None:
    """Make all standings final."""
    from tests.tournament.build import SYSTEM
    from tournament.services import standings

    for stage in event.stages.order_by("order"):
        if stage.field.exists():
            standings.set_state(stage_id=stage.pk, state="final", actor=SYSTEM)


def carried(slug: str, rounds: int = 99) -> Any:
    """Play eleven players; one leaves after a round, and the best eight go on with their results."""
    from tests.tournament.build import SYSTEM
    from tournament.services import entrants

    event = event_of(
        11,
        slug,
        {"rounds": 3, "cut": {"top": 8}},
        {"rounds": 2, "carries_over": True},
    )
    play_on(event, 1)
    entrants.withdraw(entrant_id=event.entrants.get(number=4).pk, actor=SYSTEM)
    play_on(event, rounds - 1)
    return event


def by_lot(slug: str, rounds: int = 99) -> Any:
    """Play eight players, drawn at random every round."""
    event = event_of(8, slug, {"format": "random", "rounds": 3})
    play_on(event, rounds)
    return event


def pools(slug: str, rounds: int = 99) -> Any:
    """Play two pools of four pairs, then a knock-out."""
    event = event_of(8, slug, {"format": "pools_ko", "rounds": 3, "drawing": {"pool_size": 4}})
    play_on(event, rounds)
    return event


def threes(slug: str, rounds: int = 99) -> Any:
    """Play nine players of a game of four at tables of three."""
    event = event_of(9, slug, {"rounds": 2, "drawing": {"odd": "threes"}})
    play_on(event, rounds)
    return event


def finalist_gone(slug: str) -> Any:
    """Play a knock-out of four pairs; a finalist leaves before the final."""
    from tests.tournament.build import SYSTEM
    from tournament.models import Round
    from tournament.services import entrants

    event = event_of(4, slug, {"format": "ko", "rounds": 2, "drawing": {"seeds": 4}})
    play_on(event, 1)
    semi = Round.objects.get(stage__event=event, number=1)
    table = semi.tables.order_by("number").first()
    result = table.sheets.get().results.get(current=True).result
    side = result["winner"] or "NS"
    entrants.withdraw(entrant_id=table.seats.get(position=side).entrant_id, actor=SYSTEM)
    play_on(event)
    return event


def ruled(slug: str) -> Any:
    """Play a coinchée round with a late arrival, a wrong count after a dear deal, and two rulings on one deal."""
    from adjudication.services import rulings
    from tests.adjudication.build import REFEREE, event_in_play, incident_at, sheet_at, sign
    from tests.tournament.build import SYSTEM
    from tournament.queries.deals import current_deals, next_dealer
    from tournament.services import rounds, sheets

    event, part = event_in_play("coinchee", deals=2, name=slug, slug=slug)
    for table in (1, 2):
        for game in (1, 2, 3):
            sheet = sheet_at(part, table, game)
            for points, doubling in ((44, 1), (40, 0)):
                entry = {
                    "dealer": next_dealer(sheet, current_deals(sheet)),
                    "contract": {"declarer": "NS", "trump": "H", "doubling": doubling},
                    "points": {"NS": points},
                }
                sheets.enter_deal(sheet_id=sheet.pk, entry=entry, actor=SYSTEM)
            sheet.refresh_from_db()
            sign(sheet)

    def rule(article: str, facts: dict[str, Any], **at: Any) -> None:
        rulings.issue(
            incident_id=incident_at(event, part, **at).pk,
            article=article,
            facts=facts,
            actor=REFEREE,
            reason="as seen",
            claimed="in_time",
        )

    rule("T-LATE", {"offender": "N", "minutes": 8})
    count = {"ill_served": "E", "ill_served_played": True, "both_sides_played": False}
    rule("GEN-COUNT", count, game=2)
    rule("003-C1", {"offender": "E", "what": "too_late"}, table=2)
    rule("003-P1", {"offender": "E", "trick": 3, "noticed": "after_deal"}, table=2)
    rounds.close_round(round_id=part.pk, actor=SYSTEM)
    return event


def main() -> None:
    """Play the events from an empty database and print their standings."""
    import django

    django.setup()
    from django.core.management import call_command

    from tournament.models import Event
    from tournament.services.standings import recompute

    call_command("migrate", verbosity=0)
    finish(carried("carried"))
    carried("carried-open", rounds=4)
    finish(by_lot("lots"))
    by_lot("lots-open", rounds=2)
    finish(pools("pools"))
    pools("pools-open", rounds=2)
    finish(threes("threes"))
    threes("threes-open", rounds=1)
    finish(finalist_gone("finalist"))
    finalist_gone("finalist-open")
    finish(ruled("ruled"))
    ruled("ruled-open")
    said = {
        f"{event.slug} {stage.order}": recompute(stage_id=stage.pk).hash
        for event in Event.objects.order_by("slug")
        for stage in event.stages.order_by("order")
    }
    sys.stdout.write(json.dumps(said, indent=1) + "\n")


if __name__ == "__main__":
    main()
