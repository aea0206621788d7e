"""Decoding of a badge scanner's text on a computer with another keyboard layout than the scanner.

A scanner that is wired like a keyboard sends the keys of a US keyboard. The computer reads them in
its own layout: on a Belgian or French one ``https://`` becomes ``httpsM==``, and with caps lock
``HTTPS:``. The keys can be recovered, and a link's token needs no shift on a US keyboard.
"""

from __future__ import annotations

from typing import Final

_US: Final = "1234567890-=qwertyuiop[]asdfghjkl;'zxcvbnm,./"
_LAYOUTS: Final = (
    (_US, '!@#$%^&*()_+QWERTYUIOP{}ASDFGHJKL:"ZXCVBNM<>?'),
    # Belgian AZERTY
    (
        "&é\"'(§è!çà)-azertyuiop^$qsdfghjklmùwxcvbn,;:=",
        "1234567890°_AZERTYUIOP¨*QSDFGHJKLM%WXCVBN?./+",
    ),
    # French AZERTY
    (
        "&é\"'(-è_çà)=azertyuiop^$qsdfghjklmùwxcvbn,;:!",
        "1234567890°+AZERTYUIOP¨£QSDFGHJKLM%WXCVBN?./§",
    ),
    # German QWERTZ; letters, digits and the slash are where the Swiss one has them
    (
        "1234567890ß´qwertzuiopü+asdfghjklöäyxcvbnm,.-",
        '!"§$%&/()=?`QWERTZUIOPÜ*ASDFGHJKLÖÄYXCVBNM;:_',
    ),
)
"""Without and with shift, the signs on the keys of :data:`_US` in its order."""
_KEYS: Final = tuple(
    dict(zip(shifted, _US, strict=True)) | dict(zip(plain, _US, strict=True))
    for plain, shifted in _LAYOUTS
)


def tokens_in(text: str) -> list[str]:
    """Return what may be the token at the end of a scanned address, as typed and by every layout.

    >>> tokens_in("httpsM==hqll:eée=p=abc,éèq=")[2]
    'qbcm27a'
    """
    typed = [
        text,
        *(
            "".join(keys.get(sign) or keys.get(sign.lower(), sign) for sign in text)
            for keys in _KEYS
        ),
    ]
    return list(dict.fromkeys(each.rstrip("/").rsplit("/", 1)[-1] for each in typed))
