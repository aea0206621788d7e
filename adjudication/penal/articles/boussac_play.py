"""Articles of source 001, rules 3, 4, 5 and 9: playing the cards (C.2)."""

from __future__ import annotations

from typing import Final

from adjudication.penal import fields
from adjudication.penal.article import (
    Article,
    Beneficiary,
    Charge,
    Citation,
    Condition,
    DealRule,
    Kind,
    Option,
    Origin,
    Who,
)
from scoring.engine.texts import Texts as T

from . import established

_RETRACT: Final = T(
    en="the card goes back and the named suit is played",
    fr="la carte est reprise et la couleur annoncée est jouée",
    nl="de kaart wordt teruggenomen en de genoemde kleur gespeeld",
)
_COVER: Final = T(
    en="the card stands and play goes on",
    fr="la carte est couverte et l’on continue",
    nl="de kaart blijft liggen en men speelt verder",
)
_LOWER: Final = T(
    en="the card underneath is played", fr="celle de dessous est jouée", nl="de onderste geldt"
)
_UPPER: Final = T(
    en="the card on top is played", fr="celle de dessus est jouée", nl="de bovenste geldt"
)
_CARD_FACTS: Final = (fields.OFFENDER, fields.NOTICED, fields.TRICK, fields.CARD)


def _revoke(
    limb: str, title: T, text: T, quote: str, keywords: T, origin: Origin = Origin.SOURCE
) -> Article:
    """A limb of rule 9; d, the ruff not made, is this code's reading of the text before it."""
    return Article(
        id=f"001-R9{limb}",
        kind=Kind.CARD_PLAY,
        origin=origin,
        title=title,
        text=text,
        citation=Citation("001", "r.9" if limb != "d" else "Game walk; r.9", quote),
        who=Who.PLAYER,
        established=established.BEFORE_SIGNATURES,
        charge=Charge.PENALTY,
        deal=DealRule.REPLACED,
        facts=_CARD_FACTS,
        correctable=True,
        keywords=keywords,
    )


