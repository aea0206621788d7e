"""What a round is called on pages: “Semi-final” where the bracket names it, else by its number."""

from __future__ import annotations

from django import template
from django.utils.translation import gettext as _

from tournament.models import Round
from tournament.selectors.brackets import own_name, title_of

register = template.Library()
register.filter("own_name", own_name)
register.filter("round_title", title_of)


@register.filter
def called(part: Round) -> str:
    """The round inside a line: its own name, else “round 2”."""
    return own_name(part) or _("round %(n)s") % {"n": part.number}
