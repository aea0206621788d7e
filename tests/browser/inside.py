"""Set-up and queries that the tests of the tables' pages run inside an installation.

``python -m tests.browser.inside`` answers each line of input with one line of JSON, so that the application is loaded
once for many tests. It acts through the application's own services.
"""

from __future__ import annotations

import json
import random
import sys
import uuid
from datetime import date, timedelta
from typing import Any

import django

PASSWORD = "kaarten-op-tafel-9"


def sheet(
    rulebook: str = "belgian",
    target: Any = None,
    protocol: str = "confirm",
    depth: str = "points",
    seated: bool = False,
    called: str = "",
    **options: Any,
) -> dict[str, Any]:
    """Create a table and its sheet; signatures need ``seated`` players, in the round of an event of its own."""
    from tests.tables.build import a_sheet, a_table, seat_players, token

    made = a_sheet(
        rulebook,
        table=a_table(uuid.uuid4(), "1/1"),
        options={"target": {"deals": 4} if target is None else target, **options},
        protocol=protocol,
        depth=depth,
    )
    if seated:
        seat_players(made, *(f"{called}{position}" for position in made.positions))
    return {"seats": made.seats, "sheet": str(made.pk), "page": f"/t/{token(made)}/"}


def hall(
    tables: int = 2,
    rule: str = "finish",
    minutes: int = 60,
    deals: int = 4,
    language: str = "en",
    rulebook: str = "belgian",
    protocol: str = "confirm",
    games: int = 1,
    target: Any = None,
    called: str = "Speler",
    **options: Any,
) -> dict[str, Any]:
    """Create a round in play whose bell rings in ``minutes`` (negative: it has rung), and its staff.

    With three ``games`` each player at a table partners every other player once; N deals first, then E, S.
    """
    from django.utils import timezone

    from accounts.models import Role
    from ledger.actors import Actor
    from ledger.change import change
    from tests.tables.build import a_sheet, a_table
    from tests.tournament.build import grant, make_user
    from tournament.models import Entrant, Person, Seat
    from tournament.services.events import create_event
    from tournament.tables.links import entrant_token, table_token, token_hash

    system = Actor.system("test")
    event = create_event(
        actor=system,
        name="Zaal",
        day=date(2026, 11, 21),
        bell_rule=rule,
        protocol=protocol,
        language=language,
        rulebook=rulebook,
        options=options,
    )
    round_ = event.stages.order_by("order")[0].rounds.order_by("number")[0]
    round_.state, round_.published_at = "playing", timezone.now()
    round_.started_at = timezone.now() - timedelta(minutes=2)
    round_.ends_at = timezone.now() + timedelta(minutes=minutes)
    with change():
        round_.save()
    made = []
    for number in range(1, tables + 1):
        table = a_table(event.pk, f"1/{number}", round=round_, number=number)
        badges: dict[str, str] = {}
        for place, label in enumerate("NESW"):
            person = Person.objects.create(name=f"{called} {number}{label}")
            with change():
                entrant = Entrant.objects.create(
                    event=event, number=10 * number + place, person=person
                )
                Seat.objects.create(round=round_, table=table, position=label, entrant=entrant)
            entrant.link_hash = token_hash(entrant_token(entrant))
            with change():
                entrant.save(update_fields=["link_hash"])
            badges[label] = f"/sign/{entrant_token(entrant)}/"
        laid = []
        for order, turned in enumerate(("NESW", "NWES", "NSWE")[:games], 1):
            laid.append(
                a_sheet(
                    event.rulebook,
                    table=table,
                    order=order,
                    options={"target": target or {"deals": deals}, **options},
                    sides={"NS": [turned[0], turned[2]], "EW": [turned[1], turned[3]]},
                    first_dealer="NES"[order - 1],
                    protocol=protocol,
                )
            )
        made.append(
            {
                "sheet": str(laid[0].pk),
                "sheets": [str(each.pk) for each in laid],
                "page": f"/t/{table_token(table)}/",
                "badges": badges,
            }
        )
    for name, role in (("director", Role.DIRECTOR), ("referee", Role.REFEREE)):
        user = make_user(f"{name}-{event.slug}", password=PASSWORD)
        grant(user, role, event.pk)
    return {"slug": event.slug, "round": str(round_.pk), "tables": made}


