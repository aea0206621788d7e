"""Forms of the referees: the facts that an article asks for, made from its own fields."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, TypedDict

from django import forms
from django.utils.translation import gettext_lazy as _

from adjudication.models import Heard, Tie
from adjudication.penal import Article, Claimed, FactField, FactType
from adjudication.penal.decision import CHOICE_FACT
from adjudication.queries.cases import Case
from adjudication.queries.shown import CLAIMED, language, localized, people_of
from adjudication.services.appeals import Candidate
from scoring.engine.cards import RANKS, SUITS
from scoring.engine.speech import with_signs

PREFIX = "f"
MISSING = _("must be stated")
YES_NO = [("yes", _("yes")), ("no", _("no"))]


def _field(fact: FactField, players: dict[str, str]) -> forms.Field:
    shared: dict[str, Any] = {
        "label": localized(fact.label),
        "help_text": localized(fact.help),
        "required": fact.required,
        "error_messages": {"required": MISSING},
    }
    if fact.type in (FactType.INT, FactType.TRICK):
        return forms.IntegerField(
            min_value=fact.minimum,
            max_value=fact.maximum,
            **shared,
            widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
        )
    if fact.type is FactType.CARD:
        return forms.ChoiceField(choices=_pack(), widget=CardKeys, **shared)
    choices: list[tuple[str, object]] = [(code, localized(label)) for code, label in fact.choices]
    if fact.type is FactType.BOOL:
        choices = list(YES_NO)
    elif fact.type is FactType.SEAT:
        choices = list(players.items())
    if not fact.required:
        choices.append(("", _("not stated")))
    return forms.ChoiceField(choices=choices, widget=forms.RadioSelect, **shared)


class CardKeys(forms.RadioSelect):
    """The pack to tap: eight keys a suit."""


def _pack() -> list[tuple[str, object]]:
    pack = [f"{rank}{suit}" for suit in SUITS for rank in RANKS]
    return [("", _("not stated")), *((card, with_signs(card, language())) for card in pack)]


class FactsForm(forms.Form):
    """Facts of one article; the penal code itself validates them.

    ``known`` facts, taken from the record or from the tapped tile, are pre-filled for review.
    ``defects`` (field → reason, from a refusal) are shown at their fields.
    """

    use_required_attribute = False

    def __init__(
        self,
        article: Article,
        case: Case,
        data: Mapping[str, object] | None = None,
        known: Mapping[str, object] | None = None,
    ) -> None:
        if data is not None and f"{PREFIX}-claimed" not in data:
            # A link with facts lacks the time of the claim: take it from the record.
            data = {**dict(data.items()), f"{PREFIX}-claimed": case.claimed.value}
        super().__init__(data, prefix=PREFIX)
        self.article, self.case = article, case
        self.in_time = case.claimed is Claimed.IN_TIME
        players = people_of(case)
        for fact in article.facts:
            self.fields[fact.name] = _field(fact, players)
        for name, value in (known or {}).items():
            self.fields[name].initial = shown_value(value)
        if article.within_deal:
            self.fields["claimed"] = forms.ChoiceField(
                label=_("The referee was called"),
                choices=CLAIMED,
                required=True,
                widget=forms.RadioSelect,
                initial=case.claimed.value,
                help_text=_("Claims are admitted until both sides have signed."),
            )

    def _first(self, name: str) -> bool:
        if name == "claimed":
            return not self.in_time
        return self.fields[name].required or name == CHOICE_FACT

    def questions(self) -> list[forms.BoundField]:
        """Return the fields of the facts that decide the article."""
        return [self[name] for name in self.fields if self._first(name)]

    def further(self) -> list[forms.BoundField]:
        """Return the fields of the optional and the known facts."""
        return [self[name] for name in self.fields if not self._first(name)]

    def further_wrong(self) -> bool:
        """Whether one of those that may be added was refused."""
        return self.is_bound and any(field.errors for field in self.further())

    def facts(self) -> dict[str, object]:
        """Return the facts in the penal code's form; call after ``is_valid``."""
        facts: dict[str, object] = {}
        for fact in self.article.facts:
            value = self.cleaned_data.get(fact.name)
            if value is None or value == "":
                continue
            facts[fact.name] = value == "yes" if fact.type is FactType.BOOL else value
        return facts

    @property
    def claimed(self) -> str:
        """When the referee was called, as stated."""
        return str(self.cleaned_data.get("claimed") or "")

    def blame(self, defects: dict[str, str]) -> None:
        """Show the refusal's reasons at their fields."""
        for name, reason in defects.items():
            self.add_error(name if name in self.fields else None, reason)


