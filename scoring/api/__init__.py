"""The REST API of the scoring room."""
