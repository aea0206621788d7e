"""Each document in each language and on each paper, and the requirements on all of them."""

import dataclasses
from datetime import date, timedelta
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.engine.rulebook import resolve
from tests.sampled import one_in
from tests.tournament.documents.reading import (
    LANGUAGES,
    NAMES,
    PAPERS,
    Box,
    assert_framed,
    boxes,
    imprint,
    outline_titles,
    outside,
    overlaps,
    page_texts,
    plain,
    read,
    whole_text,
)
from tournament.documents import (
    AdjudicationReport,
    Badge,
    BadgeSheet,
    BracketPart,
    BracketSheet,
    Diploma,
    DiplomaSheet,
    DocumentError,
    DrawnTable,
    DrawSheet,
    EventReport,
    Imprint,
    IncidentLine,
    NotFinalError,
    Person,
    PrizeLine,
    PrizeList,
    Receipt,
    ReceiptSheet,
    ResultLine,
    RoundReport,
    RulingRecord,
    RulingSlip,
    ScoreSheetForm,
    Seat,
    SeatCard,
    SeatCardSheet,
    SheetHead,
    SlipSheet,
    StandingsColumn,
    StandingsLine,
    StandingsSheet,
    State,
    TableCard,
    TableCardSheet,
    TableSlip,
    adjudication_report_pdf,
    badges_pdf,
    bracket_pdf,
    diplomas_pdf,
    draw_by_name_pdf,
    draw_by_table_pdf,
    event_report_pdf,
    prize_list_pdf,
    receipts_pdf,
    ruling_slip_pdf,
    score_sheets_pdf,
    seat_cards_pdf,
    standings_pdf,
    table_cards_pdf,
    table_slips_pdf,
)
from tournament.documents.words import ROUND

TABLE = DrawnTable(
    "31", tuple(Seat(label, Person(name)) for label, name in zip("ABCD", NAMES, strict=False))
)


def standings(frame, count=40):
    return StandingsSheet(
        frame,
        (StandingsColumn("Pts"),),
        tuple(
            StandingsLine(
                at, str(at), f"{NAMES[at % len(NAMES)]} {at}", (str(99 - at),), club="De Roeland"
            )
            for at in range(1, count + 1)
        ),
    )


def ruling(frame, number="17", **changes):
    record = RulingRecord(
        number=number,
        round=ROUND.render(frame.language).format(round=3),
        table="31",
        game=2,
        deal=7,
        article="001-R9",
        article_title="Renonce",
        facts="Au sixième pli, Est joue le 8♠ alors qu’il tient le R♥.",
        decision="34 points aux adversaires.",
        reason="La levée suivante était jouée.",
        effects=("N-S marque 34.", "E-O marque 0."),
        sides=(("N-S", f"{NAMES[0]} + {NAMES[1]}"), ("E-O", f"{NAMES[2]} + {NAMES[3]}")),
        readers=("N-S", "E-O"),
        offender="E-O",
        referee="Verstraete Luc",
        status="provisoire",
        issued_at=frame.printed_at,
        appeal_until=frame.printed_at + timedelta(minutes=30),
    )
    return dataclasses.replace(record, **changes)


def adjudication(frame):
    return AdjudicationReport(
        frame,
        (
            IncidentLine("14:05", "3", "31", "Renonce", "001-R9", "17", "provisoire"),
            IncidentLine("14:20", "3", "8", "Retard"),
        ),
        (
            ruling(frame),
            ruling(frame, "18", article="T-04", article_title="Retard", appeal="Rejeté."),
            ruling(frame, "19"),
        ),
    )


def prizes(frame):
    return PrizeList(
        frame,
        (
            PrizeLine(1, NAMES[0], "1", "De Roeland", 10000),
            PrizeLine(2, NAMES[1], "2", "", 3750, shared_by=2),
            PrizeLine(2, NAMES[2], "3", "", 3750, shared_by=2),
        ),
        (("Beste gift", PrizeLine(9, NAMES[3], "4", prize="hesp")),),
    )


def receipts(frame, count=3):
    return ReceiptSheet(
        frame,
        tuple(
            Receipt(
                f"2027-{at:04}",
                NAMES[at],
                (("Inscription", 2500), ("Repas", 1950)),
                date(2027, 2, 1),
            )
            for at in range(count)
        ),
        ("Marktplein 1", "8800 Roeselare"),
    )


