"""Signing in, and the very first account of an installation."""

from __future__ import annotations

import base64
import time
import uuid
from urllib.parse import urlencode

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.forms import AuthenticationForm, BaseUserCreationForm
from django.contrib.auth.views import LoginView, LogoutView
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts import staff
from accounts.access import Access, declare, public
from accounts.attempts import attempts_on, note_attempt, note_sign_in, seconds_blocked
from accounts.limits import (
    LOGIN_BY_ADDRESS,
    LOGIN_BY_BROWSER,
    LOGIN_BY_NAME,
    LOGIN_OF_NOBODY,
    LOGIN_ONE_BY_ONE,
    SETUP_BY_ADDRESS,
    Limit,
    address,
)
from accounts.models import AttemptKind, User
from accounts.pages import Page, show_page
from accounts.passwords import wait_like_a_check
from ledger.errors import Conflict

PENDING = "second_step"
"""The session's note that a password was right and the code is still asked for."""


KNOWN_COOKIE = "known"
"""Says that this browser signed in with this name before, so that a stranger's wrong passwords in
the same hall do not lock its owner out (OWASP, device cookies)."""


def known_browser(request: HttpRequest, name: str) -> str:
    """Return the id of this browser if ``name`` signed in with it before; empty otherwise."""
    text = request.get_signed_cookie(KNOWN_COOKIE, default="", salt=f"known:{name}")
    return str(text)[:40]


def keep_browser(request: HttpRequest, response: HttpResponseBase, name: str) -> None:
    """Remember that ``name`` has signed in with this browser, for three months."""
    name = name.casefold()[:150]
    response.set_signed_cookie(
        KNOWN_COOKIE,
        known_browser(request, name) or uuid.uuid4().hex,
        salt=f"known:{name}",
        max_age=90 * 24 * 3600,
        httponly=True,
        secure=settings.HTTPS,
        samesite="Lax",
    )


def too_many_attempts(limit: Limit, who: str) -> str:
    """Return the message for too many attempts by ``who``, with the remaining waiting time."""
    return _("Too many attempts: try again in %(time)s.") % {"time": limit.wait_in_words(who)}


def _refusal(limit: Limit, who: str) -> str:
    if limit is LOGIN_BY_ADDRESS and seconds_blocked(who):
        when = {"time": limit.wait_in_words(who)}
        return _("Sign-ins from this network are blocked: try again in %(time)s.") % when
    if limit is not LOGIN_BY_ADDRESS:
        when = {"time": limit.wait_in_words(who)}
        return _("Too many wrong passwords: try again in %(time)s.") % when
    seconds = LOGIN_ONE_BY_ONE.seconds
    return ngettext(
        "Too many wrong passwords from this network: try again in %(seconds)d second.",
        "Too many wrong passwords from this network: try again in %(seconds)d seconds.",
        seconds,
    ) % {"seconds": seconds}


class SignIn(AuthenticationForm):
    """User name and password, with a limit on wrong ones by name and by address.

    A browser with which the name signed in before has a limit of its own. Others wait for the turn
    of their name once their address is full, so that a guesser does not keep those out who share it.
    Whether a name has an account is said by no answer, nor by when it comes.
    """

    def _limits(self, name: str) -> list[tuple[Limit, str]]:
        if self.request is None:
            return [(LOGIN_BY_NAME, name)]
        known = known_browser(self.request, name)
        if known:
            return [(LOGIN_BY_BROWSER, known)]
        return [(LOGIN_BY_NAME, name), (LOGIN_BY_ADDRESS, address(self.request))]

    def _take(self, name: str) -> list[tuple[Limit, str]]:
        """Count the attempt against every limit; return the counted limits.

        Raises:
            ValidationError: A limit is exceeded; the counts of this attempt are refunded.
        """
        taken: list[tuple[Limit, str]] = []
        for limit, who in self._limits(name):
            if limit.take(who):
                taken.append((limit, who))
            elif (
                limit is LOGIN_BY_ADDRESS
                and not seconds_blocked(who)
                and LOGIN_ONE_BY_ONE.take(f"{who}:{name}")
            ):
                taken.append((LOGIN_ONE_BY_ONE, f"{who}:{name}"))
            else:
                for earlier, whose in taken:
                    earlier.give_back(whose)
                raise forms.ValidationError(_refusal(limit, who), code="too_many")
        return taken

    def _account(self) -> User | None:
        return User.objects.filter(username=self.cleaned_data.get("username", "")).first()

    def clean(self) -> dict[str, object]:
        """Count the attempt, then evaluate it; refund the attempt for a right password."""
        name = str(self.cleaned_data.get("username", "")).casefold()[:150]
        taken = self._take(name)
        environ = self.request.META if self.request is not None else {}
        account = self._account()
        line = address(self.request) if self.request is not None else ""
        try:
            if account is None and not LOGIN_OF_NOBODY.take("all") and wait_like_a_check(environ):
                raise self.get_invalid_login_error()
            cleaned = super().clean()
        except forms.ValidationError:
            note_attempt(AttemptKind.PASSWORD, line, account)
            raise
        taken[0][0].clear(taken[0][1])
        for limit, who in taken[1:]:
            limit.give_back(who)
        return cleaned


