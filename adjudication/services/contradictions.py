"""Facts of a ruling that the sheet contradicts: asked about, never taken silently (rules C.8)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from adjudication.penal import Article, Who
from adjudication.queries.cases import Case
from adjudication.queries.known import how_far
from ledger.errors import Refused
from scoring.engine.errors import EngineError
from tournament.tables.rules import replay_record

_RESULT: Final = frozenset({"points", "tricks", "trick_list", "record"})
"""What of an entry says that the deal was played to its end."""
_FOUND_IN_TIME: Final = ("001-R6a", "001-R6b", "001-R8", "T-MISD")
"""Misdeals that were noticed before the deal was played."""


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A fact that the sheet has otherwise: ``sheet`` as the fact would be by the sheet.

    ``sheet`` is ``None`` where the sheet has no other value for it, only a reason to doubt it;
    ``field`` is then ``result``.
    """

    field: str
    question: str | Promise
    sheet: Any = None


def contradictions(
    case: Case, article: Article, facts: Mapping[str, Any]
) -> tuple[Contradiction, ...]:
    """Return what of ``facts`` the sheet contradicts, in the order of the article's facts."""
    contradicting = [
        _dealer(case, article, facts),
        _turned_up(case, facts),
        _played_out(case, article, facts),
        _card(case, facts),
        _when(case, article, facts),
    ]
    return tuple(each for each in contradicting if each is not None)


def require_confirmed(
    contradicting: Collection[Contradiction], against_record: Collection[str]
) -> None:
    """Refuse what the sheet contradicts, unless the referee was asked and holds to it."""
    for each in contradicting:
        if each.field not in against_record:
            raise Refused("against_record", each.question, field=each.field)


def _when(case: Case, article: Article, facts: Mapping[str, Any]) -> Contradiction | None:
    stated, part = facts.get("when"), case.incident.round
    if article.id != "GEN-SCORE" or part is None or not stated or stated == how_far(part):
        return None
    question = _("The record of the event says otherwise: which is right?")
    return Contradiction("when", question, how_far(part))


def _dealer(case: Case, article: Article, facts: Mapping[str, Any]) -> Contradiction | None:
    by_name = article.fact("dealer") is not None or article.who is not Who.DEALER
    field = "dealer" if by_name else "offender"
    stated = facts.get(field)
    if not case.dealer or not isinstance(stated, str) or stated == "":
        return None
    written = case.places.player(case.dealer)
    if stated == written:
        return None
    question = (
        _("The sheet says that another player dealt: which is right?")
        if case.deal is not None
        else _("By the order of the sheet another player deals: which is right?")
    )
    return Contradiction(field, question, written)


def _turned_up(case: Case, facts: Mapping[str, Any]) -> Contradiction | None:
    turned = case.deal is not None and case.deal.entry.get("turn_up")
    if not turned or facts.get("turned_up") is not False:
        return None
    return Contradiction(
        "turned_up", _("The sheet has a turn-up for this deal: which is right?"), True
    )


def _played_out(case: Case, article: Article, facts: Mapping[str, Any]) -> Contradiction | None:
    if case.deal is None or not _RESULT & set(case.deal.entry):
        return None
    in_time = facts.get("ill_served_played") is False
    if not in_time and (article.id not in _FOUND_IN_TIME or "ill_served_played" in facts):
        return None
    question = _("The sheet has a full result for this deal: was it noticed before it was played?")
    return Contradiction("result", question)


def _card(case: Case, facts: Mapping[str, Any]) -> Contradiction | None:
    number, seat, card = facts.get("trick"), facts.get("offender"), facts.get("card")
    if case.sheet is None or case.deal is None or not number or not card:
        return None
    if "record" not in case.deal.entry:
        return None
    try:
        replayed, _places = replay_record(case.sheet, case.deal.entry, partial=True)
    except EngineError:
        return None
    for trick in replayed["tricks"]:
        for player, played in trick["plays"]:
            if trick["n"] == number and player == seat and played != card:
                return Contradiction(
                    "card", _("The record has another card in that trick: which is right?"), played
                )
    return None
