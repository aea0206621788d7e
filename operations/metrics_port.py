"""The figures on a port of their own, for Prometheus in the same network.

Every web process of an instance would give the same figures, so one of them listens; the others try
again every few seconds, and take over when it ends. Nobody needs a host name that the service answers to,
https or a token there: the port is not for the outside.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable
from typing import Final
from wsgiref.simple_server import WSGIServer

import structlog
from django.conf import settings
from django.db import connections
from prometheus_client import CollectorRegistry, Metric, start_http_server

from operations.metrics import Records, counted_here

log = structlog.get_logger(__name__)
AGAIN: Final = 5.0
"""Seconds after which a port that another process has is tried again."""


class _Figures:
    """All figures, with the database given back after each time that they are asked for."""

    def collect(self) -> Iterable[Metric]:
        """Yield the metrics from the database, then the counts of this instance's processes."""
        try:
            yield from Records().collect()
            yield from counted_here().collect()
        finally:
            connections.close_all()

    def describe(self) -> Iterable[Metric]:
        """Yield nothing: registration must not read the database."""
        return []


def serve(address: str) -> WSGIServer:
    """Give the figures at ``HOST:PORT`` from a thread; OSError where the port is taken."""
    host, _colon, port = address.rpartition(":")
    figures = CollectorRegistry()
    figures.register(_Figures())
    server, _thread = start_http_server(int(port), host.strip("[]"), figures)
    return server


def serve_when_free(address: str, again: float = AGAIN) -> WSGIServer:
    """Call :func:`serve` once the port is free."""
    while True:
        try:
            return serve(address)
        except OSError as error:
            log.debug("metrics_port_taken", address=address, why=str(error))
            time.sleep(again)


def listen() -> None:
    """Begin in this process, where ``METRICS_LISTEN`` names an address."""
    if settings.METRICS_LISTEN:
        waiting = threading.Thread(
            target=serve_when_free, args=(settings.METRICS_LISTEN,), daemon=True
        )
        waiting.start()