def tell_attempts(request: HttpRequest, user: User) -> None:
    """Show an owner who signs in the failed attempts on the account since the last sign-in."""
    count = sum(each.count for each in attempts_on(user, since=user.last_login))
    if count:
        messages.warning(
            request,
            ngettext(
                "%(n)d failed sign-in with your name since you last signed in: see “My account”.",
                "%(n)d failed sign-ins with your name since you last signed in: see “My account”.",
                count,
            )
            % {"n": count},
        )


class SignInView(LoginView):
    """Sign-in page; without any account it redirects to the set-up of the first account."""

    form_class = SignIn
    template_name = "accounts/login.html"
    redirect_authenticated_user = True

    def get(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        """Show the form, or redirect to the set-up of the first account."""
        if setup_is_open():
            return redirect("setup")
        return super().get(request, *args, **kwargs)

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        """Sign in after a right password, or require the second step first."""
        user = form.get_user()
        if user.second_step:
            self.request.session.cycle_key()
            self.request.session[PENDING] = {
                "user": user.pk,
                "at": int(time.time()),
                "next": self.get_redirect_url(),
                "password": user.get_session_auth_hash(),
            }
            return redirect("login-code")
        tell_attempts(self.request, user)
        response = super().form_valid(form)
        note_sign_in(self.request, user, address(self.request))
        keep_browser(self.request, response, user.get_username())
        return response


sign_in = declare(SignInView.as_view(), Access("public"))
sign_out = declare(LogoutView.as_view(), Access("public"))


def setup_code() -> str:
    """Return the code required to create the first account, known to the service's operator.

    ``SETUP_CODE`` if set, else a code derived from the secret key, so that every process of an
    installation has the same code.
    """
    if settings.SETUP_CODE:
        return str(settings.SETUP_CODE)
    digest = salted_hmac("manille.setup", "first account", algorithm="sha256").digest()
    letters = base64.b32encode(digest)[:12].decode()
    return "-".join(letters[place : place + 4] for place in range(0, 12, 4))


def setup_is_open() -> bool:
    """Return whether no account exists yet."""
    return not User.objects.exists()


def setup_path() -> str:
    """Return the path of the first account's page with its code, for the console of the start."""
    return f"{reverse('setup')}?{urlencode({'code': setup_code()})}"


def _bare(code: str) -> str:
    return "".join(sign for sign in code.upper() if sign.isalnum())


class FirstAccount(BaseUserCreationForm):  # type: ignore[type-arg]  # takes none at run time
    """The administrator's account, made by the person who started the installation."""

    code = forms.CharField(
        label=gettext_lazy("Setup code"),
        max_length=100,
        help_text=gettext_lazy(
            "It is shown in the window where the service was started, or set there by SETUP_CODE."
        ),
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )

    class Meta:
        model = User
        fields = ("username",)

    field_order = ("code", "username")

    def __init__(self, *args: object, request: HttpRequest, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].help_text = _(
            "A user name has 1 to 60 letters, digits or characters from @ . + - _, without spaces."
        )
        self.request = request

    def clean_code(self) -> str:
        """Check the code, with a limit on wrong ones."""
        given = str(self.cleaned_data["code"])
        here = address(self.request)
        if not SETUP_BY_ADDRESS.take(here):
            raise forms.ValidationError(too_many_attempts(SETUP_BY_ADDRESS, here))
        if not constant_time_compare(_bare(given), _bare(setup_code())):
            note_attempt(AttemptKind.SETUP, here)
            raise forms.ValidationError(
                _("This is not the setup code: copy it from where the service was started.")
            )
        SETUP_BY_ADDRESS.give_back(here)
        return given


class SetupPage(Page, template="accounts/setup.html"):
    form: FirstAccount


@public
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def setup(request: HttpRequest) -> HttpResponse:
    """Create the first account, the administrator of the organisation."""
    if not setup_is_open():
        return redirect("login")
    form = FirstAccount(
        request.POST if request.method == "POST" else None,
        request=request,
        initial={"code": request.GET.get("code", "")[:100]},
    )
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        try:
            user = staff.create_first_account(name=data["username"], password=data["password1"])
        except Conflict as refusal:
            messages.error(request, str(refusal))
            return redirect("login")
        login(request, user, backend=settings.AUTHENTICATION_BACKENDS[0])
        note_sign_in(request, user, address(request))
        return redirect("event-new")
    status = 422 if form.errors else 200
    return show_page(request, SetupPage(form=form), status=status)
