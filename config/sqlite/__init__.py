"""The embedded database: Django's SQLite, with its writers in a queue."""
