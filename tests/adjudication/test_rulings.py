"""A ruling from proposal to annulment: its effects, and their exact reversal."""

from __future__ import annotations

import copy

import pytest
from django.db import DatabaseError, IntegrityError, transaction

from adjudication.models import Appeal, IncidentState, Ruling, RulingState, RulingVersion
from adjudication.services import appeals, incidents, rulings
from adjudication.services.proposals import FactsRefused
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
    revoked_deal,
    ruled_revoke,
    sheet_at,
    sign,
    stating,
)
from tournament.queries.results import gather
from tournament.queries.standings import compute
from tournament.services import sheets, tables
from tournament.tables.score_sheet import ScoreSheet

pytestmark = pytest.mark.django_db


def marks(sheet, number=1):
    return sheet.deals.get(series="official", number=number, current=True).marks


def standing(event):
    stage = event.stages.get(order=1)
    return [(row.entrant.id, row.rank, row.values) for row in compute(stage, gather(stage)).rows]


@pytest.fixture(scope="module")
def built(module_database):
    event, round_ = event_in_play()
    sheet = sign(enter(sheet_at(round_), 40, 30))
    return event, round_, sheet


@pytest.fixture
def played(built):
    return copy.deepcopy(built)


class TestIssue:
    def test_a_revoke_of_the_parlee_gives_34_to_the_other_side(self, played):
        """000: a penalty of 34 strikes the authors; credited to the opponents (Q-GEN-2)."""
        event, round_, sheet = played
        assert marks(sheet) == {"NS": 6, "EW": 0}
        incident = incident_at(event, round_)
        ruling = stating(
            rulings.issue,
            incident_id=incident.pk,
            article="000-P1",
            facts=REVOKE,
            actor=REFEREE,
            claimed="in_time",
        )
        assert marks(sheet) == {"NS": 0, "EW": 34}
        sheet.refresh_from_db()
        result = sheet.results.get(current=True).result
        assert result["marks"] == {"NS": 0, "EW": 38}
        assert result["winner"] == "EW"
        assert result["penalties"] == {"NS": 1, "EW": 0}
        assert ruling.state == RulingState.PROVISIONAL
        incident.refresh_from_db()
        assert incident.state == IncidentState.RULED

    @pytest.mark.guide("referee#the-life-of-a-ruling")
    def test_annulling_gives_back_marks_result_and_standing_exactly(self, played):
        event, round_, sheet = played
        before = standing(event), sheet.results.get(current=True).result, marks(sheet)
        entry = sheet.deals.get(number=1, current=True).entry
        ruling = ruled_revoke(event, round_, claimed="in_time")
        assert standing(event) != before[0]
        rulings.annul(ruling_id=ruling.pk, actor=REFEREE, reason="wrong player")
        sheet.refresh_from_db()
        after = standing(event), sheet.results.get(current=True).result, marks(sheet)
        assert after == before
        assert sheet.deals.get(number=1, current=True).entry == entry
        assert sheet.deals.get(number=1, current=True).infractions == []
        assert [v.cause for v in ruling.versions.order_by("number")] == ["issued", "annulled"]

    def test_without_an_article_nothing_is_ruled(self, played):
        event, round_, _sheet = played
        incident = incident_at(event, round_)
        for article in ("", "000-P9", "004-V1"):
            with pytest.raises(Refused, match="article") as refused:
                stating(
                    rulings.issue,
                    incident_id=incident.pk,
                    article=article,
                    facts=REVOKE,
                    actor=REFEREE,
                )
            assert refused.value.field == "article"
        assert not RulingVersion.objects.exists()

    @pytest.mark.guide("referee#state-the-facts")
    def test_every_missing_fact_is_named(self, played):
        event, round_, _sheet = played
        with pytest.raises(FactsRefused) as refused:
            stating(
                rulings.issue,
                incident_id=incident_at(event, round_).pk,
                article="000-P1",
                facts={"offender": "Q"},
                actor=REFEREE,
                claimed="in_time",
            )
        assert set(refused.value.defects) >= {"offender", "noticed"}

    @pytest.mark.guide("referee#issue-the-ruling")
    def test_a_discretionary_article_needs_a_reason(self, played):
        event, round_, _sheet = played
        incident = incident_at(event, round_)
        facts = {"offender": "N", "measure": "warning", "what": "unsporting"}
        from adjudication.queries.codes import code_of

        article = code_of(event).article("T-UNSP")
        facts = {
            f.name: (f.choices[0][0] if f.choices else "N") for f in article.facts if f.required
        }
        facts["measure"] = "warning" if article.fact("measure") else facts.get("measure")
        with pytest.raises(Refused) as refused:
            stating(
                rulings.issue, incident_id=incident.pk, article="T-UNSP", facts=facts, actor=REFEREE
            )
        assert refused.value.code == "reason_missing"
        made = stating(
            rulings.issue,
            incident_id=incident.pk,
            article="T-UNSP",
            facts=facts,
            actor=REFEREE,
            reason="Threw the cards at the scorekeeper.",
        )
        assert made.measure == "warning"

    @pytest.mark.guide("referee#what-to-keep-in-mind")
    def test_a_claim_after_the_signatures_is_refused_by_the_code(self, played):
        """C.6: claims are admitted until both sides have signed."""
        event, round_, sheet = played
        ruling = ruled_revoke(event, round_)
        assert ruling.measure == "claim_refused"
        assert marks(sheet) == {"NS": 6, "EW": 0}

    @pytest.mark.guide("referee#issue-the-ruling")
    def test_a_deal_that_was_not_written_is_written_by_the_ruling(self):
        event, round_ = event_in_play()
        sheet = enter(sheet_at(round_), 40)
        ruling = stating(
            rulings.issue,
            incident_id=incident_at(event, round_, deal=2).pk,
            article="000-P1",
            facts=REVOKE,
            actor=REFEREE,
        )
        sheet.refresh_from_db()
        assert marks(sheet, 2) == {"NS": 0, "EW": 34}
        assert sheet.finished
        rulings.annul(ruling_id=ruling.pk, actor=REFEREE, reason="mistaken")
        sheet.refresh_from_db()
        assert marks(sheet, 2) == {"NS": 0, "EW": 0}
        assert not sheet.finished
        enter(sheet, 30)
        sheet.refresh_from_db()
        assert sheet.finished
        assert sheet.score["marks"] == {"NS": 6, "EW": 4}