def report(frame):
    return EventReport(
        frame,
        (("Règlement", "Manille parlée (000)"), ("Tours", "6")),
        (standings(frame),),
        (
            RoundReport(
                1,
                (
                    ResultLine("1", NAMES[0], NAMES[1], "101", "64", game=1, remark="décision 17"),
                    ResultLine("2", NAMES[2], NAMES[3], "98", "101", game=1),
                ),
                (Person(NAMES[9]),),
            ),
            RoundReport(2, ()),
        ),
        tuple(Person(name, str(at)) for at, name in enumerate(NAMES)),
        adjudication(frame),
        prizes(frame),
    )


def slips(frame):
    return SlipSheet(
        frame, 1, (TableSlip(TABLE, "https://m.example/t/abc", "m.example/t/abc"),) * 3
    )


DOCUMENTS = {
    "standings": lambda frame: standings_pdf(standings(frame)),
    "bracket": lambda frame: bracket_pdf(
        BracketSheet(
            frame,
            "Final",
            (
                BracketPart("Pool A", ("Won",), (("1", "7", NAMES[0], ("2",), False),)),
                BracketPart(
                    "Final", ("Points",), (("4", "7", NAMES[0], ("9",), True),), pairs=True
                ),
            ),
        )
    ),
    "draw by table": lambda frame: draw_by_table_pdf(DrawSheet(frame, 1, (TABLE,))),
    "draw by name": lambda frame: draw_by_name_pdf(DrawSheet(frame, 1, (TABLE,))),
    "slips": lambda frame: table_slips_pdf(slips(frame)),
    "badges": lambda frame: badges_pdf(
        BadgeSheet(
            frame, tuple(Badge(name, "7", "Club", "", "https://m.example/p/1") for name in NAMES)
        )
    ),
    "table cards": lambda frame: table_cards_pdf(
        TableCardSheet(frame, (TableCard("31", "https://m.example/t/31"), TableCard("136")))
    ),
    "seat cards": lambda frame: seat_cards_pdf(
        SeatCardSheet(frame, tuple(SeatCard("31", "A", name, "7", "Club") for name in NAMES))
    ),
    "score sheets": lambda frame: score_sheets_pdf(
        ScoreSheetForm(frame, resolve("chaloupee", {}), 14)
    ),
    "prizes": lambda frame: prize_list_pdf(prizes(frame)),
    "receipts": lambda frame: receipts_pdf(receipts(frame)),
    "ruling slip": lambda frame: ruling_slip_pdf(RulingSlip(frame, ruling(frame))),
    "adjudication": lambda frame: adjudication_report_pdf(adjudication(frame)),
    "event report": lambda frame: event_report_pdf(report(frame)),
}


PRINTED = {"fr": "imprimé le", "nl": "afgedrukt op", "en": "printed"}


@pytest.mark.guide("director#paper")
@pytest.mark.parametrize(
    ("name", "language", "paper"), one_in(5, product(DOCUMENTS, LANGUAGES, PAPERS))
)
def test_the_frame_of_each_document_and_that_nothing_lies_on_another_text(name, language, paper):
    frame = imprint(language, paper=paper, state=State.FROZEN)
    data = DOCUMENTS[name](frame)
    text = assert_framed(data, frame)
    # No language leaves another's words on the page.
    assert [key for key, words in PRINTED.items() if words in text] == [language]
    for page in read(data).pages:
        found = boxes(page)
        assert len(found) > 3
        assert [box for box in found if outside(page, box)] == []
        assert overlaps(found) == []


@pytest.mark.guide("director#paper")
@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_certificates_in_each_language_and_size(language, paper):
    frame = imprint(language, paper=paper, state=State.FINAL)
    sheet = DiplomaSheet(frame, tuple(Diploma(name, 1) for name in NAMES), 544)
    data = diplomas_pdf(sheet)
    assert_framed(data, frame, diploma=True)
    assert all(name in plain(text) for name, text in zip(NAMES, page_texts(data), strict=True))
    assert all(page.mediabox.width > page.mediabox.height for page in read(data).pages)


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("title", ["", "Meilleure donne du tournoi"])
def test_nothing_lies_on_another_text_of_a_diploma(language, paper, title):
    """Diplomas with the longest names and all optional content."""
    sheet = DiplomaSheet(
        imprint(language, paper=paper, state=State.FINAL),
        tuple(
            Diploma(f"{name} / {name}", 12, tied=True, club=f"Kaartersclub {name}", title=title)
            for name in NAMES
        ),
        544,
        tuple((name, "voorzitter van de kaartersbond") for name in NAMES[:3]),
    )
    pages = read(diplomas_pdf(sheet)).pages
    assert len(pages) == len(NAMES)
    for page in pages:
        found = boxes(page)
        assert len(found) > 8
        assert [box for box in found if outside(page, box)] == []
        assert overlaps(found) == []


