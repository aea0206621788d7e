"""The register of members at the desk: shared by the organisation, copied into events."""

from __future__ import annotations

import uuid
from copy import copy

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

import accounts.access
from accounts.access import actor_of
from accounts.pages import Page, show_page
from accounts.roles import capabilities_of
from ledger.errors import Refused
from tournament.access import needs
from tournament.models import Event, Member
from tournament.services import members
from tournament.services.banned import Coming, bans_on, may_read_bans
from tournament.services.player_lists import as_file
from tournament.views.doing import act, do, refuse, submit
from tournament.views.forms import AddressForm, ColumnsForm, ImportForm, PasteForm
from tournament.views.frame import event_by_slug, show_event


class MemberForm(AddressForm, ColumnsForm):
    """Fields of a member in the register."""

    class Meta:
        model = Member
        fields = members.FIELDS


class MembersPage(Page, template="desk/members.html"):
    members: list[Member]
    form: MemberForm
    paste_form: PasteForm
    file_form: ImportForm


@accounts.access.needs("organisation.manage")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def register(request: HttpRequest) -> HttpResponse:
    """List every member; posted: add one, or a pasted list of them."""
    verb = request.POST.get("verb", "") if request.method == "POST" else ""
    form = MemberForm(request.POST if verb == "add" else None)
    paste_form = PasteForm(request.POST if verb == "paste" else None)
    sends = verb == "file"
    file_form = ImportForm(request.POST if sends else None, request.FILES if sends else None)
    try:
        if (
            form.is_bound
            and form.is_valid()
            and submit(request, form, members.add_member, values=form.cleaned_data)
        ):
            return redirect("members")
        pasted = paste_form.is_bound and paste_form.is_valid()
        if pasted or (file_form.is_bound and file_form.is_valid()):
            layout = None
            if pasted:
                content, layout = as_file(paste_form.cleaned_data["text"])
            else:
                content = file_form.cleaned_data["file"].read()
            done = act(
                request, members.add_members, None, file=content, layout=layout, any_sheet=True
            )
            message = ngettext("%(n)d member added.", "%(n)d members added.", len(done.added))
            messages.success(request, message % {"n": len(done.added)})
            for label, lines in (
                (_("Members already"), done.there),
                (_("Left out"), done.read.left_out),
                (_("To be checked"), [line for line in done.added if line.doubt]),
            ):
                if lines:
                    names = " · ".join(line.name for line in lines[:20])
                    messages.info(request, label + _(":") + " " + names)
            return redirect("members")
    except Refused as refusal:
        refuse(request, paste_form if paste_form.is_bound else file_form, refusal)
    context = MembersPage(
        members=members.members_by_name(), form=form, paste_form=paste_form, file_form=file_form
    )
    return show_page(
        request,
        context,
        status=422 if form.errors or paste_form.errors or file_form.errors else 200,
    )


class MemberPage(Page, template="desk/member.html"):
    member: Member
    form: MemberForm


@accounts.access.needs("organisation.manage")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def member(request: HttpRequest, member_id: uuid.UUID) -> HttpResponse:
    """Show one member; posted: correct, or remove from the register."""
    person = get_object_or_404(Member, pk=member_id)
    if request.method == "POST" and request.POST.get("verb") == "remove":
        do(request, members.remove_member, person)
        return redirect("members")
    form = MemberForm(request.POST if request.method == "POST" else None, instance=copy(person))
    if (
        form.is_bound
        and form.is_valid()
        and submit(request, form, members.correct_member, person, values=form.cleaned_data)
    ):
        return redirect("members")
    context = MemberPage(member=person, form=form)
    return show_page(request, context, status=422 if form.errors else 200)


class TickMembersPage(Page, template="desk/tick_members.html", here="desk-players"):
    members: list[Member]
    all_ticked: bool
    ticked: list[str]
    bans: list[str]
    any_member: bool
    may_edit: bool


@needs("entrants.manage")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def tick_members(request: HttpRequest, slug: str) -> HttpResponse:
    """List the members without an entry in the event, or its players for the register; posted: add
    the chosen ones.
    """
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
        entered = do(request, members.enter_members, event, members=ticked, present=present)
        if entered is None:
            return _tick_page(request, event, status=422)
        messages.success(
            request,
            ngettext("%(n)d member registered.", "%(n)d members registered.", len(entered))
            % {"n": len(entered)},
        )
        return redirect("desk-event", slug)
    return _tick_page(request, event)


def _tick_page(request: HttpRequest, event: Event, *, status: int = 200) -> HttpResponse:
    """Show the members to tick, with the suspensions in force on their names to who may read them."""
    listed = members.members_not_in(event)
    coming = (Coming(member.name, member.pk) for member in listed)
    bans = bans_on(coming) if may_read_bans(actor_of(request), event.pk) else []
    context = TickMembersPage(
        members=listed,
        all_ticked=request.GET.get("tick") == "all",
        ticked=request.POST.getlist("member"),
        bans=list(dict.fromkeys(ban.question for ban in bans)),
        any_member=Member.objects.exists(),
        may_edit="organisation.manage" in capabilities_of(request.user, None),
    )
    return show_event(request, event, context, status=status)


def _is_id(text: str) -> bool:
    try:
        uuid.UUID(text)
    except ValueError:
        return False
    return True