def evening(language: str, players: int = 16) -> dict[str, Any]:
    """Create an event whose first round is in play. Return its director and its players: names, badges, seats."""
    from accounts.models import Role
    from tests.tournament.build import SYSTEM, grant, make_event, make_user
    from tournament.demo.simulation import draw_and_publish, next_round
    from tournament.tables.links import entrant_token

    slug = f"avond-{uuid.uuid4().hex[:8]}"
    event = make_event(players, deals=1, cut=8, slug=slug, language=language)
    user = make_user(f"director-{slug}", password=PASSWORD)
    grant(user, Role.DIRECTOR, event.pk)
    round_ = next_round(event)
    assert round_ is not None
    draw_and_publish(round_, SYSTEM)
    entrants = event.entrants.select_related("person").order_by("number")
    return {
        "slug": slug,
        "names": {each.number: each.person.name for each in entrants},
        "badges": {each.number: f"/p/{entrant_token(each)}/" for each in entrants},
        **seat(slug, 1),
    }


def seat(slug: str, number: int) -> dict[str, Any]:
    """Return a player's place in the round in play: table, seat, sheets and the other players' numbers."""
    from tournament.models import RoundState, Seat

    mine = Seat.objects.select_related("table").get(
        round__stage__event__slug=slug, round__state=RoundState.PLAYING, entrant__number=number
    )
    others = mine.table.seats.exclude(pk=mine.pk).select_related("entrant")
    return {
        "table": mine.table.number,
        "seat": mine.position,
        "sheets": [str(each.pk) for each in mine.table.sheets.order_by("order")],
        "others": [each.entrant.number for each in others],
    }


def end_games(sheets: list[str]) -> dict[str, Any]:
    """Play these games to their end without signatures."""
    from tournament.demo.simulation import play_sheet
    from tournament.models.tables import Sheet

    for each in sheets:
        play_sheet(Sheet.objects.get(pk=uuid.UUID(each)), random.Random(each), sign=False)
    return {}


def sign_rest(sheet: str) -> dict[str, Any]:
    """Sign a game for each side that has not signed yet."""
    from tests.tournament.build import SYSTEM
    from tournament.models.tables import Sheet
    from tournament.services import signatures
    from tournament.tables.score_sheet import ScoreSheet

    laid = Sheet.objects.get(pk=uuid.UUID(sheet))
    signed = set(laid.signatures.filter(standing=True).values_list("side", flat=True))
    for side in ScoreSheet(laid).sides:
        if side not in signed:
            laid = signatures.sign(sheet_id=laid.pk, side=side, version=laid.version, actor=SYSTEM)
    return {}


def next_draw(slug: str) -> dict[str, Any]:
    """Play out the round, draw and publish the next one. Return the notices sent to devices."""
    from unittest.mock import patch

    from ledger.jobs import work_on
    from ledger.models import Job, JobState
    from tests.tournament.build import SYSTEM
    from tournament.demo.simulation import draw_and_publish, next_round
    from tournament.models import Event, Round, RoundState
    from tournament.services import push, rounds

    event = Event.objects.get(slug=slug)
    round_ = Round.objects.get(stage__event=event, state=RoundState.PLAYING)
    play(slug)
    rounds.close_round(round_id=round_.pk, actor=SYSTEM)
    following = next_round(event)
    assert following is not None
    draw_and_publish(following, SYSTEM)
    sent: list[dict[str, str]] = []
    waiting = Job.objects.filter(kind="tournament.notices", scope=event.pk, state=JobState.QUEUED)
    with patch.object(push, "send", lambda _device, message, topic: sent.append(message)):
        for job in waiting:
            work_on(str(job.pk))
    return {"sent": sent}


def drawable(language: str, players: int = 16) -> dict[str, Any]:
    """Create an event whose players are present and whose first round waits for a draw. Return its director."""
    from accounts.models import Role
    from tests.tournament.build import grant, make_event, make_user

    slug = f"loting-{uuid.uuid4().hex[:8]}"
    event = make_event(players, deals=1, cut=8, slug=slug, language=language)
    user = make_user(f"director-{slug}", password=PASSWORD)
    grant(user, Role.DIRECTOR, event.pk)
    return {"slug": slug}


