"""Change counters of the public pages: a signature leaves draws alone, a deal changes only its four players' pages."""

from __future__ import annotations

import copy
import uuid

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from ledger.change import raise_version
from ledger.official import Reach
from tests.tournament.build import SYSTEM, chance, make_event
from tournament.demo.simulation import draw_and_publish, play_sheet
from tournament.models import Event, Round
from tournament.models.tables import Sheet
from tournament.public.marks import Marks, marks_of, with_own
from tournament.services import entrants
from tournament.services.events import update_event
from tournament.services.signatures import sign

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def built(module_database: None) -> tuple[Event, Round]:
    event = make_event(8, deals=2, slug="hall")
    round_ = Round.objects.get(stage__event=event, stage__order=1, number=1)
    return event, draw_and_publish(round_, SYSTEM)


@pytest.fixture
def hall(built: tuple[Event, Round]) -> tuple[Event, Round]:
    return copy.deepcopy(built)


def sheet_of(round_: Round, table: int) -> Sheet:
    return Sheet.objects.get(table__round=round_, table__number=table, order=1)


def play_one(sheet: Sheet) -> None:
    """Enter a deal without signatures."""
    play_sheet(sheet, chance(), deals=1, sign=False)


FRAME = ["", "draw/", "draw/?by=name", "players/", "players/?q=a", "players/3/?part=now"]
RESULTS = [
    "standings/",
    "standings/1/clubs/",
    "players/3/",
    "players/3/?part=place",
    "players/3/?part=charts",
    "wall/",
]


def etags(client: Client, paths: list[str]) -> dict[str, str]:
    return {path: client.get(f"/e/hall/{path}")["ETag"] for path in paths}


def test_a_signature_changes_results_and_leaves_the_draw(
    client: Client, hall: tuple[Event, Round]
) -> None:
    before, results = etags(client, FRAME), etags(client, RESULTS)
    play_sheet(sheet_of(hall[1], 1), chance())
    assert etags(client, FRAME) == before
    after = etags(client, RESULTS)
    assert all(after[path] != results[path] for path in RESULTS)


def test_all_else_changes_both(client: Client, hall: tuple[Event, Round]) -> None:
    before = etags(client, FRAME + RESULTS)
    update_event(event_id=hall[0].pk, actor=SYSTEM, changes={"name": "Beker"})
    after = etags(client, FRAME + RESULTS)
    assert all(after[path] != before[path] for path in FRAME + RESULTS)


def test_a_name_withdrawn_reaches_the_pages_of_the_draw(
    client: Client, hall: tuple[Event, Round]
) -> None:
    before = etags(client, FRAME)
    entrants.withdraw(entrant_id=hall[0].entrants.get(number=3).pk, actor=SYSTEM)
    after = etags(client, FRAME)
    assert all(after[path] != before[path] for path in FRAME)


def test_frame_never_runs_ahead_of_the_version(hall: tuple[Event, Round]) -> None:
    event = hall[0]
    for results_only in (True, False, True):
        raise_version(event.pk, Reach.RESULTS if results_only else Reach.EVENT)
        event.refresh_from_db()
        assert event.frame_version <= event.version
    assert event.frame_version == event.version - 1


def test_a_deal_nobody_has_signed_is_new_to_its_four_players_alone(
    client: Client, hall: tuple[Event, Round]
) -> None:
    _event, round_ = hall
    sitting = set(round_.seats.filter(table__number=1).values_list("entrant__number", flat=True))
    every = list(range(1, 9))
    days = [f"players/{number}/?part=day" for number in every]
    shared = FRAME + [path for path in RESULTS if not path.startswith("players")]
    before, others = etags(client, days), etags(client, shared)
    sheet = sheet_of(round_, 1)
    play_one(sheet)
    after = etags(client, days)
    assert {n for n in every if before[days[n - 1]] != after[days[n - 1]]} == sitting
    assert etags(client, shared) == others
    number = min(sitting)
    assert "1 deal" in client.get(f"/e/hall/players/{number}/").content.decode()


def test_a_signature_is_news_to_the_games_of_its_four_players_alone(
    client: Client, hall: tuple[Event, Round]
) -> None:
    """Also the last signature, which writes nothing on the sheet but makes its result."""
    _event, round_ = hall
    sitting = set(round_.seats.filter(table__number=1).values_list("entrant__number", flat=True))
    days = {number: f"players/{number}/?part=day" for number in range(1, 9)}
    sheet = play_sheet(sheet_of(round_, 1), chance(), sign=False)
    assert sheet.finished
    sign(sheet_id=sheet.pk, side="NS", version=sheet.version, actor=SYSTEM)
    before = etags(client, list(days.values()))
    assert "not signed yet" in client.get(f"/e/hall/{days[min(sitting)]}").content.decode()
    sign(sheet_id=sheet.pk, side="EW", version=sheet.version, actor=SYSTEM)
    after = etags(client, list(days.values()))
    assert {n for n, path in days.items() if before[path] != after[path]} == sitting
    marks = marks_of("hall")
    assert marks is not None
    heard = with_own(marks).own
    assert heard is not None
    said = client.get(f"/e/hall/version/?player={min(sitting)}").json()
    assert said["mine"] == heard[min(sitting)]


def test_the_marks_of_players_are_counted_once_until_something_is_written(
    hall: tuple[Event, Round],
) -> None:
    marks = marks_of("hall")
    assert marks is not None
    with_own(marks)
    with CaptureQueriesContext(connection) as queries:
        assert with_own(marks).own is not None
    assert len(queries) == 0
    play_one(sheet_of(hall[1], 2))
    later = marks_of("hall")
    assert later is not None
    with CaptureQueriesContext(connection) as queries:
        own = with_own(later).own
    # The seats are cached until the draw changes.
    assert len(queries) == 2
    assert own is not None
    assert sum(own.values()) > 0


def test_a_mark_names_what_it_follows() -> None:
    marks = Marks(uuid.UUID(int=1), 9, 4, 30, {7: 12})
    assert [marks.of(t) for t in ("event", "draw", "player:7", "player:8", "own:7")] == [
        "v9",
        "d4",
        "v9.12",
        "v9.0",
        "d4.12",
    ]


def test_an_unknown_event_has_no_marks() -> None:
    assert marks_of("nowhere") is None


def test_the_poll_says_what_the_stream_says(client: Client, hall: tuple[Event, Round]) -> None:
    event, round_ = hall
    event.refresh_from_db()
    number = round_.seats.filter(table__number=1).values_list("entrant__number", flat=True)[0]
    assert client.get("/e/hall/version/").json() == {
        "event": event.version,
        "draw": event.frame_version,
    }
    before = client.get(f"/e/hall/version/?player={number}").json()
    play_one(sheet_of(round_, 1))
    after = client.get(f"/e/hall/version/?player={number}").json()
    assert after["mine"] > before["mine"]
    assert after["event"] == before["event"]
    for nonsense in ("", "x", "-1", "9" * 20, "²"):
        assert "mine" not in client.get(f"/e/hall/version/?player={nonsense}").json()
    assert client.get("/e/nowhere/version/").status_code == 404
