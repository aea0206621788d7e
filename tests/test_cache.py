"""Values cached in Redis are plain data: no value read from there can run code."""

from __future__ import annotations

import os
import pickle
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import environ
import pytest
from celery import Celery
from django.core.cache import caches
from django.core.cache.backends.redis import RedisCache
from django.test import override_settings
from kombu.exceptions import OperationalError
from redis.exceptions import ConnectionError as RedisGone

from config.cache import REST, PatientRedis, PlainValues
from config.celery import app
from tests.conftest import missing
from tests.programs import answers, free_port, wait_for


class Attack:
    """Creates a file when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> Any:
        return os.mkdir, (str(self.path),)


@pytest.mark.guide("security#security")
def test_a_pickle_in_redis_is_refused_and_not_run(tmp_path: Path) -> None:
    mark = tmp_path / "run"
    with pytest.raises(ValueError, match=r"decode|Expecting|utf"):
        PlainValues().loads(pickle.dumps(Attack(mark)))
    assert not mark.exists()


@pytest.mark.parametrize(
    "value", [0, 7, -1, True, None, "é", [{"at": "2026-11-22", "ms": 1200}], 1.5]
)
def test_values_come_back_as_they_were(value: object) -> None:
    plain = PlainValues()
    stored = plain.dumps(value)
    found = plain.loads(stored if isinstance(stored, bytes) else str(stored).encode())
    assert (found, type(found)) == (value, type(value))


def test_what_is_no_data_is_not_stored() -> None:
    with pytest.raises(TypeError):
        PlainValues().dumps(Path("x"))


@pytest.mark.guide("security#security")
def test_messages_of_the_queue_are_json_and_nothing_else_is_read() -> None:
    assert app.conf.task_serializer == "json"
    assert list(app.conf.accept_content) == ["json"]
    assert app.conf.event_serializer == "json"


@pytest.fixture
def port(tmp_path: Path) -> Iterator[int]:
    """Run a Redis with a password."""
    if shutil.which("redis-server") is None:
        missing("redis-server", "apt-get install redis-server")
    number = free_port()
    words = ["--port", str(number), "--bind", "127.0.0.1", "--dir", str(tmp_path), "--save", ""]
    process = subprocess.Popen(
        ["redis-server", *words, "--requirepass", "hall0123"], stdout=subprocess.DEVNULL
    )
    try:
        wait_for("Redis", lambda: answers(number), process=process)
        yield number
    finally:
        process.terminate()
        process.wait(20)


@pytest.mark.long
def test_cache_and_queue_use_the_password_of_their_addresses(
    port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Addresses as the compose file writes them."""
    # Another test may just have lost its Redis.
    monkeypatch.setattr(PatientRedis, "_again_at", 0.0)
    given: dict[str, Any] = environ.Env.cache_url_config(
        f"rediscache://default:hall0123@127.0.0.1:{port}/1"
    )
    options = {"serializer": "config.cache.PlainValues"}
    with override_settings(
        CACHES={"default": {**given, "BACKEND": "config.cache.PatientRedis", "OPTIONS": options}}
    ):
        cache = caches["default"]
        assert cache.add("count", 0, 60)
        assert cache.incr("count") == 1
        cache.set("slow", [{"ms": 1200}], 60)
        assert cache.get("slow") == [{"ms": 1200}]
    for address, message in (
        (f"redis://default:hall0123@127.0.0.1:{port}/0", ""),
        (f"redis://127.0.0.1:{port}/0", "Authentication required"),
    ):
        queue = Celery("of-a-test", broker=address, set_as_current=False)
        with queue.connection_for_write() as line:
            if not message:
                line.ensure_connection(max_retries=1, timeout=2)
                continue
            with pytest.raises(OperationalError, match=message):
                line.ensure_connection(max_retries=1, timeout=2)


def test_a_redis_that_does_not_answer_is_left_alone_for_a_moment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[float] = []
    clock = SimpleNamespace(now=0.0)
    clock.monotonic = lambda: clock.now

    def away(*_: object) -> None:
        asked.append(clock.now)
        raise RedisGone

    monkeypatch.setattr(RedisCache, "get", away)
    monkeypatch.setattr(PatientRedis, "_again_at", 0.0)
    monkeypatch.setattr("config.cache.time", clock)
    patient = PatientRedis("redis://127.0.0.1:1", {})
    moments = (1000.0, 1000.0 + REST - 0.1, 1000.0 + REST + 0.1)
    for clock.now in moments:
        assert patient.get("a", "nothing") == "nothing"
    assert asked == [moments[0], moments[2]]
