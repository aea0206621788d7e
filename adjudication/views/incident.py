"""Page of an incident: place, description, evidence, article, facts, consequences, and the ruling.

Every step up to the impact is a GET request, so that the page can be reloaded, shared and revisited;
only issuing is a POST. The same page amends a ruling (``?ruling=``) and answers an appeal with
another decision (``?appeal=``).
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.access import actor_of
from accounts.pages import Crumb, Labelled, Page
from accounts.roles import capabilities_of
from adjudication.models import (
    UNRULED,
    Appeal,
    Confirmation,
    Incident,
    IncidentState,
    Ruling,
)
from adjudication.penal import Article, Code, Measure, Rulers, common_faults, find_fault, search
from adjudication.penal.article import Citation
from adjudication.penal.words import ORIGINS
from adjudication.queries import evidence as evidence_of
from adjudication.queries.audience import audience_text
from adjudication.queries.cases import Case, case_of
from adjudication.queries.codes import code_of
from adjudication.queries.confirmations import (
    ConfirmationShown,
    decisions_not_confirmed,
    waiting_decisions,
)
from adjudication.queries.effects import next_round_kept, open_draws
from adjudication.queries.impact import Impact, impact_of
from adjudication.queries.known import LATE, Ran, known_facts, time_run
from adjudication.queries.offences import SideOffences, offences_at
from adjudication.queries.precedents import Precedent, precedents_of
from adjudication.queries.shown import (
    RulingShown,
    actor_names,
    description_of,
    equity_items,
    fact_text,
    language,
    localized,
    penalty_text,
    people_of,
    rationale,
    related,
    show,
    side_label,
    when,
    where,
)
from adjudication.services import appeals, confirmations, evidence, incidents, rulings
from adjudication.services.access import may_confirm, plays_at
from adjudication.services.contradictions import Contradiction
from adjudication.services.proofs import equity_of, proof_of, reason_wanted
from adjudication.services.proposals import FactsRefused, Stated, propose
from ledger.actors import Actor
from ledger.errors import Refused
from ledger.models import Job
from scoring.engine.errors import EngineError
from scoring.engine.speech import side_name
from scoring.texts import Text
from tournament.access import needs
from tournament.models import Event, Round
from tournament.models.tables import Sheet
from tournament.queries.names import Name, person_names
from tournament.services import sheets
from tournament.views.doing import do
from tournament.views.frame import event_by_slug, show_event
from tournament.views.typed import whole

from .code import ListedArticle, rule_of
from .common import HEARING, NEXT_ROUNDS, Answers, attempt, crumbs, in_words
from .forms import FactsForm, Hearing, posted, shown_value, stored_hearing

MOST_ARTICLES = 12
WRITTEN_ANEW = ("GEN-SCORE", "GEN-CLAIM")
"""Articles whose remedy is the score of the deal itself: once ruled, the sheet is corrected."""


@dataclass(slots=True)
class Deciding:
    """Matter of the page: a new ruling, an amendment, or the answer to an appeal."""

    incident: Incident
    ruling: Ruling | None = None
    appeal: Appeal | None = None
    proof: str = ""
    """The verdict on the tricks that the table agreed on, by its job."""
    against_record: tuple[str, ...] = ()
    """Facts to which the referee holds against the sheet."""
    begun: str = ""
    """The committee's reasons as typed before the ruling is changed."""
    hearing: Hearing = field(default_factory=lambda: Hearing())

    @property
    def query(self) -> dict[str, str]:
        """Query parameters that identify this matter."""
        query = {"proof": self.proof, "against": " ".join(self.against_record)}
        query = {name: value for name, value in query.items() if value}
        if self.appeal is not None:
            return {"appeal": str(self.appeal.pk), **query}
        if self.ruling is not None:
            return {"ruling": str(self.ruling.number), **query}
        return query

    def _stated(self, article: str, form: FactsForm, more: Mapping[str, str]) -> Stated:
        """Return the statement from ``form`` and from the other fields of the page in ``more``."""
        return Stated(
            article=article,
            facts=form.facts(),
            reason=more.get("reason", ""),
            next_round=more.get("next_round", ""),
            claimed=form.claimed,
            seen=whole(more.get("seen")),
            proof=self.proof,
            against_record=self.against_record,
        )

    def act(
        self, request: HttpRequest, article: str, form: FactsForm
    ) -> Appeal | Ruling | Confirmation:
        """Issue, amend or answer."""
        stated, actor = self._stated(article, form, request.POST), actor_of(request)
        if self.appeal is not None:
            return _changed(self.appeal, stated, actor, self.hearing)
        if self.ruling is not None:
            return confirmations.amend(ruling_id=self.ruling.pk, actor=actor, stated=stated)
        return confirmations.rule(incident_id=self.incident.pk, actor=actor, stated=stated)

    def preview(
        self, request: HttpRequest, article: str, form: FactsForm, next_round: str
    ) -> Appeal | Ruling:
        """Do it as if a second person had confirmed it, to see what would follow."""
        more = {"reason": "preview", "next_round": next_round}
        stated, actor = self._stated(article, form, more), actor_of(request)
        second = rulings.PREVIEW
        if self.appeal is not None:
            return _changed(self.appeal, stated, actor, self.hearing)
        if (ruling := self.ruling) is not None:
            return rulings.amend(ruling_id=ruling.pk, actor=actor, stated=stated, second=second)
        incident = self.incident.pk
        return rulings.issue(incident_id=incident, actor=actor, stated=stated, second=second)


