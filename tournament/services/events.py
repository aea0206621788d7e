"""Opening an event: its rulebook with switches, its stages, its director."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils.text import slugify
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from ledger import audit
from ledger.actors import Actor
from ledger.errors import Conflict, Refused
from ledger.models import Role, RoleGrant
from scoring.engine import rulebook as rulebooks
from scoring.engine.errors import EngineError
from scoring.engine.speech import explain
from tournament.models import STAGE_NAMES, Event, EventState, Format, Round, Stage
from tournament.standings.presets import PRESETS


@dataclass(frozen=True, slots=True)
class StagePlan:
    """One stage of a new event, in the words of :class:`tournament.models.Stage`."""

    name: str
    format: str = Format.INDIVIDUAL_DRAW
    rounds: int = 3
    games_per_round: int = 3
    deals_per_game: int | None = 4
    target: dict[str, Any] | int | None = None
    minutes: int = 90
    ranking: str = "world_championship"
    carries_over: bool = False
    cut: dict[str, Any] = field(default_factory=dict)
    club_rounds: int = 2


def championship_plan(
    *, rounds: int = 3, deals: int = 4, minutes: int = 90, cut: int = 128
) -> list[StagePlan]:
    """The plan of the world championships: rounds, semi-final of the best, final of table winners.

    Deerlijk 2023: three rounds with change of table, the 128 best scores to the semi-final, the
    32 table winners to the final (rules specification D.1, E4 and E5).
    """
    return [
        StagePlan(STAGE_NAMES[0], rounds=rounds, deals_per_game=deals, minutes=minutes,
                  cut={"top": cut}),
        StagePlan(STAGE_NAMES[1], rounds=1, deals_per_game=deals, minutes=minutes,
                  cut={"winners": True}, club_rounds=0),
        StagePlan(STAGE_NAMES[2], rounds=1, deals_per_game=deals, minutes=minutes, club_rounds=0),
    ]  # fmt: skip


def _free_slug(name: str) -> str:
    base = slugify(name)[:48] or "event"
    slug, n = base, 2
    while Event.objects.filter(slug=slug).exists():
        slug, n = f"{base}-{n}", n + 1
    return slug


@transaction.atomic
def create_event(
    *,
    actor: Actor,
    name: str,
    day: date,
    place: str = "",
    language: str = "nl",
    rulebook: str = "belgian",
    options: dict[str, Any] | None = None,
    protocol: str = "confirm",
    bell_rule: str = "finish",
    depth: str = "points",
    plan: list[StagePlan] | None = None,
    slug: str = "",
    public_seed: str = "",
) -> Event:
    """Create an event with its stages and their rounds; its creator becomes its director.

    ``options`` are switches of the rulebook and are checked by the engine now, so that no deal
    fails on them later. Raises :class:`Refused` with the field that must change.
    """
    try:
        game = rulebooks.resolve(rulebook, options or {})
        game.require_complete()
    except EngineError as error:
        raise Refused(
            error.code, explain(error, get_language() or "en"), field="options"
        ) from error
    plan = plan if plan is not None else championship_plan()
    if not plan:
        raise Refused("no_stage", _("An event needs at least one stage."), field="plan")
    event = Event.objects.create(
        slug=slug or _free_slug(name), name=name.strip(), place=place.strip(), day=day,
        language=language, rulebook=rulebook, edition=game.book.edition, options=options or {},
        protocol=protocol, bell_rule=bell_rule, depth=depth,
        public_seed=public_seed or secrets.token_hex(8),
    )  # fmt: skip
    for order, part in enumerate(plan, start=1):
        if part.ranking not in PRESETS:
            raise Refused("unknown_ranking", _("There is no such ranking rule."), field="ranking")
        stage = Stage.objects.create(
            event=event, order=order, name=part.name, format=part.format,
            rounds_planned=part.rounds, games_per_round=part.games_per_round,
            deals_per_game=part.deals_per_game, target=part.target, minutes=part.minutes,
            ranking=part.ranking, carries_over=part.carries_over, cut=part.cut,
            club_rounds=part.club_rounds,
        )  # fmt: skip
        Round.objects.bulk_create(
            Round(stage=stage, number=number) for number in range(1, part.rounds + 1)
        )
    if actor.kind == "user":
        RoleGrant.objects.get_or_create(user_id=int(actor.id), scope=event.pk, role=Role.DIRECTOR)
    audit.append(
        scope=event.pk, actor=actor, verb="event.created", subject=event,
        after={
            "rulebook": rulebook, "edition": event.edition, "options": event.options,
            "protocol": protocol, "seed": event.public_seed,
            "stages": [
                {"order": n, "format": str(part.format), "rounds": part.rounds, "cut": part.cut}
                for n, part in enumerate(plan, start=1)
            ],
        },
    )  # fmt: skip
    return event


def locked_event(event_id: Any) -> Event:
    """The event, locked until the end of the transaction, behind the head of its audit chain.

    A signature holds the chain when it raises the event's version: who locks the event first, and
    writes to the chain after, would wait for it while it waits for him.
    """
    audit.lock(event_id)
    return Event.objects.select_for_update(no_key=True).get(pk=event_id)


def bump(event_id: Any, *, results_only: bool = False) -> None:
    """Public pages of the event are out of date from this transaction's commit on.

    ``results_only``: nothing but results changed, so that pages that show none (draw, seats,
    clocks, names) stand. Whoever is not sure does not say so.
    """
    marks: dict[str, Any] = {"version": F("version") + 1}
    if not results_only:
        marks["frame_version"] = F("version") + 1
    Event.objects.filter(pk=event_id).update(**marks)


@transaction.atomic
def update_event(*, event_id: Any, actor: Actor, changes: dict[str, Any]) -> Event:
    """Change what may still change: words at any time, rules only before the first publication."""
    event = locked_event(event_id)
    anytime = {"name", "place", "day", "language", "short_names", "hide_last_rounds", "sponsors"}
    before_play = {"rulebook", "options", "protocol", "bell_rule", "depth"}
    unknown = set(changes) - anytime - before_play
    if unknown:
        raise Refused("unknown_field", _("This cannot be changed."), field=min(unknown))
    if (
        set(changes) & before_play
        and Round.objects.filter(stage__event=event, published_at__isnull=False).exists()
    ):
        raise Conflict(
            "event_in_play",
            _("The rules of an event are fixed once a round has been published."),
            field=min(set(changes) & before_play),
        )
    if {"rulebook", "options"} & set(changes):
        key = changes.get("rulebook", event.rulebook)
        try:
            game = rulebooks.resolve(key, changes.get("options", event.options))
            game.require_complete()
        except EngineError as error:
            raise Refused(
                error.code, explain(error, get_language() or "en"), field="options"
            ) from error
        event.edition = game.book.edition
    before = {name: getattr(event, name) for name in changes}
    for name, value in changes.items():
        setattr(event, name, value)
    event.save()
    # Names of events are public, not personal; they may stand in the chain.
    audit.append(
        scope=event.pk, actor=actor, verb="event.changed", subject=event, before=before,
        after=changes,
    )  # fmt: skip
    bump(event.pk)
    return event


@transaction.atomic
def finish_event(*, event_id: Any, actor: Actor) -> Event:
    """Declare the event finished; refused while a round is in play."""
    event = locked_event(event_id)
    if Round.objects.filter(stage__event=event, state__in=["published", "playing"]).exists():
        raise Conflict("round_in_play", _("A round is still in play: close it first."))
    if event.state != EventState.FINISHED:
        event.state = EventState.FINISHED
        event.save(update_fields=["state"])
        audit.append(scope=event.pk, actor=actor, verb="event.finished", subject=event)
        bump(event.pk)
    return event
