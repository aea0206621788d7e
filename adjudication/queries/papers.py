"""Ruling slip and adjudication report as the documents want them, and the report as rows of CSV."""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from zoneinfo import ZoneInfo

from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from adjudication.models import Appeal, AppealState, Incident, RuledDeal, Ruling, RulingState
from ledger.canonical import canonical_json
from scoring.engine.errors import EngineError
from scoring.engine.speech import side_name
from tournament import documents as paper
from tournament.documents.formats import labelled, short_moment
from tournament.exports import safe_cell
from tournament.models import Event, Round
from tournament.models.tables import by_seat
from tournament.queries.brackets import own_name, title_of
from tournament.queries.papers import imprint
from tournament.ranking.figures import signed, with_minus
from tournament.tables.score_sheet import ScoreSheet

from .audience import is_of_persons
from .cases import Case
from .effects import effect_from_json, has_fallen
from .shown import (
    RulingShown,
    actor_names,
    article_of,
    before_figure,
    committee_items,
    description_of,
    language,
    listed,
    localized,
    marks_of,
    people_of,
    rulings_with,
    show,
    side_label,
)
from .together import touches

ZONE = ZoneInfo(settings.TIME_ZONE)


def fingerprint(value: object) -> str:
    """Return the SHA-256 of the records shown in a document."""
    return hashlib.sha256(canonical_json(value).encode()).hexdigest()


def _appeal_text(shown: RulingShown) -> str:
    lines = []
    for appeal in shown.ruling.appeals.all():
        side = side_label(shown.case, appeal.side)
        lines.append(
            labelled(
                side,
                f"{appeal.get_state_display()}. {appeal.decision or appeal.grounds}",
                language(),
            )
        )
    return " ".join(lines)


def _facts(shown: RulingShown) -> str:
    return _("; ").join(labelled(fact.label, fact.value, language()) for fact in shown.facts)


def _amounts(marks: Mapping[str, int | Fraction], *, sign: bool) -> list[str]:
    """Return the marks of every side, one line each."""
    return [
        f"{before_figure(side_name(side, language()))} {signed(n) if sign and n else with_minus(str(n))}"
        for side, n in by_seat(marks).items()
    ]


def _deal_lines(case: Case) -> list[str]:
    """Return the marks of the deal as the table played it, and as the sheet has it under all rulings."""
    if case.sheet is None or case.deal is None:
        return []
    ruled = RuledDeal.objects.filter(sheet=case.sheet, number=case.deal.number).first()
    entry = ruled.entry if ruled is not None and ruled.entry else case.deal.entry
    try:
        played = ScoreSheet(case.sheet).score(entry).marks
    except EngineError:
        played = {}
    return [
        labelled(label, ", ".join(_amounts(marks, sign=False)), language())
        for label, marks in (
            (_("Deal as played"), played),
            (_("Deal on the score sheet"), case.deal.marks),
        )
        if marks
    ]


