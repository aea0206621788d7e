"""Logo of the organising club: decoded, scaled down, and stored as a PNG.

An uploaded file is never served itself: it is decoded, within bounds, and encoded again without any
other content of the file.
"""

from __future__ import annotations

import hashlib
import io
import uuid
from typing import Final

from django.utils.translation import gettext_lazy as _
from PIL import Image, ImageOps, UnidentifiedImageError

from ledger import audit
from ledger.actors import Actor
from ledger.errors import Refused
from ledger.verbs import verb
from tournament.models import Event, EventLogo

from .events import locked_event

audit.name_verbs("event", logo_set=_("Logo of the event changed"))

MOST_BYTES: Final = 1_000_000
"""Bytes of a file that is sent."""
MOST_PIXELS: Final = 16_000_000
"""Pixels of a picture that is sent."""
BOX: Final = (320, 160)
"""Largest width and height of the stored picture, in pixels."""
MOST_KEPT: Final = 4 * BOX[0] * BOX[1] + 4096
"""Largest size of the stored picture, in bytes: no more than its pixels need."""
_BROKEN: Final = (OSError, SyntaxError, ValueError, EOFError)
"""Errors of Pillow on files that are damaged or malicious."""


def _too_many_pixels() -> Refused:
    return Refused(
        "picture_too_large",
        _("The picture has too many pixels: at most 4000 × 4000."),
        field="logo",
    )


def read_logo(content: bytes) -> bytes:
    """Convert the picture in a PNG or JPEG file to the stored PNG, within ``BOX``.

    Raises :class:`Refused` for another kind of file, a damaged one, one too large.
    """
    if len(content) > MOST_BYTES:
        raise Refused(
            "picture_too_large", _("The picture is too large: at most 1 MB."), field="logo"
        )
    try:
        with Image.open(io.BytesIO(content), formats=("PNG", "JPEG")) as sent:
            if sent.width * sent.height > MOST_PIXELS:
                raise _too_many_pixels()
            picture = ImageOps.exif_transpose(sent).convert("RGBA")
    except Image.DecompressionBombError as error:
        raise _too_many_pixels() from error
    except (UnidentifiedImageError, *_BROKEN) as error:
        raise Refused(
            "not_a_picture", _("Send the logo as a PNG or JPEG picture."), field="logo"
        ) from error
    picture.thumbnail(BOX, Image.Resampling.LANCZOS)
    out = io.BytesIO()
    Image.frombytes("RGBA", picture.size, picture.tobytes()).save(out, "PNG", optimize=True)
    return out.getvalue()


def require_kept(content: bytes) -> None:
    """Raise ValueError unless these are the bytes of a picture as this service keeps them."""
    try:
        with Image.open(io.BytesIO(content), formats=("PNG",)) as picture:
            fits = picture.width <= BOX[0] and picture.height <= BOX[1]
            if fits:
                picture.load()
    except (UnidentifiedImageError, Image.DecompressionBombError, *_BROKEN) as error:
        raise ValueError("logo") from error
    if not fits or len(content) > MOST_KEPT:
        raise ValueError("logo")


def keep_logo(event: Event, content: bytes) -> None:
    """Write a picture that :func:`read_logo` gave beside an event, and its SHA-256 into the event."""
    EventLogo.objects.update_or_create(event=event, defaults={"content": content})
    event.logo = hashlib.sha256(content).hexdigest()
    event.save(update_fields=["logo"])


@verb("event_logo_set", Event, "event.manage", at="logo/", method="PUT")
def set_logo(*, event_id: uuid.UUID, logo: bytes, actor: Actor) -> Event:
    """Show this picture (PNG or JPEG, at most 1 MB) on pages and papers, in the place of the one before.

    Raises :class:`Refused` as :func:`read_logo` does.
    """
    picture = read_logo(logo)
    event = locked_event(event_id)
    before = event.logo
    keep_logo(event, picture)
    if event.logo != before:
        audit.append(
            event, "event.logo_set", actor, before={"logo": before}, after={"logo": event.logo}
        )
    return event


@verb("event_logo_remove", Event, "event.manage", at="logo/", method="DELETE")
def remove_logo(*, event_id: uuid.UUID, actor: Actor) -> None:
    """Show no picture; removing none changes nothing."""
    event = locked_event(event_id)
    if event.logo:
        before, event.logo = event.logo, ""
        EventLogo.objects.filter(event=event).delete()
        event.save(update_fields=["logo"])
        audit.append(event, "event.logo_set", actor, before={"logo": before}, after={"logo": ""})
