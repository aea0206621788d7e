"""The staff of an event and their roles."""

from __future__ import annotations

import uuid

from django import forms
from django.contrib import messages
from django.contrib.auth import get_user_model
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts import roles, staff
from accounts.access import actor_of
from accounts.models import Role, RoleGrant
from accounts.pages import Page
from accounts.views.forms import NewAccount, account_id, show_refusal
from ledger.actors import Actor
from ledger.errors import NotHere, Refused
from tournament.access import needs
from tournament.views.frame import show_event

from .frame import event_by_slug

User = get_user_model()


class RoleForm(forms.Form):
    """A user name and the role they get; an account is made where asked for."""

    name = forms.CharField(
        label=gettext_lazy("User name"),
        max_length=60,
        widget=forms.TextInput(attrs={"autocapitalize": "none", "spellcheck": "false"}),
    )
    role = forms.ChoiceField(
        label=gettext_lazy("Role"),
        choices=[choice for choice in Role.choices if choice[0] != Role.ADMIN],
    )
    new = forms.BooleanField(label=gettext_lazy("Create a new account"), required=False)


class StaffPage(Page, template="desk/staff.html", here="desk-staff"):
    form: RoleForm
    grants: list[RoleGrant]
    account: NewAccount | None


@needs("event.manage")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def event_staff(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Show the roles in the event and their holders; posted: give or revoke one."""
    event, actor = event_by_slug(slug), actor_of(request)
    given: NewAccount | None = None
    giving = request.POST.get("verb") == "give"
    form = RoleForm(request.POST if giving else None)
    if request.method == "POST":
        try:
            if not giving:
                roles.revoke_role(
                    user_id=account_id(request.POST.get("user", "")),
                    scope=event.pk,
                    actor=actor,
                    role=request.POST.get("role", "")[:20],
                )
                messages.success(request, _("The role has been removed."))
                return redirect("desk-staff", slug)
            if form.is_valid():
                given = _give(form.cleaned_data, event.pk, actor)
                if not given:
                    messages.success(request, _("The role has been given."))
                    return redirect("desk-staff", slug)
                form = RoleForm()
        except Refused as refusal:
            show_refusal(request, form, refusal)
    grants = RoleGrant.objects.filter(scope=event.pk).select_related("user")
    rows = sorted(grants, key=lambda grant: (Role.values.index(grant.role), grant.user.username))
    status = 422 if request.method == "POST" and not given else 200
    return show_event(
        request, event, StaffPage(form=form, grants=rows, account=given), status=status
    )


def _give(data: dict[str, str], scope: uuid.UUID, actor: Actor) -> NewAccount | None:
    """Give the role; name and password of an account that was made for it, else nothing."""
    if data["new"]:
        user, password = staff.create_account(name=data["name"], actor=actor)
        roles.grant_role(user_id=user.pk, role=data["role"], scope=scope, actor=actor)
        return NewAccount(user.username, password)
    person = User.objects.filter(username__iexact=data["name"].strip()).first()
    if person is None:
        raise NotHere(
            "no_such_account",
            _("Nobody has this user name. Tick the box to create the account."),
            field="name",
        )
    roles.grant_role(user_id=person.pk, role=data["role"], scope=scope, actor=actor)
    return None
