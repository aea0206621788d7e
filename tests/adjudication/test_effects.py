"""Standings and marks after random rulings, amendments, annulments and appeals.

The stored standings are those computed from the records; after everything is annulled, records and standings are as
before the first ruling.
"""

from __future__ import annotations

import copy
import json
import random

import pytest
from django.apps import apps

from adjudication.models import Incident, RefereePlays, Ruling
from adjudication.queries.cases import case_of, history_of
from adjudication.queries.codes import code_of
from adjudication.queries.impact import impact_of
from adjudication.services import appeals, evidence, incidents, rulings
from adjudication.services.access import link_player
from adjudication.services.codes import change_code
from adjudication.services.evidence import equity_of
from ledger import audit
from ledger.actors import Actor
from ledger.errors import Conflict, NotAllowed, Refused
from ledger.jobs import work_on
from tests.adjudication.build import (
    COMMITTEE,
    REFEREE,
    REVOKE,
    SECOND,
    SYSTEM,
    as_chiefs,
    enter,
    event_in_play,
    hear,
    incident_at,
    points_entry,
    revoked_deal,
    ruled_revoke,
    sheet_at,
    sign,
    stating,
)
from tests.tournament.build import make_user
from tournament.models import Adjustment
from tournament.queries.results import gather
from tournament.queries.standings import compute, fresh, recompute, rows_json
from tournament.services import draws, rounds, sheets, tables
from tournament.services.adjustments import Amount, adjust
from tournament.services.publication import publish_draw
from tournament.tables.score_sheet import ScoreSheet

pytestmark = pytest.mark.django_db

ARTICLES = {
    "000-P1": lambda c: {**REVOKE, "offender": c.choice("NESW")},
    "000-P3": lambda c: {**REVOKE, "offender": c.choice("NESW")},
    "000-E2": lambda c: {"offender": c.choice("NESW"), "what": "spoke_out_of_turn"},
    "T-PHONE": lambda c: {"offender": c.choice("NESW")},
    "T-LATE": lambda c: {"offender": c.choice("NESW"), "minutes": c.choice([3, 8, 12, 40])},
}


def facts_for(event, article, chance):
    """Return sufficient random facts for the article."""
    found = {}
    for fact in code_of(event).article(article).facts:
        if not fact.required and fact.name not in ("trick",):
            continue
        if fact.choices:
            found[fact.name] = chance.choice(fact.choices)[0]
        elif fact.type.value == "bool":
            found[fact.name] = True
        elif fact.type.value in ("int", "trick"):
            found[fact.name] = (
                chance.choice([1, 3, 7, 8])
                if fact.name != "minutes"
                else chance.choice([3, 8, 12, 40])
            )
        else:
            found[fact.name] = chance.choice("NESW")
    return found


def state(event):
    """Return the input of the standings without ids: results and standing adjustments."""
    stage = event.stages.get(order=1)
    field = gather(stage)
    changes = sorted(
        (a.entrant, a.round_no, a.marks, a.match_points, a.games_won, a.penalty_count)
        for a in field.adjustments
    )
    results = sorted(
        (
            r.entrant,
            r.table or 0,
            r.game_no,
            str(r.outcome),
            r.marks_for,
            r.marks_against,
            r.penalties,
        )
        for r in field.results
    )
    excluded = sorted(e.id for e in field.entrants if e.excluded)
    return results, changes, excluded, rows_json(compute(stage, field))


def played_event():
    event, round_ = event_in_play(deals=3)
    as_chiefs(event, REFEREE, SECOND)
    for table in (1, 2):
        for game, points in enumerate(((40, 30, 34), (50, 20, 36), (34, 45, 22)), start=1):
            sign(enter(sheet_at(round_, table, game), *points))
    return event, round_


@pytest.fixture(scope="module")
def built(module_database):
    return played_event()


@pytest.fixture
def played(built):
    return copy.deepcopy(built)


