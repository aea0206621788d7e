"""Chain of an event's stages: the number of players in each, and the refusal of a stage that cannot be seated.

Checked when a stage is planned and when a cut is made, never first at the draw.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from django.db.models import Count, Q
from django.utils.functional import Promise
from django.utils.translation import get_language, gettext_lazy, ngettext
from django.utils.translation import gettext as _

from ledger.canonical import JsonObject
from ledger.errors import Conflict, Refused
from scoring.engine import rulebook as rulebooks
from scoring.engine.errors import EngineError
from scoring.engine.speech import explain
from tournament.drawing.chain import Link, Part, Seats, chain, link_of
from tournament.drawing.rules import read_rules
from tournament.models import EntrantState, Event, Round, Stage
from tournament.models.stages import TOOK_OVER
from tournament.pairing.filling import NOTHING_COUNTS, nothing_counts
from tournament.pairing.model import Odd
from tournament.queries.fields import expected
from tournament.ranking.cuts import Cut, Fill, TieAtCut

CUT_KEYS: Final = frozenset({"top", "half", "winners", "per_table", "fill", "tie", "whole"})
NOT_SEATED: Final = gettext_lazy(
    "%(stage)s cannot be seated: %(chain)s. After a cut nobody may win through a bye. What fits: %(fits)s. Or "
    "choose “Whole tables” at the cut before: the best others then fill the last table."
)
NOTHING_FITS: Final = gettext_lazy(
    "%(stage)s cannot be seated: %(chain)s. After a cut nobody may win through a bye. Let more qualify from the "
    "previous stage, or delete this stage."
)

TOO_SHORT: Final = gettext_lazy(
    "%(stage)s cannot be played: %(chain)s. Rounds planned: %(rounds)d; rounds of the movement for %(field)d: %(lasts)d. "
    "What fits: %(fits)s. Or plan fewer rounds, or an individual championship."
)
TOO_LONG: Final = gettext_lazy(
    "%(stage)s cannot be played: %(chain)s. Rounds planned: %(rounds)d; rounds of the movement for %(field)d: %(lasts)d. "
    "Plan fewer rounds, or an individual championship."
)


def read_cut(given: JsonObject, round_no: int | None = None, *, whole: int = 1) -> Cut:
    """Return a stage's cut in the form for the ranking package.

    ``{"top": n}``: the best n. ``{"half": true}``: half of those with a rank. ``{"winners": true}``
    or ``{"per_table": k}``: the best (k) of each table of the last round; with ``top`` too,
    ``fill`` decides whether these fill up to n (``up_to``, the default), qualify in addition
    (``beside``), or are the best n of those next at their tables (``seconds``). ``tie``: ``all_in``
    (the default), ``lots`` or ``play_off``. ``{"whole": true}``: so many that the tables of the
    next stage, of ``whole`` players, are full; tied players then draw lots (the default) or play
    off, since all of them would not fit.
    """
    unknown = set(given) - CUT_KEYS
    if unknown:
        raise Refused("unknown_cut", gettext_lazy("A cut has no such part."), field=min(unknown))
    full = given.get("whole", False)
    try:
        per_table = int(given.get("per_table") or (1 if given.get("winners") else 0))
        cut = Cut(
            top=int(given.get("top") or 0),
            per_table=per_table,
            round_no=round_no if per_table else None,
            fill=Fill(given.get("fill", Fill.UP_TO)),
            tie=TieAtCut(given.get("tie", TieAtCut.LOTS if full else TieAtCut.ALL_IN)),
            whole=whole if full else 1,
            half=bool(given.get("half")),
        )
    except (TypeError, ValueError) as error:
        raise Refused(
            "unknown_cut", gettext_lazy("This cut cannot be made."), field="cut"
        ) from error
    if cut.half and (cut.top or (cut.fill is Fill.BESIDE and cut.per_table)):
        raise Refused(
            "half_or_number",
            gettext_lazy("Choose half of the field or a number of places, not both."),
            field="half",
        )
    if cut.fill is Fill.SECONDS and not (cut.top and cut.per_table):
        raise Refused(
            "seconds_of_tables",
            gettext_lazy(
                "The best runners-up qualify beside the table winners: enter how many of each table and how many "
                "runners-up."
            ),
            field="fill",
        )
    if full and cut.tie is TieAtCut.ALL_IN:
        raise Refused(
            "whole_and_all_in",
            gettext_lazy("Whole tables have no room for everyone tied: choose lots or a play-off."),
            field="tie",
        )
    return cut


def seats_of(event: Event, stage: Stage) -> Seats:
    """Return the seating of a stage's field, by its format and the event's rulebook."""
    rules = read_rules(stage.drawing)
    rounds, format_ = stage.rounds_planned, stage.played_as
    if format_.least:
        return Seats(1, format_.least, rounds)
    if stage.in_pairs:
        return Seats(2, 2, rounds)
    game = rulebooks.resolve(event.rulebook, event.options)
    if game.in_pairs:
        odd = rules.fill if "odd" in format_.choices else Odd.BYES
        movement = rules.movement if "movement" in format_.choices else ""
        return Seats(4, 4, rounds, odd, movement=movement, threes_count=rules.threes_count)
    sizes = [size for size in game.book.players if 3 <= size <= 7]
    if len(sizes) == 1:
        return Seats(sizes[0], sizes[0], rounds)
    return Seats(1, 3, rounds, size=rules.table_size or game.players)


def cut_asked(event: Event, stage: Stage, following: Stage | None) -> Cut | None:
    """Return the stage's cut, with tables of the size of the next stage's; None without one."""
    if not stage.cut:
        return None
    return read_cut(stage.cut, 1, whole=whole_of(event, following))


def whole_of(event: Event, following: Stage | None) -> int:
    """Players at a table of the stage after a cut; 1 where any number can be seated."""
    return seats_of(event, following).unit if following is not None else 1


def following_of(stage: Stage) -> Stage | None:
    """Return the stage after this one."""
    return stage.event.stages.filter(order__gt=stage.order).order_by("order").first()


def links_of(
    event: Event, stages: Sequence[Stage] | None = None, entrants: int | None = None
) -> tuple[Link, ...]:
    """Return the chain of the event's stages (as given, or as saved) for a field of ``entrants``."""
    planned = list(event.stages.order_by("order")) if stages is None else list(stages)
    taken: dict[int, int] = {}
    if entrants is not None:
        places = Count("field", filter=~Q(field__origin__startswith=TOOK_OVER))
        counted = event.stages.filter(order__gt=1).annotate(players=places)
        taken = dict(counted.values_list("pk", "players"))
    parts = [
        Part(
            stage.title,
            seats_of(event, stage),
            cut_asked(event, stage, following),
            taken.get(stage.pk, 0),
        )
        for stage, following in zip(planned, [*planned[1:], None], strict=True)
    ]
    return chain(parts, entrants)


