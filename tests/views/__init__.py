"""Views and selectors."""
