"""Finding an article by words, in French, Dutch or English, with or without accents.

Every word of the query must be found: as a word, as the beginning of one, in another form of it
(*insulte* finds *insulter*), or misspelt by a letter (*renonse*). Where no article has them all, as in a
whole sentence, those come that have most of them, a word that few have counting more. Words that people say and no
article has stand in ``scoring/articles/words.toml``. Small words count only where nothing else was typed. Title counts
most, then keywords, then text; articles of the sources come before additions.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from itertools import takewhile
from operator import mul
from typing import Final

from scoring.engine.articles import read_file
from scoring.texts import LANGUAGES

from .article import Article, Origin
from .code import Code

_WORD: Final = re.compile(r"[0-9a-z]+")
_TITLE, _KEYWORD, _TEXT, _OTHER_LANGUAGE = 12, 8, 4, 1
_ID: Final = 40
_SMALL_EN: Final = (
    "a an the of on in to his her their with by for not did does was is he she they at"
)
_SMALL_FR: Final = "le la les l un une des du de d a au aux en et son sa ses sur par pour avec qui ne n pas il elle est"
_SMALL_NL: Final = (
    "de het een van op in te met voor zijn haar hun en door die wie niet is was heeft"
)
_SMALL: Final = frozenset(f"{_SMALL_EN} {_SMALL_FR} {_SMALL_NL}".split())
"""Words that stand in every text and tell no article from another."""
_STEM: Final = 5
_ENDING: Final = 4
"""Two forms of a word share at least so many first letters and end in at most so many others."""
_MISSPELT: Final = 6
"""From so many letters on, one may be wrong, missing, too many, or swapped with the next."""


def _spellings() -> dict[str, dict[str, str]]:
    """Return the players' words, by article and language."""
    spellings: dict[str, dict[str, str]] = {}
    for id, stated in read_file("words").items():
        texts = {language: stated.get(language, "") for language in LANGUAGES}
        for name in (id, *stated.get("alike", ())):
            known = spellings.setdefault(name, dict.fromkeys(LANGUAGES, ""))
            spellings[name] = {lang: f"{known[lang]} {texts[lang]}" for lang in LANGUAGES}
    return spellings


_SAID: Final = _spellings()


def fold(text: str) -> str:
    """Fold ``text`` to small letters without accents or ligatures: ``"Œuvre levée"`` → ``"oeuvre levee"``."""
    text = text.lower().replace("œ", "oe").replace("æ", "ae")
    plain = unicodedata.normalize("NFKD", text)
    return "".join(c for c in plain if not unicodedata.combining(c))


def words_of(text: str) -> list[str]:
    """Return the words of ``text``, folded."""
    return _WORD.findall(fold(text))


def search(code: Code, words: str, language: str = "en") -> tuple[Article, ...]:
    """Find the articles of ``code`` with every word of ``words``, or else most of them; best first.

    A word is sought in ``language`` first and in the other two as a last resort, so that a Dutch
    word finds its article on a French desk. No words: all articles in the order of the code.
    """
    wanted = words_of(words)
    if not wanted:
        return code.articles
    compact, is_sentence = "".join(wanted), len(wanted) > 2
    wanted = [word for word in wanted if word not in _SMALL] or wanted
    here = language[:2].lower()
    weights = {
        article.id: tuple(_worth(shelves, word) for word in wanted)
        for article, shelves in ((each, _shelves(each, here)) for each in code.articles)
    }
    scores = {id: sum(each) if all(each) else 0 for id, each in weights.items()}
    for article in code.articles:
        own_id = "".join(words_of(article.id))
        if own_id.endswith(compact) or own_id.startswith(compact):
            scores[article.id] = _ID * (1 + (own_id == compact))
    if not any(scores.values()) and is_sentence and len(wanted) > 1:
        scores = _most(weights)
    places = {article.id: place for place, article in enumerate(code.articles)}
    ranked = [article for article in code.articles if scores[article.id]]
    ranked.sort(key=lambda a: (-scores[a.id], a.origin is Origin.ADDITION, places[a.id]))
    return tuple(ranked)


def _most(weights: Mapping[str, tuple[int, ...]]) -> dict[str, int]:
    """Score each article by its words; leave out scores below half of the best."""
    having = [sum(1 for each in column if each) for column in zip(*weights.values(), strict=True)]
    rarity = [(len(weights) // each).bit_length() if each else 0 for each in having]
    scores = {id: sum(map(mul, each, rarity)) for id, each in weights.items()}
    enough = max(scores.values()) // 2
    return {id: score if score > enough else 0 for id, score in scores.items()}


def _shelves(article: Article, language: str) -> list[tuple[int, list[str]]]:
    """Return the words of an article, grouped by weight."""
    here = language if language in LANGUAGES else "en"
    spellings = _SAID.get(article.id, {})
    shelves = [
        (_TITLE, words_of(f"{article.title.render(here)} {spellings.get(here, '')}")),
        (_KEYWORD, words_of(article.keywords.render(here))),
        (_TEXT, words_of(article.text.render(here))),
    ]
    for other in LANGUAGES:
        if other != here:
            texts = (article.title, article.keywords, article.text)
            everything = [*(text.render(other) for text in texts), spellings.get(other, "")]
            shelves.append((_OTHER_LANGUAGE, words_of(" ".join(everything))))
    return shelves


def _worth(shelves: Iterable[tuple[int, list[str]]], word: str) -> int:
    """Return the score of a word found on the shelves; 0 if not found."""
    best = 0
    for weight, shelf in shelves:
        if word in shelf:
            best = max(best, 2 * weight)
        elif len(word) >= 3 and any(other.startswith(word) for other in shelf):
            best = max(best, weight)
        elif any(_same_stem(word, other) for other in shelf):
            best = max(best, weight // 2)
        elif any(_misspelt(word, other) for other in shelf):
            best = max(best, weight // 3)
    return best


def _same_stem(word: str, other: str) -> bool:
    """Whether two words are forms of one: ``beledigen`` and ``belediging``."""
    pairs = zip(word, other, strict=False)
    same = sum(1 for _each in takewhile(lambda pair: pair[0] == pair[1], pairs))
    return same >= _STEM and max(len(word), len(other)) - same <= _ENDING


def _misspelt(word: str, other: str) -> bool:
    """Whether two words differ by one letter: wrong, missing, too many, or swapped with the next."""
    if min(len(word), len(other)) < _MISSPELT or abs(len(word) - len(other)) > 1:
        return False
    same = 0
    while same < min(len(word), len(other)) and word[same] == other[same]:
        same += 1
    one, two = word[same:], other[same:]
    swapped = one[1:2] + one[:1] + one[2:]
    return one[1:] == two[1:] or one[1:] == two or one == two[1:] or swapped == two
