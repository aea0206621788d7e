"""Papers as the desk requests them: names, rules, number of deals, and refusals before their time."""

from __future__ import annotations

import io
import re
from datetime import date
from typing import Any

import pytest
from django.test import Client
from django.utils import translation
from pypdf import PdfReader

from accounts.models import Role
from adjudication.services import rulings
from ledger.anchors import anchor_of
from ledger.errors import Conflict, Refused
from ledger.jobs import work_on
from ledger.models import AuditEntry, Job
from tests.adjudication.build import (
    REFEREE,
    enter,
    event_in_play,
    incident_at,
    sheet_at,
    sign,
    stating,
)
from tests.markup import markup
from tests.tournament.build import SYSTEM, chance, make_event, make_user
from tests.tournament.documents.reading import outline_titles, page_texts, plain, whole_text
from tests.tournament.results import first_side_wins
from tests.tournament.test_stages import publish_next, settle
from tournament.demo.simulation import advance, draw_and_publish, next_round
from tournament.documents.score_sheets import DEALS_A_PAGE
from tournament.models import Event, PrintedDocument, Round
from tournament.models.tables import Sheet
from tournament.queries.document_names import document_names, grouped
from tournament.queries.papers_people import read_prizes
from tournament.services import entrants, rounds
from tournament.services.adjustments import Amount, adjust
from tournament.services.documents import BUILDERS, request_document
from tournament.services.events import create_event, new_stage, update_event
from tournament.services.privacy import erase_overdue
from tournament.services.standings import set_state

pytestmark = pytest.mark.django_db


def event_of(
    format: str, people: int, *, drawing: Any = None, plan: Any = None, **more: Any
) -> Event:
    """Create an event of one stage with its first round published."""
    pairs = format.startswith("pairs") or (drawing or {}).get("unit") == "pair"
    options = {"format": format, "rounds": 2, "games_per_round": 1, "deals_per_game": 4}
    event = create_event(
        actor=SYSTEM,
        name="Beker",
        day=date(2026, 3, 1),
        place="Oostende",
        public_seed="seed",
        plan=[new_stage("Ronden", drawing=drawing or {}, **{**options, **(plan or {})})],
        **more,
    )
    for number in range(1, people + 1):
        entrants.enter_player(
            event_id=event.pk,
            name=f"Eerste{number} Alpha",
            club="De Tien" if number % 2 else "",
            partner=f"Tweede{number} Zeta" if pairs else "",
            present=True,
            actor=SYSTEM,
        )
    draw_and_publish(next_round(event), SYSTEM)
    event.refresh_from_db()
    return event


def printed(event: Event, kind: str, language: str = "en", **parameters: Any) -> bytes:
    with translation.override(language):
        return BUILDERS[kind](event, {"base": "https://m.example", **parameters}, language, "a4")[0]


def played(event: Event, marks: int = 9) -> Round:
    """Play the round; its first side wins every game."""
    round_ = Round.objects.get(stage__event=event, state="playing")
    for sheet in Sheet.objects.filter(table__round=round_).select_related("table"):
        first_side_wins(sheet, marks)
    return rounds.close_round(round_id=round_.pk, actor=SYSTEM)


@pytest.fixture(scope="module")
def built(module_database: None) -> tuple[Event, Event, Event]:
    over = event_of("individual_draw", 4)
    played(over)
    return make_event(4), event_of("individual_draw", 4), over


@pytest.fixture
def waiting(built: tuple[Event, Event, Event]) -> Event:
    """Return 4 players before their first round."""
    return Event.objects.get(pk=built[0].pk)


@pytest.fixture
def four(built: tuple[Event, Event, Event]) -> Event:
    """Return 4 players in the first of two rounds."""
    return Event.objects.get(pk=built[1].pk)


@pytest.fixture
def over(built: tuple[Event, Event, Event]) -> Event:
    """Return 4 players after the first of two rounds: two have won it, two have lost."""
    return Event.objects.get(pk=built[2].pk)


# Pairs ------------------------------------------------------------------------------------------


