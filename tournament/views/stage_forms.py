"""The form of a stage: its format with the choices inside it, how a game ends, the cut, the ranking."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import fields
from itertools import chain
from typing import Any, Final

from django import forms
from django.http import QueryDict
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from scoring.engine.rulebook import RULEBOOKS
from scoring.engine.rulebook_edition import Sides
from tournament.drawing.formats import FORMATS
from tournament.drawing.rules import EVERY_ROUND, DrawRules, read_rules
from tournament.models import FORMAT_CHOICES, Event, Stage
from tournament.models.columns import To, names
from tournament.models.players import BY_KEY
from tournament.queries.chains import players_known
from tournament.queries.switches import target_in_words
from tournament.ranking.cuts import Fill, TieAtCut
from tournament.services.stage_plans import credit_of
from tournament.views.forms import (
    STAGE,
    ColumnsForm,
    choice_field,
    form_field,
    odd_field,
    ranking_choices,
    uncounted,
    usual_ranking,
)
from tournament.views.typed import numbers_in

MOVEMENT = [
    ("rainbow", _("Rainbow: North stays, nobody meets twice")),
    ("whist", _("Whist movement: partner of everybody once, opponent twice")),
]
ORDER = [
    ("halves", _("top half of a score group against the bottom half")),
    ("neighbours", _("neighbours in the ranking")),
]
BYE_FOR = [("last", _("the last")), ("middle", _("the middle one"))]
UNIT = [("player", _("players")), ("pair", _("pairs"))]
TIES = [
    ("all_in", _("all those tied qualify")),
    ("lots", _("lots are drawn")),
    ("play_off", _("a play-off, entered by the director")),
]
FILLS = [
    ("up_to", _("table winners first, then the best up to that number")),
    ("beside", _("table winners, and that many others besides")),
    ("seconds", _("table winners, and that many of those next at their tables")),
]
CREDITS = [
    ("", _("as set in the ranking rule")),
    ("average", _("the average of one’s own games, games won too")),
    ("win_average", _("a win, with the average of one’s own games")),
    ("win_median", _("a win, with the median of the round")),
    ("spread", _("the mean of the best, the worst and the middle of the round")),
    ("nothing", _("nothing")),
]
RULES = tuple(each.name for each in fields(DrawRules))


def plain_targets(targets: Iterable[object]) -> list[object]:
    """Targets once each, as plain values, without those by a number of deals that is not fixed."""
    offered: list[object] = []
    for target in targets:
        plain = dict(target) if isinstance(target, Mapping) else target
        if plain not in offered and not (
            isinstance(plain, dict) and not isinstance(plain.get("deals", 1), int)
        ):
            offered.append(plain)
    return offered


_IN_PAIRS: Final = _(
    "The other stages are played in pairs, so formats of single players are not offered."
)
_ALONE: Final = _("In the other stages players sit alone, so formats of pairs are not offered.")


def _like_the_last(event: Event, stages: Sequence[Stage]) -> Stage:
    """Return a new stage with the format and the games of the last one."""
    new = Stage(ranking=usual_ranking(event.rulebook))
    if stages:
        new.format, new.games_per_round = stages[-1].format, stages[-1].games_per_round
    return new


class StageForm(ColumnsForm):
    """One stage; fields that its format does not use are left at their defaults."""

    class Meta:
        model = Stage
        fields = tuple(name for name in names(Stage, To.FORM) if name != "rounds_planned")
        formfield_callback = form_field

    field_order = (
        *("name", "format", "rounds", "games_per_round", "match", "deals_per_game", "target"),
        *("games", "decider", "minutes"),
    )
    format = choice_field(STAGE["format"], ())
    rounds = form_field(STAGE["rounds_planned"])
    ranking = choice_field(STAGE["ranking"], ())
    match = forms.ChoiceField(label=_("A game ends"), required=False)
    target = forms.IntegerField(
        label=_("Or to how many points"),
        min_value=1,
        max_value=9999,
        required=False,
        help_text=_("A game then ends at this score instead of after a number of deals."),
    )
    games = forms.IntegerField(
        label=_("Or how many such games win the match"),
        min_value=2,
        max_value=9,
        required=False,
    )
    decider = forms.IntegerField(
        label=_("Points of the deciding game (belle)"),
        min_value=1,
        max_value=9999,
        required=False,
        help_text=_("Empty: as many as the others."),
    )
    credit = forms.ChoiceField(label=_("A bye is worth"), choices=CREDITS, required=False)
    family_rounds = forms.IntegerField(
        label=_("Keep members of a family apart through round"),
        min_value=0,
        max_value=EVERY_ROUND,
        required=False,
        initial=EVERY_ROUND,
        help_text=_("0: not kept apart; 60: in every round."),
    )
    odd = odd_field()
    by_score = forms.BooleanField(
        label=_("Individual draw: players with similar scores together"), required=False
    )
    movement = forms.ChoiceField(label=_("Fixed movement"), choices=MOVEMENT, required=False)
    order = forms.ChoiceField(label=_("Swiss: who meets whom"), choices=ORDER, required=False)
    bye_for = forms.ChoiceField(label=_("Swiss: who gets the bye"), choices=BYE_FOR, required=False)
    unit = forms.ChoiceField(label=_("By lot: what is drawn"), choices=UNIT, required=False)
    table_size = forms.IntegerField(
        label=_("Auction: players at a table"),
        min_value=0,
        max_value=7,
        required=False,
        help_text=_("3 to 7; empty: as the rulebook says."),
    )
    seeds = forms.IntegerField(
        label=_("Knock-out, pools, first Swiss round: how many are seeded"),
        min_value=0,
        max_value=4096,
        required=False,
        help_text=_(
            "The lowest start numbers, or after a cut the best of the stage before; empty: all by lot."
        ),
    )
    pool_size = forms.IntegerField(
        label=_("Pools: participants in a pool"),
        min_value=3,
        max_value=8,
        required=False,
        initial=4,
    )
    main = forms.IntegerField(
        label=_("Pools: how many qualify for the main draw"),
        min_value=1,
        max_value=4,
        required=False,
        initial=2,
    )
    best_next = forms.IntegerField(
        label=_("Pools: how many of those next qualify too"),
        min_value=0,
        max_value=64,
        required=False,
        help_text=_(
            "The best of all pools, by the standings of the stage: for example 15 pool winners and the best "
            "runner-up. Compare them fairly: pools of one size."
        ),
    )
    consolation = forms.BooleanField(
        label=_("Pools: the others play a consolation"), required=False, initial=True
    )
    third_place = forms.BooleanField(
        label=_("Knock-out: the losers of the semi-finals play for third place"), required=False
    )
    twice = forms.BooleanField(label=_("Round robin: everybody twice"), required=False)
    one_list = forms.BooleanField(
        label=_("Mitchell: one ranking of all pairs"),
        required=False,
        help_text=_(
            "Otherwise North-South and East-West each have a winner. With a cut there is one ranking."
        ),
    )
    top = forms.IntegerField(
        label=_("Cut: how many qualify"), min_value=0, max_value=2000, required=False
    )
    half = forms.BooleanField(
        label=_("Or half of the field qualifies"),
        required=False,
        help_text=_("Of those with a rank; the larger half of an odd number."),
    )
    per_table = forms.IntegerField(
        label=_("Cut: how many of each table of the last round qualify"),
        min_value=0,
        max_value=4,
        required=False,
    )
    fill = forms.ChoiceField(label=_("If both are filled in"), choices=FILLS, required=False)
    whole = forms.BooleanField(
        label=_("Whole tables: the best others fill the last table"),
        required=False,
        initial=True,
        help_text=_("After a cut nobody may win through a bye, so every table must be full."),
    )
    tie = forms.ChoiceField(
        label=_("Ties at the cut"), choices=TIES, required=False, initial=TieAtCut.LOTS
    )

    def __init__(
        self,
        data: QueryDict | None = None,
        *,
        event: Event,
        stage: Stage | None = None,
        initial: dict[str, object] | None = None,
    ) -> None:
        others = [] if stage else list(event.stages.order_by("order"))
        plan = copy(stage) if stage else _like_the_last(event, others)
        super().__init__(data, instance=plan, initial=initial)
        book = RULEBOOKS[event.rulebook]
        language = get_language() or "en"
        alone = book.sides is not Sides.PAIRS
        why = {key: each.misfit(book) for key, each in FORMATS.items()}
        fitting = self.fields["format"]
        assert isinstance(fitting, forms.ChoiceField)  # noqa: S101  declared above
        units = {other.in_pairs for other in others}
        pairs = units.pop() if len(units) == 1 else None
        unit = "pair" if pairs else "player"
        fitting.choices = [
            (key, name)
            for key, name in FORMAT_CHOICES
            if why[key] is None and (pairs is None or FORMATS[key].in_pairs(unit) == pairs)
        ]
        if pairs is not None:
            fitting.help_text = _IN_PAIRS if pairs else _ALONE
        if stage is None:
            self.fields["unit"].initial = unit
        left_out = [reason for reason in why.values() if reason is not None]
        if left_out:
            fitting.help_text = left_out[0].render(language)
            gone = [FORMATS[key].choices for key, reason in why.items() if reason is not None]
            for name in {"odd", "unit", *chain.from_iterable(gone)}:
                del self.fields[name]
        else:
            del self.fields["table_size"]
        match = self.fields["match"]
        assert isinstance(match, forms.ChoiceField)  # noqa: S101  declared above
        match.choices = [
            ("", _("after the deals, or at the points, given below")),
            *(
                (json.dumps(target), target_in_words(target))
                for target in plain_targets((book.target, *book.targets))
            ),
        ]
        ranking = self.fields["ranking"]
        assert isinstance(ranking, forms.ChoiceField)  # noqa: S101  declared above
        fitting_first = ranking_choices(alone=alone)
        ranking.choices = [
            (_("For this game"), fitting_first),
            (_("For other games"), ranking_choices(alone=not alone)),
        ]

    @classmethod
    def of(cls, stage: Stage) -> StageForm:
        """Fill the form in with a stage's values."""
        rules = read_rules(stage.drawing)
        cut = stage.cut
        target = stage.target if isinstance(stage.target, dict) else {}
        form = cls(
            event=stage.event,
            stage=stage,
            initial={
                "name": stage.title,
                "rounds": stage.rounds_planned,
                "target": target.get("of") if target else stage.target,
                "games": target.get("games"),
                "decider": target.get("decider"),
                "credit": credit_of(stage),
                "top": cut.get("top"),
                "half": cut.get("half", False),
                "whole": cut.get("whole", False),
                "tie": cut.get("tie", TieAtCut.LOTS if cut.get("whole") else TieAtCut.ALL_IN),
                "per_table": cut.get("per_table") or (1 if cut.get("winners") else None),
                "fill": cut.get("fill", Fill.UP_TO),
                **{name: getattr(rules, name) for name in RULES},
            },
        )
        if "odd" in form.fields and (count := players_known(stage.event, stage)):
            form.fields["odd"].help_text = uncounted(count)
        return form

    def clean(self) -> dict[str, object]:
        """Refuse games or a deciding game without the points they are played to."""
        data = super().clean() or self.cleaned_data
        if data.get("match"):
            return data
        if data.get("games") and not data.get("target"):
            self.add_error("target", _("Enter to how many points each game is played."))
        if data.get("decider") and not data.get("games"):
            self.add_error("games", _("Enter how many games win the match."))
        return data

    def _target(self) -> object:
        """Return the end of a game, other than a number of deals."""
        data = self.cleaned_data
        if data["match"]:
            return json.loads(data["match"])
        if not data["games"]:
            return data["target"] or None
        target = {"games": data["games"], "of": data["target"]}
        return target | ({"decider": data["decider"]} if data["decider"] else {})

    def values(self) -> dict[str, Any]:
        """Return the stage as arguments of :func:`tournament.services.stage_plans.save_stage`."""
        data = self.cleaned_data
        plain = DrawRules()
        rules = {
            name: data[name]
            for name in RULES
            if data.get(name, "") not in ("", None) and data[name] != getattr(plain, name)
        }
        target = self._target()
        deals = data["deals_per_game"]
        if isinstance(target, dict) and "deals" in target:
            deals, target = target["deals"], None
        cut: dict[str, object] = {}
        if data["top"]:
            cut["top"] = data["top"]
        if data["half"]:
            cut["half"] = True
        if data["per_table"]:
            cut |= {"winners": True} if data["per_table"] == 1 else {"per_table": data["per_table"]}
        if cut and data["whole"]:
            cut |= {"whole": True, "tie": data["tie"] or TieAtCut.LOTS}
        elif cut and data["tie"] not in ("", TieAtCut.ALL_IN):
            cut["tie"] = data["tie"]
        if (data["top"] or data["half"]) and data["per_table"] and data["fill"] != Fill.UP_TO:
            cut["fill"] = data["fill"]
        return {
            **{name: data[name] for name in self.Meta.fields},
            "name": Stage.kept_name(data["name"].strip()),
            "rounds_planned": data["rounds"],
            "deals_per_game": None if target else deals,
            "target": target,
            "credit": data["credit"],
            "drawing": rules,
            "cut": cut,
        }


