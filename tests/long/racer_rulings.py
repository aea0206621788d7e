"""One of two rivals: does its act on a ruling on the starter's word.

``python tests/long/racer_rulings.py WAY WHO FILE`` reads one line of ids for each match from FILE, prints ``ready`` and
then, for every line on standard input, tries the next match. It answers each with ``won`` or the code of the refusal.
"""

from __future__ import annotations

import os
import sys
import uuid
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))


def say(word: str) -> None:
    """Write one line to the starter and flush it."""
    sys.stdout.write(f"{word}\n")
    sys.stdout.flush()


def ways(who: int) -> dict[str, Callable[..., object]]:
    """Return the actions of a rival by name; each takes the ids of a match."""
    from adjudication.services import appeals, incidents, rulings
    from ledger.actors import Actor
    from tests.adjudication.build import stating

    me = Actor.user(who)
    revoke = {"offender": "NE"[who % 2], "trick": 3, "noticed": "after_deal"}

    def claim(call: str) -> object:
        return incidents.take_call(call_id=uuid.UUID(call), actor=me)

    def issue(incident: str, seen: str, _ruling: str, other: str) -> object:
        mine = other if who % 2 else incident
        return stating(
            rulings.issue,
            incident_id=uuid.UUID(mine),
            article="000-P1",
            facts=revoke,
            actor=me,
            claimed="in_time",
            seen=int(seen),
        )

    def amend(_incident: str, seen: str, ruling: str, _other: str) -> object:
        return stating(
            rulings.amend,
            ruling_id=uuid.UUID(ruling),
            article="000-P2",
            facts=revoke,
            actor=me,
            reason="another player",
            claimed="in_time",
            seen=int(seen),
        )

    def annul(_incident: str, seen: str, ruling: str, _other: str) -> object:
        return rulings.annul(
            ruling_id=uuid.UUID(ruling), actor=me, reason="no proof", seen=int(seen)
        )

    def appeal(_incident: str, _seen: str, ruling: str, _other: str) -> object:
        return appeals.lodge(ruling_id=uuid.UUID(ruling), side="NS", grounds="no", actor=me)

    def final(_incident: str, _seen: str, ruling: str, _other: str) -> object:
        return rulings.finalise(ruling_id=uuid.UUID(ruling), actor=me)

    return {
        "claim": claim,
        "issue": issue,
        "amend": amend,
        "annul": annul,
        "appeal": appeal,
        "final": final,
    }


def main() -> None:
    """Do one act per match on the starter's word."""
    import django

    django.setup()
    from ledger.errors import Refused

    way, who, listing = sys.argv[1], int(sys.argv[2]), Path(sys.argv[3])
    act = ways(who)[way]
    matches = [line.split() for line in listing.read_text().splitlines()]
    say("ready")
    for ids, _word in zip(matches, sys.stdin, strict=False):
        try:
            act(*ids)
            say("won")
        except Refused as refused:
            say(refused.code)


if __name__ == "__main__":
    main()
