"""What the tests of the tables' pages prepare and read inside an installation.

``python -m tests.browser.inside`` answers one line of JSON for each line that it is given, so that
the application is loaded once for many tests. Everything is done by the services themselves.
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
    rulebook: str = "belgian", target: Any = None, protocol: str = "confirm", depth: str = "points",
    **options: Any,
) -> dict[str, str]:  # fmt: skip
    """A table without an event around it, and its sheet."""
    from ledger.actors import Actor
    from scoring.engine.rulebook import resolve
    from scoring.services import sheets, tables

    table = tables.open_table(scope=uuid.uuid4(), label="1/1", actor=Actor.system("test"))
    options = {"target": {"deals": 4} if target is None else target, **options}
    game = resolve(rulebook, options)
    pairs = "N" in game.seats
    seats = {"N": 1, "E": 2, "S": 3, "W": 4} if pairs else {each: int(each) for each in game.seats}
    made = sheets.open_sheet(
        table=table, order=1, rulebook=rulebook, edition=game.book.edition, options=options,
        seats=seats, first_dealer=next(iter(seats)), protocol=protocol, depth=depth,
    )  # fmt: skip
    return {"sheet": str(made.pk), "page": f"/t/{tables.table_token(table)}/"}


def hall(
    tables: int = 2, rule: str = "finish", minutes: int = 60, deals: int = 4, language: str = "en",
    rulebook: str = "belgian", protocol: str = "confirm", games: int = 1, target: Any = None,
    **options: Any,
) -> dict[str, Any]:  # fmt: skip
    """A round in play whose bell rings in so many minutes (it rang where negative), and its staff.

    With three ``games`` everybody at a table is everybody's partner once; N deals first, then E, S.
    """
    from django.utils import timezone

    from ledger.actors import Actor
    from ledger.models import Role, RoleGrant, User
    from scoring.links import token_hash
    from scoring.services import sheets
    from scoring.services.tables import open_table, table_token
    from tournament.models import Entrant, Person, Seat, Table, TableGame
    from tournament.services.entrants import entrant_token
    from tournament.services.events import create_event

    system = Actor.system("test")
    event = create_event(
        actor=system, name="Zaal", day=date(2026, 11, 21), bell_rule=rule, protocol=protocol,
        language=language, rulebook=rulebook, options=options,
    )  # fmt: skip
    part = event.stages.order_by("order")[0].rounds.order_by("number")[0]
    part.state, part.published_at = "playing", timezone.now()
    part.started_at = timezone.now() - timedelta(minutes=2)
    part.ends_at = timezone.now() + timedelta(minutes=minutes)
    part.save()
    made = []
    for number in range(1, tables + 1):
        scoring = open_table(scope=event.pk, label=f"1/{number}", actor=system)
        table = Table.objects.create(round=part, number=number, scoring_table=scoring)
        seats: dict[str, int] = {}
        badges: dict[str, str] = {}
        for place, label in enumerate("NESW"):
            person = Person.objects.create(name=f"Speler {number}{label}")
            entrant = Entrant.objects.create(event=event, number=10 * number + place, person=person)
            Seat.objects.create(round=part, table=table, position=label, entrant=entrant)
            seats[label] = entrant.pk
            entrant.link_hash = token_hash(entrant_token(entrant))
            entrant.save(update_fields=["link_hash"])
            badges[label] = f"/sign/{entrant_token(entrant)}/"
        laid = []
        for order, turned in enumerate(("NESW", "NWES", "NSWE")[:games], 1):
            laid.append(
                sheets.open_sheet(
                    table=scoring,
                    order=order,
                    rulebook=event.rulebook,
                    edition=event.edition,
                    options={"target": target or {"deals": deals}, **options},
                    seats={seat: seats[who] for seat, who in zip("NESW", turned, strict=True)},
                    first_dealer="NES"[order - 1],
                    protocol=protocol,
                )
            )
            TableGame.objects.create(
                table=table, number=order, sides={"NS": ["N", "S"], "EW": ["E", "W"]},
                sheet=laid[-1],
            )  # fmt: skip
        made.append(
            {"sheet": str(laid[0].pk), "sheets": [str(each.pk) for each in laid],
             "page": f"/t/{table_token(scoring)}/", "badges": badges}
        )  # fmt: skip
    for name, role in (("director", Role.DIRECTOR), ("referee", Role.REFEREE)):
        user = User.objects.create_user(f"{name}-{event.slug}", password=PASSWORD)
        RoleGrant.objects.create(user=user, scope=event.pk, role=role)
    return {"slug": event.slug, "round": str(part.pk), "tables": made}


def ring(round: str, minutes: int = -1) -> dict[str, Any]:
    """The bell of a round rings now, or in so many minutes."""
    from django.utils import timezone

    from tournament.models import Round

    at = timezone.now() + timedelta(minutes=minutes)
    Round.objects.filter(pk=uuid.UUID(round)).update(ends_at=at)
    return {}


def write(sheet: str, points: list[int], who: str = "") -> dict[str, Any]:
    """Enter deals by points of the side that dealt, as staff."""
    from ledger.actors import Actor
    from scoring.models import Sheet
    from scoring.services import sheets

    laid = Sheet.objects.get(pk=uuid.UUID(sheet))
    for number in points:
        dealer = sheets.next_dealer(laid, sheets.current_deals(laid))
        side = "NS" if dealer in "NS" else "EW"
        sheets.enter_deal(
            sheet_id=laid.pk, actor=Actor.system("test"),
            entry={"dealer": dealer, "contract": {"declarer": side, "trump": "H"},
                   "points": {side: number}},
        )  # fmt: skip
    return {}


def disagree(sheet: str) -> dict[str, Any]:
    """Two phones write the first deal of a blind double entry differently."""
    from ledger.actors import Actor
    from scoring.models import Sheet
    from scoring.services import at_table
    from scoring.services.tables import take_writing

    for side, number in (("NS", 42), ("EW", 41)):
        laid = Sheet.objects.get(pk=uuid.UUID(sheet))
        device = uuid.uuid4()
        take_writing(table_id=laid.table_id, device=device, side=side, knowingly=True)
        at_table.hand_in(
            sheet=laid, actor=Actor.device(device),
            entry={"dealer": "N", "contract": {"declarer": "NS", "trump": "H"},
                   "points": {"NS": number}},
        )  # fmt: skip
    return {}


def read(sheet: str) -> dict[str, Any]:
    """What the database holds of a sheet: state, current deals, results, signatures, calls."""
    from scoring.models import Sheet

    laid = Sheet.objects.get(pk=uuid.UUID(sheet))
    deals = laid.deals.filter(current=True, series="official").order_by("number")
    return {
        "state": laid.state, "finished": laid.finished, "ended_by": laid.ended_by,
        "version": laid.version, "score": laid.score,
        "deals": [
            {"number": deal.number, "version": deal.version, "entry": deal.entry,
             "marks": deal.marks, "doubts": deal.doubts, "flags": len(deal.flagged),
             "reason": deal.reason, "by": deal.entered_by.partition(":")[0],
             "annulled": deal.annulled}
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
            {"reason": call.reason, "deal": call.deal, "by": call.called_by.partition(":")[0],
             "claimed": bool(call.claimed_by), "open": call.closed_at is None}
            for call in laid.table.calls.all()
        ],
    }  # fmt: skip


def played(flagged: bool = True) -> dict[str, Any]:
    """A Belgian deal played to its end and its marks, with a breach of the duties or without one.

    Played out legally under the trump that was chosen; under another trump the same cards break
    the duty to ruff or to beat.
    """
    from scoring.engine.calls import answer
    from scoring.engine.rulebook import resolve
    from tournament.demo.play import deal_and_play

    game = resolve("belgian", {})
    rules = {"rulebook": "belgian", "options": {}}
    for seed in range(500):
        record = deal_and_play(game, "N", random.Random(seed))["record"]
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
            return {"plays": record["plays"], "leader": record["leader"], "trump": trump,
                    "marks": answer("score", {**rules, **entry})["marks"],
                    "tricks": replay["tricks"], "points": replay["points"],
                    "tricks_won": replay["tricks_won"],
                    "flags": len(replay["violations"])}  # fmt: skip
    raise LookupError("no such deal was found")


VERBS = {verb.__name__: verb for verb in (sheet, hall, ring, write, disagree, read, played)}


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
