"""General articles: faults for which the sources have none, so that every table can be ruled on (C.8).

The first time in a match the fault is put right; again by the same side in the same match costs
the penalty. Where the other side has a choice, letting the fault pass waives the penalty too.
"""

from __future__ import annotations

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
    Kind,
    Ladder,
    LadderBy,
    LadderScope,
    Measure,
    Option,
    Origin,
    Step,
    Who,
)
from adjudication.penal.words import MEASURES
from scoring.engine.texts import Texts as T

from . import established
from . import general_facts as facts_of

_PUT_RIGHT: Final = (Step(1, Measure.PUT_RIGHT), Step(None, Measure.PENALTY))


def _general(
    name: str,
    title: T,
    text: T,
    quote: str,
    *,
    facts: tuple[FactField, ...],
    keywords: T,
    kind: Kind = Kind.CARD_PLAY,
    who: Who = Who.PLAYER,
    when: T = established.AT_ONCE,
    steps: tuple[Step, ...] = _PUT_RIGHT,
    options: tuple[Option, ...] = (),
    conditions: tuple[Condition, ...] = (),
) -> Article:
    """A fault that is put right the first time and penalised when the side repeats it."""
    return Article(
        id=f"GEN-{name}",
        kind=kind,
        origin=Origin.ADDITION,
        title=title,
        text=text,
        citation=Citation("C.8", f"GEN-{name}", quote),
        who=who,
        established=when,
        charge=Charge.LADDER,
        deal=DealRule.CHOICE if options else DealRule.REPLACED,
        facts=facts,
        conditions=conditions,
        options=options,
        ladder=Ladder(LadderBy.OFFENCE, steps, LadderScope.MATCH),
        keywords=keywords,
    )


_RETRACT: Final = T(
    en="the card goes back into the hand and the right player plays",
    fr="la carte revient en main et le joueur dont c’est le tour joue",
    nl="de kaart gaat terug in de hand en de juiste speler speelt",
)
_ACCEPT: Final = T(
    en="the card is accepted as played",
    fr="la carte est acceptée comme jouée",
    nl="de kaart wordt aanvaard als gespeeld",
)
_LOWER: Final = T(
    en="the card underneath is played",
    fr="la carte de dessous est jouée",
    nl="de onderste kaart is gespeeld",
)
_UPPER: Final = T(
    en="the card on top is played",
    fr="la carte de dessus est jouée",
    nl="de bovenste kaart is gespeeld",
)
_CALL_VOID: Final = T(
    en="the call is null and its factor is taken out",
    fr="l’annonce est annulée et son coefficient retiré",
    nl="het bod vervalt en zijn factor telt niet mee",
)
_CALL_STANDS: Final = T(
    en="the call is let stand", fr="l’annonce est maintenue", nl="het bod blijft staan"
)
_NAME_AGAIN: Final = T(
    en="the naming is null and the right player names trump",
    fr="ce choix est annulé et le joueur qui en a le droit nomme l’atout",
    nl="die keuze vervalt en de juiste speler maakt troef",
)
_NAME_STANDS: Final = T(
    en="the trump named is let stand", fr="l’atout nommé est maintenu", nl="de troef blijft staan"
)
_GIVE_TRICKS: Final = T(
    en="the tricks that any legal play could lose go to the other side",
    fr="les levées qu’un jeu permis pouvait perdre vont à l’autre camp",
    nl="de slagen die bij toegelaten spel verloren konden gaan, zijn voor de tegenpartij",
)
_PLAY_ON: Final = T(
    en="play goes on as if nothing had been claimed",
    fr="le jeu continue comme si rien n’avait été annoncé",
    nl="het spel gaat voort alsof er niets opgeëist was",
)

