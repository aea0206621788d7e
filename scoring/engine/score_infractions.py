"""Effect of a deal's infractions on its marks (rules specification C, Q-GEN-2 to Q-GEN-5, 9).

A penalty goes to the opponents or against the offenders, replaces the result by default, and is
counted once a side; where both sides are at fault the penalties cancel and the deal is void. A
penalty for conduct is apart from these: each is added, none cancels another.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from .articles import OF_PERSONS, Amount, Effect, EngineArticle, find_article
from .errors import Malformed
from .reading import read_flag, read_list, read_object, wrong
from .rulebook import Game
from .rulebook_edition import Sides

KEYS: Final = (
    "article",
    "side",
    "seat",
    "repeated",
    "deliberate",
    "choice",
    "value",
    "played",
    "alone",
)


@dataclass(frozen=True, slots=True)
class Infraction:
    """One infraction of a deal. ``side`` is a player in the auctions; ``""``: no side's (001 r.1).

    ``penal``: it costs marks. ``value``: an amount that a ruling fixed in place of the article's.
    ``redeal``: the opponents chose a redeal where the article lets them.
    """

    article: EngineArticle
    side: str
    penal: bool
    value: int | None = None
    redeal: bool = False
    played: bool = False
    """A card was played before the deal was found void: the floor holds (C.8)."""
    alone: bool = False
    """Where one plays against all: a defender at fault pays the declarer for all the defenders (C.8)."""

    def pays_for_all(self, declarer: str | None) -> bool:
        """Whether a defender at fault pays the ``declarer``, and the other defenders mark nothing."""
        return self.alone and declarer not in (None, self.side)


@dataclass(frozen=True, slots=True)
class Judgement:
    """The infractions of a deal, weighed together."""

    penalties: dict[str, Infraction] = field(default_factory=dict)
    """By offending side: the dearest of its infractions in the play of the deal."""
    conduct: tuple[Infraction, ...] = ()
    """Penalties for conduct, each added (Q-GEN-9)."""
    notes: tuple[Infraction, ...] = ()
    """Infractions that cost nothing: warnings, remedies at the table, further breaches."""
    redeal: str | None = None
    """``same_dealer``, ``next_dealer`` or ``None``."""
    replaced: bool = False
    """The result of the deal is not marked."""
    mutual: bool = False
    """Both sides at fault: penalties cancel (Q-GEN-9)."""
    bonus_cancelled: bool = False
    blind_cancelled: bool = False
    null_calls: tuple[str, ...] = ()
    """The sides whose last doubling is null; ``""``: of an unknown side."""
    floored: bool = False
    """A penalty stands for a deal that was played: who is not at fault keeps at least its marks."""

    @property
    def needs_result(self) -> bool:
        """Whether points have to be entered."""
        return not (self.replaced or self.redeal or self.mutual)


def read_infractions(game: Game, value: object) -> list[Infraction]:
    """Read the infractions of a payload.

    Raises :class:`Malformed`: ``unknown_article``, ``unknown_side``, ``unknown_key``,
    ``malformed_value``, ``missing_key``.
    """
    return [
        _read_one(game, each, f"infractions[{at}]")
        for at, each in enumerate(read_list(value, "infractions"))
    ]


def _read_one(game: Game, value: object, where: str) -> Infraction:
    raw = read_object(value, where)
    for key in raw:
        if key not in KEYS:
            raise Malformed(
                "unknown_key",
                f"{key!r} is not a part of an infraction: {', '.join(KEYS)}",
                f"{where}.{key}",
                {"allowed": list(KEYS)},
            )
    if raw.get("article") is None:
        raise Malformed("missing_key", f"'{where}.article' is missing", f"{where}.article")
    article = find_article(raw["article"], f"{where}.article")
    fixed = raw.get("value")
    if fixed is not None and (isinstance(fixed, bool) or not isinstance(fixed, int) or fixed < 0):
        raise wrong(f"{where}.value", "an amount of marks", fixed)
    penal = _is_penal(
        article,
        repeated=read_flag(raw.get("repeated"), f"{where}.repeated"),
        deliberate=read_flag(raw.get("deliberate"), f"{where}.deliberate"),
    )
    if fixed is not None:
        penal = fixed > 0
    choice = raw.get("choice")
    if choice not in (None, "redeal", "stand"):
        raise wrong(f"{where}.choice", "'redeal' or 'stand'", choice)
    alone = read_flag(raw.get("alone", article.id not in OF_PERSONS), f"{where}.alone")
    name = raw.get("side") if raw.get("side") is not None else raw.get("seat")
    return Infraction(
        article,
        _side(game, name, where, required=penal),
        penal,
        fixed,
        redeal=choice == "redeal" and article.option,
        played=read_flag(raw.get("played"), f"{where}.played"),
        alone=alone and game.book.sides is Sides.DECLARER_ALONE,
    )


def _is_penal(article: EngineArticle, *, repeated: bool, deliberate: bool) -> bool:
    if article.amount in (Amount.PENALTY, Amount.DOUBLE):
        return True
    if article.amount is Amount.REPEATED:
        return repeated
    return article.amount is Amount.DELIBERATE and deliberate


def _side(game: Game, name: object, where: str, *, required: bool) -> str:
    if name is None:
        if required:
            raise Malformed(
                "missing_key", f"'{where}.side' is missing: who was at fault", f"{where}.side"
            )
        return ""
    if isinstance(name, str):
        if name in game.sides:
            return name
        if game.fixed_sides and name in game.seats:
            return game.side_of(name)
    raise Malformed(
        "unknown_side",
        f"{name!r} is not a side of this game: {', '.join(game.sides)}",
        f"{where}.side",
        {"side": repr(name), "allowed": list(game.sides)},
    )


def judge(game: Game, infractions: Sequence[Infraction]) -> Judgement:
    """Combine all infractions of a deal: at most one penalty a side for its play, those for conduct apart."""
    conduct = tuple(each for each in infractions if each.penal and each.article.conduct)
    penalties: dict[str, Infraction] = {}
    notes: list[Infraction] = []
    for each in infractions:
        standing = penalties.get(each.side)
        if each in conduct:
            continue
        if not each.penal:
            notes.append(each)
        elif standing is None or amount(game, each) > amount(game, standing):
            if standing is not None:
                notes.append(standing)
            penalties[each.side] = each
        else:
            notes.append(each)
    mutual = len(penalties) > 1 and game.book.sides is not Sides.DECLARER_ALONE
    redeal = _redeal(infractions)
    if mutual:
        redeal = "same_dealer"
    replaced = game.flag("penalty_replaces_deal") and any(
        each.article.effect is Effect.REPLACED for each in (*penalties.values(), *conduct)
    )
    voiding = [each for each in penalties.values() if each.article.cancels_bonus]
    no_valid_deal = redeal is not None or bool(voiding)
    was_played = redeal is None and all(each.played for each in voiding)
    return Judgement(
        penalties={} if mutual else penalties,
        conduct=conduct,
        notes=tuple([*penalties.values(), *notes] if mutual else notes),
        redeal=redeal,
        replaced=replaced or no_valid_deal,
        mutual=mutual,
        null_calls=tuple(
            each.side for each in infractions if each.article.null_call and not each.penal
        ),
        floored=(replaced and was_played and not mutual and game.flag("penalty_floor")),
        bonus_cancelled=no_valid_deal and not game.flag("bonus_survives_redeal"),
        blind_cancelled=any(
            each.article.effect is Effect.BLIND_CANCELLED and not each.redeal
            for each in infractions
        ),
    )


def _redeal(infractions: Sequence[Infraction]) -> str | None:
    effects = {each.article.effect for each in infractions}
    if Effect.REDEAL_SAME in effects or any(each.redeal for each in infractions):
        return "same_dealer"
    return "next_dealer" if Effect.REDEAL_NEXT in effects else None


def amount(game: Game, infraction: Infraction) -> int:
    """Return the cost of an infraction before multipliers: a ruling's amount, or the article's."""
    if infraction.value is not None:
        return infraction.value
    value = game.number("penalty_value")
    return 2 * value if infraction.article.amount is Amount.DOUBLE else value
