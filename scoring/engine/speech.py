"""Score lines as sentences to read aloud, in English, French and Dutch.

``reason`` is the arithmetic alone ("47 − 44 = 3, × 2 for 44"), ``speak`` the whole sentence
("N-S mark 12: …"). Refusals are put into words by :mod:`~scoring.engine.speech_refusals`, whose
``explain`` is offered here too. Terms are those of the glossary (rules specification D.3).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from .rulebooks import RULEBOOKS
from .speech_refusals import explain
from .texts import Texts

if TYPE_CHECKING:
    from .score_clauses import ScoreLine

__all__ = ["explain", "reason", "side_name", "speak", "with_signs"]

_SUIT_SIGNS: Final = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
_CARD: Final = re.compile(r"\b(10|[AKQJ987])([SHDC])\b")

_FACTORS: Final[Mapping[str, Texts]] = {
    "level": Texts("× {value} for {of}", "× {value} pour {of}", "× {value} voor {of}"),
    "no_trump": Texts(
        "× {value} for no trump", "× {value} pour sans atout", "× {value} voor zonder troef"
    ),
    "blind": Texts(
        "× {value} for blind trump", "× {value} pour atout aveugle", "× {value} voor blinde troef"
    ),
    "doubling": Texts("× {value} for {of}", "× {value} pour {of}", "× {value} voor {of}"),
    "all_tricks": Texts(
        "× {value} for all the tricks", "× {value} pour tous les plis", "× {value} voor alle slagen"
    ),
    "no_exchange": Texts(
        "× {value} for no exchange", "× {value} sans échange", "× {value} zonder ruil"
    ),
}
_CAP: Final = Texts("held to × {cap}", "limité à × {cap}", "begrensd tot × {cap}")

_EXCESS: Final = Texts(
    "{points} − {mark} = {difference}",
    "{points} − {mark} = {difference}",
    "{points} − {mark} = {difference}",
)
_SHORTFALL: Final = Texts(
    "{mark} − {points} = {difference}",
    "{mark} − {points} = {difference}",
    "{mark} − {points} = {difference}",
)

_REASONS: Final[Mapping[str, Texts]] = {
    "turn_up": Texts("{card} turned up", "retourne {card}", "gekeerde kaart {card}"),
    "turn_up_cancelled": Texts(
        "{card} turned up, {why}: the bonus does not count",
        "retourne {card}, {why} : la prime ne compte pas",
        "gekeerde kaart {card}, {why}: de premie telt niet",
    ),
    "deal_won": _EXCESS,
    "sweep": Texts("every trick won: 60", "tous les plis : 60", "alle slagen gehaald: 60"),
    "deal_tied": Texts(
        "{points} each: nobody marks",
        "{points} partout : personne ne marque",
        "{points} gelijk: niemand noteert",
    ),
    "contract_made": _EXCESS,
    "contract_failed": _SHORTFALL,
    "contract_tied": Texts(
        "exactly {mark}: nobody marks",
        "{mark} juste : personne ne marque",
        "juist {mark}: niemand noteert",
    ),
    "generale_made": Texts("générale made", "générale réussie", "générale gehaald"),
    "generale_failed": Texts("générale failed", "générale perdue", "générale verloren"),
    "stake_won": Texts(
        "{points} points, {mark} needed: {stake} from each of {others}",
        "{points} points pour {mark} : {stake} de chacun des {others}",
        "{points} punten, {mark} nodig: {stake} van elk van de {others}",
    ),
    "stake_lost": Texts(
        "{points} points, {mark} needed: {stake} to each of {others}",
        "{points} points pour {mark} : {stake} à chacun des {others}",
        "{points} punten, {mark} nodig: {stake} aan elk van de {others}",
    ),
    "stake_paid": Texts("pays {player}", "paie à {player}", "betaalt aan {player}"),
    "stake_received": Texts("from {player}", "reçu de {player}", "van {player}"),
    "bid_made": Texts("bid of {bid} made", "enchère de {bid} réussie", "bod van {bid} gehaald"),
    "bid_failed": Texts("bid of {bid} failed", "enchère de {bid} perdue", "bod van {bid} verloren"),
    "penalty": Texts(
        "penalty {article} against {offender}: {amount}",
        "pénalité {article} contre {offender} : {amount}",
        "straf {article} tegen {offender}: {amount}",
    ),
    "penalty_debit": Texts(
        "penalty {article}: {amount}", "pénalité {article} : {amount}", "straf {article}: {amount}"
    ),
    "penalty_floor": Texts(
        "the deal as played gives more than the penalty {article} against {offender}: {played}",
        "la donne jouée rapporte plus que la pénalité {article} contre {offender} : {played}",
        "de gespeelde gift brengt meer op dan de straf {article} tegen {offender}: {played}",
    ),
    "stake_kept": Texts(
        "pays {stake} more to {player}, who keeps the deal as played",
        "paie {stake} de plus à {player}, qui garde la donne jouée",
        "betaalt {stake} meer aan {player}, die de gespeelde gift houdt",
    ),
    "void_hand": Texts(
        "penalty {article}, as if the bid of {bid} had failed",
        "pénalité {article}, comme si l'enchère de {bid} était perdue",
        "straf {article}, alsof het bod van {bid} verloren was",
    ),
    "void_hand_stake": Texts(
        "penalty {article}, as if the hand had failed: {stake} to each of {others}",
        "pénalité {article}, comme si le coup était perdu : {stake} à chacun des {others}",
        "straf {article}, alsof de gift verloren was: {stake} aan elk van de {others}",
    ),
    "penalties_cancel": Texts(
        "both sides at fault: the penalties cancel and the deal is void",
        "les deux camps en faute : les pénalités s'annulent et le coup est nul",
        "beide kampen in fout: de straffen vallen weg en de gift is ongeldig",
    ),
    "infraction_noted": Texts(
        "{article} noted, without marks",
        "{article} noté, sans points",
        "{article} genoteerd, zonder punten",
    ),
    "call_cancelled": Texts(
        "{article}: the call is null, its factor is taken out",
        "{article} : l’annonce est nulle, son facteur est retiré",
        "{article}: de aankondiging is nietig, de factor ervan vervalt",
    ),
    "redeal": Texts("redeal by {dealer}", "redonne par {dealer}", "hergeven door {dealer}"),
}

_WORDS: Final[Mapping[str, Texts]] = {
    "no_valid_deal": Texts("no valid deal", "pas de donne valable", "geen geldige gift"),
    "tie": Texts("tied deal", "coup nul", "gelijke gift"),
    "same_dealer": Texts("the same dealer", "le même donneur", "dezelfde deler"),
    "next_dealer": Texts("the next dealer", "le donneur suivant", "de volgende deler"),
    "all": Texts("all the tricks", "tous les plis", "alle slagen"),
}

_ONE_MARKS: Final = Texts("{side} marks {marks}", "{side} marque {marks}", "{side} noteert {marks}")
_MANY_MARK: Final = Texts(
    "{side} mark {marks}", "{side} marquent {marks}", "{side} noteren {marks}"
)
_GAME: Final = Texts("{side} win the game", "{side} gagnent la manche", "{side} winnen de boom")

_CALL_NAMES: Final = {call.name.en: call.name for book in RULEBOOKS.values() for call in book.calls}

_SEATS: Final[Mapping[str, Texts]] = {
    "N": Texts("N", "N", "N"),
    "E": Texts("E", "E", "O"),
    "S": Texts("S", "S", "Z"),
    "W": Texts("W", "O", "W"),
}
_RANKS: Final[Mapping[str, Texts]] = {
    "A": Texts("A", "A", "A"),
    "K": Texts("K", "R", "H"),
    "Q": Texts("Q", "D", "V"),
    "J": Texts("J", "V", "B"),
}


def side_name(side: str, language: str) -> str:
    """A side as people say it: ``N-S`` (fr ``N-S``, nl ``N-Z``), ``1 + 2``.

    >>> side_name("EW", "fr")
    'E-O'
    """
    if side and side[0] in _SEATS:
        return "-".join(_SEATS[seat].to(language) for seat in side)
    return " + ".join(side)


def card_name(card: str, language: str) -> str:
    """A card with its suit sign and the rank's local letter: ``KH`` is ``K♥``, ``R♥``, ``H♥``."""
    rank, suit = card[:-1], card[-1]
    shown = _RANKS[rank].to(language) if rank in _RANKS else rank
    return shown + _SUIT_SIGNS[suit]


