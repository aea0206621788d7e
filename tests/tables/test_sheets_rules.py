"""The sheet's own rules: blind double entry, bell, ties, players for themselves, doubts, paper."""

from __future__ import annotations

import uuid
from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils import timezone, translation

from ledger.actors import Actor
from ledger.change import change
from ledger.errors import Conflict, NotAllowed, Refused
from ledger.models import AuditEntry
from scoring.engine.errors import EngineError
from tests.moment import later
from tournament.models.tables import DealVersion, OfficialResult, Protocol, Sheet
from tournament.queries import double_entry
from tournament.queries.paper_form import sheet_of_table
from tournament.services import sheets, signatures, tables
from tournament.tables.entry import read_entry
from tournament.tables.score_sheet import ScoreSheet

from .build import SYSTEM, a_sheet, a_table, in_round, seat_players, simple, token

pytestmark = pytest.mark.django_db
ONE, TWO = Actor.device(uuid.uuid4()), Actor.device(uuid.uuid4())


def bell(sheet: Sheet, rule: str, minutes: int = -1) -> None:
    """Set the round's clock to a bell one minute ago, under a bell rule."""
    round_ = in_round(sheet, bell_rule=rule)
    round_.state, round_.started_at = "playing", timezone.now() - timedelta(minutes=60)
    round_.ends_at = timezone.now() + timedelta(minutes=minutes)
    with change():
        round_.save()


def blind(protocol: str = Protocol.DOUBLE, **options):
    sheet = a_sheet(protocol=protocol, options={"target": {"deals": 2}, **options})
    tables.take_writing(table_id=sheet.table_id, actor=ONE, side="NS")
    tables.take_writing(table_id=sheet.table_id, actor=TWO, side="EW")
    return sheet


def hand(sheet, entry, actor, **more):
    sheet.refresh_from_db()
    return sheets.hand_in(sheet_id=sheet.pk, entry=entry, actor=actor, **more)


@pytest.mark.guide("scorekeeper#signing")
def test_what_both_sides_wrote_alike_is_official():
    sheet = blind()
    hand(sheet, simple(42), ONE)
    assert not ScoreSheet(sheet).current()
    hand(sheet, simple(18, side="EW"), TWO)  # the same deal from the other end: 60 − 18
    assert [deal.marks for deal in ScoreSheet(sheet).current()] == [{"NS": 12, "EW": 0}]
    sheet.refresh_from_db()
    assert sheet.state == "open"


@pytest.mark.guide("scorekeeper#signing")
@pytest.mark.parametrize(
    ("ns", "ew", "where"),
    [
        (simple(42), simple(41), "points"),
        (simple(42), simple(42, doubling=1), "contract doubling"),
        (simple(42), simple(42, trump="NT"), "contract trump"),
    ],
)
def test_the_line_that_differs_is_named(ns, ew, where):
    sheet = blind()
    hand(sheet, ns, ONE)
    hand(sheet, ew, TWO)
    sheet.refresh_from_db()
    assert sheet.state == "disputed"
    found = double_entry.differences(ScoreSheet(sheet))
    assert found
    assert found[0].deal == 1
    assert any(each.where.startswith(where) for each in found)
    sheets.correct_deal(sheet_id=sheet.pk, number=1, entry=ns, reason="they are right", actor=TWO)
    sheet.refresh_from_db()
    assert (sheet.state, len(ScoreSheet(sheet).current())) == ("open", 1)


def test_what_both_sides_corrected_alike_is_official():
    sheet = blind()
    hand(sheet, simple(42), ONE)
    hand(sheet, simple(42), TWO)
    for phone in (ONE, TWO):
        sheet.refresh_from_db()
        sheets.correct_deal(
            sheet_id=sheet.pk, number=1, entry=simple(41), reason="counted again", actor=phone
        )
    sheet.refresh_from_db()
    assert [deal.marks for deal in ScoreSheet(sheet).current()] == [{"NS": 11, "EW": 0}]
    assert sheet.state == "open"


def test_a_deal_that_one_side_alone_calls_annulled_differs():
    sheet = blind()
    hand(sheet, simple(42), ONE)
    hand(sheet, {"dealer": "N", "annulled": True}, TWO)
    sheet.refresh_from_db()
    assert sheet.state == "disputed"
    (found,) = double_entry.differences(ScoreSheet(sheet))
    assert (found.deal, found.where, {found.entry, found.other_entry}) == (
        1,
        "deal",
        {"–", "annulled"},
    )


@pytest.mark.guide("scorekeeper#signing")
def test_the_trick_that_differs_is_named():
    rows = [{"winner": "NS", "points": 9}, {"winner": "EW", "points": 9}]
    rest = [("NS", 8), ("EW", 8), ("NS", 8), ("EW", 8), ("NS", 5), ("EW", 5)]
    rows += [{"winner": side, "points": points} for side, points in rest]
    one = {"dealer": "W", "contract": {"trump": "H"}, "trick_list": rows}
    two = {**one, "trick_list": [dict(row) for row in rows]}
    two["trick_list"][4]["winner"] = "EW"
    sheet = a_sheet("parlee", protocol=Protocol.DOUBLE, first_dealer="W")
    found = double_entry.compare_entries(ScoreSheet(sheet), one, two)
    assert [each["where"] for each in found] == ["trick 5"]


