"""A push service and a device for tests: it stores messages, and the device decrypts them as a browser would."""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat


def _text(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


class Device:
    """A subscribed browser: its keys, and its address at the push service."""

    def __init__(self, endpoint: str) -> None:
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.secret = b"sixteen bytes!!!"
        self.endpoint = endpoint

    @property
    def form(self) -> dict[str, str]:
        """Return the fields that notices.js posts."""
        point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return {"endpoint": self.endpoint, "p256dh": _text(point), "auth": _text(self.secret)}

    def read(self, body: bytes) -> dict[str, Any]:
        """Decrypt the message that the push service delivers."""
        text = http_ece.decrypt(body, private_key=self.key, auth_secret=self.secret)
        message: dict[str, Any] = json.loads(text)
        return message


class Service:
    """Push service for devices: ``got`` stores the messages received, ``answers`` the statuses to return, by path."""

    def __init__(self, port: int) -> None:
        self.address = f"http://127.0.0.1:{port}"
        self.got: list[tuple[str, dict[str, str], bytes]] = []
        self.answers: dict[str, int] = {}

    def device(self, path: str) -> Device:
        """Return a device of this service."""
        return Device(f"{self.address}/{path}")


@contextmanager
def push_service() -> Iterator[Service]:
    """Run a push service for the test."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            path = self.path.strip("/")
            service.got.append((path, dict(self.headers), body))
            self.send_response(service.answers.get(path, 201))
            self.send_header("Location", "http://127.0.0.1:1/elsewhere")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_words: Any) -> None:
            """Log nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        service = Service(server.server_address[1])
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        try:
            yield service
        finally:
            server.shutdown()
            thread.join()
