"""Web Push (RFC 8030): devices subscribe on a player's own page, and are sent encrypted notices.

A subscription names the address to which this server sends: the holder of a badge's link chooses it. So
it is https at a public address or it is refused, when it is stored and again when it is used; the
connection goes to the address that was checked, follows no redirect, and of the answer the status
is read alone.

The key by which push services know this installation (VAPID, RFC 8292) follows from its secret, which
is made at the first start.
"""

from __future__ import annotations

import base64
import binascii
import http.client
import ipaddress
import json
import queue
import socket
import ssl
import threading
import time
from dataclasses import dataclass
from functools import lru_cache
from typing import Final
from urllib.parse import SplitResult, urlsplit

import certifi
import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext_lazy as _
from py_vapid import Vapid02

from ledger.deadline import Deadline
from ledger.errors import NotHere, Refused
from tournament.models import Entrant, EntrantState, PushSubscription

MOST_DEVICES: Final = 10
"""Devices of one player; the oldest gives way."""
SECONDS: Final = 15.0
"""All the time that a push service has for one notice: name, connection and answer together."""
CONNECT_SECONDS: Final = 5.0
SLOW: Final = "no answer in time"
KEPT_SECONDS: Final = 4 * 3600
"""Time that a push service stores a notice for a device that is off: the round is over then."""
_P256: Final = ec.SECP256R1()
_ORDER: Final = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551


class NotReached(Exception):
    """A push service did not take a notice; ``gone``: the subscription will never work again."""

    def __init__(self, why: str, *, gone: bool = False) -> None:
        super().__init__(why)
        self.gone = gone


@dataclass(frozen=True, slots=True)
class Device:
    """Push address and keys of a device, without the database."""

    endpoint: str
    p256dh: str
    auth: str


@lru_cache(maxsize=4)
def _key(secret: str) -> ec.EllipticCurvePrivateKey:
    follows = HKDF(SHA256(), 48, salt=None, info=b"manille: key of web push")
    number = int.from_bytes(follows.derive(secret.encode()), "big")
    return ec.derive_private_key(number % (_ORDER - 1) + 1, _P256)


def public_key() -> str:
    """Return the key with which a browser subscribes: an uncompressed point in base64url."""
    point = (
        _key(settings.SECRET_KEY)
        .public_key()
        .public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    )
    return _encoded(point)


