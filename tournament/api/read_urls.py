"""Addresses of the read-only API."""

from django.urls import path

from tournament.public.conditional import follows

from . import read

urlpatterns = [
    path("events/", read.Events.as_view(), name="api-events"),
    path("events/<slug:slug>/", follows("event")(read.EventDetail.as_view()), name="api-event"),
    *(
        path(
            f"events/<slug:slug>/{kind}/",
            follows("event")(read.listed(kind).as_view()),
            name=f"api-{kind}",
        )
        for kind in read.COLUMNS
    ),
]
