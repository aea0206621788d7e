"""The forms about an event as a whole: its settings, its copy, its end."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django import forms
from django.conf import settings
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ledger.errors import Refused
from tournament.documents.looks import ACCENT_COLOUR
from tournament.models import Event
from tournament.models.tables import BellRule, Depth, Protocol
from tournament.services.events import ANYTIME, BEFORE_PLAY
from tournament.services.logos import MOST_BYTES, read_logo
from tournament.views.desk import numbers_in
from tournament.views.forms import day_input, rulebook_choices


def stakes_of(event: Event) -> str:
    """The stakes of the first auction as they are typed."""
    return " ".join(map(str, event.options.get("stakes", ())))


class SettingsForm(forms.Form):
    """What may still change in an event; the rules only while they are not fixed."""

    name = forms.CharField(label=_("Name of the event"), max_length=120)
    place = forms.CharField(label=_("Place"), max_length=120, required=False)
    day = forms.DateField(label=_("Day"), widget=day_input())
    language = forms.ChoiceField(label=_("Language of the documents"), choices=settings.LANGUAGES)
    short_names = forms.BooleanField(
        label=_("Shorten names in public"),
        required=False,
        help_text=_("First name and initial on public pages and the hall screen."),
    )
    hide_last_rounds = forms.IntegerField(
        label=_("Last rounds kept hidden"),
        min_value=0,
        max_value=60,
        help_text=_(
            "Results of these rounds of each stage stay hidden until the standings are final or the "
            "event is finished."
        ),
    )
    sponsors = forms.CharField(
        label=_("Sponsors"),
        max_length=2000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_("One a line; shown at the foot of the hall screen."),
    )
    with_colour = forms.BooleanField(
        label=_("Show the club’s colour"),
        required=False,
        help_text=_(
            "On public pages, the hall screen and papers; texts in a shade that can be read."
        ),
    )
    colour = forms.CharField(
        label=_("Colour of the club"),
        required=False,
        widget=forms.ColorInput(),
    )
    logo = forms.FileField(
        label=_("Logo of the club"),
        required=False,
        widget=forms.FileInput(attrs={"accept": "image/png,image/jpeg"}),
        help_text=_("PNG or JPEG, at most 1 MB; on public pages, the hall screen and papers."),
    )
    remove_logo = forms.BooleanField(label=_("Remove the logo"), required=False)
    registration = forms.BooleanField(
        label=_("Players register themselves on a public page"),
        required=False,
        help_text=_("With a code for the door; you confirm each of them."),
    )
    registration_until = forms.DateTimeField(
        label=_("Registration closes"),
        required=False,
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        input_formats=["%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S"],
    )
    places = forms.IntegerField(
        label=_("Places"),
        min_value=1,
        max_value=5000,
        required=False,
        help_text=_("Players who register after that go on the waiting list."),
    )
    tell_illegal = forms.BooleanField(
        label=_("Tell the table of an illegal card before the deal ends"),
        required=False,
        help_text=_("Where deals are recorded card by card. The referee is told in any case."),
    )
    publish_conduct = forms.BooleanField(
        label=_("Publish rulings on conduct once they are final"),
        required=False,
        help_text=_(
            "Late arrival, slow play, talking and the like. Otherwise only the offender and the staff "
            "read them; others see the points that change at their table."
        ),
    )
    rulebook = forms.ChoiceField(label=_("Rulebook"), choices=rulebook_choices)
    stakes = forms.CharField(
        label=_("Stakes of the first auction"),
        max_length=60,
        required=False,
        help_text=_("Only for that rulebook: five amounts, for 0 to 4 cards exchanged."),
    )
    protocol = forms.ChoiceField(label=_("How a result becomes official"), choices=Protocol.choices)
    bell_rule = forms.ChoiceField(label=_("At the bell"), choices=BellRule.choices)
    depth = forms.ChoiceField(label=_("Level of detail"), choices=Depth.choices)

    def __init__(self, data: Any, files: Any, *, event: Event, fixed: bool) -> None:
        initial = {name: getattr(event, name) for name in (*ANYTIME, *BEFORE_PLAY)}
        looks = {"with_colour": bool(event.colour), "colour": event.colour or ACCENT_COLOUR}
        super().__init__(data, files, initial={**initial, **looks, "stakes": stakes_of(event)})
        self.event = event
        self.fixed = fixed
        if not event.logo:
            del self.fields["remove_logo"]
        if fixed:
            for name in (*BEFORE_PLAY, "stakes"):
                self.fields.pop(name, None)
        for stage in event.stages.all():
            self.fields[f"minutes_{stage.order}"] = forms.IntegerField(
                label=gettext("Minutes for a round: %(stage)s") % {"stage": stage.title},
                min_value=5,
                max_value=600,
                initial=stage.minutes,
                help_text=_("For rounds that start from now on."),
            )

    def clean_logo(self) -> bytes:
        """The picture sent, as it will be kept; empty where none was."""
        sent = self.cleaned_data["logo"]
        if sent is None:
            return b""
        try:
            return read_logo(sent.read(MOST_BYTES + 1))
        except Refused as refusal:
            raise forms.ValidationError(str(refusal)) from refusal

    def changes(self) -> dict[str, object]:
        """The settings as the service takes them."""
        data = self.cleaned_data
        changes = {name: data[name] for name in (*ANYTIME, *BEFORE_PLAY) if name in self.fields}
        changes["colour"] = data["colour"].lower() if data["with_colour"] else ""
        if not self.fixed:
            # The switches of another rulebook mean nothing in this one.
            same = data["rulebook"] == self.event.rulebook
            options = dict(self.event.options) if same else {}
            options.pop("stakes", None)
            amounts = numbers_in(data["stakes"])
            changes["options"] = options | ({"stakes": amounts} if amounts else {})
        return changes

    def minutes(self) -> dict[int, int]:
        """Order of a stage → minutes of its rounds."""
        return {
            int(name.removeprefix("minutes_")): value
            for name, value in self.cleaned_data.items()
            if name.startswith("minutes_")
        }


class CopyForm(forms.Form):
    """The same event again, a week later unless said."""

    name = forms.CharField(label=_("Name of the event"), max_length=120)
    day = forms.DateField(label=_("Day"), widget=day_input())
    players = forms.BooleanField(
        label=_("Register the same players"),
        required=False,
        help_text=_("With their numbers, clubs and requests; nobody is checked in."),
    )
    staff = forms.BooleanField(label=_("Give the same people the same roles"), required=False)

    def __init__(self, data: Any, *, event: Event) -> None:
        day = max(event.day + timedelta(days=7), timezone.localdate())
        name = event.name.replace(date_format(event.day), date_format(day))
        super().__init__(data, initial={"name": name, "day": day, "staff": True})


class FinishForm(forms.Form):
    """The end of an event, with what is still open knowingly left as it is."""

    despite_open = forms.BooleanField(label=_("Finish anyway"))


class DeleteForm(forms.Form):
    """A box that is ticked knowingly."""

    sure = forms.BooleanField(label=_("Yes, delete the event and the data of its players."))
