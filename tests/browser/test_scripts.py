"""Names and types in the scripts of the pages: ESLint and ``tsc --checkJs`` find a fault before a browser does."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.conftest import missing
from tests.programs import ROOT

pytestmark = pytest.mark.long
TOOLS = ROOT / "tests" / "browser" / "tools"


def faults(*words: str, script: str | None = None) -> str:
    """Return ESLint's output for the scripts, or for the text of ``script``."""
    node, judge = shutil.which("node"), TOOLS / "node_modules" / "eslint" / "bin" / "eslint.js"
    if node is None or not judge.exists():
        missing("Node.js or ESLint", "apt-get install nodejs npm, then make test-long")
    config = str(TOOLS / "eslint.config.mjs")
    done = subprocess.run(
        [str(node), str(judge), "--config", config, *words],
        cwd=ROOT,
        input=script,
        capture_output=True,
        text=True,
    )
    assert done.returncode in (0, 1), done.stderr
    return done.stdout


def test_every_name_in_a_script_is_known_and_used() -> None:
    assert faults("static/js") == ""


@pytest.mark.parametrize("name", ["one.js", "sw-one.js"])
def test_a_name_that_nobody_made_is_found(name: str) -> None:
    said = faults("--stdin", "--stdin-filename", f"static/js/{name}", script="fetch(adress);\n")
    assert "'adress' is not defined" in said


def type_faults(*words: str) -> str:
    """Return the compiler's output for scripts, whose types are in their comments (JSDoc)."""
    node, compiler = shutil.which("node"), TOOLS / "node_modules" / "typescript" / "bin" / "tsc"
    if node is None or not compiler.exists():
        missing("Node.js or TypeScript", "apt-get install nodejs npm, then make test-long")
    done = subprocess.run(
        [str(node), str(compiler), *words], cwd=ROOT, capture_output=True, text=True
    )
    assert not done.stderr
    return done.stdout


@pytest.mark.parametrize("project", [TOOLS, TOOLS / "workers"], ids=["pages", "workers"])
def test_the_scripts_hold_their_types(project: Path) -> None:
    assert type_faults("--project", str(project)) == ""


def test_a_state_that_no_item_has_is_found(tmp_path: Path) -> None:
    script = tmp_path / "one.js"
    deals = ROOT / "static" / "js" / "table-deals.js"
    script.write_text(
        f'import {{ answered }} from "{deals}";\nanswered({{ state: "lost" }}, null, () => "");\n'
    )
    words = (
        "--allowJs",
        "--checkJs",
        "--noEmit",
        "--skipLibCheck",
        "--module",
        "es2022",
        "--target",
        "es2022",
    )
    assert "error TS" in type_faults(*words, str(script))
