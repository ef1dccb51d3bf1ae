"""Markdown of the pages: roles, directives, formulas."""
