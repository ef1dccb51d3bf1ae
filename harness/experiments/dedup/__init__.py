"""Dataset ``dedup``: which texts are compared, near copies found and missed, figures."""
