"""The REST API of adjudication."""
