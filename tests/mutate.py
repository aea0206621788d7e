"""Change the product in one place at a time and check whether the tests notice.

``python -m tests.mutate services ledger --sample 15``, or ``make mutate ROOMS="services ledger"``. Mutants are made by
cosmic-ray in a copy of the tree. They are sampled: at most one a line, never in an annotation. First the tests of the
rooms run once, and coverage.py records which of them execute which line. Each mutant is run against these until the
first failure, files that mention its function most often first. A line executed by other processes or while modules are
loaded is tested by the files that mention its function or module.
"""

from __future__ import annotations

import argparse
import ast
import json
import random
import re
import shlex
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cosmic_ray.commands import init
from cosmic_ray.mutating import mutate_and_test
from cosmic_ray.work_db import WorkDB, use_db
from cosmic_ray.work_item import MutationSpec, TestOutcome

ROOT: Final = Path(__file__).parents[1]
FILES: Final = 24
"""Maximum number of test files that a mutant is run against."""

SECONDS: Final = 600
"""Seconds after which a hanging mutant is killed."""

READERS: Final = (
    "tests/test_lock_order.py",
    "tests/test_upgrade.py::test_the_migrations_make_what_the_models_declare",
)
"""Tests that read the source and the models, whichever lines they execute."""

Lines = dict[str, dict[int, list[str]]]
"""The contexts ``TEST|PHASE`` that executed each line, by module."""


@dataclass(frozen=True)
class Room:
    """The modules of a part of the product, and the tests that belong to them."""

    modules: tuple[str, ...]
    tests: tuple[str, ...]

    def files(self, root: Path) -> list[Path]:
        """Return the test files."""
        found = [path for pattern in self.tests for path in sorted(root.glob(pattern))]
        files = [sorted(path.rglob("test_*.py")) if path.is_dir() else [path] for path in found]
        return [path for each in files for path in each]


ROOMS: Final = {
    "services": Room(
        ("tournament/services/*.py",),
        ("tests/tournament", "tests/tables", "tests/adjudication", "tests/test_refusals.py"),
    ),
    "ledger": Room(
        ("ledger/*.py",),
        (
            "tests/ledger",
            "tests/operations",
            "tests/security",
            "tests/test_errors.py",
            "tests/tournament/test_chain.py",
            "tests/tournament/test_marks.py",
            "tests/tournament/test_single_flight.py",
        ),
    ),
    "ranking": Room(
        ("tournament/ranking/**/*.py",),
        ("tests/tournament/ranking", "tests/tournament/test_overall_ranking.py"),
    ),
    "queries": Room(
        ("tournament/queries/*.py",),
        ("tests/tournament", "tests/tables"),
    ),
    "config": Room(("config/*.py",), ("tests/test_*.py", "tests/security", "tests/operations")),
    "adjudication": Room(
        ("adjudication/services/*.py", "adjudication/penal/*.py", "adjudication/queries/*.py"),
        ("tests/adjudication", "tests/test_refusals.py"),
    ),
    "operations": Room(
        ("operations/*.py",),
        ("tests/operations", "tests/security", "tests/ledger/test_audit.py", "tests/test_*.py"),
    ),
    "accounts": Room(
        ("accounts/*.py", "accounts/views/*.py"),
        ("tests/accounts", "tests/security", "tests/test_*.py"),
    ),
    "tables": Room(
        ("tournament/tables/*.py",),
        ("tests/tables", "tests/tournament/test_*.py"),
    ),
    "engine": Room(("scoring/engine/*.py",), ("tests/scoring",)),
}


NO_CHANGE: Final = {f"core/ReplaceComparisonOperator_{names}" for names in ("Is_Eq", "IsNot_NotEq")}
"""Mutations without effect: comparisons by identity concern only None and enumeration members."""


def told(tree: ast.Module) -> set[int]:
    """Return the lines with annotations, where a mutation changes no behaviour."""
    notes: list[ast.expr | None] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            notes.append(node.returns)
        elif isinstance(node, ast.arg | ast.AnnAssign):
            notes.append(node.annotation)
    parts = [part for note in notes if note is not None for part in ast.walk(note)]
    return {part.lineno for part in parts if isinstance(part, ast.expr)}


def calculated(tree: ast.Module) -> set[int]:
    """Return the lines with a binary operator; a star in a signature or a call is not one."""
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.BinOp | ast.AugAssign)]
    return {line for node in nodes for line in range(node.lineno, (node.end_lineno or 0) + 1)}


def mutants(modules: list[Path], sample: int, seed: str) -> list[MutationSpec]:
    """Return a sample of the mutants of the functions of these modules, at most one per line."""
    trees = {str(path): ast.parse(path.read_text()) for path in modules}
    without = {path: told(tree) for path, tree in trees.items()}
    between = {path: calculated(tree) for path, tree in trees.items()}
    lines: dict[tuple[str, int], list[MutationSpec]] = {}
    with use_db(":memory:", WorkDB.Mode.create) as session:
        init(modules, session, {})
        for item in session.work_items:
            (mutation,) = item.mutations
            name, path, line = (
                mutation.operator_name,
                str(mutation.module_path),
                mutation.start_pos[0],
            )
            if not mutation.definition_name or line in without[path] or name in NO_CHANGE:
                continue
            if "BinaryOperator" not in name or line in between[path]:
                lines.setdefault((path, line), []).append(mutation)
    luck = random.Random(seed)
    places = sorted(lines)
    chosen = luck.sample(places, min(sample, len(places)))
    return [
        luck.choice(sorted(lines[place], key=lambda m: (m.operator_name, m.occurrence)))
        for place in chosen
    ]


