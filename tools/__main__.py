"""Run a tool: ``python -m tools NAME [words]``."""

from __future__ import annotations

import importlib
import os
import sys
from typing import Final

import django

NAMES: Final = (
    "base_images",
    "dependency_audit",
    "load",
    "permissions_page",
    "rulebook_pages",
    "settings_page",
    "third_party",
)


def main(words: list[str]) -> int:
    """Return the exit code of the tool named first; 2 for an unknown name."""
    if not words or words[0] not in NAMES:
        sys.stderr.write(f"usage: python -m tools {{{','.join(NAMES)}}}\n")
        return 2
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    code: int = importlib.import_module(f"tools.{words[0]}").main(words[1:])
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
