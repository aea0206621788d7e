"""The complete report of an event: facts, standings of every stage, every result, prizes, entrants."""

from __future__ import annotations

from django.db.models import Q
from django.utils.translation import gettext as _

from scoring.texts import SEPARATOR
from tournament import documents as paper
from tournament.documents import words
from tournament.documents.formats import day
from tournament.models import EntrantState, Event, Round, Standings
from tournament.models.tables import OfficialResult, Result, Sheet
from tournament.queries import pages, rounds
from tournament.queries.brackets import own_name, stage_name
from tournament.queries.names import Shown, directory
from tournament.queries.overall import overall_of
from tournament.queries.papers import (
    Built,
    Parameters,
    imprint,
    overall_sheet,
    standings_sheet,
    state_on_paper,
    thumbprint,
)
from tournament.queries.papers_people import prize_sheet
from tournament.queries.rulebooks import book_of
from tournament.ranking.figures import format_number
from tournament.signals import answers, report_requested


def event_report(event: Event, parameters: Parameters, language: str, size: str) -> Built:
    """Build the full report of one event, with the prize list if prizes are given and standings final."""
    shown = [
        pages.standings_of(stage, language=language)
        for stage in event.stages.select_related("event").order_by("-order")
        if stage.field.exists()
    ]
    state = "final" if shown and all(s.state == "final" for s in shown) else "provisional"
    fingerprint = thumbprint([event.slug, event.version, [s.hash for s in shown]])
    frame = imprint(
        event, language=language, size=size, fingerprint=fingerprint, state=state_on_paper(state)
    )
    people = directory(event)
    taking_part = event.entrants.exclude(state=EntrantState.MERGED).order_by("number")
    players = [people[pk] for pk in taking_part.values_list("pk", flat=True)]
    prizes = None
    ranking = overall_of(event)
    if parameters.get("prizes") and not ranking.open:
        prizes = prize_sheet(event, parameters, language, size)[0]
    report = paper.EventReport(
        frame,
        _facts(event, len(players), language),
        standings=(
            *([overall_sheet(ranking, {}, event, language, size)] if ranking.several else []),
            *(standings_sheet(s, {}, event, language, size) for s in shown if s.rows),
        ),
        rounds=tuple(_round(round_, people, language) for round_ in rounds.published_rounds(event)),
        entrants=tuple(paper.Person(who.name, str(who.number), who.club) for who in players),
        adjudication=next(iter(answers(report_requested, event=event, frame=frame)), None),
        prizes=prizes,
    )
    return paper.event_report_pdf(report), fingerprint, state


def _facts(event: Event, entrants: int, language: str) -> tuple[tuple[str, str], ...]:
    tables = sum(round_.tables.count() for round_ in rounds.published_rounds(event))
    edition = _("Edition %(edition)s") % {"edition": event.edition}
    title = book_of(event).title.render(language)
    finals = Standings.objects.filter(stage__event=event, state="final").count()
    return (
        (_("Date"), day(event.day, language)),
        (_("Place"), event.place or "–"),
        (_("Rulebook"), f"{title} · {edition}"),
        (_("Participants"), str(entrants)),
        (_("Tables seated"), str(tables)),
        (_("Final standings"), f"{finals} / {event.stages.count()}"),
        (_("Public code of the draws"), event.public_seed),
    )


def _round(round_: Round, people: dict[int, Shown], language: str) -> paper.RoundReport:
    official = dict(
        OfficialResult.objects.filter(current=True, sheet__table__round=round_).values_list(
            "sheet_id", "result"
        )
    )
    lines: list[paper.ResultLine] = []
    forfeits = rounds.forfeits_of(round_.stage.event)
    games = (
        Sheet.objects.filter(
            Q(pk__in=official) | Q(table__decided_for__isnull=False), table__round=round_
        )
        .select_related("table")
        .prefetch_related("table__seats")
        .order_by("table__number", "order")
    )
    for game in games:
        seated = {seat.position: seat.entrant_id for seat in game.table.seats.all()}
        at = {position: people[entrant].name for position, entrant in seated.items()}
        gone = {position for position, who in seated.items() if (who, round_.pk) in forfeits}
        sides = list(game.sides_by_seat.items())
        result = official.get(game.pk)
        winner = game.table.decided_for_id
        remark = (
            words.DECIDED_FOR.render(language).format(
                who=people[winner].name, why=game.table.decided_reason
            )
            if winner in people
            else ""
        )
        if gone:
            who = " – ".join(dict.fromkeys(at[position] for position in sorted(gone)))
            remark = SEPARATOR.render(language).join(
                filter(None, [remark, words.FORFEITED_BY.render(language).format(who=who)])
            )
        # Each for themselves: a line for every player.
        for pair in [sides] if len(sides) == 2 else [[side] for side in sides]:
            rested = [
                (
                    " – ".join(at.get(position, "") for position in seats),
                    # In brackets, as in the book: played, and lost by the forfeit.
                    f"({_marks(result, side, language)})"
                    if gone.issuperset(seats) and result is not None
                    else _marks(result, side, language),
                )
                for side, seats in pair
            ]
            (first, marks_first), (second, marks_second) = (*rested, ("", ""))[:2]
            lines.append(
                paper.ResultLine(
                    str(game.table.number),
                    first,
                    second,
                    marks_first,
                    marks_second,
                    game=game.order,
                    remark=remark,
                )
            )
    number = own_name(round_) or words.ROUND.render(language).format(round=round_.number)
    return paper.RoundReport(
        round_.number,
        tuple(lines),
        tuple(paper.Person(w.name, str(w.number), w.club) for w in rounds.byes_of(round_)),
        " · ".join(filter(None, (stage_name(round_.stage), number))),
    )


def _marks(result: Result | None, side: str, language: str) -> str:
    if result is None:
        return "–"
    return format_number(result["marks"].get(side, 0), language)
