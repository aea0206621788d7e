"""Page of a ruling: its content, versions and appeals; annul, finalise, appeal, hear."""

from __future__ import annotations

import uuid
from typing import NamedTuple

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts.access import actor_of
from accounts.pages import Crumb, Labelled, Page
from accounts.roles import capabilities_of
from adjudication.models import (
    Appeal,
    AppealState,
    Cause,
    Incident,
    Ruling,
    RulingState,
)
from adjudication.queries.audience import audience_text, is_of_persons, parties_of
from adjudication.queries.discipline import SanctionShown, register
from adjudication.queries.discipline import shown as sanctions_shown
from adjudication.queries.effects import next_round_kept, open_draws
from adjudication.queries.impact import Impact, impact_of
from adjudication.queries.shown import (
    AppealShown,
    RulingShown,
    actor_names,
    appeals_shown,
    show,
    side_label,
    when,
)
from adjudication.services import appeals, incidents, rulings
from adjudication.services.access import is_reserved, plays_at
from ledger.errors import Refused
from tournament.access import needs
from tournament.models import Event, EventState, Round
from tournament.models.tables import Sheet
from tournament.queries.names import directory
from tournament.queries.sheet_page import Item
from tournament.tables.score_sheet import ScoreSheet
from tournament.views.doing import do, submit
from tournament.views.frame import event_by_slug, show_event

from .common import HEARING, NEXT_ROUNDS, Answers, incident_crumbs
from .discipline import SanctionForm
from .forms import HearingForm


class Rights(NamedTuple):
    """Actions on a ruling that the caller may take."""

    own_table: bool
    amend: bool
    annul: bool
    finalise: bool
    appeal: bool
    withdraw_appeal: bool
    hear: bool
    sanction: bool
    hand_over: bool
    again: uuid.UUID | None
    """The decided appeal against which a side may appeal."""


class HandedRuling(NamedTuple):
    """A ruling whose change was handed over to the chief referee: by whom, and what they proposed."""

    by: str
    reason: str


class RulingPage(Page, template="referee/ruling.html", here="referee-desk"):
    ruling: RulingShown
    row: Ruling
    may: Rights
    concerned: list[Labelled]
    history: list[Item]
    appeals: list[AppealShown]
    sides: list[tuple[str, str]]
    later: list[Round]
    past_the_end: list[int]
    seen: int
    confirmed_by: str
    handed: HandedRuling | None
    typed: QueryDict
    hearing: HearingForm | None
    after_event: bool
    sanction_form: SanctionForm | None
    sanctions: list[SanctionShown]
    impact: Impact | None
    impact_refused: str
    crumbs: list[Crumb]
    next_rounds: Answers = NEXT_ROUNDS