@pytest.mark.guide("director#paper")
def test_both_of_a_pair_have_a_badge_a_seat_card_and_a_line_on_the_poster() -> None:
    event = event_of("pairs_swiss", 4)
    badges, cards = whole_text(printed(event, "badges")), whole_text(printed(event, "seat-cards"))
    poster = whole_text(printed(event, "draw-by-name"))
    for number in range(1, 5):
        for name in (f"Eerste{number} Alpha", f"Tweede{number} Zeta"):
            assert badges.count(name) == 1
            assert cards.count(name) == 2  # both sides of the fold
            assert poster.count(name) == 2  # their own line and their partner's
    assert {"E", "T"} <= set(outline_titles(printed(event, "draw-by-name")))


def test_a_pair_is_named_once_on_its_score_sheet() -> None:
    event = event_of("pairs_swiss", 2)
    round_ = Round.objects.get(stage__event=event, state="playing")
    (text,) = page_texts(printed(event, "score-sheets", round=str(round_.pk)))
    assert plain(text).count("Eerste1 Alpha / Tweede1 Zeta") == 1
    assert plain(text).count("Eerste2 Alpha / Tweede2 Zeta") == 1


def test_a_blank_score_sheet_has_the_seats_of_its_tables() -> None:
    rotating = event_of("individual_draw", 4, plan={"games_per_round": 3})
    text = whole_text(printed(rotating, "score-sheets", stage=1))
    assert "N-S" not in text
    assert "Pair 1" in text
    fixed = whole_text(printed(event_of("individual_draw", 4), "score-sheets", stage=1))
    assert "N-S" in fixed


def test_north_south_stands_before_east_west() -> None:
    text = whole_text(printed(event_of("pairs_swiss", 2), "draw-by-table", "nl"))
    assert text.index("N-Z") < text.index("O-W")


# Slips ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("format", "people", "more", "sides", "games"),
    [
        ("individual_draw", 4, {"plan": {"games_per_round": 3}}, ["AB", "CD", "AC", "BD"], 3),
        ("individual_draw", 4, {}, ["NS", "EW"], 1),
        ("pairs_swiss", 2, {}, ["N-S", "E-W"], 1),
        ("individual_draw", 3, {"rulebook": "three-player"}, ["1", "2", "3"], 1),
    ],
)
def test_a_slip_has_the_games_of_its_table(
    format: str, people: int, more: dict[str, Any], sides: list[str], games: int
) -> None:
    event = event_of(format, people, **more)
    text = plain(page_texts(printed(event, "slips", table=1))[0])
    assert [f"Game {at}" in text for at in (1, 2, 3)] == [at <= games for at in (1, 2, 3)]
    assert "Points" in text
    assert [side for side in sides if side not in text] == []
    assert "deals: " in text


def test_a_filling_table_leaves_the_other_slips_their_games() -> None:
    event = event_of("individual_draw", 15, drawing={"odd": "threes"}, plan={"games_per_round": 3})
    texts = [plain(text) for text in page_texts(printed(event, "slips"))]
    assert sum(text.count("Game 3") for text in texts) == 3
    assert sum(text.count("Game 1") for text in texts) == 4


@pytest.mark.parametrize(
    ("language", "said"),
    [("nl", "Deze tafel bestaat niet in deze ronde."), ("en", "No such table in this round.")],
)
def test_a_slip_of_no_table_is_refused_in_the_reader_s_language(
    four: Event, language: str, said: str
) -> None:
    with pytest.raises(Refused) as refusal, translation.override(language):
        printed(four, "slips", language, table=99)
    with translation.override(language):
        assert str(refusal.value) == said


# Score sheets -----------------------------------------------------------------------------------


def test_a_sheet_has_as_many_deals_as_its_game() -> None:
    event = event_of("individual_draw", 4, plan={"deals_per_game": 7})
    (blank,) = page_texts(printed(event, "score-sheets"))
    assert blank.count("NT") == 7
    longer = event_of("individual_draw", 4, plan={"deals_per_game": 20})
    first, second = page_texts(printed(longer, "score-sheets"))
    assert (first.count("NT"), second.count("NT")) == (12, 8)
    assert "Carried forward" in second


