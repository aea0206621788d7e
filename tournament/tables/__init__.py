"""Entries of a table and their value: entries, seats and players, the rules of a sheet, links."""
