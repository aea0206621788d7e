"""The documents agree with the code: links, commands, addresses, settings, targets, formats, criteria, articles,
metrics, buttons.

Each section of a guide is held by tests, which name it (`pytest.mark.guide`).
"""

from __future__ import annotations

import ast
import importlib
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml
from django.conf import settings
from django.core.management import get_commands
from django.test import Client

from adjudication.penal import all_articles
from config.environment import VARIABLES
from operations.metrics import FINISHED
from tools.permissions_page import routes
from tournament.ranking.presets import PRESETS

from .catalogs import PLACEHOLDER, catalog
from .conftest import missing

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted(
    [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")], key=lambda path: path.as_posix()
)
OURS = ("config", "operations", "adjudication", "tournament", "scoring", "accounts", "ledger")
NOT_SETTINGS = {"TEST_POSTGRES_URL", "TEST_REDIS_URL", "RACE_DATABASE_URL", "TEST_MUST_NOT_SKIP"}
"""Variables of the tests, which the service does not read."""
OF_OTHERS = {"RESTIC_REPOSITORY", "RESTIC_PASSWORD"}
"""Variables of programs that the guides call."""


def named(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def anchors(path: Path) -> set[str]:
    """Return the anchors of a page's headings in GitHub's notation."""
    return {anchor(line) for line in path.read_text().splitlines() if line.startswith("#")}


def anchor(heading: str) -> str:
    """Return the anchor of a heading line."""
    title = re.sub(r"[`*]", "", heading.lstrip("#").strip()).lower()
    return re.sub(r"[^\w\- ]", "", title).replace(" ", "-")


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\((?!https?://|mailto:)([^)\s]+)\)", page.read_text()):
        file, _hash, anchor = target.partition("#")
        there = (page.parent / file).resolve() if file else page
        assert there.exists(), f"{named(page)}: {target}"
        if anchor and there.suffix == ".md":
            assert anchor in anchors(there), f"{named(page)}: {target}"


def test_files_named_are_there() -> None:
    """A short name stands in the folder of a file named before it on its line."""
    missing = []
    for line in (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8").splitlines():
        folders = [ROOT, ROOT / "tournament", ROOT / "adjudication"]
        for name in re.findall(r"`([\w/.*-]+(?:/|\.py|\.toml|\.js|\.txt|\.md))`", line):
            found = [path for folder in folders for path in folder.glob(name)]
            missing += [] if found else [name]
            folders += [path if path.is_dir() else path.parent for path in found]
    assert not missing


def test_make_targets_named_are_there() -> None:
    makefile = (ROOT / "Makefile").read_text()
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    for page in PAGES:
        # In code, where it is not a word of a sentence.
        for text in re.findall(
            r"`make ([a-z][a-z-]*)|^ {4}make ([a-z][a-z-]*)", page.read_text(), re.MULTILINE
        ):
            assert (text[0] or text[1]) in targets, f"{named(page)}: make {text}"


@pytest.mark.guide("operator#all-commands")
def test_every_command_is_documented_and_every_documented_one_is_there() -> None:
    commands = get_commands()
    told = {
        name: page
        for page in PAGES
        if page.name != "CHANGELOG.md"  # it names commands of earlier releases
        for name in re.findall(r"manage\.py ([a-z][a-z_]+)", page.read_text())
    }
    assert {name: named(page) for name, page in told.items() if name not in commands} == {}
    ours = {name for name, room in commands.items() if str(room).split(".")[0] in OURS}
    operator = (ROOT / "docs" / "operator.md").read_text()
    assert sorted(name for name in ours if f"manage.py {name}" not in operator) == []


def test_addresses_named_are_there() -> None:
    patterns = [
        re.compile(
            "/" + re.sub(r"<(\w+:)?\w+>", "[^/]+", re.sub(r"[.^$]", r"\\\g<0>", route.pattern))
        )
        for route in routes()
    ]
    absent = {
        f"{named(page)}: {address}"
        for page in PAGES
        if page.name not in ("CHANGELOG.md",)
        for address in re.findall(
            r"`(?:GET |POST |PUT |DELETE )?(/[a-z][^`\s?#]*/)`", page.read_text()
        )
        if not address.startswith(("/usr/", "/var/", "/srv/", "/etc/", "/static/"))
        # A part of an address covers everything below it.
        and not any(
            pattern.fullmatch(address) or pattern.pattern.startswith(address)
            for pattern in patterns
        )
    }
    assert absent == set()


def test_settings_named_are_there() -> None:
    pages = [ROOT / "README.md", ROOT / "docs" / "operator.md", ROOT / "docs" / "security.md"]
    known = set(VARIABLES) | NOT_SETTINGS | OF_OTHERS | {"PORT", "HOST"}
    compose = (ROOT / "docker" / "compose.yaml").read_text()
    known |= set(re.findall(r"\$\{([A-Z_]+)", compose))
    for page in pages:
        for name in re.findall(r"`([A-Z][A-Z]+_[A-Z_]+)(?:=[^`]*)?`", page.read_text()):
            assert name in known or hasattr(settings, name), f"{named(page)}: {name}"


@pytest.mark.guide("formats#table-of-formats")
def test_every_format_ranking_and_article_is_documented() -> None:
    formats = (ROOT / "docs" / "formats.md").read_text()
    for path in sorted((ROOT / "tournament" / "pairing").glob("*.py")):
        for name in re.findall(r"^def (draw_\w+)", path.read_text(), re.MULTILINE):
            assert f"`{path.stem}.{name}`" in formats, f"{path.stem}.{name}"
    named = re.findall(r"`(?!tournament\.)([a-z]+)\.([a-z]\w+)`", formats)
    assert len(named) > 15
    for module, name in named:
        assert hasattr(importlib.import_module(f"tournament.pairing.{module}"), name), name
    ranking = (ROOT / "docs" / "ranking.md").read_text()
    for name, preset in PRESETS.items():
        assert f"`{name}`" in ranking, name
        for used in preset.rule.criteria:
            assert f"`{used.code}`" in ranking, used.code
    code = (ROOT / "docs" / "penal-code.md").read_text()
    for article in all_articles().values():
        assert re.search(rf"^#+ .*\b{re.escape(article.id)}\b", code, re.MULTILINE), article.id


ALERTS = yaml.safe_load((ROOT / "docker" / "alerts.yml").read_text())
RULES = [rule for group in ALERTS["groups"] for rule in group["rules"]]


@pytest.mark.guide("operator#health-and-metrics")
@pytest.mark.django_db
def test_every_alert_asks_for_figures_that_are_given_and_is_documented(
    client: Client, settings: object, tmp_path: Path
) -> None:
    settings.METRICS_TOKEN = "scraper"  # type: ignore[attr-defined]
    settings.BACKUP_DIR = str(tmp_path)  # type: ignore[attr-defined]
    (tmp_path / "manille-1.sqlite3").touch()
    client.get("/health/live/")
    text = client.get("/metrics/", headers={"Authorization": "Bearer scraper"}).content.decode()
    given = set(re.findall(r"^# TYPE (\w+) ", text, re.MULTILINE))
    operator = (ROOT / "docs" / "operator.md").read_text()
    known_routes = {FINISHED, *(f"/{route.pattern}" for route in routes())}
    for rule in RULES:
        asked = set(re.findall(r"\bmanille_\w+", rule["expr"]))
        assert asked or "up{" in rule["expr"], rule["alert"]
        for name in asked:
            assert re.sub(r"_(bucket|count|sum|total)$", "", name) in {
                re.sub(r"_total$", "", each) for each in given
            }, f"{rule['alert']}: {name}"
        for route in re.findall(r'route="([^"]+)"', rule["expr"]):
            assert route in known_routes, f"{rule['alert']}: {route}"
        assert f"`{rule['alert']}`" in operator
        assert rule["expr"].strip() in operator, f"{rule['alert']}: the guide shows another query"
        assert rule["annotations"]["summary"]


@pytest.mark.guide("operator#health-and-metrics")
@pytest.mark.parametrize(
    "words",
    [
        ("check", "config", "docker/prometheus.yml"),
        ("check", "rules", "docker/alerts.yml"),
        ("test", "rules", "tests/operations/alerts.yml"),
    ],
    ids=" ".join,
)
def test_prometheus_takes_the_files_and_each_alert_rings_when_it_shall(
    words: tuple[str, ...],
) -> None:
    if shutil.which("promtool") is None:
        missing("promtool", "it is in Debian's package prometheus")
    done = subprocess.run(["promtool", *words], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_each_alert_is_rung_and_silent_once() -> None:
    asked = yaml.safe_load((ROOT / "tests/operations/alerts.yml").read_text())["tests"]
    quiet, trouble = ({case["alertname"] for case in each["alert_rule_test"]} for each in asked)
    rung = {c["alertname"] for c in asked[1]["alert_rule_test"] if c.get("exp_alerts")}
    assert quiet == trouble == rung == {rule["alert"] for rule in RULES}


WAYS_BACK = (ROOT / "docs/ways-back.md").read_text()
TESTS = {
    name
    for path in (ROOT / "tests").rglob("test_*.py")
    for name in re.findall(r"def (test_\w+)\(", path.read_text())
}


NOTHING_DRAWN_OR_COUNTED = {
    *("copy_event", "create_event", "update_event", "set_logo", "remove_logo"),
    *("request_document", "request_archive", "want_mail", "mail_links"),
    *(
        "keep_file",
        "request_import",
        "add_member",
        "correct_member",
        "add_members",
    ),
    *("add_house_rules", "change_house_rules", "remove_house_rules"),
    *(
        "remember_players",
        "register",
        "refuse",
        "mark_paid",
        "mark_unpaid",
        "renew_link",
        "revoke_link",
    ),
    *("open_link", "hide_event", "show_event"),
    *(
        "erase_person",
        "mark_names",
        "take_writing",
        "call_referee",
    ),
    *("contest_result", "claim_call", "release_call", "close_call"),
}
"""Verbs of settings, paper, personal data and calls, which change nothing drawn or counted."""
VERB = re.compile(
    r"^@(?:change|verb)\((?:(?!.*changes=False).*\)|\n(?:    .*\n)+\))\n(?:@.*\n)*def ([a-z]\w*)",
    re.MULTILINE,
)


def test_every_act_on_draw_or_count_has_its_way_back() -> None:
    rooms = [ROOT / "tournament/services", ROOT / "tournament/tables/services"]
    verbs = {
        name
        for room in rooms
        for file in room.glob("*.py")
        for name in VERB.findall(file.read_text())
    }
    named = set(re.findall(r"`([a-z]\w*)`", WAYS_BACK))
    assert sorted(verbs - named - NOTHING_DRAWN_OR_COUNTED) == []
    assert verbs >= NOTHING_DRAWN_OR_COUNTED
    assert NOTHING_DRAWN_OR_COUNTED.isdisjoint(named)


@pytest.mark.guide("director#after-the-publication")
def test_every_way_back_has_its_test() -> None:
    wanted = set(re.findall(r"`(test_\w+)`", WAYS_BACK))
    assert sorted(wanted - TESTS) == []


GUIDES = (
    "check",
    "director",
    "engine",
    "formats",
    "notation",
    "operator",
    "permissions",
    "players",
    "ranking",
    "referee",
    "scorekeeper",
    "security",
    "settings",
)


def without_code(text: str) -> str:
    text = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"(?<=\n\n)(?: {4}.*\n)+(?=\n)", "", text)


def guarded() -> set[str]:
    """Return the sections of guides that tests name (``pytest.mark.guide``), as "guide#anchor"."""
    found: set[str] = set()
    for path in (ROOT / "tests").rglob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.FunctionDef):
                continue
            for mark in node.decorator_list:
                if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.guide":
                    found.update(map(ast.literal_eval, mark.args))
    return found


def sections(guide: str) -> set[str]:
    """Return a guide's headings with text of their own, as "guide#anchor"."""
    text = without_code((ROOT / f"docs/{guide}.md").read_text())
    parts = [part.partition("\n") for part in re.split(r"^(?=#+ )", text, flags=re.MULTILINE)]
    return {f"{guide}#{anchor(heading)}" for heading, _line, text in parts if text.strip()}


def test_each_section_of_a_guide_is_held_by_tests() -> None:
    written = set().union(*map(sections, GUIDES))
    assert sorted(written - guarded()) == []
    assert sorted(guarded() - written) == []


def plain(words: str) -> str:
    words = re.sub(r"\s+", " ", words.replace("’", "'"))
    return words.strip(" .:…?!").lower()


PAGES_SAY = {
    plain(text) for entry in catalog("fr") for text in (entry.english, entry.plural) if text
}
FILLED = [
    re.compile(".+".join(map(re.escape, PLACEHOLDER.split(text))))
    for text in PAGES_SAY
    # At least one word: “%(number)s %(name)s” would match anything.
    if PLACEHOLDER.search(text) and len(re.findall(r"[^\W\d_]", PLACEHOLDER.sub("", text))) > 4
]
NOT_ON_PAGES = {"asks", "boom", "concours", "manche", "pique", "renonce", "verzaken", "west's"}
"""Italics in the guides with another purpose."""


def stands_on_a_page(words: str) -> bool:
    """Return whether a page shows these words: in full, filled in, or as at least three opening words of a text."""
    cut = re.compile(".+".join(map(re.escape, words.split("…"))))
    return (
        words in PAGES_SAY | NOT_ON_PAGES
        or any(text.fullmatch(words) for text in FILLED)
        or ("…" in words and any(cut.fullmatch(text) for text in PAGES_SAY))
        or (words.count(" ") > 1 and any(text.startswith(words) for text in PAGES_SAY))
    )


@pytest.mark.parametrize(
    "guide", ["director", "operator", "players", "ranking", "referee", "scorekeeper", "ways-back"]
)
def test_each_button_and_page_that_a_guide_names_is_called_so(guide: str) -> None:
    text = without_code((ROOT / f"docs/{guide}.md").read_text())
    text = re.sub(r"<!--.*?-->|`[^`]*`", "", text, flags=re.DOTALL).replace("**", "")
    named = re.findall(r"(?<![\w*])\*([^*\s|](?:[^*|\n]|\n(?!\n))*?)\*(?![\w*])", text)
    steps = {plain(step) for path in named for step in path.split("→")}
    if guide == "scorekeeper":
        steps = {plain(words) for words in re.findall(r'"([A-Z][^"]+)"', text)}
    assert steps
    assert sorted(step for step in steps if not stands_on_a_page(step)) == []
