"""A club's own rules: created by form, played from the deal to the prize list, exported."""

from __future__ import annotations

from html import unescape
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.test import Client

from accounts import staff
from accounts.models import Role
from adjudication.queries.codes import code_of
from adjudication.services import codes, rulings
from ledger.errors import Refused
from ledger.models import ORGANISATION, AuditEntry
from operations.replay import replay
from tests.adjudication.build import REFEREE, enter, incident_at, sheet_at, sign, stating
from tests.markup import markup
from tests.tournament.build import SYSTEM, make_event, make_user
from tests.tournament.documents.reading import whole_text
from tests.tournament.test_exports_and_archive import altered
from tests.tournament.test_game_rules import opening
from tournament.demo.simulation import draw_and_publish
from tournament.models import Event, HouseRules
from tournament.queries import standings
from tournament.services import archive, entrants, sheets
from tournament.services.documents import BUILDERS
from tournament.services.event_copy import copy_event
from tournament.services.events import update_event
from tournament.services.house_rules import add_house_rules, change_house_rules, remove_house_rules
from tournament.services.rounds import close_round
from tournament.services.standings import set_state

pytestmark = pytest.mark.django_db
NAME = "Plankierkoarters"
HERE = "/desk/house-rules/"
REVOKE = {"offender": "N", "trick": 3, "noticed": "after_deal"}


def opener(language: str = "en") -> Client:
    """Return a client whose account may open events and has no other role."""
    user = make_user("opener")
    staff.set_may_open(user_id=user.pk, may=True, actor=SYSTEM)
    client = Client()
    client.force_login(user)
    client.cookies["django_language"] = language
    return client


def as_shown(client: Client, page: str, **more: Any) -> dict[str, Any]:
    """Return the values of a page's form as posted, with changes."""
    form = client.get(page).context["form"]
    shown = {
        name: getattr(field, "choices", [("", "")])[0][0]
        if form[name].value() is None
        else form[name].value()
        for name, field in form.fields.items()
    }
    return {name: value for name, value in (shown | more).items() if value is not None}


def keep(**more: Any) -> HouseRules:
    """Create house rules on Belgian manillen."""
    given: dict[str, Any] = {"name": NAME, "base": "belgian", "switches": {}, **more}
    return add_house_rules(actor=SYSTEM, **given)


def open_by(client: Client, rules: HouseRules, **more: Any) -> Event:
    """Open an event with the rules as a director."""
    answer = client.post("/desk/new/", opening(rulebook=str(rules.pk), **more))
    assert answer.status_code == 302, answer.content.decode()[-3000:]
    return Event.objects.latest("created_at")


