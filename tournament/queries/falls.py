"""Consequences of an act: everything that depends on the sittings or the entrant concerned.

A measure belongs to a sitting and falls with it; conduct belongs to a person and stays. Each act
shows this list for confirmation, and its log entry names the items that fell.
"""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from ledger.canonical import canonical_json
from tournament.models import (
    Adjustment,
    Ban,
    Bye,
    Draw,
    DrawState,
    Entrant,
    EntrantState,
    Event,
    MailConsent,
    Notice,
    NoticeKind,
    NoticeState,
    PrintedDocument,
    PushSubscription,
    Round,
    RoundState,
    Seat,
    Stage,
    StandingsState,
    round_of,
)
from tournament.models.tables import (
    DealVersion,
    RefereeCall,
    Series,
    Sheet,
    SheetState,
    Signature,
    Table,
)
from tournament.queries.brackets import stage_and_round
from tournament.queries.fields import is_made_from
from tournament.queries.pages import state_of
from tournament.queries.rounds import tables_waiting
from tournament.queries.stage_rule import rule_of
from tournament.ranking.model import Withdrawal
from tournament.signals import answers, hangings_requested

DRAWN_PAPERS: Final = ("draw-by-table", "draw-by-name", "round", "slips")
"""Documents that show who sits where in one round."""
A_FEW: Final = 12


class Act(StrEnum):
    """Act that is confirmed before it happens."""

    UNPUBLISH = "unpublish"
    DISCARD = "discard"
    EXCHANGE = "exchange"
    REOPEN = "reopen"
    REPLAY = "replay"
    CORRECT = "correct"
    WITHDRAW = "withdraw"
    REPLACE = "replace"
    MERGE = "merge"
    REMOVE = "remove"
    DECIDE = "decide"
    UNDECIDE = "undecide"
    REOPEN_SHEET = "reopen_sheet"

    @property
    def label(self) -> str:
        """Name of the act in the reader's language, as on its button."""
        return {
            Act.UNPUBLISH: _("Unpublish the draw"),
            Act.DISCARD: _("Discard the draft"),
            Act.EXCHANGE: _("Swap two players"),
            Act.REOPEN: _("Reopen the round"),
            Act.REPLAY: _("Play the game again"),
            Act.CORRECT: _("Correct a deal"),
            Act.WITHDRAW: _("Player withdrawn"),
            Act.REPLACE: _("Replace a player"),
            Act.MERGE: _("Registered twice"),
            Act.REMOVE: _("Remove the player"),
            Act.DECIDE: _("Decide the match"),
            Act.UNDECIDE: _("Take the decision back"),
            Act.REOPEN_SHEET: _("Reopen the sheet"),
        }[self]


class Fate(StrEnum):
    """Effect of an act on something that depends on a sitting."""

    STOPS = "stops"
    """It prevents the act."""
    FALLS = "falls"
    ASKS = "asks"
    """It stays as it is, and asks for a look: it was made from what changes."""
    STAYS = "stays"

    @property
    def label(self) -> str:
        """The fate in the reader's language."""
        return {
            Fate.STOPS: _("prevents it"),
            Fate.FALLS: _("falls"),
            Fate.ASKS: _("look at it"),
            Fate.STAYS: _("stays"),
        }[self]

    @property
    def chip(self) -> str:
        """The state's code as chips know it."""
        return {
            Fate.STOPS: "disputed",
            Fate.FALLS: "late",
            Fate.ASKS: "waiting",
            Fate.STAYS: "signed",
        }[self]


@dataclass(frozen=True, slots=True)
class Hanging:
    """One line: the dependent item, its fate, the consequence (``then``), and its address.

    ``code`` names its kind in the log, with its ``numbers`` (tables, rulings) or else how many there are.
    """

    code: str
    fate: Fate
    text: str
    then: str = ""
    url: str = ""
    numbers: tuple[int, ...] = ()
    count: int = 0

    @property
    def is_folded(self) -> bool:
        """Whether the line waits behind a fold: it stays as it is, and asks for nothing."""
        return self.fate is Fate.STAYS


@dataclass(frozen=True, slots=True)
class Concerned:
    """Subject of an act: tables (their keys and numbers) of a round, or entrants.

    ``entrants``: players who leave, are merged or change seats.
    """

    act: Act
    event: Event
    round: Round | None = None
    tables: Mapping[uuid.UUID, int] = field(default_factory=dict)
    entrants: Mapping[int, int] = field(default_factory=dict)
    """Key and start number."""
    draw: Draw | None = None
    """The draft, where one is discarded."""
    into: Entrant | None = None
    """The entrant who stays, in a merger."""
    sheet: Sheet | None = None
    """The sheet of the game, where one is played again."""

    @property
    def of_round(self) -> Round:
        """The round; that of an act on one."""
        if self.round is None:
            raise LookupError(f"{self.act} is not about a round")
        return self.round

    def at(self, tables: Iterable[uuid.UUID]) -> tuple[int, ...]:
        """Return the numbers of these tables, each once and in order."""
        return tuple(sorted({self.tables[table] for table in tables}))


