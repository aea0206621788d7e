#!/usr/bin/env python3
"""Check an archive of a manille event, as an outsider: signature, journal, draws and standings.

    manille-check [--key PUBLIC-KEY] [--expect ANCHOR-OR-FILE] [--draws] ARCHIVE
    manille-check --generate [--seed NUMBER]

This module shares no code with the service that makes archives. It needs Python 3.11 and
``cryptography``, and reads what docs/check.md describes. Exit code 0: everything holds; 1: something
does not, each thing on a line of its own that begins with ``WRONG``; 2: the file cannot be read.
"""

from __future__ import annotations

import argparse
import base64
import copy
import gzip
import hashlib
import json
import re
import sys
import zlib
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from fractions import Fraction
from functools import cache
from itertools import combinations, count, groupby, islice
from math import prod
from pathlib import Path
from typing import Any, Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

Json = dict[str, Any]
Row = dict[str, Any]
Rows = dict[str, dict[str, Row]]
"""Kind of row → its key → its columns."""


def canonical(value: object) -> bytes:
    """Encode JSON with one spelling only: sorted keys, no spaces, UTF-8.

    >>> canonical({"b": [1, "é"], "a": None}).decode()
    '{"a":null,"b":[1,"é"]}'
    """
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def sha256(value: bytes) -> str:
    """Return the SHA-256 in hexadecimal."""
    return hashlib.sha256(value).hexdigest()


