"""Every address of the service."""

from django.urls import URLPattern, URLResolver, include, path

from . import accounts, health, looks, metrics, system

urlpatterns: list[URLPattern | URLResolver] = [
    path("login/", accounts.sign_in, name="login"),
    path("logout/", accounts.sign_out, name="logout"),
    path("setup/", accounts.setup, name="setup"),
    path("language/", looks.set_language, name="set_language"),
    path("looks/", looks.set_looks, name="set_looks"),
    path("health/live/", health.live, name="health-live"),
    path("metrics/", metrics.metrics, name="metrics"),
    path("system/", system.system, name="system"),
    path("health/ready/", health.ready, name="health-ready"),
    path("api/v1/", include("scoring.api_urls")),
    path("api/v1/", include("tournament.api.draw_urls")),
    path("api/v1/", include("tournament.api.read_urls")),
    path("api/v1/", include("adjudication.api_urls")),
    path("", include("scoring.urls")),
    path("", include("tournament.urls")),
    path("", include("adjudication.urls")),
]

handler500 = "config.errors.server_error"
