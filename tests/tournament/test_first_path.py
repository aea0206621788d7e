"""One real path through everything: file, check-in, draw, deals, signatures, standings, cut, PDF."""

from __future__ import annotations

import pytest

from ledger.audit import breaks
from ledger.errors import Conflict, Refused
from ledger.jobs import work_on
from ledger.models import AuditEntry, Job
from tests.tournament.build import SYSTEM, chance, make_event
from tournament.demo.simulation import advance, draw_and_publish, play_round
from tournament.models import Draw, EntrantState, Event, PrintedDocument, Round
from tournament.models.tables import OfficialResult, SheetState
from tournament.queries import standings
from tournament.services import draws, entrants, publication, rounds, stages
from tournament.services.documents import request_document

pytestmark = pytest.mark.django_db


def first_round(event: Event) -> Round:
    return Round.objects.get(stage__event=event, stage__order=1, number=1)


@pytest.fixture(scope="module")
def built(module_database: None) -> tuple[Event, Event, Event]:
    published, over = make_event(8, deals=1), make_event(8, deals=1)
    draw_and_publish(first_round(published), SYSTEM)
    advance(over, chance())
    three, luck = make_event(16, deals=1, cut=8), chance()
    for _round in range(3):
        advance(three, luck)
    return published, over, three


@pytest.fixture
def published(built: tuple[Event, Event, Event]) -> Round:
    """Return the first round of 8 players, at its tables."""
    return first_round(built[0])


@pytest.fixture
def over(built: tuple[Event, Event, Event]) -> Event:
    """Return 8 players after their first round."""
    return Event.objects.get(pk=built[1].pk)


@pytest.fixture
def three(built: tuple[Event, Event, Event]) -> Event:
    """Return 16 players after the three rounds of their first stage."""
    return Event.objects.get(pk=built[2].pk)


def test_a_day_from_the_file_to_the_final(three: Event) -> None:
    event, luck = three, chance("after")
    while advance(event, luck) is not None:
        pass
    played = Round.objects.filter(stage__event=event, state="closed")
    assert list(
        played.order_by("stage__order", "number").values_list("stage__order", "number")
    ) == [
        (1, 1),
        (1, 2),
        (1, 3),
        (2, 1),
        (3, 1),
    ]
    assert Round.objects.get(stage__event=event, stage__order=3).tables.count() == 1
    assert list(breaks(event.pk)) == []
    first = event.stages.get(order=1)
    table = standings.compute(first)
    assert len(table.rows) == 16
    # Every game has one winning and one losing side of two, or is drawn: wins equal losses.
    assert sum(row.won for row in table.rows) == sum(row.lost for row in table.rows)
    nets = [row.values[1] for row in table.rows]
    assert sum(nets) == 0
    assert all(row.games == 9 for row in table.rows)


@pytest.mark.guide("formats#table-of-formats")
def test_everybody_partners_everybody_at_a_table(published: Round) -> None:
    for table in published.tables.all():
        partners = set()
        for sheet in table.sheets.all():
            seats = sheet.seats
            partners |= {frozenset((seats["N"], seats["S"])), frozenset((seats["E"], seats["W"]))}
        assert len(partners) == 6
        assert table.seats.filter(scorekeeper=True).count() == 1


def test_nobody_meets_twice_through_three_rounds(three: Event) -> None:
    met: set[frozenset[int]] = set()
    for round_ in Round.objects.filter(stage__event=three, stage__order=1):
        for table in round_.tables.all():
            seated = list(table.seats.values_list("entrant_id", flat=True))
            pairs = {frozenset((a, b)) for a in seated for b in seated if a < b}
            assert not pairs & met
            met |= pairs
    assert len(met) == 3 * 4 * 6


def test_a_draw_is_published_once_and_lays_every_sheet() -> None:
    event = make_event(8)
    round_ = first_round(event)
    job = draws.request_draw(round_id=round_.pk, actor=SYSTEM)
    assert draws.request_draw(round_id=round_.pk, actor=SYSTEM).pk == job.pk
    work_on(str(job.pk))
    work_on(str(job.pk))
    candidate = Draw.objects.get(round=round_)
    publication.publish_draw(draw_id=candidate.pk, actor=SYSTEM)
    publication.publish_draw(draw_id=candidate.pk, actor=SYSTEM)
    assert round_.tables.count() == 2
    assert sum(table.sheets.count() for table in round_.tables.all()) == 6
    assert len(set(round_.tables.values_list("token_hash", flat=True))) == 2
    with pytest.raises(Conflict) as refusal:
        draws.request_draw(round_id=round_.pk, actor=SYSTEM)
    assert refusal.value.code == "round_published"


@pytest.mark.guide("director#a-round", "director#when-people-come-and-go")
def test_a_draw_is_refused_once_the_hall_has_changed() -> None:
    event = make_event(8)
    round_ = first_round(event)
    work_on(str(draws.request_draw(round_id=round_.pk, actor=SYSTEM).pk))
    someone = event.entrants.get(number=3)
    entrants.withdraw(entrant_id=someone.pk, actor=SYSTEM)
    with pytest.raises(Conflict) as refusal:
        publication.publish_draw(draw_id=Draw.objects.get(round=round_).pk, actor=SYSTEM)
    assert refusal.value.code == "field_changed"
    round_.refresh_from_db()
    assert round_.tables.count() == 0


