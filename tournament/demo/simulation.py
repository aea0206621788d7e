"""Play an event on: draw, publish, enter deals, sign, close, as the services would be called."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

from django.utils import translation
from django.utils.translation import gettext as _

from ledger.actors import Actor
from ledger.change import change
from ledger.jobs import work_on
from ledger.models import JobState
from tournament.demo.offence import deal_with_revoke
from tournament.demo.play import deal_and_play, plain, take_alone
from tournament.models import DrawState, Event, Round, RoundState
from tournament.models.tables import Protocol, Sheet, SheetState
from tournament.queries.matches import level_matches
from tournament.queries.rounds import current_round
from tournament.services import (
    clock,
    draws,
    publication,
    reseating,
    rounds,
    sheets,
    signatures,
    stages,
)
from tournament.tables.score_sheet import ScoreSheet

Say = Callable[[str], None]
PLAYER = Actor.system("simulation")


def play_deal(
    sheet: Sheet, number: int, chance: random.Random, *, cards: bool = False, revoke: bool = False
) -> None:
    """Deal, play and enter one deal of a sheet; ``cards``: enter it card by card; ``revoke``: with
    one in trick 5 that trick 6 shows."""
    game = ScoreSheet(sheet).game
    dealer = ScoreSheet(sheet).dealer_in_turn(number)
    if not game.in_pairs:
        entry = take_alone(game, dealer, chance)
    elif revoke:
        entry = deal_with_revoke(game, dealer, tricks=[5], seed="demo")
    else:
        entry, deal = deal_and_play(game, dealer, chance)
        if not cards:
            entry = plain(entry, deal)
    sheets.enter_deal(sheet_id=sheet.pk, entry=entry, actor=PLAYER)


CARD_BY_CARD = 103
"""The table that writes every card; in the round in play it is still at it, with a revoke."""


def play_sheet(
    sheet: Sheet,
    chance: random.Random,
    *,
    deals: int | None = None,
    sign: bool = True,
    cards: bool = False,
) -> Sheet:
    """Play a sheet to its end (or for so many deals) and let both sides sign."""
    number = sheet.deals.filter(series="official", current=True).count()
    while not sheet.finished and (deals is None or deals > 0) and number < 200:
        number += 1
        play_deal(sheet, number, chance, cards=cards)
        sheet.refresh_from_db()
        deals = None if deals is None else deals - 1
    if sign and sheet.finished and sheet.state == SheetState.OPEN:
        if sheet.protocol == Protocol.REFEREE:
            return signatures.confirm(sheet_id=sheet.pk, version=sheet.version, actor=PLAYER)
        for side in ScoreSheet(sheet).sides:
            sheet = signatures.sign(
                sheet_id=sheet.pk, side=side, version=sheet.version, actor=PLAYER
            )
    return sheet


def play_round(
    round_: Round, chance: random.Random, *, share: float = 1.0, report: Say = lambda _text: None
) -> None:
    """Play the undecided tables of a round; with ``share`` below 1 some tables stay in the middle of it."""
    tables = list(round_.tables.filter(decided_for=None).order_by("number"))
    done = int(len(tables) * share)
    for place, table in enumerate(tables):
        listed = list(table.sheets.order_by("order"))
        with change():
            if place < done:
                for sheet in listed:
                    play_sheet(sheet, chance, cards=table.number == CARD_BY_CARD)
            elif place % 7 != 6:
                games = chance.randint(0, len(listed) - 1)
                for sheet in listed[:games]:
                    play_sheet(sheet, chance)
                play_sheet(
                    listed[games],
                    chance,
                    deals=chance.randint(1, 3),
                    sign=False,
                    cards=table.number == CARD_BY_CARD,
                )
                if table.number == CARD_BY_CARD and not (sheet := listed[games]).finished:
                    number = sheet.deals.filter(series="official", current=True).count() + 1
                    play_deal(sheet, number, chance, cards=True, revoke=True)
        if (place + 1) % 34 == 0:
            report(f"  round {round_.number}: {place + 1} of {len(tables)} tables")


def decide_level(round_: Round) -> None:
    """Let the director decide the matches of a bracket that ended level: for North-South."""
    with translation.override(round_.stage.event.language):
        reason = _("Lots were drawn.")
    for match in level_matches(round_):
        side = match.seats.get(position="NS")
        reseating.decide_match(
            round_id=round_.pk,
            table=match.number,
            winner=side.entrant.number,
            reason=reason,
            actor=PLAYER,
        )


class NotDrawn(RuntimeError):
    """The next round has no draw; the text gives the reason."""


def draw_and_publish(round_: Round, actor: Actor) -> Round:
    """Draw a round, publish the draw and start the clock."""
    job = draws.request_draw(round_id=round_.pk, actor=actor)
    work_on(str(job.pk))
    job.refresh_from_db()
    while job.state in (JobState.QUEUED, JobState.RUNNING):
        # A worker was quicker; where it ends without a word, the draw is taken up here.
        time.sleep(0.2)
        work_on(str(job.pk))
        job.refresh_from_db()
    candidate = round_.draws.filter(state=DrawState.CANDIDATE).order_by("-number").first()
    if candidate is None:
        raise NotDrawn(f"round {round_.number} could not be drawn: {job.failure}")
    publication.publish_draw(draw_id=candidate.pk, actor=actor)
    return clock.start_round(round_id=round_.pk, actor=actor)


def next_round(event: Event) -> Round | None:
    """Return the next round to draw; open the next stage when the last one is complete."""
    for stage in event.stages.order_by("order"):
        waiting = stage.rounds.filter(published_at__isnull=True).order_by("number").first()
        if waiting is None:
            continue
        if not stage.field.exists():
            before = event.stages.filter(order__lt=stage.order).order_by("-order").first()
            if before is None:
                return None
            if stages.undecided(before):
                stages.draw_lots(stage_id=before.pk, actor=PLAYER)
            stages.open_next_stage(stage_id=before.pk, actor=PLAYER)
        return waiting
    return None


def advance(
    event: Event, chance: random.Random, *, share: float = 1.0, report: Say = lambda _text: None
) -> Round | None:
    """Play the round in play to its end and close it, or draw and play the next one."""
    now = current_round(event)
    if now is None or now.state == RoundState.CLOSED:
        following = next_round(event)
        if following is None:
            return None
        now = draw_and_publish(following, PLAYER)
    play_round(now, chance, share=share, report=report)
    if share >= 1:
        if now.stage.played_as.bracket:
            decide_level(now)
        rounds.close_round(round_id=now.pk, actor=PLAYER)
    now.refresh_from_db()
    return now
