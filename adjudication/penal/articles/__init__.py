"""The articles themselves, one module a source, in the order of that source."""
