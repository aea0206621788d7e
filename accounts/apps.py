"""The accounts room's place among the applications."""

from django.apps import AppConfig
from django.conf import settings

from ledger.errors import WrongSetting


class AccountsConfig(AppConfig):
    """Users, roles, signing in, the second step and the tokens of programs."""

    name = "accounts"

    def ready(self) -> None:
        """Compare roles and accounts with the chain; refuse an unknown role in ``SECOND_STEP_ROLES``, which would protect no account."""
        from ledger.rows import compare

        from .evidence import account_faults, role_faults
        from .models import Role

        compare(role_faults)
        compare(account_faults)

        unknown = [word for word in settings.SECOND_STEP_ROLES if word not in Role.values]
        if unknown:
            raise WrongSetting(
                f"{unknown[0]!r} is no role: set SECOND_STEP_ROLES to words of {', '.join(Role.values)}."
            )
