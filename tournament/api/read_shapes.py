"""Shapes of the public reads, for the schema: events, and a page of each kind of record.

The rows are those of :mod:`tournament.exports`, column by column.
"""

from __future__ import annotations

from typing import Any, Final

from rest_framework import serializers

from tournament.models import EntrantState, RoundState, StandingsState

ShapeField = serializers.Field[Any, Any, Any, Any]
OUTCOMES: Final = ["won", "lost", "draw"]


def _shape(name: str, /, **fields: ShapeField) -> type[serializers.Serializer[object]]:
    return type(name, (serializers.Serializer,), dict(fields))


def _int(help_text: str = "", **more: Any) -> ShapeField:
    return serializers.IntegerField(help_text=help_text, **more)


def _text(help_text: str = "") -> ShapeField:
    return serializers.CharField(help_text=help_text, allow_blank=True)


def _yes(help_text: str = "") -> ShapeField:
    return serializers.BooleanField(help_text=help_text)


def _event() -> dict[str, ShapeField]:
    return {
        "slug": _text("Its address."),
        "name": _text(),
        "place": _text(),
        "day": serializers.DateField(),
        "state": _text(),
        "rulebook": _text(),
        "edition": _text("Of the rulebook."),
        "version": _int("Raised by every change of what the public sees."),
    }


def _paged(row: type[serializers.Serializer[object]]) -> dict[str, ShapeField]:
    return {
        "count": _int("Rows in all."),
        "page": _int(),
        "pages": _int(),
        "rows": row(many=True),
    }


_Round = _shape(
    "ReadRound",
    number=_int(),
    state=serializers.ChoiceField(RoundState.choices),
    published_at=serializers.DateTimeField(),
    ends_at=serializers.DateTimeField(allow_null=True),
)
_Stage = _shape(
    "ReadStage",
    order=_int(),
    name=_text(),
    format=_text(),
    rounds_planned=_int(),
    cut=serializers.JSONField(help_text="Who qualifies; an empty object where everybody does."),
    rounds=_Round(many=True),
)
WholeEvent = _shape("ReadEvent", **_event(), stages=_Stage(many=True))
EventsPage = _shape("EventsPage", **_paged(_shape("ListedEvent", **_event())))

_ROWS: Final = {
    "players": _shape(
        "PlayerRow",
        number=_int(),
        name=_text(),
        club=_text(),
        state=serializers.ChoiceField(EntrantState.choices),
    ),
    "draws": _shape(
        "DrawRow",
        stage=_int("Its order."),
        round=_int(),
        table=_int("Null for a bye.", allow_null=True),
        seat=_text("Where they sit; `bye` for a bye."),
        number=_int(),
        name=_text(),
    ),
    "results": _shape(
        "ResultRow",
        stage=_int("Its order."),
        round=_int(),
        table=_int(),
        game=_int(),
        side=_text(),
        numbers=_text("Start numbers of the side's players, with spaces between."),
        marks=_int(),
        against=serializers.JSONField(
            help_text="Marks against the side; of several others their mean, a fraction as `n/d`."
        ),
        deals=_int("Deals played."),
        outcome=serializers.ChoiceField(OUTCOMES),
        decision=_text("Why the director decided the match; empty where the games did."),
        forfeited=_text(
            "Start numbers of the players of the side who forfeited the round; only once the offence is public."
        ),
    ),
    "standings": _shape(
        "StandingRow",
        rank=_int("Null where there is none; shared by those tied.", allow_null=True),
        number=_int(),
        name=_text(),
        club=_text(),
        games=_int(),
        won=_int(),
        drawn=_int(),
        lost=_int(),
        credited=_int("Games credited for rounds without play."),
        withdrawn=_yes(),
        excluded=_yes(),
        unplayed=_yes("Never sat down at a table: has no rank."),
        adjusted=_yes("Whether a ruling has changed a total."),
    ),
    "overall": _shape(
        "OverallRow",
        rank=_int("Null where there is none; shared by those tied.", allow_null=True),
        tied=_yes("Whether the rank is shared."),
        number=_int(),
        name=_text(),
        club=_text(),
        stage=_int("Order of the stage that gave the place."),
        stage_rank=_int("The rank in that stage.", allow_null=True),
        withdrawn=_yes(),
        excluded=_yes(),
        unplayed=_yes("Never sat down at a table: has no rank."),
    ),
}
_FACTS: Final[dict[str, dict[str, ShapeField]]] = {
    "standings": {
        "stage": _int("Its order."),
        "state": serializers.ChoiceField(StandingsState.choices),
        "after_round": _int("Rounds closed."),
        "hidden": _yes(
            "Whether the director keeps them for the prize-giving: no rows are then given."
        ),
    },
    "overall": {
        "state": serializers.ChoiceField(StandingsState.choices),
        "hidden": _yes(
            "Whether the director keeps a stage for the prize-giving: no rows are then given."
        ),
    },
}


def _page_of(kind: str) -> type[serializers.Serializer[object]]:
    own = _FACTS.get(kind, {})
    description = (
        "Check code of the standings, as on every document; empty while hidden. Each criterion of "
        "the event's rule is a further column of the rows, under its code."
        if kind == "standings"
        else "Check code of all rows."
    )
    return _shape(
        f"{kind.title()}Page",
        event=_text("Its address."),
        version=_int(),
        hash=_text(description),
        **own,
        **_paged(_ROWS[kind]),
    )


PAGES: Final = {kind: _page_of(kind) for kind in _ROWS}
