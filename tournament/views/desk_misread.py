"""A list that was misread: a copy with invented people, for those who mend the reading."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.pages import Page
from ledger.errors import Refused
from tournament.access import needs
from tournament.services.player_lists import misread
from tournament.views.doing import refuse
from tournament.views.forms import ImportForm, PasteForm
from tournament.views.frame import event_by_slug, show_event


class MisreadPage(Page, template="desk/misread.html", here="desk-players"):
    form: ImportForm
    paste_form: PasteForm


@needs("entrants.manage")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def desk_misread(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the form; posted: return the case as a ZIP. Nothing is stored."""
    event = event_by_slug(slug)
    pastes = "text" in request.POST
    sends = request.method == "POST" and not pastes
    form = ImportForm(request.POST if sends else None, request.FILES if sends else None)
    paste_form = PasteForm(request.POST if pastes else None)
    bound = paste_form if pastes else form
    if bound.is_bound and bound.is_valid():
        try:
            if pastes:
                copy = misread(paste_form.cleaned_data["text"].encode(), "", pasted=True)
            else:
                file = form.cleaned_data["file"]
                copy = misread(file.read(), file.name, pasted=False)
        except Refused as refusal:
            refuse(request, bound, refusal)
        else:
            answer = HttpResponse(copy, content_type="application/zip")
            answer["Content-Disposition"] = 'attachment; filename="misread.zip"'
            return answer
    status = 422 if bound.errors else 200
    return show_event(request, event, MisreadPage(form=form, paste_form=paste_form), status=status)
