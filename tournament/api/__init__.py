"""The REST API of the tournament room."""
