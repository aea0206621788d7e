"""Charts as SVG text: a player's rank over the rounds, the scores of the field, marks per deal.

Pure functions, no library. Every chart has ``role="img"``, a title and a description that gives its
content in words. Colours come from the page: shapes use ``currentColor`` and carry the classes of
the stylesheet (``axis``, ``grid``, ``line``, ``dot``, ``bar``, ``bar--me``, ``bar--plus``,
``bar--minus``, ``cutline``, all inside a ``.chart`` figure); there is no style attribute or
element, so a strict content security policy holds, and no information depends on colour alone.
"""

from tournament.charts.deals import DealMarks, marks_per_deal
from tournament.charts.ranks import rank_over_rounds
from tournament.charts.scores import score_distribution
from tournament.charts.svg import Chart

__all__ = ["Chart", "DealMarks", "marks_per_deal", "rank_over_rounds", "score_distribution"]
