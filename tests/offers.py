"""The links of a page, and its forms as a browser would send them unchanged."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Final
from urllib.parse import urljoin

FETCHED: Final = ("data-live-src", "data-state", "data-page")
"""Elements that a page fetches by itself."""


@dataclass
class Form:
    """A form: its address, its method, its unchanged fields, and its buttons."""

    where: str
    post: bool
    fields: list[tuple[str, str]] = field(default_factory=list)
    buttons: list[tuple[str, str, str]] = field(default_factory=list)

    def presses(self) -> Iterator[tuple[str, list[tuple[str, str]]]]:
        """Yield the address and fields that each button sends; a form without buttons is sent as it is."""
        for where, name, value in self.buttons or [("", "", "")]:
            yield where or self.where, self.fields + ([(name, value)] if name else [])


class Offers(HTMLParser):
    """The links and forms of a page that a reader can use."""

    def __init__(self, page: str, text: str) -> None:
        super().__init__()
        self.page, self.links, self.forms = page, list[str](), dict[str, Form]()
        self.form: Form | None = None
        self.select = self.select_form = ""
        self.option: str | None = None
        self.named: list[tuple[str, dict[str, str]]] = []
        self.feed(text)
        self.close()
        for of, given in self.named:
            if of in self.forms:
                self._put(self.forms[of], given.pop("tag"), given)

    def _put(self, form: Form, tag: str, given: dict[str, str]) -> None:
        kind, name = given.get("type", ""), given.get("name", "")
        if "disabled" in given:
            return
        if tag == "button" or kind == "submit":
            if kind in ("", "submit"):
                where = given.get("formaction", "")
                form.buttons.append(
                    (urljoin(self.page, where) if where else "", name, given.get("value", ""))
                )
        elif name and (kind not in ("checkbox", "radio") or "checked" in given):
            form.fields.append((name, given.get("value", "")))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        fetched = [given[name] for name in FETCHED if given.get(name, "").startswith("/")]
        self.links += [urljoin(self.page, where) for where in fetched]
        if tag in ("a", "area") and "href" in given:
            self.links.append(urljoin(self.page, given["href"]))
        elif tag in ("img", "iframe") and "src" in given:
            self.links.append(urljoin(self.page, given["src"]))
        elif tag == "link" and given.get("rel") == "manifest":
            self.links.append(urljoin(self.page, given["href"]))
        elif tag == "form":
            self.form = Form(
                urljoin(self.page, given.get("action") or self.page),
                given.get("method", "get").lower() == "post",
            )
            self.forms[given.get("id") or f"#{len(self.forms)}"] = self.form
        elif tag in ("input", "textarea", "button"):
            if "form" in given:
                self.named.append((given["form"], {**given, "tag": tag}))
            elif self.form is not None:
                self._put(self.form, tag, given)
        elif tag == "select" and self.form is not None:
            self.select, self.option = given.get("name", ""), None
        elif tag == "option" and self.select and (self.option is None or "selected" in given):
            self.option = given.get("value", "")

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.form = None
        elif tag == "select":
            if self.form is not None and self.select and self.option is not None:
                self.form.fields.append((self.select, self.option))
            self.select = ""
