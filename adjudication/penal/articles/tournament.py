"""Tournament articles, beyond the sources: all are additions, each with its ladder (C.7)."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from adjudication.penal import fields
from adjudication.penal.article import (
    Article,
    Beneficiary,
    Case,
    Charge,
    Citation,
    Condition,
    DealRule,
    FactField,
    FactType,
    Kind,
    Ladder,
    LadderBy,
    LadderScope,
    Measure,
    Origin,
    Step,
    Who,
)
from adjudication.penal.words import MEASURES
from scoring.engine.texts import Texts as T

from . import established

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


def _addition(
    id: str,
    who: Who,
    title: T,
    text: T,
    model: str,
    *,
    facts: tuple[FactField, ...],
    keywords: T,
    steps: tuple[Step, ...] = (),
    by: LadderBy = LadderBy.OFFENCE,
    charge: Charge = Charge.LADDER,
    deal: DealRule = DealRule.STANDS,
    when: T = established.BY_THE_REFEREE,
    beneficiary: Beneficiary = Beneficiary.OPPONENTS,
    conditions: tuple[Condition, ...] = (),
    cases: tuple[Case, ...] = (),
    scope: LadderScope = LadderScope.EVENT,
    discretionary: bool = False,
    kind: Kind = Kind.TOURNAMENT,
) -> Article:
    """An article of tournament practice; ``model`` names the practice it follows."""
    return Article(
        id=id,
        kind=kind,
        origin=Origin.ADDITION,
        title=title,
        text=text,
        citation=Citation("C.7", id, model),
        who=who,
        established=when,
        charge=charge,
        deal=deal,
        beneficiary=beneficiary,
        facts=facts,
        conditions=conditions,
        cases=cases,
        ladder=Ladder(by, steps, scope) if steps else None,
        discretionary=discretionary,
        keywords=keywords,
    )


ARTICLES: Final = (
    _addition(
        "T-LATE",
        Who.ENTRANT,
        T(en="Late at the table", fr="Retard à la table", nl="Te laat aan tafel"),
        T(
            en="Up to five minutes late is a warning; each further five minutes begun concede one deal at half the penalty value; at fifteen minutes the round is forfeited.",
            fr="Jusqu’à cinq minutes de retard, un avertissement ; chaque tranche de cinq minutes entamée concède une donne à la moitié de la pénalité ; à quinze minutes, forfait.",
            nl="Tot vijf minuten te laat geeft een waarschuwing; elke begonnen vijf minuten daarna kosten één gift aan de halve straf; vanaf vijftien minuten is het forfait.",
        ),
        "klaverjas clubs seat out late players",
        facts=(fields.OFFENDER, fields.MINUTES),
        by=LadderBy.MINUTES,
        steps=(
            Step(5, Measure.WARNING),
            Step(10, Measure.DEALS_CONCEDED, Fraction(1, 2), 1),
            Step(14, Measure.DEALS_CONCEDED, Fraction(1, 2), 2),
            Step(None, Measure.ROUND_FORFEITED),
        ),
        when=established.BY_THE_CLOCK,
        keywords=T(en="late delay time minutes", fr="retard heure minutes", nl="laat tijd minuten"),
    ),
    _addition(
        "T-ABS",
        Who.ENTRANT,
        T(
            en="Absence or withdrawal",
            fr="Absence ou abandon",
            nl="Afwezigheid of opgave",
        ),
        T(
            en="An entrant who does not appear or withdraws forfeits the round with 0; in a league, the results against a withdrawn team are deleted.",
            fr="Qui ne se présente pas ou abandonne perd la ronde par forfait avec 0 ; en championnat, les résultats contre l’équipe retirée sont effacés.",
            nl="Wie niet opdaagt of opgeeft, verliest de ronde met forfait en 0 punten; in een competitie vervallen de resultaten tegen een teruggetrokken ploeg.",
        ),
        "forfeit … 0 punten",
        facts=(
            fields.OFFENDER,
            fields.what(
                (
                    "no_show",
                    T(en="did not appear", fr="ne s’est pas présenté", nl="daagde niet op"),
                ),
                ("withdrawal", T(en="withdrew", fr="a abandonné", nl="gaf op")),
                (
                    "league_withdrawal",
                    T(
                        en="withdrew from a league",
                        fr="s’est retiré d’un championnat",
                        nl="trok zich terug uit een competitie",
                    ),
                ),
            ),
        ),
        steps=(Step(None, Measure.ROUND_FORFEITED),),
        cases=(
            Case(
                "what",
                "league_withdrawal",
                T(
                    en="In a league the results against the withdrawn team are deleted.",
                    fr="En championnat, les résultats contre l’équipe retirée sont effacés.",
                    nl="In een competitie vervallen de resultaten tegen de teruggetrokken ploeg.",
                ),
                Measure.RESULTS_DELETED,
                DealRule.STANDS,
            ),
        ),
        when=established.BY_THE_CLOCK,
        keywords=T(
            en="no-show forfeit withdraw", fr="forfait abandon absent", nl="forfait opgave afwezig"
        ),
    ),
    _addition(
        "T-COMM",
        Who.PLAYER,
        T(
            en="Illegal communication",
            fr="Communication illicite",
            nl="Ongeoorloofde communicatie",
        ),
        T(
            en="Gestures, words beyond those the game allows, rapping the table: first a warning, then the penalty, then disqualification.",
            fr="Gestes, mots au-delà de ceux que le jeu admet, coups sur la table : d’abord un avertissement, puis la pénalité, puis la disqualification.",
            nl="Gebaren, woorden buiten wat het spel toelaat, op tafel tikken: eerst een waarschuwing, dan de straf, dan diskwalificatie.",
        ),
        "botifarra: only the prescribed words",
        facts=(fields.OFFENDER,),
        steps=(
            Step(1, Measure.WARNING),
            Step(2, Measure.PENALTY),
            Step(None, Measure.DISQUALIFIED),
        ),
        kind=Kind.TALK,
        keywords=T(
            en="gesture sign talk signal cheating",
            fr="geste signe parler signal tricherie",
            nl="gebaar teken praten signaal bedrog",
        ),
    ),
    _addition(
        "T-PEEK",
        Who.DEALERS_PARTNER,
        T(
            en="Dealer's partner looks too soon",
            fr="Le partenaire du donneur regarde trop tôt",
            nl="De maat van de deler kijkt te vroeg",
        ),
        T(
            en="If the dealer's partner looks at his cards before trump is chosen, the cards are thrown in and the deal passes on.",
            fr="Si le partenaire du donneur regarde ses cartes avant le choix de l’atout, les cartes sont jetées et la donne passe.",
            nl="Bekijkt de maat van de deler zijn kaarten voordat troef gemaakt is, dan gaan de kaarten dicht en gaat de gift door.",
        ),
        "cards thrown in, deal passes on",
        facts=(fields.OFFENDER,),
        charge=Charge.NONE,
        deal=DealRule.PASSES,
        beneficiary=Beneficiary.NOBODY,
        when=established.AT_ONCE,
        kind=Kind.DEALING,
        keywords=T(en="look early trump", fr="regarder avant atout", nl="kijken vroeg troef"),
    ),
    _addition(
        "T-MISD",
        Who.DEALER,
        T(
            en="Misdeal or dropped cards",
            fr="Maldonne ou cartes échappées",
            nl="Misdelen of kaarten laten vallen",
        ),
        T(
            en="Where the rulebook has no misdeal rule: the first time the same dealer deals again, the second time the deal passes; on purpose and more than once, the opponents receive the penalty.",
            fr="Là où le règlement ignore la maldonne : la première fois, le même donneur redonne ; la seconde, la donne passe ; volontaire et répétée, les adversaires reçoivent la pénalité.",
            nl="Waar het reglement geen misdelen kent: de eerste keer deelt dezelfde deler opnieuw, de tweede keer gaat de gift door; met opzet en meer dan eens, dan krijgt de tegenpartij de strafpunten.",
        ),
        "redeal; second time deal passes",
        facts=(fields.DEALER, fields.DELIBERATE),
        steps=(
            Step(1, Measure.REDEAL),
            Step(None, Measure.DEAL_PASSES),
        ),
        scope=LadderScope.DEAL,
        deal=DealRule.REDEALT,
        when=established.DURING_DEAL,
        kind=Kind.DEALING,
        keywords=T(
            en="misdeal redeal drop dealing",
            fr="maldonne redonner tomber distribution",
            nl="misdelen herdelen vallen gift",
        ),
    ),
    _addition(
        "T-SLOW",
        Who.SIDE,
        T(en="Slow play", fr="Lenteur", nl="Traag spelen"),
        T(
            en="Slow play earns a warning. At the bell, a deal whose first trick is complete is played out; any other deal is cancelled.",
            fr="La lenteur vaut un avertissement. À la cloche, la donne dont la première levée est complète se joue jusqu’au bout ; toute autre est annulée.",
            nl="Traag spelen geeft een waarschuwing. Bij het belsignaal wordt een gift met een volledige eerste slag uitgespeeld; elke andere vervalt.",
        ),
        "the bell",
        facts=(
            fields.OFFENDER,
            fields.what(
                ("slow", T(en="slow play", fr="jeu trop lent", nl="te traag gespeeld")),
                (
                    "bell_first_trick",
                    T(
                        en="the bell rang, first trick complete",
                        fr="la cloche a sonné, première levée complète",
                        nl="de bel ging, eerste slag volledig",
                    ),
                ),
                (
                    "bell_before",
                    T(
                        en="the bell rang before that",
                        fr="la cloche a sonné avant",
                        nl="de bel ging daarvoor",
                    ),
                ),
            ),
        ),
        steps=(Step(None, Measure.WARNING),),
        cases=(
            Case(
                "what",
                "bell_first_trick",
                T(
                    en="At the bell the first trick was complete: the deal is played out.",
                    fr="À la cloche la première levée était complète : la donne se joue jusqu’au bout.",
                    nl="Bij het belsignaal was de eerste slag volledig: de gift wordt uitgespeeld.",
                ),
                Measure.NONE,
                DealRule.STANDS,
            ),
            Case(
                "what",
                "bell_before",
                T(
                    en="At the bell the first trick was not complete: the deal is cancelled.",
                    fr="À la cloche la première levée n’était pas complète : la donne est annulée.",
                    nl="Bij het belsignaal was de eerste slag niet volledig: de gift vervalt.",
                ),
                Measure.NONE,
                DealRule.CANCELLED,
            ),
        ),
        keywords=T(en="slow time bell", fr="lent cloche temps", nl="traag bel tijd"),
    ),
    _addition(
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
    _addition(
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
    _addition(
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
    _addition(
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
    _addition(
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
    _addition(
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
    _addition(
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
