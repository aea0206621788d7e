"""Evidence for a ruling, read from the engine's answers: findings, verdicts, equity. Advice only.

The engine replays what was entered and names each illegal play with the later card that proves
it; with a partial record it says guilty, innocent or undetermined; with all hands known its
solver gives what best play was worth. Nothing here decides: a referee does.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from typing import Final

from scoring.engine.cards import format_card
from scoring.engine.prove import Proved, Verdict
from scoring.engine.rulebook import find
from scoring.engine.shapes import ViolationJson
from scoring.texts import Message, Text
from scoring.texts import gettext_lazy as _

from .proposal import Marks

KINDS: Final[Mapping[str, Message]] = {
    "revoke": _("revoke"),
    "false_ruff": _("false ruff"),
    "failed_to_beat": _("did not beat"),
    "failed_to_ruff": _("did not ruff"),
    "failed_to_overruff": _("did not overruff"),
    "under_ruff": _("underruffed"),
    "disobeyed_order": _("disobeyed an order"),
}
"""The kinds of illegal play (rules specification B.3)."""


def article_of(rulebook: str, kind: str) -> str | None:
    """Return the article for an illegal play of ``kind`` (B.3), or ``None``.

    >>> article_of("parlee", "failed_to_overruff")
    '000-P4'
    """
    return find(rulebook).play_articles.get(kind)


@dataclass(frozen=True, slots=True)
class Finding:
    """One illegal play of a recorded deal and the play that proves it.

    ``proof`` is the trick and card that show the breach to somebody who sees only the table;
    ``None`` when only the hands show it. ``legal`` are the cards that could be played.
    """

    trick: int
    seat: str
    card: str
    kind: str
    legal: tuple[str, ...]
    articles: tuple[str, ...]
    proof: tuple[int, str] | None
    text: Text


def findings(
    violations: Iterable[ViolationJson], rulebook: str | None = None
) -> tuple[Finding, ...]:
    """Return the illegal plays found by a replay, in order of play, worded for the desk.

    ``rulebook`` supplies the article where an older record leaves it out.
    """
    return tuple(_finding(each, rulebook) for each in violations)


def _finding(violation: ViolationJson, rulebook: str | None) -> Finding:
    trick, seat = violation["trick"], violation["seat"]
    card, kind = violation["card"], violation["kind"]
    legal, articles = tuple(violation["legal"]), tuple(violation.get("articles") or ())
    if not articles and rulebook is not None:
        named = article_of(rulebook, kind)
        articles = (named,) if named else ()
    shown = violation.get("provable")
    proof = (shown["trick"], shown["card"]) if shown else None
    return Finding(
        trick,
        seat,
        card,
        kind,
        legal,
        articles,
        proof,
        _worded(trick, seat, card, kind, legal, proof),
    )


def _worded(
    trick: int,
    seat: str,
    card: str,
    kind: str,
    legal: tuple[str, ...],
    proof: tuple[int, str] | None,
) -> Message:
    word, cards = KINDS[kind], " ".join(legal)
    if proof is None:
        shown = _("only the hands show it")
    else:
        shown = _("proved at trick {trick} by {card}").format(trick=proof[0], card=proof[1])
    return _("Trick {trick}: {seat} played {card} ({word}); allowed: {cards}; {shown}.").format(
        trick=trick, seat=seat, card=card, word=word, cards=cards, shown=shown
    )


@dataclass(frozen=True, slots=True)
class Proven:
    """The engine's verdict on an allegation, and what it means for the ruling.

    ``proved`` fits the fact *proved*: ``True``, ``False``, or ``None`` when the referee must
    hear the table.
    """

    verdict: Verdict
    proved: bool | None
    proof: tuple[int, str] | None
    advice: Text


_ADVICE: Final = {
    Verdict.GUILTY: _("Every deal that fits the record contains the breach."),
    Verdict.INNOCENT: _("No deal that fits the record contains the breach."),
    Verdict.UNDETERMINED: _(
        "The record fits both; hear the table or look at the tricks. Without proof there is no penalty."
    ),
}


def proven(proved: Proved) -> Proven:
    """Word the engine's verdict for the desk."""
    verdict, trick, card = proved.verdict, proved.trick, proved.card
    proof = None if trick is None or card is None else (trick, format_card(card))
    fact = {Verdict.GUILTY: True, Verdict.INNOCENT: False, Verdict.UNDETERMINED: None}[verdict]
    return Proven(verdict, fact, proof, _ADVICE[verdict])


