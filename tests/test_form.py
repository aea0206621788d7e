"""The form of the source, for the formatter, reviewers and readers of the pages."""

from __future__ import annotations

import ast
import re
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from django.apps import apps

from scoring.engine.rulebook import RULEBOOKS
from tournament.drawing.formats import FORMATS
from tournament.ranking.criteria import CRITERIA

ROOT = Path(__file__).parents[1]
ROOMS = ("accounts", "adjudication", "config", "ledger", "operations", "scoring", "tournament")
# Names with a leading underscore that are documented all the same (Django, namedtuple).
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


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """Return every part of a module."""
    return tuple(ast.walk(tree(path)))


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


WRITTEN_INPUTS = 33
"""Number of inputs written by templates; the others come from a form or from ``{% field %}``."""
AT_THE_TABLE = "deal parts/cards parts/entry parts/entry_check parts/entry_choices parts/entry_field parts/next_deal"
OF_THE_PAPER = "parts/paper_game parts/paper_row"
BY_HAND = {
    *(f"table/{name}.html" for name in f"{AT_THE_TABLE} {OF_THE_PAPER}".split()),
    "403.html",
    "desk/import.html",  # a column's meaning, inside the head of its row
    "desk/player_row.html",
    "desk/tick_members.html",
    "parts/form/points.html",
    "public/register.html",  # its help stands between the label and the input
    "referee/parts/next_round.html",
}


def test_inputs_come_from_forms_and_fields() -> None:
    found = {
        str(path.relative_to(ROOT / "templates")): len(
            re.findall(r"<(?:input|select|textarea)\b", path.read_text(encoding="utf-8"))
        )
        for path in tracked("templates/**.html")
    }
    assert {name for name, count in found.items() if count} <= BY_HAND
    assert sum(found.values()) <= WRITTEN_INPUTS


def defined() -> set[str]:
    """Return each private name that the product itself defines or assigns."""
    names: set[str] = set()
    for path in sources():
        for node in nodes(path):
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
    for node in nodes(path):
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
    # The write's own database counts; `QuerySet.db` would ask the router for a database to read from.
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
    """Except in quotations of a source or an earlier edition, and in the search's stop words."""
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


DIALECT = {"anew", "asked", "found", "kept", "made", "making", "said", "told", "whoever"}
FIELD_OF_RELEASES = {
    (f"adjudication/{file}.py", "told") for file in ("models", "services/incidents")
}
"""Answers shown to a referee, under the API's name for them."""


def test_values_and_functions_have_nouns_and_verbs_for_names() -> None:
    names: list[str] = []
    for path in [*sources(), ROOT / "manille_check.py"]:
        where = str(path.relative_to(ROOT))
        for node in nodes(path):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                name = node.id
            elif isinstance(node, ast.arg):
                name = node.arg
            elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                name = node.attr
            elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ExceptHandler):
                name = node.name or ""
            elif isinstance(node, ast.ClassDef):
                name = node.name.lower()
            else:
                continue
            if name.strip("_") in DIALECT and (where, name) not in FIELD_OF_RELEASES:
                names.append(f"{where}:{node.lineno}: {name}")
    assert names == []


