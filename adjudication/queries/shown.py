"""Rulings, incidents and appeals in words, in the reader's language, for pages and documents."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.formats import date_format, number_format
from django.utils.translation import get_language, gettext_lazy, ngettext, pgettext
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.pages import Labelled
from adjudication.models import (
    Appeal,
    AppealState,
    Cause,
    Heard,
    Incident,
    Ruling,
    RulingState,
    RulingVersion,
)
from adjudication.penal import (
    Article,
    Charge,
    Claimed,
    DealEffect,
    DealOutcome,
    FactField,
    Facts,
    FactType,
    Finding,
    Measure,
    PenalCodeError,
    Verdict,
    fault_label,
    findings,
)
from adjudication.penal.reasons import CONDUCT_IS_ADDED, OUTCOMES
from adjudication.penal.words import CHARGES, MEASURES
from adjudication.queries.cases import Case, case_of, read_dealers, words_case
from adjudication.queries.codes import code_of, numbered
from adjudication.queries.effects import (
    effect_from_json,
    has_fallen,
    is_damaged,
    number_of,
    read_rulings,
    rulings_on,
)
from adjudication.queries.together import Together, together, touches
from ledger.actors import Actor
from scoring.engine.articles import OF_PERSONS
from scoring.engine.rulebook import resolve
from scoring.engine.speech import side_name, with_signs
from scoring.texts import Text
from tournament.models import Event
from tournament.models.tables import by_seat
from tournament.queries.brackets import stage_and_round
from tournament.queries.names import person_names, shown_name
from tournament.ranking.figures import signed, with_minus
from tournament.tables.rules import options_of, spoken


def language() -> str:
    """Return the two-letter code of the reader's language."""
    return (get_language() or "en")[:2]


def localized(text: Text) -> str:
    """Return a text of the penal code in the reader's language."""
    return text.render(language())


def side_label(case: Case, side: str | None) -> str:
    """Translate a side's name in the rules to the seats of the sheet: ``N-S``, ``E-O``, ``2``."""
    if not side:
        return ""
    return side_name(str(case.places.side_to_seats(side)), language())


def before_figure(side: str) -> str:
    """Return a side's name for use before a figure, so that a player's number is not read as part of it."""
    return side + _(":") if side[-1:].isdigit() else side


def people_of(case: Case) -> dict[str, str]:
    """Return seat and name by the rules' names of the players; a pair's name where nobody said who sat there."""
    players, shorten = case.players(), case.event.short_names
    entrants = case.event.entrants.filter(pk__in=players.values())
    by_key = {each.pk: each for each in entrants.select_related("person", "partner", "event")}
    people = {}
    for player, entrant in players.items():
        seat, name = side_label(case, player), ""
        if entrant in by_key:
            names = person_names(by_key[entrant], shorten=shorten)
            sat = case.second_sat(player) if len(names) > 1 else None
            name = shown_name(by_key[entrant], shorten=shorten) if sat is None else names[int(sat)]
        people[player] = f"{seat} · {name}" if name else seat
    return people


def actor_names(actors: Iterable[str]) -> dict[str, str]:
    """Return the names of actors; players and devices by their kind."""
    wanted = {text for text in actors if text}
    users = {
        f"user:{user.pk}": user.get_username()
        for user in User.objects.filter(
            pk__in=[int(a.split(":")[1]) for a in wanted if a.startswith("user:")]
        )
    }
    kinds = {"device": _("the table"), "player": _("a player"), "system": _("the service")}
    names = {}
    for text in wanted:
        actor = Actor.parse(text)
        kind = "" if actor.is_staff else str(actor.kind)
        names[text] = users.get(text) or kinds.get(kind, _("a member of staff"))
    return names


def charge_text(event: Event, article: Article) -> str:
    """Return the cost of an offence at the event, with the amount of the penalty.

    In the auctions a breach costs as much as a failed hand, so the text has no number.
    """
    game = resolve(event.rulebook, options_of(event))
    if article.charge is Charge.PENALTY and game.fixed_sides:
        value = game.number("penalty_value")
        text = ngettext("the penalty: %(n)d point", "the penalty: %(n)d points", value)
        return text % {"n": value}
    return localized(CHARGES[article.charge])


def article_of(event: Event, ident: str, number: int | None = None) -> Article | None:
    """Return the article ``ident`` of the event's code (of its ``number``); ``None`` if it was removed."""
    code = numbered(event.pk, event.rulebook, number) if number is not None else None
    try:
        return (code or code_of(event)).article(ident)
    except PenalCodeError:
        return None


