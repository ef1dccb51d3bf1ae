"""Parts of the capture ``hnsw_walk``."""