def tests_of(room: Room, mutant: MutationSpec, root: Path, lines: Lines) -> list[str]:
    """Return the tests that execute the mutant's line, those of the nearest files first.

    A statement of several lines is executed at its first line. A fixture's line may matter to any test of its file.
    """
    module = Path(mutant.module_path)
    executed = lines.get(str(module.relative_to(root)), {})
    line = max((at for at in executed if at <= mutant.start_pos[0]), default=0)
    tests: dict[str, set[str]] = {}
    for context in executed.get(line, []):
        test, _bar, phase = re.sub(r"\[.*\]", "", context).partition("|")
        file = test.partition("::")[0]
        if file:
            tests.setdefault(file, set()).add(test if phase == "run" else file)
    function = re.compile(rf"\b{re.escape(str(mutant.definition_name).lstrip('_'))}\b")
    stem = re.compile(rf"\b{re.escape(module.stem)}\b")
    scores = {}
    for path in room.files(root):
        text, file = path.read_text(), str(path.relative_to(root))
        scores[file] = (file in tests, len(function.findall(text)), len(stem.findall(text)))
    near = [file for file, score in scores.items() if any(score)] or list(scores)
    chosen = sorted(near, key=lambda file: scores[file], reverse=True)[:FILES]
    found = [test for file in chosen for test in _of_file(file, tests.get(file, {file}))]
    # The doctests in its own text are tests, too.
    own = [str(module)] if ">>> " in module.read_text() else []
    return [*found, *own, *READERS]


def _of_file(file: str, tests: set[str]) -> list[str]:
    return [file] if file in tests else sorted(tests)


def executed_by(rooms: list[Room], root: Path, database: Path) -> Lines:
    """Run the tests of the rooms, which all pass, and record which of them execute which line."""
    patterns = [pattern for room in rooms for pattern in room.modules]
    packages = sorted({pattern.partition("/")[0] for pattern in patterns})
    measure = [f"--cov={package}" for package in packages]
    files = sorted({str(path.relative_to(root)) for room in rooms for path in room.files(root)})
    words = ["--cov-context=test", "--cov-report=", *measure, *files]
    subprocess.run(pytest_of(root, database, *words), check=True, stdout=subprocess.DEVNULL)
    report = [sys.executable, "-m", "coverage", "json", "--show-contexts", "-q", "-o", "lines.json"]
    subprocess.run(report, cwd=root, check=True)
    measured = json.loads((root / "lines.json").read_text())["files"]
    return {
        name: {int(line): tests for line, tests in found["contexts"].items()}
        for name, found in measured.items()
    }


def copied(to: Path) -> Path:
    """Copy the files of this checkout, for the mutants."""
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
    """Return the command that runs tests in a copy of the tree, on a database file that later runs reuse."""
    settings = [f"TEST_DATABASE={database}", "DATABASE_URL=", "PYTHONDONTWRITEBYTECODE=1"]
    pytest = [sys.executable, "-m", "pytest", "-x", "-n", "0", "-m", "not long", "--reuse-db"]
    return ["env", "-C", str(root), *settings, *pytest, "-p", "no:cacheprovider", *words]


def migrated(root: Path) -> Path:
    """Create the migrated test database; each mutant runs on a copy of it."""
    database = root / "var" / "migrated.sqlite3"
    database.parent.mkdir(exist_ok=True)
    one = "tests/ledger/test_idempotency.py"
    subprocess.run(
        pytest_of(root, database, "--create-db", one), check=True, stdout=subprocess.DEVNULL
    )
    with closing(sqlite3.connect(database)) as whole:
        # A copy of the single file is complete.
        whole.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return database


def killed(room: Room, mutant: MutationSpec, root: Path, database: Path, lines: Lines) -> bool:
    """Return whether a test of the room fails on the mutant."""
    module = Path(mutant.module_path)
    tests = tests_of(room, mutant, root, lines)
    own = shutil.copy(database, database.with_name("mutant.sqlite3"))
    for left in ("mutant.sqlite3-wal", "mutant.sqlite3-shm"):
        # Drop the writes of the previous mutant.
        database.with_name(left).unlink(missing_ok=True)
    run = shlex.join(pytest_of(root, own, *tests))
    result = mutate_and_test([mutant], run, SECONDS)
    outcome = "killed" if result.test_outcome == TestOutcome.KILLED else "SURVIVED"
    where = f"{module.relative_to(root)}:{mutant.start_pos[0]}"
    late = " (hung)" if result.output == "timeout" else ""
    sys.stdout.write(f"{outcome}{late} {where} {mutant.definition_name} {mutant.operator_name}\n")
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
        names = asked.rooms or list(ROOMS)
        copy = shutil.copy(database, root / "var" / "room.sqlite3")
        lines = executed_by([ROOMS[name] for name in names], root, copy)
        for name in names:
            room = ROOMS[name]
            modules = sorted(path for pattern in room.modules for path in root.glob(pattern))
            made = mutants(modules, asked.sample, asked.seed)
            dead = sum(killed(room, mutant, root, database, lines) for mutant in made)
            table.append(f"| {name} | {len(made)} | {dead} | {100 * dead // len(made)} % |")
    sys.stdout.write("\n| room | mutants | killed | part |\n|---|---|---|---|\n")
    sys.stdout.write("\n".join(table) + "\n")


if __name__ == "__main__":
    main()
