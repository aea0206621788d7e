"""Addresses of the tournament's pages."""

from django.urls import include, path

from .views import desk_draws, desk_home, desk_players, desk_rounds, documents, exports, live, public, room, wall

urlpatterns = [
    path("", include("tournament.desk_urls")),
    path("", public.home, name="home"),
    path("e/<slug:slug>/", public.event_home, name="event-home"),
    path("e/<slug:slug>/draw/", public.draw, name="event-draw"),
    path("e/<slug:slug>/draw/<int:stage>/<int:number>/", public.draw, name="event-draw-round"),
    path("e/<slug:slug>/standings/", public.standings, name="event-standings"),
    path("e/<slug:slug>/standings/<int:stage>/", public.standings, name="event-standings-stage"),
    path("e/<slug:slug>/standings/<int:stage>/clubs/", public.clubs, name="event-clubs"),
    path("e/<slug:slug>/players/", public.player_list, name="event-players"),
    path("e/<slug:slug>/players/<int:number>/", public.player, name="event-player"),
    path("e/<slug:slug>/wall/", wall.wall, name="event-wall"),
    path("e/<slug:slug>/calendar.ics", exports.calendar, name="event-calendar"),
    path("p/<str:token>/", public.personal, name="personal"),
    path("e/<slug:slug>/version/", public.version, name="event-version"),
    path("e/<slug:slug>/live/", live.stream, name="event-live"),
    path("desk/", desk_home.desk, name="desk"),
    path("desk/take-up/", exports.take_up, name="desk-take-up"),
    path("desk/new/", desk_home.event_new, name="event-new"),
    path("desk/<slug:slug>/", desk_home.desk_event, name="desk-event"),
    path("desk/<slug:slug>/players/", desk_players.desk_players, name="desk-players"),
    path("desk/<slug:slug>/players/import/", desk_players.desk_import, name="desk-import"),
    path("desk/<slug:slug>/players/check-in/", desk_players.check_in_all, name="desk-check-in-all"),
    path("desk/<slug:slug>/players/<int:number>/state/", desk_players.entrant_state, name="desk-entrant-state"),
    path("desk/<slug:slug>/rounds/", desk_rounds.desk_rounds, name="desk-rounds"),
    path("desk/<slug:slug>/rounds/<uuid:round_id>/<slug:verb>/", desk_rounds.round_verb, name="desk-round"),
    path("desk/<slug:slug>/draws/<uuid:draw_id>/", desk_draws.draw_preview, name="desk-draw"),
    path("desk/<slug:slug>/stages/<int:order>/standings/", desk_rounds.standings_state, name="desk-standings-state"),
    path("desk/<slug:slug>/room/", room.desk_room, name="desk-room"),
    path("desk/<slug:slug>/room/<int:number>/", room.desk_table, name="desk-table"),
    path("desk/<slug:slug>/jobs/<uuid:job_id>/", desk_home.desk_job, name="desk-job"),
    path("desk/<slug:slug>/archive/", exports.archive, name="desk-archive"),
    path("desk/<slug:slug>/export/<slug:kind>.<slug:format>", exports.export, name="desk-export"),
    path("desk/<slug:slug>/documents/", documents.desk_documents, name="desk-documents"),
    path("desk/<slug:slug>/documents/<uuid:document_id>.pdf", documents.document, name="desk-document"),
]  # fmt: skip
