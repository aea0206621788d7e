"""Forms of the director's desk; each says in words what is wrong and keeps what was typed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django import forms
from django.conf import settings
from django.utils import timezone
from django.utils.html import format_html_join
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from scoring.engine.rulebook import RULEBOOKS
from scoring.engine.rulebook_edition import Sides
from tournament.drawing.fits import misfit
from tournament.drawing.formats import PAIRS
from tournament.models import FIRST_DAY, LAST_DAY, STAGE_NAMES, Format
from tournament.models.tables import BellRule, Depth, Protocol
from tournament.queries.proposals import KINDS
from tournament.ranking.presets import PRESETS
from tournament.services.events import StagePlan, championship_plan
from tournament.services.mail import is_offered
from tournament.views.desk import numbers_in


def rulebook_choices() -> list[tuple[str, str]]:
    """The rulebooks by their title in the reader's language; the four-player ones first."""
    language = get_language() or "en"
    return [(key, book.title.render(language)) for key, book in RULEBOOKS.items()]


def ranking_choices(*, alone: bool | None = None) -> list[tuple[str, str]]:
    """The ranking presets by name; only those where each plays ``alone`` against all, or only others."""
    language = get_language() or "en"
    return [
        (code, preset.name.render(language))
        for code, preset in PRESETS.items()
        if alone is None or preset.alone is alone
    ]


def usual_ranking(rulebook: str) -> str:
    """The ranking that a game is usually played with."""
    usual = {Sides.DECLARER_ALONE: "auction_total", Sides.DEALER_ALONE: "table_places"}
    return usual.get(RULEBOOKS[rulebook].sides, "world_championship")


def with_usual_ranking() -> list[tuple[Any, Any]]:
    """The presets after the game's own, in two groups by the kind of game."""
    return [
        ("", _("default for this game")),
        (_("Two pairs at a table"), ranking_choices(alone=False)),
        (_("Each against all"), ranking_choices(alone=True)),
    ]


def ranking_explanations() -> list[tuple[str, str, str]]:
    """The ranking presets by name, the colon of the language, and what each ranks by."""
    language = get_language() or "en"
    return [
        (preset.name.render(language), gettext(":"), preset.explanation.render(language))
        for preset in PRESETS.values()
    ]


SHAPES = [
    ("championship", _("championship: rounds, semi-final, final")),
    *((code, label) for code, label in Format.choices if code != Format.INDIVIDUAL_MOVEMENT),
    ("rainbow", _("individual, Rainbow (North stays)")),
    ("whist", _("individual, Whist movement (partner everyone once)")),
]
"""What an event can be opened as; stages can be added and refined afterwards."""

ONE_GAME = frozenset({*PAIRS, "rainbow", "whist"})
"""Shapes in which a round is one game at every table."""


ONLY_STAGE = {Format.KO.value: STAGE_NAMES[4], Format.POOLS_KO.value: STAGE_NAMES[5]}
"""What the only stage of an event is called, where it is more than rounds."""


ENDS = [
    ("deals", _("after a number of deals")),
    ("book", _("as in the rulebook, for example 2 games of 34 points")),
]
"""When a game of a new event ends."""


PENALTY_FLOOR = [
    ("floor", _("the penalty, or the deal as played where that is worth more")),
    ("alone", _("the penalty alone, even where the deal as played is worth more")),
]
"""The switch ``penalty_floor``; the first is the default of every rulebook."""


class KindForm(forms.Form):
    """What kind of event, for how many, from when: all that fitting defaults need."""

    kind = forms.ChoiceField(choices=[(code, name) for code, (name, _says) in KINDS.items()])
    players = forms.IntegerField(
        label=_("How many players do you expect?"), min_value=0, max_value=5000, required=False
    )
    start = forms.TimeField(
        label=_("When does it start?"),
        required=False,
        widget=forms.TimeInput(format="%H:%M", attrs={"type": "time"}),
    )


def day_input() -> forms.DateInput:
    """The field for the day of an event, with the bounds that the service holds it to."""
    return forms.DateInput(
        format="%Y-%m-%d",
        attrs={"type": "date", "min": FIRST_DAY.isoformat(), "max": LAST_DAY.isoformat()},
    )