def _changed(appeal: Appeal, stated: Stated, actor: Actor, hearing: Hearing) -> Appeal:
    """Answer an appeal with another decision."""
    return appeals.hear(
        appeal_id=appeal.pk,
        outcome="changed",
        decision=stated.reason,
        article=stated.article,
        facts=stated.facts,
        next_round=stated.next_round,
        claimed=stated.claimed,
        proof=stated.proof,
        against_record=stated.against_record,
        actor=actor,
        **hearing,
    )


def deciding(event: Event, number: int, given: QueryDict) -> Deciding:
    """Return the matter named by the query parameters."""
    incident = incidents.incident_by_number(event, number)
    matter = Deciding(
        incident,
        proof=given.get("proof", "")[:40],
        against_record=tuple(given.get("against", "")[:100].split()),
    )
    if appeal := given.get("appeal"):
        try:
            matter.appeal = Appeal.objects.select_related("ruling").get(
                pk=uuid.UUID(appeal), ruling__incident=incident
            )
        except (ValueError, Appeal.DoesNotExist) as error:
            raise Http404 from error
        matter.ruling = matter.appeal.ruling
    elif (decided := whole(given.get("ruling"))) is not None:
        matter.ruling = get_object_or_404(incident.rulings, number=decided)
    return matter


def _may(request: HttpRequest, matter: Deciding) -> str:
    """Return the reason why the caller may not decide this; empty if they may."""
    can = capabilities_of(request.user, matter.incident.event_id)
    if matter.appeal is not None:
        if "appeals.hear" not in can:
            return _("Only the appeals committee can decide an appeal.")
        if matter.ruling is not None and not appeals.may_hear(actor_of(request), matter.ruling):
            return _("You made this ruling: someone else must hear the appeal.")
    elif "incidents.rule" not in can:
        return _("You may read this incident but not rule on it.")
    if plays_at(actor_of(request), matter.incident):
        return _("You play at this table: another member of staff rules here.")
    return ""


class ArticleShown(NamedTuple):
    """The chosen article in words."""

    id: str
    title: str
    text: str
    citation: Citation
    translation: str
    origin: str
    items: list[Labelled]
    of_persons: bool
    """Whether the offence is public to the offender and the organisation alone."""


class Doubt(NamedTuple):
    """A stated fact that contradicts the sheet: the question, and a link for each answer."""

    question: str | Promise
    stated: str
    sheet: str
    sheet_url: str
    stated_url: str


class Equity(NamedTuple):
    """An illegal play with the state of its equity: the figures for the innocent side, or bounds."""

    play: evidence_of.ProvenPlay
    job: Job | None
    figures: list[Labelled]
    side: str
    bounds: list[Labelled]


