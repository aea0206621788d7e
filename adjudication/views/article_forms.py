"""Forms in words for what an event may write into its penal code: its own articles, and ladders."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from adjudication.penal import (
    Article,
    Charge,
    DealRule,
    Ladder,
    Measure,
    Rulers,
    Step,
    Who,
    to_json,
)
from adjudication.penal.words import DEAL_RULES, MEASURES, RULERS, WHO
from adjudication.queries.shown import localized
from adjudication.services import codes

LANGUAGES: Final = (
    ("fr", pgettext_lazy("language", "French")),
    ("nl", pgettext_lazy("language", "Dutch")),
    ("en", pgettext_lazy("language", "English")),
)
MOST_STEPS: Final = 5
SHARES: Final = (("1/2", _("half the penalty")), ("1", _("the penalty")), ("2", _("twice it")))
_WHO: Final = (Who.PLAYER, Who.DEALER, Who.SIDE, Who.ENTRANT)
_STEPS: Final = (
    Measure.NONE,
    Measure.PUT_RIGHT,
    Measure.WARNING,
    Measure.PENALTY,
    Measure.ROUND_FORFEITED,
    Measure.EXCLUDED_FROM_ROUND,
    Measure.DISQUALIFIED,
)
_DEALS: Final = (DealRule.STANDS, DealRule.REDEALT, DealRule.PASSES)
_ESTABLISHED: Final = {
    "en": "when the referee finds it",
    "fr": "constat de l’arbitre",
    "nl": "vaststelling door de scheidsrechter",
}


def _rulers_field(chosen: Rulers) -> forms.ChoiceField:
    return forms.ChoiceField(
        label=_("Who may rule"),
        choices=[(each.value, localized(RULERS[each])) for each in Rulers],
        initial=chosen.value,
        help_text=_(
            "Exclusion, disqualification and points above the penalty at the referee’s discretion always require "
            "the chief referee or the director and a second person."
        ),
    )


def _measures(*listed: Measure) -> list[tuple[str, object]]:
    return [("", "–"), *((m.value, localized(MEASURES[m])) for m in listed)]


class ArticleForm(forms.Form):
    """A house article of the event: the offence, its possible offender, its penalty and its scale.

    A text in one language is enough; missing languages show that text.
    """

    def __init__(self, data: QueryDict | None, initial: dict[str, object] | None = None) -> None:
        super().__init__(data, initial=initial)
        self.fields["id"] = forms.CharField(
            label=_("Number"),
            max_length=20,
            initial="H-1",
            help_text=_("H- followed by capitals or digits."),
        )
        for kind, label, limit, area in (
            ("title", _("Title"), 120, False),
            ("text", _("Text"), 600, True),
            ("words", _("Words that people say"), 200, False),
        ):
            for code, language in LANGUAGES:
                self.fields[f"{kind}_{code}"] = forms.CharField(
                    label=f"{label} ({language})",
                    max_length=limit,
                    required=False,
                    widget=forms.Textarea({"rows": 2}) if area else forms.TextInput(),
                )
        self.fields["who"] = forms.ChoiceField(
            label=_("Who can commit it"), choices=[(w.value, localized(WHO[w])) for w in _WHO]
        )
        self.fields["measure"] = forms.ChoiceField(
            label=_("What it costs"),
            choices=[
                ("penalty", _("the penalty at once; the deal counts as well")),
                ("ladder", _("rises with repetition, as below")),
                ("discretion", _("the referee decides, with a written reason")),
                ("none", _("nothing: it is put right")),
            ],
            widget=forms.RadioSelect,
            initial="ladder",
        )
        self.fields["share"] = forms.ChoiceField(label=_("Penalty"), choices=SHARES, initial="1")
        for at, label, first in (
            (1, _("First time"), Measure.WARNING),
            (2, _("Second time"), Measure.PENALTY),
            (3, _("Third time and later"), None),
        ):
            self.fields[f"step_{at}"] = forms.ChoiceField(
                label=label,
                choices=_measures(*_STEPS),
                required=False,
                initial=first.value if first else "",
            )
        self.fields["scope"] = forms.ChoiceField(
            label=_("Repetition is counted"),
            choices=[
                ("event", _("over the whole event")),
                ("match", _("within the match")),
            ],
        )
        self.fields["deal"] = forms.ChoiceField(
            label=_("Deal"), choices=[(d.value, localized(DEAL_RULES[d])) for d in _DEALS]
        )
        self.fields["rulers"] = _rulers_field(Rulers.REFEREE)
        self.fields["decided"] = forms.CharField(label=_("Where it was decided"), max_length=120)
        self.fields["reason"] = forms.CharField(label=_("Reason of the change"), max_length=300)

    def clean(self) -> dict[str, object]:
        """Require a title and a text in at least one language, and a first step for a ladder."""
        data: dict[str, object] = super().clean() or {}
        for kind in ("title", "text"):
            if not any(data.get(f"{kind}_{code}") for code, _language in LANGUAGES):
                self.add_error(f"{kind}_fr", _("Enter it in at least one language."))
        if data.get("measure") == "ladder" and not data.get("step_1"):
            self.add_error("step_1", _("Enter the penalty for the first time."))
        return data

    def _texts(self, kind: str) -> dict[str, str]:
        data = self.cleaned_data
        given = [data[f"{kind}_{code}"] for code, _language in LANGUAGES]
        first = next(filter(None, given), "")
        return {code: data[f"{kind}_{code}"] or first for code in ("en", "fr", "nl")}

    def article(self) -> dict[str, object]:
        """Return the article in the penal code's form; call after ``is_valid``."""
        data = self.cleaned_data
        article: dict[str, object] = {
            "id": data["id"],
            "kind": "conduct",
            "origin": "house",
            "who": data["who"],
            "title": self._texts("title"),
            "text": self._texts("text"),
            "keywords": self._texts("words"),
            "citation": {"source": data["decided"], "rule": "", "quote": ""},
            "established": _ESTABLISHED,
            "deal": data["deal"],
            "facts": [codes.fact_field("offender")],
            "charge": "penalty",
        }
        if data["measure"] == "none":
            article["charge"] = "none"
        elif data["measure"] == "discretion":
            article.update(charge="ladder", discretionary=True, facts=codes.discretion_fields())
        elif data["measure"] == "ladder" or data["share"] != "1":
            article.update(charge="ladder", ladder=self._ladder())
        return article

    def _ladder(self) -> dict[str, object]:
        data = self.cleaned_data
        measures = [Measure.PENALTY.value]
        if data["measure"] == "ladder":
            measures = [data[f"step_{at}"] for at in (1, 2, 3) if data[f"step_{at}"]]
        last = len(measures)
        return {
            "by": "offence",
            "scope": data["scope"],
            "steps": [
                {
                    "upto": at if at < last else None,
                    "measure": measure,
                    "share": data["share"],
                    "deals": 0,
                }
                for at, measure in enumerate(measures, start=1)
            ],
        }


