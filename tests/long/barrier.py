"""Two processes that act on the same match at the same moment."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.browser.serving import Server
from tests.programs import ROOT


def race(
    ground: Server, matches: list[str], folder: Path, script: str, rivals: list[list[str]]
) -> list[list[str]]:
    """Give two rivals the word for each match at once; what each said of it.

    A rival is ``script`` in a process of its own with its words and a file with a line of
    ``matches`` a match. It says ``ready``, then answers each line it reads with one of its own.
    """
    listing = folder / "matches.txt"
    listing.write_text("\n".join(matches))
    running = [
        subprocess.Popen(
            [sys.executable, f"tests/long/{script}", *words, str(listing)],
            cwd=ROOT,
            env=ground.env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
        )
        for words in rivals
    ]
    answers: list[list[str]] = []
    try:
        for rival in running:
            assert rival.stdout is not None
            assert rival.stdout.readline().strip() == "ready"
        for _match in matches:
            for rival in running:
                assert rival.stdin is not None
                rival.stdin.write("go\n")
            answers.append([rival.stdout.readline().strip() for rival in running if rival.stdout])
    finally:
        for rival in running:
            if rival.stdin:
                rival.stdin.close()
            rival.wait(30)
    return answers
