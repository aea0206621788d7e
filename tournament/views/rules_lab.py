"""The rules lab: choose a rulebook, type a trick or a deal, read the engine's answer.

A public page for players and referees; all its answers come from the engine.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from django import forms
from django.http import HttpRequest, HttpResponse
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from accounts.access import public
from accounts.pages import Page, show_page
from ledger.canonical import JsonObject
from scoring.engine.cardplay import card_play, names_of
from scoring.engine.cards import SUITS, parse_card, parse_trump
from scoring.engine.deal import legal_in_trick
from scoring.engine.entry_fields import FieldKind
from scoring.engine.errors import EngineError
from scoring.engine.legality import winner_of
from scoring.engine.letters import letters_of
from scoring.engine.rulebook import RULEBOOKS, Sides, resolve
from scoring.engine.speech import card_name, side_name, speak
from scoring.engine.speech_refusals import explain
from tournament.models.tables import Depth, Sheet
from tournament.queries.entry_form import ShownField, counted_sides, shown_fields
from tournament.tables.entry import name_of_side, read_entry
from tournament.tables.score_sheet import ScoreSheet

TRUMPS = [("S", "♠"), ("H", "♥"), ("D", "♦"), ("C", "♣"), ("NT", _("no trump"))]


def _books() -> list[tuple[str, str]]:
    language = get_language() or "en"
    return [(key, book.title.render(language)) for key, book in RULEBOOKS.items()]


class TrickForm(forms.Form):
    """A trick so far and the hand of the next player."""

    rulebook = forms.ChoiceField(label=_("Rulebook"), choices=_books)
    trump = forms.ChoiceField(label=_("Trump"), choices=TRUMPS)
    leader = forms.CharField(label=_("Who led"), max_length=1, required=False)
    declarer = forms.CharField(
        label=_("Declarer"),
        max_length=1,
        required=False,
        help_text=_("Only in games where one player is against the others."),
    )
    trick = forms.CharField(
        label=_("Cards played to the trick"),
        max_length=60,
        required=False,
        help_text=_("In order of play, e.g. 8H KC 9D. Suits: S H D C; ranks: 10 A K Q J 9 8 7."),
    )
    hand = forms.CharField(
        label=_("Hand of the player whose turn it is"),
        max_length=80,
        help_text=_("e.g. 7H 8S 10C AS"),
    )


class DealForm(forms.Form):
    """A deal that was played, by its points: the fields of every rulebook; a deal reads those of its own."""

    rulebook = forms.ChoiceField(label=_("Rulebook"), choices=_books)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        language = (get_language() or "en")[:2]
        choices: dict[str, dict[str, str]] = {"trump": {code: str(name) for code, name in TRUMPS}}
        for key in RULEBOOKS:
            game = _sheet(key).game
            for name, shown in shown_fields(game, Depth.TRICKS, {}, language, {}).items():
                offered = {each.written.code: each.name for each in shown.choices}
                if name == "dealer":
                    offered = {seat: name_of_side(seat, language) for seat in game.seats}
                elif name == "side" and game.book.sides is not Sides.DEALER_ALONE:
                    sides = counted_sides(game, {}, language, game.seats[0])
                    offered = {each.code: each.name for each in sides}
                known = choices.setdefault(name, {})
                known |= {code: says for code, says in offered.items() if code not in known}
                self.fields[name] = _input(shown, known)
        self.order_fields([*(name for name in self.fields if name not in COUNTED), *COUNTED])


COUNTED = ("side", "points", "tricks")
"""The last fields of a deal."""


def _input(shown: ShownField, choices: dict[str, str]) -> forms.Field:
    label = shown.label[:1].upper() + shown.label[1:]
    if shown.field.name == "doubling":
        label = gettext("Times doubled")
    if shown.field.kind is FieldKind.YES:
        return forms.BooleanField(label=label, required=False)
    if shown.field.kind is FieldKind.NUMBER:
        return forms.IntegerField(label=label, min_value=0, max_value=999, required=False)
    return forms.ChoiceField(label=label, choices=[("", "–"), *choices.items()], required=False)


def _sheet(rulebook: str) -> ScoreSheet:
    """Return an empty sheet of a game, which is not stored."""
    book = RULEBOOKS[rulebook]
    stakes = {"stakes": [2, 3, 4, 5, 6]} if book.stakes else {}
    return ScoreSheet(Sheet(rulebook=rulebook, edition=book.edition, options=stakes))


DUTIES: dict[str, object] = {
    "lead": _("Leads: any card."),
    "follow": _("Holds the suit: any card of it."),
    "must_beat": _("Holds the suit: must beat the opponent’s card."),
    "must_ruff": _("Void in the suit: must ruff."),
    "must_overruff": _("An opponent has ruffed: must overruff."),
    "may_not_under_ruff": _("Cannot overruff: no lower trump allowed."),
    "free": _("Void in the suit, no duty: any card."),
}
OVER_PARTNER: dict[str, object] = {
    "must_beat": _("Holds the suit: must beat the partner’s card too."),
    "must_overruff": _("The partner has ruffed: must overruff."),
}
"""The same where the partner's card wins the trick and is beaten all the same."""


