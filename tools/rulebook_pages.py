"""The page of each rulebook for players and referees, written from the engine itself.

``python -m tools rulebook_pages docs/rulebooks`` writes one Markdown page a rulebook and
an index. Every figure on a page (bounds, factors, amounts, marks of the worked deals) is computed
when the page is written, and a test compares the committed pages with a fresh writing, so that a
page cannot say what the engine does not do.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

from scoring.engine.articles import ARTICLES, Amount, Effect
from scoring.engine.bounds import deal_bounds, table
from scoring.engine.cards import format_card
from scoring.engine.duties import Beat, Duties, Ruff
from scoring.engine.rulebook import RULEBOOKS, Game, resolve
from scoring.engine.rulebook_edition import (
    Cut,
    Leader,
    Rulebook,
    Sides,
    Switch,
    TrumpChoice,
    Worked,
)
from scoring.engine.score import score_input
from scoring.engine.speech import speak

DIRECTIONS = {"CCW": "counter-clockwise (W, S, E, N)", "CW": "clockwise (W, N, E, S)"}

TRUMP = {
    TrumpChoice.TURN_UP: "The last card of the pack is turned up and its suit is trump. The dealer "
    "takes it into hand once the first card has been played.",
    TrumpChoice.DEALER_OR_PARTNER: "The dealer names trump, or asks their partner to name it.",
    TrumpChoice.DEALER: "The dealer names trump.",
    TrumpChoice.AUCTION: "The highest bidder names trump.",
    TrumpChoice.DECLARER: "The declarer names trump after exchanging.",
}
LEADERS = {
    Leader.AFTER_DEALER: "The player after the dealer leads to the first trick.",
    Leader.AFTER_LAST_BIDDER: "The player after the last bidder leads; a doubling is not a bid.",
    Leader.ELDEST_OR_ALL_TRICKS: "Eldest hand leads; the declarer does if they bid every trick.",
}
CUTS = {
    Cut.LEFT_OPPONENT: "The dealer's left neighbour cuts.",
    Cut.BEFORE_DEALER: "The player before the dealer cuts.",
    Cut.NOT_STATED: "The source does not say who cuts.",
}
EFFECTS = {
    Effect.STANDS: "the deal is played on and marked",
    Effect.REPLACED: "replaces the result of the deal",
    Effect.REDEAL_SAME: "nothing marked, the same dealer deals again",
    Effect.REDEAL_NEXT: "nothing marked, the deal passes on",
    Effect.BLIND_CANCELLED: "the doubling for blind trump falls away",
}


def page(book: Rulebook) -> str:
    """Render the Markdown page of one rulebook."""
    game = resolve(book.key)
    parts = [
        f"# {book.title}",
        f"French: {book.title.render('fr')} · Dutch: {book.title.render('nl')}  \n"
        f"Key `{book.key}`, edition {book.edition}. Source: {book.source}.",
        f"Rules card for the table: `/rules/{book.key}.pdf` of a running service, one page in three languages.",
    ]
    if book.external:
        parts.append("This game is gathered from external facts, not from one of the sources.")
    parts += [
        _dealing(book, game),
        _points(game),
        _marking(book, game),
        _duties(game.duties),
        _penalties(book, game),
        _switches(book),
        *(_worked(book, each) for each in book.worked),
    ]
    if book.notes:
        parts.append("## Notes\n\n" + "\n".join(f"- {note}" for note in book.notes))
    return "\n\n".join(parts) + "\n"


def index() -> str:
    """Render the page that lists the rulebooks."""
    rows = []
    for book in RULEBOOKS.values():
        game = resolve(book.key)
        total = str(game.total) if game.total_is_exact else f"at most {game.total}"
        rows.append(
            f"| [{book.title}]({book.key}.md) | `{book.key}` | {book.source} | "
            f"{_numbers(book.players)} | {total} | {_target(game.options['target'])} |"
        )
    return (
        "# Rulebooks\n\nOne page a rulebook, written from the engine by "
        "`python -m tools rulebook_pages docs/rulebooks`.\n\n"
        "| Rulebook | Key | Source | Players | Points in a deal | Match |\n"
        "|---|---|---|---|---|---|\n" + "\n".join(rows) + "\n"
    )


def _numbers(values: Sequence[int]) -> str:
    return str(values[0]) if len(values) == 1 else f"{values[0]}–{values[-1]}"


def _target(value: object) -> str:
    if isinstance(value, dict):
        if "deals" in value:
            return f"most marks after {value['deals']} deals"
        text = f"first to {value['games']} games of {value['of']}"
        return f"{text}, the decider of {value['decider']}" if "decider" in value else text
    return f"first to {value}"


def _dealing(book: Rulebook, game: Game) -> str:
    lines = [
        f"Direction: {DIRECTIONS[game.direction]} unless the event sets another.",
        CUTS[book.cut],
    ]
    if not book.shuffle_every_deal:
        lines.append("The cards are shuffled before the first deal only.")
    for players, deal in book.dealing.items():
        text = f"{players} players: {deal.hand} cards each"
        if deal.packets:
            text += f", usually {'-'.join(map(str, deal.packets))}"
        if deal.removed_sevens:
            each = resolve(book.key, {"players": players})
            text += f", without {', '.join(format_card(card) for card in each.removed)}"
        if deal.widow:
            text += f"; {deal.widow} cards aside"
        if deal.face_up:
            text += f", {deal.face_up} of them face up"
        lines.append(text + ".")
    lines += [TRUMP[book.trump_choice], LEADERS[book.leader]]
    if game.options.get("blind_trump_allowed"):
        lines.append("With blind trump the dealer leads to the first trick.")
    lines.append("Playing without trump is " + ("allowed." if book.no_trump else "not known."))
    lines.append(f"Talk: {book.talk_text}")
    return "## Setting up\n\n" + "\n".join(f"- {line}" for line in lines)


def _points(game: Game) -> str:
    each = "and 1 for each trick" if game.trick_point else "and nothing for tricks"
    bounds = deal_bounds(game)
    total = (
        f"{game.total} in all"
        if game.total_is_exact
        else f"{bounds.low} to {bounds.high} in all, as some cards are out of play"
    )
    rows = table(game)
    heads = " | ".join(str(tricks) for tricks, _, _ in rows)
    least = " | ".join(str(low) for _, low, _ in rows)
    most = " | ".join(str(high) for _, _, high in rows)
    return (
        f"## Points\n\n10 = 5, ace 4, king 3, queen 2, jack 1, {each}: {total}. "
        f"What a side can have by tricks won ({game.players} players):\n\n"
        f"| tricks | {heads} |\n|---|{'---|' * len(rows)}\n"
        f"| least | {least} |\n| most | {most} |"
    )


def _marking(book: Rulebook, game: Game) -> str:
    lines: list[str] = []
    if book.turn_up:
        lines.append(
            "At once, before the first card: the dealer's side marks the value of the card turned "
            "up (10 = 5, ace 4, king 3, queen 2, jack 1). It stays in a tie."
        )
    lines += _result_rules(book, game)
    if book.no_trump_factor > 1:
        lines.append(f"Without trump: × {book.no_trump_factor}.")
    lines += [
        f"{call.title} ({call.title.render('fr')}, {call.title.render('nl')}) by the {call.by}: × {2**call.count} in all."
        for call in book.calls
    ]
    if game.options.get("blind_trump_allowed"):
        lines.append("Blind trump, named before the dealer sees their cards: × 2 more.")
    if "compose" in game.options:
        lines.append("Factors multiply each other.")
    if game.options.get("sweep60") == game.total:
        lines.append(
            f"All {game.total} points count {game.total} where no trick at all was lost: a trick "
            f"without points saves the losers to {game.half}."
        )
    if game.options.get("max_marks") is not None:
        lines.append(f"A deal gives {game.options['max_marks']} marks at most.")
    lines.append(f"Match: {_target(game.options['target'])} unless the event sets another.")
    lines.append(
        "Within a deal marks count in the order turn-up, penalty, result; the first to reach the "
        "target wins, and the surplus is not carried on."
    )
    return "## What is marked when\n\n" + "\n".join(f"- {line}" for line in lines)


def _result_rules(book: Rulebook, game: Game) -> list[str]:
    if book.levels:
        ladder = ", ".join(f"{level} (× {factor})" for level, factor in book.levels.items())
        return [
            f"Bids: {ladder}, générale; each in a suit first, then without trump. Suits are not "
            "ranked.",
            "More than the bid: the declarers mark the difference × the factor. Less: the opponents "
            "mark it. Exactly the bid: no marks.",
            "Générale: all eight tricks or not, it is worth the whole game; no trump and doubling "
            "do not enlarge it.",
        ]
    if book.stakes:
        return [
            "The declarer needs 21 points of tricks and cards, 15 with more than four players.",
            "They win or pay the stake for the number of cards exchanged, from or to each other "
            "player. The organiser fixes the stakes.",
        ]
    if book.sides is Sides.DECLARER_ALONE:
        rules = [
            f"A bid is a number of points ({game.options['minimum_bid']} or more with four "
            "players) or every trick, which outranks every number.",
            "The bidder marks the bid if it is made and loses it if not; nobody else marks.",
            f"Every trick is worth the points in play ({game.options['all_tricks_value']} with "
            "four players).",
        ]
        if "double_all_tricks" in game.options:
            rules.append("If the event sets it: × 2 for every trick, × 2 without exchange.")
        return rules
    who = (
        "the dealer, or each of the two others, marks"
        if book.sides is Sides.DEALER_ALONE
        else "the side with more points marks"
    )
    return [f"Over {game.half} points: {who} the excess. {game.half} each: no marks."]


_VOID = {
    Ruff.NEVER_BOUND: "Void in the suit: ruff or discard freely.",
    Ruff.ALWAYS: "Void in the suit: ruff if you hold a trump.",
    Ruff.OPPONENT_MASTER: "Void in the suit and an opponent winning: ruff if you hold a trump.",
    Ruff.LITERAL_003: "Void in the suit that an opponent led: ruff if you hold a trump.",
}


def _unable_to_overruff(duties: Duties) -> str:
    if not duties.under_ruff:
        return "If you cannot, do not under-ruff unless you hold nothing but trumps."
    if duties.ruff is Ruff.ALWAYS:
        return "If you cannot, any trump will do."
    return "If you cannot, any card will do."


def _duties(duties: Duties) -> str:
    lines = []
    if not duties.follow:
        lines.append("No duty at all: cards are drawn at random.")
    else:
        lines.append("Follow suit.")
        whose = (
            "the winning card, your partner's too,"
            if duties.beat_partner
            else "an opponent's winning card"
        )
        if duties.beat is Beat.ALWAYS:
            when = "" if duties.beat_at_no_trump else ", except without trump"
            lines.append(f"Beat {whose} of the suit if you can{when}.")
        elif duties.beat is Beat.TRUMPS_ONLY:
            lines.append(
                f"Where trumps are led, beat {whose} if you can; in another suit any card of it will do."
            )
        lines.append(_VOID[duties.ruff])
        if duties.ruff is Ruff.NEVER_BOUND:
            if not duties.under_ruff:
                lines.append(
                    "Do not under-ruff an opponent's winning ruff unless you hold nothing else."
                )
        elif duties.overruffs:
            ruff = (
                "the winning ruff, your partner's too,"
                if duties.beat_partner
                else "an opponent's winning ruff"
            )
            lines.append(f"Overruff {ruff} if you can.")
            lines.append(_unable_to_overruff(duties))
        if duties.ruff_over_partner:
            lines.append("Ruff although your partner is winning.")
        elif duties.beat is not Beat.NEVER and not duties.beat_partner:
            lines.append("Over a winning partner you owe nothing but the suit.")
    return "## Duties of play\n\n" + "\n".join(f"- {line}" for line in lines)


def _penalties(book: Rulebook, game: Game) -> str:
    value = game.options["penalty_value"]
    lines = [
        f"A penalty is {value} marks to the opponents, once a side and deal; both sides at fault: "
        "the penalties cancel and the deal is dealt again."
    ]
    if book.sides is Sides.DECLARER_ALONE:
        lines = [
            "An offender pays as if they had failed the declarer's contract; other articles cost "
            f"{value}. Where a defender is at fault, the declarer gets from them what all the "
            "defenders would have paid, and the other defenders mark nothing."
        ]
    lines.append(
        "The side not at fault marks no less than the deal as played gave, and a game it "
        "won by the deal stays won, unless the event sets `penalty_floor` to false."
    )
    plays: dict[str, list[str]] = {}
    for kind, article_id in book.play_articles.items():
        where = " (only where forbidden)" if kind == "under_ruff" else ""
        plays.setdefault(article_id, []).append(kind.replace("_", " ") + where)
    rows = []
    for article in ARTICLES.values():
        if book.code not in article.rulebooks or article.id.startswith("T-"):
            continue
        cost = {
            Amount.NONE: "none",
            Amount.PENALTY: str(value),
            Amount.REPEATED: f"warning, then {value}",
            Amount.DELIBERATE: f"{value} if deliberate",
            Amount.DOUBLE: f"twice {value}",
        }[article.amount]
        if book.sides is Sides.DECLARER_ALONE and article.amount is Amount.PENALTY:
            cost = "as the failed contract"
        effect = EFFECTS[article.effect]
        if article.cancels_bonus:
            effect += "; the turn-up falls too"
        if article.null_call:
            effect += "; a null doubling is taken out of the marks"
        if article.option:
            effect += "; the opponents may ask for a redeal"
        mark = " (R)" if article.recommended else ""
        rows.append(
            f"| {article.id}{mark} | {', '.join(plays.get(article.id, []))} | {cost} | {effect} |"
        )
    listed = ""
    if rows:
        listed = "\n\n| Article | Illegal play | Marks | Deal |\n|---|---|---|---|\n" + "\n".join(
            rows
        )
        listed += "\n\n(R): the service's own rule where the source is silent."
    return "## Penalties\n\n" + "\n".join(f"- {line}" for line in lines) + listed


def _switches(book: Rulebook) -> str:
    rows = [_switch_row(book, switch) for switch in book.switches]
    return (
        "## Switches of the event\n\n| Switch | Default | Allowed |\n|---|---|---|\n"
        + "\n".join(rows)
    )


def _switch_row(book: Rulebook, switch: Switch) -> str:
    default = switch.default(book, book.usual_players)
    shown = "required" if switch.name == "stakes" else f"`{json.dumps(default)}`"
    allowed = ", ".join(f"`{json.dumps(value, ensure_ascii=False)}`" for value in switch.allowed)
    return f"| `{switch.name}` | {shown} | {allowed} |"


def _worked(book: Rulebook, worked: Worked) -> str:
    payload = {"rulebook": book.key, **worked.entry}
    score = score_input(payload)
    lines = [f"## Worked deal: {worked.name}", worked.story]
    spoken = []
    for language, name in (("en", "English"), ("fr", "French"), ("nl", "Dutch")):
        sentences = "; ".join(speak(line, language) for line in score.lines)
        spoken.append(f"- {name}: {sentences}.")
    lines.append("\n".join(spoken))
    marks = ", ".join(f"{side} {value}" for side, value in score.marks.items())
    result = f"Marks: {marks}."
    if score.game_won:
        result += f" The game goes to {score.game_won}."
    lines.append(result)
    lines.append("```json\n" + json.dumps(payload, ensure_ascii=False) + "\n```")
    return "\n\n".join(lines)


def pages() -> dict[str, str]:
    """Render every page, by file name, the index as ``README.md``."""
    return {"README.md": index()} | {f"{key}.md": page(book) for key, book in RULEBOOKS.items()}


def main(arguments: Sequence[str]) -> int:
    """Write the pages into the directory named; 2 for unusable arguments."""
    if len(arguments) != 1:
        sys.stderr.write("usage: python -m tools rulebook_pages DIRECTORY\n")
        return 2
    folder = Path(arguments[0])
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in pages().items():
        (folder / name).write_text(text, encoding="utf-8")
    return 0
