"""Every kind of page as text."""
