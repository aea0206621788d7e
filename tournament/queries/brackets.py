"""Pools and brackets as pages, wall and paper show them, and what rounds and tables are called."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from tournament.cache import cached
from tournament.drawing.brackets import NAMES, Match, bracket_rounds
from tournament.drawing.round_names import (
    CONSOLATION,
    THIRD_PLACE,
    first_of_bracket,
    knock_out_round,
    match_name,
    pool_letter,
    pool_name,
    round_name,
)
from tournament.drawing.rules import read_rules
from tournament.drawing.spec import Plan
from tournament.models import EntrantState, Round, Stage, round_of
from tournament.models.tables import Table
from tournament.queries.forfeits import gone_after_draw, gone_from, gone_in_round
from tournament.queries.matches import (
    forfeited_matches,
    is_knockout,
    official_results,
    overtaken_matches,
    plan_of,
    pool_standings,
    settled,
    tables_played,
    winner_of,
    winners_by_round,
)
from tournament.queries.names import Name, Shown, by_number, directory
from tournament.queries.pages import is_hidden, state_of
from tournament.queries.results import gather
from tournament.queries.search import Letter
from tournament.queries.stage_rule import rule_of, without_bracket
from tournament.ranking.criteria import build
from tournament.ranking.figures import format_number

COLUMNS = 3
"""Criteria of the ranking that the table of a pool shows."""


@dataclass(frozen=True, slots=True)
class ShownSide:
    """A side of a match: its name (empty while not known), what it scored, whether it won."""

    number: int
    name: str
    score: str
    won: bool


@dataclass(frozen=True, slots=True)
class ShownMatch:
    """A match of a bracket; ``table`` where it was drawn, ``decided`` where the director decided it.

    ``forfeited``: whether a side forfeited the round or was excluded in it. ``url``: the page of its table for staff.
    """

    sides: tuple[ShownSide, ShownSide]
    table: int | None = None
    decided: str = ""
    forfeited: bool = False
    url: str = ""


@dataclass(frozen=True, slots=True)
class ShownBracket:
    """A bracket, round by round; ``name`` is empty for the main one."""

    name: str
    rounds: tuple[tuple[str, tuple[ShownMatch, ...]], ...]

    @property
    def current(self) -> str:
        """The name of the latest round with known players."""
        known = [
            name
            for name, matches in self.rounds
            if any(side.number for match in matches for side in match.sides)
        ]
        return known[-1] if known else ""


@dataclass(frozen=True, slots=True)
class ShownPool:
    """The table of a pool: headings, and for each member place, number, name and values."""

    name: str
    letter: Letter
    columns: tuple[str, ...]
    rows: tuple[tuple[str, int, str, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class ShownBrackets:
    """All of a stage."""

    pools: tuple[ShownPool, ...] = ()
    brackets: tuple[ShownBracket, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.pools or self.brackets)

    @property
    def letters(self) -> list[Letter]:
        """The way to each pool."""
        return [pool.letter for pool in self.pools]


def own_name(round_: Round, draft: Plan | None = None) -> str:
    """Return the bracket's name of a round, of a draft by its own plan; empty where a round has a number only."""
    if not round_.stage.played_as.bracket:
        return ""
    name = round_name(_plan(round_.stage) if draft is None else draft, round_.number)
    return name.render(get_language() or "en") if name is not None else ""


def title_of(round_: Round) -> str:
    """Name a round by its name in a bracket, else by its number."""
    return own_name(round_) or _("Round %(n)d") % {"n": round_.number}


def heading_of(table: Table) -> str:
    """Name table and round for pages: “Table 17 · round 1”, “Table 1 · Semi-final”."""
    own = own_name(table.round) if table.round is not None else ""
    if not own:
        return table.title
    return _("Table %(table)s · %(round)s") % {
        "table": table.label.rpartition("/")[2],
        "round": own,
    }


def stage_name(stage: Stage) -> str:
    """Return the name of a stage; empty where it is the only one of its event."""
    key = ("stages", stage.event_id, stage.event.frame_version)
    alone = cached(key, lambda: Stage.objects.filter(event=stage.event_id).count() == 1)
    return "" if alone else stage.title


def stage_and_round(round_: Round) -> str:
    """Name a round within a sentence: “Preliminary rounds, round 2”, “Final”, of an only stage “Round 2”."""
    stage, own = stage_name(round_.stage), own_name(round_)
    if not stage:
        return title_of(round_)
    if own:
        return f"{stage}, {own}"
    return _("%(stage)s, round %(n)d") % {"stage": stage, "n": round_.number}


