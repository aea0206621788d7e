"""Every code by which a service refuses is raised by a test.

``RAISED`` raises the plain ones, each through the service or page that people use, in one event in the middle of its
second round; the effects are rolled back. The check reads the codes from the source and the tests' texts: a new code
without a test fails it.
"""

from __future__ import annotations

import ast
import gzip
import json
import uuid
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from functools import partial
from pathlib import Path
from typing import Any, Final

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import api_tokens, roles, second_step, staff
from accounts.limits import Limit
from accounts.models import Role, User
from adjudication.services import (
    access,
    appeals,
    codes,
    confirmations,
    evidence,
    incidents,
    rulings,
)
from ledger import errors
from ledger.actors import Actor
from ledger.change import change
from ledger.jobs import work_on
from ledger.models import ORGANISATION
from tests.accounts.test_second_step import code_of
from tests.adjudication.build import revoked_deal, sheet_at, stating
from tests.catalogs import modules_with
from tests.security.hall import REFEREE, REVOKE, Hall, an_event_in_play, with_staff
from tests.tables.build import a_sheet, simple
from tests.tables.build import token as token_of_table
from tests.tables.test_sheets_rules import ONE, TWO, blind, hand
from tests.tournament.build import SYSTEM, chance, make_event, varied
from tests.tournament.test_stages import event_of, level_event, publish_next, settle
from tournament.demo.simulation import advance
from tournament.models import Draw, Stage
from tournament.models.tables import Protocol
from tournament.queries.papers_people import read_prizes
from tournament.services import (
    archive,
    clock,
    draws,
    edits,
    entrant_edits,
    entrants,
    events,
    publication,
    registrations,
    reseating,
    sheets,
    signatures,
    stage_plans,
    stages,
    tables,
)
from tournament.services.adjustments import Amount, adjust
from tournament.services.documents import BUILDERS, request_document
from tournament.services.event_life import delete_event, finish_event
from tournament.services.events import championship_plan
from tournament.services.standings import set_state

pytestmark = pytest.mark.django_db
ROOT: Final = Path(__file__).parents[1]
NOBODY: Final = uuid.UUID(int=7)


