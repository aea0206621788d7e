"""Manille after Boussac, 1896 (source 001), 2nd edition: turn-up game with seventeen rules."""

from scoring.engine.rulebook_edition import (
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
    key="boussac",
    edition="2",
    title=Texts("Manille after Boussac", "Manille selon Boussac", "Manille volgens Boussac"),
    source="001, Boussac, 1896",
    dealing=pairs_dealing(4, 4),
    sides=Sides.PAIRS,
    trick_point=True,
    half=34,
    direction="CCW",
    trump_choice=TrumpChoice.TURN_UP,
    no_trump=False,
    leader=Leader.AFTER_DEALER,
    cut=Cut.LEFT_OPPONENT,
    talk=Talk.QUESTIONS,
    talk_text=Texts(
        "Partners may question each other, preferably only the one who is first to play; questions "
        "are never ambiguous nor worded for partner alone.",
        "Les partenaires s'interrogent, de préférence seulement le premier à jouer ; jamais de "
        "question ambiguë ni intelligible du seul partenaire.",
        "De maats mogen elkaar ondervragen, liefst alleen wie eerst speelt; vragen zijn nooit "
        "dubbelzinnig en nooit alleen voor de maat verstaanbaar.",
    ),
    ruffing=Ruffing.PARLEE,
    target={"games": 2, "of": 34},
    targets=({"games": 2, "of": 34}, 44, 64),
    turn_up=True,
    play_articles=play_articles("001-R9a", "001-R9b", "001-R9c", "001-R9d", "001-R9d", "001-R9d"),
    notes=(
        Texts(
            "Winning every trick gives the ordinary 34 and no extra (Q-001-3); with a ten turned up "
            "the dealer's side writes 39, the maximum.",
            "Faire tous les plis donne les 34 ordinaires, sans supplément (Q-001-3) ; avec un dix "
            "retourné le camp du donneur marque 39, le maximum.",
            "Alle slagen halen geeft de gewone 34 zonder extra (Q-001-3); met een gekeerde tien "
            "noteert het kamp van de deler 39, het maximum.",
        ),
    ),
)
