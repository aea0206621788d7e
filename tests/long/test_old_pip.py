"""Both locks install with an old pip although the index has a newer release of every package.

Old pips resolve ``coverage[toml]`` apart from the pinned ``coverage`` and take the newest release,
whose hash no lock has. The index here is a folder of empty wheels with the packages' own metadata.
"""

from __future__ import annotations

import base64
import hashlib
import importlib.metadata
import os
import re
import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

from tests.conftest import missing
from tests.programs import ROOT

pytestmark = pytest.mark.long
OLD_PIP = "23.0.1" if sys.version_info < (3, 12) else "23.2.1"
"""Debian 12's pip, the oldest that runs on Python 3.12 and later."""
PINNED = re.compile(r"^([\w.-]+)==([^ \\]+)(.*?)\\?$", re.MULTILINE)


def write_wheel(folder: Path, name: str, version: str, needs: list[str]) -> str:
    """Write an empty wheel with its requirements. Return its hash in a lock's notation."""
    plain = re.sub(r"[-_.]+", "_", name).lower()
    info = f"{plain}-{version}.dist-info"
    metadata = [f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}"]
    metadata += [f"Requires-Dist: {need}" for need in needs]
    extras = {extra for need in needs for extra in re.findall(r"extra == ['\"]([\w.-]+)", need)}
    metadata += [f"Provides-Extra: {extra}" for extra in {*extras, "toml", "filecache"}]
    files = {
        f"{info}/METADATA": "\n".join(metadata) + "\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = [
        f"{path},sha256={base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b'=').decode()},"
        for path, text in files.items()
    ]
    files[f"{info}/RECORD"] = "\n".join([*record, f"{info}/RECORD,,"]) + "\n"
    place = folder / plain.replace("_", "-")
    place.mkdir(exist_ok=True)
    wheel = place / f"{plain}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for path, text in files.items():
            archive.writestr(path, text)
    with (place / "index.html").open("a") as page:
        page.write(f'<a href="{wheel.name}">{wheel.name}</a>\n')
    return f"sha256:{hashlib.sha256(wheel.read_bytes()).hexdigest()}"


@pytest.fixture(scope="module")
def old_environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Create an environment with an old pip."""
    place = tmp_path_factory.mktemp("old") / ".venv"
    venv.EnvBuilder(with_pip=True, symlinks=True).create(place)
    done = subprocess.run(
        [place / "bin" / "python", "-m", "pip", "install", "--quiet", f"pip=={OLD_PIP}"],
        capture_output=True,
        text=True,
    )
    if done.returncode:
        missing(f"pip {OLD_PIP}", "the package index is out of reach")
    return place


def install(folder: Path, lock: str) -> subprocess.CompletedProcess[str]:
    """Run the bootstrap of a checkout in ``folder`` against the package index in the same folder."""
    return subprocess.run(
        [sys.executable, folder / "config" / "bootstrap.py", lock],
        capture_output=True,
        text=True,
        env={
            **{name: value for name, value in os.environ.items() if not name.startswith("PIP_")},
            "PIP_CONFIG_FILE": os.devnull,
            "PIP_INDEX_URL": (folder / "simple").as_uri(),
        },
    )


@pytest.mark.parametrize("lock", ["requirements.txt", "requirements-dev.txt"])
def test_lock_installs_with_an_old_pip_beside_newer_releases(
    lock: str, old_environment: Path, tmp_path: Path
) -> None:
    (tmp_path / "simple").mkdir()
    lines = []
    for name, version, marker in PINNED.findall((ROOT / lock).read_text()):
        if name == "pip":  # the program under test cannot be an empty wheel
            continue
        try:
            needs = importlib.metadata.requires(name) or []
        except importlib.metadata.PackageNotFoundError:
            needs = []
        known = write_wheel(tmp_path / "simple", name, version, needs)
        write_wheel(tmp_path / "simple", name, "9999.0", needs)
        lines.append(f"{name}=={version}{marker.rstrip()} --hash={known}\n")
    assert len(lines) > 50
    (tmp_path / lock).write_text("".join(lines))
    (tmp_path / "config").mkdir()
    shutil.copy(ROOT / "config" / "bootstrap.py", tmp_path / "config")
    shutil.copytree(old_environment, tmp_path / ".venv", symlinks=True)
    done = install(tmp_path, lock)
    assert (done.returncode, done.stderr) == (0, "")

    (tmp_path / lock).write_text("".join(line for line in lines if "asgiref==" not in line))
    shutil.rmtree(tmp_path / ".venv")
    shutil.copytree(old_environment, tmp_path / ".venv", symlinks=True)
    done = install(tmp_path, lock)
    assert done.returncode == 1
    assert f"Installing {lock} failed: {lock} is not complete: django" in done.stderr
    assert "requires asgiref, which is not installed" in done.stderr
