"""Effect of chance on an event, by simulation and by formula: pure and reproducible.

* :mod:`laying`: the rounds of a format as places at tables, by the project's own draws.
* :mod:`playing`: games between entrants of known strength, many times over.
* :mod:`lines`: one line for each format: the winner's chance, the byes, the uncounted rounds.
* :mod:`luck`: the ranks of a played event that lie within luck.

docs/formats.md states the model and the resulting table.
"""
