"""Exactly once, between processes: concurrent draws, publications, changes by hand and first entries.

Two processes act on the starter's word, event by event, on SQLite and on PostgreSQL; a worker is killed (SIGKILL)
before random statements, and another takes the job up.
"""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.browser.serving import Server
from tests.programs import ROOT, wait_for

pytestmark = pytest.mark.long
RACES = 6
KILLS = 4


@pytest.fixture(scope="module")
def ground(ground: Server) -> Server:
    """Return the races' ground, with a short lease for jobs."""
    ground.env["JOB_LEASE_SECONDS"] = "1"
    return ground


@pytest.fixture(scope="module")
def rivals(ground: Server) -> Iterator[list[Any]]:
    """Yield the two rivals."""
    with rival(ground) as first, rival(ground) as second:
        yield [first, second]


def inside(ground: Server, call: str) -> Any:
    """Return the result of a function of :mod:`tests.long.draw_rivals` in the installation."""
    return ground.python(
        f"import json; from tests.long import draw_rivals as here\nprint(json.dumps(here.{call}))"
    )


@contextmanager
def rival(ground: Server) -> Iterator[Any]:
    """Yield a process that carries out each command as soon as it reads it."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.long.draw_rivals"],
        cwd=ROOT,
        env=ground.env,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        bufsize=1,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        assert process.stdout.readline().strip() == "ready"
        yield process
    finally:
        if process.poll() is None:
            process.stdin.close()
        process.wait(60)
        process.stdout.close()


def tell(process: Any, act: dict[str, Any]) -> None:
    process.stdin.write(json.dumps(act) + "\n")


def answer(process: Any) -> str:
    return str(process.stdout.readline().strip())


def race(
    rivals: list[Any], one: list[dict[str, Any]], two: list[dict[str, Any]]
) -> list[tuple[str, str]]:
    """Send both rivals their acts in the same moment. Return their answers."""
    first, second = rivals
    answers = []
    for here, there in zip(one, two, strict=True):
        tell(first, here)
        tell(second, there)
        answers.append((answer(first), answer(second)))
    return answers


def after(ground: Server, found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the facts of every hall, after checking the invariants that hold for either winner."""
    facts: list[dict[str, Any]] = inside(ground, f"facts({[hall['event'] for hall in found]!r})")
    for fact in facts:
        assert fact["breaks"] == 0
        assert fact["laid_as_drawn"]
        assert fact["sheets_as_laid"]
        assert fact["draws"].count("published") <= 1
    return facts


def test_a_draw_asked_for_by_two_at_once_is_one_job(ground: Server, rivals: list[Any]) -> None:
    found = inside(ground, f"halls({RACES}, 'round')")
    acts = [{"verb": "ask", "round": hall["round"]} for hall in found]
    answers = race(rivals, acts, [dict(act) for act in acts])
    assert all(one == two and len(one) == 36 for one, two in answers), answers
    for fact in after(ground, found):
        assert fact["jobs"] == [["tournament.draw", "queued"]]


def test_a_job_started_by_two_workers_at_once_is_one_draw(
    ground: Server, rivals: list[Any]
) -> None:
    found = inside(ground, f"halls({RACES}, 'jobs')")
    acts = [{"verb": "work", "job": hall["job"]} for hall in found]
    race(rivals, acts, [dict(act) for act in acts])
    for fact in after(ground, found):
        assert fact["draws"] == ["candidate"]
        assert fact["verbs"]["round.drawn"] == 1
        assert fact["jobs"] == [["tournament.draw", "done"]]


@pytest.mark.guide("operator#roles-of-processes")
def test_a_worker_killed_anywhere_and_another_make_one_draw(
    ground: Server, rivals: list[Any]
) -> None:
    """Kills at random statements, one after the commit; each job ends in one draw."""
    (hall,) = inside(ground, "halls(1, 'round', 40)")
    chance = random.Random("kills")
    points: list[int] = [0, -1]
    made = 0
    director = rivals[0]
    while points:
        point = points.pop(0)
        tell(director, {"verb": "ask", "round": hall["round"]})
        job = answer(director)
        with rival(ground) as worker:
            tell(worker, {"verb": "work", "job": job, "die_at": point})
            said = answer(worker)
            if point:
                assert worker.wait(60) == -signal.SIGKILL
        if not point:
            statements = int(said)
            assert statements > KILLS
            points += sorted(chance.sample(range(1, statements + 1), KILLS))

        def ended(job: str = job) -> bool:
            tell(director, {"verb": "state", "job": job})
            return answer(director) == "done"

        wait_for("the job to be taken up and done", ended)
        made += 1
    (fact,) = after(ground, [hall])
    assert made == KILLS + 2
    assert fact["draws"] == ["candidate"] * made
    assert fact["verbs"]["round.drawn"] == made
    assert fact["jobs"] == [["tournament.draw", "done"]] * made


