"""``python -m scoring``: the rules engine as a command. See :mod:`scoring.engine.cli`."""

from __future__ import annotations

import sys

from scoring.engine.cli import run

if __name__ == "__main__":
    sys.exit(run())
