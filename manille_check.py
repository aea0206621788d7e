#!/usr/bin/env python3
"""Check an archive of a manille event, as an outsider: signature, journal, draws and standings.

    manille-check [--key PUBLIC-KEY] [--expect ANCHOR-OR-FILE] ARCHIVE

This module shares no code with the service that makes archives. It needs Python 3.11 and
``cryptography``, and reads what docs/check.md describes. Exit code 0: everything holds; 1: something
does not, each thing on a line of its own that begins with ``WRONG``; 2: the file cannot be read.
"""

from __future__ import annotations

import argparse
import base64
import gzip
import hashlib
import json
import re
import sys
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from fractions import Fraction
from itertools import combinations, groupby
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
_UNRECORDED: Final = {"tournament.Person", _LOGO}
"""Kinds that the journal leaves out: names can be erased, a logo is recorded by its SHA-256."""


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
        yield from _book_faults(content, counted[:-1], offsets, given)
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
    content: Json, before: list[Row], offsets: dict[object, int], given: Json
) -> Iterator[str]:
    """Yield faults of the books of earlier stages: each book is rebuilt from its stage's own input."""
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
            {**line, "round": line["round"] + shift}
            for line in write_book(own["standing"]["rule"], own["input"])["lines"]
        ]
        changes = [
            {**change, "round": change["round"] + shift} for change in own["input"]["adjustments"]
        ]
        if _spelt(lines) != _spelt(book["lines"]) or _spelt(changes) != _spelt(book["adjustments"]):
            yield f"{name} is not what that stage gives"
        if {one[0] for one in book["entrants"]} != {one[0] for one in own["input"]["entrants"]}:
            yield f"those in {name} are not those of that stage"


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
            for line in game_lines(sheet, results[key], seats[str(sheet["table_id"])], field):
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


def game_lines(
    sheet: Row, result: Json, at: dict[str, str], field: dict[str, str]
) -> Iterator[Json]:
    """Yield the line of a signed result for each of its players."""
    for side, positions in sheet["sides"].items():
        marks = result["marks"].get(side, 0)
        theirs = [value for name, value in result["marks"].items() if name != side]
        against = Fraction(sum(theirs), max(1, len(theirs)))
        winner = result.get("winner")
        outcome = "draw" if winner is None else "win" if winner == side else "loss"
        if len(theirs) > 1 and winner is None and marks < max(theirs):
            outcome = "loss"
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

    def averaged(self, worth: Iterable[tuple[int, Fraction]]) -> Fraction:
        """Sum games, given as (round, worth), and add the stage's average for each averaged credit."""
        parts: dict[int, list[Fraction]] = defaultdict(list)
        for at, amount in worth:
            parts[self.part(at)].append(amount)
        more = Counter(self.part(credit["round"]) for credit in self.credits if credit["average"])
        return sum(
            (sum(own, Fraction()) * (len(own) + more[at]) / len(own) for at, own in parts.items()),
            Fraction(),
        )

    def part(self, at: int) -> int:
        """Return the book that a round belongs to."""
        return self.books[at]

    def counted(self) -> int:
        """Return the number of games that count."""
        return len(self.games) + sum(c["average"] or c["outcome"] is not None for c in self.credits)

    def count(self, outcome: str) -> int:
        """Return the number of games with that outcome."""
        return sum(each["outcome"] == outcome for each in (*self.games, *self.credits))


