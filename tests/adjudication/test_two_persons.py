"""Exclusion, disqualification and high discretion take two persons (rules C.8, "Who may")."""

from __future__ import annotations

import copy
import io
import re
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse
from pypdf import PdfReader

from accounts.models import User
from adjudication.models import Confirmation, Incident, Ruling, RulingVersion
from adjudication.queries.desk import open_incidents
from adjudication.services import appeals, confirmations, incidents, rulings
from adjudication.services.access import link_player
from ledger.actors import Actor
from ledger.change import change
from ledger.errors import Conflict, NotAllowed, Refused
from tests.adjudication.build import (
    COMMITTEE,
    REFEREE,
    REVOKE,
    SECOND,
    SYSTEM,
    enter,
    event_in_play,
    hear,
    incident_at,
    sheet_at,
    sign,
    stating,
)
from tests.tournament.build import make_user
from tournament.models import Adjustment, Event, Round
from tournament.queries.results import gather
from tournament.queries.standings import compute, rows_json
from tournament.tables.links import table_token

pytestmark = pytest.mark.django_db
INSULT = {"offender": "N", "measure": "disqualified"}
FORM = {"article": "T-UNSP", "f-offender": "N", "f-measure": "disqualified", "f-claimed": "in_time"}


class Hall:
    """A signed game of the Belgian championship, with staff of every kind."""

    client: Client

    def __init__(self) -> None:
        self.event: Event
        self.round_: Round
        self.event, self.round_ = event_in_play("belgian")
        self.sheet = sign(enter(sheet_at(self.round_), 40, 36))
        self.incident = incident_at(self.event, self.round_, deal=None)

    def staff(self, name: str, role: str) -> User:
        """Create a member of staff of the event."""
        return make_user(name, self.event, role)

    def standing(self) -> list[Any]:
        """Return the current ranking and the adjustments made by rulings."""
        stage = self.round_.stage
        rows = rows_json(compute(stage, gather(stage)))
        return [rows, list(Adjustment.objects.values_list("entrant", "disqualified"))]

    def rule(self, user: User, **body: Any) -> Any:
        """Rule on the incident through the API."""
        self.client.force_login(user)
        body = {"article": "T-UNSP", "facts": INSULT, "reason": "spat at the referee", **body}
        return self.client.post(
            reverse("api-incident-rule", args=[self.event.slug, self.incident.number]),
            body,
            content_type="application/json",
        )

    def post(self, user: User, name: str, waiting: str, **body: Any) -> Any:
        """Post a verb on a waiting decision, by page or by API."""
        self.client.force_login(user)
        kind = {"content_type": "application/json"} if name.startswith("api") else {}
        return self.client.post(
            reverse(name, args=[self.event.slug, waiting]), body, follow=True, **kind
        )


@pytest.fixture(scope="module")
def built(module_database: None) -> Hall:
    return Hall()


@pytest.fixture
def hall(built: Hall, client: Client) -> Hall:
    """Return a copy of the built hall, which a test may change."""
    own = copy.deepcopy(built)
    own.client = client
    return own


def test_a_referee_does_not_disqualify(hall: Hall) -> None:
    """C.8: "Exclusion from a round, disqualification …: chief referee or director"."""
    answer = hall.rule(hall.staff("ref", "referee"))
    assert (answer.status_code, answer.json()["code"]) == (403, "needs_chief")
    assert not Ruling.objects.exists()
    assert not Confirmation.objects.exists()


