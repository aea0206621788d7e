"""Controls of a page that has no form class: hidden values, labelled inputs, a button that does a verb."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from django import forms, template
from django.template import Context
from django.templatetags.static import static
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

register = template.Library()
BEGUN: Final = {"digits": {"inputmode": "numeric"}, "textarea": {"rows": "3"}}
CLASSES: Final = {"inline": "input", "short": "input--short"}
KINDS: Final[dict[str, type[forms.Widget]]] = {
    "check": forms.CheckboxInput,
    "digits": forms.TextInput,
    "email": forms.EmailInput,
    "number": forms.NumberInput,
    "radio": forms.RadioSelect,
    "search": forms.SearchInput,
    "select": forms.Select,
    "text": forms.TextInput,
    "textarea": forms.Textarea,
}


@register.simple_tag
def hidden(*named: object, of: Iterable[tuple[str, object]] = (), **sent: object) -> SafeString:
    """Return hidden inputs: ``named`` are a name, its value and so on; ``of`` pairs of the two."""
    rows = [*zip(named[::2], named[1::2], strict=True), *of, *sent.items()]
    line = '<input type="hidden" name="{}" value="{}">'
    return format_html_join("", line, ((name, "" if v is None else str(v)) for name, v in rows))


@register.inclusion_tag("parts/form/act.html", takes_context=True)
def act(
    context: Context,
    label: str,
    to: str = "",
    *where: object,
    look: str = "",
    row: str = "",
    about: str = "",
    **sent: object,
) -> dict[str, object]:
    """Return a form that is one button: it posts ``sent`` to a route, an address or this page.

    ``to``: the name of a route with the arguments ``where``, else an address. ``look``: the
    variants of the button; ``row``: the class of the form; ``about``: words for screen readers. The
    value of the button is its action (``verb``, ``act``).
    """
    verb = next((name for name in ("verb", "act") if name in sent), "")
    return {
        "csrf_token": context.get("csrf_token"),
        "label": label,
        "action": reverse(to, args=where) if where else to,
        "looks": look.split(),
        "row": row,
        "about": about,
        "verb": verb,
        "sent": {name: value for name, value in sent.items() if name != verb},
        "value": sent.get(verb, ""),
    }


@register.simple_tag
def field(
    name: str,
    label: str = "",
    kind: str = "text",
    *,
    value: object = None,
    choices: Iterable[tuple[object, object]] = (),
    none: str = "",
    help: str = "",
    optional: bool = False,
    look: str = "",
    apart: object = "",
    **attributes: object,
) -> SafeString:
    """Return a labelled input as ``parts/form/field.html`` renders it.

    ``kind``: one of ``KINDS``; ``none``: the word of no choice. ``look``: ``inline`` for the label
    and the input without a block of their own, ``short`` for a narrow one; variants of
    ``parts/form/choices.html`` for big radios. ``apart``: sets the id apart from those of other
    inputs of this name. ``attributes`` are those of the input: an underscore stands for a hyphen,
    and values that are false are left out.
    """
    looks = look.split()
    given: dict[str, object] = dict(BEGUN.get(kind, {}))
    if kind not in ("check", "radio"):
        given["class"] = " ".join(CLASSES[word] for word in looks)
    given |= {
        word.replace("_", "-"): each
        for word, each in attributes.items()
        if each is not None and each is not False and each != ""
    }
    if apart != "":
        given["id"] = f"id_{name}_{apart}"
    widget = KINDS[kind](attrs=given)
    if isinstance(widget, forms.Select | forms.RadioSelect):
        widget.choices = [*([("", none)] if none else []), *choices]
    form = forms.Form(use_required_attribute=False)
    form.fields[name] = forms.Field(
        label=label, help_text=help, initial=value, required=not optional, widget=widget
    )
    bound = form[name]
    if looks and kind == "radio":
        chosen = " ".join(f"choices--{word}" for word in looks)
        return bound.render("parts/form/choices.html", {"field": bound, "looks": chosen})
    if "inline" not in looks:
        return bound.as_field_group()
    if kind == "check":
        return format_html('<label class="check">{} <span>{}</span></label>', bound, label)
    before = format_html('<label for="{}">{}</label>', bound.id_for_label, label) if label else ""
    return format_html("{}{}", before, bound)


@register.simple_tag
def scripts(*names: str) -> SafeString:
    """Return the script elements of a page: modules of ``static/js``."""
    line = '<script type="module" src="{}"></script>'
    return format_html_join("\n", line, ((static(f"js/{name}.js"),) for name in names))


@register.simple_tag
def guide_link(guide: str, task: str) -> SafeString:
    """Return the item of the footer that leads to a task of a guide."""
    address = f"{reverse('guide', args=[guide])}#{task}"
    return format_html('<li><a href="{}">{}</a></li>', address, _("Guide"))


@register.inclusion_tag("parts/form/find_box.html")
def find_box(
    label: str,
    value: object = "",
    *,
    name: str = "q",
    id: str = "",
    action: str = "",
    listed: str = "",
    main: bool = False,
    of: Iterable[tuple[str, object]] = (),
    **sent: object,
) -> dict[str, object]:
    """Return a form that finds in a list.

    ``listed``: the selector of the list on this page that a script filters; ``main``: whether it is
    the one thing to do here; ``of``, ``sent``: what is sent along unless it is empty.
    """
    box = field(
        name,
        label,
        "search",
        look="inline",
        id=id,
        value=value,
        autocomplete="off",
        enterkeyhint="search",
        data_find=listed,
        data_text_count=_("{shown} of {all}"),
        data_text_none=_("No player found. Type fewer letters."),
    )
    return {
        "box": box,
        "action": action,
        "listed": listed,
        "main": main,
        "sent": [*of, *((word, each) for word, each in sent.items() if each)],
    }


@register.filter
def pairs(rows: Iterable[object], names: str) -> list[tuple[object, object]]:
    """Return two values of each row, named as in ``"code name"``: the choices of a field."""
    code, label = (template.Variable(f"row.{name}") for name in names.split())
    contexts = [Context({"row": row}) for row in rows]
    return [(code.resolve(each), label.resolve(each)) for each in contexts]


@register.filter
def hinted(choices: Iterable[tuple[object, tuple[str, str]]]) -> list[tuple[object, SafeString]]:
    """Return choices whose label is a word and a hint under it."""
    plain, both = "<span>{}</span>", '<span>{}</span><span class="choice__hint">{}</span>'
    return [(code, format_html(both if each[1] else plain, *each)) for code, each in choices]
