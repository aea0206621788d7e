"""Pages in a form for comparison: white space between elements is ignored."""

from __future__ import annotations

import re

from django.http import HttpResponse


def without_marks(page: str) -> str:
    """Leave out the mark around names, ``<bdi translate="no">``."""
    return re.sub(r"</?bdi[^>]*>", "", page)


def markup(answer: HttpResponse) -> str:
    """Return the page with each run of white space as one space, none beside a tag, and names without mark."""
    text = re.sub(r"\s+", " ", without_marks(answer.content.decode()))
    return re.sub(r" ?(<|>) ?", r"\1", text)
