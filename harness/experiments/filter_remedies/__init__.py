"""The dataset ``filter_remedies``: what brings back the rows that a filter takes from an approximate search."""
