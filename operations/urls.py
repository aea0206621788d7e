"""Addresses for the person who runs the service, and for programs that ask what it offers."""

from django.urls import include, path

from adjudication.api.common import event_of
from tournament.api.verbs import urls_of
from tournament.models import Event

from . import anchors, api_pages, audit_api, audit_log, health, metrics, robots, system

urlpatterns = [
    path("health/live/", health.live, name="health-live"),
    path("health/ready/", health.ready, name="health-ready"),
    path("anchors.json", anchors.anchors, name="anchors"),
    path("journal/", anchors.journal, name="journal"),
    path("robots.txt", robots.robots_txt, name="robots-txt"),
    path("metrics/", metrics.metrics, name="metrics"),
    path("system/", system.system, name="system"),
    path("system/lines/", system.block_line, name="system-line"),
    path("system/log/", audit_log.organisation_log, name="system-log"),
    path("api/v1/log/", audit_api.OrganisationLog.as_view(), name="api-organisation-log"),
    path("api/v1/events/<slug:slug>/log/", audit_api.Log.as_view(), name="api-log"),
    path(
        "api/v1/events/<slug:slug>/",
        include(
            urls_of(
                Event,
                event_of,
                reads={"proofs/": audit_api.Proofs},
                unknown=False,
                room="operations",
            )
        ),
    ),
    path("desk/<slug:slug>/log/", audit_log.log, name="desk-log"),
    path("desk/<slug:slug>/log/prove/", audit_log.start_proof, name="desk-prove"),
    path("api/v1/", api_pages.guide, name="api"),
    path("api/v1/openapi.json", api_pages.openapi, name="api-openapi"),
]
