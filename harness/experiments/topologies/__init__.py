"""Dataset ``topologies``."""
