"""A page that must be made: one goes in for it, however many ask; the others wait at the door."""

from __future__ import annotations

import asyncio
import uuid
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.handlers.asgi import ASGIHandler
from django.http import HttpResponse
from django.test import Client

from tests.tournament.build import make_event
from tournament import kept
from tournament.door import door
from tournament.front import AT_ONCE, FLIGHT, FOR_ALL, ONE_OF_ALL
from tournament.kept import Marks, mark_answer, serves_all

PK = uuid.UUID(int=7)
PATH = "/e/hall/standings/"


class Kitchen:
    """What stands inside: makes a page of the marks there are, when it is told to go on."""

    def __init__(self) -> None:
        self.marks = Marks(PK, 1)
        self.entered: Counter[str] = Counter()
        self.busy: Counter[bool] = Counter()
        self.most: Counter[bool] = Counter()
        self.go = asyncio.Event()
        self.fails = 0
        self.status = 200
        self.parts: dict[int, bytes] | None = None

    def __call__(self, slug: str) -> Marks | None:
        return self.marks

    async def serve(self, scope: Any, receive: Any, send: Any) -> None:
        query = scope["query_string"].decode()
        self.entered[scope["path"] + (f"?{query}" if query else "")] += 1
        personal = "/players/" in scope["path"]
        self.busy[personal] += 1
        self.most[personal] = max(self.most[personal], self.busy[personal])
        marks = self.marks
        await self.go.wait()
        self.busy[personal] -= 1
        if self.fails:
            self.fails -= 1
            raise RuntimeError("the first one fails")
        response = HttpResponse(
            f"page {marks.version}", headers={"ETag": f'W/"{marks.version}"'}, status=self.status
        )
        mark_answer(response, marks, "event")
        if self.parts is not None:
            own = self.parts.get(int(scope["path"].split("/")[-2]))
            response.content = own or b""
            response.status_code = 200 if own else 404
            serves_all(response, self.parts)
        flight = scope.get(FLIGHT)
        if flight is not None:
            flight.land(kept.store.put(flight.key, response))
        status = response.status_code
        await send({"type": "http.response.start", "status": status, "headers": []})
        await send({"type": "http.response.body", "body": response.content})


@pytest.fixture
def kitchen(monkeypatch: pytest.MonkeyPatch) -> Iterator[Kitchen]:
    kept.store.clear()
    monkeypatch.setattr(kept.versions, "seen", {})
    made = Kitchen()
    monkeypatch.setattr(kept, "_look_up", made)
    yield made
    kept.store.clear()


class Phone:
    """One that asks through a door and reads at once, or only when ``reads`` is set."""

    def __init__(self, house: Any, *, reads: asyncio.Event | None = None) -> None:
        self.house, self.reads = house, reads
        self.sent: list[Any] = []

    async def send(self, message: Any) -> None:
        if self.reads is not None:
            await self.reads.wait()
        self.sent.append(message)

    async def ask(self, path: str = PATH, told: int = 0, soon: bool = False) -> tuple[int, bytes]:
        async def receive() -> Any:
            if asked:
                return asked.pop()
            await asyncio.Event().wait()

        asked = [{"type": "http.request", "body": b"", "more_body": False}]
        headers = [(b"host", b"testserver"), (b"x-live-version", str(told).encode())]
        headers += [(b"x-live-soon", b"1")] if soon else []
        where, _mark, query = path.partition("?")
        scope = {
            "type": "http", "method": "GET", "path": where, "query_string": query.encode(),
            "scheme": "http", "headers": headers,
        }  # fmt: skip
        await self.house(scope, receive, self.send)
        return self.sent[0]["status"], b"".join(part.get("body", b"") for part in self.sent[1:])


def opened(kitchen: Kitchen) -> Any:
    return door(kitchen.serve, lambda _status, _seconds: None)


async def settle() -> None:
    """Let all go as far as they can; the look at the marks is made by a thread."""
    for _turn in range(20):
        await asyncio.sleep(0.001)


@pytest.mark.parametrize("waiting", [1, 300])
def test_one_goes_in_however_many_wait(kitchen: Kitchen, waiting: int) -> None:
    async def crowd() -> list[Any]:
        house = opened(kitchen)
        asked = [asyncio.ensure_future(Phone(house).ask()) for _phone in range(waiting)]
        await settle()
        assert kitchen.entered[PATH] == 1
        kitchen.go.set()
        return list(await asyncio.gather(*asked))

    assert asyncio.run(crowd()) == [(200, b"page 1")] * waiting
    assert kitchen.entered[PATH] == 1


