"""The preview of a ruling in matches of several games: linked games, and a générale (rules C.8, A.2)."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import strip_tags

from adjudication.services import rulings
from tests.adjudication.build import (
    REFEREE,
    SYSTEM,
    enter,
    event_in_play,
    incident_at,
    sheet_at,
    stating,
)
from tests.tournament.build import make_user, varied
from tournament.models import Event
from tournament.services import sheets
from tournament.services.events import championship_plan

pytestmark = pytest.mark.django_db


def playing(rulebook: str, target: Any) -> tuple[Event, Any]:
    """Create an event of one stage whose games are played to ``target``."""
    stage = varied(championship_plan(deals=2, cut=4)[0], deals_per_game=None, target=target, cut={})
    event, round_ = event_in_play(rulebook, plan=[stage])
    return event, round_


def preview(client: Client, event: Event, **facts: str) -> Any:
    """Request the page of the first incident with the preview of a ruling."""
    client.force_login(make_user("arbitre", event, "referee"))
    address = reverse("referee-incident", args=[event.slug, 1])
    form = {f"f-{name}": value for name, value in facts.items() if name != "article"}
    asked = {"article": facts["article"], **form, "f-claimed": "in_time", "preview": "1"}
    return client.get(address, asked)


def test_a_game_of_a_linked_match_changes_hands(client: Client) -> None:
    """001: "partly linked", first to two games of 34; 34 against the side of the revoke."""
    event, round_ = playing("parlee", {"games": 2, "of": 34})
    enter(sheet_at(round_), 68, 68)
    incident_at(event, round_, deal=2)
    page = preview(client, event, article="000-P1", offender="N", trick="3", noticed="after_deal")
    impact = page.context["proposal"].impact
    assert (impact.before.games_shown, impact.before.winner_shown) == (
        [("N-S", 2, 34), ("E-W", 0, 0)],
        "N-S",
    )
    assert (impact.after.games_shown, impact.after.winner_shown) == (
        [("N-S", 1, 0), ("E-W", 1, 0)],
        "still open",
    )
    text = " ".join(strip_tags(page.content.decode()).split())
    assert "Match so far" in text
    for shown in ("N-S 2 (34) · E-W 0 (0)", "N-S 1 (0) · E-W 1 (0)", "still open"):
        assert shown in text
    body = {
        "article": "000-P1",
        "facts": {"offender": "N", "trick": 3, "noticed": "after_deal"},
        "claimed": "in_time",
    }
    address = reverse("api-incident-propose", args=[event.slug, 1])
    told = client.post(address, body, content_type="application/json").json()["impact"]["match"]
    assert told["before"]["games"] == {"NS": 2, "EW": 0}
    assert (told["after"]["games"], told["after"]["winner"]) == ({"NS": 1, "EW": 1}, None)


def test_a_linked_match_that_ends_earlier_names_the_deals_that_drop_out(client: Client) -> None:
    """68, then 26 and 26 win two games of 34 in three deals; with 34 for the second, two deals do."""
    event, round_ = playing("parlee", {"games": 2, "of": 34})
    enter(sheet_at(round_), 68, 60, 60)
    incident = incident_at(event, round_, deal=2)
    facts = {"offender": "E", "trick": "3", "noticed": "after_deal"}
    page = preview(client, event, article="000-P1", **facts)
    assert page.context["proposal"].impact.dropped == [3]
    assert "deal 3 no longer counts" in strip_tags(page.content.decode())
    ruling = stating(
        rulings.issue,
        incident_id=incident.pk,
        article="000-P1",
        facts={**facts, "trick": 3},
        actor=REFEREE,
    )
    shown = client.get(reverse("referee-ruling", args=[event.slug, ruling.number]))
    assert "over before deal 3" in strip_tags(shown.content.decode())


@pytest.mark.parametrize(
    ("offender", "winner"),
    [("N", "still open"), ("E", "N-S")],
)
def test_a_generale_is_lost_by_its_own_side_only(
    client: Client, offender: str, winner: str
) -> None:
    """C.8: "a game or générale it had won stays won" for the side not at fault."""
    event, round_ = playing("chaloupee", 150)
    sheet = sheet_at(round_)
    entry = {
        "dealer": sheet.first_dealer,
        "contract": {"declarer": "NS", "level": "generale", "trump": "H"},
        "tricks": {"NS": 8, "EW": 0},
    }
    sheets.enter_deal(sheet_id=sheet.pk, entry=entry, actor=SYSTEM)
    incident_at(event, round_)
    page = preview(
        client, event, article="002-P1", offender=offender, trick="3", noticed="after_deal"
    )
    impact = page.context["proposal"].impact
    assert impact.before.winner_shown == "N-S"
    assert impact.after.winner_shown == winner
    assert impact.after.finished == (offender == "E")
    # A single game is called "Game", and "so far" only while it is unfinished.
    heads = re.findall(
        r'<th scope="row">\s*(Game|Game so far|Match[^<]*?)\s*</th>', page.content.decode()
    )
    assert heads == ["Game" if offender == "E" else "Game so far"]
