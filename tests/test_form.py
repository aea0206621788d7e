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
    "tests/ledger/test_change.py": 5,
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
    "tests/browser/inside.py": 1,
    "tests/browser/test_journey_rulings.py": 1,
    "tests/browser/test_wall.py": 4,
    "tests/long/draw_rivals.py": 1,
    "tests/long/test_draw_day.py": 1,
    "tests/tables/build.py": 2,
    "tests/tournament/test_every_format.py": 1,
    "tests/tournament/test_exports_and_archive.py": 1,
    "tests/tournament/test_paper_entry.py": 1,
    "tests/tournament/test_papers.py": 1,
    "tests/tournament/test_room.py": 1,
}
"""The tests that write into a table past the services, and in how many places. It only shrinks."""


QUERIES = {"all", "exclude", "filter", "objects", "order_by", "select_related"}
RELATED = {"entrants", "field", "entries", "rounds", "seats", "sheets", "stages", "tables"}
"""Names by which a test reaches many rows at once."""


def of_rows(node: ast.expr, names: set[str]) -> bool:
    """Whether an expression is a query: by what is called on it, or by the name it was given."""
    return any(
        (isinstance(part, ast.Attribute) and part.attr in QUERIES | RELATED)
        or (isinstance(part, ast.Name) and part.id in names)
        for part in ast.walk(node)
    )


def forced_writes(source: str) -> int:
    """How often a module writes into a table by query, past every service."""
    module = ast.parse(source)
    names = {
        target.id
        for node in ast.walk(module)
        if isinstance(node, ast.Assign) and of_rows(node.value, set())
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    # What is a text here is a program where a browser test hands it to the service.
    scripts = [
        len(re.findall(r"\b[A-Z]\w+\.objects\b.*\.update\(", node.value))
        for node in ast.walk(module)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    return sum(scripts) + sum(
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and (node.func.attr == "bulk_update" or (node.func.attr == "update" and not node.args))
        and of_rows(node.func.value, names)
        for node in ast.walk(module)
    )


def test_the_check_sees_what_writes_past_the_services() -> None:
    seen = {
        "Stage.objects.filter(event=event).update(cut={})": 1,
        "Stage.objects.filter(\n  event=event\n).update(\n  cut={}\n)": 1,
        "event.stages.update(cut={})": 1,
        "rows = Stage.objects.all()\nrows.update(cut={})": 1,
        "Stage.objects.bulk_update([stage], ['cut'])": 1,
        "form.update(cut={})": 0,
        "digest.update(b'')": 0,
    }
    assert {source: forced_writes(source) for source in seen} == seen
    inside = 'SCRIPT = """\nfrom tournament.models import Stage\nStage.objects.update(cut={})\n"""'
    assert forced_writes(inside) == 1


def test_states_are_reached_as_users_reach_them() -> None:
    sources = {
        str(path.relative_to(ROOT)): path.read_text(encoding="utf-8")
        for path in tracked("tests/**.py")
        if path.name != "test_form.py"
    }
    counts = {
        name: forced_writes(source) for name, source in sources.items() if "update(" in source
    }
    assert {name: count for name, count in counts.items() if count} == FORCED
