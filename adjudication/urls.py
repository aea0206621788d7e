"""Addresses of the referees' pages."""

from django.urls import path

from .views import (
    at_table,
    by_badge,
    code,
    code_article,
    confirmation,
    desk,
    documents,
    incident,
    prove,
    ruling,
)

urlpatterns = [
    path("referee/", desk.referee_home, name="referee"),
    path("referee/<slug:slug>/", desk.referee_desk, name="referee-desk"),
    path("referee/<slug:slug>/new/", desk.open_incident, name="referee-new"),
    path("referee/<slug:slug>/calls/<uuid:call_id>/take/", desk.take_call, name="referee-take"),
    path(
        "referee/<slug:slug>/incidents/<int:number>/",
        incident.incident_page,
        name="referee-incident",
    ),
    path("referee/<slug:slug>/incidents/<int:number>/place/", incident.place, name="referee-place"),
    path(
        "referee/<slug:slug>/incidents/<int:number>/dismiss/",
        incident.dismiss,
        name="referee-dismiss",
    ),
    path(
        "referee/<slug:slug>/incidents/<int:number>/withdraw/",
        incident.withdraw,
        name="referee-withdraw",
    ),
    path("referee/<slug:slug>/incidents/<int:number>/merge/", incident.merge, name="referee-merge"),
    path(
        "referee/<slug:slug>/incidents/<int:number>/prove/cost/",
        prove.ask_cost,
        name="referee-cost",
    ),
    path(
        "referee/<slug:slug>/incidents/<int:number>/equity/",
        incident.ask_equity,
        name="referee-equity",
    ),
    path(
        "referee/<slug:slug>/incidents/<int:number>/prove/", prove.prove_page, name="referee-prove"
    ),
    path("referee/<slug:slug>/articles/", code.articles, name="referee-articles"),
    path("referee/<slug:slug>/articles/<str:name>/", code.article, name="referee-article"),
    path("referee/<slug:slug>/code/", code.penal_code, name="referee-code"),
    path(
        "referee/<slug:slug>/code/articles/", code_article.code_article, name="referee-code-article"
    ),
    path(
        "referee/<slug:slug>/code/articles/<str:name>/",
        code_article.code_article,
        name="referee-code-article",
    ),
    path(
        "referee/<slug:slug>/confirmations/<uuid:confirmation_id>/",
        confirmation.confirmation_page,
        name="referee-confirmation",
    ),
    path(
        "referee/<slug:slug>/confirmations/<uuid:confirmation_id>/confirm/",
        confirmation.confirm,
        name="referee-confirm",
    ),
    path(
        "referee/<slug:slug>/confirmations/<uuid:confirmation_id>/refuse/",
        confirmation.refuse,
        name="referee-refuse",
    ),
    path("referee/<slug:slug>/report/", documents.report, name="referee-report"),
    path("referee/<slug:slug>/report.pdf", documents.report_pdf, name="referee-report-pdf"),
    path("referee/<slug:slug>/report.csv", documents.report_csv, name="referee-report-csv"),
    path("referee/<slug:slug>/rulings/<int:number>/slip.pdf", documents.slip, name="referee-slip"),
    path("t/<str:token>/rulings/<uuid:ruling_id>/", at_table.table_ruling, name="table-ruling"),
    path("p/<str:token>/rulings/<uuid:ruling_id>/", by_badge.player_ruling, name="player-ruling"),
    path("referee/<slug:slug>/rulings/<int:number>/", ruling.ruling_page, name="referee-ruling"),
    path("referee/<slug:slug>/rulings/<int:number>/annul/", ruling.annul, name="referee-annul"),
    path("referee/<slug:slug>/rulings/<int:number>/final/", ruling.finalise, name="referee-final"),
    path("referee/<slug:slug>/rulings/<int:number>/appeal/", ruling.appeal, name="referee-appeal"),
    path(
        "referee/<slug:slug>/rulings/<int:number>/appeals/<uuid:appeal_id>/",
        ruling.hear,
        name="referee-hear",
    ),
    path(
        "referee/<slug:slug>/rulings/<int:number>/appeals/<uuid:appeal_id>/withdraw/",
        ruling.withdraw_appeal,
        name="referee-appeal-withdraw",
    ),
]
