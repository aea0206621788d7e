"""Opening an event: its rulebook with switches, its stages, its director."""

from __future__ import annotations

import re
import secrets
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Final

from django.core.exceptions import ValidationError
from django.db.models import F
from django.dispatch import receiver
from django.utils.text import slugify
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from accounts.models import Role, RoleGrant
from ledger import audit
from ledger.actors import Actor
from ledger.change import change, event_changed, lock
from ledger.errors import Conflict, Refused
from ledger.official import Reach, digest
from scoring.engine import rulebook as rulebooks
from scoring.engine.errors import EngineError
from scoring.engine.speech import explain
from scoring.texts import LANGUAGES
from tournament.drawing.fits import misfit
from tournament.drawing.rules import BadDrawing, read_rules
from tournament.models import (
    FIRST_DAY,
    LAST_DAY,
    RANKING_EDITION,
    STAGE_NAMES,
    Event,
    Format,
    Round,
    Stage,
)
from tournament.queries.chains import read_cut, require_seatable
from tournament.queries.sheet_rules import sheet_options
from tournament.ranking.presets import PRESETS

from .plain import plain

ANYTIME: Final = frozenset(
    {
        "name",
        "place",
        "day",
        "language",
        "short_names",
        "hide_last_rounds",
        "sponsors",
        "colour",
        "registration",
        "registration_until",
        "places",
        "tell_illegal",
        "publish_conduct",
    }
)
"""Settings that may change at any time."""
BEFORE_PLAY: Final = frozenset({"rulebook", "options", "protocol", "bell_rule", "depth"})
"""Settings that stand once a round of the event is published."""


@dataclass(frozen=True, slots=True)
class StagePlan:
    """One stage of a new event, in the words of :class:`tournament.models.Stage`."""

    name: str
    format: str = Format.INDIVIDUAL_DRAW
    rounds: int = 3
    games_per_round: int = 3
    deals_per_game: int | None = 4
    target: dict[str, object] | int | None = None
    minutes: int = 90
    ranking: str = "world_championship"
    carries_over: bool = False
    cut: dict[str, object] = field(default_factory=dict)
    club_rounds: int = 2
    drawing: dict[str, object] = field(default_factory=dict)


def championship_plan(
    *, rounds: int = 3, deals: int = 4, minutes: int = 90, cut: int = 128
) -> list[StagePlan]:
    """The plan of the world championships: rounds, semi-final of the best, final of table winners.

    Deerlijk 2023: three rounds with change of table, the 128 best scores to the semi-final, the
    32 table winners to the final (rules specification D.1, E4 and E5). A smaller hall takes as many
    as fill whole tables: to the semi-final fewer, to the final the best beside the table winners.
    """
    return [
        StagePlan(
            STAGE_NAMES[0],
            rounds=rounds,
            deals_per_game=deals,
            minutes=minutes,
            cut={"top": cut, "whole": True},
        ),
        StagePlan(
            STAGE_NAMES[1],
            rounds=1,
            deals_per_game=deals,
            minutes=minutes,
            cut={"winners": True, "whole": True},
            club_rounds=0,
        ),
        StagePlan(STAGE_NAMES[2], rounds=1, deals_per_game=deals, minutes=minutes, club_rounds=0),
    ]


def require_fit(event: Event, stage: Stage, *, field: str = "format") -> None:
    """Refuse a stage whose format the event's rulebook cannot be played in."""
    unit = read_rules(stage.drawing).unit
    why = misfit(rulebooks.RULEBOOKS[event.rulebook], stage.format, unit)
    if why is not None:
        raise Refused("format_misfit", why.render(get_language() or "en"), field=field)


def require_playable(event: Event, stage: Stage, rounds: int) -> None:
    """Refuse a stage that could not be played, naming the field."""
    if stage.format not in Format.values:
        raise Refused("unknown_format", _("No such format."), field="format")
    if not 1 <= rounds <= 60:
        raise Refused("rounds_out_of_range", _("A stage has 1 to 60 rounds."), field="rounds")
    if stage.games_per_round not in (1, 3):
        raise Refused(
            "games_out_of_range", _("A round has one game, or three."), field="games_per_round"
        )
    if stage.deals_per_game is None and stage.target is None:
        raise Refused(
            "no_end",
            _("Enter how many deals a game has, or to how many points it is played."),
            field="deals_per_game",
        )
    if not stage.name.strip():
        raise Refused("name_missing", _("Give the stage a name."), field="name")
    try:
        rules = read_rules(stage.drawing)
    except (BadDrawing, TypeError) as error:
        field = error.field if isinstance(error, BadDrawing) else "drawing"
        raise Refused("unknown_choice", _("This choice does not exist."), field=field) from error
    require_fit(event, stage)
    try:
        rulebooks.resolve(
            event.rulebook,
            sheet_options(
                event,
                stage,
                rules.table_size or rulebooks.resolve(event.rulebook, event.options).players,
            ),
        )
    except EngineError as error:
        raise Refused(error.code, explain(error, get_language() or "en"), field="target") from error
    if stage.cut:
        read_cut(stage.cut, 1)


