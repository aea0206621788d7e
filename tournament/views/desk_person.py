"""Stored data of a player, for the director: display, download, erasure."""

from __future__ import annotations

import json

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.pages import Page
from ledger.canonical import JsonObject
from tournament.access import needs
from tournament.api.person_data import export_person
from tournament.models import Entrant, Event, Person
from tournament.services.privacy import forget_player
from tournament.views.doing import act, done_words
from tournament.views.frame import event_by_slug, show_event


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


class PersonPage(Page, template="desk/person.html", here="desk-players"):
    entrant: Entrant
    person: Person
    data: JsonObject
    form: EraseForm


@needs("event.manage")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def person_data(request: HttpRequest, slug: str, number: int) -> HttpResponseBase:
    """Show all stored data of a player; ``?file=1`` as JSON; posted: erase them."""
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
        act(request, forget_player, entrant, who=request.GET.get("who", ""))
        messages.success(request, done_words(forget_player, entrant))
        return redirect("desk-players", slug)
    context = PersonPage(entrant=entrant, person=person, data=data, form=form)
    status = 422 if form.errors else 200
    return show_event(request, event, context, status=status)
