"""An event by a club's rules, played by the demo's tables up to its prize list."""

from __future__ import annotations

from datetime import date

import pytest
from django.test import Client
from django.utils import translation

from tests.tournament.build import SYSTEM
from tests.tournament.documents.reading import whole_text
from tournament.demo.gallery import Piece, build
from tournament.models.tables import Sheet
from tournament.queries import standings
from tournament.services.documents import BUILDERS
from tournament.services.standings import set_state
from tournament.tables.score_sheet import ScoreSheet

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("rulebook", ["bruges", "trumps-only"])
def test_an_event_is_played_to_its_prize_list(rulebook: str) -> None:
    piece = Piece(rulebook, "Clubavond", 9, "individual_draw", rulebook, rounds=2)
    event = build(piece, SYSTEM, date(2026, 11, 26))
    stage = event.stages.get()
    sheets = Sheet.objects.filter(table__round__stage=stage)
    assert {sheet.rulebook for sheet in sheets} == {rulebook}
    assert all(ScoreSheet(sheet).current() for sheet in sheets)
    set_state(stage_id=stage.pk, state="final", actor=SYSTEM)
    first = next(row.entrant for row in standings.compute(stage).ranked if row.rank == 1).number
    winner = event.entrants.get(number=first).person.name
    for language in ("en", "fr", "nl"):
        with translation.override(language):
            printed = {"prizes": "1: 250\n2: 100"}
            prizes = whole_text(BUILDERS["prizes"](event, printed, language, "a4")[0])
        assert winner in prizes


@pytest.mark.parametrize(
    ("rulebook", "language", "words"),
    [
        ("bruges", "en", "The most that a deal counts: 240."),
        ("bruges", "fr", "Tous les points en une donne, sans perdre aucune levée : 60."),
        ("trumps-only", "en", "Where trumps are led, beat the opponents’ winning card"),
        ("trumps-only", "nl", "Op dezelfde manier over de hoogste kaart van de maat gaan."),
    ],
)
def test_the_card_of_the_table_says_what_is_different(
    client: Client, rulebook: str, language: str, words: str
) -> None:
    answer = client.get(f"/rules/{rulebook}.pdf", headers={"accept-language": language})
    assert answer.status_code == 200
    page = "".join(whole_text(answer.content).split())
    assert "".join(words.split()) in page
