"""Dataset ``dedup``: what is compared, what is known beforehand, and what is measured."""
