"""The REST API of the tables."""
