"""A forfeited round is lost with no marks for and none against (rules specification C.8)."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from ledger.errors import Conflict, Refused
from operations.replay import replay
from tests.markup import markup, without_marks
from tests.tables.build import token
from tests.tournament.build import SYSTEM, chance, make_document, make_event, make_user
from tests.tournament.desk import agree
from tests.tournament.documents.reading import whole_text
from tests.tournament.results import copy_slip
from tests.tournament.test_bracket_places import settle
from tests.tournament.test_stages import draw_next, event_of, publish_next, seated
from tests.tournament.test_stages import settle as settle_round
from tournament import exports
from tournament.demo.simulation import draw_and_publish, play_round, play_sheet
from tournament.models import Adjustment, Draw, Event, Round, Seat, Table
from tournament.models.tables import Sheet
from tournament.queries.falls import Act, Fate, of_round, what_falls
from tournament.queries.rounds import open_again, tables_waiting
from tournament.queries.standings import recompute
from tournament.services import adjustments, publication, reseating, rounds
from tournament.services.adjustments import Amount

pytestmark = pytest.mark.django_db


def lost_by(drawn: Draw, number: int, net: int, games: int = 3) -> None:
    """Make the first ``games`` of each table official; the side of ``number`` loses by ``net``."""
    for sheet in Sheet.objects.filter(table__round=drawn.round, order__lte=games):
        seats = {s.position: s.entrant.number for s in sheet.table.seats.all()}
        sides = sheet.sides
        loses = next((side for side in sides if number in {seats[p] for p in sides[side]}), "EW")
        other = next(side for side in sides if side != loses)
        copy_slip(sheet, {loses: 10, other: 10 + net})


def forfeit(event: Event, round_: Round, number: int) -> None:
    adjustments.adjust(
        stage_id=round_.stage_id,
        source=f"ruling:{number}",
        reason="T-ABS",
        actor=SYSTEM,
        round_id=round_.pk,
        amounts=[Amount(event.entrants.get(number=number).pk, penalties=1, forfeited=True)],
    )


def test_a_long_reason_is_kept_as_far_as_the_record_holds_it() -> None:
    event = make_event(4)
    stage = event.stages.get(order=1)
    amounts = [Amount(event.entrants.get(number=1).pk, penalties=1)]
    reason = "x" * 1000
    said: dict[str, Any] = {"source": "by hand", "reason": reason, "actor": SYSTEM}
    (adjustment,) = adjustments.adjust(stage_id=stage.pk, amounts=amounts, **said)
    adjustments.annul(**said)
    adjustment.refresh_from_db()
    for field in ("reason", "annulled_reason"):
        held = Adjustment._meta.get_field(field).max_length
        assert getattr(adjustment, field) == reason[:held]


def rows(event: Event) -> dict[int, dict[str, Any]]:
    return {row["number"]: row for row in recompute(stage_id=event.stages.get().pk).rows}


@pytest.mark.guide("ranking#other-parts-of-a-rule")
def test_a_net_of_minus_64_that_contains_a_round_of_minus_26_becomes_minus_38() -> None:
    event = event_of(8, "individual_draw", rounds=2, deals=4)
    first = publish_next(event)
    lost_by(first, 1, 38)
    rounds.close_round(round_id=first.round_id, actor=SYSTEM)
    second = publish_next(event)
    lost_by(second, 1, 26)
    before = rows(event)
    # Games won, net marks, marks.
    assert before[1]["values"] == [0, -64, 20]
    forfeit(event, second.round, 1)
    after = rows(event)
    assert after[1]["values"] == [0, -38, 10]
    assert (after[1]["lost"], after[1]["adjusted"]) == (2, True)
    assert all(after[number]["values"] == before[number]["values"] for number in range(2, 9))
    adjustments.annul(source="ruling:1", actor=SYSTEM, reason="was there")
    assert rows(event)[1]["values"] == before[1]["values"]


@pytest.mark.guide("ranking#other-parts-of-a-rule", "referee#what-to-keep-in-mind")
def test_games_never_entered_are_lost_and_the_others_have_the_event_s_credit() -> None:
    event = event_of(4, "individual_draw", rounds=1, games_per_round=3)
    drawn = publish_next(event)
    lost_by(drawn, 1, 12, games=1)
    with pytest.raises(Conflict) as refusal:
        rounds.close_round(round_id=drawn.round_id, actor=SYSTEM)
    assert refusal.value.code == "tables_not_signed"
    forfeit(event, drawn.round, 1)
    rounds.close_round(round_id=drawn.round_id, actor=SYSTEM, forfeits=True)
    found = rows(event)
    # Never at a table that counts: listed apart, three games lost.
    assert (found[1]["rank"], found[1]["lost"], found[1]["won"]) == (None, 3, 0)
    assert all((found[n]["games"], found[n]["credited"]) == (3, 2) for n in (2, 3, 4))


def test_what_an_earlier_release_took_back_in_amounts_stands_as_it_did() -> None:
    event = event_of(4, "individual_draw", rounds=1, deals=4)
    drawn = publish_next(event)
    lost_by(drawn, 1, 26)
    who = Seat.objects.get(round=drawn.round, entrant__number=1).entrant
    adjustments.adjust(
        stage_id=drawn.round.stage_id,
        source="ruling:1",
        reason="T-ABS",
        actor=SYSTEM,
        round_id=drawn.round_id,
        amounts=[Amount(who.pk, marks=-10, penalties=1)],
    )
    assert rows(event)[1]["values"] == [0, -36, 0]


def test_a_match_of_a_pool_that_was_forfeited_is_won_and_nobody_goes_on_for_it(
    client: Client,
) -> None:
    event = event_of(6, "pools_ko", rounds=5, drawing={"pool_size": 3})
    drawn = publish_next(event)
    settle(drawn, wins=int, margin=lambda number: number)
    who = sorted(seated(drawn)[0])
    forfeit(event, drawn.round, who[0])
    names = {each.number: each.person.name for each in event.entrants.select_related("person")}
    client.force_login(make_user("director", event, "director"))
    desk = client.get(f"/desk/{event.slug}/rounds/", headers={"accept-language": "en"})
    assert f"forfeited by {names[who[0]]}. {names[who[1]]} wins." in without_marks(
        desk.content.decode()
    )
    assert "goes on" not in without_marks(desk.content.decode())


# In a knock-out ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def built(module_database: None) -> tuple[Event, Draw]:
    event = event_of(4, "ko", rounds=1, drawing={"seeds": 4})
    drawn = publish_next(event)
    settle(drawn, wins=int, margin=lambda number: number)
    return event, drawn


@pytest.fixture
def semi_finals(built: tuple[Event, Draw]) -> tuple[Event, Draw]:
    """Return a knock-out of four after its first round: the lower number of each match has won."""
    return copy.deepcopy(built)


def finalists(event: Event) -> list[set[int]]:
    return [set(who) for who in seated(publish_next(event))]


@pytest.mark.guide("director#after-the-publication")
def test_who_won_a_match_and_forfeits_the_round_goes_out_and_it_is_said(
    client: Client, semi_finals: tuple[Event, Draw]
) -> None:
    event, first = semi_finals
    beaten = next(max(who) for who in seated(first) if 1 in who)
    forfeit(event, first.round, 1)
    public = client.get(f"/e/{event.slug}/standings/", headers={"accept-language": "en"})
    names = {who.number: who.person.name for who in event.entrants.select_related("person")}
    shown = " ".join(without_marks(public.content.decode()).split())
    assert shown.count("Settled by a ruling") == 1
    assert "orfeit" not in shown, "who offended is not named to the public"
    client.force_login(make_user("director", event, "director"))
    for page in ("", "rounds/"):
        desk = client.get(f"/desk/{event.slug}/{page}", headers={"accept-language": "en"})
        assert f"forfeited by {names[1]}. {names[beaten]} qualifies." in without_marks(
            desk.content.decode()
        )
    number = next(
        t["number"] for t, who in zip(first.tables, seated(first), strict=True) if 1 in who
    )
    with pytest.raises(Refused) as refusal:
        reseating.decide_match(
            round_id=first.round_id, table=number, winner=1, reason="won", actor=SYSTEM
        )
    assert refusal.value.code == "side_forfeited"
    assert finalists(event) == [{2, beaten}]


@pytest.mark.guide("ranking#other-parts-of-a-rule")
@pytest.mark.parametrize("excluded", [False, True])
@pytest.mark.parametrize("shape", ["ko", "pools_ko"])
def test_who_passes_by_forfeit_has_won_the_match_everywhere(
    client: Client, shape: str, excluded: bool
) -> None:
    event = event_of(
        6, shape, rounds=1, drawing={"seeds": 6} if shape == "ko" else {"pool_size": 3}
    )
    first = publish_next(event)
    settle(first, wins=int, margin=lambda number: 30 + number)
    ahead, beaten = sorted(seated(first)[0])
    adjustments.adjust(
        stage_id=first.round.stage_id,
        source="ruling:1",
        reason="T-ABS",
        actor=SYSTEM,
        round_id=first.round_id,
        amounts=[
            Amount(
                event.entrants.get(number=ahead).pk, forfeited=not excluded, disqualified=excluded
            )
        ],
    )
    found = rows(event)
    assert (found[beaten]["won"], found[beaten]["lost"]) == (1, 0)
    assert (found[ahead]["won"], found[ahead]["lost"]) == (0, 1)
    listed = exports.results(event, public=True)
    numbers, outcome = listed.columns.index("numbers"), listed.columns.index("outcome")
    outcomes = {row[numbers]: row[outcome] for row in listed.rows}
    assert (outcomes[str(beaten)], outcomes[str(ahead)]) == ("won", "lost")
    pages = {
        number: markup(
            client.get(f"/e/{event.slug}/players/{number}/", headers={"accept-language": "en"})
        )
        for number in (ahead, beaten)
    }
    assert "Match won by a ruling." in pages[beaten]
    assert ("✓ won" in pages[beaten], "✓ won" in pages[ahead]) == (True, False)
    # The table's own page names the same winner, whatever its score.
    rounds.reopen_round(round_id=first.round_id, actor=SYSTEM, reason="look at the table")
    table = Table.objects.get(round=first.round, seats__entrant__number=beaten)
    side = table.seats.get(entrant__number=beaten).position
    phone = reverse("table", args=[token(table.sheets.get())])
    shown = markup(client.get(phone, headers={"accept-language": "en"}))
    assert f'<span class="nowrap">{side[0]}-{side[1]}</span>won' in shown
    assert "Match won by a ruling." in shown
    event.refresh_from_db()
    assert replay(event).differences == []


@pytest.mark.parametrize("ending", ["decided", "forfeited"])
def test_nothing_waits_for_a_signature_once_the_match_is_decided(
    client: Client, ending: str
) -> None:
    event = event_of(4, "ko", rounds=1, drawing={"seeds": 4})
    first = publish_next(event)
    table = Table.objects.get(round=first.round, seats__entrant__number=1)
    sheet = table.sheets.get()
    other = table.seats.exclude(entrant__number=1).get().entrant.number
    client.force_login(make_user("director", event, "director"))
    pages = [
        f"/e/{event.slug}/players/1/",
        f"/e/{event.slug}/players/{other}/",
        f"/desk/{event.slug}/room/players/1/",
    ]
    for page in pages:
        shown = markup(client.get(page, headers={"accept-language": "en"}))
        assert "not signed yet" in shown, page
    if ending == "forfeited":
        forfeit(event, first.round, 1)
    else:
        reseating.decide_match(
            round_id=first.round_id, table=table.number, winner=other, reason="why", actor=SYSTEM
        )
        pages.append(reverse("staff-sheet", args=[sheet.pk]))
    for page in pages:
        shown = markup(client.get(page, headers={"accept-language": "en"}))
        assert "not signed yet" not in shown, page
    passed = markup(client.get(pages[1], headers={"accept-language": "en"}))
    assert "✓ won" in passed
    assert "no result" in passed


def test_who_is_excluded_in_the_round_goes_out_too(semi_finals: tuple[Event, Draw]) -> None:
    event, first = semi_finals
    beaten = next(max(who) for who in seated(first) if 1 in who)
    adjustments.adjust(
        stage_id=first.round.stage_id,
        source="ruling:1",
        reason="T-UNSP",
        actor=SYSTEM,
        round_id=first.round_id,
        amounts=[Amount(event.entrants.get(number=1).pk, penalties=1, disqualified=True)],
    )
    assert finalists(event) == [{2, beaten}]


def test_an_annulled_forfeit_gives_the_place_back(semi_finals: tuple[Event, Draw]) -> None:
    event, first = semi_finals
    forfeit(event, first.round, 1)
    adjustments.annul(source="ruling:1", actor=SYSTEM, reason="was there")
    assert finalists(event) == [{1, 2}]


def test_a_forfeit_annulled_after_the_next_draw_is_said_and_settled(
    client: Client, semi_finals: tuple[Event, Draw]
) -> None:
    event, first = semi_finals
    beaten = next(max(who) for who in seated(first) if 1 in who)
    forfeit(event, first.round, 1)
    assert finalists(event) == [{2, beaten}]
    client.force_login(make_user("director", event, "director"))
    desk, draw = f"/desk/{event.slug}/", f"/desk/{event.slug}/draws/{first.pk}/"
    names = {who.number: who.person.name for who in event.entrants.select_related("person")}
    said = f"{names[1]} has now won, but the next draw has {names[beaten]}."
    english = {"accept-language": "en"}
    assert said not in without_marks(client.get(f"{desk}rounds/", headers=english).content.decode())
    adjustments.annul(source="ruling:1", actor=SYSTEM, reason="was there")
    for page in (desk, f"{desk}rounds/"):
        assert said in without_marks(client.get(page, headers=english).content.decode()), page
    form = " ".join(without_marks(client.get(draw, headers=english).content.decode()).split())
    assert f"drawn with {names[beaten]} in it" in form
    number = next(
        t["number"] for t, who in zip(first.tables, seated(first), strict=True) if 1 in who
    )
    asked = {"act": "decide", "table": number, "winner": beaten, "reason": "the final is drawn"}
    assert agree(client, draw, asked).status_code == 302
    for page in (desk, f"{desk}rounds/"):
        assert said not in without_marks(client.get(page, headers=english).content.decode()), page
    found = rows(event)
    assert {number for number in found if found[number]["rank"] == 1} == {2, beaten}


@pytest.mark.guide("director#after-the-publication")
def test_a_forfeit_after_the_next_draw_is_said_to_everybody_and_settled(
    client: Client, semi_finals: tuple[Event, Draw]
) -> None:
    event, first = semi_finals
    assert finalists(event) == [{1, 2}]
    beaten = next(max(who) for who in seated(first) if 1 in who)
    client.force_login(make_user("director", event, "director"))
    desk, draw = f"/desk/{event.slug}/", f"/desk/{event.slug}/draws/{first.pk}/"
    finish, public = f"{desk}finish/", f"/e/{event.slug}/standings/"
    names = {who.number: who.person.name for who in event.entrants.select_related("person")}
    said = f"{names[1]} forfeited the round after the next draw, which still has them."
    english = {"accept-language": "en"}

    def read(page: str) -> str:
        return " ".join(without_marks(client.get(page, headers=english).content.decode()).split())

    for page in (desk, f"{desk}rounds/", finish):
        assert said not in read(page), page
    forfeit(event, first.round, 1)
    for page in (desk, f"{desk}rounds/", finish):
        assert said in read(page), page
    assert "Settled by a ruling" in read(public)
    # The draw stands, and with it the place in the final; the games of the round are lost.
    found = rows(event)
    assert {number for number in found if found[number]["rank"] == 1} == {1, 2}
    assert (found[1]["won"], found[1]["lost"]) == (0, 1)
    assert f"{names[1]} forfeited the round after the next one was drawn" in read(draw)
    number = next(
        t["number"] for t, who in zip(first.tables, seated(first), strict=True) if 1 in who
    )
    asked = {"act": "decide", "table": number, "winner": 1, "reason": "the final is under way"}
    assert agree(client, draw, asked).status_code == 302
    for page in (desk, f"{desk}rounds/", finish):
        assert said not in read(page), page
    for page in (public, f"/e/{event.slug}/players/1/"):
        assert "the final is under way" in read(page), page
    # Another forfeit after the decision raises another question.
    adjustments.annul(source="ruling:1", actor=SYSTEM, reason="ruled anew")
    forfeit(event, first.round, 1)
    assert said in read(desk)
    # Once the final is withdrawn the forfeit counts: the other side goes on.
    final = event.stages.get().rounds.get(number=2)
    publication.unpublish(round_id=final.pk, actor=SYSTEM, reason="a semi-final was forfeited")
    assert said not in read(desk)
    assert finalists(event) == [{2, beaten}]


def test_a_draw_made_before_a_forfeit_is_not_published_after_it(
    semi_finals: tuple[Event, Draw],
) -> None:
    event, first = semi_finals
    drawn = draw_next(event)
    forfeit(event, first.round, 1)
    with pytest.raises(Conflict) as refusal:
        publication.publish_draw(draw_id=drawn.pk, actor=SYSTEM)
    assert refusal.value.code == "result_before_changed"
    adjustments.annul(source="ruling:1", actor=SYSTEM, reason="was there")
    publication.publish_draw(draw_id=drawn.pk, actor=SYSTEM)


@pytest.mark.guide("director#after-the-publication")
def test_a_match_that_both_forfeited_waits_for_the_director(client: Client) -> None:
    event = event_of(4, "ko", rounds=1, drawing={"seeds": 4})
    first = publish_next(event)
    number, both = next(
        (t["number"], who) for t, who in zip(first.tables, seated(first), strict=True) if 1 in who
    )
    for who in both:
        adjustments.adjust(
            stage_id=first.round.stage_id,
            source=f"ruling:{who}",
            reason="T-ABS",
            actor=SYSTEM,
            round_id=first.round_id,
            amounts=[Amount(event.entrants.get(number=who).pk, forfeited=True)],
        )
    for sheet in Sheet.objects.filter(table__round=first.round).exclude(table__number=number):
        copy_slip(sheet, {"NS": 26, "EW": 10})
    client.force_login(make_user("director", event, "director"))
    answer = client.post(f"/desk/{event.slug}/rounds/{first.round_id}/close/")
    assert answer["Location"] == f"/desk/{event.slug}/draws/{first.pk}/#matches"
    form = without_marks(
        client.get(answer["Location"], headers={"accept-language": "en"}).content.decode()
    )
    assert "forfeited by both" in form
    with pytest.raises(AssertionError, match="no winner yet"):
        publish_next(event)
    asked = {"act": "decide", "table": number, "winner": max(both), "reason": "lots"}
    assert agree(client, f"/desk/{event.slug}/draws/{first.pk}/", asked).status_code == 302
    assert max(both) in finalists(event)[0]


@pytest.mark.parametrize("shape", ["individual_draw", "pairs_swiss", "round_robin"])
def test_who_is_disqualified_is_drawn_no_more_and_the_director_is_told(
    client: Client, shape: str
) -> None:
    event = event_of(8, shape, rounds=3)
    first = publish_next(event)
    settle_round(first)
    adjustments.adjust(
        stage_id=first.round.stage_id,
        source="ruling:3",
        reason="T-UNSP",
        actor=SYSTEM,
        round_id=first.round_id,
        amounts=[Amount(event.entrants.get(number=3).pk, penalties=1, disqualified=True)],
    )
    client.force_login(make_user("director", event, "director"))
    name = event.entrants.get(number=3).person.name
    desk = without_marks(
        client.get(f"/desk/{event.slug}/", headers={"accept-language": "fr"}).content.decode()
    )
    assert "Disqualification, donc hors tirage" in desk
    assert name in desk
    page = client.get(f"/desk/{event.slug}/rounds/", headers={"accept-language": "nl"})
    assert "1 gediskwalificeerd" in page.content.decode()
    second = publish_next(event)
    assert 3 not in {number for table in seated(second) for number in table}
    # Annulled on appeal: player 3 is drawn again.
    settle_round(second)
    adjustments.annul(source="ruling:3", actor=SYSTEM, reason="on appeal")
    desk = without_marks(
        client.get(f"/desk/{event.slug}/", headers={"accept-language": "fr"}).content.decode()
    )
    assert "Disqualification, donc hors tirage" not in desk
    third = publish_next(event)
    sits = {number for table in seated(third) for number in table} | set(third.byes)
    assert 3 in sits or event.entrants.get(number=3).pk in sits


@pytest.mark.guide("referee#what-to-keep-in-mind")
def test_results_against_who_left_are_deleted_and_given_back() -> None:
    event = make_event(8, deals=1)
    round_ = draw_and_publish(event.stages.get(order=1).rounds.get(number=1), SYSTEM)
    play_round(round_, chance())
    seat = round_.tables.get(number=1).seats.first()
    assert seat is not None

    def deleted(*entrants: int) -> set[int]:
        before = set(Sheet.objects.filter(table__round=round_, counts=False))
        changed = adjustments.delete_results(
            stage_id=round_.stage_id, entrants=entrants, actor=SYSTEM, reason="left"
        )
        assert changed == len(before ^ set(Sheet.objects.filter(table__round=round_, counts=False)))
        gone = Sheet.objects.filter(table__round=round_, counts=False)
        return set(gone.values_list("table__number", flat=True))

    assert deleted(seat.entrant_id) == {1}
    assert deleted(seat.entrant_id) == {1}
    assert deleted() == set()


def test_a_forfeited_table_is_signed_only_where_its_game_was_played_to_the_end() -> None:
    event = make_event(12)
    round_ = draw_and_publish(event.stages.get(order=1).rounds.get(number=1), SYSTEM)
    ended, begun, empty = round_.tables.order_by("number")
    play_sheet(ended.sheets.get(order=1), chance(), sign=False)
    play_sheet(begun.sheets.get(order=1), chance(), deals=1, sign=False)
    for table in (ended, begun, empty):
        seat = table.seats.select_related("entrant").first()
        assert seat is not None
        forfeit(event, round_, seat.entrant.number)
    assert tables_waiting(round_) == ([ended.number], [begun.number, empty.number])


def test_who_played_the_round_that_they_forfeit_is_not_said_to_have_stayed_away(
    client: Client,
) -> None:
    event = make_event(8)
    round_ = draw_and_publish(event.stages.get(order=1).rounds.get(number=1), SYSTEM)
    play_round(round_, chance())
    forfeit(event, round_, 3)
    page = client.get(f"/e/{event.slug}/standings/", headers={"accept-language": "en"})
    said = " ".join(page.content.decode().split())
    assert "lost by a ruling" in said
    assert "did not play" not in said.partition("</table>")[0]
    printed = whole_text(bytes(make_document(event).content))
    assert "verloren door een uitspraak" in printed
    assert "(niet gespeeld)" not in printed


@pytest.mark.guide("director#a-round")
def test_a_table_with_a_forfeit_is_not_signed_and_closing_asks(client: Client) -> None:
    event = event_of(8, "individual_draw", rounds=1, games_per_round=3)
    drawn = publish_next(event)
    number, other = sorted(drawn.round.tables.values_list("number", flat=True))
    who = Seat.objects.select_related("entrant").filter(table__round=drawn.round)
    forfeit(event, drawn.round, who.filter(table__number=number).first().entrant.number)
    client.force_login(make_user("director", event, "director"))

    def hall() -> str:
        page = client.get(f"/desk/{event.slug}/room/", headers={"accept-language": "en"})
        return " ".join(page.content.decode().split())

    # Before the first card the table does not count as signed.
    assert "Tables that have signed: 0 of 2." in hall()
    assert tables_waiting(drawn.round)[1] == [number]
    for sheet in Sheet.objects.filter(table__round=drawn.round, table__number=other):
        copy_slip(sheet, dict.fromkeys(sheet.sides, 10))
    assert "Tables that have signed: 1 of 2." in hall()
    assert "Nothing holds up the round." in hall()
    with pytest.raises(Conflict) as refusal:
        rounds.close_round(round_id=drawn.round_id, actor=SYSTEM)
    assert refusal.value.code == "tables_forfeited"

    address = f"/desk/{event.slug}/rounds/{drawn.round_id}/close/"
    asked = client.post(address, headers={"accept-language": "en"})
    assert asked.status_code == 200
    assert f"Table {number}" in " ".join(asked.content.decode().split())
    assert Round.objects.get(pk=drawn.round_id).state != "closed"
    client.post(address, {"forfeits": "yes"})
    closed = Round.objects.select_related("stage__event").get(pk=drawn.round_id)
    assert closed.state == "closed"
    # Reopened, the credits of the others fall and the table is not signed, until it is closed so again.
    credited = [each for each in what_falls(of_round(Act.REOPEN, closed)) if each.code == "credits"]
    assert [(each.fate, each.numbers) for each in credited] == [(Fate.FALLS, (number,))]
    reopened = rounds.reopen_round(round_id=closed.pk, actor=SYSTEM, reason="a wrong score")
    (again,) = open_again([reopened, reopened])
    assert (again.signed, again.all, again.closable) == (1, 2, True)


def test_a_forfeited_match_of_a_knock_out_is_decided_and_nothing_is_asked() -> None:
    event = event_of(4, "ko", rounds=1, drawing={"seeds": 4})
    drawn = publish_next(event)
    for number in (1, 2):
        forfeit(event, drawn.round, number)
    assert rounds.close_round(round_id=drawn.round_id, actor=SYSTEM).state == "closed"
