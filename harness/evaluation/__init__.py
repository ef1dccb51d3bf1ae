"""Measures, their uncertainty, and public collections to hold them against."""
