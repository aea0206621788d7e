"""Every file that the service accepts, damaged in every way: refused with a message, without partial writes.

Players' files (CSV, XLSX) and archives of events, posted to their pages as a director posts them. Checked for each: no
status of 500 or above, and after a refusal every row of the database as before.
"""

from __future__ import annotations

import gzip
import io
import json
import zipfile
from collections.abc import Callable
from typing import Any, Final

import openpyxl
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from accounts.models import Role
from tests.security.bodies import NASTY, places, spoiled
from tests.security.hall import Hall
from tests.security.state import Trial
from tournament.models import Entrant
from tournament.services import archive as archives
from tournament.services.imports import import_players

pytestmark = [pytest.mark.long, pytest.mark.django_db]
FILES: Final = 60
ARCHIVES: Final = 40
OFTEN: Final = {
    "deadline": None,
    "database": None,
    "phases": [Phase.generate],
    "suppress_health_check": list(HealthCheck),
    "print_blob": False,
}
HEADING: Final = "Nr;Naam;Club;E-mail\n"
CELL: Final = st.one_of(
    st.text(max_size=30),
    st.sampled_from(
        [
            "=1+1",
            "\x00",
            "-7",
            "99999999999999999999",
            "1e9",
            "٣",
            "a" * 5000,
            '"',
            "'",
            "\ufeff",
            "x@y",
            "=HYPERLINK(1)",
            "\u202eJan",
            "1,5",
            "\r",
            "\x85",
        ]
    ),
)


def workbook(rows: list[list[str]]) -> bytes:
    """Build an XLSX with the cells cut to their permitted content."""
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(
            ["".join(sign for sign in cell if sign.isprintable())[:30000] for cell in row]
        )
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


TABLES: Final = st.lists(st.lists(CELL, min_size=1, max_size=5), max_size=6)
FILE: Final = st.one_of(
    st.binary(max_size=400),
    TABLES.map(
        lambda rows: (HEADING + "\n".join(";".join(r) for r in rows)).encode("utf-8", "replace")
    ),
    TABLES.map(
        lambda rows: (HEADING + "\n".join(";".join(r) for r in rows)).encode("utf-16", "replace")
    ),
    TABLES.map(
        lambda rows: (HEADING + "\n".join(";".join(r) for r in rows)).encode("latin-1", "replace")
    ),
    TABLES.map(lambda rows: workbook([HEADING.strip().split(";"), *rows])),
    st.tuples(TABLES, st.integers(0, 4000), st.binary(min_size=1, max_size=20)).map(
        lambda made: _damaged(workbook([HEADING.strip().split(";"), *made[0]]), made[1], made[2])
    ),
)


def _damaged(file: bytes, place: int, other: bytes) -> bytes:
    place %= len(file)
    return file[:place] + other + file[place + len(other) :]


def upload(client: Client, where: str, file: bytes, **more: str) -> Any:
    return client.post(where, {"file": SimpleUploadedFile("a.xlsx", file), **more})


def director(hall: Hall) -> Client:
    client = Client(raise_request_exception=True)
    client.force_login(hall.staff[Role.ADMIN])
    return client


