"""Two web processes, two workers and a public node behind nginx: a day without a fault or a duplicate."""

from __future__ import annotations

import http.client
from collections.abc import Iterator
from dataclasses import dataclass

import psycopg
import pytest

from tests.conftest import missing
from tests.programs import answers, nginx, nginx_program, wait_for

from .installation import Installation, servers

pytestmark = [pytest.mark.long, pytest.mark.postgres, pytest.mark.redis]
TOKEN = "the-token-of-the-scraper"


@dataclass
class Farm:
    """The whole installation of several nodes."""

    one: Installation
    two: Installation
    public: Installation
    front: int
    """Port of nginx."""

    def ask(self, verb: str, path: str) -> tuple[int, str]:
        link = http.client.HTTPConnection("127.0.0.1", self.front, timeout=60)
        try:
            link.request(verb, path)
            answer = link.getresponse()
            return answer.status, answer.read().decode(errors="replace")
        finally:
            link.close()


@pytest.fixture(scope="module")
def farm() -> Iterator[Farm]:
    if nginx_program() is None:
        missing("nginx", "apt-get install nginx-light")
    with servers() as (folder, postgres, redis):
        one = Installation(folder, postgres.url("farm"), redis)
        # Environments are shared with the processes, so they are set before the start.
        one.environment |= {"METRICS_TOKEN": TOKEN, "DATABASE_POOL": "20"}
        one.prepare()
        two = one.another_web("two")
        public = one.another_web("public", READ_ONLY_NODE="1")
        try:
            for node in (one, two, public):
                node.start_web()
            one.worker.start()
            two.worker.start()
            with nginx([one.port, two.port], public.port) as front:
                yield Farm(one, two, public, front)
        finally:
            for node in (one, two, public):
                node.stop()


def answered(node: Installation) -> dict[str, float]:
    """Return the number of requests that this process answered, by route."""
    status, text = node.get("/metrics/", Authorization=f"Bearer {TOKEN}")
    assert status == 200
    found: dict[str, float] = {}
    for line in text.splitlines():
        if line.startswith("manille_request_seconds_count{"):
            route = line.partition('route="')[2].partition('"')[0]
            found[route] = found.get(route, 0) + float(line.rpartition(" ")[2])
    return found


@pytest.mark.guide("operator#more-processes-and-a-node-for-the-public")
def test_a_day_through_nginx(farm: Farm) -> None:
    done = farm.one.tool(
        "load",
        "--url",
        f"http://127.0.0.1:{farm.front}",
        "--players",
        "32",
        "--rounds",
        "2",
        "--deals",
        "2",
        "--phones",
        "10",
        "--every",
        "0.5",
    )
    assert done.returncode == 0, done.stdout + done.stderr[-3000:] + farm.one.logs()
    assert "faults: none" in done.stdout
    assert ": 0 differences" in done.stdout
    with psycopg.connect(farm.one.database.replace("postgres://", "postgresql://")) as link:
        one = link.execute
        event, slug = one("SELECT id, slug FROM tournament_event").fetchone() or ("", "")
        # Every job took effect once, whichever of the two workers ran it.
        assert one("SELECT count(*) FROM ledger_job WHERE state <> 'done'").fetchone() == (0,)
        drawn = one("SELECT count(*), count(DISTINCT round_id) FROM tournament_draw").fetchone()
        assert drawn == (2, 2)
        # Every deal was entered once: second versions come from a ruling or an appeal.
        twice = one(
            "SELECT count(*) FROM ledger_auditentry WHERE scope = %s AND verb = 'deal.entered' "
            "GROUP BY after->>'sheet', after->>'number' HAVING count(*) > 1",
            (event,),
        ).fetchall()
        assert twice == []
    scorekeeping = [
        sum(count for route, count in answered(node).items() if route.startswith("/t/"))
        for node in (farm.one, farm.two, farm.public)
    ]
    assert scorekeeping[0] > 0
    assert scorekeeping[1] > 0
    assert scorekeeping[2] == 0
    pages = sum(answered(farm.public).values())
    assert pages > 10
    assert farm.ask("GET", f"/e/{slug}/standings/")[0] == 200


@pytest.mark.guide("operator#more-processes-and-a-node-for-the-public")
def test_the_public_node_shows_and_does_nothing_else(farm: Farm) -> None:
    # Unpublished, because the farm's workers would take the draw's job from this test.
    hall = farm.one.inside("hall", players=16, published=False)
    page = f"/e/{hall['slug']}/standings/"
    assert farm.public.get(page)[0] == 200
    for verb, path in (
        ("POST", page),
        ("GET", "/login/"),
        ("GET", "/desk/"),
        ("GET", "/t/abcdefghijklmnopqrst/"),
        ("POST", "/t/abcdefghijklmnopqrst/send/"),
        ("GET", "/api/v1/events/"),
    ):
        status, text, _cookies = farm.public.ask(verb, path)
        assert (status, '"read_only_node"' in text) == (421, True), path
    # Not only by the routing: the node's connections cannot write.
    with pytest.raises(pytest.fail.Exception, match="read-only transaction"):
        farm.public.inside("hall", players=8, published=False)


@pytest.mark.guide("operator#more-processes-and-a-node-for-the-public")
def test_the_web_nodes_stand_in_for_a_public_node_that_is_away(farm: Farm) -> None:
    hall = farm.one.inside("hall", players=16, published=False)
    farm.public.web.kill()
    wait_for("the public node to be gone", lambda: not answers(farm.public.port))
    try:
        for page in ("", "standings/", "players/"):
            assert farm.ask("GET", f"/e/{hall['slug']}/{page}")[0] == 200
    finally:
        farm.public.start_web()
    wait_for("the public node to be ready", lambda: farm.public.get("/health/ready/")[0] == 200)
