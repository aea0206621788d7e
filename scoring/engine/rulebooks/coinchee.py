"""Manille coinchée or contrée (source 003), 2nd edition."""

from scoring.engine.rulebook_edition import (
    Call,
    Cut,
    Leader,
    Ruffing,
    Rulebook,
    Sides,
    Talk,
    TrumpChoice,
    pairs_dealing,
    play_articles,
)
from scoring.engine.texts import Texts

RULEBOOK = Rulebook(
    key="coinchee",
    edition="2",
    title=Texts("Manille coinchée", "Manille coinchée (contrée)", "Manille met contra (coinchée)"),
    source="003, Manille coinchée / contrée",
    dealing=pairs_dealing(3, 2, 3),
    sides=Sides.PAIRS,
    trick_point=True,
    half=34,
    direction="CCW",
    trump_choice=TrumpChoice.DEALER_OR_PARTNER,
    no_trump=True,
    leader=Leader.AFTER_DEALER,
    cut=Cut.LEFT_OPPONENT,
    talk=Talk.SILENT,
    talk_text=Texts("Silent play.", "Jeu muet.", "Zwijgend spel."),
    ruffing=Ruffing.PARLEE,
    target=100,
    targets=(50, 100, 150),
    no_trump_factor=2,
    calls=(
        Call(1, Texts("contre", "contre", "contra"), "opponents", "003"),
        Call(2, Texts("surcontre", "surcontre", "hercontra"), "declarers", "003"),
    ),
    play_articles=play_articles("003-P1", "003-P1", "003-P2", "003-P3", "003-P4", "003-P4"),
    notes=(
        Texts(
            "Packets are not stated; 3-2-3 is usual.",
            "Les paquets ne sont pas fixés ; 3-2-3 est l'usage.",
            "De pakjes staan niet vast; 3-2-3 is gebruikelijk.",
        ),
    ),
)