FORCED = {
    "tests/accounts/test_attempts.py": (2, "a block whose hour is over, an attempt of last month"),
    "tests/accounts/test_role_evidence.py": (
        5,
        "roles, rights and passwords written past the services",
    ),
    "tests/tournament/test_columns.py": (4, "columns that no form sets all at once"),
    # The database's own refusals.
    "tests/tournament/test_decided_match.py": (1, "a result beside a decision"),
    "tests/tournament/test_house_rules.py": (1, "a second name of rules"),
    "tests/adjudication/test_damaged.py": (3, "a ruling of which the database lost a part"),
    "tests/adjudication/test_rulings.py": (6, "two appeals, a changed version, an unknown state"),
    "tests/adjudication/test_two_persons.py": (4, "a decision that nobody proposed, or decided"),
    "tests/adjudication/test_withdrawn.py": (1, "a ruling on a withdrawn incident"),
    "tests/ledger/test_change.py": (8, "a write outside every change"),
    "tests/tables/test_sheets_rules.py": (
        3,
        "two results, two deals of one number; a bell that rang",
    ),
    "tests/tournament/test_events.py": (1, "a stage that cannot be"),
    # A database changed behind the record, or partly lost.
    "tests/ledger/test_audit.py": (
        12,
        "a head that was changed or is gone; a role without a journal",
    ),
    "tests/operations/test_audit_log.py": (2, "standings and stages altered behind the record"),
    "tests/operations/test_backup_schedule.py": (1, "an installation that differs from its backup"),
    "tests/tournament/test_name_marks.py": (
        11,
        "names exchanged behind the record, names of before it",
    ),
    "tests/operations/test_replay.py": (
        22,
        "rows that differ from what was recorded, or elsewhere; a penalty of an earlier release",
    ),
    "tests/tournament/test_exports_and_archive.py": (3, "another installation; a standing altered"),
    "tests/adjudication/test_archive.py": (1, "another installation, which has no such event"),
    "tests/tournament/test_draw_publication.py": (2, "another installation"),
    "tests/tournament/test_player_columns.py": (
        1,
        "a second person with an address, as no page asks it",
    ),
    "tests/tournament/test_push.py": (1, "an event that is finished in the middle of a round"),
    "tests/security/test_paper_and_calendar.py": (1, "lines in a name that no page takes"),
    "tests/long/test_backups.py": (1, "an installation that differs from its backup"),
    "tests/long/test_least_privilege.py": (4, "what the service's own role may not do"),
    "tests/long/test_rewritten_journals.py": (5, "who rewrites the whole journal"),
    "tests/test_read_node.py": (1, "standings that nobody has computed yet"),
    # Rows as an earlier release left them.
    "tests/adjudication/test_general_articles.py": (1, "the penal code of 0.2.0"),
    "tests/adjudication/test_late.py": (1, "an edition of the penal code before this one"),
    "tests/adjudication/test_sheet_effects.py": (2, "editions of rulebook and penal code before"),
    "tests/security/test_personal_data.py": (1, "a person in two events"),
    "tests/test_privacy.py": (1, "a person in two events"),
    "tests/test_refusals.py": (1, "a person in two events"),
    "tests/tournament/test_carried_over.py": (1, "a list that 1.0.0 made final"),
    "tests/tournament/test_left_in_the_bracket.py": (2, "lists that 1.0.0 made final"),
    "tests/tournament/test_chain.py": (2, "a cut that is refused today"),
    "tests/tournament/test_papers.py": (1, "documents with links that were stored once"),
    "tests/tournament/test_public_pages.py": (1, "rows that 0.2.0 rendered"),
    # Remains of a dead worker, or results that take hours to find.
    "tests/adjudication/test_pages.py": (2, "two answers of the solver"),
    "tests/tournament/test_desk_pages.py": (1, "a report that proves one line and not the next"),
    # Material of the tests.
    "tests/test_lock_order.py": (4, "statements that are read, never run"),
    "tests/browser/inside.py": (6, "a hall of few tables whose seats are known, and its bell"),
    "tests/long/test_draw_day.py": (2, "marks that nobody could make: they must not count"),
    "tests/tables/build.py": (8, "a table and its sheet without an event, for the game alone"),
}
"""The tests that write into a table without a service: number of places, and reason."""
ACCOUNTS = {"User"}
"""Models other than the product's, used where a test of the ledger only needs some row to write."""


