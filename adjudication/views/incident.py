"""An incident: where, what was told, the evidence, the article, the facts, what follows, issue.

Everything up to the impact is asked by GET, so that a page can be reloaded, shared and gone back
to; only issuing posts. The same page amends a ruling (``?ruling=``) and answers an appeal with
another decision (``?appeal=``).
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.roles import capabilities_of
from adjudication.models import (
    UNRULED,
    Appeal,
    Confirmation,
    Incident,
    IncidentState,
    NextRound,
    Ruling,
)
from adjudication.penal import Article, Code, Measure, Rulers, common_faults, find_fault, search
from adjudication.penal.words import DEAL_RULES, ORIGINS, WHO
from adjudication.queries import evidence as evidence_of
from adjudication.queries.cases import Case, case_of
from adjudication.queries.codes import code_of
from adjudication.queries.confirmations import decisions_not_confirmed, waiting_decisions
from adjudication.queries.effects import later_rounds, rulings_on
from adjudication.queries.impact import Impact, impact_of
from adjudication.queries.known import LATE, clock_of, known_facts
from adjudication.queries.offences import offences_at
from adjudication.queries.shown import (
    actor_names,
    charge_text,
    description_of,
    equity_items,
    fact_text,
    language,
    localized,
    penalty_text,
    people_of,
    rationale,
    show,
    side_label,
    together_with,
    when,
    where,
)
from adjudication.services import appeals, confirmations, evidence, incidents, rulings
from adjudication.services.access import may_confirm, plays_at
from adjudication.services.contradictions import Contradiction
from adjudication.services.proofs import equity_of, proof_of, reason_wanted
from adjudication.services.proposals import FactsRefused, Stated, propose
from ledger.errors import Refused
from scoring.engine.errors import EngineError
from tournament.access import needs
from tournament.models import Event
from tournament.services import sheets
from tournament.views.frame import event_by_slug, page

from .common import HEARING, actor_of, attempt, in_words, whole
from .forms import FactsForm, posted, shown_value

MOST_ARTICLES = 12
WRITTEN_ANEW = ("GEN-SCORE", "GEN-CLAIM")
"""Articles whose remedy is the score of the deal itself: once ruled, the sheet is corrected."""


@dataclass(slots=True)
class Deciding:
    """What the page decides on: a new ruling, an amendment, or the answer to an appeal."""

    incident: Incident
    ruling: Ruling | None = None
    appeal: Appeal | None = None
    proof: str = ""
    """The verdict on the tricks that the table agreed on, by its job."""
    against_record: tuple[str, ...] = ()
    """Facts to which the referee holds against the sheet."""

    @property
    def query(self) -> dict[str, str]:
        """What keeps the page on this matter."""
        query = {"proof": self.proof, "against": " ".join(self.against_record)}
        query = {name: value for name, value in query.items() if value}
        if self.appeal is not None:
            return {"appeal": str(self.appeal.pk), **query}
        if self.ruling is not None:
            return {"ruling": str(self.ruling.number), **query}
        return query

    def act(
        self,
        request: HttpRequest,
        article: str,
        form: FactsForm,
        more: Any,
        *,
        try_it: bool = False,
    ) -> Any:
        """Issue, amend or answer, with the facts of ``form`` and the fields of ``more``.

        ``try_it``: only to see what would follow, hence as if a second person had confirmed it.
        """
        stated: Stated = {
            "article": article,
            "facts": form.facts(),
            "claimed": form.claimed,
            "next_round": more.get("next_round", ""),
            "proof": self.proof,
            "against_record": self.against_record,
        }
        actor, reason = actor_of(request), more.get("reason", "")
        if self.appeal is not None:
            return appeals.hear(
                appeal_id=self.appeal.pk, outcome="changed", decision=reason, actor=actor, **stated
            )
        about: dict[str, Any] = {"actor": actor, "reason": reason, "seen": whole(more.get("seen"))}
        if not try_it:
            return confirmations.rule(
                incident_id=self.incident.pk,
                amends=self.ruling.pk if self.ruling else None,
                **about,
                **stated,
            )
        about["second"] = rulings.PREVIEW
        if self.ruling is not None:
            return rulings.amend(ruling_id=self.ruling.pk, **about, **stated)
        return rulings.issue(incident_id=self.incident.pk, **about, **stated)


def deciding(event: Event, number: int, given: Any) -> Deciding:
    """What the address asks to decide."""
    incident = incidents.incident_by_number(event, number)
    question_again = {
        "proof": given.get("proof", "")[:40],
        "against_record": tuple(given.get("against", "")[:100].split()),
    }
    if given.get("appeal"):
        try:
            appeal = Appeal.objects.select_related("ruling").get(
                pk=uuid.UUID(given["appeal"]), ruling__incident=incident
            )
        except (ValueError, Appeal.DoesNotExist) as error:
            raise Http404 from error
        return Deciding(incident, appeal.ruling, appeal, **question_again)
    ruling_number = whole(given.get("ruling"))
    if ruling_number is not None:
        ruling = incident.rulings.filter(number=ruling_number).first()
        if ruling is None:
            raise Http404
        return Deciding(incident, ruling, **question_again)
    return Deciding(incident, **question_again)


def _may(request: HttpRequest, matter: Deciding) -> str:
    """Why the caller may not decide this, or nothing."""
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


@needs("incidents.read")
def incident_page(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """The incident as far as it is decided; POST issues what the page shows."""
    event = event_by_slug(slug)
    given = request.POST if request.method == "POST" else request.GET
    matter = deciding(event, number, given)
    case = case_of(matter.incident)
    barred = _may(request, matter)
    code = code_of(event)
    article = _article(code, given, matter)
    context: dict[str, Any] = {"barred": barred, "matter": matter, "typed": given, "begun": ""}
    if matter.appeal is not None:
        context["begun"] = request.session.get(HEARING, {}).get(str(matter.appeal.pk), "")
    status = 200
    if article is not None:
        form = _form(code, article, case, matter, given)
        context.update(article=article, form=form, article_shown=_article_shown(event, article))
        if article.id == LATE and case.incident.round is not None:
            context["ran"] = clock_of(case.incident.round)
        wants = request.method == "POST" or bool(given.get("preview"))
        if wants and not barred and not form.is_valid():
            status = 422
        elif wants and not barred:
            if request.method == "POST":
                done = _issue(request, matter, article, form)
                if done is not None:
                    return done
                status = 422
            context.update(_preview(request, matter, case, article, form, given))
            if context.get("defects"):
                status = 422
    return render(
        request,
        "referee/incident.html",
        page(request, event, "referee-desk", **_shown(event, case, matter, given, code), **context),
        status=status,
    )


def _article(code: Any, given: Any, matter: Deciding) -> Article | None:
    name = given.get("article", "")
    other = given.get("q") or given.get("choose")
    if not name and matter.ruling is not None and not other:
        name = matter.ruling.article
    return code.article(name) if name in code else None


def _form(code: Code, article: Article, case: Case, matter: Deciding, query: Any) -> FactsForm:
    """The facts as typed; filled with the ruling's own where it is decided again, else as known."""
    if any(key.startswith("f-") for key in query):
        return FactsForm(article, case, query)
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


