"""The files of the catalogue: an invalid file is refused when it is read, with its name."""

from __future__ import annotations

from typing import Any

import pytest

from adjudication.penal.catalogue import read_article, read_articles, read_fact
from adjudication.penal.codec import PenalCodeError
from scoring.engine.articles import WrongArticle, engine_article, read_catalogue

STATED = dict(read_catalogue()["T-LATE"])
SCORED = dict(STATED["scored"])


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"kind": "cards"}, "T-LATE.kind: 'cards' is not one of"),
        ({"charged": "penalty"}, "T-LATE.charged: unknown"),
        ({"title": 3}, "T-LATE.title"),
        ({"facts": ["offendor"]}, "there is no fact 'offendor'"),
        ({"stated": {"weather": {"help": "Rain?"}}}, "T-LATE.stated.weather"),
        ({"ladder": {"by": "minutes", "steps": [{"measure": "fine"}]}}, "T-LATE.ladder.steps[0]"),
        ({"conditions": [{"fact": "proved", "value": True}]}, "T-LATE.conditions[0].otherwise"),
    ],
)
def test_a_fault_in_an_article_is_named(change: dict[str, Any], said: str) -> None:
    with pytest.raises(PenalCodeError) as refused:
        read_article("T-LATE", {**STATED, **change})
    assert any(said in defect for defect in refused.value.defects)


def test_the_faults_of_all_articles_are_named_at_once() -> None:
    wrong = {**STATED, "kind": "cards"}
    with pytest.raises(PenalCodeError) as refused:
        read_articles([("T-LATE", wrong), ("T-ABS", wrong)])
    assert len(refused.value.defects) == 2


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"amount": "HALF"}, "T-LATE.scored: amount"),
        ({"effects": "STANDS"}, "effects is unknown"),
        ({"rulebooks": ["whist"]}, "there is no 'whist'"),
        ({"conduct": 1}, "conduct: true or false is expected"),
    ],
)
def test_a_fault_in_what_is_scored_is_named(change: dict[str, Any], said: str) -> None:
    with pytest.raises(WrongArticle, match=said):
        engine_article("T-LATE", {**SCORED, **change})


def test_what_is_scored_must_be_stated() -> None:
    with pytest.raises(WrongArticle, match="amount is missing"):
        engine_article("T-LATE", {key: SCORED[key] for key in SCORED if key != "amount"})
    with pytest.raises(WrongArticle, match="a table is expected"):
        engine_article("T-LATE", None)


def test_a_fact_is_read_with_its_texts() -> None:
    fact = read_fact("offender")
    assert (fact.name, fact.label.render("fr")) == ("offender", "Fautif")
