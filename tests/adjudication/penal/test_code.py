"""House articles, changed ladders, adopted articles, and finding an article by words."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction

import pytest

from adjudication.penal import (
    Article,
    Charge,
    DealOutcome,
    DealRule,
    Domain,
    FactField,
    FactType,
    Ladder,
    LadderBy,
    Measure,
    Origin,
    PenalCodeError,
    Policy,
    Previous,
    Step,
    Who,
    all_articles,
    code_for,
    decide,
    game_for,
    house_from_json,
    house_to_json,
    search,
)
from adjudication.penal.article import Citation
from adjudication.penal.codec import read, to_json
from scoring.texts import Translated
from tests.sampled import one_in

SMOKING = Article(
    id="H-SMOKE",
    kind=Domain.CONDUCT,
    origin=Origin.HOUSE,
    title=Translated(en="Smoking in the hall", fr="Fumer dans la salle", nl="Roken in de zaal"),
    text=Translated(en="Nobody smokes.", fr="On ne fume pas.", nl="Er wordt niet gerookt."),
    citation=Citation("House rules", "7", ""),
    who=Who.PLAYER,
    established=Translated(en="At once.", fr="Sur-le-champ.", nl="Meteen."),
    charge=Charge.PENALTY,
    deal=DealRule.STANDS,
    facts=(
        FactField(
            "offender",
            FactType.SEAT,
            Translated(en="Smoker", fr="Fumeur", nl="Roker"),
            Translated(en="Who", fr="Qui", nl="Wie"),
        ),
    ),
)


def offences(*steps):
    return Ladder(LadderBy.OFFENCE, steps)


def test_a_house_article_is_ruled_like_any_other_but_the_event_adds_its_marks():
    """The engine does not know the article: its marks are extra, and the engine gets no infraction."""
    code = code_for("muette", house_articles=[SMOKING])
    assert code.house == ("H-SMOKE",)
    game = game_for("muette", deal="d1")
    proposal = decide(code, "H-SMOKE", {"offender": "N"}, Policy.STRICT, game)
    assert proposal.marks == {"NS": 0, "EW": 30}
    assert proposal.deal.infractions == ()
    assert proposal.deal.extra == {"NS": 0, "EW": 30}
    assert proposal.deal.outcome is DealOutcome.STANDS


def test_a_house_article_changes_the_fingerprint_but_not_the_edition():
    plain, mine = code_for("muette"), code_for("muette", house_articles=[SMOKING])
    assert plain.edition == mine.edition
    assert plain.fingerprint != mine.fingerprint
    assert "H-SMOKE" not in plain


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"id": "004-V1"}, "house id"),
        ({"id": "H-lower"}, "house id"),
        ({"title": Translated(en="x", fr="", nl="y")}, "title: the text in fr"),
        ({"text": Translated(en=" ", fr="a", nl="b")}, "text: the text in en"),
        ({"facts": ()}, "a penalty needs the offender"),
        ({"facts": SMOKING.facts * 2}, "stated twice"),
        ({"deal": DealRule.CHOICE}, "options"),
        ({"charge": Charge.LADDER}, "ladder"),
        ({"discretionary": True}, "needs the measure"),
        ({"citation": Citation("", "", "")}, "where the article was decided"),
        ({"text": all_articles()["004-V1"].text}, "same text as 004-V1"),
    ],
)
def test_a_house_article_that_cannot_be_is_refused(change, complaint):
    with pytest.raises(PenalCodeError) as refused:
        code_for("muette", house_articles=[replace(SMOKING, **change)])
    assert any(complaint in defect for defect in refused.value.defects)


@pytest.mark.guide("referee#the-penal-code-of-an-event")
def test_all_defects_are_listed_at_once():
    broken = replace(SMOKING, id="bad", facts=(), title=Translated(en="", fr="", nl=""))
    with pytest.raises(PenalCodeError) as refused:
        code_for("muette", house_articles=[broken], adopted=["999-X"])
    assert len(refused.value.defects) >= 6


def test_an_event_may_change_a_tournament_ladder():
    ladder = offences(Step(1, Measure.PENALTY), Step(None, Measure.DISQUALIFIED))
    code = code_for("muette", ladder_overrides={"T-PHONE": ladder})
    assert code.changed == ("T-PHONE",)
    game = game_for("muette", deal="d1")
    first = decide(code, "T-PHONE", {"offender": "W"}, Policy.STRICT, game)
    assert first.measure is Measure.PENALTY
    history = [Previous("r1", "T-PHONE", None, "d0", "EW", Measure.PENALTY)]
    again = decide(code, "T-PHONE", {"offender": "W"}, Policy.STRICT, game, history)
    assert again.measure is Measure.DISQUALIFIED


@pytest.mark.parametrize(
    ("id", "ladder", "complaint"),
    [
        ("004-E1", offences(Step(None, Measure.WARNING)), "only ladders of tournament"),
        ("T-PEEK", offences(Step(None, Measure.WARNING)), "only ladders of tournament"),
        ("T-NONE", offences(Step(None, Measure.WARNING)), "no such article"),
        ("T-LATE", offences(Step(None, Measure.WARNING)), "it counts minutes"),
        ("T-COMM", offences(), "no steps"),
        ("T-COMM", offences(Step(1, Measure.WARNING)), "open-ended"),
        (
            "T-COMM",
            offences(
                Step(2, Measure.WARNING), Step(1, Measure.PENALTY), Step(None, Measure.REMOVED)
            ),
            "the steps rise",
        ),
        ("T-COMM", offences(Step(None, Measure.DEALS_CONCEDED)), "deals go with"),
        ("T-COMM", offences(Step(None, Measure.PENALTY, Fraction(-1))), "not negative"),
    ],
)
def test_a_ladder_that_cannot_be_is_refused(id, ladder, complaint):
    with pytest.raises(PenalCodeError) as refused:
        code_for("muette", ladder_overrides={id: ladder})
    assert any(complaint in defect for defect in refused.value.defects)


def test_an_event_may_adopt_an_article_of_another_source():
    code = code_for("coinchee", adopted=["001-R10"])
    assert code.article("001-R10").origin is Origin.RECOMMENDED
    game = game_for("coinchee")
    proposal = decide(code, "001-R10", {"offender": "N"}, Policy.STRICT, game)
    assert proposal.marks == {"NS": 0, "EW": 34}


def test_an_unknown_rulebook_or_edition_is_refused():
    with pytest.raises(PenalCodeError):
        code_for("belote")
    with pytest.raises(PenalCodeError):
        code_for("muette", "1896.1")
    with pytest.raises(PenalCodeError):
        code_for("muette").article("000-P1")
    with pytest.raises(KeyError):
        all_articles("1896.1")


class TestJson:
    @pytest.mark.parametrize("article", all_articles().values(), ids=lambda a: a.id)
    def test_an_article_survives_json(self, article):
        raw = to_json(article)
        assert to_json(read(Article, json.loads(json.dumps(raw)), "a")) == raw

    def test_what_an_event_adds_survives_json(self):
        ladders = {"T-COMM": offences(Step(None, Measure.PENALTY, Fraction(1, 2)))}
        raw = json.loads(json.dumps(house_to_json([SMOKING], ladders, ["001-R10"])))
        assert house_from_json(raw) == ((SMOKING,), ladders, ("001-R10",))

    @pytest.mark.parametrize(
        "raw",
        [
            [],
            {"article": []},
            {"articles": {}},
            {"articles": [3]},
            {"articles": [{"id": "H-X"}]},
            {"ladders": {"T-COMM": {"by": "moon", "steps": []}}},
            {
                "ladders": {
                    "T-COMM": {"by": "offence", "steps": [{"upto": True, "measure": "warning"}]}
                }
            },
            {
                "ladders": {
                    "T-COMM": {
                        "by": "offence",
                        "steps": [{"upto": None, "measure": "warning", "share": "1/0"}],
                    }
                }
            },
            {"adopted": [1]},
        ],
    )
    def test_what_cannot_be_read_is_refused(self, raw):
        with pytest.raises(PenalCodeError):
            house_from_json(raw)


class TestSearch:
    @pytest.mark.parametrize(
        ("rulebook", "words", "language", "first"),
        [
            ("parlee", "surcouper", "fr", "000-P4"),
            ("parlee", "overkopen", "nl", "000-P4"),
            ("parlee", "overruff", "en", "000-P4"),
            ("boussac", "fausse annonce", "fr", "001-R16"),
            ("boussac", "coupe a faux", "fr", "001-R9b"),
            ("boussac", "COUPE À FAUX", "fr", "001-R9b"),
            ("boussac", "out of turn", "en", "001-R10"),
            ("boussac", "twee kaarten", "nl", "001-R5"),
            ("chaloupee", "pisser", "fr", "002-P3"),
            ("muette", "gsm", "nl", "T-PHONE"),
            ("muette", "telephone", "fr", "T-PHONE"),
            ("belgian", "verzaken", "nl", "BE-P1"),
            ("muette", "retard", "fr", "T-LATE"),
            # Words that players use (rules C.8).
            ("belgian", "hors tour", "fr", "GEN-TURN"),
            ("belgian", "carte vue", "fr", "GEN-SHOW"),
            ("belgian", "trop de cartes", "fr", "GEN-COUNT"),
            ("belgian", "score faux", "fr", "GEN-SCORE"),
            ("belgian", "insulte", "fr", "T-UNSP"),
            ("belgian", "injure", "fr", "T-UNSP"),
            ("belgian", "parle à son partenaire", "fr", "T-COMM"),
            ("muette", "parle à son partenaire", "fr", "004-E1"),
            ("belgian", "voor zijn beurt", "nl", "GEN-TURN"),
            ("belgian", "voor de beurt", "nl", "GEN-TURN"),
            ("belgian", "verkeerde score", "nl", "GEN-SCORE"),
            ("belgian", "beledigen", "nl", "T-UNSP"),
            ("belgian", "te veel kaarten", "nl", "GEN-COUNT"),
            ("belgian", "kaart laten zien", "nl", "GEN-SHOW"),
            ("belgian", "te laat geklopt", "nl", "GEN-CALL"),
            ("belgian", "out of turn", "en", "GEN-TURN"),
            ("belgian", "exposed card", "en", "GEN-SHOW"),
            ("belgian", "false claim", "en", "GEN-CLAIM"),
            ("muette", "talking", "en", "004-E1"),
            ("boussac", "hors tour", "fr", "001-R10"),
            ("boussac", "trop de cartes", "fr", "001-R7"),
            ("chaloupee", "hors tour", "fr", "GEN-TURN"),
            # Other forms of a word, and a letter wrong, missing, too many or swapped.
            ("muette", "n'a pas fourni", "fr", "004-V1"),
            ("muette", "renonse", "fr", "004-V1"),
            ("parlee", "arrive en retard", "fr", "T-LATE"),
            ("parlee", "alcool", "fr", "T-UNSP"),
            ("coinchee", "fausse annonce", "fr", "GEN-CLAIM"),
            ("belgian", "téléfone", "fr", "T-PHONE"),
            ("belgian", "niet gevolgd", "nl", "BE-P1"),
            ("belgian", "verzaakt", "nl", "BE-P1"),
            ("belgian", "verkerde score", "nl", "GEN-SCORE"),
            ("belgian", "beledigd", "nl", "T-UNSP"),
            ("belgian", "gepraat", "nl", "T-COMM"),
            ("belgian", "revoek", "en", "BE-P1"),
            ("parlee", "talked", "en", "000-E2"),
        ],
    )
    def test_the_article_comes_first(self, rulebook, words, language, first):
        assert search(code_for(rulebook), words, language)[0].id == first

    def test_by_id(self):
        boussac = code_for("boussac")
        assert search(boussac, "001-R9a")[0].id == "001-R9a"
        assert search(boussac, "r9b", "nl")[0].id == "001-R9b"
        assert {a.id for a in search(boussac, "001")} >= {"001-R1", "001-R17"}

    def test_a_word_of_another_language_still_finds(self):
        assert "000-P1" in [a.id for a in search(code_for("parlee"), "verzaken", "fr")]

    def test_every_word_must_be_found(self):
        assert search(code_for("parlee"), "surcouper zeppelin", "fr") == ()

    def test_no_words_give_the_whole_code_in_order(self):
        code = code_for("parlee")
        assert search(code, "  ", "fr") == code.articles

    @pytest.mark.parametrize("language", ["en", "fr", "nl"])
    @pytest.mark.parametrize(
        "rulebook", one_in(2, ["boussac", "chaloupee", "belgian", "three-player"])
    )
    def test_every_article_is_found_by_its_own_title(self, rulebook, language):
        code = code_for(rulebook)
        for article in code.articles:
            found = [a.id for a in search(code, article.title.render(language), language)]
            assert found[0] == article.id


@pytest.mark.parametrize(
    ("rulebook", "language", "sentence", "article"),
    [
        ("boussac", "fr", "elle a joué deux cartes en même temps", "001-R5"),
        ("boussac", "nl", "hij heeft niet gevolgd terwijl hij kon", "001-R9a"),
        ("boussac", "nl", "hij speelde voor zijn beurt", "001-R10"),
        ("boussac", "nl", "de deler heeft verkeerd gegeven", "001-R6a"),
        ("parlee", "fr", "il a coupé alors qu'il avait de la couleur", "000-P1"),
        ("parlee", "en", "did not follow suit although there was a heart", "000-P1"),
        ("parlee", "en", "looked at the last trick", "GEN-TRICK"),
        ("belgian", "fr", "mon partenaire a parlé de ses cartes", "T-COMM"),
        ("belgian", "nl", "hij heeft zijn kaarten laten zien", "GEN-SHOW"),
        ("belgian", "fr", "il est arrivé en retard de dix minutes", "T-LATE"),
        ("belgian", "nl", "kwam tien minuten te laat", "T-LATE"),
    ],
)
def test_a_whole_sentence_as_somebody_says_it_finds_its_article_first(
    rulebook: str, language: str, sentence: str, article: str
) -> None:
    assert search(code_for(rulebook), sentence, language)[0].id == article


def test_words_of_no_article_find_nothing() -> None:
    assert search(code_for("parlee"), "xylophone quasar zeppelin", "en") == ()
    assert search(code_for("parlee"), "xylophone", "en") == ()
