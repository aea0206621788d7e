"""The table's page through Django's client: access, entry at every depth, signing, the writing device."""

from __future__ import annotations

import re
import uuid
from itertools import pairwise

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils.translation import override

from ledger.actors import Actor
from scoring.engine.rulebook import RULEBOOKS
from tests.markup import markup
from tests.tournament.build import grant, make_user
from tournament.models.tables import Sheet
from tournament.queries.sheet_page import deal_rows
from tournament.services import sheets, signatures, tables
from tournament.tables.links import entrant_token
from tournament.tables.score_sheet import ScoreSheet

from .build import SYSTEM, a_sheet, a_table, in_round, seat_players, simple, token

pytestmark = pytest.mark.django_db


def page(sheet: Sheet) -> str:
    return reverse("table", args=[token(sheet)])


def write(client: Client, sheet: Sheet, **fields: object):
    sheet.refresh_from_db()
    posted = {
        "verb": "deal",
        "trump": "H",
        "doubling": "0",
        "side": "NS",
        "points": "40",
        "version": sheet.version,
        **fields,
    }
    return client.post(page(sheet), posted)


@pytest.mark.guide("scorekeeper#for-the-scorekeeper")
def test_a_wrong_link_opens_nothing(client):
    answer = client.get(reverse("table", args=["a" * 24]))
    assert answer.status_code == 404
    assert b"does not open a table" in answer.content


def test_a_revoked_link_opens_nothing_and_the_new_slip_does(client):
    sheet = a_sheet()
    old = page(sheet)
    assert client.get(old).status_code == 200
    tables.revoke_link(
        round_id=sheet.table.round_id,
        table=sheet.table.number,
        actor=SYSTEM,
        reason="lost slip",
    )
    assert client.get(old).status_code == 404
    sheet.table.refresh_from_db()
    assert page(sheet) != old
    assert client.get(page(sheet)).status_code == 200


def test_a_revoked_link_takes_the_writing_from_the_phones_that_had_it():
    for protocol, side in (("confirm", ""), ("double", "NS")):
        sheet = a_sheet(protocol=protocol, table=a_table(label=protocol, number=len(protocol)))
        phone, new = uuid.uuid4(), uuid.uuid4()
        tables.take_writing(table_id=sheet.table_id, actor=Actor.device(phone), side=side)
        tables.revoke_link(
            round_id=sheet.table.round_id,
            table=sheet.table.number,
            actor=SYSTEM,
            reason="lost slip",
        )
        # The phone that scans the new slip writes without taking over from another phone.
        taken = tables.take_writing(table_id=sheet.table_id, actor=Actor.device(new), side=side)
        assert (taken.allowed, taken.taken_over) == (True, False)


def test_the_token_is_stored_only_as_a_hash():
    sheet = a_sheet()
    stored = [str(getattr(sheet.table, f.attname)) for f in sheet.table._meta.concrete_fields]
    assert token(sheet) not in stored
    assert len(token(sheet)) == 24  # 120 bits of base 32


@pytest.mark.guide("scorekeeper#record-a-deal")
@pytest.mark.parametrize("rulebook", sorted(RULEBOOKS))
@pytest.mark.parametrize("depth", ["points", "tricks", "list", "cards"])
def test_every_rulebook_has_its_page_at_every_depth(client, rulebook, depth):
    options = {"stakes": [8, 6, 4, 2, 1]} if rulebook == "auction-1" else {}
    sheet = a_sheet(rulebook, options=options, depth=depth)
    answer = client.get(page(sheet))
    assert answer.status_code == 200
    text = answer.content.decode()
    book = RULEBOOKS[rulebook]
    assert ('name="turn_up"' in text) == book.turn_up
    assert ('value="NT"' in text) == book.no_trump
    assert ('name="level"' in text) == bool(book.levels)
    assert ('name="doubling"' in text) == bool(book.calls)
    assert ('name="bid"' in text) == (rulebook in ("auction-2", "auction-3"))
    assert ('name="plays"' in text) == (depth == "cards")
    assert ('name="trick_7_points"' in text) == (depth == "list")
    for field in re.findall(r'<input[^>]*name="(?:trick_\d_)?points"[^>]*>', text):
        assert 'maxlength="3"' in field  # no score has four digits