@pytest.fixture(scope="module")
def hall(django_db_setup: Any, django_db_blocker: Any) -> Iterator[Hall]:
    """Create one event for all refusals, rolled back at their end."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield with_staff(an_event_in_play("Own"))
        transaction.set_rollback(True)


def account(hall: Hall, role: str = Role.DIRECTOR) -> User:
    """Return a member of staff of the hall."""
    return hall.staff[role]


def as_player(hall: Hall, table: int) -> Actor:
    """Return a player of a table of the round in play."""
    sheet = hall.round_.tables.get(number=table).sheets.get(order=1)
    return Actor.player(sheet.seats["N"])


def token(hall: Hall, **more: Any) -> Any:
    user = account(hall, Role.ADMIN)
    wanted = {"name": "t", "scope": ORGANISATION, "may_write": False, "days": 1, **more}
    return api_tokens.issue(user_id=user.pk, actor=SYSTEM, **wanted)


def many_tokens(hall: Hall) -> None:
    for _each in range(api_tokens.MOST_OPEN + 1):
        token(hall)


def too_many(hall: Hall) -> None:
    limit = Limit("test", 1, 60)
    limit.check("me")
    limit.check("me")


def grant(hall: Hall, role: str, user: User) -> Any:
    return roles.grant_role(user_id=user.pk, role=role, scope=hall.event.pk, actor=SYSTEM)


def closed_account(hall: Hall) -> None:
    user = account(hall, Role.READER)
    staff.set_active(user_id=user.pk, active=False, actor=SYSTEM)
    grant(hall, Role.REFEREE, user)


def own_role(hall: Hall) -> None:
    user = account(hall)
    roles.revoke_role(
        user_id=user.pk, role=Role.DIRECTOR, scope=hall.event.pk, actor=Actor.user(user.pk)
    )


def second_step_twice(hall: Hall) -> None:
    user = account(hall)
    second_step.begin(user_id=user.pk)
    second_step.confirm(user_id=user.pk, code=code_of(user), actor=SYSTEM)
    second_step.begin(user_id=user.pk)


def stage(hall: Hall, **values: Any) -> Stage:
    return stage_plans.change_stage(event_id=hall.event.pk, actor=SYSTEM, order=3, **values)


def answered_twice(hall: Hall) -> None:
    events.update_event(event_id=hall.event.pk, actor=SYSTEM, changes={"registration": True})
    made = registrations.register(event_id=hall.event.pk, name="Jef")
    for _twice in range(2):
        registrations.refuse(registration_id=made.pk, actor=SYSTEM)


def paper(hall: Hall, kind: str, event: Any = None, **asked: Any) -> Any:
    return BUILDERS[kind](event or hall.event, asked, "nl", "a4")


def asked_paper(hall: Hall, **more: Any) -> Any:
    wanted = {"kind": "standings", "language": "nl", "paper": "a4", "parameters": {}, **more}
    return request_document(event_id=hall.event.pk, actor=SYSTEM, **wanted)


def incident(hall: Hall, number: int = 2) -> Any:
    return incidents.incident_by_number(hall.event, number)


def opened(hall: Hall, **more: Any) -> Any:
    wanted = {"table_id": hall.round_.tables.get(number=1).pk, "description": "talk", **more}
    return incidents.open_incident(event_id=hall.event.pk, actor=SYSTEM, **wanted)


def handed_over(_hall: Hall, matter: Any) -> Any:
    return stating(
        confirmations.hand_over,
        incident_id=matter.pk,
        article="000-P1",
        facts=REVOKE,
        claimed="in_time",
        actor=REFEREE,
    )


def correct(hall: Hall, **changes: Any) -> Any:
    return entrant_edits.correct_entrant(
        entrant_id=hall.event.entrants.get(number=1).pk, actor=SYSTEM, changes=changes
    )


def first_stage(hall: Hall) -> Stage:
    return hall.event.stages.get(order=1)


def finished_and_published(hall: Hall) -> None:
    made = make_event(8, name="Over")
    round_ = made.stages.get(order=1).rounds.get(number=1)
    draw = drawn(round_)
    finish_event(event_id=made.pk, actor=SYSTEM, despite_open=True)
    publication.publish_draw(draw_id=draw.pk, actor=SYSTEM)


def drawn(round_: Any) -> Draw:
    work_on(str(draws.request_draw(round_id=round_.pk, actor=SYSTEM).pk))
    found = round_.draws.order_by("-number").first()
    assert isinstance(found, Draw)
    return found


def discarded(act: Callable[[Draw], Any]) -> Callable[[Hall], Any]:
    def raised(hall: Hall) -> None:
        draw = drawn(make_event(8, name="Drawn").stages.get(order=1).rounds.get(number=1))
        draws.discard_draw(draw_id=draw.pk, actor=SYSTEM)
        act(draw)

    return raised


def frozen(hall: Hall) -> None:
    set_state(stage_id=first_stage(hall).pk, state="frozen", actor=SYSTEM)
    stages.take_back_order(stage_id=first_stage(hall).pk, actor=SYSTEM, reason="why")


def taken_up(hall: Hall) -> None:
    event = make_event(4, name="Elsewhere")
    packed = archive.pack(event.pk)
    make_event(0, name="Taken", slug="taken")
    delete_event(event_id=event.pk, actor=SYSTEM)
    archive.take_up(file=packed, actor=SYSTEM, slug="taken")


def unfinished(hall: Hall) -> Any:
    return hall.round_.tables.get(number=2).sheets.get(order=1)


def differing(_hall: Hall) -> None:
    """Enter the same two deals for both sides, then correct the first deal of one side."""
    sheet = blind()
    for entry in (simple(42), {**simple(33), "dealer": "E"}):
        for phone in (ONE, TWO):
            hand(sheet, entry, phone)
    sheets.correct_deal(sheet_id=sheet.pk, number=1, entry=simple(41), reason="41", actor=ONE)
    sheet.refresh_from_db()
    signatures.sign(sheet_id=sheet.pk, side="EW", version=sheet.version, actor=TWO)


def swapped_late(_hall: Hall) -> None:
    """Swap two players by hand in the second round of a knock-out."""
    event = event_of(8, "ko", rounds=1)
    settle(publish_next(event))
    draw = drawn(event.stages.get().rounds.get(number=2))
    one, two = (event.entrants.get(pk=table["players"][0]).number for table in draw.tables[:2])
    edits.make(draw_id=draw.pk, edit=edits.Edit("swap", one=one, two=two), after=0, actor=SYSTEM)


def closed_with_a_later_draw(hall: Hall) -> None:
    table = first_stage(hall).rounds.get(number=1).tables.get(number=1)
    late = opened(hall, table_id=table.pk, game=1, deal=1)
    stating(
        rulings.issue,
        incident_id=late.pk,
        actor=REFEREE,
        reason="seen",
        article="000-P1",
        facts=REVOKE,
        next_round="later",
    )


def drawn_behind_it(_hall: Hall) -> None:
    stage = level_event("lots").stages.get(order=1)
    stages.draw_lots(stage_id=stage.pk, actor=SYSTEM)
    following = stages.open_next_stage(stage_id=stage.pk, actor=SYSTEM)
    drawn(following.rounds.get(number=1))
    stages.take_back_order(stage_id=stage.pk, actor=SYSTEM, reason="why")


def without_such_play(hall: Hall) -> None:
    sheet = sheet_at(hall.round_, table=2)
    entry, _found = revoked_deal(sheet)
    sheets.enter_deal(sheet_id=sheet.pk, entry=entry, actor=SYSTEM)
    seen = opened(hall, table_id=sheet.table_id, game=1, deal=1)
    evidence.ask_equity(incident_id=seen.pk, index=9, actor=SYSTEM)


def exchanged(hall: Hall) -> None:
    """Exchange two players after a ruling took points from one of them."""
    seats = [hall.round_.tables.get(number=n).seats.order_by("position").first() for n in (1, 2)]
    adjust(
        stage_id=hall.round_.stage_id,
        source="ruling:test",
        amounts=[Amount(seats[0].entrant_id, marks=-5)],
        reason="late",
        actor=SYSTEM,
        round_id=hall.round_.pk,
    )
    one, two = (seat.entrant.number for seat in seats)
    reseating.exchange(round_id=hall.round_.pk, one=one, two=two, actor=SYSTEM, reason="swap")


def bomb(_hall: Hall) -> None:
    """Import a small file that unpacks to more than the limit."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(archive, "MOST", 1000)
        archive.take_up(file=gzip.compress(bytes(1001)), actor=SYSTEM)


