"""Figures of a season, for the chief referee and the administrator of the organisation."""

from __future__ import annotations

from datetime import date, timedelta

from django import forms
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.access import needs
from accounts.pages import Page, show_page
from adjudication.queries.season import Figures, headings, season, season_csv

from .documents import file_answer

A_SEASON = timedelta(days=365)


class SpanForm(forms.Form):
    """A span of days, by default the last year."""

    since = forms.DateField(
        label=_("From"), widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )
    until = forms.DateField(
        label=_("Until"), widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )

    def clean(self) -> dict[str, date]:
        """Refuse a span that ends before it begins."""
        given: dict[str, date] = super().clean() or {}
        if {"since", "until"} <= given.keys() and given["until"] < given["since"]:
            self.add_error("until", _("The last day is before the first."))
        return given


class SeasonPage(Page, template="referee/season.html"):
    form: SpanForm
    query: str
    headings: list[str]
    rows: list[Figures]
    total: Figures | None


def _span(request: HttpRequest) -> SpanForm:
    today = timezone.localdate()
    usual = {"since": f"{today - A_SEASON:%Y-%m-%d}", "until": f"{today:%Y-%m-%d}"}
    return SpanForm({**usual, **request.GET.dict()})


@needs("season.read")
@never_cache
@require_safe
def season_page(request: HttpRequest) -> HttpResponse:
    """Show the figures of a span of days, by event and in all."""
    form = _span(request)
    valid = form.is_valid()
    rows, total = season(**form.cleaned_data) if valid else ([], None)
    query = (
        "since={since:%Y-%m-%d}&until={until:%Y-%m-%d}".format(**form.cleaned_data) if valid else ""
    )
    page = SeasonPage(form=form, query=query, headings=headings(), rows=rows, total=total)
    return show_page(request, page, status=200 if valid else 422)


@needs("season.read")
@require_safe
def season_file(request: HttpRequest) -> HttpResponse:
    """Send the figures of a span of days as CSV."""
    form = _span(request)
    if not form.is_valid():
        return HttpResponse(status=422)
    content = season_csv(**form.cleaned_data)
    name = "season-{since:%Y%m%d}-{until:%Y%m%d}.csv".format(**form.cleaned_data)
    return file_answer(content, "text/csv; charset=utf-8", name)
