"""Every template keeps to the content security policy, and the gallery shows every component in three languages."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import translation

from accounts.views.looks import looks, set_looks
from tools.gallery import gallery

TEMPLATES = Path(__file__).parents[2] / "templates"
FILES = sorted(TEMPLATES.rglob("*.html"))
COMMENT = re.compile(r"{%\s*comment.*?endcomment\s*%}", re.DOTALL)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(TEMPLATES)))
def test_nothing_inline(path: Path) -> None:
    text = COMMENT.sub("", path.read_text(encoding="utf-8"))
    assert not re.search(r"\sstyle\s*=", text), "inline style"
    assert not re.search(r"<style\b", text), "inline style sheet"
    assert not re.search(r"\son[a-z]+\s*=\s*[\"']", text), "inline handler"
    assert not re.search(r"<script(?![^>]*\bsrc=)[^>]*>", text), "inline script"
    assert not re.search(r"(?:src|href)=[\"']https?://", text), "a foreign address"


SUBMIT = re.compile(r"<button\b(?![^>]*\btype=\"button\")[^>]*>")
FORM = re.compile(r"<form\b.*?</form>", re.DOTALL)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(TEMPLATES)))
def test_enter_presses_the_main_button_of_a_form(path: Path) -> None:
    """A form's first submit button is its default button (HTML, 4.10.21.2 Implicit submission)."""
    text = path.read_text(encoding="utf-8")
    default = '{% include "parts/form/default_submit.html" %}'
    text = COMMENT.sub("", text.replace(default, "<button data-default>"))
    for form in FORM.findall(text):
        buttons = SUBMIT.findall(form)
        if len(buttons) < 2 or "data-default" in buttons[0] or 'name="look"' in buttons[0]:
            continue
        assert 'name="sure"' not in buttons[0], "Enter answers a question"
        assert "button--danger" not in buttons[0], "Enter destroys"
        main = [button for button in buttons if 'class="button"' in button or "--big" in button]
        assert not main or buttons[0] in main, "Enter presses a button beside the main one"


class _Reader(HTMLParser):
    """Collects ids, references between elements, and images without a text."""

    def __init__(self) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.labels: list[str] = []
        self.mute_images = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        if found.get("id"):
            self.ids.append(str(found["id"]))
        if tag == "label" and found.get("for"):
            self.labels.append(str(found["for"]))
        if tag == "img" and "alt" not in found:
            self.mute_images += 1


def _page(query: str, language: str) -> str:
    request = RequestFactory().get(f"/gallery?{query}")
    with translation.override(language):
        return gallery(request).content.decode()


@pytest.mark.parametrize("language", ["en", "fr", "nl"])
@pytest.mark.parametrize("query", ["", "wall", "wall=clock", "wall=draw", "wall=rulings"])
def test_gallery_renders(query: str, language: str) -> None:
    html = _page(query, language)
    reader = _Reader()
    reader.feed(html)
    assert f'<html lang="{language}"' in html
    assert reader.mute_images == 0
    assert [name for name in reader.labels if name not in reader.ids] == []


def test_gallery_shows_each_component() -> None:
    html = _page("", "en")
    css = (Path(__file__).parents[2] / "static/css/app.css").read_text(encoding="utf-8")
    shown = set(re.findall(r"[\w-]+", " ".join(re.findall(r'class="([^"]*)"', html))))
    chips = set(re.findall(r"\.(chip--[a-z]+)", css)) - {"chip--plain"}
    notices = set(re.findall(r"\.(notice--[a-z]+)", css))
    states = {f"state--{kind}" for kind in ("empty", "loading", "offline", "error", "finished")}
    assert chips | notices | states <= shown


def test_looks_are_kept_and_forgotten() -> None:
    post = RequestFactory().post
    kept = set_looks(post("/looks", {"theme": "dark", "next": "/e/x"}))
    assert kept.status_code == 302
    assert kept["Location"] == "/e/x"
    assert kept.cookies["theme"].value == "dark"
    assert "suits" not in kept.cookies
    forgotten = set_looks(post("/looks", {"theme": "auto", "suits": "four"}))
    assert forgotten.cookies["theme"]["max-age"] == 0
    assert forgotten.cookies["suits"].value == "four"


@pytest.mark.parametrize(
    "address", ["https://evil.example/", "//evil.example", "javascript:alert(1)", ""]
)
def test_looks_never_lead_elsewhere(address: str) -> None:
    assert (
        set_looks(RequestFactory().post("/looks", {"theme": "dark", "next": address}))["Location"]
        == "/"
    )


def test_looks_are_only_set_by_post() -> None:
    assert set_looks(RequestFactory().get("/looks")).status_code == 405


def test_a_damaged_cookie_is_no_choice() -> None:
    request = RequestFactory().get("/")
    request.COOKIES.update(theme='"><script>', suits="four")
    assert looks(request) == {"theme": "", "suits": "four"}


@pytest.mark.parametrize(
    ("address", "field", "value", "cookie"),
    [
        ("set_language", "language", "nl", "django_language"),
        ("set_looks", "theme", "dark", "theme"),
    ],
)
def test_choices_need_no_token(address: str, field: str, value: str, cookie: str) -> None:
    """The forms have no CSRF token, so that public pages have the same bytes for every visitor."""
    answer = Client(enforce_csrf_checks=True).post(reverse(address), {field: value, "next": "/"})
    assert answer.status_code == 302
    assert answer.cookies[cookie].value == value


@pytest.mark.django_db
@pytest.mark.parametrize("language", ["fr", "nl", "en"])
def test_each_language_is_called_as_its_speakers_call_it(client: Client, language: str) -> None:
    page = client.get("/", headers={"accept-language": language}).content.decode()
    assert re.findall(r'title="(\w+)"\s+aria-pressed', page) == [
        "Français",
        "Nederlands",
        "English",
    ]
