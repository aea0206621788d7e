"""The public pages: content, hidden content, changes and cost."""

from __future__ import annotations

import copy
import html
import re
from typing import Any

import pytest
from django.db import OperationalError, connection
from django.db.models import QuerySet
from django.test import Client
from django.test.utils import CaptureQueriesContext

from ledger.change import raise_version
from tests.adjudication.build import event_in_play, points_entry, sheet_at, sign
from tests.markup import markup
from tests.tournament.build import SYSTEM, chance, make_event, make_user
from tournament.demo.simulation import advance, draw_and_publish, play_round
from tournament.models import Bye, Event, RenderedStandings, Round, Standings
from tournament.models.tables import SheetState
from tournament.queries import pages, rulings, standings
from tournament.queries.players import PlayedGame, PlayedRound
from tournament.queries.rulings import ShownRuling
from tournament.services import entrants, sheets, signatures
from tournament.services.entrant_edits import correct_entrant
from tournament.services.event_life import delete_event
from tournament.services.events import update_event
from tournament.services.imports import import_players
from tournament.services.rendering import rendered
from tournament.services.standings import set_state
from tournament.tables.links import entrant_token

pytestmark = pytest.mark.django_db


def drawn(players: int = 16) -> tuple[Event, Round]:
    event = make_event(players, deals=1, cut=players // 2)
    return event, draw_and_publish(
        Round.objects.get(stage__event=event, stage__order=1, number=1), SYSTEM
    )


def played(players: int = 16) -> Event:
    event = make_event(players, deals=1, cut=players // 2)
    advance(event, chance())
    event.refresh_from_db()
    return event


@pytest.fixture(scope="module")
def built(module_database: None) -> tuple[Event, tuple[Event, Round], Event]:
    return make_event(8), drawn(), played()


@pytest.fixture
def waiting(built: tuple[Event, tuple[Event, Round], Event]) -> Event:
    """Return 8 players before their first round."""
    return copy.deepcopy(built[0])


@pytest.fixture
def in_play(built: tuple[Event, tuple[Event, Round], Event]) -> tuple[Event, Round]:
    """Return 16 players at the tables of their first round."""
    return copy.deepcopy(built[1])


@pytest.fixture
def event(built: tuple[Event, tuple[Event, Round], Event]) -> Event:
    """Return 16 players after their first round."""
    return copy.deepcopy(built[2])


def test_standings_are_read_while_nothing_can_be_written(
    client: Client, event: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **_more: object) -> None:
        raise OperationalError("database or disk is full")

    address = f"/e/{event.slug}/standings/"
    for what in ((QuerySet, "get_or_create"), (QuerySet, "update"), (RenderedStandings, "save")):
        with monkeypatch.context() as disk:
            disk.setattr(*what, full)
            for page in paths(event):
                assert client.get(page).status_code == 200, page
            rows = client.get(address).content.decode().count("<tr data-entrant=")
            assert rows == 16
        assert not RenderedStandings.objects.exists()
        raise_version(event.pk)
    assert client.get(address).status_code == 200
    assert RenderedStandings.objects.count() == 1


def paths(event: Event) -> list[str]:
    root = f"/e/{event.slug}/"
    return [
        root,
        f"{root}draw/",
        f"{root}draw/?by=name",
        f"{root}standings/",
        f"{root}players/",
        f"{root}rulings/",
        f"{root}players/3/",
        f"{root}standings/1/clubs/",
        f"{root}wall/",
        f"{root}calendar.ics",
    ]


@pytest.mark.parametrize("language", ["fr", "nl", "en"])
def test_every_page_answers_before_and_after_the_first_round(
    client: Client, language: str, waiting: Event, event: Event
) -> None:
    headers = {"accept-language": language}
    for path in paths(waiting) + paths(event):
        assert client.get(path, headers=headers).status_code == 200, path


def test_a_page_is_304_until_the_event_changes(client: Client, event: Event) -> None:
    path = f"/e/{event.slug}/standings/"
    first = client.get(path)
    assert first["Cache-Control"] == "no-cache"
    again = client.get(path, headers={"if-none-match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    raise_version(event.pk)
    changed = client.get(path, headers={"if-none-match": first["ETag"]})
    assert changed.status_code == 200
    assert changed["ETag"] != first["ETag"]


def test_languages_looks_and_addresses_are_kept_apart(client: Client, event: Event) -> None:
    path = f"/e/{event.slug}/standings/"
    seen = {
        client.get(path, headers={"accept-language": language})["ETag"]
        for language in ("fr", "nl", "en")
    }
    client.cookies["theme"] = "dark"
    dark = client.get(path, headers={"accept-language": "en"})
    assert b'data-theme="dark"' in dark.content
    assert len(seen | {dark["ETag"]}) == 4
    part = client.get(path + "?part=1", headers={"accept-language": "en"})
    assert b"<html" not in part.content


def test_two_events_of_the_same_version_never_share_a_page(client: Client) -> None:
    one = make_event(0, name="One", slug="same")
    assert b"One" in client.get("/e/same/").content
    delete_event(event_id=one.pk, actor=SYSTEM)
    two = make_event(0, name="Two", slug="same")
    assert two.version == one.version
    assert b"Two" in client.get("/e/same/").content


def test_staff_get_their_own_answer(client: Client, event: Event) -> None:
    path = f"/e/{event.slug}/standings/"
    client.get(path)
    client.force_login(make_user("director", event, "director"))
    answer = client.get(path)
    assert "ETag" not in answer
    assert b"nav--staff" in answer.content
    client.logout()
    assert b"nav--staff" not in client.get(path).content


def test_standings_say_after_which_round_they_stand_once_one_is_over(
    client: Client, in_play: tuple[Event, Round], event: Event
) -> None:
    first, _part = in_play
    english = {"Accept-Language": "en"}
    page = markup(client.get(f"/e/{first.slug}/standings/", headers=english))
    assert "after 0" not in page
    page = markup(client.get(f"/e/{event.slug}/standings/", headers=english))
    assert "after 1 round" in page


@pytest.mark.guide("players#the-standings")
def test_standings_follow_a_signature_at_once(client: Client, in_play: tuple[Event, Round]) -> None:
    event, round_ = in_play
    play_round(round_, chance(), share=1.0)
    sheet = round_.tables.first().sheets.first()
    signatures.reopen(sheet_id=sheet.pk, actor=SYSTEM, reason="test")
    path = f"/e/{event.slug}/standings/"
    before = client.get(path).content
    sheet.refresh_from_db()
    for side in ("NS", "EW"):
        sheet = signatures.sign(sheet_id=sheet.pk, side=side, version=sheet.version, actor=SYSTEM)
    assert sheet.state == SheetState.OFFICIAL
    assert client.get(path).content != before


def test_names_in_rows_are_escaped(client: Client, event: Event) -> None:
    correct_entrant(
        entrant_id=event.entrants.get(number=2).pk,
        actor=SYSTEM,
        changes={"name": "D'Hondt & <b>Zoë</b>"},
    )
    for language in ("fr", "nl", "en"):
        page = client.get(f"/e/{event.slug}/standings/", headers={"accept-language": language})
        rows = page.content.decode()
        assert "&amp; &lt;b&gt;Zoë&lt;/b&gt;" in rows
        assert "<b>" not in rows
        assert rows.count("<tr data-entrant=") == 16


def test_rows_are_rendered_once_for_a_version_and_not_at_all_without_change(event: Event) -> None:
    stage = event.stages.select_related("event").get(order=1)
    first = rendered(stage, "nl")
    with CaptureQueriesContext(connection) as queries:
        assert rendered(stage, "nl").rows == first.rows
    assert len(queries) == 1
    raise_version(event.pk)
    stage = event.stages.select_related("event").get(order=1)
    second = rendered(stage, "nl")
    assert second.version == first.version + 1
    assert second.made_of == first.made_of
    assert RenderedStandings.objects.count() == 1


def test_queries_do_not_grow_with_the_field(client: Client, event: Event) -> None:
    counts = []
    for field in (played(8), event):
        counts.append([])
        for path in paths(field):
            client.get(path + ("&" if "?" in path else "?") + "warm=1")
            with CaptureQueriesContext(connection) as queries:
                client.get(path)
            counts[-1].append(len(queries))
    assert counts[0] == counts[1]
    assert max(counts[1]) <= 30


@pytest.mark.guide("players#read-your-page")
def test_a_player_finds_his_seat_and_everybody_at_it(
    client: Client, in_play: tuple[Event, Round]
) -> None:
    event, round_ = in_play
    seat = round_.seats.select_related("table", "entrant__person").get(
        position="A", table__number=2
    )
    page = markup(client.get(f"/e/{event.slug}/players/{seat.entrant.number}/"))
    assert "Table 2, seat A" in page
    for other in round_.seats.filter(table=seat.table).select_related("entrant__person"):
        assert other.entrant.person.name in page


def test_partners_face_each_other_around_the_table_of_a_player(
    client: Client, in_play: tuple[Event, Round]
) -> None:
    event, round_ = in_play
    seats = round_.seats.filter(table__number=2).select_related("entrant__person")
    names = {seat.position: seat.entrant.person.name for seat in seats}
    number = next(seat.entrant.number for seat in seats if seat.position == "A")
    page = markup(client.get(f"/e/{event.slug}/players/{number}/"))
    shown = {
        place: (side, seat, html.unescape(name))
        for place, side, seat, name in re.findall(
            r'class="around__(\w+)[^>]*><span class="seat seat--(\d)">(\w+)</span>([^<]*)<', page
        )
    }
    game = round_.tables.get(number=2).sheets.get(order=1)
    (partner,) = next(set(side) - {"A"} for side in game.sides.values() if "A" in side)
    left, right = sorted(set("BCD") - {partner})
    assert shown["bottom"] == ("1", "A", names["A"])
    assert shown["top"] == ("1", partner, names[partner])
    assert {shown["left"], shown["right"]} == {
        ("2", left, names[left]),
        ("2", right, names[right]),
    }


def test_a_place_at_a_table_of_three_is_shared_only_by_equals() -> None:
    marks = {"1": 12, "2": 5, "3": 12}
    places = [
        PlayedGame(number=1, partners=[], opponents=[], side=side, scored=marks).place
        for side in marks
    ]
    assert places == ["1=", "3", "1="]


def test_the_marks_of_a_round_are_those_of_its_signed_games() -> None:
    signed = PlayedGame(number=1, partners=[], opponents=[], side="NS", marks=12, against=3)
    open_ = PlayedGame(number=2, partners=[], opponents=[], side="NS")
    assert PlayedRound(Round(), 1, games=[signed, open_]).marks == (12, 3)
    assert PlayedRound(Round(), 1, games=[open_]).marks is None


@pytest.mark.guide("players#read-your-page")
def test_a_player_reads_his_deals_with_their_lines(client: Client, event: Event) -> None:
    page = client.get(f"/e/{event.slug}/players/1/").content.decode()
    assert page.count('class="score"') == 3
    assert re.search(r"(N-S|E-W) score", page)
    assert page.count("<svg") >= 1


@pytest.mark.guide("players#find-yourself")
def test_search_by_number_name_and_partner(client: Client) -> None:
    event = make_event(0)
    entrants.enter_player(
        event_id=event.pk, name="Anneleen D'Hondt", partner="Jef Maes", actor=SYSTEM
    )
    entrants.enter_player(event_id=event.pk, name="Rik Peeters", club="De Reizigers", actor=SYSTEM)
    assert [e.number for e in pages.find(event, "maes")] == [1]
    assert [e.number for e in pages.find(event, "reizigers rik")] == [2]
    assert [e.number for e in pages.find(event, "2")] == [2]
    assert pages.find(event, "  ") == []
    assert pages.find(event, "nobody") == []
    answer = client.get(f"/e/{event.slug}/", {"q": "peeters"})
    assert answer["Location"] == f"/e/{event.slug}/players/2/"


@pytest.fixture(scope="module")
def accented(module_database: None) -> Event:
    """Create five players whose names have accents; no test changes them."""
    event = make_event(0)
    for name in ("Hélène D'Hondt", "Zoë Dumont-Lévêque", "Rita Œrsted", "Anna Šimůnková", "Łukasz"):
        entrants.enter_player(event_id=event.pk, name=name, actor=SYSTEM)
    return event


@pytest.mark.guide("players#find-yourself")
@pytest.mark.parametrize(
    ("typed", "number"),
    [
        ("helene", 1),
        ("HÉLÈNE", 1),
        ("dhondt hel", 1),
        ("helenedhondt", 1),
        ("helene dohndt", None),
        ("helene dhonndt", 1),
        ("simunkowa", 4),
        ("d'hondt", 1),
        ("D’HONDT", 1),
        ("dumont-leveque", 2),
        ("leveque dumont", 2),
        ("oersted", 3),
        ("simunkova", 4),
        ("łukasz", 5),
    ],
)
def test_who_looks_for_himself_need_not_type_accents(
    client: Client, accented: Event, typed: str, number: int | None
) -> None:
    wanted = [number] if number else []
    assert [entrant.number for entrant in pages.find(accented, typed)] == wanted
    found = client.get(f"/api/v1/events/{accented.slug}/players/", {"q": typed}).json()
    assert [row["number"] for row in found["rows"]] == wanted


def test_a_search_says_when_it_does_not_show_everybody(client: Client) -> None:
    event = make_event(0)
    names = "\n".join(f"Jan Maes {number:02}" for number in range(1, 23))
    import_players(event_id=event.pk, content=f"Naam\n{names}\n".encode(), actor=SYSTEM)
    for path in ("", "players/"):
        page = client.get(f"/e/{event.slug}/{path}", {"q": "maes"}).content.decode()
        assert page.count('<a href="/e/' + event.slug + "/players/") >= 20
        assert "Jan Maes 20" in page
        assert "Jan Maes 21" not in page
        assert "More players match" in page
        assert (
            "More players match"
            not in client.get(f"/e/{event.slug}/{path}", {"q": "maes 0"}).content.decode()
        )


def hide_the_last(event: Event) -> None:
    update_event(event_id=event.pk, actor=SYSTEM, changes={"hide_last_rounds": 1})
    event.refresh_from_db()


@pytest.mark.guide("players#find-yourself")
def test_hidden_rounds_are_hidden_everywhere_until_final(client: Client, event: Event) -> None:
    hide_the_last(event)
    luck = chance()
    advance(event, luck)
    root = f"/e/{event.slug}"
    api = f"/api/v1/events/{event.slug}"
    assert b"<tr data-entrant" in client.get(f"{root}/standings/").content
    round_ = draw_and_publish(
        Round.objects.get(stage__event=event, stage__order=1, number=3), SYSTEM
    )
    play_round(round_, luck)
    shown = client.get(f"{root}/standings/").content
    assert b"<tr data-entrant" not in shown
    assert b"results of the last rounds are announced" in shown
    assert client.get(f"{api}/standings/").json()["rows"] == []
    assert client.get(f"{api}/standings/").json()["hash"] == ""
    assert client.get(f"{api}/results/?round=3").json()["count"] == 0
    assert client.get(f"{api}/results/?round=2").json()["count"] > 0
    player = client.get(f"{root}/players/1/").content.decode()
    assert player.count("revealed at the prize-giving") == 3
    assert "figures" not in player
    assert b"results of the last rounds are announced" in client.get(f"{root}/wall/").content
    assert (
        b"results of the last rounds are announced"
        in client.get(f"{root}/standings/1/clubs/").content
    )
    own = client.get(f"/p/{entrant_token(event.entrants.get(number=1))}/").content.decode()
    assert "revealed at the prize-giving" not in own
    assert "data-follow" in player
    assert "data-follow" not in own  # nobody follows themself
    from tournament.services.rounds import close_round

    close_round(round_id=round_.pk, actor=SYSTEM)
    set_state(stage_id=round_.stage_id, state="final", actor=SYSTEM)
    assert b"<tr data-entrant" in client.get(f"{root}/standings/").content
    assert client.get(f"{api}/results/?round=3").json()["count"] > 0


@pytest.fixture(scope="module")
def wide(module_database: None) -> Event:
    """Return 32 players after their first round: some are separated by the third criterion alone."""
    return played(32)


@pytest.mark.guide("players#the-standings")
@pytest.mark.parametrize(
    ("language", "said"), [("en", "against"), ("fr", "contre"), ("nl", "tegen")]
)
def test_a_phone_reads_what_separates_neighbours_where_it_has_no_column_for_it(
    client: Client, wide: Event, language: str, said: str
) -> None:
    """A phone shows two criteria; a line separated by the third shows it in words."""
    event = Event.objects.get(pk=wide.pk)
    stage = event.stages.get(order=1)
    shown = pages.standings_of(stage, language=language)
    split = {row.number: row for row in shown.rows if row.by == 2}
    assert split
    page = client.get(f"/e/{event.slug}/standings/", headers={"accept-language": language})
    rows = dict(re.findall(r'<tr data-entrant="(\d+)"(.*?)</tr>', page.content.decode(), re.DOTALL))
    for index, row in enumerate(shown.rows):
        words = re.findall(r'<span class="club split">([^<]*)</span>', rows[str(row.number)])
        if row.number not in split:
            assert words == []
            continue
        above = shown.rows[index - 1].values
        assert row.values[:2] == above[:2]
        assert words[0].endswith(f" {row.values[2]} {said} {above[2]}")


@pytest.mark.guide("players#the-standings")
@pytest.mark.parametrize("language", ["en", "fr", "nl"])
def test_every_criterion_of_the_order_is_explained_to_who_has_no_pointer(
    client: Client, language: str, event: Event
) -> None:
    page = client.get(f"/e/{event.slug}/standings/", headers={"accept-language": language})
    text = html.unescape(page.content.decode())
    said = text[text.index('id="order"') :]
    for criterion in pages.criteria_of(event.stages.get(order=1)):
        assert criterion.explanation.render(language) in said
        assert f"<strong>{criterion.name.render(language)}</strong>" in said
    assert 'href="#order"' in text


@pytest.fixture(scope="module")
def odd(module_database: None) -> Event:
    """Return 9 players after their first round, which one of them sat out."""
    return played(9)


@pytest.mark.guide("players#the-standings")
@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "3 games credited"), ("fr", "3 manches créditées"), ("nl", "3 bomen toegekend")],
)
def test_a_line_says_how_many_games_were_credited(
    client: Client, odd: Event, language: str, said: str
) -> None:
    """One of nine sits the round out, and is credited as many games as the others play."""
    event = Event.objects.get(pk=odd.pk)
    round_ = event.stages.get(order=1).rounds.get(number=1)
    (out,) = Bye.objects.filter(round=round_).values_list("entrant__number", flat=True)
    page = client.get(f"/e/{event.slug}/standings/", headers={"accept-language": language})
    rows = re.findall(r'<tr data-entrant="(\d+)"(.*?)</tr>', page.content.decode(), re.DOTALL)
    assert [int(number) for number, text in rows if said in text] == [out]


def test_rows_of_an_earlier_release_are_written_anew(client: Client, event: Event) -> None:
    """The records of a finished event do not change, so only the release renews its rows."""
    path = f"/e/{event.slug}/standings/"
    client.get(path, headers={"accept-language": "nl"})
    kept = RenderedStandings.objects.get(stage__event=event, stage__order=1, language="nl")
    kept.rows, kept.head, kept.made_of = "<tr></tr>", {**kept.head, "layout": 1}, "earlier"
    kept.save()
    rows = rendered(kept.stage, "nl").rows
    assert rows.count("<tr data-entrant") == 16


def test_names_are_listed_as_a_reader_looks_them_up(client: Client) -> None:
    """Accents do not count: Élise comes before Filip, not after Zoë."""
    event, _part = drawn(8)
    for entrant, name in zip(
        event.entrants.order_by("number"),
        [
            "Zoë Maes",
            "Élise Claes",
            "filip Bal",
            "Œdipe Roi",
            "Ömer Ak",
            "Dirk Pot",
            "Ella Sy",
            "Pol",
        ],
        strict=True,
    ):
        correct_entrant(
            entrant_id=event.entrants.get(number=entrant.number).pk,
            actor=SYSTEM,
            changes={"name": name},
        )
    page = markup(client.get(f"/e/{event.slug}/draw/?by=name"))
    assert re.findall(r'<th scope="row"><a [^>]*>([^<]*)</a>', page) == [
        "Dirk Pot",
        "Élise Claes",
        "Ella Sy",
        "filip Bal",
        "Œdipe Roi",
        "Ömer Ak",
        "Pol",
        "Zoë Maes",
    ]


@pytest.mark.guide("players#find-yourself")
def test_a_personal_link_is_private_and_a_wrong_one_is_nothing(
    client: Client, event: Event
) -> None:
    answer = client.get(f"/p/{entrant_token(event.entrants.get(number=4))}/")
    assert answer.status_code == 200
    assert "no-store" in answer["Cache-Control"]
    # No other site learns the link; with no-referrer the page's own forms would have no origin.
    assert answer["Referrer-Policy"] == "same-origin"
    assert client.get("/p/aaaaaaaaaaaaaaaaaaaaaaaa/").status_code == 404


def test_rulings_of_a_room_above_are_shown(
    client: Client, event: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    third = event.entrants.get(number=3)
    said = ShownRuling("001-R9", "Revoke", "34 to A-B", "Trick 6", "final", "Final", entrants=(3,))

    def told(*, event_id: object, entrant: int | None, **_more: object) -> list[ShownRuling]:
        return [said] if event_id == event.pk and entrant in (None, third.pk) else []

    monkeypatch.setattr(rulings, "answers", lambda _signal, **asked: [told(**asked)])
    monkeypatch.setattr("tournament.public.marks.answers", lambda _signal, **_asked: [{3: 1}])
    root = f"/e/{event.slug}/"
    assert b"001-R9" in client.get(f"{root}players/3/").content
    assert b"001-R9" in client.get(f"{root}wall/").content
    assert b"001-R9" in client.get(root).content
    assert f'href="{root}rulings/"'.encode() in client.get(root).content
    everything = client.get(f"{root}rulings/", headers={"accept-language": "nl"}).content.decode()
    assert re.search(r'<h2 class="ruling__title">\s*Revoke\s*</h2>', everything)
    assert "Trick 6" in everything
    assert b"001-R9" not in client.get(f"{root}players/4/").content


def test_short_names_are_short_everywhere_public(client: Client, event: Event) -> None:
    name = event.entrants.get(number=1).person.name
    update_event(event_id=event.pk, actor=SYSTEM, changes={"short_names": True})
    raise_version(event.pk)
    for path in [
        *paths(event),
        f"/api/v1/events/{event.slug}/players/",
        f"/e/{event.slug}/players/1/",
    ]:
        assert name not in client.get(path).content.decode(), path


def test_an_erased_player_is_a_number_on_every_page(client: Client, event: Event) -> None:
    entrant = event.entrants.select_related("person").get(number=2)
    name = entrant.person.name
    client.get(f"/e/{event.slug}/standings/")
    entrants.erase_person(person_id=entrant.person_id, actor=SYSTEM)
    for path in paths(event):
        assert name not in client.get(path).content.decode(), path


def test_the_need_for_the_cut_is_said_until_it_is_decided(client: Client, event: Event) -> None:
    page = client.get(f"/e/{event.slug}/players/1/").content.decode()
    assert "Cut: the first 8 qualify" in page
    assert "Games won" in page


@pytest.mark.parametrize(
    "path", ["", "draw/", "standings/", "players/", "wall/", "calendar.ics", "version/"]
)
def test_an_unknown_event_is_nothing(client: Client, path: str) -> None:
    assert client.get(f"/e/nowhere/{path}").status_code == 404


def test_unknown_parts_of_an_event_are_nothing(client: Client, waiting: Event) -> None:
    root = f"/e/{waiting.slug}/"
    for path in ("draw/1/1/", "standings/9/", "players/999/", "standings/9/clubs/"):
        assert client.get(root + path).status_code == 404, path


@pytest.mark.guide("players#the-standings")
def test_frozen_standings_stand_still(client: Client, in_play: tuple[Event, Round]) -> None:
    event, round_ = in_play
    play_round(round_, chance())
    stage = event.stages.get(order=1)
    set_state(stage_id=stage.pk, state="frozen", actor=SYSTEM)
    before = Standings.objects.get(stage=stage)
    sheet = round_.tables.first().sheets.first()
    signatures.reopen(sheet_id=sheet.pk, actor=SYSTEM, reason="test")
    assert standings.fresh(stage).hash == before.hash
    assert b"Frozen" in client.get(f"/e/{event.slug}/standings/").content
    found = standings.check(stage)
    assert found is not None
    assert not found.same


def test_the_wall_names_sponsors_and_shows_where_to_follow(
    client: Client, settings: Any, event: Event
) -> None:
    sponsors = "Brouwerij Zeester\n\nBakkerij Claeys"
    update_event(event_id=event.pk, actor=SYSTEM, changes={"sponsors": sponsors})
    path = f"/e/{event.slug}/wall/"
    plain = markup(client.get(path, headers={"accept-language": "en"}))
    assert plain.count("<li>B") == 2
    assert "Follow on your phone" not in plain
    settings.PUBLIC_URL = "https://manille.example"
    raise_version(event.pk)
    shown = markup(client.get(path, headers={"accept-language": "nl"}))
    assert f"<strong>manille.example/e/{event.slug}</strong>" in shown
    assert 'class="segno"' in shown
    assert "Volg op je telefoon" in shown


def test_the_points_of_a_deal_are_ours_on_one_sides_pages_and_theirs_on_the_others(
    client: Client,
) -> None:
    event, round_ = event_in_play()
    for side in ("NS", "EW"):
        sheet = sheet_at(round_, game=1)
        entry = points_entry(sheet, 40)
        sheets.enter_deal(sheet_id=sheet.pk, entry={**entry, "points": {side: 40}}, actor=SYSTEM)
    sheet.refresh_from_db()
    sign(sheet)
    numbers = dict(round_.seats.values_list("pk", "entrant__number"))
    at = {seat.position: numbers[seat.pk] for seat in round_.seats.filter(table__number=1)}
    for side, words in (("NS", ["we 40", "they 40"]), ("EW", ["they 40", "we 40"])):
        for position in sheet.sides[side]:
            page = client.get(
                f"/e/{event.slug}/players/{at[position]}/", headers={"accept-language": "en"}
            ).content.decode()
            assert re.findall(r">\s*((?:we|they) 40)\s*<", page) == words, position
