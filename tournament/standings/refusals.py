"""Every refusal of the standings in the three languages, by its code."""

from __future__ import annotations

from typing import Final

from scoring.engine.texts import Texts
from tournament.standings.errors import StandingsError

REFUSALS: Final[dict[str, Texts]] = {
    "cap": Texts(
        en="A cap must be at least 1.",
        fr="Un plafond vaut au moins 1.",
        nl="Een plafond is minstens 1.",
    ),
    "club-criteria": Texts(
        en="No criterion of this standing can be added up for clubs.",
        fr="Aucun critère de ce classement ne s'additionne pour les clubs.",
        nl="Geen enkel criterium van dit klassement is voor clubs op te tellen.",
    ),
    "club-members": Texts(
        en="At least one member of a club must count.",
        fr="Au moins un membre du club doit compter.",
        nl="Minstens één lid van een club moet meetellen.",
    ),
    "criterion-parameter": Texts(
        en="A setting of the criterion {criterion} cannot be used.",
        fr="Un réglage du critère {criterion} est inutilisable.",
        nl="Een instelling van het criterium {criterion} is onbruikbaar.",
    ),
    "criterion-repeated": Texts(
        en="A criterion comes twice in the ranking rule.",
        fr="Un critère figure deux fois dans la règle de classement.",
        nl="Een criterium staat tweemaal in de klassementsregel.",
    ),
    "criterion-twice": Texts(
        en="Two criteria have the same code {criterion}.",
        fr="Deux critères ont le même code {criterion}.",
        nl="Twee criteria hebben dezelfde code {criterion}.",
    ),
    "cut": Texts(
        en="A cut needs at least one place.",
        fr="Une qualification demande au moins une place.",
        nl="Een kwalificatie vraagt minstens één plaats.",
    ),
    "cut-round": Texts(
        en="Table winners need the round whose tables count.",
        fr="Pour les vainqueurs de table, il faut dire de quel tour.",
        nl="Voor de tafelwinnaars moet de ronde bekend zijn.",
    ),
    "cut-table": Texts(
        en="Table winners need the table of every result.",
        fr="Pour les vainqueurs de table, chaque résultat doit avoir sa table.",
        nl="Voor de tafelwinnaars moet elk resultaat een tafel hebben.",
    ),
    "entrant-twice": Texts(
        en="{id} is entered twice.",
        fr="{id} est inscrit deux fois.",
        nl="{id} is tweemaal ingeschreven.",
    ),
    "game-twice": Texts(
        en="Round {round_no}, game {game_no} of {id} is there twice.",
        fr="La manche {game_no} de {id} au tour {round_no} figure deux fois.",
        nl="Boom {game_no} van {id} in ronde {round_no} staat er tweemaal.",
    ),
    "no-criterion": Texts(
        en="A ranking rule needs at least one criterion.",
        fr="Une règle de classement demande au moins un critère.",
        nl="Een klassementsregel vraagt minstens één criterium.",
    ),
    "not-a-list": Texts(
        en="{key} must be a list.",
        fr="{key} doit être une liste.",
        nl="{key} moet een lijst zijn.",
    ),
    "not-a-table": Texts(
        en="{key} must be a table of named values.",
        fr="{key} doit être une table de valeurs nommées.",
        nl="{key} moet een tabel van benoemde waarden zijn.",
    ),
    "not-a-text": Texts(
        en="{key} must be a text.",
        fr="{key} doit être un texte.",
        nl="{key} moet een tekst zijn.",
    ),
    "not-exact": Texts(
        en="{key} must be an integer or a fraction n/d.",
        fr="{key} doit être un entier ou une fraction n/d.",
        nl="{key} moet een geheel getal of een breuk n/d zijn.",
    ),
    "not-whole": Texts(
        en="{key} must be whole.",
        fr="{key} doit être entier.",
        nl="{key} moet een geheel getal zijn.",
    ),
    "opponents-without-play": Texts(
        en="{id} did not play in round {round_no} but has opponents.",
        fr="{id} n'a pas joué au tour {round_no} mais a des adversaires.",
        nl="{id} speelde niet in ronde {round_no} maar heeft tegenstanders.",
    ),
    "own-opponent": Texts(
        en="{id} meets himself in round {round_no}.",
        fr="{id} se rencontre lui-même au tour {round_no}.",
        nl="{id} ontmoet zichzelf in ronde {round_no}.",
    ),
    "parameter-type": Texts(
        en="The setting {parameter} of {criterion} is of the wrong kind.",
        fr="Le réglage {parameter} de {criterion} n'est pas du bon type.",
        nl="De instelling {parameter} van {criterion} is van de verkeerde soort.",
    ),
    "points-of-maximum": Texts(
        en="The points of {id} in round {round_no} do not fit their maximum.",
        fr="Les points de {id} au tour {round_no} ne vont pas avec leur maximum.",
        nl="De punten van {id} in ronde {round_no} kloppen niet met hun maximum.",
    ),
    "prize": Texts(
        en="A prize needs a place from 1 and something to win.",
        fr="Un prix demande une place à partir de 1 et quelque chose à gagner.",
        nl="Een prijs vraagt een plaats vanaf 1 en iets te winnen.",
    ),
    "prize-twice": Texts(
        en="Place {place} has two prizes.",
        fr="La place {place} a deux prix.",
        nl="Plaats {place} heeft twee prijzen.",
    ),
    "unfinished-game": Texts(
        en="A game of {id} in round {round_no} lacks its outcome.",
        fr="L'issue d'une manche de {id} au tour {round_no} manque.",
        nl="De uitslag van een boom van {id} in ronde {round_no} ontbreekt.",
    ),
    "unknown-choice": Texts(
        en="{key} is none of the choices: {options}.",
        fr="{key} n'est aucun des choix : {options}.",
        nl="{key} is geen van de keuzes: {options}.",
    ),
    "unknown-criterion": Texts(
        en="There is no criterion {criterion}.",
        fr="Il n'y a pas de critère {criterion}.",
        nl="Er is geen criterium {criterion}.",
    ),
    "unknown-entrant": Texts(
        en="{id} is not entered.",
        fr="{id} n'est pas inscrit.",
        nl="{id} is niet ingeschreven.",
    ),
    "unknown-key": Texts(
        en="A ranking rule has no setting {key}.",
        fr="Une règle de classement n'a pas de réglage {key}.",
        nl="Een klassementsregel heeft geen instelling {key}.",
    ),
    "unknown-parameter": Texts(
        en="{criterion} has no setting {parameter}.",
        fr="{criterion} n'a pas de réglage {parameter}.",
        nl="{criterion} heeft geen instelling {parameter}.",
    ),
}


def explained(refusal: StandingsError, language: str) -> str:
    """The refusal as a sentence in ``language``."""
    return REFUSALS[refusal.code].to(language).format(**refusal.params)