def outcome_text(outcome: str) -> str:
    """Return the text of the consequence for the deal; empty if the deal stands."""
    return {
        DealOutcome.REPLACED: _("in place of the result of the deal"),
        DealOutcome.VOID_PASSED: _("the deal is void and passes to the next dealer"),
        DealOutcome.REDEALT: _("the deal is void and dealt again by the same dealer"),
        DealOutcome.CANCELLED: _("the deal is cancelled and not dealt again"),
        DealOutcome.PENDING: _("the opponents must still choose"),
    }.get(DealOutcome(outcome), "")


def penalty_text(case: Case, proposal: dict[str, Any], together: Together | None = None) -> str:
    """Describe the decision in one phrase: ``penalty in points: E-W +34, in place of the result``.

    Where other rulings on the deal are in force too, the deal is what they come to ``together``, and
    the marks are what this one adds to it.
    """
    verdict = Verdict(proposal["verdict"])
    if verdict is Verdict.CORRECTED:
        return _("corrected without penalty")
    parts = []
    measure = Measure(proposal["measure"])
    if verdict is Verdict.NO_OFFENCE:
        parts.append(_("no offence"))
    elif measure is not Measure.NONE:
        parts.append(localized(MEASURES[measure]))
    marks = _figures(case, marks_of(proposal, together))
    if marks:
        parts.append(", ".join(marks))
    outcome = outcome_text(together.effect.outcome if together else proposal["deal"]["outcome"])
    if outcome:
        parts.append(outcome)
    if together:
        parts.append(
            ngettext(
                "together with ruling %(numbers)s",
                "together with rulings %(numbers)s",
                len(together.numbers),
            )
            % {"numbers": ", ".join(map(str, together.numbers))}
        )
    return _("; ").join(parts) or _("no action")


def _figures(case: Case, marks: Mapping[str, int | Fraction]) -> list[str]:
    """Return the marks that change by the names of the sides: by seat, or by number at the table."""
    seats = {str(case.places.side_to_seats(side)): n for side, n in marks.items() if n}
    return [
        f"{before_figure(side_name(side, language()))} {signed(n)}"
        for side, n in by_seat(seats).items()
    ]


def effect_text(shown: RulingShown, entrant: int | None) -> str:
    """Describe the effect of a ruling without its offence: for one entrant, or with ``None`` for each side.

    Empty if it changes no marks and no deal (or, for an entrant, none of theirs).
    """
    version, case = shown.version, shown.case
    if not version.in_force or shown.damaged:
        return ""
    if has_fallen(shown.ruling.incident, version.proposal["measure"]):
        return ""
    together = shown.together
    marks = {side: n for side, n in marks_of(version.proposal, together).items() if n}
    if entrant is not None:
        parts = [signed(n) for side, n in marks.items() if entrant in case.entrants_of(side)]
    else:
        parts = _figures(case, marks)
    parts = [", ".join(parts)] if parts else []
    effect = together.effect.outcome if together else version.proposal["deal"]["outcome"]
    sits = entrant is None or str(entrant) in map(str, shown.ruling.incident.seats.values())
    outcome = outcome_text(effect) if sits else ""
    return _("; ").join([*parts, outcome] if outcome else parts)


def marks_of(proposal: dict[str, Any], together: Together | None) -> dict[str, int | Fraction]:
    """Return the marks of a decision by side: its share in the deal under all rulings, and marks outside deals."""
    total: dict[str, int | Fraction] = {}
    if together is None:
        parts = [proposal["marks"]]
    else:
        parts = [
            together.effect.marks,
            *(item.get("marks", {}) for item in proposal.get("adjustments", [])),
        ]
    for part in parts:
        for side, value in part.items():
            total[side] = total.get(side, 0) + number_of(value)
    return total


_PAIR = re.compile(r"\b(?:NS|EW)\b")


