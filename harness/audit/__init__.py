"""What the provenance rules notice: every dataset's chain, and edits made to a copy of it."""
