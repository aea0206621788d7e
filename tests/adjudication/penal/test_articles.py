"""The penal code as data: complete, in three languages, each article distinct, editions pinned."""

from __future__ import annotations

import re

import pytest

from adjudication.penal import (
    CURRENT,
    EDITIONS,
    RULEBOOKS,
    Beneficiary,
    Charge,
    DealRule,
    Domain,
    FactType,
    Measure,
    Origin,
    Who,
    all_articles,
    code_for,
)
from adjudication.penal import words as penal_words
from adjudication.penal.guide import render
from scoring.engine.articles import ARTICLES as ENGINE
from scoring.engine.articles import Amount, Effect
from scoring.engine.rulebooks import RULEBOOKS as ENGINE_RULEBOOKS
from scoring.texts import LANGUAGES, Message

ALL = list(all_articles().values())
PINNED = {
    # An edition is never edited: a changed text or amount is a new edition. These fingerprints pin the published
    # content.
    "2026.1": {
        "parlee": "80d93a0b9f64f78954651b1be910dc1454bd6dc077e25bce3573991c1e96849b",
        "boussac": "0c6f1e364a94549190a34695a2e525937137d0afb3600dfdc1845d2286b5decf",
        "chaloupee": "0879b883c154b294d40a9d807447583d4c7db974fdc7359b8bc47508e0b78d60",
        "coinchee": "adeb8389a90697fde7d8afbc5bf78f728d4ddd7c451988ac1a24174f6c711609",
        "muette": "1c41fd227676e0220b3f15a8a0abf317714cb1cf6fa3b1e0ff5cbf82915287c8",
        "parlee-limited": "601e72b843abbd9b65e28d7ad4ab948e2bbdbfa8cb5036a31cfa0eabba9c0b23",
        "blind": "5c3885cd939bb2fb884230b6b0b887f2058f959a28e837b1c447d9665b2c0802",
        "three-player": "a925037046852d0d031db2cc2bc1e85db31181c6de05e9edc277d089bbce354e",
        "auction-1": "864627b7147ff62a07e165bd86e3e576a2f728503cbb3fa52cb114913f4c0393",
        "auction-2": "864627b7147ff62a07e165bd86e3e576a2f728503cbb3fa52cb114913f4c0393",
        "auction-3": "864627b7147ff62a07e165bd86e3e576a2f728503cbb3fa52cb114913f4c0393",
        "belgian": "a81a208f057cee07648c8ba7d2d8bbc1decb347b9ad001bdb38eb564c3497125",
    },
    "2026.2": {
        "parlee": "bb3145325bb1e9bc906b696d5c3cbb1858865aa749a2a2e69e52bb135fb4bc4f",
        "boussac": "bc00f94c9440e02feecba917c6b1b6abcb48ae436eedc15d287813169146ed62",
        "chaloupee": "c9a5d7973604b4b0a53167e3a7edbcd4bafcf20686a5128054f1148d3bf1eb7e",
        "coinchee": "295b56f6a9428c73f51a9009bec07cfb181b884196ce843a23f0ee8cdb13d2d0",
        "muette": "26064e21b0d46045e183737186d5377f58a86937771fbd33fef40dde628658e6",
        "parlee-limited": "60ca60cf14887de310afd7fea85d4d5af5a4e06518b77146c9ca6dacf79fb0f5",
        "blind": "605cb486091193f39b87cbfa28cf6fd680f2c7b6a32c1fab61669d60ce0c93f3",
        "three-player": "91f285e5742f1ce69477fffafe78c8e1c91df628f8f147c6cc1764b1f7efb647",
        "auction-1": "7a725e3efdc4d5be73fba75e5731e26f627821c944b0058b05b0561c9559a8d9",
        "auction-2": "7a725e3efdc4d5be73fba75e5731e26f627821c944b0058b05b0561c9559a8d9",
        "auction-3": "7a725e3efdc4d5be73fba75e5731e26f627821c944b0058b05b0561c9559a8d9",
        "belgian": "d3aed4a0e3cb3f822bf3d4ce0ba24b4fa51e3c2c11bdf414fa309bf8e1bc4cfa",
    },
    "2026.3": {
        "parlee": "a68ea775de03bc855a233b028b237dc307a357b5fb76c49cb5e0e4c0c8c16f96",
        "boussac": "7767c478784c96db7f5cebded58cea71d8ff7cda829661cc76a3b9bf56b454fe",
        "chaloupee": "7245a4af22aaed96928e2d629d087038075b92619935b464696c617ccaab4fc8",
        "coinchee": "e518f48f2631766b8414e3595ca32db8f3435073f3327b6b1524b055a6a2af42",
        "muette": "d0c4dbc2bc5fb1d4bf3a78b6d8c6dc59a7aa06ceefc93199e253d1180061ef09",
        "parlee-limited": "fca9b71d3f70202e54f6fa842d58acaa4642d3c293c5f5f2d9639e1d725a39ff",
        "blind": "0dd84049e950bd3ec0c036f1dda2dd0012235fa4cc6d0f1735394e84a1de4515",
        "three-player": "265208aec02fcc164c49d5aa58919fc413a48c714aa8c16c8b5b0bc20e85ff86",
        "auction-1": "13255662c93d41c83a08299d7b5a4bde2436e63749f855ae5be7642ab4838a59",
        "auction-2": "13255662c93d41c83a08299d7b5a4bde2436e63749f855ae5be7642ab4838a59",
        "auction-3": "13255662c93d41c83a08299d7b5a4bde2436e63749f855ae5be7642ab4838a59",
        "belgian": "e1927ed7f8a2a59f6ed6a5a373f1cef643dd63b78eafeccdbe4d9aa1685ac546",
    },
    "2026.4": {
        "parlee": "21a17e8ecb0a1d461123aea0ca175a9cd94fefdfbe05243157a2b2bc2909c8dd",
        "boussac": "77b6779fc53f53c24e36247c3f34c9d96def402efdf5411047c3ade11fe99a2f",
        "chaloupee": "faca75bc4685787f7b63d3890baf1bdacd75bf72274bf15982c12b0079e87704",
        "coinchee": "d8b2d36b0a25cabe565523cf007890a68f3135d9207c60ac56f77004cbd7a79d",
        "muette": "ee999e988d52c93705fca03735a77e61e72f59f1522bce110c6fbf5a008ca50d",
        "parlee-limited": "46b69d53149bfc5ef5443f4ec937ad5fe8b38204ca4554f453700c4d6d0dc5f5",
        "blind": "226ec331d42c22168d357494e0bca137e16a48426ead5f51609e3330cd0682be",
        "three-player": "019183e3f5a91e6eb6792dc5a55097c0b8ebd5e7016ffec07dcc94bbd2610c29",
        "auction-1": "d4af12617760783e93b830b6e82bf68a5e59864bceb6f0de5bcace72c41d9b76",
        "auction-2": "d4af12617760783e93b830b6e82bf68a5e59864bceb6f0de5bcace72c41d9b76",
        "auction-3": "d4af12617760783e93b830b6e82bf68a5e59864bceb6f0de5bcace72c41d9b76",
        "belgian": "aa444bcd64fe4d770542eabb6ca136eb1d414e6a473477d84a5ae2f42e1a173d",
    },
    "2026.5": {
        "parlee": "46469d3fa3e8d15c7774813719834eec23648651ff4ca7d82fc2dab5d5899bee",
        "boussac": "cdfbefce685dfb76ca463fd1f4d4c710a3cc75a72bc3e12c75a8b6e4fadb34ad",
        "chaloupee": "998febf619fad8236a756ceabdcfe9d92728ed7b8ca56b4e8867fe954d0443ea",
        "coinchee": "5415a9589edf72f6d5325fdf9d3166aa754348ca2533b946615a2aaf3f85cfe4",
        "muette": "a592162b89be3d06119bc1e01f0b0dc40db61b72cacebc921bbf268e5c9f3bca",
        "parlee-limited": "c88c774f0c28f67bcf3b40eb41421fc1fa00bffb5c4b37879560e05ab2b47dc2",
        "blind": "33c78c1cbd7e19ab5547293dee37e5a5a5621aae555d69cb09bb84b537800235",
        "three-player": "7faf05f1cd198fa71a36405f71ea2ff801c20b72b53c24ca29301f2ede6a7092",
        "auction-1": "b03541bbe06830fafd5f6e9d20a7281881d9b504e938e09c8e944321d03e881d",
        "auction-2": "b03541bbe06830fafd5f6e9d20a7281881d9b504e938e09c8e944321d03e881d",
        "auction-3": "b03541bbe06830fafd5f6e9d20a7281881d9b504e938e09c8e944321d03e881d",
        "belgian": "e56b1c293196c1ff3b5f0e2af8c38970abc7d07faebecd955231513dd2349cf0",
    },
}


