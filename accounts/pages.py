"""Pages: a template and the typed values that it shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple, dataclass_transform

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.safestring import SafeString


class Crumb(NamedTuple):
    """A step of the way back up; this page has no address."""

    label: str
    url: str = ""


class Labelled(NamedTuple):
    """A value with its label, as ``parts/page/key_values.html`` lists them."""

    label: str
    value: str


@dataclass_transform(frozen_default=True, kw_only_default=True)
class Page:
    """The context of a template; each subclass is a frozen dataclass whose fields are its names.

    ``further``: templates that show some of them, as ``?part=`` asks. ``here``: the item of the
    event's navigation that the page belongs to.
    """

    template: ClassVar[str]
    further: ClassVar[tuple[str, ...]]
    here: ClassVar[str]

    def __init_subclass__(
        cls, template: str = "", further: tuple[str, ...] = (), here: str = ""
    ) -> None:
        cls.template, cls.further, cls.here = template, further, here
        dataclass(frozen=True, kw_only=True)(cls)

    def html(self) -> SafeString:
        """Return the template rendered with these alone."""
        return render_to_string(self.template, vars(self))


def show_page(
    request: HttpRequest, page: Page, *, template: str = "", status: int = 200
) -> HttpResponse:
    """Render a page, or one of its parts."""
    return render(request, template or page.template, vars(page), status=status)
