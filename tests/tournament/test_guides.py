"""The service's guides: in the reader's language, with the words of the pages, two pages on paper."""

from __future__ import annotations

import io
import re
from datetime import UTC, datetime

import pytest
from django.test import Client
from django.urls import reverse
from pypdf import PdfReader

from scoring.engine.rulebook import RULEBOOKS, resolve
from tests.adjudication.build import event_in_play, sheet_at
from tests.catalogs import ROOT, TRANSLATED, texts_of_templates
from tests.tables.build import token
from tests.tournament.build import make_user
from tests.tournament.documents.reading import page_texts
from tournament.documents.guides import BUTTONS, GUIDES
from tournament.documents.imprint import Imprint
from tournament.documents.rules_card import rules_card_pdf, rules_of


def test_each_button_that_a_guide_names_is_a_text_of_the_pages() -> None:
    known = {text for _template, text in texts_of_templates()}
    assert {(each.context or None, each.msgid) for each in BUTTONS.values()} <= known
    steps = [step for guide in GUIDES.values() for part in guide.parts for step in part.steps]
    used = {name for step in steps for name, _value in step.values}
    assert used == set(BUTTONS)
    for step in steps:
        for language in ("en", *TRANSLATED):
            assert not re.search(r"[{}]", step.render(language))


def test_end_of_an_event_is_told_in_its_order() -> None:
    """Final standings reveal hidden rounds; finishing an event prints nothing."""
    (end,) = (part for part in GUIDES["director"].parts if part.key == "end")
    buttons = [name for step in end.steps for name, _value in step.values]
    assert buttons == ["reveal", "final", "diplomas", "prizes", "finish"]


@pytest.mark.django_db
@pytest.mark.parametrize("language", ["en", *TRANSLATED])
@pytest.mark.parametrize("name", sorted(GUIDES))
def test_a_guide_is_read_and_printed_in_the_readers_language(
    client: Client, name: str, language: str
) -> None:
    wish = {"accept-language": language}
    guide = GUIDES[name]
    assert f'href="/help/{name}/"' in client.get("/help/", headers=wish).content.decode()
    page = client.get(f"/help/{name}/", headers=wish).content.decode()
    paper = client.get(f"/help/{name}.pdf", headers=wish)
    assert paper.headers["content-type"] == "application/pdf"
    pages = page_texts(paper.content)
    assert len(pages) <= 2
    drawn = [
        picture for each in PdfReader(io.BytesIO(paper.content)).pages for picture in each.images
    ]
    assert len(drawn) == page.count('class="guide__picture"') == len(guide.parts)
    for part in guide.parts:
        assert f'<h2 id="{part.key}">{part.title.render(language)}</h2>' in page
        assert part.title.render(language).split()[-1] in " ".join(pages)
        for step in part.steps:
            assert step.render(language) in page
            assert language == "en" or step.render(language) != step.render("en")


@pytest.mark.parametrize("key", sorted(RULEBOOKS))
def test_a_rules_card_is_one_page_in_three_languages(key: str) -> None:
    game = resolve(key)
    imprint = Imprint("Club", "nl", datetime(2026, 11, 21, tzinfo=UTC), "ab" * 32, None)
    (page,) = page_texts(rules_card_pdf(game, imprint))
    words = set(re.findall(r"[\w’]+", page))
    for section in rules_of(game):
        for line in (section.title, *section.lines):
            for language in ("en", *TRANSLATED):
                said = line.render(language)
                assert set(re.findall(r"[\w’]+", said)) <= words, said


@pytest.mark.django_db
def test_rules_cards_are_found_where_rules_are_read(client: Client) -> None:
    assert 'href="/rules/parlee.pdf"' in client.get("/help/").content.decode()
    assert client.get("/rules/parlee.pdf").headers["content-type"] == "application/pdf"
    assert client.get("/rules/whist.pdf").status_code == 404
    event, round_ = event_in_play()
    card = f"/e/{event.slug}/rules.pdf"
    assert f'href="{card}"' in client.get(f"/e/{event.slug}/").content.decode()
    assert client.get(card).headers["content-type"] == "application/pdf"
    table = client.get(reverse("table", args=[token(sheet_at(round_))]))
    assert f'href="{card}"' in table.content.decode()
    client.force_login(make_user("director", event, "director"))
    for page in ("documents", "rules"):
        assert f'href="{card}"' in client.get(f"/desk/{event.slug}/{page}/").content.decode()


@pytest.mark.django_db
def test_an_events_card_says_what_the_event_has_set() -> None:
    card = rules_of(resolve("muette", {"penalty_value": 20, "direction": "CCW"}))
    said = " ".join(line.render("en") for section in card for line in section.lines)
    assert "the opponents score 20" in said
    assert "counter-clockwise" in said


@pytest.mark.django_db
def test_there_is_no_other_guide(client: Client) -> None:
    assert client.get("/help/nothing/").status_code == 404
    assert client.get("/help/nothing.pdf").status_code == 404


@pytest.mark.django_db
def test_the_first_page_leads_to_the_guides(client: Client) -> None:
    assert 'href="/help/"' in client.get("/").content.decode()


def test_each_link_to_a_guide_leads_to_one_of_its_tasks() -> None:
    there = {f"{guide.name}#{part.key}" for guide in GUIDES.values() for part in guide.parts}
    assert len(there) == sum(len(guide.parts) for guide in GUIDES.values())
    by_hand = re.compile(r"\{% url 'guide' '(\w+)' %\}(#\w+)?")
    in_footer = re.compile(r'\{% guide_link "(\w+)" "(\w+)" %\}')
    pages = [page.read_text(encoding="utf-8") for page in (ROOT / "templates").rglob("*.html")]
    led = {"".join(found) for page in pages for found in by_hand.findall(page)}
    led |= {"#".join(found) for page in pages for found in in_footer.findall(page)}
    assert led <= there
    assert {where.split("#")[0] for where in led} == set(GUIDES)
