"""Dataset ``pages``: families of documents, estimates held against their pages, quotes, and cases."""
