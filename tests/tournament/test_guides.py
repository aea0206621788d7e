"""The guides that the service hands out: in the reader's language, by the words of the pages, two pages on paper."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from tests.catalogs import TRANSLATED, catalog
from tests.tournament.documents.reading import page_texts
from tournament.documents.guides import BUTTONS, GUIDES


def test_each_button_that_a_guide_names_is_a_text_of_the_pages() -> None:
    known = {entry.text for entry in catalog("fr")}
    assert {(each.context or None, each.msgid) for each in BUTTONS.values()} <= known
    steps = [step for guide in GUIDES.values() for part in guide.parts for step in part.steps]
    used = {name for step in steps for name, _value in step.values}
    assert used == set(BUTTONS)
    for step in steps:
        for language in ("en", *TRANSLATED):
            assert not re.search(r"[{}]", step.render(language))


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
    for part in guide.parts:
        assert part.title.render(language) in page
        assert part.title.render(language).split()[-1] in " ".join(pages)
        for step in part.steps:
            assert step.render(language) in page
            assert language == "en" or step.render(language) != step.render("en")


@pytest.mark.django_db
def test_there_is_no_other_guide(client: Client) -> None:
    assert client.get("/help/nothing/").status_code == 404
    assert client.get("/help/nothing.pdf").status_code == 404


@pytest.mark.django_db
def test_the_first_page_leads_to_the_guides(client: Client) -> None:
    assert 'href="/help/"' in client.get("/").content.decode()
