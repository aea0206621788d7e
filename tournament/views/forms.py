"""Forms of the director's desk; each shows its errors in words and preserves the typed values."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, ClassVar, Final

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils import timezone
from django.utils.html import format_html_join
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from scoring.engine.rulebook import RULEBOOKS
from scoring.engine.rulebook_edition import Sides
from tournament.drawing.formats import FORMATS, Format
from tournament.drawing.rules import read_rules
from tournament.models import (
    FIRST_DAY,
    FORMAT_CHOICES,
    LAST_DAY,
    STAGE_NAMES,
    Event,
    Stage,
    in_readers_language,
)
from tournament.models.columns import Column, To
from tournament.models.players import GIVEN
from tournament.models.tables import Depth
from tournament.pairing.byes import table_sizes
from tournament.pairing.filling import NOTHING_COUNTS, nothing_counts
from tournament.pairing.model import Odd
from tournament.queries.proposals import KINDS
from tournament.queries.rulebooks import Choice, choice, offered
from tournament.ranking.presets import PRESETS
from tournament.services.bans_and_wishes import WISHES
from tournament.services.events import championship_plan, new_stage
from tournament.services.mail import is_offered
from tournament.services.player_lists import MAIL
from tournament.views.typed import numbers_in


def rulebook_choices() -> list[tuple[Any, Any]]:
    """Return the rulebooks by their title in the reader's language, after a club's own if there are any."""
    language = get_language() or "en"
    titles = [(value, book.title.render(language)) for value, book in offered().items()]
    own = len(titles) - len(RULEBOOKS)
    if not own:
        return titles
    return [(_("Our club’s rules"), titles[:own]), (_("Rulebooks"), titles[own:])]


def ranking_choices(*, alone: bool | None = None) -> list[tuple[str, str]]:
    """Return the ranking presets by name; only those where each plays ``alone`` against all, or only others."""
    language = get_language() or "en"
    return [
        (code, preset.name.render(language))
        for code, preset in PRESETS.items()
        if alone is None or preset.alone is alone
    ]


def usual_ranking(rulebook: str) -> str:
    """Return the usual ranking of a game."""
    usual = {Sides.DECLARER_ALONE: "auction_total", Sides.DEALER_ALONE: "table_places"}
    return usual.get(RULEBOOKS[rulebook].sides, "world_championship")


def with_usual_ranking() -> list[tuple[Any, Any]]:
    """Return the presets after the game's own, in two groups by the kind of game."""
    return [
        ("", _("default for this game")),
        (_("Two pairs at a table"), ranking_choices(alone=False)),
        (_("Each against all"), ranking_choices(alone=True)),
    ]


def ranking_explanations() -> list[tuple[str, str, str]]:
    """Return the ranking presets by name, the colon of the language, and their criteria."""
    language = get_language() or "en"
    return [
        (preset.name.render(language), gettext(":"), preset.explanation.render(language))
        for preset in PRESETS.values()
    ]


SHAPES = [
    ("championship", _("championship: rounds, semi-final, final")),
    *((key, label) for key, label in FORMAT_CHOICES if not FORMATS[key].shapes),
    *(
        (shape, in_readers_language(label))
        for each in FORMATS.values()
        for shape, label in each.shapes
    ),
]
"""Shapes of a new event; stages can be added and refined afterwards."""

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
    """Kind, size and start of an event: the inputs of fitting defaults."""

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
    """Return the field for the day of an event, with the bounds of the service."""
    return forms.DateInput(
        format="%Y-%m-%d",
        attrs={"type": "date", "min": FIRST_DAY.isoformat(), "max": LAST_DAY.isoformat()},
    )


class MomentField(forms.DateTimeField):
    """A day and a time; a time that the change of the clocks skips or repeats is refused in words."""

    def to_python(self, value: str | datetime | date | None) -> datetime | None:
        """Return the moment in the installation's time zone."""
        try:
            return super().to_python(value)
        except ValidationError as error:
            if getattr(error, "code", "") != "ambiguous_timezone":
                raise
            raise ValidationError(
                _(
                    "The clocks change then: this time does not exist or exists twice. Choose one an hour earlier or later."
                ),
                code="ambiguous_timezone",
            ) from error


def form_field(column: Column, **how: Any) -> forms.Field:
    """Return the form field of a column, with its bounds; ``how`` overrides its options."""
    bounds = {
        bound: validator.limit_value
        for bound, kind in (("min_value", MinValueValidator), ("max_value", MaxValueValidator))
        for validator in column.validators
        if isinstance(validator, kind) and not column.choices
    }
    if type(column) is models.DateField:
        how = {"widget": day_input()} | how
    if type(column) is models.DateTimeField:
        how = {"form_class": MomentField} | how
    field: forms.Field | None = column.formfield(**(bounds | how))
    if field is None:
        raise TypeError(f"{column} is asked in no form")
    return field


