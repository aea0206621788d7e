"""Actors: a member of staff, a table device, a player's personal link, or the service itself.

An actor is a kind and an opaque id, without names or addresses, so that the audit chain stays valid
when a person's data are erased.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

ELSEWHERE = "elsewhere-"
"""How an actor of the service begins that was staff of another installation."""


class ActorKind(StrEnum):
    """The kinds of actor."""

    USER = "user"
    DEVICE = "device"
    PLAYER = "player"
    SYSTEM = "system"


@dataclass(frozen=True, slots=True)
class Actor:
    """An actor as the ledger knows them: ``kind`` and ``id`` (a primary key as text)."""

    kind: ActorKind
    id: str

    @classmethod
    def user(cls, user_id: object) -> Actor:
        """Return the actor for a signed-in member of staff."""
        return cls(ActorKind.USER, str(user_id))

    @classmethod
    def device(cls, device_id: object) -> Actor:
        """Return the actor for a phone that writes at a table."""
        return cls(ActorKind.DEVICE, str(device_id))

    @classmethod
    def player(cls, entrant_id: object) -> Actor:
        """Return the actor for a player with the personal link on their badge."""
        return cls(ActorKind.PLAYER, str(entrant_id))

    @classmethod
    def system(cls, name: str = "service") -> Actor:
        """Return the actor for the service itself: a job, a command, a deadline."""
        return cls(ActorKind.SYSTEM, name)

    @property
    def is_staff(self) -> bool:
        """Whether it is a member of staff, here or where an archive was made."""
        elsewhere = self.kind == ActorKind.SYSTEM and self.id.startswith(ELSEWHERE)
        return elsewhere or self.kind == ActorKind.USER

    def taken_up(self, entrants: Mapping[str, object]) -> Actor:
        """Return the local actor for an actor of an archive; its staff have no account here.

        ``entrants``: key of an entrant in the archive → its key here.
        """
        if self.kind == ActorKind.USER:
            return Actor.system(f"{ELSEWHERE}{self.id}")
        if self.kind == ActorKind.PLAYER:
            # A deleted entrant is still an actor of kind PLAYER.
            return Actor.player(entrants.get(self.id, 0))
        return self

    def __str__(self) -> str:
        return f"{self.kind}:{self.id}"

    @classmethod
    def parse(cls, text: str) -> Actor:
        """Parse the output of ``str()``; raise ValueError for anything else."""
        kind, _, identity = text.partition(":")
        return cls(ActorKind(kind), identity)