ROTATION = (("AB", "CD"), ("AC", "BD"), ("AD", "BC"))


@pytest.mark.guide("director#paper")
def test_the_games_of_a_table_stand_on_its_page_with_all_partners() -> None:
    event = event_of("individual_draw", 8, plan={"games_per_round": 3})
    round_ = Round.objects.get(stage__event=event, state="playing")
    data = printed(event, "score-sheets", round=str(round_.pk))
    for text, table in zip(page_texts(data), round_.tables.order_by("number"), strict=True):
        text = plain(text)
        names = {
            seat.position: f"{seat.position} {seat.entrant.person.name}"
            for seat in table.seats.all()
        }
        wanted = [
            part
            for game, sides in enumerate(ROTATION, 1)
            for part in (
                f"Game {game}",
                *(" – ".join(names[seat] for seat in side) for side in sides),
            )
        ]
        places = [text.find(part) for part in wanted]
        assert -1 not in places
        assert places == sorted(places)
        dealers = re.findall(r"deals: ([A-D])", text)
        # The first deal moves to the next seat with each game.
        assert "".join(dealers) in {"ABC", "BCD", "CDA", "DAB"}
        assert text.count("NT") == 12
        assert text.count("Signature Pair 1") == text.count("Signature Pair 2") == 3
    assert "N-S" not in text
    assert outline_titles(data) == [
        f"Round 1 · Table {table} · Game {game}" for table in (1, 2) for game in (1, 2, 3)
    ]


@pytest.mark.guide("director#paper")
@pytest.mark.parametrize(
    ("plan", "deals"),
    [
        ({"deals_per_game": 8}, [16, 8]),
        ({"deals_per_game": None, "target": 101}, [12] * 3),
        ({"deals_per_game": 30}, [12, 12, 6] * 3),
    ],
)
def test_games_that_leave_a_pen_no_room_on_one_page_have_more(
    plan: dict[str, Any], deals: list[int]
) -> None:
    event = event_of("individual_draw", 4, plan={"games_per_round": 3, **plan})
    round_ = Round.objects.get(stage__event=event, state="playing")
    pages = page_texts(printed(event, "score-sheets", round=str(round_.pk)))
    assert [text.count("NT") for text in pages] == deals


def test_a_match_to_a_target_has_a_page_of_deals() -> None:
    event = event_of("individual_draw", 4, plan={"deals_per_game": None, "target": 101})
    (text,) = page_texts(printed(event, "score-sheets"))
    assert text.count("NT") == 12


def test_a_filling_table_writes_on_the_sheet_of_its_own_game() -> None:
    event = event_of("individual_draw", 7, drawing={"odd": "threes"})
    round_ = Round.objects.get(stage__event=event, state="playing")
    texts = [
        plain(text) for text in page_texts(printed(event, "score-sheets", round=str(round_.pk)))
    ]
    three = [text for text in texts if "Three-player manille" in text]
    assert len(texts) == 2
    assert len(three) == 1
    game = Sheet.objects.get(table__round=round_, rulebook="three-player")
    for number in game.seats.values():
        assert event.entrants.get(pk=number).person.name in three[0]
    assert "Player 3" in three[0]
    assert "Player 4" not in three[0]
    other = next(text for text in texts if text not in three)
    assert "Signature N-S" in other


def test_an_auction_s_sheet_has_a_column_for_every_player_of_its_table() -> None:
    event = event_of(
        "individual_draw",
        11,
        rulebook="auction-2",
        drawing={"table_size": 5},
    )
    assert "Player 5" in whole_text(printed(event, "score-sheets"))
    assert "Player 6" not in whole_text(printed(event, "score-sheets"))
    round_ = Round.objects.get(stage__event=event, state="playing")
    texts = [
        plain(text) for text in page_texts(printed(event, "score-sheets", round=str(round_.pk)))
    ]
    assert sorted("Player 6" in text for text in texts) == [False, True]


def test_a_blank_sheet_has_a_row_for_every_deal_of_its_game() -> None:
    # Each for themselves, all deal equally often (004): four deals of three players become six.
    event = event_of("individual_draw", 3, rulebook="three-player")
    assert whole_text(printed(event, "score-sheets")).count("NT") == 6


