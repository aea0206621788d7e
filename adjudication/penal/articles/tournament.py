"""Tournament articles, beyond the sources: being there, talk, dealing and pace (C.7)."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from adjudication.penal import fields
from adjudication.penal.article import (
    Beneficiary,
    Case,
    Charge,
    DealRule,
    Kind,
    LadderBy,
    LadderScope,
    Measure,
    Step,
    Who,
)
from scoring.engine.texts import Texts as T

from . import established
from .additions import addition

ARTICLES: Final = (
    addition(
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
    addition(
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
    addition(
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
    addition(
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
    addition(
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
    addition(
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
)
