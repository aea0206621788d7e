"""Opening an event: its rulebook with switches, its stages, its director."""

from __future__ import annotations

import re
import secrets
import uuid
from collections.abc import Mapping, Sequence
from copy import copy
from datetime import date
from typing import Annotated, Any, Final, Unpack

from django.db.models import F
from django.dispatch import receiver
from django.utils.text import slugify
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from accounts.models import Role, RoleGrant
from ledger import audit
from ledger.actors import Actor
from ledger.change import event_changed, lock
from ledger.errors import Conflict, Refused
from ledger.official import Reach, digest
from ledger.verbs import Columns, Inner, verb
from scoring.engine import rulebook as rulebooks
from scoring.engine.errors import EngineError
from scoring.engine.speech import explain
from scoring.texts import LANGUAGES
from tournament.drawing.formats import FORMATS
from tournament.drawing.rules import BadDrawing, read_rules
from tournament.lists.words import plain
from tournament.models import (
    RANKING_EDITION,
    STAGE_NAMES,
    Event,
    Round,
    Stage,
)
from tournament.models.columns import To, left_out, names
from tournament.models.events import EventSettings
from tournament.queries.chains import read_cut, require_seatable
from tournament.queries.sheet_rules import sheet_options
from tournament.ranking.presets import PRESETS
from tournament.signals import rules_changed, rules_changing

from .held import require_valid
from .house_rules import require_house_rules

audit.name_verbs("event", changed=_("Settings of the event changed"), created=_("Event created"))

BEFORE_PLAY: Final = frozenset(
    {"rulebook", "options", "house_rules", "protocol", "bell_rule", "depth"}
)
"""Settings that stand once a round of the event is published."""
SETTINGS: Final = names(Event, To.API)
"""Changeable columns of an event."""


def new_stage(name: str, format: str = "individual_draw", rounds: int = 3, **columns: Any) -> Stage:
    """Build a stage of a new event, without storing it."""
    return Stage(name=name, rounds_planned=rounds, format=format, **columns)


def championship_plan(
    *, rounds: int = 3, deals: int = 4, minutes: int = 90, cut: int = 128
) -> list[Stage]:
    """Return the plan of the world championships: rounds, semi-final of the best, final of table winners.

    Deerlijk 2023: three rounds with change of table, the 128 best scores to the semi-final, the
    32 table winners to the final (rules specification D.1, E4 and E5). A smaller hall takes as many
    as fill whole tables: to the semi-final fewer, to the final the best beside the table winners.
    """
    played: dict[str, Any] = {"deals_per_game": deals, "minutes": minutes}
    winners = {"winners": True, "whole": True}
    return [
        new_stage(STAGE_NAMES[0], rounds=rounds, cut={"top": cut, "whole": True}, **played),
        new_stage(STAGE_NAMES[1], rounds=1, cut=winners, club_rounds=0, **played),
        new_stage(STAGE_NAMES[2], rounds=1, club_rounds=0, **played),
    ]


def require_fit(event: Event, stage: Stage, *, field: str = "format") -> None:
    """Refuse a stage whose format the event's rulebook cannot be played in."""
    book, unit = rulebooks.RULEBOOKS[event.rulebook], read_rules(stage.drawing).unit
    why = stage.played_as.misfit(book, unit)
    if why is not None:
        raise Refused("format_misfit", why.render(get_language() or "en"), field=field)


def require_playable(event: Event, stage: Stage) -> None:
    """Refuse a stage that could not be played, naming the field."""
    if stage.format not in FORMATS:
        raise Refused("unknown_format", _("No such format."), field="format")
    if not 1 <= stage.rounds_planned <= 60:
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


def _require_own(house_rules: dict[str, object], rulebook: str) -> None:
    """Refuse a club's own rules that cannot be read, or are of another rulebook."""
    if not house_rules:
        return
    require_house_rules(house_rules)
    if house_rules["base"] != rulebook:
        raise Refused(
            "house_rules_of_another",
            _("These rules are for another rulebook."),
            field="house_rules",
        )


def free_slug(name: str) -> str:
    """Derive an unused address from the name."""
    # An elided article is no word of its own, and a ligature is two letters.
    plain = re.sub(r"\b\w[’']", " ", name).replace("œ", "oe").replace("Œ", "Oe")
    base = slugify(plain.replace("æ", "ae").replace("ß", "ss"))[:48].strip("-") or "event"
    slug, n = base, 2
    while Event.objects.filter(slug=slug).exists():
        slug, n = f"{base}-{n}", n + 1
    return slug


