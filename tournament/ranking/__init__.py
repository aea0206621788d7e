"""Standings as a pure result: the same sheets and rulings give the same bytes, always.

Interface for the rest of the product:

* :mod:`model`: input (entrants, results, adjustments, a rule) and output (rows).
* :mod:`ranking`: :func:`rank`, :func:`separation`.
* :mod:`criteria`: one class a criterion, with its name and explanation in three languages.
* :mod:`presets`: the ranking rules of known events. :mod:`rulejson`: a rule as an event setting.
* :mod:`errors`: refusals.
* :mod:`cuts`, :mod:`needs`, :mod:`clubs`, :mod:`prizes`: qualification, distance to the cut, clubs,
  prizes.
* :mod:`canonical`: the bytes of a standing and its hash.

Regulation followed: rules specification D.1 (facts of real events) and D.2 (recommended model).
"""