def test_one_who_fails_does_not_hold_the_others(kitchen: Kitchen) -> None:
    kitchen.fails = 1

    async def crowd() -> list[Any]:
        house = opened(kitchen)
        kitchen.go.set()
        asked = [Phone(house).ask() for _phone in range(20)]
        return list(await asyncio.gather(*asked, return_exceptions=True))

    answers = asyncio.run(crowd())
    assert sum(isinstance(answer, RuntimeError) for answer in answers) == 1
    assert answers.count((200, b"page 1")) == 19
    assert kitchen.entered[PATH] == 2


def test_what_is_not_kept_is_made_for_each(kitchen: Kitchen) -> None:
    kitchen.status = 302

    async def crowd() -> list[Any]:
        house = opened(kitchen)
        kitchen.go.set()
        return list(await asyncio.gather(*(Phone(house).ask() for _phone in range(5))))

    assert asyncio.run(crowd()) == [(302, b"page 1")] * 5
    assert kitchen.entered[PATH] == 5


def test_who_leaves_while_he_makes_the_page_leaves_it_to_another(kitchen: Kitchen) -> None:
    async def crowd() -> Any:
        house = opened(kitchen)
        first = asyncio.ensure_future(Phone(house).ask())
        await settle()
        second = asyncio.ensure_future(Phone(house).ask())
        await settle()
        first.cancel()
        await settle()
        assert kitchen.entered[PATH] == 2
        kitchen.go.set()
        return await second

    assert asyncio.run(crowd()) == (200, b"page 1")


def test_a_slow_reader_keeps_nobody_waiting(kitchen: Kitchen) -> None:
    """The page is everybody's before it is read; and nobody who knows of more gets an old one."""

    async def crowd() -> list[Any]:
        house, reads = opened(kitchen), asyncio.Event()
        kitchen.go.set()
        slow = [
            asyncio.ensure_future(Phone(house, reads=reads).ask(f"/e/hall/clubs/{number}/"))
            for number in range(AT_ONCE)
        ]
        slow.append(asyncio.ensure_future(Phone(house, reads=reads).ask()))
        await settle()
        found = [await Phone(house).ask()]
        kitchen.marks = Marks(PK, 2)
        found.append(await Phone(house).ask(told=2))
        reads.set()
        await asyncio.gather(*slow)
        return found

    assert asyncio.run(crowd()) == [(200, b"page 1"), (200, b"page 2")]


def asks(house: Any, *paths: str, soon: bool = False) -> list[asyncio.Future[Any]]:
    return [asyncio.ensure_future(Phone(house).ask(path, soon=soon)) for path in paths]


def test_what_can_wait_keeps_nobody_from_the_rest(kitchen: Kitchen) -> None:
    """After a draw everybody's games are new: no page that is opened waits for them."""
    games = [f"/e/hall/players/{number}/?part=day" for number in range(1, 30)]
    whole = [f"/e/hall/players/{number}/" for number in range(1, 9)]

    async def crowd() -> None:
        house = opened(kitchen)
        asked = asks(house, *games)
        await settle()
        assert kitchen.entered.total() == ONE_OF_ALL
        asked += asks(house, *whole)
        await settle()
        assert kitchen.entered.total() == ONE_OF_ALL + AT_ONCE
        asked += asks(house, PATH, "/e/hall/draw/", "/e/hall/clubs/")
        await settle()
        assert kitchen.busy == {True: ONE_OF_ALL + AT_ONCE, False: AT_ONCE}
        kitchen.go.set()
        await asyncio.gather(*asked)

    asyncio.run(crowd())
    assert kitchen.most == {True: ONE_OF_ALL + AT_ONCE, False: AT_ONCE}
    assert set(kitchen.entered.values()) == {1}


@pytest.mark.parametrize("part", ["now", "place", "charts"])
def test_a_part_of_every_players_page_is_made_once_for_the_hall(
    kitchen: Kitchen, part: str
) -> None:
    kitchen.parts = {number: f"{part} of {number}".encode() for number in range(1, 200)}

    async def crowd() -> list[Any]:
        house = opened(kitchen)
        kitchen.go.set()
        paths = [f"/e/hall/players/{number}/?part={part}" for number in range(1, 200)]
        return list(await asyncio.gather(*asks(house, *paths)))

    assert asyncio.run(crowd()) == [(200, body) for body in kitchen.parts.values()]
    assert kitchen.entered.total() == 1


def test_who_asks_for_a_player_that_is_not_there_spoils_nothing(kitchen: Kitchen) -> None:
    """His refusal is his own: the others get their parts, from one making."""
    kitchen.parts = {number: b"seat %d" % number for number in range(1, 20)}

    async def crowd() -> list[Any]:
        house = opened(kitchen)
        kitchen.go.set()
        asked = asks(house, "/e/hall/players/99/?part=place")
        await settle()
        paths = [f"/e/hall/players/{number}/?part=place" for number in range(1, 20)]
        asked += asks(house, *paths, "/e/hall/players/77/?part=place")
        return list(await asyncio.gather(*asked))

    first, *others, last = asyncio.run(crowd())
    assert (first[0], last[0]) == (404, 404)
    assert others == [(200, body) for body in kitchen.parts.values()]
    assert sum(kitchen.entered[f"/e/hall/players/{n}/?part=place"] for n in range(1, 20)) <= 1


