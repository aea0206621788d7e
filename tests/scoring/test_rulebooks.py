"""The rulebooks compared with the variant tables (rules specification A.1, A.2, A.3, B.1, B.3)."""

import dataclasses
import json

import pytest

from scoring.engine.cards import format_card
from scoring.engine.duties import Beat, Duties, Ruff
from scoring.engine.errors import Malformed
from scoring.engine.options import EARLIER_DEFAULTS
from scoring.engine.rulebook import RULEBOOKS, describe_rulebooks, resolve
from scoring.engine.rulebooks import BOOKS, WrongRulebook, load, read_folder, read_rulebook

KEYS = [
    "parlee",
    "boussac",
    "chaloupee",
    "coinchee",
    "muette",
    "parlee-limited",
    "auction-1",
    "auction-2",
    "auction-3",
    "blind",
    "three-player",
    "belgian",
    "bruges",
    "trumps-only",
]

# key, source, direction (A.6, Q-DIR), order of play, total, half (A.2), no trump, turn-up, doublings
PAIR_ROWS = [
    ("parlee", "000", "CCW", "WSEN", 68, 34, False, True, 0),
    ("boussac", "001", "CCW", "WSEN", 68, 34, False, True, 0),
    ("chaloupee", "002", "CCW", "WSEN", 68, 34, True, False, 2),
    ("coinchee", "003", "CCW", "WSEN", 68, 34, True, False, 2),
    ("muette", "004", "CW", "WNES", 60, 30, True, False, 2),
    ("parlee-limited", "004", "CW", "WNES", 60, 30, True, False, 2),
    ("blind", "004", "CW", "WNES", 60, 30, True, False, 2),
    ("belgian", "external", "CW", "WNES", 60, 30, True, False, 2),
    ("bruges", "external", "CW", "WNES", 60, 30, True, False, 2),
    ("trumps-only", "practice", "CW", "WNES", 60, 30, True, False, 2),
]

# A.1: key, players -> (cards a hand, cards in the widow, sevens removed); A.2: most points
DEALS = [
    ("auction-1", 3, 10, 2, 0, 70),
    ("auction-1", 4, 7, 4, 0, 67),
    ("auction-1", 5, 6, 2, 0, 66),
    ("auction-1", 6, 5, 2, 0, 65),
    ("auction-1", 7, 4, 4, 0, 64),
    ("auction-2", 3, 10, 0, 2, 70),
    ("auction-2", 4, 8, 0, 0, 68),
    ("auction-2", 5, 6, 0, 2, 66),
    ("auction-2", 6, 5, 0, 2, 65),
    ("auction-2", 7, 4, 0, 4, 64),
    ("auction-3", 3, 9, 5, 0, 69),
    ("auction-3", 4, 7, 4, 0, 67),
    ("auction-3", 5, 6, 2, 0, 66),
    ("auction-3", 6, 5, 2, 0, 65),
    ("auction-3", 7, 4, 4, 0, 64),
]

# B.3, the article of each kind of illegal play; "" is the table's dash
PLAY_ARTICLES = {
    "revoke": "000-P1 001-R9a 002-P1 003-P1 004-V1 BE-P1",
    "false_ruff": "000-P1 001-R9b 002-P1 003-P1 004-V1 BE-P1",
    "failed_to_beat": "000-P2 001-R9c 002-P2 003-P2 - BE-P2",
    "failed_to_ruff": "000-P3 001-R9d 002-P3 003-P3 004-V1 BE-P3",
    "failed_to_overruff": "000-P4 001-R9d 002-P4 003-P4 004-V1 BE-P4",
    "under_ruff": "000-P4 001-R9d 002-P4 003-P4 004-V1 BE-P5",
}
COLUMNS = [
    ("parlee",),
    ("boussac",),
    ("chaloupee",),
    ("coinchee",),
    ("muette", "parlee-limited", "three-player"),
    ("belgian", "auction-1", "auction-2", "auction-3", "bruges", "trumps-only"),
]