def issue(event, round_, article, facts, table, game, deal, **more):
    incident = incident_at(event, round_, table=table, game=game, deal=deal)
    return stating(
        rulings.issue,
        incident_id=incident.pk,
        article=article,
        facts=facts,
        actor=REFEREE,
        claimed="in_time",
        reason="as the referee saw it",
        second=SECOND,
        **more,
    )


def run_of_rulings(seed, steps, played):
    """Issue, amend, annul and appeal at random; then compare with an event that has only the rulings left."""
    chance = random.Random(seed)
    event, round_ = played
    untouched = state(event)
    live: dict = {}
    for _step in range(steps):
        verb = chance.choice(["issue", "issue", "issue", "amend", "annul", "appeal"])
        if verb == "issue" or not live:
            article = chance.choice(list(ARTICLES))
            at = (chance.choice([1, 2]), chance.choice([1, 2, 3]), chance.choice([1, 2, 3]))
            made = issue(event, round_, article, facts_for(event, article, chance), *at)
            live[made.pk] = at
            continue
        pk = chance.choice(list(live))
        ruling = Ruling.objects.get(pk=pk)
        if ruling.state != "provisional":
            continue
        if verb == "amend":
            article = chance.choice(list(ARTICLES))
            stating(
                rulings.amend,
                ruling_id=pk,
                article=article,
                facts=facts_for(event, article, chance),
                actor=REFEREE,
                reason="better seen",
                second=SECOND,
                claimed="in_time",
            )
        elif verb == "annul":
            rulings.annul(ruling_id=pk, actor=REFEREE, reason="mistaken")
            del live[pk]
        else:
            side = chance.choice(["NS", "EW"])
            appeal = appeals.lodge(ruling_id=pk, side=side, grounds="no", actor=SYSTEM)
            outcome = chance.choice(["upheld", "overturned"])
            hear(appeal_id=appeal.pk, outcome=outcome, decision="so", actor=COMMITTEE)
            if outcome == "overturned":
                del live[pk]
    return event, untouched, live


@pytest.mark.guide("referee#the-life-of-a-ruling")
@pytest.mark.parametrize("seed", range(1))
def test_standings_follow_from_the_rulings_in_force_alone(seed, played):
    event, untouched, _live = run_of_rulings(seed, 8, played)
    stage = event.stages.get(order=1)
    stored = fresh(stage)
    assert stored.rows == json.loads(json.dumps(rows_json(compute(stage, gather(stage)))))
    kept = stored.hash
    assert recompute(stage_id=stage.pk, force=True).hash == kept
    assert list(audit.breaks(event.pk)) == []
    # After annulling everything, no effect of a ruling remains.
    for ruling in Ruling.objects.filter(event=event).exclude(state="annulled"):
        rulings.annul(ruling_id=ruling.pk, actor=REFEREE, reason="all of it")
    assert state(event) == untouched
    assert not Adjustment.objects.filter(event=event, annulled_at__isnull=True).exists()
    for sheet in {
        game
        for table in event.stages.get(order=1).rounds.get(number=1).tables.all()
        for game in table.sheets.all()
    }:
        for deal in ScoreSheet(sheet).current():
            assert deal.infractions == []
            first = sheet.deals.get(series="official", number=deal.number, version=1)
            assert deal.entry == first.entry


@pytest.mark.long
@pytest.mark.parametrize("seed", range(100, 110))
def test_standings_follow_from_the_rulings_in_force_alone_at_length(seed, played):
    event, untouched, _live = run_of_rulings(seed, 30, played)
    for ruling in Ruling.objects.filter(event=event).exclude(state="annulled"):
        rulings.annul(ruling_id=ruling.pk, actor=REFEREE, reason="all of it")
    assert state(event) == untouched


