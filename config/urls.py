"""Every address of the service."""

from django.urls import URLPattern, URLResolver, include, path

from accounts.views import own_account
from tournament.access import events_in

_events = {"events_in": events_in}

_api = [
    path("", include("tournament.table_api_urls")),
    path("", include("tournament.api.draw_urls")),
    path("", include("tournament.api.read_urls")),
    path("", include("adjudication.api_urls")),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("", include("operations.urls")),
    path("", include("tournament.table_urls")),
    path("", include("tournament.urls")),
    path("", include("adjudication.urls")),
    path("", include("accounts.urls")),
    path("account/", own_account.account, _events, name="account"),
    path("account/tokens/", own_account.token_new, _events, name="account-token-new"),
    path("api/v1/", include(_api)),
]

handler400 = "config.errors.bad_request"
handler403 = "config.errors.not_allowed"
handler404 = "config.errors.not_found"
handler500 = "config.errors.server_error"
