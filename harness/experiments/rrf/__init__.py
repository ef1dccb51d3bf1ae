"""Dataset ``rrf``: one question fused in full, and the figures."""
