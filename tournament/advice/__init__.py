"""What chance does to an event, by simulation and by formula: pure, and the same for the same question.

* :mod:`laying`: the rounds of a format as places at tables, by the project's own draws.
* :mod:`playing`: entrants of known strength play them, many times over.
* :mod:`lines`: one line for each format: who wins, who waits, what does not count.
* :mod:`luck`: which ranks of an event that was played lie within luck.

docs/formats.md states the model and the table that it yields.
"""
