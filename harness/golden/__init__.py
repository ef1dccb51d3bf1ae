"""The golden questions."""
