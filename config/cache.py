"""The shared cache, without which the service goes on.

Nothing official lives in the cache: the counts of the rate limits, turns and notes that may be lost. When Redis does not answer, a read finds nothing and a write is lost; the process then
leaves Redis alone for a moment, so that no request waits for it twice.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any, Final

import structlog
from django.core.cache.backends.redis import RedisCache
from redis.exceptions import ConnectionError as RedisGone
from redis.exceptions import TimeoutError as RedisSlow

log = structlog.get_logger(__name__)
REST: Final = 2.0
"""Seconds for which Redis is left alone after it did not answer."""


class PlainValues:
    """Values as JSON, not as pickles: who can write to Redis must not be able to run code here."""

    def dumps(self, value: Any) -> bytes | int:
        """The value as it is stored; whole numbers as themselves, so that Redis counts with them.

        Raises:
            TypeError: where the value is none of JSON.
        """
        return value if type(value) is int else json.dumps(value).encode()

    def loads(self, data: bytes) -> Any:
        """The value that was stored.

        Raises:
            ValueError: where it is no JSON.
        """
        return json.loads(data)


class PatientRedis(RedisCache):
    """Django's Redis cache, for which an unreachable Redis is an empty one."""

    _again_at = 0.0

    def _try(self, ask: Callable[[], Any], otherwise: Any) -> Any:
        if time.monotonic() < PatientRedis._again_at:
            return otherwise
        try:
            return ask()
        except (RedisGone, RedisSlow) as error:
            PatientRedis._again_at = time.monotonic() + REST
            log.warning("cache_unreachable", error=str(error))
            return otherwise

    def add(self, key: Any, value: Any, *args: Any, **more: Any) -> bool:
        """As Django's; true when Redis is away, as for a key that was not there."""
        return bool(
            self._try(lambda: super(PatientRedis, self).add(key, value, *args, **more), True)
        )

    def get(self, key: Any, default: Any = None, version: Any = None) -> Any:
        """As Django's; the default when Redis is away."""
        return self._try(lambda: super(PatientRedis, self).get(key, default, version), default)

    def set(self, key: Any, value: Any, *args: Any, **more: Any) -> None:
        """As Django's; nothing when Redis is away."""
        self._try(lambda: super(PatientRedis, self).set(key, value, *args, **more), None)

    def touch(self, key: Any, *args: Any, **more: Any) -> bool:
        """As Django's; false when Redis is away."""
        return bool(self._try(lambda: super(PatientRedis, self).touch(key, *args, **more), False))

    def delete(self, key: Any, version: Any = None) -> bool:
        """As Django's; false when Redis is away."""
        return bool(self._try(lambda: super(PatientRedis, self).delete(key, version), False))

    def get_many(self, keys: Any, version: Any = None) -> dict[Any, Any]:
        """As Django's; empty when Redis is away."""
        values: dict[Any, Any] = self._try(
            lambda: super(PatientRedis, self).get_many(keys, version), {}
        )
        return values

    def set_many(self, data: Any, *args: Any, **more: Any) -> list[Any]:
        """As Django's; all keys failed when Redis is away."""
        failed: list[Any] = self._try(
            lambda: super(PatientRedis, self).set_many(data, *args, **more), list(data)
        )
        return failed

    def delete_many(self, keys: Any, version: Any = None) -> None:
        """As Django's; nothing when Redis is away."""
        self._try(lambda: super(PatientRedis, self).delete_many(keys, version), None)

    def has_key(self, key: Any, version: Any = None) -> bool:
        """As Django's; false when Redis is away."""
        return bool(self._try(lambda: super(PatientRedis, self).has_key(key, version), False))

    def incr(self, key: Any, delta: int = 1, version: Any = None) -> int:
        """As Django's; ``delta`` when Redis is away, as for a count that has just begun."""
        return int(self._try(lambda: super(PatientRedis, self).incr(key, delta, version), delta))

    def clear(self) -> None:
        """As Django's; nothing when Redis is away."""
        self._try(lambda: super(PatientRedis, self).clear(), None)
