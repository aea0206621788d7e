"""Addresses of the referees' pages."""

from django.urls import URLPattern, URLResolver, include, path

from .views import (
    at_table,
    by_badge,
    code,
    code_article,
    confirmation,
    desk,
    discipline,
    documents,
    house_penalties,
    incident,
    precedents,
    prove,
    ruling,
    season,
)

_incident = [
    path("", incident.incident_page, name="referee-incident"),
    path("dismiss/", incident.dismiss, name="referee-dismiss"),
    path("withdraw/", incident.withdraw, name="referee-withdraw"),
    path("merge/", incident.merge, name="referee-merge"),
    path("prove/", prove.prove_page, name="referee-prove"),
]

_code = [
    path("", code.penal_code, name="referee-code"),
    path("articles/", code_article.code_article, name="referee-code-article"),
    path("articles/<str:name>/", code_article.code_article, name="referee-code-article"),
]

_confirmation = [
    path("", confirmation.confirmation_page, name="referee-confirmation"),
    path("confirm/", confirmation.confirm, name="referee-confirm"),
    path("refuse/", confirmation.refuse, name="referee-refuse"),
]

_ruling = [
    path("slip.pdf", documents.slip, name="referee-slip"),
    path("", ruling.ruling_page, name="referee-ruling"),
    path("sanction/", discipline.sanction, name="referee-sanction"),
    path("annul/", ruling.annul, name="referee-annul"),
    path("appeals/<uuid:appeal_id>/", ruling.hear, name="referee-hear"),
    path("appeals/<uuid:appeal_id>/minutes.pdf", documents.minutes, name="referee-minutes"),
]

_house_penalties = [
    path("", house_penalties.house_penalties, name="house-rules-penalties"),
    path("new/", house_penalties.house_article, name="house-rules-article"),
    path("<str:name>/", house_penalties.house_article, name="house-rules-article"),
]

_event: list[URLPattern | URLResolver] = [
    path("", desk.referee_desk, name="referee-desk"),
    path("new/", desk.open_incident, name="referee-new"),
    path("calls/<uuid:call_id>/take/", desk.take_call, name="referee-take"),
    path("incidents/<int:number>/", include(_incident)),
    path("articles/", code.articles, name="referee-articles"),
    path("articles/<str:name>/", code.article, name="referee-article"),
    path("discipline/", discipline.discipline_page, name="referee-discipline"),
    path(
        "discipline/<uuid:sanction_id>/",
        discipline.change_sanction,
        name="referee-discipline-change",
    ),
    path("precedents/", precedents.precedents_page, name="referee-precedents"),
    path("code/", include(_code)),
    path("confirmations/<uuid:confirmation_id>/", include(_confirmation)),
    path("report/", documents.report, name="referee-report"),
    path("report.pdf", documents.report_pdf, name="referee-report-pdf"),
    path("report.csv", documents.report_csv, name="referee-report-csv"),
    path("rulings/<int:number>/", include(_ruling)),
]

urlpatterns = [
    path("referee/", desk.referee_home, name="referee"),
    path("referees/discipline/", discipline.register_page, name="referees-discipline"),
    path("referees/season/", season.season_page, name="referees-season"),
    path("referees/season.csv", season.season_file, name="referees-season-csv"),
    path("t/<str:token>/rulings/<uuid:ruling_id>/", at_table.table_ruling, name="table-ruling"),
    path("p/<str:token>/rulings/<uuid:ruling_id>/", by_badge.player_ruling, name="player-ruling"),
    path("referee/<slug:slug>/", include(_event)),
    path("desk/house-rules/<uuid:rules_id>/penalties/", include(_house_penalties)),
]