def test_one_phone_does_not_write_for_both_sides():
    sheet = blind()
    third = Actor.device(uuid.uuid4())
    with pytest.raises(Conflict) as refused:
        hand(sheet, simple(40), third)
    assert refused.value.code == "choose_a_side"
    tables.take_writing(table_id=sheet.table_id, actor=ONE, side="EW", knowingly=True)
    sheet.table.refresh_from_db()
    assert sheet.table.side_writers.filter(device=uuid.UUID(ONE.id)).count() == 1
    with pytest.raises(Conflict):
        hand(sheet, simple(40), TWO)


def test_each_side_signs_from_its_own_phone():
    sheet = blind()
    for entry in (simple(42), {**simple(33), "dealer": "E"}):
        hand(sheet, entry, ONE)
        hand(sheet, entry, TWO)
    sheet.refresh_from_db()
    assert sheet.finished
    with pytest.raises(Conflict):
        signatures.sign(sheet_id=sheet.pk, side="EW", version=sheet.version, actor=ONE)
    signatures.sign(sheet_id=sheet.pk, side="NS", version=sheet.version, actor=ONE)
    signed = signatures.sign(sheet_id=sheet.pk, side="EW", version=sheet.version, actor=TWO)
    assert signed.state == "official"


def test_a_player_signs_for_his_own_side_only():
    sheet = a_sheet(options={"target": {"deals": 1}})
    sheets.enter_deal(sheet_id=sheet.pk, entry=simple(42), actor=SYSTEM)
    _north, east, _south, _west = (
        Actor.player(each.pk) for each in seat_players(sheet, "Ann", "Bob", "Cas", "Dirk")
    )
    with pytest.raises(NotAllowed):
        signatures.sign(sheet_id=sheet.pk, side="NS", version=1, actor=east)
    assert signatures.sign(sheet_id=sheet.pk, side="EW", version=1, actor=east).state == "claimed"


@pytest.mark.guide("scorekeeper#correct-a-deal")
def test_a_signature_falls_with_any_change():
    sheet = a_sheet(options={"target": {"deals": 1}})
    sheets.enter_deal(sheet_id=sheet.pk, entry=simple(42), actor=SYSTEM)
    signatures.sign(sheet_id=sheet.pk, side="NS", version=1, actor=SYSTEM)
    sheets.correct_deal(sheet_id=sheet.pk, number=1, entry=simple(41), actor=SYSTEM, reason="x")
    assert not sheet.signatures.filter(standing=True).exists()
    with pytest.raises(Conflict) as stale:
        signatures.sign(sheet_id=sheet.pk, side="EW", version=1, actor=SYSTEM)
    assert stale.value.code == "sheet_changed"


def test_who_has_not_seen_that_a_side_disagrees_signs_nothing():
    sheet = a_sheet(options={"target": {"deals": 1}})
    sheets.enter_deal(sheet_id=sheet.pk, entry=simple(42), actor=SYSTEM)
    signatures.sign(sheet_id=sheet.pk, side="NS", version=1, actor=SYSTEM)
    disputed = signatures.withdraw_signatures(sheet_id=sheet.pk, version=1, actor=SYSTEM)
    assert (disputed.state, disputed.signatures.filter(standing=True).exists()) == (
        "disputed",
        False,
    )
    with pytest.raises(Conflict) as stale:
        signatures.sign(sheet_id=sheet.pk, side="EW", version=1, actor=SYSTEM)
    assert stale.value.code == "sheet_changed"
    for side in ("NS", "EW"):
        signed = signatures.sign(
            sheet_id=sheet.pk, side=side, version=disputed.version, actor=SYSTEM
        )
    assert signed.state == "official"


@pytest.mark.guide("scorekeeper#signing")
def test_where_a_referee_confirms_nobody_else_does():
    sheet = a_sheet(protocol=Protocol.REFEREE, options={"target": {"deals": 1}})
    sheets.enter_deal(sheet_id=sheet.pk, entry=simple(42), actor=SYSTEM)
    with pytest.raises(Conflict) as refused:
        signatures.sign(sheet_id=sheet.pk, side="NS", version=1, actor=SYSTEM)
    assert refused.value.code == "referee_confirms"
    done = signatures.confirm(sheet_id=sheet.pk, version=1, actor=Actor.user(1), reason="seen")
    assert done.state == "official"


def test_the_deal_in_play_at_the_bell_is_finished_and_ends_the_match():
    sheet = a_sheet(options={"target": 500})
    tables.take_writing(table_id=sheet.table_id, actor=ONE)
    sheet.table.refresh_from_db()
    bell(sheet, "finish")
    with pytest.raises(Conflict) as asked:
        hand(sheet, simple(40), ONE)
    assert asked.value.code == "bell_rang"
    hand(sheet, simple(40), ONE, played="before")
    sheet.refresh_from_db()
    assert not sheet.finished
    hand(sheet, {**simple(33), "dealer": "E"}, ONE, played="in_play")
    sheet.refresh_from_db()
    assert (sheet.finished, sheet.ended_by, sheet.bell_deals) == (True, "bell", 2)