@pytest.mark.guide("scorekeeper#record-a-deal")
def test_a_deal_is_written_and_spoken(client):
    sheet = a_sheet()
    answer = write(client, sheet, points="42")
    assert answer.status_code == 302
    text = client.get(page(sheet)).content.decode()
    assert "N-S score 12: 42 − 30 = 12" in text
    deal = ScoreSheet(sheet).current()[0]
    assert deal.marks == {"NS": 12, "EW": 0}
    assert deal.entry["contract"]["declarer"] == "NS"  # the dealer sits N: their side chose trump


def test_the_sheet_says_what_was_bid():
    bid = {"declarer": "1", "level": 40, "trump": "S"}
    for rulebook, contract, said in (
        ("auction-2", bid, "Ann 40"),
        ("three-player", {"declarer": "1", "trump": "H"}, "Ann"),
    ):
        sheet = a_sheet(rulebook)
        entry = {"dealer": "1", "contract": contract, "points": {"1": 40}}
        sheets.enter_deal(sheet_id=sheet.pk, entry=entry, actor=SYSTEM)
        (row,) = deal_rows(ScoreSheet(sheet), "en", {"1": "Ann", "2": "Bo", "3": "Cy", "4": "Di"})
        assert row.contract == said
        assert "Ann" in row.worth, "each plays alone: the sentence names them"


@pytest.mark.guide("scorekeeper#record-a-deal")
def test_the_dealer_moves_on_by_itself(client):
    sheet = a_sheet("coinchee", first_dealer="N")  # counter-clockwise: W S E N
    for expected in ("N", "W", "S", "E"):
        assert ScoreSheet(sheet).next_dealer() == expected
        assert write(client, sheet, points="36").status_code == 302
    assert [d.entry["dealer"] for d in ScoreSheet(sheet).current()] == ["N", "W", "S", "E"]


@pytest.mark.guide("scorekeeper#record-a-deal")
def test_a_refusal_says_what_to_change_and_keeps_what_was_typed(client):
    sheet = a_sheet()
    answer = write(client, sheet, points="77", trump="D")
    assert answer.status_code == 422
    text = markup(answer)
    assert 'value="77"' in text
    assert 'value="D" checked' in text
    assert 'role="alert"' in text
    assert not ScoreSheet(sheet).current()


@pytest.mark.parametrize("language", ["en", "fr", "nl"])
def test_refusals_come_in_the_reader_s_language(client, language):
    sheet = a_sheet("coinchee")
    client.cookies["django_language"] = language
    text = write(client, sheet, points="69").content.decode()
    words = {"en": "69", "fr": "69", "nl": "69"}[language]
    assert f'lang="{language}"' in text
    assert words in text


@pytest.mark.guide("scorekeeper#signing")
def test_the_match_ends_and_both_sides_sign(client):
    sheet = a_sheet(options={"target": {"deals": 1}})
    _north, east, south, _west = seat_players(sheet, "Ann", "Bob", "Cas", "Dirk")
    write(client, sheet, points="42")
    sheet.refresh_from_db()
    assert sheet.finished
    shown = client.get(page(sheet)).content
    assert b"The game is over" in shown
    assert b'value="unbell"' not in shown  # no bell ended it
    for side, signer in (("NS", south.pk), ("EW", east.pk)):
        answer = client.post(
            page(sheet),
            {"verb": "sign", "signing": side, "signer": signer, "version": sheet.version},
        )
        assert answer.status_code == 302
    sheet.refresh_from_db()
    assert sheet.state == "official"
    assert sheet.results.get(current=True).result["winner"] == "NS"
    assert set(sheet.signatures.values_list("signed_by", flat=True)) == {
        f"player:{south.pk}",
        f"player:{east.pk}",
    }


