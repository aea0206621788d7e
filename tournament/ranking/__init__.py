"""Standings as a pure result: the same sheets and rulings give the same bytes, always.

What the rest of the product needs of it:

* :mod:`model`: what goes in (entrants, results, adjustments, a rule) and what comes out (rows).
* :mod:`ranking`: :func:`rank`, :func:`separation`.
* :mod:`criteria`: one class a criterion, with its name and explanation in three languages.
* :mod:`presets`: the ranking rules of known events. :mod:`rulejson`: a rule as an event setting.
* :mod:`errors`: what is refused.
* :mod:`cuts`, :mod:`needs`, :mod:`clubs`, :mod:`prizes`: who goes on, what is missing, clubs, prizes.
* :mod:`canonical`: the bytes of a standing and its hash.

Regulation followed: rules specification D.1 (facts of real events) and D.2 (recommended model).
"""
