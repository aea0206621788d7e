"""The public page on which players register, and say at the door that they are here."""

from __future__ import annotations

import hmac
import uuid
from datetime import timedelta
from functools import partial
from typing import ClassVar

import segno
from django import forms
from django.contrib import messages
from django.core import signing
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext_lazy, ngettext
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.access import actor_of, by_link, public
from accounts.limits import REGISTRATIONS_BY_ADDRESS, address
from accounts.pages import Page, show_page
from ledger.actors import Actor
from ledger.errors import Conflict, Refused
from tournament.access import needs
from tournament.documents.draws import Person, alphabetical
from tournament.lists.words import plain
from tournament.models import Entrant, EntrantState, Event, Registration
from tournament.queries import pages
from tournament.queries.names import Shown, everybody, name_as_typed, shown
from tournament.services import entrants, registrations
from tournament.services.banned import Coming, bans_on, may_read_bans
from tournament.tables.links import make_token
from tournament.views.addresses import address_for_phones, unreachable_address
from tournament.views.doing import do, once_a_form, refuse, was_sent
from tournament.views.forms import AddressForm, ColumnsForm
from tournament.views.frame import event_by_slug, show_event
from tournament.views.typed import whole

UNDO = signing.TimestampSigner(salt="door")
UNDO_WITHIN = timedelta(minutes=10)


class RegistrationForm(AddressForm, ColumnsForm):
    """Registration of a player."""

    class Meta:
        model = Registration
        fields = registrations.FIELDS
        widgets: ClassVar = {
            "name": forms.TextInput(attrs={"autocomplete": "name"}),
            "phone": forms.TextInput(attrs={"type": "tel", "autocomplete": "tel"}),
        }

    field_order = ("name", "club", "partner", "email", "mail")
    mail = forms.BooleanField(
        label=gettext_lazy("Send me e-mail"),
        required=False,
        help_text=gettext_lazy(
            "A receipt, the link of your own page, your table when a draw is out, rulings that concern you."
        ),
    )

    def __init__(self, data: QueryDict | None, *, pairs: bool, name: str) -> None:
        super().__init__(data, initial={"name": name})
        self.fields["name"].required = True
        if not pairs:
            del self.fields["partner"]

    def clean_name(self) -> str:
        """Return the name as it will be stored, so that a look-alike of another name is questioned."""
        return plain(self.cleaned_data["name"])


def door_token(event: Event) -> str:
    """Return the token of the code at the door."""
    return make_token("door", event.pk)


@public
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def register(request: HttpRequest, slug: str) -> HttpResponse:
    """Register for the event, as long as it takes registrations."""
    event = event_by_slug(slug)
    if not event.registration:
        raise Http404
    return _registering(request, event, door="")


@by_link("door")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def door(request: HttpRequest, slug: str, token: str) -> HttpResponse:
    """Show the page at the door: check in by name, or register."""
    event = event_by_slug(slug)
    if not event.registration or not hmac.compare_digest(token, door_token(event)):
        raise Http404
    if request.method == "POST" and not {"here", "undo"}.isdisjoint(request.POST):
        return _arrive(request, event)
    return _registering(request, event, door=token)


class DoorNamePage(Page, template="public/door_name.html"):
    event: Event
    who: Shown
    arrived: bool
    undo: str
    plays_from: int


def _arrive(request: HttpRequest, event: Event) -> HttpResponse:
    """Check a player in, or undo this phone's check-in; return one line where the page asks for a part."""
    in_place = request.headers.get("X-Part") == "name"
    back = "undo" in request.POST
    known = Entrant.objects.exclude(state=EntrantState.MERGED)
    try:
        number = (
            _taken_back(event, request.POST["undo"]) if back else whole(request.POST["here"]) or 0
        )
        entrant = get_object_or_404(known, event=event, number=number)
        was = entrant.state
        arrive = entrants.check_out if back else entrants.check_in
        arrive(entrant_id=entrant.pk, actor=Actor.system("door"))
    except Refused as refusal:
        if in_place:
            return HttpResponse(str(refusal), status=409, content_type="text/plain; charset=utf-8")
        messages.error(request, str(refusal))
        return redirect(request.path)
    if not in_place:
        return redirect(request.path) if back else redirect("event-player", event.slug, number)
    entrant = known.select_related("event", "person", "partner", "club").get(pk=entrant.pk)
    context = DoorNamePage(
        event=event,
        who=shown(entrant, shorten=event.short_names),
        arrived=not back,
        undo=UNDO.sign_object([str(event.pk), number]) if was != entrant.state else "",
        plays_from=entrant.from_round if was != entrant.state else 0,
    )
    return show_page(request, context)


