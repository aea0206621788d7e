"""The certificate of a draw: what it costs, counted again from the tables, beside what is possible.

Nothing is taken from the search: every value is recounted from the finished tables and the history,
and every bound has its own argument, named in the line.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from scoring.engine.texts import Texts

from .bounds import (
    club_bound,
    duty_spread_bound,
    partner_bound,
    score_bound,
    short_of_new,
    stage_bound,
)
from .costs import score_levels
from .filling import filling_players
from .model import (
    Certificate,
    Contestant,
    History,
    Kind,
    Line,
    Pair,
    Request,
    Table,
    pair,
)
from .table_bounds import meeting_bound, opponent_bound

#: (players, rounds) → fewest excess meetings anybody is known to have reached where the proven bound is
#: lower. Twenty players over six rounds without any do not exist (no resolvable group-divisible design
#: of type 2¹⁰; Handbook of Combinatorial Designs, IV.5.4); ten minutes of annealing all six together found 6.
BEST_KNOWN: dict[tuple[int, int], int] = {(20, 6): 6}

_COUNTED = Texts(
    en="each player needs as many new faces as the table holds, and has only so many left",
    fr="chaque joueur a besoin d’autant de nouvelles têtes que la table en compte, et il ne lui en reste que tant",
    nl="elke speler heeft zoveel nieuwe tafelgenoten nodig als de tafel telt, en er zijn er maar zoveel over",
)
_STAGE = Texts(
    en="meetings of the stage against the number of other players",
    fr="rencontres de la phase comparées au nombre des autres joueurs",
    nl="ontmoetingen van de fase tegenover het aantal andere spelers",
)
_SO_FAR = Texts(
    en="the repeats of earlier rounds, and those this round must add",
    fr="les répétitions des tours précédents et celles que ce tour ajoute nécessairement",
    nl="de herhalingen van vorige rondes en die welke deze ronde moet toevoegen",
)
_BEST = Texts(
    en="the best known for this number of players and rounds; not proven",
    fr="le meilleur résultat connu pour ce nombre de joueurs et de tours ; non démontré",
    nl="het best bekende voor dit aantal spelers en rondes; niet bewezen",
)
_TABLES = Texts(
    en="every possible table of each player weighed by what it repeats",
    fr="toutes les tables possibles de chaque joueur pesées selon leurs répétitions",
    nl="elke mogelijke tafel van elke speler gewogen naar wat ze herhaalt",
)
_ZERO = Texts(
    en="nothing is below zero", fr="rien n’est inférieur à zéro", nl="niets is lager dan nul"
)
_MATCHING = Texts(
    en="a largest matching of players who have not yet been partners",
    fr="un couplage maximal de joueurs qui n’ont pas encore été partenaires",
    nl="een grootste koppeling van spelers die nog geen partners waren",
)
_PIGEON = Texts(
    en="members shared out evenly over the tables",
    fr="membres répartis également entre les tables",
    nl="leden gelijk over de tafels verdeeld",
)
_GAPS = Texts(
    en="tables that must straddle each step of the ranking",
    fr="tables qui chevauchent nécessairement chaque palier du classement",
    nl="tafels die elke trap van het klassement moeten overspannen",
)
_SHARED = Texts(
    en="duties shared out evenly over those willing",
    fr="tâches réparties également entre ceux qui les acceptent",
    nl="beurten gelijk verdeeld over wie wil",
)
_TURN = Texts(
    en="byes shared out evenly: nobody twice before all once",
    fr="exemptions réparties également : personne deux fois avant tous une fois",
    nl="vrije beurten gelijk verdeeld: niemand tweemaal voor iedereen eenmaal",
)


def _repeats(keys: Iterable[tuple[int, int]], before: Mapping[tuple[int, int], int]) -> int:
    """How many of the round's pairs have happened before (a pair twice in one round counts once)."""
    return sum(1 for key in set(keys) if before.get(key, 0))


def _same(tables: Sequence[Table], label: Mapping[int, str]) -> int:
    return sum(
        1
        for table in tables
        for a, b in combinations(table.players, 2)
        if label.get(a) and label.get(a) == label.get(b)
    )


