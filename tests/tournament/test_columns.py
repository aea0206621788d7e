"""Every column of an event, a stage, an entry, a person and a member goes everywhere, or is left out for a reason."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable
from datetime import UTC, date, datetime
from typing import Any, Final

import pytest
from django.db import models
from django.forms import BaseForm

from ledger.change import change
from ledger.models import AuditEntry
from ledger.rows import declared
from tests.tournament.build import SYSTEM, make_event
from tournament.api.events import NewEventAsk, SettingsShape
from tournament.api.members import MemberShape
from tournament.api.people_shapes import CorrectAsk, EnterAsk, WishAsk
from tournament.api.stage_shapes import StageShape
from tournament.exports import players
from tournament.models import Entrant, Event, Member, Person, Stage
from tournament.models.columns import LEFT_OUT, To, left_out, names
from tournament.models.events import EventSettings
from tournament.models.players import BY_KEY, GIVEN, PlayerGiven
from tournament.services import archive
from tournament.services.entrant_edits import merge_entrants, unmerge_entrants
from tournament.services.entrants import enter_player, mark_paid
from tournament.services.event_copy import copy_event
from tournament.services.events import SETTINGS
from tournament.services.house_rules import add_house_rules
from tournament.services.members import add_member
from tournament.services.stage_plans import change_stage
from tournament.views.desk_members import MemberForm
from tournament.views.event_forms import SettingsForm
from tournament.views.forms import CorrectionForm, EventForm, PlayerForm
from tournament.views.stage_forms import StageForm, WishForm

pytestmark = pytest.mark.django_db
MODELS: Final = (Event, Stage, Entrant, Person, Member)
GIVEN_ALL: Final[dict[str, Any]] = {
    **{each.key: each.key for each in GIVEN if each.goes(To.API)},
    "number": 12,
    "email": "a@example.be",
    "partner_email": "r@example.be",
    "fixed_seat": True,
    "keeps_score": False,
}
"""All data of a player, without any default value."""


def test_a_misspelt_column_of_a_new_event_or_player_is_an_error_of_types() -> None:
    assert {"name", "day", *EventSettings.__annotations__} == {*SETTINGS}
    assert PlayerGiven.__annotations__.keys() == BY_KEY.keys()


def of_players(keys: Iterable[str]) -> set[tuple[type[models.Model], str]]:
    """Return the columns behind the keys of a player's data; clubs and partners are found by name."""
    found: set[tuple[type[models.Model], str]] = set()
    for key in keys:
        if key == "no_scorekeeping":
            found.add((Entrant, "keeps_score"))
        elif key in ("club", "partner"):
            found.add((Entrant, key))
        elif key in BY_KEY:
            found.add((BY_KEY[key].column.model, BY_KEY[key].column.name))
    return found


def of(model: type[models.Model], keys: Iterable[str]) -> set[tuple[type[models.Model], str]]:
    known = {column.name for column in model._meta.concrete_fields}
    return {
        (model, name) for name in {*keys, *({"rounds_planned"} if "rounds" in keys else ())} & known
    }


def asked(settings: Any) -> set[tuple[type[models.Model], str]]:
    """Return the columns that the desk's forms set."""
    settings.EMAIL_URL = "smtp://localhost"
    event = make_event(0)
    about_players: list[BaseForm] = [PlayerForm(), CorrectionForm(), WishForm()]
    return (
        of_players(name for form in about_players for name in form.fields)
        | of(Member, MemberForm().fields)
        | of(
            Event,
            {*EventForm().fields, *SettingsForm(None, None, event=event, fixed=False).fields}
            - {"logo"},
        )
        | of(Stage, set(StageForm(event=event).fields) - {"target", "order"})
    )


def taken(settings: Any) -> set[tuple[type[models.Model], str]]:
    """Return the columns that the API accepts."""
    settings_of = {name for name, field in SettingsShape().fields.items() if not field.read_only}
    assert settings_of == set(NewEventAsk().fields) - {"stages"}
    return (
        of_players(name for shape in (EnterAsk(), CorrectAsk(), WishAsk()) for name in shape.fields)
        | of(Member, set(MemberShape().fields) - {"id"})
        | of(Event, settings_of)
        | of(Stage, set(StageShape().fields) - {"order"})
    )


def carried(settings: Any) -> set[tuple[type[models.Model], str]]:
    """Return the columns of the player file; :mod:`test_player_columns` imports it again."""
    return of_players(players(make_event(0), public=False).columns)


def archived(settings: Any) -> set[tuple[type[models.Model], str]]:
    """Return the columns in an event's archive."""
    content = json.loads(gzip.decompress(archive.pack(make_event(1).pk)))["content"]
    rows = {
        label.partition(".")[2]: listed[0] for label, listed in content["rows"].items() if listed
    }
    rows["Event"] = content["event"]
    return {
        (model, column.name)
        for model in MODELS
        for column in model._meta.concrete_fields
        if column.attname in rows.get(model.__name__, {})
    }


def recorded(settings: Any) -> set[tuple[type[models.Model], str]]:
    """Return the columns in the record of official rows, with the primary keys."""
    return {
        (each.model, column.name)
        for each in declared()
        if each.model in MODELS
        for column in (*each.fields, each.model._meta.pk)
    }


