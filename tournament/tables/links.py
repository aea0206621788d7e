"""Unguessable links: derived from the installation's key, stored only as a hash, revoked by an epoch.

A link's token is 120 bits of HMAC-SHA-256 over what it is for and its epoch, so that a slip can
be printed again without the token being stored anywhere; raising the epoch makes every earlier token
worthless.
"""

from __future__ import annotations

import base64
import hashlib
import hmac

from django.conf import settings

from tournament.models import Entrant
from tournament.models.tables import Table


def make_token(purpose: str, identity: object, epoch: int = 1) -> str:
    """Make a token for one object: 24 characters of ``a-z2-7``."""
    message = f"{purpose}:{identity}:{epoch}".encode()
    digest = hmac.new(settings.SECRET_KEY.encode(), message, hashlib.sha256).digest()
    return base64.b32encode(digest[:15]).decode().lower()


def token_hash(token: str) -> str:
    """Hash a token for storage: hexadecimal SHA-256."""
    return hashlib.sha256(token.encode()).hexdigest()


def table_token(table: Table) -> str:
    """Return the token of the table's present link, to be printed on its slip."""
    return make_token("table", table.pk, table.token_epoch)


def entrant_token(entrant: Entrant) -> str:
    """Return the token of a player's present personal link, printed on their badge."""
    return make_token("entrant", f"{entrant.event_id}/{entrant.number}", entrant.link_epoch)
