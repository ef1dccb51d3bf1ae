"""Dataset ``ivf_pq``: codes, the index in PostgreSQL, a case in full, figures."""
