"""Addresses of the tables' API, below ``/api/v1/``."""

from django.urls import include, path

from tournament.api import rules, sheets

_sheet = [
    path("", sheets.SheetDetail.as_view(), name="api-sheet"),
    path("deals/", sheets.DealList.as_view(), name="api-sheet-deals"),
    path("deals/<int:number>/", sheets.DealDetail.as_view(), name="api-sheet-deal"),
    path("signatures/", sheets.SignatureList.as_view(), name="api-sheet-signatures"),
    path("dispute/", sheets.Dispute.as_view(), name="api-sheet-dispute"),
    path("confirmation/", sheets.Confirmation.as_view(), name="api-sheet-confirmation"),
    path("bell/", sheets.Bell.as_view(), name="api-sheet-bell"),
    path("undo-bell/", sheets.UndoBell.as_view(), name="api-sheet-undo-bell"),
    path("reopen/", sheets.Reopen.as_view(), name="api-sheet-reopen"),
    path("contest/", sheets.Contest.as_view(), name="api-sheet-contest"),
    path("slip/", sheets.Slip.as_view(), name="api-sheet-slip"),
]

urlpatterns = [
    path("rules/rulebooks/", rules.RulebookList.as_view(), name="api-rulebooks"),
    path("rules/<str:call>/", rules.RuleCall.as_view(), name="api-rules"),
    path("table/sheets/", sheets.SheetList.as_view(), name="api-table-sheets"),
    path("table/pen/", sheets.WritingDevice.as_view(), name="api-table-pen"),
    path("table/calls/", sheets.CallList.as_view(), name="api-table-calls"),
    path("sheets/<uuid:sheet_id>/", include(_sheet)),
]
