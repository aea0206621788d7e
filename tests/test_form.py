"""The form of the source: what the formatter, a reviewer and a reader of the pages rely on."""

from __future__ import annotations

import ast
import re
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
ROOMS = ("accounts", "adjudication", "config", "ledger", "operations", "scoring", "tournament")
# Names that begin with an underscore and are documented all the same (Django, namedtuple).
PUBLIC = {"_meta", "_state", "_replace", "_asdict", "_fields", "_default_manager", "_base_manager"}
# Names without an underscore that Django does not document for callers.
INTERNAL = {"run_on_commit", "load_middleware", "_from_testcase", "_get_response"}


@cache
def tracked(*patterns: str) -> tuple[Path, ...]:
    """Return the files of the repository that match, untracked ones of this checkout included."""
    command = ["git", "ls-files", "-co", "--exclude-standard", "--", *patterns]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return tuple(ROOT / name for name in found.stdout.split("\n") if (ROOT / name).is_file())


def sources() -> list[Path]:
    """Return the modules of the product: no tests, no migrations."""
    names = tracked(*(f"{room}/**.py" for room in ROOMS))
    return [path for path in names if "migrations" not in path.parts]


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def lines_with(pattern: str, paths: tuple[Path, ...] | list[Path], flags: int = 0) -> list[str]:
    """Return where a pattern occurs, as ``file:line: text``."""
    wanted = re.compile(pattern, flags)
    return [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()[:120]}"
        for path in paths
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if wanted.search(line)
    ]


def test_the_formatter_has_the_last_word() -> None:
    assert lines_with(r"#\s*fmt:\s*" + "(skip|off)", tracked("*.py")) == []


def test_a_line_of_a_template_can_be_read() -> None:
    assert lines_with(r".{121}", tracked("templates/**.html")) == []


def defined() -> set[str]:
    """Return each private name that the product itself defines or assigns."""
    names: set[str] = set()
    for path in sources():
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                names.add(node.name)
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                names.add(node.id)
            elif (
                isinstance(node, ast.Attribute)
                and isinstance(node.ctx, ast.Store)
                and isinstance(node.value, ast.Name)
                and node.value.id == "self"
            ):
                names.add(node.attr)
    return names


def private_uses(path: Path, own: set[str]) -> Iterator[str]:
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Attribute):
            names = [node.attr]
        elif isinstance(node, ast.ImportFrom):
            names = [alias.name for alias in node.names]
        else:
            continue
        for name in names:
            private = name.startswith("_") and not name.endswith("__") and name not in own | PUBLIC
            if private or name in INTERNAL:
                yield f"{path.relative_to(ROOT)}:{node.lineno}: {name}"


def test_no_private_name_of_a_dependency_is_used() -> None:
    own = defined()
    uses = [use for path in sources() for use in private_uses(path, own)]
    # The write's own database decides what is noticed; `QuerySet.db` would ask the router to read.
    assert [use for use in uses if not re.fullmatch(r"ledger/rows\.py:\d+: _db", use)] == []


def test_each_service_verb_is_reached_by_something_but_tests() -> None:
    words: dict[str, int] = {}
    for path in sources():
        for word in re.findall(r"\w+", path.read_text(encoding="utf-8")):
            words[word] = words.get(word, 0) + 1
    unused = [
        f"{path.relative_to(ROOT)}: {node.name}"
        for path in sources()
        if "services" in path.parts
        for node in tree(path).body
        if isinstance(node, ast.FunctionDef)
        and not node.name.startswith("_")
        and not node.decorator_list
        and words[node.name] == 1
    ]
    assert unused == []


def test_persons_are_they() -> None:
    """But in what a source or an earlier edition says, and in words that the search leaves out."""
    unchanged = {"test_form.py", "search.py", "editions.toml"}
    paths = [
        path
        for path in tracked(
            "*.py",
            "scoring/**.toml",
            "templates/**.html",
            "*.md",
            "static/**.js",
            "docker/**",
        )
        if "migrations" not in path.parts and path.name not in unchanged
    ]
    gendered = r"\b(he|his|him|himself|she|her|hers)\b"
    said = lines_with(gendered, paths, re.IGNORECASE)
    assert [line for line in said if "Citation:" not in line and "citation" not in line] == []
    published = {"penal-code.md", "test_wording.py"}
    ours = [p for p in paths if "articles" not in p.parts and p.name not in published]
    assert lines_with(r"\bwhoever\b", ours, re.IGNORECASE) == []


DIALECT = {"anew", "asked", "found", "kept", "said", "told", "whoever"}
FIELD_OF_RELEASES = {("adjudication/models.py", "told")}
"""What a referee was told, under the name that the API has for it."""


def test_values_and_functions_have_nouns_and_verbs_for_names() -> None:
    names: list[str] = []
    for path in [*sources(), ROOT / "manille_check.py"]:
        where = str(path.relative_to(ROOT))
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                name = node.id
            elif isinstance(node, ast.arg):
                name = node.arg
            elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                name = node.name
            else:
                continue
            if name.strip("_") in DIALECT and (where, name) not in FIELD_OF_RELEASES:
                names.append(f"{where}:{node.lineno}: {name}")
    assert names == []


FORCED = {
    # They attack the database itself, or tell what it refuses.
    "tests/adjudication/test_damaged.py": 1,
    "tests/adjudication/test_rulings.py": 3,
    "tests/adjudication/test_two_persons.py": 1,
    "tests/adjudication/test_withdrawn.py": 1,
    "tests/ledger/test_audit.py": 3,
    "tests/ledger/test_change.py": 4,
    "tests/operations/test_replay.py": 8,
    # They stand for rows of an earlier release, or for what a dead process left.
    "tests/adjudication/test_sheet_effects.py": 1,
    "tests/ledger/test_clock_jumps.py": 1,
    "tests/ledger/test_jobs.py": 6,
    "tests/long/data/make_0_2_0.py": 1,
    "tests/tournament/test_archives_of_0_2_0.py": 1,
    "tests/tournament/test_chain.py": 1,
    "tests/tournament/test_draws.py": 1,
    "tests/tournament/test_same_marks.py": 1,
    "tests/tournament/test_unplayed.py": 1,
    # They force a state that a person reaches in another way: each is to go by the services.
    "tests/accounts/test_first_account.py": 1,
    "tests/accounts/test_second_step.py": 3,
    "tests/browser/inside.py": 1,
    "tests/browser/test_journey_rulings.py": 1,
    "tests/browser/test_wall.py": 4,
    "tests/long/draw_rivals.py": 1,
    "tests/long/test_draw_day.py": 1,
    "tests/tables/build.py": 2,
    "tests/tables/test_contested.py": 2,
    "tests/tournament/test_cut_shown.py": 2,
    "tests/tournament/test_every_format.py": 1,
    "tests/tournament/test_exports_and_archive.py": 1,
    "tests/tournament/test_paper_entry.py": 1,
    "tests/tournament/test_papers.py": 1,
    "tests/tournament/test_room.py": 1,
}
"""The tests that write into a table past the services, and in how many places. It only shrinks."""


def test_states_are_reached_as_users_reach_them() -> None:
    past = r"\b(objects|stages|entrants|rounds|rows|heads?)\b.*\.update\("
    places = lines_with(past, tracked("tests/**.py"))
    counts: dict[str, int] = {}
    for place in places:
        file = place.partition(":")[0]
        counts[file] = counts.get(file, 0) + 1
    assert counts == FORCED
