"""A club's own rules: a published rulebook under a name, with switches and penalties of its own."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from ledger import audit
from ledger.actors import Actor
from ledger.errors import NotHere, Refused
from ledger.models import ORGANISATION
from ledger.verbs import verb
from scoring.engine.errors import EngineError
from scoring.engine.options import read_options
from scoring.engine.rulebook import find
from scoring.engine.rulebooks import WrongRulebook, read_house_rules
from scoring.engine.speech_refusals import explain
from tournament.lists.words import plain
from tournament.models import HouseRules
from tournament.queries.switches import defaults_of
from tournament.signals import house_rules_saved

audit.name_verbs(
    "house_rules",
    changed=_("Club’s rules changed"),
    made=_("Club’s rules made"),
    removed=_("Club’s rules deleted"),
)


@verb(
    "house-rules_add",
    HouseRules,
    "event.create",
    at="",
    statuses={HouseRules: 201},
    done=_("The rules are kept. Now change what you play otherwise."),
)
def add_house_rules(*, actor: Actor, **stated: Any) -> HouseRules:
    """Keep new rules for the next events."""
    return _save(HouseRules(stated={}), actor, **stated)


@verb(
    "house-rules_change",
    HouseRules,
    "event.create",
    at="",
    key="rules_id",
    method="PUT",
    done=_("The rules are saved."),
)
def change_house_rules(*, actor: Actor, rules_id: uuid.UUID, **stated: Any) -> HouseRules:
    """Change the rules as a whole; events that were opened keep theirs.

    Raises :class:`Refused`, naming the field that must change; :class:`NotHere` for an unknown id.
    ``stated``: as in :func:`_save`.
    """
    return _save(rules_of(rules_id, lock=True), actor, **stated)


def _save(
    rules: HouseRules,
    actor: Actor,
    *,
    name: str,
    base: str,
    switches: Mapping[str, object],
    penalties: Mapping[str, object] | None = None,
) -> HouseRules:
    """Write rules.

    Args:
        base: key of the published rulebook.
        switches: values by name; those that are the rulebook's own are left out.
        penalties: what the penal code reads (``articles``, ``ladders``, ``adopted``, ``rulers``);
            ``None``: as they were.
    """
    new, before = not rules.stated, {"name": rules.name, **rules.stated}
    rules.name = plain(name)
    if not rules.name:
        raise Refused("name_missing", _("Give the rules a name."), field="name")
    rules.stated = {
        "base": base,
        "switches": _stated(base, switches),
        "penalties": rules.stated.get("penalties", {}) if penalties is None else dict(penalties),
    }
    after = {"name": rules.name, **rules.stated}
    if after == before:
        return rules
    require_house_rules(rules.whole)
    house_rules_saved.send(sender=None, rules=rules.whole)
    try:
        with transaction.atomic():
            rules.save()
    except IntegrityError as error:
        raise Refused(
            "name_taken", _("Other rules have this name: choose another."), field="name"
        ) from error
    audit.append(
        rules,
        "house_rules.made" if new else "house_rules.changed",
        actor,
        scope=ORGANISATION,
        before={} if new else before,
        after=after,
    )
    return rules


@verb(
    "house-rules_remove",
    HouseRules,
    "event.create",
    at="",
    key="rules_id",
    method="DELETE",
    done=_("The rules are deleted. Events opened with them keep theirs."),
)
def remove_house_rules(*, actor: Actor, rules_id: uuid.UUID) -> None:
    """Delete the rules; events that were opened with them keep theirs."""
    rules = rules_of(rules_id, lock=True)
    before = {"name": rules.name, **rules.stated}
    audit.append(rules, "house_rules.removed", actor, scope=ORGANISATION, before=before)
    rules.delete()


def require_house_rules(stated: Mapping[str, object]) -> None:
    """Refuse what :func:`scoring.engine.rulebooks.read_house_rules` cannot read."""
    try:
        read_house_rules(stated)
    except WrongRulebook as error:
        raise Refused(
            "house_rules",
            _("These rules cannot be used: %(what)s"),
            field="house_rules",
            params={"what": str(error)},
        ) from error


def _stated(base: str, switches: Mapping[str, object]) -> dict[str, object]:
    """Return the switches that differ from the rulebook's own, as in a rulebook file."""
    try:
        book = find(base)
        values = read_options(book, switches)
    except EngineError as error:
        raise Refused(
            error.code,
            explain(error, get_language() or "en"),
            field=error.field.replace("options", "switches"),
        ) from error
    defaults = defaults_of(book, values)
    return {
        name: {"default": value}
        for name, value in values.items()
        if name in switches and value != defaults[name]
    }


def rules_of(rules_id: uuid.UUID, *, lock: bool = False) -> HouseRules:
    """Return the rules with this id; :class:`NotHere` where there are none."""
    known = HouseRules.objects.select_for_update(no_key=True) if lock else HouseRules.objects.all()
    rules = known.filter(pk=rules_id).first()
    if rules is None:
        raise NotHere("no_such_rules", _("No such rules."))
    return rules
