"""Yes, no, paid, called off and waiting, as written in the cells of a list; an unclear word is never guessed."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Final

from .words import unaccented

_WORD: Final = re.compile(r"\d+(?:[.,/-]\d+)*|[^\W\d_]+|[€✓✔☑✅✗✘☒❌]")
_AMOUNT: Final = re.compile(r"\d+(?:[.,]\d{1,2})?")
_DATE: Final = re.compile(r"\d{1,4}(?:[./-]\d{1,4}){1,2}")
_OWED: Final = re.compile(
    r"\b(?:(?:reste |encore )*a (?:payer|regler|verser)|(?:nog |moet )*te (?:betalen|regelen)|(?:still )?to (?:be )?pa(?:y|id)"
    r"|pas encore|nog niet|not yet)\b"
)
"""Phrases that say that something is still to be done."""
_NO: Final = frozenset(
    [
        *(
            "no",
            "not",
            "n",
            "non",
            "pas",
            "ne",
            "nee",
            "neen",
            "niet",
            "geen",
            "jamais",
            "nooit",
            "never",
        ),
        *("false", "faux", "onwaar", "unpaid", "impaye", "impayee", "onbetaald", "owed"),
        *("doit", "moet", "owes", "due", "openstaand", "verschuldigd", "✗", "✘", "☒", "❌"),
    ]
)
_YES: Final = frozenset(
    [
        *("yes", "y", "x", "v", "oui", "o", "ja", "j", "ok", "okay", "true", "vrai", "waar"),
        *("✓", "✔", "☑", "✅"),
    ]
)
_PAID: Final = frozenset(
    [
        *("paid", "paye", "payee", "payes", "regle", "reglee", "acquitte", "verse", "recu"),
        *("betaald", "voldaan", "ontvangen", "gestort", "overgeschreven", "received"),
        *("cash", "liquide", "especes", "virement", "carte", "cheque", "contant", "overschrijving"),
        *("kaart", "bancontact", "payconiq", "transfer", "card", "cb"),
    ]
)
_CURRENCY: Final = frozenset(["€", "eur", "euro", "euros"])
_BESIDE: Final = _CURRENCY | frozenset(
    [
        "a",
        "est",
        "heeft",
        "is",
        "has",
        "par",
        "le",
        "en",
        "via",
        "per",
        "met",
        "op",
        "by",
        "in",
        "on",
        "de",
        "het",
    ]
)
"""Words without meaning next to a yes or no."""
_STILL: Final = frozenset(["nog", "encore", "reste", "still"])
"""Words that are understood beside a no, and nowhere else."""
_SEAT: Final = frozenset(["fixe", "fixed", "vast", "vaste"])
_SCORE: Final = frozenset(
    [
        "ecrit",
        "marque",
        "marqueur",
        "schrijft",
        "schrijver",
        "keeps",
        "score",
        "scorekeeper",
        "tient",
        "la",
    ]
)


def _words(text: str) -> tuple[list[str], bool]:
    """Return the words of a cell without accents and capitals, and whether a phrase means “not yet paid”."""
    bare = unaccented(text)
    rest = _OWED.sub(" ", bare)
    return _WORD.findall(rest), rest != bare


def yes_or_no(text: str) -> bool | None:
    """Return what a cell answers, negations first; ``None`` where it is empty or not understood.

    >>> yes_or_no("VRAI"), yes_or_no("n'écrit pas"), yes_or_no("onwaar"), yes_or_no("peut-être")
    (True, False, False, None)
    """
    words, later = _words(text)
    if words == ["1"]:
        return True
    if words == ["0"] or later:
        return False
    if not words or not set(words) <= _NO | _YES | _SEAT | _SCORE | _BESIDE:
        return None
    return _NO.isdisjoint(words)


def is_paid(text: str) -> bool | None:
    """Return whether a cell marks the fee as paid; ``None`` where it is unclear.

    An empty cell, a zero and a debt mean no. An amount alone, with its currency or its cents, was
    received; any other number may be a start number, a fee or a debt.

    >>> is_paid("payé 10 €"), is_paid("à payer 10 €"), is_paid("10,00"), is_paid("12/11"), is_paid("5")
    (True, False, True, None, None)
    """
    words, later = _words(text)
    amounts = [word for word in words if word[0].isdigit() and _AMOUNT.fullmatch(word)]
    dates = [word for word in words if word[0].isdigit() and word not in amounts]
    others = [word for word in words if not word[0].isdigit()]
    if not words:
        return False if later or not text.strip(" -–—") else None
    if "%" in text or any(not _DATE.fullmatch(date) for date in dates):
        return None
    denied = later or not _NO.isdisjoint(others)
    if not _NO | _YES | _PAID | _BESIDE | (_STILL if denied else set()) >= set(others):
        return None
    if denied:
        return False
    if not (_YES | _PAID).isdisjoint(others):
        return True
    if len(amounts) == 1 and not dates and not text.lstrip().startswith(("-", "−")):
        if not any(sign in "123456789" for sign in amounts[0]):
            return False
        if words == ["1"] or not amounts[0].isdigit() or not _CURRENCY.isdisjoint(others):
            return True
    return None


class Standing(StrEnum):
    """What a list says of a person's place in the event."""

    PLAYS = "plays"
    OFF = "off"
    """Called off: an earlier entry that is no more."""
    WAITING = "waiting"
    """On a waiting list."""


