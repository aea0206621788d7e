"""Addresses of the scoring room's API, below ``/api/v1/``."""

from django.urls import path

from .api import rules

urlpatterns = [
    path("rules/rulebooks/", rules.RulebookList.as_view(), name="api-rulebooks"),
    path("rules/<str:call>/", rules.RuleCall.as_view(), name="api-rules"),
]
