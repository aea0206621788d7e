"""Every ranking criterion, one class each, found by its code in :data:`CRITERIA`.

``own``: from the entrant's own games. ``victory``: the victory-point scale. ``opposition``: from
those they met. ``between``: among those still tied. ``bracket``: the place in a knock-out.
"""

from tournament.ranking.criteria import between, bracket, opposition, own, victory
from tournament.ranking.criteria.base import CRITERIA, Criterion, build

__all__ = ["CRITERIA", "Criterion", "between", "bracket", "build", "opposition", "own", "victory"]