@pytest.mark.guide("scorekeeper#signing")
def test_nobody_signs_for_the_other_side(client):
    sheet = a_sheet(options={"target": {"deals": 1}})
    write(client, sheet, points="42")
    sheet.refresh_from_db()
    answer = client.post(
        page(sheet), {"verb": "sign", "signing": "NS", "signer": "2", "version": sheet.version}
    )
    assert answer.status_code == 403
    assert not sheet.signatures.exists()


def test_a_second_phone_reads_along_and_takes_over_knowingly(client):
    sheet = a_sheet()
    write(client, sheet)
    other = Client()
    assert b"Another phone is keeping score" in other.get(page(sheet)).content
    assert write(other, sheet, points="31").status_code == 409
    assert other.post(page(sheet), {"verb": "take"}).status_code == 302
    assert write(other, sheet, points="31").status_code == 302
    told = write(client, sheet, points="33")
    assert told.status_code == 409
    assert "Another phone is now keeping score" in told.content.decode()
    assert len(ScoreSheet(sheet).current()) == 2


def test_a_deal_takes_at_most_fifteen_statements(client):
    sheet = a_sheet()
    in_round(sheet)
    send = reverse("table-send", args=[token(sheet)])
    posted = {"verb": "deal", "trump": "H", "side": "NS", "points": "40", "game": "1"}
    counted = []
    for number in (1, 2, 3):
        with CaptureQueriesContext(connection) as statements:
            answer = client.post(send, {**posted, "number": number, "key": f"k{number}"})
        assert (answer.status_code, answer.json()["version"]) == (200, number)
        counted.append(len(statements))
    # The first deal also makes the phone the table's writing device.
    assert max(counted[1:]) <= 15, counted


def test_the_sender_is_harmless_when_it_repeats(client):
    sheet = a_sheet()
    send = reverse("table-send", args=[token(sheet)])
    posted = {
        "verb": "deal",
        "trump": "H",
        "side": "NS",
        "points": "40",
        "number": "1",
        "key": "k1",
        "game": "1",
    }
    first, again = client.post(send, posted), client.post(send, posted)
    assert (first.status_code, again.status_code) == (200, 200)
    assert (first.json()["repeated"], again.json()["repeated"]) == (False, True)
    assert len(ScoreSheet(sheet).current()) == 1
    changed = client.post(send, {**posted, "points": "41"})
    assert changed.status_code == 409
    assert changed.json()["code"] == "key_reused"
    ahead = client.post(send, {**posted, "key": "k2", "number": "3"})
    assert ahead.json()["code"] == "not_the_next_deal"


def test_a_deal_for_a_game_that_is_over_is_not_said_to_be_the_next_one(client):
    """The phone had not received the other deals: no number would help."""
    sheet = a_sheet(options={"target": {"deals": 2}})
    for points in (40, 41):
        sheets.enter_deal(sheet_id=sheet.pk, actor=SYSTEM, entry=simple(points))
    send = reverse("table-send", args=[token(sheet)])
    posted = {"verb": "deal", "depth": "points", "trump": "H", "side": "NS", "points": "39"}
    late = client.post(send, {**posted, "number": "1", "key": "late", "game": "1"})
    assert late.json()["code"] == "match_over"
    assert late.json()["messages"]["nl"].startswith("De boom is uit")


