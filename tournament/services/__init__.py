"""Everything that writes to a tournament: one verb a function, each one transaction."""
