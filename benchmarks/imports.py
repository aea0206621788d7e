"""Import of 544 players, compared with a plain importer that saves row by row.

Baseline ``row by row``: for each row a query for the club, one for a duplicate, and one save each
for person and entrant, in one transaction, without preview or audit.
"""

from __future__ import annotations

import json
import os
import tempfile
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tournament.models import Event


PLAYERS = 544


def _row_by_row(event: Event, rows: list[tuple[int, str, str]]) -> None:
    from django.db import transaction

    from ledger.change import change
    from tournament.models import Club, Entrant, Person

    with transaction.atomic():
        for number, name, club in rows:
            with change():
                where, _made = Club.objects.get_or_create(event=event, name=club)
            if Entrant.objects.filter(event=event, person__name=name).exists():
                continue
            person = Person.objects.create(name=name)
            with change():
                Entrant.objects.create(event=event, number=number, person=person, club=where)


def main() -> None:
    """Measure both on a fresh SQLite database, best of three."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["MANILLE_VAR"] = folder
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
        import django

        django.setup()
        from datetime import date

        from django.core.management import call_command

        from ledger.actors import Actor
        from tournament.demo.story import names
        from tournament.services.events import create_event
        from tournament.services.imports import import_players
        from tournament.services.player_lists import read_players

        call_command("migrate", verbosity=0)
        actor = Actor.system("bench")
        rows = [(n, name, club) for n, (name, club) in enumerate(names(PLAYERS, "bench"), start=1)]
        content = ("nr;naam;club\n" + "\n".join(f"{n};{a};{c}" for n, a, c in rows)).encode()
        preview, ours, baseline = [], [], []
        for _run in range(3):
            event = create_event(actor=actor, name="Import", day=date(2026, 1, 1))
            began = time.perf_counter()
            assert not read_players(event=event, content=content).bad
            preview.append(time.perf_counter() - began)
            began = time.perf_counter()
            import_players(event_id=event.pk, content=content, actor=actor, as_they_stand=True)
            ours.append(time.perf_counter() - began)
            event = create_event(actor=actor, name="Plain", day=date(2026, 1, 1))
            began = time.perf_counter()
            _row_by_row(event, rows)
            baseline.append(time.perf_counter() - began)
    print(f"{PLAYERS} players")
    print(f"  preview              {min(preview):7.3f} s")
    print(f"  import               {min(ours):7.3f} s")
    print(f"  row by row           {min(baseline):7.3f} s   (baseline)")
    print(f"  import is            {min(baseline) / min(ours):7.1f} x as fast")
    print(
        json.dumps(
            {
                "benchmark": "imports",
                "players": PLAYERS,
                "import_s": round(min(ours), 4),
                "preview_s": round(min(preview), 4),
                "baseline_s": round(min(baseline), 4),
                "ratio": round(min(baseline) / min(ours), 2),
            }
        )
    )


if __name__ == "__main__":
    main()