@pytest.mark.guide("scorekeeper#correct-a-deal")
def test_a_correction_supersedes_with_its_reason_and_can_be_read(client):
    sheet = a_sheet()
    write(client, sheet, points="42")
    sheet.refresh_from_db()
    at = reverse("table-deal", args=[token(sheet), 1, 1])
    posted = {
        "verb": "correct",
        "number": "1",
        "version": sheet.version,
        "trump": "H",
        "doubling": "0",
        "side": "NS",
        "points": "24",
        "depth": "points",
    }
    assert client.post(at, posted).status_code == 400
    assert client.post(at, {**posted, "reason": "counted again"}).status_code == 302
    deal = ScoreSheet(sheet).current()[0]
    assert (deal.version, deal.marks) == (2, {"NS": 0, "EW": 6})
    text = client.get(at).content.decode()
    assert "counted again" in text
    assert "is-superseded" in text
    assert "N-S score 12" in text


def test_what_is_missing_is_asked_for_in_the_words_of_the_form(client):
    """All the points of a deal count as a sweep only with all the tricks."""
    sheet = a_sheet(options={"sweep60": 60})
    answer = client.post(
        reverse("table-send", args=[token(sheet)]),
        {"verb": "deal", "game": "1", "trump": "H", "side": "NS", "points": "60", "key": "k"},
    ).json()
    assert answer["code"] == "missing_key"
    assert answer["messages"]["en"] == "Enter the tricks of that side."
    assert "tricks" not in answer["messages"]["fr"]


@pytest.mark.guide("scorekeeper#correct-a-deal")
def test_a_deal_that_was_not_played_counts_for_nothing_and_its_dealer_deals_again(client):
    sheet = a_sheet()
    for points in ("42", "38"):
        write(client, sheet, points=points)
    sheet.refresh_from_db()
    at = reverse("table-deal", args=[token(sheet), 1, 2])
    posted = {"verb": "correct", "number": "2", "version": sheet.version, "dealer": "E"}
    answer = client.post(at, {**posted, "unplayed": "1", "reason": "recorded twice"})
    assert answer.status_code == 302
    first, second = ScoreSheet(sheet).current()
    assert (first.marks, second.marks) == ({"NS": 12, "EW": 0}, {"NS": 0, "EW": 0})
    assert second.annulled
    assert ScoreSheet(sheet).next_dealer() == "E"
    assert ScoreSheet(sheet).state(ScoreSheet(sheet).of_match()).marks == {"NS": 12, "EW": 0}
    assert "recorded twice" in client.get(reverse("table", args=[token(sheet)])).content.decode()


@pytest.mark.guide("scorekeeper#correct-a-deal")
def test_after_signing_the_table_corrects_no_more(client):
    sheet = a_sheet(options={"target": {"deals": 1}})
    write(client, sheet, points="42")
    sheet.refresh_from_db()
    for side in ("NS", "EW"):
        signatures.sign(sheet_id=sheet.pk, side=side, version=sheet.version, actor=SYSTEM)
    at = reverse("table-deal", args=[token(sheet), 1, 1])
    posted = {
        "verb": "correct",
        "number": "1",
        "trump": "H",
        "side": "NS",
        "points": "24",
        "reason": "x",
        "depth": "points",
    }
    assert client.post(at, posted).status_code == 409
    corrected = sheets.correct_deal(
        sheet_id=sheet.pk,
        number=1,
        entry=simple(24),
        actor=SYSTEM,
        reason="by the director",
    )
    assert corrected.version == 2
    assert sheet.results.count() == 2
    assert sheet.results.get(current=True).result["winner"] == "EW"


@pytest.mark.guide("scorekeeper#the-referee")
def test_the_referee_is_called_once_with_a_reason(client):
    sheet = a_sheet()
    for _again in range(2):
        client.post(page(sheet), {"verb": "referee", "reason": "play", "words": "trick 5"})
    call = sheet.table.calls.get()
    assert "trick 5" in call.reason
    assert b"The referee has been called" in client.get(page(sheet)).content


def test_the_page_needs_few_queries(client, django_assert_max_num_queries):
    sheet = a_sheet(options={"target": 500})
    for _deal in range(10):
        sheets.enter_deal(sheet_id=sheet.pk, entry=simple(36), actor=SYSTEM)
    with django_assert_max_num_queries(16):
        client.get(page(sheet))


