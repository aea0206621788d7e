"""Addresses of the referees' API, below ``/api/v1/``."""

from django.urls import path

from .api import views

_EVENT = "events/<slug:slug>/"

urlpatterns = [
    path(f"{_EVENT}incidents/", views.Incidents.as_view(), name="api-incidents"),
    path(f"{_EVENT}incidents/<int:number>/", views.IncidentDetail.as_view(), name="api-incident"),
    path(f"{_EVENT}incidents/<int:number>/<slug:verb>/", views.IncidentVerb.as_view(), name="api-incident-verb"),
    path(f"{_EVENT}rulings/", views.Rulings.as_view(), name="api-rulings"),
    path(f"{_EVENT}rulings/<int:number>/", views.RulingDetail.as_view(), name="api-ruling"),
    path(f"{_EVENT}rulings/<int:number>/final/", views.RulingFinal.as_view(), name="api-ruling-final"),
    path(f"{_EVENT}rulings/<int:number>/<slug:verb>/", views.RulingVerb.as_view(), name="api-ruling-verb"),
    path(f"{_EVENT}appeals/", views.Appeals.as_view(), name="api-appeals"),
    path(f"{_EVENT}appeals/<uuid:appeal_id>/", views.AppealHearing.as_view(), name="api-appeal"),
    path(f"{_EVENT}articles/", views.Articles.as_view(), name="api-articles"),
    path(f"{_EVENT}articles/<str:name>/", views.ArticleDetail.as_view(), name="api-article"),
    path(f"{_EVENT}penal-code/", views.PenalCodeView.as_view(), name="api-penal-code"),
]  # fmt: skip
