"""Manille parlée (source 000), 2nd edition: turn-up game with free talk for the leader."""

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
    key="parlee",
    edition="2",
    title=Texts("Manille parlée", "Manille parlée", "Sprekende manille (parlée)"),
    source="000, La Manille parlée (French encyclopaedic text)",
    dealing=pairs_dealing(2, 2, 2, 2),
    sides=Sides.PAIRS,
    trick_point=True,
    half=34,
    direction="CCW",
    trump_choice=TrumpChoice.TURN_UP,
    no_trump=False,
    leader=Leader.AFTER_DEALER,
    cut=Cut.NOT_STATED,
    talk=Talk.FREE_FOR_LEADER,
    talk_text=Texts(
        "The leader may ask anything; once the next player has played he may order partner's card. "
        "He may pass the word to partner before playing. Words are brief and plain to all.",
        "Celui qui entame peut tout demander ; après le jeu de l'adversaire suivant, il peut "
        "ordonner la carte de son partenaire. Il peut lui passer la parole avant de jouer. Les "
        "paroles sont brèves et intelligibles de tous.",
        "Wie uitkomt mag alles vragen; nadat de volgende speler heeft gespeeld mag hij de kaart van "
        "zijn maat bevelen. Hij mag vóór het spelen het woord aan zijn maat geven. Woorden zijn kort "
        "en voor iedereen verstaanbaar.",
    ),
    ruffing=Ruffing.PARLEE,
    target=100,
    targets=(50, 100, 150, {"games": 2, "of": 44, "decider": 54}),
    turn_up=True,
    play_articles=play_articles(
        "000-P1", "000-P1", "000-P2", "000-P3", "000-P4", "000-P4", "000-E2"
    ),
    notes=(
        Texts(
            "The source does not say who leads first; the player after the dealer does.",
            "La source ne dit pas qui entame ; c'est le joueur qui suit le donneur.",
            "De bron zegt niet wie uitkomt; dat is de speler na de deler.",
        ),
    ),
)
