"""Run every benchmark, each in its own process: ``python -m benchmarks [NAME ...]``.

Each prints a table for people and one JSON line for machines; speeds are ratios to a named
baseline measured in the same run, so that they mean something on any machine.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
NOT_BENCHMARKS = {"__init__", "__main__", "plain_engine"}


def names() -> list[str]:
    """Return the modules of this folder with a ``main``, each a benchmark."""
    return sorted(
        path.stem
        for path in HERE.glob("*.py")
        if path.stem not in NOT_BENCHMARKS and "def main(" in path.read_text()
    )


def main() -> int:
    """Run the benchmarks named on the command line, or all of them."""
    wanted = sys.argv[1:] or names()
    unknown = set(wanted) - set(names())
    if unknown:
        print(f"No such benchmark: {', '.join(sorted(unknown))}. There are: {', '.join(names())}")
        return 2
    failed = []
    for name in wanted:
        print(f"\n== {name}", flush=True)
        if subprocess.run([sys.executable, "-m", f"benchmarks.{name}"], cwd=HERE.parent).returncode:
            failed.append(name)
    if failed:
        print(f"\nFailed: {', '.join(failed)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