@pytest.mark.guide("director#make-rules-of-your-own")
def test_rules_made_by_form_are_played_from_the_first_page_to_the_prize_list() -> None:
    client = opener()
    assert f'href="{HERE}"' in client.get("/desk/").content.decode()
    made = client.post(HERE, {"name": NAME, "start": "belgian"})
    rules = HouseRules.objects.get()
    page = f"{HERE}{rules.pk}/"
    assert made["Location"] == page
    changes = {"sweep60": "60", "max_marks": "240", "penalty_value": "25"}
    assert client.post(page, as_shown(client, page, **changes)).status_code == 302
    late = f"{page}penalties/T-LATE/"
    steps: dict[str, Any] = {f"{what}_{n}": "" for n in (3, 4, 5) for what in ("upto", "measure")}
    steps |= {"upto_1": 2, "measure_1": "warning", "upto_2": "", "measure_2": "penalty"}
    steps |= {"share_2": "2", "deals_2": ""}
    assert client.post(late, as_shown(client, late, **steps)).status_code == 302

    assert NAME in client.get("/desk/new/?kind=club").content.decode()
    event = open_by(client, rules, rounds=1, deals=2)
    assert (event.rulebook, event.house_rules["title"]) == ("belgian", NAME)
    for name in ("Ann", "Bob", "Cis", "Dré", "Els", "Fik", "Gus", "Han"):
        entrants.enter_player(
            event_id=event.pk, name=name, partner=name * 2, actor=SYSTEM, present=True
        )
    round_ = draw_and_publish(event.stages.get().rounds.get(number=1), SYSTEM)
    assert NAME in whole_text(BUILDERS["slips"](event, {"round": str(round_.pk)}, "nl", "a4")[0])

    # Sixty without losing a trick, at no trump and knocked: 60 × 2 × 4, and at most 240.
    sheet = sheet_at(round_)
    sheets.enter_deal(
        sheet_id=sheet.pk,
        entry={
            "dealer": sheet.first_dealer,
            "contract": {"declarer": "NS", "trump": "NT", "doubling": 2},
            "points": {"NS": 60},
            "tricks": {"NS": 8},
        },
        actor=SYSTEM,
    )
    assert sheet.deals.get().marks == {"NS": 240, "EW": 0}
    enter(sheet, 40)
    for table in round_.tables.exclude(pk=sheet.table_id):
        enter(table.sheets.get(), 31, 31)
    for table in round_.tables.all():
        sign(table.sheets.get())
    ruled = stating(
        rulings.issue,
        incident_id=incident_at(event, round_, deal=2).pk,
        article="BE-P1",
        facts=REVOKE,
        actor=REFEREE,
        claimed="in_time",
    )
    assert sheet.deals.get(number=2, current=True).marks == {"NS": 0, "EW": 25}
    assert ruled.article == "BE-P1"
    late_ruling = stating(
        rulings.issue,
        incident_id=incident_at(event, round_, table=2, deal=None).pk,
        article="T-LATE",
        facts={"offender": "N", "minutes": 4},
        actor=REFEREE,
    )
    assert late_ruling.measure == "penalty"

    close_round(round_id=round_.pk, actor=SYSTEM)
    stage = event.stages.get()
    set_state(stage_id=stage.pk, state="final", actor=SYSTEM, reason="As played.")
    winner = next(row.entrant for row in standings.compute(stage).ranked if row.rank == 1)
    assert winner.number in {seat.entrant.number for seat in sheet.table.seats.all()}
    prizes = whole_text(BUILDERS["prizes"](event, {"prizes": "1: 250"}, "fr", "a4")[0])
    assert event.entrants.get(number=winner.number).person.name in prizes
    assert replay(event).differences == []

    rows = standings.rows_json(standings.compute(stage))
    remove_house_rules(actor=SYSTEM, rules_id=rules.pk)
    elsewhere = archive.take_up(file=archive.pack(event.pk), actor=SYSTEM, copy=True)
    assert elsewhere.house_rules["title"] == NAME
    assert standings.rows_json(standings.compute(elsewhere.stages.get())) == rows
    assert replay(elsewhere).differences == []
    assert code_of(elsewhere).changed == ("T-LATE",)


@pytest.mark.guide("director#make-rules-of-your-own")
def test_the_card_and_the_comparison_say_what_is_different() -> None:
    client = opener()
    ladder = {
        "by": "minutes",
        "scope": "event",
        "steps": [
            {"upto": 2, "measure": "warning", "share": "1", "deals": 0},
            {"upto": None, "measure": "penalty", "share": "2", "deals": 0},
        ],
    }
    rules = keep(
        switches={"sweep60": 60, "beat": "TRUMPS_ONLY"},
        penalties={"ladders": {"T-LATE": ladder}},
    )
    said = {
        "en": ("Late at the table", "up to 2 min: warning", "After the rulebook"),
        "fr": ("Retard à la table", "jusqu’à 2 min : avertissement", "D’après le règlement"),
        "nl": ("Te laat aan tafel", "tot 2 min: waarschuwing", "Naar het reglement"),
    }
    for language, (article, scale, after) in said.items():
        client.cookies["django_language"] = language
        table = unescape(markup(client.get(f"{HERE}{rules.pk}/compare/")))
        assert scale in table.replace("\xa0", " ")
        assert article in table
        assert table.count("<tr>") == 4
        card = client.get(f"{HERE}{rules.pk}/card.pdf")
        text = "".join(whole_text(card.content).split())
        for words in (NAME, article, after):
            assert "".join(words.split()) in text
    same = keep(name="As it is", base="muette")
    client.cookies["django_language"] = "en"
    assert "Nothing differs" in client.get(f"{HERE}{same.pk}/compare/").content.decode()


