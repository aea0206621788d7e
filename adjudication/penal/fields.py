"""The facts that articles ask of a referee, each written once: label, help and choices.

An article names the fields it needs; several articles share a field so that a fact stated for one
is understood by the next (the misdeal rules are decided from one set of facts, C.2).
"""

from __future__ import annotations

from typing import Final

from scoring.engine.texts import Texts

from .article import FactField, FactType

_YES_NO = FactType.BOOL

OFFENDER: Final = FactField(
    "offender",
    FactType.SEAT,
    Texts(en="Offender", fr="Fautif", nl="Overtreder"),
    Texts(
        en="The seat of the player at fault.",
        fr="La place du joueur en faute.",
        nl="De plaats van de speler die in fout is.",
    ),
)
DEALER: Final = FactField(
    "dealer",
    FactType.SEAT,
    Texts(en="Dealer", fr="Donneur", nl="Deler"),
    Texts(
        en="The seat of the player who dealt.",
        fr="La place de celui qui a donné.",
        nl="De plaats van wie gedeeld heeft.",
    ),
)
TRICK: Final = FactField(
    "trick",
    FactType.TRICK,
    Texts(en="Trick", fr="Levée", nl="Slag"),
    Texts(
        en="The number of the trick in which it happened, if known.",
        fr="Le numéro de la levée où cela s’est passé, s’il est connu.",
        nl="Het nummer van de slag waarin het gebeurde, indien bekend.",
    ),
    required=False,
    minimum=1,
    maximum=10,
)
CARD: Final = FactField(
    "card",
    FactType.CARD,
    Texts(en="Card played", fr="Carte jouée", nl="Gespeelde kaart"),
    Texts(
        en="The card in question, if known.",
        fr="La carte en cause, si elle est connue.",
        nl="De kaart waarover het gaat, indien bekend.",
    ),
    required=False,
)
NOTICED: Final = FactField(
    "noticed",
    FactType.CHOICE,
    Texts(en="Noticed when", fr="Relevé quand", nl="Opgemerkt wanneer"),
    Texts(
        en="How far play had gone when somebody spoke up; decides whether the card may still be taken back.",
        fr="Où en était le jeu quand on l’a relevé ; cela décide si la carte peut encore être reprise.",
        nl="Hoe ver het spel stond toen het werd gemeld; dat beslist of de kaart nog teruggenomen mag worden.",
    ),
    choices=(
        (
            "same_trick",
            Texts(
                en="before any card of the next trick",
                fr="avant toute carte de la levée suivante",
                nl="vóór enige kaart van de volgende slag",
            ),
        ),
        (
            "opponent_played_next",
            Texts(
                en="only opponents had played to the next trick",
                fr="seuls des adversaires avaient joué à la levée suivante",
                nl="alleen tegenstanders hadden in de volgende slag gespeeld",
            ),
        ),
        (
            "side_played_next",
            Texts(
                en="the offender or his partner had played to the next trick",
                fr="le fautif ou son partenaire avait joué à la levée suivante",
                nl="de overtreder of zijn maat had in de volgende slag gespeeld",
            ),
        ),
        (
            "after_deal",
            Texts(
                en="after the last trick",
                fr="après la dernière levée",
                nl="na de laatste slag",
            ),
        ),
    ),
)
PROVED: Final = FactField(
    "proved",
    _YES_NO,
    Texts(en="Proved", fr="Prouvé", nl="Bewezen"),
    Texts(
        en="Does the referee find the facts proved?",
        fr="L’arbitre tient-il les faits pour prouvés ?",
        nl="Acht de scheidsrechter de feiten bewezen?",
    ),
)
DELIBERATE: Final = FactField(
    "deliberate",
    _YES_NO,
    Texts(en="Deliberate", fr="Volontaire", nl="Opzettelijk"),
    Texts(
        en="Was it done on purpose, in the referee's judgement?",
        fr="Était-ce volontaire, au jugement de l’arbitre ?",
        nl="Gebeurde het met opzet, naar het oordeel van de scheidsrechter?",
    ),
)