def shown_value(value: object) -> object:
    """Return a fact as a value of the form's fields."""
    return ("yes" if value else "no") if isinstance(value, bool) else value


def posted(article: Article, facts: dict[str, object], claimed: str = "") -> dict[str, object]:
    """Return facts as values of the form's fields (for a link or a pre-filled form)."""
    fields: dict[str, object] = {}
    for fact in article.facts:
        if fact.name in facts:
            fields[f"{PREFIX}-{fact.name}"] = shown_value(facts[fact.name])
    if claimed:
        fields[f"{PREFIX}-claimed"] = claimed
    return fields


class Hearing(TypedDict, total=False):
    """Members, hearing and vote of a committee as its form gives them."""

    members: list[int]
    heard: list[str]
    hearing_at: datetime | None
    votes_for: int | None
    votes_against: int | None
    tie: str


class HearingForm(forms.Form):
    """Decision of an appeals committee: members, hearing, vote, outcome and reasons.

    ``again``: in the second instance, where the votes are for the committee's decision.
    """

    hearing_at = forms.DateTimeField(
        label=_("Time of the hearing"),
        required=False,
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        input_formats=["%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S"],
        error_messages={"invalid": _("Enter a day and a time.")},
        help_text=_("Empty: now."),
    )
    heard = forms.MultipleChoiceField(
        label=_("Heard"),
        required=False,
        choices=Heard.choices,
        widget=forms.CheckboxSelectMultiple,
    )
    votes_for = forms.IntegerField(
        label=_("Votes for the ruling"),
        required=False,
        min_value=0,
        max_value=99,
        help_text=_("Empty: the committee was unanimous."),
    )
    votes_against = forms.IntegerField(
        label=_("Votes against"), required=False, min_value=0, max_value=99
    )
    tie = forms.ChoiceField(
        label=_("If the votes are equal"),
        required=False,
        choices=[("", _("they are not")), *Tie.choices],
        widget=forms.RadioSelect,
    )
    outcome = forms.ChoiceField(
        label=_("The committee decides"),
        choices=[
            ("upheld", _("Uphold")),
            ("changed", _("Change: facts or article, on the next page")),
            ("overturned", _("Overturn")),
        ],
        widget=forms.RadioSelect,
    )
    decision = forms.CharField(
        label=_("Reason"), max_length=1000, widget=forms.Textarea(attrs={"rows": 3})
    )

    def __init__(
        self, listed: Sequence[Candidate], *args: Any, again: bool = False, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.fields["members"] = forms.MultipleChoiceField(
            label=_("Other members of the committee"),
            choices=[(each.user, each.name) for each in listed if not each.barred],
            help_text=_("; ").join(
                f"{each.name}{_(':')} {each.barred}" for each in listed if each.barred
            ),
            widget=forms.CheckboxSelectMultiple,
            error_messages={
                "required": _("A committee has at least two members: name the others.")
            },
        )
        self.order_fields(("members",))
        if again:
            self.fields["votes_for"].label = _("Votes for the committee’s decision")

    def hearing(self) -> Hearing:
        """Return members, hearing and vote as the service takes them."""
        given = self.cleaned_data
        return {
            "members": [int(each) for each in given["members"]],
            "heard": given["heard"],
            "hearing_at": given["hearing_at"],
            "votes_for": given["votes_for"],
            "votes_against": given["votes_against"],
            "tie": given["tie"],
        }

    def to_store(self) -> dict[str, object]:
        """Return the decision and the hearing for the session, while the ruling is changed."""
        held = self.cleaned_data["hearing_at"]
        return {
            **self.hearing(),
            "hearing_at": held.isoformat() if held else None,
            "decision": self.cleaned_data["decision"],
        }


def stored_hearing(stored: Mapping[str, Any]) -> Hearing:
    """Return the hearing that :meth:`HearingForm.to_store` stored."""
    held = stored.get("hearing_at")
    return {
        "members": list(stored.get("members", [])),
        "heard": list(stored.get("heard", [])),
        "hearing_at": datetime.fromisoformat(held) if held else None,
        "votes_for": stored.get("votes_for"),
        "votes_against": stored.get("votes_against"),
        "tie": stored.get("tie", ""),
    }
