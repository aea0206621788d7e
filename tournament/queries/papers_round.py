"""Every paper of a round in one file: the posters by name and by table, then the slips."""

from __future__ import annotations

import io
from typing import Any, Final

from django.utils.translation import gettext as _
from pypdf import PdfReader, PdfWriter

from ledger.anchors import anchor_of
from tournament.models import Event

from . import papers
from .papers import Built, thumbprint

PARTS: Final = (papers.draw_by_name, papers.draw_by_table, papers.slips)


def whole_round(event: Event, parameters: dict[str, Any], language: str, size: str) -> Built:
    """The posters and slips of a round, to be printed in one go."""
    writer = PdfWriter()
    prints = []
    for part in PARTS:
        content, fingerprint, _state = part(event, parameters, language, size)
        writer.append(PdfReader(io.BytesIO(content)), import_outline=False)
        prints.append(fingerprint)
    fingerprint = thumbprint(prints)
    writer.add_metadata(
        {
            "/Title": f"{event.name} · " + _("Everything for a round"),
            "/Keywords": f"{fingerprint}, {anchor_of(event.pk)}",
            "/Producer": "Manille",
        }
    )
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue(), fingerprint, ""
