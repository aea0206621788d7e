"""One page with every component in every state, for people and for the tests of looks.

The people on it are invented.
"""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

from django import forms
from django.conf import settings
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.template.backends.django import DjangoTemplates
from django.utils import timezone

TEMPLATES: Final = Path(__file__).parent / "templates"

# Tricks → least and most points of a side in the 68-model (rules specification A.0).
BOUNDS_68 = '{"0":[0,0],"1":[1,21],"2":[2,38],"3":[3,51],"4":[8,60],"5":[17,65],"6":[30,66],"7":[47,67],"8":[68,68]}'

NAMES = (
    "Rita Vanhoutte",
    "Jean-Pierre Delannoy",
    "Godelieve Vandenbroucke-Dewaele",
    "Luc Desmet",
    "Marie-Thérèse Lefèbvre",
    "Noël Verstraete",
    "Yvette Coulon",
    "Étienne Dhaene",
)
STATES = (
    "planned",
    "drawn",
    "published",
    "playing",
    "signed",
    "confirmed",
    "disputed",
    "late",
    "called",
    "waiting",
    "provisional",
    "frozen",
    "final",
    "queued",
    "running",
    "done",
    "failed",
    "offline",
    "void",
    "withdrawn",
)


class _Form(forms.Form):
    name = forms.CharField(label="Name of the event", help_text="As it stands on the poster.")
    email = forms.EmailField(label="E-mail", required=False)
    rounds = forms.IntegerField(label="Rounds", min_value=1, help_text="Between 1 and 12.")
    direction = forms.ChoiceField(
        label="Direction of play",
        choices=[("CCW", "Counter-clockwise"), ("CW", "Clockwise")],
        widget=forms.RadioSelect,
    )
    format = forms.ChoiceField(
        label="Format", choices=[("1", "Individual championship"), ("2", "Pairs, Swiss")]
    )
    hidden_last = forms.BooleanField(label="Hide the standings in the last round", required=False)


def _option(value: str, label: str = "", **more: object) -> dict[str, object]:
    return {"value": value, "label": label, **more}


