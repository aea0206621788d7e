"""The accounts of the organisation."""

from __future__ import annotations

from typing import NamedTuple

from django import forms
from django.contrib import messages
from django.db.models import Count, Q
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts import api_tokens, roles, second_step, staff
from accounts.access import actor_of, needs
from accounts.models import Role, User
from accounts.pages import Page, show_page
from accounts.views.forms import NewAccount
from ledger.errors import NotHere, Refused
from ledger.models import ORGANISATION

from .forms import account_id, show_refusal


class AccountForm(forms.Form):
    """A new account."""

    name = forms.CharField(
        label=gettext_lazy("User name"),
        max_length=60,
        widget=forms.TextInput(attrs={"autocapitalize": "none", "spellcheck": "false"}),
    )


class AccountRow(NamedTuple):
    """An account with its roles and valid tokens."""

    user: User
    admin: bool
    chief: bool
    roles: int
    tokens: int


class AccountsPage(Page, template="accounts/accounts.html"):
    rows: list[AccountRow]
    form: AccountForm
    account: NewAccount | None


@needs("organisation.manage")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def accounts(request: HttpRequest) -> HttpResponseBase:
    """Show all accounts: create one, give a new password, close it, remove the second step."""
    new_account: NewAccount | None = None
    verb = request.POST.get("verb", "")
    form = AccountForm(request.POST if verb == "make" else None)
    status = 200
    if request.method == "POST":
        try:
            if verb == "make" and form.is_valid():
                user, word = staff.create_account(
                    name=form.cleaned_data["name"], actor=actor_of(request)
                )
                new_account, form = NewAccount(user.username, word), AccountForm()
            elif verb != "make":
                new_account = _act(request, verb)
                if not new_account:
                    return redirect("accounts")
            else:
                status = 422
        except Refused as refusal:
            status = refusal.status
            show_refusal(request, form, refusal)
    valid = Q(api_tokens__revoked_at=None, api_tokens__expires_at__gt=timezone.now())
    listed = (
        User.objects.prefetch_related("role_grants")
        .annotate(tokens=Count("api_tokens", filter=valid))
        .order_by("username")[:500]
    )
    rows = [
        AccountRow(
            user,
            any(grant.role == Role.ADMIN for grant in user.role_grants.all()),
            any(
                grant.role == Role.CHIEF_REFEREE and grant.scope == ORGANISATION
                for grant in user.role_grants.all()
            ),
            len(user.role_grants.all()),
            user.tokens,
        )
        for user in listed
    ]
    return show_page(
        request, AccountsPage(rows=rows, form=form, account=new_account), status=status
    )


def _act(request: HttpRequest, verb: str) -> NewAccount | None:
    """Do one thing with one account; name and password where one was given."""
    actor, user_id = actor_of(request), account_id(request.POST.get("user", ""))
    user = User.objects.filter(pk=user_id).first()
    if user is None:
        raise NotHere("no_such_account", _("No such account."))
    if verb == "password":
        return NewAccount(user.username, staff.give_password(user_id=user_id, actor=actor))
    if verb == "second-step":
        second_step.turn_off(user_id=user_id, actor=actor)
    elif verb == "tokens":
        api_tokens.revoke_all(user_id=user_id, actor=actor)
    elif verb in ("close", "open"):
        staff.set_active(user_id=user_id, active=verb == "open", actor=actor)
    elif verb in ("opener", "no-opener"):
        staff.set_may_open(user_id=user_id, may=verb == "opener", actor=actor)
    elif verb == "admin":
        roles.grant_role(user_id=user_id, role=Role.ADMIN, scope=ORGANISATION, actor=actor)
    elif verb == "no-admin":
        roles.revoke_role(user_id=user_id, role=Role.ADMIN, scope=ORGANISATION, actor=actor)
    elif verb == "chief":
        roles.grant_role(user_id=user_id, role=Role.CHIEF_REFEREE, scope=ORGANISATION, actor=actor)
    elif verb == "no-chief":
        roles.revoke_role(user_id=user_id, role=Role.CHIEF_REFEREE, scope=ORGANISATION, actor=actor)
    else:
        raise Refused("unknown_verb", _("The page sent an incomplete request."), field="verb")
    messages.success(request, _("Done."))
    return None