class Findings:
    """Findings: lines for the reader, and the number of faults among them."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.wrong = 0

    def part(self, name: str, faults: Iterable[str], held: str) -> None:
        """Note each of the faults of a part; where there is none, what holds."""
        part_faults = list(faults)
        self.wrong += len(part_faults)
        self.lines += [f"WRONG  {name}: {fault}" for fault in part_faults[:20]]
        if len(part_faults) > 20:
            self.lines.append(f"WRONG  {name}: and {len(part_faults) - 20} more")
        if not part_faults:
            self.lines.append(f"holds  {name}: {held}")

    def note(self, text: str) -> None:
        """Note what the reader has to judge."""
        self.lines.append(f"note   {text}")


# Signature ---------------------------------------------------------------------------------------


def signature_faults(document: Json, expected: str) -> Iterator[str]:
    """Yield a fault if a document is unsigned, or not signed with the expected key."""
    given = document.get("signature")
    if not isinstance(given, dict):
        yield "it bears none: anybody may have made this file"
        return
    signed = {k: v for k, v in document.items() if k not in ("signature", "content")}
    try:
        key = bytes.fromhex(given["key"])
        public = Ed25519PublicKey.from_public_bytes(key)
        public.verify(bytes.fromhex(given["ed25519"]), canonical(signed))
    except (InvalidSignature, LookupError, TypeError, ValueError):
        yield "it is not one of this file"
        return
    if expected and key.hex() != expected.lower():
        yield f"it is by another key: {key.hex()}"


def checksum_faults(archive: Json) -> Iterator[str]:
    """Yield a fault if the content does not match the signed checksum."""
    if sha256(canonical(archive.get("content"))) != archive.get("sha256"):
        yield "the content is not the one that was signed"


# Journal -----------------------------------------------------------------------------------------


def journal_faults(journal: Json, event: str) -> Iterator[str]:
    """Yield every break in the two chains of a journal."""
    if journal["scope"] != event:
        yield "it is the journal of another event"
    head, last, number = journal["head"], "", 0
    for entry in journal["entries"]:
        number += 1
        hashed = [entry["previous_hash"], journal["scope"]]
        hashed += [entry[name] for name in _ENTRY]
        if entry["sequence"] != number or entry["previous_hash"] != last:
            yield f"entry {entry['sequence']} does not follow from the one before"
        if sha256(canonical(hashed)) != entry["hash"]:
            yield f"entry {entry['sequence']} was changed"
        number, last = entry["sequence"], entry["hash"]
    if (head["sequence"], head["hash"]) != (number, last):
        yield f"entries are missing at the end: {number} of {head['sequence']} are there"
    last, number = "", 0
    for rows in journal["rows"]:
        number += 1
        hashed = [rows["previous_hash"], journal["scope"], rows["sequence"], rows["entry"]]
        if rows["sequence"] != number or rows["previous_hash"] != last:
            yield f"rows {rows['sequence']} do not follow from those before"
        if sha256(canonical([*hashed, rows["body"]])) != rows["hash"]:
            yield f"rows {rows['sequence']} were changed"
        number, last = rows["sequence"], rows["hash"]
    if (head["rows_sequence"], head["rows_hash"]) != (number, last):
        yield f"rows are missing at the end: {number} of {head['rows_sequence']} are there"
    if journal["anchor"] != anchor_at(journal, head["sequence"], head["rows_sequence"]):
        yield "its anchor is not the one of its end"


_ENTRY: Final = (
    "sequence",
    "at",
    "actor",
    "verb",
    "object_type",
    "object_id",
    "before",
    "after",
    "request_id",
)


def anchor_at(journal: Json, entries: int, rows: int) -> str:
    """Return the anchor of a journal at these numbers of entries and rows."""
    last = {entry["sequence"]: entry["hash"] for entry in journal["entries"]}
    last_rows = {each["sequence"]: each["hash"] for each in journal["rows"]}
    end = [journal["scope"], entries, last.get(entries, ""), rows, last_rows.get(rows, "")]
    return f"{entries}.{rows}.{sha256(canonical(end))}"


def anchor_faults(journal: Json, expected: str, key: str) -> Iterator[str]:
    """Yield a fault if a journal does not pass through an anchor, or through its anchor in a saved file."""
    if Path(expected).is_file():
        saved = json.loads(Path(expected).read_text())
        if key:
            yield from signature_faults(saved, key)
        expected = saved["anchors"].get(journal["scope"], "")
        if not expected:
            yield "the file knows no such event"
            return
    match = re.fullmatch(r"(\d{1,18})\.(\d{1,18})\.([0-9a-f]{16,64})", expected.strip())
    if match is None:
        yield f"{expected!r} is no anchor (ENTRIES.ROWS.DIGEST)"
    elif not anchor_at(journal, int(match[1]), int(match[2])).startswith(match[0]):
        yield f"the journal does not lead through {expected}: it was rewritten or cut short"


# Rows against the journal --------------------------------------------------------------------------


def recorded_rows(journal: Json) -> Rows:
    """Return the rows recorded in the journal, each with its latest columns."""
    rows: Rows = defaultdict(dict)
    for each in journal["rows"]:
        for label, key, columns in json.loads(each["body"]):
            if columns is None:
                rows[label].pop(key, None)
            else:
                rows[label].setdefault(key, {}).update(columns)
    # Until release 0.2 a table was two rows: that of the round, and that of the score sheets.
    for former, row in rows.pop("tournament.Table", {}).items():
        for label in ("tournament.Seat", "adjudication.Incident"):
            for other in rows[label].values():
                if other.get("table_id") == former:
                    other["table_id"] = row["scoring_table_id"]
    for key, row in rows.pop("scoring.ScoringTable", {}).items():
        rows["scoring.Table"].setdefault(key, row)
    return rows


def rows_of(content: Json) -> Rows:
    """Return all rows of the archive by kind and key."""
    listed = dict(content["rows"]) | content.get("parts", {}).get("adjudication", {})
    by_label = {label: {str(row["id"]): row for row in rows} for label, rows in listed.items()}
    return {**by_label, "tournament.Event": {str(content["event"]["id"]): content["event"]}}


_LOGO: Final = "tournament.EventLogo"
_PERSON: Final = "tournament.Person"
_UNRECORDED: Final = {_PERSON, _LOGO}
"""Kinds that the journal leaves out: of a name it holds a salted digest, of a logo the SHA-256."""


def row_faults(content: Json) -> Iterator[str]:
    """Yield every difference between the rows of the archive and the journal."""
    in_journal, there = recorded_rows(content["journal"]), rows_of(content)
    logos = [base64.b64decode(row["content"]) for row in there.get(_LOGO, {}).values()]
    if [hashlib.sha256(logo).hexdigest() for logo in logos] != [
        logo for logo in [content["event"].get("logo", "")] if logo
    ]:
        yield f"{_LOGO}: the logo is not the one that the event names"
    for label, rows in there.items():
        if label in _UNRECORDED:
            continue
        of_label = in_journal.get(label, {})
        for key in sorted(of_label.keys() | rows.keys()):
            if key not in rows:
                yield f"{label} {key} is in the journal and not in the archive"
            elif key not in of_label:
                yield f"{label} {key} is in the archive and not in the journal"
            else:
                row, recorded = rows[key], of_label[key]
                for name in sorted(recorded.keys() & row.keys()):
                    if not same(recorded[name], row[name]):
                        yield f"{label} {key}: {name} is {row[name]!r}, the journal says {recorded[name]!r}"


def committed(content: Json) -> dict[str, Row]:
    """Return the persons of the archive whose names the journal commits to."""
    marks = recorded_rows(content["journal"])[_PERSON]
    return {key: row for key, row in rows_of(content)[_PERSON].items() if key in marks}


def name_faults(content: Json) -> Iterator[str]:
    """Yield every person whose name is not the one that the journal commits to; erased ones apart."""
    marks = recorded_rows(content["journal"])[_PERSON]
    entries = content["journal"]["entries"]
    erased = {each["object_id"] for each in entries if each["verb"] == "person.erased"}
    for key, row in committed(content).items():
        mark = sha256(canonical([row.get("salt", ""), key, row["name"]]))[:32]
        if marks[key]["name"] != f"sha256:{mark}" and (row["name"] or key not in erased):
            yield f"{_PERSON} {key}: the name is not the one that the journal commits to"


def same(recorded: object, there: object) -> bool:
    """Whether a column equals its record in the journal: free texts as digests, times in UTC.

    >>> same("2026-11-23T08:00:00+00:00", "2026-11-23T09:00:00+01:00")
    True
    """
    if recorded == there:
        return True
    if not isinstance(recorded, str) or not isinstance(there, str):
        return False
    if recorded.startswith("sha256:"):
        return recorded == f"sha256:{sha256(there.encode())[:32]}"
    try:
        return datetime.fromisoformat(recorded) == datetime.fromisoformat(there)
    except ValueError:
        return False


# Draws -------------------------------------------------------------------------------------------


def draw_faults(content: Json) -> Iterator[str]:
    """Yield faults of published draws: a player seated twice, or seats that differ from the tables."""
    rows = rows_of(content)
    numbers = {key: row["number"] for key, row in rows["tournament.Entrant"].items()}
    tables = {key: row["number"] for key, row in rows["scoring.Table"].items()}
    seated: dict[str, dict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
    for seat in rows["tournament.Seat"].values():
        place = seated[str(seat["round_id"])][tables[str(seat["table_id"])]]
        place.add(str(seat["entrant_id"]))
    for draw in published(rows):
        name = round_name(rows, str(draw["round_id"]))
        drawn = {one["number"]: [str(who) for who in one["players"]] for one in draw["tables"]}
        out = [str(who) for who in (*draw["byes"], *draw["held"])]
        everybody = [who for players in drawn.values() for who in players] + out
        for who, times in Counter(everybody).items():
            if times > 1:
                yield f"{name}: number {numbers.get(who, '?')} is drawn {times} times"
            if who not in numbers:
                yield f"{name}: somebody is drawn who is not in the event"
        for table in sorted(drawn.keys() | seated[str(draw["round_id"])].keys()):
            here = seated[str(draw["round_id"])].get(table, set())
            if set(drawn.get(table, ())) != here:
                yield f"{name}, table {table}: drawn and seated are not the same"
        yield from _certificate_faults(name, draw, numbers)


def published(rows: Rows) -> list[Row]:
    """Return the draws in force."""
    return [draw for draw in rows["tournament.Draw"].values() if draw["state"] == "published"]


def round_name(rows: Rows, key: str) -> str:
    """Return the name of a round for the reader: its stage and number."""
    round_ = rows["tournament.Round"][key]
    order = rows["tournament.Stage"][str(round_["stage_id"])]["order"]
    return f"stage {order}, round {round_['number']}"


def _certificate_faults(name: str, draw: Row, numbers: dict[str, int]) -> Iterator[str]:
    """Recount the repeated meetings of a draw, as it was before any replacement of a player."""
    stated = {line["code"]: line["value"] for line in draw["certificate"].get("lines", ())}
    if "repeated_meetings" not in stated or "before" not in draw["request"]:
        return
    met = {
        frozenset(two)
        for earlier in draw["request"]["before"]
        for table in earlier["tables"]
        for two in combinations(table[2], 2)
    }
    tables = draw["tables"]
    for edit in reversed(draw["edits"]):
        if edit["verb"] != "replace" or not edit.get("published"):
            break
        tables = edit["before"]["tables"]
    now = {
        frozenset((numbers.get(str(one), 0), numbers.get(str(two), 0)))
        for table in tables
        for one, two in combinations(table["players"], 2)
    }
    if len(met & now) != stated["repeated_meetings"]:
        yield f"{name}: {len(met & now)} meetings are repeated, the draw says {stated['repeated_meetings']}"


# Draws, repeated ------------------------------------------------------------------------------------


class Lots:
    """Numbers from SHA-256 of a draw code and a label, as 32-bit words (docs/check.md, "The lots").

    >>> Lots("Oostende 2017", "demo").shuffled(range(8))
    [4, 7, 5, 0, 3, 2, 6, 1]
    """

    def __init__(self, code: str, label: str) -> None:
        self.words = self._stream(f"{code}|{label}|")

    @staticmethod
    def _stream(head: str) -> Iterator[int]:
        for block in count():
            digest = hashlib.sha256(f"{head}{block}".encode()).digest()
            yield from (int.from_bytes(digest[k : k + 4], "big") for k in range(0, 32, 4))

    def below(self, n: int) -> int:
        """Return a number from 0 to ``n`` − 1; words past the last whole multiple are skipped."""
        return next(word for word in self.words if word < 2**32 // n * n) % n

    def shuffled(self, items: Iterable[Any]) -> list[Any]:
        """Return the items in drawn order: each place from the last takes one at or before it."""
        out = list(items)
        for last in reversed(range(1, len(out))):
            at = self.below(last + 1)
            out[last], out[at] = out[at], out[last]
        return out


Two = frozenset[int]
Drawing = tuple[dict[int, tuple[int, ...]], set[int]]
"""Players of each table in the order of their seats, and the players who sit out."""
_LATE: Final = 1 << 60


class Unproven(Exception):
    """A draw that this check neither repeats nor proves; the message gives the reason."""


class Request:
    """The stored request of a draw, with what the earlier rounds in it amount to."""

    def __init__(self, stored: Json) -> None:
        self.json, self.rules, self.code = stored, stored["rules"], stored["seed"]
        self.format, self.kind, self.number = stored["format"], stored["kind"], stored["round"]
        self.version: int = stored.get("version", 1)
        self.people: dict[int, Json] = {who["id"]: who for who in stored["contestants"]}
        wishes = stored["wishes"]
        self.bans = {frozenset(two) for two in wishes["bans"]}
        self.locked = {row[0]: tuple(row[2]) for row in wishes["locked"]}
        self.volunteers = set(wishes["bye_first"])
        seated_there = {who for players in self.locked.values() for who in players}
        away = seated_there.union(wishes["held"])
        self.free = sorted(self.people.keys() - away)
        self.fixed = any(
            who.get("fixed_table") or who.get("fixed_seat") for who in stored["contestants"]
        )
        self.met: Counter[Two] = Counter()
        self.partners: Counter[Two] = Counter()
        self.opponents: Counter[Two] = Counter()
        self.byes: Counter[int] = Counter()
        self.first: Counter[int] = Counter()
        self.second: Counter[int] = Counter()
        for earlier in stored["before"]:
            self.byes.update(earlier["byes"])
            for _number, kind, players, *_duties in earlier["tables"]:
                self._sat(kind, players)

    def _sat(self, kind: str, players: list[int]) -> None:
        self.met.update(map(frozenset, combinations(players, 2)))
        if kind == "solo":
            self.opponents.update(map(frozenset, combinations(players, 2)))
            if self.kind in ("partners", "rotation"):
                self.byes.update(players)
        elif kind == "match":
            self.first[players[0]] += 1
            self.second[players[1]] += 1
            self.opponents[frozenset(players)] += 1
        else:
            n, e, s, w = players
            games = [((n, s), (e, w))]
            if kind == "rotation":
                games = [((n, e), (s, w)), ((n, s), (e, w)), ((n, w), (e, s))]
            for sides in games:
                self.partners.update(map(frozenset, sides))
                self.opponents.update(frozenset((a, b)) for a in sides[0] for b in sides[1])

    def ahead(self, who: int) -> int:
        """Return the rounds of a pair at North-South, from version 7 on minus those at East-West."""
        return self.first[who] - (self.second[who] if self.version >= 7 else 0)

    def of(self, who: int, what: str) -> Any:
        """Return a column of a player, or its default."""
        defaults = {"club": "", "family": "", "fixed_seat": "", "scorekeeper": True}
        return self.people[who].get(what, defaults.get(what, 0))

    def levels(self) -> dict[int, int]:
        """Return the score group of each player who is drawn, 0 for the best."""
        scores = sorted({-self.of(who, "score") for who in self.free})
        return {who: scores.index(-self.of(who, "score")) for who in self.free}

    def apart(self, name: str, one: int, two: int) -> bool:
        """Whether a shared club or family keeps two players apart in this round."""
        until = {"club": "clubs_apart_until", "family": "families_apart_until"}[name]
        label = self.of(one, name)
        same = label and label == self.of(two, name)
        return bool(same and self.number <= self.json["wishes"][until])

    def barred(self, one: int, two: int) -> bool:
        """Whether two players may never share a table."""
        tables = {self.of(one, "fixed_table"), self.of(two, "fixed_table")} - {0}
        return frozenset((one, two)) in self.bans or len(tables) > 1

    def out(self, free: list[int], out: int, lots: Lots, *, in_turn: bool = True) -> set[int]:
        """Draw the players who sit out: the fewest byes first, then those who request, then by lot."""
        order = {who: at for at, who in enumerate(lots.shuffled(free))}

        def turn(who: int) -> tuple[int, bool, int]:
            return self.byes[who] if in_turn else 0, who not in self.volunteers, order[who]

        return set(sorted(free, key=turn)[:out])


def sizes_of(n: int, odd: str) -> tuple[list[int], int]:
    """Return the sizes of the tables for ``n`` individuals, and the number who sit out.

    >>> sizes_of(13, "threes"), sizes_of(13, "byes")
    (([4, 3, 3, 3], 0), ([4, 4, 4], 1))
    """
    threes = 0 if odd == "byes" else -n % 4
    if 3 * threes > n:
        threes = 0
    left = n - 3 * threes
    return [4] * (left // 4) + [3] * threes, left % 4


# Lots, groups

Clubs = dict[int, str]


def in_groups(
    request: Request, free: list[int], sizes: list[int], lots: Lots, clubs: Clubs, seeds: int = 0
) -> list[list[int]]:
    """Draw groups: seeds in snake order, the others by lot, clubs spread by exchanges."""
    pool = lots.shuffled(sorted(free))
    ranked = sorted(
        pool, key=lambda who: (-request.of(who, "rating"), request.of(who, "rank") or _LATE)
    )
    strong, last = ranked[:seeds], len(sizes) - 1
    groups: list[list[int]] = [[] for _ in sizes]
    for k, who in enumerate(strong):
        lap, at = divmod(k, len(sizes))
        groups[last - at if lap % 2 else at].append(who)
    rest = (who for who in pool if who not in strong)
    for group, size in zip(groups, sizes, strict=True):
        group += islice(rest, size - len(group))
    if max(Counter(filter(None, (clubs[who] for who in pool))).values(), default=0) > 1:
        _spread_clubs(groups, lots, clubs, set(strong))
    return groups


def _spread_clubs(groups: list[list[int]], lots: Lots, clubs: Clubs, seeded: set[int]) -> None:
    """Exchange players until clubs are spread, then eight times as often as there are places at no loss."""
    places = [(g, k) for g, group in enumerate(groups) for k in range(len(group))]
    places = [(g, k) for g, k in places if groups[g][k] not in seeded]
    inside = [Counter(clubs[who] for who in group if clubs[who]) for group in groups]

    def gain(one: tuple[int, int], two: tuple[int, int]) -> int:
        (g, k), (h, m) = one, two
        a, b = clubs[groups[g][k]], clubs[groups[h][m]]
        if g == h or a == b:
            return 0
        moved = inside[h][a] - (inside[g][a] - 1) if a else 0
        return moved + (inside[g][b] - (inside[h][b] - 1) if b else 0)

    def trade(one: tuple[int, int], two: tuple[int, int]) -> None:
        (g, k), (h, m) = one, two
        groups[g][k], groups[h][m] = groups[h][m], groups[g][k]
        for at in (g, h):
            inside[at] = Counter(clubs[who] for who in groups[at] if clubs[who])

    def clashes() -> int:
        return sum(n * (n - 1) // 2 for each in inside for n in each.values())

    least = 0
    for n in Counter(clubs[who] for group in groups for who in group if clubs[who]).values():
        each, more = divmod(n, len(groups))
        least += (len(groups) - more) * each * (each - 1) // 2 + more * each * (each + 1) // 2
    improved = True
    while improved and clashes() > least:
        improved = False
        others = lots.shuffled(places)
        for one in lots.shuffled(
            [p for p in places if inside[p[0]][clubs[groups[p[0]][p[1]]]] > 1]
        ):
            better = next((two for two in others if gain(one, two) < 0), None)
            if better is not None:
                trade(one, better)
                improved = True
    for _ in range(8 * len(places)):
        one, two = places[lots.below(len(places))], places[lots.below(len(places))]
        if gain(one, two) <= 0:
            trade(one, two)


def by_lot(request: Request) -> Drawing:
    """Repeat a round drawn by lot."""
    match = request.kind == "match"
    free, number = request.free, request.number
    sizes, out = ([2] * (len(free) // 2), len(free) % 2) if match else ([], 0)
    if not match:
        sizes, out = sizes_of(len(free), request.rules.get("odd", "byes"))
    families = number <= request.json["wishes"]["families_apart_until"]
    families = families and any(request.of(who, "family") for who in free)
    tries = 200 if request.bans else 40 if families else 1
    clubs_apart = number <= request.json["wishes"]["clubs_apart_until"]
    best: tuple[tuple[int, int], Drawing] | None = None
    for attempt in range(2 * tries):
        late = attempt >= tries
        if late and best is not None:
            break
        turns = not (late and request.version >= 6 and request.bans)
        if late and turns and 3 not in sizes:
            continue
        label = f"round {number}|lots" + (f"|{attempt}" if attempt else "")
        resting = request.out(free, out, Lots(request.code, f"{label}|sitting out"), in_turn=turns)
        clubs_apart = clubs_apart and turns
        clubs = {who: request.of(who, "club") if clubs_apart else "" for who in free}
        playing = [who for who in free if who not in resting]
        groups = in_groups(request, playing, sizes, Lots(request.code, label), clubs)
        if not late and 3 in sizes:
            _to_their_turn(request, groups, Lots(request.code, f"{label}|turn"))
        now = [*groups, *request.locked.values()]
        pairs = [two for group in now for two in combinations(group, 2)]
        if any(frozenset(two) in request.bans for two in pairs):
            continue
        named = [(request.of(a, "family"), request.of(b, "family")) for a, b in pairs]
        again = sum(one == two != "" for one, two in named) if families else 0
        sat = [*resting, *(who for g in groups if len(g) == 3 and not match for who in g)]
        cost = (0 if turns else sum(request.byes[who] > 0 for who in sat), again)
        if best is None or cost < best[0]:
            best = cost, (seated(request, groups), resting)
        if not any(cost):
            break
    if best is None:
        raise Unproven("no lots of its code avoid the forbidden meetings")
    return best[1]


def _to_their_turn(request: Request, groups: list[list[int]], lots: Lots) -> None:
    """Exchange players until those at tables of three are there in turn, each time at the least cost."""
    threes = [k for k, group in enumerate(groups) if len(group) == 3]
    everybody = [who for group in groups for who in group]
    limit = sorted(request.byes[who] for who in everybody)[3 * len(threes) - 1]

    def cost(group: list[int]) -> int:
        pairs = list(combinations(group, 2))
        clubs = sum(request.apart("club", *two) or request.apart("family", *two) for two in pairs)
        return len(request.people) ** 2 * sum(request.barred(*two) for two in pairs) + clubs

    while True:
        leaves = [(k, who) for k in threes for who in groups[k] if request.byes[who] > limit]
        rest = [k for k in range(len(groups)) if k not in threes]
        must = {who for k in rest for who in groups[k] if request.byes[who] < limit}
        if not leaves and must:
            leaves = [(k, who) for k in threes for who in groups[k] if request.byes[who] >= limit]
        if not leaves:
            return
        options = []
        for there in rest:
            for comes in groups[there]:
                if comes not in must and (must or request.byes[comes] > limit):
                    continue
                for here, goes in leaves:
                    one = [comes if who == goes else who for who in groups[here]]
                    two = [goes if who == comes else who for who in groups[there]]
                    more = cost(one) + cost(two) - cost(groups[here]) - cost(groups[there])
                    options.append((more, there, comes, here, goes))
        cheapest = [option for option in options if option[0] == min(options)[0]]
        _more, there, comes, here, goes = cheapest[lots.below(len(cheapest))]
        groups[here] = [comes if who == goes else who for who in groups[here]]
        groups[there] = [goes if who == comes else who for who in groups[there]]


def seated(request: Request, groups: Sequence[Sequence[int]]) -> dict[int, tuple[int, ...]]:
    """Number the groups and draw the seat of each player."""
    taken = set(request.locked)
    numbers: dict[int, int] = {}
    for k, group in enumerate(groups):
        wanted = [t for who in group if (t := request.of(who, "fixed_table")) and t not in taken]
        if wanted and request.kind != "match":
            numbers[k] = wanted[0]
            taken.add(wanted[0])
    free = (number for number in count(1) if number not in taken)
    out = {}
    for k, group in enumerate(groups):
        number = numbers[k] if k in numbers else next(free)
        if request.kind == "match":
            turned = Lots(request.code, f"round {request.number}|side {number}").below(2)
            out[number] = tuple(reversed(group)) if turned else tuple(group)
        else:
            out[number] = seats(request, number, group)
    return out


def seats(request: Request, number: int, group: Sequence[int]) -> tuple[int, ...]:
    """Draw the seats of one table of individuals: partners by the fewest repetitions, else by lot."""
    lots = Lots(request.code, f"round {request.number}|table {number}")
    if request.kind != "partners" or len(group) != 4:
        return tuple(lots.shuffled(sorted(group)))
    a, b, c, d = sorted(group)
    ways = [((a, b), (c, d)), ((a, c), (b, d)), ((a, d), (b, c))]
    least = min(map(sides_again(request), ways))
    good = [way for way in ways if sides_again(request)(way) == least]
    way = good[lots.below(len(good))]
    first, second = reversed(way) if lots.below(2) else way
    n, s = reversed(first) if lots.below(2) else first
    e, w = reversed(second) if lots.below(2) else second
    return n, e, s, w


def sides_again(request: Request) -> Callable[[tuple[tuple[int, int], ...]], tuple[int, int]]:
    """Return the count of earlier partners and earlier opponents of two sides."""

    def again(sides: tuple[tuple[int, int], ...]) -> tuple[int, int]:
        one, two = sides
        partners = request.partners[frozenset(one)] + request.partners[frozenset(two)]
        return partners, sum(request.opponents[frozenset((a, b))] for a in one for b in two)

    return again


# Timetables

Timetable = list[tuple[list[tuple[int, ...]], set[int]]]
"""Of each round the tables in order, and who sits out."""


def berger(field: list[int], code: str, *, twice: bool = False) -> Timetable:
    """Draw a round robin of a field: its numbers by lot, then the Berger table."""
    ids: list[int | None] = [*Lots(code, "berger").shuffled(sorted(field))]
    ids += [None] * (len(ids) % 2)
    turn, out = len(ids) - 1, Timetable()
    for again in range(1 + twice):
        for r in range(turn):
            shift = r * (len(ids) // 2) % turn
            games = [(shift, turn) if r % 2 == 0 else (turn, shift)]
            games += [((shift + k) % turn, (shift - k) % turn) for k in range(1, len(ids) // 2)]
            sides = [(ids[b], ids[a]) if again else (ids[a], ids[b]) for a, b in games]
            met: list[tuple[int, ...]] = [
                (one, two) for one, two in sides if one is not None and two is not None
            ]
            out.append((met, {who for two in sides if None in two for who in two if who}))
    return out


def mitchell(request: Request, field: list[int], code: str) -> Timetable:
    """Draw a Mitchell: North-South stays, East-West moves up, skipping once with even tables."""
    order = Lots(code, "mitchell").shuffled(field)
    order.sort(
        key=lambda who: not (request.of(who, "fixed_seat") or request.of(who, "fixed_table"))
    )
    tables, out = (len(order) + 1) // 2, Timetable()
    for r in range(request.json["rounds"]):
        moved = r + (tables % 2 == 0 and r >= tables // 2)
        comes = [tables + (t - moved) % tables for t in range(tables)]
        met: list[tuple[int, ...]] = [
            (order[t], order[c]) for t, c in enumerate(comes) if c < len(order)
        ]
        out.append((met, {order[t] for t, c in enumerate(comes) if c >= len(order)}))
    return out


def rainbow(request: Request, field: list[int], code: str) -> Timetable:
    """Draw a Rainbow: North stays; with a number of tables prime to 6 South moves one up, East two, West two down."""

    def last(who: int) -> bool:
        return not (request.of(who, "fixed_seat") or request.of(who, "fixed_table"))

    over = sorted(Lots(code, "over").shuffled(field), key=last)
    order = sorted(over[: len(over) - len(over) % 4])
    order = sorted(Lots(code, "rainbow").shuffled(order), key=last)
    laid = standing(len(order), request.json["rounds"])
    return [([tuple(order[place] for place in table) for table in one], set()) for one in laid]


def whist(request: Request, field: list[int], code: str) -> Timetable:
    """Draw a Whist movement: every player in the place that the lots give them."""
    order = Lots(code, "whist").shuffled(sorted(field))
    laid = whist_places(len(order))[: request.json["rounds"] or None]
    return [
        ([tuple(order[place] for place in table) for table in tables], {order[out] for out in idle})
        for tables, idle in laid
    ]


Places = list[tuple[int, ...]]
"""The places at each table of a round, from 0."""
Shift = tuple[int, ...]


def plus(one: int, two: int, moduli: Sequence[int]) -> int:
    """Add two elements of a product of cyclic groups, the lowest digit first; the element past the last stays.

    >>> plus(2, 2, [3, 4]), plus(5, 11, [3, 4]), plus(12, 1, [3, 4])
    (1, 1, 12)
    """
    out, unit = 0, 1
    for modulus in moduli:
        out += (one // unit + two // unit) % modulus * unit
        unit *= modulus
    return one if one >= unit else out


@cache
def galois(q: int) -> tuple[list[int], tuple[int, ...]] | None:
    """Return the digits of the field of ``q`` elements and the powers of its generator; None if there is no field.

    Elements are polynomials, their coefficients the digits; the first polynomial with a generator x reduces them.

    >>> galois(5), galois(6), galois(4)
    (([5], (1, 2, 4, 3)), None, ([2, 2], (1, 2, 3)))
    """
    prime = next(p for p in range(2, q + 1) if q % p == 0)
    digits = [prime]
    while prime ** len(digits) < q:
        digits.append(prime)
    if prime ** len(digits) != q:
        return None
    for low in range(1, q):
        powers = [1]
        while len(powers) < q - 1:
            high, rest = divmod(powers[-1], q // prime)
            value = powers[-1] * low % q
            if len(digits) > 1:
                value = rest * prime
                for _ in range((prime - high) % prime):
                    value = plus(value, low, digits)
            if value in (0, 1):
                break
            powers.append(value)
        if len(set(powers)) == q - 1:
            return digits, tuple(powers)
    raise AssertionError(q)


def moved(columns: int, by: Sequence[Shift], digits: Sequence[int]) -> list[Places]:
    """Return the rounds of four columns in which the second to the fourth move by these shifts."""
    return [
        [
            (t, *(k * columns + plus(t, shift, digits) for k, shift in enumerate(shifts, start=1)))
            for t in range(columns)
        ]
        for shifts in by
    ]


def rows_in(numbers: str, length: int) -> list[tuple[int, ...]]:
    """Read numbers in rows of a length."""
    values = list(map(int, numbers.split()))
    return [tuple(values[k : k + length]) for k in range(0, len(values), length)]


@cache
def every_shift(m: int) -> tuple[list[Shift], list[int]] | None:
    """Return shifts for ``m`` rounds of columns of ``m``, and the digits of their group; None if none are known."""
    if m >= 5 and m % 2 and m % 3:
        return [(r, 2 * r % m, 3 * r % m) for r in range(m)], [m]
    if m in _WHOLE:
        low, second, third = _WHOLE[m]
        g, h = (list(map(int, each.split())) for each in (second, third))
        if len(g) < m:
            g, h = ([*each, *((m - value) % m for value in reversed(each[1:]))] for each in (g, h))
        return [(r, g[r], h[r]) for r in range(m)], [low, m // low]
    field = galois(m) if m >= 4 else None
    if field is None:
        return None
    digits, powers = field
    ring = [*powers, *powers]
    return [(0, 0, 0), *sorted((ring[e], ring[e + 1], ring[e + 2]) for e in range(m - 1))], digits


def standing(places: int, rounds: int) -> list[Places]:
    """Return a movement without a second meeting in which the first player of each table stays, as far as known.

    >>> standing(24, 2)[1][1], standing(32, 2)[1][1]
    ((1, 8, 15, 22), (1, 10, 19, 28))
    """
    m = places // 4
    if m % 2 and m % 3:
        return moved(m, [(-2 * r % m, -r % m, 2 * r % m) for r in range(min(rounds, m))], [m])
    if m == 6:
        return moved(m, rows_in(_SIX, 3)[:rounds], [m])
    form = closed_form(places, rounds) or []
    stands = all(table[0] == at for one in form for at, table in enumerate(one))
    return form if stands else []


def first_round(text: str) -> tuple[list[int], Places]:
    """Read a stored first round: the digits of its group, and its tables.

    The tables after the second bar stand for their images, the lowest digit multiplied so many times.
    """
    digits, whole, turn, base = (
        list(map(int, part.split())) for part in f"{text}|||".split("|")[:4]
    )
    tables = [tuple(whole[k : k + 4]) for k in range(0, len(whole), 4)]
    for k in range(0, len(base), 4):
        now = tuple(base[k : k + 4])
        for _ in range(turn[1]):
            tables.append(now)
            now = tuple(x - x % digits[0] + x % digits[0] * turn[0] % digits[0] for x in now)
    return digits, tables


Laid = list[tuple[Places, list[int]]]
"""Of each round the tables, and the places that are idle."""


def turned(first: Places, by: Iterable[int], digits: Sequence[int]) -> Iterator[Places]:
    """Yield a round with each of these elements added."""
    for r in by:
        yield [tuple(plus(x, r, digits) for x in table) for table in first]


@cache
def whist_places(n: int) -> Laid:
    """Lay out all rounds of a Whist movement over ``n`` places; none where no movement is known.

    From a stored first round, from the fourth roots in a field, or from smaller movements whose places become
    groups: docs/decisions/pairing.md.
    """
    if n < 4 or n % 4 > 1:
        return []
    rounds: list[Places] = []
    field = galois(n)
    if n in _FIRST:
        digits, first = first_round(_FIRST[n])
        rounds = list(turned(first, range(prod(digits)), digits))
    elif n % 4 == 1 and field is not None:
        digits, powers = field
        k = n // 4
        rounds = list(turned([powers[i::k] for i in range(k)], range(n), digits))
    if rounds:
        return [(one, sorted({*range(n)}.difference(*one))) for one in rounds]
    for v in range(4, n):
        for extra in (0, 1):
            if laid := _of_groups(n, v, extra):
                return laid
    for m, v in _HOLED:
        if m * v + 1 == n:
            return _inside(_holed(m, v), m, 1)
    return []


def _of_groups(n: int, v: int, extra: int) -> Laid:
    """Blow up a movement of ``v`` places to groups, with one place more if ``extra``; none where that gives none."""
    m, rest = divmod(n - extra, v)
    shifts = every_shift(m) if not rest and m >= 4 else None
    if shifts is None or not whist_places(v) or not whist_places(m + extra):
        return []
    if v % 4 == 1 and (extra or m % 4 == 1):
        frame: list[list[Places]] = [[] for _ in range(v)]
        for tables, idle in whist_places(v):
            frame[idle[0]] = [_on_groups(tables, m, shift, shifts[1]) for shift in shifts[0]]
        return _inside(frame, m, extra)
    if v % 4 or extra:
        return []
    odd, outer = m % 4, whist_places(v)
    out: Laid = [
        (_on_groups(tables, m, shift, shifts[1]), [])
        for tables, _idle in outer
        for shift in shifts[0][odd:]
    ]
    for tables, idle in whist_places(m):
        now = [tuple(group * m + x for x in table) for group in range(v) for table in tables]
        now += [tuple(x * m + one for x in table) for one in idle for table in outer[0][0]]
        out.append((now, []))
    if odd:
        out += [(_on_groups(tables, m, (0, 0, 0), shifts[1]), []) for tables, _idle in outer[1:]]
    return out


def _on_groups(tables: Places, m: int, shift: Shift, digits: Sequence[int]) -> Places:
    """Return the tables of one round of columns on the four groups of each table."""
    return [
        tuple(x * m + plus(t, by, digits) for x, by in zip(table, (0, *shift), strict=True))
        for table in tables
        for t in range(m)
    ]


def _holed(m: int, v: int) -> list[list[Places]]:
    """Return for each of ``v`` groups of ``m`` the rounds that leave it out, from stored first rounds."""
    frame: list[list[Places]] = [[] for _ in range(v)]
    stored = _HOLED[m, v]
    for text in stored:
        digits, first = first_round(text)
        for r, one in enumerate(turned(first, range(m * v if len(stored) == 1 else v), digits)):
            frame[r % v].append([tuple(x % v * m + x // v for x in table) for table in one])
    return frame


def _inside(frame: list[list[Places]], m: int, extra: int) -> Laid:
    """Let each group that a round leaves out play a movement, with the last place of all if ``extra``."""
    last = len(frame) * m

    def within(group: int, tables: Places) -> Places:
        return [tuple(group * m + x if x < m else last for x in table) for table in tables]

    inner = whist_places(m + extra)
    apart = [tables for tables, idle in inner if extra and idle == [m]]
    beside = [one for one in inner if not (extra and one[1] == [m])]
    out: Laid = []
    for group, rounds in enumerate(frame):
        for outer, (tables, idle) in zip(rounds, beside, strict=True):
            out.append((outer + within(group, tables), [group * m + x for x in idle]))
    for tables in apart:
        out.append(([t for group in range(len(frame)) for t in within(group, tables)], [last]))
    return out


# What was found by search: of tables four places each, of shifts three numbers a round

_SIX: Final = "0 0 0 1 2 3 2 4 1 4 1 5 5 3 2"
_WHOLE: Final = {
    12: (6, "0 6 4 11 10 2 1 8 5 7 9 3", "0 2 11 8 3 6 10 9 4 1 7 5"),
    15: (15, "0 2 4 7 12 10 9 1", "0 3 10 14 7 6 11 13"),
    21: (21, "0 2 4 16 15 14 10 12 1 3 13", "0 8 17 12 1 15 7 2 10 5 18"),
}
_SHIFTS: Final = {
    10: (
        10,
        "6 4 7 8 7 2 9 3 1 7 2 3 5 5 5 3 6 0 0 1 8 4 0 9 1 8 4",
    ),
    12: (
        6,
        "0 8 1 6 0 9 2 9 11 1 3 0 10 11 10 11 10 4 3 7 5 4 1 8 7 4 2 8 6 6 9 2 3",
    ),
    14: (
        14,
        "13 2 4 10 1 0 0 10 1 12 6 7 6 4 13 5 5 5 3 9 2 8 7 11 7 0 3 11 12 8 4 8 6 1 3 9",
    ),
    15: (
        15,
        "14 2 7 10 1 0 0 5 1 13 11 5 6 0 4 5 6 9 3 10 12 8 7 8 7 3 10 11 4 2 4 8 14 1 13 13 "
        "12 14 11",
    ),
    18: (
        6,
        "10 4 2 5 5 0 16 3 3 17 16 11 9 17 8 0 10 7 15 12 5 14 7 16 3 6 14 6 13 6 11 2 1 13 1 "
        "17 12 8 15 7 9 13 1 14 10 8 0 12",
    ),
    20: (
        20,
        "11 4 3 5 10 4 17 17 17 19 2 7 9 18 19 0 8 11 16 7 13 1 13 10 15 14 2 6 0 12 10 5 15 "
        "13 19 14 14 16 9 12 9 16 7 11 0 3 1 5",
    ),
    21: (
        21,
        "20 19 9 17 5 20 19 3 2 11 9 12 5 7 11 9 17 14 0 0 7 14 8 6 1 12 18 16 11 4 6 18 5 10 "
        "6 8 13 14 10 7 20 15 12 15 3 15 4 17",
    ),
}
_BASE: Final = {
    16: (5, "15 10 5 1 14 3 11 4 9 13 6 12 2 7 8 0"),
    20: (5, "10 18 16 14 0 17 2 9 11 3 4 13 5 19 15 8 7 6 1 12"),
    24: (7, "22 14 0 7 21 17 6 11 23 20 9 1 10 15 13 12 4 2 5 8 3 19 18 16"),
    28: (9, "27 2 19 15 7 17 20 13 21 10 1 3 5 4 16 8 23 24 14 0 6 25 22 18 9 11 26 12"),
    40: (
        10,
        "0 27 23 7 30 16 13 3 17 39 22 11 12 10 33 4 14 9 24 5 25 19 26 28 36 32 2 1 31 8 29 "
        "15 21 34 37 35 6 20 18 38",
    ),
}
_FIRST: Final = {
    4: "3 | 3 1 0 2",
    8: "7 | 7 1 0 5 2 4 3 6",
    12: "11 | 11 6 0 7 3 10 9 1 2 8 5 4",
    16: "15 | 15 11 0 7 4 9 10 6 8 1 13 14 12 2 5 3",
    20: "19 | 19 10 0 7 14 4 5 16 15 1 9 3 18 13 17 2 8 6 12 11",
    21: "21 | 20 3 2 19 15 13 4 7 6 9 14 16 18 10 1 8 11 17 12 5",
    24: "23 | 23 11 0 2 17 21 1 16 22 20 12 5 18 8 14 9 13 4 15 10 19 3 7 6",
    28: "27 | 27 17 0 22 12 6 15 19 11 13 21 24 20 5 18 1 8 4 2 3 26 14 7 23 25 9 10 16",
    32: (
        "31 | 31 4 0 9 24 3 20 17 19 30 1 7 12 18 2 25 15 5 14 27 29 26 10 6 13 8 28 11 16 21 22 23"
    ),
    33: (
        "33 | 14 25 17 13 3 32 29 15 2 27 22 8 7 19 12 9 6 21 31 30 26 24 4 20 16 23 18 5 10 "
        "28 11 1"
    ),
    36: (
        "35 | 35 3 0 12 16 34 24 10 28 8 9 2 23 30 1 32 6 26 31 14 5 15 4 18 19 17 33 22 7 29 "
        "27 11 13 21 20 25"
    ),
    44: (
        "43 | 10 34 2 12 39 4 24 21 8 41 42 5 22 40 3 17 14 29 30 0 18 26 31 1 11 20 13 9 36 "
        "15 35 43 32 28 37 25 38 19 7 23 6 33 16 27"
    ),
    76: (
        "3 5 5 | 1 75 0 2 13 39 20 70 61 24 14 64 19 42 62 34 18 4 52 57 12 16 67 21 60 73 49 "
        "27 56 47 28 30 8 38 58 54 32 11 22 6 9 25 72 51 45 43 3 66 36 40 15 48 26 46 17 31 "
        "44 37 74 55 41 10 5 7 33 71 53 23 69 65 68 29 63 35 50 59"
    ),
    77: (
        "77 | 16 19 61 58 21 8 56 69 17 24 60 53 20 6 57 71 14 25 63 52 31 15 46 62 18 35 59 "
        "42 3 1 74 76 36 26 41 51 7 27 70 50 23 32 54 45 33 38 44 39 5 13 72 64 12 11 65 66 "
        "22 34 55 43 37 10 40 67 28 9 49 68 29 4 48 73 2 30 75 47"
    ),
    88: "87 | 58 0 87 29 | 7 7 | 76 81 21 15 40 13 41 17 71 52 20 9",
    112: (
        "111 | 74 111 37 0 | 10 3 | 85 65 82 30 94 86 75 98 9 4 34 28 105 87 54 48 49 39 35 8 "
        "68 89 104 19 33 101 55 91 56 31 18 47 10 99 6 44"
    ),
    124: (
        "123 | 41 123 0 82 | 10 5 | 48 34 95 98 116 64 81 101 36 32 63 35 5 109 37 122 93 7 "
        "88 91 42 9 99 61"
    ),
    184: (
        "183 | 61 0 183 122 | 34 5 | 78 136 68 135 172 69 156 21 166 36 115 18 155 139 12 92 "
        "74 65 32 37 45 52 109 179 62 143 105 167 73 38 70 55 76 24 174 182"
    ),
}
_HOLED: Final = {
    (8, 7): ("7 8 |  | 2 3 | 50 48 12 9 19 43 52 6 29 34 24 2 22 37 18 41",),
    (20, 7): (
        "7 20 |  | 2 3 | 113 18 51 104 96 9 57 13 124 2 32 52 39 62 136 5 44 71 41 45 65 120 "
        "25 129 127 110 17 88 89 34 24 100 134 73 117 107 69 79 80 92",
    ),
    (16, 11): (
        "11 16 |  | 4 5 | 34 163 105 26 4 161 30 113 166 104 18 53 117 148 43 63 87 60 90 91 "
        "51 122 80 131 153 137 75 74 7 142 173 15",
    ),
    (8, 31): (
        "31 8 |  | 2 5 | 68 170 10 177 202 147 165 77 21 169 136 192 120 135 44 236 100 111 "
        "240 109 1 216 12 56 64 87 106 105 199 61 72 28 37 211 204 218 133 235 51 163 33 27 "
        "228 179 126 223 83 138",
    ),
    (3, 89): (
        "89 3 |  | 78 11 | 141 145 72 190 114 258 157 222 64 30 98 154 97 47 38 257 24 11 216 "
        "65 163 240 255 256",
    ),
    (20, 19): (
        "19 20 |  | 4 9 | 123 240 226 348 99 284 277 92 305 26 244 167 288 363 254 365 182 89 "
        "64 312 137 136 344 204 181 223 201 259 158 11 65 33 127 12 48 325 43 329 302 103",
    ),
    (4, 23): (
        "23 4 |  | 4 11 | 31 5 71 68 76 13 28 54",
        "23 4 |  | 4 11 | 1 38 36 5 56 90 72 47",
        "23 4 |  | 4 11 | 20 9 73 90 42 35 68 55",
        "23 4 |  | 4 11 | 79 39 87 43 15 51 1 58",
    ),
    (4, 59): (
        "59 4 |  | 4 29 | 198 224 99 78 27 161 169 56",
        "59 4 |  | 4 29 | 148 183 145 184 4 76 39 99",
        "59 4 |  | 4 29 | 221 203 1 58 165 133 96 105",
        "59 4 |  | 4 29 | 107 146 25 233 152 56 206 73",
    ),
}


def laid_apart(
    request: Request,
    make: Callable[[str, bool], Any],
    met: Callable[[Any], Iterable[Iterable[int]]],
) -> Any:
    """Return the first schedule without a forbidden meeting: by the code, then by its successors."""
    clubs = request.version >= 6 and any(request.of(who, "club") for who in request.people)
    for attempt in range(120 if clubs else 60):
        code = f"{request.code}|apart {attempt}" if attempt else request.code
        laid = make(code, attempt < 60)
        if not any(frozenset(two) in request.bans for two in met(laid)):
            return laid
    raise Unproven("no lots of its code avoid the forbidden meetings")


def timetable(request: Request) -> Timetable:
    """Lay out a stage from the request of its first draw."""
    field = sorted(request.people.keys() - set(request.json["wishes"]["held"]))
    rounds = request.json["rounds"]

    def make(code: str, _clubs: bool) -> Timetable:
        if request.format == "round_robin":
            return berger(field, code, twice=request.rules.get("twice", False))
        if request.format == "pairs_mitchell":
            return mitchell(request, field, code)
        if request.rules.get("movement", "rainbow") == "whist":
            return whist(request, field, code)
        return rainbow(request, field, code)

    def met(laid: Timetable) -> Iterable[Iterable[int]]:
        return [two for row in laid[: rounds or None] for t in row[0] for two in combinations(t, 2)]

    laid: Timetable = laid_apart(request, make, met)
    if request.kind == "rotation":
        laid = [([(t[0], t[2], t[1], t[3]) for t in tables], out) for tables, out in laid]
    return laid


def in_timetable(request: Request, plan: Json) -> Drawing:
    """Return a round of a timetable: late players in the places of those who left, and sitting out in turn."""
    row = plan["rounds"][request.number - 1]
    stands = {int(gone): now for gone, now in plan.get("stand_in", {}).items()}
    here = request.people.keys() - set(request.json["wishes"]["held"])
    locked = {who for players in request.locked.values() for who in players}
    placed = {stands.get(who, who) for who in plan["field"]}
    match = request.kind == "match"
    out = {stands.get(who, who) for who in row["byes"]} & here
    tables, loose = {}, [] if match else sorted(here - placed - locked)
    for number, _kind, players, *_duties in row["tables"]:
        now = tuple(stands.get(who, who) for who in players)
        left = [who for who in now if who in here and (match or who not in locked)]
        if len(left) == len(now):
            tables[number] = now
        else:
            loose += left
    guest = plan.get("guest")
    if match and guest in here:
        if len(out) == 1:
            taken = {table[0] for table in row["tables"]}
            tables[next(n for n in count(1) if n not in taken)] = (out.pop(), guest)
        else:
            out.add(guest)
    if match:
        return tables, out | set(loose)
    if locked or len(loose) >= 4 or (out and len(loose) % 4 + len(out) >= 4):
        raise Unproven("players of broken tables were drawn among themselves; they were counted")
    later = {stands.get(b, b) for one in plan["rounds"][request.number :] for b in one["byes"]}
    north = request.rules.get("movement", "rainbow") == "rainbow"
    tables, loose = _take_turns(request, tables, loose, later, north)
    return tables, out.union(loose)


def _take_turns(
    request: Request,
    tables: dict[int, tuple[int, ...]],
    waiting: list[int],
    later: set[int],
    north: bool,
) -> tuple[dict[int, tuple[int, ...]], list[int]]:
    """Seat players without a place who have sat out more often than a player with one."""
    lots, out = Lots(request.code, f"round {request.number}|turns"), []
    for who in sorted(waiting, key=lambda p: (-request.byes[p], p)):
        options = []
        for number, players in tables.items():
            for place, sits in enumerate(players):
                stays = request.of(sits, "fixed_table") or request.of(sits, "fixed_seat")
                if request.byes[sits] >= request.byes[who] or stays or (north and not place):
                    continue
                beside = [other for other in players if other != sits]
                if any(request.barred(who, other) for other in beside):
                    continue
                again = sum(request.met[frozenset((who, other))] for other in beside)
                clubs = sum(
                    request.apart("club", who, other) or request.apart("family", who, other)
                    for other in beside
                )
                options.append(((sits in later, again, clubs), number, place))
        if not options:
            out.append(who)
            continue
        equal = [option for option in options if option[0] == min(options)[0]]
        _cost, number, place = equal[lots.below(len(equal))]
        seats_now = list(tables[number])
        out.append(seats_now[place])
        seats_now[place] = who
        tables[number] = tuple(seats_now)
    return tables, out


# Pools and brackets

Entry = tuple[int, str, int, int]
"""A place's entrant: number, club or pool, rating, rank."""


