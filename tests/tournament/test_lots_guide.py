"""Lots: the guide's procedure gives the order that the service draws."""

from __future__ import annotations

import re
import subprocess
from hashlib import sha256
from pathlib import Path

import pytest
from django.test import Client

from accounts.models import Role
from ledger.errors import Conflict
from operations.replay import replay
from tests.tournament.build import SYSTEM, chance, make_event, make_user
from tournament.demo.simulation import advance, draw_and_publish
from tournament.models import Lot
from tournament.pairing.chance import Chance
from tournament.services import stages
from tournament.services.events import new_stage

GUIDE = (Path(__file__).parents[2] / "docs" / "ranking.md").read_text(encoding="utf-8")
CHAPTER = GUIDE.split("## Drawing lots again")[1].split("\n## ")[0]


def by_shell(seed: str, what: str, numbers: list[int]) -> list[int]:
    """Run the guide's own command. Return the order that it prints."""
    script = re.search(r"```bash\n(.*?)```", CHAPTER, re.S)
    assert script is not None
    *function, example = script[1].strip().splitlines()
    assert example == "lots demo-2017/1 cut 7 12 31 44"
    call = 'lots "$@"'
    done = subprocess.run(
        ["bash", "-eu", "-c", "\n".join([*function, call]), "lots", seed, what, *map(str, numbers)],
        capture_output=True,
        text=True,
        check=True,
    )
    return [int(number) for number in done.stdout.split()]


def by_steps(text: str, numbers: list[int]) -> list[int]:
    """Carry out the guide's five steps, with places counted from 1."""
    digits = "".join(sha256(f"{text}|{block}".encode()).hexdigest() for block in range(8))
    order = dict(enumerate(numbers, start=1))
    for turn, place in enumerate(range(len(numbers), 1, -1)):
        other = int(digits[8 * turn : 8 * turn + 8], 16) % place + 1
        order[place], order[other] = order[other], order[place]
    return list(order.values())


@pytest.mark.guide("ranking#drawing-lots-again")
def test_the_worked_example_of_the_guide_is_what_the_service_draws() -> None:
    drawn = Chance("demo-2017/1", "cut|7,12,31,44").shuffled([7, 12, 31, 44])
    assert drawn == [31, 12, 7, 44]
    assert "The result is the order of the lots: 31, 12, 7, 44." in CHAPTER
    (said,) = re.findall(r"`printf %s '(.*?)' \| sha256sum` gives `(.*?)…`", CHAPTER)
    assert sha256(said[0].encode()).hexdigest().startswith(said[1].replace(" ", ""))
    assert by_shell("demo-2017/1", "cut", [7, 12, 31, 44]) == drawn
    assert by_steps("demo-2017/1|cut|7,12,31,44", [7, 12, 31, 44]) == drawn


@pytest.mark.guide("ranking#drawing-lots-again")
@pytest.mark.parametrize("count", [2, 3, 9, 10, 25, 60])
def test_the_guide_s_command_repeats_lots_of_any_number(count: int) -> None:
    numbers = list(range(3, 3 + 7 * count, 7))
    text = "pool|" + ",".join(map(str, numbers))
    drawn = Chance("Coupe d’été/2", text).shuffled(numbers)
    assert by_shell("Coupe d’été/2", "pool", numbers) == drawn
    assert by_steps(f"Coupe d’été/2|{text}", numbers) == drawn


@pytest.mark.guide("ranking#the-criteria")
@pytest.mark.django_db
def test_lots_drawn_at_a_cut_are_repeated_by_the_guide() -> None:
    # One game a round: two partners are level, and a cut to five separates the third pair.
    plan = [
        new_stage(
            "Qualifying",
            cut={"top": 5, "tie": "lots"},
            rounds=1,
            deals_per_game=3,
            games_per_round=1,
        ),
        new_stage("Final", rounds=5, deals_per_game=1),
    ]
    event = make_event(12, plan=plan, public_seed="demo-2017")
    advance(event, chance())
    stage = event.stages.get(order=1)
    drawn = stages.draw_lots(stage_id=stage.pk, actor=SYSTEM)
    assert len(drawn) >= 2
    assert by_shell("demo-2017/1", "cut", sorted(drawn)) == drawn
    recorded = Lot.objects.filter(stage=stage).order_by("lot")
    assert list(recorded.values_list("entrant__number", flat=True)) == drawn


@pytest.mark.guide("director#from-stage-to-stage")
@pytest.mark.django_db
def test_lots_and_a_play_off_are_taken_back_until_the_next_stage_is_drawn(client: Client) -> None:
    plan = [
        new_stage(
            "Qualifying",
            cut={"top": 5, "tie": "play_off"},
            rounds=1,
            deals_per_game=3,
            games_per_round=1,
        ),
        new_stage("Final", rounds=5, deals_per_game=1),
    ]
    event = make_event(12, plan=plan, public_seed="demo-2017")
    advance(event, chance())
    stage, final = event.stages.order_by("order")
    client.force_login(make_user("director", event, Role.DIRECTOR))
    page, act = (f"/desk/{event.slug}/stages/1/{path}/" for path in ("cut", "next"))
    drawn = stages.draw_lots(stage_id=stage.pk, actor=SYSTEM)
    stages.open_next_stage(stage_id=stage.pk, actor=SYSTEM)
    assert 'value="take_back"' in client.get(page).content.decode()
    client.post(act, {"verb": "take_back", "reason": ""})
    assert final.field.count() == 5
    client.post(act, {"verb": "take_back", "reason": "they play it off"})
    assert not final.field.exists()
    assert not Lot.objects.exists()
    assert [sorted(group["numbers"]) for group in stages.undecided(stage)] == [sorted(drawn)]
    with pytest.raises(Conflict) as refused:
        stages.take_back_order(stage_id=stage.pk, actor=SYSTEM, reason="again")
    assert refused.value.code == "nothing_settled"
    stages.settle_play_off(stage_id=stage.pk, numbers=drawn[::-1], actor=SYSTEM)
    assert replay(event).differences == []
    stages.open_next_stage(stage_id=stage.pk, actor=SYSTEM)
    draw_and_publish(final.rounds.get(number=1), SYSTEM)
    with pytest.raises(Conflict) as refused:
        stages.take_back_order(stage_id=stage.pk, actor=SYSTEM, reason="too late")
    assert refused.value.code == "next_stage_began"
