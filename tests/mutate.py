"""Change the product one place at a time and see whether the tests notice.

``python -m tests.mutate services ledger --sample 15``, or ``make mutate ROOMS="services ledger"``.
Mutants are made by cosmic-ray in a copy of the tree. They are sampled: at most one a line, never in
an annotation. Each is run against those test files of its room that name the function or module
changed, until the first failure. Where such tests are many the nearest go first, and no more run than
``FILES``: a mutant that others would kill counts as survived.
"""

from __future__ import annotations

import argparse
import ast
import random
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cosmic_ray.commands import init
from cosmic_ray.mutating import mutate_and_test
from cosmic_ray.work_db import WorkDB, use_db
from cosmic_ray.work_item import MutationSpec, TestOutcome

ROOT: Final = Path(__file__).parents[1]
FILES: Final = 6
"""Test files that a mutant is run against, at most."""

SECONDS: Final = 240
"""After so long a mutant that hangs is killed."""


@dataclass(frozen=True)
class Room:
    """Where the product's part lies and which tests are its own."""

    modules: tuple[str, ...]
    tests: tuple[str, ...]


ROOMS: Final = {
    "services": Room(
        ("tournament/services/*.py",),
        ("tests/tournament", "tests/tables", "tests/test_refusals.py"),
    ),
    "ledger": Room(("ledger/*.py",), ("tests/ledger", "tests/operations", "tests/security")),
    "ranking": Room(("tournament/ranking/**/*.py",), ("tests/tournament/ranking",)),
    "queries": Room(
        ("tournament/queries/*.py",),
        ("tests/tournament", "tests/tables"),
    ),
    "config": Room(("config/*.py",), ("tests/test_*.py", "tests/security", "tests/operations")),
    "adjudication": Room(
        ("adjudication/services/*.py", "adjudication/penal/*.py", "adjudication/queries/*.py"),
        ("tests/adjudication", "tests/test_refusals.py"),
    ),
}


def annotated(tree: ast.Module) -> set[tuple[int, int]]:
    """The places of annotations: changed, they change nothing."""
    notes: list[ast.expr | None] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            notes.append(node.returns)
        elif isinstance(node, ast.arg | ast.AnnAssign):
            notes.append(node.annotation)
    return {
        (part.lineno, part.col_offset)
        for note in notes
        if note is not None
        for part in ast.walk(note)
        if isinstance(part, ast.expr)
    }


def mutants(modules: list[Path], sample: int, seed: str) -> list[MutationSpec]:
    """A sample of the mutants of the functions of these modules, at most one a line."""
    notes = {
        str(path): {line for line, _column in annotated(ast.parse(path.read_text()))}
        for path in modules
    }
    lines: dict[tuple[str, int], list[MutationSpec]] = {}
    with use_db(":memory:", WorkDB.Mode.create) as session:
        init(modules, session, {})
        for item in session.work_items:
            (mutation,) = item.mutations
            line = mutation.start_pos[0]
            if mutation.definition_name and line not in notes[str(mutation.module_path)]:
                lines.setdefault((str(mutation.module_path), line), []).append(mutation)
    luck = random.Random(seed)
    places = sorted(lines)
    chosen = luck.sample(places, min(sample, len(places)))
    return [
        luck.choice(sorted(lines[place], key=lambda m: (m.operator_name, m.occurrence)))
        for place in chosen
    ]


def tests_of(room: Room, module: Path, function: str, root: Path) -> list[Path]:
    """The test files that name the function most, then its module; all of the room's where none does."""
    files = [path for pattern in room.tests for path in _test_files(root, pattern)]
    names = re.compile(rf"\b{re.escape(function.lstrip('_'))}\b")
    stems = re.compile(rf"\b{re.escape(module.stem)}\b")
    scores = []
    for path in files:
        text = path.read_text()
        score = (len(names.findall(text)), len(stems.findall(text)))
        if any(score):
            scores.append((score, path))
    near = [path for _score, path in sorted(scores, key=lambda pair: pair[0], reverse=True)]
    return (near or files)[:FILES]


def _test_files(root: Path, pattern: str) -> Iterator[Path]:
    for path in sorted(root.glob(pattern)):
        yield from sorted(path.rglob("test_*.py")) if path.is_dir() else [path]


def copied(to: Path) -> Path:
    """A copy of the files of this checkout, in which mutants are made."""
    names = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, check=True
    )
    for name in names.stdout.decode().splitlines():
        if (ROOT / name).is_file():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, to / name)
    subprocess.run(["git", "init", "-q"], cwd=to, check=True)
    return to


def pytest_of(root: Path, database: Path, *words: str) -> list[str]:
    """The command that runs tests in a copy of the tree, on a database file that is kept."""
    settings = [f"TEST_DATABASE={database}", "DATABASE_URL=", "PYTHONDONTWRITEBYTECODE=1"]
    pytest = [sys.executable, "-m", "pytest", "-x", "-n", "0", "-m", "not long", "--reuse-db"]
    return ["env", "-C", str(root), *settings, *pytest, "-p", "no:cacheprovider", *words]


def migrated(root: Path) -> Path:
    """A test database on which no mutant runs: each begins on a copy of it, none migrates."""
    database = root / "var" / "migrated.sqlite3"
    database.parent.mkdir(exist_ok=True)
    one = "tests/ledger/test_idempotency.py"
    subprocess.run(
        pytest_of(root, database, "--create-db", one), check=True, stdout=subprocess.DEVNULL
    )
    return database


def killed(room: Room, mutant: MutationSpec, root: Path, database: Path) -> bool:
    """Whether a test of the room fails on the mutant."""
    module = Path(mutant.module_path)
    files = tests_of(room, module, str(mutant.definition_name), root)
    own = shutil.copy(database, database.with_name("mutant.sqlite3"))
    command = shlex.join(pytest_of(root, own, *map(str, files)))
    result = mutate_and_test([mutant], command, SECONDS)
    outcome = "killed" if result.test_outcome == TestOutcome.KILLED else "SURVIVED"
    where = f"{module.relative_to(root)}:{mutant.start_pos[0]}"
    sys.stdout.write(f"{outcome} {where} {mutant.definition_name} {mutant.operator_name}\n")
    if outcome == "SURVIVED":
        diff = [line for line in (result.diff or "").split("\n") if re.match(r"[-+](?![-+])", line)]
        sys.stdout.write("".join(f"    {line}\n" for line in diff))
    sys.stdout.flush()
    return result.test_outcome == TestOutcome.KILLED


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rooms", nargs="*", choices=[[], *ROOMS], help="all where none is named")
    parser.add_argument("--sample", type=int, default=15)
    parser.add_argument("--seed", default="1")
    asked = parser.parse_args()
    table = []
    with tempfile.TemporaryDirectory() as folder:
        root = copied(Path(folder).resolve())
        database = migrated(root)
        for name in asked.rooms or ROOMS:
            room = ROOMS[name]
            modules = sorted(path for pattern in room.modules for path in root.glob(pattern))
            made = mutants(modules, asked.sample, asked.seed)
            dead = sum(killed(room, mutant, root, database) for mutant in made)
            table.append(f"| {name} | {len(made)} | {dead} | {100 * dead // len(made)} % |")
    sys.stdout.write("\n| room | mutants | killed | part |\n|---|---|---|---|\n")
    sys.stdout.write("\n".join(table) + "\n")


if __name__ == "__main__":
    main()
