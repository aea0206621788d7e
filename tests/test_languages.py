"""No page shows English to a reader of French or Dutch; the browser's language and a reader's choice decide."""

from __future__ import annotations

import copy
import re
from functools import cache
from html.parser import HTMLParser
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from accounts.models import Role
from adjudication.services import rulings
from scoring.engine.rulebook import RULEBOOKS
from tests.adjudication.build import (
    REFEREE,
    enter,
    event_in_play,
    incident_at,
    sheet_at,
    sign,
    stating,
)
from tests.catalogs import PLACEHOLDER, TRANSLATED, catalog
from tests.tables.build import a_sheet, token
from tests.tournament.build import grant, make_user
from tools.permissions_page import routes
from tournament.models import Draw, Event
from tournament.tables.links import entrant_token

CITED = re.compile(r"“[^”]*”|\b[A-Z]+(?:-[A-Z0-9]+)+\b|\b[a-z_]+(?:\.[a-z_]+)+\b")
"""Source quotations, the codes of articles and questions, the kinds of jobs."""


class Seen(HTMLParser):
    """The visible text of a page, and the attributes that are read out or shown."""

    VOID = frozenset({"area", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"})
    SILENT = frozenset({"script", "style", "code", "pre"})

    def __init__(self) -> None:
        super().__init__()
        self.said: set[str] = set()
        self._hidden: list[str] = []
        self._open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        elsewhere = tag != "html" and "lang" in found
        if tag not in self.VOID:
            self._open.append(tag)
            if self._hidden or tag in self.SILENT or elsewhere:
                self._hidden.append(tag)
        if self._hidden or elsewhere:
            return
        for name, value in found.items():
            told = name in ("title", "aria-label", "placeholder", "alt") or name.startswith(
                "data-text"
            )
            told = told or (name == "content" and found.get("name") == "description")
            if told:
                self.say(value)

    def handle_endtag(self, tag: str) -> None:
        while self._open and tag in self._open:
            closed = self._open.pop()
            if self._hidden:
                self._hidden.pop()
            if closed == tag:
                break

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self.say(data)

    def say(self, text: str) -> None:
        said = " ".join(text.split())
        if said:
            self.said.add(said)


def said_by(html: str) -> set[str]:
    seen = Seen()
    seen.feed(html)
    return seen.said


@cache
def sources(language: str) -> list[tuple[str, str]]:
    """Return the English sources with a literal over twelve letters that no translation contains, with that literal."""
    found = []
    for entry in catalog(language):
        literal = max(PLACEHOLDER.split(entry.english), key=len).strip()
        if len(literal) > 12 and not any(literal in said for said in entry.forms.values()):
            found.append((entry.english, literal))
    return found


def english_left(said: set[str], language: str) -> list[str]:
    """Return the English :func:`sources` that a page still shows."""
    whole = "\n".join(said)
    # Match whole words: "Blind manille" is not part of "Blind manillen".
    return [
        english
        for english, literal in sources(language)
        if literal in whole and re.search(rf"{re.escape(literal)}(?!\w)", whole)
    ]


def build_house() -> dict[str, Any]:
    """Create a round in play: one sheet signed, one begun, a ruling and its appeal."""
    event, round_ = event_in_play()
    signed = sign(enter(sheet_at(round_), 40, 30))
    begun = enter(sheet_at(round_, 2), 40)
    incident = incident_at(event, round_)
    ruling = stating(
        rulings.issue,
        incident_id=incident.pk,
        article="000-P1",
        actor=REFEREE,
        claimed="in_time",
        facts={"offender": "N", "trick": 3, "noticed": "after_deal"},
    )
    open_incident = incident_at(event, round_, table=2)
    user = make_user("somebody", event, Role.DIRECTOR)
    for role in (Role.CHIEF_REFEREE, Role.APPEALS):
        grant(user, role, event.pk)
    grant(user, Role.ADMIN)
    player = event.entrants.get(number=1)
    return {
        "event": event,
        "user": user,
        "part": round_,
        "begun": begun,
        "names": _data(event),
        "second_incident": open_incident.number,
        "values": {
            "slug": event.slug,
            "order": 1,
            "stage": 1,
            "round_id": round_.pk,
            "verb": "extend",
            "draw_id": Draw.objects.get(round=round_).pk,
            "sheet_id": signed.pk,
            "entrant_id": player.pk,
            "player_token": entrant_token(player),
            "ruling_id": ruling.pk,
            "name": "000-P1",
        },
    }


@pytest.fixture(scope="module")
def built_house(module_database: None) -> dict[str, Any]:
    """Build the round in play once for all tests of a module."""
    return build_house()


@pytest.fixture
def house(built_house: dict[str, Any], client: Client) -> dict[str, Any]:
    """Return the round in play, with a client that has every permission."""
    client.force_login(built_house["user"])
    return copy.deepcopy(built_house)


def _data(event: Event) -> list[str]:
    people = event.entrants.select_related("person", "club")
    clubs = {each.club.name for each in people if each.club}
    return [event.name, *clubs, *(each.person.name for each in people)]


def addresses(house: dict[str, Any]) -> list[str]:
    """Return every readable page, with the ids of this house."""
    found = []
    for route in routes():
        by_player = route.pattern.startswith("p/")
        values = {
            **house["values"],
            "number": 1,
            "token": house["values"]["player_token"] if by_player else token(house["begun"]),
        }
        names = re.findall(r"<(?:\w+:)?(\w+)>", route.pattern)
        stream = route.pattern.endswith("<slug:slug>/live/")
        if route.verb == "*" and set(names) <= set(values) and not stream:
            pattern = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", route.pattern)
            found.append("/" + pattern.format_map(values))
    slug, second = house["values"]["slug"], house["second_incident"]
    return [
        *found,
        f"/referee/{slug}/incidents/{second}/",
        "/no/such/page/",
        f"/e/{slug}/draw/?by=name",
    ]


@pytest.mark.guide("players#for-players-and-their-families")
@pytest.mark.long
@pytest.mark.django_db
def test_no_page_speaks_english_to_french_or_dutch_readers(
    house: dict[str, Any], client: Client
) -> None:
    """Neither sources of the catalogues nor unknown words, which would be the same in all three languages."""
    read_, wrong = 0, []
    for where in addresses(house):
        said: dict[str, set[str]] = {}
        for language in ("en", *TRANSLATED):
            answer = client.get(where, headers={"accept-language": language})
            kind = answer.headers.get("content-type", "")
            if answer.status_code in (200, 404) and kind.startswith("text/html"):
                said[language] = said_by(answer.content.decode())
        if len(said) < 3:
            continue
        read_ += 1
        for language in TRANSLATED:
            wrong += [f"{where} {language}: {t}" for t in english_left(said[language], language)]
        for text in said["en"] & said["fr"] & said["nl"]:
            # An address on the system page; the anchor of a journal.
            if re.fullmatch(r"/[\w<>:./-]*|(\d+\.)+[0-9a-f]{16}", text):
                continue
            left = CITED.sub("", text)
            for name in house["names"]:
                left = left.replace(name, "")
            if len(re.findall(r"[^\W\d_]{3,}", left)) > 1:
                wrong.append(f"{where} in no catalog: {text}")
    assert sorted(set(wrong)) == []
    assert read_ > 30


@pytest.mark.long
@pytest.mark.django_db
@pytest.mark.parametrize("language", TRANSLATED)
@pytest.mark.parametrize("depth", ["points", "tricks", "list", "cards"])
def test_the_table_speaks_the_readers_language_in_every_rulebook(
    client: Client, language: str, depth: str
) -> None:
    wrong = []
    for rulebook in sorted(RULEBOOKS):
        options = {"stakes": [8, 6, 4, 2, 1]} if rulebook == "auction-1" else {}
        sheet = a_sheet(rulebook, options=options, depth=depth)
        where = reverse("table", args=[token(sheet)])
        answer = client.get(where, headers={"accept-language": language})
        wrong += [
            f"{rulebook}: {text}"
            for text in english_left(said_by(answer.content.decode()), language)
        ]
        empty = client.post(where, {"verb": "deal"}, headers={"accept-language": language})
        wrong += [
            f"{rulebook} refusal: {text}"
            for text in english_left(said_by(empty.content.decode()), language)
        ]
    assert wrong == []


@pytest.mark.django_db
def test_a_browser_that_wishes_dutch_is_answered_in_dutch(client: Client) -> None:
    answer = client.get("/", headers={"accept-language": "nl-BE,nl;q=0.9,en;q=0.5"})
    assert answer.headers["content-language"] == "nl"
    page = answer.content.decode()
    assert '<html lang="nl"' in page
    assert "Kaartingen" in page
    assert "Accept-Language" in answer.headers["vary"]


@pytest.mark.django_db
def test_a_language_that_the_house_does_not_speak_gives_english(client: Client) -> None:
    answer = client.get("/", headers={"accept-language": "de-DE,de"})
    assert answer.headers["content-language"] == "en"


@pytest.mark.guide("players#for-players-and-their-families")
@pytest.mark.django_db
def test_the_switch_is_kept_and_beats_the_browsers_wish(client: Client) -> None:
    posted = client.post("/language/", {"language": "fr", "next": "/"})
    assert posted.status_code == 302
    answer = client.get("/", headers={"accept-language": "nl"})
    assert answer.headers["content-language"] == "fr"
    client.post("/language/", {"language": "nl", "next": "/"})
    assert client.get("/").headers["content-language"] == "nl"


@pytest.mark.django_db
def test_the_switch_leads_to_no_foreign_place(client: Client) -> None:
    posted = client.post("/language/", {"language": "fr", "next": "https://example.org/"})
    assert "example.org" not in posted.headers["location"]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("language", "month"), [("en", "November"), ("fr", "novembre"), ("nl", "november")]
)
def test_dates_are_written_in_the_readers_language(
    house: dict[str, Any], client: Client, language: str, month: str
) -> None:
    """The event is on 21 November 2026."""
    page = client.get(f"/e/{house['event'].slug}/", headers={"accept-language": language})
    assert re.search(rf"\b{month}\W", page.content.decode())


@pytest.mark.parametrize(
    ("language", "said"), [("en", "1,234.5"), ("fr", "1\u202f234,5"), ("nl", "1.234,5")]
)
def test_numbers_are_written_in_the_readers_language(language: str, said: str) -> None:
    from django.utils.formats import number_format

    with translation.override(language):
        assert (
            number_format("1234.5", use_l10n=True, force_grouping=True).replace("\xa0", "\u202f")
            == said
        )


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("language", "said"),
    [("fr", "ne peut avoir 99 points"), ("nl", "kan geen 99 kaartpunten hebben")],
)
def test_the_engines_refusals_reach_the_table_in_its_language(
    client: Client, language: str, said: str
) -> None:
    sheet = a_sheet()
    where = reverse("table", args=[token(sheet)])
    posted = {
        "verb": "deal",
        "trump": "H",
        "doubling": "0",
        "side": "NS",
        "points": "99",
        "declarer": "NS",
        "version": sheet.version,
    }
    answer = client.post(where, posted, headers={"accept-language": language})
    assert said in answer.content.decode()
