"""One player at the desk: corrected, merged with a second entry and back, removed."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from ledger.errors import Refused
from tournament.access import needs
from tournament.models import Entrant, EntrantState, MailConsent
from tournament.queries import pages
from tournament.queries.names import shown_name
from tournament.services import entrant_edits, notices
from tournament.views.desk import actor_of
from tournament.views.forms import CorrectionForm, MergeForm, RemoveForm, UnmergeForm
from tournament.views.frame import event_by_slug, page

FORMS = {
    "correct": CorrectionForm,
    "merge": MergeForm,
    "remove": RemoveForm,
    "unmerge": UnmergeForm,
}


@needs("entrants.manage")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def desk_player(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """What is registered of a player; posted: correct it, merge a second entry or take that back, remove."""
    event = event_by_slug(slug)
    known = Entrant.objects.exclude(state=EntrantState.MERGED)
    entrant = get_object_or_404(
        known.select_related("person", "partner", "club"), event=event, number=number
    )
    verb = request.POST.get("verb", "") if request.method == "POST" else ""
    initial = {
        "name": entrant.person.name,
        "partner": entrant.partner.name if entrant.partner else "",
        "club": entrant.club.name if entrant.club else "",
        "category": entrant.category,
        "number": entrant.number,
        "email": entrant.person.email,
        "phone": entrant.person.phone,
    }
    forms = {
        name: form(
            request.POST if name == verb else None,
            prefix="" if name == "correct" else name,
            initial=initial if name == "correct" else None,
        )
        for name, form in FORMS.items()
    }
    if entrant.partner is None and not pages.in_pairs(event):
        del forms["correct"].fields["partner"]
    form = forms.get(verb)
    if form is not None and form.is_valid():
        try:
            return _act(request, slug, entrant, verb, form.cleaned_data)
        except Refused as refusal:
            form.add_error(refusal.field if refusal.field in form.fields else None, str(refusal))
    context = page(
        request,
        event,
        "desk-players",
        entrant=entrant,
        name=shown_name(entrant, shorten=False),
        mail=MailConsent.objects.filter(entrant=entrant).first(),
        unsent=notices.unsent_to(entrant),
        correct_form=forms["correct"],
        merge_form=forms["merge"],
        remove_form=forms["remove"],
        may_go=not entrant_edits.is_drawn(entrant),
        unmerge_form=forms["unmerge"],
        mergers=entrant.mergers.select_related("person"),
    )
    failed = form is not None and bool(form.errors)
    return render(request, "desk/player.html", context, status=422 if failed else 200)


def _act(
    request: HttpRequest, slug: str, entrant: Entrant, verb: str, data: dict[str, object]
) -> HttpResponse:
    """Do what a valid form asks for, and lead back to the list or to the player."""
    event_id, actor = entrant.event_id, actor_of(request)
    if verb == "remove":
        entrant_edits.remove_entrant(event_id=event_id, number=entrant.number, actor=actor)
        messages.success(request, _("Number %(n)d is removed.") % {"n": entrant.number})
        return redirect("desk-players", slug)
    if verb == "merge":
        double = int(str(data["double"]))
        entrant_edits.merge_entrants(
            event_id=event_id, keep=entrant.number, double=double, actor=actor
        )
        messages.success(
            request,
            _("Number %(double)d is merged into number %(n)d.")
            % {"double": double, "n": entrant.number},
        )
        return redirect("desk-player", slug, entrant.number)
    if verb == "unmerge":
        back = entrant_edits.unmerge_entrants(
            event_id=event_id, double=int(str(data["double"])), actor=actor
        )
        messages.success(
            request,
            _("The merger is undone: number %(double)d is a separate player again.")
            % {"double": back.number},
        )
        return redirect("desk-player", slug, entrant.number)
    corrected = entrant_edits.correct_entrant(
        event_id=event_id, number=entrant.number, changes=data, actor=actor
    )
    messages.success(request, _("Number %(n)d is corrected.") % {"n": corrected.number})
    return redirect("desk-player", slug, corrected.number)
