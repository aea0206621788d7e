"""Auction manille (2) (source 004), 2nd edition: bids of points, sevens removed."""

from dataclasses import replace
from types import MappingProxyType

from scoring.engine.rulebook_edition import Dealing, Leader, TrumpChoice
from scoring.engine.texts import Texts

from .auction_1 import RULEBOOK as AUCTION_1

RULEBOOK = replace(
    AUCTION_1,
    key="auction-2",
    edition="2",
    title=Texts("Auction manille (2)", "Manille aux enchères (2)", "Manille met opbod (2)"),
    source="004, Auction manille (2)",
    dealing=MappingProxyType(
        {
            3: Dealing(hand=10, removed_sevens=2),
            4: Dealing(hand=8),
            5: Dealing(hand=6, removed_sevens=2),
            6: Dealing(hand=5, removed_sevens=2),
            7: Dealing(hand=4, removed_sevens=4),
        }
    ),
    trump_choice=TrumpChoice.AUCTION,
    no_trump=True,
    leader=Leader.ELDEST_OR_ALL_TRICKS,
    notes=(
        Texts(
            "The two sevens removed are 7♦ and 7♥. A bid of all the tricks outranks every number. "
            "If everybody passes nothing is scored and the next dealer deals.",
            "Les deux sept retirés sont 7♦ et 7♥. L'enchère de tous les plis passe tout nombre. Si "
            "tous passent, rien n'est marqué et le donneur suivant donne.",
            "De twee verwijderde zevens zijn 7♦ en 7♥. Het bod van alle slagen gaat boven elk getal. "
            "Past iedereen, dan wordt niets genoteerd en geeft de volgende.",
        ),
    ),
)