def all_excluded(hall: Hall) -> None:
    """Print diplomas of an event whose players were all disqualified."""
    plan = [varied(championship_plan(deals=1, cut=4)[0], cut={}, rounds_planned=1)]
    event = make_event(4, name="Out", plan=plan)
    advance(event, chance())
    stage = event.stages.get()
    out = [Amount(each.pk, disqualified=True) for each in event.entrants.all()]
    adjust(stage_id=stage.pk, source="ruling:out", amounts=out, reason="why", actor=SYSTEM)
    set_state(stage_id=stage.pk, state="final", actor=SYSTEM)
    paper(hall, "certificates", event)


def registered(hall: Hall) -> None:
    events.update_event(event_id=hall.event.pk, actor=SYSTEM, changes={"registration": True})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(registrations, "MOST_ASKED", 1)
        for name in ("Jef", "Mia"):
            registrations.register(event_id=hall.event.pk, name=name)


def replaced(_hall: Hall) -> None:
    event = make_event(8, name="Drawn")
    entrants.enter_player(event_id=event.pk, name="New", actor=SYSTEM, reserve=True)
    draw = drawn(event.stages.get(order=1).rounds.get(number=1))
    reseating.replace_player(event_id=event.pk, old=1, new=9, actor=SYSTEM)
    edits.undo(draw_id=draw.pk, actor=SYSTEM)