def test_players_sign_on_their_own_phones(client):
    sheet = a_sheet(options={"target": {"deals": 1}})
    _north, east, _south, _west = seat_players(sheet, "Ann", "Bob", "Cas", "Dirk")
    sheets.enter_deal(sheet_id=sheet.pk, entry=simple(42), actor=SYSTEM)
    at = reverse("player-sign", args=[entrant_token(east)])
    assert client.get(reverse("player-sign", args=["nobody"])).status_code == 404
    assert "I sign for E-W" in client.get(at).content.decode()
    posted = {"verb": "sign", "sheet": str(sheet.pk), "side": "NS", "version": "1"}
    assert client.post(at, posted).status_code == 404
    assert client.post(at, {**posted, "side": "EW", "version": "0"}).status_code == 409
    assert client.post(at, {**posted, "side": "EW"}).status_code == 302
    assert sheet.signatures.get().signed_by == f"player:{east.pk}"


@pytest.mark.parametrize("language", ["en", "fr", "nl"])
def test_blind_double_entry_by_two_phones_names_what_differs(client, language):
    sheet = a_sheet(protocol="double")
    east = Client()
    for phone in (client, east):
        phone.cookies["django_language"] = language
    assert client.post(page(sheet), {"verb": "choose", "writing_for": "NS"}).status_code == 302
    taken = east.post(page(sheet), {"verb": "choose", "writing_for": "NS"})
    assert taken.status_code == 400
    assert east.post(page(sheet), {"verb": "choose", "writing_for": "EW"}).status_code == 302
    assert write(client, sheet, points="42").status_code == 302
    text = east.get(page(sheet)).content.decode()
    assert "42 − 30" not in text  # blind: the other side's entry is not shown
    assert "spoken" not in text
    assert write(east, sheet, points="41").status_code == 302
    for phone in (client, east):
        text = " ".join(phone.get(page(sheet)).content.decode().split())
        assert ("N-Z 42, O-W 41" if language == "nl" else " 42, ") in text
        assert 'role="alert"' in text
    at = reverse("table-deal", args=[token(sheet), 1, 1])
    fixed = east.post(
        at,
        {
            "verb": "correct",
            "number": "1",
            "trump": "H",
            "doubling": "0",
            "side": "NS",
            "points": "42",
            "reason": "recount",
            "depth": "points",
        },
    )
    assert fixed.status_code == 302
    assert [deal.marks["NS"] for deal in ScoreSheet(sheet).current()] == [12]


@pytest.mark.guide("scorekeeper#for-the-scorekeeper")
def test_the_application_on_the_phone(client):
    sheet = a_sheet()
    manifest = client.get(reverse("table-manifest", args=[token(sheet)]))
    assert manifest["Content-Type"] == "application/manifest+json"
    assert manifest.json()["start_url"] == page(sheet)
    assert client.get(reverse("table-manifest", args=["a" * 24])).status_code == 404
    worker = client.get(reverse("table-worker"))
    assert worker["Service-Worker-Allowed"] == "/t/"
    assert b"js/table-queue" in worker.content


def test_cards_are_followed_without_being_written(client):
    sheet = a_sheet("parlee", depth="cards", first_dealer="N")
    at = reverse("table-tricks", args=[token(sheet)])
    # 000, example of a deal, first trick: West leads 8♥, South must ruff with K♣
    told = client.post(at, {"plays": "8H KC 9D 7H", "trump": "C", "dealer": "N"}).json()
    assert told["tricks"] == [{"n": 1, "winner": "S", "points": 4}]
    assert client.post(at, {"plays": "8H 8H", "trump": "C"}).status_code == 422
    assert not sheet.deals.exists()


