"""Taking a document out of every place that holds something of it, keeping it out, and finding what was forgotten.

A *surface* is a place that can still give the document to a reader: its vectors, its lexical rows, answers that were
cached, and a lexical index that lies outside of the database. The surfaces have no foreign keys to each other, as if
they were systems of their own, so nothing disappears unless :func:`harness.deletion.remove.delete` takes it out.
"""
