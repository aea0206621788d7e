"""Addresses of a table's pages."""

from django.urls import path

from .views import rules_lab, table

urlpatterns = [
    path("rules/", rules_lab.rules_lab, name="rules-lab"),
    path("t/<str:token>/", table.table_page, name="table"),
]