def work(slug: str) -> dict[str, Any]:
    """Work on the queued jobs of an event, as the worker does."""
    from ledger.jobs import work_on
    from ledger.models import Job, JobState
    from tournament.models import Event

    event = Event.objects.get(slug=slug)
    waiting = list(Job.objects.filter(scope=event.pk, state=JobState.QUEUED))
    for job in waiting:
        work_on(str(job.pk))
    return {"jobs": len(waiting)}


def ring(round: str, minutes: int = -1) -> dict[str, Any]:
    """Set the bell of a round to ring now, or in ``minutes``."""
    from django.utils import timezone

    from ledger.change import change
    from tournament.models import Round

    at = timezone.now() + timedelta(minutes=minutes)
    with change():
        Round.objects.filter(pk=uuid.UUID(round)).update(ends_at=at)
    return {}


def confirm(sheet: str) -> dict[str, Any]:
    """Confirm the current result as a referee."""
    from ledger.actors import Actor
    from tournament.models.tables import Sheet
    from tournament.services import signatures

    laid = Sheet.objects.get(pk=uuid.UUID(sheet))
    signatures.confirm(sheet_id=laid.pk, version=laid.version, actor=Actor.system("test"))
    return {}


def revoke(sheet: str) -> dict[str, Any]:
    """Revoke the link of a sheet's table, whose slip was lost."""
    from ledger.actors import Actor
    from tournament.models.tables import Sheet
    from tournament.services.tables import revoke_link

    laid = Sheet.objects.get(pk=uuid.UUID(sheet))
    revoke_link(
        round_id=laid.table.round_id,
        table=laid.table.number,
        actor=Actor.system("test"),
        reason="lost slip",
    )
    return {}


def write(sheet: str, points: list[int], who: str = "") -> dict[str, Any]:
    """Enter deals as staff, by points of the dealer's side."""
    from ledger.actors import Actor
    from tournament.models.tables import Sheet
    from tournament.services import sheets
    from tournament.tables.score_sheet import ScoreSheet

    laid = Sheet.objects.get(pk=uuid.UUID(sheet))
    for number in points:
        dealer = ScoreSheet(laid).next_dealer()
        side = "NS" if dealer in "NS" else "EW"
        sheets.enter_deal(
            sheet_id=laid.pk,
            actor=Actor.system("test"),
            entry={
                "dealer": dealer,
                "contract": {"declarer": side, "trump": "H"},
                "points": {side: number},
            },
        )
    return {}


def disagree(sheet: str) -> dict[str, Any]:
    """Enter different first deals of a blind double entry from two phones."""
    from ledger.actors import Actor
    from tournament.models.tables import Sheet
    from tournament.services import sheets
    from tournament.services.tables import take_writing

    for side, number in (("NS", 42), ("EW", 41)):
        laid = Sheet.objects.get(pk=uuid.UUID(sheet))
        device = uuid.uuid4()
        take_writing(table_id=laid.table_id, actor=Actor.device(device), side=side, knowingly=True)
        entry = {
            "dealer": "N",
            "contract": {"declarer": "NS", "trump": "H"},
            "points": {"NS": number},
        }
        sheets.hand_in(
            sheet_id=laid.pk,
            actor=Actor.device(device),
            entry=entry,
        )
    return {}


def read(sheet: str) -> dict[str, Any]:
    """Return the stored state of a sheet: its state, current deals, results, signatures and calls."""
    from tournament.models.tables import Sheet

    laid = Sheet.objects.get(pk=uuid.UUID(sheet))
    deals = laid.deals.filter(current=True, series="official").order_by("number")
    return {
        "state": laid.state,
        "finished": laid.finished,
        "ended_by": laid.ended_by,
        "version": laid.version,
        "score": laid.score,
        "deals": [
            {
                "number": deal.number,
                "version": deal.version,
                "entry": deal.entry,
                "marks": deal.marks,
                "doubts": deal.doubts,
                "flags": len(deal.flagged),
                "reason": deal.reason,
                "by": deal.entered_by.partition(":")[0],
                "annulled": deal.annulled,
            }
            for deal in deals
        ],
        "versions": laid.deals.filter(series="official").count(),
        "series": {
            side: laid.deals.filter(current=True, series=side).count() for side in ("NS", "EW")
        },
        "results": [
            {"current": each.current, "reason": each.reason, **each.result}
            for each in laid.results.order_by("number")
        ],
        "signed": {each.side: each.signed_by for each in laid.signatures.filter(standing=True)},
        "calls": [
            {
                "reason": call.reason,
                "deal": call.deal,
                "by": call.called_by.partition(":")[0],
                "claimed": bool(call.claimed_by),
                "open": call.closed_at is None,
            }
            for call in laid.table.calls.all()
        ],
    }


