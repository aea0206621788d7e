"""Addresses of the director's API, below ``/api/v1/``: every verb has its own."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, include, path

from ledger.verbs import read_services
from tournament.models import (
    Draw,
    Entrant,
    Event,
    HouseRules,
    Member,
    Merger,
    Registration,
    Round,
    Stage,
)
from tournament.services.house_rules import rules_of
from tournament.views.frame import event_by_slug

from . import documents, draws, events, house_rules, members, people, read, rounds, stages
from .verbs import urls_of

read_services("tournament.services")


_event_reads = {
    "settings/": events.Settings,
    "open/": events.Open,
    "members/": members.EventMembers,
    "registrations/": members.Registrations,
    "stages/": stages.Stages,
    "stages/<int:order>/": stages.OneStage,
    "stages/<int:order>/ranking/": stages.StageRanking,
    "stages/<int:order>/cut/": stages.StageCut,
    "stages/<int:order>/rounds/": rounds.EventRounds,
    "jobs/<uuid:job_id>/": rounds.OneJob,
    "bans/": people.Bans,
    "documents/": documents.Documents,
}

_entrant = [
    *urls_of(Merger, people.merger_of, unknown=False),
    *urls_of(
        Entrant,
        people.entrant_of,
        "unmerge",
        reads={"data/": people.EntrantData},
    ),
]

_event: list[URLPattern | URLResolver] = [
    *urls_of(Event, event_by_slug, unknown=False, reads=_event_reads),
    path("documents/<uuid:document_id>/", documents.OneDocument.as_view(), name="api-document"),
    path(
        "registrations/<uuid:registration_id>/",
        include(urls_of(Registration, members.registration_of)),
    ),
    path("stages/<int:order>/", include(urls_of(Stage, stages.stage_of))),
    path("entrants/<int:number>/", include(_entrant)),
]

_round_reads = {"": rounds.OneRound, "draws/": rounds.RoundDraws}
_draw_reads = {
    "": draws.OneDraw,
    "request/": draws.DrawRequest,
    "why/<int:table>/": draws.DrawWhy,
    "proposals/<int:number>/": draws.DrawProposals,
    "compare/<uuid:other>/": draws.DrawCompare,
}

urlpatterns = [
    path(
        "events/",
        include(urls_of(Event, None, reads={"": read.Events}, group="events", unknown=False)),
    ),
    path("events/<slug:slug>/", include(_event)),
    path("rounds/<uuid:round_id>/", include(urls_of(Round, rounds.round_of, reads=_round_reads))),
    path(
        "draws/<uuid:draw_id>/",
        include(urls_of(Draw, draws.draw_of, reads=_draw_reads)),
    ),
    path("archives/", include(urls_of(Event, None, group="archives", unknown=False))),
    path(
        "house-rules/",
        include(
            urls_of(
                HouseRules,
                None,
                reads={"": house_rules.AllHouseRules},
                unknown=False,
            )
        ),
    ),
    path(
        "house-rules/<uuid:rules_id>/",
        include(urls_of(HouseRules, rules_of, unknown=False)),
    ),
    path(
        "members/",
        include(urls_of(Member, None, reads={"": members.Members}, unknown=False)),
    ),
    path("members/<uuid:member_id>/", include(urls_of(Member, members.member_of, unknown=False))),
]
