"""A user's mistake, told apart from a bug: the command line prints it in one line and exits with 1."""

from __future__ import annotations


class HarnessError(Exception):
    """Bad input or an impossible request; the message names the place and the remedy."""