def rationale(
    proposal: dict[str, Any],
    together: Together | None = None,
    case: Case | None = None,
    *,
    of_play_alone: bool = False,
) -> list[str]:
    """Return the reasons of a stored proposal in the reader's language; the record also has their citations.

    If other rulings on the deal change its result, the sentences on amounts and on the consequence for
    the deal are replaced with those of the sheet. ``of_play_alone``: omit the sentence about an added
    penalty for conduct, since it reveals another ruling that the reader may not see.
    """
    items = proposal["rationale"]
    if case is not None and case.deal_key is None:
        # Points copied from paper, or a fault between deals: no deal is judged.
        stands = OUTCOMES[DealOutcome.STANDS].render("en")
        items = [item for item in items if item["text"]["en"] != stands]
    if of_play_alone:
        added = CONDUCT_IS_ADDED.text.render("en")
        items = [item for item in items if item["text"]["en"] != added]
    if together is not None:
        items = [item for item in items if not _is_of_deal(item)]
    sentences = [
        _PAIR.sub(
            lambda proof: side_name(proof[0], language()),
            item["text"].get(language()) or item["text"]["en"],
        )
        for item in items
    ]
    if together is not None and case is not None:
        sentences += _of_the_sheet(together, case)
    return sentences


_OF_THE_DEAL: Final = ("Q-GEN-2", "Q-GEN-4", "Q-GEN-5", "C.8")
"""What the sentences on amounts, on the result, on the turn-up bonus and on the floor rest on."""


def _is_of_deal(item: Mapping[str, Any]) -> bool:
    """Whether a stored sentence is about what the deal comes to."""
    cited = str(item["cites"]).partition(";")[2] or str(item["cites"])
    if any(each in cited for each in _OF_THE_DEAL) and not cited.strip().startswith("C.8 "):
        return True
    return item["text"]["en"] in {sentence.render("en") for sentence in OUTCOMES.values()}


def _of_the_sheet(together: Together, case: Case) -> list[str]:
    """Return the sheet's sentences about the deal under all its rulings."""
    numbers = ", ".join(map(str, together.numbers))
    head = ngettext(
        "With ruling %(numbers)s the deal comes to this:",
        "With rulings %(numbers)s the deal comes to this:",
        len(together.numbers),
    ) % {"numbers": numbers}
    lines = [spoken(line, language()) for line in together.lines]
    if not lines:
        lines = [localized(OUTCOMES[together.effect.outcome])]
    return [f"{head} {_('; ').join(lines)}"]


def fact_text(case: Case, fact: FactField, value: object) -> str:
    """Return one stated fact in words."""
    if value is None or value == "":
        return ""
    if fact.type is FactType.BOOL:
        return _("yes") if value else _("no")
    if fact.type is FactType.SEAT:
        return people_of(case).get(str(value), str(value))
    if fact.type is FactType.CHOICE:
        return next((localized(label) for code, label in fact.choices if code == value), str(value))
    return with_signs(str(value), language()) if fact.type is FactType.CARD else str(value)


def facts_shown(case: Case, article: Article | None, facts: Facts) -> list[Labelled]:
    """Return the stated facts, in the order of the article."""
    if article is None:
        return [Labelled(name, str(value)) for name, value in facts.items()]
    rows = [(field, facts.get(field.name)) for field in article.facts]
    return [
        Labelled(localized(field.label), fact_text(case, field, value))
        for field, value in rows
        if value is not None and value != ""
    ]


CLAIMED: Final = (
    (Claimed.IN_TIME.value, gettext_lazy("in time")),
    (Claimed.AFTER_SIGNATURES.value, gettext_lazy("after both sides had signed")),
    (Claimed.AFTER_ROUND.value, gettext_lazy("after the end of the round")),
)
"""When the referee was called, in words."""


def _claimed_shown(version: RulingVersion) -> list[Labelled]:
    """Return the time of the call, if the referee and the clock disagree."""
    clock = version.context.get("clock")
    if not clock:
        return []
    words = {code: str(label) for code, label in CLAIMED}
    stated = {"stated": words[version.context["claimed"]], "clock": words[clock]}
    words_of_both = _("%(stated)s, as the referee found; by the clock %(clock)s") % stated
    return [Labelled(_("Referee called"), words_of_both)]


_DOUBTED: Final = {
    "result": gettext_lazy("result of the deal"),
    "call": gettext_lazy("a call that the sheet lacks"),
    "again": gettext_lazy("another offence than the one ruled on before"),
}
"""What is doubted and no fact of an article."""


def _against_shown(article: Article | None, version: RulingVersion) -> list[Labelled]:
    """Return the facts that the referee established against the sheet."""
    against = version.context.get("against_record", [])
    if not against or article is None:
        return []
    fields = {name: article.fact(name) for name in against}
    labels = [
        localized(field.label) if field else str(_DOUBTED[name]) for name, field in fields.items()
    ]
    return [Labelled(_("Found against the sheet"), ", ".join(labels))]


