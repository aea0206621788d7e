"""One player at the desk: corrected, merged with a second entry and back, removed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.contrib import messages
from django.db.models import QuerySet
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.pages import Page
from ledger.errors import Refused
from tournament.access import needs
from tournament.models import Entrant, EntrantState, MailConsent, Merger
from tournament.models.players import GIVEN
from tournament.queries import pages
from tournament.queries.falls import (
    Act,
    Hanging,
    is_prevented,
    moment_of,
    of_entrant,
    what_falls,
)
from tournament.queries.names import shown_name
from tournament.queries.substitutes import Substitutions, substitutions_of
from tournament.services import entrant_edits, notices, reseating
from tournament.services.banned import bans_on, people_of
from tournament.views.doing import refuse, submit
from tournament.views.falls import ask_again, do_asked, name_replacement
from tournament.views.forms import CorrectionForm, MergeForm, RemoveForm, UnmergeForm
from tournament.views.frame import event_by_slug, show_event
from tournament.views.typed import whole

FORMS: Final[dict[str, type[Form]]] = {
    "merge": MergeForm,
    "remove": RemoveForm,
    "unmerge": UnmergeForm,
}


class PlayerPage(Page, template="desk/player.html", here="desk-players"):
    pair: list[tuple[str, str]]
    entrant: Entrant
    substitutions: Substitutions
    name: str
    mail: MailConsent | None
    unsent: int
    correct_form: Form
    merge_form: Form
    remove_form: Form
    may_go: bool
    unmerge_form: Form
    leaves: list[Hanging]
    leaves_seen: str
    typed: Mapping[str, str]
    double: int | None
    doubles: list[Hanging]
    doubles_seen: str
    stopped: bool
    removes: list[Hanging]
    removes_seen: str
    mergers: QuerySet[Merger]
    bans: list[str]


@needs("entrants.manage")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def desk_player(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show a player's registration; posted: correct it, merge a second entry or undo a merger, remove."""
    event = event_by_slug(slug)
    known = Entrant.objects.exclude(state=EntrantState.MERGED)
    entrant = get_object_or_404(
        known.select_related("person", "partner", "club"), event=event, number=number
    )
    verb = request.POST.get("verb", "") if request.method == "POST" else ""
    initial = {each.key: each.of(entrant) for each in GIVEN}
    pairs = entrant.partner is not None or pages.in_pairs(event)
    posted = {verb: request.POST}
    forms: dict[str, Form] = {
        "correct": CorrectionForm(posted.get("correct"), initial=initial, pairs=pairs),
        **{
            name: form(
                posted.get(name), prefix=name, initial={"double": request.GET.get("merge-double")}
            )
            for name, form in FORMS.items()
        },
    }
    if verb == "substitute":
        try:
            return _substitute(request, entrant)
        except Refused as refusal:
            messages.error(request, str(refusal))
    form = forms.get(verb)
    if form is not None and form.is_valid() and (went := _act(request, entrant, verb, form)):
        return went
    may_go = not entrant_edits.is_drawn(entrant)
    double = whole((request.POST or request.GET).get("merge-double")) or 0
    other = known.filter(event=event, number=double).exclude(pk=entrant.pk).first()
    doubles = what_falls(of_entrant(Act.MERGE, other, entrant)) if other else []
    people = (("first", entrant.person), ("second", entrant.partner))
    context = PlayerPage(
        pair=[(code, person.name) for code, person in people if person is not None],
        entrant=entrant,
        substitutions=substitutions_of(event, number),
        name=shown_name(entrant, shorten=False),
        mail=MailConsent.objects.filter(entrant=entrant).first(),
        unsent=notices.unsent_to(entrant),
        correct_form=forms["correct"],
        merge_form=forms["merge"],
        remove_form=forms["remove"],
        may_go=may_go,
        unmerge_form=forms["unmerge"],
        typed=posted.get("substitute", {}),
        leaves=_falls(Act.WITHDRAW, entrant, wanted=entrant.state != EntrantState.WITHDRAWN),
        leaves_seen=_seen(Act.WITHDRAW, entrant),
        double=other.number if other else None,
        doubles=doubles,
        doubles_seen=_seen(Act.MERGE, other, entrant),
        stopped=is_prevented(doubles),
        removes=_falls(Act.REMOVE, entrant, wanted=may_go),
        removes_seen=_seen(Act.REMOVE, entrant if may_go else None),
        bans=[ban.question for ban in bans_on(people_of(entrant))]
        if entrant.state == EntrantState.REGISTERED
        else [],
        mergers=entrant.mergers.select_related("person"),
    )
    failed = verb == "substitute" or (form is not None and bool(form.errors))
    return show_event(request, event, context, status=422 if failed else 200)


