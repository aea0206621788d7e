"""Yes, no, paid, called off and waiting, as written in the cells of a list; an unclear word is never guessed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from .words import unaccented

_WORD: Final = re.compile(r"\d+(?:[.,/-]\d+)*|[^\W\d_]+|[€✓✔☑✅✗✘☒❌]")
_FIGURE: Final = re.compile(r"\d+(?:[.,]\d{1,2})?|\d{1,4}(?:[./-]\d{1,4}){1,2}")
"""An amount or a date."""
_WHEN: Final = re.compile(
    r"\b\d{1,4}[./-]\d{1,2}(?:[./-]\d{1,4})?(?:[ t]+\d{1,2}[:.h]\d{2}(?::\d{2})?)?\b"
    r"|\b\d{1,2} (?:jan|feb|fev|mar|maart|mrt|apr|avr|mei|mai|may|jun|juin|jul|juil|aug|aou|sep|okt|oct|nov|dec)[a-z]*\.?"
    r"(?: \d{4})?|\b(?:op|le|on)\b(?= *\d)"
)
"""A date in a cell, with or without its time."""
_REASON: Final = re.compile(r"\s*[(\[].*|(?<=\w)\s*[,;:](?=\s).*|(?<=\w)\s+[-–—]\s.*", re.DOTALL)
"""A reason behind an answer."""
_OWED: Final = re.compile(
    r"\b(?:(?:(?:reste |encore )*a (?:payer|regler)|(?:nog )?te betalen|betaalt|zal betalen|paie(?:ra)?|payera|(?:will )?pays?) "
    r"(?:ter plaatse|sur place|aan de (?:deur|kassa|ingang)|a l ?['’] ?entree|at the door|on site|on the day)"
    r"|(?:reste |encore )*a (?:payer|regler|verser)|(?:nog |moet )*te (?:betalen|regelen)|(?:still )?to (?:be )?pa(?:y|id)"
    r"|pas encore|nog niet|not yet)\b"
)
"""Phrases that say that something is still to be done."""
_OWING: Final = frozenset(
    [
        "unpaid",
        "impaye",
        "impayee",
        "onbetaald",
        "owed",
        "owes",
        "due",
        "openstaand",
        "verschuldigd",
    ]
)
"""Words of a debt."""
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
        *("false", "faux", "onwaar", "doit", "moet", "✗", "✘", "☒", "❌"),
        *_OWING,
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
        *("virement", "overschrijving", "transfer"),
    ]
)
_AT_DOOR: Final = frozenset(
    [
        *("cash", "liquide", "especes", "carte", "cheque", "contant", "kaart", "bancontact"),
        *("payconiq", "card", "cb"),
    ]
)
"""Means of payment that may also be a promise: alone they are asked about."""
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

    An empty cell, a zero and a debt mean no. An amount may be a part or a debt, a date the day of a promise.

    >>> is_paid("payé"), is_paid("à payer 10 €"), is_paid("10 €"), is_paid("OK 27/11"), is_paid("1")
    (True, False, None, None, None)
    """
    words, later = _words(text)
    figures = [word for word in words if word[0].isdigit()]
    others = {word for word in words if not word[0].isdigit()}
    if not words:
        return False if later or not text.strip(" -–—") else None
    if "%" in text:
        return None
    denied = later or not _NO.isdisjoint(others)
    if not _NO | _YES | _PAID | _AT_DOOR | _BESIDE | (_STILL if denied else set()) >= others:
        return None
    if denied:
        return False if all(map(_FIGURE.fullmatch, figures)) else None
    if figures:
        nought = len(figures) == 1 and not set(figures[0]) & set("123456789")
        return False if nought and others <= _CURRENCY else None
    return None if (_YES | _PAID).isdisjoint(others) else True


