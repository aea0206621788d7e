"""Every refusal can be said in the three languages, with the values it mentions."""

from __future__ import annotations

import ast
import string
from pathlib import Path

import pytest

import tournament.standings
from tests.tournament.standings.field import entrants, game
from tournament.standings.errors import BadResults, BadRule
from tournament.standings.model import Rule, use
from tournament.standings.ranking import rank
from tournament.standings.refusals import REFUSALS, explained
from tournament.standings.rulejson import rule_from_json

ROOM = Path(tournament.standings.__file__).parent


def refused() -> list[tuple[str, set[str]]]:
    """(code, names of its values) of each refusal written in the room."""
    found = []
    for path in sorted(ROOM.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id in {"BadRule", "BadResults"}
            ):
                names = {keyword.arg for keyword in node.keywords if keyword.arg}
                found.append((node.args[0].value, names))
    return found


def fields_of(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


@pytest.mark.parametrize(("code", "names"), refused())
def test_every_refusal_has_its_words_and_gives_the_values_they_mention(code, names):
    texts = REFUSALS[code]
    for text in (texts.en, texts.fr, texts.nl):
        assert fields_of(text) <= names
        assert text.endswith(".")
    assert len({texts.en, texts.fr, texts.nl}) == 3


def test_no_words_are_left_for_refusals_that_do_not_exist():
    assert set(REFUSALS) == {code for code, _ in refused()}


def test_a_refusal_is_said_in_the_readers_language():
    with pytest.raises(BadRule) as refusal:
        rank(entrants("AB"), [], [], Rule((use("buchholz_cut", worst=0),)))
    assert explained(refusal.value, "nl-be") == (
        "Een instelling van het criterium buchholz_cut is onbruikbaar."
    )
    with pytest.raises(BadResults) as twice:
        rank(entrants("AB"), game(2, "A", "B", (1, 0)) * 2, [], Rule((use("marks"),)))
    assert explained(twice.value, "fr") == "La manche 1 de A au tour 2 figure deux fois."
    with pytest.raises(BadRule) as choice:
        rule_from_json({"criteria": ["marks"], "withdrawn": "gone"})
    assert explained(choice.value, "en") == (
        "withdrawn is none of the choices: kept, unranked, struck."
    )
