"""The referees' pages from call to appeal, used as by a browser without script."""

from __future__ import annotations

import copy
import csv
import io
import re

import pytest
from django.urls import reverse
from django.utils import translation

from adjudication.models import Appeal, Incident, Ruling
from adjudication.queries.papers import report_csv
from adjudication.services import appeals, evidence, incidents, rulings
from adjudication.services.codes import change_code
from ledger.errors import Refused
from tests.adjudication.build import (
    REFEREE,
    REVOKE,
    SYSTEM,
    committee,
    enter,
    event_in_play,
    incident_at,
    revoked_deal,
    ruled_revoke,
    sheet_at,
    sign,
    stating,
)
from tests.markup import markup
from tests.tournament.build import make_user
from tests.tournament.documents.reading import whole_text
from tournament.services import sheets, tables
from tournament.tables.links import entrant_token, table_token

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def built(module_database):
    event, round_ = event_in_play(deals=4)
    sheet = sheet_at(round_)
    entry, found = revoked_deal(sheet)
    sheets.enter_deal(sheet_id=sheet.pk, entry=entry, actor=SYSTEM)
    sheet.refresh_from_db()
    return event, round_, sheet, found


@pytest.fixture
def hall(built):
    return copy.deepcopy(built)


@pytest.fixture
def referee(hall):
    return make_user("scheidsrechter", hall[0], "referee")


@pytest.mark.guide("referee#take-a-call")
def test_call_claim_evidence_preview_issue(client, hall, referee):
    event, _part, sheet, found = hall
    tables.call_referee(table_id=sheet.table_id, sheet_id=sheet.pk, reason="renonce", actor=SYSTEM)
    client.force_login(referee)
    desk = client.get(reverse("referee-desk", args=[event.slug])).content.decode()
    assert "renonce" in desk
    take = re.search(r'action="([^"]+/take/)"', desk).group(1)
    page = client.post(take, follow=True)
    incident = Incident.objects.get()
    assert page.redirect_chain[-1][0] == reverse("referee-incident", args=[event.slug, 1])
    incidents.place_incident(incident_id=incident.pk, actor=REFEREE, game=1, deal=1)
    text = client.get(page.redirect_chain[-1][0]).content.decode()
    rank, sign = found["provable"]["card"][:-1], "♠♥♦♣"["SHDC".index(found["provable"]["card"][-1])]
    assert f"proved at trick 6 by {rank}{sign}" in text
    link = re.search(r'href="(\?article=[^"]+)"', text).group(1).replace("&amp;", "&")
    address = reverse("referee-incident", args=[event.slug, 1])
    shown = client.get(address + link.partition("#")[0] + "&preview=1")
    assert shown.status_code == 200
    text = shown.content.decode()
    assert "34" in text
    assert not Ruling.objects.exists(), "a preview leaves nothing"
    fields = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', text))
    issued = client.post(address, {**fields, "reason": "Seen by all."})
    assert issued.status_code == 302, issued.content.decode()[:3000]
    ruling = Ruling.objects.get()
    assert ruling.article == "000-P1"
    deal = sheet.deals.get(current=True, series="official", number=1)
    innocent = "EW" if found["seat"] in "NS" else "NS"
    assert deal.marks[innocent] == 34
    page = client.get(issued["Location"]).content.decode()
    assert "Seen by all." in page
    slip = client.get(reverse("referee-slip", args=[event.slug, 1]))
    assert slip.content[:5] == b"%PDF-"


def test_facts_that_miss_are_named_at_their_fields(client, hall, referee):
    event, round_, *_rest = hall
    incident_at(event, round_)
    client.force_login(referee)
    address = reverse("referee-incident", args=[event.slug, 1])
    answer = client.get(address, {"article": "000-P1", "f-offender": "", "preview": "1"})
    assert answer.status_code == 422
    assert "must be stated" in answer.content.decode()


