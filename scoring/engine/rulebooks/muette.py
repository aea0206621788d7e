"""Manille muette (source 004), 2nd edition; also the base of its family."""

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

TAPS = (
    Call(1, Texts("tap", "tap", "kloppen"), "opponents", "004"),
    Call(2, Texts("double tap", "double tap", "tegenkloppen"), "declarers", "004"),
)
TARGETS = (101, {"deals": 50}, {"deals": 12})
PLAY_ARTICLES = play_articles("004-V1", "004-V1", "", "004-V1", "004-V1", "004-V1")
DIRECTION_NOTE = Texts(
    "The source contradicts itself on the direction; its prose, clockwise, is followed (Q-DIR).",
    "La source se contredit sur le sens du jeu ; on suit son texte, sens des aiguilles (Q-DIR).",
    "De bron spreekt zichzelf tegen over de richting; haar tekst, met de klok, geldt (Q-DIR).",
)

RULEBOOK = Rulebook(
    key="muette",
    edition="2",
    title=Texts("Manille muette (silent)", "Manille muette", "Zwijgende manille (muette)"),
    source="004, Manille muette",
    dealing=pairs_dealing(2, 2, 2, 2),
    sides=Sides.PAIRS,
    trick_point=False,
    half=30,
    direction="CW",
    trump_choice=TrumpChoice.DEALER_OR_PARTNER,
    no_trump=True,
    leader=Leader.AFTER_DEALER,
    cut=Cut.NOT_STATED,
    talk=Talk.SILENT,
    talk_text=Texts(
        "Nobody may talk about his cards during play.",
        "Personne ne parle de ses cartes pendant le jeu.",
        "Niemand mag tijdens het spel over zijn kaarten praten.",
    ),
    ruffing=Ruffing.MUETTE,
    target=101,
    targets=TARGETS,
    no_trump_factor=2,
    calls=TAPS,
    play_articles=PLAY_ARTICLES,
    notes=(DIRECTION_NOTE,),
)
