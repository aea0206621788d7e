"""Yes, no and paid, as written in the cells of a list; an unclear word is never guessed."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

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
    parted = unicodedata.normalize("NFKD", text.casefold())
    bare = "".join(sign for sign in parted if not unicodedata.combining(sign))
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
