"""Paper and files of the referees: the slip, the report, and how often each article was applied."""

from __future__ import annotations

import uuid

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.pages import Crumb, Page
from adjudication.queries import desk, papers
from adjudication.queries.shown import RulingShown, language
from adjudication.services import rulings
from tournament.access import needs
from tournament.views.frame import event_by_slug, show_event

from .common import crumbs


def file_answer(content: bytes | str, kind: str, name: str) -> HttpResponse:
    """Return a file for its reader alone; a PDF opens in the browser."""
    answer = HttpResponse(content, content_type=kind)
    where = "inline" if kind == "application/pdf" else "attachment"
    answer["Content-Disposition"] = f'{where}; filename="{name}"'
    answer["Cache-Control"] = "private, no-store"
    return answer


@needs("incidents.read")
@require_safe
def slip(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Send the slip of a ruling: one page, for signature."""
    ruling = rulings.ruling_by_number(event_by_slug(slug), number)
    size = "letter" if request.GET.get("paper") == "letter" else "a4"
    return file_answer(
        papers.slip_pdf(ruling, size=size), "application/pdf", f"{slug}-ruling-{number}.pdf"
    )


@needs("incidents.read")
@require_safe
def minutes(request: HttpRequest, slug: str, number: int, appeal_id: uuid.UUID) -> HttpResponse:
    """Send the minutes of a committee, for the signatures of its members."""
    ruling = rulings.ruling_by_number(event_by_slug(slug), number)
    heard = ruling.appeals.exclude(members=[]).filter(pk=appeal_id).first()
    if heard is None:
        raise Http404
    heard.ruling = ruling
    size = "letter" if request.GET.get("paper") == "letter" else "a4"
    content = papers.minutes_pdf(heard, size=size)
    return file_answer(content, "application/pdf", f"{slug}-appeal-{number}.pdf")


class ReportPage(Page, template="referee/report.html", here="referee-desk"):
    rows: list[papers.Frequency]
    incidents: int
    rulings: list[RulingShown]
    closed: list[desk.ClosedIncident]
    crumbs: list[Crumb]


@needs("incidents.read")
@require_safe
def report(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the number of rulings by article, a link to every ruling, and the report to download."""
    event = event_by_slug(slug)
    return show_event(
        request,
        event,
        ReportPage(
            rows=papers.frequencies(event),
            incidents=event.incidents.count(),
            rulings=desk.latest_rulings(event, None),
            closed=desk.closed_incidents(event, None),
            crumbs=crumbs(slug, Crumb(_("Report"))),
        ),
    )


@needs("incidents.read")
@require_safe
def report_pdf(request: HttpRequest, slug: str) -> HttpResponse:
    """Send the adjudication report as PDF, in the reader's language."""
    event = event_by_slug(slug)
    content = papers.report_pdf(event, language())
    return file_answer(content, "application/pdf", f"{slug}-rulings.pdf")


@needs("incidents.read")
@require_safe
def report_csv(request: HttpRequest, slug: str) -> HttpResponse:
    """Send the adjudication report as CSV."""
    event = event_by_slug(slug)
    return file_answer(papers.report_csv(event), "text/csv; charset=utf-8", f"{slug}-rulings.csv")
