"""The parts of the capture `authorized_retrieval`: design, conditions, over-fetching, the array pre-filter, figures."""
