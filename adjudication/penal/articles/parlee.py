"""Articles of source 000, the parlée: ethics of speech and the four duties of card play (C.1)."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from adjudication.penal.article import (
    Article,
    Charge,
    Citation,
    Condition,
    DealRule,
    Kind,
    Ladder,
    LadderBy,
    Measure,
    Origin,
    Step,
    Who,
)
from adjudication.penal.fields import CARD, NOTICED, OFFENDER, PROVED, TRICK, what
from scoring.engine.texts import Texts

from .established import AT_ONCE, BEFORE_SIGNATURES, WHEN_PROVED

WARNING_THEN_PENALTY: Final = Ladder(
    LadderBy.OFFENCE,
    (Step(1, Measure.WARNING), Step(None, Measure.PENALTY, Fraction(1))),
)
CARD_FACTS: Final = (OFFENDER, NOTICED, TRICK, CARD)

ARTICLES: Final = (
    Article(
        id="000-E1",
        kind=Kind.TALK,
        origin=Origin.SOURCE,
        title=Texts(
            en="Secret message in an answer",
            fr="Message convenu dans une réponse",
            nl="Geheime boodschap in een antwoord",
        ),
        text=Texts(
            en="A partner who answers in an agreed form, so that the opponents cannot understand what is conveyed, offends against ethics: the penalty goes to the opponents.",
            fr="Le partenaire qui répond d’une façon convenue d’avance, transmettant ce que les adversaires ne peuvent comprendre, manque à l’éthique : la pénalité revient aux adversaires.",
            nl="Wie zijn maat antwoordt op een afgesproken manier, zodat de tegenpartij niet begrijpt wat wordt meegedeeld, zondigt tegen de ethiek: de straf gaat naar de tegenpartij.",
        ),
        citation=Citation("000", "La marque", "de façon non conventionnelle"),
        who=Who.PLAYER,
        established=WHEN_PROVED,
        charge=Charge.PENALTY,
        deal=DealRule.REPLACED,
        facts=(OFFENDER, PROVED, TRICK),
        conditions=(
            Condition(
                "proved",
                True,
                Texts(
                    en="The message is not proved: no penalty, and the deal stands.",
                    fr="Le message n’est pas prouvé : pas de pénalité, la donne est bonne.",
                    nl="De boodschap is niet bewezen: geen straf, de gift geldt.",
                ),
            ),
        ),
        keywords=Texts(
            en="code signal ethics convention cheating",
            fr="code signe éthique convention tricherie",
            nl="code teken ethiek afspraak bedrog",
        ),
    ),
    Article(
        id="000-E2",
        kind=Kind.TALK,
        origin=Origin.RECOMMENDED,
        title=Texts(
            en="Speaking out of privilege, or disobeying an order",
            fr="Parole sans privilège ou ordre désobéi",
            nl="Spreken zonder voorrecht of een bevel negeren",
        ),
        text=Texts(
            en="Only the leader of the trick questions, unless he passes the word; questions and answers are brief and clear to all; a possible order is obeyed. Whoever breaks this is warned the first time and penalised after that.",
            fr="Seul le premier à jouer interroge, sauf s’il passe la parole ; questions et réponses sont brèves et claires pour tous ; un ordre possible est suivi. Qui y manque est averti la première fois, pénalisé ensuite.",
            nl="Alleen wie uitkomt stelt vragen, tenzij hij het woord doorgeeft; vraag en antwoord zijn kort en duidelijk voor iedereen; een mogelijk bevel wordt gevolgd. Wie dat niet doet krijgt eerst een waarschuwing, daarna straf.",
        ),
        citation=Citation("000", "Déroulement", "brèves et intelligibles de tous"),
        who=Who.PARTNER_OR_OPPONENT,
        established=AT_ONCE,
        charge=Charge.LADDER,
        deal=DealRule.STANDS,
        facts=(
            OFFENDER,
            what(
                (
                    "asked_without_word",
                    Texts(
                        en="questioned without having the word",
                        fr="a interrogé sans avoir la parole",
                        nl="stelde vragen zonder het woord te hebben",
                    ),
                ),
                (
                    "opponents_talked",
                    Texts(
                        en="spoke during the other side's privilege",
                        fr="a parlé pendant le privilège de l’autre camp",
                        nl="sprak tijdens het voorrecht van het andere kamp",
                    ),
                ),
                (
                    "unclear",
                    Texts(
                        en="was long-winded or not clear to all",
                        fr="n’a pas été bref ou clair pour tous",
                        nl="was niet kort of niet duidelijk voor iedereen",
                    ),
                ),
                (
                    "disobeyed",
                    Texts(
                        en="disobeyed an order that could be followed",
                        fr="a désobéi à un ordre qui pouvait être suivi",
                        nl="volgde een mogelijk bevel niet op",
                    ),
                ),
            ),
            TRICK,
        ),
        ladder=WARNING_THEN_PENALTY,
        keywords=Texts(
            en="talk question privilege order obey",
            fr="parler question privilège ordre obéir",
            nl="praten vraag voorrecht bevel gehoorzamen",
        ),
    ),
    Article(
        id="000-P1",
        kind=Kind.CARD_PLAY,
        origin=Origin.SOURCE,
        title=Texts(
            en="Revoke: not following suit",
            fr="Renonce : ne pas fournir",
            nl="Verzaken: niet volgen",
        ),
        text=Texts(
            en="A player who holds the suit led must follow to it. Playing another suit, trump included, is a revoke.",
            fr="Qui possède la couleur demandée doit la fournir. Jouer une autre couleur, même atout, est une renonce.",
            nl="Wie de gevraagde kleur heeft, moet volgen. Een andere kleur spelen, ook troef, is verzaken.",
        ),
        citation=Citation("000", "La marque", "ne pas fournir de la couleur demandée"),
        who=Who.PLAYER,
        established=BEFORE_SIGNATURES,
        charge=Charge.PENALTY,
        deal=DealRule.REPLACED,
        facts=CARD_FACTS,
        correctable=True,
        keywords=Texts(
            en="follow suit false ruff renounce",
            fr="fournir couleur coupe à faux",
            nl="volgen kleur loochenen lokeren vals kopen",
        ),
    ),
    Article(
        id="000-P2",
        kind=Kind.CARD_PLAY,
        origin=Origin.SOURCE,
        title=Texts(
            en="Not beating an opponent's card",
            fr="Ne pas forcer sur l’adversaire",
            nl="Niet overgaan op de tegenpartij",
        ),
        text=Texts(
            en="While an opponent is master with a card of the suit led, a player who follows must beat it if he can. Nobody need beat his partner.",
            fr="Quand un adversaire est maître dans la couleur demandée, qui fournit doit forcer s’il le peut. On ne force pas sur son partenaire.",
            nl="Ligt een tegenstander in de gevraagde kleur, dan moet wie volgt overgaan als hij kan. Op de eigen maat hoeft dat niet.",
        ),
        citation=Citation("000", "La marque", "ne pas forcer sur une carte adverse"),
        who=Who.PLAYER,
        established=BEFORE_SIGNATURES,
        charge=Charge.PENALTY,
        deal=DealRule.REPLACED,
        facts=CARD_FACTS,
        correctable=True,
        keywords=Texts(
            en="beat force raise underplay",
            fr="forcer monter sous-force",
            nl="overgaan hoger spelen bovenleggen",
        ),
    ),
    Article(
        id="000-P3",
        kind=Kind.CARD_PLAY,
        origin=Origin.SOURCE,
        title=Texts(
            en="Not ruffing when bound to",
            fr="Défaut de couper",
            nl="Niet kopen waar het moet",
        ),
        text=Texts(
            en="Void in the suit led while an opponent is master, a player who holds trump must ruff. A discard instead is penalised.",
            fr="Sans carte de la couleur demandée, l’adversaire étant maître, qui a de l’atout doit couper. S’il se défausse, la pénalité est due.",
            nl="Wie de gevraagde kleur niet heeft terwijl een tegenstander ligt, moet met een troef kopen. Legt hij af, dan volgt straf.",
        ),
        citation=Citation("000", "La marque", "ne pas couper quand on le doit"),
        who=Who.PLAYER,
        established=BEFORE_SIGNATURES,
        charge=Charge.PENALTY,
        deal=DealRule.REPLACED,
        facts=CARD_FACTS,
        correctable=True,
        keywords=Texts(
            en="ruff trump discard",
            fr="couper atout défausser pisser",
            nl="kopen introeven troeven afleggen",
        ),
    ),
    Article(
        id="000-P4",
        kind=Kind.CARD_PLAY,
        origin=Origin.SOURCE,
        title=Texts(
            en="Not overruffing when able",
            fr="Défaut de surcouper",
            nl="Niet overkopen waar het kan",
        ),
        text=Texts(
            en="When an opponent has ruffed, a player void in the suit led overruffs if he holds a higher trump; only when he cannot is he free to discard.",
            fr="Si l’adversaire a coupé, qui n’a pas la couleur demandée surcoupe s’il a un atout supérieur ; il n’est libre de défausser que s’il ne le peut.",
            nl="Heeft een tegenstander gekocht, dan koopt wie de gevraagde kleur niet heeft over met een hogere troef; alleen wie dat niet kan, mag vrij afleggen.",
        ),
        citation=Citation("000", "La marque", "ne pas surcouper quand on le peut"),
        who=Who.PLAYER,
        established=BEFORE_SIGNATURES,
        charge=Charge.PENALTY,
        deal=DealRule.REPLACED,
        facts=CARD_FACTS,
        correctable=True,
        keywords=Texts(
            en="overruff higher trump",
            fr="surcouper atout supérieur",
            nl="overkopen overtroeven hogere troef",
        ),
    ),
)
