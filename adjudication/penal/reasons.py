"""The sentences of a rationale, each citing the article, policy or resolution it rests on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from scoring.engine.speech import side_name
from scoring.texts import Message, Text, ngettext_lazy
from scoring.texts import gettext_lazy as _

from .article import Article, DealRule, Measure, Origin
from .game import Game, PenaltyMode
from .proposal import Bonus, DealEffect, DealOutcome, Marks, NextDealer, Reason
from .words import MEASURES, ORIGINS


def of_article(article: Article) -> Reason:
    """Return the article's text with its citation, and its authority unless it is a source."""
    text = article.text
    if article.origin is not Origin.SOURCE:
        origin = ORIGINS[article.origin]
        text = Message("{text} ({origin})").format(text=text, origin=origin)
    return Reason(f"{article.id}; {article.citation}", text)


def of_governing(picked: Article, governing: Article) -> Reason:
    """Return the reason why another article of the same family governs."""
    return Reason(
        f"{governing.id}; C.2",
        _("On these facts {governing} governs, not {picked}.").format(
            governing=governing.id, picked=picked.id
        ),
    )


def of_choice(article: Article, field: str, value: str) -> Reason:
    """Return the case of the article that the referee stated."""
    fact = article.fact(field)
    label = next(text for key, text in fact.choices if key == value) if fact else Message("")
    return Reason(
        article.id,
        _("Stated: {label}.").format(label=label),
    )


def sentence(text: Text) -> Message:
    """Write ``text`` as a sentence: capital first letter, full stop."""

    def capital(language: str) -> str:
        words = text.render(language)
        return f"{words[:1].upper()}{words[1:]}."

    return Message("{sentence}").format(sentence=capital)


def of_claim(after_round: bool) -> Reason:
    """Return the reason for a late claim."""
    if after_round:
        text = _("The round has ended: the claim comes too late.")
    else:
        text = _("Both sides have signed the deal: the claim comes too late.")
    return Reason("C.6", text)


def of_offence(article: Article, count: int, measure: Measure) -> Reason:
    """Return the number of the offence and the ladder's step for it."""
    word = MEASURES[measure]
    return Reason(
        article.id,
        _("Offence no. {count} under this article: {word}.").format(count=count, word=word),
    )


def of_minutes(article: Article, minutes: int, measure: Measure) -> Reason:
    """Return the ladder's step for the minutes stated."""
    word = MEASURES[measure]
    return Reason(
        article.id,
        ngettext_lazy("{minutes} minute: {word}.", "{minutes} minutes: {word}.", "minutes").format(
            minutes=minutes, word=word
        ),
    )


def of_measure(article: Article, measure: Measure) -> Reason:
    """Return the reason for a measure chosen by the referee or implied by an option."""
    word = MEASURES[measure]
    return Reason(
        article.id,
        _("Action: {word}.").format(word=word),
    )


def of_penalty(article: Article, charge: Marks, side: str, game: Game) -> Reason:
    """Return the amount of the penalty and the side that marks it."""
    others = ", ".join(game.opponents(side))
    if game.is_auction and article.id.startswith("BE-"):
        if game.pays_stakes:
            text = _("The offender pays as if they had failed: {charge} to each.")
        else:
            text = _("The offender pays as if they had failed: {charge}.")
        return Reason(f"{article.id}; B.3", text.format(charge=charge))
    multiplied = game.penalty_multiplied and game.factor != 1
    factor = f" (× {game.factor})" if multiplied else ""
    if game.penalty_mode is PenaltyMode.DEBIT_OFFENDER:
        text = ngettext_lazy(
            "{side} loses {charge} point{factor}.",
            "{side} loses {charge} points{factor}.",
            "charge",
        ).format(side=side, charge=charge, factor=factor)
    elif others.isalpha():
        text = _("{others} scores {charge}{factor}.").format(
            others=others, charge=charge, factor=factor
        )
    else:  # the rules number these players by who deals, the sheet by where they sit
        text = _("The other side scores {charge}{factor}.").format(charge=charge, factor=factor)
    return Reason(f"{article.id}; Q-GEN-2, Q-GEN-3", text)


def of_defender(article: Article, charge: Marks) -> Reason:
    """Return the reason that one defender pays for all, without a share for the other defenders."""
    text = ngettext_lazy(
        "The offender alone loses {charge} point, for all the defenders; the other defenders score nothing.",
        "The offender alone loses {charge} points, for all the defenders; the other defenders score nothing.",
        "charge",
    ).format(charge=charge)
    return Reason(f"{article.id}; C.8", text)


def of_person(article: Article, marks: Mapping[str, Marks], player: str) -> Reason:
    """Return the reason of a penalty paid by one player to all others at the table."""
    charge = -marks[player]
    text = ngettext_lazy(
        "{player} loses {charge} point, everybody else at the table scores {charge}.",
        "{player} loses {charge} points, everybody else at the table scores {charge}.",
        "charge",
    ).format(player=lambda language: side_name(player, language), charge=charge)
    return Reason(f"{article.id}; C.7", text)


