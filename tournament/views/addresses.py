"""The address that codes and papers carry, and whether a phone can reach it."""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest


def address_for_phones(request: HttpRequest) -> str:
    """Return the address to print: ``PUBLIC_URL`` where it is set, else that of the request."""
    return str(settings.PUBLIC_URL or request.build_absolute_uri("/").rstrip("/"))


def unreachable_address(request: HttpRequest) -> str:
    """Return the address to print where only this machine itself reaches it; empty otherwise."""
    return unreachable(address_for_phones(request))


def unreachable(address: str) -> str:
    """Return an address where only its own machine reaches it; empty otherwise."""
    host = urlsplit(address).hostname or ""
    if host == "localhost" or host.endswith(".localhost"):
        return address
    try:
        number = ipaddress.ip_address(host)
    except ValueError:
        return ""
    return address if number.is_loopback or number.is_unspecified else ""