def test_where_the_bell_cancels_the_deal_in_play_is_not_written():
    sheet = a_sheet(options={"target": 500})
    tables.take_writing(table_id=sheet.table_id, actor=ONE)
    sheet.table.refresh_from_db()
    bell(sheet, "cancel")
    with pytest.raises(Conflict) as refused:
        hand(sheet, simple(40), ONE, played="in_play")
    assert refused.value.code == "deal_cancelled"
    typed = timezone.now() - timedelta(minutes=5)
    hand(sheet, simple(40), ONE, typed_at=typed)  # waited on the phone since before the bell
    sheets.end_by_bell(sheet_id=sheet.pk, actor=ONE, in_play="cancelled")
    sheet.refresh_from_db()
    assert (sheet.finished, sheet.score["deals"]) == (True, 1)


def test_an_answer_about_the_bell_stands_before_the_age_of_an_entry():
    sheet = a_sheet(options={"target": 500})
    tables.take_writing(table_id=sheet.table_id, actor=ONE)
    sheet.table.refresh_from_db()
    bell(sheet, "finish")
    early = timezone.now() - timedelta(minutes=5)
    hand(sheet, simple(40), ONE, played="in_play", typed_at=early)
    sheet.refresh_from_db()
    assert (sheet.finished, sheet.ended_by) == (True, "bell")


@pytest.mark.parametrize(
    ("more", "status"),
    [
        ({"typed_ago": "300000"}, 200),  # five minutes: the bell rang a minute ago
        ({"typed_ago": "1000"}, 409),
        ({"typed_at": "2026-01-01T00:00:00Z"}, 409),  # a phone's clock is not asked
        ({}, 409),
    ],
)
def test_the_age_of_an_entry_is_counted_by_the_server(client, more, status):
    sheet = a_sheet(options={"target": 500})
    bell(sheet, "finish")
    deal = {"verb": "deal", "trump": "H", "side": "NS", "points": "40", "key": "k", **more}
    answer = client.post(reverse("table-send", args=[token(sheet)]), deal)
    assert answer.status_code == status
    assert answer.json().get("code", "") == ("" if status == 200 else "bell_rang")


@pytest.mark.guide("scorekeeper#the-bell")
@pytest.mark.parametrize("clock", [True, False])
def test_a_table_cannot_end_its_game_before_the_bell_and_staff_is_shown_to_have(clock):
    sheet = a_sheet(options={"target": 500})
    tables.take_writing(table_id=sheet.table_id, actor=ONE)
    sheet.table.refresh_from_db()
    hand(sheet, simple(40), ONE)
    if clock:
        bell(sheet, "finish", minutes=1)
    with pytest.raises(Conflict) as refused:
        sheets.end_by_bell(sheet_id=sheet.pk, actor=ONE)
    assert refused.value.code == "bell_not_rung"
    ended = sheets.end_by_bell(sheet_id=sheet.pk, actor=Actor.user(1))
    assert (ended.finished, ended.ended_early) == (True, clock)  # no clock, no bell to be early for


@pytest.mark.guide("scorekeeper#the-bell")
def test_for_a_minute_the_table_may_take_back_the_end_at_the_bell():
    sheet = a_sheet(options={"target": 500})
    tables.take_writing(table_id=sheet.table_id, actor=ONE)
    sheet.table.refresh_from_db()
    hand(sheet, simple(40), ONE)
    bell(sheet, "finish")
    sheets.end_by_bell(sheet_id=sheet.pk, actor=ONE)
    sheet.refresh_from_db()
    signatures.sign(sheet_id=sheet.pk, side="NS", version=sheet.version, actor=ONE)
    undone = sheets.undo_bell(sheet_id=sheet.pk, actor=ONE, version=sheet.version)
    assert (undone.finished, undone.ended_by, undone.state) == (False, "", "open")
    assert not undone.signatures.filter(standing=True).exists()
    sheets.end_by_bell(sheet_id=sheet.pk, actor=ONE)
    with pytest.raises(Conflict) as refused, later(seconds=61):
        sheets.undo_bell(sheet_id=sheet.pk, actor=ONE)
    assert refused.value.code == "bell_stands"
    assert not sheets.undo_bell(sheet_id=sheet.pk, actor=Actor.user(1)).finished


def test_before_the_bell_nothing_is_asked():
    sheet = a_sheet(options={"target": 500})
    tables.take_writing(table_id=sheet.table_id, actor=ONE)
    sheet.table.refresh_from_db()
    bell(sheet, "cancel", minutes=10)
    assert hand(sheet, simple(40), ONE).number == 1


