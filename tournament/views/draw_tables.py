"""The tables of a draw on the desk's pages: found by player or table, a page at a time, without script.

A hall has 136 tables; the director wants the two of their question.
"""

from __future__ import annotations

from typing import Final, TypedDict
from urllib.parse import urlencode

from django.core.paginator import Page, Paginator
from django.http import QueryDict

from tournament.queries.rounds import TableCard
from tournament.services.edits import Edit
from tournament.views.typed import whole

A_PAGE: Final = 24


def matching(cards: list[TableCard], words: str) -> list[TableCard]:
    """Return the cards of that table number or start number, else those with the words in a name or club."""
    words = " ".join(words.split()).casefold()
    if not words:
        return cards
    number = whole(words)
    if number:
        return [
            card
            for card in cards
            if card["number"] == number or any(s["entrant"] == number for s in card["seats"])
        ]
    return [
        card
        for card in cards
        if any(words in f"{s['name']} {s['club']}".casefold() for s in card["seats"])
    ]


class Listed(TypedDict):
    """A page of cards as a template lists it."""

    tables: list[TableCard]
    tables_page: Page[TableCard]
    find: str
    hits: int
    all_tables: int
    seated: int
    query: str


def listed(cards: list[TableCard], question: QueryDict, **keep: object) -> Listed:
    """Return the template's values for a list of cards: the requested page, the search, the number
    of hits.

    ``question`` is the query (``find``, ``page``); ``keep`` is added to the links from page to
    page.
    """
    words = question.get("find", "").strip()[:60]
    hits = matching(cards, words)
    shown: Page[TableCard] = Paginator(hits, A_PAGE).get_page(question.get("page"))
    along = {key: value for key, value in {**keep, "find": words}.items() if value}
    return {
        "tables": list(shown),
        "tables_page": shown,
        "find": words,
        "hits": len(hits),
        "all_tables": len(cards),
        "seated": sum(len(card["seats"]) for card in cards),
        "query": f"&{urlencode(along)}" if along else "",
    }


def pickable(cards: list[TableCard], question: QueryDict) -> int:
    """Let the cards listed be tapped, one player and then another, to weigh their exchange.

    ``question`` is the query (``pick``: the first player, ``find``, ``page``). Returns the first one.
    """
    pick = whole(question.get("pick")) or 0
    along = {key: question[key][:60] for key in ("find", "page") if question.get(key)}
    for seat in (seat for card in cards for seat in card["seats"]):
        number = seat["entrant"]
        if pick and number != pick:
            seat["url"] = "?" + urlencode({"verb": "swap", "one": pick, "two": number}) + "#cost"
        else:
            query = along if pick else {"pick": number, **along}
            seat["url"], seat["me"] = f"?{urlencode(query)}#tables", bool(pick)
    return pick


def concerned(cards: list[TableCard], edit: Edit | None, why: int) -> list[TableCard]:
    """Return the tables that a change would touch, and the one to be explained."""
    if edit is None and not why:
        return []
    people: set[int] = set()
    numbers = {why}
    if edit is not None:
        people = {edit.one, edit.two, *edit.players} - {0}
        numbers |= {edit.table, edit.to}
    return [
        card
        for card in cards
        if card["number"] in numbers or any(s["entrant"] in people for s in card["seats"])
    ]
