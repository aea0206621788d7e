"""The papers of the image: which packages of others are in it, and under what licences.

``python -m tools.third_party REQUIREMENTS INTO`` writes two files from what is installed: the
notices, with the text of every licence, and a bill of materials (CycloneDX 1.6, as JSON). It runs while
the image is built and fails when a package states no licence, or another version is installed than the
one required.
"""

from __future__ import annotations

import json
import re
import sys
import uuid
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Final

NOTICES: Final = "THIRD-PARTY-NOTICES.txt"
BILL: Final = "sbom.cdx.json"
_ROOT: Final = Path(__file__).resolve().parent.parent
FONTS: Final = _ROOT / "static" / "fonts"
_PINNED: Final = re.compile(r"^([A-Za-z0-9._-]+)==([^ ;\\]+)")
_HASH: Final = re.compile(r"--hash=sha256:([0-9a-f]{64})")
_LICENCE_FILE: Final = re.compile(r"licen[cs]e|copying|notice|authors", re.IGNORECASE)
_CLASSIFIER: Final = "License :: OSI Approved :: "
_NAMESPACE: Final = uuid.UUID("6f6b2a63-0d2b-5a86-9b6f-0b6a3f0d7c11")


@dataclass(frozen=True, slots=True)
class Package:
    """An installed third-party package.

    Attributes:
        hashes: SHA-256 of the distribution files allowed for installation, in hexadecimal.
        texts: Licence files, name and content.
    """

    name: str
    version: str
    licence: str
    hashes: tuple[str, ...]
    texts: tuple[tuple[str, str], ...]


Pins = dict[str, dict[str, list[str]]]
"""Name → version → hashes; some packages have another version for another Python."""


def required(text: str) -> Pins:
    """Return the pins of a requirements file: hashes by version by package."""
    pins: Pins = {}
    hashes: list[str] = []
    for line in text.splitlines():
        pinned = _PINNED.match(line)
        if pinned is not None:
            hashes = pins.setdefault(pinned[1], {}).setdefault(pinned[2], [])
        hashes += _HASH.findall(line)
    return pins


def installed(pins: Pins) -> list[Package]:
    """Return the required packages that are installed, without those of other platforms.

    Raises:
        ValueError: where another version is installed, or a package states no licence.
    """
    packages = []
    for name, versions in sorted(pins.items(), key=lambda pin: pin[0].lower()):
        try:
            there = metadata.distribution(name)
        except metadata.PackageNotFoundError:
            continue
        if there.version not in versions:
            wanted = " or ".join(versions)
            raise ValueError(f"{name}: {there.version} is installed, {wanted} is required")
        hashes = tuple(versions[there.version])
        texts = tuple(
            (file.name, Path(str(there.locate_file(file))).read_text("utf-8", "replace").strip())
            for file in sorted(there.files or [], key=str)
            if ".dist-info" in str(file) and _LICENCE_FILE.search(file.name)
        )
        packages.append(Package(name, there.version, _licence_of(there), hashes, texts))
    return packages


def _licence_of(there: metadata.Distribution) -> str:
    """Return the licence stated by the package: as expression, as text, or among its classifiers."""
    stated: str = (there.metadata.get_all("License-Expression") or [""])[0]
    words: str = (there.metadata.get_all("License") or [""])[0].strip()
    if not stated and words and "\n" not in words and len(words) < 60:
        stated = words
    if not stated:
        listed = there.metadata.get_all("Classifier") or []
        named = [each.removeprefix(_CLASSIFIER) for each in listed if each.startswith(_CLASSIFIER)]
        stated = " OR ".join(named)
    if not stated:
        raise ValueError(f"{there.name} states no licence")
    return stated


def notices(packages: list[Package]) -> str:
    """Write the notices: every package with its licence and licence texts; then the fonts."""
    rule = "=" * 78
    parts = ["This image holds packages and fonts of others, under these licences."]
    for package in packages:
        parts.append(f"{rule}\n{package.name} {package.version}: {package.licence}")
        parts += [f"--- {name}\n{text}" for name, text in package.texts]
    for file in sorted(FONTS.glob("*/LICENSE.txt")):
        text = file.read_text("utf-8").strip()
        parts.append(f"{rule}\nFonts in static/fonts/{file.parent.name}\n{text}")
    return "\n\n".join(parts) + "\n"


def bill_of_materials(packages: list[Package], version: str) -> dict[str, object]:
    """Return the bill of materials of the service's ``version``, the same for the same packages."""
    components = [
        {
            "type": "library",
            "bom-ref": _address(package),
            "name": package.name,
            "version": package.version,
            "purl": _address(package),
            "licenses": [{"license": {"name": package.licence}}],
            "externalReferences": [
                {
                    "type": "distribution",
                    "url": f"https://pypi.org/project/{package.name}/{package.version}/",
                    "hashes": [{"alg": "SHA-256", "content": each} for each in package.hashes],
                }
            ],
        }
        for package in packages
    ]
    content = json.dumps([version, components], sort_keys=True)
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.uuid5(_NAMESPACE, content)}",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": "manille",
                "name": "manille",
                "version": version,
                "licenses": [{"license": {"id": "Apache-2.0"}}],
            }
        },
        "components": components,
        "dependencies": [{"ref": "manille", "dependsOn": [_address(one) for one in packages]}],
    }


def _address(package: Package) -> str:
    plain = re.sub(r"[-_.]+", "-", package.name).lower()
    return f"pkg:pypi/{plain}@{package.version}"


def own_version() -> str:
    """Return the service's version, without starting it.

    Raises:
        ValueError: where the settings state none.
    """
    stated = re.search(r'^VERSION = "(.+)"$', (_ROOT / "config/settings.py").read_text(), re.M)
    if stated is None:
        raise ValueError("config/settings.py states no VERSION")
    return stated[1]


def write(requirements: Path, into: Path) -> None:
    """Write both files for what ``requirements`` pins and this Python has installed."""
    packages = installed(required(requirements.read_text("utf-8")))
    into.mkdir(parents=True, exist_ok=True)
    (into / NOTICES).write_text(notices(packages), "utf-8")
    bill = json.dumps(bill_of_materials(packages, own_version()), indent=2)
    (into / BILL).write_text(bill + "\n", "utf-8")


def main(words: list[str]) -> int:
    """Write the files; 2 for wrong words."""
    if len(words) != 2:
        sys.stderr.write("python -m tools.third_party REQUIREMENTS INTO\n")
        return 2
    write(Path(words[0]), Path(words[1]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
