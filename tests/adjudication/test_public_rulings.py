"""The public list of rulings: article, penalty, reason and state, in the reader's language, without names."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from adjudication.services import rulings
from tests.adjudication.build import REFEREE, enter, event_in_play, incident_at, sheet_at, stating
from tournament.models import Person

pytestmark = pytest.mark.django_db
REVOKE = {"offender": "N", "trick": 3, "noticed": "after_deal"}
PENALTY = re.compile(r'<p class="ruling__penalty">([^<]*)</p>')


def test_everybody_reads_every_ruling_newest_first(client: Client) -> None:
    event, round_ = event_in_play(deals=4, publish_play="at_once")
    path = f"/e/{event.slug}/rulings/"
    assert "No ruling yet" in client.get(path, headers={"accept-language": "en"}).content.decode()
    made = []
    for table in (1, 2):
        enter(sheet_at(round_, table), 40)
        incident = incident_at(event, round_, table=table)
        made.append(
            stating(
                rulings.issue,
                incident_id=incident.pk,
                article="000-P1",
                facts=REVOKE,
                actor=REFEREE,
                reason=f"Seen at table {table}.",
            )
        )
    page = client.get(path, headers={"accept-language": "en"}).content.decode()
    assert page.index("Seen at table 2.") < page.index("Seen at table 1.")
    assert page.count("000-P1") == 2
    assert [name for name in Person.objects.values_list("name", flat=True) if name in page] == []
    rulings.annul(ruling_id=made[1].pk, actor=REFEREE, reason="not proved")
    assert "ruling--annulled" in client.get(path).content.decode()


@pytest.mark.parametrize(("language", "between"), [("fr", "\u00a0; "), ("nl", "; "), ("en", "; ")])
def test_a_penalty_of_several_parts_is_written_as_its_language_does(
    client: Client, language: str, between: str
) -> None:
    event, round_ = event_in_play(deals=4, publish_play="at_once")
    enter(sheet_at(round_), 40)
    stating(
        rulings.issue,
        incident_id=incident_at(event, round_).pk,
        article="000-P1",
        facts=REVOKE,
        actor=REFEREE,
    )
    page = client.get(f"/e/{event.slug}/rulings/", headers={"accept-language": language})
    (penalty,) = PENALTY.findall(page.content.decode())
    assert len(re.findall(r"\s?; ", penalty)) >= 1
    assert set(re.findall(r"\s?; ", penalty)) == {between}