@dataclass(frozen=True, slots=True)
class _Worth:
    """Results of one deal, in marks as a difference for the side that did not offend."""

    side: str
    as_played: Marks
    without_offence: Marks
    penalised: Marks

    @property
    def damage(self) -> Marks:
        """Marks lost by the offence: positive when it hurt the innocent side."""
        return self.without_offence - self.as_played

    @property
    def difference(self) -> Marks:
        """Marks that the ruling gives above (negative: below) best play without the offence."""
        return self.penalised - self.without_offence


@dataclass(frozen=True, slots=True)
class Equity(_Worth):
    """Value of the offence and of its penalty for the side not at fault.

    All in marks as a difference for that side: ``as_played`` the result at the table,
    ``without_offence`` the best result it could count on, ``penalised`` the result under the
    ruling. ``damage`` is the cost of the offence to that side; ``difference`` the gain by the ruling
    over best play.
    """

    text: Text


@dataclass(frozen=True, slots=True)
class MeanEquity(_Worth):
    """Cost of an offence when some cards are unknown: a mean over ``worlds`` deals that fit the record.

    In marks as a difference for ``side``, as in :class:`Equity`. ``without_offence`` is the mean;
    it, ``damage`` and ``difference`` lie within ``margin`` of their true mean in 95 of 100 draws.
    """

    worlds: int
    margin: Marks


def mean_equity(
    side: str, as_played: Marks, without_offence: Sequence[Marks], penalised: Marks
) -> MeanEquity:
    """Return the mean equity from the results of best play in each world, ``without_offence``.

    ``margin``: 1.96 standard errors, in hundredths of a mark, rounded up; 0 where all are alike.

    >>> mean_equity("NS", 0, [10, 14] * 100, 34).without_offence
    Fraction(12, 1)
    >>> mean_equity("NS", 0, [10, 14] * 100, 34).margin
    Fraction(7, 25)
    """
    count = len(without_offence)
    mean = Fraction(sum(without_offence, Fraction(0)), count)
    spread = sum(((each - mean) ** 2 for each in without_offence), Fraction(0))
    squared = spread / ((count - 1) * count) * 196**2 if count > 1 else Fraction(0)
    whole = -(-squared.numerator // squared.denominator)
    root = isqrt(whole)
    margin = Fraction(root + (root * root < whole), 100)
    return MeanEquity(side, as_played, mean, penalised, count, margin)


"""The engine's ``solve``: a position in, ``{"points": {side: n}, ...}`` out."""


def equity(side: str, as_played: Marks, without_offence: Marks, penalised: Marks) -> Equity:
    """Return the equity for the innocent ``side``; the three results are in marks."""
    damage, difference = without_offence - as_played, penalised - without_offence
    return Equity(
        side,
        as_played,
        without_offence,
        penalised,
        _(
            "{side}: as played {as_played}, best without the offence {without_offence}, under the ruling "
            "{penalised}. The offence cost {damage}; the ruling against best play: {difference}. For information "
            "only."
        ).format(
            side=side,
            as_played=as_played,
            without_offence=without_offence,
            penalised=penalised,
            damage=damage,
            difference=f"{difference:+}",
        ),
    )


def signed(marks: Mapping[str, Marks], side: str) -> Marks:
    """Return the difference of ``marks`` for ``side``: its own less the others'."""
    own: Marks = marks.get(side, 0)
    others = sum((value for other, value in marks.items() if other != side), Fraction(0))
    result = own - others
    return int(result) if isinstance(result, Fraction) and result.denominator == 1 else result
