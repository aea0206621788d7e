"""Articles of the Belgian game, also used for card play in the auctions (B.3, external practice)."""

from __future__ import annotations

from typing import Final

from adjudication.penal.article import (
    Citation,
)
from scoring.engine.texts import Texts as T

from .duties import BEAT, FOLLOW, OVERRUFF, RUFF, duty

_FLEMISH: Final = "Flemish practice"

BELGIAN: Final = (
    duty(
        "BE-P1",
        Citation(_FLEMISH, "follow", "volgen"),
        T(en="Belgian game: revoke", fr="Jeu belge : renonce", nl="Manillen: verzaken"),
        T(
            en="Whoever has the suit led follows. Another suit, or a ruff, gives the opponents the penalty.",
            fr="Qui a la couleur demandée la suit. Une autre couleur, ou une coupe, donne la pénalité aux adversaires.",
            nl="Wie de gevraagde kleur heeft, volgt. Een andere kleur of een troef geeft de tegenpartij de strafpunten.",
        ),
        FOLLOW,
    ),
    duty(
        "BE-P2",
        Citation(_FLEMISH, "beat", "overgaan"),
        T(
            en="Belgian game: not going over",
            fr="Jeu belge : ne pas monter",
            nl="Manillen: niet overgaan",
        ),
        T(
            en="Whoever follows goes over the opponents' winning card if he can, at no trump as well.",
            fr="Qui suit monte sur la carte gagnante adverse s’il le peut, à sans-atout aussi.",
            nl="Wie volgt, gaat over de winnende kaart van de tegenpartij als hij kan, ook zonder troef.",
        ),
        BEAT,
    ),
    duty(
        "BE-P3",
        Citation(_FLEMISH, "ruff", "Ku j'ni volgn? Ton moe je koopn"),
        T(
            en="Belgian game: not ruffing",
            fr="Jeu belge : ne pas couper",
            nl="Manillen: niet kopen",
        ),
        T(
            en="Whoever cannot follow an opponent's winning card must ruff it when he has trump.",
            fr="Qui ne peut suivre sous une carte gagnante adverse doit la couper s’il a de l’atout.",
            nl="Wie niet kan volgen terwijl een tegenstander ligt, moet kopen als hij troef heeft.",
        ),
        RUFF,
    ),
    duty(
        "BE-P4",
        Citation(_FLEMISH, "overruff", "overkopen"),
        T(
            en="Belgian game: not overruffing",
            fr="Jeu belge : ne pas surcouper",
            nl="Manillen: niet overkopen",
        ),
        T(
            en="If an opponent has ruffed, a higher trump must go on it when one is held.",
            fr="Si un adversaire a coupé, un atout plus haut doit le couvrir quand on l’a en main.",
            nl="Heeft een tegenstander gekocht, dan moet er een hogere troef op als men die heeft.",
        ),
        OVERRUFF,
    ),
    duty(
        "BE-P5",
        Citation(_FLEMISH, "under-ruff", "onderkopen"),
        T(
            en="Belgian game: underruffing",
            fr="Jeu belge : sous-couper",
            nl="Manillen: onderkopen",
        ),
        T(
            en="A trump that cannot win over an opponent's ruff may not be played while any other card is held.",
            fr="Un atout qui ne peut dépasser la coupe adverse ne se joue pas tant qu’on a une autre carte.",
            nl="Een troef die een kopende tegenstander niet slaat, mag niet gespeeld worden zolang men een andere kaart heeft.",
        ),
        T(
            en="under-ruff lower trump",
            fr="sous-coupe atout inférieur",
            nl="ondertroeven lagere troef",
        ),
    ),
)