class TestImpact:
    @pytest.mark.guide("referee#check-the-consequences")
    def test_it_tells_what_happens_and_leaves_no_trace(self, played):
        event, round_ = played
        incident = incident_at(event, round_)
        counts = {m: m.objects.count() for m in apps.get_models()}
        heads = list(audit.AuditHead.objects.values_list("scope", "sequence", "hash"))
        before = state(event)
        version = type(event).objects.get(pk=event.pk).version

        def act():
            return stating(
                rulings.issue,
                incident_id=incident.pk,
                article="000-P1",
                facts=REVOKE,
                actor=REFEREE,
                claimed="in_time",
            )

        told = impact_of(incident, act)
        assert {m: m.objects.count() for m in apps.get_models()} == counts
        assert list(audit.AuditHead.objects.values_list("scope", "sequence", "hash")) == heads
        assert type(event).objects.get(pk=event.pk).version == version
        assert state(event) == before
        old = {r["number"]: r["rank"] for r in before[3]}
        act()
        new = {r["number"]: r["rank"] for r in state(event)[3]}
        changed = {n for n in new if new[n] != old[n]}
        assert {m.entrant.number for m in told.moved} == changed
        assert all(
            (m.before, m.after) == (old[m.entrant.number], new[m.entrant.number])
            for m in told.moved
        )
        assert told.after.deal == {"NS": 0, "EW": 34}
        assert told.after.marks == sheet_at(round_).results.get(current=True).result["marks"]

    def test_a_refusal_in_the_preview_is_the_refusal_of_the_verb(self, played):
        event, round_ = played
        incident = incident_at(event, round_)
        with pytest.raises(Refused):
            impact_of(
                incident,
                lambda: stating(
                    rulings.issue, incident_id=incident.pk, article="", facts={}, actor=REFEREE
                ),
            )
        assert not Ruling.objects.exists()


class TestClosedRound:
    @pytest.fixture
    def closed(self, played):
        event, round_ = played
        incident = incident_at(event, round_)
        rounds.close_round(round_id=round_.pk, actor=SYSTEM)
        following = round_.stage.rounds.get(number=2)
        job = draws.request_draw(round_id=following.pk, actor=SYSTEM)
        work_on(str(job.pk))
        incident = Incident.objects.get(pk=incident.pk)
        return event, incident, following

    def issue(self, incident, **more):
        return stating(
            rulings.issue,
            incident_id=incident.pk,
            article="000-P1",
            facts=REVOKE,
            actor=REFEREE,
            claimed="in_time",
            **more,
        )

    @pytest.mark.guide("referee#issue-the-ruling")
    def test_the_next_round_must_be_decided_upon(self, closed):
        _event, incident, following = closed
        with pytest.raises(Refused) as refused:
            self.issue(incident)
        assert refused.value.field == "next_round"
        assert not Ruling.objects.exists()
        self.issue(incident, next_round="stands")
        assert following.draws.filter(state="candidate").count() == 1

    def test_a_draw_that_is_not_published_is_put_aside_to_be_drawn_again(self, closed):
        _event, incident, following = closed
        ruling = self.issue(incident, next_round="redraw")
        assert not following.draws.filter(state="candidate").exists()
        following.refresh_from_db()
        assert following.state == "planned"
        assert ruling.versions.get().next_round == "redraw"

    def test_a_published_draw_is_not_put_aside(self, closed):
        _event, incident, following = closed
        publish_draw(draw_id=following.draws.get(state="candidate").pk, actor=SYSTEM)
        with pytest.raises(Conflict):
            self.issue(incident, next_round="redraw")
        impact = impact_of(incident, lambda: self.issue(incident, next_round="stands"))
        moved = {m.entrant.pk for m in impact.moved}
        assert impact.tables
        for table in impact.tables:
            assert table.published
            assert {entrant.pk for entrant in table.entrants} <= moved
        # Its draw can only stand: nothing is asked.
        assert self.issue(incident).versions.get().next_round == "stands"


