"""Unguessable links: made from the installation's key, kept only as a hash, revoked by an epoch.

A link's token is 120 bits of HMAC-SHA-256 over what it is for and its epoch, so that a slip can
be printed again without the token being stored anywhere; raising the epoch makes every token made
before worthless.
"""

from __future__ import annotations

import base64
import hashlib
import hmac

from django.conf import settings


def make_token(purpose: str, identity: object, epoch: int = 1) -> str:
    """The token for one thing: 24 characters of ``a-z2-7``."""
    message = f"{purpose}:{identity}:{epoch}".encode()
    digest = hmac.new(settings.SECRET_KEY.encode(), message, hashlib.sha256).digest()
    return base64.b32encode(digest[:15]).decode().lower()


def token_hash(token: str) -> str:
    """What is stored of a token: hexadecimal SHA-256."""
    return hashlib.sha256(token.encode()).hexdigest()
