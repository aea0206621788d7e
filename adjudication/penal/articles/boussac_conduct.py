"""Articles of source 001, rules 10 to 16: turn, tricks, hands and statements (C.2)."""

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
    Origin,
    Who,
)
from scoring.engine.texts import Texts as T

from . import established

_PLAIN_FACTS: Final = (fields.OFFENDER, fields.TRICK)


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
