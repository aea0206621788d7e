"""Verbs on pages: a form's fields go to the service, its refusal or its word of success to the page."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Container, Mapping, Sequence
from typing import Any, Final, TypeVar

from django.apps import apps
from django.contrib import messages
from django.core.exceptions import ObjectDoesNotExist, PermissionDenied, ValidationError
from django.db import IntegrityError
from django.db.models import Model
from django.forms import BaseForm
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from accounts.access import actor_of, page_of, signed_in
from accounts.roles import may
from ledger.canonical import JsonObject, canonical_json
from ledger.change import change
from ledger.errors import Refused
from ledger.idempotency import once
from ledger.models import ORGANISATION, IdempotencyKey
from ledger.rows import event_of
from ledger.verbs import VERBS, Argument, verb_of
from scoring.engine.errors import EngineError
from scoring.engine.shapes import EntryJson
from tournament.tables.entry import FormEntry, refusal_text
from tournament.views.frame import event_by_slug
from tournament.views.typed import numbers_in, whole

T = TypeVar("T")


class Words(dict[str, object]):
    """Attributes of an act's result for its message: ``%(number)d`` is its number."""

    def __init__(self, of: object) -> None:
        super().__init__()
        self.of = of

    def __missing__(self, name: str) -> object:
        return getattr(self.of, name)


def typed(argument: Argument, form: Mapping[str, Any]) -> Any:
    """Return a verb's argument from a form."""
    if argument.type is bool:
        return argument.name in form
    if argument.type == EntryJson | FormEntry:
        return FormEntry(form)
    if argument.type == Sequence[int]:
        return numbers_in(form.get(argument.name, ""))
    text = form.get(argument.name, "")
    if argument.type not in (int, int | None):
        return text
    number = whole(text, signed=True)
    if number is None and argument.type is int and argument.bounds is None:
        raise Refused("number_missing", _("Give a whole number."), field=argument.name)
    return number


def fields_of(
    service: Callable[..., object], form: Mapping[str, Any], given: Container[str] = ()
) -> dict[str, Any]:
    """Return the arguments of a verb from a plain form, except those ``given``."""
    return {
        each.name: typed(each, form)
        for each in verb_of(service).takes
        if each.name not in given and (each.required or each.name in form)
    }


def act(
    request: HttpRequest, service: Callable[..., object], row: Model | None, **given: object
) -> Any:
    """Do a verb as ``given``, to a row or making one; its refusals are raised."""
    verb = verb_of(service)
    by = {"actor": actor_of(request)} if verb.by else {}
    name = f"{verb.name} {row.pk if row else ''}"
    key = {verb.key: row.pk} if row else {}
    return once_a_form(request, name, lambda: verb.act(**key, **by, **given))


def once_a_form(request: HttpRequest, name: str, effect: Callable[[], T]) -> T:
    """Run ``effect`` and return its result; a form sent twice has its effect once.

    Each page brings a token of its own, so the same fields with the same token are one form. Only a
    row is remembered as a result. Where a row of a list acts in place, its page and token stay.
    """
    key = _form_key(request, name)
    if not key:
        return effect()
    results: list[T] = []

    def answer() -> JsonObject:
        results.append(effect())
        if not isinstance(results[0], Model):
            raise _NoRow
        return {"model": results[0]._meta.label, "pk": str(results[0].pk)}

    for attempt in (1, 2):
        try:
            with change():
                try:
                    row, _repeated = once(scope=ORGANISATION, key=key, request=key, effect=answer)
                except _NoRow:
                    return results[0]
            break
        except IntegrityError:  # the same form arrived at the same time, and was first
            if attempt == 2:
                raise
            results.clear()
    return (
        results[0] if results else apps.get_model(row["model"])._default_manager.get(pk=row["pk"])
    )


