"""An event's records in the frozen shapes that the documents print."""

from __future__ import annotations

import hashlib
import io
from typing import Final, TypedDict
from zoneinfo import ZoneInfo

from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ledger.anchors import anchor_of
from ledger.canonical import canonical_json
from ledger.errors import Conflict, Refused
from tournament import documents as paper
from tournament.documents import words
from tournament.documents.formats import day, labelled
from tournament.models import (
    Event,
    EventLogo,
    Round,
    RoundState,
    Stage,
    StandingsState,
    Table,
)
from tournament.models.tables import Sheet
from tournament.queries import pages, rounds
from tournament.queries.brackets import (
    brackets_shown,
    match_names,
    own_name,
    stage_name,
    title_of,
)
from tournament.queries.names import Shown, directory, seat_name, short
from tournament.queries.overall import Overall, overall_of
from tournament.queries.rulebooks import book_of
from tournament.tables.links import table_token

WHOLE_EVENT: Final = 0
"""The stage that stands for the ranking of the whole event."""
Built = tuple[bytes, str, str]
"""A document's bytes, the fingerprint of its records, and the state printed on it."""


def imprint(
    event: Event, *, language: str, size: str, fingerprint: str, state: paper.State | None
) -> paper.Imprint:
    """Build the frame of a document of ``event``."""
    return paper.Imprint(
        event=event.name,
        language=language,
        fingerprint=fingerprint,
        place=", ".join(part for part in (event.place, day(event.day, language)) if part),
        printed_at=timezone.now().astimezone(ZoneInfo(settings.TIME_ZONE)).replace(microsecond=0),
        state=state,
        paper=paper.Paper[size.upper()],
        anchor=anchor_of(event.pk),
        colour=event.colour,
        logo=logo_of(event),
    )


def logo_of(event: Event) -> bytes:
    """Return the picture of the event's club, or an empty value."""
    if not event.logo:
        return b""
    return bytes(EventLogo.objects.values_list("content", flat=True).get(event=event))


def thumbprint(value: object) -> str:
    """Compute the fingerprint of a document's content: SHA-256 of its canonical JSON."""
    return hashlib.sha256(canonical_json(value).encode()).hexdigest()


def pairs_of(event: Event, *, shorten: bool | None = None) -> dict[int, tuple[str, ...]]:
    """Map entrant ids to the two names of each pair; names as on public pages unless ``shorten`` is given."""
    brief = event.short_names if shorten is None else shorten
    return {
        pk: tuple(short(name) if brief else name for name in names)
        for pk, *names in event.entrants.filter(partner__isnull=False).values_list(
            "pk", "person__name", "partner__name"
        )
        if all(names)
    }


def _person(shown: Shown, pairs: dict[int, tuple[str, ...]]) -> paper.Person:
    return paper.Person(shown.name, str(shown.number), shown.club, members=pairs.get(shown.pk, ()))


class Parameters(TypedDict, total=False):
    """Parameters of a document; ``stage`` and ``top`` are numbers, ``round`` is a key."""

    base: str
    stage: int
    round: str
    table: int
    top: int
    by_club: bool
    prizes: str
    everyone: str
    remainder: str
    fee: str


def state_on_paper(state: str) -> paper.State:
    """Return the state of a standing as printed on documents."""
    return {
        StandingsState.PROVISIONAL: paper.State.PROVISIONAL,
        StandingsState.FROZEN: paper.State.FROZEN,
        StandingsState.FINAL: paper.State.FINAL,
    }[StandingsState(state)]


def standings(event: Event, parameters: Parameters, language: str, size: str) -> Built:
    """Build the standings of a stage (``stage``: its order; 0: the whole event), the first ``top`` or by club."""
    if parameters.get("stage") == WHOLE_EVENT:
        ranking = overall_of(event)
        if ranking.several:
            sheet = overall_sheet(ranking, parameters, event, language, size)
            return paper.standings_pdf(sheet), ranking.hash, ranking.state
    stage = stage_of(event, parameters)
    shown = pages.standings_of(stage, language=language)
    sheet = standings_sheet(shown, parameters, event, language, size)
    return paper.standings_pdf(sheet), shown.hash, str(shown.state)


