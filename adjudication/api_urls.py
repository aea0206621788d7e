"""Addresses of the referees' API, below ``/api/v1/``."""

from django.urls import path

from .api import appeals, articles, confirmations, evidence, incidents, rulings

_EVENT = "events/<slug:slug>/"
_INCIDENT = f"{_EVENT}incidents/<int:number>/"
_PROOF = f"{_INCIDENT}proofs/<uuid:proof_id>/"
_RULING = f"{_EVENT}rulings/<int:number>/"
_CONFIRMATION = f"{_EVENT}confirmations/<uuid:confirmation_id>/"
_APPEAL = f"{_EVENT}appeals/<uuid:appeal_id>/"

urlpatterns = [
    path(f"{_EVENT}incidents/", incidents.Incidents.as_view(), name="api-incidents"),
    path(_INCIDENT, incidents.IncidentDetail.as_view(), name="api-incident"),
    path(f"{_INCIDENT}propose/", incidents.Propose.as_view(), name="api-incident-propose"),
    path(f"{_INCIDENT}rule/", incidents.Rule.as_view(), name="api-incident-rule"),
    path(f"{_INCIDENT}place/", incidents.Place.as_view(), name="api-incident-place"),
    path(f"{_INCIDENT}dismiss/", incidents.Dismiss.as_view(), name="api-incident-dismiss"),
    path(f"{_INCIDENT}withdraw/", incidents.Withdraw.as_view(), name="api-incident-withdraw"),
    path(f"{_INCIDENT}merge/", incidents.Merge.as_view(), name="api-incident-merge"),
    path(f"{_INCIDENT}equity/", evidence.Equity.as_view(), name="api-equity"),
    path(f"{_INCIDENT}proofs/", evidence.Proofs.as_view(), name="api-proofs"),
    path(_PROOF, evidence.ProofDetail.as_view(), name="api-proof"),
    path(f"{_PROOF}cost/", evidence.ProofCost.as_view(), name="api-proof-cost"),
    path(f"{_EVENT}rulings/", rulings.Rulings.as_view(), name="api-rulings"),
    path(_RULING, rulings.RulingDetail.as_view(), name="api-ruling"),
    path(f"{_RULING}amend/", rulings.Amend.as_view(), name="api-ruling-amend"),
    path(f"{_RULING}annul/", rulings.Annul.as_view(), name="api-ruling-annul"),
    path(f"{_RULING}final/", rulings.RulingFinal.as_view(), name="api-ruling-final"),
    path(f"{_RULING}appeal/", appeals.LodgeAppeal.as_view(), name="api-ruling-appeal"),
    path(
        f"{_EVENT}confirmations/", confirmations.Confirmations.as_view(), name="api-confirmations"
    ),
    path(_CONFIRMATION, confirmations.ConfirmationDetail.as_view(), name="api-confirmation"),
    path(f"{_CONFIRMATION}confirm/", confirmations.Confirm.as_view(), name="api-confirm"),
    path(f"{_CONFIRMATION}refuse/", confirmations.Refuse.as_view(), name="api-refuse"),
    path(f"{_EVENT}appeals/", appeals.Appeals.as_view(), name="api-appeals"),
    path(_APPEAL, appeals.AppealHearing.as_view(), name="api-appeal"),
    path(f"{_APPEAL}withdraw/", appeals.WithdrawAppeal.as_view(), name="api-appeal-withdraw"),
    path(f"{_EVENT}articles/", articles.Articles.as_view(), name="api-articles"),
    path(f"{_EVENT}articles/<str:name>/", articles.ArticleDetail.as_view(), name="api-article"),
    path(f"{_EVENT}staff/<int:user>/plays/", articles.StaffPlays.as_view(), name="api-staff-plays"),
    path(f"{_EVENT}penal-code/", articles.PenalCodeView.as_view(), name="api-penal-code"),
]
