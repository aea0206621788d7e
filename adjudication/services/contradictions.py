"""Facts of a ruling that the record contradicts: asked about, never taken silently (rules C.8)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from adjudication.penal import Article, Facts, Proposal, Who
from adjudication.penal.decision import NO_OFFENCE, bears_call, is_null_call
from adjudication.queries.cases import Case
from adjudication.queries.effects import rulings_on
from adjudication.queries.known import how_far
from ledger.errors import Refused
from scoring.engine.errors import EngineError
from tournament.models.tables import Sheet, SheetState
from tournament.tables.score_sheet import ScoreSheet

_RESULT: Final = frozenset({"points", "tricks", "trick_list", "record"})
"""What of an entry says that the deal was played to its end."""
_FOUND_IN_TIME: Final = ("001-R1", "001-R6a", "001-R6b", "001-R8", "T-MISD")
"""Accidents and misdeals that are noticed before the deal is played."""


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A fact that the sheet has otherwise: ``sheet`` as the fact would be by the sheet.

    ``sheet`` is ``None`` where the sheet has no other value for it, only a reason to doubt it;
    ``field`` is then ``result``, ``call`` where the deal bears no such call, or ``again`` where a
    ruling in force has decided it.
    """

    field: str
    question: str | Promise
    sheet: object = None


def contradictions(
    case: Case,
    article: Article,
    facts: Facts,
    player: str | None,
    offender: int | None,
    proposal: Proposal,
    amended: int | None = None,
) -> tuple[Contradiction, ...]:
    """Return what of ``facts`` the record contradicts, in the order of the article's facts.

    ``player`` and ``offender``: the player at fault and their entrant. ``amended``: the number of the ruling that is decided again.
    """
    contradicting = [
        _dealer(case, article, facts),
        _turned_up(case, facts),
        _played_out(case, article, facts),
        _card(case, facts),
        _when(case, article, facts),
        _appeared(case, facts, offender),
        _no_call(case, facts, proposal),
        _ruled_again(case, article, facts, player, amended),
    ]
    return tuple(each for each in contradicting if each is not None)


def require_confirmed(
    contradicting: Collection[Contradiction], against_record: Collection[str]
) -> None:
    """Refuse what the sheet contradicts, unless the referee was asked and holds to it."""
    for each in contradicting:
        if each.field not in against_record:
            raise Refused("against_record", each.question, field=each.field)


def _when(case: Case, article: Article, facts: Mapping[str, object]) -> Contradiction | None:
    stated, round_ = facts.get("when"), case.incident.round
    if article.id != "GEN-SCORE" or round_ is None or not stated or stated == how_far(round_):
        return None
    question = _("The record of the event says otherwise: which is right?")
    return Contradiction("when", question, how_far(round_))


def _appeared(
    case: Case, facts: Mapping[str, object], offender: int | None
) -> Contradiction | None:
    round_ = case.incident.round
    if facts.get("what") != "no_show" or round_ is None or offender is None:
        return None
    signed = Sheet.objects.filter(
        table__round=round_, table__seats__entrant=offender, state=SheetState.OFFICIAL
    ).count()
    if not signed:
        return None
    question = ngettext(
        "They have %(count)d signed game in this round: did they really not appear?",
        "They have %(count)d signed games in this round: did they really not appear?",
        signed,
    )
    return Contradiction("what", question % {"count": signed})


def _dealer(case: Case, article: Article, facts: Mapping[str, object]) -> Contradiction | None:
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


def _turned_up(case: Case, facts: Mapping[str, object]) -> Contradiction | None:
    turned = case.deal is not None and case.deal.entry.get("turn_up")
    if not turned or facts.get("turned_up") is not False:
        return None
    return Contradiction(
        "turned_up", _("The sheet has a turn-up for this deal: which is right?"), True
    )


def _played_out(case: Case, article: Article, facts: Mapping[str, object]) -> Contradiction | None:
    if case.deal is None or not _RESULT & set(case.deal.entry):
        return None
    in_time = facts.get("ill_served_played") is False
    if not in_time and (article.id not in _FOUND_IN_TIME or "ill_served_played" in facts):
        return None
    question = _("The sheet has a full result for this deal: was it noticed before it was played?")
    return Contradiction("result", question)


def _card(case: Case, facts: Mapping[str, object]) -> Contradiction | None:
    number, seat, card = facts.get("trick"), facts.get("offender"), facts.get("card")
    if case.sheet is None or case.deal is None or not number or not card:
        return None
    if "record" not in case.deal.entry:
        return None
    try:
        replayed, _places = ScoreSheet(case.sheet).replay(case.deal.entry, partial=True)
    except EngineError:
        return None
    for trick in replayed["tricks"]:
        for player, played in trick["plays"]:
            if trick["n"] == number and player == seat and played != card:
                return Contradiction(
                    "card", _("The record has another card in that trick: which is right?"), played
                )
    return None


def _no_call(case: Case, facts: Mapping[str, object], proposal: Proposal) -> Contradiction | None:
    """Ask for the right deal, where the recorded one bears no call that the measure could take out."""
    if not is_null_call(proposal.article, proposal.measure, facts):
        return None
    if bears_call(proposal.article, case.game()) is not False:
        return None
    return Contradiction(
        "call", _("The sheet has no such call on this deal: is it the right deal?")
    )


def _ruled_again(
    case: Case, article: Article, facts: Facts, player: str | None, amended: int | None
) -> Contradiction | None:
    """Ask whether it is another offence, where one alike of the same player was ruled on in the deal."""
    if case.deal_key is None:
        return None
    for ruling in rulings_on(case.incident):
        if ruling.number == amended or ruling.measure in NO_OFFENCE:
            continue
        decided = list(ruling.versions.all())[-1]
        alike = decided.facts.get("what") == facts.get("what")
        if ruling.article == article.id and decided.context.get("player") == player and alike:
            question = _(
                "Ruling %(number)d has already decided on this offence: is this another one?"
            )
            return Contradiction("again", question % {"number": ruling.number})
    return None
