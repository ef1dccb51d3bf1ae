"""Dataset ``partitioning``."""