@pytest.mark.guide("referee#have-a-second-person-confirm")
def test_a_referee_hands_a_disqualification_over_to_the_chief_referee(hall: Hall) -> None:
    """Where the refusal stands is the way to the chief referee, and article and facts go along."""
    event, number = hall.event, hall.incident.number
    address = reverse("referee-incident", args=[event.slug, number])
    ref, chief = hall.staff("ref", "referee"), hall.staff("chief", "chief_referee")
    hall.client.force_login(ref)
    shown = hall.client.get(address, {**FORM, "preview": "1"}).content.decode()
    assert "Hand over to the chief referee" in shown
    sent = hall.client.post(address, {**FORM, "verb": "hand_over"}, follow=True)
    assert sent.redirect_chain[-1][0] == reverse("referee-desk", args=[event.slug])
    assert not Ruling.objects.exists()
    hall.client.force_login(chief)
    queue = hall.client.get(reverse("referee-desk", args=[event.slug])).content.decode()
    assert "handed over by ref" in " ".join(queue.split())
    page = hall.client.get(address)
    assert (page.context["handed"].by, page.context["handed"].article) == ("ref", "T-UNSP")
    form = hall.client.get(address + page.context["handed"].url).context["form"]
    facts = {"offender": "N", "measure": "disqualified"}
    assert {name: form.facts()[name] for name in facts} == facts
    # The chief referee has nobody to hand it to, and a referee nothing that is theirs to decide.
    hand_over = f"/api/v1/events/{event.slug}/incidents/{number}/hand_over/"
    for user, measure in ((chief, "disqualified"), (ref, "warning")):
        hall.client.force_login(user)
        body = {"article": "T-UNSP", "facts": {"offender": "N", "measure": measure}}
        answer = hall.client.post(hand_over, body, content_type="application/json")
        assert (answer.status_code, answer.json()["code"]) == (409, "own_right")


def test_a_referee_still_warns_and_penalises(hall: Hall) -> None:
    """C.8: "Warning to P and redeal: any referee"."""
    ref = hall.staff("ref", "referee")
    for measure in ("warning", "penalty"):
        answer = hall.rule(ref, facts={"offender": "N", "measure": measure})
        assert answer.status_code == 201


@pytest.mark.guide("referee#have-a-second-person-confirm")
def test_it_has_no_effect_until_a_second_person_confirms_it(hall: Hall) -> None:
    before = hall.standing()
    chief, director = hall.staff("chief", "chief_referee"), hall.staff("boss", "director")
    asked = hall.rule(chief)
    assert (asked.status_code, asked.json()["state"]) == (202, "waiting")
    waiting = asked.json()["id"]
    assert hall.standing() == before
    assert not Ruling.objects.exists()
    assert Incident.objects.get(pk=hall.incident.pk).state == "open"
    table = hall.client.get(f"/t/{table_token(hall.sheet.table)}/").content.decode()
    assert "T-UNSP" not in table
    # The proposer cannot confirm the proposal.
    own = hall.post(chief, "api-confirmation-confirm", waiting)
    assert (own.status_code, own.json()["code"]) == (403, "own_proposal")
    assert hall.standing() == before
    done = hall.post(director, "api-confirmation-confirm", waiting)
    assert (done.status_code, done.json()["measure"]) == (201, "disqualified")
    ruling = Ruling.objects.get()
    assert ruling.referee == f"user:{chief.pk}"
    rows, adjusted = hall.standing()
    assert (ruling.offender_id, True) in adjusted
    assert ruling.offender is not None
    assert [row["excluded"] for row in rows if row["number"] == ruling.offender.number] == [True]
    kept = Confirmation.objects.get()
    assert (kept.state, kept.decided_by) == ("confirmed", f"user:{director.pk}")
    assert (kept.ruling, kept.version) == (ruling, 1)


@pytest.mark.guide("referee#have-a-second-person-confirm")
@pytest.mark.parametrize(
    ("role", "verb", "status"),
    [
        (role, verb, 200 if role in ("director", "chief_referee") else 403)
        for role in ("director", "chief_referee", "referee", "scorekeeper", "appeals")
        for verb in ("referee-confirm", "referee-refuse")
    ],
)
def test_who_may_confirm_and_refuse(hall: Hall, role: str, verb: str, status: int) -> None:
    waiting = hall.rule(hall.staff("first", "chief_referee")).json()["id"]
    answer = hall.post(hall.staff("other", role), verb, waiting, reason="too much")
    assert answer.status_code == status
    state = Confirmation.objects.get().state
    if status == 403:
        assert state == "waiting"
    else:
        assert state == ("confirmed" if verb == "referee-confirm" else "refused")


@pytest.mark.guide("referee#have-a-second-person-confirm")
def test_refused_it_changes_nothing_and_keeps_its_reason(hall: Hall) -> None:
    before = hall.standing()
    waiting = hall.rule(hall.staff("chief", "chief_referee")).json()["id"]
    director = hall.staff("boss", "director")
    without = hall.post(director, "api-confirmation-refuse", waiting)
    assert without.json()["code"] == "reason_missing"
    answer = hall.post(director, "api-confirmation-refuse", waiting, reason="a warning is enough")
    assert (answer.json()["state"], answer.json()["answer"]) == ("refused", "a warning is enough")
    assert hall.standing() == before
    late = hall.post(director, "api-confirmation-confirm", waiting)
    assert (late.status_code, late.json()["code"]) == (409, "decided_already")
    # The incident remains open, and may be ruled differently.
    assert hall.rule(director, facts={"offender": "N", "measure": "warning"}).status_code == 201