def test_the_reader_of_boxes_sees_what_is_wrong():
    apart = Box(0, 0, 50, 7, b"one"), Box(0, 10, 50, 17, b"two")
    assert overlaps(apart) == []
    assert len(overlaps([*apart, Box(40, 4, 90, 11, b"three")])) == 2
    (page,) = read(DOCUMENTS["prizes"](imprint(paper=PAPERS[0]))).pages
    assert outside(page, Box(-1, 0, 5, 5, b"left"))
    assert outside(page, Box(0, 0, 5, 900, b"high"))


@pytest.mark.parametrize("name", DOCUMENTS)
def test_equal_input_gives_equal_bytes(name):
    assert DOCUMENTS[name](imprint()) == DOCUMENTS[name](imprint())


@pytest.mark.parametrize("name", ["badges", "seat cards", "draw by name", "draw by table", "slips"])
def test_the_names_are_in_the_text(name):
    text = whole_text(DOCUMENTS[name](imprint("nl")))
    expected = NAMES if name in {"badges", "seat cards"} else NAMES[:4]
    assert [each for each in expected if each not in text] == []


# badges and cards


def test_eight_badges_to_a_page():
    sheet = BadgeSheet(imprint(), tuple(Badge(f"Joueur {at}", str(at)) for at in range(17)))
    texts = page_texts(badges_pdf(sheet))
    assert len(texts) == 3
    assert [text.count("Joueur") for text in texts] == [8, 8, 1]


def test_a_provisional_event_prints_badges_without_a_mark_across():
    assert "PROVISOIRE" not in whole_text(DOCUMENTS["badges"](imprint()))
    assert "PROVISOIRE" in whole_text(DOCUMENTS["slips"](imprint()))


def test_cards_read_from_both_sides_of_the_fold():
    text = whole_text(seat_cards_pdf(SeatCardSheet(imprint(), (SeatCard("31", "A", "Lœuillet"),))))
    assert text.count("Lœuillet") == 2


@pytest.mark.parametrize(
    "make",
    [
        lambda: badges_pdf(BadgeSheet(imprint(), ())),
        lambda: table_cards_pdf(TableCardSheet(imprint(), ())),
        lambda: seat_cards_pdf(SeatCardSheet(imprint(), ())),
        lambda: receipts_pdf(ReceiptSheet(imprint(), ())),
        lambda: diplomas_pdf(DiplomaSheet(imprint(state=State.FINAL), ())),
        lambda: Receipt("1", "Jan", (), date(2027, 2, 1)),
        lambda: Receipt("1", "Jan", (("x", 1),) * 9, date(2027, 2, 1)),
        lambda: PrizeList(imprint(), (PrizeLine(1, "Jan", cents=-1),)),
        lambda: ScoreSheetForm(imprint(), resolve("parlee", {}), deals=0),
        lambda: ScoreSheetForm(imprint(), resolve("parlee", {}), heads=()),
        lambda: imprint(fingerprint=""),
        lambda: imprint("de"),
        lambda: imprint(printed_at=imprint().printed_at.replace(tzinfo=None)),
        lambda: diplomas_pdf(
            DiplomaSheet(
                imprint(state=State.FINAL), (Diploma("Jan", 1),), signers=(("a", "b"),) * 4
            )
        ),
    ],
)
def test_nothing_to_print_or_a_contradiction_is_refused(make):
    with pytest.raises(DocumentError):
        make()


# diplomas


@pytest.mark.parametrize("state", [State.PROVISIONAL, State.FROZEN, None])
def test_no_certificate_before_the_standings_are_final(state):
    with pytest.raises(NotFinalError):
        diplomas_pdf(DiplomaSheet(imprint(state=state), (Diploma("Jan", 1),)))


def test_a_certificate_says_the_rank_and_that_it_is_shared():
    frame = imprint("en", state=State.FINAL)
    sheet = DiplomaSheet(frame, (Diploma("Jan", 22, tied=True),), 544, (("Luc", "Chair"),))
    text = whole_text(diplomas_pdf(sheet))
    assert "22nd place, shared, among 544 ranked" in text
    assert "Luc" in text


# prizes and receipts


def test_the_prize_list_names_who_shares_and_the_total():
    text = whole_text(prize_list_pdf(prizes(imprint("nl"))))
    assert f"{NAMES[1]} (2 delen hem)" in text
    assert "Totaal uitgekeerd: € 175,00" in text
    # docs/ranking.md: "Cents left over go one each to the lowest start numbers".
    assert "één voor één naar de laagste startnummers" in text
    assert "Beste gift · hesp" in text