def what_falls(concerned: Concerned) -> list[Hanging]:
    """Return everything that depends on an act's subject: obstacles, falling items, staying items.

    As many queries for two hundred tables as for one.
    """
    lines = [each for read in READ for each in read(concerned)]
    for more in answers(hangings_requested, concerned=concerned):
        lines += more
    order = list(Fate)
    return sorted(lines, key=lambda line: order.index(line.fate))


def moment_of(concerned: Concerned) -> str:
    """Return the hash of the facts on which the page of an act is built: equal while nothing has changed."""
    round_ = concerned.round
    sheets = Sheet.objects.filter(table__in=concerned.tables).order_by("pk")
    tables = Table.objects.filter(pk__in=concerned.tables).order_by("pk")
    entrants = Entrant.objects.filter(pk__in=concerned.entrants).order_by("pk")
    facts = [
        [[each.code, each.fate, list(each.numbers), each.count] for each in what_falls(concerned)],
        "" if round_ is None else round_.state,
        [[str(pk), *rest] for pk, *rest in sheets.values_list("pk", "version", "state")],
        [[str(pk), for_] for pk, for_ in tables.values_list("pk", "decided_for")],
        [list(row) for row in entrants.values_list("pk", "state")],
    ]
    return hashlib.sha256(canonical_json(facts).encode()).hexdigest()


def is_prevented(lines: Iterable[Hanging]) -> bool:
    """Whether something prevents the act."""
    return any(line.fate is Fate.STOPS for line in lines)


def fallen(lines: Iterable[Hanging]) -> dict[str, list[int] | int]:
    """Return the falling items by kind for the log: numbers of tables or rulings, or a count."""
    named: dict[str, list[int] | int] = {}
    for line in lines:
        if line.fate is Fate.FALLS:
            known = named.get(line.code, [])
            if line.numbers:
                named[line.code] = [*(known if isinstance(known, list) else []), *line.numbers]
            else:
                named[line.code] = line.count
    return named


KINDS: Final = {
    "adjusted": gettext_lazy("Points adjusted"),
    "badge": gettext_lazy("Badge"),
    "bans": gettext_lazy("Players kept apart"),
    "both_drawn": gettext_lazy("Draws"),
    "byes": gettext_lazy("Byes"),
    "calls": gettext_lazy("Calls"),
    "closed": gettext_lazy("Rounds"),
    "clock": gettext_lazy("Clock of the round"),
    "confirmations": gettext_lazy("Decisions waiting for a second person"),
    "credits": gettext_lazy("Credited games"),
    "deals": gettext_lazy("Deals"),
    "decisions": gettext_lazy("Decisions on matches"),
    "draws": gettext_lazy("Draws"),
    "edits": gettext_lazy("Changes by hand"),
    "extra_time": gettext_lazy("Extra time"),
    "forfeits": gettext_lazy("Forfeits"),
    "incidents": gettext_lazy("Incidents"),
    "notices": gettext_lazy("Notices not yet sent"),
    "papers": gettext_lazy("Documents"),
    "results": gettext_lazy("Results"),
    "rounds": gettext_lazy("Rounds"),
    "rulings": gettext_lazy("Rulings"),
    "schedule": gettext_lazy("Publication at a set time"),
    "seats": gettext_lazy("Seats"),
    "standings": gettext_lazy("Standings"),
    "state": gettext_lazy("State"),
    "tables": gettext_lazy("Tables"),
}
"""Kinds of dependent items in the log (:func:`fallen`)."""


def fallen_in_words(falls: Mapping[str, list[int] | int]) -> list[str]:
    """Return the items of :func:`fallen` as the log shows them: a kind with its numbers or its count."""
    return [
        f"{KINDS.get(code, code)}{_(':')} "
        + (", ".join(map(str, which)) if isinstance(which, list) else str(which))
        for code, which in falls.items()
    ]


def of_round(act: Act, round_: Round) -> Concerned:
    """Describe an act on all tables of a round."""
    tables = dict(round_.tables.values_list("pk", "number"))
    return Concerned(act, round_.stage.event, round_, tables)


def of_sheet(sheet: Sheet, act: Act = Act.REPLAY) -> Concerned:
    """Describe the replay of a game of a round, or the correction of a deal of it."""
    table = sheet.table
    if table.round is None:
        raise LookupError("a table outside an event has no round")
    event = table.round.stage.event
    return Concerned(act, event, table.round, {table.pk: table.number}, sheet=sheet)


