"""Journals rewritten by an owner of the database, on each database: anchors saved before detect them.

An event is played over HTTP. An outsider saves the anchors that the running service publishes: papers, the public page,
``/anchors.json``, a backup, an archive. Then the rows of the database are changed behind the service, with all hashes
recomputed (by the documented bytes, without its code).
"""

from __future__ import annotations

import gzip
import hashlib
import http.server
import io
import json
import re
import shlex
import shutil
import sqlite3
import subprocess
import sys
import threading
import uuid
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psycopg
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from psycopg.types.json import Json
from pypdf import PdfReader

from tests.operations.test_time_stamps import GUIDE, authority
from tests.programs import ROOT, wait_for
from tests.tournament.documents.reading import whole_text

from .installation import SETUP, Browser, Installation, Phone, deal_fields

__all__ = ["authority"]
pytestmark = pytest.mark.long
PASSWORD = "not-a-secret-1"
ORGANISATION = uuid.UUID(int=0)
CHAINS = ("ledger_auditentry", "ledger_auditrows", "ledger_audithead")
ANCHOR = re.compile(r"\d+\.\d+\.[0-9a-f]{16}")
BEFORE_PLAY = (
    "draw-by-table",
    "draw-by-name",
    "round",
    "slips",
    "badges",
    "seat-cards",
    "table-cards",
    "score-sheets",
    "receipts",
)
AFTER_PLAY = ("standings", "certificates", "prizes", "event-report")


@dataclass
class Hall:
    """An event in play, and its director."""

    at: Installation
    event: uuid.UUID
    slug: str
    director: Browser

    def document(self, path: str, **fields: str) -> bytes:
        """Request a paper or the archive as the desk does, and download it."""
        status, page = self.director.post(f"/desk/{self.slug}/{path}", **fields)
        assert status == 302, page

        def made() -> str:
            _status, text = self.director.get(page)
            assert "This did not work" not in text, text
            return "".join(re.findall(r'(/desk/[^"]+\.pdf)"', text)[:1])

        file = str(wait_for("the document", made))
        for verb in ("GET", "POST"):
            # A document with links is rebuilt for each download, and only a POST requests that.
            status, _headers, content = self.director.send(verb, file)
            if status == 200:
                break
        assert status == 200, file
        return content

    def paper(self, kind: str) -> bytes:
        more = {"fee": "10", "prizes": "1: 100", "stage": "1"}
        return self.document("documents/", kind=kind, language="en", paper="a4", **more)

    def archive(self) -> Path:
        """Download the archive of the whole event as it is now."""
        file = self.at.folder / f"{uuid.uuid4()}.manille.gz"
        file.write_bytes(self.document("archive/"))
        return file


@pytest.fixture(scope="module")
def house(attacked: Installation) -> Installation:
    """Set up the installation, with a worker that builds documents."""
    administrator = Browser(attacked)
    administrator.get("/setup/")
    form = {"code": SETUP, "username": "root", "password1": PASSWORD, "password2": PASSWORD}
    assert administrator.post("/setup/", **form)[0] == 302
    attacked.worker.start()
    return attacked


@pytest.fixture
def seated(house: Installation) -> Hall:
    """Create an event; the first game of its first round is written and signed at the tables."""
    made = house.inside("hall", players=8, deals=2)
    for table in made["tables"]:
        phone = Phone(house, table["token"])
        for number, dealer in enumerate(table["dealers"], start=1):
            phone.insist(**deal_fields(number, dealer, 30 + number), key=f"the-deal-of-{number}")
        for side in ("NS", "EW"):
            _status, state = house.get(f"/t/{table['token']}/state/?game=1")
            phone.insist(verb="sign", game=1, signing=side, version=json.loads(state)["version"])
    director = Browser(house)
    director.sign_in(made["directors"][0])
    return Hall(house, uuid.UUID(made["event"]), made["slug"], director)


@pytest.fixture
def hall(seated: Hall) -> Hall:
    """Play the round of that event to the end."""
    seated.at.inside("play", event=str(seated.event))
    return seated


def saved(at: Installation) -> Path:
    """Save ``/anchors.json`` outside the installation."""
    status, text = at.get("/anchors.json")
    assert status == 200
    file = at.folder / f"{uuid.uuid4()}.json"
    file.write_text(text)
    return file