RAISED: Final[dict[str, Callable[[Hall], Any]]] = {
    "archive_too_large": bomb,
    # Accounts
    "bad_days": partial(token, days=400),
    "no_role_there": lambda h: api_tokens.issue(
        user_id=account(h).pk, name="t", scope=NOBODY, may_write=False, days=1, actor=SYSTEM
    ),
    "too_many_tokens": many_tokens,
    "no_such_token": lambda h: api_tokens.revoke(
        token_id=NOBODY, user_id=account(h).pk, actor=SYSTEM
    ),
    "too_many": too_many,
    "account_closed": closed_account,
    "last_administrator": lambda h: staff.set_active(
        user_id=account(h, Role.ADMIN).pk, active=False, actor=SYSTEM
    ),
    "bad_role": lambda h: grant(h, Role.ADMIN, account(h)),
    "own_role": own_role,
    "no_such_account": lambda h: staff.give_password(user_id=10**6, actor=SYSTEM),
    "bad_user_name": lambda h: staff.create_account(name="two words", actor=SYSTEM),
    "user_name_taken": lambda h: staff.create_account(
        name=account(h).username.upper(), actor=SYSTEM
    ),
    "already_set_up": lambda h: staff.create_first_account(name="first", password="secret-12"),
    "second_step_off": lambda h: second_step.renew_codes(user_id=account(h).pk, actor=SYSTEM),
    "second_step_on": second_step_twice,
    "second_step_not_begun": lambda h: second_step.confirm(
        user_id=account(h).pk, code="123456", actor=SYSTEM
    ),
    # Referees
    "not_staff": lambda h: access.link_player(
        event_id=h.event.pk, user=10**6, number=1, actor=SYSTEM
    ),
    "no_such_player": lambda h: access.link_player(
        event_id=h.event.pk, user=account(h).pk, number=999, actor=SYSTEM
    ),
    "grounds_missing": lambda h: appeals.lodge(
        ruling_id=h.appeal.ruling_id, side="EW", grounds=" ", actor=SYSTEM
    ),
    "not_your_side": lambda h: appeals.lodge(
        ruling_id=h.appeal.ruling_id, side="EW", grounds="no", actor=as_player(h, 1)
    ),
    "no_such_appeal": lambda h: appeals.withdraw(appeal_id=NOBODY, actor=SYSTEM),
    "unknown_policy": lambda h: codes.change_code(
        event_id=h.event.pk, policy="gold", reason="why", actor=SYSTEM
    ),
    "no_record": lambda h: evidence.ask_equity(
        incident_id=incident(h, 1).pk, index=0, actor=SYSTEM
    ),
    "told_missing": partial(opened, description=" "),
    "game_missing": partial(opened, table_id=None, deal=1),
    "no_such_deal": partial(opened, game=1, deal=99),
    "ruled_already": lambda h: incidents.place_incident(
        incident_id=incident(h, 1).pk, actor=SYSTEM, game=1, deal=1
    ),
    "incident_closed": lambda h: handed_over(h, incident(h, 1)),
    "own_right": lambda h: handed_over(h, opened(h, game=1, deal=1)),
    "no_table": lambda h: incidents.place_incident(
        incident_id=opened(h, table_id=None).pk, actor=SYSTEM, game=1, deal=1
    ),
    "nothing_to_merge": lambda h: incidents.merge(
        incident_id=incident(h).pk, into=99, actor=SYSTEM
    ),
    "no_such_incident": lambda h: incident(h, 99),
    "no_such_call": lambda h: incidents.take_call(call_id=NOBODY, actor=SYSTEM),
    "no_such_ruling": lambda h: rulings.ruling_by_number(h.event, 99),
    "next_round_missing": closed_with_a_later_draw,
    "no_such_play": without_such_play,
    "penal_code": lambda h: codes.change_code(
        event_id=h.event.pk, actor=SYSTEM, reason="why", content={"articles": [{"id": "H-1"}]}
    ),
    # Papers
    "no_standings": all_excluded,
    "unknown_document": partial(asked_paper, kind="poem"),
    "unknown_choice": partial(asked_paper, paper="a0"),
    "no_bracket": partial(paper, kind="bracket"),
    "nothing_published": lambda h: paper(h, "slips", make_event(8, name="New")),
    "no_such_round": partial(paper, kind="slips", round=str(NOBODY)),
    "no_such_stage": partial(paper, kind="standings", stage=9),
    "too_many_prizes": lambda h: read_prizes("1-1001: 5"),
    "fee_missing": partial(paper, kind="receipts", fee="much"),
    "nobody_paid": lambda h: paper(h, "receipts", make_event(0, name="Empty"), fee="5"),
    "nobody_entered": lambda h: paper(h, "badges", make_event(0, name="Empty")),
    # Events and stages
    "unknown_field": partial(correct, colour="red"),
    "wrong_value": partial(correct, email="nowhere"),
    "name_too_long": partial(correct, name="a" * 101),
    "number_range": partial(correct, number=0),
    "minutes_out_of_range": lambda h: clock.extend_round(
        round_id=h.round_.pk, minutes=0, actor=SYSTEM
    ),
    "unknown_credit": partial(stage, credit="gold"),
    "unknown_format": partial(stage, format="chess"),
    "rounds_out_of_range": partial(stage, rounds_planned=61),
    "games_out_of_range": partial(stage, games_per_round=2),
    "no_end": partial(stage, deals_per_game=None, target=None),
    "whole_and_all_in": partial(stage, cut={"top": 4, "whole": True, "tie": "all_in"}),
    "half_or_number": partial(stage, cut={"half": True, "top": 4}),
    "seconds_of_tables": partial(stage, cut={"top": 4, "fill": "seconds"}),
    "first_stage": lambda h: stage_plans.remove_stage(
        event_id=make_event(0, name="Empty").pk, order=1, actor=SYSTEM
    ),
    "format_misfit": lambda h: events.create_event(
        actor=SYSTEM,
        name="Three",
        day=date(2026, 11, 21),
        rulebook="three-player",
        plan=[events.new_stage("Rounds", format="ko")],
    ),
    "name_missing": partial(correct, name=" "),
    "no_cut": lambda h: stages.qualifiers(h.event.stages.get(order=3)),
    "last_stage": lambda h: stages.open_next_stage(
        stage_id=h.event.stages.get(order=3).pk, actor=SYSTEM
    ),
    "standings_fixed": frozen,
    "slug_taken": taken_up,
    "next_stage_drawn": drawn_behind_it,
    "registration_full": registered,
    # Rounds and draws
    "not_published": lambda h: clock.start_round(
        round_id=first_stage(h).rounds.get(number=3).pk, actor=SYSTEM
    ),
    "clock_not_running": lambda h: clock.pause_round(
        round_id=first_stage(h).rounds.get(number=1).pk, actor=SYSTEM
    ),
    "seed_too_long": lambda h: draws.request_draw(
        round_id=first_round(h).pk, seed="s" * 61, actor=SYSTEM
    ),
    "no_such_draw": lambda h: draws.request_draw(
        round_id=first_round(h).pk, keep_of=NOBODY, keep=[1], actor=SYSTEM
    ),
    "draw_discarded": discarded(
        lambda draw: publication.publish_draw(draw_id=draw.pk, actor=SYSTEM)
    ),
    "not_a_candidate": discarded(
        lambda draw: publication.publish_later(
            draw_id=draw.pk, at=timezone.now() + timedelta(hours=1), actor=SYSTEM
        )
    ),
    "event_finished": finished_and_published,
    "bracket_fixed": swapped_late,
    "points_adjusted": exchanged,
    "replacement_stands": replaced,
    "not_at_table": lambda h: reseating.decide_match(
        round_id=h.round_.pk, table=1, winner=999, reason="why", actor=SYSTEM
    ),
    "already_plays": lambda h: entrants.check_out(
        entrant_id=h.event.entrants.get(number=1).pk, actor=SYSTEM
    ),
    "already_answered": answered_twice,
    "registration_closed": lambda h: registrations.register(event_id=h.event.pk, name="Jef"),
    # At the table
    "not_your_table": lambda h: signatures.withdraw_signatures(
        sheet_id=unfinished(h).pk, version=unfinished(h).version, actor=as_player(h, 1)
    ),
    "entries_differ": differing,
    "nothing_entered": lambda h: signatures.confirm(
        sheet_id=unfinished(h).pk, version=unfinished(h).version, actor=SYSTEM
    ),
    "not_signed": lambda h: tables.contest_result(
        sheet_id=unfinished(h).pk, actor=as_player(h, 2), reason="wrong"
    ),
}
"""The call that raises each code."""


