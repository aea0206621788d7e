"""Receivers of the tournament's signals (:mod:`tournament.signals`)."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import Count, Q
from django.dispatch import receiver
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from adjudication.models import (
    Appeal,
    AppealState,
    Cause,
    Incident,
    IncidentState,
    PenalCode,
    Ruling,
    RulingState,
    RulingVersion,
)
from adjudication.penal import Measure, PenalCodeError
from ledger.actors import Actor
from ledger.canonical import JsonObject
from ledger.errors import Refused
from tournament import signals
from tournament.documents import AdjudicationReport, Imprint
from tournament.models import Entrant, Event, Person, Seat, Stage, Standings
from tournament.models.tables import DealVersion, Series, Sheet
from tournament.queries.falls import Concerned, Hanging
from tournament.queries.pages import hidden_rounds, shows_round
from tournament.queries.rulebooks import ChangedPenalty
from tournament.queries.rulings import ShownRuling
from tournament.services.archive import Keys
from tournament.services.banned import Banned, Coming, Sanctioned
from tournament.services.event_life import OpenMatter

from .queries import audience
from .queries.codes import changed_by, code_of_rules
from .queries.discipline import bans_on_people, sanctions_on
from .queries.effects import COSTING, OF_THE_SITTING
from .queries.falls import hangings
from .queries.papers import report_lines
from .queries.shown import RulingShown, listed, related, show
from .services import archiving, codes, discipline, effects
from .services import evidence as _jobs  # noqa: F401 registers the kinds of job
from .services.incidents import follow_record

signals.result_changed.connect(effects.follow_result)


@receiver(signals.round_locking)
def lock_incidents(round_id: uuid.UUID, **_more: object) -> None:
    """Lock the penal code and the incidents of a round, so that no ruling is issued meanwhile."""
    codes.locked(Event.objects.get(stages__rounds=round_id))
    incidents = Incident.objects.select_for_update(of=("self",), no_key=True).filter(
        table__round=round_id
    )
    list(incidents.order_by("pk").values_list("pk", flat=True))


@receiver(signals.round_withdrawn)
def unseat_incidents(round_id: uuid.UUID, **_more: object) -> None:
    """Unseat the incidents of a withdrawn round, which no ruling decides meanwhile."""
    lock_incidents(round_id)
    # The sheet is deleted with the draw. Clear the link here: a cascade in SQL would bypass the record.
    seated = Incident.objects.filter(table__round=round_id, unseated_at__isnull=True)
    seated.update(unseated_at=timezone.now(), sheet=None)


@receiver(signals.round_unseated)
def drop_measures(round_id: uuid.UUID, actor: Actor, **_more: object) -> None:
    """End the measures on games of a withdrawn draw, so that the next draw starts without them."""
    effects.unseat(round_id, actor=actor)


@receiver(signals.measures_fallen)
def list_fallen_measures(round_id: uuid.UUID, since: datetime, **_more: object) -> list[int]:
    """Return the rulings, not annulled since, whose measure fell with a draw of the round."""
    fallen = Ruling.objects.filter(
        incident__round=round_id,
        incident__unseated_at__gt=since,
        measure__in=[measure.value for measure in COSTING & OF_THE_SITTING],
    ).exclude(state=RulingState.ANNULLED)
    return sorted(fallen.values_list("number", flat=True))


@receiver(signals.deal_written)
def follow_violations(
    sheet: Sheet, deal: DealVersion, before: DealVersion | None, **_more: object
) -> None:
    """Open incidents for violations proved by the record, after the commit of the deal.

    Incidents are locked before sheets: hence a transaction of its own, which the timer repeats
    should it fail.
    """
    if deal.series == Series.OFFICIAL and (deal.flagged or (before and before.flagged)):
        transaction.on_commit(
            partial(follow_record, sheet_id=sheet.pk, number=deal.number), robust=True
        )


@receiver(signals.rulings_requested)
def list_rulings(
    event_id: uuid.UUID,
    entrant: int | None,
    table: uuid.UUID | None,
    most: int,
    sheet: uuid.UUID | None = None,
    private: bool = False,
    **_more: object,
) -> list[ShownRuling]:
    """Return the last rulings of an event, of a table (of one game or none), or of one entrant's tables.

    ``private``: on an entrant's own link. Who may not read an offence yet reads what the ruling changes (C.8).
    """
    rulings = Ruling.objects.filter(event=event_id)
    if table is not None:
        rulings = rulings.filter(incident__table=table, incident__unseated_at__isnull=True)
    if sheet is not None:
        of_game = Q(incident__sheet=sheet) | Q(incident__sheet__isnull=True)
        rulings = rulings.filter(of_game)
    if entrant is not None:
        theirs = rulings.filter(audience.at_tables_of(entrant))
        mine = set(theirs.order_by().values_list("pk", flat=True))
        if not mine:
            return []  # most players: anyone who reads their games after a draw asks for all of them
        rulings = Ruling.objects.filter(pk__in=mine)
    rulings_listed = listed(related(rulings).order_by("-number"))
    states = dict(
        Standings.objects.filter(stage__event=event_id).values_list("stage_id", "state")
        if any(hidden_rounds(ruling.event) for ruling in rulings_listed)
        else ()
    )
    wanted = {int(pk) for ruling in rulings_listed for pk in ruling.incident.seats.values()}
    numbers = dict(Entrant.objects.filter(pk__in=wanted).values_list("pk", "number"))
    shown_rulings: list[ShownRuling] = []
    for ruling in rulings_listed:
        if len(shown_rulings) == most:
            break
        shown = show(ruling, outside=True)
        plain = _plain(shown)
        below = f"rulings/{ruling.pk}/"
        effect = audience.effect_alone(shown, entrant, inside=private or table is not None)
        if effect == "":
            continue
        if effect is not None:
            title = _("Ruling at this table")
            plain |= {"article": "", "title": title, "penalty": effect, "reason": ""}
            below = ""
        shown_rulings.append(
            ShownRuling(
                **plain,
                below=below,
                hidden=_hidden(ruling, states),
                entrants=tuple(
                    numbers[int(pk)] for pk in ruling.incident.seats.values() if int(pk) in numbers
                ),
            )
        )
    return shown_rulings


@receiver(signals.forfeits_told)
def list_public_forfeits(event: Event, **_more: object) -> set[tuple[int, uuid.UUID]]:
    """Return the entrant and round of each forfeit in force whose ruling the public may read."""
    forfeits = Ruling.objects.filter(
        event=event,
        measure__in=[Measure.ROUND_FORFEITED.value, Measure.EXCLUDED_FROM_ROUND.value],
        incident__unseated_at__isnull=True,
    ).exclude(state=RulingState.ANNULLED)
    return {
        (ruling.offender_id, ruling.incident.round_id)
        for ruling in related(forfeits)
        if ruling.offender_id is not None
        and ruling.incident.round_id is not None
        and audience.audience_of(ruling) is audience.Audience.PUBLIC
    }


def _hidden(ruling: Ruling, states: dict[int, str]) -> bool:
    """Whether it was given in a round whose results the public may not see yet."""
    round_ = ruling.incident.round
    if round_ is None or not hidden_rounds(ruling.event):
        return False
    round_.stage.event = ruling.event
    return not shows_round(round_.stage, round_.number, states.get(round_.stage_id, ""))


@receiver(signals.rulings_counted)
def count_rulings(event_id: uuid.UUID, **_more: object) -> dict[int, int]:
    """Start number → versions, appeals and ends of the rulings that concern a player."""
    counts: Counter[int] = Counter()
    rulings = Ruling.objects.filter(event=event_id).annotate(
        lodged=Count("appeals", distinct=True),
        heard=Count("appeals", filter=~Q(appeals__state=AppealState.OPEN), distinct=True),
    )
    seats: dict[object, list[int]] = {}
    for table, number in (
        Seat.objects.filter(
            table__incidents__rulings__event=event_id, table__incidents__unseated_at__isnull=True
        )
        .values_list("table_id", "entrant__number")
        .distinct()
    ):
        seats.setdefault(table, []).append(number)
    for state, versions, lodged, heard, offender, table in rulings.values_list(
        "state", "versions_made", "lodged", "heard", "offender__number", "incident__table_id"
    ):
        count = versions + lodged + heard + (state == RulingState.FINAL)
        for number in {offender, *seats.get(table, ())} - {None}:
            counts[number] += count
    return dict(counts)


def _plain(shown: RulingShown) -> dict[str, Any]:
    """Return the public values of ``parts/referee/ruling.html``: no names, no staff."""
    return {
        "article": shown.article,
        "title": shown.title,
        "penalty": shown.penalty,
        "reason": shown.reason,
        "state": shown.state,
        "state_label": shown.state_label,
        "table": shown.table,
        "round": shown.round,
        "game": shown.game,
        "when": shown.when,
        "who": "",
        "url": "",
    }


@receiver(signals.hangings_requested)
def list_hangings(concerned: Concerned, **_more: object) -> list[Hanging]:
    """Return the incidents and rulings that depend on the tables of an act."""
    return hangings(concerned)


@receiver(signals.matters_requested)
def list_open_matters(
    event: Event, stage: Stage | None = None, **_more: object
) -> list[OpenMatter]:
    """Return incidents without a ruling, open appeals and rulings that are not final, of one stage or all."""
    of_stage = Incident.objects.filter(event=event)
    if stage is not None:
        of_stage = of_stage.filter(Q(round__stage=stage) | Q(round__isnull=True))
    incidents = of_stage.filter(state=IncidentState.OPEN).count()
    appeals = Appeal.objects.filter(
        ruling__incident__in=of_stage, state=AppealState.OPEN, instance=1
    ).count()
    rulings = Ruling.objects.filter(incident__in=of_stage, state=RulingState.PROVISIONAL).count()
    matters = [
        (
            "incidents_open",
            incidents,
            ngettext(
                "%(count)d incident has no ruling yet.",
                "%(count)d incidents have no ruling yet.",
                incidents,
            ),
        ),
        (
            "appeals_open",
            appeals,
            ngettext(
                "%(count)d appeal is still to be heard.",
                "%(count)d appeals are still to be heard.",
                appeals,
            ),
        ),
        (
            "rulings_provisional",
            rulings,
            ngettext("%(count)d ruling is not final.", "%(count)d rulings are not final.", rulings),
        ),
    ]
    return [
        OpenMatter(code, text % {"count": count}, "referee-desk")
        for code, count, text in matters
        if count
    ]


@receiver(signals.late_rulings_requested)
def list_late_rulings(stage: Stage, since: datetime, **_more: object) -> list[int]:
    """Return the rulings of a stage with a deciding version after a given time."""
    versions = RulingVersion.objects.filter(
        ruling__incident__round__stage=stage, made_at__gt=since
    ).exclude(cause=Cause.UPHELD)
    return sorted(set(versions.values_list("ruling__number", flat=True)))


@receiver(signals.records_requested)
def name_records(event: Event, entrant: Entrant | None, **_more: object) -> str | bool:
    """Whether the event has incidents; the sentence that names the entrant's, or ``""``."""
    incidents = Incident.objects.filter(event=event)
    if entrant is None:
        return incidents.exists()
    named = Ruling.objects.filter(offender=entrant).exists() or any(
        int(key) == entrant.pk
        for seats in incidents.values_list("seats", flat=True)
        for key in seats.values()
    )
    if not named:
        return ""
    return _("An incident on the referees’ desk concerns number %(number)d.") % {
        "number": entrant.number
    }