def of_table(act: Act, table: Table) -> Concerned:
    """Describe an act on the match of a table of a round."""
    round_ = round_of(table)
    return Concerned(act, round_.stage.event, round_, {table.pk: table.number})


def rulings_at(round_: Round, table: int) -> list[int]:
    """Return the numbers of the rulings in force at a table of a round."""
    tables = dict(round_.tables.filter(number=table).values_list("pk", "number"))
    concerned = Concerned(Act.REPLAY, round_.stage.event, round_, tables)
    lines = [line for more in answers(hangings_requested, concerned=concerned) for line in more]
    return sorted({n for line in lines if line.code == "rulings" for n in line.numbers})


def of_draft(draft: Draw) -> Concerned:
    """Describe the discarding of a draft."""
    return Concerned(Act.DISCARD, draft.round.stage.event, draft.round, draw=draft)


def of_exchange(round_: Round, entrants: Iterable[int]) -> Concerned:
    """Describe an exchange of these entrants (by key), at their tables."""
    keys = list(entrants)
    seats = Seat.objects.filter(round=round_, entrant__in=keys)
    tables = dict(seats.values_list("table_id", "table__number"))
    numbers = dict(round_.stage.event.entrants.filter(pk__in=keys).values_list("pk", "number"))
    return Concerned(Act.EXCHANGE, round_.stage.event, round_, tables, numbers)


def of_entrant(act: Act, entrant: Entrant, into: Entrant | None = None) -> Concerned:
    """Describe an act on one entrant: withdrawn, replaced, merged ``into`` another or removed."""
    return Concerned(act, entrant.event, entrants={entrant.pk: entrant.number}, into=into)


OF_RESULTS: Final = (
    *(Act.REOPEN, Act.REPLAY, Act.CORRECT),
    *(Act.DECIDE, Act.UNDECIDE, Act.REOPEN_SHEET),
)
"""The acts that change results, or let them be changed."""
OF_ENTRANTS: Final = (Act.WITHDRAW, Act.REPLACE, Act.MERGE, Act.REMOVE)
"""The acts on one entrant."""


def tables_text(numbers: Iterable[int]) -> str:
    """Some tables in words: “table 3”, “tables 1, 4, 12”, the first dozen of many."""
    listed = list(numbers)
    return ngettext("table %(tables)s", "tables %(tables)s", len(listed)) % {
        "tables": ", ".join(map(str, listed[:A_FEW])) + ("…" if len(listed) > A_FEW else "")
    }


def _room(concerned: Concerned, numbers: tuple[int, ...] = ()) -> str:
    """Return the address of these tables: the page of a single one, or the hall of the round."""
    slug, round_ = concerned.event.slug, concerned.of_round.pk
    if len(numbers) == 1:
        return reverse("desk-round-table", args=[slug, round_, numbers[0]])
    return reverse("desk-round-room", args=[slug, round_])


def _at_tables(
    concerned: Concerned,
    code: str,
    rows: QuerySet[Table] | QuerySet[Sheet] | QuerySet[DealVersion] | QuerySet[RefereeCall],
    table: str,
    words: Callable[[int, str], str],
    fates: Mapping[Act, tuple[Fate, str]],
) -> list[Hanging]:
    """Return one line for rows at tables (``table``: their column of it); ``words`` count and place them."""
    if concerned.act not in fates or not concerned.tables:
        return []
    at = list(rows.order_by().values_list(table, flat=True))
    if not at:
        return []
    fate, then = fates[concerned.act]
    numbers = concerned.at(at)
    text = words(len(at), tables_text(numbers))
    return [Hanging(code, fate, text, then, _room(concerned, numbers), numbers, len(at))]


def _seats(concerned: Concerned) -> list[Hanging]:
    if concerned.act is not Act.UNPUBLISH:
        return []
    count = len(concerned.tables)
    text = ngettext(
        "%(count)d table with its seats, its link and its empty score sheets",
        "%(count)d tables with their seats, their links and their empty score sheets",
        count,
    ) % {"count": count}
    then = _("The draw is a draft again; its next publication makes new ones.")
    return [Hanging("tables", Fate.FALLS, text, then, _room(concerned), count=count)]


def _byes(concerned: Concerned) -> list[Hanging]:
    if concerned.act is not Act.UNPUBLISH:
        return []
    count = Bye.objects.filter(round=concerned.round).count()
    text = ngettext("%(count)d bye", "%(count)d byes", count) % {"count": count}
    then = _("They have no points for it any more.")
    return [Hanging("byes", Fate.FALLS, text, then, count=count)] if count else []


