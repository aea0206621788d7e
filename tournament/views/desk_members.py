"""The register of members at the desk: kept for the organisation, ticked into an event."""

from __future__ import annotations

import uuid

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

import accounts.access
from accounts.roles import capabilities_of
from ledger.errors import Refused
from tournament.access import needs
from tournament.models import Member
from tournament.services import members
from tournament.services.pasted import as_file
from tournament.services.players_file import read_players
from tournament.views.desk import actor_of, attempt
from tournament.views.forms import AddressForm, ImportForm, PasteForm
from tournament.views.frame import event_by_slug, page


class MemberForm(AddressForm):
    """What the register holds of a member."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=100)
    club = forms.CharField(label=gettext_lazy("Club"), max_length=80, required=False)
    category = forms.CharField(label=gettext_lazy("Category"), max_length=30, required=False)
    email = forms.EmailField(label=gettext_lazy("E-mail"), required=False)
    phone = forms.CharField(label=gettext_lazy("Phone number"), max_length=30, required=False)


@accounts.access.needs("organisation.manage")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def register(request: HttpRequest) -> HttpResponse:
    """Every member; posted: add one, or a pasted list of them."""
    verb = request.POST.get("verb", "") if request.method == "POST" else ""
    form = MemberForm(request.POST if verb == "add" else None)
    paste_form = PasteForm(request.POST if verb == "paste" else None)
    sends = verb == "file"
    file_form = ImportForm(request.POST if sends else None, request.FILES if sends else None)
    try:
        if form.is_bound and form.is_valid():
            members.save_member(actor=actor_of(request), values=form.cleaned_data)
            messages.success(request, _("%(name)s is now a member.") % form.cleaned_data)
            return redirect("members")
        pasted = paste_form.is_bound and paste_form.is_valid()
        if pasted or (file_form.is_bound and file_form.is_valid()):
            layout = None
            if pasted:
                content, layout = as_file(paste_form.cleaned_data["text"])
            else:
                content = file_form.cleaned_data["file"].read()
            read = read_players(event=None, content=content, layout=layout)
            added, there = members.add_members(actor=actor_of(request), preview=read)
            message = ngettext("%(n)d member added.", "%(n)d members added.", len(added))
            messages.success(request, message % {"n": len(added)})
            for label, lines in (
                (_("Members already"), there),
                (_("Left out"), read.left_out),
                (_("To be checked"), [line for line in added if line.doubt]),
            ):
                if lines:
                    names = " · ".join(line.name for line in lines[:20])
                    messages.info(request, label + _(":") + " " + names)
            return redirect("members")
    except Refused as refusal:
        bound = next(each for each in (form, paste_form, file_form) if each.is_bound)
        bound.add_error(refusal.field if refusal.field in bound.fields else None, str(refusal))
    context = {
        "members": members.members_by_name(),
        "form": form,
        "paste_form": paste_form,
        "file_form": file_form,
    }
    return render(
        request,
        "desk/members.html",
        context,
        status=422 if form.errors or paste_form.errors or file_form.errors else 200,
    )


@accounts.access.needs("organisation.manage")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def member(request: HttpRequest, member_id: uuid.UUID) -> HttpResponse:
    """One member; posted: correct, or take out of the register."""
    person = get_object_or_404(Member, pk=member_id)
    actor = actor_of(request)
    if request.method == "POST" and request.POST.get("verb") == "remove":
        members.remove_member(actor=actor, member_id=person.pk)
        messages.success(request, _("The member has been deleted from the register."))
        return redirect("members")
    initial = {name: getattr(person, name) for name in members.FIELDS}
    form = MemberForm(request.POST if request.method == "POST" else None, initial=initial)
    if form.is_bound and form.is_valid():
        values = form.cleaned_data
        saved = attempt(
            request,
            lambda: members.save_member(actor=actor, member_id=person.pk, values=values),
            _("The member is corrected."),
        )
        if saved:
            return redirect("members")
    context = {"member": person, "form": form}
    return render(request, "desk/member.html", context, status=422 if form.errors else 200)


@needs("entrants.manage")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def tick_members(request: HttpRequest, slug: str) -> HttpResponse:
    """The members whom the event has not entered, to be ticked; or its players, to be remembered."""
    event = event_by_slug(slug)
    actor = actor_of(request)
    if request.method == "POST" and request.POST.get("verb") == "remember":
        count = members.remember_players(event_id=event.pk, actor=actor)
        messages.success(
            request,
            ngettext(
                "%(n)d player was added to the register.",
                "%(n)d players were added to the register.",
                count,
            )
            % {"n": count},
        )
        return redirect("desk-members", slug)
    if request.method == "POST":
        ticked = [uuid.UUID(pk) for pk in request.POST.getlist("member") if _is_id(pk)]
        present = request.POST.get("verb") == "present"
        try:
            entered = members.enter_members(
                event_id=event.pk, members=ticked, present=present, actor=actor
            )
        except Refused as refusal:
            messages.error(request, str(refusal))
            return redirect("desk-members", slug)
        messages.success(
            request,
            ngettext("%(n)d member registered.", "%(n)d members registered.", len(entered))
            % {"n": len(entered)},
        )
        return redirect("desk-event", slug)
    context = page(
        request,
        event,
        "desk-players",
        members=members.members_not_in(event),
        all_ticked=request.GET.get("tick") == "all",
        any_member=Member.objects.exists(),
        may_edit="organisation.manage" in capabilities_of(request.user, None),
    )
    return render(request, "desk/tick_members.html", context)


def _is_id(text: str) -> bool:
    try:
        uuid.UUID(text)
    except ValueError:
        return False
    return True
