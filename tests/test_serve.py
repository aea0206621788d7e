"""The one-command service asks itself by a name that it answers to, wherever it is bound."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from django.test import Client, override_settings

from config.serve import ask_ready, is_local, lan_address, open_to_the_network, served_name


class Application(BaseHTTPRequestHandler):
    """Django's own answer to the request of another process."""

    def do_GET(self) -> None:
        """Answer what the service would, told the same name."""
        answer = Client().get(self.path, headers={"Host": self.headers["Host"]})
        self.send_response(answer.status_code)
        self.end_headers()
        self.wfile.write(answer.content)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@pytest.fixture
def port(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """A server on every address of this machine whose database and queue are well."""
    monkeypatch.setattr("operations.health.database_state", lambda: "ok")
    monkeypatch.setattr("operations.health.disk_state", lambda: "ok")
    monkeypatch.setattr("operations.health.queue_state", lambda: "ok")
    server = ThreadingHTTPServer(("0.0.0.0", 0), Application)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server.server_port
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize(
    "allowed",
    [["192.168.1.10"], ["manille.local", "localhost"], [".club.example"], ["*"], ["localhost"]],
)
def test_a_service_for_the_hall_finds_itself_ready(port: int, allowed: list[str]) -> None:
    with override_settings(ALLOWED_HOSTS=allowed):
        assert ask_ready("0.0.0.0", port, served_name("0.0.0.0", allowed)) == ""
        # By another name it is refused, and the operator is told with what.
        if "*" not in allowed:
            assert ask_ready("0.0.0.0", port, "0.0.0.0").startswith("400 ")


def test_what_keeps_it_from_being_ready_is_said(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("operations.health.database_state", lambda: "unreachable")
    with override_settings(ALLOWED_HOSTS=["localhost"]):
        assert '"database": "unreachable"' in ask_ready("0.0.0.0", port, "localhost")


def test_the_address_that_is_printed_is_the_one_for_the_hall() -> None:
    assert served_name("0.0.0.0", ["localhost", "192.168.1.10"]) == "192.168.1.10"
    assert served_name("192.168.1.10", ["manille.local", "192.168.1.10"]) == "192.168.1.10"
    assert served_name("::1", ["localhost", "[::1]"]) == "[::1]"


def test_a_service_opened_to_the_network_answers_to_its_own_address(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("config.serve.lan_address", lambda: "192.168.1.10")
    for host, given, answers in (
        ("0.0.0.0", "", "localhost,127.0.0.1,[::1],192.168.1.10"),
        ("0.0.0.0", "manille.local", "manille.local"),
        ("127.0.0.1", "", ""),
    ):
        monkeypatch.delenv("ALLOWED_HOSTS", raising=False)
        if given:
            monkeypatch.setenv("ALLOWED_HOSTS", given)
        open_to_the_network(host)
        assert os.environ.get("ALLOWED_HOSTS", "") == answers
    monkeypatch.delenv("ALLOWED_HOSTS", raising=False)


def test_the_address_in_the_network_is_no_inner_one() -> None:
    assert not is_local(lan_address() or "192.168.1.10")
