"""Every address that opens without signing in, of an event in which every article on conduct was ruled (C.8).

Before its time no page, program, file or proof contains the offence or names its offender.
"""

from __future__ import annotations

import re
from itertools import product
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from adjudication.models import Ruling
from adjudication.penal import Article, FactType
from adjudication.queries.codes import code_of
from adjudication.services import rulings
from ledger.errors import Refused
from scoring.engine.articles import OF_PERSONS
from tests.adjudication.build import (
    REFEREE,
    SECOND,
    SYSTEM,
    as_chiefs,
    enter,
    event_in_play,
    incident_at,
    sheet_at,
    sign,
    stating,
)
from tests.adjudication.test_audience import WHY, addresses, words_of
from tests.tournament.build import chance
from tournament.demo.simulation import draw_and_publish, play_round
from tournament.models import Event, Round
from tournament.services import rounds
from tournament.services.events import new_stage, update_event

pytestmark = pytest.mark.django_db
FORMATS = {
    "individual_draw": "parlee",
    "pairs_swiss": "muette",
    "ko": "coinchee",
    "pools_ko": "belgian",
    "round_robin": "boussac",
}
CONFIRMED = ["again", "no_show_signed", "dealer", "offender", "turned_up"]
MEASURES = {"forfeit", "Forfeit", "forfait", "Forfait", "disqualif", "diskwalif"}


def ways(article: Article) -> list[dict[str, Any]]:
    """Return every combination of the choices of an article's facts, with North or the pair as offender."""
    values: list[list[Any]] = []
    for fact in article.facts:
        if fact.choices:
            values.append([choice for choice, *_text in fact.choices])
        elif fact.type is FactType.BOOL:
            values.append([True])
        elif fact.type is FactType.SEAT:
            values.append(["N"])
        else:
            low, high = fact.minimum or 0, fact.maximum or 40
            values.append([low, min(high, 20)])
    names = [fact.name for fact in article.facts]
    return [dict(zip(names, each, strict=True)) for each in product(*values)]


def rule_everything(event: Event, round_: Round) -> list[Ruling]:
    """Rule by every article on conduct, in every way that its facts allow, in turn at the two tables."""
    made: list[Ruling] = []
    for article in code_of(event).articles:
        if article.id not in OF_PERSONS:
            continue
        before = len(made)
        for at, facts in enumerate(ways(article)):
            deal = 1 if article.within_deal else None
            try:
                ruling = stating(
                    rulings.issue,
                    incident_id=incident_at(event, round_, table=1 + at % 2, deal=deal).pk,
                    article=article.id,
                    facts=facts,
                    actor=REFEREE,
                    second=SECOND,
                    reason=WHY,
                    against_record=CONFIRMED,
                )
            except Refused:
                continue
            made.append(ruling)
        assert len(made) > before, article.id
    return made


def pages(client: Client, event: Event, language: str) -> dict[str, str]:
    """Return the text of every public address."""
    cache.clear()
    found = {}
    for path in sorted(addresses(event, {"p": [], "t": []}) - {"/api/v1/"}):
        answer = client.get(path, headers={"accept-language": language}, follow=True)
        text = "" if answer.streaming else answer.content.decode(errors="replace")
        found[path] = text.replace('"forfeited":""', "")
    assert len(found) > 40
    return found


def found_in(shown: dict[str, str], words: set[str]) -> set[str]:
    return {f"{path} {word}" for path, text in shown.items() for word in words if word in text}


@pytest.mark.parametrize("format", FORMATS)
def test_nothing_of_an_offence_is_reached_before_its_time(client: Client, format: str) -> None:
    stage = new_stage("Stage", format, 2, games_per_round=1, deals_per_game=2)
    event, round_ = event_in_play(FORMATS[format], plan=[stage])
    as_chiefs(event, REFEREE, SECOND)
    for sheet in (sheet_at(round_, 1), sheet_at(round_, 2)):
        sign(enter(sheet, 40, 30))
    made = rule_everything(event, round_)
    words = words_of({ruling.article for ruling in made}) | MEASURES
    assert found_in(pages(client, event, "fr"), words) == set(), "provisional"
    play_round(round_, chance())
    rounds.close_round(round_id=round_.pk, actor=SYSTEM, forfeits=True)
    draw_and_publish(event.stages.get().rounds.get(number=2), SYSTEM)
    assert found_in(pages(client, event, "nl"), words) == set(), "and the next round is drawn"
    for ruling in made:
        rulings.finalise(ruling_id=ruling.pk, actor=SECOND)
    assert found_in(pages(client, event, "en"), words) == set(), "final"


QUIET: list[tuple[str, dict[str, Any]]] = [
    ("T-COMM", {"offender": "N"}),
    ("T-SLOW", {"offender": "E", "what": "slow"}),
    ("T-LATE", {"offender": "S", "minutes": 4}),
    ("T-PHONE", {"offender": "W"}),
    ("T-SPEC", {}),
    ("GEN-DISC", {"offender": "N", "measure": "warning"}),
]
"""Offences whose first time costs no marks."""


def test_an_offence_that_marks_nothing_changes_no_public_page(client: Client) -> None:
    stage = new_stage("Stage", "individual_draw", 2, games_per_round=1, deals_per_game=2)
    event, round_ = event_in_play("parlee", plan=[stage])
    as_chiefs(event, REFEREE, SECOND)
    for sheet in (sheet_at(round_, 1), sheet_at(round_, 2)):
        sign(enter(sheet, 40, 30))
    # Counters of changes, the same for all readers, and the anchor of the record.
    moving = r'data-live-version="\d+"|"version": ?\d+|\b\d+\.\d+\.[0-9a-f]{16,}|token" value="\w+"'
    counters = ("/anchors.json", "/live/", "/version/")

    def still() -> dict[str, str]:
        shown = pages(client, event, "en")
        return {
            path: re.sub(moving, "", text)
            for path, text in shown.items()
            if not path.endswith(counters)
        }

    before = still()
    for article, facts in QUIET:
        stating(
            rulings.issue,
            incident_id=incident_at(event, round_, deal=None).pk,
            article=article,
            facts=facts,
            actor=REFEREE,
            reason=WHY,
            against_record=CONFIRMED,
        )
    after = still()
    assert {path for path in before if before[path] != after.get(path)} == set()


@pytest.mark.guide("referee#issue-the-ruling")
def test_who_forfeited_is_named_once_the_offence_is_public(client: Client) -> None:
    stage = new_stage("Stage", "pairs_swiss", 2, games_per_round=1, deals_per_game=2)
    event, round_ = event_in_play("muette", plan=[stage])
    as_chiefs(event, REFEREE, SECOND)
    sheet = sign(enter(sheet_at(round_), 40, 30))
    ruling = stating(
        rulings.issue,
        incident_id=incident_at(event, round_, deal=None).pk,
        article="T-ABS",
        facts={"offender": "N", "what": "withdrawal"},
        actor=REFEREE,
        against_record=CONFIRMED,
    )
    gone = str(event.entrants.get(pk=sheet.seats["N"]).number)

    def named() -> dict[str, str]:
        rows = client.get(f"/api/v1/events/{event.slug}/results/").json()["rows"]
        return {row["numbers"]: row["forfeited"] for row in rows}

    assert named()[gone] == ""
    rulings.finalise(ruling_id=ruling.pk, actor=SECOND)
    assert named()[gone] == "", "an event publishes no offence of conduct by default"
    update_event(event_id=event.pk, actor=SYSTEM, changes={"publish_conduct": True})
    assert named()[gone] == gone
