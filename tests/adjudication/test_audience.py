"""Readers of an offence: its parties and the staff first; the public sees its marks, and later the rest (C.8)."""

from __future__ import annotations

import io
import re
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import translation
from pypdf import PdfReader

from adjudication.models import Confirmation, Ruling
from adjudication.penal.reasons import CONDUCT_IS_ADDED
from adjudication.queries.audience import parties_of
from adjudication.queries.papers import slip_pdf
from adjudication.queries.shown import show
from adjudication.services import appeals, confirmations, rulings
from ledger import jobs
from ledger.models import Job, JobState
from scoring.engine.articles import read_catalogue
from scoring.texts import Message
from tests.adjudication.build import (
    REFEREE,
    REVOKE,
    SECOND,
    SYSTEM,
    as_chiefs,
    enter,
    event_in_play,
    incident_at,
    ruled_revoke,
    sheet_at,
    sign,
    stating,
)
from tests.tournament.build import varied
from tests.tournament.push_server import push_service
from tournament import exports
from tournament.models import Entrant, Event, Notice, Round
from tournament.queries.pages import standings_of
from tournament.services.event_copy import copy_event
from tournament.services.events import new_stage, update_event
from tournament.tables.links import entrant_token, table_token

pytestmark = pytest.mark.django_db
PERMISSIONS = Path(__file__).parents[2] / "docs" / "permissions.md"
RULES = ("rules", "help", "openapi")
"""Pages that print the whole penal code."""
CONDUCT = ("T-INT", "T-COMM", "T-SLOW", "T-LATE")
WHY = "Both were seen to agree on it."


def route_patterns() -> list[str]:
    """Return every address that is public or opened by a table's or a player's link."""
    rows = re.findall(r"^\| `(/[^`]*)` \| ([^|]*) \| ([^|]*) \|", PERMISSIONS.read_text(), re.M)
    opened = ("nothing (public)", "the player's link", "the table's link")
    return [path for path, _verbs, who in rows if who.strip() in opened]


def addresses(event: Event, tokens: dict[str, list[str]]) -> set[str]:
    """Return the addresses of the event, with each placeholder filled by each of its values."""
    values = {
        "slug:slug": [event.slug],
        "int:stage": ["1"],
        "int:order": ["1", "2", "3"],
        "uuid:ruling_id": [str(pk) for pk in Ruling.objects.values_list("pk", flat=True)],
    }
    found = set()
    for pattern in route_patterns():
        if any(word in pattern for word in RULES):
            continue
        if "<int:number>" in pattern:
            values["int:number"] = (
                [str(n) for n in event.entrants.values_list("number", flat=True)]
                if "players" in pattern
                else ["1", "2"]
            )
        values["str:token"] = tokens["t" if pattern.startswith("/t/") else "p"]
        values["str:player_token"] = tokens["p"]
        paths = [pattern]
        for name in re.findall(r"<([^>]+)>", pattern):
            paths = [
                path.replace(f"<{name}>", value) for path in paths for value in values.get(name, [])
            ]
        found.update(paths)
    return found


def words_of(articles: Iterable[str] = CONDUCT) -> set[str]:
    """Return the ids and titles of articles in the three languages, and the referee's reason."""
    words = {WHY, "agree on it"}
    for id in articles:
        words.add(id)
        title = Message(read_catalogue()[id]["title"])
        words.update(title.render(language) for language in ("en", "fr", "nl"))
    return words


def rule(event: Event, round_: Round, article: str, facts: dict[str, Any], **more: Any) -> Ruling:
    return stating(
        rulings.issue,
        incident_id=incident_at(event, round_, **more).pk,
        article=article,
        facts=facts,
        actor=REFEREE,
        second=SECOND,
        reason=WHY,
    )


@pytest.fixture
def ruled() -> tuple[Event, Round, dict[str, Ruling]]:
    """Rule five times on conduct at the first table, all but once against North."""
    event, round_ = event_in_play(deals=3)
    as_chiefs(event, REFEREE, SECOND)
    enter(sheet_at(round_), 40, 30)
    north = {"offender": "N"}
    made = {
        "T-INT": rule(event, round_, "T-INT", {**north, "proved": True, "measure": "penalty"}),
        "warned": rule(event, round_, "T-COMM", north, deal=2),
        "T-COMM": rule(event, round_, "T-COMM", north, deal=2),
        "T-SLOW": rule(event, round_, "T-SLOW", {"offender": "E", "what": "bell_before"}, deal=3),
        "T-LATE": rule(event, round_, "T-LATE", {**north, "minutes": 3}, deal=None),
    }
    return event, round_, made


