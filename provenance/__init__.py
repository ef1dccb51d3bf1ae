"""Provenance of a dataset: canonical form, code digests, the block and its state. No heavy imports."""