def _proof_shown(case: Case, version: RulingVersion) -> list[Labelled]:
    """Return the proof of the decision; empty without one."""
    proof = version.context.get("proof")
    if not proof:
        return []
    of_record = proof["by"] == "record"
    source = _("the record of the deal") if of_record else _("the tricks the table agreed on")
    if proof.get("card"):
        card = with_signs(str(proof["card"]), language())
        source += _("; ") + _("trick %(n)d, %(card)s") % {"n": proof["trick"], "card": card}
    for trick in proof.get("asked", {}).get("tricks", ()):
        cards = " ".join(with_signs(card, language()) if card else "–" for card in trick["plays"])
        source += _("; ") + f"{trick['n']} {side_label(case, trick['leader'])}{_(':')} {cards}"
    return [Labelled(_("Proof"), source)]


def _signed_number(value: object) -> str:
    """Return marks with their sign, whole or to one decimal."""
    number = Fraction(str(value))
    if number.denominator == 1:
        return signed(number.numerator)
    tenths = Decimal(round(number * 10)) / 10
    return ("+" if tenths > 0 else "") + with_minus(number_format(tenths, 1))


def equity_items(case: Case, equity: dict[str, Any]) -> list[Labelled]:
    """Return the cost of an offence; a mean with its interval and the seed of its sample.

    Marks of the deal for the side not at fault, less those of the other side.
    """
    labels = {
        "as_played": _("As played"),
        "without_offence": _("Best play without the offence"),
        "penalised": _("Under a ruling"),
        "damage": _("What the offence cost"),
        "difference": _("The ruling against best play"),
    }
    values = {name: _signed_number(equity[name]) for name in labels}
    if "worlds" in equity:
        margin = Fraction(str(equity["margin"]))
        for name in labels.keys() - {"as_played", "penalised"}:
            mean = Fraction(str(equity[name]))
            values[name] += " " + _("(95 %%: %(low)s to %(high)s)") % {
                "low": _signed_number(mean - margin),
                "high": _signed_number(mean + margin),
            }
    items = [Labelled(label, values[name]) for name, label in labels.items()]
    if "worlds" not in equity:
        return items
    drawn = ngettext(
        "%(n)d deal that fits what was seen, draw code %(code)d",
        "%(n)d deals that fit what was seen, draw code %(code)d",
        equity["worlds"],
    )
    amount = {"n": equity["worlds"], "code": equity["seed"]}
    return [*items, Labelled(_("Mean over"), drawn % amount)]


def _equity_shown(case: Case, version: RulingVersion) -> list[Labelled]:
    """Return the cost of the offence as found at the time of the ruling, on one line."""
    equity = version.context.get("equity")
    if not equity:
        return []
    amounts = _("; ").join(" ".join(item) for item in equity_items(case, equity))
    side = side_label(case, equity["side"])
    return [Labelled(_("Value of the deal for %(side)s") % {"side": side}, amounts)]


def state_of(ruling: Ruling) -> tuple[str, str]:
    """Return the state for ``parts/referee/ruling.html``, and its word."""
    if ruling.state == RulingState.PROVISIONAL:
        if any(appeal.state == AppealState.OPEN for appeal in ruling.appeals.all()):
            return "appealed", _("appealed")
        if ruling.appeal_until <= timezone.now():
            return "final", pgettext("ruling", "final")
        if ruling.versions_made > 1:
            return "amended", _("amended")
    return str(ruling.state), str(ruling.get_state_display())


def where(incident: Incident) -> str:
    """Return stage and round in words."""
    round_ = incident.round
    return "" if round_ is None else stage_and_round(round_)


def game_number(incident: Incident) -> int | None:
    """Return the number of the incident's game at its table; ``None`` without a game, or in rounds of one game."""
    round_, sheet = incident.round, incident.sheet
    several = round_ is not None and round_.stage.games_per_round > 1
    return sheet.order if several and sheet is not None else None


def finding_of(incident: Incident) -> Finding | None:
    """Return the breach that the record proves; ``None`` for an incident opened in another way."""
    if not incident.violation:
        return None
    rulebook = incident.sheet.rulebook if incident.sheet else incident.event.rulebook
    return findings([incident.violation], rulebook)[0]


