"""The installation's key: a signature names its installation and document, and nothing else bears it."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from django.core.management import CommandError, call_command
from django.test import Client

from ledger import signing
from ledger.anchors import as_json
from tests.tournament.build import make_event

OTHER = "42" * 32


@pytest.mark.guide("operator#anchors-and-stamps", "security#security")
def test_the_key_is_the_one_of_the_environment_or_follows_from_the_secret(settings: Any) -> None:
    # RFC 8032, section 7.1, test 1.
    settings.SIGNING_KEY = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"
    expected = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
    assert signing.public_key() == expected
    settings.SIGNING_KEY = ""
    first = signing.public_key()
    assert first == signing.public_key() != expected
    settings.SECRET_KEY = "another" * 10
    assert signing.public_key() != first


@pytest.mark.parametrize("name", ["anchors", "all", "at", "kind"])
def test_every_member_of_a_document_is_signed(name: str) -> None:
    document: dict[str, Any] = {"kind": "manille-anchors", "at": "1", "anchors": {}, "all": "2"}
    document["signature"] = signing.signature(document)
    assert signing.signer(document) == signing.public_key()
    with pytest.raises(signing.WrongSignature):
        signing.signer({**document, name: "changed"})


@pytest.mark.parametrize("given", [{}, [], "x", 1, {"key": "00", "ed25519": "00"}, {"key": 1}])
def test_what_is_no_signature_is_refused(given: Any) -> None:
    with pytest.raises(signing.WrongSignature):
        signing.signer({"kind": "x", "signature": given})


@pytest.mark.guide("operator#anchors-and-stamps", "security#security")
@pytest.mark.django_db
def test_the_public_anchors_are_signed_with_the_key_of_the_public_page(client: Client) -> None:
    make_event(4, slug="hall")
    told = client.get("/anchors.json").json()
    given = told.pop("signature")
    text = json.dumps(told, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(given["key"]))
    key.verify(bytes.fromhex(given["ed25519"]), text.encode())
    assert given["key"] in client.get("/journal/").content.decode()
    assert 'href="/journal/"' in client.get("/e/hall/standings/").content.decode()


@pytest.mark.django_db
def test_saved_anchors_say_who_signed_them_and_are_held_to_it(
    tmp_path: Path, settings: Any
) -> None:
    make_event(4)
    saved = tmp_path / "anchors.json"

    def verified() -> str:
        out = StringIO()
        call_command("audit_verify", f"--expect={saved}", stdout=out)
        return out.getvalue()

    saved.write_text(json.dumps(as_json()))
    assert "signed by this installation" in verified()
    own = signing.public_key()
    settings.SIGNING_KEY = OTHER
    assert f"signed by {own}" in verified()
    saved.write_text(json.dumps({"anchors": as_json()["anchors"]}))
    assert "signed by nobody" in verified()
    saved.write_text(json.dumps({**as_json(), "all": "0"}))
    with pytest.raises(CommandError, match="the signature is not one of this document"):
        verified()
