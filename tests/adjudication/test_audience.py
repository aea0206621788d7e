"""Who reads a ruling on conduct: its offender and the staff; the public what it marks (C.8)."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import translation
from pypdf import PdfReader

from adjudication.models import Ruling
from adjudication.penal.reasons import CONDUCT_IS_ADDED
from adjudication.queries.papers import slip_pdf
from adjudication.queries.shown import show
from adjudication.services import rulings
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
)
from tests.tournament.push_server import push_service
from tournament.models import Entrant, Event, Notice, Round
from tournament.services.event_copy import copy_event
from tournament.services.events import update_event
from tournament.tables.links import entrant_token, table_token

pytestmark = pytest.mark.django_db
PERMISSIONS = Path(__file__).parents[2] / "docs" / "permissions.md"
RULES = ("rules", "help", "openapi")
"""Pages that print the penal code for everybody."""
CONDUCT = ("T-INT", "T-COMM", "T-SLOW", "T-LATE")
WHY = "Both were seen to agree on it."


def route_patterns() -> list[str]:
    """Every address that is open to the public or to who holds a link of a table or a player."""
    rows = re.findall(r"^\| `(/[^`]*)` \| ([^|]*) \| ([^|]*) \|", PERMISSIONS.read_text(), re.M)
    opened = ("nothing (public)", "the player's link", "the table's link")
    return [path for path, _verbs, who in rows if who.strip() in opened]


def addresses(event: Event, tokens: dict[str, list[str]]) -> set[str]:
    """The addresses of the event, every placeholder filled with each of its values."""
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


def words_of_conduct() -> set[str]:
    """Ids and titles of the articles in the three languages, and the referee's reason."""
    words = {WHY, "agree on it"}
    for id in CONDUCT:
        words.add(id)
        title = Message(read_catalogue()[id]["title"])
        words.update(title.render(language) for language in ("en", "fr", "nl"))
    return words


def rule(event: Event, part: Round, article: str, facts: dict[str, Any], **more: Any) -> Ruling:
    return rulings.issue(
        incident_id=incident_at(event, part, **more).pk,
        article=article,
        facts=facts,
        actor=REFEREE,
        second=SECOND,
        reason=WHY,
    )


@pytest.fixture
def ruled() -> tuple[Event, Round, dict[str, Ruling]]:
    """Five rulings on conduct at the first table, all but one against North."""
    event, part = event_in_play(deals=3)
    as_chiefs(event, REFEREE, SECOND)
    enter(sheet_at(part), 40, 30)
    north = {"offender": "N"}
    made = {
        "T-INT": rule(event, part, "T-INT", {**north, "proved": True, "measure": "penalty"}),
        "warned": rule(event, part, "T-COMM", north, deal=2),
        "T-COMM": rule(event, part, "T-COMM", north, deal=2),
        "T-SLOW": rule(event, part, "T-SLOW", {"offender": "E", "what": "bell_before"}, deal=3),
        "T-LATE": rule(event, part, "T-LATE", {**north, "minutes": 3}, deal=None),
    }
    return event, part, made


def player_at(part: Round, seat: str) -> Entrant:
    """The player on a seat of the first table."""
    return Entrant.objects.select_related("event").get(pk=sheet_at(part).seats[seat])


def crawl(client: Client, event: Event, part: Round, seats: str) -> set[str]:
    """Every address that shows a word of conduct, with the links of the players on ``seats``."""
    tokens = {
        "p": [entrant_token(player_at(part, seat)) for seat in seats],
        "t": [table_token(part.tables.get(number=1))],
    }
    wanted = addresses(event, tokens)
    assert len(wanted) > 30
    found = set()
    for language in ("en", "fr", "nl"):
        cache.clear()
        for path in sorted(wanted):
            answer = client.get(path, headers={"accept-language": language}, follow=True)
            page = b"" if answer.streaming else answer.content
            words = words_of_conduct()
            found.update(f"{path} {word}" for word in words if word.encode() in page)
    return found


def test_no_page_of_others_tells_an_offence_of_conduct(
    client: Client, ruled: tuple[Event, Round, dict[str, Ruling]]
) -> None:
    event, part, made = ruled
    assert crawl(client, event, part, "SW") == set()
    for ruling in made.values():
        rulings.finalise(ruling_id=ruling.pk, actor=SECOND)
    assert crawl(client, event, part, "SW") == set()


def test_others_read_what_a_ruling_on_conduct_marks(
    client: Client, ruled: tuple[Event, Round, dict[str, Ruling]]
) -> None:
    event, part, _made = ruled
    east = player_at(part, "E").number
    page = client.get(f"/e/{event.slug}/players/{east}/", headers={"accept-language": "en"})
    told = re.findall(r'ruling__title">\s*(.*?)\s*</h3>', page.content.decode(), re.S)
    assert told == ["Ruling at this table"] * 3  # the warnings mark nothing
    assert "+68; in place of the result of the deal" in page.content.decode()
    assert "+34" in page.content.decode()


def test_offenders_read_the_ruling_by_their_own_link(
    client: Client, ruled: tuple[Event, Round, dict[str, Ruling]]
) -> None:
    _event, part, made = ruled
    own = f"/p/{entrant_token(player_at(part, 'N'))}/"
    page = client.get(own).content.decode()
    assert "T-INT" in page
    assert WHY in page
    assert client.get(f"{own}rulings/{made['T-INT'].pk}/").status_code == 200
    other = f"/p/{entrant_token(player_at(part, 'S'))}/rulings/{made['T-INT'].pk}/"
    assert client.get(other).status_code == 404


