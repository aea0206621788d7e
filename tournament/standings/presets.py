"""Ranking rules of known events, each with its source, in three languages.

Source of each: rules specification D.1 (the E numbers are its third-party sources); what a source
leaves open follows D.2 and is said so. A preset is a starting point: the event keeps its own copy.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from scoring.engine.texts import Texts
from tournament.standings.model import (
    HALF,
    NO_CREDIT,
    Cap,
    CapOn,
    Credit,
    CreditBy,
    Outcome,
    Rule,
    Withdrawal,
    use,
)


@dataclass(frozen=True, slots=True)
class Preset:
    """A named rule; ``source`` cites where it is known from."""

    code: str
    name: Texts
    explanation: Texts
    source: str
    rule: Rule


_ALL = (
    Preset(
        "world_championship",
        Texts(en="World championship", fr="Championnat du monde", nl="Wereldkampioenschap"),
        Texts(
            en="Games won, then net marks, then marks; players still level share the rank.",
            fr="Manches gagnées, puis différence, puis points marqués\u00a0; les ex æquo partagent le "
            "rang.",
            nl="Gewonnen bomen, dan saldo, dan punten; wie gelijk blijft, deelt de plaats.",
        ),
        "D.2 Classification, individual: each player is credited with his side's result",
        Rule(
            (use("games_won"), use("net_marks"), use("marks")),
            code="world_championship",
        ),
    ),
    Preset(
        "recommended",
        Texts(en="Recommended", fr="Recommandé", nl="Aanbevolen"),
        Texts(
            en="Match points 2/1/0, net marks, marks, head-to-head, fewest penalties, drawn lots.",
            fr="Points de match 2/1/0, différence, points marqués, confrontation directe, moins de "
            "pénalités, tirage au sort.",
            nl="Matchpunten 2/1/0, saldo, punten, onderling resultaat, minste straffen, loting.",
        ),
        "D.2 Classification, in full",
        Rule(
            (
                use("match_points"),
                use("net_marks"),
                use("marks"),
                use("head_to_head"),
                use("fewest_penalties"),
                use("lots"),
            ),
            code="recommended",
        ),
    ),
    Preset(
        "botifarra",
        Texts(en="Botifarra style", fr="Façon botifarra", nl="Botifarra-stijl"),
        Texts(
            en="1 for a game won, ½ for a draw; then the difference, then marks; a side's marks "
            "count for at most 121 in a game to 101.",
            fr="1 par manche gagnée, ½ par nulle\u00a0; puis la différence, puis les points\u00a0; au plus "
            "121 points par camp dans une manche de 101.",
            nl="1 per gewonnen boom, ½ bij gelijke stand; dan saldo, dan punten; ten hoogste 121 "
            "punten per kamp in een boom tot 101.",
        ),
        "E19–E23",
        Rule(
            (use("match_points"), use("net_marks"), use("marks")),
            win=1,
            draw=HALF,
            loss=0,
            cap=Cap(121, CapOn.MARKS),
            withdrawn=Withdrawal.STRUCK,
            code="botifarra",
        ),
    ),
    Preset(
        "belote_total",
        Texts(en="Belote-style total", fr="Total, façon belote", nl="Totaal, zoals bij belote"),
        Texts(
            en="The total of the marks of all games, nothing else.",
            fr="Le total des points de toutes les manches, rien d'autre.",
            nl="Het totaal van de punten van alle bomen, niets anders.",
        ),
        "E25, E27",
        Rule((use("marks"),), code="belote_total"),
    ),
    Preset(
        "belote_pools",
        Texts(en="Belote-style pools", fr="Poules, façon belote", nl="Poules, zoals bij belote"),
        Texts(
            en="2 points for a match won, 1 for a match lost, then the difference.",
            fr="2 points par partie gagnée, 1 par partie perdue, puis la différence.",
            nl="2 punten per gewonnen partij, 1 per verloren partij, dan het saldo.",
        ),
        "E26; a drawn match is not provided for there and gives 1 here",
        Rule(
            (use("match_points", per="match"), use("net_marks")),
            win=2,
            draw=1,
            loss=1,
            code="belote_pools",
        ),
    ),
    Preset(
        "twelve_deals",
        Texts(en="Twelve deals", fr="Douze donnes", nl="Twaalf giften"),
        Texts(
            en="Most marks after twelve deals.",
            fr="Le plus de points après douze donnes.",
            nl="De meeste punten na twaalf giften.",
        ),
        "004: most points after 12 deals",
        Rule((use("marks"),), bye=NO_CREDIT, sat_out=NO_CREDIT, code="twelve_deals"),
    ),
    Preset(
        "belgian_clubs",
        Texts(
            en="Belgian club championship",
            fr="Championnat de Belgique des clubs",
            nl="Belgisch kampioenschap voor clubs",
        ),
        Texts(
            en="The percentage of games won (18 of 25 is 72%), for players as for clubs.",
            fr="Le pourcentage de manches gagnées (18 sur 25 font 72 %), pour les joueurs comme "
            "pour les clubs.",
            nl="Het percentage gewonnen bomen (18 op 25 is 72%), voor spelers en voor clubs.",
        ),
        "E8",
        Rule(
            (use("games_percentage"), use("net_marks")),
            bye=NO_CREDIT,
            sat_out=NO_CREDIT,
            code="belgian_clubs",
        ),
    ),
    Preset(
        "harelbeke",
        Texts(
            en="World championship, Harelbeke 2020",
            fr="Championnat du monde, Harelbeke 2020",
            nl="WK Harelbeke 2020",
        ),
        Texts(
            en="Points and number of games won: marks first, then games won.",
            fr="Points et nombre de manches gagnées\u00a0: d'abord les points, puis les manches.",
            nl="Punten en aantal gewonnen bomen: eerst de punten, dan de bomen.",
        ),
        "E2, E3, E3b; which of the two goes first is not stated there",
        Rule((use("marks"), use("games_won")), code="harelbeke"),
    ),
    Preset(
        "club_league",
        Texts(en="Club league", fr="Championnat de clubs", nl="Clubcompetitie"),
        Texts(
            en="2 points for each game won, nothing for a forfeit; then net marks.",
            fr="2 points par manche gagnée, rien pour un forfait\u00a0; puis la différence.",
            nl="2 punten per gewonnen boom, 0 bij forfait; dan saldo.",
        ),
        "E10 (2 points a game, forfeit 0); E23 (results against one who withdraws deleted)",
        Rule(
            (use("match_points"), use("net_marks")),
            withdrawn=Withdrawal.STRUCK,
            code="club_league",
        ),
    ),
    Preset(
        "fixed_pairs_evening",
        Texts(en="Evening of fixed pairs", fr="Soirée en doublettes", nl="Avond met vaste paren"),
        Texts(
            en="Games won, a draw counting as a win for both, then marks.",
            fr="Manches gagnées, une nulle comptant comme gagnée pour les deux, puis les points.",
            nl="Gewonnen bomen, waarbij gelijk voor beide als gewonnen telt, dan de punten.",
        ),
        "E11",
        Rule(
            (use("games_won", draw=1), use("marks")),
            bye=Credit(CreditBy.FIELD_SPREAD, Outcome.WIN),
            sat_out=Credit(CreditBy.FIELD_SPREAD, Outcome.WIN),
            code="fixed_pairs_evening",
        ),
    ),
)

PRESETS: Final[dict[str, Preset]] = {preset.code: preset for preset in _ALL}
"""Every preset by its code."""