@pytest.mark.guide("referee#have-a-second-person-confirm")
def test_who_proposed_it_may_withdraw_it(hall: Hall) -> None:
    chief = hall.staff("chief", "chief_referee")
    waiting = hall.rule(chief).json()["id"]
    answer = hall.post(chief, "api-confirmation-refuse", waiting, reason="a mistake")
    assert answer.json()["state"] == "withdrawn"


def test_the_database_wants_two_persons(hall: Hall) -> None:
    hall.rule(hall.staff("chief", "chief_referee"))
    waiting = Confirmation.objects.get()
    for state in ("confirmed", "refused"):
        with pytest.raises(IntegrityError), transaction.atomic(), change():
            Confirmation.objects.filter(pk=waiting.pk).update(
                state=state,
                decided_by=waiting.proposed_by,
                decided_at=waiting.proposed_at,
                answer="x",
            )


@pytest.mark.parametrize(
    "wrong",
    [
        {"second": ""},
        {"second": "made_by"},
        {"rulers": "referee", "second": ""},
        {"rulers": "chief"},
        {"rulers": "anybody"},
        {"made_as": "referee"},
        {"made_as": ""},
        {"made_as": "committee"},
        {"cause": "annulled", "in_force": False, "made_as": "referee"},
    ],
)
def test_the_database_refuses_a_grave_ruling_of_one_person(
    hall: Hall, wrong: dict[str, Any]
) -> None:
    """C.8, "a second person confirms before it takes effect", whatever code writes the version."""
    waiting = hall.rule(hall.staff("chief", "chief_referee")).json()["id"]
    director = hall.staff("boss", "director")
    hall.post(director, "api-confirmation-confirm", waiting)
    version = RulingVersion.objects.get()
    assert (version.rulers, version.second) == ("two", f"user:{director.pk}")
    columns = {
        field.attname: getattr(version, field.attname)
        for field in RulingVersion._meta.concrete_fields
        if not field.primary_key
    }
    columns.update({"number": 2, "cause": "amended", "reason": "again", **wrong})
    if columns["second"] == "made_by":
        columns["second"] = version.made_by
    with pytest.raises(IntegrityError), transaction.atomic(), change():
        RulingVersion.objects.create(**columns)


def test_a_version_says_who_might_make_it(hall: Hall) -> None:
    light = hall.rule(hall.staff("ref", "referee"), facts={"offender": "N", "measure": "warning"})
    assert [(v["rulers"], v["second"], v["made_as"]) for v in light.json()["versions"]] == [
        ("referee", "", "referee")
    ]


@pytest.mark.guide("referee#have-a-second-person-confirm")
def test_no_verb_goes_round_it(hall: Hall) -> None:
    for second in (None, REFEREE):
        with pytest.raises(Refused) as refused:
            stating(
                rulings.issue,
                incident_id=hall.incident.pk,
                article="T-UNSP",
                facts=INSULT,
                actor=REFEREE,
                reason="spat",
                second=second,
            )
        assert refused.value.code == "second_person"
    with pytest.raises(NotAllowed):
        stating(
            rulings.issue,
            incident_id=hall.incident.pk,
            article="T-UNSP",
            facts=INSULT,
            actor=REFEREE,
            reason="spat",
            second=SECOND,
        )
    light = stating(
        rulings.issue,
        incident_id=hall.incident.pk,
        article="T-UNSP",
        actor=REFEREE,
        reason="rude",
        facts={"offender": "N", "measure": "warning"},
    )
    with pytest.raises(Refused) as refused:
        stating(
            rulings.amend,
            ruling_id=light.pk,
            article="T-UNSP",
            facts=INSULT,
            actor=REFEREE,
            reason="worse",
        )
    assert refused.value.code == "second_person"
    # The committee alone cannot decide a measure that needs two persons either.
    appeal = appeals.lodge(ruling_id=light.pk, side="NS", grounds="no", actor=SYSTEM)
    with pytest.raises(Refused) as refused:
        hear(
            appeal_id=appeal.pk,
            outcome="changed",
            decision="worse",
            actor=COMMITTEE,
            article="T-UNSP",
            facts=INSULT,
        )
    assert refused.value.code == "second_person"