def first_round(hall: Hall) -> Any:
    """Return a round that can be drawn."""
    return make_event(8, name="To draw").stages.get(order=1).rounds.get(number=1)


@pytest.fixture
def _undone(hall: Hall) -> Iterator[None]:
    """Roll back the test's changes to the hall."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.mark.usefixtures("_undone")
@pytest.mark.parametrize("code", RAISED)
def test_the_service_refuses(code: str, hall: Hall) -> None:
    with pytest.raises(errors.Refused) as refusal:
        RAISED[code](hall)
    assert refusal.value.code == code
    assert str(refusal.value)


ANSWERED: Final[dict[str, tuple[str, str, str, Any]]] = {
    "not_a_number": ("", "GET", "players/?page=x", None),
    "unknown_word": ("", "GET", "players/?state=gold", None),
    "no_such_confirmation": (Role.REFEREE, "GET", f"confirmations/{NOBODY}/", None),
    "no_such_proof": (Role.REFEREE, "GET", f"incidents/2/proofs/{NOBODY}/", None),
}
"""Caller, request and body to the event's API that raise each code."""


@pytest.mark.parametrize("code", ANSWERED)
def test_the_api_refuses(code: str, hall: Hall, client: Client) -> None:
    role, verb, where, body = ANSWERED[code]
    if role:
        client.force_login(account(hall, role))
    address = f"/api/v1/events/{hall.event.slug}/{where}"
    answer = client.generic(verb, address, json.dumps(body), content_type="application/json")
    assert answer.json()["code"] == code


