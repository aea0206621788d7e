"""The discipline register: of an event, of the organisation, and the entries made from a ruling."""

from __future__ import annotations

import uuid
from typing import Any

from django import forms
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

import accounts.access
from accounts.pages import Crumb, Page, show_page
from accounts.roles import capabilities_of
from adjudication.models import Ruling, SanctionKind
from adjudication.queries.cases import case_of
from adjudication.queries.discipline import (
    SanctionShown,
    sanction_in,
    sanctions_of,
    whole_register,
)
from adjudication.services import discipline, rulings
from tournament.access import needs
from tournament.queries.names import person_names
from tournament.views.doing import submit
from tournament.views.frame import event_by_slug, show_event

from .common import crumbs


class LastDayField(forms.DateField):
    """The last day of an entry; ``expected``: not labelled as optional, since only a warning has none."""

    expected = True

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(
            label=gettext_lazy("Last day"),
            widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
            **kwargs,
        )


class SanctionForm(forms.Form):
    """An entry of the register from a ruling."""

    kind = forms.ChoiceField(
        label=gettext_lazy("What is entered"),
        choices=SanctionKind.choices,
        widget=forms.RadioSelect,
    )
    until = LastDayField(required=False, help_text=gettext_lazy("Empty for a warning."))
    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        max_length=300,
        help_text=gettext_lazy("Without names."),
    )

    def __init__(self, ruling: Ruling, data: QueryDict | None = None) -> None:
        """Ask also which of a pair; the player at the seat at fault is filled in where a referee said who."""
        super().__init__(data)
        names = person_names(ruling.offender, shorten=False) if ruling.offender else []
        if len(names) == 2:
            player = str(ruling.versions.latest("number").context.get("player"))
            sat = case_of(ruling.incident).second_sat(player)
            self.fields["partner"] = forms.TypedChoiceField(
                label=_("Player"),
                widget=forms.RadioSelect,
                choices=list(zip(("first", "second"), names, strict=True)),
                coerce=lambda value: value == "second",
                initial={None: None, False: "first", True: "second"}[sat],
            )


class DisciplinePage(Page, template="referee/discipline.html", here="referee-desk"):
    sanctions: list[SanctionShown]
    may_manage: bool
    crumbs: list[Crumb]


class RegisterPage(Page, template="referee/register.html"):
    sanctions: list[SanctionShown]


@needs("discipline.read")
@never_cache
@require_safe
def discipline_page(request: HttpRequest, slug: str) -> HttpResponse:
    """List the entries from rulings of the event, and those in force on the names of its players."""
    event = event_by_slug(slug)
    return show_event(
        request,
        event,
        DisciplinePage(
            sanctions=sanctions_of(event),
            may_manage="discipline.manage" in capabilities_of(request.user, event.pk),
            crumbs=crumbs(slug, Crumb(_("Discipline register"))),
        ),
    )


@accounts.access.needs("discipline.read")
@never_cache
@require_safe
def register_page(request: HttpRequest) -> HttpResponse:
    """List the whole register, for the organisation's administrator and chief referee."""
    return show_page(request, RegisterPage(sanctions=whole_register()))


@needs("discipline.manage")
@require_POST
def change_sanction(request: HttpRequest, slug: str, sanction_id: uuid.UUID) -> HttpResponse:
    """Lift an entry from a ruling of the event, or enforce a suspended one."""
    event = event_by_slug(slug)
    sanction = sanction_in(event, sanction_id)
    if sanction is None:
        raise Http404
    if request.POST.get("verb") == "enforce":
        form = _EnforceForm(request.POST)
        until = form.cleaned_data["until"] if form.is_valid() else sanction.since
        submit(request, None, discipline.enforce, sanction, until=until)
    else:
        reason = request.POST.get("reason", "")
        submit(request, None, discipline.lift, sanction, reason=reason)
    return redirect("referee-discipline", slug)


class _EnforceForm(forms.Form):
    until = LastDayField()


@needs("discipline.manage")
@require_POST
def sanction(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Enter the player at fault of a ruling in the register."""
    ruling = rulings.ruling_by_number(event_by_slug(slug), number)
    form = SanctionForm(ruling, request.POST)
    given = form.cleaned_data if form.is_valid() else {}
    submit(
        request,
        None,
        discipline.record,
        ruling,
        kind=given.get("kind", ""),
        until=given.get("until"),
        reason=given.get("reason", ""),
        partner=given.get("partner", False),
    )
    return redirect("referee-ruling", slug, number)