def places_in(stage: Stage) -> int:
    """Count the places of a stage; a place that changed hands is one."""
    return stage.field.exclude(origin__startswith=TOOK_OVER).count()


def entered(event: Event) -> int | None:
    """Count the players of the first stage who are present or expected; None when there are none."""
    there = Q(entrant__state=EntrantState.PRESENT) | Q(entrant__in=expected(event))
    first = event.stages.order_by("order").first()
    return first.field.filter(there).count() or None if first else None


def players_known(event: Event, stage: Stage) -> int | None:
    """Count the players of a stage, as far as known: entered in the first, qualified for a later one."""
    if stage.order == 1:
        return entered(event)
    return stage.field.count() or None if stage.pk else None


@dataclass(frozen=True, slots=True)
class ShownChain:
    """The chain of an event as its pages show it; ``problem`` is empty where all can be seated."""

    words: str
    problem: str


def shown_chain(event: Event) -> ShownChain | None:
    """Return the chain for those entered so far; None where there is no cut."""
    links = links_of(event, entrants=entered(event))
    if not any(link.decides for link in links):
        return None
    return ShownChain(in_words(links), why_not(links))


def in_words(links: Iterable[Link]) -> str:
    """Write the chain as “23 → 8 → 2 tables → 2 ✗”, to its first stage that cannot be seated."""
    parts: list[str] = []
    known = True
    for link in links:
        known = link.field is not None
        parts.append("?" if link.field is None else str(link.field))
        if not link.fits:
            parts[-1] += "\u00a0✗"
            return " → ".join(parts)
        if link.tables:
            parts.append(ngettext("%(n)d table", "%(n)d tables", link.tables) % {"n": link.tables})
    if known and parts:
        parts[-1] += "\u00a0✓"
    return " → ".join(parts)


