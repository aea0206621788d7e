"""A phone without a network counts and speaks as the engine does: the same score, dealer, end and sentences.

Random deals of every rulebook, target and depth are typed; those that the engine accepts are counted by
``static/js/table-score.js`` in node, and both must give the same score.
"""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.utils.translation import override

from scoring.engine.cards import cards_of, format_card
from scoring.engine.entry_fields import FieldKind, entry_fields
from scoring.engine.errors import EngineError
from scoring.engine.match import match_deal, score_match
from scoring.engine.rulebook import RULEBOOKS, Game, resolve
from scoring.engine.score_clauses import marks_by_component
from scoring.engine.speech import speak
from scoring.texts import LANGUAGES
from tests.conftest import missing
from tournament.models.tables import DealVersion, Depth, Sheet
from tournament.queries.alarms import of_numbers
from tournament.queries.phone_rules import phone_match, phone_rules, phone_words
from tournament.queries.sheet_page import DealRow, deal_rows
from tournament.services import sheets
from tournament.services.ruled import rule_deal
from tournament.tables.entry import read_entry
from tournament.tables.score_sheet import ScoreSheet

from .build import SYSTEM, a_sheet, sides_of_game, simple

ROOT = Path(__file__).parents[2]
NAMES = ("Ann", "Bob", "Cis", "Dirk", "Els", "Fons", "Griet")
GAMES = 25
"""Number of matches for each rulebook, each of up to sixteen deals."""
SWITCHES: dict[str, list[Any]] = {
    "target": [{"deals": 4}, {"games": 2, "of": 34}, {"games": 2, "of": 44, "decider": 54}, 30],
    "tied_match": ["DRAW", "EXTRA_DEALS"],
    "sweep60": [30, 60],
    "max_factor": [None, 3],
    "max_marks": [None, 50, 240],
    "generale_value": ["GAME", 200],
    "failure_multiplied": [True, False],
    "bonus_survives_tie": [True, False],
    "infinite_tap": [True, False],
    "blind_trump_allowed": [True, False],
    "double_all_tricks": [True, False],
    "double_no_exchange": [True, False],
    "players": [3, 4, 5, 6, 7],
}


class Phone:
    """The process that counts as a phone does."""

    def __init__(self, program: str, folder: Path) -> None:
        module = folder / "table-score.mjs"
        shutil.copy(ROOT / "static/js/table-score.js", module)
        self.process = subprocess.Popen(
            [program, str(Path(__file__).with_name("score.mjs")), module.as_uri()],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def standing(self, **table: Any) -> dict[str, Any]:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(table) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())


@pytest.fixture(scope="module")
def phone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Phone]:
    program = shutil.which("node")
    if program is None:
        missing(ScoreSheet("node"), "apt-get install nodejs")
    started = Phone(program, tmp_path_factory.mktemp("phone"))
    yield started
    started.process.communicate(timeout=20)


def _laid(key: str, chance: random.Random) -> Sheet:
    """Return a sheet of a rulebook with random values of its switches."""
    base: dict[str, Any] = {"stakes": list(range(2, 30))} if key == "auction-1" else {}
    options = dict(base)
    for name in sorted(SWITCHES):
        chosen = {**options, name: chance.choice(SWITCHES[name])}
        try:
            resolve(key, {**chosen, **_stakes(key, chosen)})
        except EngineError:
            continue
        options = chosen
    options.update(_stakes(key, options))
    game = resolve(key, options)
    return Sheet(
        rulebook=key,
        edition=game.book.edition,
        options=options,
        sides=sides_of_game(game),
        first_dealer=game.seats[0],
        depth="points",
    )


def _stakes(key: str, options: dict[str, Any]) -> dict[str, Any]:
    """Return as many stakes as cards may be exchanged."""
    if key != "auction-1":
        return {}
    for count in range(1, 40):
        try:
            resolve(key, {**options, "stakes": list(range(2, 2 + count))})
        except EngineError:
            continue
        return {"stakes": list(range(2, 2 + count))}
    return {}


def _typed(sheet: Sheet, game: Game, dealer: str, chance: random.Random) -> dict[str, str]:
    """Return the form fields of a deal as typed, possible or not."""
    depth = chance.choice(list(Depth.values))
    fields = {field.name: field for field in entry_fields(game, depth)}
    form = {"depth": depth, "dealer": dealer}
    if "passed" in fields and chance.random() < 0.1:
        return {**form, "passed": "1", "trump": "H"}
    for name, field in fields.items():
        if name in ("dealer", "passed", "side", "points", "tricks"):
            continue
        if field.kind is FieldKind.YES:
            form |= {name: "1"} if chance.random() < 0.25 else {}
        elif field.choices:
            form[name] = chance.choice(field.codes)
        else:
            form[name] = str(chance.randint(field.low, field.high))
    if depth == Depth.CARDS:
        pack = [format_card(card) for card in cards_of(game.deck_mask)]
        chance.shuffle(pack)  # duties that are broken are noted, never refused
        form["plays"] = " ".join(pack[: game.tricks * game.players])
        if chance.random() < 0.3:
            form["leader"] = chance.choice(game.seats)
    elif depth == Depth.LIST:
        form.update(_list(game, chance))
    else:
        form["side"] = chance.choice(["NS", "EW"] if game.in_pairs else ["declarer", "others"])
        most = game.half if chance.random() < 0.1 else chance.choice([game.total, 0, None])
        points = chance.randint(0, game.total) if most is None else most
        form["points"] = str(points)
        if depth == Depth.TRICKS or ("tricks" in fields and chance.random() < 0.7):
            swept = {0: 0, game.total: game.tricks}.get(points)
            form["tricks"] = str(chance.randint(0, game.tricks) if swept is None else swept)
    return form


