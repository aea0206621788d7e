"""What is stored of a player, for the director: shown, taken away as a file, erased."""

from __future__ import annotations

import json

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from ledger.actors import Actor
from tournament.access import needs
from tournament.models import Entrant, Event, Person
from tournament.services.privacy import export_person, forget_person, require_own
from tournament.views.frame import event_by_slug, page


class EraseForm(forms.Form):
    """A box that is ticked knowingly."""

    sure = forms.BooleanField(label=gettext_lazy("Yes, erase the name and the e-mail address."))


def _person(event: Event, number: int, which: str) -> tuple[Entrant, Person]:
    entrant = get_object_or_404(
        Entrant.objects.select_related("person", "partner"), event=event, number=number
    )
    person = entrant.partner if which == "partner" else entrant.person
    if person is None:
        raise Http404
    return entrant, person


@needs("event.manage")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def person_data(request: HttpRequest, slug: str, number: int) -> HttpResponseBase:
    """Everything that is stored of a player; ``?file=1`` as JSON; posted: erase them."""
    event = event_by_slug(slug)
    entrant, person = _person(event, number, request.GET.get("who", ""))
    data = export_person(person)
    if request.GET.get("file"):
        text = json.dumps(data, ensure_ascii=False, indent=1, default=str)
        answer = HttpResponse(text.encode(), content_type="application/json")
        answer["Content-Disposition"] = f'attachment; filename="{slug}-{number}.json"'
        return answer
    form = EraseForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        require_own(person, event, request.user)
        forget_person(person_id=person.pk, actor=Actor.user(request.user.pk))
        messages.success(request, _("Name and e-mail address are erased."))
        return redirect("desk-players", slug)
    context = page(
        request, event, "desk-players", entrant=entrant, person=person, told=data, form=form
    )
    status = 422 if form.errors else 200
    return render(request, "desk/person.html", context, status=status)