@pytest.mark.parametrize(("words", "article"), [("renonce", "000-P1"), ("verzaken", "000-P1")])
def test_an_article_is_found_by_a_word_of_any_language(client, hall, referee, words, article):
    event, round_, *_rest = hall
    incident_at(event, round_)
    client.force_login(referee)
    text = client.get(
        reverse("referee-incident", args=[event.slug, 1]), {"q": words}
    ).content.decode()
    assert f"article={article}" in text


@pytest.mark.guide("referee#issue-the-ruling")
def test_the_table_and_the_player_read_it_at_once_and_the_table_appeals(client, hall):
    event, round_, sheet, _found = hall
    incident = incident_at(event, round_)
    ruling = stating(
        rulings.issue,
        incident_id=incident.pk,
        article="000-P1",
        facts=REVOKE,
        actor=REFEREE,
        reason="Proved.",
    )
    token = table_token(sheet.table)
    table_page = client.get(reverse("table", args=[token])).content.decode()
    assert "000-P1" in table_page
    assert "Proved." in table_page
    for entrant in event.entrants.filter(pk__in=sheet.seats.values()):
        assert "000-P1" in client.get(f"/p/{entrant_token(entrant)}/").content.decode()
    address = reverse("table-ruling", args=[token, ruling.pk])
    assert "Lodge an appeal" in client.get(address).content.decode()
    client.post(address, {"side": "NS", "grounds": "No heart was left."})
    appeal = Appeal.objects.get()
    assert appeal.lodged_by.startswith("device:")
    assert "No heart was left." in client.get(address).content.decode()
    other = table_token(sheet_at(round_, 2).table)
    assert client.get(reverse("table-ruling", args=[other, ruling.pk])).status_code == 404


def test_the_slip_says_until_when_a_side_may_appeal_and_that_it_has(client, hall, referee):
    event, round_, *_rest = hall
    ruling = ruled_revoke(event, round_)
    client.force_login(referee)
    address = reverse("referee-slip", args=[event.slug, 1])
    assert "A side may appeal until" in whole_text(client.get(address).content)
    appeals.lodge(ruling_id=ruling.pk, side="NS", grounds="No heart was left.", actor=SYSTEM)
    lodged = whole_text(client.get(address).content)
    assert "No heart was left." in lodged
    assert "may appeal until" not in lodged


def test_the_committee_overturns(client, hall):
    event, round_, sheet, _found = hall
    ruling = ruled_revoke(event, round_)
    appeal = appeals.lodge(ruling_id=ruling.pk, side="NS", grounds="no", actor=SYSTEM)
    client.force_login(make_user("beroep", event, "appeals"))
    address = reverse("referee-ruling", args=[event.slug, 1])
    page = client.get(address).content.decode()
    assert 'value="overturned"' in page
    assert "See what overturning it changes" in page
    impact = client.get(address, {"preview": "undone"}).context["impact"]
    client.post(
        reverse("referee-hear", args=[event.slug, 1, appeal.pk]),
        {
            "outcome": "overturned",
            "decision": "The card was lawful.",
            "members": committee(event),
        },
    )
    ruling.refresh_from_db()
    assert ruling.state == "annulled"
    assert impact.before.deal != impact.after.deal
    assert impact.after.deal == sheet.deals.get(number=1, current=True).marks
    assert (
        "The card was lawful."
        in client.get(reverse("referee-ruling", args=[event.slug, 1])).content.decode()
    )


