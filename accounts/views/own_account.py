"""Page of the signed-in person's account: password, second step, API tokens."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Collection

from django import forms
from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.forms import PasswordChangeForm
from django.http import HttpRequest, QueryDict
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import api_tokens, attempts, second_step, staff
from accounts.access import actor_of, own_account, signed_in
from accounts.limits import CODES_BY_USER, address
from accounts.models import ApiToken, Attempt, RoleGrant, SignedIn, User
from accounts.pages import Page, show_page
from accounts.views.second_step import PasswordForm, user_of, wanted_page
from accounts.views.sign_in import too_many_attempts
from ledger.actors import Actor
from ledger.errors import Refused
from ledger.models import ORGANISATION


class TokenForm(PasswordForm):
    """Purpose and reach of a new API token; the password confirms the account's owner."""

    name = forms.CharField(label=gettext_lazy("What it is for"), max_length=60)
    may_write = forms.BooleanField(label=gettext_lazy("May also make changes"), required=False)
    days = forms.IntegerField(
        label=gettext_lazy("Valid for (days)"),
        min_value=1,
        max_value=api_tokens.MOST_DAYS,
        initial=30,
    )

    field_order = ("name", "scope", "may_write", "days", "password")

    def __init__(
        self, data: QueryDict | None = None, *, request: HttpRequest, events: Choices
    ) -> None:
        super().__init__(data, request=request, auto_id="token_%s")
        self.fields["scope"] = forms.ChoiceField(
            label=_("Event"), choices=[*events, (str(ORGANISATION), _("All my events"))]
        )


Choices = list[tuple[str, str]]
EventsIn = Callable[[Collection[uuid.UUID]], Choices]
"""Ids and names of the events in some scopes. The room of events is above this one: the address
gives the function."""


def _events(user: User, events_in: EventsIn) -> Choices:
    """Return the events in which ``user`` has a role."""
    return events_in(set(RoleGrant.objects.filter(user=user).values_list("scope", flat=True)))


class AccountPage(Page, template="accounts/account.html"):
    """``tokens``: each with the name of its event; ``new_token``: the text of a new one."""

    form: TokenForm
    tokens: list[tuple[ApiToken, str]]
    new_token: str
    codes_left: int
    must: bool
    password_form: PasswordForm
    browsers: list[SignedIn]
    this: str | None
    attempts: list[Attempt]


@signed_in
@never_cache
@require_safe
def account(request: HttpRequest, events_in: EventsIn) -> HttpResponseBase:
    """Show the account with the forms that change it."""
    events = _events(user_of(request), events_in)
    form = TokenForm(events=events, request=request)
    return show_page(request, _page(request, form, events))


def _page(
    request: HttpRequest, form: TokenForm, events: Choices, new_token: str = ""
) -> AccountPage:
    user = user_of(request)
    names = dict(events)
    return AccountPage(
        form=form,
        tokens=[
            (token, names.get(str(token.scope), _("All my events")))
            for token in user.api_tokens.filter(revoked_at=None, expires_at__gt=timezone.now())
        ],
        new_token=new_token,
        codes_left=second_step.codes_left(user),
        must=second_step.required_of(user),
        password_form=PasswordForm(request=request),
        browsers=attempts.browsers_of(user),
        this=request.session.session_key,
        attempts=attempts.attempts_on(user),
    )


@signed_in
@never_cache
@require_POST
def token_new(request: HttpRequest, events_in: EventsIn) -> HttpResponseBase:
    """Make a token and show it this once."""
    user = user_of(request)
    events = _events(user, events_in)
    form, token = TokenForm(request.POST, events=events, request=request), ""
    if form.is_valid():
        data = form.cleaned_data
        try:
            _token, token = api_tokens.issue(
                user_id=user.pk,
                name=data["name"],
                scope=uuid.UUID(data["scope"]),
                may_write=data["may_write"],
                days=data["days"],
                actor=Actor.user(user.pk),
            )
        except Refused as refusal:
            form.add_error(refusal.field if refusal.field in form.fields else None, str(refusal))
        else:
            form = TokenForm(events=events, request=request)
    page = _page(request, form, events, token)
    return show_page(request, page, status=200 if token else 422)


@signed_in
@require_POST
def token_revoke(request: HttpRequest, token_id: uuid.UUID) -> HttpResponseBase:
    """Revoke a token of the signed-in person."""
    api_tokens.revoke(token_id=token_id, user_id=request.user.pk or 0, actor=actor_of(request))
    messages.success(request, _("The token is revoked."))
    return redirect("account")


@signed_in
@require_POST
def end_browser(request: HttpRequest, browser: int | None = None) -> HttpResponseBase:
    """Sign the account out in one other browser (its key), or in all others without one."""
    user = user_of(request)
    open_ = [row.pk for row in attempts.browsers_of(user)]
    wanted = open_ if browser is None else [pk for pk in open_ if pk == browser]
    count = attempts.end_browsers(user, wanted, but=request.session.session_key)
    messages.success(
        request,
        ngettext("Signed out in %(n)d browser.", "Signed out in %(n)d browsers.", count)
        % {"n": count},
    )
    return redirect("account")


class ChangeForm(PasswordChangeForm):
    """The old password and twice the new one, with the limit of wrong attempts."""

    def clean_old_password(self) -> str:
        """Require the right password."""
        who = str(self.user.pk)
        if not CODES_BY_USER.take(who):
            raise forms.ValidationError(too_many_attempts(CODES_BY_USER, who))
        given: str = super().clean_old_password()
        CODES_BY_USER.give_back(who)
        return given


class PasswordPage(Page, template="accounts/password.html"):
    form: ChangeForm
    given: bool


@own_account
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def password(request: HttpRequest) -> HttpResponseBase:
    """Change the signed-in person's password; this ends their other sessions and tokens."""
    user = user_of(request)
    if user.second_step and not user.is_verified():
        return redirect("login-code")
    form = ChangeForm(user, request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        given = user.password_given
        changed = staff.change_password(
            user_id=user.pk,
            password=form.cleaned_data["new_password1"],
            actor=Actor.user(user.pk),
        )
        update_session_auth_hash(request, changed)
        attempts.note_sign_in(request, changed, address(request))
        messages.success(request, _("Your password has been changed."))
        if given:
            return redirect(wanted_page(request, request.GET.get("next", "")))
        return redirect("account")
    status = 422 if form.errors else 200
    return show_page(request, PasswordPage(form=form, given=user.password_given), status=status)
