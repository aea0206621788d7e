"""Everything that reads a tournament, with a known number of queries."""
