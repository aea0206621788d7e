"""Addresses of the director's API, below ``/api/v1/``: every verb has its own."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, include, path

from . import documents, draws, events, members, people, rounds, stages
from .common import UnknownVerb, Verb, view_of


def _verbs(
    operation: str, name: str, verbs: dict[str, Verb], unknown: type[UnknownVerb]
) -> list[URLPattern]:
    """One address a verb, and one that says which verbs there are."""
    listed = [
        path(
            f"{verb}/", view_of(f"{operation}_{verb}", verbs[verb]).as_view(), name=f"{name}-{verb}"
        )
        for verb in verbs
    ]
    return [*listed, path("<slug:verb>/", unknown.as_view(), name=f"{name}-verb")]


def _event_verbs(verbs: dict[str, Verb]) -> list[URLPattern]:
    """One address a verb of an event; a verb may have two words, as ``documents/print``."""
    dashed = {name: name.replace("/", "-") for name in verbs}
    return [
        path(
            f"{name}/",
            view_of(f"event_{dashed[name]}", verb).as_view(),
            name=f"api-event-{dashed[name]}",
        )
        for name, verb in verbs.items()
    ]


_registration = [
    path(
        f"{name}/",
        view_of(f"registrations_{name}", verb).as_view(),
        name=f"api-registration-{name}",
    )
    for name, verb in members.REGISTRATION_VERBS.items()
]

_stage = [
    path("", stages.OneStage.as_view(), name="api-stage"),
    path("ranking/", stages.StageRanking.as_view(), name="api-stage-ranking"),
    path("cut/", stages.StageCut.as_view(), name="api-stage-cut"),
    path("rounds/", rounds.EventRounds.as_view(), name="api-stage-rounds"),
    *_verbs("stages", "api-stage", stages.VERBS, stages.UnknownStageVerb),
]

_entrant = [
    path("", people.OneEntrant.as_view(), name="api-entrant"),
    path("data/", people.EntrantData.as_view(), name="api-entrant-data"),
    *_verbs("entrants", "api-entrant", people.VERBS, people.UnknownEntrantVerb),
]

_event: list[URLPattern | URLResolver] = [
    path("settings/", events.Settings.as_view(), name="api-event-settings"),
    path("logo/", events.Logo.as_view(), name="api-event-logo"),
    path("open/", events.Open.as_view(), name="api-event-open"),
    *_event_verbs(events.VERBS | members.EVENT_VERBS | documents.EVENT_VERBS),
    path("documents/", documents.Documents.as_view(), name="api-documents"),
    path("documents/<uuid:document_id>/", documents.OneDocument.as_view(), name="api-document"),
    path("members/", members.EventMembers.as_view(), name="api-event-members"),
    path("players-file/", members.PlayersFile.as_view(), name="api-players-file"),
    path("registrations/", members.Registrations.as_view(), name="api-registrations"),
    path("registrations/<uuid:registration_id>/", include(_registration)),
    path("stages/", stages.Stages.as_view(), name="api-stages"),
    path("stages/<int:order>/", include(_stage)),
    path("jobs/<uuid:job_id>/", rounds.OneJob.as_view(), name="api-job"),
    path("bans/", people.Bans.as_view(), name="api-bans"),
    path("bans/<int:ban>/", people.OneBan.as_view(), name="api-ban"),
    path("wishes/<int:number>/", people.EntrantWish.as_view(), name="api-wish"),
    path("replace/", view_of("entrants_replace", people.REPLACE).as_view(), name="api-replace"),
    path("entrants/", view_of("entrants_enter", people.ENTER).as_view(), name="api-enter"),
    path("merge/", view_of("entrants_merge", people.MERGE).as_view(), name="api-merge"),
    path("entrants/<int:number>/", include(_entrant)),
]

_round = [
    path("", rounds.OneRound.as_view(), name="api-round"),
    path("draws/", rounds.RoundDraws.as_view(), name="api-round-draws"),
    *_verbs("rounds", "api-round", rounds.VERBS, rounds.UnknownRoundVerb),
]

_draw = [
    path("", draws.OneDraw.as_view(), name="api-draw"),
    path("request/", draws.DrawRequest.as_view(), name="api-draw-request"),
    path("why/<int:table>/", draws.DrawWhy.as_view(), name="api-draw-why"),
    path("proposals/<int:number>/", draws.DrawProposals.as_view(), name="api-draw-proposals"),
    path("compare/<uuid:other>/", draws.DrawCompare.as_view(), name="api-draw-compare"),
    *_verbs("draws", "api-draw", draws.VERBS, draws.UnknownDrawVerb),
]

urlpatterns = [
    path("events/<slug:slug>/", include(_event)),
    path("rounds/<uuid:round_id>/", include(_round)),
    path("draws/<uuid:draw_id>/", include(_draw)),
    path("archives/", documents.Archives.as_view(), name="api-archives"),
    path("members/", members.Members.as_view(), name="api-members"),
    path("members/file/", members.MembersFile.as_view(), name="api-members-file"),
    path("members/<uuid:member_id>/", members.OneMember.as_view(), name="api-member"),
]
