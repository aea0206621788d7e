"""The public pages of an event: readable on a phone, without account, with or without script.

Every page is the same bytes for everybody in the same language, follows from the event's records
alone and says nothing of the present minute: so it is made once for a version of the event
(:mod:`tournament.public`) and answered with 304 as long as that stands.
"""

from __future__ import annotations

from copy import copy
from functools import partial
from typing import NamedTuple

from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.access import by_link, public
from accounts.limits import wrong_link
from accounts.pages import Page, show_page
from accounts.roles import may
from ledger.anchors import anchor_of
from tournament.charts import Chart
from tournament.documents.draws import Person, alphabetical
from tournament.models import (
    Entrant,
    EntrantState,
    Event,
    RenderedStandings,
    Round,
    Stage,
    StandingsState,
)
from tournament.models.standings import ColumnHead, Head
from tournament.public.conditional import EACH, FOR_ALL, follows, serve_all, wanted_with
from tournament.queries import pages, places, rounds
from tournament.queries.after_final import AfterFinal, after_final
from tournament.queries.brackets import ShownBrackets, brackets_shown, match_names, title_of
from tournament.queries.luck import luck_in_words
from tournament.queries.matches import TiedPeople, tied_people
from tournament.queries.names import Shown, by_number, shown
from tournament.queries.overall import Overall, is_all_final, overall_of
from tournament.queries.room import address
from tournament.queries.rounds import TableCard
from tournament.queries.rulebooks import book_of
from tournament.queries.rulings import ShownRuling, rulings_of
from tournament.queries.stage_rule import bye_of
from tournament.queries.standings import (
    club_rule_of,
    fresh,
    rule_of,
    standing_of,
    worth_of_bye,
)
from tournament.queries.substitutes import Substitutions, substitutions_of
from tournament.queries.switches import ShownSwitch, switches_shown
from tournament.queries.table_clock import ClockShown
from tournament.ranking.clubs import ClubBy, ClubRow, ClubRule, club_codes, rank_clubs
from tournament.ranking.criteria import CRITERIA
from tournament.ranking.figures import format_number, format_percentage
from tournament.ranking.model import Value
from tournament.ranking.rule_words import clubs_in_words, in_words
from tournament.services.rendering import overall_html, rendered, rows_for_staff
from tournament.tables.links import token_hash
from tournament.views.frame import event_by_slug, show_event
from tournament.views.notices import Offered, offered
from tournament.views.own_parts import (
    Ranks,
    Seats,
    charts_html,
    days_html,
    parts_for_all,
    stage_now,
)

MOST_RULINGS = 300
"""On their page; a day of 544 players knows some dozens."""


def _language() -> str:
    return (get_language() or "en")[:2]


class LostBadgePage(Page, template="public/link.html"):
    """A link of a badge that is wrong or was replaced."""


class HomePage(Page, template="public/home.html"):
    events: QuerySet[Event]


@public
@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """List all events of this installation, newest first."""
    listed = Event.objects.filter(hidden=False).annotate(
        players=pages.PLAYERS, in_pairs=pages.IN_PAIRS
    )
    events = listed.order_by("-day", "name")[:100]
    return show_page(request, HomePage(events=events))


def _title(round_: Round, stage: Stage) -> str:
    """Return the title of the round; its ``stage`` is loaded already."""
    round_.stage = stage
    return title_of(round_)


class EventHomePage(Page, template="public/event.html", here="event-home"):
    round: Round | None
    words: str
    clock: ClockShown | None
    people: list[Shown]
    stages: list[tuple[Stage, list[tuple[Round, str]]]]
    round_title: str
    players: int
    rulings: list[ShownRuling]
    rulebook: str
    switches: list[ShownSwitch]


