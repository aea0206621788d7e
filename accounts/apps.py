"""The accounts room's place among the applications."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """Users, roles, signing in, the second step and the tokens of programs."""

    name = "accounts"
