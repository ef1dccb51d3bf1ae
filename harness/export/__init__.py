"""The built site as a reader's browser meets it: what a visit transfers, and what works with scripting off."""
