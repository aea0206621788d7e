"""A club's logo and colour: validated, shown on pages, wall and paper, and copied with the event."""

from __future__ import annotations

import hashlib
import io
import json
import re
import struct
import zlib
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from pypdf import PdfReader

from ledger.errors import Refused
from manille_check import row_faults
from operations.replay import replay
from tests.looks.test_colours import DARK, LIGHT, contrast
from tests.tournament.build import SYSTEM, make_event
from tests.tournament.desk import director
from tests.tournament.test_exports_and_archive import altered
from tournament.demo.simulation import draw_and_publish
from tournament.documents.colours import readable
from tournament.models import Event, EventLogo, Round
from tournament.queries.papers import draw_by_table, slips
from tournament.services import archive, event_copy, event_life, events, logos
from tournament.views import club_looks

pytestmark = pytest.mark.django_db


def picture(kind: str = "PNG", size: tuple[int, int] = (640, 200), **more: Any) -> bytes:
    """Return a picture with a red half and a transparent half."""
    drawn = Image.new("RGBA", size, (0, 0, 0, 0))
    drawn.paste((200, 20, 30, 255), (0, 0, size[0] // 2, size[1]))
    out = io.BytesIO()
    drawn.convert("RGB" if kind == "JPEG" else "RGBA").save(out, kind, **more)
    return out.getvalue()


def huge() -> bytes:
    """Build a PNG of a few hundred bytes that declares 30,000 by 30,000 pixels."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data))
            + name
            + data
            + struct.pack(">I", zlib.crc32(name + data) & 0xFFFFFFFF)
        )

    head = struct.pack(">IIBBBBB", 30_000, 30_000, 8, 6, 0, 0, 0)
    body = zlib.compress(b"\0" * 4000)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", body) + chunk(b"IEND", b"")


def sent(content: bytes) -> SimpleUploadedFile:
    return SimpleUploadedFile("logo.png", content)


def settings_of(event: Event, **more: Any) -> dict[str, Any]:
    """Return the settings form as the page fills it."""
    return {
        "name": event.name,
        "day": "2026-12-05",
        "language": "fr",
        "hide_last_rounds": "0",
        "minutes_1": "45",
        "publish_play": "final",
        "minutes_2": "45",
        "minutes_3": "45",
        "rulebook": event.rulebook,
        "protocol": event.protocol,
        "bell_rule": event.bell_rule,
        "depth": event.depth,
        **more,
    }


@pytest.mark.guide("director#settings-end-and-copy-of-an-event")
@given(
    st.integers(0, 0xFFFFFF).map("#{:06x}".format),
    st.sampled_from([(LIGHT, club_looks.LIGHT), (DARK, club_looks.DARK)]),
)
def test_any_colour_has_a_shade_to_read_in_both_themes(colour: str, theme: Any) -> None:
    tokens, grounds = theme
    assert list(grounds) == [tokens[name] for name in ("paper", "sheet", "tint")]
    shade = readable(colour, grounds)
    assert min(contrast(shade, ground) for ground in grounds) >= 4.5
    if min(contrast(colour, ground) for ground in grounds) >= 4.5:
        assert shade == colour


@pytest.mark.parametrize("kind", ["PNG", "JPEG"])
def test_a_picture_is_kept_small_and_without_what_else_stood_in_it(kind: str) -> None:
    more = {"exif": b"Exif\0\0secret-place"} if kind == "JPEG" else {}
    kept = logos.read_logo(picture(kind, (4000, 900), **more) + b"<script>alert(1)</script>")
    with Image.open(io.BytesIO(kept)) as read:
        assert (read.format, read.mode, read.size) == ("PNG", "RGBA", (320, 72))
    assert b"script" not in kept
    assert b"secret" not in kept
    assert logos.read_logo(kept) == kept


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "not_a_picture"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>", "not_a_picture"),
        (picture("GIF"), "not_a_picture"),
        (picture()[:200], "not_a_picture"),
        (huge(), "picture_too_large"),
        (b"\x89PNG\r\n\x1a\n" + b"\0" * 1_000_000, "picture_too_large"),
    ],
    ids=["empty", "svg", "gif", "cut", "bomb", "heavy"],
)
def test_what_is_no_small_picture_is_refused_and_changes_nothing(content: bytes, code: str) -> None:
    event = make_event(4)
    with pytest.raises(Refused) as refusal:
        logos.set_logo(event_id=event.pk, logo=content, actor=SYSTEM)
    assert (refusal.value.code, refusal.value.field) == (code, "logo")
    assert not EventLogo.objects.exists()
    client = director(event)
    answer = client.post(
        f"/desk/{event.slug}/settings/", settings_of(event, name="Other", logo=sent(content))
    )
    assert answer.status_code == 422
    event.refresh_from_db()
    assert (event.logo, event.name) == ("", "Beker van Oostende")


@pytest.mark.guide("director#settings-end-and-copy-of-an-event")
def test_the_director_gives_logo_and_colour_and_everybody_sees_them() -> None:
    event = make_event(8)
    client = director(event)
    address = f"/desk/{event.slug}/settings/"
    form = settings_of(event, with_colour="on", colour="#FFDD00", logo=sent(picture()))
    answer = client.post(address, form)
    assert answer.status_code == 302, answer.content.decode()
    event.refresh_from_db()
    assert event.colour == "#ffdd00"
    for path in ("", "draw/", "standings/", "players/", "wall/"):
        html = Client().get(f"/e/{event.slug}/{path}").content.decode()
        style = Client().get(re.search(r'href="(/colour/[^"]+)"', html)[1])
        image = Client().get(re.search(r'src="(/logo/[^"]+)"', html)[1])
        assert " data-club" in html
    assert style["Content-Type"] == "text/css; charset=utf-8"
    assert "--club:#ffdd00" in style.content.decode()
    assert (image["Content-Type"], image["X-Content-Type-Options"]) == ("image/png", "nosniff")
    assert hashlib.sha256(image.content).hexdigest() == event.logo
    assert replay(event).differences == []
    # A form without both fields keeps the logo and removes the colour.
    client.post(address, settings_of(event))
    event.refresh_from_db()
    assert (event.colour, bool(event.logo)) == ("", True)
    client.post(address, settings_of(event, remove_logo="on"))
    event.refresh_from_db()
    assert event.logo == ""
    assert (
        Client().get(f"/logo/{event.slug}/{hashlib.sha256(b'').hexdigest()[:16]}.png").status_code
        == 404
    )
    assert "/logo/" not in Client().get(f"/e/{event.slug}/").content.decode()


@pytest.mark.parametrize("digits", ["ffdd0", "FFDD00", "ffdd00}", "gggggg"])
def test_no_other_text_becomes_a_style_sheet(digits: str) -> None:
    assert Client().get(f"/colour/{digits}.css").status_code == 404


def test_a_program_sets_logo_and_colour() -> None:
    event = make_event(4)
    client = director(event)
    base = f"/api/v1/events/{event.slug}/"

    def change(**body: Any) -> Any:
        return client.patch(f"{base}settings/", json.dumps(body), content_type="application/json")

    assert change(colour="#0a7d3b").json()["colour"] == "#0a7d3b"
    wrong = change(colour="green")
    assert wrong.status_code == 400
    assert "colour" in wrong.json()["errors"]
    boundary = "part"
    body = (
        (
            f'--{boundary}\r\nContent-Disposition: form-data; name="logo"; filename="l.png"\r\n'
            "Content-Type: image/png\r\n\r\n"
        ).encode()
        + picture()
        + f"\r\n--{boundary}--\r\n".encode()
    )
    put = client.put(f"{base}logo/", body, content_type=f"multipart/form-data; boundary={boundary}")
    event.refresh_from_db()
    assert put.json()["logo"] == event.logo != ""
    assert client.delete(f"{base}logo/").status_code == 204
    event.refresh_from_db()
    assert event.logo == ""


def dressed(players: int = 4) -> Event:
    event = make_event(players)
    events.update_event(event_id=event.pk, actor=SYSTEM, changes={"colour": "#ffdd00"})
    return logos.set_logo(event_id=event.pk, logo=picture(), actor=SYSTEM)


def test_a_copy_has_them_too() -> None:
    event = dressed()
    copied = event_copy.copy_event(event_id=event.pk, actor=SYSTEM, name="Again", day=event.day)
    assert (copied.colour, copied.logo) == (event.colour, event.logo)
    event_life.delete_event(event_id=event.pk, actor=SYSTEM)
    assert hashlib.sha256(bytes(copied.picture.content)).hexdigest() == copied.logo


def other_picture(whole: Any) -> None:
    whole["content"]["rows"]["tournament.EventLogo"][0]["content"] = "iVBORw0KGgo="


def no_picture(whole: Any) -> None:
    whole["content"]["rows"]["tournament.EventLogo"] = []


def no_colour(whole: Any) -> None:
    whole["content"]["event"]["colour"] = "#12345;"


def test_an_outsider_checks_the_logo_of_an_archive() -> None:
    content = archive.read(archive.pack(dressed().pk))
    assert list(row_faults(content)) == []
    other_picture({"content": content})
    assert len(list(row_faults(content))) == 1


def test_an_archive_carries_them_and_no_other_bytes() -> None:
    event = dressed()
    kept = bytes(EventLogo.objects.get(event=event).content)
    file = archive.pack(event.pk)
    event_life.delete_event(event_id=event.pk, actor=SYSTEM)
    for wrong in (other_picture, no_picture, no_colour):
        with pytest.raises(Refused) as refusal:
            archive.take_up(file=altered(file, wrong), actor=SYSTEM)
        assert refusal.value.code == "archive_contradicts_itself"
    taken = archive.take_up(file=file, actor=SYSTEM)
    assert (taken.colour, bytes(taken.picture.content)) == ("#ffdd00", kept)


@pytest.mark.guide("director#settings-end-and-copy-of-an-event")
@pytest.mark.parametrize("build", [slips, draw_by_table])
def test_papers_show_them(build: Any) -> None:
    event = make_event(8)
    draw_and_publish(Round.objects.get(stage__event=event, stage__order=1, number=1), SYSTEM)
    options = {"base": "http://192.0.2.1"}
    plain = PdfReader(io.BytesIO(build(event, options, "fr", "a4")[0]))
    assert [len(page.images) for page in plain.pages] == [0]
    events.update_event(event_id=event.pk, actor=SYSTEM, changes={"colour": "#ffdd00"})
    event = logos.set_logo(event_id=event.pk, logo=picture(), actor=SYSTEM)
    content = build(event, options, "fr", "a4")[0]
    page = PdfReader(io.BytesIO(content)).pages[0]
    assert {image.image.size for image in page.images} == {(320, 100)}
    shade = readable("#ffdd00", ("#ffffff", "#f3f1eb"))
    ink = " ".join(f"{int(shade[at : at + 2], 16) / 255:.4g}" for at in (1, 3, 5))
    operators = page.get_contents().get_data().decode("latin-1")
    assert f"{ink} rg" in operators
    # Two papers of two minutes.
    texts = [
        re.sub(r"journal \S+|\d{1,2}\sh\s\d\d", "", of.extract_text())
        for of in (page, plain.pages[0])
    ]
    assert texts[0] == texts[1]
