"""The queue of a phone against the service: it ends with stored deals or with a question, never stuck.

Two phones of one table write deals, some of them the same, some impossible, some that look like a mistake; requests and
answers are lost, the server fails, the right to write changes hands, in random order. The phones run
``static/js/table-deals.js`` in node, the service is the real one behind Django's client.
"""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.conftest import missing
from tests.sampled import one_in
from tournament.models.tables import Sheet
from tournament.tables.score_sheet import ScoreSheet

from .build import a_sheet, token

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).parents[2]


class Node:
    """The process with the phones' queues."""

    def __init__(self, program: str, folder: Path) -> None:
        deals = folder / "table-deals.mjs"
        shutil.copy(ROOT / "static/js/table-deals.js", deals)
        self.process = subprocess.Popen(
            [program, str(Path(__file__).with_name("phone.mjs")), deals.as_uri()],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def ask(self, verb: str, phone: str, **more: Any) -> dict[str, Any]:
        """Write one line to the process and return its answer."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps({"verb": verb, "phone": phone, **more}) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())


@pytest.fixture(scope="module")
def process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Node]:
    program = shutil.which("node")
    if program is None:
        missing("node", "apt-get install nodejs")
    started = Node(program, tmp_path_factory.mktemp("phones"))
    yield started
    started.process.communicate(timeout=20)


@pytest.fixture
def node(process: Node) -> Node:
    """Return the process with empty phones."""
    process.ask("forget", "")
    return process


@dataclass
class Table:
    """One table with its phones, and the deals typed on them."""

    node: Node
    sheet: Sheet
    chance: random.Random
    clients: dict[str, Client] = field(default_factory=dict)
    written: dict[str, int] = field(default_factory=dict)
    typed: dict[tuple[str, int], tuple[str, int]] = field(default_factory=dict)
    dropped: set[tuple[str, int]] = field(default_factory=set)
    asked: set[tuple[str, int]] = field(default_factory=set)
    numbers: dict[tuple[str, int], int] = field(default_factory=dict)
    fresh: list[tuple[str, int]] = field(default_factory=list)
    keys: int = 0

    def post(self, phone: str, fields: list[list[str]]) -> dict[str, Any]:
        """Return the service's answer to a phone."""
        answer = self.clients[phone].post(
            reverse("table-send", args=[token(self.sheet)]), dict(fields)
        )
        return {"ok": answer.status_code == 200, "answer": answer.json()}

    def look(self, phone: str) -> None:
        """Load a fresh copy of the page on the phone."""
        self.sheet.refresh_from_db()
        self.written[phone] = len(ScoreSheet(self.sheet).current()) + 1
        self.node.ask("seen", phone, version=self.sheet.version)

    def items(self, phone: str) -> list[dict[str, Any]]:
        return self.node.ask("items", phone)["items"]

    def refused(self, phone: str) -> list[dict[str, Any]]:
        return [item for item in self.items(phone) if item["state"] == "refused"]

    def write(self, phone: str, trump: str, points: int, *, auto: bool = True) -> int:
        """Type a deal on a phone."""
        number = self.node.ask("next", phone, written=self.written[phone])["number"]
        self.keys += 1
        dealer = "NESW"[(number - 1 + (0 if auto else 2)) % 4]
        fields = {
            "verb": "deal",
            "game": "1",
            "number": number,
            "key": f"key-{self.keys}",
            "trump": trump,
            "doubling": "0",
            "side": "NS",
            "points": points,
            "dealer": dealer,
        }
        item = {
            "fields": [[name, str(value)] for name, value in fields.items()],
            "number": number,
            "auto": auto,
        }
        made = self.node.ask("keep", phone, item=item)["id"]
        self.typed[phone, made] = (trump, points)
        self.numbers[phone, made] = number
        return made

    def send(self, phone: str, *, bad: float, meanwhile: Callable[[], str] | None = None) -> str:
        """Send the phone's queue; a share ``bad`` of the requests fails in some way."""
        event = self.node.ask("drain", phone)
        while "ended" not in event:
            if meanwhile is not None and self.chance.random() < 0.2:
                meanwhile()
            fate = self.chance.choice(["lost", "unheard", 500, 502, 429])
            if self.chance.random() >= bad:
                fate = "arrives"
            result: dict[str, Any] | None = None
            if fate in ("arrives", "unheard"):
                result = self.post(phone, event["post"]["fields"])
            if fate in ("lost", "unheard"):
                result = None
            elif isinstance(fate, int):
                result = {"status": fate}
            event = self.node.ask("answer", phone, result=result)
        return str(event["ended"])

    def decide(self, phone: str, item: dict[str, Any], decision: str) -> None:
        """Decide as the table about a refused deal."""
        who = (phone, item["id"])
        fields = None
        self.asked.add(who)
        if decision == "drop":
            self.dropped.add(who)
        elif decision == "take":
            assert self.post(phone, [["verb", "take"], ["game", "1"]])["ok"]
        elif decision == "change":
            trump, points = self.typed[who] = self.fresh.pop()
            changed = {"trump": trump, "points": str(points)}
            fields = [[name, changed.get(name, value)] for name, value in item["fields"]]
        self.node.ask("decide", phone, id=item["id"], decision=decision, fields=fields)

    def on_the_sheet(self) -> list[tuple[str, int]]:
        return [
            (deal.entry["contract"]["trump"], deal.entry["points"]["NS"])
            for deal in ScoreSheet(self.sheet).current()
        ]


def a_table(node: Node, seed: int = 0, *, deals: int = 400) -> Table:
    """Create a table at which two phones have loaded the empty sheet; the first may write."""
    made = Table(node, a_sheet(options={"target": {"deals": deals}}), random.Random(seed))
    for phone in ("one", "two"):
        made.clients[phone] = Client()
        made.look(phone)
    made.post("one", [["verb", "take"], ["game", "1"]])
    return made


def adding(item: dict[str, Any]) -> list[str]:
    """Return the decisions about an item that replace no deal of the sheet."""
    return [each for each in item["decisions"] if each != "correct"]


@pytest.mark.parametrize("seed", one_in(4, range(12)))
def test_whatever_happens_a_queue_ends_in_the_truth_or_in_a_question(node: Node, seed: int) -> None:
    table = a_table(node, seed)
    chance = table.chance
    table.fresh = [(trump, points) for trump in "SHDC" for points in range(24, 40)]
    chance.shuffle(table.fresh)
    shared: set[tuple[str, int]] = set()

    def other(phone: str) -> str:
        return "two" if phone == "one" else "one"

    def meanwhile(phone: str) -> Callable[[], str]:
        return lambda: table.send(other(phone), bad=0.3)

    for _step in range(chance.randint(8, 20)):
        phone = chance.choice(["one", "one", "two"])
        what = chance.random()
        if what < 0.45:
            trump, points = table.fresh.pop()
            odd = chance.random()
            if odd < 0.1:
                points += 40  # impossible: 60 points are in a deal
            table.write(phone, trump, points, auto=odd < 0.9)
            if odd > 0.6 and points <= 60:
                shared.add((trump, points))
                table.write(other(phone), trump, points)
        elif what < 0.75:
            table.send(phone, bad=0.4, meanwhile=meanwhile(phone))
        elif what < 0.85:
            table.look(phone)
        elif what < 0.93 and (waiting := table.refused(phone)):
            table.decide(phone, waiting[0], chance.choice(adding(waiting[0]) or ["drop"]))
        elif what >= 0.93:
            table.post(phone, [["verb", "take"], ["game", "1"]])

    # The network is back and every question gets an answer: the queue comes to an end.
    for phone in ("one", "two"):
        for _turn in range(3 * len(table.typed) + 9):
            table.look(phone)
            ended = table.send(phone, bad=0)
            waiting = table.refused(phone)
            assert (ended == "refused") == bool(waiting)
            if not waiting:
                break
            assert "drop" in waiting[0]["decisions"]  # a question, with a way out
            decisions = [each for each in adding(waiting[0]) if each != "drop"]
            table.decide(phone, waiting[0], chance.choice(decisions))
        table.look(phone)
        assert table.items(phone) == []

    kept = [content for who, content in table.typed.items() if who not in table.dropped]
    written = table.on_the_sheet()
    assert set(written) == set(kept)  # nothing lost, nothing made up
    for content in set(kept):
        both = [who for who, each in table.typed.items() if each == content]
        asked = table.asked.intersection(both)
        one_number = len({table.numbers[who] for who in both}) == 1
        # A deal appears twice only if two phones wrote it under two numbers, or if an answer kept both.
        assert written.count(content) == 1 or (content in shared and (asked or not one_number))
    # Deals without a question keep the order in which their phone wrote them.
    for phone in ("one", "two"):
        plain = [
            content
            for who, content in table.typed.items()
            if who[0] == phone and who not in table.asked and content not in shared
        ]
        assert plain == [content for content in written if content in plain]


def test_a_deal_that_comes_too_late_is_written_as_the_next_and_what_follows_moves_up(
    node: Node,
) -> None:
    """The second phone wrote deal 1; the first phone's deals 1 to 3 become 2 to 4, with their dealers."""
    table = a_table(node)
    for points in (31, 32, 33):
        table.write("one", "H", points)
    table.post("two", [["verb", "take"], ["game", "1"]])
    table.write("two", "S", 40)
    assert table.send("two", bad=0) == "empty"
    table.post("one", [["verb", "take"], ["game", "1"]])
    assert table.send("one", bad=0) == "refused"
    (late,) = table.refused("one")
    assert (late["code"], late["params"]["next"], late["decisions"]) == (
        "not_the_next_deal",
        2,
        ["correct", "drop", "renumber"],
    )
    table.decide("one", late, "renumber")
    assert table.send("one", bad=0) == "empty"
    assert table.on_the_sheet() == [("S", 40), ("H", 31), ("H", 32), ("H", 33)]
    dealers = [deal.entry["dealer"] for deal in ScoreSheet(table.sheet).current()]
    assert dealers == ["N", "E", "S", "W"]


def late_deal(node: Node, *, deals: int = 400) -> tuple[Table, dict[str, Any]]:
    """Return a table where the second phone wrote deal 3, which the first had written otherwise and then deal 4."""
    table = a_table(node, deals=deals)
    for points in (31, 32):
        table.write("one", "H", points)
    assert table.send("one", bad=0) == "empty"
    for phone in ("one", "two"):
        table.look(phone)
    table.write("one", "S", 25)
    table.write("one", "D", 36)
    table.post("two", [["verb", "take"], ["game", "1"]])
    table.write("two", "S", 26)
    assert table.send("two", bad=0) == "empty"
    table.post("one", [["verb", "take"], ["game", "1"]])
    assert table.send("one", bad=0) == "refused"
    return table, table.refused("one")[0]


@pytest.mark.parametrize(
    ("decision", "third", "further"),
    [
        ("correct", [("S", 25)], 4),
        ("drop", [("S", 26)], 4),
        ("renumber", [("S", 26), ("S", 25)], 5),
    ],
)
def test_of_two_versions_of_a_deal_one_is_chosen(
    node: Node, decision: str, third: list[tuple[str, int]], further: int
) -> None:
    """The deal behind it keeps its number unless both versions are deals of the game."""
    table, late = late_deal(node)
    assert late["decisions"] == ["correct", "drop", "renumber"]
    reason = "two phones" if decision == "correct" else None
    node.ask("decide", "one", id=late["id"], decision=decision, fields=reason)
    assert [item["number"] for item in table.items("one") if item["state"] == "waiting"][
        -1
    ] == further
    assert table.send("one", bad=0) == "empty"
    assert table.on_the_sheet() == [("H", 31), ("H", 32), *third, ("D", 36)]
    dealers = [deal.entry["dealer"] for deal in ScoreSheet(table.sheet).current()]
    assert dealers == list("NESWN")[: len(dealers)]


def test_a_version_of_the_last_deal_of_a_game_corrects_it_or_is_dropped(node: Node) -> None:
    """The game takes no further deal, so that deal 4 can only be dropped."""
    table, late = late_deal(node, deals=3)
    assert (late["code"], late["decisions"]) == ("match_over", ["correct", "drop"])
    node.ask("decide", "one", id=late["id"], decision="correct", fields="two phones")
    assert table.send("one", bad=0) == "refused"
    (further,) = table.refused("one")
    assert (further["number"], further["decisions"]) == (4, ["drop"])
    assert table.on_the_sheet() == [("H", 31), ("H", 32), ("S", 25)]


def test_a_question_that_was_answered_is_not_asked_again(node: Node) -> None:
    table = a_table(node)
    table.write("one", "H", 14)  # 41?
    assert table.send("one", bad=0) == "refused"
    (asked,) = table.refused("one")
    table.decide("one", asked, "yes")
    node.ask("takeBack", "one", id=asked["id"])
    table.decide("one", table.refused("one")[0], "again")
    assert table.send("one", bad=0) == "empty"
    assert table.on_the_sheet() == [("H", 14)]


def test_a_deal_that_waits_is_taken_back_and_changed_or_dropped(node: Node) -> None:
    """The deals behind a dropped deal move up, with their dealers; a changed deal keeps its place."""
    table = a_table(node)
    first, second, third, _fourth = (table.write("one", "H", points) for points in (31, 32, 33, 34))
    for item in (first, second, third):
        node.ask("takeBack", "one", id=item)
    taken = {item["id"]: item for item in table.refused("one")}
    assert taken[first]["decisions"] == ["change", "again", "drop"]
    table.decide("one", taken[first], "again")
    table.decide("one", taken[second], "drop")
    table.fresh = [("S", 40)]
    (moved,) = table.refused("one")
    table.decide("one", moved, "change")
    assert table.send("one", bad=0) == "empty"
    assert table.on_the_sheet() == [("H", 31), ("S", 40), ("H", 34)]
    assert [deal.entry["dealer"] for deal in ScoreSheet(table.sheet).current()] == list("NES")


def test_a_deal_that_had_arrived_before_it_was_changed_is_corrected_and_not_doubled(
    node: Node,
) -> None:
    table = a_table(node)
    item = table.write("one", "H", 31)
    posted = node.ask("drain", "one")
    assert table.post("one", posted["post"]["fields"])["ok"]
    assert node.ask("answer", "one", result=None)["ended"] == "offline"  # the answer is lost
    node.ask("takeBack", "one", id=item)
    table.fresh = [("S", 40)]
    table.decide("one", table.refused("one")[0], "change")
    assert table.send("one", bad=0) == "refused"
    (asked,) = table.refused("one")
    assert asked["decisions"] == ["correct", "drop"]
    node.ask("decide", "one", id=item, decision="correct", fields="changed before it was sent")
    assert table.send("one", bad=0) == "empty"
    assert table.on_the_sheet() == [("S", 40)]


@pytest.mark.guide("scorekeeper#without-a-connection")
def test_the_same_deals_from_another_phone_drop_themselves(node: Node) -> None:
    table = a_table(node)
    for phone in ("one", "two"):
        for points in (31, 32):
            table.write(phone, "H", points)
        table.write(phone, "D", 38 if phone == "one" else 39)
    assert table.send("one", bad=0) == "empty"
    assert table.send("two", bad=0) == "refused"  # without the pen, and only of what differs
    (asked,) = table.refused("two")
    assert (asked["number"], asked["code"]) == (3, "pen_taken")
    assert table.on_the_sheet() == [("H", 31), ("H", 32), ("D", 38)]


def test_a_refused_deal_is_not_counted_and_holds_up_nothing_written_since(node: Node) -> None:
    table = a_table(node)
    table.write("one", "H", 14)  # 41?
    assert table.send("one", bad=0) == "refused"
    assert node.ask("next", "one", written=1)["number"] == 1
    table.write("one", "S", 36)
    assert table.send("one", bad=0) == "refused"
    assert table.on_the_sheet() == [("S", 36)]
    table.decide("one", table.refused("one")[0], "drop")
    assert table.send("one", bad=0) == "empty"


def test_a_server_that_fails_with_a_deal_is_asked_about_and_not_taken_for_no_network(
    node: Node,
) -> None:
    table = a_table(node)
    table.write("one", "H", 36)
    for ended in ("failing", "failing", "refused"):
        node.ask("drain", "one")
        assert node.ask("answer", "one", result={"status": 500})["ended"] == ended
    (item,) = table.refused("one")
    assert (item["code"], item["decisions"]) == ("server_error", ["again", "change", "drop"])
    table.decide("one", item, "again")
    assert table.send("one", bad=0) == "empty"
    assert table.on_the_sheet() == [("H", 36)]


@pytest.mark.parametrize("points", [77, 14])
def test_a_refusal_is_kept_in_every_language(client: Client, points: int) -> None:
    """The reader may use another language than the writer."""
    sheet = a_sheet()
    client.cookies["django_language"] = "fr"
    told = client.post(
        reverse("table-send", args=[token(sheet)]),
        {"verb": "deal", "game": "1", "trump": "H", "side": "NS", "points": points},
    ).json()
    assert set(told["messages"]) == {"en", "fr", "nl"}
    assert len(set(told["messages"].values())) == 3
    assert told["message"] == told["messages"]["fr"]
    assert ScoreSheet(sheet).current() == []
