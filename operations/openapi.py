"""Refusals in the API's schema: the shape of the problem document and the statuses of each operation.

The views describe their successful responses. All refusals share one shape
(``config.errors.problem_json``), which is added here for every operation.
"""

from __future__ import annotations

from typing import Final

from ledger.canonical import JsonObject

_TEXT: Final = {"type": "string"}
PROBLEM: Final = {
    "type": "object",
    "description": "A refusal (RFC 9457): a stable code for programs, a sentence for people.",
    "properties": {
        "type": _TEXT,
        "title": _TEXT,
        "status": {"type": "integer"},
        "code": _TEXT,
        "detail": _TEXT,
        "field": _TEXT,
        "params": {
            "type": "object",
            "additionalProperties": True,
            "description": "The values that the sentence names.",
        },
        "defects": {
            "type": "array",
            "items": _TEXT,
            "description": "Every reason why an entry is impossible; with code and values in `params`.",
        },
        "doubts": {
            "type": "array",
            "items": {"$ref": "#/components/schemas/Doubt"},
            "description": "`please_check`: what looks like a mistake.",
        },
        "sure": {**_TEXT, "description": "`please_check`: send it back to confirm."},
    },
    "required": ["type", "title", "status", "code", "detail", "field"],
    "additionalProperties": True,
}
"""The component ``Problem``; a refusal may carry more members than these."""

DOUBT: Final = {
    "type": "object",
    "description": "A probable mistake: asked, never imposed.",
    "properties": {
        "code": _TEXT,
        "field": _TEXT,
        "question": _TEXT,
        "params": {"type": "object", "additionalProperties": True},
    },
    "required": ["code", "field", "question", "params"],
}

SAID: Final = {
    "400": "What was sent cannot be read or is not valid; nothing was changed.",
    "401": "The link or token is not valid.",
    "403": "The caller may not do this here.",
    "404": "No such thing.",
    "406": "The API answers in JSON only.",
    "409": "The current state does not allow this.",
    "415": "The API reads JSON, and files as a form (multipart/form-data) where it says so.",
    "429": "Too many attempts: wait, then try again.",
    "503": "The database is not available, or has no space left, right now; nothing was saved.",
}
_ALWAYS: Final = ("400", "404", "406", "429", "503")
_WITH_ACCOUNT: Final = ("401", "403")
_WITH_BODY: Final = ("409", "415")


def _problem(status: str, described: dict[str, object]) -> dict[str, object]:
    return {
        "description": described.get("description") or SAID.get(status, ""),
        "content": {
            "application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}
        },
    }


def _refusals(verb: str, operation: JsonObject) -> tuple[str, ...]:
    needs_account = any(operation.get("security") or [])
    return (
        *_ALWAYS,
        *(_WITH_ACCOUNT if needs_account else ()),
        *(_WITH_BODY if verb not in ("get", "head", "options") else ()),
    )


def describe_refusals(result: JsonObject, **_more: object) -> dict[str, object]:
    """Add the refusals to every operation, all of them problem+json (a hook of drf-spectacular)."""
    schemas = result.setdefault("components", {}).setdefault("schemas", {})
    schemas |= {"Problem": PROBLEM, "Doubt": DOUBT}
    for path in result["paths"].values():
        for verb, operation in path.items():
            if not isinstance(operation, dict) or "responses" not in operation:
                continue
            answers = operation["responses"]
            for status in _refusals(verb, operation):
                answers.setdefault(status, {})
            for status in answers:
                if status >= "400":
                    answers[status] = _problem(status, answers[status])
            conditional = any(
                one.get("name") == "If-None-Match" for one in operation.get("parameters", [])
            )
            if conditional:
                answers.setdefault("304", {"description": "Nothing is new."})
            operation["responses"] = dict(sorted(answers.items()))
    return result
