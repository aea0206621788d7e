"""The director's hand on a candidate draw: weigh a change, make it, take it back.

:mod:`tournament.pairing.manual` computes the cost of a change before it is made; every change is
stored with the draw before it, so that all can be undone until the publication. :mod:`.reseating`
changes published draws.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Annotated, Final, Literal

from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from ledger import audit
from ledger.actors import Actor
from ledger.canonical import JsonObject
from ledger.errors import Conflict, Refused
from ledger.verbs import Between, Spread, verb
from tournament.drawing.brackets import traded_in_brackets
from tournament.drawing.locked import replaced_in_plan
from tournament.drawing.spec import SpecJson, spec_as_json, spec_from_json
from tournament.models import Draw, DrawState, Round
from tournament.pairing.explain import explain
from tournament.pairing.manual import Change, cheapest_swaps, move_table, seat_held, swap
from tournament.pairing.model import Contestant, DrawRefused, Request
from tournament.queries.fields import entrants_of, numbers_of

from .draws import drawn_of, fill

audit.name_verbs("draw", edit_undone=_("Change of a draw undone"), edited=_("Draw changed by hand"))


EditVerb = Literal["swap", "move", "seat"]
EDIT_VERBS: Final[tuple[EditVerb, ...]] = ("swap", "move", "seat")


@dataclass(frozen=True, slots=True)
class Edit:
    """A change by hand; people are start numbers.

    * ``swap``: ``one`` and ``two`` exchange places (one of them may sit out).
    * ``move``: table ``table`` gets the number ``to``; the table that has it gets the old one.
    * ``seat``: ``players`` (held or sitting out) sit together at the free table ``to``.
    """

    verb: EditVerb
    one: Annotated[int, Between(0, 99999)] = 0
    two: Annotated[int, Between(0, 99999)] = 0
    table: Annotated[int, Between(0, 9999)] = 0
    to: Annotated[int, Between(0, 9999)] = 0
    players: Sequence[int] = ()


def refused(refusal: DrawRefused) -> Refused:
    """Return a refusal of the pairing room in the reader's language."""
    return Refused(refusal.code, refusal.reason.render(get_language() or "en"))


def request_of(candidate: Draw) -> Request:
    """Return the request that the draw was computed for, in the form for the movements."""
    return spec_from_json(candidate.request).request()


def weigh(candidate: Draw, edit: Edit) -> Change:
    """Return the changed draw and the change of each line of the certificate; write nothing.

    Raises :class:`Refused` for a change that cannot be made.
    """
    numbers = numbers_of(candidate.round.stage.event)
    request, drawn = request_of(candidate), drawn_of(candidate, numbers)
    acts: dict[str, Callable[[], Change]] = {
        "swap": lambda: swap(request, drawn, edit.one, edit.two),
        "move": lambda: move_table(request, drawn, edit.table, edit.to),
        "seat": lambda: seat_held(request, drawn, edit.players, edit.to),
    }
    if edit.verb not in acts:
        raise Refused("unknown_change", _("No such change."), field="verb")
    if edit.verb == "swap" and edit.one == edit.two:
        raise Refused("same_player", _("Name two different players."), field="two")
    if edit.verb != "swap" and not 1 <= edit.to <= 9999:
        raise Refused("table_number", _("Table numbers run from 1 to 9999."), field="to")
    if edit.verb == "swap" and "knockout_from" in candidate.plan:
        _require_first_of_bracket(candidate)
    if edit.verb == "move" and edit.table not in {t.number for t in drawn.tables}:
        raise Refused(
            "no_such_table",
            _("This draw has no table %(number)d."),
            field="table",
            params={"number": edit.table},
        )
    try:
        return acts[edit.verb]()
    except DrawRefused as refusal:
        raise refused(refusal) from refusal


def _require_first_of_bracket(candidate: Draw) -> None:
    if candidate.round.number != candidate.plan["knockout_from"]:
        raise Conflict(
            "bracket_fixed",
            _(
                "The bracket now decides who meets whom. If a match was decided wrongly, correct that match and "
                "draw again."
            ),
        )


def snapshot(candidate: Draw) -> dict[str, object]:
    """Return a candidate's state for its restoration."""
    return {
        "tables": candidate.tables,
        "byes": candidate.byes,
        "held": candidate.held,
        "certificate": candidate.certificate,
        "seed": candidate.seed,
        "movement": candidate.movement,
        "plan": candidate.plan,
    }


def note(
    candidate: Draw, edit: Mapping[str, object], delta: Mapping[str, int], actor: Actor
) -> None:
    """Append a change to the draw's own list, with the draw before it; the caller saves.

    A change after publication says so (``published``): an archive's checker counts without it.
    """
    candidate.edits = [
        *candidate.edits,
        {
            **edit,
            "delta": {code: by for code, by in delta.items() if by},
            "by": str(actor),
            "at": timezone.now().isoformat(timespec="seconds"),
            "before": snapshot(candidate),
        },
    ]


