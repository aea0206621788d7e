"""Every address of the service."""

from django.urls import URLPattern, URLResolver, include, path

from . import (
    accounts,
    api_pages,
    health,
    looks,
    metrics,
    own_account,
    people,
    second_step,
    staff_pages,
    system,
)

urlpatterns: list[URLPattern | URLResolver] = [
    path("login/", accounts.sign_in, name="login"),
    path("logout/", accounts.sign_out, name="logout"),
    path("login/code/", second_step.code, name="login-code"),
    path("account/", own_account.account, name="account"),
    path("account/password/", own_account.password, name="account-password"),
    path("account/second-step/", second_step.set_up, name="account-second-step"),
    path("account/second-step/off/", second_step.turn_off, name="account-second-step-off"),
    path("account/second-step/codes/", second_step.renew_codes, name="account-codes"),
    path("account/tokens/", own_account.token_new, name="account-token-new"),
    path(
        "account/tokens/<uuid:token_id>/revoke/",
        own_account.token_revoke,
        name="account-token-revoke",
    ),
    path("system/accounts/", staff_pages.accounts, name="accounts"),
    path("desk/<slug:slug>/players/<int:number>/data/", people.person_data, name="desk-person"),
    path("desk/<slug:slug>/staff/", staff_pages.event_staff, name="desk-staff"),
    path("setup/", accounts.setup, name="setup"),
    path("language/", looks.set_language, name="set_language"),
    path("looks/", looks.set_looks, name="set_looks"),
    path("health/live/", health.live, name="health-live"),
    path("metrics/", metrics.metrics, name="metrics"),
    path("system/", system.system, name="system"),
    path("health/ready/", health.ready, name="health-ready"),
    path("api/v1/", api_pages.guide, name="api"),
    path("api/v1/openapi.json", api_pages.openapi, name="api-openapi"),
    path("api/v1/", include("scoring.api_urls")),
    path("api/v1/", include("tournament.api.draw_urls")),
    path("api/v1/", include("tournament.api.read_urls")),
    path("api/v1/", include("adjudication.api_urls")),
    path("", include("scoring.urls")),
    path("", include("tournament.urls")),
    path("", include("adjudication.urls")),
]

handler400 = "config.errors.bad_request"
handler403 = "config.errors.not_allowed"
handler404 = "config.errors.not_found"
handler500 = "config.errors.server_error"