def test_the_total_and_the_rule_of_sharing_stay_with_the_last_line():
    for count in range(20, 45):
        lines = tuple(
            PrizeLine(at, f"Speler {at:03}", str(at), cents=100, shared_by=2)
            for at in range(1, count + 1)
        )
        *_, last = page_texts(prize_list_pdf(PrizeList(imprint("nl"), lines)))
        assert f"Speler {count:03}" in last, count
        assert f"Totaal uitgekeerd: € {count},00" in plain(last), count


def test_a_prize_list_without_money_has_no_amounts():
    text = whole_text(prize_list_pdf(PrizeList(imprint("en"), (PrizeLine(1, "Jan", prize="ham"),))))
    assert "ham" in text
    assert "€" not in text
    assert "Nobody yet." in whole_text(prize_list_pdf(PrizeList(imprint("en"), ())))


@pytest.mark.guide("director#paper")
def test_a_receipt_adds_up():
    data = receipts_pdf(receipts(imprint("en", state=None)))
    assert len(read(data).pages) == 2
    text = plain(page_texts(data)[0])
    assert "€44.50" in text
    assert "1 February 2027" in text
    assert outline_titles(data) == ["Receipt 2027-0000", "Receipt 2027-0001", "Receipt 2027-0002"]


# rulings


def test_a_ruling_slip_fits_one_page_and_has_all_its_parts():
    data = ruling_slip_pdf(RulingSlip(imprint(), ruling(imprint())))
    assert len(read(data).pages) == 1
    text = whole_text(data)
    for part in (
        "Décision 17",
        "Tour 3 · Table 31 · Manche 2 · Donne 7",
        "001-R9 · Renonce",
        "Au sixième pli, Est joue le 8♠ alors qu’il tient le R♥.",
        "34 points aux adversaires.",
        "La levée suivante était jouée.",
        "N-S marque 34.",
        "jusqu’au 21 février 2027 à 14 h 35",
        "Vu par N-S",
        "Vu par E-O",
        "Arbitre : Verstraete Luc",
    ):
        assert part in text


def test_a_closed_appeal_is_said():
    closed = ruling(imprint("en"), appeal_until=None)
    assert "No appeal is open." in whole_text(ruling_slip_pdf(RulingSlip(imprint("en"), closed)))


@settings(max_examples=5, deadline=None)
@given(
    st.lists(
        st.text(
            alphabet=st.characters(codec="latin-1", categories=("L", "N")), min_size=1, max_size=14
        ),
        min_size=1,
        max_size=1500,
    )
)
def test_a_long_text_runs_over_pages_without_loss(words):
    record = ruling(imprint(), facts=" ".join(words), citation="")
    data = ruling_slip_pdf(RulingSlip(imprint(state=State.FINAL), record))
    texts = page_texts(data)
    # pypdf returns the letters of a page; line ends and page ends fall between words.
    start = "".join("".join(texts).split())
    for word in set(words[:40] + words[-40:]):
        assert word in start
    assert_framed(data, imprint(state=State.FINAL))


def test_the_adjudication_report_counts_articles_most_frequent_first():
    text = whole_text(adjudication_report_pdf(adjudication(imprint())))
    table = text[text.index("Fréquence") : text.index("Tous les incidents")]
    assert table.index("001-R9 Renonce 2 –") < table.index("T-04 Retard 1 1")
    assert "sans décision" in text
    assert "Rejeté." in text


def test_an_event_without_an_incident_says_so():
    empty = AdjudicationReport(imprint("nl"), (), ())
    assert "Geen enkel incident gemeld." in whole_text(adjudication_report_pdf(empty))


# the event report


def test_the_event_report_has_every_chapter_in_its_outline():
    titles = outline_titles(event_report_pdf(report(imprint("en", state=State.FINAL))))
    for chapter in (
        "Event report",
        "Summary",
        "Standings · 40 ranked",
        "Prize list",
        "Round 1",
        "Round 2",
        "Adjudication report",
        "Frequency by article",
        "Ruling 17 · Round 3 · Table 31 · Game 2 · Deal 7",
        "Players",
    ):
        assert chapter in titles


@pytest.mark.guide("director#paper")
def test_the_event_report_has_every_player_result_and_ruling():
    text = whole_text(event_report_pdf(report(imprint("fr", state=State.FINAL))))
    for name in NAMES:
        assert name in text
    for part in ("101 64", "décision 17", "Manille parlée (000)", "Total distribué"):
        assert part in text


def test_an_event_report_of_nothing_is_a_page():
    data = event_report_pdf(EventReport(imprint(), ()))
    assert len(read(data).pages) == 1


def test_a_sheet_is_a_value():
    frame = imprint()
    assert frame == imprint()
    assert isinstance(frame, Imprint)
    with pytest.raises(dataclasses.FrozenInstanceError):
        frame.event = "other"
    assert SheetHead() == SheetHead()
