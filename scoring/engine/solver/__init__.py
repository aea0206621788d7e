"""The search behind :func:`scoring.engine.solve.solve`.

``layout`` lays the pack out for the search, ``tree`` walks the play of the cards. Nothing outside
this package and ``solve`` imports them, so that a compiled core can take their place.
"""
