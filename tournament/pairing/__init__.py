"""Draws: pure functions from a request to tables, each with a certificate.

Begin with :mod:`.model` (request and result) and one function a movement, one file each. The
package does not import Django; the jobs, screens and the API use it.
"""
