"""Rendering of forms: Django's renderer with the templates of ``parts/form/``."""

from __future__ import annotations

from django.forms.boundfield import BoundField
from django.forms.renderers import DjangoTemplates
from django.template.loader import get_template


class NamedField(BoundField):
    """A field of a form; the id of its widget, where it has one, also names its help and its error."""

    @property
    def auto_id(self) -> str:
        """The id of the input."""
        return str(self.field.widget.attrs.get("id") or super().auto_id)


class FormRenderer(DjangoTemplates):
    """Renders ``{{ form }}`` and ``{{ form.x.as_field_group }}``; widgets stay Django's."""

    form_template_name = "parts/form/form.html"
    field_template_name = "parts/form/field.html"
    bound_field_class = NamedField

    def get_template(self, template_name: str) -> object:
        """Return a template of the project, or one of Django's widgets."""
        own = template_name.startswith("parts/")
        return get_template(template_name) if own else super().get_template(template_name)
