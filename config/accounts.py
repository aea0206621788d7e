"""Signing in, and the very first account of an installation."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth import authenticate, get_user_model, login
from django.contrib.auth.forms import AuthenticationForm, BaseUserCreationForm
from django.contrib.auth.views import LoginView, LogoutView
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy as _

from ledger import audit
from ledger.access import Access, declare, public
from ledger.actors import Actor
from ledger.limits import LOGIN_BY_ADDRESS, LOGIN_BY_NAME, address
from ledger.models import ORGANISATION, Role, RoleGrant

User = get_user_model()


class SignIn(AuthenticationForm):
    """User name and password, with a limit on wrong ones by name and by address."""

    def clean(self) -> dict[str, Any]:
        """Check the limits before the password, count a failure, forget on success."""
        name = str(self.cleaned_data.get("username", "")).casefold()[:150]
        here = address(self.request)
        if LOGIN_BY_NAME.reached(name) or LOGIN_BY_ADDRESS.reached(here):
            raise forms.ValidationError(
                _("Too many wrong passwords: wait ten minutes, then try again."), code="too_many"
            )
        try:
            cleaned = super().clean()
        except forms.ValidationError:
            LOGIN_BY_NAME.count(name)
            LOGIN_BY_ADDRESS.count(here)
            raise
        LOGIN_BY_NAME.clear(name)
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