@pytest.mark.guide("scorekeeper#record-a-deal")
@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "Cedric cannot have 69 card points"),
        ("fr", "Cedric ne peut avoir 69 points"),
        ("nl", "Cedric kan geen 69 kaartpunten hebben"),
    ],
)
def test_a_refusal_names_the_person_where_everybody_plays_for_himself(client, language, said):
    """The engine numbers the players by deal (A.8); the page shows their names."""
    sheet = a_sheet("three-player", first_dealer="3")
    seat_players(sheet, "Agnes", "Bert", "Cedric")
    client.cookies["django_language"] = language
    answer = write(client, sheet, side="declarer", points="69")
    assert answer.status_code == 422
    assert said in answer.content.decode()


def test_a_refusal_names_a_pair_as_the_sheet_does(client):
    sheet = a_sheet()
    client.cookies["django_language"] = "fr"
    assert (
        "E-O ne peut avoir 77 points"
        in write(client, sheet, side="EW", points="77").content.decode()
    )


def test_a_call_that_is_sent_again_calls_nobody_twice(client):
    """A phone that lost the answer repeats its call, perhaps after the referee has been there."""
    sheet = a_sheet()
    send = reverse("table-send", args=[token(sheet)])
    posted = {"verb": "referee", "reason": "play", "words": "trick 5", "key": "c1", "game": "1"}
    assert client.post(send, posted).json()["repeated"] is False
    tables.close_call(call_id=sheet.table.calls.get().pk, actor=SYSTEM)
    assert client.post(send, posted).json()["repeated"] is True
    assert sheet.table.calls.count() == 1
    assert client.post(send, {**posted, "key": "c2"}).json()["repeated"] is False
    assert sheet.table.calls.count() == 2


def test_a_deal_for_a_game_that_is_not_there_is_not_written_into_another(client):
    one = a_sheet()
    two = a_sheet(table=one.table, order=2)
    posted = {"verb": "deal", "trump": "H", "doubling": "0", "side": "NS", "points": "40"}
    address = reverse("table-send", args=[token(one)])
    refused = client.post(address, {**posted, "game": "3"})
    assert (refused.status_code, refused.json()["code"]) == (404, "no_such_game")
    assert client.post(f"{page(one)}?game=3", posted).status_code == 404
    assert client.post(address, {**posted, "game": "2"}).status_code == 200
    assert [len(ScoreSheet(each).current()) for each in (one, two)] == [0, 1]
    assert client.get(reverse("table-state", args=[token(one)])).json()["games"] == [1, 2]


def test_the_topic_of_a_call_is_read_in_the_reader_s_language(client):
    sheet = a_sheet()
    client.cookies["django_language"] = "fr"
    client.post(page(sheet), {"verb": "referee", "reason": "score", "words": "donne 1"})
    call = sheet.table.calls.get()
    for language, topic in (
        ("en", "the score:"),
        ("fr", "la marque\u00a0:"),
        ("nl", "de score:"),
    ):
        with override(language):
            assert call.subject == f"{topic} donne 1"


def test_every_number_of_tricks_can_be_said(client):
    for rulebook, tricks in (("auction-2", 8), ("coinchee", 8)):
        text = client.get(page(a_sheet(rulebook, depth="tricks"))).content.decode()
        offered = re.findall(r'name="tricks"\s+value="(\d+)"', text)
        assert offered == [str(number) for number in range(tricks + 1)], rulebook


def test_a_deal_is_corrected_with_the_dealer_it_had(client):
    sheet = a_sheet()
    for _deal in range(2):
        write(client, sheet)
    first, second = ScoreSheet(sheet).current()
    user = make_user("director")
    grant(user, "director", sheet.scope)
    client.force_login(user)
    for deal in (first, second):
        shown = client.get(reverse("staff-sheet", args=[sheet.pk]), {"deal": deal.number})
        assert shown.context["correction"].form.dealer == deal.entry["dealer"]
    assert first.entry["dealer"] != second.entry["dealer"]