class TestOwnTable:
    @pytest.mark.guide("referee#the-life-of-a-ruling")
    def test_who_plays_at_the_table_neither_rules_nor_hears_there(self, played):
        event, round_ = played
        user = make_user("speler", event, "referee")
        actor = Actor.user(user.pk)
        seat = round_.seats.filter(table__number=1).first()
        link_player(event_id=event.pk, user=user.pk, number=seat.entrant.number, actor=SYSTEM)
        assert RefereePlays.objects.get().entrant == seat.entrant
        incident = incident_at(event, round_)
        with pytest.raises(NotAllowed):
            stating(
                rulings.issue,
                incident_id=incident.pk,
                article="000-P1",
                facts=REVOKE,
                actor=actor,
                claimed="in_time",
            )
        call = tables.call_referee(table_id=seat.table.pk, sheet_id=None, reason="x", actor=SYSTEM)
        with pytest.raises(NotAllowed):
            incidents.take_call(call_id=call.pk, actor=actor)
        made = stating(
            rulings.issue,
            incident_id=incident.pk,
            article="000-P1",
            facts=REVOKE,
            actor=REFEREE,
            claimed="in_time",
        )
        appeal = appeals.lodge(ruling_id=made.pk, side="NS", grounds="no", actor=SYSTEM)
        with pytest.raises(NotAllowed):
            hear(appeal_id=appeal.pk, outcome="upheld", decision="mine", actor=actor)
        elsewhere = incident_at(event, round_, table=2)
        stating(
            rulings.issue,
            incident_id=elsewhere.pk,
            article="000-P1",
            facts=REVOKE,
            actor=actor,
            claimed="in_time",
        )

    def test_a_link_needs_a_role_and_a_player(self, played):
        event, _part = played
        stranger = make_user("vreemd")
        with pytest.raises(Refused):
            link_player(event_id=event.pk, user=stranger.pk, number=1, actor=SYSTEM)
        user = make_user("bekend", event, "referee")
        with pytest.raises(Refused):
            link_player(event_id=event.pk, user=user.pk, number=999, actor=SYSTEM)
        link_player(event_id=event.pk, user=user.pk, number=1, actor=SYSTEM)
        link_player(event_id=event.pk, user=user.pk, number=None, actor=SYSTEM)
        assert not RefereePlays.objects.exists()


class TestLaddersAndEntrants:
    @pytest.mark.guide("referee#what-to-keep-in-mind")
    def test_a_warning_counts_and_the_second_offence_costs(self, played):
        """T-PHONE: warning, then the penalty, then exclusion from the round (C.7)."""
        event, round_ = played
        made = [
            issue(event, round_, "T-PHONE", {"offender": "N"}, 1, 1, deal) for deal in (1, 2, 3)
        ]
        assert [m.measure for m in made] == ["warning", "penalty", "excluded_from_round"]
        offender = made[0].offender
        assert len(history_of(event.pk)) == 3
        lines = Adjustment.objects.filter(entrant=offender, annulled_at__isnull=True)
        assert lines.get(source=f"ruling:{made[2].pk}").penalties == 1
        rulings.annul(ruling_id=made[0].pk, actor=REFEREE, reason="it was an alarm")
        again = issue(event, round_, "T-PHONE", {"offender": "N"}, 2, 1, 1)
        assert again.measure in ("warning", "excluded_from_round")

    @pytest.mark.guide("referee#what-to-keep-in-mind")
    def test_an_exclusion_loses_the_round_whatever_is_corrected_in_it(self, played):
        event, round_ = played
        for deal in (1, 2, 3):
            last = issue(event, round_, "T-PHONE", {"offender": "N"}, 1, 1, deal)
        key = str(last.offender.number)

        def brought():
            lines = [line for line in gather(round_.stage).results if line.entrant == key]
            return {(line.outcome, line.marks_for, line.marks_against) for line in lines}

        assert brought() == {("loss", 0, 0)}
        sheet = sheet_at(round_, 1, 2)
        entry = {**sheet.deals.get(number=1, current=True).entry, "points": {"NS": 60}}
        sheets.correct_deal(
            sheet_id=sheet.pk, number=1, entry=entry, actor=SYSTEM, reason="misread"
        )
        assert brought() == {("loss", 0, 0)}

    def test_other_adjustments_are_left_alone(self, played):
        event, round_ = played
        entrant = event.entrants.first()
        adjust(
            stage_id=round_.stage_id,
            source="director:1",
            amounts=[Amount(entrant.pk, marks=-5)],
            reason="slip",
            actor=SYSTEM,
        )
        ruling = issue(event, round_, "T-LATE", {"offender": "N", "minutes": 8}, 1, 1, 1)
        rulings.annul(ruling_id=ruling.pk, actor=REFEREE, reason="the bus")
        assert Adjustment.objects.filter(annulled_at__isnull=True).get().source == "director:1"


