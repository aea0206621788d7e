"""Addresses of the accounts' pages; those that name events are in the wiring."""

from django.urls import path

from .views import accounts, looks, own_account, second_step, sign_in

urlpatterns = [
    path("login/", sign_in.sign_in, name="login"),
    path("logout/", sign_in.sign_out, name="logout"),
    path("login/code/", second_step.code, name="login-code"),
    path("setup/", sign_in.setup, name="setup"),
    path("account/password/", own_account.password, name="account-password"),
    path("account/second-step/", second_step.set_up, name="account-second-step"),
    path("account/second-step/off/", second_step.turn_off, name="account-second-step-off"),
    path("account/second-step/codes/", second_step.renew_codes, name="account-codes"),
    path(
        "account/tokens/<uuid:token_id>/revoke/",
        own_account.token_revoke,
        name="account-token-revoke",
    ),
    path("account/browsers/end/", own_account.end_browser, name="account-browsers-end"),
    path(
        "account/browsers/<int:browser>/end/", own_account.end_browser, name="account-browser-end"
    ),
    path("system/accounts/", accounts.accounts, name="accounts"),
    path("language/", looks.set_language, name="set_language"),
    path("looks/", looks.set_looks, name="set_looks"),
]