def write_book(rule: Json, given: Json, gone: Iterable[str] | None = None) -> Json:
    """Build the book of a stage from its input: lines as counted by the rule, everything else unchanged.

    ``gone``: entrants who withdrew before its end, if the input lacks them.
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
            _credit(line, rule[line["kind"]], games)
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


def _credit(line: Json, credit: Json, games: list[Json]) -> None:
    """Let a round without play count as the rule credits it."""
    if credit["by"] == "none":
        line["kind"] = "uncounted"
        return
    if credit["by"] == "fixed":
        marks, net = number(credit["marks"]), number(credit["net"])
    elif credit["by"] == "own_average":
        own = [game for game in games if game["entrant"] == line["entrant"]]
        marks = sum((number(game["for"]) for game in own), Fraction()) / max(1, len(own))
        net = sum((number(game["net"]) for game in own), Fraction()) / max(1, len(own))
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


def books_of(rule: Json, given: Json) -> list[Json]:
    """Return the books added up by a standing, its own last.

    In the fifth edition of counting the input held the results of all stages together, with the last round of each.
    """
    parts = given.get("carried", [])
    if not parts or "lines" in parts[0]:
        return [*parts, write_book(rule, given)]
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
        books.append(write_book(rule, {**whole, "results": lines, "adjustments": changes}, gone))
        first = last or first
    return books


class Count:
    """Standing recomputed from its rule and input, independently of the service's code.

    ``edition``: edition of the counting rules; up to edition 5, entrants without a counted game ranked
    among all others.
    """

    def __init__(self, rule: Json, given: Json, edition: int = 6) -> None:
        self.rule, self.lots, self.places = rule, given["lots"], given["places"]
        self.idle_last = edition > 5
        books = books_of(rule, given)
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
            won = record.averaged((game["round"], worth[game["outcome"]]) for game in record.games)
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
            own = record.averaged((g["round"], Fraction(g["penalties"])) for g in record.games)
            return own + record.ruled("penalties")
        if code == "marks_per_deal":
            deals = sum(game["deals"] for game in record.games)
            marks = sum((number(g["for"]) for g in record.games), record.ruled("marks"))
            return marks / deals if deals else None
        if code == "place_points":
            own = record.averaged(
                (
                    game["round"],
                    number(game["place"]) if "place" in game else _WORTH[game["outcome"]],
                )
                for game in record.games
            )
            return own + sum(_WORTH[each["outcome"]] for each in record.fixed())
        raise LookupError(f"a criterion that this check does not know: {code}")

    def _match_points(self, record: EntrantRecord, per: str) -> Fraction:
        if per == "game":
            total = record.averaged(
                (game["round"], self.points(game["outcome"])) for game in record.games
            )
            credited = [credit["outcome"] for credit in record.fixed()]
        else:
            matches = self._matches(record)
            outcomes = []
            for at, games in matches.items():
                ahead = sum({"win": 1, "loss": -1}.get(game["outcome"], 0) for game in games)
                match_points = [game["match"] for game in games if game.get("match")]
                won = "win" if ahead > 0 else "loss" if ahead < 0 else "draw"
                outcomes.append((at[0], self.points(match_points[-1] if match_points else won)))
            total = _averaged_matches(record, outcomes)
            credited = list({c["round"]: c["outcome"] for c in record.fixed()}.values())
        return total + sum(map(self.points, credited)) + record.ruled("match_points")

    def _victory_points(self, record: EntrantRecord, params: Json) -> Fraction:
        total, bounds = params.get("total", 20), params.get("bounds", _BOUNDS)
        half = Fraction(total, 2)

        def share(net: Fraction) -> Fraction:
            steps = sum(bound <= abs(net) for bound in bounds)
            return Fraction(half + (steps if net > 0 else -steps))

        points = _averaged_matches(
            record,
            [
                (at[0], share(sum((number(game["net"]) for game in games), Fraction())))
                for at, games in self._matches(record).items()
            ],
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


def _averaged_matches(record: EntrantRecord, played: list[tuple[int, Fraction]]) -> Fraction:
    """Sum matches, given as (round, worth), and add the stage's average for each averaged round."""
    rounds = {credit["round"] for credit in record.credits if credit["average"]}
    more = Counter(record.part(at) for at in rounds)
    parts: dict[int, list[Fraction]] = defaultdict(list)
    for at, amount in played:
        parts[record.part(at)].append(amount)
    return sum(
        (sum(own, Fraction()) * (len(own) + more[at]) / len(own) for at, own in parts.items()),
        Fraction(),
    )


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


# The whole file ------------------------------------------------------------------------------------


def check(archive: Json, *, key: str = "", expect: Sequence[str] = ()) -> Findings:
    """Check a whole archive; ``key``: the public key it must be signed with."""
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
    drawn = published(rows)
    findings.part(
        "draws", draw_faults(content), f"{len(drawn)} published, everybody once, as seated"
    )
    for draw in drawn:
        findings.note(
            f"{round_name(rows, str(draw['round_id']))}: drawn with the seed {draw['seed']!r}"
        )
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
    parser.add_argument("archive", type=Path)
    parser.add_argument("--key", default="", help="the public key that the organiser publishes")
    parser.add_argument(
        "--expect",
        action="append",
        default=[],
        metavar="ANCHOR",
        help="an anchor printed or saved before (812.640.0123456789abcdef), or a saved anchors.json",
    )
    arguments = parser.parse_args(words)
    try:
        findings = check(read(arguments.archive), key=arguments.key, expect=arguments.expect)
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