def test_the_third_telephone_waits_like_any_other_exclusion(hall: Hall) -> None:
    """C.7 T-PHONE: warning, P, exclusion from the round; the third step takes two persons."""
    ref, chief = hall.staff("ref", "referee"), hall.staff("chief", "chief_referee")
    facts = {"offender": "N"}
    for measure in ("warning", "penalty"):
        assert hall.rule(ref, article="T-PHONE", facts=facts).json()["measure"] == measure
    assert hall.rule(ref, article="T-PHONE", facts=facts).status_code == 403
    assert hall.rule(chief, article="T-PHONE", facts=facts).status_code == 202


@pytest.mark.parametrize(("points", "status"), [(30, 201), (31, 202)])
def test_discretion_above_the_penalty_takes_two(hall: Hall, points: int, status: int) -> None:
    """C.8: GEN-DISC "marks up to P"; "above P: confirmed by the chief referee"; P is 30 here."""
    facts = {"offender": "N", "measure": "penalty", "points": points}
    answer = hall.rule(hall.staff("chief", "chief_referee"), article="GEN-DISC", facts=facts)
    assert answer.status_code == status


def test_what_changed_meanwhile_is_not_confirmed(hall: Hall) -> None:
    ref, chief = hall.staff("ref", "referee"), hall.staff("chief", "chief_referee")
    facts = {"offender": "N"}
    first = hall.rule(ref, article="T-PHONE", facts=facts).json()["number"]
    hall.rule(ref, article="T-PHONE", facts=facts)
    waiting = hall.rule(chief, article="T-PHONE", facts=facts).json()["id"]
    rulings.annul(
        ruling_id=Ruling.objects.get(number=first).pk, actor=REFEREE, reason="it was an alarm"
    )
    answer = hall.post(hall.staff("boss", "director"), "api-confirmation-confirm", waiting)
    assert (answer.status_code, answer.json()["code"]) == (409, "changed_meanwhile")


def test_the_incident_stays_as_it_is_while_it_waits(hall: Hall) -> None:
    chief = hall.staff("chief", "chief_referee")
    hall.rule(chief)
    with pytest.raises(Conflict):
        incidents.dismiss(incident_id=hall.incident.pk, actor=SECOND, reason="never mind")
    with pytest.raises(Conflict):
        incidents.place_incident(incident_id=hall.incident.pk, actor=SECOND, game=1, deal=2)
    assert hall.rule(chief).json()["code"] == "confirmation_waits"


def test_who_plays_at_the_table_does_not_confirm(hall: Hall) -> None:
    hall.rule(hall.staff("chief", "chief_referee"))
    director = hall.staff("boss", "director")
    seat = hall.round_.seats.filter(table__number=1).first()
    assert seat is not None
    link_player(
        event_id=hall.event.pk,
        user=director.pk,
        number=seat.entrant.number,
        actor=SYSTEM,
    )
    with pytest.raises(NotAllowed):
        confirmations.confirm(
            confirmation_id=Confirmation.objects.get().pk, actor=Actor.user(director.pk)
        )


def test_a_ruling_is_amended_to_a_disqualification_by_two(hall: Hall) -> None:
    chief, director = hall.staff("chief", "chief_referee"), hall.staff("boss", "director")
    number = hall.rule(chief, facts={"offender": "N", "measure": "warning"}).json()["number"]
    body = {"article": "T-UNSP", "facts": INSULT, "reason": "seen again on film"}
    asked = hall.client.post(
        reverse("api-ruling-amend", args=[hall.event.slug, number]),
        body,
        content_type="application/json",
    )
    assert asked.status_code == 202
    assert Ruling.objects.get().measure == "warning"
    done = hall.post(director, "api-confirmation-confirm", asked.json()["id"])
    assert (done.json()["measure"], done.json()["version"]) == ("disqualified", 2)
    # One referee cannot annul a decision of two persons, and its second person cannot hear the appeal.
    ref = hall.staff("ref", "referee")
    hall.client.force_login(ref)
    undone = hall.client.post(
        reverse("api-ruling-annul", args=[hall.event.slug, number]),
        {"reason": "no"},
        content_type="application/json",
    )
    assert (undone.status_code, undone.json()["code"]) == (403, "needs_chief")
    ruling = Ruling.objects.get()
    assert not appeals.may_hear(Actor.user(director.pk), ruling)
    assert appeals.may_hear(COMMITTEE, ruling)


