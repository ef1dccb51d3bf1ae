"""Fetching: how fast to ask, what an answer means, where bytes come from and where they may lie."""
