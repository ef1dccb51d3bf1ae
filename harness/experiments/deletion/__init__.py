"""Dataset ``deletion``: the life of a deleted document in every place that held it."""
