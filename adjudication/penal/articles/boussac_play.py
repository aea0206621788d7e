"""Articles of source 001, rules 3, 4, 5 and 9 to 16: playing the cards and conduct (C.2)."""

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
    FactField,
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
_PLAIN_FACTS: Final = (fields.OFFENDER, fields.TRICK)


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


def _penalised(
    rule: int,
    title: T,
    text: T,
    quote: str,
    when: T,
    keywords: T,
    *,
    kind: Kind = Kind.CONDUCT,
    extra: tuple[FactField, ...] = (),
    conditions: tuple[Condition, ...] = (),
) -> Article:
    """A rule whose breach costs the penalty, which replaces the deal (Q-GEN-4)."""
    return Article(
        id=f"001-R{rule}",
        kind=kind,
        origin=Origin.SOURCE,
        title=title,
        text=text,
        citation=Citation("001", f"r.{rule}", quote),
        who=Who.PLAYER,
        established=when,
        charge=Charge.PENALTY,
        deal=DealRule.REPLACED,
        facts=(_PLAIN_FACTS[0], *extra, _PLAIN_FACTS[1]),
        conditions=conditions,
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
    _penalised(
        10,
        T(en="Playing out of turn", fr="Jouer avant son tour", nl="Voor zijn beurt spelen"),
        T(
            en="Whoever leads or follows before it is his turn costs his side the penalty.",
            fr="Qui entame ou fournit avant son tour fait perdre la pénalité à son camp.",
            nl="Wie uitkomt of volgt voordat het zijn beurt is, kost zijn kamp de straf.",
        ),
        "Who plays before his turn",
        established.CARD_ON_TABLE,
        T(en="turn lead early order", fr="tour entamer trop tôt", nl="beurt uitkomen te vroeg"),
        kind=Kind.CARD_PLAY,
    ),
    _penalised(
        11,
        T(
            en="Gathering a trick of three cards",
            fr="Ramasser une levée de trois cartes",
            nl="Een slag van drie kaarten oprapen",
        ),
        T(
            en="Who gathers a trick of only three cards and plays again before recognising it pays; recognised in time, the trick is simply completed.",
            fr="Qui ramasse une levée de trois cartes et rejoue avant de le reconnaître paie ; reconnue à temps, la levée est simplement complétée.",
            nl="Wie een slag van drie kaarten opraapt en verder speelt voor hij het erkent, betaalt; tijdig erkend wordt de slag gewoon aangevuld.",
        ),
        "made up of only 3 cards",
        T(
            en="When he plays again before recognising the error.",
            fr="Quand il rejoue avant d’avoir reconnu l’erreur.",
            nl="Wanneer hij opnieuw speelt voor hij de fout erkent.",
        ),
        T(
            en="gather incomplete three cards",
            fr="ramasser incomplète trois cartes",
            nl="oprapen onvolledig drie kaarten",
        ),
        extra=(fields.PLAYED_AFTER,),
        conditions=(
            Condition(
                "played_after",
                True,
                T(
                    en="The error was recognised before he played: the trick is completed, without penalty.",
                    fr="L’erreur a été reconnue avant qu’il rejoue : la levée est complétée, sans pénalité.",
                    nl="De fout werd erkend voordat hij speelde: de slag wordt aangevuld, zonder straf.",
                ),
            ),
        ),
    ),
    _penalised(
        12,
        T(
            en="Playing with two tricks left lying",
            fr="Jouer en laissant deux levées sur le tapis",
            nl="Spelen terwijl er twee slagen blijven liggen",
        ),
        T(
            en="Who plays on while two tricks lie ungathered on the table costs his side the penalty.",
            fr="Qui joue quand deux levées restent sur le tapis sans être ramassées fait perdre la pénalité à son camp.",
            nl="Wie verder speelt terwijl twee slagen niet opgeraapt op tafel liggen, kost zijn kamp de straf.",
        ),
        "leaving two lifting on the carpet",
        T(
            en="When a card is played while two tricks lie.",
            fr="Quand une carte est jouée, deux levées étant sur le tapis.",
            nl="Wanneer een kaart gespeeld wordt terwijl twee slagen liggen.",
        ),
        T(en="gather two tricks", fr="ramasser deux levées", nl="oprapen twee slagen"),
    ),
    _penalised(
        13,
        T(
            en="Looking at a turned trick",
            fr="Regarder une levée pliée",
            nl="In een omgekeerde slag kijken",
        ),
        T(
            en="Who looks at a trick that has been turned, his own or the opponents', pays. A check made by the referee is no offence.",
            fr="Qui regarde une levée pliée, la sienne ou celle des adversaires, paie. La vérification par l’arbitre n’est pas une faute.",
            nl="Wie een gesloten slag bekijkt, de eigen of die van de tegenpartij, betaalt. Nazicht door de scheidsrechter is geen fout.",
        ),
        "looks at a folded lifting",
        T(en="On looking.", fr="Au moment où il regarde.", nl="Op het ogenblik van kijken."),
        T(
            en="look peek trick turned check",
            fr="regarder vérifier pli",
            nl="kijken nazien slag",
        ),
        extra=(fields.BY_REFEREE,),
        conditions=(
            Condition(
                "by_referee",
                False,
                T(
                    en="The trick was checked at the referee's word, which 000 provides for: no offence.",
                    fr="La levée a été vérifiée sur ordre de l’arbitre, ce que 000 prévoit : pas de faute.",
                    nl="De slag werd op verzoek van de scheidsrechter nagezien, wat 000 voorziet: geen fout.",
                ),
            ),
        ),
    ),
    Article(
        id="001-R14",
        kind=Kind.CONDUCT,
        origin=Origin.SOURCE,
        title=T(
            en="Gathering the opponents' trick",
            fr="Ramasser une levée adverse",
            nl="Een slag van de tegenpartij oprapen",
        ),
        text=T(
            en="Gathering a trick that belongs to the opponents is not punished: it is handed over.",
            fr="Ramasser une levée qui appartient aux adversaires n’est pas puni : elle leur est rendue.",
            nl="Een slag oprapen die aan de tegenpartij toekomt, wordt niet bestraft: ze wordt afgegeven.",
        ),
        citation=Citation("001", "r.14", "not punished for picking up"),
        who=Who.PLAYER,
        established=established.AT_ONCE,
        charge=Charge.NONE,
        deal=DealRule.STANDS,
        beneficiary=Beneficiary.NOBODY,
        facts=_PLAIN_FACTS,
        keywords=T(en="gather wrong trick", fr="ramasser pli erreur", nl="oprapen vergissing slag"),
    ),
    Article(
        id="001-R15",
        kind=Kind.CONDUCT,
        origin=Origin.SOURCE,
        title=T(
            en="Asking to see partner's hand",
            fr="Demander à voir le jeu du partenaire",
            nl="Vragen om de hand van de maat te zien",
        ),
        text=T(
            en="If a player asks to see his partner's cards, that hand lies face up until the end of the deal.",
            fr="Si un joueur demande à voir les cartes de son partenaire, ce jeu reste étalé jusqu’à la fin du coup.",
            nl="Vraagt een speler de kaarten van zijn maat te zien, dan blijft die hand open liggen tot het einde van de gift.",
        ),
        citation=Citation("001", "r.15", "stay spread out on the table"),
        who=Who.SIDE,
        established=established.ON_REQUEST,
        charge=Charge.NONE,
        deal=DealRule.STANDS,
        facts=_PLAIN_FACTS,
        keywords=T(en="hand face up show", fr="étaler main montrer", nl="hand open tonen"),
    ),
    _penalised(
        16,
        T(en="False statement", fr="Fausse annonce", nl="Valse mededeling"),
        T(
            en="A false statement or answer about the cards one holds costs the penalty. Naming one suit while playing another is judged by rule 3 instead.",
            fr="Une déclaration ou réponse fausse sur ses cartes coûte la pénalité. Annoncer une couleur en jouant une autre relève de la règle 3.",
            nl="Een valse verklaring of een vals antwoord over de eigen kaarten kost de straf. Een kleur noemen en een andere spelen valt onder regel 3.",
        ),
        "He who makes a false ad",
        established.WHEN_DISPROVED,
        T(
            en="lie answer announcement untrue",
            fr="mensonge réponse fausse déclaration",
            nl="leugen antwoord aankondiging onwaar",
        ),
        kind=Kind.TALK,
        extra=(fields.PROVED,),
        conditions=(
            Condition(
                "proved",
                True,
                T(
                    en="The cards do not disprove the statement: no penalty.",
                    fr="Les cartes ne démentent pas la déclaration : pas de pénalité.",
                    nl="De kaarten spreken de verklaring niet tegen: geen straf.",
                ),
            ),
        ),
    ),
)