def _taken_back(event: Event, signed: str) -> int:
    """Return the entrant this phone just checked in. Only that check-in can be undone."""
    try:
        scope, number = UNDO.unsign_object(signed, max_age=UNDO_WITHIN)
    except signing.BadSignature:
        scope, number = "", 0
    if scope != str(event.pk):
        raise Conflict("too_late", _("That can no longer be undone here. Ask at the desk."))
    return int(number)


class RegisterPage(Page, template="public/register.html", here="register"):
    form: RegistrationForm
    same: list[Shown]
    door: str
    words: str
    door_names: list[Shown]
    open: bool
    left: int | None


def _registering(request: HttpRequest, event: Event, *, door: str) -> HttpResponse:
    words = request.GET.get("q", "").strip()
    data = request.POST if request.method == "POST" else None
    form = RegistrationForm(data, pairs=pages.in_pairs(event), name=name_as_typed(words))
    same: list[Shown] = []
    if form.is_bound and form.is_valid():
        again = was_sent(request, "register")
        named = [] if again else pages.find(event, form.cleaned_data["name"], most=5)
        if named and "anyway" not in request.POST:
            same = [shown(entrant, shorten=event.short_names) for entrant in named]
        else:
            if not again:
                REGISTRATIONS_BY_ADDRESS.check(address(request))
            try:
                wanted = {**form.cleaned_data}
                mail_in = (get_language() or "en")[:2] if wanted.pop("mail", False) else ""
                registration = once_a_form(
                    request,
                    "register",
                    partial(registrations.register, event_id=event.pk, mail_in=mail_in, **wanted),
                )
            except Refused as refusal:
                refuse(request, form, refusal)
            else:
                return redirect("registered", event.slug, registration.pk)
    context = RegisterPage(
        form=form,
        same=same,
        door=door,
        words=words,
        door_names=_door_names(event, words) if door else [],
        open=registrations.is_open(event),
        left=registrations.places_for_newcomers(event),
    )
    return show_event(request, event, context, status=422 if form.errors else 200)


def _door_names(event: Event, words: str) -> list[Shown]:
    """Return the players for check-in: those matching the words, else all, by name."""
    if words:
        return [shown(entrant, shorten=event.short_names) for entrant in pages.find(event, words)]
    there = [who for who in everybody(event).values() if who.state != EntrantState.MERGED]
    return sorted(there, key=lambda who: alphabetical(Person(who.name)))


class RegisteredPage(Page, template="public/registered.html", here="register"):
    registration: Registration
    waits: bool


class RegisteredNowPage(Page, template="public/registered_now.html"):
    event: Event
    registration: Registration


@public
@never_cache
@require_http_methods(["GET", "HEAD"])
def registered(request: HttpRequest, slug: str, registration_id: uuid.UUID) -> HttpResponse:
    """Show the outcome of a registration; only its author knows the address."""
    event = event_by_slug(slug)
    registration = get_object_or_404(
        Registration.objects.select_related("entrant"), pk=registration_id, event=event
    )
    waits = registration.state in registrations.OPEN
    if request.GET.get("part") == "now":
        facts = RegisteredNowPage(event=event, registration=registration)
        part = show_page(request, facts)
        if not waits:
            part["X-Live-Stop"] = "1"
        return part
    context = RegisteredPage(registration=registration, waits=waits)
    return show_event(request, event, context)


