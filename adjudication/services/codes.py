"""The penal code of an event: pinned when first needed, changed by a new number only.

The current row is also what every verb of this room locks first (:mod:`ledger.change`).
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Annotated

from django.db import IntegrityError
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from adjudication.models import PenalCode, Ruling
from adjudication.penal import (
    CURRENT,
    EDITIONS,
    Article,
    Code,
    Ladder,
    PenalCodeError,
    Policy,
    Rulers,
    all_articles,
    code_for,
    house_from_json,
    rulers_from_json,
    to_json,
)
from adjudication.penal.catalogue import read_fact
from adjudication.queries.codes import code_of, penalties_of, read
from ledger import audit
from ledger.actors import Actor
from ledger.change import change, raise_version
from ledger.errors import Refused
from ledger.verbs import Says, verb
from tournament.models import Event

from .words import cleaned

audit.name_verbs("penal_code", changed=_("Penal code changed"), copied=_("Penal code copied"))

SYSTEM = Actor.system("penal code")


def pinned(event: Event) -> PenalCode:
    """Return the event's current penal code; the first use pins the current edition, with the changes of
    the club's own rules."""
    current = PenalCode.objects.filter(event=event, current=True).first()
    if current is not None:
        return current
    code = code_of(event)
    try:
        with change():
            return PenalCode.objects.create(
                event=event,
                number=1,
                edition=CURRENT,
                content=penalties_of(event.house_rules),
                fingerprint=code.fingerprint,
                made_by=str(SYSTEM),
                made_at=timezone.now(),
            )
    except IntegrityError:
        return PenalCode.objects.get(event=event, current=True)


def locked(event: Event) -> PenalCode:
    """Lock the current penal code until the end of the transaction: the room's first lock."""
    pinned(event)
    return PenalCode.objects.select_for_update(no_key=True).get(event=event, current=True)


def _written(
    content: dict[str, object],
) -> tuple[tuple[tuple[Article, ...], dict[str, Ladder], tuple[str, ...]], dict[str, Rulers]]:
    """Read what an event writes into its code; :class:`PenalCodeError` with the defects of all parts."""
    defects: list[str] = []
    try:
        house = house_from_json(content)
    except PenalCodeError as error:
        defects.extend(error.defects)
    try:
        rulers = rulers_from_json(content)
    except PenalCodeError as error:
        defects.extend(error.defects)
    if defects:
        raise PenalCodeError(defects)
    return house, rulers


@verb("penal_code_change", Event, "rulings.finalise", at="penal-code/", method="PUT")
def change_code(
    *,
    event_id: uuid.UUID,
    actor: Actor,
    reason: str,
    content: dict[str, object] | None = None,
    policy: str = "",
    appeal_minutes: int | None = None,
    edition: Annotated[str, Says("The current edition, instead of the one pinned.")] = "",
) -> PenalCode:
    """Put a new number of the penal code in force, with what changes; past rulings keep theirs.

    An article under which a ruling was made cannot be dropped; those that a new ``edition`` has no
    longer are adopted.
    """
    event = Event.objects.get(pk=event_id)
    before = locked(event)
    if not cleaned(reason, 300):
        raise Refused(
            "reason_missing", _("Give a reason for changing the penal code."), field="reason"
        )
    wanted = before.content if content is None else content
    pinned_edition = edition or before.edition
    if pinned_edition not in EDITIONS:
        raise Refused("unknown_edition", _("No such edition of the penal code."), field="edition")
    chosen = policy or before.policy
    if chosen not in Policy.__members__.values():
        raise Refused("unknown_policy", _("No such correction policy."), field="policy")
    minutes = before.appeal_minutes if appeal_minutes is None else appeal_minutes
    if not 0 <= minutes <= 10_080:
        raise Refused(
            "appeal_minutes",
            _("The time for an appeal is one week at most."),
            field="appeal_minutes",
        )
    code, wanted = _code_with(event, before, wanted, pinned_edition)
    before.current = False
    before.save(update_fields=["current"])
    changed = PenalCode.objects.create(
        event=event,
        number=before.number + 1,
        edition=pinned_edition,
        policy=chosen,
        appeal_minutes=minutes,
        content=wanted,
        fingerprint=code.fingerprint,
        reason=cleaned(reason, 300),
        made_by=str(actor),
        made_at=timezone.now(),
    )
    audit.append(
        changed,
        "penal_code.changed",
        actor,
        before={
            "number": before.number,
            "fingerprint": before.fingerprint,
            "policy": before.policy,
        },
        after={
            "number": changed.number,
            "fingerprint": changed.fingerprint,
            "policy": chosen,
            "edition": pinned_edition,
            "appeal_minutes": minutes,
            "house": list(code.house),
            "changed": list(code.changed),
            "adopted": list(_written(wanted)[0][2]),
            "rulers": {name: who.value for name, who in code.rulers.items()},
            "reason": reason,
        },
    )
    raise_version(event.pk)
    return changed


def _code_with(
    event: Event, before: PenalCode, wanted: dict[str, object], edition: str
) -> tuple[Code, dict[str, object]]:
    """Return the code with the ``wanted`` content, and that content.

    Articles under which rulings were made, and which the edition has no longer, are adopted.
    """
    used = set(Ruling.objects.filter(event=event).values_list("article", flat=True).distinct())
    try:
        (articles, ladders, adopted), rulers = _written(wanted)
        code = code_for(event.rulebook, edition, articles, ladders, adopted, rulers)
        if edition != before.edition:
            gone = sorted(name for name in used if name in read(event, before) and name not in code)
            adopted = (*adopted, *gone)
            wanted = {**wanted, "adopted": list(adopted)}
            code = code_for(event.rulebook, edition, articles, ladders, adopted, rulers)
    except PenalCodeError as error:
        raise Refused("penal_code", "; ".join(error.defects), field="content") from error
    if lost := sorted(name for name in used if name not in code):
        raise Refused(
            "article_in_use",
            _("Rulings were made under %(articles)s: these articles cannot be removed."),
            field="content",
            params={"articles": ", ".join(lost)},
        )
    return code, wanted


def follow_rules(*, event: Event, before: Mapping[str, object], actor: Actor) -> None:
    """Follow the event to another rulebook: what the club's rules ``before`` wrote goes with them.

    What the event has changed in its code itself stays.
    """
    row = PenalCode.objects.filter(event=event, current=True).first()
    if row is None:
        return
    follows = row.content == penalties_of(before)
    change_code(
        event_id=event.pk,
        actor=actor,
        reason=str(_("Another rulebook")),
        content=penalties_of(event.house_rules) if follows else None,
    )


def fact_field(name: str) -> dict[str, object]:
    """Return a fact of the catalogue in the form of a house article."""
    field: dict[str, object] = to_json(read_fact(name))
    return field


def discretion_fields() -> list[dict[str, object]]:
    """Return the facts of an article with a discretionary measure, as in GEN-DISC."""
    facts = all_articles()["GEN-DISC"].facts
    return [to_json(fact) for fact in facts]


def copy_code(code: PenalCode, created: Event, actor: Actor) -> PenalCode:
    """Give a new event the penal code of another, as its first number."""
    copied = PenalCode.objects.create(
        event=created,
        number=1,
        edition=code.edition,
        policy=code.policy,
        appeal_minutes=code.appeal_minutes,
        content=code.content,
        fingerprint=code.fingerprint,
        made_by=str(actor),
        made_at=timezone.now(),
    )
    audit.append(
        copied,
        "penal_code.copied",
        actor,
        scope=created.pk,
        after={"from": code.pk, "fingerprint": code.fingerprint, "policy": code.policy},
    )
    return copied
