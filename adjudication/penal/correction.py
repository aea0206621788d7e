"""Whether an illegal card may still be corrected, by policy and moment (C.6)."""

from __future__ import annotations

from typing import Final

from scoring.engine.texts import Texts

from .game import Policy
from .proposal import Reason

_CORRECTABLE: Final = {
    Policy.STRICT: frozenset[str](),
    Policy.NEXT_TRICK: frozenset({"same_trick"}),
    Policy.BRIDGE: frozenset({"same_trick", "opponent_played_next"}),
}


def may_correct(policy: Policy, noticed: str) -> bool:
    """Whether an illegal card noticed at this moment is corrected free of penalty.

    ``noticed`` is the value of the fact of that name. STRICT: never (001 r.4). NEXT_TRICK: before
    any card of the next trick. BRIDGE: until the offender or his partner plays to the next trick.
    """
    return noticed in _CORRECTABLE[policy]


def why(policy: Policy, corrected: bool) -> Reason:
    """The sentence of the rationale on correction."""
    if policy is Policy.STRICT:
        return Reason(
            "C.6 STRICT; 001 r.4",
            Texts(
                en="A card on the table cannot be taken back: the breach exists at once.",
                fr="Une carte sur le tapis ne se reprend pas : la faute existe aussitôt.",
                nl="Een kaart op tafel kan niet terug: de fout bestaat meteen.",
            ),
        )
    if policy is Policy.NEXT_TRICK:
        if corrected:
            text = Texts(
                en="It was noticed before any card of the next trick: the card is replaced by a legal one, without penalty.",
                fr="On l’a relevé avant toute carte de la levée suivante : la carte est remplacée par une carte permise, sans pénalité.",
                nl="Het werd opgemerkt vóór enige kaart van de volgende slag: de kaart wordt vervangen door een toegelaten kaart, zonder straf.",
            )
        else:
            text = Texts(
                en="A card of the next trick had been played: it is too late to correct.",
                fr="Une carte de la levée suivante était jouée : il est trop tard pour corriger.",
                nl="Er was al een kaart van de volgende slag gespeeld: verbeteren kan niet meer.",
            )
        return Reason("C.6 NEXT_TRICK", text)
    if corrected:
        text = Texts(
            en="Neither the offender nor his partner had played to the next trick: the card is replaced by a legal one, without penalty; an opponent who played after it may change his card.",
            fr="Ni le fautif ni son partenaire n’avait joué à la levée suivante : la carte est remplacée par une carte permise, sans pénalité ; un adversaire qui a joué après elle peut changer la sienne.",
            nl="Noch de overtreder noch zijn maat had in de volgende slag gespeeld: de kaart wordt vervangen door een toegelaten kaart, zonder straf; een tegenstander die erna speelde mag zijn kaart wijzigen.",
        )
    else:
        text = Texts(
            en="The offender or his partner had played to the next trick: the revoke is established.",
            fr="Le fautif ou son partenaire avait joué à la levée suivante : la faute est consommée.",
            nl="De overtreder of zijn maat had in de volgende slag gespeeld: de fout staat vast.",
        )
    return Reason("C.6 BRIDGE", text)
