"""Articles recommended for the chaloupée (002) and the coinchée (003), which state no sanction.

The four duties of 000 with the penalty of the rulebook, and their calls and shuffle (C.3, C.4).
"""

from __future__ import annotations

from typing import Final

from adjudication.penal import fields
from adjudication.penal.article import (
    Article,
    Beneficiary,
    Charge,
    Citation,
    DealRule,
    Kind,
    Ladder,
    LadderBy,
    LadderScope,
    Measure,
    Origin,
    Step,
    Who,
)
from scoring.engine.texts import Texts as T

from . import established
from .duties import BEAT, FOLLOW, OVERRUFF, RUFF, duty

CHALOUPEE: Final = (
    duty(
        "002-P1",
        Citation("002", "Bases; 000", "La base des règles … est celle de la manille"),
        T(
            en="Chaloupée: not following suit",
            fr="Chaloupée : ne pas fournir",
            nl="Chaloupée: niet volgen",
        ),
        T(
            en="In the chaloupée as in the base game, whoever holds the suit led follows to it; another card costs 34 marks, never multiplied by the contract.",
            fr="À la chaloupée comme à la manille, qui a la couleur demandée la fournit ; une autre carte coûte 34 points, que le contrat ne multiplie pas.",
            nl="In de chaloupée volgt, zoals in het basisspel, wie de gevraagde kleur heeft; een andere kaart kost 34 punten, die het contract niet vermenigvuldigt.",
        ),
        FOLLOW,
    ),
    duty(
        "002-P2",
        Citation("002", "Jeu", "On monte à la couleur"),
        T(
            en="Chaloupée: not beating the master card",
            fr="Chaloupée : ne pas monter",
            nl="Chaloupée: niet overgaan",
        ),
        T(
            en="One rises in the suit: a player who follows beats the opponents' master card if his hand allows; not his partner's.",
            fr="On monte à la couleur : qui fournit dépasse la carte maîtresse adverse si son jeu le permet ; pas celle de son partenaire.",
            nl="Men gaat over in de kleur: wie volgt, slaat de hoogste kaart van de tegenpartij als zijn hand het toelaat; niet die van zijn maat.",
        ),
        BEAT,
    ),
    duty(
        "002-P3",
        Citation("002", "Jeu", "On ne pisse pas à l’atout"),
        T(
            en="Chaloupée: not ruffing",
            fr="Chaloupée : pisser au lieu de couper",
            nl="Chaloupée: niet kopen",
        ),
        T(
            en="Without the suit led and with trump, one ruffs an opponent's master card; over a master partner one is free, unless the event reads 002 to the letter.",
            fr="Sans la couleur et avec de l’atout, on coupe l’adversaire maître ; sur son partenaire maître on est libre, sauf si l’épreuve lit 002 à la lettre.",
            nl="Zonder de kleur maar met troef koopt men een winnende tegenstander; ligt de maat, dan is men vrij, tenzij het tornooi 002 letterlijk leest.",
        ),
        RUFF,
    ),
    duty(
        "002-P4",
        Citation("002", "Jeu", "supérieurs à l’atout maître"),
        T(
            en="Chaloupée: not overruffing",
            fr="Chaloupée : ne pas surcouper",
            nl="Chaloupée: niet overkopen",
        ),
        T(
            en="Over an opponent's ruff the void player puts a higher trump if he has one; if none of his trumps is higher, any card will do.",
            fr="Sur la coupe adverse, qui n’a pas la couleur met un atout supérieur s’il en a ; si aucun ne l’est, toute carte convient.",
            nl="Op een kopende tegenstander legt wie de kleur niet heeft een hogere troef als hij er een heeft; is er geen hoger, dan mag elke kaart.",
        ),
        OVERRUFF,
    ),
    Article(
        id="002-A1",
        kind=Kind.CALLS,
        origin=Origin.RECOMMENDED,
        title=T(en="Illegal call", fr="Annonce irrégulière", nl="Ongeldig bod"),
        text=T(
            en="A bid not above the current one, a cogné against one's partner, a sur-cogné without an opposing cogné, or a pass over a standing bid is cancelled and replaced by a lawful call; the partner is not barred. At the next offence the side is barred from bidding in this deal.",
            fr="Une enchère qui ne dépasse pas la précédente, un cogné contre le partenaire, un sur-cogné sans cogné adverse ou un « je passe » sur une enchère est annulé et remplacé par une annonce permise ; le partenaire garde la parole. À la récidive, le camp n’enchérit plus de cette donne.",
            nl="Een bod dat niet hoger is, kloppen tegen de maat, tegenkloppen zonder klop van de tegenpartij of passen op een staand bod vervalt en wordt vervangen door een geldig bod; de maat mag blijven bieden. Bij herhaling biedt het kamp deze gift niet meer.",
        ),
        citation=Citation("002", "Annonces", "on ne peut pas cogner contre son partenaire"),
        who=Who.BIDDER,
        established=established.DURING_AUCTION,
        charge=Charge.LADDER,
        deal=DealRule.STANDS,
        facts=(
            fields.OFFENDER,
            fields.what(
                (
                    "too_low",
                    T(
                        en="bid not higher",
                        fr="enchère non supérieure",
                        nl="bod niet hoger",
                    ),
                ),
                (
                    "doubled_partner",
                    T(
                        en="cogné against his partner",
                        fr="cogné contre son partenaire",
                        nl="klopte tegen zijn maat",
                    ),
                ),
                (
                    "redoubled_nothing",
                    T(
                        en="sur-cogné without a cogné",
                        fr="sur-cogné sans cogné adverse",
                        nl="tegenklop zonder klop",
                    ),
                ),
                (
                    "passed_over_bid",
                    T(
                        en="passed over a bid instead of accepting",
                        fr="a passé sur une enchère au lieu de dire « c’est bon »",
                        nl="paste op een bod in plaats van te aanvaarden",
                    ),
                ),
            ),
        ),
        ladder=Ladder(
            LadderBy.OFFENCE,
            (Step(1, Measure.CALL_VOID), Step(None, Measure.BARRED_FROM_BIDDING)),
            LadderScope.DEAL,
        ),
        keywords=T(
            en="bid auction pass double cogné insufficient",
            fr="enchère passer cogner sur-cogner insuffisante",
            nl="bod bieden passen kloppen onvoldoende",
        ),
    ),
    duty(
        "002-A2",
        Citation("002", "Jeu; 000, 001", "similaire à la manille"),
        T(
            en="Chaloupée: any other breach of card play",
            fr="Chaloupée : toute autre faute de jeu",
            nl="Chaloupée: elke andere fout in het spel",
        ),
        T(
            en="A breach of card play for which the chaloupée has no article of its own, such as a card out of turn, costs 34 as in the older rules, not multiplied.",
            fr="Une faute de jeu que la chaloupée ne nomme pas, comme une carte avant son tour, coûte 34 comme dans les règles anciennes, sans multiplication.",
            nl="Een spelfout waarvoor de chaloupée geen eigen artikel heeft, zoals een kaart voor de beurt, kost 34 zoals in de oude regels, zonder vermenigvuldiging.",
        ),
        T(en="out of turn breach", fr="avant son tour faute", nl="voor de beurt fout"),
    ),
    Article(
        id="002-A3",
        kind=Kind.DEALING,
        origin=Origin.RECOMMENDED,
        title=T(
            en="Shuffling after the first deal",
            fr="Battre après la première donne",
            nl="Schudden na de eerste gift",
        ),
        text=T(
            en="The pack is shuffled before the first deal only. If it was shuffled again, it is cut anew and the same dealer deals again.",
            fr="On ne bat les cartes qu’avant la première donne. Si elles l’ont été de nouveau, on recoupe et le même donneur redonne.",
            nl="De kaarten worden alleen vóór de eerste gift geschud. Werd er toch geschud, dan neemt men opnieuw af en deelt dezelfde deler opnieuw.",
        ),
        citation=Citation("002", "Distribution", "ensuite on ne les bat plus"),
        who=Who.DEALER,
        established=established.BEFORE_DEAL,
        charge=Charge.NONE,
        deal=DealRule.REDEALT,
        beneficiary=Beneficiary.NOBODY,
        facts=(fields.DEALER,),
        keywords=T(
            en="shuffle cut redeal", fr="battre couper redonner", nl="schudden kappelen afnemen"
        ),
    ),
)

