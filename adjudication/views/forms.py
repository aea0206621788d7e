"""Forms of the referees: the facts that an article asks for, made from its own fields."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from adjudication.penal import Article, Claimed, FactField, FactType
from adjudication.selectors.shown import language, people_of, said
from adjudication.services.cases import Case
from scoring.engine.cards import CARD_NAMES
from scoring.engine.speech import with_signs
from scoring.engine.texts import Texts

PREFIX = "f"
MISSING = Texts(en="must be stated", fr="doit être indiqué", nl="moet worden opgegeven")
YES_NO = [("yes", _("yes")), ("no", _("no"))]
CLAIMED = [
    (Claimed.IN_TIME.value, _("in time")),
    (Claimed.AFTER_SIGNATURES.value, _("after both sides had signed")),
    (Claimed.AFTER_ROUND.value, _("after the end of the round")),
]


def _field(fact: FactField, players: dict[str, str]) -> forms.Field:
    shared: dict[str, Any] = {
        "label": said(fact.label), "help_text": said(fact.help), "required": fact.required,
        "error_messages": {"required": said(MISSING)},
    }  # fmt: skip
    if fact.type in (FactType.INT, FactType.TRICK):
        return forms.IntegerField(
            min_value=fact.minimum, max_value=fact.maximum, **shared,
            widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
        )  # fmt: skip
    empty: list[tuple[str, Any]] = [("", "–")]
    if fact.type is FactType.BOOL:
        choices = list(YES_NO) if fact.required else [*empty, *YES_NO]
        return forms.ChoiceField(choices=choices, widget=forms.RadioSelect, **shared)
    if fact.type is FactType.SEAT:
        return forms.ChoiceField(choices=[*empty, *players.items()], **shared)
    if fact.type is FactType.CARD:
        return forms.ChoiceField(
            choices=[*empty, *((name, with_signs(name, language())) for name in CARD_NAMES)],
            **shared,
        )
    return forms.ChoiceField(
        choices=[*empty, *((code, said(label)) for code, label in fact.choices)], **shared
    )


class FactsForm(forms.Form):
    """The facts of one article; the penal code itself says which are missing or impossible.

    ``defects`` (field → reason, of a refusal) are shown at their fields.
    """

    use_required_attribute = False

    def __init__(self, article: Article, case: Case, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("prefix", PREFIX)
        if args and args[0] is not None and f"{PREFIX}-claimed" not in args[0]:
            # A link that states facts says nothing of the claim: the record knows when it was.
            args = ({**dict(args[0].items()), f"{PREFIX}-claimed": case.claimed.value}, *args[1:])
        super().__init__(*args, **kwargs)
        self.article = article
        players = people_of(case)
        for fact in article.facts:
            self.fields[fact.name] = _field(fact, players)
            if fact.type is FactType.SEAT and fact.name == "dealer" and case.dealer:
                self.fields[fact.name].initial = case.places.player(case.dealer)
        if article.within_deal:
            self.fields["claimed"] = forms.ChoiceField(
                label=_("The referee was called"), choices=CLAIMED, required=True,
                initial=case.claimed.value,
                help_text=_("Claims are admitted until both sides have signed."),
            )  # fmt: skip

    def facts(self) -> dict[str, Any]:
        """The facts as the penal code reads them; call after ``is_valid``."""
        found: dict[str, Any] = {}
        for fact in self.article.facts:
            value = self.cleaned_data.get(fact.name)
            if value is None or value == "":
                continue
            found[fact.name] = value == "yes" if fact.type is FactType.BOOL else value
        return found

    @property
    def claimed(self) -> str:
        """When the referee was called, as stated."""
        return str(self.cleaned_data.get("claimed") or "")

    def blame(self, defects: dict[str, str]) -> None:
        """Show the refusal's reasons at their fields."""
        for name, reason in defects.items():
            self.add_error(name if name in self.fields else None, reason)


def posted(article: Article, facts: dict[str, Any], claimed: str = "") -> dict[str, Any]:
    """Facts as the form's fields carry them (for a link or a form filled in before)."""
    found: dict[str, Any] = {}
    for fact in article.facts:
        if fact.name in facts:
            value = facts[fact.name]
            shown = ("yes" if value else "no") if fact.type is FactType.BOOL else value
            found[f"{PREFIX}-{fact.name}"] = shown
    if claimed:
        found[f"{PREFIX}-claimed"] = claimed
    return found