def played(flagged: bool = True) -> dict[str, Any]:
    """Return a completed Belgian deal and its marks, with or without a breach of the duties.

    It is played legally under the chosen trump; under another trump the same cards break the duty to ruff or to beat.
    """
    from scoring.engine.calls import answer
    from scoring.engine.rulebook import resolve
    from tournament.demo.play import deal_and_play

    game = resolve("belgian", {})
    rules = {"rulebook": "belgian", "options": {}}
    for seed in range(500):
        record = deal_and_play(game, "N", random.Random(seed))[0]["record"]
        trump = "S" if flagged else record["trump"]
        replay = answer(
            "replay",
            {**rules, "trump": trump, "leader": record["leader"], "plays": record["plays"]},
        )
        if bool(replay["violations"]) == flagged and trump != "NT":
            contract = {"declarer": "NS", "trump": trump, "doubling": 0}
            entry = {
                "contract": contract,
                "points": replay["points"],
                "tricks": replay["tricks_won"],
            }
            return {
                "plays": record["plays"],
                "leader": record["leader"],
                "trump": trump,
                "marks": answer("score", {**rules, **entry})["marks"],
                "tricks": replay["tricks"],
                "points": replay["points"],
                "tricks_won": replay["tricks_won"],
                "flags": len(replay["violations"]),
            }
    raise LookupError("no such deal was found")


def play(slug: str) -> dict[str, Any]:
    """Play and sign the round in play at every table, as phones would."""
    from tournament.demo.simulation import play_round
    from tournament.models import Round, RoundState

    round_ = Round.objects.get(stage__event__slug=slug, state=RoundState.PLAYING)
    play_round(round_, random.Random(f"{slug} {round_.stage.order} {round_.number}"))
    return {"sheets": round_.tables.filter(sheets__isnull=False).count()}


def first_sheets(slug: str, tables: int) -> list[str]:
    """Return the first sheet of each of the first ``tables`` of the round in play."""
    from tournament.models import Round, RoundState

    round_ = Round.objects.get(stage__event__slug=slug, state=RoundState.PLAYING)
    return [
        str(table.sheets.get(order=1).pk) for table in round_.tables.order_by("number")[:tables]
    ]


def recount(slug: str) -> dict[str, Any]:
    """Recount an event: the deals added up, and the leader of its last stage."""
    from tests.tournament.recount import check_certificates, check_marks, ranks
    from tournament.models import Event

    event = Event.objects.get(slug=slug)
    stages = list(event.stages.order_by("order"))
    deals = sum(check_marks(stage) for stage in stages)
    check_certificates(event)
    names = dict(event.entrants.values_list("number", "person__name"))
    first = [names[number] for number, rank in ranks(stages[-1]).items() if rank == 1]
    return {"deals": deals, "stages": len(stages), "first": sorted(first)}


VERBS = {
    verb.__name__: verb
    for verb in (
        sheet,
        hall,
        evening,
        seat,
        end_games,
        sign_rest,
        next_draw,
        drawable,
        work,
        ring,
        confirm,
        revoke,
        write,
        disagree,
        read,
        played,
        play,
        first_sheets,
        recount,
    )
}


def serve() -> None:
    """Answer line by line until the input ends."""
    from django.db import close_old_connections

    for line in sys.stdin:
        asked = json.loads(line)
        close_old_connections()
        answer = VERBS[asked["verb"]](**asked["with"])
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    django.setup()
    serve()