class ReplaceForm(forms.Form):
    """Replacement of a player by another."""

    old = forms.IntegerField(label=_("Player leaving (number)"), min_value=1, max_value=99999)
    new = forms.IntegerField(label=_("Replacement (number)"), min_value=1, max_value=99999)
    zero = forms.BooleanField(required=False)


class BanForm(forms.Form):
    """Two who are never drawn to one table."""

    one = forms.IntegerField(label=_("Start number"), min_value=1, max_value=99999)
    two = forms.IntegerField(label=_("And start number"), min_value=1, max_value=99999)


class WishForm(forms.Form):
    """Requests for the draw about one entrant or several; empty fields change nothing."""

    number = forms.CharField(
        label=_("Start numbers"),
        max_length=2000,
        help_text=_("One or several: 3, 7, 12-15."),
    )
    family = form_field(
        BY_KEY["family"].column,
        help_text=_("The same word for all its members: they are kept apart."),
    )
    fixed_seat = forms.BooleanField(label=_("Cannot change tables"), required=False)
    no_scorekeeping = forms.BooleanField(label=_("Must not keep the score"), required=False)

    def clean_number(self) -> list[int]:
        """Return the typed start numbers; refuse anything else."""
        text = self.cleaned_data["number"]
        numbers = numbers_in(text) if re.fullmatch(r"[\d\s,;–-]+", text) else []
        if not numbers:
            raise forms.ValidationError(_("Write start numbers alone: 3, 7, 12-15."))
        return numbers

    def clean(self) -> dict[str, object]:
        """Add ``wishes``, as :func:`bans_and_wishes.wish` takes them; a form without any is refused."""
        data = super().clean() or {}
        data["wishes"] = {
            **({"family": data["family"]} if data.get("family") else {}),
            **({"fixed_seat": True} if data["fixed_seat"] else {}),
            **({"keeps_score": False} if data["no_scorekeeping"] else {}),
        }
        if not data["wishes"]:
            self.add_error(None, _("Write a family or tick a request."))
        return data
