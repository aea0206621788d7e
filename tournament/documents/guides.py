"""Guides for the volunteers' table: the work of a director, referee, scorekeeper or player, by task.

Their texts are data (``guides.toml``). A button is named by its own text, so that guide and page
agree. The page of a guide and its paper are rendered from the same :class:`Guide`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from scoring.texts import Message, pgettext_lazy, read_message
from scoring.texts import gettext_lazy as _
from tournament.documents.faces import BOLD
from tournament.documents.imprint import Imprint
from tournament.documents.layout import Layout
from tournament.documents.looks import MM, RULE

SIZE: Final = 10.5
PICTURE: Final = (40 * MM, 40 * MM * 520 / 360)
"""Width and height of a picture on paper, in points: a phone, a little smaller than in the hand."""
BUTTONS: Final[Mapping[str, Message]] = {
    "appeal": _("Lodge an appeal"),
    "call": _("Call the referee"),
    "clock": _("Start the clock"),
    "close": _("Close the round"),
    "diplomas": _("Print diplomas"),
    "disagree": _("We do not agree"),
    "end": _("End the game"),
    "final": _("Make them final"),
    "finish": _("Finish the event"),
    "going": _("I’m on my way"),
    "incident": _("New incident"),
    "issue": _("Issue the ruling"),
    "keep": _("Keep score on this phone"),
    "make": pgettext_lazy("verb", "Make the draw"),
    "me": _("This is me (remember on this device)"),
    "papers": _("Print everything for this round"),
    "prizes": _("Print the prize list"),
    "publish": _("Publish now"),
    "record": _("Record the deal"),
    "reveal": _("Reveal the final standings"),
    "sure": _("Yes, record it"),
    "unpublish": _("Unpublish the draw"),
    "tell": _("Notices on this device"),
    "wrong": _("This result is wrong"),
}


@dataclass(frozen=True, slots=True)
class Part:
    """One task of a guide, and its steps; pages lead to it by its key."""

    key: str
    title: Message
    steps: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class Guide:
    """Guide for one kind of reader, from the first task to the last."""

    name: str
    title: Message
    parts: tuple[Part, ...]


def _step(raw: object) -> Message:
    step = read_message(raw)
    named = {name: text for name, text in BUTTONS.items() if f"{{{name}}}" in step.msgid}
    return step.format(**named) if named else step


def _read(path: Path) -> dict[str, Guide]:
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    return {
        name: Guide(
            name,
            read_message(raw["title"]),
            tuple(
                Part(
                    part["key"],
                    read_message(part["title"]),
                    tuple(_step(step) for step in part["text"]),
                )
                for part in raw["parts"]
            ),
        )
        for name, raw in data.items()
    }


GUIDES: Final[Mapping[str, Guide]] = _read(Path(__file__).with_name("guides.toml"))
_DRAWN: Final = Path(__file__).parents[2] / "static" / "guides"
PICTURES: Final = frozenset(f"{file.parent.name}/{file.stem}" for file in _DRAWN.glob("*/*.webp"))
"""The pictures of tasks, by language: ``fr/player-table``."""


def picture_of(guide: Guide, part: Part, language: str) -> Path | None:
    """Return the picture of a task from the pages in ``language``; None where there is none yet."""
    name = f"{guide.name}-{part.key}"
    return _DRAWN / language / f"{name}.webp" if f"{language}/{name}" in PICTURES else None


def guide_pdf(guide: Guide, imprint: Imprint) -> bytes:
    """Render the guide on paper, two pages at most."""
    layout = Layout(imprint, guide.title.render(imprint.language))
    for part in guide.parts:
        _print(layout, part, picture_of(guide, part, imprint.language))
    return layout.finish()


def _print(layout: Layout, part: Part, picture: Path | None) -> None:
    """Print one task: its steps, next to its picture where there is one."""
    wide, high = PICTURE if picture else (0.0, 0.0)
    column = wide + 12.0 if picture else 0.0
    layout.heading(layout.say(part.title), keep=max(high, 60.0))
    top = layout.y
    if picture:
        layout.picture(picture.read_bytes(), layout.left, top - high, wide, high)
        layout.box(layout.left, top - high, wide, high, stroke=RULE)
    for number, step in enumerate(part.steps, start=1):
        layout.ensure(3 * SIZE * 1.42)
        layout.text(layout.left + column, layout.y - SIZE, f"{number}.", face=BOLD, size=SIZE)
        layout.paragraph(layout.say(step), size=SIZE, indent=column + 18.0)
    layout.y = min(layout.y, top - high)
