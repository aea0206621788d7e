"""One deal of a sheet: every version of it, and the form that corrects it with a reason."""

from __future__ import annotations

import uuid

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.access import by_link
from accounts.pages import show_page
from ledger.errors import NotHere, Refused
from scoring.engine.errors import EngineError
from tournament.models import Table
from tournament.models.tables import DealVersion, Protocol, Series, Sheet, SheetState
from tournament.queries.double_entry import side_of_device
from tournament.queries.entry_form import DealForm, correction_context
from tournament.queries.sheet_page import EntryPage, Item, Refusal, history
from tournament.queries.table_people import seat_names
from tournament.services.record import is_locked
from tournament.tables.score_sheet import ScoreSheet
from tournament.views.table import ClosedPage, act, refusal_shown
from tournament.views.table_app import named_files
from tournament.views.table_links import device_of, keep_device, sheet_of, table_of


class DealPage(EntryPage, template="table/deal.html"):
    form: DealForm
    table: Table
    token: str
    sheet: Sheet
    deal: DealVersion
    key: str
    unplayed_key: str
    items: list[Item]
    open: bool
    locked: bool


@by_link("table")
@require_http_methods(["GET", "HEAD", "POST"])
def deal_page(request: HttpRequest, token: str, order: int, number: int) -> HttpResponse:
    """Show the history of a deal to the table, and its correction while the sheet is open."""
    language = get_language() or "en"
    try:
        table = table_of(request, token)
        sheet = sheet_of(table, order)
        device = device_of(request)
        series = Series.OFFICIAL.value
        if sheet.protocol == Protocol.DOUBLE:
            series = side_of_device(table, device) or series
        written = ScoreSheet(sheet).known(series)
        deal = next((each for each in written if each.number == number), None)
        if deal is None or sheet.order != order:
            raise NotHere("no_such_deal", _("The sheet has no such deal."))
    except Refused as refusal:
        return show_page(request, ClosedPage(reason=str(refusal)), status=refusal.status)
    names = seat_names(sheet)
    refused = Refusal()
    if request.method == "POST":
        try:
            act(request.POST, table, sheet, device)
        except (EngineError, Refused) as refusal:
            refused = refusal_shown(refusal, sheet)
        else:
            page = redirect(f"{reverse('table', args=[token])}?game={sheet.order}")
            return keep_device(page, device)
    writing = (
        series != Series.OFFICIAL
        if sheet.protocol == Protocol.DOUBLE
        else table.writer in (None, device)
    )
    locked = deal.series == Series.OFFICIAL and is_locked(sheet, number)
    correction = correction_context(ScoreSheet(sheet), deal, names, language, request.POST)
    shown = DealPage(
        form=correction.form,
        typed=correction.typed,
        table=table,
        token=token,
        sheet=sheet,
        deal=deal,
        key=uuid.uuid4().hex,
        unplayed_key=uuid.uuid4().hex,
        items=history(sheet, number, deal.series, language, names),
        open=sheet.state not in (SheetState.OFFICIAL, SheetState.VOID)
        and table.decided_for_id is None
        and writing
        and not locked,
        locked=locked,
        refused=refused.text,
        field=refused.field,
    )
    return keep_device(named_files(show_page(request, shown, status=refused.status)), device)