def test_two_publish_different_draws(ground: Server, rivals: list[Any]) -> None:
    found = inside(ground, f"halls({RACES}, 'draws')")
    answers = race(
        rivals,
        *(
            [{"verb": "publish", "draw": hall["draws"][which]} for hall in found]
            for which in (0, 1)
        ),
    )
    for (one, two), fact in zip(answers, after(ground, found), strict=True):
        assert sorted((one, two)) == ["round_published", "won"]
        assert fact["draws"] == ["discarded", "published"]
        assert fact["verbs"]["draw.published"] == 1
        assert fact["tables"] == 2


@pytest.mark.guide("director#a-round")
def test_two_publish_the_same_draw(ground: Server, rivals: list[Any]) -> None:
    found = inside(ground, f"halls({RACES}, 'draws')")
    acts = [{"verb": "publish", "draw": hall["draws"][0]} for hall in found]
    answers = race(rivals, acts, [dict(act) for act in acts])
    assert set(answers) == {("won", "won")}
    for fact in after(ground, found):
        assert fact["verbs"]["draw.published"] == 1
        assert (fact["state"], fact["tables"]) == ("published", 2)


def test_one_publishes_while_another_exchanges_players(ground: Server, rivals: list[Any]) -> None:
    found = inside(ground, f"halls({RACES}, 'draws')")
    answers = race(
        rivals,
        [{"verb": "publish", "draw": hall["draws"][0]} for hall in found],
        [
            {
                "verb": "swap",
                "draw": hall["draws"][0],
                "one": hall["swap"][0],
                "two": hall["swap"][1],
            }
            for hall in found
        ],
    )
    for (published, swapped), fact in zip(answers, after(ground, found), strict=True):
        assert published == "won"
        assert swapped in ("won", "draw_published")
        assert fact["edits"] == (swapped == "won")
        assert fact["verbs"].get("draw.edited", 0) == (swapped == "won")


@pytest.mark.guide("director#after-the-publication")
def test_one_withdraws_while_a_table_enters_its_first_deal(
    ground: Server, rivals: list[Any]
) -> None:
    found = inside(ground, f"halls({RACES}, 'tables')")
    answers = race(
        rivals,
        [{"verb": "unpublish", "round": hall["round"]} for hall in found],
        [{"verb": "deal", "sheet": hall["sheet"], "dealer": hall["dealer"]} for hall in found],
    )
    outcomes = Counter(answers)
    assert set(outcomes) <= {("won", "sheet_withdrawn"), ("entries_exist", "won")}, outcomes
    for (withdrawn, _entered), fact in zip(answers, after(ground, found), strict=True):
        gone = withdrawn == "won"
        assert (fact["state"], fact["tables"]) == (("drawn", 0) if gone else ("published", 2))
        assert fact["deals"] == fact["verbs"].get("deal.entered", 0) == (0 if gone else 1)


def test_one_moves_players_while_their_table_enters_its_first_deal(
    ground: Server, rivals: list[Any]
) -> None:
    found = inside(ground, f"halls({RACES}, 'tables')")
    answers = race(
        rivals,
        [
            {
                "verb": "exchange",
                "round": hall["round"],
                "one": hall["swap"][0],
                "two": hall["swap"][1],
            }
            for hall in found
        ],
        [{"verb": "deal", "sheet": hall["sheet"], "dealer": hall["dealer"]} for hall in found],
    )
    for (moved, entered), fact in zip(answers, after(ground, found), strict=True):
        # A player moved before the first deal plays it at the new table: both verbs may win, in that order.
        assert entered == "won"
        assert moved in ("won", "entries_exist")
        assert fact["verbs"].get("round.reseated", 0) == (moved == "won")


def test_two_timers_start_a_due_publication_once(ground: Server, rivals: list[Any]) -> None:
    found = inside(ground, f"halls({RACES}, 'draws')")
    inside(ground, f"schedule({[hall['draws'][1] for hall in found]!r})")
    acts = [{"verb": "tick", "event": hall["event"]} for hall in found]
    race(rivals, acts, [dict(act) for act in acts])
    for fact in after(ground, found):
        assert fact["draws"] == ["discarded", "published"]
        assert fact["verbs"]["draw.published"] == 1
        # A timer that ran a moment early may have queued a second job, which finds nothing to do.
        states = {state for kind, state in fact["jobs"] if kind == "tournament.publish"}
        assert states == {"done"}
