"""Rulings, incidents and appeals in words, in the reader's language, for pages and documents."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import get_language, pgettext
from django.utils.translation import gettext as _

from adjudication.models import AppealState, Incident, Ruling, RulingState, RulingVersion
from adjudication.penal import (
    Article,
    FactField,
    FactType,
    Measure,
    Outcome,
    PenalCodeError,
    Verdict,
)
from adjudication.penal.words import MEASURES
from adjudication.services import codes
from adjudication.services.archiving import ELSEWHERE
from adjudication.services.cases import Case, case_of, read_dealers, words_case
from adjudication.services.effects import number_of
from ledger.actors import Actor, ActorKind
from ledger.models import User
from scoring.engine.speech import side_name, with_signs
from scoring.engine.texts import Texts
from tournament.models import Event
from tournament.selectors.names import directory


def language() -> str:
    """The reader's language as the penal code has it."""
    return (get_language() or "en")[:2]


def said(texts: Texts) -> str:
    """A text of the code for the reader."""
    return texts.to(language())


def side_label(case: Case, side: str | None) -> str:
    """A side as the rules name it, said by the seats of the sheet: ``N-S``, ``E-O``, ``2``."""
    if not side:
        return ""
    return side_name(str(case.places.side_to_seats(side)), language())


def people_of(case: Case) -> dict[str, str]:
    """The rules' players → seat and name."""
    names = directory(case.event, case.players().values())
    found = {}
    for player, entrant in case.players().items():
        seat = side_label(case, player)
        name = names[entrant].name if entrant in names else ""
        found[player] = f"{seat} · {name}" if name else seat
    return found


def actor_names(actors: Iterable[str]) -> dict[str, str]:
    """Actors as people say them; players and devices by what they are."""
    wanted = {text for text in actors if text}
    users = {
        f"user:{user.pk}": user.get_full_name() or user.get_username()
        for user in User.objects.filter(
            pk__in=[int(a.split(":")[1]) for a in wanted if a.startswith("user:")]
        )
    }
    kinds = {"device": _("the table"), "player": _("a player"), "system": _("the service")}
    found = {}
    for text in wanted:
        actor = Actor.parse(text)
        from_elsewhere = actor.kind == ActorKind.SYSTEM and actor.id.startswith(ELSEWHERE)
        kind = "" if from_elsewhere else str(actor.kind)
        found[text] = users.get(text) or kinds.get(kind, _("a member of staff"))
    return found


def article_of(event: Event, ident: str, number: int | None = None) -> Article | None:
    """The article ``ident`` of the event's code (of its ``number``); ``None`` when it is gone."""
    code = codes.numbered(event.pk, event.rulebook, number) if number is not None else None
    try:
        return (code or codes.code_of(event)).article(ident)
    except PenalCodeError:
        return None


def outcome_text(outcome: str) -> str:
    """What becomes of the deal; empty where it stands."""
    return {
        Outcome.REPLACED: _("in place of the result of the deal"),
        Outcome.VOID_PASSED: _("the deal is void and passes to the next dealer"),
        Outcome.REDEALT: _("the deal is void and dealt again by the same dealer"),
        Outcome.CANCELLED: _("the deal is cancelled and not dealt again"),
        Outcome.PENDING: _("the opponents have still to choose"),
    }.get(Outcome(outcome), "")


def penalty_text(case: Case, proposal: dict[str, Any]) -> str:
    """The decision in one sentence: ``penalty in marks: E-W +34, in place of the result``."""
    verdict = Verdict(proposal["verdict"])
    if verdict is Verdict.CORRECTED:
        return _("corrected without penalty")
    parts = []
    measure = Measure(proposal["measure"])
    if verdict is Verdict.NO_OFFENCE:
        parts.append(_("no offence"))
    elif measure is not Measure.NONE:
        parts.append(said(MEASURES[measure]))
    marks = [
        f"{side_label(case, side)} {number_of(value):+}"
        for side, value in proposal["marks"].items()
        if number_of(value)
    ]
    if marks:
        parts.append(", ".join(marks))
    outcome = outcome_text(proposal["deal"]["outcome"])
    if outcome:
        parts.append(outcome)
    return _("; ").join(parts) or _("no measure")


_PAIR = re.compile(r"\b(?:NS|EW)\b")


def rationale(proposal: dict[str, Any]) -> list[dict[str, str]]:
    """The reasons of a stored proposal, each with what it rests on; pairs as the reader says them."""
    return [
        {
            "cites": item["cites"],
            "text": _PAIR.sub(
                lambda found: side_name(found[0], language()),
                item["text"].get(language()) or item["text"]["en"],
            ),
        }
        for item in proposal["rationale"]
    ]


