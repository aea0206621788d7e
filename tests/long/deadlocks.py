"""Two verbs in the order of events in which they could wait for each other for ever.

Run inside the application, on PostgreSQL: ``python -m tests.long.deadlocks FIRST/SECOND ...``. A third connection holds
the head of the event's audit chain. FIRST runs until it waits for the head, then SECOND until it waits as well, for the
head or for FIRST; then the head is released, and FIRST gets it. Where SECOND has locked what FIRST still needs, neither
can go on. Prints the outcome of each.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Callable
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
import django

django.setup()

from django.db import connection, connections, transaction  # noqa: E402

from adjudication.services import rulings  # noqa: E402
from ledger import audit  # noqa: E402
from ledger.actors import Actor  # noqa: E402
from ledger.change import lock  # noqa: E402
from ledger.errors import Refused  # noqa: E402
from tests.adjudication.build import (  # noqa: E402
    REFEREE,
    SYSTEM,
    enter,
    event_in_play,
    incident_at,
    points_entry,
    sheet_at,
    stating,
)
from tests.programs import wait_for  # noqa: E402
from tournament.services import (  # noqa: E402  # noqa: E402
    archive,
    entrants,
    publication,
    reseating,
    rounds,
    sheets,
    signatures,
    tables,
)
from tournament.services.stage_plans import change_stage  # noqa: E402


class Hall:
    """An event in play: one more signature ends the sheet at table 1, whose player forfeits; table 2 plays on."""

    def __init__(self) -> None:
        self.event, self.round_ = event_in_play(players=8, deals=2, name="Deadlock")
        self.sheet = enter(sheet_at(self.round_), 40, 35)
        self.next_game = sheet_at(self.round_, table=2, game=2)
        forfeit = incident_at(self.event, self.round_, deal=None)
        stating(
            rulings.issue,
            incident_id=forfeit.pk,
            article="T-ABS",
            actor=REFEREE,
            facts={"offender": "N", "what": "no_show"},
        )
        self.sheet = signatures.sign(
            sheet_id=self.sheet.pk, side="NS", version=self.sheet.version, actor=SYSTEM
        )
        enter(sheet_at(self.round_, table=2), 40, 35)
        self.incident = incident_at(self.event, self.round_, table=2)
        self.verbs: dict[str, Callable[[], Any]] = {
            "sign": lambda: signatures.sign(
                sheet_id=self.sheet.pk, side="EW", version=self.sheet.version, actor=SYSTEM
            ),
            "deal": lambda: sheets.enter_deal(
                sheet_id=self.next_game.pk, entry=points_entry(self.next_game, 40), actor=SYSTEM
            ),
            "pen": lambda: tables.take_writing(
                table_id=self.next_game.table_id, actor=Actor.device(self.event.pk), knowingly=True
            ),
            "call": lambda: tables.call_referee(
                table_id=self.next_game.table_id, reason="x", actor=SYSTEM
            ),
            "ruling": lambda: stating(
                rulings.issue,
                incident_id=self.incident.pk,
                article="000-P1",
                actor=REFEREE,
                claimed="in_time",
                facts={"offender": "N", "trick": 3, "noticed": "after_deal"},
            ),
            "late player": lambda: entrants.enter_player(
                event_id=self.event.pk, name="Late", actor=SYSTEM
            ),
            "everybody": lambda: entrants.check_in_all(event_id=self.event.pk, actor=SYSTEM),
            "stage": lambda: change_stage(
                event_id=self.event.pk, order=1, name="Preliminary", actor=SYSTEM
            ),
            "exchange": lambda: reseating.exchange(
                round_id=self.round_.pk, actor=SYSTEM, **self.unwritten()
            ),
            "unpublish": lambda: publication.unpublish(
                round_id=self.round_.pk, actor=SYSTEM, reason="x"
            ),
            "close": lambda: rounds.close_round(round_id=self.round_.pk, actor=SYSTEM),
            "archive": lambda: archive.pack(self.event.pk),
        }

    def unwritten(self) -> dict[str, int]:
        """Return two numbers of the first table; exchanging them is refused after the locks are taken."""
        first, second = self.round_.seats.filter(table__number=1).values_list(
            "entrant__number", flat=True
        )[:2]
        return {"one": first, "two": second}


def waiting() -> int:
    """Return the number of connections to this database that wait for a lock."""
    with connection.cursor() as cursor:
        # Within a transaction the activity is read once, unless the snapshot is cleared.
        cursor.execute("SELECT pg_stat_clear_snapshot()")
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity"
            " WHERE datname = current_database() AND wait_event_type = 'Lock'"
        )
        return int(cursor.fetchone()[0])


def meet(hall: Hall, first: str, second: str) -> dict[str, str]:
    """Run two verbs that both wait for the head of the chain. Return the outcome of each."""
    ended: dict[str, str] = {}

    def run(name: str) -> None:
        try:
            hall.verbs[name]()
            ended[name] = "done"
        except Refused as refusal:
            ended[name] = refusal.code
        except Exception as error:  # noqa: BLE001  (told to the test, whatever it is)
            ended[name] = f"{type(error).__name__}: {error}"
        finally:
            connections["default"].close()

    running = [threading.Thread(target=run, args=(name,)) for name in (first, second)]
    with transaction.atomic():
        lock(hall.event.pk)
        for count, thread in enumerate(running, start=1):
            thread.start()
            name = (first, second)[count - 1]
            wait_for(f"{name} to wait", lambda n=count: waiting() >= n - len(ended))
    for thread in running:
        thread.join(60)
    return ended


def main() -> None:
    """Print one line of JSON for each pair ``FIRST/SECOND``, each in a hall of its own."""
    for pair in sys.argv[1:]:
        hall = Hall()
        ended = meet(hall, *pair.split("/"))
        whole = not list(audit.breaks(hall.event.pk))
        sys.stdout.write(json.dumps({"pair": pair, "ended": ended, "chain": whole}) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