def choice_field(column: Column, choices: Any, **how: Any) -> forms.ChoiceField:
    """Return the form field of a column whose choices are not those of the model."""
    how = {"help_text": column.help_text, "required": not column.blank} | how
    return forms.ChoiceField(label=column.verbose_name, choices=choices, **how)


if TYPE_CHECKING:
    _ModelForm = forms.ModelForm[models.Model]
else:
    _ModelForm = forms.ModelForm


class ColumnsForm(_ModelForm):
    """A form of columns of a model; how rows agree with each other is checked by the service."""

    def validate_unique(self) -> None:
        """Leave it to the service."""

    def validate_constraints(self) -> None:
        """Leave it to the service."""


EVENT: Final = {column.name: column for column in Event._meta.concrete_fields}
STAGE: Final = {column.name: column for column in Stage._meta.concrete_fields}


class RulebookForm(ColumnsForm):
    """A form that chooses a rulebook, or a club's own rules."""

    choice: Choice

    def chosen(self, wanted: str) -> Choice:
        """Return the rules behind a value of the field."""
        return choice(wanted)

    def clean_rulebook(self) -> str:
        """Return the key of the rulebook; for a club's own rules that of their base."""
        self.choice = self.chosen(self.cleaned_data["rulebook"])
        return self.choice.rulebook


ODD = [
    ("byes", _("one to three byes, in turn")),
    ("threes", _("tables of three, which do not count for the standings; no byes")),
    ("counted", _("tables of three, which count: against the mean of the other two; no byes")),
]


def odd_field() -> forms.ChoiceField:
    """Return the field for what becomes of one to three players over."""
    return forms.ChoiceField(
        label=_("If the number is not a multiple of four"), choices=ODD, required=False
    )


def uncounted(count: int) -> str:
    """Describe the effect of tables of three for this number of players; empty where there are none."""
    language = get_language() or "en"
    if nothing_counts(count, Odd.THREES):
        return NOTHING_COUNTS.format(count=count).render(language)
    _fours, threes, _out = table_sizes(count, Odd.THREES)
    if not threes:
        return ""
    return gettext(
        "Tables of three: with %(count)d players, %(idle)d of them play a round that does not count, unless you let it count."
    ) % {"count": count, "idle": 3 * threes}


