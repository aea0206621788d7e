"""The format advisor: what its simulation finds, what it counts, and its table at the form of a stage."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from accounts.models import Role
from tests.markup import markup
from tests.tournament.build import grant, make_user
from tests.tournament.test_stages import event_of
from tournament.advice import laying
from tournament.advice.lines import Line, Question, advise
from tournament.advice.playing import Events
from tournament.drawing import formats
from tournament.drawing.rules import read_rules
from tournament.drawing.spec import Before, Spec
from tournament.pairing.filling import filling_players
from tournament.pairing.model import Contestant, Kind, Odd

CLUB = Question(32, 5, 12, 90)
PAIRS = Question(16, 5, 12, 90, Kind.MATCH)
FINAL = "with a semi-final and a final"


@cache
def lines(question: Question) -> dict[str, Line]:
    """The lines by format, those of a variant by its words."""
    return {
        line.variant.render("en") if line.variant else line.format: line
        for line in advise(question)
    }


@pytest.mark.guide("formats#how-often-the-strongest-wins")
@pytest.mark.guide("formats#how-often-the-strongest-wins")
def test_the_same_question_has_the_same_answer() -> None:
    small, pairs = Question(9, 3, 4, 30), Question(7, 3, 4, 30, Kind.MATCH)
    assert advise(small) == advise(replace(small))
    assert advise(pairs) == advise(replace(pairs))
    assert advise(small) != advise(replace(small, entrants=10))


@pytest.mark.guide("formats#how-often-the-strongest-wins")
@pytest.mark.guide("formats#how-often-the-strongest-wins")
def test_the_figures_are_those_of_the_events_that_were_simulated_elsewhere() -> None:
    evening = lines(replace(CLUB, rounds=3))["individual_draw"]
    assert (evening.least, evening.most) == (36, 36)
    assert 0.12 <= evening.first <= 0.17
    assert 0.30 <= evening.three <= 0.37
    long = lines(CLUB)
    assert 0.17 <= long["individual_draw"].first <= 0.22
    assert 0.12 <= long[FINAL].first <= 0.17
    assert (long[FINAL].least, long[FINAL].most) == (36, 60)
    pairs = lines(PAIRS)
    assert 0.55 <= pairs["ko"].three <= 0.65
    for format_ in ("pairs_swiss", "pairs_mitchell", "round_robin", "random"):
        assert 0.70 <= pairs[format_].three <= 0.82


@pytest.mark.guide("formats#how-often-the-strongest-wins")
@pytest.mark.guide("formats#how-often-the-strongest-wins")
def test_more_deals_find_the_strongest_more_often_and_so_does_the_difference() -> None:
    for question in (CLUB, PAIRS, replace(CLUB, kind=Kind.SOLO)):
        few, many = lines(replace(question, deals=4)), lines(replace(question, deals=40))
        for name, line in few.items():
            assert many[name].first > line.first + 0.05, name
    by_wins = lines(replace(CLUB, by_wins=True))
    for name, line in lines(CLUB).items():
        assert line.first > by_wins[name].first - 0.02, name
    assert sum(x.first for x in lines(CLUB).values()) > sum(x.first for x in by_wins.values())


@pytest.mark.guide("formats#how-often-the-strongest-wins")
@pytest.mark.guide("formats#how-often-the-strongest-wins")
@pytest.mark.parametrize(
    ("kind", "rounds"),
    [
        (Kind.ROTATION, laying.championship(16, 3, Kind.ROTATION, Odd.BYES)),
        (Kind.PARTNERS, laying.championship(11, 4, Kind.PARTNERS, Odd.THREES)),
        (Kind.PARTNERS, laying.whist(9, 4)),
        (Kind.SOLO, laying.alone(11, 3, 4, exactly=False)),
        (Kind.MATCH, laying.mitchell(9, 3)),
        (Kind.MATCH, laying.round_robin(range(7))),
    ],
)
@pytest.mark.parametrize("by_wins", [False, True])
def test_equals_win_equally_often(
    kind: Kind, rounds: list[laying.LaidRound], by_wins: bool
) -> None:
    n = 1 + max(
        p for each in rounds for at in (*each.tables, each.out, each.idle) for p in flat(at)
    )
    events = Events(3000, n, kind, by_wins=by_wins)
    events.strengths[:] = 0
    for round_ in rounds:
        events.play_laid(round_, 12)
    winners = Counter(events.points().argmax(1).tolist())
    places = Counter(place for each in rounds for at in each.tables for place in flat(at))
    most = max(places.values())
    # Who rests more often has fewer rounds for luck to even out: compare those with as many.
    full = [winners[place] / 3000 for place in range(n) if places[place] == most]
    assert max(full) - min(full) < 0.04
    assert sum(winners.values()) == 3000


def flat(places: Any) -> list[int]:
    return [int(p) for p in getattr(places, "ravel", lambda: places)()]


@pytest.mark.guide("formats#how-often-the-strongest-wins")
@pytest.mark.guide("formats#how-often-the-strongest-wins")
@pytest.mark.parametrize(
    ("n", "rounds", "format_", "rules", "kind", "name"),
    [
        (10, 3, "individual_draw", {}, Kind.PARTNERS, "individual_draw"),
        (
            10,
            3,
            "individual_draw",
            {"odd": "threes"},
            Kind.ROTATION,
            "tables of three instead of byes",
        ),
        (11, 3, "random", {}, Kind.PARTNERS, "random"),
        (22, 4, "individual_movement", {}, Kind.PARTNERS, "Rainbow"),
        (9, 5, "individual_movement", {"movement": "whist"}, Kind.PARTNERS, "Whist movement"),
        (9, 5, "pairs_swiss", {}, Kind.MATCH, "pairs_swiss"),
        (9, 5, "pairs_mitchell", {}, Kind.MATCH, "pairs_mitchell"),
        (7, 7, "round_robin", {}, Kind.MATCH, "round_robin"),
    ],
)
def test_what_is_counted_is_that_of_a_real_draw(
    n: int, rounds: int, format_: str, rules: dict[str, str], kind: Kind, name: str
) -> None:
    field = tuple(Contestant(number, rank=number) for number in range(1, n + 1))
    spec = Spec(format_, read_rules(rules), kind, field, 1, rounds, "a real draw")
    counted, waiting, wait, idle = Counter[int](), Counter[int](), 0, 0
    for number in range(1, rounds + 1):
        made = formats.draw(replace(spec, round_no=number))
        drawn, filling = made.drawn, filling_players(kind, made.drawn.tables)
        counted += Counter(p for t in drawn.tables for p in t.players if p not in filling)
        waiting = Counter({who: waiting[who] + 1 for who in drawn.byes})
        wait, idle = max(wait, *waiting.values(), 0), max(idle, len(filling))
        before = (*spec.before, Before(drawn.tables, drawn.byes))
        spec = replace(spec, before=before, slots=drawn.slots, plan=made.plan)
    line = lines(Question(n, rounds, 6, 60, kind))[name]
    deals = [6 * counted[who.id] for who in field]
    assert (line.least, line.most) == (min(deals), max(deals))
    assert (line.wait, line.uncounted) == (wait, idle)


@pytest.mark.guide("formats#how-often-the-strongest-wins")
@pytest.mark.guide("formats#how-often-the-strongest-wins")
def test_thirteen_players_are_told_what_tables_of_three_cost_them() -> None:
    told = lines(Question(13, 4, 12, 90))
    threes = told["tables of three instead of byes"]
    assert threes.uncounted == 9
    assert threes.first < told["individual_draw"].first
    refused = lines(Question(9, 4, 12, 90))["tables of three instead of byes"].refused
    assert refused is not None
    assert "no game would count" in refused.render("en")


@pytest.mark.guide("formats#how-often-the-strongest-wins")
@pytest.mark.guide("formats#how-often-the-strongest-wins")
@pytest.mark.parametrize(
    "question",
    [
        Question(600, 6, 12, 90),
        Question(600, 6, 12, 90, Kind.MATCH),
        Question(60, 20, 12, 90),
        Question(4, 1, 1, 5, Kind.MATCH),
    ],
)
def test_the_largest_and_the_smallest_fields_are_answered(question: Question) -> None:
    answer = advise(question)
    assert not all(line.refused for line in answer)
    assert all(line.refused or 0 <= line.first <= line.three <= 1 for line in answer)


@pytest.mark.guide("formats#how-often-the-strongest-wins")
@pytest.mark.guide("formats#how-often-the-strongest-wins")
def test_the_table_of_the_guide_is_what_the_advisor_answers() -> None:
    answers = {
        "32 players, 3 rounds of 12 deals": replace(CLUB, rounds=3),
        "32 players, 5 rounds of 12 deals": CLUB,
        "13 players, 4 rounds of 12 deals": Question(13, 4, 12, 90),
        "16 pairs, 60 deals in all": PAIRS,
    }
    names = {
        "individual championship": "individual_draw",
        "the same, by games won": "individual_draw",
        "tables of three: nine play a round for nothing": "tables of three instead of byes",
        "Swiss": "pairs_swiss",
        "round robin": "round_robin",
        "pools and knock-out": "pools_ko",
        "knock-out": "ko",
    }
    guide = Path("docs/formats.md").read_text(encoding="utf-8")
    table = guide.split("| planned | format |")[1].split("\n\n")[0].split("\n")[2:]
    asked, rows = CLUB, 0
    for row in filter(None, table):
        planned, name, deals, first, three = (cell.strip() for cell in row.split("|")[1:-1])
        asked = answers.get(planned, asked)
        line = lines(replace(asked, by_wins="games won" in name))[names.get(name, name)]
        span = f"{line.least} to {line.most}" if line.least < line.most else str(line.most)
        assert deals == span, row
        assert abs(100 * line.first - int(first.rstrip("%"))) <= 1, row
        assert abs(100 * line.three - int(three.rstrip("%"))) <= 1, row
        rows += 1
    assert rows == 12


@pytest.mark.guide("director#which-format-when", "formats#how-often-the-strongest-wins")
@pytest.mark.guide("director#which-format-when", "formats#how-often-the-strongest-wins")
@pytest.mark.django_db
def test_the_form_of_a_stage_compares_the_formats(client: Client) -> None:
    event = event_of(13, "individual_draw")
    client.force_login(make_user("director", event, Role.DIRECTOR))
    address = f"/desk/{event.slug}/stages/1/"
    asked = "?entrants=13&unit=player&rounds=4&deals=12&minutes=90&ranked=net"
    page = words(client, address, "en")
    assert "Compare the formats" in page
    assert "Strongest wins" not in page
    for language, said in (
        ("en", ("9 of 13 play a round that does not count", "4 rounds of 12 deals, 90 min each")),
        ("fr", ("9 sur 13 jouent un tour qui ne compte pas", "4 tours de 12 donnes")),
        ("nl", ("9 van de 13 spelen een ronde die niet telt", "4 rondes van 12 giften")),
    ):
        page = words(client, address + asked, language)
        assert all(each in page for each in said), language
    refused = words(client, address + asked.replace("=13", "=3"), "en")
    assert "greater than or equal to 4" in refused
    pairs = words(client, address + asked.replace("player&", "pair&"), "en")
    assert "knock-out" in pairs
    assert words(client, f"/desk/{event.slug}/stages/new/{asked}", "en").count("%") >= 12
    other = Client()
    other.force_login(make_user("referee", event, Role.REFEREE))
    assert other.get(address + asked).status_code == 403


@pytest.mark.guide("director#which-format-when", "formats#how-often-the-strongest-wins")
@pytest.mark.guide("director#which-format-when", "formats#how-often-the-strongest-wins")
@pytest.mark.django_db
def test_the_formats_are_compared_before_an_event_is_opened(client: Client) -> None:
    user = make_user("admin")
    grant(user, Role.ADMIN)
    client.force_login(user)
    kind = "/desk/new/?kind=club&players=13&start=19:30"
    page = words(client, kind, "en")
    assert "Compare the formats" in page
    assert "Strongest wins" not in page
    sent = f"{kind}&entrants=13&unit=player&rounds=4&deals=12&minutes=90&ranked=won"
    for rulebook, said in (
        ("belgian", "9 of 13 play a round that does not count"),
        ("three-player", "individual championship"),
    ):
        page = words(client, f"{sent}&rulebook={rulebook}", "en")
        assert said in page
        # The kind that was chosen, and the form below it, are still there.
        assert "Open the event" in page
        assert 'name="kind" value="club"' in client.get(sent).content.decode()
    assert "Select a valid choice" in words(client, f"{sent}&rulebook=poker", "en")


def words(client: Client, address: str, language: str) -> str:
    answer = client.get(address, headers={"accept-language": language})
    assert answer.status_code == 200
    return " ".join(markup(answer).replace("\u202f", " ").split())