@receiver(signals.event_copied)
def copy_penal_code(source: Event, copy: Event, actor: Actor, **_more: object) -> None:
    """Copy articles and correction policy to the copy of an event."""
    code = PenalCode.objects.filter(event=source, current=True).first()
    if code is not None and (code.number > 1 or code.content):
        codes.copy_code(code, copy, actor)


@receiver(signals.house_rules_saved)
def require_penalties(rules: Mapping[str, object], **_more: object) -> None:
    """Refuse a club's own rules with changes to the penal code that an event could not make."""
    try:
        code_of_rules(rules)
    except PenalCodeError as error:
        raise Refused("penal_code", "; ".join(error.defects), field="penalties") from error


@receiver(signals.penalties_requested)
def list_penalties(rules: Mapping[str, object], **_more: object) -> list[ChangedPenalty]:
    """Return the articles that a club's own rules add, adopt or give another scale."""
    return changed_by(rules)


@receiver(signals.rules_changing)
def lock_code(event_id: uuid.UUID, **_more: object) -> None:
    """Lock the penal code before the event, since it depends on the event's rulebook."""
    current = PenalCode.objects.select_for_update(no_key=True).filter(event=event_id, current=True)
    # The model's own order reads the event, which would be locked as well.
    list(current.order_by("pk").values_list("pk", flat=True))


