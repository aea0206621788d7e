"""Every form of every page, filled in wrongly: never a 5xx, never a partial write.

The forms are read from the pages themselves (as the administrator, the table and the player see them), so that a new
form is tested without being named here; a route that accepts a POST and shows no form is posted to as well. One or more
fields of a form get an improper value.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any, Final
from urllib.parse import urljoin

import pytest
from django.core.cache import cache
from django.test import Client
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from accounts.models import Role
from tests.security.hall import Hall
from tests.security.state import Trial
from tests.security.test_headers import pages_of

pytestmark = [pytest.mark.long, pytest.mark.django_db]
POSTS: Final = 300
QUERIES: Final = 150
LEAVES: Final = ("/logout/", "/language/", "/login/")
TEXT: Final = st.one_of(
    st.sampled_from(
        [
            "",
            "\x00",
            "-1",
            "0",
            "1",
            "9" * 30,
            "1e400",
            "NaN",
            "٣",
            "=1+1",
            "a" * 70_000,
            "on",
            "2026-13-40",
            "10:99",
            "../..",
            "{}",
            "[1]",
            "N",
            "NS",
            "\u202e",
            "\ud7ff",
            "10H 9H",
            "½",
        ]
    ),
    st.text(max_size=30),
    st.integers().map(str),
)


@dataclass
class Form:
    """A form as a browser would send it unchanged."""

    where: str
    fields: dict[str, list[str]] = field(default_factory=dict)


class Forms(HTMLParser):
    """The POST forms of a page with their initial values."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.page, self.found, self.select = page, [], ""
        self.form: Form | None = None

    def _put(self, name: str, value: str) -> None:
        if self.form is not None and name and name != "csrfmiddlewaretoken":
            self.form.fields.setdefault(name, []).append(value)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            where = urljoin(self.page, given.get("action") or self.page)
            self.form = Form(where) if given.get("method", "").lower() == "post" else None
            if self.form is not None:
                self.found.append(self.form)
        elif tag in ("input", "textarea", "button"):
            self._put(given.get("name", ""), given.get("value", ""))
        elif tag == "select":
            self.select = given.get("name", "")
        elif tag == "option" and self.select:
            self._put(self.select, given.get("value", ""))

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.form = None
        elif tag == "select":
            self.select = ""


def forms_of(hall: Hall, client: Client) -> list[Form]:
    """Return every form on every page of the hall, each address and set of fields once."""
    seen: dict[tuple[str, tuple[str, ...]], Form] = {}
    for route, where in pages_of(hall):
        answer: Any = client.get(where)
        html = answer.headers.get("Content-Type", "").startswith("text/html")
        if html and not answer.streaming and answer.status_code == 200:
            reader = Forms(where)
            reader.feed(answer.content.decode())
            for form in reader.found:
                seen.setdefault((form.where.split("?")[0], tuple(sorted(form.fields))), form)
        if answer.status_code == 405 or route.name:
            seen.setdefault((where, ()), Form(where))
    return [form for form in seen.values() if form.where not in LEAVES]


@pytest.fixture(scope="module")
def client(undone_hall: Hall) -> Client:
    """Return a client of the administrator, who may open every page."""
    made = Client(raise_request_exception=True)
    made.force_login(undone_hall.staff[Role.ADMIN])
    return made


@pytest.mark.guide("security#bad-input", "security#security")
def test_no_post_breaks_a_page_or_leaves_half_of_itself(
    undone_hall: Hall, client: Client, told: Callable[[str], None]
) -> None:
    forms, trial, said = forms_of(undone_hall, client), Trial(), Counter[int]()
    with_fields = [form for form in forms if form.fields]
    assert len(with_fields) > 30

    @seed(20261121)
    @settings(
        max_examples=POSTS,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
        print_blob=False,
    )
    @given(data=st.data())
    def every(data: st.DataObject) -> None:
        cache.clear()
        whose = with_fields if data.draw(st.integers(0, 4)) else forms
        form = data.draw(st.sampled_from(whose), label="form")
        sent: dict[str, Any] = {
            name: data.draw(st.sampled_from(values)) for name, values in form.fields.items()
        }
        for name in data.draw(st.lists(st.sampled_from(sorted(sent)), max_size=3)) if sent else []:
            if data.draw(st.integers(0, 4)) == 0:
                sent.pop(name, None)
            else:
                sent[name] = data.draw(TEXT, label=name)
        if data.draw(st.integers(0, 9)) == 0:
            sent[data.draw(st.text(min_size=1, max_size=8))] = data.draw(TEXT)
        with trial.undone():
            answer = client.post(form.where, sent)
            changed = trial.changed() if answer.status_code >= 400 else []
        said[answer.status_code] += 1
        assert answer.status_code < 500, form.where
        assert changed == [], form.where

    every()
    told(f"posts: {said.total()} to {len(forms)} forms {dict(sorted(said.items()))}")


@pytest.mark.guide("security#bad-input")
def test_no_question_in_an_address_breaks_a_page(
    undone_hall: Hall, client: Client, told: Callable[[str], None]
) -> None:
    addresses, said = [where for _route, where in pages_of(undone_hall)], Counter[int]()
    names = st.sampled_from(
        [
            "q",
            "page",
            "stage",
            "round",
            "number",
            "who",
            "part",
            "sheet",
            "next",
            "article",
            "state",
            "deal",
            "language",
            "table",
            "file",
            "seen",
            "me",
            "at",
            "v",
        ]
    )

    @seed(20261121)
    @settings(
        max_examples=QUERIES,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
        print_blob=False,
    )
    @given(where=st.sampled_from(addresses), asked=st.dictionaries(names, TEXT, max_size=3))
    def every(where: str, asked: dict[str, str]) -> None:
        cache.clear()
        short = {name: value[:2000] for name, value in asked.items()}
        answer = client.get(where, short)
        said[answer.status_code] += 1
        assert answer.status_code < 500, (where, asked)

    every()
    told(f"questions: {said.total()} to {len(addresses)} pages {dict(sorted(said.items()))}")
