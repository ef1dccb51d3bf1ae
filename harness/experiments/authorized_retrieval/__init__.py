"""Dataset ``authorized_retrieval``: conditions, over-fetching, the array pre-filter, figures."""