def _deals(concerned: Concerned) -> list[Hanging]:
    rows = DealVersion.objects.filter(sheet__table__in=concerned.tables, current=True)

    def words(count: int, tables: str) -> str:
        return ngettext(
            "%(count)d recorded deal (%(tables)s)",
            "%(count)d recorded deals (%(tables)s)",
            count,
        ) % {"count": count, "tables": tables}

    fates = {
        Act.UNPUBLISH: (
            Fate.STOPS,
            _("Move single players instead, or correct those sheets."),
        ),
        Act.EXCHANGE: (
            Fate.STAYS,
            _("With the seat: it counts for the player who sits there then."),
        ),
        Act.REOPEN: (Fate.STAYS, _("The tables can correct them again.")),
        Act.REPLAY: (Fate.FALLS, _("They are annulled and stay readable on the sheet.")),
        Act.REOPEN_SHEET: (Fate.STAYS, _("The tables can correct them again.")),
        Act.DECIDE: (Fate.STAYS, _("The score stays; the decision says who has won.")),
        Act.UNDECIDE: (Fate.STAYS, _("The score says again who has won.")),
    }
    of_all = rows if concerned.act is Act.UNPUBLISH else rows.filter(series=Series.OFFICIAL)
    if concerned.sheet is not None:
        of_all = of_all.filter(sheet=concerned.sheet)
    return _at_tables(concerned, "deals", of_all, "sheet__table_id", words, fates)


def _games(concerned: Concerned) -> list[Hanging]:
    """Return the games with a result, and the number of their standing signatures."""
    rows = Sheet.objects.filter(
        table__in=concerned.tables, state__in=(SheetState.OFFICIAL, SheetState.VOID)
    )
    standing = Signature.objects.filter(sheet__table__in=concerned.tables, standing=True)
    if concerned.sheet is not None:
        rows, standing = rows.filter(pk=concerned.sheet.pk), standing.filter(sheet=concerned.sheet)
    signatures = standing.count()

    def words(count: int, tables: str) -> str:
        text = ngettext(
            "%(count)d game with a result (%(tables)s)",
            "%(count)d games with a result (%(tables)s)",
            count,
        ) % {"count": count, "tables": tables}
        signed = ngettext("%(count)d signature", "%(count)d signatures", signatures)
        return f"{text}, {signed % {'count': signatures}}" if signatures else text

    fates = {
        Act.UNPUBLISH: (Fate.STOPS, _("Move single players instead, or correct those sheets.")),
        Act.EXCHANGE: (
            Fate.STAYS,
            _("With the seat: it counts for the player who sits there then."),
        ),
        Act.REOPEN: (Fate.STAYS, _("The results count on while the round is open.")),
        Act.REPLAY: (Fate.FALLS, _("The game has no result until it is signed again.")),
        Act.REOPEN_SHEET: (Fate.FALLS, _("The game has no result until it is signed again.")),
        Act.DECIDE: (Fate.ASKS, _("The score stays; the decision says who has won.")),
        Act.UNDECIDE: (Fate.ASKS, _("The score says again who has won.")),
        Act.CORRECT: (Fate.FALLS, _("The corrected result counts at once, without signatures.")),
    }
    return _at_tables(concerned, "results", rows, "table_id", words, fates)


def _decisions(concerned: Concerned) -> list[Hanging]:
    rows = Table.objects.filter(pk__in=concerned.tables, decided_for__isnull=False)

    def words(count: int, tables: str) -> str:
        return ngettext(
            "Decision on a match (%(tables)s)",
            "Decisions on matches (%(tables)s)",
            count,
        ) % {"tables": tables}

    fates = {
        Act.UNPUBLISH: (Fate.FALLS, _("The next draw plays its matches.")),
        Act.EXCHANGE: (Fate.STOPS, _("Take the decision back first.")),
        Act.REPLAY: (Fate.STOPS, _("Take the decision back first.")),
        Act.REOPEN: (Fate.STAYS, ""),
        Act.DECIDE: (Fate.FALLS, _("The new decision replaces it.")),
        Act.UNDECIDE: (Fate.FALLS, _("The games of the match count again.")),
    }
    return _at_tables(concerned, "decisions", rows, "pk", words, fates)


def _adjusted(concerned: Concerned) -> list[Hanging]:
    """Points adjusted in the round for those who change seats: a measure belongs to the sitting."""
    if concerned.act is not Act.EXCHANGE:
        return []
    rows = standing_adjustments(concerned.of_round.pk, concerned.entrants)
    numbers = tuple(
        sorted({concerned.entrants[pk] for pk in rows.values_list("entrant", flat=True)})
    )
    text = _("Points of number %(numbers)s were adjusted in this round.") % {
        "numbers": ", ".join(map(str, numbers))
    }
    then = _("Annul that ruling first.")
    url = reverse("referee-desk", args=[concerned.event.slug])
    return [Hanging("adjusted", Fate.STOPS, text, then, url, numbers)] if numbers else []


ALONE: Final = Q(disqualified=True, forfeited=False, marks=0, games_won=0, match_points=0)
"""A disqualification without anything else: it is of the person, not of the sitting."""


