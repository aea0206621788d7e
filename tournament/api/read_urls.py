"""Addresses of the read-only API."""

from django.urls import path

from tournament.front import kept_by_version

from . import read

urlpatterns = [
    path("events/", read.Events.as_view(), name="api-events"),
    path("events/<slug:slug>/", kept_by_version(read.EventDetail.as_view()), name="api-event"),
    *(
        path(
            f"events/<slug:slug>/{kind}/",
            kept_by_version(read.listed(kind).as_view()),
            name=f"api-{kind}",
        )
        for kind in read.COLUMNS
    ),
]
