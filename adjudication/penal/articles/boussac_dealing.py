"""Articles of source 001, rules 1, 2, 6, 7, 8 and 17: the deal and its accidents (C.2).

The misdeal rules share one set of facts; which of them applies follows from the facts, in the
order r.17, r.7, r.8 or r.6 second limb, r.6 first limb (``adjudication.penal.misdeal``).
"""

from __future__ import annotations

from typing import Final

from adjudication.penal import fields
from adjudication.penal.article import (
    Article,
    Beneficiary,
    Charge,
    Citation,
    DealRule,
    Kind,
    Option,
    Origin,
    Who,
)
from scoring.engine.texts import Texts as T

from . import established

REDEAL: Final = T(en="deal again", fr="recommencer le coup", nl="opnieuw delen")
STAND: Final = T(en="hold the deal good", fr="tenir le coup pour bon", nl="de gift laten gelden")
MISDEAL_WORDS: Final = T(
    en="misdeal deal dealer wrong number cards",
    fr="maldonne donne donneur nombre de cartes",
    nl="misdelen gift deler aantal kaarten",
)

ARTICLES: Final = (
    Article(
        id="001-R1",
        kind=Kind.DEALING,
        origin=Origin.SOURCE,
        title=T(
            en="A card face up in the pack",
            fr="Carte retournée dans le jeu",
            nl="Een open kaart in het spel kaarten",
        ),
        text=T(
            en="If a card is found turned over in the pack, the same dealer deals again. Nobody is at fault.",
            fr="Si une carte se trouve retournée dans le jeu, le même donneur redonne. Personne n’est en faute.",
            nl="Ligt er een kaart omgekeerd in het spel, dan deelt dezelfde deler opnieuw. Niemand is in fout.",
        ),
        citation=Citation("001", "r.1", "we do it again, but the hand does not pass"),
        who=Who.NOBODY,
        established=established.DURING_DEAL,
        charge=Charge.NONE,
        deal=DealRule.REDEALT,
        beneficiary=Beneficiary.NOBODY,
        facts=(fields.DEALER,),
        keywords=T(en="redeal face-up", fr="refaire redonner", nl="herdelen opengedraaid"),
    ),
    Article(
        id="001-R2a",
        kind=Kind.DEALING,
        origin=Origin.SOURCE,
        title=T(
            en="Dealer shows cards of his own side",
            fr="Le donneur laisse voir des cartes de son camp",
            nl="De deler toont kaarten van zijn eigen kamp",
        ),
        text=T(
            en="Cards of the dealer or his partner that he lets be seen while dealing change nothing: the deal is good.",
            fr="Les cartes du donneur ou de son partenaire vues pendant la distribution ne changent rien : le coup est bon.",
            nl="Kaarten van de deler of zijn maat die tijdens het delen zichtbaar werden, veranderen niets: de gift is goed.",
        ),
        citation=Citation("001", "r.2", "the blow is good"),
        who=Who.DEALER,
        established=established.ON_EXPOSURE,
        charge=Charge.NONE,
        deal=DealRule.STANDS,
        beneficiary=Beneficiary.NOBODY,
        facts=(fields.DEALER, fields.WHOSE),
        keywords=T(en="expose exposed card", fr="exposer carte vue", nl="tonen zichtbare kaart"),
    ),
    Article(
        id="001-R2b",
        kind=Kind.DEALING,
        origin=Origin.SOURCE,
        title=T(
            en="Dealer shows an opponent's cards",
            fr="Le donneur laisse voir des cartes adverses",
            nl="De deler toont kaarten van de tegenpartij",
        ),
        text=T(
            en="When the cards seen belong to the dealer's opponents, these choose: a new deal by the same dealer, or play on, even after looking at their hands.",
            fr="Quand les cartes vues sont celles des adversaires du donneur, ceux-ci choisissent : nouvelle donne par le même donneur, ou jeu tel quel, même après avoir vu leurs mains.",
            nl="Zijn de geziene kaarten van de tegenpartij van de deler, dan kiest die: een nieuwe gift door dezelfde deler, of verder spelen, ook na inzage van de handen.",
        ),
        citation=Citation("001", "r.2", "they have the right to start the game again"),
        who=Who.DEALER,
        established=established.ON_EXPOSURE,
        charge=Charge.NONE,
        deal=DealRule.CHOICE,
        beneficiary=Beneficiary.OPPONENTS,
        facts=(
            fields.DEALER,
            fields.WHOSE,
            fields.opponents_choice(("redeal", REDEAL), ("stand", STAND)),
        ),
        options=(
            Option("redeal", REDEAL, DealRule.REDEALT),
            Option("stand", STAND, DealRule.STANDS),
        ),
        keywords=T(
            en="expose exposed option redeal",
            fr="exposer carte vue choix redonner",
            nl="tonen zichtbaar keuze herdelen",
        ),
    ),
    Article(
        id="001-R6a",
        kind=Kind.DEALING,
        origin=Origin.SOURCE,
        title=T(
            en="Misdeal noticed before the turn-up",
            fr="Maldonne relevée avant la retourne",
            nl="Misdelen opgemerkt vóór de keerkaart",
        ),
        text=T(
            en="A dealer whose misdeal is noticed before the last card is turned loses his deal: it passes on, without penalty.",
            fr="Le donneur dont la maldonne est relevée avant que la dernière carte soit retournée perd sa donne : elle passe au suivant, sans pénalité.",
            nl="De deler van wie het misdelen wordt opgemerkt voordat de laatste kaart gekeerd is, verliest zijn gift: ze gaat door naar de volgende, zonder straf.",
        ),
        citation=Citation("001", "r.6", "Who blunders, loses his gives"),
        who=Who.DEALER,
        established=established.BEFORE_TURN_UP,
        charge=Charge.NONE,
        deal=DealRule.PASSES,
        beneficiary=Beneficiary.NOBODY,
        facts=fields.MISDEAL,
        keywords=MISDEAL_WORDS,
    ),
    Article(
        id="001-R6b",
        kind=Kind.DEALING,
        origin=Origin.SOURCE,
        title=T(
            en="Misdeal noticed after the turn-up",
            fr="Maldonne relevée après la retourne",
            nl="Misdelen opgemerkt na de keerkaart",
        ),
        text=T(
            en="Noticed only after the last card was turned, a misdeal costs the dealer's side the penalty as well as the deal; the turn-up's bonus is cancelled.",
            fr="Relevée seulement après la retourne, la maldonne coûte au camp du donneur la pénalité en plus de la donne ; la prime de la retourne est annulée.",
            nl="Pas na de keerkaart opgemerkt kost misdelen het kamp van de deler de straf bovenop de gift; de premie van de keerkaart vervalt.",
        ),
        citation=Citation("001", "r.6", "only realizes his error after having returned"),
        who=Who.DEALER,
        established=established.AFTER_TURN_UP,
        charge=Charge.PENALTY,
        deal=DealRule.LOST,
        facts=fields.MISDEAL,
        keywords=MISDEAL_WORDS,
    ),
    Article(
        id="001-R7",
        kind=Kind.DEALING,
        origin=Origin.SOURCE,
        title=T(
            en="Playing with too many or too few cards",
            fr="Jouer avec des cartes en plus ou en moins",
            nl="Spelen met te veel of te weinig kaarten",
        ),
        text=T(
            en="A player who plays a card while holding a wrong number takes the fault upon himself: his own side pays, not the dealer's.",
            fr="Qui joue une carte avec une main au mauvais compte prend la faute sur lui : c’est son camp qui paie, non celui du donneur.",
            nl="Wie een kaart speelt uit een hand met een verkeerd aantal, neemt de fout op zich: zijn eigen kamp betaalt, niet dat van de deler.",
        ),
        citation=Citation("001", "r.7", "plays with cards in addition or less"),
        who=Who.PLAYER,
        established=established.ONCE_PLAYED,
        charge=Charge.PENALTY,
        deal=DealRule.LOST,
        facts=fields.MISDEAL,
        keywords=T(
            en="nine seven cards wrong number misdeal",
            fr="neuf sept cartes nombre maldonne",
            nl="negen zeven kaarten aantal misdelen",
        ),
    ),
    Article(
        id="001-R8",
        kind=Kind.DEALING,
        origin=Origin.SOURCE,
        title=T(
            en="Ill-served player notices before playing",
            fr="Le joueur mal servi s’en aperçoit avant de jouer",
            nl="Slecht bedeelde speler merkt het vóór hij speelt",
        ),
        text=T(
            en="If the player with a wrong number of cards says so before he plays, the dealer's side pays the penalty and the deal is lost, whichever side the ill-served player is on.",
            fr="Si celui dont le compte est faux le dit avant de jouer, le camp du donneur paie la pénalité et la donne est perdue, quel que soit le camp du joueur mal servi.",
            nl="Zegt de speler met een verkeerd aantal kaarten het voordat hij speelt, dan betaalt het kamp van de deler de straf en is de gift verloren, bij welk kamp hij ook hoort.",
        ),
        citation=Citation("001", "r.8", "realizes the error before playing"),
        who=Who.DEALER,
        established=established.AFTER_TURN_UP,
        charge=Charge.PENALTY,
        deal=DealRule.LOST,
        facts=fields.MISDEAL,
        keywords=MISDEAL_WORDS,
    ),
    Article(
        id="001-R17",
        kind=Kind.DEALING,
        origin=Origin.SOURCE,
        title=T(
            en="Dealer looked at the bottom card, then misdealt",
            fr="Retourne regardée, puis maldonne",
            nl="Onderste kaart bekeken, daarna misdeeld",
        ),
        text=T(
            en="The dealer may look at the bottom card after the cut, but any misdeal after that costs his side the penalty and the deal, even before the turn-up.",
            fr="Le donneur peut regarder la carte de dessous après la coupe ; mais toute maldonne qui suit coûte à son camp la pénalité et la donne, même avant la retourne.",
            nl="De deler mag na het afnemen de onderste kaart bekijken, maar elk misdelen daarna kost zijn kamp de straf en de gift, ook vóór de keerkaart.",
        ),
        citation=Citation("001", "r.17", "can look at the return"),
        who=Who.DEALER,
        established=established.ANY_MISDEAL,
        charge=Charge.PENALTY,
        deal=DealRule.LOST,
        facts=fields.MISDEAL,
        keywords=T(
            en="peek look bottom turn-up misdeal",
            fr="regarder retourne dessous maldonne",
            nl="kijken keerkaart onderaan misdelen",
        ),
    ),
)
