"""Dataset ``nesting``: the trees that tags and parsers make of small documents, and the guard's verdict."""
