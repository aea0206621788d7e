"""Verbs that change incidents, rulings and appeals."""