def _list(game: Game, chance: random.Random) -> dict[str, str]:
    """Return tricks of a random deal, so that the list is possible."""
    from scoring.engine.cards import VALUES

    cards = list(cards_of(game.deck_mask))
    chance.shuffle(cards)
    form = {}
    for n in range(1, game.tricks + 1):
        trick, cards = cards[: game.players], cards[game.players :]
        points = sum(VALUES[card] for card in trick) + (1 if game.trick_point else 0)
        one, other = ("NS", "EW") if game.in_pairs else ("declarer", "others")
        form[f"trick_{n}_side"] = one if chance.random() < 0.6 else other
        form[f"trick_{n}_points"] = str(points)
    return form


@pytest.mark.guide("scorekeeper#record-a-deal")
@pytest.mark.parametrize("key", RULEBOOKS)
def test_a_phone_counts_as_the_engine_does(phone: Phone, key: str) -> None:
    chance = random.Random(key)
    counted = unknown = ended = 0
    for match in range(GAMES):
        sheet = _laid(key, chance)
        language = LANGUAGES[match % len(LANGUAGES)]
        names = {seat: f"{seat}.{name}" for seat, name in zip("1234567", NAMES, strict=True)}
        with override(language):
            words = phone_words(ScoreSheet(sheet), names, language)
        game = ScoreSheet(sheet).game
        rules, start = phone_rules(ScoreSheet(sheet)), phone_match(ScoreSheet(sheet), [])
        forms: list[dict[str, str]] = []
        deals = []
        dealer = sheet.first_dealer
        for _deal in range(16):
            form = _typed(sheet, game, dealer, chance)
            try:
                entry = read_entry(ScoreSheet(sheet), form, dealer)
                scored = ScoreSheet(sheet).score(entry)
            except EngineError:
                continue
            dealer = game.next_player(dealer)
            if chance.random() < 0.5:
                form.pop("dealer")  # it follows from the deal before
            forms.append(form)
            if not entry.get("annulled"):
                marks = marks_by_component(scored.lines)
                deals.append(match_deal(game, marks, scored.game_won))
            told = phone.standing(
                rules=rules, words=words, match=start, dealers=[sheet.first_dealer], forms=forms
            )
            assert told["dealer"] == dealer
            if not entry.get("annulled"):
                by = None if ScoreSheet(sheet).game.in_pairs else names
                said = [speak(line, language, by) for line in scored.lines]
                assert told["said"] == said, (form, sheet.options)
                with override(language):
                    asked = [[each.code, each.question] for each in of_numbers(game, entry)]
                plain = form["depth"] in (Depth.POINTS, Depth.TRICKS)
                assert told["asked"] == (asked if plain else []), (form, sheet.options)
            state = score_match(game, deals, to_the_end=True)
            if told["match"] is None:
                unknown += 1
            else:
                counted += 1
                assert told["match"] == {
                    "score": state.score,
                    "marks": state.marks,
                    "games": state.games,
                    "deals_left": state.deals_left,
                    "finished": state.finished,
                }, (form, sheet.options, state)
            ended += state.finished
            if state.finished:
                break
    assert counted > 20
    assert ended > 5
    # The phone counts every form that the engine counts.
    assert unknown == 0


def test_a_phone_goes_on_from_the_deals_that_the_sheet_has(phone: Phone) -> None:
    sheet = _laid("belgian", random.Random(1))
    sheet.options = {"target": {"games": 2, "of": 20}}
    game = ScoreSheet(sheet).game
    forms = [
        {"depth": "points", "trump": "H", "side": side, "points": "51"}
        for side in ("NS", "EW", "NS", "NS")
    ]
    dealer = sheet.first_dealer
    deals = []
    for number, form in enumerate(forms, 1):
        scored = ScoreSheet(sheet).score(read_entry(ScoreSheet(sheet), form, dealer))
        lines = [
            {
                "clause": line.clause,
                "side": line.side,
                "marks": line.marks,
                "params": dict(line.params),
                "component": line.component,
            }
            for line in scored.lines
        ]
        deals.append(DealVersion(number=number, entry={}, lines=lines, marks=scored.marks))
        dealer = game.next_player(dealer)
        rest = forms[number:]
        told = phone.standing(
            rules=phone_rules(ScoreSheet(sheet)),
            match=phone_match(ScoreSheet(sheet), deals),
            dealers=[dealer],
            forms=rest,
        )
        assert told["match"]["games"] == {"NS": 2, "EW": 1}
        assert told["match"]["finished"]