QUERIES = {
    *("all", "exclude", "filter", "objects", "order_by", "select_related"),
    *("QuerySet", "_base_manager", "_default_manager"),
}
RELATED = {
    relation.get_accessor_name()
    for model in apps.get_models()
    if model._meta.app_label in ROOMS
    for relation in model._meta.related_objects
    if relation.get_accessor_name()
}
"""Names by which a test reaches many rows at a time."""
OF_MANY = {"bulk_create", "bulk_update", "create", "get_or_create", "update", "update_or_create"}
OF_MANY |= {f"a{verb}" for verb in OF_MANY}
OF_ROWS = {"adelete", "asave", "delete", "save", "save_base"}
OF_RELATIONS = {"add", "clear", "remove", "set"}
OF_SQL = re.compile(
    rf"(?:UPDATE|INSERT INTO|DELETE FROM)\s+\W?(?:{'|'.join(ROOMS)})_", re.IGNORECASE
)
NO_ROWS = {"canvas"}
"""Objects saved elsewhere than in the database."""


def names_in(node: ast.expr) -> set[str]:
    """Return the names and attributes of an expression."""
    return {
        part.attr if isinstance(part, ast.Attribute) else part.id
        for part in ast.walk(node)
        if isinstance(part, ast.Attribute | ast.Name)
    }


def writes(node: ast.AST, queries: set[str]) -> bool:
    """Return whether a part of a test writes rows itself: by a query, or by saving or deleting a row."""
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
        return False
    verb, on = node.func.attr, names_in(node.func.value)
    if (ACCOUNTS & on and "create" in verb) or NO_ROWS & on:
        return False
    if verb in OF_ROWS:
        return all(
            isinstance(arg, ast.Constant) and arg.value in (True, False) for arg in node.args
        )
    if verb in OF_RELATIONS:
        return isinstance(node.func.value, ast.Attribute) and node.func.value.attr in RELATED
    return (
        verb in OF_MANY
        and not (verb == "update" and node.args)
        and bool(on & (QUERIES | RELATED | queries))
    )


