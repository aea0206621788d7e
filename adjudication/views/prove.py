"""Is it proved? The tricks that the table agrees on, an allegation, and the engine's verdict."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from adjudication.penal import article_of
from adjudication.penal.evidence import KINDS
from adjudication.queries.cases import Case, case_of
from adjudication.queries.shown import equity_items, language, localized, people_of, side_label
from adjudication.services import evidence, incidents
from ledger.errors import Refused
from ledger.models import Job
from scoring.engine.cards import RANKS, SUITS
from scoring.engine.errors import EngineError
from scoring.engine.letters import Letters, letters_of
from scoring.engine.shapes import AgreedTrickJson, AllegationJson, QuestionJson, ShownJson
from scoring.engine.speech import card_name, with_signs
from tournament.access import needs
from tournament.tables.rules import replay_record
from tournament.views.frame import event_by_slug, page

from .common import actor_of, attempt, whole

UNKNOWN = ("-", "–", "?")


def _cards(text: str, letters: Letters) -> list[str | None]:
    return [None if word in UNKNOWN else letters.card(word) for word in text.split()]


def read_question(posted: Any, tricks: int, players: Iterable[str] = ()) -> QuestionJson:
    """The typed tricks, known hands and allegation as ``prove`` reads them.

    :class:`Refused` names a bad line. ``players``: whose hands may be known (``h`` and the player).
    """
    listed: list[AgreedTrickJson] = []
    typed = {player: posted.get(f"h{player}", "").split() for player in players}
    words = [w for n in range(1, tricks + 1) for w in posted.get(f"t{n}", "").split()]
    words += [w for hand in typed.values() for w in hand]
    letters = letters_of(language()).settled_by([w for w in words if w not in UNKNOWN])
    for number in range(1, tricks + 1):
        text = posted.get(f"t{number}", "").strip()
        if not text:
            continue
        leader = posted.get(f"l{number}", "")
        if not leader:
            raise Refused(
                "leader_missing",
                _("Trick %(n)d: enter who led."),
                field=f"l{number}",
                params={"n": number},
            )
        listed.append({"n": number, "leader": leader, "plays": _cards(text, letters)})
    question: QuestionJson = {
        "trump": posted.get("trump", ""),
        "tricks": listed,
        "allegation": {
            "trick": whole(posted.get("trick")) or 0,
            "seat": posted.get("seat", ""),
            "kind": posted.get("kind", ""),
        },
    }
    if hands := {who: list(map(letters.card, hand)) for who, hand in typed.items() if hand}:
        question["hands"] = hands
    return question


def _written(case: Case) -> dict[str, str]:
    """What the table's own record holds, to begin with."""
    written: dict[str, str] = {}
    if case.sheet is None or case.deal is None:
        return written
    written["trump"] = str((case.deal.entry.get("contract") or {}).get("trump") or "")
    if "record" not in case.deal.entry:
        return written
    written["trump"] = case.deal.entry["record"].get("trump", written["trump"])
    try:
        replayed, _places = replay_record(case.sheet, case.deal.entry, partial=True)
    except EngineError:
        return written
    for trick in replayed["tricks"]:
        written[f"l{trick['n']}"] = trick["leader"]
        written[f"t{trick['n']}"] = _shown(card for _player, card in trick["plays"])
    return written