def is_off(text: str) -> bool | None:
    """Return whether a cell below “called off” says so; ``None`` where it is unclear.

    A yes, a cross, a date or a word of the state mean called off, a no and an empty cell the contrary; a reason
    in brackets or behind a comma may follow.

    >>> is_off("ja (ziek)"), is_off("27/11/2026"), is_off("nee"), is_off(""), is_off("?")
    (True, True, False, False, None)
    """
    if not text.strip(" -–—"):
        return False
    bare = " ".join(unaccented(_REASON.sub("", text)).split())
    if "?" in text or (_UNSURE.search(unaccented(text)) and yes_or_no(text) is None):
        return None
    rest = _WHEN.sub(" ", bare).strip(" ,;:-–—")
    if bare and not rest:
        return True
    answer = yes_or_no(rest)
    if answer is not None:
        return answer
    state = standing(rest)
    return None if state not in (Standing.OFF, Standing.PLAYS) else state is Standing.OFF


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
        "going",
        "accepted",
        "valide",
        "validee",
        "geldig",
        "valid",
        "completed",
        "complete",
        "approved",
        "actif",
        "active",
        "actief",
    ]
)
_OFF: Final = re.compile(
    r"(?:(?:s ?['’]|est|s|a|is|heeft|has|was|zich|elle|il|zij|hij|they)\b[ '’]*)*"
    r"(?:withdr[ae]w|cancell?ed|annul|geannul|desist|desinscri|forfait|forfeit|abandon|afgemeld|afgezegd|afgebeld|afgehaakt|(?:belt|haakt|zegt) af|gecanceld"
    r"|uitgeschreven|opgave|opgegeven|teruggetrokken|ingetrokken|retire(?:e?s?)\b|declined|refunded"
    r"|rembourse|terugbetaald|excuse|afwezig|absente?s?\b|verontschuldigd|komt niet|ne vient (?:pas|plus)|vient pas"
    r"|not attending|geschrapt|raye).*"
)
"""States of people who are drawn no more, by their stem; a date or a reason may follow."""
_WAITING: Final = re.compile(
    r".*\b(?:wachtlijst|liste d ?['’]? ?attente|en attente|waiting(?: ?list)?|waitlist(?:ed)?|reserve(?:lijst|list|[ns])?"
    r"|reservist|wacht)\b.*"
)
_UNSURE: Final = re.compile(
    r"\?|\b(?:pas|non|ne|niet|geen|not|no|toch|finalement|mais|maar|but|peut[ -]etre|misschien|maybe"
    r"|perhaps|possible|mogelijk|revient|retour|revenue?|terug|weer|returned|back)\b"
)
"""Words that turn a state around or leave it open."""
_COMES_NOT: Final = re.compile(
    r"(?:(?:sorry|helaas|desole?e?)[ ,!.]*)?(?:komt|kom|kan|speelt|ik kom|ik kan) (?:jammer genoeg |helaas )?niet.*|(?:je )?ne (?:vient|viens|peux|participe)"
    r" (?:pas|plus).*|(?:not|pas|niet) (?:attending|present|presente|aanwezig|going|coming)"
    r"|(?:i )?(?:can ?['’]?t|cannot|can not) (?:go|come|make it|attend|play).*"
)
_COMES: Final = re.compile(
    r"(?:ja|oui|yes|ok)?[ ,!.]*(?:ik ook|moi aussi|me too|ik (?:kom|ben erbij|doe mee|speel mee|ben van de partij)|je (?:viens|serai la|suis la|participe)"
    r"|j ?['’]?y serai|(?:ben|zijn) erbij|doe mee|avec plaisir|bien sur|d ?['’]?accord|graag|zeker|natuurlijk|met plezier|ok pour moi|i ?['’]?(?: a)?m in|i(?: ?['’]?ll| will)? (?:come|be there|play)|count me in|present(?:e)?|aanwezig|komt)(?: ook| aussi| too)?[ !.👍✅]*"
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
    if speaks_of_money(text):
        return Standing.PLAYS if is_paid(text) else None
    answer = yes_or_no(text)
    if answer is None:
        return None
    return Standing.PLAYS if answer else Standing.OFF


def speaks_of_money(text: str) -> bool:
    """Whether a state is that of the payment, as ticket shops write it: who owes has not called off.

    >>> [speaks_of_money(text) for text in ("Payé", "onbetaald", "à payer", "annulé", "OK")]
    [True, True, True, False, False]
    """
    words, later = _words(text)
    return later or not (_PAID | _OWING).isdisjoint(words)


@dataclass(frozen=True, slots=True)
class Beside:
    """A name without the words behind it, and what these say."""

    name: str
    standing: Standing | None = None
    paid: str = ""
    """The words about the payment."""
    unclear: str = ""
    """Words about the person's place that leave it open."""


def comes(text: str) -> bool | None:
    """Return whether a message says that its writer comes; ``None`` where it says something else.

    >>> comes("ik ook"), comes("Sorry, kan niet"), comes("Rita Goossens")
    (True, False, None)
    """
    bare = " ".join(unaccented(text).split())
    if _COMES_NOT.fullmatch(bare):
        return False
    return True if _COMES.fullmatch(bare) else None


_LONGEST_NAME: Final = 10
"""Words of the longest name behind which a state is looked for."""


def beside_name(text: str) -> Beside:
    """Return a name without the state or the payment written behind it, and these.

    Brackets, a dash or a comma part them from the name; without a sign two words remain for the name, and only
    words count that are hardly a surname.

    >>> beside_name("Jan Maes (afgemeld)").standing, beside_name("Els Claes - reserve").standing
    (<Standing.OFF: 'off'>, <Standing.WAITING: 'waiting'>)
    >>> [(each.name, each.paid) for each in map(beside_name, ("Sofie De Vos betaald", "Jan Pot 10€", "An Cash"))]
    [('Sofie De Vos', 'betaald'), ('Jan Pot', '10€'), ('An Cash', '')]
    """
    behind = _BESIDE_A_NAME.match(text)
    if behind:
        beside = _meaning(behind[1].strip(), behind[2])
        if beside:
            return beside
    words = text.split()
    for at in range(2, min(len(words), _LONGEST_NAME + 1)):
        tail = " ".join(words[at:])
        bare = unaccented(tail)
        if _TAIL.match(bare) and (beside := _meaning(" ".join(words[:at]), tail)):
            return beside
    return Beside(text)


def _meaning(name: str, words: str) -> Beside | None:
    """Return what words behind a name say; ``None`` where they belong to it."""
    bare = " ".join(unaccented(words).split())
    if not bare:
        return None
    if _COMES_NOT.fullmatch(bare):
        return Beside(name, Standing.OFF)
    if _OFF.fullmatch(bare) or _WAITING.fullmatch(bare):
        place = standing(words)
        return Beside(name, place) if place else Beside(name, unclear=words)
    if not _MONEY.search(bare):
        return Beside(name, unclear=words) if _TURNED_OFF.match(bare) else None
    written, later = _words(words)
    known = _NO | _YES | _PAID | _AT_DOOR | _BESIDE | _STILL
    if later or {word for word in written if not word[0].isdigit()} <= known:
        return Beside(name, paid=words)
    return None


_MONEY: Final = re.compile(
    r"€|\b(?:eur|euros?|cash|liquide|especes|contant|bancontact|payconiq|virement|overschrijving"
    r"|(?:im|on)?(?:pay(?:ee?s?|er)|betaald|betalen)|(?:un)?paid|to pay|regle(?:e|r)?|acquitte|voldaan|gestort"
    r"|overgeschreven)\b"
)
"""Words of a payment; the others mean it below a heading only."""
_TURNED_OFF: Final = re.compile(
    r"(?:niet|pas|toch|not|finalement)\b.*\b(?:afgemeld|afgezegd|desiste|annule|withdrawn|cancelled)"
)
_TAIL: Final = re.compile(
    r"(?:(?:s ?['’] ?est|est|is|heeft|has|zich|nog|pas|niet|not|non|toch|al|deja|reste|encore|still|doit|moet|a|te|to|op"
    r"|en|sur|de|la|il|hij|zij|elle) ?)*(?:\d+(?:[.,]\d{1,2})? ?(?:€|eur)|(?:€|eur) ?\d|(?:im|on)?(?:pay(?:ee?s?|er)"
    r"|betaald|betalen)\b|(?:un)?paid\b|pay\b|regle[er]?\b|acquitte|voldaan\b|virement\b|overschrijving\b|encore\b"
    r"|cash\b|bancontact\b|payconiq\b|withdr[ae]wn?\b|cancell?ed\b|annul(?:e|ee|atie|ation)\b"
    r"|geannuleerd\b|desist\w+|desinscri\w+|forfait\b|forfeit\b|afgemeld\b|afgezegd\b|uitgeschreven\b|opgegeven\b"
    r"|teruggetrokken\b|excusee?\b|verontschuldigd\b|vient (?:pas|plus)\b|komt niet\b|wachtlijst\b"
    r"|liste d ?['’]? ?attente\b|attente\b|waiting ?list\b|waitlist(?:ed)?\b|reserve\b|reservist\b)"
)
"""Words that no surname begins with: the state and the payment behind a name that no sign parts from them."""
