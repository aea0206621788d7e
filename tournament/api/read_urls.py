"""Addresses of the read-only API."""

from django.urls import include, path

from tournament.public.conditional import follows

from . import read

_event = [
    path("", follows("event")(read.EventDetail.as_view()), name="api-event"),
    *(
        path(f"{kind}/", follows("event")(read.listed(kind).as_view()), name=f"api-{kind}")
        for kind in read.COLUMNS
    ),
]

urlpatterns = [
    path("events/<slug:slug>/", include(_event)),
]
