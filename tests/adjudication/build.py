"""An event in play for the tests of rulings: a drawn round, sheets, deals card by card, referees."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any

from accounts.models import Role, User
from adjudication.models import Appeal, Incident, Ruling
from adjudication.services import appeals, incidents, rulings
from adjudication.services.proposals import Stated
from ledger.actors import Actor
from scoring.engine.calls import answer
from tests.tournament.build import grant, make_event, varied
from tournament.demo.offence import deal_with_revoke
from tournament.demo.simulation import draw_and_publish
from tournament.models import Event, Round, Stage
from tournament.models.tables import Sheet
from tournament.services import sheets, signatures
from tournament.services.events import championship_plan
from tournament.tables.score_sheet import ScoreSheet

SYSTEM = Actor.system("test")
REFEREE = Actor.user(900001)
SECOND = Actor.user(900002)
COMMITTEE = Actor.user(900003)
THIRD = Actor.user(900004)
REVOKE = {"offender": "N", "trick": 3, "noticed": "after_deal"}
"""Facts of a revoke by North, as articles 000-P1 and 000-P2 require them."""


def event_in_play(
    rulebook: str = "parlee", *, players: int = 8, deals: int = 2, cut: int = 4, **more: Any
) -> tuple[Event, Round]:
    """Create a championship whose first round is published and in play."""
    event = make_event(players, rulebook=rulebook, deals=deals, cut=cut, **more)
    round_ = event.stages.get(order=1).rounds.get(number=1)
    return event, draw_and_publish(round_, SYSTEM)


def rounds_only(deals: int) -> list[Stage]:
    """Return the plan of an event with rounds and no later stage."""
    return [varied(championship_plan(deals=deals, cut=8)[0], cut={})]


def as_chiefs(event: Event, *actors: Actor) -> None:
    """Give each actor an account as chief referee of the event."""
    for actor in actors:
        user, _made = User.objects.get_or_create(
            pk=int(actor.id), defaults={"username": f"chief-{actor.id}"}
        )
        grant(user, Role.CHIEF_REFEREE, event.pk)


def committee(event: Event) -> list[int]:
    """Return the account of the second member of the event's appeals committee."""
    user, _made = User.objects.get_or_create(pk=900_005, defaults={"username": "assessor"})
    grant(user, Role.APPEALS, event.pk)
    return [user.pk]


def hear(*, appeal_id: Any, **given: Any) -> Appeal:
    """Decide an appeal by the actor and the second member of the committee."""
    event = Appeal.objects.select_related("ruling__event").get(pk=appeal_id).ruling.event
    return appeals.hear(appeal_id=appeal_id, **{"members": committee(event), **given})


def sheet_at(round_: Round, table: int = 1, game: int = 1) -> Sheet:
    """Return the sheet of a game at a table."""
    return round_.tables.get(number=table).sheets.get(order=game)


def points_entry(
    sheet: Sheet, points: int, *, trump: str = "H", dealer: str = ""
) -> dict[str, Any]:
    """Return the entry of a deal in which N-S took ``points``."""
    listed = ScoreSheet(sheet).current()
    contract: dict[str, Any] = {"trump": trump}
    if sheet.rulebook not in ("parlee", "boussac"):
        contract["declarer"] = "NS"
    return {
        "dealer": dealer or ScoreSheet(sheet).next_dealer(listed),
        "contract": contract,
        "points": {"NS": points},
    }


def enter(sheet: Sheet, *points: int) -> Sheet:
    """Enter deals by the points of N-S."""
    for each in points:
        sheets.enter_deal(sheet_id=sheet.pk, entry=points_entry(sheet, each), actor=SYSTEM)
    sheet.refresh_from_db()
    return sheet


def sign(sheet: Sheet) -> Sheet:
    """Sign the sheet for both sides."""
    for side in ("NS", "EW"):
        sheet = signatures.sign(sheet_id=sheet.pk, side=side, version=sheet.version, actor=SYSTEM)
    return sheet


def incident_at(
    event: Event,
    round_: Round,
    *,
    table: int = 1,
    game: int = 1,
    deal: int | None = 1,
    actor: Actor = REFEREE,
) -> Incident:
    """Open an incident that the referee saw."""
    return incidents.open_incident(
        event_id=event.pk,
        table_id=round_.tables.get(number=table).pk,
        description="renonce",
        actor=actor,
        game=game,
        deal=deal,
    )


def stating(decide: Callable[..., Any], **given: Any) -> Any:
    """Call a service of rulings, with part of the arguments wrapped in ``Stated``.

    Without ``against_record`` the referee has confirmed that an offence on a deal is another than one ruled on before.
    """
    given.setdefault("against_record", ["again"])
    stated = {each.name for each in fields(Stated)} & set(given)
    return decide(stated=Stated(**{name: given.pop(name) for name in stated}), **given)


def ruled_revoke(event: Event, round_: Round, **more: Any) -> Ruling:
    """Rule by 000-P1 on a revoke in the first deal of the first table."""
    return stating(
        rulings.issue,
        incident_id=incident_at(event, round_).pk,
        article="000-P1",
        facts=REVOKE,
        actor=REFEREE,
        **more,
    )


def revoked_deal(sheet: Sheet, *, proved_at: int = 6, seed: int = 1) -> tuple[dict[str, Any], dict]:
    """Return the sheet's next deal, card by card, with one revoke that ``proved_at`` shows."""
    dealer = ScoreSheet(sheet).next_dealer()
    entry = deal_with_revoke(ScoreSheet(sheet).game, dealer, proved_at=proved_at, seed=seed)
    rules = {"rulebook": sheet.rulebook, "options": sheet.options}
    replayed: Any = answer("replay", {**rules, **entry["record"]})
    return entry, replayed["violations"][0]
