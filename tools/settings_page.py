"""Write the page of settings from the table that the settings are read from."""

from __future__ import annotations

import sys

from config.environment import BASE_DIR, VARIABLES


def page() -> str:
    """Render docs/settings.md."""
    lines = [
        "# Settings",
        "",
        "Every setting is an environment variable. This page is written by",
        "`python -m tools settings_page` from `config/environment.py`; a test holds it to that.",
        "",
        "| variable | kind | default | meaning |",
        "|---|---|---|---|",
    ]
    for variable in VARIABLES.values():
        default = str(variable.default).replace(str(BASE_DIR) + "/", "")
        shown = f"`{default}`" if default and default != "[]" else "empty"
        kind = variable.kind
        if variable.most:
            kind += f" {variable.least}–{variable.most}"
        lines.append(f"| `{variable.name}` | {kind} | {shown} | {variable.meaning} |")
    return "\n".join(lines) + "\n"


def main(_words: list[str]) -> int:
    """Print the page."""
    sys.stdout.write(page())
    return 0
