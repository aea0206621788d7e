# ruff: noqa: E402
"""Write the small event of release 0.1.0 that later releases are upgraded from.

Run in a checkout of that release, once for each database, with DATABASE_URL and MANILLE_VAR naming
an empty installation: ``python make_0_1_0.py``. Two rounds played, one of them to its end; a
corrected deal, two rulings of which one was annulled, an adjustment, a withdrawal, a late player.
Release 1.0.0 then migrated the database (``release-0.1.0-by-1.0.0``).
"""

from __future__ import annotations

import os
import random
import sys
from datetime import date

sys.path.insert(0, os.getcwd())
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django

django.setup()

from django.core.management import call_command

from adjudication.services import incidents, rulings
from ledger.actors import Actor
from scoring.models import DealVersion
from scoring.services import sheets
from tournament.demo.simulation import advance
from tournament.services import entrants
from tournament.services.adjustments import Amount, adjust
from tournament.services.events import championship_plan, create_event
from tournament.services.imports import import_players
from tournament.services.standings import recompute

WHO = Actor.system("previous")


def main() -> None:
    """Play the event, starting from an empty database."""
    call_command("migrate", verbosity=0)
    event = create_event(
        actor=WHO,
        name="Previous release",
        day=date(2026, 11, 14),
        public_seed="previous",
        slug="previous",
        plan=championship_plan(deals=3, cut=8),
    )
    lines = "\n".join(f"{n};Speler {n};Club {n % 5}" for n in range(1, 25))
    import_players(event_id=event.pk, content=f"Nr;Naam;Club\n{lines}\n".encode(), actor=WHO)
    entrants.check_in_all(event_id=event.pk, actor=WHO)
    chance = random.Random("previous")
    advance(event, chance)
    part = event.stages.get(order=1).rounds.get(number=1)
    for number in (1, 2):
        incident = incidents.open_incident(
            event_id=event.pk,
            table_id=part.tables.get(number=number).pk,
            game=1,
            deal=1,
            told="renonce",
            actor=WHO,
        )
        made = rulings.issue(
            incident_id=incident.pk,
            article="BE-P1",
            facts={"offender": "N", "trick": 3, "noticed": "after_deal"},
            actor=WHO,
        )
        if number == 2:
            rulings.annul(ruling_id=made.pk, reason="no revoke", actor=WHO)
    deal = DealVersion.objects.filter(
        sheet__table__table__number=3, sheet__scope=event.pk, current=True
    ).order_by("pk")[0]
    plain = {name: value for name, value in deal.entry.items() if name != "tricks"}
    sheets.correct_deal(
        sheet_id=deal.sheet_id,
        number=deal.number,
        official=True,
        reason="read wrongly",
        actor=WHO,
        entry={**plain, "points": {next(iter(deal.entry["points"])): 31}},
    )
    first, second = event.entrants.order_by("number")[:2]
    adjust(
        stage_id=event.stages.get(order=1).pk,
        source="previous:1",
        reason="late",
        actor=WHO,
        amounts=[Amount(first.pk, marks=-5, penalties=1)],
    )
    entrants.withdraw(entrant_id=second.pk, actor=WHO)
    entrants.enter_player(
        event_id=event.pk, name="Laat Komer", club="Club 1", actor=WHO, present=True
    )
    advance(event, chance, share=0.6)
    for stage in event.stages.all():
        sys.stdout.write(f"{stage.order} {recompute(stage_id=stage.pk, force=True).hash}\n")


if __name__ == "__main__":
    main()