def test_by_the_pages_from_the_incident_to_the_second_person(hall: Hall) -> None:
    chief, director = hall.staff("chief", "chief_referee"), hall.staff("boss", "director")
    address = reverse("referee-incident", args=[hall.event.slug, hall.incident.number])
    hall.client.force_login(hall.staff("ref", "referee"))
    page = hall.client.get(address, {**FORM, "preview": "1"}).content.decode()
    assert 'id="issue"' not in page
    hall.client.force_login(chief)
    page = hall.client.get(address, {**FORM, "preview": "1"}).content.decode()
    assert 'id="issue"' in page
    hall.client.post(address, {**FORM, "preview": "1", "reason": "spat at the referee"})
    waiting = Confirmation.objects.get()
    mine = reverse("referee-confirmation", args=[hall.event.slug, waiting.pk])
    assert reverse("referee-confirm", args=[hall.event.slug, waiting.pk]) not in (
        hall.client.get(mine).content.decode()
    )
    hall.client.force_login(director)
    desk = hall.client.get(reverse("referee-desk", args=[hall.event.slug]), {"part": "live"})
    assert f'href="{mine}"' in desk.content.decode()
    assert f'href="{mine}"' in hall.client.get(address).content.decode()
    page = hall.client.get(mine).content.decode()
    assert "spat at the referee" in page
    action = re.search(r'action="([^"]+/confirm/)"', page)
    assert action is not None
    shown = hall.client.post(action[1], follow=True)
    assert shown.redirect_chain[-1][0] == reverse("referee-ruling", args=[hall.event.slug, 1])
    assert "boss" in shown.content.decode()
    slip = hall.client.get(
        reverse("referee-slip", args=[hall.event.slug, 1]), headers={"accept-language": "en"}
    )
    assert "Confirmed by: boss" in " ".join(
        PdfReader(io.BytesIO(slip.content)).pages[0].extract_text().split()
    )
    assert (
        f'href="{mine}"'
        not in hall.client.get(reverse("referee-desk", args=[hall.event.slug])).content.decode()
    )


def test_the_list_by_program(hall: Hall) -> None:
    hall.rule(hall.staff("chief", "chief_referee"))
    hall.client.force_login(hall.staff("ref", "referee"))
    listed = hall.client.get(
        reverse("api-event-confirmations", args=[hall.event.slug]), {"state": "waiting"}
    ).json()
    assert [row["article"] for row in listed["rows"]] == ["T-UNSP"]
    one = hall.client.get(
        reverse("api-confirmation", args=[hall.event.slug, listed["rows"][0]["id"]])
    )
    assert one.json()["proposal"]["needs_second"] is True


def test_it_travels_with_the_archive(hall: Hall) -> None:
    from tests.adjudication.test_archive import forget
    from tournament.services import archive

    chief, director = hall.staff("chief", "chief_referee"), hall.staff("boss", "director")
    hall.post(director, "api-confirmation-confirm", hall.rule(chief).json()["id"])
    file = archive.pack(hall.event.pk)
    with change():
        Confirmation.objects.all().delete()
    forget(hall.event)
    back = archive.take_up(file=file, actor=SYSTEM)
    kept = Confirmation.objects.get(event=back)
    assert (kept.state, kept.ruling.number if kept.ruling else 0) == ("confirmed", 1)
    assert kept.proposed_by.startswith("system:elsewhere-")


