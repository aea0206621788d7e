"""Addresses of the referees' API, below ``/api/v1/``."""

from django.urls import URLPattern, URLResolver, include, path

from .api import appeals, articles, confirmations, evidence, incidents, rulings

_incident = [
    path("", incidents.IncidentDetail.as_view(), name="api-incident"),
    path("propose/", incidents.Propose.as_view(), name="api-incident-propose"),
    path("rule/", incidents.Rule.as_view(), name="api-incident-rule"),
    path("place/", incidents.Place.as_view(), name="api-incident-place"),
    path("dismiss/", incidents.Dismiss.as_view(), name="api-incident-dismiss"),
    path("withdraw/", incidents.Withdraw.as_view(), name="api-incident-withdraw"),
    path("merge/", incidents.Merge.as_view(), name="api-incident-merge"),
    path("equity/", evidence.Equity.as_view(), name="api-equity"),
    path("proofs/", evidence.Proofs.as_view(), name="api-proofs"),
    path("proofs/<uuid:proof_id>/", evidence.ProofDetail.as_view(), name="api-proof"),
    path("proofs/<uuid:proof_id>/cost/", evidence.ProofCost.as_view(), name="api-proof-cost"),
]

_ruling = [
    path("", rulings.RulingDetail.as_view(), name="api-ruling"),
    path("amend/", rulings.Amend.as_view(), name="api-ruling-amend"),
    path("annul/", rulings.Annul.as_view(), name="api-ruling-annul"),
    path("final/", rulings.RulingFinal.as_view(), name="api-ruling-final"),
    path("appeal/", appeals.LodgeAppeal.as_view(), name="api-ruling-appeal"),
]

_confirmation = [
    path("", confirmations.ConfirmationDetail.as_view(), name="api-confirmation"),
    path("confirm/", confirmations.Confirm.as_view(), name="api-confirm"),
    path("refuse/", confirmations.Refuse.as_view(), name="api-refuse"),
]

_event: list[URLPattern | URLResolver] = [
    path("incidents/", incidents.Incidents.as_view(), name="api-incidents"),
    path("incidents/<int:number>/", include(_incident)),
    path("rulings/", rulings.Rulings.as_view(), name="api-rulings"),
    path("rulings/<int:number>/", include(_ruling)),
    path("confirmations/", confirmations.Confirmations.as_view(), name="api-confirmations"),
    path("confirmations/<uuid:confirmation_id>/", include(_confirmation)),
    path("appeals/", appeals.Appeals.as_view(), name="api-appeals"),
    path("appeals/<uuid:appeal_id>/", appeals.AppealHearing.as_view(), name="api-appeal"),
    path(
        "appeals/<uuid:appeal_id>/withdraw/",
        appeals.WithdrawAppeal.as_view(),
        name="api-appeal-withdraw",
    ),
    path("articles/", articles.Articles.as_view(), name="api-articles"),
    path("articles/<str:name>/", articles.ArticleDetail.as_view(), name="api-article"),
    path("staff/<int:user>/plays/", articles.StaffPlays.as_view(), name="api-staff-plays"),
    path("penal-code/", articles.PenalCodeView.as_view(), name="api-penal-code"),
]

urlpatterns = [path("events/<slug:slug>/", include(_event))]