COINCHEE: Final = (
    duty(
        "003-P1",
        Citation("003", "Déroulement", "obligatoire de fournir de la couleur demandée"),
        T(
            en="Coinchée: not following suit",
            fr="Coinchée : ne pas fournir",
            nl="Coinchée: niet volgen",
        ),
        T(
            en="With trump or without, the suit led must be followed by whoever has it; the breach costs 34, contred or not.",
            fr="À l’atout comme à sans-atout, la couleur demandée est due par qui la possède ; la faute coûte 34, contre ou pas.",
            nl="Met troef of zonder moet wie de gevraagde kleur heeft volgen; de fout kost 34, al dan niet gekontreerd.",
        ),
        FOLLOW,
    ),
    duty(
        "003-P2",
        Citation("003", "Déroulement", "Si l’adversaire est maître, il faut monter"),
        T(
            en="Coinchée: not beating the opponent",
            fr="Coinchée : ne pas monter sur l’adversaire",
            nl="Coinchée: niet overgaan op de tegenstander",
        ),
        T(
            en="If an opponent is master one must go above him when following; on a master partner one follows freely.",
            fr="Si l’adversaire est maître, on met une carte supérieure en fournissant ; sur le partenaire maître, on suit librement.",
            nl="Is een tegenstander meester, dan legt wie volgt een hogere kaart; ligt de maat, dan volgt men vrij.",
        ),
        BEAT,
    ),
    duty(
        "003-P3",
        Citation("003", "Déroulement", "on doit couper"),
        T(
            en="Coinchée: not ruffing when bound",
            fr="Coinchée : ne pas couper",
            nl="Coinchée: niet kopen",
        ),
        T(
            en="In a trump deal, whoever cannot follow while an opponent is master ruffs if he can. At no trump there is no such duty.",
            fr="À l’atout, qui ne peut suivre alors que l’adversaire est maître coupe s’il le peut. À sans-atout ce devoir n’existe pas.",
            nl="In een gift met troef koopt wie niet kan volgen terwijl een tegenstander ligt. Zonder troef bestaat die plicht niet.",
        ),
        RUFF,
    ),
    duty(
        "003-P4",
        Citation("003", "Déroulement", "doit sur-couper si possible"),
        T(
            en="Coinchée: not overruffing the opponent",
            fr="Coinchée : ne pas surcouper",
            nl="Coinchée: niet overkopen",
        ),
        T(
            en="When the opponent ruffs, one must overruff if possible; a lower trump is never owed and a discard is then allowed.",
            fr="Quand l’adversaire coupe, il faut surcouper si possible ; sous-couper n’est jamais dû et l’on peut alors défausser.",
            nl="Koopt de tegenstander, dan moet men zo mogelijk overkopen; onderkopen is nooit verplicht en afleggen mag dan.",
        ),
        OVERRUFF,
    ),
    Article(
        id="003-C1",
        kind=Kind.CALLS,
        origin=Origin.RECOMMENDED,
        title=T(
            en="Irregular contre or surcontre",
            fr="Contre ou surcontre irrégulier",
            nl="Onregelmatige kontra of tegenkontra",
        ),
        text=T(
            en="A contre or surcontre that the event does not allow, made by the wrong side, or after the first card, is void: the deal is played as if it had not been said.",
            fr="Le contre ou surcontre que l’épreuve n’admet pas, du mauvais camp, ou après la première carte, est nul : la donne se joue comme s’il n’avait pas été dit.",
            nl="Een kontra of tegenkontra die het tornooi niet toelaat, van het verkeerde kamp of na de eerste kaart, is nietig: de gift wordt gespeeld alsof er niets gezegd was.",
        ),
        citation=Citation("003", "Déroulement", "annoncés en début de partie"),
        who=Who.BIDDER,
        established=established.AT_ONCE,
        charge=Charge.LADDER,
        deal=DealRule.STANDS,
        beneficiary=Beneficiary.NOBODY,
        facts=(
            fields.OFFENDER,
            fields.what(
                (
                    "not_enabled",
                    T(
                        en="not allowed in this event",
                        fr="pas admis dans cette épreuve",
                        nl="niet toegelaten in dit tornooi",
                    ),
                ),
                (
                    "wrong_side",
                    T(en="by the wrong side", fr="du mauvais camp", nl="door het verkeerde kamp"),
                ),
                (
                    "too_late",
                    T(
                        en="after the first card",
                        fr="après la première carte",
                        nl="na de eerste kaart",
                    ),
                ),
            ),
        ),
        ladder=Ladder(LadderBy.OFFENCE, (Step(None, Measure.CALL_VOID),)),
        keywords=T(
            en="double redouble contre late",
            fr="contrer surcontrer coinche tardif",
            nl="kloppen meegaan tegenkloppen laat",
        ),
    ),
)
