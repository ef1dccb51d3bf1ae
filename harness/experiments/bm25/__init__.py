"""Dataset ``bm25``: curves, scores taken apart, figures."""
