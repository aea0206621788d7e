"""Structured logs: every line carries the request, job and table it belongs to; never a secret.

Ids are bound with :func:`structlog.contextvars.bind_contextvars` where the work enters the
process (middleware, job runner, table pages).
"""

from __future__ import annotations

import logging
import re
from typing import Any

import structlog

_SECRET_NAMES = ("password", "token", "secret", "authorization", "cookie", "csrf")


# The links of tables, players and e-mails: anyone who knows one may write there.
_LINK = re.compile(r"/(t|p|sign|mail)/[A-Za-z0-9-]{16,}")


def _mask_secrets(_logger: object, _method: str, event: dict[str, object]) -> dict[str, object]:
    """Mask every value whose key names a secret, and the secret links of tables and players."""
    for name, value in event.items():
        if any(word in name.lower() for word in _SECRET_NAMES):
            event[name] = "***"
        elif isinstance(value, str) and "/" in value:
            event[name] = _LINK.sub(r"/\1/***", value)
    return event


def shared() -> list[Any]:
    """Return the processors of every log record, whatever its logger."""
    return [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        _mask_secrets,
    ]


def processors(log_format: str) -> list[Any]:
    """Return the processors that turn a record into a line: ``text`` for people, ``json`` for machines."""
    last: list[object] = [structlog.stdlib.ProcessorFormatter.remove_processors_meta]
    if log_format == "json":
        # Tracebacks without the values of local variables: those hold passwords and tokens.
        tracebacks = structlog.processors.ExceptionRenderer(
            structlog.tracebacks.ExceptionDictTransformer(show_locals=False)
        )
        return [*last, tracebacks, structlog.processors.JSONRenderer()]
    plain = structlog.dev.plain_traceback
    return [*last, structlog.dev.ConsoleRenderer(colors=False, exception_formatter=plain)]


def json_lines() -> logging.Formatter:
    """Return the JSON formatter, for programs configured with its dotted path (granian)."""
    return structlog.stdlib.ProcessorFormatter(
        processors=processors("json"), foreign_pre_chain=shared()
    )


structlog.configure(
    processors=[
        structlog.stdlib.filter_by_level,
        *shared(),
        structlog.stdlib.PositionalArgumentsFormatter(),
        structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
    ],
    logger_factory=structlog.stdlib.LoggerFactory(),
    cache_logger_on_first_use=True,
)
# Warnings of Python are lines of the log as well.
logging.captureWarnings(True)
