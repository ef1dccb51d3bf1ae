"""Documents that have been replaced: told by their own metadata, and kept out before anything is ranked."""
