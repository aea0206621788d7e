"""Pin the base images of the containers: append its digest to each image name.

``make lock`` runs this module. Docker pulls each image from its registry, and the digest of the pulled
image is written into ``docker/Dockerfile`` and ``docker/compose.yaml``: ``postgres:17@sha256:…``. If
Docker or a registry does not respond, both files stay unchanged.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Final

DOCKER: Final = Path(__file__).resolve().parents[1] / "docker"
_NAMED: Final = re.compile(
    r"^(\s*(?:FROM|image:) )(?!manille:)([a-z0-9./-]+:[\w.-]+)(@sha256:[0-9a-f]{64})?", re.MULTILINE
)


def pinned(text: str, digests: dict[str, str]) -> str:
    """Return the text of a file with the digest of each image after its name."""
    return _NAMED.sub(lambda line: f"{line[1]}{line[2]}@{digests[line[2]]}", text)


def named(text: str) -> set[str]:
    """Return the external images named in a file."""
    return {line[2] for line in _NAMED.finditer(text)}


def _digest(image: str) -> str:
    subprocess.run(["docker", "pull", "--quiet", image], check=True, stdout=subprocess.DEVNULL)  # noqa: S603, S607
    shown = subprocess.run(  # noqa: S603
        ["docker", "image", "inspect", "--format", "{{index .RepoDigests 0}}", image],  # noqa: S607
        check=True,
        capture_output=True,
        text=True,
    )
    return shown.stdout.strip().rpartition("@")[2]


def main(words: list[str]) -> int:
    """Pin all images in the folder named (default: ``docker``), or none."""
    folder = Path(words[0]) if words else DOCKER
    files = [folder / "Dockerfile", folder / "compose.yaml"]
    images = sorted(set().union(*(named(file.read_text()) for file in files)))
    try:
        digests = {image: _digest(image) for image in images}
    except (OSError, subprocess.CalledProcessError) as error:
        sys.stderr.write(f"The base images stay as they are: {error}\n")
        return 0
    for file in files:
        file.write_text(pinned(file.read_text(), digests))
    return 0
