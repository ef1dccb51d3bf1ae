"""Documents in: the manifest, acquisition, parsing with page provenance, and the corpus the captures read."""
