"""Dataset ``chunking``."""
