"""Members of staff, what they are in which event, and the keys of their programs.

* :class:`User`, :class:`RoleGrant`: members of staff and their roles.
* :class:`ApiToken`: what a program shows instead of a password; only its hash is kept.

The models carry the label ``ledger``, under which their tables were first made: another label would
rename the tables, and every foreign key and migration that names the user model with them.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any, ClassVar, Final

from django.contrib.auth.models import AbstractUser
from django.contrib.auth.models import UserManager as DjangoUserManager
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from ledger import audit
from ledger.actors import Actor
from ledger.anchors import chained
from ledger.change import change
from ledger.models import ORGANISATION


class UserManager(DjangoUserManager["User"]):
    """Django's manager, whose superuser is an administrator: the roles decide, not the flag."""

    use_in_migrations = False

    def create_superuser(
        self,
        username: str,
        email: str | None = None,
        password: str | None = None,
        **extra_fields: Any,
    ) -> User:
        """Make the account and give it the administrator's role (``manage.py createsuperuser``)."""
        from .evidence import account_state

        with change():
            user = super().create_superuser(username, email, password, **extra_fields)
            RoleGrant.objects.create(user=user, scope=ORGANISATION, role=Role.ADMIN)
            audit.append(
                user,
                "role.granted",
                Actor.system("createsuperuser"),
                scope=ORGANISATION,
                after={"role": Role.ADMIN, **account_state(user)},
            )
        return user


class User(AbstractUser):
    """A member of staff. Players and tables need no account.

    ``password_given``: somebody else made the password, so it is changed at the next sign-in.
    ``second_step``: a confirmed authenticator asks for a code at every sign-in.
    ``may_open_events``: opens and takes up events, and directs those, without being administrator.
    """

    password_given = models.BooleanField(default=False, db_default=False)
    second_step = models.BooleanField(default=False, db_default=False)
    may_open_events = models.BooleanField(default=False, db_default=False)

    # Given by django_otp's middleware to the user of a request.
    is_verified: Callable[[], bool]

    objects: ClassVar[UserManager] = UserManager()

    def check_password(self, raw_password: str | None) -> bool:
        """Whether this is the password. One hashed under older parameters is stored anew, with an entry."""
        from .evidence import account_state, is_recorded_password

        before = self.password
        right = super().check_password(raw_password)
        if self.password != before and is_recorded_password(self, before):
            with change():
                audit.append(
                    self,
                    "user.password_rehashed",
                    Actor.user(self.pk),
                    scope=ORGANISATION,
                    after=account_state(self, "password"),
                )
        return right

    class Meta(AbstractUser.Meta):
        app_label = "ledger"
        swappable = "AUTH_USER_MODEL"


class Role(models.TextChoices):
    """Role of a member of staff, in one event or in the whole organisation."""

    ADMIN = "admin", _("organisation administrator")
    DIRECTOR = "director", _("director")
    CHIEF_REFEREE = "chief_referee", _("chief referee")
    REFEREE = "referee", _("referee")
    APPEALS = "appeals", _("appeals member")
    SCOREKEEPER = "scorekeeper", _("scorekeeper")
    READER = "reader", _("read-only")


class RoleGrant(models.Model):
    """One role of one user in one scope; the administrator's scope is the organisation."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="role_grants")
    scope = models.UUIDField(db_index=True)
    role = models.CharField(max_length=20, choices=Role.choices)
    granted_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        app_label = "ledger"
        constraints = [
            models.UniqueConstraint(fields=["user", "scope", "role"], name="role_granted_once"),
            models.CheckConstraint(
                condition=~Q(role="admin") | Q(scope=ORGANISATION),
                name="administrator_of_the_organisation_only",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.role} {self.scope}"


# Role grants are recorded in the journal, also those of the organisation.
chained(RoleGrant, "scope")


class ApiToken(models.Model):
    """A program's key for the API: its owner's roles at most, in one event or in all of theirs.

    Kept as a hash only. ``scope`` is an event's id, or the nil id for every event of the owner;
    ``may_write`` is false for one that only reads.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=60)
    hash = models.CharField(max_length=64, unique=True)
    scope = models.UUIDField(default=ORGANISATION)
    may_write = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True)
    used_at = models.DateTimeField(null=True)

    class Meta:
        app_label = "ledger"
        constraints = [
            models.CheckConstraint(condition=~Q(hash=""), name="api_token_has_a_hash"),
        ]
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return str(self.pk)


class AttemptKind(models.TextChoices):
    """Kind of refused attempt."""

    PASSWORD = "password", _("wrong password")
    CODE = "code", _("wrong code")
    SETUP = "setup", _("wrong setup code")
    LINK = "link", _("wrong link or token")
    LIMIT = "limit", _("stopped by a limit")
    BLOCK = "block", _("stopped by a block")


class Attempt(models.Model):
    """Refused attempts of one kind within an hour, from one line (:func:`accounts.limits.one_line`).

    ``user``: the account under attack, if the name has one.
    """

    kind = models.CharField(max_length=10, choices=AttemptKind.choices)
    line = models.CharField(max_length=64)
    user = models.ForeignKey(User, null=True, on_delete=models.CASCADE, related_name="attempts")
    hour = models.DateTimeField(db_index=True)
    count = models.PositiveIntegerField(default=1)
    last_at = models.DateTimeField()

    class Meta:
        app_label = "ledger"
        constraints = [
            models.UniqueConstraint(
                fields=["hour", "line", "kind", "user"],
                condition=Q(user__isnull=False),
                name="attempts_on_an_account_once_an_hour",
            ),
            models.UniqueConstraint(
                fields=["hour", "line", "kind"],
                condition=Q(user__isnull=True),
                name="attempts_on_no_account_once_an_hour",
            ),
        ]
        ordering = ["-last_at"]

    def __str__(self) -> str:
        return f"{self.kind} {self.line} {self.count}"


class BlockedLine(models.Model):
    """A line whose attempts are refused until a time."""

    line = models.CharField(max_length=64, unique=True)
    until = models.DateTimeField()

    class Meta:
        app_label = "ledger"

    def __str__(self) -> str:
        return self.line


class SignedIn(models.Model):
    """A browser in which an account is signed in."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="signed_in")
    session_key = models.CharField(max_length=40, unique=True)
    line = models.CharField(max_length=64)
    browser = models.CharField(max_length=200)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        app_label = "ledger"
        ordering = ["-at"]

    def __str__(self) -> str:
        return f"{self.user_id} {self.at}"

    @property
    def browser_name(self) -> str:
        """Names of the browser and the system, as ``Firefox, Windows``; the header where it names neither."""
        named = (
            next((name for mark, name in marks if mark in self.browser), "")
            for marks in (_BROWSERS, _SYSTEMS)
        )
        return ", ".join(filter(None, named)) or self.browser


# Later browsers name earlier ones in their header, so the order matters.
_BROWSERS: Final = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox", "Firefox"),
    ("FxiOS", "Firefox"),
    ("Chrome", "Chrome"),
    ("CriOS", "Chrome"),
    ("Safari", "Safari"),
)
_SYSTEMS: Final = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
)
