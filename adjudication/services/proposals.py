"""Proposal of the penal code for stated facts, computed without writing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Final

from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from adjudication.models import Incident, PenalCode
from adjudication.penal import (
    Article,
    Claimed,
    Code,
    DealOutcome,
    Facts,
    FactsError,
    PenalCodeError,
    Policy,
    Proposal,
    Rulers,
    decide,
    to_json,
)
from adjudication.queries.cases import Case, case_of, history_of, offending_player
from adjudication.queries.codes import read
from ledger.errors import Refused
from ledger.verbs import Says

from . import codes
from .contradictions import Contradiction, contradictions

_DEALT_AGAIN: Final = (DealOutcome.REDEALT, DealOutcome.VOID_PASSED)


Proof = Annotated[str, Says("The id of a proof of this incident that the decision rests on.")]
AgainstRecord = Annotated[
    Sequence[str],
    Says(
        "The fields of `facts` that the sheet states otherwise, as `propose` lists them: the referee holds to them."
    ),
]


@dataclass(frozen=True, slots=True)
class Stated:
    """A decision as a referee states it.

    ``against_record`` names the facts to which the referee holds against the sheet.
    """

    article: str
    facts: Facts
    reason: str = ""
    next_round: str = ""
    claimed: str = ""
    seen: Annotated[
        int | None,
        Says("What `propose` or the ruling said; a decision made in the meantime is then a 409."),
    ] = None
    proof: Proof = ""
    against_record: AgainstRecord = ()


@dataclass(frozen=True, slots=True)
class Proposed:
    """A proposal with what it was decided from; ``offender`` is the entrant at fault."""

    case: Case
    code: Code
    article: Article
    proposal: Proposal
    offender: int | None
    context: dict[str, object]
    contradictions: tuple[Contradiction, ...] = ()
    """Facts that the sheet has otherwise (C.8)."""

    @property
    def rulers(self) -> Rulers:
        """Rank required at this event for the requested article and the governing article."""
        return self.code.rulers_of(self.proposal.requested, self.proposal.article)


def _deal_missing(case: Case) -> Refused:
    """Return the refusal of a decision on a deal for an incident without one."""
    if case.sheet is not None and case.sheet.totals:
        return Refused(
            "points_alone",
            _(
                "Only the points of this game were copied from paper, not its deals. Reopen the sheet and "
                "record the deals, or rule in points by GEN-DISC."
            ),
            field="deal",
        )
    text = _("Enter the game and the deal in which it happened, then rule.")
    return Refused("deal_missing", text, field="deal")


def propose(
    incident: Incident,
    article: str,
    facts: Facts,
    *,
    claimed: str = "",
    row: PenalCode | None = None,
    before: int | None = None,
) -> Proposed:
    """Return the penal code's proposal for the facts; write nothing.

    ``before``: only earlier rulings count (when a ruling is decided again).

    Raises:
        Refused: The article is unknown, or ``facts`` with every missing or wrong fact.
    """
    if not all(isinstance(value, (str, int, bool, type(None))) for value in facts.values()):
        raise Refused("facts", _("A fact must be text, a number, yes or no."), field="facts")
    row = row or codes.pinned(incident.event)
    code = read(incident.event, row)
    case = case_of(incident)
    try:
        picked = code.article(article)
    except PenalCodeError as error:
        raise Refused(
            "unknown_article", _("Choose an article: a ruling cites one."), field="article"
        ) from error
    if picked.within_deal and case.deal_key is None:
        raise _deal_missing(case)
    if claimed and claimed not in Claimed.__members__.values():
        raise Refused("claimed", _("Enter when the referee was called."), field="claimed")
    player = offending_player(code, picked, facts)
    offender = case.entrant(player)
    when = Claimed(claimed) if claimed else case.claimed
    game = case.game(offender=offender, claimed=when, redealt=case.dealt_again())
    try:
        proposal = decide(
            code,
            article,
            facts,
            Policy(row.policy),
            game,
            history_of(incident.event_id, before),
        )
    except FactsError as error:
        raise FactsRefused(picked, error) from error
    if proposal.deal.outcome in _DEALT_AGAIN and case.deal_key is None:
        raise _deal_missing(case)
    context = {
        "code": row.number,
        "fingerprint": row.fingerprint,
        "edition": row.edition,
        "policy": row.policy,
        "claimed": when.value,
        "game": to_json(game),
        "player": player,
    }
    if when is not case.claimed:
        context["clock"] = case.claimed.value
    who = code.rulers_of(proposal.requested, proposal.article)
    if who is not Rulers.REFEREE:
        context["rulers"] = who.value
    doubts = contradictions(case, picked, facts, player, offender, proposal, amended=before)
    return Proposed(case, code, picked, proposal, offender, context, doubts)


class FactsRefused(Refused):
    """The facts do not suffice; ``defects`` holds field and reason of each."""

    def __init__(self, article: Article, error: FactsError) -> None:
        language = (get_language() or "en")[:2]
        self.defects = {d.field: d.text.render(language) for d in error.defects}
        first = error.defects[0]
        field = article.fact(first.field)
        name = field.label.render(language) if field else first.field
        super().__init__(
            "facts",
            _("%(fact)s: %(what)s"),
            field=first.field,
            params={"fact": name, "what": first.text.render(language)},
        )