def each(articles=ALL):
    return pytest.mark.parametrize("article", articles, ids=lambda a: a.id)


def every_text(article):
    yield "title", article.title
    yield "text", article.text
    yield "established", article.established
    yield "keywords", article.keywords
    for field in article.facts:
        yield field.name, field.label
        yield field.name, field.help
        for value, label in field.choices:
            yield f"{field.name}={value}", label
    for condition in article.conditions:
        yield condition.fact, condition.otherwise
    for option in article.options:
        yield option.id, option.label
    for case in article.cases:
        yield case.value, case.text


@each()
def test_every_text_is_there_in_three_languages(article):
    for where, texts in every_text(article):
        for language in LANGUAGES:
            assert texts.render(language).strip(), (where, language)
        assert texts.render("en") != "TODO"


@each()
def test_titles_and_texts_are_not_one_language_thrice(article):
    for texts in (article.title, article.text):
        assert len({texts.render("en"), texts.render("fr"), texts.render("nl")}) == 3


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("part", ["title", "text"])
def test_no_two_articles_share_a_text(language, part):
    texts = [getattr(a, part).render(language).casefold() for a in ALL]
    assert len(set(texts)) == len(texts)


@each()
def test_every_article_cites_where_it_comes_from(article):
    assert article.citation.source
    assert article.citation.rule
    assert article.citation.quote
    # A short phrase, not a sentence copied from the source.
    assert len(article.citation.quote.split()) <= 12