@verb(
    "events_open",
    Event,
    "event.create",
    at="",
    statuses={Event: 201},
    done=_("The event is open. Now add the players."),
)
def create_event(
    *,
    actor: Actor,
    name: str,
    day: date,
    plan: Sequence[Stage] | None = None,
    slug: str = "",
    public_seed: str = "",
    **settings: Unpack[EventSettings],
) -> Event:
    """Open an event and become its director; without stages it is a championship.

    Raises :class:`Refused` with the field that must change. ``settings`` are further columns of the event
    (:data:`SETTINGS`); the engine checks its switches now. ``plan`` holds the stages, none of them stored.
    """
    settings.setdefault("rulebook", "belgian")
    event = Event(
        name=plain(name),
        day=day,
        slug=slug or free_slug(name),
        public_seed=public_seed or secrets.token_hex(8),
        **settings,
    )
    event.place = plain(event.place)
    _require_game(event)
    _require_known_language(event.language)
    require_valid(event, ("day",))
    stages = [copy(stage) for stage in (championship_plan() if plan is None else plan)]
    if not stages:
        raise Refused("no_stage", _("An event needs at least one stage."), field="plan")
    event.save(force_insert=True)
    for order, stage in enumerate(stages, start=1):
        if stage.ranking not in PRESETS:
            raise Refused("unknown_ranking", _("No such ranking rule."), field="ranking")
        stage.event, stage.order, stage.ranking_edition = event, order, RANKING_EDITION
        require_playable(event, stage)
        stage.save(force_insert=True)
        Round.objects.bulk_create(
            Round(stage=stage, number=number) for number in range(1, stage.rounds_planned + 1)
        )
    require_seatable(event, field="cut")
    if actor.kind == "user":
        RoleGrant.objects.get_or_create(user_id=int(actor.id), scope=event.pk, role=Role.DIRECTOR)
    audit.append(
        event,
        "event.created",
        actor,
        after={
            "rulebook": event.rulebook,
            "edition": event.edition,
            "options": event.options,
            **({"house_rules": event.house_rules["title"]} if event.house_rules else {}),
            "protocol": event.protocol,
            "seed": event.public_seed,
            "stages": [
                {
                    "order": stage.order,
                    "format": str(stage.format),
                    "rounds": stage.rounds_planned,
                    "cut": stage.cut,
                }
                for stage in stages
            ],
        },
    )
    return event


def locked_event(event_id: uuid.UUID) -> Event:
    """Return the event, locked until the end of the transaction, behind the head of its audit chain.

    A signature locks the chain when it raises the event's version: a writer that locked the event
    first, and the chain after, would wait for the signature while the signature waits for it.
    """
    lock(event_id)
    return Event.objects.select_for_update(no_key=True).get(pk=event_id)


@receiver(event_changed)
def raise_versions(scope: uuid.UUID, reach: Reach, **_signal: object) -> None:
    """Public pages of the event are out of date from this change's commit on."""
    if reach is Reach.TABLE:
        return
    raised = {"version": F("version") + 1}
    if reach is Reach.EVENT:
        raised["frame_version"] = F("version") + 1
    Event.objects.filter(pk=scope).update(**raised)


def _require_known_language(language: str) -> None:
    if language not in LANGUAGES:
        raise Refused("unknown_choice", _("Choose a language."), field="language")


def lock_plan(event_id: uuid.UUID) -> None:
    """Lock the event's stages and rounds until the end of the transaction, so that nothing is drawn."""
    stages = Stage.objects.select_for_update(no_key=True).filter(event=event_id)
    list(stages.order_by("order").values_list("pk", flat=True))
    rounds = Round.objects.select_for_update(no_key=True, of=("self",)).filter(
        stage__event=event_id
    )
    list(rounds.order_by("stage__order", "number").values_list("pk", flat=True))


def locked_plan(event_id: uuid.UUID) -> Event:
    """Return the event, locked after its stages and rounds."""
    lock_plan(event_id)
    return locked_event(event_id)


def rules_are_fixed(event: Event) -> bool:
    """Return whether a round of the event is published, which fixes the rules."""
    return Round.objects.filter(stage__event=event, published_at__isnull=False).exists()


@verb(
    "event_settings_change",
    Event,
    "event.manage",
    at="settings/",
    method="PATCH",
    done=_("The settings are saved."),
)
def update_event(
    *,
    event_id: uuid.UUID,
    actor: Actor,
    changes: Annotated[Mapping[str, Any], Columns()],
    minutes: Annotated[Mapping[int, int] | None, Inner()] = None,
) -> Event:
    """Change the settings given: words at any time, rules only before the first publication.

    Raises :class:`Refused` with the field that must change, :class:`Conflict` for rules in play.
    ``minutes``: order of a stage → minutes of its rounds; a running clock is left as it is.
    """
    if {"rulebook", "house_rules"} & set(changes):
        rules_changing.send(sender=None, event_id=event_id)
    event = locked_plan(event_id)
    unknown = set(changes) - set(SETTINGS)
    if unknown:
        raise Refused("unknown_field", _("This cannot be changed."), field=min(unknown))
    wanted = {
        name: plain(value) if name in ("name", "place") else value
        for name, value in changes.items()
    }
    if wanted.get("rulebook", event.rulebook) != event.rulebook:
        wanted.setdefault("house_rules", {})
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
    if not event.name:
        raise Refused("name_missing", _("Give the event a name."), field="name")
    require_valid(event, changed)
    if {"rulebook", "options", "house_rules"} & set(changed):
        _require_game(event)
    if changed:
        event.save(update_fields=[*changed, "edition"])
        # Names of events are public, not personal; a sponsor may be a person.
        audit.append(
            event, "event.changed", actor, before=_for_log(before), after=_for_log(changed)
        )
    if {"rulebook", "house_rules"} & set(changed):
        rules_changed.send(
            sender=None,
            event=event,
            before=before.get("house_rules", event.house_rules),
            actor=actor,
        )
    _set_minutes(event, minutes or {}, actor)
    return event


def _for_log(values: Mapping[str, Any]) -> dict[str, object]:
    """Return settings for the audit chain, with digests in place of private values."""
    private = left_out(Event, To.LOG)
    return {name: digest(value) if name in private else value for name, value in values.items()}


def _require_game(event: Event) -> None:
    """Refuse a game that the engine does not know, or in which a stage of the event cannot be played."""
    _require_own(event.house_rules, event.rulebook)
    try:
        game = rulebooks.resolve(event.rulebook, event.options)
        game.require_complete()
        for stage in event.stages.all() if event.pk else ():
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