@pytest.mark.parametrize("target", [101, {"games": 2, "of": 34}])
def test_a_blank_sheet_of_a_game_to_so_many_points_is_a_page_of_rows(target: object) -> None:
    event = event_of("individual_draw", 4, plan={"deals_per_game": None, "target": target})
    assert whole_text(printed(event, "score-sheets")).count("NT") == DEALS_A_PAGE


# Final, and not yet -----------------------------------------------------------------------------


FINAL_ONLY = {
    "certificates": {"fr": "Les diplômes s’impriment", "nl": "Diploma’s worden gedrukt"},
    "prizes": {"fr": "Les prix s’impriment", "nl": "Prijzen worden gedrukt"},
}


@pytest.mark.parametrize("state", ["provisional", "frozen"])
@pytest.mark.parametrize("kind", FINAL_ONLY)
@pytest.mark.parametrize("language", ["fr", "nl"])
def test_what_is_final_is_refused_before_in_the_reader_s_language(
    over: Event, kind: str, language: str, state: str
) -> None:
    event = over
    stage = event.stages.get()
    set_state(stage_id=stage.pk, state=state, actor=SYSTEM)
    asked = {"prizes": "1: 250"}
    with pytest.raises(Conflict) as refusal:
        printed(event, kind, language, **asked)
    assert refusal.value.code == "not_final"
    with translation.override(language):
        assert str(refusal.value).startswith(FINAL_ONLY[kind][language])
    # The desk requests it as a job: it fails with the same message in the reader's language, whatever the
    # document's own language, and stores nothing.
    with translation.override(language):
        job = request_document(
            event_id=event.pk,
            kind=kind,
            language="en",
            paper="a4",
            parameters=asked,
            actor=SYSTEM,
        )
    work_on(str(job.pk))
    job.refresh_from_db()
    assert FINAL_ONLY[kind][language] in job.failure
    assert not event.documents.exists()
    set_state(stage_id=stage.pk, state="final", actor=SYSTEM, reason="They share it.")
    assert printed(event, kind, language, **asked).startswith(b"%PDF")


def test_a_certificate_has_the_full_name_the_day_and_room_to_sign(over: Event) -> None:
    event = over
    update_event(event_id=event.pk, actor=SYSTEM, changes={"short_names": True})
    set_state(stage_id=event.stages.get().pk, state="final", actor=SYSTEM, reason="They share it.")
    event.refresh_from_db()
    for language, day, director in (
        ("fr", "Oostende, 1er mars 2026", "Direction du concours"),
        ("nl", "Oostende, 1 maart 2026", "Wedstrijdleiding"),
        ("en", "Oostende, 1 March 2026", "Director"),
    ):
        text = whole_text(printed(event, "certificates", language))
        assert " Alpha" in text
        assert day in text
        assert director in text
    assert "Alpha" not in whole_text(printed(event, "standings", "nl"))


@pytest.mark.guide("ranking#prizes")
def test_the_cents_of_a_prize_that_do_not_divide_go_where_the_list_says(over: Event) -> None:
    event = over  # two win, two lose: two shared ranks
    set_state(stage_id=event.stages.get().pk, state="final", actor=SYSTEM, reason="They share it.")
    data = printed(event, "prizes", "en", prizes="1: 0,03\n2: 0,02")
    text = whole_text(data)
    kept = event.stages.get().standings.rows
    low, high = sorted(row["number"] for row in kept if row["rank"] == 1)
    assert text.index("€0.03") < text.index("€0.02")
    assert text.index(f"Eerste{low} Alpha") < text.index("€0.03") < text.index("€0.02")
    assert f"Eerste{high} Alpha (2 share it)" in text
    assert "go one each to the lowest start numbers" in text
    assert "Total paid out: €0.05" in text
    house = whole_text(printed(event, "prizes", "en", prizes="1: 0,03\n2: 0,02", remainder="house"))
    assert "cents that cannot be divided stay with the organiser" in house
    assert "Stays with the organiser, as it cannot be divided: €0.01." in house
    assert "Total paid out: €0.04" in house
    assert "€0.03" not in house