@pytest.mark.guide("referee#papers-and-damaged-rulings")
def test_report_as_pdf_and_csv_without_formulas(client, hall, referee):
    event, round_, sheet, _found = hall
    incident = incidents.open_incident(
        event_id=event.pk,
        table_id=round_.tables.get(number=1).pk,
        description="=1+1",
        actor=REFEREE,
        game=1,
        deal=1,
    )
    stating(rulings.issue, incident_id=incident.pk, article="000-P1", facts=REVOKE, actor=REFEREE)
    client.force_login(referee)
    late = incident_at(event, round_)
    stating(rulings.issue, incident_id=late.pk, article="T-SPEC", facts={}, actor=REFEREE)
    file = client.get(reverse("referee-report-csv", args=[event.slug])).content.decode("utf-8-sig")
    first, second = csv.DictReader(io.StringIO(file, newline=""), delimiter=";")
    assert (first["Account"], first["Article"]) == ("'=1+1", "000-P1")
    assert (first["Round"], first["Table"], first["Deal"]) == ("1", "1", "1")
    north = event.entrants.get(pk=sheet.seats["N"])
    assert north.person.name in first["Offender"]
    assert second["Offender"] == ""
    assert client.get(reverse("referee-report-pdf", args=[event.slug])).content[:5] == b"%PDF-"
    assert "000-P1" in client.get(reverse("referee-report", args=[event.slug])).content.decode()


@pytest.mark.parametrize("language", ["en", "fr", "nl"])
def test_every_page_in_every_language(client, hall, language):
    event, round_, sheet, _found = hall
    ruled_revoke(event, round_)
    sign(enter(sheet, 40, 40, 40))
    client.force_login(make_user("hoofd", event, "chief_referee"))
    client.cookies["django_language"] = language
    for name, args in (
        ("referee", []),
        ("referee-desk", [event.slug]),
        ("referee-new", [event.slug]),
        ("referee-incident", [event.slug, 1]),
        ("referee-ruling", [event.slug, 1]),
        ("referee-articles", [event.slug]),
        ("referee-article", [event.slug, "T-LATE"]),
        ("referee-code", [event.slug]),
        ("referee-report", [event.slug]),
        ("referee-prove", [event.slug, 1]),
    ):
        answer = client.get(reverse(name, args=args), follow=True)
        assert answer.status_code == 200, name


def hidden(text):
    """Return the hidden fields of the form that issues the ruling."""
    form = text[text.index('id="issue"') :]
    return dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form))


@pytest.mark.guide("referee#the-life-of-a-ruling")
def test_a_ruling_is_amended_on_the_same_page(client, hall, referee):
    event, round_, sheet, _found = hall
    ruled_revoke(event, round_)
    client.force_login(referee)
    address = reverse("referee-incident", args=[event.slug, 1])
    shown = client.get(
        address,
        {
            "ruling": "1",
            "article": "000-P2",
            "f-offender": "W",
            "f-noticed": "after_deal",
            "preview": "1",
        },
    ).content.decode()
    assert "Amend the ruling" in shown
    refused = client.post(address, {**hidden(shown), "reason": ""})
    assert refused.status_code == 422
    done = client.post(address, {**hidden(shown), "reason": "It was West."})
    assert done.status_code == 302
    ruling = Ruling.objects.get()
    assert [v.article for v in ruling.versions.order_by("number")] == ["000-P1", "000-P2"]
    assert sheet.deals.get(current=True).infractions == [{"article": "000-P2", "side": "EW"}]


def test_the_committee_changes_a_ruling_on_the_same_page(client, hall):
    event, round_, _sheet, _found = hall
    ruling = ruled_revoke(event, round_)
    appeal = appeals.lodge(ruling_id=ruling.pk, side="NS", grounds="no", actor=SYSTEM)
    client.force_login(make_user("beroep", event, "appeals"))
    hear = reverse("referee-hear", args=[event.slug, 1, appeal.pk])
    to = client.post(
        hear, {"outcome": "changed", "decision": "It was East.", "members": committee(event)}
    )["Location"]
    assert f"appeal={appeal.pk}" in to
    address = reverse("referee-incident", args=[event.slug, 1])
    shown = client.get(
        address,
        {
            "appeal": str(appeal.pk),
            "article": "000-P1",
            "f-offender": "E",
            "f-noticed": "after_deal",
            "preview": "1",
        },
    )
    assert shown.context["impact"].after.deal["NS"] >= 34
    done = client.post(address, {**hidden(shown.content.decode()), "reason": "It was East."})
    assert done.status_code == 302
    ruling.refresh_from_db()
    assert (ruling.state, ruling.side) == ("final", "EW")
    appeal.refresh_from_db()
    assert appeal.state == "changed"