@pytest.mark.guide("scorekeeper#the-bell")
@pytest.mark.parametrize(("rule", "finished"), [("DRAW", True), ("EXTRA_DEALS", False)])
def test_a_tie_at_the_bell(rule, finished):
    """Q-GEN-8: a draw, or two more deals, and two more again while it stays level."""
    sheet = a_sheet(options={"target": 500, "tied_match": rule})
    for points, dealer in ((40, "N"), (20, "E")):
        sheets.enter_deal(
            sheet_id=sheet.pk, actor=SYSTEM, entry={**simple(points), "dealer": dealer}
        )
    sheets.end_by_bell(sheet_id=sheet.pk, actor=SYSTEM)
    sheet.refresh_from_db()
    assert sheet.finished is finished
    told = AuditEntry.objects.get(scope=sheet.scope, verb="sheet.ended_by_bell").after
    assert told == {"deals": 2, "in_play": "none", "played_on": not finished, "early": False}
    if finished:
        assert ScoreSheet(sheet).result()["winner"] is None
        return
    for points, over in ((40, False), (20, False), (40, False), (31, True)):
        sheets.enter_deal(sheet_id=sheet.pk, entry=simple(points), actor=SYSTEM)
        sheet.refresh_from_db()
        assert sheet.finished is over
    assert ScoreSheet(sheet).result()["winner"] == "NS"


def test_a_correction_may_end_the_match_earlier():
    """Deals played beyond the corrected end remain readable and count for nothing."""
    sheet = a_sheet(options={"target": 40})
    for points in (50, 40, 36):
        sheets.enter_deal(sheet_id=sheet.pk, entry=simple(points), actor=SYSTEM)
    sheets.correct_deal(
        sheet_id=sheet.pk,
        number=1,
        actor=SYSTEM,
        reason="no trump forgotten",
        entry=simple(50, trump="NT"),
    )
    sheet.refresh_from_db()
    assert (sheet.finished, sheet.score["deals"], sheet.score["marks"]["NS"]) == (True, 1, 40)
    assert len(ScoreSheet(sheet).current()) == 3


@pytest.mark.guide("scorekeeper#games-of-three-to-seven-players")
def test_three_players_keep_their_seats_while_the_dealer_changes():
    """004, three players: the dealer alone against the two others, another one every deal."""
    sheet = a_sheet("three-player", options={"target": {"deals": 3}})
    for dealer, points, marks in (
        ("1", 33, {"1": 3, "2": 0, "3": 0}),
        ("2", 25, {"1": 5, "2": 0, "3": 5}),
        ("3", 40, {"1": 0, "2": 0, "3": 10}),
    ):
        assert ScoreSheet(sheet).next_dealer() == dealer
        deal = sheets.enter_deal(
            sheet_id=sheet.pk,
            actor=SYSTEM,
            entry={"dealer": dealer, "contract": {"trump": "H"}, "points": {dealer: points}},
        )
        assert deal.marks == marks
    sheet.refresh_from_db()
    assert sheet.score["marks"] == {"1": 8, "2": 0, "3": 15}
    assert (sheet.finished, ScoreSheet(sheet).result()["winner"]) == (True, "3")
    for seat in ("1", "2", "3"):
        assert sheet.state != "official"
        sheet = signatures.sign(sheet_id=sheet.pk, side=seat, version=sheet.version, actor=SYSTEM)
    assert sheet.state == "official"


@pytest.mark.guide("scorekeeper#games-of-three-to-seven-players")
def test_the_declarer_of_an_auction_is_a_seat():
    """S27: bid 40, takes 40: +40; takes 39: −40; for the bidder only."""
    sheet = a_sheet("auction-2", options={"target": {"deals": 4}})
    for dealer, declarer, points, marks in (("1", "1", 40, 40), ("2", "4", 39, -40)):
        deal = sheets.enter_deal(
            sheet_id=sheet.pk,
            actor=SYSTEM,
            entry={
                "dealer": dealer,
                "points": {declarer: points},
                "contract": {"declarer": declarer, "level": 40, "trump": "S"},
            },
        )
        assert deal.marks == {**dict.fromkeys("1234", 0), declarer: marks}
        assert {line["side"] for line in deal.lines if line["marks"]} == {declarer}


def test_a_deal_that_all_passed_moves_the_deal_on_and_counts_for_nothing(client):
    sheet = a_sheet("chaloupee", options={"target": {"deals": 2}}, first_dealer="N")
    at = reverse("table", args=[token(sheet)])
    assert client.post(at, {"verb": "deal", "passed": "1"}).status_code == 302
    sheet.refresh_from_db()
    deals = ScoreSheet(sheet).current()
    assert (deals[0].annulled, sheet.score["deals"], sheet.score["deals_left"]) == (True, 0, 2)
    assert ScoreSheet(sheet).next_dealer(deals) == "W"


def test_a_deal_that_its_dealer_deals_again_is_worth_nothing():
    sheet = a_sheet("chaloupee", first_dealer="N")
    deal = sheets.enter_deal(
        sheet_id=sheet.pk, entry={"dealer": "N", "annulled": "same_dealer"}, actor=SYSTEM
    )
    assert [(line["clause"], line["marks"]) for line in deal.lines] == [("redeal", 0)]
    assert ScoreSheet(sheet).next_dealer() == "N"