def _issue(
    request: HttpRequest, matter: Deciding, article: Article, form: FactsForm
) -> HttpResponse | None:
    """Post what the page shows; ``None`` after a refusal, told on the page."""
    try:
        done = matter.act(request, article.id, form, request.POST)
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
        request, _("Ruling %(n)d is in force. The table can see it now.") % {"n": ruling.number}
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
    given: Any,
) -> dict[str, Any]:
    """The proposal, its reasons, similar rulings, and what it would change."""
    before = matter.ruling.number if matter.ruling else None
    try:
        proposed = propose(
            matter.incident, article.id, form.facts(), claimed=form.claimed, before=before
        )
    except FactsRefused as refusal:
        form.blame(refusal.defects)
        return {"defects": refusal.defects}
    except Refused as refusal:
        form.add_error(None, str(refusal))
        return {"defects": {refusal.field: str(refusal)}}
    proposal = proposed.proposal
    proof = proof_of(case, proposal.article, form.facts(), matter.proof)
    wanted = reason_wanted(matter.incident, proposed, proof)
    cost = equity_of(case, form.facts(), matter.proof)
    raw = proposal.as_json()
    together = (
        together_with(case, proposal.deal, rulings_on(matter.incident), but=before)
        if case.deal_key is not None
        else None
    )
    context: dict[str, Any] = {
        "proposal": proposal,
        "penalty": penalty_text(case, raw, together),
        "because": rationale(raw, together, case),
        "choices": [
            {"label": localized(label), "by": [side_label(case, side) for side in choice.by]}
            for choice in proposal.choices
            for _code, label in choice.options
        ],
        "similar": evidence_of.similar(case, article, proposal, form.facts(), but=before),
        "needs_reason": proposal.needs_reason or matter.ruling is not None or wanted is not None,
        "reason_wanted": wanted,
        "proof": proof,
        "cost": equity_items(case, cost) if cost else [],
        "cost_side": side_label(case, cost.get("side")),
        "doubts": _doubts(matter, article, form, proposed.contradictions),
        "later": later_rounds(matter.incident),
        "seen": rulings.versions_on(matter.incident),
        "next_rounds": [(c.value, c.label) for c in NextRound if c.value],
        "needs_second": proposal.needs_second and matter.appeal is None,
        "reserved": proposed.rulers is not Rulers.REFEREE and matter.appeal is None,
        "may_propose": not (proposal.needs_second or proposed.rulers is not Rulers.REFEREE)
        or matter.appeal is not None
        or may_confirm(actor_of(request), matter.incident.event_id),
    }
    if not proposal.choices and not context["doubts"] and context["may_propose"]:
        context["impact"] = _impact(matter, article, form, request, context)
    return context