def record(shown: RulingShown, names: dict[str, str]) -> paper.RulingRecord:
    """Return a ruling for the slip and the report."""
    ruling, version, case = shown.ruling, shown.version, shown.case
    people = people_of(case)
    sides: dict[str, list[str]] = {}
    for player, entrant in people.items():
        side = case.game().sides.get(player, player)
        sides.setdefault(case.places.side_to_seats(side), []).append(
            entrant.partition(" · ")[2] or entrant
        )
    annulled = None
    if not version.in_force:
        annulled = paper.Annulled(
            str(version.get_cause_display()),
            version.made_at.astimezone(ZONE),
            names.get(version.made_by, ""),
            version.reason,
        )
    fallen = not shown.damaged and has_fallen(ruling.incident, version.proposal["measure"])
    due = {} if shown.damaged or annulled or fallen else marks_of(version.proposal, shown.together)
    amounts = {str(case.places.side_to_seats(side)): marks for side, marks in due.items()}
    effects = []
    if any(amounts.values()):
        # Of a game of pairs both sides; a penalty for lateness is of single players.
        whole = dict.fromkeys(sides, 0) if amounts.keys() <= sides.keys() else {}
        effects = _amounts(whole | amounts, sign=True)
    if not (shown.damaged or annulled or fallen) and touches(
        effect_from_json(version.proposal["deal"], version.article)
    ):
        effects += _deal_lines(case)
    incident = ruling.incident
    offender = people.get(str(version.context.get("player")), "")
    labels = {side: side_name(side, language()) for side in by_seat(sides)}
    open_until = ruling.state == RulingState.PROVISIONAL and not shown.ruling.appeals.exists()
    return paper.RulingRecord(
        number=str(ruling.number),
        round=title_of(incident.round) if incident.round else "–",
        table=str(incident.table_number or "–"),
        deal=incident.deal,
        game=case.sheet.order if case.sheet else None,
        article=shown.article,
        article_title=shown.title,
        decision=shown.penalty,
        facts=_facts(shown) or description_of(incident),
        reason=" ".join(filter(None, [shown.decided.reason, *shown.because])),
        issued_at=(ruling.issued_at if annulled else shown.decided.made_at).astimezone(ZONE),
        effects=tuple(effects),
        sides=tuple(
            (label, ", ".join(dict.fromkeys(sides[side]))) for side, label in labels.items()
        ),
        readers=tuple(filter(None, [offender]) if is_of_persons(ruling) else labels.values()),
        offender=offender,
        referee=names.get(ruling.referee, ""),
        second=names.get(version.second, ""),
        status=shown.state_label,
        appeal_until=ruling.appeal_until.astimezone(ZONE) if open_until else None,
        appeal=_appeal_text(shown),
        annulled=annulled,
    )


def slip_pdf(ruling: Ruling, *, size: str = "a4") -> bytes:
    """Render the slip of one ruling, for signature, in the active language."""
    shown = show(ruling, whole=True, outside=True)
    slip = record(shown, actor_names([ruling.referee, shown.version.made_by, shown.version.second]))
    mark = fingerprint([str(ruling.pk), ruling.versions_made, shown.penalty, *slip.effects])
    return paper.ruling_slip_pdf(
        paper.RulingSlip(
            imprint(ruling.event, language=language(), size=size, fingerprint=mark, state=None),
            slip,
        )
    )


def minutes_pdf(appeal: Appeal, *, size: str = "a4") -> bytes:
    """Render the minutes of a decided appeal, for the committee's signatures, in the active language."""
    ruling = appeal.ruling
    shown = show(ruling, whole=True)
    names = actor_names(
        [
            ruling.referee,
            shown.version.made_by,
            shown.version.second,
            appeal.heard_by,
            *appeal.members,
        ]
    )
    items = [
        (_("Appeal"), side_label(shown.case, appeal.side)),
        (_("Why"), appeal.grounds),
        *committee_items(appeal),
        (_("Decision"), str(appeal.get_state_display())),
        (_("Reason"), appeal.decision),
    ]
    mark = fingerprint([str(appeal.pk), ruling.versions_made, [list(item) for item in items]])
    return paper.minutes_pdf(
        paper.Minutes(
            imprint(ruling.event, language=language(), size=size, fingerprint=mark, state=None),
            record(shown, names),
            tuple(items),
            tuple(names[each] for each in [appeal.heard_by, *appeal.members]),
        )
    )


def _round(round_: Round) -> str:
    """Return a round's label for a column: its name in a bracket, else its number."""
    return own_name(round_) or str(round_.number)


def _incidents(event: Event) -> list[Incident]:
    return list(
        Incident.objects.filter(event=event)
        .select_related("event", "round__stage__event", "sheet", "call")
        .prefetch_related("rulings")
        .order_by("number")
    )


def report_lines(
    event: Event, lang: str
) -> tuple[tuple[paper.IncidentLine, ...], tuple[paper.RulingRecord, ...], str]:
    """Return all incidents and rulings for the report, and their fingerprint."""
    shown = [show(ruling, whole=True) for ruling in listed(rulings_with(event).order_by("number"))]
    names = actor_names(
        name
        for each in shown
        for name in (each.ruling.referee, each.version.made_by, each.version.second)
    )
    lines = []
    for incident in _incidents(event):
        rulings = list(incident.rulings.all())
        lines.append(
            paper.IncidentLine(
                time=short_moment(timezone.localtime(incident.opened_at), lang),
                round=_round(incident.round) if incident.round else "–",
                table=str(incident.table_number or "–"),
                facts=description_of(incident),
                article=", ".join(ruling.article for ruling in rulings),
                ruling=", ".join(str(ruling.number) for ruling in rulings),
                status=incident.get_state_display(),
            )
        )
    mark = fingerprint(
        [[each.number, each.version.number, each.state, each.penalty] for each in shown]
        + [[line.time, line.facts, line.status] for line in lines]
    )
    return tuple(lines), tuple(record(each, names) for each in shown), mark