# Standings and the report -----------------------------------------------------------------------


def test_who_is_excluded_or_has_withdrawn_is_listed_without_a_rank_and_with_the_reason() -> None:
    event = event_of("individual_draw", 8)
    played(event)
    stage = event.stages.get()
    adjust(
        stage_id=stage.pk,
        source="ruling:1",
        reason="T",
        actor=SYSTEM,
        amounts=[Amount(event.entrants.get(number=3).pk, disqualified=True)],
    )
    entrants.withdraw(entrant_id=event.entrants.get(number=5).pk, actor=SYSTEM)
    for language, excluded, withdrawn in (
        ("fr", "exclusion", "abandon"),
        ("nl", "uitsluiting", "opgave"),
        ("en", "excluded", "withdrawn"),
    ):
        text = whole_text(printed(event, "standings", language))
        assert f"Eerste3 Alpha ({excluded})*" in text
        assert f"Eerste5 Alpha ({withdrawn})" in text


def test_the_report_names_each_round_and_writes_numbers_as_its_language_does() -> None:
    event = event_of("individual_draw", 4, plan={"deals_per_game": 34})
    played(event, 1009)
    assert draw_and_publish(next_round(event), SYSTEM).number == 2
    for language, word, number in (
        ("fr", "Tour", "1\u202f009"),
        ("nl", "Ronde", "1.009"),
        ("en", "Round", "1,009"),
    ):
        data = printed(event, "event-report", language)
        titles = outline_titles(data)
        assert [f"{word} {at}" in titles for at in (1, 2)] == [True, True]
        assert plain(number) in whole_text(data).replace("\u202f", " ")


def test_the_report_is_provisional_until_every_stage_is_final() -> None:
    def state(event: Event) -> str:
        return BUILDERS["event-report"](event, {}, "en", "a4")[2]

    assert state(make_event(0, name="Nobody yet")) == "provisional"
    event = event_of("individual_draw", 4, plan={"rounds": 1})
    played(event)
    assert state(event) == "provisional"
    set_state(stage_id=event.stages.get().pk, state="final", actor=SYSTEM, reason="They share it.")
    assert state(event) == "final"


def test_the_report_has_a_line_for_every_player_who_plays_for_himself() -> None:
    event = event_of("individual_draw", 5, rulebook="auction-2", drawing={"table_size": 5})
    played(event)
    reader = PdfReader(io.BytesIO(printed(event, "event-report")))
    text = plain("".join(page.extract_text() for page in reader.pages))
    chapter = text[text.index("Round 1") :]
    chapter = chapter[: chapter.index("Players")] if "Players" in chapter else chapter
    assert [chapter.count(f"Eerste{at} Alpha") for at in range(1, 6)] == [1] * 5


@pytest.mark.guide("director#paper")
def test_every_document_says_where_and_when() -> None:
    event = make_event(4, deals=1, cut=4)
    update_event(event_id=event.pk, actor=SYSTEM, changes={"place": "Brugge"})
    advance(event, chance())
    event.refresh_from_db()
    for kind in ("standings", "draw-by-table", "draw-by-name", "event-report"):
        data = printed(event, kind, "nl")
        assert "Brugge, 21 november 2026" in whole_text(data), kind
        # The journal's anchor is printed on the paper and stored in the file.
        assert f"logboek {anchor_of(event.pk)}" in whole_text(data), kind
        assert anchor_of(event.pk) in str(PdfReader(io.BytesIO(data)).metadata), kind