class TestWhoMayRule:
    """An event may restrict an article to fewer roles than C.8 does, and never widen it."""

    WRITTEN: dict[str, str] = {
        "id": "H-1",
        "title_fr": "Boire à la table",
        "text_fr": "On ne boit pas à la table.",
        "who": "player",
        "measure": "ladder",
        "share": "1",
        "step_1": "warning",
        "step_2": "penalty",
        "step_3": "disqualified",
        "scope": "event",
        "deal": "stands",
        "decided": "comité",
        "reason": "le tapis",
    }

    def written(self, hall: Hall, rulers: str) -> User:
        """Write the event's own article as the chief referee, in the editor."""
        chief = hall.staff("chief", "chief_referee")
        hall.client.force_login(chief)
        editor = reverse("referee-code-article", args=[hall.event.slug])
        answered = hall.client.post(editor, {**self.WRITTEN, "rulers": rulers})
        assert answered.status_code == 302, answered.context["form"].errors
        return chief

    def rule(self, hall: Hall, user: User) -> Any:
        return hall.rule(user, article="H-1", facts={"offender": "N"}, reason="a glass")

    @pytest.mark.parametrize(
        ("rulers", "language", "words"),
        [
            ("referee", "en", "any referee"),
            ("chief", "fr", "l’arbitre principal ou la direction"),
            ("two", "nl", "bevestigd door een tweede persoon"),
        ],
    )
    def test_the_article_says_who(
        self, client: Client, hall: Hall, rulers: str, language: str, words: str
    ) -> None:
        self.written(hall, rulers)
        address = reverse("referee-article", args=[hall.event.slug, "H-1"])
        page = client.get(address, headers={"accept-language": language}).content.decode()
        assert words in page
        grave = {"en": "disqualified", "fr": "disqualifi", "nl": "gediskwalificeerd"}[language]
        assert grave in page, "what takes two persons in any case"
        editor = reverse("referee-code-article", args=[hall.event.slug, "H-1"])
        assert client.get(editor).context["form"]["rulers"].value() == rulers
        answered = client.get(reverse("api-event-articles", args=[hall.event.slug, "H-1"])).json()
        assert answered["rulers"] == rulers

    def test_a_referee_does_not_rule_under_an_article_of_the_chief(
        self, client: Client, hall: Hall
    ) -> None:
        chief = self.written(hall, "chief")
        referee = hall.staff("ref", "referee")
        refused = self.rule(hall, referee)
        assert refused.status_code == 403, refused.content
        with pytest.raises(NotAllowed, match="only the chief referee"):
            stating(
                rulings.issue,
                incident_id=hall.incident.pk,
                article="H-1",
                facts={"offender": "N"},
                actor=REFEREE,
            )
        form = {"article": "H-1", "f-offender": "N", "f-claimed": "in_time", "preview": "1"}
        address = reverse("referee-incident", args=[hall.event.slug, hall.incident.number])
        page = client.get(address, form)
        assert "only the chief referee or the director can rule under this" in page.content.decode()
        assert 'id="issue"' not in page.content.decode()
        assert self.rule(hall, chief).status_code == 201
        ruling = Ruling.objects.get()
        assert ruling.measure == "warning"
        client.force_login(referee)
        page = client.get(reverse("referee-ruling", args=[hall.event.slug, ruling.number]))
        assert not page.context["may"].annul
        annulled = client.post(
            reverse("api-ruling-annul", args=[hall.event.slug, ruling.number]),
            {"reason": "a friend"},
            content_type="application/json",
        )
        assert annulled.status_code == 403
        with pytest.raises(NotAllowed):
            rulings.annul(ruling_id=ruling.pk, actor=Actor.user(referee.pk), reason="a friend")
        with pytest.raises(NotAllowed):
            stating(
                rulings.amend,
                ruling_id=ruling.pk,
                article="000-P1",
                facts=REVOKE,
                actor=Actor.user(referee.pk),
                reason="a friend",
            )
        ruling.refresh_from_db()
        assert ruling.in_force
        version = ruling.versions.get()
        assert (version.rulers, version.made_as) == ("chief", "chief")
        columns = {
            field.name: getattr(version, field.name)
            for field in RulingVersion._meta.concrete_fields
            if not field.primary_key
        }
        annulment = {"number": 2, "cause": "annulled", "in_force": False, "reason": "a friend"}
        wrong: dict[str, str]
        for wrong in ({"made_as": "referee"}, {"rulers": "referee"}):
            with pytest.raises(IntegrityError), transaction.atomic(), change():
                RulingVersion.objects.create(**{**columns, **annulment, **wrong})
        rulings.annul(ruling_id=ruling.pk, actor=Actor.user(chief.pk), reason="a glass of water")

    def test_a_final_ruling_is_annulled_by_the_chief_alone(
        self, client: Client, hall: Hall
    ) -> None:
        chief, referee = hall.staff("chief", "chief_referee"), hall.staff("ref", "referee")
        hall.rule(referee, facts={"offender": "N", "measure": "warning"})
        ruling = Ruling.objects.get()
        rulings.finalise(ruling_id=ruling.pk, actor=Actor.user(chief.pk))
        with pytest.raises(NotAllowed):
            rulings.annul(ruling_id=ruling.pk, actor=Actor.user(referee.pk), reason="no")
        rulings.annul(ruling_id=ruling.pk, actor=Actor.user(chief.pk), reason="no")

    def test_an_article_of_two_persons_waits_for_the_second(
        self, client: Client, hall: Hall
    ) -> None:
        chief = self.written(hall, "two")
        director = hall.staff("dir", "director")
        assert self.rule(hall, hall.staff("ref", "referee")).status_code == 403
        assert self.rule(hall, chief).status_code == 202
        assert not Ruling.objects.exists()
        waiting = Confirmation.objects.get()
        hall.post(chief, "api-confirmation-confirm", str(waiting.pk))
        assert not Ruling.objects.exists(), "not by the same person"
        confirmations.confirm(confirmation_id=waiting.pk, actor=Actor.user(director.pk))
        assert Ruling.objects.get().measure == "warning"

    def test_any_referee_is_never_less_than_two_for_a_disqualification(
        self, client: Client, hall: Hall
    ) -> None:
        """C.8: "Exclusion from a round, disqualification …: a second person confirms"."""
        self.written(hall, "referee")
        referee = hall.staff("ref", "referee")
        for measure in ("warning", "penalty"):
            hall.incident = incident_at(hall.event, hall.round_, deal=None)
            assert self.rule(hall, referee).status_code == 201
            assert Ruling.objects.latest("number").measure == measure
        hall.incident = incident_at(hall.event, hall.round_, deal=None)
        assert self.rule(hall, referee).status_code == 403

    def test_the_ladder_of_a_tournament_article_says_who_too(
        self, client: Client, hall: Hall
    ) -> None:
        chief = hall.staff("chief", "chief_referee")
        client.force_login(chief)
        editor = reverse("referee-code-article", args=[hall.event.slug, "T-COMM"])
        form = client.get(editor).context["form"]
        typed = {name: form[name].value() or "" for name in form.fields}
        assert typed["rulers"] == "referee"
        answered = client.post(editor, {**typed, "rulers": "chief", "reason": "a final"})
        assert answered.status_code == 302
        facts = {"offender": "N"}
        referee = hall.staff("ref", "referee")
        assert hall.rule(referee, article="T-COMM", facts=facts).status_code == 403
        assert hall.rule(chief, article="T-COMM", facts=facts).status_code == 201

    def test_who_may_is_refused_where_nothing_is_meant(self, client: Client, hall: Hall) -> None:
        client.force_login(hall.staff("chief", "chief_referee"))
        address = reverse("api-event-penal-code", args=[hall.event.slug])
        for rulers in ({"H-9": "chief"}, {"T-COMM": "nobody"}, ["T-COMM"]):
            refused = client.put(
                address,
                {"reason": "x", "content": {"rulers": rulers}},
                content_type="application/json",
            )
            assert refused.status_code == 400, refused.content


