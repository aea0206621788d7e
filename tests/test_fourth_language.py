"""A language is added by one catalogue file: no line of code knows of it.

The rooms are copied, the catalogue of an invented language is laid beside the others, and the service of that copy
speaks it: the switch offers it, pages, the forms of an event, the API and papers take it.
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

from tests.catalogs import ROOMS, ROOT
from tests.test_pseudo_locale import pseudo, write_catalogue
from tests.tournament.documents.reading import page_texts

pytestmark = pytest.mark.long

SERVICE = """
import base64, datetime, json
import django
django.setup()
from django.test.utils import setup_databases, setup_test_environment
setup_test_environment()
setup_databases(verbosity=0, interactive=False)
from django.test import Client
from django.contrib.auth import get_user_model
from scoring.texts import LANGUAGES
from accounts.models import RoleGrant, Role
from ledger.actors import Actor
from ledger.models import ORGANISATION
from tournament.services.events import create_event
user = get_user_model().objects.create_user("translator", password="a long enough one")
RoleGrant.objects.create(user=user, scope=ORGANISATION, role=Role.ADMIN)
event = create_event(
    actor=Actor.user(user.pk), name="Konkurso", day=datetime.date(2027, 1, 9), language="eo"
)
RoleGrant.objects.get_or_create(user=user, scope=event.pk, role=Role.DIRECTOR)
client = Client(headers={"accept-language": "eo"})
home = client.get("/").content.decode()
guide = base64.b64encode(client.get("/help/player.pdf").content).decode()
client.force_login(user)
desk = client.get(f"/desk/{event.slug}/").content.decode()
new = client.get(f"/desk/{event.slug}/settings/").content.decode()
print(json.dumps({"languages": LANGUAGES, "home": home, "desk": desk, "new": new, "guide": guide}))
"""


def test_a_translator_adds_a_language_by_one_file(tmp_path: Path) -> None:
    for name in (*ROOMS, "locale", "templates", "static"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    write_catalogue(tmp_path / "locale", "eo")
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
    assert pseudo("Find your table").split()[0] in " ".join(
        page_texts(base64.b64decode(said["guide"]))
    )
