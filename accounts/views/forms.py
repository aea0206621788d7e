"""Shared parts of the pages that manage accounts."""

from __future__ import annotations

from typing import NamedTuple

from django import forms
from django.contrib import messages
from django.http import HttpRequest
from django.utils.translation import gettext_noop, ngettext_lazy

from ledger.errors import Refused

REWORDED = (
    gettext_noop("Your old password was entered incorrectly. Please enter it again."),
    gettext_noop("Your password can’t be too similar to your other personal information."),
    gettext_noop("Your password can’t be a commonly used password."),
    gettext_noop("Your password can’t be entirely numeric."),
    ngettext_lazy(
        "Your password must contain at least %(min_length)d character.",
        "Your password must contain at least %(min_length)d characters.",
        "min_length",
    ),
)
"""Django's texts that our catalogues translate again: Django's Dutch addresses the reader as *u*."""


class NewAccount(NamedTuple):
    """Name and password of an account, shown once."""

    name: str
    password: str


def account_id(text: str) -> int:
    """Return the account id in a form field; 0 if the text is not an id."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0


def show_refusal(request: HttpRequest, form: forms.Form, refusal: Refused) -> None:
    """Show a refusal on the submitted form, or above the page without one."""
    if form.is_bound:
        form.full_clean()
        form.add_error(refusal.field if refusal.field in form.fields else None, str(refusal))
    else:
        messages.error(request, str(refusal))
