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
from .model import Certificate, Contestant, Kind, Line, Request, Table, pair

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
    ``scorekeeper_spread``, ``dealer_spread``, ``byes_repeated``.
    """
    people = {c.id: c for c in request.contestants}
    seated = [people[p] for t in tables for p in t.players if p in people]
    history = request.history
    lines: list[Line] = []
    meetings = [m for t in tables for m in t.meetings()]
    bound = short_of_new(tables, history.meetings, lambda t: len(t.players) - 1)
    value = _repeats(meetings, history.meetings)
    lines.append(Line("repeated_meetings", value, bound, True, _COUNTED if bound else _ZERO))
    if any(t.kind is Kind.PARTNERS for t in tables):
        partners = [m for t in tables for m in t.partners()]
        value = _repeats(partners, history.partners)
        low = partner_bound(tables, history.partners) if deep and value else 0
        lines.append(Line("repeated_partners", value, low, True, _MATCHING if low else _ZERO))
    if any(t.kind is not Kind.ROTATION for t in tables):
        opponents = [m for t in tables for m in t.opponents()]
        value = _repeats(opponents, history.opponents)
        per = {Kind.PARTNERS: 2, Kind.MATCH: 1, Kind.ROTATION: 0}
        low = short_of_new(tables, history.opponents, lambda t: per.get(t.kind, len(t.players) - 1))
        lines.append(Line("repeated_opponents", value, low, True, _COUNTED if low else _ZERO))
    total = Counter(history.meetings)
    total.update(meetings)
    value = sum(times - 1 for times in total.values() if times > 1)
    low = stage_bound(total, len({p for key in total for p in key}))
    lines.append(Line("meetings_total", value, low, True, _STAGE))
    sizes = [len(t.players) for t in tables]
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
    fewest = sorted(counts.values())[: len(byes)]
    again = sum(1 for b in byes if counts.get(b, 0))
    lines.append(Line("byes_repeated", again, sum(1 for x in fewest if x), True, _TURN))
    return Certificate(tuple(lines))


def _duty_lines(
    request: Request, tables: Sequence[Table], seated: list[Contestant]
) -> tuple[Line, Line]:
    """Most duties minus fewest among those seated: keeping the score, dealing first."""
    keepers = Counter(request.history.scorekeepers)
    keepers.update(t.scorekeeper for t in tables if t.scorekeeper is not None)
    dealers = Counter(request.history.dealers)
    dealers.update(t.dealer for t in tables if t.dealer is not None)
    kept = [keepers.get(c.id, 0) for c in seated if c.scorekeeper]
    dealt = [dealers.get(c.id, 0) for c in seated]
    return (
        Line("scorekeeper_spread", _spread(kept), duty_spread_bound(kept), True, _SHARED),
        Line("dealer_spread", _spread(dealt), duty_spread_bound(dealt), True, _SHARED),
    )


def _spread(counts: list[int]) -> int:
    return max(counts) - min(counts) if counts else 0