def _candidate(draw_id: uuid.UUID) -> Draw:
    candidate = Draw.objects.select_related("round__stage__event").get(pk=draw_id)
    # The round is what publication locks too: an edit and a publication never cross.
    Round.objects.select_for_update(no_key=True).get(pk=candidate.round_id)
    candidate.refresh_from_db(
        fields=["state", "tables", "byes", "held", "certificate", "edits", "request", "plan"]
    )
    if candidate.state != DrawState.CANDIDATE:
        raise Conflict(
            "draw_published" if candidate.state == DrawState.PUBLISHED else "draw_discarded",
            _("Only a draft draw can be changed: this one is published or discarded."),
        )
    return candidate


@verb("draws_weigh", Draw, "rounds.manage", changes=False)
def cost(*, draw_id: uuid.UUID, edit: Annotated[Edit, Spread()]) -> Change:
    """Return the effect of a change, line by line of the draw report; write nothing."""
    return weigh(Draw.objects.select_related("round__stage__event").get(pk=draw_id), edit)


@verb("draws_change", Draw, "rounds.manage", done=_("The change is made."))
def make(
    *,
    draw_id: uuid.UUID,
    edit: Annotated[Edit, Spread()],
    after: Annotated[int, Between(0, 9999)],
    actor: Actor,
) -> Draw:
    """Make a change whose cost was shown; ``after`` is how many changes the draw had then.

    ``draw_changed`` when somebody else was quicker.
    """
    candidate = _candidate(draw_id)
    if len(candidate.edits) != after:
        raise Conflict(
            "draw_changed",
            _("Somebody changed this draw in the meantime: look at the effect again."),
        )
    change = weigh(candidate, edit)
    note(candidate, {k: v for k, v in asdict(edit).items() if v}, change.delta, actor)
    if edit.verb == "swap" and "knockout_from" in candidate.plan:
        candidate.plan = traded_in_brackets(candidate.plan, edit.one, edit.two)
    fill(candidate, change.after, entrants_of(candidate.round.stage.event))
    candidate.save()
    audit.append(
        candidate, "draw.edited", actor, after={"change": asdict(edit), "delta": dict(change.delta)}
    )
    return candidate


@verb("draws_undo", Draw, "rounds.manage", done=_("The last change has been undone."))
def undo(*, draw_id: uuid.UUID, actor: Actor) -> Draw:
    """Take the last change back; with none left nothing happens."""
    candidate = _candidate(draw_id)
    if not candidate.edits:
        return candidate
    last = candidate.edits[-1]
    if "request" in last["before"]:
        raise Conflict(
            "replacement_stands",
            _("Somebody has been replaced since. Draw again instead of undoing."),
        )
    for name, value in last["before"].items():
        setattr(candidate, name, value)
    candidate.edits = candidate.edits[:-1]
    candidate.save()
    audit.append(
        candidate,
        "draw.edit_undone",
        actor,
        after={"verb": last["verb"], "left": len(candidate.edits)},
    )
    return candidate


def proposals(candidate: Draw, who: int, limit: int = 8) -> list[tuple[int, int]]:
    """Return the best exchanges for ``who``: (start number, repeated meetings added)."""
    numbers = numbers_of(candidate.round.stage.event)
    try:
        return list(cheapest_swaps(request_of(candidate), drawn_of(candidate, numbers), who, limit))
    except DrawRefused as refusal:
        raise refused(refusal) from refusal


def why(candidate: Draw, table: int) -> list[str]:
    """Why this table is as it is, in the reader's language; :class:`Refused` for no such table."""
    numbers = numbers_of(candidate.round.stage.event)
    language = get_language() or "en"
    try:
        reasons = explain(request_of(candidate), drawn_of(candidate, numbers), table)
    except KeyError as error:
        raise Refused(
            "no_such_table",
            _("This draw has no table %(number)d."),
            field="table",
            params={"number": table},
        ) from error
    sentences = [reason.render(language) for reason in reasons]
    touched = [edit for edit in candidate.edits if _touches(edit, candidate, table, numbers)]
    if touched:
        sentences.append(str(_("The director changed this table by hand.")))
    return sentences


def _touches(edit: JsonObject, candidate: Draw, table: int, numbers: Mapping[int, int]) -> bool:
    """Return whether a change moved the table, or a player who is at it now."""
    seated = next(
        ({numbers[p] for p in t["players"]} for t in candidate.tables if t["number"] == table),
        set(),
    )
    moved = {edit.get("one"), edit.get("two"), *edit.get("players", ())} - {None}
    return bool(seated & moved) or table in (edit.get("table"), edit.get("to"))


def replaced_in_request(request: Mapping[str, object], old: int, new: Contestant) -> SpecJson:
    """Return the request of a draw with ``new`` among its contestants in the place of ``old``."""
    spec = spec_from_json(request)
    people = tuple(new if who.id == old else who for who in spec.contestants)
    slots = tuple(new.id if slot == old else slot for slot in spec.slots)
    return spec_as_json(
        replace(
            spec,
            contestants=people,
            slots=slots,
            plan=replaced_in_plan(spec.plan, old, new.id),
        )
    )