def test_publication_is_withdrawn_until_something_is_entered(published: Round) -> None:
    round_ = published
    with pytest.raises(Refused):
        publication.unpublish(round_id=round_.pk, actor=SYSTEM, reason=" ")
    assert (
        publication.unpublish(round_id=round_.pk, actor=SYSTEM, reason="wrong hall").state
        == "drawn"
    )
    candidate = Draw.objects.get(round=round_)
    publication.publish_draw(draw_id=candidate.pk, actor=SYSTEM)
    round_.refresh_from_db()
    play_round(round_, chance(), share=0.5)
    with pytest.raises(Conflict) as refusal:
        publication.unpublish(round_id=round_.pk, actor=SYSTEM, reason="too late")
    assert refusal.value.code == "entries_exist"
    assert "Deals have already been recorded" in str(refusal.value)


@pytest.mark.guide("director#a-round")
def test_a_round_closes_only_when_all_have_signed(published: Round) -> None:
    round_ = published
    play_round(round_, chance(), share=0.5)
    with pytest.raises(Conflict) as refusal:
        rounds.close_round(round_id=round_.pk, actor=SYSTEM)
    assert refusal.value.code == "tables_not_signed"
    assert "1 table has not signed" in str(refusal.value)
    play_round(round_, chance("rest"))
    assert rounds.close_round(round_id=round_.pk, actor=SYSTEM).state == "closed"
    states = set(round_.tables.values_list("sheets__state", flat=True))
    assert states == {SheetState.OFFICIAL}
    assert OfficialResult.objects.filter(sheet__table__round=round_, current=True).count() == 6


@pytest.mark.guide("director#check-players-in", "director#when-people-come-and-go")
def test_late_and_withdrawn_players(over: Event) -> None:
    event, luck = over, chance("after")
    late = entrants.enter_player(event_id=event.pk, name="Late Arrival", actor=SYSTEM, present=True)
    assert late.from_round == 2
    gone = event.entrants.get(number=5)
    entrants.withdraw(entrant_id=gone.pk, actor=SYSTEM)
    round_ = advance(event, luck)
    assert round_ is not None
    seated = set(round_.seats.values_list("entrant_id", flat=True))
    assert late.pk in seated
    assert gone.pk not in seated
    back = entrants.take_back(entrant_id=gone.pk, actor=SYSTEM)
    assert back.state == EntrantState.PRESENT
    round_ = advance(event, luck)
    assert round_ is not None
    everybody = set(round_.seats.values_list("entrant_id", flat=True)) | set(
        round_.byes.values_list("entrant_id", flat=True)
    )
    assert gone.pk in everybody
    table = standings.compute(event.stages.get(order=1))
    assert {row.entrant.number for row in table.rows} == set(range(1, 10))


def test_the_cut_takes_the_best_and_the_next_stage_its_table_winners(three: Event) -> None:
    event, luck = three, chance("after")
    first, semi, final = event.stages.order_by("order")
    through = stages.qualifiers(first)
    ranks = {row["number"]: row["rank"] for row in standings.recompute(stage_id=first.pk).rows}
    assert len(through) >= 8
    worst = max(item["rank"] for item in through)
    assert all(ranks[n] > worst or n in {i["number"] for i in through} for n in ranks)
    with pytest.raises(Conflict):
        stages.open_next_stage(stage_id=semi.pk, actor=SYSTEM)
    stages.open_next_stage(stage_id=first.pk, actor=SYSTEM)
    assert semi.field.count() == len(through)
    advance(event, luck)
    winners = stages.qualifiers(semi)
    tables = Round.objects.get(stage=semi).tables.count()
    by_table = [item for item in winners if item["origin"].startswith("winner:")]
    assert len(by_table) == tables == 2
    # Two winners are not a table: the best two others complete it.
    stages.open_next_stage(stage_id=semi.pk, actor=SYSTEM)
    assert final.field.count() == len(winners) == 4


@pytest.mark.guide("ranking#ranking")
def test_standings_are_recomputed_to_the_same_bytes(over: Event) -> None:
    stage = over.stages.get(order=1)
    kept = standings.fresh(stage)
    assert standings.recompute(stage_id=stage.pk, force=True).hash == kept.hash
    assert standings.rows_json(standings.compute(stage)) == kept.rows


@pytest.mark.parametrize("kind", ["standings", "draw-by-table", "draw-by-name", "slips"])
@pytest.mark.parametrize("language", ["fr", "nl", "en"])
def test_documents_are_made_by_a_job(published: Round, kind: str, language: str) -> None:
    job = request_document(
        event_id=published.stage.event_id,
        kind=kind,
        language=language,
        paper="a4",
        actor=SYSTEM,
        parameters={"base": "http://hall.example"},
    )
    work_on(str(job.pk))
    work_on(str(job.pk))
    made = PrintedDocument.objects.get()
    # A document with links is built for each download and never stored.
    assert bytes(made.content)[:4] == (b"" if kind == "slips" else b"%PDF")
    assert len(made.fingerprint) == 64


def test_a_document_without_a_draw_fails_in_words() -> None:
    event = make_event(8)

    def request(kind: str) -> Job:
        return request_document(
            event_id=event.pk, kind=kind, language="en", paper="a4", actor=SYSTEM, parameters={}
        )

    with pytest.raises(Conflict, match="No draw is published yet"):
        request("slips")
    job = request("draw-by-name")
    work_on(str(job.pk))
    job.refresh_from_db()
    assert (job.state, job.failure) == ("failed", "No draw is published yet.")


def test_erasing_a_person_leaves_results_and_chain(over: Event) -> None:
    event = over
    person = event.entrants.get(number=4).person
    before = standings.fresh(event.stages.get(order=1)).hash
    entrants.erase_person(person_id=person.pk, actor=SYSTEM)
    person.refresh_from_db()
    assert (person.name, person.email) == ("", "")
    assert list(breaks(event.pk)) == []
    assert standings.recompute(stage_id=event.stages.get(order=1).pk, force=True).hash == before
    assert AuditEntry.objects.filter(scope=event.pk, verb="person.erased").count() == 1