@pytest.mark.parametrize(
    ("language", "taken", "nameless"),
    [
        ("en", "Other rules have this name", "This field is required"),
        ("fr", "Un autre règlement porte ce nom", "Ce champ est obligatoire"),
        ("nl", "Een ander reglement heeft die naam", "Dit veld is vereist"),
    ],
)
def test_what_is_wrong_is_said_in_the_readers_language(
    language: str, taken: str, nameless: str
) -> None:
    client = opener(language)
    rules = keep()
    for name, words in ((NAME.upper(), taken), ("", nameless)):
        refused = client.post(HERE, {"name": name, "start": "belgian"})
        assert refused.status_code == 422
        assert words in refused.content.decode()
    keep(name="Others")
    page = f"{HERE}{rules.pk}/"
    refused = client.post(page, as_shown(client, page, name="others"))
    assert (refused.status_code, taken in refused.content.decode()) == (422, True)
    refused = client.post(page, as_shown(client, page, penalty_value="-1"))
    assert list(refused.context["form"].errors) == ["penalty_value"]
    assert HouseRules.objects.get(pk=rules.pk).stated["switches"] == {}


def test_the_database_refuses_a_second_rules_of_a_name() -> None:
    keep()
    with pytest.raises(IntegrityError), transaction.atomic():
        HouseRules.objects.create(name=NAME.lower(), stated={"base": "muette"})


@pytest.mark.guide("director#make-rules-of-your-own")
def test_an_event_keeps_the_rules_that_it_was_opened_with() -> None:
    client = opener()
    rules = keep(switches={"penalty_value": 25})
    event = open_by(client, rules)
    change_house_rules(
        rules_id=rules.pk,
        name="Renamed",
        base="belgian",
        switches={"penalty_value": 20},
        actor=SYSTEM,
    )
    remove_house_rules(actor=SYSTEM, rules_id=rules.pk)
    event.refresh_from_db()
    assert event.house_rules["title"] == NAME
    assert event.options == {"penalty_value": 25}
    copied = copy_event(event_id=event.pk, name="Again", day=event.day, actor=SYSTEM)
    assert (copied.house_rules, copied.options) == (event.house_rules, event.options)
    log = AuditEntry.objects.filter(scope=ORGANISATION, verb__startswith="house_rules.")
    assert [entry.verb for entry in log.order_by("sequence")] == [
        "house_rules.made",
        "house_rules.changed",
        "house_rules.removed",
    ]


@pytest.mark.guide("director#make-rules-of-your-own")
def test_an_event_changes_its_rules_and_its_penal_code_follows() -> None:
    client = opener()
    article = {"adopted": ["001-R11"]}
    rules = keep(switches={"sweep60": 60}, penalties=article)
    event = open_by(client, rules)
    client.force_login(make_user("director", event, Role.DIRECTOR))
    page = f"/desk/{event.slug}/"
    shown = unescape(client.get(f"{page}rules/").content.decode())
    assert NAME in shown
    # Posted unchanged, the event keeps the club's switches and has none of its own.
    answer = client.post(f"{page}rules/", as_shown(client, f"{page}rules/"))
    assert answer.status_code == 302
    event.refresh_from_db()
    assert event.options == {"sweep60": 60}
    assert "<strong>count 60" not in client.get(f"/e/{event.slug}/").content.decode()
    codes.pinned(event)
    assert "001-R11" in code_of(event)

    settings = as_shown(client, f"{page}settings/")
    assert settings["rulebook"] == "kept"
    for rulebook, adopted, options in (
        ("kept", True, {"sweep60": 60}),
        ("belgian", False, {}),
        (str(rules.pk), True, {"sweep60": 60}),
        ("muette", False, {}),
    ):
        answer = client.post(f"{page}settings/", settings | {"rulebook": rulebook})
        assert answer.status_code == 302, answer.content.decode()[-3000:]
        event.refresh_from_db()
        assert event.options == options
        assert ("001-R11" in code_of(event)) is adopted
        # An archive contains the code of the rulebook in force.
        current = event.penal_codes.get(current=True)
        assert current.fingerprint == code_of(event).fingerprint
    assert event.house_rules == {}


