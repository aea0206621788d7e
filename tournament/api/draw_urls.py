"""Addresses of the director's API, below ``/api/v1/``: every verb has its own."""

from __future__ import annotations

from django.urls import URLPattern, path

from . import documents, draws, events, members, people, rounds, stages
from .common import UnknownVerb, Verb, view_of


def _verbs(
    base: str, operation: str, name: str, verbs: dict[str, Verb], unknown: type[UnknownVerb]
) -> list[URLPattern]:
    """One address a verb below ``base``, and one that says which verbs there are."""
    listed = [
        path(
            f"{base}{verb}/",
            view_of(f"{operation}_{verb}", verbs[verb]).as_view(),
            name=f"{name}-{verb}",
        )
        for verb in verbs
    ]
    return [*listed, path(f"{base}<slug:verb>/", unknown.as_view(), name=f"{name}-verb")]


STAGE = "events/<slug:slug>/stages/<int:order>/"
ENTRANT = "events/<slug:slug>/entrants/<int:number>/"

EVENT = "events/<slug:slug>/"

urlpatterns = [
    path(f"{EVENT}settings/", events.Settings.as_view(), name="api-event-settings"),
    path(f"{EVENT}logo/", events.Logo.as_view(), name="api-event-logo"),
    path(f"{EVENT}open/", events.Open.as_view(), name="api-event-open"),
    *(
        path(f"{EVENT}{name}/", view_of(f"event_{name}", verb).as_view(), name=f"api-event-{name}")
        for name, verb in events.VERBS.items()
    ),
    *(
        path(
            f"{EVENT}{name}/",
            view_of(f"event_{name.replace('/', '-')}", verb).as_view(),
            name=f"api-event-{name.replace('/', '-')}",
        )
        for name, verb in (members.EVENT_VERBS | documents.EVENT_VERBS).items()
    ),
    path("archives/", documents.Archives.as_view(), name="api-archives"),
    path(f"{EVENT}documents/", documents.Documents.as_view(), name="api-documents"),
    path(
        f"{EVENT}documents/<uuid:document_id>/",
        documents.OneDocument.as_view(),
        name="api-document",
    ),
    path("members/", members.Members.as_view(), name="api-members"),
    path("members/file/", members.MembersFile.as_view(), name="api-members-file"),
    path("members/<uuid:member_id>/", members.OneMember.as_view(), name="api-member"),
    path(f"{EVENT}members/", members.EventMembers.as_view(), name="api-event-members"),
    path(f"{EVENT}players-file/", members.PlayersFile.as_view(), name="api-players-file"),
    path(f"{EVENT}registrations/", members.Registrations.as_view(), name="api-registrations"),
    *(
        path(
            f"{EVENT}registrations/<uuid:registration_id>/{name}/",
            view_of(f"registrations_{name}", verb).as_view(),
            name=f"api-registration-{name}",
        )
        for name, verb in members.REGISTRATION_VERBS.items()
    ),
    path("events/<slug:slug>/stages/", stages.Stages.as_view(), name="api-stages"),
    path(STAGE, stages.OneStage.as_view(), name="api-stage"),
    path(f"{STAGE}ranking/", stages.StageRanking.as_view(), name="api-stage-ranking"),
    path(f"{STAGE}cut/", stages.StageCut.as_view(), name="api-stage-cut"),
    path(f"{STAGE}rounds/", rounds.EventRounds.as_view(), name="api-stage-rounds"),
    *_verbs(STAGE, "stages", "api-stage", stages.VERBS, stages.UnknownStageVerb),
    path("events/<slug:slug>/jobs/<uuid:job_id>/", rounds.OneJob.as_view(), name="api-job"),
    path("events/<slug:slug>/bans/", people.Bans.as_view(), name="api-bans"),
    path("events/<slug:slug>/bans/<int:ban>/", people.OneBan.as_view(), name="api-ban"),
    path("events/<slug:slug>/wishes/<int:number>/", people.EntrantWish.as_view(), name="api-wish"),
    path(
        "events/<slug:slug>/replace/",
        view_of("entrants_replace", people.REPLACE).as_view(),
        name="api-replace",
    ),
    path(
        "events/<slug:slug>/entrants/",
        view_of("entrants_enter", people.ENTER).as_view(),
        name="api-enter",
    ),
    path(
        "events/<slug:slug>/merge/",
        view_of("entrants_merge", people.MERGE).as_view(),
        name="api-merge",
    ),
    path(f"{ENTRANT}data/", people.EntrantData.as_view(), name="api-entrant-data"),
    path(ENTRANT, people.OneEntrant.as_view(), name="api-entrant"),
    *_verbs(ENTRANT, "entrants", "api-entrant", people.VERBS, people.UnknownEntrantVerb),
    path("rounds/<uuid:round_id>/", rounds.OneRound.as_view(), name="api-round"),
    path("rounds/<uuid:round_id>/draws/", rounds.RoundDraws.as_view(), name="api-round-draws"),
    *_verbs(
        "rounds/<uuid:round_id>/", "rounds", "api-round", rounds.VERBS, rounds.UnknownRoundVerb
    ),
    path("draws/<uuid:draw_id>/", draws.OneDraw.as_view(), name="api-draw"),
    path("draws/<uuid:draw_id>/request/", draws.DrawRequest.as_view(), name="api-draw-request"),
    path("draws/<uuid:draw_id>/why/<int:table>/", draws.DrawWhy.as_view(), name="api-draw-why"),
    path(
        "draws/<uuid:draw_id>/proposals/<int:number>/",
        draws.DrawProposals.as_view(),
        name="api-draw-proposals",
    ),
    path(
        "draws/<uuid:draw_id>/compare/<uuid:other>/",
        draws.DrawCompare.as_view(),
        name="api-draw-compare",
    ),
    *_verbs("draws/<uuid:draw_id>/", "draws", "api-draw", draws.VERBS, draws.UnknownDrawVerb),
]