def reason(line: ScoreLine, language: str = "en") -> str:
    """Why a line's marks are what they are, without saying to whom they go."""
    return _reason(line.clause, line.params, language)


def _reason(clause: str, params: Mapping[str, object], language: str) -> str:
    text = (
        _REASONS[clause]
        .to(language)
        .format_map({name: _said(name, value, language) for name, value in params.items()})
    )
    parts = [text]
    factors = params.get("factors")
    if isinstance(factors, list):
        parts += [_factor(factor, language) for factor in factors]
    if "cap" in params:
        parts.append(_CAP.to(language).format(cap=params["cap"]))
    return ", ".join(parts)


def speak(line: ScoreLine, language: str = "en") -> str:
    """A whole line as a sentence: ``N-S mark 12: 47 − 44 = 3, × 2 for 44, × 2 for no trump``."""
    why = reason(line, language)
    if line.side is None or line.clause in ("infraction_noted", "call_cancelled"):
        return why
    side = side_name(line.side, language)
    if line.params.get("value") == "GAME":
        colon = "\u00a0:" if language[:2].lower() == "fr" else ":"
        return f"{_GAME.to(language).format(side=side)}{colon} {why}"
    form = _ONE_MARKS if len(line.side) == 1 else _MANY_MARK
    marks = f"−{-line.marks}" if line.marks < 0 else str(line.marks)
    said = form.to(language).format(side=side, marks=marks)
    return f"{said}{' ' if language[:2].lower() == 'fr' else ''}: {why}"


def _factor(factor: Mapping[str, object], language: str) -> str:
    of = str(factor["of"])
    if factor["kind"] == "doubling" and of in _CALL_NAMES:
        of = _CALL_NAMES[of].to(language)
    return _FACTORS[str(factor["kind"])].to(language).format(value=factor["value"], of=of)


def _said(name: str, value: object, language: str) -> str:
    if name == "card":
        return card_name(str(value), language)
    if name == "played" and isinstance(value, Mapping):
        return _reason(str(value["clause"]), value["params"], language)
    if name in ("offender", "player") and value:
        return side_name(str(value), language)
    if isinstance(value, str) and value in _WORDS:
        return _WORDS[value].to(language)
    return str(value)


def with_signs(text: str, language: str) -> str:
    """A text with every card code in it as the reader's cards show it, drawn as text (U+FE0E).

    >>> with_signs("E a joué 7S ; permis : KD", "fr").replace("\\ufe0e", "")
    'E a joué 7♠ ; permis : R♦'
    """
    return _CARD.sub(lambda card: f"{card_name(card[0], language)}\ufe0e", text)