def test_while_results_pour_in_ranks_are_made_after_a_pause(
    kitchen: Kitchen, monkeypatch: pytest.MonkeyPatch
) -> None:
    kitchen.parts = {1: b"one", 2: b"two"}
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    async def crowd() -> None:
        house = opened(kitchen)
        kitchen.go.set()
        for version in (1, 2, 3):
            kitchen.marks = Marks(PK, version)
            path = f"/e/hall/players/{version % 2 + 1}/?part=place"
            assert (await Phone(house).ask(path, told=version))[0] == 200

    monkeypatch.setattr("tournament.front.asyncio.sleep", sleep)
    asyncio.run(crowd())
    pause = FOR_ALL["part=place"]
    assert slept[0] == 0
    assert pause * 0.5 < slept[1] <= pause
    assert pause < slept[2] <= 2 * pause
    assert kitchen.entered.total() == 3


def test_who_has_just_signed_does_not_wait_behind_the_hall(kitchen: Kitchen) -> None:
    async def crowd() -> None:
        house = opened(kitchen)
        asked = asks(house, *(f"/e/hall/players/{number}/?part=day" for number in range(1, 30)))
        await settle()
        assert kitchen.entered.total() == ONE_OF_ALL
        for number in (20, 99):
            # The page of 20 waits for its turn already: he does not wait for that one.
            path = f"/e/hall/players/{number}/?part=day"
            asked += asks(house, path, soon=True)
            await settle()
            assert kitchen.entered[path] == 1
        kitchen.go.set()
        assert set(await asyncio.gather(*asked)) == {(200, b"page 1")}

    asyncio.run(crowd())
    # Whose turn came later found the page there.
    assert set(kitchen.entered.values()) == {1}


@pytest.mark.django_db(transaction=True)
def test_the_service_itself_makes_one_page_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    make_event(8, slug="hall")
    kept.store.clear()
    monkeypatch.setattr(kept.versions, "seen", {})
    before = Counter(kept.made)

    async def crowd() -> list[Any]:
        house = door(ASGIHandler(), lambda _status, _seconds: None)
        return list(await asyncio.gather(*(Phone(house).ask() for _phone in range(60))))

    answers = asyncio.run(crowd())
    assert {status for status, _body in answers} == {200}
    assert len({body for _status, body in answers}) == 1
    assert Counter(kept.made) - before == {"page": 1, "standings": 1, "rows": 1}
    kept.store.clear()


def test_random_words_behind_an_address_make_no_page_of_their_own(kitchen: Kitchen) -> None:
    async def crowd() -> list[Any]:
        house = opened(kitchen)
        robots = asks(house, *(f"{PATH}?x{n}={n}&part=nothing{n}&by=" for n in range(60)))
        phones = asks(house, PATH, f"{PATH}?fbclid=IwAR0")
        await settle()
        kitchen.go.set()
        return list(await asyncio.gather(*robots, *phones))

    assert set(asyncio.run(crowd())) == {(200, b"page 1")}
    assert sum(kitchen.entered.values()) == 1


def test_robots_that_search_do_not_hold_the_hall_up(kitchen: Kitchen) -> None:
    async def crowd() -> None:
        house = opened(kitchen)
        robots = asks(house, *(f"/e/hall/players/?q=robot{n}" for n in range(60)))
        await settle()
        assert sum(kitchen.entered.values()) == 1
        phones = asks(house, PATH, "/e/hall/draw/?by=name")
        await settle()
        assert (kitchen.entered[PATH], kitchen.entered["/e/hall/draw/?by=name"]) == (1, 1)
        kitchen.go.set()
        await asyncio.gather(*robots, *phones)

    asyncio.run(crowd())
    assert sum(kitchen.entered.values()) == 62


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("query", "same"),
    [
        ("utm_source=mail", ""),
        ("q=dupont&zz=1", "q=dupont"),
        ("zz=1&part=main&by=name", "by=name&part=main"),
        ("by=nonsense", ""),
    ],
)
def test_a_page_is_the_same_without_what_says_nothing_to_it(
    client: Client, query: str, same: str
) -> None:
    make_event(8, slug="hall")
    kept.store.clear()
    asked = client.get(f"/e/hall/draw/?{query}")
    kept.store.clear()
    plain = client.get(f"/e/hall/draw/{'?' if same else ''}{same}")
    assert asked["ETag"] == plain["ETag"]
    assert asked.content == plain.content
    assert b"zz" not in asked.content
