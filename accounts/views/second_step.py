"""The pages of the second step: the code at sign-in, setting it up, backup codes, turning it off."""

from __future__ import annotations

import time
from typing import Final

import django_otp
import segno
from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import authenticate, login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, QueryDict
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts import second_step
from accounts.access import own_account, public
from accounts.attempts import note_attempt, note_sign_in
from accounts.limits import CODES_BY_DAY, CODES_BY_USER, Limit, address
from accounts.models import AttemptKind, User
from accounts.pages import Page, show_page
from accounts.views.sign_in import (
    PENDING,
    keep_browser,
    known_browser,
    tell_attempts,
    too_many_attempts,
)
from ledger.actors import Actor

_PATIENCE: Final = 600
"""Seconds in which the code must follow the password."""

_BACKEND: Final = "django.contrib.auth.backends.ModelBackend"


class CodeForm(forms.Form):
    """A code of the authenticator, or a backup code."""

    code = forms.CharField(
        label=gettext_lazy("Code"),
        max_length=20,
        help_text=gettext_lazy("Six digits from your authenticator, or one of your backup codes."),
        widget=forms.TextInput(
            attrs={"autocomplete": "one-time-code", "autocapitalize": "none", "spellcheck": "false"}
        ),
    )


def user_of(request: HttpRequest) -> User:
    """Return the signed-in user of a request."""
    if not isinstance(request.user, User):
        raise PermissionDenied
    return request.user


