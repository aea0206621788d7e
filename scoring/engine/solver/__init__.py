"""The search behind :func:`scoring.engine.solve.solve`.

``layout`` lays the pack out for the search, ``forms`` finds the legal cards, ``shapes`` says which
positions share their proofs, ``tree`` walks the play of the cards. Nothing but ``solve`` imports them, so that a compiled core
can take their place.
"""
