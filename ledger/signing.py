"""The installation's key: Ed25519 (RFC 8032), with which it signs heads of journals and archives.

A signature says who wrote something, to anybody who knows the public key from elsewhere; who has the
database alone can write no other. What is signed is the canonical JSON of a document's members
without ``signature`` itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings

from .canonical import canonical_json


class WrongSignature(ValueError):
    """The signature of a document does not match its content."""


@lru_cache(maxsize=4)
def _key(given: str, secret: str) -> Ed25519PrivateKey:
    if given:
        return Ed25519PrivateKey.from_private_bytes(bytes.fromhex(given))
    follows = HKDF(SHA256(), 32, salt=None, info=b"manille: key of the installation")
    return Ed25519PrivateKey.from_private_bytes(follows.derive(secret.encode()))


def _own() -> Ed25519PrivateKey:
    return _key(settings.SIGNING_KEY, settings.SECRET_KEY)


def public_key() -> str:
    """Return the public key of this installation: 64 hexadecimal digits."""
    return _own().public_key().public_bytes_raw().hex()


def _signed(document: Mapping[str, object]) -> bytes:
    return canonical_json({k: v for k, v in document.items() if k != "signature"}).encode()


def signature(document: Mapping[str, object]) -> dict[str, str]:
    """Return this installation's ``signature`` member for a document."""
    return {"key": public_key(), "ed25519": _own().sign(_signed(document)).hex()}


def signer(document: Mapping[str, Any]) -> str:
    """Return the public key that signed a document; empty for an unsigned document.

    Raises:
        WrongSignature: where the signature is not one of this document.
    """
    given = document.get("signature")
    if given is None:
        return ""
    try:
        key = bytes.fromhex(given["key"])
        Ed25519PublicKey.from_public_bytes(key).verify(
            bytes.fromhex(given["ed25519"]), _signed(document)
        )
    except (InvalidSignature, LookupError, TypeError, ValueError) as error:
        raise WrongSignature("the signature is not one of this document") from error
    return key.hex()
