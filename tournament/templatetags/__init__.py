"""Filters of the tournament's pages."""
