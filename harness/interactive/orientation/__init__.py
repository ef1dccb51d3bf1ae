"""Helpers of the orientation datasets: every golden question put to the whole pipeline, and what became of it."""
