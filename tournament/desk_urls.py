"""Addresses of the desk's pages about the event as a whole, stages and draws."""

from django.urls import path

from .views import (
    desk_draws,
    desk_person,
    desk_ranking,
    desk_reveal,
    desk_rules,
    desk_settings,
    desk_staff,
    desk_stages,
    draw_proof,
)

urlpatterns = [
    path("desk/<slug:slug>/settings/", desk_settings.settings, name="desk-settings"),
    path(
        "desk/<slug:slug>/settings/<slug:verb>/",
        desk_settings.settings_verb,
        name="desk-settings-verb",
    ),
    path("desk/<slug:slug>/rules/", desk_rules.rules, name="desk-rules"),
    path("desk/<slug:slug>/finish/", desk_settings.finish, name="desk-finish"),
    path("desk/<slug:slug>/reveal/", desk_reveal.reveal, name="desk-reveal"),
    path("desk/<slug:slug>/copy/", desk_settings.copy, name="desk-copy"),
    path("desk/<slug:slug>/stages/", desk_stages.desk_stages, name="desk-stages"),
    path("desk/<slug:slug>/stages/new/", desk_stages.desk_stage, name="desk-stage-new"),
    path("desk/<slug:slug>/stages/<int:order>/", desk_stages.desk_stage, name="desk-stage"),
    path(
        "desk/<slug:slug>/stages/<int:order>/ranking/",
        desk_ranking.desk_ranking,
        name="desk-ranking",
    ),
    path("desk/<slug:slug>/stages/<int:order>/cut/", desk_stages.desk_cut, name="desk-cut"),
    path(
        "desk/<slug:slug>/stages/<int:order>/next/", desk_stages.stage_next, name="desk-stage-next"
    ),
    path("desk/<slug:slug>/staff/", desk_staff.event_staff, name="desk-staff"),
    path(
        "desk/<slug:slug>/players/<int:number>/data/", desk_person.person_data, name="desk-person"
    ),
    path("desk/<slug:slug>/wishes/", desk_stages.desk_wishes, name="desk-wishes"),
    path(
        "desk/<slug:slug>/rounds/<uuid:round_id>/draws/compare/",
        desk_draws.draw_compare,
        name="desk-compare",
    ),
    path(
        "e/<slug:slug>/draw/<int:stage>/<int:number>/proof/",
        draw_proof.proof,
        name="event-draw-proof",
    ),
    path(
        "e/<slug:slug>/draw/<int:stage>/<int:number>/request.json",
        draw_proof.request_file,
        name="event-draw-request",
    ),
]
