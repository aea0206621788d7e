"""Names and event of the demo: plausible people made for it, its staff."""

from __future__ import annotations

import random
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

DEMO_SLUG: Final = "wk-demo"
DEMO_PASSWORD: Final = "manille-demo"  # noqa: S105 - printed at the start of every demo
DEMO_USERS: Final = (
    ("director", "director of the demo event"),
    ("referee", "referee"),
    ("chief", "chief referee"),
    ("appeals", "appeals member"),
    ("scorer", "scorekeeper at the desk"),
    ("admin", "administrator of the organisation"),
)

NAMES: Final[dict[str, list[str]]] = tomllib.loads(
    (Path(__file__).parent / "names.toml").read_text(encoding="utf-8")
)
"""First names, last names and clubs."""


def names(count: int, seed: str) -> Iterator[tuple[str, str]]:
    """``count`` different players, each with their club; the same for the same seed."""
    chance = random.Random(seed)
    taken: set[str] = set()
    while len(taken) < count:
        name = f"{chance.choice(NAMES['first'])} {chance.choice(NAMES['last'])}"
        if name in taken:
            continue
        taken.add(name)
        yield name, chance.choice(NAMES["clubs"])
