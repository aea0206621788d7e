"""Claims of docs/formats.md about whole events, each tried as described."""

from __future__ import annotations

from collections import Counter

import pytest

from ledger.errors import Conflict
from ledger.jobs import work_on
from ledger.models import Job
from tests.tournament.build import SYSTEM, chance, make_event
from tests.tournament.desk import director
from tests.tournament.test_stages import draw_next, event_of, publish_next, seated, settle
from tournament.demo.simulation import advance
from tournament.drawing.formats import FORMATS
from tournament.models import Draw, Round
from tournament.services import bans_and_wishes, entrants, publication

pytestmark = pytest.mark.django_db


@pytest.mark.guide("formats#table-of-formats")
def test_in_the_three_rotations_only_the_first_seat_stays() -> None:
    event = event_of(8, "individual_draw", games_per_round=3)
    bans_and_wishes.wish(event_id=event.pk, number=5, actor=SYSTEM, fixed_seat=True)
    round_ = publish_next(event).round
    for table in round_.tables.all():
        games = [sheet.positions for sheet in table.sheets.order_by("order")]
        assert [at["N"] for at in games] == ["A", "A", "A"]
        assert [at["S"] for at in games] == ["B", "C", "D"]
    assert round_.seats.get(entrant__number=5).position == "A"


@pytest.mark.guide("formats#table-of-formats")
def test_by_the_three_player_rulebook_those_over_sit_out_in_turn() -> None:
    event = event_of(11, "individual_draw", rulebook="three-player", rounds=5)
    rests: Counter[int] = Counter()
    for _round in range(5):
        round_ = advance(event, chance())
        assert round_ is not None
        drawn = round_.draws.get(state="published")
        assert [len(table["players"]) for table in drawn.tables] == [3, 3, 3]
        assert len(drawn.byes) == 2
        rests.update(drawn.byes)
    # Ten rests among eleven players: no player rests twice.
    assert set(rests.values()) == {1}


@pytest.mark.guide("formats#when-the-number-does-not-fit")
@pytest.mark.parametrize("players", [4, 5, 7, 8, 10, 11])
def test_with_tables_of_three_only_the_fifth_of_five_sits_out(players: int) -> None:
    drawn = draw_next(event_of(players, "individual_draw", drawing={"odd": "threes"}))
    sizes = [len(table["players"]) for table in drawn.tables]
    assert set(sizes) <= {3, 4}
    assert sizes.count(3) <= 3
    assert len(drawn.byes) == (players == 5)


@pytest.mark.parametrize("players", [13, 14])
def test_a_draft_names_those_with_a_bye_once(players: int) -> None:
    event = make_event(players, deals=1)
    drawn = draw_next(event)
    page = director(event).get(f"/desk/{event.slug}/draws/{drawn.pk}/").content.decode()
    names = {who.pk: who.person.name for who in event.entrants.select_related("person")}
    assert len(drawn.byes) == players - 12
    for who in drawn.byes:
        assert page.count(names[who]) == 1, names[who]
    # The page names the value of a rest.
    assert "average" in page


@pytest.mark.guide("formats#when-the-number-does-not-fit")
def test_who_takes_a_hole_of_a_whist_movement_takes_its_bye_too() -> None:
    event = event_of(5, "individual_movement", rounds=5, drawing={"movement": "whist"})
    first = publish_next(event)
    settle(first)
    byes = [part["byes"][0] for part in first.plan["rounds"]]
    assert sorted(byes) == [1, 2, 3, 4, 5]
    with pytest.raises(Conflict) as refusal:
        entrants.enter_player(event_id=event.pk, name="No Hole", actor=SYSTEM, present=True)
    assert refusal.value.code == "no_place"
    assert "reserve" in str(refusal.value)
    gone = event.entrants.get(number=byes[2])
    entrants.withdraw(entrant_id=gone.pk, actor=SYSTEM)
    late = entrants.enter_player(event_id=event.pk, name="Late", actor=SYSTEM, present=True)
    at = dict(event.entrants.values_list("pk", "number"))
    for number in range(1, 5):
        drawn = publish_next(event)
        expected = late.number if byes[number] == gone.number else byes[number]
        assert [at[who] for who in drawn.byes] == [expected]
        settle(drawn)


@pytest.mark.guide("formats#when-the-number-does-not-fit")
@pytest.mark.parametrize("format", ["round_robin", "pools_ko"])
def test_who_should_meet_a_pair_that_left_sits_out(format: str) -> None:
    event = event_of(4, format, rounds=3)
    settle(publish_next(event))
    entrants.withdraw(entrant_id=event.entrants.get(number=4).pk, actor=SYSTEM)
    at = dict(event.entrants.values_list("pk", "number"))
    for _round in range(2):
        drawn = publish_next(event)
        ((one, two),) = [[at[who] for who in table["players"]] for table in drawn.tables]
        assert [at[who] for who in drawn.byes] == [*({1, 2, 3} - {one, two})]
        settle(drawn)


