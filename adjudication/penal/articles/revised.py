"""Articles whose text, words or origin edition 2026.2 gives anew; their amounts are as before.

What a source does not say is marked as this code's recommendation, and the words that people say
at a table find the article.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from adjudication.penal.article import Article, FactField, Origin
from scoring.engine.texts import Texts as T

from . import (
    belgian,
    boussac_conduct,
    boussac_dealing,
    boussac_play,
    parlee,
    recommended,
    tournament,
    tournament_conduct,
    wikipedia,
)

_BEFORE: Final[Mapping[str, Article]] = {
    article.id: article
    for module in (
        parlee.ARTICLES,
        boussac_dealing.ARTICLES,
        boussac_play.ARTICLES,
        boussac_conduct.ARTICLES,
        recommended.CHALOUPEE,
        wikipedia.ARTICLES,
        belgian.BELGIAN,
        tournament.ARTICLES,
        tournament_conduct.ARTICLES,
    )
    for article in module
}


def _joined(first: T, second: T) -> T:
    return T(
        en=f"{first.en} {second.en}", fr=f"{first.fr} {second.fr}", nl=f"{first.nl} {second.nl}"
    )


def _found_by(id: str, words: T) -> Article:
    """The article with more words by which it is found."""
    return replace(_BEFORE[id], keywords=_joined(_BEFORE[id].keywords, words))


def _without_source(id: str) -> Article:
    """A duty of Belgian practice, which none of the five sources states."""
    article = _BEFORE[id]
    origin = T(
        en="Practice of Belgian clubs; none of the five sources has it.",
        fr="Usage de clubs belges ; aucune des cinq sources ne le donne.",
        nl="Gebruik van Belgische clubs; geen van de vijf bronnen heeft het.",
    )
    return replace(article, origin=Origin.ADDITION, text=_joined(article.text, origin))


def _calls() -> tuple[FactField, ...]:
    """The facts of 002-A1 with the calls that come too late or are not allowed (C.5)."""
    offender, what = _BEFORE["002-A1"].facts
    more = (
        ("too_late", T(en="called too late", fr="annonce trop tardive", nl="te laat geboden")),
        (
            "not_enabled",
            T(
                en="not allowed in this event",
                fr="annonce non admise dans ce concours",
                nl="niet toegelaten in deze kaarting",
            ),
        ),
    )
    return (offender, replace(what, choices=(*what.choices, *more)))


ARTICLES: Final[Mapping[str, Article]] = {
    "000-E1": replace(
        _BEFORE["000-E1"],
        title=T(
            en="Message that the opponents cannot understand",
            fr="Message que les adversaires ne peuvent comprendre",
            nl="Boodschap die de tegenpartij niet kan begrijpen",
        ),
        text=T(
            en="A player who answers partner in a non-conventional way, so conveying a message that the opponents cannot understand, offends against ethics: the penalty goes to the opponents.",
            fr="Le joueur qui répond à son partenaire de façon non conventionnelle, véhiculant ainsi un message que les adversaires ne peuvent pas comprendre, manque à l’éthique : la pénalité revient aux adversaires.",
            nl="Een speler die de maat op een niet-gebruikelijke manier antwoordt en zo een boodschap geeft die de tegenpartij niet kan begrijpen, zondigt tegen de ethiek: de straf gaat naar de tegenpartij.",
        ),
    ),
    "001-R5": replace(
        _BEFORE["001-R5"],
        text=T(
            en="Of two cards dropped together the opponents choose which is played. Recommendation beside the source: the other card returns to the hand, and if only one of the two is legal, that one is played.",
            fr="De deux cartes tombées ensemble, les adversaires choisissent laquelle est jouée. Recommandation, hors de la source : l’autre revient en main et, si une seule est permise, c’est elle qui est jouée.",
            nl="Vallen er twee kaarten samen, dan kiest de tegenpartij welke gespeeld is. Aanbeveling, niet uit de bron: de andere gaat terug in de hand en is er maar één toegelaten, dan geldt die.",
        ),
    ),
    "001-R8": replace(
        _BEFORE["001-R8"],
        text=T(
            en="If the player with a wrong number of cards notices it before playing, the dealer’s side pays the penalty. Recommendation beside the source: the deal is lost, and the same holds when that player is the dealer or the dealer’s partner.",
            fr="Si le joueur mal servi s’aperçoit de l’erreur avant de jouer, le camp du donneur paie la pénalité. Recommandation, hors de la source : la donne est perdue, et il en va de même si ce joueur est le donneur ou son partenaire.",
            nl="Merkt de speler met een fout aantal kaarten het voor het spelen, dan betaalt het kamp van de deler de straf. Aanbeveling, niet uit de bron: de gift is verloren, ook als die speler de deler of diens maat is.",
        ),
    ),
    "002-A1": replace(_BEFORE["002-A1"], facts=_calls()),
    "002-A2": replace(
        _BEFORE["002-A2"],
        text=T(
            en="A breach of the duties of card play for which there is no other article costs 34 as in the older rules, not multiplied.",
            fr="Un manquement aux devoirs du jeu de la carte qu’aucun autre article ne prévoit coûte 34 points comme dans les règles anciennes, sans multiplication.",
            nl="Een inbreuk op de plichten van het kaartspel waarvoor er geen ander artikel is, kost 34 punten zoals in de oude regels, zonder vermenigvuldiging.",
        ),
        keywords=T(en="breach", fr="faute jeu de la carte", nl="spelfout"),
    ),
    **{id: _without_source(id) for id in ("BE-P1", "BE-P2", "BE-P3", "BE-P4", "BE-P5")},
    "004-E1": _found_by(
        "004-E1",
        T(
            en="talking speaking to partner",
            fr="parler parle à son partenaire",
            nl="praten spreekt tegen zijn maat",
        ),
    ),
    "001-R7": _found_by(
        "001-R7",
        T(
            en="too many too few cards count",
            fr="trop de cartes trop peu manque",
            nl="te veel te weinig kaarten aantal",
        ),
    ),
    "001-R10": _found_by(
        "001-R10",
        T(en="early lead", fr="hors tour joué trop tôt", nl="voor de beurt te vroeg"),
    ),
    "T-COMM": _found_by(
        "T-COMM",
        T(
            en="talking speaks to partner",
            fr="parler parle à son partenaire",
            nl="praten spreekt tegen zijn maat",
        ),
    ),
    "T-UNSP": _found_by(
        "T-UNSP",
        T(
            en="insulting abuse swearing rude",
            fr="insulte insulter injurier grossier menace",
            nl="beledigen schelden grof bedreiging",
        ),
    ),
}