def full_title(round_: Round) -> str:
    """Name a round as a heading: “Preliminary rounds · Round 2”, of an only stage “Round 2”."""
    return " · ".join(filter(None, (stage_name(round_.stage), title_of(round_))))


class ShownForfeit(NamedTuple):
    """A match that a side forfeited: table, forfeiting side, winner (empty while there is none).

    ``goes_on``: whether the winner advances, as in a knock-out, not in a pool.
    """

    table: int
    who: str
    winner: str
    goes_on: bool


def forfeited_shown(round_: Round) -> list[ShownForfeit]:
    """Return the matches of a round that a side forfeited."""
    if not round_.stage.played_as.bracket:
        return []
    people = directory(round_.stage.event)
    goes_on = is_knockout(round_)
    return [
        ShownForfeit(
            table.number,
            Name(", ".join(people[pk].name for pk in lost)),
            people[winner].name if winner else "",
            goes_on,
        )
        for table, lost, winner in forfeited_matches(round_.stage, round_.number)
    ]


@dataclass(frozen=True, slots=True)
class ShownOvertaken:
    """A match that ``winner`` has won by now though ``plays_on`` sits in the next draw.

    ``winner`` is unset where ``plays_on`` forfeited the round after that draw.
    """

    table: int
    winner: Shown | None
    plays_on: Shown


def overtaken_shown(round_: Round) -> list[ShownOvertaken]:
    """Return the matches of a round whose winner changed after the next round was drawn."""
    if not round_.stage.played_as.bracket:
        return []
    people = directory(round_.stage.event)
    return [
        ShownOvertaken(
            match.table.number,
            people[match.winner] if match.winner else None,
            people[match.plays_on],
        )
        for match in overtaken_matches(round_.stage, round_.number)
    ]


def match_names(round_: Round) -> dict[frozenset[int], str]:
    """For the tables of a round of pools or of a bracket: start numbers of the sides → its name."""
    if not round_.stage.played_as.bracket:
        return {}
    plan, language = _plan(round_.stage), get_language() or "en"
    passed = winners_by_round(round_.stage).get(round_.number - 1)
    names: dict[frozenset[int], str] = {}
    numbers = dict(round_.stage.field.values_list("entrant_id", "entrant__number"))
    at: dict[object, set[int]] = {}
    for table, entrant in round_.seats.values_list("table_id", "entrant_id"):
        at.setdefault(table, set()).add(numbers[entrant])
    for players in at.values():
        name = match_name(plan, round_.number, players, passed)
        if name is not None:
            names[frozenset(players)] = name.render(language)
    return names


def _plan(stage: Stage) -> Plan:
    key = ("plan", stage.event_id, stage.pk, stage.event.frame_version)
    return cached(key, lambda: plan_of(stage) or _foreseen(stage))


def _foreseen(stage: Stage) -> Plan:
    """Return what is known of a knock-out before its first draw: how many qualified for it."""
    if stage.played_as.pools or stage.order == 1:
        return {}
    left = stage.field.exclude(entrant__state=EntrantState.WITHDRAWN).count()
    return {"knockout_from": 1, "qualifiers": left} if left else {}


def brackets_shown(stage: Stage, *, hidden_too: bool = False) -> ShownBrackets:
    """Return the pools and brackets of a stage; nothing while the public may not see its results.

    ``hidden_too``: for the director, who may.
    """
    if not stage.played_as.bracket:
        return ShownBrackets()
    if not hidden_too and is_hidden(stage, state_of(stage)):
        return ShownBrackets()
    plan = plan_of(stage)
    if not plan.keys() & {"pools", *NAMES}:
        return ShownBrackets()
    language = get_language() or "en"
    people = {number: person.name for number, person in by_number(stage.event).items()}
    return ShownBrackets(
        _pools(stage, plan, people, language), _brackets(stage, plan, people, language)
    )


def _pools(
    stage: Stage, plan: Plan, people: Mapping[int, str], language: str
) -> tuple[ShownPool, ...]:
    if "pools" not in plan:
        return ()
    field, rule = gather(stage), rule_of(stage)
    criteria = [build(used) for used in without_bracket(rule).criteria][:COLUMNS]
    columns = (_("Played"), *(each.short.render(language) for each in criteria))
    pools = []
    for index, standing in enumerate(pool_standings(stage, plan, field, rule)):
        groups: dict[int | None, list[int]] = {}
        for row in standing.ranked:
            groups.setdefault(row.rank, []).append(row.entrant.number)
        order = [number for group in groups.values() for number in settled(stage, group, field)]
        by_id = {row.entrant.number: row for row in standing.rows}
        order += [number for number in by_id if number not in order]
        rows = []
        for place, number in enumerate(order, start=1):
            row = by_id[number]
            values = [
                each.format(value, language)
                for each, value in zip(criteria, row.values, strict=False)
            ]
            rows.append(
                (
                    str(place) if row.rank is not None and row.games else "–",
                    number,
                    people.get(number, ""),
                    (str(row.games - row.credited), *values),
                )
            )
        letter = Letter(pool_letter(index), f"#pool-{index + 1}")
        pools.append(ShownPool(pool_name(index).render(language), letter, columns, tuple(rows)))
    return tuple(pools)