@pytest.mark.guide("formats#wishes")
@pytest.mark.parametrize(
    ("format", "players", "drawing"),
    [
        ("individual_draw", 8, {}),
        ("individual_movement", 16, {}),
        ("individual_movement", 12, {"movement": "whist"}),
        ("pairs_swiss", 8, {}),
        ("pairs_mitchell", 8, {}),
        ("round_robin", 8, {}),
        ("pools_ko", 8, {}),
        ("ko", 8, {}),
        ("random", 8, {}),
        ("random", 8, {"unit": "pair"}),
    ],
)
def test_two_to_be_kept_apart_never_meet_in_any_format(
    format: str, players: int, drawing: dict[str, object]
) -> None:
    event = event_of(players, format, rounds=3, drawing=drawing)
    bans_and_wishes.ban(event_id=event.pk, one=1, two=2, actor=SYSTEM)
    for _round in range(2):
        drawn = publish_next(event)
        assert not [table for table in seated(drawn) if {1, 2} <= set(table)]
        assert drawn.certificate["lines"]
        assert all(
            line["value"] == 0 for line in drawn.certificate["lines"] if "bans" in line["code"]
        )
        # In a bracket the entrant who leaves it later would meet the other in the final.
        settle(drawn, better=max)


@pytest.mark.guide("formats#wishes")
@pytest.mark.parametrize(
    ("format", "drawing"),
    [
        ("individual_movement", {"movement": "whist"}),
        ("round_robin", {}),
        ("pools_ko", {"pool_size": 4}),
    ],
)
def test_a_timetable_of_everybody_with_everybody_is_refused_before_its_first_round(
    format: str, drawing: dict[str, object]
) -> None:
    event = event_of(4, format, rounds=3, drawing=drawing)
    ban = bans_and_wishes.ban(event_id=event.pk, one=1, two=2, actor=SYSTEM)
    with pytest.raises(AssertionError, match="Numbers 1 and 2 would meet in round"):
        draw_next(event)
    page = director(event).get(f"/desk/{event.slug}/rounds/").content.decode()
    assert "remove that request, or choose another format" in page
    bans_and_wishes.lift_ban(event_id=event.pk, ban=ban.pk, actor=SYSTEM)
    assert draw_next(event).tables


@pytest.mark.guide("formats#wishes")
def test_a_final_of_two_to_be_kept_apart_waits_for_the_director() -> None:
    event = event_of(4, "ko", rounds=2, drawing={"seeds": 4})
    ban = bans_and_wishes.ban(event_id=event.pk, one=1, two=2, actor=SYSTEM)
    settle(publish_next(event))
    with pytest.raises(AssertionError, match="Numbers 1 and 2 would meet in round 2"):
        draw_next(event)
    bans_and_wishes.lift_ban(event_id=event.pk, ban=ban.pk, actor=SYSTEM)
    assert seated(draw_next(event)) == [(1, 2)]


@pytest.mark.guide("formats#wishes")
@pytest.mark.parametrize("format", ["individual_draw", "pairs_swiss"])
def test_two_who_cannot_move_and_met_keep_each_a_table_of_their_own(format: str) -> None:
    event = event_of(8, format, rounds=4)
    first = publish_next(event)
    # Two players of one table whose need to keep a seat was not known beforehand.
    one, two = seated(first)[0][:2]
    for number in (one, two):
        bans_and_wishes.wish(event_id=event.pk, number=number, actor=SYSTEM, fixed_seat=True)
    settle(first)
    own: dict[int, set[int]] = {one: set(), two: set()}
    for _round in range(3):
        drawn = publish_next(event)
        for number, tables in own.items():
            seat = drawn.round.seats.get(entrant__number=number)
            tables.add(seat.table.number)
        settle(drawn)
    assert [len(tables) for tables in own.values()] == [1, 1]
    assert not own[one] & own[two]


@pytest.mark.guide("formats#when-the-number-does-not-fit")
def test_in_swiss_rounds_a_volunteer_sits_out_first_but_not_twice_before_all_once() -> None:
    event = event_of(9, "pairs_swiss", rounds=3)
    client = director(event)
    at = dict(event.entrants.values_list("pk", "number"))
    out = []
    for number in (1, 2):
        round_ = event.stages.get().rounds.get(number=number)
        client.post(f"/desk/{event.slug}/rounds/{round_.pk}/draw/", {"bye_first": "4"})
        job = Job.objects.filter(kind="tournament.draw").latest("created_at")
        work_on(str(job.pk))
        drawn = round_.draws.get()
        publication.publish_draw(draw_id=drawn.pk, actor=SYSTEM)
        out += [at[who] for who in drawn.byes]
        lines = {line["code"]: line["value"] for line in drawn.certificate["lines"]}
        assert lines["byes_repeated"] == 0
        settle(publish_of(round_))
    assert out[0] == 4
    assert out[1] != 4


def publish_of(round_: Round) -> Draw:
    return Draw.objects.select_related("round__stage__event").get(round=round_, state="published")


@pytest.mark.guide("formats#wishes")
def test_by_lot_a_family_is_kept_apart_while_the_stage_says_so() -> None:
    event = event_of(12, "random", rounds=3, drawing={"family_rounds": 2})
    for number in (1, 2, 3):
        bans_and_wishes.wish(event_id=event.pk, number=number, actor=SYSTEM, family="De Smet")
    for _round in range(2):
        drawn = publish_next(event)
        assert all(len({1, 2, 3} & set(table)) == 1 for table in seated(drawn))
        settle(drawn)


@pytest.mark.guide("formats#when-the-number-does-not-fit")
@pytest.mark.parametrize("format", list(FORMATS))
def test_volunteers_are_asked_for_where_they_count(format: str) -> None:
    event = event_of(8, format, rounds=2)
    page = director(event).get(f"/desk/{event.slug}/rounds/").content.decode()
    each_round = format in ("individual_draw", "pairs_swiss", "random")
    assert ('name="bye_first"' in page) is each_round
