"""Addresses of the tables' API, below ``/api/v1/``."""

from django.urls import URLPattern, include, path

from ledger.verbs import read_services
from tournament.api import rules, sheets
from tournament.api.verbs import urls_of
from tournament.models.tables import Sheet, Table

read_services("tournament.services")

_sheet: list[URLPattern] = [
    path("", sheets.SheetDetail.as_view(), name="api-sheet"),
    *urls_of(
        Sheet,
        sheets.sheet_of,
        reads={"deals/<int:number>/": sheets.DealDetail},
        base=sheets.TableView,
        unknown=False,
    ),
]

urlpatterns = [
    path("rules/rulebooks/", rules.RulebookList.as_view(), name="api-rulebooks"),
    path("rules/<str:call>/", rules.RuleCall.as_view(), name="api-rules"),
    path("table/sheets/", sheets.SheetList.as_view(), name="api-table-sheets"),
    path("table/", include(urls_of(Table, Table, base=sheets.OwnTable, unknown=False))),
    path("sheets/<uuid:sheet_id>/", include(_sheet)),
]
