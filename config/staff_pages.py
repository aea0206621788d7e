"""Who is who: the staff of an event with their roles, and the accounts of the organisation."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth import get_user_model
from django.db.models import Count, Q
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from ledger import api_tokens, second_step, staff
from ledger.access import needs
from ledger.actors import Actor
from ledger.errors import NotHere, Refused
from ledger.models import ORGANISATION, Role, RoleGrant
from tournament.views.frame import event_by_slug, page, staff_item

User = get_user_model()
staff_item(lambda: ("desk-staff", _("Staff"), "event.manage"))


def _whole(text: str) -> int:
    """An account's id of a form; 0 for anything else."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0


class RoleForm(forms.Form):
    """A user name and the role he gets; an account is made where asked for."""

    name = forms.CharField(
        label=gettext_lazy("User name"), max_length=60,
        widget=forms.TextInput(attrs={"autocapitalize": "none", "spellcheck": "false"}),
    )  # fmt: skip
    role = forms.ChoiceField(
        label=gettext_lazy("Role"),
        choices=[choice for choice in Role.choices if choice[0] != Role.ADMIN],
    )
    new = forms.BooleanField(label=gettext_lazy("Make a new account"), required=False)


@needs("event.manage")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def event_staff(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Who has which role in the event: give one, take one away."""
    event, actor, made = event_by_slug(slug), Actor.user(request.user.pk), {}
    giving = request.POST.get("verb") == "give"
    form = RoleForm(request.POST if giving else None)
    if request.method == "POST":
        try:
            if not giving:
                staff.revoke_role(
                    user_id=_whole(request.POST.get("user", "")), scope=event.pk, actor=actor,
                    role=request.POST.get("role", "")[:20],
                )  # fmt: skip
                messages.success(request, _("The role is taken away."))
                return redirect("desk-staff", slug)
            if form.is_valid():
                made = _give(form.cleaned_data, event.pk, actor)
                if not made:
                    messages.success(request, _("The role is given."))
                    return redirect("desk-staff", slug)
                form = RoleForm()
        except Refused as refusal:
            _say(request, form, refusal)
    grants = RoleGrant.objects.filter(scope=event.pk).select_related("user")
    rows = sorted(grants, key=lambda grant: (Role.values.index(grant.role), grant.user.username))
    status = 422 if request.method == "POST" and not made else 200
    return render(
        request, "accounts/staff.html",
        page(request, event, "desk-staff", form=form, grants=rows, made=made), status=status,
    )  # fmt: skip


def _give(data: dict[str, Any], scope: Any, actor: Actor) -> dict[str, str]:
    """Give the role; name and password of an account that was made for it, else nothing."""
    if data["new"]:
        user, password = staff.create_account(name=data["name"], actor=actor)
        staff.grant_role(user_id=user.pk, role=data["role"], scope=scope, actor=actor)
        return {"name": user.username, "password": password}
    found = User.objects.filter(username__iexact=data["name"].strip()).first()
    if found is None:
        raise NotHere(
            "no_such_account", _("Nobody has this user name. Tick the box to make the account."),
            field="name",
        )  # fmt: skip
    staff.grant_role(user_id=found.pk, role=data["role"], scope=scope, actor=actor)
    return {}


def _say(request: HttpRequest, form: forms.Form, refusal: Refused) -> None:
    """The refusal on the form where one was sent, above the page otherwise."""
    if form.is_bound:
        form.full_clean()
        form.add_error(refusal.field if refusal.field in form.fields else None, str(refusal))
    else:
        messages.error(request, str(refusal))


class AccountForm(forms.Form):
    """A new account."""

    name = forms.CharField(
        label=gettext_lazy("User name"), max_length=60,
        widget=forms.TextInput(attrs={"autocapitalize": "none", "spellcheck": "false"}),
    )  # fmt: skip


@needs("organisation.manage")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def accounts(request: HttpRequest) -> HttpResponseBase:
    """Every account: make one, give a new password, close it, take the second step off."""
    made: dict[str, str] = {}
    verb = request.POST.get("verb", "")
    form = AccountForm(request.POST if verb == "make" else None)
    status = 200
    if request.method == "POST":
        try:
            if verb == "make" and form.is_valid():
                user, word = staff.create_account(
                    name=form.cleaned_data["name"], actor=Actor.user(request.user.pk)
                )
                made, form = {"name": user.username, "password": word}, AccountForm()
            elif verb != "make":
                made = _act(request, verb)
                if not made:
                    return redirect("accounts")
            else:
                status = 422
        except Refused as refusal:
            status = refusal.status
            _say(request, form, refusal)
    valid = Q(api_tokens__revoked_at=None, api_tokens__expires_at__gt=timezone.now())
    listed = (
        User.objects.prefetch_related("role_grants")
        .annotate(tokens=Count("api_tokens", filter=valid))
        .order_by("username")[:500]
    )
    rows = [
        {
            "user": user,
            "admin": any(grant.role == Role.ADMIN for grant in user.role_grants.all()),
            "roles": len(user.role_grants.all()),
            "tokens": user.tokens,
        }
        for user in listed
    ]
    return render(
        request, "accounts/accounts.html", {"rows": rows, "form": form, "made": made},
        status=status,
    )  # fmt: skip


def _act(request: HttpRequest, verb: str) -> dict[str, str]:
    """Do one thing with one account; name and password where one was given."""
    actor, user_id = Actor.user(request.user.pk), _whole(request.POST.get("user", ""))
    found = User.objects.filter(pk=user_id).first()
    if found is None:
        raise NotHere("no_such_account", _("There is no such account."))
    if verb == "password":
        return {
            "name": found.username,
            "password": staff.give_password(user_id=user_id, actor=actor),
        }
    if verb == "second-step":
        second_step.turn_off(user_id=user_id, actor=actor)
    elif verb == "tokens":
        api_tokens.revoke_all(user_id=user_id, actor=actor)
    elif verb in ("close", "open"):
        staff.set_active(user_id=user_id, active=verb == "open", actor=actor)
    elif verb == "admin":
        staff.grant_role(user_id=user_id, role=Role.ADMIN, scope=ORGANISATION, actor=actor)
    elif verb == "no-admin":
        staff.revoke_role(user_id=user_id, role=Role.ADMIN, scope=ORGANISATION, actor=actor)
    else:
        raise Refused("unknown_verb", _("The page did not say what to do."), field="verb")
    messages.success(request, _("Done."))
    return {}
