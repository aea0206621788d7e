"""Addresses of the tournament's pages."""

from django.urls import include, path

from .views import (
    app,
    club_looks,
    draw_proof,
    exports,
    guides,
    live,
    notices,
    public,
    registering,
    wall,
)

_event = [
    path("", public.event_home, name="event-home"),
    path("draw/", public.draw, name="event-draw"),
    path("draw/<int:stage>/<int:number>/", public.draw, name="event-draw-round"),
    path("draw/<int:stage>/<int:number>/proof/", draw_proof.proof, name="event-draw-proof"),
    path(
        "draw/<int:stage>/<int:number>/request.json",
        draw_proof.request_file,
        name="event-draw-request",
    ),
    path("standings/", public.standings, name="event-standings"),
    path("standings/overall/", public.overall, name="event-overall"),
    path("standings/<int:stage>/", public.standings, name="event-standings-stage"),
    path("standings/<int:stage>/clubs/", public.clubs, name="event-clubs"),
    path("rulings/", public.rulings, name="event-rulings"),
    path("players/", public.player_list, name="event-players"),
    path("players/<int:number>/", public.player, name="event-player"),
    path("wall/", wall.wall, name="event-wall"),
    path("calendar.ics", exports.calendar, name="event-calendar"),
    path("version/", live.version, name="event-version"),
    path("live/", live.stream, name="event-live"),
    path("rules.pdf", guides.event_rules_card, name="event-rules-card"),
]

_badge = [
    path("", public.personal, name="personal"),
    path("manifest.json", app.personal_manifest, name="personal-manifest"),
    path("push/", notices.own_push, name="own-push"),
    path("mail/", notices.own_mail, name="own-mail"),
]

_registering = [
    path("", registering.register, name="register"),
    path("<uuid:registration_id>/", registering.registered, name="registered"),
    path("<str:token>/", registering.door, name="door"),
]

urlpatterns = [
    path("", public.home, name="home"),
    path("e/<slug:slug>/", include(_event)),
    path("p/<str:token>/", include(_badge)),
    path("register/<slug:slug>/", include(_registering)),
    path("desk/", include("tournament.desk_urls")),
    path("logo/<slug:slug>/<str:fingerprint>.png", club_looks.logo, name="club-logo"),
    path("colour/<str:digits>.css", club_looks.colour, name="club-colour"),
    path("mail/<uuid:consent_id>/", notices.mail_end, name="mail-end"),
    path("app/worker.js", app.worker, name="event-worker"),
    path("app/<slug:slug>/manifest.json", app.event_manifest, name="event-manifest"),
    path("help/", guides.guides, name="guides"),
    path("help/<slug:name>/", guides.guide, name="guide"),
    path("help/<slug:name>.pdf", guides.guide_paper, name="guide-paper"),
    path("rules/<slug:key>.pdf", guides.rules_card, name="rules-card"),
]
