"""The service's imports in production are among the packages that production installs."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from .programs import ROOT

LOAD = """
import importlib.abc, importlib.metadata, pathlib, pkgutil, re, sys

def plain(name):
    return re.sub("[-_.]+", "-", name).lower()

pins = re.findall("^([A-Za-z0-9._-]+)==", pathlib.Path("requirements.txt").read_text(), re.M)
installed = {plain(each) for each in pins}
owners = importlib.metadata.packages_distributions()

class OnlyInstalled(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        whose = {plain(each) for each in owners.get(name, [])}
        if "." not in name and whose and not whose & installed:
            raise ModuleNotFoundError(f"No module named {name!r} in requirements.txt", name=name)

for name in [each for each in sys.modules if "." not in each and each in owners]:
    if not {plain(each) for each in owners[name]} & installed:
        del sys.modules[name]
sys.meta_path.insert(0, OnlyInstalled())

import django
django.setup()
from celery import current_app
for room in ("config", "ledger", "accounts", "scoring", "tournament", "adjudication", "operations"):
    for module in pkgutil.walk_packages([room], f"{room}."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
current_app.connection_for_read().transport
import celery.apps.worker, django.core.cache.backends.redis, granian.server
"""
"""Imports the whole service, with Redis as broker, where only the pinned packages can be found."""


@pytest.mark.long
def test_production_installs_what_it_imports(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOAD],
        cwd=ROOT,
        capture_output=True,
        text=True,
        env={
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "MANILLE_VAR": str(tmp_path),
            "BROKER_URL": "redis://127.0.0.1:6379/0",
        },
    )
    assert done.returncode == 0, done.stderr[-3000:]


def test_time_zones_need_no_data_of_the_system() -> None:
    """A machine may lack zone data; the lock installs them on every platform."""
    (pinned,) = re.findall(r"^tzdata==.*$", (ROOT / "requirements.txt").read_text(), re.MULTILINE)
    assert ";" not in pinned
    done = subprocess.run(
        [sys.executable, "-c", "import django; django.setup()"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings", "PYTHONTZPATH": ""},
    )
    assert (done.returncode, done.stderr) == (0, "")