def standings_sheet(
    shown: pages.ShownStandings, parameters: Parameters, event: Event, language: str, size: str
) -> paper.StandingsSheet:
    """Return standings in the shape for documents."""
    frame = imprint(
        event,
        language=language,
        size=size,
        fingerprint=shown.hash,
        state=state_on_paper(shown.state),
    )
    return paper.StandingsSheet(
        imprint=frame,
        columns=tuple(paper.StandingsColumn(c.short or c.name, c.name) for c in shown.columns),
        lines=tuple(
            paper.StandingsLine(
                rank=row.rank,
                number=str(row.number),
                name=row.name,
                club=row.club,
                values=tuple(row.values),
                tied=row.tied,
                qualified=row.through,
                withdrawn=row.withdrawn,
                excluded=row.excluded,
                unplayed=row.unplayed,
                forfeited=row.forfeited,
                adjusted=row.adjusted,
                decided_by=row.by,
                group=row.line,
            )
            for row in shown.rows
        ),
        round=shown.after_round or None,
        rounds=shown.stage.rounds_planned,
        in_play=shown.in_play,
        stage=stage_name(shown.stage),
        cut=shown.cut_line,
        cut_text=shown.cut,
        top=parameters.get("top") or None,
        by_club=bool(parameters.get("by_club")),
    )


def bracket(event: Event, parameters: Parameters, language: str, size: str) -> Built:
    """Build the pools and brackets of a stage (``stage``: its order)."""
    stage = stage_of(event, parameters)
    shown = brackets_shown(stage, hidden_too=True)
    if not shown:
        raise Conflict("no_bracket", _("This stage has no pools and no bracket."))
    games = stage.games_per_round > 1
    scored = (words.SCORED_GAMES if games else words.SCORED).render(language)
    parts = [
        paper.BracketPart(
            pool.name,
            pool.columns,
            tuple(
                (place, str(number), name, values, False)
                for place, number, name, values in pool.rows
            ),
        )
        for pool in shown.pools
    ]
    for each in shown.brackets:
        for name, matches in each.rounds:
            title = labelled(each.name, name, language) if each.name else name
            parts.append(
                paper.BracketPart(
                    title,
                    (scored,),
                    tuple(
                        (
                            str(match.table or "") if at == 0 else "",
                            str(side.number or ""),
                            side.name or "–",
                            (side.score,),
                            side.won,
                        )
                        for match in matches
                        for at, side in enumerate(match.sides)
                    ),
                    pairs=True,
                )
            )
    state = pages.state_of(stage)
    fingerprint = thumbprint([[part.title, part.lines] for part in parts])
    frame = imprint(
        event,
        language=language,
        size=size,
        fingerprint=fingerprint,
        state=state_on_paper(state),
    )
    sheet = paper.BracketSheet(frame, stage.title, tuple(part for part in parts if part.lines))
    return paper.bracket_pdf(sheet), fingerprint, str(state)


def overall_sheet(
    ranking: Overall, parameters: Parameters, event: Event, language: str, size: str
) -> paper.StandingsSheet:
    """Return the ranking of the whole event in the shape for documents."""
    people = {who.number: who for who in directory(event).values()}
    frame = imprint(
        event,
        language=language,
        size=size,
        fingerprint=ranking.hash,
        state=state_on_paper(ranking.state),
    )
    return paper.StandingsSheet(
        imprint=frame,
        columns=(
            paper.StandingsColumn(words.STAGE.render(language)),
            paper.StandingsColumn(words.RANK_THERE.render(language)),
        ),
        lines=tuple(
            paper.StandingsLine(
                rank=row.rank,
                number=str(row.entrant.number),
                name=people[row.entrant.number].name,
                club=people[row.entrant.number].club,
                values=(
                    ranking.stages[row.stage].title,
                    "–" if row.there is None else str(row.there),
                ),
                tied=row.tied,
                withdrawn=row.entrant.withdrawn,
                excluded=row.entrant.excluded,
                unplayed=row.entrant.unplayed,
            )
            for row in ranking.rows
            if row.entrant.number in people
        ),
        stage=words.WHOLE_EVENT.render(language),
        top=parameters.get("top") or None,
        by_club=bool(parameters.get("by_club")),
    )


