"""Dataset ``ef_sweep``."""
