"""Dataset ``iterative_scan``."""