class TestTwoRulingsOnADeal:
    @pytest.mark.guide("referee#after-the-ruling")
    def test_both_at_fault_voids_the_deal_and_the_same_dealer_deals_again(self):
        """Q-GEN-9: penalties cancel, the deal is void and redealt."""
        event, round_ = event_in_play(deals=4)
        sheet = enter(sheet_at(round_), 40)
        first = ruled_revoke(event, round_)
        second = stating(
            rulings.issue,
            incident_id=incident_at(event, round_).pk,
            article="000-P2",
            facts={**REVOKE, "offender": "E"},
            actor=REFEREE,
        )
        assert marks(sheet) == {"NS": 0, "EW": 0}
        deals = ScoreSheet(sheet).current()
        assert ScoreSheet(sheet).next_dealer(deals) == deals[0].entry["dealer"]
        rulings.annul(ruling_id=first.pk, actor=REFEREE, reason="not proved")
        assert marks(sheet) == {"NS": 34, "EW": 0}
        rulings.annul(ruling_id=second.pk, actor=REFEREE, reason="not proved")
        assert marks(sheet) == {"NS": 6, "EW": 0}

    def test_one_side_pays_once(self):
        event, round_ = event_in_play(deals=4)
        sheet = enter(sheet_at(round_), 40)
        for article in ("000-P1", "000-P2"):
            stating(
                rulings.issue,
                incident_id=incident_at(event, round_).pk,
                article=article,
                facts=REVOKE,
                actor=REFEREE,
            )
        assert marks(sheet) == {"NS": 0, "EW": 34}


