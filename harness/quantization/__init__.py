"""Vectors in few bytes: k-means, product quantisation, a learned rotation, and inverted lists over them.

Plain numpy, written to be read beside the papers; PostgreSQL's own inverted lists are measured apart.
"""
