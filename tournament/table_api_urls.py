"""Addresses of the tables' API, below ``/api/v1/``."""

from django.urls import path

from tournament.api import rules, sheets

urlpatterns = [
    path("rules/rulebooks/", rules.RulebookList.as_view(), name="api-rulebooks"),
    path("rules/<str:call>/", rules.RuleCall.as_view(), name="api-rules"),
    path("table/sheets/", sheets.SheetList.as_view(), name="api-table-sheets"),
    path("table/pen/", sheets.WritingDevice.as_view(), name="api-table-pen"),
    path("table/calls/", sheets.CallList.as_view(), name="api-table-calls"),
    path("sheets/<uuid:sheet_id>/", sheets.SheetDetail.as_view(), name="api-sheet"),
    path("sheets/<uuid:sheet_id>/deals/", sheets.DealList.as_view(), name="api-sheet-deals"),
    path(
        "sheets/<uuid:sheet_id>/deals/<int:number>/",
        sheets.DealDetail.as_view(),
        name="api-sheet-deal",
    ),
    path(
        "sheets/<uuid:sheet_id>/signatures/",
        sheets.SignatureList.as_view(),
        name="api-sheet-signatures",
    ),
    path("sheets/<uuid:sheet_id>/dispute/", sheets.Dispute.as_view(), name="api-sheet-dispute"),
    path(
        "sheets/<uuid:sheet_id>/confirmation/",
        sheets.Confirmation.as_view(),
        name="api-sheet-confirmation",
    ),
    path("sheets/<uuid:sheet_id>/bell/", sheets.Bell.as_view(), name="api-sheet-bell"),
    path(
        "sheets/<uuid:sheet_id>/undo-bell/",
        sheets.UndoBell.as_view(),
        name="api-sheet-undo-bell",
    ),
    path("sheets/<uuid:sheet_id>/reopen/", sheets.Reopen.as_view(), name="api-sheet-reopen"),
    path("sheets/<uuid:sheet_id>/contest/", sheets.Contest.as_view(), name="api-sheet-contest"),
    path("sheets/<uuid:sheet_id>/slip/", sheets.Slip.as_view(), name="api-sheet-slip"),
]
