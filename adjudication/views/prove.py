"""Is it proved? The tricks that the table agrees on, an allegation, and the engine's verdict."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from adjudication.penal.evidence import KINDS
from adjudication.selectors.shown import language, people_of, said
from adjudication.services import evidence, incidents
from adjudication.services.cases import Case, case_of
from ledger.access import needs
from ledger.errors import Refused
from scoring.engine.errors import EngineError
from scoring.engine.letters import Letters, letters_of
from scoring.engine.speech import with_signs
from scoring.rules import replay_record
from tournament.views.frame import event_by_slug, page

from .common import actor_of, attempt, whole

UNKNOWN = ("-", "–", "?")


def _cards(text: str, letters: Letters) -> list[str | None]:
    return [None if word in UNKNOWN else letters.card(word) for word in text.split()]


def read_asked(posted: Any, tricks: int) -> dict[str, Any]:
    """The typed tricks and allegation as ``prove`` reads them; :class:`Refused` names a bad line."""
    listed = []
    words = [w for n in range(1, tricks + 1) for w in posted.get(f"t{n}", "").split()]
    letters = letters_of(language()).settled_by([w for w in words if w not in UNKNOWN])
    for number in range(1, tricks + 1):
        text = posted.get(f"t{number}", "").strip()
        if not text:
            continue
        leader = posted.get(f"l{number}", "")
        if not leader:
            raise Refused(
                "leader_missing", _("Trick %(n)d: say who led."), field=f"l{number}",
                params={"n": number},
            )  # fmt: skip
        listed.append({"n": number, "leader": leader, "plays": _cards(text, letters)})
    return {
        "trump": posted.get("trump", ""), "tricks": listed,
        "allegation": {
            "trick": whole(posted.get("trick")) or 0, "seat": posted.get("seat", ""),
            "kind": posted.get("kind", ""),
        },
    }  # fmt: skip


def _written(case: Case) -> dict[str, str]:
    """What the table's own record holds, to begin with."""
    found: dict[str, str] = {}
    if case.sheet is None or case.deal is None:
        return found
    found["trump"] = str((case.deal.entry.get("contract") or {}).get("trump") or "")
    if "record" not in case.deal.entry:
        return found
    found["trump"] = case.deal.entry["record"].get("trump", found["trump"])
    try:
        replayed, _places = replay_record(case.sheet, case.deal.entry, partial=True)
    except EngineError:
        return found
    for trick in replayed["tricks"]:
        found[f"l{trick['n']}"] = trick["leader"]
        found[f"t{trick['n']}"] = " ".join(card for _player, card in trick["plays"])
    return found


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
            asked = read_asked(request.POST, tricks)
            job = attempt(
                request,
                lambda: evidence.ask_proof(
                    incident_id=incident.pk, asked=asked, actor=actor_of(request)
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
    return render(
        request, "referee/prove.html",
        page(
            request, event, "referee-desk", incident=incident, players=players, rows=rows,
            typed=typed, refused=refused, job=job,
            advice=with_signs(said_of(job.result.get("advice")), language()) if job and job.state == "done" else "",
            proof=_proof(job.result) if job and job.state == "done" else None,
            kinds=[(kind, said(label)) for kind, label in KINDS.items()],
            trumps=["S", "H", "D", "C", "NT"],
            crumbs=[
                {"url": reverse("referee-desk", args=[slug]), "label": _("Referee")},
                {"url": reverse("referee-incident", args=[slug, number]),
                 "label": _("Incident %(n)d") % {"n": number}},
                {"label": _("Proof")},
            ],
        ),
        status=422 if refused else 200,
    )  # fmt: skip


def _proof(result: dict[str, Any]) -> dict[str, Any] | None:
    """The trick and the card that prove it, if any."""
    found = result.get("proof")
    return {"trick": found[0], "card": with_signs(str(found[1]), language())} if found else None


def said_of(texts: dict[str, str] | None) -> str:
    """A stored text in the reader's language."""
    return (texts or {}).get(language()) or (texts or {}).get("en", "")


def _typed_again(asked: dict[str, Any]) -> dict[str, str]:
    found = {
        "trump": asked.get("trump", ""), "trick": str(asked["allegation"].get("trick", "")),
        "seat": asked["allegation"].get("seat", ""), "kind": asked["allegation"].get("kind", ""),
    }  # fmt: skip
    for trick in asked["tricks"]:
        found[f"l{trick['n']}"] = trick["leader"]
        found[f"t{trick['n']}"] = " ".join(card or "–" for card in trick["plays"])
    return found