def told(part: Round) -> set[str]:
    """The seats of the first table whose players the last matter tells; each has asked for notices."""
    job = Job.objects.filter(kind="tournament.notices", state=JobState.QUEUED).latest("created_at")
    jobs.work_on(str(job.pk))
    job.refresh_from_db()
    assert job.state == JobState.DONE, job.failure
    entrants = set(
        Notice.objects.filter(matter=job.pk).values_list("subscription__entrant", flat=True)
    )
    return {seat for seat, entrant in sheet_at(part).seats.items() if entrant in entrants}


@pytest.fixture
def listening(settings: Any) -> Iterator[tuple[Event, Round]]:
    """An event in play in which everybody has asked for notices on a device."""
    settings.PUSH_PRIVATE = True
    event, part = event_in_play(deals=3)
    as_chiefs(event, REFEREE, SECOND)
    enter(sheet_at(part), 40, 30)
    with push_service() as service:
        for entrant in event.entrants.all():
            form = {**service.device(str(entrant.number)).form, "verb": "on"}
            assert Client().post(f"/p/{entrant_token(entrant)}/push/", form).status_code == 204
        yield event, part


def test_a_ruling_on_conduct_is_told_to_those_alone_whose_page_shows_it(
    listening: tuple[Event, Round],
) -> None:
    event, part = listening
    north = {"offender": "N"}

    def shown() -> set[str]:
        own = {s: f"/p/{entrant_token(player_at(part, s))}/" for s in "NESW"}
        cache.clear()
        return {s for s, page in own.items() if 'class="ruling__title' in text(page)}

    def text(path: str) -> str:
        return Client().get(path).content.decode()

    warning = rule(event, part, "T-COMM", north, deal=2)
    assert told(part) == shown() == {"N"}, "a warning marks nothing"
    rulings.annul(ruling_id=warning.pk, actor=SECOND, reason="Not proved.")
    assert told(part) == {"N"}
    rule(event, part, "T-LATE", {**north, "minutes": 3}, deal=None)
    assert told(part) == {"N"}
    rule(event, part, "T-COMM", north, deal=2)
    again = rule(event, part, "T-COMM", north, deal=2)
    assert told(part) == shown() == set("NEW"), "the opponents mark the second time"
    rulings.annul(ruling_id=again.pk, actor=SECOND, reason="Not proved.")
    assert told(part) == {"N"}
    rule(event, part, "T-INT", {**north, "proved": True, "measure": "penalty"})
    assert told(part) == shown() == set("NESW"), "the deal of them all is replaced"


def test_a_ruling_on_a_revoke_is_told_to_its_whole_table(listening: tuple[Event, Round]) -> None:
    event, part = listening
    ruled_revoke(event, part)
    assert told(part) == set("NESW")


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
    event, part, made = ruled
    update_event(event_id=event.pk, actor=SYSTEM, changes={"publish_conduct": True})
    for ruling in made.values():
        rulings.annul(ruling_id=ruling.pk, actor=SECOND, reason="Not proved.")
    assert crawl(client, event, part, "SW") == set()


def test_a_ruling_on_a_revoke_stays_public(client: Client) -> None:
    event, part = event_in_play(deals=4)
    enter(sheet_at(part), 40)
    ruled_revoke(event, part)
    assert "000-P1" in client.get(f"/e/{event.slug}/rulings/").content.decode()


def test_the_reasons_of_a_revoke_tell_nobody_of_conduct_on_its_deal(
    client: Client, ruled: tuple[Event, Round, dict[str, Ruling]]
) -> None:
    """East revoked in the deal in which North's second gesture cost the penalty."""
    event, part, _made = ruled
    revoke = rule(event, part, "000-P1", {**REVOKE, "offender": "E"}, deal=2)
    added = {
        language: CONDUCT_IS_ADDED.text.render(language).partition(":")[0].strip()
        for language in ("en", "fr", "nl")
    }
    below = f"rulings/{revoke.pk}/"
    opened = [
        f"/e/{event.slug}/rulings/",
        f"/t/{table_token(part.tables.get(number=1))}/{below}",
        *(f"/p/{entrant_token(player_at(part, seat))}/{below}" for seat in "NESW"),
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


def test_a_table_reads_its_sheet_by_program_without_the_offence(
    client: Client, ruled: tuple[Event, Round, dict[str, Ruling]]
) -> None:
    _event, part, _made = ruled
    headers = {"Authorization": f"Table {table_token(part.tables.get(number=1))}"}
    answer = client.get(f"/api/v1/sheets/{sheet_at(part).pk}/", headers=headers)
    assert answer.status_code == 200
    text = answer.content.decode()
    assert [word for word in words_of_conduct() if word in text] == []


def test_a_copy_of_the_event_publishes_as_its_source_does(
    ruled: tuple[Event, Round, dict[str, Ruling]],
) -> None:
    event, _part, _made = ruled
    update_event(event_id=event.pk, actor=SYSTEM, changes={"publish_conduct": True})
    event.refresh_from_db()
    copy = copy_event(event_id=event.pk, name="Again", day=event.day, actor=SYSTEM)
    assert copy.publish_conduct
