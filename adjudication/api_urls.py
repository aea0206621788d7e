"""Addresses of the referees' API, below ``/api/v1/``."""

from functools import partial

from django.urls import URLPattern, URLResolver, include, path

from adjudication.models import Appeal, Confirmation, Incident, Ruling, Sanction
from ledger.verbs import read_services
from tournament.api.verbs import urls_of
from tournament.models import Event

from .api import articles, evidence, incidents, rulings
from .api.common import event_of

read_services("adjudication.services")

_urls_of = partial(urls_of, room="adjudication")

_event_reads = {
    "incidents/": incidents.Incidents,
    "rulings/": rulings.Rulings,
    "confirmations/": rulings.Confirmations,
    "appeals/": rulings.Appeals,
    "discipline/": rulings.Discipline,
    "precedents/": rulings.Precedents,
    "articles/": articles.Articles,
    "articles/<str:name>/": articles.ArticleDetail,
    "penal-code/": articles.PenalCodeView,
}
_incident_reads = {
    "": incidents.IncidentDetail,
    "propose/": incidents.Propose,
    "proofs/<uuid:proof_id>/": evidence.ProofDetail,
    "proofs/<uuid:proof_id>/cost/": evidence.ProofCost,
}
_confirmation = _urls_of(
    Confirmation, rulings.confirmation_of, reads={"": rulings.ConfirmationDetail}
)

_event: list[URLPattern | URLResolver] = [
    *_urls_of(Event, event_of, reads=_event_reads, unknown=False),
    path(
        "incidents/<int:number>/",
        include(_urls_of(Incident, incidents.incident_of, reads=_incident_reads)),
    ),
    path(
        "rulings/<int:number>/",
        include(_urls_of(Ruling, rulings.ruling_of, reads={"": rulings.RulingDetail})),
    ),
    path("confirmations/<uuid:confirmation_id>/", include(_confirmation)),
    path("discipline/<uuid:sanction_id>/", include(_urls_of(Sanction, rulings.sanction_of))),
    path("appeals/<uuid:appeal_id>/", include(_urls_of(Appeal, rulings.appeal_of))),
]

urlpatterns = [path("events/<slug:slug>/", include(_event))]