def _encoded(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def _decoded(text: str) -> bytes:
    try:
        return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except (binascii.Error, ValueError) as error:
        raise _refused() from error


def _refused() -> Refused:
    return Refused("wrong_subscription", _("This device’s subscription is not valid."))


def _split(endpoint: str) -> SplitResult:
    """Split an endpoint; :class:`Refused` unless it is https with a host and no user."""
    if not (endpoint.isascii() and endpoint.isprintable()):
        raise _refused()
    try:
        parts = urlsplit(endpoint)
        port = parts.port
    except ValueError as error:
        raise _refused() from error
    schemes = ("https", "http") if settings.PUSH_PRIVATE else ("https",)
    if parts.scheme not in schemes or not parts.hostname or parts.username is not None:
        raise _refused()
    if port not in (None, 443) and not settings.PUSH_PRIVATE:
        raise _refused()
    return parts


def _address(parts: SplitResult) -> str:
    """Return the public address of an endpoint's host; :class:`Refused` where any of them is private.

    Raises OSError where the name cannot be resolved.
    """
    port = parts.port or (443 if parts.scheme == "https" else 80)
    try:
        answers = socket.getaddrinfo(parts.hostname, port, type=socket.SOCK_STREAM)
    except UnicodeError as error:  # a name that no DNS knows: an empty or endless label
        raise _refused() from error
    addresses = {str(each[4][0]) for each in answers}
    if not settings.PUSH_PRIVATE and not all(_is_public(address) for address in addresses):
        raise _refused()
    return min(addresses, key=lambda address: (":" in address, address))


def _is_public(address: str) -> bool:
    number = ipaddress.ip_address(address.partition("%")[0])
    if number.is_reserved:  # ways to IPv4 among them (::/96, 64:ff9b::/96), wherever these lead
        return False
    inner = number.ipv4_mapped or number.sixtofour if number.version == 6 else None
    return number.is_global and not number.is_multicast and (inner is None or inner.is_global)


def subscribe(
    *, entrant_id: int, endpoint: str, p256dh: str, auth: str, language: str
) -> PushSubscription:
    """Let a device be sent the notices of a player, in its language; once however often it asks."""
    parts = _split(endpoint)
    try:
        point = _decoded(p256dh)
        ec.EllipticCurvePublicKey.from_encoded_point(_P256, point)
    except ValueError as error:
        raise _refused() from error
    secret = _decoded(auth)
    if len(endpoint) > 1000 or len(point) != 65 or len(secret) != 16:
        raise _refused()
    try:
        _address(parts)
    except OSError as error:
        raise _refused() from error
    with transaction.atomic():
        entrant = Entrant.objects.select_for_update(of=("self",), no_key=True).get(pk=entrant_id)
        if entrant.state == EntrantState.MERGED:
            raise NotHere("no_such_player", _("No such player in this event."))
        values = {
            "public_key": _encoded(point),
            "secret": _encoded(secret),
            "language": language,
        }
        device, _new = PushSubscription.objects.update_or_create(
            entrant=entrant, endpoint=endpoint, defaults=values
        )
        newest = entrant.subscriptions.order_by("-pk").values_list("pk", flat=True)[:MOST_DEVICES]
        entrant.subscriptions.exclude(pk__in=list(newest)).delete()
    return device


def unsubscribe(*, entrant_id: int, endpoint: str) -> None:
    """Send a device nothing more."""
    PushSubscription.objects.filter(entrant=entrant_id, endpoint=endpoint).delete()


def _sender() -> str:
    """Return the contact of this installation for push services."""
    if settings.PUBLIC_URL.startswith("https://"):
        return str(settings.PUBLIC_URL)
    return f"mailto:{settings.EMAIL_FROM or 'manille@localhost'}"


def send(device: Device, message: dict[str, str], *, topic: str) -> None:
    """Send one device a message, encrypted for it; one with the same ``topic`` replaces the last.

    Raises:
        NotReached: when the push service did not take it, in :data:`SECONDS` all in all.
    """
    with Deadline(SECONDS) as deadline:
        try:
            parts = _split(device.endpoint)
            address = _address_within(parts, deadline)
        except Refused as refusal:
            raise NotReached("the address is not a public one", gone=True) from refusal
        except OSError as error:
            raise NotReached(f"{type(error).__name__}: the name is not known") from error
        status = _post(parts, address, *_encrypted(device, parts, message, topic), deadline)
    if status in (404, 410):
        raise NotReached(f"answered {status}", gone=True)
    if not 200 <= status < 300:
        raise NotReached(f"answered {status}")


def _encrypted(
    device: Device, parts: SplitResult, message: dict[str, str], topic: str
) -> tuple[bytes, dict[str, str]]:
    """Return the body and the headers of a message for a device."""
    body = http_ece.encrypt(
        json.dumps(message).encode(),
        private_key=ec.generate_private_key(_P256),
        dh=_decoded(device.p256dh),
        auth_secret=_decoded(device.auth),
        version="aes128gcm",
    )
    claims = {
        "sub": _sender(),
        "aud": f"{parts.scheme}://{parts.netloc}",
        "exp": int(time.time()) + 12 * 3600,
    }
    headers = {
        **Vapid02(_key(settings.SECRET_KEY)).sign(claims),
        "Content-Encoding": "aes128gcm",
        "TTL": str(KEPT_SECONDS),
        "Urgency": "high",
        "Topic": topic,
        "Host": parts.netloc,
    }
    return body, headers


def _address_within(parts: SplitResult, deadline: Deadline) -> str:
    """Look the address up until the deadline; what looks on by itself then is left behind."""
    answers: queue.SimpleQueue[str | BaseException] = queue.SimpleQueue()

    def look() -> None:
        try:
            answers.put(_address(parts))
        except (OSError, Refused) as error:
            answers.put(error)

    threading.Thread(target=look, name="push-name", daemon=True).start()
    try:
        answer = answers.get(timeout=max(0.0, deadline.left))
    except queue.Empty as error:
        raise NotReached(SLOW) from error
    if isinstance(answer, BaseException):
        raise answer
    return answer


def _post(
    parts: SplitResult, address: str, body: bytes, headers: dict[str, str], deadline: Deadline
) -> int:
    """Post to the address that was checked; the certificate must be that of the host's name."""
    host, https = str(parts.hostname), parts.scheme == "https"
    port = parts.port or (443 if https else 80)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    if deadline.left <= 0:
        raise NotReached(SLOW)
    link = http.client.HTTPConnection(host, port)
    try:
        link.sock = socket.create_connection((address, port), min(CONNECT_SECONDS, deadline.left))
        deadline.watch(link.sock)
        if https:
            link.sock = _tls().wrap_socket(link.sock, server_hostname=host)
        link.sock.settimeout(max(deadline.left, 0.1))
        link.request("POST", path, body, headers)
        status = link.getresponse().status
    except (OSError, http.client.HTTPException) as error:
        raise NotReached(SLOW if deadline.left <= 0 else type(error).__name__) from error
    finally:
        link.close()
    # A head that the deadline cut short reads like a whole one.
    if deadline.left <= 0:
        raise NotReached(SLOW)
    return status


@lru_cache(maxsize=1)
def _tls() -> ssl.SSLContext:
    return ssl.create_default_context(cafile=certifi.where())