def test_a_refusal_names_the_seats_of_the_sheet_and_its_field():
    sheet = a_sheet("three-player")

    def refusal(points):
        entry = {"dealer": "2", "contract": {"trump": "H"}, "points": points}
        with pytest.raises(EngineError) as refused:
            ScoreSheet(sheet).score(entry)
        return refused.value.field, [
            (each["code"], each.get("side")) for each in refused.value.params["defects"]
        ]

    assert refusal({"2": 99}) == ("points", [("points_range", "2")])
    assert refusal({"2": 30, "13": 31}) == ("points", [("points_sum", None)])


@pytest.mark.parametrize(
    ("entry", "code"),
    [
        (simple(14), "transposed"),
        (simple(5), "forgotten_double"),
        (simple(5, doubling=1), "sides_swapped"),
        ({**simple(14), "tricks": {"NS": 6}}, None),
        (simple(40), None),
        (simple(22), None),
        ({**simple(40), "dealer": "W", "contract": {"declarer": "EW", "trump": "H"}}, "dealer"),
    ],
)
def test_a_probable_mistake_is_asked_about(entry, code):
    sheet = a_sheet(options={"target": 500})
    if code is None and "tricks" in entry:
        with pytest.raises(EngineError):  # six tricks are worth 24 at least (A.0): no question
            hand(sheet, entry, SYSTEM)
        return
    if code is None:
        assert hand(sheet, entry, SYSTEM).number == 1
        return
    with pytest.raises(sheets.DoubtfulEntry) as asked:
        hand(sheet, entry, SYSTEM)
    assert [doubt.code for doubt in asked.value.doubts] == [code]
    assert not ScoreSheet(sheet).current()
    hand(sheet, entry, SYSTEM, sure=asked.value.sure)
    assert ScoreSheet(sheet).current()[0].doubts == [code]


def test_a_declarer_of_an_auction_may_lose_heavily():
    sheet = a_sheet("auction-2", options={"target": {"deals": 4}})
    contract = {"declarer": "1", "level": 40, "trump": "S"}
    hand(sheet, {"dealer": "1", "contract": contract, "points": {"1": 5}}, SYSTEM)
    assert len(ScoreSheet(sheet).current()) == 1


def test_points_far_from_the_tricks_are_asked_about():
    sheet = a_sheet(options={"target": 500}, depth="tricks")
    with pytest.raises(sheets.DoubtfulEntry) as asked:
        hand(sheet, {**simple(14), "tricks": {"NS": 5}}, SYSTEM)  # 12 to 60 are possible
    assert asked.value.doubts[0].code == "transposed"


def test_the_same_sheet_at_two_tables_is_noticed():
    scope = uuid.uuid4()
    first, second = (
        a_sheet(options={"target": 500}, table=a_table(scope, f"1/{n}")) for n in (4, 9)
    )
    entries = [
        {**simple(points), "dealer": dealer} for points, dealer in ((40, "N"), (35, "E"), (44, "S"))
    ]
    for entry in entries:
        hand(first, entry, SYSTEM)
    for entry in entries[:2]:
        hand(second, entry, SYSTEM)
    with pytest.raises(sheets.DoubtfulEntry) as asked:
        hand(second, entries[2], SYSTEM)
    assert asked.value.doubts[0].code == "same_as_another_table"
    assert "Table 4 · round 1" in asked.value.doubts[0].question


def test_a_paper_sheet_is_copied_whole_or_not_at_all():
    sheet = a_sheet(options={"target": {"deals": 2}})
    good = [simple(42), {**simple(33), "dealer": "E"}]
    paper = {"sheet_id": sheet.pk, "actor": Actor.user(1), "reason": "phone broken", "version": 0}
    with pytest.raises(EngineError):
        sheets.enter_from_paper(entries=[good[0], simple(99)], **paper)
    with pytest.raises(Conflict) as short:
        sheets.enter_from_paper(entries=good[:1], **paper)
    assert short.value.code == "match_not_over"
    with pytest.raises(Conflict) as long:
        sheets.enter_from_paper(entries=[*good, simple(40)], **paper)
    assert str(long.value) == "The game is over with deal 2: record nothing after it."
    assert not ScoreSheet(sheet).current()
    with pytest.raises(Refused):
        sheets.enter_from_paper(entries=good, **{**paper, "reason": " "})
    assert sheets.enter_from_paper(entries=good, **paper).state == "official"
    with pytest.raises(Conflict) as late:
        sheets.enter_from_paper(entries=good, **paper)
    assert late.value.code == "sheet_changed"


def test_a_paper_sheet_that_the_bell_ended_is_a_finished_match():
    sheet = a_sheet(options={"target": {"deals": 2}})
    paper = {"sheet_id": sheet.pk, "actor": SYSTEM, "reason": "phone broken", "version": 0}
    copied = sheets.enter_from_paper(entries=[simple(42)], ended_by_bell=True, **paper)
    assert (copied.state, copied.finished) == ("official", True)


