"""Dataset ``pages``: labels printed on pages, quotes found again, estimates and how they go wrong."""
