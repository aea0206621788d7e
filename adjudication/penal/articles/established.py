"""When an offence is established: the moments that several articles share (C.1, C.2, C.6)."""

from __future__ import annotations

from typing import Final

from scoring.engine.texts import Texts

BEFORE_SIGNATURES: Final = Texts(
    en="When discovered, at the latest before both sides sign the deal.",
    fr="À la découverte, au plus tard avant que les deux camps signent la donne.",
    nl="Bij ontdekking, ten laatste voordat beide kampen de gift ondertekenen.",
)
WHEN_PROVED: Final = Texts(
    en="When proved, at the latest before the score of the deal is agreed.",
    fr="Une fois prouvé, au plus tard avant l’accord sur la marque de la donne.",
    nl="Zodra bewezen, ten laatste voordat men het eens is over de stand van de gift.",
)
AT_ONCE: Final = Texts(en="At once.", fr="Sur-le-champ.", nl="Onmiddellijk.")
ON_EXPOSURE: Final = Texts(
    en="As soon as a card has been seen.",
    fr="Dès qu’une carte a été vue.",
    nl="Zodra een kaart gezien is.",
)
DURING_DEAL: Final = Texts(
    en="While the cards are being dealt.",
    fr="Pendant la distribution.",
    nl="Tijdens het delen.",
)
BEFORE_TURN_UP: Final = Texts(
    en="Before the last card is turned.",
    fr="Avant que la dernière carte soit retournée.",
    nl="Voordat de laatste kaart gekeerd is.",
)
AFTER_TURN_UP: Final = Texts(
    en="After the turn-up, before the ill-served player plays.",
    fr="Après la retourne, avant que le joueur mal servi ne joue.",
    nl="Na de keerkaart, voordat de slecht bedeelde speler speelt.",
)
ONCE_PLAYED: Final = Texts(
    en="Once the ill-served player has played a card.",
    fr="Dès que le joueur mal servi a joué une carte.",
    nl="Zodra de slecht bedeelde speler een kaart gespeeld heeft.",
)
ANY_MISDEAL: Final = Texts(
    en="At any misdeal after looking, even before the turn-up.",
    fr="À toute maldonne après le coup d’œil, même avant la retourne.",
    nl="Bij elk misdelen na het kijken, ook vóór de keerkaart.",
)
BEFORE_NEXT_CARD: Final = Texts(
    en="Before the next card is played.",
    fr="Avant que la carte suivante soit jouée.",
    nl="Voordat de volgende kaart gespeeld is.",
)
CARD_ON_TABLE: Final = Texts(
    en="As soon as the card lies on the table.",
    fr="Dès que la carte est sur le tapis.",
    nl="Zodra de kaart op tafel ligt.",
)
WHEN_DISPROVED: Final = Texts(
    en="When the cards disprove it.",
    fr="Quand les cartes la démentent.",
    nl="Wanneer de kaarten het tegenspreken.",
)
DURING_AUCTION: Final = Texts(
    en="During the calls, before the next player has called.",
    fr="Pendant les annonces, avant que le joueur suivant ait parlé.",
    nl="Tijdens het bieden, voordat de volgende speler geboden heeft.",
)
BEFORE_DEAL: Final = Texts(
    en="Before the cards are dealt.",
    fr="Avant la distribution.",
    nl="Voordat er gedeeld wordt.",
)
BY_THE_REFEREE: Final = Texts(
    en="When the referee has seen it or holds it proved.",
    fr="Quand l’arbitre l’a constaté ou le tient pour prouvé.",
    nl="Wanneer de scheidsrechter het vaststelt of bewezen acht.",
)
BY_THE_CLOCK: Final = Texts(
    en="By the clock of the tournament.",
    fr="À l’horloge du tournoi.",
    nl="Volgens de klok van het tornooi.",
)
ON_REQUEST: Final = Texts(
    en="When the request is made.",
    fr="Quand la demande est faite.",
    nl="Wanneer het verzoek gedaan wordt.",
)