class EventForm(RulebookForm):
    """A new event: three questions, and the rest with defaults that fit."""

    FIRST = ("name", "day", "rulebook")

    class Meta:
        model = Event
        fields = ("name", "place", "day", "language", "rulebook", "protocol", "bell_rule", "depth")
        formfield_callback = form_field
        help_texts: ClassVar = {
            "depth": _("A table may choose another level of detail for a single deal.")
        }

    field_order = (
        *("name", "place", "day", "language", "rulebook", "stakes", "shape", "rounds", "end"),
        *(
            "deals",
            "minutes",
            "cut",
            "odd",
            "ranking",
            "penalty_floor",
            "protocol",
            "bell_rule",
            "depth",
        ),
    )
    language = choice_field(EVENT["language"], settings.LANGUAGES)
    rulebook = choice_field(EVENT["rulebook"], rulebook_choices)
    stakes = forms.CharField(
        label=_("Stakes of the first auction"),
        max_length=60,
        required=False,
        help_text=_("Only for that rulebook: five amounts, for 0 to 4 cards exchanged."),
    )
    shape = forms.ChoiceField(label=_("Format"), choices=SHAPES, initial="championship")
    rounds = form_field(
        STAGE["rounds_planned"],
        label=_("Rounds (of a championship: before the semi-final)"),
        help_text=_("Round robins and knock-outs have as many as they need."),
    )
    end = forms.ChoiceField(label=_("A game ends"), choices=ENDS, required=False, initial="deals")
    deals = form_field(
        STAGE["deals_per_game"],
        required=True,
        help_text=_("Individual tables play three games, so that everybody partners everybody."),
    )
    minutes = form_field(STAGE["minutes"])
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
    ranking = choice_field(
        STAGE["ranking"],
        with_usual_ranking,
        required=False,
        help_text=_(
            "Usually: games won, then the difference, for two pairs; the total for an auction; the places at the "
            "table for three players."
        ),
    )
    odd = odd_field()
    penalty_floor = forms.ChoiceField(
        label=_("Penalty for a deal"),
        choices=PENALTY_FLOOR,
        required=False,
        help_text=_("What the side that is not at fault scores."),
    )

    def __init__(self, *args: Any, players: int = 0, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if players:
            self.fields["odd"].help_text = uncounted(players)
        self.fields["depth"].required = False
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
            why = format_of(data["shape"]).misfit(RULEBOOKS[data["rulebook"]])
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

    def columns(self) -> dict[str, Any]:
        """Return the columns of the event besides its name."""
        given = {name: self.cleaned_data[name] for name in self.Meta.fields if name != "name"}
        return given | {"depth": given["depth"] or Depth.POINTS}

    def options(self) -> dict[str, object]:
        """Return the switches of the form."""
        amounts = numbers_in(self.cleaned_data["stakes"])
        chosen = self.choice.options | ({"stakes": amounts} if amounts else {})
        if self.cleaned_data["penalty_floor"] == "alone":
            chosen["penalty_floor"] = False
        return chosen

    def plan(self) -> list[Stage]:
        """Return the stages that the form describes."""
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
            alone, format_ = book.sides is not Sides.PAIRS, format_of(shape)
            one_game = alone or format_.pairs or format_.timetable
            return [
                new_stage(
                    format_.stage_name.msgid,
                    format=format_.key,
                    rounds=data["rounds"],
                    games_per_round=1 if one_game else 3,
                    minutes=data["minutes"],
                    ranking=ranking,
                    drawing=self._drawing(format_),
                    **played,
                )
            ]
        plan = championship_plan(
            rounds=data["rounds"], deals=data["deals"], minutes=data["minutes"], cut=data["cut"]
        )
        if not data["cut"]:
            plan = plan[:1]
            plan[0].name, plan[0].cut = STAGE_NAMES[3], {}
        plan[0].drawing = self._drawing(format_of(shape))
        for stage in plan:
            stage.ranking = ranking
            stage.deals_per_game, stage.target = played["deals_per_game"], played["target"]
        return plan

    def _drawing(self, format_: Format) -> dict[str, Any]:
        """Return what the form says of the draw of a format."""
        data = self.cleaned_data
        alone = RULEBOOKS[data["rulebook"]].sides is not Sides.PAIRS
        choices = {
            **({"movement": data["shape"]} if format_.shapes else {}),
            **(
                {"odd": data["odd"]}
                if data["odd"] and "odd" in format_.choices and not alone
                else {}
            ),
        }
        return read_rules(choices).as_json()


def format_of(shape: str) -> Format:
    """Return the format of a shape's first stage."""
    shapes = {name: each for each in FORMATS.values() for name, _label in each.shapes}
    return {**FORMATS, **shapes, "championship": FORMATS["individual_draw"]}[shape]


def misfits() -> str:
    """For every rulebook that not all shapes fit: those that do not, each with the reason, as JSON."""
    language = get_language() or "en"
    by_format: dict[str, dict[str, str]] = {}
    for key, book in offered().items():
        for shape, _label in SHAPES:
            why = format_of(shape).misfit(book)
            if why is not None:
                by_format.setdefault(key, {})[shape] = why.render(language)
    return json.dumps(by_format)


class AddressForm(forms.Form):
    """A form that asks for an e-mail address only where this installation sends e-mail."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.without_addresses()

    def without_addresses(self) -> None:
        """Take out what asks for an address, where no e-mail is sent."""
        if not is_offered():
            for name in (*MAIL, "mail"):
                self.fields.pop(name, None)


class GivenForm(AddressForm):
    """A form of the columns of a player (:data:`~tournament.models.players.GIVEN`)."""

    leave_out: tuple[str, ...] = ()
    how: Mapping[str, dict[str, Any]] = {
        "partner": {"required": False, "help_text": _("Only where pairs play.")},
        "club": {"required": False},
        "phone": {"widget": forms.TextInput(attrs={"type": "tel"})},
        "partner_phone": {"widget": forms.TextInput(attrs={"type": "tel"})},
    }

    def __init__(self, *given: Any, pairs: bool = True, **named: Any) -> None:
        super().__init__(*given, **named)
        for each in GIVEN:
            pair_alone = each.part == "partner" and not pairs
            if each.goes(To.FORM) and each.key not in self.leave_out and not pair_alone:
                how = {"label": each.label, **self.how.get(each.key, {})}
                self.fields[each.key] = form_field(each.column, **how)
        self.without_addresses()
        self.order_fields(("name", "partner", "club", *self.declared_fields, "category", "number"))


class PlayerForm(GivenForm):
    """One player at the door."""

    # Set on the page of requests, or corrected afterwards.
    leave_out = ("family", "keeps_score", "partner_email", "partner_phone")
    how = {
        **GivenForm.how,
        "number": {"required": False, "help_text": _("Empty: the next free one.")},
        "fixed_seat": {"label": _("Cannot change tables")},
    }
    reserve = forms.BooleanField(
        label=_("Reserve"),
        required=False,
        help_text=_("Plays only in the place of somebody who leaves."),
    )
    despite = forms.CharField(
        label=_("Reason to admit them all the same"),
        max_length=300,
        required=False,
        widget=forms.HiddenInput,
    )


class CorrectionForm(GivenForm):
    """Correction of a player's data."""

    leave_out = WISHES
    whole_club = forms.BooleanField(
        label=_("Change the club for all its players"),
        required=False,
        help_text=_("If another club already has that name, the two are merged."),
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
    """Players pasted from a message or from cells of a spreadsheet."""

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
            "XLSX, XLS, ODS, CSV, TXT, ZIP or VCF, as the secretary keeps it: names, clubs, numbers, e-mail addresses."
        ),
        widget=forms.ClearableFileInput(attrs={"accept": ".xlsx,.xls,.ods,.csv,.txt,.zip,.vcf"}),
    )
