"""Blind manille (source 004), 2nd edition: nobody sees his own hand."""

from dataclasses import replace
from types import MappingProxyType

from scoring.engine.rulebook_edition import Ruffing, TrumpChoice
from scoring.engine.texts import Texts

from .muette import DIRECTION_NOTE
from .muette import RULEBOOK as MUETTE

RULEBOOK = replace(
    MUETTE,
    key="blind",
    edition="2",
    title=Texts("Blind manille", "Manille aveugle", "Blinde manille"),
    source="004, Blind manille",
    trump_choice=TrumpChoice.DEALER,
    ruffing=Ruffing.NONE,
    play_articles=MappingProxyType({}),
    notes=(
        DIRECTION_NOTE,
        Texts(
            "Hands are held back to front and cards drawn from them at random: no card is illegal. "
            "The dealer chooses trump from the three hands he sees.",
            "Les mains sont tenues à l'envers et les cartes tirées au hasard : aucune carte n'est "
            "irrégulière. Le donneur choisit l'atout d'après les trois mains qu'il voit.",
            "De handen worden omgekeerd gehouden en de kaarten blind getrokken: geen kaart is "
            "onregelmatig. De deler kiest troef naar de drie handen die hij ziet.",
        ),
    ),
)