def verified(at: Installation, *expected: object) -> tuple[int, str]:
    """Run the documented proof, with anchors saved before where there are any. Return its exit code and output."""
    done = at.manage(
        "audit_verify", *(word for each in expected for word in ("--expect", str(each)))
    )
    return done.returncode, done.stdout


def checked(*words: object) -> tuple[int, str]:
    """Run the independent checker on files. Return its exit code and output."""
    done = subprocess.run(
        [sys.executable, str(ROOT / "manille_check.py"), *map(str, words)],
        capture_output=True,
        text=True,
    )
    return done.returncode, done.stdout


# Forgeries by an owner of the database ---------------------------------------------------------------


class Thief:
    """A connection to the database's own tables, with the triggers disabled."""

    def __init__(self, at: Installation) -> None:
        self.lite = not at.database
        self.link: Any
        if self.lite:
            (file,) = (at.folder / "var").glob("*.sqlite3")
            self.link = sqlite3.connect(file, timeout=60)
            for (name,) in self.run("SELECT name FROM sqlite_master WHERE type = 'trigger'"):
                self.run(f'DROP TRIGGER "{name}"')
        else:
            self.link = psycopg.connect(at.database.replace("postgres://", "postgresql://"))
            self.run("SET session_replication_role = replica")

    def run(self, statement: str, *given: Any) -> list[Any]:
        """Return the rows of a statement; ids in this database's notation."""
        if self.lite:
            words = [each.hex if isinstance(each, uuid.UUID) else each for each in given]
            return list(self.link.execute(statement.replace("%s", "?"), words))
        cursor = self.link.execute(statement, given)
        return cursor.fetchall() if cursor.description else []

    def put(self, table: str, row: tuple[Any, ...]) -> None:
        """Write a row back as it was read."""
        marks = ", ".join(["%s"] * len(row))
        words = [Json(each) if isinstance(each, dict | list) else each for each in row]
        self.run(f"INSERT INTO {table} VALUES ({marks})", *words)

    def value(self, text: Any) -> Any:
        """Return the value of a JSON column."""
        return json.loads(text) if self.lite and text is not None else text


@contextmanager
def thief(at: Installation) -> Iterator[Thief]:
    one = Thief(at)
    with closing(one.link):
        yield one
        one.link.commit()


def digest(value: Any) -> str:
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def moment(at: Any) -> str:
    when = datetime.fromisoformat(at) if isinstance(at, str) else at.astimezone(UTC)
    return str(when.strftime("%Y-%m-%dT%H:%M:%S.%fZ"))


def chained_anew(one: Thief, scope: uuid.UUID) -> None:
    """Recompute all hashes of both chains of a journal, and its head."""
    last, entries = "", 0
    for key, entries, at, actor, verb, kind, about, before, after, request in one.run(
        "SELECT id, sequence, at, actor, verb, object_type, object_id, before, after, request_id"
        " FROM ledger_auditentry WHERE scope = %s ORDER BY sequence",
        scope,
    ):
        words = [moment(at), actor, verb, kind, about, one.value(before), one.value(after), request]
        previous, last = last, digest([last, str(scope), entries, *words])
        one.run(
            "UPDATE ledger_auditentry SET previous_hash = %s, hash = %s WHERE id = %s",
            previous,
            last,
            key,
        )
    last_rows, rows = "", 0
    for key, rows, entry, body in one.run(
        "SELECT id, sequence, entry, body FROM ledger_auditrows WHERE scope = %s ORDER BY sequence",
        scope,
    ):
        previous, last_rows = last_rows, digest([last_rows, str(scope), rows, entry, body])
        one.run(
            "UPDATE ledger_auditrows SET previous_hash = %s, hash = %s WHERE id = %s",
            previous,
            last_rows,
            key,
        )
    one.run(
        "UPDATE ledger_audithead SET sequence = %s, hash = %s, rows_sequence = %s, rows_hash = %s"
        " WHERE scope = %s",
        entries,
        last,
        rows,
        last_rows,
        scope,
    )


def rewritten(one: Thief, scope: uuid.UUID) -> None:
    """Name another actor in every entry."""
    one.run("UPDATE ledger_auditentry SET actor = 'system:another' WHERE scope = %s", scope)
    chained_anew(one, scope)