class PasswordForm(forms.Form):
    """The password once more, before something that weakens the account."""

    password = forms.CharField(
        label=gettext_lazy("Password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )

    def __init__(
        self, data: QueryDict | None = None, *, request: HttpRequest, auto_id: str = "id_%s"
    ) -> None:
        super().__init__(data, auto_id=auto_id)
        self.request = request

    def clean_password(self) -> str:
        """Require the right password, under the limit of wrong codes."""
        user = user_of(self.request)
        if not CODES_BY_USER.take(str(user.pk)):
            raise forms.ValidationError(too_many_attempts(CODES_BY_USER, str(user.pk)))
        given = str(self.cleaned_data["password"])
        if authenticate(self.request, username=user.get_username(), password=given) is None:
            raise forms.ValidationError(_("Wrong password."))
        CODES_BY_USER.give_back(str(user.pk))
        return given


def wanted_page(request: HttpRequest, following: str) -> str:
    """Return the page requested before signing in, if it belongs to this service, else the default page."""
    safe = url_has_allowed_host_and_scheme(
        following, {request.get_host()}, require_https=request.is_secure()
    )
    return following if safe else settings.LOGIN_REDIRECT_URL


def _pending(request: HttpRequest) -> tuple[User, str] | None:
    """Return the user who owes a second step, and the page to show afterwards; ``None`` if no step is due."""
    if request.user.is_authenticated:
        user = request.user
        wants = user.second_step and not user.is_verified()
        return (user, request.GET.get("next", "")) if wants else None
    note = request.session.get(PENDING)
    if not note or not 0 <= time.time() - note["at"] <= _PATIENCE:
        return None
    person = User.objects.filter(pk=note["user"], is_active=True, second_step=True).first()
    if person is None or person.get_session_auth_hash() != note["password"]:
        return None
    return person, note["next"]


def _too_many(limit: Limit, who: str) -> str:
    """Return the message for too many codes, with the remaining waiting time."""
    when = {"time": limit.wait_in_words(who)}
    if limit is CODES_BY_DAY:
        return (
            _("Too many codes were tried: try again in %(time)s, or use a backup code now.") % when
        )
    return _("Too many codes were tried: try again in %(time)s.") % when


def _try(request: HttpRequest, user: User, form: CodeForm) -> object:
    """Return the device that the code belongs to; ``None`` with the reason on the form.

    Guesses from elsewhere block neither a known browser of the account nor its backup codes.
    """
    given = "".join(form.cleaned_data["code"].split())
    known = known_browser(request, user.get_username().casefold()[:150])
    counted = [(CODES_BY_USER, f"{user.pk}:{known or address(request)}")]
    if second_step.is_of_authenticator(given):
        counted.append((CODES_BY_DAY, f"{user.pk}:{'known' if known else 'new'}"))
    for place, (limit, who) in enumerate(counted):
        if not limit.take(who):
            for earlier, whose in counted[:place]:
                earlier.give_back(whose)
            form.add_error("code", _too_many(limit, who))
            return None
    device = second_step.check(user_id=user.pk, code=given)
    if device is None:
        note_attempt(AttemptKind.CODE, address(request), user)
        form.add_error("code", _("This code is wrong or has already been used."))
        return None
    for limit, who in counted:
        limit.give_back(who)
    return device


class CodePage(Page, template="accounts/code.html"):
    form: CodeForm


@public
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def code(request: HttpRequest) -> HttpResponseBase:
    """Ask for the code after the password, also in a session from before the second step."""
    person = _pending(request)
    if person is None:
        return redirect("login")
    user, following = person
    form = CodeForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        device = _try(request, user, form)
        if device is not None:
            request.session.pop(PENDING, None)
            tell_attempts(request, user)
            login(request, user, backend=_BACKEND)
            django_otp.login(request, device)
            note_sign_in(request, user, address(request))
            response = redirect(wanted_page(request, following))
            keep_browser(request, response, user.get_username())
            return response
    status = 422 if form.errors else 200
    return show_page(request, CodePage(form=form), status=status)


def _qr(text: str) -> str:
    """Return the QR code as SVG without style: its colours come from the page."""
    drawn = segno.make(text, error="m").svg_inline(
        scale=5,
        border=4,
        dark="#000",
        light="#fff",
        omitsize=True,
        svgclass="qr__code",
        lineclass=None,
    )
    return mark_safe(drawn)  # noqa: S308 - segno's own markup of modules, no text of anybody


class SecondStepPage(Page, template="accounts/second_step.html"):
    form: CodeForm
    qr: str
    secret: str
    must: bool


class CodesPage(Page, template="accounts/codes.html"):
    codes: list[str]
    first: bool = False


@own_account
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def set_up(request: HttpRequest) -> HttpResponseBase:
    """Read the QR code, type the first code, note the backup codes."""
    user = user_of(request)
    if user.second_step:
        return redirect("account")
    form = CodeForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        done = second_step.confirm(
            user_id=user.pk,
            code="".join(form.cleaned_data["code"].split()),
            actor=Actor.user(user.pk),
        )
        if done is not None:
            django_otp.login(request, done[0])
            return show_page(request, CodesPage(codes=done[1], first=True))
        form.add_error("code", _("Wrong code. Check that your phone’s clock is correct."))
    form.fields["code"].help_text = ""
    device = second_step.begin(user_id=user.pk)
    context = SecondStepPage(
        form=form,
        qr=_qr(device.config_url),
        secret=second_step.secret_of(device),
        must=second_step.required_of(user),
    )
    return show_page(request, context, status=422 if form.errors else 200)


def _with_password(request: HttpRequest) -> PasswordForm | None:
    """Return the form with the right password, or ``None`` after showing its errors."""
    form = PasswordForm(request.POST, request=request)
    if form.is_valid():
        return form
    for error in form.errors.get("password", []):
        messages.error(request, str(error))
    return None


def _may_change(request: HttpRequest) -> bool:
    user = user_of(request)
    return not user.second_step or user.is_verified()


@own_account
@require_POST
def turn_off(request: HttpRequest) -> HttpResponseBase:
    """Turn the second step off, with the password, in a session that passed it."""
    user = user_of(request)
    if not _may_change(request):
        return redirect("login-code")
    if _with_password(request) is not None:
        second_step.turn_off(user_id=user.pk, actor=Actor.user(user.pk))
        messages.success(request, _("Two-step sign-in is off."))
    return redirect("account")


@own_account
@never_cache
@require_POST
def renew_codes(request: HttpRequest) -> HttpResponse | HttpResponseBase:
    """Replace the backup codes, with the password, in a session that passed the second step."""
    user = user_of(request)
    if not _may_change(request):
        return redirect("login-code")
    if not user.second_step or _with_password(request) is None:
        return redirect("account")
    codes = second_step.renew_codes(user_id=user.pk, actor=Actor.user(user.pk))
    return show_page(request, CodesPage(codes=codes))
