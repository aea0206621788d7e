"""Form of a ranking rule: criteria by their place, their parameters, and the rule's other settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from fractions import Fraction
from typing import Any, Final

from django import forms
from django.http import QueryDict
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from ledger.errors import Refused
from scoring.texts import Message
from tournament.ranking.clubs import ClubRule
from tournament.ranking.criteria import CRITERIA
from tournament.ranking.criteria.bracket import BracketPlace
from tournament.ranking.criteria.opposition import SCORES
from tournament.ranking.examples import example_of
from tournament.ranking.model import Credit, LineKind, Number, Param, Rule, Use, use
from tournament.ranking.rule_words import CAPS, CLUBS, CREDITS, OUTCOMES, PER
from tournament.ranking.rulejson import number_as_json, rule_as_json
from tournament.services.ranking_rules import MOST, read_rule

CODES: Final = tuple(sorted((code for code in CRITERIA if code != BracketPlace.code), key=str))
"""The criteria that a director can choose; the place in a bracket comes by itself."""

WITHDRAWN: Final = (
    ("kept", gettext_lazy("keep their results and their rank")),
    ("unranked", gettext_lazy("are listed last, without a rank; their results stand")),
    ("struck", gettext_lazy("all their games are deleted, for their opponents too")),
)

_PARAMETERS: Final[Mapping[str, Any]] = {
    "draw": gettext_lazy("A tied game counts as"),
    "per": gettext_lazy("Points for"),
    "of": gettext_lazy("Score of the opponents"),
    "worst": gettext_lazy("Lowest scores left out"),
    "each": gettext_lazy("Scores left out at each end"),
    "total": gettext_lazy("Points shared in a match"),
    "bounds": gettext_lazy("Differences that are worth one more each"),
}


def _choices(words: Mapping[Any, Message]) -> list[tuple[str, str]]:
    language = get_language() or "en"
    return [("" if key is None else str(key), text.render(language)) for key, text in words.items()]


class ExactField(forms.Field):
    """A whole number or a part: ``2``, ``1/2``, ``0,5`` or ``½``."""

    def __init__(self, **more: Any) -> None:
        super().__init__(required=False, widget=forms.TextInput(attrs={"maxlength": 12}), **more)

    def to_python(self, value: object) -> object:
        """Convert the number to its form in JSON; 0 where nothing is typed."""
        text = str(value or "0").strip()[:20].replace("\u2212", "-").replace(",", ".")
        text = text.replace("½", ".5" if text[:1].isdigit() else "1/2")
        try:
            number = Fraction(text)
        except (ValueError, ZeroDivisionError):
            number = Fraction(MOST + 1)
        if abs(number) > MOST or number.denominator > 100:
            raise forms.ValidationError(_("Type a number, such as 2, 1/2 or 0.5."))
        return number_as_json(number)


def _shown(value: Number) -> str:
    return str(value)


def _parameter(name: str, value: Param) -> forms.Field:
    label = _PARAMETERS[name]
    if name == "draw":
        choices = [("0", _("nothing")), ("1/2", _("half a game won")), ("1", _("a game won"))]
        if str(value) not in dict(choices):
            choices.append((str(value), str(value)))
        return forms.ChoiceField(label=label, choices=choices, initial=str(value))
    if name == "per":
        return forms.ChoiceField(label=label, choices=_choices(PER), initial=value)
    if name == "of":
        scores = {code: CRITERIA[code].name for code in SCORES}
        return forms.ChoiceField(label=label, choices=_choices(scores), initial=value)
    if name == "bounds":
        assert isinstance(value, tuple)  # noqa: S101  the scale of victory points
        return forms.CharField(
            label=label, max_length=200, initial=", ".join(map(str, value)), required=False
        )
    most = 20 if name in ("worst", "each") else MOST
    return forms.IntegerField(label=label, min_value=1, max_value=most, initial=int(str(value)))


class RankingForm(forms.Form):
    """A rule by the place of each criterion; empty places are not used."""

    def __init__(self, data: QueryDict | None = None, *, rule: Rule, bye: LineKind) -> None:
        super().__init__(data)
        self.before, self.bye = rule, bye
        used = {each.code: (place, each) for place, each in enumerate(rule.criteria, start=1)}
        for code in CODES:
            place, use = used.get(code, (None, Use(code)))
            self.fields[f"{code}-place"] = forms.IntegerField(
                label=_("Place"), min_value=1, max_value=99, required=False, initial=place
            )
            own = dict(use.params)
            for entry in fields(CRITERIA[code]):
                value = own.get(entry.name, entry.default)
                self.fields[f"{code}-{entry.name}"] = _parameter(entry.name, value)  # type: ignore[arg-type]  # every default is a parameter
        for name, label, amount in (
            ("win", _("Match points for a win"), rule.win),
            ("draw", _("Match points for a tie"), rule.draw),
            ("loss", _("Match points for a loss"), rule.loss),
        ):
            self.fields[name] = ExactField(label=label, initial=_shown(amount))
        self.fields["cap"] = forms.IntegerField(
            label=_("One game counts for at most"),
            min_value=1,
            max_value=MOST,
            required=False,
            initial=rule.cap.amount if rule.cap else None,
            help_text=_("Empty: no limit."),
        )
        self.fields["cap_on"] = forms.ChoiceField(
            label=_("This limits"),
            choices=_choices(CAPS),
            initial=str(rule.cap.on) if rule.cap else "net",
        )
        self._credit("bye", _("A bye"), rule.bye if bye is LineKind.BYE else rule.sat_out)
        self.fields["withdrawn"] = forms.ChoiceField(
            label=_("Players who withdraw"), choices=WITHDRAWN, initial=str(rule.withdrawn)
        )

    def _credit(self, name: str, what: str, credit: Credit) -> None:
        self.fields[f"{name}-outcome"] = forms.ChoiceField(
            label=_("%(what)s counts as") % {"what": what},
            choices=_choices(OUTCOMES),
            required=False,
            initial=str(credit.outcome or ""),
            help_text=_("“No result” with one’s own average: the average in every criterion."),
        )
        self.fields[f"{name}-by"] = forms.ChoiceField(
            label=_("%(what)s: its points") % {"what": what},
            choices=_choices(CREDITS),
            initial=str(credit.by),
        )
        self.fields[f"{name}-marks"] = ExactField(
            label=_("If fixed: points"), initial=_shown(credit.marks)
        )
        self.fields[f"{name}-net"] = ExactField(
            label=_("If fixed: difference"), initial=_shown(credit.net)
        )

    def clean(self) -> dict[str, object]:
        """Read the rule as a whole: a criterion in each place, a scale that rises."""
        data = super().clean() or self.cleaned_data
        if self.errors:
            return data
        places: dict[int, str] = {}
        for code in CODES:
            place = data[f"{code}-place"]
            if place and places.setdefault(place, code) != code:
                self.add_error(f"{code}-place", _("Two criteria have this place."))
        if not places:
            self.add_error(None, _("Choose at least one criterion: give it a place."))
        if not self.errors:
            try:
                data["rule"] = read_rule(self._json(data, [places[at] for at in sorted(places)]))
            except Refused as refusal:
                self.add_error(None, str(refusal))
        return data

    def _json(self, data: Mapping[str, object], codes: list[str]) -> dict[str, object]:
        before = rule_as_json(self.before)
        credits = {name: before[name] for name in ("bye", "sat_out")}
        credits[str(self.bye)] = {
            "by": data["bye-by"],
            "outcome": data["bye-outcome"] or None,
            "marks": data["bye-marks"],
            "net": data["bye-net"],
        }
        return {
            "criteria": [{"code": code, "params": self._params(code, data)} for code in codes],
            "win": data["win"],
            "draw": data["draw"],
            "loss": data["loss"],
            "cap": {"amount": data["cap"], "on": data["cap_on"]} if data["cap"] else None,
            "withdrawn": data["withdrawn"],
            **credits,
        }

    def _params(self, code: str, data: Mapping[str, object]) -> dict[str, object]:
        """Return the parameters of a criterion that differ from its own."""
        params: dict[str, object] = {}
        for entry in fields(CRITERIA[code]):
            given = data[f"{code}-{entry.name}"]
            if entry.name == "bounds":
                words = str(given).replace(",", " ").split()
                given = [int(word) if word.isascii() and word.isdigit() else 0 for word in words]
            default = entry.default
            plain = list(default) if isinstance(default, tuple) else str(default)
            if (given if isinstance(given, list) else str(given)) != plain:
                params[entry.name] = given
        return params

    @property
    def in_force(self) -> Rule:
        """The rule typed, where it can be used; else the one before it."""
        rule = self.cleaned_data.get("rule") if self.is_bound and self.is_valid() else None
        return rule if isinstance(rule, Rule) else self.before

    def rows(self) -> list[dict[str, object]]:
        """Return every criterion with its fields, its explanation and its example; those used come first."""
        language, rule = get_language() or "en", self.in_force
        used = {each.code: each for each in rule.criteria}
        order = [*(each.code for each in rule.criteria if each.code in CODES)]
        order += [code for code in CODES if code not in used]
        return [
            {
                "name": CRITERIA[code].name.render(language),
                "explanation": CRITERIA[code].explanation.render(language),
                "place": self[f"{code}-place"],
                "parameters": [self[f"{code}-{entry.name}"] for entry in fields(CRITERIA[code])],
                "example": example_of(rule, used.get(code, use(code)), language),
            }
            for code in order
        ]

    def groups(self) -> list[dict[str, object]]:
        """Return the fields outside the criteria, by subject."""
        parts = (
            (_("Match points"), "win draw loss"),
            (_("Limit of a game"), "cap cap_on"),
            (_("A bye"), "bye-outcome bye-by bye-marks bye-net"),
            (_("Withdrawal"), "withdrawn"),
        )
        return [
            {"title": title, "fields": [self[name] for name in names.split()]}
            for title, names in parts
        ]

    def json(self) -> dict[str, object]:
        """Return the typed rule in the form for the service."""
        return dict(rule_as_json(self.cleaned_data["rule"]))


class ClubForm(forms.Form):
    """Ranking of a stage's clubs."""

    by = forms.ChoiceField(label=gettext_lazy("Clubs are ranked by"))
    best = forms.IntegerField(
        label=gettext_lazy("Members of a club that count, the best first"),
        min_value=1,
        max_value=MOST,
        required=False,
        help_text=gettext_lazy("Empty: all."),
    )
    least = forms.IntegerField(
        label=gettext_lazy("Members a club needs for a rank"),
        min_value=1,
        max_value=MOST,
        initial=1,
    )

    def __init__(self, data: QueryDict | None = None, *, rule: ClubRule) -> None:
        super().__init__(data, initial={"by": str(rule.by), "best": rule.best, "least": rule.least})
        by = self.fields["by"]
        assert isinstance(by, forms.ChoiceField)  # noqa: S101  declared above
        by.choices = _choices(CLUBS)