ARTICLES: Final = (
    Article(
        id="001-R3",
        kind=Kind.CARD_PLAY,
        origin=Origin.SOURCE,
        title=T(
            en="Names one suit, plays another",
            fr="Annonce une couleur, en joue une autre",
            nl="Noemt een kleur, speelt een andere",
        ),
        text=T(
            en="The opponents may require the card to be taken back and the named suit played, or cover it and play on; once an opponent has covered it, it stands.",
            fr="Les adversaires peuvent exiger que la carte soit reprise et la couleur annoncée jouée, ou bien la couvrir et continuer ; une fois couverte, elle reste.",
            nl="De tegenpartij mag eisen dat de kaart teruggaat en de genoemde kleur gespeeld wordt, of ze bedekken en doorspelen; eenmaal bedekt blijft ze liggen.",
        ),
        citation=Citation("001", "r.3", "the right to cover the card played"),
        who=Who.PLAYER,
        established=established.BEFORE_NEXT_CARD,
        charge=Charge.NONE,
        deal=DealRule.CHOICE,
        facts=(
            fields.OFFENDER,
            fields.NEXT_PLAYED,
            fields.opponents_choice(("retract", _RETRACT), ("cover", _COVER)),
            fields.TRICK,
        ),
        conditions=(
            Condition(
                "next_played",
                False,
                T(
                    en="An opponent has played on and so covered the card: it stands and play goes on.",
                    fr="Un adversaire a joué et couvert ainsi la carte : elle reste et l’on continue.",
                    nl="Een tegenstander speelde door en bedekte zo de kaart: ze blijft liggen en het spel gaat verder.",
                ),
            ),
        ),
        options=(
            Option("retract", _RETRACT, DealRule.STANDS),
            Option("cover", _COVER, DealRule.STANDS),
        ),
        keywords=T(
            en="announce named suit retract cover",
            fr="annoncer couleur reprendre couvrir",
            nl="noemen kleur terugnemen bedekken",
        ),
    ),
    Article(
        id="001-R4",
        kind=Kind.CARD_PLAY,
        origin=Origin.SOURCE,
        title=T(
            en="A card on the table is played",
            fr="Carte sur le tapis, carte jouée",
            nl="Kaart op tafel is gespeeld",
        ),
        text=T(
            en="Except after naming another suit, a card laid on the table cannot be taken back, even an illegal one; an illegal card is then judged by its own article.",
            fr="Hors le cas de la couleur mal annoncée, une carte posée ne se reprend plus, fût-elle irrégulière ; celle-ci est alors jugée par son propre article.",
            nl="Behalve na het noemen van een andere kleur kan een neergelegde kaart niet terug, ook geen ongeldige; die wordt dan volgens haar eigen artikel beoordeeld.",
        ),
        citation=Citation("001", "r.4", "any card on the carpet no more can be noted"),
        who=Who.PLAYER,
        established=established.CARD_ON_TABLE,
        charge=Charge.NONE,
        deal=DealRule.STANDS,
        beneficiary=Beneficiary.NOBODY,
        facts=(fields.OFFENDER, fields.CARD, fields.TRICK),
        keywords=T(
            en="take back touch move retract",
            fr="reprendre relever carte posée",
            nl="terugnemen gelegd is gelegd",
        ),
    ),
    Article(
        id="001-R5",
        kind=Kind.CARD_PLAY,
        origin=Origin.SOURCE,
        title=T(
            en="Two cards dropped at once",
            fr="Deux cartes tombées à la fois",
            nl="Twee kaarten tegelijk gevallen",
        ),
        text=T(
            en="Of two cards dropped together the opponents choose which is played; the other returns to the hand. If only one of the two is legal, that one is played.",
            fr="De deux cartes tombées ensemble, les adversaires choisissent laquelle est jouée ; l’autre retourne en main. Si une seule est permise, c’est celle-là.",
            nl="Vallen er twee kaarten samen, dan kiest de tegenpartij welke gespeeld is; de andere gaat terug in de hand. Is er maar één toegelaten, dan geldt die.",
        ),
        citation=Citation("001", "r.5", "This must be considered the real rule"),
        who=Who.PLAYER,
        established=established.AT_ONCE,
        charge=Charge.NONE,
        deal=DealRule.CHOICE,
        facts=(
            fields.OFFENDER,
            fields.LOWER_LEGAL,
            fields.UPPER_LEGAL,
            fields.opponents_choice(("lower", _LOWER), ("upper", _UPPER)),
            fields.TRICK,
        ),
        options=(
            Option("lower", _LOWER, DealRule.STANDS),
            Option("upper", _UPPER, DealRule.STANDS),
        ),
        keywords=T(en="two cards drop", fr="deux cartes tomber", nl="twee kaarten vallen"),
    ),
    _revoke(
        "a",
        T(
            en="Revoke: a plain card of another suit",
            fr="Renonce dans une autre couleur",
            nl="Verzaken in een andere kleur",
        ),
        T(
            en="Holding the suit led and playing another plain suit costs the penalty.",
            fr="Avoir de la couleur demandée et jouer une autre couleur que l’atout coûte la pénalité.",
            nl="De gevraagde kleur hebben en een andere gewone kleur spelen kost de straf.",
        ),
        "Who renounces",
        T(
            en="follow suit renounce",
            fr="renoncer fournir",
            nl="verzaken loochenen volgen lokeren",
        ),
    ),
    _revoke(
        "b",
        T(en="False ruff", fr="Coupe à faux", nl="Vals kopen"),
        T(
            en="Ruffing a plain suit while holding a card of it costs the penalty.",
            fr="Couper une couleur dont on possède encore une carte coûte la pénalité.",
            nl="Een kleur kopen terwijl men ze nog in de hand heeft, kost de straf.",
        ),
        "cuts to false",
        T(
            en="ruff revoke trump follow suit",
            fr="renonce atout couper fournir",
            nl="introeven verzaken troef",
        ),
    ),
    _revoke(
        "c",
        T(en="Underplaying", fr="Sous-force", nl="Te laag volgen"),
        T(
            en="Following with a card below an opponent's winning card, while able to beat it, costs the penalty.",
            fr="Fournir au-dessous de la carte maîtresse adverse quand on peut la forcer coûte la pénalité.",
            nl="Onder de winnende kaart van een tegenstander volgen terwijl men kan overgaan, kost de straf.",
        ),
        "sub-torce",
        T(en="beat force lower", fr="forcer monter", nl="overgaan hoger spelen"),
    ),
    _revoke(
        "d",
        T(
            en="Not ruffing or overruffing when bound",
            fr="Défaut de couper ou de surcouper",
            nl="Niet kopen of overkopen waar het moet",
        ),
        T(
            en="A void player who discards, or ruffs too low, where he is bound to ruff or overruff an opponent breaks the duty to cut: the penalty of rule 9 applies.",
            fr="Qui, sans la couleur, défausse ou coupe trop bas alors qu’il doit couper ou surcouper l’adversaire manque au devoir de couper : la pénalité de la règle 9 s’applique.",
            nl="Wie de kleur niet heeft en aflegt of te laag koopt terwijl hij een tegenstander moet kopen of overkopen, schendt de plicht om te kopen: de straf van regel 9 geldt.",
        ),
        "otherwise you have to cut",
        T(
            en="ruff overruff under-ruff discard",
            fr="couper surcouper sous-couper défausser",
            nl="kopen overkopen onderkopen afleggen",
        ),
        Origin.RECOMMENDED,
    ),
)
