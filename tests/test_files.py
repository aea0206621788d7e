"""Static files at the door: small on the line, never older than the folder, nothing beyond it."""

from __future__ import annotations

import asyncio
import gzip
import re
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.files.base import ContentFile
from django.test import Client

from config.files import HashedNames, files


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "static"
    (folder / "css").mkdir(parents=True)
    (folder / "css" / "app.css").write_text("a { color: red }\n" * 200)
    (folder / "logo.png").write_bytes(b"\x89PNG" + bytes(100))
    (folder / ".secret").write_text("x")
    (tmp_path / "manille.sqlite3").write_text("records")
    return folder


def get(root: Path, path: str, *, method: str = "GET", **headers: str) -> Any:
    sent: list[Any] = []

    async def inside(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 299, "headers": []})
        await send({"type": "http.response.body", "body": b"inside"})

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        return {"type": "http.request"}

    named = [(n.replace("_", "-").encode(), v.encode()) for n, v in headers.items()]
    scope = {"type": "http", "method": method, "path": path, "headers": named}
    asyncio.run(files(inside, root)(scope, receive, send))
    return (
        sent[0]["status"],
        {n.decode(): v.decode() for n, v in sent[0]["headers"]},
        sent[1]["body"],
    )


def test_text_is_compressed_for_whoever_takes_it(root: Path) -> None:
    plain = (root / "css" / "app.css").read_bytes()
    status, headers, body = get(root, "/static/css/app.css", accept_encoding="gzip, br")
    assert (status, headers["content-encoding"]) == (200, "gzip")
    assert headers["content-type"] == "text/css; charset=utf-8"
    assert int(headers["content-length"]) == len(body) < len(plain) / 10
    assert gzip.decompress(body) == plain
    status, headers, body = get(root, "/static/css/app.css")
    assert (status, body) == (200, plain)
    assert "content-encoding" not in headers
    assert headers["vary"] == "Accept-Encoding"


def test_what_packing_does_not_help_goes_as_it_is(root: Path) -> None:
    _status, headers, body = get(root, "/static/logo.png", accept_encoding="gzip")
    assert headers["content-type"] == "image/png"
    assert body == (root / "logo.png").read_bytes()


def test_who_has_it_is_told_so_until_it_changes(root: Path) -> None:
    etag = get(root, "/static/css/app.css")[1]["etag"]
    status, headers, body = get(root, "/static/css/app.css", if_none_match=etag)
    assert (status, body, headers["etag"]) == (304, b"", etag)
    (root / "css" / "app.css").write_text("b {}")
    status, headers, body = get(root, "/static/css/app.css", if_none_match=etag)
    assert (status, body) == (200, b"b {}")
    assert headers["etag"] != etag


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("css/app.0c1f2a3b4c5d.css", "public, max-age=31536000, immutable"),
        ("css/app.css", "no-cache"),
        ("logo.png", "no-cache"),
    ],
)
def test_only_a_name_that_holds_its_content_is_kept_for_good(
    root: Path, name: str, kept: str
) -> None:
    (root / "css" / "app.0c1f2a3b4c5d.css").write_text("b {}")
    assert get(root, f"/static/{name}")[1]["cache-control"] == kept


@pytest.mark.django_db
def test_pages_and_scripts_name_files_by_their_content() -> None:
    html = Client().get("/setup/").content.decode()
    named = re.findall(r'"/static/([^"]+)"', html)
    assert len(named) >= 4
    assert [name for name in named if not re.search(r"\.[0-9a-f]{12}\.\w+$", name)] == []
    collected = Path(settings.STATIC_ROOT)
    assert [name for name in named if not (collected / name).is_file()] == []
    (table,) = collected.glob("js/table.????????????.js")
    imported = re.findall(r'from "\./([^"]+)"', table.read_text(encoding="utf-8"))
    assert imported
    assert [name for name in imported if not re.search(r"\.[0-9a-f]{12}\.js$", name)] == []
    assert [name for name in imported if not (collected / "js" / name).is_file()] == []


def test_an_upgrade_gives_a_changed_file_another_name(tmp_path: Path) -> None:
    names = []
    for content in ("a { color: red }", "a { color: blue }"):
        storage = HashedNames(location=tmp_path, base_url="/static/")
        storage.save("app.css", ContentFile(content.encode()))
        list(storage.post_process({"app.css": (storage, "app.css")}))
        names.append(storage.url("app.css"))
        storage.delete("app.css")
    assert names[0] != names[1]


def test_head_has_the_headers_alone(root: Path) -> None:
    status, headers, body = get(root, "/static/css/app.css", method="HEAD")
    assert (status, body) == (200, b"")
    assert int(headers["content-length"]) > 0


@pytest.mark.parametrize(
    "path",
    [
        "/static/", "/static/css", "/static/css/", "/static/none.css", "/static/.secret",
        "/static/../manille.sqlite3", "/static//etc/passwd", "/static/css/../../manille.sqlite3",
        "/static/\0", "/e/hall/", "/staticky/app.css", "/static/" + "a" * 5000,
    ],
)  # fmt: skip
def test_nothing_else_is_a_file(root: Path, path: str) -> None:
    assert get(root, path)[0] == 299


def test_nothing_is_written(root: Path) -> None:
    assert get(root, "/static/css/app.css", method="POST")[0] == 299
