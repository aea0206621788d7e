"""Signing in, and the very first account of an installation."""

from __future__ import annotations

import time
import uuid
from typing import Any

from django import forms
from django.conf import settings
from django.contrib.auth import authenticate, get_user_model, login
from django.contrib.auth.forms import AuthenticationForm, BaseUserCreationForm
from django.contrib.auth.views import LoginView, LogoutView
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy as _

from ledger import audit
from ledger.access import Access, declare, public
from ledger.actors import Actor
from ledger.limits import (
    LOGIN_BY_ADDRESS,
    LOGIN_BY_BROWSER,
    LOGIN_BY_NAME,
    Limit,
    address,
)
from ledger.models import ORGANISATION, Role, RoleGrant

User = get_user_model()
PENDING = "second_step"
"""The session's note that a password was right and the code is still asked for."""


KNOWN_COOKIE = "known"
"""Says that this browser signed in with this name before, so that a stranger's wrong passwords in
the same hall do not lock its owner out (OWASP, device cookies)."""


def _known_browser(request: HttpRequest, name: str) -> str:
    """The id of this browser where ``name`` signed in with it before; empty otherwise."""
    text = request.get_signed_cookie(KNOWN_COOKIE, default="", salt=f"known:{name}")
    return str(text)[:40]


def keep_browser(request: HttpRequest, response: HttpResponseBase, name: str) -> None:
    """Remember that ``name`` has signed in with this browser, for three months."""
    name = name.casefold()[:150]
    response.set_signed_cookie(
        KNOWN_COOKIE, _known_browser(request, name) or uuid.uuid4().hex, salt=f"known:{name}",
        max_age=90 * 24 * 3600, httponly=True, secure=settings.HTTPS, samesite="Lax",
    )  # fmt: skip


class SignIn(AuthenticationForm):
    """User name and password, with a limit on wrong ones by name and by address.

    A browser with which the name signed in before has a limit of its own.
    """

    def _limits(self, name: str) -> list[tuple[Limit, str]]:
        known = _known_browser(self.request, name)
        if known:
            return [(LOGIN_BY_BROWSER, known)]
        return [(LOGIN_BY_NAME, name), (LOGIN_BY_ADDRESS, address(self.request))]

    def clean(self) -> dict[str, Any]:
        """Check the limits before the password, count a failure, forget on success."""
        name = str(self.cleaned_data.get("username", "")).casefold()[:150]
        limits = self._limits(name)
        if any(limit.reached(who) for limit, who in limits):
            raise forms.ValidationError(
                _("Too many wrong passwords: wait ten minutes, then try again."), code="too_many"
            )
        try:
            cleaned = super().clean()
        except forms.ValidationError:
            for limit, who in limits:
                limit.count(who)
            raise
        limits[0][0].clear(limits[0][1])
        return cleaned


class SignInView(LoginView):
    """The sign-in page; where nobody has an account yet, it leads to the first one."""

    form_class = SignIn
    template_name = "accounts/login.html"
    redirect_authenticated_user = True

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Show the form, or lead to the first account."""
        if not User.objects.exists():
            return redirect("setup")
        return super().get(request, *args, **kwargs)

    def form_valid(self, form: AuthenticationForm) -> HttpResponseBase:
        """The password is right: sign in, or ask for the second step first."""
        user = form.get_user()
        if user.second_step:
            self.request.session.cycle_key()
            self.request.session[PENDING] = {
                "user": user.pk, "at": int(time.time()), "next": self.get_redirect_url(),
                "password": user.get_session_auth_hash(),
            }  # fmt: skip
            return redirect("login-code")
        response = super().form_valid(form)
        keep_browser(self.request, response, user.get_username())
        return response


sign_in = declare(SignInView.as_view(), Access("public"))
sign_out = declare(LogoutView.as_view(), Access("public"))


class FirstAccount(BaseUserCreationForm):
    """The administrator's account, made by whoever starts the installation."""

    class Meta:
        model = User
        fields = ("username",)


@public
def setup(request: HttpRequest) -> HttpResponse:
    """The first visit: make the first account, which administers the organisation."""
    if User.objects.exists():
        return redirect("login")
    form = FirstAccount(request.POST or None)
    if request.method == "POST" and form.is_valid():
        with transaction.atomic():
            user = form.save()
            RoleGrant.objects.create(user=user, scope=ORGANISATION, role=Role.ADMIN)
            audit.append(
                scope=ORGANISATION, actor=Actor.user(user.pk), verb="user.first", subject=user
            )
        signed_in = authenticate(
            request, username=user.username, password=form.cleaned_data["password1"]
        )
        login(request, signed_in)
        return redirect("event-new")
    return render(request, "accounts/setup.html", {"form": form})
