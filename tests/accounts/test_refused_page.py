"""A page that an account may not open: it says who is signed in, and leads on."""

from __future__ import annotations

import pytest
from django.test import Client

from accounts.models import Role
from tests.markup import markup
from tests.tournament.build import make_event, make_user

pytestmark = pytest.mark.django_db


def test_a_refused_page_names_the_account_and_leads_back_after_another_signs_in(
    client: Client,
) -> None:
    event = make_event(4)
    make_user("ben", event, Role.DIRECTOR)
    client.force_login(make_user("anna", event, Role.SCOREKEEPER))
    wanted = f"/desk/{event.slug}/settings/?a=1&b=2"
    page = client.get(wanted)
    assert page.status_code == 403
    text = markup(page)
    assert "You are signed in as anna. This account has no right to this page." in text
    assert 'href="/desk/"' in text
    assert 'href="/login/"' not in text
    following = f"/login/?next=%2Fdesk%2F{event.slug}%2Fsettings%2F%3Fa%3D1%26b%3D2"
    assert f'name="next" value="{following}"' in text
    assert client.post("/logout/", {"next": following})["Location"] == following
    other = {"username": "ben", "password": "not-a-secret-1", "next": wanted}
    assert client.post(following, other)["Location"] == wanted