def stage_of(event: Event, parameters: Parameters) -> Stage:
    """Return the requested stage, by default that of the current round."""
    stages = {stage.order: stage for stage in event.stages.all()}
    order = parameters.get("stage") or None
    if order is None:
        now = rounds.current_round(event)
        order = now.stage.order if now else 1
    if order not in stages:
        raise Refused("no_such_stage", _("No such stage in this event."), field="stage")
    return stages[order]


def round_of(event: Event, parameters: Parameters) -> Round:
    """Return the requested published round, by default the current one."""
    wanted = parameters.get("round")
    published = rounds.published_rounds(event)
    if not published:
        raise Conflict("nothing_published", _("No draw is published yet."))
    if not wanted:
        return published[-1]
    chosen = next((round_ for round_ in published if str(round_.pk) == wanted), None)
    if chosen is None:
        raise Refused("no_such_round", _("This round is not published."), field="round")
    return chosen


def _dealers(round_: Round) -> dict[int, int]:
    """Table number → the entrant who deals first in its first game."""
    sheets = Sheet.objects.filter(table__round=round_, order=1).select_related("table")
    seats = {sheet: sheet.seats for sheet in sheets.prefetch_related("table__seats")}
    return {
        sheet.table.number: at[sheet.first_dealer]
        for sheet, at in seats.items()
        if sheet.first_dealer in at
    }


def _drawn(
    shown: rounds.ShownTable,
    dealers: dict[int, int],
    pairs: dict[int, tuple[str, ...]],
    language: str,
    note: str = "",
) -> paper.DrawnTable:
    return paper.DrawnTable(
        str(shown.number),
        tuple(
            paper.Seat(
                seat_name(seat.position, language),
                _person(seat.entrant, pairs),
                scorekeeper=seat.scorekeeper,
                first_dealer=seat.entrant.pk == dealers.get(shown.number),
            )
            for seat in shown.seats
        ),
        words.NOT_CLASSIFIED.render(language) if shown.filling else note,
    )


def draw_sheet(
    event: Event, parameters: Parameters, language: str, size: str
) -> tuple[paper.DrawSheet, str]:
    """Return a round's draw and its fingerprint."""
    round_ = round_of(event, parameters)
    tables, dealers, pairs = rounds.tables_of(round_), _dealers(round_), pairs_of(event)
    names = match_names(round_)
    fingerprint = thumbprint(
        [[t.number, [[s.position, s.entrant.number] for s in t.seats]] for t in tables]
    )
    return (
        paper.DrawSheet(
            imprint=imprint(
                event, language=language, size=size, fingerprint=fingerprint, state=None
            ),
            round=round_.number,
            stage=stage_name(round_.stage),
            name=title_of(round_) if round_.stage.played_as.bracket else "",
            tables=tuple(
                _drawn(
                    table,
                    dealers,
                    pairs,
                    language,
                    names.get(frozenset(seat.entrant.number for seat in table.seats), ""),
                )
                for table in tables
            ),
            sitting_out=tuple(_person(shown, pairs) for shown in rounds.byes_of(round_)),
        ),
        fingerprint,
    )


def draw_by_table(event: Event, parameters: Parameters, language: str, size: str) -> Built:
    """Build the draw of a round by table."""
    sheet, fingerprint = draw_sheet(event, parameters, language, size)
    return paper.draw_by_table_pdf(sheet), fingerprint, ""