def merged(settings: Any) -> set[tuple[type[models.Model], str]]:
    """Return the columns that an empty entry takes from a full one in a merger; check that undoing it restores them."""
    event = make_event(0)
    bare = enter_player(event_id=event.pk, name="Anneleen", actor=SYSTEM)
    full = enter_player(event_id=event.pk, actor=SYSTEM, present=True, **GIVEN_ALL)
    mark_paid(entrant_id=full.pk, actor=SYSTEM)
    register = add_member(actor=SYSTEM, values={"name": "Anneleen"})
    Person.objects.filter(pk=full.person_id).update(member=register)
    with change():
        Entrant.objects.filter(pk=bare.pk).update(
            from_round=5, withdrawn_after=4, state="withdrawn"
        )
    before = whole(bare)
    stays = merge_entrants(event_id=event.pk, keep=bare.number, double=full.number, actor=SYSTEM)
    after = whole(stays)
    unmerge_entrants(merger_id=event.mergers.get().pk, actor=SYSTEM)
    again = whole(bare)
    # Each entry's own names are in its own row.
    stay = {(Entrant, "from_round"), (Entrant, "state"), (Entrant, "withdrawn_after")}
    assert {key for key in before if again[key] != before[key]} <= stay
    return {key for key in before if after[key] != before[key]} | {(Person, "name")}


def whole(entrant: Entrant) -> dict[tuple[type[models.Model], str], object]:
    entrant = Entrant.objects.select_related("person").get(pk=entrant.pk)
    return {
        (type(row), column.name): getattr(row, column.attname)
        for row in (entrant, entrant.person)
        for column in row._meta.concrete_fields
    }


WAYS: Final = {
    To.FORM: asked,
    To.API: taken,
    To.FILE: carried,
    To.ARCHIVE: archived,
    To.LOG: recorded,
    To.MERGE: merged,
}


@pytest.mark.parametrize("to", WAYS)
def test_every_column_goes_everywhere_or_is_left_out_for_a_reason(to: To, settings: Any) -> None:
    wanted = {(model, name) for model in MODELS for name in names(model, to)}
    assert WAYS[to](settings) == wanted


def test_what_is_left_out_exists_and_says_why() -> None:
    for model, listed in LEFT_OUT.items():
        known = {"*", *(column.name for column in model._meta.concrete_fields)}
        assert all(set(each.names.split()) <= known and each.why.endswith(".") for each in listed)


UNUSUAL: Final[dict[type[models.Model], dict[str, Any]]] = {
    Event: {
        "place": "Zaal Roxy",
        "language": "fr",
        "rulebook": "parlee",
        "options": {"penalty_floor": False},
        "protocol": "double",
        "bell_rule": "cancel",
        "depth": "cards",
        "short_names": True,
        "hide_last_rounds": 2,
        "tell_illegal": False,
        "publish_play": "never",
        "publish_conduct": True,
        "sponsors": "Bakkerij Claeys",
        "colour": "#1b4a99",
        "places": 64,
        "registration": True,
        "registration_until": datetime(2026, 11, 20, tzinfo=UTC),
        "hidden": True,
        "state": "running",
    },
    Stage: {
        "name": "Voorronde",
        "format": "pairs_swiss",
        "rounds_planned": 5,
        "games_per_round": 1,
        "deals_per_game": 7,
        "target": {"deals": 7},
        "minutes": 45,
        "ranking": "recommended",
        "ranking_rule": {"criteria": ["marks"]},
        "ranking_edition": 1,
        "club_rule": {"by": "sum"},
        "carries_over": True,
        "cut": {"top": 8},
        "club_rounds": 0,
        "drawing": {"order": "neighbours"},
    },
}


def test_a_copied_event_has_every_column_that_is_not_left_out() -> None:
    event = make_event(0, cut=0)
    ours = add_house_rules(
        actor=SYSTEM, name="Ours", base="parlee", switches={"penalty_floor": False}
    )
    unusual = UNUSUAL | {Event: UNUSUAL[Event] | {"house_rules": ours.whole}}
    with change():
        event.stages.filter(order__gt=1).delete()
        for row in (event, event.stages.get()):
            type(row)._base_manager.filter(pk=row.pk).update(**unusual[type(row)])
    copied = copy_event(event_id=event.pk, actor=SYSTEM, name="Again", day=date(2026, 12, 1))
    for old, new in ((event, copied), (event.stages.get(), copied.stages.get())):
        model = type(old)
        assert set(unusual[model]) | set(left_out(model, To.COPY)) == {
            column.name for column in model._meta.concrete_fields
        }
        for name, value in unusual[model].items():
            expected = value if name in names(model, To.COPY) else getattr(model(), name)
            if name != "ranking_edition":
                assert getattr(new, name) == expected, name


def test_the_log_says_which_columns_of_a_stage_have_changed() -> None:
    event = make_event(0)
    changes = {
        "minutes": 45,
        "club_rounds": 1,
        "carries_over": True,
        "target": 40,
        "credit": "nothing",
    }
    change_stage(event_id=event.pk, actor=SYSTEM, order=2, **changes)
    entry = AuditEntry.objects.get(scope=event.pk, verb="stage.changed")
    columns = {*changes} - {"credit"} | {"ranking_rule"}
    assert set(entry.before) == columns
    assert set(entry.after) == columns | {"order"}
    assert (entry.before["minutes"], entry.after["minutes"]) == (90, 45)
