"""Names of people on every page: never translated by a browser, their direction their own."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from django.test import Client

from tests.offers import Offers
from tests.tournament.build import SYSTEM, chance, grant, make_event, make_user
from tournament.demo.simulation import advance, draw_and_publish, play_round
from tournament.models import Person, Round
from tournament.services.events import update_event
from tournament.services.members import add_member
from tournament.services.registrations import register
from tournament.tables.links import entrant_token, table_token

pytestmark = pytest.mark.django_db
VOID = {
    "input",
    "br",
    "img",
    "meta",
    "link",
    "hr",
    "wbr",
    "source",
    "path",
    "use",
    "rect",
    "circle",
    "line",
}
TEXT_ONLY = {"title", "option", "script", "style", "textarea", "text", "desc"}
"""Elements that hold no markup."""
MOST = 250


class Names(HTMLParser):
    """The texts of a page that name a person outside an element that keeps names."""

    def __init__(self, page: str, names: set[str]) -> None:
        super().__init__()
        self.names, self.within, self.bare = names, list[tuple[str, bool]](), list[str]()
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.bare += [f"{tag} {name}" for name, value in attrs if "<bdi" in (value or "")]
        if tag not in VOID:
            self.within.append((tag, dict(attrs).get("translate") == "no" or tag in TEXT_ONLY))

    def handle_endtag(self, tag: str) -> None:
        while self.within and any(each == tag for each, _kept in self.within):
            if self.within.pop()[0] == tag:
                break

    def handle_data(self, data: str) -> None:
        if not any(kept for _tag, kept in self.within):
            self.bare += [data.strip() for name in self.names if name in data]


@pytest.mark.long
def test_names_stay_as_they_are_on_every_page(client: Client) -> None:
    event = make_event(16, deals=1, cut=8, slug="hall")
    luck = chance()
    advance(event, luck)
    second = Round.objects.get(stage__event=event, stage__order=1, number=2)
    play_round(draw_and_publish(second, SYSTEM), luck, share=0.5)
    user = make_user("director", event, "director")
    for role in ("referee", "chief_referee"):
        grant(user, role, event.pk)
    grant(user, "admin")
    client.force_login(user)
    add_member(actor=SYSTEM, values={"name": "Wouter Inschrijver"})
    update_event(event_id=event.pk, changes={"registration": True}, actor=SYSTEM)
    register(event_id=event.pk, name="Rita Aanmelder")
    names = {*Person.objects.values_list("name", flat=True), "Wouter Inschrijver", "Rita Aanmelder"}
    assert len(names) == 18
    entrant = event.entrants.get(number=1)
    waiting = [
        "/e/hall/",
        "/e/hall/players/",
        "/desk/hall/",
        "/desk/members/",
        "/desk/hall/registrations/",
        "/desk/hall/members/",
        "/desk/hall/draw/",
        "/referee/hall/",
        "/e/hall/wall/",
        f"/p/{entrant_token(entrant)}/",
        *(f"/t/{table_token(table)}/" for table in second.tables.all()[:2]),
    ]
    seen: set[str] = set()
    shapes: dict[str, int] = {}
    bare: dict[str, str] = {}
    named = 0
    while waiting and len(seen) < MOST:
        page = waiting.pop(0)
        if page in seen:
            continue
        seen.add(page)
        answer = client.get(page)
        if answer.status_code != 200 or not answer.headers["Content-Type"].startswith("text/html"):
            continue
        text = answer.content.decode()
        named += any(name in text for name in names)
        for found in Names(text, names).bare:
            bare.setdefault(found, page)
        for link in Offers(page, text).links:
            path = link.partition("#")[0]
            if not path.startswith("/") or path.startswith(("//", "/static", "/api", "/logout")):
                continue
            shape = "".join(sign for sign in path if not sign.isdigit())[:40]
            shapes[shape] = shapes.get(shape, 0) + 1
            if shapes[shape] <= 2:
                waiting.append(path)
    assert named > 15
    assert "\n".join(sorted(bare)) == ""
