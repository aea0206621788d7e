"""The services of draws: formats through the database, exactly-once, publication complete or not at all."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from django.db import DatabaseError, connection
from django.utils import timezone

from ledger import jobs
from ledger.audit import breaks
from ledger.errors import Conflict, Refused
from ledger.models import AuditEntry, Job, JobState
from tests.moment import later
from tests.tournament.build import SYSTEM, chance, make_event
from tournament.demo.simulation import play_sheet
from tournament.drawing import formats
from tournament.drawing.spec import spec_as_json, spec_from_json
from tournament.models import Bye, Draw, DrawState, Event, Round, RoundState, Seat, Table
from tournament.models.tables import Sheet
from tournament.pairing.chance import Chance
from tournament.pairing.search import improve
from tournament.services import (
    bans_and_wishes,
    clock,
    draws,
    edits,
    entrants,
    publication,
    reseating,
)
from tournament.services.edits import Edit

pytestmark = pytest.mark.django_db


class Killed(BaseException):
    """Simulates the death of a worker: no later line runs."""


def round_of(event: Event, number: int = 1, stage: int = 1) -> Round:
    return Round.objects.get(stage__event=event, stage__order=stage, number=number)


def drawn(event: Event, number: int = 1, **more: Any) -> Draw:
    """Return a candidate for a round, made by its job."""
    job = draws.request_draw(round_id=round_of(event, number).pk, actor=SYSTEM, **more)
    jobs.work_on(str(job.pk))
    job.refresh_from_db()
    assert job.state == JobState.DONE, job.failure
    return Draw.objects.select_related("round__stage__event").get(pk=job.result["draw"])


def published(event: Event, number: int = 1, **more: Any) -> Draw:
    candidate = drawn(event, number, **more)
    publication.publish_draw(draw_id=candidate.pk, actor=SYSTEM)
    candidate.refresh_from_db()
    return candidate


@pytest.fixture(scope="module")
def built(module_database: None) -> Draw:
    return drawn(make_event(8))


@pytest.fixture
def candidate(built: Draw) -> Draw:
    """Return a draw of the first round of 8 players, not published."""
    return Draw.objects.select_related("round__stage__event").get(pk=built.pk)


def numbers(event: Event) -> dict[int, int]:
    return dict(event.entrants.values_list("pk", "number"))


def together(candidate: Draw) -> set[frozenset[int]]:
    at = numbers(candidate.round.stage.event)
    return {
        frozenset((at[a], at[b]))
        for t in candidate.tables
        for a, b in combinations(t["players"], 2)
    }


@contextmanager
def dies_at(statement: int, error: type[BaseException]) -> Iterator[list[int]]:
    """Fail instead of sending the ``statement``-th SQL statement."""
    seen = [0]

    def count(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        seen[0] += 1
        if seen[0] == statement:
            raise error(sql[:60])
        return execute(sql, params, many, context)

    with connection.execute_wrapper(count):
        yield seen


# -- exactly once ------------------------------------------------------------------------------


def test_a_draw_started_twice_at_once_is_one_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    event = make_event(16)
    round_ = round_of(event)
    job = draws.request_draw(round_id=round_.pk, actor=SYSTEM)
    again = draws.request_draw(round_id=round_.pk, actor=SYSTEM)
    assert again.pk == job.pk
    plain = formats.draw
    entered = []

    def draw_while_another_worker_starts(spec: Any, progress: Any) -> Any:
        entered.append(1)
        if len(entered) == 1:
            jobs.work_on(str(job.pk))
        return plain(spec, progress)

    monkeypatch.setattr(formats, "draw", draw_while_another_worker_starts)
    jobs.work_on(str(job.pk))
    jobs.work_on(str(job.pk))
    assert len(entered) == 1
    assert Draw.objects.filter(round=round_).count() == 1


def test_a_worker_that_slept_past_its_lease_changes_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    event = make_event(16)
    round_ = round_of(event)
    job = draws.request_draw(round_id=round_.pk, actor=SYSTEM)
    plain = formats.draw
    entered = []

    def sleep_through_the_lease(spec: Any, progress: Any) -> Any:
        entered.append(1)
        if len(entered) == 1:
            with later(hours=1):
                jobs.work_on(str(job.pk))
        return plain(spec, progress)

    monkeypatch.setattr(formats, "draw", sleep_through_the_lease)
    jobs.work_on(str(job.pk))
    assert len(entered) == 2
    assert Draw.objects.filter(round=round_).count() == 1
    job.refresh_from_db()
    assert job.state == JobState.DONE
    assert AuditEntry.objects.filter(scope=event.pk, verb="round.drawn").count() == 1


def test_a_draw_killed_at_any_statement_and_retried_is_one_draw(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(jobs, "MAX_ATTEMPTS", 400)
    event = make_event(8)
    round_ = round_of(event)
    job = draws.request_draw(round_id=round_.pk, actor=SYSTEM)
    kills = 0
    for statement in range(1, 400):
        try:
            with later(hours=statement), dies_at(statement, Killed):
                jobs.work_on(str(job.pk))
        except Killed:
            kills += 1
            assert Draw.objects.filter(round=round_).count() <= 1
            continue
        break
    assert kills > 20
    job.refresh_from_db()
    assert job.state == JobState.DONE
    candidate = Draw.objects.get(round=round_)
    assert str(candidate.pk) == job.result["draw"]
    assert AuditEntry.objects.filter(scope=event.pk, verb="round.drawn").count() == 1


@pytest.mark.guide("director#a-round")
def test_a_publication_is_whole_or_nothing_wherever_it_fails(candidate: Draw) -> None:
    event = candidate.round.stage.event
    round_ = candidate.round
    version = Event.objects.get(pk=event.pk).version
    failures = 0
    for statement in range(1, 400):
        try:
            with dies_at(statement, DatabaseError):
                publication.publish_draw(draw_id=candidate.pk, actor=SYSTEM)
        except DatabaseError:
            failures += 1
            round_.refresh_from_db()
            assert round_.state == RoundState.DRAWN
            for kept in (Table, Seat, Sheet, Table, Bye):
                assert not kept.objects.exists(), kept
            assert Event.objects.get(pk=event.pk).version == version
            continue
        break
    assert failures > 10
    assert Table.objects.filter(round=round_).count() == 2
    assert Seat.objects.filter(round=round_).count() == 8
    assert AuditEntry.objects.filter(scope=event.pk, verb="draw.published").count() == 1
    assert list(breaks(event.pk)) == []


# -- publication at a time ---------------------------------------------------------------------


def test_a_timed_publication_happens_once_when_its_time_has_come(candidate: Draw) -> None:
    event = candidate.round.stage.event
    with pytest.raises(Refused) as refusal:
        publication.publish_later(
            draw_id=candidate.pk, at=timezone.now() - timedelta(minutes=1), actor=SYSTEM
        )
    assert refusal.value.code == "time_not_ahead"
    at = timezone.now() + timedelta(minutes=10)
    publication.publish_later(draw_id=candidate.pk, at=at, actor=SYSTEM)
    assert publication.publish_due() == 0
    with later(minutes=10):
        # Every worker's timer requests it, and one job does it.
        assert publication.publish_due() == publication.publish_due() == 1
        job = Job.objects.get(kind="tournament.publish")
        jobs.work_on(str(job.pk))
    jobs.work_on(str(job.pk))
    round_ = round_of(event)
    assert (round_.state, round_.publish_at, round_.publish_draw_id) == ("published", None, None)
    assert round_.tables.count() == 2
    assert publication.publish_due() == 0


def test_the_workers_timer_starts_what_is_due(
    monkeypatch: pytest.MonkeyPatch, candidate: Draw
) -> None:
    sent: list[uuid.UUID] = []
    monkeypatch.setattr(jobs, "send", lambda job_id, _kind: sent.append(job_id))
    publication.publish_later(
        draw_id=candidate.pk, at=timezone.now() + timedelta(minutes=1), actor=SYSTEM
    )
    jobs.tick(publication.publish_due)
    assert not Job.objects.filter(kind="tournament.publish").exists()
    with later(minutes=1):
        jobs.tick(publication.publish_due)
        jobs.tick(publication.publish_due)
    assert Job.objects.filter(kind="tournament.publish").count() == 1


@pytest.mark.guide("director#a-round")
def test_a_timed_publication_that_cannot_be_is_taken_off_the_clock_and_says_why(
    candidate: Draw,
) -> None:
    event = candidate.round.stage.event
    publication.publish_later(
        draw_id=candidate.pk, at=timezone.now() + timedelta(minutes=1), actor=SYSTEM
    )
    entrants.withdraw(entrant_id=event.entrants.get(number=3).pk, actor=SYSTEM)
    with later(minutes=1):
        publication.publish_due()
        job = Job.objects.get(kind="tournament.publish")
        jobs.work_on(str(job.pk))
    job.refresh_from_db()
    assert job.state == JobState.FAILED
    assert "3" in job.failure
    round_ = round_of(event)
    assert (round_.state, round_.publish_at) == ("drawn", None)
    assert publication.publish_due() == 0


def test_putting_the_scheduled_draw_aside_takes_it_off_the_clock(candidate: Draw) -> None:
    event = candidate.round.stage.event
    publication.publish_later(
        draw_id=candidate.pk, at=timezone.now() + timedelta(minutes=1), actor=SYSTEM
    )
    draws.discard_draw(draw_id=candidate.pk, actor=SYSTEM)
    round_ = round_of(event)
    assert (round_.state, round_.publish_at, round_.publish_draw_id) == ("planned", None, None)


# -- candidates and changes by hand --------------------------------------------------------------


@pytest.mark.guide("director#a-round", "formats#keeping-a-draw")
def test_another_candidate_has_its_own_seed_and_both_can_be_drawn_again() -> None:
    event = make_event(20)
    one, two = drawn(event), drawn(event)
    assert (one.seed, two.seed) == ("seed/1", "seed/1/2")
    assert one.tables != two.tables
    for candidate in (one, two):
        assert draws.reproduce(candidate)[1]
        kept = spec_from_json(candidate.request)
        assert spec_as_json(kept) == candidate.request
    assert drawn(event, seed="lottery 2026-11-21").seed == "lottery 2026-11-21"


def test_a_draw_that_is_not_what_its_seed_draws_is_told(candidate: Draw) -> None:
    for table in candidate.tables:
        table["players"] = table["players"][::-1]
    assert not draws.reproduce(candidate)[1]


@pytest.mark.guide("director#a-round")
def test_the_request_names_nobody(candidate: Draw) -> None:
    event = candidate.round.stage.event
    text = str(candidate.request)
    for entrant in event.entrants.select_related("person"):
        assert entrant.person.name not in text
        assert str(entrant.person_id) not in text


@pytest.mark.guide("director#a-round")
def test_a_change_costs_what_was_shown_and_is_undone() -> None:
    event = make_event(16)
    published(event)
    second = drawn(event, 2)
    at = numbers(event)
    before = second.tables
    here, there = second.tables[0]["players"], second.tables[1]["players"]
    edit = Edit("swap", one=at[here[0]], two=at[there[0]])
    change = edits.weigh(second, edit)
    changed = edits.make(draw_id=second.pk, edit=edit, after=0, actor=SYSTEM)
    assert changed.tables[0]["players"][0] == there[0]
    values = {line["code"]: line["value"] for line in changed.certificate["lines"]}
    assert values == change.after.certificate.values()
    with pytest.raises(Conflict) as refusal:
        edits.make(draw_id=second.pk, edit=edit, after=0, actor=SYSTEM)
    assert refusal.value.code == "draw_changed"
    assert draws.reproduce(changed)[1]
    undone = edits.undo(draw_id=second.pk, actor=SYSTEM)
    assert (undone.tables, undone.edits) == (before, [])
    publication.publish_draw(draw_id=second.pk, actor=SYSTEM)
    with pytest.raises(Conflict) as refusal:
        edits.undo(draw_id=second.pk, actor=SYSTEM)
    assert refusal.value.code == "draw_published"


@pytest.mark.parametrize(
    ("edit", "code"),
    [
        (Edit("swap", one=1, two=1), "same_player"),
        (Edit("swap", one=1, two=99), "unknown"),
        (Edit("move", table=77, to=5), "no_such_table"),
        (Edit("move", table=1, to=0), "table_number"),
        (Edit("seat", players=(1, 2, 3, 4), to=9), "unknown"),
        (Edit("dance"), "unknown_change"),
    ],
)
def test_changes_that_cannot_be_made_say_why(edit: Edit, code: str, candidate: Draw) -> None:
    with pytest.raises(Refused) as refusal:
        edits.make(draw_id=candidate.pk, edit=edit, after=0, actor=SYSTEM)
    assert refusal.value.code == code
    candidate.refresh_from_db()
    assert candidate.edits == []


@pytest.mark.guide("director#a-round")
def test_locked_tables_stay_and_the_rest_is_drawn_again() -> None:
    event = make_event(16)
    one = drawn(event)
    two = drawn(event, keep_of=one.pk, keep=[1, 2])
    kept = {t["number"]: t for t in one.tables}
    again = {t["number"]: t for t in two.tables}
    assert (again[1], again[2]) == (kept[1], kept[2])
    assert {p for t in two.tables for p in t["players"]} == {
        p for t in one.tables for p in t["players"]
    }
    assert two.tables != one.tables
    with pytest.raises(Refused) as refusal:
        draws.request_draw(round_id=round_of(event).pk, actor=SYSTEM, keep_of=one.pk, keep=[99])
    assert refusal.value.code == "no_such_table"


@pytest.mark.guide("director#a-round")
def test_every_table_says_why(candidate: Draw) -> None:
    for table in candidate.tables:
        reasons = edits.why(candidate, table["number"])
        assert any("seed/1" in reason for reason in reasons)
    with pytest.raises(Refused):
        edits.why(candidate, 99)


def test_a_table_changed_by_hand_says_so_and_no_other() -> None:
    event = make_event(20)
    candidate = drawn(event)
    at = numbers(event)

    def by_hand() -> list[int]:
        candidate.refresh_from_db()
        return [
            table["number"]
            for table in candidate.tables
            if "The director changed this table by hand." in edits.why(candidate, table["number"])
        ]

    assert by_hand() == []
    one, two = (at[candidate.tables[table]["players"][0]] for table in (1, 3))
    for after, edit, changed in (
        (0, Edit("swap", one=one, two=two), [2, 4]),
        (1, Edit("move", table=5, to=1), [1, 2, 4, 5]),
    ):
        edits.make(draw_id=candidate.pk, edit=edit, after=after, actor=SYSTEM)
        assert by_hand() == changed
    for left in ([2, 4], []):
        edits.undo(draw_id=candidate.pk, actor=SYSTEM)
        assert by_hand() == left


# -- players who come, leave and stay apart ---------------------------------------------------------


@pytest.mark.guide("director#requests-and-players-to-keep-apart")
def test_bans_are_kept_and_families_apart() -> None:
    event = make_event(16)
    for two in (2, 3, 4):
        bans_and_wishes.ban(event_id=event.pk, one=1, two=two, actor=SYSTEM)
        bans_and_wishes.ban(event_id=event.pk, one=two, two=1, actor=SYSTEM)
    assert event.bans.count() == 3
    for number in (5, 6, 7, 8):
        bans_and_wishes.wish(event_id=event.pk, number=number, actor=SYSTEM, family="De Smet")
    met = together(drawn(event))
    assert not met & {frozenset((1, n)) for n in (2, 3, 4)}
    assert not met & {frozenset(pair) for pair in combinations((5, 6, 7, 8), 2)}
    assert "De Smet" not in str(Draw.objects.get(round__stage__event=event).request)
    bans_and_wishes.lift_ban(event_id=event.pk, ban=event.bans.first().pk, actor=SYSTEM)
    assert event.bans.count() == 2


@pytest.mark.guide("director#requests-and-players-to-keep-apart")
def test_bans_that_nobody_could_keep_fail_in_words() -> None:
    event = make_event(4)
    bans_and_wishes.ban(event_id=event.pk, one=1, two=2, actor=SYSTEM)
    job = draws.request_draw(round_id=round_of(event).pk, actor=SYSTEM)
    jobs.work_on(str(job.pk))
    job.refresh_from_db()
    assert job.state == JobState.FAILED
    assert "keep-apart rule" in job.failure


def test_one_table_is_not_searched_for_a_better_seating() -> None:
    looks = []

    def stop() -> bool:
        looks.append(1)
        return False

    costs, at_one = np.ones((4, 4), dtype=np.int64), np.zeros(4, dtype=np.int64)
    np.fill_diagonal(costs, 0)
    seating, cost = improve(costs, at_one, Chance("seed", "one"), stop=stop)
    assert (seating.tolist(), cost, looks) == ([0, 0, 0, 0], 6, [])


@pytest.mark.guide("director#requests-and-players-to-keep-apart")
def test_who_cannot_move_keeps_table_and_seat_and_who_must_not_never_keeps_the_score() -> None:
    event = make_event(16)
    bans_and_wishes.wish(event_id=event.pk, number=7, actor=SYSTEM, fixed_seat=True)
    bans_and_wishes.wish(event_id=event.pk, number=9, actor=SYSTEM, keeps_score=False)
    seats = []
    for number in (1, 2, 3):
        published(event, number)
        seat = Seat.objects.get(round=round_of(event, number), entrant__number=7)
        seats.append((seat.table.number, seat.position))
        rounds_of_nine = Seat.objects.get(round=round_of(event, number), entrant__number=9)
        assert not rounds_of_nine.scorekeeper
    assert len(set(seats)) == 1
    assert seats[0][1] == "A"


@pytest.mark.guide("director#a-round")
def test_who_asks_sits_out_and_nobody_twice_before_everybody_once() -> None:
    event = make_event(9)
    first = published(event, bye_first=[5])
    at = numbers(event)
    assert [at[b] for b in first.byes] == [5]
    out = [5]
    for number in (2, 3):
        out += [at[b] for b in published(event, number, bye_first=[5]).byes]
    assert len(set(out)) == 3


@pytest.mark.guide("formats#when-the-number-does-not-fit")
def test_who_comes_late_plays_before_those_who_played() -> None:
    event = make_event(4)
    published(event)
    for name in ("Cornette, An", "Vanhee, Piet", "Degrande, Rik"):
        entrants.enter_player(event_id=event.pk, name=name, present=True, actor=SYSTEM)
    at = numbers(event)
    second = published(event, 2, bye_first=[5, 6, 7])
    assert {at[who] for who in second.byes} < {1, 2, 3, 4}
    assert len(second.byes) == 3


@pytest.mark.guide("director#when-people-come-and-go")
def test_tables_still_playing_are_held_and_seated_late() -> None:
    event = make_event(16)
    first = published(event)
    at = numbers(event)
    clock.start_round(round_id=first.round_id, actor=SYSTEM)
    # Before any signature: hold all players except those of two tables, whose sheets become official.
    done = {t["number"] for t in first.tables[:2]}
    for sheet in Sheet.objects.filter(table__number__in=done):
        play_sheet(sheet, chance())
    second = drawn(event, 2, hold=True)
    playing = {p for t in first.tables if t["number"] not in done for p in t["players"]}
    assert set(second.held) == playing
    assert not {p for t in second.tables for p in t["players"]} & playing
    publication.publish_draw(draw_id=second.pk, actor=SYSTEM)
    late = [t["players"] for t in first.tables if t["number"] not in done]
    group = [at[late[0][0]], at[late[0][1]], at[late[1][0]], at[late[1][1]]]
    after = reseating.seat_late(round_id=second.round_id, players=group, table=9, actor=SYSTEM)
    table = Table.objects.get(round=second.round_id, number=9)
    assert {at[s.entrant_id] for s in table.seats.all()} == set(group)
    assert table.sheets.count() == 3
    assert len(after.held) == 4
    with pytest.raises(Refused):
        reseating.seat_late(round_id=second.round_id, players=group, table=10, actor=SYSTEM)


@pytest.mark.guide("director#when-people-come-and-go")
def test_a_replacement_takes_the_place_in_candidate_table_and_stage(candidate: Draw) -> None:
    event = candidate.round.stage.event
    late = entrants.enter_player(event_id=event.pk, name="Stand In", actor=SYSTEM)
    assert late.number == 9
    reseating.replace_player(event_id=event.pk, old=2, new=9, actor=SYSTEM)
    candidate.refresh_from_db()
    gone = event.entrants.get(number=2)
    assert late.pk in {p for t in candidate.tables for p in t["players"]}
    assert gone.pk not in {p for t in candidate.tables for p in t["players"]}
    with pytest.raises(Conflict):
        edits.undo(draw_id=candidate.pk, actor=SYSTEM)
    publication.publish_draw(draw_id=candidate.pk, actor=SYSTEM)
    third = entrants.enter_player(event_id=event.pk, name="Second Stand In", actor=SYSTEM)
    reseating.replace_player(event_id=event.pk, old=9, new=third.number, actor=SYSTEM)
    seat = Seat.objects.get(round=candidate.round_id, entrant=third)
    for game in seat.table.sheets.all():
        assert third.pk in game.seats.values()
        assert late.pk not in game.seats.values()
    following = drawn(event, 2)
    assert third.pk in {p for t in following.tables for p in t["players"]}


def test_published_players_change_places_only_where_nothing_is_entered() -> None:
    from tests.tournament.build import chance
    from tournament.demo.simulation import play_round

    event = make_event(12)
    first = published(event)
    at = numbers(event)
    one, two = first.tables[1]["players"][0], first.tables[2]["players"][1]
    reseating.exchange(round_id=first.round_id, one=at[one], two=at[two], actor=SYSTEM)
    assert Seat.objects.get(round=first.round_id, entrant=one).table.number == 3
    first.refresh_from_db()
    assert first.tables[2]["players"][1] == one
    clock.start_round(round_id=first.round_id, actor=SYSTEM)
    play_round(round_of(event), chance(), share=0.4)
    busy = first.tables[0]["players"][0]
    with pytest.raises(Conflict) as refusal:
        reseating.exchange(round_id=first.round_id, one=at[busy], two=at[two], actor=SYSTEM)
    assert refusal.value.code == "entries_exist"
    with pytest.raises(Conflict) as refusal:
        publication.unpublish(round_id=first.round_id, actor=SYSTEM, reason="mistake")
    assert "Move single players" in str(refusal.value)


@pytest.mark.guide("director#after-the-publication")
def test_rounds_are_published_and_withdrawn_in_their_order() -> None:
    event = make_event(8)
    with pytest.raises(Conflict) as refusal:
        draws.request_draw(round_id=round_of(event, 2).pk, actor=SYSTEM)
    assert refusal.value.code == "round_before_missing"
    published(event)
    published(event, 2)
    with pytest.raises(Conflict) as refusal:
        publication.unpublish(round_id=round_of(event).pk, actor=SYSTEM, reason="mistake")
    assert refusal.value.code == "later_round_published"


def test_an_unknown_draw_is_refused(client: Any) -> None:
    with pytest.raises(Draw.DoesNotExist):
        publication.publish_draw(draw_id=uuid.uuid4(), actor=SYSTEM)
    assert not Draw.objects.filter(state=DrawState.PUBLISHED).exists()