@dataclass(slots=True)
class Proposed:
    """The penal code's proposal and its impact."""

    penalty: str
    because: list[str]
    choices: list[str]
    similar: list[evidence_of.Compared]
    precedents: list[Precedent]
    needs_reason: bool
    reason_wanted: str | Promise | None
    proof: bool
    cost: list[Labelled]
    cost_side: str
    doubts: list[Doubt]
    later: list[Round]
    seen: int
    needs_second: bool
    reserved: bool
    may_propose: bool
    impact: Impact | None = None
    impact_refused: str = ""


class Handed(NamedTuple):
    """An incident handed over to the chief referee: the referee, the time and their proposal.

    ``reason``: why a ruling should be changed, where no other decision was proposed.
    """

    by: str
    at: str
    article: str
    title: str
    url: str
    reason: str = ""


class PairSeat(NamedTuple):
    """A seat of a pair: its letter and name, the two players and which sat there, if said."""

    letter: str
    seat: str
    first: Name
    second: Name
    second_sat: bool | None


def _pairs(case: Case) -> list[PairSeat]:
    """Return one seat of each pair at the table: North and West, where the game has them."""
    seats = case.incident.seats
    wanted = {seats[each]: each for each in sorted(seats, key="SENW".find)}
    pairs = []
    for entrant in case.event.entrants.filter(pk__in=wanted).select_related("person", "partner"):
        names = person_names(entrant, shorten=False)
        letter = wanted[entrant.pk]
        if len(names) == 2 and list(seats.values()).count(entrant.pk) == 2:
            (first, second), sat = names, case.second_sat(case.places.player(letter))
            pairs.append(PairSeat(letter, side_name(letter, language()), first, second, sat))
    return sorted(pairs)


class IncidentPage(Page, template="referee/incident.html", here="referee-desk"):
    """``keep``, ``keep_items``: what a link, a form has to carry to stay on this matter."""

    incident: Incident
    case: Case
    matter: Deciding
    barred: str
    typed: QueryDict
    begun: str
    article: ArticleShown | None
    form: FactsForm | None
    ran: Ran | None
    proposal: Proposed | None
    record: evidence_of.WrittenDeal
    equities: list[Equity]
    players: list[str]
    pairs: list[PairSeat]
    description: str
    where: str
    taken_by: str
    handed: Handed | None
    may_take_over: bool
    called_at: str
    unruled: bool
    closed: list[str]
    words: str
    keep: str
    keep_items: list[tuple[str, str]]
    articles: list[ListedArticle]
    faults: list[ListedArticle]
    waiting: list[ConfirmationShown]
    not_confirmed: list[ConfirmationShown]
    offences: list[SideOffences]
    may_withdraw: bool
    others: list[tuple[int, str]]
    rulings: list[RulingShown]
    games: list[Sheet]
    crumbs: list[Crumb]
    next_rounds: Answers = NEXT_ROUNDS