ARTICLES: Final = (
    _general(
        "TURN",
        T(en="Card out of turn", fr="Carte jouée hors tour", nl="Kaart voor de beurt gespeeld"),
        T(
            en="A card played out of turn goes back into the hand if the right player has not yet played; otherwise it stands. The other side may accept it as played. Again by the same side in the same match: the penalty.",
            fr="La carte jouée hors tour revient en main si le joueur dont c’était le tour n’a pas encore joué ; sinon elle reste jouée. L’autre camp peut l’accepter. Récidive du même camp dans la partie : la pénalité.",
            nl="Een kaart voor de beurt gaat terug in de hand als de juiste speler nog niet gespeeld heeft; anders blijft ze liggen. De tegenpartij mag ze aanvaarden. Opnieuw door hetzelfde kamp in dezelfde partij: de straf.",
        ),
        "card back, then the penalty",
        facts=(
            facts_of.OFFENDER,
            facts_of.RIGHT_PLAYER_PLAYED,
            fields.opponents_choice(("retract", _RETRACT), ("accept", _ACCEPT)),
            fields.TRICK,
            fields.CARD,
        ),
        options=(
            Option("retract", _RETRACT, DealRule.STANDS, Measure.PUT_RIGHT),
            Option("accept", _ACCEPT, DealRule.STANDS),
        ),
        when=established.CARD_ON_TABLE,
        keywords=T(
            en="out of turn before his turn lead wrong player early",
            fr="hors tour avant son tour joué trop tôt mauvais joueur entame",
            nl="voor zijn beurt buiten beurt te vroeg gespeeld verkeerde speler uitgekomen",
        ),
    ),
    _general(
        "SHOW",
        T(en="Card shown or dropped", fr="Carte vue ou tombée", nl="Kaart getoond of gevallen"),
        T(
            en="A card shown or dropped without being played stays face up and is played at the first legal chance; the other side may require it whenever it is legal. Again by the same side in the same match: the penalty.",
            fr="La carte vue ou tombée sans être jouée reste face visible et se joue à la première occasion permise ; l’autre camp peut l’exiger dès qu’elle est permise. Récidive du même camp dans la partie : la pénalité.",
            nl="Een kaart die getoond wordt of valt zonder gespeeld te zijn, blijft open liggen en wordt gespeeld zodra het mag; de tegenpartij mag ze opeisen wanneer ze toegelaten is. Opnieuw door hetzelfde kamp in dezelfde partij: de straf.",
        ),
        "face up, then the penalty",
        facts=(facts_of.OFFENDER, fields.CARD, fields.TRICK),
        when=established.ON_EXPOSURE,
        keywords=T(
            en="exposed card seen show drop face up",
            fr="carte vue montrée exposée tombée dévoilée",
            nl="kaart gezien tonen laten zien laten vallen open kaart",
        ),
    ),
    _general(
        "TWO",
        T(
            en="Two cards on one trick",
            fr="Deux cartes sur une levée",
            nl="Twee kaarten op één slag",
        ),
        T(
            en="Of two cards dropped on one trick the other side chooses which is played, or the one underneath is, as the event has set; the other card goes back. If only one is legal, that one is played. Again by the same side in the same match: the penalty.",
            fr="De deux cartes tombées sur une levée, l’autre camp choisit laquelle est jouée, ou c’est celle de dessous, selon le règlement du concours ; l’autre revient en main. Si une seule est permise, c’est elle. Récidive du même camp dans la partie : la pénalité.",
            nl="Vallen er twee kaarten op één slag, dan kiest de tegenpartij welke gespeeld is, of geldt de onderste, zoals de kaarting bepaalt; de andere gaat terug. Is er maar één toegelaten, dan geldt die. Opnieuw door hetzelfde kamp in dezelfde partij: de straf.",
        ),
        "as two_cards, then the penalty",
        facts=(
            facts_of.OFFENDER,
            fields.LOWER_LEGAL,
            fields.UPPER_LEGAL,
            fields.opponents_choice(("lower", _LOWER), ("upper", _UPPER)),
            fields.TRICK,
        ),
        options=(
            Option("lower", _LOWER, DealRule.STANDS, Measure.PUT_RIGHT),
            Option("upper", _UPPER, DealRule.STANDS, Measure.PUT_RIGHT),
        ),
        keywords=T(
            en="two cards at once drop together",
            fr="deux cartes à la fois ensemble tombées",
            nl="twee kaarten tegelijk samen gevallen",
        ),
    ),
    Article(
        id="GEN-COUNT",
        kind=Kind.DEALING,
        origin=Origin.ADDITION,
        title=T(
            en="Wrong number of cards",
            fr="Trop ou trop peu de cartes",
            nl="Te veel of te weinig kaarten",
        ),
        text=T(
            en="If a player with a wrong number of cards has not yet played, the same dealer deals again, without penalty. Once that player has played, the penalty goes against the side that played on and the deal is void; where both sides did, it is void without penalty.",
            fr="Si le joueur qui a trop ou trop peu de cartes n’a pas encore joué, le même donneur redonne, sans pénalité. S’il y a eu jeu, la pénalité frappe le camp qui a joué et la donne est annulée ; si les deux camps ont joué ainsi, elle est annulée sans pénalité.",
            nl="Heeft de speler met te veel of te weinig kaarten nog niet gespeeld, dan deelt dezelfde deler opnieuw, zonder straf. Is er wel gespeeld, dan is de straf voor het kamp dat voortspeelde en vervalt de gift; deden beide kampen dat, dan vervalt ze zonder straf.",
        ),
        citation=Citation("C.8", "GEN-COUNT", "redeal, or the penalty once played"),
        who=Who.PLAYER,
        established=T(
            en="When the cards are counted.",
            fr="Quand les cartes sont comptées.",
            nl="Wanneer de kaarten geteld zijn.",
        ),
        charge=Charge.PENALTY,
        deal=DealRule.LOST,
        facts=(
            facts_of.ILL_SERVED,
            facts_of.ILL_SERVED_PLAYED,
            facts_of.BOTH_SIDES_PLAYED,
        ),
        conditions=(
            Condition(
                "ill_served_played",
                True,
                T(
                    en="That player had not yet played: the same dealer deals again, without penalty.",
                    fr="Ce joueur n’avait pas encore joué : le même donneur redonne, sans pénalité.",
                    nl="Die speler had nog niet gespeeld: dezelfde deler deelt opnieuw, zonder straf.",
                ),
                DealRule.REDEALT,
            ),
        ),
        keywords=T(
            en="too many too few cards count nine seven misdeal number missing",
            fr="trop de cartes trop peu manque compte neuf sept maldonne nombre",
            nl="te veel kaarten te weinig aantal negen zeven misdeeld ontbreekt",
        ),
    ),
    _general(
        "CALL",
        T(en="Irregular call", fr="Annonce hors règle", nl="Bod tegen de regels"),
        T(
            en="A contre, tap, knock, cogné or bid made too late, by the wrong side or where it is not allowed is null and its factor is taken out. The other side may let it stand. Again by the same side in the same match: the penalty.",
            fr="Le contre, le tap, le cogné ou l’enchère fait trop tard, par le mauvais camp ou sans être admis est annulé et son coefficient retiré. L’autre camp peut le maintenir. Récidive du même camp dans la partie : la pénalité.",
            nl="Kloppen, tegenkloppen, tikken of bieden dat te laat komt, door het verkeerde kamp gebeurt of niet toegelaten is, vervalt en de factor telt niet mee. De tegenpartij mag het laten staan. Opnieuw door hetzelfde kamp in dezelfde partij: de straf.",
        ),
        "call null, its factor taken out",
        facts=(
            facts_of.OFFENDER,
            facts_of.CALL_WHAT,
            fields.opponents_choice(("void", _CALL_VOID), ("stand", _CALL_STANDS)),
        ),
        options=(
            Option("void", _CALL_VOID, DealRule.STANDS, Measure.CALL_VOID),
            Option("stand", _CALL_STANDS, DealRule.STANDS),
        ),
        kind=Kind.CALLS,
        who=Who.BIDDER,
        keywords=T(
            en="knock double contre tap cogné bid late wrong side",
            fr="cogner contrer taper contre cogné enchère tardive trop tard mauvais camp",
            nl="kloppen geklopt tegenkloppen contra tikken bieden te laat verkeerd kamp",
        ),
    ),
    _general(
        "NAME",
        T(
            en="Trump named by the wrong player, or changed",
            fr="Atout nommé à tort ou changé",
            nl="Troef gemaakt door de verkeerde of gewijzigd",
        ),
        T(
            en="Trump named by a player who has no right to, or changed once named, is null: the right player names it. The other side may let it stand. Again by the same side in the same match: the penalty.",
            fr="L’atout nommé par un joueur qui n’en a pas le droit, ou changé une fois nommé, est annulé : le joueur qui en a le droit le nomme. L’autre camp peut le maintenir. Récidive du même camp dans la partie : la pénalité.",
            nl="Troef die gemaakt wordt door een speler die dat niet mag, of die gewijzigd wordt, vervalt: de juiste speler maakt troef. De tegenpartij mag de troef laten staan. Opnieuw door hetzelfde kamp in dezelfde partij: de straf.",
        ),
        "null, the right player names",
        facts=(
            facts_of.OFFENDER,
            facts_of.NAME_WHAT,
            fields.opponents_choice(("again", _NAME_AGAIN), ("stand", _NAME_STANDS)),
        ),
        options=(
            Option("again", _NAME_AGAIN, DealRule.STANDS, Measure.PUT_RIGHT),
            Option("stand", _NAME_STANDS, DealRule.STANDS),
        ),
        kind=Kind.CALLS,
        keywords=T(
            en="trump named chosen changed wrong player partner",
            fr="atout nommé choisi changé mauvais joueur partenaire",
            nl="troef gemaakt gekozen veranderd verkeerde speler maat",
        ),
    ),
    _general(
        "UP",
        T(
            en="Turn-up taken up too soon",
            fr="Retourne prise trop tôt",
            nl="Keerkaart te vroeg opgenomen",
        ),
        T(
            en="A turn-up taken into the hand before the first card was played is shown again. Again by the same side in the same match: a warning, then the penalty.",
            fr="La retourne prise en main avant la première carte jouée est montrée de nouveau. Récidive du même camp dans la partie : un avertissement, puis la pénalité.",
            nl="Een keerkaart die vóór de eerste gespeelde kaart in de hand genomen wordt, wordt opnieuw getoond. Opnieuw door hetzelfde kamp in dezelfde partij: een waarschuwing, dan de straf.",
        ),
        "shown again, warning, penalty",
        facts=(facts_of.OFFENDER,),
        steps=(
            Step(1, Measure.PUT_RIGHT),
            Step(2, Measure.WARNING),
            Step(None, Measure.PENALTY),
        ),
        kind=Kind.DEALING,
        who=Who.DEALER,
        keywords=T(
            en="turn-up taken up early hand",
            fr="retourne tourne prise main trop tôt",
            nl="keerkaart opgenomen hand te vroeg",
        ),
    ),
    _general(
        "TRICK",
        T(en="Trick mishandled", fr="Levée mal tenue", nl="Slag verkeerd behandeld"),
        T(
            en="Gathering a trick with too few cards, looking at a turned trick or mixing tricks up is put right. Again by the same side in the same match: the penalty.",
            fr="Ramasser une levée incomplète, regarder une levée retournée ou mélanger des levées : on remet en ordre. Récidive du même camp dans la partie : la pénalité.",
            nl="Een slag met te weinig kaarten oprapen, een gekeerde slag bekijken of slagen door elkaar leggen wordt rechtgezet. Opnieuw door hetzelfde kamp in dezelfde partij: de straf.",
        ),
        "put right, then the penalty",
        facts=(
            facts_of.OFFENDER,
            facts_of.TRICK_WHAT,
            facts_of.AT_THE_REFEREES_WORD,
            fields.TRICK,
        ),
        conditions=(
            Condition(
                "by_referee",
                False,
                T(
                    en="A check by the referee is no offence.",
                    fr="Une vérification par l’arbitre n’est pas une faute.",
                    nl="Nazicht door de scheidsrechter is geen overtreding.",
                ),
            ),
        ),
        kind=Kind.CARD_PLAY,
        keywords=T(
            en="gather three cards look turned trick mix last trick",
            fr="pli levée ramasser trois cartes regarder retourné mélanger dernière",
            nl="slag oprapen drie kaarten kijken bekijken gekeerd mengen laatste",
        ),
    ),
    _general(
        "CLAIM",
        T(
            en="Wrong claim of the rest",
            fr="Fausse prétention de faire le reste",
            nl="Onterecht de rest opeisen",
        ),
        T(
            en="After a wrong claim the tricks that any legal play could lose go to the other side, which may also have play go on. Again by the same side in the same match: the penalty.",
            fr="Après une fausse prétention, les levées qu’un jeu permis pouvait perdre vont à l’autre camp, qui peut aussi faire continuer le jeu. Récidive du même camp dans la partie : la pénalité.",
            nl="Na een onterechte claim zijn de slagen die bij toegelaten spel verloren konden gaan voor de tegenpartij, die ook mag laten voortspelen. Opnieuw door hetzelfde kamp in dezelfde partij: de straf.",
        ),
        "tricks go to the other side",
        facts=(
            facts_of.OFFENDER,
            fields.OPPONENTS_CAN_WIN,
            fields.opponents_choice(("tricks", _GIVE_TRICKS), ("play_on", _PLAY_ON)),
            fields.TRICK,
        ),
        options=(
            Option("tricks", _GIVE_TRICKS, DealRule.STANDS, Measure.PUT_RIGHT),
            Option("play_on", _PLAY_ON, DealRule.STANDS),
        ),
        conditions=(
            Condition(
                "opponents_can_win",
                True,
                T(
                    en="No legal play loses a trick: the claim is good and the deal stands.",
                    fr="Aucun jeu permis ne perd de levée : la prétention est juste et la donne est bonne.",
                    nl="Geen toegelaten spel verliest een slag: de claim klopt en de gift geldt.",
                ),
            ),
        ),
        keywords=T(
            en="false claim rest remaining tricks lay down",
            fr="étaler abattre réclamer prétendre reste dernières levées",
            nl="opeisen claim rest laatste slagen openleggen",
        ),
    ),
    Article(
        id="GEN-SCORE",
        kind=Kind.TOURNAMENT,
        origin=Origin.ADDITION,
        title=T(
            en="Wrong score agreed by both sides",
            fr="Score faux accepté par les deux camps",
            nl="Verkeerde score door beide kampen aanvaard",
        ),
        text=T(
            en="A wrong score agreed by both sides is corrected from the cards or the sheet while the round is open, and after that by the director until the standings are final. Nobody pays for it.",
            fr="Le score faux accepté par les deux camps se corrige d’après les cartes ou la feuille de marque pendant le tour, ensuite par la direction jusqu’au classement définitif. Personne ne paie.",
            nl="Een verkeerde score die beide kampen aanvaardden, wordt tijdens de ronde verbeterd volgens de kaarten of het scoreblad, daarna door de wedstrijdleiding tot het klassement definitief is. Niemand betaalt ervoor.",
        ),
        citation=Citation("C.8", "GEN-SCORE", "corrected until the standings are final"),
        who=Who.SIDE,
        established=established.BY_THE_REFEREE,
        charge=Charge.NONE,
        deal=DealRule.STANDS,
        beneficiary=Beneficiary.NOBODY,
        facts=(facts_of.SCORE_WHEN,),
        cases=(
            Case(
                "when",
                "round_open",
                T(
                    en="The score is corrected from the cards or the sheet.",
                    fr="Le score est corrigé d’après les cartes ou la feuille de marque.",
                    nl="De score wordt verbeterd volgens de kaarten of het scoreblad.",
                ),
                Measure.PUT_RIGHT,
                DealRule.STANDS,
            ),
            Case(
                "when",
                "round_closed",
                T(
                    en="The round is over: the director corrects the score.",
                    fr="Le tour est terminé : la direction corrige le score.",
                    nl="De ronde is voorbij: de wedstrijdleiding verbetert de score.",
                ),
                Measure.PUT_RIGHT,
                DealRule.STANDS,
            ),
            Case(
                "when",
                "standings_final",
                T(
                    en="The standings are final: the score stands.",
                    fr="Le classement est définitif : le score reste acquis.",
                    nl="Het klassement is definitief: de score blijft staan.",
                ),
                Measure.CLAIM_REFUSED,
                DealRule.STANDS,
            ),
        ),
        keywords=T(
            en="false score sheet error signed correction wrong points",
            fr="faux score marque feuille erreur signée correction mauvais points",
            nl="foute score scoreblad fout getekend verbetering verkeerde punten",
        ),
    ),
    Article(
        id="GEN-DISC",
        kind=Kind.CONDUCT,
        origin=Origin.ADDITION,
        title=T(
            en="Any other fault, at the referee’s discretion",
            fr="Toute autre faute, à l’appréciation de l’arbitre",
            nl="Elke andere fout, naar oordeel van de scheidsrechter",
        ),
        text=T(
            en="For what no other article says the referee decides, with a written reason: nothing, a warning, points up to the penalty, or a new deal. Points above the penalty are proposed by the chief referee or the director and confirmed by a second person.",
            fr="Pour ce qu’aucun autre article ne prévoit, l’arbitre décide en indiquant le motif : rien, un avertissement, des points jusqu’à la pénalité ou une nouvelle donne. Au-delà de la pénalité, l’arbitre principal ou la direction propose et une deuxième personne confirme.",
            nl="Voor wat geen ander artikel regelt, beslist de scheidsrechter met een geschreven reden: niets, een waarschuwing, punten tot aan de straf of een nieuwe gift. Meer punten worden door de hoofdscheidsrechter of de wedstrijdleiding voorgesteld en door een tweede persoon bevestigd.",
        ),
        citation=Citation("C.8", "GEN-DISC", "at the referee's discretion, reason compulsory"),
        who=Who.PLAYER,
        established=established.BY_THE_REFEREE,
        charge=Charge.LADDER,
        deal=DealRule.STANDS,
        facts=(
            facts_of.OFFENDER_IF_ANY,
            fields.choice(
                "measure",
                T(en="Measure", fr="Mesure", nl="Maatregel"),
                T(
                    en="The measure you impose; give the reason with it.",
                    fr="La mesure que vous prenez ; indiquez-en le motif.",
                    nl="De maatregel die je oplegt; geef er de reden bij.",
                ),
                *(
                    (str(measure), MEASURES[measure])
                    for measure in (
                        Measure.NONE,
                        Measure.WARNING,
                        Measure.PENALTY,
                        Measure.REDEAL,
                    )
                ),
            ),
            facts_of.POINTS,
        ),
        discretionary=True,
        keywords=T(
            en="other anything else discretion unforeseen",
            fr="autre divers imprévu appréciation discrétion cas non prévu",
            nl="andere overige onvoorzien oordeel vrij geval",
        ),
    ),
)
