"""Every name that a template reads is provided by its page."""

from __future__ import annotations

import inspect
from typing import Any, NamedTuple

from django import forms
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django.test import RequestFactory

import config.errors
import config.urls
from accounts.models import User
from accounts.pages import Page
from config.context import site
from tournament.models import Event
from tournament.views.frame import Frame, NavItem

from .template_reads import CONSTANTS, ENGINE, OPTIONAL, TEMPLATES, Reading, Scope, fields_of, pages

PAGES = (config.errors, config.urls)
"""Importing these imports every module that declares a page."""
ELSEWHERE: dict[str, Scope] = {
    "accounts/login.html": {"form": forms.Form, "next": str},
    "parts/form/form.html": {"form": forms.Form},
}
"""Templates rendered by Django, with their context."""


def around(here: str = "") -> Scope:
    """Return the names from the context processors and, for an event's page, from its frame."""
    request = RequestFactory().get("/")
    request.user = AnonymousUser()
    given: Scope = {**CONSTANTS, **dict.fromkeys(site(request), str), "csrf_token": str}
    given |= {"request": HttpRequest, "user": User, "perms": Any, "messages": Any}
    if here:
        frame = vars(Frame(request, Event(slug="event"), here))
        given |= dict.fromkeys(frame, Any) | {"event": Event, "nav_items": list[NavItem]}
    return given


def read_all() -> Reading:
    """Read every template as each page renders it."""
    reading = Reading()
    for page in pages():
        for template in (page.template, *page.further):
            reading.show(template, around(page.here) | fields_of(page))
    for template, given in ELSEWHERE.items():
        reading.show(template, around() | given)
    return reading


def test_every_name_that_a_template_reads_is_given() -> None:
    reading = read_all()
    assert sorted(reading.problems) == []
    # No optional name is given by every page, and no template is left out.
    assert sorted(OPTIONAL - reading.used) == []
    whole = {str(path.relative_to(TEMPLATES)) for path in TEMPLATES.rglob("*.*")}
    assert whole == reading.read


def test_every_field_of_a_page_is_read() -> None:
    unread = []
    for page in pages():
        reading = Reading()
        for template in (page.template, *page.further):
            reading.show(template, around(page.here) | fields_of(page))
        own = set(inspect.get_annotations(page)) - reading.names
        unread += [f"{page.__name__}.{name}" for name in sorted(own)]
    assert unread == []


class Seat(NamedTuple):
    """A seat of a table, for the templates below."""

    name: str
    beside: dict[str, list[int]]


class TablePage(Page):
    seats: list[Seat]
    first: Seat | None
    pairs: list[tuple[int, Seat]]


def problems_of(text: str) -> set[str]:
    """Return the names that a template reads and the page of a table does not give."""
    reading = Reading()
    reading.nodes(ENGINE.from_string(text).nodelist, around() | fields_of(TablePage))
    return {name for _template, name in reading.problems}


def test_a_misspelt_name_is_found_wherever_it_stands() -> None:
    assert problems_of("{{ first.name }}{% for s in seats %}{{ s.name }}{% endfor %}") == set()
    assert problems_of("{{ frist }}") == {"frist"}
    assert problems_of("{% if first.nam %}{% elif seat %}{% endif %}") == {"first.nam", "seat"}
    assert problems_of("{% for s in seats %}{{ s.nam }}{% endfor %}{{ s }}") == {"s.nam", "s"}
    assert problems_of("{% for n, s in pairs %}{{ n }}{{ s.nam }}{% endfor %}") == {"s.nam"}
    assert problems_of("{{ seats.0.nam }}{{ pairs.0.1.nam }}") == {"seats.0.nam", "pairs.0.1.nam"}
    assert problems_of("{% for k, v in first.beside.items %}{{ v.0.x }}{% endfor %}") == {"v.0.x"}
    assert problems_of("{% with a=first.nam %}{{ a }}{% endwith %}{{ a }}") == {"first.nam", "a"}
    assert problems_of("{{ first|default:other }}") == {"other"}
    assert problems_of("{% blocktranslate with a=b %}{{ a }}{{ c }}{% endblocktranslate %}") == {
        "b",
        "c",
    }
    assert problems_of("{% url 'desk' nobody as to %}{{ to }}{% hidden x=nothing %}") == {
        "nobody",
        "nothing",
    }


def test_a_part_is_read_with_what_it_is_given() -> None:
    part = "parts/page/key_values.html"
    assert problems_of(f'{{% include "{part}" with items=pairs %}}') == {"item.label", "item.value"}
    assert problems_of(f'{{% include "{part}" %}}') == {"items"}