class TestEvidence:
    @pytest.mark.guide("referee#look-at-the-evidence", "referee#what-to-keep-in-mind")
    def test_equity_of_a_recorded_revoke(self):
        event, round_ = event_in_play(deals=4)
        sheet = sheet_at(round_)
        entry, found = revoked_deal(sheet)
        sheets.enter_deal(sheet_id=sheet.pk, entry=entry, actor=SYSTEM)
        incident = incident_at(event, round_)
        told = equity_of(case_of(Incident.objects.get(pk=incident.pk)), 0)
        assert told["exact"]
        innocent = "EW" if found["seat"] in "NS" else "NS"
        assert told["side"] == innocent
        deal = sheet.deals.get(current=True)
        other = "NS" if innocent == "EW" else "EW"
        assert told["as_played"] == deal.marks[innocent] - deal.marks[other]
        infraction = {"article": "000-P1", "side": other}
        ruled = ScoreSheet(sheet).score(deal.entry, [infraction]).marks
        assert abs(ruled[innocent] - ruled[other]) >= 34 - 5, "34, and the turn-up that was written"
        assert told["penalised"] == ruled[innocent] - ruled[other]
        assert told["difference"] == told["penalised"] - told["without_offence"]
        assert sum(told["points"].values()) == 68

    def test_the_job_runs_once_for_one_version_of_the_deal(self):
        event, round_ = event_in_play(deals=4)
        sheet = sheet_at(round_)
        entry, _found = revoked_deal(sheet)
        sheets.enter_deal(sheet_id=sheet.pk, entry=entry, actor=SYSTEM)
        incident = incident_at(event, round_)
        first = evidence.ask_equity(incident_id=incident.pk, index=0, actor=REFEREE)
        assert evidence.ask_equity(incident_id=incident.pk, index=0, actor=REFEREE) == first
        work_on(str(first.pk))
        first.refresh_from_db()
        assert first.state == "done"
        assert evidence.ask_equity(incident_id=incident.pk, index=0, actor=REFEREE) == first
        with pytest.raises(Refused):
            evidence.ask_equity(incident_id=incident.pk, index=1, actor=REFEREE)

    @pytest.mark.guide("referee#what-to-keep-in-mind")
    def test_a_partial_record_proves_or_does_not(self):
        """The card thrown later proves the revoke; without that trick nothing is proved."""
        event, round_ = event_in_play(deals=4)
        sheet = sheet_at(round_)
        entry, found = revoked_deal(sheet)
        deal = sheets.enter_deal(sheet_id=sheet.pk, entry=entry, actor=SYSTEM)
        incident = Incident.objects.get(pk=incident_at(event, round_).pk)
        from tournament.tables.score_sheet import ScoreSheet

        replayed, _places = ScoreSheet(sheet).replay(deal.entry, partial=True)
        tricks = [
            {"n": t["n"], "leader": t["leader"], "plays": [c for _s, c in t["plays"]]}
            for t in replayed["tricks"]
        ]
        claim = {"trick": found["trick"], "seat": found["seat"], "kind": "revoke"}
        for listed, verdict in (
            ([t for t in tricks if t["n"] in (found["trick"], 6)], "guilty"),
            ([t for t in tricks if t["n"] == found["trick"]], "undetermined"),
        ):
            job = evidence.ask_proof(
                incident_id=incident.pk,
                question={"trump": entry["record"]["trump"], "tricks": listed, "allegation": claim},
                actor=REFEREE,
            )
            work_on(str(job.pk))
            job.refresh_from_db()
            assert job.result["verdict"] == verdict