@public
@require_safe
@follows("draw")
def event_home(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the current round with its clock, the search by name, and the stages."""
    event = event_by_slug(slug, request)
    now = rounds.current_round(event)
    words = request.GET.get("q", "")
    matching = pages.find_or_list(event, words)
    if words and len(matching) == 1:
        return redirect("event-player", slug, matching[0].number)
    return show_event(
        request,
        event,
        EventHomePage(
            round=now,
            words=words,
            clock=rounds.clock_shown(now),
            people=[shown(entrant, shorten=event.short_names) for entrant in matching],
            stages=[
                (stage, [(round_, _title(round_, stage)) for round_ in stage.rounds.all()])
                for stage in event.stages.prefetch_related("rounds").all()
            ],
            round_title=title_of(now) if now else "",
            players=event.entrants.exclude(state=EntrantState.MERGED).count(),
            rulings=rulings_of(event, most=3),
            rulebook=book_of(event).title.render(get_language() or "en"),
            switches=switches_shown(event),
        ),
    )


class DrawPage(Page, template="public/draw.html", here="event-draw"):
    round: Round | None
    by_name: bool
    rounds: list[tuple[Round, str]]
    title: str
    count: int
    seated: int
    clock: ClockShown | None
    byes: list[Shown]
    bye_worth: str
    names: list[tuple[Shown, int, str]]
    tables: list[TableCard]


@public
@require_safe
@follows("draw")
def draw(
    request: HttpRequest, slug: str, stage: int | None = None, number: int | None = None
) -> HttpResponse:
    """Show a published draw by table (or by name with ``?by=name``); the current round by default."""
    event = event_by_slug(slug, request)
    published = rounds.published_rounds(event)
    shown_round: Round | None
    if stage is None:
        shown_round = published[-1] if published else None
    else:
        shown_round = next(
            (r for r in published if r.stage.order == stage and r.number == number), None
        )
        if shown_round is None:
            raise Http404
    tables = rounds.tables_of(shown_round) if shown_round else []
    by_name = request.GET.get("by") == "name"
    root = reverse("event-players", args=[slug])
    names: list[tuple[Shown, int, str]] = []
    cards: list[TableCard] = []
    if by_name:
        seats = [
            (seat.entrant, table.number, seat.letter) for table in tables for seat in table.seats
        ]
        names = sorted(seats, key=lambda item: alphabetical(Person(item[0].name)))
    else:
        decisions = shown_round is not None and pages.shows_round(
            shown_round.stage, shown_round.number, pages.state_of(shown_round.stage)
        )
        cards = rounds.draw_contexts(
            tables,
            lambda n: f"{root}{n}/",
            decisions=decisions,
            names=match_names(shown_round) if shown_round else {},
            table_url=partial(address, shown_round)
            if shown_round is not None and may(request.user, "room.watch", event.pk)
            else None,
        )
    return show_event(
        request,
        event,
        DrawPage(
            round=shown_round,
            by_name=by_name,
            rounds=[(round_, title_of(round_)) for round_ in published],
            title=title_of(shown_round) if shown_round else "",
            count=len(tables),
            seated=sum(len(table.seats) for table in tables),
            clock=rounds.clock_shown(shown_round),
            byes=rounds.byes_of(shown_round) if shown_round else [],
            bye_worth=worth_of_bye(shown_round.stage) if shown_round else "",
            names=names,
            tables=cards,
        ),
    )


def _chosen(event: Event, order: int | None) -> tuple[Stage | None, bool]:
    """Return the requested stage, by default that of the current round, and whether several have begun."""
    stages, now = rounds.stages_of(event), rounds.round_now(event)
    latest = now.stage.order if now is not None else 0
    first = min((stage.order for stage in stages), default=0)
    wanted = (latest or first) if order is None else order
    chosen = next((copy(stage) for stage in stages if stage.order == wanted), None)
    if chosen is not None:
        chosen.event = event
    elif order is not None:
        raise Http404
    return chosen, sum(stage.order <= latest for stage in stages) > 1


class StandingsPage(Page, template="public/standings.html", here="event-standings"):
    stages: list[Stage]
    stage: Stage | None
    table: RenderedStandings | None
    rows_html: str
    head: Head | None
    several: bool
    pool_ties: list[TiedPeople]
    shown: ShownBrackets | None
    after_final: AfterFinal | None
    anchor: str
    rule_words: list[str]
    luck: str
    book_url: str


@public
@require_safe
@follows("event")
def standings(request: HttpRequest, slug: str, stage: int | None = None) -> HttpResponse:
    """Show the standings of a stage; by default the whole event once it is over, else the latest stage."""
    event = event_by_slug(slug, request)
    chosen, several = _chosen(event, stage)
    if stage is None and several and is_all_final(event):
        return _overall(request, event, overall_of(event, shared_in_process=True))
    table = rendered(chosen, _language()) if chosen else None
    book_url = _book_url(request, chosen) if chosen else ""
    rows = table.rows if table else ""
    return show_event(
        request,
        event,
        StandingsPage(
            stages=rounds.stages_of(event),
            stage=chosen,
            table=table,
            rows_html=rows_for_staff(chosen, _language(), book_url)
            if chosen and book_url and rows
            else rows,
            head=table.head if table else None,
            several=several,
            pool_ties=_pool_ties(event, chosen) if chosen else [],
            shown=brackets_shown(chosen) if chosen else None,
            after_final=after_final(chosen) if chosen else None,
            anchor=anchor_of(event.pk),
            rule_words=_rule_words(chosen) if chosen else [],
            luck=luck_in_words(chosen)
            if chosen and table and table.head["state"] == StandingsState.FINAL
            else "",
            book_url=book_url,
        ),
    )


def _book_url(request: HttpRequest, stage: Stage) -> str:
    """Return the address of a stage's book of results, for staff who may read it."""
    if not may(request.user, "room.watch", stage.event_id):
        return ""
    return reverse("desk-book", args=[stage.event.slug, stage.order])


def _rule_words(stage: Stage) -> list[str]:
    """Return what the rule of a stage counts beyond its criteria, in the reader's language."""
    rule = rule_of(stage)
    return [words.render(_language()) for words in in_words(rule, bye_of(stage, rule))]


def _pool_ties(event: Event, stage: Stage) -> list[TiedPeople]:
    """Return the ties in the stage's pools, with their settlement; none while hidden."""
    if not stage.played_as.pools or pages.is_hidden(stage, pages.state_of(stage)):
        return []
    return tied_people(stage, rule_of(stage), by_number(event))


@public
@require_safe
@follows("event")
def overall(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the event's single ranking: the final, then the semi-final, then the rest."""
    event = event_by_slug(slug, request)
    ranking = overall_of(event, shared_in_process=True)
    if not ranking.several:
        return redirect("event-standings", slug)
    return _overall(request, event, ranking)


class OverallPage(Page, template="public/overall.html", here="event-standings"):
    anchor: str
    stages: tuple[Stage, ...]
    ranking: Overall
    rows_html: str
    columns: list[ColumnHead]
    luck: list[tuple[str, str]]


def _overall(request: HttpRequest, event: Event, ranking: Overall) -> HttpResponse:
    return show_event(
        request,
        event,
        OverallPage(
            anchor=anchor_of(event.pk),
            stages=ranking.stages,
            ranking=ranking,
            rows_html=""
            if ranking.hidden
            else overall_html(event, ranking, staff=may(request.user, "room.watch", event.pk)),
            columns=[{"label": _("Stage"), "kind": "words", "wide": True}],
            luck=[
                (stage.title, words)
                for stage in ranking.stages
                if ranking.state == StandingsState.FINAL and (words := luck_in_words(stage))
            ],
        ),
    )


class ClubLine(NamedTuple):
    """A club's line and its figures."""

    row: ClubRow
    won: str
    values: list[str]


class ClubsPage(Page, template="public/clubs.html", here="event-standings"):
    stage: Stage | None
    clubs: list[ClubLine]
    heads: list[str]
    rule_words: str
    hidden: bool
    chart: Chart | None
    state: str


@public
@require_safe
@follows("event")
def clubs(request: HttpRequest, slug: str, stage: int | None = None) -> HttpResponse:
    """Show the clubs as the stage ranks them, and the distribution of the scores."""
    event = event_by_slug(slug, request)
    chosen, _several = _chosen(event, stage)
    rows: list[ClubLine] = []
    chart: Chart | None = None
    current = fresh(chosen) if chosen else None
    hidden = bool(chosen and current and pages.is_hidden(chosen, current.state))
    rule = club_rule_of(chosen) if chosen else ClubRule()
    heads, figures = [_("% won")], [0]
    if chosen and current and not hidden:
        standing = standing_of(current)
        if rule.by is not ClubBy.PERCENTAGE:
            criteria = [CRITERIA[code] for code in club_codes(standing)]
            figures = [at for at, each in enumerate(criteria) if not each.of_offences]
            heads = [criteria[at].short.render(_language()) for at in figures]
        language = _language()
        where = places.places_of(event, chosen, language=language)
        chart = where.distribution() if where is not None else None
        rows = [
            ClubLine(
                row,
                format_number(row.won, language),
                [_club_value(rule, row.values[at], language) for at in figures],
            )
            for row in rank_clubs(standing, rule)
        ]
    return show_event(
        request,
        event,
        ClubsPage(
            stage=chosen,
            clubs=rows,
            heads=heads,
            rule_words=clubs_in_words(rule).render(_language()),
            hidden=hidden,
            chart=chart,
            state=current.state if current else "",
        ),
    )


def _club_value(rule: ClubRule, value: Value, language: str) -> str:
    """Format a figure of a club: a share of games won, or its members' total."""
    if value is None or isinstance(value, tuple):
        return "–"
    if rule.by is ClubBy.PERCENTAGE:
        return format_percentage(value, language, even=True)
    return format_number(value, language)


class RulingsPage(Page, template="public/rulings.html", here="event-home"):
    rulings: list[ShownRuling]


@public
@require_safe
@follows("draw")
def rulings(request: HttpRequest, slug: str) -> HttpResponse:
    """List the rulings of an event, newest first, each with its article and its reason; no names."""
    event = event_by_slug(slug, request)
    listed = rulings_of(event, most=MOST_RULINGS)
    return show_event(request, event, RulingsPage(rulings=listed))


class PlayersPage(Page, template="public/players.html", here="event-players"):
    words: str
    people: list[Shown]
    count: int
    in_pairs: bool


@public
@require_safe
@follows("draw")
def player_list(request: HttpRequest, slug: str) -> HttpResponse:
    """Find a player by name or number."""
    event = event_by_slug(slug, request)
    words = request.GET.get("q", "")
    matching = pages.find_or_list(event, words)
    return show_event(
        request,
        event,
        PlayersPage(
            words=words,
            people=[shown(entrant, shorten=event.short_names) for entrant in matching],
            count=event.entrants.exclude(state=EntrantState.MERGED).count(),
            in_pairs=pages.in_pairs(event),
        ),
    )


_FOLLOWED = {"now": "draw", "place": "event", "charts": "event", "day": "own:{}"}
"""Topic of each part of a player's page; the whole page follows all of them."""


def _follows(request: HttpRequest, number: int) -> str:
    return _FOLLOWED.get(request.GET.get("part", ""), "player:{}").format(number)


@public
@require_safe
@follows(_follows)
def player(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show a player's day: table and seat now, partner and opponents, results, rank."""
    event = event_by_slug(slug, request)
    who = by_number(event).get(number)
    if who is None:
        raise Http404
    if request.META.get("QUERY_STRING", "") in FOR_ALL:
        parts = parts_for_all(event, request.GET["part"], language=_language())
        response = HttpResponse(parts[number])
        serve_all(request, response, parts)
        return response
    if request.META.get("QUERY_STRING", "") == EACH:
        people = by_number(event)
        numbers = [people[n] for n in wanted_with(request, number) if n in people]
        days = days_html(event, numbers, language=_language())
        response = HttpResponse(days[number])
        serve_all(request, response, {n: html.encode() for n, html in days.items()})
        return response
    return _player_page(request, event, who)


@by_link("player")
@require_safe
@never_cache
def personal(request: HttpRequest, token: str) -> HttpResponse:
    """Show a player's own page, by the link on their badge: results of hidden rounds included."""
    entrant = (
        Entrant.objects.select_related("event", "person", "partner", "club")
        .filter(link_hash=token_hash(token))
        .first()
    )
    if entrant is None:
        wrong_link(request)
        return show_page(request, LostBadgePage(), status=404)
    who = shown(entrant, shorten=entrant.event.short_names)
    return _player_page(request, entrant.event, who, token, offered(entrant, token))


class PlayerPage(Page, template="public/player.html", here="event-players"):
    """A player's day; ``now``, ``place``, ``day`` and ``charts`` are rendered parts, empty where not asked for."""

    me: Shown
    private: bool
    part: str
    now: str
    place: str
    day: str
    charts: str
    games_url: str
    withdrawn: bool
    substitutions: Substitutions | None
    spread_day: int
    sign_url: str
    notices: Offered | None
    manifest_url: str


def _player_page(
    request: HttpRequest,
    event: Event,
    who: Shown,
    token: str = "",
    notices: Offered | None = None,
) -> HttpResponse:
    """Show a player's page, or one of its parts; ``token``: of their own link, which shows more."""
    language = _language()
    part = request.GET.get("part", "")
    whole = part not in _FOLLOWED
    private = bool(token)
    now = place = charts = day = ""
    stage = stage_now(event) if whole or part in ("place", "charts") else None
    where = places.places_of(event, stage, language=language) if stage is not None else None
    if whole or part == "now":
        now = Seats(event).html(who)
    if (whole or part == "place") and where is not None:
        place = Ranks(where).html(who.number)
    if (whole or part == "charts") and where is not None:
        charts = charts_html(where, who.number)
    if whole or part == "day":
        days = days_html(event, [who], language=language, private=private)
        day = SafeString(days[who.number])
    watches = whole and not private and may(request.user, "room.watch", event.pk)
    own = PlayerPage(
        me=who,
        private=private,
        part=part,
        now=now,
        place=place,
        day=day,
        charts=charts,
        games_url=reverse("desk-player-games", args=[event.slug, who.number]) if watches else "",
        withdrawn=who.state == EntrantState.WITHDRAWN,
        substitutions=substitutions_of(event, who.number) if whole else None,
        # After a draw every player's games change, below the seat that they look for: the phones of
        # a hall spread their requests.
        spread_day=min(30_000, 250 + 50 * event.entrants.count()) if whole else 0,
        sign_url=reverse("player-sign", args=[token]) if private else "",
        notices=notices,
        manifest_url=reverse("personal-manifest", args=[token])
        if private
        else reverse("event-manifest", args=[event.slug]),
    )
    return show_event(request, event, own)