def test_the_report_has_every_incident_and_ruling_in_the_reader_s_language() -> None:
    event, round_ = event_in_play()
    sign(enter(sheet_at(round_), 40, 30))
    stating(
        rulings.issue,
        incident_id=incident_at(event, round_).pk,
        article="000-P1",
        actor=REFEREE,
        claimed="in_time",
        facts={"offender": "N", "trick": 3, "noticed": "after_deal"},
    )
    for language, chapter, ruling in (
        ("fr", "Rapport d’arbitrage", "Décision 1 · Tour 1 · Table 1"),
        ("nl", "Arbitrageverslag", "Uitspraak 1 · Ronde 1 · Tafel 1"),
        ("en", "Adjudication report", "Ruling 1 · Round 1 · Table 1"),
    ):
        data = printed(event, "event-report", language)
        titles = outline_titles(data)
        assert chapter in titles
        assert [title for title in titles if title.startswith(ruling)]
        text = whole_text(data)
        assert "000-P1" in text
        assert "+34" in text


# The desk ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "code"),
    [("1: 250\n1-3: 20", "prize_twice"), ("1: 0", "prize_line"), ("3-1: 5", "prize_line")],
)
def test_prizes_that_contradict_themselves_are_refused_in_words_of_the_desk(
    lines: str, code: str
) -> None:
    with pytest.raises(Refused) as refusal:
        read_prizes(lines)
    assert (refusal.value.code, refusal.value.field) == (code, "prizes")
    with translation.override("nl"):
        assert "prijzen" in str(refusal.value)


@pytest.mark.guide("director#paper")
def test_documents_made_are_told_apart_at_the_desk(client: Client, over: Event) -> None:
    event = over
    client.force_login(make_user("director", event, Role.DIRECTOR))
    client.cookies["django_language"] = "fr"
    path = f"/desk/{event.slug}/documents/"
    round_ = Round.objects.get(stage__event=event, number=1)
    for asked in ({}, {"top": "3"}, {"by_club": "1", "paper": "letter"}, {"round": str(round_.pk)}):
        kind = "draw-by-name" if "round" in asked else "standings"
        answer = client.post(path, {"kind": kind, "language": "nl", "paper": "a4", **asked})
        work_on(answer["Location"].rstrip("/").rpartition("/")[2])
    shown = plain(client.get(path).content.decode())
    for said in (
        ">Classement<",
        "Classement · Les 3 premiers",
        "Classement · Classement par club",
        "Tirage par nom · Tour 1",
        "· nl · Letter · provisoire",
        "· nl · A4 · provisoire",
    ):
        assert said in shown, said


def kinds_on(page: str) -> set[str]:
    select = page.split('<select name="kind"')[1].split("</select>")[0]
    return set(re.findall(r'value="([-a-z]+)"', select))


def test_documents_are_chosen_by_what_they_are_for() -> None:
    with translation.override("en"):
        groups = grouped(document_names())
    assert [label for label, _kinds in groups] == ["Results", "For a round", "For the players"]
    assert sorted(kind for _label, kinds in groups for kind, _name in kinds) == sorted(BUILDERS)
    assert [label for label, _kinds in grouped({"badges": "Badges"})] == ["For the players"]


@pytest.mark.guide("security#security")
@pytest.mark.parametrize("kind", ["slips", "badges"])
def test_links_of_tables_and_players_are_printed_by_the_director_alone(
    client: Client, four: Event, kind: str
) -> None:
    event = four
    path, asked = f"/desk/{event.slug}/documents/", {"kind": kind, "language": "nl", "paper": "a4"}
    director = Client()
    director.force_login(make_user("director", event, Role.DIRECTOR))
    work_on(director.post(path, asked)["Location"].rstrip("/").rpartition("/")[2])
    made = event.documents.get()
    file = f"{path}{made.pk}.pdf"
    assert str(made.pk) in director.get(path).content.decode()
    assert director.post(file).status_code == 200
    assert kind in kinds_on(director.get(path).content.decode())
    for role in (Role.SCOREKEEPER, Role.REFEREE, Role.CHIEF_REFEREE):
        client.force_login(make_user(f"the-{role}", event, role))
        page = client.get(path).content.decode()
        assert kind not in kinds_on(page), role
        assert "standings" in kinds_on(page), role
        assert str(made.pk) not in page, role
        assert client.get(file).status_code == client.post(file).status_code == 403, role
        assert client.post(path, asked).status_code == 403, role
    assert event.documents.count() == 1


