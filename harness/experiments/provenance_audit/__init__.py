"""Dataset ``provenance_audit``: the chain of every dataset, and edits made to a copy of it."""