@pytest.mark.guide("referee#have-a-second-person-confirm")
def test_a_referee_hands_over_the_change_of_a_ruling(hall: Hall) -> None:
    """Annul or amend: what is beyond a referee goes to the chief referee with its reason or its facts."""
    event, number = hall.event, hall.incident.number
    ref, chief = hall.staff("ref", "referee"), hall.staff("chief", "chief_referee")
    warned = hall.rule(ref, facts={**INSULT, "measure": "warning"})
    assert warned.status_code == 201
    ruling = Ruling.objects.get()
    hall.client.force_login(ref)
    address = reverse("referee-incident", args=[event.slug, number])
    form = {**FORM, "ruling": str(ruling.number)}
    shown = hall.client.get(address, {**form, "preview": "1"}).content.decode()
    assert "Hand over to the chief referee" in shown
    hall.client.post(address, {**form, "verb": "hand_over"}, follow=True)
    ruling.refresh_from_db()
    assert ruling.versions_made == 1, "nothing is decided"
    hall.client.force_login(chief)
    (waiting,) = open_incidents(event)
    page = hall.client.get(waiting.url)
    facts = hall.client.get(address + page.context["handed"].url).context["form"].facts()
    assert facts["measure"] == "disqualified"
    annul = {"reason": "mistaken"}
    hall.client.post(reverse("referee-annul", args=[event.slug, ruling.number]), annul)
    assert open_incidents(event) == [], "once it is decided nothing waits"
