"""Play a championship day over HTTP against a running installation and report how it responded.

``python -m tools load [--url http://127.0.0.1:8000] [--players 544] [--phones 200]`` exits with 1 on any fault
or difference.
"""

from __future__ import annotations

import argparse
import io
import sys

from django.utils import timezone

from operations.replay import replay
from tools.load_day import ACTOR, Measures, play_day
from tools.load_staff import Staff, Unanswered
from tournament.demo import story
from tournament.models import Event
from tournament.services.entrants import check_in_all
from tournament.services.events import championship_plan, create_event
from tournament.services.imports import import_players


def main(words: list[str]) -> int:
    """Create an event, play it, report the figures and prove its record."""
    parser = argparse.ArgumentParser(prog="python -m tools load", description=__doc__)
    parser.add_argument("--url", default="http://127.0.0.1:8000")
    parser.add_argument("--players", type=int, default=544)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--deals", type=int, default=4)
    parser.add_argument(
        "--pace",
        type=float,
        default=0.0,
        help="seconds that a deal takes at a table (0: as fast as it is answered)",
    )
    parser.add_argument("--phones", type=int, default=200, help="phones that read along")
    parser.add_argument("--every", type=float, default=5.0, help="seconds between their looks")
    parser.add_argument("--seed", default="load")
    options = parser.parse_args(words)
    try:
        return _play(options)
    except Unanswered as error:
        sys.stderr.write(f"{error}: do web and worker run at {options.url}, on this database?\n")
        return 1


def _event(options: argparse.Namespace) -> Event:
    event = create_event(
        actor=ACTOR,
        name=f"Load {timezone.localtime():%Y-%m-%d %H:%M:%S}",
        day=timezone.localdate(),
        plan=championship_plan(deals=options.deals),
        public_seed=options.seed,
    )
    out = io.StringIO("Nr;Naam;Club\n")
    out.seek(0, io.SEEK_END)
    people = story.names(options.players, options.seed)
    for number, (name, club) in enumerate(people, start=1):
        out.write(f"{number};{name};{club}\n")
    import_players(
        event_id=event.pk, content=out.getvalue().encode(), actor=ACTOR, as_they_stand=True
    )
    check_in_all(event_id=event.pk, actor=ACTOR)
    return event


def _report(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _play(options: argparse.Namespace) -> int:
    event = _event(options)
    measures = Measures()
    staff = Staff(options.url, event, measures, options.seed)
    try:
        play_day(
            event,
            options.url,
            staff,
            measures,
            most_rounds=options.rounds,
            phones=options.phones,
            every=options.every,
            seed=options.seed,
            report=_report,
            pace=options.pace,
        )
        outcome = replay(event)
        outcome.differences += staff.differing()
    finally:
        staff.leave()
    _report(f"{'asked':<16}{'answers':>9}{'p50 ms':>9}{'p95 ms':>9}{'p99 ms':>9}")
    for what, count, half, most, nearly_all in measures.rows():
        _report(f"{what:<16}{count:>9}{half:>9.0f}{most:>9.0f}{nearly_all:>9.0f}")
    faults = {what: count for what, count in measures.faults.items() if count > 0}
    _report(
        f"faults: {faults or 'none'}; {outcome.rebuilt} rows rebuilt from the record: "
        f"{len(outcome.differences)} differences"
    )
    for difference in outcome.differences[:20]:
        _report(f"  DIFFERENCE {difference}")
    return 1 if faults or outcome.differences else 0
