"""One of two rivals: makes its result official on the starter's word.

``python tests/long/racer.py WAY POINTS FILE`` reads the sheets' ids from FILE, prints ``ready`` and then, for every
line on standard input, tries the next sheet. It answers each with ``won`` or the code of the refusal.
"""

from __future__ import annotations

import os
import sys
import uuid
from pathlib import Path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))


def say(word: str) -> None:
    """Write one line to the starter and flush it."""
    sys.stdout.write(f"{word}\n")
    sys.stdout.flush()


def main() -> None:
    """Confirm one result per match on the starter's word."""
    import django

    django.setup()
    from ledger.actors import Actor
    from ledger.errors import Refused
    from tournament.services import sheets, signatures

    way, points, listing = sys.argv[1], int(sys.argv[2]), Path(sys.argv[3])
    # Staff would also correct signed results.
    table = Actor.device(uuid.UUID(int=points))
    actor = table if way == "correct" else Actor.system(f"rival-{points}")
    entry = {"dealer": "N", "contract": {"declarer": "NS", "trump": "H"}, "points": {"NS": points}}
    ids = listing.read_text().split()
    say("ready")
    for sheet_id, _word in zip(ids, sys.stdin, strict=False):
        try:
            if way == "paper":
                sheets.enter_from_paper(
                    sheet_id=sheet_id, entries=[entry], actor=actor, reason="rival", version=0
                )
            elif way == "correct":
                sheets.correct_deal(
                    sheet_id=sheet_id, number=1, entry=entry, actor=actor, reason="rival", version=1
                )
                signatures.confirm(sheet_id=sheet_id, version=2, actor=actor)
            else:
                signatures.sign(sheet_id=sheet_id, side="EW", version=1, actor=actor)
            say("won")
        except Refused as refused:
            say(refused.code)


if __name__ == "__main__":
    main()
