"""``python -m scoring CALL < in.jsonl``: one JSON object a line in, one a line out.

Line N of the output answers line N of the input, whatever that line holds: a blank line, broken
JSON or a value that is no object is answered by an error object in its place. The exit status is
0 when every line was read and 2 for unusable arguments. Answers are flushed line by line, so that
another program can hold a conversation through a pipe.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from collections.abc import Sequence
from typing import BinaryIO, Final, NoReturn, TextIO

from .calls import CALLS, answer, rulebooks
from .errors import EngineError, Malformed

USAGE: Final = (
    "usage: python -m scoring CALL < in.jsonl > out.jsonl\n"
    f"CALL: {' | '.join(['rulebooks', *CALLS])}\n"
    "One JSON object a line; line N of the output answers line N of the input.\n"
    "'rulebooks' reads nothing and writes one JSON list.\n"
)

USAGE_ERROR: Final = 2


def main(arguments: Sequence[str], source: BinaryIO, out: TextIO, err: TextIO) -> int:
    """Run one command; returns the exit status."""
    if len(arguments) == 1 and arguments[0] in ("-h", "--help"):
        out.write(USAGE)
        return 0
    if len(arguments) != 1 or arguments[0] not in ("rulebooks", *CALLS):
        err.write(USAGE)
        return USAGE_ERROR
    call = arguments[0]
    if call == "rulebooks":
        out.write(_dump(rulebooks()) + "\n")
        out.flush()
        return 0
    for line in source:
        out.write(_dump(_answer_line(call, line, err)) + "\n")
        out.flush()
    return 0


def _answer_line(call: str, line: bytes, err: TextIO) -> object:
    try:
        return answer(call, _parse(line))
    except EngineError as error:
        return {"error": error.as_json()}
    except RecursionError:
        return _error("malformed_json", "the object is nested too deeply")
    except Exception:  # noqa: BLE001 - a fault in one line must not lose the answers to the others
        traceback.print_exc(file=err)
        return _error("internal_error", "the engine failed on this line; the trace is on stderr")


def _error(code: str, message: str) -> object:
    return {"error": {"code": code, "message": message, "field": ""}}


def _parse(line: bytes) -> object:
    try:
        text = line.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Malformed("malformed_json", "the line is not UTF-8") from None
    if not text.strip():
        raise Malformed("malformed_json", "the line is empty")
    try:
        return json.loads(text, parse_constant=_no_constant)
    except ValueError as error:  # also a number with more digits than Python reads
        raise Malformed("malformed_json", f"the line is not JSON: {error}") from None


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")


def _dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def run() -> int:
    """Run the command line on the process's own streams; return the exit code."""
    if hasattr(sys.stdout, "reconfigure"):
        # A lone surrogate quoted from the input is written back as a JSON escape.
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")
    try:
        code = main(sys.argv[1:], sys.stdin.buffer, sys.stdout, sys.stderr)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reading process has ended. Discard output, including the flush at interpreter exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return code
