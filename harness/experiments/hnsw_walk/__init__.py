"""Dataset ``hnsw_walk``: a recorded walk through the graph, and its figures."""
