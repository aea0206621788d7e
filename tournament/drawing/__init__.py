"""From a stage's format to a movement: one frozen value asks for a draw, whatever the format.

:mod:`.spec` is that value and its plain JSON, stored with every draw so that it can be repeated;
:mod:`.rules` the options of a stage inside its format; :mod:`.formats` the table of formats. Pure,
like the movements of :mod:`tournament.pairing` that do the work.
"""