def test_the_database_admits_one_official_result_and_one_current_deal():
    sheet = a_sheet(options={"target": {"deals": 1}})
    sheets.enter_deal(sheet_id=sheet.pk, entry=simple(42), actor=SYSTEM)
    signatures.confirm(sheet_id=sheet.pk, version=1, actor=SYSTEM)
    result = OfficialResult.objects.get(sheet=sheet)
    result.pk, result.number = None, 2
    with pytest.raises(IntegrityError), transaction.atomic(), change():
        result.save(force_insert=True)
    deal = DealVersion.objects.get(sheet=sheet)
    deal.pk, deal.version = None, 2
    with pytest.raises(IntegrityError), transaction.atomic(), change():
        deal.save(force_insert=True)


@pytest.mark.guide("scorekeeper#correct-a-deal")
def test_reopening_keeps_the_old_result_readable():
    sheet = a_sheet(options={"target": {"deals": 1}})
    sheets.enter_deal(sheet_id=sheet.pk, entry=simple(42), actor=SYSTEM)
    signatures.confirm(sheet_id=sheet.pk, version=1, actor=SYSTEM)
    again = signatures.reopen(sheet_id=sheet.pk, actor=Actor.user(1), reason="wrong table")
    assert (again.state, again.finished) == ("open", True)
    assert not sheet.results.filter(current=True).exists()
    sheets.correct_deal(sheet_id=sheet.pk, number=1, entry=simple(20), actor=SYSTEM, reason="x")
    again.refresh_from_db()
    signatures.confirm(sheet_id=sheet.pk, version=again.version, actor=SYSTEM)
    assert [r.result["winner"] for r in sheet.results.order_by("number")] == ["NS", "EW"]


@pytest.mark.parametrize(
    ("missing", "said"),
    [
        ("trick_3_side", "Trick 3: choose who won it."),
        ("trick_3_points", "Trick 3: enter its points."),
    ],
)
def test_the_trick_that_is_not_written_whole_is_named(missing, said):
    sheet = a_sheet(depth="list")
    typed = {"trump": "H", "doubling": "0"}
    for n in range(1, 9):
        typed |= {f"trick_{n}_side": "NS", f"trick_{n}_points": "7"}
    del typed[missing]
    with pytest.raises(EngineError, match=said) as refused:
        read_entry(ScoreSheet(sheet), typed, "N")
    assert refused.value.field == missing


class TestBlindTrump:
    """004, blind trump: "The dealer gets to lead the first trick"."""

    def plays(self, sheet, leader):
        """Return a deal in which every seat holds one suit and hearts are trump, from ``leader`` on."""
        seats = ScoreSheet(sheet).game.seats
        hands = dict(zip(seats, "SHDC", strict=True))
        plays = []
        for rank in ("10", *"AKQJ987"):
            at = seats.index(leader)
            turn = [*seats[at:], *seats[:at]]
            plays += [rank + hands[seat] for seat in turn]
            leader = next(seat for seat in seats if hands[seat] == "H")
        return plays

    def test_the_form_takes_the_dealer_for_the_leader(self):
        sheet = a_sheet("muette", depth="cards")
        typed = {
            "dealer": "N",
            "trump": "H",
            "doubling": "0",
            "depth": "cards",
            "leader": "",
            "plays": " ".join(self.plays(sheet, "N")),
        }

        def leader(**more):
            return read_entry(ScoreSheet(sheet), {**typed, **more}, "N")["record"]["leader"]

        assert leader(blind="1") == "N"
        assert leader() == "E"
        # An explicit leader wins over the rule, because a record describes the play as it was.
        assert leader(blind="1", leader="W") == "W"

    def test_a_declarer_who_bids_all_the_tricks_leads(self):
        sheet = a_sheet("auction-2", depth="cards")
        typed = {
            "dealer": "1",
            "declarer": "3",
            "trump": "H",
            "depth": "cards",
            "plays": " ".join(self.plays(sheet, "1")),
        }

        def leader(**bid):
            return read_entry(ScoreSheet(sheet), {**typed, **bid}, "1")["record"]["leader"]

        assert leader(all_tricks="1") == "3"
        assert leader(bid="40") == "2"

    @pytest.mark.parametrize(("language", "ranks"), [("fr", "ARDV"), ("nl", "AHVB")])
    def test_cards_are_typed_with_the_readers_ranks_and_suit_signs(self, language, ranks):
        sheet = a_sheet("muette", depth="cards")
        plays = " ".join(self.plays(sheet, "N"))
        said = plays.translate(str.maketrans("AKQJSHDC", f"{ranks}♠♥♦♣"))
        typed = {"dealer": "N", "trump": "H", "doubling": "0", "depth": "cards", "plays": said}
        with translation.override(language):
            assert read_entry(ScoreSheet(sheet), typed, "N")["record"]["plays"] == plays.split()

    def test_a_record_without_a_leader_begins_with_the_dealer(self):
        sheet = a_sheet("muette", depth="cards")
        entry = {
            "dealer": "N",
            "contract": {"declarer": "NS", "trump": "H", "blind": True},
            "record": {"trump": "H", "plays": self.plays(sheet, "N")},
        }
        replayed, _places = ScoreSheet(sheet).replay(entry)
        assert replayed["tricks"][0]["leader"] == "N"
        assert ScoreSheet(sheet).score(entry).tricks_won == replayed["tricks_won"]

    def test_the_page_says_so_and_follows_the_cards_from_the_dealer(self, client):
        sheet = a_sheet("muette", depth="cards")
        page = client.get(f"/t/{token(sheet)}/", headers={"accept-language": "fr"})
        assert "c’est le donneur qui entame" in page.content.decode()
        asked = {
            "plays": " ".join(self.plays(sheet, "N")[:4]),
            "trump": "H",
            "dealer": "N",
            "blind": "1",
            "leader": "",
        }
        address = reverse("table-tricks", args=[token(sheet)])
        assert client.post(address, asked).json()["tricks"][0]["winner"] == "N"

    def test_a_declarer_of_an_auction_is_scored_by_the_cards_played(self):
        sheet = a_sheet("auction-2", depth="cards")
        contract = {"declarer": "3", "level": 40, "trump": "H"}
        record = {"trump": "H", "leader": "2", "plays": self.plays(sheet, "2")}
        scored = ScoreSheet(sheet).score({"dealer": "1", "contract": contract, "record": record})
        assert scored.marks == {"1": 0, "2": 0, "3": -40, "4": 0}

    def test_the_reserve_of_three_is_what_nobody_played(self):
        sheet = a_sheet("three-player", depth="cards")
        pack = [rank + suit for rank in ("10", *"AKQJ987") for suit in "HSDC"]
        record = {"trump": "H", "leader": "2", "plays": pack[:30]}
        entry = {"dealer": "1", "contract": {"trump": "H"}, "record": record}
        scored = ScoreSheet(sheet).score(entry)
        assert (sum(scored.points.values()), sum(scored.tricks_won.values())) == (60, 10)

    def test_the_open_deal_of_three_is_followed_before_its_reserve_is_known(self, client):
        sheet = a_sheet("three-player", depth="cards")
        asked = {"plays": "AH KH QH", "trump": "H", "dealer": "1", "leader": ""}
        address = reverse("table-tricks", args=[token(sheet)])
        assert client.post(address, asked).json()["tricks"][0]["winner"] == "2"


