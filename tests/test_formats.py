"""Dates and times as the readers of each language write them."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from django.utils import translation
from django.utils.formats import date_format

BELL = datetime(2026, 11, 21, 18, 56, tzinfo=ZoneInfo("Europe/Brussels"))


@pytest.mark.parametrize(
    ("language", "short", "whole"),
    [
        ("en", "18:56", "21 November 2026"),
        ("fr", "18:56", "21 novembre 2026"),
        ("nl", "18:56", "21 november 2026"),
    ],
)
def test_the_bell_rings_by_the_clock_of_twenty_four_hours(
    language: str, short: str, whole: str
) -> None:
    with translation.override(language):
        assert date_format(BELL, "TIME_FORMAT") == short
        assert date_format(BELL, "DATE_FORMAT") == whole
