"""The facts that the general articles ask for beyond those that other articles share (C.8)."""

from __future__ import annotations

from typing import Final

from adjudication.penal import fields
from adjudication.penal.article import FactField, FactType
from scoring.engine.texts import Texts as T

OFFENDER: Final = FactField(
    "offender",
    FactType.SEAT,
    fields.OFFENDER.label,
    T(
        en="The seat of the player at fault.",
        fr="La place du joueur fautif.",
        nl="De zitplaats van de overtreder.",
    ),
)
OFFENDER_IF_ANY: Final = FactField(
    "offender",
    FactType.SEAT,
    fields.OFFENDER.label,
    T(
        en="The seat of the player at fault; empty where nobody is.",
        fr="La place du joueur fautif ; à laisser vide si personne n’est en faute.",
        nl="De zitplaats van de overtreder; leeg laten als niemand een fout maakte.",
    ),
    required=False,
)
RIGHT_PLAYER_PLAYED: Final = FactField(
    "right_player_played",
    FactType.BOOL,
    T(
        en="The right player has played",
        fr="Le joueur dont c’était le tour a joué",
        nl="De juiste speler heeft gespeeld",
    ),
    T(
        en="Had the player whose turn it was played a card since?",
        fr="Le joueur dont c’était le tour a-t-il joué une carte depuis ?",
        nl="Heeft de speler die aan de beurt was intussen een kaart gespeeld?",
    ),
)
ILL_SERVED: Final = FactField(
    "ill_served",
    FactType.SEAT,
    T(
        en="Player with a wrong number",
        fr="Joueur au compte faux",
        nl="Speler met een fout aantal kaarten",
    ),
    T(
        en="The player with too many or too few cards; one who has played, if any has.",
        fr="Le joueur qui a des cartes en trop ou en moins ; de préférence un qui a joué.",
        nl="De speler met te veel of te weinig kaarten; zo mogelijk een die al speelde.",
    ),
)
ILL_SERVED_PLAYED: Final = FactField(
    "ill_served_played",
    FactType.BOOL,
    T(en="That player has played", fr="Ce joueur a joué", nl="Die speler heeft gespeeld"),
    T(
        en="Had that player played a card before the error was noticed?",
        fr="Ce joueur avait-il joué une carte avant que l’erreur soit relevée ?",
        nl="Had die speler een kaart gespeeld voordat de fout werd opgemerkt?",
    ),
)
BOTH_SIDES_PLAYED: Final = FactField(
    "both_sides_played",
    FactType.BOOL,
    T(en="Both sides", fr="Les deux camps", nl="Beide kampen"),
    T(
        en="Had players with a wrong number of cards played on both sides?",
        fr="Des joueurs au compte faux avaient-ils joué dans les deux camps ?",
        nl="Hadden in beide kampen spelers met een fout aantal kaarten gespeeld?",
    ),
    required=False,
)
AT_THE_REFEREES_WORD: Final = FactField(
    "by_referee",
    FactType.BOOL,
    T(en="At the referee’s word", fr="Sur ordre de l’arbitre", nl="Op vraag van de scheidsrechter"),
    T(
        en="Was the trick looked at by the referee or at the referee’s word?",
        fr="La levée a-t-elle été regardée par l’arbitre ou sur son ordre ?",
        nl="Werd de slag bekeken door of op vraag van de scheidsrechter?",
    ),
    required=False,
)
POINTS: Final = FactField(
    "points",
    FactType.INT,
    T(en="Points", fr="Points", nl="Punten"),
    T(
        en="For a penalty: how many points. Left empty, the penalty of the event. More than that "
        "takes effect only once a second person has confirmed it.",
        fr="Pour une pénalité : combien de points. Vide, c’est la pénalité du concours. "
        "Au-delà, il faut qu’une deuxième personne confirme.",
        nl="Bij strafpunten: hoeveel. Leeg gelaten: de straf van de kaarting. "
        "Meer dan dat geldt pas als een tweede persoon bevestigt.",
    ),
    required=False,
    minimum=1,
    maximum=999,
)
CALL_WHAT: Final = fields.what(
    (
        "too_late",
        T(en="called too late", fr="annonce trop tardive", nl="te laat geboden of geklopt"),
    ),
    (
        "wrong_side",
        T(
            en="called by the wrong side",
            fr="annonce du mauvais camp",
            nl="door het verkeerde kamp",
        ),
    ),
    (
        "not_enabled",
        T(
            en="not allowed in this event",
            fr="annonce non admise dans ce concours",
            nl="niet toegelaten in deze kaarting",
        ),
    ),
)
NAME_WHAT: Final = fields.what(
    (
        "wrong_player",
        T(
            en="named by a player who had no right to",
            fr="atout nommé par un joueur qui n’en avait pas le droit",
            nl="troef gemaakt door een speler die dat niet mocht",
        ),
    ),
    (
        "changed",
        T(
            en="changed after it was named",
            fr="atout changé après avoir été nommé",
            nl="troef gewijzigd nadat hij gemaakt was",
        ),
    ),
)
TRICK_WHAT: Final = fields.what(
    (
        "too_few",
        T(
            en="gathered a trick with too few cards",
            fr="levée ramassée avec trop peu de cartes",
            nl="een slag met te weinig kaarten opgeraapt",
        ),
    ),
    (
        "looked",
        T(
            en="looked at a turned trick",
            fr="levée retournée regardée",
            nl="een gekeerde slag bekeken",
        ),
    ),
    (
        "mixed",
        T(en="mixed tricks up", fr="levées mélangées", nl="slagen door elkaar gelegd"),
    ),
)
SCORE_WHEN: Final = fields.choice(
    "when",
    T(en="Noticed when", fr="Relevé quand", nl="Opgemerkt wanneer"),
    T(
        en="How far the event had gone when somebody spoke up.",
        fr="Où en était le concours quand quelqu’un l’a signalé.",
        nl="Hoe ver de kaarting stond toen iemand het meldde.",
    ),
    (
        "round_open",
        T(en="while the round is open", fr="pendant le tour", nl="tijdens de ronde"),
    ),
    (
        "round_closed",
        T(
            en="after the round, before the final standings",
            fr="après le tour, avant le classement définitif",
            nl="na de ronde, vóór het definitieve klassement",
        ),
    ),
    (
        "standings_final",
        T(
            en="after the final standings",
            fr="après le classement définitif",
            nl="na het definitieve klassement",
        ),
    ),
)
