"""Incidents, rulings and appeals."""
