"""The words for the stable values of the penal code, in three languages (glossary D.3)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from scoring.engine.texts import Texts as T

from .article import Beneficiary, Charge, DealRule, Kind, Measure, Origin, Who

KINDS: Final[Mapping[Kind, T]] = {
    Kind.CARD_PLAY: T(en="card play", fr="jeu de la carte", nl="kaartspel"),
    Kind.DEALING: T(en="dealing", fr="donne", nl="delen"),
    Kind.CALLS: T(en="calls", fr="annonces", nl="bieden"),
    Kind.TALK: T(en="talk", fr="parole", nl="spreken"),
    Kind.CONDUCT: T(en="conduct", fr="conduite", nl="gedrag"),
    Kind.TOURNAMENT: T(en="tournament", fr="tournoi", nl="tornooi"),
}
ORIGINS: Final[Mapping[Origin, T]] = {
    Origin.SOURCE: T(en="from the source", fr="de la source", nl="uit de bron"),
    Origin.RECOMMENDED: T(
        en="duty from the source, sanction recommended",
        fr="devoir de la source, sanction recommandée",
        nl="plicht uit de bron, straf aanbevolen",
    ),
    Origin.ADDITION: T(
        en="addition: tournament practice",
        fr="ajout : usage de tournoi",
        nl="toevoeging: tornooipraktijk",
    ),
    Origin.HOUSE: T(en="house article", fr="article de l’épreuve", nl="huisartikel"),
}
WHO: Final[Mapping[Who, T]] = {
    Who.PLAYER: T(en="a player", fr="un joueur", nl="een speler"),
    Who.DEALER: T(en="the dealer", fr="le donneur", nl="de deler"),
    Who.SIDE: T(en="a side", fr="un camp", nl="een kamp"),
    Who.PARTNER_OR_OPPONENT: T(
        en="the leader's partner or an opponent",
        fr="le partenaire du premier à jouer, ou un adversaire",
        nl="de maat van wie uitkomt, of een tegenstander",
    ),
    Who.DEALERS_PARTNER: T(
        en="the dealer's partner", fr="le partenaire du donneur", nl="de maat van de deler"
    ),
    Who.BIDDER: T(en="the player calling", fr="le joueur qui annonce", nl="de speler die biedt"),
    Who.ENTRANT: T(en="an entrant", fr="un inscrit", nl="een deelnemer"),
    Who.BYSTANDER: T(en="a bystander", fr="un spectateur", nl="een toeschouwer"),
    Who.NOBODY: T(en="nobody: an accident", fr="personne : accident", nl="niemand: toeval"),
}
CHARGES: Final[Mapping[Charge, T]] = {
    Charge.NONE: T(en="none", fr="aucune", nl="geen"),
    Charge.PENALTY: T(
        en="the penalty (half of the deal: 34 or 30)",
        fr="la pénalité (moitié de la donne : 34 ou 30)",
        nl="de straf (de helft van de gift: 34 of 30)",
    ),
    Charge.DEAL_TOTAL: T(
        en="all the points of the deal (68 or 60)",
        fr="tous les points de la donne (68 ou 60)",
        nl="alle punten van de gift (68 of 60)",
    ),
    Charge.LADDER: T(en="rises with repetition or time", fr="par paliers", nl="stijgt trapsgewijs"),
}
BENEFICIARIES: Final[Mapping[Beneficiary, T]] = {
    Beneficiary.OPPONENTS: T(en="the opponents", fr="les adversaires", nl="de tegenpartij"),
    Beneficiary.EACH_OPPONENT: T(en="each opponent", fr="chaque adversaire", nl="elke tegenspeler"),
    Beneficiary.NOBODY: T(en="nobody", fr="personne", nl="niemand"),
}
DEAL_RULES: Final[Mapping[DealRule, T]] = {
    DealRule.REPLACED: T(
        en="the penalty replaces the result of the deal; the deal passes on",
        fr="la pénalité remplace le résultat de la donne ; la donne passe",
        nl="de straf vervangt het resultaat van de gift; de gift gaat door",
    ),
    DealRule.LOST: T(
        en="no valid deal: no result, no turn-up bonus; the deal passes on",
        fr="pas de donne valable : ni résultat ni prime de retourne ; la donne passe",
        nl="geen geldige gift: geen resultaat, geen premie van de keerkaart; de gift gaat door",
    ),
    DealRule.STANDS: T(en="the deal stands", fr="la donne est bonne", nl="de gift geldt"),
    DealRule.REDEALT: T(
        en="void; the same dealer deals again",
        fr="nulle ; le même donneur redonne",
        nl="ongeldig; dezelfde deler deelt opnieuw",
    ),
    DealRule.PASSES: T(
        en="void; the next player deals",
        fr="nulle ; la donne passe au suivant",
        nl="ongeldig; de volgende speler deelt",
    ),
    DealRule.CANCELLED: T(
        en="cancelled, not dealt again",
        fr="annulée, sans nouvelle donne",
        nl="vervalt, niet overgedaan",
    ),
    DealRule.CHOICE: T(
        en="as the opponents choose",
        fr="au choix des adversaires",
        nl="naar keuze van de tegenpartij",
    ),
}
MEASURES: Final[Mapping[Measure, T]] = {
    Measure.NONE: T(en="no measure", fr="aucune mesure", nl="geen maatregel"),
    Measure.WARNING: T(en="warning", fr="avertissement", nl="waarschuwing"),
    Measure.PUT_RIGHT: T(
        en="put right at the table", fr="remise en ordre à la table", nl="rechtgezet aan tafel"
    ),
    Measure.PENALTY: T(en="penalty in marks", fr="pénalité en points", nl="strafpunten"),
    Measure.DEALS_CONCEDED: T(en="deals conceded", fr="donnes concédées", nl="giften afgestaan"),
    Measure.CALL_VOID: T(
        en="call cancelled and replaced",
        fr="annonce annulée et remplacée",
        nl="bod vervalt en wordt vervangen",
    ),
    Measure.BARRED_FROM_BIDDING: T(
        en="side barred from bidding in this deal",
        fr="le camp n’enchérit plus de cette donne",
        nl="kamp biedt deze gift niet meer",
    ),
    Measure.REDEAL: T(
        en="same dealer deals again",
        fr="le même donneur redonne",
        nl="dezelfde deler deelt opnieuw",
    ),
    Measure.DEAL_PASSES: T(en="deal passes on", fr="la donne passe", nl="gift gaat door"),
    Measure.RESULTS_DELETED: T(
        en="results deleted", fr="résultats effacés", nl="resultaten geschrapt"
    ),
    Measure.ROUND_FORFEITED: T(
        en="round forfeited", fr="ronde perdue par forfait", nl="ronde verloren met forfait"
    ),
    Measure.EXCLUDED_FROM_ROUND: T(
        en="excluded from the round", fr="exclusion de la ronde", nl="uitgesloten uit de ronde"
    ),
    Measure.DISQUALIFIED: T(en="disqualified", fr="disqualification", nl="gediskwalificeerd"),
    Measure.REMOVED: T(
        en="sent away from the table", fr="éloigné de la table", nl="weggestuurd van de tafel"
    ),
    Measure.CLAIM_REFUSED: T(en="claim refused", fr="réclamation refusée", nl="klacht geweigerd"),
}
