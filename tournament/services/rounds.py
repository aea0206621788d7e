"""The close of a round, and its way back into play."""

from __future__ import annotations

import uuid

from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from ledger import audit
from ledger.actors import Actor
from ledger.errors import Conflict, Refused
from ledger.verbs import verb
from tournament.models import Round, RoundState
from tournament.queries.falls import Act, fallen, of_round, what_falls
from tournament.queries.rounds import tables_waiting

from .untouched import lock_tables

audit.name_verbs("round", closed=_("Round closed"), reopened=_("Round reopened"))


@verb("rounds_close", Round, "rounds.manage", done=_("The round is closed."))
def close_round(*, round_id: uuid.UUID, actor: Actor, forfeits: bool = False) -> Round:
    """Close a round once every table has signed; its links stop working.

    ``forfeits``: the director confirms the tables that a forfeit prevented from playing.
    """
    lock_tables(round_id)
    closed = (
        Round.objects.select_for_update(of=("self",), no_key=True)
        .select_related("stage")
        .get(pk=round_id)
    )
    if closed.state == RoundState.CLOSED:
        return closed
    if closed.state not in (RoundState.PLAYING, RoundState.PUBLISHED):
        raise Conflict("not_published", _("This round has not been played."))
    waiting, unplayed = tables_waiting(closed)
    if waiting:
        raise Conflict(
            "tables_not_signed",
            ngettext(
                "%(count)d table has not signed yet: %(tables)s.",
                "%(count)d tables have not signed yet: %(tables)s.",
                len(waiting),
            ),
            params={
                "count": len(waiting),
                "tables": ", ".join(map(str, waiting[:12])) + ("…" if len(waiting) > 12 else ""),
            },
        )
    if unplayed and not forfeits and not closed.stage.played_as.bracket:
        raise Conflict(
            "tables_forfeited",
            ngettext(
                "At table %(tables)s a player forfeited the round and the games were not played.",
                "At tables %(tables)s a player forfeited the round and the games were not played.",
                len(unplayed),
            ),
            field="forfeits",
            params={"tables": ", ".join(map(str, unplayed))},
        )
    closed.state = RoundState.CLOSED
    closed.closed_at = timezone.now()
    closed.paused_left = None
    closed.save(update_fields=["state", "closed_at", "paused_left"])
    closed.tables.update(open=False)
    audit.append(closed, "round.closed", actor)
    return closed


@verb("rounds_reopen", Round, "rounds.manage", done=_("The round is open again."))
def reopen_round(*, round_id: uuid.UUID, actor: Actor, reason: str) -> Round:
    """Take a closed round back into play, so that its sheets can be corrected at the table."""
    if not reason.strip():
        raise Refused("reason_missing", _("Give a reason for reopening the round."), field="reason")
    lock_tables(round_id)
    reopened = (
        Round.objects.select_for_update(of=("self",), no_key=True)
        .select_related("stage__event")
        .get(pk=round_id)
    )
    if reopened.state != RoundState.CLOSED:
        return reopened
    falls = fallen(what_falls(of_round(Act.REOPEN, reopened)))
    reopened.state = RoundState.PLAYING
    reopened.closed_at = None
    reopened.save(update_fields=["state", "closed_at"])
    reopened.tables.update(open=True)
    audit.append(reopened, "round.reopened", actor, after={"reason": reason, "falls": falls})
    return reopened