def bomb() -> bytes:
    """Build a spreadsheet of 300 MB that compresses to some hundred kilobytes."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("xl/workbook.xml", b" " * 300_000_000)
    return stream.getvalue()


@pytest.mark.guide("security#bad-input")
def test_any_players_file_is_previewed_or_refused(
    undone_hall: Hall, told: Callable[[str], None]
) -> None:
    client, trial, where = (
        director(undone_hall),
        Trial(),
        f"/desk/{undone_hall.event.slug}/players/import/",
    )
    tried = []

    @seed(20261121)
    @settings(max_examples=FILES, **OFTEN)
    @given(file=FILE)
    def every(file: bytes) -> None:
        people = Entrant.objects.count()
        with trial.undone():
            answer = upload(client, where, file)
            changed = trial.changed() if answer.status_code >= 400 else []
            assert Entrant.objects.count() == people
        assert answer.status_code < 500
        assert changed == []
        tried.append(answer.status_code)

    every()
    told(f"players' files: {len(tried)}")


@pytest.mark.guide("security#bad-input")
def test_any_players_file_is_imported_whole_or_refused(undone_hall: Hall) -> None:
    from ledger.actors import Actor
    from ledger.errors import Refused

    trial = Trial()

    @seed(20261121)
    @settings(max_examples=FILES, **OFTEN)
    @given(file=FILE)
    def every(file: bytes) -> None:
        with trial.undone():
            try:
                import_players(
                    event_id=undone_hall.event.pk, content=file, actor=Actor.system("test")
                )
            except Refused:
                assert trial.changed() == []

    every()


@pytest.mark.guide("security#bad-input", "security#security")
@pytest.mark.parametrize(
    "file",
    [
        bomb,
        lambda: b"Nr;Naam\n" + b"".join(b"%d;Jan %d\n" % (n, n) for n in range(1_000_000)),
        lambda: HEADING.encode() + b"1;" + b"x" * 9_000_000,
        lambda: b"PK\x03\x04" + b"\x00" * 1000,
        lambda: b"\xff\xfe" + b"\x00\xd8" * 100,
        lambda: (
            b"<?xml version='1.0'?><!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/passwd'>]><a>&b;</a>"
        ),
        lambda: b"\x00" * 100_000,
        lambda: b"",
    ],
    ids=[
        "zip bomb",
        "10^6 rows",
        "one long cell",
        "no zip",
        "half letters",
        "entity",
        "nuls",
        "empty",
    ],
)
def test_a_monstrous_file_is_refused_on_the_page(
    undone_hall: Hall, file: Callable[[], bytes]
) -> None:
    monster = file()
    client, trial = director(undone_hall), Trial()
    for where in (f"/desk/{undone_hall.event.slug}/players/import/", "/desk/take-up/"):
        with trial.undone():
            answer = upload(client, where, monster)
            assert answer.status_code in (200, 400, 413, 422)
            assert trial.changed() == []


def archive_with(content: Any) -> bytes:
    """Return an archive with a valid checksum, whatever its content."""
    whole = {"kind": "manille-event", "format": archives.FORMAT, "content": content}
    whole["sha256"] = archives.checksum(content)
    return gzip.compress(json.dumps(whole).encode(errors="surrogatepass"))


@pytest.mark.guide("security#bad-input", "security#security")
def test_an_archive_with_one_wrong_value_is_taken_up_whole_or_refused(
    undone_hall: Hall, told: Callable[[str], None]
) -> None:
    good = json.loads(gzip.decompress(archives.pack(undone_hall.event.pk)))["content"]
    # The journal is read only by the independent checker, and most places would be in it.
    del good["journal"]
    where = [path for path in places(good) if 0 < len(path) <= 5]
    client, trial, said = director(undone_hall), Trial(), []

    @seed(20261121)
    @settings(max_examples=ARCHIVES, **OFTEN)
    @given(path=st.sampled_from(where), value=NASTY, leave_out=st.booleans())
    def every(path: tuple[Any, ...], value: Any, leave_out: bool) -> None:
        made = spoiled(good, path, value, leave_out=leave_out)
        if isinstance(made.get("event"), dict) and path != ("event", "id"):
            made["event"]["id"] = "00000000-0000-4000-8000-00000000000a"
        try:
            file = archive_with(made)
        except (ValueError, UnicodeError):
            return
        with trial.undone():
            answer = upload(client, "/desk/take-up/", file, slug="taken-up")
            changed = trial.changed() if answer.status_code != 302 else []
        assert answer.status_code < 500
        assert changed == []
        said.append(answer.status_code)

    every()
    told(f"archives: {len(said)}")


@pytest.mark.guide("security#bad-input", "security#security")
@pytest.mark.parametrize(
    "file",
    [
        lambda: gzip.compress(b"[" * 100_000 + b"]" * 100_000),
        lambda: gzip.compress(b'{"kind": "manille-event", "format": 1e999}'),
        lambda: gzip.compress(b"null"),
        lambda: gzip.compress(
            b'{"kind":"manille-event","format":1,"content":"\\ud800","sha256":""}'
        ),
        lambda: gzip.compress(
            b'{"kind":"manille-event","format":1,"content":{"a":"\\ud800"},"sha256":""}'
        ),
        lambda: gzip.compress(b"0" * 400_000_000, 9),
        lambda: gzip.compress(b'{"kind":"manille-event","x":[' + b"[]," * 6_000_000 + b"0]}", 1),
        lambda: gzip.compress(b"{}")[:-4],
    ],
    ids=[
        "deep",
        "infinite",
        "null",
        "half letter",
        "half letter inside",
        "bomb",
        "values",
        "cut off",
    ],
)
def test_a_monstrous_archive_is_refused(undone_hall: Hall, file: Callable[[], bytes]) -> None:
    client, trial = director(undone_hall), Trial()
    with trial.undone():
        answer = upload(client, "/desk/take-up/", file())
        assert answer.status_code in (200, 400, 422)
        assert trial.changed() == []