def post(hall: Hall, role: str, where: str, **form: Any) -> Any:
    """Post a form as a member of staff. Return the answer."""
    client = Client()
    client.force_login(account(hall, role))
    client.cookies["django_language"] = "en"
    return client.post(where, form, follow=True)


def moved(hall: Hall) -> Any:
    where = hall.fill("desk/<slug:slug>/draws/<uuid:draw_id>/")
    return post(hall, Role.DIRECTOR, where, act="make", verb="move", table=1, to=9, after=0)


def erased(hall: Hall) -> Any:
    # No verb shares a person between events, but an event of an early release may.
    other = make_event(4, name="Other").entrants.get(number=1)
    other.person = hall.event.entrants.get(number=3).person
    with change():
        other.save()
    return post(hall, Role.DIRECTOR, hall.fill("desk/<slug:slug>/players/3/data/"), sure="on")


def unsigned(hall: Hall) -> Any:
    return Client(headers={"accept-language": "en"}).post(
        f"/sign/{hall.player_token}/", {"sheet": NOBODY, "side": "NS", "version": 1}
    )


def chosen_twice(hall: Hall) -> Any:
    where = reverse("table", args=[token_of_table(a_sheet(protocol=Protocol.DOUBLE))])
    answers = [
        Client(headers={"accept-language": "en"}).post(
            where, {"verb": "choose", "writing_for": "NS"}
        )
        for _phone in range(2)
    ]
    assert answers[0].status_code == 302
    return answers[1]


SHOWN: Final[dict[str, tuple[Callable[[Hall], Any], str]]] = {
    "leader_missing": (
        lambda h: post(
            h, Role.REFEREE, h.fill("referee/<slug:slug>/incidents/2/prove/"), trump="H", t1="7H"
        ),
        "Trick 1: enter who led.",
    ),
    "number_missing": (
        lambda h: post(
            h, Role.REFEREE, h.fill("referee/<slug:slug>/incidents/2/merge/"), into="one"
        ),
        "Give a whole number.",
    ),
    "nothing_waits": (unsigned, "There is nothing left for you to sign here."),
    "plays_elsewhere": (erased, "only the administrator can erase the data."),
    "side_taken": (chosen_twice, "Another phone is already recording for this side."),
    "tables_laid": (moved, "Published tables keep their numbers."),
}
"""The form sent to a page and the text that it then shows, by code."""


@pytest.mark.usefixtures("_undone")
@pytest.mark.parametrize("code", SHOWN)
def test_the_page_refuses(code: str, hall: Hall) -> None:
    send, words = SHOWN[code]
    assert words in " ".join(send(hall).content.decode().split())


KINDS: Final = sorted(
    name
    for name, kind in vars(errors).items()
    if isinstance(kind, type) and issubclass(kind, errors.Refused)
)


def codes_of(tree: ast.AST) -> Iterator[str]:
    """Yield the codes with which a module refuses."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
            called = node.func
            name = getattr(called, "id", "") or getattr(called, "attr", "")
            if name in KINDS and isinstance(node.args[0].value, str):
                yield node.args[0].value


def texts_of(source: str) -> set[str]:
    """Return every string of a module."""
    return {
        node.value
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def test_every_code_is_raised_by_a_test() -> None:
    refusing = modules_with(rf"\b({'|'.join(KINDS)})\(")
    known = {code for _path, tree in refusing for code in codes_of(tree)}
    assert len(known) > 200
    unnamed = known - {*RAISED, *ANSWERED, *SHOWN}
    for path in sorted((ROOT / "tests").rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        if path != Path(__file__) and any(f'"{code}"' in source for code in unnamed):
            unnamed -= texts_of(source)
    assert unnamed == set()


def test_the_check_sees_a_new_code() -> None:
    tree = ast.parse("raise Conflict('brand_new', _('No.'), field='x')\nOther('not_one')")
    assert list(codes_of(tree)) == ["brand_new"]
