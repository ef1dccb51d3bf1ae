"""Guards: each usable alone on any folder of HTML or any dataset (``python -m checks``)."""
