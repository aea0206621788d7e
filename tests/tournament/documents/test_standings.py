"""Standings on paper: complete, in order, with ties, cut and state visible."""

import dataclasses
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournament.documents.reading import (
    LANGUAGES,
    NAMES,
    PAPERS,
    assert_framed,
    boxes,
    imprint,
    outline_titles,
    overlaps,
    page_texts,
    plain,
    read,
    whole_text,
)
from tournament.documents import (
    DocumentError,
    StandingsColumn,
    StandingsLine,
    StandingsSheet,
    State,
    standings_pdf,
)

COLUMNS = (StandingsColumn("Pts", "points de partie"), StandingsColumn("Net", "marques nettes"))


def lines(count, **changes):
    return tuple(
        StandingsLine(
            at,
            str(3000 + at),
            f"{NAMES[at % len(NAMES)]} {at}",
            (str(2 * count - at), "+3"),
            club=("De Roeland", "La Belle Manille", "")[at % 3],
            **changes,
        )
        for at in range(1, count + 1)
    )


def sheet(rows, language="fr", **changes):
    framing = {key: changes.pop(key) for key in ("state", "paper") if key in changes}
    return StandingsSheet(imprint(language, **framing), COLUMNS, rows, 3, 6, **changes)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("state", State)
def test_the_frame_in_each_language_size_and_state(language, paper, state):
    printed = sheet(lines(90), language, paper=paper, state=state)
    assert_framed(standings_pdf(printed), printed.imprint)


def test_544_players_are_all_there_once_and_in_order():
    data = standings_pdf(sheet(lines(544)))
    numbers = [
        int(found) for text in page_texts(data) for found in re.findall(r"\b3[0-5]\d\d\b", text)
    ]
    assert numbers == list(range(3001, 3545))
    text = whole_text(data)
    for line in lines(544):
        assert line.name in text
    assert "1–50 · Vandenbroucke" in outline_titles(data)[1]
    assert len(read(data).pages) > 5


def test_a_provisional_page_says_so_at_its_head_its_foot_and_across():
    page = page_texts(standings_pdf(sheet(lines(10))))[0]
    assert page.count("Provisoire") == 2
    assert "PROVISOIRE" in page
    page = page_texts(standings_pdf(sheet(lines(10), state=State.FINAL)))[0]
    assert "PROVISOIRE" not in page
    assert page.count("Définitif") == 2


def test_equal_sheets_give_equal_bytes():
    assert standings_pdf(sheet(lines(60))) == standings_pdf(sheet(lines(60)))
    assert standings_pdf(sheet(lines(60))) != standings_pdf(sheet(lines(60), state=State.FINAL))


def test_a_shared_rank_is_marked_and_explained():
    rows = (
        StandingsLine(1, "7", "Anaïs", ("6", "+40")),
        StandingsLine(2, "8", "Bram", ("5", "+12"), tied=True),
        StandingsLine(2, "9", "Cyriel", ("5", "+12"), tied=True),
        StandingsLine(4, "10", "Doris", ("5", "+11"), decided_by=1),
    )
    text = whole_text(standings_pdf(sheet(rows, "en")))
    assert "2= 8 Bram" in text
    assert "2= 9 Cyriel" in text
    assert "4 10 Doris" in text
    assert "=: shared rank" in text
    assert "in bold" in text


def test_top_n_keeps_everyone_who_shares_the_last_rank():
    ranks = (1, 2, 3, 3, 3, 6, None)
    rows = tuple(
        StandingsLine(rank, str(at), f"Speler{at}", ("1", "0"))
        for at, rank in enumerate(ranks, start=1)
    )
    text = whole_text(standings_pdf(sheet(rows, "nl", top=4)))
    assert [f"Speler{at}" in text for at in range(1, 8)] == [True] * 5 + [False] * 2
    assert "De eerste 4" in text


@pytest.mark.guide("director#paper")
def test_by_club_lists_each_club_once_with_its_members():
    data = standings_pdf(sheet(lines(60), by_club=True))
    assert outline_titles(data)[1:] == ["La Belle Manille", "De Roeland", "Sans club"]
    text = whole_text(data)
    for line in lines(60):
        assert line.name in text