def free_slug(name: str) -> str:
    """An address made of the name that no event has."""
    # An elided article is no word of its own, and a ligature is two letters.
    plain = re.sub(r"\b\w[’']", " ", name).replace("œ", "oe").replace("Œ", "Oe")
    base = slugify(plain.replace("æ", "ae").replace("ß", "ss"))[:48].strip("-") or "event"
    slug, n = base, 2
    while Event.objects.filter(slug=slug).exists():
        slug, n = f"{base}-{n}", n + 1
    return slug


@change()
def create_event(
    *,
    actor: Actor,
    name: str,
    day: date,
    place: str = "",
    language: str = "nl",
    rulebook: str = "belgian",
    options: dict[str, object] | None = None,
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
    _require_known_language(language)
    require_day(day, "day")
    plan = plan if plan is not None else championship_plan()
    if not plan:
        raise Refused("no_stage", _("An event needs at least one stage."), field="plan")
    event = Event.objects.create(
        slug=slug or free_slug(name),
        name=plain(name),
        place=plain(place),
        day=day,
        language=language,
        rulebook=rulebook,
        edition=game.book.edition,
        options=options or {},
        protocol=protocol,
        bell_rule=bell_rule,
        depth=depth,
        public_seed=public_seed or secrets.token_hex(8),
    )
    for order, part in enumerate(plan, start=1):
        if part.ranking not in PRESETS:
            raise Refused("unknown_ranking", _("No such ranking rule."), field="ranking")
        stage = Stage(
            event=event,
            order=order,
            name=part.name,
            format=part.format,
            rounds_planned=part.rounds,
            games_per_round=part.games_per_round,
            deals_per_game=part.deals_per_game,
            target=part.target,
            minutes=part.minutes,
            ranking=part.ranking,
            carries_over=part.carries_over,
            cut=part.cut,
            ranking_edition=RANKING_EDITION,
            club_rounds=part.club_rounds,
            drawing=part.drawing,
        )
        require_playable(event, stage, part.rounds)
        stage.save()
        Round.objects.bulk_create(
            Round(stage=stage, number=number) for number in range(1, part.rounds + 1)
        )
    require_seatable(event, field="cut")
    if actor.kind == "user":
        RoleGrant.objects.get_or_create(user_id=int(actor.id), scope=event.pk, role=Role.DIRECTOR)
    audit.append(
        event,
        "event.created",
        actor,
        after={
            "rulebook": rulebook,
            "edition": event.edition,
            "options": event.options,
            "protocol": protocol,
            "seed": event.public_seed,
            "stages": [
                {"order": n, "format": str(part.format), "rounds": part.rounds, "cut": part.cut}
                for n, part in enumerate(plan, start=1)
            ],
        },
    )
    return event


def locked_event(event_id: Any) -> Event:
    """The event, locked until the end of the transaction, behind the head of its audit chain.

    A signature holds the chain when it raises the event's version: who locks the event first, and
    writes to the chain after, would wait for it while it waits for them.
    """
    lock(event_id)
    return Event.objects.select_for_update(no_key=True).get(pk=event_id)


@receiver(event_changed)
def raise_versions(scope: uuid.UUID, reach: Reach, **_signal: Any) -> None:
    """Public pages of the event are out of date from this change's commit on."""
    if reach is Reach.TABLE:
        return
    raised = {"version": F("version") + 1}
    if reach is Reach.EVENT:
        raised["frame_version"] = F("version") + 1
    Event.objects.filter(pk=scope).update(**raised)


def require_day(day: date | None, field: str) -> None:
    """Refuse a day, or the day of a moment, beyond those that an event may be on."""
    if day is not None and not FIRST_DAY.year <= day.year <= LAST_DAY.year:
        raise Refused(
            "wrong_value",
            _("Enter a day from %(first)d to %(last)d."),
            field=field,
            params={"first": FIRST_DAY.year, "last": LAST_DAY.year},
        )


def _require_known_language(language: str) -> None:
    if language not in LANGUAGES:
        raise Refused("unknown_choice", _("Choose a language."), field="language")


def lock_plan(event_id: Any) -> None:
    """Lock the event's stages and rounds until the end of the transaction, so that nothing is drawn."""
    stages = Stage.objects.select_for_update(no_key=True).filter(event=event_id)
    list(stages.order_by("order").values_list("pk", flat=True))
    rounds = Round.objects.select_for_update(no_key=True, of=("self",)).filter(
        stage__event=event_id
    )
    list(rounds.order_by("stage__order", "number").values_list("pk", flat=True))


def rules_are_fixed(event: Event) -> bool:
    """Whether a round of the event is published, so that the rules can no longer change."""
    return Round.objects.filter(stage__event=event, published_at__isnull=False).exists()


@change()
def update_event(
    *,
    event_id: Any,
    actor: Actor,
    changes: Mapping[str, Any],
    minutes: Mapping[int, int] | None = None,
) -> Event:
    """Change what may still change: words at any time, rules only before the first publication.

    Args:
        changes: fields of :class:`tournament.models.Event` in ``ANYTIME`` or ``BEFORE_PLAY``.
        minutes: order of a stage → minutes of its rounds; a running clock is left as it is.

    Raises :class:`Refused` with the field that must change, :class:`Conflict` for rules in play.
    """
    lock_plan(event_id)
    event = locked_event(event_id)
    unknown = set(changes) - ANYTIME - BEFORE_PLAY
    if unknown:
        raise Refused("unknown_field", _("This cannot be changed."), field=min(unknown))
    wanted = {
        name: plain(value) if name in ("name", "place") else value
        for name, value in changes.items()
    }
    changed = {name: value for name, value in wanted.items() if getattr(event, name) != value}
    if set(changed) & BEFORE_PLAY and rules_are_fixed(event):
        raise Conflict(
            "event_in_play",
            _("The rules of an event are fixed once a round has been published."),
            field=min(set(changed) & BEFORE_PLAY),
        )
    before = {name: getattr(event, name) for name in changed}
    for name, value in changed.items():
        setattr(event, name, value)
    _require_known_language(event.language)
    require_day(event.day if "day" in changed else None, "day")
    require_day(
        event.registration_until if "registration_until" in changed else None, "registration_until"
    )
    _require_valid(event, changed)
    if changed:
        event.save(update_fields=[*changed, "edition"])
        # Names of events are public, not personal; a sponsor may be a person.
        audit.append(
            event, "event.changed", actor, before=_audited(before), after=_audited(changed)
        )
    _set_minutes(event, minutes or {}, actor)
    return event


def _audited(values: Mapping[str, Any]) -> dict[str, object]:
    """Settings as the audit chain holds them: free text by its digest."""
    return {name: digest(value) if name == "sponsors" else value for name, value in values.items()}


def _require_valid(event: Event, changed: Mapping[str, Any]) -> None:
    """Refuse values that no event may have, or under which one of its stages cannot be played."""
    if not event.name:
        raise Refused("name_missing", _("Give the event a name."), field="name")
    others = [field.name for field in event._meta.fields if field.name not in changed]
    try:
        event.clean_fields(exclude=[*others, "options"])
    except ValidationError as error:
        name = min(error.message_dict)
        raise Refused("wrong_value", " ".join(error.message_dict[name]), field=name) from error
    if not {"rulebook", "options"} & set(changed):
        return
    try:
        game = rulebooks.resolve(event.rulebook, event.options)
        game.require_complete()
        for stage in event.stages.all():
            require_fit(event, stage, field="rulebook")
            size = read_rules(stage.drawing).table_size or game.players
            rulebooks.resolve(event.rulebook, sheet_options(event, stage, size))
    except EngineError as error:
        raise Refused(
            error.code, explain(error, get_language() or "en"), field="options"
        ) from error
    event.edition = game.book.edition


def _set_minutes(event: Event, minutes: Mapping[int, int], actor: Actor) -> None:
    """Give the rounds of stages other minutes."""
    for stage in event.stages.filter(order__in=minutes):
        wanted = minutes[stage.order]
        if not 5 <= wanted <= 600:
            raise Refused(
                "minutes_out_of_range",
                _("A round lasts 5 to 600 minutes."),
                field=f"minutes_{stage.order}",
            )
        if wanted == stage.minutes:
            continue
        audit.append(
            stage,
            "stage.changed",
            actor,
            before={"minutes": stage.minutes},
            after={"order": stage.order, "minutes": wanted},
        )
        stage.minutes = wanted
        stage.save(update_fields=["minutes"])
