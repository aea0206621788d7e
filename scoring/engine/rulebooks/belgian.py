"""Belgian manillen, the game of the championships, 2nd edition: external facts, not a source text.

Gathered from press reports and club pages (rules specification E10-E14); where those differ the
disputed point is a switch.
"""

from dataclasses import replace

from scoring.engine.rulebook_edition import Call, Ruffing, play_articles
from scoring.engine.texts import Texts

from .muette import RULEBOOK as MUETTE

RULEBOOK = replace(
    MUETTE,
    key="belgian",
    edition="2",
    title=Texts("Belgian manillen", "Manille belge (manillen)", "Manillen"),
    source="external facts E10-E14 (Belgian club and championship practice), not a source text",
    ruffing=Ruffing.PARLEE,
    targets=(101, {"deals": 12}),
    calls=(
        Call(1, Texts("knock", "coup (kloppen)", "kloppen"), "opponents", "E10"),
        Call(2, Texts("counter-knock", "contre-coup", "tegenkloppen"), "declarers", "E10"),
    ),
    play_articles=play_articles("BE-P1", "BE-P1", "BE-P2", "BE-P3", "BE-P4", "BE-P5"),
    external=True,
    notes=(
        Texts(
            "Ruffing over a master partner is disputed: free here, a duty where the event says so. "
            "Under-ruffing is forbidden unless only trumps remain.",
            "Couper sur un partenaire maître est discuté : libre ici, dû si l'épreuve le dit. "
            "Sous-couper est interdit sauf s'il ne reste que des atouts.",
            "Kopen op een maat die de slag heeft is betwist: hier vrij, verplicht als het tornooi het "
            "zegt. Onderkopen is verboden, tenzij men enkel troeven heeft.",
        ),
    ),
)
