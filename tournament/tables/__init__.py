"""What is typed at a table and what it is worth: entries, seats and players, the rules of a sheet, links."""