@each()
def test_the_form_can_be_filled_in(article):
    names = [field.name for field in article.facts]
    assert len(set(names)) == len(names)
    for field in article.facts:
        assert (field.type is FactType.CHOICE) == bool(field.choices)
    for condition in article.conditions:
        assert condition.fact in names
    if article.options:
        assert article.deal is DealRule.CHOICE
        offered = {value for value, _ in article.fact("opponents_choice").choices}
        assert offered == {option.id for option in article.options}
    if article.who not in (Who.NOBODY, Who.BYSTANDER) and article.charge is not Charge.NONE:
        payer = {"offender", "dealer", "ill_served"} & set(names)
        assert payer or article.id in ("T-SELF", "T-SLIP")


def test_every_word_list_is_complete():
    for mapping, enum in (
        (penal_words.KINDS, Domain),
        (penal_words.ORIGINS, Origin),
        (penal_words.WHO, Who),
        (penal_words.CHARGES, Charge),
        (penal_words.BENEFICIARIES, Beneficiary),
        (penal_words.DEAL_RULES, DealRule),
        (penal_words.MEASURES, Measure),
    ):
        assert set(mapping) == set(enum)
        for texts in mapping.values():
            assert all(isinstance(texts, Message) and texts.render(lang) for lang in LANGUAGES)


