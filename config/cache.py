"""The shared cache, without which the service goes on.

Nothing official lives in the cache: the counts of the rate limits, turns and notes that may be lost. When Redis does not answer, a read finds nothing and a write is lost; the process then
leaves Redis alone for a moment, so that no request waits for it twice.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable
from typing import Final, TypeVar

import structlog
from django.core.cache.backends.base import DEFAULT_TIMEOUT
from django.core.cache.backends.redis import RedisCache
from redis.exceptions import ConnectionError as RedisGone
from redis.exceptions import TimeoutError as RedisSlow

log = structlog.get_logger(__name__)
Answer = TypeVar("Answer")
REST: Final = 2.0
"""Seconds for which Redis is left alone after it did not answer."""


class PlainValues:
    """Values as JSON, not as pickles: who can write to Redis must not be able to run code here."""

    def dumps(self, value: object) -> bytes | int:
        """Encode a value; whole numbers stay plain, so that Redis can count with them.

        Raises:
            TypeError: where the value is none of JSON.
        """
        return value if type(value) is int else json.dumps(value).encode()

    def loads(self, data: bytes) -> object:
        """Decode a stored value.

        Raises:
            ValueError: where it is no JSON.
        """
        return json.loads(data)


class PatientRedis(RedisCache):
    """Django's Redis cache, for which an unreachable Redis is an empty one."""

    _again_at = 0.0

    def _try(self, ask: Callable[[], Answer], otherwise: Answer) -> Answer:
        if time.monotonic() < PatientRedis._again_at:
            return otherwise
        try:
            return ask()
        except (RedisGone, RedisSlow) as error:
            PatientRedis._again_at = time.monotonic() + REST
            log.warning("cache_unreachable", error=str(error))
            return otherwise

    def add(
        self,
        key: str,
        value: object,
        timeout: float | None = DEFAULT_TIMEOUT,
        version: int | None = None,
    ) -> bool:
        """Call Django's ``add``; true without Redis, as for a new key."""
        return self._try(lambda: super(PatientRedis, self).add(key, value, timeout, version), True)

    def get(self, key: str, default: object = None, version: int | None = None) -> object:
        """Call Django's ``get``; the default without Redis."""
        return self._try(lambda: super(PatientRedis, self).get(key, default, version), default)

    def set(
        self,
        key: str,
        value: object,
        timeout: float | None = DEFAULT_TIMEOUT,
        version: int | None = None,
    ) -> None:
        """Call Django's method; do nothing without Redis."""
        self._try(lambda: super(PatientRedis, self).set(key, value, timeout, version), None)

    def touch(
        self, key: str, timeout: float | None = DEFAULT_TIMEOUT, version: int | None = None
    ) -> bool:
        """Call Django's method; return false without Redis."""
        return self._try(lambda: super(PatientRedis, self).touch(key, timeout, version), False)

    def delete(self, key: str, version: int | None = None) -> bool:
        """Call Django's method; return false without Redis."""
        return self._try(lambda: super(PatientRedis, self).delete(key, version), False)

    def get_many(self, keys: Iterable[str], version: int | None = None) -> dict[str, object]:
        """Call Django's method; return an empty dict without Redis."""
        return self._try(lambda: super(PatientRedis, self).get_many(keys, version), {})

    def set_many(
        self,
        data: dict[str, object],
        timeout: float | None = DEFAULT_TIMEOUT,
        version: int | None = None,
    ) -> list[str]:
        """Call Django's method; report all keys as failed without Redis."""
        return self._try(
            lambda: super(PatientRedis, self).set_many(data, timeout, version), list(data)
        )

    def delete_many(self, keys: Iterable[str], version: int | None = None) -> None:
        """Call Django's method; do nothing without Redis."""
        self._try(lambda: super(PatientRedis, self).delete_many(keys, version), None)

    def has_key(self, key: str, version: int | None = None) -> bool:
        """Call Django's method; return false without Redis."""
        return self._try(lambda: super(PatientRedis, self).has_key(key, version), False)

    def incr(self, key: str, delta: int = 1, version: int | None = None) -> int:
        """Call Django's ``incr``; ``delta`` without Redis, as for a new count."""
        return self._try(lambda: super(PatientRedis, self).incr(key, delta, version), delta)

    def clear(self) -> None:
        """Call Django's method; do nothing without Redis."""
        self._try(lambda: super(PatientRedis, self).clear(), None)
