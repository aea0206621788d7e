"""La chaloupée (source 002), 2nd edition: partnership manille with an auction."""

from types import MappingProxyType

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
    key="chaloupee",
    edition="2",
    title=Texts("Chaloupée (auction manille)", "La chaloupée", "Chaloupée (manille met opbod)"),
    source="002, La chaloupée (Loiret, Eure-et-Loir)",
    dealing=pairs_dealing(3, 2, 3),
    sides=Sides.PAIRS,
    trick_point=True,
    half=34,
    direction="CCW",
    trump_choice=TrumpChoice.AUCTION,
    no_trump=True,
    leader=Leader.AFTER_LAST_BIDDER,
    cut=Cut.BEFORE_DEALER,
    talk=Talk.SILENT,
    talk_text=Texts(
        "Silent play; the source allows no talk.",
        "Jeu muet ; la source ne permet aucune parole.",
        "Zwijgend spel; de bron laat geen woorden toe.",
    ),
    ruffing=Ruffing.PARLEE,
    target=150,
    targets=(150,),
    no_trump_factor=2,
    levels=MappingProxyType({34: 1, 44: 2, 50: 3, 54: 4}),
    calls=(
        Call(1, Texts("cogné", "cogné", "cogné"), "opponents", "002"),
        Call(2, Texts("sur-cogné", "sur-cogné", "sur-cogné"), "declarers", "002"),
    ),
    play_articles=play_articles("002-P1", "002-P1", "002-P2", "002-P3", "002-P4", "002-P4"),
    shuffle_every_deal=False,
    notes=(
        Texts(
            "Direction of play is regional: counter-clockwise in the Loiret, usually clockwise in "
            "Eure-et-Loir. The event says which.",
            "Le sens du jeu est régional : inverse des aiguilles d'une montre dans le Loiret, "
            "plutôt l'autre en Eure-et-Loir. L'épreuve le fixe.",
            "De speelrichting is streekgebonden: tegen de klok in de Loiret, eerder met de klok in "
            "Eure-et-Loir. Het tornooi bepaalt ze.",
        ),
        Texts(
            "Usage without sanction: count the side with fewer tricks; two manilles opposite “34” "
            "invite “34 no trump”.",
            "Usages sans sanction : on compte le camp qui a le moins de plis ; deux manilles face à "
            "« 34 » invitent à « 34 sans ».",
            "Gewoonten zonder straf: men telt het kamp met de minste slagen; twee maniljes tegenover "
            "“34” nodigen uit tot “34 zonder”.",
        ),
    ),
)
