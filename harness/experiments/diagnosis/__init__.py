"""Dataset ``diagnosis``."""
