"""Two posts of one form have one effect: at the same moment where the database serves two at once."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from tests.tournament.build import SYSTEM, grant, make_event, make_user
from tests.tournament.test_days import proposed
from tournament.models import Entrant, Event, Member, Registration, Stage
from tournament.services.events import update_event

pytestmark = pytest.mark.django_db(transaction=True)

FORMS = [
    ("/desk/twice/players/", {"name": "Jan Maes"}, Entrant),
    ("/desk/members/", {"verb": "add", "name": "Jan Maes"}, Member),
    ("/register/twice/", {"name": "Jan Maes"}, Registration),
    (
        "/desk/new/?kind=club&players=16",
        {"day": "2026-11-27", "name": "Friday", "bell_rule": "finish"},
        Event,
    ),
    ("/desk/twice/copy/", {}, Event),
    ("/desk/twice/stages/new/", {"name": "Second day"}, Stage),
]


@pytest.mark.parametrize(("path", "sent", "model"), FORMS, ids=[each[0] for each in FORMS])
def test_two_posts_at_once_have_one_effect(path: str, sent: dict[str, str], model: Any) -> None:
    event = make_event(0, slug="twice")
    update_event(event_id=event.pk, changes={"registration": True}, actor=SYSTEM)
    user = make_user("director", event, "director")
    grant(user, "admin")
    client = Client()
    client.force_login(user)
    filled = dict(sent)
    if path.startswith("/desk/") and model in (Event, Stage):
        filled = proposed(client, path) | sent
    filled["csrfmiddlewaretoken"] = str(client.get(path).context["csrf_token"])
    before = model.objects.count()
    width = 2 if connection.vendor == "postgresql" else 1
    together = threading.Barrier(width)

    def post(_number: int) -> int:
        mine = Client()
        mine.cookies = client.cookies.copy()
        together.wait(10)
        try:
            return mine.post(path, filled).status_code
        finally:
            if width > 1:
                connection.close()

    if width > 1:
        with ThreadPoolExecutor(width) as pool:
            answers = list(pool.map(post, range(2)))
    else:
        answers = [post(number) for number in range(2)]
    assert max(answers) < 400
    assert model.objects.count() == before + 1
