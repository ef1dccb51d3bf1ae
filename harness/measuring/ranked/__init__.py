"""BM25 and dense lists of every golden question: the lists, their quality, and which questions are shown."""
