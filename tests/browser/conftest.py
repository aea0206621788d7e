"""The real service in its own folder, and Chromium to use it as people do."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest

from tests import forks
from tests.browser.serving import Server, fresh_database, server, take_prepared
from tests.conftest import missing
from tests.programs import ROOT, free_port, is_up, wait_for

LANGUAGES = ("en", "fr", "nl")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-sync",
    "--disable-background-networking",
    "--disable-component-update",
]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Select one language of each test marked ``one_language``, by its name and always the same.

    Tests marked ``in_languages`` run in the named languages, but in one of them on a second database, where words show
    nothing new. All languages run when pictures of every language are stored.
    """
    if os.environ.get("KEEP_PICTURES"):
        return
    marked = {
        item: case_of(item)
        for item in items
        if item.get_closest_marker("one_language") or item.get_closest_marker("in_languages")
    }
    languages: dict[str, set[str]] = {}
    for item, (case, language) in marked.items():
        if language in named(item):
            languages.setdefault(case, set()).add(language)
    other = {
        item
        for item, (case, language) in marked.items()
        if language not in by_turns(item, case, languages[case])
    }
    config.hook.pytest_deselected(items=sorted(other, key=lambda item: item.nodeid))
    items[:] = [item for item in items if item not in other]


def named(item: pytest.Item) -> tuple[str, ...]:
    """Return the languages in which a test may run."""
    mark = item.get_closest_marker("in_languages")
    return tuple(map(str, mark.args)) if mark else LANGUAGES


def by_turns(item: pytest.Item, case: str, languages: set[str]) -> set[str]:
    """Return the languages in which a test runs."""
    if item.get_closest_marker("in_languages") and "postgresql" not in case:
        return languages
    return {sorted(languages)[crc32(case.encode()) % len(languages)]}


def case_of(item: pytest.Item) -> tuple[str, str]:
    """Return a test with its parameters except the language, and the language."""
    case = item.callspec  # type: ignore[attr-defined]  # of parametrized items
    language = str(case.params["language"])
    rest = [part for part in case.id.split("-") if part != language]
    return "-".join([item.nodeid.partition("[")[0], *rest]), language


@dataclass
class Service:
    """A running installation: its address, its folder, and a way to run commands in it."""

    url: str
    folder: Path
    process: subprocess.Popen[bytes] | None = None
    environment: dict[str, str] = field(default_factory=dict)

    def manage(self, *words: str) -> str:
        """Run a management command of the installation. Return its output."""
        done = forks.run(["manage.py", *words], self.environment)
        assert done.returncode == 0, done.stderr[-3000:]
        return done.stdout


@contextmanager
def running(folder: Path, *words: str) -> Iterator[Service]:
    """Run ``config.serve`` with an empty database in ``folder`` until the block ends."""
    port = free_port()
    take_prepared(folder)
    environment = {
        **os.environ,
        "MANILLE_VAR": str(folder),
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "DATABASE_URL": "",
        "BROKER_URL": "",
        "CACHE_URL": "",
        "LOG_LEVEL": "WARNING",
    }
    service = Service(f"http://127.0.0.1:{port}", folder, environment=environment)
    log = (folder / "service.log").open("wb")
    service.process = subprocess.Popen(
        [sys.executable, "-m", "config.serve", "--port", str(port), *words],
        cwd=ROOT,
        env=environment,
        stdout=log,
        stderr=subprocess.STDOUT,
    )
    try:
        wait_for(
            "the service to be ready",
            lambda: is_up(f"{service.url}/health/ready/"),
            240,
            process=service.process,
            log=Path(log.name),
        )
        yield service
    finally:
        kill_with_parts(service.process)
        log.close()


def kill_with_parts(process: subprocess.Popen[bytes]) -> None:
    """Kill the service and its child processes immediately, because a finished test needs no orderly shutdown."""
    if process.poll() is None:
        process.send_signal(signal.SIGSTOP)
        parts = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        process.kill()
        process.wait(30)
        for part in parts:
            with suppress(ProcessLookupError):
                os.killpg(int(part), signal.SIGKILL)


def chromium_path(*, whole: bool = False) -> str:
    """Return the path of Chromium, preferably of the headless shell, which opens a page in a quarter of the time.

    The headless shell shows no notices and receives none; ``whole`` selects the full browser for them.
    """
    names = ["chromium", "chromium-browser"]
    for name in names if whole else ["chromium-headless-shell", *names]:
        if path := shutil.which(name):
            return path
    missing("Chromium", f"apt-get install {'chromium' if whole else 'chromium-headless-shell'}")


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """Run one headless Chromium for the tests of a module.

    Its driver runs an event loop in this thread until the end, and Django opens no database next to a running loop:
    modules that need one may come next in the same process.
    """
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def whole_chromium(chromium: Any) -> Iterator[Any]:
    """Run a Chromium that shows notices."""
    path = chromium_path(whole=True)
    browser = chromium.browser_type.launch(executable_path=path, args=FLAGS)
    yield browser
    browser.close()