class TestVoidDeals:
    @pytest.mark.guide("referee#what-to-keep-in-mind")
    def test_a_misdeal_gives_the_bonus_back_and_the_deal_passes(self):
        """001 r.6: misdeal before the turn-up: no points, the deal passes (I01)."""
        event, round_ = event_in_play("boussac", deals=4)
        sheet = enter(sheet_at(round_), 40)
        entry = sheet.deals.get(current=True).entry
        code = code_of(event)
        facts = {
            f.name: (
                entry["dealer"]
                if f.name == "dealer"
                else "E"
                if f.type.value == "seat"
                else False
                if f.type.value == "bool"
                else f.choices[0][0]
            )
            for f in code.article("001-R6a").facts
            if f.required
        }
        ruling = stating(
            rulings.issue,
            incident_id=incident_at(event, round_).pk,
            article="001-R6a",
            facts=facts,
            against_record=["result"],
            actor=REFEREE,
        )
        deals = ScoreSheet(sheet).current()
        assert deals[0].marks == {"NS": 0, "EW": 0}
        rulings.annul(ruling_id=ruling.pk, actor=REFEREE, reason="well dealt")
        assert ScoreSheet(sheet).current()[0].entry == entry
        assert ScoreSheet(sheet).current()[0].marks == {"NS": 6, "EW": 0}

    def test_the_table_may_correct_a_ruled_deal_and_annulling_gives_the_correction(self):
        event, round_ = event_in_play(deals=4)
        sheet = enter(sheet_at(round_), 40)
        ruling = ruled_revoke(event, round_)
        corrected = points_entry(sheet, 44, dealer=sheet.first_dealer)
        sheets.correct_deal(
            sheet_id=sheet.pk,
            number=1,
            entry=corrected,
            actor=SYSTEM,
            reason="misread",
        )
        assert sheet.deals.get(current=True).marks == {"NS": 0, "EW": 34}
        rulings.annul(ruling_id=ruling.pk, actor=REFEREE, reason="no")
        assert sheet.deals.get(current=True).marks == {"NS": 10, "EW": 0}


def test_a_house_article_rules_and_is_pinned(played):
    event, round_ = played
    field = {
        "name": "offender",
        "type": "seat",
        "label": {"en": "Offender", "fr": "Fautif", "nl": "Overtreder"},
        "help": {"en": "", "fr": "", "nl": ""},
        "required": True,
        "choices": [],
        "minimum": None,
        "maximum": None,
    }
    article = {
        "id": "H-1",
        "kind": "conduct",
        "who": "player",
        "charge": "penalty",
        "deal": "stands",
        "title": {"en": "Smoking", "fr": "Fumer", "nl": "Roken"},
        "text": {
            "en": "No smoking at the table.",
            "fr": "On ne fume pas à table.",
            "nl": "Aan tafel wordt niet gerookt.",
        },
        "established": {"en": "at once", "fr": "aussitôt", "nl": "meteen"},
        "citation": {"source": "Club meeting", "rule": "1", "quote": ""},
        "facts": [field],
    }
    change_code(event_id=event.pk, actor=SYSTEM, reason="the hall", content={"articles": [article]})
    before = state(event)
    ruling = issue(event, round_, "H-1", {"offender": "N"}, 1, 1, 1)
    lines = Adjustment.objects.filter(annulled_at__isnull=True)
    assert sorted(lines.values_list("marks", flat=True)) == [0, 0, 34, 34]
    rulings.annul(ruling_id=ruling.pk, actor=REFEREE, reason="outside")
    assert state(event) == before
