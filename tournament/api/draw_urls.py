"""Addresses of the draws' API, below ``/api/v1/``."""

from django.urls import path

from . import draws

urlpatterns = [
    path("events/<slug:slug>/stages/", draws.Stages.as_view(), name="api-stages"),
    path("events/<slug:slug>/stages/<int:order>/", draws.OneStage.as_view(), name="api-stage"),
    path("events/<slug:slug>/stages/<int:order>/cut/", draws.StageCut.as_view(), name="api-stage-cut"),
    path("events/<slug:slug>/stages/<int:order>/<slug:verb>/", draws.StageVerb.as_view(), name="api-stage-verb"),
    path("events/<slug:slug>/jobs/<uuid:job_id>/", draws.OneJob.as_view(), name="api-job"),
    path("events/<slug:slug>/bans/", draws.Bans.as_view(), name="api-bans"),
    path("events/<slug:slug>/bans/<int:ban>/", draws.OneBan.as_view(), name="api-ban"),
    path("events/<slug:slug>/wishes/<int:number>/", draws.EntrantWish.as_view(), name="api-wish"),
    path("events/<slug:slug>/replace/", draws.Replace.as_view(), name="api-replace"),
    path("rounds/<uuid:round_id>/draws/", draws.RoundDraws.as_view(), name="api-round-draws"),
    path("rounds/<uuid:round_id>/<slug:verb>/", draws.RoundVerb.as_view(), name="api-round-verb"),
    path("draws/<uuid:draw_id>/", draws.OneDraw.as_view(), name="api-draw"),
    path("draws/<uuid:draw_id>/request/", draws.DrawRequest.as_view(), name="api-draw-request"),
    path("draws/<uuid:draw_id>/why/<int:table>/", draws.DrawWhy.as_view(), name="api-draw-why"),
    path("draws/<uuid:draw_id>/compare/<uuid:other>/", draws.DrawCompare.as_view(), name="api-draw-compare"),
    path("draws/<uuid:draw_id>/<slug:verb>/", draws.DrawVerb.as_view(), name="api-draw-verb"),
]  # fmt: skip
