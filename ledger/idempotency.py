"""Requests that may be sent twice have their effect once.

A phone in a hall with bad Wi-Fi cannot know whether its request arrived; it sends it again with
the same key. The first answer is stored in the transaction of the effect, and returned again.
"""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Callable

from django.utils.translation import gettext_lazy as _

from ledger.canonical import JsonObject

from .canonical import canonical_json
from .change import require_change
from .errors import Conflict
from .models import IdempotencyKey


class KeyReused(Conflict):
    """The key was used before for a different request."""

    def __init__(self) -> None:
        super().__init__("key_reused", _("This entry was sent before with other content."))


def once(
    *,
    scope: uuid.UUID,
    key: str,
    request: object,
    effect: Callable[[], JsonObject],
    within: uuid.UUID | None = None,
) -> tuple[JsonObject, bool]:
    """Run ``effect()`` at most once for ``key`` in ``scope``, in the open change, and return its answer.

    Returns ``(answer, repeated)``. Without a key the effect runs always; ``within`` is the part of the
    scope whose keys are apart from others. ``request`` is what the caller sent: the same key with
    another request raises :class:`KeyReused`. Two senders at once: the second waits for the
    first's transaction and gets its answer, or, on a unique violation, is rolled back by the
    database and may simply try again.
    """
    require_change("an answer that is given once")
    if not key:
        return effect(), False
    if within is not None:
        key = f"{within}:{key}"[:80]
    fingerprint = hashlib.sha256(canonical_json(request).encode()).hexdigest()
    known = IdempotencyKey.objects.filter(scope=scope, key=key).first()
    if known is not None:
        if known.fingerprint != fingerprint:
            raise KeyReused
        return known.answer, True
    answer = effect()
    IdempotencyKey.objects.create(scope=scope, key=key, fingerprint=fingerprint, answer=answer)
    return answer, False