def player_at(round_: Round, seat: str) -> Entrant:
    """Return the player on a seat of the first table."""
    return Entrant.objects.select_related("event").get(pk=sheet_at(round_).seats[seat])


def crawl(
    client: Client,
    event: Event,
    round_: Round,
    seats: str,
    language: str,
    words: Collection[str] = (),
) -> set[str]:
    """Return every address and word of an offence that it shows; by default the words of conduct.

    The links of the table and of the players on ``seats`` are used too; without seats no link is.
    """
    tokens = {
        "p": [entrant_token(player_at(round_, seat)) for seat in seats],
        "t": [table_token(round_.tables.get(number=1))] if seats else [],
    }
    wanted = addresses(event, tokens)
    assert len(wanted) > 30
    found = set()
    cache.clear()
    for path in sorted(wanted):
        answer = client.get(path, headers={"accept-language": language}, follow=True)
        page = b"" if answer.streaming else answer.content
        found.update(f"{path} {word}" for word in words or words_of() if word.encode() in page)
    return found


@pytest.mark.guide("referee#issue-the-ruling")
def test_no_page_of_others_tells_an_offence_of_conduct(
    client: Client, ruled: tuple[Event, Round, dict[str, Ruling]]
) -> None:
    event, round_, made = ruled
    assert crawl(client, event, round_, "SW", "fr") == set()
    for ruling in made.values():
        rulings.finalise(ruling_id=ruling.pk, actor=SECOND)
    assert crawl(client, event, round_, "SW", "nl") == set()


@pytest.mark.guide("referee#issue-the-ruling")
def test_others_read_what_a_ruling_on_conduct_marks(
    client: Client, ruled: tuple[Event, Round, dict[str, Ruling]]
) -> None:
    event, round_, _made = ruled
    east = player_at(round_, "E").number
    page = client.get(f"/e/{event.slug}/players/{east}/", headers={"accept-language": "en"})
    told = re.findall(r'ruling__title">\s*(.*?)\s*</h3>', page.content.decode(), re.S)
    assert told == ["Ruling at this table"] * 3  # the warnings mark nothing
    assert "+68; in place of the result of the deal" in page.content.decode()
    assert "+34" in page.content.decode()


@pytest.mark.parametrize("ranking", ["world_championship", "recommended"])
def test_the_standings_mark_no_offender_whose_total_is_unchanged(ranking: str) -> None:
    """A mark at an unchanged total would name the offender, as would the number of penalties."""
    stage = new_stage("Stage", "round_robin", 3, games_per_round=1, deals_per_game=2)
    event, round_ = event_in_play("belgian", players=4, plan=[varied(stage, ranking=ranking)])
    rule(event, round_, "T-LATE", {"offender": "E", "minutes": 12}, deal=None)
    seats = sheet_at(round_).seats
    numbers = dict(event.entrants.values_list("pk", "number"))
    wanted = {numbers[seats["N"]]}
    shown = standings_of(event.stages.get(order=1))
    assert {row.number for row in shown.rows if row.adjusted} == wanted
    listed = exports.standings(event, public=True)
    lines = [dict(zip(listed.columns, row, strict=True)) for row in listed.rows]
    assert {line["number"] for line in lines if line["adjusted"]} == wanted


def test_the_public_reads_no_count_of_penalties(client: Client) -> None:
    """It decides ranks by the event's rule, but would name who offended before the ruling is final."""
    stage = new_stage("Stage", "round_robin", 3, games_per_round=1, deals_per_game=2)
    ranking = {"ranking_rule": {"criteria": ["fewest_penalties", "marks"]}}
    event, round_ = event_in_play("belgian", players=4, plan=[varied(stage, **ranking)])
    enter(sheet_at(round_), 34, 26)
    sign(sheet_at(round_))
    rule(event, round_, "T-COMM", {"offender": "E"}, deal=None)
    rule(event, round_, "T-COMM", {"offender": "E"}, deal=None)
    numbers = dict(event.entrants.values_list("pk", "number"))
    offender = numbers[sheet_at(round_).seats["E"]]
    staff = exports.standings(event, public=False)
    penalties = {row[1]: row[staff.columns.index("fewest_penalties")] for row in staff.rows}
    assert penalties[offender] == 1, "the staff reads it"
    assert "fewest_penalties" not in exports.standings(event, public=True).columns
    with translation.override("en"):
        shown = standings_of(event.stages.get(order=1))
    assert [column.code for column in shown.columns] == ["marks"]
    assert all(len(row.values) == 1 for row in shown.rows)
    pages = [
        client.get(
            f"/e/{event.slug}/players/{number}/", headers={"accept-language": "en"}
        ).content.decode()
        for number in numbers.values()
    ]
    assert not any("Fewest penalties" in page for page in pages)
    assert any("figures are not public" in page for page in pages)