def _doubts(
    matter: Deciding, article: Article, form: FactsForm, given: tuple[Contradiction, ...]
) -> list[dict[str, Any]]:
    """What the sheet contradicts and was not asked yet: the question, and a link for each answer."""
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
            {
                "question": each.question,
                "label": localized(fact.label) if fact is not None else "",
                "stated": fact_text(form.case, fact, form.facts().get(each.field)) if fact else "",
                "sheet": fact_text(form.case, fact, each.sheet) if fact and value else "",
                "sheet_url": "?" + urlencode({**here, f"f-{each.field}": value}) + "#proposal",
                "stated_url": "?" + urlencode({**here, "against": held}) + "#proposal",
            }
        )
    return doubts


def _impact(
    matter: Deciding,
    article: Article,
    form: FactsForm,
    request: HttpRequest,
    impact: dict[str, Any],
) -> Impact | None:
    """Before and after; a refusal by the services is told instead of shown as an effect."""
    given = {
        "reason": "preview",
        "next_round": request.GET.get("next_round")
        or (NextRound.STANDS.value if impact["later"] else ""),
    }
    incident = Incident.objects.select_related(*incidents.RELATED).get(pk=matter.incident.pk)
    try:
        return impact_of(
            incident, lambda: matter.act(request, article.id, form, given, try_it=True)
        )
    except Refused as refusal:
        impact["impact_refused"] = str(refusal)
    except EngineError as error:
        impact["impact_refused"] = in_words(error)
    return None


def _article_shown(event: Event, article: Article) -> dict[str, Any]:
    return {
        "id": article.id,
        "title": localized(article.title),
        "text": localized(article.text),
        "citation": str(article.citation),
        "origin": localized(ORIGINS[article.origin]),
        "items": [
            {"label": _("Who"), "value": localized(WHO[article.who])},
            {"label": _("Established"), "value": localized(article.established)},
            {"label": _("Penalty"), "value": charge_text(event, article)},
            {"label": _("Deal"), "value": localized(DEAL_RULES[article.deal])},
        ],
    }


