"""Draws: pure functions from a request to tables, each with a certificate.

Begin with :mod:`.model` (what is asked and answered) and one function a movement, one file each.
Nothing here knows Django; the jobs, screens and the API stand on top.
"""