def test_a_forfeit_for_conduct_tells_the_public_no_offence(client: Client) -> None:
    event, round_ = event_in_play(deals=3)
    as_chiefs(event, REFEREE, SECOND)
    enter(sheet_at(round_), 40, 30)
    facts = {"offender": "N", "proved": True, "measure": "round_forfeited"}
    rule(event, round_, "T-INT", facts, deal=None)
    found = crawl(client, event, round_, "", "en", (*words_of(["T-INT"]), "forfeit", "Forfeit"))
    assert found == {"/api/v1/ forfeit"}, "the list of all operations"


def test_offenders_read_the_ruling_by_their_own_link(
    client: Client, ruled: tuple[Event, Round, dict[str, Ruling]]
) -> None:
    _event, round_, made = ruled
    own = f"/p/{entrant_token(player_at(round_, 'N'))}/"
    page = client.get(own).content.decode()
    assert "T-INT" in page
    assert WHY in page
    assert client.get(f"{own}rulings/{made['T-INT'].pk}/").status_code == 200
    other = f"/p/{entrant_token(player_at(round_, 'S'))}/rulings/{made['T-INT'].pk}/"
    assert client.get(other).status_code == 404


def told(round_: Round) -> set[str]:
    """Return the seats at the first table whose players the latest notice job notified. All players have subscribed."""
    job = Job.objects.filter(kind="tournament.notices", state=JobState.QUEUED).latest("created_at")
    jobs.work_on(str(job.pk))
    job.refresh_from_db()
    assert job.state == JobState.DONE, job.failure
    entrants = set(
        Notice.objects.filter(matter=job.pk).values_list("subscription__entrant", flat=True)
    )
    return {seat for seat, entrant in sheet_at(round_).seats.items() if entrant in entrants}


@pytest.fixture
def listening(settings: Any) -> Iterator[tuple[Event, Round]]:
    """Yield an event in play whose players have all subscribed to push notices."""
    settings.PUSH_PRIVATE = True
    event, round_ = event_in_play(deals=3)
    as_chiefs(event, REFEREE, SECOND)
    enter(sheet_at(round_), 40, 30)
    with push_service() as service:
        for entrant in event.entrants.all():
            form = {**service.device(str(entrant.number)).form, "verb": "on"}
            assert Client().post(f"/p/{entrant_token(entrant)}/push/", form).status_code == 204
        yield event, round_


def test_a_ruling_on_conduct_is_told_to_those_alone_whose_page_shows_it(
    listening: tuple[Event, Round],
) -> None:
    event, round_ = listening
    north = {"offender": "N"}

    def shown() -> set[str]:
        own = {s: f"/p/{entrant_token(player_at(round_, s))}/" for s in "NESW"}
        cache.clear()
        return {s for s, page in own.items() if 'class="ruling__title' in text(page)}

    def text(path: str) -> str:
        return Client().get(path).content.decode()

    warning = rule(event, round_, "T-COMM", north, deal=2)
    assert told(round_) == shown() == {"N"}, "a warning marks nothing"
    rulings.annul(ruling_id=warning.pk, actor=SECOND, reason="Not proved.")
    assert told(round_) == {"N"}
    rule(event, round_, "T-LATE", {**north, "minutes": 3}, deal=None)
    assert told(round_) == {"N"}
    rule(event, round_, "T-COMM", north, deal=2)
    again = rule(event, round_, "T-COMM", north, deal=2)
    assert told(round_) == shown() == set("NEW"), "the opponents mark the second time"
    rulings.annul(ruling_id=again.pk, actor=SECOND, reason="Not proved.")
    assert told(round_) == {"N"}
    rule(event, round_, "T-INT", {**north, "proved": True, "measure": "penalty"})
    assert told(round_) == shown() == set("NESW"), "the deal of them all is replaced"


def test_a_ruling_on_a_revoke_is_told_to_its_whole_table(listening: tuple[Event, Round]) -> None:
    event, round_ = listening
    ruled_revoke(event, round_)
    assert told(round_) == set("NESW")