class EventForm(forms.Form):
    """A new event: three questions, and the rest with defaults that fit."""

    FIRST = ("name", "day", "rulebook")

    name = forms.CharField(label=_("Name of the event"), max_length=120)
    place = forms.CharField(label=_("Place"), max_length=120, required=False)
    day = forms.DateField(label=_("Day"), widget=day_input())
    language = forms.ChoiceField(
        label=_("Language of the documents"),
        choices=settings.LANGUAGES,
    )
    rulebook = forms.ChoiceField(label=_("Rulebook"), choices=rulebook_choices)
    stakes = forms.CharField(
        label=_("Stakes of the first auction"),
        max_length=60,
        required=False,
        help_text=_("Only for that rulebook: five amounts, for 0 to 4 cards exchanged."),
    )
    shape = forms.ChoiceField(label=_("Format"), choices=SHAPES, initial="championship")
    rounds = forms.IntegerField(
        label=_("Rounds (of a championship: before the semi-final)"),
        min_value=1,
        max_value=60,
        initial=3,
        help_text=_("Round robins and knock-outs have as many as they need."),
    )
    end = forms.ChoiceField(label=_("A game ends"), choices=ENDS, required=False, initial="deals")
    deals = forms.IntegerField(
        label=_("Deals in a game"),
        min_value=1,
        max_value=50,
        initial=4,
        help_text=_("Individual tables play three games, so that everybody partners everybody."),
    )
    minutes = forms.IntegerField(
        label=_("Minutes for a round"), min_value=5, max_value=600, initial=90
    )
    cut = forms.IntegerField(
        label=_("Championship: players in the semi-final"),
        min_value=0,
        max_value=2000,
        initial=128,
        help_text=_(
            "The table winners of the semi-final play the final. 0: no semi-final. Only whole tables qualify: "
            "fewer for the semi-final if the field is smaller; the best others join the table winners in the "
            "final."
        ),
    )
    ranking = forms.ChoiceField(
        label=_("Ranking"),
        choices=with_usual_ranking,
        required=False,
        help_text=_(
            "Usually: games won, then the difference, for two pairs; the total for an auction; the places at the "
            "table for three players."
        ),
    )
    penalty_floor = forms.ChoiceField(
        label=_("Penalty for a deal"),
        choices=PENALTY_FLOOR,
        required=False,
        help_text=_("What the side that is not at fault scores."),
    )
    protocol = forms.ChoiceField(
        label=_("How a result becomes official"), choices=Protocol.choices, initial="confirm"
    )
    bell_rule = forms.ChoiceField(label=_("At the bell"), choices=BellRule.choices)
    depth = forms.ChoiceField(
        label=_("Level of detail"),
        choices=Depth.choices,
        initial=Depth.POINTS,
        required=False,
        help_text=_("A table may choose another level of detail for a single deal."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["rulebook"].initial = "belgian"
        self.fields["ranking"].help_text = format_html_join(
            "", "<p><b>{}</b>{} {}</p>", ranking_explanations()
        )
        self.fields["day"].initial = timezone.localdate()
        self.fields["language"].initial = (get_language() or "nl")[:2]
        self.fields["shape"].widget.attrs |= {"data-fits": "id_rulebook", "data-misfits": misfits()}

    def clean(self) -> dict[str, object]:
        """Refuse a format that the rulebook cannot be played in."""
        data = super().clean() or self.cleaned_data
        if "rulebook" in data and "shape" in data:
            why = misfit(RULEBOOKS[data["rulebook"]], format_of(data["shape"]))
            if why is not None:
                self.add_error("shape", why.render(get_language() or "en"))
        if data.get("cut") and "cut" in self.changed_data and data.get("shape") != "championship":
            self.add_error(
                "cut", _("Only a championship has a semi-final: choose that format, or 0 here.")
            )
        return data

    @property
    def first(self) -> list[forms.BoundField]:
        """The fields that are asked openly."""
        return [self[name] for name in self.FIRST]

    @property
    def folded(self) -> list[forms.BoundField]:
        """The fields whose defaults fit most events."""
        return [field for field in self if field.name not in self.FIRST]

    @property
    def folded_errors(self) -> bool:
        """Whether a folded field must be looked at."""
        return any(field.errors for field in self.folded)

    def options(self) -> dict[str, object]:
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
        book = RULEBOOKS[data["rulebook"]]
        ranking = data["ranking"] or usual_ranking(book.key)
        deals: int | None = data["deals"]
        target: Any = None
        if data["end"] == "book":
            target = dict(book.target) if isinstance(book.target, Mapping) else book.target
            if isinstance(target, dict) and "deals" in target:
                deals, target = target["deals"], None
        played: dict[str, Any] = {"deals_per_game": None if target else deals, "target": target}
        if shape != "championship":
            alone = book.sides is not Sides.PAIRS
            return [
                StagePlan(
                    ONLY_STAGE.get(shape, STAGE_NAMES[3]),
                    format=format_of(shape),
                    rounds=data["rounds"],
                    games_per_round=1 if shape in ONE_GAME or alone else 3,
                    minutes=data["minutes"],
                    ranking=ranking,
                    drawing={"movement": "whist"} if shape == "whist" else {},
                    **played,
                )
            ]
        plan = championship_plan(
            rounds=data["rounds"], deals=data["deals"], minutes=data["minutes"], cut=data["cut"]
        )
        if not data["cut"]:
            plan = [replace(plan[0], name=STAGE_NAMES[3], cut={})]
        return [replace(part, ranking=ranking, **played) for part in plan]


def format_of(shape: str) -> str:
    """The format of a shape's first stage."""
    special = {
        "championship": Format.INDIVIDUAL_DRAW,
        "rainbow": Format.INDIVIDUAL_MOVEMENT,
        "whist": Format.INDIVIDUAL_MOVEMENT,
    }
    return str(special.get(shape, shape))


def misfits() -> str:
    """For every rulebook that not all shapes fit: those that do not, each with the reason, as JSON."""
    language = get_language() or "en"
    by_format: dict[str, dict[str, str]] = {}
    for key, book in RULEBOOKS.items():
        for shape, _label in SHAPES:
            why = misfit(book, format_of(shape))
            if why is not None:
                by_format.setdefault(key, {})[shape] = why.render(language)
    return json.dumps(by_format)


class AddressForm(forms.Form):
    """A form that asks for an e-mail address only where this installation sends e-mail."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        if not is_offered():
            for name in ("email", "mail"):
                self.fields.pop(name, None)


class PlayerForm(AddressForm):
    """One player at the door."""

    name = forms.CharField(label=_("Name"), max_length=100)
    partner = forms.CharField(
        label=_("Partner"), max_length=100, required=False, help_text=_("Only where pairs play.")
    )
    club = forms.CharField(label=_("Club"), max_length=80, required=False)
    number = forms.IntegerField(
        label=_("Start number"),
        min_value=1,
        max_value=99999,
        required=False,
        help_text=_("Empty: the next free one."),
    )
    email = forms.EmailField(label=_("E-mail"), required=False)
    fixed_seat = forms.BooleanField(label=_("Cannot change tables"), required=False)
    reserve = forms.BooleanField(
        label=_("Reserve"),
        required=False,
        help_text=_("Plays only in the place of somebody who leaves."),
    )


class CorrectionForm(AddressForm):
    """What was typed wrongly of a player."""

    name = forms.CharField(label=_("Name"), max_length=100)
    partner = forms.CharField(
        label=_("Partner"), max_length=100, required=False, help_text=_("Only where pairs play.")
    )
    club = forms.CharField(label=_("Club"), max_length=80, required=False)
    whole_club = forms.BooleanField(
        label=_("Change the club for all its players"),
        required=False,
        help_text=_("If another club already has that name, the two are merged."),
    )
    category = forms.CharField(label=_("Category"), max_length=30, required=False)
    number = forms.IntegerField(label=_("Start number"), min_value=1, max_value=99999)
    email = forms.EmailField(label=_("E-mail"), required=False)
    phone = forms.CharField(
        label=_("Phone number"),
        max_length=30,
        required=False,
        widget=forms.TextInput(attrs={"type": "tel"}),
    )


class MergeForm(forms.Form):
    """The other number of a player entered twice."""

    double = forms.IntegerField(
        label=_("The number that goes"),
        min_value=1,
        max_value=99999,
        help_text=_("Its seats and results pass to this player."),
    )


class UnmergeForm(forms.Form):
    """The number that comes back; its button names it."""

    double = forms.IntegerField(min_value=1, max_value=99999, widget=forms.HiddenInput)


class RemoveForm(forms.Form):
    """A box that is ticked knowingly."""

    sure = forms.BooleanField(label=_("Yes, remove this player."))


class PasteForm(forms.Form):
    """Players as they stand in a message or in cells of a spreadsheet."""

    text = forms.CharField(
        label=_("Names, one a line, or cells copied from a spreadsheet"),
        max_length=200_000,
        widget=forms.Textarea(attrs={"rows": 8, "autocomplete": "off"}),
        help_text=_(
            "Numbers and dashes before a name are ignored. A club may follow after a tab or a semicolon."
        ),
    )


class ImportForm(forms.Form):
    """A file of players."""

    file = forms.FileField(
        label=_("Spreadsheet with the players"),
        help_text=_(
            "XLSX or CSV, as the secretary keeps it: names, clubs, numbers, e-mail addresses."
        ),
        widget=forms.ClearableFileInput(attrs={"accept": ".xlsx,.csv,.txt"}),
    )
