"""From a stage's format to a movement: one frozen value asks for a draw, whatever the format.

:mod:`.spec` is that value and its plain JSON, kept with every draw so that anybody can make it again;
:mod:`.rules` what a stage may choose inside its format; :mod:`.formats` the table of formats. Pure,
like the movements of :mod:`tournament.pairing` that do the work.
"""