def fact_text(case: Case, fact: FactField, value: Any) -> str:
    """One stated fact in words."""
    if value is None or value == "":
        return ""
    if fact.type is FactType.BOOL:
        return _("yes") if value else _("no")
    if fact.type is FactType.SEAT:
        return people_of(case).get(str(value), str(value))
    if fact.type is FactType.CHOICE:
        return next((said(label) for code, label in fact.choices if code == value), str(value))
    return with_signs(str(value), language()) if fact.type is FactType.CARD else str(value)


def facts_shown(case: Case, article: Article | None, facts: dict[str, Any]) -> list[dict[str, str]]:
    """The stated facts as label and value, in the order of the article."""
    if article is None:
        return [{"label": name, "value": str(value)} for name, value in facts.items()]
    rows = [(field, facts.get(field.name)) for field in article.facts]
    return [
        {"label": said(field.label), "value": fact_text(case, field, value)}
        for field, value in rows
        if value is not None and value != ""
    ]


def state_of(ruling: Ruling) -> tuple[str, str]:
    """The state as ``parts/ruling.html`` wants it, and its word."""
    if ruling.state == RulingState.PROVISIONAL:
        if any(appeal.state == AppealState.OPEN for appeal in ruling.appeals.all()):
            return "appealed", _("appealed")
        if ruling.appeal_until <= timezone.now():
            return "final", pgettext("ruling", "final")
        if ruling.versions_made > 1:
            return "amended", _("amended")
    return str(ruling.state), str(ruling.get_state_display())


def where(incident: Incident) -> str:
    """Stage and round in words."""
    part = incident.round
    if part is None:
        return ""
    return _("%(stage)s, round %(n)d") % {"stage": part.stage.title, "n": part.number}


@dataclass(slots=True)
class RulingShown:
    """A ruling for pages; the first fields are those of ``parts/ruling.html``."""

    number: int
    article: str
    title: str
    penalty: str
    reason: str
    state: str
    state_label: str
    table: str
    round: str
    when: str
    who: str
    url: str
    deal: int | None
    ruling: Ruling
    version: RulingVersion
    case: Case
    entrants: tuple[int, ...] = ()
    facts: list[dict[str, str]] = field(default_factory=list)
    because: list[dict[str, str]] = field(default_factory=list)


def appeal_context(ruling: Ruling, shown: RulingShown) -> dict[str, Any]:
    """The appeals against a ruling, and whether another may be lodged now."""
    made = list(ruling.appeals.order_by("lodged_at"))
    return {
        "may_appeal": ruling.state == RulingState.PROVISIONAL
        and ruling.appeal_until > timezone.now()
        and not any(appeal.state == AppealState.OPEN for appeal in made),
        "appeals": [
            {
                "side": side_label(shown.case, appeal.side), "state": appeal.get_state_display(),
                "grounds": appeal.grounds, "decision": appeal.decision,
            }
            for appeal in made
        ],
        "too_late": ruling.state != RulingState.ANNULLED
        and (ruling.state == RulingState.FINAL or ruling.appeal_until <= timezone.now()),
    }  # fmt: skip


def when(moment: Any) -> str:
    """A moment of today by its time, of another day by its date too."""
    local = timezone.localtime(moment)
    style = "TIME_FORMAT" if local.date() == timezone.localdate() else "SHORT_DATETIME_FORMAT"
    return str(date_format(local, style))


def show(
    ruling: Ruling, version: RulingVersion | None = None, *, url: str = "", whole: bool = False
) -> RulingShown:
    """A ruling as its latest (or the given) version says it; ``whole`` with its facts."""
    version = version or list(ruling.versions.all())[-1]
    incident = ruling.incident
    case = case_of(incident) if whole else words_case(incident)
    article = article_of(ruling.event, version.article, version.context.get("code"))
    state, label = state_of(ruling)
    because = rationale(version.proposal)
    return RulingShown(
        number=ruling.number, article=version.article,
        title=said(article.title) if article else version.article,
        penalty=penalty_text(case, version.proposal),
        reason=version.reason or (because[0]["text"] if because else ""),
        state=state, state_label=label,
        table=str(incident.table_number or ""), round=where(incident),
        when=when(version.made_at), who="", url=url, deal=incident.deal, ruling=ruling,
        version=version, case=case,
        facts=facts_shown(case, article, version.facts) if whole else [], because=because,
    )  # fmt: skip


def related(rows: Any) -> Any:
    """Rulings with everything that showing them reads."""
    return rows.select_related(
        "event", "offender", "incident__event", "incident__round__stage", "incident__sheet",
        "incident__call", "incident__table",
    ).prefetch_related("appeals", "versions")  # fmt: skip


def rulings_with(event: Event) -> Any:
    """The event's rulings with everything that showing them reads."""
    return related(Ruling.objects.filter(event=event))


def listed(rows: Any) -> list[Ruling]:
    """Rulings to be shown in a list, in a fixed number of queries however many they are."""
    found: list[Ruling] = list(rows)
    read_dealers([ruling.incident for ruling in found])
    return found