def certify(
    request: Request, tables: Sequence[Table], byes: Sequence[int], *, deep: bool = True
) -> Certificate:
    """The certificate of ``tables`` for ``request``; ``deep`` also proves the partner bound.

    Codes: ``repeated_meetings``, ``repeated_partners``, ``repeated_opponents`` (this round, against
    earlier rounds), ``meetings_total`` (excess meetings of the stage with this round in it),
    ``club_clashes``, ``family_clashes``, ``bans_broken``, ``score_differences``,
    ``scorekeeper_spread``, ``dealer_spread``, ``byes_repeated`` (a filling table of three counts as a bye).
    """
    people = {c.id: c for c in request.contestants}
    seated = [people[p] for t in tables for p in t.players if p in people]
    history = request.history
    lines: list[Line] = []
    meetings = [m for t in tables for m in t.meetings()]
    bound = short_of_new(tables, history.meetings, lambda t: len(t.players) - 1)
    value = _repeats(meetings, history.meetings)
    seats, sizes = [p for t in tables for p in t.players], [len(t.players) for t in tables]
    by_table = meeting_bound(seats, sizes, history.meetings) if value > bound else 0
    again = max(bound, by_table)
    why = _TABLES if by_table > bound else _COUNTED if bound else _ZERO
    lines.append(Line("repeated_meetings", value, again, True, why))
    if any(t.kind is Kind.PARTNERS for t in tables):
        partners = [m for t in tables for m in t.partners()]
        value = _repeats(partners, history.partners)
        low = partner_bound(tables, history.partners) if deep and value else 0
        lines.append(Line("repeated_partners", value, low, True, _MATCHING if low else _ZERO))
    if request.kind is not Kind.ROTATION:
        opponents = [m for t in tables for m in t.opponents()]
        value = _repeats(opponents, history.opponents)
        per = {Kind.PARTNERS: 2, Kind.MATCH: 1, Kind.ROTATION: 0}
        low = short_of_new(tables, history.opponents, lambda t: per.get(t.kind, len(t.players) - 1))
        why = _COUNTED if low else _ZERO
        if value > low and all(t.kind in (Kind.PARTNERS, Kind.SOLO) for t in tables):
            by_table = opponent_bound(seats, sizes, history.opponents)
            low, why = (by_table, _TABLES) if by_table > low else (low, why)
        lines.append(Line("repeated_opponents", value, low, True, why))
    lines.append(_stage_line(history, meetings, again))
    for code, label in (
        ("club_clashes", {c.id: c.club for c in seated}),
        ("family_clashes", {c.id: c.family for c in seated}),
    ):
        low = club_bound(Counter(v for v in label.values() if v), sizes)
        lines.append(Line(code, _same(tables, label), low, True, _PIGEON if low else _ZERO))
    broken = sum(1 for m in meetings if pair(*m) in request.wishes.bans)
    lines.append(Line("bans_broken", broken, 0, True, _ZERO))
    levels = score_levels(seated)
    level = {c.id: levels[c.score] for c in seated}
    spread = sum(
        abs(level[a] - level[b])
        for t in tables
        for a, b in combinations(t.players, 2)
        if a in level and b in level
    )
    low = score_bound(sorted(level.values()), sizes)
    lines.append(Line("score_differences", spread, low, True, _GAPS))
    lines += _duty_lines(request, tables, seated)
    counts = {c.id: history.byes.get(c.id, 0) for c in request.contestants}
    out = [*byes, *filling_players(request.kind, tables)]
    fewest = sorted(counts.values())[: len(out)]
    again = sum(1 for b in out if counts.get(b, 0))
    lines.append(Line("byes_repeated", again, sum(1 for x in fewest if x), True, _TURN))
    return Certificate(tuple(lines))


def _stage_line(history: History, meetings: Sequence[Pair], again: int) -> Line:
    """Excess meetings of the whole stage; ``again``: those that this round must add."""
    total = Counter(history.meetings)
    total.update(meetings)
    value = sum(times - 1 for times in total.values() if times > 1)
    players = {p for key in total for p in key}
    low = stage_bound(total, len(players))
    played = sum(times - 1 for times in history.meetings.values() if times > 1) + again
    if played > low:
        return Line("meetings_total", value, played, True, _SO_FAR)
    # Where everybody has played every round at tables of four, the best anybody has found.
    sittings = Counter(p for key in total.elements() for p in key)
    rounds = set(sittings.values())
    best = BEST_KNOWN.get((len(players), rounds.pop() // 3), 0) if len(rounds) == 1 else 0
    if value >= best > low:
        return Line("meetings_total", value, best, False, _BEST)
    return Line("meetings_total", value, low, True, _STAGE if low else _ZERO)


def _duty_lines(
    request: Request, tables: Sequence[Table], seated: list[Contestant]
) -> tuple[Line, Line]:
    """Most duties minus fewest among those seated: keeping the score, dealing first."""
    before = request.history
    return (
        _duty(
            "scorekeeper_spread",
            {c.id: before.scorekeepers.get(c.id, 0) for c in seated if c.scorekeeper},
            [t.scorekeeper for t in tables],
        ),
        _duty(
            "dealer_spread",
            {c.id: before.dealers.get(c.id, 0) for c in seated},
            [t.dealer for t in tables],
        ),
    )


def _duty(code: str, before: dict[int, int], holders: Sequence[int | None]) -> Line:
    """One duty: the spread reached, beside what no seating of the same people could beat."""
    after = Counter(before)
    after.update(who for who in holders if who in before)
    given = sum(after.values()) - sum(before.values())
    bound = duty_spread_bound(list(before.values()), given)
    return Line(code, _spread(list(after.values())), bound, True, _SHARED if bound else _ZERO)


def _spread(counts: list[int]) -> int:
    return max(counts) - min(counts) if counts else 0