def report_pdf(event: Event, lang: str) -> bytes:
    """Render the adjudication report as PDF."""
    incidents, rulings, mark = report_lines(event, lang)
    frame = imprint(event, language=lang, size="a4", fingerprint=mark, state=None)
    report = paper.AdjudicationReport(frame, incidents, rulings)
    return paper.adjudication_report_pdf(report)


def safe(value: object) -> str:
    """Escape a cell so that no spreadsheet takes it for a formula, whatever its separator."""
    return "" if value is None else str(safe_cell(str(value)))


def report_csv(event: Event) -> str:
    """Write the report as CSV: a line for every version of a ruling, and for incidents without a ruling."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=";", lineterminator="\r\n")
    writer.writerow(
        [
            _("Incident"),
            _("Opened"),
            _("Stage"),
            _("Round"),
            _("Table"),
            _("Game"),
            _("Deal"),
            _("Account"),
            _("State"),
            pgettext("number", "Ruling"),
            _("Version"),
            _("Why"),
            _("Article"),
            _("Title"),
            _("Decision"),
            _("Offender"),
            _("Facts"),
            _("Reason"),
            pgettext("ruling", "Status"),
            _("Issued on"),
            _("Appeals"),
        ]
    )
    rulings: dict[object, list[Ruling]] = {}
    for ruling in rulings_with(event).order_by("number"):
        rulings.setdefault(ruling.incident_id, []).append(ruling)
    for incident in _incidents(event):
        round_ = incident.round
        cells = [
            incident.number,
            timezone.localtime(incident.opened_at).isoformat(timespec="seconds"),
            round_.stage.title if round_ else "",
            _round(round_) if round_ else "",
            incident.table_number,
            incident.sheet.order if incident.sheet else "",
            incident.deal,
            description_of(incident),
            incident.get_state_display(),
        ]
        of_incident = rulings.get(incident.pk, [])
        if not of_incident:
            writer.writerow([safe(v) for v in [*cells, *[""] * 12]])
        for ruling in of_incident:
            for version in ruling.versions.order_by("number"):
                last = version.number == ruling.versions_made
                shown = show(ruling, None if last else version, whole=True)
                writer.writerow(
                    [
                        safe(v)
                        for v in [
                            *cells,
                            ruling.number,
                            version.number,
                            version.get_cause_display(),
                            shown.article,
                            shown.title,
                            shown.penalty,
                            people_of(shown.case).get(str(version.context.get("player")), ""),
                            _facts(shown),
                            version.reason,
                            shown.state_label if last else _("superseded"),
                            timezone.localtime(version.made_at).isoformat(timespec="seconds"),
                            _appeal_text(shown),
                        ]
                    ]
                )
    return "\ufeff" + out.getvalue()


@dataclass(slots=True)
class Frequency:
    """Numbers of rulings under an article, of appeals, and of overturned or annulled rulings."""

    article: str
    title: str
    rulings: int = 0
    appeals: int = 0
    undone: int = 0


def frequencies(event: Event) -> list[Frequency]:
    """Return the applied articles, the most frequent first."""
    counts: dict[str, Frequency] = {}
    for ruling in rulings_with(event).order_by("number"):
        if ruling.article not in counts:
            article = article_of(event, ruling.article)
            title = localized(article.title) if article else ""
            counts[ruling.article] = Frequency(ruling.article, title)
        row = counts[ruling.article]
        row.rulings += 1
        row.appeals += sum(a.state != AppealState.WITHDRAWN for a in ruling.appeals.all())
        row.undone += ruling.state == RulingState.ANNULLED
    return sorted(counts.values(), key=lambda row: (-row.rulings, row.article))


__all__ = ["frequencies", "minutes_pdf", "record", "report_csv", "report_pdf", "slip_pdf"]
