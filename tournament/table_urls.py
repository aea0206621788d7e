"""Addresses of a table's pages and of staff's view of a sheet."""

from django.urls import include, path

from tournament.views import deal, rules_lab, signer, table, table_app, table_staff, tricks

_table = [
    path("", table.table_page, name="table"),
    path("send/", table.send, name="table-send"),
    path("state/", table.state, name="table-state"),
    path("tricks/", tricks.follow, name="table-tricks"),
    path("manifest.json", table_app.manifest, name="table-manifest"),
    path("<int:order>/<int:number>/", deal.deal_page, name="table-deal"),
]

urlpatterns = [
    path("t/worker.js", table_app.worker, name="table-worker"),
    path("t/<str:token>/", include(_table)),
    path("sign/<str:player_token>/", signer.sign_page, name="player-sign"),
    path("sheet/<uuid:sheet_id>/", table_staff.sheet_page, name="staff-sheet"),
    path("sheet/<uuid:sheet_id>/paper/", table_staff.paper_page, name="staff-paper"),
    path("rules/", rules_lab.rules_lab, name="rules-lab"),
]