_PLAYS: Final = frozenset(
    [
        "registered",
        "present",
        "presente",
        "inscription",
        "inscrit",
        "inscrite",
        "presence",
        "ingeschreven",
        "aanwezig",
        "confirme",
        "confirmee",
        "confirmed",
        "bevestigd",
        "participe",
        "vient",
        "komt",
        "speelt",
        "playing",
        "attending",
        "accepted",
        "valide",
        "validee",
        "geldig",
        "valid",
        "completed",
        "complete",
        "approved",
    ]
)
_OFF: Final = re.compile(
    r"(?:(?:s ?['’]|est|s|a|is|heeft|has|was|zich|elle|il|zij|hij|they)\b[ '’]*)*"
    r"(?:withdr[ae]w|cancell?ed|annul|geannul|desist|desinscri|forfait|forfeit|abandon|afgemeld|afgezegd"
    r"|uitgeschreven|opgave|opgegeven|teruggetrokken|ingetrokken|retire(?:e?s?)\b|declined|refunded"
    r"|rembourse|terugbetaald|excuse|verontschuldigd|komt niet|ne vient (?:pas|plus)|vient pas"
    r"|not attending|geschrapt|raye).*"
)
"""States of people who are drawn no more, by their stem; a date or a reason may follow."""
_WAITING: Final = re.compile(
    r".*\b(?:wachtlijst|liste d ?['’]? ?attente|en attente|waiting(?: ?list)?|waitlist(?:ed)?|reserve(?:lijst|list)?"
    r"|reservist|wacht)\b.*"
)
_UNSURE: Final = re.compile(
    r"\?|\b(?:pas|non|ne|niet|geen|not|no|toch|finalement|mais|maar|but|peut[ -]etre|misschien|maybe"
    r"|perhaps|possible|mogelijk|revient|retour|revenue?|terug|weer|returned|back)\b"
)
"""Words that turn a state around or leave it open."""
_COMES_NOT: Final = re.compile(
    r"(?:komt|kom|kan|speelt|ik kom|ik kan) (?:jammer genoeg |helaas )?niet.*|(?:je )?ne (?:vient|viens|peux|participe)"
    r" (?:pas|plus).*|(?:not|pas|niet) (?:attending|present|presente|aanwezig|going|coming)"
)
_COMES: Final = re.compile(
    r"(?:ja|oui|yes|ok)?[ ,!.]*(?:ik (?:kom|ben erbij|doe mee|speel mee|ben van de partij)|je (?:viens|serai la|suis la|participe)"
    r"|i ?['’]?(?: a)?m in|i(?: ?['’]?ll| will)? (?:come|be there|play)|count me in|present(?:e)?|aanwezig|komt)(?: ook| aussi| too)?[ !.👍✅]*"
)
_BESIDE_A_NAME: Final = re.compile(
    r"^(.*?\w[.)]?)\s*(?:[-–—:,;]\s*|\s\(|\[)([^()\[\]]+?)[)\]]?\s*$", re.DOTALL
)


def standing(text: str) -> Standing | None:
    """Return what a cell says of a person's place; ``None`` where it is empty or not understood.

    >>> [standing(text) for text in ("Afgemeld op 12/11", "niet afgemeld", "wachtlijst", "OK")]
    [<Standing.OFF: 'off'>, None, <Standing.WAITING: 'waiting'>, <Standing.PLAYS: 'plays'>]
    """
    bare = " ".join(unaccented(text).split())
    if not bare:
        return None
    if bare in _PLAYS or _COMES.fullmatch(bare):
        return Standing.PLAYS
    if _COMES_NOT.fullmatch(bare):
        return Standing.OFF
    if "?" not in bare and _WAITING.fullmatch(bare):
        return None if _UNSURE.search(bare) else Standing.WAITING
    if _OFF.fullmatch(bare):
        return None if _UNSURE.search(bare) else Standing.OFF
    answer = yes_or_no(text)
    if answer is None:
        return None
    return Standing.PLAYS if answer else Standing.OFF


def beside_name(text: str) -> tuple[str, Standing | None]:
    """Return a name without the state written behind it, and that state.

    >>> beside_name("Jan Maes (afgemeld)"), beside_name("Els Claes - reserve"), beside_name("Jan-Piet Oui")
    (('Jan Maes', <Standing.OFF: 'off'>), ('Els Claes', <Standing.WAITING: 'waiting'>), ('Jan-Piet Oui', None))
    """
    behind = _BESIDE_A_NAME.match(text)
    if behind:
        bare = " ".join(unaccented(behind[2]).split())
        if bare and not _UNSURE.search(bare) and (_OFF.fullmatch(bare) or _WAITING.fullmatch(bare)):
            return behind[1].strip(), standing(behind[2])
        if _COMES_NOT.fullmatch(bare):
            return behind[1].strip(), Standing.OFF
    return text, None
