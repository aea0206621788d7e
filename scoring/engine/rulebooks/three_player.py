"""Three-player manille (source 004), 2nd edition: the dealer alone against the two others."""

from dataclasses import replace
from types import MappingProxyType

from scoring.engine.rulebook_edition import Dealing, Sides, TrumpChoice
from scoring.engine.texts import Texts

from .muette import DIRECTION_NOTE
from .muette import RULEBOOK as MUETTE

RULEBOOK = replace(
    MUETTE,
    key="three-player",
    edition="2",
    title=Texts("Three-player manille", "Manille à trois", "Manille met drie"),
    source="004, 3-player manille",
    dealing=MappingProxyType({3: Dealing(hand=10, widow=2)}),
    sides=Sides.DEALER_ALONE,
    trump_choice=TrumpChoice.DEALER,
    target={"deals": 12},
    targets=({"deals": 12},),
    notes=(
        DIRECTION_NOTE,
        Texts(
            "The dealer names trump, then may exchange 0, 1 or 2 cards unseen; the two cards left "
            "over score for the side that wins the first trick.",
            "Le donneur nomme l'atout, puis peut échanger 0, 1 ou 2 cartes sans les voir ; les deux "
            "cartes restantes comptent pour le camp qui gagne le premier pli.",
            "De deler noemt troef en mag dan 0, 1 of 2 kaarten ongezien ruilen; de twee "
            "overblijvende kaarten tellen voor het kamp dat de eerste slag wint.",
        ),
    ),
)
