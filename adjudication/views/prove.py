"""Is it proved? The tricks that the table agrees on, an allegation, and the engine's verdict."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple
from urllib.parse import urlencode

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.access import actor_of
from accounts.pages import Crumb, Labelled, Page
from adjudication.models import Incident
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
from tournament.tables.score_sheet import ScoreSheet
from tournament.views.frame import event_by_slug, show_event
from tournament.views.typed import whole

from .common import attempt, incident_crumbs

UNKNOWN = ("-", "–", "?")


def _cards(text: str, letters: Letters) -> list[str | None]:
    return [None if word in UNKNOWN else letters.card(word) for word in text.split()]


def read_question(
    posted: Mapping[str, str], tricks: int, players: Iterable[str] = ()
) -> QuestionJson:
    """Read the typed tricks, known hands and allegation as a question to ``prove``.

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


def _text(label: str, most: int, **attributes: object) -> forms.CharField:
    widget = forms.TextInput(attrs={"maxlength": most, **attributes})
    return forms.CharField(label=label, widget=widget)


class ProofForm(forms.Form):
    """The fields of :func:`read_question`, filled with typed or recorded values."""

    use_required_attribute = False

    def __init__(self, tricks: int, players: dict[str, str], typed: Mapping[str, str]) -> None:
        super().__init__(initial=dict(typed.items()))
        suits = [("S", "♠"), ("H", "♥"), ("D", "♦"), ("C", "♣"), ("NT", _("no trump"))]
        seats, cards = (
            list(players.items()),
            {"autocapitalize": "characters", "autocomplete": "off"},
        )
        self.fields["trump"] = forms.ChoiceField(label=_("Trump"), choices=suits)
        for n in range(1, tricks + 1):
            self.fields[f"l{n}"] = forms.ChoiceField(
                label=_("Trick %(n)s, led by") % {"n": n}, choices=[("", "–"), *seats]
            )
            label = _("Cards of trick %(n)s") % {"n": n}
            more = {"placeholder": "8♥ 10♣ – 7♥", "data-cards-of-trick": True}
            self.fields[f"t{n}"] = _text(label, 40, **cards, **more)
        for player, name in seats:
            self.fields[f"h{player}"] = _text(name, 60, **cards)
        kinds = [(kind, localized(label)) for kind, label in KINDS.items()]
        self.fields["seat"] = forms.ChoiceField(label=_("Player"), choices=seats)
        short = {"class": "input--short", "inputmode": "numeric"}
        self.fields["trick"] = _text(_("Trick"), 2, **short)
        self.fields["kind"] = forms.ChoiceField(label=_("What"), choices=kinds)
        self.tricks = [(self[f"l{n}"], self[f"t{n}"]) for n in range(1, tricks + 1)]
        self.hands = [self[f"h{player}"] for player in players]
        self.any_hand = any(hand.value() for hand in self.hands)


def _written(case: Case) -> dict[str, str]:
    """Return the initial values from the table's own record."""
    written: dict[str, str] = {}
    if case.sheet is None or case.deal is None:
        return written
    written["trump"] = str((case.deal.entry.get("contract") or {}).get("trump") or "")
    if "record" not in case.deal.entry:
        return written
    written["trump"] = case.deal.entry["record"].get("trump", written["trump"])
    try:
        replayed, _places = ScoreSheet(case.sheet).replay(case.deal.entry, partial=True)
    except EngineError:
        return written
    for trick in replayed["tricks"]:
        written[f"l{trick['n']}"] = trick["leader"]
        written[f"t{trick['n']}"] = _shown(card for _player, card in trick["plays"])
    return written


class Cost(NamedTuple):
    """Cost of the alleged play over the deals that fit the tricks, and whether it can be requested."""

    may_ask: bool = False
    seed: int | None = None
    job: Job | None = None
    items: Sequence[Labelled] = ()
    side: str = ""


class ProvePage(Page, template="referee/prove.html", here="referee-desk"):
    incident: Incident
    form: ProofForm
    refused: str
    job: Job | None
    advice: str
    proof: ShownJson | None
    rule_url: str
    cost: Cost
    pack: list[list[str]]
    players: int
    crumbs: list[Crumb]


@needs("incidents.rule")
def prove_page(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show the form of tricks and allegation, and the verdict."""
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
    done = job if job and job.state == "done" else None
    return show_event(
        request,
        event,
        ProvePage(
            incident=incident,
            players=len(players),
            form=ProofForm(tricks, players, typed),
            refused=refused,
            job=job,
            advice=with_signs(said_of(done.result.get("advice")), language()) if done else "",
            proof=_proof(done.result.get("proof")) if done else None,
            rule_url=_rule_url(case, done) if done else "",
            cost=_cost(case, done),
            pack=[[card_name(f"{rank}{suit}", language()) for rank in RANKS] for suit in SUITS],
            crumbs=incident_crumbs(incident, Crumb(_("Proof"))),
        ),
        status=422 if refused else 200,
    )


def _cost(case: Case, job: Job | None) -> Cost:
    if job is None or job.result.get("verdict") == "innocent":
        return Cost()
    run = evidence.worlds_job_of(case, job)
    done = run is not None and run.state == "done"
    result = run.result if run is not None and done else {}
    return Cost(
        may_ask=case.places.game.in_pairs and case.deal is not None,
        seed=run.parameters["seed"] if run is not None else case.incident.number,
        job=None if done else run,
        items=equity_items(case, result) if result else [],
        side=side_label(case, result.get("side")),
    )


def _proof(shown: tuple[int, str] | None) -> ShownJson | None:
    """Return the trick and the card that prove the breach, if any."""
    return {"trick": shown[0], "card": with_signs(shown[1], language())} if shown else None


def _rule_url(case: Case, job: Job) -> str:
    """Return the URL of the article for a proved allegation, with its facts filled in."""
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
    """Return the accused player's card in the alleged trick, if remembered."""
    seats = case.places.game.seats
    for trick in tricks:
        if trick["n"] == alleged["trick"] and {trick["leader"], alleged["seat"]} <= set(seats):
            place = (seats.index(alleged["seat"]) - seats.index(trick["leader"])) % len(seats)
            return trick["plays"][place] if place < len(trick["plays"]) else None
    return None


def said_of(texts: dict[str, str] | None) -> str:
    """Return a stored text in the reader's language."""
    return (texts or {}).get(language()) or (texts or {}).get("en", "")


def _shown(cards: Iterable[str | None]) -> str:
    """Return the names of the cards in the reader's ranks; a dash for a forgotten card."""
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
