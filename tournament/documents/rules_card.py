"""Rules card for the table: the rules of a rulebook, on one page in the three languages.

Every figure and duty is read from the engine's own rulebook, with what the event has set.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from scoring.engine.duties import Beat, Duties, Ruff
from scoring.engine.rulebook import RULEBOOKS, Game
from scoring.engine.rulebook_edition import Leader, Sides, TrumpChoice
from scoring.texts import LANGUAGES, Message, Text, join
from scoring.texts import gettext_lazy as _
from tournament.documents.faces import BOLD, TEXT, wrap
from tournament.documents.imprint import Imprint
from tournament.documents.layout import Layout
from tournament.documents.looks import MM

TITLE: Final = _("Rules card")
SIZES: Final = (9.5, 9.0, 8.5, 8.0, 7.5, 7.0, 6.5)
"""The largest at which the longest column fits is taken."""
_GUTTER: Final = 7 * MM
_FEW: Final = 4
"""Up to so many players the first auction asks for 21, of more for 15."""

_DIRECTIONS: Final[Mapping[str, Message]] = {
    "CCW": _("The deal, the bids and the cards go round counter-clockwise."),
    "CW": _("The deal, the bids and the cards go round clockwise."),
}
_TRUMP: Final[Mapping[TrumpChoice, Message]] = {
    TrumpChoice.TURN_UP: _("The last card is turned up: its suit is trump. The dealer keeps it."),
    TrumpChoice.DEALER_OR_PARTNER: _("The dealer names trump, or has their partner name it."),
    TrumpChoice.DEALER: _("The dealer names trump."),
    TrumpChoice.AUCTION: _("The highest bidder names trump."),
    TrumpChoice.DECLARER: _("The declarer exchanges cards, then names trump."),
}
_LEADERS: Final[Mapping[Leader, Message]] = {
    Leader.AFTER_DEALER: _("The player after the dealer leads."),
    Leader.AFTER_LAST_BIDDER: _("The player after the last bidder leads."),
    Leader.ELDEST_OR_ALL_TRICKS: _(
        "The player after the dealer leads; the declarer does after a bid of all the tricks."
    ),
}
_VALUES: Final = _("10 = 5, ace 4, king 3, queen 2, jack 1.")
_WITH_TRICKS: Final = _("Each trick 1.")
_TOTAL: Final = _("In all: {total}.")
_FACTOR: Final = _("{what}: × {factor}.")


Penalties = Sequence[tuple[Text, Text]]
"""Articles, each with what it costs."""


@dataclass(frozen=True, slots=True)
class Section:
    """One heading of the card and its lines."""

    title: Message
    lines: tuple[Text, ...]


def rules_of(game: Game, penalties: Penalties = ()) -> tuple[Section, ...]:
    """Return the sections of a game's card; ``penalties`` are articles that a club's own rules change."""
    return (
        Section(_("The deal"), tuple(_dealing(game))),
        Section(_("Play of the cards"), (*_duties(game.duties), game.book.talk_text)),
        Section(_("Card points"), tuple(_points(game))),
        Section(_("Faults"), (*_faults(game), *_changed(penalties))),
    )


def _dealing(game: Game) -> Iterator[Text]:
    book = game.book
    published = RULEBOOKS[book.key].title
    if book.title != published:
        yield _("After the rulebook: {title}.").format(title=published)
    for players in book.players if "players" not in game.options else (game.players,):
        deal = book.dealing[players]
        text = _("Players: {players}. Cards each: {hand}.").format(players=players, hand=deal.hand)
        aside = _("Cards aside: {widow}.").format(widow=deal.widow)
        yield join(" ", [text, aside]) if deal.widow else text
    yield _DIRECTIONS[game.direction]
    yield _TRUMP[book.trump_choice]
    if book.no_trump:
        yield _("The deal may be played without trump.")
    yield _LEADERS[book.leader]
    if game.options.get("blind_trump_allowed"):
        yield _("Trump may be named before looking at the cards; then the dealer leads.")


def _duties(duties: Duties) -> Iterator[Text]:
    if not duties.follow:
        yield _("Cards are drawn at random: no card is wrong.")
        return
    yield _("Follow suit.")
    if duties.beat is Beat.TRUMPS_ONLY:
        yield _("Where trumps are led, beat the opponents’ winning card if you can.")
    elif duties.beat is Beat.ALWAYS:
        yield (
            _("Beat the opponents’ winning card of the suit if you can.")
            if (duties.beat_at_no_trump)
            else _(
                "Beat the opponents’ winning card of the suit if you can, but not without trump."
            )
        )
    yield {
        Ruff.NEVER_BOUND: _("Without the suit led: ruff or discard, as you like."),
        Ruff.ALWAYS: _("Without the suit led: always ruff."),
        Ruff.OPPONENT_MASTER: _("Without the suit led, while the opponents hold the trick: ruff."),
        Ruff.LITERAL_003: _("Without the suit that the opponents led: ruff."),
    }[duties.ruff]
    if duties.ruff is Ruff.NEVER_BOUND:
        if not duties.under_ruff:
            yield _("Over an opponent’s ruff, play no lower trump unless you hold nothing else.")
    elif duties.overruffs:
        yield _("Overruff the opponents if you can.")
        if not duties.under_ruff:
            yield _("If you cannot, play no lower trump unless you hold only trumps.")
        elif duties.ruff is Ruff.ALWAYS:
            yield _("If you cannot, any trump will do.")
        else:
            yield _("If you cannot, any card will do.")
    if duties.beat_partner:
        yield _("Beat your partner’s winning card in the same way.")
    if duties.ruff_over_partner:
        yield _("Ruff although your partner holds the trick.")
    elif duties.beat is not Beat.NEVER and not duties.beat_partner:
        yield _("While your partner holds the trick, only follow suit.")


def _points(game: Game) -> Iterator[Text]:
    book = game.book
    values = [_VALUES, _WITH_TRICKS] if game.trick_point else [_VALUES]
    if game.total_is_exact:
        values.append(_TOTAL.format(total=game.total))
    yield join(" ", values)
    if book.turn_up:
        yield _("At once, for the dealer’s side: the value of the card turned up.")
    if book.levels:
        bids = " · ".join(f"{level} (× {factor})" for level, factor in book.levels.items())
        yield _("Bids: {bids}, all the tricks (générale: the whole game).").format(bids=bids)
        yield _("Over the bid: its side scores the difference. Under it: the opponents do.")
    elif book.stakes:
        yield _("The declarer needs {need} of these, and is paid or pays the stake.").format(
            need="21" if game.players <= _FEW else "15"
        )
    elif book.sides is Sides.DECLARER_ALONE:
        yield _("The declarer scores the bid if it is made and loses it if not.")
    else:
        yield _("Over {half}: what is above it is scored. {half} each: nobody scores.").format(
            half=game.half
        )
    if game.options.get("sweep60") == game.total:
        yield _("All the points in one deal, with no trick at all lost: {total}.").format(
            total=game.total
        )
    if book.no_trump_factor > 1:
        yield _FACTOR.format(what=_("Without trump"), factor=book.no_trump_factor)
    yield from _calls(game)
    if game.options.get("blind_trump_allowed"):
        yield _FACTOR.format(what=_("Blind trump"), factor=2)
    most = game.options.get("max_marks")
    if isinstance(most, int):
        yield _("The most that a deal counts: {most}.").format(most=most)


def _calls(game: Game) -> Iterator[Text]:
    if game.options.get("doubling_allowed") is False:
        return
    for call in game.book.calls:
        if call.count == 1 or game.options.get("redoubling_allowed") is not False:
            yield _FACTOR.format(what=call.title, factor=2**call.count)


def _faults(game: Game) -> Iterator[Text]:
    value = str(game.options["penalty_value"])
    yield _("Call the referee; leave the cards as they lie.")
    if game.book.sides is Sides.DECLARER_ALONE:
        yield _("A fault in play costs as much as a lost contract.")
    elif game.options.get("penalty_mode") == "DEBIT_OFFENDER":
        yield _("A fault in play: the side at fault loses {value}.").format(value=value)
    else:
        yield _("A fault in play: the opponents score {value}.").format(value=value)


def _changed(penalties: Penalties) -> Iterator[Text]:
    for article, cost in penalties:
        yield _("{article}: {cost}.").format(article=article, cost=cost)


def rules_card_pdf(game: Game, imprint: Imprint, penalties: Penalties = ()) -> bytes:
    """Render one page: a column for each language, the reader's first; see :func:`rules_of`."""
    layout = Layout(imprint, TITLE.render(imprint.language), landscape=True)
    own = imprint.language[:2].lower()
    languages = sorted(LANGUAGES, key=lambda language: language != own)
    room = (layout.right - layout.left - _GUTTER * (len(languages) - 1)) / len(languages)
    sections = rules_of(game, penalties)
    top = layout.y
    for size in SIZES:
        columns = [_set(game, sections, language, room, size) for language in languages]
        if max(sum(line[0] for line in column) for column in columns) <= top - layout.bottom:
            break
    for at, column in enumerate(columns):
        x, y = layout.left + at * (room + _GUTTER), top
        for high, text, face, points, indent in column:
            y -= high
            layout.text(x + indent, y, text, face=face, size=points)
        if at:
            layout.line(x - _GUTTER / 2, top, x - _GUTTER / 2, layout.bottom)
    return layout.finish()


Line = tuple[float, str, str, float, float]
"""Its height, text, face, size and indent."""


def _set(
    game: Game, sections: Sequence[Section], language: str, room: float, size: float
) -> list[Line]:
    """Return the lines of a column."""
    title = size + 4
    lines: list[Line] = [
        (title * 1.25, text, BOLD, title, 0.0)
        for text in wrap(game.book.title.render(language), room, BOLD, title)
    ]
    for section in sections:
        lines.append((size * 2.1, section.title.render(language), BOLD, size + 1, 0.0))
        for rule in section.lines:
            for at, text in enumerate(wrap(rule.render(language), room - size, TEXT, size)):
                if not at:
                    lines.append((size * 1.45, "•", TEXT, size, 0.0))
                lines.append((size * 1.3 if at else 0.0, text, TEXT, size, size))
    return lines