def _shown(event: Event, case: Case, matter: Deciding, given: Any, code: Any) -> dict[str, Any]:
    """What the page shows whatever is being decided."""
    incident = matter.incident
    record = evidence_of.record_of(case)
    words = given.get("q", "")
    names = actor_names([incident.taken_by, incident.opened_by, incident.closed_by])
    carried = urlencode(matter.query)
    return {
        "incident": incident,
        "case": case,
        "record": record,
        "players": people_of(case),
        "told": description_of(incident),
        "where": where(incident),
        "taken_by": names.get(incident.taken_by, ""),
        "unruled": incident.state in UNRULED,
        "closed": [
            part
            for part in (
                when(incident.closed_at) if incident.closed_at else "",
                names.get(incident.closed_by, ""),
            )
            if part
        ],
        "called_at": when(incident.call.called_at if incident.call else incident.opened_at),
        "words": words,
        "keep": carried,
        "keep_items": list(matter.query.items()),
        "articles": [
            {
                "id": a.id,
                "title": localized(a.title),
                "origin": localized(ORIGINS[a.origin]),
                "url": "?" + urlencode({**matter.query, "article": a.id}) + "#article",
            }
            for a in search(code, words, language())[:MOST_ARTICLES]
        ]
        if words
        else [],
        "searched": bool(words),
        "faults": [
            {
                "id": fault.article.id,
                "label": localized(fault.label),
                "url": "?"
                + urlencode({**matter.query, "article": fault.article.id, "fault": fault.name})
                + "#article",
            }
            for fault in common_faults(code)
        ],
        "waiting": waiting_decisions(event, incident),
        "not_confirmed": decisions_not_confirmed(incident),
        "offences": offences_at(case),
        "may_withdraw": not incident.violation_key or incident.vanished_at is not None,
        "others": [
            {"number": other.number, "told": description_of(other)}
            for other in incidents.others_at_table(incident)
        ]
        if incident.state == IncidentState.OPEN
        else [],
        "rulings": [
            show(r, url=reverse("referee-ruling", args=[event.slug, r.number]))
            for r in incident.rulings.select_related(
                "event",
                "incident__event",
                "incident__round__stage__event",
                "incident__sheet",
                "incident__call",
                "incident__table",
            )
            .prefetch_related("appeals")
            .order_by("number")
        ],
        "games": list(incident.table.sheets.order_by("order")) if incident.table else [],
        "equities": [_equity(case, violation) for violation in record.violations],
        "crumbs": [
            {"url": reverse("referee-desk", args=[event.slug]), "label": _("Referee")},
            {"label": _("Incident %(n)d") % {"n": incident.number}},
        ],
    }


def _equity(case: Case, equity: Any) -> dict[str, Any]:
    """An illegal play with the state of its equity: the figures for the innocent side, or bounds."""
    job = evidence.job_of(case, evidence.equity_key(case, equity.index))
    result = job.result if job is not None and job.state == "done" else {}
    figures = equity_items(case, result) if "damage" in result else []
    bounds = [
        {"label": side_label(case, side), "value": f"{low}–{high}"}
        for side, (low, high) in result.get("bounds", {}).items()
    ]
    side = side_label(case, result["side"]) if "side" in result else ""
    return {"found": equity, "job": job, "figures": figures, "side": side, "bounds": bounds}


@needs("incidents.rule")
@require_POST
def place(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Say in which game and deal it happened."""
    event = event_by_slug(slug)
    incident = incidents.incident_by_number(event, number)
    attempt(
        request,
        lambda: incidents.place_incident(
            incident_id=incident.pk,
            actor=actor_of(request),
            game=whole(request.POST.get("game")),
            deal=whole(request.POST.get("deal")),
        ),
        _("Saved."),
    )
    return redirect("referee-incident", slug, number)


@needs("incidents.rule")
@require_POST
def dismiss(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Close without a ruling."""
    event = event_by_slug(slug)
    incident = incidents.incident_by_number(event, number)
    done = attempt(
        request,
        lambda: incidents.dismiss(
            incident_id=incident.pk, actor=actor_of(request), reason=request.POST.get("reason", "")
        ),
        _("Closed without a ruling."),
    )
    return redirect("referee-desk", slug) if done else redirect("referee-incident", slug, number)


@needs("incidents.rule")
@require_POST
def withdraw(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Take back what was opened by mistake."""
    event = event_by_slug(slug)
    incident = incidents.incident_by_number(event, number)
    done = attempt(
        request,
        lambda: incidents.withdraw(
            incident_id=incident.pk, actor=actor_of(request), reason=request.POST.get("reason", "")
        ),
        _("The incident has been withdrawn."),
    )
    return redirect("referee-desk", slug) if done else redirect("referee-incident", slug, number)


@needs("incidents.rule")
@require_POST
def merge(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Close as the same matter as another incident."""
    event = event_by_slug(slug)
    incident = incidents.incident_by_number(event, number)
    into = whole(request.POST.get("into"))
    done = attempt(
        request,
        lambda: incidents.merge(incident_id=incident.pk, into=into or 0, actor=actor_of(request)),
        _("Merged into this incident."),
    )
    return redirect("referee-incident", slug, into if done is not None else number)


@needs("incidents.rule")
@require_POST
def ask_equity(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Start the search for what an illegal play cost."""
    event = event_by_slug(slug)
    incident = incidents.incident_by_number(event, number)
    index = whole(request.POST.get("index"))
    attempt(
        request,
        lambda: evidence.ask_equity(
            incident_id=incident.pk, index=-1 if index is None else index, actor=actor_of(request)
        ),
    )
    return redirect(reverse("referee-incident", args=[slug, number]) + "#evidence")