def standing_adjustments(round_id: uuid.UUID, entrants: Iterable[int]) -> QuerySet[Adjustment]:
    """Return adjustments of these entrants (by key) in a round; a mere disqualification is of the person."""
    return Adjustment.objects.filter(
        round=round_id, entrant__in=list(entrants), annulled_at__isnull=True
    ).exclude(ALONE)


def _clock(concerned: Concerned) -> list[Hanging]:
    if concerned.act is not Act.UNPUBLISH:
        return []
    lines = []
    if concerned.of_round.started_at is not None:
        then = _("It is started again with the next draw.")
        lines.append(Hanging("clock", Fate.FALLS, _("Clock of the round"), then, count=1))
    rows = Table.objects.filter(pk__in=concerned.tables, extra_minutes__gt=0)

    def words(_count: int, tables: str) -> str:
        return _("Extra time (%(tables)s)") % {"tables": tables}

    return lines + _at_tables(
        concerned, "extra_time", rows, "pk", words, {Act.UNPUBLISH: (Fate.FALLS, "")}
    )


def _calls(concerned: Concerned) -> list[Hanging]:
    rows = RefereeCall.objects.filter(table__in=concerned.tables)

    def words(count: int, tables: str) -> str:
        return ngettext(
            "%(count)d call for the referee (%(tables)s)",
            "%(count)d calls for the referee (%(tables)s)",
            count,
        ) % {"count": count, "tables": tables}

    then = _("An open call stays on the referees’ list.")
    fates = dict.fromkeys((Act.UNPUBLISH, Act.EXCHANGE, Act.REOPEN), (Fate.STAYS, then))
    return _at_tables(concerned, "calls", rows, "table_id", words, fates)


def _notices(concerned: Concerned) -> list[Hanging]:
    """List the notices of the draw, sent and waiting."""
    if concerned.act not in (Act.UNPUBLISH, Act.EXCHANGE):
        return []
    rows = Notice.objects.filter(
        event=concerned.event, kind=NoticeKind.DRAW, subject=concerned.of_round.pk
    )
    if concerned.act is Act.EXCHANGE:
        moved = concerned.entrants
        rows = rows.filter(Q(subscription__entrant__in=moved) | Q(consent__entrant__in=moved))
    counts = dict(rows.order_by().values_list("state").annotate(count=Count("pk")))
    lines = []
    if sent := counts.get(NoticeState.SENT, 0):
        text = ngettext(
            "%(count)d notice sent: the draw is out",
            "%(count)d notices sent: the draw is out",
            sent,
        )
        then = (
            _("They cannot be called back; the next draw is told again.")
            if concerned.act is Act.UNPUBLISH
            else _("They name the former seat: tell these players.")
        )
        lines.append(Hanging("notices", Fate.STAYS, text % {"count": sent}, then, count=sent))
    if (waiting := counts.get(NoticeState.WAITING, 0)) and concerned.act is Act.UNPUBLISH:
        text = ngettext("%(count)d notice not yet sent", "%(count)d notices not yet sent", waiting)
        lines.append(Hanging("notices", Fate.FALLS, text % {"count": waiting}, count=waiting))
    return lines


def _papers(concerned: Concerned) -> list[Hanging]:
    """Documents made since the draw was published that show its seats."""
    if concerned.act not in (Act.UNPUBLISH, Act.EXCHANGE):
        return []
    round_ = concerned.of_round
    if round_.published_at is None:
        return []
    documents = PrintedDocument.objects.filter(
        event=concerned.event, kind__in=DRAWN_PAPERS, made_at__gte=round_.published_at
    )
    of_others = Q(parameters__has_key="round") & ~Q(parameters__round=str(round_.pk))
    count = documents.exclude(of_others).count()
    text = ngettext(
        "%(count)d document made of this draw", "%(count)d documents made of this draw", count
    )
    then = (
        _("The links on its slips no longer work: print again after the next draw.")
        if concerned.act is Act.UNPUBLISH
        else _("It shows the former seats: print again. The links on the slips still work.")
    )
    url = reverse("desk-documents", args=[concerned.event.slug])
    return (
        [Hanging("papers", Fate.FALLS, text % {"count": count}, then, url, count=count)]
        if count
        else []
    )


def _draft(concerned: Concerned) -> list[Hanging]:
    """List the parts of a draft beyond the draw itself: its scheduled publication, changes by hand."""
    draw = concerned.draw
    if concerned.act is not Act.DISCARD or draw is None:
        return []
    round_, lines = concerned.of_round, []
    if round_.publish_draw_id == draw.pk and round_.publish_at is not None:
        text = _("Automatic publication")
        then = _("No draw is published then: schedule another.")
        lines.append(Hanging("schedule", Fate.FALLS, text, then, count=1))
    if count := len(draw.edits):
        text = ngettext("%(count)d change by hand", "%(count)d changes by hand", count)
        then = _("The discarded draw stays readable with them.")
        url = reverse("desk-draw", args=[concerned.event.slug, draw.pk])
        lines.append(
            Hanging(
                "edits", Fate.FALLS, text % {"count": count}, then, f"{url}#by-hand", count=count
            )
        )
    return lines