class TestLife:
    @pytest.mark.guide("referee#the-life-of-a-ruling")
    def test_an_amendment_replaces_and_keeps_the_former_version(self, played):
        event, round_, sheet = played
        ruling = ruled_revoke(event, round_, claimed="in_time")
        stating(
            rulings.amend,
            ruling_id=ruling.pk,
            article="000-P2",
            facts={**REVOKE, "offender": "W"},
            actor=REFEREE,
            reason="It was West.",
            claimed="in_time",
        )
        assert marks(sheet) == {"NS": 34, "EW": 0}
        versions = list(ruling.versions.order_by("number"))
        assert [(v.number, v.article, v.cause) for v in versions] == [
            (1, "000-P1", "issued"),
            (2, "000-P2", "amended"),
        ]
        with pytest.raises(Refused):
            stating(
                rulings.amend,
                ruling_id=ruling.pk,
                article="000-P1",
                facts=REVOKE,
                actor=REFEREE,
                reason=" ",
            )

    @pytest.mark.guide("referee#the-life-of-a-ruling")
    def test_who_amended_a_ruling_does_not_hear_the_appeal(self, played):
        event, round_, _sheet = played
        ruling = ruled_revoke(event, round_, claimed="in_time")
        assert appeals.may_hear(SECOND, ruling)
        stating(
            rulings.amend,
            ruling_id=ruling.pk,
            article="000-P2",
            facts={**REVOKE, "offender": "W"},
            actor=SECOND,
            reason="It was West.",
            claimed="in_time",
        )
        assert not appeals.may_hear(SECOND, ruling)
        assert not appeals.may_hear(REFEREE, ruling)
        assert appeals.may_hear(COMMITTEE, ruling)

    @pytest.mark.guide("referee#the-life-of-a-ruling")
    def test_final_at_the_deadline_not_before(self, played):
        event, round_, _sheet = played
        ruling = ruled_revoke(event, round_, claimed="in_time")
        assert rulings.finalise_due(ruling.issued_at) == 0
        assert rulings.finalise_due(ruling.appeal_until) == 1
        assert rulings.finalise_due(ruling.appeal_until) == 0
        ruling.refresh_from_db()
        assert ruling.state == RulingState.FINAL
        with pytest.raises(Conflict):
            appeals.lodge(ruling_id=ruling.pk, side="NS", grounds="late", actor=SYSTEM)

    @pytest.mark.guide("referee#the-life-of-a-ruling")
    def test_an_open_appeal_keeps_it_provisional_and_others_hear_it(self, played):
        event, round_, _sheet = played
        before = standing(event)
        ruling = ruled_revoke(event, round_, claimed="in_time")
        appeal = appeals.lodge(ruling_id=ruling.pk, side="NS", grounds="void of it", actor=SYSTEM)
        assert rulings.finalise_due(ruling.appeal_until) == 0
        with pytest.raises(Conflict):
            rulings.annul(ruling_id=ruling.pk, actor=REFEREE, reason="changed my mind")
        with pytest.raises(Conflict):
            appeals.lodge(ruling_id=ruling.pk, side="NS", grounds="again", actor=SYSTEM)
        with pytest.raises(NotAllowed):
            hear(appeal_id=appeal.pk, outcome="upheld", decision="I was right", actor=REFEREE)
        with pytest.raises(Refused):
            hear(appeal_id=appeal.pk, outcome="upheld", decision="", actor=COMMITTEE)
        hear(appeal_id=appeal.pk, outcome="overturned", decision="No proof.", actor=COMMITTEE)
        assert standing(event) == before
        ruling.refresh_from_db()
        assert ruling.state == RulingState.ANNULLED
        assert ruling.versions.latest("number").cause == "overturned"
        with pytest.raises(Conflict):
            hear(appeal_id=appeal.pk, outcome="upheld", decision="again", actor=COMMITTEE)

    @pytest.mark.guide("referee#the-life-of-a-ruling")
    def test_upheld_and_changed_end_the_matter(self, played):
        event, round_, sheet = played
        for outcome, more, expected in (
            ("upheld", {}, {"NS": 0, "EW": 34}),
            (
                "changed",
                {"article": "000-P2", "facts": {**REVOKE, "offender": "W"}, "claimed": "in_time"},
                {"NS": 0, "EW": 0},
            ),
        ):
            ruling = ruled_revoke(event, round_, claimed="in_time")
            appeal = appeals.lodge(ruling_id=ruling.pk, side="NS", grounds="no", actor=SYSTEM)
            hear(appeal_id=appeal.pk, outcome=outcome, decision="heard", actor=COMMITTEE, **more)
            ruling.refresh_from_db()
            assert ruling.state == RulingState.FINAL
            assert marks(sheet) == expected

    @pytest.mark.guide("referee#close-an-incident-without-a-ruling")
    def test_dismissal_needs_a_reason_and_closes_the_call(self, played):
        _event, _part, sheet = played
        call = tables.call_referee(
            table_id=sheet.table_id, sheet_id=sheet.pk, reason="noise", actor=SYSTEM
        )
        incident = incidents.take_call(call_id=call.pk, actor=REFEREE)
        assert incidents.take_call(call_id=call.pk, actor=REFEREE) == incident
        with pytest.raises(Conflict):
            incidents.take_call(call_id=call.pk, actor=SECOND)
        with pytest.raises(Refused):
            incidents.dismiss(incident_id=incident.pk, actor=REFEREE, reason="")
        incidents.dismiss(incident_id=incident.pk, actor=REFEREE, reason="settled")
        call.refresh_from_db()
        assert call.closed_at is not None

    def test_a_call_that_names_no_game_is_about_the_one_in_play(self, played):
        _event, round_, sheet = played
        assert (sheet.order, sheet.state) == (1, "official")
        call = tables.call_referee(table_id=sheet.table_id, reason="revoke?", actor=SYSTEM)
        assert incidents.take_call(call_id=call.pk, actor=REFEREE).sheet == sheet_at(round_, 1, 2)


