"""The double-dummy solver compared with plain minimax and the sources' ending, and under the game's symmetries."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import combinations

import pytest

from scoring.engine.cardplay import card_play
from scoring.engine.cards import (
    CARD_NAMES,
    NO_TRUMP,
    SUIT_MASKS,
    SUITS,
    VALUES,
    cards_of,
    format_card,
    mask_of,
    parse_card,
)
from scoring.engine.duties import Ruff
from scoring.engine.errors import Illegal, Impossible, Malformed
from scoring.engine.legality import LEADING, View, legal_mask, winners_over
from scoring.engine.rulebook import resolve
from scoring.engine.solve import BLIND_LIMIT, PROGRESS_EVERY, Position, solve
from scoring.engine.solver import layout
from scoring.engine.solver.tree import Deal, Table, grow

from .minimax import (
    ALL_DUTIES,
    BELGIAN,
    BLIND,
    CLUB_GAMES,
    GAMES,
    MUETTE,
    MUETTE_ALWAYS,
    PAIRS,
    PARLEE,
    ending,
    endings,
    expected,
    position,
    values,
)


def cards(text):
    return mask_of(parse_card(name) for name in text.split())


def named(solution):
    return {format_card(card) for card in solution.best}


# The four-trick ending of source 000, order of play W S E N. East's two trumps are not given there;
# 8 and 7 of clubs are the rules specification's assumption (B.4).
ENDING_000 = Position(
    duties=PARLEE,
    trump=SUITS.index("C"),
    hands=(
        cards("8H 10S 7D AC"),
        cards("KC KS AD JS"),
        cards("9D 9S 8C 7C"),
        cards("7H 8S 10C AS"),
    ),
    leader=0,
    sides=(0, 1, 0, 1),
)


def play(start, card):
    """Return the position after ``card``, and the points that sides 0 and 1 win by it."""
    players = len(start.hands)
    mover = start.to_move
    hands = tuple(h & ~(1 << card) if p == mover else h for p, h in enumerate(start.hands))
    trick = (*start.trick, card)
    if len(trick) < players:
        return replace(start, hands=hands, trick=trick), (0, 0)
    winner, master = start.leader, trick[0]
    for place, other in enumerate(trick):
        if place and winners_over(start.trump, master) >> other & 1:
            winner, master = (start.leader + place) % players, other
    won = start.trick_point + sum(VALUES[c] for c in (*trick, *cards_of(start.reserve)))
    side = start.sides[winner]
    after = replace(start, hands=hands, trick=(), leader=winner, reserve=0)
    return after, (won, 0) if side == 0 else (0, won)


def whole_deal(seed, duties=PARLEE, trump=None, sides=PAIRS, trick_point=1):
    rng = random.Random(seed)
    pack = rng.sample(range(32), 32)
    return Position(
        duties=duties,
        trump=rng.randrange(4) if trump is None else trump,
        hands=tuple(mask_of(pack[8 * p : 8 * p + 8]) for p in range(4)),
        leader=rng.randrange(4),
        sides=sides,
        trick_point=trick_point,
    )


class TestSource000:
    """B.4: the play of the source is best play for both sides, so its result is the value of the ending."""

    @pytest.mark.guide("engine#solve")
    def test_value_by_minimax(self):
        case = {
            "duties": PARLEE,
            "sides": PAIRS,
            "trick_point": 1,
            "trump": "C",
            "hands": [
                ["8H", "10S", "7D", "AC"],
                ["KC", "KS", "AD", "JS"],
                ["9D", "9S", "8C", "7C"],
                ["7H", "8S", "10C", "AS"],
            ],
            "leader": 0,
            "trick": [],
        }
        solution = solve(ENDING_000)
        assert (solution.points, named(solution)) == expected(case)
        assert sum(solution.points) == 33

    def test_compelled_cards_of_the_example(self):
        """Trick 1: South must ruff with the king; trick 3: North must overruff with the ten."""
        after_lead, _ = play(ENDING_000, parse_card("8H"))
        assert named(solve(after_lead)) == {"KC"}
        trick_3 = replace(
            ENDING_000,
            hands=(cards("AC"), cards("JS"), cards("8C"), cards("10C AS")),
            trick=tuple(parse_card(c) for c in ("7D", "AD", "7C")),
        )
        assert named(solve(trick_3)) == {"10C"}

    def test_points_of_the_last_two_tricks_as_printed(self):
        """From trick 3 on every card is forced: 10 points a side (B.4, last two rows)."""
        trick_3 = replace(
            ENDING_000,
            hands=(cards("7D AC"), cards("AD JS"), cards("8C 7C"), cards("10C AS")),
        )
        led, won = play(trick_3, parse_card("7D"))
        assert won == (0, 0)
        assert solve(led).points == (10, 10)


SHORT = [
    (game, size, count)
    for game in GAMES
    for size, count in [(1, 4), (2, 12), (3, 8), (4, 2)]
    if size * len(GAMES[game][1]) <= 20 and (game != "blind" or size <= 2)
]
"""Endings that plain minimax solves quickly; the larger ones are in the long tests."""


class TestAgainstMinimax:
    @pytest.mark.guide("engine#solve")
    @pytest.mark.parametrize(("game", "size", "count"), SHORT)
    def test_value_and_best_cards(self, game, size, count):
        for case in endings("short", game, size, count):
            solution = solve(position(case))
            assert (solution.points, named(solution)) == expected(case), case
            assert solution.exact
            assert solution.lower == solution.upper == solution.points

    @pytest.mark.guide("engine#solve")
    @pytest.mark.parametrize("game", GAMES)
    @pytest.mark.parametrize("no_trump", [False, True])
    def test_every_stage_of_a_trick(self, game, no_trump):
        for played in range(len(GAMES[game][1])):
            (case,) = endings(f"stage {played}", game, 2, 1, played=played, no_trump=no_trump)
            solution = solve(position(case))
            assert (solution.points, named(solution)) == expected(case), case


def _solve_by(rng, duties, size):
    """Compare a random ending, of pairs or of one against two, under ``duties``."""
    case = ending(rng, rng.choice(["parlee", "auction-1"]), size)
    case["duties"] = duties
    solution = solve(position(case))
    assert (solution.points, named(solution)) == expected(case), case


def test_every_set_of_duties_agrees_with_minimax():
    rng = random.Random("duties")
    for duties in rng.sample(ALL_DUTIES, 96):
        _solve_by(rng, duties, 2)


@pytest.mark.long
def test_every_set_of_duties_agrees_with_minimax_at_length():
    rng = random.Random("duties, long")
    for duties in ALL_DUTIES:
        for size in (2, 2, 3) if duties.follow else (2,):
            _solve_by(rng, duties, size)


@pytest.mark.parametrize("game", GAMES)
def test_moves_are_those_of_the_legality_table(game):
    """The search generates its own moves, compared with legality.py at random points of random play."""
    rng = random.Random(game)
    for _ in range(60):
        case = ending(rng, game, 4)
        start = position(case)
        players = len(start.hands)
        deal = Deal(
            start.duties,
            start.trump,
            tuple(layout.lay_out(hand) for hand in start.hands),
            start.sides,
            start.trick_point,
        )
        tree = grow(deal, lambda nodes: nodes, 1 << 40)
        winner, master = start.leader, -1
        for place, card in enumerate(start.trick):
            if place == 0 or winners_over(start.trump, master) >> card & 1:
                winner, master = (start.leader + place) % players, card
        side = start.sides[start.to_move]
        view = LEADING
        if start.trick:
            view = View(
                led=start.trick[0] >> 3,
                master=master,
                partner_master=start.sides[winner] == side,
                opponent_led=start.sides[start.leader] != side,
            )
        table = Table(
            left=layout.lay_out(mask_of(c for hand in start.hands for c in cards_of(hand))),
            player=start.to_move,
            after=players - 1 - len(start.trick),
            led=layout.lay_out(SUIT_MASKS[view.led]) if start.trick else 0,
            winning=layout.lay_out(1 << master) if start.trick else 0,
            winner=winner,
            stake=0,
        )
        mask, _ = legal_mask(start.duties, start.trump, view, start.hands[start.to_move])
        assert tree.legal(table) == layout.lay_out(mask), case


RULEBOOK_OPTIONS = {
    "chaloupee literal": ("chaloupee", {"must_ruff_over_partner": True}),
    "chaloupee literal, no under-ruff": (
        "chaloupee",
        {"must_ruff_over_partner": True, "under_ruff": "FORBIDDEN"},
    ),
    "coinchee literal": ("coinchee", {"cut_rule": "LITERAL_003", "nt_beat": False}),
    "muette always": ("muette", {"muette_ruff": "ALWAYS"}),
    "muette master": ("muette", {"muette_ruff": "OPPONENT_MASTER"}),
    "auction-1": ("auction-1", {"players": 3, "stakes": [1, 1, 1]}),
    "auction-2": ("auction-2", {"players": 4}),
    "auction-3": ("auction-3", {"players": 5}),
    "auction-3 of seven": ("auction-3", {"players": 7}),
}


@pytest.mark.parametrize("name", [name for name in GAMES if name not in CLUB_GAMES])
def test_games_compared_are_those_of_the_rulebooks(name):
    """The duties, sides and trick point tested here are those of the resolved rulebooks."""
    duties, sides, trick_point = GAMES[name]
    game = resolve(*RULEBOOK_OPTIONS.get(name, (name, {})))
    play = card_play(game, None if game.fixed_sides else game.seats[sides.index(0)])
    for rule in ("follow", "ruff", "ruff_over_partner", "under_ruff"):
        assert getattr(play.duties, rule) == getattr(duties, rule), rule
    if duties.follow:
        assert play.duties.beat == duties.beat
        without = {"trump_led": False, "no_trump": True}
        assert play.duties.beats(**without) == duties.beats(**without)
    if duties.ruff is Ruff.OPPONENT_MASTER:
        assert play.duties.overruff == duties.overruff
    assert play.trick_point == trick_point
    alike = [a == b for a, b in combinations(sides, 2)]
    assert [a == b for a, b in combinations(play.side_of, 2)] == alike


class TestReserve:
    """Three-player (A.8): the two cards outside the hands go to the side that wins trick 1."""

    def test_against_minimax(self):
        rng = random.Random("reserve")
        for _ in range(25):
            case = ending(rng, "three-player", 3, played=0)
            held = {c for hand in case["hands"] for c in hand}
            case["reserve"] = rng.sample([c for c in CARD_NAMES if c not in held], 2)
            solution = solve(position(case))
            assert (solution.points, named(solution)) == expected(case), case

    def test_whole_deal_adds_up_to_sixty(self):
        pack = random.Random(3).sample(range(32), 32)
        deal = Position(
            duties=MUETTE,
            trump=2,
            hands=tuple(mask_of(pack[10 * p : 10 * p + 10]) for p in range(3)),
            leader=0,
            sides=(1, 1, 0),
            trick_point=0,
            reserve=mask_of(pack[30:]),
        )
        solution = solve(deal, node_limit=20_000)
        assert deal.total == 60
        assert solution.lower[0] + solution.upper[1] == 60


class TestSymmetry:
    def test_suits_without_a_role_are_alike(self):
        """Renaming suits, and the trump with them, changes no value and only the names of the best cards."""
        rng = random.Random("suits")
        for game in ("parlee", "belgian", "muette", "coinchee literal"):
            for _ in range(6):
                case = ending(rng, game, 5)
                start = position(case)
                to = rng.sample(range(4), 4)

                def renamed(card, to=to):
                    return to[card >> 3] * 8 + (card & 7)

                other = replace(
                    start,
                    trump=start.trump if start.trump == NO_TRUMP else to[start.trump],
                    hands=tuple(mask_of(map(renamed, cards_of(h))) for h in start.hands),
                    trick=tuple(map(renamed, start.trick)),
                )
                one, two = solve(start), solve(other)
                assert one.points == two.points
                assert sorted(map(renamed, one.best)) == list(two.best)

    def test_seats_turned_and_sides_swapped(self):
        rng = random.Random("seats")
        for game in ("parlee", "belgian", "muette", "three-player", "auction-2"):
            for _ in range(6):
                start = position(ending(rng, game, 4))
                players = len(start.hands)
                turned = replace(
                    start,
                    hands=(*start.hands[1:], start.hands[0]),
                    sides=(*start.sides[1:], start.sides[0]),
                    leader=(start.leader - 1) % players,
                )
                swapped = replace(start, sides=tuple(1 - side for side in start.sides))
                one = solve(start)
                assert solve(turned).points == one.points
                assert solve(turned).best == one.best
                assert solve(swapped).points == one.points[::-1]
                assert solve(swapped).best == one.best

    @pytest.mark.parametrize("trump", [0, NO_TRUMP])
    def test_trick_point_only_counts_tricks(self, trump):
        """Without trick points a deal is worth 60, with them 68.

        The better side may differ, but each value stays within the eight trick points.
        """
        deal = whole_deal(11, trump=trump)
        with_tricks = solve(deal).points
        without = solve(replace(deal, trick_point=0)).points
        assert sum(with_tricks) == 68
        assert sum(without) == 60
        assert 0 <= with_tricks[0] - without[0] <= 8


class TestWholeDeals:
    @pytest.mark.guide("engine#solve")
    @pytest.mark.parametrize("duties", [PARLEE, BELGIAN], ids=["parlee", "belgian"])
    def test_each_best_card_keeps_the_value_and_no_other_does(self, duties):
        for seed in (6, 9):
            deal = whole_deal(seed, duties)
            solution = solve(deal)
            side = deal.sides[deal.to_move]
            for card in cards_of(deal.hands[deal.to_move]):
                after, won = play(deal, card)
                kept = solve(after).points[side] + won[side]
                assert (kept == solution.points[side]) == (card in solution.best)
                assert kept <= solution.points[side]

    def test_best_play_to_the_end_yields_the_value(self):
        deal = whole_deal(6)
        value = solve(deal).points
        taken = [0, 0]
        here = deal
        while any(here.hands):
            solution = solve(here)
            assert tuple(t + p for t, p in zip(taken, solution.points, strict=True)) == value
            here, won = play(here, solution.best[-1])
            taken = [t + w for t, w in zip(taken, won, strict=True)]
        assert tuple(taken) == value

    def test_all_trumps_in_one_hand(self):
        """From any lead, the hand of eight trumps takes every trick."""
        hands = (cards("7S 8S 9S JS QS KS AS 10S"), SUIT_MASKS[1], SUIT_MASKS[2], SUIT_MASKS[3])
        for leader in range(4):
            deal = Position(PARLEE, 0, hands, leader, PAIRS)
            assert solve(deal).points == (68, 0)

    def test_equal_neighbours_are_all_named(self):
        """7, 8 and 9 of one hand are worth the same, so ``best`` names all of them."""
        hands = (cards("7H 8H 9H"), cards("10H AH KH"), cards("7S 8S 9S"), cards("7D 8D 9D"))
        solution = solve(Position(PARLEE, NO_TRUMP, hands, 0, PAIRS))
        assert solution.points == (0, 15)
        assert named(solution) == {"7H", "8H", "9H"}

    def test_a_card_on_the_table_parts_neighbours(self):
        """9 beats the 8 on the table and 7 does not, although no hand holds the 8 now."""
        start = Position(
            MUETTE, NO_TRUMP, (0, cards("7H 9H"), cards("7S JS"), cards("7D 10H")), 0, PAIRS
        )
        start = replace(
            start, hands=(cards("KH"), *start.hands[1:]), trick=(parse_card("8H"),), trick_point=0
        )
        case = {
            "duties": MUETTE,
            "sides": PAIRS,
            "trick_point": 0,
            "trump": None,
            "hands": [["KH"], ["7H", "9H"], ["7S", "JS"], ["7D", "10H"]],
            "leader": 0,
            "trick": ["8H"],
        }
        solution = solve(start)
        assert (solution.points, named(solution)) == expected(case)


class TestStopping:
    FREE = whole_deal(12, MUETTE, trump=1, trick_point=0)

    @pytest.mark.guide("engine#solve")
    @pytest.mark.parametrize("limit", [0, 1, 500, 5_000, 50_000])
    def test_bounds_hold_the_value(self, limit):
        exact = solve(self.FREE)
        limited = solve(self.FREE, node_limit=limit)
        assert exact.exact
        for side in (0, 1):
            assert limited.lower[side] <= exact.points[side] <= limited.upper[side]
            assert limited.lower[side] + limited.upper[1 - side] == 60
        if limited.points is not None:
            assert limited.points == exact.points

    def test_bounds_of_endings_hold_the_minimax_value(self):
        for case in endings("limited", "muette", 4, 6):
            (points, _) = expected(case)
            options = values(**case)
            start = position(case)
            side = start.sides[start.to_move]
            for limit in (1, 10, 40, 160):
                limited = solve(start, node_limit=limit)
                for s in (0, 1):
                    assert limited.lower[s] <= points[s] <= limited.upper[s]
                for card in named(limited):
                    mine = options[card] if side == 0 else start.total - options[card]
                    assert mine >= limited.lower[side]

    def test_a_limit_that_is_not_reached_changes_nothing(self):
        for case in endings("ample", "parlee", 4, 3):
            assert solve(position(case), node_limit=10**9) == solve(position(case))

    def test_the_answer_of_a_limit_is_reproducible(self):
        assert solve(self.FREE, node_limit=3_000) == solve(self.FREE, node_limit=3_000)

    @pytest.mark.guide("engine#solve")
    def test_stopped_search_says_so(self):
        stopped = solve(self.FREE, node_limit=100)
        assert not stopped.exact
        assert stopped.points is None

    def test_progress_may_cancel(self):
        seen = []

        def progress(nodes, least, most):
            seen.append((nodes, least, most))
            return len(seen) < 2

        stopped = solve(self.FREE, progress=progress)
        assert not stopped.exact
        assert len(seen) == 2
        assert seen[0][0] >= PROGRESS_EVERY
        assert seen[1][0] >= seen[0][0] + PROGRESS_EVERY

    def test_progress_sees_narrowing_bounds(self):
        seen = []
        exact = solve(self.FREE, progress=lambda *report: seen.append(report))
        assert exact.exact
        assert seen
        side = self.FREE.sides[self.FREE.to_move]
        lows = [least for _, least, _ in seen]
        highs = [most for _, _, most in seen]
        assert lows == sorted(lows)
        assert highs == sorted(highs, reverse=True)
        assert all(low <= exact.points[side] for low in lows)
        assert all(high >= exact.points[side] for high in highs)


class TestRefusals:
    GOOD = Position(PARLEE, 0, (cards("7H"), cards("8H"), cards("9H"), cards("JH")), 0, PAIRS)

    def test_every_defect_is_named(self):
        bad = replace(
            self.GOOD, hands=(cards("7H AS"), cards("8H 7H"), cards("9H"), cards("JH QH"))
        )
        with pytest.raises(Impossible) as caught:
            solve(bad)
        assert caught.value.code == "impossible_deal"
        assert caught.value.defects == [
            "player 3 has 1 cards where 2 are left to play",
            "7H is there twice",
        ]

    def test_mid_trick_those_who_played_have_one_less(self):
        good = replace(self.GOOD, hands=(0, *self.GOOD.hands[1:]), trick=(parse_card("7H"),))
        assert sum(solve(good).points) == 2
        with pytest.raises(Impossible, match="player 1 has 1 cards where 0"):
            solve(replace(self.GOOD, trick=(parse_card("7S"),)))
        with pytest.raises(Impossible, match="8H is there twice"):
            solve(replace(good, trick=(parse_card("8H"),)))

    def test_nothing_left_to_play(self):
        with pytest.raises(Impossible, match="no card"):
            solve(replace(self.GOOD, hands=(0, 0, 0, 0)))

    def test_complete_trick(self):
        with pytest.raises(Impossible, match="complete"):
            solve(replace(self.GOOD, trick=tuple(parse_card(c) for c in ("7S", "8S", "9S", "JS"))))

    def test_reserve_card_in_a_hand(self):
        with pytest.raises(Impossible, match="9H is there twice"):
            solve(replace(self.GOOD, reserve=cards("9H")))

    def test_card_outside_the_pack(self):
        with pytest.raises(Impossible, match="outside the pack"):
            solve(replace(self.GOOD, hands=(1 << 32, *self.GOOD.hands[1:])))

    @pytest.mark.parametrize(
        ("change", "code"),
        [
            ({"sides": (0, 1, 0)}, "bad_sides"),
            ({"sides": (0, 1, 0, 2)}, "bad_sides"),
            ({"leader": 4}, "bad_leader"),
            ({"trump": 4}, "unknown_trump"),
        ],
    )
    def test_malformed(self, change, code):
        with pytest.raises(Malformed) as caught:
            solve(replace(self.GOOD, **change))
        assert caught.value.code == code

    def test_blind_is_for_endings(self):
        deal = whole_deal(1, BLIND)
        with pytest.raises(Illegal) as caught:
            solve(deal)
        assert caught.value.code == "blind_endings_only"
        assert str(BLIND_LIMIT) in caught.value.message

    def test_no_trump_of_a_game_with_every_trump_duty_is_following(self):
        """Muette reading B at no trump has no ruffing duty left to apply."""
        for case in endings("no trump", "muette", 3, 3, no_trump=True):
            start = position(case)
            assert solve(start).points == solve(replace(start, duties=MUETTE_ALWAYS)).points