def test_the_rulebooks_stand_in_the_order_of_the_table():
    assert list(RULEBOOKS) == KEYS


@pytest.mark.guide("engine#values")
@pytest.mark.parametrize("row", PAIR_ROWS, ids=lambda row: row[0])
def test_the_row_of_a_pair_game(row):
    key, source, direction, order, total, half, no_trump, turn_up, doublings = row
    game = resolve(key)
    assert game.book.source.startswith(source)
    assert (game.direction, "".join(game.seats)) == (direction, order)
    assert (game.total, game.half, game.total_is_exact) == (total, half, True)
    assert (game.book.no_trump, game.book.turn_up, game.max_doubling) == (
        no_trump,
        turn_up,
        doublings,
    )
    assert (game.players, game.hand_size, game.widow_size) == (4, 8, 0)
    assert game.sides == ("NS", "EW")
    assert [game.side_of(seat) for seat in "NESW"] == ["NS", "EW", "NS", "EW"]


@pytest.mark.parametrize(("key", "players", "hand", "widow", "removed", "most"), DEALS)
def test_the_deal_of_an_auction(key, players, hand, widow, removed, most):
    game = resolve(key, {"players": players})
    assert (game.hand_size, game.widow_size, len(game.removed)) == (hand, widow, removed)
    assert hand * players + widow + removed == 32
    assert game.deck_mask.bit_count() == 32 - removed
    assert (game.total, game.total_is_exact) == (most, widow == 0)
    assert game.seats == tuple(str(n) for n in range(1, players + 1))


def test_the_two_sevens_removed_are_those_of_diamonds_and_hearts():
    game = resolve("auction-2", {"players": 5})
    assert {format_card(card) for card in game.removed} == {"7D", "7H"}
    assert len(resolve("auction-2", {"players": 7}).removed) == 4


def test_the_open_cards_of_auction_3():
    up = {n: resolve("auction-3", {"players": n}).dealing.face_up for n in (3, 4, 5, 6, 7)}
    assert up == {3: 2, 4: 2, 5: 1, 6: 1, 7: 2}


@pytest.mark.guide("engine#values")
def test_three_players_ten_cards_each_and_a_reserve_that_scores():
    game = resolve("three-player")
    assert (game.players, game.hand_size, game.widow_size) == (3, 10, 2)
    assert (game.total, game.half, game.reserve_scores, game.total_is_exact) == (60, 30, True, True)
    assert game.sides == ("3", "12")
    assert [game.side_of(player) for player in "123"] == ["12", "12", "3"]


@pytest.mark.guide("engine#values")
def test_the_sides_of_an_auction_follow_the_declarer():
    game = resolve("auction-2")
    assert game.sides_of("2") == ("2", "134")
    assert [game.side_of(player, "2") for player in "1234"] == ["134", "2", "134", "134"]
    assert game.other_side("134", "2") == "2"
    with pytest.raises(Malformed) as refused:
        game.side_of("1")
    assert refused.value.code == "declarer"


def test_an_unknown_player_is_refused_by_name():
    with pytest.raises(Malformed) as refused:
        resolve("muette").side_of("1")
    assert refused.value.code == "seat"
    assert "W, N, E, S" in refused.value.message


@pytest.mark.guide("engine#values")
@pytest.mark.parametrize(("direction", "order"), [("CCW", "WSEN"), ("CW", "WNES")])
def test_the_direction_is_an_event_setting(direction, order):
    game = resolve("chaloupee", {"direction": direction})
    assert "".join(game.seats) == order
    assert game.next_player(order[-1]) == "W"


@pytest.mark.parametrize("kind", PLAY_ARTICLES)
def test_the_article_of_each_kind_of_illegal_play(kind):
    for keys, article in zip(COLUMNS, PLAY_ARTICLES[kind].split(), strict=True):
        for key in keys:
            expected = None if article == "-" else article
            assert RULEBOOKS[key].play_articles.get(kind) == expected