@pytest.mark.guide("referee#issue-the-ruling")
def test_final_rulings_on_conduct_are_public_where_the_event_says_so(
    client: Client, ruled: tuple[Event, Round, dict[str, Ruling]]
) -> None:
    event, _part, made = ruled
    update_event(event_id=event.pk, actor=SYSTEM, changes={"publish_conduct": True})
    path = f"/e/{event.slug}/rulings/"
    assert "T-INT" not in client.get(path).content.decode()
    rulings.finalise(ruling_id=made["T-INT"].pk, actor=SECOND)
    page = client.get(path).content.decode()
    assert "T-INT" in page
    assert "T-COMM" not in page


def test_an_annulled_ruling_on_conduct_never_becomes_public(
    client: Client, ruled: tuple[Event, Round, dict[str, Ruling]]
) -> None:
    event, round_, made = ruled
    update_event(event_id=event.pk, actor=SYSTEM, changes={"publish_conduct": True})
    for ruling in made.values():
        rulings.annul(ruling_id=ruling.pk, actor=SECOND, reason="Not proved.")
    assert crawl(client, event, round_, "SW", "en") == set()


PLAY = ("000-P1", "000-P2", "GEN-DISC")


@pytest.fixture
def played() -> tuple[Event, Round, dict[str, Ruling]]:
    """Rule on faults of play in every state, and on a grave fault that waits for its second person."""
    event, round_ = event_in_play(deals=4)
    as_chiefs(event, REFEREE, SECOND)
    enter(sheet_at(round_), 40, 30, 36, 50)
    enter(sheet_at(round_, 2), 40, 30)
    north = {"offender": "N"}
    made = {
        "provisional": rule(event, round_, "000-P1", REVOKE),
        "final": rule(event, round_, "000-P2", REVOKE, deal=2),
        "appealed": rule(event, round_, "000-P1", REVOKE, deal=3),
        "amended": rule(event, round_, "000-P2", REVOKE, deal=4),
        "annulled": rule(event, round_, "000-P1", REVOKE, table=2),
        "discretion": rule(
            event,
            round_,
            "GEN-DISC",
            {**north, "measure": "penalty", "points": 10},
            table=2,
            deal=2,
        ),
    }
    rulings.finalise(ruling_id=made["final"].pk, actor=SECOND)
    appeals.lodge(ruling_id=made["appealed"].pk, side="NS", grounds=WHY, actor=SYSTEM)
    stating(
        rulings.amend,
        ruling_id=made["amended"].pk,
        article="000-P1",
        facts=REVOKE,
        actor=REFEREE,
        reason=WHY,
    )
    rulings.annul(ruling_id=made["annulled"].pk, actor=REFEREE, reason=WHY)
    waiting = stating(
        confirmations.rule,
        incident_id=incident_at(event, round_, table=2, deal=None).pk,
        article="T-INT",
        facts={**north, "proved": True, "measure": "round_forfeited"},
        actor=REFEREE,
        reason=WHY,
    )
    assert isinstance(waiting, Confirmation)
    return event, round_, made


@pytest.mark.guide("referee#issue-the-ruling")
def test_nobody_without_a_link_reads_an_offence_before_its_time(
    client: Client, played: tuple[Event, Round, dict[str, Ruling]]
) -> None:
    event, round_, _made = played
    path = f"/e/{event.slug}/rulings/"
    page = client.get(path, headers={"accept-language": "en"}).content.decode()
    assert re.findall(r'ruling__article">(.*?)<', page) == ["000-P2"], "it is final"
    # The reason of a final ruling is public too.
    others = words_of((*CONDUCT, *PLAY)) - words_of(["000-P2"])
    assert crawl(client, event, round_, "", "en", others) == set()
    update_event(event_id=event.pk, actor=SYSTEM, changes={"publish_play": "never"})
    assert crawl(client, event, round_, "", "fr", words_of((*CONDUCT, *PLAY))) == set()


@pytest.mark.guide("referee#issue-the-ruling")
def test_an_event_may_publish_rulings_on_play_at_once(
    client: Client, played: tuple[Event, Round, dict[str, Ruling]]
) -> None:
    event, round_, _made = played
    update_event(event_id=event.pk, actor=SYSTEM, changes={"publish_play": "at_once"})
    page = client.get(f"/e/{event.slug}/rulings/").content.decode()
    assert re.findall(r'ruling__article">(.*?)<', page).count("000-P1") == 4
    north = player_at(round_, "N").number
    assert "000-P1" in client.get(f"/e/{event.slug}/players/{north}/").content.decode()


