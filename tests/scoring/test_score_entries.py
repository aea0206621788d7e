"""Entry at any depth: random deals, replayed, then scored to the same result from every depth."""

import pytest

from scoring.engine.bounds import deal_bounds, side_bounds
from scoring.engine.calls import answer
from scoring.engine.rulebook import resolve

from .card_games import GAMES, Table, deal, rngs

BOOKS = [
    (rulebook, options)
    for at, (rulebook, options) in enumerate(GAMES)
    if "players" in options or GAMES.index(next(g for g in GAMES if g[0] == rulebook)) == at
]
"""Every rulebook once, the auctions with each number of players."""


def contract_of(table, rng):
    trump = rng.choice("SHDC")
    if table.rulebook in ("parlee", "boussac"):
        return {}
    if table.rulebook == "chaloupee":
        level = rng.choice([34, 44, 50, 54, "generale"])
        bid = {"declarer": rng.choice(["NS", "EW"]), "level": level, "trump": trump}
    elif table.rulebook == "auction-1":
        bid = {"declarer": table.declarer, "trump": trump, "exchanged": rng.randint(0, 2)}
    elif table.rulebook.startswith("auction"):
        bid = {"declarer": table.declarer, "level": rng.choice([21, 30, 40, "all"])}
    else:
        bid = {"trump": rng.choice([trump, "NT"])}
    return {"contract": bid}


@pytest.mark.parametrize(("rulebook", "options"), BOOKS)
def test_a_played_deal_scores_alike_from_every_depth(rulebook, options):
    for rng in rngs(6, f"entries {rulebook} {options}"):
        table = Table(rulebook, options, rng)
        played = deal(table, rng)
        replayed = answer("replay", {**table.keys(), **played})
        settings = dict(options)
        if rulebook == "auction-1":
            settings["stakes"] = [4, 3, 2, 1, 1]
        base = {"rulebook": rulebook, "options": settings, **contract_of(table, rng)}
        points, tricks = replayed["points"], replayed["tricks_won"]
        listed = [
            {"winner": table.sides[trick["winner"]], "points": trick["points"]}
            for trick in replayed["tricks"]
        ]
        ways = [
            {"points": points, "tricks": tricks},
            {"trick_list": listed},
            {"trick_list": listed, "points": points, "tricks": tricks},
        ]
        game = resolve(rulebook, settings)
        if game.fixed_sides:
            one = rng.choice(list(points))
            ways.append({"points": {one: points[one]}, "tricks": {one: tricks[one]}})
        found = [answer("score", {**base, **way}) for way in ways]
        assert [each["marks"] for each in found] == [found[0]["marks"]] * len(ways)
        assert found[1]["points"] == points
        assert found[1]["tricks"] == tricks


@pytest.mark.parametrize(("rulebook", "options"), BOOKS)
def test_played_points_lie_within_the_bounds(rulebook, options):
    for rng in rngs(10, f"bounds {rulebook} {options}"):
        table = Table(rulebook, options, rng)
        replayed = answer("replay", {**table.keys(), **deal(table, rng, illegal=0.5)})
        game = resolve(rulebook, options)
        for side, won in replayed["tricks_won"].items():
            assert replayed["points"][side] in side_bounds(game, won)
        assert sum(replayed["points"].values()) in deal_bounds(game)


@pytest.mark.parametrize(
    ("rulebook", "options"), [book for book in BOOKS if resolve(*book).total_is_exact]
)
def test_a_count_one_off_is_refused_where_the_total_is_exact(rulebook, options):
    for rng in rngs(3, f"off {rulebook} {options}"):
        table = Table(rulebook, options, rng)
        replayed = answer("replay", {**table.keys(), **deal(table, rng)})
        points = dict(replayed["points"])
        side = rng.choice(list(points))
        points[side] += 1
        base = {"rulebook": rulebook, "options": options, **contract_of(table, rng)}
        with pytest.raises(ValueError, match=r"add up|cannot have"):
            answer("score", {**base, "points": points})
