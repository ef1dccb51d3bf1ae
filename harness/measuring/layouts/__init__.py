"""Readings in a layout of the store, and what tables say of them."""
