"""The articles of an event's penal code, read; nothing is written for it."""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from adjudication.models import PenalCode
from adjudication.penal import (
    CURRENT,
    Code,
    Ladder,
    LadderBy,
    PenalCodeError,
    code_for,
    house_from_json,
    rulers_from_json,
)
from adjudication.penal.words import MEASURES
from ledger.canonical import canonical_json
from scoring.texts import Text, Translated, join
from scoring.texts import gettext_lazy as _
from tournament.models import Event
from tournament.queries.rulebooks import ChangedPenalty


def read(event: Event, row: PenalCode) -> Code:
    """Read the articles of one number of the event's code."""
    return _merged(event.rulebook, row.edition, canonical_json(row.content))


def code_of_rules(house_rules: Mapping[str, object]) -> Code:
    """Return the articles in force under a club's own rules."""
    return _merged(str(house_rules["base"]), CURRENT, canonical_json(penalties_of(house_rules)))


def penalties_of(house_rules: Mapping[str, object]) -> dict[str, object]:
    """Return the penal code part of a club's own rules; ``{}`` without any."""
    penalties = house_rules.get("penalties", {})
    if not isinstance(penalties, dict):
        raise PenalCodeError(["penalties: an object is expected"])
    return penalties


NOTHING: Final = Translated("–", "–", "–")


@lru_cache(maxsize=64)
def _merged(rulebook: str, edition: str, content: str) -> Code:
    raw = json.loads(content)
    articles, ladders, adopted = house_from_json(raw)
    return code_for(rulebook, edition, articles, ladders, adopted, rulers_from_json(raw))


@lru_cache(maxsize=256)
def numbered(event_id: uuid.UUID, rulebook: str, number: int) -> Code | None:
    """Return one number of an event's code, cached since a number never changes."""
    row = PenalCode.objects.filter(event=event_id, number=number).first()
    return _merged(rulebook, row.edition, canonical_json(row.content)) if row else None


def code_of(event: Event) -> Code:
    """Return the articles in force at the event; before their first use, those of the current edition."""
    row = PenalCode.objects.filter(event=event, current=True).first()
    if row is not None:
        return read(event, row)
    return code_of_rules(event.house_rules) if event.house_rules else code_for(event.rulebook)


_MINUTES: Final = _("up to {upto} min: {measure}")
_OFFENCES: Final = _("up to offence {upto}: {measure}")
_BEYOND: Final = _("beyond: {measure}")


def ladder_text(ladder: Ladder | None) -> Text:
    """Describe a penalty scale in one line; each penalty as a multiple of the ordinary one."""
    until = _MINUTES if ladder and ladder.by is LadderBy.MINUTES else _OFFENCES
    lines = []
    for step in ladder.steps if ladder else ():
        what: Text = MEASURES[step.measure]
        amount = f"({step.deals})" if step.deals else ""
        if step.share != 1:
            amount = f"{amount} × {step.share}".strip()
        if amount:
            what = join(" ", [what, Translated(*[amount] * 3)])
        line = _BEYOND if step.upto is None else until
        lines.append(line.format(upto=str(step.upto), measure=what))
    return join("; ", lines)


def changed_by(house_rules: Mapping[str, object]) -> list[ChangedPenalty]:
    """Return the changes of a club's own rules to the penal code of their rulebook, article by article."""
    ours, book = code_of_rules(house_rules), code_for(str(house_rules["base"]))
    changed = []
    for article in ours.articles:
        name = join(" ", [Translated(*[article.id] * 3), article.title])
        if article.id not in book:
            changed.append(ChangedPenalty(name, article.text, NOTHING))
        elif article.id in ours.changed:
            before = book.article(article.id).ladder
            changed.append(ChangedPenalty(name, ladder_text(article.ladder), ladder_text(before)))
    return changed
