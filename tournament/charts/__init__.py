"""Charts as SVG text: a player's rank over the rounds, the scores of the field, marks per deal.

Pure functions, no library. Every chart has ``role="img"``, a title and a description that says in
words what it shows. Colours come from the page: shapes use ``currentColor`` and carry classes
(``chart-axis``, ``chart-grid``, ``chart-line``, ``chart-point``, ``chart-bar``, ``chart-mine``,
``chart-cut``, ``chart-us``, ``chart-them``, ``chart-text``) for the stylesheet; there is no style
attribute or element, so a strict content security policy holds.
"""

from tournament.charts.deals import DealMarks, marks_per_deal
from tournament.charts.ranks import rank_over_rounds
from tournament.charts.scores import score_distribution

__all__ = ["DealMarks", "marks_per_deal", "rank_over_rounds", "score_distribution"]