def _substitute(request: HttpRequest, pair: Entrant) -> HttpResponse:
    """Replace one of a pair once what falls with it was seen; refusals propagate."""
    slug, here = pair.event.slug, reverse("desk-player", args=[pair.event.slug, pair.number])
    comes = request.POST.get("name", "").strip()
    return do_asked(
        request,
        of_entrant(Act.REPLACE, pair),
        reseating.substitute,
        pair,
        where=f"{pair.number} {shown_name(pair, shorten=False)} → {comes}",
        title=name_replacement(request),
        back_url=here,
        to=reverse("desk-players", args=[slug]),
    )


def _falls(act: Act, entrant: Entrant | None, *, wanted: bool) -> list[Hanging]:
    """List the consequences of an act on an entrant, where it is ``wanted``."""
    return what_falls(of_entrant(act, entrant)) if wanted and entrant is not None else []


def _seen(act: Act, entrant: Entrant | None, into: Entrant | None = None) -> str:
    """Return the moment that the form of an act on an entrant shows."""
    return "" if entrant is None else moment_of(of_entrant(act, entrant, into))


def _act(request: HttpRequest, entrant: Entrant, verb: str, form: Form) -> HttpResponse | None:
    """Do what a valid form asks for, and lead back to the list or to the player; ``None`` if refused."""
    event, number, data = entrant.event, entrant.number, form.cleaned_data
    double = data.get("double")
    here = reverse("desk-player", args=[event.slug, number])
    if verb == "remove":
        service, gone = entrant_edits.remove_entrant, of_entrant(Act.REMOVE, entrant)
        where = f"{number} {shown_name(entrant, shorten=False)}"
        if question := ask_again(request, gone, service, entrant, where=where, back_url=here):
            return question
        done = _("Number %(n)d is removed.") % {"n": number}
        removed = submit(request, form, service, entrant, done)
        return redirect("desk-players", event.slug) if removed else None
    if verb == "merge":
        done = _("Number %(double)d is merged into number %(n)d.") % {"double": double, "n": number}
        merge = entrant_edits.merge_entrants
        other = event.entrants.filter(number=data["double"]).first()
        if other is not None:
            concerned = of_entrant(Act.MERGE, other, entrant)
            given = {"keep": number, "double": double}
            where = f"{double} → {number} {shown_name(entrant, shorten=False)}"
            question = ask_again(
                request, concerned, merge, event, where=where, back_url=here, **given
            )
            if question:
                return question
        stays = submit(request, form, merge, event, done, keep=number, double=double)
    elif verb == "unmerge":
        done = _("The merger is undone: number %(double)d is a separate player again.")
        try:
            merger = entrant_edits.merger_of(event, int(str(double)))
        except Refused as refusal:
            refuse(request, form, refusal)
            return None
        done %= {"double": double}
        stays = submit(request, form, entrant_edits.unmerge_entrants, merger, done) and entrant
    else:
        stays = submit(request, form, entrant_edits.correct_entrant, entrant, changes=data)
    return redirect("desk-player", event.slug, stays.number) if stays else None
