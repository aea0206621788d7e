"""What the pages that manage accounts share."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.http import HttpRequest

from ledger.errors import Refused


def account_id(text: str) -> int:
    """An account's id of a form; 0 for anything else."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0


def show_refusal(request: HttpRequest, form: forms.Form, refusal: Refused) -> None:
    """The refusal on the form where one was sent, above the page otherwise."""
    if form.is_bound:
        form.full_clean()
        form.add_error(refusal.field if refusal.field in form.fields else None, str(refusal))
    else:
        messages.error(request, str(refusal))
