"""Two processes that act on the same match in the same moment."""

from __future__ import annotations

from pathlib import Path

from tests import forks
from tests.browser.serving import Server


def race(
    ground: Server, matches: list[str], folder: Path, script: str, rivals: list[list[str]]
) -> list[list[str]]:
    """Start two rivals on each match in the same moment. Return both answers of each match.

    A rival runs ``script`` in its own process, with its arguments and a file with one of ``matches`` a line. It prints
    ``ready``, then answers each line that it reads with a line.
    """
    listing = folder / "matches.txt"
    listing.write_text("\n".join(matches))
    answers: list[list[str]] = []
    one, other = ([f"tests/long/{script}", *words, str(listing)] for words in rivals)
    with forks.talking(one, ground.env) as first, forks.talking(other, ground.env) as second:
        assert [first.answer(), second.answer()] == ["ready", "ready"]
        for _match in matches:
            first.tell("go")
            second.tell("go")
            answers.append([first.answer(), second.answer()])
    return answers