def test_a_look_and_a_refusal_keep_what_the_committee_typed(client, hall):
    event, round_, _sheet, _found = hall
    ruling = ruled_revoke(event, round_)
    appeal = appeals.lodge(ruling_id=ruling.pk, side="NS", grounds="no", actor=SYSTEM)
    client.force_login(make_user("beroep", event, "appeals"))
    hear = reverse("referee-hear", args=[event.slug, 1, appeal.pk])
    typed = {
        "outcome": "overturned",
        "decision": "The card was legal.",
        "members": committee(event),
    }
    looked = client.post(hear, {**typed, "look": "undone"})
    assert looked.context["impact"].after.deal
    assert "The card was legal.</textarea>" in looked.content.decode()
    assert appeal.state == "open"
    refused = client.post(hear, {**typed, "decision": ""})
    assert refused.status_code == 422
    chosen = refused.content.decode().partition('value="overturned"')[2].partition(">")[0]
    assert "checked" in chosen
    assert client.get(hear).status_code == 302  # another language is asked for by this address
    assert client.post(hear, typed).status_code == 302
    appeal.refresh_from_db()
    assert appeal.state == "overturned"


def test_who_states_nothing_is_told_what_is_missing(client, hall):
    """An article whose facts are all choices: without a choice the form sends nothing."""
    event, round_, *_rest = hall
    incident_at(event, round_)
    client.force_login(make_user("ref", event, "referee"))
    address = reverse("referee-incident", args=[event.slug, 1])
    answer = client.get(address, {"article": "T-COMM", "preview": "1"})
    assert answer.status_code == 422
    assert "error-summary" in answer.content.decode()
    assert answer.context["form"].errors["offender"]


def test_a_look_keeps_the_reason_of_an_annulment(client, hall):
    event, round_, sheet, _found = hall
    ruled_revoke(event, round_)
    client.force_login(make_user("ref", event, "referee"))
    annul = reverse("referee-annul", args=[event.slug, 1])
    looked = client.post(annul, {"reason": "It was West.", "seen": "1", "look": "undone"})
    shown = looked.content.decode()
    assert "It was West.</textarea>" in shown
    assert f"Game {sheet.order}" in shown
    assert Ruling.objects.get().state == "provisional"


@pytest.mark.guide("referee#issue-the-ruling")
def test_an_open_choice_of_the_opponents_cannot_be_issued(client):
    """001 r.2b: the opponents may have the deal begun again, or hold it good."""
    event, round_ = event_in_play("boussac", deals=4)
    dealer = enter(sheet_at(round_), 40).first_dealer
    incident_at(event, round_)
    client.force_login(make_user("ref", event, "referee"))
    address = reverse("referee-incident", args=[event.slug, 1])
    facts = {"article": "001-R2b", "f-dealer": dealer, "f-whose": "opponents", "preview": "1"}
    text = client.get(address, facts).content.decode()
    assert "The opponents must choose" in text
    assert 'id="issue"' not in text
    stated = {"dealer": dealer, "whose": "opponents"}
    with pytest.raises(Refused) as refused:
        stating(
            rulings.issue,
            incident_id=Incident.objects.get().pk,
            article="001-R2b",
            facts=stated,
            actor=REFEREE,
        )
    assert refused.value.code == "choice_open"
    made = stating(
        rulings.issue,
        incident_id=Incident.objects.get().pk,
        article="001-R2b",
        actor=REFEREE,
        facts={**stated, "opponents_choice": "redeal"},
    )
    assert made.versions.get().proposal["deal"]["outcome"] == "redealt"


