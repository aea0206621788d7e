"""Pages in a form for comparison: white space between elements is ignored."""

from __future__ import annotations

import re

from django.http import HttpResponse


def markup(answer: HttpResponse) -> str:
    """Return the page with each run of white space as one space, and none beside a tag."""
    text = re.sub(r"\s+", " ", answer.content.decode())
    return re.sub(r" ?(<|>) ?", r"\1", text)