@pytest.mark.guide("director#paper", "security#security")
@pytest.mark.parametrize("kind", ["slips", "badges", "round"])
def test_papers_with_links_are_not_stored_and_every_opening_is_recorded(
    client: Client, four: Event, kind: str
) -> None:
    event = four
    director = make_user("director", event, Role.DIRECTOR)
    client.force_login(director)
    path, asked = f"/desk/{event.slug}/documents/", {"kind": kind, "language": "fr", "paper": "a4"}
    work_on(client.post(path, asked)["Location"].rstrip("/").rpartition("/")[2])
    made = event.documents.get()
    assert bytes(made.content) == b""
    opened = AuditEntry.objects.filter(scope=event.pk, verb="document.opened")
    # A GET, which a browser may send by itself, opens no document with links.
    assert client.get(f"{path}{made.pk}.pdf")["Location"] == path
    program = f"/api/v1/events/{event.slug}/documents/{made.pk}/"
    assert client.get(program).status_code == 405
    assert not opened.exists()
    for times, where in enumerate((f"{path}{made.pk}.pdf", program), start=1):
        answer = client.post(where)
        assert answer["Cache-Control"] == "private, no-store"
        assert ("/t/" in whole_text(answer.content)) == (kind != "badges")
        assert [(entry.actor, entry.after["kind"]) for entry in opened.all()] == [
            (f"user:{director.pk}", kind)
        ] * times
    # It belongs to its round: once that is over, its links write nothing.
    played(event)
    rounds.close_round(round_id=event.stages.get().rounds.get(number=1).pk, actor=SYSTEM)
    answer = client.post(f"{path}{made.pk}.pdf", follow=True, headers={"Accept-Language": "en"})
    if kind == "badges":
        assert answer.content.startswith(b"%PDF")
    else:
        assert "This round is closed: its links no longer work." in answer.content.decode()
    assert opened.count() == (3 if kind == "badges" else 2)


def test_files_with_links_that_an_earlier_release_stored_are_emptied(settings: Any) -> None:
    settings.RETENTION_DAYS = 0
    event = make_event(4)
    for kind in ("badges", "standings"):
        PrintedDocument.objects.create(
            event=event, kind=kind, language="nl", fingerprint=kind, content=b"%PDF", made_by="x"
        )
    erase_overdue()
    kept = {made.kind: bytes(made.content) for made in event.documents.all()}
    assert kept == {"badges": b"", "standings": b"%PDF"}


@pytest.mark.guide("director#paper")
@pytest.mark.parametrize(
    ("host", "public", "warned"),
    [
        ("127.0.0.1:8000", "", "http://127.0.0.1:8000"),
        ("localhost", "", "http://localhost"),
        ("127.0.0.1", "https://manille.example", ""),
        ("192.168.1.10:8000", "", ""),
        ("192.168.1.10", "http://127.0.0.1:8000", "http://127.0.0.1:8000"),
    ],
)
def test_the_desk_warns_before_codes_lead_phones_nowhere(
    client: Client, waiting: Event, settings: Any, host: str, public: str, warned: str
) -> None:
    settings.ALLOWED_HOSTS = ["127.0.0.1", "localhost", "192.168.1.10"]
    settings.PUBLIC_URL = public
    event = waiting
    client.force_login(make_user("director", event, Role.DIRECTOR))
    for path in ("documents/", "players/1/link/"):
        page = client.get(f"/desk/{event.slug}/{path}", headers={"host": host}).content.decode()
        assert ("which no phone can reach" in page) == bool(warned)
        assert not warned or f"would point to {warned}," in page