@needs("incidents.read")
@require_safe
def ruling_page(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show the ruling in its current form, and its history."""
    event = event_by_slug(slug)
    ruling = rulings.ruling_by_number(event, number)
    return _page(request, event, ruling, asks=request.GET.get("preview") == "undone")


def _page(
    request: HttpRequest,
    event: Event,
    ruling: Ruling,
    *,
    asks: bool,
    status: int = 200,
    hearing: HearingForm | None = None,
) -> HttpResponse:
    """Render the page of a ruling; ``asks``: with a preview of undoing it, if the caller may do so.

    ``hearing``: the committee's form as typed.
    """
    shown = show(ruling, whole=True)
    may = _rights(request, event, ruling)
    impact, refused = _undone(request, ruling) if asks and (may.annul or may.hear) else (None, "")
    return show_event(
        request,
        event,
        RulingPage(
            ruling=shown,
            row=ruling,
            may=may,
            concerned=_concerned(shown),
            history=_history(ruling),
            appeals=appeals_shown(ruling, shown.case, named=True),
            sides=[(side, side_label(shown.case, side)) for side in appeals.sides_of(ruling)],
            later=open_draws(ruling.incident),
            past_the_end=_past_the_end(shown.case.sheet, ruling),
            seen=rulings.versions_on(ruling.incident),
            confirmed_by=_confirmed_by(ruling),
            handed=_handed(ruling),
            typed=request.POST,
            hearing=hearing or (_hearing(request, ruling) if may.hear else None),
            after_event=ruling.appeals.filter(state=AppealState.OPEN, instance=2).exists()
            and event.state != EventState.FINISHED,
            sanction_form=SanctionForm(ruling) if may.sanction else None,
            sanctions=sanctions_shown(list(register().filter(ruling=ruling)), event)
            if "discipline.read" in capabilities_of(request.user, event.pk)
            else [],
            impact=impact,
            impact_refused=refused,
            crumbs=incident_crumbs(
                ruling.incident, Crumb(_("Ruling %(n)d") % {"n": ruling.number})
            ),
        ),
        status=status,
    )


def _handed(ruling: Ruling) -> HandedRuling | None:
    incident = ruling.incident
    if incident.handed_at is None or incident.handed.get("ruling") != ruling.number:
        return None
    by = actor_names([incident.handed_by]).get(incident.handed_by, "")
    return HandedRuling(by, incident.handed.get("reason") or incident.handed["article"])


def _past_the_end(sheet: Sheet | None, ruling: Ruling) -> list[int]:
    """Return the later deals of the ruling's match that do not count, as the match ended before them."""
    deal = ruling.incident.deal
    if sheet is None or deal is None or not ruling.in_force:
        return []
    return [each.number for each in ScoreSheet(sheet).past_the_end() if each.number > deal]


def _concerned(shown: RulingShown) -> list[Labelled]:
    """Return the parties and the readers of the offence."""
    parties = parties_of(shown)
    listed = {
        _("Offender"): [parties.offender] if parties.offender is not None else [],
        _("Gains"): sorted(parties.gain),
        _("Only affected"): sorted(parties.affected),
    }
    people = directory(shown.ruling.event, [pk for pks in listed.values() for pk in pks])
    rows = [
        Labelled(label, ", ".join(people[pk].name for pk in pks))
        for label, pks in listed.items()
        if pks
    ]
    return [*rows, Labelled(_("Who reads it"), audience_text(shown.ruling))]


def _undone(request: HttpRequest, ruling: Ruling) -> tuple[Impact | None, str]:
    """Return the impact of annulling the ruling, or overturning it on appeal; or the refusal's reason."""
    incident = Incident.objects.select_related(*incidents.RELATED).get(pk=ruling.incident_id)
    appealed = ruling.appeals.filter(state=AppealState.OPEN).exists()

    def act() -> Ruling:
        return rulings.annul(
            ruling_id=ruling.pk,
            actor=actor_of(request),
            reason="preview",
            next_round=next_round_kept(incident, ""),
            cause=Cause.OVERTURNED if appealed else Cause.ANNULLED,
        )

    try:
        return impact_of(incident, act), ""
    except Refused as refusal:
        return None, str(refusal)


def _rights(request: HttpRequest, event: Event, ruling: Ruling) -> Rights:
    can = capabilities_of(request.user, event.pk)
    own = plays_at(actor_of(request), ruling.incident)
    provisional = ruling.state == RulingState.PROVISIONAL and not ruling.is_final
    appealed = ruling.appeals.filter(state=AppealState.OPEN).exists()
    beyond = (is_reserved(ruling) or ruling.is_final) and "rulings.confirm" not in can
    rules = "incidents.rule" in can and not own and not (beyond and is_reserved(ruling))
    final = "rulings.finalise" in can
    second = ruling.appeals.filter(state=AppealState.OPEN, instance=2).exists()
    return Rights(
        own_table=own,
        amend=rules and provisional and not appealed,
        annul=not appealed and ruling.in_force and ((rules and provisional) or (final and not own)),
        finalise=final and not own and provisional and not appealed,
        appeal="incidents.rule" in can
        and not own
        and provisional
        and not appealed
        and ruling.appeal_until > timezone.now(),
        withdraw_appeal=appealed and not own and "incidents.rule" in can,
        hear=appealed
        and not own
        and "appeals.hear" in can
        and (not second or event.state == EventState.FINISHED)
        and appeals.may_hear(actor_of(request), ruling),
        sanction="discipline.manage" in can
        and not own
        and ruling.state == RulingState.FINAL
        and ruling.offender is not None
        and is_of_persons(ruling),
        hand_over="incidents.rule" in can and not own and beyond and ruling.in_force,
        again=_decided(ruling) if "incidents.rule" in can and not own and not appealed else None,
    )


def _decided(ruling: Ruling) -> uuid.UUID | None:
    """Return the last appeal that a committee of the first instance decided."""
    heard = ruling.appeals.filter(instance=1).exclude(
        state__in=[AppealState.OPEN, AppealState.WITHDRAWN]
    )
    return heard.order_by("-heard_at").values_list("pk", flat=True).first()


def _hearing(request: HttpRequest, ruling: Ruling, given: QueryDict | None = None) -> HearingForm:
    listed = appeals.candidates(ruling, actor_of(request))
    again = ruling.appeals.filter(state=AppealState.OPEN, instance=2).exists()
    return HearingForm(listed, given, again=again)


def _confirmed_by(ruling: Ruling) -> str:
    """Return the name of the person who confirmed the latest version; empty if none was needed."""
    latest = ruling.versions.latest("number")
    decided = ruling.confirmations.filter(version=latest.number)
    # Versions of earlier releases do not name who confirmed them.
    second = latest.second or decided.values_list("decided_by", flat=True).first() or ""
    return actor_names([second]).get(second, "")


def _history(ruling: Ruling) -> list[Item]:
    versions = list(ruling.versions.order_by("-number"))
    names = actor_names(version.made_by for version in versions)
    items = []
    for place, version in enumerate(versions):
        shown = show(ruling, version, whole=True)
        items.append(
            Item(
                when=when(version.made_at),
                who=names[version.made_by],
                what=f"{version.number}. {version.get_cause_display()}{_(':')} "
                + f"{shown.article} · {shown.penalty}",
                why=version.reason,
                in_force=place == 0 and version.in_force,
                superseded=place > 0,
            )
        )
    return items


@needs("incidents.rule")
@require_http_methods(["GET", "HEAD", "POST"])
def annul(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Take the ruling back, or look first; a final one only by who may finalise."""
    event = event_by_slug(slug)
    ruling = rulings.ruling_by_number(event, number)
    if request.method != "POST":
        return redirect("referee-ruling", slug, number)
    if "look" in request.POST:
        return _page(request, event, ruling, asks=True)
    if do(request, rulings.annul, ruling) is None:
        return _page(request, event, ruling, asks=False, status=422)
    return redirect("referee-ruling", slug, number)


@needs("appeals.hear")
@require_http_methods(["GET", "HEAD", "POST"])
def hear(request: HttpRequest, slug: str, number: int, appeal_id: uuid.UUID) -> HttpResponse:
    """Uphold or overturn, or look first; a change goes through the incident's page."""
    event = event_by_slug(slug)
    ruling = rulings.ruling_by_number(event, number)
    heard = get_object_or_404(Appeal, pk=appeal_id, ruling=ruling)
    if request.method != "POST":
        return redirect("referee-ruling", slug, number)
    form = _hearing(request, ruling, request.POST)
    if "look" in request.POST:
        return _page(request, event, ruling, asks=True, hearing=form)
    if not form.is_valid():
        return _page(request, event, ruling, asks=False, status=422, hearing=form)
    outcome, decision = form.cleaned_data["outcome"], form.cleaned_data["decision"]
    if outcome == "changed":
        request.session[HEARING] = {str(heard.pk): form.to_store()}
        address = reverse("referee-incident", args=[slug, ruling.incident.number])
        return redirect(f"{address}?appeal={heard.pk}#article")
    decided = submit(
        request,
        form,
        appeals.hear,
        heard,
        outcome=outcome,
        decision=decision,
        next_round=request.POST.get("next_round", ""),
        **form.hearing(),
    )
    if decided is None:
        return _page(request, event, ruling, asks=False, status=422, hearing=form)
    return redirect("referee-ruling", slug, number)