def forced_writes(source: str) -> int:
    """Return the number of writes in a module that bypass the services."""
    verbs = "|".join(OF_MANY | OF_ROWS | OF_RELATIONS)
    if not (re.search(rf"\.({verbs})\(", source) or OF_SQL.search(source)):
        return 0
    module = ast.parse(source)
    parts = list(ast.walk(module))
    queries = {
        target.id
        for node in parts
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None
        if names_in(node.value) & (QUERIES | RELATED)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name)
    }
    # A string here may be a program that a browser test passes to the service.
    verbs = "|".join(sorted(OF_MANY))
    written = rf"\.objects\b.*\.({verbs})\(|\b[a-z]\w*\.({'|'.join(sorted(OF_ROWS))})\(\)"
    scripts = [
        len(re.findall(written, node.value)) + len(OF_SQL.findall(node.value))
        for node in parts
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    return sum(scripts) + sum(writes(node, queries) for node in parts)


def test_the_check_sees_what_writes_past_the_services() -> None:
    seen = {
        "Stage.objects.filter(event=event).update(cut={})": 1,
        "Stage.objects.filter(\n  event=event\n).update(\n  cut={}\n)": 1,
        "event.stages.update(cut={})": 1,
        "rows = Stage.objects.all()\nrows.update(cut={})": 1,
        "Stage.objects.bulk_update([stage], ['cut'])": 1,
        "Stage.objects.create(event=event)": 1,
        "rows: Any = Stage.objects.all()\nrows.update(cut={})": 1,
        "Stage._base_manager.update(cut={})": 1,
        "await Stage.objects.aupdate(cut={})": 1,
        "part.draws.update(state='published')": 1,
        "User.objects.filter(pk=1).update(is_active=False)": 1,
        "stage.field.set([])": 1,
        "stage.save(True)": 1,
        "stage.save_base(raw=True)": 1,
        "cursor.execute('UPDATE tournament_stage SET minutes = 7')": 1,
        "cursor.execute('INSERT INTO \"ledger_user\" VALUES (1)')": 1,
        "stage.field.create(entrant=entrant)": 1,
        "stage.save()": 1,
        "stage.save(update_fields=['cut'])": 1,
        "stage.delete()": 1,
        "client.delete(address)": 0,
        "canvas.save()": 0,
        "User.objects.create(username='made')": 0,
        "form.update(cut={})": 0,
        "digest.update(b'')": 0,
        "seen.add(1)": 0,
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
    counts = {name: forced_writes(source) for name, source in sources.items()}
    assert {name: count for name, count in counts.items() if count} == {
        name: count for name, (count, _why) in FORCED.items()
    }


def names_a_rulebook(node: ast.AST) -> bool:
    """Return whether an expression is a rulebook's key: ``game.key``, ``event.rulebook``, ``data["rulebook"]``."""
    return any(
        (isinstance(part, ast.Attribute) and part.attr in ("key", "rulebook"))
        or (isinstance(part, ast.Name) and part.id in ("key", "rulebook"))
        or (isinstance(part, ast.Constant) and part.value == "rulebook")
        for part in ast.walk(node)
    )


def begins_a_key(node: ast.AST) -> bool:
    """Return whether a literal in an expression is a rulebook's key or the beginning of one."""
    return any(
        isinstance(part, ast.Constant)
        and isinstance(part.value, str)
        and any(part.value and key.startswith(part.value) for key in RULEBOOKS)
        for part in ast.walk(node)
    )


def test_no_branch_compares_the_key_of_a_rulebook() -> None:
    """A game's features are capabilities or switches of its file: a new file needs no code."""
    compared = []
    for path in sources():
        for node in nodes(path):
            parts: list[ast.expr] = []
            if isinstance(node, ast.Compare):
                parts = [node.left, *node.comparators]
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                parts = [node.func.value, *node.args] if node.func.attr == "startswith" else []
            elif isinstance(node, ast.Match):
                parts = [node.subject]
                parts += [
                    case.pattern.value
                    for case in node.cases
                    if isinstance(case.pattern, ast.MatchValue)
                ]
            keys = [part for part in parts if begins_a_key(part)]
            if keys and any(names_a_rulebook(part) for part in parts if part not in keys):
                compared.append(f"{path.relative_to(ROOT)}:{keys[0].lineno}")
    assert compared == []
    pages = tracked("**.html", "static/**.js", "docker/**", "benchmarks/**.py", "Makefile")
    key = rf"[\"'](?:{'|'.join(RULEBOOKS)})[\"']"
    literal = rf"(?:[!=]==?|\bin|\bcase)\s*[(\[]?\s*{key}|{key}\s*[!=]=|\[{key}[^\]]*\]\.includes"
    assert lines_with(literal, pages) == []


def test_what_a_criterion_is_stands_in_its_class() -> None:
    """A new criterion is a class of its own: no set of their codes exists elsewhere."""
    elsewhere = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in sources()
        for node in nodes(path)
        if isinstance(node, ast.Set)
        and sum(isinstance(each, ast.Constant) and each.value in CRITERIA for each in node.elts) > 1
    ]
    assert elsewhere == []


def test_what_a_format_is_stands_in_its_entry() -> None:
    """A new format is an entry of the registry: no branch and no set of formats exists elsewhere."""
    elsewhere = []
    for path in sources():
        if path.name == "formats.py" and "drawing" in path.parts:
            continue
        for node in nodes(path):
            least, values = 2, list[ast.AST | None]()
            if isinstance(node, ast.Compare):
                parts = [node.left, *node.comparators]
                if any(names_in(part) & {"format", "format_", "shape"} for part in parts):
                    least, values = 1, [each for part in parts for each in ast.walk(part)]
            elif isinstance(node, ast.Set | ast.List | ast.Tuple):
                values = [*node.elts]
            elif isinstance(node, ast.Dict):
                values = [*node.keys]
            keys = [
                each for each in values if isinstance(each, ast.Constant) and each.value in FORMATS
            ]
            if len(keys) >= least:
                elsewhere.append(f"{path.relative_to(ROOT)}:{keys[0].lineno}")
    assert elsewhere == []
    pages = tracked("templates/**.html", "static/**.js")
    literal = rf"\b(format|shape)\b *[!=]==? *[\"'](?:{'|'.join(FORMATS)})[\"']"
    assert lines_with(literal, pages) == []
