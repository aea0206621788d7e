"""Ranking rule in words for players: one sentence for each choice that its criteria leave open."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Final

from scoring.texts import Message, join, ngettext_lazy
from scoring.texts import gettext_lazy as _
from tournament.ranking.clubs import ClubBy, ClubRule
from tournament.ranking.criteria import CRITERIA, Criterion, build
from tournament.ranking.figures import format_number
from tournament.ranking.model import CapOn, Credit, CreditBy, Number, Outcome, Rule, Withdrawal

OUTCOMES: Final[Mapping[Outcome | None, Message]] = {
    Outcome.WIN: _("a win"),
    Outcome.DRAW: _("a tied game"),
    Outcome.LOSS: _("a loss"),
    None: _("no result"),
}
"""Ends of a game without play, as choices on the form and in sentences."""

CREDITS: Final[Mapping[CreditBy, Message]] = {
    CreditBy.OWN_AVERAGE: _("the average of one’s own games, leaning towards the field’s"),
    CreditBy.FIELD_MEDIAN: _("the median of the round’s games with that result"),
    CreditBy.FIELD_SPREAD: _("the mean of the best, the worst and the middle of the round"),
    CreditBy.FIXED: _("fixed points"),
    CreditBy.NONE: _("nothing: the round does not count"),
}
"""Sources of the points of a round without play."""

WITHDRAWN: Final[Mapping[Withdrawal, Message]] = {
    Withdrawal.KEPT: _("Players who withdraw keep their results and their rank."),
    Withdrawal.UNRANKED: _(
        "Players who withdraw are listed last, without a rank; their results stand."
    ),
    Withdrawal.STRUCK: _("Every game of players who withdraw is deleted, for their opponents too."),
}
"""Treatments of entrants who withdraw."""

CAPS: Final[Mapping[CapOn, Message]] = {
    CapOn.NET: _("the difference of a game"),
    CapOn.MARKS: _("the points of each side in a game"),
}
"""Quantities that a cap limits."""

PER: Final[Mapping[str, Message]] = {"game": _("each game"), "match": _("each match")}
"""Units that match points are given for."""

CLUBS: Final[Mapping[ClubBy, Message]] = {
    ClubBy.PERCENTAGE: _("games won of the games played by the members that count"),
    ClubBy.SUM: _("the sum over the members that count"),
    ClubBy.AVERAGE: _("the average of the members that count"),
}
"""Ways to compute a club's score from its members."""


def _number(value: Number) -> Message:
    return Message("{value}").format(value=lambda language: format_number(value, language))


def in_words(rule: Rule, bye: Credit) -> list[Message]:
    """Say what a rule counts beyond the names of its criteria, in the order of interest.

    ``bye``: what a bye in the stage counts as.
    """
    sentences: list[Message] = []
    read = [build(used) for used in rule.criteria]
    if any(use.reads_results or getattr(use, "of", "") == "match_points" for use in read):
        per = next(
            (str(getattr(use, "per", "game")) for use in read if hasattr(use, "per")), "game"
        )
        sentences.append(
            _(
                "Match points for {per}: {win} for a win, {draw} for a tie, {loss} for a loss."
            ).format(
                per=PER[per],
                win=_number(rule.win),
                draw=_number(rule.draw),
                loss=_number(rule.loss),
            )
        )
    sentences += [words for use in read for words in _of_criterion(use)]
    if rule.cap is not None:
        sentences.append(
            _("Capped: {what} counts for at most {amount}.").format(
                what=CAPS[rule.cap.on], amount=rule.cap.amount
            )
        )
    sentences.append(_("A bye counts as: {credit}.").format(credit=_credit(bye)))
    sentences.append(WITHDRAWN[rule.withdrawn])
    if any(use.code == "bracket" for use in read):
        sentences.append(
            _("A place reached in the knock-out stands, also for players who withdraw.")
        )
    return sentences


def _of_criterion(used: Criterion) -> list[Message]:
    """Describe the parameters of one criterion."""
    sentences: list[Message] = []
    draw = getattr(used, "draw", None)
    if draw:
        sentences.append(
            _("{criterion}: a tied game counts as {draw} of a game won.").format(
                criterion=used.name, draw=_number(draw)
            )
        )
    score = {field.name: getattr(used, field.name) for field in fields(used)}.get("of")
    if score:
        sentences.append(
            _("{criterion}: the score of each opponent is “{score}”.").format(
                criterion=used.name, score=CRITERIA[score].name
            )
        )
    left_out = getattr(used, "worst", None) or getattr(used, "each", None)
    if left_out:
        sentences.append(
            _("{criterion}: left out are {count}.").format(criterion=used.name, count=int(left_out))
        )
    bounds = getattr(used, "bounds", None)
    if bounds:
        sentences.append(
            _(
                "{criterion}: {total} a match; one more to the winner from a difference of {bounds}."
            ).format(
                criterion=used.name,
                total=int(getattr(used, "total", 0)),
                bounds=", ".join(map(str, bounds)),
            )
        )
    return sentences


def _credit(credit: Credit) -> Message:
    if credit.by is CreditBy.NONE:
        return CREDITS[credit.by]
    if credit.by is CreditBy.OWN_AVERAGE and credit.outcome is None:
        return _("the average of one’s own games in every criterion, leaning towards the field’s")
    parts = [OUTCOMES[credit.outcome]]
    if credit.by is CreditBy.FIXED:
        parts.append(
            ngettext_lazy(
                "{marks} point, difference {net}", "{marks} points, difference {net}", "n"
            ).format(n=credit.marks, marks=_number(credit.marks), net=_number(credit.net))
        )
    else:
        parts.append(CREDITS[credit.by])
    return join(", ", parts)


def bye_in_words(credit: Credit) -> Message:
    """Describe the value of a bye to players."""
    if credit.by is CreditBy.NONE:
        return _("This round does not count for players with a bye.")
    if credit.by is CreditBy.OWN_AVERAGE and credit.outcome is None:
        return _(
            "For players with a bye, this round counts as the average of their own other games, leaning towards the "
            "field’s."
        )
    return _("For players with a bye, each game of this round counts as: {credit}.").format(
        credit=_credit(credit)
    )


def passing_in_words() -> Message:
    """Describe the value of a round of a knock-out passed without play."""
    return _("Players with a bye in this round go on to the next one without playing.")


def clubs_in_words(rule: ClubRule) -> Message:
    """Say how clubs are ranked."""
    parts = [_("Clubs are ranked by {by}.").format(by=CLUBS[rule.by])]
    if rule.best is not None:
        parts.append(_("Members that count, the best ranked first: {best}.").format(best=rule.best))
    if rule.least > 1:
        parts.append(
            _("A club with fewer than {least} members is listed without a rank.").format(
                least=rule.least
            )
        )
    return join(" ", parts)
