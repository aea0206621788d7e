"""Numbers typed in a field of a page."""

from __future__ import annotations


def whole(text: object, *, signed: bool = False) -> int | None:
    """Return a whole number of at most eight digits; ``None`` for anything else.

    >>> whole(" 12 "), whole("-12"), whole("−12", signed=True), whole("twelve"), whole(None)
    (12, None, -12, None, None)
    """
    digits, sign = str(text or "").strip(), 1
    if signed and digits[:1] in ("-", "−"):
        digits, sign = digits[1:], -1
    return sign * int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 9 else None


def numbers_in(text: str) -> list[int]:
    """Parse typed start or table numbers: ``3, 7 12-15``; at most 2,000 of them.

    >>> numbers_in("3, 7 12-15 x")
    [3, 7, 12, 13, 14, 15]
    """
    numbers: list[int] = []
    for part in text.replace(",", " ").replace(";", " ").replace("–", "-").split()[:2000]:
        low, dash, high = part.partition("-")
        first = whole(low) or 0
        last = (whole(high) or 0) if dash else first
        if first and first <= last <= first + 2000:
            numbers += range(first, last + 1)
    return list(dict.fromkeys(numbers))[:2000]