@pytest.mark.guide("referee#check-the-consequences")
def test_a_difference_from_a_similar_ruling_is_told(client, hall, referee):
    event, round_, *_rest = hall
    ruled_revoke(event, round_)
    change_code(event_id=event.pk, actor=SYSTEM, reason="agreed", policy="BRIDGE")
    enter(sheet_at(round_, 2), 40)
    incident_at(event, round_, table=2)
    client.force_login(referee)
    text = client.get(
        reverse("referee-incident", args=[event.slug, 2]),
        {"article": "000-P1", "f-offender": "N", "f-noticed": "after_deal", "preview": "1"},
    ).content.decode()
    assert "1 similar ruling of this event" in text
    assert "applied the policy STRICT; this one applies BRIDGE" in text


@pytest.mark.guide("referee#the-penal-code-of-an-event")
def test_the_chief_adds_a_house_article_and_says_who_plays(client, hall, referee):
    event, round_, *_rest = hall
    client.force_login(make_user("hoofd", event, "chief_referee"))
    address = reverse("referee-code", args=[event.slug])
    texts = {
        f"{kind}_{lang}": f"{kind} {lang}"
        for kind in ("title", "text")
        for lang in ("fr", "nl", "en")
    }
    editor = reverse("referee-code-article", args=[event.slug])
    ladder = {"measure": "ladder", "step_1": "warning", "step_2": "penalty", "share": "1"}
    rest = {
        "who": "player",
        "rulers": "referee",
        "scope": "event",
        "deal": "stands",
        "decided": "club",
    }
    posted = {**texts, **ladder, **rest, "reason": "hall"}
    assert client.post(editor, {**posted, "id": "1"}).status_code == 422
    good = client.post(editor, {**posted, "id": "H-1"})
    assert good.status_code == 302, good.content.decode()[:3000]
    assert "H-1" in client.get(address).content.decode()
    made = stating(
        rulings.issue,
        incident_id=incident_at(event, round_).pk,
        article="H-1",
        facts={"offender": "N"},
        actor=REFEREE,
    )
    assert made.measure == "warning"
    seat = round_.seats.filter(table__number=1).first()
    client.post(address, {"verb": "plays", "user": referee.pk, "number": seat.entrant.number})
    client.force_login(referee)
    page = client.get(reverse("referee-incident", args=[event.slug, 1])).content.decode()
    assert "You play at this table" in page


@pytest.mark.guide("referee#the-penal-code-of-an-event")
def test_an_article_is_changed_in_words_and_the_ladder_of_another(client, hall):
    event, round_, *_rest = hall
    client.force_login(make_user("hoofd", event, "chief_referee"))
    editor = reverse("referee-code-article", args=[event.slug])
    written = {
        "id": "H-2",
        "title_fr": "Boire à la table",
        "text_fr": "On ne boit pas à la table.",
        "words_fr": "boisson verre",
        "who": "player",
        "measure": "penalty",
        "share": "1/2",
        "scope": "match",
        "deal": "stands",
        "decided": "comité",
        "rulers": "referee",
        "reason": "le tapis",
    }
    assert client.post(editor, written).status_code == 302
    own = reverse("referee-code-article", args=[event.slug, "H-2"])
    form = client.get(own).context["form"]
    assert form["title_nl"].value() == "Boire à la table", "one language is enough"
    assert (form["measure"].value(), form["share"].value()) == ("penalty", "1/2")
    made = stating(
        rulings.issue,
        incident_id=incident_at(event, round_).pk,
        article="H-2",
        facts={"offender": "N"},
        actor=REFEREE,
    )
    assert made.versions.get().proposal["marks"] == {"NS": 0, "EW": 17}
    assert client.post(own, {"verb": "drop", "reason": "non"}).status_code == 422, "it is in use"

    late = reverse("referee-code-article", args=[event.slug, "T-LATE"])
    form = client.get(late).context["form"]
    assert (form["upto_1"].value(), form["measure_1"].value()) == (5, "warning")
    changed = {
        "rulers": "referee",
        "upto_1": "10",
        "measure_1": "warning",
        "measure_2": "round_forfeited",
        "reason": "le bus",
    }
    assert client.post(late, changed).status_code == 302
    again = client.get(late).context["form"]
    assert (again["upto_1"].value(), again["measure_2"].value()) == (10, "round_forfeited")
    impossible = {**changed, "upto_1": "", "measure_1": "warning"}
    assert client.post(late, impossible).status_code == 422
    assert (
        client.get(reverse("referee-code-article", args=[event.slug, "000-P1"])).status_code == 404
    )


