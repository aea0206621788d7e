"""Criteria that look at the entrant's own games only.

Rule followed: rules specification D.2 "Classification"; D.1 (E8 percentage of games won; E19–E23
difference and points; E25/E27 total; E26 two for a win, one for a loss).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from scoring.engine.texts import Texts
from tournament.standings.criteria.base import Criterion, criterion
from tournament.standings.figures import format_percentage
from tournament.standings.model import Number, Outcome, Value, exact
from tournament.standings.tally import Record, Tally


class _Own(Criterion):
    """A value computed from one entrant's record."""

    def values(self, tally: Tally, group: Sequence[str]) -> dict[str, Value]:
        """The value of each entrant, from his own record."""
        return {key: self.of(tally, tally.records[key]) for key in group}

    def of(self, tally: Tally, record: Record) -> Value:
        """The value for one record."""
        raise NotImplementedError


@criterion
@dataclass(frozen=True)
class GamesWon(_Own):
    """Games won; a drawn game counts ``draw`` (0 by default, ½ or 1 by the event's rule)."""

    draw: Fraction = Fraction(0)
    code: ClassVar[str] = "games_won"
    name: ClassVar[Texts] = Texts(en="Games won", fr="Manches gagnées", nl="Gewonnen bomen")
    short: ClassVar[Texts] = Texts(en="Won", fr="Gagn.", nl="Gew.")
    explanation: ClassVar[Texts] = Texts(
        en="The number of games won. A game credited for a bye counts as won; a drawn game counts "
        "what the event says, nothing unless stated.",
        fr="Le nombre de manches gagnées. Une manche créditée pour une exemption compte comme "
        "gagnée\u00a0; une manche nulle compte ce que dit le règlement, rien sinon.",
        nl="Het aantal gewonnen bomen. Een boom die bij een vrije ronde wordt toegekend, telt als "
        "gewonnen; een gelijke boom telt wat het reglement zegt, anders niets.",
    )
    additive: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if not 0 <= self.draw <= 1:
            raise self.refuse("a draw counts between 0 and 1", draw=self.draw)

    def of(self, tally: Tally, record: Record) -> Value:
        """Wins, drawn games by their worth, and the games rulings gave or took."""
        won: Number = record.count(Outcome.WIN)
        if self.draw:
            won += record.count(Outcome.DRAW) * self.draw
        return exact(won + sum(change.games_won for change in record.adjustments))


@criterion
@dataclass(frozen=True)
class GamesPercentage(_Own):
    """Games won of the games counted (E8: clubs by percentage of games won, 18/25 = 72 %)."""

    draw: Fraction = Fraction(0)
    code: ClassVar[str] = "games_percentage"
    name: ClassVar[Texts] = Texts(
        en="Percentage of games won",
        fr="Pourcentage de manches gagnées",
        nl="Percentage gewonnen bomen",
    )
    short: ClassVar[Texts] = Texts(en="% won", fr="% gagn.", nl="% gew.")
    explanation: ClassVar[Texts] = Texts(
        en="Games won divided by games played, so that entrants with fewer games compare fairly.",
        fr="Les manches gagnées divisées par les manches jouées\u00a0: on compare ainsi ceux qui n'ont "
        "pas joué autant.",
        nl="Gewonnen bomen gedeeld door gespeelde bomen: zo vergelijkt men wie niet evenveel "
        "speelde.",
    )

    def __post_init__(self) -> None:
        if not 0 <= self.draw <= 1:
            raise self.refuse("a draw counts between 0 and 1", draw=self.draw)

    def of(self, tally: Tally, record: Record) -> Value:
        """The part of one; None before the first game."""
        if not record.counted:
            return None
        won: Number = record.count(Outcome.WIN) + record.count(Outcome.DRAW) * self.draw
        won += sum(change.games_won for change in record.adjustments)
        return exact(Fraction(won) / record.counted)

    def _one(self, number: Number, language: str) -> str:
        return format_percentage(number, language)


