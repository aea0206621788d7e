"""Queries for the pages of adjudication."""