def test_the_cut_stands_between_the_last_qualified_and_the_next():
    rows = tuple(
        StandingsLine(at, str(at), f"Joueur{at:02}", ("1", "0"), qualified=at <= 8)
        for at in range(1, 13)
    )
    text = whole_text(standings_pdf(sheet(rows, cut=8)))
    assert (
        text.index("Joueur08")
        < text.index("Barre : 8 places qualificatives")
        < text.index("Joueur09")
    )
    table = text[: text.index("Q : qualifié")]
    assert table.count(" Q ") == 8


def test_a_cut_below_the_last_line_draws_nothing():
    assert "Barre" not in whole_text(standings_pdf(sheet(lines(8), cut=8)))


def test_withdrawn_disqualified_and_adjusted_are_said():
    rows = (
        StandingsLine(1, "1", "Anna", ("2", "0"), adjusted=True),
        StandingsLine(None, "2", "Bert", ("1", "0"), withdrawn=True),
        StandingsLine(None, "3", "Carl", ("1", "0"), note="gediskwalificeerd"),
    )
    text = whole_text(standings_pdf(sheet(rows, "nl")))
    assert "Anna*" in text
    assert "Bert (opgave)" in text
    assert "Carl (gediskwalificeerd)" in text
    assert "gewijzigd door een uitspraak" in text


def test_nobody_yet_is_a_page_too():
    assert "Nobody yet." in whole_text(standings_pdf(sheet((), "en")))


def test_a_line_with_too_few_values_is_refused():
    with pytest.raises(DocumentError, match="1 values for 2 columns"):
        sheet((StandingsLine(1, "1", "Anna", ("2",)),))
    with pytest.raises(DocumentError):
        sheet(lines(3), top=0)


def test_many_criteria_still_fit_the_page():
    columns = tuple(StandingsColumn(f"Critère {at}", "explication") for at in range(14))
    rows = tuple(
        StandingsLine(at, str(at), f"Joueur{at}", tuple("−1234,56" for _ in columns), club="Club")
        for at in range(1, 30)
    )
    data = standings_pdf(StandingsSheet(imprint(), columns, rows))
    text = whole_text(data)
    for at in range(1, 30):
        assert f"Joueur{at}" in text


NAMELIKE = st.text(
    alphabet=st.characters(codec="utf-8", categories=("L", "N", "P", "S", "Zs", "M", "Cc", "Cf")),
    max_size=120,
)


@settings(max_examples=15, deadline=None)
@given(
    names=st.lists(NAMELIKE, max_size=60),
    language=st.sampled_from(LANGUAGES),
    club=NAMELIKE,
    cut=st.none() | st.integers(0, 70),
)
def test_whatever_the_names_no_line_is_lost(names, language, club, cut):
    rows = tuple(
        StandingsLine(at, f"#{at}#", name, ("1", "2"), club=club, tied=at % 2 == 0)
        for at, name in enumerate(names, start=1)
    )
    data = standings_pdf(sheet(rows, language, cut=cut))
    found = re.findall(r"#(\d+)#", "\n".join(page_texts(data)))
    # A name contains such a mark only if hypothesis writes one; none has two signs so close together.
    assert [int(at) for at in found if int(at) <= len(names)][: len(names)] == list(
        range(1, len(names) + 1)
    )
    assert plain(page_texts(data)[-1])


LONGEST_CLUB = "Koninklijke Maatschappij van de Verenigde Manillekaarters van Roeselare en Omstr"
LONGEST_WORD = "Donaudampfschifffahrtsgesellschaftskapitänswitwenrentenanstalt"


@pytest.mark.parametrize("paper", PAPERS)
def test_the_longest_club_beside_the_longest_name_is_not_cut(paper):
    long = [
        dataclasses.replace(
            line,
            name=f"{LONGEST_WORD} Hugo" if at % 7 == 3 else line.name,
            club=LONGEST_CLUB if at % 3 == 0 else line.club,
        )
        for at, line in enumerate(lines(60))
    ]
    data = standings_pdf(sheet(tuple(long), paper=paper))
    assert "…" not in whole_text(data)
    for page in read(data).pages:
        assert overlaps(boxes(page)) == []


def test_the_legend_is_never_alone_on_a_page():
    pages = set()
    # Around the counts that fill the first and the second page.
    for count in (*range(35, 45), *range(79, 89)):
        *before, last = page_texts(standings_pdf(sheet(lines(count))))
        pages.add(len(before) + 1)
        assert f"{NAMES[count % len(NAMES)]} {count}" in plain(last), count
    assert pages == {1, 2, 3}