# The misdeal family (001 r.6, 7, 8, 17).
PEEKED: Final = FactField(
    "peeked",
    _YES_NO,
    Texts(
        en="Dealer looked at the bottom card", fr="Retourne regardée", nl="Onderste kaart bekeken"
    ),
    Texts(
        en="Had the dealer looked at the bottom card after the cut?",
        fr="Le donneur avait-il regardé la dernière carte après la coupe ?",
        nl="Had de deler na het afnemen de onderste kaart bekeken?",
    ),
)
TURNED_UP: Final = FactField(
    "turned_up",
    _YES_NO,
    Texts(en="After the turn-up", fr="Après la retourne", nl="Na de keerkaart"),
    Texts(
        en="Had the last card been turned when the misdeal was noticed?",
        fr="La dernière carte était-elle retournée quand la maldonne fut relevée ?",
        nl="Was de laatste kaart al gekeerd toen het misdelen werd opgemerkt?",
    ),
)
ILL_SERVED: Final = FactField(
    "ill_served",
    FactType.SEAT,
    Texts(en="Ill-served player", fr="Joueur mal servi", nl="Slecht bedeelde speler"),
    Texts(
        en="A player who holds too many or too few cards; one who has played, if any has.",
        fr="Un joueur qui a des cartes en plus ou en moins ; de préférence un qui a joué.",
        nl="Een speler met te veel of te weinig kaarten; zo mogelijk een die al speelde.",
    ),
)
ILL_SERVED_PLAYED: Final = FactField(
    "ill_served_played",
    _YES_NO,
    Texts(
        en="Ill-served player has played", fr="Le mal servi a joué", nl="Slecht bedeelde speelde"
    ),
    Texts(
        en="Had he played a card before the error was noticed?",
        fr="Avait-il joué une carte avant que l’erreur ne soit relevée ?",
        nl="Had hij een kaart gespeeld voordat de fout werd opgemerkt?",
    ),
)
BOTH_SIDES_PLAYED: Final = FactField(
    "both_sides_played",
    _YES_NO,
    Texts(en="Both sides", fr="Les deux camps", nl="Beide kampen"),
    Texts(
        en="Had ill-served players of both sides played a card?",
        fr="Des joueurs mal servis des deux camps avaient-ils joué ?",
        nl="Hadden slecht bedeelde spelers van beide kampen gespeeld?",
    ),
    required=False,
)
NOTICED_BY_ILL_SERVED: Final = FactField(
    "noticed_by_ill_served",
    _YES_NO,
    Texts(
        en="Noticed by the ill-served player",
        fr="Relevé par le joueur mal servi",
        nl="Opgemerkt door de slecht bedeelde",
    ),
    Texts(
        en="Was it the ill-served player who noticed?",
        fr="Est-ce le joueur mal servi qui s’en est aperçu ?",
        nl="Heeft de slecht bedeelde speler het zelf opgemerkt?",
    ),
    required=False,
)
MISDEAL: Final = (
    DEALER,
    PEEKED,
    TURNED_UP,
    ILL_SERVED,
    ILL_SERVED_PLAYED,
    BOTH_SIDES_PLAYED,
    NOTICED_BY_ILL_SERVED,
)

