"""Manille parlée with limited talk (source 004), 2nd edition: the muette but for the talk."""

from dataclasses import replace

from scoring.engine.rulebook_edition import Talk, play_articles
from scoring.engine.texts import Texts

from .muette import RULEBOOK as MUETTE

RULEBOOK = replace(
    MUETTE,
    key="parlee-limited",
    edition="2",
    title=Texts(
        "Manille parlée, limited talk", "Manille parlée limitée", "Sprekende manille, beperkt"
    ),
    source="004, Manille parlée",
    talk=Talk.ONE_ITEM_BEFORE_LEAD,
    talk_text=Texts(
        "Before leading, the leader gives one piece of information or makes one request, about the "
        "number of cards of a suit or rank or whether a card is held; or invites partner to do so, "
        "or to say which card or suit to lead. Answers are true; instructions are followed if "
        "possible.",
        "Avant d'entamer, le joueur donne un seul renseignement ou pose une seule question, sur le "
        "nombre de cartes d'une couleur ou d'un rang ou la présence d'une carte ; ou invite son "
        "partenaire à le faire, ou à dire la carte ou la couleur à jouer. Les réponses sont vraies, "
        "les consignes suivies si possible.",
        "Vóór het uitkomen geeft de speler één inlichting of stelt hij één vraag, over het aantal "
        "kaarten van een kleur of rang of over één kaart; of hij nodigt zijn maat uit dat te doen, "
        "of te zeggen welke kaart of kleur gespeeld wordt. Antwoorden zijn waar, opdrachten worden "
        "zo mogelijk gevolgd.",
    ),
    play_articles=play_articles("004-V1", "004-V1", "", "004-V1", "004-V1", "004-V1", "004-E3"),
)