def description_of(incident: Incident) -> str:
    """Return the description of the incident; a breach proved by the record, the topic of a table's
    call and a fault chosen from the list are translated for the reader."""
    finding = finding_of(incident)
    if finding is None:
        call = incident.call
        if call is not None and call.topic and incident.told:
            return call.subject
        label = fault_label(incident.told)
        return localized(label) if label is not None else incident.told
    text = with_signs(localized(finding.text), language())
    text = text.replace(f" {finding.seat} ", f" {side_name(finding.seat, language())} ", 1)
    if incident.vanished_at is not None:
        text += " " + _("The deal was corrected since: its record no longer shows this.")
    return text


@dataclass(slots=True)
class RulingShown:
    """A ruling for pages; the first fields are those of ``parts/referee/ruling.html``."""

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
    game: int | None
    """The number of its game where a round has several."""
    deal: int | None
    ruling: Ruling
    version: RulingVersion
    decided: RulingVersion
    """The version whose decision it is: of one that an appeal upheld, the one before it."""
    case: Case
    together: Together | None = None
    entrants: tuple[int, ...] = ()
    facts: list[Labelled] = field(default_factory=list)
    because: list[str] = field(default_factory=list)
    damaged: bool = False
    """Its stored decision cannot be read."""


def damaged_text() -> str:
    """Return the text shown for an unreadable decision."""
    return _("The stored decision is damaged and cannot be read.")


@dataclass(frozen=True, slots=True)
class AppealShown:
    """An appeal in words; ``by``, ``heard_by`` and ``committee`` where staff reads it."""

    id: uuid.UUID
    side: str
    grounds: str
    state: str
    decision: str
    open: bool
    again: bool
    """Whether it is against the decision of a committee."""
    lodged: str
    by: str
    heard: str
    heard_by: str
    committee: list[Labelled]


def appeals_shown(ruling: Ruling, case: Case, *, named: bool = False) -> list[AppealShown]:
    """Return the appeals against a ruling, oldest first; ``named``: with the names of their parties."""
    rows = list(ruling.appeals.order_by("lodged_at"))
    actors = [name for row in rows for name in (row.lodged_by, row.heard_by)] if named else []
    names = actor_names(actors)
    return [
        AppealShown(
            row.pk,
            side_label(case, row.side),
            row.grounds,
            row.get_state_display(),
            row.decision,
            row.state == AppealState.OPEN,
            row.instance == 2,
            when(row.lodged_at),
            names.get(row.lodged_by, ""),
            when(row.heard_at) if row.heard_at else "",
            names.get(row.heard_by, ""),
            committee_items(row) if named and row.members else [],
        )
        for row in rows
    ]


def committee_items(appeal: Appeal) -> list[Labelled]:
    """Return hearing, members and vote of a committee, for staff."""
    names = actor_names([appeal.heard_by, *appeal.members])
    heard = [str(Heard(each).label) for each in appeal.heard]
    votes = [
        _("%(given)d for, %(against)d against")
        % {"given": appeal.votes_for or 0, "against": appeal.votes_against or 0}
    ]
    if appeal.tie:
        votes.append(
            _("equal votes%(colon)s %(what)s") % {"colon": _(":"), "what": appeal.get_tie_display()}
        )
    return [
        Labelled(_("Chair"), names.get(appeal.heard_by, "")),
        Labelled(_("Members"), ", ".join(sorted(names[each] for each in appeal.members))),
        Labelled(
            _("Hearing"),
            date_format(timezone.localtime(appeal.hearing_at), "SHORT_DATETIME_FORMAT")
            if appeal.hearing_at
            else "",
        ),
        Labelled(_("Heard"), ", ".join(heard) or _("nobody")),
        Labelled(pgettext("committee", "Vote"), ", ".join(votes)),
    ]


def when(moment: datetime) -> str:
    """Return the time of a moment, with its date unless it is today."""
    local = timezone.localtime(moment)
    style = "TIME_FORMAT" if local.date() == timezone.localdate() else "SHORT_DATETIME_FORMAT"
    return str(date_format(local, style))


def _decided(ruling: Ruling, version: RulingVersion) -> RulingVersion:
    """Return the version with the decision of ``version``: an upheld appeal repeats an earlier version."""
    if version.cause != Cause.UPHELD:
        return version
    return next(
        each
        for each in reversed(list(ruling.versions.all()))
        if each.number < version.number and each.cause != Cause.UPHELD
    )


