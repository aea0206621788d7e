"""Forms of the director's desk; each says in words what is wrong and keeps what was typed."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from scoring.engine.rulebook import RULEBOOKS
from scoring.models import BellRule, Depth, Protocol
from tournament.drawing.formats import PAIRS
from tournament.models import STAGE_NAMES, Format
from tournament.services.events import StagePlan, championship_plan
from tournament.standings.presets import PRESETS
from tournament.views.desk import numbers_in


def rulebook_choices() -> list[tuple[str, str]]:
    """The rulebooks by their title in the reader's language; the four-player ones first."""
    language = get_language() or "en"
    return [(key, book.title.to(language)) for key, book in RULEBOOKS.items()]


def ranking_choices() -> list[tuple[str, str]]:
    """The ranking presets by name."""
    language = get_language() or "en"
    return [(code, preset.name.to(language)) for code, preset in PRESETS.items()]


SHAPES = [
    ("championship", _("championship: rounds, semi-final, final")),
    *((code, label) for code, label in Format.choices if code != Format.INDIVIDUAL_MOVEMENT),
    ("rainbow", _("individual, Rainbow (North stays)")),
    ("whist", _("individual, Whist tournament (partner of everybody once)")),
]
"""What an event can be opened as; stages can be added and refined afterwards."""

ONE_GAME = frozenset({*PAIRS, "rainbow", "whist"})
"""Shapes in which a round is one game at every table."""


PENALTY_FLOOR = [
    ("floor", _("the penalty, or the deal as played where that is worth more")),
    ("alone", _("the penalty alone, even where the deal as played is worth more")),
]
"""The switch ``penalty_floor``; the first is the default of every rulebook."""


class EventForm(forms.Form):
    """A new event; the defaults are those of a championship day."""

    name = forms.CharField(label=_("Name of the event"), max_length=120)
    place = forms.CharField(label=_("Place"), max_length=120, required=False)
    day = forms.DateField(
        label=_("Day"), widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"})
    )
    language = forms.ChoiceField(
        label=_("Language of the documents"),
        choices=[("nl", "Nederlands"), ("fr", "Français"), ("en", "English")],
    )
    rulebook = forms.ChoiceField(label=_("Rulebook"), choices=rulebook_choices)
    stakes = forms.CharField(
        label=_("Stakes of the first auction"), max_length=60, required=False,
        help_text=_("Only for that rulebook: five amounts, for 0 to 4 cards exchanged."),
    )  # fmt: skip
    shape = forms.ChoiceField(label=_("Format"), choices=SHAPES, initial="championship")
    rounds = forms.IntegerField(
        label=_("Rounds (of a championship: before the semi-final)"), min_value=1, max_value=60,
        initial=3, help_text=_("Round robins and knock-outs make as many as they need."),
    )  # fmt: skip
    deals = forms.IntegerField(
        label=_("Deals in a game"), min_value=1, max_value=50, initial=4,
        help_text=_("Individual tables play three games, so that everybody partners everybody."),
    )  # fmt: skip
    minutes = forms.IntegerField(
        label=_("Minutes for a round"), min_value=5, max_value=600, initial=90
    )
    cut = forms.IntegerField(
        label=_("Championship: players in the semi-final"), min_value=0, max_value=2000,
        initial=128,
        help_text=_(
            "The table winners of the semi-final play the final. 0: no semi-final. Only whole tables "
            "go on: fewer to the semi-final where the field is smaller, to the final the best others "
            "beside the table winners."
        ),
    )  # fmt: skip
    ranking = forms.ChoiceField(
        label=_("Ranking"), choices=ranking_choices, initial="world_championship"
    )
    penalty_floor = forms.ChoiceField(
        label=_("Penalty for a deal"), choices=PENALTY_FLOOR, required=False,
        help_text=_("What the side that is not at fault marks."),
    )  # fmt: skip
    protocol = forms.ChoiceField(
        label=_("How a result becomes official"), choices=Protocol.choices, initial="confirm"
    )
    bell_rule = forms.ChoiceField(label=_("At the bell"), choices=BellRule.choices)
    depth = forms.ChoiceField(
        label=_("How much is written down"), choices=Depth.choices, initial=Depth.POINTS,
        required=False,
        help_text=_("A table may choose another depth for a single deal."),
    )  # fmt: skip

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["rulebook"].initial = "belgian"
        self.fields["day"].initial = timezone.localdate()
        self.fields["language"].initial = (get_language() or "nl")[:2]

    def options(self) -> dict[str, Any]:
        """The switches that the form asks for."""
        amounts = numbers_in(self.cleaned_data["stakes"])
        chosen: dict[str, Any] = {"stakes": amounts} if amounts else {}
        if self.cleaned_data["penalty_floor"] == "alone":
            chosen["penalty_floor"] = False
        return chosen

    def plan(self) -> list[StagePlan]:
        """The stages that the form describes."""
        data = self.cleaned_data
        shape = data["shape"]
        if shape != "championship":
            movement = shape in ("rainbow", "whist")
            return [
                StagePlan(
                    STAGE_NAMES[0],
                    format=Format.INDIVIDUAL_MOVEMENT if movement else shape,
                    rounds=data["rounds"], games_per_round=1 if shape in ONE_GAME else 3,
                    deals_per_game=data["deals"], minutes=data["minutes"],
                    ranking=data["ranking"],
                )
            ]  # fmt: skip
        plan = championship_plan(
            rounds=data["rounds"], deals=data["deals"], minutes=data["minutes"], cut=data["cut"]
        )
        if not data["cut"]:
            plan = plan[:1]
        return [StagePlan(**{**_fields(part), "ranking": data["ranking"]}) for part in plan]

    def drawing(self) -> dict[str, Any]:
        """The choices inside the format of the first stage."""
        return {"movement": "whist"} if self.cleaned_data["shape"] == "whist" else {}


