"""The tables: score sheets, the links of tables, signatures, calls for the referee."""
