"""Accounts and roles given and taken away by page, and tokens for programs."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from accounts import api_tokens, roles, staff
from accounts.models import ApiToken, Role, RoleGrant, User
from ledger.actors import Actor
from ledger.audit import breaks
from ledger.errors import Conflict, Refused
from ledger.models import ORGANISATION, AuditEntry
from tests.moment import later
from tests.tournament.build import grant, make_event, make_user
from tournament.models import Event

pytestmark = pytest.mark.django_db
ROOT = Actor.system("test")


@pytest.fixture
def event() -> Event:
    return make_event(4)


@pytest.fixture
def director(event: Event) -> User:
    return make_user("anna", event, Role.DIRECTOR)


def admin() -> User:
    user = make_user("root")
    grant(user, Role.ADMIN)
    return user


def shown_password(answer: Any) -> str:
    (found,) = re.findall(r'<code class="token">([^<]+)</code>', answer.content.decode())
    return str(found)


@pytest.mark.guide("director#staff", "security#security")
def test_a_director_makes_a_scorekeeper_who_chooses_his_own_password(
    client: Client, event: Event, director: User
) -> None:
    client.force_login(director)
    page = f"/desk/{event.slug}/staff/"
    made = client.post(page, {"verb": "give", "name": "Bea", "role": "scorekeeper", "new": "on"})
    password = shown_password(made)
    assert password not in client.get(page).content.decode()
    bea = Client()
    bea.post("/login/", {"username": "Bea", "password": password})
    first = bea.get(f"/desk/{event.slug}/players/")["Location"]
    assert first == f"/account/password/?next=/desk/{event.slug}/players/"
    changed = bea.post(
        first,
        {
            "old_password": password,
            "new_password1": "Zeemeeuw-8400",
            "new_password2": "Zeemeeuw-8400",
        },
    )
    # The user continues to the page requested before.
    assert changed["Location"] == f"/desk/{event.slug}/players/"
    assert bea.get(f"/desk/{event.slug}/").status_code == 200
    assert bea.get(page).status_code == 403
    assert list(breaks(event.pk)) == list(breaks(ORGANISATION)) == []
    told = "".join(str([e.before, e.after]) for e in AuditEntry.objects.all())
    assert "Bea" not in told
    assert password not in told


@pytest.mark.guide("security#security")
@pytest.mark.parametrize("wrong", ["short-1", "password123", "9876543210", "Zeemeermin1"])
def test_a_password_is_neither_common_nor_the_name_nor_digits_alone(
    client: Client, wrong: str
) -> None:
    user = make_user("zeemeermin")
    client.force_login(user)

    def change_to(new: str) -> int:
        sent = {"old_password": "not-a-secret-1", "new_password1": new, "new_password2": new}
        return client.post("/account/password/", sent).status_code

    assert change_to(wrong) == 422
    assert change_to("Garnaal-op-toast") == 302


@pytest.mark.guide("director#staff", "security#security")
def test_a_role_is_given_and_taken_away(client: Client, event: Event, director: User) -> None:
    other = make_user("ben")
    client.force_login(director)
    page = f"/desk/{event.slug}/staff/"
    for _again in range(2):
        client.post(page, {"verb": "give", "name": "BEN", "role": "referee"})
    assert RoleGrant.objects.filter(user=other, scope=event.pk).count() == 1
    given = AuditEntry.objects.filter(scope=event.pk, verb="role.granted")
    assert given.filter(object_id=str(other.pk)).count() == 1
    assert "ben" in client.get(page).content.decode()
    theirs = Client()
    theirs.force_login(other)
    assert theirs.get(f"/referee/{event.slug}/").status_code == 200
    client.post(page, {"verb": "revoke", "user": other.pk, "role": "referee"})
    assert theirs.get(f"/referee/{event.slug}/").status_code == 403
    assert AuditEntry.objects.filter(scope=event.pk, verb="role.revoked").count() == 1


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({"name": "nobody", "role": "referee"}, "Nobody has this user name"),
        ({"name": "anna", "role": "referee", "new": "on"}, "is taken"),
        ({"name": "a b", "role": "referee", "new": "on"}, "without spaces"),
        ({"name": "anna", "role": "admin"}, "admin"),
        ({"name": "", "role": "referee"}, "This field is required"),
    ],
)
def test_refusals_say_why_keep_what_was_typed_and_write_nothing(
    client: Client, event: Event, director: User, sent: dict[str, str], said: str
) -> None:
    client.force_login(director)
    before = (User.objects.count(), RoleGrant.objects.count(), AuditEntry.objects.count())
    answer = client.post(f"/desk/{event.slug}/staff/", {"verb": "give", **sent})
    assert answer.status_code == 422
    assert said in answer.content.decode()
    assert f'value="{sent["name"]}"' in answer.content.decode() or not sent["name"]
    assert before == (User.objects.count(), RoleGrant.objects.count(), AuditEntry.objects.count())


@pytest.mark.guide("director#staff")
def test_no_event_is_left_without_director_and_no_house_without_administrator(
    event: Event, director: User
) -> None:
    root = admin()
    with pytest.raises(Conflict, match="another director"):
        roles.revoke_role(
            user_id=director.pk, role="director", scope=event.pk, actor=Actor.user(director.pk)
        )
    for act in (
        lambda: staff.set_active(user_id=root.pk, active=False, actor=ROOT),
        lambda: roles.revoke_role(user_id=root.pk, role="admin", scope=ORGANISATION, actor=ROOT),
    ):
        with pytest.raises(Conflict, match="last administrator"):
            act()
    roles.grant_role(user_id=director.pk, role="admin", scope=ORGANISATION, actor=ROOT)
    staff.set_active(user_id=root.pk, active=False, actor=ROOT)
    assert not User.objects.get(pk=root.pk).is_active


def test_an_administrators_role_is_of_the_organisation(event: Event, director: User) -> None:
    for role, scope in (("admin", event.pk), ("director", ORGANISATION), ("king", event.pk)):
        with pytest.raises(Refused, match="cannot be given here"):
            roles.grant_role(user_id=director.pk, role=role, scope=scope, actor=ROOT)


@pytest.mark.guide("operator#accounts-and-settings", "security#security")
def test_accounts_by_page(client: Client) -> None:
    client.force_login(admin())
    page = "/system/accounts/"
    made = client.post(page, {"verb": "make", "name": "carl"})
    carl = User.objects.get(username="carl")
    assert carl.check_password(shown_password(made))
    again = client.post(page, {"verb": "password", "user": carl.pk})
    carl.refresh_from_db()
    assert carl.check_password(shown_password(again))
    client.post(page, {"verb": "close", "user": carl.pk})
    carl.refresh_from_db()
    assert not carl.is_active
    client.post(page, {"verb": "open", "user": carl.pk})
    told = AuditEntry.objects.filter(
        object_id=str(carl.pk), verb__in=("user.closed", "user.opened")
    )
    assert list(told.values_list("verb", flat=True)) == ["user.closed", "user.opened"]
    client.post(page, {"verb": "admin", "user": carl.pk})
    assert RoleGrant.objects.filter(user=carl, role="admin").exists()
    assert client.post(page, {"verb": "burn", "user": carl.pk}).status_code == 400
    assert client.post(page, {"verb": "close", "user": "9" * 40}).status_code == 404


def token_of(user: User, scope: Any, *, may_write: bool = False, days: int = 30) -> str:
    _token, text = api_tokens.issue(
        user_id=user.pk, name="export", scope=scope, may_write=may_write, days=days, actor=ROOT
    )
    return text


def ask(text: str, where: str, verb: str = "GET") -> int:
    return (
        Client(headers={"Authorization": f"Bearer {text}"})
        .generic(verb, where, b'{"one": 1, "two": 2}', content_type="application/json")
        .status_code
    )


@pytest.mark.guide("director#for-programs", "director#staff", "security#security")
def test_a_token_does_what_its_owner_may_in_its_event(event: Event, director: User) -> None:
    other = make_event(4, name="Other")
    grant(director, Role.DIRECTOR, other.pk)
    text = token_of(director, event.pk)
    assert ask(text, f"/api/v1/events/{event.slug}/stages/") == 200
    assert ask(text, f"/api/v1/events/{other.slug}/stages/") == 403
    assert ask(text, f"/api/v1/events/{event.slug}/bans/", "POST") == 403
    assert ask(text, f"/api/v1/events/{event.slug}/incidents/", "POST") == 403
    writing = token_of(director, event.pk, may_write=True)
    assert ask(writing, f"/api/v1/events/{event.slug}/bans/", "POST") == 201
    everywhere = token_of(director, ORGANISATION)
    assert ask(everywhere, f"/api/v1/events/{other.slug}/stages/") == 200
    assert Client(headers={"Authorization": f"Bearer {text}"}).get("/desk/").status_code == 302


@pytest.mark.guide("security#security")
def test_a_token_ends_with_its_time_its_owner_his_role_or_by_revoking(
    event: Event, director: User
) -> None:
    where = f"/api/v1/events/{event.slug}/stages/"
    texts = [token_of(director, event.pk) for _each in range(2)]
    first, _second = (ApiToken.objects.get(hash=api_tokens.token_hash(text)) for text in texts)
    assert [ask(text, where) for text in texts] == [200, 200]
    api_tokens.revoke(token_id=first.pk, user_id=director.pk, actor=ROOT)
    assert [ask(text, where) for text in texts] == [401, 200]
    with later(days=400):
        assert ask(texts[1], where) == 401
    third = token_of(director, event.pk)
    roles.revoke_role(user_id=director.pk, role=Role.DIRECTOR, scope=event.pk, actor=ROOT)
    assert ask(third, where) == 403
    staff.set_active(user_id=director.pk, active=False, actor=ROOT)
    assert ask(third, where) == 401


@pytest.mark.guide("security#personal-data", "security#security")
def test_only_the_hash_of_a_token_is_kept(event: Event, director: User, client: Client) -> None:
    client.force_login(director)
    made = client.post(
        "/account/tokens/",
        {"name": "export", "scope": str(event.pk), "days": "10", "password": "not-a-secret-1"},
    )
    text = shown_password(made)
    token = ApiToken.objects.get()
    assert token.hash == api_tokens.token_hash(text)
    assert text not in client.get("/account/").content.decode()
    assert text not in str(list(AuditEntry.objects.values()))
    theirs = Client()
    theirs.force_login(make_user("ben"))
    assert theirs.post(f"/account/tokens/{token.pk}/revoke/").status_code == 404
    assert client.post(f"/account/tokens/{token.pk}/revoke/").status_code == 302
    token.refresh_from_db()
    assert token.revoked_at is not None


@pytest.mark.guide("security#security")
@pytest.mark.parametrize(
    "sent",
    [
        {"name": "", "days": "1"},
        {"name": "x", "days": "0"},
        {"name": "x", "days": "367"},
        {"name": "x", "days": "1", "scope": "7"},
        {"name": "x" * 61, "days": "1"},
        {"name": "\u202ex", "days": "1"},
        {"name": "x", "days": "1", "password": "a guess"},
        {"name": "x", "days": "1", "password": ""},
    ],
)
def test_a_bad_token_form_makes_none(
    event: Event, director: User, client: Client, sent: dict[str, str]
) -> None:
    client.force_login(director)
    assert (
        client.post(
            "/account/tokens/", {"scope": str(event.pk), "password": "not-a-secret-1", **sent}
        ).status_code
        == 422
    )
    assert not ApiToken.objects.exists()


def change(director: User) -> None:
    own = Client()
    own.force_login(director)
    sent = {"old_password": "not-a-secret-1", "new_password1": "Zeemeeuw-8400"}
    answer = own.post("/account/password/", {**sent, "new_password2": "Zeemeeuw-8400"})
    assert answer["Location"] == "/account/"


def by_administrator(*verbs: str) -> Any:
    def act(director: User) -> None:
        client = Client()
        client.force_login(admin())
        for verb in verbs:
            sent = {"verb": verb, "user": director.pk}
            assert client.post("/system/accounts/", sent).status_code in (200, 302)

    return act


@pytest.mark.guide("security#security")
@pytest.mark.parametrize(
    "act",
    [
        change,
        by_administrator("password"),
        by_administrator("close"),
        by_administrator("close", "open"),
        by_administrator("tokens"),
    ],
)
def test_tokens_end_with_the_password_and_the_account(
    event: Event, director: User, act: Any
) -> None:
    where = f"/api/v1/events/{event.slug}/stages/"
    texts = [token_of(director, event.pk), token_of(director, ORGANISATION)]
    assert [ask(text, where) for text in texts] == [200, 200]
    act(director)
    assert [ask(text, where) for text in texts] == [401, 401]
    assert AuditEntry.objects.filter(verb="token.revoked").count() == 2
    assert list(breaks(ORGANISATION)) == []


@pytest.mark.guide("security#security")
def test_the_administrator_sees_who_has_tokens(event: Event, director: User) -> None:
    client = Client()
    client.force_login(admin())
    assert "Revoke all tokens" not in client.get("/system/accounts/").content.decode()
    token_of(director, event.pk)
    page = client.get("/system/accounts/").content.decode()
    assert "1 token" in page
    assert page.count("Revoke all tokens") == 1


@pytest.mark.guide("security#security")
def test_a_password_given_anew_is_changed_before_anything_else(client: Client) -> None:
    user = make_user("carl")
    client.force_login(admin())
    made = client.post("/system/accounts/", {"user": user.pk, "verb": "password"})
    carl = Client()
    carl.post("/login/", {"username": "carl", "password": shown_password(made)})
    assert carl.get("/desk/")["Location"] == "/account/password/?next=/desk/"
    own = {"old_password": shown_password(made), "new_password1": "Zeemeeuw-8400"}
    own["new_password2"] = own["new_password1"]
    changed = carl.post("/account/password/?next=https://elsewhere.example/", own)
    assert changed["Location"] == "/desk/?now=1"
    # The account page links to the user's events.
    assert 'href="/desk/"' in carl.get("/account/").content.decode()


def test_the_looks_of_a_device_are_what_its_owner_chose_last(client: Client) -> None:
    def page() -> str:
        return client.get("/login/").content.decode()

    make_user("anna")
    assert "data-theme" not in page()
    chosen = client.post("/looks/", {"theme": "dark", "next": "/login/"})
    assert chosen["Location"] == "/login/"
    client.post("/looks/", {"suits": "four"})
    assert 'data-theme="dark"' in page()
    assert 'data-suits="four"' in page()
    client.post("/looks/", {"theme": "pink"})
    assert "data-theme" not in page()
    assert 'data-suits="four"' in page()
