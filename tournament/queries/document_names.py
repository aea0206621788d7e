"""Names of an event's documents, for every page."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import gettext as _


def document_names() -> dict[str, str]:
    """Return the documents by kind, with their names at the desk."""
    return {
        "standings": _("Standings"),
        "bracket": _("Pools and brackets"),
        "draw-by-table": _("Draw by table"),
        "draw-by-name": _("Draw by name"),
        "round": _("Everything for a round"),
        "slips": _("Table slips with links"),
        "badges": _("Badges with personal links"),
        "seat-cards": _("Seat cards"),
        "table-cards": _("Table cards"),
        "score-sheets": _("Score sheets to fill by hand"),
        "certificates": _("Diplomas"),
        "prizes": _("Prize list"),
        "receipts": _("Receipts of the entry fee"),
        "event-report": _("Complete event report"),
    }


def grouped(names: Mapping[str, str]) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the documents under what they are for, as the choices of a field; each stands once."""
    groups = {
        _("Results"): ("standings", "bracket", "certificates", "prizes", "event-report"),
        _("For a round"): (
            "round",
            "draw-by-table",
            "draw-by-name",
            "slips",
            "score-sheets",
            "seat-cards",
            "table-cards",
        ),
        _("For the players"): ("badges", "receipts"),
    }
    listed = [
        (label, [(kind, names[kind]) for kind in kinds if kind in names])
        for label, kinds in groups.items()
    ]
    return [(label, choices) for label, choices in listed if choices]


def document_name(kind: str) -> str:
    """Name a document by its kind in the reader's language, the archive too; an unknown kind is unchanged."""
    if kind == "archive":
        return _("The whole event as an archive")
    return document_names().get(kind, kind)