@pytest.mark.guide("director#paper")
def test_a_code_that_no_phone_reaches_is_printed_again_by_one_click(
    client: Client, waiting: Event, settings: Any
) -> None:
    settings.ALLOWED_HOSTS, settings.PUBLIC_URL = ["127.0.0.1", "192.168.1.10"], ""
    event = waiting
    client.force_login(make_user("director", event, Role.DIRECTOR))
    path = f"/desk/{event.slug}/documents/"
    asked = {"kind": "badges", "language": "fr", "paper": "letter"}
    here, hall = {"host": "127.0.0.1:8000"}, {"host": "192.168.1.10:8000"}
    answer = client.post(path, asked, headers=here)
    work_on(answer["Location"].rstrip("/").rpartition("/")[2])
    made = event.documents.get()
    job = client.get(answer["Location"], headers=hall | {"Accept-Language": "en"}).content.decode()
    assert "would point to http://127.0.0.1:8000," in job
    assert "carries http://127.0.0.1:8000" in plain(
        client.get(path, headers=hall | {"Accept-Language": "en"}).content.decode()
    )
    answer = client.post(path, {"again": str(made.pk)}, headers=hall)
    work_on(answer["Location"].rstrip("/").rpartition("/")[2])
    assert "no phone can reach" not in client.get(answer["Location"], headers=hall).content.decode()
    again = event.documents.exclude(pk=made.pk).get()
    assert (again.kind, again.language, again.paper) == ("badges", "fr", "letter")
    assert again.parameters == {**made.parameters, "base": "http://192.168.1.10:8000"}
    for unknown in ("x", str(event.pk)):
        assert client.post(path, {"again": unknown}, headers=hall).status_code == 404


def test_papers_carry_the_public_address_wherever_they_are_printed_from(
    client: Client, waiting: Event, settings: Any
) -> None:
    settings.PUBLIC_URL = "https://manille.example"
    event = waiting
    client.force_login(make_user("director", event, Role.DIRECTOR))
    asked = {"kind": "badges", "language": "nl", "paper": "a4"}
    client.post(f"/desk/{event.slug}/documents/", asked)
    assert Job.objects.get(kind="tournament.document").parameters["base"] == settings.PUBLIC_URL


def test_a_paper_that_was_waited_for_opens_by_itself_one_with_links_at_a_press(
    client: Client,
) -> None:
    event = event_of("pairs_swiss", 4)
    client.force_login(make_user("director", event, Role.DIRECTOR))
    opened = {}
    for kind in ("standings", "badges"):
        job = request_document(
            event_id=event.pk,
            kind=kind,
            language="en",
            paper="a4",
            actor=SYSTEM,
            parameters={"base": "https://m.example"},
        )
        page = f"/desk/{event.slug}/jobs/{job.pk}/"
        assert "X-Live-Go" not in client.get(page, {"part": "page"}).headers
        work_on(str(job.pk))
        assert client.get(page).status_code == 200
        opened[kind] = client.get(page, {"part": "page"}).headers.get("X-Live-Go")
    document = PrintedDocument.objects.get(kind="standings")
    assert opened == {
        "standings": f"/desk/{event.slug}/documents/{document.pk}.pdf",
        "badges": None,
    }


@pytest.mark.guide("director#paper")
def test_the_documents_of_the_next_step_come_first(client: Client) -> None:
    plan = [new_stage("Rounds", "pairs_swiss", 1, games_per_round=1, deals_per_game=2)]
    event = make_event(4, plan=plan)
    client.force_login(make_user("printer", event, Role.DIRECTOR))
    path, english = f"/desk/{event.slug}/documents/", {"Accept-Language": "en"}

    def first() -> set[str]:
        listed = markup(client.get(path, headers=english)).partition('id="now"')[2]
        now = listed.partition("</ul>")[0]
        return set(re.findall(r'(?:name="kind" value="|kind=|/)([-a-z]+)(?:"|/")', now))

    assert first() == {"badges"}
    drawn = publish_next(event)
    assert first() == {"round", "draw-by-name", "score-sheets"}
    (button,) = re.findall(
        r'name="kind" value="draw-by-name">\s*<input[^>]*name="round" value="([^"]*)"',
        markup(client.get(path, headers=english)),
    )
    assert button == str(drawn.round_id)
    settle(drawn)
    assert first() == {"standings"}
    set_state(stage_id=event.stages.get().pk, state="final", actor=SYSTEM, reason="shared")
    assert first() == {"certificates", "prizes", "event-report", "archive"}
    # Opened for one document, the page shows its form alone.
    page = markup(client.get(path, {"kind": "prizes"}, headers=english))
    assert 'id="now"' not in page
    assert '<details class="fold" id="all" open>' in page