def _credits(concerned: Concerned) -> list[Hanging]:
    """List the credits of a closed round for games that a forfeit prevented."""
    if concerned.act is not Act.REOPEN or concerned.of_round.stage.played_as.bracket:
        return []
    round_ = concerned.of_round
    numbers = tuple(tables_waiting(round_)[1])
    text = _("Credit for games that a forfeit kept from being played (%(tables)s)")
    then = _("It comes back when the round is closed again without them.")
    line = Hanging(
        "credits",
        Fate.FALLS,
        text % {"tables": tables_text(numbers)},
        then,
        _room(concerned, numbers),
        numbers,
    )
    return [line] if numbers else []


def _later(concerned: Concerned) -> list[Hanging]:
    """List what depends on the results of a round: later draws, firm standings."""
    if concerned.act not in OF_RESULTS:
        return []
    round_, slug = concerned.of_round, concerned.event.slug
    lines = []
    if concerned.act is Act.REPLAY and round_.state == RoundState.CLOSED:
        text, then = _("The round is closed."), _("Reopen the round first.")
        url = reverse("desk-round", args=[slug, round_.pk, Act.REOPEN])
        lines.append(Hanging("closed", Fate.STOPS, text, then, url, count=1))
    since = Draw.objects.filter(
        Q(round__stage=round_.stage_id, round__number__gt=round_.number)
        | Q(round__stage__event=concerned.event, round__stage__order__gt=round_.stage.order),
        state__in=(DrawState.PUBLISHED, DrawState.CANDIDATE),
    )
    ordered = since.order_by("round__stage__order", "round__number", "number")
    lines += [
        made_from_results(draw)
        for draw in ordered.select_related("round__stage__event")
        if is_made_from(draw, round_.stage)
    ]
    state = state_of(round_.stage)
    if state != StandingsState.PROVISIONAL:
        text = _("Standings: %(state)s") % {"state": StandingsState(state).label}
        then = _("Nothing changes them before they are provisional again.")
        url = reverse("event-standings-stage", args=[slug, round_.stage.order])
        lines.append(Hanging("standings", Fate.ASKS, text, then, url, count=1))
    return lines


def made_from_results(draw: Draw) -> Hanging:
    """Return the line of a draw made from results that an act may change."""
    if draw.state == DrawState.PUBLISHED:
        text = _("Published draw: %(round)s")
        then = _(
            "It was made from the results as they were: keep it, or unpublish it and draw again."
        )
    else:
        text = _("Draft draw: %(round)s")
        then = _(
            "It was made from the results as they were: its page then asks whether to draw again."
        )
    url = reverse("desk-draw", args=[draw.round.stage.event.slug, draw.pk])
    text %= {"round": stage_and_round(draw.round)}
    return Hanging("draws", Fate.ASKS, text, then, url, count=1)


def _open_seats(concerned: Concerned) -> list[Hanging]:
    """List the leaving player's seat in each open round."""
    if concerned.act not in (Act.WITHDRAW, Act.REPLACE):
        return []
    lines = []
    measures = Adjustment.objects.filter(
        round=OuterRef("round"), entrant=OuterRef("entrant"), annulled_at__isnull=True
    ).exclude(ALONE)
    for seat in (
        Seat.objects.filter(
            entrant__in=concerned.entrants,
            round__state__in=(RoundState.PUBLISHED, RoundState.PLAYING),
        )
        .select_related("round__stage__event", "table")
        .annotate(ruled=Exists(measures), written=Exists(standing_records(OuterRef("table"))))
        .order_by("round__stage__order", "round__number")
    ):
        fate, then = Fate.STAYS, _("The table waits for another player, or a forfeit.")
        if seat.written or seat.table.decided_for_id is not None:
            then = _("Something stands there already: it counts for who played it.")
        elif concerned.act is Act.REPLACE and seat.ruled:
            then = _(
                "A measure stands against it: annul that first if the newcomer is to sit there."
            )
        elif concerned.act is Act.REPLACE:
            fate, then = Fate.FALLS, _("The newcomer sits there.")
        elif seat.round.stage.played_as.bracket:
            then = _(
                "The table waits for another player, or a forfeit; or unpublish the draw and draw again."
            )
        text = _("Seat at table %(table)d, %(round)s") % {
            "table": seat.table.number,
            "round": stage_and_round(seat.round),
        }
        url = reverse(
            "desk-round-table", args=[concerned.event.slug, seat.round_id, seat.table.number]
        )
        lines.append(Hanging("seats", fate, text, then, url, (seat.table.number,)))
    return lines