class TestEngine:
    """Agreement of the engine, which holds the amounts, with the articles (B.3, C)."""

    def test_same_ids(self):
        assert set(all_articles()) == set(ENGINE)

    @each()
    def test_same_amount(self, article):
        amount = ENGINE[article.id].amount
        charge = article.charge
        if article.ladder is None:
            expected = {
                Amount.NONE: Charge.NONE,
                Amount.PENALTY: Charge.PENALTY,
                Amount.DELIBERATE: Charge.PENALTY,
            }
            if article.discretionary:
                assert amount is Amount.NONE
            else:
                assert charge is expected[amount]
            return
        penalties = [s for s in article.ladder.steps if s.measure is Measure.PENALTY]
        if amount is Amount.REPEATED:
            first = (Measure.WARNING, Measure.PUT_RIGHT, Measure.CALL_VOID)
            assert article.ladder.steps[0].measure in first
            assert penalties[-1].share == 1
        elif amount is Amount.DOUBLE:
            assert [s.share for s in penalties] == [2]
        else:
            assert amount in (Amount.NONE, Amount.DELIBERATE)
            assert penalties == []

    @each()
    def test_same_fate_of_the_deal(self, article):
        known = ENGINE[article.id]
        if article.id.startswith("GEN-") and article.options:
            # The penalty of a repetition replaces the deal; the first time the other side chooses.
            assert known.effect is Effect.REPLACED
            assert article.deal is DealRule.CHOICE
        elif known.effect is Effect.REPLACED:
            lost = DealRule.LOST
            if article.id in ("001-R7", "GEN-COUNT"):  # found once a card was played
                lost = DealRule.LOST_KEPT
            assert article.deal is (lost if known.cancels_bonus else DealRule.REPLACED)
        else:
            allowed = {
                Effect.STANDS: {DealRule.STANDS},
                Effect.REDEAL_SAME: {DealRule.REDEALT},
                Effect.REDEAL_NEXT: {DealRule.PASSES},
                Effect.BLIND_CANCELLED: {DealRule.CHOICE},
            }[known.effect]
            if article.id != "GEN-DISC" and (known.option or article.id in ("001-R3", "001-R5")):
                allowed = {DealRule.CHOICE}
            assert article.deal in allowed

    def test_every_kind_of_illegal_play_has_its_article_in_the_code(self):
        for rulebook, book in ENGINE_RULEBOOKS.items():
            for article in book.play_articles.values():
                assert article in code_for(rulebook), (rulebook, article)

    def test_same_rulebooks(self):
        assert set(RULEBOOKS) == set(ENGINE_RULEBOOKS)