def initial_of(article: Article) -> dict[str, object] | None:
    """Return the fields of :class:`ArticleForm` for an article; ``None`` if they cannot express it completely."""
    plain = not (article.conditions or article.options or article.cases)
    ladder = article.ladder
    steps = ladder.steps if ladder is not None else ()
    if not plain or article.deal not in _DEALS or article.who not in _WHO or len(steps) > 3:
        return None
    initial: dict[str, object] = {
        "id": article.id,
        "who": article.who.value,
        "deal": article.deal.value,
        "decided": article.citation.source,
        "share": str(steps[-1].share) if steps else "1",
        "scope": ladder.scope.value if ladder is not None else "event",
    }
    if article.discretionary:
        initial["measure"] = "discretion"
    elif article.charge is Charge.NONE:
        initial["measure"] = "none"
    elif len(steps) > 1 or (steps and steps[0].measure is not Measure.PENALTY):
        initial["measure"] = "ladder"
    else:
        initial["measure"] = "penalty"
    for at in (1, 2, 3):
        initial[f"step_{at}"] = steps[at - 1].measure.value if at <= len(steps) else ""
    for kind, text in (
        ("title", article.title),
        ("text", article.text),
        ("words", article.keywords),
    ):
        for code, _language in LANGUAGES:
            initial[f"{kind}_{code}"] = text.render(code)
    return initial


class RulersForm(forms.Form):
    """Rank required to rule under an article without a scale of penalties."""

    def __init__(self, data: QueryDict | None, *, rulers: Rulers) -> None:
        super().__init__(data)
        self.fields["rulers"] = _rulers_field(rulers)
        self.fields["reason"] = forms.CharField(label=_("Reason of the change"), max_length=300)


class LadderForm(forms.Form):
    """The rungs of an article that rises: up to which offence or minute, what, and how much."""

    def __init__(self, article: Article, data: QueryDict | None, *, rulers: Rulers) -> None:
        super().__init__(data)
        self.article = article
        ladder = article.ladder
        steps = ladder.steps if ladder is not None else ()
        used = [step.measure for step in steps]
        known = [*_STEPS, Measure.DEALS_CONCEDED, Measure.REDEAL, Measure.DEAL_PASSES]
        measures = _measures(*dict.fromkeys([*known, *used]))
        for at in range(1, MOST_STEPS + 1):
            step = steps[at - 1] if at <= len(steps) else None
            self.fields[f"upto_{at}"] = forms.IntegerField(
                label=_("%(n)d. Up to") % {"n": at},
                min_value=1,
                max_value=600,
                required=False,
                initial=step.upto if step else None,
                help_text=_("Leave the last step empty: everything above."),
            )
            self.fields[f"measure_{at}"] = forms.ChoiceField(
                label=_("%(n)d. Action") % {"n": at},
                choices=measures,
                required=False,
                initial=step.measure.value if step else "",
            )
            self.fields[f"share_{at}"] = forms.ChoiceField(
                label=_("%(n)d. Points, for a penalty or each deal conceded") % {"n": at},
                choices=SHARES,
                required=False,
                initial=str(step.share) if step else "1",
            )
            self.fields[f"deals_{at}"] = forms.IntegerField(
                label=_("%(n)d. Deals conceded") % {"n": at},
                min_value=0,
                max_value=20,
                required=False,
                initial=step.deals if step and step.deals else None,
            )
        self.fields["rulers"] = _rulers_field(rulers)
        self.fields["reason"] = forms.CharField(label=_("Reason of the change"), max_length=300)

    def ladder(self) -> dict[str, object]:
        """Return the ladder in the penal code's form; call after ``is_valid``."""
        data = self.cleaned_data
        ladder = self.article.ladder
        if ladder is None:
            raise ValueError(f"{self.article.id} has no ladder")
        steps = tuple(
            Step(
                data[f"upto_{at}"],
                Measure(data[f"measure_{at}"]),
                Fraction(data[f"share_{at}"] or "1"),
                data[f"deals_{at}"] or 0,
            )
            for at in range(1, MOST_STEPS + 1)
            if data[f"measure_{at}"]
        )
        ladder_data: dict[str, object] = to_json(Ladder(ladder.by, steps, ladder.scope))
        return ladder_data