def test_disobedience_is_an_offence_only_where_orders_are_given():
    found = {key: RULEBOOKS[key].play_articles.get("disobeyed_order") for key in KEYS}
    assert {key: article for key, article in found.items() if article} == {
        "parlee": "000-E2",
        "parlee-limited": "004-E3",
    }
    assert not RULEBOOKS["blind"].play_articles


DUTIES = [
    ("parlee", {}, Duties()),
    ("boussac", {}, Duties()),
    ("chaloupee", {}, Duties()),
    ("coinchee", {}, Duties()),
    ("auction-1", {}, Duties()),
    ("auction-2", {}, Duties()),
    ("auction-3", {}, Duties()),
    ("belgian", {}, Duties(under_ruff=False)),
    ("belgian", {"under_ruff": "PERMITTED"}, Duties()),
    ("bruges", {}, Duties(under_ruff=False)),
    ("trumps-only", {}, Duties(beat=Beat.TRUMPS_ONLY, beat_partner=True)),
    (
        "trumps-only",
        {"beat": "NEVER", "beat_partner": False, "ruff": "ALWAYS", "under_ruff": "FORBIDDEN"},
        Duties(beat=Beat.NEVER, ruff=Ruff.ALWAYS, under_ruff=False),
    ),
    (
        "trumps-only",
        {"ruff": "OPTIONAL", "overruff": False},
        Duties(beat=Beat.TRUMPS_ONLY, beat_partner=True, ruff=Ruff.NEVER_BOUND, overruff=False),
    ),
    ("parlee", {"under_ruff": "FORBIDDEN"}, Duties(under_ruff=False)),
    ("chaloupee", {"must_ruff_over_partner": True}, Duties(ruff_over_partner=True)),
    ("chaloupee", {"nt_beat": False}, Duties(beat_at_no_trump=False)),
    (
        "coinchee",
        {"cut_rule": "LITERAL_003", "nt_beat": False},
        Duties(ruff=Ruff.LITERAL_003, beat_at_no_trump=False),
    ),
    (
        "muette",
        {},
        Duties(beat=Beat.NEVER, beat_at_no_trump=False, ruff=Ruff.NEVER_BOUND, overruff=False),
    ),
    (
        "muette",
        {"muette_ruff": "ALWAYS"},
        Duties(beat=Beat.NEVER, beat_at_no_trump=False, ruff=Ruff.ALWAYS, overruff=False),
    ),
    (
        "three-player",
        {"muette_ruff": "OPPONENT_MASTER"},
        Duties(beat=Beat.NEVER, beat_at_no_trump=False, ruff=Ruff.OPPONENT_MASTER, overruff=True),
    ),
    (
        "blind",
        {},
        Duties(
            follow=False,
            beat=Beat.NEVER,
            beat_at_no_trump=False,
            ruff=Ruff.NEVER_BOUND,
            overruff=False,
        ),
    ),
]


@pytest.mark.parametrize(("key", "options", "duties"), DUTIES)
def test_the_duties_of_each_book_and_switch(key, options, duties):
    assert resolve(key, options).duties == duties


DOUBLINGS = [
    ("coinchee", {"doubling_allowed": False}, 0),
    ("coinchee", {"redoubling_allowed": False}, 1),
    ("muette", {"infinite_tap": True}, None),
    ("muette", {"infinite_tap": True, "redoubling_allowed": False}, 1),
    ("parlee", {}, 0),
    ("auction-3", {}, 0),
    ("three-player", {}, 2),
]


@pytest.mark.parametrize(("key", "options", "most"), DOUBLINGS)
def test_how_often_a_deal_may_be_doubled(key, options, most):
    assert resolve(key, options).max_doubling == most


