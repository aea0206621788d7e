"""The forms about an event as a whole: its settings, its copy, its end."""

from __future__ import annotations

from copy import copy
from datetime import timedelta
from typing import Any, ClassVar, Final

from django import forms
from django.conf import settings
from django.http import QueryDict
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ledger.errors import Refused
from tournament.documents.looks import ACCENT_COLOUR
from tournament.models import Event
from tournament.models.columns import To, names
from tournament.queries.rulebooks import Choice, choice
from tournament.services.events import BEFORE_PLAY
from tournament.services.logos import MOST_BYTES, read_logo
from tournament.views.forms import (
    EVENT,
    STAGE,
    RulebookForm,
    choice_field,
    form_field,
    rulebook_choices,
)
from tournament.views.typed import numbers_in


def stakes_of(event: Event) -> str:
    """Return the stakes of the first auction as typed in a form."""
    return " ".join(map(str, event.options.get("stakes", ())))


KEPT: Final = "kept"
"""The choice of a rulebook that leaves an event the club's rules that it was opened with."""


class SettingsForm(RulebookForm):
    """Settings that may still change; the rules only while they are not fixed."""

    class Meta:
        model = Event
        fields = names(Event, To.FORM)
        formfield_callback = form_field
        widgets: ClassVar = {
            "sponsors": forms.Textarea(attrs={"rows": 4}),
            "colour": forms.ColorInput(),
            "registration_until": forms.DateTimeInput(
                attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"
            ),
        }

    field_order = (
        *("name", "place", "day", "language", "short_names", "hide_last_rounds", "sponsors"),
        *("with_colour", "colour", "logo", "remove_logo", "registration", "registration_until"),
        *("places", "tell_illegal", "publish_play", "publish_conduct"),
        *("rulebook", "stakes", "protocol"),
    )
    language = choice_field(EVENT["language"], settings.LANGUAGES)
    rulebook = choice_field(EVENT["rulebook"], rulebook_choices)
    with_colour = forms.BooleanField(
        label=_("Show the club’s colour"),
        required=False,
        help_text=_(
            "On public pages, the hall screen and papers; texts in a shade that can be read."
        ),
    )
    logo = forms.FileField(
        label=_("Logo of the club"),
        required=False,
        widget=forms.FileInput(attrs={"accept": "image/png,image/jpeg"}),
        help_text=_("PNG or JPEG, at most 1 MB; on public pages, the hall screen and papers."),
    )
    remove_logo = forms.BooleanField(label=_("Remove the logo"), required=False)
    stakes = forms.CharField(
        label=_("Stakes of the first auction"),
        max_length=60,
        required=False,
        help_text=_("Only for that rulebook: five amounts, for 0 to 4 cards exchanged."),
    )

    def __init__(
        self,
        data: QueryDict | None,
        files: Any,
        *,
        event: Event,
        fixed: bool,
    ) -> None:
        looks = {"with_colour": bool(event.colour), "colour": event.colour or ACCENT_COLOUR}
        if event.house_rules:
            looks["rulebook"] = KEPT
        super().__init__(
            data, files, instance=copy(event), initial={**looks, "stakes": stakes_of(event)}
        )
        self.event = event
        self.fixed = fixed
        # A colour has no length in HTML.
        self.fields["colour"].widget.attrs.pop("maxlength", None)
        if event.house_rules:
            unchanged = (KEPT, _("as opened: %(name)s") % {"name": event.house_rules["title"]})
            self.fields["rulebook"] = choice_field(
                EVENT["rulebook"], [unchanged, *rulebook_choices()]
            )
        if not event.logo:
            del self.fields["remove_logo"]
        if fixed:
            for name in (*BEFORE_PLAY, "stakes"):
                self.fields.pop(name, None)
        for stage in event.stages.all():
            self.fields[f"minutes_{stage.order}"] = form_field(
                STAGE["minutes"],
                label=gettext("Minutes for a round: %(stage)s") % {"stage": stage.title},
                initial=stage.minutes,
                help_text=_("For rounds that start from now on."),
            )

    def clean_colour(self) -> str:
        """Return the colour as it will be stored; empty where none is shown."""
        data = self.cleaned_data
        return data["colour"].lower() if data["with_colour"] else ""

    def clean_logo(self) -> bytes:
        """Return the picture as it will be stored; empty without one."""
        sent = self.cleaned_data["logo"]
        if sent is None:
            return b""
        try:
            return read_logo(sent.read(MOST_BYTES + 1))
        except Refused as refusal:
            raise forms.ValidationError(str(refusal)) from refusal

    def chosen(self, wanted: str) -> Choice:
        """Return the rules chosen; those of the event as they are, with its switches, if they stay."""
        event = self.event
        as_it_is = Choice(event.rulebook, event.options, event.house_rules)
        chosen = as_it_is if wanted == KEPT else choice(wanted)
        same = (chosen.rulebook, chosen.house_rules) == (event.rulebook, event.house_rules)
        return as_it_is if same else chosen

    def changes(self) -> dict[str, object]:
        """Return the settings in the form for the service."""
        data = self.cleaned_data
        changes = {name: data[name] for name in self.Meta.fields if name in self.fields}
        if not self.fixed:
            changes["house_rules"] = self.choice.house_rules
            options = dict(self.choice.options)
            options.pop("stakes", None)
            amounts = numbers_in(data["stakes"])
            changes["options"] = options | ({"stakes": amounts} if amounts else {})
        return changes

    def minutes(self) -> dict[int, int]:
        """Map the order of a stage to the minutes of its rounds."""
        return {
            int(name.removeprefix("minutes_")): value
            for name, value in self.cleaned_data.items()
            if name.startswith("minutes_")
        }


class CopyForm(forms.Form):
    """A copy of the event, by default a week later."""

    name = form_field(EVENT["name"])
    day = form_field(EVENT["day"])
    players = forms.BooleanField(
        label=_("Register the same players"),
        required=False,
        help_text=_("With their numbers, clubs and requests; nobody is checked in."),
    )
    staff = forms.BooleanField(label=_("Give the same people the same roles"), required=False)

    def __init__(self, data: QueryDict | None, *, event: Event) -> None:
        day = max(event.day + timedelta(days=7), timezone.localdate())
        name = event.name.replace(date_format(event.day), date_format(day))
        super().__init__(data, initial={"name": name, "day": day, "staff": True})


class FinishForm(forms.Form):
    """The end of an event, with what is still open knowingly left as it is."""

    despite_open = forms.BooleanField(label=_("Finish anyway"))


class DeleteForm(forms.Form):
    """A box that is ticked knowingly."""

    sure = forms.BooleanField(label=_("Yes, delete the event and the data of its players."))
