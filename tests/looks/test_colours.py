"""The colours of both themes against WCAG 2.2: 1.4.3 (text 4.5:1) and 1.4.11 (edges of controls 3:1)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

CSS = (Path(__file__).parents[2] / "static/css/app.css").read_text(encoding="utf-8")
COLOUR = re.compile(r"--([a-z-]+):\s*(#[0-9a-f]{6})\s*;")


def _block(selector: str) -> dict[str, str]:
    start = CSS.index(selector + " {")
    return dict(COLOUR.findall(CSS[start : CSS.index("}", start)]))


LIGHT = _block(":root")
DARK = _block(':root[data-theme="dark"]')
DARK_BY_DEVICE = _block('  :root:not([data-theme="light"])')

TEXT = [
    *[
        (ink, ground)
        for ink in ("ink", "ink-soft", "accent", "red", "green", "amber")
        for ground in ("paper", "sheet", "tint")
    ],
    ("ink", "accent-wash"),
    ("ink", "red-wash"),
    ("ink", "green-wash"),
    ("ink", "amber-wash"),
    ("ink-soft", "accent-wash"),
    ("accent", "accent-wash"),
    ("red", "red-wash"),
    ("amber", "amber-wash"),
    ("green", "green-wash"),
    ("accent-on", "accent"),
    ("red-on", "red-fill"),
    ("sheet", "ink"),
    *[
        (f"suit-{suit}", ground)
        for suit in ("black", "red", "blue", "green")
        for ground in ("sheet", "tint", "accent-wash")
    ],
]
EDGES = [("edge", ground) for ground in ("paper", "sheet")] + [
    ("accent", "paper"),
    ("red-fill", "paper"),
]


def luminance(colour: str) -> float:
    """Return the relative luminance as WCAG 2.2 defines it."""
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    bright, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


def test_contrast_agrees_with_the_worked_values_of_wcag() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(("ink", "ground"), TEXT, ids=lambda name: name)
def test_text_can_be_read(theme: dict[str, str], ink: str, ground: str) -> None:
    assert contrast(theme[ink], theme[ground]) >= 4.5


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(("edge", "ground"), EDGES, ids=lambda name: name)
def test_edges_of_controls_can_be_seen(theme: dict[str, str], edge: str, ground: str) -> None:
    assert contrast(theme[edge], theme[ground]) >= 3


def test_dark_by_choice_and_dark_by_device_are_the_same() -> None:
    assert DARK == DARK_BY_DEVICE
    assert DARK.keys() == LIGHT.keys()


def test_no_colour_is_written_outside_the_tokens() -> None:
    """Themes hold only if components use tokens; print and the QR code's own white and black are the exceptions."""
    components = CSS[CSS.index("/* 2 ground") : CSS.index("/* 15 print")]
    allowed = {"#fff", "#000"}
    found = set(re.findall(r"#[0-9a-f]{3,8}\b", components))
    assert found <= allowed


def test_every_token_used_is_defined() -> None:
    defined = set(re.findall(r"(--[a-z0-9-]+)\s*:", CSS))
    used = set(re.findall(r"var\((--[a-z0-9-]+)", CSS))
    assert used <= defined
