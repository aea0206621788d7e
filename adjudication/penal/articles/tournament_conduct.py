"""Tournament articles, beyond the sources: conduct at the table, slips and claims (C.7)."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from adjudication.penal import fields
from adjudication.penal.article import (
    Beneficiary,
    Charge,
    Condition,
    DealRule,
    FactField,
    FactType,
    Kind,
    LadderBy,
    Measure,
    Step,
    Who,
)
from adjudication.penal.words import MEASURES
from scoring.engine.texts import Texts as T

from . import established
from .additions import addition

_PUBLISHED_MINUTES: Final = FactField(
    "minutes",
    FactType.INT,
    T(
        en="Minutes since publication",
        fr="Minutes depuis la publication",
        nl="Minuten sinds publicatie",
    ),
    T(
        en="How long ago the result of the round was published; 0 if it was not.",
        fr="Depuis combien de temps le résultat est publié ; 0 s’il ne l’est pas.",
        nl="Hoe lang geleden het resultaat gepubliceerd werd; 0 als dat nog niet gebeurde.",
    ),
    minimum=0,
    maximum=10_000,
)


def _measure(*values: Measure) -> FactField:
    """The field by which a referee sets a discretionary measure."""
    return fields.choice(
        "measure",
        T(en="Measure", fr="Mesure", nl="Maatregel"),
        T(
            en="The measure you impose; write the reason with it.",
            fr="La mesure que vous prenez ; écrivez-en le motif.",
            nl="De maatregel die u oplegt; schrijf de reden erbij.",
        ),
        *((str(value), MEASURES[value]) for value in values),
    )


ARTICLES: Final = (
    addition(
        "T-PHONE",
        Who.PLAYER,
        T(
            en="Telephone or recording at the table",
            fr="Téléphone ou enregistrement à la table",
            nl="Telefoon of opname aan tafel",
        ),
        T(
            en="Using a telephone or recording at the table: a warning, then the penalty, then exclusion from the round. Entering the score on the event's own page is no use of a telephone.",
            fr="Téléphoner ou enregistrer à la table : un avertissement, puis la pénalité, puis l’exclusion de la ronde. Saisir la marque sur la page de l’épreuve n’est pas visé.",
            nl="Telefoneren of opnemen aan tafel: een waarschuwing, dan de straf, dan uitsluiting uit de ronde. De stand invoeren op de pagina van het tornooi valt hier niet onder.",
        ),
        "warning, penalty, exclusion",
        facts=(fields.OFFENDER,),
        steps=(
            Step(1, Measure.WARNING),
            Step(2, Measure.PENALTY),
            Step(None, Measure.EXCLUDED_FROM_ROUND),
        ),
        kind=Kind.CONDUCT,
        keywords=T(
            en="phone mobile camera record",
            fr="portable mobile caméra enregistrer",
            nl="gsm mobiel camera opnemen",
        ),
    ),
    addition(
        "T-INT",
        Who.PLAYER,
        T(
            en="Deliberate revoke or collusion",
            fr="Renonce volontaire ou collusion",
            nl="Opzettelijk verzaken of samenspel",
        ),
        T(
            en="Revoking on purpose or losing by arrangement: all the points of the deal to the opponents, or loss of the round; a repetition is disqualification.",
            fr="Renoncer exprès ou perdre par entente : tous les points de la donne aux adversaires, ou perte de la ronde ; la récidive vaut disqualification.",
            nl="Met opzet verzaken of volgens afspraak verliezen: alle punten van de gift naar de tegenpartij, of verlies van de ronde; herhaling is diskwalificatie.",
        ),
        "60 for an intentional revoke",
        facts=(
            fields.OFFENDER,
            fields.PROVED,
            _measure(Measure.PENALTY, Measure.ROUND_FORFEITED),
        ),
        steps=(
            Step(1, Measure.PENALTY, Fraction(2)),
            Step(None, Measure.DISQUALIFIED),
        ),
        deal=DealRule.REPLACED,
        conditions=(
            Condition(
                "proved",
                True,
                T(
                    en="Intent is not proved: judge the card itself by its own article.",
                    fr="L’intention n’est pas prouvée : jugez la carte par son propre article.",
                    nl="Opzet is niet bewezen: beoordeel de kaart volgens haar eigen artikel.",
                ),
            ),
        ),
        discretionary=True,
        kind=Kind.CONDUCT,
        keywords=T(
            en="cheating intent dumping arrange",
            fr="tricherie intention entente exprès",
            nl="bedrog opzet afspraak vals spel",
        ),
    ),
    addition(
        "T-UNSP",
        Who.PLAYER,
        T(
            en="Unsporting behaviour",
            fr="Comportement antisportif",
            nl="Onsportief gedrag",
        ),
        T(
            en="Insults, drunkenness or anything unworthy of the table: the referee warns; the director may exclude from the round or disqualify.",
            fr="Injures, ivresse ou tout ce qui est indigne de la table : l’arbitre avertit ; le directeur peut exclure de la ronde ou disqualifier.",
            nl="Beledigingen, dronkenschap of wat de tafel onwaardig is: de scheidsrechter waarschuwt; de wedstrijdleider kan uit de ronde sluiten of diskwalificeren.",
        ),
        "organiser and referee may disqualify",
        facts=(
            fields.OFFENDER,
            _measure(
                Measure.WARNING,
                Measure.PENALTY,
                Measure.EXCLUDED_FROM_ROUND,
                Measure.DISQUALIFIED,
            ),
        ),
        discretionary=True,
        kind=Kind.CONDUCT,
        keywords=T(
            en="insult drunk aggressive exclude",
            fr="injure ivresse agressif exclure",
            nl="belediging dronken agressief uitsluiten",
        ),
    ),
    addition(
        "T-SPEC",
        Who.BYSTANDER,
        T(
            en="Interference by a spectator",
            fr="Intervention d’un spectateur",
            nl="Tussenkomst van een toeschouwer",
        ),
        T(
            en="A spectator, or a player who has finished, who interferes with a table is sent away from it.",
            fr="Le spectateur, ou le joueur qui a fini, qui intervient à une table en est éloigné.",
            nl="Een toeschouwer, of een speler die klaar is, die zich met een tafel bemoeit, wordt weggestuurd.",
        ),
        "removal",
        facts=(),
        steps=(Step(None, Measure.REMOVED),),
        beneficiary=Beneficiary.NOBODY,
        kind=Kind.CONDUCT,
        keywords=T(en="kibitzer public watch", fr="public curieux regarder", nl="publiek kijker"),
    ),
    addition(
        "T-SELF",
        Who.SIDE,
        T(
            en="Players settle an incident themselves",
            fr="Incident réglé entre joueurs",
            nl="Spelers regelen een voorval zelf",
        ),
        T(
            en="Players call the referee; they do not settle an incident among themselves. A later claim about it is refused.",
            fr="Les joueurs appellent l’arbitre ; ils ne règlent pas un incident entre eux. Toute réclamation ultérieure à ce sujet est refusée.",
            nl="Spelers roepen de scheidsrechter; ze regelen een voorval niet onderling. Een latere klacht daarover wordt geweigerd.",
        ),
        "tarot: no settling among players",
        facts=(),
        steps=(Step(None, Measure.CLAIM_REFUSED),),
        beneficiary=Beneficiary.NOBODY,
        kind=Kind.CONDUCT,
        keywords=T(
            en="claim refuse arrangement", fr="réclamation refus arrangement", nl="klacht weigeren"
        ),
    ),
    addition(
        "T-SLIP",
        Who.SIDE,
        T(
            en="Wrong or unsigned score slip",
            fr="Feuille fausse ou non signée",
            nl="Fout of niet-ondertekend scoreblad",
        ),
        T(
            en="A slip that is wrong or unsigned is corrected until fifteen minutes after the publication of the result; after that it stands.",
            fr="La feuille fausse ou non signée se corrige jusqu’à quinze minutes après la publication du résultat ; ensuite elle fait foi.",
            nl="Een fout of niet-ondertekend blad wordt verbeterd tot vijftien minuten na de publicatie van het resultaat; daarna blijft het staan.",
        ),
        "correctable until publication + 15 min",
        facts=(_PUBLISHED_MINUTES,),
        by=LadderBy.MINUTES,
        steps=(Step(15, Measure.NONE), Step(None, Measure.CLAIM_REFUSED)),
        beneficiary=Beneficiary.NOBODY,
        when=established.BY_THE_CLOCK,
        keywords=T(
            en="score sheet signature error correction",
            fr="marque signature erreur correction",
            nl="stand handtekening fout verbetering",
        ),
    ),
    addition(
        "T-CLAIM",
        Who.PLAYER,
        T(
            en="Claiming all the tricks wrongly",
            fr="Étaler en prétendant tout faire à tort",
            nl="Onterecht alle slagen opeisen",
        ),
        T(
            en="A player who faces his cards claiming all the rest, while the opponents can win a trick, is treated as if he had revoked.",
            fr="Qui étale son jeu en prétendant faire le reste, alors que l’adversaire peut gagner une levée, est traité comme s’il avait renoncé.",
            nl="Wie zijn kaarten openlegt en de rest opeist terwijl de tegenpartij nog een slag kan winnen, wordt behandeld alsof hij verzaakte.",
        ),
        "botifarra: treated as revoke",
        facts=(fields.OFFENDER, fields.OPPONENTS_CAN_WIN, fields.TRICK),
        charge=Charge.PENALTY,
        deal=DealRule.REPLACED,
        when=established.AT_ONCE,
        conditions=(
            Condition(
                "opponents_can_win",
                True,
                T(
                    en="The opponents could win no trick: the claim is good and the deal stands.",
                    fr="L’adversaire ne pouvait gagner aucune levée : l’étalage est bon et la donne tient.",
                    nl="De tegenpartij kon geen slag meer winnen: de claim klopt en de gift geldt.",
                ),
            ),
        ),
        kind=Kind.CARD_PLAY,
        keywords=T(
            en="claim face lay down rest", fr="étaler abattre reste", nl="openleggen opeisen rest"
        ),
    ),
)