def cut_short(one: Thief, scope: uuid.UUID) -> None:
    """Delete the second half of the journal."""
    ((length,),) = one.run("SELECT MAX(sequence) FROM ledger_auditentry WHERE scope = %s", scope)
    for table, column in (("ledger_auditrows", "entry"), ("ledger_auditentry", "sequence")):
        one.run(f"DELETE FROM {table} WHERE scope = %s AND {column} > %s", scope, length // 2)
    chained_anew(one, scope)


def taken_away(one: Thief, scope: uuid.UUID) -> None:
    """Delete the whole journal."""
    for table in CHAINS:
        one.run(f"DELETE FROM {table} WHERE scope = %s", scope)


# The length of a journal is published ----------------------------------------------------------------


@pytest.mark.guide("check#checking-an-event-from-outside", "operator#anchors-and-stamps")
def test_every_paper_page_backup_and_file_says_how_far_the_journals_are(seated: Hall) -> None:
    hall, printed = seated, []
    hall.director.post(f"/desk/{hall.slug}/players/1/state/", verb="paid")
    for kind in (*BEFORE_PLAY, *AFTER_PLAY):
        if kind == AFTER_PLAY[0]:
            hall.at.inside("play", event=str(hall.event), rounds=3)
            hall.director.post(f"/desk/{hall.slug}/stages/1/standings/", state="final")
        paper = hall.paper(kind)
        (anchor,) = set(ANCHOR.findall(whole_text(paper)))
        assert anchor in str(PdfReader(io.BytesIO(paper)).metadata), kind
        printed.append(anchor)
    assert verified(hall.at, *printed)[0] == 0
    (shown,) = ANCHOR.findall(hall.at.get(f"/e/{hall.slug}/standings/")[1])
    assert verified(hall.at, shown)[0] == 0
    told = json.loads(saved(hall.at).read_text())
    # The file is signed with the key shown on the public page, which archives are signed with too.
    given = told.pop("signature")
    text = json.dumps(told, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(given["key"]))
    key.verify(bytes.fromhex(given["ed25519"]), text.encode())
    assert given["key"] in hall.at.get("/journal/")[1]
    status, said = checked("--key", given["key"], hall.archive())
    assert (status, "holds  signature" in said) == (0, True), said
    assert hall.at.manage("backup").returncode == 0
    told = json.loads(saved(hall.at).read_text())
    length = sum(int(each.split(".")[0]) for each in told["anchors"].values())
    (backup,) = (hall.at.folder / "var" / "backups").glob("manille-*")
    assert backup.stem.endswith(f"-e{length}-{told['all'][:16]}")


@pytest.mark.guide("check#the-file")
def test_an_archive_is_not_changed_on_its_way(hall: Hall) -> None:
    file = hall.archive()
    whole = json.loads(gzip.decompress(file.read_bytes()))
    (result, *_others) = whole["content"]["rows"]["scoring.OfficialResult"]
    result["result"]["marks"]["NS"] += 1
    whole["sha256"] = digest(whole["content"])
    file.write_bytes(gzip.compress(json.dumps(whole).encode()))
    status, said = checked(file)
    assert status == 1
    assert "WRONG  signature" in said
    assert "WRONG  rows" in said


# Archives checked by it ------------------------------------------------------------------------------


@pytest.mark.guide(
    "check#checking-an-event-from-outside", "operator#anchors-and-stamps", "security#security"
)
@pytest.mark.parametrize("forge", [rewritten, cut_short])
def test_a_forged_journal_is_found_by_whatever_was_kept_of_it(
    hall: Hall, forge: Callable[[Thief, uuid.UUID], None]
) -> None:
    (printed,) = set(ANCHOR.findall(whole_text(hall.paper("standings"))))
    (shown,) = ANCHOR.findall(hall.at.get(f"/e/{hall.slug}/standings/")[1])
    file = saved(hall.at)
    assert hall.at.manage("backup").returncode == 0
    backup = max((hall.at.folder / "var" / "backups").glob("anchors-*"))
    kept = (printed, shown, file, backup)
    before = hall.archive()
    assert verified(hall.at, *kept)[0] == 0
    with thief(hall.at) as one:
        forge(one, hall.event)
    # The forged chain is consistent in itself; only an anchor saved before detects the forgery.
    assert verified(hall.at)[0] == 0
    for each in kept:
        status, said = verified(hall.at, each)
        assert status == 1, each
        assert "NOT FOUND" in said
    after = hall.archive()
    for each in kept:
        assert checked("--expect", each, before)[0] == 0, each
        status, said = checked("--expect", each, after)
        assert status == 1, each
        assert "WRONG  anchor" in said


@pytest.mark.guide("security#security")
def test_a_journal_that_is_gone_is_missed(hall: Hall) -> None:
    """The organisation's journal, without official rows, and an event's."""
    file = saved(hall.at)
    for scope in (ORGANISATION, hall.event):
        with thief(hall.at) as one:
            kept = {
                table: one.run(f"SELECT * FROM {table} WHERE scope = %s", scope) for table in CHAINS
            }
            taken_away(one, scope)
        for expected in ((), (file,)):
            status, said = verified(hall.at, *expected)
            assert status == 1
            assert f"{scope}: 0 entries, BROKEN" in said
        assert f"{scope} NOT FOUND" in said
        with thief(hall.at) as one:
            for table, rows in kept.items():
                for row in rows:
                    one.put(table, row)
        assert verified(hall.at, file)[0] == 0


@pytest.mark.guide("check#checking-an-event-from-outside")
def test_a_result_changed_beside_the_journal_is_found_by_replay_and_outsider(hall: Hall) -> None:
    with thief(hall.at) as one:
        one.run(
            "UPDATE scoring_signature SET signed_by = 'player:99' WHERE sheet_id IN"
            " (SELECT id FROM scoring_sheet WHERE scope = %s)",
            hall.event,
        )
    assert verified(hall.at)[0] == 0
    done = hall.at.manage("replay", hall.slug)
    assert done.returncode == 1
    assert "scoring.Signature" in done.stdout + done.stderr
    status, said = checked(hall.archive())
    assert status == 1
    assert "WRONG  rows" in said


# A timestamp by an independent authority ------------------------------------------------------------

COMMANDS = re.findall(r"^ {4}((?:curl|openssl ts) .*)$", GUIDE, re.M)


class Stamps(http.server.BaseHTTPRequestHandler):
    """An authority that timestamps requests (RFC 3161, 3.4), with the files of its folder."""

    folder: Path

    def do_POST(self) -> None:
        """Answer a query with its timestamp."""
        assert self.headers["Content-Type"] == "application/timestamp-query"
        asked = self.rfile.read(int(self.headers["Content-Length"]))
        (self.folder / "asked.tsq").write_bytes(asked)
        words = "openssl ts -reply -config tsa.cnf -queryfile asked.tsq -signer authority.pem"
        made = subprocess.run(
            shlex.split(f"{words} -inkey key.pem -out made.tsr"),
            cwd=self.folder,
            capture_output=True,
        )
        self.send_response(500 if made.returncode else 200)
        self.send_header("Content-Type", "application/timestamp-reply")
        self.end_headers()
        self.wfile.write((self.folder / "made.tsr").read_bytes())

    def log_message(self, format: str, *words: Any) -> None:
        """Log nothing."""


@pytest.fixture
def stamps(authority: Path) -> Iterator[str]:
    handler = type("Handler", (Stamps,), {"folder": authority})
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.mark.guide("operator#anchors-and-stamps")
def test_a_stamped_file_of_before_stands_against_a_forged_journal(
    hall: Hall, stamps: str, authority: Path, tmp_path: Path
) -> None:
    """The guide's commands, word for word except for the addresses, against the running service."""
    here = {
        "https://manille.example": f"http://127.0.0.1:{hall.at.port}",
        "https://stamps.example": stamps,
    }

    def command(beginning: str) -> int:
        (line,) = (line for line in COMMANDS if line.startswith(beginning))
        for written, meant in here.items():
            line = line.replace(written, meant)
        return subprocess.run(shlex.split(line), cwd=folder, capture_output=True).returncode

    folder = tmp_path / "kept"
    folder.mkdir()
    shutil.copy(authority / "authority.pem", folder)
    steps = ("curl -fsS -o anchors.json", "openssl ts -query", "curl -fsS -o anchors.tsr")
    assert [command(step) for step in steps] == [0, 0, 0]
    assert command("openssl ts -verify") == 0
    with thief(hall.at) as one:
        rewritten(one, hall.event)
    assert verified(hall.at, folder / "anchors.json")[0] == 1
    # The installation signs its new anchors, but the timestamp covers the old anchors only.
    shutil.copy(saved(hall.at), folder / "anchors.json")
    assert verified(hall.at, folder / "anchors.json")[0] == 0
    assert command("openssl ts -verify") == 1