class TestCatalogue:
    """Counts of the catalogue, verified by hand."""

    @pytest.mark.parametrize(
        ("prefix", "count"),
        [
            ("000", 6),
            ("001", 22),
            ("002", 7),
            ("003", 5),
            ("004", 8),
            ("BE", 5),
            ("T", 13),
            ("GEN", 11),
        ],
    )
    def test_counts(self, prefix, count):
        assert sum(1 for a in ALL if a.id.startswith(f"{prefix}-")) == count

    def test_every_rule_of_boussac(self):
        rules = {int(re.match(r"001-R(\d+)", a.id).group(1)) for a in ALL if a.id.startswith("001")}
        assert rules == set(range(1, 18))

    def test_what_is_beyond_the_sources_says_so(self):
        for article in ALL:
            beyond = article.id.startswith(("T-", "GEN-", "BE-"))
            assert (article.origin is Origin.ADDITION) == beyond
        silent = [a for a in ALL if a.id.startswith(("002", "003"))]
        assert {a.origin for a in silent} == {Origin.RECOMMENDED}

    def test_the_secret_answer_is_as_source_000_has_it(self):
        """000: "répond à son partenaire de façon non conventionnelle, véhiculant ainsi un message
        que les adversaires ne peuvent pas comprendre"; it says nothing of an agreement."""
        text = code_for("parlee").article("000-E1").text
        quoted = "façon non conventionnelle, véhiculant ainsi un message"
        assert f"{quoted} que les adversaires ne peuvent pas comprendre" in text.render("fr")
        assert "agreed" not in text.render("en")
        assert "afgesproken" not in text.render("nl")

    @pytest.mark.parametrize("id", ["001-R5", "001-R8"])
    def test_what_boussac_does_not_say_is_marked_as_recommended(self, id):
        """r.5 and r.8 do not mention the other card, the deal or the dealer's own side."""
        text = code_for("boussac").article(id).text
        assert "Recommendation beside the source:" in text.render("en")
        assert "Recommandation, hors de la source" in text.render("fr")
        assert "Aanbeveling, niet uit de bron:" in text.render("nl")

    def test_the_belgian_duties_say_that_no_source_has_them(self):
        for number in range(1, 6):
            text = code_for("belgian").article(f"BE-P{number}").text
            assert "none of the five sources has it" in text.render("en")

    def test_two_cards_by_analogy_is_marked_as_recommended(self):
        """Q-001-2: rulebooks without a rule of their own use 001 r.5; since 2026.2 GEN-TWO."""
        assert code_for("boussac").article("001-R5").origin is Origin.SOURCE
        assert code_for("muette", "2026.1").article("001-R5").origin is Origin.RECOMMENDED
        assert "001-R5" not in code_for("muette")
        assert "GEN-TWO" in code_for("muette")


@pytest.mark.parametrize("rulebook", RULEBOOKS)
@pytest.mark.parametrize("edition", EDITIONS)
def test_a_published_edition_is_never_edited(rulebook, edition):
    pinned = PINNED[edition][ENGINE_RULEBOOKS[rulebook].code]
    assert code_for(rulebook, edition).fingerprint == pinned


@pytest.mark.parametrize("edition", EDITIONS)
def test_another_language_of_the_pages_changes_no_edition(
    edition: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scoring.texts.LANGUAGES", ("en", "fr", "nl", "eo"))
    assert code_for("parlee", edition).fingerprint == PINNED[edition]["parlee"]


def test_every_edition_is_pinned():
    assert set(EDITIONS) == set(PINNED)
    assert CURRENT in EDITIONS


@pytest.mark.guide("referee#the-referees-guide")
def test_the_document_is_up_to_date(pytestconfig):
    path = pytestconfig.rootpath / "docs" / "penal-code.md"
    assert path.read_text(encoding="utf-8") == render(), (
        "run: python -m adjudication.penal.guide > docs/penal-code.md"
    )


@pytest.mark.guide("referee#the-referees-guide")
def test_the_referees_guide_knows_only_articles_that_exist(pytestconfig):
    text = (pytestconfig.rootpath / "docs" / "referee.md").read_text(encoding="utf-8")
    named = set(re.findall(r"\b(?:00[0-4]-[A-Z]\d*[a-d]?|BE-P\d|T-[A-Z]+|GEN-[A-Z]+)\b", text))
    assert named
    assert named <= set(all_articles())


@pytest.mark.parametrize(
    ("article", "language", "said"),
    [
        # 001 and 004 are quoted in English, 000 in French, each with a translation of our own.
        ("001-R7", "fr", "joue avec des cartes en plus ou en moins"),
        ("001-R7", "nl", "met kaarten te veel of te weinig speelt"),
        ("004-E1", "nl", "mogen niet over hun kaarten spreken"),
        ("000-P1", "nl", "de gevraagde kleur niet volgen"),
        # A source in the reader's own language has no translation.
        ("000-P1", "fr", ""),
        ("001-R7", "en", ""),
    ],
)
def test_a_source_is_quoted_beside_a_translation(article: str, language: str, said: str) -> None:
    assert all_articles()[article].citation.translated(language) == said
