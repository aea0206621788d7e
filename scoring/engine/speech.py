"""Score lines as sentences to read aloud, in English, French and Dutch.

``reason`` is the arithmetic alone ("47 − 44 = 3, × 2 for 44"), ``speak`` the whole sentence
("N-S mark 12: …"). Refusals are put into words by :mod:`~scoring.engine.speech_refusals`, whose
``explain`` is offered here too. Terms are those of the glossary (rules specification D.3).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from scoring.texts import Message, ngettext_lazy, pgettext_lazy
from scoring.texts import gettext_lazy as _

from .cards import RANKS
from .letters import RANK_LETTERS
from .rulebooks import RULEBOOKS
from .speech_refusals import explain

if TYPE_CHECKING:
    from .score_clauses import ScoreLine

__all__ = ["explain", "reason", "side_name", "speak", "with_signs"]

_SUIT_SIGNS: Final = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
_CARD: Final = re.compile(r"\b(10|[AKQJ987])([SHDC])\b")

_FACTORS: Final[Mapping[str, Message]] = {
    "level": _("× {value} for {of}"),
    "no_trump": _("× {value} for no trump"),
    "blind": _("× {value} for blind trump"),
    "doubling": _("× {value} for {of}"),
    "all_tricks": _("× {value} for all the tricks"),
    "no_exchange": _("× {value} for no exchange"),
}
_CAP: Final = _("limited to × {cap}")
_MOST: Final = _("limited to {most}")

_EXCESS: Final = _("{points} − {mark} = {difference}")
_SHORTFALL: Final = _("{mark} − {points} = {difference}")

_REASONS: Final[Mapping[str, Message]] = {
    "turn_up": _("{card} turned up"),
    "turn_up_cancelled": _("{card} turned up, {why}: the bonus does not count"),
    "deal_won": _EXCESS,
    "sweep": _("every trick won: 60"),
    "deal_tied": _("{points} each: nobody scores"),
    "contract_made": _EXCESS,
    "contract_failed": _SHORTFALL,
    "contract_tied": _("exactly {mark}: nobody scores"),
    "generale_made": _("générale made"),
    "generale_failed": _("générale failed"),
    "stake_won": ngettext_lazy(
        "{points} point, {mark} needed: {stake} from each of {others}",
        "{points} points, {mark} needed: {stake} from each of {others}",
        "points",
    ),
    "stake_lost": ngettext_lazy(
        "{points} point, {mark} needed: {stake} to each of {others}",
        "{points} points, {mark} needed: {stake} to each of {others}",
        "points",
    ),
    "stake_paid": _("pays {player}"),
    "stake_received": _("from {player}"),
    "bid_made": _("bid of {bid} made"),
    "bid_failed": _("bid of {bid} failed"),
    "penalty": _("penalty {article} against {offender}: {amount}"),
    "penalty_debit": _("penalty {article}: {amount}"),
    "penalty_floor": _(
        "the deal as played gives more than the penalty {article} against {offender}: {played}"
    ),
    "stake_kept": _("pays {stake} more to {player}, who keeps the deal as played"),
    "void_hand": _("penalty {article}, as if the bid of {bid} had failed"),
    "void_hand_stake": _(
        "penalty {article}, as if the hand had failed: {stake} to each of {others}"
    ),
    "void_hand_alone": _(
        "penalty {article}, as if the hand had failed, for all the defenders: {stake} × {others}"
    ),
    "penalties_cancel": _("both sides at fault: the penalties cancel and the deal is void"),
    "infraction_noted": _("{article} noted, no points"),
    "ruled": _("by a ruling at this table"),
    "call_cancelled": _("{article}: the call is void, its factor is removed"),
    "redeal": _("{dealer} deals again"),
}

PLAYED: Final = frozenset(
    {
        "turn_up",
        "turn_up_cancelled",
        "deal_won",
        "sweep",
        "deal_tied",
        "contract_made",
        "contract_failed",
        "contract_tied",
        "generale_made",
        "generale_failed",
        "stake_won",
        "stake_lost",
        "stake_paid",
        "stake_received",
        "bid_made",
        "bid_failed",
    }
)
"""Clauses of a deal without infractions."""

_WORDS: Final[Mapping[str, Message]] = {
    "no_valid_deal": _("no valid deal"),
    "tie": _("tied deal"),
    "same_dealer": _("the same dealer"),
    "next_dealer": _("the next dealer"),
    "all": pgettext_lazy("spoken", "all the tricks"),
}

_ONE_MARKS: Final = _("{side} scores {marks}")
_MANY_MARK: Final = _("{side} score {marks}")
_GAME: Final = _("{side} win the game")

_CALL_TITLES: Final = {
    call.title.msgid: call.title for book in RULEBOOKS.values() for call in book.calls
}

_SEATS: Final[Mapping[str, Message]] = {
    "N": _("N"),
    "E": _("E"),
    "S": _("S"),
    "W": _("W"),
}
_SEATS_ALONE: Final[Mapping[str, Message]] = {
    "N": pgettext_lazy("a seat alone", "N"),
    "E": pgettext_lazy("a seat alone", "E"),
    "S": pgettext_lazy("a seat alone", "S"),
    "W": pgettext_lazy("a seat alone", "W"),
}
"""Written out where letters would be read as the opposite seat: ``O`` is Ouest and Oost."""
_RANK_WORDS: Final = _("ten, ace, king, queen, jack, nine, eight, seven")
_SUIT_WORDS: Final[Mapping[str, Message]] = {
    "S": _("spades"),
    "H": _("hearts"),
    "D": _("diamonds"),
    "C": _("clubs"),
}
_CARD_WORDS: Final = _("{rank} of {suit}")
_COLON: Final = _(":")


def side_name(side: str, language: str, names: Mapping[str, str] | None = None) -> str:
    """Return a side in words: ``N-S`` (fr ``N-S``, nl ``N-Z``), ``1 + 2``, or its players by ``names``.

    >>> side_name("EW", "fr"), side_name("W", "fr")
    ('E-O', 'Ouest')
    """
    if side in _SEATS_ALONE:
        return _SEATS_ALONE[side].render(language)
    if side and side[0] in _SEATS:
        return "-".join(_SEATS[seat].render(language) for seat in side)
    return " + ".join((names or {}).get(player, player) for player in side)


def card_name(card: str, language: str) -> str:
    """Return a card with its suit sign and the rank's local letter: ``KH`` is ``K♥``, ``R♥``, ``H♥``."""
    rank, suit = card[:-1], card[-1]
    shown = RANK_LETTERS[rank].render(language) if rank in RANK_LETTERS else rank
    return shown + _SUIT_SIGNS[suit]