@criterion
@dataclass(frozen=True)
class MatchPoints(_Own):
    """The rule's points for win, draw and loss, for each game or for each match (``per``)."""

    per: str = "game"
    code: ClassVar[str] = "match_points"
    name: ClassVar[Texts] = Texts(en="Match points", fr="Points de match", nl="Matchpunten")
    short: ClassVar[Texts] = Texts(en="MP", fr="PM", nl="MP")
    explanation: ClassVar[Texts] = Texts(
        en="Points for each game (or, if the event says so, each match) won, drawn or lost: "
        "2, 1 and 0 unless the event fixes others, such as 1, ½ and 0.",
        fr="Des points pour chaque manche (ou chaque partie, si le règlement le dit) gagnée, nulle "
        "ou perdue\u00a0: 2, 1 et 0 sauf autre barème, par exemple 1, ½ et 0.",
        nl="Punten voor elke gewonnen, gelijke of verloren boom (of partij, als het reglement dat "
        "zegt): 2, 1 en 0, tenzij anders bepaald, zoals 1, ½ en 0.",
    )
    additive: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if self.per not in ("game", "match"):
            raise self.refuse("per is game or match", per=self.per)

    def of(self, tally: Tally, record: Record) -> Value:
        """The points of the outcomes, and those rulings gave or took."""
        if self.per == "game":
            outcomes = [game.outcome for game in record.games]
            outcomes += [credit.outcome for credit in record.credits]
        else:
            outcomes = list(matches(record).values())
            outcomes += list({line.round_no: line.outcome for line in record.credits}.values())
        points: Number = sum(tally.match_points_for(outcome) for outcome in outcomes)
        return exact(points + sum(change.match_points for change in record.adjustments))


def matches(record: Record) -> dict[tuple[int, int | None, tuple[str, ...]], Outcome]:
    """Each sitting against the same opponents with its outcome: more games won than lost wins.

    A decision on the whole sitting stands before the games.
    """
    decided: dict[tuple[int, int | None, tuple[str, ...]], Outcome] = {}
    lead: dict[tuple[int, int | None, tuple[str, ...]], int] = {}
    for game in record.games:
        key = (game.round_no, game.table, tuple(sorted(game.opponents)))
        step = {Outcome.WIN: 1, Outcome.LOSS: -1}.get(game.outcome or Outcome.DRAW, 0)
        lead[key] = lead.get(key, 0) + step
        if game.match is not None:
            decided[key] = game.match
    return {
        key: decided.get(
            key, Outcome.WIN if ahead > 0 else Outcome.LOSS if ahead < 0 else Outcome.DRAW
        )
        for key, ahead in lead.items()
    }


@criterion
@dataclass(frozen=True)
class NetMarks(_Own):
    """Marks for minus marks against, each game limited by the rule's cap."""

    code: ClassVar[str] = "net_marks"
    name: ClassVar[Texts] = Texts(en="Net marks", fr="Différence de points", nl="Puntensaldo")
    short: ClassVar[Texts] = Texts(en="Net", fr="Diff.", nl="Saldo")
    explanation: ClassVar[Texts] = Texts(
        en="Marks written by one's side minus those of the other side, over all games; where the "
        "event sets a cap, one game counts for no more than the cap.",
        fr="Les points marqués par son camp moins ceux du camp adverse, sur toutes les manches\u00a0; "
        "si le règlement fixe un plafond, une manche ne compte pas davantage.",
        nl="De punten van het eigen kamp min die van de tegenpartij, over alle bomen; is er een "
        "plafond, dan telt een boom niet voor meer.",
    )
    additive: ClassVar[bool] = True
    signed: ClassVar[bool] = True

    def of(self, tally: Tally, record: Record) -> Value:
        """The sum of the capped differences, the credits and the rulings."""
        net: Number = sum(tally.net_of(game) for game in record.games)
        net += sum(credit.net for credit in record.credits)
        return exact(net + sum(change.marks for change in record.adjustments))