@receiver(signals.rules_changed)
def follow_rulebook(
    event: Event, before: Mapping[str, object], actor: Actor, **_more: object
) -> None:
    """Replace the penal code of an event after a change of its rulebook."""
    codes.follow_rules(event=event, before=before, actor=actor)


@receiver(signals.event_packed)
def pack_event(event: Event, **_more: object) -> tuple[str, object]:
    """Return incidents, rulings and the penal code for the event's archive."""
    return "adjudication", archiving.save(event)


@receiver(signals.event_unpacked)
def unpack_event(event: Event, parts: JsonObject, keys: Keys, **_more: object) -> None:
    """Import incidents, rulings and the penal code from an archive."""
    archiving.load(event, parts.get("adjudication", {}), keys)


@receiver(signals.report_requested)
def report_chapter(event: Event, frame: Imprint, **_more: object) -> AdjudicationReport:
    """Return incidents and rulings as a chapter of the event's report."""
    incidents, rulings, _mark = report_lines(event, frame.language)
    return AdjudicationReport(frame, incidents, rulings)


@receiver(signals.bans_requested)
def list_bans(people: Sequence[Coming], **_more: object) -> list[Banned]:
    """Return the bans in force on the names of people who come."""
    return bans_on_people(people)


@receiver(signals.banned_admitted)
def admit_banned(
    entrant: Entrant, bans: Sequence[uuid.UUID], reason: str, actor: Actor, **_more: object
) -> None:
    """Record that an entrant is admitted despite bans."""
    discipline.admit(entrant, bans, reason, actor)


@receiver(signals.sanctions_requested)
def list_sanctions(person: Person, **_more: object) -> list[Sanctioned]:
    """Return the entries of the discipline register about a person."""
    return sanctions_on(person)


@receiver(signals.person_forgotten)
def forget_sanctions(
    person_id: uuid.UUID | None, member_id: uuid.UUID | None, actor: Actor, **_more: object
) -> None:
    """Delete the entries of the discipline register with the person or the member."""
    discipline.forget(person_id, member_id, actor)
