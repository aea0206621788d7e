"""The form of a stage: its format with the choices inside it, how a game ends, the cut, the ranking."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.drawing.rules import DrawRules, read_rules
from tournament.models import Format, Stage
from tournament.services.stage_plans import credit_of
from tournament.standings.cuts import Fill, TieAtCut
from tournament.views.forms import ranking_choices

ODD = [
    ("byes", _("one to three players sit out, in turn")),
    ("threes", _("tables of three, not classified; nobody sits out")),
]
MOVEMENT = [
    ("rainbow", _("Rainbow: North stays, nobody meets twice")),
    ("whist", _("Whist tournament: partner of everybody once, opponent twice")),
]
ORDER = [
    ("halves", _("top half of a score group against the bottom half")),
    ("neighbours", _("neighbours of the ranking")),
]
BYE_FOR = [("last", _("the last")), ("middle", _("the middle one"))]
UNIT = [("player", _("players")), ("pair", _("pairs"))]
TIES = [
    ("all_in", _("all who are level go through")),
    ("lots", _("lots are drawn")),
    ("play_off", _("a play-off, entered by the director")),
]
FILLS = [
    ("up_to", _("table winners first, then the best up to that number")),
    ("beside", _("table winners, and that many others besides")),
]
CREDITS = [
    ("", _("as the ranking says")),
    ("win_average", _("a win, with the average of one's own games")),
    ("win_median", _("a win, with the median of the round")),
    ("spread", _("the mean of the best, the worst and the middle of the round")),
    ("nothing", _("nothing")),
]
RULES = (
    "odd", "by_score", "movement", "order", "bye_for", "unit", "table_size", "seeds", "pool_size",
    "main", "consolation", "third_place", "twice",
)  # fmt: skip


class StageForm(forms.Form):
    """One stage; fields that its format does not use are left at their defaults."""

    name = forms.CharField(label=_("Name of the stage"), max_length=60)
    format = forms.ChoiceField(label=_("Format"), choices=Format.choices)
    rounds = forms.IntegerField(label=_("Rounds"), min_value=1, max_value=60, initial=3)
    games_per_round = forms.ChoiceField(
        label=_("Games in a round"), initial="3",
        choices=[("3", _("three: everybody at the table partners everybody")), ("1", _("one"))],
    )  # fmt: skip
    deals_per_game = forms.IntegerField(
        label=_("Deals in a game"), min_value=1, max_value=60, required=False, initial=4
    )
    target = forms.IntegerField(
        label=_("Or to how many points"), min_value=1, max_value=9999, required=False,
        help_text=_("A game then ends at this score instead of after a number of deals."),
    )  # fmt: skip
    minutes = forms.IntegerField(
        label=_("Minutes for a round"), min_value=5, max_value=600, initial=90
    )
    ranking = forms.ChoiceField(label=_("Ranking"), choices=ranking_choices)
    credit = forms.ChoiceField(label=_("Sitting out is worth"), choices=CREDITS, required=False)
    carries_over = forms.BooleanField(
        label=_("Results of the stages before count on"), required=False
    )
    club_rounds = forms.IntegerField(
        label=_("Keep members of a club apart through round"), min_value=0, max_value=60,
        initial=2, help_text=_("0: never mind."),
    )  # fmt: skip
    odd = forms.ChoiceField(label=_("Players over a multiple of four"), choices=ODD, required=False)
    by_score = forms.BooleanField(
        label=_("Individual draw: players of like score together"), required=False
    )
    movement = forms.ChoiceField(label=_("Prescribed movement"), choices=MOVEMENT, required=False)
    order = forms.ChoiceField(label=_("Swiss: who meets whom"), choices=ORDER, required=False)
    bye_for = forms.ChoiceField(label=_("Swiss: who sits out"), choices=BYE_FOR, required=False)
    unit = forms.ChoiceField(label=_("By lot: what is drawn"), choices=UNIT, required=False)
    table_size = forms.IntegerField(
        label=_("Auction: players at a table"), min_value=0, max_value=7, required=False,
        help_text=_("3 to 7; empty: as the rulebook says."),
    )  # fmt: skip
    seeds = forms.IntegerField(
        label=_("Knock-out and pools: how many are seeded"), min_value=0, max_value=4096,
        required=False,
    )  # fmt: skip
    pool_size = forms.IntegerField(
        label=_("Pools: entrants in a pool"), min_value=3, max_value=8, required=False, initial=4
    )
    main = forms.IntegerField(
        label=_("Pools: how many go to the main draw"), min_value=1, max_value=4,
        required=False, initial=2,
    )  # fmt: skip
    consolation = forms.BooleanField(
        label=_("Pools: the others play a consolation"), required=False, initial=True
    )
    third_place = forms.BooleanField(
        label=_("Knock-out: the losers of the semi-finals play for third place"), required=False
    )
    twice = forms.BooleanField(label=_("Round robin: everybody twice"), required=False)
    top = forms.IntegerField(
        label=_("Cut: how many go on"), min_value=0, max_value=2000, required=False
    )
    per_table = forms.IntegerField(
        label=_("Cut: how many of each table of the last round go on"), min_value=0, max_value=4,
        required=False,
    )  # fmt: skip
    fill = forms.ChoiceField(label=_("When both are given"), choices=FILLS, required=False)
    whole = forms.BooleanField(
        label=_("Whole tables: the best others fill the last table"), required=False, initial=True,
        help_text=_("After a cut nobody may win by sitting out, so every table must be full."),
    )  # fmt: skip
    tie = forms.ChoiceField(
        label=_("Who is level at the cut"), choices=TIES, required=False, initial=TieAtCut.LOTS
    )

    @classmethod
    def of(cls, stage: Stage) -> StageForm:
        """The form filled in as the stage is."""
        rules = read_rules(stage.drawing)
        cut = stage.cut
        return cls(
            initial={
                "name": stage.title, "format": stage.format, "rounds": stage.rounds_planned,
                "games_per_round": str(stage.games_per_round),
                "deals_per_game": stage.deals_per_game,
                "target": stage.target if isinstance(stage.target, int) else None,
                "minutes": stage.minutes, "ranking": stage.ranking, "credit": credit_of(stage),
                "carries_over": stage.carries_over, "club_rounds": stage.club_rounds,
                "top": cut.get("top"), "whole": cut.get("whole", False),
                "tie": cut.get("tie", TieAtCut.LOTS if cut.get("whole") else TieAtCut.ALL_IN),
                "per_table": cut.get("per_table") or (1 if cut.get("winners") else None),
                "fill": cut.get("fill", Fill.UP_TO),
                **{name: getattr(rules, name) for name in RULES},
            }
        )  # fmt: skip

    def values(self) -> dict[str, Any]:
        """The stage in the words of :func:`tournament.services.stage_plans.save_stage`."""
        data = self.cleaned_data
        plain = DrawRules()
        rules = {
            name: plain_value
            for name in RULES
            if (plain_value := data[name] if data[name] not in ("", None) else getattr(plain, name))
            != getattr(plain, name)
        }
        cut: dict[str, Any] = {}
        if data["top"]:
            cut["top"] = data["top"]
        if data["per_table"]:
            cut |= {"winners": True} if data["per_table"] == 1 else {"per_table": data["per_table"]}
        if cut and data["whole"]:
            cut |= {"whole": True, "tie": data["tie"] or TieAtCut.LOTS}
        elif cut and data["tie"] not in ("", TieAtCut.ALL_IN):
            cut["tie"] = data["tie"]
        if data["top"] and data["per_table"] and data["fill"] == Fill.BESIDE:
            cut["fill"] = data["fill"]
        return {
            "name": Stage.kept_name(data["name"].strip()), "format": data["format"],
            "rounds": data["rounds"],
            "games_per_round": int(data["games_per_round"]),
            "deals_per_game": None if data["target"] else data["deals_per_game"],
            "target": data["target"] or None, "minutes": data["minutes"],
            "ranking": data["ranking"], "credit": data["credit"],
            "carries_over": data["carries_over"], "club_rounds": data["club_rounds"],
            "drawing": rules, "cut": cut,
        }  # fmt: skip


class ReplaceForm(forms.Form):
    """Somebody leaves and somebody else takes his place."""

    old = forms.IntegerField(label=_("Who leaves (start number)"), min_value=1, max_value=99999)
    new = forms.IntegerField(label=_("Who comes in (start number)"), min_value=1, max_value=99999)


class BanForm(forms.Form):
    """Two who are never drawn to one table."""

    one = forms.IntegerField(label=_("Start number"), min_value=1, max_value=99999)
    two = forms.IntegerField(label=_("And start number"), min_value=1, max_value=99999)


class WishForm(forms.Form):
    """What the draw must respect of one entrant."""

    number = forms.IntegerField(label=_("Start number"), min_value=1, max_value=99999)
    family = forms.CharField(
        label=_("Family"), max_length=40, required=False,
        help_text=_("The same word for all its members: they are kept apart."),
    )  # fmt: skip
    fixed_seat = forms.BooleanField(label=_("Cannot change tables"), required=False)
    no_scorekeeping = forms.BooleanField(label=_("Must not keep the score"), required=False)
