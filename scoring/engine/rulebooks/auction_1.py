"""Auction manille (1) (source 004), 2nd edition: the declarer draws from a widow."""

from types import MappingProxyType

from scoring.engine.rulebook_edition import (
    Cut,
    Dealing,
    Leader,
    Ruffing,
    Rulebook,
    Sides,
    Talk,
    TrumpChoice,
    play_articles,
)
from scoring.engine.texts import Texts

NO_TALK = Texts("Silent play.", "Jeu muet.", "Zwijgend spel.")
PLAY_ARTICLES = play_articles("BE-P1", "BE-P1", "BE-P2", "BE-P3", "BE-P4", "BE-P5")

RULEBOOK = Rulebook(
    key="auction-1",
    edition="2",
    title=Texts("Auction manille (1)", "Manille aux enchères (1)", "Manille met opbod (1)"),
    source="004, Auction manille (1)",
    dealing=MappingProxyType(
        {
            3: Dealing(hand=10, widow=2),
            4: Dealing(hand=7, widow=4),
            5: Dealing(hand=6, widow=2),
            6: Dealing(hand=5, widow=2),
            7: Dealing(hand=4, widow=4),
        }
    ),
    sides=Sides.DECLARER_ALONE,
    trick_point=True,
    half=30,
    direction="CCW",
    trump_choice=TrumpChoice.DECLARER,
    no_trump=False,
    leader=Leader.AFTER_DEALER,
    cut=Cut.NOT_STATED,
    talk=Talk.SILENT,
    talk_text=NO_TALK,
    ruffing=Ruffing.PARLEE,
    target={"deals": 16},
    targets=({"deals": "<a multiple of the players>"},),
    play_articles=PLAY_ARTICLES,
    notes=(
        Texts(
            "Every player in turn, eldest first, may become declarer; if nobody does, the next "
            "dealer deals. The organiser fixes the stakes by number of cards exchanged.",
            "Chacun à son tour, à commencer par le premier en main, peut être preneur ; si personne "
            "ne l'est, le donneur suivant donne. L'organisateur fixe les mises selon le nombre de "
            "cartes échangées.",
            "Elke speler, de voorhand eerst, mag om beurt de vrager zijn; wil niemand, dan geeft de "
            "volgende. De inrichter bepaalt de inzet volgens het aantal geruilde kaarten.",
        ),
    ),
)