WHOSE: Final = FactField(
    "whose",
    FactType.CHOICE,
    Texts(en="Whose cards", fr="Cartes de qui", nl="Wiens kaarten"),
    Texts(
        en="Whose cards were seen?",
        fr="De qui a-t-on vu les cartes ?",
        nl="Van wie werden er kaarten gezien?",
    ),
    choices=(
        (
            "own",
            Texts(
                en="the dealer's or his partner's",
                fr="du donneur ou de son partenaire",
                nl="van de deler of zijn maat",
            ),
        ),
        (
            "opponents",
            Texts(en="an opponent's", fr="d’un adversaire", nl="van een tegenstander"),
        ),
    ),
)
NEXT_PLAYED: Final = FactField(
    "next_played",
    _YES_NO,
    Texts(
        en="Next opponent has played",
        fr="L’adversaire suivant a joué",
        nl="Volgende tegenstander speelde",
    ),
    Texts(
        en="Has an opponent played on, and so covered the card?",
        fr="Un adversaire a-t-il joué, couvrant ainsi la carte ?",
        nl="Heeft een tegenstander doorgespeeld en zo de kaart bedekt?",
    ),
)
LOWER_LEGAL: Final = FactField(
    "lower_legal",
    _YES_NO,
    Texts(en="Lower card was legal", fr="Carte de dessous permise", nl="Onderste kaart toegelaten"),
    Texts(
        en="Could the card underneath be played lawfully?",
        fr="La carte de dessous pouvait-elle être jouée régulièrement ?",
        nl="Mocht de onderste kaart volgens de regels gespeeld worden?",
    ),
    required=False,
)
UPPER_LEGAL: Final = FactField(
    "upper_legal",
    _YES_NO,
    Texts(en="Upper card was legal", fr="Carte de dessus permise", nl="Bovenste kaart toegelaten"),
    Texts(
        en="Could the card on top be played lawfully?",
        fr="La carte de dessus pouvait-elle être jouée régulièrement ?",
        nl="Mocht de bovenste kaart volgens de regels gespeeld worden?",
    ),
    required=False,
)
PLAYED_AFTER: Final = FactField(
    "played_after",
    _YES_NO,
    Texts(en="Played on", fr="A rejoué", nl="Speelde verder"),
    Texts(
        en="Did he play a card before recognising the error?",
        fr="A-t-il joué une carte avant de reconnaître son erreur ?",
        nl="Speelde hij een kaart voordat hij zijn fout erkende?",
    ),
)
BY_REFEREE: Final = FactField(
    "by_referee",
    _YES_NO,
    Texts(en="At a referee's check", fr="Vérification d’arbitre", nl="Bij nazicht"),
    Texts(
        en="Was the trick looked at by the referee, or at his word?",
        fr="La levée a-t-elle été regardée par l’arbitre ou sur son ordre ?",
        nl="Werd de slag bekeken door de scheidsrechter of op zijn verzoek?",
    ),
)
POSSIBLE: Final = FactField(
    "possible",
    _YES_NO,
    Texts(en="It was possible", fr="C’était possible", nl="Het was mogelijk"),
    Texts(
        en="For an instruction: could the order or instruction be followed with a legal card?",
        fr="Pour une consigne : l’ordre ou la consigne pouvait-il être suivi avec une carte permise ?",
        nl="Bij een opdracht: kon het bevel met een toegelaten kaart worden opgevolgd?",
    ),
    required=False,
)
OPPONENTS_CAN_WIN: Final = FactField(
    "opponents_can_win",
    _YES_NO,
    Texts(
        en="Opponents can still win a trick",
        fr="Une levée reste à l’adversaire",
        nl="Tegenpartij kan nog een slag winnen",
    ),
    Texts(
        en="With the cards left, is there a trick that the opponents can win?",
        fr="Avec les cartes restantes, l’adversaire peut-il gagner une levée ?",
        nl="Kan de tegenpartij met de resterende kaarten nog een slag winnen?",
    ),
)
MINUTES: Final = FactField(
    "minutes",
    FactType.INT,
    Texts(en="Minutes", fr="Minutes", nl="Minuten"),
    Texts(
        en="How many minutes late, counted from the start of the round.",
        fr="Combien de minutes de retard, comptées depuis le début de la manche du tournoi.",
        nl="Hoeveel minuten te laat, geteld vanaf het begin van de ronde.",
    ),
    minimum=0,
    maximum=600,
)


def choice(
    name: str, label: Texts, help: Texts, *values: tuple[str, Texts], required: bool = True
) -> FactField:
    """A field of type CHOICE peculiar to one article."""
    return FactField(name, FactType.CHOICE, label, help, required, values)


WHAT_LABEL: Final = Texts(en="What happened", fr="Ce qui s’est passé", nl="Wat er gebeurde")
WHAT_HELP: Final = Texts(
    en="The one that fits best; it is quoted in the ruling.",
    fr="Ce qui convient le mieux ; la décision le reprend.",
    nl="Wat het best past; de beslissing neemt het over.",
)


def what(*values: tuple[str, Texts]) -> FactField:
    """The field ``what``: which of an article's cases it was."""
    return choice("what", WHAT_LABEL, WHAT_HELP, *values)


def opponents_choice(*values: tuple[str, Texts]) -> FactField:
    """The field ``opponents_choice``: what the opponents asked for, once they have."""
    return choice(
        "opponents_choice",
        Texts(en="Opponents' choice", fr="Choix des adversaires", nl="Keuze van de tegenpartij"),
        Texts(
            en="Leave empty until the opponents have chosen.",
            fr="À laisser vide tant que les adversaires n’ont pas choisi.",
            nl="Leeg laten tot de tegenpartij gekozen heeft.",
        ),
        *values,
        required=False,
    )
