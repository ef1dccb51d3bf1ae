"""Captures: one module a dataset, each with one :class:`~harness.interactive.api.Capture`, ``CAPTURE``."""
