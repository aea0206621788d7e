"""Static files under names that hold their content's hash, served at the server's door.

A page names ``css/app.0c1f….css``, which a browser keeps for good and which an upgrade replaces by
another name: no phone runs yesterday's script on today's page. Any other name is asked for anew.

They are compressed once, then served from memory: a style sheet of 66 kB is 13 kB on the line. Where nginx stands before the service it does the same;
a single machine in a hall has none. Only what ``collectstatic`` has put into ``STATIC_ROOT`` can be
named, so no path leads out of it.
"""

from __future__ import annotations

import gzip
import mimetypes
import re
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.contrib.staticfiles.storage import ManifestStaticFilesStorage

from tournament.door import Application, Headers, Receive, Scope, Send

_COMPRESSED: Final = ("text/", "application/javascript", "application/json", "image/svg+xml")
_HASHED: Final = re.compile(r"\.[0-9a-f]{12}(?:\.\w+)?$")
"""How Django's manifest storage names a file: the first 12 signs of its MD5 before the ending."""
_FOR_GOOD: Final = b"public, max-age=31536000, immutable"
_ASK_AGAIN: Final = b"no-cache"


class HashedNames(ManifestStaticFilesStorage):
    """Django's storage of hashed names, which also renames what scripts import."""

    support_js_module_import_aggregation = True


@dataclass(frozen=True, slots=True)
class File:
    """A file as it is sent; ``packed`` is empty where packing does not help."""

    stamp: tuple[int, int]
    kind: str
    etag: str
    plain: bytes
    packed: bytes


def read(path: Path, stamp: tuple[int, int]) -> File:
    """The file with its type, its tag and its compressed form."""
    plain = path.read_bytes()
    kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    packed = b""
    if kind.startswith(_COMPRESSED):
        packed = gzip.compress(plain, 9, mtime=0)
        kind += "; charset=utf-8" if kind != "image/svg+xml" else ""
    return File(
        stamp, kind, f'W/"{zlib.crc32(plain):x}.{len(plain):x}"', plain,
        packed if packed and len(packed) < len(plain) else b"",
    )  # fmt: skip


class Shelf:
    """The files of a folder by their path in it, read again when they have changed."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.known: dict[str, File] = {}

    def get(self, name: str) -> File | None:
        """The file of that name; ``None`` where the folder has none."""
        parts = name.split("/")
        if not all(parts) or any(part.startswith(".") or "\0" in part for part in parts):
            return None
        path = self.root.joinpath(*parts)
        try:
            about = path.stat()
        except OSError:
            return None
        stamp = (about.st_mtime_ns, about.st_size)
        found = self.known.get(name)
        if found is None or found.stamp != stamp:
            if not path.is_file():
                return None
            found = self.known[name] = read(path, stamp)
        return found


async def _send(file: File, keeping: bytes, header: Headers, method: str, send: Send) -> None:
    packed = file.packed if "gzip" in header("accept-encoding") else b""
    body = packed or file.plain
    same = file.etag.removeprefix("W/") in header("if-none-match")
    headers: list[tuple[bytes, bytes]] = [
        (b"etag", file.etag.encode()), (b"cache-control", keeping), (b"vary", b"Accept-Encoding"),
        (b"x-content-type-options", b"nosniff"),
    ]  # fmt: skip
    if not same:
        headers += [
            (b"content-type", file.kind.encode()), (b"content-length", str(len(body)).encode()),
        ]  # fmt: skip
        if packed:
            headers.append((b"content-encoding", b"gzip"))
    await send({"type": "http.response.start", "status": 304 if same else 200, "headers": headers})
    await send({"type": "http.response.body", "body": b"" if same or method == "HEAD" else body})


def files(application: Application, root: Path | None = None) -> Application:
    """The application with its static files before it; what is no such file goes in."""
    shelf = Shelf(root or Path(settings.STATIC_ROOT))
    prefix = f"/{settings.STATIC_URL.strip('/')}/"

    async def answer(scope: Scope, receive: Receive, send: Send) -> Any:
        if scope["type"] == "http" and scope["method"] in ("GET", "HEAD"):
            path = scope["path"]
            found = shelf.get(path[len(prefix) :]) if path.startswith(prefix) else None
            if found is not None:
                keeping = _FOR_GOOD if _HASHED.search(path) else _ASK_AGAIN
                await _send(found, keeping, Headers(scope["headers"]), scope["method"], send)
                return
        await application(scope, receive, send)

    return answer