@needs("incidents.rule")
def prove_page(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Type the tricks, allege, read the verdict."""
    event = event_by_slug(slug)
    incident = incidents.incident_by_number(event, number)
    case = case_of(incident)
    game = case.places.game
    tricks = game.hand_size
    typed = request.POST if request.method == "POST" else _written(case)
    refused, job = "", None
    if request.method == "POST":
        try:
            question = read_question(request.POST, tricks, game.seats)
            job = attempt(
                request,
                lambda: evidence.ask_proof(
                    incident_id=incident.pk, question=question, actor=actor_of(request)
                ),
            )
            if job is not None:
                return redirect(reverse("referee-prove", args=[slug, number]) + f"?job={job.pk}")
        except (Refused, EngineError) as error:
            refused = str(error)
    elif request.GET.get("job"):
        job = evidence.job_by_id(case, request.GET["job"])
        if job is not None:
            typed = _typed_again(job.parameters["asked"])
    players = people_of(case)
    rows = [
        {"n": n, "leader": typed.get(f"l{n}", ""), "cards": typed.get(f"t{n}", "")}
        for n in range(1, tricks + 1)
    ]
    hands = [
        {"player": player, "name": name, "cards": typed.get(f"h{player}", "")}
        for player, name in players.items()
    ]
    return render(
        request,
        "referee/prove.html",
        page(
            request,
            event,
            "referee-desk",
            incident=incident,
            players=players,
            rows=rows,
            hands=hands,
            any_hand=any(each["cards"] for each in hands),
            typed=typed,
            refused=refused,
            job=job,
            advice=with_signs(said_of(job.result.get("advice")), language())
            if job and job.state == "done"
            else "",
            proof=_proof(job.result.get("proof")) if job and job.state == "done" else None,
            rule_url=_rule_url(case, job) if job and job.state == "done" else "",
            **_cost(case, job),
            pack=[[card_name(f"{rank}{suit}", language()) for rank in RANKS] for suit in SUITS],
            kinds=[(kind, localized(label)) for kind, label in KINDS.items()],
            trumps=["S", "H", "D", "C", "NT"],
            crumbs=[
                {"url": reverse("referee-desk", args=[slug]), "label": _("Referee")},
                {
                    "url": reverse("referee-incident", args=[slug, number]),
                    "label": _("Incident %(n)d") % {"n": number},
                },
                {"label": _("Proof")},
            ],
        ),
        status=422 if refused else 200,
    )


def _cost(case: Case, job: Job | None) -> dict[str, object]:
    """What the alleged play cost over the deals that fit the tricks, and whether it can be asked."""
    if job is None or job.state != "done" or job.result.get("verdict") == "innocent":
        return {}
    run = evidence.worlds_job_of(case, job)
    done = run is not None and run.state == "done"
    result = run.result if run is not None and done else {}
    return {
        "may_cost": case.places.pairs and case.deal is not None,
        "seed": run.parameters["seed"] if run is not None else case.incident.number,
        "cost_job": None if done else run,
        "cost": equity_items(case, result) if result else [],
        "cost_side": side_label(case, result.get("side")),
    }


@needs("incidents.rule")
@require_POST
def ask_cost(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Start the mean over the deals that fit the agreed tricks."""
    event = event_by_slug(slug)
    incident = incidents.incident_by_number(event, number)
    proof = request.POST.get("proof", "")
    attempt(
        request,
        lambda: evidence.ask_worlds(
            incident_id=incident.pk,
            proof=proof,
            seed=whole(request.POST.get("seed")) or 0,
            actor=actor_of(request),
        ),
    )
    address = reverse("referee-prove", args=[slug, number])
    return redirect(f"{address}?{urlencode({'job': proof})}#cost")


def _proof(shown: tuple[int, str] | None) -> ShownJson | None:
    """The trick and the card that prove it, if any."""
    return {"trick": shown[0], "card": with_signs(shown[1], language())} if shown else None


def _rule_url(case: Case, job: Job) -> str:
    """The page of the article that a proved allegation falls under, with its facts filled in."""
    question, rulebook = job.parameters["asked"], case.places.game.key
    alleged = question["allegation"]
    article = article_of(rulebook, alleged["kind"])
    if job.result.get("verdict") != "guilty" or article is None:
        return ""
    card = _played(case, question["tricks"], alleged)
    stated = {
        "article": article,
        "f-offender": alleged["seat"],
        "f-trick": alleged["trick"],
        "f-noticed": "after_deal",
        "f-proved": "yes",
        "proof": str(job.pk),
        **({"f-card": card} if card else {}),
    }
    address = reverse("referee-incident", args=[case.event.slug, case.incident.number])
    return f"{address}?{urlencode(stated)}#article"


def _played(case: Case, tricks: list[AgreedTrickJson], alleged: AllegationJson) -> str | None:
    """The card that the accused player laid in the trick in question, where it is remembered."""
    seats = case.places.game.seats
    for trick in tricks:
        if trick["n"] == alleged["trick"] and {trick["leader"], alleged["seat"]} <= set(seats):
            place = (seats.index(alleged["seat"]) - seats.index(trick["leader"])) % len(seats)
            return trick["plays"][place] if place < len(trick["plays"]) else None
    return None


def said_of(texts: dict[str, str] | None) -> str:
    """A stored text in the reader's language."""
    return (texts or {}).get(language()) or (texts or {}).get("en", "")


def _shown(cards: Iterable[str | None]) -> str:
    """Cards as the keys write them, in the reader's ranks; a dash where nobody remembers."""
    return " ".join(card_name(card, language()) if card else "–" for card in cards)


def _typed_again(question: QuestionJson) -> dict[str, str]:
    alleged = question["allegation"]
    typed = {
        "trump": question.get("trump", ""),
        "trick": str(alleged["trick"]),
        "seat": alleged["seat"],
        "kind": alleged["kind"],
    }
    for player, cards in question.get("hands", {}).items():
        typed[f"h{player}"] = _shown(cards)
    for trick in question["tricks"]:
        typed[f"l{trick['n']}"] = trick["leader"]
        typed[f"t{trick['n']}"] = _shown(trick["plays"])
    return typed
