"""Auction manille (3) (source 004), 2nd edition: bids of points, and an open and closed widow."""

from dataclasses import replace
from types import MappingProxyType

from scoring.engine.rulebook_edition import Dealing
from scoring.engine.texts import Texts

from .auction_2 import RULEBOOK as AUCTION_2

RULEBOOK = replace(
    AUCTION_2,
    key="auction-3",
    edition="2",
    title=Texts("Auction manille (3)", "Manille aux enchères (3)", "Manille met opbod (3)"),
    source="004, Auction manille (3)",
    dealing=MappingProxyType(
        {
            3: Dealing(hand=9, widow=5, face_up=2, packets=(3, 3, 3)),
            4: Dealing(hand=7, widow=4, face_up=2),
            5: Dealing(hand=6, widow=2, face_up=1),
            6: Dealing(hand=5, widow=2, face_up=1),
            7: Dealing(hand=4, widow=4, face_up=2),
        }
    ),
    notes=(
        Texts(
            "The declarer may exchange any number of cards up to the widow before naming trump; the "
            "widow or the discards score for nobody.",
            "Le preneur peut échanger jusqu'à autant de cartes que le talon avant de nommer l'atout ; "
            "le talon ou les écarts ne comptent pour personne.",
            "De vrager mag tot zoveel kaarten ruilen als de talon telt voor hij troef noemt; talon en "
            "weggelegde kaarten tellen voor niemand.",
        ),
    ),
)
