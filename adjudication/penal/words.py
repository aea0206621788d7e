"""The words for the stable values of the penal code, in three languages (glossary D.3)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from scoring.texts import Message
from scoring.texts import gettext_lazy as _

from .article import Beneficiary, Charge, DealRule, Domain, Measure, Origin, Rulers, Who

KINDS: Final[Mapping[Domain, Message]] = {
    Domain.CARD_PLAY: _("card play"),
    Domain.DEALING: _("dealing"),
    Domain.CALLS: _("calls"),
    Domain.TALK: _("talk"),
    Domain.CONDUCT: _("conduct"),
    Domain.TOURNAMENT: _("tournament"),
}
ORIGINS: Final[Mapping[Origin, Message]] = {
    Origin.SOURCE: _("from the source"),
    Origin.RECOMMENDED: _("duty from the source, sanction recommended"),
    Origin.ADDITION: _("addition: tournament practice"),
    Origin.HOUSE: _("event article"),
}
WHO: Final[Mapping[Who, Message]] = {
    Who.PLAYER: _("a player"),
    Who.DEALER: _("the dealer"),
    Who.SIDE: _("a side"),
    Who.PARTNER_OR_OPPONENT: _("the leader’s partner or an opponent"),
    Who.DEALERS_PARTNER: _("the dealer’s partner"),
    Who.BIDDER: _("the player calling"),
    Who.ENTRANT: _("a participant"),
    Who.BYSTANDER: _("a bystander"),
    Who.NOBODY: _("nobody: an accident"),
}
CHARGES: Final[Mapping[Charge, Message]] = {
    Charge.NONE: _("none"),
    Charge.PENALTY: _("the penalty (half of the deal: 34 or 30)"),
    Charge.DEAL_TOTAL: _("all the points of the deal (68 or 60)"),
    Charge.LADDER: _("rises with repetition or time"),
}
RULERS: Final[Mapping[Rulers, Message]] = {
    Rulers.REFEREE: _("any referee"),
    Rulers.CHIEF: _("the chief referee or the director"),
    Rulers.TWO: _("the chief referee or the director, confirmed by a second person"),
}
BENEFICIARIES: Final[Mapping[Beneficiary, Message]] = {
    Beneficiary.OPPONENTS: _("the opponents"),
    Beneficiary.OTHER_SIDE: _(
        "the opponents; the declarer alone where a defender is at fault who plays for themselves"
    ),
    Beneficiary.EACH_OPPONENT: _("each opponent"),
    Beneficiary.TABLE: _(
        "the opponents; outside a deal of an individual event everybody else at the table"
    ),
    Beneficiary.NOBODY: _("nobody"),
}
DEAL_RULES: Final[Mapping[DealRule, Message]] = {
    DealRule.REPLACED: _("the penalty replaces the result of the deal; the deal passes on"),
    DealRule.LOST: _("no valid deal: no result, no turn-up bonus; the deal passes on"),
    DealRule.LOST_KEPT: _(
        "no valid deal: no turn-up bonus, no result but what the other side made beyond the penalty; the deal passes on"
    ),
    DealRule.STANDS: _("the deal stands"),
    DealRule.REDEALT: _("void; the same dealer deals again"),
    DealRule.PASSES: _("void; the next player deals"),
    DealRule.CANCELLED: _("cancelled, not dealt again"),
    DealRule.CHOICE: _("as the opponents choose"),
}
MEASURES: Final[Mapping[Measure, Message]] = {
    Measure.NONE: _("no action"),
    Measure.WARNING: _("warning"),
    Measure.PUT_RIGHT: _("put right at the table"),
    Measure.PENALTY: _("penalty in points"),
    Measure.DEALS_CONCEDED: _("deals conceded"),
    Measure.CALL_VOID: _("call cancelled and replaced"),
    Measure.BARRED_FROM_BIDDING: _("side barred from bidding in this deal"),
    Measure.REDEAL: _("same dealer deals again"),
    Measure.DEAL_PASSES: _("deal passes on"),
    Measure.RESULTS_DELETED: _("results deleted"),
    Measure.ROUND_FORFEITED: _("round forfeited"),
    Measure.EXCLUDED_FROM_ROUND: _("excluded from the round"),
    Measure.DISQUALIFIED: _("disqualified"),
    Measure.REMOVED: _("sent away from the table"),
    Measure.CLAIM_REFUSED: _("claim refused"),
}
