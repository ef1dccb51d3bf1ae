"""Dataset ``acquisition``: a server with faults of its own, and clients that fetch from it."""