def _fields(part: StagePlan) -> dict[str, Any]:
    return {name: getattr(part, name) for name in StagePlan.__dataclass_fields__}


class PlayerForm(forms.Form):
    """One player at the door."""

    name = forms.CharField(label=_("Name"), max_length=100)
    partner = forms.CharField(
        label=_("Partner"), max_length=100, required=False, help_text=_("Only where pairs play.")
    )
    club = forms.CharField(label=_("Club"), max_length=80, required=False)
    number = forms.IntegerField(
        label=_("Start number"), min_value=1, max_value=99999, required=False,
        help_text=_("Empty: the next free one."),
    )  # fmt: skip
    email = forms.EmailField(label=_("E-mail"), required=False)
    fixed_seat = forms.BooleanField(label=_("Cannot change tables"), required=False)
    reserve = forms.BooleanField(
        label=_("Reserve"), required=False,
        help_text=_("Plays only in the place of somebody who leaves."),
    )  # fmt: skip


class CorrectionForm(forms.Form):
    """What was typed wrongly of a player."""

    name = forms.CharField(label=_("Name"), max_length=100)
    partner = forms.CharField(
        label=_("Partner"), max_length=100, required=False, help_text=_("Only where pairs play.")
    )
    club = forms.CharField(label=_("Club"), max_length=80, required=False)
    number = forms.IntegerField(label=_("Start number"), min_value=1, max_value=99999)
    email = forms.EmailField(label=_("E-mail"), required=False)


class MergeForm(forms.Form):
    """The other number of a player entered twice."""

    double = forms.IntegerField(
        label=_("The number that goes"), min_value=1, max_value=99999,
        help_text=_("Its seats and results pass to this player."),
    )  # fmt: skip


class RemoveForm(forms.Form):
    """A box that is ticked knowingly."""

    sure = forms.BooleanField(label=_("Yes, remove this player."))


class ImportForm(forms.Form):
    """A file of players."""

    file = forms.FileField(
        label=_("Spreadsheet with the players"),
        help_text=_(
            "XLSX or CSV, as the secretary keeps it: names, clubs, numbers, e-mail addresses."
        ),
        widget=forms.ClearableFileInput(attrs={"accept": ".xlsx,.csv,.txt"}),
    )


class ReasonForm(forms.Form):
    """A reason that the history keeps."""

    reason = forms.CharField(label=_("Reason"), max_length=300)