def card_words(card: str, language: str) -> str:
    """Return a card in words, for reading aloud.

    >>> card_words("10S", "en"), card_words("KH", "fr"), card_words("KH", "nl")
    ('ten of spades', 'roi de cœur', 'harten heer')
    """
    ranks = dict(zip(reversed(RANKS), _RANK_WORDS.render(language).split(", "), strict=True))
    suit = _SUIT_WORDS[card[-1]].render(language)
    return _CARD_WORDS.format(rank=ranks[card[:-1]], suit=suit).render(language)


def reason(line: ScoreLine, language: str = "en", names: Mapping[str, str] | None = None) -> str:
    """Return the reason for a line's marks, without the side that receives them."""
    return _reason(line.clause, line.params, language, names)


def _reason(
    clause: str,
    params: Mapping[str, object],
    language: str,
    names: Mapping[str, str] | None = None,
) -> str:
    words = {name: _rendered(name, value, language, names) for name, value in params.items()}
    text = _REASONS[clause].format(**words).render(language)
    parts = [text]
    factors = params.get("factors")
    if isinstance(factors, list):
        parts += [_factor(factor, language) for factor in factors]
    if "cap" in params:
        parts.append(_CAP.render(language).format(cap=params["cap"]))
    if "most" in params:
        parts.append(_MOST.render(language).format(most=params["most"]))
    return ", ".join(parts)


def speak(line: ScoreLine, language: str = "en", names: Mapping[str, str] | None = None) -> str:
    """Return a line as a sentence: ``N-S mark 12: 47 − 44 = 3, × 2 for 44, × 2 for no trump``.

    ``names``: of players who play each against all.
    """
    why = reason(line, language, names)
    if line.side is None or line.clause in ("infraction_noted", "call_cancelled"):
        return why
    side = side_name(line.side, language, names)
    if line.params.get("value") == "GAME":
        return f"{_GAME.render(language).format(side=side)}{_COLON.render(language)} {why}"
    form = _ONE_MARKS if len(line.side) == 1 else _MANY_MARK
    marks = f"−{-line.marks}" if line.marks < 0 else str(line.marks)
    text = form.render(language).format(side=side, marks=marks)
    return f"{text}{_COLON.render(language)} {why}"


def texts(language: str) -> dict[str, object]:
    """Return the texts of the lines that a deal without infractions can have, for a program that fills
    them in itself; those that depend on a number as one and many."""
    reasons = {
        clause: text.forms(language) if text.plural else text.render(language)
        for clause, text in _REASONS.items()
        if clause in PLAYED
    }
    return {
        "reasons": reasons,
        "factors": {kind: text.render(language) for kind, text in _FACTORS.items()},
        "cap": _CAP.render(language),
        "most": _MOST.render(language),
        "words": {word: text.render(language) for word, text in _WORDS.items()},
        "one": _ONE_MARKS.render(language),
        "many": _MANY_MARK.render(language),
        "game": _GAME.render(language),
        "colon": _COLON.render(language),
        "ranks": {rank: letter.render(language) for rank, letter in RANK_LETTERS.items()},
        "suits": _SUIT_SIGNS,
        "suit_words": {suit: word.render(language) for suit, word in _SUIT_WORDS.items()},
    }


def _factor(factor: Mapping[str, object], language: str) -> str:
    of = str(factor["of"])
    if factor["kind"] == "doubling" and of in _CALL_TITLES:
        of = _CALL_TITLES[of].render(language)
    return _FACTORS[str(factor["kind"])].render(language).format(value=factor["value"], of=of)


def _rendered(
    name: str, value: object, language: str, names: Mapping[str, str] | None = None
) -> str:
    if name == "card":
        return card_name(str(value), language)
    if name == "played" and isinstance(value, Mapping):
        return _reason(str(value["clause"]), value["params"], language, names)
    if name in ("offender", "player") and value:
        return side_name(str(value), language, names)
    if isinstance(value, str) and value in _WORDS:
        return _WORDS[value].render(language)
    return str(value)


def with_signs(text: str, language: str) -> str:
    """Replace every card code in a text with the reader's suit sign and rank, drawn as text (U+FE0E).

    >>> with_signs("E a joué 7S ; permis : KD", "fr").replace("\\ufe0e", "")
    'E a joué 7♠ ; permis : R♦'
    """
    return _CARD.sub(lambda card: f"{card_name(card[0], language)}\ufe0e", text)