def draw_by_name(event: Event, parameters: Parameters, language: str, size: str) -> Built:
    """Build the draw of a round by name."""
    sheet, fingerprint = draw_sheet(event, parameters, language, size)
    return paper.draw_by_name_pdf(sheet), fingerprint, ""


def require_open_round(round_: Round) -> None:
    """Refuse the links of a round that is closed: they open nothing."""
    if round_.state == RoundState.CLOSED:
        raise Conflict("round_closed", _("This round is closed: its links no longer work."))


def slips(event: Event, parameters: Parameters, language: str, size: str) -> Built:
    """Build the slips of a round with the link of each table; of ``table`` only when given."""
    round_ = round_of(event, parameters)
    require_open_round(round_)
    base = parameters.get("base", settings.PUBLIC_URL)
    tokens = {table.number: table_token(table) for table in Table.objects.filter(round=round_)}
    only, dealers, pairs = parameters.get("table"), _dealers(round_), pairs_of(event)
    tables = [t for t in rounds.tables_of(round_) if not only or t.number == only]
    if not tables:
        raise Refused("no_such_table", _("No such table in this round."), field="table")
    games = _games(round_, language)
    fingerprint = thumbprint([[t.number, [s.entrant.number for s in t.seats]] for t in tables])
    sheet = paper.SlipSheet(
        imprint=imprint(event, language=language, size=size, fingerprint=fingerprint, state=None),
        round=round_.number,
        slips=tuple(
            paper.TableSlip(
                _drawn(table, dealers, pairs, language),
                link=f"{base}/t/{tokens[table.number]}/",
                short_link=f"{base.split('//')[-1]}/t/{tokens[table.number]}",
                games=tuple(games.get(table.number, ())),
            )
            for table in tables
        ),
        rulebook=book_of(event).title.render(language),
        name=own_name(round_),
    )
    return paper.table_slips_pdf(sheet), fingerprint, ""


def _games(round_: Round, language: str) -> dict[int, list[paper.SlipGame]]:
    """Table number → its games: which seats play together, and whose deal is the first."""
    games: dict[int, list[paper.SlipGame]] = {}
    sheets = Sheet.objects.filter(table__round=round_).select_related("table")
    for sheet in sheets.order_by("table__number", "order"):
        deals = sheet.positions.get(sheet.first_dealer, "")
        target = sheet.options.get("target")
        number = int(target.get("deals", 0)) if isinstance(target, dict) else 0
        games.setdefault(sheet.table.number, []).append(
            paper.SlipGame(
                tuple(
                    tuple(seat_name(position, language) for position in side)
                    for side in sheet.sides_by_seat.values()
                ),
                seat_name(deals, language) if deals else "",
                number,
            )
        )
    return games


WITH_LINKS: Final = frozenset({"slips", "badges", "round"})
"""Documents that carry the links of tables or players: anyone who holds one may write or sign."""


_OF_A_ROUND: Final = (draw_by_name, draw_by_table, slips)


def whole_round(event: Event, parameters: Parameters, language: str, size: str) -> Built:
    """Build the posters and slips of a round as one print job."""
    from pypdf import PdfReader, PdfWriter  # wanted by few, and slow to load

    writer = PdfWriter()
    prints = []
    for part in _OF_A_ROUND:
        content, fingerprint, _state = part(event, parameters, language, size)
        writer.append(PdfReader(io.BytesIO(content)), import_outline=False)
        prints.append(fingerprint)
    fingerprint = thumbprint(prints)
    writer.add_metadata(
        {
            "/Title": f"{event.name} · " + gettext("Everything for a round"),
            "/Keywords": f"{fingerprint}, {anchor_of(event.pk)}",
            "/Producer": "Manille",
        }
    )
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue(), fingerprint, ""
