"""Keyboard layouts of other countries, as a scanner with US keys meets them."""

from __future__ import annotations

KEYS = "1234567890-=qwertyuiop[]asdfghjkl;'zxcvbnm,./"
SHIFTED = '!@#$%^&*()_+QWERTYUIOP{}ASDFGHJKL:"ZXCVBNM<>?'
LAYOUTS = {
    "French": (
        "&é\"'(-è_çà)=azertyuiop^$qsdfghjklmùwxcvbn,;:!",
        "1234567890°+AZERTYUIOP¨£QSDFGHJKLM%WXCVBN?./§",
    ),
    "Belgian": (
        "&é\"'(§è!çà)-azertyuiop^$qsdfghjklmùwxcvbn,;:=",
        "1234567890°_AZERTYUIOP¨*QSDFGHJKLM%WXCVBN?./+",
    ),
    "German": (
        "1234567890ß´qwertzuiopü+asdfghjklöäyxcvbnm,.-",
        '!"§$%&/()=?`QWERTZUIOPÜ*ASDFGHJKLÖÄYXCVBNM;:_',
    ),
    "US": (KEYS, SHIFTED),
}
"""Windows' keyboard layouts: the characters of the keys, without and with shift."""


def as_typed(text: str, layout: str, *, caps: bool = False) -> str:
    """Return the text that a computer with another layout receives from a scanner that presses US keys."""
    plain, shifted = LAYOUTS[layout]
    if caps:
        plain, shifted = shifted, plain
    return text.translate(str.maketrans(KEYS + SHIFTED, plain + shifted))