def test_a_club_writes_an_article_of_its_own_and_removes_it() -> None:
    client = opener()
    rules = keep()
    page = f"{HERE}{rules.pk}/penalties/"
    written = as_shown(client, f"{page}new/", title_nl="Gsm aan tafel", text_nl="Gsm blijft weg.")
    written |= {"decided": "bestuur", "step_3": "", "measure": "ladder"}
    refused = client.post(f"{page}new/", written | {"title_nl": ""})
    assert (refused.status_code, list(refused.context["form"].errors)) == (422, ["title_fr"])
    assert client.post(f"{page}new/", written)["Location"] == page
    assert "Gsm aan tafel" in client.get(page).content.decode()
    event = open_by(client, rules)
    assert code_of(event).article("H-1").title.render("fr") == "Gsm aan tafel"
    assert client.post(f"{page}new/", written).status_code == 422  # the number is taken
    assert client.post(f"{page}H-1/", {"verb": "drop"})["Location"] == page
    rules.refresh_from_db()
    assert rules.stated["penalties"]["articles"] == []
    assert "H-1" in code_of(event)


def test_only_who_may_open_events_makes_rules() -> None:
    event = make_event(0)
    rules = keep()
    director = Client()
    director.force_login(make_user("director", event, Role.DIRECTOR))
    assert HERE not in director.get("/desk/").content.decode()
    for page in ("", f"{rules.pk}/", f"{rules.pk}/compare/", f"{rules.pk}/card.pdf"):
        assert director.get(HERE + page).status_code == 403
    assert director.get(f"{HERE}{rules.pk}/penalties/").status_code == 403
    assert director.post(HERE, {"name": "Mine", "start": "belgian"}).status_code == 403
    assert director.get("/api/v1/house-rules/").status_code == 403
    assert Client().get(HERE).status_code == 302


def test_a_program_keeps_rules_and_opens_an_event_with_them() -> None:
    client = opener()
    address = "/api/v1/house-rules/"
    body: dict[str, Any] = {"name": NAME, "base": "belgian", "switches": {"penalty_value": 25}}
    made = client.post(address, body, content_type="application/json")
    assert made.status_code == 201, made.content
    assert client.get(address).json() == [made.json()]
    for wrong, field in (
        ({"switches": {"penalty_value": "much"}}, "switches.penalty_value"),
        ({"switches": {"failure_multiplied": False}}, "switches.failure_multiplied"),
        ({"penalties": {"ladders": {"T-NONE": {}}}}, "penalties"),
        ({"penalties": {"nonsense": 1}}, "penalties"),
    ):
        refused = client.post(
            address, {**body, "name": "Wrong", **wrong}, content_type="application/json"
        )
        assert refused.status_code == 400
        assert refused.json().get("field") == field, refused.json()
    taken = client.post(address, body, content_type="application/json")
    assert (taken.status_code, taken.json()["code"]) == (400, "name_taken")
    one = f"{address}{made.json()['id']}/"
    body["switches"] = {"penalty_value": 20}
    assert client.put(one, body, content_type="application/json").json()["switches"] == {
        "penalty_value": 20
    }
    opened = client.post(
        "/api/v1/events/",
        {"name": "By program", "day": "2026-12-01", "house_rules": made.json()["id"]},
        content_type="application/json",
    )
    assert opened.status_code == 201, opened.content
    event = Event.objects.get(slug=opened.json()["slug"])
    assert (event.options, event.house_rules["title"]) == ({"penalty_value": 20}, NAME)
    assert client.delete(one).status_code == 204
    gone = client.put(one, body, content_type="application/json")
    assert (gone.status_code, gone.json()["code"]) == (404, "no_such_rules")


@pytest.mark.parametrize(
    "wrong",
    [
        {"base": "muette"},
        {"dealing": {}},
        {"switches": {"sweep60": {"default": 61}}},
        {"switches": {"sweep60": {"known": False}}},
        {"title": ""},
        {"penalties": {"ladders": {"BE-P1": {}}}},
        {"penalties": []},
    ],
)
def test_an_archive_with_rules_that_cannot_be_is_refused(wrong: dict[str, Any]) -> None:
    event = open_by(opener(), keep())
    file = archive.pack(event.pk)

    def change(whole: Any) -> None:
        whole["content"]["event"]["house_rules"] |= wrong

    with pytest.raises(Refused) as refused:
        archive.take_up(file=altered(file, change), actor=SYSTEM, copy=True)
    assert refused.value.code == "archive_contradicts_itself"


def test_rules_of_another_rulebook_are_not_taken_for_an_event() -> None:
    event = make_event(0)
    with pytest.raises(Refused) as refused:
        update_event(
            event_id=event.pk,
            actor=SYSTEM,
            changes={"house_rules": keep(base="muette").whole},
        )
    assert refused.value.code == "house_rules_of_another"
