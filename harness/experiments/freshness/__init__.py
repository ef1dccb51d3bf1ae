"""Dataset ``freshness``: searches and answers as of a date."""
