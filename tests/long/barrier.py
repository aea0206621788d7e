"""Two processes that act on the same match at the same moment."""

from __future__ import annotations

from pathlib import Path

from tests import forks
from tests.browser.serving import Server


def race(
    ground: Server, matches: list[str], folder: Path, script: str, rivals: list[list[str]]
) -> list[list[str]]:
    """Give two rivals the word for each match at once; what each said of it.

    A rival is ``script`` in a process of its own with its words and a file with a line of
    ``matches`` a match. It says ``ready``, then answers each line it reads with one of its own.
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