class RegistrationsPage(Page, template="desk/registrations.html", here="desk-players"):
    pending: list[tuple[Registration, str, list[str]]]
    open: bool
    left: int | None
    address: str
    unreachable: str
    door_address: str
    code: SafeString


@needs("entrants.manage")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def desk_registrations(request: HttpRequest, slug: str) -> HttpResponse:
    """List the registrations that wait for an answer, and the code for the door."""
    event = event_by_slug(slug)
    if request.method == "POST":
        _answer(request, event)
        return redirect("desk-registrations", slug)
    pending = registrations.pending(event)
    twins = _twins(event, pending)
    at_the_door = address_for_phones(request) + reverse("door", args=[slug, door_token(event)])
    drawn = segno.make(at_the_door, error="m").svg_inline(
        scale=6, border=4, dark="#000", light="#fff", omitsize=True, lineclass=None
    )
    context = RegistrationsPage(
        pending=[
            (each, twins.get(each.pk, ""), questions)
            for each, questions in zip(pending, _bans(request, event, pending), strict=True)
        ],
        open=registrations.is_open(event),
        left=registrations.places_left(event),
        address=address_for_phones(request) + reverse("register", args=[slug]),
        unreachable=unreachable_address(request),
        door_address=at_the_door,
        code=mark_safe(drawn),  # noqa: S308 - segno's own markup of modules, no text of anybody
    )
    return show_event(request, event, context)


def _twins(event: Event, pending: list[Registration]) -> dict[uuid.UUID, str]:
    """Of the registrations that wait, those with the name of a player or of an earlier one; who that is."""
    players = event.entrants.exclude(state=EntrantState.MERGED)
    there = {
        _name_key(name): f"{number} {name}"
        for number, *both in players.values_list("number", "person__name", "partner__name")
        for name in filter(None, both)
    }
    twins = {}
    for each in pending:
        key = _name_key(each.name)
        if key in there:
            twins[each.pk] = there[key]
        there.setdefault(key, each.name)
    return twins


def _bans(request: HttpRequest, event: Event, pending: list[Registration]) -> list[list[str]]:
    """Return the questions about suspensions for each registration; none to who may not read them."""
    people = [(at, Coming(each.name)) for at, each in enumerate(pending)]
    people += [(at, Coming(each.partner)) for at, each in enumerate(pending) if each.partner]
    questions: list[list[str]] = [[] for _each in pending]
    if may_read_bans(actor_of(request), event.pk):
        for ban in bans_on(person for _at, person in people):
            questions[people[ban.place][0]].append(ban.question)
    return questions


def _name_key(name: str) -> tuple[str, ...]:
    """Return the words of a name in any order, in lower case and without accents."""
    return tuple(sorted(alphabetical(Person(name))[0].split()))


def _answer(request: HttpRequest, event: Event) -> None:
    """Enter or refuse one registration, or enter all that are not on the waiting list."""
    verb = request.POST.get("verb", "")
    if verb == "all":
        pending = registrations.pending(event)
        twins = _twins(event, pending)
        waiting = [each for each in pending if each.state == "asked" and each.pk not in twins]
        confirmed = [do(request, registrations.confirm, each) for each in waiting]
        entered = sum(each is not None for each in confirmed)
        if entered:
            text = ngettext("%(n)d player is registered.", "%(n)d players are registered.", entered)
            messages.success(request, text % {"n": entered})
        if twins:
            messages.warning(request, _("Names that stand there twice are left: answer each."))
        return
    try:
        wanted = uuid.UUID(request.POST.get("registration", ""))
    except ValueError as error:
        raise Http404 from error
    registration = get_object_or_404(Registration, pk=wanted, event=event)
    if verb == "refuse":
        do(request, registrations.refuse, registration)
        return
    entrant = do(request, registrations.confirm, registration, present=verb == "here")
    if entrant is None:
        return
    text = (
        _("%(name)s is registered as number %(number)d and checked in.")
        if verb == "here"
        else _("%(name)s is registered as number %(number)d.")
    )
    facts = {"name": shown(entrant, shorten=False).name, "number": entrant.number}
    messages.success(request, text % facts)
