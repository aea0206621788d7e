"""A language is added by one catalogue file, without a change of code.

The rooms are copied, the catalogue of an invented language is added to the others, and the service of that copy
supports it: the switch offers it; pages, the forms of an event, the API and papers use it.
"""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.catalogs import ROOMS, ROOT, Text
from tests.test_pseudo_locale import pseudo, write_catalogue
from tests.tournament.documents.reading import page_texts

pytestmark = pytest.mark.long

SERVICE = """
import base64, datetime, fractions, json
import django
django.setup()
from django.test.utils import setup_databases, setup_test_environment
setup_test_environment()
setup_databases(verbosity=0, interactive=False)
from django.test import Client
from scoring.engine.letters import letters_of
from scoring.engine.speech import card_name
from scoring.texts import LANGUAGES
from tournament.ranking.figures import format_cents, format_number, format_percentage, place_in_words
from accounts import staff
from ledger.actors import Actor
from tournament.documents.formats import day, ordinal
from tournament.services.events import create_event
user = staff.create_first_account(name="translator", password="a long enough one")
event = create_event(
    actor=Actor.user(user.pk), name="Konkurso", day=datetime.date(2027, 1, 9), language="eo"
)
client = Client(headers={"accept-language": "eo"})
home = client.get("/").content.decode()
guide = base64.b64encode(client.get("/help/player.pdf").content).decode()
client.force_login(user)
desk = client.get(f"/desk/{event.slug}/").content.decode()
new = client.get(f"/desk/{event.slug}/settings/").content.decode()
paper = [day(datetime.date(2027, 1, 1), "eo"), ordinal(1, "eo"), ordinal(12, "eo")]
half = fractions.Fraction(1, 2)
written = [
    format_number(1234 + half, "eo"), format_percentage(half, "eo"), format_cents(123450, "eo"),
    place_in_words(1, "eo"), place_in_words(2, "eo"), card_name("KH", "eo"),
]
typed = [letters_of("eo").card(card) for card in ("RK", "DR", "BP", "AT", "10♥", "7S")] + [letters_of("eo").trump("ST")]
print(json.dumps({"written": written, "typed": typed, "paper": paper, "languages": LANGUAGES, "home": home, "desk": desk, "new": new, "guide": guide}))
"""

OWN: dict[Text, str] = {
    ("number: how 1234.5 is written", "1,234.5"): "1'234,5",
    ("number", "{n}%"): "{n} %",
    ("amount", "€{n}"): "{n} €",
    ("place in a sentence", "{n}"): "{n}-a",
    ("place in a sentence", "1"): "1-a",
    ("letters of spades, hearts, diamonds, clubs", "S H D C"): "P K R T",
    (None, "K"): "R",
    (None, "Q"): "D",
    (None, "J"): "B",
    (None, "NT"): "ST",
}
"""The invented language's notation of numbers and cards."""


def test_a_translator_adds_a_language_by_one_file(tmp_path: Path) -> None:
    for name in (*ROOMS, "locale", "templates", "static"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    write_catalogue(tmp_path / "locale", "eo", OWN)
    environment = {
        **{name: value for name, value in os.environ.items() if name != "DATABASE_URL"},
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "PYTHONPATH": str(tmp_path),
        "DEBUG": "1",
        "MANILLE_VAR": str(tmp_path / "var"),
    }
    run = subprocess.run(
        [sys.executable, "-c", SERVICE],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr[-2000:]
    said = json.loads(run.stdout.splitlines()[-1])
    assert said["languages"] == ["en", "eo", "fr", "nl"]
    assert '<html lang="eo"' in said["home"]
    assert 'value="eo"' in said["home"]
    assert pseudo("Guides") in said["home"]
    assert pseudo("Documents") in said["desk"]
    assert '<option value="eo"' in said["new"]
    assert pseudo("January") in said["paper"][0]
    assert said["written"] == ["1'234,5", "50 %", "1'234,50 €", "1-a", "2-a", "R♥"]
    assert said["typed"] == ["KH", "QD", "JS", "AC", "10H", "7S", "NT"]
    assert said["paper"][1:] == [pseudo("1st"), pseudo("{n}th").format(n=12)]
    assert pseudo("Find your table").split()[0] in " ".join(
        page_texts(base64.b64decode(said["guide"]))
    )