def standing_records(table: OuterRef | uuid.UUID) -> QuerySet[Sheet]:
    """Return the sheets of a table with any record, except games annulled and not yet begun anew."""
    since = DealVersion.objects.filter(sheet=OuterRef("pk"), current=True, annulled=False)
    begins_anew = Q(state=SheetState.OPEN, reopened__anew=True) & ~Exists(since)
    return (
        Sheet.objects.filter(table=table)
        .filter(Q(deals__isnull=False) | Q(results__isnull=False) | ~Q(state=SheetState.OPEN))
        .exclude(begins_anew)
    )


def _drawn(concerned: Concerned) -> list[Hanging]:
    """List the draws that name an entrant: drafts, and for a removal or merger the published ones."""
    if concerned.act not in OF_ENTRANTS:
        return []
    numbers = set(concerned.entrants.values())
    numbers |= {concerned.into.number} if concerned.into else set()
    drafts = [
        draw
        for draw in Draw.objects.filter(
            round__stage__event=concerned.event, state=DrawState.CANDIDATE
        )
        .select_related("round__stage__event")
        .order_by("round__stage__order", "round__number", "number")
        if numbers & {who["id"] for who in draw.request.get("contestants", ())}
    ]
    fate, then = {
        Act.WITHDRAW: (Fate.STAYS, _("It seats them: its page offers to draw again.")),
        Act.REPLACE: (Fate.STAYS, _("With the newcomer in their place.")),
    }.get(concerned.act, (Fate.STOPS, _("Discard that draft first.")))
    return [
        Hanging(
            "draws",
            fate,
            _("Draft draw: %(round)s") % {"round": stage_and_round(draw.round)},
            then,
            reverse("desk-draw", args=[concerned.event.slug, draw.pk]),
            count=1,
        )
        for draw in drafts
    ]


def _both_drawn(concerned: Concerned) -> list[Hanging]:
    """List the published rounds in which both of a merger are drawn."""
    if concerned.act is not Act.MERGE or concerned.into is None:
        return []
    rounds = Round.objects.filter(stage__event=concerned.event, published_at__isnull=False)
    for who in (*concerned.entrants, concerned.into.pk):
        rounds = rounds.filter(Q(seats__entrant=who) | Q(byes__entrant=who))
    return [
        Hanging(
            "both_drawn",
            Fate.STOPS,
            _("Both numbers are drawn: %(round)s") % {"round": stage_and_round(round_)},
            _("If both have played, they are two players."),
            reverse("desk-round-room", args=[concerned.event.slug, round_.pk]),
            count=1,
        )
        for round_ in rounds.select_related("stage__event")
        .distinct()
        .order_by("stage__order", "number")
    ]


def _played(concerned: Concerned) -> list[Hanging]:
    """List the results of an entrant in finished rounds."""
    if concerned.act not in OF_ENTRANTS:
        return []
    seats = Seat.objects.filter(entrant__in=concerned.entrants).exclude(
        round__state=RoundState.DRAWN
    )
    if concerned.act in (Act.WITHDRAW, Act.REPLACE):
        seats = seats.filter(round__state=RoundState.CLOSED)
    stages = list(
        Stage.objects.filter(rounds__seats__in=seats)
        .annotate(count=Count("rounds__seats", filter=Q(rounds__seats__in=seats)))
        .select_related("event")
        .order_by("order")
    )
    lines = []
    (number,) = concerned.entrants.values()
    for stage in stages:
        fate, then = Fate.STAYS, ""
        if concerned.act is Act.WITHDRAW:
            fate, then = _of_withdrawn(rule_of(stage).withdrawn)
        elif concerned.act is Act.REPLACE:
            then = _("With the place, or with the player who leaves: you choose.")
        elif concerned.act is Act.MERGE:
            then = _("They pass to the number that stays.")
        else:
            fate, then = Fate.STOPS, _("Record a withdrawal instead.")
        text = ngettext(
            "%(count)d round played or published: %(stage)s",
            "%(count)d rounds played or published: %(stage)s",
            stage.count,
        ) % {"count": stage.count, "stage": stage.title}
        url = reverse("desk-player-games", args=[concerned.event.slug, number])
        lines.append(Hanging("rounds", fate, text, then, url, count=stage.count))
        if concerned.act is Act.WITHDRAW and fate is Fate.FALLS:
            lines += _made_since(stage)
    return lines


def _made_since(stage: Stage) -> list[Hanging]:
    """List the draws of a knock-out after its pools, and of later stages, whose first round is not closed."""
    drawn = (
        Draw.objects.filter(
            Q(round__stage=stage)
            | Q(round__stage__event=stage.event_id) & Q(round__stage__order__gt=stage.order),
            state=DrawState.PUBLISHED,
        )
        .exclude(round__state=RoundState.CLOSED)
        .select_related("round__stage__event")
        .order_by("round__stage__order", "round__number")
    )
    return [made_from_results(draw) for draw in drawn if is_made_from(draw, stage)]


