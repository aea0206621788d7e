"""The impact of a ruling as the API gives it: numbers and codes, no names."""

from __future__ import annotations

from collections.abc import Iterable

from rest_framework import serializers

from adjudication.queries.impact import SheetSeen
from tournament.models import Draw, DrawState
from tournament.queries.names import Shown


class Numbers(serializers.ListField):
    """Start numbers of entrants."""

    child = serializers.IntegerField()

    def to_representation(self, data: Iterable[Shown]) -> list[int]:
        """Return their numbers."""
        return [each.number for each in data]


def _by_side(source: str | None = None, *, allow_null: bool = False) -> serializers.DictField:
    return serializers.DictField(
        child=serializers.IntegerField(), source=source, allow_null=allow_null
    )


class DealImpactShape(serializers.Serializer[object]):
    """The deal's marks by side."""

    before = _by_side("before.deal", allow_null=True)
    after = _by_side("after.deal", allow_null=True)
    void = serializers.BooleanField(source="after.void")


class SheetSeenShape(serializers.Serializer[SheetSeen]):
    """A match: marks, games won and the score of the game in play, by side."""

    marks = _by_side()
    winner = serializers.SerializerMethodField()
    forfeited = serializers.ListField(child=serializers.CharField())
    official = serializers.BooleanField()
    finished = serializers.BooleanField()
    games = _by_side()
    game_score = _by_side()

    def get_winner(self, row: SheetSeen) -> str | None:
        """Return the side that has won by its games."""
        return None if row.forfeited else row.winner


class MatchImpactShape(serializers.Serializer[object]):
    """The match."""

    before = SheetSeenShape()
    after = SheetSeenShape()
    official = serializers.BooleanField(source="after.official")


class RankImpactShape(serializers.Serializer[object]):
    """A participant whose rank or qualification changes; `null`: not ranked."""

    number = serializers.IntegerField(source="entrant.number")
    before = serializers.IntegerField(allow_null=True)
    after = serializers.IntegerField(allow_null=True)
    gains_cut = serializers.BooleanField()
    loses_cut = serializers.BooleanField()
    stage = serializers.IntegerField(source="stage.order")


class WinnersImpactShape(serializers.Serializer[object]):
    """A knock-out round whose winners change."""

    stage = serializers.IntegerField(source="round.stage.order")
    round = serializers.IntegerField(source="round.number")
    before = Numbers()
    after = Numbers()


class ValueImpactShape(serializers.Serializer[object]):
    """A changed value of a participant at the table: a ranking criterion, or a prospect before the cut."""

    number = serializers.IntegerField(source="entrant.number")
    criterion = serializers.CharField()
    before = serializers.CharField()
    after = serializers.CharField()


class OvertakenShape(serializers.Serializer[object]):
    """A match that changes after the next draw was published."""

    table = serializers.IntegerField()
    winner = serializers.IntegerField(source="winner.number", allow_null=True, default=None)
    plays_on = serializers.IntegerField(source="plays_on.number")


class PrizeImpactShape(serializers.Serializer[object]):
    """A prize of the last printed list that changes; empty: none."""

    number = serializers.IntegerField(source="entrant.number")
    before = serializers.CharField()
    after = serializers.CharField()


class TableImpactShape(serializers.Serializer[object]):
    """A table of a later round with participants whose place changes."""

    stage = serializers.IntegerField(source="round.stage.order")
    round = serializers.IntegerField(source="round.number")
    published = serializers.BooleanField()
    table = serializers.IntegerField(source="number")
    numbers = Numbers(source="entrants")


class DrawImpactShape(serializers.Serializer[object]):
    """A draw made from the results that change; the director confirms it or draws again."""

    stage = serializers.IntegerField(source="round.stage.order")
    round = serializers.IntegerField(source="round.number")
    published = serializers.SerializerMethodField()

    def get_published(self, row: Draw) -> bool:
        """Whether it is published, not a draft."""
        return row.state == DrawState.PUBLISHED


class NotAtFaultShape(serializers.Serializer[object]):
    """Marks and games that sides not at fault lose."""

    marks = serializers.SerializerMethodField()
    games = serializers.ListField(child=serializers.CharField(), source="games_lost")

    def get_marks(self, row: SheetSeen) -> dict[str, int]:
        """Return the marks by side."""
        return dict(row.lost)


class ImpactShape(serializers.Serializer[object]):
    """Before and after a ruling."""

    deal = DealImpactShape(source="*")
    decision = serializers.CharField(source="ruling.penalty", default="")
    match = MatchImpactShape(source="*")
    ranks = RankImpactShape(many=True, source="moved")
    winners = WinnersImpactShape(many=True, source="passing")
    more_ranks = serializers.IntegerField(source="more_moved")
    criteria = ValueImpactShape(many=True, source="counted")
    qualification = ValueImpactShape(many=True, source="chances")
    at_closing = ValueImpactShape(many=True)
    overtaken = OvertakenShape(many=True)
    deals_dropped = serializers.ListField(child=serializers.IntegerField(), source="dropped")
    standings = serializers.CharField(source="standings_state")
    prizes = PrizeImpactShape(many=True)
    tables = TableImpactShape(many=True)
    more_tables = serializers.IntegerField()
    draws = DrawImpactShape(many=True)
    not_at_fault_loses = NotAtFaultShape(source="after")