@pytest.mark.guide("referee#the-penal-code-of-an-event")
def test_an_article_at_the_referees_discretion_is_written_in_words(client, hall):
    event, round_, *_rest = hall
    client.force_login(make_user("hoofd", event, "chief_referee"))
    written = {
        "id": "H-3",
        "title_nl": "Roken",
        "text_nl": "Er wordt niet gerookt.",
        "who": "player",
        "measure": "discretion",
        "share": "1",
        "scope": "event",
        "deal": "stands",
        "decided": "bestuur",
        "rulers": "referee",
        "reason": "de zaal",
    }
    editor = reverse("referee-code-article", args=[event.slug])
    assert client.post(editor, written).status_code == 302
    with pytest.raises(Refused, match="reason"):
        stating(
            rulings.issue,
            incident_id=incident_at(event, round_).pk,
            article="H-3",
            facts={"offender": "N", "measure": "warning"},
            actor=REFEREE,
        )


def test_the_desk_counts_warnings_and_penalties_of_each_player(client, hall, referee):
    """C.7 T-PHONE: a warning, then the penalty; annulled ones do not count."""
    event, round_, _sheet, _found = hall
    made = [
        stating(
            rulings.issue,
            incident_id=incident_at(event, round_).pk,
            article="T-PHONE",
            facts={"offender": "N"},
            actor=REFEREE,
        )
        for _time in range(2)
    ]
    client.force_login(referee)
    desk = reverse("referee-desk", args=[event.slug])
    row = r'<th scope="row">.*?</th><td class="num">(\d)</td><td class="num">(\d)</td>'
    assert re.findall(row, markup(client.get(desk))) == [("1", "1")]
    rulings.annul(ruling_id=made[1].pk, actor=REFEREE, reason="not theirs")
    assert re.findall(row, markup(client.get(desk))) == [("1", "0")]


@pytest.mark.guide("referee#choose-the-article")
@pytest.mark.parametrize("language", ["en", "fr", "nl"])
def test_articles_are_searched_by_a_word_of_any_language_in_every_language(
    client, hall, referee, language
):
    event, *_rest = hall
    client.force_login(referee)
    client.cookies["django_language"] = language
    for words in ("renonce", "verzaken", "revoke", "000-P1"):
        address = reverse("referee-articles", args=[event.slug])
        text = client.get(address, {"q": words}).content.decode()
        assert "000-P1" in text, (language, words)


@pytest.mark.guide("referee#what-to-keep-in-mind")
def test_the_cost_of_an_offence_is_shown_in_figures_or_bounds(client, hall, referee):
    """Marks as played, under best play without the offence, and under a ruling, with the differences or bounds."""
    event, round_, _sheet, _found = hall
    incident = incident_at(event, round_)
    job = evidence.ask_equity(incident_id=incident.pk, index=0, actor=REFEREE)
    job.state = "done"
    job.result = {
        "exact": True,
        "side": "EW",
        "as_played": -8,
        "without_offence": 2,
        "penalised": 34,
        "damage": 10,
        "difference": 32,
        "text": {"en": "x", "fr": "x", "nl": "x"},
    }
    job.save()
    client.force_login(referee)
    address = reverse("referee-incident", args=[event.slug, incident.number])
    text = client.get(address).content.decode()
    for shown in (
        "Points of the deal for E-W",
        "−8",
        "+2",
        "+34",
        "+10",
        "+32",
        "For information only",
    ):
        assert shown in text
    job.result = {"exact": False, "bounds": {"NS": [20, 44], "EW": [24, 48]}}
    job.save()
    text = client.get(address).content.decode()
    assert "The computation stopped before" in text
    assert "20–44" in text
    assert "24–48" in text
    assert "Under a ruling" not in text


