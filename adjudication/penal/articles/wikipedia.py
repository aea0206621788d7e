"""Articles of source 004: muette, parlée limited, blind, three-player and auction 1 (C.5)."""

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
    Ladder,
    LadderBy,
    Measure,
    Option,
    Origin,
    Step,
    Who,
)
from scoring.engine.texts import Texts as T

from . import established
from .parlee import CARD_FACTS, WARNING_THEN_PENALTY

_STANDS: Final = T(
    en="the trump named stands, undoubled",
    fr="l’atout nommé reste, sans doublement",
    nl="de genoemde troef blijft, zonder verdubbeling",
)
_REDEAL: Final = T(en="a new deal", fr="une nouvelle donne", nl="een nieuwe gift")

ARTICLES: Final = (
    Article(
        id="004-V1",
        kind=Kind.CARD_PLAY,
        origin=Origin.SOURCE,
        title=T(
            en="Breach of the rules of play",
            fr="Violation des règles du jeu",
            nl="Overtreding van de spelregels",
        ),
        text=T(
            en="A card played against the rules, such as a ruff by a player who could follow suit, gives the other pair the maximum of the deal.",
            fr="Une carte jouée contre les règles, telle une coupe par qui pouvait fournir, donne à l’autre paire le maximum de la donne.",
            nl="Een kaart tegen de regels, zoals kopen terwijl men kon volgen, geeft het andere paar het maximum van de gift.",
        ),
        citation=Citation("004", "Scoring", "the other pair gets the maximum points"),
        who=Who.PLAYER,
        established=established.BEFORE_SIGNATURES,
        charge=Charge.PENALTY,
        deal=DealRule.REPLACED,
        facts=CARD_FACTS,
        correctable=True,
        keywords=T(
            en="revoke follow suit false ruff violation",
            fr="renonce fournir coupe à faux couper",
            nl="verzaken volgen vals kopen loochenen",
        ),
    ),
    Article(
        id="004-E1",
        kind=Kind.TALK,
        origin=Origin.RECOMMENDED,
        title=T(
            en="Muette: talking during play",
            fr="Muette : parler pendant le jeu",
            nl="Stom manillen: praten tijdens het spel",
        ),
        text=T(
            en="Nobody speaks about his cards during play. The first time a warning, after that the penalty.",
            fr="Nul ne parle de ses cartes pendant le jeu. La première fois un avertissement, ensuite la pénalité.",
            nl="Niemand spreekt over zijn kaarten tijdens het spel. De eerste keer een waarschuwing, daarna de straf.",
        ),
        citation=Citation("004", "The play", "not allowed to talk about their cards"),
        who=Who.PLAYER,
        established=established.AT_ONCE,
        charge=Charge.LADDER,
        deal=DealRule.REPLACED,
        facts=(fields.OFFENDER, fields.TRICK),
        ladder=WARNING_THEN_PENALTY,
        keywords=T(
            en="talk silence speak", fr="silence parole bavarder", nl="zwijgen spreken stilte"
        ),
    ),
    Article(
        id="004-E2",
        kind=Kind.TALK,
        origin=Origin.RECOMMENDED,
        title=T(
            en="Limited parlée: too much said, or not in clear words",
            fr="Parlée limitée : trop dit, ou pas en clair",
            nl="Beperkt spreken: te veel of niet in klare taal",
        ),
        text=T(
            en="The leader says or asks one thing, before he leads, in words clear to the opponents and without any sign. More, later, obscure or by gesture costs the penalty.",
            fr="Le premier à jouer dit ou demande une seule chose, avant d’entamer, en mots clairs pour les adversaires et sans aucun signe. Davantage, après coup, obscur ou par geste coûte la pénalité.",
            nl="Wie uitkomt zegt of vraagt één ding, vóór hij uitkomt, in woorden die de tegenpartij begrijpt en zonder teken. Meer, later, onduidelijk of met gebaren kost de straf.",
        ),
        citation=Citation("004", "Manille parlée", "single piece of information"),
        who=Who.PLAYER,
        established=established.AT_ONCE,
        charge=Charge.PENALTY,
        deal=DealRule.REPLACED,
        facts=(
            fields.OFFENDER,
            fields.what(
                (
                    "more_than_one",
                    T(
                        en="more than one item",
                        fr="plus d’une information ou demande",
                        nl="meer dan één mededeling of vraag",
                    ),
                ),
                (
                    "after_lead",
                    T(en="after the lead", fr="après l’entame", nl="na het uitkomen"),
                ),
                (
                    "unintelligible",
                    T(
                        en="not intelligible to the opponents",
                        fr="inintelligible aux adversaires",
                        nl="onverstaanbaar voor de tegenpartij",
                    ),
                ),
                ("gesture", T(en="by a sign", fr="par signe", nl="met een teken")),
            ),
            fields.TRICK,
        ),
        keywords=T(
            en="talk question gesture sign information",
            fr="question geste signe information parler",
            nl="vraag gebaar teken informatie praten",
        ),
    ),
    Article(
        id="004-E3",
        kind=Kind.TALK,
        origin=Origin.RECOMMENDED,
        title=T(
            en="Limited parlée: untrue answer or instruction not followed",
            fr="Parlée limitée : réponse fausse ou consigne non suivie",
            nl="Beperkt spreken: onware uitleg of niet gevolgde opdracht",
        ),
        text=T(
            en="Questions are answered truthfully and an instruction is followed whenever a legal card allows it. Otherwise the penalty is due.",
            fr="On répond selon la vérité et l’on suit la consigne dès qu’une carte permise le permet. Sinon la pénalité est due.",
            nl="Men antwoordt naar waarheid en volgt een opdracht zodra een toegelaten kaart dat mogelijk maakt. Anders is de straf verschuldigd.",
        ),
        citation=Citation("004", "Manille parlée", "answered truthfully"),
        who=Who.PLAYER,
        established=established.WHEN_DISPROVED,
        charge=Charge.PENALTY,
        deal=DealRule.REPLACED,
        facts=(
            fields.OFFENDER,
            fields.what(
                ("untrue", T(en="untrue answer", fr="réponse fausse", nl="onwaar antwoord")),
                (
                    "instruction",
                    T(
                        en="instruction not followed",
                        fr="consigne non suivie",
                        nl="opdracht niet gevolgd",
                    ),
                ),
            ),
            fields.POSSIBLE,
            fields.TRICK,
        ),
        conditions=(
            Condition(
                "possible",
                True,
                T(
                    en="No legal card allowed the instruction to be followed: no offence.",
                    fr="Aucune carte permise ne permettait de suivre la consigne : pas de faute.",
                    nl="Geen toegelaten kaart liet toe de opdracht te volgen: geen fout.",
                ),
            ),
        ),
        keywords=T(
            en="lie order disobey instruction",
            fr="mensonge ordre désobéir consigne",
            nl="leugen bevel ongehoorzaam opdracht",
        ),
    ),
    Article(
        id="004-B1",
        kind=Kind.CALLS,
        origin=Origin.RECOMMENDED,
        title=T(
            en="Blind trump named after seeing cards",
            fr="Atout à l’aveugle nommé cartes vues",
            nl="Blinde troef gemaakt na inzage van kaarten",
        ),
        text=T(
            en="A blind trump named by a dealer who had seen a card earns no blind doubling; the opponents let the trump stand or have the deal redealt.",
            fr="L’atout à l’aveugle nommé par un donneur qui a vu une carte perd son doublement ; les adversaires laissent cet atout ou font redonner.",
            nl="Blinde troef van een deler die al een kaart zag, verliest de verdubbeling; de tegenpartij laat de troef staan of laat opnieuw delen.",
        ),
        citation=Citation("004", "Alternate rules", "before seeing his cards"),
        who=Who.DEALER,
        established=established.AT_ONCE,
        charge=Charge.NONE,
        deal=DealRule.CHOICE,
        facts=(fields.DEALER, fields.opponents_choice(("stand", _STANDS), ("redeal", _REDEAL))),
        options=(
            Option("stand", _STANDS, DealRule.STANDS, Measure.CALL_VOID),
            Option("redeal", _REDEAL, DealRule.REDEALT),
        ),
        keywords=T(en="blind trump dealer", fr="aveugle atout donneur", nl="blind troef deler"),
    ),
    Article(
        id="004-B2",
        kind=Kind.CONDUCT,
        origin=Origin.RECOMMENDED,
        title=T(
            en="Blind game: seeing one's own hand",
            fr="Manille à l’aveugle : voir son propre jeu",
            nl="Blind manillen: de eigen hand zien",
        ),
        text=T(
            en="If a player sees his own cards the deal is void and redealt; seen on purpose, his side also pays the penalty.",
            fr="Si un joueur voit ses propres cartes, la donne est nulle et refaite ; vues exprès, son camp paie en outre la pénalité.",
            nl="Ziet een speler zijn eigen kaarten, dan is de gift ongeldig en wordt ze overgedaan; gebeurde het opzettelijk, dan betaalt zijn kamp ook de straf.",
        ),
        citation=Citation("004", "Blind manille", "not the player himself"),
        who=Who.PLAYER,
        established=established.ON_EXPOSURE,
        charge=Charge.PENALTY,
        deal=DealRule.REDEALT,
        facts=(fields.OFFENDER, fields.DELIBERATE),
        conditions=(
            Condition(
                "deliberate",
                True,
                T(
                    en="It was not done on purpose: the deal is void and redealt, without penalty.",
                    fr="Ce n’était pas volontaire : la donne est nulle et refaite, sans pénalité.",
                    nl="Het gebeurde niet opzettelijk: de gift is ongeldig en wordt overgedaan, zonder straf.",
                ),
                DealRule.REDEALT,
            ),
        ),
        keywords=T(
            en="see own cards look", fr="voir ses cartes regarder", nl="eigen kaarten kijken"
        ),
    ),
    Article(
        id="004-T1",
        kind=Kind.DEALING,
        origin=Origin.RECOMMENDED,
        title=T(
            en="Three-player: reserve looked at or exchanged too soon",
            fr="À trois : réserve regardée ou échangée trop tôt",
            nl="Met drie: reserve bekeken of te vroeg geruild",
        ),
        text=T(
            en="The dealer names trump first, then exchanges without looking at the two face-down cards. If he looks or exchanges earlier, each opponent receives the penalty.",
            fr="Le donneur nomme d’abord l’atout, puis échange sans voir les deux cartes couvertes. S’il regarde ou échange avant, chaque adversaire reçoit la pénalité.",
            nl="De deler noemt eerst troef en ruilt dan zonder de twee dichte kaarten te bekijken. Kijkt of ruilt hij eerder, dan krijgt elke tegenspeler de strafpunten.",
        ),
        citation=Citation("004", "3-player manille", "without looking at them"),
        who=Who.DEALER,
        established=established.AT_ONCE,
        charge=Charge.PENALTY,
        deal=DealRule.REPLACED,
        beneficiary=Beneficiary.EACH_OPPONENT,
        facts=(
            fields.OFFENDER,
            fields.what(
                (
                    "looked",
                    T(
                        en="looked at the reserve",
                        fr="a regardé la réserve",
                        nl="bekeek de reserve",
                    ),
                ),
                (
                    "exchanged",
                    T(
                        en="exchanged before naming trump",
                        fr="a échangé avant de nommer l’atout",
                        nl="ruilde voordat troef genoemd was",
                    ),
                ),
            ),
        ),
        keywords=T(
            en="reserve widow exchange face down",
            fr="réserve échange talon couvertes",
            nl="reserve ruilen talon dicht",
        ),
    ),
    Article(
        id="004-A1",
        kind=Kind.CALLS,
        origin=Origin.RECOMMENDED,
        title=T(
            en="Auction: widow or bid out of order",
            fr="Enchères : talon ou enchère irrégulière",
            nl="Veilen: talon of bod tegen de orde",
        ),
        text=T(
            en="A bid by a player who has passed, or not above the last, is void. A declarer who draws again before discarding exchanges no further.",
            fr="L’enchère de qui a passé, ou qui n’est pas supérieure, est nulle. Le demandeur qui pioche avant d’écarter n’échange plus.",
            nl="Een bod van wie al paste, of dat niet hoger is, is nietig. Een speler die opnieuw trekt voor hij aflegt, ruilt niet verder.",
        ),
        citation=Citation("004", "Auction manille", "followed by a discard"),
        who=Who.BIDDER,
        established=established.AT_ONCE,
        charge=Charge.LADDER,
        deal=DealRule.STANDS,
        beneficiary=Beneficiary.NOBODY,
        facts=(
            fields.OFFENDER,
            fields.what(
                (
                    "drew_before_discarding",
                    T(
                        en="drew before discarding",
                        fr="a pioché avant d’écarter",
                        nl="trok voor hij aflegde",
                    ),
                ),
                (
                    "bid_after_passing",
                    T(
                        en="bid after passing",
                        fr="a enchéri après avoir passé",
                        nl="bood na een pas",
                    ),
                ),
                (
                    "bid_too_low",
                    T(
                        en="bid not above the last",
                        fr="enchère non supérieure à la dernière",
                        nl="bod niet hoger dan het vorige",
                    ),
                ),
            ),
        ),
        ladder=Ladder(LadderBy.OFFENCE, (Step(None, Measure.CALL_VOID),)),
        keywords=T(
            en="widow draw discard bid pass",
            fr="talon piocher écart enchère passer",
            nl="talon trekken afleggen bod passen",
        ),
    ),
)