def _form_key(request: HttpRequest, name: str) -> str:
    """Return the key of a form by its token and its fields; empty where each sending counts."""
    in_place = request.headers.get("X-Part") in ("row", "name")
    if in_place or not request.POST.get("csrfmiddlewaretoken"):
        return ""
    files = [file for key in sorted(request.FILES) for file in request.FILES.getlist(key)]
    form = [
        request.path,
        name,
        sorted((key, *all_) for key, all_ in request.POST.lists()),
        [[file.name, file.size] for file in files],
    ]
    return hashlib.sha256(canonical_json(form).encode()).hexdigest()


def was_sent(request: HttpRequest, name: str) -> bool:
    """Whether this form was sent before: what it made is no reason to ask about a namesake."""
    key = _form_key(request, name)
    return bool(key) and IdempotencyKey.objects.filter(scope=ORGANISATION, key=key).exists()


def verb_was_sent(request: HttpRequest, service: Callable[..., object], row: Model | None) -> bool:
    """Whether the form of a verb, as :func:`act` does it, was sent before."""
    return was_sent(request, f"{verb_of(service).name} {row.pk if row else ''}")


class _NoRow(Exception):
    """The effect made no row."""


def perform(
    request: HttpRequest, service: Callable[..., object], row: Model, **given: object
) -> Any:
    """Run a verb as :func:`act` does, with the fields of a plain form that are not ``given``."""
    return act(request, service, row, **fields_of(service, request.POST, given), **given)


def done_words(service: Callable[..., object], done: object) -> str:
    """Return a page's message after a verb."""
    return str(verb_of(service).done) % Words(done)


def do(
    request: HttpRequest,
    service: Callable[..., object],
    row: Model,
    done: str = "",
    **given: object,
) -> Any:
    """Run a verb as :func:`perform` does; the next page shows its message or ``done``.

    Returns the result of the service (true if it has none), or ``None`` after a refusal.
    """
    return _tell(request, None, service, done, lambda: perform(request, service, row, **given))


def submit(
    request: HttpRequest,
    form: BaseForm | None,
    service: Callable[..., object],
    row: Model | None = None,
    done: str = "",
    **given: object,
) -> Any:
    """Run a verb as :func:`do` does, with the given arguments only; show a refusal at its field."""
    return _tell(request, form, service, done, lambda: act(request, service, row, **given))


def refuse(request: HttpRequest, form: BaseForm | None, refusal: Refused) -> None:
    """Show a refusal at its field of a bound form, else on the next page."""
    if form is None or not form.is_bound:
        messages.error(request, str(refusal))
        return
    field = refusal.field.rpartition(".")[2]
    form.add_error(field if field in form.fields else None, str(refusal))


def _tell(
    request: HttpRequest,
    form: BaseForm | None,
    service: Callable[..., object],
    says: str,
    doing: Callable[[], object],
) -> Any:
    try:
        done = doing()
    except Refused as refusal:
        return refuse(request, form, refusal)
    except EngineError as error:
        messages.error(request, refusal_text(error, get_language() or "en"))
        return None
    if words := says or done_words(service, done):
        messages.success(request, words)
    return True if done is None else done


PLAIN: Final = (bool, str, int, int | None, Sequence[int])
"""The types of arguments that a plain form gives (:func:`typed`)."""


@signed_in
@require_POST
def do_verb(request: HttpRequest, slug: str, verb: str, key: str) -> HttpResponse:
    """Do a verb to a row of the event with the fields of a plain form, and return to its page."""
    event, wanted = event_by_slug(slug), VERBS.get(verb)
    if (
        wanted is None
        or not wanted.key
        or not wanted.needs
        or not all(each.type in PLAIN for each in wanted.takes)
    ):
        raise Http404
    if not may(request.user, wanted.needs, event.pk):
        raise PermissionDenied(wanted.needs)
    try:
        row = wanted.of._default_manager.get(pk=key)
        inside = event_of(row) == event.pk
    except (ObjectDoesNotExist, ValueError, ValidationError, LookupError) as error:
        raise Http404 from error
    if not inside:
        raise Http404
    do(request, wanted.act, row)
    back = page_of(request)
    return redirect("desk-event", slug) if back == request.path else redirect(back)