# Blind double entry where the table is not two pairs --------------------------------------------


def phones(rulebook: str, writers: str, **options):
    """Create a blind sheet with a phone for each of ``writers``; seat 1 deals first."""
    sheet = a_sheet(rulebook, protocol=Protocol.DOUBLE, options=options)
    devices = {seat: Actor.device(uuid.uuid4()) for seat in writers}
    for seat, device in devices.items():
        tables.take_writing(table_id=sheet.table_id, actor=device, side=seat)
    return sheet, devices


def alone(dealer: str, points: int, **more):
    """Return a deal of three players by the points of the dealer, who plays alone."""
    return {"dealer": dealer, "contract": {"trump": "H"}, "points": {dealer: points}, **more}


def by_the_others(dealer: str, points: int):
    """Return the same deal by the points of the two others."""
    return alone(dealer, 0) | {"points": {"123".replace(dealer, ""): 60 - points}}


@pytest.mark.guide("scorekeeper#signing")
def test_dealer_and_one_of_the_others_make_a_deal_official():
    sheet, phone = phones("three-player", "123")
    hand(sheet, alone("1", 40), phone["1"])
    assert not ScoreSheet(sheet).current()
    assert double_entry.awaited(ScoreSheet(sheet), "1") == ("2", "3")
    hand(sheet, by_the_others("1", 40), phone["3"])
    assert [deal.marks for deal in ScoreSheet(sheet).current()] == [{"1": 10, "2": 0, "3": 0}]
    # The two who play together cannot complete it alone: the dealer has to enter it too.
    hand(sheet, alone("2", 18), phone["1"], number=2)
    hand(sheet, alone("2", 18), phone["3"], number=2)
    assert len(ScoreSheet(sheet).current()) == 1
    assert double_entry.awaited(ScoreSheet(sheet), "1") == ("2",)
    hand(sheet, alone("2", 18), phone["2"], number=2)
    assert ScoreSheet(sheet).current()[1].marks == {"1": 12, "2": 0, "3": 12}