def broken(links: Iterable[Link]) -> Link | None:
    """Return the first stage that cannot be seated."""
    return next((link for link in links if not link.fits), None)


def why_not(links: Sequence[Link]) -> str:
    """Why the chain cannot be played and what fits, in the reader's language; empty when it can."""
    link = broken(links)
    if link is None:
        return ""
    return str(_words(link)) % _facts(links, link)


def _words(link: Link) -> Promise:
    if link.lasts is not None:
        return TOO_SHORT if link.nearest else TOO_LONG
    return NOT_SEATED if link.nearest else NOTHING_FITS


def _facts(links: Sequence[Link], link: Link) -> dict[str, object]:
    fits = _(" or ").join(map(str, link.nearest))
    return {
        "stage": link.name,
        "chain": in_words(links),
        "fits": fits,
        "field": link.field,
        "rounds": link.rounds,
        "lasts": link.lasts,
    }


def require_seatable(
    event: Event, stages: Sequence[Stage] | None = None, *, field: str = "top"
) -> None:
    """Refuse stages that no field could be seated in; :class:`Refused` names what fits."""
    try:
        links = links_of(event, stages)
    except EngineError as error:
        raise Refused(error.code, explain(error, get_language() or "en"), field=field) from error
    link = broken(links)
    if link is not None:
        raise Refused(
            "not_seated",
            _words(link),
            field=field,
            params=_facts(links, link),
        )


def require_game(seats: Seats, count: int, *, field: str = "") -> None:
    """Refuse tables of three alone, at which no game counts (:class:`Conflict` ``nothing_counts``)."""
    if seats.unit == 4 and not seats.threes_count and nothing_counts(count, seats.odd):
        why = NOTHING_COUNTS.format(count=count).render(get_language() or "en")
        raise Conflict("nothing_counts", why, field=field)


def decides(stage: Stage) -> bool:
    """Whether a stage before this one has a cut."""
    return any(stage.event.stages.filter(order__lt=stage.order).values_list("cut", flat=True))


def require_field(stage: Stage, count: int, most: int | None = None) -> None:
    """Refuse ``count`` players for a stage after a cut that cannot seat them all.

    Raises:
        Conflict: ``not_seated``, with the numbers of at most ``most`` that fit.
    """
    seats = seats_of(stage.event, stage)
    if not decides(stage) or seats.fits(count):
        return
    link = link_of(stage.title, seats, count, most, None)
    raise Conflict("not_seated", _words(link), params=_facts((link,), link))


def require_round(drawn_round: Round, count: int) -> None:
    """Refuse to draw a round after a cut in which some of the ``count`` players have a bye.

    Raises:
        Conflict: ``not_seated``; in a later round, after withdrawals, with the ways out.
            ``nothing_counts`` where all would sit at tables of three.
    """
    stage = drawn_round.stage
    if drawn_round.number == 1:
        require_field(stage, count)
    seats = seats_of(stage.event, stage)
    require_game(seats, count)
    if drawn_round.number == 1:
        return
    if decides(stage) and not seats.fits(count):
        idle = seats.idle(count)
        raise Conflict(
            "not_seated",
            ngettext(
                "%(count)d player would have a bye in round %(round)d of %(stage)s. After a cut nobody may win "
                "through a bye. Replace the player who left by the first reserve (Requests, players to keep "
                "apart, replacements), or end the stage with round %(last)d (Stages and formats).",
                "%(count)d players would have a bye in round %(round)d of %(stage)s. After a cut nobody may win "
                "through a bye. Replace the player who left by the first reserve (Requests, players to keep "
                "apart, replacements), or end the stage with round %(last)d (Stages and formats).",
                idle,
            ),
            params={
                "stage": stage.title,
                "round": drawn_round.number,
                "count": idle,
                "last": drawn_round.number - 1,
            },
        )
