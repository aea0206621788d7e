"""Recognition of callers with a session of their own, or with a message from the service.

A caller with a cookie that only looks like a session gets the shared pages.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from django.conf import settings
from django.contrib.messages.storage.cookie import CookieStorage
from django.contrib.sessions.models import Session
from django.core import signing
from django.db import DatabaseError, InterfaceError, connections
from django.http.cookie import parse_cookie
from django.utils import timezone

from accounts.api_tokens import PREFIX, token_hash
from accounts.models import ApiToken

from .bridge import Headers

THERE: Final = 60.0
"""Seconds for which a session that was found is not looked up again."""
NOT_THERE: Final = 2.0
"""Seconds for which one that was not found is not: a replica may be behind."""
ROOM: Final = 10_000
"""Sessions of which it is remembered whether they are there."""
_SESSION: Final = settings.SESSION_COOKIE_NAME.encode()
_MESSAGES: Final = CookieStorage.cookie_name.encode()
_KEY: Final = re.compile(r"[a-z0-9]{8,40}")


class Sessions:
    """Session lookups of a process, cached."""

    def __init__(self) -> None:
        self.known: OrderedDict[str, tuple[bool, float]] = OrderedDict()
        # Its own: however many sessions robots make up, they hold no thread of the tables.
        self.threads = ThreadPoolExecutor(1, thread_name_prefix="sessions")

    @staticmethod
    def names_one(header: Headers) -> bool:
        """Return whether a caller may have a session: most send no such cookie, and need no look-up."""
        sent = header.sent.get(b"cookie")
        return sent is not None and (_SESSION in sent or _MESSAGES in sent)

    async def is_private(self, header: Headers) -> bool:
        """Return whether a caller has pages of their own."""
        sent = header(b"cookie")
        cookies = parse_cookie(sent)
        messages = cookies.get(CookieStorage.cookie_name, "")
        if messages and _is_signed(messages):
            return True
        return await self._has_session(cookies)

    async def is_known(self, header: Headers) -> bool:
        """Whether a caller has a session or a program's token, and may send what is long."""
        scheme, _space, token = header(b"authorization").partition(" ")
        if scheme.lower() == "bearer" and token.startswith(PREFIX):
            return await self._is_there(PREFIX + token_hash(token.strip()))
        return await self._has_session(parse_cookie(header(b"cookie")))

    async def _has_session(self, cookies: dict[str, str]) -> bool:
        key = cookies.get(settings.SESSION_COOKIE_NAME, "")
        return bool(_KEY.fullmatch(key)) and await self._is_there(key)

    async def _is_there(self, key: str) -> bool:
        is_there, until = self.known.get(key, (False, 0.0))
        if time.monotonic() < until:
            return is_there
        loop = asyncio.get_running_loop()
        try:
            is_there = await loop.run_in_executor(self.threads, _look_up, key)
        except (DatabaseError, InterfaceError):
            # Django reports the failure.
            return True
        self.known[key] = is_there, time.monotonic() + (THERE if is_there else NOT_THERE)
        self.known.move_to_end(key)
        while len(self.known) > ROOM:
            self.known.popitem(last=False)
        return is_there


def _is_signed(messages: str) -> bool:
    signer = signing.get_cookie_signer(salt=CookieStorage.key_salt)
    try:
        signer.unsign(messages)
    except signing.BadSignature:
        return False
    return True


def _look_up(key: str) -> bool:
    """Whether there is a session or a token of that key, from a thread that belongs to no request."""
    now = timezone.now()
    try:
        if key.startswith(PREFIX):
            tokens = ApiToken.objects.filter(hash=key.removeprefix(PREFIX), revoked_at=None)
            return tokens.filter(expires_at__gt=now).exists()
        return Session.objects.filter(session_key=key, expire_date__gt=now).exists()
    finally:
        connections.close_all()
