"""Content, data and settings as read from disk, and what links them."""