@contextmanager
def looking(browser: Any, width: int, language: str = "en", **more: Any) -> Iterator[Any]:
    """Open a page in a fresh browser profile; a script error or a refused style fails the test."""
    context = browser.new_context(
        viewport={"width": width, "height": 740 if width < 500 else 900}, locale=language, **more
    )
    context.set_default_timeout(15_000)
    page = context.new_page()
    troubles: list[str] = []
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on(
        "console",
        lambda message: (
            troubles.append(message.text)
            if message.type == "error"
            and "status of 4" not in message.text
            and "net::ERR_" not in message.text
            else None
        ),
    )
    try:
        yield page
        assert troubles == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert torn(page) == []
    finally:
        context.close()


CROWDED = """() => {
  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const around = node.parentElement;
    if (!node.textContent.trim() || around.closest('svg') || !around.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    const holders = [];
    for (let at = around; at && at !== document.body; at = at.parentElement) holders.push([at, getComputedStyle(at)]);
    if (holders.some(([, style]) => ["fixed", "sticky"].includes(style.position))) continue; // lies over the page on purpose
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const { left, right, top, bottom } of range.getClientRects()) {
      const box = { left, right, top, bottom };
      for (const [at, style] of holders.filter(([, each]) => each.overflow !== "visible")) {
        const edge = at.getBoundingClientRect();
        for (const side of ["left", "top"]) box[side] = Math.max(box[side], edge[side]);
        for (const side of ["right", "bottom"]) box[side] = Math.min(box[side], edge[side]);
      }
      if (box.right - box.left > 2 && box.bottom - box.top > 2) texts.push([node, box]);
    }
  }
  const meet = (a, b, from, to) => Math.min(a[to], b[to]) - Math.max(a[from], b[from]);
  const said = (node) => node.textContent.trim().slice(0, 30);
  const found = [];
  texts.forEach(([one, a], at) => {
    for (const [other, b] of texts.slice(at + 1)) {
      const low = 0.35 * Math.min(a.bottom - a.top, b.bottom - b.top);
      if (one !== other && meet(a, b, "left", "right") > 2 && meet(a, b, "top", "bottom") > low) found.push(`${said(one)} | ${said(other)}`);
    }
  });
  const wide = document.documentElement.scrollWidth;
  return wide > innerWidth ? [...found, `${wide} px wide`] : found;
}"""
"""Finds texts that overlap, and a page wider than its window."""


TORN = """() => [...new Set([...document.querySelectorAll("bdi")].map((name) => name.parentElement))]
  .filter((box) => /flex|grid/.test(getComputedStyle(box).display))
  .filter((box) => [...box.childNodes].some((part) => part.nodeType === Node.TEXT_NODE && /\\p{L}/u.test(part.textContent)))
  .map((box) => box.textContent.trim())"""
"""Finds sentences with a name whose words are laid out in columns beside the name."""


LINES = """each => {
  const range = document.createRange();
  range.selectNodeContents(each);
  return new Set([...range.getClientRects()].map((line) => Math.round(line.bottom))).size;
}"""
"""Counts the lines of an element's text."""


def torn(page: Any) -> list[str]:
    """Return the sentences of a page that a name tears into columns."""
    found: list[str] = page.evaluate(TORN)
    return found


def crowded_at_twice_its_size(page: Any) -> list[str]:
    """Return the elements that overlap others at twice the text size, at 320 and 360 px."""
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    found = []
    for width in (320, 360):
        page.set_viewport_size({"width": width, "height": 640})
        page.evaluate(
            "document.querySelectorAll('main details').forEach(each => { each.open = true; })"
        )
        found += [f"{width}: {each}" for each in page.evaluate(CROWDED)]
    page.evaluate("document.documentElement.style.fontSize = ''")
    return found


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """Run an empty installation."""
    with running(tmp_path_factory.mktemp("service")) as started:
        yield started


@dataclass
class Inside:
    """Helper process inside an installation (:mod:`tests.browser.inside`) that answers questions about its database."""

    process: subprocess.Popen[str]

    def ask(self, verb: str, **given: Any) -> Any:
        """Return the answer to ``verb``."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps({"verb": verb, "with": given}) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())


@pytest.fixture(scope="module")
def inside(service: Service) -> Iterator[Inside]:
    """Run a helper process that calls the installation's services without a page."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.browser.inside"],
        cwd=ROOT,
        env=service.environment,
        text=True,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    yield Inside(process)
    process.communicate(timeout=30)


IN_LONGER_WORDS = pytest.mark.in_languages("fr", "nl")
"""Marks a test of layout, and a journey that is run completely in French and in Dutch."""

ON_BOTH = pytest.mark.parametrize(
    "site",
    ["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)],
    indirect=True,
)
"""Marks a journey that is run on both databases."""


@pytest.fixture(scope="session")
def sites(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Server]]:
    """Return a function that starts one server per database, shared by all tests of the tables' pages."""
    with ExitStack() as stack:

        @cache
        def start(kind: str) -> Server:
            url = stack.enter_context(fresh_database(kind))
            return stack.enter_context(server(tmp_path_factory.mktemp("site"), url))

        yield start


@pytest.fixture
def site(request: pytest.FixtureRequest, sites: Callable[[str], Server]) -> Server:
    """Return the server of the tables' pages; each test creates its own tables."""
    return sites(getattr(request, "param", "sqlite"))
