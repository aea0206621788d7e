"""Static files: named by content hash, small in transfer, cached for good, and no other file is served."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest
from django.conf import settings
from django.core.files.base import ContentFile
from django.templatetags.static import static
from django.test import Client

from config.static import StaticFiles


def body(answer: object) -> bytes:
    return b"".join(answer)  # type: ignore[call-overload, no-any-return]


@pytest.mark.django_db
def test_pages_and_scripts_name_files_by_their_content(client: Client) -> None:
    html = client.get("/setup/").content.decode()
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
        storage = StaticFiles(location=tmp_path, base_url="/static/")
        storage.save("app.css", ContentFile(content.encode()))
        list(storage.post_process({"app.css": (storage, "app.css")}))
        names.append(storage.url("app.css"))
        storage.delete("app.css")
    assert names[0] != names[1]


@pytest.mark.guide("security#security")
def test_a_file_is_compressed_and_kept_for_good_under_its_hash_alone(client: Client) -> None:
    plain = (
        Path(settings.STATIC_ROOT) / static("css/app.css").removeprefix("/static/")
    ).read_bytes()
    hashed = client.get(static("css/app.css"), headers={"accept-encoding": "gzip, br"})
    packed = body(hashed)
    assert hashed["Cache-Control"] == "max-age=315360000, public, immutable"
    assert hashed["Content-Encoding"] == "gzip"
    assert hashed["Content-Type"].startswith("text/css")
    assert hashed["X-Content-Type-Options"] == "nosniff"
    # A drawing opened on its own runs no script either.
    assert hashed["Content-Security-Policy"] == settings.CONTENT_SECURITY_POLICY
    assert gzip.decompress(packed) == plain
    assert len(packed) < len(plain) / 3
    assert body(client.get(static("css/app.css"))) == plain
    assert client.get("/static/css/app.css")["Cache-Control"] == "max-age=0, public"


def test_who_has_a_file_is_not_sent_it_again(client: Client) -> None:
    first = client.get("/static/css/app.css")
    given = first["Last-Modified"]
    again = client.get("/static/css/app.css", headers={"if-modified-since": given})
    assert (again.status_code, body(again)) == (304, b"")


@pytest.mark.django_db
@pytest.mark.parametrize(
    "path",
    [
        "/static/",
        "/static/css/",
        "/static/none.css",
        "/static/../settings.py",
        "/static//etc/passwd",
    ],
)
def test_nothing_else_is_a_file(client: Client, path: str) -> None:
    assert client.get(path).status_code == 404


@pytest.mark.django_db
def test_a_changed_script_gives_the_tables_cache_another_name(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = client.get("/t/worker.js").content
    monkeypatch.setattr("tournament.views.table_app.static", lambda name: f"/static/{name}?2")
    after = client.get("/t/worker.js").content
    names = [re.findall(rb'const VERSION = "(.*)"', text)[0] for text in (before, after)]
    assert names[0] != names[1]