def test_the_ladder_and_the_calls_of_the_books():
    assert dict(RULEBOOKS["chaloupee"].levels) == {34: 1, 44: 2, 50: 3, 54: 4}
    factors = {key: book.no_trump_factor for key, book in RULEBOOKS.items()}
    assert {key for key, factor in factors.items() if factor == 2} == {
        "chaloupee",
        "coinchee",
        "muette",
        "parlee-limited",
        "blind",
        "three-player",
        "belgian",
        "bruges",
        "trumps-only",
    }
    assert [call.by for call in RULEBOOKS["coinchee"].calls] == ["opponents", "declarers"]


def test_an_event_of_auction_1_cannot_open_without_stakes():
    with pytest.raises(Malformed) as refused:
        resolve("auction-1").require_complete()
    assert refused.value.field == "options.stakes"
    resolve("auction-1", {"stakes": [1, 2, 3, 4, 5]}).require_complete()
    resolve("parlee").require_complete()


def test_published_books_cannot_be_changed():
    book = RULEBOOKS["parlee"]
    with pytest.raises(dataclasses.FrozenInstanceError):
        book.half = 35
    with pytest.raises(TypeError):
        RULEBOOKS["parlee"] = book
    with pytest.raises(TypeError):
        resolve("parlee").options["target"] = 1
    assert all(book.edition for book in RULEBOOKS.values())


def test_equal_settings_are_equal_games():
    assert resolve("parlee", {"target": 100}) == resolve("parlee")
    assert hash(resolve("parlee", {"target": 100})) == hash(resolve("parlee"))
    assert resolve("parlee", {"target": 150}) != resolve("parlee")


@pytest.mark.parametrize("key", ["whist", "", None, 3, ["parlee"], "PARLEE"])
def test_an_unknown_rulebook_lists_those_there_are(key):
    with pytest.raises(Malformed) as refused:
        resolve(key)
    assert refused.value.code == "unknown_rulebook"
    assert refused.value.params["allowed"] == KEYS


@pytest.mark.guide("engine#values")
def test_the_listing_holds_every_book_with_its_switches():
    listing = json.loads(json.dumps(describe_rulebooks()))
    assert [book["key"] for book in listing] == KEYS
    for book in listing:
        assert book["title"]
        assert book["source"]
        assert all(book["titles"][language] for language in ("en", "fr", "nl"))
        for switch in book["switches"].values():
            assert {"default", "allowed"} <= set(switch)
        required = [name for name, switch in book["switches"].items() if "required" in switch]
        assert required == (["stakes"] if book["key"] == "auction-1" else [])
    by_key = {book["key"]: book for book in listing}
    assert by_key["auction-2"]["players"] == [3, 4, 5, 6, 7]
    assert by_key["belgian"]["external"] is True
    assert by_key["boussac"]["switches"]["target"]["default"] == {"games": 2, "of": 34}