class TestRevokeCardByCard:
    def test_the_sheet_flags_it_and_names_the_card_that_proves_it(self):
        _event, round_ = event_in_play(deals=4)
        sheet = sheet_at(round_)
        entry, found = revoked_deal(sheet)
        deal = sheets.enter_deal(sheet_id=sheet.pk, entry=entry, actor=SYSTEM)
        assert deal.flagged[0]["provable"]["trick"] == 6
        assert deal.flagged[0]["articles"] == ["000-P1"]
        assert found["seat"] == deal.flagged[0]["seat"]


class TestTheDatabaseItself:
    """Writes that database constraints and triggers refuse, whatever the code does."""

    def ruled(self, played):
        event, round_, _sheet = played
        return ruled_revoke(event, round_, claimed="in_time")

    @pytest.mark.guide("referee#the-life-of-a-ruling")
    @pytest.mark.parametrize("act", ["update", "delete"])
    def test_a_version_is_neither_changed_nor_deleted(self, played, act):
        version = self.ruled(played).versions.get()
        rows = RulingVersion.objects.filter(pk=version.pk)
        with pytest.raises(DatabaseError), transaction.atomic(), change():
            rows.update(reason="other") if act == "update" else rows.delete()
        assert rows.get().reason == version.reason

    def test_no_ruling_without_an_article_no_change_without_a_reason(self, played):
        ruling = self.ruled(played)
        version = ruling.versions.get()
        with pytest.raises(IntegrityError), transaction.atomic(), change():
            Ruling.objects.filter(pk=ruling.pk).update(article="")
        for wrong in ({"article": ""}, {"reason": ""}):
            row = RulingVersion(
                ruling=ruling,
                number=2,
                cause="amended",
                in_force=True,
                article="000-P1",
                reason="why",
                proposal=version.proposal,
                context=version.context,
                made_by="user:1",
                made_at=version.made_at,
            )
            for name, value in wrong.items():
                setattr(row, name, value)
            with pytest.raises(IntegrityError), transaction.atomic(), change():
                row.save()

    @pytest.mark.guide("referee#the-life-of-a-ruling")
    def test_one_appeal_of_a_side_and_none_heard_without_a_reason(self, played):
        ruling = self.ruled(played)
        appeal = appeals.lodge(ruling_id=ruling.pk, side="NS", grounds="no", actor=SYSTEM)
        with pytest.raises(IntegrityError), transaction.atomic(), change():
            Appeal.objects.create(
                ruling=ruling, side="EW", grounds="no", lodged_by="x", lodged_at=appeal.lodged_at
            )
        with pytest.raises(IntegrityError), transaction.atomic(), change():
            Appeal.objects.filter(pk=appeal.pk).update(state="upheld")