def _of_withdrawn(rule: Withdrawal) -> tuple[Fate, str]:
    """Return the effect of a withdrawal on the player's results, by the ranking rule."""
    if rule is Withdrawal.STRUCK:
        return Fate.FALLS, _("Their games no longer count, for anybody.")
    if rule is Withdrawal.KEPT:
        return Fate.STAYS, _("They keep their rank; a cut passes over them.")
    return Fate.STAYS, _("They count for the others; the player has no rank.")


def _measures(concerned: Concerned) -> list[Hanging]:
    """Points adjusted for an entrant anywhere."""
    if concerned.act not in OF_ENTRANTS:
        return []
    count = Adjustment.objects.filter(
        entrant__in=concerned.entrants, annulled_at__isnull=True
    ).count()
    if concerned.act in (Act.MERGE, Act.REMOVE):
        count = Adjustment.objects.filter(entrant__in=concerned.entrants).count()
    text = ngettext(
        "%(count)d adjustment of points, forfeit or exclusion",
        "%(count)d adjustments of points, forfeits or exclusions",
        count,
    ) % {"count": count}
    fate, then = {
        Act.WITHDRAW: (Fate.STAYS, ""),
        Act.REPLACE: (
            Fate.STAYS,
            _("Points and forfeits go with the points so far; a disqualification with the person."),
        ),
    }.get(concerned.act, (Fate.STOPS, _("The record names this number.")))
    url = reverse("referee-desk", args=[concerned.event.slug])
    return [Hanging("adjusted", fate, text, then, url, count=count)] if count else []


def _readers(concerned: Concerned) -> list[Hanging]:
    """List the devices and addresses that receive an entrant's notices."""
    if concerned.act not in (Act.MERGE, Act.REMOVE):
        return []
    count = (
        PushSubscription.objects.filter(entrant__in=concerned.entrants).count()
        + MailConsent.objects.filter(entrant__in=concerned.entrants).count()
    )
    text = ngettext(
        "%(count)d device or address that gets notices",
        "%(count)d devices or addresses that get notices",
        count,
    ) % {"count": count}
    then = _("The player must ask for notices again.") if concerned.act is Act.MERGE else ""
    return [Hanging("notices", Fate.FALLS, text, then, count=count)] if count else []


def _badge(concerned: Concerned) -> list[Hanging]:
    if concerned.act not in (Act.MERGE, Act.REMOVE):
        return []
    (number,) = concerned.entrants.values()
    text = _("Link on the badge of number %(number)d") % {"number": number}
    then = _("Print the badge that stays.") if concerned.act is Act.MERGE else ""
    return [Hanging("badge", Fate.FALLS, text, then, numbers=(number,))]


def _state(concerned: Concerned) -> list[Hanging]:
    """List the state of the number that stays, where a merger changes it."""
    stays = concerned.into
    if concerned.act is not Act.MERGE or stays is None:
        return []
    states = Entrant.objects.filter(pk__in=concerned.entrants).values_list("state", flat=True)
    after = EntrantState.when_merged(stays.state, states.get())
    if after == stays.state:
        return []
    text = _("Number %(number)d: %(state)s") % {
        "number": stays.number,
        "state": stays.get_state_display(),
    }
    then = _("Becomes: %(state)s") % {"state": after.label}
    return [Hanging("state", Fate.FALLS, text, then, numbers=(stays.number,))]


def _kept_apart(concerned: Concerned) -> list[Hanging]:
    """List the rules that separate an entrant from others."""
    if concerned.act not in (Act.MERGE, Act.REMOVE):
        return []
    who = list(concerned.entrants)
    count = Ban.objects.filter(Q(one__in=who) | Q(two__in=who)).count()
    text = ngettext("%(count)d player to keep apart", "%(count)d players to keep apart", count)
    fate, then = (
        (Fate.STAYS, _("They pass to the number that stays."))
        if concerned.act is Act.MERGE
        else (Fate.FALLS, "")
    )
    url = reverse("desk-wishes", args=[concerned.event.slug])
    return [Hanging("bans", fate, text % {"count": count}, then, url, count=count)] if count else []


READ: Final = (
    _open_seats,
    _drawn,
    _both_drawn,
    _played,
    _measures,
    _state,
    _badge,
    _readers,
    _kept_apart,
    _seats,
    _byes,
    _deals,
    _games,
    _decisions,
    _adjusted,
    _clock,
    _draft,
    _credits,
    _later,
    _calls,
    _notices,
    _papers,
)
"""Readers of the lines of each kind, in the order of the list."""