@dataclass(frozen=True, slots=True)
class _Table:
    number: int
    scores: Mapping[int, str]
    decided: str
    winner: int | None
    lost: tuple[int, ...]
    url: str


def _brackets(
    stage: Stage, plan: Plan, people: Mapping[int, str], language: str
) -> tuple[ShownBracket, ...]:
    first = first_of_bracket(plan)
    if first is None or not plan.keys() & set(NAMES):
        return ()
    won = winners_by_round(stage)
    gone = stage.field.filter(entrant__state=EntrantState.WITHDRAWN)
    here = set(people) - set(gone.values_list("entrant__number", flat=True))
    tables = _scores(stage, language)
    brackets = []
    for name in NAMES:
        if name not in plan:
            continue
        size, rounds = len(plan[name]), []
        for at, matches in enumerate(bracket_rounds(plan, won, name, here), start=1):
            shown = tuple(
                _match(match, tables.get((first + at - 1, _pair(match))), people)
                for match in matches
            )
            rounds.append((knock_out_round(size, at).render(language), shown))
        if name == "main" and size > 2 and read_rules(stage.drawing).third_place:
            last = first + len(rounds) - 1
            third = _third_place(plan, last, won, tables, people)
            rounds.append((THIRD_PLACE.render(language), third))
        title = "" if name == "main" else CONSOLATION.render(language)
        brackets.append(ShownBracket(title, tuple(rounds)))
    return tuple(brackets)


def _pair(match: Match) -> frozenset[int]:
    return frozenset(side for side in match.sides if side is not None)


def _third_place(
    plan: Plan,
    last: int,
    won: Mapping[int, frozenset[int]],
    tables: Mapping[tuple[int, frozenset[int]], _Table],
    people: Mapping[int, str],
) -> tuple[ShownMatch, ...]:
    """Return the match of the semi-finals' losers, where it is drawn."""
    main, through = set(plan["main"]), won.get(last - 1, frozenset())
    for (number, players), table in tables.items():
        if number == last and players <= main and not players & through:
            one, two = sorted(players)
            return (_match(Match((one, two), table.winner), table, people),)
    return ()


def _match(match: Match, table: _Table | None, people: Mapping[int, str]) -> ShownMatch:
    # Who forfeited after the next draw has the place there, but has won nothing before the decision.
    lost = table.lost if table and not table.decided else ()
    sides = tuple(
        ShownSide(
            side or 0,
            people.get(side, "") if side else "",
            table.scores.get(side, "") if table and side else "",
            side is not None and side == match.winner and side not in lost,
        )
        for side in match.sides
    )
    return ShownMatch(
        (sides[0], sides[1]),
        table.number if table else None,
        table.decided if table else "",
        table is not None and bool(table.lost),
        table.url if table else "",
    )


def _scores(stage: Stage, language: str) -> dict[tuple[int, frozenset[int]], _Table]:
    """Map round and sides to the drawn table, with the games or the points of each."""
    official, gone, late = official_results(stage), gone_in_round(stage), gone_after_draw(stage)
    numbers = dict(stage.field.values_list("entrant_id", "entrant__number"))
    by_match = {}
    for table in tables_played(stage):
        at = {seat.position: numbers[seat.entrant_id] for seat in table.seats.all()}
        sheets = list(table.sheets.all())
        results = [official[sheet.pk] for sheet in sheets if sheet.pk in official]
        scores: dict[int, str] = {}
        for side, number in at.items():
            if not results:
                continue
            if len(sheets) > 1:
                scores[number] = str(sum(each.get("winner") == side for each in results))
            else:
                marks = results[0]["marks"].get(side, 0)
                scores[number] = format_number(marks, language)
        winner, lost = winner_of(table, official, gone), gone_from(table, gone)
        by_match[round_of(table).number, frozenset(at.values())] = _Table(
            table.number,
            scores,
            table.decided_reason if table.decided_for_id and len(lost) != 1 else "",
            numbers.get(winner) if winner else None,
            tuple(numbers[who] for who in (*lost, *gone_from(table, late))),
            reverse("desk-round-table", args=[stage.event.slug, round_of(table).pk, table.number]),
        )
    return by_match