class TestFiles:
    """An invalid rulebook file is refused with the file and the key."""

    @pytest.mark.parametrize(
        ("change", "words"),
        [
            ({"half": "34"}, r"parlee\.toml: half: a whole number"),
            ({"sides": "THREE"}, r"parlee\.toml: sides: 'THREE'"),
            ({"talk": None}, r"parlee\.toml: talk missing"),
            ({"haf": 34}, r"parlee\.toml: unknown key 'haf'"),
            ({"dealing": {"4": {"cards": 8}}}, r"parlee\.toml: dealing: a table of hand"),
            ({"dealing": {"4": {}}}, r"parlee\.toml: dealing: {} is incomplete"),
            ({"play_articles": {"revok": "000-P1"}}, r"play_articles: 'revok'"),
            ({"calls": [{"count": 1}]}, r"calls: .* is incomplete"),
            ({"direction": "left"}, "direction: CCW or CW"),
            ({"switches": {"nt_bet": {}}}, "switches: there is no switch 'nt_bet'"),
            ({"switches": {"tied_match": {"default": 3}}}, "3 is not a value of tied_match"),
            ({"switches": {"tied_match": {"values": []}}}, "a table of default, allowed"),
            ({"switches": {"sweep60": {"allowed": [30], "default": 60}}}, "60 is not a value"),
            ({"duties": {"ruff": "SOMETIMES"}}, "duties: 'SOMETIMES'"),
        ],
    )
    def test_a_wrong_key_or_value(self, change, words):
        raw = {**load("parlee"), **change}
        with pytest.raises(WrongRulebook, match=words):
            read_rulebook("parlee", {key: value for key, value in raw.items() if value is not None})

    def test_a_file_that_is_no_toml_or_not_there(self, tmp_path):
        (tmp_path / "odd.toml").write_text("half = \n")
        (tmp_path / "heir.toml").write_text('base = "nobody"\n')
        for key, words in (("odd", "odd.toml: "), ("heir", "nobody.toml: there is no such")):
            with pytest.raises(WrongRulebook, match=words):
                load(key, tmp_path)

    def test_bases_that_go_round(self, tmp_path):
        for key, base in (("egg", "hen"), ("hen", "egg")):
            (tmp_path / f"{key}.toml").write_text(f'base = "{base}"\n')
        with pytest.raises(WrongRulebook, match=r"egg\.toml: its bases go round: egg, hen"):
            load("egg", tmp_path)


class TestHeirs:
    """A book with a base inherits everything that it does not state itself."""

    @pytest.fixture
    def books(self, tmp_path):
        """Read the folder of rulebooks with one additional file."""

        def read(**files):
            for file in BOOKS.glob("*.toml"):
                (tmp_path / file.name).write_text(file.read_text(encoding="utf-8"), "utf-8")
            for key, text in files.items():
                (tmp_path / f"{key}.toml").write_text(text, "utf-8")
            return read_folder(tmp_path)

        return read

    @pytest.mark.parametrize("base", KEYS)
    def test_a_title_and_a_base_are_a_rulebook(self, books, base):
        heir = books(club=f'title = "Club"\nbase = "{base}"\n')["club"]
        parent = RULEBOOKS[base]
        same = {"key": "club", "title": heir.title, "worked": ()}
        assert [switch.name for switch in heir.switches] == [
            switch.name for switch in parent.switches
        ]
        assert dataclasses.replace(parent, **same, switches=heir.switches) == heir

    def test_a_book_stands_by_its_order_and_then_by_its_key(self, books):
        title = 'base = "muette"\ntitle = "Club"\n'
        keys = list(books(zoo=title, ape=title, first=f"order = 0\n{title}"))
        assert keys == ["first", *KEYS[:12], "ape", *KEYS[12:], "zoo"]

    def test_switches_and_duties_are_stated_one_by_one(self, books):
        heir = books(
            club="""
            base = "muette"
            title = "Club"
            duties = { beat = "ALWAYS" }
            [switches]
            muette_ruff = { allowed = ["ALWAYS", "OPTIONAL"] }
            penalty_value = { default = 60 }
            sweep60 = { known = false }
            """
        )["club"]
        parent = RULEBOOKS["muette"]
        assert heir.duties == dataclasses.replace(parent.duties, beat=Beat.ALWAYS)
        assert {s.name for s in parent.switches} - {s.name for s in heir.switches} == {"sweep60"}
        switches = {switch.name: switch for switch in heir.switches}
        assert switches["muette_ruff"].allowed == ("ALWAYS", "OPTIONAL")
        assert switches["muette_ruff"].default(heir, 4) == "ALWAYS"
        assert switches["penalty_value"].default(heir, 4) == 60
        with pytest.raises(ValueError, match=r"^$"):
            switches["muette_ruff"].read("OPPONENT_MASTER")


def test_every_rulebook_opens_events_under_the_defaults_of_today() -> None:
    """A former edition reads the old defaults, so no file may start under one."""
    assert {book.edition for book in RULEBOOKS.values()}.isdisjoint(EARLIER_DEFAULTS)
