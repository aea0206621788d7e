"""Addresses of a table's pages and of staff's view of a sheet."""

from django.urls import path

from tournament.views import deal, rules_lab, signer, table, table_app, table_staff, tricks

urlpatterns = [
    path("rules/", rules_lab.rules_lab, name="rules-lab"),
    path("t/worker.js", table_app.worker, name="table-worker"),
    path("t/<str:token>/", table.table_page, name="table"),
    path("t/<str:token>/send/", table.send, name="table-send"),
    path("t/<str:token>/state/", table.state, name="table-state"),
    path("t/<str:token>/tricks/", tricks.follow, name="table-tricks"),
    path("t/<str:token>/manifest.json", table_app.manifest, name="table-manifest"),
    path("t/<str:token>/<int:order>/<int:number>/", deal.deal_page, name="table-deal"),
    path("sign/<str:player_token>/", signer.sign_page, name="player-sign"),
    path("sheet/<uuid:sheet_id>/", table_staff.sheet_page, name="staff-sheet"),
    path("sheet/<uuid:sheet_id>/paper/", table_staff.paper_page, name="staff-paper"),
]
