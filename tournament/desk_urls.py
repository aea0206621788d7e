"""Addresses of the desk's pages about stages and draws."""

from django.urls import path

from .views import desk_draws, desk_stages, draw_proof

urlpatterns = [
    path("desk/<slug:slug>/stages/", desk_stages.desk_stages, name="desk-stages"),
    path("desk/<slug:slug>/stages/new/", desk_stages.desk_stage, name="desk-stage-new"),
    path("desk/<slug:slug>/stages/<int:order>/", desk_stages.desk_stage, name="desk-stage"),
    path("desk/<slug:slug>/stages/<int:order>/cut/", desk_stages.desk_cut, name="desk-cut"),
    path("desk/<slug:slug>/stages/<int:order>/next/", desk_stages.stage_next, name="desk-stage-next"),
    path("desk/<slug:slug>/wishes/", desk_stages.desk_wishes, name="desk-wishes"),
    path("desk/<slug:slug>/rounds/<uuid:round_id>/draws/compare/", desk_draws.draw_compare, name="desk-compare"),
    path("e/<slug:slug>/draw/<int:stage>/<int:number>/proof/", draw_proof.proof, name="event-draw-proof"),
    path("e/<slug:slug>/draw/<int:stage>/<int:number>/request.json", draw_proof.request_file, name="event-draw-request"),
]  # fmt: skip