@pytest.mark.guide("referee#issue-the-ruling")
def test_the_public_reads_what_a_ruling_on_play_marks(
    client: Client, played: tuple[Event, Round, dict[str, Ruling]]
) -> None:
    event, round_, made = played
    east = player_at(round_, "E").number
    page = client.get(f"/e/{event.slug}/players/{east}/", headers={"accept-language": "en"})
    told = re.findall(r'ruling__title">\s*(.*?)\s*</h3>', page.content.decode(), re.S)
    assert told.count("Ruling at this table") == 3
    assert "+34; in place of the result of the deal" in page.content.decode()
    parties = parties_of(show(made["provisional"]))
    assert parties.offender == player_at(round_, "N").pk
    assert parties.gain == {player_at(round_, seat).pk for seat in "EW"}
    assert parties.affected == {player_at(round_, "S").pk}
    made["annulled"].refresh_from_db()
    assert parties_of(show(made["annulled"])).gain == frozenset()


@pytest.mark.guide("referee#issue-the-ruling")
def test_the_reasons_of_a_revoke_tell_nobody_of_conduct_on_its_deal(
    client: Client, ruled: tuple[Event, Round, dict[str, Ruling]]
) -> None:
    """East revoked in the deal in which North's second gesture cost the penalty."""
    event, round_, _made = ruled
    revoke = rule(event, round_, "000-P1", {**REVOKE, "offender": "E"}, deal=2)
    added = {
        language: CONDUCT_IS_ADDED.text.render(language).partition(":")[0].strip()
        for language in ("en", "fr", "nl")
    }
    below = f"rulings/{revoke.pk}/"
    update_event(event_id=event.pk, actor=SYSTEM, changes={"publish_play": "at_once"})
    opened = [
        f"/e/{event.slug}/rulings/",
        f"/t/{table_token(round_.tables.get(number=1))}/{below}",
        *(f"/p/{entrant_token(player_at(round_, seat))}/{below}" for seat in "NESW"),
    ]
    for language, sentence in added.items():
        cache.clear()
        for path in opened:
            page = client.get(path, headers={"accept-language": language}, follow=True)
            assert page.status_code == 200
            assert "000-P1" in page.content.decode()
            assert sentence not in page.content.decode()
    with translation.override("en"):
        slip = PdfReader(io.BytesIO(slip_pdf(revoke))).pages[0].extract_text()
        told = show(revoke, whole=True).because
    assert added["en"] not in " ".join(slip.split())
    assert any(added["en"] in reason for reason in told), "to the staff"


@pytest.mark.guide("referee#papers-and-damaged-rulings")
def test_only_the_offender_signs_the_slip_of_an_offence_of_conduct(
    ruled: tuple[Event, Round, dict[str, Ruling]],
) -> None:
    event, round_, made = ruled
    conduct = made["T-COMM"]
    play = rule(event, round_, "000-P1", {**REVOKE, "offender": "E"}, deal=2)
    with translation.override("en"):
        signing = [
            re.findall(
                r"Seen by (.+?) \(signature",
                " ".join(PdfReader(io.BytesIO(slip_pdf(each))).pages[0].extract_text().split()),
            )
            for each in (conduct, play)
        ]
    assert len(signing[0]) == 1
    assert player_at(round_, "N").person.name in signing[0][0]
    assert signing[1] == ["N-S", "E-W"]


def test_a_table_reads_its_sheet_by_program_without_the_offence(
    client: Client, ruled: tuple[Event, Round, dict[str, Ruling]]
) -> None:
    _event, round_, _made = ruled
    headers = {"Authorization": f"Table {table_token(round_.tables.get(number=1))}"}
    answer = client.get(f"/api/v1/sheets/{sheet_at(round_).pk}/", headers=headers)
    assert answer.status_code == 200
    text = answer.content.decode()
    assert [word for word in words_of() if word in text] == []


def test_a_copy_of_the_event_publishes_as_its_source_does(
    ruled: tuple[Event, Round, dict[str, Ruling]],
) -> None:
    event, _part, _made = ruled
    update_event(event_id=event.pk, actor=SYSTEM, changes={"publish_conduct": True})
    event.refresh_from_db()
    copy = copy_event(event_id=event.pk, name="Again", day=event.day, actor=SYSTEM)
    assert copy.publish_conduct
