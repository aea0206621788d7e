"""Addresses of a table's pages."""

from django.urls import path

from .views import table

urlpatterns = [
    path("t/<str:token>/", table.table_page, name="table"),
]