def _cards(text: str) -> list[str]:
    return text.replace(",", " ").split()


class Card(NamedTuple):
    """A card of a hand."""

    code: str
    suit: str
    rank: str
    illegal: bool
    winner: bool = False


class TrickResult(NamedTuple):
    """The player, their duty in words, their hand and its legal cards."""

    player: str
    text: str
    hand: list[Card]
    legal: list[str]


class DealResult(NamedTuple):
    """The marks of a deal by side, with the lines that explain them."""

    marks: dict[str, int]
    lines: list[str]
    void: bool


def trick_answer(data: JsonObject, language: str) -> TrickResult:
    """Return the legal cards and the duty, in words."""
    game = resolve(data["rulebook"], {})
    alone = game.book.sides is Sides.DECLARER_ALONE
    rules = card_play(game, data["declarer"] or game.seats[0] if alone else None)
    letters = letters_of(language)
    cards = [parse_card(letters.card(card), "trick") for card in _cards(data["trick"])]
    hand = [parse_card(letters.card(card), "hand") for card in _cards(data["hand"])]
    leader = data["leader"].upper()
    first = game.seats.index(leader) if leader in game.seats else 0
    trick = [((first + n) % len(game.seats), card) for n, card in enumerate(cards)]
    player = (first + len(cards)) % len(game.seats)
    trump = parse_trump(data["trump"])
    legal, duty = legal_in_trick(rules, trump, trick, player, hand)
    words = DUTIES
    if cards:
        winner = trick[winner_of(trump, cards)][0]
        own = rules.side_of[winner] == rules.side_of[player]
        words = DUTIES | OVER_PARTNER if own else DUTIES
    return TrickResult(
        game.seats[player],
        str(words[duty.value]),
        [
            Card(name, name[-1], card_name(name, language)[:-1], not legal >> card & 1)
            for card, name in zip(hand, names_of(hand), strict=True)
        ],
        [
            card_name(name, language)
            for card, name in zip(hand, names_of(hand), strict=True)
            if legal >> card & 1
        ],
    )


def deal_answer(typed: Mapping[str, str], language: str) -> DealResult:
    """Return the marks of a deal with the lines that explain them."""
    sheet = _sheet(typed["rulebook"])
    seats, declarer = sheet.game.seats, typed.get("declarer", "")
    # Where the dealer's side names trump, a player of it dealt; its points are those that are typed.
    dealer = next((seat for seat in seats if seat in declarer), seats[0])
    given = {name: value for name, value in typed.items() if value}
    scored = sheet.score(read_entry(sheet, {"side": declarer, **given}, dealer, Depth.POINTS))
    marks = {side_name(side, language): value for side, value in scored.marks.items()}
    return DealResult(marks, [speak(line, language) for line in scored.lines], scored.void)


class LabPage(Page, template="rules/lab.html"):
    trick: TrickForm
    deal: DealForm
    trick_result: TrickResult | None
    deal_result: DealResult | None
    suits: str


@public
@require_safe
def rules_lab(request: HttpRequest) -> HttpResponse:
    """Show the two forms and the answer to the one sent; nothing is stored."""
    language = (get_language() or "en")[:2]
    question = request.GET.get("ask", "")
    trick = TrickForm(request.GET if question == "trick" else None, auto_id="trick_%s")
    deal = DealForm(request.GET if question == "deal" else None, auto_id="deal_%s")
    trick_result: TrickResult | None = None
    deal_result: DealResult | None = None
    for form, name in ((trick, "trick"), (deal, "deal")):
        if question != name or not form.is_valid():
            continue
        try:
            if name == "trick":
                trick_result = trick_answer(form.cleaned_data, language)
            else:
                deal_result = deal_answer(request.GET.dict(), language)
        except EngineError as error:
            form.add_error(None, explain(error, language))
    return show_page(
        request,
        LabPage(
            trick=trick, deal=deal, trick_result=trick_result, deal_result=deal_result, suits=SUITS
        ),
    )
