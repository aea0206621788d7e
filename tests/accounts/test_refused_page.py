"""The page for a refused request: it names the signed-in account and links to a page that is allowed."""

from __future__ import annotations

import re
from urllib.parse import unquote

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


def test_after_a_refused_form_another_signs_in_to_the_page_that_it_stood_on(client: Client) -> None:
    event = make_event(4)
    client.force_login(make_user("anna", event, Role.READER))
    stood_on = f"/desk/{event.slug}/room/?table=1"
    sent_to = f"/desk/{event.slug}/do/event_finish/{event.pk}/"
    came = {"Referer": f"http://testserver{stood_on}"}
    page = client.post(sent_to, headers=came)
    assert page.status_code == 403
    following = f"/login/?next=%2Fdesk%2F{event.slug}%2Froom%2F%3Ftable%3D1"
    assert f'name="next" value="{following}"' in markup(page)
    # The language switch returns to this page, and so does the sign-in after a session has ended.
    assert f'name="next" value="{stood_on}"' in markup(page)
    client.logout()
    assert unquote(client.post(sent_to, headers=came)["Location"]) == f"/login/?next={stood_on}"
    elsewhere = {"Referer": "http://evil.example/desk/"}
    assert "evil" not in client.post(sent_to, headers=elsewhere)["Location"]


def test_a_form_that_cannot_be_verified_says_who_is_signed_in_and_leads_back() -> None:
    event = make_event(4)
    client = Client(enforce_csrf_checks=True)
    stood_on = f"/desk/{event.slug}/settings/"
    came = {"Referer": f"http://testserver{stood_on}"}
    nobody = client.post(stood_on, headers=came)
    assert nobody.status_code == 403
    assert "Signed in as" not in markup(nobody)
    assert 'href="/login/"' in markup(nobody)
    client.force_login(make_user("anna", event, Role.DIRECTOR))
    page = markup(client.post(stood_on, headers=came))
    assert "Nothing was changed" in page
    assert "Signed in as anna." in page
    assert f'href="{stood_on}">Reload the page' in page
    assert "has no right" not in page


def test_a_form_typed_before_a_second_sign_in_is_kept_and_sent_again() -> None:
    event = make_event(0)
    client = Client(enforce_csrf_checks=True)
    user = make_user("anna", event, Role.DIRECTOR)
    client.force_login(user)
    page = f"/desk/{event.slug}/players/import/"
    token = re.compile(r'name="csrfmiddlewaretoken" value="(\w+)"')
    old = token.search(markup(client.get(page)))[1]
    client.cookies["csrftoken"] = "a" * 32  # the other tab signed in: the token is another
    typed = {"text": "Jan Maes\nEls <Claes>", "csrfmiddlewaretoken": old}
    kept = client.post(page, typed, headers={"Origin": "http://testserver"})
    assert kept.status_code == 403
    assert "Els &lt;Claes&gt;" in markup(kept)
    fresh = {"text": typed["text"], "csrfmiddlewaretoken": token.search(markup(kept))[1]}
    again = client.post(page, fresh, headers={"Origin": "http://testserver"})
    assert again.context["preview"].lines[0].name == "Jan Maes"


@pytest.mark.parametrize(
    ("origin", "typed"),
    [
        ("http://evil.example", {"text": "Jan Maes"}),
        ("http://testserver", {"password": "geheim woord", "text": "Jan Maes"}),
        ("", {"text": "Jan Maes"}),
    ],
)
def test_a_form_of_another_site_or_with_a_password_is_not_shown_again(
    origin: str, typed: dict[str, str]
) -> None:
    event = make_event(0)
    client = Client(enforce_csrf_checks=True)
    client.force_login(make_user("anna", event, Role.DIRECTOR))
    headers = {"Origin": origin} if origin else {}
    answer = client.post(f"/desk/{event.slug}/players/import/", typed, headers=headers)
    assert answer.status_code == 403
    assert "Jan Maes" not in markup(answer)
    assert "geheim" not in markup(answer)