def _typed_points(points: int) -> dict[str, str]:
    return {"depth": "points", "trump": "H", "side": "NS", "points": str(points)}


def _row(row: DealRow) -> tuple[dict[str, int], dict[str, int | None], str]:
    cells = dict(zip(("NS", "EW"), row.cells, strict=True))
    marks = {side: cell.marks or 0 for side, cell in cells.items()}
    return marks, {side: cell.total for side, cell in cells.items()}, row.ended


@pytest.mark.django_db
@pytest.mark.guide("scorekeeper#without-a-connection")
@pytest.mark.parametrize("target", [{"games": 3, "of": 34}, {"deals": 8}])
@pytest.mark.parametrize("corrected", [None, 60, 2])
def test_deals_that_wait_have_the_rows_of_the_sheet(
    phone: Phone, target: object, corrected: int | None
) -> None:
    """Also where the correction of an earlier deal waits before them."""
    sheet = a_sheet(options={"target": target})
    for points in (40, 55):
        sheets.enter_deal(sheet_id=sheet.pk, entry=simple(points), actor=SYSTEM)
    before, waiting = ScoreSheet(sheet), (51, 20, 48, 33, 9)
    changed = [] if corrected is None else [{**_typed_points(corrected), "number": "1"}]
    told = phone.standing(
        rules=phone_rules(before),
        words=phone_words(before, {}, "en"),
        match=phone_match(before, before.current()),
        dealers=before.dealers_to_come(before.current()),
        forms=[_typed_points(points) for points in waiting],
        corrections=changed,
    )
    if corrected is not None:
        sheets.correct_deal(
            sheet_id=sheet.pk,
            number=1,
            entry=simple(corrected),
            reason="misread",
            actor=SYSTEM,
        )
    for points in waiting:
        dealer = ScoreSheet(sheet).next_dealer()
        entry = {**simple(points), "dealer": dealer}
        sheets.enter_deal(sheet_id=sheet.pk, entry=entry, actor=SYSTEM)
    rows = deal_rows(ScoreSheet(sheet), "en", {})
    phones = [*told["corrected"].values(), *told["deals"]]
    assert [(each["marks"], each["totals"], each["ended"]) for each in phones] == [
        _row(row) for row in [*(rows[:1] if changed else []), *rows[2:]]
    ]


@pytest.mark.django_db
def test_the_phone_does_not_decide_when_a_game_is_over_that_the_bell_ended() -> None:
    sheet = a_sheet()
    sheets.enter_deal(sheet_id=sheet.pk, entry=simple(36), actor=SYSTEM)
    sheet.refresh_from_db()
    assert phone_match(ScoreSheet(sheet), ScoreSheet(sheet).current()) is not None
    sheets.end_by_bell(sheet_id=sheet.pk, actor=SYSTEM)
    sheet.refresh_from_db()
    assert phone_match(ScoreSheet(sheet), ScoreSheet(sheet).current()) is None


@pytest.mark.django_db
@pytest.mark.parametrize("given_back", [[2], [1, 2], [3], [1, 3]])
def test_a_phone_knows_who_deals_after_deals_were_given_back(
    phone: Phone, given_back: list[int]
) -> None:
    """Its dealer deals again a deal that is given back, then the order goes on where it was."""
    sheet = a_sheet(options={"target": {"deals": 12}})
    for points in (42, 40, 38):
        dealer = ScoreSheet(sheet).next_dealer()
        sheets.enter_deal(
            sheet_id=sheet.pk, entry={**simple(points), "dealer": dealer}, actor=SYSTEM
        )
    for number in given_back:
        dealt = ScoreSheet(sheet).current()[number - 1].entry
        rule_deal(
            sheet_id=sheet.pk,
            number=number,
            entry={"dealer": dealt["dealer"], "annulled": "same_dealer"},
            infractions=[],
            actor=SYSTEM,
            reason="misdeal",
            again=True,
        )
    before = ScoreSheet(sheet)
    to_come = before.dealers_to_come()
    assert to_come[: len(given_back)] == ["NESW"[number - 1] for number in given_back]
    forms: list[dict[str, str]] = []
    for _deal in range(4):
        told = phone.standing(
            rules=phone_rules(before), match=phone_match(before, []), dealers=to_come, forms=forms
        )
        dealer = ScoreSheet(sheet).next_dealer()
        assert told["dealer"] == dealer
        forms.append({"depth": "points", "trump": "H", "side": "NS", "points": "42"})
        sheets.enter_deal(sheet_id=sheet.pk, entry={**simple(42), "dealer": dealer}, actor=SYSTEM)