class TestWhatThePenaltyAloneTakes:
    """C.8: "A red line in the preview names what the side not at fault would lose"."""

    def preview(self, client, language="en", **options):
        event, round_ = event_in_play("chaloupee", deals=4, options=options)
        sheet = sheet_at(round_)
        entry = {
            "dealer": sheet.first_dealer,
            "contract": {"declarer": "NS", "level": 54, "trump": "NT", "doubling": 1},
            "points": {"NS": 66},
        }
        sheets.enter_deal(sheet_id=sheet.pk, entry=entry, actor=SYSTEM)
        incident_at(event, round_)
        client.force_login(make_user("arbitre", event, "referee"))
        client.cookies["django_language"] = language
        address = reverse("referee-incident", args=[event.slug, 1])
        asked = {"article": "002-A2", "f-offender": "E", "f-noticed": "after_deal", "preview": "1"}
        shown = client.get(address, asked)
        assert shown.status_code == 200, shown.content.decode()[-3000:]
        return re.sub(r"\s+", " ", shown.content.decode())

    @pytest.mark.guide("referee#check-the-consequences")
    @pytest.mark.parametrize(
        ("language", "said"),
        [
            ("en", "N-S is not at fault and loses 158 points by this ruling"),
            ("fr", "N-S n’est pas en faute et perd 158 points par cette décision"),
            ("nl", "N-Z is niet in overtreding en verliest door deze uitspraak 158 punten"),
        ],
    )
    def test_an_event_without_the_floor_names_it_in_red(self, client, language, said):
        page = self.preview(client, language, penalty_floor=False)
        assert said in page
        assert 'notice--error" role="alert"' in page[page.index(said) - 80 : page.index(said)]

    def test_an_event_with_it_has_nothing_to_name(self, client):
        page = self.preview(client)
        assert "is not at fault" not in page
        assert '<strong class="nowrap">N-S 192' in page


def test_a_deal_that_is_not_recorded_is_refused_in_the_readers_language(client):
    event, round_ = event_in_play("chaloupee")
    incident = incident_at(event, round_, game=1, deal=1)
    client.force_login(make_user("chief", event, "chief_referee"))
    facts = {"article": "GEN-DISC", "f-offender": "N", "f-measure": "penalty", "f-points": "10"}
    address = reverse("referee-incident", args=[event.slug, incident.number])
    for language, words in (("fr", "n’est pas encore notée"), ("nl", "nog niet genoteerd")):
        page = client.get(
            address, {**facts, "preview": "1"}, headers={"accept-language": language}
        ).content.decode()
        assert words in page
        assert "is missing" not in page


@pytest.mark.guide("referee#take-a-call")
def test_the_desk_names_the_game_where_a_sitting_has_several(client, hall, referee):
    event, round_, _sheet, _found = hall
    incident_at(event, round_, game=2, deal=None)
    client.force_login(referee)
    desk = client.get(
        reverse("referee-desk", args=[event.slug]), headers={"accept-language": "en"}
    ).content.decode()
    several = round_.stage.games_per_round > 1
    assert ("Game 2" in " ".join(desk.split())) is several


@pytest.mark.parametrize("language", ["en", "fr", "nl"])
def test_the_csv_of_rulings_has_each_heading_once(hall, language):
    with translation.override(language):
        heads = report_csv(hall[0]).lstrip("\ufeff").splitlines()[0].split(";")
    assert len(heads) == len(set(heads))
    assert language != "en" or {"State", "Status"} <= set(heads), "programs read the English heads"