def _standings() -> list[dict[str, Any]]:
    ranks = (
        ("1", False),
        ("2", True),
        ("2", True),
        ("4", False),
        ("5", False),
        ("6", True),
        ("6", True),
        ("8", False),
    )
    rows: list[dict[str, Any]] = []
    for index, ((rank, tied), name) in enumerate(zip(ranks, NAMES, strict=True)):
        net = 214 - 31 * index
        rows.append(
            {
                "rank": rank,
                "tied": tied,
                "name": name,
                "url": "#",
                "entrant": str(index),
                "club": ("De Harten Tien, Harelbeke", "Les Amis du Manillon, Lille")[index % 2],
                "cells": [
                    {"value": 6 - index // 2, "looks": "num lead"},
                    {"value": f"+{net}" if net > 0 else f"−{-net}", "looks": "num"},
                    {"value": 612 - 17 * index, "looks": "num"},
                    {"value": 98 - index, "looks": "num wide"},
                ],
                "me": index == 4,
                "out": index == 6,
                "notes": ["withdrawn"] if index == 6 else [],
                "cut": "Cut: the first 4 qualify" if index == 3 else "",
            }
        )
    return rows


def _clock(state: str, minutes: int, seconds: int, note: str = "") -> dict[str, Any]:
    return {
        "label": "Round 3",
        "state": state,
        "ends_at": timezone.now() + timedelta(minutes=minutes, seconds=seconds),
        "seconds": 3000,
        "left": f"{minutes}:{seconds:02d}",
        "note": note,
    }


def _context() -> dict[str, Any]:
    seats = [
        {"seat": seat, "name": name, "side": side, "new_side": index == 2, "scorer": index == 3}
        for index, (seat, name, side) in enumerate(zip("ABCD", NAMES, (1, 1, 2, 2), strict=False))
    ]
    sides = [
        {"name": "A–B", "players": "Rita, Jean-Pierre", "total": 47, "winner": True},
        {"name": "C–D", "players": "Godelieve, Luc", "total": 31},
    ]
    page = Paginator(range(200), 50).page(2)
    return {
        "event": SimpleNamespace(name="Open championship of the Leie 2026"),
        "nav_items": [
            {"url": "#", "label": "Event"},
            {"url": "#", "label": "Draw"},
            {"url": "#", "label": "Standings", "current": True},
            {"url": "#", "label": "Rulings", "count": 3},
        ],
        "staff_items": [
            {"url": "#", "label": "Director's desk"},
            {"url": "#", "label": "Referee", "count": 2},
        ],
        "crumbs": [
            {"url": "#", "label": "All events"},
            {"url": "#", "label": "Round 3"},
            {"label": "Standings"},
        ],
        "states": STATES,
        "form": _Form({"name": "", "rounds": "0", "direction": "CCW", "format": "1"}),
        "clean_form": _Form(prefix="clean"),
        "sheet": {"order": 1},
        "declarers": [
            ("A", ("Rita", "A–B")),
            ("B", ("Jean-Pierre", "A–B")),
            ("C", ("Godelieve", "C–D")),
            ("D", ("Luc", "C–D")),
        ],
        "doublings": [
            ("0", ("Not doubled", "")),
            ("1", ("Doubled", "×2")),
            ("2", ("Redoubled", "×4")),
        ],
        "bounds": BOUNDS_68,
        "columns": [
            {"label": "Won"},
            {"label": "Net", "kind": "marks"},
            {"label": "Points", "kind": "marks"},
            {"label": "Best deal", "wide": True},
        ],
        "rows": _standings(),
        "tables": [
            {"number": 17, "url": "#", "seats": seats, "state": "playing"},
            {
                "number": 128,
                "url": "#",
                "me": True,
                "note": "Hall B",
                "seats": [{**s, "me": i == 1} for i, s in enumerate(seats)],
            },
        ],
        "seats": seats,
        "top": seats[0],
        "right": seats[2],
        "bottom": {**seats[1], "me": True},
        "left": seats[3],
        "sides": sides,
        "deals": [
            {
                "number": 1,
                "contract": "Rita",
                "suit": "H",
                "points": "42–26",
                "url": "#",
                "cells": [{"marks": 8, "total": 8}, {"marks": None, "total": 0}],
            },
            {
                "number": 2,
                "contract": "Luc",
                "suit": "NT",
                "factor": "×4",
                "points": "21–47",
                "superseded": True,
                "cells": [{"marks": None}, {"marks": 52}],
            },
            {
                "number": 2,
                "contract": "Luc",
                "suit": "NT",
                "factor": "×2",
                "points": "21–47",
                "url": "#",
                "worth": "corrected: not doubled",
                "cells": [{"marks": None, "total": 8}, {"marks": 26, "total": 26}],
            },
            {
                "number": 3,
                "contract": "Jean-Pierre",
                "suit": "C",
                "points": "34–34",
                "worth": "equal: nobody scores",
                "cells": [{"marks": None, "total": 8}, {"marks": None, "total": 26}],
            },
            {
                "number": 4,
                "contract": "Godelieve",
                "suit": "D",
                "worth": "revoke, 001-R9",
                "ruled": True,
                "cells": [{"marks": 34, "total": 42}, {"marks": None, "total": 26}],
            },
            {
                "number": 5,
                "contract": "Luc",
                "suit": "S",
                "points": "29–39",
                "queued": True,
                "cells": [{"marks": None, "total": 42}, {"marks": 5, "total": 31}],
            },
        ],
        "signatures": [
            {"side": "A–B", "name": "Rita Vanhoutte", "when": "15:42", "signed": True},
            {"side": "C–D", "signed": False},
        ],
        "clocks": [
            _clock("running", 38, 0, note="At the bell: finish the deal in play."),
            _clock("running", 4, 12, note="At the bell: finish the deal in play."),
            _clock("over", 0, 0, note="Finish the deal in play."),
            _clock("paused", 12, 34),
        ],
        "reasons": [
            ("revoke", "A card that was not allowed"),
            ("misdeal", "A misdeal"),
            ("score", "The score"),
            ("other", "Something else"),
        ],
        "calls": [
            {
                "table": 17,
                "reason": "A card that was not allowed",
                "wait": "6 min",
                "long": True,
                "players": "Rita, Jean-Pierre – Godelieve, Luc",
                "url": "#",
                "claim_url": "#",
            },
            {
                "table": 128,
                "note": "Hall B",
                "reason": "The score",
                "wait": "1 min",
                "claimed_by": "Noël",
                "url": "#",
            },
        ],
        "rulings": [
            {
                "article": "001-R9",
                "title": "Revoke",
                "penalty": "34 to A–B",
                "reason": "Godelieve played a trump at trick 6 while holding a heart.",
                "state": "provisional",
                "state_label": "Provisional",
                "table": 17,
                "round": "Round 3",
                "when": "15:20",
                "who": "Noël Verstraete",
                "url": "#",
            },
            {
                "article": "001-R11",
                "title": "Trick gathered with three cards",
                "penalty": "34 to C–D",
                "reason": "Annulled on appeal: the fourth card lay under the third.",
                "state": "annulled",
                "state_label": "Annulled",
                "table": 4,
                "when": "14:02",
            },
        ],
        "timeline": [
            {
                "when": "15:31",
                "who": "Noël (referee)",
                "what": "A–B 34, C–D 0",
                "why": "Revoke at trick 6",
                "in_force": True,
            },
            {"when": "15:12", "who": "Table 17", "what": "A–B 0, C–D 13", "superseded": True},
        ],
        "holdups": [
            {
                "table": 17,
                "state": "called",
                "why": "waits 6 min for the referee",
                "since": "since 15:14",
                "actions": [{"url": "#", "label": "Open"}],
            },
            {
                "table": 44,
                "state": "disputed",
                "why": "Deal 7 differs between the sides",
                "actions": [
                    {"url": "#", "label": "Compare"},
                    {"url": "#", "label": "Reopen", "post": True, "danger": True},
                ],
            },
            {
                "table": 61,
                "state": "late",
                "why": "5 of 12 deals, last one 14 min ago",
                "actions": [{"url": "#", "label": "+5 min", "post": True}],
            },
        ],
        "room": [
            {"number": n, "url": "#", "state": s, "line": line, "label": s}
            for n, s, line in (
                (1, "playing", "5/12"),
                (2, "signed", "47–31"),
                (3, "playing", "9/12"),
                (4, "late", "3/12"),
                (5, "disputed", "deal 7"),
                (17, "called", "6 min"),
                (128, "planned", "–"),
                (136, "signed", "101–88"),
            )
        ],
        "headers": ["Name", "Club", "Number"],
        "preview": [
            {
                "line": 214,
                "cells": [("Name", ""), ("Club", "Harelbeke"), ("Number", "88")],
                "state": "bad",
                "why": "No name",
            },
            {
                "line": 301,
                "cells": [("Name", "Luc Desmet"), ("Club", "Kortrijk"), ("Number", "12")],
                "state": "double",
                "why": "Same name and club as line 17",
            },
            {
                "line": 1,
                "cells": [("Name", "Rita Vanhoutte"), ("Club", "Harelbeke"), ("Number", "1")],
                "state": "ok",
            },
        ],
        "cards": [
            {"code": "10H", "rank": "10", "suit": "H", "winner": True},
            {"code": "AS", "rank": "A", "suit": "S"},
            {"code": "KD", "rank": "K", "suit": "D", "illegal": True},
            {"code": "7C", "rank": "7", "suit": "C"},
        ],
        "items": [
            {"url": "#", "label": "Standings", "current": True},
            {"url": "#", "label": "By club"},
            {"url": "#", "label": "Chart"},
        ],
        "facts": [
            {"label": "Rulebook", "value": "Manille muette, 60 points"},
            {"label": "Round", "value": "3 of 7"},
        ],
        "page": page,
    }


def _engine() -> DjangoTemplates:
    """Return the service's template engine, which also finds the gallery's own pages."""
    service: dict[str, Any] = settings.TEMPLATES[0]
    folders = [*service["DIRS"], TEMPLATES]
    return DjangoTemplates(
        {"NAME": "tools", "DIRS": folders, "APP_DIRS": False, "OPTIONS": {**service["OPTIONS"]}}
    )


def gallery(request: HttpRequest) -> HttpResponse:
    """Show every component; ``?wall`` shows the wall screen."""
    context, name = _context(), "gallery.html"
    if "wall" in request.GET:
        context |= {
            "round_label": "Round 3 of 7",
            "clock": _clock("running", 4, 12),
            "wall_rows": [
                context["rows"][i % 8] | {"rank": str(i + 1), "tied": i % 5 == 1} for i in range(24)
            ],
            "panel": request.GET["wall"] or "standings",
            "sponsors": ["Brouwerij De Drie Boeren", "Bakkerij Vandewalle"],
        }
        name = "gallery_wall.html"
    return HttpResponse(_engine().get_template(name).render(context, request))
