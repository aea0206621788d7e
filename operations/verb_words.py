"""Choices of the logs’ filters: the subjects of the logged actions."""

from __future__ import annotations

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

SUBJECTS: Final[dict[str, Promise]] = {
    "deal": _("Deals"),
    "sheet": _("Score sheets"),
    "table": _("Tables"),
    "referee": _("Calls for the referee"),
    "incident": _("Incidents"),
    "ruling": _("Rulings"),
    "appeal": _("Appeals"),
    "confirmation": _("Two-person decisions"),
    "standing": _("Points of rulings"),
    "standings": _("Standings"),
    "entrant": _("Players"),
    "entrants": _("Lists of players"),
    "draw": _("Draws"),
    "round": _("Rounds and the clock"),
    "match": _("Matches decided"),
    "stage": _("Stages"),
    "event": _("Event"),
    "document": _("Documents"),
    "role": _("Roles"),
    "penal_code": _("Penal code"),
}
"""First half of a verb → the choice of the log's filter."""

SUBJECTS_OF_ORGANISATION: Final[dict[str, Promise]] = {
    "user": _("Accounts"),
    "role": _("Roles"),
    "token": _("API tokens"),
    "member": _("Members"),
    "house_rules": _("Club’s rules"),
    "event": _("Events"),
}
"""The same for the log of the organisation."""
