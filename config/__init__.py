"""Wiring: settings from the environment, urls, Celery, the application server."""

from .celery import app as celery_app

__all__ = ["celery_app"]