def pools(request: Request) -> tuple[list[list[int]], Timetable, list[list[int]]]:
    """Draw the pools, and their rounds: the tables, who sits out, and the numbers of the tables."""
    field, wanted = sorted(request.people), request.rules.get("pool_size", 4)
    many = max(1, -(-len(field) // wanted))
    while many > 1 and len(field) // many < wanted - 1:
        many -= 1
    each, more = divmod(len(field), many)
    sizes = [each + 1] * more + [each] * (many - more)

    def make(code: str, by_club: bool) -> tuple[list[list[int]], list[Timetable]]:
        clubs = {who: request.of(who, "club") if by_club else "" for who in field}
        seeds = request.rules.get("seeds", 0)
        groups = in_groups(request, field, sizes, Lots(code, "pools"), clubs, seeds)
        played = [
            berger(group, f"{code}|pool {number}") if len(group) > 1 else []
            for number, group in enumerate(groups, 1)
        ]
        return groups, played

    groups, played = laid_apart(
        request, make, lambda laid: [two for pool in laid[1] for row in pool for two in row[0]]
    )
    rounds, numbers = Timetable(), []
    firsts = [1 + sum(len(group) // 2 for group in groups[:k]) for k in range(len(groups))]
    for number in range(max(map(len, played))):
        now = [
            (first, pool[number])
            for first, pool in zip(firsts, played, strict=True)
            if number < len(pool)
        ]
        rounds.append(
            ([t for _f, row in now for t in row[0]], {w for _f, row in now for w in row[1]})
        )
        numbers.append([first + k for first, row in now for k in range(len(row[0]))])
    return groups, rounds, numbers


def bracket(entries: list[Entry], code: str, label: str, seeds: int) -> list[int | None]:
    """Draw the places of a bracket: seeds in their places, the others by lot, clubs apart as far as they go."""
    size = 1 << (len(entries) - 1).bit_length()
    seed_at = [1]
    while len(seed_at) < size:
        seed_at = [x for seed in seed_at for x in (seed, 2 * len(seed_at) + 1 - seed)]
    lots = Lots(code, label)
    pool: list[Entry] = lots.shuffled(sorted(entries))
    strong = sorted(pool, key=lambda one: (-one[2], one[3] or _LATE))[:seeds]
    places: list[Entry | None] = [None] * size
    for seed, one in enumerate(strong, 1):
        places[seed_at.index(seed)] = one
    free = {k for k in range(size) if len(strong) < seed_at[k] <= len(entries)}
    clubs: dict[str, list[Entry]] = defaultdict(list)
    for one in pool:
        if one not in strong:
            clubs[one[1] or f"#{one[0]}"].append(one)

    def company(one: Entry, spot: int) -> list[int]:
        widths = [1 << k for k in range(1, size.bit_length() - 1)] if one[1] else []
        sections = [places[spot // width * width :][:width] for width in widths]
        return [sum(x is not None and x[1] == one[1] for x in part) for part in sections]

    for _club, members in sorted(clubs.items(), key=lambda item: (-len(item[1]), item[0])):
        for one in members:
            spots = lots.shuffled(sorted(free))
            spot = min(spots, key=lambda spot: company(one, spot))
            places[spot] = one
            free.remove(spot)
    return [one and one[0] for one in places]


def knock_out(request: Request) -> list[int | None]:
    """Draw the bracket of a knock-out, without a forbidden meeting in its first round."""
    seeds = request.rules.get("seeds", 0)
    entries = [
        (who, request.of(who, "club"), request.of(who, "rating"), request.of(who, "rank"))
        for who in request.people
    ]
    places: list[int | None] = []
    for attempt in range(200):
        code = f"{request.code}|apart {attempt}" if attempt else request.code
        places = bracket(entries, code, "knock-out", seeds)
        if not any(
            frozenset(two) in request.bans for two in zip(places[::2], places[1::2], strict=True)
        ):
            break
    return places


def after_pools(request: Request) -> dict[str, list[int | None]]:
    """Draw the brackets of the pools' best and of the others."""
    ranked = [
        [who for who in pool if who in request.people] for pool in request.json["results"]["pools"]
    ]
    main, best_next = request.rules.get("main", 2), request.rules.get("best_next", 0)
    following = Lots(request.code, "best next").shuffled(
        sorted(pool[main] for pool in ranked if len(pool) > main)
    )
    through = sorted(following, key=lambda who: request.of(who, "rank") or _LATE)[:best_next]
    fields: dict[str, list[Entry]] = {"main": [], "consolation": []}
    for number, pool in enumerate(ranked, 1):
        for place, who in enumerate(pool, 1):
            over = place <= main or who in through
            level = place if over else place - main
            entry = (who, f"pool {number}", -level, request.of(who, "rank"))
            fields["main" if over else "consolation"].append(entry)
    out = {}
    for name, field in fields.items():
        if len(field) < 2 or (name == "consolation" and not request.rules.get("consolation", True)):
            continue
        seeds = sum(one[2] == -1 for one in field)
        if best_next and name == "main":
            seeds = min(seeds, (1 << (len(field) - 1).bit_length()) // 2)
            alone = {club for club, n in Counter(one[1] for one in field).items() if n == 1}
            field = [
                (who, f"single {club}" if club in alone else club, rating, rank)
                for who, club, rating, rank in field
            ]
        out[name] = bracket(field, request.code, f"{name} draw", seeds)
    return out


def in_brackets(request: Request, plan: Json) -> Drawing:
    """Return the matches of a round of the brackets, from the winners of the rounds before."""
    here, number = set(request.people), request.number - plan["knockout_from"] + 1
    won_in = {int(at): set(won) for at, won in request.json["results"]["won"].items()}
    tables: dict[int, tuple[int, ...]] = {}
    out: set[int] = set()
    for name in ("main", "consolation"):
        places = plan.get(name, [])
        rounds = (len(places) - 1).bit_length() if places else 0
        if number > rounds:
            continue
        sides: list[int | None] = list(places)
        beaten: list[int] = []
        for past in range(1, number):
            won = won_in.get(plan["knockout_from"] + past - 1, set())
            matches = [(sides[k], sides[k + 1]) for k in range(0, len(sides), 2)]
            sides = [_through(two, won, here) for two in matches]
            beaten = [
                who
                for two, through in zip(matches, sides, strict=True)
                for who in two
                if who is not None and who != through and who in here
            ]
        first = max(tables, default=0) + 1
        for k in range(0, len(sides), 2):
            both = [who for who in sides[k : k + 2] if who is not None]
            left = [who for who in both if who in here]
            if len(left) == 2:
                tables[first + k // 2] = tuple(left)
            elif len(both) == 2 or number == 1:
                out.update(left)
        if name == "main" and request.rules.get("third_place") and number == rounds > 1:
            if len(beaten) == 2:
                tables[max(tables, default=0) + 1] = tuple(beaten)
            else:
                out.update(beaten)
    return tables, out


def _through(two: tuple[int | None, int | None], won: set[int], here: set[int]) -> int | None:
    """Return who passes a match: the winner, the side still there, or the side without an opponent."""
    sides = [who for who in two if who is not None]
    if len(sides) < 2:
        return sides[0] if sides else None
    through = [who for who in sides if who in won] or [who for who in sides if who in here]
    return through[0] if len(through) == 1 else sides[0]


# Individuals

Form = list[list[tuple[int, ...]]]
"""Places of each table in each round."""


@cache
def closed_form(places: int, rounds: int) -> Form | None:
    """Return the places of so many rounds in which no two meet twice, if a closed form is known.

    >>> closed_form(544, 6)[1][0], closed_form(16, 5)[4][0], closed_form(24, 8)
    ((0, 137, 274, 411), (0, 1, 2, 3), None)
    """
    m = places // 4
    if rounds < 1 or (3 * rounds > places - 1 and (places, rounds) != (4, 1)):
        return None
    for a, b, c in ((1, 2, 3), (1, 2, -2), (1, 3, 4), (1, 2, 5), (1, 3, 5), (2, 3, 5), (1, 4, 6)):
        steps = (a, b, c, b - a, c - a, c - b)
        if all(k * step % m for step in steps for k in range(1, rounds)):
            return moved(m, [(a * r % m, b * r % m, c * r % m) for r in range(rounds)], [m])
    field = galois(m) if m >= 4 else None
    if field is not None:
        digits, powers = field
        ring = [*powers, *powers]
        shifts = [(0, 0, 0), *sorted((ring[e], ring[e + 1], ring[e + 2]) for e in range(m - 1))]
        form = moved(m, shifts[:rounds], digits)
        inside = closed_form(m, rounds - m) if rounds > m and m % 4 == 0 else []
        if inside is not None and len(form) + len(inside) == rounds:
            for one in inside:
                form.append([tuple(c * m + x for x in t) for c in range(4) for t in one])
            return form
    if m in _SHIFTS:
        low, stored = _SHIFTS[m]
        if rounds <= len(rows_in(stored, 3)):
            return moved(m, rows_in(stored, 3)[:rounds], [low, m // low])
    if places in _BASE:
        order, text = _BASE[places]
        first, last = rows_in(text, 4), places // order * order
        if rounds <= order:
            return [
                [
                    tuple(x if x >= last else x - x % order + (x + r) % order for x in table)
                    for table in first
                ]
                for r in range(rounds)
            ]
    whole = every_shift(m)
    return None if whole is None or rounds > m else moved(m, whole[0][:rounds], whole[1])


@cache
def longest_form(places: int, rounds: int) -> Form | None:
    """Return the closed form of so many rounds, else the one of the most rounds known for these places."""
    form, best = closed_form(places, rounds), 0
    while form is None and closed_form(places, best + 1) is not None:
        best += 1
    return form or closed_form(places, best)


def first_slots(request: Request, places: int, form: Form | None) -> list[int]:
    """Draw the players of the places of a closed form: clubs whole in columns, as far as they go."""
    lots, m = Lots(request.code, "slots"), places // 4
    together: dict[str, list[int]] = defaultdict(list)
    for who in lots.shuffled(sorted(request.free)):
        together[request.of(who, "club") or request.of(who, "family") or f"#{who}"].append(who)
    blocks = sorted(lots.shuffled(sorted(together.items())), key=lambda block: -len(block[1]))
    stands: list[list[int]] = [[], [], [], []]
    for _label, members in blocks:
        waiting = list(members)
        while waiting:
            fit = [column for column in stands if m - len(column) >= len(waiting)]
            column = min(fit or stands, key=len)
            taken = waiting[: m - len(column)]
            column += taken
            waiting = waiting[len(taken) :]
    slots = [who for column in stands for who in lots.shuffled(column + [0] * (m - len(column)))]
    for who in sorted(request.free):
        target = request.of(who, "fixed_table") - 1
        if 0 <= target < m:
            here = slots.index(who)
            slots[here], slots[target] = slots[target], slots[here]
    wishes = request.json["wishes"]
    if request.bans or wishes["clubs_apart_until"] or wishes["families_apart_until"]:
        _keep_apart(request, slots, form, lots)
    return slots


def _keep_apart(request: Request, slots: list[int], form: Form | None, lots: Lots) -> None:
    """Exchange places until no forbidden meeting is left, or no exchange helps."""
    wishes = request.json["wishes"]
    labels = [
        label
        for name in ("club", "family")
        for who in request.free
        if (label := request.of(who, name))
    ]
    if form is None:
        if request.bans or labels:
            raise Unproven("its closed form is a stored one")
        return
    around = [
        (at, place, other)
        for at, tables in enumerate(form, 1)
        for table in tables
        for place in table
        for other in table
        if other != place
    ]
    rivals: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for at, place, other in around:
        rivals[place].append((at, other))

    def clashes(place: int) -> int:
        who = slots[place]
        total = 0
        for at, other in rivals[place] if who else ():
            theirs = slots[other]
            if not theirs:
                continue
            total += 1000 * (frozenset((who, theirs)) in request.bans)
            for name, until in (("club", "clubs_apart_until"), ("family", "families_apart_until")):
                same = request.of(who, name) and request.of(who, name) == request.of(theirs, name)
                total += bool(same and at <= wishes[until])
        return total

    movable = [k for k, who in enumerate(slots) if not (who and request.of(who, "fixed_table"))]
    for _ in range(6):
        troubled = [place for place in movable if clashes(place)]
        if not troubled:
            return
        for place in lots.shuffled(troubled):
            if not clashes(place):
                continue
            for _ in range(60):
                other = movable[lots.below(len(movable))]
                if other == place:
                    continue
                before = clashes(place) + clashes(other)
                slots[place], slots[other] = slots[other], slots[place]
                if clashes(place) + clashes(other) >= before:
                    slots[place], slots[other] = slots[other], slots[place]
                elif not clashes(place):
                    break


def slots_of(request: Request) -> tuple[list[int], Form | None]:
    """Return the players of the places of the stage's closed form, and the form where it is one of columns."""
    given, rounds = request.json["slots"], max(request.json["rounds"], request.number)
    if request.rules.get("by_score"):
        return given, None
    if given:
        here, slots = set(request.people), list(given)
        late = Lots(request.code, f"round {request.number}|late").shuffled(
            sorted(here - set(given))
        )
        holes = [k for k, who in enumerate(slots) if not who]
        holes += [k for k, who in enumerate(slots) if who and who not in here]
        for place, who in zip(holes, late, strict=False):
            slots[place] = who
        return slots, longest_form(len(slots), rounds)
    if request.met:
        return [], None
    places = -(-len(request.free) // 4) * 4
    form = longest_form(places, rounds)
    return first_slots(request, places, form), form


Cost = tuple[int, ...]


def cheapest_seating(
    request: Request, sizes: list[int], price: Callable[[tuple[int, ...]], Cost | None], turns: bool
) -> Cost | None:
    """Return the least cost of any seating of up to 16 players, by every subset once.

    ``turns``: who sits out, or at a table of three among fours, does so in turn.
    """
    many = Counter(sizes)
    out, threes = len(request.free) - sum(sizes), 3 * many[3] if request.kind != "solo" else 0
    had = sorted(request.byes[who] for who in request.free)

    def turn(who: int) -> tuple[int, bool]:
        return request.byes[who], who not in request.volunteers

    limit = sorted(map(turn, request.free))[out - 1] if out else None
    last = had[threes - 1] if threes else 0
    least_of: dict[tuple[frozenset[int], tuple[tuple[int, int], ...]], Cost | None] = {}
    priced: dict[tuple[int, ...], Cost | None] = {}

    def of(table: tuple[int, ...]) -> Cost | None:
        if table not in priced:
            barred = (
                threes
                and turns
                and any(
                    request.byes[who] > last if len(table) == 3 else request.byes[who] < last
                    for who in table
                )
            )
            priced[table] = None if barred else price(table)
        return priced[table]

    def best(left: frozenset[int], open_: tuple[tuple[int, int], ...]) -> Cost | None:
        if not left:
            return ()
        if (left, open_) not in least_of:
            first, *rest = sorted(left)
            least: Cost | None = None
            for size, _times in open_:
                then = tuple((s, t - (s == size)) for s, t in open_ if t > (s == size))
                for others in combinations(rest, size - 1):
                    here = of((first, *others))
                    if here is None or (least and here > least):
                        continue
                    more = best(left.difference((first, *others)), then)
                    if more is not None:
                        total = (
                            tuple(a + b for a, b in zip(here, more, strict=True)) if more else here
                        )
                        least = total if least is None or total < least else least
            least_of[left, open_] = least
        return least_of[left, open_]

    everybody, totals = frozenset(request.free), []
    for resting in combinations(request.free, out):
        if limit is not None and turns:
            stay = everybody.difference(resting)
            if any(turn(who) > limit for who in resting) or any(turn(w) < limit for w in stay):
                continue
        total = best(everybody.difference(resting), tuple(sorted(many.items())))
        if total is not None:
            totals.append(total)
    return min(totals, default=None)


def price_of(request: Request, *, whole: bool) -> Callable[[tuple[int, ...]], Cost | None]:
    """Return what a table costs: repeated meetings, how often, clubs; ``whole``: score groups and partners too."""
    level, again = request.levels(), sides_again(request)

    def price(table: tuple[int, ...]) -> Cost | None:
        pairs = list(combinations(table, 2))
        if any(request.barred(*two) for two in pairs):
            return None
        met = [request.met[frozenset(two)] for two in pairs]
        clubs = sum(request.apart("club", *two) + request.apart("family", *two) for two in pairs)
        cost = (sum(map(bool, met)), sum(met), clubs)
        if not whole:
            return cost
        spread = 0
        if request.rules.get("by_score"):
            spread = sum(abs(level[a] - level[b]) for a, b in pairs)
        split = (0, 0)
        if request.kind == "partners" and len(table) == 4:
            a, b, c, d = table
            split = min(map(again, (((a, b), (c, d)), ((a, c), (b, d)), ((a, d), (b, c)))))
        return (*cost, spread, *split)

    return price


def individual(request: Request, drawn: Drawing, draw: Row) -> tuple[list[str], str]:
    """Check a championship round, or tables of an auction: faults, and how it is proven."""
    tables, resting = drawn
    groups = [tuple(sorted(who)) for number, who in tables.items() if number not in request.locked]
    slots: list[int] = draw["certificate"].get("slots", [])
    form: Form | None = None
    faults = [*_resting_faults(request, resting, weighed=draw["movement"] == "every")]
    if request.kind != "solo":
        try:
            wanted, form = slots_of(request)
        except Unproven:
            wanted = slots
        if slots != wanted:
            faults.append("the places of its closed form are not those of its code")
    here = set(request.free).difference(resting)
    if form is not None and request.number <= len(form):
        laid = [
            [who for place in table if (who := slots[place]) in here]
            for table in form[request.number - 1]
        ]
        if draw["movement"] == "columns":
            if {frozenset(table) for table in laid if table} != set(map(frozenset, groups)):
                faults.append("the tables are not those of its closed form")
            return faults, "its closed form and lots repeated"
        start = _filled_up(request, laid, here)
        later = _later(form[request.number :], slots)
        if (
            draw["movement"] == "search"
            and 3 not in map(len, groups)
            and not any(_costs(request, two, later) for g in start for two in combinations(g, 2))
        ):
            if set(map(frozenset, start)) != set(map(frozenset, groups)):
                faults.append("the tables are not those of its closed form, filled up by lot")
            return faults, "its closed form and lots repeated"
    price = price_of(request, whole=not slots)
    costs = [cost for group in groups if (cost := price(group)) is not None]
    if len(costs) < len(groups):
        faults.append("two players meet who must not")
    total: Cost = tuple(map(sum, zip(*costs, strict=True))) if costs else (0,)
    sizes = [len(group) for group in groups]
    if len(request.free) <= _FEW and len(set(sizes)) <= 2:
        least = cheapest_seating(request, sizes, price, turns=True) or cheapest_seating(
            request, sizes, price, turns=False
        )
        if least is not None and total > least:
            faults.append(f"a better draw exists: {list(least)} instead of {list(total)}")
        return faults, "every draw weighed, none is better"
    least_met = _fewest_met(request, groups)
    if total[0] > least_met and not faults:
        raise Unproven(
            f"its tables were searched for: {total[0]} meetings are repeated, fewer than {least_met} cannot be"
        )
    return faults, "byes and seats repeated, no fewer meetings possible"


def _filled_up(request: Request, laid: list[list[int]], here: set[int]) -> list[list[int]]:
    """Return the whole tables of a closed form, and the other players by lot at further ones."""
    whole = [table for table in laid if len(table) == 4]
    seated_there = {who for table in whole for who in table}
    order = Lots(request.code, f"round {request.number}|search").shuffled(sorted(here))
    rest = [who for who in order if who not in seated_there]
    return whole + [rest[k : k + 4] for k in range(0, len(rest), 4)]


def _later(rounds: Form, slots: list[int]) -> set[Two]:
    """Return who meets in the rounds of a closed form still to come."""
    return {
        frozenset((slots[a], slots[b]))
        for tables in rounds
        for table in tables
        for a, b in combinations(table, 2)
    }


def _costs(request: Request, two: tuple[int, int], later: set[Two]) -> bool:
    """Whether two players at one table are a reason to search for better tables."""
    key = frozenset(two)
    apart = request.apart("club", *two) or request.apart("family", *two) or request.barred(*two)
    return bool(request.met[key] or apart or key in later)


_FEW: Final = 16
"""Players of whom every seating is weighed."""


def _fewest_met(request: Request, groups: list[tuple[int, ...]]) -> int:
    """Return a lower bound of the repeated meetings, from players with too few new tablemates left."""
    short = 0
    for group in groups:
        for who in group:
            new = sum(
                not request.met[frozenset((who, other))] for other in request.free if other != who
            )
            short += max(0, len(group) - 1 - new)
    return -(-short // 2)


def _resting_faults(request: Request, resting: set[int], *, weighed: bool) -> Iterator[str]:
    """Yield a fault if other players sit out than by the lots; ``weighed``: than could do so in turn."""
    free, out = request.free, len(resting)
    if weighed:
        turns = sorted((request.byes[who], who not in request.volunteers) for who in free)
        sat = sorted((request.byes[who], who not in request.volunteers) for who in resting)
        if sat != turns[:out] and not request.bans:
            yield "those who sit out do not do so in turn"
        return
    label = f"round {request.number}|" + ("sitting out" if request.kind == "solo" else "draw")
    tries = 8 if request.bans and len(free) <= 40 else 1
    codes = [label + (f"|{k}" if k else "") for k in range(tries)]
    if all(request.out(free, out, Lots(request.code, code)) != resting for code in codes):
        yield "those who sit out are not those of its code"


# Swiss


def swiss(request: Request, drawn: Drawing) -> tuple[list[str], str]:
    """Check a Swiss round: no matching is cheaper, sides and tables as its code draws them."""
    tables, resting = drawn
    lot = {
        who: k
        for k, who in enumerate(Lots(request.code, "ranking").shuffled(sorted(request.people)))
    }
    ranking = sorted(
        request.free,
        key=lambda who: (
            -request.of(who, "score"),
            request.of(who, "rank") or _LATE,
            -request.of(who, "rating"),
            lot[who],
        ),
    )
    at, n = {who: k for k, who in enumerate(ranking)}, len(ranking)
    own = {number: two for number, two in tables.items() if number not in request.locked}
    pairs = sorted((min(at[a], at[b]), max(at[a], at[b])) for a, b in own.values())
    faults = [*_sides_faults(request, ranking, pairs, own)]
    cost = _swiss_cost(request, ranking)
    nodes = n + n % 2
    matched = [*pairs, *((at[who], n) for who in resting if n % 2 and who in at)]
    if sorted(k for two in matched for k in two) != list(range(nodes)):
        return [*faults, "not everybody is drawn"], ""
    costs = {
        two: worth for two in combinations(range(nodes), 2) if (worth := cost(*two)) is not None
    }
    if any(two not in costs for two in matched):
        return [*faults, "two players meet who must not"], ""
    weigh = _weights(list(costs.values()), nodes)
    price = {two: weigh(worth) for two, worth in costs.items()}
    now = sum(price[two] for two in matched)
    if nodes <= _MATCHED:
        least = least_matching(nodes, price)
        if least is not None and now > least:
            faults.append("a cheaper round exists")
        return faults, "no other matching is cheaper, sides repeated"
    for one, two in combinations(matched, 2):
        (a, b), (c, d) = one, two
        for other in (((a, c), (b, d)), ((a, d), (b, c))):
            keys = [(min(x, y), max(x, y)) for x, y in other]
            if (
                all(k in price for k in keys)
                and sum(price[k] for k in keys) < price[one] + price[two]
            ):
                faults.append("an exchange of two matches is cheaper")
    return faults[:20], "no exchange of two matches is cheaper, sides repeated"


_MATCHED: Final = 160
"""Pairs of which the cheapest matching is searched for again."""


def _sides_faults(
    request: Request,
    ranking: list[int],
    pairs: list[tuple[int, int]],
    own: dict[int, tuple[int, ...]],
) -> Iterator[str]:
    """Yield matches at another table or with other sides than drawn."""
    if request.fixed:
        return
    lots = Lots(request.code, f"round {request.number}|sides")
    free = (number for number in count(1) if number not in request.locked)
    for (i, j), number in zip(pairs, free, strict=False):
        a, b = ranking[i], ranking[j]
        lot = lots.below(2)
        sides = (a, b) if (request.ahead(a), lot) <= (request.ahead(b), 1 - lot) else (b, a)
        if own.get(number) != sides:
            yield f"table {number}: {own.get(number)} sit, its code gives {sides}"


def _swiss_cost(request: Request, ranking: list[int]) -> Callable[[int, int], Cost | None]:
    """Return what the match of two places of the ranking costs; the place after the last is the bye."""
    n, level = len(ranking), request.levels()
    groups = [level[who] for who in ranking]
    size, start = Counter(groups), {g: groups.index(g) for g in groups}
    scale = 2 if request.volunteers else 1
    rest = n // 2 if request.rules.get("bye_for") == "middle" else n - 1
    halves = request.rules.get("order", "halves") == "halves"

    def cost(i: int, j: int) -> Cost | None:
        a = ranking[i]
        if j == n:
            again = scale * request.byes[a] + (scale > 1 and a not in request.volunteers)
            apart = (groups[i] - groups[rest]) ** 2
            return (again, 0, 0, apart, 0, (i - rest) ** 2)
        b = ranking[j]
        if frozenset((a, b)) in request.bans:
            return None
        same = request.apart("club", a, b) or request.apart("family", a, b)
        floats = 0
        if groups[i] < groups[j]:
            floats = (request.of(a, "floated") < 0) + (request.of(b, "floated") > 0)
        off = j - i - 1
        if halves and groups[i] == groups[j]:
            off = abs((j - start[groups[j]]) - (i - start[groups[i]])) - size[groups[i]] // 2
        met = request.opponents[frozenset((a, b))]
        return (
            0,
            met**2,
            int(same),
            (groups[i] - groups[j]) ** 2,
            floats,
            off**2 + 4 * sides(a, b),
        )

    def sides(a: int, b: int) -> int:
        if request.version < 7:
            return 0
        before = request.ahead(a), request.ahead(b)
        north, south = (0, 1) if before[0] <= before[1] else (1, 0)
        seats = [request.of(who, "fixed_seat") for who in (a, b)]
        if seats[north] == "EW" or seats[south] == "NS":
            north, south = south, north
        return (abs(before[north] + 1) > 1) + (abs(before[south] - 1) > 1)

    return cost


def _weights(costs: list[Cost], nodes: int) -> Callable[[Cost], int]:
    """Return costs as one number each: no sum of a later term outweighs an earlier one."""
    units = [1]
    for term in reversed(list(zip(*costs, strict=True))):
        units.append(units[-1] * (max(term) * nodes + 1))
    return lambda cost: sum(a * b for a, b in zip(cost, reversed(units[:-1]), strict=True))


def least_matching(nodes: int, price: dict[tuple[int, int], int]) -> int | None:
    """Return the least total price of a perfect matching, if there is one.

    >>> least_matching(4, {(0, 1): 1, (2, 3): 9, (0, 2): 2, (1, 3): 3})
    5
    """
    most = max(price.values(), default=0)
    worth = {two: (nodes + 1) * (most + 1) - cost for two, cost in price.items()}
    mates = _Matching(nodes, worth).solve()
    pairs = [two for two in price if mates[two[0]] == two[1]]
    return sum(price[two] for two in pairs) if 2 * len(pairs) == nodes else None


class _Matching:
    """The heaviest matching (Edmonds 1965): trees grow along tight edges, odd cycles shrink to blossoms.

    Vertices count from 1 here, blossoms after them; 0 is none. ``edge`` holds the ends of the best edge
    between two of them, ``dual`` the dual values, ``top`` the outermost blossom of each, ``side`` 0 for
    the outer and 1 for the inner ones of a tree (−1: in none).
    """

    def __init__(self, nodes: int, worth: dict[tuple[int, int], int]) -> None:
        self.n, self.last = nodes, nodes
        room = 2 * nodes + 1
        self.worth = [[0] * (nodes + 1) for _ in range(nodes + 1)]
        self.edge: list[list[tuple[int, int] | None]] = [[None] * room for _ in range(room)]
        for (a, b), value in worth.items():
            for u, v in ((a + 1, b + 1), (b + 1, a + 1)):
                self.worth[u][v], self.edge[u][v] = 2 * value, (u, v)
        self.dual = [max(worth.values(), default=0)] * (nodes + 1) + [0] * nodes
        self.mate, self.best, self.parent = [0] * room, [0] * room, [0] * room
        self.top, self.side = [*range(nodes + 1), *[0] * nodes], [-1] * room
        self.parts: list[list[int]] = [[] for _ in range(room)]
        self.part_of = [[0] * (nodes + 1) for _ in range(room)]
        for v in range(1, nodes + 1):
            self.part_of[v][v] = v
        self.queue: deque[int] = deque()

    def solve(self) -> list[int]:
        """Return the mate of each vertex, counted from 0; −1 for none."""
        while self._grow():
            pass
        return [self.mate[v] - 1 for v in range(1, self.n + 1)]

    def _slack(self, x: int, y: int) -> int:
        u, v = self.edge[x][y] or (0, 0)
        return self.dual[u] + self.dual[v] - self.worth[u][v]

    def _offer(self, u: int, x: int) -> None:
        if not self.best[x] or self._slack(u, x) < self._slack(self.best[x], x):
            self.best[x] = u

    def _find_best(self, x: int) -> None:
        self.best[x] = 0
        for u in range(1, self.n + 1):
            if self.edge[u][x] and self.top[u] != x and self.side[self.top[u]] == 0:
                self._offer(u, x)

    def _push(self, x: int) -> None:
        if x <= self.n:
            self.queue.append(x)
        for part in self.parts[x]:
            self._push(part)

    def _set_top(self, x: int, top: int) -> None:
        self.top[x] = top
        for part in self.parts[x]:
            self._set_top(part, top)

    def _even_way(self, b: int, part: int) -> int:
        """Turn a blossom so that the way from its base to a part is even; return the part's place."""
        parts = self.parts[b]
        at = parts.index(part)
        if at % 2:
            parts[1:] = parts[:0:-1]
            at = len(parts) - at
        return at

    def _marry(self, x: int, y: int) -> None:
        u, v = self.edge[x][y] or (0, 0)
        self.mate[x] = v
        if x > self.n:
            part = self.part_of[x][u]
            at = self._even_way(x, part)
            parts = self.parts[x]
            for k in range(at):
                self._marry(parts[k], parts[k ^ 1])
            self._marry(part, y)
            self.parts[x] = parts[at:] + parts[:at]

    def _augment(self, x: int, y: int) -> None:
        while True:
            then = self.top[self.mate[x]]
            self._marry(x, y)
            if not then:
                return
            self._marry(then, self.top[self.parent[then]])
            x, y = self.top[self.parent[then]], then

    def _meeting(self, x: int, y: int) -> int:
        """Return where the ways of two outer ones to their roots meet; 0 where the roots differ."""
        seen = set()
        while x or y:
            if x:
                if x in seen:
                    return x
                seen.add(x)
                x = self.top[self.mate[x]]
                x = self.top[self.parent[x]] if x else 0
            x, y = y, x
        return 0

    def _shrink(self, x: int, meeting: int, y: int) -> None:
        b = next(k for k in range(self.n + 1, self.last + 2) if k > self.last or not self.top[k])
        self.last = max(self.last, b)
        self.dual[b], self.side[b], self.mate[b] = 0, 0, self.mate[meeting]
        ways = []
        for end in (x, y):
            way = []
            while end != meeting:
                inner = self.top[self.mate[end]]
                way += [end, inner]
                self._push(inner)
                end = self.top[self.parent[inner]]
            ways.append(way)
        self.parts[b] = [meeting, *reversed(ways[0]), *ways[1]]
        self._set_top(b, b)
        for k in range(1, self.last + 1):
            self.edge[b][k] = self.edge[k][b] = None
        self.part_of[b] = [0] * (self.n + 1)
        for part in self.parts[b]:
            for k in range(1, self.last + 1):
                if self.edge[part][k] and (
                    not self.edge[b][k] or self._slack(part, k) < self._slack(b, k)
                ):
                    self.edge[b][k], self.edge[k][b] = self.edge[part][k], self.edge[k][part]
            for v in range(1, self.n + 1):
                if self.part_of[part][v]:
                    self.part_of[b][v] = part
        self._find_best(b)

    def _open(self, b: int) -> None:
        for part in self.parts[b]:
            self._set_top(part, part)
        root = self.part_of[b][(self.edge[b][self.parent[b]] or (0, 0))[0]]
        at = self._even_way(b, root)
        parts = self.parts[b]
        for k in range(0, at, 2):
            inner, outer = parts[k], parts[k + 1]
            self.parent[inner] = (self.edge[outer][inner] or (0, 0))[0]
            self.side[inner], self.side[outer], self.best[inner] = 1, 0, 0
            self._find_best(outer)
            self._push(outer)
        self.side[root], self.parent[root] = 1, self.parent[b]
        for part in parts[at + 1 :]:
            self.side[part] = -1
            self._find_best(part)
        self.top[b] = 0
        self.parts[b] = []

    def _tight(self, edge: tuple[int, int]) -> bool:
        """Use a tight edge from an outer one; return whether the matching grew."""
        x, y = self.top[edge[0]], self.top[edge[1]]
        if self.side[y] == -1:
            self.parent[y], self.side[y] = edge[0], 1
            then = self.top[self.mate[y]]
            self.best[y] = self.best[then] = 0
            self.side[then] = 0
            self._push(then)
        elif self.side[y] == 0:
            meeting = self._meeting(x, y)
            if not meeting:
                self._augment(x, y)
                self._augment(y, x)
                return True
            self._shrink(x, meeting, y)
        return False

    def _tops(self, after: int = 0) -> list[int]:
        return [x for x in range(after + 1, self.last + 1) if self.top[x] == x]

    def _grow(self) -> bool:
        """Grow trees from every free vertex until the matching grows; return whether it did."""
        self.side, self.best = [-1] * len(self.side), [0] * len(self.best)
        self.queue.clear()
        for x in self._tops():
            if not self.mate[x]:
                self.parent[x], self.side[x] = 0, 0
                self._push(x)
        if not self.queue:
            return False
        while True:
            while self.queue:
                u = self.queue.popleft()
                if self.side[self.top[u]] == 1:
                    continue
                for v in range(1, self.n + 1):
                    edge = self.edge[u][v]
                    if edge and self.top[u] != self.top[v]:
                        if self._slack(u, v):
                            self._offer(u, self.top[v])
                        elif self._tight(edge):
                            return True
            if not self._move_duals():
                return False
            self.queue.clear()
            for x in self._tops():
                b = self.best[x]
                edge = self.edge[b][x] if b else None
                if edge and self.top[b] != x and not self._slack(b, x) and self._tight(edge):
                    return True
            for b in self._tops(self.n):
                if self.side[b] == 1 and not self.dual[b]:
                    self._open(b)

    def _move_duals(self) -> bool:
        """Change the dual values as far as they may; return whether a free vertex is left."""
        steps = [self.dual[b] // 2 for b in self._tops(self.n) if self.side[b] == 1]
        steps += [
            self._slack(self.best[x], x) // (self.side[x] + 2)
            for x in self._tops()
            if self.best[x] and self.side[x] < 1
        ]
        outer = [u for u in range(1, self.n + 1) if self.side[self.top[u]] == 0]
        step = min([*steps, *(self.dual[u] for u in outer)])
        if any(self.dual[u] <= step for u in outer):
            return False
        for u in range(1, self.n + 1):
            self.dual[u] += {0: -step, 1: step}.get(self.side[self.top[u]], 0)
        for b in self._tops(self.n):
            self.dual[b] += {0: 2 * step, 1: -2 * step}.get(self.side[b], 0)
        return True


# Each draw by its code


def code_faults(rows: Rows, draw: Row) -> tuple[list[str], str]:
    """Repeat a published draw from its request: its faults, and how it is proven.

    Raises :class:`Unproven` for a draw that is neither repeated nor proven.
    """
    first = draw["edits"][0]["before"] if draw["edits"] else draw
    changed = [edit["before"]["request"] for edit in draw["edits"] if "request" in edit["before"]]
    stored = changed[0] if changed else draw["request"]
    if "seed" not in stored:
        raise Unproven("it was made by hand")
    if stored.get("version", 1) < 5:
        raise Unproven("it was drawn by an earlier edition of the lots")
    request = Request(stored)
    if first["seed"] != request.code:
        return ["its draw code is not the one of its request"], ""
    numbers = {key: row["number"] for key, row in rows["tournament.Entrant"].items()}
    tables = {
        one["number"]: tuple(numbers.get(str(who), 0) for who in one["players"])
        for one in first["tables"]
    }
    drawn = tables, {numbers.get(str(who), 0) for who in first["byes"]}
    plan = first["plan"] if "plan" in first else draw["plan"]
    faults: list[str] = []
    if request.kind == "solo" or request.format == "individual_draw":
        faults, held = individual(request, drawn, {**draw, **first})
    elif request.format == "pairs_swiss":
        faults, held = swiss(request, drawn)
    else:
        wanted, held = _wanted(request, plan, faults)
        faults += _differences(request, drawn, wanted)
    if request.format == "individual_draw" or request.kind == "solo":
        faults += _seat_faults(request, tables)
    return faults, held


def _wanted(request: Request, plan: Json, faults: list[str]) -> tuple[Drawing, str]:
    """Repeat a round drawn by lot, or laid out beforehand; add what is wrong with its plan to ``faults``."""
    held = "every lot repeated"
    before = request.json["plan"]
    if request.format == "random":
        return by_lot(request), held
    if request.format in ("ko", "pools_ko"):
        if request.format == "ko" and "main" not in before and plan["main"] != knock_out(request):
            faults.append("its bracket is not the one of its code")
        if request.format == "pools_ko" and "pools" not in before:
            groups, rounds, at = pools(request)
            if plan["pools"] != groups or _short(plan) != [
                (dict(zip(places, row[0], strict=True)), row[1])
                for places, row in zip(at, rounds, strict=True)
            ]:
                faults.append("its pools are not those of its code")
        if request.number <= len(plan.get("rounds", ())):
            return _pool_round(request, plan), held
        if request.format == "pools_ko" and "knockout_from" not in before:
            drawn = {name: plan[name] for name in ("main", "consolation") if name in plan}
            if drawn != after_pools(request):
                faults.append("its brackets are not those of its code")
        return in_brackets(request, plan), held
    if "rounds" not in before and _laid(_short(plan), request) != _laid(
        timetable(request), request
    ):
        faults.append("its timetable is not the one of its code")
    return in_timetable(request, plan), held


def _laid(rounds: Iterable[Any], request: Request) -> list[Any]:
    """Return a timetable for comparison: with fixed seats the players of each table only."""
    tables = [(list(now.values()) if isinstance(now, dict) else now, out) for now, out in rounds]
    if not request.fixed:
        return tables
    return [(list(map(frozenset, now)), out) for now, out in tables]


def _short(plan: Json) -> list[Drawing]:
    """Return the rounds of a plan without the duties."""
    return [
        ({row[0]: tuple(row[2]) for row in one["tables"]}, set(one["byes"]))
        for one in plan["rounds"]
    ]


def _pool_round(request: Request, plan: Json) -> Drawing:
    """Return a round of the pools: those whose opponent has left sit out."""
    tables, out = _short(plan)[request.number - 1]
    here = set(request.people)
    alone = {who for two in tables.values() if not here.issuperset(two) for who in two}
    out |= alone | (here - set(plan["field"]))
    return {n: two for n, two in tables.items() if here.issuperset(two)}, out & here


def _differences(request: Request, drawn: Drawing, wanted: Drawing) -> Iterator[str]:
    """Yield differences between a draw and its repetition; with fixed places only the groups are compared."""
    there = {n: seats for n, seats in drawn[0].items() if n not in request.locked}
    here = {n: seats for n, seats in wanted[0].items() if seats not in request.locked.values()}
    if request.fixed or request.locked:
        locked = {frozenset(players) for players in request.locked.values()}
        if (
            set(map(frozenset, there.values())) - locked
            != set(map(frozenset, here.values())) - locked
        ):
            yield "the tables are not those of its code"
    else:
        for number in sorted(there.keys() | here.keys()):
            if there.get(number) != here.get(number):
                yield f"table {number}: {there.get(number)} sit, its code gives {here.get(number)}"
    if drawn[1] != wanted[1]:
        yield f"{sorted(drawn[1])} sit out, its code gives {sorted(wanted[1])}"


def _seat_faults(request: Request, tables: dict[int, tuple[int, ...]]) -> Iterator[str]:
    """Yield tables of individuals whose seats are not those of the code."""
    for number, players in tables.items():
        if (
            number not in request.locked
            and not request.fixed
            and seats(request, number, players) != players
        ):
            yield f"table {number}: {players} sit, its code gives {seats(request, number, players)}"


def repeat_draws(rows: Rows, findings: Findings) -> None:
    """Repeat each published draw from its request and code; note those that are not repeated."""
    order = {
        key: (str(row["stage_id"]), row["number"]) for key, row in rows["tournament.Round"].items()
    }
    handed: dict[str, Json] = {}
    for draw in sorted(published(rows), key=lambda draw: order[str(draw["round_id"])]):
        stage, _number = order[str(draw["round_id"])]
        name = f"{round_name(rows, str(draw['round_id']))}, by its code"
        try:
            faults, held = code_faults(rows, draw)
        except Unproven as reason:
            findings.note(f"{name}: not repeated, {reason}")
        else:
            given = _handed(draw["request"].get("plan", {}), draw["request"].get("slots", []))
            for part, value in given.items():
                if value != handed.get(stage, given).get(part):
                    faults.append(f"its {part} are not those that the round before handed on")
            findings.part(name, faults, held)
        handed[stage] = _handed(draw["plan"], draw["certificate"].get("slots", []))


_HANDED: Final[tuple[str, ...]] = ("rounds", "pools", "main", "consolation", "slots")


def _handed(plan: Json, slots: list[int]) -> Json:
    """Return what a round hands on to the next of its stage: timetable, pools, brackets, places."""
    parts: Json = {**plan, "slots": slots}
    return {name: parts[name] for name in _HANDED if parts.get(name)}


# Input of standings ----------------------------------------------------------------------------------


def input_faults(content: Json, stated: Json) -> Iterator[str]:
    """Yield differences between the input of a standing and the rows, in both directions."""
    rows, given = rows_of(content), stated["input"]
    stages = sorted(rows["tournament.Stage"].values(), key=lambda row: row["order"])
    stage = next(row for row in stages if row["order"] == stated["order"])
    counted = [row for row in stages if row["order"] <= stage["order"]]
    counted = counted if stage["carries_over"] else [stage]
    offsets, before = dict[object, int](), 0
    for row in counted:
        offsets[row["id"]], before = before, before + row["rounds_planned"]
    field = {
        str(row["entrant_id"]): str(rows["tournament.Entrant"][str(row["entrant_id"])]["number"])
        for row in rows["tournament.StageEntrant"].values()
        if row["stage_id"] == stage["id"]
    }
    for row in rows["tournament.StageEntrant"].values():
        # A substitute who took over a place with its points has the results of the earlier player.
        if row["stage_id"] == stage["id"] and row.get("takes_points"):
            left = row["origin"].removeprefix("for:")
            heir = field[str(row["entrant_id"])]
            field.update({who: heir for who, name in field.items() if name == left})
    rounds = {
        key: offsets[row["stage_id"]] + row["number"]
        for key, row in rows["tournament.Round"].items()
        if row["stage_id"] in offsets
    }
    names = dict(field)
    if stated.get("edition", 1) > 5:
        yield from _book_faults(content, counted, offsets, given)
        offsets = {stage["id"]: offsets[stage["id"]]}
        rounds = {
            key: at
            for key, at in rounds.items()
            if rows["tournament.Round"][key]["stage_id"] in offsets
        }
    elif stated.get("edition", 1) > 4 and len(counted) > 1:
        yield from _carried_faults(rows, counted, offsets, field, names, given)
    changes = [
        row
        for row in rows["tournament.Adjustment"].values()
        if row["stage_id"] in offsets
        and row["annulled_at"] is None
        and str(row["entrant_id"]) in names
    ]
    out_before = {
        one[0] for book in given.get("carried", ()) for one in book.get("entrants", ()) if one[4]
    }
    yield from _field_faults(rows, field, changes, out_before, given)
    yield from _change_faults(rows, names, rounds, offsets, changes, given)
    lots = {
        field[str(row["entrant_id"])]: row["lot"]
        for row in rows["tournament.Lot"].values()
        if row["stage_id"] == stage["id"] and str(row["entrant_id"]) in field
    }
    if lots != given["lots"]:
        yield "the lots are not those that were drawn"
    forfeits = {
        (names[str(row["entrant_id"])], rounds.get(str(row["round_id"])))
        for row in changes
        if row["forfeited"]
    }
    gone = {
        (names[str(row["entrant_id"])], rounds.get(str(row["round_id"])))
        for row in changes
        if row["forfeited"] or row["disqualified"]
    }
    yield from _result_faults(rows, names, rounds, forfeits, gone, given)
    wanted = [used if isinstance(used, str) else used["code"] for used in criteria_of(stage)]
    used = [
        each["code"] for each in stated["standing"]["rule"]["criteria"] if each["code"] != "bracket"
    ]
    if wanted and used != wanted:
        yield f"it is ranked by {', '.join(used)}, the stage's rule is {', '.join(wanted)}"


def _book_faults(
    content: Json, counted: list[Row], offsets: dict[object, int], given: Json
) -> Iterator[str]:
    """Yield faults of the books of earlier stages: each book is rebuilt from its stage's own input."""
    before, heirs = counted[:-1], _heirs(content, {stage["id"] for stage in counted})
    stated = {each["order"]: each for each in content["standings"]}
    books = given.get("carried", [])
    if len(books) != len(before):
        yield "the stages carried over are not those of the event"
        return
    for stage, book in zip(before, books, strict=True):
        name = f"the book of stage {stage['order']}"
        if book["hash"] != sha256(canonical({k: v for k, v in book.items() if k != "hash"})):
            yield f"{name} is not the one of its check code"
        own = stated.get(stage["order"], {})
        if "standing" not in own:
            continue
        shift = 0 if stage["carries_over"] else offsets[stage["id"]]
        lines = [
            _inherited({**line, "round": line["round"] + shift}, heirs)
            for line in write_book(own["standing"]["rule"], own["input"])["lines"]
        ]
        changes = [
            _inherited({**change, "round": change["round"] + shift}, heirs)
            for change in own["input"]["adjustments"]
        ]
        if _spelt(lines) != _spelt(book["lines"]) or _spelt(changes) != _spelt(book["adjustments"]):
            yield f"{name} is not what that stage gives"
        field = {heirs.get(one[0], one[0]) for one in own["input"]["entrants"]}
        if {one[0] for one in book["entrants"]} != field:
            yield f"those in {name} are not those of that stage"


def _heirs(content: Json, stages: set[object]) -> dict[str, str]:
    """Return who took over a place with its points in one of the stages, by the number of the former holder."""
    rows = rows_of(content)
    heirs = {
        row["origin"].removeprefix("for:"): str(
            rows["tournament.Entrant"][str(row["entrant_id"])]["number"]
        )
        for row in rows["tournament.StageEntrant"].values()
        if row["stage_id"] in stages and row.get("takes_points")
    }
    for left in heirs:
        while heirs[left] in heirs:
            heirs[left] = heirs[heirs[left]]
    return heirs


def _inherited(row: Json, heirs: dict[str, str]) -> Json:
    """Return a line or an adjustment of a book under the names of those who took over places."""
    named: Json = {"entrant": heirs.get(row["entrant"], row["entrant"])}
    for part in ("opponents", "partners"):
        if part in row:
            named[part] = [heirs.get(each, each) for each in row[part]]
    return {**row, **named}


def _spelt(rows: Iterable[Json]) -> Counter[bytes]:
    return Counter(map(canonical, rows))


def _carried_faults(
    rows: Rows,
    stages: list[Row],
    offsets: dict[object, int],
    field: dict[str, str],
    names: dict[str, str],
    given: Json,
) -> Iterator[str]:
    """Yield faults in the fields of earlier stages; add their entrants to ``names``."""
    before = stages[:-1]
    entrants = rows["tournament.Entrant"]
    fields: dict[object, set[str]] = defaultdict(set)
    for row in rows["tournament.StageEntrant"].values():
        fields[row["stage_id"]].add(str(row["entrant_id"]))
    reached = {who: stage["order"] for stage in stages for who in fields[stage["id"]]}
    carried = []
    for stage in before:
        names.update({who: str(entrants[who]["number"]) for who in fields[stage["id"]]})
        numbered = {
            row["number"]: row["published_at"]
            for row in rows["tournament.Round"].values()
            if row["stage_id"] == stage["id"]
        }
        number = max(numbered, default=0)
        left = {
            str(entrants[who]["number"])
            for who in fields[stage["id"]]
            if entrants[who]["state"] == "withdrawn"
            and reached[who] == stage["order"]
            and not (numbered.get(number) and (entrants[who]["withdrawn_after"] or 0) >= number)
        }
        last = offsets[stage["id"]] + stage["rounds_planned"]
        carried.append({"last": last, "withdrawn": sorted(left)})
    if carried != given.get("carried"):
        yield "the stages carried over, or who withdrew from them, are not those of the event"
    others = {
        (names[who], entrants[who]["state"] == "withdrawn") for who in names.keys() - field.keys()
    }
    if others != {(one[0], one[3]) for one in given.get("others", ())}:
        yield "those who played in a stage carried over are not those of that stage"


PRESETS: Final = {
    "world_championship": ["games_won", "net_marks", "marks"],
    "recommended": [
        "match_points",
        "net_marks",
        "marks",
        "head_to_head",
        "fewest_penalties",
        "lots",
    ],
    "botifarra": ["match_points", "net_marks", "marks"],
    "belote_total": ["marks"],
    "belote_pools": ["match_points", "net_marks"],
    "twelve_deals": ["marks"],
    "belgian_clubs": ["games_percentage", "net_marks"],
    "harelbeke": ["marks", "games_won"],
    "club_league": ["match_points", "net_marks"],
    "fixed_pairs_evening": ["games_won", "marks"],
    "auction_total": ["marks", "games_won"],
    "auction_per_deal": ["marks_per_deal", "games_won"],
    "table_places": ["place_points", "net_marks", "marks"],
}
"""The ranking rules that have a name: their criteria in order (docs/ranking.md)."""


def criteria_of(stage: Row) -> list[Any]:
    """Return the criteria of a stage: its own, else those of its named rule."""
    own: list[object] = stage["ranking_rule"].get("criteria", [])
    return own or [code for code in PRESETS.get(stage["ranking"], []) if code != "bracket"]


def _field_faults(
    rows: Rows, field: dict[str, str], changes: list[Row], out_before: set[str], given: Json
) -> Iterator[str]:
    ranked = {one[0]: one for one in given["entrants"]}
    if set(ranked) != set(field.values()):
        yield "those who are ranked are not those who play in the stage"
    out = out_before | {field.get(str(row["entrant_id"])) for row in changes if row["disqualified"]}
    played = {line["entrant"] for line in given["results"] if line["kind"] == "played"}
    for key, number in field.items():
        _id, _number, _club, withdrawn, excluded, *more = ranked.get(number, [None] * 5)
        own = rows["tournament.Entrant"][key]
        if str(own["number"]) == number and withdrawn != (own["state"] == "withdrawn"):
            yield f"whether number {number} has withdrawn"
        if excluded != (number in out):
            yield f"whether number {number} is disqualified"
        if "unplayed" in more and number in played:
            yield f"number {number} is listed as not having played, and has"


def _change_faults(
    rows: Rows,
    field: dict[str, str],
    rounds: dict[str, int],
    offsets: dict[object, int],
    changes: list[Row],
    given: Json,
) -> Iterator[str]:
    counted = [
        {
            "entrant": field[str(row["entrant_id"])],
            "round": rounds.get(str(row["round_id"]), offsets[row["stage_id"]] + 1),
            "marks": row["marks"],
            "match_points": row["match_points"],
            "games_won": row["games_won"],
            "penalties": row["penalties"],
            "reason": row["source"],
        }
        for row in changes
    ]
    if Counter(map(canonical, counted)) != Counter(map(canonical, given["adjustments"])):
        yield "its adjustments are not those in force"


def _result_faults(
    rows: Rows,
    field: dict[str, str],
    rounds: dict[str, int],
    forfeits: set[tuple[str, int | None]],
    gone: set[tuple[str, int | None]],
    given: Json,
) -> Iterator[str]:
    """Yield differences between the lines of games and the signed results, in both directions."""
    results = {
        str(row["sheet_id"]): row["result"]
        for row in rows["scoring.OfficialResult"].values()
        if row["current"]
    }
    seats: dict[str, dict[str, str]] = defaultdict(dict)
    for seat in rows["tournament.Seat"].values():
        seats[str(seat["table_id"])][seat["position"]] = str(seat["entrant_id"])
    counted: dict[tuple[str, int, int], Json] = {}
    (event,) = rows["tournament.Event"].values()
    decided, awarded = set(), set()
    for key, sheet in rows["scoring.Sheet"].items():
        table = rows["scoring.Table"][str(sheet["table_id"])]
        number = rounds.get(str(table["round_id"]))
        if number is None or not sheet["counts"]:
            continue
        if table["decided_for_id"] is not None:
            decided.add((number, table["number"]))
        at = seats[str(sheet["table_id"])].values()
        if len(at) == 2 and any((field.get(who), number) in gone for who in at):
            awarded.add((number, table["number"]))
        if key in results:
            by_mean = sheet["rulebook"] == _OF_THREE != event["rulebook"]
            at_table = seats[str(sheet["table_id"])]
            for line in game_lines(sheet, results[key], at_table, field, by_mean=by_mean):
                counted[line["entrant"], number, sheet["order"]] = line
    sat_out = {
        (field.get(str(row["entrant_id"])), rounds.get(str(row["round_id"])))
        for row in rows["tournament.Bye"].values()
    }
    for line in given["results"]:
        key_of = (line["entrant"], line["round"], line["game"])
        where = f"number {line['entrant']}, round {line['round']}, game {line['game']}"
        signed = counted.pop(key_of, None)
        if line["kind"] == "played":
            if signed is None:
                yield f"{where}: no result was signed"
                continue
            for name, value in signed.items():
                if name == "outcome" and (line["round"], line["table"]) in decided | awarded:
                    continue
                if line.get(name) != value:
                    yield f"{where}: {name} is {line.get(name)}, signed was {value}"
        elif line["kind"] == "forfeit":
            by_ruling = key_of[:2] in forfeits
            if (
                not by_ruling
                and key_of[:2] not in sat_out
                and (line["round"], line["table"]) not in decided
            ):
                yield f"{where}: nobody ruled that it was forfeited"
        elif key_of[:2] not in sat_out and line["round"] not in {at for _who, at in forfeits}:
            yield f"{where}: credited, but not among those who sat out"
    for who, number, game in counted:
        yield f"number {who}, round {number}, game {game}: a signed result does not count"


_OF_THREE: Final = "three-player"
"""The game at a table of three among tables of two sides."""


def game_lines(
    sheet: Row, result: Json, at: dict[str, str], field: dict[str, str], *, by_mean: bool = False
) -> Iterator[Json]:
    """Yield the line of a signed result for each of its players; ``by_mean``: won against the mean of the others."""
    for side, positions in sheet["sides"].items():
        marks = result["marks"].get(side, 0)
        theirs = [value for name, value in result["marks"].items() if name != side]
        against = Fraction(sum(theirs), max(1, len(theirs)))
        winner = result.get("winner")
        outcome = "draw" if winner is None else "win" if winner == side else "loss"
        if len(theirs) > 1 and winner is None and marks < max(theirs):
            outcome = "loss"
        if by_mean:
            outcome = _outcome(marks, against)
        others = [at[p] for name, ps in sheet["sides"].items() if name != side for p in ps]
        for position in positions:
            if at[position] in field:
                yield {
                    "entrant": field[at[position]],
                    "outcome": outcome,
                    "for": marks,
                    "against": plain(against),
                    "opponents": sorted(field[who] for who in others if who in field),
                    "partners": sorted(
                        field[at[p]] for p in positions if p != position and at[p] in field
                    ),
                    "penalties": result.get("penalties", {}).get(side, 0),
                    "deals": result.get("deals", 0),
                }


# Standings ---------------------------------------------------------------------------------------


def number(value: Any) -> Fraction:
    """Parse a number of the archive: whole, or ``"n/d"``.

    >>> number("1/2") + number(1)
    Fraction(3, 2)
    """
    return Fraction(value)


def plain(value: Any) -> Any:
    """Return a value in the form of archives; tuples as lists.

    >>> plain(Fraction(4, 2)), plain((Fraction(1, 2), 1))
    (2, ['1/2', 1])
    """
    if value is None:
        return None
    if isinstance(value, tuple | list):
        return [plain(each) for each in value]
    exact = Fraction(value)
    return exact.numerator if exact.denominator == 1 else f"{exact.numerator}/{exact.denominator}"


_WORTH: Final = {"win": Fraction(1), "draw": Fraction(1, 2), "loss": Fraction(0), None: Fraction(0)}


class EntrantRecord:
    """Everything counted for one entrant: games, rounds credited without play, adjustments."""

    def __init__(self, entrant: list[Any]) -> None:
        self.id, self.number, self.club, self.withdrawn, self.excluded, *more = entrant
        self.unplayed, self.through = "unplayed" in more, "through" in more
        self.games: list[Json] = []
        self.credits: list[Json] = []
        self.changes: list[Json] = []
        self.books: dict[int, int] = {}

    def ruled(self, what: str) -> Fraction:
        """Return the sum of a field over all adjustments."""
        return sum((number(change[what]) for change in self.changes), Fraction())

    def fixed(self) -> list[Json]:
        """Return the credits of a fixed amount, not an average of the entrant's games."""
        return [credit for credit in self.credits if not credit["average"]]

    def by_part(self, worth: Iterable[tuple[int, Fraction]]) -> dict[int, list[Fraction]]:
        """Share out games, given as (round, worth), over the books."""
        parts: dict[int, list[Fraction]] = defaultdict(list)
        for at, amount in worth:
            parts[self.part(at)].append(amount)
        return parts

    def part(self, at: int) -> int:
        """Return the book that a round belongs to."""
        return self.books[at]

    def counted(self) -> int:
        """Return the number of games that count."""
        return len(self.games) + sum(c["average"] or c["outcome"] is not None for c in self.credits)

    def count(self, outcome: str) -> int:
        """Return the number of games with that outcome."""
        return sum(each["outcome"] == outcome for each in (*self.games, *self.credits))


def write_book(
    rule: Json, given: Json, gone: Iterable[str] | None = None, *, lean: bool = True
) -> Json:
    """Build the book of a stage from its input: lines as counted by the rule, everything else unchanged.

    ``gone``: entrants who withdrew before its end, if the input lacks them. ``lean``: a credited average is that
    of the own games and one more at the average of the field (from edition 7 on).
    """
    if gone is None:
        gone = [one[0] for one in given["entrants"] if one[3] and "through" not in one]
    struck = set(gone) if rule["withdrawn"] == "struck" else set()
    lines: list[Json] = []
    for line in given["results"]:
        line = {
            **line,
            "net": plain(number(line["for"]) - number(line["against"])),
            "average": False,
        }
        if struck & {line["entrant"], *line["opponents"], *line["partners"]}:
            line["kind"] = "struck"
        elif line["kind"] not in _MISSED:
            _limit(line, rule["cap"])
        lines.append(line)
    games = [line for line in lines if line["kind"] not in (*_MISSED, "struck")]
    for line in lines:
        if line["kind"] in _MISSED:
            _credit(line, rule[line["kind"]], games, lean=lean)
    return {**given, "lines": lines}


_MISSED: Final = ("bye", "sat_out")


def _limit(game: Json, cap: Json | None) -> None:
    """Let a game count within the limit of the rule."""
    if game["kind"] == "forfeit" and game["outcome"] == "win":
        game["kind"] = "walk_over"
    if cap is None:
        return
    most = Fraction(cap["amount"])
    marks, against = number(game["for"]), number(game["against"])
    if cap["on"] == "marks":
        marks, against = min(marks, most), min(against, most)
        game |= {"for": plain(marks), "against": plain(against), "net": plain(marks - against)}
    else:
        game["net"] = plain(max(-most, min(most, marks - against)))


def _credit(line: Json, credit: Json, games: list[Json], *, lean: bool) -> None:
    """Let a round without play count as the rule credits it."""
    if credit["by"] == "none":
        line["kind"] = "uncounted"
        return
    if credit["by"] == "fixed":
        marks, net = number(credit["marks"]), number(credit["net"])
    elif credit["by"] == "own_average":
        own = [game for game in games if game["entrant"] == line["entrant"]]
        marks, net = (
            _average(
                [number(game[name]) for game in own],
                [number(game[name]) for game in games] if lean else [],
            )
            for name in ("for", "net")
        )
    else:
        alike = [
            game
            for game in games
            if game["round"] == line["round"]
            and game["kind"] == "played"
            and (credit["by"] == "field_spread" or credit["outcome"] in (None, game["outcome"]))
        ]
        middle = _spread if credit["by"] == "field_spread" else _median
        marks = middle(number(game["for"]) for game in alike)
        net = middle(number(game["net"]) for game in alike)
    average = credit["by"] == "own_average" and credit["outcome"] is None
    line |= {"kind": "credited", "outcome": credit["outcome"], "for": plain(marks)}
    line |= {"net": plain(net), "average": average}


def _average(own: Sequence[Fraction], field: Sequence[Fraction]) -> Fraction:
    """Return the average of the own games, with one more at that of the field's where they are given; else 0."""
    if not own:
        return Fraction()
    total = sum(own, Fraction())
    if not field:
        return total / len(own)
    return (total + sum(field, Fraction()) / len(field)) / (len(own) + 1)


def books_of(rule: Json, given: Json, *, lean: bool = True) -> list[Json]:
    """Return the books added up by a standing, its own last.

    In the fifth edition of counting the input held the results of all stages together, with the last round of each.
    """
    parts = given.get("carried", [])
    if not parts or "lines" in parts[0]:
        return [*parts, write_book(rule, given, lean=lean)]
    everybody = {**given, "entrants": [*given["entrants"], *given["others"]]}
    books, first = [], 0
    for part in (*parts, None):
        last = part["last"] if part else None
        lines = [
            line
            for line in given["results"]
            if line["round"] > first and (last is None or line["round"] <= last)
        ]
        whole = everybody if part else given
        gone = part["withdrawn"] if part else None
        changes = [] if part else given["adjustments"]
        part_given = {**whole, "results": lines, "adjustments": changes}
        books.append(write_book(rule, part_given, gone, lean=lean))
        first = last or first
    return books


class Count:
    """Standing recomputed from its rule and input, independently of the service's code.

    ``edition``: edition of the counting rules; up to edition 5, entrants without a counted game ranked
    among all others.
    """

    def __init__(self, rule: Json, given: Json, edition: int = 7) -> None:
        self.rule, self.lots, self.places = rule, given["lots"], given["places"]
        self.idle_last = edition > 5
        self.lean = edition > 6
        books = books_of(rule, given, lean=self.lean)
        self.listed = [one[0] for one in given["entrants"]]
        self.records = {one[0]: EntrantRecord(one) for book in books for one in book["entrants"]}
        self.records |= {one[0]: EntrantRecord(one) for one in given["entrants"]}
        self.through = 0
        for at, book in enumerate(books):
            for line in book["lines"]:
                if line["kind"] == "struck":
                    continue
                self.through = max(self.through, line["round"])
                record = self.records[line["entrant"]]
                record.books[line["round"]] = at
                if line["kind"] != "uncounted":
                    (record.credits if line["kind"] == "credited" else record.games).append(line)
            for change in book["adjustments"]:
                self.records[change["entrant"]].changes.append(change)

    def points(self, outcome: str | None) -> Fraction:
        """Return the match points of an outcome."""
        return number(self.rule[outcome]) if outcome else Fraction()

    # Values

    def values(self, used: Json, group: Sequence[str]) -> dict[str, object]:
        """Compute one criterion of the rule for each entrant of a group."""
        code, params = used["code"], used["params"]
        if code == "bracket":
            return {who: self.places.get(who) for who in group}
        if code == "head_to_head":
            return self._head_to_head(group)
        if code == "lots":
            drawn = all(who in self.lots for who in group)
            return {who: self.lots[who] if drawn else None for who in group}
        if code in ("buchholz", "buchholz_cut", "buchholz_median", "sonneborn_berger"):
            return {who: self._opposition(who, code, params) for who in group}
        if code == "opponents_wins":
            won = {
                who: sum(game["outcome"] == "win" for game in record.games)
                for who, record in self.records.items()
            }
            return {who: sum(won[other[2]] for other in self._met(who)) for who in group}
        return {who: self._own(self.records[who], code, params) for who in group}

    def _own(self, record: EntrantRecord, code: str, params: Json) -> Any:
        if code in ("games_won", "games_percentage"):
            worth = {**dict.fromkeys(_WORTH, Fraction()), "win": Fraction(1)}
            worth["draw"] = number(params.get("draw", 0))
            won = self._with_average(
                record, lambda one: [(g["round"], worth[g["outcome"]]) for g in one.games]
            )
            won += sum(worth[credit["outcome"]] for credit in record.credits)
            won += record.ruled("games_won")
            if code == "games_won":
                return won
            known = record.counted() - (len(record.credits) - len(record.fixed()))
            return won / record.counted() if known else None
        if code == "match_points":
            return self._match_points(record, params.get("per", "game"))
        if code == "victory_points":
            return self._victory_points(record, params)
        if code in ("net_marks", "marks"):
            name = "net" if code == "net_marks" else "for"
            total = sum(
                (number(each[name]) for each in (*record.games, *record.credits)), Fraction()
            )
            return total + record.ruled("marks")
        if code == "points_percentage":
            taken = [game for game in record.games if game["max"] is not None]
            most = sum((number(game["max"]) for game in taken), Fraction())
            return sum(number(game["points"]) for game in taken) / most if most else None
        if code == "best_deal":
            best = [number(game["best"]) for game in record.games if game["best"] is not None]
            return max(best, default=None)
        if code == "fewest_penalties":
            own = self._with_average(
                record, lambda one: [(g["round"], Fraction(g["penalties"])) for g in one.games]
            )
            return own + record.ruled("penalties")
        if code == "marks_per_deal":
            deals = sum(game["deals"] for game in record.games)
            marks = sum((number(g["for"]) for g in record.games), record.ruled("marks"))
            return marks / deals if deals else None
        if code == "place_points":
            own = self._with_average(
                record,
                lambda one: [
                    (g["round"], number(g["place"]) if "place" in g else _WORTH[g["outcome"]])
                    for g in one.games
                ],
            )
            return own + sum(_WORTH[each["outcome"]] for each in record.fixed())
        raise LookupError(f"a criterion that this check does not know: {code}")

    def _match_points(self, record: EntrantRecord, per: str) -> Fraction:
        if per == "game":
            total = self._with_average(
                record, lambda one: [(g["round"], self.points(g["outcome"])) for g in one.games]
            )
            credited = [credit["outcome"] for credit in record.fixed()]
        else:
            total = self._with_average(record, self._points_of_matches, once=True)
            credited = list({c["round"]: c["outcome"] for c in record.fixed()}.values())
        return total + sum(map(self.points, credited)) + record.ruled("match_points")

    def _points_of_matches(self, record: EntrantRecord) -> list[tuple[int, Fraction]]:
        """Return the round and the match points of each match."""
        outcomes = []
        for at, games in self._matches(record).items():
            ahead = sum({"win": 1, "loss": -1}.get(game["outcome"], 0) for game in games)
            match_points = [game["match"] for game in games if game.get("match")]
            won = "win" if ahead > 0 else "loss" if ahead < 0 else "draw"
            outcomes.append((at[0], self.points(match_points[-1] if match_points else won)))
        return outcomes

    def _with_average(
        self,
        record: EntrantRecord,
        worth: Callable[[EntrantRecord], list[tuple[int, Fraction]]],
        *,
        once: bool = False,
    ) -> Fraction:
        """Sum games (matches), and add the average in the stage for each credited one; ``once`` a round."""
        rounds = [credit["round"] for credit in record.credits if credit["average"]]
        more = Counter(record.part(at) for at in (set(rounds) if once else rounds))
        total = Fraction()
        for at, own in record.by_part(worth(record)).items():
            total += sum(own, Fraction())
            if more[at]:
                field = [
                    amount
                    for one in (self.records.values() if self.lean else ())
                    for amount in one.by_part(worth(one)).get(at, [])
                ]
                total += more[at] * _average(own, field)
        return total

    def _victory_points(self, record: EntrantRecord, params: Json) -> Fraction:
        total, bounds = params.get("total", 20), params.get("bounds", _BOUNDS)
        half = Fraction(total, 2)

        def share(net: Fraction) -> Fraction:
            steps = sum(bound <= abs(net) for bound in bounds)
            return Fraction(half + (steps if net > 0 else -steps))

        points = self._with_average(
            record,
            lambda one: [
                (at[0], share(sum((number(game["net"]) for game in games), Fraction())))
                for at, games in self._matches(one).items()
            ],
            once=True,
        )
        for _round, credits in _by_round(record.fixed()):
            net = share(sum((number(credit["net"]) for credit in credits), Fraction()))
            won = any(credit["outcome"] == "win" for credit in credits)
            points += max(net, half) if won else net
        return points + record.ruled("match_points")

    @staticmethod
    def _matches(record: EntrantRecord) -> dict[Any, list[Json]]:
        matches: dict[object, list[Json]] = defaultdict(list)
        for game in sorted(record.games, key=lambda game: (game["round"], game["game"])):
            matches[game["round"], game["table"], tuple(sorted(game["opponents"]))].append(game)
        return matches

    def _met(self, who: str) -> dict[tuple[int, object, str], list[str]]:
        """Return every opponent met, once per table and round, with the outcomes of the games there."""
        met: dict[tuple[int, object, str], list[str]] = defaultdict(list)
        for game in self.records[who].games:
            for other in game["opponents"]:
                met[game["round"], game["table"], other].append(game["outcome"])
        return met

    def _opposition(self, who: str, code: str, params: Json) -> Fraction:
        of = {"code": params.get("of", "match_points"), "params": {}}
        scores = self._scores(of["code"])
        met, dummies = self._met(who), self._dummies(who)
        if code == "sonneborn_berger":
            total = sum(scores[who] * _WORTH[outcome] for outcome in dummies)
            for (_round, _table, other), outcomes in met.items():
                total += scores[other] * sum(_WORTH[o] for o in outcomes) / len(outcomes)
            return Fraction(total)
        rising = sorted([scores[other] for _r, _t, other in met] + [scores[who]] * len(dummies))
        if code == "buchholz_cut":
            rising = rising[params.get("worst", 1) :]
        if code == "buchholz_median":
            each = params.get("each", 1)
            rising = rising[each : max(each, len(rising) - each)]
        return sum(rising, Fraction())

    def _scores(self, code: str) -> dict[str, Fraction]:
        return {who: self._own(record, code, {}) for who, record in self.records.items()}

    def _dummies(self, who: str) -> list[Any]:
        """Return one outcome for each virtual opponent of a round without play."""
        record = self.records[who]
        played = {game["round"] for game in record.games}
        dummies: list[object] = []
        for at, outcome in {c["round"]: c["outcome"] for c in record.credits}.items():
            if at not in played:
                dummies += [outcome] * self._opponents_in(at)
        return dummies

    def _opponents_in(self, at: int) -> int:
        sizes = Counter(
            size for who in self.records if (size := sum(key[0] == at for key in self._met(who)))
        )
        return max(sizes, key=lambda size: (sizes[size], size), default=1)

    def _head_to_head(self, group: Sequence[str]) -> dict[str, object]:
        mean: dict[tuple[str, str], Fraction] = {}
        for who in group:
            for other in set(group) - {who}:
                games = [g for g in self.records[who].games if other in g["opponents"]]
                if not games:
                    return dict.fromkeys(group)
                points = sum((self.points(game["outcome"]) for game in games), Fraction())
                mean[who, other] = points / len(games)
        values: dict[str, list[Fraction]] = {who: [] for who in group}

        def compare(level: list[str]) -> None:
            totals = {
                who: sum((mean[who, other] for other in level if other != who), Fraction())
                for who in level
            }
            for who in level:
                values[who].append(totals[who])
            if len(set(totals.values())) > 1:
                for total in set(totals.values()):
                    again = [who for who in level if totals[who] == total]
                    if len(again) > 1:
                        compare(again)

        compare(list(group))
        return dict(values)

    # Order

    def standing(self) -> Json:
        """Return the standing in the form of archives."""
        everybody = sorted(self.listed, key=lambda who: (self.records[who].number, who))
        values: dict[str, list[object]] = {who: [] for who in everybody}
        below = [who for who in everybody if self._unranked(self.records[who])]
        ranked = [who for who in everybody if who not in set(below)]
        idle = [who for who in ranked if self._idle(who)]
        groups = [[who for who in ranked if who not in set(idle)], idle]
        settled: set[str] = set()
        for used in self.rule["criteria"]:
            tied_only = used["code"] in ("head_to_head", "lots")
            worth = dict.fromkeys(everybody) if tied_only else self.values(used, everybody)
            split: list[list[str]] = []
            for group in groups:
                if len(group) < 2 or settled.issuperset(group):
                    split.append(group)
                    continue
                if tied_only:
                    worth |= self.values(used, group)
                keys = {who: _sort_key(used["code"], worth[who]) for who in group}
                ordered = sorted(group, key=keys.__getitem__)
                split += [list(part) for _key, part in groupby(ordered, keys.__getitem__)]
            groups = split
            for who in everybody:
                values[who].append(plain(worth[who]))
                place = self.places.get(who) if used["code"] == "bracket" else None
                if place is not None and place[0] != 2:
                    settled.add(who)
        rows: list[Json] = []
        for group in groups:
            rank = len(rows) + 1
            rows += [
                self._row(who, len(rows) + 1 + k, rank, values[who]) for k, who in enumerate(group)
            ]
        for who in below:
            rows.append(self._row(who, len(rows) + 1, None, values[who]))
        return {"format": 1, "rule": self.rule, "through": self.through, "rows": rows}

    def _idle(self, who: str) -> bool:
        """Whether no game of one who is in no bracket counts."""
        counts = any(self.records[who].count(outcome) for outcome in ("win", "draw", "loss"))
        return self.idle_last and who not in self.places and not counts

    def _unranked(self, record: EntrantRecord) -> bool:
        gone = record.withdrawn and not record.through and self.rule["withdrawn"] != "kept"
        return gone or record.excluded or record.unplayed

    def _row(self, who: str, position: int, rank: int | None, values: list[object]) -> Json:
        record = self.records[who]
        return {
            "position": position,
            "rank": rank,
            "entrant": who,
            "number": record.number,
            "values": values,
            "games": record.counted(),
            "won": record.count("win"),
            "drawn": record.count("draw"),
            "lost": record.count("loss"),
            "credited": sum(c["average"] or c["outcome"] is not None for c in record.credits),
            "adjusted": bool(record.changes),
        }


_BOUNDS: Final = (1, 10, 20, 30, 40, 50, 60, 70, 80, 90)


def _sort_key(code: str, value: Any) -> tuple[Any, ...]:
    if value is None:
        return (1,)
    numbers = value if isinstance(value, tuple | list) else [value]
    rising = code in ("lots", "bracket", "fewest_penalties")
    return (0, *(each if rising else -each for each in numbers))


def _by_round(credits: list[Json]) -> Iterator[tuple[int, list[Json]]]:
    for at in sorted({credit["round"] for credit in credits}):
        yield at, [credit for credit in credits if credit["round"] == at]


def _median(values: Iterable[Fraction]) -> Fraction:
    rising = sorted(values)
    if not rising:
        return Fraction()
    return (rising[(len(rising) - 1) // 2] + rising[len(rising) // 2]) / 2


def _spread(values: Iterable[Fraction]) -> Fraction:
    rising = sorted(values)
    if not rising:
        return Fraction()
    middle = rising[(len(rising) - 1) // 2] + rising[len(rising) // 2]
    return Fraction(-((rising[0] + rising[-1] + middle) // -4))


def standing_faults(stated: Json) -> Iterator[str]:
    """Yield differences between a standing and its recomputation from rule and input."""
    given = stated["standing"]
    if sha256(canonical(given)) != stated["hash"]:
        yield "it is not the one of its check code"
    counted = Count(given["rule"], stated["input"], stated.get("edition", 1)).standing()
    if canonical(counted) == canonical(given):
        return
    yield "counted anew it comes out differently"
    for here, there in zip(counted["rows"], given["rows"], strict=False):
        if here != there:
            yield (
                f"place {here['position']}: number {here['number']} with {here['values']}, "
                f"stated is number {there['number']} with {there['values']}"
            )
            return


def frozen_faults(stated: Json) -> Iterator[str]:
    """Yield a fault if the stored rows of a frozen or final standing differ despite the same check code."""
    frozen = stated.get("frozen")
    if frozen is None or frozen["hash"] != stated["hash"]:
        return
    frozen_rows = [(row["number"], row["rank"], row["values"]) for row in frozen["rows"]]
    if frozen_rows != [
        (row["number"], row["rank"], row["values"]) for row in stated["standing"]["rows"]
    ]:
        yield "the rows that were frozen are not those of its check code"


# Random events ---------------------------------------------------------------------------------------


def generate(seed: object) -> Json:
    """Make a random event of one to three stages, and count it.

    Players come late, withdraw, stay away and are disqualified; rounds are sat out, forfeited and
    won by walk-over; rulings adjust points; a cut takes the best on, with or without their results.
    The numbers follow from SHA-256 of the seed. The result has the standings of an archive.
    """
    lots = Lots(str(seed), "event")
    names = [f"{number}" for number in lots.shuffled(range(1, 5 + lots.below(12)))]
    shape = _SHAPES[lots.below(len(_SHAPES))]
    stages: list[Json] = []
    books: list[Json] = []
    rounds = 0
    for order in range(1, 2 + lots.below(3)):
        carries = bool(books) and lots.below(3) > 0
        shift = rounds if carries else 0
        played = lots.below(4) + (order == 1)
        rule = _random_rule(lots)
        given = _random_stage(lots, shape, names, shift, played)
        carried = books if carries else []
        if carried:
            given["carried"] = carried
        standing = Count(rule, {**given, "places": {}}, EDITION).standing()
        stages.append(
            {
                "order": order,
                "carries_over": carries,
                "edition": EDITION,
                "rule": rule,
                "input": given,
                "standing": standing,
                "hash": sha256(canonical(standing)),
            }
        )
        own = write_book(rule, copy.deepcopy({**given, "carried": []}))
        book = {
            "entrants": own["entrants"],
            "lines": own["lines"],
            "adjustments": own["adjustments"],
        }
        books = [*carried, {**book, "hash": sha256(canonical(book))}]
        rounds = shift + played
        best = [row["entrant"] for row in standing["rows"] if row["rank"] is not None]
        names = best[: max(3, len(best) - lots.below(len(best) or 1))]
        if len(names) < 3:
            break
    return {"kind": "manille-example", "format": 1, "seed": str(seed), "stages": stages}


EDITION: Final = 7
"""The edition of counting that random events are counted by."""

_SHAPES: Final = ("match", "partners", "rotation", "alone")


def _random_rule(lots: Lots) -> Json:
    """Return a random ranking rule: criteria, limit, credits, treatment of a withdrawal."""
    known: list[Json] = [
        {"code": code, "params": {}}
        for code in (
            *("games_won", "match_points", "net_marks", "marks", "games_percentage", "buchholz"),
            *("sonneborn_berger", "opponents_wins", "victory_points", "place_points", "lots"),
            *(
                "fewest_penalties",
                "best_deal",
                "marks_per_deal",
                "head_to_head",
                "points_percentage",
            ),
        )
    ]
    known += [
        {"code": "games_won", "params": {"draw": "1/2"}},
        {"code": "match_points", "params": {"per": "match"}},
        {"code": "buchholz_cut", "params": {"of": "marks", "worst": 2}},
        {"code": "buchholz_median", "params": {}},
        {"code": "victory_points", "params": {"bounds": [2, 9], "total": 7}},
    ]
    credits: list[Json] = [
        {"by": by, "outcome": outcome, "marks": 3 * (by == "fixed"), "net": int(by == "fixed")}
        for by in ("own_average", "field_median", "field_spread", "fixed", "none")
        for outcome in (("win", "draw", None) if by != "none" else (None,))
    ]
    caps: list[Json | None] = [None, None, {"amount": 3, "on": "net"}, {"amount": 5, "on": "marks"}]
    return {
        "code": "",
        "criteria": lots.shuffled(known)[: 1 + lots.below(5)],
        "win": 2,
        "draw": 1,
        "loss": 0,
        "cap": caps[lots.below(len(caps))],
        "bye": credits[lots.below(len(credits))],
        "sat_out": credits[lots.below(len(credits))],
        "withdrawn": ("kept", "unranked", "struck")[lots.below(3)],
    }


def _random_stage(lots: Lots, shape: str, names: list[str], shift: int, played: int) -> Json:
    """Return the input of a stage: its rounds are drawn by lot and played at random."""
    late = {who: lots.below(played + 1) for who in names if not lots.below(8)}
    gone = {who: lots.below(played + 1) for who in names if not lots.below(8)}
    lines: list[Json] = []
    for number in range(1, played + 1):
        here = [who for who in names if late.get(who, 0) < number <= gone.get(who, played)]
        lines += _random_round(lots, shape, here, shift + number)
    seen = {line["entrant"] for line in lines if line["kind"] == "played"}
    through = {who for who, last in gone.items() if last == played and lots.below(2)}
    entrants = []
    for who in names:
        one: list[object] = [who, int(who), "", who in gone, not lots.below(25)]
        one += ["unplayed"] if played and who not in seen and lots.below(2) else []
        entrants.append(one + (["through"] if who in through else []))
    changes = [
        {
            "entrant": who,
            "round": shift + 1 + lots.below(max(1, played)),
            "marks": lots.below(21) - 10,
            "match_points": lots.below(3) - 1,
            "games_won": lots.below(2) - 1,
            "penalties": lots.below(3),
            "reason": f"ruling:{at}",
        }
        for at, who in enumerate(names, 1)
        if played and not lots.below(6)
    ]
    order = {who: at for at, who in enumerate(lots.shuffled(names), 1)}
    return {
        "format": 1,
        "entrants": sorted(entrants),
        "results": sorted(lines, key=lambda x: (x["entrant"], x["round"], x["game"])),
        "adjustments": sorted(changes, key=canonical),
        "lots": order if lots.below(2) else {},
    }


def _random_round(lots: Lots, shape: str, here: list[str], number: int) -> list[Json]:
    """Draw a round by lot and play it; those left over sit out."""
    size = {"match": 2, "alone": 3 + lots.below(3)}.get(shape, 4)
    order, lines = lots.shuffled(here), list[Json]()
    games = 1 + lots.below(2)
    whole = len(order) // size * size
    table = whole // size + 1
    if shape in ("partners", "rotation") and len(order) - whole == 3 and lots.below(2):
        for game in range(1, games + 1):
            alone = _random_game_alone(lots, order[whole:], number, table, game)
            lines += [_against_the_mean(line) for line in alone]
        whole = len(order)
    for who in order[whole:]:
        kind = "bye" if lots.below(3) else "sat_out"
        lines += [_line(number, None, game, who, [], [], kind) for game in range(1, games + 1)]
    for at in range(0, len(order) // size * size, size):
        lines += _random_table(lots, shape, order[at : at + size], number, at // size + 1, games)
    return lines


def _random_table(
    lots: Lots, shape: str, at: list[str], number: int, table: int, games: int
) -> list[Json]:
    """Play a table at random; of twenty, one is forfeited by both sides and two are won by walk-over."""
    if shape == "alone":
        played = [_random_game_alone(lots, at, number, table, game) for game in range(1, games + 1)]
        return [line for game in played for line in game]
    if shape == "match":
        sides = [(at[:1], at[1:])] * games
    elif shape == "partners":
        sides = [(at[::2], at[1::2])] * games
    else:
        sides = [(at[:2], at[2:]), (at[::2], at[1::2]), ([at[0], at[3]], at[1:3])]
    fate, absent, lines = lots.below(20), lots.below(2), list[Json]()
    decided = ("win", "loss")[lots.below(2)] if shape == "match" and not lots.below(8) else ""
    flip = {"win": "loss", "loss": "win", "draw": "draw", "": ""}
    for game, (one, two) in enumerate(sides, 1):
        a, b = lots.below(12), lots.below(12)
        result, counts = _outcome(a, b), _random_counts(lots)
        for side, others, own, theirs, outcome, match in (
            (one, two, a, b, result, decided),
            (two, one, b, a, flip[result], flip[decided]),
        ):
            kind = "played"
            if fate < 3:
                lost = not fate or (side is one) == bool(absent)
                kind, outcome = "forfeit", "loss" if lost else "win"
                own, theirs = (0, 0) if not fate else (0, 5) if lost else (5, 0)
            for who in side:
                beside = sorted(set(side) - {who})
                line = _line(
                    number, table, game, who, sorted(others), beside, kind, outcome, own, theirs
                )
                line |= counts if kind == "played" else {}
                lines.append(line | ({"match": match} if match else {}))
    return lines


def _random_game_alone(lots: Lots, at: list[str], number: int, table: int, game: int) -> list[Json]:
    """Play a game in which each plays against all others: places at the table, and the others' mean."""
    lines, marks = list[Json](), {who: lots.below(15) for who in at}
    for who, own in marks.items():
        theirs = [marks[other] for other in at if other != who]
        place = sum((Fraction(1 + (own > x) - (own < x), 2) for x in theirs), Fraction())
        mean = plain(Fraction(sum(theirs), len(theirs)))
        others = sorted(set(at) - {who})
        outcome = _outcome(own, max(theirs))
        line = _line(number, table, game, who, others, [], "played", outcome, own, mean)
        lines.append({**line, "place": plain(place), **_random_counts(lots)})
    return lines


def _against_the_mean(line: Json) -> Json:
    """Return the line of a counting table of three among fours: won against the mean of the others."""
    own, mean = line["for"], number(line["against"])
    rest = {name: value for name, value in line.items() if name != "place"}
    return {**rest, "outcome": _outcome(own, mean)}


def _outcome(own: int, theirs: int | Fraction) -> str:
    return "win" if own > theirs else "loss" if own < theirs else "draw"


def _random_counts(lots: Lots) -> Json:
    most = 60 * (1 + lots.below(3))
    return {
        "deals": lots.below(5),
        "best": lots.below(9),
        "points": lots.below(most + 1),
        "max": most,
        "penalties": lots.below(8) // 6,
    }


def _line(
    number: int,
    table: int | None,
    game: int,
    who: str,
    opponents: list[str],
    partners: list[str],
    kind: str,
    outcome: str | None = None,
    own: object = 0,
    theirs: object = 0,
) -> Json:
    """Return one line of the results, as archives hold it."""
    return {
        "round": number,
        "table": table,
        "game": game,
        "entrant": who,
        "partners": partners,
        "opponents": opponents,
        "kind": kind,
        "outcome": outcome,
        "for": own,
        "against": theirs,
        "deals": 0,
        "best": None,
        "points": None,
        "max": None,
        "penalties": 0,
    }


# The whole file ------------------------------------------------------------------------------------


def check(
    archive: Json, *, key: str = "", expect: Sequence[str] = (), draws: bool = False
) -> Findings:
    """Check a whole archive; ``key``: the public key it must be signed with; ``draws``: repeat its draws."""
    findings = Findings()
    signed = archive.get("signature")
    signer = signed.get("key", "") if isinstance(signed, dict) else ""
    findings.part("signature", signature_faults(archive, key), f"by {signer}")
    findings.part("content", checksum_faults(archive), f"SHA-256 {archive.get('sha256')}")
    if not key and signer:
        findings.note(
            "compare the key with the one that the organiser publishes, or give it as --key"
        )
    content = archive["content"]
    journal = content.get("journal")
    if journal is None:
        findings.part("journal", ["the archive is of an earlier release and holds none"], "")
        return findings
    event = content["event"]
    findings.note(f"{event['name']}, {event['day']}, {event['slug']}")
    held = f"{len(journal['entries'])} entries, {len(journal['rows'])} records of rows, {journal['anchor'][:40]}"
    findings.part("journal", journal_faults(journal, event["id"]), held)
    for each in expect:
        findings.part(
            f"anchor {each}", anchor_faults(journal, each, key), "the journal leads through it"
        )
    if not expect:
        findings.note("a journal rewritten as a whole is found by an anchor from before: --expect")
    rows = rows_of(content)
    count = sum(len(there) for label, there in rows.items() if label not in _UNRECORDED)
    findings.part("rows", row_faults(content), f"{count} are as the journal tells them")
    findings.part("names", name_faults(content), f"{len(committed(content))} are as entered")
    drawn = published(rows)
    findings.part(
        "draws", draw_faults(content), f"{len(drawn)} published, everybody once, as seated"
    )
    for draw in drawn:
        findings.note(
            f"{round_name(rows, str(draw['round_id']))}: drawn with the seed {draw['seed']!r}"
        )
    if draws:
        repeat_draws(rows, findings)
    for stated in content["standings"]:
        name = f"standings of stage {stated['order']}"
        if "standing" not in stated:
            findings.part(name, ["they are not in the archive"], "")
            continue
        lines = len(stated["input"]["results"])
        findings.part(
            f"results of stage {stated['order']}",
            input_faults(content, stated),
            f"{lines} as signed",
        )
        rule = ", ".join(used["code"] for used in stated["standing"]["rule"]["criteria"])
        faults = [*standing_faults(stated), *frozen_faults(stated)]
        findings.part(name, faults, f"{stated['state']}, {stated['hash'][:16]}, by {rule}")
        frozen = stated.get("frozen")
        if frozen and frozen["hash"] != stated["hash"]:
            findings.note(
                f"{name}: frozen as {frozen['hash'][:16]}; the records give {stated['hash'][:16]} now"
            )
    return findings


class Unreadable(Exception):
    """The file is not a readable archive; the message gives the reason."""


MOST: Final = 400_000_000
"""Bytes unpacked that are read at most."""


def read(path: Path) -> Json:
    """Read the archive in a file; raise :class:`Unreadable` if it cannot be read."""
    try:
        with gzip.open(path) as file:
            text = file.read(MOST + 1)
        archive = json.loads(text) if len(text) <= MOST else None
    except (OSError, EOFError, ValueError, RecursionError, zlib.error) as error:
        raise Unreadable(f"{path} cannot be read: {error}") from error
    if not isinstance(archive, dict) or archive.get("kind") != "manille-event":
        raise Unreadable(f"{path} is no archive of an event")
    return archive


def main(words: Sequence[str] | None = None) -> int:
    """Check the archive that the command line names."""
    parser = argparse.ArgumentParser(
        prog="manille-check", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("archive", type=Path, nargs="?")
    parser.add_argument("--key", default="", help="the public key that the organiser publishes")
    parser.add_argument(
        "--expect",
        action="append",
        default=[],
        metavar="ANCHOR",
        help="an anchor printed or saved before (812.640.0123456789abcdef), or a saved anchors.json",
    )
    parser.add_argument("--draws", action="store_true", help="repeat every draw from its draw code")
    parser.add_argument("--generate", action="store_true", help="write a random event, counted")
    parser.add_argument("--seed", default="1", help="the seed of --generate")
    arguments = parser.parse_args(words)
    if arguments.generate:
        print(canonical(generate(arguments.seed)).decode())
        return 0
    if arguments.archive is None:
        parser.error("name an archive")
    try:
        findings = check(
            read(arguments.archive),
            key=arguments.key,
            expect=arguments.expect,
            draws=arguments.draws,
        )
    except Unreadable as error:
        print(error)
        return 2
    except (ArithmeticError, AttributeError, LookupError, OSError, TypeError, ValueError) as error:
        print(f"WRONG  file: it contradicts itself: {type(error).__name__}: {error}")
        return 1
    print("\n".join(findings.lines))
    print("Something is wrong." if findings.wrong else "Everything holds.")
    return 1 if findings.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
