"""Documents to passages."""