def of_floor(effect: DealEffect, game: Game) -> list[Reason]:
    """Return the sides that keep the deal as played because it gave them more than the penalty."""
    keeps = effect.outcome is DealOutcome.REPLACED or any(
        each.played for each in effect.infractions
    )
    if not (effect.infractions and keeps and game.penalty_floor) or effect.offender is None:
        return []
    reasons = []
    for other in game.opponents(effect.offender):
        if other == game.game_won:
            text = _("But {other} won the game by the deal as played and keeps it.").format(
                other=other
            )
        elif effect.marks.get(other, 0) > effect.penalty.get(other, 0):
            after = effect.marks[other]
            text = ngettext_lazy(
                "But the deal as played gives {other} more: it keeps its {kept} point.",
                "But the deal as played gives {other} more: it keeps its {kept} points.",
                "kept",
            ).format(other=other, kept=after)
        else:
            continue
        reasons.append(Reason(f"{effect.infractions[0].article}; C.8", text))
    return reasons


def of_null_call(article: Article, *, borne: bool | None) -> Reason:
    """Return the reason about a null call's factor; ``borne``: whether the recorded deal bears it."""
    text = (
        _("The sheet has no such call on this deal: nothing is removed from the score.")
        if borne is False
        else _("The factor of the void call is removed from the score; the rest stands.")
    )
    return Reason(f"{article.id}; C.5", text)


def of_unknown_stake(article: Article) -> Reason:
    """Return the reason for an auction penalty whose stake the score sheet will set."""
    return Reason(
        f"{article.id}; B.3",
        _("The offender pays as if they had failed; the score sheet gives the stake."),
    )


OUTCOMES: Final = {
    DealOutcome.STANDS: _("The deal stands and its result counts."),
    DealOutcome.PENDING: _("The opponents must choose first."),
    DealOutcome.CANCELLED: _("The deal is cancelled and not dealt again."),
    DealOutcome.REPLACED: _("The penalty replaces the result of the deal."),
    DealOutcome.VOID_PASSED: _("The deal is void; the next player deals."),
    DealOutcome.REDEALT: _("The deal is void; the same dealer deals again."),
}


OF_THE_ROUND: Final = (
    Measure.DEALS_CONCEDED,
    Measure.ROUND_FORFEITED,
    Measure.EXCLUDED_FROM_ROUND,
    Measure.DISQUALIFIED,
    Measure.RESULTS_DELETED,
)
"""Measures on a person's round or event: under them no deal is said to count."""


def of_outcome(
    article: Article, effect: DealEffect, rule: DealRule, measure: Measure
) -> list[Reason]:
    """Return the consequences for the deal and its turn-up bonus; none where no deal is judged."""
    if effect.outcome is DealOutcome.STANDS and measure in OF_THE_ROUND:
        return []
    cites = article.id
    if effect.outcome is DealOutcome.REPLACED or (
        rule is DealRule.REPLACED and effect.outcome is DealOutcome.STANDS and effect.charge
    ):
        cites = f"{article.id}; Q-GEN-4"
    reasons = [Reason(cites, OUTCOMES[effect.outcome])]
    marks = effect.bonus_marks
    if effect.bonus is Bonus.CANCELLED:
        reasons.append(
            Reason(
                "Q-GEN-5",
                _("The turn-up bonus of {marks} is cancelled: there was no valid deal.").format(
                    marks=marks
                ),
            )
        )
    elif effect.bonus is Bonus.KEPT and effect.outcome in (
        DealOutcome.REPLACED,
        DealOutcome.REDEALT,
    ):
        reasons.append(
            Reason(
                "Q-GEN-4" if effect.outcome is DealOutcome.REPLACED else "Q-GEN-5",
                _("The turn-up bonus of {marks}, already recorded, stands.").format(marks=marks),
            )
        )
    return reasons


def of_dealer(effect: DealEffect, dealer: str | None) -> Reason | None:
    """Return the reason if the same dealer deals again; ``None`` otherwise."""
    if dealer is None or effect.next_dealer is NextDealer.NEXT:
        return None
    return Reason(
        "C.2",
        _("{dealer} deals again.").format(dealer=lambda language: side_name(dealer, language)),
    )


def of_options(article: Article, by: Sequence[str]) -> Reason:
    """Return the reason that the opponents choose, with their options."""

    def listed(language: str) -> str:
        between = _("or").render(language)
        return f" {between} ".join(option.label.render(language) for option in article.options)

    return Reason(
        article.id,
        _("{sides} may choose: {options}.").format(sides=", ".join(by), options=listed),
    )


BOTH_AT_FAULT: Final = Reason(
    "Q-GEN-9",
    _("Both sides are at fault: the penalties cancel out, the deal is void and dealt again."),
)
CONDUCT_IS_ADDED: Final = Reason(
    "Q-GEN-9",
    _("A penalty for conduct is added: it cancels no other penalty, and none cancels it."),
)
ONE_PENALTY: Final = Reason(
    "C.2",
    _("This side already bears a penalty for this deal: only one counts."),
)
DISCRETION: Final = Reason(
    "C.7",
    _("The referee decides the penalty: the ruling must give a reason."),
)
ONE_LEGAL_CARD: Final = Reason(
    "001-R5; Q-001-2",
    _("Only one of the two cards was legal: that one is played."),
)
LOWER_CARD: Final = Reason(
    "001-R5; two_cards=LOWER",
    _("In this event the card underneath counts as played; the other goes back."),
)
COUNTS_AS_FIRST: Final = Reason(
    "GEN-TURN; C.8",
    _("It counts as the first time for this side: the next card out of turn costs the penalty."),
)
RIGHT_PLAYER_PLAYED: Final = Reason(
    "GEN-TURN",
    _("The right player has played since: the card out of turn stands."),
)
