"""Tests of the store, of dense search in it, and of the headline capture."""