@criterion
@dataclass(frozen=True)
class Marks(_Own):
    """All marks written by the entrant's side."""

    code: ClassVar[str] = "marks"
    name: ClassVar[Texts] = Texts(en="Marks", fr="Points marqués", nl="Punten")
    short: ClassVar[Texts] = Texts(en="Marks", fr="Points", nl="Punten")
    explanation: ClassVar[Texts] = Texts(
        en="All marks written by one's side; where the event caps a side's marks, no more than "
        "the cap in one game.",
        fr="Tous les points marqués par son camp\u00a0; si le règlement plafonne les points d'un camp, "
        "pas davantage par manche.",
        nl="Alle punten van het eigen kamp; is er een plafond op de punten van een kamp, dan niet "
        "meer dan dat per boom.",
    )
    additive: ClassVar[bool] = True

    def of(self, tally: Tally, record: Record) -> Value:
        """The sum of the marks that count, the credits and the rulings."""
        marks: Number = sum(tally.marks_of(game) for game in record.games)
        marks += sum(credit.marks for credit in record.credits)
        return exact(marks + sum(change.marks for change in record.adjustments))


@criterion
@dataclass(frozen=True)
class PointsPercentage(_Own):
    """Card points taken of the card points there were."""

    code: ClassVar[str] = "points_percentage"
    name: ClassVar[Texts] = Texts(
        en="Percentage of maximum", fr="Pourcentage du maximum", nl="Percentage van het maximum"
    )
    short: ClassVar[Texts] = Texts(en="% max", fr="% max", nl="% max")
    explanation: ClassVar[Texts] = Texts(
        en="Points taken divided by the points there were to take in the deals played (60 or 68 a "
        "deal in the game of two pairs). Rounds not played do not count.",
        fr="Les points faits divisés par les points en jeu dans les donnes jouées (60 ou 68 par "
        "donne à deux équipes). Les tours non joués ne comptent pas.",
        nl="De gehaalde punten gedeeld door de punten die in de gespeelde giften te halen waren "
        "(60 of 68 per gift met twee paren). Niet gespeelde ronden tellen niet.",
    )

    def of(self, tally: Tally, record: Record) -> Value:
        """The part of one; None while no game has its points recorded."""
        most: Number = 0
        points: Number = 0
        for game in record.games:
            if game.points is not None and game.max_points is not None:
                points += game.points
                most += game.max_points
        return exact(Fraction(points) / most) if most else None

    def _one(self, number: Number, language: str) -> str:
        return format_percentage(number, language)


@criterion
@dataclass(frozen=True)
class BestDeal(_Own):
    """The most marks of the entrant's side in one deal."""

    code: ClassVar[str] = "best_deal"
    name: ClassVar[Texts] = Texts(en="Best deal", fr="Meilleure donne", nl="Beste gift")
    short: ClassVar[Texts] = Texts(en="Best", fr="Meill.", nl="Beste")
    explanation: ClassVar[Texts] = Texts(
        en="The most marks one's side wrote in a single deal.",
        fr="Le plus grand nombre de points marqués par son camp en une seule donne.",
        nl="De meeste punten die het eigen kamp in één gift schreef.",
    )

    def of(self, tally: Tally, record: Record) -> Value:
        """The greatest; None while no deal is recorded."""
        best = [game.best_deal for game in record.games if game.best_deal is not None]
        return exact(max(best)) if best else None


@criterion
@dataclass(frozen=True)
class FewestPenalties(_Own):
    """Penalties against the entrant; the fewer, the better."""

    code: ClassVar[str] = "fewest_penalties"
    name: ClassVar[Texts] = Texts(
        en="Fewest penalties", fr="Moins de pénalités", nl="Minste straffen"
    )
    short: ClassVar[Texts] = Texts(en="Pen.", fr="Pén.", nl="Str.")
    explanation: ClassVar[Texts] = Texts(
        en="The number of penalties ruled against one's side; the fewer come first.",
        fr="Le nombre de pénalités prononcées contre son camp\u00a0; qui en a moins passe devant.",
        nl="Het aantal straffen tegen het eigen kamp; wie er minder heeft, gaat voor.",
    )
    descending: ClassVar[bool] = False
    additive: ClassVar[bool] = True

    def of(self, tally: Tally, record: Record) -> Value:
        """Penalties in the games and by rulings outside them."""
        return sum(game.penalties for game in record.games) + sum(
            change.penalty_count for change in record.adjustments
        )