def show(
    ruling: Ruling,
    version: RulingVersion | None = None,
    *,
    url: str = "",
    whole: bool = False,
    outside: bool = False,
) -> RulingShown:
    """Return a ruling as shown by its latest (or the given) version; ``whole`` with its facts.

    ``outside``: for readers outside the staff, who may not see the other rulings on its deal.
    """
    latest = version is None
    version = version or list(ruling.versions.all())[-1]
    decided = _decided(ruling, version)
    incident = ruling.incident
    case = case_of(incident) if whole else words_case(incident)
    article = article_of(ruling.event, version.article, version.context.get("code"))
    state, label = state_of(ruling)
    damaged = is_damaged(version.proposal)
    together = (
        _together(ruling, version, case) if latest and ruling.in_force and not damaged else None
    )
    of_persons = version.article in OF_PERSONS or (article is not None and article.of_persons)
    because = (
        []
        if damaged
        else rationale(version.proposal, together, case, of_play_alone=outside and not of_persons)
    )
    if not version.in_force:
        penalty = _("no points are due")
    elif damaged:
        penalty = damaged_text()
    elif has_fallen(incident, version.proposal["measure"]):
        measure = localized(MEASURES[Measure(version.proposal["measure"])])
        penalty = _("; ").join([measure, _("without effect: the draw of this table was withdrawn")])
    else:
        penalty = penalty_text(case, version.proposal, together)
    return RulingShown(
        number=ruling.number,
        article=version.article,
        title=localized(article.title) if article else version.article,
        penalty=penalty,
        reason=decided.reason or (because[0] if because else ""),
        state=state,
        state_label=label,
        table=str(incident.table_number or ""),
        round=where(incident),
        when=when(decided.made_at),
        who="",
        url=url,
        game=game_number(incident),
        deal=incident.deal,
        ruling=ruling,
        version=version,
        decided=decided,
        case=case,
        together=together,
        facts=[
            *facts_shown(case, article, version.facts),
            *_claimed_shown(version),
            *_against_shown(article, version),
            *_proof_shown(case, version),
            *_equity_shown(case, version),
        ]
        if whole
        else [],
        because=because,
        damaged=damaged,
    )


def _together(ruling: Ruling, version: RulingVersion, case: Case) -> Together | None:
    """Return the deal under all its rulings in force, for showing ``ruling``.

    ``None`` if it is the only ruling, or if the others do not change its text.
    """
    incident = ruling.incident
    if incident.sheet_id is None or incident.deal is None:
        return None
    others = incident.rulings_read
    if others is None:
        case, others = case_of(incident), rulings_on(incident)
    elif case.deal is None:
        case = replace(case, deal=incident.deal_read)
    own = effect_from_json(version.proposal["deal"], version.article)
    effects: dict[int, DealEffect] = {}
    for other in others:
        latest = list(other.versions.all())[-1]
        if other.number != ruling.number and not is_damaged(latest.proposal):
            effect = effect_from_json(latest.proposal["deal"], latest.article)
            if touches(effect):
                effects[other.number] = effect
    if not effects or not touches(own):
        return None
    combined = together(case, {**effects, ruling.number: own}, ruling.number)
    marks = {side: n for side, n in own.marks.items() if n}
    if (combined.effect.outcome, dict(combined.effect.marks)) == (own.outcome, marks):
        return None
    return combined


WITH_INCIDENT: Final = (
    "event",
    "incident__event",
    "incident__round__stage__event",
    "incident__sheet",
    "incident__call",
    "incident__table",
)
"""What showing a ruling, or a decision that waits for a second person, reads beside it."""


def related(rows: QuerySet[Ruling]) -> QuerySet[Ruling]:
    """Return rulings with the related rows needed to show them."""
    return rows.select_related(*WITH_INCIDENT, "offender").prefetch_related("appeals", "versions")


def rulings_with(event: Event) -> QuerySet[Ruling]:
    """Return the event's rulings with the related rows needed to show them."""
    return related(Ruling.objects.filter(event=event))


def listed(rows: QuerySet[Ruling]) -> list[Ruling]:
    """Read rulings for a list, in a fixed number of queries."""
    rulings = list(rows)
    incidents = [ruling.incident for ruling in rulings]
    read_dealers(incidents)
    read_rulings(incidents)
    return rulings
