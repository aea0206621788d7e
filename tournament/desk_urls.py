"""Addresses of the desk's pages, below ``/desk/``."""

from django.urls import URLPattern, URLResolver, include, path

from .views import (
    desk_book,
    desk_deleted,
    desk_draws,
    desk_home,
    desk_links,
    desk_members,
    desk_misread,
    desk_person,
    desk_player,
    desk_players,
    desk_ranking,
    desk_reveal,
    desk_rounds,
    desk_rules,
    desk_settings,
    desk_staff,
    desk_stages,
    documents,
    doing,
    exports,
    house_rules,
    notices,
    registering,
    room,
)

_players = [
    path("", desk_players.desk_players, name="desk-players"),
    path("members/", desk_members.tick_members, name="desk-members"),
    path("import/", desk_players.desk_import, name="desk-import"),
    path("import/misread/", desk_misread.desk_misread, name="desk-misread"),
    path("scan/", desk_players.scan, name="desk-scan"),
    path("registrations/", registering.desk_registrations, name="desk-registrations"),
    path("mail-links/", notices.mail_links, name="desk-mail-links"),
    path("check-in/", desk_players.check_in_all, name="desk-check-in-all"),
    path("<int:number>/", desk_player.desk_player, name="desk-player"),
    path("<int:number>/data/", desk_person.person_data, name="desk-person"),
    path("<int:number>/link/", desk_links.player_link, name="desk-player-link"),
    path("<int:number>/state/", desk_players.entrant_state, name="desk-entrant-state"),
]

_stages = [
    path("", desk_stages.desk_stages, name="desk-stages"),
    path("new/", desk_stages.desk_stage, name="desk-stage-new"),
    path("<int:order>/", desk_stages.desk_stage, name="desk-stage"),
    path("<int:order>/ranking/", desk_ranking.desk_ranking, name="desk-ranking"),
    path("<int:order>/cut/", desk_stages.desk_cut, name="desk-cut"),
    path("<int:order>/next/", desk_stages.stage_next, name="desk-stage-next"),
    path("<int:order>/standings/", desk_rounds.standings_state, name="desk-standings-state"),
]

_rounds = [
    path("", desk_rounds.desk_rounds, name="desk-rounds"),
    path("<uuid:round_id>/draws/compare/", desk_draws.draw_compare, name="desk-compare"),
    path("<uuid:round_id>/<slug:verb>/", desk_rounds.round_verb, name="desk-round"),
]

_event: list[URLPattern | URLResolver] = [
    path("", desk_home.desk_event, name="desk-event"),
    path("players/", include(_players)),
    path("stages/", include(_stages)),
    path("rounds/", include(_rounds)),
    path("draws/<uuid:draw_id>/", desk_draws.draw_preview, name="desk-draw"),
    path("room/", room.desk_room, name="desk-room"),
    path("room/<int:number>/", room.desk_table, name="desk-table"),
    path("room/<uuid:round_id>/", room.desk_room, name="desk-round-room"),
    path("replay/<uuid:sheet_id>/", room.replay_game, name="desk-replay"),
    path("room/<uuid:round_id>/<int:number>/", room.desk_table, name="desk-round-table"),
    path("room/players/<int:number>/", room.player_games, name="desk-player-games"),
    path("book/", desk_book.desk_book, name="desk-event-book"),
    path("book/<int:order>/", desk_book.desk_book, name="desk-book"),
    path("jobs/<uuid:job_id>/", desk_home.desk_job, name="desk-job"),
    path("settings/", desk_settings.settings, name="desk-settings"),
    path("settings/delete/", desk_settings.delete, name="desk-delete"),
    path("do/<slug:verb>/<str:key>/", doing.do_verb, name="desk-do"),
    path("rules/", desk_rules.rules, name="desk-rules"),
    path("staff/", desk_staff.event_staff, name="desk-staff"),
    path("wishes/", desk_stages.desk_wishes, name="desk-wishes"),
    path("documents/", documents.desk_documents, name="desk-documents"),
    path("documents/<uuid:document_id>.pdf", documents.document, name="desk-document"),
    path("export/<slug:kind>.<slug:format>", exports.export, name="desk-export"),
    path("archive/", exports.archive, name="desk-archive"),
    path("reveal/", desk_reveal.reveal, name="desk-reveal"),
    path("finish/", desk_settings.finish, name="desk-finish"),
    path("copy/", desk_settings.copy, name="desk-copy"),
]

urlpatterns = [
    path("", desk_home.desk, name="desk"),
    path("new/", desk_home.event_new, name="event-new"),
    path("take-up/", exports.take_up, name="desk-take-up"),
    path("deleted/", desk_deleted.deleted, name="desk-deleted"),
    path("deleted/<uuid:sealed_id>/undo/", desk_deleted.undo, name="desk-deleted-undo"),
    path("members/", desk_members.register, name="members"),
    path("members/<uuid:member_id>/", desk_members.member, name="member"),
    path("house-rules/", house_rules.all_rules, name="house-rules"),
    path("house-rules/<uuid:rules_id>/", house_rules.one, name="house-rules-one"),
    path("house-rules/<uuid:rules_id>/compare/", house_rules.compare, name="house-rules-compare"),
    path("house-rules/<uuid:rules_id>/card.pdf", house_rules.rules_card, name="house-rules-card"),
    path("<slug:slug>/", include(_event)),
]