@pytest.mark.parametrize(
    ("rulebook", "deals", "halves"),
    [
        ("belgian", 0, [("0", "0"), ("0", "0")]),
        ("belgian", 1, [("12", "0"), ("0", "12")]),
        ("three-player", 0, [("0", ""), ("0", ""), ("0", "")]),
    ],
)
def test_each_half_to_be_signed_shows_its_marks_before_those_of_the_other(
    client, rulebook, deals, halves
):
    sheet = a_sheet(rulebook)
    for _deal in range(deals):
        write(client, sheet, points="42")
    # The bell may end a match without a finished deal.
    sheets.end_by_bell(sheet_id=sheet.pk, actor=SYSTEM)
    text = client.get(page(sheet)).content.decode()
    shown = re.findall(r'class="half__score">\s*<b>(\d+)</b>(?:\s*– (\d+))?', text)
    assert shown == halves


def test_the_deal_that_is_entered_next_has_the_next_number(client):
    sheet = a_sheet()
    for number in range(1, 5):
        shown = client.get(page(sheet))
        assert shown.context["number"] == number
        assert f'name="number" value="{number}"' in shown.content.decode()
        write(client, sheet)
    assert [deal.number for deal in ScoreSheet(sheet).current()] == [1, 2, 3, 4]


def test_a_deal_that_all_passed_is_asked_about_where_something_is_entered(client):
    sheet = a_sheet("chaloupee", first_dealer="N")
    bid = {"verb": "deal", "declarer": "NS", "level": "40", "doubling": "0", "side": "NS"}
    asked = client.post(page(sheet), {**bid, "passed": "1"})
    assert asked.status_code == 409
    assert "Did everybody pass?" in markup(asked)
    assert ScoreSheet(sheet).current() == []
    yes = re.search(r'<button class="button" name="(\w+)" value="(\w+)"', markup(asked))
    assert yes
    # The button "yes" repeats that all passed; the form's own button would write the deal.
    answered = client.post(page(sheet), {**bid, yes[1]: yes[2]})
    assert answered.status_code == 302
    (deal,) = ScoreSheet(sheet).current()
    assert (deal.annulled, deal.doubts) == (True, ["passed"])


def test_a_deal_that_all_passed_is_written_at_once_where_only_the_dealer_stands(client):
    sheet = a_sheet("auction-2", first_dealer="1")
    fresh = {"verb": "deal", "dealer": "1", "doubling": "0", "bid": "", "points": "", "passed": "1"}
    assert client.post(page(sheet), fresh).status_code == 302
    assert [deal.annulled for deal in ScoreSheet(sheet).current()] == [True]
    said = '<b class="spoken__result">passed by all: the next player deals</b>'
    assert said in markup(client.get(page(sheet)))


def test_what_polls_compare_moves_with_each_signature_and_confirmation(client):
    sheet = a_sheet(options={"target": {"deals": 1}})
    seat_players(sheet, "An", "Bo", "Cis", "Dora")
    sheets.enter_deal(sheet_id=sheet.pk, entry=simple(40), actor=SYSTEM)

    def told() -> str:
        mark = client.get(reverse("table-state", args=[token(sheet)])).json()["mark"]
        shown = re.search(r'data-mark="([^"]*)"', client.get(page(sheet)).content.decode())
        assert shown
        assert shown[1] == mark
        return mark

    marks = [told()]
    for side in ("NS", "EW"):
        sheet.refresh_from_db()
        signatures.sign(sheet_id=sheet.pk, side=side, version=sheet.version, actor=SYSTEM)
        marks.append(told())
    tables.contest_result(sheet_id=sheet.pk, actor=SYSTEM, reason="wrong")
    marks.append(told())
    signatures.reopen(sheet_id=sheet.pk, actor=SYSTEM, reason="wrong")
    marks.append(told())
    sheet.refresh_from_db()
    signatures.confirm(sheet_id=sheet.pk, version=sheet.version, actor=SYSTEM, reason="late")
    marks.append(told())
    assert all(one != other for one, other in pairwise(marks))
