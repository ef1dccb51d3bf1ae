"""The parts of the capture ``ivf_pq``: codes in numpy, inverted lists in PostgreSQL, one question in full, figures."""