@pytest.mark.parametrize(
    ("other", "where", "said"),
    [
        (alone("1", 41), "points 1", ("40", "41")),
        (by_the_others("1", 41), "points 23", ("20", "19")),
        (alone("2", 40), "dealer", ("1", "2")),
        ({**alone("1", 40), "contract": {"trump": "S"}}, "contract trump", ("H", "S")),
    ],
)
def test_what_differs_between_players_is_named_and_settled(other, where, said):
    sheet, phone = phones("three-player", "13")
    hand(sheet, alone("1", 40), phone["1"])
    hand(sheet, other, phone["3"])
    sheet.refresh_from_db()
    assert (sheet.state, ScoreSheet(sheet).current()) == ("disputed", [])
    (found, *_rest) = double_entry.differences(ScoreSheet(sheet))
    assert (found.deal, found.where, found.side, found.other_side) == (1, where, "1", "3")
    assert (found.entry, found.other_entry) == said
    sheets.correct_deal(
        sheet_id=sheet.pk, number=1, entry=alone("1", 40), reason="miscounted", actor=phone["3"]
    )
    sheet.refresh_from_db()
    assert (sheet.state, len(ScoreSheet(sheet).current())) == ("open", 1)


@pytest.mark.guide("scorekeeper#signing")
def test_a_player_without_a_phone_is_handed_one_and_signs_on_it():
    sheet, phone = phones("three-player", "12", target={"deals": 3})
    for dealer, points in (("1", 40), ("2", 18)):
        hand(sheet, alone(dealer, points), phone["1"])
        hand(sheet, alone(dealer, points), phone["2"])
    hand(sheet, alone("3", 35), phone["1"])
    hand(sheet, alone("3", 35), phone["2"])
    assert len(ScoreSheet(sheet).current()) == 2
    tables.take_writing(table_id=sheet.table_id, actor=phone["2"], side="3")
    hand(sheet, alone("3", 35), phone["2"])
    sheet.refresh_from_db()
    assert sheet.finished
    for side, signer in (("1", "1"), ("3", "2"), ("2", "2")):  # nobody writes for player 2 now
        signatures.sign(sheet_id=sheet.pk, side=side, version=sheet.version, actor=phone[signer])
    sheet.refresh_from_db()
    assert sheet.state == "official"
    assert sheet.results.get().result["marks"] == {"1": 22, "2": 0, "3": 17}


@pytest.mark.parametrize("rulebook", ["auction-1", "auction-2", "auction-3"])
@pytest.mark.parametrize("players", [3, 4, 5, 6, 7])
def test_an_auction_is_written_by_declarer_and_one_of_the_others(rulebook, players):
    seats = "1234567"[:players]
    stakes = {"stakes": [50, 40, 30, 20, 10]} if rulebook == "auction-1" else {}
    sheet, phone = phones(rulebook, seats, players=players, target={"deals": players}, **stakes)
    contract = {"declarer": "2", "trump": "S"}
    contract |= {"exchanged": 1} if rulebook == "auction-1" else {"level": 22}
    entry = {"dealer": "1", "contract": contract, "points": {"2": 30}}
    hand(sheet, entry, phone["1"])
    hand(sheet, entry, phone["3"])
    assert not ScoreSheet(sheet).current()
    hand(
        sheet, {**entry, "contract": {**contract, "declarer": "3"}, "points": {"3": 30}}, phone["2"]
    )
    (found,) = [
        each
        for each in double_entry.differences(ScoreSheet(sheet))
        if each.where == "contract declarer"
    ]
    assert (found.side, found.entry, found.other_side, found.other_entry) == ("1", "2", "2", "3")
    sheets.correct_deal(
        sheet_id=sheet.pk, number=1, entry=entry, reason="misread", actor=phone["2"]
    )
    (deal,) = ScoreSheet(sheet).current()
    assert max(deal.marks, key=lambda seat: deal.marks[seat]) == "2"
    sheet.refresh_from_db()
    assert sheet.state == "open"


def test_a_deal_that_everybody_passed_needs_two_players():
    sheet, phone = phones("auction-2", "123", players=3, target={"deals": 3})
    passed = {"dealer": "1", "annulled": True}
    hand(sheet, passed, phone["2"])
    assert not ScoreSheet(sheet).current()
    hand(sheet, passed, phone["3"])
    assert [deal.annulled for deal in ScoreSheet(sheet).current()] == [True]


def test_a_result_is_called_for_once_beside_another_call():
    """The topic is stored as text, as in forms and the record."""
    sheet = a_sheet()
    call = {"table_id": sheet.table_id, "actor": SYSTEM}
    other = tables.call_referee(reason="revoke", **call)
    about = {**call, "sheet_id": sheet.pk, "topic": "result"}
    result, again = (tables.call_referee(reason="the result", **about) for _ in range(2))
    assert other.pk != result.pk == again.pk


def test_a_slip_is_for_the_first_game_of_the_table_that_still_waits():
    table = a_table()
    first, second = (
        a_sheet(table=table, options={"target": {"deals": 1}}, order=n) for n in (1, 2)
    )
    slip = SimpleNamespace(round_sheets=[(first.pk, "17"), (second.pk, "17")])
    assert sheet_of_table(slip, "17") == first.pk
    for sheet, waits in ((first, second), (second, first)):
        sheets.enter_deal(sheet_id=sheet.pk, entry=simple(42), actor=SYSTEM)
        signatures.confirm(sheet_id=sheet.pk, version=1, actor=SYSTEM)
        assert sheet_of_table(slip, "17") == waits.pk
    assert sheet_of_table(slip, "18") is None