@needs("incidents.read")
def incident_page(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show the incident up to its current step; POST issues the decision shown."""
    event = event_by_slug(slug)
    given = request.POST if request.method == "POST" else request.GET
    matter = deciding(event, number, given)
    if matter.appeal is not None:
        stored = request.session.get(HEARING, {}).get(str(matter.appeal.pk), {})
        matter.begun, matter.hearing = stored.get("decision", ""), stored_hearing(stored)
    case = case_of(matter.incident)
    barred = _may(request, matter)
    code = code_of(event)
    article = _article(code, given, matter)
    status, form, proposal = 200, None, None
    if article is not None:
        form = _form(code, article, case, matter, given)
        wants = request.method == "POST" or bool(given.get("preview"))
        if wants and not barred and not form.is_valid():
            status = 422
        elif wants and not barred:
            if request.method == "POST":
                act = _hand_over if request.POST.get("verb") == "hand_over" else _issue
                done = act(request, matter, article, form)
                if done is not None:
                    return done
                status = 422
            proposal = _preview(request, matter, case, article, form)
            if proposal is None:
                status = 422
    page = _page(
        request,
        case,
        matter,
        code,
        barred=barred,
        typed=given,
        article=article,
        form=form,
        proposal=proposal,
    )
    return show_event(request, event, page, status=status)


def _article(code: Code, given: QueryDict, matter: Deciding) -> Article | None:
    name = given.get("article", "")
    other = given.get("q") or given.get("choose")
    if not name and matter.ruling is not None and not other:
        name = matter.ruling.article
    return code.article(name) if name in code else None


def _form(
    code: Code, article: Article, case: Case, matter: Deciding, query: QueryDict
) -> FactsForm:
    """Return the form of facts: as typed, else with the facts of the ruling to amend, else as known."""
    if any(key.startswith("f-") for key in query):
        return FactsForm(article, case, query)
    handed = matter.incident.handed
    amends = matter.ruling.number if matter.ruling is not None else None
    if handed.get("ruling") == amends and handed.get("article") == article.id and "facts" in handed:
        return FactsForm(article, case, posted(article, handed["facts"], handed["claimed"]))
    if matter.ruling is not None:
        version = matter.ruling.versions.latest("number")
        if version.article == article.id:
            given = posted(article, version.facts, version.context.get("claimed", ""))
            return FactsForm(article, case, given)
    if query.get("preview"):  # asked for with nothing stated: the page says what is missing
        return FactsForm(article, case, query)
    fault = find_fault(code, query.get("fault", ""))
    stated = fault.facts if fault is not None and fault.article.id == article.id else {}
    return FactsForm(article, case, known={**stated, **known_facts(case, article)})


def _hand_over(
    request: HttpRequest, matter: Deciding, article: Article, form: FactsForm
) -> HttpResponse | None:
    """Hand the incident over with what the page shows; ``None`` after a refusal, shown on the page."""
    stated = Stated(article=article.id, facts=form.facts(), claimed=form.claimed)
    incident, actor = matter.incident, actor_of(request)
    done = attempt(
        request,
        lambda: confirmations.hand_over(
            incident_id=incident.pk,
            stated=stated,
            actor=actor,
            ruling=matter.ruling.number if matter.ruling else None,
        ),
        _("Handed over to the chief referee, with the facts."),
    )
    return None if done is None else redirect("referee-desk", incident.event.slug)


def _issue(
    request: HttpRequest, matter: Deciding, article: Article, form: FactsForm
) -> HttpResponse | None:
    """Issue the decision shown on the page; ``None`` after a refusal, which the page shows."""
    try:
        done = matter.act(request, article.id, form)
    except FactsRefused as refusal:
        form.blame(refusal.defects)
        messages.error(request, str(refusal))
        return None
    except Refused as refusal:
        messages.error(request, str(refusal))
        return None
    except EngineError as error:
        messages.error(request, in_words(error))
        return None
    if isinstance(done, Confirmation):
        messages.success(request, _("Proposed. It takes effect once a second person confirms it."))
        return redirect("referee-confirmation", matter.incident.event.slug, done.pk)
    ruling = done.ruling if isinstance(done, Appeal) else done
    messages.success(
        request,
        _("Ruling %(number)d is in force.") % {"number": ruling.number}
        + " "
        + audience_text(ruling),
    )
    incident = matter.incident
    if article.id in WRITTEN_ANEW and incident.sheet is not None and incident.deal is not None:
        version = ruling.versions.latest("number")
        put_right = version.proposal["measure"] == Measure.PUT_RIGHT
        barred = sheets.refusal_to_correct(incident.sheet, actor_of(request))
        if put_right and barred is not None:
            messages.info(request, str(barred))
        elif put_right:
            why = {"deal": incident.deal, "why": _("Ruling %(n)d") % {"n": ruling.number}}
            sheet = reverse("staff-sheet", args=[incident.sheet_id])
            return redirect(f"{sheet}?{urlencode(why)}#correct")
    return redirect("referee-ruling", incident.event.slug, ruling.number)


def _preview(
    request: HttpRequest,
    matter: Deciding,
    case: Case,
    article: Article,
    form: FactsForm,
) -> Proposed | None:
    """Return the proposal with reasons, similar rulings and impact; ``None`` after a refusal."""
    before = matter.ruling.number if matter.ruling else None
    try:
        proposed = propose(
            matter.incident, article.id, form.facts(), claimed=form.claimed, before=before
        )
    except FactsRefused as refusal:
        form.blame(refusal.defects)
        return None
    except Refused as refusal:
        form.add_error(None, str(refusal))
        return None
    proposal = proposed.proposal
    proof = proof_of(case, proposal.article, form.facts(), matter.proof)
    wanted = reason_wanted(matter.incident, proposed, proof)
    cost = equity_of(case, form.facts(), matter.proof)
    raw = proposal.as_json()
    two = proposal.needs_second and matter.appeal is None
    reserved = proposed.rulers is not Rulers.REFEREE and matter.appeal is None
    shown = Proposed(
        penalty=penalty_text(case, raw),
        because=rationale(raw, case=case),
        choices=[
            localized(label) for choice in proposal.choices for _code, label in choice.options
        ],
        similar=evidence_of.similar(case, article, proposal, form.facts(), but=before),
        precedents=precedents_of(case.event, article, form.facts()),
        needs_reason=proposal.needs_reason or matter.ruling is not None or wanted is not None,
        reason_wanted=wanted,
        proof=bool(proof),
        cost=equity_items(case, cost) if cost else [],
        cost_side=side_label(case, cost.get("side")),
        doubts=_doubts(matter, article, form, proposed.contradictions),
        later=open_draws(matter.incident),
        seen=rulings.versions_on(matter.incident),
        needs_second=two,
        reserved=reserved,
        may_propose=not (two or reserved)
        or may_confirm(actor_of(request), matter.incident.event_id),
    )
    if not shown.choices and not shown.doubts and shown.may_propose:
        shown.impact, shown.impact_refused = _impact(matter, article, form, request)
        if shown.impact is not None and shown.impact.ruling is not None:
            # As the sheet will have it, other rulings on the deal included.
            shown.penalty, shown.because = shown.impact.ruling.penalty, shown.impact.ruling.because
    return shown


def _doubts(
    matter: Deciding, article: Article, form: FactsForm, given: tuple[Contradiction, ...]
) -> list[Doubt]:
    """Return the facts that contradict the sheet and still await an answer."""
    here = {
        **matter.query,
        "article": article.id,
        "preview": "1",
        **posted(article, form.facts(), form.claimed),
    }
    still = [each for each in given if each.field not in matter.against_record]
    doubts = []
    for each in still:
        held = " ".join([*matter.against_record, each.field])
        fact = article.fact(each.field)
        value = shown_value(each.sheet)
        doubts.append(
            Doubt(
                question=each.question,
                stated=fact_text(form.case, fact, form.facts().get(each.field)) if fact else "",
                sheet=fact_text(form.case, fact, each.sheet) if fact and value else "",
                sheet_url="?" + urlencode({**here, f"f-{each.field}": value}) + "#proposal",
                stated_url="?" + urlencode({**here, "against": held}) + "#proposal",
            )
        )
    return doubts


def _impact(
    matter: Deciding,
    article: Article,
    form: FactsForm,
    request: HttpRequest,
) -> tuple[Impact | None, str]:
    """Return the impact, or the reason of the services' refusal."""
    next_round = next_round_kept(matter.incident, request.GET.get("next_round", ""))
    incident = Incident.objects.select_related(*incidents.RELATED).get(pk=matter.incident.pk)
    try:
        tried = impact_of(incident, lambda: matter.preview(request, article.id, form, next_round))
    except Refused as refusal:
        return None, str(refusal)
    except EngineError as error:
        return None, in_words(error)
    return tried, ""


def _article_shown(event: Event, article: Article) -> ArticleShown:
    return ArticleShown(
        article.id,
        localized(article.title),
        localized(article.text),
        article.citation,
        article.citation.translated(language()),
        localized(ORIGINS[article.origin]),
        rule_of(event, article),
        article.of_persons,
    )


def _listed(
    matter: Deciding, article: Article, title: Text, note: str = "", **query: str
) -> ListedArticle:
    """Return an article with the link that chooses it."""
    query_string = urlencode({**matter.query, "article": article.id, **query})
    return ListedArticle(article.id, localized(title), f"?{query_string}#article", note)


def _page(
    request: HttpRequest,
    case: Case,
    matter: Deciding,
    code: Code,
    *,
    barred: str,
    typed: QueryDict,
    article: Article | None,
    form: FactsForm | None,
    proposal: Proposed | None,
) -> IncidentPage:
    incident, event = matter.incident, case.event
    record = evidence_of.record_of(case)
    words = typed.get("q", "")
    names = actor_names([incident.taken_by, incident.opened_by, incident.closed_by])
    late = article is not None and article.id == LATE
    return IncidentPage(
        incident=incident,
        case=case,
        matter=matter,
        barred=barred,
        typed=typed,
        begun=matter.begun,
        article=_article_shown(event, article) if article else None,
        form=form,
        ran=time_run(incident.round) if late and incident.round is not None else None,
        proposal=proposal,
        record=record,
        players=list(people_of(case).values()),
        pairs=[] if barred else _pairs(case),
        description=description_of(incident),
        where=where(incident),
        taken_by=names.get(incident.taken_by, ""),
        handed=_handed(matter, code),
        may_take_over=may_confirm(actor_of(request), event.pk),
        unruled=incident.state in UNRULED,
        closed=[
            part
            for part in (
                when(incident.closed_at) if incident.closed_at else "",
                names.get(incident.closed_by, ""),
            )
            if part
        ],
        called_at=when(incident.call.called_at if incident.call else incident.opened_at),
        words=words,
        keep=urlencode(matter.query),
        keep_items=list(matter.query.items()),
        articles=[
            _listed(matter, a, a.title, localized(ORIGINS[a.origin]))
            for a in search(code, words, language())[:MOST_ARTICLES]
        ]
        if words
        else [],
        faults=[
            _listed(matter, fault.article, fault.label, fault=fault.name)
            for fault in common_faults(code)
        ],
        waiting=waiting_decisions(event, incident),
        not_confirmed=decisions_not_confirmed(incident),
        offences=offences_at(case),
        may_withdraw=not incident.violation_key or incident.vanished_at is not None,
        others=[
            (other.number, description_of(other)) for other in incidents.others_at_table(incident)
        ]
        if incident.state == IncidentState.OPEN
        else [],
        rulings=[
            show(r, url=reverse("referee-ruling", args=[event.slug, r.number]))
            for r in related(incident.rulings.order_by("number"))
        ],
        games=list(incident.table.sheets.order_by("order")) if incident.table else [],
        equities=[_equity(case, violation) for violation in record.violations],
        crumbs=crumbs(event.slug, Crumb(_("Incident %(n)d") % {"n": incident.number})),
    )


def _handed(matter: Deciding, code: Code) -> Handed | None:
    incident = matter.incident
    amends = matter.ruling.number if matter.ruling is not None else None
    if incident.handed_at is None or incident.handed.get("ruling") != amends:
        return None
    name = incident.handed["article"]
    title = localized(code.article(name).title) if name in code else ""
    by = actor_names([incident.handed_by]).get(incident.handed_by, "")
    url = "?" + urlencode({**matter.query, "article": name}) + "#article"
    reason = incident.handed.get("reason", "")
    return Handed(by, when(incident.handed_at), name, title, url, reason)


def _equity(case: Case, play: evidence_of.ProvenPlay) -> Equity:
    job = evidence.job_of(case, evidence.equity_key(case, play.index))
    result = job.result if job is not None and job.state == "done" else {}
    figures = equity_items(case, result) if "damage" in result else []
    bounds = [
        Labelled(side_label(case, side), f"{low}–{high}")
        for side, (low, high) in result.get("bounds", {}).items()
    ]
    side = side_label(case, result["side"]) if "side" in result else ""
    return Equity(play, job, figures, side, bounds)


@needs("incidents.rule")
@require_POST
def dismiss(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Close without a ruling."""
    return _close(request, slug, number, incidents.dismiss)


@needs("incidents.rule")
@require_POST
def withdraw(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Take back what was opened by mistake."""
    return _close(request, slug, number, incidents.withdraw)


def _close(
    request: HttpRequest, slug: str, number: int, service: Callable[..., Incident]
) -> HttpResponse:
    incident = incidents.incident_by_number(event_by_slug(slug), number)
    if do(request, service, incident):
        return redirect("referee-desk", slug)
    return redirect("referee-incident", slug, number)


@needs("incidents.rule")
@require_POST
def merge(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Close as the same matter as another incident."""
    event = event_by_slug(slug)
    incident = incidents.incident_by_number(event, number)
    merged = do(request, incidents.merge, incident)
    return redirect("referee-incident", slug, number if merged is None else merged.number)
